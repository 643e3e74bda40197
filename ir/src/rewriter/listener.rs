//! Who is told of changes.

use std::any::Any;
use std::marker::PhantomData;

use super::Rewriter;
use crate::body::{BlockId, Body, OpId, Value};
use crate::module::OpRef;

/// Is told of each change that a [`Rewriter`] makes. What it is not interested in, it leaves out.
///
/// The rewriter owns its listeners; [`Rewriter::listener`] gives one to look at, such as the worklist that a driver takes the next
/// operation from.
pub trait Listener: Any {
    /// An operation was made, and stands at its place: the insertion point, or none. A copy is told of as what it is made of, each
    /// operation before those in it.
    fn created(&mut self, op: OpRef<'_>) {
        let _ = op;
    }

    /// An operation is about to be erased: it is still as it was. Those in its regions are told of before it, but not those in
    /// bodies of isolated operations.
    fn erased(&mut self, op: OpRef<'_>) {
        let _ = op;
    }

    /// The results of an operation are about to be replaced by these values. Those who use them are told of as modified, and mostly
    /// it is erased then.
    fn replaced(&mut self, op: OpRef<'_>, by: &[Value]) {
        let _ = (op, by);
    }

    /// Operands, successors, attributes, types of results, the name or the location of an operation were changed.
    fn modified(&mut self, op: OpRef<'_>) {
        let _ = op;
    }

    /// An operation was put into a block, or to another place.
    fn moved(&mut self, op: OpRef<'_>) {
        let _ = op;
    }

    /// A block was made.
    fn block_created(&mut self, body: &Body, block: BlockId) {
        let _ = (body, block);
    }

    /// A block is about to be erased. Operations that go with it have been told of.
    fn block_erased(&mut self, body: &Body, block: BlockId) {
        let _ = (body, block);
    }

    /// A block was put to another place, with all that is in it.
    fn block_moved(&mut self, body: &Body, block: BlockId) {
        let _ = (body, block);
    }
}

/// A listener of a rewriter.
pub struct ListenerId<L>(u64, PhantomData<fn() -> L>);

impl<L> Clone for ListenerId<L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for ListenerId<L> {}

impl<L> std::fmt::Debug for ListenerId<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ListenerId({})", self.0)
    }
}

#[derive(Default)]
pub(super) struct Listeners {
    next: u64,
    list: Vec<(u64, Box<dyn Listener>)>,
}

impl<'m> Rewriter<'m> {
    /// Tells this listener of all changes from now on. Several are told in the order in which they came.
    pub fn listen<L: Listener>(&mut self, listener: L) -> ListenerId<L> {
        let id = self.listeners.next;
        self.listeners.next += 1;
        self.listeners.list.reserve_exact(1);
        self.listeners.list.push((id, Box::new(listener)));
        ListenerId(id, PhantomData)
    }

    /// A listener of this rewriter. `None` where it was taken away.
    pub fn listener<L: Listener>(&mut self, id: ListenerId<L>) -> Option<&mut L> {
        let found = self.listeners.list.iter_mut().find(|known| known.0 == id.0)?;
        let found: &mut dyn Any = &mut *found.1;
        found.downcast_mut()
    }

    /// Takes a listener away. `None` where it was taken before.
    pub fn unlisten<L: Listener>(&mut self, id: ListenerId<L>) -> Option<L> {
        let at = self.listeners.list.iter().position(|known| known.0 == id.0)?;
        let (number, listener) = self.listeners.list.remove(at);
        let any: &dyn Any = &*listener;
        if !any.is::<L>() {
            // The number of another rewriter's listener.
            self.listeners.list.insert(at, (number, listener));
            return None;
        }
        let listener: Box<dyn Any> = listener;
        listener.downcast().ok().map(|listener| *listener)
    }

    pub(super) fn has_listeners(&self) -> bool {
        !self.listeners.list.is_empty()
    }

    pub(super) fn tell(&mut self, op: OpId, what: impl Fn(&mut dyn Listener, OpRef<'_>)) {
        let op = OpRef::new(self.module, self.id, &self.body, op);
        for (_, listener) in &mut self.listeners.list {
            what(&mut **listener, op);
        }
    }

    pub(super) fn tell_of_block(&mut self, block: BlockId, what: impl Fn(&mut dyn Listener, &Body, BlockId)) {
        for (_, listener) in &mut self.listeners.list {
            what(&mut **listener, &self.body, block);
        }
    }

    pub(super) fn tell_modified(&mut self, op: OpId) {
        if !self.modifying.contains(&op) {
            self.tell(op, |listener, op| listener.modified(op));
        }
    }

    /// Of what is about to be erased, given each before what it holds.
    pub(super) fn tell_erased(&mut self, ops: &[OpId]) {
        if self.has_listeners() {
            ops.iter().rev().for_each(|&op| self.tell(op, |listener, op| listener.erased(op)));
        }
    }
}
