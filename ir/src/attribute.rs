//! Attributes: compile-time constants attached to operations, uniqued in a [`Context`](crate::Context).

use bytes::Bytes;

use crate::affine::{AffineMap, IntegerSet};
use crate::handles::Type;
use crate::number::ApInt;
use crate::parameter::DialectValue;

pub use crate::handles::{Attribute, Identifier, NamedAttribute, ResourceHandle};

/// What a [`ResourceHandle`] stands for. The blob itself belongs to a module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ResourceKey {
    /// The dialect that owns the resource.
    pub dialect: Identifier,
    /// The key, unique among the resources of one owner and dialect.
    pub key: Box<[u8]>,
    /// Tells apart equal keys of different files: a number unique in this process.
    pub owner: u64,
}

/// The end column of a range of which bytecode kept the line alone: it drops the end column of a range that begins in
/// column 0 (MLIR's `BuiltinDialectBytecode.td`). Text shows such a range as a point.
pub const UNKNOWN_COLUMN: u32 = u32::MAX;

/// What an attribute is. Every builtin attribute of MLIR, and three forms for those of other dialects.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum AttributeData {
    /// `[a, b]`
    Array(Box<[Attribute]>),
    /// `{name = value}`, sorted by the bytes of the names, each name once.
    Dictionary(Box<[NamedAttribute]>),
    /// `"text"`, or `"text" : type`
    String {
        /// The bytes; not always UTF-8.
        value: Box<[u8]>,
        /// The type, where it is not `none`.
        ty: Option<Type>,
    },
    /// `@root` or `@root::@nested`
    SymbolRef {
        /// The outermost symbol.
        root: Identifier,
        /// Names of the symbols inside it, outermost first.
        nested: Box<[Identifier]>,
    },
    /// A type as an attribute.
    Type(Type),
    /// `unit`
    Unit,
    /// `5 : i32`, `true`, `3 : index`. The width of `value` is the width of `ty`; that of `index` is 64.
    Integer {
        /// An integer or index type.
        ty: Type,
        /// The bits.
        value: ApInt,
    },
    /// `1.0 : f32`
    Float {
        /// A floating-point type.
        ty: Type,
        /// The bits in the format of `ty`.
        bits: ApInt,
    },
    /// `array<i32: 1, 2>`
    DenseArray {
        /// `i1`, an integer of 8, 16, 32 or 64 bits, `f32` or `f64`.
        element: Type,
        /// The elements, little-endian, one after the other; a byte for each `i1`.
        data: Bytes,
    },
    /// `dense<[1, 2]> : tensor<2xi32>`
    DenseElements {
        /// A shaped type with static shape.
        ty: Type,
        /// One element for a splat, else all, in the layout that bytecode gives them (fact: code 18): little-endian,
        /// each padded to whole bytes; elements of plain `i1` eight to a byte, lowest bit first; an `i1` splat `00` or `ff`.
        data: Bytes,
    },
    /// `dense<["a", "b"]> : tensor<2x!my.string>`
    DenseStrings {
        /// A shaped type with static shape.
        ty: Type,
        /// One string for a splat, else all.
        values: Box<[Box<[u8]>]>,
        /// Whether one string stands for every element.
        splat: bool,
    },
    /// `dense_resource<key> : tensor<2xi32>`
    DenseResource {
        /// A shaped type.
        ty: Type,
        /// The blob.
        resource: ResourceHandle,
    },
    /// `sparse<indices, values> : tensor<4x4xf32>`
    Sparse {
        /// A shaped type with static shape.
        ty: Type,
        /// Positions of the values that are not zero.
        indices: Attribute,
        /// These values.
        values: Attribute,
    },
    /// `distinct[id]<referenced>`
    Distinct {
        /// What it wraps.
        referenced: Attribute,
        /// Unique in this process: two distinct attributes are never equal.
        id: u64,
    },
    /// `affine_map<(d0) -> (d0)>`
    AffineMap(AffineMap),
    /// `affine_set<(d0) : (d0 >= 0)>`
    IntegerSet(IntegerSet),
    /// `strided<[4, 1], offset: 2>`; `i64::MIN` stands for `?`.
    StridedLayout {
        /// One stride a dimension.
        strides: Box<[i64]>,
        /// The offset.
        offset: i64,
    },
    /// `loc(unknown)`
    UnknownLocation,
    /// `loc("file":line:column)`, or a range `loc("file":l:c to l:c)` where the end is another place than the start.
    FileLocation {
        /// The file's name.
        file: Identifier,
        /// Line and column, from 1; 0 where unknown.
        start: (u32, u32),
        /// The same for the end; the column may be [`UNKNOWN_COLUMN`].
        end: (u32, u32),
    },
    /// `loc("name"(child))`
    NameLocation {
        /// The name.
        name: Identifier,
        /// The location that it names.
        child: Attribute,
    },
    /// `loc(callsite(callee at caller))`
    CallSiteLocation {
        /// Where the inlined code came from.
        callee: Attribute,
        /// Where it was called.
        caller: Attribute,
    },
    /// `loc(fused<metadata>[a, b])`
    FusedLocation {
        /// The locations.
        locations: Box<[Attribute]>,
        /// What the fusion notes.
        metadata: Option<Attribute>,
    },
    /// An attribute of a dialect that this build knows: its mnemonic and its parameters.
    Dialect(DialectValue),
    /// An attribute of a dialect without an implementation, as its exact text (`#dialect.name<...>`).
    Text {
        /// The dialect's name.
        dialect: Identifier,
        /// The whole text, without a terminating zero.
        text: Box<[u8]>,
    },
    /// An attribute in a custom encoding that is not registered: bytes that refer to the tables of one source.
    Encoded(Encoded),
}

/// An attribute or type whose custom encoding is not registered.
///
/// Its bytes name strings, attributes and types of its source by number, so it is itself only in that source.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The dialect's name.
    pub dialect: Identifier,
    /// Tells sources apart: a number unique in this process.
    pub source: u64,
    /// The entry's place in the attribute or type table of its source.
    pub index: u32,
    /// The bytes of the entry.
    pub bytes: Bytes,
}

impl PartialEq for Encoded {
    fn eq(&self, other: &Self) -> bool {
        (self.source, self.index, self.dialect) == (other.source, other.index, other.dialect)
    }
}

impl Eq for Encoded {}

impl std::hash::Hash for Encoded {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.source, self.index, self.dialect).hash(state);
    }
}

impl AttributeData {
    /// The type of a typed attribute: a number, a string, elements.
    pub fn ty(&self) -> Option<Type> {
        match self {
            AttributeData::Integer { ty, .. }
            | AttributeData::Float { ty, .. }
            | AttributeData::DenseElements { ty, .. }
            | AttributeData::DenseStrings { ty, .. }
            | AttributeData::DenseResource { ty, .. }
            | AttributeData::Sparse { ty, .. } => Some(*ty),
            AttributeData::String { ty, .. } => *ty,
            _ => None,
        }
    }

    /// Whether the attribute is a location.
    pub fn is_location(&self) -> bool {
        matches!(
            self,
            AttributeData::UnknownLocation
                | AttributeData::FileLocation { .. }
                | AttributeData::NameLocation { .. }
                | AttributeData::CallSiteLocation { .. }
                | AttributeData::FusedLocation { .. }
        )
    }
}
