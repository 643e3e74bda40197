//! The directives of assembly formats that stand for code.

use super::format::{State, give};
use super::{OpState, llvm, small, transform};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::number::ApInt;
use crate::ods::Element;
use crate::text::assembly::MAX_CASE_WIDTH;
use crate::text::assembly::USUAL_HANDLER;
use crate::text::assembly::program::Program;
use crate::text::parse::module::OpParser;
use crate::types::{DYNAMIC, Type, TypeData};

/// Whether what is next can be what the directive writes.
pub(super) fn starts(parser: &mut OpParser<'_>, name: &str) -> bool {
    let next = parser.at.peek();
    match name {
        "AttributesOp" => next == Some(b'{'),
        "OptionalDynamicIndexList" => next == Some(b'['),
        "DynamicIndexList" => matches!(next, Some(b'[' | b'(')),
        "OperationOpAttributes" | "CreateOperationOpAttributes" => next == Some(b'{'),
        "CreateOperationOpResults" => next == Some(b'-'),
        "OpBundles" => next == Some(b'['),
        "AsyncDependencies" => next == Some(b'[') || parser.at.peek_word() == b"async",
        "LaunchFuncOperands" => parser.at.peek_word() == b"args",
        "SymbolVisibility" => matches!(parser.at.peek_word(), b"public" | b"private" | b"nested"),
        _ => false,
    }
}

pub(super) fn parse<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    name: &str,
    arguments: &[Element],
) -> Result<()> {
    match name {
        "AllReduceOperation" => reduction(parser, custom, program, arguments),
        "AlternativesOpSelectedRegion" => transform::selected_region(parser, custom, program, state, arguments),
        "ApplyRegisteredPassOptions" => transform::pass_options(parser, custom, program, state, arguments),
        "AsyncDependencies" => async_dependencies(parser, state, arguments),
        "AttributesOp" => small::named_attributes(parser, custom, program, state, arguments),
        "AwaitResultType" => await_type(parser, state, arguments),
        "ContinuousTileSizeTypes" | "MultitileSizesTypes" => transform::one_result_type(parser, state, arguments),
        "CreateOperationOpAttributes" | "OperationOpAttributes" => {
            named_values(parser, custom, program, state, arguments)
        }
        "CreateOperationOpResults" => created_results(parser, custom, program, state, arguments),
        "DimensionList" => small::dimension_list(parser, custom, program, arguments),
        "DynamicIndexList" => dynamic_index_list(parser, custom, program, state, arguments),
        "EmitCFieldOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue" => {
            small::emitc_value(parser, custom, program, arguments)
        }
        "ForeachMatchSymbols" => transform::match_symbols(parser, custom, program, arguments),
        "GEPIndices" => llvm::indices(parser, custom, program, state, arguments),
        "GlobalMemrefOpTypeAndInitialValue" => global_type_and_value(parser, custom, program, arguments),
        "IndirectBrOpSucessors" => llvm::successors(parser, custom, state, arguments),
        "InsertExtractValueElementType" => llvm::element_type(parser, custom, state, arguments),
        "LLVMLinkage" => llvm::linkage(parser, custom),
        "LaunchDimType" => launch_type(parser, state, arguments),
        "LaunchFuncOperands" => launch_operands(parser, state, arguments),
        "MNKDimensionList" => small::mnk(parser, custom, program, arguments),
        "NamedValueList" | "NamedValueListWithVariadicity" => {
            small::named_list(parser, custom, program, state, arguments)
        }
        "OffloadingHandler" => offloading_handler(parser, custom, program, arguments),
        "OpBundles" => llvm::bundles_of(parser, custom, program, state, arguments),
        "OptionalDynamicIndexList" => small::optional_index_list(parser, custom, program, state, arguments),
        "PackedOrDynamicIndexList" => transform::packed_or_list(parser, custom, program, state, arguments),
        "RangeType" => range_type(parser, state, arguments),
        "ResultsValueType" => small::results_type(parser, custom, state, arguments),
        "SemiFunctionType" => transform::semi_function_type(parser, program, state, arguments),
        "SequenceOpOperands" => transform::sequence_operands(parser, state, arguments),
        "ShuffleType" => llvm::shuffle_type(parser, custom, state, arguments),
        "SwitchOpCases" if arguments.len() == 5 => llvm::switch_cases(parser, custom, program, state, arguments),
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
        "TokenOrdering" => small::token_ordering(parser, state, arguments),
        "TransformMatchDims" => transform::match_dims(parser, custom, program, arguments),
        "TypedInitialValue" => typed_initial_value(parser, custom, program, arguments),
        "VariableOpTypeOrInitialValue" => variable(parser, custom, program, arguments),
        _ => Err(parser.at.error("this directive cannot be read")),
    }
}

pub(in crate::text) fn unknown(parser: &mut OpParser<'_>) -> crate::error::Error {
    parser.at.error("this directive cannot be read")
}

/// Sets the attribute that an argument stands for.
pub(in crate::text) fn set<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
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

/// The operand that an argument stands for.
pub(in crate::text) fn operand(argument: Option<&Element>) -> Option<usize> {
    match argument {
        Some(Element::Operand(at)) => Some(*at as usize),
        _ => None,
    }
}

pub(super) fn dense_i64(parser: &OpParser<'_>, numbers: &[i64]) -> Attribute {
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
pub(super) fn index_list<'a>(parser: &mut OpParser<'a>, open: u8, close: u8) -> Result<IndexList<'a>> {
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
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
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
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
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
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
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

fn await_type<'a>(parser: &mut OpParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
    let [awaited, result] = arguments else { return Err(unknown(parser)) };
    let ty = parser.any_type()?;
    let inner = super::misc::awaited(parser, ty)?;
    give(parser, state, awaited, vec![ty])?;
    give(parser, state, result, inner.into_iter().collect())
}

fn variable<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let context = parser.context();
    let ty = if parser.at.eat(b'=') {
        let value = parser.at.attribute()?;
        set(parser, custom, program, arguments.get(2), value)?;
        match context[value] {
            AttributeData::DenseElements { ty, .. } | AttributeData::DenseResource { ty, .. } => ty,
            _ => return Err(parser.at.error("the elements of a tensor were expected")),
        }
    } else {
        parser.at.colon_type()?
    };
    let TypeData::RankedTensor { shape, element, encoding: None } = &context[ty] else {
        return Err(parser.at.error("the type of a ranked tensor was expected"));
    };
    let sizes: Vec<i64> = shape.iter().map(|&size| if size == DYNAMIC { -1 } else { size }).collect();
    let mut data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    if sizes.windows(2).all(|pair| pair[0] == pair[1]) {
        // All the same: a splat.
        data.truncate(8);
    }
    let count: Box<[i64]> = Box::new([sizes.len() as i64]);
    let ty = context.ty(TypeData::RankedTensor { shape: count, element: context.index_type(), encoding: None });
    let shape = context.attribute(AttributeData::DenseElements { ty, data: data.into() });
    let element = context.attribute(AttributeData::Type(*element));
    set(parser, custom, program, arguments.first(), shape)?;
    set(parser, custom, program, arguments.get(1), element)
}

fn named_values<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    let (mut names, mut values) = (Vec::new(), Vec::new());
    if parser.at.eat(b'{') {
        parser.list(b'}', |parser| {
            let name = parser.at.string()?;
            names.push(parser.context().string(name));
            parser.at.expect(b'=')?;
            values.push(parser.operand_name()?);
            Ok(())
        })?;
    }
    state.operands[at] = Some(values);
    let names = parser.context().attribute(AttributeData::Array(names.into()));
    set(parser, custom, program, arguments.get(1), names)
}

fn created_results<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
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

fn range_type<'a>(parser: &mut OpParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
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

fn async_dependencies<'a>(parser: &mut OpParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
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

fn reduction<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let word = parser.at.word();
    if word.is_empty() {
        return Ok(());
    }
    let kind = crate::text::parse_attribute(parser.context(), &[b"#gpu<all_reduce_op ", word, b">"].concat())?;
    set(parser, custom, program, arguments.first(), kind)
}

fn offloading_handler<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    arguments: &[Element],
) -> Result<()> {
    let handler = if parser.at.eat(b'<') {
        let handler = parser.at.attribute()?;
        parser.at.expect(b'>')?;
        handler
    } else {
        crate::text::parse_attribute(parser.context(), USUAL_HANDLER.as_bytes())?
    };
    set(parser, custom, program, arguments.first(), handler)
}

fn launch_operands<'a>(parser: &mut OpParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
    let Some(at) = operand(arguments.first()) else { return Err(unknown(parser)) };
    let (mut names, mut types) = (Vec::new(), Vec::new());
    if parser.at.eat_word(b"args") {
        parser.at.expect(b'(')?;
        parser.list(b')', |parser| {
            names.push(parser.operand_name()?);
            parser.at.expect(b':')?;
            types.push(parser.any_type()?);
            Ok(())
        })?;
    }
    (state.operands[at], state.operand_types[at]) = (Some(names), Some(types));
    Ok(())
}

fn launch_type<'a>(parser: &mut OpParser<'a>, state: &mut State<'a>, arguments: &[Element]) -> Result<()> {
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

fn switch_cases<'a>(
    parser: &mut OpParser<'a>,
    custom: &mut OpState<'a>,
    program: &Program,
    state: &mut State<'a>,
    arguments: &[Element],
) -> Result<()> {
    let (Some(defaults), Some(cases)) = (operand(arguments.get(2)), operand(arguments.get(6))) else {
        return Err(unknown(parser));
    };
    parser.at.expect_word("default")?;
    parser.at.expect(b':')?;
    let (names, types) = parser.successor(custom)?;
    (state.operands[defaults], state.operand_types[defaults]) = (Some(names), Some(types));
    let (mut names, mut types, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    while parser.at.eat(b',') {
        let label = case_label(parser)?;
        labels.push(label);
        parser.at.expect(b':')?;
        let (more, more_types) = parser.successor(custom)?;
        state.groups[cases].push(more.len());
        names.extend(more);
        types.extend(more_types);
    }
    (state.operands[cases], state.operand_types[cases]) = (Some(names), Some(types));
    if labels.is_empty() {
        return Ok(());
    }
    let Some(&flag) = state.operand_types[0].as_ref().and_then(|types| types.first()) else {
        return Err(unknown(parser));
    };
    let flag = parser.resolved(flag)?;
    let value = case_values(parser, flag, &labels)?;
    set(parser, custom, program, arguments.get(4), value)
}

/// The number of a case, with sign or without.
pub(super) fn case_label(parser: &mut OpParser<'_>) -> Result<i64> {
    let start = parser.at.here();
    if let Some(label) = parser.at.unsigned() {
        return Ok(label as i64);
    }
    parser.at.signed().ok_or_else(|| parser.at.error_at(start, "expected the number of a case"))
}

/// The numbers of cases as dense elements.
pub(super) fn case_values(parser: &mut OpParser<'_>, element: Type, labels: &[i64]) -> Result<Attribute> {
    let context = parser.context();
    let width = match context[element] {
        TypeData::Integer { width, .. } if width > 0 && width <= MAX_CASE_WIDTH => width,
        _ => return Err(parser.at.error("a switch over values of this type cannot be read")),
    };
    let mut data = Vec::new();
    if width == 1 {
        let bit = |(at, &label): (usize, &i64)| ((label & 1) as u8) << at;
        data.extend(labels.chunks(8).map(|labels| labels.iter().enumerate().map(bit).sum::<u8>()));
    } else {
        for &label in labels {
            let value = ApInt::from_i64(width, label);
            let bytes = value.words().iter().flat_map(|word| word.to_le_bytes());
            data.extend(bytes.take(width.div_ceil(8) as usize));
        }
    }
    let shape: Box<[i64]> = Box::new([labels.len() as i64]);
    let ty = context.ty(TypeData::Vector { shape, scalable: Box::default(), element });
    let data = AttributeData::dense_elements(context, ty, data.into())?;
    Ok(context.attribute(data))
}
