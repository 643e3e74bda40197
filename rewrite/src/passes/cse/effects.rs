//! What the operations of a body do to memory, found out once.

use std::sync::Arc;

use mlirbc_ir::interfaces::{Effect, MemoryEffect, MemoryEffects, has_own_effects, would_be_trivially_dead};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{OpId, OpRef, Result};

/// What an operation does to memory, with what it holds where its definition says that this counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Summary {
    /// Nothing.
    pub(super) free: bool,
    /// It changes some, or may.
    pub(super) writes: bool,
    /// It looks at some itself, and does nothing else.
    pub(super) only_reads: bool,
    /// Nothing that keeps it from being erased where its results are not used.
    pub(super) erasable: bool,
}

impl Summary {
    const NOTHING: Summary = Summary { free: true, writes: false, only_reads: false, erasable: true };
    const ANYTHING: Summary = Summary { free: false, writes: true, only_reads: false, erasable: false };

    fn of(op: OpRef<'_>, effects: &[MemoryEffect]) -> Self {
        if effects.is_empty() {
            return Self::NOTHING;
        }
        let is_made = |effect: &MemoryEffect| {
            let own = effect.value.is_some_and(|value| op.body().defining_operation(value) == Some(op.id()));
            let allocates = |other: &MemoryEffect| other.effect == Effect::Allocate && other.value == effect.value;
            own && effects.iter().any(allocates)
        };
        Summary {
            free: false,
            writes: effects.iter().any(|effect| effect.effect == Effect::Write),
            only_reads: effects.iter().all(|effect| effect.effect == Effect::Read),
            erasable: effects.iter().all(|effect| effect.effect == Effect::Read || is_made(effect)),
        }
    }

    /// With what one of the operations in it does.
    fn and(self, inner: Summary) -> Self {
        Summary {
            free: self.free && inner.free,
            writes: self.writes || inner.writes,
            only_reads: self.only_reads,
            erasable: self.erasable && inner.erasable,
        }
    }
}

/// What the name of an operation says of its effects, found out once: asking the context each time would have all threads write to one
/// count of references.
#[derive(Clone)]
struct Named {
    effects: Option<Arc<dyn MemoryEffects>>,
    /// Whether what it holds counts.
    recursive: bool,
    /// Whether it has effects of its own that no hook explains.
    unexplained: bool,
}

/// What each operation of a body does.
#[derive(Default)]
pub(super) struct Effects {
    ops: Vec<Summary>,
    /// By number of the name.
    names: Vec<Option<Named>>,
}

impl Effects {
    /// What the name of the operation says.
    fn named<'n>(names: &'n mut Vec<Option<Named>>, op: OpRef<'_>) -> &'n Named {
        let at = op.operation_name().raw() as usize;
        if names.len() <= at {
            names.resize(at + 1, None);
        }
        let find = || Named {
            effects: op.module().context().memory_effects(op.operation_name()),
            recursive: op.has_trait(Traits::RECURSIVE_MEMORY_EFFECTS),
            unexplained: has_own_effects(op),
        };
        names[at].get_or_insert_with(find)
    }

    /// Looks at all operations of a body, as a walk gives them. `top` is one of them.
    pub(super) fn find(&mut self, top: OpRef<'_>, ops: &[OpId]) -> Result<()> {
        let body = top.body();
        self.ops.clear();
        self.ops.resize(body.operation_count(), Summary::NOTHING);
        // What an operation holds comes behind it.
        for &id in ops.iter().rev() {
            let op = top.at(id);
            let named = Self::named(&mut self.names, op);
            let view = body.view(id);
            let own = match &named.effects {
                _ if op.is_opaque()? => Summary::ANYTHING,
                Some(effects) => Summary::of(op, &effects.effects(op)?),
                None if named.recursive && !named.unexplained => Summary::NOTHING,
                None => Summary::ANYTHING,
            };
            let recursive = view.region_count() > 0 && named.recursive;
            let inner = self.ops[id.index()];
            self.ops[id.index()] = match recursive {
                false => own,
                true if view.region_body().is_none() => own.and(inner),
                true => own.and(Summary { erasable: would_be_trivially_dead(op)?, ..Summary::ANYTHING }),
            };
            if let Some(parent) = body.parent(id) {
                let summary = self.ops[id.index()];
                let outer = &mut self.ops[parent.index()];
                *outer = outer.and(summary);
            }
        }
        Ok(())
    }

    pub(super) fn of(&self, op: OpId) -> Summary {
        self.ops.get(op.index()).copied().unwrap_or(Summary::ANYTHING)
    }
}
