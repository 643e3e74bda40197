//! Natural numbers of 256 bits: products of two significands.

use std::cmp::Ordering;

/// `high * 2^128 + low`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    pub(super) fn from(value: u128) -> Wide {
        Wide { high: 0, low: value }
    }

    pub(super) fn product(a: u128, b: u128) -> Wide {
        let half = |value: u128| (value >> 64, value & u128::from(u64::MAX));
        let ((a1, a0), (b1, b0)) = (half(a), half(b));
        let middle = a1 * b0 + ((a0 * b0) >> 64);
        let (top, below) = half(middle);
        let cross = a0 * b1 + below;
        Wide { high: a1 * b1 + top + (cross >> 64), low: a.wrapping_mul(b) }
    }

    pub(super) fn leading_zeros(self) -> u32 {
        if self.high != 0 { self.high.leading_zeros() } else { 128 + self.low.leading_zeros() }
    }

    /// Shifted to the left by less than 256.
    pub(super) fn shl(self, count: u32) -> Wide {
        match count {
            0 => self,
            1..128 => Wide { high: self.high << count | self.low >> (128 - count), low: self.low << count },
            _ => Wide { high: self.low << (count - 128), low: 0 },
        }
    }

    /// Shifted to the right, and whether bits that were set are lost.
    pub(super) fn shr(self, count: u32) -> (Wide, bool) {
        let shifted = match count {
            0 => self,
            1..128 => Wide { high: self.high >> count, low: self.low >> count | self.high << (128 - count) },
            128..256 => Wide { high: 0, low: self.high >> (count - 128) },
            _ => return (Wide::from(0), self != Wide::from(0)),
        };
        (shifted, shifted.shl(count) != self)
    }

    /// The sum, which has to fit.
    pub(super) fn add(self, other: Wide) -> Wide {
        let (low, carry) = self.low.overflowing_add(other.low);
        Wide { high: self.high.wrapping_add(other.high).wrapping_add(u128::from(carry)), low }
    }

    /// The difference to what is no higher.
    pub(super) fn sub(self, other: Wide) -> Wide {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Wide { high: self.high.wrapping_sub(other.high).wrapping_sub(u128::from(borrow)), low }
    }

    /// The high half, with its highest bit set, how far the number was shifted to the left for that, and whether bits are set below.
    /// `None` for 0.
    pub(super) fn top(self) -> Option<(u128, u32, bool)> {
        if self.cmp(&Wide::from(0)) == Ordering::Equal {
            return None;
        }
        let shift = self.leading_zeros();
        let Wide { high, low } = self.shl(shift);
        Some((high, shift, low != 0))
    }
}
