//! MLIR text: printing and parsing.
//!
//! [`print_attribute`] and [`print_type`] give the text of one attribute or type, as mlir-opt prints it without aliases;
//! [`parse_attribute`] and [`parse_type`] read it back. A [`Printer`] and a [`Parser`] do the same many times over, with
//! what several attributes share (distinct attributes, resources) kept in [`Names`] and [`Scope`].
//!
//! [`print_module`] and [`print_operation`] give operations in generic form or, as [`PrintOptions`] say, in the custom
//! assembly of their dialects, operation by operation as far as that is known; [`parse_module`] reads both back.

mod assembly;
mod diagnostic;
mod directive;
pub mod directives;
pub mod float;
pub(crate) mod hooks;
mod parse;
mod print;
mod shown;

pub use assembly::{integers, is_bare_keyword, is_word, split_symbol};
pub use diagnostic::{Diagnostic, Diagnostics};
pub use directive::{
    Directive, DirectiveArguments, DirectiveState, OpenDirective, ParseDirectiveFn, ParseRegionsFn, PrintDirectiveFn,
};
pub use directives::IndexList;
pub use hooks::{
    AliasFn, ArgumentNamesFn, CustomAssembly, DialectAssembly, InferTypesFn, OpTypes, ParseFn, PrintFn, ResultNamesFn,
};
pub use parse::assembly::function::Signature;
pub use parse::assembly::implied::ImpliedOp;
pub use parse::assembly::{Continuation, OpState, Parsed, Resume};
pub use parse::module::OpParser;
pub use parse::{AffineValues, Argument, ValueName};
pub use parse::{Declarations, MAX_DEPTH, ParseOptions, Parser, Scope, parse_attribute, parse_module, parse_type};
pub use print::assembly::{NotCustom, OpPrinter, Printed, dense_integers};
pub use print::{
    DialectPrinter, Elision, Names, PrintOptions, Printer, print_attribute, print_location, print_module,
    print_operation, print_type,
};
pub use print::{push_affine, push_integer};

pub use shown::{Shown, show_attribute, show_type};

pub(crate) use print::push_name;

/// Functions, and operations that look like them: name, arguments and results, body.
pub mod function {
    /// How they are printed.
    pub mod print {
        pub use crate::text::print::assembly::function::{
            arguments, body, dictionaries, first_arguments, name, result_list, signature, visibility,
        };
    }
    /// How they are parsed.
    pub mod parse {
        pub use crate::text::parse::assembly::function::{Signature, body, name, visibility};
    }
}

use crate::context::Context;
use crate::error::Result;
use crate::parameter::{DialectValue, Parameter};

/// How many times larger than its text an integer may be, above a size that costs nothing.
const INTEGER_EXPANSION: usize = 64;

/// Whether an integer of that width may be written in so many digits.
fn is_long_enough(digits: usize, width: u32) -> bool {
    width as usize / 8 <= 512 + INTEGER_EXPANSION * digits
}

/// How a dialect prints and parses its attributes and types.
///
/// Both sides see what stands behind the mnemonic: of `#toy.range<1, 2>`, the hooks print and parse `<1, 2>`. Attributes and
/// types that the hooks do not know are kept as their exact text.
pub trait DialectText: Send + Sync {
    /// Checks an attribute: what parameters it may have, and what these may hold. By default all may.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying what is wrong.
    fn verify_attribute(&self, context: &Context, value: &DialectValue) -> Result<()> {
        let _ = (context, value);
        Ok(())
    }

    /// Checks a type, in the same way.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying what is wrong.
    fn verify_type(&self, context: &Context, value: &DialectValue) -> Result<()> {
        let _ = (context, value);
        Ok(())
    }

    /// Prints what follows the mnemonic of an attribute. False where the attribute is not known, with nothing printed.
    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let _ = (value, printer);
        false
    }

    /// Prints what follows the mnemonic of a type. False where the type is not known, with nothing printed.
    fn print_type(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let _ = (value, printer);
        false
    }

    /// Parses what follows the mnemonic of an attribute. `None` where the attribute is to be kept as text; the parser
    /// then starts over, however far it went.
    ///
    /// # Errors
    /// Where the mnemonic is known and the text is wrong.
    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let _ = (mnemonic, parser);
        Ok(None)
    }

    /// Parses what follows the mnemonic of a type, in the same way.
    ///
    /// # Errors
    /// Where the mnemonic is known and the text is wrong.
    fn parse_type(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        let _ = (mnemonic, parser);
        Ok(None)
    }
}
