//! Which operation a body belongs to, and bodies that belong to none any more.

use super::Module;
use crate::body::{BodyId, OpId};

impl Module {
    /// Says that another operation of the same body owns the body now.
    pub(crate) fn set_owner(&mut self, id: BodyId, owner: (BodyId, OpId)) {
        if let Some(slot) = self.bodies.get_mut(id.index()) {
            slot.parent = Some(owner);
            slot.edited = true;
        }
    }

    /// Lets go of a body that no operation leads to any more, and of all bodies in it.
    pub(crate) fn free_body(&mut self, id: BodyId) {
        let mut ids = vec![id];
        while let Some(id) = ids.pop() {
            let Some(slot) = self.bodies.get_mut(id.index()) else { continue };
            slot.pending = None;
            if let Some(body) = slot.body.take() {
                ids.extend(body.region_bodies());
            }
        }
    }
}
