//! What patterns of different bodies have in common.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::threads::in_order;
use mlirbc_ir::{
    Attribute, AttributeData, BlockId, BodyId, Context, Identifier, Module, OpId, OpRef, Result, Type, Value,
};
use mlirbc_rewrite::conversion::{TypeConverter, not_legalized};
use mlirbc_rewrite::{Match, NoMatch};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;
use mlirbc_spirv::dialect::types::{SpirvType, view};

use super::class::{STORAGE_BUFFER, WORKGROUP, is_explicit};
use super::constants::{self, Constants, Lengths, Named};
use super::emit::{Members, Rw, symbol};
use super::known::Known;
use super::layout::is_of_llvm;
use super::parts::Parts;
use super::signatures::{Converted, Functions};
use super::specialization::SpecializationValue;
use super::surroundings::Surroundings;
use super::types::{ClientApi, Scope, Structs, converter, says_nothing};
use super::{OfNames, entries, without};

/// The memory model of kernels.
const OPENCL: u32 = 2;

/// What is known of a module while it is converted.
#[derive(Debug)]
pub(super) struct State {
    /// The new names of global variables and functions, by the body that they stand in.
    names: HashMap<(BodyId, Identifier), Identifier>,
    /// The names that functions have besides, by the same.
    aliases: HashMap<(BodyId, Identifier), Vec<Identifier>>,
    /// The types that MLIR converts.
    of_mlir: TypeConverter,
    /// The bodies with a global variable whose memory stands as SPIR-V says and not as LLVM does.
    explicit: HashSet<BodyId>,
    /// What modules say of memory, by their bodies.
    surroundings: HashMap<BodyId, Surroundings>,
    /// Of what holds nothing.
    nowhere: Surroundings,
    /// How structs stand in memory.
    pub(super) structs: Structs,
    constants: Constants,
    /// The global variables of types that a processor does not have, which nothing uses, by the body that they stand in.
    unused: HashSet<(BodyId, Identifier)>,
    /// The lengths of arrays that specialisation constants say.
    pub(super) lengths: Arc<Lengths>,
    /// What is left to be taken apart.
    pub(super) parts: Parts,
    /// The symbols of bodies to which functions were added.
    symbols: Mutex<HashMap<BodyId, HashSet<Identifier>>>,
    functions: Mutex<Functions>,
    /// Whether some global variable says what it holds at first.
    pub(super) has_initial: bool,
}

impl State {
    /// What is known of no module yet.
    pub(super) fn new(api: ClientApi, given: &[(u32, SpecializationValue)]) -> Self {
        State {
            names: HashMap::new(),
            aliases: HashMap::new(),
            of_mlir: converter(api, Scope::Mlir, Structs::Packed, &Arc::default()),
            explicit: HashSet::new(),
            surroundings: HashMap::new(),
            nowhere: Surroundings::default(),
            structs: Structs::Packed,
            constants: Constants::new(given),
            unused: HashSet::new(),
            lengths: Arc::default(),
            parts: Parts::default(),
            symbols: Mutex::default(),
            functions: Mutex::default(),
            has_initial: false,
        }
    }

    /// Of what is to be converted in an operation, looked at on so many threads.
    ///
    /// # Errors
    /// Where a body cannot be read, and where structs of two modules stand in memory in other ways.
    pub(super) fn of(
        module: &Module,
        (body, op): (BodyId, OpId),
        threads: usize,
        api: ClientApi,
        given: &[(u32, SpecializationValue)],
    ) -> Result<Self> {
        let mut state = State::new(api, given);
        let said = Said::all(holders(module, (body, op))?.collect(), threads, &state.of_mlir)?;
        let Said { names, aliases, explicit, surroundings, strange, models, defining, variables, has_initial, .. } =
            said;
        (state.names, state.aliases, state.explicit) = (names, aliases, explicit);
        (state.surroundings, state.has_initial) = (surroundings, has_initial);
        state.constants.know(variables);
        defining.into_iter().try_for_each(|op| state.constants.define(op))?;
        let mut strange = strange.variables;
        if !strange.is_empty() {
            without::keep_unused(module.operation(body, op)?, &mut strange)?;
            state.unused = strange;
        }
        state.constants.all_are_known()?;
        state.structs = structs(models)?;
        state.lengths = Arc::new(state.constants.lengths());
        Ok(state)
    }

    /// Whether MLIR converts the type, and LLVM has all parts where SPIR-V says that they stand.
    pub(super) fn is_as_in_llvm(&self, context: &Context, ty: Type) -> bool {
        is_as_in_llvm(&self.of_mlir, context, ty)
    }

    /// The body of what is around another one, or that itself.
    fn holder(module: &Module, body: BodyId) -> BodyId {
        module.owner(body).map_or(body, |(holder, _)| holder)
    }

    /// What is said of memory around a body that is one of a module, or stands in it.
    pub(super) fn surroundings(&self, module: &Module, body: BodyId) -> &Surroundings {
        let known = self.surroundings.get(&body).or_else(|| self.surroundings.get(&Self::holder(module, body)));
        known.unwrap_or(&self.nowhere)
    }

    /// Whether memory that a pointer of that class leads to, which something in that body has, stands as SPIR-V says and not as LLVM does.
    pub(super) fn is_explicit(&self, module: &Module, body: BodyId, pointee: Type, class: u32) -> bool {
        match class {
            WORKGROUP => self.surroundings(module, body).shared.is_some(),
            _ if !is_explicit(class) => false,
            _ => self.is_beyond_mlir(module, body) || !self.is_as_in_llvm(module.context(), pointee),
        }
    }

    /// Whether something in that body stands in a module that MLIR does not convert, for the memory that it has.
    pub(super) fn is_beyond_mlir(&self, module: &Module, body: BodyId) -> bool {
        module.owner(body).is_some_and(|(holder, _)| self.explicit.contains(&holder))
    }

    /// Whether a body is that of a module that MLIR does not convert, for the memory that it has.
    pub(super) fn holds_explicit(&self, body: BodyId) -> bool {
        self.explicit.contains(&body)
    }

    /// What a specialisation constant is worth, of which something in that body speaks.
    pub(super) fn constant(&self, module: &Module, body: BodyId, name: Identifier) -> Option<&Known> {
        let (holder, _) = module.owner(body)?;
        self.constants.get(holder, name)
    }

    /// The number that an operand is, where it is a constant, a specialisation constant too: its lowest 32 bits.
    pub(super) fn word(&self, rw: &Rw<'_, '_>, value: Value) -> Option<u32> {
        let number = match rw.constant_int(value) {
            Some(number) => number,
            None => {
                let reference = rw.defined_by(value, "spirv.mlir.referenceof").ok()?;
                let name = symbol(rw.context(), reference.attribute("spec_const").ok()??).ok()?;
                self.constant(rw.module(), rw.body_id(), name)?.number(rw.context())?
            }
        };
        number.words().first().map(|&word| word as u32)
    }

    /// Whether a global variable is of a type that a processor does not have, and nothing uses it.
    pub(super) fn is_unused(&self, body: BodyId, name: Identifier) -> bool {
        self.unused.contains(&(body, name))
    }

    /// What an attribute of an operation outside of functions says that is a constant.
    pub(super) fn known(&self, op: OpRef<'_>, value: Attribute) -> Option<Known> {
        self.constants.tree(op, value)
    }

    /// The name that a global variable or a function gets, which stands in that body.
    pub(super) fn new_name(&self, body: BodyId, name: Identifier) -> Identifier {
        self.names.get(&(body, name)).copied().unwrap_or(name)
    }

    /// The names that a function has besides, which stands in that body.
    pub(super) fn aliases(&self, body: BodyId, name: Identifier) -> &[Identifier] {
        self.aliases.get(&(body, name)).map_or(&[], |names| &**names)
    }

    /// The name that a global variable or a function gets, of which something in that body speaks.
    pub(super) fn name_of(&self, module: &Module, body: BodyId, name: Identifier) -> Identifier {
        let outside = module.owner(body).and_then(|(outside, _)| self.names.get(&(outside, name)));
        outside.copied().unwrap_or_else(|| self.new_name(body, name))
    }

    /// What functions of that type become, which `find` finds the first time.
    ///
    /// # Errors
    /// What that gives.
    pub(super) fn function(
        &self,
        ty: Attribute,
        find: impl FnOnce() -> std::result::Result<Converted, NoMatch>,
    ) -> std::result::Result<Converted, NoMatch> {
        let functions = || self.functions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = functions().get(&ty) {
            return Ok(known.clone());
        }
        let found = find()?;
        functions().insert(ty, found.clone());
        Ok(found)
    }

    /// Whether the body that is rewritten gets a new symbol by this: not where its block has one of that name.
    ///
    /// # Errors
    /// Where an attribute cannot be read.
    pub(super) fn declare(&self, rw: &Rw<'_, '_>, block: BlockId, name: Identifier) -> Result<bool> {
        let mut symbols = self.symbols.lock().unwrap_or_else(PoisonError::into_inner);
        if !symbols.contains_key(&rw.body_id()) {
            let names = rw.body().operations(block).map(|op| rw.op(op).symbol_name());
            let names: Result<HashSet<Identifier>> = names.filter_map(Result::transpose).collect();
            symbols.insert(rw.body_id(), names?);
        }
        Ok(symbols.entry(rw.body_id()).or_default().insert(name))
    }
}

/// What an operation in a module says of others.
#[derive(Clone, Copy)]
enum Kind {
    EntryPoint,
    Function,
    Variable,
    Constant,
    Other,
}

impl Kind {
    fn of(name: &str) -> Self {
        match name {
            "spirv.EntryPoint" => Kind::EntryPoint,
            "spirv.func" => Kind::Function,
            "spirv.GlobalVariable" => Kind::Variable,
            _ if Constants::may_define(name) => Kind::Constant,
            _ => Kind::Other,
        }
    }
}

/// The types that a processor does not have, and the global variables of such.
#[derive(Default)]
struct Strange {
    types: HashMap<Type, bool>,
    variables: HashSet<(BodyId, Identifier)>,
}

/// As [`State::is_as_in_llvm`], by what MLIR converts.
fn is_as_in_llvm(of_mlir: &TypeConverter, context: &Context, ty: Type) -> bool {
    of_mlir.convert(context, ty).is_some() && is_of_llvm(context, ty)
}

/// What modules say, each of itself.
#[derive(Default)]
struct Said<'m> {
    names: HashMap<(BodyId, Identifier), Identifier>,
    aliases: HashMap<(BodyId, Identifier), Vec<Identifier>>,
    explicit: HashSet<BodyId>,
    surroundings: HashMap<BodyId, Surroundings>,
    strange: Strange,
    models: Models<'m>,
    /// What may define constants.
    defining: Vec<OpRef<'m>>,
    variables: Vec<Named>,
    has_initial: bool,
    kinds: OfNames<Kind>,
}

/// Which memory models there are.
#[derive(Default)]
struct Models<'m> {
    /// The modules whose structs stand in memory as those of C.
    kernels: Vec<OpRef<'m>>,
    /// Whether there are others.
    others: bool,
    /// The last one, and whether it is that of kernels: most modules have the same.
    last: Option<(Option<Attribute>, bool)>,
}

impl<'m> Models<'m> {
    fn take(&mut self, holder: OpRef<'m>, model: Option<Attribute>) {
        let of_kernels = || {
            let found = model.and_then(|model| enumerant_of(holder.module().context(), model, EnumKind::MemoryModel));
            found == Some(OPENCL)
        };
        let of_kernels = self.last.filter(|last| last.0 == model).map_or_else(of_kernels, |last| last.1);
        self.last = Some((model, of_kernels));
        match of_kernels {
            true => self.kernels.push(holder),
            false => self.others = true,
        }
    }
}

impl<'m> Said<'m> {
    /// Of all modules.
    fn all(holders: Vec<OpRef<'m>>, threads: usize, of_mlir: &TypeConverter) -> Result<Self> {
        /// So many modules are looked at together, each about as much work as so many operations.
        const TOGETHER: usize = 1024;
        const WORK: usize = 8;
        let pieces: Vec<Vec<OpRef<'m>>> = match threads {
            0 | 1 => vec![holders],
            _ => holders.chunks(TOGETHER).map(<[_]>::to_vec).collect(),
        };
        let look = |(): &mut (), piece: Vec<OpRef<'m>>| {
            let mut said = Said::default();
            piece.into_iter().try_for_each(|holder| said.take(holder, of_mlir)).map(|()| said)
        };
        let pieces = in_order(threads, |piece| WORK * piece.len(), pieces, || (), look);
        pieces.into_iter().try_fold(Said::default(), |all, piece| Ok(all.and(piece?)))
    }

    fn and(mut self, other: Self) -> Self {
        if self.models.last.is_none() {
            return other;
        }
        self.names.extend(other.names);
        self.aliases.extend(other.aliases);
        self.explicit.extend(other.explicit);
        self.surroundings.extend(other.surroundings);
        self.strange.variables.extend(other.strange.variables);
        self.models.kernels.extend(other.models.kernels);
        self.models.others |= other.models.others;
        self.defining.extend(other.defining);
        self.variables.extend(other.variables);
        self.has_initial |= other.has_initial;
        self
    }

    fn take(&mut self, holder: OpRef<'m>, of_mlir: &TypeConverter) -> Result<()> {
        let context = holder.module().context();
        let members = Members::of(holder)?;
        self.models.take(holder, members.get("memory_model"));
        let prefix = members.symbol().map(|name| [context.bytes(name), b"_"].concat()).unwrap_or_default();
        let surroundings = Surroundings::of(holder, members)?;
        let (mut entries, mut linked) = (Vec::new(), Vec::new());
        for global in holder.ops()? {
            match self.kinds.get(global.operation_name(), || Kind::of(&global.name())) {
                Kind::Other => {}
                Kind::Constant => self.defining.push(global),
                Kind::EntryPoint => entries.extend(entries::name_of(global)?),
                Kind::Function => linked.extend(entries::linked_name_of(global, Members::of(global)?)),
                Kind::Variable => {
                    let members = Members::of(global)?;
                    self.variables.extend(constants::variable(global, members));
                    linked.extend(entries::linked_name_of(global, members));
                    self.take_variable((global, members), &surroundings, &prefix, of_mlir);
                }
            }
        }
        if !surroundings.say_nothing() {
            self.surroundings.insert(holder.region_tree()?.0, surroundings);
        }
        entries.extend(linked);
        if !entries.is_empty() {
            for (function, name) in entries::rename(holder, entries, &mut self.names)? {
                self.aliases.entry(function).or_default().push(name);
            }
        }
        Ok(())
    }

    /// Takes in what a global variable says.
    fn take_variable(
        &mut self,
        (global, members): (OpRef<'_>, Members<'_>),
        surroundings: &Surroundings,
        prefix: &[u8],
        of_mlir: &TypeConverter,
    ) {
        let context = global.module().context();
        let Some(name) = members.symbol() else { return };
        if let Some(AttributeData::Type(ty)) = members.get("type").map(|ty| &context[ty])
            && let Some(SpirvType::Pointer { pointee, class }) = view(context, *ty)
        {
            if is_explicit(class) && (class != STORAGE_BUFFER || !is_as_in_llvm(of_mlir, context, pointee))
                || class == WORKGROUP && surroundings.shared.is_some()
            {
                self.explicit.insert(global.body_id());
            }
            if *self.strange.types.entry(pointee).or_insert_with(|| without::is_strange(context, pointee)) {
                self.strange.variables.insert((global.body_id(), name));
            }
        }
        let number = |name| members.get(name).and_then(|number| context.integer_of(number)?.to_i64());
        if let (Some(set), Some(binding)) = (number("descriptor_set"), number("binding")) {
            let place = format!("_descriptor_set{set}_binding{binding}");
            let renamed = [prefix, context.bytes(name), place.as_bytes()].concat();
            self.names.insert((global.body_id(), name), context.identifier(renamed));
        }
        if let Some(shared) = surroundings.shared.as_ref().filter(|shared| shared.all.contains(&name)) {
            self.names.insert((global.body_id(), name), shared.first);
        }
        let initial = ["initializer", "spirv_binary.initializer"];
        self.has_initial |= initial.into_iter().any(|name| members.get(name).is_some());
    }
}

/// What of `spirv` is to be converted in an operation, module by module.
///
/// # Errors
/// Where a body cannot be read.
pub(super) fn holders(module: &Module, (body, op): (BodyId, OpId)) -> Result<impl Iterator<Item = OpRef<'_>>> {
    let mut are = OfNames::default();
    let is = move |op: &OpRef<'_>| are.get(op.operation_name(), || op.is("spirv.module"));
    Ok(module.operation(body, op)?.ops()?.filter(is))
}

/// How structs stand in memory of which nothing is said: as in C, where all modules are kernels.
fn structs(models: Models<'_>) -> Result<Structs> {
    if models.others {
        models.kernels.iter().try_for_each(|&kernel| refuse_structs(kernel))?;
    }
    Ok(if models.kernels.is_empty() || models.others { Structs::Packed } else { Structs::OfC })
}

/// Refuses kernels beside shaders, where both would have structs in one way.
fn refuse_structs(kernel: OpRef<'_>) -> Result<()> {
    let context = kernel.module().context();
    let mut known = HashSet::new();
    let mut is_unclear = |ty| known.insert(ty) && says_nothing(context, ty);
    for op in kernel.walk()? {
        let mut found = false;
        for result in op.results() {
            found |= is_unclear(op.type_of(result)?);
        }
        for name in ["type", "function_type"] {
            if let Some(AttributeData::Type(ty)) = op.attribute(name)?.map(|ty| &context[ty]) {
                found |= is_unclear(*ty);
            }
        }
        if found {
            let reason =
                "structs of kernels stand in memory as those of C do, and those of the shaders beside them do not";
            return Err(not_legalized(op, true, Some(reason)));
        }
    }
    Ok(())
}
