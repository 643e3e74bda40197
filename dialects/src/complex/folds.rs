//! How operations of `complex` fold (`ComplexOps.cpp` of MLIR).

use mlirbc_ir::number::ApFloat;
use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, OpId, Result, Rewriter, Type, TypeData, Value};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use crate::common::constants;

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .materialize(materialize)
        .fold("constant", |fold| Ok(Folded::maybe(fold.attribute("value")?)))
        .fold("bitcast", bitcast)
        .fold("create", |fold| Ok(create(fold)))
        .fold("re", |fold| Ok(part(fold, 0)))
        .fold("im", |fold| Ok(part(fold, 1)))
        .fold("add", |fold| Ok(add(fold)))
        .fold("sub", |fold| Ok(sub(fold)))
        .fold("mul", |fold| Ok(by_one(fold)))
        .fold("div", |fold| Ok(by_one(fold)))
        .fold("neg", |fold| Ok(undone(fold, "complex.neg")))
        .fold("conj", |fold| Ok(undone(fold, "complex.conj")))
        .fold("log", |fold| Ok(undone(fold, "complex.exp")))
        .fold("exp", |fold| Ok(undone(fold, "complex.log")))
}

/// `complex.constant` of two numbers for a complex type, and what constants are for others.
pub(crate) fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    let context = rw.context();
    match (parts(context, value), &context[ty]) {
        (Some(parts), TypeData::Complex(element)) if parts.iter().all(|&part| context[part].ty() == Some(*element)) => {
            rw.build("complex.constant").attribute("value", value).result_type(ty).create().map(Some)
        }
        _ => constants::materialize(rw, value, ty),
    }
}

/// The two parts of a constant.
fn parts(context: &Context, constant: Attribute) -> Option<[Attribute; 2]> {
    match &context[constant] {
        AttributeData::Array(parts) => <[Attribute; 2]>::try_from(&**parts).ok(),
        _ => None,
    }
}

/// The floats that are the parts of the right operand.
fn right(fold: &Fold<'_, '_>) -> Option<[ApFloat; 2]> {
    let context = fold.context();
    let [re, im] = parts(context, fold.constant(1)?)?;
    Some([context.float_of(re)?, context.float_of(im)?])
}

/// The operands of the operation of that name that gives the operand of that number.
fn operands_of<'f>(fold: &'f Fold<'_, '_>, number: usize, name: &str) -> Option<&'f [Value]> {
    Some(fold.defined_by(fold.operand(number), name)?.operands())
}

fn bitcast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let input = fold.operand(0);
    Ok(if fold.type_of(input)? == fold.result_type()? { Folded::value(input) } else { Folded::No })
}

/// Both parts of one number make that number.
fn create(fold: &Fold<'_, '_>) -> Folded {
    match (operands_of(fold, 0, "complex.re"), operands_of(fold, 1, "complex.im")) {
        (Some(&[re]), Some(&[im])) if re == im => Folded::value(re),
        _ => Folded::No,
    }
}

/// A part of a constant, or of what is made of two.
fn part(fold: &Fold<'_, '_>, number: usize) -> Folded {
    let context = fold.context();
    if let Some(parts) = fold.constant(0).and_then(|constant| parts(context, constant)) {
        return Folded::attribute(parts[number]);
    }
    let made_of = operands_of(fold, 0, "complex.create").and_then(|parts| parts.get(number));
    made_of.map_or(Folded::No, |&part| Folded::value(part))
}

/// What is taken away and added again, and zeros of any sign.
fn add(fold: &Fold<'_, '_>) -> Folded {
    for (difference, other) in [(0, 1), (1, 0)] {
        match operands_of(fold, difference, "complex.sub") {
            Some(&[value, taken]) if taken == fold.operand(other) => return Folded::value(value),
            _ => {}
        }
    }
    without_zero(fold)
}

/// What is added on the right and taken away again, and zeros of any sign.
fn sub(fold: &Fold<'_, '_>) -> Folded {
    match operands_of(fold, 0, "complex.add") {
        Some(&[value, added]) if added == fold.operand(1) => Folded::value(value),
        _ => without_zero(fold),
    }
}

fn without_zero(fold: &Fold<'_, '_>) -> Folded {
    match right(fold) {
        Some(parts) if parts.iter().all(|part| part.is_zero()) => Folded::value(fold.operand(0)),
        _ => Folded::No,
    }
}

/// By one.
fn by_one(fold: &Fold<'_, '_>) -> Folded {
    match right(fold) {
        Some([re, im]) if im.is_zero() && re == ApFloat::one(re.kind()) => Folded::value(fold.operand(0)),
        _ => Folded::No,
    }
}

/// What the operation of that name, which this one undoes, was made of.
fn undone(fold: &Fold<'_, '_>, name: &str) -> Folded {
    match operands_of(fold, 0, name) {
        Some(&[value, ..]) => Folded::value(value),
        _ => Folded::No,
    }
}
