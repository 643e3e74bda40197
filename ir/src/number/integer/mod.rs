//! Integers of any width.

mod arithmetic;
mod bits;
mod decimal;
mod division;
mod multiplication;
mod order;

use std::borrow::Cow;
use std::fmt;

pub(crate) use decimal::decimal_words;

/// An integer of a given width in bits, as a two's complement pattern: MLIR's `APInt`.
///
/// The pattern has no sign of its own: what differs between signed and unsigned numbers is an operation of either name. Operations on
/// two integers are for those of one width. Where widths differ, the second is taken to the width of the first as [`zext`](Self::zext)
/// does. Nothing here panics, also where the width is 0: such an integer is 0, and no bit of it is set.
///
/// Up to 64 bits an integer takes no memory beside itself, and operations take about as long as those on machine words. Over that,
/// multiplications and divisions take time by the square of the width: on integers of more than
/// [`QUICK_WIDTH`](Self::QUICK_WIDTH) bits a caller that is in a hurry leaves them alone.
///
/// ```
/// use mlirbc_ir::number::ApInt;
///
/// let (a, b) = (ApInt::from_i64(8, -128), ApInt::from_i64(8, 3));
/// assert_eq!(a.sub(&b).to_i64(), Some(125));
/// assert!(a.sub_signed(&b).1, "it left the range of signed numbers");
/// assert_eq!(a.div_signed(&b), Some(ApInt::from_i64(8, -42)));
/// assert_eq!(a.div_unsigned(&b), Some(ApInt::from_u64(8, 42)));
/// assert_eq!(a.sext(100).mul(&b.sext(100)).to_i64(), Some(-384));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ApInt {
    width: u32,
    words: Words,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Words {
    One(u64),
    Many(Box<[u64]>),
}

impl ApInt {
    /// Up to so many bits, multiplications and divisions take no more than about a millisecond.
    pub const QUICK_WIDTH: u32 = 1 << 16;

    /// The low `width` bits of `value`, zero-extended where `width` is over 64.
    pub fn from_u64(width: u32, value: u64) -> Self {
        if width <= 64 {
            ApInt { width, words: Words::One(mask(value, width)) }
        } else {
            Self::from_words(width, &[value])
        }
    }

    /// The low `width` bits of `value`, sign-extended where `width` is over 64.
    pub fn from_i64(width: u32, value: i64) -> Self {
        if width <= 64 {
            return Self::from_u64(width, value as u64);
        }
        let mut words = vec![if value < 0 { u64::MAX } else { 0 }; width.div_ceil(64) as usize];
        words[0] = value as u64;
        Self::from_words(width, &words)
    }

    /// The low `width` bits of `words`, lowest word first; missing words are zero.
    pub fn from_words(width: u32, words: &[u64]) -> Self {
        if width <= 64 {
            return Self::from_u64(width, words.first().copied().unwrap_or(0));
        }
        Self::from_all_words(width, words.iter().copied().take(width.div_ceil(64) as usize).collect())
    }

    /// The number of these decimal digits. `None` where something else is among them, and where the number takes more than `width`
    /// bits or 20000 digits.
    pub fn from_decimal(width: u32, digits: &[u8]) -> Option<Self> {
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let words = decimal_words(digits)?;
        let bits = words.last().map_or(0, |last| words.len() * 64 - last.leading_zeros() as usize);
        (bits <= width as usize).then(|| Self::from_words(width, &words))
    }

    /// Width in bits; 0 is possible.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bit pattern, lowest word first, zero above the width. One word where the width is 64 or less.
    pub fn words(&self) -> &[u64] {
        match &self.words {
            Words::One(word) => std::slice::from_ref(word),
            Words::Many(words) => words,
        }
    }

    /// The value read as unsigned, where it fits.
    pub fn to_u64(&self) -> Option<u64> {
        let words = self.words();
        words[1..].iter().all(|&word| word == 0).then_some(words[0])
    }

    /// The value read as two's complement, where it fits.
    pub fn to_i64(&self) -> Option<i64> {
        let words = self.words();
        if self.width <= 64 {
            return Some(sign_extend(words[0], self.width));
        }
        let low = words[0] as i64;
        let fill = if low < 0 { u64::MAX } else { 0 };
        let last = words.len() - 1;
        let rest_is_sign = words[1..last].iter().all(|&word| word == fill)
            && sign_extend(words[last], (self.width - 1) % 64 + 1) as u64 == fill;
        rest_is_sign.then_some(low)
    }

    /// The low `width` bits of `words`, as many as the width needs.
    fn from_all_words(width: u32, mut words: Vec<u64>) -> Self {
        if width <= 64 {
            return Self::from_u64(width, words.first().copied().unwrap_or(0));
        }
        words.resize(width.div_ceil(64) as usize, 0);
        if let (Some(last), rest @ 1..) = (words.last_mut(), width % 64) {
            *last = mask(*last, rest);
        }
        ApInt { width, words: Words::Many(words.into()) }
    }

    /// Both patterns, where they are of one width that is 64 or less.
    fn small(&self, other: &Self) -> Option<(u64, u64)> {
        match (&self.words, &other.words) {
            (&Words::One(a), &Words::One(b)) if self.width == other.width => Some((a, b)),
            _ => None,
        }
    }

    /// The other operand in the width of this one.
    fn fit<'a>(&self, other: &'a Self) -> Cow<'a, Self> {
        if self.width == other.width { Cow::Borrowed(other) } else { Cow::Owned(other.zext(self.width)) }
    }
}

impl fmt::Debug for ApInt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{} 0x", self.width)?;
        for word in self.words().iter().rev() {
            write!(f, "{word:016x}")?;
        }
        Ok(())
    }
}

fn mask(value: u64, width: u32) -> u64 {
    match width {
        0 => 0,
        1..64 => value & ((1 << width) - 1),
        _ => value,
    }
}

fn sign_extend(value: u64, width: u32) -> i64 {
    match width {
        0 => 0,
        1..64 => ((value << (64 - width)) as i64) >> (64 - width),
        _ => value as i64,
    }
}

#[cfg(test)]
mod tests;
