//! `smt`: formulas for SMT solvers.

mod assembly;

use super::{defined, names};
use crate::text::{DialectAssembly, print_attribute};
use crate::{AttributeData, Dialect, OpRef, Result, Signedness};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined("smt"))
        .result_names("constant", names::truth)
        .result_names("int.constant", |op, set| names::integer(op, "c", Signedness::Signed, set))
        .result_names("bv.constant", bit_vector_name)
        .result_names("declare_fun", prefix_name)
}

/// `c5_bv32` of `#smt.bv<5> : !smt.bv<32>`
fn bit_vector_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let Some(value) = op.attribute("value")? else { return Ok(()) };
    let text = print_attribute(op.module().context(), value)?;
    let inner = |text: &str, prefix: &str| Some(text.strip_prefix(prefix)?.strip_suffix('>')?.to_owned());
    if let Some((value, ty)) = text.split_once(" : ")
        && let (Some(value), Some(width)) = (inner(value, "#smt.bv<"), inner(ty, "!smt.bv<"))
    {
        set(0, format!("c{value}_bv{width}").as_bytes());
    }
    Ok(())
}

fn prefix_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let prefix = op.attribute("namePrefix")?.map(|prefix| &context[prefix]);
    if let Some(AttributeData::String { value, .. }) = prefix {
        set(0, value);
    }
    Ok(())
}
