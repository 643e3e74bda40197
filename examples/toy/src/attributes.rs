//! `!toy.canvas<640>` and `#toy.colour<1, 2, 3>`.

use mlirbc::ir::Context;
use mlirbc::ir::fields::{Field, FieldKind, FieldsDef, text};
use mlirbc::ir::text::{DialectPrinter, DialectText, Parser};
use mlirbc::ir::{AttributeData, DialectValue, Parameter, TypeData};
use mlirbc::{Attribute, Result, Type};

/// The type's parameters: text and checks follow from this.
pub(crate) static CANVAS: FieldsDef =
    FieldsDef { mnemonic: "canvas", code: None, fields: &[Field::required("width", FieldKind::Unsigned(32))] };

/// The attribute's parameters.
pub(crate) static COLOUR: FieldsDef = FieldsDef {
    mnemonic: "colour",
    code: None,
    fields: &[
        Field::required("red", FieldKind::Unsigned(8)),
        Field::required("green", FieldKind::Unsigned(8)),
        Field::required("blue", FieldKind::Unsigned(8)),
    ],
};

/// The type `!toy.canvas<width = ...>`.
pub fn canvas(context: &Context, width: u32) -> Type {
    context.ty(TypeData::Dialect(value(context, &CANVAS, &[width.into()])))
}

/// The attribute `#toy.colour<red = ..., green = ..., blue = ...>`.
pub fn colour(context: &Context, [red, green, blue]: [u8; 3]) -> Attribute {
    let value = value(context, &COLOUR, &[red.into(), green.into(), blue.into()]);
    context.attribute(AttributeData::Dialect(value))
}

fn value(context: &Context, of: &FieldsDef, parameters: &[u64]) -> DialectValue {
    let parameters = parameters.iter().map(|&number| Parameter::Unsigned(number)).collect();
    DialectValue { dialect: context.identifier("toy"), mnemonic: context.identifier(of.mnemonic), parameters }
}

/// Colours are printed by an alias.
pub(crate) fn alias(mnemonic: &[u8]) -> Option<Vec<u8>> {
    (mnemonic == b"colour").then(|| mnemonic.to_vec())
}

/// How attributes and types are written and checked.
pub(crate) struct Text;

fn known(context: &Context, value: &DialectValue, definition: &FieldsDef) -> bool {
    context.bytes(value.mnemonic) == definition.mnemonic.as_bytes()
}

impl DialectText for Text {
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        COLOUR.verify(context, &value.parameters)
    }

    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        CANVAS.verify(context, &value.parameters)
    }

    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let is_known = known(printer.context(), value, &COLOUR);
        if is_known {
            text::print(COLOUR.fields, &value.parameters, printer);
        }
        is_known
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        // Written by hand: `<640>`, without the parameter's name.
        match *value.parameters {
            [Parameter::Unsigned(width)] if known(printer.context(), value, &CANVAS) => {
                printer.text(format!("<{width}>"));
                true
            }
            _ => false,
        }
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        if mnemonic == COLOUR.mnemonic.as_bytes() { text::parse(&COLOUR, parser).map(Some) } else { Ok(None) }
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        if mnemonic != CANVAS.mnemonic.as_bytes() {
            return Ok(None);
        }
        parser.expect(b'<')?;
        let width = text::unsigned(32, parser)?;
        parser.expect(b'>')?;
        Ok(Some(Box::new([Parameter::Unsigned(width)])))
    }
}
