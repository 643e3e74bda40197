//! Floating-point values as text: the decimal forms that MLIR prints.

use crate::number::{ApFloat, ApInt, FloatKind, RoundingMode};

/// The value of a pattern as a double, where it is finite and a double holds it exactly. What no processor would make is none.
pub fn to_double(kind: FloatKind, bits: &ApInt) -> Option<f64> {
    let value = ApFloat::from_bits(kind, bits);
    let double = match kind {
        FloatKind::F64 => f64::from_bits(value.pattern() as u64),
        FloatKind::F32 => f32::from_bits(value.pattern() as u32).into(),
        _ if kind == FloatKind::F80 && value.to_bits() != *bits => return None,
        _ => {
            let double = value.convert(FloatKind::F64, RoundingMode::ToNearestEven).exact()?;
            f64::from_bits(double.pattern() as u64)
        }
    };
    double.is_finite().then_some(double)
}

/// The smallest positive and the largest finite value, as doubles: 0 and infinity where these are beyond doubles.
pub fn range(kind: FloatKind) -> (f64, f64) {
    (ApFloat::smallest(kind).to_f64(), ApFloat::largest(kind).to_f64())
}

/// The pattern of the value nearest to `value` (ties to even), as MLIR rounds a literal. `None` for a negative value of a
/// format without a sign.
pub fn from_double(kind: FloatKind, value: f64) -> Option<ApInt> {
    let sign = kind.is_signed() || value.is_sign_positive();
    sign.then(|| ApFloat::from_f64(kind, value).to_bits())
}

/// The bits as they are, also those that no processor would make.
fn pattern(bits: &ApInt) -> u128 {
    let words = bits.words();
    u128::from(words[0]) | words.get(1).map_or(0, |&word| u128::from(word) << 64)
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
    let precision = 2 + kind.precision() as usize * 59 / 196;
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
