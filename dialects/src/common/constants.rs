//! Constants of dialects that have none of their own.

use mlirbc_ir::{Attribute, AttributeData, Context, OpId, Result, Rewriter, Signedness, Type, TypeData};

/// `arith.constant` of an attribute of that type, and `ub.poison` for poison.
pub(crate) fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    if !can_be_constant(rw.context(), value, ty) {
        return crate::ub::poison(rw, value, ty);
    }
    rw.build("arith.constant").attribute("value", value).result_type(ty).create().map(Some)
}

/// Whether `arith.constant` can have that value and type: numbers without a sign, and elements.
pub(crate) fn can_be_constant(context: &Context, value: Attribute, ty: Type) -> bool {
    let signed =
        |ty: Type| matches!(context[ty], TypeData::Integer { signedness, .. } if signedness != Signedness::Signless);
    let data = &context[value];
    let is_value = matches!(
        data,
        AttributeData::Integer { .. }
            | AttributeData::Float { .. }
            | AttributeData::DenseElements { .. }
            | AttributeData::DenseResource { .. }
    );
    is_value && data.ty() == Some(ty) && !signed(ty)
}
