//! Constants: numbers of the types that theirs become.

use mlirbc_ir::number::{ApFloat, ApInt, FloatKind, RoundingMode};
use mlirbc_ir::{Attribute, AttributeData, Context, NumberKind, Numbers, OpId, ResourceValue, Type, TypeData};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::types::{SpirvType, view};

use crate::common::{Look, Rw, element, with_element};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("arith.constant", constant)
}

fn constant(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let was = rw.result_type(op)?;
    let context = rw.context();
    let value = stored(rw, rw.attribute(op, "value")?)?;
    let data = &context[was];
    let is_single = data.element_count().is_none_or(|count| count == 1);
    let numbers = Numbers::of(context, value).ok_or(NoMatch::Reason("a constant of something else than numbers"))?;
    if is_single {
        // Of one element, as the element alone.
        let from = element(context, was);
        let to = spirv.convert(context, from).ok_or(NoMatch::Reason("the type of a constant cannot be converted"))?;
        let number = converted(context, numbers.get(0), (from, to))?;
        let value = context.numbers(to, &[number])?;
        let made = rw.constant(to, value)?;
        return Ok(rw.replace(op, [made])?);
    }
    let shape = data.shape().ok_or(NoMatch::Reason("a constant of another type"))?;
    if shape.len() > 1 && !matches!(data, TypeData::RankedTensor { .. }) {
        return Err(NoMatch::Reason("a vector of more than one dimension"));
    }
    let to = rw.converted_result(op)?;
    let (from, into) = match view(context, to) {
        Some(SpirvType::Array { element: into, .. }) => (element(context, was), into),
        _ => (element(context, was), element(context, to)),
    };
    if from != into && from == context.integer_type(1) {
        return Err(NoMatch::Reason("truth values of another type"));
    }
    let held = match data {
        TypeData::RankedTensor { .. } => {
            let count = data.element_count().and_then(|count| i64::try_from(count).ok());
            let count = count.ok_or(NoMatch::Reason("too many elements"))?;
            context.ty(TypeData::RankedTensor { shape: [count].into(), element: into, encoding: None })
        }
        _ => with_element(context, was, into),
    };
    let different = if numbers.is_splat() { 1 } else { numbers.count };
    let numbers = (0..different).map(|at| converted(context, numbers.get(at), (from, into)));
    let value = context.numbers(held, &numbers.collect::<Result<Vec<_>, _>>()?)?;
    let made = rw.constant(to, value)?;
    Ok(rw.replace(op, [made])?)
}

/// Elements that are kept beside the module as an attribute that has them.
fn stored(rw: &Rw<'_, '_>, value: Attribute) -> Result<Attribute, NoMatch> {
    let context = rw.context();
    let AttributeData::DenseResource { ty, resource } = context[value] else { return Ok(value) };
    let entry = rw.module().resource(resource)?.ok_or(NoMatch::Reason("could not find resource blob"))?;
    let ResourceValue::Blob { data, .. } = &entry.value else {
        return Err(NoMatch::Reason("could not find resource blob"));
    };
    let held = AttributeData::dense_elements(context, ty, data.bytes()?.clone());
    let held = held.map_err(|_| NoMatch::Reason("resource is not a valid buffer"))?;
    Ok(context.attribute(held))
}

/// A number of one type as one of another, by its bits; no match where it has none.
fn converted(context: &Context, number: ApInt, (from, to): (Type, Type)) -> Result<ApInt, NoMatch> {
    if from == to {
        return Ok(number);
    }
    let known = NumberKind::of(context, from).zip(NumberKind::of(context, to));
    let found = match known {
        Some((NumberKind::Float(kind), NumberKind::Integer { width, .. })) => (kind.width() == width).then_some(number),
        Some((NumberKind::Float(kind), NumberKind::Float(FloatKind::F32))) if number.width() == kind.width() => {
            let number = ApFloat::from_bits(kind, &number).convert(FloatKind::F32, RoundingMode::TowardZero);
            number.exact().map(ApFloat::to_bits)
        }
        // Where rules are broken, a number is of another width than its type.
        Some((NumberKind::Integer { width: had, .. }, NumberKind::Integer { width, .. })) if number.width() == had => {
            // What fits without a sign, or with one.
            let fits = number.active_bits() <= width || had - number.leading_ones() < width;
            fits.then(|| if had < width { number.sext(width) } else { number.trunc(width) })
        }
        _ => None,
    };
    found.ok_or(NoMatch::Reason("a constant does not fit the type that its own becomes"))
}
