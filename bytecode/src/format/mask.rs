//! Which parts an operation's record has, a bit each (`BytecodeFormat.md` of MLIR, "Operation Encoding").

pub(crate) const ATTRIBUTES: u8 = 0x01;
pub(crate) const RESULTS: u8 = 0x02;
pub(crate) const OPERANDS: u8 = 0x04;
pub(crate) const SUCCESSORS: u8 = 0x08;
pub(crate) const REGIONS: u8 = 0x10;
pub(crate) const USE_LISTS: u8 = 0x20;
pub(crate) const PROPERTIES: u8 = 0x40;
pub(crate) const UNKNOWN: u8 = 0x80;
