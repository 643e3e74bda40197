//! Canonicalisation of `scf.index_switch`.

use mlirbc_ir::AttributeData;

use super::*;

/// A number that is known decides: what the case does, or the default, is done.
pub(super) fn constant_case(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let value = rw.body().operands(op).first().and_then(|&value| rw.constant_int(value)?.to_i64());
    let Some(value) = value else { return rw.no_match("the number is not constant") };
    let Some(cases) = rw.op(op).attribute("cases")? else { return rw.no_match("there are no cases") };
    let AttributeData::DenseArray { data, .. } = &rw.context()[cases] else {
        return rw.no_match("the cases are no array");
    };
    let (cases, _) = data.as_chunks::<8>();
    // The default comes first.
    let number = cases.iter().position(|case| i64::from_le_bytes(*case) == value).map_or(0, |case| case + 1);
    let block = block(rw, op, number)?;
    replace_by_block(rw, op, block, &[])
}
