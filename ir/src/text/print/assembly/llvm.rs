//! The operations of `llvm` that have printers of their own.

use super::function;
use super::op::{OpPrinter, Printed, Stop};
use crate::attribute::AttributeData;
use crate::text::assembly::{enum_text, llvm, split_symbol};
use crate::text::print_attribute;

pub(in crate::text) fn compare(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let predicate = printer.need("predicate")?;
    let enumeration = definition.attributes().first().and_then(|attribute| attribute.constraint.enumeration.clone());
    let cases = enumeration.and_then(|name| printer.to.checker.enumeration(&name)).ok_or(Stop::Unfit)?;
    let AttributeData::Integer { value, .. } = &printer.context()[predicate] else { return Err(Stop::Unfit) };
    let text = enum_text(&cases, value.to_i64().ok_or(Stop::Unfit)?).ok_or(Stop::Unfit)?;
    printer.text(" \"");
    printer.text(text);
    printer.text("\" ");
    let operands = printer.op.operands();
    printer.values(operands);
    printer.dictionary(&["predicate"])?;
    printer.text(" : ");
    let left = printer.at(0)?;
    printer.value_type(left)
}

/// The text of an enum attribute's case.
fn case(printer: &OpPrinter<'_, '_>, name: &str) -> Printed<Option<String>> {
    let Some(value) = printer.get(name) else { return Ok(None) };
    let text = print_attribute(printer.context(), value)?;
    let (.., rest) = split_symbol(text.as_bytes()).ok_or(Stop::Unfit)?;
    let rest = rest.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">")).ok_or(Stop::Unfit)?;
    Ok(Some(String::from_utf8_lossy(rest).into_owned()))
}

/// The words of integer attributes that name cases of enums, each with a space behind it.
fn words(printer: &mut OpPrinter<'_, '_>, names: &[&str]) -> Printed {
    let definition = printer.definition()?;
    for name in names {
        let attribute = definition.attributes().iter().find(|attribute| attribute.name == *name).ok_or(Stop::Unfit)?;
        let Some(value) = printer.get(name) else { continue };
        let AttributeData::Integer { value, .. } = &printer.context()[value] else { return Err(Stop::Unfit) };
        let cases = attribute.constraint.enumeration.as_ref().and_then(|name| printer.to.checker.enumeration(name));
        let text = cases.and_then(|cases| enum_text(&cases, value.to_i64()?)).ok_or(Stop::Unfit)?;
        if !text.is_empty() {
            printer.text(text);
            printer.text(" ");
        }
    }
    Ok(())
}

fn comdat(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(comdat) = printer.get("comdat") {
        printer.text(" comdat(");
        printer.attribute(comdat)?;
        printer.text(")");
    }
    Ok(())
}

pub(in crate::text) fn func(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if printer.get("vscale_range").is_some() {
        return Err(Stop::Unfit);
    }
    printer.text(" ");
    if let Some(linkage) = case(printer, "linkage")?.filter(|linkage| linkage != "external") {
        printer.text(linkage);
        printer.text(" ");
    }
    words(printer, &["visibility_", "unnamed_addr"])?;
    if let Some(convention) = case(printer, "CConv")?.filter(|convention| convention != "ccc") {
        printer.text(convention);
        printer.text(" ");
    }
    function::name(printer)?;
    let ty = printer.type_in(printer.need("function_type")?)?;
    let function = llvm::split(printer.context(), ty).ok_or(Stop::Unfit)?;
    let results: Vec<_> = function.result.into_iter().collect();
    function::arguments(printer, &function.inputs, &results, function.variadic)?;
    comdat(printer)?;
    printer.dictionary_with_keyword(&[
        "function_type",
        "arg_attrs",
        "res_attrs",
        "linkage",
        "CConv",
        "visibility_",
        "comdat",
        "unnamed_addr",
        "vscale_range",
        "sym_name",
    ])?;
    function::body(printer)
}

pub(in crate::text) fn global(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.text(" ");
    let linkage = case(printer, "linkage")?.ok_or(Stop::Unfit)?;
    printer.text(linkage);
    printer.text(" ");
    words(printer, &["visibility_"])?;
    if printer.get("thread_local_").is_some() {
        printer.text("thread_local ");
    }
    words(printer, &["unnamed_addr"])?;
    if printer.get("constant").is_some() {
        printer.text("constant ");
    }
    function::name(printer)?;
    printer.text("(");
    let value = printer.get("value");
    if let Some(value) = value {
        printer.attribute(value)?;
    }
    printer.text(")");
    comdat(printer)?;
    printer.dictionary(&[
        "sym_name",
        "global_type",
        "constant",
        "value",
        "linkage",
        "unnamed_addr",
        "thread_local_",
        "visibility_",
        "comdat",
    ])?;
    let ty = printer.type_in(printer.need("global_type")?)?;
    if let Some(AttributeData::String { value, .. }) = value.map(|value| &printer.context()[value]) {
        // Text leaves out the type of a string, which follows from its length.
        let text = crate::text::print_type(printer.context(), ty)?;
        let fits = text == format!("!llvm.array<{} x i8>", value.len());
        return if fits && printer.is_empty_region(0)? { Ok(()) } else { Err(Stop::Unfit) };
    }
    printer.text(" : ");
    printer.ty(ty)?;
    if !printer.is_empty_region(0)? {
        printer.text(" ");
        printer.region(0, false, true);
    }
    Ok(())
}
