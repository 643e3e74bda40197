//! How operations of `index` fold (`IndexOps.cpp` of MLIR).
//!
//! An index has 32 bits on some targets and 64 on others. What is held has 64: an operation folds where its result on 32 bits is
//! the low half of that on 64. What is undefined on one of them stays an operation.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, Dialect, OpId, OpRef, Result, Rewriter, Type, TypeData};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use super::IndexCmpPredicate;
use super::ranges::{Range, decide};
use crate::common::cases::case_of;

/// Bits of an index, where there are most and where there are fewest.
const WIDTHS: [u32; 2] = [64, 32];

pub(super) fn attach(dialect: Dialect) -> Dialect {
    let constants = ["constant", "bool.constant"].into_iter();
    let dialect = constants
        .fold(dialect, |dialect, name| dialect.fold(name, |fold| Ok(Folded::maybe(fold.attribute("value")?))))
        .materialize(materialize);
    OPERATIONS
        .iter()
        .fold(dialect, |dialect, operation| dialect.fold(operation.0, binary))
        .fold("casts", |fold| cast(fold, ApInt::sext))
        .fold("castu", |fold| cast(fold, ApInt::zext))
        .fold("cmp", compare)
}

/// `index.bool.constant` of truth values, and `index.constant` of indices.
fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    let context = rw.context();
    let name = match (&context[value], &context[ty]) {
        (AttributeData::Integer { ty: of, .. }, _) if *of != ty => return Ok(None),
        (AttributeData::Integer { .. }, TypeData::Index) => "index.constant",
        (AttributeData::Integer { .. }, _) if ty == context.integer_type(1) => "index.bool.constant",
        _ => return Ok(None),
    };
    rw.build(name).attribute("value", value).result_type(ty).create().map(Some)
}

/// What an operation makes of two integers of one width, where that is defined.
type Compute = fn(&ApInt, &ApInt) -> Option<ApInt>;

/// The operations on two indices.
const OPERATIONS: [(&str, Compute); 20] = [
    ("add", |a, b| Some(a.add(b))),
    ("and", |a, b| Some(a.and(b))),
    ("ceildivs", |a, b| quotient(a, b, ApInt::ceil_div_signed)),
    ("ceildivu", ApInt::ceil_div_unsigned),
    ("divs", |a, b| quotient(a, b, ApInt::div_signed)),
    ("divu", ApInt::div_unsigned),
    ("floordivs", |a, b| quotient(a, b, ApInt::floor_div_signed)),
    ("maxs", |a, b| Some(a.max_signed(b))),
    ("maxu", |a, b| Some(a.max_unsigned(b))),
    ("mins", |a, b| Some(a.min_signed(b))),
    ("minu", |a, b| Some(a.min_unsigned(b))),
    ("mul", |a, b| Some(a.mul(b))),
    ("or", |a, b| Some(a.or(b))),
    ("rems", ApInt::rem_signed),
    ("remu", ApInt::rem_unsigned),
    ("shl", |a, b| Some(a.shl(amount(b)?))),
    ("shrs", |a, b| Some(a.ashr(amount(b)?))),
    ("shru", |a, b| Some(a.lshr(amount(b)?))),
    ("sub", |a, b| Some(a.sub(b))),
    ("xor", |a, b| Some(a.xor(b))),
];

/// A quotient of signed integers. That of the lowest one by -1 wraps.
fn quotient(a: &ApInt, b: &ApInt, compute: Compute) -> Option<ApInt> {
    if b.is_all_ones() { Some(a.negated()) } else { compute(a, b) }
}

/// By how much is shifted, where every target has as many bits.
fn amount(by: &ApInt) -> Option<u32> {
    by.trunc(WIDTHS[1]).shift_amount().filter(|_| by.active_bits() <= WIDTHS[1])
}

/// What the operation on indices of that name makes of two, where that is the same on all targets.
pub(super) fn computed(name: &str, a: &ApInt, b: &ApInt) -> Option<ApInt> {
    let name = name.strip_prefix("index.")?;
    let compute = OPERATIONS.iter().find(|operation| operation.0 == name)?.1;
    let [wide, narrow] = WIDTHS.map(|width| compute(&a.trunc(width), &b.trunc(width)));
    wide.filter(|wide| narrow.is_some_and(|narrow| wide.trunc(narrow.width()) == narrow))
}

/// An operation on two indices.
fn binary(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let Some(b) = fold.integer(1) else { return Ok(Folded::No) };
    let op = fold.op();
    let name = op.name();
    if let Some(value) = fold.integer(0).and_then(|a| computed(&name, &a, &b)) {
        return Ok(Folded::maybe(fold.context().numbers(fold.result_type()?, &[value]).ok()));
    }
    Ok(match &*name {
        "index.add" | "index.sub" if b.is_zero() => Folded::value(fold.operand(0)),
        "index.mul" if b.is_zero() => Folded::value(fold.operand(1)),
        "index.mul" if b.is_one() => Folded::value(fold.operand(0)),
        _ => Folded::No,
    })
}

/// A cast, which makes integers wider with `extend`, or cuts them. From an index, no more than the low half may count.
fn cast(fold: &Fold<'_, '_>, extend: fn(&ApInt, u32) -> ApInt) -> Result<Folded> {
    let Some(input) = fold.integer(0) else { return Ok(Folded::No) };
    let (context, ty) = (fold.context(), fold.result_type()?);
    let value = match context[ty] {
        TypeData::Index => extend(&input, WIDTHS[0]),
        TypeData::Integer { width, .. } => {
            let value = extend(&input, width);
            if extend(&input.trunc(WIDTHS[1]), width) != value {
                return Ok(Folded::No);
            }
            value
        }
        _ => return Ok(Folded::No),
    };
    Ok(Folded::maybe(context.numbers(ty, &[value]).ok()))
}

fn compare(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let Some(predicate) = predicate_of(fold.op())? else { return Ok(Folded::No) };
    let decided = fold.integer(1).and_then(|right| {
        let left = fold.integer(0).map_or_else(|| bounded(fold), |value| Some((Range::of as MakeRange, value)));
        let (range, value) = left?;
        let [wide, narrow] =
            WIDTHS.map(|width| decide(predicate, &range(value.trunc(width)), &Range::of(right.trunc(width))));
        wide.filter(|_| wide == narrow)
    });
    let same = || (fold.operand(0) == fold.operand(1)).then(|| holds_of_equal(predicate));
    let truth = decided.or_else(same);
    Ok(Folded::maybe(truth.map(|truth| context.integer(1, i64::from(truth)))))
}

/// The range that a number bounds.
type MakeRange = fn(ApInt) -> Range;

/// The integer that bounds the left operand, and what is in that bound.
fn bounded(fold: &Fold<'_, '_>) -> Option<(MakeRange, ApInt)> {
    let op = fold.op().defining_operation(fold.operand(0))?;
    let range: MakeRange = match &*op.name() {
        "index.maxs" => Range::from_signed,
        "index.maxu" => Range::from_unsigned,
        "index.mins" => Range::to_signed,
        "index.minu" => Range::to_unsigned,
        _ => return None,
    };
    let bound = op.defining_operation(*op.operands().get(1)?)?;
    let bound = mlirbc_ir::constant_value(bound).ok().flatten()?;
    Some((range, fold.context().integer_of(bound)?))
}

/// The predicate of an `index.cmp`; `None` where it has none.
///
/// # Errors
/// Where its attributes cannot be read.
pub fn predicate_of(op: OpRef<'_>) -> Result<Option<IndexCmpPredicate>> {
    let predicate = op.attribute("pred")?;
    Ok(predicate.and_then(|predicate| case_of(op.module().context(), predicate, "index", "cmp_predicate")))
}

fn holds_of_equal(predicate: IndexCmpPredicate) -> bool {
    use IndexCmpPredicate::{EQ, SGE, SLE, UGE, ULE};
    matches!(predicate, EQ | SGE | SLE | UGE | ULE)
}
