//! How operations of `arith` fold.

mod bits;
mod casts;
mod comparisons;
mod divisions;
mod extended;
mod floats;
mod order;
mod select;
mod sums;

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Dialect, Result, Value};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded, is_poison};

use super::members::splat;
use crate::common::constants;

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .materialize(constants::materialize)
        .fold("addf", floats::addf)
        .fold("addi", sums::addi)
        .fold("addui_extended", extended::addui_extended)
        .fold("andi", bits::andi)
        .fold("bitcast", casts::bitcast)
        .fold("ceildivsi", divisions::ceildivsi)
        .fold("ceildivui", divisions::ceildivui)
        .fold("cmpf", comparisons::cmpf)
        .fold("cmpi", comparisons::cmpi)
        .fold("divf", floats::divf)
        .fold("divsi", divisions::divsi)
        .fold("divui", divisions::divui)
        .fold("extf", casts::extf)
        .fold("extsi", casts::extsi)
        .fold("extui", casts::extui)
        .fold("floordivsi", divisions::floordivsi)
        .fold("fptosi", casts::fptosi)
        .fold("fptoui", casts::fptoui)
        .fold("index_cast", casts::index_cast)
        .fold("index_castui", casts::index_castui)
        .fold("maximumf", order::maximumf)
        .fold("maxnumf", order::maxnumf)
        .fold("maxsi", order::maxsi)
        .fold("maxui", order::maxui)
        .fold("minimumf", order::minimumf)
        .fold("minnumf", order::minnumf)
        .fold("minsi", order::minsi)
        .fold("minui", order::minui)
        .fold("mulf", floats::mulf)
        .fold("muli", sums::muli)
        .fold("mulsi_extended", extended::mulsi_extended)
        .fold("mului_extended", extended::mului_extended)
        .fold("negf", floats::negf)
        .fold("ori", bits::ori)
        .fold("remf", floats::remf)
        .fold("remsi", divisions::remsi)
        .fold("remui", divisions::remui)
        .fold("select", select::select)
        .fold("shli", bits::shli)
        .fold("shrsi", bits::shrsi)
        .fold("shrui", bits::shrui)
        .fold("sitofp", casts::sitofp)
        .fold("subf", floats::subf)
        .fold("subi", sums::subi)
        .fold("truncf", casts::truncf)
        .fold("trunci", casts::trunci)
        .fold("uitofp", casts::uitofp)
        .fold("xori", bits::xori)
}

/// The two operands of the operation of that name that defines an operand.
fn pair(fold: &Fold<'_, '_>, operand: usize, name: &str) -> Option<[Value; 2]> {
    pair_of(fold, fold.operand(operand), name)
}

/// The operands of the operation of two operands and that name that defines a value.
fn pair_of(fold: &Fold<'_, '_>, value: Value, name: &str) -> Option<[Value; 2]> {
    fold.defined_by(value, name)?.operands().try_into().ok()
}

/// The operand of the operation of that name that defines the one operand.
fn single(fold: &Fold<'_, '_>, name: &str) -> Option<Value> {
    fold.defined_by(fold.operand(0), name)?.operands().first().copied()
}

/// Whether an operand is poison. Comparisons and shifts alone do not become it.
fn poison(fold: &Fold<'_, '_>) -> bool {
    fold.constants().iter().flatten().any(|&constant| is_poison(fold.context(), constant))
}

/// Whether both operands are one value.
fn same(fold: &Fold<'_, '_>) -> bool {
    fold.operand(0) == fold.operand(1)
}

/// The constant 0 of the type of the first result, where it has one.
fn zero(fold: &Fold<'_, '_>) -> Result<Folded> {
    Ok(Folded::maybe(super::members::zero(fold.context(), fold.result_type()?)))
}

/// The constant of the type of the first result that is that in all elements, where it has one.
fn boolean(fold: &Fold<'_, '_>, value: bool) -> Result<Folded> {
    let value = ApInt::from_u64(1, u64::from(value));
    Ok(Folded::maybe(splat(fold.context(), fold.result_type()?, value)))
}
