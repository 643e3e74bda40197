//! Bounds that a reader keeps to, whatever the bytes say.

/// What a file may hold at most. The defaults are far above what compilers write.
///
/// Memory is bounded without these, too: every count is checked against the bytes that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// How deep regions may be nested in each other within one body.
    pub region_depth: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { region_depth: 1 << 20 }
    }
}
