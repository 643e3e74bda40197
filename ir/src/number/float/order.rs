//! Comparisons.

use std::cmp::Ordering;

use super::ApFloat;

impl ApFloat {
    /// How the two numbers compare; 0 and -0 are equal. `None` where either is NaN: the predicates of `arith.cmpf` that begin with `o`
    /// are false then, and those with `u` true.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        let other = if self.kind == other.kind { other } else { other.convert(self.kind, Default::default()).value };
        if self.is_nan() || other.is_nan() {
            return None;
        }
        // Magnitudes are ordered as their patterns are.
        let key = |number: Self| {
            let magnitude = number.magnitude().pattern;
            let negative = number.is_negative() && !number.is_zero();
            (!negative, if negative { !magnitude } else { magnitude })
        };
        Some(key(self).cmp(&key(other)))
    }

    /// The lower one, -0 below 0. The other one where either is NaN, but a signaling NaN is the result, made quiet: `arith.minnumf`.
    pub fn minnum(self, other: Self) -> Self {
        self.number_of(other).unwrap_or_else(|| self.lower(other))
    }

    /// The higher one, 0 above -0. The other one where either is NaN, but a signaling NaN is the result, made quiet: `arith.maxnumf`.
    pub fn maxnum(self, other: Self) -> Self {
        self.number_of(other).unwrap_or_else(|| self.higher(other))
    }

    /// The lower one, -0 below 0. NaN where either is: `arith.minimumf`.
    pub fn minimum(self, other: Self) -> Self {
        self.nan_of(other).unwrap_or_else(|| self.lower(other))
    }

    /// The higher one, 0 above -0. NaN where either is: `arith.maximumf`.
    pub fn maximum(self, other: Self) -> Self {
        self.nan_of(other).unwrap_or_else(|| self.higher(other))
    }

    /// What is left of the two where one is NaN.
    fn number_of(self, other: Self) -> Option<Self> {
        match (self.is_nan(), other.is_nan()) {
            _ if self.is_signaling() => Some(self.quiet()),
            _ if other.is_signaling() => Some(other.quiet()),
            (true, _) => Some(other),
            (false, true) => Some(self),
            _ => None,
        }
    }

    fn lower(self, other: Self) -> Self {
        let zeros = self.is_zero() && other.is_zero();
        let this = if zeros { self.is_negative() } else { self.compare(other).is_some_and(Ordering::is_le) };
        if this { self } else { other }
    }

    fn higher(self, other: Self) -> Self {
        let zeros = self.is_zero() && other.is_zero();
        let this = if zeros { !self.is_negative() } else { self.compare(other).is_some_and(Ordering::is_ge) };
        if this { self } else { other }
    }
}
