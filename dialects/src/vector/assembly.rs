//! The assembly of `vector` that its definitions leave to code.

use super::types::{mask_type, outer_product, outside, usual_map};
use super::{CASES, NAME};
use crate::common::iterators;
use crate::common::memrefs::add_indices;
use mlirbc_ir::body::{TypeRef, Value};
use mlirbc_ir::{Attribute, AttributeData, Dialect, Result, Type, TypeData};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed, ValueName,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("transfer_read", CustomAssembly { print: print_transfer_read, parse: parse_transfer_read })
        .assembly("transfer_write", CustomAssembly { print: print_transfer_write, parse: parse_transfer_write })
        .assembly("contract", CustomAssembly { print: print_contract, parse: parse_contract })
        .assembly("mask", CustomAssembly { print: print_mask, parse: parse_mask })
        .assembly("outerproduct", CustomAssembly { print: print_outer_product, parse: parse_outer_product })
}

/// The attributes of a transfer between these, and whether the types are such that a parser knows those of the indices and of
/// the mask, if there is one.
fn print_transfer(
    printer: &mut OpPrinter<'_, '_>,
    (shaped, vector): (Value, Value),
    indices: &[Value],
    mask: &[Value],
) -> Printed {
    let context = printer.context();
    let (map, bounds) = (printer.need("permutation_map")?, printer.need("in_bounds")?);
    let (shaped, vector) = (printer.type_of(shaped)?, printer.type_of(vector)?);
    let AttributeData::AffineMap(data) = &context[map] else { return Err(NotCustom::UseGeneric) };
    if !matches!(context[vector], TypeData::Vector { .. }) || context[shaped].shape().is_none() {
        return Err(NotCustom::UseGeneric);
    }
    for &index in indices {
        printer.expect_type(index, context.index_type())?;
    }
    for &mask in mask {
        printer.expect_type(mask, mask_type(context, vector, map).ok_or(NotCustom::UseGeneric)?)?;
    }
    let mut elided = Vec::new();
    if usual_map(context, shaped, vector) == Some(map) {
        elided.push("permutation_map");
    }
    if bounds == outside(context, data.results.len()) {
        elided.push("in_bounds");
    }
    printer.dictionary(&elided)
}

/// Sets the map and the bounds that text leaves out, and gives the map.
fn set_transfer<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>, shaped: Type, vector: Type) -> Result<Attribute> {
    let context = parser.context();
    if !matches!(context[vector], TypeData::Vector { .. }) || context[shaped].shape().is_none() {
        return Err(parser.error_at(op.place(), "expected a shaped type and a vector type"));
    }
    let map = match op.find(context, "permutation_map") {
        Some(map) => map,
        None => {
            let Some(map) = usual_map(context, shaped, vector) else {
                return Err(parser.error_at(op.place(), "the vector has more dimensions than what it is read from"));
            };
            parser.set(op, "permutation_map", map);
            map
        }
    };
    let AttributeData::AffineMap(data) = &context[map] else {
        return Err(parser.error_at(op.place(), "expected an affine map"));
    };
    if op.find(context, "in_bounds").is_none() {
        parser.set(op, "in_bounds", outside(context, data.results.len()));
    }
    Ok(map)
}

/// Adds the mask of a transfer, if there is one.
fn add_mask<'a>(
    parser: &OpParser<'a>,
    op: &mut OpState<'a>,
    mask: Option<ValueName<'a>>,
    vector: Type,
    map: Attribute,
) -> Result<()> {
    let Some(mask) = mask else { return Ok(()) };
    let Some(ty) = mask_type(parser.context(), vector, map) else {
        return Err(parser.error_at(op.place(), "the type of the mask is not known"));
    };
    op.add(mask, ty.into());
    Ok(())
}

/// `%memref[%i], %padding, %mask {attributes} : type, type`
fn print_transfer_read(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (base, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    printer.value(base);
    printer.text("[");
    let indices = printer.operands(1)?;
    printer.values(indices);
    printer.text("], ");
    let rest = printer.all_operands().get(1 + indices.len()..).ok_or(NotCustom::UseGeneric)?;
    let (&padding, mask) = rest.split_first().ok_or(NotCustom::UseGeneric)?;
    let shaped = printer.type_of(base)?;
    printer.expect_type(padding, printer.context()[shaped].element().ok_or(NotCustom::UseGeneric)?)?;
    printer.values(rest);
    print_transfer(printer, (base, result), indices, mask)?;
    printer.text(" : ");
    printer.value_types(&[base, result])
}

fn parse_transfer_read<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let base = parser.operand_name()?;
    let indices = parser.operand_list_in(b'[', b']')?;
    parser.text().expect(b',')?;
    let rest = parser.operand_list()?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let shaped = parser.any_type()?;
    parser.text().expect(b',')?;
    let vector = parser.any_type()?;
    let (shaped_type, vector_type) = (parser.resolved(shaped)?, parser.resolved(vector)?);
    let map = set_transfer(parser, op, shaped_type, vector_type)?;
    let sizes = [1, indices.len(), 1, rest.len().saturating_sub(1)];
    op.add(base, shaped);
    add_indices(parser, op, indices);
    let mut rest = rest.into_iter();
    let (Some(padding), mask, None) = (rest.next(), rest.next(), rest.next()) else {
        return Err(parser.error_at(op.place(), "expected a value for padding and at most a mask"));
    };
    let element = parser.context()[shaped_type].element();
    let Some(element) = element else { return Err(parser.error_at(op.place(), "expected a shaped type")) };
    op.add(padding, element.into());
    add_mask(parser, op, mask, vector_type, map)?;
    op.add_result(vector);
    parser.set_segments(op, "operandSegmentSizes", &sizes);
    Ok(Continuation::Done)
}

/// `%vector, %memref[%i], %mask {attributes} : type, type`
fn print_transfer_write(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (vector, base) = (printer.at(0)?, printer.at(1)?);
    // Writing to a tensor gives another one.
    let results = printer.all_results();
    let is_tensor = matches!(printer.type_data(base)?, TypeData::RankedTensor { .. });
    printer.expect_same_types(&results, &[base][..usize::from(is_tensor)])?;
    printer.text(" ");
    printer.values(&[vector, base]);
    printer.text("[");
    let indices = printer.operands(2)?;
    printer.values(indices);
    printer.text("]");
    let masks = printer.operands(3)?;
    if let Some(&mask) = masks.first() {
        printer.text(", ");
        printer.value(mask);
    }
    print_transfer(printer, (base, vector), indices, masks)?;
    printer.text(" : ");
    printer.value_types(&[vector, base])
}

fn parse_transfer_write<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let value = parser.operand_name()?;
    parser.text().expect(b',')?;
    let base = parser.operand_name()?;
    let indices = parser.operand_list_in(b'[', b']')?;
    let mask = if parser.text().eat(b',') { Some(parser.operand_name()?) } else { None };
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let vector = parser.any_type()?;
    parser.text().expect(b',')?;
    let shaped = parser.any_type()?;
    let (shaped_type, vector_type) = (parser.resolved(shaped)?, parser.resolved(vector)?);
    let map = set_transfer(parser, op, shaped_type, vector_type)?;
    let sizes = [1, 1, indices.len(), usize::from(mask.is_some())];
    op.add(value, vector);
    op.add(base, shaped);
    add_indices(parser, op, indices);
    add_mask(parser, op, mask, vector_type, map)?;
    // Writing to a tensor gives another one.
    if matches!(parser.context()[shaped_type], TypeData::RankedTensor { .. }) {
        op.add_result(shaped);
    }
    parser.set_segments(op, "operandSegmentSizes", &sizes);
    Ok(Continuation::Done)
}

/// `{attributes} %a, %b, %c : type, type into type`
fn print_contract(printer: &mut OpPrinter<'_, '_>) -> Printed {
    const SHOWN: [&str; 3] = ["indexing_maps", "iterator_types", "kind"];
    printer.expect_same_types(&[printer.at(2)?], &[printer.result(0)?])?;
    iterators::print(printer, &SHOWN, (NAME, CASES))?;
    printer.text(" ");
    let operands = printer.all_operands();
    printer.values(operands);
    printer.dictionary(&SHOWN)?;
    printer.text(" : ");
    let (left, right) = (printer.at(0)?, printer.at(1)?);
    printer.value_types(&[left, right])?;
    printer.text(" into ");
    let result = printer.result(0)?;
    printer.value_type(result)
}

fn parse_contract<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    iterators::parse(parser, op, (NAME, CASES))?;
    let names = parser.operand_list()?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let left = parser.any_type()?;
    parser.text().expect(b',')?;
    let right = parser.any_type()?;
    parser.text().expect_word("into")?;
    let result = parser.any_type()?;
    parser.add_operands(op, names, [left, right, result])?;
    op.add_result(result);
    Ok(Continuation::Done)
}

/// `%a, %b, %c {attributes} : type, type`
fn print_outer_product(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (left, right) = (printer.at(0)?, printer.at(1)?);
    let product = outer_product(printer.context(), printer.type_of(left)?, printer.type_of(right)?);
    printer.expect_type(printer.result(0)?, product)?;
    let operands = printer.all_operands();
    operands.iter().skip(2).try_for_each(|&added| printer.expect_type(added, product))?;
    printer.text(" ");
    printer.values(operands);
    printer.dictionary(&[])?;
    printer.text(" : ");
    printer.value_types(&[left, right])
}

fn parse_outer_product<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(op)?;
    parser.text().expect(b':')?;
    let left = parser.any_type()?;
    parser.text().expect(b',')?;
    let right = parser.any_type()?;
    let context = parser.context();
    let (left_type, right_type) = (parser.resolved(left)?, parser.resolved(right)?);
    let result: TypeRef = outer_product(context, left_type, right_type).into();
    let mut types = vec![left, right];
    if names.len() == 3 {
        types.push(result);
    }
    parser.add_operands(op, names, types)?;
    op.add_result(result);
    Ok(Continuation::Done)
}

/// `%mask, %passed { operation } {attributes} : type -> type`
fn print_mask(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let Some((&[], mut operations)) = printer.only_block(0)? else { return Err(NotCustom::UseGeneric) };
    let first = operations.next().ok_or(NotCustom::UseGeneric)?;
    // One operation and a yield of its results, which text leaves out.
    let (masked, last) = match (operations.next(), operations.next()) {
        (None, _) => (None, first),
        (Some(last), None) => (Some(first), last),
        _ => return Err(NotCustom::UseGeneric),
    };
    let inner: Vec<Value> = masked.map(|masked| masked.results().collect()).unwrap_or_default();
    let is_simple = masked.is_none() || last.operands() == inner;
    let says_nothing = last.name() == "vector.yield" && printer.says_nothing(last)?;
    if !is_simple || !says_nothing || first.body().region_count_of(first.id()) > 0 {
        return Err(NotCustom::UseGeneric);
    }
    if printer.collects_aliases() && masked.is_none() {
        return Err(NotCustom::UseGeneric);
    }
    let results = printer.all_results();
    if let Some(passed) = printer.all_operands().get(1) {
        printer.expect_same_types(&[*passed], results.get(..1).ok_or(NotCustom::UseGeneric)?)?;
    }
    printer.text(" ");
    let operands = printer.all_operands();
    printer.values(operands);
    printer.text(" { ");
    if let Some(masked) = masked {
        printer.inline(masked)?;
    }
    printer.text(" }");
    printer.dictionary(&[])?;
    printer.text(" : ");
    let mask = printer.at(0)?;
    printer.value_type(mask)?;
    if !results.is_empty() {
        printer.text(" -> ");
        printer.value_types(&results)?;
    }
    Ok(())
}

fn parse_mask<'a>(parser: &mut OpParser<'a>, _: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(move |parser: &mut OpParser<'a>, op: &mut OpState<'a>| {
            parser.yield_all(op, "vector.yield")?;
            parser.optional_dictionary(op)?;
            parser.text().expect(b':')?;
            let mask = parser.any_type()?;
            if parser.text().eat_arrow() {
                op.add_results(parser.types()?);
            }
            let mut types = vec![mask];
            if names.len() == 2 {
                types.extend(op.result_types().first().copied());
            }
            parser.add_operands(op, names, types)?;
            Ok(Continuation::Done)
        }),
    ))
}
