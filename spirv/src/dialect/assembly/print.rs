//! How operations are printed that their definitions leave to code.

use mlirbc_ir::{Attribute, AttributeData, Type, TypeData, Value};
use mlirbc_text::function::print as function;
use mlirbc_text::{DirectiveArguments, NotCustom, OpPrinter, Printed};

use crate::dialect::types::{self, SpirvType};
use crate::dialect::{EnumKind, attributes};

/// The text of an enum attribute's case. Bits or a number that have no name are no words: the generic form has them.
fn case(printer: &OpPrinter<'_, '_>, kind: EnumKind, attribute: Attribute) -> Printed<String> {
    let value = attributes::enumerant_of(printer.context(), attribute, kind).ok_or(NotCustom::UseGeneric)?;
    let text = kind.show(value);
    let named = |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if text.split('|').all(named) { Ok(text.into_owned()) } else { Err(NotCustom::UseGeneric) }
}

fn quoted_case(printer: &mut OpPrinter<'_, '_>, kind: EnumKind, name: &str) -> Printed {
    let text = case(printer, kind, printer.need(name)?)?;
    printer.text("\"");
    printer.text(text);
    printer.text("\"");
    Ok(())
}

/// What a pointer points to, and its storage class.
fn pointer(printer: &OpPrinter<'_, '_>, value: Value) -> Printed<(Type, u32)> {
    match types::view(printer.context(), printer.type_of(value)?) {
        Some(SpirvType::Pointer { pointee, class }) => Ok((pointee, class)),
        _ => Err(NotCustom::UseGeneric),
    }
}

/// `"Function" `, of a pointer.
fn storage_class(printer: &mut OpPrinter<'_, '_>, value: Value) -> Printed {
    let (_, class) = pointer(printer, value)?;
    let name = EnumKind::StorageClass.name(class).ok_or(NotCustom::UseGeneric)?;
    printer.text("\"");
    printer.text(name);
    printer.text("\" ");
    Ok(())
}

pub(super) fn module(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(name) = printer.string("sym_name")? {
        printer.text(" ");
        printer.symbol(name);
    }
    for (name, kind) in [("addressing_model", EnumKind::AddressingModel), ("memory_model", EnumKind::MemoryModel)] {
        let text = case(printer, kind, printer.need(name)?)?;
        printer.text(" ");
        printer.text(text);
    }
    if let Some(triple) = printer.get("vce_triple") {
        printer.text(" requires ");
        printer.attribute(triple)?;
    }
    printer.dictionary_with_keyword(&["sym_name", "addressing_model", "memory_model", "vce_triple"])?;
    printer.text(" ");
    printer.region(0, true, true);
    Ok(())
}

pub(super) fn func(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    function::name(printer)?;
    let (inputs, results) = function::signature(printer)?;
    function::arguments(printer, inputs, results, false)?;
    printer.text(" ");
    quoted_case(printer, EnumKind::FunctionControl, "function_control")?;
    printer.dictionary_with_keyword(&["function_type", "arg_attrs", "res_attrs", "function_control", "sym_name"])?;
    function::body(printer)
}

pub(super) fn global_variable(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    function::name(printer)?;
    let mut elided = vec!["sym_name", "type"];
    if let Some(initializer) = printer.get("initializer") {
        printer.text(" initializer(");
        printer.bare(initializer)?;
        printer.text(")");
        elided.push("initializer");
    }
    if let (Some(set), Some(binding)) = (printer.get("descriptor_set"), printer.get("binding")) {
        printer.text(" bind(");
        printer.bare(set)?;
        printer.text(", ");
        printer.bare(binding)?;
        printer.text(")");
        elided.extend(["descriptor_set", "binding"]);
    }
    if let Some(built_in) = printer.string("built_in")? {
        printer.text(" built_in(");
        printer.quoted(built_in);
        printer.text(")");
        elided.push("built_in");
    }
    printer.dictionary(&elided)?;
    printer.text(" : ");
    let ty = printer.type_in(printer.need("type")?)?;
    printer.ty(ty)
}

pub(super) fn spec_constant(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&["sym_name", "default_value", "spec_id"])?;
    printer.text(" ");
    function::name(printer)?;
    if let Some(id) = printer.get("spec_id") {
        if !matches!(printer.context()[id], AttributeData::Integer { .. }) {
            return Err(NotCustom::UseGeneric);
        }
        printer.text(" spec_id(");
        printer.bare(id)?;
        printer.text(")");
    }
    printer.text(" = ");
    let value = printer.need("default_value")?;
    printer.attribute(value)
}

pub(super) fn spec_constant_composite(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&["sym_name", "type", "constituents"])?;
    printer.text(" ");
    function::name(printer)?;
    printer.text(" (");
    let parts = printer.array(printer.need("constituents")?)?;
    for (at, &part) in parts.iter().enumerate() {
        if at > 0 {
            printer.text(", ");
        }
        printer.attribute(part)?;
    }
    printer.text(") : ");
    let ty = printer.type_in(printer.need("type")?)?;
    printer.ty(ty)
}

pub(super) fn replicate(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&["sym_name", "type", "constituent"])?;
    printer.text(" ");
    function::name(printer)?;
    printer.text(" (");
    let part = printer.need("constituent")?;
    printer.attribute(part)?;
    printer.text(") : ");
    let ty = printer.type_in(printer.need("type")?)?;
    printer.ty(ty)
}

pub(super) fn spec_constant_operation(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&[])?;
    let mut inside = printer.op().ops()?;
    let (Some(wrapped), Some(end), None) = (inside.next(), inside.next(), inside.next()) else {
        return Err(NotCustom::UseGeneric);
    };
    let (body, block) = (wrapped.body(), wrapped.body().block_of(wrapped.id()));
    let is_yield = end.name() == "spirv.mlir.yield"
        && end.operands().len() == 1
        && wrapped.results().eq(end.operands().iter().copied())
        && end.attributes()?.is_empty()
        && end.properties()?.is_none();
    let is_alone = block.is_some_and(|block| body.arguments(block).is_empty() && body.next_block(block).is_none());
    if !is_yield || !is_alone || body.region_count_of(wrapped.id()) > 0 {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" wraps ");
    printer.generic_operation(wrapped)
}

fn function_and_interface(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let function = printer.need("fn")?;
    printer.attribute(function)?;
    let interface = printer.array(printer.need("interface")?)?;
    for &variable in interface {
        printer.text(", ");
        printer.attribute(variable)?;
    }
    Ok(())
}

pub(super) fn entry_point(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&["execution_model", "fn", "interface"])?;
    printer.text(" ");
    quoted_case(printer, EnumKind::ExecutionModel, "execution_model")?;
    function_and_interface(printer)
}

pub(super) fn graph_entry_point(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&["fn", "interface"])?;
    function_and_interface(printer)
}

pub(super) fn graph(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    function::name(printer)?;
    let ty = printer.type_in(printer.need("function_type")?)?;
    // Functions have function types; a graph has a type of its own, kept as text.
    let TypeData::Function { inputs, results } = &printer.context()[ty] else { return Err(NotCustom::UseGeneric) };
    function::arguments(printer, inputs, results, false)?;
    printer.dictionary_with_keyword(&["function_type", "arg_attrs", "res_attrs", "sym_name"])?;
    function::body(printer)
}

pub(super) fn execution_mode(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&["execution_mode", "fn", "values"])?;
    printer.text(" ");
    let function = printer.need("fn")?;
    printer.attribute(function)?;
    printer.text(" ");
    quoted_case(printer, EnumKind::ExecutionMode, "execution_mode")?;
    for number in printer.integers("values")? {
        printer.text(", ");
        printer.number(number);
    }
    Ok(())
}

pub(super) fn constant(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let value = printer.need("value")?;
    printer.attribute(value)?;
    let result = printer.result(0)?;
    let ty = printer.type_of(result)?;
    let context = printer.context();
    // `true` and `false` stand for their type, numbers and elements show it.
    let own = match &context[value] {
        AttributeData::Integer { ty, .. }
        | AttributeData::Float { ty, .. }
        | AttributeData::DenseElements { ty, .. } => Some(*ty),
        _ => None,
    };
    if own != Some(ty) || own.is_some_and(|ty| matches!(&context[ty], TypeData::Dialect(_) | TypeData::Text { .. })) {
        printer.text(" : ");
        printer.ty(ty)?;
    }
    printer.dictionary(&["value"])
}

/// ` ["Volatile|Aligned", 4]`, and the names of the attributes that it shows.
fn memory_access(
    printer: &mut OpPrinter<'_, '_>,
    access: &'static str,
    alignment: &'static str,
    elided: &mut Vec<&'static str>,
) -> Printed {
    if let Some(value) = printer.get(access) {
        elided.push(access);
        let text = case(printer, EnumKind::MemoryAccess, value)?;
        let is_aligned = text.split('|').any(|word| word == "Aligned");
        printer.text(" [\"");
        printer.text(text);
        printer.text("\"");
        if let Some(alignment_value) = printer.get(alignment).filter(|_| is_aligned) {
            elided.push(alignment);
            printer.text(", ");
            printer.bare(alignment_value)?;
        }
        printer.text("]");
    }
    elided.push("storage_class");
    Ok(())
}

pub(super) fn load(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (address, result) = (printer.at(0)?, printer.result(0)?);
    fits(printer, address, result)?;
    printer.text(" ");
    storage_class(printer, address)?;
    printer.value(address);
    let mut elided = Vec::new();
    memory_access(printer, "memory_access", "alignment", &mut elided)?;
    printer.dictionary(&elided)?;
    printer.text(" : ");
    printer.value_type(result)
}

/// Whether the pointer points to values of that type, which is all that text says.
fn fits(printer: &OpPrinter<'_, '_>, address: Value, value: Value) -> Printed {
    let (pointee, _) = pointer(printer, address)?;
    printer.expect_type(value, pointee)
}

pub(super) fn store(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (address, value) = (printer.at(0)?, printer.at(1)?);
    fits(printer, address, value)?;
    printer.text(" ");
    storage_class(printer, address)?;
    printer.value(address);
    printer.text(", ");
    printer.value(value);
    let mut elided = Vec::new();
    memory_access(printer, "memory_access", "alignment", &mut elided)?;
    printer.text(" : ");
    printer.value_type(value)?;
    printer.dictionary(&elided)
}

pub(super) fn copy_memory(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (target, source) = (printer.at(0)?, printer.at(1)?);
    let (pointee, _) = pointer(printer, target)?;
    if pointer(printer, source)?.0 != pointee {
        return Err(NotCustom::UseGeneric);
    }
    // Upstream prints one access for two, which would be read as two.
    if printer.get("memory_access").is_some() && printer.get("source_memory_access").is_none() {
        return Err(NotCustom::UseGeneric);
    }
    // Two spaces, as upstream has them.
    printer.text("  ");
    storage_class(printer, target)?;
    printer.value(target);
    printer.text(",  ");
    storage_class(printer, source)?;
    printer.value(source);
    let mut elided = Vec::new();
    memory_access(printer, "memory_access", "alignment", &mut elided)?;
    printer.text(", ");
    memory_access(printer, "source_memory_access", "source_alignment", &mut elided)?;
    printer.dictionary(&elided)?;
    printer.text(" : ");
    printer.ty(pointee)
}

pub(super) fn variable(printer: &mut OpPrinter<'_, '_>) -> Printed {
    // The type says the storage class, and what an initializer is.
    let result = printer.result(0)?;
    let (_, class) = pointer(printer, result)?;
    let declared = attributes::enumerant_of(printer.context(), printer.need("storage_class")?, EnumKind::StorageClass);
    if declared != Some(class) || printer.all_operands().len() > 1 {
        return Err(NotCustom::UseGeneric);
    }
    if let Some(&initializer) = printer.all_operands().first() {
        fits(printer, result, initializer)?;
    }
    if let Some(&initializer) = printer.all_operands().first() {
        printer.text(" init(");
        printer.value(initializer);
        printer.text(")");
    }
    printer.dictionary(&["storage_class"])?;
    printer.text(" : ");
    printer.value_type(result)
}

pub(super) fn composite_extract(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let composite = printer.at(0)?;
    let indices = printer.need("indices")?;
    let part =
        super::part_type(printer.context(), printer.type_of(composite)?, indices).ok_or(NotCustom::UseGeneric)?;
    printer.expect_type(printer.result(0)?, part)?;
    printer.text(" ");
    printer.value(composite);
    printer.attribute(indices)?;
    printer.dictionary(&["indices"])?;
    printer.text(" : ");
    printer.value_type(composite)
}

pub(super) fn composite_insert(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (object, composite) = (printer.at(0)?, printer.at(1)?);
    printer.expect_same_types(&[printer.result(0)?], &[composite])?;
    printer.text(" ");
    printer.value(object);
    printer.text(", ");
    printer.value(composite);
    let indices = printer.need("indices")?;
    printer.attribute(indices)?;
    printer.dictionary(&["indices"])?;
    printer.text(" : ");
    printer.value_type(object)?;
    printer.text(" into ");
    printer.value_type(composite)
}

pub(super) fn branch_conditional(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&["branch_weights", "operandSegmentSizes"])?;
    let condition = printer.at(0)?;
    printer.text(" ");
    printer.value(condition);
    if printer.get("branch_weights").is_some() {
        printer.text(" [");
        for (at, weight) in printer.integers("branch_weights")?.into_iter().enumerate() {
            if at > 0 {
                printer.text(", ");
            }
            printer.number(weight);
        }
        printer.text("]");
    }
    printer.text(", ");
    let values = printer.operands(1)?;
    printer.successor_with(0, values)?;
    printer.text(", ");
    let values = printer.operands(2)?;
    printer.successor_with(1, values)
}

fn control(printer: &mut OpPrinter<'_, '_>, kind: EnumKind, name: &str) -> Printed {
    printer.no_attributes_but(&[name])?;
    let text = case(printer, kind, printer.need(name)?)?;
    if text != "None" {
        printer.text(" control(");
        printer.text(text);
        printer.text(")");
    }
    let results = printer.all_results();
    if !results.is_empty() {
        printer.text(" -> ");
        printer.value_types(&results)?;
    }
    printer.text(" ");
    printer.region(0, true, true);
    Ok(())
}

pub(super) fn selection(printer: &mut OpPrinter<'_, '_>) -> Printed {
    control(printer, EnumKind::SelectionControl, "selection_control")
}

pub(super) fn loop_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    control(printer, EnumKind::LoopControl, "loop_control")
}

/// The operands, which are of the type that the result's members have, and the result's type.
pub(super) fn struct_of_two(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let result = printer.type_of(printer.result(0)?)?;
    let member = types::part(printer.context(), result, 0).ok_or(NotCustom::UseGeneric)?;
    let operands = printer.all_operands();
    operands.iter().try_for_each(|&operand| printer.expect_type(operand, member))?;
    printer.text(" ");
    printer.values(operands);
    printer.dictionary(&[])?;
    printer.text(" : ");
    printer.ty(result)
}

pub(super) fn three(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let ty = printer.type_of(printer.result(0)?)?;
    printer.operands_of_one_type(ty)
}

pub(super) fn block_write(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&[])?;
    let (address, value) = (printer.at(0)?, printer.at(1)?);
    // A vector is written to where its elements go.
    let (pointee, _) = pointer(printer, address)?;
    let ty = printer.type_of(value)?;
    let element = match &printer.context()[ty] {
        TypeData::Vector { element, .. } => *element,
        _ => ty,
    };
    if element != pointee {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    storage_class(printer, address)?;
    printer.value(address);
    printer.text(", ");
    printer.value(value);
    printer.text(" : ");
    printer.value_type(value)
}

/// `["Bias|Lod"]`
pub(super) fn image_operands(printer: &mut OpPrinter<'_, '_>, arguments: DirectiveArguments<'_>) -> Printed {
    let Some(flags) = arguments.attribute(printer, 0)? else { return Ok(()) };
    let text = case(printer, EnumKind::ImageOperands, flags)?;
    printer.text("[\"");
    printer.text(text);
    printer.text("\"]");
    Ok(())
}
