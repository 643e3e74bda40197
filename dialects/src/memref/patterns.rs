//! Canonicalisation patterns of `memref` (`MemRefOps.cpp` of MLIR).

use mlirbc_ir::{AttributeData, Context, DYNAMIC, Dialect, OpId, OpRef, Result, Rewriter, Type, TypeData, Value};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, NoMatch, Outcome};

use super::folds::{dropped, dropped_dimensions, only_forgets};
use crate::common::dense::index;
use crate::common::layouts::{Strides, product, sum};
use crate::common::mixed::{Mixed, Slice, apart, constant_index};
use crate::common::patterns::{check, result_type, type_of};

/// What MLIR calls it, without namespaces.
const CONSTANT_PART: &str = "OpWithOffsetSizesAndStridesConstantArgumentFolder<SubViewOp, SubViewReturnTypeCanonicalizer, SubViewCanonicalizer>";

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .canonicalize("alloc", AnyPattern::new("SimplifyAllocConst<AllocOp>", constant_sizes))
        .canonicalize("alloc", AnyPattern::new("SimplifyDeadAlloc<AllocOp>", never_read))
        .canonicalize("alloca", AnyPattern::new("SimplifyAllocConst<AllocaOp>", constant_sizes))
        .canonicalize("alloca", AnyPattern::new("SimplifyDeadAlloc<AllocaOp>", never_read))
        .canonicalize("realloc", AnyPattern::new("SimplifyDeadAlloc<ReallocOp>", never_read))
        .canonicalize("extract_strided_metadata", AnyPattern::fold("ExtractStridedMetadataOp", known_parts))
        .canonicalize("copy", AnyPattern::new("FoldEmptyCopy", copy_of_nothing))
        .canonicalize("copy", AnyPattern::new("FoldSelfCopy", copy_to_itself))
        .canonicalize("reinterpret_cast", AnyPattern::new("ReinterpretCastOpExtractStridedMetadataFolder", of_metadata))
        .canonicalize("reinterpret_cast", AnyPattern::new("ReinterpretCastOpConstantFolder", constant_cast))
        .canonicalize("subview", AnyPattern::new(CONSTANT_PART, constant_part))
        .canonicalize("subview", AnyPattern::new("SubViewOpMemRefCastFolder", part_of_cast))
        .canonicalize("subview", AnyPattern::new("TrivialSubViewOpFolder", whole_part))
        .canonicalize("view", AnyPattern::new("ViewOpShapeFolder", constant_view))
        .canonicalize("view", AnyPattern::new("ViewOpMemrefCastFolder", view_of_cast))
}

/// What it takes to go on, or that the pattern is for something else.
fn some<T>(found: Option<T>) -> Result<T, NoMatch> {
    found.ok_or(NoMatch::Reason("the operation says something else of itself"))
}

fn shape(context: &Context, ty: Type) -> Result<&[i64], NoMatch> {
    some(match &context[ty] {
        TypeData::MemRef { shape, .. } => Some(&**shape),
        _ => None,
    })
}

/// The type of a memref with another shape and, where it is given, another layout.
fn memref(context: &Context, like: Type, new: &[i64], strides: Option<&Strides>) -> Result<Type, NoMatch> {
    let TypeData::MemRef { element, layout, space, .. } = &context[like] else {
        return Err(NoMatch::Reason("a type is no memref"));
    };
    let layout = match strides {
        None => *layout,
        Some(Strides { strides, offset }) => {
            context.attribute(AttributeData::StridedLayout { strides: strides.as_slice().into(), offset: *offset })
        }
    };
    Ok(context.ty(TypeData::MemRef { shape: new.into(), element: *element, layout, space: *space }))
}

/// Puts a cast of a value, or the value, in the place of an operation.
fn replace_by_cast(rw: &mut Rewriter<'_>, op: OpId, by: Value) -> Outcome {
    let ty = result_type(rw, op)?;
    let cast = rw.build("memref.cast").operands([by]).result_type(ty).create()?;
    Ok(rw.replace_with(op, cast)?)
}

/// Sizes of a shape that are not known, of which those that are constants become known: the shape then, and what is left.
fn known_sizes(
    rw: &Rewriter<'_>,
    op: OpId,
    shape: &[i64],
    sizes: &[Value],
    fits: impl Fn(i64) -> bool,
) -> Result<(Vec<i64>, Vec<Value>), NoMatch> {
    let mut left = Vec::new();
    let mut given = sizes.iter();
    let mut new = Vec::with_capacity(shape.len());
    for &size in shape {
        if size != DYNAMIC {
            new.push(size);
            continue;
        }
        let &value = some(given.next())?;
        match constant_index(rw.op(op), value).filter(|&size| size != DYNAMIC && fits(size)) {
            Some(size) => new.push(size),
            None => {
                new.push(DYNAMIC);
                left.push(value);
            }
        }
    }
    check(left.len() < sizes.len(), "no size is a constant")?;
    Ok((new, left))
}

fn constant_sizes(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let context = rw.context();
    let ty = result_type(rw, op)?;
    let sizes = rw.op(op).operands_named("dynamicSizes")?.to_vec();
    let symbols = rw.op(op).operands_named("symbolOperands")?.to_vec();
    let (new, left) = known_sizes(rw, op, shape(context, ty)?, &sizes, |size| size >= 0)?;
    let ty = memref(context, ty, &new, None)?;
    let alignment = rw.op(op).attribute("alignment")?;
    let name = rw.body().name(op);
    let alignment = alignment.map(|alignment| (context.identifier("alignment"), alignment));
    let alloc = rw.build_named(name).operand_groups([&left[..], &symbols[..]]).attributes(alignment).result_type(ty);
    let alloc = alloc.create()?;
    let alloc = rw.result(alloc, 0)?;
    replace_by_cast(rw, op, alloc)
}

/// Memory that is only written and freed.
fn never_read(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let result = rw.result(op, 0)?;
    let mut users: Vec<OpId> = Vec::new();
    for of in rw.body().uses_of(result) {
        let user = rw.op(of.op);
        let only_writes =
            user.is("memref.dealloc") || user.is("memref.store") && user.operands().first() != Some(&result);
        check(only_writes, "the memory is used")?;
        if !users.contains(&of.op) {
            users.push(of.op);
        }
    }
    for user in users {
        rw.erase(user)?;
    }
    Ok(rw.erase(op)?)
}

fn copy_of_nothing(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    for number in 0..rw.body().operands(op).len() {
        let ty = type_of(rw, rw.body().operands(op)[number])?;
        if rw.context()[ty].shape().is_some_and(|shape| shape.contains(&0)) {
            return Ok(rw.erase(op)?);
        }
    }
    rw.no_match("there are elements")
}

fn copy_to_itself(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    match rw.body().operands(op) {
        [source, target] if source == target => Ok(rw.erase(op)?),
        _ => rw.no_match("it copies to another place"),
    }
}

/// Takes for values numbers that are known otherwise, or that they are.
fn known(op: OpRef<'_>, values: &mut [Mixed], otherwise: &[i64]) {
    for (value, &number) in values.iter_mut().zip(otherwise) {
        let number = if number == DYNAMIC { value.constant(op) } else { Some(number) };
        if let Some(number) = number.filter(|&number| number != DYNAMIC) {
            *value = Mixed::Number(number);
        }
    }
}

/// What a `memref.reinterpret_cast` says, as far as it is known.
fn known_cast(rw: &Rewriter<'_>, op: OpId) -> Result<Slice, NoMatch> {
    let context = rw.context();
    let ty = result_type(rw, op)?;
    let mut slice = some(Slice::of(rw.op(op))?)?;
    let strides = some(Strides::of(context, ty))?;
    let rank = shape(context, ty)?.len();
    check(slice.offsets.len() == 1 && slice.sizes.len() == rank && slice.strides.len() == rank, "it has other sizes")?;
    known(rw.op(op), &mut slice.offsets, &[strides.offset]);
    known(rw.op(op), &mut slice.sizes, shape(context, ty)?);
    known(rw.op(op), &mut slice.strides, &strides.strides);
    Ok(slice)
}

/// What a `memref.extract_strided_metadata` gives, as far as it is known.
fn known_metadata(rw: &Rewriter<'_>, op: OpId) -> Result<Slice, NoMatch> {
    let context = rw.context();
    let op = rw.op(op);
    let &source = some(op.operands().first())?;
    let ty = op.type_of(source)?;
    let strides = some(Strides::of(context, ty))?;
    let shape = shape(context, ty)?;
    let results: Vec<Mixed> = op.results().map(Mixed::Value).collect();
    let rank = shape.len();
    check(results.len() == 2 + 2 * rank, "it has other results")?;
    let part = |start: usize, count: usize| results[start..start + count].to_vec();
    let mut slice = Slice { offsets: part(1, 1), sizes: part(2, rank), strides: part(2 + rank, rank) };
    known(op, &mut slice.offsets, &[strides.offset]);
    known(op, &mut slice.sizes, shape);
    known(op, &mut slice.strides, &strides.strides);
    Ok(slice)
}

/// Parts of a memref that its type says are constants.
fn known_parts(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let context = rw.context();
    let slice = known_metadata(rw, op)?;
    let parts: Vec<Mixed> = slice.offsets.into_iter().chain(slice.sizes).chain(slice.strides).collect();
    let mut changed = false;
    for (number, part) in parts.into_iter().enumerate() {
        let result = rw.result(op, number + 1)?;
        if let Mixed::Number(number) = part
            && rw.body().is_used(result)
        {
            let value = some(index(context, number))?;
            let ty = context.index_type();
            let constant = rw.build("arith.constant").attribute("value", value).result_type(ty).create()?;
            let constant = rw.result(constant, 0)?;
            rw.replace_uses(result, constant)?;
            changed = true;
        }
    }
    let &cast = some(rw.body().operands(op).first())?;
    let source = rw.defined_by(cast, "memref.cast").ok().and_then(|cast| cast.operands().first().copied());
    if let Some(source) = source
        && matches!(context[type_of(rw, source)?], TypeData::MemRef { .. })
    {
        rw.set_operand(op, 0, source)?;
        changed = true;
    }
    check(changed, "nothing is known")
}

/// A memref taken apart and put together again.
fn of_metadata(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let &base = some(rw.body().operands(op).first())?;
    let metadata = rw.defined_by(base, "memref.extract_strided_metadata")?;
    let (&source, metadata) = (some(metadata.operands().first())?, metadata.id());
    if known_metadata(rw, metadata)? != known_cast(rw, op)? {
        return Ok(rw.set_operand(op, 0, source)?);
    }
    if type_of(rw, source)? == result_type(rw, op)? {
        return Ok(rw.replace(op, [source])?);
    }
    replace_by_cast(rw, op, source)
}

fn constant_cast(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let context = rw.context();
    let slice = known_cast(rw, op)?;
    let was = some(Slice::of(rw.op(op))?)?;
    let numbers = |slice: &Slice| {
        let all = slice.offsets.iter().chain(&slice.sizes).chain(&slice.strides);
        all.filter(|of| matches!(of, Mixed::Number(_))).count()
    };
    check(numbers(&was) < numbers(&slice), "nothing more is known")?;
    let &source = some(rw.body().operands(op).first())?;
    let part = numbers_and_values(context, &slice);
    let [offsets, sizes, strides] = [&slice.offsets, &slice.sizes, &slice.strides].map(|of| static_parts(of));
    let layout = Strides { strides, offset: offsets[0] };
    let ty = memref(context, result_type(rw, op)?, &sizes, Some(&layout))?;
    let cast = sliced(rw, "memref.reinterpret_cast", source, part, ty)?;
    replace_by_cast(rw, op, cast)
}

fn static_parts(of: &[Mixed]) -> Vec<i64> {
    let number = |of: &Mixed| match of {
        Mixed::Number(number) => *number,
        Mixed::Value(_) => DYNAMIC,
    };
    of.iter().map(number).collect()
}

type Parts = [(mlirbc_ir::Attribute, Vec<Value>); 3];

fn numbers_and_values(context: &Context, slice: &Slice) -> Parts {
    [&slice.offsets, &slice.sizes, &slice.strides].map(|of| apart(context, of))
}

/// Makes an operation that takes a part of a memref.
fn sliced(rw: &mut Rewriter<'_>, name: &str, source: Value, parts: Parts, ty: Type) -> Result<Value> {
    let [(offsets, a), (sizes, b), (strides, c)] = parts;
    let op = rw
        .build(name)
        .operand_groups([&[source][..], &a, &b, &c])
        .attribute("static_offsets", offsets)
        .attribute("static_sizes", sizes)
        .attribute("static_strides", strides)
        .result_type(ty)
        .create()?;
    rw.result(op, 0)
}

/// The type of a part of a memref, without the dimensions that are dropped.
fn part_type(context: &Context, source: Type, slice: &Slice, dropped: &[bool]) -> Option<Type> {
    let of = Strides::of(context, source)?;
    let [offsets, sizes, strides] = [&slice.offsets, &slice.sizes, &slice.strides].map(|of| static_parts(of));
    let rank = of.strides.len();
    if [offsets.len(), sizes.len(), strides.len(), dropped.len()] != [rank; 4] {
        return None;
    }
    let mut layout = Strides { strides: Vec::new(), offset: of.offset };
    for (&offset, &stride) in offsets.iter().zip(&of.strides) {
        layout.offset = sum(layout.offset, saturated(offset, stride)?)?;
    }
    let mut shape = Vec::new();
    for at in (0..rank).filter(|&at| !dropped[at]) {
        shape.push(sizes[at]);
        layout.strides.push(saturated(of.strides[at], strides[at])?);
    }
    memref(context, source, &shape, Some(&layout)).ok()
}

/// The product of two numbers that may not be known: 0 times what is not known is 0.
fn saturated(a: i64, b: i64) -> Option<i64> {
    if a == 0 || b == 0 { Some(0) } else { product(a, b) }
}

fn constant_part(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let context = rw.context();
    let mut slice = some(Slice::of(rw.op(op))?)?;
    let was = slice.clone();
    let becomes = |of: &mut Vec<Mixed>, fits: fn(i64) -> bool| {
        for value in of {
            if let Some(number) = value.constant(rw.op(op)).filter(|&number| number != DYNAMIC && fits(number)) {
                *value = Mixed::Number(number);
            }
        }
    };
    becomes(&mut slice.offsets, |number| number >= 0);
    becomes(&mut slice.sizes, |number| number >= 0);
    becomes(&mut slice.strides, |number| number != 0);
    check(slice != was, "no part is a constant")?;
    let &source = some(rw.body().operands(op).first())?;
    let dropped = some(dropped_dimensions(rw.op(op))?)?;
    let from = type_of(rw, source)?;
    let ty = some(part_type(context, from, &slice, &dropped))?;
    let in_bounds = {
        let shape = shape(context, from)?;
        let [offsets, sizes, strides] = [&slice.offsets, &slice.sizes, &slice.strides].map(|of| static_parts(of));
        (0..shape.len()).all(|at| is_in_bounds(shape[at], offsets[at], sizes[at], strides[at]))
    };
    check(in_bounds, "the part would reach over the end")?;
    let part = sliced(rw, "memref.subview", source, numbers_and_values(context, &slice), ty)?;
    replace_by_cast(rw, op, part)
}

/// Whether a part of a dimension is inside of it, as far as that is known.
fn is_in_bounds(size: i64, offset: i64, count: i64, stride: i64) -> bool {
    if [size, offset].contains(&DYNAMIC) {
        return true;
    }
    if offset >= size {
        return false;
    }
    if [count, stride].contains(&DYNAMIC) {
        return true;
    }
    let last = (count - 1).checked_mul(stride).and_then(|last| last.checked_add(offset));
    last.is_some_and(|last| last < size)
}

fn has_constant(rw: &Rewriter<'_>, op: OpId) -> bool {
    rw.body().operands(op).iter().any(|&operand| constant_index(rw.op(op), operand).is_some())
}

fn part_of_cast(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let context = rw.context();
    check(!has_constant(rw, op), "an operand is a constant")?;
    let &cast = some(rw.body().operands(op).first())?;
    let &source = some(rw.defined_by(cast, "memref.cast")?.operands().first())?;
    let (from, to) = (type_of(rw, source)?, type_of(rw, cast)?);
    check(only_forgets(context, from, to), "the cast says something of the memref")?;
    let slice = some(Slice::of(rw.op(op))?)?;
    let dropped = some(dropped(context, to, result_type(rw, op)?, &slice.sizes))?;
    let ty = some(part_type(context, from, &slice, &dropped))?;
    let part = sliced(rw, "memref.subview", source, numbers_and_values(context, &slice), ty)?;
    replace_by_cast(rw, op, part)
}

/// A part that is all of a memref.
fn whole_part(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let context = rw.context();
    let &source = some(rw.body().operands(op).first())?;
    let (from, to) = (type_of(rw, source)?, result_type(rw, op)?);
    let slice = some(Slice::of(rw.op(op))?)?;
    let of = shape(context, from)?;
    check(of.len() == shape(context, to)?.len() && slice.is_all_of(rw.op(op), of), "it is a part")?;
    if from == to {
        return Ok(rw.replace(op, [source])?);
    }
    replace_by_cast(rw, op, source)
}

fn constant_view(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let context = rw.context();
    let ty = result_type(rw, op)?;
    let sizes = rw.op(op).operands_named("sizes")?.to_vec();
    let (new, left) = known_sizes(rw, op, shape(context, ty)?, &sizes, |size| size >= 0)?;
    let ty = memref(context, ty, &new, None)?;
    let operands: Vec<Value> = some(rw.body().operands(op).get(..2))?.iter().copied().chain(left).collect();
    let view = rw.build("memref.view").operands(operands).result_type(ty).create()?;
    let view = rw.result(view, 0)?;
    replace_by_cast(rw, op, view)
}

fn view_of_cast(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let mut operands = rw.body().operands(op).to_vec();
    let &cast = some(operands.first())?;
    let &alloc = some(rw.defined_by(cast, "memref.cast")?.operands().first())?;
    rw.defined_by(alloc, "memref.alloc")?;
    operands[0] = alloc;
    let ty = result_type(rw, op)?;
    let view = rw.build("memref.view").operands(operands).result_type(ty).create()?;
    Ok(rw.replace_with(op, view)?)
}
