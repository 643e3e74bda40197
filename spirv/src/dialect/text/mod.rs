//! The text of the dialect's types and attributes, as MLIR has it.
//!
//! What names an unknown enumerant is kept as its text.

mod parse;
mod print;

use mlirbc_ir::text::{DialectPrinter, DialectText, Parser};
use mlirbc_ir::{DialectValue, Error, Parameter, Result};

pub(super) struct Text;

impl DialectText for Text {
    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let context = printer.context();
        super::attributes::of_value(context, value).is_some_and(|view| print::attribute(&view, printer))
    }

    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let context = printer.context();
        super::types::of_value(context, value).is_some_and(|view| print::ty(&view, printer))
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        known(parse::attribute(mnemonic, parser))
    }

    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        known(parse::ty(mnemonic, parser))
    }
}

/// Why parsing stops.
enum Stop {
    /// It is unknown what this is.
    Unknown,
    Wrong(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Wrong(error)
    }
}

fn known<T>(parsed: Result<T, Stop>) -> Result<Option<T>> {
    match parsed {
        Ok(parsed) => Ok(Some(parsed)),
        Err(Stop::Unknown) => Ok(None),
        Err(Stop::Wrong(error)) => Err(error),
    }
}
