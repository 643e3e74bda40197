//! What several dialects name their results by.

use mlirbc_ir::text::push_integer;

use mlirbc_ir::verify::OpTypes;
use mlirbc_ir::{Attribute, AttributeData, Context, OpRef, Result, Signedness};

/// The attribute `value` as decimal digits, a bit as `0` or `1`. `None` where it is no integer.
pub(super) fn digits(context: &Context, value: Option<Attribute>, signedness: Signedness) -> Option<Vec<u8>> {
    let AttributeData::Integer { value, .. } = &context[value?] else { return None };
    let mut text = Vec::new();
    if value.width() == 1 {
        text.push(if value.to_u64() == Some(0) { b'0' } else { b'1' });
    } else {
        push_integer(&mut text, value, signedness);
    }
    Some(text)
}

/// Names the result by the integer in the attribute `value`.
pub(super) fn integer(
    op: OpRef<'_>,
    prefix: &str,
    signedness: Signedness,
    set: &mut dyn FnMut(usize, &[u8]),
) -> Result<()> {
    if let Some(digits) = digits(op.module().context(), op.attribute("value")?, signedness) {
        set(0, &[prefix.as_bytes(), &digits].concat());
    }
    Ok(())
}

/// Names the result `true` or `false`, as the attribute `value` is.
pub(super) fn truth(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    if let Some(digits) = digits(op.module().context(), op.attribute("value")?, Signedness::Signless) {
        set(0, if digits == b"0" { b"false" } else { b"true" });
    }
    Ok(())
}

/// The result is an `index`.
pub(super) fn index_result(context: &Context, types: &mut OpTypes) {
    types.set_result(0, [context.index_type()]);
}
