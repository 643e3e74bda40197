//! Names that the program itself spells out: found by where their text stands, which spares hashing it and a lock.

use std::sync::atomic::{AtomicU32, Ordering};

/// How many names a table has room for.
const ROOM: usize = 256;

/// Numbers by the place of a text in the program. Where two texts want one slot, the later one takes it, and the other is
/// looked up elsewhere again.
pub(crate) struct Statics([AtomicU32; ROOM]);

impl Statics {
    pub(crate) fn new() -> Self {
        Statics([const { AtomicU32::new(0) }; ROOM])
    }

    /// The number that `is` says is that of the text, made where it is not here.
    #[inline]
    pub(crate) fn find(&self, text: &'static str, is: impl FnOnce(u32) -> bool, make: impl FnOnce() -> u32) -> u32 {
        let mixed = (text.as_ptr() as u64 ^ (text.len() as u64) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &self.0[(mixed >> 56) as usize];
        match slot.load(Ordering::Acquire).checked_sub(1) {
            Some(number) if is(number) => number,
            _ => {
                let number = make();
                slot.store(number.wrapping_add(1), Ordering::Release);
                number
            }
        }
    }
}
