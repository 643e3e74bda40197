//! What may be chosen of how types become those of SPIR-V.

use mlirbc_rewrite::{OptionInfo, Options};

/// How types become those of SPIR-V (`SPIRVConversionOptions` of MLIR).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeOptions {
    /// Whether `index` becomes an integer of 64 bits, and not of 32.
    pub use_64bit_index: bool,
    /// How many bits a truth value has in memory. Where it is not 8, memory of truth values cannot be converted.
    pub bool_num_bits: u32,
    /// Whether numbers of less than 32 bits that the target does not have become numbers of 32 bits.
    pub emulate_lt_32_bit_scalar_types: bool,
    /// Whether floats of 8 bits become integers of as many bits.
    pub emulate_unsupported_float_types: bool,
}

impl Default for TypeOptions {
    fn default() -> Self {
        TypeOptions {
            use_64bit_index: false,
            bool_num_bits: 8,
            emulate_lt_32_bit_scalar_types: true,
            emulate_unsupported_float_types: true,
        }
    }
}

impl TypeOptions {
    /// Those of MLIR.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`TypeOptions::use_64bit_index`].
    #[must_use]
    pub fn use_64bit_index(mut self, value: bool) -> Self {
        self.use_64bit_index = value;
        self
    }

    /// Sets [`TypeOptions::bool_num_bits`].
    #[must_use]
    pub fn bool_num_bits(mut self, value: u32) -> Self {
        self.bool_num_bits = value;
        self
    }

    /// Sets [`TypeOptions::emulate_lt_32_bit_scalar_types`].
    #[must_use]
    pub fn emulate_lt_32_bit_scalar_types(mut self, value: bool) -> Self {
        self.emulate_lt_32_bit_scalar_types = value;
        self
    }

    /// Sets [`TypeOptions::emulate_unsupported_float_types`].
    #[must_use]
    pub fn emulate_unsupported_float_types(mut self, value: bool) -> Self {
        self.emulate_unsupported_float_types = value;
        self
    }
}

/// Options of passes, by MLIR's names.
pub(crate) const EMULATE_NARROW: OptionInfo = OptionInfo {
    name: "emulate-lt-32-bit-scalar-types",
    about: "numbers of less than 32 bits that the target does not have become numbers of 32 bits",
};
pub(crate) const EMULATE_FLOATS: OptionInfo = OptionInfo {
    name: "emulate-unsupported-float-types",
    about: "floats that the target does not have become integers of as many bits",
};
pub(crate) const WIDE_INDEX: OptionInfo =
    OptionInfo { name: "use-64bit-index", about: "an index becomes an integer of 64 bits" };
pub(crate) const BOOL_BITS: OptionInfo =
    OptionInfo { name: "bool-num-bits", about: "how many bits a truth value has in memory" };

impl TypeOptions {
    /// Those that a pass was given; it takes no others than it has.
    pub(crate) fn of(options: &Options) -> Result<Self, String> {
        let usual = Self::default();
        let bits = options.number(BOOL_BITS.name, usual.bool_num_bits.into())?;
        Ok(TypeOptions {
            use_64bit_index: options.flag(WIDE_INDEX.name, usual.use_64bit_index)?,
            bool_num_bits: u32::try_from(bits).map_err(|_| format!("`{bits}` is no number of bits"))?,
            emulate_lt_32_bit_scalar_types: options.flag(EMULATE_NARROW.name, usual.emulate_lt_32_bit_scalar_types)?,
            emulate_unsupported_float_types: options
                .flag(EMULATE_FLOATS.name, usual.emulate_unsupported_float_types)?,
        })
    }
}
