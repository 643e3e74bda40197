//! What operations look like: op definitions as data.

/// What is known of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpDef {
    /// The full name: `func.call`.
    pub name: String,
    /// The traits that matter for structure.
    pub traits: Traits,
    /// The inherent attributes and native properties, in the order in which bytecode version 6 lays them out.
    pub properties: Vec<PropertyDef>,
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
    /// A byte, 0 or 1; a unit flag in text.
    Bool,
    /// A varint; in text an integer of so many bits.
    Integer {
        /// Width in bits of the attribute that stands for it in text.
        width: u32,
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

/// Traits of operations that matter for structure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Traits(pub u32);

impl Traits {
    /// Nothing inside uses a value from outside.
    pub const ISOLATED_FROM_ABOVE: Traits = Traits(1);
    /// Ends a block.
    pub const TERMINATOR: Traits = Traits(1 << 1);
    /// Names a symbol by `sym_name`.
    pub const SYMBOL: Traits = Traits(1 << 2);
    /// Holds symbols.
    pub const SYMBOL_TABLE: Traits = Traits(1 << 3);
    /// Each region has at most one block.
    pub const SINGLE_BLOCK: Traits = Traits(1 << 4);
    /// Blocks in its regions need no terminator.
    pub const NO_TERMINATOR: Traits = Traits(1 << 5);

    /// Whether all of `other` are among these.
    pub fn contains(self, other: Traits) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Definitions of many operations, in compact form.
#[derive(Clone, Debug, Default)]
pub struct OpTable;

impl OpTable {
    /// The definition of the operation of that full name.
    pub fn get(&self, _name: &str) -> Option<OpDef> {
        None
    }
}

/// The operations of every upstream dialect.
pub fn upstream() -> &'static OpTable {
    static TABLE: OpTable = OpTable;
    &TABLE
}
