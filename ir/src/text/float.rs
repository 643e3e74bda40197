//! Floating-point values as text: the decimal forms that MLIR prints, and rounding of doubles to MLIR's formats.

use crate::number::{ApInt, FloatKind};

/// What the bit patterns without a finite value mean.
#[derive(Clone, Copy, PartialEq)]
enum Special {
    /// Highest exponent: infinity and NaN.
    Ieee,
    /// Exponent and fraction all ones: NaN. No infinity.
    AllOnes,
    /// Minus zero: NaN. No infinity.
    MinusZero,
    /// Neither infinity nor NaN.
    Finite,
}

struct Format {
    /// Bits of the significand, with the implicit one.
    precision: i32,
    /// Lowest exponent of a normal number.
    lowest: i32,
    /// Highest exponent of a finite number.
    highest: i32,
    special: Special,
}

fn format(kind: FloatKind) -> Format {
    let (precision, lowest, highest, special) = match kind {
        FloatKind::BF16 => (8, -126, 127, Special::Ieee),
        FloatKind::F16 => (11, -14, 15, Special::Ieee),
        FloatKind::F32 => (24, -126, 127, Special::Ieee),
        FloatKind::F64 => (53, -1022, 1023, Special::Ieee),
        FloatKind::F80 => (64, -16382, 16383, Special::Ieee),
        FloatKind::F128 => (113, -16382, 16383, Special::Ieee),
        FloatKind::TF32 => (11, -126, 127, Special::Ieee),
        FloatKind::F4E2M1FN => (2, 0, 2, Special::Finite),
        FloatKind::F6E2M3FN => (4, 0, 2, Special::Finite),
        FloatKind::F6E3M2FN => (3, -2, 4, Special::Finite),
        FloatKind::F8E3M4 => (5, -2, 3, Special::Ieee),
        FloatKind::F8E4M3 => (4, -6, 7, Special::Ieee),
        FloatKind::F8E4M3B11FNUZ => (4, -10, 4, Special::MinusZero),
        FloatKind::F8E4M3FN => (4, -6, 8, Special::AllOnes),
        FloatKind::F8E4M3FNUZ => (4, -7, 7, Special::MinusZero),
        FloatKind::F8E5M2 => (3, -14, 15, Special::Ieee),
        FloatKind::F8E5M2FNUZ => (3, -15, 15, Special::MinusZero),
        FloatKind::F8E8M0FNU => (1, -127, 127, Special::AllOnes),
    };
    Format { precision, lowest, highest, special }
}

fn low_bits(count: u32) -> u128 {
    if count >= 128 { u128::MAX } else { (1 << count) - 1 }
}

fn pattern(bits: &ApInt) -> u128 {
    let words = bits.words();
    u128::from(words[0]) | words.get(1).map_or(0, |&word| u128::from(word) << 64)
}

fn from_pattern(kind: FloatKind, pattern: u128) -> ApInt {
    ApInt::from_words(kind.width(), &[pattern as u64, (pattern >> 64) as u64])
}

/// The value of a pattern as a double, where it is finite and a double holds it exactly.
pub fn to_double(kind: FloatKind, bits: &ApInt) -> Option<f64> {
    let bits = pattern(bits);
    match kind {
        FloatKind::F64 => return Some(f64::from_bits(bits as u64)).filter(|value| value.is_finite()),
        FloatKind::F32 => return Some(f64::from(f32::from_bits(bits as u32))).filter(|value| value.is_finite()),
        FloatKind::F8E8M0FNU => return (bits < 0xff).then(|| 2f64.powi(bits as i32 - 127)),
        _ => {}
    }
    let Format { precision, lowest, highest, special } = format(kind);
    // The 80-bit format alone stores the leading one.
    let stored = if kind == FloatKind::F80 { precision as u32 } else { precision as u32 - 1 };
    let fraction = bits & low_bits(stored);
    let exponent = ((bits >> stored) & low_bits(kind.width() - 1 - stored)) as i32;
    let negative = bits >> (kind.width() - 1) & 1 == 1;
    let top = exponent == low_bits(kind.width() - 1 - stored) as i32;
    match special {
        Special::Ieee if exponent == highest - lowest + 2 => return None,
        Special::AllOnes if top && fraction == low_bits(stored) => return None,
        Special::MinusZero if negative && exponent == 0 && fraction == 0 => return None,
        _ => {}
    }
    let significand = match kind {
        // What no processor would make is kept as it is.
        FloatKind::F80 if (fraction >> 63 == 1) != (exponent != 0) => return None,
        FloatKind::F80 => fraction,
        _ if exponent == 0 => fraction,
        _ => fraction | 1 << stored,
    };
    let value = exact_double(significand, exponent.max(1) - 1 + lowest - (precision - 1))?;
    Some(if negative { -value } else { value })
}

/// The smallest positive and the largest finite value, as doubles: 0 and infinity where these are beyond doubles.
pub fn range(kind: FloatKind) -> (f64, f64) {
    let Format { precision, lowest, highest, special } = format(kind);
    let last = match special {
        Special::AllOnes if precision > 1 => 2,
        _ => 1,
    };
    let smallest = exact_double(1, lowest - precision + 1).unwrap_or(0.0);
    let largest = exact_double((1 << precision) - last, highest - precision + 1).unwrap_or(f64::INFINITY);
    (smallest, largest)
}

/// `significand * 2^exponent`, where a double holds it.
fn exact_double(significand: u128, exponent: i32) -> Option<f64> {
    if significand == 0 {
        return Some(0.0);
    }
    let zeros = significand.trailing_zeros();
    let (odd, exponent) = (significand >> zeros, exponent + zeros as i32);
    let length = 128 - odd.leading_zeros() as i32;
    let top = exponent + length - 1;
    if length > 53 || exponent < -1074 || top > 1023 {
        return None;
    }
    let odd = odd as u64;
    Some(if top < -1022 {
        f64::from_bits(odd << (exponent + 1074))
    } else {
        let fraction = (odd << (53 - length)) & ((1 << 52) - 1);
        f64::from_bits(((top + 1023) as u64) << 52 | fraction)
    })
}

/// The pattern of the value nearest to `value` (ties to even), as MLIR rounds a literal. `None` for a negative value of a
/// format without a sign.
pub fn from_double(kind: FloatKind, value: f64) -> Option<ApInt> {
    let Format { precision, lowest, highest, special } = format(kind);
    let width = kind.width();
    let negative = value.is_sign_negative();
    if kind == FloatKind::F8E8M0FNU && negative {
        return None;
    }
    let sign = if negative { 1u128 << (width - 1) } else { 0 };
    let stored = if kind == FloatKind::F80 { precision as u32 } else { precision as u32 - 1 };
    let overflow = || match special {
        Special::Ieee if kind == FloatKind::F80 => sign | 0x7fff << 64 | 1 << 63,
        Special::Ieee => sign | ((highest - lowest + 2) as u128) << stored,
        Special::AllOnes if kind == FloatKind::F8E8M0FNU => 0xff,
        Special::AllOnes => sign | low_bits(width - 1),
        Special::MinusZero => 1 << (width - 1),
        Special::Finite => sign | low_bits(width - 1),
    };
    if !value.is_finite() {
        return Some(from_pattern(kind, overflow()));
    }
    let raw = value.to_bits();
    let field = (raw >> 52 & 0x7ff) as i32;
    let fraction = raw & ((1 << 52) - 1);
    let (mut significand, mut exponent) =
        if field == 0 { (u128::from(fraction), -1074) } else { (u128::from(fraction | 1 << 52), field - 1075) };
    if significand != 0 {
        // Make room for the widest format, so that only rounding to the right remains.
        let shift = significand.leading_zeros() - 1;
        significand <<= shift;
        exponent -= shift as i32;
        let quantum = (exponent + 127 - precision).max(lowest - precision + 1);
        let drop = quantum - exponent;
        significand = match drop {
            ..=0 => significand,
            1..=127 => {
                let half = 1u128 << (drop - 1);
                let (kept, rest) = (significand >> drop, significand & low_bits(drop as u32));
                kept + u128::from(rest > half || rest == half && kept & 1 == 1)
            }
            _ => 0,
        };
        exponent = quantum;
        if significand >> precision != 0 {
            significand >>= 1;
            exponent += 1;
        }
    }
    if significand == 0 {
        let zero = if special == Special::MinusZero || kind == FloatKind::F8E8M0FNU { 0 } else { sign };
        return Some(from_pattern(kind, zero));
    }
    if exponent + precision - 1 > highest {
        return Some(from_pattern(kind, overflow()));
    }
    let normal = significand >> (precision - 1) != 0;
    let unbiased = exponent + precision - 1 - lowest;
    let field = match kind {
        FloatKind::F8E8M0FNU => unbiased,
        _ => unbiased + i32::from(normal),
    };
    let fraction = if stored == precision as u32 { significand } else { significand & low_bits(stored) };
    Some(from_pattern(kind, sign | (field as u128) << stored | fraction))
}

/// Appends the text of a value. Returns whether it is the hexadecimal form, which shows the bits.
pub fn print(out: &mut Vec<u8>, kind: FloatKind, bits: &ApInt) -> bool {
    // What a double cannot hold would be read back as another value, since text is read through doubles.
    let Some(value) = to_double(kind, bits) else {
        out.extend_from_slice(format!("0x{:X}", pattern(bits)).as_bytes());
        return true;
    };
    let start = out.len();
    if value.is_sign_negative() {
        out.push(b'-');
    }
    if value == 0.0 {
        out.extend_from_slice(b"0.000000e+00");
        return false;
    }
    let magnitude = value.abs();
    let digits = Decimal::of(magnitude, 6);
    digits.print_scientific(out, Some(6), b'e');
    if reads_back(kind, bits, magnitude, out, start) {
        return false;
    }
    out.truncate(start + usize::from(value.is_sign_negative()));
    let precision = 2 + format(kind).precision as usize * 59 / 196;
    let digits = Decimal::of(magnitude, precision);
    if digits.print_plain(out, precision) {
        return false;
    }
    out.truncate(start);
    out.extend_from_slice(format!("0x{:X}", pattern(bits)).as_bytes());
    true
}

fn reads_back(kind: FloatKind, bits: &ApInt, magnitude: f64, out: &[u8], start: usize) -> bool {
    let Ok(text) = std::str::from_utf8(&out[start..]) else { return false };
    match kind {
        FloatKind::F32 => text.parse::<f32>().is_ok_and(|read| read.to_bits() == pattern(bits) as u32),
        // These have more digits than any double needs: only an exact decimal gives the value back.
        FloatKind::F80 | FloatKind::F128 => Decimal::of(magnitude, 800).digits.len() <= 6,
        _ => text.parse().is_ok_and(|read| from_double(kind, read).as_ref() == Some(bits)),
    }
}

/// `0.digits * 10^(exponent + digits.len())`: decimal digits, the most significant first, and the exponent of the last.
struct Decimal {
    digits: Vec<u8>,
    exponent: i32,
}

/// Enough for the widest exact value: 53 bits times 5^1074.
const LIMBS: usize = 40;
const TEN_19: u64 = 10_000_000_000_000_000_000;

impl Decimal {
    /// The digits of a positive value, cut to `precision` the way MLIR does: first as a binary number, by powers of ten that
    /// leave at least as many bits as so many digits need, then by rounding half up.
    fn of(value: f64, precision: usize) -> Decimal {
        let raw = value.to_bits();
        let field = (raw >> 52) as i32;
        let fraction = raw & ((1 << 52) - 1);
        let (significand, binary) = if field == 0 { (fraction, -1074) } else { (fraction | 1 << 52, field - 1075) };
        let zeros = significand.trailing_zeros();
        let mut number = Big::from(significand >> zeros);
        let binary = binary + zeros as i32;
        let mut exponent = 0;
        if binary >= 0 {
            number.shift_left(binary as usize);
        } else {
            let mut fives = -binary;
            while fives > 0 {
                let step = fives.min(27);
                number.multiply(5u64.pow(step as u32));
                fives -= step;
            }
            exponent = binary;
        }
        let needed = (precision * 196).div_ceil(59);
        let mut tens = number.bits().saturating_sub(needed) * 59 / 196;
        exponent += tens as i32;
        while tens > 0 {
            let step = tens.min(19);
            number.divide(10u64.pow(step as u32));
            tens -= step;
        }
        let mut digits = number.into_digits();
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        if digits.len() > precision {
            exponent += (digits.len() - precision) as i32;
            let up = digits[precision] >= 5;
            digits.truncate(precision);
            if up {
                while digits.last() == Some(&9) {
                    digits.pop();
                    exponent += 1;
                }
                match digits.last_mut() {
                    Some(last) => *last += 1,
                    None => digits.push(1),
                }
            }
            while digits.last() == Some(&0) {
                digits.pop();
                exponent += 1;
            }
        }
        Decimal { digits, exponent }
    }

    /// `d.ddde+dd`; with `fill`, zeros up to so many digits after the point and two digits of exponent.
    fn print_scientific(&self, out: &mut Vec<u8>, fill: Option<usize>, mark: u8) {
        out.push(b'0' + self.digits[0]);
        out.push(b'.');
        let rest = &self.digits[1..];
        out.extend(rest.iter().map(|digit| b'0' + digit));
        match fill {
            Some(fill) => out.extend(std::iter::repeat_n(b'0', fill.saturating_sub(rest.len()))),
            None if rest.is_empty() => out.push(b'0'),
            None => {}
        }
        out.push(mark);
        let exponent = self.exponent + rest.len() as i32;
        out.push(if exponent < 0 { b'-' } else { b'+' });
        let magnitude = exponent.unsigned_abs();
        if fill.is_some() && magnitude < 10 {
            out.push(b'0');
        }
        out.extend_from_slice(magnitude.to_string().as_bytes());
    }

    /// The form with a plain point for numbers of middling size. False, with nothing of use printed, for a number that
    /// would have no point.
    fn print_plain(&self, out: &mut Vec<u8>, precision: usize) -> bool {
        let count = self.digits.len() as i32;
        // The exponent of the first digit.
        let first = self.exponent + count - 1;
        let scientific =
            if self.exponent >= 0 { self.exponent > 3 || count + self.exponent > precision as i32 } else { first < -3 };
        if scientific {
            self.print_scientific(out, None, b'E');
            return true;
        }
        if self.exponent >= 0 {
            return false;
        }
        let text = self.digits.iter().map(|digit| b'0' + digit);
        if first >= 0 {
            let whole = first as usize + 1;
            out.extend(text.clone().take(whole));
            out.push(b'.');
            out.extend(text.skip(whole));
        } else {
            out.extend_from_slice(b"0.");
            out.extend(std::iter::repeat_n(b'0', (-first - 1) as usize));
            out.extend(text);
        }
        true
    }
}

/// A natural number of bounded size.
struct Big {
    limbs: [u64; LIMBS],
    used: usize,
}

impl Big {
    fn from(value: u64) -> Big {
        let mut limbs = [0; LIMBS];
        limbs[0] = value;
        Big { limbs, used: 1 }
    }

    fn shift_left(&mut self, count: usize) {
        let (words, bits) = (count / 64, count % 64);
        let value = u128::from(self.limbs[0]) << bits;
        self.limbs[0] = 0;
        self.limbs[words] = value as u64;
        self.limbs[words + 1] = (value >> 64) as u64;
        self.used = words + 1 + usize::from(value >> 64 != 0);
    }

    fn multiply(&mut self, factor: u64) {
        let mut carry = 0u128;
        for limb in &mut self.limbs[..self.used] {
            carry += u128::from(*limb) * u128::from(factor);
            *limb = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            self.limbs[self.used] = carry as u64;
            self.used += 1;
        }
    }

    /// Divides, and gives the remainder.
    fn divide(&mut self, divisor: u64) -> u64 {
        let mut rest = 0u128;
        for limb in self.limbs[..self.used].iter_mut().rev() {
            rest = rest << 64 | u128::from(*limb);
            *limb = (rest / u128::from(divisor)) as u64;
            rest %= u128::from(divisor);
        }
        while self.used > 1 && self.limbs[self.used - 1] == 0 {
            self.used -= 1;
        }
        rest as u64
    }

    fn bits(&self) -> usize {
        self.used * 64 - self.limbs[self.used - 1].leading_zeros() as usize
    }

    fn into_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while self.used > 1 || self.limbs[0] != 0 {
            let mut part = self.divide(TEN_19);
            let last = self.used == 1 && self.limbs[0] == 0;
            for _ in 0..19 {
                if last && part == 0 {
                    break;
                }
                digits.push((part % 10) as u8);
                part /= 10;
            }
        }
        digits.reverse();
        digits
    }
}
