//! What contractions do with elements: a product is added to what there is (`mlir/lib/Dialect/Linalg/IR/LinalgInterfaces.cpp`).

use mlirbc_ir::verify::Checker;
use mlirbc_ir::{Dialect, Error, OpId, OpRef, Result, Value};

/// The operations that are contractions.
const CONTRACTIONS: [&str; 11] = [
    "batch_matmul",
    "batch_matvec",
    "batch_mmt4d",
    "batch_reduce_matmul",
    "batch_vecmat",
    "contract",
    "dot",
    "matmul",
    "matvec",
    "mmt4d",
    "vecmat",
];

/// A product, and how it is added.
const PAIRS: [[&str; 2]; 4] = [
    ["arith.mulf", "arith.addf"],
    ["arith.muli", "arith.addi"],
    ["complex.mul", "complex.add"],
    ["arith.andi", "arith.ori"],
];

/// Attaches the rule to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    CONTRACTIONS.iter().fold(dialect, |dialect, name| dialect.verify_op(name, verify))
}

fn verify(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let body = op.body();
    let block = body.regions(op.id()).next().and_then(|region| body.first_block(region));
    match block.is_none_or(|block| contracts(op, body.arguments(block), body.last_operation(block)).is_some()) {
        true => Ok(()),
        false => Err(Error::verification("expected add/mul op in the body")),
    }
}

/// What a value comes from, behind operations that take one.
fn source(op: OpRef<'_>, mut value: Value) -> Value {
    while let Some(&[from]) = op.body().defining_operation(value).map(|from| op.body().operands(from)) {
        value = from;
    }
    value
}

/// The operation of two operands that a value comes from.
fn binary(op: OpRef<'_>, value: Value) -> Option<(OpId, [Value; 2])> {
    let from = op.body().defining_operation(value)?;
    match (op.body().operands(from), op.body().result_count(from)) {
        (&[a, b], 1) => Some((from, [source(op, a), source(op, b)])),
        _ => None,
    }
}

/// Whether a block adds the product of its first two arguments to the third.
fn contracts(op: OpRef<'_>, arguments: &[Value], end: Option<OpId>) -> Option<()> {
    let &[left, right, sum] = arguments else { return None };
    let &[yielded] = op.body().operands(end?) else { return None };
    let (added, [a, b]) = binary(op, source(op, yielded))?;
    let product = match (a == sum, b == sum) {
        (false, false) => return None,
        _ if op.body().defining_operation(a).is_none() => b,
        _ => a,
    };
    let (multiplied, sides) = binary(op, product)?;
    let names = [multiplied, added].map(|op_of| op.at(op_of).name());
    let is_known = PAIRS.iter().any(|pair| names.iter().zip(pair).all(|(name, known)| name == known));
    (is_known && (sides == [left, right] || sides == [right, left])).then_some(())
}
