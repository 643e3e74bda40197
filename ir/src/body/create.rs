//! Making operations in a body that is complete: detached ones, which editing puts in their place.

use super::*;
use crate::error::Result;

/// What a new operation is made of.
#[derive(Clone, Debug)]
pub struct OperationSpec<'a> {
    /// Its name.
    pub name: OperationName,
    /// Its location.
    pub location: AttributeRef,
    /// Discardable attributes: a dictionary.
    pub attributes: Option<AttributeRef>,
    /// Inherent attributes and native properties.
    pub properties: Option<AttributeRef>,
    /// Its operands.
    pub operands: &'a [Value],
    /// The types of its results.
    pub results: &'a [TypeRef],
    /// The blocks that it may go on to.
    pub successors: &'a [BlockId],
    /// The number of its regions, made in this body and empty.
    pub regions: u32,
}

impl<'a> OperationSpec<'a> {
    /// An operation with a name and a location, and nothing else.
    pub fn new(name: OperationName, location: AttributeRef) -> Self {
        OperationSpec {
            name,
            location,
            attributes: None,
            properties: None,
            operands: &[],
            results: &[],
            successors: &[],
            regions: 0,
        }
    }
}

impl Body {
    /// An empty body with `regions` regions of the operation that will own it.
    pub(crate) fn new(regions: u32) -> Self {
        let mut body = Body::default();
        body.regions.reserve_exact(regions as usize);
        body.top_regions = (0..regions).map(|_| body.new_region(None)).collect();
        body
    }

    /// Makes room for so many operations more, which lead to as many bodies as those that there are.
    pub(crate) fn reserve(&mut self, operations: usize) {
        self.operations.reserve_exact(operations);
        self.tails.reserve_exact(operations.min(self.tails.len()));
    }

    pub(super) fn new_region(&mut self, operation: Option<OpId>) -> RegionId {
        self.regions.push(Region { operation, first: None, last: None });
        RegionId::from_index(self.regions.len() - 1).of(self.tag)
    }

    /// Notes the operation's successors.
    pub(super) fn give_successors(&mut self, op: OpId, successors: impl Iterator<Item = BlockId>) {
        let pool = &mut self.seldom.successors;
        let start = pool.len() as u32;
        pool.extend(successors);
        let count = pool.len() as u32 - start;
        self.tail_mut(op).successors = Span { start, count };
        self.link_successors(op);
    }

    /// Makes the operation's regions, in this body, empty.
    pub(super) fn give_regions(&mut self, op: OpId, count: u32, mark: IsolationMark) {
        let start = self.regions.len() as u32;
        for _ in 0..count {
            self.new_region(Some(op));
        }
        let tail = self.tail_mut(op);
        tail.regions = Span { start, count };
        tail.mark = mark;
    }

    /// Says that the operation's regions are in a body of their own; no body where all of them are empty.
    pub(crate) fn set_region_body(&mut self, op: OpId, body: Option<BodyId>, regions: u32, mark: IsolationMark) {
        let tail = self.tail_mut(op);
        (tail.body, tail.body_regions, tail.mark) = (body, regions, mark);
    }

    /// Gives the body of the regions of one operation to another one: the first has empty regions then.
    pub(crate) fn move_region_body(&mut self, from: OpId, to: OpId) {
        self.before_edit();
        let count = self.region_count_of(from) as u32;
        let (body, mark) = (self.region_body(from), self.isolation_mark(from));
        self.set_region_body(from, None, count, mark);
        self.set_region_body(to, body, count, IsolationMark::Unknown);
    }

    /// Makes a detached operation.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](crate::ErrorKind::Misuse) where an operand or successor is none of this body's, or was erased.
    pub(crate) fn create(&mut self, spec: &OperationSpec<'_>) -> Result<OpId> {
        spec.operands.iter().try_for_each(|&value| self.check_value(value))?;
        spec.successors.iter().try_for_each(|&block| self.check_block(block))?;
        Ok(self.make(spec))
    }

    /// Makes a detached operation of what is known to be of this body.
    pub(super) fn make(&mut self, spec: &OperationSpec<'_>) -> OpId {
        self.before_edit();
        let op = OpId::from_index(self.operations.len()).of(self.tag);
        let operands = self.operands.len() as u32;
        self.operands.extend_from_slice(spec.operands);
        let results = self.values.len() as u32;
        let owner = Owner::operation(op);
        self.values.extend(spec.results.iter().map(|&ty| ValueRecord { ty, owner }));
        self.operations.push(Operation {
            name: spec.name,
            location: spec.location,
            attributes: spec.attributes,
            properties: spec.properties,
            block: None,
            operands,
            results,
            shape: Shape::EMPTY,
        });
        self.push_links();
        self.set_counts(op, spec.operands.len(), spec.results.len());
        if !spec.successors.is_empty() {
            self.give_successors(op, spec.successors.iter().copied());
        }
        if spec.regions > 0 {
            self.give_regions(op, spec.regions, IsolationMark::Unknown);
        }
        self.link_uses(op);
        op
    }
}
