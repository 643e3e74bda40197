//! Types of values, uniqued in a [`Context`](crate::Context).

use crate::attribute::Encoded;
use crate::handles::{Attribute, Identifier};
use crate::number::FloatKind;
use crate::parameter::DialectValue;

pub use crate::handles::Type;

/// The size of one dimension that is not known: `?` in text.
pub const DYNAMIC: i64 = i64::MIN;

/// Whether an integer type says how its bits are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Signedness {
    /// `i32`
    Signless,
    /// `si32`
    Signed,
    /// `ui32`
    Unsigned,
}

/// What a type is. Every builtin type of MLIR, and three forms for those of other dialects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum TypeData {
    /// `i32`, `si8`, `ui1`
    Integer {
        /// Width in bits, at most [`TypeData::MAX_INTEGER_WIDTH`].
        width: u32,
        /// How the bits are read.
        signedness: Signedness,
    },
    /// `index`
    Index,
    /// `f32` and its kin
    Float(FloatKind),
    /// `none`
    None,
    /// `(i32) -> f32`
    Function {
        /// Types of the arguments.
        inputs: Box<[Type]>,
        /// Types of the results.
        results: Box<[Type]>,
    },
    /// `tuple<i32, f32>`
    Tuple(Box<[Type]>),
    /// `complex<f32>`
    Complex(Type),
    /// `vector<4x[8]xf32>`
    Vector {
        /// One size a dimension, each over 0.
        shape: Box<[i64]>,
        /// Which dimensions are scalable; as long as `shape`, or empty where none is.
        scalable: Box<[bool]>,
        /// Type of the elements.
        element: Type,
    },
    /// `tensor<4x?xf32, #encoding>`
    RankedTensor {
        /// One size a dimension, or [`DYNAMIC`].
        shape: Box<[i64]>,
        /// Type of the elements.
        element: Type,
        /// The encoding.
        encoding: Option<Attribute>,
    },
    /// `tensor<*xf32>`
    UnrankedTensor(Type),
    /// `memref<4x?xf32, #layout, #space>`
    MemRef {
        /// One size a dimension, or [`DYNAMIC`].
        shape: Box<[i64]>,
        /// Type of the elements.
        element: Type,
        /// The layout: always there, an identity map where text shows none.
        layout: Attribute,
        /// The memory space.
        space: Option<Attribute>,
    },
    /// `memref<*xf32, #space>`
    UnrankedMemRef {
        /// Type of the elements.
        element: Type,
        /// The memory space.
        space: Option<Attribute>,
    },
    /// A type of a dialect that this build knows: its mnemonic and its parameters.
    Dialect(DialectValue),
    /// A type of a dialect without an implementation, as its exact text (`!dialect.name<...>`).
    Text {
        /// The dialect's name.
        dialect: Identifier,
        /// The whole text, without a terminating zero.
        text: Box<[u8]>,
    },
    /// A type in a custom encoding that is not registered.
    Encoded(Encoded),
}

impl TypeData {
    /// The widest integer type of MLIR.
    pub const MAX_INTEGER_WIDTH: u32 = (1 << 24) - 1;

    /// The shape, for shaped types that have a rank.
    pub fn shape(&self) -> Option<&[i64]> {
        match self {
            TypeData::Vector { shape, .. } | TypeData::RankedTensor { shape, .. } | TypeData::MemRef { shape, .. } => {
                Some(shape)
            }
            _ => None,
        }
    }

    /// The type of the elements, for shaped types.
    pub fn element(&self) -> Option<Type> {
        match *self {
            TypeData::Vector { element, .. }
            | TypeData::RankedTensor { element, .. }
            | TypeData::UnrankedTensor(element)
            | TypeData::MemRef { element, .. }
            | TypeData::UnrankedMemRef { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The number of elements, where the shape is known and the product fits.
    pub fn element_count(&self) -> Option<u64> {
        self.shape()?.iter().try_fold(1u64, |count, &size| count.checked_mul(u64::try_from(size).ok()?))
    }
}
