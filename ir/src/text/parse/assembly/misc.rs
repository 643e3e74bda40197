//! Operations of several dialects that have parsers of their own.

use super::linalg::pair;
use super::{Custom, Hand, Next};
use crate::attribute::{Attribute, AttributeData};
use crate::body::TypeRef;
use crate::error::Result;
use crate::text::assembly::enum_value;
use crate::text::parse::module::ModuleParser;
use crate::types::TypeData;

pub(super) fn find(name: &str) -> Option<Hand> {
    Some(match name {
        "arith.select" => select,
        "bufferization.alloc_tensor" => alloc_tensor,
        "memref.alloca_scope" => alloca_scope,
        "shape.const_shape" => const_shape,
        "llvm.icmp" | "llvm.fcmp" => compare,
        "tosa.apply_scale" | "tosa.rescale" | "tosa.reduce_max" | "tosa.reduce_min" | "tosa.argmax"
        | "tosa.max_pool2d" | "tosa.clamp" | "tosa.maximum" | "tosa.minimum" | "tosa.resize"
        | "tosa.matmul_t_block_scaled" | "tosa.max_pool2d_adaptive" => tosa,
        _ => return None,
    })
}

fn select<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let mut condition: TypeRef = parser.context().integer_type(1).into();
    let mut ty = parser.any_type()?;
    if parser.at.eat(b',') {
        condition = std::mem::replace(&mut ty, parser.any_type()?);
    }
    pair(parser, custom, names, vec![condition, ty, ty])?;
    custom.result_types.push(ty);
    Ok(Next::Done)
}

fn alloc_tensor<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    parser.at.expect(b'(')?;
    let sizes = parser.operand_list()?;
    parser.at.expect(b')')?;
    let mut copy = None;
    if parser.at.eat_word(b"copy") {
        parser.at.expect(b'(')?;
        copy = Some(parser.operand_name()?);
        parser.at.expect(b')')?;
    }
    let mut hint = None;
    if parser.at.eat_word(b"size_hint") {
        parser.at.expect(b'=')?;
        hint = Some(parser.operand_name()?);
    }
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let index: TypeRef = parser.context().index_type().into();
    let segments = [sizes.len(), usize::from(copy.is_some()), usize::from(hint.is_some())];
    for name in sizes {
        custom.add(name, index);
    }
    if let Some(copy) = copy {
        custom.add(copy, ty);
    }
    if let Some(hint) = hint {
        custom.add(hint, index);
    }
    parser.set_segments(custom, "operandSegmentSizes", &segments);
    custom.result_types.push(ty);
    Ok(Next::Done)
}

fn alloca_scope<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    custom.result_types = parser.optional_arrow()?;
    parser.open_brace()?;
    Ok(Next::Region(
        Vec::new(),
        Box::new(|parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>| {
            parser.ensure_terminator(custom, "memref.alloca_scope.return")?;
            parser.optional_dictionary(custom)?;
            Ok(Next::Done)
        }),
    ))
}

fn const_shape<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    parser.optional_dictionary(custom)?;
    let mut numbers = Vec::new();
    parser.at.expect(b'[')?;
    parser.at.list(b']', |parser| match parser.signed() {
        Some(number) => {
            numbers.push(number);
            Ok(())
        }
        None => Err(parser.expected("a size")),
    })?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let context = parser.context();
    let shape: Box<[i64]> = Box::new([numbers.len() as i64]);
    let tensor = context.ty(TypeData::RankedTensor { shape, element: context.index_type(), encoding: None });
    let mut data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    if numbers.len() > 1 && numbers.windows(2).all(|pair| pair[0] == pair[1]) {
        // All the same: a splat.
        data.truncate(8);
    }
    let value = context.attribute(AttributeData::DenseElements { ty: tensor, data: data.into() });
    parser.set(custom, "shape", value);
    custom.result_types.push(ty);
    Ok(Next::Done)
}

fn compare<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let at = parser.at.here();
    let text = parser.at.string()?;
    let enumeration = custom.definition.attributes().iter().find(|attribute| attribute.name == "predicate");
    let enumeration = enumeration.and_then(|attribute| attribute.constraint.enumeration.clone());
    let cases = enumeration.and_then(|name| parser.checker.enumeration(&name));
    let value = cases.and_then(|cases| enum_value(&cases, &String::from_utf8_lossy(&text)));
    let Some(value) = value else { return Err(parser.at.error_at(at, "expected a way to compare")) };
    let predicate = parser.context().integer(64, value);
    parser.set(custom, "predicate", predicate);
    let names = parser.operand_list()?;
    parser.optional_dictionary(custom)?;
    parser.at.expect(b':')?;
    let ty = parser.any_type()?;
    let context = parser.context();
    let resolved = parser.resolved(ty)?;
    let boolean = context.integer_type(1);
    let result = match &context[resolved] {
        TypeData::Vector { shape, scalable, .. } => {
            context.ty(TypeData::Vector { shape: shape.clone(), scalable: scalable.clone(), element: boolean })
        }
        _ => boolean,
    };
    pair(parser, custom, names, vec![ty, ty])?;
    custom.result_types.push(result.into());
    Ok(Next::Done)
}

/// The attribute of an entry in which enums are bare words.
fn tosa_value(parser: &mut ModuleParser<'_>, name: &[u8]) -> Result<Attribute> {
    let word = parser.at.peek_word();
    if matches!(name, b"nan_mode" | b"rounding_mode" | b"mode") && !word.is_empty() {
        parser.at.word();
        let mnemonic: &[u8] = if name == b"mode" { b"resize_mode" } else { name };
        let text = [b"#tosa.", mnemonic, b"<", word, b">"].concat();
        return crate::text::parse_attribute(parser.context(), &text);
    }
    parser.at.attribute()
}

fn tosa<'a>(parser: &mut ModuleParser<'a>, custom: &mut Custom<'a>) -> Result<Next<'a>> {
    let names = parser.operand_list()?;
    if parser.at.eat(b'{') && !parser.at.eat(b'}') {
        loop {
            let name = parser.at.word();
            if name.is_empty() {
                return Err(parser.at.expected("the name of an attribute"));
            }
            let value = if parser.at.eat(b'=') { tosa_value(parser, name)? } else { parser.context().unit() };
            custom.attributes.push((parser.context().identifier(name), value));
            if parser.at.eat(b'}') {
                break;
            }
            parser.at.expect(b',')?;
        }
    }
    parser.at.expect(b':')?;
    let (inputs, results) = parser.functional()?;
    pair(parser, custom, names, inputs)?;
    custom.result_types = results;
    Ok(Next::Done)
}
