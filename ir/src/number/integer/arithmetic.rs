//! Sums, differences and powers.

use super::ApInt;

impl ApInt {
    /// The sum, modulo 2^width.
    pub fn add(&self, other: &Self) -> Self {
        match self.small(other) {
            Some((a, b)) => Self::from_u64(self.width, a.wrapping_add(b)),
            None => self.sum(&self.fit(other), false),
        }
    }

    /// The difference, modulo 2^width.
    pub fn sub(&self, other: &Self) -> Self {
        match self.small(other) {
            Some((a, b)) => Self::from_u64(self.width, a.wrapping_sub(b)),
            None => self.sum(&self.fit(other).not(), true),
        }
    }

    fn sum(&self, other: &Self, mut carry: bool) -> Self {
        let words = self.words().iter().zip(other.words()).map(|(&a, &b)| {
            let (sum, over) = a.overflowing_add(b);
            let (sum, more) = sum.overflowing_add(u64::from(carry));
            carry = over || more;
            sum
        });
        Self::from_all_words(self.width, words.collect())
    }

    /// The sum, and whether that of the signed numbers is out of range.
    pub fn add_signed(&self, other: &Self) -> (Self, bool) {
        let (other, sum) = (self.fit(other), self.add(other));
        let over = self.is_negative() == other.is_negative() && sum.is_negative() != self.is_negative();
        (sum, over)
    }

    /// The sum, and whether that of the unsigned numbers is out of range: the carry.
    pub fn add_unsigned(&self, other: &Self) -> (Self, bool) {
        let sum = self.add(other);
        let over = sum.cmp_unsigned(self).is_lt();
        (sum, over)
    }

    /// The difference, and whether that of the signed numbers is out of range.
    pub fn sub_signed(&self, other: &Self) -> (Self, bool) {
        let (other, difference) = (self.fit(other), self.sub(other));
        let over = self.is_negative() != other.is_negative() && difference.is_negative() != self.is_negative();
        (difference, over)
    }

    /// The difference, and whether that of the unsigned numbers is out of range: the borrow.
    pub fn sub_unsigned(&self, other: &Self) -> (Self, bool) {
        let other = self.fit(other);
        (self.sub(&other), self.cmp_unsigned(&other).is_lt())
    }

    /// The two's complement of the value, in the same width. That of the lowest signed number is itself.
    pub fn negated(&self) -> Self {
        Self::zero(self.width).sub(self)
    }

    /// The signed number without its sign. That of the lowest one is itself.
    pub fn abs(&self) -> Self {
        if self.is_negative() { self.negated() } else { self.clone() }
    }

    /// The signed number to the power of a signed number, modulo 2^width, as `math.ipowi` has it: to a negative power it is a whole
    /// number only for 1 and -1, and is cut to 0 for all others.
    ///
    /// `None` for 0 to a negative power.
    pub fn pow(&self, power: &Self) -> Option<Self> {
        let one = Self::one(self.width);
        if power.is_zero() {
            return Some(one);
        }
        if power.is_negative() {
            return match () {
                () if self.is_zero() => None,
                () if self.is_one() => Some(one),
                () if !self.is_all_ones() => Some(Self::zero(self.width)),
                () => Some(if power.bit(0) { self.clone() } else { one }),
            };
        }
        let (mut result, mut square) = (one, self.clone());
        for at in 0..power.active_bits() {
            if at > 0 {
                square = square.mul(&square);
            }
            if power.bit(at) {
                result = result.mul(&square);
            }
            // What has more factors of two than bits stays 0.
            if result.is_zero() {
                break;
            }
        }
        Some(result)
    }
}
