//! Attributes that are one case of an enum: a mnemonic, and the number of the case.

use std::borrow::Cow;

use mlirbc_ir::ods::{Enumeration, Enumerators};
use mlirbc_ir::text::{DialectPrinter, DialectText, Parser, is_word, split_symbol};
use mlirbc_ir::{Attribute, AttributeData, Context, DialectValue, Error, Parameter, Result};

/// What stands around the case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Brackets {
    /// Nothing: `#gpu<dim x>`.
    None,
    /// `#arith.fastmath<fast>`
    Angle,
    /// `#omp<clause_depend(dependsource)>`
    Round,
    /// `#omp<data_sharing_type{type = private}>`
    Member,
}

impl Brackets {
    /// What is printed before the case, and behind it.
    fn around(self) -> (&'static str, &'static str) {
        match self {
            Brackets::None => (" ", ""),
            Brackets::Angle => ("<", ">"),
            Brackets::Round => ("(", ")"),
            Brackets::Member => ("{type = ", "}"),
        }
    }

    /// Reads what stands before the case. False where something else does.
    fn open(self, parser: &mut Parser<'_>) -> bool {
        match self {
            Brackets::None => true,
            Brackets::Angle => parser.eat(b'<'),
            Brackets::Round => parser.eat(b'('),
            Brackets::Member => parser.eat(b'{') && parser.eat_word(b"type") && parser.eat(b'='),
        }
    }

    /// Reads what stands behind the case. False where something else does.
    fn close(self, parser: &mut Parser<'_>) -> bool {
        match self {
            Brackets::None => true,
            Brackets::Angle => parser.eat(b'>'),
            Brackets::Round => parser.eat(b')'),
            Brackets::Member => parser.eat(b'}'),
        }
    }

    /// Whether such an attribute is written `#dialect.mnemonic<case>`: without brackets around the mnemonic and the case, since those
    /// of the case are enough.
    fn is_short(self) -> bool {
        self == Brackets::Angle
    }
}

/// An attribute of a dialect that is one case of an enum and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnumAttribute {
    /// Its mnemonic.
    pub(crate) mnemonic: &'static str,
    /// The enum.
    pub(crate) cases: Enumerators,
    /// What stands around the case.
    pub(crate) brackets: Brackets,
}

impl EnumAttribute {
    /// That of the enum.
    pub(crate) const fn of<E: Enumeration>(mnemonic: &'static str, brackets: Brackets) -> Self {
        EnumAttribute { mnemonic, cases: Enumerators::of::<E>(), brackets }
    }

    /// The text of the case that these parameters are.
    fn text_of(&self, parameters: &[Parameter]) -> Option<Cow<'static, str>> {
        (self.cases.text_of)(number(parameters)?)
    }
}

/// The text of all such attributes of a dialect. What is no case that the definitions know is kept as text.
#[derive(Clone, Copy)]
pub(crate) struct Cases(pub(crate) &'static [EnumAttribute]);

impl Cases {
    /// Whether an attribute of that mnemonic is among them.
    pub(crate) fn has(self, mnemonic: &[u8]) -> bool {
        self.find(mnemonic).is_some()
    }

    fn find(self, mnemonic: &[u8]) -> Option<&'static EnumAttribute> {
        self.0.iter().find(|known| known.mnemonic.as_bytes() == mnemonic)
    }
}

fn number(parameters: &[Parameter]) -> Option<i64> {
    match parameters {
        [Parameter::Unsigned(number)] => i64::try_from(*number).ok(),
        [Parameter::Signed(number @ ..0)] => Some(*number),
        _ => None,
    }
}

fn parameter(number: i64) -> Parameter {
    u64::try_from(number).map_or(Parameter::Signed(number), Parameter::Unsigned)
}

impl DialectText for Cases {
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        match self.find(context.bytes(value.mnemonic)) {
            Some(known) if known.text_of(&value.parameters).is_none() => {
                Err(Error::verification(format!("`{}` is no case of `{}`", known.mnemonic, known.cases.name)))
            }
            _ => Ok(()),
        }
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let Some(known) = self.find(printer.context().bytes(value.mnemonic)) else { return false };
        let Some(text) = known.text_of(&value.parameters) else { return false };
        let (open, close) = known.brackets.around();
        printer.text(open);
        match known.cases.separator {
            Some(_) => printer.text(&*text),
            None => printer.keyword_or_string(&*text),
        };
        printer.text(close);
        true
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let Some(known) = self.find(mnemonic) else { return Ok(None) };
        if !known.brackets.open(parser) {
            return Ok(None);
        }
        let text =
            if parser.is_at(b'"') { parser.string()?.into_owned() } else { words(known.cases.separator, parser) };
        let value = std::str::from_utf8(&text).ok().and_then(known.cases.value_of);
        if !known.brackets.close(parser) {
            return Ok(None);
        }
        Ok(value.map(|value| [parameter(value)].into()))
    }

    fn has_type(&self, _: &[u8]) -> bool {
        false
    }
}

/// The word that is next, or the words with the separator between them.
fn words(separator: Option<&str>, parser: &mut Parser<'_>) -> Vec<u8> {
    let mut text = parser.word().to_vec();
    let between = separator.and_then(|separator| separator.trim().bytes().next());
    while let Some(between) = between
        && parser.eat(between)
    {
        text.push(between);
        text.extend_from_slice(parser.word());
    }
    text
}

/// The case that an attribute of this dialect and mnemonic is, `#arith.fastmath<fast>`; `None` where it is none.
pub fn case_of<E: Enumeration>(context: &Context, attribute: Attribute, dialect: &str, mnemonic: &str) -> Option<E> {
    E::from_value(number(context.attribute_parameters(attribute, dialect, mnemonic)?)?)
}

/// The attribute of this dialect and mnemonic that is this case.
pub(crate) fn attribute_of<E: Enumeration>(
    context: &Context,
    dialect: &'static str,
    mnemonic: &'static str,
    case: E,
) -> Attribute {
    context.dialect_attribute(dialect, mnemonic, [parameter(case.value())])
}

/// The word that an attribute of this dialect and mnemonic is. A case of another release, which is kept as text, has one, too.
pub(crate) fn word_of<'c>(
    context: &'c Context,
    attribute: Attribute,
    dialect: &str,
    mnemonic: &str,
    cases: Cases,
) -> Option<Cow<'c, [u8]>> {
    let known = cases.find(mnemonic.as_bytes())?;
    if let Some(parameters) = context.attribute_parameters(attribute, dialect, mnemonic) {
        return Some(match known.text_of(parameters)? {
            Cow::Borrowed(text) => text.as_bytes().into(),
            Cow::Owned(text) => text.into_bytes().into(),
        });
    }
    match &context[attribute] {
        AttributeData::Text { text, .. } => {
            let named = (dialect.as_bytes(), mnemonic.as_bytes());
            let (.., rest) = split_symbol(text).filter(|symbol| (symbol.0, symbol.1) == named)?;
            let (open, close) = known.brackets.around();
            let word = rest.strip_prefix(open.as_bytes())?.strip_suffix(close.as_bytes())?;
            is_word(word).then(|| word.into())
        }
        _ => None,
    }
}

/// The attribute of this dialect and mnemonic that is this word. A case of another release is kept as text.
pub(crate) fn attribute_of_word(
    context: &Context,
    dialect: &'static str,
    mnemonic: &'static str,
    cases: Cases,
    word: &[u8],
) -> Attribute {
    let known = cases.find(mnemonic.as_bytes());
    let case = known.and_then(|known| (known.cases.value_of)(std::str::from_utf8(word).ok()?));
    match case {
        Some(case) => context.dialect_attribute(dialect, mnemonic, [parameter(case)]),
        None => {
            let brackets = known.map_or(Brackets::Angle, |known| known.brackets);
            let (between, end) = if brackets.is_short() { (".", "") } else { ("<", ">") };
            let (open, close) = brackets.around();
            let before = ["#", dialect, between, mnemonic, open].concat();
            let text = [before.as_bytes(), word, close.as_bytes(), end.as_bytes()].concat();
            context.attribute(AttributeData::Text { dialect: context.static_identifier(dialect), text: text.into() })
        }
    }
}

/// Lists enums, and the attributes that are a case of one: by enum, what stands around the case, and mnemonic.
macro_rules! listed {
    ($($name:ident,)* ; $($of:ident in $brackets:ident of $mnemonic:literal,)*) => {
        /// The enums of the dialect.
        pub(crate) const ENUMERATIONS: &[mlirbc_ir::ods::Enumerators] =
            &[$(mlirbc_ir::ods::Enumerators::of::<$name>(),)*];

        /// The attributes of the dialect that are a case of one and nothing else.
        pub(crate) const ENUM_ATTRIBUTES: &[$crate::common::cases::EnumAttribute] = &[
            $($crate::common::cases::EnumAttribute::of::<$of>($mnemonic, $crate::common::cases::Brackets::$brackets),)*
        ];
    };
}

pub(crate) use listed;
