//! The assembly of `memref` that its definitions leave to code.

use crate::common::memrefs::{add_indices, parse_memref_type, parse_prefetch_hints, print_prefetch_hints};
use crate::common::regions::{parse_dictionary, parse_end, print_result_types};
use mlirbc_ir::body::Value;
use mlirbc_ir::{AttributeData, Dialect, Result, TypeData};
use mlirbc_text::{
    Continuation, CustomAssembly, DialectAssembly, NotCustom, OpParser, OpPrinter, OpState, Parsed, Printed, ValueName,
};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .assembly("alloca_scope", CustomAssembly { print: print_alloca_scope, parse: parse_alloca_scope })
        .assembly("dma_start", CustomAssembly { print: print_dma_start, parse: parse_dma_start })
        .assembly(
            "generic_atomic_rmw",
            CustomAssembly { print: print_generic_atomic_rmw, parse: parse_generic_atomic_rmw },
        )
        .assembly("prefetch", CustomAssembly { print: print_prefetch, parse: parse_prefetch })
        .assembly("transpose", CustomAssembly { print: print_transpose, parse: parse_transpose })
}

/// `%memref[%i, %j]`: the operands from that one on that are a memref and its indices.
fn print_subscripts(printer: &mut OpPrinter<'_, '_>, first: usize) -> Printed<usize> {
    let memref = printer.at(first)?;
    let rank = printer.memref(memref)?.0.len();
    let end = first + 1 + rank;
    let indices = printer.all_operands().get(first + 1..end).ok_or(NotCustom::UseGeneric)?;
    printer.value(memref);
    printer.text("[");
    printer.values(indices);
    printer.text("]");
    Ok(end)
}

/// `%memref[%i, %j]`
fn parse_subscripts<'a>(parser: &mut OpParser<'a>) -> Result<(ValueName<'a>, Vec<ValueName<'a>>)> {
    let memref = parser.operand_name()?;
    Ok((memref, parser.operand_list_in(b'[', b']')?))
}

/// `%memref[%i] : type {...}`
fn print_generic_atomic_rmw(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (memref, result) = (printer.at(0)?, printer.result(0)?);
    printer.text(" ");
    let end = print_subscripts(printer, 0)?;
    if end != printer.all_operands().len() || printer.memref(memref)?.1 != printer.type_of(result)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" : ");
    printer.value_type(memref)?;
    printer.text(" ");
    printer.region(0, true, true);
    printer.dictionary(&[])
}

fn parse_generic_atomic_rmw<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let (memref, indices) = parse_subscripts(parser)?;
    let (ty, element) = parse_memref_type(parser)?;
    op.add(memref, ty);
    add_indices(parser, op, indices);
    op.add_result(element.into());
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(parse_dictionary)))
}

/// `%memref (d0, d1) -> (d1, d0) : type to type`
fn print_transpose(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let (source, result) = (printer.at(0)?, printer.result(0)?);
    let permutation = printer.need("permutation")?;
    let AttributeData::AffineMap(map) = &printer.context()[permutation] else { return Err(NotCustom::UseGeneric) };
    printer.text(" ");
    printer.value(source);
    printer.text(" ");
    printer.affine_map(map)?;
    printer.dictionary(&["permutation"])?;
    printer.text(" : ");
    printer.value_type(source)?;
    printer.text(" to ");
    printer.value_type(result)
}

fn parse_transpose<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let source = parser.operand_name()?;
    let map = parser.text().affine_map()?;
    let map = parser.context().attribute(AttributeData::AffineMap(map));
    parser.set(op, "permutation", map);
    parser.optional_dictionary(op)?;
    let (ty, _) = parse_memref_type(parser)?;
    op.add(source, ty);
    parser.text().expect_word("to")?;
    op.add_result(parser.any_type()?);
    Ok(Continuation::Done)
}

/// `%memref[%i], read, locality<3>, data : type`
fn print_prefetch(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&["isWrite", "localityHint", "isDataCache"])?;
    let memref = printer.at(0)?;
    printer.text(" ");
    if print_subscripts(printer, 0)? != printer.all_operands().len() {
        return Err(NotCustom::UseGeneric);
    }
    print_prefetch_hints(printer)?;
    printer.text(" : ");
    printer.value_type(memref)
}

fn parse_prefetch<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let (memref, indices) = parse_subscripts(parser)?;
    parse_prefetch_hints(parser, op)?;
    let (ty, _) = parse_memref_type(parser)?;
    op.add(memref, ty);
    add_indices(parser, op, indices);
    Ok(Continuation::Done)
}

/// `%source[%i], %target[%j], %count, %tag[%k], %stride, %each : type, type, type`
fn print_dma_start(printer: &mut OpPrinter<'_, '_>) -> Printed {
    printer.no_attributes_but(&[])?;
    printer.text(" ");
    let to = print_subscripts(printer, 0)?;
    printer.text(", ");
    let count = print_subscripts(printer, to)?;
    printer.text(", ");
    let value = printer.at(count)?;
    printer.value(value);
    printer.text(", ");
    let strides = print_subscripts(printer, count + 1)?;
    let rest: &[Value] = printer.all_operands().get(strides..).ok_or(NotCustom::UseGeneric)?;
    if !matches!(rest.len(), 0 | 2) {
        return Err(NotCustom::UseGeneric);
    }
    for &value in rest {
        printer.text(", ");
        printer.value(value);
    }
    let memrefs = [0, to, count + 1];
    for (at, &value) in printer.all_operands().iter().enumerate() {
        if !memrefs.contains(&at) && *printer.type_data(value)? != TypeData::Index {
            return Err(NotCustom::UseGeneric);
        }
    }
    printer.text(" : ");
    let memrefs = [printer.at(0)?, printer.at(to)?, printer.at(count + 1)?];
    printer.value_types(&memrefs)
}

fn parse_dma_start<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    let source = parse_subscripts(parser)?;
    parser.text().expect(b',')?;
    let target = parse_subscripts(parser)?;
    parser.text().expect(b',')?;
    let count = parser.operand_name()?;
    parser.text().expect(b',')?;
    let tag = parse_subscripts(parser)?;
    let mut strides = Vec::new();
    while parser.text().eat(b',') {
        strides.push(parser.operand_name()?);
    }
    if !matches!(strides.len(), 0 | 2) {
        return Err(parser.text().error("a stride and the number of elements for each were expected"));
    }
    let (source_type, _) = parse_memref_type(parser)?;
    let mut next = || {
        parser.text().expect(b',')?;
        parser.any_type()
    };
    let (target_type, tag_type) = (next()?, next()?);
    op.add(source.0, source_type);
    add_indices(parser, op, source.1);
    op.add(target.0, target_type);
    add_indices(parser, op, target.1);
    add_indices(parser, op, vec![count]);
    op.add(tag.0, tag_type);
    add_indices(parser, op, tag.1);
    add_indices(parser, op, strides);
    Ok(Continuation::Done)
}

fn print_alloca_scope(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results = printer.all_results();
    printer.text(" ");
    print_result_types(printer, &results)?;
    printer.text(" ");
    printer.body(0, false, !results.is_empty())?;
    printer.dictionary(&[])
}

fn parse_alloca_scope<'a>(parser: &mut OpParser<'a>, op: &mut OpState<'a>) -> Parsed<'a> {
    op.add_results(parser.optional_arrow()?);
    parser.open_brace()?;
    Ok(Continuation::Region(Vec::new(), Box::new(parse_end)))
}
