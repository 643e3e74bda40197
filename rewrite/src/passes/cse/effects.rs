//! What the operations of a body do to memory, found out once.

use mlirbc_ir::interfaces::{Effect, MemoryEffect, has_own_effects, would_be_trivially_dead};
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

/// What each operation of a body does.
#[derive(Debug, Default)]
pub(super) struct Effects(Vec<Summary>);

impl Effects {
    /// Looks at all operations of a body, as a walk gives them. `top` is one of them.
    pub(super) fn find(&mut self, top: OpRef<'_>, ops: &[OpId]) -> Result<()> {
        let body = top.body();
        self.0.clear();
        self.0.resize(body.operation_count(), Summary::NOTHING);
        // What an operation holds comes behind it.
        for &id in ops.iter().rev() {
            let op = top.at(id);
            let context = op.module().context();
            let effects = context.memory_effects(op.operation_name()).map(|effects| effects.effects(op)).transpose()?;
            let view = body.view(id);
            let recursive = view.region_count() > 0 && op.has_trait(Traits::RECURSIVE_MEMORY_EFFECTS);
            let own = match effects {
                Some(effects) => Summary::of(op, &effects),
                None if op.has_trait(Traits::RECURSIVE_MEMORY_EFFECTS) && !has_own_effects(op) => Summary::NOTHING,
                None => Summary::ANYTHING,
            };
            let inner = self.0[id.index()];
            self.0[id.index()] = match recursive {
                false => own,
                true if view.region_body().is_none() => own.and(inner),
                true => own.and(Summary { erasable: would_be_trivially_dead(op)?, ..Summary::ANYTHING }),
            };
            if let Some(parent) = body.parent(id) {
                let summary = self.0[id.index()];
                let outer = &mut self.0[parent.index()];
                *outer = outer.and(summary);
            }
        }
        Ok(())
    }

    pub(super) fn of(&self, op: OpId) -> Summary {
        self.0.get(op.index()).copied().unwrap_or(Summary::ANYTHING)
    }
}
