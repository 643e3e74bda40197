//! Attributes and types whose parameters stand one after the other: one table a dialect, which text, checks and bytecode follow.
//!
//! The dialects of this crate that people write by hand share it. A parameter is a [`Parameter`]; an attribute is interned with those that
//! it has, and [`Held`] takes them to and from values of Rust.

use mlirbc_bytecode::encoding::{DialectEncoding, EntryReader, EntryWriter};
use mlirbc_ir::text::{DialectPrinter, DialectText, Elision, Parser};
use mlirbc_ir::{Attribute, AttributeData, Context, DialectValue, Error, Parameter, Result, Type, TypeData};

/// What a parameter holds: this says how bytecode has it, and how text shows it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Part {
    /// A number of 64 bits.
    Int,
    /// Several.
    Ints,
    /// True or false, a byte.
    Bool,
    /// A double.
    Double,
    /// A string attribute; bytecode has its bytes alone.
    Name,
    /// A type.
    Type,
    /// Several.
    Types,
    /// A case of an enum.
    Case(&'static [(u64, &'static str)]),
    /// An attribute of this mnemonic, of any kind where there is none. Text shows it in full.
    Attribute(&'static str),
    /// The same, shown without dialect and mnemonic, or absent; a byte says which.
    Marked(&'static str),
    /// An array attribute of such, in full.
    Array(&'static str),
    /// The same; bytecode has its items as a list.
    Items(&'static str),
    /// An attribute of this mnemonic or none; bytecode says which in one number with its index.
    Optional(&'static str),
    /// Several attributes of this mnemonic.
    Attributes(&'static str),
    /// A number from 0 on, that may be absent.
    OptionalInt,
}

/// Checks more than the kinds of parameters.
pub(crate) type Rule = fn(&Context, &[Parameter]) -> Result<()>;

/// Prints what stands behind a mnemonic.
pub(crate) type PrintFn = fn(&[Parameter], &mut DialectPrinter<'_>);

/// Parses the same.
pub(crate) type ParseFn = fn(&mut Parser<'_>) -> Result<Vec<Parameter>>;

/// What stands behind the mnemonic.
#[derive(Clone, Copy)]
pub(crate) enum Text {
    /// Nothing.
    None,
    /// ` CASE`
    Case,
    /// `<CASE>`
    Bracketed,
    /// `<name = value, ...>`: all of them.
    Named,
    /// The same without lists and numbers that say nothing.
    Shown,
    /// Code says.
    Own(PrintFn, ParseFn),
}

/// An attribute or a type.
pub(crate) struct Form {
    /// What text calls it.
    pub(crate) mnemonic: &'static str,
    /// The number of its encoding. `None` where bytecode holds its text.
    pub(crate) code: Option<u64>,
    /// Its parameters, in the order of the encoding.
    pub(crate) parts: &'static [(&'static str, Part)],
    /// What stands behind the mnemonic.
    pub(crate) text: Text,
    /// What holds beside.
    pub(crate) rule: Option<Rule>,
}

impl Form {
    /// One without rules.
    pub(crate) const fn new(
        mnemonic: &'static str,
        code: u64,
        parts: &'static [(&'static str, Part)],
        text: Text,
    ) -> Self {
        Form { mnemonic, code: Some(code), parts, text, rule: None }
    }

    /// The same with a rule.
    pub(crate) const fn rule(self, rule: Rule) -> Self {
        Form { rule: Some(rule), ..self }
    }

    /// The same that bytecode holds as text.
    pub(crate) const fn without_code(self) -> Self {
        Form { code: None, ..self }
    }

    fn verify(&self, context: &Context, dialect: &str, parameters: &[Parameter]) -> Result<()> {
        if parameters.len() != self.parts.len() {
            return Err(Error::verification(format!("`{}` has other parameters", self.mnemonic)));
        }
        for ((name, part), parameter) in self.parts.iter().zip(parameters) {
            if !part.holds(context, dialect, parameter) {
                return Err(Error::verification(format!("parameter `{name}` of `{}` is another", self.mnemonic)));
            }
        }
        self.rule.map_or(Ok(()), |rule| rule(context, parameters))
    }

    fn print(&self, dialect: &str, parameters: &[Parameter], printer: &mut DialectPrinter<'_>) -> bool {
        if self.verify(printer.context(), dialect, parameters).is_err() {
            return false;
        }
        match self.text {
            Text::None => {}
            Text::Case => {
                printer.text(" ");
                print_part(self.parts[0].1, &parameters[0], printer);
            }
            Text::Bracketed => {
                printer.text("<");
                print_part(self.parts[0].1, &parameters[0], printer);
                printer.text(">");
            }
            Text::Named | Text::Shown => {
                let shows_all = matches!(self.text, Text::Named);
                let shown = self.parts.iter().zip(parameters).filter(|(_, held)| !says_nothing(held, shows_all));
                printer.text("<");
                for (at, ((name, part), parameter)) in shown.enumerate() {
                    printer.text(if at == 0 { "" } else { ", " }).text(*name).text(" = ");
                    print_part(*part, parameter, printer);
                }
                printer.text(">");
            }
            Text::Own(print, _) => print(parameters, printer),
        }
        true
    }

    fn parse(&self, dialect: &str, parser: &mut Parser<'_>) -> Result<Vec<Parameter>> {
        match self.text {
            Text::None => Ok(Vec::new()),
            Text::Case => Ok(vec![parse_part(self.parts[0].1, dialect, parser)?]),
            Text::Bracketed => {
                parser.expect(b'<')?;
                let case = parse_part(self.parts[0].1, dialect, parser)?;
                parser.expect(b'>')?;
                Ok(vec![case])
            }
            Text::Named => self.parse_named(dialect, parser, false),
            Text::Shown => self.parse_named(dialect, parser, true),
            Text::Own(_, parse) => parse(parser),
        }
    }

    /// `<name = value, ...>`, in any order.
    fn parse_named(&self, dialect: &str, parser: &mut Parser<'_>, lenient: bool) -> Result<Vec<Parameter>> {
        let mut parameters: Vec<Option<Parameter>> = vec![None; self.parts.len()];
        parser.expect(b'<')?;
        while !parser.eat(b'>') {
            let word = parser.word();
            let Some(at) = self.parts.iter().position(|(name, _)| name.as_bytes() == word) else {
                return Err(parser.expected(&format!("a parameter of `{}`", self.mnemonic)));
            };
            if parameters[at].is_some() {
                return Err(parser.error(format!("`{}` is given twice", self.parts[at].0)));
            }
            parser.expect(b'=')?;
            parameters[at] = Some(parse_part(self.parts[at].1, dialect, parser)?);
            if !parser.eat(b',') {
                parser.expect(b'>')?;
                break;
            }
        }
        let absent = |((name, part), held): (&(&str, Part), Option<Parameter>), parser: &mut Parser<'_>| match held {
            Some(held) => Ok(held),
            None => match part.absent(lenient) {
                Some(absent) => Ok(absent),
                None => Err(parser.error(format!("`{name}` of `{}` is missing", self.mnemonic))),
            },
        };
        self.parts.iter().zip(parameters).map(|each| absent(each, parser)).collect()
    }
}

/// Whether text leaves out a parameter.
fn says_nothing(parameter: &Parameter, shows_all: bool) -> bool {
    match parameter {
        Parameter::None => true,
        Parameter::List(items) => items.is_empty() && !shows_all,
        Parameter::Signed(0) | Parameter::Double(0) => !shows_all,
        _ => false,
    }
}

/// Whether it is an attribute of the dialect with that mnemonic; any, where there is none.
fn is_of(context: &Context, attribute: Attribute, dialect: &str, mnemonic: &str) -> bool {
    mnemonic.is_empty() || context.attribute_parameters(attribute, dialect, mnemonic).is_some()
}

impl Part {
    fn holds(self, context: &Context, dialect: &str, parameter: &Parameter) -> bool {
        let all = |item: &dyn Fn(&Parameter) -> bool| match parameter {
            Parameter::List(items) => items.iter().all(item),
            _ => false,
        };
        let is = |mnemonic, held: &Parameter| matches!(held, Parameter::Attribute(it) if is_of(context, *it, dialect, mnemonic));
        match (self, parameter) {
            (Part::Int, Parameter::Signed(_))
            | (Part::Bool, Parameter::Bool(_))
            | (Part::Double, Parameter::Double(_))
            | (Part::Type, Parameter::Type(_))
            | (Part::OptionalInt, Parameter::Signed(0..) | Parameter::None)
            | (Part::Marked(_) | Part::Optional(_), Parameter::None) => true,
            (Part::Ints, _) => all(&|item| matches!(item, Parameter::Signed(_))),
            (Part::Types, _) => all(&|item| matches!(item, Parameter::Type(_))),
            (Part::Attributes(mnemonic), _) => all(&|item| is(mnemonic, item)),
            (Part::Name, Parameter::Attribute(name)) => is_plain_string(context, *name),
            (Part::Case(cases), Parameter::Unsigned(case)) => cases.iter().any(|(number, _)| number == case),
            (Part::Attribute(mnemonic) | Part::Marked(mnemonic) | Part::Optional(mnemonic), held) => is(mnemonic, held),
            (Part::Array(mnemonic) | Part::Items(mnemonic), Parameter::Attribute(array)) => match &context[*array] {
                AttributeData::Array(items) => items.iter().all(|item| is_of(context, *item, dialect, mnemonic)),
                _ => false,
            },
            _ => false,
        }
    }

    /// What a parameter is that text does not show. `None` where it must.
    fn absent(self, lenient: bool) -> Option<Parameter> {
        match self {
            Part::Marked(_) | Part::Optional(_) | Part::OptionalInt => Some(Parameter::None),
            Part::Int if lenient => Some(Parameter::Signed(0)),
            Part::Double if lenient => Some(Parameter::Double(0)),
            Part::Ints | Part::Attributes(_) if lenient => Some(Parameter::List(Box::default())),
            _ => None,
        }
    }
}

/// Whether it is a string without a type.
fn is_plain_string(context: &Context, name: Attribute) -> bool {
    matches!(&context[name], AttributeData::String { ty, .. } if ty.is_none())
}

/// Prints `[1, 2]`.
pub(crate) fn print_numbers(numbers: &[Parameter], printer: &mut DialectPrinter<'_>) {
    let number =
        |item: &Parameter| if let Parameter::Signed(number) = item { number.to_string() } else { String::new() };
    let numbers: Vec<String> = numbers.iter().map(number).collect();
    printer.text("[").text(numbers.join(", ")).text("]");
}

fn print_part(part: Part, parameter: &Parameter, printer: &mut DialectPrinter<'_>) {
    match (part, parameter) {
        (Part::Case(cases), Parameter::Unsigned(case)) => {
            let name = cases.iter().find(|(number, _)| number == case).map_or("", |known| known.1);
            printer.text(name);
        }
        (Part::Marked(_) | Part::Optional(_), Parameter::Attribute(attribute)) => {
            printer.stripped_attribute(*attribute);
        }
        (_, Parameter::Attribute(attribute)) => {
            printer.attribute(*attribute, Elision::Never);
        }
        (_, Parameter::Signed(number)) => {
            printer.text(number.to_string());
        }
        (_, Parameter::Bool(value)) => {
            printer.text(value.to_string());
        }
        (_, Parameter::Double(bits)) => {
            printer.double(f64::from_bits(*bits));
        }
        (_, Parameter::Type(ty)) => {
            printer.ty(*ty);
        }
        (Part::Ints, Parameter::List(items)) => print_numbers(items, printer),
        (_, Parameter::List(items)) => {
            for (at, item) in items.iter().enumerate() {
                printer.text(if at == 0 { "" } else { ", " });
                print_part(part, item, printer);
            }
        }
        _ => {}
    }
}

/// Parses a number of 64 bits.
pub(crate) fn number(parser: &mut Parser<'_>) -> Result<i64> {
    parser.signed().ok_or_else(|| parser.expected("an integer of 64 bits"))
}

/// Parses `[1, 2]`.
pub(crate) fn numbers(parser: &mut Parser<'_>) -> Result<Parameter> {
    let mut numbers = Vec::new();
    parser.expect(b'[')?;
    parser.list(b']', |parser| {
        numbers.push(Parameter::Signed(number(parser)?));
        Ok(())
    })?;
    Ok(Parameter::List(numbers.into()))
}

/// Parses a string, as an attribute.
pub(crate) fn name(parser: &mut Parser<'_>) -> Result<Parameter> {
    let name = parser.string()?;
    Ok(Parameter::Attribute(parser.context().string(&name)))
}

fn parse_part(part: Part, dialect: &str, parser: &mut Parser<'_>) -> Result<Parameter> {
    Ok(match part {
        Part::Int | Part::OptionalInt => Parameter::Signed(number(parser)?),
        Part::Ints => numbers(parser)?,
        Part::Bool if parser.eat_word(b"true") => Parameter::Bool(true),
        Part::Bool if parser.eat_word(b"false") => Parameter::Bool(false),
        Part::Bool => return Err(parser.expected("`true` or `false`")),
        Part::Double => Parameter::Double(parser.double()?.to_bits()),
        Part::Name => name(parser)?,
        Part::Type => Parameter::Type(parser.ty()?),
        Part::Types => {
            let mut types = vec![Parameter::Type(parser.ty()?)];
            while parser.eat(b',') {
                types.push(Parameter::Type(parser.ty()?));
            }
            Parameter::List(types.into())
        }
        Part::Case(cases) => {
            let word = parser.word();
            let case = cases.iter().find(|(_, name)| name.as_bytes() == word);
            Parameter::Unsigned(case.ok_or_else(|| parser.expected("a case of the enum"))?.0)
        }
        Part::Marked(mnemonic) | Part::Optional(mnemonic) if !mnemonic.is_empty() => {
            Parameter::Attribute(parser.stripped_attribute(dialect, mnemonic)?)
        }
        _ => Parameter::Attribute(parser.attribute()?),
    })
}

fn read_part(part: Part, reader: &mut EntryReader<'_, '_>) -> Result<Parameter> {
    Ok(match part {
        Part::Int => Parameter::Signed(reader.signed_varint()?),
        Part::Ints => Parameter::List(reader.list(|reader| Ok(Parameter::Signed(reader.signed_varint()?)))?.into()),
        Part::Bool => Parameter::Bool(reader.bool()?),
        Part::Double => Parameter::Double(reader.double()?),
        Part::Name => {
            let name = reader.string()?;
            Parameter::Attribute(reader.context().string(name))
        }
        Part::Type => Parameter::Type(reader.ty()?),
        Part::Types => Parameter::List(reader.list(|reader| Ok(Parameter::Type(reader.ty()?)))?.into()),
        Part::Case(_) => Parameter::Unsigned(reader.varint()?),
        Part::Attribute(_) | Part::Array(_) => Parameter::Attribute(reader.attribute()?),
        Part::Marked(_) if !reader.bool()? => Parameter::None,
        Part::Marked(_) => Parameter::Attribute(reader.attribute()?),
        Part::Items(_) => {
            let items = reader.list(EntryReader::attribute)?;
            Parameter::Attribute(reader.context().attribute(AttributeData::Array(items.into())))
        }
        Part::Optional(_) => reader.optional_attribute()?.map_or(Parameter::None, Parameter::Attribute),
        Part::Attributes(_) => {
            Parameter::List(reader.list(|reader| Ok(Parameter::Attribute(reader.attribute()?)))?.into())
        }
        Part::OptionalInt => match reader.varint_with_flag()? {
            (value, true) => {
                Parameter::Signed(i64::try_from(value).map_err(|_| reader.error("a number of more than 63 bits"))?)
            }
            (0, false) => Parameter::None,
            (_, false) => return Err(reader.error("a number is marked as absent")),
        },
    })
}

fn write_part(part: Part, parameter: &Parameter, writer: &mut EntryWriter<'_>) {
    match (part, parameter) {
        (Part::OptionalInt, Parameter::Signed(number)) => {
            writer.varint_with_flag(number.unsigned_abs(), true);
        }
        (Part::OptionalInt, _) => writer.varint_with_flag(0, false),
        (Part::Marked(_), Parameter::None) => writer.bool(false),
        (Part::Marked(_), Parameter::Attribute(attribute)) => {
            writer.bool(true);
            writer.attribute(*attribute);
        }
        (Part::Optional(_), Parameter::Attribute(attribute)) => writer.optional_attribute(Some(*attribute)),
        (Part::Optional(_), _) => writer.optional_attribute(None),
        (Part::Name, Parameter::Attribute(name)) => {
            let context = writer.context();
            if let AttributeData::String { value, .. } = &context[*name] {
                writer.string(value);
            }
        }
        (Part::Items(_), Parameter::Attribute(array)) => {
            let context = writer.context();
            if let AttributeData::Array(items) = &context[*array] {
                writer.list(items.iter(), |writer, item| writer.attribute(*item));
            }
        }
        (_, Parameter::List(items)) => writer.list(items.iter(), |writer, item| write_part(Part::Int, item, writer)),
        (_, Parameter::Signed(number)) => writer.signed_varint(*number),
        (_, Parameter::Unsigned(case)) => writer.varint(*case),
        (_, Parameter::Bool(value)) => writer.bool(*value),
        (_, Parameter::Double(bits)) => writer.double(*bits),
        (_, Parameter::Attribute(attribute)) => writer.attribute(*attribute),
        (_, Parameter::Type(ty)) => writer.ty(*ty),
        (_, Parameter::None | Parameter::String(_)) => {}
    }
}

/// All attributes and types of a dialect.
#[derive(Clone, Copy)]
pub(crate) struct Forms {
    /// The dialect's name.
    pub(crate) dialect: &'static str,
    /// Its attributes.
    pub(crate) attributes: &'static [Form],
    /// Its types.
    pub(crate) types: &'static [Form],
}

fn of_mnemonic(forms: &'static [Form], mnemonic: &[u8]) -> Option<&'static Form> {
    forms.iter().find(|form| form.mnemonic.as_bytes() == mnemonic)
}

impl Forms {
    /// Reads the parameters of an entry of that code.
    ///
    /// # Errors
    /// Where no form has the code, or the parameters are wrong.
    pub(crate) fn read(
        &self,
        forms: &'static [Form],
        code: u64,
        reader: &mut EntryReader<'_, '_>,
    ) -> Result<DialectValue> {
        let form = forms.iter().find(|form| form.code == Some(code));
        let form = form.ok_or_else(|| reader.unknown(format!("nothing of `{}` has the code {code}", self.dialect)))?;
        let mut parameters = Vec::with_capacity(form.parts.len());
        for (_, part) in form.parts {
            parameters.push(read_part(*part, reader)?);
        }
        let context = reader.context();
        form.verify(context, self.dialect, &parameters).map_err(|error| reader.error(error.message()))?;
        Ok(DialectValue::new(context, self.dialect, form.mnemonic, parameters))
    }

    /// Writes a value by its form: the code, unless another is given, and its first parameters.
    fn write(&self, forms: &'static [Form], value: &DialectValue, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let Some(form) = of_mnemonic(forms, context.bytes(value.mnemonic)) else { return false };
        let Some(code) = form.code else { return false };
        if form.verify(context, self.dialect, &value.parameters).is_err() {
            return false;
        }
        writer.varint(code);
        self.write_parts(form, &value.parameters, writer);
        true
    }

    /// Writes verified parameters.
    pub(crate) fn write_parts(&self, form: &Form, parameters: &[Parameter], writer: &mut EntryWriter<'_>) {
        for ((_, part), parameter) in form.parts.iter().zip(parameters) {
            write_part(*part, parameter, writer);
        }
    }
}

impl DialectText for Forms {
    fn is_trimmed(&self) -> bool {
        true
    }

    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        let form = of_mnemonic(self.attributes, context.bytes(value.mnemonic));
        form.map_or(Ok(()), |form| form.verify(context, self.dialect, &value.parameters))
    }

    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        let form = of_mnemonic(self.types, context.bytes(value.mnemonic));
        form.map_or(Ok(()), |form| form.verify(context, self.dialect, &value.parameters))
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let form = of_mnemonic(self.attributes, printer.context().bytes(value.mnemonic));
        form.is_some_and(|form| form.print(self.dialect, &value.parameters, printer))
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let form = of_mnemonic(self.types, printer.context().bytes(value.mnemonic));
        form.is_some_and(|form| form.print(self.dialect, &value.parameters, printer))
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        match of_mnemonic(self.attributes, mnemonic) {
            Some(form) => Ok(Some(form.parse(self.dialect, parser)?.into())),
            None => Ok(None),
        }
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        match of_mnemonic(self.types, mnemonic) {
            Some(form) => Ok(Some(form.parse(self.dialect, parser)?.into())),
            None => Ok(None),
        }
    }
}

impl DialectEncoding for Forms {
    fn read_attribute(&self, reader: &mut EntryReader<'_, '_>) -> Result<Attribute> {
        let code = reader.varint()?;
        let value = self.read(self.attributes, code, reader)?;
        Ok(reader.context().attribute(AttributeData::Dialect(value)))
    }

    fn write_attribute(&self, attribute: Attribute, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let AttributeData::Dialect(value) = &context[attribute] else { return false };
        self.write(self.attributes, value, writer)
    }

    fn read_type(&self, reader: &mut EntryReader<'_, '_>) -> Result<Type> {
        let code = reader.varint()?;
        let value = self.read(self.types, code, reader)?;
        Ok(reader.context().ty(TypeData::Dialect(value)))
    }

    fn write_type(&self, ty: Type, writer: &mut EntryWriter<'_>) -> bool {
        let context = writer.context();
        let TypeData::Dialect(value) = &context[ty] else { return false };
        self.write(self.types, value, writer)
    }
}
