//! Operands that are no ids.

use std::borrow::Cow;

use mlirbc_ir::{Context, Parameter};

use crate::binary::words;
use crate::grammar::{Kind, Missing, Operand, Set, Stream, walk};

/// An operand that is no id.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Literal {
    /// One word; a number of several words is several of these, the lowest first.
    Word(u32),
    /// A string, filled up with zeros.
    String(Box<[u8]>),
    /// An enumerant, or the bits of a mask.
    Enumerant(Kind, u32),
}

impl From<u32> for Literal {
    fn from(word: u32) -> Self {
        Literal::Word(word)
    }
}

impl From<&str> for Literal {
    fn from(string: &str) -> Self {
        Literal::String(string.as_bytes().into())
    }
}

impl Literal {
    pub(crate) fn to_parameter(&self) -> Parameter {
        match self {
            Literal::Word(word) => Parameter::Unsigned((*word).into()),
            Literal::String(string) => Parameter::String(string.clone()),
            Literal::Enumerant(kind, value) => {
                Parameter::List([Parameter::Unsigned(*kind as u64), Parameter::Unsigned((*value).into())].into())
            }
        }
    }
}

/// A literal in the parameters of its attribute, which owns its string.
pub(crate) enum Item<'c> {
    Word(u32),
    String(&'c [u8]),
    Enumerant(Kind, u32),
}

/// The literal that a parameter stands for.
pub(crate) fn item(parameter: &Parameter) -> Option<Item<'_>> {
    match parameter {
        Parameter::Unsigned(word) => Some(Item::Word(u32::try_from(*word).ok()?)),
        // A zero would end it.
        Parameter::String(string) if !string.contains(&0) => Some(Item::String(string)),
        Parameter::List(parts) => match **parts {
            [Parameter::Unsigned(kind), Parameter::Unsigned(value)] => {
                let kind = *Kind::ALL.get(usize::try_from(kind).ok()?)?;
                Some(Item::Enumerant(kind, u32::try_from(value).ok()?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Appends the words of literals; false where the parameters are not literals.
pub(crate) fn flatten(parameters: &[Parameter], into: &mut Vec<u32>) -> bool {
    for parameter in parameters {
        match item(parameter) {
            Some(Item::Word(word) | Item::Enumerant(_, word)) => into.push(word),
            Some(Item::String(string)) => words::push_string(into, string),
            None => return false,
        }
    }
    true
}

impl Literal {
    /// The literals of an attribute `#spirv_binary.literals<...>`; `None` for any other attribute.
    pub fn of(context: &Context, attribute: mlirbc_ir::Attribute) -> Option<Vec<Literal>> {
        let parameters = super::parameters(context, attribute, "literals")?;
        parameters
            .iter()
            .map(|parameter| {
                Some(match item(parameter)? {
                    Item::Word(word) => Literal::Word(word),
                    Item::String(string) => Literal::String(string.into()),
                    Item::Enumerant(kind, value) => Literal::Enumerant(kind, value),
                })
            })
            .collect()
    }
}

/// Words that are literals, as what the grammar takes them for.
struct Typed<'w> {
    words: &'w [u32],
    literals: Vec<Literal>,
}

/// The literals of an instruction with these operands whose words, without ids, are these. What the grammar has no place
/// for is plain words.
pub(crate) fn items_of_words(operands: &[Operand], words: &[u32]) -> Vec<Literal> {
    let mut typed = Typed { words, literals: Vec::new() };
    let _ = walk(operands, &mut typed);
    let rest = typed.words.iter().map(|&word| Literal::Word(word));
    typed.literals.extend(rest);
    typed.literals
}

impl Stream for Typed<'_> {
    const WITHOUT_IDS: bool = true;

    fn left(&self) -> usize {
        self.words.len()
    }

    fn id(&mut self, _: Kind) -> Result<(), Missing> {
        Ok(())
    }

    fn word(&mut self, kind: Kind) -> Result<u32, Missing> {
        let (&word, rest) = self.words.split_first().ok_or(Missing(kind))?;
        self.words = rest;
        self.literals.push(Literal::typed(kind, word));
        Ok(word)
    }

    fn string(&mut self) -> Result<(), Missing> {
        let count = words::string_words(self.words).ok_or(Missing(Kind::LiteralString))?;
        let (string, rest) = self.words.split_at(count);
        self.words = rest;
        push_string(&mut self.literals, string);
        Ok(())
    }

    fn set(&mut self) -> Set {
        Set::Unknown
    }

    fn literal_width(&mut self) -> Option<usize> {
        None
    }
}

impl Literal {
    pub(crate) fn typed(kind: Kind, word: u32) -> Self {
        use crate::grammar::OperandClass;
        match kind.class() {
            OperandClass::Value | OperandClass::Mask => Literal::Enumerant(kind, word),
            _ => Literal::Word(word),
        }
    }
}

/// Appends the string that is all of these words; as words where it is not filled up with zeros.
pub(crate) fn push_string(literals: &mut Vec<Literal>, string: &[u32]) {
    match string_of(string) {
        Some(bytes) => literals.push(Literal::String(bytes.into())),
        None => literals.extend(string.iter().map(|&word| Literal::Word(word))),
    }
}

/// The string that is all of these words, where it is filled up with zeros.
pub(super) fn string_of(words: &[u32]) -> Option<Cow<'_, [u8]>> {
    let (string, _) = words::string(words)?;
    words::is_filled_with_zeros(*words.last()?).then_some(string)
}
