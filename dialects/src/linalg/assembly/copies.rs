//! Operations whose bodies yield what they are given.

use super::{
    argument_types, elements, expect_outputs_as_results, parse_numbers, parse_operands, print_numbers, print_operands,
    takes_elements,
};
use mlirbc_ir::TypeData;
use mlirbc_text::{Continuation, CustomAssembly, ImpliedOp, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed};

/// `ins(%a : type) outs(%b : type) permutation = [1, 0] {attributes}`
pub(super) const TRANSPOSE: CustomAssembly = CustomAssembly {
    print: |printer| print(printer, "permutation"),
    parse: |parser, op| parse(parser, op, "permutation"),
};

/// `ins(%a : type) outs(%b : type) dimensions = [1] {attributes}`
pub(super) const BROADCAST: CustomAssembly = CustomAssembly {
    print: |printer| print(printer, "dimensions"),
    parse: |parser, op| parse(parser, op, "dimensions"),
};

fn print(printer: &mut OpPrinter<'_, '_>, numbers: &str) -> Printed {
    expect_outputs_as_results(printer)?;
    let Some((&[input, _], mut operations)) = printer.only_block(0)? else { return Err(NotCustom::UseGeneric) };
    let (Some(only), None) = (operations.next(), operations.next()) else { return Err(NotCustom::UseGeneric) };
    let fits = only.name() == "linalg.yield" && only.operands() == [input];
    if !fits || !printer.is_implied(only)? || !takes_elements(printer, &argument_types(printer)?)? {
        return Err(NotCustom::UseGeneric);
    }
    print_operands(printer)?;
    print_numbers(printer, numbers)
}

fn parse<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, numbers: &str) -> Parsed<'a> {
    parse_operands(parser, op, false)?;
    parse_numbers(parser, op, numbers)?;
    parser.optional_dictionary(op)?;
    // Of tensors, the results are what was given to write to.
    if let &[_, output] = op.operand_types() {
        let resolved = parser.resolved(output)?;
        if matches!(parser.context()[resolved], TypeData::RankedTensor { .. }) {
            op.add_result(output);
        }
        let types = elements(parser, op.operand_types())?;
        let unknown = parser.context().unknown_location().into();
        parser.implied_region(op, &types, [ImpliedOp::new("linalg.yield", [0], Vec::new())], unknown)?;
    }
    Ok(Continuation::Done)
}
