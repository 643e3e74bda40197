//! The operations of `linalg` that have printers of their own.

use super::RegionPiece;
use super::format::is_default;
use super::op::{NotCustom, OpPrinter, Printed};
use crate::attribute::{Attribute, AttributeData, NamedAttribute};
use crate::body::Value;
use crate::ods::foreign_properties;
use crate::operation::OpRef;
use crate::text::assembly::linalg::{body, default_maps, dense_numbers, elementwise_body, identity_maps, noted_maps};
use crate::text::assembly::{is_word, split_symbol};
use crate::types::{Type, TypeData};

pub(in crate::text) fn yield_op(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let operands = printer.op.operands();
    if !operands.is_empty() {
        printer.text(" ");
        printer.values(operands);
    }
    printer.dictionary(&[])?;
    if !operands.is_empty() {
        printer.text(" : ");
        printer.value_types(operands)?;
    }
    Ok(())
}

/// ` ins(%a : type) outs(%b : type)`
fn operands(printer: &mut OpPrinter<'_, '_>) -> Printed {
    for (at, word) in [" ins(", " outs("].into_iter().enumerate() {
        let values = printer.operands(at)?;
        if !values.is_empty() {
            printer.text(word);
            printer.values(values);
            printer.text(" : ");
            printer.value_types(values)?;
            printer.text(")");
        }
    }
    Ok(())
}

fn results(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let results: Vec<Value> = printer.op.results().collect();
    printer.optional_arrow(&results)
}

/// An array of iterator types as the array of their names.
pub(super) fn iterator_names(printer: &OpPrinter<'_, '_>, array: Attribute) -> Printed<Attribute> {
    let context = printer.context();
    let name = |&item: &Attribute| match &context[item] {
        AttributeData::Text { text, .. } => {
            let (.., rest) = split_symbol(text).ok_or(NotCustom::UseGeneric)?;
            let rest = rest.strip_prefix(b"<").and_then(|rest| rest.strip_suffix(b">"));
            Ok(context.string(rest.filter(|name| is_word(name)).ok_or(NotCustom::UseGeneric)?))
        }
        _ => Err(NotCustom::UseGeneric),
    };
    let names: Vec<Attribute> = printer.array(array)?.iter().map(name).collect::<Printed<_>>()?;
    Ok(context.attribute(AttributeData::Array(names.into())))
}

pub(in crate::text) fn generic(printer: &mut OpPrinter<'_, '_>) -> Printed {
    const SHOWN: [&[u8]; 4] = [b"doc", b"indexing_maps", b"iterator_types", b"library_call"];
    let context = printer.context();
    let all = printer.all_attributes();
    let mut shown: Vec<NamedAttribute> = Vec::new();
    for &(name, value) in &all {
        match context.bytes(name) {
            b"iterator_types" => shown.push((name, iterator_names(printer, value)?)),
            bytes if SHOWN.contains(&bytes) => shown.push((name, value)),
            _ => {}
        }
    }
    printer.text(" ");
    if !shown.is_empty() {
        let dictionary = context.dictionary(shown)?;
        printer.attribute(dictionary)?;
    }
    operands(printer)?;
    let left_out = |name: &[u8]| SHOWN.contains(&name) || name == b"operandSegmentSizes";
    if all.iter().any(|entry| !left_out(context.bytes(entry.0))) {
        printer.text(" attrs = ");
        printer.dictionary_of(&all, &left_out, false)?;
    }
    if printer.is_empty_region(0)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" ");
    printer.region(0, true, true);
    results(printer)
}

/// Whether the region is the one that the operation's name stands for: it is not printed.
fn has_own_body(printer: &mut OpPrinter<'_, '_>, name: &str) -> Printed<bool> {
    let (id, block_body, regions) = printer.op.region_tree()?;
    let Some(&region) = regions.first() else { return Ok(false) };
    let Some(block) = block_body.first_block(region).filter(|&block| block_body.next_block(block).is_none()) else {
        return Ok(false);
    };
    let mut values: Vec<Value> = block_body.arguments(block).to_vec();
    let types = values.iter().map(|&value| printer.to.module.ty(block_body.ty(value)));
    let types: Vec<Type> = types.collect::<crate::Result<_>>()?;
    // A parser makes the arguments of the operands.
    let operands = printer.op.operands();
    if operands.is_empty() || operands.len() != types.len() {
        return Ok(false);
    }
    for (&operand, &ty) in operands.iter().zip(&types) {
        let of = printer.type_of(operand)?;
        if printer.context()[of].element().unwrap_or(of) != ty {
            return Ok(false);
        }
    }
    let Some((ops, yielded)) = body(printer.context(), name, &types) else { return Ok(false) };
    let mut next = block_body.first_operation(block);
    for op in ops {
        let Some(found) = next else { return Ok(false) };
        let operands: Vec<Value> = op.operands.iter().map(|&at| values[at]).collect();
        let found_op = crate::operation::OpRef::new(printer.to.module, id, block_body, found);
        let Some(result) = block_body.result(found, 0) else { return Ok(false) };
        let same = found_op.name() == op.name
            && block_body.operands(found) == operands
            && block_body.result_count(found) == 1
            && printer.to.module.ty(block_body.ty(result))? == op.ty;
        if !same || !says_nothing(printer, found_op)? {
            return Ok(false);
        }
        values.push(result);
        next = block_body.next_operation(found);
    }
    let Some(last) = next else { return Ok(false) };
    let last_op = crate::operation::OpRef::new(printer.to.module, id, block_body, last);
    Ok(last_op.name() == "linalg.yield"
        && block_body.operands(last) == [values[yielded]]
        && block_body.next_operation(last).is_none()
        && says_nothing(printer, last_op)?)
}

/// Whether the operation has the attributes that it is made with, and no others.
fn says_nothing<'m>(printer: &mut OpPrinter<'_, 'm>, op: OpRef<'m>) -> Printed<bool> {
    let definition = op.definition();
    let attributes = definition.map_or(&[][..], |definition| definition.attributes());
    let mut inner = OpPrinter::new(printer.to, op)?;
    let mut defaults = 0;
    for attribute in attributes {
        match inner.get(&attribute.name) {
            Some(value) if !is_default(&mut inner, attribute, value) => return Ok(false),
            Some(_) => defaults += 1,
            // Where nothing is said, it is the default.
            None => {}
        }
    }
    Ok(!inner.is_opaque && inner.all_attributes().len() == defaults)
}

fn structured(printer: &mut OpPrinter<'_, '_>, elided: &[&str]) -> Printed {
    let name = printer.definition()?.name.strip_prefix("linalg.").ok_or(NotCustom::UseGeneric)?;
    structured_as(printer, name, elided)
}

fn structured_as(printer: &mut OpPrinter<'_, '_>, body: &str, elided: &[&str]) -> Printed {
    if !has_own_body(printer, body)? {
        return Err(NotCustom::UseGeneric);
    }
    printer.dictionary(elided)?;
    operands(printer)?;
    results(printer)
}

pub(in crate::text) fn named(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let definition = printer.definition()?;
    let names: Vec<&str> = definition.operands().iter().map(|operand| operand.name.as_str()).collect();
    if names != ["inputs", "outputs"] {
        return Err(NotCustom::UseGeneric);
    }
    // A parser notes those of the operation. Others that are noted are not in the text.
    let context = printer.context();
    let name = definition.name.strip_prefix("linalg.").unwrap_or_default();
    let numbers = |name: &str| dense_numbers(context, printer.get(name)?);
    let noted = printer.get("linalg.memoized_indexing_maps");
    if noted.is_some() && noted != noted_maps(context, name, &numbers) {
        return Err(NotCustom::UseGeneric);
    }
    structured(printer, &["linalg.memoized_indexing_maps"])
}

fn maps(printer: &mut OpPrinter<'_, '_>) -> Printed {
    if let Some(maps) = printer.get("indexing_maps") {
        printer.text(" indexing_maps = [");
        let maps = printer.array(maps)?;
        for (at, &map) in maps.iter().enumerate() {
            if at > 0 {
                printer.text(", ");
            }
            printer.attribute(map)?;
        }
        printer.text("]");
    }
    Ok(())
}

pub(in crate::text) fn matmul(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let name = printer.definition()?.name.as_str();
    if printer.get("indexing_maps") != default_maps(printer.context(), name) {
        maps(printer)?;
    }
    structured(printer, &["linalg.memoized_indexing_maps", "indexing_maps"])
}

pub(in crate::text) fn contract(printer: &mut OpPrinter<'_, '_>) -> Printed {
    maps(printer)?;
    structured(printer, &["indexing_maps"])
}

fn numbers(printer: &mut OpPrinter<'_, '_>, name: &str) -> Printed {
    printer.text(" ");
    printer.text(name);
    printer.text(" = ");
    let numbers = printer.need(name)?;
    let numbers = super::op::integers(printer.context(), numbers).ok_or(NotCustom::UseGeneric)?;
    printer.index_list(&numbers, &[], b"[]")?;
    printer.text(" ");
    printer.dictionary(&[name])
}

/// An operation whose body yields what it is given, and is not shown.
fn copies(printer: &mut OpPrinter<'_, '_>, name: &str) -> Printed {
    gives_its_outputs(printer)?;
    let (id, body, regions) = printer.op.region_tree()?;
    let block = regions.first().and_then(|&region| body.first_block(region)).ok_or(NotCustom::UseGeneric)?;
    let ops: Vec<_> = body.operations(block).take(2).collect();
    let (&[only], &[input, output]) = (ops.as_slice(), body.arguments(block)) else {
        return Err(NotCustom::UseGeneric);
    };
    let only = OpRef::new(printer.to.module, id, body, only);
    let fits = only.name() == "linalg.yield" && only.operands() == [input] && body.next_block(block).is_none();
    if !fits || !says_nothing(printer, only)? || printer.op.operands().len() != 2 {
        return Err(NotCustom::UseGeneric);
    }
    for (&operand, argument) in printer.op.operands().iter().zip([input, output]) {
        let of = printer.type_of(operand)?;
        if printer.context()[of].element().unwrap_or(of) != printer.to.module.ty(body.ty(argument))? {
            return Err(NotCustom::UseGeneric);
        }
    }
    operands(printer)?;
    numbers(printer, name)
}

pub(in crate::text) fn transpose(printer: &mut OpPrinter<'_, '_>) -> Printed {
    copies(printer, "permutation")
}

pub(in crate::text) fn broadcast(printer: &mut OpPrinter<'_, '_>) -> Printed {
    copies(printer, "dimensions")
}

pub(in crate::text) fn elementwise(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let kind = printer.need("kind")?;
    let body = elementwise_body(printer.context(), kind).ok_or(NotCustom::UseGeneric)?;
    printer.text(" kind=");
    printer.attribute(kind)?;
    let output = *printer.operands(1)?.first().ok_or(NotCustom::UseGeneric)?;
    let output = printer.type_of(output)?;
    let given = printer.need("indexing_maps")?;
    let default = identity_maps(printer.context(), output, printer.op.operands().len()).ok_or(NotCustom::UseGeneric)?;
    if given != default {
        maps(printer)?;
    }
    structured_as(printer, body, &["kind", "indexing_maps"])
}

/// The operation that a body holds beside its terminator, where text shows nothing else of the body: it takes the body's
/// arguments, as many as `arguments` says, and gives what the body yields.
fn payload<'m>(printer: &OpPrinter<'_, 'm>, arguments: &[Value]) -> Printed<Option<OpRef<'m>>> {
    let (id, body, regions) = printer.op.region_tree()?;
    let block = regions.first().and_then(|&region| body.first_block(region)).ok_or(NotCustom::UseGeneric)?;
    let ops: Vec<_> = body.operations(block).take(3).collect();
    let &[first, last] = ops.as_slice() else { return Ok(None) };
    if body.next_block(block).is_some() || arguments.is_empty() || body.operands(first) != arguments {
        return Ok(None);
    }
    let op = |op| OpRef::new(printer.to.module, id, body, op);
    let (first, last) = (op(first), op(last));
    let Some(definition) = first.definition() else { return Ok(None) };
    // What has a default is given it where text does not say it.
    for attribute in definition.attributes() {
        if !attribute.optional && attribute.default.is_some() && first.attribute(&attribute.name)?.is_none() {
            return Ok(None);
        }
    }
    let (attributes, properties) = last.dictionaries()?;
    let empty = |it: Option<Attribute>| it.is_none_or(|it| printer.to.is_empty_dictionary(it));
    // The rest of the body is made up when it is read.
    let fits = first.results().len() == 1
        && last.name() == "linalg.yield"
        && last.operands().iter().copied().eq(first.results())
        && empty(attributes)
        && empty(properties)
        && body.region_number(first.id()) == 0
        && body.successors(first.id()).is_empty()
        && definition.regions().is_empty()
        && definition.natives().is_empty()
        && foreign_properties(first)?.is_empty();
    let element = |value: Value| -> Printed<Option<Type>> { Ok(printer.type_data(value)?.element()) };
    let operands = printer.op.operands();
    for (&argument, &operand) in body.arguments(block).iter().zip(operands) {
        if Some(printer.to.module.ty(body.ty(argument))?) != element(operand)? {
            return Ok(None);
        }
    }
    let output = *operands.last().ok_or(NotCustom::UseGeneric)?;
    let result = first.results().next().map(|result| first.type_of(result)).transpose()?;
    let fits = fits && operands.len() == body.arguments(block).len() && result == element(output)?;
    Ok(Some(first).filter(|_| fits))
}

/// ` { arith.addf {attributes} }`
fn short_form<'m>(printer: &mut OpPrinter<'_, 'm>, payload: OpRef<'m>) -> Printed {
    let inner = OpPrinter::new(printer.to, payload)?;
    if inner.is_opaque {
        return Err(NotCustom::UseGeneric);
    }
    let all = inner.all_attributes();
    let context = printer.context();
    let definition = payload.definition().ok_or(NotCustom::UseGeneric)?;
    let is_none = |entry: &&NamedAttribute| {
        matches!(&context[entry.1], AttributeData::Text { text, .. }
            if split_symbol(text) == Some((b"arith".as_slice(), b"fastmath".as_slice(), b"<none>".as_slice())))
    };
    let left_out = all.iter().find(is_none).map(|entry| context.bytes(entry.0));
    if left_out.is_some_and(|name| name != b"fastmath" || definition.inherent(name).is_none()) {
        return Err(NotCustom::UseGeneric);
    }
    printer.text(" { ");
    printer.text(&definition.name);
    printer.dictionary_of(&all, &|name| left_out == Some(name), false)?;
    printer.text(" }");
    Ok(())
}

/// The results are the tensors that are written to: their types are not shown.
fn gives_its_outputs(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let mut tensors = Vec::new();
    for &output in printer.operands(1)? {
        if matches!(printer.type_data(output)?, TypeData::RankedTensor { .. }) {
            tensors.push(printer.type_of(output)?);
        }
    }
    let results: Vec<Type> = printer.op.results().map(|result| printer.type_of(result)).collect::<Printed<_>>()?;
    if results == tensors { Ok(()) } else { Err(NotCustom::UseGeneric) }
}

/// An operation whose body is one operation, or is shown behind the rest.
fn with_body(
    printer: &mut OpPrinter<'_, '_>,
    payload: Option<OpRef<'_>>,
    rest: fn(&mut OpPrinter<'_, '_>) -> Printed,
) -> Printed {
    gives_its_outputs(printer)?;
    operands(printer)?;
    rest(printer)?;
    if payload.is_none() {
        printer.new_line();
        printer.text("  (");
        for at in 0..printer.region_argument_types(0)?.len() {
            if at > 0 {
                printer.text(", ");
            }
            printer.region_argument(0, at, &[], false)?;
        }
        printer.text(") ");
        printer.region_piece(RegionPiece {
            number: 0,
            arguments: false,
            terminator: true,
            empty_block: false,
            indent: 1,
        });
    }
    Ok(())
}

/// The arguments of the body.
fn body_arguments(printer: &OpPrinter<'_, '_>) -> Printed<Vec<Value>> {
    let (_, body, regions) = printer.op.region_tree()?;
    let block = regions.first().and_then(|&region| body.first_block(region)).ok_or(NotCustom::UseGeneric)?;
    Ok(body.arguments(block).to_vec())
}

pub(in crate::text) fn map(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let mut arguments = body_arguments(printer)?;
    arguments.pop();
    let payload = payload(printer, &arguments)?;
    if let Some(payload) = payload {
        short_form(printer, payload)?;
    }
    with_body(printer, payload, |printer| printer.dictionary(&[]))
}

pub(in crate::text) fn reduce(printer: &mut OpPrinter<'_, '_>) -> Printed {
    let mut arguments = body_arguments(printer)?;
    let by = usize::from(!arguments.is_empty());
    arguments.rotate_right(by);
    let payload = payload(printer, &arguments)?;
    if let Some(payload) = payload {
        short_form(printer, payload)?;
    }
    with_body(printer, payload, |printer| numbers(printer, "dimensions"))
}
