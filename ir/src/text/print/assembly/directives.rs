//! The directives of assembly formats that stand for code.

use super::format::values;
use super::op::{OpPrinter, Printed, Stop};
use super::{region_directives, small, transform};
use crate::attribute::{Attribute, AttributeData};
use crate::body::Value;
use crate::ods::Element;
use crate::text::assembly::program::Program;
use crate::types::{DYNAMIC, TypeData};

/// The directives that both sides know.
const KNOWN: &[&str] = &[
    "AlternativesOpSelectedRegion",
    "ApplyRegisteredPassOptions",
    "AsyncDependencies",
    "AttributesOp",
    "ContinuousTileSizeTypes",
    "CreateOperationOpAttributes",
    "CreateOperationOpResults",
    "DimensionList",
    "DynamicIndexList",
    "EmitCFieldOpTypeAndInitialValue",
    "EmitCGlobalOpTypeAndInitialValue",
    "ForeachMatchSymbols",
    "GlobalMemrefOpTypeAndInitialValue",
    "ImageOperands",
    "LaunchDimType",
    "LaunchFuncOperands",
    "MNKDimensionList",
    "MultitileSizesTypes",
    "NamedValueList",
    "NamedValueListWithVariadicity",
    "OperationOpAttributes",
    "OptionalDynamicIndexList",
    "PackedOrDynamicIndexList",
    "RangeType",
    "ResultsValueType",
    "SemiFunctionType",
    "SequenceOpOperands",
    "SingleBlockRegion",
    "SwitchCases",
    "SwitchOpCases",
    "SymbolVisibility",
    "TokenOrdering",
    "TransformMatchDims",
    "TypedInitialValue",
];

/// Whether both sides know the directive.
pub(in crate::text) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

pub(super) fn print(printer: &mut OpPrinter<'_, '_>, program: &Program, name: &str, arguments: &[Element]) -> Printed {
    match name {
        "AlternativesOpSelectedRegion" => transform::selected_region(printer, program, arguments),
        "ApplyRegisteredPassOptions" => transform::pass_options(printer, program, arguments),
        "AsyncDependencies" => async_dependencies(printer, arguments),
        "AttributesOp" => small::named_attributes(printer, program, arguments),
        "ContinuousTileSizeTypes" | "MultitileSizesTypes" => transform::one_result_type(printer, arguments),
        "CreateOperationOpAttributes" | "OperationOpAttributes" => named_values(printer, program, arguments),
        "CreateOperationOpResults" => created_results(printer, program, arguments),
        "DimensionList" => small::dimension_list(printer, program, arguments),
        "DynamicIndexList" => dynamic_index_list(printer, program, arguments),
        "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue" => {
            small::emitc_value(printer, program, arguments)
        }
        "ForeachMatchSymbols" => transform::match_symbols(printer, program, arguments),
        "GlobalMemrefOpTypeAndInitialValue" => global_type_and_value(printer, program, arguments),
        "ImageOperands" => image_operands(printer, program, arguments),
        "LaunchDimType" => launch_type(printer, arguments),
        "LaunchFuncOperands" => launch_operands(printer, arguments),
        "MNKDimensionList" => small::mnk(printer, program, arguments),
        "NamedValueList" | "NamedValueListWithVariadicity" => small::named_list(printer, program, arguments),
        "OptionalDynamicIndexList" => small::optional_index_list(printer, program, arguments),
        "PackedOrDynamicIndexList" => transform::packed_or_list(printer, program, arguments),
        "RangeType" => range_type(printer, arguments),
        "ResultsValueType" => small::results_type(printer, program, arguments),
        "SemiFunctionType" => transform::semi_function_type(printer, arguments),
        "SequenceOpOperands" => transform::sequence_operands(printer, arguments),
        "SingleBlockRegion" => region_directives::single_block(printer, program, arguments),
        "SwitchCases" => region_directives::switch_cases(printer, program, arguments),
        "SwitchOpCases" => switch_cases(printer, program, arguments),
        "SymbolVisibility" => symbol_visibility(printer, program, arguments),
        "TokenOrdering" => small::token_ordering(printer, arguments),
        "TransformMatchDims" => transform::match_dims(printer, program, arguments),
        "TypedInitialValue" => typed_initial_value(printer, program, arguments),
        _ => Err(Stop::Unfit),
    }
}

/// The attribute that an argument stands for.
pub(super) fn attribute(
    printer: &OpPrinter<'_, '_>,
    program: &Program,
    argument: &Element,
) -> Printed<Option<Attribute>> {
    match argument {
        Element::Attribute(at) => Ok(printer.get(&program.details.attributes[*at as usize].name)),
        Element::Ref(of) | Element::Qualified(of) => attribute(printer, program, of),
        _ => Err(Stop::Unfit),
    }
}

/// `[1, %a, [4]]`: numbers, values where one is not known, brackets where one is scalable.
fn dynamic_index_list(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let values = values(printer, arguments.first().ok_or(Stop::Unfit)?)?;
    let numbers = attribute(printer, program, arguments.get(1).ok_or(Stop::Unfit)?)?;
    let numbers = match numbers {
        Some(numbers) => super::op::integers(printer.context(), numbers).ok_or(Stop::Unfit)?,
        None => Vec::new(),
    };
    let mut scalable = Vec::new();
    let mut typed = false;
    let mut brackets: &[u8; 2] = b"[]";
    for argument in &arguments[2..] {
        match argument {
            Element::Type(_) => typed = true,
            Element::Text(text) if text == "Paren" => brackets = b"()",
            Element::Text(text) if matches!(text.as_str(), "Square" | "{}") => {}
            Element::Attribute(_) | Element::Ref(_) => {
                if let Some(flags) = attribute(printer, program, argument)? {
                    scalable = super::op::integers(printer.context(), flags).ok_or(Stop::Unfit)?;
                }
            }
            _ => return Err(Stop::Unfit),
        }
    }
    printer.text(&brackets[..1]);
    index_list(printer, &numbers, &values, &scalable, typed)?;
    printer.text(&brackets[1..]);
    Ok(())
}

fn index_list(
    printer: &mut OpPrinter<'_, '_>,
    numbers: &[i64],
    values: &[Value],
    scalable: &[i64],
    typed: bool,
) -> Printed {
    if numbers.iter().filter(|&&number| number == DYNAMIC).count() != values.len() {
        return Err(Stop::Unfit);
    }
    let mut values = values.iter();
    for (at, &number) in numbers.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        let bracket = scalable.get(at).is_some_and(|&flag| flag != 0);
        if bracket {
            printer.text("[");
        }
        if number == DYNAMIC {
            let value = *values.next().ok_or(Stop::Unfit)?;
            printer.value(value);
            if typed {
                printer.text(" : ");
                printer.value_type(value)?;
            }
        } else {
            printer.number(number);
        }
        if bracket {
            printer.text("]");
        }
    }
    Ok(())
}

/// Numbers, with values where one is not known, between these brackets.
pub(super) fn index_list_in(
    printer: &mut OpPrinter<'_, '_>,
    numbers: &[i64],
    values: &[Value],
    brackets: &[u8; 2],
) -> Printed {
    printer.text(&brackets[..1]);
    index_list(printer, numbers, values, &[], false)?;
    printer.text(&brackets[1..]);
    Ok(())
}

/// `"private"` and a space, where there is a visibility.
fn symbol_visibility(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let visibility = attribute(printer, program, arguments.first().ok_or(Stop::Unfit)?)?;
    if let Some(AttributeData::String { value, .. }) = visibility.map(|it| &printer.context()[it]) {
        printer.text(value);
    }
    Ok(())
}

/// `memref<...> = dense<...>`, or `= uninitialized`
fn global_type_and_value(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let ty = attribute(printer, program, arguments.first().ok_or(Stop::Unfit)?)?.ok_or(Stop::Unfit)?;
    let ty = printer.type_in(ty)?;
    printer.ty(ty)?;
    let Some(value) = attribute(printer, program, arguments.get(1).ok_or(Stop::Unfit)?)? else { return Ok(()) };
    printer.text(" = ");
    if printer.context()[value] == AttributeData::Unit {
        printer.text("uninitialized");
        return Ok(());
    }
    printer.bare(value)
}

/// `(value : type) : type`, where the first type is that of the value.
fn typed_initial_value(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let ty = attribute(printer, program, arguments.first().ok_or(Stop::Unfit)?)?.ok_or(Stop::Unfit)?;
    let ty = printer.type_in(ty)?;
    if let Some(value) = attribute(printer, program, arguments.get(1).ok_or(Stop::Unfit)?)? {
        printer.text("(");
        printer.attribute(value)?;
        printer.text(")");
    }
    printer.text(" : ");
    printer.ty(ty)
}

/// ` {"name" = %value}`
fn named_values(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let values = values(printer, arguments.first().ok_or(Stop::Unfit)?)?;
    let names = attribute(printer, program, arguments.get(1).ok_or(Stop::Unfit)?)?;
    let names = match names {
        Some(names) => printer.array(names)?,
        None => &[],
    };
    if names.len() != values.len() {
        return Err(Stop::Unfit);
    }
    for (at, (&name, &value)) in names.iter().zip(&values).enumerate() {
        printer.text(if at == 0 { " {" } else { ", " });
        printer.attribute(name)?;
        printer.text(" = ");
        printer.value(value);
    }
    if !values.is_empty() {
        printer.text("}");
    }
    Ok(())
}

/// ` -> (%type : type)`, or ` -> <inferred>`
fn created_results(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let inferred = attribute(printer, program, arguments.get(2).ok_or(Stop::Unfit)?)?;
    if inferred.is_some() {
        printer.text(" -> <inferred>");
        return Ok(());
    }
    let values = values(printer, arguments.first().ok_or(Stop::Unfit)?)?;
    if !values.is_empty() {
        printer.text(" -> (");
        printer.values(&values);
        printer.text(" : ");
        printer.value_types(&values)?;
        printer.text(")");
    }
    Ok(())
}

/// The type of a range, where no argument says it.
fn range_type(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    if values(printer, arguments.first().ok_or(Stop::Unfit)?)?.is_empty() {
        printer.text(": ");
        let results = values(printer, arguments.get(1).ok_or(Stop::Unfit)?)?;
        printer.value_types(&results)?;
    }
    Ok(())
}

/// `async [%token, ...]`
fn async_dependencies(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let is_async = !values(printer, arguments.first().ok_or(Stop::Unfit)?)?.is_empty();
    let tokens = values(printer, arguments.get(1).ok_or(Stop::Unfit)?)?;
    if is_async {
        printer.text("async");
    }
    if !tokens.is_empty() {
        printer.text(if is_async { " [" } else { "[" });
        printer.values(&tokens);
        printer.text("]");
    }
    Ok(())
}

/// `args(%a : type, %b : type)`
fn launch_operands(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let values = values(printer, arguments.first().ok_or(Stop::Unfit)?)?;
    for (at, &value) in values.iter().enumerate() {
        printer.text(if at == 0 { "args(" } else { ", " });
        printer.value(value);
        printer.text(" : ");
        printer.value_type(value)?;
    }
    if !values.is_empty() {
        printer.text(")");
    }
    Ok(())
}

/// `: type` of the sizes of a launch, where they are no indices.
fn launch_type(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let values = values(printer, arguments.first().ok_or(Stop::Unfit)?)?;
    let first = *values.first().ok_or(Stop::Unfit)?;
    if *printer.type_data(first)? != TypeData::Index {
        printer.text(": ");
        printer.value_type(first)?;
    }
    Ok(())
}

/// The cases of a switch, a line each.
fn switch_cases(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let segments = printer.integers("case_operand_segments")?;
    let defaults = values(printer, arguments.get(2).ok_or(Stop::Unfit)?)?;
    let cases = attribute(printer, program, arguments.get(4).ok_or(Stop::Unfit)?)?;
    let mut rest = values(printer, arguments.get(6).ok_or(Stop::Unfit)?)?;
    printer.text("  default: ");
    printer.successor_with(0, &defaults)?;
    if let Some(cases) = cases {
        let labels = case_labels(printer, cases)?;
        if labels.len() != segments.len() || labels.len() + 1 != printer.successors().len() {
            return Err(Stop::Unfit);
        }
        for (at, (label, size)) in labels.into_iter().zip(segments).enumerate() {
            let size = usize::try_from(size).ok().filter(|&size| size <= rest.len()).ok_or(Stop::Unfit)?;
            let others = rest.split_off(size);
            let values = std::mem::replace(&mut rest, others);
            printer.text(",");
            new_line(printer);
            printer.text("  ");
            printer.text(label);
            printer.text(": ");
            printer.successor_with(at + 1, &values)?;
        }
        new_line(printer);
    }
    Ok(())
}

pub(super) fn new_line(printer: &mut OpPrinter<'_, '_>) {
    printer.text("\n");
    let depth = printer.to.depth;
    printer.to.indent(depth);
}

/// The integers of dense elements, without sign.
fn case_labels(printer: &OpPrinter<'_, '_>, cases: Attribute) -> Printed<Vec<String>> {
    let context = printer.context();
    let AttributeData::DenseElements { ty, data } = &context[cases] else { return Err(Stop::Unfit) };
    let count = context[*ty].element_count().and_then(|count| usize::try_from(count).ok()).ok_or(Stop::Unfit)?;
    let width = match context[*ty].element().map(|element| &context[element]) {
        Some(TypeData::Integer { width, .. }) if *width <= 64 && *width > 1 => width.div_ceil(8) as usize,
        Some(TypeData::Index) => 8,
        _ => return Err(Stop::Unfit),
    };
    let read = |bytes: &[u8]| {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(wide).to_string()
    };
    if data.len() == width {
        if count > 1 << 16 {
            return Err(Stop::Unfit);
        }
        return Ok(vec![read(data); count]);
    }
    Ok(data.chunks_exact(width).map(read).collect())
}

/// `["Lod"]`, where an image operation has them.
fn image_operands(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let flags = attribute(printer, program, arguments.first().ok_or(Stop::Unfit)?)?;
    let Some(flags) = flags else { return Ok(()) };
    let text = crate::text::print_attribute(printer.context(), flags)?;
    let (.., rest) = crate::text::assembly::split_symbol(text.as_bytes()).ok_or(Stop::Unfit)?;
    let rest = rest.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).ok_or(Stop::Unfit)?.to_vec();
    printer.text("[\"");
    printer.text(rest);
    printer.text("\"]");
    Ok(())
}
