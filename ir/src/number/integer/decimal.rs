//! Integers written in decimal digits.

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
