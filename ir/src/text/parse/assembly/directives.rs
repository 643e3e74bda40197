//! The directives of assembly formats that stand for code.

use super::format::{State, give};
use super::{Custom, small, transform};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::ods::Element;
use crate::text::assembly::program::Program;
use crate::text::parse::module::ModuleParser;
use crate::types::{DYNAMIC, TypeData};

pub(super) use crate::text::print::is_known_directive as is_known;

/// Whether what is next can be what the directive writes.
pub(super) fn starts(parser: &mut ModuleParser<'_>, name: &str) -> bool {
    let next = parser.at.peek();
    match name {
        "AttributesOp" => next == Some(b'{'),
        "OptionalDynamicIndexList" => next == Some(b'['),
        "DynamicIndexList" => matches!(next, Some(b'[' | b'(')),
        "OperationOpAttributes" | "CreateOperationOpAttributes" => next == Some(b'{'),
        "CreateOperationOpResults" => next == Some(b'-'),
        "ImageOperands" => next == Some(b'['),
        "AsyncDependencies" => next == Some(b'[') || parser.at.peek_word() == b"async",
        "LaunchFuncOperands" => parser.at.peek_word() == b"args",
        "SymbolVisibility" => matches!(parser.at.peek_word(), b"public" | b"private" | b"nested"),
        _ => false,
    }
}

pub(super) fn parse<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    state: &mut State<'a>,
    name: &str,
    arguments: &[Element],
) -> Result<()> {
    match name {
        "AsyncDependencies" => async_dependencies(parser, state, arguments),
        "CreateOperationOpAttributes" | "OperationOpAttributes" => {
            named_values(parser, custom, program, state, arguments)
        }
        "CreateOperationOpResults" => created_results(parser, custom, program, state, arguments),
        "DynamicIndexList" => dynamic_index_list(parser, custom, program, state, arguments),
        "GlobalMemrefOpTypeAndInitialValue" => global_type_and_value(parser, custom, program, arguments),
        "ImageOperands" => image_operands(parser, custom, program, arguments),
        "LaunchDimType" => launch_type(parser, state, arguments),
        "LaunchFuncOperands" => launch_operands(parser, state, arguments),
        "RangeType" => range_type(parser, state, arguments),
        "SwitchOpCases" => switch_cases(parser, custom, program, state, arguments),
        "SymbolVisibility" => {
            let word = parser.at.peek_word();
            if starts(parser, name) {
                parser.at.word();
                let value = parser.context().string(word);
                set(parser, custom, program, arguments.first(), value)?;
            }
            Ok(())
        }
        "TypedInitialValue" => typed_initial_value(parser, custom, program, arguments),
        "AlternativesOpSelectedRegion" => transform::selected_region(parser, custom, program, state, arguments),
        "ApplyRegisteredPassOptions" => transform::pass_options(parser, custom, program, state, arguments),
        "AttributesOp" => small::named_attributes(parser, custom, program, state, arguments),
        "ContinuousTileSizeTypes" | "MultitileSizesTypes" => transform::one_result_type(parser, state, arguments),
        "DimensionList" => small::dimension_list(parser, custom, program, arguments),
        "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue" => {
            small::emitc_value(parser, custom, program, arguments)
        }
        "ForeachMatchSymbols" => transform::match_symbols(parser, custom, program, arguments),
        "MNKDimensionList" => small::mnk(parser, custom, program, arguments),
        "NamedValueList" | "NamedValueListWithVariadicity" => {
            small::named_list(parser, custom, program, state, arguments)
        }
        "OptionalDynamicIndexList" => small::optional_index_list(parser, custom, program, state, arguments),
        "PackedOrDynamicIndexList" => transform::packed_or_list(parser, custom, program, state, arguments),
        "ResultsValueType" => small::results_type(parser, custom, state, arguments),
        "SemiFunctionType" => transform::semi_function_type(parser, program, state, arguments),
        "SequenceOpOperands" => transform::sequence_operands(parser, state, arguments),
        "TokenOrdering" => small::token_ordering(parser, state, arguments),
        "TransformMatchDims" => transform::match_dims(parser, custom, program, arguments),
        _ => Err(parser.at.error("this directive cannot be read")),
    }
}

pub(super) fn unknown(parser: &mut ModuleParser<'_>) -> crate::error::Error {
    parser.at.error("this directive cannot be read")
}

/// Sets the attribute that an argument stands for.
pub(super) fn set<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    argument: Option<&Element>,
    value: Attribute,
) -> Result<()> {
    match argument {
        Some(Element::Attribute(at)) => {
            parser.set(custom, &program.details.attributes[*at as usize].name, value);
            Ok(())
        }
        Some(Element::Ref(of) | Element::Qualified(of)) => set(parser, custom, program, Some(of), value),
        _ => Err(unknown(parser)),
    }
}

pub(super) fn operand(argument: Option<&Element>) -> Option<usize> {
    match argument {
        Some(Element::Operand(at)) => Some(*at as usize),
        _ => None,
    }
}

pub(super) fn dense_i64(parser: &ModuleParser<'_>, numbers: &[i64]) -> Attribute {
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let element = parser.context().integer_type(64);
    parser.context().attribute(AttributeData::DenseArray { element, data: data.into() })
}

/// What stands in a list of numbers and values.
pub(super) struct IndexList<'a> {
    pub(super) numbers: Vec<i64>,
    pub(super) values: Vec<super::ValueName<'a>>,
    types: Vec<TypeRef>,
    scalable: Vec<bool>,
}

impl IndexList<'_> {
    /// A list without values.
    pub(super) fn of(numbers: Vec<i64>) -> Self {
        IndexList { numbers, values: Vec::new(), types: Vec::new(), scalable: Vec::new() }
    }
}

/// `[1, %a, [4]]`, with these brackets around.
pub(super) fn index_list<'a>(parser: &mut ModuleParser<'a>, open: u8, close: u8) -> Result<IndexList<'a>> {
    let mut list = IndexList { numbers: Vec::new(), values: Vec::new(), types: Vec::new(), scalable: Vec::new() };
    parser.at.expect(open)?;
    if parser.at.eat(close) {
        return Ok(list);
    }
    loop {
        let bracket = parser.at.eat(b'[');
        if parser.at.is_at(b'%') {
            list.values.push(parser.operand_name()?);
            list.numbers.push(DYNAMIC);
            if parser.at.eat(b':') {
                list.types.push(parser.any_type()?);
            }
        } else {
            match parser.at.signed() {
                Some(number) => list.numbers.push(number),
                None => return Err(parser.at.expected("a number or a value")),
            }
        }
        list.scalable.push(bracket);
        if bracket {
            parser.at.expect(b']')?;
        }
        if parser.at.eat(close) {
            return Ok(list);
        }
        parser.at.expect(b',')?;
    }
}

fn dynamic_index_list<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    let paren = arguments.iter().any(|argument| matches!(argument, Element::Text(text) if text == "Paren"));
    let (open, close) = if paren { (b'(', b')') } else { (b'[', b']') };
    let list = index_list(parser, open, close)?;
    let numbers = dense_i64(parser, &list.numbers);
    set(parser, custom, program, arguments.get(1), numbers)?;
    for argument in &arguments[2..] {
        match argument {
            Element::Type(of) => give(parser, state, of, list.types.clone())?,
            Element::Attribute(_) => {
                let data: Vec<u8> = list.scalable.iter().map(|&flag| u8::from(flag)).collect();
                let element = parser.context().integer_type(1);
                let flags = AttributeData::DenseArray { element, data: data.into() };
                let flags = parser.context().attribute(flags);
                set(parser, custom, program, Some(argument), flags)?;
            }
            _ => {}
        }
    }
    state.operands[at] = Some(list.values);
    Ok(())
}

fn global_type_and_value<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let ty = parser.at.ty()?;
    let attribute = parser.context().attribute(AttributeData::Type(ty));
    set(parser, custom, program, arguments.first(), attribute)?;
    if !parser.at.eat(b'=') {
        return Ok(());
    }
    let context = parser.context();
    let value = if parser.at.eat_word(b"uninitialized") {
        context.unit()
    } else {
        let elements = match &context[ty] {
            TypeData::MemRef { shape, element, .. } => {
                context.ty(TypeData::RankedTensor { shape: shape.clone(), element: *element, encoding: None })
            }
            _ => return Err(parser.at.error("the type of a global with a value must be a ranked memref")),
        };
        super::attributes::typed(parser, elements)?
    };
    set(parser, custom, program, arguments.get(1), value)
}

fn typed_initial_value<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    if parser.at.eat(b'(') {
        let value = parser.at.attribute()?;
        parser.at.expect(b')')?;
        set(parser, custom, program, arguments.get(1), value)?;
    }
    let ty = parser.at.colon_type()?;
    let ty = parser.context().attribute(AttributeData::Type(ty));
    set(parser, custom, program, arguments.first(), ty)
}

fn named_values<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    let (mut names, mut values) = (Vec::new(), Vec::new());
    if parser.at.eat(b'{') && !parser.at.eat(b'}') {
        loop {
            let name = parser.at.string()?;
            names.push(parser.context().string(name));
            parser.at.expect(b'=')?;
            values.push(parser.operand_name()?);
            if parser.at.eat(b'}') {
                break;
            }
            parser.at.expect(b',')?;
        }
    }
    state.operands[at] = Some(values);
    let names = parser.context().attribute(AttributeData::Array(names.into()));
    set(parser, custom, program, arguments.get(1), names)
}

fn created_results<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    if !parser.at.eat_arrow() {
        return Ok(());
    }
    if parser.at.eat(b'<') {
        parser.at.expect_word("inferred")?;
        parser.at.expect(b'>')?;
        let unit = parser.context().unit();
        return set(parser, custom, program, arguments.get(2), unit);
    }
    parser.at.expect(b'(')?;
    state.operands[at] = Some(parser.operand_list()?);
    parser.at.expect(b':')?;
    state.operand_types[at] = Some(parser.types()?);
    parser.at.expect(b')')
}

fn range_type<'a>(parser: &mut ModuleParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
    let of = |argument: Option<&Element>| match argument {
        Some(Element::Ref(of)) => match &**of {
            Element::Type(of) => operand(Some(of)),
            _ => None,
        },
        _ => None,
    };
    let Some(at) = of(arguments.first()) else { return Err(unknown(parser)) };
    let first = state.operand_types[at].as_ref().and_then(|types| types.first().copied());
    let types = match first {
        None => {
            parser.at.expect(b':')?;
            vec![parser.any_type()?]
        }
        Some(ty) => {
            let ty = parser.resolved(ty)?;
            let text = crate::text::print_type(parser.context(), ty)?;
            // `!pdl.value` and `!pdl.range<value>` both make a range of values.
            let element = text.strip_prefix("!pdl.").unwrap_or(&text);
            let element = element.strip_prefix("range<").and_then(|rest| rest.strip_suffix('>')).unwrap_or(element);
            vec![crate::text::parse_type(parser.context(), format!("!pdl.range<{element}>").as_bytes())?.into()]
        }
    };
    match arguments.get(1) {
        Some(result) => give(parser, state, result, types),
        None => Err(unknown(parser)),
    }
}

fn async_dependencies<'a>(parser: &mut ModuleParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
    let is_async = parser.at.eat_word(b"async");
    let mut types = Vec::new();
    if is_async {
        types.push(crate::text::parse_type(parser.context(), b"!gpu.async.token")?.into());
    }
    if let Some(result) = arguments.first() {
        give(parser, state, result, types)?;
    }
    let Some(at) = operand(arguments.get(1)) else { return Err(unknown(parser)) };
    let mut names = Vec::new();
    if parser.at.eat(b'[') {
        names = parser.operand_list()?;
        parser.at.expect(b']')?;
    }
    state.operands[at] = Some(names);
    Ok(())
}

fn launch_operands<'a>(parser: &mut ModuleParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    let (mut names, mut types) = (Vec::new(), Vec::new());
    if parser.at.eat_word(b"args") {
        parser.at.expect(b'(')?;
        if !parser.at.eat(b')') {
            loop {
                names.push(parser.operand_name()?);
                parser.at.expect(b':')?;
                types.push(parser.any_type()?);
                if parser.at.eat(b')') {
                    break;
                }
                parser.at.expect(b',')?;
            }
        }
    }
    (state.operands[at], state.operand_types[at]) = (Some(names), Some(types));
    Ok(())
}

fn launch_type<'a>(parser: &mut ModuleParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
    let ty: TypeRef = if parser.at.eat(b':') { parser.any_type()? } else { parser.context().index_type().into() };
    for argument in arguments {
        if let Element::Type(of) = argument
            && let Some(at) = operand(Some(of))
        {
            // The sizes of clusters may be absent.
            let count = state.operands[at].as_ref().map_or(0, Vec::len);
            state.operand_types[at] = Some(vec![ty; count]);
        }
    }
    Ok(())
}

pub(super) fn successor<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
) -> Result<(Vec<super::ValueName<'a>>, Vec<TypeRef>)> {
    let start = parser.at.here();
    custom.successors.push((parser.at.block_label()?, start));
    let (mut names, mut types) = (Vec::new(), Vec::new());
    if parser.at.eat(b'(') {
        names = parser.operand_list()?;
        if parser.at.eat(b':') {
            types = parser.types()?;
        }
        parser.at.expect(b')')?;
    }
    Ok((names, types))
}

fn switch_cases<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let (Some(defaults), Some(cases)) = (operand(arguments.get(2)), operand(arguments.get(6))) else {
        return Err(unknown(parser));
    };
    parser.at.expect_word("default")?;
    parser.at.expect(b':')?;
    let (names, types) = successor(parser, custom)?;
    (state.operands[defaults], state.operand_types[defaults]) = (Some(names), Some(types));
    let (mut names, mut types, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    while parser.at.eat(b',') {
        let start = parser.at.here();
        let label = match parser.at.unsigned() {
            Some(label) => label,
            None => match parser.at.signed() {
                Some(label) => label as u64,
                None => return Err(parser.at.error_at(start, "expected the number of a case")),
            },
        };
        labels.push(label);
        parser.at.expect(b':')?;
        let (more, more_types) = successor(parser, custom)?;
        state.groups[cases].push(more.len());
        names.extend(more);
        types.extend(more_types);
    }
    (state.operands[cases], state.operand_types[cases]) = (Some(names), Some(types));
    if labels.is_empty() {
        return Ok(());
    }
    let context = parser.context();
    let flag = program.details.operands.first().and_then(|_| state.operand_types[0].as_ref()?.first().copied());
    let element = match flag {
        Some(flag) => parser.resolved(flag)?,
        None => return Err(unknown(parser)),
    };
    let size = match context[element] {
        TypeData::Integer { width, .. } if width > 1 && width <= 64 => width.div_ceil(8) as usize,
        _ => return Err(parser.at.error("a switch over integers of this type cannot be read")),
    };
    let mut data: Vec<u8> = labels.iter().flat_map(|label| label.to_le_bytes()[..size].to_vec()).collect();
    if labels.windows(2).all(|pair| pair[0] == pair[1]) {
        // All the same: a splat.
        data.truncate(size);
    }
    let shape: Box<[i64]> = Box::new([labels.len() as i64]);
    let ty = context.ty(TypeData::Vector { shape, scalable: Box::default(), element });
    let value = context.attribute(AttributeData::DenseElements { ty, data: data.into() });
    set(parser, custom, program, arguments.get(4), value)
}

fn image_operands<'a>(
    parser: &mut ModuleParser<'a>,
    custom: &mut Custom<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    if !parser.at.eat(b'[') {
        return Ok(());
    }
    let text = parser.at.string()?;
    let text = [b"#spirv.image_operands<", &*text, b">"].concat();
    let value = crate::text::parse_attribute(parser.context(), &text)?;
    parser.at.expect(b']')?;
    set(parser, custom, program, arguments.first(), value)
}
