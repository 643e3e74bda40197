//! A body that is changed as a copy, in room that many bodies are changed in, one after the other.

use super::compact::Moves;
use super::*;

/// Room for one body that is changed: lists that have grown stay for the next.
#[derive(Debug, Default)]
pub(crate) struct Room {
    body: Option<Box<Body>>,
    uses: Option<Box<Uses>>,
    moves: Moves,
}

impl Room {
    /// A copy of a body, with its lists of uses, which are built where it has none.
    pub(crate) fn copy(&mut self, of: &Body) -> Box<Body> {
        let mut copy = self.body.take().unwrap_or_default();
        copy.copy_from(of);
        self.build_uses(&mut copy);
        copy
    }

    /// Builds lists of uses where there are none.
    pub(crate) fn build_uses(&mut self, body: &mut Body) {
        if body.uses.is_none() {
            body.build_uses_in(self.uses.take().unwrap_or_default());
        }
    }

    /// Takes away lists of uses that say nothing that is not built again: none has two.
    pub(crate) fn drop_uses(&mut self, body: &mut Body) {
        if let Some(uses) = body.uses.take_if(|uses| !uses.any_is_shared()) {
            body.edited = true;
            self.uses = Some(uses);
        }
    }

    /// The copy without the records of what was erased, in as much memory as that takes.
    pub(crate) fn settled(&mut self, copy: &mut Body) -> Box<Body> {
        self.drop_uses(copy);
        Box::new(copy.compacted(&mut self.moves))
    }

    /// Takes back a copy.
    pub(crate) fn give_back(&mut self, mut copy: Box<Body>) {
        if let Some(uses) = copy.uses.take() {
            self.uses = Some(uses);
        }
        self.body = Some(copy);
    }
}

impl Body {
    /// Makes this body a copy of another one, in the memory that it has.
    fn copy_from(&mut self, of: &Body) {
        let Body {
            top_regions,
            operations,
            blocks,
            regions,
            values,
            tails,
            operands,
            arguments,
            seldom,
            uses,
            dead,
            edited,
            tag,
        } = self;
        top_regions.clone_from(&of.top_regions);
        operations.clone_from(&of.operations);
        blocks.clone_from(&of.blocks);
        regions.clone_from(&of.regions);
        values.clone_from(&of.values);
        tails.clone_from(&of.tails);
        operands.clone_from(&of.operands);
        if !of.arguments.values.is_empty() {
            arguments.values.clone_from(&of.arguments.values);
            arguments.locations.clone_from(&of.arguments.locations);
        } else if let Some(arguments) = arguments.get_mut() {
            arguments.values.clear();
            arguments.locations.clear();
        }
        seldom.clone_from(&of.seldom);
        uses.clone_from(&of.uses);
        (*dead, *edited, *tag) = (of.dead, of.edited, of.tag);
    }
}
