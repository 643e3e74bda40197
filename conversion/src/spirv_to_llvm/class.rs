//! Storage classes, by number.

pub(super) const UNIFORM_CONSTANT: u32 = 0;
pub(super) const INPUT: u32 = 1;
pub(super) const OUTPUT: u32 = 3;
pub(super) const WORKGROUP: u32 = 4;
pub(super) const CROSS_WORKGROUP: u32 = 5;
pub(super) const PRIVATE: u32 = 6;
pub(super) const GENERIC: u32 = 8;
pub(super) const STORAGE_BUFFER: u32 = 12;
