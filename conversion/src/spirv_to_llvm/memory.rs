//! Pointers, what is behind them, and global variables.

use std::sync::Arc;

use mlirbc_dialects::llvm::{ArrayType, CConv, Linkage, StructType, linkage};
use mlirbc_ir::{AttributeData, Context, NamedAttribute, OpId, Type, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{Match, NoMatch, Outcome};

use super::accesses::Access;
use super::calls::{Callee, Find, flags};
use super::class::{
    CROSS_WORKGROUP, INPUT, OUTPUT, PRIVATE, PUSH_CONSTANT, STORAGE_BUFFER, UNIFORM, UNIFORM_CONSTANT, WORKGROUP,
    is_explicit, pointee,
};
use super::emit::{DYNAMIC_INDEX, Emit, Look, Rw, dense_array, integers, reference, splat, symbol};
use super::state::State;
use super::types::{ClientApi, Structs, inside};
use super::{Set, bools, explicit, initial, packing};

/// The second option says whether built-in and private variables are of each thread.
pub(super) fn add_to(set: Set, state: &Arc<State>, options: (ClientApi, bool)) -> Set {
    let names = state.clone();
    let address = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| address_of(rw, op, operands, &names);
    let names = state.clone();
    let global = move |rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor| global(rw, op, &names, options);
    let layouts = state.clone();
    let load = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| load(rw, op, operands, &layouts);
    let layouts = state.clone();
    let store = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| store(rw, op, operands, &layouts);
    let layouts = state.clone();
    let chain = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| access_chain(rw, op, operands, &layouts);
    let layouts = state.clone();
    let behind = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| chain_behind(rw, op, operands, &layouts);
    let layouts = state.clone();
    let copy = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| copied(rw, op, operands, &layouts);
    let layouts = state.clone();
    let bytes = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| copied_bytes(rw, op, operands, &layouts);
    let layouts = state.clone();
    let frexp = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
        parted(rw, op, operands, &layouts, packing::significand_and_power)
    };
    let layouts = state.clone();
    let modf = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
        parted(rw, op, operands, &layouts, packing::part_and_whole)
    };
    let layouts = state.clone();
    let length = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| array_length(rw, op, operands, &layouts);
    // What is said of other invocations makes these operations of the grammar, which name a scope besides.
    set.pattern("spirv.Load", ConversionPattern::of("load", load.clone()))
        .pattern("spirv.OpLoad", ConversionPattern::of("load", load))
        .pattern("spirv.Store", ConversionPattern::of("store", store.clone()))
        .pattern("spirv.OpStore", ConversionPattern::of("store", store))
        .pattern("spirv.AccessChain", ConversionPattern::of("chain", chain.clone()))
        .pattern("spirv.InBoundsAccessChain", ConversionPattern::of("chain", chain))
        .pattern("spirv.PtrAccessChain", ConversionPattern::of("behind", behind.clone()))
        .pattern("spirv.InBoundsPtrAccessChain", ConversionPattern::of("behind", behind))
        .pattern("spirv.ArrayLength", ConversionPattern::of("length", length))
        .pattern("spirv.CopyMemory", ConversionPattern::of("copied", copy.clone()))
        .pattern("spirv.OpCopyMemory", ConversionPattern::of("copied", copy))
        .pattern("spirv.CopyMemorySized", ConversionPattern::of("bytes", bytes))
        .pattern("spirv.GL.Frexp", ConversionPattern::of("frexp", frexp))
        .pattern("spirv.GL.Modf", ConversionPattern::of("modf", modf))
        .on("spirv.Variable", variable)
        .pattern("spirv.mlir.addressof", ConversionPattern::of("address", address))
        .pattern("spirv.GlobalVariable", ConversionPattern::of("global", global))
}

/// No number or vector stands at multiples of more bytes.
const MOST_ALIGNED: i64 = 32;

fn load(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let access = Access::of(rw, op)?.attributes(rw.context());
    let made = loaded(rw, (op, 0), operands.get(0)?, access, state)?;
    Ok(rw.replace(op, [made])?)
}

/// Loads what an operand of that number points to, for which `pointer` stands.
fn loaded(
    rw: &mut Rw<'_, '_>,
    (op, number): (OpId, usize),
    pointer: Value,
    access: Vec<NamedAttribute>,
    state: &State,
) -> Result<Value, NoMatch> {
    if let Some(place) = explicit_place(rw, op, number, state)? {
        return explicit::load(rw, place, pointer, (access, state.parts.of_one()));
    }
    let (held, _) = pointee(rw.context(), rw.operand_type(op, number)?)?;
    let ty = rw.convert_type(held)?;
    if let Some(lane) = bools::of_pointer(rw, rw.body().operands(op)[number])? {
        let access = within_packed(rw, (op, number), bools::without_alignment(rw, access), state)?;
        return lane.load(rw, pointer, access);
    }
    let access = within_packed(rw, (op, number), access, state)?;
    Ok(rw.emit_with("llvm.load", &[pointer], ty, access)?)
}

/// Stores where the operand of that number leads, for which `pointer` stands.
fn stored(
    rw: &mut Rw<'_, '_>,
    (op, number): (OpId, usize),
    pointer: Value,
    value: Value,
    access: Vec<NamedAttribute>,
    state: &State,
) -> Result<(), NoMatch> {
    if let Some(place) = explicit_place(rw, op, number, state)? {
        return explicit::store(rw, place, pointer, value, (access, state.parts.of_one()));
    }
    if let Some(lane) = bools::of_pointer(rw, rw.body().operands(op)[number])? {
        let access = within_packed(rw, (op, number), bools::without_alignment(rw, access), state)?;
        return lane.store(rw, pointer, value, access);
    }
    let access = within_packed(rw, (op, number), access, state)?;
    Ok(rw.emit_nothing("llvm.store", &[value, pointer], access).map(drop)?)
}

/// The access to a part of a packed struct, which may stand at any byte. MLIR says nothing of that, and nor is it said in modules that it
/// converts.
fn within_packed(
    rw: &Rw<'_, '_>,
    (op, number): (OpId, usize),
    mut access: Vec<NamedAttribute>,
    state: &State,
) -> Result<Vec<NamedAttribute>, NoMatch> {
    let context = rw.context();
    // A struct of kernels that is packed says so, which MLIR does not convert.
    if state.structs == Structs::Packed && !state.is_beyond_mlir(rw.module(), rw.body_id()) {
        return Ok(access);
    }
    let mut at = rw.body().operands(op).get(number).copied();
    while let Some(chain) = at.and_then(|pointer| rw.body().defining_operation(pointer))
        && (rw.op(chain).is("spirv.CopyObject") || explicit::CHAINS.iter().any(|(name, _)| rw.op(chain).is(name)))
    {
        let (around, _) = pointee(context, rw.operand_type(chain, 0)?)?;
        if is_packed(context, rw.convert_type(around)?) {
            let alignment = context.static_identifier("alignment");
            access.retain(|&(name, _)| name != alignment);
            access.push((alignment, context.integer(64, 1)));
            break;
        }
        at = rw.body().operands(chain).first().copied();
    }
    Ok(access)
}

/// Whether a type of `llvm` is a packed struct, or an array of them.
fn is_packed(context: &Context, mut ty: Type) -> bool {
    while let Some(array) = ArrayType::of(context, ty) {
        ty = array.element(context);
    }
    StructType::of(context, ty).is_some_and(|of| of.is_packed(context))
}

/// Loads and stores; how the source is accessed is said by itself, or as the target is.
fn copied(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let [to, from] = Access::both(rw, op)?.map(|access| access.attributes(rw.context()));
    let value = loaded(rw, (op, 1), operands.get(1)?, from, state)?;
    stored(rw, (op, 0), operands.get(0)?, value, to, state)?;
    Ok(rw.replace(op, [])?)
}

/// So many bytes copied, as one operation, which others see all of where they may look at one of both places at any time.
fn copied_bytes(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let context = rw.context();
    let mut is_volatile = Access::both(rw, op)?.into_iter().any(Access::is_volatile);
    for number in 0..2 {
        is_volatile |= explicit_place(rw, op, number, state)?.is_some_and(|place| place.changes());
    }
    let flags = vec![(context.static_identifier("isVolatile"), context.integer(1, is_volatile.into()))];
    // Behind these are the scopes in which memory is made available, or visible.
    let given = [operands.get(0)?, operands.get(1)?, operands.get(2)?];
    rw.emit_nothing("llvm.intr.memcpy", &given, flags)?;
    Ok(rw.replace(op, [])?)
}

/// Two parts of a float: the second one is stored where the second operand leads.
fn parted(
    rw: &mut Rw<'_, '_>,
    op: OpId,
    operands: &Adaptor,
    state: &State,
    parts: fn(&mut Rw<'_, '_>, Value) -> Result<[Value; 2], NoMatch>,
) -> Outcome {
    let [first, second] = parts(rw, operands.get(0)?)?;
    stored(rw, (op, 1), operands.get(1)?, second, Vec::new(), state)?;
    Ok(rw.replace(op, [first])?)
}

fn store(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let access = Access::of(rw, op)?.attributes(rw.context());
    stored(rw, (op, 0), operands.get(0)?, operands.get(1)?, access, state)?;
    Ok(rw.replace(op, [])?)
}

/// What the operand of that number points to, where that stands in memory as SPIR-V says and not as LLVM does.
pub(super) fn explicit_place<'s>(
    rw: &Rw<'_, '_>,
    op: OpId,
    number: usize,
    state: &'s State,
) -> Result<Option<explicit::Place<'s>>, NoMatch> {
    let (pointee, class) = pointee(rw.context(), rw.operand_type(op, number)?)?;
    match state.is_explicit(rw.module(), rw.body_id(), pointee, class) {
        true => {
            let around = state.surroundings(rw.module(), rw.body_id());
            explicit::place_of(rw, rw.body().operands(op)[number], (&state.lengths, around)).map(Some)
        }
        false => Ok(None),
    }
}

/// A local variable. MLIR converts none that holds a composite at first.
fn variable(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (pointee, _) = pointee(context, rw.result_type(op)?)?;
    let ty = rw.converted_result(op)?;
    let held = context.attribute(AttributeData::Type(rw.convert_type(pointee)?));
    let count = rw.index(1)?;
    let held = vec![(context.static_identifier("elem_type"), held)];
    let made = rw.emit_with("llvm.alloca", &[count], ty, held)?;
    if !operands.is_empty() {
        rw.emit_nothing("llvm.store", &[operands.get(0)?, made], Vec::new())?;
    }
    Ok(rw.replace(op, [made])?)
}

/// The indices as operands, but for those of structs, which are numbers; behind a zero of the first one's type, which goes through the
/// pointer.
fn access_chain(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let indices = rw.body().operands(op).get(1..).unwrap_or_default().to_vec();
    if indices.is_empty() {
        return rw.no_match("there is no index");
    }
    if let Some(place) = explicit_place(rw, op, 0, state)? {
        let converted = operands.all()?;
        let indices: Vec<(Value, Value)> = indices.into_iter().zip(converted[1..].iter().copied()).collect();
        let made = explicit::chain(rw, place, converted[0], &indices)?;
        return Ok(rw.replace(op, [made])?);
    }
    let of_index = rw.operand_type(op, 1)?;
    let zero = splat(context, of_index, 0)?;
    let zero = rw.constant(rw.convert_type(of_index)?, zero)?;
    let all = operands.all()?;
    let made = addressed(rw, op, ty, [all[0], zero], bools::with_address(rw, op, &indices)?, &all[1..])?;
    Ok(rw.replace(op, [made])?)
}

/// The place that indices lead to from an element of what the first operand points to: the indices as they were, and what stands for them.
fn addressed(
    rw: &mut Rw<'_, '_>,
    op: OpId,
    ty: Type,
    start: [Value; 2],
    indices: &[Value],
    converted: &[Value],
) -> Result<Value, NoMatch> {
    let context = rw.context();
    let (pointee, _) = pointee(context, rw.operand_type(op, 0)?)?;
    let pointee = rw.convert_type(pointee)?;
    let (mut values, mut raw) = (start.to_vec(), vec![DYNAMIC_INDEX]);
    let mut at = pointee;
    for (&index, &converted) in indices.iter().zip(converted) {
        let known = match StructType::of(context, at) {
            Some(_) => {
                rw.constant_int(index).and_then(|index| index.to_u64()).and_then(|index| u32::try_from(index).ok())
            }
            None => None,
        };
        at = inside(context, at, known).ok_or(NoMatch::Reason("an index leads nowhere"))?;
        match known {
            Some(known) => raw.push(known.into()),
            None => {
                raw.push(DYNAMIC_INDEX);
                values.push(converted);
            }
        }
    }
    let attributes = vec![
        (context.static_identifier("elem_type"), context.attribute(AttributeData::Type(pointee))),
        (context.static_identifier("noWrapFlags"), context.integer(32, 0)),
        (context.static_identifier("rawConstantIndices"), dense_array(context, 32, raw)),
    ];
    Ok(rw.emit_with("llvm.getelementptr", &values, ty, attributes)?)
}

/// As [`access_chain`], from the element so many further: MLIR has no conversion.
fn chain_behind(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let ty = rw.converted_result(op)?;
    let given = rw.body().operands(op).to_vec();
    let converted = operands.all()?;
    let ([pointer, _, indices @ ..], [start, number, others @ ..]) = (&*given, &*converted) else {
        return rw.no_match("there is no element");
    };
    let around = state.surroundings(rw.module(), rw.body_id());
    let (_, class) = pointee(rw.context(), rw.operand_type(op, 0)?)?;
    let mut place = explicit_place(rw, op, 0, state)?;
    if place.is_none() && is_explicit(class) && around.stride(rw.operand_type(op, 0)?).is_some() {
        // Elements may be farther from each other than LLVM has them.
        place = Some(explicit::place_of(rw, *pointer, (&state.lengths, around))?);
    }
    let made = match place {
        Some(place) => {
            let start = explicit::element_behind(rw, (place, around), [*pointer, *start], *number)?;
            let indices: Vec<(Value, Value)> = indices.iter().copied().zip(others.iter().copied()).collect();
            explicit::chain(rw, place, start, &indices)?
        }
        None => addressed(rw, op, ty, [*start, *number], bools::with_address(rw, op, indices)?, others)?,
    };
    Ok(rw.replace(op, [made])?)
}

/// The function that says how many bytes the buffer has that begins where a pointer leads: SPIR-V's environment knows.
fn buffer_size(rw: &Rw<'_, '_>, pointer: Type) -> Callee {
    let context = rw.context();
    let flags = flags(context, &["no_unwind", "will_return"]);
    let (name, result) = (context.identifier("_Z18__spirv_BufferSizePv"), Some(context.integer_type(64)));
    Callee { name, convention: CConv::SPIR_FUNC, inputs: vec![pointer], is_variadic: false, result, flags }
}

/// The functions that operations on memory call.
pub(super) fn callees() -> impl Iterator<Item = (String, Find)> {
    let find: Find = Box::new(|rw, op| {
        let pointer = op.operands().first().copied().ok_or(NoMatch::Reason("there is no pointer"))?;
        Ok(Some(buffer_size(rw, rw.convert_type(op.type_of(pointer)?)?)))
    });
    std::iter::once(("spirv.ArrayLength".to_owned(), find))
}

/// How many elements the run-time array has that ends a buffer: of the bytes behind its start.
fn array_length(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let context = rw.context();
    let (ty, pointer) = (rw.converted_result(op)?, operands.get(0)?);
    let place = explicit_place(rw, op, 0, state)?.ok_or(NoMatch::Reason("a buffer has no layout"))?;
    let member = integers(context, rw.attribute(op, "literals")?)?.first().copied();
    let array = member.and_then(|member| explicit::array_in(context, place, u32::try_from(member).ok()?));
    let (start, stride) = array.ok_or(NoMatch::Reason("the layout of a type is not known"))?;
    let callee = buffer_size(rw, rw.ty(pointer)?);
    let bytes = callee.call(rw, &[pointer])?;
    let (bytes, of) = (rw.result(bytes, 0)?, context.integer_type(64));
    let start = rw.splat(of, start.into())?;
    let behind = rw.emit("llvm.sub", &[bytes, start], of)?;
    let stride = rw.splat(of, stride.into())?;
    let count = rw.emit("llvm.udiv", &[behind, stride], of)?;
    let made = rw.emit("llvm.trunc", &[count], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn address_of(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor, state: &State) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_result(op)?;
    let name = symbol(context, rw.attribute(op, "variable")?)?;
    let name = reference(context, state.name_of(rw.module(), rw.body_id(), name));
    let name = vec![(context.static_identifier("global_name"), name)];
    let made = rw.emit_with("llvm.mlir.addressof", &[], ty, name)?;
    Ok(rw.replace(op, [made])?)
}

fn global(rw: &mut Rw<'_, '_>, op: OpId, state: &State, (api, is_thread_local): (ClientApi, bool)) -> Outcome {
    let context = rw.context();
    let AttributeData::Type(ty) = context[rw.attribute(op, "type")?] else {
        return rw.no_match("a global variable has no type");
    };
    let name = context.as_identifier(rw.attribute(op, "sym_name")?).ok_or(NoMatch::Reason("a symbol has no name"))?;
    if state.is_unused(rw.body_id(), name) {
        return Ok(rw.erase(op)?);
    }
    let (pointee, class) = pointee(context, ty)?;
    // Blocks of a workgroup stand as they say where they are in one memory.
    let shared = state.surroundings(rw.module(), rw.body_id()).shared.as_ref().filter(|_| class == WORKGROUP);
    let held = match shared {
        Some(shared) if shared.all.contains(&name) => {
            if shared.first != name {
                return Ok(rw.erase(op)?);
            }
            let sizes = shared.types.iter().map(|&ty| explicit::size(context, ty, &state.lengths));
            sizes.collect::<Result<Vec<u64>, NoMatch>>()?.into_iter().max().map(|size| explicit::room(context, size))
        }
        Some(_) => Some(explicit::bytes(context, pointee, &state.lengths)),
        None if is_explicit(class) && !state.is_as_in_llvm(context, pointee) => {
            Some(explicit::bytes(context, pointee, &state.lengths))
        }
        None => None,
    };
    let held = held.unwrap_or_else(|| rw.convert_type(pointee))?;
    let value = initial::initial(rw.op(op), state)?;
    if value.is_some() && (is_explicit(class) || shared.is_some()) {
        return rw.no_match("a variable of that storage class has no value at first");
    }
    let named = match class {
        INPUT | OUTPUT | STORAGE_BUFFER | UNIFORM_CONSTANT | UNIFORM | PUSH_CONSTANT => Linkage::External,
        PRIVATE => Linkage::Private,
        WORKGROUP | CROSS_WORKGROUP => Linkage::Internal,
        _ => return rw.no_match("a global variable is of another storage class"),
    };
    let name = state.new_name(rw.body_id(), name).attribute();
    let space = context.integer(32, api.address_space(class).into());
    let location = rw.op(op).attribute("location")?.map(|location| (context.static_identifier("location"), location));
    let is_of_thread = is_thread_local && (class == PRIVATE || rw.op(op).attribute("built_in")?.is_some());
    let alignment = shared.map(|_| (context.static_identifier("alignment"), context.integer(64, MOST_ALIGNED)));
    let mut build = rw
        .build("llvm.mlir.global")
        .attributes(location)
        .attributes(alignment)
        .attribute("global_type", context.attribute(AttributeData::Type(held)))
        .attribute("linkage", linkage(context, named))
        .attribute("sym_name", name)
        .attribute("addr_space", space)
        .attribute("visibility_", context.integer(64, 0))
        .regions(1);
    if matches!(class, INPUT | UNIFORM_CONSTANT) && !is_of_thread {
        build = build.attribute("constant", context.unit());
    }
    if is_of_thread {
        build = build.attribute("thread_local_", context.unit());
    }
    let made = build.create()?;
    if let Some(value) = value {
        initial::fill(rw, made, held, &value, state)?;
    }
    Ok(rw.replace(op, [])?)
}
