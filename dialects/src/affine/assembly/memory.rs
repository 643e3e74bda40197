//! Loads, stores and prefetches.

use super::values::{parse_subscripts, print_subscripts};
use crate::common::memrefs::{add_indices, parse_memref_type, parse_prefetch_hints, print_prefetch_hints};
use mlirbc_ir::body::Value;
use mlirbc_text::{Continuation, CustomAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed};

pub(super) const LOAD: CustomAssembly = CustomAssembly { print: print_load, parse: parse_load };
pub(super) const STORE: CustomAssembly = CustomAssembly { print: print_store, parse: parse_store };
pub(super) const VECTOR_LOAD: CustomAssembly = CustomAssembly { print: print_vector_load, parse: parse_vector_load };
pub(super) const VECTOR_STORE: CustomAssembly = CustomAssembly { print: print_vector_store, parse: parse_vector_store };
pub(super) const PREFETCH: CustomAssembly = CustomAssembly { print: print_prefetch, parse: parse_prefetch };

/// The operands from that one on.
fn from<'m>(printer: &OpPrinter<'_, 'm>, first: usize) -> Printed<&'m [Value]> {
    printer.all_operands().get(first..).ok_or(NotCustom::UseGeneric)
}

/// `%memref[%i + 1] : type`
fn print_load(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (memref, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    let (_, element) = print_subscripts(printer, memref, from(printer, 1)?)?;
    if printer.type_of(result)? != element {
        return Err(NotCustom::UseGeneric);
    }
    printer.dictionary(&["map"])?;
    printer.text(" : ");
    printer.value_type(memref)
}

fn parse_load<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let memref = parser.operand_name()?;
    let indices = parse_subscripts(parser, op)?;
    parser.optional_dictionary(op)?;
    let (ty, element) = parse_memref_type(parser)?;
    op.add(memref, ty);
    add_indices(parser, op, indices);
    op.add_result(element.into());
    Ok(Continuation::Done)
}

/// `%value, %memref[%i + 1] : type`
fn print_store(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (value, memref) = (printer.at(0)?, printer.at(1)?);
    printer.text(" ");
    printer.value(value);
    printer.text(", ");
    let (_, element) = print_subscripts(printer, memref, from(printer, 2)?)?;
    if printer.type_of(value)? != element {
        return Err(NotCustom::UseGeneric);
    }
    printer.dictionary(&["map"])?;
    printer.text(" : ");
    printer.value_type(memref)
}

fn parse_store<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let value = parser.operand_name()?;
    parser.text().expect(b',')?;
    let memref = parser.operand_name()?;
    let indices = parse_subscripts(parser, op)?;
    parser.optional_dictionary(op)?;
    let (ty, element) = parse_memref_type(parser)?;
    op.add(value, element.into());
    op.add(memref, ty);
    add_indices(parser, op, indices);
    Ok(Continuation::Done)
}

/// `%memref[%i + 1] : type, type`
fn print_vector_load(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (memref, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    print_subscripts(printer, memref, from(printer, 1)?)?;
    printer.dictionary(&["map"])?;
    printer.text(" : ");
    printer.value_types(&[memref, result])
}

fn parse_vector_load<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let memref = parser.operand_name()?;
    let indices = parse_subscripts(parser, op)?;
    parser.optional_dictionary(op)?;
    let (ty, _) = parse_memref_type(parser)?;
    parser.text().expect(b',')?;
    op.add_result(parser.any_type()?);
    op.add(memref, ty);
    add_indices(parser, op, indices);
    Ok(Continuation::Done)
}

/// `%value, %memref[%i + 1] : type, type`
fn print_vector_store(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (value, memref) = (printer.at(0)?, printer.at(1)?);
    printer.text(" ");
    printer.value(value);
    printer.text(", ");
    print_subscripts(printer, memref, from(printer, 2)?)?;
    printer.dictionary(&["map"])?;
    printer.text(" : ");
    printer.value_types(&[memref, value])
}

fn parse_vector_store<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let value = parser.operand_name()?;
    parser.text().expect(b',')?;
    let memref = parser.operand_name()?;
    let indices = parse_subscripts(parser, op)?;
    parser.optional_dictionary(op)?;
    let (ty, _) = parse_memref_type(parser)?;
    parser.text().expect(b',')?;
    let vector = parser.any_type()?;
    op.add(value, vector);
    op.add(memref, ty);
    add_indices(parser, op, indices);
    Ok(Continuation::Done)
}

/// `%memref[%i + 1], read, locality<3>, data : type`
fn print_prefetch(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let memref = printer.at(0)?;
    printer.text(" ");
    print_subscripts(printer, memref, from(printer, 1)?)?;
    print_prefetch_hints(printer)?;
    printer.dictionary(&["map", "isWrite", "localityHint", "isDataCache"])?;
    printer.text(" : ");
    printer.value_type(memref)
}

fn parse_prefetch<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let memref = parser.operand_name()?;
    let indices = parse_subscripts(parser, op)?;
    parse_prefetch_hints(parser, op)?;
    parser.optional_dictionary(op)?;
    let (ty, _) = parse_memref_type(parser)?;
    op.add(memref, ty);
    add_indices(parser, op, indices);
    Ok(Continuation::Done)
}
