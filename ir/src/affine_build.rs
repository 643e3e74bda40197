//! Building affine expressions: simplified as they are made, the way MLIR does, so that equal ones are equal data.

use std::sync::Arc;

use crate::affine::{AffineExpression, AffineOperator};

use AffineExpression::{Binary, Constant};

impl AffineExpression {
    /// Dimension number `at`.
    pub fn dimension(at: u32) -> Self {
        AffineExpression::Dimension(at)
    }

    /// Symbol number `at`.
    pub fn symbol(at: u32) -> Self {
        AffineExpression::Symbol(at)
    }

    /// The expression of two sides, simplified.
    ///
    /// Multiplication expects that one side, and division and remainder that the right side,
    /// [is symbolic or constant](Self::is_symbolic_or_constant); the result is not affine otherwise.
    pub fn binary(operator: AffineOperator, left: Self, right: Self) -> Self {
        match operator {
            AffineOperator::Add => add(left, right),
            AffineOperator::Mul => multiply(left, right),
            AffineOperator::Mod => modulo(left, right),
            AffineOperator::FloorDiv | AffineOperator::CeilDiv => divide(operator, left, right),
        }
    }

    /// `-self`
    pub fn negate(self) -> Self {
        multiply(self, Constant(-1))
    }

    /// Whether no dimension occurs in it.
    pub fn is_symbolic_or_constant(&self) -> bool {
        match self {
            AffineExpression::Dimension(_) => false,
            AffineExpression::Symbol(_) | Constant(_) => true,
            Binary(_, sides) => sides.0.is_symbolic_or_constant() && sides.1.is_symbolic_or_constant(),
        }
    }

    /// How deep the tree of operators is.
    pub fn depth(&self) -> u32 {
        match self {
            Binary(_, sides) => 1 + sides.0.depth().max(sides.1.depth()),
            _ => 0,
        }
    }

    fn constant(&self) -> Option<i64> {
        match self {
            Constant(value) => Some(*value),
            _ => None,
        }
    }

    fn sides(&self, operator: AffineOperator) -> Option<&(Self, Self)> {
        match self {
            Binary(own, sides) if *own == operator => Some(sides),
            _ => None,
        }
    }

    /// The left side and the constant on the right, of that operator.
    fn with_constant(&self, operator: AffineOperator) -> Option<(&Self, i64)> {
        let sides = self.sides(operator)?;
        Some((&sides.0, sides.1.constant()?))
    }

    /// The largest number that is known to divide every value of the expression.
    fn known_divisor(&self) -> i64 {
        match self {
            AffineExpression::Dimension(_) | AffineExpression::Symbol(_) => 1,
            Constant(value) => value.wrapping_abs(),
            Binary(operator, sides) => match operator {
                AffineOperator::Mul => sides.0.known_divisor().wrapping_mul(sides.1.known_divisor()),
                AffineOperator::Add | AffineOperator::Mod => {
                    greatest_common_divisor(sides.0.known_divisor() as u64, sides.1.known_divisor() as u64) as i64
                }
                AffineOperator::FloorDiv | AffineOperator::CeilDiv => match sides.1.constant() {
                    Some(divisor) if divisor != 0 => {
                        let left = sides.0.known_divisor();
                        if left.wrapping_rem(divisor) == 0 { left.wrapping_div(divisor).wrapping_abs() } else { 1 }
                    }
                    _ => 1,
                },
            },
        }
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn binary(operator: AffineOperator, left: AffineExpression, right: AffineExpression) -> AffineExpression {
    Binary(operator, Arc::new((left, right)))
}

fn add(left: AffineExpression, right: AffineExpression) -> AffineExpression {
    simplified_sum(&left, &right).unwrap_or_else(|| binary(AffineOperator::Add, left, right))
}

fn simplified_sum(left: &AffineExpression, right: &AffineExpression) -> Option<AffineExpression> {
    if let (Constant(a), Constant(b)) = (left, right) {
        return a.checked_add(*b).map(Constant);
    }
    // Constants go to the right, and symbolic terms to the right of the others.
    let misplaced = left.is_symbolic_or_constant() && !right.is_symbolic_or_constant();
    if left.constant().is_some() || misplaced || out_of_order(left, right) {
        return Some(add(right.clone(), left.clone()));
    }
    if let Some(constant) = right.constant() {
        if constant == 0 {
            return Some(left.clone());
        }
        if let Some((inner, first)) = left.with_constant(AffineOperator::Add) {
            return Some(add(inner.clone(), Constant(first.wrapping_add(constant))));
        }
    }
    let (left_term, left_factor) = left.with_constant(AffineOperator::Mul).unwrap_or((left, 1));
    let (right_term, right_factor) = right.with_constant(AffineOperator::Mul).unwrap_or((right, 1));
    if left_term == right_term {
        return Some(multiply(left_term.clone(), Constant(left_factor.wrapping_add(right_factor))));
    }
    if let Some((inner, constant)) = left.with_constant(AffineOperator::Add) {
        return Some(add(add(inner.clone(), right.clone()), Constant(constant)));
    }
    with_quotient(left, right)
}

/// Sums with a multiple of `e floordiv q` on the right: `e - (e floordiv q) * q` is `e mod q`, and where the left side is a
/// sum, its last term may be the one to join.
fn with_quotient(left: &AffineExpression, right: &AffineExpression) -> Option<AffineExpression> {
    let right_sides = right.sides(AffineOperator::Mul)?;
    let (product, factor) = (&right_sides.0, &right_sides.1);
    if *factor == Constant(-1)
        && let Some((quotient, divisor)) = product.sides(AffineOperator::Mul).map(|sides| (&sides.0, &sides.1))
    {
        let sides = quotient.sides(AffineOperator::FloorDiv)?;
        return (sides.1 == *divisor && *left == sides.0).then(|| modulo(left.clone(), divisor.clone()));
    }
    let (dividend, divisor) = product.sides(AffineOperator::FloorDiv).map(|sides| (&sides.0, &sides.1))?;
    if left == dividend && *divisor == factor.clone().negate() {
        return Some(modulo(left.clone(), divisor.clone()));
    }
    let sides = left.sides(AffineOperator::Add)?;
    Some(add(sides.0.clone(), simplified_sum(&sides.1, right)?))
}

/// Whether two dimensions or two symbols stand in the wrong order.
fn out_of_order(left: &AffineExpression, right: &AffineExpression) -> bool {
    use AffineExpression::{Dimension, Symbol};
    match (left, right) {
        (Dimension(left), Dimension(right)) | (Symbol(left), Symbol(right)) => left > right,
        _ => false,
    }
}

fn multiply(left: AffineExpression, right: AffineExpression) -> AffineExpression {
    if let (Constant(a), Constant(b)) = (&left, &right) {
        return match a.checked_mul(*b) {
            Some(product) => Constant(product),
            None => binary(AffineOperator::Mul, left, right),
        };
    }
    let misplaced = !right.is_symbolic_or_constant() && left.is_symbolic_or_constant();
    if left.constant().is_some() || misplaced || out_of_order(&left, &right) {
        return multiply(right, left);
    }
    match right.constant() {
        Some(1) => return left,
        Some(0) => return Constant(0),
        _ => {}
    }
    if let Some((inner, first)) = left.with_constant(AffineOperator::Mul) {
        return match right {
            Constant(second) => multiply(inner.clone(), Constant(first.wrapping_mul(second))),
            right => multiply(multiply(inner.clone(), right), Constant(first)),
        };
    }
    binary(AffineOperator::Mul, left, right)
}

/// `floordiv` or `ceildiv`.
fn divide(operator: AffineOperator, left: AffineExpression, right: AffineExpression) -> AffineExpression {
    let is_ceil = operator == AffineOperator::CeilDiv;
    let divisor = match right.constant() {
        None | Some(0) => return binary(operator, left, right),
        Some(1) => return left,
        Some(divisor) => divisor,
    };
    if let Constant(value) = left {
        return match value.checked_div_euclid(divisor) {
            Some(_) => {
                let (quotient, is_exact) = (value / divisor, value % divisor == 0);
                // Where the quotient was cut off from the other side, it is the next.
                let is_below = (value < 0) != (divisor < 0);
                Constant(match is_ceil {
                    true => quotient + i64::from(!is_exact && !is_below),
                    false => quotient - i64::from(!is_exact && is_below),
                })
            }
            None => binary(operator, left, right),
        };
    }
    if let Some((inner, factor)) = left.with_constant(AffineOperator::Mul)
        && factor.checked_rem(divisor) == Some(0)
    {
        return multiply(inner.clone(), Constant(factor / divisor));
    }
    if !is_ceil
        && let Some(sides) = left.sides(AffineOperator::Add)
        && (sides.0.known_divisor().wrapping_rem(divisor) == 0 || sides.1.known_divisor().wrapping_rem(divisor) == 0)
    {
        let (a, b) = (sides.0.clone(), sides.1.clone());
        return add(divide(operator, a, Constant(divisor)), divide(operator, b, Constant(divisor)));
    }
    binary(operator, left, right)
}

fn modulo(left: AffineExpression, right: AffineExpression) -> AffineExpression {
    let divisor = match right.constant() {
        Some(divisor) if divisor >= 1 => divisor,
        _ => return binary(AffineOperator::Mod, left, right),
    };
    if let Constant(value) = left {
        return Constant(value.rem_euclid(divisor));
    }
    if left.known_divisor() % divisor == 0 {
        return Constant(0);
    }
    if let Some(sides) = left.sides(AffineOperator::Add) {
        if sides.0.known_divisor() % divisor == 0 {
            return modulo(sides.1.clone(), right);
        }
        if sides.1.known_divisor() % divisor == 0 {
            return modulo(sides.0.clone(), right);
        }
    }
    if let Some((inner, first)) = left.with_constant(AffineOperator::Mod)
        && first >= 1
        && first % divisor == 0
    {
        return modulo(inner.clone(), right);
    }
    binary(AffineOperator::Mod, left, right)
}
