//! What readers and writers share of the format: what a file begins with, the ids of sections, and its primitives
//! (`BytecodeFormat.md` of MLIR).

// No file may make a reader panic.
#![deny(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable)]
#![deny(clippy::arithmetic_side_effects)]
#![cfg_attr(test, allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may panic"))]

mod cursor;
mod guard;
pub(crate) mod mask;

pub(crate) use cursor::{Cursor, PADDING};
pub(crate) use guard::Data;
pub use guard::Guard;

pub(crate) const MAGIC: [u8; 4] = *b"ML\xefR";

/// Whether bytes begin as MLIR bytecode does.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The newest bytecode version that this crate knows.
pub const NEWEST_VERSION: u64 = 6;

/// The sections of a file, by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SectionId {
    /// Strings.
    String = 0,
    /// Dialects and operation names.
    Dialect = 1,
    /// Attributes and types.
    AttrType = 2,
    /// Where each attribute and type stands.
    AttrTypeOffset = 3,
    /// Operations.
    Ir = 4,
    /// Resources.
    Resource = 5,
    /// Where each resource stands.
    ResourceOffset = 6,
    /// The version of a dialect, inside the dialect section.
    DialectVersions = 7,
    /// Properties of operations.
    Properties = 8,
}

impl SectionId {
    /// Every section, by id.
    pub const ALL: [SectionId; 9] = [
        SectionId::String,
        SectionId::Dialect,
        SectionId::AttrType,
        SectionId::AttrTypeOffset,
        SectionId::Ir,
        SectionId::Resource,
        SectionId::ResourceOffset,
        SectionId::DialectVersions,
        SectionId::Properties,
    ];

    /// The section's name.
    pub const fn name(self) -> &'static str {
        match self {
            SectionId::String => "string",
            SectionId::Dialect => "dialect",
            SectionId::AttrType => "attribute and type",
            SectionId::AttrTypeOffset => "attribute and type offset",
            SectionId::Ir => "IR",
            SectionId::Resource => "resource",
            SectionId::ResourceOffset => "resource offset",
            SectionId::DialectVersions => "dialect versions",
            SectionId::Properties => "properties",
        }
    }
}
