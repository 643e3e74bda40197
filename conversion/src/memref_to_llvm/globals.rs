//! Variables of the module.

use mlirbc_dialects::llvm::{ArrayType, GEPNoWrapFlags, Linkage, linkage};
use mlirbc_ir::{Attribute, AttributeData, NumberKind, Numbers, OpId, Type};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::allocated::{plain_type, pointer_type};
use crate::common::{Look, Members, Rw};
use crate::to_llvm::LlvmPatterns;
use crate::to_llvm::emit::{Emit, Index};
use crate::to_llvm::layouts::space_of;
use crate::to_llvm::memory::{self, parts};
use crate::to_llvm::patterns::To;

/// Adds these patterns.
pub(super) fn add_to(set: LlvmPatterns) -> LlvmPatterns {
    set.on("memref.get_global", address).on("memref.global", variable)
}

/// Arrays in each other, as many as the memory has dimensions.
fn array(rw: &Rw<'_, '_>, ty: Type) -> Result<Type, NoMatch> {
    let context = rw.context();
    let (shape, element) = parts(context, ty)?;
    let element = rw.convert_type(element)?;
    shape.iter().rev().try_fold(element, |inner, &size| {
        let size = u64::try_from(size).map_err(|_| NoMatch::Reason("a variable of an unknown size"))?;
        Ok(ArrayType::new(context, inner, size)?.into())
    })
}

fn variable(_: &To, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let members = Members::of(rw.op(op))?;
    let ty = match members.get("type").map(|ty| &context[ty]) {
        Some(AttributeData::Type(ty)) => plain_type(rw, *ty)?,
        _ => return Err(NoMatch::Reason("a variable without a type")),
    };
    let array = array(rw, ty)?;
    let is_private = members.get("sym_visibility").is_some_and(|visibility| match &context[visibility] {
        AttributeData::String { value, .. } => &**value != b"public",
        _ => false,
    });
    let own = if is_private { Linkage::Private } else { Linkage::External };
    let initial = members.get("initial_value");
    let is_unset = initial.is_some_and(|value| context[value] == AttributeData::Unit);
    let space = space_of(context, ty).ok_or(NoMatch::Reason("a memory space that is no address space"))?;
    let value = match initial.filter(|_| !is_unset) {
        Some(value) if parts(context, ty)?.0.is_empty() => Some(single(rw, value)?),
        value => value,
    };
    let mut attributes = vec![
        rw.named("global_type", context.attribute(AttributeData::Type(array))),
        rw.named("linkage", linkage(context, own)),
        rw.named("addr_space", context.integer(32, space.into())),
    ];
    let name = members.symbol().ok_or(NoMatch::Reason("a variable has no name"))?;
    attributes.push(rw.named("sym_name", name.attribute()));
    attributes.extend(value.map(|value| rw.named("value", value)));
    if members.get("constant").is_some() {
        attributes.push(rw.named("constant", context.unit()));
    }
    let alignment = members.get("alignment").and_then(|value| context.integer_of(value)?.to_i64());
    if let Some(alignment) = alignment.filter(|&alignment| alignment != 0) {
        attributes.push(rw.named("alignment", context.integer(64, alignment)));
    }
    let made = rw.build("llvm.mlir.global").attributes(attributes).regions(1).create()?;
    if is_unset {
        let at = rw.body().location(made);
        let fill = |rw: &mut mlirbc_ir::Rewriter<'_>| {
            rw.locate(at);
            let region = rw.body().top_regions().first().copied();
            let region = region.ok_or_else(|| mlirbc_ir::Error::misuse("a variable has no region"))?;
            let block = rw.create_block(region, None, std::iter::empty::<Type>())?;
            rw.set_insertion_point_to_end(block)?;
            let nothing = rw.emit("llvm.mlir.undef", &[], array)?;
            rw.emit_nothing("llvm.return", &[nothing], Vec::new()).map(drop)
        };
        rw.inside(made, fill)?;
    }
    Ok(rw.replace(op, [])?)
}

/// The one number of memory without dimensions.
fn single(rw: &Rw<'_, '_>, value: Attribute) -> Result<Attribute, NoMatch> {
    let context = rw.context();
    let wrong = NoMatch::Reason("the value of a variable is of another kind");
    let numbers = Numbers::of(context, value).ok_or(wrong)?;
    let number = numbers.splat().cloned().ok_or(NoMatch::Reason("the value of a variable is no number"))?;
    let ty = match &context[value] {
        AttributeData::DenseElements { ty, .. } => crate::common::element(context, *ty),
        _ => return Err(NoMatch::Reason("the value of a variable is of another kind")),
    };
    NumberKind::of(context, ty).ok_or(NoMatch::Reason("the value of a variable is no number"))?;
    Ok(context.numbers(ty, &[number])?)
}

fn address(to: &To, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let ty = plain_type(rw, rw.result_type(op)?)?;
    let context = rw.context();
    let sizes = memory::sizes(&to.types, rw, ty, &[], true)?;
    let (array, pointer) = (array(rw, ty)?, pointer_type(context, ty)?);
    let name = rw.named("global_name", rw.attribute(op, "name")?);
    let whole = rw.emit_with("llvm.mlir.addressof", &[], pointer, vec![name])?;
    let zeros = vec![Index::Known(0); sizes.sizes.len() + 1];
    let first = rw.element_pointer((whole, array), &zeros, GEPNoWrapFlags::NONE, pointer)?;
    // Nobody may free it.
    let bits = context.integer_type(8 * to.types.options().pointer_bytes as u32);
    let nowhere = rw.index_constant(bits, 0xdead_beef)?;
    let nowhere = rw.emit("llvm.inttoptr", &[nowhere], pointer)?;
    let made = memory::allocated(&to.types, rw, ty, (nowhere, first), &sizes)?;
    Ok(rw.replace(op, [made])?)
}
