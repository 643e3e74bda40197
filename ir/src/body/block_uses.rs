//! For each block the operations that go on to it, in MLIR's order: the last that came to do so is first.
//!
//! The lists are built when they are asked for, and before the first edit that puts one successor for another: until then an
//! operation of a higher number came later. From then on edits keep them.

use super::compact::renumbered;
use super::*;

/// A place in the pool of successors, or none.
type Slot = u32;
const NONE: Slot = Slot::MAX;

/// The lists, linked both ways.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockUses {
    /// By block: the first use.
    first: Vec<Slot>,
    links: Vec<Link>,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    previous: Slot,
    next: Slot,
    /// The operation; none where the slot is in no list.
    owner: u32,
}

const UNLINKED: Link = Link { previous: NONE, next: NONE, owner: NONE };

impl BlockUses {
    pub(super) fn heap_bytes(&self) -> usize {
        self.first.capacity() * size_of::<Slot>() + self.links.capacity() * size_of::<Link>()
    }

    /// The same lists in a body that has so many slots, and whose blocks, slots and operations have these new numbers.
    pub(super) fn renumbered(&self, count: usize, blocks: &[u32], slots: &[u32], operations: &[u32]) -> BlockUses {
        let mut links = vec![UNLINKED; count];
        for (&old, &slot) in self.links.iter().zip(slots).filter(|(_, slot)| **slot != NONE) {
            let (previous, next) = (renumbered(old.previous, slots), renumbered(old.next, slots));
            links[slot as usize] = Link { previous, next, owner: renumbered(old.owner, operations) };
        }
        let first = self.first.iter().zip(blocks).filter(|(_, block)| **block != NONE);
        BlockUses { first: first.map(|(&first, _)| renumbered(first, slots)).collect(), links }
    }

    fn link(&mut self, block: BlockId, slot: Slot, op: OpId) {
        if self.links.len() <= slot as usize {
            self.links.resize(slot as usize + 1, UNLINKED);
        }
        if self.first.len() <= block.index() {
            self.first.resize(block.index() + 1, NONE);
        }
        let head = std::mem::replace(&mut self.first[block.index()], slot);
        self.links[slot as usize] = Link { previous: NONE, next: head, owner: op.index() as u32 };
        if let Some(head) = self.links.get_mut(head as usize) {
            head.previous = slot;
        }
    }

    fn unlink(&mut self, block: BlockId, slot: Slot) {
        let Some(link) = self.links.get_mut(slot as usize).filter(|link| link.owner != NONE) else { return };
        let Link { previous, next, .. } = *link;
        link.owner = NONE;
        match self.links.get_mut(previous as usize) {
            Some(previous) => previous.next = next,
            None => self.first[block.index()] = next,
        }
        if let Some(next) = self.links.get_mut(next as usize) {
            next.previous = previous;
        }
    }
}

impl Body {
    /// Builds the lists of which operations go on to which block, if they are not there yet: for [`Body::block_uses`].
    pub(crate) fn build_block_uses(&mut self) {
        if self.seldom.block_uses.is_some() {
            return;
        }
        let mut uses = BlockUses::default();
        for at in 0..self.operations.len() {
            self.link_blocks(&mut uses, OpId::from_index(at));
        }
        self.seldom.block_uses = Some(Box::new(uses));
    }

    fn link_blocks(&self, uses: &mut BlockUses, op: OpId) {
        let Some(tail) = self.operations[op.index()].shape.tail() else { return };
        for slot in self.tails[tail.index()].successors.range() {
            uses.link(self.seldom.successors[slot], slot as Slot, op);
        }
    }

    /// Enters the successors of `op` in the lists, where there are lists.
    pub(super) fn link_successors(&mut self, op: OpId) {
        if let Some(mut uses) = self.seldom.get_mut().and_then(|seldom| seldom.block_uses.take()) {
            self.link_blocks(&mut uses, op);
            self.seldom.block_uses = Some(uses);
        }
    }

    /// Takes the successors of `op` out of the lists, where there are lists.
    pub(super) fn unlink_successors(&mut self, op: OpId) {
        let (Some(seldom), Some(tail)) = (self.seldom.get_mut(), self.operations[op.index()].shape.tail()) else {
            return;
        };
        let Some(uses) = &mut seldom.block_uses else { return };
        for slot in self.tails[tail.index()].successors.range() {
            uses.unlink(seldom.successors[slot], slot as Slot);
        }
    }

    /// Puts another block into a slot of the pool of successors.
    pub(super) fn relink_successor(&mut self, op: OpId, slot: usize, block: BlockId) {
        self.build_block_uses();
        let seldom = &mut *self.seldom;
        let old = std::mem::replace(&mut seldom.successors[slot], block);
        if let Some(uses) = &mut seldom.block_uses {
            uses.unlink(old, slot as Slot);
            uses.link(block, slot as Slot, op);
        }
    }

    /// Who goes on to the block, in the order of its list: each an operation, detached or not, and the number of the successor.
    /// None where the lists have not been built: [`Rewriter::block_uses`](crate::Rewriter::block_uses) builds them.
    pub fn block_uses(&self, block: BlockId) -> impl Iterator<Item = (OpId, usize)> {
        self.seldom.block_uses.iter().flat_map(move |uses| {
            let at = |slot: Slot| (slot != NONE).then_some(slot);
            let first = uses.first.get(block.index()).copied().unwrap_or(NONE);
            let slots = std::iter::successors(at(first), move |&slot| at(uses.links[slot as usize].next));
            slots.map(move |slot| {
                let op = OpId::from_index(uses.links[slot as usize].owner as usize).of(self.tag);
                let start = self.operations[op.index()]
                    .shape
                    .tail()
                    .map_or(0, |tail| self.tails[tail.index()].successors.start);
                (op, (slot - start) as usize)
            })
        })
    }
}
