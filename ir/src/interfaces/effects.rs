//! Memory effects (`mlir/Interfaces/SideEffectInterfaces.td`).

use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;

use crate::body::{OpId, Value};
use crate::context::{Answered, CachedFact, Context, OperationName};
use crate::error::Result;
use crate::module::OpRef;
pub use crate::ods::Effect;
use crate::ods::{EffectDef, EffectOn, MEMORY_EFFECTS, Traits};

/// How definitions say that an operation has no effects.
const NO_EFFECT: &str = "NoMemoryEffect";

/// One effect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MemoryEffect {
    /// What it does.
    pub effect: Effect,
    /// To the memory that this operand or result stands for. To any where there is none.
    pub value: Option<Value>,
}

/// Says what an operation does to memory: whether it may be left out, moved, or merged with another.
pub trait MemoryEffects: Send + Sync {
    /// The effects of the operation itself, without those of operations in its regions. None where it has none.
    ///
    /// # Errors
    /// Where the operation cannot be decoded.
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>>;
}

/// Of operations without effects.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEffects;

impl MemoryEffects for NoEffects {
    fn effects(&self, _: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        Ok(Vec::new())
    }
}

/// What definitions list.
struct Listed(Vec<EffectDef>);

impl MemoryEffects for Listed {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        let mut effects = Vec::new();
        for &EffectDef { effect, on } in &self.0 {
            match on {
                EffectOn::Anything => effects.push(MemoryEffect { effect, value: None }),
                EffectOn::Operand(at) => {
                    let range = op.operand_ranges()?.into_iter().nth(at as usize).unwrap_or_default();
                    let values = op.operands().get(range).unwrap_or_default();
                    effects.extend(values.iter().map(|&value| MemoryEffect { effect, value: Some(value) }));
                }
                EffectOn::Result(at) => {
                    let range = op.result_ranges()?.into_iter().nth(at as usize).unwrap_or_default();
                    let values = op.results().skip(range.start).take(range.len());
                    effects.extend(values.map(|value| MemoryEffect { effect, value: Some(value) }));
                }
            }
        }
        Ok(effects)
    }
}

impl Context {
    /// What operations of that name do to memory: a hook of their dialect says it, or their definition lists it, or says that they do
    /// nothing.
    pub fn memory_effects(&self, name: OperationName) -> Option<Arc<dyn MemoryEffects>> {
        self.kept_memory_effects(name).map(|effects| effects.clone())
    }

    /// Whether an operation of that name can be [trivially dead](is_trivially_dead): one that ends a block, or does to memory what
    /// nobody knows, never is.
    pub fn may_be_dead(&self, name: OperationName) -> bool {
        self.definition(name).is_some_and(|definition| {
            let is_known = || self.kept_memory_effects(name).is_some();
            let recursive = || definition.traits.contains(Traits::RECURSIVE_MEMORY_EFFECTS);
            let has_own = || definition.implements(MEMORY_EFFECTS);
            !definition.traits.contains(Traits::TERMINATOR) && (is_known() || recursive() && !has_own())
        })
    }

    fn kept_memory_effects(&self, name: OperationName) -> Option<Answered<'_, Arc<dyn MemoryEffects>>> {
        self.answer(name, CachedFact::Effects, || {
            self.interface::<dyn MemoryEffects>(name).or_else(|| {
                static NONE: OnceLock<Arc<dyn MemoryEffects>> = OnceLock::new();
                let definition = self.definition(name)?;
                let listed = &definition.details().effects;
                if !listed.is_empty() {
                    return Some(Arc::new(Listed(listed.clone())) as Arc<dyn MemoryEffects>);
                }
                definition.implements(NO_EFFECT).then(|| NONE.get_or_init(|| Arc::new(NoEffects)).clone())
            })
        })
    }
}

/// The effects of an operation, without those of what it holds. `None` where they are not known: it may do anything, unless its
/// effects are by its definition [those of what it holds](Traits::RECURSIVE_MEMORY_EFFECTS), it
/// [has none of its own](has_own_effects) and is not [opaque](OpRef::is_opaque).
///
/// # Errors
/// Where the operation cannot be decoded.
pub fn memory_effects(op: OpRef<'_>) -> Result<Option<Vec<MemoryEffect>>> {
    match op.module().context().kept_memory_effects(op.operation_name()) {
        Some(effects) if !op.is_opaque()? => effects.effects(op).map(Some),
        _ => Ok(None),
    }
}

/// The effects of an operation and of what it holds, where its definition says that these count. `None` where they are not known.
///
/// # Errors
/// Where an operation cannot be decoded.
pub fn all_memory_effects(op: OpRef<'_>) -> Result<Option<Vec<MemoryEffect>>> {
    let mut all = Vec::new();
    let known = visit_effects(op, &mut |_, effects| {
        all.extend_from_slice(effects);
        true
    })?;
    Ok(known.then_some(all))
}

/// Whether neither the operation nor what it holds does anything to memory.
///
/// # Errors
/// Where an operation cannot be decoded.
pub fn is_memory_effect_free(op: OpRef<'_>) -> Result<bool> {
    visit_effects(op, &mut |_, effects| effects.is_empty())
}

/// Whether the operation could be erased if nothing used its results: it ends no block, defines no symbol, and neither it nor what it
/// holds does more to memory than read it, or make some that results of the operation that makes it stand for.
///
/// # Errors
/// Where an operation cannot be decoded.
pub fn would_be_trivially_dead(op: OpRef<'_>) -> Result<bool> {
    DeadOperations::default().would_be_dead(op)
}

/// Asks [`would_be_trivially_dead`] of operations of one body, and remembers what came of those that hold others: operations in each other
/// take no longer than each takes alone.
#[derive(Clone, Debug, Default)]
pub struct DeadOperations {
    /// Of operations with regions, and of what is in them: whether their effects allow it. Most bodies have none, and threads that
    /// make tables ask for a seed that they have in common.
    known: Option<HashMap<OpId, bool>>,
}

impl DeadOperations {
    /// What [`would_be_trivially_dead`] says.
    ///
    /// # Errors
    /// Where an operation cannot be decoded.
    pub fn would_be_dead(&mut self, op: OpRef<'_>) -> Result<bool> {
        let Some(definition) = op.definition() else { return Ok(false) };
        let may_be_symbol = definition.traits.contains(Traits::SYMBOL) || definition.traits.contains(Traits::FUNCTION);
        if definition.traits.contains(Traits::TERMINATOR)
            || !is_harmless_itself(op)?
            || may_be_symbol && op.symbol_name()?.is_some()
        {
            return Ok(false);
        }
        // Most operations hold nothing.
        if op.body().region_count_of(op.id()) == 0 {
            return Ok(true);
        }
        if let Some(known) = self.remembered(op.id()) {
            return Ok(known);
        }
        // Each with the operation of the body that it is, or that holds it.
        let mut left = vec![(op, op.id())];
        while let Some((next, here)) = left.pop() {
            match self.remembered(here) {
                Some(true) if next.body_id() == op.body_id() => continue,
                Some(false) => return Ok(self.keep(op, here)),
                _ => {}
            }
            if !is_harmless_itself(next)? {
                return Ok(self.keep(op, here));
            }
            if !next.has_trait(Traits::RECURSIVE_MEMORY_EFFECTS) {
                continue;
            }
            for inner in next.ops()? {
                let place = if inner.body_id() == op.body_id() { inner.id() } else { here };
                if inner.body().region_count_of(inner.id()) > 0 {
                    left.push((inner, place));
                } else if !is_harmless_itself(inner)? {
                    // What is near tells it without a look at what is deep inside.
                    return Ok(self.keep(op, place));
                }
            }
        }
        self.remember(op.id(), true);
        Ok(true)
    }

    /// What [`is_trivially_dead`] says.
    ///
    /// # Errors
    /// Where an operation cannot be decoded.
    pub fn is_dead(&mut self, op: OpRef<'_>) -> Result<bool> {
        let body = op.body();
        Ok(!op.results().any(|result| body.is_used(result)) && self.would_be_dead(op)?)
    }

    /// Has to be called where an operation was changed or moved, or is going to be erased: what is remembered may not be so any more.
    pub fn changed(&mut self, op: OpId) {
        if self.remembered(op).is_some() {
            self.known = None;
        }
    }

    fn remembered(&self, op: OpId) -> Option<bool> {
        self.known.as_ref()?.get(&op).copied()
    }

    fn remember(&mut self, op: OpId, dead: bool) {
        self.known.get_or_insert_default().insert(op, dead);
    }

    /// Notes that `op`, and all in it that holds `inside`, are kept by it.
    fn keep(&mut self, op: OpRef<'_>, inside: OpId) -> bool {
        let mut next = Some(inside);
        while let Some(kept) = next {
            self.remember(kept, false);
            next = op.body().parent(kept).filter(|_| kept != op.id());
        }
        false
    }
}

/// Whether what the operation does to memory, but for what it holds, allows to erase it: see [`Context::may_be_dead`].
fn is_harmless_itself(op: OpRef<'_>) -> Result<bool> {
    Ok(match memory_effects(op)? {
        Some(effects) => are_harmless(op, &effects),
        None => are_those_inside(op)?,
    })
}

/// Whether an operation with these effects can be erased: it only reads, or makes what its own results stand for.
fn are_harmless(op: OpRef<'_>, effects: &[MemoryEffect]) -> bool {
    let is_own = |value: Value| op.body().defining_operation(value) == Some(op.id());
    let mut made = Vec::new();
    for effect in effects {
        made.extend(effect.value.filter(|&value| effect.effect == Effect::Allocate && is_own(value)));
    }
    effects.iter().all(|effect| effect.effect == Effect::Read || effect.value.is_some_and(|of| made.contains(&of)))
}

/// Whether the operation can be erased: nothing uses its results, and it [could be erased](would_be_trivially_dead) then. Of a body
/// whose lists of uses have been built.
///
/// # Errors
/// Where an operation cannot be decoded.
pub fn is_trivially_dead(op: OpRef<'_>) -> Result<bool> {
    DeadOperations::default().is_dead(op)
}

/// Asks `allowed` of the effects of the operation and, where its definition says that they count, of what it holds. Whether all were
/// known and allowed.
fn visit_effects(op: OpRef<'_>, allowed: &mut dyn FnMut(OpRef<'_>, &[MemoryEffect]) -> bool) -> Result<bool> {
    let mut first = Some(op);
    let mut left = Vec::new();
    while let Some(op) = first.take().or_else(|| left.pop()) {
        match memory_effects(op)? {
            Some(effects) if !allowed(op, &effects) => return Ok(false),
            None if !are_those_inside(op)? => return Ok(false),
            _ => {}
        }
        if op.has_trait(Traits::RECURSIVE_MEMORY_EFFECTS) {
            left.extend(op.ops()?);
        }
    }
    Ok(true)
}

/// Whether an operation whose effects are not known does nothing to memory but what operations in it do.
fn are_those_inside(op: OpRef<'_>) -> Result<bool> {
    Ok(op.has_trait(Traits::RECURSIVE_MEMORY_EFFECTS) && !has_own_effects(op) && !op.is_opaque()?)
}

/// Whether the definition says that the operation does something to memory, beside what it holds: what, is not known of one without a
/// hook.
pub fn has_own_effects(op: OpRef<'_>) -> bool {
    op.definition().is_some_and(|definition| definition.implements(MEMORY_EFFECTS))
}
