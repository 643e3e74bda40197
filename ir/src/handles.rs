//! Handles: numbers that stand for what a [`Context`](crate::Context) holds.

/// A uniqued attribute: a number that stands for its [`AttributeData`](crate::AttributeData) in the context that made it.
///
/// Equal attributes of one context have equal handles. Look at one by indexing the context: `context[attribute]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attribute(pub(crate) u32);

impl Attribute {
    /// The number in its context, to be kept in a table of one's own.
    pub fn raw(self) -> u32 {
        self.0
    }

    /// The handle of that number, which [`Attribute::raw`] of the same context gave.
    #[doc(hidden)]
    pub fn from_raw(raw: u32) -> Self {
        Attribute(raw)
    }
}

/// A string attribute without a type, as a name: of an attribute, a dialect, a symbol, a file.
///
/// Its bytes are `context.bytes(identifier)`; names in bytecode need not be UTF-8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Identifier(pub(crate) Attribute);

impl Identifier {
    /// The name as the string attribute that it is.
    pub fn attribute(self) -> Attribute {
        self.0
    }
}

impl From<Identifier> for Attribute {
    fn from(name: Identifier) -> Attribute {
        name.0
    }
}

/// One entry of a dictionary: a name and its value.
pub type NamedAttribute = (Identifier, Attribute);

/// A named blob of a dialect, referred to by number: see [`Context::resource`](crate::Context::resource).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceHandle(pub(crate) u32);

/// A uniqued type: a number that stands for its [`TypeData`](crate::TypeData) in the context that made it.
///
/// Equal types of one context have equal handles. Look at one by indexing the context: `context[ty]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Type(pub(crate) u32);

impl Type {
    /// The number in its context, to be kept in a table of one's own.
    pub fn raw(self) -> u32 {
        self.0
    }

    /// The handle of that number, which [`Type::raw`] of the same context gave.
    #[doc(hidden)]
    pub fn from_raw(raw: u32) -> Self {
        Type(raw)
    }
}

/// The uniqued name of an operation, such as `func.call`: a number in its context.
///
/// A name that a file marks as unregistered is another one than the same text marked as registered, since their
/// properties are written in different ways.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OperationName(pub(crate) u32);

impl OperationName {
    /// The number in its context, to be kept in a table of one's own.
    pub fn raw(self) -> u32 {
        self.0
    }

    /// The handle of that number, which [`OperationName::raw`] of the same context gave.
    #[doc(hidden)]
    pub fn from_raw(raw: u32) -> Self {
        OperationName(raw)
    }
}
