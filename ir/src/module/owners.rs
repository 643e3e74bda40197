//! Which operation a body belongs to, and bodies and records that belong to none any more.

use hashbrown::HashSet;

use super::{Module, unmarked};
use crate::body::{Body, BodyId, OpId};

/// So many bodies of erased operations are not worth a new table.
const FEW: usize = 256;

impl Module {
    /// Says that another operation owns the body now.
    pub(crate) fn set_owner(&mut self, id: BodyId, owner: (BodyId, OpId)) {
        let depth = self.depth(owner.0).saturating_add(1);
        let Some(slot) = self.bodies.get_mut(id.index()) else { return };
        slot.parent = Some(unmarked(owner));
        slot.edited = true;
        let mut moved = if slot.depth == depth { Vec::new() } else { vec![(id, depth)] };
        while let Some((id, depth)) = moved.pop() {
            let Some(slot) = self.bodies.get_mut(id.index()) else { continue };
            slot.depth = depth;
            let inside = slot.body.get().into_iter().flat_map(|body| body.region_bodies());
            moved.extend(inside.map(|id| (id, depth.saturating_add(1))));
        }
    }

    /// Lets go of a body that no operation leads to any more, and of all bodies in it.
    pub(crate) fn free_body(&mut self, id: BodyId) {
        let mut ids = vec![id];
        while let Some(id) = ids.pop() {
            let Some(slot) = self.bodies.get_mut(id.index()) else { continue };
            (slot.pending, slot.parent, slot.freed, slot.edited) = (None, None, true, true);
            if let Some(body) = slot.body.take() {
                ids.extend(body.region_bodies());
            }
        }
    }

    /// Frees the records of what was erased, in bodies of which they are more than half: operations, blocks, regions and values of
    /// these have other numbers then. Call it where nobody holds any, as between two passes; a pipeline does, with what it ran on.
    ///
    /// Until then a number stands for what it was given to, or for something that was erased: an error, and never for something else.
    ///
    /// ```
    /// use mlirbc_ir::{BodyId, Context, Module};
    ///
    /// let context = Context::new();
    /// let mut module = Module::new(&context);
    /// let top = BodyId::from_index(Module::TOP);
    /// for _ in 0..1000 {
    ///     module.rewrite(top, |rw| {
    ///         let op = rw.build("toy.gone").result_type(context.index_type()).create()?;
    ///         rw.erase(op)
    ///     })?;
    ///     module.compact();
    /// }
    /// assert!(module.top()?.operation_count() < 1000);
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    pub fn compact(&mut self) {
        self.mostly_erased.clear();
        let ids: Vec<BodyId> = self.bodies().map(|(id, _)| id).collect();
        ids.into_iter().for_each(|id| self.compact_body(id));
        self.compact_table();
    }

    /// As [`Module::compact`], of the bodies in these operations alone: the operations themselves keep their numbers.
    pub fn compact_inside(&mut self, anchors: &[(BodyId, OpId)]) {
        let noted = std::mem::take(&mut self.mostly_erased);
        if !noted.is_empty() {
            let anchors: HashSet<(BodyId, OpId)> = anchors.iter().copied().collect();
            for id in noted {
                let mut around = std::iter::successors(self.owner(id), |owner| self.owner(owner.0));
                match around.any(|owner| anchors.contains(&owner)) {
                    true => self.compact_body(id),
                    false if self.loaded(id).is_some() => self.mostly_erased.push(id),
                    false => {}
                }
            }
        }
        self.compact_table();
    }

    fn compact_body(&mut self, id: BodyId) {
        if !self.loaded(id).is_some_and(Body::is_mostly_erased) {
            return;
        }
        let Ok(body) = self.body_mut(id) else { return };
        let renumbered = body.compact();
        let children: Vec<BodyId> = body.region_bodies().collect();
        for child in children {
            if let Some(slot) = self.bodies.get_mut(child.index()) {
                slot.parent = slot.parent.and_then(|(_, op)| Some((id, renumbered.operation(op)?)));
            }
        }
    }

    /// Forgets the last bodies of the table, where these were freed and are more than half of it. The numbers of others stay.
    fn compact_table(&mut self) {
        let count = self.bodies.count();
        let is_freed = |at: &usize| self.bodies.get(*at).is_some_and(|slot| slot.freed);
        let freed = (0..count).rev().take_while(is_freed).count();
        if freed >= FEW && freed > count / 2 {
            self.bodies.truncate(count - freed);
        }
    }
}
