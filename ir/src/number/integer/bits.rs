//! Single bits of integers, counts of them, shifts, and other widths.

use super::{ApInt, Words, mask, sign_extend};

impl ApInt {
    /// 0.
    pub fn zero(width: u32) -> Self {
        Self::from_u64(width, 0)
    }

    /// 1; where the width is 0, 0.
    pub fn one(width: u32) -> Self {
        Self::from_u64(width, 1)
    }

    /// All bits set: the highest unsigned number, and -1.
    pub fn all_ones(width: u32) -> Self {
        Self::from_i64(width, -1)
    }

    /// The lowest signed number: the highest bit alone.
    pub fn signed_min(width: u32) -> Self {
        Self::one(width).shl(width.saturating_sub(1))
    }

    /// The highest signed number: all bits but the highest.
    pub fn signed_max(width: u32) -> Self {
        Self::signed_min(width).not()
    }

    /// Whether it is 0, as every integer of no width is.
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Whether it is 1. Of one bit that is all ones as well.
    pub fn is_one(&self) -> bool {
        let words = self.words();
        words[0] == 1 && words[1..].iter().all(|&word| word == 0)
    }

    /// Whether all bits are set, as in an integer of no width.
    pub fn is_all_ones(&self) -> bool {
        self.count_ones() == self.width
    }

    /// Whether it is the lowest signed number. Of no width it is, as 0 is the only one.
    pub fn is_signed_min(&self) -> bool {
        self.trailing_zeros() + 1 == self.width || self.width == 0
    }

    /// Whether it is the highest signed number. Of no width it is, as 0 is the only one.
    pub fn is_signed_max(&self) -> bool {
        !self.is_negative() && self.count_ones() + 1 == self.width || self.width == 0
    }

    /// Whether the highest bit is set.
    pub fn is_negative(&self) -> bool {
        self.width > 0 && self.bit(self.width - 1)
    }

    /// Bit `at`, counted from the lowest. None is set from the width on.
    pub fn bit(&self, at: u32) -> bool {
        self.words().get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// How many bits are set.
    pub fn count_ones(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// How many zeros stand above the highest bit that is set: the width, where none is.
    pub fn leading_zeros(&self) -> u32 {
        self.width - self.active_bits()
    }

    /// How many ones stand at the top.
    pub fn leading_ones(&self) -> u32 {
        self.not().leading_zeros()
    }

    /// How many zeros stand below the lowest bit that is set: the width, where none is.
    pub fn trailing_zeros(&self) -> u32 {
        let words = self.words();
        match words.iter().position(|&word| word != 0) {
            Some(at) => at as u32 * 64 + words[at].trailing_zeros(),
            None => self.width,
        }
    }

    /// How many ones stand at the bottom.
    pub fn trailing_ones(&self) -> u32 {
        self.not().trailing_zeros()
    }

    /// The width that the value takes as an unsigned number: 0 for 0.
    pub fn active_bits(&self) -> u32 {
        let words = self.words();
        match words.iter().rposition(|&word| word != 0) {
            Some(at) => at as u32 * 64 + 64 - words[at].leading_zeros(),
            None => 0,
        }
    }

    /// All bits turned.
    pub fn not(&self) -> Self {
        match &self.words {
            Words::One(word) => Self::from_u64(self.width, !word),
            Words::Many(words) => Self::from_all_words(self.width, words.iter().map(|word| !word).collect()),
        }
    }

    /// The bits that are set in both.
    pub fn and(&self, other: &Self) -> Self {
        self.each_word(other, |a, b| a & b)
    }

    /// The bits that are set in either.
    pub fn or(&self, other: &Self) -> Self {
        self.each_word(other, |a, b| a | b)
    }

    /// The bits that are set in one and not in the other.
    pub fn xor(&self, other: &Self) -> Self {
        self.each_word(other, |a, b| a ^ b)
    }

    fn each_word(&self, other: &Self, of: impl Fn(u64, u64) -> u64) -> Self {
        if let Some((a, b)) = self.small(other) {
            return Self::from_u64(self.width, of(a, b));
        }
        let other = self.fit(other);
        let words = self.words().iter().zip(other.words()).map(|(&a, &b)| of(a, b)).collect();
        Self::from_all_words(self.width, words)
    }

    /// Shifted to the left: the low bits become 0, and what goes over the top is lost. By the width or more: 0.
    pub fn shl(&self, amount: u32) -> Self {
        if amount >= self.width {
            return Self::zero(self.width);
        }
        if let Words::One(word) = self.words {
            return Self::from_u64(self.width, word << amount);
        }
        let (whole, part) = (amount as usize / 64, amount % 64);
        let words = self.words();
        let shifted = (0..words.len()).map(|at| match at.checked_sub(whole) {
            None => 0,
            Some(0) => words[0] << part,
            Some(from) => wide(words[from - 1], words[from], 64 - part),
        });
        Self::from_all_words(self.width, shifted.collect())
    }

    /// Shifted to the right, with zeros from above. By the width or more: 0.
    pub fn lshr(&self, amount: u32) -> Self {
        self.shifted_right(amount, false)
    }

    /// Shifted to the right, with the highest bit from above. By the width or more: 0, or all ones where that bit is set.
    pub fn ashr(&self, amount: u32) -> Self {
        self.shifted_right(amount, self.is_negative())
    }

    fn shifted_right(&self, amount: u32, ones: bool) -> Self {
        if amount >= self.width {
            return if ones { Self::all_ones(self.width) } else { Self::zero(self.width) };
        }
        if let Words::One(word) = self.words {
            let word = if ones { (sign_extend(word, self.width) >> amount) as u64 } else { word >> amount };
            return Self::from_u64(self.width, word);
        }
        let fill = if ones { u64::MAX } else { 0 };
        // The bits above the width are what comes in, too.
        let mut words = self.words().to_vec();
        if let (Some(last), rest @ 1..) = (words.last_mut(), self.width % 64) {
            *last |= fill & !mask(u64::MAX, rest);
        }
        let word = |at: usize| words.get(at).copied().unwrap_or(fill);
        let (whole, part) = (amount as usize / 64, amount % 64);
        let shifted = (0..words.len()).map(|at| wide(word(at + whole), word(at + whole + 1), part));
        Self::from_all_words(self.width, shifted.collect())
    }

    /// By how much an integer of this width is shifted: the value as an unsigned number, where it is less than the width. Shifts by
    /// more have no result in MLIR.
    pub fn shift_amount(&self) -> Option<u32> {
        let amount = self.to_u64()?;
        (amount < u64::from(self.width)).then_some(amount as u32)
    }

    /// The unsigned number in another width: with zeros above, or its low bits alone.
    pub fn zext(&self, width: u32) -> Self {
        Self::from_words(width, self.words())
    }

    /// The signed number in another width: with its highest bit above, or its low bits alone.
    pub fn sext(&self, width: u32) -> Self {
        match self.words {
            Words::One(word) => Self::from_i64(width, sign_extend(word, self.width)),
            Words::Many(_) if width <= self.width || !self.is_negative() => self.zext(width),
            Words::Many(_) => self.not().zext(width).not(),
        }
    }

    /// The low bits; where `width` is no less than the width, with zeros above.
    pub fn trunc(&self, width: u32) -> Self {
        self.zext(width)
    }
}

/// 64 bits of two words, from bit `from` of the lower on; 64 of them are the higher word.
fn wide(low: u64, high: u64, from: u32) -> u64 {
    ((u128::from(high) << 64 | u128::from(low)) >> from) as u64
}
