//! Parsing.

use mlirbc_ir::fields::{self, FieldsDef};
use mlirbc_ir::text::Parser;
use mlirbc_ir::{Attribute, AttributeData, Parameter, Type};

use super::Stop;
use crate::dialect::attributes::{self, TargetEnvironment, Triple, UNKNOWN};
use crate::dialect::types::{self, Decoration, Image, Member, NumberOrSymbol, SpirvType, Struct};
use crate::dialect::{DIALECT, EnumKind, old};
use crate::grammar::{OperandClass, Quantifier};

type Parameters = Box<[Parameter]>;

/// Parses what follows the mnemonic of a type.
pub(super) fn ty(mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Parameters, Stop> {
    let context = parser.context();
    let parse: fn(&mut Parser<'_>) -> Result<Type, Stop> = match mnemonic {
        b"array" => array,
        b"rtarray" => runtime_array,
        b"ptr" => pointer,
        b"image" => image,
        b"sampled_image" => sampled_image,
        b"struct" => structure,
        b"matrix" => matrix,
        b"coopmatrix" => cooperative_matrix,
        b"arm.tensor" => tensor,
        _ => return other(mnemonic, parser),
    };
    parser.expect(b'<')?;
    let made = parse(parser)?;
    parser.expect(b'>')?;
    let Some(value) = types::parts(context, made) else { return Err(Stop::Unknown) };
    let Some(view) = types::of_value(context, value) else { return Err(parser.error("no such type").into()) };
    types::check(context, &view).map_err(|message| parser.error(message))?;
    Ok(value.parameters.clone())
}

fn word_of(number: Option<u64>, parser: &mut Parser<'_>) -> Result<u32, Stop> {
    match number.and_then(|number| u32::try_from(number).ok()) {
        Some(number) => Ok(number),
        None => Err(parser.expected("a number of 32 bits").into()),
    }
}

fn word(parser: &mut Parser<'_>) -> Result<u32, Stop> {
    let number = parser.unsigned();
    word_of(number, parser)
}

/// A number of 32 bits; a negative one stands for its bits.
fn wrapping_word(parser: &mut Parser<'_>) -> Result<u32, Stop> {
    match parser.signed() {
        Some(number) if (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&number) => Ok(number as u32),
        _ => Err(parser.expected("a number of 32 bits").into()),
    }
}

/// A case of an enum that is no mask: its name, or its number.
fn case(kind: EnumKind, parser: &mut Parser<'_>) -> Result<u32, Stop> {
    let name = parser.peek_word();
    if name.is_empty() && kind == EnumKind::Dim && parser.is_renamed() {
        return dimension(parser);
    }
    if name.is_empty() {
        return match parser.unsigned().and_then(|number| u32::try_from(number).ok()) {
            Some(number) => Ok(number),
            None => Err(parser.expected(&format!("a case of `{}`", kind.mnemonic())).into()),
        };
    }
    let at = parser.here();
    parser.word();
    let named = std::str::from_utf8(name).ok();
    if !parser.is_renamed() {
        return named.and_then(|name| kind.value(name)).ok_or(Stop::Unknown);
    }
    let of_today = || parser.error_at(at, format!("no case of `{}` is what this was", kind.mnemonic()));
    named.and_then(|name| old::case(kind, name)).ok_or_else(|| of_today().into())
}

/// `2D`, as `Dim2D` was written at first.
fn dimension(parser: &mut Parser<'_>) -> Result<u32, Stop> {
    let digits = parser.size()?;
    let dimension = digits.and_then(|digits| EnumKind::Dim.value(&format!("Dim{digits}D")));
    match dimension.filter(|_| parser.eat(b'D')) {
        Some(dimension) => Ok(dimension),
        None => Err(parser.expected("a dimension").into()),
    }
}

fn comma_case(kind: EnumKind, parser: &mut Parser<'_>) -> Result<u32, Stop> {
    parser.expect(b',')?;
    case(kind, parser)
}

/// `4 x`, or a symbol in place of the number.
fn size(parser: &mut Parser<'_>) -> Result<NumberOrSymbol, Stop> {
    let number = match parser.is_at(b'@') {
        true => NumberOrSymbol::Symbol(parser.attribute()?),
        false => {
            let size = parser.size()?.and_then(|size| u64::try_from(size).ok());
            NumberOrSymbol::Known(word_of(size, parser)?)
        }
    };
    parser.expect(b'x')?;
    Ok(number)
}

/// `, stride=4`, and once `[4]`
fn stride(parser: &mut Parser<'_>) -> Result<u32, Stop> {
    if parser.is_renamed() && parser.eat(b'[') {
        let stride = word(parser)?;
        parser.expect(b']')?;
        return Ok(stride);
    }
    if !parser.eat(b',') {
        return Ok(0);
    }
    parser.expect_word("stride")?;
    parser.expect(b'=')?;
    match word(parser)? {
        0 => Err(parser.error("a stride of 0").into()),
        stride => Ok(stride),
    }
}

fn array(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let count = size(parser)?;
    let element = parser.non_function_type()?;
    let stride = stride(parser)?;
    Ok(types::array(parser.context(), element, count, stride))
}

fn runtime_array(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let element = parser.non_function_type()?;
    let stride = stride(parser)?;
    Ok(types::runtime_array(parser.context(), element, stride))
}

fn pointer(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let pointee = parser.non_function_type()?;
    let class = comma_case(EnumKind::StorageClass, parser)?;
    Ok(types::pointer(parser.context(), pointee, class))
}

fn image(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let sampled = parser.non_function_type()?;
    let image = Image {
        sampled,
        dim: comma_case(EnumKind::Dim, parser)?,
        depth: comma_case(EnumKind::ImageDepthInfo, parser)?,
        arrayed: comma_case(EnumKind::ImageArrayedInfo, parser)?,
        multisampled: comma_case(EnumKind::ImageSamplingInfo, parser)?,
        sampler_use: comma_case(EnumKind::ImageSamplerUseInfo, parser)?,
        format: comma_case(EnumKind::ImageFormat, parser)?,
        access: match parser.is_at(b',') {
            true => Some(comma_case(EnumKind::AccessQualifier, parser)?),
            false => None,
        },
    };
    Ok(types::image(parser.context(), &image))
}

fn sampled_image(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let image = parser.non_function_type()?;
    Ok(types::sampled_image(parser.context(), image))
}

fn matrix(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let NumberOrSymbol::Known(columns) = size(parser)? else { return Err(parser.expected("a number").into()) };
    let column = parser.non_function_type()?;
    Ok(types::matrix(parser.context(), column, columns))
}

fn cooperative_matrix(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let sizes = [size(parser)?, size(parser)?];
    let element = parser.non_function_type()?;
    let mut number = |kind| {
        parser.expect(b',')?;
        Ok::<_, Stop>(match parser.is_at(b'@') {
            true => NumberOrSymbol::Symbol(parser.attribute()?),
            false => NumberOrSymbol::Known(case(kind, parser)?),
        })
    };
    let (scope, usage) = (number(EnumKind::Scope)?, number(EnumKind::CooperativeMatrixUse)?);
    Ok(types::cooperative_matrix(parser.context(), sizes, element, scope, usage))
}

fn tensor(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let shape = parser.shape()?;
    let element = parser.non_function_type()?;
    Ok(types::tensor(parser.context(), shape.as_deref(), element))
}

fn structure(parser: &mut Parser<'_>) -> Result<Type, Stop> {
    let context = parser.context();
    if parser.is_renamed() && !has_parentheses(parser)? {
        let mut body = Struct::default();
        members(&mut body, b'>', parser)?;
        return Ok(types::structure(context, &body));
    }
    let name = match parser.peek_word() {
        [] if parser.is_at(b'"') => Some(parser.string()?.into_owned()),
        [] => None,
        _ => Some(parser.word().to_vec()),
    };
    let Some(name) = name else {
        let body = body(None, parser)?;
        return Ok(types::structure(context, &body));
    };
    let Ok(text) = std::str::from_utf8(&name) else { return Err(parser.error("a name that is not UTF-8").into()) };
    let inside = parser.is_inside(&name);
    if parser.is_at(b'>') {
        return match inside {
            true => Ok(types::reference(context, text)),
            false => Err(parser.error("recursive struct reference not nested in struct definition").into()),
        };
    }
    if inside {
        return Err(parser.error("identifier already used for an enclosing struct").into());
    }
    parser.expect(b',')?;
    let body = parser.inside(&name, |parser| body(Some(text.into()), parser))?;
    Ok(types::structure(context, &body))
}

/// The members in parentheses, and the decorations behind them.
fn body(name: Option<Box<str>>, parser: &mut Parser<'_>) -> Result<Struct, Stop> {
    let mut body = Struct { name, ..Struct::default() };
    parser.expect(b'(')?;
    members(&mut body, b')', parser)?;
    parser.expect(b')')?;
    while parser.eat(b',') {
        body.decorations.push(decoration(parser)?);
    }
    Ok(body)
}

/// Members up to `close`.
fn members(body: &mut Struct, close: u8, parser: &mut Parser<'_>) -> Result<(), Stop> {
    if !parser.is_at(close) {
        loop {
            body.members.push(member(parser)?);
            if !parser.eat(b',') {
                break;
            }
        }
    }
    let offsets = body.members.iter().filter(|member| member.offset.is_some()).count();
    if offsets != 0 && offsets != body.members.len() {
        return Err(parser.error("offset specification must be given for all members").into());
    }
    Ok(())
}

/// Whether the members of a struct stand in parentheses, as they did not at first: then a struct had no name either.
fn has_parentheses(parser: &mut Parser<'_>) -> Result<bool, Stop> {
    let start = parser.here();
    let name = match parser.is_at(b'"') {
        true => parser.string()?.into_owned(),
        false => parser.word().to_vec(),
    };
    let has = match name.is_empty() {
        true => parser.is_at(b'('),
        false => parser.is_inside(&name) || parser.eat(b',') && parser.is_at(b'('),
    };
    parser.seek(start);
    Ok(has)
}

/// `f32 [0, NonWritable, Location=3]`
fn member(parser: &mut Parser<'_>) -> Result<Member, Stop> {
    let mut member = Member::from(parser.non_function_type()?);
    if !parser.eat(b'[') {
        return Ok(member);
    }
    if parser.peek_word().is_empty() && !parser.is_at(b']') {
        member.offset = Some(wrapping_word(parser)?);
        if !parser.is_at(b']') {
            parser.expect(b',')?;
        }
    }
    if parser.eat(b']') {
        return Ok(member);
    }
    loop {
        member.decorations.push(decoration(parser)?);
        if !parser.eat(b',') {
            break;
        }
    }
    parser.expect(b']')?;
    Ok(member)
}

fn decoration(parser: &mut Parser<'_>) -> Result<Decoration, Stop> {
    let decoration = match parser.eat_word(b"Decoration") {
        true => word(parser)?,
        false if parser.peek_word().is_empty() => return Err(parser.expected("a decoration").into()),
        false => case(EnumKind::Decoration, parser)?,
    };
    let value = if parser.eat(b'=') { Some(parser.attribute()?) } else { None };
    Ok(Decoration { decoration, value })
}

/// A type that only the grammar knows: its instruction says what its operands are.
fn other(mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Parameters, Stop> {
    let Some(instruction) = types::instruction(mnemonic) else { return Err(Stop::Unknown) };
    let mut operands = Vec::new();
    if !instruction.operands.is_empty() && parser.eat(b'<') {
        let mut definitions = instruction.operands.iter();
        let mut definition = definitions.next();
        while let Some(operand) = definition {
            operands.push(operand_of(operand.kind, parser)?);
            if operand.quantifier != Quantifier::Variadic {
                definition = definitions.next();
            }
            if !parser.eat(b',') {
                break;
            }
        }
        parser.expect(b'>')?;
    }
    let view = SpirvType::Other { instruction, operands: &operands };
    types::check(parser.context(), &view).map_err(|message| parser.error(message))?;
    Ok(operands.into())
}

fn operand_of(kind: crate::grammar::Kind, parser: &mut Parser<'_>) -> Result<Parameter, Stop> {
    Ok(match kind.class() {
        OperandClass::Id => match parser.peek_word() {
            [] if !parser.is_at(b'!') => Parameter::Attribute(parser.attribute()?),
            b"true" | b"false" => Parameter::Attribute(parser.attribute()?),
            _ => Parameter::Type(parser.non_function_type()?),
        },
        OperandClass::String => Parameter::String(parser.string()?.as_ref().into()),
        _ => Parameter::Unsigned(match EnumKind::of_grammar(kind) {
            Some(kind) => case(kind, parser)?.into(),
            None => word(parser)?.into(),
        }),
    })
}

/// Parses what follows the mnemonic of an attribute.
pub(super) fn attribute(mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Parameters, Stop> {
    let made = match mnemonic {
        b"ext" => in_brackets(parser, |parser| {
            let name = extension(parser)?;
            Ok(attributes::extension(parser.context(), name))
        })?,
        b"vce" => in_brackets(parser, vce)?,
        b"interface_var_abi" => in_brackets(parser, interface_variable)?,
        b"target_env" => in_brackets(parser, target_environment)?,
        _ => match (EnumKind::of_mnemonic(mnemonic), attributes::definition(mnemonic)) {
            (Some(kind), _) => in_brackets(parser, |parser| {
                let value = cases(kind, parser)?;
                Ok(attributes::enumerant(parser.context(), kind, value))
            })?,
            (_, Some(definition)) => return structural(definition, parser),
            _ => return Err(Stop::Unknown),
        },
    };
    attributes::parts(parser.context(), made).map(|value| value.parameters.clone()).ok_or(Stop::Unknown)
}

fn in_brackets(
    parser: &mut Parser<'_>,
    parse: impl FnOnce(&mut Parser<'_>) -> Result<Attribute, Stop>,
) -> Result<Attribute, Stop> {
    parser.expect(b'<')?;
    let made = parse(parser)?;
    parser.expect(b'>')?;
    Ok(made)
}

/// A case of an enum, or the bits of a mask; in quotes or not.
fn cases(kind: EnumKind, parser: &mut Parser<'_>) -> Result<u32, Stop> {
    if parser.is_at(b'"') {
        let text = parser.string()?;
        return std::str::from_utf8(&text).ok().and_then(|text| kind.parse(text)).ok_or(Stop::Unknown);
    }
    let mut value = case(kind, parser)?;
    while kind.is_mask() && parser.eat(b'|') {
        value |= case(kind, parser)?;
    }
    Ok(value)
}

/// The name of an extension, in quotes where it is no word.
fn extension(parser: &mut Parser<'_>) -> Result<Vec<u8>, Stop> {
    Ok(match parser.peek_word() {
        [] => parser.string()?.into_owned(),
        _ => parser.word().to_vec(),
    })
}

fn vce(parser: &mut Parser<'_>) -> Result<Attribute, Stop> {
    let mut triple = Triple { version: case(EnumKind::Version, parser)?, ..Triple::default() };
    for list in 0..2 {
        parser.expect(b',')?;
        parser.expect(b'[')?;
        let mut more = !parser.is_at(b']');
        while more {
            match list {
                0 => triple.capabilities.push(case(EnumKind::Capability, parser)?),
                _ => triple.extensions.push(extension(parser)?.into()),
            }
            more = parser.eat(b',');
        }
        parser.expect(b']')?;
    }
    Ok(attributes::vce(parser.context(), &triple))
}

fn interface_variable(parser: &mut Parser<'_>) -> Result<Attribute, Stop> {
    parser.expect(b'(')?;
    let set = wrapping_word(parser)?;
    parser.expect(b',')?;
    let binding = wrapping_word(parser)?;
    parser.expect(b')')?;
    let class = match parser.eat(b',') {
        true => Some(case(EnumKind::StorageClass, parser)?),
        false => None,
    };
    Ok(attributes::interface_variable(parser.context(), set, binding, class))
}

fn target_environment(parser: &mut Parser<'_>) -> Result<Attribute, Stop> {
    let triple = of_mnemonic("vce", parser)?;
    parser.expect(b',')?;
    let mut environment = TargetEnvironment {
        triple,
        api: UNKNOWN,
        vendor: UNKNOWN,
        device_type: UNKNOWN,
        device: UNKNOWN,
        limits: triple,
    };
    if parser.eat_word(b"api") {
        parser.expect(b'=')?;
        environment.api = case(EnumKind::ClientApi, parser)?;
        parser.expect(b',')?;
    }
    if !matches!(parser.peek(), Some(b'#' | b'{')) {
        environment.vendor = case(EnumKind::Vendor, parser)?;
        if parser.eat(b':') {
            environment.device_type = case(EnumKind::DeviceType, parser)?;
            if parser.eat(b':') {
                environment.device = wrapping_word(parser)?;
            }
        }
        parser.expect(b',')?;
    }
    environment.limits = match parser.is_at(b'{') && parser.is_renamed() {
        true => old_limits(parser)?,
        false => of_mnemonic("resource_limits", parser)?,
    };
    Ok(attributes::target_environment(parser.context(), &environment))
}

/// `{subgroup_size = 64 : i32}`
fn old_limits(parser: &mut Parser<'_>) -> Result<Attribute, Stop> {
    let start = parser.here();
    let given = parser.attribute()?;
    let limits = old::limits(parser.context(), given);
    limits.ok_or_else(|| parser.error_at(start, "`#spirv.resource_limits` does not say what stands here").into())
}

/// An attribute of the dialect of that mnemonic, or one that is kept as text.
fn of_mnemonic(mnemonic: &str, parser: &mut Parser<'_>) -> Result<Attribute, Stop> {
    let attribute = parser.attribute()?;
    let context = parser.context();
    let fits = attributes::is_of(context, attribute, mnemonic);
    if fits { Ok(attribute) } else { Err(parser.error(format!("expected `#{DIALECT}.{mnemonic}`")).into()) }
}

fn structural(definition: &FieldsDef, parser: &mut Parser<'_>) -> Result<Parameters, Stop> {
    let context = parser.context();
    let parameters = fields::text::parse(definition, parser)?;
    // An enumerant that this build does not know.
    let is_text =
        |of: &Parameter| matches!(of, Parameter::Attribute(it) if matches!(context[*it], AttributeData::Text { .. }));
    match definition.verify(context, &parameters) {
        Ok(()) => Ok(parameters),
        Err(_) if parameters.iter().any(is_text) => Err(Stop::Unknown),
        Err(error) => Err(parser.error(error.message()).into()),
    }
}
