//! The order of operations in their block: given by their numbers, or by links.
//!
//! Bodies come from readers and builders with the operations of each block in a row: numbered one after the other, in their order. As
//! long as that holds, the next operation is the one with the next number, if it is in the same block, and nothing needs to be
//! kept. Links are made for all operations of a body with the first change that breaks a row; operations that hold blocks and
//! are followed by others break it from the start.

use super::*;

/// The neighbours of an operation in its block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Links {
    pub(super) previous: Option<OpId>,
    pub(super) next: Option<OpId>,
}

impl Body {
    /// The next operation of the block.
    #[inline]
    pub fn next_operation(&self, op: OpId) -> Option<OpId> {
        match self.seldom.links.get(op.index()) {
            Some(links) => links.next,
            None => self.in_row(op, op.index() + 1),
        }
    }

    /// The previous operation of the block.
    #[inline]
    pub fn previous_operation(&self, op: OpId) -> Option<OpId> {
        match self.seldom.links.get(op.index()) {
            Some(links) => links.previous,
            None => self.in_row(op, op.index().wrapping_sub(1)),
        }
    }

    /// The operation of that number, where it is in the block of `op`.
    #[inline]
    fn in_row(&self, op: OpId, number: usize) -> Option<OpId> {
        let block = self.operations[op.index()].block;
        let is_beside = self.operations.get(number).is_some_and(|beside| beside.block == block && block.is_some());
        is_beside.then(|| OpId::from_index(number).of(self.tag))
    }

    /// Makes the links of all operations, where they are in rows.
    #[cold]
    fn make_links(&mut self) {
        let ops = (0..self.operations.len()).map(OpId::from_index);
        let mut links = std::mem::take(&mut self.seldom.links);
        links.reserve(self.operations.capacity());
        links.extend(ops.map(|op| Links { previous: self.previous_operation(op), next: self.next_operation(op) }));
        self.seldom.links = links;
    }

    /// Notes an operation that was just made, in no block.
    #[inline]
    pub(super) fn push_links(&mut self) {
        if !self.seldom.links.is_empty() {
            self.seldom.links.push(Links::default());
        }
    }

    /// Puts an operation that is in no block between two neighbours in one.
    #[inline]
    pub(super) fn link_between(&mut self, op: OpId, previous: Option<OpId>, next: Option<OpId>) {
        if self.seldom.links.is_empty() {
            let follows = previous.is_none_or(|previous| previous.index() + 1 == op.index());
            if next.is_none() && follows {
                return;
            }
            self.make_links();
        }
        self.seldom.links[op.index()] = Links { previous, next };
        if let Some(previous) = previous {
            self.seldom.links[previous.index()].next = Some(op);
        }
        if let Some(next) = next {
            self.seldom.links[next.index()].previous = Some(op);
        }
    }

    /// Takes an operation from between its neighbours, which it gives.
    pub(super) fn unlink_between(&mut self, op: OpId) -> Links {
        let links = Links { previous: self.previous_operation(op), next: self.next_operation(op) };
        if self.seldom.links.is_empty() {
            if links.previous.is_none() || links.next.is_none() {
                return links;
            }
            self.make_links();
        }
        self.seldom.links[op.index()] = Links::default();
        if let Some(previous) = links.previous {
            self.seldom.links[previous.index()].next = links.next;
        }
        if let Some(next) = links.next {
            self.seldom.links[next.index()].previous = links.previous;
        }
        links
    }

    /// Makes the operation the first of a block of its own, with all that follow: gives the last one of the others.
    pub(super) fn cut_before(&mut self, op: OpId) -> Option<OpId> {
        let previous = self.previous_operation(op);
        if !self.seldom.links.is_empty() {
            self.seldom.links[op.index()].previous = None;
            if let Some(previous) = previous {
                self.seldom.links[previous.index()].next = None;
            }
        }
        previous
    }

    /// Forgets the neighbours of an operation that goes with its whole block.
    pub(super) fn forget_links(&mut self, op: OpId) {
        if !self.seldom.links.is_empty() {
            self.seldom.links[op.index()] = Links::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::body::{BlockId, Body, OpId, OperationSpec};
    use crate::context::Context;

    fn make(context: &Context, body: &mut Body, regions: u32) -> OpId {
        let name = context.operation_name("toy.op", false);
        let spec = OperationSpec { regions, ..OperationSpec::new(name, context.unknown_location().into()) };
        body.create(&spec).expect("an operation")
    }

    /// The order of the block, seen from both ends, and whether links are kept for it.
    fn order(body: &Body, block: BlockId) -> (Vec<usize>, bool) {
        let forth: Vec<usize> = body.operations(block).map(OpId::index).collect();
        let mut back: Vec<usize> = std::iter::successors(body.last_operation(block), |&op| body.previous_operation(op))
            .map(OpId::index)
            .collect();
        back.reverse();
        assert_eq!(forth, back);
        (forth, !body.seldom.links.is_empty())
    }

    #[test]
    fn links_are_kept_from_the_first_change_that_breaks_a_row() {
        let context = Context::new();
        let mut body = Body::new(1);
        let block = body.create_block(body.top_regions()[0], None).expect("a block");
        for _ in 0..5 {
            let op = make(&context, &mut body, 0);
            body.put_last(op, block);
        }
        assert_eq!(order(&body, block), (vec![0, 1, 2, 3, 4], false));
        body.detach(OpId::from_index(4));
        body.detach(OpId::from_index(0));
        assert_eq!(order(&body, block), (vec![1, 2, 3], false));
        let rest = body.split_block(OpId::from_index(2)).expect("a block");
        assert_eq!(order(&body, block), (vec![1], false));
        assert_eq!(order(&body, rest), (vec![2, 3], false));
        body.put_last(OpId::from_index(0), block);
        assert_eq!(order(&body, block), (vec![1, 0], true));
        body.put_before(OpId::from_index(4), OpId::from_index(3)).expect("a place");
        assert_eq!(order(&body, rest), (vec![2, 4, 3], true));
        body.detach(OpId::from_index(4));
        assert_eq!(order(&body, rest), (vec![2, 3], true));
        let last = make(&context, &mut body, 0);
        body.put_last(last, rest);
        assert_eq!(order(&body, rest), (vec![2, 3, 5], true));
        let cut = body.split_block(OpId::from_index(3)).expect("a block");
        assert_eq!(order(&body, rest), (vec![2], true));
        assert_eq!(order(&body, cut), (vec![3, 5], true));
    }

    #[test]
    fn an_operation_from_the_middle_leaves_no_row() {
        let context = Context::new();
        let mut body = Body::new(1);
        let block = body.create_block(body.top_regions()[0], None).expect("a block");
        for _ in 0..3 {
            let op = make(&context, &mut body, 0);
            body.put_last(op, block);
        }
        body.detach(OpId::from_index(1));
        assert_eq!(order(&body, block), (vec![0, 2], true));
    }

    #[test]
    fn what_is_nested_stands_between() {
        let context = Context::new();
        let mut body = Body::new(1);
        let block = body.create_block(body.top_regions()[0], None).expect("a block");
        let outer = make(&context, &mut body, 1);
        body.put_last(outer, block);
        let region = body.regions(outer).next().expect("a region");
        let within = body.create_block(region, None).expect("a block");
        let inner = make(&context, &mut body, 0);
        body.put_last(inner, within);
        assert_eq!(order(&body, block), (vec![0], false));
        let after = make(&context, &mut body, 0);
        body.put_last(after, block);
        assert_eq!(order(&body, block), (vec![0, 2], true));
        assert_eq!(order(&body, within), (vec![1], true));
    }
}
