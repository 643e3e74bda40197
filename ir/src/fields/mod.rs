//! Attributes and types of a dialect by their named parameters.
//!
//! A [`FieldsDef`] lists the parameters of one attribute or type. Its [text], its checks ([`FieldsDef::verify`]) and its encoding in
//! bytecode (`mlirbc_bytecode::encoding::fields`) all follow it. [`Dialect::fields`](crate::Dialect::fields) takes all that a dialect
//! has; a dialect with some that need code calls them in its [`DialectText`](crate::text::DialectText) and its encodings.
//!
//! ```
//! use mlirbc_ir::fields::{AttributeClass, DialectFields, Field, FieldKind, FieldsDef};
//! use mlirbc_ir::text::{parse_attribute, print_attribute};
//! use mlirbc_ir::{Context, Dialect};
//!
//! const RANGE: &[Field] = &[
//!     Field::required("low", FieldKind::Signed(64)),
//!     Field::optional("label", FieldKind::Attribute(AttributeClass::String)),
//! ];
//! const FIELDS: DialectFields = DialectFields::attributes(&[FieldsDef::new("range", 0, RANGE)]);
//!
//! let context = Context::new();
//! context.register(Dialect::new("toy").fields(FIELDS))?;
//! let range = parse_attribute(&context, b"#toy.range<label = \"x\", low = -3>")?;
//! assert_eq!(print_attribute(&context, range)?, "#toy.range<low = -3, label = \"x\">");
//! assert!(parse_attribute(&context, b"#toy.range<label = 3 : i8, low = -3>").is_err());
//! # Ok::<(), mlirbc_ir::Error>(())
//! ```

mod dialect;
pub mod text;

pub use dialect::DialectFields;

use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::ods::Release;
use crate::parameter::Parameter;
use crate::types::{Signedness, TypeData};

/// The parameters of an attribute or type.
#[derive(Debug)]
pub struct FieldsDef {
    /// What stands behind the dialect's name in text.
    pub mnemonic: &'static str,
    /// The number of its encoding in bytecode. `None` where bytecode holds its text.
    pub code: Option<u64>,
    /// The parameters, in the order of the encoding.
    pub fields: &'static [Field],
}

/// One parameter of a [`FieldsDef`].
#[derive(Debug)]
pub struct Field {
    /// Its name in text.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether it must be given.
    pub required: bool,
    /// Whether text shows its value without its name: it comes before those with names, and is always there.
    pub unnamed: bool,
    /// Whether text shows it even where it is absent, empty, false or 0, since some release asks for it.
    pub shown: bool,
    /// Since which release the encoding has it. What has it otherwise is text in the bytecode of older releases.
    pub since: Release,
    /// Whether the bytecode of releases before that drops it instead, as theirs did.
    pub dropped: bool,
    /// Since which release the encoding of an attribute says whether it is there; before it must be.
    pub optional_since: Release,
    /// Before which release attributes that it holds were of a class of fewer.
    pub narrow_before: Option<(Release, AttributeClass)>,
    /// What it is where it is not given; `None` for what its kind says.
    pub default: Option<DefaultValue>,
}

/// What a parameter is where it is not given.
#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    /// [`Parameter::Signed`]
    Signed(i64),
    /// An array of integers of 32 bits.
    Integers(&'static [i32]),
}

impl DefaultValue {
    fn parameter(self, context: &Context) -> Parameter {
        match self {
            DefaultValue::Signed(number) => Parameter::Signed(number),
            DefaultValue::Integers(numbers) => {
                let items = numbers.iter().map(|&number| context.integer(32, number.into())).collect();
                Parameter::Attribute(context.attribute(AttributeData::Array(items)))
            }
        }
    }
}

/// What a parameter holds.
///
/// | kind | in text |
/// | --- | --- |
/// | `Unsigned`, `OptionalUnsigned`, `Signed` | `8`, `-3` |
/// | `Bool` | `true` |
/// | `Keyword`, `Case` | `word`; a number where it has no word |
/// | `Flags` | `Public`, several in quotes: `"Public\|Virtual"` |
/// | `String` | `"EUR"` |
/// | `Type` | `i32` |
/// | `Attribute` | `#toy.range<low = 1>`; of [`AttributeClass::Of`] what stands behind the name: `<low = 1>` |
/// | `Attributes` | `#toy.a, #toy.b`, with the same left out |
/// | `AnyAttributes` | `#toy.a, #toy.b`, or `[#toy.a, 3 : i32]` |
/// | `Braced` | `{#toy.a, #toy.b}` |
/// | `Named` | `word`, or the attribute |
/// | `SignedList` | `[1, -2]` |
/// | `Absent`, `UnsignedList`, `Double`, `Doubles` | nothing: these are for attributes whose text is written by code |
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// [`Parameter::Unsigned`] of at most that many bits.
    Unsigned(u32),
    /// [`Parameter::Unsigned`] of at most that many bits, or [`Parameter::None`], which is not 0.
    OptionalUnsigned(u32),
    /// [`Parameter::Signed`] of at most that many bits, or [`Parameter::None`] where it is not required.
    Signed(u32),
    /// [`Parameter::Bool`]
    Bool,
    /// [`Parameter::Double`]
    Double,
    /// [`Parameter::Unsigned`] that text shows as a word.
    Keyword(&'static Keywords),
    /// [`Parameter::Unsigned`] of 32 bits that text shows as a case of an enum.
    Case(&'static Enumeration),
    /// [`Parameter::Unsigned`] whose bits text shows as words.
    Flags(&'static Flags),
    /// [`Parameter::Attribute`] of a string; bytecode has its bytes alone.
    String,
    /// [`Parameter::Attribute`], or [`Parameter::None`] where it is not required.
    Attribute(AttributeClass),
    /// [`Parameter::List`] of attributes.
    Attributes(AttributeClass),
    /// [`Parameter::List`] of any attributes. Text puts them into brackets where one is not of this class: those of the class begin
    /// with a `#`.
    AnyAttributes(AttributeClass),
    /// A number that newer releases hold as an attribute that names it: [`Parameter::Unsigned`] that text shows as a word, or
    /// [`Parameter::Attribute`] of a name without number.
    Named(&'static NumberNames),
    /// [`Parameter::List`] of attributes, in braces in text.
    Braced(AttributeClass),
    /// [`Parameter::Type`]
    Type,
    /// [`Parameter::None`], where another form of the type has something. Takes no bytes.
    Absent,
    /// [`Parameter::List`] of [`Parameter::Unsigned`]; the encoding says whether there are any before it counts them. Has no text.
    UnsignedList,
    /// [`Parameter::List`] of [`Parameter::Signed`] of at most that many bits each, in brackets in text, or [`Parameter::None`] where it
    /// is not required.
    SignedList(u32),
    /// [`Parameter::List`] of [`Parameter::Double`]. Has no text.
    Doubles,
}

/// Which attributes a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum AttributeClass {
    /// Any.
    Any,
    /// Distinct attributes.
    Distinct,
    /// Distinct attributes and strings.
    DistinctOrString,
    /// Strings, of any type.
    String,
    /// `true` and `false`
    Bool,
    /// Integers, of any type.
    Integer,
    /// Arrays, of any items.
    Array,
    /// Fused locations.
    FusedLocation,
    /// Attributes of this dialect with this mnemonic. Text leaves out both.
    Of(&'static str, &'static str),
    /// Those of a group.
    Group(&'static Group),
}

/// Attributes that may stand in each other's place.
#[derive(Debug)]
pub struct Group {
    /// One of them, with its article: `a scope of debug information`.
    pub description: &'static str,
    /// Whether an attribute belongs to it.
    pub holds: fn(&Context, &AttributeData) -> bool,
}

/// Attributes that name numbers: see [`FieldKind::Named`].
#[derive(Debug)]
pub struct NumberNames {
    /// What the names are of, with its article: `a language`.
    pub description: &'static str,
    /// The words that text has for the numbers.
    pub keywords: &'static Keywords,
    /// In whose encodings the attributes stand for the numbers.
    pub since: Release,
    /// Whether an attribute is such a name.
    pub is_name: fn(&Context, &AttributeData) -> bool,
    /// The number that an attribute names, where that is all it says; else the attribute.
    pub number: fn(&Context, Attribute) -> Parameter,
    /// The attribute that names a number. `None` where the number has no word.
    pub name: fn(&Context, u64) -> Option<Attribute>,
}

/// The cases of an enum, of which a newer build may know more: see [`FieldKind::Case`]. An attribute or type with a word that is none
/// of these is unknown, and not wrong.
#[derive(Debug)]
pub struct Enumeration {
    /// What the enum is called.
    pub name: &'static str,
    /// The word for a number. Those without one are numbers in text.
    pub word: fn(u32) -> Option<&'static str>,
    /// The number that a word stands for.
    pub number: fn(&[u8]) -> Option<u32>,
}

/// Words that stand for numbers.
#[derive(Debug)]
pub struct Keywords {
    /// What every word begins with.
    pub prefix: &'static str,
    /// Numbers and what follows the prefix, by number.
    pub names: &'static [(u64, &'static str)],
    /// The most bits that a number may have.
    pub bits: u32,
}

impl Keywords {
    /// The word for a number, without the prefix.
    pub fn name(&self, number: u64) -> Option<&'static str> {
        self.names.binary_search_by_key(&number, |entry| entry.0).ok().map(|at| self.names[at].1)
    }

    /// The number that a word stands for.
    pub fn number(&self, word: &[u8]) -> Option<u64> {
        let name = word.strip_prefix(self.prefix.as_bytes())?;
        self.names.iter().find(|entry| entry.1.as_bytes() == name).map(|entry| entry.0)
    }
}

/// Words that stand for bits of a number.
#[derive(Debug)]
pub struct Flags {
    /// The word for 0, if there is one.
    pub zero: Option<&'static str>,
    /// Words for one bit or several, in the order in which text shows them. A group takes its bits away from what follows.
    pub groups: &'static [(u64, &'static str)],
    /// Words for one bit, in the order in which text shows them. Several may share a bit.
    pub bits: &'static [(u64, &'static str)],
}

impl Flags {
    /// The words for a number, and the bits that have none.
    pub fn words(&self, number: u64) -> (Vec<&'static str>, u64) {
        let mut words = Vec::new();
        let (mut left, mut unnamed) = (number, number);
        for &(mask, word) in self.groups {
            if left & mask == mask {
                words.push(word);
                left &= !mask;
                unnamed &= !mask;
            }
        }
        for &(mask, word) in self.bits {
            if left & mask == mask {
                words.push(word);
                unnamed &= !mask;
            }
        }
        (words, unnamed)
    }

    /// The bits that a word stands for.
    pub fn mask(&self, word: &[u8]) -> Option<u64> {
        self.groups.iter().chain(self.bits).find(|entry| entry.1.as_bytes() == word).map(|entry| entry.0)
    }
}

impl FieldsDef {
    /// An attribute or type whose encoding has that code.
    pub const fn new(mnemonic: &'static str, code: u64, fields: &'static [Field]) -> Self {
        FieldsDef { mnemonic, code: Some(code), fields }
    }

    /// Where the parameter of that name stands.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Checks that these are parameters of the definition, and of the right kinds.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying which parameter is wrong.
    pub fn verify(&self, context: &Context, parameters: &[Parameter]) -> Result<()> {
        if parameters.len() != self.fields.len() {
            let (wanted, found) = (self.fields.len(), parameters.len());
            return Err(Error::verification(format!(
                "`{}` has {}, not {found}",
                self.mnemonic,
                Error::counted(wanted, "parameter")
            )));
        }
        match self.fields.iter().zip(parameters).find(|(field, parameter)| !field.holds(context, parameter)) {
            None => Ok(()),
            Some((field, _)) => Err(Error::verification(format!(
                "parameter `{}` of `{}` is not {}",
                field.name,
                self.mnemonic,
                field.kind.description()
            ))),
        }
    }
}

impl Field {
    /// A parameter that must be given.
    pub const fn required(name: &'static str, kind: FieldKind) -> Self {
        Field { required: true, shown: true, ..Self::optional(name, kind) }
    }

    /// A parameter that text leaves out where it says nothing.
    pub const fn optional(name: &'static str, kind: FieldKind) -> Self {
        let since = Release::OLDEST;
        let (optional_since, narrow_before, default) = (since, None, None);
        let (required, unnamed, shown, dropped) = (false, false, false, false);
        Field { name, kind, required, unnamed, shown, since, dropped, optional_since, narrow_before, default }
    }

    /// A parameter that the encoding has since a release.
    #[must_use]
    pub const fn since(self, release: Release) -> Self {
        Field { since: release, ..self }
    }

    /// A parameter that text shows without its name, before those with names.
    #[must_use]
    pub const fn unnamed(self) -> Self {
        Field { unnamed: true, required: true, shown: true, ..self }
    }

    /// A parameter that MLIR asks for in text, up to some release, though it has a value where it is not given.
    #[must_use]
    pub const fn shown(self) -> Self {
        Field { shown: true, ..self }
    }

    /// A parameter that has a value of its own where it is not given.
    #[must_use]
    pub const fn or(self, default: DefaultValue) -> Self {
        Field { default: Some(default), ..self }
    }

    /// Whether the encoding of a release has the parameter.
    pub fn is_encoded(&self, release: Release) -> bool {
        release >= self.since
    }

    /// Whether the encoding of a release says if the attribute is there.
    pub fn is_optional(&self, release: Release) -> bool {
        !self.required && release >= self.optional_since
    }

    /// What the parameter is where it is not given.
    pub fn absent(&self, context: &Context) -> Parameter {
        self.default.map_or_else(|| self.kind.absent(), |default| default.parameter(context))
    }

    /// Whether text leaves out the parameter where it is not required: it is [as if not given](Field::absent).
    pub fn says_nothing(&self, context: &Context, parameter: &Parameter) -> bool {
        match self.default {
            Some(default) => default.parameter(context) == *parameter,
            None => self.kind.says_nothing(parameter),
        }
    }

    /// Whether text shows the parameter.
    pub fn is_shown(&self, context: &Context, parameter: &Parameter) -> bool {
        self.shown || !self.says_nothing(context, parameter)
    }

    /// Whether the encoding of a release can hold the parameter, or drops it as that release does.
    pub fn fits(&self, context: &Context, parameter: &Parameter, release: Release) -> bool {
        if let Some((until, class)) = self.narrow_before
            && release < until
        {
            let items = if let Parameter::List(items) = parameter { items } else { std::slice::from_ref(parameter) };
            let is_other = |item: &Parameter| matches!(item, Parameter::Attribute(it) if !class.holds(context, *it));
            if items.iter().any(is_other) {
                return false;
            }
        }
        match (self.kind, parameter) {
            _ if !self.is_encoded(release) => self.dropped || self.says_nothing(context, parameter),
            (FieldKind::Attribute(_), Parameter::None) => self.is_optional(release),
            // The encoding has no place to say so.
            (FieldKind::Signed(_) | FieldKind::SignedList(_), Parameter::None) => false,
            (FieldKind::Named(names), Parameter::Attribute(_)) => release >= names.since,
            (FieldKind::Named(names), Parameter::Unsigned(number)) => {
                release < names.since || names.keywords.name(*number).is_some()
            }
            _ => true,
        }
    }

    /// Whether the parameter is of the right kind.
    pub fn holds(&self, context: &Context, parameter: &Parameter) -> bool {
        let fits = |bits: u32, value: u64| bits >= 64 || value >> bits == 0;
        let is_signed = |bits: u32, parameter: &Parameter| match parameter {
            Parameter::Signed(value) => fits_signed(bits, *value),
            _ => false,
        };
        let list = |item: &dyn Fn(&Parameter) -> bool| match parameter {
            Parameter::List(items) => items.iter().all(item),
            _ => false,
        };
        match (self.kind, parameter) {
            (FieldKind::Unsigned(bits) | FieldKind::OptionalUnsigned(bits), Parameter::Unsigned(value)) => {
                fits(bits, *value)
            }
            (
                FieldKind::Keyword(keywords) | FieldKind::Named(&NumberNames { keywords, .. }),
                Parameter::Unsigned(value),
            ) => fits(keywords.bits, *value),
            (FieldKind::Named(names), Parameter::Attribute(name)) => (names.is_name)(context, &context[*name]),
            (FieldKind::Flags(_) | FieldKind::Case(_), Parameter::Unsigned(value)) => fits(32, *value),
            (FieldKind::OptionalUnsigned(_) | FieldKind::Absent, Parameter::None) => true,
            (FieldKind::Attribute(_) | FieldKind::Signed(_) | FieldKind::SignedList(_), Parameter::None) => {
                !self.required && self.default.is_none()
            }
            (FieldKind::String, Parameter::Attribute(value)) => AttributeClass::String.holds(context, *value),
            (FieldKind::Attribute(class), Parameter::Attribute(value)) => class.holds(context, *value),
            (FieldKind::Signed(bits), _) => is_signed(bits, parameter),
            (FieldKind::Bool, Parameter::Bool(_))
            | (FieldKind::Double, Parameter::Double(_))
            | (FieldKind::Type, Parameter::Type(_)) => true,
            (FieldKind::Attributes(class) | FieldKind::Braced(class), _) => {
                list(&|item| matches!(item, Parameter::Attribute(value) if class.holds(context, *value)))
            }
            (FieldKind::AnyAttributes(_), _) => list(&|item| matches!(item, Parameter::Attribute(_))),
            (FieldKind::UnsignedList, _) => list(&|item| matches!(item, Parameter::Unsigned(_))),
            (FieldKind::SignedList(bits), _) => list(&|item| is_signed(bits, item)),
            (FieldKind::Doubles, _) => list(&|item| matches!(item, Parameter::Double(_))),
            _ => false,
        }
    }
}

/// Whether a number is one of that many bits.
fn fits_signed(bits: u32, value: i64) -> bool {
    bits >= 64 || value >> bits.saturating_sub(1) == value >> 63
}

impl FieldKind {
    /// What a parameter without a default of its own is where text leaves it out.
    fn absent(self) -> Parameter {
        match self {
            FieldKind::Unsigned(_) | FieldKind::Keyword(_) | FieldKind::Case(_) | FieldKind::Flags(_) => {
                Parameter::Unsigned(0)
            }
            FieldKind::Bool => Parameter::Bool(false),
            FieldKind::Attributes(_) | FieldKind::AnyAttributes(_) | FieldKind::Braced(_) | FieldKind::UnsignedList => {
                Parameter::List(Box::default())
            }
            _ => Parameter::None,
        }
    }

    /// Whether a parameter is what it is where text leaves it out.
    fn says_nothing(self, parameter: &Parameter) -> bool {
        match parameter {
            Parameter::None | Parameter::Bool(false) => true,
            Parameter::Unsigned(0) => !matches!(self, FieldKind::OptionalUnsigned(_)),
            Parameter::List(items) => items.is_empty() && !matches!(self, FieldKind::SignedList(_)),
            _ => false,
        }
    }

    fn description(self) -> String {
        match self {
            FieldKind::Unsigned(bits) | FieldKind::OptionalUnsigned(bits) => format!("a number of {bits} bits"),
            FieldKind::Keyword(keywords) => format!("a number of {} bits", keywords.bits),
            FieldKind::Named(names) => names.description.to_owned(),
            FieldKind::Flags(_) | FieldKind::Case(_) => "a number of 32 bits".to_owned(),
            FieldKind::Signed(bits) => format!("a signed number of {bits} bits"),
            FieldKind::Bool => "true or false".to_owned(),
            FieldKind::Double => "a double".to_owned(),
            FieldKind::String => AttributeClass::String.description(),
            FieldKind::Attribute(class) => class.description(),
            FieldKind::Attributes(class) | FieldKind::Braced(class) => {
                format!("a list, each item {}", class.description())
            }
            FieldKind::AnyAttributes(_) => format!("a list, each item {}", AttributeClass::Any.description()),
            FieldKind::Type => "a type".to_owned(),
            FieldKind::Absent => "absent".to_owned(),
            FieldKind::UnsignedList => "a list of numbers".to_owned(),
            FieldKind::SignedList(bits) => format!("a list of signed numbers of {bits} bits"),
            FieldKind::Doubles => "a list of doubles".to_owned(),
        }
    }
}

impl AttributeClass {
    /// Whether the class takes the attribute.
    pub fn holds(self, context: &Context, attribute: Attribute) -> bool {
        let data = &context[attribute];
        match self {
            AttributeClass::Any => true,
            AttributeClass::Distinct => matches!(data, AttributeData::Distinct { .. }),
            AttributeClass::DistinctOrString => {
                matches!(data, AttributeData::Distinct { .. } | AttributeData::String { .. })
            }
            AttributeClass::String => matches!(data, AttributeData::String { .. }),
            AttributeClass::Bool => match data {
                AttributeData::Integer { ty, .. } => {
                    context[*ty] == TypeData::Integer { width: 1, signedness: Signedness::Signless }
                }
                _ => false,
            },
            AttributeClass::Integer => matches!(data, AttributeData::Integer { .. }),
            AttributeClass::Array => matches!(data, AttributeData::Array(_)),
            AttributeClass::FusedLocation => matches!(data, AttributeData::FusedLocation { .. }),
            AttributeClass::Of(dialect, mnemonic) => match data {
                AttributeData::Dialect(value) => value.is(context, dialect, mnemonic),
                _ => false,
            },
            AttributeClass::Group(group) => (group.holds)(context, data),
        }
    }

    fn description(self) -> String {
        match self {
            AttributeClass::Any => "an attribute".to_owned(),
            AttributeClass::Distinct => "a distinct attribute".to_owned(),
            AttributeClass::DistinctOrString => "a distinct attribute or a string".to_owned(),
            AttributeClass::String => "a string".to_owned(),
            AttributeClass::Bool => "`true` or `false`".to_owned(),
            AttributeClass::Integer => "an integer".to_owned(),
            AttributeClass::Array => "an array".to_owned(),
            AttributeClass::FusedLocation => "a fused location".to_owned(),
            AttributeClass::Of(_, mnemonic) => format!("a `{mnemonic}`"),
            AttributeClass::Group(group) => group.description.to_owned(),
        }
    }
}
