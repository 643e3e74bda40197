//! Affine expressions, maps and integer sets.

use std::sync::Arc;

/// The operator of a binary affine expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AffineOperator {
    /// `a + b`
    Add,
    /// `a * b`
    Mul,
    /// `a mod b`
    Mod,
    /// `a floordiv b`
    FloorDiv,
    /// `a ceildiv b`
    CeilDiv,
}

/// An affine expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AffineExpression {
    /// `d0`
    Dimension(u32),
    /// `s0`
    Symbol(u32),
    /// `42`
    Constant(i64),
    /// `a + b` and its kin
    Binary(AffineOperator, Arc<(AffineExpression, AffineExpression)>),
}

/// `(d0, d1)[s0] -> (d0 + s0, d1)`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct AffineMap {
    /// Number of dimensions.
    pub dimensions: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// The results.
    pub results: Box<[AffineExpression]>,
}

impl AffineMap {
    /// The map that gives back its `dimensions` arguments.
    pub fn identity(dimensions: u32) -> Self {
        AffineMap { dimensions, symbols: 0, results: (0..dimensions).map(AffineExpression::Dimension).collect() }
    }

    /// Whether this is [`AffineMap::identity`].
    pub fn is_identity(&self) -> bool {
        self.symbols == 0
            && self.results.len() == self.dimensions as usize
            && self.results.iter().zip(0..).all(|(result, at)| *result == AffineExpression::Dimension(at))
    }
}

/// `(d0)[s0] : (d0 - s0 >= 0, d0 == 0)`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerSet {
    /// Number of dimensions.
    pub dimensions: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// Each an expression and whether it must be equal to 0 (else at least 0).
    pub constraints: Box<[(AffineExpression, bool)]>,
}
