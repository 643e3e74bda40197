//! The attributes and types of `vhlo`, as data: what they are called, since which version they are there, and what they hold.
//!
//! A form's place in its table is its code in bytecode. Its parameters are kept, and encoded, one a field, in this order.

use super::Version;

/// An attribute or type.
#[derive(Debug)]
pub struct Form {
    /// What stands behind the dialect's name in text.
    pub mnemonic: &'static str,
    /// The first version that has it. None was ever taken back.
    pub since: Version,
    /// What it holds, in the order of the encoding.
    pub fields: &'static [Field],
}

/// What one parameter holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// A type.
    Type,
    /// A list of types.
    Types,
    /// An attribute.
    Attribute,
    /// The encoding of a tensor, which may be absent: the code of its type says whether it is there.
    Encoding,
    /// An attribute that may be absent: a number says whether it is there.
    Followed,
    /// An attribute that may be absent: a flag in its own number says whether it is there.
    Flagged,
    /// A list of attributes.
    Attributes,
    /// A list of pairs of attributes: the list holds names and values in turn.
    Pairs,
    /// A string, as a string attribute of `builtin`.
    String,
    /// A number that is not negative.
    Unsigned,
    /// A number.
    Signed,
    /// A list of numbers.
    Numbers,
    /// True or false.
    Bool,
    /// A case of an enum, by its number.
    Case(&'static Cases),
    /// A double.
    Double,
    /// A list of doubles.
    Doubles,
    /// What stands in an integer attribute of the type before it, as that attribute of `builtin`.
    Integer,
    /// The same of floating-point attributes.
    Float,
    /// The same of dense elements.
    Elements,
}

/// The words of an enum.
#[derive(PartialEq, Eq, Debug)]
pub struct Cases {
    /// The number of the first.
    pub first: u64,
    /// The words, in the order of their numbers.
    pub words: &'static [&'static str],
}

impl Cases {
    /// The word for a number.
    pub fn word(&self, number: u64) -> Option<&'static str> {
        self.words.get(usize::try_from(number.checked_sub(self.first)?).ok()?).copied()
    }

    /// The number that a word stands for.
    pub fn number(&self, word: &[u8]) -> Option<u64> {
        self.words.iter().position(|known| known.as_bytes() == word).map(|at| self.first + at as u64)
    }
}

const fn form(mnemonic: &'static str, since: (u64, u64), fields: &'static [Field]) -> Form {
    Form { mnemonic, since: Version::new(since.0, since.1, 0), fields }
}

const EVER: (u64, u64) = (0, 9);

/// The codes of forms that code names.
pub(crate) mod code {
    pub(crate) const COMPLEX: usize = 1;
    pub(crate) const FUNCTION: usize = 8;
    pub(crate) const INDEX: usize = 9;
    pub(crate) const TENSOR: usize = 20;
    pub(crate) const ENCODED_TENSOR: usize = 21;
    pub(crate) const TOKEN: usize = 22;
    pub(crate) const TUPLE: usize = 23;
    pub(crate) const QUANTIZED: usize = 24;
    pub(crate) const UNRANKED: usize = 25;
    pub(crate) const WITNESS: usize = 26;
    pub(crate) const QUANTIZED_PER_AXIS: usize = 30;
    pub(crate) const NONE: usize = 33;
    pub(crate) const BUFFER: usize = 41;
    pub(crate) const FUTURE: usize = 42;
}

/// The types. A tensor has the parameters of its second form always; without an encoding it is written by the code before.
pub static TYPES: [Form; 43] = {
    use Field::{Double, Doubles, Encoding, Numbers, Signed, Type, Types, Unsigned};
    [
        form("bool_v1", EVER, &[]),
        form("complex_v1", EVER, &[Type]),
        form("bf16_v1", EVER, &[]),
        form("f16_v1", EVER, &[]),
        form("f32_v1", EVER, &[]),
        form("f64_v1", EVER, &[]),
        form("f8E4M3FN_v1", EVER, &[]),
        form("f8E5M2_v1", EVER, &[]),
        form("func_v1", EVER, &[Types, Types]),
        form("index_v1", EVER, &[]),
        form("i4_v1", EVER, &[]),
        form("i8_v1", EVER, &[]),
        form("i16_v1", EVER, &[]),
        form("i32_v1", EVER, &[]),
        form("i64_v1", EVER, &[]),
        form("ui4_v1", EVER, &[]),
        form("ui8_v1", EVER, &[]),
        form("ui16_v1", EVER, &[]),
        form("ui32_v1", EVER, &[]),
        form("ui64_v1", EVER, &[]),
        form("tensor_v1", EVER, &[Numbers, Type]),
        form("tensor_v1", EVER, &[Encoding, Numbers, Type]),
        form("token_v1", EVER, &[]),
        form("tuple_v1", EVER, &[Types]),
        form("quant_v1", EVER, &[Unsigned, Type, Type, Double, Signed, Signed, Signed]),
        form("unranked_tensor_v1", EVER, &[Type]),
        form("witness_v1", EVER, &[]),
        form("f8E4M3FNUZ_v1", (0, 10), &[]),
        form("f8E5M2FNUZ_v1", (0, 10), &[]),
        form("f8E4M3B11FNUZ_v1", (0, 11), &[]),
        form("quant_per_axis_v1", (0, 18), &[Unsigned, Type, Type, Unsigned, Signed, Signed, Doubles, Numbers]),
        form("i2_v1", (1, 2), &[]),
        form("ui2_v1", (1, 2), &[]),
        form("none_v1", (1, 6), &[]),
        // So it is spelt in every artifact.
        form("tf31_v1", (1, 6), &[]),
        form("f8E4M3_v1", (1, 7), &[]),
        form("f8E3M4_v1", (1, 7), &[]),
        form("f4E2M1FN_v1", (1, 8), &[]),
        form("f6E2M3FN_v1", (1, 8), &[]),
        form("f6E3M2FN_v1", (1, 8), &[]),
        form("f8E8M0FNU_v1", (1, 8), &[]),
        form("buffer_v1", (1, 13), &[Numbers, Type]),
        form("future_v1", (1, 15), &[Types]),
    ]
};

/// An enum whose numbers begin with 0.
const fn cases(words: &'static [&'static str]) -> Cases {
    Cases { first: 0, words }
}

static COMPARISON_DIRECTION: Cases = cases(&["EQ", "NE", "GE", "GT", "LE", "LT"]);
static COMPARISON_TYPE: Cases = cases(&["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"]);
static API_VERSION: Cases = cases(&[
    "API_VERSION_UNSPECIFIED",
    "API_VERSION_ORIGINAL",
    "API_VERSION_STATUS_RETURNING",
    "API_VERSION_STATUS_RETURNING_UNIFIED",
    "API_VERSION_TYPED_FFI",
]);
static FFT_TYPE: Cases = cases(&["FFT", "IFFT", "RFFT", "IRFFT"]);
static PRECISION: Cases = cases(&["DEFAULT", "HIGH", "HIGHEST"]);
static RNG_ALGORITHM: Cases = cases(&["DEFAULT", "THREE_FRY", "PHILOX"]);
static RNG_DISTRIBUTION: Cases = Cases { first: 1, words: &["UNIFORM", "NORMAL"] };
static TRANSPOSE: Cases = cases(&["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]);
static RESULT_ACCURACY_MODE: Cases = cases(&["DEFAULT", "HIGHEST", "TOLERANCE"]);

/// The attributes. The first is none: its code is of one that no version since [`Version::MINIMUM`] has.
pub static ATTRIBUTES: [Form; 26] = {
    use Field::{
        Attribute, Attributes, Bool, Case, Double, Elements, Flagged, Float, Followed, Integer, Numbers, Pairs, Signed,
        String, Type,
    };
    [
        form("", EVER, &[]),
        form("array_v1", EVER, &[Attributes]),
        form("bool_v1", EVER, &[Bool]),
        form("comparison_direction_v1", EVER, &[Case(&COMPARISON_DIRECTION)]),
        form("comparison_type_v1", EVER, &[Case(&COMPARISON_TYPE)]),
        form("api_version_v1", EVER, &[Case(&API_VERSION)]),
        form("dict_v1", EVER, &[Pairs]),
        form("fft_type_v1", EVER, &[Case(&FFT_TYPE)]),
        form("float_v1", EVER, &[Type, Float]),
        form("integer_v1", EVER, &[Type, Integer]),
        form("output_operand_alias_v1", EVER, &[Numbers, Signed, Numbers]),
        form("precision_v1", EVER, &[Case(&PRECISION)]),
        form("rng_algorithm_v1", EVER, &[Case(&RNG_ALGORITHM)]),
        form("rng_distribution_v1", EVER, &[Case(&RNG_DISTRIBUTION)]),
        form("string_v1", EVER, &[String]),
        form("tensor_v1", EVER, &[Type, Elements]),
        form("transpose_v1", EVER, &[Case(&TRANSPOSE)]),
        form("type_v1", EVER, &[Type]),
        form("type_extensions_v1", EVER, &[Numbers]),
        form("result_accuracy_mode_v1", (1, 9), &[Case(&RESULT_ACCURACY_MODE)]),
        form("result_accuracy_v1", (1, 9), &[Double, Double, Signed, Attribute]),
        form("sub_axis_info_v1", (1, 16), &[Signed, Signed]),
        form("axis_ref_v1", (1, 16), &[Attribute, Followed]),
        form("replica_group_mesh_axes_v1", (1, 16), &[Attribute, Attribute]),
        form("mesh_axis_v1", (1, 16), &[Attribute, Signed]),
        form("mesh_v1", (1, 16), &[Attribute, Flagged]),
    ]
};

/// The names of the fields of attributes whose text shows them, by code.
pub(super) fn names(code: usize) -> Option<&'static [&'static str]> {
    Some(match ATTRIBUTES[code].mnemonic {
        "output_operand_alias_v1" => &["outputTupleIndices", "operandIndex", "operandTupleIndices"],
        "type_extensions_v1" => &["bounds"],
        "result_accuracy_v1" => &["atol", "rtol", "ulps", "mode"],
        "sub_axis_info_v1" => &["pre_size", "size"],
        "axis_ref_v1" => &["name", "sub_axis_info"],
        "replica_group_mesh_axes_v1" => &["mesh", "axes"],
        "mesh_axis_v1" => &["name", "size"],
        "mesh_v1" => &["axes", "device_ids"],
        _ => return None,
    })
}

/// The code of the form with that mnemonic.
pub(super) fn code_of(forms: &'static [Form], mnemonic: &[u8]) -> Option<usize> {
    forms.iter().position(|form| form.mnemonic.as_bytes() == mnemonic && !mnemonic.is_empty())
}
