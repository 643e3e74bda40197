//! What patterns of different bodies have in common.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{Attribute, AttributeData, BlockId, BodyId, Context, Identifier, Module, OpId, OpRef, Result, Type};
use mlirbc_rewrite::conversion::TypeConverter;
use mlirbc_spirv::dialect::types::{SpirvType, view};

use super::class::{STORAGE_BUFFER, is_explicit};
use super::constants::{Constants, Known, Lengths, SpecializationValue};
use super::emit::Rw;
use super::types::{ClientApi, Scope, converter};

/// What is known of a module while it is converted.
#[derive(Debug)]
pub(super) struct State {
    /// The new names of global variables, by the body that they stand in.
    names: HashMap<(BodyId, Identifier), Identifier>,
    /// The types that MLIR converts.
    of_mlir: TypeConverter,
    /// The bodies with a global variable whose memory stands as SPIR-V says and not as LLVM does.
    explicit: HashSet<BodyId>,
    constants: Constants,
    /// The lengths of arrays that specialisation constants say.
    pub(super) lengths: Arc<Lengths>,
    /// The symbols of bodies to which functions were added.
    symbols: Mutex<HashMap<BodyId, HashSet<Identifier>>>,
}

impl State {
    /// What is known of no module yet.
    pub(super) fn new(api: ClientApi, given: &[(u32, SpecializationValue)]) -> Self {
        State {
            names: HashMap::new(),
            of_mlir: converter(api, Scope::Mlir, &Arc::default()),
            explicit: HashSet::new(),
            constants: Constants::new(given),
            lengths: Arc::default(),
            symbols: Mutex::default(),
        }
    }

    /// Of what is to be converted in an operation.
    ///
    /// # Errors
    /// Where a body cannot be read.
    pub(super) fn of(
        module: &Module,
        (body, op): (BodyId, OpId),
        api: ClientApi,
        given: &[(u32, SpecializationValue)],
    ) -> Result<Self> {
        let context = module.context();
        let mut state = State::new(api, given);
        for holder in module.operation(body, op)?.ops()?.filter(|op| op.is("spirv.module")) {
            let prefix = holder.symbol_name()?.map(|name| [context.bytes(name), b"_"].concat()).unwrap_or_default();
            for global in holder.ops()? {
                state.constants.define(global)?;
                if !global.is("spirv.GlobalVariable") {
                    continue;
                }
                if let Some(AttributeData::Type(ty)) = global.attribute("type")?.map(|ty| &context[ty])
                    && let Some(SpirvType::Pointer { pointee, class }) = view(context, *ty)
                    && is_explicit(class)
                    && (class != STORAGE_BUFFER || !state.is_of_mlir(context, pointee))
                {
                    state.explicit.insert(global.body_id());
                }
                let number = |name| -> Result<Option<i64>> {
                    let number = global.attribute(name)?.and_then(|number| context.integer_of(number));
                    Ok(number.and_then(|number| number.to_i64()))
                };
                let (set, binding) = (number("descriptor_set")?, number("binding")?);
                if let (Some(set), Some(binding), Some(name)) = (set, binding, global.symbol_name()?) {
                    let place = format!("_descriptor_set{set}_binding{binding}");
                    let renamed = [&prefix, context.bytes(name), place.as_bytes()].concat();
                    state.names.insert((global.body_id(), name), context.identifier(renamed));
                }
            }
        }
        state.lengths = Arc::new(state.constants.lengths());
        Ok(state)
    }

    /// Whether MLIR converts the type.
    pub(super) fn is_of_mlir(&self, context: &Context, ty: Type) -> bool {
        self.of_mlir.convert(context, ty).is_some()
    }

    /// Whether memory that a pointer of that class leads to, which something in that body has, stands as SPIR-V says and not as LLVM does.
    pub(super) fn is_explicit(&self, module: &Module, body: BodyId, pointee: Type, class: u32) -> bool {
        let holder = module.owner(body).map_or(body, |(holder, _)| holder);
        is_explicit(class) && (self.explicit.contains(&holder) || !self.is_of_mlir(module.context(), pointee))
    }

    /// Whether something in that body stands in a module that MLIR does not convert, for the memory that it has.
    pub(super) fn is_beyond_mlir(&self, module: &Module, body: BodyId) -> bool {
        module.owner(body).is_some_and(|(holder, _)| self.explicit.contains(&holder))
    }

    /// What a specialisation constant is worth, of which something in that body speaks.
    pub(super) fn constant(&self, module: &Module, body: BodyId, name: Identifier) -> Option<&Known> {
        let (holder, _) = module.owner(body)?;
        self.constants.get(holder, name)
    }

    /// What an attribute of an operation outside of functions says that is a constant.
    pub(super) fn known(&self, op: OpRef<'_>, value: Attribute) -> Option<Known> {
        self.constants.tree(op, value)
    }

    /// The name that a global variable gets, which stands in that body.
    pub(super) fn new_name(&self, body: BodyId, name: Identifier) -> Identifier {
        self.names.get(&(body, name)).copied().unwrap_or(name)
    }

    /// The name that a global variable gets, of which something in that body speaks.
    pub(super) fn name_of(&self, module: &Module, body: BodyId, name: Identifier) -> Identifier {
        let outside = module.owner(body).and_then(|(outside, _)| self.names.get(&(outside, name)));
        outside.copied().unwrap_or_else(|| self.new_name(body, name))
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
