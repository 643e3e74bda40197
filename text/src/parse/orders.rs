//! Orders of uses as MLIR's parser leaves them.
//!
//! A use comes to the front of its value's list when its operation is made, which is after everything nested in it. Uses
//! before the definition wait, and end up behind all others, the first of them first.

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{BodyBuilder, OpId, Value};
use std::cmp::Reverse;

/// What is noted of a body's uses while it is parsed.
#[derive(Default)]
pub(super) struct UseLog {
    /// By value: the slot of its last use, plus one.
    last: Vec<u32>,
    /// Values whose uses may be in another order than that of a plain walk.
    suspects: Vec<Value>,
    /// Slots that were filled before their value was defined.
    forward: HashSet<u32>,
    /// By operation, those with regions in this body: the last operation nested in it.
    nests: Vec<u32>,
    /// Whether regions were parsed in another order than they have.
    reordered: bool,
}

impl UseLog {
    /// Forgets everything, for the next body.
    pub(super) fn clear(&mut self) {
        self.last.clear();
        self.suspects.clear();
        self.nests.clear();
        self.reordered = false;
        // To clear it takes as long as it is large.
        self.forward = HashSet::default();
    }

    /// A value was pushed as an operand.
    #[inline]
    pub(super) fn used(&mut self, value: Value, slot: u32) {
        if value.index() >= self.last.len() {
            self.last.resize(value.index() + 1, 0);
        }
        self.last[value.index()] = slot + 1;
    }

    /// The value of an operand has been found.
    pub(super) fn filled(&mut self, value: Value, slot: u32) {
        self.forward.insert(slot);
        self.suspects.push(value);
    }

    /// An operation whose regions hold the slots from `start` on is about to use a value.
    pub(super) fn used_by_nest(&mut self, value: Value, start: u32) {
        if self.last.get(value.index()).is_some_and(|&last| last > start) {
            self.suspects.push(value);
        }
    }

    /// An operation with regions ends; `last` is the last one in it.
    pub(super) fn nest(&mut self, op: OpId, last: usize) {
        if op.index() >= self.nests.len() {
            self.nests.resize(op.index() + 1, 0);
        }
        self.nests[op.index()] = last as u32;
    }

    /// The regions of an operation, of which the last one ends now, are put in another order.
    pub(super) fn reorder(&mut self, body: &BodyBuilder, op: OpId) {
        self.reordered = true;
        for inner in op.index() + 1..body.operation_count() {
            self.suspects.extend_from_slice(body.operands(OpId::from_index(inner)));
        }
    }

    /// When an operation was made, to be compared with others.
    fn time(&self, op: usize) -> (u32, Reverse<u32>) {
        let last = self.nests.get(op).map_or(0, |&last| last);
        (last.max(op as u32), Reverse(op as u32))
    }

    /// Notes the orders in the body, which is complete.
    pub(super) fn finish(&self, body: &mut BodyBuilder) {
        if self.suspects.is_empty() {
            return;
        }
        let mut uses: HashMap<Value, Vec<(usize, usize, bool)>> =
            self.suspects.iter().map(|&value| (value, Vec::new())).collect();
        let mut note = |op: OpId| {
            let start = body.operand_range(op).start;
            for (number, value) in body.operands(op).iter().enumerate() {
                if let Some(uses) = uses.get_mut(value) {
                    uses.push((op.index(), number, self.forward.contains(&((start + number) as u32))));
                }
            }
        };
        match self.reordered {
            true => body.preorder().for_each(&mut note),
            false => (0..body.operation_count()).map(OpId::from_index).for_each(&mut note),
        }
        let mut values: Vec<Value> = uses.keys().copied().collect();
        values.sort_unstable();
        for value in values {
            let by_id: Vec<_> = uses.remove(&value).unwrap_or_default().into_iter().rev().collect();
            // Late uses first, the latest of them first; then early uses, the earliest first.
            let mut list: Vec<usize> = (0..by_id.len()).collect();
            list.sort_unstable_by(|&a, &b| {
                let place = |at: usize| {
                    let (op, number, early) = by_id[at];
                    (early, (self.time(op), number))
                };
                let (a, b) = (place(a), place(b));
                a.0.cmp(&b.0).then(if a.0 { a.1.cmp(&b.1) } else { b.1.cmp(&a.1) })
            });
            if list.len() > 1 && !list.is_sorted() {
                let mut places = vec![0; list.len()];
                for (place, &id) in list.iter().enumerate() {
                    places[id] = place as u32;
                }
                body.push_order(value, places);
            }
        }
    }
}
