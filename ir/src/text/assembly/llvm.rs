//! What the printers and parsers of `llvm` share.

use crate::context::Context;
use crate::text::directive::Directive;
use crate::text::parse::assembly::llvm as parse;
use crate::text::print::assembly::llvm as print;
use crate::types::{Type, TypeData};
use crate::upstream::llvm::{ArrayType, StructType};

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

/// The type at a position inside of an aggregate, outermost index first.
pub(in crate::text) fn element(context: &Context, container: Type, position: &[i64]) -> Option<Type> {
    position.iter().try_fold(container, |ty, &index| {
        if let Some(array) = ArrayType::of(context, ty) {
            let is_inside = u64::try_from(index).is_ok_and(|index| index < array.count(context));
            return is_inside.then(|| array.element(context));
        }
        StructType::of(context, ty)?.member(context, usize::try_from(index).ok()?)
    })
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
    StructType::literal(context, &[value, context.integer_type(1)], false).ok().map(Type::from)
}

/// Attributes that text shows as words: their names, their mnemonics, and the enums of their cases.
pub(in crate::text) const LINKAGE: (&str, &str, &str) = ("linkage", "linkage", "LLVM::linkage::Linkage");
pub(in crate::text) const CONVENTION: (&str, &str, &str) = ("CConv", "cconv", "LLVM::cconv::CConv");
pub(in crate::text) const TAIL_CALL: (&str, &str, &str) =
    ("TailCallKind", "tailcallkind", "LLVM::tailcallkind::TailCallKind");

/// The index of an element address that stands for a value.
pub(in crate::text) const DYNAMIC_INDEX: i64 = i32::MIN as i64;
