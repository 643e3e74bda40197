//! `spirv-unify-aliased-resource` (`UnifyAliasedResourcePass.cpp`).

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{Attribute, AttributeData, Context, OpId, OpRef, Result, Rewriter, Type, TypeData, Value};
use mlirbc_rewrite::conversion::{
    Adaptor, Conversion, ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget,
};
use mlirbc_rewrite::{MakePass, Match, NoMatch, Outcome, Pass, PassInfo, Target};

use super::{MODULE, flat_symbol, number, symbol_in, variable_type};
use crate::dialect::EnumKind;
use crate::dialect::attributes::{enumerant, enumerant_of};
use crate::dialect::folds::splat;
use crate::dialect::types::{self, SpirvType, part, size_in_bytes, view};

/// So many operations are passed by on the way from a pointer to its variable.
const FARTHEST: usize = 1024;

/// A value is loaded in so many parts at most: there are no vectors of more.
const MOST_PARTS: u64 = 4;

/// The bit of memory access that says at multiples of how many bytes something stands.
const ALIGNED: u32 = 2;

/// Lets one variable stand for all that are `aliased` and have the same descriptor set and binding, where each is a struct of one array of
/// numbers or vectors whose length is known at run time: what is loaded and stored by the others is loaded and stored by parts of this one.
/// That is the one with the smallest vectors, of which all others have to be made up, or else with the smallest numbers. Languages that
/// shaders are translated to know no aliases.
///
/// A store of a vector, or of something larger than the parts of the variable that stays, is an error. What MLIR does otherwise: it finds
/// parts of vectors in the wrong place where a number takes several of them and a vector several numbers; it leaves the names of
/// variables that are gone in the interfaces of entry points, and fails by that; it forgets that loads are volatile or aligned.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnifyAliasedResource;

pub(super) const INFO: PassInfo = PassInfo {
    name: "spirv-unify-aliased-resource",
    about: "let one variable stand for all that have the same descriptor set and binding",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(UnifyAliasedResource))),
};

impl Pass for UnifyAliasedResource {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some(MODULE)
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let (place, threads) = (target.place(), target.threads());
        let aliases = Arc::new(aliases(target.op()?)?);
        target.count("unified", aliases.len() as u64);
        conversion(&aliases).threads(threads).run(target.module(), place)?;
        let Some(inside) = target.op()?.body().region_body(place.1) else { return Ok(()) };
        target.module().rewrite(inside, |rw| finish(rw, &aliases))
    }
}

/// What stands for a variable.
#[derive(Clone, Copy)]
struct Alias {
    /// The symbol of the variable that stays.
    symbol: Attribute,
    /// Its type.
    pointer: Type,
    /// What the arrays of both hold.
    from: Type,
    to: Type,
}

/// By the names of the variables that go.
type Aliases = HashMap<Box<[u8]>, Alias>;

/// The variables of a module that others stand for.
fn aliases(module: OpRef<'_>) -> Result<Aliases> {
    let context = module.module().context();
    let mut aliases = Aliases::new();
    for variables in resources(module)? {
        let elements: Option<Vec<Type>> = variables.iter().map(|&(_, pointer)| element(context, pointer)).collect();
        let Some(elements) = elements else { continue };
        let Some(chosen) = choose(context, &elements) else { continue };
        let (Some(&(kept, pointer)), Some(&to)) = (variables.get(chosen), elements.get(chosen)) else { continue };
        let root = context.identifier(kept);
        let symbol = context.attribute(AttributeData::SymbolRef { root, nested: [].into() });
        let others = variables.iter().zip(&elements).filter(|((name, _), _)| *name != kept);
        aliases.extend(others.map(|(&(name, _), &from)| (name.into(), Alias { symbol, pointer, from, to })));
    }
    Ok(aliases)
}

/// The name and type of a variable.
type Variable<'m> = (&'m [u8], Type);

/// The variables that are aliased, those that have the same set and binding together.
fn resources(module: OpRef<'_>) -> Result<Vec<Vec<Variable<'_>>>> {
    let context = module.module().context();
    let (mut places, mut resources) = (HashMap::new(), Vec::<Vec<_>>::new());
    for variable in module.ops()?.filter(|op| op.is("spirv.GlobalVariable")) {
        let place = (number(variable, "descriptor_set")?, number(variable, "binding")?);
        let ((Some(set), Some(binding)), Some(_)) = (place, variable.attribute("aliased")?) else { continue };
        let (Some(name), Some(ty)) = (variable.symbol_name()?, variable_type(variable)?) else { continue };
        let at = *places.entry((set, binding)).or_insert(resources.len());
        if at == resources.len() {
            resources.push(Vec::new());
        }
        resources[at].push((context.bytes(name), ty));
    }
    Ok(resources)
}

/// What the array of a variable holds, where that is all there is in it.
fn element(context: &Context, pointer: Type) -> Option<Type> {
    let SpirvType::Pointer { pointee, .. } = view(context, pointer)? else { return None };
    let SpirvType::Struct(block) = view(context, pointee)? else { return None };
    let [member] = &*block.members else { return None };
    let SpirvType::RuntimeArray { element, .. } = view(context, member.ty)? else { return None };
    matches!(context[element], TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Vector { .. })
        .then_some(element)
}

/// Which of the variables that hold arrays of these stands for all.
fn choose(context: &Context, elements: &[Type]) -> Option<usize> {
    let sizes: Vec<u64> = elements.iter().map(|&ty| size_in_bytes(context, ty)).collect::<Option<_>>()?;
    let numbers = elements.iter().map(|&ty| size_in_bytes(context, context[ty].element().unwrap_or(ty)));
    let numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
    let vectors = || elements.iter().enumerate().filter(|(_, ty)| is_vector(context, **ty));
    // Those of an odd number of parts are further from each other than they are large.
    if vectors().any(|(_, &ty)| context[ty].element_count().is_none_or(|count| count % 2 != 0)) {
        return None;
    }
    let smallest = vectors().map(|(at, _)| at).min_by_key(|&at| sizes[at]);
    let at = smallest.or_else(|| (0..elements.len()).min_by_key(|&at| sizes[at]))?;
    let is_made_up = |(other, size): (usize, &u64)| {
        let is_whole = smallest.is_none() || !is_vector(context, elements[other]) || size.is_multiple_of(sizes[at]);
        is_whole && numbers[other].is_multiple_of(numbers[at])
    };
    sizes.iter().enumerate().all(is_made_up).then_some(at)
}

fn is_vector(context: &Context, ty: Type) -> bool {
    matches!(context[ty], TypeData::Vector { .. })
}

/// Whether both are numbers of the same width.
fn are_alike(context: &Context, one: Type, other: Type) -> bool {
    let bytes = |ty| size_in_bytes(context, ty).filter(|_| !is_vector(context, ty));
    bytes(one).is_some() && bytes(one) == bytes(other)
}

/// What stands for the variable that an operation reaches, if something else does.
fn reached<'a>(aliases: &'a Aliases, mut op: OpRef<'_>) -> Option<&'a Alias> {
    for _ in 0..FARTHEST {
        if op.is("spirv.mlir.addressof") {
            return aliases.get(symbol_in(op, "variable").ok()??);
        }
        let reaches = ["spirv.AccessChain", "spirv.Load", "spirv.Store"].iter().any(|name| op.is(name));
        op = op.operands().first().filter(|_| reaches).and_then(|&pointer| op.defining_operation(pointer))?;
    }
    None
}

fn conversion(aliases: &Arc<Aliases>) -> Conversion {
    let known = aliases.clone();
    let is_gone = move |op: OpRef<'_>| {
        let name = op.symbol_name().ok().flatten()?;
        Some(!known.contains_key(op.module().context().bytes(name)))
    };
    let mut target = ConversionTarget::new().legal_dialects(["spirv"]).dynamic("spirv.GlobalVariable", is_gone);
    for name in ["spirv.mlir.addressof", "spirv.AccessChain", "spirv.Load", "spirv.Store"] {
        let known = aliases.clone();
        target = target.dynamic(name, move |op| Some(reached(&known, op).is_none()));
    }
    let (of_addresses, of_accesses) = (aliases.clone(), aliases.clone());
    let patterns = ConversionPatterns::new()
        .on("spirv.GlobalVariable", ConversionPattern::new("ConvertVariable", |rw, op, _| Ok(rw.erase(op)?)))
        .on(
            "spirv.mlir.addressof",
            ConversionPattern::of("ConvertAddressOf", move |rw, op, _| address(rw, op, &of_addresses)),
        )
        .on(
            "spirv.AccessChain",
            ConversionPattern::of("ConvertAccessChain", move |rw, op, operands| access(rw, op, operands, &of_accesses)),
        )
        .on("spirv.Load", ConversionPattern::new("ConvertLoad", load))
        .on("spirv.Store", ConversionPattern::new("ConvertStore", store));
    Conversion::new(target, patterns).partial()
}

/// The rewriter of patterns.
type Rw<'r, 'm> = ConversionRewriter<'r, 'm>;

fn emit(rw: &mut Rw<'_, '_>, name: &str, operands: &[Value], ty: Type) -> Result<Value> {
    let made = rw.build(name).operands(operands.iter().copied()).result_type(ty).create()?;
    rw.result(made, 0)
}

fn constant(rw: &mut Rw<'_, '_>, ty: Type, value: u64) -> Result<Value, NoMatch> {
    let value = splat(rw.context(), ty, value).ok_or(NoMatch::Reason("an index is no number"))?;
    let made = rw.build("spirv.Constant").attribute("value", value).result_type(ty).create()?;
    Ok(rw.result(made, 0)?)
}

fn type_of(rw: &Rw<'_, '_>, value: Value) -> Result<Type> {
    rw.module().ty(rw.body().ty(value))
}

/// What a pointer leads to.
fn pointee(rw: &Rw<'_, '_>, value: Value) -> Result<Type, NoMatch> {
    match view(rw.context(), type_of(rw, value)?) {
        Some(SpirvType::Pointer { pointee, .. }) => Ok(pointee),
        _ => Err(NoMatch::Reason("it is no pointer")),
    }
}

/// How many times as large something is as something else.
fn ratio(context: &Context, large: Type, small: Type) -> Result<u64, NoMatch> {
    let sizes = size_in_bytes(context, large).zip(size_in_bytes(context, small));
    let ratio = sizes.filter(|(large, small)| *small > 0 && large % small == 0).map(|(large, small)| large / small);
    ratio.filter(|&ratio| ratio > 0).ok_or(NoMatch::Reason("one type is not made up of the other"))
}

/// An access by a pointer, into as much as there are indices.
fn access_by(rw: &mut Rw<'_, '_>, base: Value, indices: &[Value]) -> Result<Value, NoMatch> {
    let context = rw.context();
    let Some(SpirvType::Pointer { pointee, class }) = view(context, type_of(rw, base)?) else {
        return Err(NoMatch::Reason("it is no pointer"));
    };
    let ty = indices.iter().try_fold(pointee, |ty, _| part(context, ty, 0));
    let ty = types::pointer(context, ty.ok_or(NoMatch::Reason("there are more indices than parts"))?, class);
    let operands: Vec<Value> = [base].into_iter().chain(indices.iter().copied()).collect();
    Ok(emit(rw, "spirv.AccessChain", &operands, ty)?)
}

fn address(rw: &mut Rw<'_, '_>, op: OpId, aliases: &Aliases) -> Outcome {
    let Some(alias) = reached(aliases, rw.op(op)).copied() else {
        return rw.no_match("no other variable stands for it");
    };
    let build = rw.build("spirv.mlir.addressof").attribute("variable", alias.symbol);
    let made = build.result_type(alias.pointer).create()?;
    Ok(rw.replace_with(op, made)?)
}

fn access(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, aliases: &Aliases) -> Outcome {
    let context = rw.context();
    let Some(&before) = rw.body().operands(op).first() else { return rw.no_match("it has no base") };
    let address = rw.defined_by(before, "spirv.mlir.addressof")?;
    let Some(&Alias { from, to, .. }) = reached(aliases, address) else {
        return rw.no_match("no other variable stands for it");
    };
    let mut indices = operands.all()?;
    let base = indices.remove(0);
    if from != to && !are_alike(context, from, to) {
        let &[_, index] = &*indices else { return rw.no_match("it is no access to an element") };
        let ty = type_of(rw, index)?;
        if is_vector(context, from) == is_vector(context, to) {
            // As many elements as one was made of.
            let ratio = constant(rw, ty, ratio(context, from, to)?)?;
            indices[1] = emit(rw, "spirv.IMul", &[index, ratio], ty)?;
        } else {
            let number = context[to].element().ok_or(NoMatch::Reason("a number is not made of vectors"))?;
            let (count, parts) = (ratio(context, to, from)?, ratio(context, from, number)?);
            let ratio = constant(rw, ty, count)?;
            indices[1] = emit(rw, "spirv.SDiv", &[index, ratio], ty)?;
            let mut inside = emit(rw, "spirv.SMod", &[index, ratio], ty)?;
            if count > 1 && parts > 1 {
                let parts = constant(rw, ty, parts)?;
                inside = emit(rw, "spirv.IMul", &[inside, parts], ty)?;
            }
            indices.push(inside);
        }
    }
    let made = access_by(rw, base, &indices)?;
    Ok(rw.replace(op, [made])?)
}

fn load(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let (Some(&before), pointer) = (rw.body().operands(op).first(), operands.get(0)?) else {
        return rw.no_match("it has no pointer");
    };
    let (from, to) = (pointee(rw, before)?, pointee(rw, pointer)?);
    let is_one = from == to || are_alike(context, from, to);
    let (access, alignment) = (rw.op(op).attribute("memory_access")?, rw.op(op).attribute("alignment")?);
    // Not each part stands where the first one does.
    let bits = access.and_then(|access| enumerant_of(context, access, EnumKind::MemoryAccess));
    let unaligned = bits.map(|bits| enumerant(context, EnumKind::MemoryAccess, bits & !ALIGNED));
    let said = if is_one { [access, alignment] } else { [unaligned, None] };
    let load = |rw: &mut Rw<'_, '_>, pointer: Value| {
        let mut build = rw.build("spirv.Load").operands([pointer]).result_type(to);
        for (name, value) in ["memory_access", "alignment"].into_iter().zip(said) {
            build = build.attributes(value.map(|value| (context.static_identifier(name), value)));
        }
        let made = build.create()?;
        rw.result(made, 0)
    };
    let mut loaded = load(rw, pointer)?;
    if is_one {
        if from != to {
            loaded = emit(rw, "spirv.Bitcast", &[loaded], from)?;
        }
        return Ok(rw.replace(op, [loaded])?);
    }
    if is_vector(context, from) != is_vector(context, to) {
        return rw.no_match("numbers are not made of vectors");
    }
    let count = ratio(context, from, to)?;
    if count > MOST_PARTS {
        return rw.no_match("it is made of more than four parts");
    }
    let access = rw.defined_by(pointer, "spirv.AccessChain")?;
    let &[base, ref indices @ ..] = access.operands() else { return rw.no_match("the access has no base") };
    let mut indices = indices.to_vec();
    let Some(&last) = indices.last() else { return rw.no_match("the access has no index") };
    let index_type = type_of(rw, last)?;
    let one = constant(rw, index_type, 1)?;
    let mut parts = vec![loaded];
    for _ in 1..count {
        if let Some(last) = indices.last_mut() {
            *last = emit(rw, "spirv.IAdd", &[*last, one], index_type)?;
        }
        let pointer = access_by(rw, base, &indices)?;
        parts.push(load(rw, pointer)?);
    }
    let vector = |count: u64, element| {
        let shape = i64::try_from(count)
            .map(|count| [count].into())
            .map_err(|_| NoMatch::Reason("there are too many parts"))?;
        Ok::<_, NoMatch>(context.ty(TypeData::Vector { shape, scalable: [].into(), element }))
    };
    // All have to be of parts of one type.
    if let (Some(wanted), Some(found)) = (context[from].element(), context[to].element())
        && wanted != found
    {
        let ty = match ratio(context, to, wanted)? {
            1 => wanted,
            count => vector(count, wanted)?,
        };
        for part in &mut parts {
            *part = emit(rw, "spirv.Bitcast", &[*part], ty)?;
        }
    }
    let ty = if is_vector(context, from) { from } else { vector(count, to)? };
    let mut made = emit(rw, "spirv.CompositeConstruct", &parts, ty)?;
    if ty != from {
        made = emit(rw, "spirv.Bitcast", &[made], from)?;
    }
    Ok(rw.replace(op, [made])?)
}

fn store(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let Some(&before) = rw.body().operands(op).first() else { return rw.no_match("it has no pointer") };
    let (pointer, mut value) = (operands.get(0)?, operands.get(1)?);
    let (from, to) = (pointee(rw, before)?, pointee(rw, pointer)?);
    if !are_alike(rw.context(), from, to) {
        return rw.no_match("a vector is stored, or a number that is larger than those that there are");
    }
    if from != to {
        value = emit(rw, "spirv.Bitcast", &[value], to)?;
    }
    let (attributes, properties) = rw.op(op).dictionaries()?;
    let made = rw.build("spirv.Store").operands([pointer, value]).create()?;
    rw.modify(made, |rw| {
        rw.set_attributes(made, attributes.map(Into::into))?;
        rw.set_properties(made, properties.map(Into::into))
    })?;
    Ok(rw.replace_with(op, made)?)
}

/// Says of variables that have no aliases any more that they have none, and lets entry points name those that are left.
fn finish(rw: &mut Rewriter<'_>, aliases: &Aliases) -> Result<()> {
    let context = rw.context();
    let mut seen = HashMap::new();
    let ops: Vec<OpId> = rw.body().preorder().collect();
    for &op in &ops {
        let variable = rw.op(op);
        if variable.is("spirv.GlobalVariable") && variable.attribute("aliased")?.is_some() {
            let place = (number(variable, "descriptor_set")?, number(variable, "binding")?);
            if let (Some(set), Some(binding)) = place {
                seen.entry((set, binding)).and_modify(|first| *first = None).or_insert(Some(op));
            }
        }
    }
    for op in seen.into_values().flatten() {
        rw.remove_attribute(op, "aliased")?;
    }
    for op in ops.into_iter().filter(|_| !aliases.is_empty()) {
        let entry = rw.op(op);
        let Some(AttributeData::Array(names)) =
            entry.attribute("interface")?.filter(|_| entry.is("spirv.EntryPoint")).map(|names| &context[names])
        else {
            continue;
        };
        let mut met = HashSet::new();
        let stands_for = |name: &Attribute| {
            let alias = flat_symbol(context, *name).and_then(|name| aliases.get(name));
            alias.map_or(*name, |alias| alias.symbol)
        };
        let left: Vec<Attribute> = names.iter().map(stands_for).filter(|&name| met.insert(name)).collect();
        if *left != **names {
            let interface = context.attribute(AttributeData::Array(left.into()));
            rw.set_attribute(op, "interface", interface)?;
        }
    }
    Ok(())
}
