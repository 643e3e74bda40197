//! What conversions into `llvm` are told.

use mlirbc_rewrite::{OptionInfo, Options};

/// What a conversion into `llvm` is told (`LowerToLLVMOptions` of MLIR).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LlvmOptions {
    /// How many bits an `index` has.
    pub index_bits: u32,
    /// How many bytes a pointer has.
    pub pointer_bytes: i64,
    /// Whether functions take and give memory as pointers, where its layout is known.
    pub bare_pointers: bool,
    /// Whether memory comes from `aligned_alloc` in place of `malloc`.
    pub aligned_alloc: bool,
    /// Whether memory comes from functions of MLIR's own in place of those of C.
    pub generic_functions: bool,
}

impl Default for LlvmOptions {
    fn default() -> Self {
        LlvmOptions {
            index_bits: 64,
            pointer_bytes: 8,
            bare_pointers: false,
            aligned_alloc: false,
            generic_functions: false,
        }
    }
}

impl LlvmOptions {
    /// Those of MLIR for a machine of 64 bits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`LlvmOptions::index_bits`].
    #[must_use]
    pub fn index_bits(mut self, value: u32) -> Self {
        self.index_bits = value;
        self
    }

    /// Sets [`LlvmOptions::pointer_bytes`].
    #[must_use]
    pub fn pointer_bytes(mut self, value: i64) -> Self {
        self.pointer_bytes = value;
        self
    }

    /// Sets [`LlvmOptions::bare_pointers`].
    #[must_use]
    pub fn bare_pointers(mut self, value: bool) -> Self {
        self.bare_pointers = value;
        self
    }

    /// Sets [`LlvmOptions::aligned_alloc`].
    #[must_use]
    pub fn aligned_alloc(mut self, value: bool) -> Self {
        self.aligned_alloc = value;
        self
    }

    /// Sets [`LlvmOptions::generic_functions`].
    #[must_use]
    pub fn generic_functions(mut self, value: bool) -> Self {
        self.generic_functions = value;
        self
    }
}

/// Options of passes, by MLIR's names.
pub(crate) const INDEX_BITS: OptionInfo =
    OptionInfo { name: "index-bitwidth", about: "how many bits an index has; 0 for those of the target" };
pub(crate) const BARE_POINTERS: OptionInfo = OptionInfo {
    name: "use-bare-ptr-memref-call-conv",
    about: "functions take and give memory as pointers, where its layout is known",
};

/// How many bits an index has where a pass is told so.
pub(crate) fn index_bits(options: &Options<'_>) -> Result<Option<u32>, String> {
    let bits = options.number(INDEX_BITS.name, 0)?;
    match u32::try_from(bits) {
        Ok(0) => Ok(None),
        Ok(bits) if bits < 1 << 24 => Ok(Some(bits)),
        _ => Err(format!("`{bits}` is no number of bits")),
    }
}
