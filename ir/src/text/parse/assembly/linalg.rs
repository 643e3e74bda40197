//! The operations of `linalg` that have parsers of their own.

use super::{Continuation, OpState, OperationInfo, Parsed};
use crate::attribute::{Attribute, AttributeData};
use crate::body::{BlockId, TypeRef, Value};
use crate::error::Result;
use crate::text::assembly::linalg::{body, default_maps, dense_numbers, elementwise_body, identity_maps, noted_maps};
use crate::text::parse::module::{Dictionaries, OpParser};
use crate::types::Type;

pub(in crate::text) fn yield_op<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    if !names.is_empty() {
        parser.at.expect(b':')?;
        let types = parser.types()?;
        pair(parser, custom, names, types)?;
    }
    Ok(Continuation::Done)
}

/// Adds operands with their types.
pub(super) fn pair<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    names: Vec<super::ValueName<'a>>,
    types: Vec<TypeRef>,
) -> Result<()> {
    parser.add_operands(custom, names, types)
}

/// `ins(%a : type) outs(%b : type)`: how many of each.
fn operands<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, segments: bool) -> Result<[usize; 2]> {
    let mut sizes = [0, 0];
    for (at, word) in [b"ins".as_slice(), b"outs"].into_iter().enumerate() {
        if parser.at.eat_word(word) {
            parser.at.expect(b'(')?;
            let names = parser.operand_list()?;
            sizes[at] = names.len();
            parser.at.expect(b':')?;
            let types = parser.types()?;
            pair(parser, custom, names, types)?;
            parser.at.expect(b')')?;
        }
    }
    if segments {
        parser.set_segments(custom, "operandSegmentSizes", &sizes);
    }
    Ok(sizes)
}

/// An array of names as the array of iterator types that they stand for.
pub(super) fn iterator_types(
    parser: &mut OpParser<'_>,
    at: usize,
    dialect: &str,
    array: Attribute,
) -> Result<Attribute> {
    let context = parser.context();
    let wrong = || parser.at.error_at(at, "the iterator types must be an array of their names");
    let AttributeData::Array(items) = &context[array] else { return Err(wrong()) };
    let mut types = Vec::with_capacity(items.len());
    for &item in items {
        let AttributeData::String { value, .. } = &context[item] else { return Err(wrong()) };
        if !value.iter().all(u8::is_ascii_alphabetic) || value.is_empty() {
            return Err(wrong());
        }
        let text = [b"#", dialect.as_bytes(), b".iterator_type<", value, b">"].concat();
        types.push(crate::text::parse_attribute(context, &text)?);
    }
    Ok(context.attribute(AttributeData::Array(types.into())))
}

/// The dictionary in front of the operands, in which iterator types are names.
pub(super) fn shown<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, dialect: &str) -> Result<()> {
    let at = parser.at.here();
    let dictionary = parser.at.attribute()?;
    let context = parser.context();
    let AttributeData::Dictionary(entries) = &context[dictionary] else {
        return Err(parser.at.error_at(at, "expected a dictionary"));
    };
    for &(name, mut value) in entries {
        if context.bytes(name) == b"iterator_types" {
            value = iterator_types(parser, at, dialect, value)?;
        }
        custom.attributes.push((name, value));
    }
    Ok(())
}

pub(in crate::text) fn generic<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    if matches!(parser.at.peek(), Some(b'{' | b'#')) {
        shown(parser, custom, "linalg")?;
    }
    operands(parser, custom, true)?;
    if parser.at.eat_word(b"attrs") {
        parser.at.expect(b'=')?;
        parser.optional_dictionary(custom)?;
    }
    parser.open_brace()?;
    Ok(Continuation::Region(
        Vec::new(),
        Box::new(|parser: &mut OpParser<'a>, custom: &mut OpState<'a>| {
            custom.result_types = parser.optional_arrow()?;
            Ok(Continuation::Done)
        }),
    ))
}

pub(in crate::text) fn named<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    parser.optional_dictionary(custom)?;
    operands(parser, custom, true)?;
    custom.result_types = parser.optional_arrow()?;
    let definition = custom.definition.clone();
    let name = definition.name.strip_prefix("linalg.").unwrap_or_default();
    fill_body(parser, custom, name)?;
    let context = parser.context();
    let numbers = |name: &str| custom.find(context, name).and_then(|value| dense_numbers(context, value));
    if let Some(maps) = noted_maps(context, name, &numbers) {
        parser.set(custom, "linalg.memoized_indexing_maps", maps);
    }
    Ok(Continuation::Done)
}

fn maps<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Result<()> {
    if parser.at.eat_word(b"indexing_maps") {
        parser.at.expect(b'=')?;
        let maps = parser.at.attribute()?;
        parser.set(custom, "indexing_maps", maps);
    }
    Ok(())
}

pub(in crate::text) fn matmul<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    maps(parser, custom)?;
    if custom.find(parser.context(), "indexing_maps").is_none()
        && let Some(maps) = default_maps(parser.context(), &custom.definition.name)
    {
        parser.set(custom, "indexing_maps", maps);
    }
    named(parser, custom)
}

pub(in crate::text) fn contract<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    maps(parser, custom)?;
    named(parser, custom)
}

fn element(parser: &OpParser<'_>, ty: TypeRef) -> Result<Type> {
    let ty = parser.resolved(ty)?;
    Ok(parser.context()[ty].element().unwrap_or(ty))
}

/// Makes the body that the name of the operation stands for.
fn fill_body<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, name: &str) -> Result<()> {
    let context = parser.context();
    let mut types = Vec::with_capacity(custom.operand_types.len());
    for &ty in &custom.operand_types {
        types.push(element(parser, ty)?);
    }
    let Some((ops, yielded)) = body(context, name, &types) else {
        return Err(parser.at.error_at(
            custom.at,
            format!("the body of `{}` for these types is not known: expected the generic form", custom.definition.name),
        ));
    };
    let op = parser.begin(custom, true);
    let unknown = context.unknown_location().into();
    let region = parser.body().open_region(Some(op));
    custom.regions.push(region);
    let block = parser.body().push_block(region);
    let Some(&first) = types.first() else { return Ok(()) };
    let mut values = define_arguments(parser, block, first, &types);
    for op in ops {
        let operands: Vec<Value> = op.operands.iter().map(|&at| values[at]).collect();
        values.push(parser.make(block, op.name, unknown, &operands, &[op.ty.into()])?);
    }
    parser.make(block, "linalg.yield", unknown, &[values[yielded]], &[])?;
    Ok(())
}

/// Gives a block arguments of these types, without locations.
fn define_arguments(parser: &mut OpParser<'_>, block: BlockId, first: Type, types: &[Type]) -> Vec<Value> {
    let start = parser.body().push_values(types.len(), first.into()).index();
    let arguments = types.iter().enumerate().map(|(at, &ty)| (Value::from_index(start + at), ty.into(), None));
    parser.body().define_arguments(block, arguments);
    (start..start + types.len()).map(Value::from_index).collect()
}

/// `name = [1, 2]`
fn number_list<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, name: &str) -> Result<()> {
    parser.at.expect_word(name)?;
    parser.at.expect(b'=')?;
    let element = parser.context().integer_type(64);
    let value = super::attributes::dense_array(parser, element)?;
    parser.set(custom, name, value);
    Ok(())
}

fn numbers<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>, name: &str) -> Parsed<'a> {
    operands(parser, custom, false)?;
    number_list(parser, custom, name)?;
    parser.optional_dictionary(custom)?;
    // Of tensors, the results are what was given to write to.
    if let [input, output] = custom.operand_types[..] {
        let resolved = parser.resolved(output)?;
        if matches!(parser.context()[resolved], crate::types::TypeData::RankedTensor { .. }) {
            custom.result_types = vec![output];
        }
        let context = parser.context();
        let types = [self::element(parser, input)?, self::element(parser, output)?];
        let op = parser.begin(custom, true);
        let unknown = context.unknown_location().into();
        let region = parser.body().open_region(Some(op));
        custom.regions.push(region);
        let block = parser.body().push_block(region);
        let values = define_arguments(parser, block, types[0], &types);
        parser.make(block, "linalg.yield", unknown, &values[..1], &[])?;
    }
    Ok(Continuation::Done)
}

pub(in crate::text) fn transpose<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    numbers(parser, custom, "permutation")
}

pub(in crate::text) fn broadcast<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    numbers(parser, custom, "dimensions")
}

pub(in crate::text) fn elementwise<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    parser.at.expect_word("kind")?;
    parser.at.expect(b'=')?;
    let start = parser.at.here();
    let kind = parser.at.attribute()?;
    let context = parser.context();
    let Some(body) = elementwise_body(context, kind) else {
        return Err(parser.at.error_at(start, "expected `#linalg.elementwise_kind<...>`"));
    };
    parser.set(custom, "kind", kind);
    maps(parser, custom)?;
    parser.optional_dictionary(custom)?;
    operands(parser, custom, true)?;
    custom.result_types = parser.optional_arrow()?;
    fill_body(parser, custom, body)?;
    if custom.find(context, "indexing_maps").is_none()
        && let Some(&output) = custom.operand_types.last()
    {
        let output = parser.resolved(output)?;
        let Some(maps) = identity_maps(context, output, custom.operand_types.len()) else {
            return Err(parser.at.error_at(custom.at, "the type to write to must be a ranked tensor or memref"));
        };
        parser.set(custom, "indexing_maps", maps);
    }
    Ok(Continuation::Done)
}

/// An operation that a body consists of: what it is, and its attributes and properties.
type Payload = (OperationInfo, Dictionaries);

/// `{ arith.addf {attributes} }`, if it is next.
fn short_form<'a>(parser: &mut OpParser<'a>) -> Result<Option<Payload>> {
    if !parser.at.eat(b'{') {
        return Ok(None);
    }
    let start = parser.at.here();
    let (info, definition) = parser.custom_name()?;
    if !definition.regions().is_empty() || !definition.successors().is_empty() {
        return Err(parser.at.error_at(start, "an operation with regions or successors cannot be all of a body"));
    }
    let mut inner = OpState::new(definition, info, start, Vec::new());
    parser.optional_dictionary(&mut inner)?;
    parser.at.expect(b'}')?;
    let (attributes, properties) = parser.attributes_of(&mut inner)?;
    Ok(Some((info, parser.dictionaries(info, attributes, properties)?)))
}

/// Makes a body of one operation. With `initial_first`, its last argument is the first operand of that; without, it is none.
fn payload_body<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    payload: Payload,
    initial_first: bool,
) -> Result<()> {
    let context = parser.context();
    let mut types = Vec::with_capacity(custom.operand_types.len());
    for &ty in &custom.operand_types {
        let ty = parser.resolved(ty)?;
        let Some(element) = context[ty].element() else {
            return Err(parser.at.error_at(custom.at, "an operand has a type without elements"));
        };
        types.push(element);
    }
    let Some(&output) = types.last() else {
        return Err(parser.at.error_at(custom.at, "an operation with a body must have operands"));
    };
    let location = parser.location_of(custom.at)?;
    let op = parser.begin(custom, true);
    let region = parser.body().open_region(Some(op));
    custom.regions.push(region);
    let block = parser.body().push_block(region);
    let mut operands = define_arguments(parser, block, output, &types);
    if initial_first {
        operands.rotate_right(1);
    } else {
        operands.pop();
    }
    let (info, (attributes, properties)) = payload;
    let result = parser.make_with(block, info, location, &operands, &[output.into()], (attributes, properties));
    parser.make(block, "linalg.yield", location, &[result], &[]).map(drop)
}

/// `(%in: type, %init: type) {`, and the body.
fn shown_body<'a>(parser: &mut OpParser<'a>) -> Parsed<'a> {
    let mut arguments = Vec::new();
    parser.at.expect(b'(')?;
    parser.list(b')', |parser| {
        let name = parser.value_name()?;
        parser.at.expect(b':')?;
        let ty = parser.any_type()?;
        let location = match parser.at.trailing_location()? {
            Some(location) => location,
            None => parser.location_of(name.at)?,
        };
        arguments.push((name, ty, location));
        Ok(())
    })?;
    parser.open_brace()?;
    Ok(Continuation::Region(arguments, Box::new(|_: &mut OpParser<'a>, _: &mut OpState<'a>| Ok(Continuation::Done))))
}

/// What comes in front of the body, whose results are the tensors to write to.
fn with_body<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    initial_first: bool,
    rest: fn(&mut OpParser<'a>, &mut OpState<'a>) -> Result<()>,
) -> Parsed<'a> {
    let payload = short_form(parser)?;
    let [inputs, _] = operands(parser, custom, false)?;
    for &output in &custom.operand_types[inputs..] {
        let ty = parser.resolved(output)?;
        if matches!(parser.context()[ty], crate::types::TypeData::RankedTensor { .. }) {
            custom.result_types.push(output);
        }
    }
    rest(parser, custom)?;
    parser.optional_dictionary(custom)?;
    match payload {
        Some(payload) => payload_body(parser, custom, payload, initial_first).map(|()| Continuation::Done),
        None => shown_body(parser),
    }
}

pub(in crate::text) fn map<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    with_body(parser, custom, false, |_, _| Ok(()))
}

pub(in crate::text) fn reduce<'a>(parser: &mut OpParser<'a>, custom: &mut OpState<'a>) -> Parsed<'a> {
    with_body(parser, custom, true, |parser, custom| number_list(parser, custom, "dimensions"))
}
