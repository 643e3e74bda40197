//! Elements of constants in other shapes (`DenseElementsAttr` of MLIR).

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, Context, Numbers, Type};
use mlirbc_rewrite::Fold;

/// Whether both types have elements of one type.
fn same_elements(context: &Context, one: Type, other: Type) -> bool {
    context[one].element().is_some() && context[one].element() == context[other].element()
}

/// The same elements in a type of as many. `None` where the constant is none of dense elements.
pub(crate) fn reshaped(context: &Context, constant: Attribute, ty: Type) -> Option<Attribute> {
    let AttributeData::DenseElements { ty: from, data } = &context[constant] else { return None };
    if !same_elements(context, *from, ty) || context[*from].element_count()? != context[ty].element_count()? {
        return None;
    }
    Some(context.attribute(AttributeData::dense_elements(context, ty, data.clone()).ok()?))
}

/// The one element that all are, over and over in a type of static shape. `None` where the elements differ.
pub(crate) fn resized(context: &Context, constant: Attribute, ty: Type) -> Option<Attribute> {
    let AttributeData::DenseElements { ty: from, .. } = &context[constant] else { return None };
    if !same_elements(context, *from, ty) {
        return None;
    }
    splat(context, Numbers::of(context, constant)?.splat()?.clone(), ty)
}

/// That number over and over in a type of static shape.
pub(crate) fn splat(context: &Context, number: ApInt, ty: Type) -> Option<Attribute> {
    context[ty].element_count().filter(|&count| count > 0)?;
    context.numbers(ty, &[number]).ok()
}

/// A constant of the type of one element.
pub(crate) fn element(context: &Context, numbers: &Numbers<'_>, at: u64) -> Option<Attribute> {
    if at >= numbers.count {
        return None;
    }
    context.numbers(context[numbers.ty].element()?, &[numbers.get(at)]).ok()
}

/// The constant of type `index`.
pub(crate) fn index(context: &Context, value: i64) -> Option<Attribute> {
    context.numbers(context.index_type(), &[ApInt::from_i64(64, value)]).ok()
}

/// The constant of that type whose elements are the operands, where these are constants.
pub(crate) fn of_operands(fold: &Fold<'_, '_>, ty: Type) -> Option<Attribute> {
    let context = fold.context();
    let element = context[ty].element()?;
    let number = |&constant: &Option<Attribute>| match &context[constant?] {
        AttributeData::Integer { ty, value: bits } | AttributeData::Float { ty, bits } if *ty == element => {
            Some(bits.clone())
        }
        _ => None,
    };
    let values: Option<Vec<_>> = fold.constants().iter().map(number).collect();
    values.and_then(|values| context.numbers(ty, &values).ok())
}
