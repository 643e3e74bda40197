//! Quotients and remainders.

use super::{ApInt, Words, sign_extend};

impl ApInt {
    /// The quotient of the unsigned numbers, cut to a whole one. `None` where `other` is 0.
    pub fn div_unsigned(&self, other: &Self) -> Option<Self> {
        Some(self.divided(other)?.0)
    }

    /// What is left of the unsigned number. `None` where `other` is 0.
    pub fn rem_unsigned(&self, other: &Self) -> Option<Self> {
        Some(self.divided(other)?.1)
    }

    /// The quotient of the unsigned numbers, up to the next whole one. `None` where `other` is 0.
    pub fn ceil_div_unsigned(&self, other: &Self) -> Option<Self> {
        let (quotient, rest) = self.divided(other)?;
        Some(if rest.is_zero() { quotient } else { quotient.add(&Self::one(self.width)) })
    }

    /// The quotient of the signed numbers, cut to a whole one. `None` where `other` is 0, and where the quotient is out of range: the
    /// lowest number by -1.
    pub fn div_signed(&self, other: &Self) -> Option<Self> {
        Some(self.divided_signed(other)?.0)
    }

    /// What is left of the signed number, with its sign. `None` where `other` is 0.
    pub fn rem_signed(&self, other: &Self) -> Option<Self> {
        let other = self.fit(other);
        // No quotient is in range for the lowest number, but nothing is left of it either.
        if other.is_all_ones() && !other.is_zero() {
            return Some(Self::zero(self.width));
        }
        Some(self.divided_signed(&other)?.1)
    }

    /// The quotient of the signed numbers, up to the next whole one. `None` as for [`div_signed`](Self::div_signed).
    pub fn ceil_div_signed(&self, other: &Self) -> Option<Self> {
        let (quotient, rest) = self.divided_signed(other)?;
        let up = !rest.is_zero() && self.is_negative() == self.fit(other).is_negative();
        Some(if up { quotient.add(&Self::one(self.width)) } else { quotient })
    }

    /// The quotient of the signed numbers, down to the next whole one. `None` as for [`div_signed`](Self::div_signed).
    pub fn floor_div_signed(&self, other: &Self) -> Option<Self> {
        let (quotient, rest) = self.divided_signed(other)?;
        let down = !rest.is_zero() && self.is_negative() != self.fit(other).is_negative();
        Some(if down { quotient.sub(&Self::one(self.width)) } else { quotient })
    }

    fn divided(&self, other: &Self) -> Option<(Self, Self)> {
        let width = self.width;
        if let Some((a, b)) = self.small(other) {
            return Some((Self::from_u64(width, a.checked_div(b)?), Self::from_u64(width, a.checked_rem(b)?)));
        }
        let (quotient, rest) = divide(self.words(), self.fit(other).words())?;
        Some((Self::from_all_words(width, quotient), Self::from_all_words(width, rest)))
    }

    fn divided_signed(&self, other: &Self) -> Option<(Self, Self)> {
        let other = self.fit(other);
        if self.is_signed_min() && other.is_all_ones() {
            return None;
        }
        if let (&Words::One(a), &Words::One(b)) = (&self.words, &other.words) {
            let (a, b) = (sign_extend(a, self.width), sign_extend(b, self.width));
            let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
            return Some((Self::from_i64(self.width, quotient), Self::from_i64(self.width, rest)));
        }
        let (mut quotient, mut rest) = self.abs().divided(&other.abs())?;
        if self.is_negative() != other.is_negative() {
            quotient = quotient.negated();
        }
        if self.is_negative() {
            rest = rest.negated();
        }
        Some((quotient, rest))
    }
}

/// Quotient and remainder of unsigned numbers, lowest word first: long division with words for digits. `None` by 0.
fn divide(a: &[u64], b: &[u64]) -> Option<(Vec<u64>, Vec<u64>)> {
    let b = &b[..=b.iter().rposition(|&word| word != 0)?];
    let highest = *b.last()?;
    if let &[divisor] = b {
        return Some(divide_by_word(a, divisor));
    }
    if a.len() < b.len() {
        return Some((Vec::new(), a.to_vec()));
    }
    // With the highest bit of the divisor set, a digit guessed by two words of the dividend and one of the divisor is at most
    // two too high.
    let shift = highest.leading_zeros();
    let divisor = shifted(b, shift);
    let mut rest = shifted(a, shift);
    let count = b.len();
    let (top, next) = (u128::from(divisor[count - 1]), u128::from(divisor[count - 2]));
    let mut quotient = vec![0; a.len() - count + 1];
    for at in (0..quotient.len()).rev() {
        let part = &mut rest[at..=at + count];
        let high = u128::from(part[count]) << 64 | u128::from(part[count - 1]);
        let (mut digit, mut left) = (high / top, high % top);
        while digit >> 64 != 0 || digit * next > (left << 64 | u128::from(part[count - 2])) {
            digit -= 1;
            left += top;
            if left >> 64 != 0 {
                break;
            }
        }
        if subtract_product(part, &divisor[..count], digit as u64) {
            digit -= 1;
            add_back(part, &divisor[..count]);
        }
        quotient[at] = digit as u64;
    }
    rest.truncate(count + 1);
    let remainder = (0..count).map(|at| ((u128::from(rest[at + 1]) << 64 | u128::from(rest[at])) >> shift) as u64);
    Some((quotient, remainder.collect()))
}

fn divide_by_word(a: &[u64], divisor: u64) -> (Vec<u64>, Vec<u64>) {
    let mut rest = 0u128;
    let mut quotient = a.to_vec();
    for word in quotient.iter_mut().rev() {
        rest = rest << 64 | u128::from(*word);
        *word = (rest / u128::from(divisor)) as u64;
        rest %= u128::from(divisor);
    }
    (quotient, vec![rest as u64])
}

/// The words shifted to the left by less than a word, in one more.
fn shifted(words: &[u64], shift: u32) -> Vec<u64> {
    let mut carry = 0;
    let mut all: Vec<u64> = words
        .iter()
        .map(|&word| {
            let wide = u128::from(word) << shift | u128::from(carry);
            carry = (wide >> 64) as u64;
            wide as u64
        })
        .collect();
    all.push(carry);
    all
}

/// Subtracts `divisor * digit`. Whether the difference is below 0, and wrapped.
fn subtract_product(part: &mut [u64], divisor: &[u64], digit: u64) -> bool {
    let mut carry = 0u128;
    let mut borrow = false;
    for (at, place) in part.iter_mut().enumerate() {
        carry += u128::from(divisor.get(at).copied().unwrap_or(0)) * u128::from(digit);
        let (less, under) = place.overflowing_sub(carry as u64);
        let (less, more) = less.overflowing_sub(u64::from(borrow));
        (*place, borrow) = (less, under || more);
        carry >>= 64;
    }
    borrow
}

fn add_back(part: &mut [u64], divisor: &[u64]) {
    let mut carry = false;
    for (at, place) in part.iter_mut().enumerate() {
        let (sum, over) = place.overflowing_add(divisor.get(at).copied().unwrap_or(0));
        let (sum, more) = sum.overflowing_add(u64::from(carry));
        (*place, carry) = (sum, over || more);
    }
}
