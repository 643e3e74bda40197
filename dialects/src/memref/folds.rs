//! How operations of `memref` fold (`MemRefOps.cpp` of MLIR).

use mlirbc_ir::affine::{AffineExpression, AffineMap};
use mlirbc_ir::text::integers;
use mlirbc_ir::{AttributeData, Context, DYNAMIC, Dialect, OpRef, Result, Type, TypeData, Value};
use mlirbc_rewrite::{DialectRewrite, Fold, Folded};

use crate::common::layouts::{Strides, dynamic_place, is_static, size};
use crate::common::mixed::{Mixed, Slice};
use crate::common::reshapes::reshape;
use crate::common::{constants, dense};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .materialize(constants::materialize)
        .fold("assume_alignment", assume_alignment)
        .fold("atomic_rmw", |fold| skip_casts(fold, Some(0)))
        .fold("cast", cast)
        .fold("collapse_shape", |fold| reshape(fold, "memref.expand_shape"))
        .fold("copy", copy)
        .fold("dealloc", |fold| skip_casts(fold, None))
        .fold("dim", dim)
        .fold("dma_start", |fold| skip_casts(fold, None))
        .fold("dma_wait", |fold| skip_casts(fold, None))
        .fold("expand_shape", |fold| reshape(fold, "memref.collapse_shape"))
        .fold("load", |fold| skip_casts(fold, None))
        .fold("memory_space_cast", memory_space_cast)
        .fold("prefetch", |fold| skip_casts(fold, None))
        .fold("rank", rank)
        .fold("reinterpret_cast", reinterpret_cast)
        .fold("store", |fold| skip_casts(fold, Some(0)))
        .fold("subview", subview)
        .fold("transpose", transpose)
        .fold("view", view)
}

/// The value that is cast, where a `memref.cast` gives it.
fn before_cast(fold: &Fold<'_, '_>, value: Value) -> Option<Value> {
    fold.defined_by(value, "memref.cast")?.operands().first().copied()
}

/// Takes for each operand what was cast to it, where that has a rank: but for those that are the same value as the operand of number
/// `except`.
pub(crate) fn skip_casts(fold: &mut Fold<'_, '_>, except: Option<usize>) -> Result<Folded> {
    let except = except.map(|number| fold.operand(number));
    let mut operands = fold.operands().to_vec();
    for operand in &mut operands {
        if Some(*operand) != except
            && let Some(source) = before_cast(fold, *operand)
            && !matches!(fold.context()[fold.type_of(source)?], TypeData::UnrankedMemRef { .. })
        {
            *operand = source;
        }
    }
    if operands == fold.operands() {
        return Ok(Folded::No);
    }
    fold.set_operands(&operands)?;
    Ok(Folded::InPlace)
}

/// A cast to the same type is none.
pub(crate) fn same_type(fold: &Fold<'_, '_>, otherwise: Folded) -> Result<Folded> {
    let input = fold.operand(0);
    Ok(if fold.type_of(input)? == fold.result_type()? { Folded::value(input) } else { otherwise })
}

fn cast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let folded = skip_casts(fold, None)?;
    same_type(fold, folded)
}

fn memory_space_cast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let inner = fold.defined_by(fold.operand(0), "memref.memory_space_cast").and_then(|cast| cast.operands().first());
    let Some(&inner) = inner.filter(|&&inner| inner != fold.operand(0)) else {
        return same_type(fold, Folded::No);
    };
    fold.set_operand(0, inner)?;
    same_type(fold, Folded::InPlace)
}

fn assume_alignment(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let Some(source) = fold.defined_by(fold.operand(0), "memref.assume_alignment") else { return Ok(Folded::No) };
    let same = source.attribute("alignment")? == fold.attribute("alignment")?;
    Ok(if same { Folded::value(fold.operand(0)) } else { Folded::No })
}

/// Whether a cast takes away what is known, and nothing but that: then who uses it can as well use what was cast.
pub(super) fn only_forgets(context: &Context, from: Type, to: Type) -> bool {
    let (source, result) = (&context[from], &context[to]);
    let (TypeData::MemRef { shape, element, .. }, TypeData::MemRef { shape: shape_to, element: element_to, .. }) =
        (source, result)
    else {
        return false;
    };
    if element != element_to || shape.len() != shape_to.len() {
        return false;
    }
    let (Some(strides), Some(strides_to)) = (Strides::of(context, from), Strides::of(context, to)) else {
        return false;
    };
    let forgets = |(from, to): (&i64, &i64)| from == to || *from != DYNAMIC || *to == DYNAMIC;
    shape.iter().zip(shape_to).all(forgets)
        && forgets((&strides.offset, &strides_to.offset))
        && strides.strides.iter().zip(&strides_to.strides).all(forgets)
}

/// Of source and target, the first that is only cast.
fn copy(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    for number in 0..fold.operands().len() {
        let operand = fold.operand(number);
        let Some(source) = before_cast(fold, operand) else { continue };
        if only_forgets(fold.context(), fold.type_of(source)?, fold.type_of(operand)?) {
            fold.set_operand(number, source)?;
            return Ok(Folded::InPlace);
        }
    }
    Ok(Folded::No)
}

/// The integer that a constant of one number is.
pub(crate) fn index_of(fold: &Fold<'_, '_>, number: usize) -> Option<i64> {
    match &fold.context()[fold.constant(number)?] {
        AttributeData::Integer { value, .. } => value.to_i64(),
        _ => None,
    }
}

fn dim(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let Some(index) = index_of(fold, 1) else { return Ok(Folded::No) };
    let source = fold.operand(0);
    let ty = fold.type_of(source)?;
    let TypeData::MemRef { shape, .. } = &context[ty] else { return Ok(Folded::No) };
    let Some(size) = size(context, ty, index) else { return Ok(Folded::No) };
    if size != DYNAMIC {
        return Ok(Folded::maybe(dense::index(context, size)));
    }
    let index = index as usize;
    let definer = fold.op().defining_operation(source);
    if let Some(definer) = definer {
        let sizes = match &*definer.name() {
            "memref.alloc" | "memref.alloca" => Some("dynamicSizes"),
            "memref.view" => Some("sizes"),
            _ => None,
        };
        if let Some(sizes) = sizes {
            let size = definer.operands_named(sizes)?.get(dynamic_place(shape, index));
            return Ok(size.map_or(Folded::No, |&size| Folded::value(size)));
        }
        if definer.is("memref.subview") {
            return Ok(size_of_subview(definer, index)?.map_or(Folded::No, Folded::value));
        }
    }
    skip_casts(fold, None)
}

/// The value that is the size of a dimension of a subview.
fn size_of_subview(subview: OpRef<'_>, index: usize) -> Result<Option<Value>> {
    let (Some(slice), Some(dropped)) = (Slice::of(subview)?, dropped_dimensions(subview)?) else { return Ok(None) };
    let left = slice.sizes.iter().zip(dropped).filter(|&(_, dropped)| !dropped).map(|(size, _)| *size);
    Ok(match left.clone().nth(index) {
        Some(Mixed::Value(value)) => Some(value),
        _ => None,
    })
}

/// Which dimensions of its source a subview has not: of size 1, and told apart by their strides where it is not all of size 1.
pub(super) fn dropped_dimensions(subview: OpRef<'_>) -> Result<Option<Vec<bool>>> {
    let context = subview.module().context();
    let (Some(slice), Some(&source), Some(result)) =
        (Slice::of(subview)?, subview.operands().first(), subview.results().next())
    else {
        return Ok(None);
    };
    let (from, to) = (subview.type_of(source)?, subview.type_of(result)?);
    Ok(dropped(context, from, to, &slice.sizes))
}

/// Which dimensions a memref of type `to` has not that is a part of these sizes of one of type `from`.
pub(super) fn dropped(context: &Context, from: Type, to: Type, sizes: &[Mixed]) -> Option<Vec<bool>> {
    let rank = context[from].shape()?.len();
    let left = context[to].shape()?.len();
    if sizes.len() != rank || left > rank {
        return None;
    }
    if left == rank {
        return Some(vec![false; rank]);
    }
    let count = |dropped: &[bool]| dropped.iter().filter(|&&dropped| dropped).count();
    let mut dropped: Vec<bool> = sizes.iter().map(|size| *size == Mixed::Number(1)).collect();
    if count(&dropped) + left == rank {
        return Some(dropped);
    }
    let (from, to) = (Strides::of(context, from)?, Strides::of(context, to)?);
    let mut unaccounted = from.strides.clone();
    let times = |strides: &[i64], wanted: i64| strides.iter().filter(|&&stride| stride == wanted).count();
    for (dropped, &stride) in dropped.iter_mut().zip(&from.strides).filter(|(dropped, _)| **dropped) {
        match times(&unaccounted, stride).cmp(&times(&to.strides, stride)) {
            std::cmp::Ordering::Greater => {
                let at = unaccounted.iter().position(|&other| other == stride)?;
                unaccounted.remove(at);
            }
            std::cmp::Ordering::Equal => *dropped = false,
            std::cmp::Ordering::Less => return None,
        }
    }
    (count(&dropped) + left == rank).then_some(dropped)
}

/// The rank, where there is one.
pub(crate) fn rank(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let rank = context[fold.type_of(fold.operand(0))?].shape().map(|shape| shape.len() as i64);
    Ok(Folded::maybe(rank.and_then(|rank| dense::index(context, rank))))
}

fn reinterpret_cast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let mut before = None;
    if let Some(definer) = fold.op().defining_operation(source) {
        let skips = match &*definer.name() {
            "memref.reinterpret_cast" | "memref.cast" => true,
            "memref.subview" => {
                let slice = Slice::of(definer)?;
                slice.is_some_and(|slice| slice.offsets.iter().all(|offset| offset.is(definer, 0)))
            }
            _ => false,
        };
        // What is not reachable may lead in circles.
        before = definer.operands().first().copied().filter(|&before| skips && before != source);
    }
    if let Some(before) = before {
        fold.set_operand(0, before)?;
        return Ok(Folded::InPlace);
    }
    let ty = fold.result_type()?;
    let offset = fold.attribute("static_offsets")?.and_then(|offsets| integers(context, offsets)?.first().copied());
    let same = is_static(context, ty) && fold.type_of(source)? == ty && offset == Some(0);
    Ok(if same { Folded::value(source) } else { Folded::No })
}

fn subview(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let context = fold.context();
    let source = fold.operand(0);
    let ty = fold.result_type()?;
    if fold.type_of(source)? != ty {
        return Ok(Folded::No);
    }
    let TypeData::MemRef { layout, .. } = &context[ty] else { return Ok(Folded::No) };
    let is_static_layout = match &context[*layout] {
        AttributeData::StridedLayout { strides, offset } => *offset != DYNAMIC && !strides.contains(&DYNAMIC),
        _ => true,
    };
    if is_static(context, ty) && is_static_layout {
        return Ok(Folded::value(source));
    }
    // All of a part.
    let Some(inner) = fold.defined_by(source, "memref.subview") else { return Ok(Folded::No) };
    let (Some(part), Some(all)) = (Slice::of(inner)?, Slice::of(fold.op())?) else { return Ok(Folded::No) };
    Ok(if all.is_from_start(fold.op()) && all.sizes == part.sizes { Folded::value(source) } else { Folded::No })
}

fn view(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let source = fold.operand(0);
    let ty = fold.result_type()?;
    let same = fold.type_of(source)? == ty && is_static(fold.context(), ty);
    Ok(if same { Folded::value(source) } else { Folded::No })
}

/// The permutation that a transposition is.
fn permutation(op: OpRef<'_>) -> Result<Option<&AffineMap>> {
    let map = op.attribute("permutation")?;
    Ok(map.and_then(|map| match &op.module().context()[map] {
        AttributeData::AffineMap(map) => Some(map),
        _ => None,
    }))
}

fn transpose(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let input = fold.operand(0);
    let Some(outer) = permutation(fold.op())?.cloned() else { return Ok(Folded::No) };
    if outer.is_identity() && fold.type_of(input)? == fold.result_type()? {
        return Ok(Folded::value(input));
    }
    let Some(definer) = fold.defined_by(input, "memref.transpose") else { return Ok(Folded::No) };
    let (Some(inner), Some(&source)) =
        (permutation(definer)?, definer.operands().first().filter(|&&source| source != input))
    else {
        return Ok(Folded::No);
    };
    let through = |result: &AffineExpression| match result {
        AffineExpression::Dimension(number) => inner.results.get(*number as usize).cloned(),
        _ => None,
    };
    let results: Option<Box<[AffineExpression]>> = outer.results.iter().map(through).collect();
    let Some(results) = results else { return Ok(Folded::No) };
    let composed = AffineMap { dimensions: inner.dimensions, symbols: 0, results };
    let composed = fold.context().attribute(AttributeData::AffineMap(composed));
    fold.set_operand(0, source)?;
    fold.set_attribute("permutation", composed)?;
    Ok(Folded::InPlace)
}
