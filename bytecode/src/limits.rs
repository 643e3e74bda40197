//! Bounds that a reader keeps to, whatever the bytes say.

/// What a file may hold at most. The defaults are far above what compilers write.
///
/// Every count is checked against the bytes that are left, so that memory is bounded by the size of the file. What is left
/// for these bounds is what a few bytes may ask for many times over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How deep regions may be nested in each other within one body, and bodies in each other.
    pub region_depth: u32,
    /// How deep operations that are isolated from above may be nested in each other where they have to be read at once:
    /// in files before bytecode version 2.
    pub body_depth: u32,
    /// How many bytes may be made of what the file holds once: copies of strings that several entries name, words of
    /// integers wider than their bytes, the parts of fused locations. Four times the size of the file is added to it.
    pub expansion: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { region_depth: 1 << 17, body_depth: 1 << 14, expansion: 32 << 20 }
    }
}
