//! Operations of MLIR as text.
//!
//! [`print_module`] and [`print_operation`] give operations in generic form or, as [`PrintOptions`] say, in the custom
//! assembly of their dialects, operation by operation as far as that is known; [`parse_module`] reads both back.
//!
//! ```
//! use mlirbc_ir::Context;
//! use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};
//!
//! let context = Context::new();
//! let module = parse_module(&context, b"%0 = \"toy.one\"() : () -> i32", &ParseOptions::new())?;
//! let mut text = Vec::new();
//! print_module(&module, &PrintOptions::new(), &mut text)?;
//! assert_eq!(text, b"%0 = \"toy.one\"() : () -> i32\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is wrong with a text comes as [`Diagnostics`], all of it, each with its place:
//!
//! ```
//! use mlirbc_ir::Context;
//! use mlirbc_text::{ParseOptions, parse_module};
//!
//! let text = b"%0 = \"toy.one\"() : () -> i32\n\"toy.use\"(%1) : (i32) -> ()";
//! let wrong = parse_module(&Context::new(), text, &ParseOptions::new().file("a.mlir")).expect_err("there is no %1");
//! assert!(wrong.to_string().starts_with("a.mlir:2:"), "{wrong}");
//! ```
//!
//! # Where to look
//!
//! | to | look at |
//! | --- | --- |
//! | print | [`ToText`] in one call; [`print_module`], [`print_operation`], [`PrintOptions`] |
//! | parse | [`parse`] in one call; [`parse_module`], [`ParseOptions`], [`Diagnostic`] |
//! | write operations by hand | [`DialectAssembly`], [`CustomAssembly`], [`OpPrinter`], [`OpParser`]; [`function`] for what is a function |
//! | write a part of a declarative format by hand | [`Directive`], [`directives`] |
//! | read a dialect under the name that it had | [`FormerDialect`] |
//!
//! # When not to use it
//!
//! The text of single attributes, types and locations is in [`mlirbc_ir::text`], which knows no operations. To keep modules, bytecode is smaller, is
//! read lazily, and holds what text can only mark.

#![forbid(unsafe_code)]

mod diagnostic;
mod directive;
pub mod directives;
mod format;
mod former;
pub mod function;
mod hooks;
mod parse;
mod print;
mod to_text;

pub use diagnostic::{Diagnostic, Diagnostics};
pub use directive::{
    Directive, DirectiveArguments, DirectiveState, OpenDirective, ParseDirectiveFn, ParseRegionsFn, PrintDirectiveFn,
};
pub use directives::IndexList;
pub use former::{FormerDialect, Today};
pub use hooks::{AliasFn, ArgumentNamesFn, CustomAssembly, DialectAssembly, ParseFn, PrintFn, ResultNamesFn};
pub use parse::assembly::function::Signature;
pub use parse::assembly::implied::ImpliedOp;
pub use parse::assembly::{Continuation, OpState, Parsed, Resume};
pub use parse::{Argument, Defined, OpParser, ParseOptions, ValueName, parse_module};
pub use print::assembly::{NotCustom, OpPrinter, Printed, dense_integers};
pub use print::{PrintOptions, print_module, print_operation};
pub use to_text::{Displayed, ToText, parse};
