//! Changing inputs at random: by what they are made of, so that a good part of them is still taken, and now and then by bytes.

mod bytecode;
mod json;
mod spirv;
mod text;
mod tokens;

use crate::random::Random;

pub use bytecode::mutate_bytecode;
pub use json::mutate_definitions;
pub use spirv::mutate_spirv;
pub use text::{mutate_attribute, mutate_module};

/// Changes bytes in one to eight places. Most changes keep their number, since a file of another length is refused early.
pub fn mutate_bytes(random: &mut Random, file: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = file.to_vec();
    let times = [1, 1, 1, 2, 2, 3, 5, 8][random.below(8)];
    for _ in 0..times {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(16) {
            0..4 => bytes[at] ^= 1 << random.below(8),
            // The next or the last number, reference or count.
            4..7 => bytes[at] = bytes[at].wrapping_add(2),
            7..9 => bytes[at] = bytes[at].wrapping_sub(2),
            9 => bytes[at] = random.next() as u8,
            10 => bytes[at] = [0, 1, 3, 0x7f, 0x80, 0xff][random.below(6)],
            11 => {
                // Bytes of another place, or of another file.
                let from = if random.below(2) == 0 && !other.is_empty() { other } else { file };
                let length = 1 + random.below(16);
                let start = random.below(from.len());
                let end = from.len().min(start + length);
                let length = (end - start).min(bytes.len() - at);
                bytes[at..at + length].copy_from_slice(&from[start..start + length]);
            }
            12 => {
                let to = random.below(bytes.len());
                bytes.swap(at, to);
            }
            13 => {
                bytes.remove(at);
                let to = random.below(bytes.len() + 1);
                bytes.insert(to, random.next() as u8);
            }
            14 => {
                let end = bytes.len().min(at + 1 + random.below(4));
                bytes.drain(at..end);
            }
            _ => {
                // A number of any size.
                let huge = varint(u64::MAX >> random.below(64));
                bytes.splice(at..at + 1, huge);
            }
        }
    }
    bytes
}

/// The shortest form of an unsigned integer in bytecode.
fn varint(value: u64) -> Vec<u8> {
    let bits = 64 - (value | 1).leading_zeros() as usize;
    match bits.div_ceil(7) {
        length @ ..=8 => ((value << 1 | 1) << (length - 1)).to_le_bytes()[..length].to_vec(),
        _ => [&[0], &value.to_le_bytes()[..]].concat(),
    }
}

/// What means something in text, and what once was wrong.
const PIECES: &[&str] = &[
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    "{",
    "}",
    "<{",
    "}>",
    ",",
    ":",
    "::",
    "->",
    "=",
    "\"",
    "@",
    "#",
    "!",
    "^",
    "%",
    "?",
    "*",
    "x",
    "-",
    "+",
    "0",
    "1",
    "-1",
    "0x",
    "0xFF",
    "1.0",
    "1e400",
    "9223372036854775808",
    "4294967296",
    "i1",
    "i0",
    "i16777216",
    "si8",
    "index",
    "f32",
    "none",
    "vector<",
    "tensor<",
    "memref<",
    "tuple<",
    "complex<",
    "dense<",
    "dense_resource<",
    "sparse<",
    "array<",
    "affine_map<",
    "affine_set<",
    "strided<",
    "loc(",
    "unknown",
    "callsite(",
    "fused<",
    "distinct[0]<",
    "unit",
    "true",
    "loc(#loc)",
    "#map",
    "!t = ",
    "{-#",
    "#-}",
    "\\",
    "\0",
    "\u{7f}",
    "é",
    "null",
    "{}",
    "[]",
    "\"!instanceof\"",
    "mod",
    "floordiv",
    "d0",
    "s0",
    "nan",
    "inf",
];

/// A piece of text that means something.
fn pieces(random: &mut Random) -> &'static str {
    PIECES[random.below(PIECES.len())]
}

/// Changes a text in one to six places, by its letters and words.
fn bytes_of_text(random: &mut Random, text: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..1 + random.below(6) {
        let at = random.below(bytes.len() + 1);
        match random.below(8) {
            0 => {
                let piece = PIECES[random.below(PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
            1 => {
                let piece = PIECES[random.below(PIECES.len())];
                let end = word_end(&bytes, at);
                bytes.splice(at..end, piece.bytes());
            }
            2 => {
                let end = word_end(&bytes, at);
                bytes.drain(at..end);
            }
            3 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            4 if at < bytes.len() => bytes[at] = random.next() as u8,
            5 | 6 => {
                // A part of this text or of another, put in or over what is there.
                let from = if random.below(2) == 0 && !other.is_empty() { other } else { text };
                if from.is_empty() {
                    continue;
                }
                let start = random.below(from.len());
                let end = from.len().min(start + 1 + random.below(40));
                let over = if random.below(2) == 0 { at } else { bytes.len().min(at + end - start) };
                bytes.splice(at..over, from[start..end].iter().copied());
            }
            _ => {
                let end = bytes.len().min(at + 1 + random.below(12));
                bytes.drain(at..end);
            }
        }
    }
    bytes
}

/// Where the word ends that begins at `at`.
fn word_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let word = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    at + word.max(1).min(rest.len())
}
