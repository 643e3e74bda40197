//! Operations with their records at hand.

use super::*;

/// An operation of a body whose record was looked up: for those who look at many parts of many operations.
#[derive(Clone, Copy)]
pub struct OpView<'a> {
    body: &'a Body,
    record: &'a Operation,
    id: OpId,
}

/// All that an operation of a common kind is beside its name, location and operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpKey {
    /// Its discardable attributes.
    pub attributes: Option<AttributeRef>,
    /// Its properties.
    pub properties: Option<AttributeRef>,
    /// How many operands it has.
    pub operands: u16,
    /// The type of its result, where it has one.
    pub result: Option<TypeRef>,
}

impl Body {
    /// The operation, its record looked up once.
    #[inline]
    pub fn view(&self, op: OpId) -> OpView<'_> {
        debug_assert!(op.is_of(self.tag), "{op:?} is one of another body");
        OpView { body: self, record: &self.operations[op.index()], id: op }
    }

    /// The block's operations.
    #[inline]
    pub fn views(&self, block: BlockId) -> impl Iterator<Item = OpView<'_>> {
        let mut next = self.first_operation(block);
        std::iter::from_fn(move || {
            let op = self.view(next?);
            next = op.next();
            Some(op)
        })
    }
}

impl<'a> OpView<'a> {
    /// The operation's number in its body.
    #[inline]
    pub fn id(self) -> OpId {
        self.id
    }

    #[inline]
    pub(super) fn tail(self) -> Option<&'a Tail> {
        self.record.shape.tail().map(|tail| &self.body.tails[tail.index()])
    }

    /// The operation's name.
    #[inline]
    pub fn name(self) -> OperationName {
        self.record.name
    }

    /// The operation's location.
    #[inline]
    pub fn location(self) -> AttributeRef {
        self.record.location
    }

    /// The operation's discardable attributes: a dictionary.
    #[inline]
    pub fn attributes(self) -> Option<AttributeRef> {
        self.record.attributes
    }

    /// The operation's properties: a dictionary of the context, or a blob of the module's source.
    #[inline]
    pub fn properties(self) -> Option<AttributeRef> {
        self.record.properties
    }

    /// What the operation may have in common with others of its name; `None` where it has regions, successors or more than
    /// one result.
    #[inline]
    pub fn key(self) -> Option<OpKey> {
        let record = self.record;
        let operands = record.shape.operands()?;
        if record.shape.results()? > 1 {
            return None;
        }
        Some(OpKey {
            attributes: record.attributes,
            properties: record.properties,
            operands,
            result: self.result_types().next(),
        })
    }

    /// Whether the operation has neither attributes nor successors nor regions, and few operands and results.
    #[inline]
    pub fn is_plain(self) -> bool {
        self.record.attributes.is_none() && self.record.shape.tail().is_none()
    }

    /// The next operation of the block.
    #[inline]
    pub fn next(self) -> Option<OpId> {
        self.body.next_operation(self.id)
    }

    #[inline]
    pub(super) fn operand_range(self) -> std::ops::Range<usize> {
        let count = match self.record.shape.operands() {
            Some(count) => count.into(),
            None => self.tail().map_or(0, |tail| tail.operand_count as usize),
        };
        let start = self.record.operands as usize;
        start..start + count
    }

    /// The operation's operands.
    #[inline]
    pub fn operands(self) -> &'a [Value] {
        &self.body.operands[self.operand_range()]
    }

    #[inline]
    pub(super) fn result_range(self) -> std::ops::Range<usize> {
        let count = match self.record.shape.results() {
            Some(count) => count.into(),
            None => self.tail().map_or(0, |tail| tail.result_count as usize),
        };
        let start = self.record.results as usize;
        start..start + count
    }

    /// The operation's results.
    #[inline]
    pub fn results(self) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + Clone + use<> {
        let tag = self.body.tag;
        self.result_range().map(move |at| Value::from_index(at).of(tag))
    }

    /// The types of the operation's results.
    #[inline]
    pub fn result_types(self) -> impl ExactSizeIterator<Item = TypeRef> + use<'a> {
        self.body.values[self.result_range()].iter().map(|value| value.ty)
    }

    /// The blocks that the operation may go on to.
    #[inline]
    pub fn successors(self) -> &'a [BlockId] {
        self.tail().map_or(&[], |tail| &self.body.seldom.successors[tail.successors.range()])
    }

    /// Number of the operation's regions, wherever they are.
    #[inline]
    pub fn region_count(self) -> usize {
        self.tail().map_or(0, |tail| (tail.regions.count + tail.body_regions) as usize)
    }

    /// The operation's regions in this body. Empty for operations isolated from above: see [`OpView::region_body`].
    pub fn regions(self) -> impl ExactSizeIterator<Item = RegionId> + DoubleEndedIterator + use<> {
        let span = self.tail().map_or(Span::default(), |tail| tail.regions);
        let tag = self.body.tag;
        span.range().map(move |at| RegionId::from_index(at).of(tag))
    }

    /// The body that holds the regions of an operation isolated from above.
    #[inline]
    pub fn region_body(self) -> Option<BodyId> {
        self.tail().and_then(|tail| tail.body)
    }
}
