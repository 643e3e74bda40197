//! What patterns of different bodies have in common.

use std::sync::{Mutex, PoisonError};

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{BlockId, BodyId, Identifier, Module, OpId, Result};

use super::emit::Rw;

/// What is known of a module while it is converted.
#[derive(Debug, Default)]
pub(super) struct State {
    /// The new names of global variables, by the body that they stand in.
    names: HashMap<(BodyId, Identifier), Identifier>,
    /// The symbols of bodies to which functions were added.
    symbols: Mutex<HashMap<BodyId, HashSet<Identifier>>>,
}

impl State {
    /// Of what is to be converted in an operation: the names of global variables that have a descriptor set and a binding.
    ///
    /// # Errors
    /// Where a body cannot be read.
    pub(super) fn of(module: &Module, (body, op): (BodyId, OpId)) -> Result<Self> {
        let context = module.context();
        let mut state = State::default();
        for holder in module.operation(body, op)?.ops()?.filter(|op| op.is("spirv.module")) {
            let prefix = holder.symbol_name()?.map(|name| [context.bytes(name), b"_"].concat()).unwrap_or_default();
            for global in holder.ops()?.filter(|op| op.is("spirv.GlobalVariable")) {
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
        Ok(state)
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
