//! How canonicalisation rewrites operations of `arith`.
//!
//! New operations are located where all that they replace was.

mod casts;
mod extended;
mod extensions;
mod floats;
mod select;
mod sums;

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, Dialect, OpId, Result, Rewriter, Type, Value};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, NoMatch, RewriteFn};

use crate::common::patterns::{check, result_type, type_of};
use crate::complex::patterns::merge_cast_of_number;

/// A pattern of so many operations: that is how MLIR orders those that it generates.
fn pattern(name: &'static str, operations: u16, rewrite: RewriteFn) -> AnyPattern {
    AnyPattern::new(name, rewrite).benefit(operations)
}

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .canonicalize("addi", pattern("AddIAddConstant", 2, sums::add_of_add))
        .canonicalize("addi", pattern("AddISubConstantRHS", 2, sums::add_of_sub))
        .canonicalize("addi", pattern("AddISubConstantLHS", 2, sums::add_of_sub_from))
        .canonicalize("addi", pattern("AddIMulNegativeOneRhs", 2, sums::add_of_negated))
        .canonicalize("addi", pattern("AddIMulNegativeOneLhs", 2, sums::add_to_negated))
        .canonicalize("subi", pattern("SubIRHSAddConstant", 2, sums::sub_of_add))
        .canonicalize("subi", pattern("SubILHSAddConstant", 2, sums::sub_from_of_add))
        .canonicalize("subi", pattern("SubIRHSSubConstantRHS", 2, sums::sub_of_sub))
        .canonicalize("subi", pattern("SubIRHSSubConstantLHS", 2, sums::sub_of_sub_from))
        .canonicalize("subi", pattern("SubILHSSubConstantRHS", 2, sums::sub_from_of_sub))
        .canonicalize("subi", pattern("SubILHSSubConstantLHS", 2, sums::sub_from_of_sub_from))
        .canonicalize("subi", pattern("SubISubILHSRHSLHS", 2, sums::sub_of_own_difference))
        .canonicalize("muli", pattern("MulIMulIConstant", 2, sums::mul_of_mul))
        .canonicalize("addui_extended", pattern("AddUIExtendedToAddI", 1, extended::add_alone))
        .canonicalize("mulsi_extended", pattern("MulSIExtendedToMulI", 1, extended::mul_alone))
        .canonicalize("mulsi_extended", pattern("MulSIExtendedRHSOne", 1, extended::mul_by_one))
        .canonicalize("mului_extended", pattern("MulUIExtendedToMulI", 1, extended::mul_alone))
        .canonicalize("xori", pattern("XOrINotCmpI", 2, extensions::not_of_comparison))
        .canonicalize("xori", pattern("XOrIOfExtUI", 3, extensions::of_unsigned))
        .canonicalize("xori", pattern("XOrIOfExtSI", 3, extensions::of_signed))
        .canonicalize("andi", pattern("AndOfExtUI", 3, extensions::of_unsigned))
        .canonicalize("andi", pattern("AndOfExtSI", 3, extensions::of_signed))
        .canonicalize("ori", pattern("OrOfExtUI", 3, extensions::of_unsigned))
        .canonicalize("ori", pattern("OrOfExtSI", 3, extensions::of_signed))
        .canonicalize("cmpi", pattern("CmpIExtSI", 3, extensions::comparison_of_signed))
        .canonicalize("cmpi", pattern("CmpIExtUI", 3, extensions::comparison_of_unsigned))
        .canonicalize("select", pattern("RedundantSelectFalse", 2, select::same_condition_false))
        .canonicalize("select", pattern("RedundantSelectTrue", 2, select::same_condition_true))
        .canonicalize("select", pattern("SelectNotCond", 2, select::of_complement))
        .canonicalize("select", pattern("SelectI1ToNot", 1, select::to_complement))
        .canonicalize("select", pattern("SelectToExtUI", 1, select::to_extension))
        .canonicalize("index_cast", pattern("IndexCastOfIndexCast", 2, casts::index_there_and_back))
        .canonicalize("index_cast", pattern("IndexCastOfExtSI", 2, casts::index_of_signed))
        .canonicalize("index_castui", pattern("IndexCastUIOfIndexCastUI", 2, casts::index_there_and_back))
        .canonicalize("index_castui", pattern("IndexCastUIOfExtUI", 2, casts::index_of_unsigned))
        .canonicalize("bitcast", pattern("BitcastOfBitcast", 2, casts::bits_of_bits))
        .canonicalize("bitcast", pattern("MergeArithBitcast", 1, merge_cast_of_number))
        .canonicalize("extsi", pattern("ExtSIOfExtUI", 2, casts::signed_of_unsigned))
        .canonicalize("trunci", pattern("TruncIExtSIToExtSI", 2, casts::truncated_signed))
        .canonicalize("trunci", pattern("TruncIExtUIToExtUI", 2, casts::truncated_unsigned))
        .canonicalize("trunci", pattern("TruncIShrSIToTrunciShrUI", 2, casts::truncated_shift))
        .canonicalize("truncf", pattern("TruncFSIToFPToSIToFP", 2, casts::truncated_of_signed))
        .canonicalize("truncf", pattern("TruncFUIToFPToUIToFP", 2, casts::truncated_of_unsigned))
        .canonicalize("mulf", pattern("MulFOfNegF", 3, floats::of_negated))
        .canonicalize("divf", pattern("DivFOfNegF", 3, floats::of_negated))
        .canonicalize("cmpf", pattern("CmpFIntToFPConst", 1, floats::comparison_of_integer))
}

type Found<T> = Result<T, NoMatch>;

/// The operands of an operation that has so many.
fn operands<const N: usize>(rw: &Rewriter<'_>, op: OpId) -> Found<[Value; N]> {
    rw.body().operands(op).try_into().map_err(|_| NoMatch::Reason("it has other operands"))
}

/// The operation of that name that defines a value, and its operands.
fn defined<const N: usize>(rw: &Rewriter<'_>, value: Value, name: &str) -> Found<(OpId, [Value; N])> {
    let op = rw.defined_by(value, name)?.id();
    Ok((op, operands(rw, op)?))
}

/// The one integer that the value is. Elements of a vector are none.
fn scalar(rw: &Rewriter<'_>, value: Value) -> Found<ApInt> {
    match rw.constant(value).map(|constant| &rw.context()[constant]) {
        Some(AttributeData::Integer { value, .. }) => Ok(value.clone()),
        _ => Err(NoMatch::Reason("an operand is no constant integer")),
    }
}

/// From now on, operations are made where all of these were.
fn locate(rw: &mut Rewriter<'_>, ops: &[OpId]) -> Result<()> {
    let locations: Result<Vec<Attribute>> =
        ops.iter().map(|&op| Ok(rw.op(op).location()?.attribute(rw.context()))).collect();
    let location = rw.context().fused_location(&locations?, None);
    rw.locate(location);
    Ok(())
}

/// Makes a constant.
fn constant(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Value> {
    let op = rw.build("arith.constant").attribute("value", value).result_type(ty).create()?;
    rw.result(op, 0)
}

/// Makes an operation of one result, which has that type and these attributes.
fn make<const N: usize>(
    rw: &mut Rewriter<'_>,
    name: &str,
    operands: [Value; N],
    attributes: &[(&str, Attribute)],
    ty: Type,
) -> Result<Value> {
    let builder = rw.build(name).operands(operands).result_type(ty);
    let op = attributes.iter().fold(builder, |builder, (name, value)| builder.attribute(name, *value)).create()?;
    rw.result(op, 0)
}
