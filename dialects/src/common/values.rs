//! Types and attributes whose parameters stand in brackets one after the other: `!async.value<f32>`.

use super::cases::Cases;
use mlirbc_ir::text::{DialectPrinter, DialectText, Elision, Parser};
use mlirbc_ir::{Context, DialectValue, Error, Parameter, Result};

/// What a parameter is.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// [`Parameter::Unsigned`]: a number over 0.
    Positive,
    /// [`Parameter::Attribute`]
    Attribute,
    /// [`Parameter::Type`]
    Type,
    /// [`Parameter::Type`] that text shows without the name of this dialect, where it is of it.
    Short(&'static str),
}

/// The types of a dialect that have parameters, or none: mnemonic and what stands in brackets. All others follow their definitions or are kept as text,
/// and so is what is written in another way.
#[derive(Clone, Copy)]
pub(crate) struct Types(pub(crate) &'static [(&'static str, &'static [Part])]);

impl Types {
    fn parts(self, mnemonic: &[u8]) -> Option<&'static [Part]> {
        self.0.iter().find(|known| known.0.as_bytes() == mnemonic).map(|known| known.1)
    }
}

/// An attribute or type with text of its own. What is written in another way is kept as text.
#[derive(Clone, Copy)]
pub(crate) struct Own {
    /// Its mnemonic.
    pub(crate) mnemonic: &'static str,
    /// Whether it may have these parameters.
    pub(crate) holds: fn(&Context, &[Parameter]) -> bool,
    /// Prints what stands behind the mnemonic, of parameters that it may have.
    pub(crate) print: fn(&[Parameter], &mut DialectPrinter<'_>),
    /// Parses the same.
    pub(crate) parse: fn(&mut Parser<'_>) -> Option<Box<[Parameter]>>,
}

impl Own {
    fn find(all: &'static [Own], mnemonic: &[u8]) -> Option<&'static Own> {
        all.iter().find(|own| own.mnemonic.as_bytes() == mnemonic)
    }

    fn verify(&self, context: &Context, value: &DialectValue) -> Result<()> {
        match (self.holds)(context, &value.parameters) {
            true => Ok(()),
            false => Err(Error::verification(format!("`{}` has other parameters", self.mnemonic))),
        }
    }
}

/// The attributes and types of a dialect that have parameters.
#[derive(Clone, Copy)]
pub(crate) struct Values {
    /// Types whose parameters stand in brackets.
    pub(crate) types: Types,
    /// Types with text of their own.
    pub(crate) own_types: &'static [Own],
    /// Attributes with text of their own.
    pub(crate) own: &'static [Own],
    /// Attributes that are cases of enums.
    pub(crate) cases: Cases,
}

impl Values {
    /// None of each.
    pub(crate) const NONE: Values = Values { types: Types(&[]), own_types: &[], own: &[], cases: Cases(&[]) };
}

impl DialectText for Values {
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        match Own::find(self.own, context.bytes(value.mnemonic)) {
            Some(own) => own.verify(context, value),
            None => self.cases.verify_attribute(context, value),
        }
    }

    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        match Own::find(self.own_types, context.bytes(value.mnemonic)) {
            Some(own) => own.verify(context, value),
            None => self.types.verify_type(context, value),
        }
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        match Own::find(self.own, printer.context().bytes(value.mnemonic)) {
            Some(own) if !(own.holds)(printer.context(), &value.parameters) => false,
            Some(own) => {
                (own.print)(&value.parameters, printer);
                true
            }
            None => self.cases.print_attribute(value, printer),
        }
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        match Own::find(self.own_types, printer.context().bytes(value.mnemonic)) {
            Some(own) if !(own.holds)(printer.context(), &value.parameters) => false,
            Some(own) => {
                (own.print)(&value.parameters, printer);
                true
            }
            None => self.types.print_type(value, printer),
        }
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        match Own::find(self.own, mnemonic) {
            Some(own) => Ok((own.parse)(parser)),
            None => self.cases.parse_attribute(mnemonic, parser),
        }
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        match Own::find(self.own_types, mnemonic) {
            Some(own) => Ok((own.parse)(parser)),
            None => self.types.parse_type(mnemonic, parser),
        }
    }

    fn has_type(&self, mnemonic: &[u8]) -> bool {
        Own::find(self.own_types, mnemonic).is_some() || self.types.has_type(mnemonic)
    }
}

fn holds(part: Part, parameter: &Parameter) -> bool {
    match part {
        Part::Positive => matches!(parameter, Parameter::Unsigned(1..)),
        Part::Attribute => matches!(parameter, Parameter::Attribute(_)),
        Part::Type | Part::Short(_) => matches!(parameter, Parameter::Type(_)),
    }
}

impl DialectText for Types {
    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        let Some(parts) = self.parts(context.bytes(value.mnemonic)) else { return Ok(()) };
        let is_right = parts.len() == value.parameters.len()
            && parts.iter().zip(&value.parameters).all(|(part, parameter)| holds(*part, parameter));
        match is_right {
            true => Ok(()),
            false => Err(Error::verification(format!("`{}` has other parameters", context.text(value.mnemonic)))),
        }
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let context = printer.context();
        let Some(parts) = self.parts(context.bytes(value.mnemonic)) else { return false };
        if self.verify_type(context, value).is_err() {
            return false;
        }
        for (at, (part, parameter)) in parts.iter().zip(&value.parameters).enumerate() {
            printer.text(if at == 0 { "<" } else { ", " });
            match (part, parameter) {
                (Part::Short(dialect), Parameter::Type(ty)) => printer.short_type(*ty, dialect),
                (_, Parameter::Type(ty)) => printer.ty(*ty),
                (_, Parameter::Attribute(attribute)) => printer.attribute(*attribute, Elision::Never),
                (_, Parameter::Unsigned(number)) => printer.text(number.to_string()),
                _ => printer,
            };
        }
        printer.text(if parts.is_empty() { "" } else { ">" });
        true
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let Some(parts) = self.parts(mnemonic) else { return Ok(None) };
        if parser.eat_next(b'<') == parts.is_empty() {
            return Ok(None);
        }
        let mut parameters = Vec::with_capacity(parts.len());
        for (at, part) in parts.iter().enumerate() {
            if at > 0 && !parser.eat(b',') {
                return Ok(None);
            }
            let parameter = match part {
                Part::Positive => parser.unsigned().filter(|&number| number > 0).map(Parameter::Unsigned),
                Part::Attribute => parser.attribute().ok().map(Parameter::Attribute),
                Part::Type => parser.ty().ok().map(Parameter::Type),
                Part::Short(dialect) => parser.short_type(dialect).ok().map(Parameter::Type),
            };
            let Some(parameter) = parameter else { return Ok(None) };
            parameters.push(parameter);
        }
        Ok((parts.is_empty() || parser.eat(b'>')).then(|| parameters.into()))
    }

    fn has_type(&self, mnemonic: &[u8]) -> bool {
        self.parts(mnemonic).is_some()
    }
}
