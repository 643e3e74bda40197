//! Integers of any width, and the floating-point formats of MLIR.

use std::fmt;

/// An integer of a given width in bits, as a two's complement pattern: MLIR's `APInt`.
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
        let count = width.div_ceil(64) as usize;
        let mut all: Vec<u64> = words.iter().copied().take(count).collect();
        all.resize(count, 0);
        if !width.is_multiple_of(64) {
            all[count - 1] = mask(all[count - 1], width % 64);
        }
        ApInt { width, words: Words::Many(all.into()) }
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

    /// The two's complement of the value, in the same width.
    pub fn negated(&self) -> Self {
        let mut carry = true;
        let words: Vec<u64> = self
            .words()
            .iter()
            .map(|&word| {
                let (sum, over) = (!word).overflowing_add(u64::from(carry));
                carry = over;
                sum
            })
            .collect();
        Self::from_words(self.width, &words)
    }

    /// Whether the highest bit is set.
    pub fn is_negative(&self) -> bool {
        self.width > 0 && self.words()[(self.width as usize - 1) / 64] >> ((self.width - 1) % 64) & 1 == 1
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

/// The longest decimal integer, which takes time by the square of its length. Longer ones can be written in hexadecimal.
const MAX_DECIMAL_DIGITS: usize = 20_000;

/// The words of a number in decimal digits, lowest first, without zeros at the end. `None` where it is too long.
pub(crate) fn decimal_words(digits: &[u8]) -> Option<Vec<u64>> {
    let digits = &digits[digits.iter().position(|&digit| digit != b'0').unwrap_or(digits.len())..];
    if digits.len() > MAX_DECIMAL_DIGITS {
        return None;
    }
    let mut words: Vec<u64> = Vec::new();
    for chunk in digits.chunks(18) {
        let scale = 10u128.pow(chunk.len() as u32);
        let mut carry = chunk.iter().fold(0u128, |value, digit| value * 10 + u128::from(digit - b'0'));
        for word in &mut words {
            carry += u128::from(*word) * scale;
            *word = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            words.push(carry as u64);
        }
    }
    Some(words)
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

macro_rules! float_kinds {
    ($($name:ident $text:literal $width:literal,)*) => {
        /// A floating-point format of MLIR's builtin dialect.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum FloatKind { $(#[doc = concat!("`", $text, "`, ", stringify!($width), " bits.")] $name,)* }

        impl FloatKind {
            /// Every format.
            pub const ALL: &[FloatKind] = &[$(FloatKind::$name,)*];

            /// The keyword in text.
            pub fn keyword(self) -> &'static str {
                match self { $(FloatKind::$name => $text,)* }
            }

            /// Width of a value in bits.
            pub fn width(self) -> u32 {
                match self { $(FloatKind::$name => $width,)* }
            }
        }
    };
}

float_kinds! {
    BF16 "bf16" 16,
    F16 "f16" 16,
    F32 "f32" 32,
    F64 "f64" 64,
    F80 "f80" 80,
    F128 "f128" 128,
    TF32 "tf32" 19,
    F4E2M1FN "f4E2M1FN" 4,
    F6E2M3FN "f6E2M3FN" 6,
    F6E3M2FN "f6E3M2FN" 6,
    F8E3M4 "f8E3M4" 8,
    F8E4M3 "f8E4M3" 8,
    F8E4M3B11FNUZ "f8E4M3B11FNUZ" 8,
    F8E4M3FN "f8E4M3FN" 8,
    F8E4M3FNUZ "f8E4M3FNUZ" 8,
    F8E5M2 "f8E5M2" 8,
    F8E5M2FNUZ "f8E5M2FNUZ" 8,
    F8E8M0FNU "f8E8M0FNU" 8,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_their_width() {
        for (width, value) in
            [(1, -1i64), (8, -128), (32, i32::MIN.into()), (64, i64::MIN), (65, -1), (128, 5), (128, i64::MIN)]
        {
            let int = ApInt::from_i64(width, value);
            assert_eq!(int.to_i64(), Some(value), "{int:?}");
            assert_eq!(int.is_negative(), value < 0);
        }
        assert_eq!(ApInt::from_u64(0, 5).to_i64(), Some(0));
        assert_eq!(ApInt::from_words(65, &[0, 1]).to_i64(), None);
        assert_eq!(ApInt::from_words(128, &[7, 0]).to_u64(), Some(7));
        assert_eq!(ApInt::from_words(128, &[7, 1]).to_u64(), None);
    }
}
