//! What is known of attributes and types of upstream dialects that are more than text: their parameters.
//!
//! A [`Definition`] lists the parameters of one attribute or type. Bytecode encodings, text and verification all follow it.

mod dwarf;
pub mod llvm;
pub mod quant;
mod structure;

use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::ods::Release;
use crate::parameter::Parameter;
use crate::types::{Signedness, TypeData};

/// The parameters of an attribute or type.
#[derive(Debug)]
pub struct Definition {
    /// What stands behind the dialect's name in text.
    pub mnemonic: &'static str,
    /// The number of its encoding in bytecode. `None` where bytecode holds its text.
    pub code: Option<u64>,
    /// The parameters, in the order of the encoding.
    pub fields: &'static [Field],
}

/// One parameter of a [`Definition`].
#[derive(Debug)]
pub struct Field {
    /// Its name in text.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether it must be given.
    pub required: bool,
    /// Whether text shows it even where it is absent, empty, false or 0, since some release asks for it.
    pub shown: bool,
    /// Since which release the encoding has it. What has it otherwise is text in the bytecode of older releases.
    pub since: Release,
    /// Whether the bytecode of releases before that drops it instead, as theirs did.
    pub dropped: bool,
    /// Since which release the encoding of an attribute says whether it is there; before it must be.
    pub optional_since: Release,
    /// Since which release attributes of the class [`Class::Any`] may be anything; before they are nodes of debug information.
    pub any_since: Release,
}

/// What a parameter holds.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// [`Parameter::Unsigned`] of at most that many bits.
    Unsigned(u32),
    /// [`Parameter::Unsigned`] of at most that many bits, or [`Parameter::None`], which is not 0.
    OptionalUnsigned(u32),
    /// [`Parameter::Signed`]
    Signed,
    /// [`Parameter::Bool`]
    Bool,
    /// [`Parameter::Double`]
    Double,
    /// [`Parameter::Unsigned`] that text shows as a word.
    Keyword(&'static Keywords),
    /// [`Parameter::Unsigned`] whose bits text shows as words.
    Flags(&'static Flags),
    /// [`Parameter::Attribute`] of a string; bytecode has its bytes alone.
    String,
    /// [`Parameter::Attribute`], or [`Parameter::None`] where it is not required.
    Attribute(Class),
    /// [`Parameter::List`] of attributes. Text puts those of any class into brackets, as newer releases do, where one is no node.
    Attributes(Class),
    /// A language: [`Parameter::Unsigned`] that text shows as a word, or [`Parameter::Attribute`] of another name for it,
    /// which MLIR 24 has. The encoding of that release has an attribute for both.
    Language(&'static Keywords),
    /// [`Parameter::List`] of attributes, in braces in text.
    Braced(Class),
    /// [`Parameter::Type`]
    Type,
    /// [`Parameter::None`], where another form of the type has something. Takes no bytes.
    Absent,
    /// [`Parameter::List`] of [`Parameter::Unsigned`], which are the operands of a DWARF operation.
    Operands,
    /// [`Parameter::List`] of [`Parameter::Signed`].
    SignedList,
    /// [`Parameter::List`] of [`Parameter::Double`].
    Doubles,
}

/// Which attributes a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
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
    /// Fused locations.
    FusedLocation,
    /// Attributes of the dialect with this mnemonic. Text leaves out dialect and mnemonic.
    Of(&'static str),
    /// Attributes of the `llvm` dialect that belong to a group.
    Group(llvm::Group),
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

impl Definition {
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
    const fn required(name: &'static str, kind: FieldKind) -> Self {
        Field { required: true, shown: true, ..Self::optional(name, kind) }
    }

    const fn optional(name: &'static str, kind: FieldKind) -> Self {
        let since = Release::OLDEST;
        let (optional_since, any_since) = (since, since);
        Field { name, kind, required: false, shown: false, since, dropped: false, optional_since, any_since }
    }

    /// A parameter that the encoding has since a release.
    const fn since(self, release: Release) -> Self {
        Field { since: release, ..self }
    }

    /// A parameter that MLIR asks for in text, up to some release, though it has a value where it is not given.
    const fn shown(self) -> Self {
        Field { shown: true, ..self }
    }

    /// Whether the encoding of a release has the parameter.
    pub fn is_encoded(&self, release: Release) -> bool {
        release >= self.since
    }

    /// Whether the encoding of a release says if the attribute is there.
    pub fn is_optional(&self, release: Release) -> bool {
        !self.required && release >= self.optional_since
    }

    /// What the parameter is where nobody gives it.
    pub fn absent(&self) -> Parameter {
        structure::absent(self.kind)
    }

    /// Whether the encoding of a release can hold the parameter, or drops it as that release does.
    pub fn fits(&self, context: &Context, parameter: &Parameter, release: Release) -> bool {
        if release < self.any_since {
            let nodes = Class::Group(llvm::Group::Node);
            let items = if let Parameter::List(items) = parameter { items } else { std::slice::from_ref(parameter) };
            let is_other = |item: &Parameter| matches!(item, Parameter::Attribute(it) if !nodes.holds(context, *it));
            if items.iter().any(is_other) {
                return false;
            }
        }
        match (self.kind, parameter) {
            _ if !self.is_encoded(release) => self.dropped || structure::says_nothing(self.kind, parameter),
            (FieldKind::Attribute(_), Parameter::None) => self.is_optional(release),
            (FieldKind::Language(_), Parameter::Attribute(_)) => release >= llvm::LANGUAGE_NAMES,
            (FieldKind::Language(keywords), Parameter::Unsigned(number)) => {
                release < llvm::LANGUAGE_NAMES || keywords.name(*number).is_some()
            }
            _ => true,
        }
    }

    /// Whether the parameter is of the right kind.
    fn holds(&self, context: &Context, parameter: &Parameter) -> bool {
        let fits = |bits: u32, value: u64| bits >= 64 || value >> bits == 0;
        let list = |item: &dyn Fn(&Parameter) -> bool| match parameter {
            Parameter::List(items) => items.iter().all(item),
            _ => false,
        };
        match (self.kind, parameter) {
            (FieldKind::Unsigned(bits) | FieldKind::OptionalUnsigned(bits), Parameter::Unsigned(value)) => {
                fits(bits, *value)
            }
            (FieldKind::Keyword(keywords) | FieldKind::Language(keywords), Parameter::Unsigned(value)) => {
                fits(keywords.bits, *value)
            }
            (FieldKind::Language(_), Parameter::Attribute(name)) => llvm::is_language_name(&context[*name]),
            (FieldKind::Flags(_), Parameter::Unsigned(value)) => fits(32, *value),
            (FieldKind::OptionalUnsigned(_) | FieldKind::Absent, Parameter::None) => true,
            (FieldKind::Attribute(_), Parameter::None) => !self.required,
            (FieldKind::String, Parameter::Attribute(value)) => Class::String.holds(context, *value),
            (FieldKind::Attribute(class), Parameter::Attribute(value)) => class.holds(context, *value),
            (FieldKind::Signed, Parameter::Signed(_))
            | (FieldKind::Bool, Parameter::Bool(_))
            | (FieldKind::Double, Parameter::Double(_))
            | (FieldKind::Type, Parameter::Type(_)) => true,
            (FieldKind::Attributes(class) | FieldKind::Braced(class), _) => {
                list(&|item| matches!(item, Parameter::Attribute(value) if class.holds(context, *value)))
            }
            (FieldKind::Operands, _) => list(&|item| matches!(item, Parameter::Unsigned(_))),
            (FieldKind::SignedList, _) => list(&|item| matches!(item, Parameter::Signed(_))),
            (FieldKind::Doubles, _) => list(&|item| matches!(item, Parameter::Double(_))),
            _ => false,
        }
    }
}

impl FieldKind {
    fn description(self) -> String {
        match self {
            FieldKind::Unsigned(bits) | FieldKind::OptionalUnsigned(bits) => format!("a number of {bits} bits"),
            FieldKind::Keyword(keywords) => format!("a number of {} bits", keywords.bits),
            FieldKind::Language(_) => "a language".to_owned(),
            FieldKind::Flags(_) => "a number of 32 bits".to_owned(),
            FieldKind::Signed => "a signed number".to_owned(),
            FieldKind::Bool => "true or false".to_owned(),
            FieldKind::Double => "a double".to_owned(),
            FieldKind::String => Class::String.description(),
            FieldKind::Attribute(class) => class.description(),
            FieldKind::Attributes(class) | FieldKind::Braced(class) => {
                format!("a list, each item {}", class.description())
            }
            FieldKind::Type => "a type".to_owned(),
            FieldKind::Absent => "absent".to_owned(),
            FieldKind::Operands | FieldKind::SignedList => "a list of numbers".to_owned(),
            FieldKind::Doubles => "a list of doubles".to_owned(),
        }
    }
}

impl Class {
    /// Whether the class takes the attribute.
    pub fn holds(self, context: &Context, attribute: Attribute) -> bool {
        let data = &context[attribute];
        match self {
            Class::Any => true,
            Class::Distinct => matches!(data, AttributeData::Distinct { .. }),
            Class::DistinctOrString => matches!(data, AttributeData::Distinct { .. } | AttributeData::String { .. }),
            Class::String => matches!(data, AttributeData::String { .. }),
            Class::Bool => match data {
                AttributeData::Integer { ty, .. } => {
                    context[*ty] == TypeData::Integer { width: 1, signedness: Signedness::Signless }
                }
                _ => false,
            },
            Class::Integer => matches!(data, AttributeData::Integer { .. }),
            Class::FusedLocation => matches!(data, AttributeData::FusedLocation { .. }),
            Class::Of(mnemonic) => match data {
                AttributeData::Dialect(value) => {
                    context.bytes(value.dialect) == b"llvm" && context.bytes(value.mnemonic) == mnemonic.as_bytes()
                }
                _ => false,
            },
            Class::Group(group) => group.holds(context, data),
        }
    }

    fn description(self) -> String {
        match self {
            Class::Any => "an attribute".to_owned(),
            Class::Distinct => "a distinct attribute".to_owned(),
            Class::DistinctOrString => "a distinct attribute or a string".to_owned(),
            Class::String => "a string".to_owned(),
            Class::Bool => "`true` or `false`".to_owned(),
            Class::Integer => "an integer".to_owned(),
            Class::FusedLocation => "a fused location".to_owned(),
            Class::Of(mnemonic) => format!("a `{mnemonic}`"),
            Class::Group(group) => group.description().to_owned(),
        }
    }
}

fn is_float(data: &TypeData) -> bool {
    matches!(data, TypeData::Float(_))
}
