//! Products.

use super::{ApInt, sign_extend};

impl ApInt {
    /// The product, modulo 2^width.
    pub fn mul(&self, other: &Self) -> Self {
        match self.small(other) {
            Some((a, b)) => Self::from_u64(self.width, a.wrapping_mul(b)),
            None => {
                let other = self.fit(other);
                Self::from_all_words(self.width, multiply(self.words(), other.words(), self.words().len()))
            }
        }
    }

    /// The product, and whether that of the signed numbers is out of range.
    pub fn mul_signed(&self, other: &Self) -> (Self, bool) {
        let (product, high) = (self.mul(other), self.mul_high_signed(other));
        // In range, all bits above are that of the sign.
        let over = if product.is_negative() { !high.is_all_ones() } else { !high.is_zero() };
        (product, over)
    }

    /// The product, and whether that of the unsigned numbers is out of range.
    pub fn mul_unsigned(&self, other: &Self) -> (Self, bool) {
        (self.mul(other), !self.mul_high_unsigned(other).is_zero())
    }

    /// The high half of the product of the unsigned numbers in twice the width.
    pub fn mul_high_unsigned(&self, other: &Self) -> Self {
        if let Some((a, b)) = self.small(other) {
            return Self::from_u64(self.width, ((u128::from(a) * u128::from(b)) >> self.width) as u64);
        }
        let other = self.fit(other);
        let product = multiply(self.words(), other.words(), self.words().len() * 2);
        let (whole, part) = (self.width as usize / 64, self.width % 64);
        let word = |at: usize| u128::from(product.get(at).copied().unwrap_or(0));
        let high = (whole..product.len()).map(|at| ((word(at + 1) << 64 | word(at)) >> part) as u64);
        Self::from_all_words(self.width, high.collect())
    }

    /// The high half of the product of the signed numbers in twice the width.
    pub fn mul_high_signed(&self, other: &Self) -> Self {
        if let Some((a, b)) = self.small(other) {
            let product = i128::from(sign_extend(a, self.width)) * i128::from(sign_extend(b, self.width));
            return Self::from_u64(self.width, (product >> self.width) as u64);
        }
        // A negative number is 2^width less than its pattern.
        let other = self.fit(other);
        let mut high = self.mul_high_unsigned(&other);
        if self.is_negative() {
            high = high.sub(&other);
        }
        if other.is_negative() {
            high = high.sub(self);
        }
        high
    }
}

/// The low `count` words of a product, which is 0 from its end on.
fn multiply(a: &[u64], b: &[u64], count: usize) -> Vec<u64> {
    let used = |words: &[u64]| words.iter().rposition(|&word| word != 0).map_or(0, |at| at + 1);
    let (a, b) = (&a[..used(a)], &b[..used(b)]);
    let mut product = vec![0; count];
    for (at, &factor) in a.iter().enumerate().filter(|&(at, &factor)| at < count && factor != 0) {
        let mut carry = 0u128;
        let places = &mut product[at..];
        let fitting = b.len().min(places.len());
        for (place, &word) in places.iter_mut().zip(b) {
            carry += u128::from(factor) * u128::from(word) + u128::from(*place);
            *place = carry as u64;
            carry >>= 64;
        }
        if let Some(place) = places.get_mut(fitting) {
            *place = carry as u64;
        }
    }
    product
}
