//! What a dialect brings to the text of its operations, beside their definitions: custom assembly written by hand,
//! directives of its declarative formats, and names of results.
//!
//! A dialect attaches these with [`DialectAssembly`]. What two dialects call by one name does not meet: each is asked for
//! its own.
//!
//! ```
//! use mlirbc_ir::ods::{OpDef, OpTable};
//! use mlirbc_ir::text::{self, Continuation, CustomAssembly, DialectAssembly, OpParser, OpPrinter, OpState, Parsed, Printed};
//! use mlirbc_ir::{Context, Dialect};
//!
//! /// ` -> i32`
//! fn print(printer: &mut OpPrinter<'_, '_>) -> Printed {
//!     let result = printer.result(0)?;
//!     printer.text(" makes ");
//!     printer.value_type(result)
//! }
//!
//! fn parse<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
//!     parser.text().expect_word("makes")?;
//!     let ty = parser.any_type()?;
//!     op.add_result(ty);
//!     Ok(Continuation::Done)
//! }
//!
//! let context = Context::new();
//! let one = OpDef::builder("toy.one").result("it", &mlirbc_ir::ods::TypeConstraint::any()).custom_syntax().finish()?;
//! let toy = Dialect::new("toy").ops(OpTable::from_definitions([one])).assembly("one", CustomAssembly { print, parse });
//! context.register(toy)?;
//! let module = text::parse_module(&context, b"%0 = toy.one makes i32", &text::ParseOptions::new())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use super::parse::assembly::{OpState, Parsed};
use super::parse::module::OpParser;
use super::print::assembly::{OpPrinter, Printed};
use crate::context::Context;
use crate::dialect::Dialect;
use crate::error::Result;
use crate::operation::OpRef;

pub use super::directive::{Directive, DirectiveArguments, DirectiveState};

/// Prints what follows an operation's name.
pub type PrintFn = fn(&mut OpPrinter<'_, '_>) -> Printed;

/// Parses what follows an operation's name.
pub type ParseFn = for<'a> fn(&mut OpParser<'a>, &mut OpState<'a>) -> Parsed<'a>;

/// Calls its second argument with the number of a result and the name that the operation gives it.
pub type ResultNamesFn = fn(OpRef<'_>, &mut dyn FnMut(usize, &[u8])) -> Result<()>;

/// The custom assembly of an operation: printer and parser side by side, so that no operation has one without the other.
#[derive(Clone, Copy)]
pub struct CustomAssembly {
    /// Prints what stands between the operation's name and its location.
    pub print: PrintFn,
    /// Reads the same.
    pub parse: ParseFn,
}

/// What is attached to a dialect.
#[derive(Clone, Default)]
pub(super) struct TextHooks {
    operations: HashMap<Box<str>, CustomAssembly>,
    directives: HashMap<Box<str>, Directive>,
    result_names: HashMap<Box<str>, ResultNamesFn>,
}

impl TextHooks {
    /// Those of the dialect that an operation's name begins with, and the rest of the name.
    pub(super) fn of<'n>(context: &Context, operation: &'n str) -> Option<(Arc<TextHooks>, &'n str)> {
        let (dialect, rest) = operation.split_once('.')?;
        Some((context.dialect(dialect)?.get::<TextHooks>()?, rest))
    }

    /// The custom assembly of an operation, by its full name.
    pub(super) fn assembly(context: &Context, operation: &str) -> Option<CustomAssembly> {
        let (hooks, rest) = Self::of(context, operation)?;
        hooks.operations.get(rest).copied()
    }

    /// How results of an operation are named, by its full name.
    pub(super) fn result_names(context: &Context, operation: &str) -> Option<ResultNamesFn> {
        let (hooks, rest) = Self::of(context, operation)?;
        hooks.result_names.get(rest).copied()
    }

    pub(super) fn directive(&self, name: &str) -> Option<Directive> {
        self.directives.get(name).copied()
    }
}

/// Attaching to a dialect what it brings to the text of its operations. Names of operations are without the dialect's.
pub trait DialectAssembly {
    /// Sets the custom assembly of an operation. It goes before a declarative format of its definition.
    #[must_use]
    fn assembly(self, operation: &str, assembly: CustomAssembly) -> Self;

    /// Sets what `custom<name>` in a declarative format of this dialect's operations stands for.
    #[must_use]
    fn directive(self, name: &str, directive: Directive) -> Self;

    /// Sets how an operation names its results, as `OpAsmOpInterface` of MLIR does.
    #[must_use]
    fn result_names(self, operation: &str, names: ResultNamesFn) -> Self;
}

impl DialectAssembly for Dialect {
    fn assembly(self, operation: &str, assembly: CustomAssembly) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.operations.insert(operation.into(), assembly);
        })
    }

    fn directive(self, name: &str, directive: Directive) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.directives.insert(name.into(), directive);
        })
    }

    fn result_names(self, operation: &str, names: ResultNamesFn) -> Self {
        self.amend(|hooks: &mut TextHooks| {
            hooks.result_names.insert(operation.into(), names);
        })
    }
}
