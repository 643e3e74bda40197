//! A dialect whose attributes and types all have definitions.

use super::{FieldsDef, text};
use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::dialect::Dialect;
use crate::error::{Error, Result};
use crate::parameter::{DialectValue, Parameter};
use crate::text::{DialectPrinter, DialectText, Parser};
use crate::types::{Type, TypeData};

/// The definitions of a dialect's attributes and types, by which all of them are written, read and checked. Those of other mnemonics are
/// kept as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct DialectFields {
    /// The attributes.
    pub attributes: &'static [FieldsDef],
    /// The types.
    pub types: &'static [FieldsDef],
}

impl Dialect {
    /// Sets the definitions of the dialect's attributes and types: their text and checks follow. Takes the place of
    /// [`Dialect::text`], which is for what needs code.
    #[must_use]
    pub fn fields(self, fields: DialectFields) -> Self {
        self.extension(fields).text(fields)
    }
}

fn of<'d>(definitions: &'d [FieldsDef], mnemonic: &[u8]) -> Option<&'d FieldsDef> {
    definitions.iter().find(|definition| definition.mnemonic.as_bytes() == mnemonic)
}

impl DialectFields {
    /// Types alone.
    pub const fn types(types: &'static [FieldsDef]) -> Self {
        DialectFields { attributes: &[], types }
    }

    /// Attributes alone.
    pub const fn attributes(attributes: &'static [FieldsDef]) -> Self {
        DialectFields { attributes, types: &[] }
    }

    /// The definition of the attribute of that mnemonic.
    pub fn attribute(&self, mnemonic: &[u8]) -> Option<&'static FieldsDef> {
        of(self.attributes, mnemonic)
    }

    /// The definition of the type of that mnemonic.
    pub fn ty(&self, mnemonic: &[u8]) -> Option<&'static FieldsDef> {
        of(self.types, mnemonic)
    }
}

fn verify(definition: Option<&FieldsDef>, context: &Context, value: &DialectValue) -> Result<()> {
    match definition {
        Some(definition) => definition.verify(context, &value.parameters),
        None => {
            let mnemonic = Error::quoted(context.bytes(value.mnemonic));
            Err(Error::verification(format!("the dialect defines no {mnemonic}")))
        }
    }
}

fn print(definition: Option<&FieldsDef>, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
    let Some(definition) = definition else { return false };
    if !definition.fields.is_empty() {
        text::print(definition.fields, &value.parameters, printer);
    }
    true
}

fn parse(definition: Option<&FieldsDef>, parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
    match definition {
        Some(definition) if definition.fields.is_empty() => Ok(Some(Box::default())),
        Some(definition) => text::parse(definition, parser).map(Some),
        None => Ok(None),
    }
}

impl DialectText for DialectFields {
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        verify(self.attribute(context.bytes(value.mnemonic)), context, value)
    }

    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        verify(self.ty(context.bytes(value.mnemonic)), context, value)
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        print(self.attribute(printer.context().bytes(value.mnemonic)), value, printer)
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        print(self.ty(printer.context().bytes(value.mnemonic)), value, printer)
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        parse(self.attribute(mnemonic), parser)
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        parse(self.ty(mnemonic), parser)
    }

    fn has_type(&self, mnemonic: &[u8]) -> bool {
        self.ty(mnemonic).is_some()
    }
}

/// Attributes and types of a definition, for handles with names of their own.
impl FieldsDef {
    /// The type of a dialect with these parameters, which are not checked: [`FieldsDef::verify`] does.
    pub fn make_type(&self, context: &Context, dialect: &str, parameters: impl Into<Box<[Parameter]>>) -> Type {
        context.ty(TypeData::Dialect(self.value(context, dialect, parameters.into())))
    }

    /// The attribute of a dialect with these parameters, which are not checked.
    pub fn make_attribute(
        &self,
        context: &Context,
        dialect: &str,
        parameters: impl Into<Box<[Parameter]>>,
    ) -> Attribute {
        context.attribute(AttributeData::Dialect(self.value(context, dialect, parameters.into())))
    }

    /// The parameters of a type, where it is of that dialect and this definition.
    pub fn of_type<'c>(&self, context: &'c Context, dialect: &str, ty: Type) -> Option<&'c [Parameter]> {
        match &context[ty] {
            TypeData::Dialect(value) => self.parameters(context, dialect, value),
            _ => None,
        }
    }

    /// The parameters of an attribute, where it is of that dialect and this definition.
    pub fn of_attribute<'c>(
        &self,
        context: &'c Context,
        dialect: &str,
        attribute: Attribute,
    ) -> Option<&'c [Parameter]> {
        match &context[attribute] {
            AttributeData::Dialect(value) => self.parameters(context, dialect, value),
            _ => None,
        }
    }

    fn value(&self, context: &Context, dialect: &str, parameters: Box<[Parameter]>) -> DialectValue {
        let (dialect, mnemonic) = (context.identifier(dialect), context.identifier(self.mnemonic));
        DialectValue { dialect, mnemonic, parameters }
    }

    fn parameters<'c>(&self, context: &Context, dialect: &str, value: &'c DialectValue) -> Option<&'c [Parameter]> {
        let is_of = value.is(context, dialect, self.mnemonic) && self.verify(context, &value.parameters).is_ok();
        is_of.then_some(&*value.parameters)
    }
}
