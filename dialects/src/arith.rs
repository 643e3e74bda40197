//! `arith`: integers and floats.

mod assembly;
mod enums;
mod folds;
mod handles;
mod members;
mod patterns;
mod predicates;

pub use enums::*;
pub use handles::*;
pub use members::{fast_math_flags, float_predicate, integer_predicate, overflow_flags, rounding_mode};

use std::sync::Arc;

use super::common::speculation::Division;
use super::names;
use mlirbc_ir::interfaces::Speculatable;
use mlirbc_ir::text::push_integer;
use mlirbc_ir::{AttributeData, Dialect, OpRef, Result, Signedness, TypeData};
use mlirbc_rewrite::{DialectRewrite, InlineOperations};
use mlirbc_text::DialectAssembly;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    let dialect = patterns::attach(folds::attach(assembly::attach(defined!("arith").inliner(InlineOperations))));
    let divisions = [
        ("ceildivsi", Division::Signed),
        ("ceildivui", Division::Unsigned),
        ("divsi", Division::Signed),
        ("divui", Division::Unsigned),
    ];
    let dialect = divisions
        .into_iter()
        .fold(dialect, |dialect, (name, division)| dialect.interface::<dyn Speculatable>(name, Arc::new(division)));
    dialect.result_names("constant", constant_name).result_names("muli", vscale_product)
}

/// `c4_i32`, `c4` of an `index`, `true`, and `cst` of what is no integer.
fn constant_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let Some(value) = op.attribute("value")? else { return Ok(()) };
    let AttributeData::Integer { ty, value: bits } = &context[value] else {
        set(0, b"cst");
        return Ok(());
    };
    match context[*ty] {
        TypeData::Integer { width: 1, .. } => set(0, if bits.to_u64() == Some(0) { b"false" } else { b"true" }),
        ref data => {
            let mut text = b"c".to_vec();
            push_integer(&mut text, bits, Signedness::Signed);
            if matches!(data, TypeData::Integer { .. }) {
                text.push(b'_');
                text.extend_from_slice(context.show(*ty).to_string().as_bytes());
            }
            set(0, &text);
        }
    }
    Ok(())
}

/// `c4_vscale` for the product of a constant and `vector.vscale`.
fn vscale_product(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let &[left, right] = op.operands() else { return Ok(()) };
    let Some(result) = op.results().next() else { return Ok(()) };
    let context = op.module().context();
    if context[op.type_of(result)?] != TypeData::Index {
        return Ok(());
    }
    for (base, scale) in [(left, right), (right, left)] {
        let (Some(base), Some(scale)) = (op.defining_operation(base), op.defining_operation(scale)) else { continue };
        if scale.name() == "vector.vscale"
            && base.name() == "arith.constant"
            && let Some(digits) = names::digits(context, base.attribute("value")?, Signedness::Signed)
        {
            set(0, &[b"c", digits.as_slice(), b"_vscale"].concat());
            break;
        }
    }
    Ok(())
}
