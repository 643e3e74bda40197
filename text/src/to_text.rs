//! Text in one call.

use std::fmt;

use mlirbc_ir::{Context, Module, OpRef, Result};

use crate::diagnostic::Diagnostics;
use crate::{ParseOptions, PrintOptions, parse_module, print_module, print_operation};

/// The text of modules and operations in one call: as `mlir-opt` prints it, in the custom assembly of dialects and without locations.
/// [`print_module`] and [`print_operation`] write it somewhere else, and know other ways.
///
/// ```
/// use mlirbc_ir::Context;
/// use mlirbc_text::{ToText, parse};
///
/// let context = Context::new();
/// let module = parse(&context, "module @m { \"toy.one\"() : () -> () }")?;
/// assert_eq!(module.to_text()?, "module @m {\n  \"toy.one\"() : () -> ()\n}\n");
/// let one = module.operations()?.next().ok_or("no module")?.ops()?.next().ok_or("no operation")?;
/// assert_eq!(format!("{}", one.display()), "\"toy.one\"() : () -> ()");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ToText {
    /// The text, with one line break at its end. A value that an operation uses has the number that it has in the whole function.
    ///
    /// # Errors
    /// Where something in it cannot be decoded.
    fn to_text(&self) -> Result<String> {
        let mut text = self.to_text_with(&PrintOptions::new().generic(false))?;
        text.truncate(text.trim_end_matches('\n').len());
        text.push('\n');
        Ok(text)
    }

    /// The text as `options` say, to the byte what [`print_module`] and [`print_operation`] write.
    ///
    /// # Errors
    /// As [`ToText::to_text`].
    fn to_text_with(&self, options: &PrintOptions) -> Result<String>;

    /// To be printed, without a line break at the end. Where something in it cannot be decoded, that is printed instead.
    fn display(&self) -> Displayed<'_, Self> {
        Displayed(self)
    }
}

impl ToText for Module {
    fn to_text_with(&self, options: &PrintOptions) -> Result<String> {
        let mut text = Vec::new();
        print_module(self, options, &mut text)?;
        Ok(lossy(text))
    }
}

impl ToText for OpRef<'_> {
    fn to_text_with(&self, options: &PrintOptions) -> Result<String> {
        let mut text = Vec::new();
        print_operation(*self, options, &mut text)?;
        Ok(lossy(text))
    }
}

fn lossy(text: Vec<u8>) -> String {
    String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// What [`ToText::display`] gives.
#[derive(Clone, Copy, Debug)]
pub struct Displayed<'t, T: ?Sized>(&'t T);

impl<T: ToText + ?Sized> fmt::Display for Displayed<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.to_text() {
            Ok(text) => f.write_str(text.strip_suffix('\n').unwrap_or(&text)),
            Err(error) => write!(f, "<no text: {error}>"),
        }
    }
}

/// Reads a text as `mlir-opt` does: operations that stand in no module are put into one. It is not verified, which
/// [`Module::verify`](mlirbc_ir::Module::verify) does. [`parse_module`] knows other ways.
///
/// ```
/// let context = mlirbc_ir::Context::new();
/// let module = mlirbc_text::parse(&context, "\"toy.one\"() : () -> ()")?;
/// assert!(module.operations()?.all(|op| op.is("builtin.module")));
/// let wrong = mlirbc_text::parse(&context, "\"toy.one\"(%0) : () -> ()").expect_err("nothing defines %0");
/// assert_eq!(wrong.iter().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// All that is wrong with the text.
pub fn parse(context: &Context, text: impl AsRef<[u8]>) -> Result<Module, Diagnostics> {
    parse_module(context, text.as_ref(), &ParseOptions::new().implicit_module(true))
}
