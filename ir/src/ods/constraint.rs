//! Constraints on what operations take, give and hold, and the enums that attributes name.

use std::sync::Arc;

use super::definition::NativeProperty;
use super::predicate::{Predicate, Term};

/// How many operands, results, regions or successors a name stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Multiplicity {
    /// One.
    #[default]
    One,
    /// One or none.
    Optional,
    /// Any number.
    Variadic,
    /// Any number of groups, of any number each; the attribute of that name has the lengths of the groups.
    Groups(String),
}

/// What types an operand or result may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeConstraint {
    /// Its name; empty where it has none.
    pub name: String,
    /// What must hold of the type.
    pub predicate: Predicate,
    /// The one type that fits, where there is only one: text need not say it.
    pub only: Option<Term>,
}

/// What an attribute may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeConstraint {
    /// Its name; empty where it has none.
    pub name: String,
    /// What must hold of the attribute.
    pub predicate: Predicate,
    /// What the attribute is held by, which decides how the format of an operation writes it. Either the name of a builtin class,
    /// without namespace, or dialect and mnemonic of a dialect's attribute:
    ///
    /// | storage | written as |
    /// | --- | --- |
    /// | `mine.range`: dialect, dot and mnemonic | `<1, 2>`, which is `#mine.range<1, 2>` without these |
    /// | `StringAttr` | `"text"`, without a type; a symbol's name (`SymbolNameAttr`) as `@name` |
    /// | `DenseI64ArrayAttr` and the like, of one element type | `[1, 2]`, which is `array<i64: 1, 2>` |
    /// | anything else: `Attribute`, `IntegerAttr`, a class of C++ | in full, without its type where `value_type` says it |
    ///
    /// Where an attribute is something else than its constraint names, the operation is written in generic form, unless the attribute
    /// in full says so by itself.
    pub storage: String,
    /// The type that it always has, where there is only one: text need not say it.
    pub value_type: Option<Term>,
    /// The enum whose cases it names, as [`OpTable::enumeration`](super::OpTable::enumeration) knows it.
    pub enumeration: Option<String>,
}

/// An operand or result of an operation, or several under one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueDef {
    /// Its name; may be empty.
    pub name: String,
    /// How many.
    pub multiplicity: Multiplicity,
    /// What types they may have; of a variadic one, each.
    pub constraint: Arc<TypeConstraint>,
}

/// An inherent attribute of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttributeDef {
    /// Its name.
    pub name: String,
    /// Whether it may be absent and that means something else than the default.
    pub optional: bool,
    /// What it is where nothing says otherwise.
    pub default: Option<Term>,
    /// What it may be.
    pub constraint: Arc<AttributeConstraint>,
}

/// A property of an operation that is no attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeDef {
    /// Its name.
    pub name: String,
    /// How bytecode and text show it; `None` where it is encoded by hand.
    pub native: Option<NativeProperty>,
    /// What must hold of its value.
    pub predicate: Predicate,
    /// The enum whose cases it names.
    pub enumeration: Option<String>,
    /// The keyword that stands before its value in text: `overflow` of `overflow<nsw>`.
    pub keyword: Option<String>,
    /// What it is where nothing says otherwise.
    pub default: Option<Term>,
}

/// A region of an operation, or several under one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegionDef {
    /// Its name; may be empty.
    pub name: String,
    /// Whether the name stands for any number of regions, which must come last.
    pub variadic: bool,
    /// What must hold of the region, as a list of blocks.
    pub predicate: Predicate,
}

/// A successor of an operation, or several under one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SuccessorDef {
    /// Its name; may be empty.
    pub name: String,
    /// Whether the name stands for any number of successors.
    pub variadic: bool,
}

/// An enum that attributes or properties name the cases of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnumDef {
    /// Its name, with the namespace: `arith::CmpIPredicate`.
    pub name: String,
    /// Width in bits of the integer that stands for a case.
    pub width: u32,
    /// Where its cases are bits that can be combined, how the combination is written.
    pub bits: Option<BitEnum>,
    /// The cases, in order of definition.
    pub cases: Vec<EnumCase>,
}

/// How the combination of several bits is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitEnum {
    /// What stands between two bits.
    pub separator: String,
    /// Whether the whole is in quotes where there are several bits.
    pub quoted: bool,
    /// Whether a group that is set as a whole is written in place of its bits.
    pub groups_first: bool,
}

/// A case of an enum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnumCase {
    /// The name that code uses.
    pub symbol: String,
    /// The name that text uses.
    pub text: String,
    /// Its number.
    pub value: i64,
    /// Whether it is a group of bits that are cases themselves.
    pub group: bool,
    /// Facts of its dialect alone, as those of an [operation](super::OpDetails::facts).
    pub facts: Vec<(String, String)>,
}

impl EnumDef {
    /// The case that code or text names so.
    pub fn case(&self, name: &str) -> Option<&EnumCase> {
        let symbol = self.cases.iter().find(|case| case.symbol == name);
        symbol.or_else(|| self.cases.iter().find(|case| case.text == name))
    }

    /// The case of that number.
    pub fn case_of(&self, value: i64) -> Option<&EnumCase> {
        self.cases.iter().find(|case| case.value == value)
    }
}

/// An attribute or a type of a dialect: its parameters and how it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttrOrTypeDef {
    /// Dialect and mnemonic: `llvm.di_file`.
    pub name: String,
    /// Name of its class in C++, with the namespace: `LLVM::DIFileAttr`.
    pub class: String,
    /// Its parameters.
    pub parameters: Vec<ParameterDef>,
    /// How it is written.
    pub syntax: Syntax,
    /// Its traits and interfaces.
    pub traits: Vec<String>,
    /// For an attribute that wraps a case of an enum, the enum.
    pub enumeration: Option<String>,
}

/// A parameter of an attribute or type of a dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterDef {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ParameterKind,
    /// Whether text may leave it out.
    pub optional: bool,
    /// What it is where text leaves it out.
    pub default: Option<Term>,
}

/// What a parameter is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ParameterKind {
    /// A truth value.
    Bool,
    /// An integer.
    Integer {
        /// Width in bits.
        width: u32,
        /// Whether it can be under 0.
        signed: bool,
    },
    /// An integer of any width.
    ApInt,
    /// A float of any kind.
    ApFloat,
    /// A string.
    String,
    /// A type; where it is not empty, of this class.
    Type(String),
    /// An attribute; where it is not empty, of this class or definition.
    Attribute(String),
    /// The type of the attribute itself, which follows it after a colon.
    SelfType,
    /// A case of an enum.
    Enum(String),
    /// Any number of these.
    Array(Box<ParameterKind>),
    /// This or nothing.
    Optional(Box<ParameterKind>),
    /// Of a class that is not described.
    #[default]
    Opaque,
    /// Of this class.
    Class(String),
}

/// How an operation, attribute or type is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// Only in the generic form.
    #[default]
    Generic,
    /// As code says that is not part of the definition.
    Custom,
    /// As this format says.
    Format(super::format::Format),
}

impl Syntax {
    /// Whether it is a format that begins with this literal.
    pub fn opens(&self, bracket: &str) -> bool {
        match self {
            Syntax::Format(format) => {
                matches!(format.elements.first(), Some(super::format::Element::Literal(text)) if text == bracket)
            }
            _ => false,
        }
    }
}
