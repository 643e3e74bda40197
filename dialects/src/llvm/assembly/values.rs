//! Comparisons, landing pads and allocations.

use super::words::dictionary;
use crate::llvm::ArrayType;
use mlirbc_ir::{AttributeData, Context, Type, TypeData};
use mlirbc_text::{Continuation, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed};

/// What comes of comparing two values of a type: a bit, or one for each element.
fn compared(context: &Context, ty: Type) -> Type {
    let element = context.integer_type(1);
    match &context[ty] {
        TypeData::Vector { shape, scalable, .. } => {
            context.ty(TypeData::Vector { shape: shape.clone(), scalable: scalable.clone(), element })
        }
        _ => element,
    }
}

pub(super) fn print_compare(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let predicate = printer.need("predicate")?;
    let enumeration = definition.attributes().first().and_then(|attribute| attribute.constraint.enumeration.clone());
    let cases = enumeration.and_then(|name| printer.enumeration(&name)).ok_or(NotCustom::UseGeneric)?;
    let AttributeData::Integer { value, .. } = &printer.context()[predicate] else { return Err(NotCustom::UseGeneric) };
    let text = cases.text_of(value.to_i64().ok_or(NotCustom::UseGeneric)?).ok_or(NotCustom::UseGeneric)?;
    printer.text(" \"");
    printer.text(text);
    printer.text("\" ");
    let operands = printer.all_operands();
    printer.values(operands);
    dictionary(printer, &["predicate"])?;
    printer.text(" : ");
    let left = printer.at(0)?;
    let compared = compared(printer.context(), printer.type_of(left)?);
    printer.expect_type(printer.result(0)?, compared)?;
    printer.expect_same_types(&[printer.at(1)?], &[left])?;
    printer.value_type(left)
}

pub(super) fn parse_compare<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let at = parser.text().here();
    let text = parser.text().string()?;
    let enumeration = op.definition().attributes().iter().find(|attribute| attribute.name == "predicate");
    let enumeration = enumeration.and_then(|attribute| attribute.constraint.enumeration.clone());
    let cases = enumeration.and_then(|name| parser.enumeration(&name));
    let value = cases.and_then(|cases| cases.value_of(&String::from_utf8_lossy(&text)));
    let Some(value) = value else { return Err(parser.text().error_at(at, "expected a way to compare")) };
    let predicate = parser.context().integer(64, value);
    parser.set(op, "predicate", predicate);
    let names = parser.operand_list()?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    let result = compared(parser.context(), parser.resolved(ty)?);
    parser.add_operands(op, names, vec![ty, ty])?;
    op.add_result(result.into());
    Ok(Continuation::Done)
}

/// `llvm.landingpad cleanup (catch %a : type) (filter %b : type) : type`
pub(super) fn print_landingpad(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let cleanup = printer.get("cleanup").is_some();
    // mlir-opt prints other attributes, but no parser reads them back.
    if printer.all_attributes().len() > usize::from(cleanup) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(if cleanup { " cleanup " } else { " " });
    for &clause in printer.all_operands() {
        let ty = printer.type_of(clause)?;
        let filter = ArrayType::of(printer.context(), ty).is_some();
        printer.text(if filter { "(filter " } else { "(catch " });
        printer.value(clause);
        printer.text(" : ");
        printer.value_type(clause)?;
        printer.text(") ");
    }
    printer.text(": ");
    let result = printer.result(0)?;
    printer.value_type(result)
}

pub(super) fn parse_landingpad<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    if parser.text().eat_word(b"cleanup") {
        let unit = parser.context().unit();
        parser.set(op, "cleanup", unit);
    }
    while parser.text().eat(b'(') {
        if !parser.text().eat_word(b"catch") {
            parser.text().expect_word("filter")?;
        }
        let name = parser.operand_name()?;
        parser.text().expect(b':')?;
        let ty = parser.any_type()?;
        op.add(name, ty);
        parser.text().expect(b')')?;
    }
    parser.text().expect(b':')?;
    let ty = parser.any_type()?;
    op.add_result(ty);
    Ok(Continuation::Done)
}

/// `llvm.alloca inalloca %size x type {...} : (type) -> pointer`
pub(super) fn print_alloca(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if printer.get("inalloca").is_some() {
        printer.text(" inalloca");
    }
    let alignment = printer.get("alignment").map(|alignment| &printer.context()[alignment]);
    if matches!(alignment, Some(AttributeData::Integer { value, .. }) if value.to_u64() == Some(0)) {
        // Text leaves it out, as if there were none.
        return Err(NotCustom::UseGeneric);
    }
    let element = printer.type_in(printer.need("elem_type")?)?;
    let (size, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    printer.value(size);
    printer.text(" x ");
    printer.ty(element)?;
    printer.dictionary(&["elem_type", "inalloca"])?;
    printer.text(" : ");
    printer.functional(&[size], &[result])
}

pub(super) fn parse_alloca<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let inalloca = parser.text().eat_word(b"inalloca");
    let name = parser.operand_name()?;
    parser.text().expect_word("x")?;
    let element = parser.text().ty()?;
    parser.optional_dictionary(op)?;
    let context = parser.context();
    // An alignment of zero is none.
    let alignment = op.find(context, "alignment").map(|alignment| &context[alignment]);
    if matches!(alignment, Some(AttributeData::Integer { value, .. }) if value.to_u64() == Some(0)) {
        op.remove(context, "alignment");
    }
    if inalloca {
        parser.set(op, "inalloca", context.unit());
    }
    let element = context.attribute(AttributeData::Type(element));
    parser.set(op, "elem_type", element);
    parser.text().expect(b':')?;
    let (sizes, results) = parser.functional()?;
    if results.len() != 1 {
        return Err(parser.text().error("an allocation has one result"));
    }
    op.add_results(results);
    parser.add_operands(op, vec![name], sizes)?;
    Ok(Continuation::Done)
}
