//! Walks over a body. None of them recurses: nesting may be as deep as memory allows.

use super::*;

/// The blocks of a region, in order.
#[derive(Clone, Debug)]
pub struct BlockIter<'a> {
    body: &'a Body,
    next: Option<BlockId>,
}

impl Iterator for BlockIter<'_> {
    type Item = BlockId;
    #[inline]
    fn next(&mut self) -> Option<BlockId> {
        let block = self.next?;
        self.next = self.body.next_block(block);
        Some(block)
    }
}

/// The operations of a block, in order.
#[derive(Clone, Debug)]
pub struct OpIter<'a> {
    body: &'a Body,
    next: Option<OpId>,
}

impl Iterator for OpIter<'_> {
    type Item = OpId;
    #[inline]
    fn next(&mut self) -> Option<OpId> {
        let op = self.next?;
        self.next = self.body.next_operation(op);
        Some(op)
    }
}

/// Operations and all that is nested in them in this body, each before what it holds.
#[derive(Clone, Debug)]
pub struct Preorder<'a> {
    body: &'a Body,
    next: Option<OpId>,
    /// Where to stop climbing: the operation whose inside is walked, if the walk began inside one.
    top: Option<OpId>,
    /// Roots that are still to be walked.
    top_regions: std::slice::Iter<'a, RegionId>,
}

impl Preorder<'_> {
    /// The first operation in the regions from the `from`-th on of `op`.
    fn first_inside(&self, op: OpId, from: usize) -> Option<OpId> {
        let body = self.body;
        body.regions(op).skip(from).find_map(|region| body.first_operation_of_region(region))
    }

    fn after(&self, op: OpId) -> Option<OpId> {
        let body = self.body;
        let mut op = op;
        loop {
            if Some(op) == self.top {
                return None;
            }
            if let Some(next) = body.next_operation(op) {
                return Some(next);
            }
            let mut block = body.block_of(op)?;
            while let Some(next) = body.next_block(block) {
                if let Some(first) = body.first_operation(next) {
                    return Some(first);
                }
                block = next;
            }
            let region = body.region_of(block)?;
            let parent = body.operation_of(region)?;
            let number = region.index() - body.regions(parent).next()?.index();
            if let Some(first) = self.first_inside(parent, number + 1) {
                return Some(first);
            }
            op = parent;
        }
    }
}

impl Iterator for Preorder<'_> {
    type Item = OpId;
    #[inline]
    fn next(&mut self) -> Option<OpId> {
        while self.next.is_none() {
            let region = *self.top_regions.next()?;
            self.next = self.body.first_operation_of_region(region);
        }
        let op = self.next?;
        let record = &self.body.operations[op.index()];
        self.next = match self.body.next_operation(op) {
            // Most operations hold nothing.
            Some(next) if record.shape.tail().is_none() && Some(op) != self.top => Some(next),
            _ => self.first_inside(op, 0).or_else(|| self.after(op)),
        };
        Some(op)
    }
}

impl Body {
    /// The region's blocks.
    #[inline]
    pub fn blocks(&self, region: RegionId) -> BlockIter<'_> {
        BlockIter { body: self, next: self.first_block(region) }
    }

    /// The block's operations.
    #[inline]
    pub fn operations(&self, block: BlockId) -> OpIter<'_> {
        OpIter { body: self, next: self.first_operation(block) }
    }

    fn first_operation_of_region(&self, region: RegionId) -> Option<OpId> {
        self.blocks(region).find_map(|block| self.first_operation(block))
    }

    /// Every operation of the body, each before what it holds; operations of other bodies are not entered.
    pub fn preorder(&self) -> Preorder<'_> {
        Preorder { body: self, next: None, top: None, top_regions: self.top_regions.iter() }
    }

    /// The operation, then every operation inside it in this body.
    pub fn preorder_of(&self, op: OpId) -> Preorder<'_> {
        Preorder { body: self, next: Some(op), top: Some(op), top_regions: [].iter() }
    }

    /// The blocks that may go on to `block`, in the order of their region.
    pub fn predecessors(&self, block: BlockId) -> Vec<BlockId> {
        let Some(region) = self.region_of(block) else { return Vec::new() };
        self.blocks(region)
            .filter(|&other| self.operations(other).any(|op| self.successors(op).contains(&block)))
            .collect()
    }

    /// Whether `op` is `ancestor` or stands inside it, within this body.
    pub fn is_inside(&self, op: OpId, ancestor: OpId) -> bool {
        std::iter::successors(Some(op), |&op| self.parent(op)).any(|op| op == ancestor)
    }
}
