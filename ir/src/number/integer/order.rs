//! Comparisons.

use std::cmp::Ordering;

use super::ApInt;

impl ApInt {
    /// How the two compare as unsigned numbers.
    pub fn cmp_unsigned(&self, other: &Self) -> Ordering {
        match self.small(other) {
            Some((a, b)) => a.cmp(&b),
            // All of one width have as many words.
            None => self.words().iter().rev().cmp(self.fit(other).words().iter().rev()),
        }
    }

    /// How the two compare as signed numbers.
    pub fn cmp_signed(&self, other: &Self) -> Ordering {
        let other = self.fit(other);
        other.is_negative().cmp(&self.is_negative()).then_with(|| self.cmp_unsigned(&other))
    }

    /// The lower of two unsigned numbers.
    pub fn min_unsigned(&self, other: &Self) -> Self {
        self.pick(other, self.cmp_unsigned(other).is_le())
    }

    /// The higher of two unsigned numbers.
    pub fn max_unsigned(&self, other: &Self) -> Self {
        self.pick(other, self.cmp_unsigned(other).is_ge())
    }

    /// The lower of two signed numbers.
    pub fn min_signed(&self, other: &Self) -> Self {
        self.pick(other, self.cmp_signed(other).is_le())
    }

    /// The higher of two signed numbers.
    pub fn max_signed(&self, other: &Self) -> Self {
        self.pick(other, self.cmp_signed(other).is_ge())
    }

    fn pick(&self, other: &Self, this: bool) -> Self {
        if this { self.clone() } else { self.fit(other).into_owned() }
    }
}
