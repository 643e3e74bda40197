//! Functions, and operations that look like them: name, arguments and results, body. [`FUNCTION`] is the assembly that most dialects give
//! theirs; others put their own together from [`mod@print`] and [`mod@parse`].

use crate::hooks::CustomAssembly;
use crate::parse::OpParser;
use crate::parse::assembly::{OpState, Parsed};
use crate::print::assembly::{OpPrinter, Printed};

/// How functions are printed.
pub mod print {
    pub use crate::print::assembly::function::{
        arguments, body, dictionaries, first_arguments, name, result_list, signature, visibility,
    };
}

/// How functions are parsed.
pub mod parse {
    pub use crate::parse::assembly::function::{Signature, body, name, visibility};
}

/// The assembly of functions, as `func.func` has it (MLIR's `function_interface_impl::printFunctionOp` and `parseFunctionOp`):
/// `private @name(%arg0: type {attributes}) -> (type {attributes}) attributes {...} {...}`. It is for operations that `sym_name`,
/// `function_type`, `sym_visibility`, `arg_attrs` and `res_attrs` describe, with one region, which is empty where a function is only
/// declared.
///
/// What it cannot say is printed in generic form, as a body whose arguments are not of the types that `function_type` says.
pub const FUNCTION: CustomAssembly = CustomAssembly { print: print_function, parse: parse_function };

fn print_function(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    if let Some(word) = printer.string("sym_visibility")? {
        print::visibility(printer, word)?;
        printer.text(" ");
    }
    print::name(printer)?;
    let (inputs, results) = print::signature(printer)?;
    print::arguments(printer, inputs, results, false)?;
    printer.dictionary_with_keyword(&["sym_visibility", "function_type", "arg_attrs", "res_attrs", "sym_name"])?;
    print::body(printer)
}

fn parse_function<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse::visibility(parser, op);
    parse::name(parser, op)?;
    let signature = parse::Signature::parse(parser, false)?;
    parser.keyword_dictionary(op)?;
    signature.set(parser, op);
    parse::body(parser, signature)
}
