//! Changing bytecode by its structure: what is known of each range of bytes says what else may stand there.

use std::ops::Range;

use mlirbc_bytecode::inspect::label_bytes;
use mlirbc_bytecode::{BytecodeFile, read};

use super::{mutate_bytes, varint};
use crate::random::Random;

/// Changes a file in one to four places, keeping its length. A file that cannot be taken apart is changed by its bytes.
pub fn mutate_bytecode(random: &mut Random, file: &[u8], other: &[u8]) -> Vec<u8> {
    let parts = if random.below(8) == 0 { Vec::new() } else { parts(file) };
    if parts.is_empty() {
        return mutate_bytes(random, file, other);
    }
    let mut bytes = file.to_vec();
    for _ in 0..[1, 1, 2, 4][random.below(4)] {
        // Few of the parts are operations, and these say most.
        let operations = random.below(3) > 0;
        let wanted =
            |part: &&Part| !operations || matches!(part.kind.as_str(), "operation" | "block" | "property blob");
        let chosen: Vec<&Part> = parts.iter().filter(wanted).collect();
        if chosen.is_empty() {
            continue;
        }
        let part = chosen[random.below(chosen.len())];
        match random.below(8) {
            0 => exchange(random, &mut bytes, &parts, part),
            1 => {
                let at = part.range.start + random.below(part.range.len());
                bytes[at] ^= 1 << random.below(8);
            }
            _ if part.kind == "string" => change_letter(random, &mut bytes, &part.range),
            _ => change_number(random, &mut bytes, &parts, part),
        }
    }
    bytes
}

/// A range of bytes, and what stands there: `operation`, `attribute`, `string`.
struct Part {
    kind: String,
    range: Range<usize>,
}

/// What a file consists of, but for its magic number and producer; empty where that cannot be told.
fn parts(file: &[u8]) -> Vec<Part> {
    let Ok(module) = read(&mlirbc_dialects::context(), file.to_vec()) else { return Vec::new() };
    let Some(opened) = BytecodeFile::of(&module) else { return Vec::new() };
    let mut parts = Vec::new();
    let labelled = label_bytes(opened, &mut |range, label| {
        // `operation name 3: "addi"` is an operation name, `attribute 4: 2 bytes` an attribute.
        let words = label.split(|letter: char| letter.is_ascii_digit() || matches!(letter, '`' | ':' | '"'));
        let kind = words.into_iter().next().unwrap_or_default().trim().to_owned();
        parts.push(Part { kind, range: range.start as usize..range.end as usize });
        Ok(())
    });
    if labelled.is_err() {
        return Vec::new();
    }
    parts.retain(|part| !part.range.is_empty() && !matches!(part.kind.as_str(), "magic" | "producer"));
    parts
}

/// The unsigned integer in the bytes from `at` on, and how many of them it takes.
fn number(bytes: &[u8], at: usize) -> Option<(u64, usize)> {
    let length = match bytes.get(at)?.trailing_zeros() as usize {
        8 => 9,
        zeros => zeros + 1,
    };
    let part = bytes.get(at..at + length)?;
    if length == 9 {
        return Some((u64::from_le_bytes(part[1..].try_into().ok()?), length));
    }
    let mut whole = [0; 8];
    whole[..length].copy_from_slice(part);
    Some((u64::from_le_bytes(whole) >> length, length))
}

/// Where the numbers of a range begin, if it consists of numbers.
fn numbers(bytes: &[u8], range: &Range<usize>) -> Vec<(usize, u64, usize)> {
    let mut found = Vec::new();
    let mut at = range.start;
    while at < range.end
        && let Some((value, length)) = number(bytes, at)
    {
        found.push((at, value, length));
        at += length;
    }
    found
}

/// Puts another number in the place of one of a part: the next, one of the same place in a part of the same kind, or any.
fn change_number(random: &mut Random, bytes: &mut [u8], parts: &[Part], part: &Part) {
    let own = numbers(bytes, &part.range);
    if own.is_empty() {
        return;
    }
    let which = random.below(own.len());
    let (at, old, length) = own[which];
    let new = match random.below(6) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => random.next() >> random.below(64),
        _ => {
            let like: Vec<&Part> = parts.iter().filter(|other| other.kind == part.kind).collect();
            let other = numbers(bytes, &like[random.below(like.len())].range);
            other.get(which).map_or(old / 2, |found| found.1)
        }
    };
    let new = varint(new);
    if new.len() == length {
        bytes[at..at + length].copy_from_slice(&new);
    } else if let Some(byte) = bytes.get_mut(at).filter(|_| length == 1) {
        *byte = byte.wrapping_add(2);
    }
}

/// Exchanges a part with another that is as long.
fn exchange(random: &mut Random, bytes: &mut [u8], parts: &[Part], part: &Part) {
    let fits = |other: &&Part| other.range.len() == part.range.len() && other.kind == part.kind;
    let like: Vec<&Part> = parts.iter().filter(fits).collect();
    let other = like[random.below(like.len())].range.clone();
    let (here, there) = (bytes[part.range.clone()].to_vec(), bytes[other.clone()].to_vec());
    bytes[part.range.clone()].copy_from_slice(&there);
    bytes[other].copy_from_slice(&here);
}

/// Changes a letter of a string, but for the zero at its end.
fn change_letter(random: &mut Random, bytes: &mut [u8], range: &Range<usize>) {
    if range.len() > 1 {
        let letters = b"abcfinorst_.-0$ \"\\\n\xc3";
        bytes[range.start + random.below(range.len() - 1)] = letters[random.below(letters.len())];
    }
}
