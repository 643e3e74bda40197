//! The directives of assembly formats that stand for code.

use super::format::values;
use super::op::{NotCustom, OpPrinter, Printed};
use super::{llvm, region_directives, small, transform};
use crate::attribute::{Attribute, AttributeData};
use crate::body::Value;
use crate::dense::{Number, dense_layout};
use crate::number::ApInt;
use crate::ods::Element;
use crate::text::assembly::MAX_CASE_WIDTH;
use crate::text::assembly::USUAL_HANDLER;
use crate::text::assembly::program::Program;
use crate::types::{DYNAMIC, TypeData};

/// The directives that both sides know.
const KNOWN: &[&str] = &[
    "AllReduceOperation",
    "AlternativesOpSelectedRegion",
    "ApplyRegisteredPassOptions",
    "AsyncDependencies",
    "AttributesOp",
    "AwaitResultType",
    "ContinuousTileSizeTypes",
    "CreateOperationOpAttributes",
    "CreateOperationOpResults",
    "DimensionList",
    "DynamicIndexList",
    "EmitCFieldOpTypeAndInitialValue",
    "EmitCGlobalOpTypeAndInitialValue",
    "ForeachMatchSymbols",
    "GEPIndices",
    "GlobalMemrefOpTypeAndInitialValue",
    "IndirectBrOpSucessors",
    "InsertExtractValueElementType",
    "LLVMLinkage",
    "LaunchDimType",
    "LaunchFuncOperands",
    "MNKDimensionList",
    "MultitileSizesTypes",
    "NamedValueList",
    "NamedValueListWithVariadicity",
    "OffloadingHandler",
    "OpBundles",
    "OperationOpAttributes",
    "OptionalDynamicIndexList",
    "PackedOrDynamicIndexList",
    "RangeType",
    "ResultsValueType",
    "SemiFunctionType",
    "SequenceOpOperands",
    "ShuffleType",
    "SingleBlockRegion",
    "SwitchCases",
    "SwitchOpCases",
    "SymbolVisibility",
    "TokenOrdering",
    "TransformMatchDims",
    "TypedInitialValue",
    "VariableOpTypeOrInitialValue",
];

/// Whether both sides know the directive.
pub(in crate::text) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

pub(super) fn print(printer: &mut OpPrinter<'_, '_>, program: &Program, name: &str, arguments: &[Element]) -> Printed {
    match name {
        "AllReduceOperation" => reduction(printer, program, arguments),
        "AlternativesOpSelectedRegion" => transform::selected_region(printer, program, arguments),
        "ApplyRegisteredPassOptions" => transform::pass_options(printer, program, arguments),
        "AsyncDependencies" => async_dependencies(printer, arguments),
        "AttributesOp" => small::named_attributes(printer, program, arguments),
        "AwaitResultType" => await_type(printer, arguments),
        "ContinuousTileSizeTypes" | "MultitileSizesTypes" => transform::one_result_type(printer, arguments),
        "CreateOperationOpAttributes" | "OperationOpAttributes" => named_values(printer, program, arguments),
        "CreateOperationOpResults" => created_results(printer, program, arguments),
        "DimensionList" => small::dimension_list(printer, program, arguments),
        "DynamicIndexList" => dynamic_index_list(printer, program, arguments),
        "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue" => {
            small::emitc_value(printer, program, arguments)
        }
        "ForeachMatchSymbols" => transform::match_symbols(printer, program, arguments),
        "GEPIndices" => llvm::indices(printer, program, arguments),
        "GlobalMemrefOpTypeAndInitialValue" => global_type_and_value(printer, program, arguments),
        "IndirectBrOpSucessors" => llvm::successors(printer, arguments),
        "InsertExtractValueElementType" => llvm::element_type(printer, program, arguments),
        "LLVMLinkage" => llvm::linkage(printer),
        "LaunchDimType" => launch_type(printer, arguments),
        "LaunchFuncOperands" => launch_operands(printer, arguments),
        "OffloadingHandler" => offloading_handler(printer, program, arguments),
        "OpBundles" => llvm::bundles_of(printer, program, arguments),
        "ShuffleType" => llvm::shuffle_type(printer, program, arguments),
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
        // Of two directives of that name, that of `llvm` knows the default already.
        "SwitchOpCases" if arguments.len() == 5 => llvm::switch_cases(printer, program, arguments),
        "SwitchOpCases" => switch_cases(printer, program, arguments),
        "SymbolVisibility" => symbol_visibility(printer, program, arguments),
        "TokenOrdering" => small::token_ordering(printer, arguments),
        "TransformMatchDims" => transform::match_dims(printer, program, arguments),
        "TypedInitialValue" => typed_initial_value(printer, program, arguments),
        "VariableOpTypeOrInitialValue" => variable(printer, program, arguments),
        _ => Err(NotCustom::UseGeneric),
    }
}

/// The attribute that an argument stands for.
pub(in crate::text) fn attribute(
    printer: &OpPrinter<'_, '_>,
    program: &Program,
    argument: &Element,
) -> Printed<Option<Attribute>> {
    match argument {
        Element::Attribute(at) => Ok(printer.get(&program.details.attributes[*at as usize].name)),
        Element::Ref(of) | Element::Qualified(of) => attribute(printer, program, of),
        _ => Err(NotCustom::UseGeneric),
    }
}

/// `[1, %a, [4]]`: numbers, values where one is not known, brackets where one is scalable.
fn dynamic_index_list(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let values = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    let numbers = attribute(printer, program, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?;
    let numbers = match numbers {
        Some(numbers) => super::op::integers(printer.context(), numbers).ok_or(NotCustom::UseGeneric)?,
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
                    scalable = super::op::integers(printer.context(), flags).ok_or(NotCustom::UseGeneric)?;
                }
            }
            _ => return Err(NotCustom::UseGeneric),
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
        return Err(NotCustom::UseGeneric);
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
            let value = *values.next().ok_or(NotCustom::UseGeneric)?;
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
    let visibility = attribute(printer, program, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    match visibility.map(|it| &printer.context()[it]) {
        None => Ok(()),
        Some(AttributeData::String { value, .. }) => super::function::visibility(printer, value),
        Some(_) => Err(NotCustom::UseGeneric),
    }
}

/// `memref<...> = dense<...>`, or `= uninitialized`
fn global_type_and_value(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let ty =
        attribute(printer, program, arguments.first().ok_or(NotCustom::UseGeneric)?)?.ok_or(NotCustom::UseGeneric)?;
    let ty = printer.type_in(ty)?;
    printer.ty(ty)?;
    let Some(value) = attribute(printer, program, arguments.get(1).ok_or(NotCustom::UseGeneric)?)? else {
        return Ok(());
    };
    printer.text(" = ");
    if printer.context()[value] == AttributeData::Unit {
        printer.text("uninitialized");
        return Ok(());
    }
    printer.bare(value)
}

/// `(value : type) : type`, where the first type is that of the value.
fn typed_initial_value(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let ty =
        attribute(printer, program, arguments.first().ok_or(NotCustom::UseGeneric)?)?.ok_or(NotCustom::UseGeneric)?;
    let ty = printer.type_in(ty)?;
    if let Some(value) = attribute(printer, program, arguments.get(1).ok_or(NotCustom::UseGeneric)?)? {
        printer.text("(");
        printer.attribute(value)?;
        printer.text(")");
    }
    printer.text(" : ");
    printer.ty(ty)
}

/// The type of what is awaited, where that of the result is inside it.
fn await_type(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let [awaited] = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?[..] else {
        return Err(NotCustom::UseGeneric);
    };
    let results = values(printer, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?;
    let context = printer.context();
    let outer = crate::text::print_type(context, printer.type_of(awaited)?)?;
    let inner = match results.first() {
        Some(&result) => Some(crate::text::print_type(context, printer.type_of(result)?)?),
        None => None,
    };
    if crate::text::assembly::async_value(&outer) != inner.as_deref() {
        return Err(NotCustom::UseGeneric);
    }
    printer.value_type(awaited)
}

/// `= dense<...> : tensor<...>`, or `: tensor<...>`
fn variable(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let [shape, element, value] = arguments else { return Err(NotCustom::UseGeneric) };
    let shape = attribute(printer, program, shape)?.ok_or(NotCustom::UseGeneric)?;
    let element = attribute(printer, program, element)?.ok_or(NotCustom::UseGeneric)?;
    let context = printer.context();
    let sizes = super::op::dense_integers(context, shape).ok_or(NotCustom::UseGeneric)?;
    let sizes = sizes.into_iter().map(|size| if size < 0 { DYNAMIC } else { size }).collect();
    let element = printer.type_in(element)?;
    let ty = context.ty(TypeData::RankedTensor { shape: sizes, element, encoding: None });
    match attribute(printer, program, value)? {
        None => {
            printer.text(": ");
            printer.ty(ty)
        }
        Some(value) => match context[value] {
            AttributeData::DenseElements { ty: of, .. } | AttributeData::DenseResource { ty: of, .. } if of == ty => {
                printer.text("= ");
                printer.attribute(value)
            }
            _ => Err(NotCustom::UseGeneric),
        },
    }
}

/// ` {"name" = %value}`
fn named_values(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let values = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    let names = attribute(printer, program, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?;
    let names = match names {
        Some(names) => printer.array(names)?,
        None => &[],
    };
    if names.len() != values.len() {
        return Err(NotCustom::UseGeneric);
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
    let inferred = attribute(printer, program, arguments.get(2).ok_or(NotCustom::UseGeneric)?)?;
    if inferred.is_some() {
        printer.text(" -> <inferred>");
        return Ok(());
    }
    let values = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
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
    if values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?.is_empty() {
        printer.text(": ");
        let results = values(printer, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?;
        printer.value_types(&results)?;
    }
    Ok(())
}

/// `async [%token, ...]`
fn async_dependencies(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let is_async = !values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?.is_empty();
    let tokens = values(printer, arguments.get(1).ok_or(NotCustom::UseGeneric)?)?;
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

/// ` add`, where a reduction has no region that says what it does.
fn reduction(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let Some(kind) = attribute(printer, program, arguments.first().ok_or(NotCustom::UseGeneric)?)? else {
        return Ok(());
    };
    let text = crate::text::print_attribute(printer.context(), kind)?;
    match crate::text::assembly::split_symbol(text.as_bytes()) {
        Some((b"gpu", b"all_reduce_op", [b' ', case @ ..])) if is_word(case) => {
            printer.text(" ");
            printer.text(case);
            Ok(())
        }
        _ => Err(NotCustom::UseGeneric),
    }
}

/// Whether a parser takes the text for one word.
pub(super) fn is_word(text: &[u8]) -> bool {
    text.first().is_some_and(|first| !first.is_ascii_digit())
        && text.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// `<#gpu.select_object<1>>`, where it is not the usual one.
fn offloading_handler(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let handler =
        attribute(printer, program, arguments.first().ok_or(NotCustom::UseGeneric)?)?.ok_or(NotCustom::UseGeneric)?;
    if crate::text::print_attribute(printer.context(), handler)? != USUAL_HANDLER {
        printer.text("<");
        printer.attribute(handler)?;
        printer.text(">");
    }
    Ok(())
}

/// `args(%a : type, %b : type)`
fn launch_operands(printer: &mut OpPrinter<'_, '_>, arguments: &[Element]) -> Printed {
    let values = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
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
    let values = values(printer, arguments.first().ok_or(NotCustom::UseGeneric)?)?;
    let first = *values.first().ok_or(NotCustom::UseGeneric)?;
    if *printer.type_data(first)? != TypeData::Index {
        printer.text(": ");
        printer.value_type(first)?;
    }
    Ok(())
}

/// The cases of a switch, a line each.
fn switch_cases(printer: &mut OpPrinter<'_, '_>, program: &Program, arguments: &[Element]) -> Printed {
    let segments = printer.integers("case_operand_segments")?;
    let defaults = values(printer, arguments.get(2).ok_or(NotCustom::UseGeneric)?)?;
    let cases = attribute(printer, program, arguments.get(4).ok_or(NotCustom::UseGeneric)?)?;
    let mut rest = values(printer, arguments.get(6).ok_or(NotCustom::UseGeneric)?)?;
    printer.text("  default: ");
    printer.successor_with(0, &defaults)?;
    if let Some(cases) = cases {
        if segments.len() + 1 != printer.successors().len() {
            return Err(NotCustom::UseGeneric);
        }
        let labels = case_labels(printer, cases, segments.len())?;
        for (at, (label, size)) in labels.into_iter().zip(segments).enumerate() {
            let size = usize::try_from(size).ok().filter(|&size| size <= rest.len()).ok_or(NotCustom::UseGeneric)?;
            let others = rest.split_off(size);
            let values = std::mem::replace(&mut rest, others);
            printer.text(",");
            new_line(printer);
            printer.text("  ");
            printer.text(label.to_u64().ok_or(NotCustom::UseGeneric)?.to_string());
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

/// The integers of dense elements, as many as there are cases.
pub(super) fn case_labels(printer: &OpPrinter<'_, '_>, cases: Attribute, count: usize) -> Printed<Vec<ApInt>> {
    let AttributeData::DenseElements { ty, data } = &printer.context()[cases] else {
        return Err(NotCustom::UseGeneric);
    };
    let (layout, elements) = dense_layout(printer.context(), *ty).map_err(|_| NotCustom::UseGeneric)?;
    let fits = matches!(layout.number, Number::Integer { width, .. } if width <= MAX_CASE_WIDTH);
    if elements != count as u64 || layout.complex || !fits {
        return Err(NotCustom::UseGeneric);
    }
    if layout.is_splat(elements, data).ok_or(NotCustom::UseGeneric)? {
        return Ok(vec![layout.read(data); count]);
    }
    let bit = |at: usize| layout.read(&[data[at / 8] >> (at % 8) & 1]);
    Ok(match layout.packed() {
        true => (0..count).map(bit).collect(),
        false => data.chunks_exact(layout.size()).map(|bytes| layout.read(bytes)).collect(),
    })
}
