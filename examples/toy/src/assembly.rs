//! Assembly written by hand, and a directive of the declarative format of `toy.paint`.

use mlirbc::Result;
use mlirbc::ir::AttributeData;
use mlirbc::ir::Context;
use mlirbc::ir::verify::OpTypes;
use mlirbc::text::{
    Continuation, CustomAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter,
    OpState, Parsed, Printed,
};

/// `toy.mix %a with %b : type`
pub(crate) const MIX: CustomAssembly = CustomAssembly { print: print_mix, parse: parse_mix };

fn print_mix(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (left, right) = (printer.at(0)?, printer.at(1)?);
    // What this text cannot say is printed in generic form.
    printer.no_attributes_but(&[])?;
    let result = printer.result(0)?;
    if printer.type_of(left)? != printer.type_of(result)? || printer.type_of(right)? != printer.type_of(result)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.value(left);
    printer.text(" with ");
    printer.value(right);
    printer.text(" : ");
    printer.value_type(result)
}

fn parse_mix<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let left = parser.operand_name()?;
    parser.text().expect_word("with")?;
    let right = parser.operand_name()?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    op.add(left, ty);
    op.add(right, ty);
    op.add_result(ty);
    Ok(Continuation::Done)
}

/// `toy.frame %a : type {...}`
pub(crate) const FRAME: CustomAssembly = CustomAssembly { print: print_frame, parse: parse_frame };

fn print_frame(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&[])?;
    let on = printer.at(0)?;
    printer.text(" ");
    printer.value(on);
    printer.text(" : ");
    printer.value_type(on)?;
    printer.text(" ");
    printer.region(0, true, true);
    Ok(())
}

fn parse_frame<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let on = parser.operand_name()?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    op.add(on, ty);
    parser.open_brace()?;
    // The parser comes back when the region has been read.
    Ok(Continuation::Region(Vec::new(), Box::new(|_, _| Ok(Continuation::Done))))
}

/// `custom<Tone>($colour)`: `in #colour`.
pub(crate) const TONE: Directive = Directive::new(print_tone, parse_tone);

fn print_tone(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let colour = arguments.attribute(printer, 0)?.ok_or(NotCustom::UseGeneric)?;
    if !matches!(printer.context()[colour], AttributeData::Dialect(_)) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text("in ");
    printer.attribute(colour)
}

fn parse_tone<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, state: &mut DirectiveState<'_, 'a>) -> Result<()> {
    parser.text().expect_word("in")?;
    let colour = parser.text().attribute()?;
    state.set_attribute(parser, op, 0, colour)
}

/// What is painted is of the type of what it is painted on.
pub(crate) fn painted(_: &Context, types: &mut OpTypes) {
    if let Some(&[ty]) = types.operand(0) {
        types.set_result(0, [ty]);
    }
}
