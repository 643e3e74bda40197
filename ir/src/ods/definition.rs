//! The definition of one operation.

use super::traits::Traits;

/// What is known of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpDef {
    /// The full name: `func.call`.
    pub name: String,
    /// The traits that matter for structure.
    pub traits: Traits,
    /// The inherent attributes and native properties, in the order in which bytecode version 6 lays them out.
    pub properties: Vec<PropertyDef>,
    /// With [`Traits::HAS_PARENT`], the operations that it may stand in.
    pub parents: Vec<String>,
    /// With [`Traits::IMPLICIT_TERMINATOR`], the operation that ends its blocks.
    pub implicit_terminator: Option<String>,
}

/// One member of an operation's properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyDef {
    /// Its name.
    pub name: String,
    /// How bytecode lays it out.
    pub kind: PropertyKind,
}

/// How bytecode lays out one member of an operation's properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// An attribute that is always there.
    Required,
    /// An attribute that may be absent: optional, with a default, or a unit.
    Optional,
    /// `operandSegmentSizes` of so many groups.
    OperandSegments(u32),
    /// `resultSegmentSizes` of so many groups.
    ResultSegments(u32),
    /// A property that is no attribute.
    Native(NativeProperty),
}

/// How bytecode and text show a property that is no attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeProperty {
    /// A byte, 0 or 1; a unit flag in text, or `false`.
    Bool,
    /// A byte, 0 or 1; `true` or `false` in text.
    Boolean,
    /// A varint; in text an integer of so many bits.
    Integer {
        /// Width in bits of the attribute that stands for it in text.
        width: u32,
        /// Whether the varint holds the value sign-extended to 64 bits; else it is extended with zeros.
        signed: bool,
    },
    /// A string; a string in text.
    String,
    /// A count and as many; an array in text.
    Array(Box<NativeProperty>),
    /// A byte, then the property where it is 1; in text an array of none or one.
    OptionalOf(Box<NativeProperty>),
    /// An attribute.
    Attribute,
}

/// Upstream's table nests these at most twice; a table that nests deeper than this is refused.
pub(super) const NATIVE_DEPTH: usize = 8;
