//! The operations that are still to be visited.

use mlirbc_ir::interfaces::DeadOperations;
use mlirbc_ir::{BlockId, Body, Listener, OpId, OpRef, Value};

/// Marks an operation that is not in the list.
const OUT: u32 = u32::MAX;
/// Marks an operation that is erased, or about to be: those who listen hear of all that go together while all are still there.
const GONE: u32 = OUT - 1;

/// A stack in which each operation stands once; the driver's listener, which puts on it what a change makes worth a visit.
#[derive(Default)]
pub(super) struct Worklist {
    list: Vec<Option<OpId>>,
    /// The place of each operation in `list`.
    places: Vec<u32>,
    /// By operation: the time at which all that it stands in were on the list.
    held: Vec<u32>,
    /// Grows whenever an operation leaves the list, or its place in the body.
    time: u32,
    /// What was changed in place since the driver looked last: it may have been known as a constant.
    pub(super) modified: Vec<OpId>,
    /// What was found out about operations that hold others.
    pub(super) dead: DeadOperations,
}

impl Worklist {
    /// Puts one operation on top, if it is not in the list. Whether it was not.
    pub(super) fn push_one(&mut self, op: OpId) -> bool {
        if self.places.len() <= op.index() {
            self.places.resize(op.index() + 1, OUT);
        }
        if self.places[op.index()] == OUT {
            self.places[op.index()] = self.list.len() as u32;
            self.list.push(Some(op));
            return true;
        }
        false
    }

    /// Puts an operation on top, and those that it stands in, the outermost last.
    pub(super) fn push(&mut self, body: &Body, op: OpId) {
        self.push_one(op);
        let mut next = body.parent(op);
        while let Some(op) = next {
            self.push_one(op);
            // One change in place after the other is told of, each perhaps deep inside of many.
            if self.held.len() <= op.index() {
                self.held.resize(self.places.len(), 0);
            }
            if std::mem::replace(&mut self.held[op.index()], self.time) == self.time {
                break;
            }
            next = body.parent(op);
        }
    }

    /// What was on the list may not be, or stand in other operations.
    fn pass_time(&mut self) {
        self.time = self.time.wrapping_add(1);
        if self.time == 0 {
            self.held.clear();
            self.time = 1;
        }
    }

    pub(super) fn pop(&mut self) -> Option<OpId> {
        self.pass_time();
        loop {
            if let Some(op) = self.list.pop()? {
                self.places[op.index()] = OUT;
                return Some(op);
            }
        }
    }

    pub(super) fn clear(&mut self) {
        while self.pop().is_some() {}
    }

    /// Makes room for so many operations.
    pub(super) fn reserve(&mut self, operations: usize) {
        if self.places.len() < operations {
            self.places.resize(operations, OUT);
        }
        self.list.reserve(operations);
    }

    /// Forgets the body, and keeps the room that it took.
    pub(super) fn reset(&mut self) {
        self.list.clear();
        self.places.clear();
        self.held.clear();
        self.modified.clear();
        self.dead = DeadOperations::default();
    }

    /// Turns the list around: what came first is visited first.
    pub(super) fn reverse(&mut self) {
        self.list.reverse();
        for (place, op) in self.list.iter().enumerate() {
            if let Some(op) = op {
                self.places[op.index()] = place as u32;
            }
        }
    }

    /// Takes an operation that is erased off the list, for good.
    fn remove(&mut self, op: OpId) {
        self.pass_time();
        if self.places.len() <= op.index() {
            self.places.resize(op.index() + 1, OUT);
        }
        let place = std::mem::replace(&mut self.places[op.index()], GONE);
        if let Some(listed) = self.list.get_mut(place as usize) {
            *listed = None;
        }
    }

    fn is_gone(&self, op: OpId) -> bool {
        self.places.get(op.index()) == Some(&GONE)
    }

    /// Visits again what defines the operands of an operation that goes, where at most one other operation uses them.
    fn push_definers(&mut self, op: OpRef<'_>) {
        let body = op.body();
        for &operand in op.operands() {
            if let Some(definer) = body.defining_operation(operand).filter(|_| self.has_few_users(body, operand)) {
                self.push(body, definer);
            }
        }
    }

    /// Whether at most one operation that stays uses the value.
    fn has_few_users(&self, body: &Body, value: Value) -> bool {
        let mut users = body.uses_of(value).map(|used| used.op).filter(|&user| !self.is_gone(user));
        let first = users.next();
        users.all(|user| Some(user) == first)
    }
}

impl Listener for Worklist {
    fn created(&mut self, op: OpRef<'_>) {
        self.push(op.body(), op.id());
    }

    fn modified(&mut self, op: OpRef<'_>) {
        self.modified.push(op.id());
        self.dead.changed(op.id());
        self.push(op.body(), op.id());
    }

    fn moved(&mut self, op: OpRef<'_>) {
        self.pass_time();
        self.dead.changed(op.id());
        self.push(op.body(), op.id());
    }

    fn erased(&mut self, op: OpRef<'_>) {
        self.remove(op.id());
        self.dead.changed(op.id());
        self.push_definers(op);
    }

    fn block_erased(&mut self, _: &Body, _: BlockId) {
        // What stood in it may have gone to another one, and is told of as changed first.
        self.pass_time();
    }

    fn block_moved(&mut self, _: &Body, _: BlockId) {
        self.pass_time();
        self.dead = DeadOperations::default();
    }
}
