//! Attributes and types of dialects, as a mnemonic and a tree of parameters.

use crate::handles::{Attribute, Identifier, Type};

/// An attribute or type of a dialect: `#llvm.di_file<"a.c" in "/src">` is the mnemonic `di_file` with two strings.
///
/// What the parameters mean, and how they are encoded and printed, is the dialect's own affair.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DialectValue {
    /// The dialect's name.
    pub dialect: Identifier,
    /// What stands after the dialect's name in text.
    pub mnemonic: Identifier,
    /// The parameters in the dialect's order.
    pub parameters: Box<[Parameter]>,
}

/// One parameter of a dialect's attribute or type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Parameter {
    /// An optional parameter that is absent.
    None,
    /// True or false.
    Bool(bool),
    /// An unsigned integer or the number of an enumerant.
    Unsigned(u64),
    /// A signed integer.
    Signed(i64),
    /// A double, by its bits.
    Double(u64),
    /// Bytes of a string.
    String(Box<[u8]>),
    /// An attribute.
    Attribute(Attribute),
    /// A type.
    Type(Type),
    /// Several of one kind, or a group.
    List(Box<[Parameter]>),
}
