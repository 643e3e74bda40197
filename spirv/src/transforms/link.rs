//! Linking: one module of several (`mlir/Dialect/SPIRV/Linking/ModuleCombiner.h`).
//!
//! 1. Every module is copied into a new one (`copies`), behind which all is one context and one symbol table each. What a
//!    module has that the version of the result has not is an error (`check_versions`).
//! 2. Structs that have one name and are not the same get others (`unique_structs`).
//! 3. Names that two have become unique (`unique_names`): that of the module which came first changes where it is no function's, and then
//!    the other's where it is still the same. It gets `_` and a number, the next one of all.
//! 4. What entry points of versions before 1.4 name is completed where the result is of a later one (`complete_interfaces`).
//! 5. What the others hold moves behind what the first one does.
//! 6. Variables and specialization constants that are the same become one (`merge`); functions do not.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use hashbrown::HashSet;
use mlirbc_ir::{
    Attribute, AttributeData, BodyId, Context, Error, Identifier, Module, OpId, OpRef, Result, Rewriter, Type, ValueMap,
};
use mlirbc_text::{ParseOptions, parse_module};

use super::{MODULE, flat_symbol};
use crate::dialect::EnumKind;
use crate::dialect::attributes::{SpirvAttribute, Triple, vce, view as attribute_view};
use crate::dialect::types::{Decoration, SpirvType, Struct, is_same, reference, struct_name, structure, view};
use crate::target::{Availability, Depth, Need, Search};

/// So many names are made.
const MOST_NAMES: u32 = 1 << 20;

/// The minor version from which on entry points name all variables that they use.
const NAMES_ALL: u32 = 4;

/// The name that an entry point has in a binary, where it is not that of its function.
const ENTRY_NAME: &str = "spirv_binary.name";

/// One module that has all that several have: `spirv.module` operations, which stay as they are. What of names is changed, the variables
/// that become one and the order of all is as in MLIR's combiner. The result needs what any of them needs.
///
/// Two entry points of one name and model are an error, or, where it is said so, the later one is named after its function, which has a
/// name of its own, or, where another one is called so, with a number behind that.
///
/// What MLIR does otherwise: modules that need other versions, capabilities or extensions it refuses. Of variables that nothing outside
/// binds and that stand in one module it makes one where they are of one type, though these are different things. Names that it makes
/// may be those of others, and then it fails.
///
/// # Errors
/// Where there is no module, or one is no `spirv.module`; where their addressing or memory models differ; where one needs a version that has
/// no longer what another holds; where two symbols of one module have one name, or what refers to symbols cannot be read.
pub fn link(modules: &[OpRef<'_>], rename: bool) -> Result<Module> {
    let first = modules.first().ok_or_else(|| Error::misuse("there is no module to link"))?;
    if let Some(other) = modules.iter().find(|module| !module.is(MODULE)) {
        return Err(Error::misuse(format!("`{}` is linked, which is no `{MODULE}`", other.name())));
    }
    let context = first.module().context().clone();
    let text = parse_module(&context, b"module {}", &ParseOptions::new());
    let mut linked = text.map_err(|error| Error::misuse(error.to_string()))?;
    let outer = linked.operations()?.next().ok_or_else(|| Error::misuse("an empty module"))?;
    let (body, block) = inside(outer)?;
    let copies = linked.rewrite(body, |rw| {
        rw.set_insertion_point_to_end(block)?;
        let copy = |module: &OpRef<'_>| {
            rw.clone_from((module.module(), module.body_id()), module.id(), &mut ValueMap::default())
        };
        modules.iter().map(copy).collect::<Result<Vec<OpId>>>()
    })?;
    let copies: Vec<(BodyId, OpId)> = copies.into_iter().map(|op| (body, op)).collect();
    let mut attributes = attributes(&linked, &copies)?;
    let versions = versions(&linked, &copies)?;
    check_versions(&mut linked, &copies, &versions)?;
    let clashes = clashes(&linked, &copies)?;
    if let Some((_, name)) = clashes.first().filter(|_| !rename) {
        let name = context.text(*name);
        return Err(Error::verification(format!("two modules have an entry point {name:?} of one model")));
    }
    unique_structs(&mut linked, &copies)?;
    unique_names(&mut linked, &copies)?;
    rename_entries(&mut linked, &copies, &clashes)?;
    complete_interfaces(&mut linked, &copies, &versions)?;
    attributes.extend(all_lists(&linked, &copies)?);
    let origins = gather(&mut linked, &copies, attributes)?;
    merge(&mut linked, copies[0], &origins)?;
    Ok(linked)
}

/// The body of what a module holds, and its block.
fn inside(module: OpRef<'_>) -> Result<(BodyId, mlirbc_ir::BlockId)> {
    let (id, body, regions) = module.region_tree()?;
    let block = regions.first().and_then(|&region| body.first_block(region));
    let own = module.body().region_body(module.id());
    own.zip(block).filter(|(own, _)| *own == id).ok_or_else(|| Error::misuse("a module has one block"))
}

/// What the linked module says of itself: the models, which all have, and what any of them needs.
fn attributes(linked: &Module, copies: &[(BodyId, OpId)]) -> Result<Vec<(Identifier, Attribute)>> {
    let context = linked.context();
    let modules = copies.iter().map(|&(body, op)| linked.operation(body, op)).collect::<Result<Vec<_>>>()?;
    let mut attributes = Vec::new();
    for name in ["addressing_model", "memory_model"] {
        let all = modules.iter().map(|module| module.attribute(name)).collect::<Result<HashSet<_>>>()?;
        if all.len() > 1 {
            let what = name.replace('_', " ");
            return Err(Error::verification(format!("modules of different {what}s cannot be linked")));
        }
        attributes.extend(all.into_iter().flatten().map(|model| (context.static_identifier(name), model)));
    }
    let mut needs: Option<Triple> = None;
    for module in &modules {
        let triple = module.attribute("vce_triple")?.and_then(|triple| attribute_view(context, triple));
        if let Some(SpirvAttribute::Vce(triple)) = triple {
            let needs = needs.get_or_insert_with(|| Triple {
                version: triple.version,
                capabilities: Vec::new(),
                extensions: Vec::new(),
            });
            needs.version = needs.version.max(triple.version);
            add(&mut needs.capabilities, triple.capabilities);
            add(&mut needs.extensions, triple.extensions);
        }
    }
    attributes.extend(needs.map(|triple| (context.static_identifier("vce_triple"), vce(context, &triple))));
    Ok(attributes)
}

/// What binaries say beside, which modules say of themselves: lists.
fn lists(module: OpRef<'_>) -> Result<Vec<(Identifier, &[Attribute])>> {
    let context = module.module().context();
    let list = |&(name, value): &(Identifier, Attribute)| match &context[value] {
        AttributeData::Array(items) if context.bytes(name).starts_with(b"spirv_binary.") => Some((name, &items[..])),
        _ => None,
    };
    Ok(module.attributes()?.iter().filter_map(list).collect())
}

/// The lists of all modules, those of one name as one.
fn all_lists(linked: &Module, copies: &[(BodyId, OpId)]) -> Result<Vec<(Identifier, Attribute)>> {
    let mut all: Vec<(Identifier, Vec<Attribute>)> = Vec::new();
    for &(body, op) in copies {
        for (name, items) in lists(linked.operation(body, op)?)? {
            let at = all.iter().position(|list| list.0 == name).unwrap_or(all.len());
            if at == all.len() {
                all.push((name, Vec::new()));
            }
            add(&mut all[at].1, items.iter().copied());
        }
    }
    let list = |items: Vec<Attribute>| linked.context().attribute(AttributeData::Array(items.into()));
    Ok(all.into_iter().map(|(name, items)| (name, list(items))).collect())
}

/// Puts other names into the references in a module, and other types in the place of some: also in what it says of itself.
fn replace(
    linked: &mut Module,
    place: (BodyId, OpId),
    names: &HashMap<Identifier, Identifier>,
    retype: &dyn Fn(Type) -> Type,
) -> Result<()> {
    linked.replace_symbol_references(place, names, retype)?;
    let context = linked.context().clone();
    let mut changed = Vec::new();
    for (name, items) in lists(linked.operation(place.0, place.1)?)? {
        let mut new = Vec::new();
        add(&mut new, items.iter().map(|item| context.replace_symbols(*item, names, retype)));
        if new != items {
            changed.push((context.bytes(name), context.attribute(AttributeData::Array(new.into()))));
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    linked.rewrite(place.0, |rw| changed.into_iter().try_for_each(|(name, list)| rw.set_attribute(place.1, name, list)))
}

/// Adds what is not there yet.
fn add<T: Eq + std::hash::Hash + Clone>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    let mut known: HashSet<T> = all.iter().cloned().collect();
    all.extend(more.into_iter().filter(|item| known.insert(item.clone())));
}

/// What an entry point is called, and its model.
type Entry = (Identifier, Option<Attribute>);

/// The entry points of a module, and what each is called.
fn entries(module: OpRef<'_>) -> Result<Vec<((BodyId, OpId), Entry)>> {
    let context = module.module().context();
    let mut found = Vec::new();
    for entry in module.ops()?.filter(|op| op.is("spirv.EntryPoint")) {
        let name = entry.attribute(ENTRY_NAME)?.and_then(|name| context.as_identifier(name));
        let Some(name) = name.map_or_else(|| function(entry), |name| Ok(Some(name)))? else { continue };
        found.push(((entry.body_id(), entry.id()), (name, entry.attribute("execution_model")?)));
    }
    Ok(found)
}

/// The name of the function of an entry point.
fn function(entry: OpRef<'_>) -> Result<Option<Identifier>> {
    let context = entry.module().context();
    Ok(entry.attribute("fn")?.and_then(|function| flat_symbol(context, function)).map(|name| context.identifier(name)))
}

/// An entry point, and its name.
type Clash = ((BodyId, OpId), Identifier);

/// The entry points that have a name and model of one in an earlier module.
fn clashes(linked: &Module, copies: &[(BodyId, OpId)]) -> Result<Vec<Clash>> {
    let (mut known, mut clashes) = (HashMap::new(), Vec::new());
    for (number, &(body, op)) in copies.iter().enumerate() {
        for (place, entry) in entries(linked.operation(body, op)?)? {
            if *known.entry(entry).or_insert(number) != number {
                clashes.push((place, entry.0));
            }
        }
    }
    Ok(clashes)
}

/// Names entry points after their functions, or, where another one is called so, with a number behind that.
fn rename_entries(linked: &mut Module, copies: &[(BodyId, OpId)], clashes: &[Clash]) -> Result<()> {
    let context = linked.context().clone();
    let places: HashSet<(BodyId, OpId)> = clashes.iter().map(|clash| clash.0).collect();
    let (mut taken, mut last) = (HashSet::new(), 0);
    for &(body, op) in copies {
        let stay = entries(linked.operation(body, op)?)?.into_iter().filter(|(place, _)| !places.contains(place));
        taken.extend(stay.map(|(_, entry)| entry));
    }
    for &((body, op), _) in clashes {
        let entry = linked.operation(body, op)?;
        let (Some(own), model) = (function(entry)?, entry.attribute("execution_model")?) else { continue };
        let is_taken = |name| taken.contains(&(name, model));
        let name = if is_taken(own) { fresh(&context, own, &mut last, is_taken)? } else { own };
        taken.insert((name, model));
        linked.rewrite(body, |rw| match rw.op(op).attribute(ENTRY_NAME)? {
            _ if name != own => rw.set_attribute(op, ENTRY_NAME, name.attribute()),
            Some(_) => rw.remove_attribute(op, ENTRY_NAME),
            None => Ok(()),
        })?;
    }
    Ok(())
}

/// Gives structs other names that have the name of one in an earlier module which is not the same.
fn unique_structs(linked: &mut Module, copies: &[(BodyId, OpId)]) -> Result<()> {
    let context = linked.context().clone();
    let mut known: HashMap<Box<str>, Type> = HashMap::new();
    let mut last = 0u32;
    for &place in copies {
        let mut own: BTreeMap<Box<str>, Type> = BTreeMap::new();
        each_type(linked, place, &mut |ty| {
            if let Some(name) = struct_name(&context, ty) {
                own.entry(name.into()).or_insert(ty);
            }
        })?;
        let mut new_names: HashMap<Box<str>, Box<str>> = HashMap::new();
        for (name, &ty) in &own {
            if known.get(name).is_some_and(|other| !is_same(&context, *other, ty)) {
                let mut made = (last..).map(|number| Box::from(format!("{name}_{number}")));
                let new: Box<str> =
                    made.find(|new| !known.contains_key(new) && !own.contains_key(new)).unwrap_or_default();
                last += 1;
                new_names.insert(name.clone(), new);
            }
        }
        if !new_names.is_empty() {
            replace(linked, place, &HashMap::new(), &|ty| with_name(&context, ty, &new_names))?;
        }
        known.extend(own.into_iter().map(|(name, ty)| (new_names.get(&name).cloned().unwrap_or(name), ty)));
    }
    Ok(())
}

/// A struct, or a reference to one, with another name.
fn with_name(context: &Context, ty: Type, names: &HashMap<Box<str>, Box<str>>) -> Type {
    match view(context, ty) {
        Some(SpirvType::Reference(name)) => names.get(name).map_or(ty, |name| reference(context, name)),
        Some(SpirvType::Struct(Struct { name: Some(name), members, decorations })) if names.contains_key(&name) => {
            structure(context, &Struct { name: names.get(&name).cloned(), members, decorations })
        }
        _ => ty,
    }
}

/// The minor version that each module needs.
fn versions(linked: &Module, copies: &[(BodyId, OpId)]) -> Result<Vec<u32>> {
    let context = linked.context();
    let version = |&(body, op): &(BodyId, OpId)| {
        let triple = linked.operation(body, op)?.attribute("vce_triple")?;
        Ok(match triple.and_then(|triple| attribute_view(context, triple)) {
            Some(SpirvAttribute::Vce(triple)) => triple.version,
            _ => 0,
        })
    };
    copies.iter().map(version).collect()
}

/// Refuses what a module has that the version of the result does not: `BufferBlock`, which became a storage class, and a few operations.
fn check_versions(linked: &mut Module, copies: &[(BodyId, OpId)], versions: &[u32]) -> Result<()> {
    let context = linked.context().clone();
    let version = versions.iter().copied().max().unwrap_or(0);
    let gone = |what: &str, last: u32| {
        let message =
            format!("`{what}` cannot be linked with what needs version 1.{version}: 1.{last} is the last that has it");
        Err(Error::verification(message))
    };
    for (&place, _) in copies.iter().zip(versions).filter(|(_, own)| **own < version) {
        let mut last = None;
        each_type(linked, place, &mut |ty| {
            let Some(SpirvType::Struct(Struct { decorations, .. })) = view(&context, ty) else { return };
            for Decoration { decoration, .. } in decorations {
                let most = Availability::of(EnumKind::Decoration, decoration).and_then(|found| found.most);
                last = most.filter(|most| *most < version).map(|most| (decoration, most)).or(last);
            }
        })?;
        last.map_or(Ok(()), |(decoration, last)| gone(&EnumKind::Decoration.show(decoration), last))?;
        let mut search = Search::default();
        for op in linked.operation(place.0, place.1)?.walk()? {
            let mut last = None;
            search.operation(op, Depth::All, &mut |need| match need {
                Need::Most(most) if most < version => last = Some(most),
                _ => {}
            })?;
            last.map_or(Ok(()), |last| gone(&op.name(), last))?;
        }
    }
    Ok(())
}

/// Gives each type that stands in a module, with what types are made of.
fn each_type(linked: &mut Module, place: (BodyId, OpId), each: &mut dyn FnMut(Type)) -> Result<()> {
    let each = RefCell::new(each);
    replace(linked, place, &HashMap::new(), &|ty| {
        each.borrow_mut()(ty);
        ty
    })
}

/// Lets entry points of modules of versions before 1.4 name all variables that their module uses, where one of the others is of a later
/// one: from then on they have to.
fn complete_interfaces(linked: &mut Module, copies: &[(BodyId, OpId)], versions: &[u32]) -> Result<()> {
    let context = linked.context().clone();
    if versions.iter().all(|&version| version < NAMES_ALL) {
        return Ok(());
    }
    for (&(body, op), _) in copies.iter().zip(versions).filter(|(_, version)| **version < NAMES_ALL) {
        let module = linked.operation(body, op)?;
        let (inside, _) = inside(module)?;
        let mut used = Vec::new();
        for address in module.walk()?.filter(|op| op.is("spirv.mlir.addressof")) {
            used.extend(address.attribute("variable")?);
        }
        let entries: Vec<OpId> = module.ops()?.filter(|op| op.is("spirv.EntryPoint")).map(|op| op.id()).collect();
        linked.rewrite(inside, |rw| {
            entries.into_iter().try_for_each(|entry| {
                let Some(AttributeData::Array(names)) = rw.op(entry).attribute("interface")?.map(|it| &context[it])
                else {
                    return Ok(());
                };
                let mut all = names.to_vec();
                add(&mut all, used.iter().copied());
                rw.set_attribute(entry, "interface", context.attribute(AttributeData::Array(all.into())))
            })
        })?;
    }
    Ok(())
}

/// Lets an entry point name each variable once.
fn name_once(rw: &mut Rewriter<'_>, op: OpId) -> Result<()> {
    let context = rw.context();
    if rw.body().is_erased(op) || !rw.op(op).is("spirv.EntryPoint") {
        return Ok(());
    }
    let Some(AttributeData::Array(names)) = rw.op(op).attribute("interface")?.map(|it| &context[it]) else {
        return Ok(());
    };
    let mut once = Vec::new();
    add(&mut once, names.iter().copied());
    match once.len() == names.len() {
        true => Ok(()),
        false => rw.set_attribute(op, "interface", context.attribute(AttributeData::Array(once.into()))),
    }
}

/// A symbol of one of the modules.
struct Named {
    op: OpId,
    name: Identifier,
    is_function: bool,
}

/// The symbols of a module.
fn symbols(module: OpRef<'_>) -> Result<Vec<Named>> {
    let mut symbols = Vec::new();
    for op in module.ops()? {
        if let Some(name) = op.symbol_name()? {
            symbols.push(Named { op: op.id(), name, is_function: op.is("spirv.func") });
        }
    }
    Ok(symbols)
}

/// Gives names that stand in several modules numbers.
fn unique_names(linked: &mut Module, copies: &[(BodyId, OpId)]) -> Result<()> {
    let mut modules = Vec::new();
    for &(body, op) in copies {
        let module = linked.operation(body, op)?;
        modules.push((inside(module)?.0, symbols(module)?));
    }
    let olds: Vec<Vec<Identifier>> = modules.iter().map(|(_, all)| all.iter().map(|it| it.name).collect()).collect();
    let context = linked.context().clone();
    let (mut taken, mut last) = (HashSet::new(), 0);
    for at in 0..modules.len() {
        let (before, others) = modules.split_at_mut(at);
        let Some((_, own)) = others.first_mut() else { break };
        let mut names: HashSet<Identifier> = own.iter().map(|symbol| symbol.name).collect();
        if names.len() != own.len() {
            return Err(Error::verification("two symbols of a module have one name"));
        }
        for symbol in before.iter_mut().flat_map(|(_, all)| all).filter(|symbol| !symbol.is_function) {
            if names.contains(&symbol.name) {
                let new = fresh(&context, symbol.name, &mut last, |name| taken.contains(&name))?;
                taken.remove(&symbol.name);
                taken.insert(new);
                symbol.name = new;
            }
        }
        for symbol in own.iter_mut() {
            if taken.contains(&symbol.name) {
                let new =
                    fresh(&context, symbol.name, &mut last, |name| names.contains(&name) || taken.contains(&name))?;
                names.remove(&symbol.name);
                names.insert(new);
                symbol.name = new;
            }
        }
        taken.extend(names);
    }
    for ((&place, (body, symbols)), olds) in copies.iter().zip(modules).zip(olds) {
        let new = |(symbol, old): (&Named, &Identifier)| (symbol.name != *old).then_some((*old, symbol.name));
        let renamed: HashMap<Identifier, Identifier> = symbols.iter().zip(&olds).filter_map(new).collect();
        if renamed.is_empty() {
            continue;
        }
        replace(linked, place, &renamed, &|ty| ty)?;
        linked.rewrite(body, |rw| {
            let mut changed = symbols.iter().zip(&olds).filter(|(symbol, old)| symbol.name != **old);
            changed.try_for_each(|(symbol, _)| rw.set_attribute(symbol.op, "sym_name", symbol.name.attribute()))
        })?;
    }
    Ok(())
}

/// The name with the next number that makes it a new one.
fn fresh(
    context: &Context,
    name: Identifier,
    last: &mut u32,
    is_taken: impl Fn(Identifier) -> bool,
) -> Result<Identifier> {
    while *last < MOST_NAMES {
        *last += 1;
        let new = context.identifier([context.bytes(name), format!("_{last}").as_bytes()].concat());
        if !is_taken(new) {
            return Ok(new);
        }
    }
    Err(Error::verification("there are too many names that several modules have"))
}

/// Moves all that the other modules hold behind what the first one does. Says of each operation there which module it comes from.
fn gather(
    linked: &mut Module,
    copies: &[(BodyId, OpId)],
    attributes: Vec<(Identifier, Attribute)>,
) -> Result<Vec<(OpId, usize)>> {
    let context = linked.context().clone();
    let Some((&first, others)) = copies.split_first() else { return Ok(Vec::new()) };
    let module = linked.operation(first.0, first.1)?;
    let (body, block) = inside(module)?;
    let mut origins: Vec<(OpId, usize)> = module.ops()?.map(|op| (op.id(), 0)).collect();
    for (number, &(holder, op)) in (1..).zip(others) {
        let module = linked.operation(holder, op)?;
        let (from, _) = inside(module)?;
        let ops: Vec<OpId> = module.ops()?.map(|op| op.id()).collect();
        linked.rewrite_two(body, from, |rw, other| {
            rw.set_insertion_point_to_end(block)?;
            for op in ops {
                origins.push((rw.move_from(other, op, &mut ValueMap::default())?, number));
            }
            Ok(())
        })?;
    }
    linked.rewrite(first.0, |rw| {
        others.iter().try_for_each(|&(_, op)| rw.erase(op))?;
        let old: Vec<Identifier> = rw.op(first.1).attributes()?.iter().map(|(name, _)| *name).collect();
        for name in old.into_iter().map(|name| context.bytes(name)).chain([&b"sym_name"[..]]) {
            if rw.op(first.1).has_attribute(name)? {
                rw.remove_attribute(first.1, name)?;
            }
        }
        for (name, value) in attributes {
            rw.set_attribute(first.1, context.bytes(name), value)?;
        }
        Ok(())
    })?;
    Ok(origins)
}

/// What makes symbols the same: their operation, and all that it says but the name.
type Key = (mlirbc_ir::OperationName, Vec<(Identifier, Attribute)>);

/// Symbols that are the same.
#[derive(Default)]
struct Alike {
    /// Those that stay: several where nothing binds them, since those of one module are different things.
    names: Vec<Identifier>,
    /// The module that is looked at, and how many of them it had.
    origin: usize,
    met: usize,
}

/// Makes variables and constants that are the same one.
fn merge(linked: &mut Module, place: (BodyId, OpId), origins: &[(OpId, usize)]) -> Result<()> {
    let context = linked.context().clone();
    let module = linked.operation(place.0, place.1)?;
    let (body, _) = inside(module)?;
    let body_of = linked.body(body)?;
    let mut seen: HashMap<Key, Alike> = HashMap::new();
    let (mut names, mut erased) = (HashMap::new(), Vec::new());
    for &(id, origin) in origins {
        let op = OpRef::new(linked, body, body_of, id);
        let Some(name) = op.symbol_name()?.filter(|_| !op.is("spirv.func")) else { continue };
        let is_bound = op.attribute("binding")?.is_some() || !op.is("spirv.GlobalVariable");
        let (attributes, properties) = op.dictionaries()?;
        let mut said = Vec::new();
        for dictionary in [attributes, properties].into_iter().flatten() {
            let AttributeData::Dictionary(entries) = &context[dictionary] else { continue };
            said.extend(entries.iter().filter(|(name, _)| context.bytes(*name) != b"sym_name").copied());
        }
        for (_, value) in &mut said {
            *value = renamed(&context, *value, &names);
        }
        let alike = seen.entry((op.operation_name(), said)).or_default();
        if alike.origin != origin {
            (alike.origin, alike.met) = (origin, 0);
        }
        match alike.names.get(if is_bound { 0 } else { alike.met }) {
            Some(&first) => {
                names.insert(name, first);
                erased.push(id);
            }
            None => alike.names.push(name),
        }
        alike.met += 1;
    }
    if names.is_empty() {
        return Ok(());
    }
    replace(linked, place, &names, &|ty| ty)?;
    let alike = |rw: &mut Rewriter<'_>| origins.iter().try_for_each(|&(op, _)| name_once(rw, op));
    linked.rewrite(body, alike)?;
    linked.rewrite(body, |rw: &mut Rewriter<'_>| erased.into_iter().try_for_each(|op| rw.erase(op)))
}

/// An attribute of a variable or constant with other names in it: a reference, or a list of these.
fn renamed(context: &Context, value: Attribute, names: &HashMap<Identifier, Identifier>) -> Attribute {
    let one = |value: Attribute| match &context[value] {
        AttributeData::SymbolRef { root, nested } => {
            names.get(root).map(|&root| context.attribute(AttributeData::SymbolRef { root, nested: nested.clone() }))
        }
        _ => None,
    };
    match &context[value] {
        AttributeData::Array(items) if items.iter().any(|&item| one(item).is_some()) => {
            let items = items.iter().map(|&item| one(item).unwrap_or(item)).collect();
            context.attribute(AttributeData::Array(items))
        }
        _ => one(value).unwrap_or(value),
    }
}
