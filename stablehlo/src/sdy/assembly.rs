//! The assembly of `sdy` that its definitions leave to code.

use mlirbc_ir::text::DialectText;
use mlirbc_ir::{AttributeData, Dialect, DialectValue, Parameter, Result};
use mlirbc_text::{
    Continuation, DialectAssembly, Directive, DirectiveArguments, DirectiveState, NotCustom, OpParser, OpPrinter,
    OpState, OpenDirective, Parsed, Printed,
};

use super::DIALECT;
use super::attributes::FORMS;

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("constant", crate::stablehlo::CONSTANT)
        .directive("StrippedTensorShardingPerValueAttr", Directive::new(print_shardings, parse_shardings))
        .directive("SingleBlockRegionNoBlockId", Directive::with_regions(print_region, parse_region))
}

/// `[<@mesh, [{"a"}]>, ...]`
fn print_shardings(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let shardings = arguments.required(printer, 0)?;
    let Some([Parameter::List(items)]) =
        printer.context().attribute_parameters(shardings, DIALECT, "sharding_per_value")
    else {
        return Err(NotCustom::UseGeneric);
    };
    printer.text("[");
    for (at, item) in items.iter().enumerate() {
        printer.text(if at == 0 { "" } else { ", " });
        if let Parameter::Attribute(sharding) = item {
            printer.stripped(*sharding)?;
        }
    }
    printer.text("]");
    Ok(())
}

fn parse_shardings<'a>(
    parser: &mut OpParser<'a>,
    op: &mut OpState<'a>,
    state: &mut DirectiveState<'_, 'a>,
) -> Result<()> {
    let mut items = Vec::new();
    parser.text().expect(b'[')?;
    parser.list(b']', |parser| {
        items.push(Parameter::Attribute(parser.text().stripped_attribute(DIALECT, "sharding")?));
        Ok(())
    })?;
    let context = parser.context();
    let value = DialectValue::new(context, DIALECT, "sharding_per_value", [Parameter::List(items.into())]);
    // An attribute that is written whole may be another one.
    FORMS.verify_attribute(context, &value).map_err(|error| parser.text().error(error.message()))?;
    let shardings = context.attribute(AttributeData::Dialect(value));
    state.set_attribute(parser, op, 0, shardings)
}

/// `(%x: type, %y: type) {...}`
fn print_region(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let region = arguments.regions(printer, 0)?.next().ok_or(NotCustom::UseGeneric)?;
    printer.region_arguments(region)?;
    printer.text(" ");
    printer.body(region, false, true)
}

fn parse_region<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>, mut directive: OpenDirective<'a>) -> Parsed<'a> {
    let arguments = parser.region_arguments()?;
    parser.open_brace()?;
    directive.add_region(parser, 0)?;
    Ok(Continuation::Region(
        arguments,
        Box::new(move |parser: &mut OpParser<'a>, op: &mut OpState<'a>| directive.finish(parser, op)),
    ))
}
