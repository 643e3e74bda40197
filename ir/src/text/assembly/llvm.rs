//! Types of `llvm` that are made of others, as text.

use std::collections::HashMap;
use std::rc::Rc;

use crate::context::Context;
use crate::text::directive::Directive;
use crate::text::parse::assembly::llvm as parse;
use crate::text::print::assembly::llvm as print;
use crate::text::{parse_type, print_type};
use crate::types::{Type, TypeData};

/// The directives of the dialect's formats.
pub(crate) const DIRECTIVES: [(&str, Directive); 7] = [
    ("GEPIndices", Directive::new(print::indices, parse::indices)),
    ("IndirectBrOpSucessors", Directive::new(print::successors, parse::successors)),
    ("InsertExtractValueElementType", Directive::new(print::element_type, parse::element_type)),
    ("LLVMLinkage", Directive::new(print::linkage, parse::linkage)),
    ("OpBundles", Directive::new(print::bundles_of, parse::bundles_of).starts(|parser| parser.text().is_at(b'['))),
    ("ShuffleType", Directive::new(print::shuffle_type, parse::shuffle_type)),
    ("SwitchOpCases", Directive::new(print::switch_cases, parse::switch_cases)),
];

/// What a function takes and gives.
pub(in crate::text) struct FunctionType {
    pub(in crate::text) inputs: Vec<Type>,
    /// Nothing where it is `void`.
    pub(in crate::text) result: Option<Type>,
    pub(in crate::text) variadic: bool,
}

/// A type as it stands inside another of `llvm`, where it needs no prefix.
fn inner_type(context: &Context, text: &str) -> Option<Type> {
    let short = parse_type(context, text.as_bytes()).ok();
    short.or_else(|| parse_type(context, format!("!llvm.{text}").as_bytes()).ok())
}

/// The text of a type inside of another of `llvm`. Floating-point types keep their prefix.
fn inner_text(context: &Context, ty: Type) -> Option<String> {
    let text = print_type(context, ty).ok()?;
    let short = text.strip_prefix("!llvm.").filter(|&short| short != "ppc_fp128");
    Some(short.unwrap_or(&text).to_owned())
}

/// The parts of `!llvm.func<result (inputs, ...)>`.
pub(in crate::text) fn split(context: &Context, ty: Type) -> Option<FunctionType> {
    let text = print_type(context, ty).ok()?;
    let inner = text.strip_prefix("!llvm.func<")?.strip_suffix('>')?;
    let body = inner.strip_suffix(')')?;
    // The parenthesis that the last one closes.
    let mut depth = 1;
    let open = body.bytes().enumerate().rev().find(|&(_, byte)| {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let open = open?.0;
    let (result, inputs) = (inner[..open].trim(), &inner[open + 1..inner.len() - 1]);
    let mut found = FunctionType { inputs: Vec::new(), result: None, variadic: false };
    if result != "void" {
        found.result = Some(inner_type(context, result)?);
    }
    for part in super::outer_parts(inputs).into_iter().filter(|part| !part.is_empty()) {
        if part == "..." {
            found.variadic = true;
        } else {
            found.inputs.push(inner_type(context, part)?);
        }
    }
    Some(found)
}

/// The function type of these parts.
pub(in crate::text) fn join(context: &Context, function: &FunctionType) -> Option<Type> {
    let result = match function.result {
        Some(ty) => inner_text(context, ty)?,
        None => "void".to_owned(),
    };
    let mut inputs: Vec<String> = function.inputs.iter().map(|&ty| inner_text(context, ty)).collect::<Option<_>>()?;
    if function.variadic {
        inputs.push("...".to_owned());
    }
    parse_type(context, format!("!llvm.func<{result} ({})>", inputs.join(", ")).as_bytes()).ok()
}

/// What an aggregate holds.
enum Members {
    Struct(Vec<Type>),
    Array(u64, Type),
}

/// The longest way into an aggregate. Each step names a type, which is about as long as the one around it.
const MAX_STEPS: usize = 64;

/// What is inside of aggregates. Each is taken apart once.
#[derive(Default)]
pub(in crate::text) struct Aggregates(HashMap<Type, Option<Rc<Members>>>);

impl Aggregates {
    /// The type at a position inside of an aggregate, outermost index first.
    pub(in crate::text) fn element(&mut self, context: &Context, container: Type, position: &[i64]) -> Option<Type> {
        if position.len() > MAX_STEPS {
            return None;
        }
        position.iter().try_fold(container, |ty, &index| {
            let members = self.0.entry(ty).or_insert_with(|| members(context, ty).map(Rc::new)).clone()?;
            let index = u64::try_from(index).ok()?;
            match &*members {
                Members::Struct(types) => types.get(usize::try_from(index).ok()?).copied(),
                Members::Array(count, element) => (index < *count).then_some(*element),
            }
        })
    }
}

/// The types inside of `!llvm.array<2 x f32>` or `!llvm.struct<"name", packed (i32, ptr)>`.
fn members(context: &Context, ty: Type) -> Option<Members> {
    let text = print_type(context, ty).ok()?;
    if let Some(inner) = text.strip_prefix("!llvm.array<").and_then(|rest| rest.strip_suffix('>')) {
        let (count, element) = inner.split_once('x')?;
        return Some(Members::Array(count.trim().parse().ok()?, inner_type(context, element.trim())?));
    }
    let mut inner = text.strip_prefix("!llvm.struct<").and_then(|rest| rest.strip_suffix('>'))?.trim();
    if let Some(rest) = inner.strip_prefix('"') {
        inner = rest.split_once('"')?.1.trim_start().strip_prefix(',')?.trim_start();
    }
    let inner = inner.strip_prefix("packed").unwrap_or(inner).trim_start();
    let inner = inner.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'))?;
    // Inside of itself, a struct is shown by its name alone: that name says nothing on its own.
    let names_itself = inner
        .split("struct<\"")
        .skip(1)
        .any(|rest| rest.split_once('"').is_some_and(|(_, rest)| rest.starts_with('>')));
    if names_itself {
        return None;
    }
    if inner.trim().is_empty() {
        return Some(Members::Struct(Vec::new()));
    }
    let types = super::outer_parts(inner).into_iter().map(|part| inner_type(context, part));
    Some(Members::Struct(types.collect::<Option<_>>()?))
}

/// The type that a shuffle by a mask of that length gives.
pub(in crate::text) fn shuffled(context: &Context, vector: Type, length: usize) -> Option<Type> {
    match &context[vector] {
        TypeData::Vector { shape, scalable, element } if shape.len() == 1 && length > 0 => {
            let shape: Box<[i64]> = Box::new([i64::try_from(length).ok()?]);
            Some(context.ty(TypeData::Vector { shape, scalable: scalable.clone(), element: *element }))
        }
        _ => None,
    }
}

/// What comes of comparing two values of a type: a bit, or one for each element.
pub(in crate::text) fn compared(context: &Context, ty: Type) -> Type {
    let element = context.integer_type(1);
    match &context[ty] {
        TypeData::Vector { shape, scalable, .. } => {
            context.ty(TypeData::Vector { shape: shape.clone(), scalable: scalable.clone(), element })
        }
        _ => element,
    }
}

/// What comes of exchanging a value: the one before, and whether it was exchanged.
pub(crate) fn exchanged(context: &Context, value: Type) -> Option<Type> {
    parse_type(context, format!("!llvm.struct<({}, i1)>", inner_text(context, value)?).as_bytes()).ok()
}

/// Attributes that text shows as words: their names, their mnemonics, and the enums of their cases.
pub(in crate::text) const LINKAGE: (&str, &str, &str) = ("linkage", "linkage", "LLVM::linkage::Linkage");
pub(in crate::text) const CONVENTION: (&str, &str, &str) = ("CConv", "cconv", "LLVM::cconv::CConv");
pub(in crate::text) const TAIL_CALL: (&str, &str, &str) =
    ("TailCallKind", "tailcallkind", "LLVM::tailcallkind::TailCallKind");

/// The index of an element address that stands for a value.
pub(in crate::text) const DYNAMIC_INDEX: i64 = i32::MIN as i64;
