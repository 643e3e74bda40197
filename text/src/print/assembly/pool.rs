//! Names of values that are no numbers, and which of them are taken.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};
use mlirbc_ir::text::{push_decimal, push_hex};

/// Names one behind the other, each of them taken until it is released.
#[derive(Default)]
pub(super) struct Pool {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
    hasher: DefaultHashBuilder,
    /// The numbers of names that are taken.
    taken: HashTable<u32>,
    /// The same, the latest last.
    log: Vec<u32>,
}

impl Pool {
    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn get(&self, number: u32) -> &[u8] {
        &self.bytes[self.places[number as usize].clone()]
    }

    /// How many names are taken.
    pub(super) fn taken(&self) -> usize {
        self.log.len()
    }

    /// Takes a name, with a number behind it where it is taken already: the next of `conflicts`.
    pub(super) fn take(&mut self, name: &[u8], conflicts: &mut u32) -> u32 {
        let start = self.bytes.len();
        push_sanitized(&mut self.bytes, name);
        if let Some(number) = self.add(start) {
            return number;
        }
        self.bytes.push(b'_');
        let length = self.bytes.len();
        loop {
            push_decimal(&mut self.bytes, (*conflicts).into());
            *conflicts += 1;
            if let Some(number) = self.add(start) {
                return number;
            }
            self.bytes.truncate(length);
        }
    }

    /// Takes what stands from there to the end, unless it is taken.
    fn add(&mut self, start: usize) -> Option<u32> {
        let name = &self.bytes[start..];
        let hash = self.hasher.hash_one(name);
        if self.taken.find(hash, |&other| self.get(other) == name).is_some() {
            return None;
        }
        let number = self.places.len() as u32;
        self.places.push(start..self.bytes.len());
        let (bytes, places, hasher) = (&self.bytes, &self.places, &self.hasher);
        let hash_of = |&number: &u32| hasher.hash_one(&bytes[places[number as usize].clone()]);
        self.taken.insert_unique(hash, number, hash_of);
        self.log.push(number);
        Some(number)
    }

    /// Releases names until only so many are taken.
    pub(super) fn release(&mut self, length: usize) {
        for number in self.log.drain(length..) {
            let hash = self.hasher.hash_one(&self.bytes[self.places[number as usize].clone()]);
            if let Ok(found) = self.taken.find_entry(hash, |&other| other == number) {
                found.remove();
            }
        }
    }
}

/// Pushes a name with only letters that names can have.
fn push_sanitized(out: &mut Vec<u8>, name: &[u8]) {
    let start = out.len();
    for &byte in name {
        match byte {
            b'$' | b'.' | b'_' | b'-' => out.push(byte),
            _ if byte.is_ascii_alphanumeric() => out.push(byte),
            b' ' => out.push(b'_'),
            _ if byte < 16 => out.push(b"0123456789ABCDEF"[usize::from(byte)]),
            _ => push_hex(out, byte),
        }
    }
    if out.get(start).is_some_and(u8::is_ascii_digit) {
        out.insert(start, b'_');
    }
}
