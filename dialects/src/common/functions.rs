//! Functions, and what looks like one.

use mlirbc_text::function::{parse, print};
use mlirbc_text::{CustomAssembly, OpParser, OpPrinter, OpState, Parsed, Printed, Signature};

/// The assembly of functions, as `func.func` has it.
pub(crate) const FUNCTION: CustomAssembly = CustomAssembly { print: print_function, parse: parse_function };

/// `func.func @name(%arg0: type {attributes}) -> (type {attributes}) attributes {...} {`
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

/// `func.func private @name(%arg0: type {attributes}) -> (type {attributes}) attributes {...} {`
fn parse_function<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    parse::visibility(parser, op);
    parse::name(parser, op)?;
    let signature = Signature::parse(parser, false)?;
    parser.keyword_dictionary(op)?;
    signature.set(parser, op);
    parse::body(parser, signature)
}
