//! Names found by where their text stands, which spares hashing it and a lock: mostly those that the program itself spells out.

use std::sync::atomic::{AtomicU32, Ordering};

/// How many names a table has room for.
const ROOM: usize = 1024;

/// Numbers by the place of a text in the program. Where two texts want one slot, the later one takes it, and the other is
/// looked up elsewhere again.
pub(crate) struct Statics([AtomicU32; ROOM]);

impl Statics {
    pub(crate) fn new() -> Self {
        Statics([const { AtomicU32::new(0) }; ROOM])
    }

    /// The number that `is` says is that of the text, made where it is not here. What stood at the place of the text before may have
    /// been another one.
    #[inline]
    pub(crate) fn find(&self, text: &[u8], is: impl FnOnce(u32) -> bool, make: impl FnOnce() -> u32) -> u32 {
        self.known(text, is).unwrap_or_else(|| {
            let number = make();
            self.keep(text, number);
            number
        })
    }

    /// The number that `is` says is that of the text, where it is here.
    #[inline]
    pub(crate) fn known(&self, text: &[u8], is: impl FnOnce(u32) -> bool) -> Option<u32> {
        self.slot(text).load(Ordering::Acquire).checked_sub(1).filter(|&number| is(number))
    }

    /// Keeps the number of a text.
    pub(crate) fn keep(&self, text: &[u8], number: u32) {
        self.slot(text).store(number.wrapping_add(1), Ordering::Release);
    }

    #[inline]
    fn slot(&self, text: &[u8]) -> &AtomicU32 {
        let mixed = (text.as_ptr() as u64 ^ (text.len() as u64) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        &self.0[(mixed >> 54) as usize]
    }
}
