//! Which of two operations of a block comes first, told without a walk.
//!
//! Operations are numbered when that is asked, with gaps for those that come between them later: an edit costs nothing, and a block
//! is numbered anew only where a gap is used up.

use super::*;
use crate::error::{Error, ErrorCode, Result};

/// The distance of two numbers that are given one after the other.
const GAP: u64 = 1 << 32;

impl Body {
    /// Says that the operation does not stand where it stood when it was numbered.
    pub(super) fn forget_place(&mut self, op: OpId) {
        if let Some(place) = self.seldom.get_mut().and_then(|seldom| seldom.places.get_mut(op.index())) {
            *place = 0;
        }
    }

    /// Whether `a` comes before `b` in the block that holds both. Constant time, taken over all questions and edits.
    ///
    /// # Errors
    /// Where they are not in one block.
    pub(crate) fn is_before_in_block(&mut self, a: OpId, b: OpId) -> Result<bool> {
        self.check_operation(a)?;
        self.check_operation(b)?;
        if self.block_of(a).is_none() || self.block_of(a) != self.block_of(b) {
            return Err(Error::misuse("the operations are not in one block").with_code(ErrorCode::WrongPlace));
        }
        self.seldom.places.resize(self.operations.len(), 0);
        self.give_place(a);
        self.give_place(b);
        Ok(self.seldom.places[a.index()] < self.seldom.places[b.index()])
    }

    /// Numbers the operation, and those without a number beside it.
    fn give_place(&mut self, op: OpId) {
        if self.seldom.places[op.index()] != 0 {
            return;
        }
        let (mut first, mut count) = (op, 1);
        let mut previous = 0;
        while let Some(before) = self.previous_operation(first) {
            previous = self.seldom.places[before.index()];
            if previous != 0 {
                break;
            }
            (first, count) = (before, count + 1);
        }
        let mut next = None;
        let mut last = op;
        while let Some(after) = self.next_operation(last) {
            next = Some(self.seldom.places[after.index()]).filter(|&place| place != 0);
            if next.is_some() {
                break;
            }
            (last, count) = (after, count + 1);
        }
        let step = match next {
            Some(next) => next.saturating_sub(previous) / (count + 1),
            None if count < (u64::MAX - previous) / GAP => GAP,
            None => 0,
        };
        match step {
            0 => self.number_from(self.block_of(op).and_then(|block| self.first_operation(block)), u64::MAX, 0, GAP),
            step => self.number_from(Some(first), count, previous, step),
        }
    }

    /// Numbers `count` operations from `first` on, or as many as there are.
    fn number_from(&mut self, first: Option<OpId>, count: u64, previous: u64, step: u64) {
        let (mut next, mut left, mut place) = (first, count, previous);
        while let Some(op) = next.filter(|_| left > 0) {
            place = place.saturating_add(step);
            self.seldom.places[op.index()] = place;
            (next, left) = (self.next_operation(op), left - 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::body::{BlockId, Body, OpId, OperationSpec};
    use crate::context::Context;

    fn add(context: &Context, body: &mut Body, block: BlockId, before: Option<OpId>) -> OpId {
        let name = context.operation_name("toy.op", false);
        let op = body.create(&OperationSpec::new(name, context.unknown_location().into())).expect("an operation");
        body.insert(block, before, op).expect("a place");
        op
    }

    #[test]
    fn a_gap_that_is_used_up_opens_again() {
        let context = Context::new();
        let mut body = Body::new(1);
        let block = body.create_block(body.top_regions()[0], None).expect("a block");
        let first = add(&context, &mut body, block, None);
        let last = add(&context, &mut body, block, None);
        let mut before = last;
        for _ in 0..200 {
            let op = add(&context, &mut body, block, Some(before));
            assert_eq!(body.is_before_in_block(first, op), Ok(true));
            assert_eq!(body.is_before_in_block(op, before), Ok(true));
            assert_eq!(body.is_before_in_block(last, op), Ok(false));
            before = op;
        }
        assert_eq!(body.is_before_in_block(first, first), Ok(false));
        let detached = OperationSpec::new(body.name(first), body.location(first));
        let detached = body.create(&detached).expect("an operation");
        assert!(body.is_before_in_block(first, detached).is_err());
    }
}
