//! The operations of `spirv` that have printers of their own.

use super::function;
use super::op::{OpPrinter, Printed, Stop};
use crate::attribute::{Attribute, AttributeData};
use crate::body::Value;
use crate::text::assembly::spirv::{composite_part, part_type};
use crate::text::assembly::split_symbol;
use crate::text::print_attribute;
use crate::types::{Type, TypeData};

/// The text of an enum attribute's case.
fn case(printer: &OpPrinter<'_, '_>, attribute: Attribute) -> Printed<String> {
    let text = print_attribute(printer.context(), attribute)?;
    let (.., rest) = split_symbol(text.as_bytes()).ok_or(Stop::Unfit)?;
    let rest = rest.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).ok_or(Stop::Unfit)?;
    let text = String::from_utf8_lossy(rest).into_owned();
    // A number that no case has is no word.
    let named = |word: &str| word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
    if text.split('|').all(named) { Ok(text) } else { Err(Stop::Unfit) }
}

fn quoted_case(printer: &mut OpPrinter<'_, '_>, name: &str) -> Printed {
    let text = case(printer, printer.need(name)?)?;
    printer.text("\"");
    printer.text(text);
    printer.text("\"");
    Ok(())
}

/// The parts of the text of a pointer type: what it points to, and its storage class.
fn pointer(printer: &OpPrinter<'_, '_>, value: Value) -> Printed<(String, String)> {
    let text = crate::text::print_type(printer.context(), printer.type_of(value)?)?;
    pointer_parts(&text).ok_or(Stop::Unfit)
}

fn pointer_parts(text: &str) -> Option<(String, String)> {
    let inner = text.strip_prefix("!spirv.ptr<")?.strip_suffix('>')?;
    let (pointee, class) = inner.rsplit_once(',')?;
    Some((pointee.trim().to_owned(), class.trim().to_owned()))
}

fn storage_class(printer: &mut OpPrinter<'_, '_>, value: Value) -> Printed {
    let (_, class) = pointer(printer, value)?;
    printer.text("\"");
    printer.text(class);
    printer.text("\" ");
    Ok(())
}

pub(in crate::text) fn module(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(name) = printer.string("sym_name")? {
        printer.text(" ");
        printer.symbol(name);
    }
    for name in ["addressing_model", "memory_model"] {
        let text = case(printer, printer.need(name)?)?;
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

pub(in crate::text) fn func(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    function::name(printer)?;
    let (inputs, results) = function::signature(printer)?;
    function::arguments(printer, inputs, results, false)?;
    printer.text(" ");
    quoted_case(printer, "function_control")?;
    printer.dictionary_with_keyword(&["function_type", "arg_attrs", "res_attrs", "function_control", "sym_name"])?;
    function::body(printer)
}

pub(in crate::text) fn global_variable(printer: &mut OpPrinter<'_, '_>) -> Printed {
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

pub(in crate::text) fn spec_constant(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &["sym_name", "default_value", "spec_id"])?;
    printer.text(" ");
    function::name(printer)?;
    if let Some(id) = printer.get("spec_id") {
        if !matches!(printer.context()[id], AttributeData::Integer { .. }) {
            return Err(Stop::Unfit);
        }
        printer.text(" spec_id(");
        printer.bare(id)?;
        printer.text(")");
    }
    printer.text(" = ");
    let value = printer.need("default_value")?;
    printer.attribute(value)
}

pub(in crate::text) fn spec_constant_composite(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &["sym_name", "type", "constituents"])?;
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

pub(in crate::text) fn replicate(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &["sym_name", "type", "constituent"])?;
    printer.text(" ");
    function::name(printer)?;
    printer.text(" (");
    let part = printer.need("constituent")?;
    printer.attribute(part)?;
    printer.text(") : ");
    let ty = printer.type_in(printer.need("type")?)?;
    printer.ty(ty)
}

pub(in crate::text) fn spec_constant_operation(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &[])?;
    let (id, body, regions) = printer.op.region_tree()?;
    let block = regions.first().and_then(|&region| body.first_block(region)).ok_or(Stop::Unfit)?;
    let first = body.first_operation(block).ok_or(Stop::Unfit)?;
    let inner = crate::operation::OpRef::new(printer.to.module, id, body, first);
    let last = body.next_operation(first).ok_or(Stop::Unfit)?;
    let shape = body.next_operation(last).is_none()
        && body.result_count(first) == 1
        && body.operands(last) == [body.result(first, 0).ok_or(Stop::Unfit)?]
        && inner.at(last).name() == "spirv.mlir.yield"
        && body.next_block(block).is_none();
    if !shape || body.region_number(first) > 0 || !body.arguments(block).is_empty() {
        return Err(Stop::Unfit);
    }
    nothing_but(&OpPrinter::new(printer.to, inner.at(last))?, &[])?;
    printer.text(" wraps ");
    OpPrinter::new(printer.to, inner)?.generic()
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

pub(in crate::text) fn entry_point(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &["execution_model", "fn", "interface"])?;
    printer.text(" ");
    quoted_case(printer, "execution_model")?;
    function_and_interface(printer)
}

pub(in crate::text) fn graph_entry_point(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &["fn", "interface"])?;
    function_and_interface(printer)
}

pub(in crate::text) fn graph(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    function::name(printer)?;
    let ty = printer.type_in(printer.need("function_type")?)?;
    // Functions have function types; a graph has a type of its own, kept as text.
    let TypeData::Function { inputs, results } = &printer.context()[ty] else { return Err(Stop::Unfit) };
    function::arguments(printer, inputs, results, false)?;
    printer.dictionary_with_keyword(&["function_type", "arg_attrs", "res_attrs", "sym_name"])?;
    function::body(printer)
}

pub(in crate::text) fn execution_mode(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &["execution_mode", "fn", "values"])?;
    printer.text(" ");
    let function = printer.need("fn")?;
    printer.attribute(function)?;
    printer.text(" ");
    quoted_case(printer, "execution_mode")?;
    for number in printer.integers("values")? {
        printer.text(", ");
        printer.number(number);
    }
    Ok(())
}

pub(in crate::text) fn constant(printer: &mut OpPrinter<'_, '_>) -> Printed {
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
        let text = case(printer, value)?;
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

pub(in crate::text) fn load(printer: &mut OpPrinter<'_, '_>) -> Printed {
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
    let ty = crate::text::print_type(printer.context(), printer.type_of(value)?)?;
    if pointee == ty { Ok(()) } else { Err(Stop::Unfit) }
}

pub(in crate::text) fn store(printer: &mut OpPrinter<'_, '_>) -> Printed {
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

pub(in crate::text) fn copy_memory(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (target, source) = (printer.at(0)?, printer.at(1)?);
    let (pointee, _) = pointer(printer, target)?;
    if pointer(printer, source)?.0 != pointee {
        return Err(Stop::Unfit);
    }
    // Upstream prints one access for two, which would be read as two.
    if printer.get("memory_access").is_some() && printer.get("source_memory_access").is_none() {
        return Err(Stop::Unfit);
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
    let ty = crate::text::parse_type(printer.context(), pointee.as_bytes())?;
    printer.ty(ty)
}

pub(in crate::text) fn variable(printer: &mut OpPrinter<'_, '_>) -> Printed {
    // The type says the storage class, and what an initializer is.
    let result = printer.result(0)?;
    let (_, class) = pointer(printer, result)?;
    if case(printer, printer.need("storage_class")?)? != class || printer.op.operands().len() > 1 {
        return Err(Stop::Unfit);
    }
    if let Some(&initializer) = printer.op.operands().first() {
        fits(printer, result, initializer)?;
    }
    if let Some(&initializer) = printer.op.operands().first() {
        printer.text(" init(");
        printer.value(initializer);
        printer.text(")");
    }
    printer.dictionary(&["storage_class"])?;
    printer.text(" : ");
    printer.value_type(result)
}

pub(in crate::text) fn composite_extract(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let composite = printer.at(0)?;
    let indices = printer.need("indices")?;
    let part = part_type(printer.context(), printer.type_of(composite)?, indices).ok_or(Stop::Unfit)?;
    printer.expect_type(printer.result(0)?, part)?;
    printer.text(" ");
    printer.value(composite);
    printer.attribute(indices)?;
    printer.dictionary(&["indices"])?;
    printer.text(" : ");
    printer.value_type(composite)
}

pub(in crate::text) fn composite_insert(printer: &mut OpPrinter<'_, '_>) -> Printed {
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

pub(in crate::text) fn branch_conditional(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &["branch_weights", "operandSegmentSizes"])?;
    let condition = printer.at(0)?;
    printer.text(" ");
    printer.value(condition);
    if let Some(weights) = printer.get("branch_weights") {
        printer.text(" [");
        let weights = super::op::integers(printer.context(), weights).ok_or(Stop::Unfit)?;
        for (at, weight) in weights.into_iter().enumerate() {
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

/// The form has a place for these attributes alone: with others, the operation is printed in generic form.
fn nothing_but(printer: &OpPrinter<'_, '_>, known: &[&str]) -> Printed {
    let context = printer.context();
    let is_known = |name: &[u8]| known.iter().any(|known| known.as_bytes() == name);
    match printer.all_attributes().iter().all(|entry| is_known(context.bytes(entry.0))) {
        true => Ok(()),
        false => Err(Stop::Unfit),
    }
}

fn control(printer: &mut OpPrinter<'_, '_>, name: &str) -> Printed {
    nothing_but(printer, &[name])?;
    let text = case(printer, printer.need(name)?)?;
    if text != "None" {
        printer.text(" control(");
        printer.text(text);
        printer.text(")");
    }
    let results: Vec<Value> = printer.op.results().collect();
    if !results.is_empty() {
        printer.text(" -> ");
        printer.value_types(&results)?;
    }
    printer.text(" ");
    printer.region(0, true, true);
    Ok(())
}

pub(in crate::text) fn selection(printer: &mut OpPrinter<'_, '_>) -> Printed {
    control(printer, "selection_control")
}

pub(in crate::text) fn repeat(printer: &mut OpPrinter<'_, '_>) -> Printed {
    control(printer, "loop_control")
}

/// The operands, which are of the type that the result's members have, and the result's type.
pub(in crate::text) fn struct_of_two(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let context = printer.context();
    let text = crate::text::print_type(context, printer.type_of(printer.result(0)?)?)?;
    let member = composite_part(&text, 0).ok_or(Stop::Unfit)?;
    operands_of_type(printer, crate::text::parse_type(context, member.as_bytes())?)
}

pub(in crate::text) fn three(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let ty = printer.type_of(printer.result(0)?)?;
    operands_of_type(printer, ty)
}

fn operands_of_type(printer: &mut OpPrinter<'_, '_>, ty: Type) -> Printed {
    let (operands, result) = (printer.op.operands(), printer.result(0)?);
    operands.iter().try_for_each(|&operand| printer.expect_type(operand, ty))?;
    printer.text(" ");
    printer.values(operands);
    printer.dictionary(&[])?;
    printer.text(" : ");
    printer.value_type(result)
}

pub(in crate::text) fn block_write(printer: &mut OpPrinter<'_, '_>) -> Printed {
    nothing_but(printer, &[])?;
    let (address, value) = (printer.at(0)?, printer.at(1)?);
    // A vector is written to where its elements go.
    let (pointee, _) = pointer(printer, address)?;
    let ty = printer.type_of(value)?;
    let element = match &printer.context()[ty] {
        TypeData::Vector { element, .. } => *element,
        _ => ty,
    };
    if crate::text::print_type(printer.context(), element)? != pointee {
        return Err(Stop::Unfit);
    }
    printer.text(" ");
    storage_class(printer, address)?;
    printer.value(address);
    printer.text(", ");
    printer.value(value);
    printer.text(" : ");
    printer.value_type(value)
}
