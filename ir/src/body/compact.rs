//! Taking the records of what was erased out of a body.
//!
//! An erased operation, block, region or value leaves its record, marked: its number is given to nothing else, so that whoever holds it
//! (a worklist, the log of a conversion, a pattern that goes on after it erased something) is told that it was erased, and is never
//! handed something else in its place. That is right as long as anyone may hold numbers, and no longer. Between two passes nobody does:
//! where more than half of the records are of what was erased, a body is copied then without them ([`Module::compact`]). What is left
//! keeps its order, so that whatever goes by numbers, such as the order in which operations came to go on to a block, is as it was.
//!
//! To take numbers again at once, as MLIR takes memory again, would cost less memory within one pass. It would have to keep lists of free
//! records by size in six pools, give up the order of numbers, and turn an error about something erased into a silent edit of something
//! else.
//!
//! [`Module::compact`]: crate::Module::compact

use super::row::Links;
use super::*;

/// So many records of erased operations, blocks and values, and what they had, are not worth a copy: about 20 KB.
const FEW: usize = 1024;

const GONE: u32 = u32::MAX;

/// Places in an arena that some go from: the new place of each old one that stays.
#[derive(Debug, Default)]
struct Places {
    new: Vec<u32>,
    count: usize,
}

impl Places {
    /// Of so many, none of which stays so far.
    fn begin(&mut self, count: usize) {
        self.new.clear();
        self.new.resize(count, GONE);
    }

    fn keep(&mut self, old: usize) {
        self.new[old] = 0;
    }

    /// Numbers those that stay.
    fn number(&mut self) {
        let mut count = 0;
        for at in self.new.iter_mut().filter(|at| **at != GONE) {
            *at = count;
            count += 1;
        }
        self.count = count as usize;
    }

    /// The new place of one that stays.
    fn at(&self, old: usize) -> Option<usize> {
        self.new.get(old).copied().filter(|&at| at != GONE).map(|at| at as usize)
    }

    /// Those of a list that stay.
    fn kept<'l, T>(&'l self, list: &'l [T]) -> impl Iterator<Item = &'l T> {
        list.iter().zip(&self.new).filter(|(_, at)| **at != GONE).map(|(kept, _)| kept)
    }
}

/// The new numbers of what stays in a body.
pub(crate) struct Renumbered {
    operations: Places,
}

impl Renumbered {
    /// The new number of an operation; none where it was erased.
    pub(crate) fn operation(&self, op: OpId) -> Option<OpId> {
        self.operations.at(op.index()).map(OpId::from_index)
    }
}

impl Body {
    /// Notes records that nothing needs any more.
    #[inline]
    pub(super) fn count_dead(&mut self, records: usize) {
        self.dead = self.dead.saturating_add(u32::try_from(records).unwrap_or(u32::MAX));
    }

    /// Whether more than half of the records are of what was erased, and they are many.
    pub(crate) fn is_mostly_erased(&self) -> bool {
        let all = self.operations.len()
            + self.blocks.len()
            + self.regions.len()
            + self.values.len()
            + self.operands.len()
            + self.arguments.values.len();
        self.dead as usize >= FEW && self.dead as usize > all / 2
    }

    /// Takes away the records of what was erased: all others get new numbers, in the order of the old ones.
    pub(crate) fn compact(&mut self) -> Renumbered {
        let mut moves = Moves::default();
        *self = self.compacted(&mut moves);
        Renumbered { operations: moves.operations }
    }

    /// The body without the records of what was erased: all others get new numbers, in the order of the old ones.
    pub(crate) fn compacted(&self, moves: &mut Moves) -> Body {
        let counts = moves.find(self);
        let moves = &*moves;
        let mut new = Body { edited: true, ..Body::default() };
        new.top_regions = self.top_regions.iter().filter_map(|&region| moves.region(region)).collect();
        let values = moves.values.kept(&self.values).map(|&value| moves.value_record(value));
        fill(&mut new.values, moves.values.count, values);
        let regions = moves.regions.kept(&self.regions).map(|&region| moves.region_record(region));
        new.regions.reserve_exact(moves.regions.count);
        regions.for_each(|region| new.regions.push(region));
        new.blocks.reserve_exact(moves.blocks.count);
        if counts.arguments > 0 {
            new.arguments.values.reserve_exact(counts.arguments);
            new.arguments.locations.reserve_exact(counts.arguments);
        }
        for block in moves.blocks.kept(&self.blocks) {
            let start = new.arguments.values.len() as u32;
            let range = block.arguments.range();
            if !range.is_empty() {
                let values = &self.arguments.values[range.clone()];
                new.arguments.values.extend(values.iter().filter_map(|&value| moves.value(value)));
                new.arguments.locations.extend_from_slice(&self.arguments.locations[range]);
            }
            let arguments = Span { start, count: block.arguments.count };
            new.blocks.push(moves.block_record(*block, arguments));
        }
        new.operations.reserve_exact(moves.operations.count);
        new.operands.reserve_exact(counts.operands);
        if counts.successors > 0 {
            new.seldom.successors.reserve_exact(counts.successors);
        }
        new.tails.reserve_exact(counts.tails);
        for (at, record) in self.operations.iter().enumerate() {
            let op = OpId::from_index(at);
            if moves.operation(op).is_none() {
                continue;
            }
            let start = new.operands.len() as u32;
            new.operands.extend(self.operands(op).iter().filter_map(|&value| moves.value(value)));
            let tail = record.shape.tail().map(|tail| {
                let mut tail = self.tails[tail.index()];
                let successors = new.seldom.successors.len() as u32;
                if !tail.successors.range().is_empty() {
                    let ways = self.successors(op).iter().filter_map(|&block| moves.block(block));
                    new.seldom.successors.extend(ways);
                }
                tail.successors.start = successors;
                tail.regions.start = moves.regions.at(tail.regions.start as usize).unwrap_or(0) as u32;
                new.tails.push(tail);
                Shape::in_tail(TailId::from_index(new.tails.len() - 1))
            });
            new.operations.push(Operation {
                block: record.block.and_then(|block| moves.block(block)),
                operands: start,
                results: moves.values.at(record.results as usize).unwrap_or(0) as u32,
                shape: tail.unwrap_or(record.shape),
                ..*record
            });
        }
        if let Some(uses) = &self.uses {
            let slots = self.new_places(&moves.operations, self.operands.len(), |op| self.operand_range(op));
            let uses = uses.renumbered(new.operands.len(), &moves.values.new, &slots, &moves.operations.new);
            new.uses = Some(Box::new(uses));
        }
        if let Some(uses) = &self.seldom.block_uses {
            let ways = self.new_places(&moves.operations, self.seldom.successors.len(), |op| self.successor_range(op));
            let uses = uses.renumbered(new.seldom.successors.len(), &moves.blocks.new, &ways, &moves.operations.new);
            new.seldom.block_uses = Some(Box::new(uses));
        }
        if !self.seldom.orders.is_empty() {
            new.seldom.orders = self.seldom.orders.iter().filter_map(|order| moves.order(order)).collect();
        }
        if !self.seldom.links.is_empty() {
            let links = moves.operations.kept(&self.seldom.links);
            new.seldom.links = links.map(|&links| moves.links(links)).collect();
        }
        if !self.seldom.places.is_empty() {
            new.seldom.places = moves.operations.kept(&self.seldom.places).copied().collect();
        }
        new
    }

    /// Where the places of operations in a pool stand that has those of the operations that stay alone, one behind the other.
    fn new_places(
        &self,
        operations: &Places,
        count: usize,
        range: impl Fn(OpId) -> std::ops::Range<usize>,
    ) -> Vec<u32> {
        let mut new = vec![GONE; count];
        let mut next = 0;
        for op in (0..self.operations.len()).filter(|&at| operations.at(at).is_some()).map(OpId::from_index) {
            for old in range(op) {
                new[old] = next;
                next += 1;
            }
        }
        new
    }

    fn successor_range(&self, op: OpId) -> std::ops::Range<usize> {
        self.operations[op.index()].shape.tail().map_or(0..0, |tail| self.tails[tail.index()].successors.range())
    }
}

/// Fills an empty list with as many as that.
fn fill<T>(list: &mut Vec<T>, count: usize, with: impl Iterator<Item = T>) {
    list.reserve_exact(count);
    list.extend(with);
}

/// How much is left of what operations and blocks have.
#[derive(Default)]
struct Counts {
    operands: usize,
    successors: usize,
    tails: usize,
    arguments: usize,
}

/// New places of all that a body holds. They are found anew for each body.
#[derive(Debug, Default)]
pub(crate) struct Moves {
    operations: Places,
    blocks: Places,
    regions: Places,
    values: Places,
}

impl Moves {
    fn find(&mut self, body: &Body) -> Counts {
        let mut counts = Counts::default();
        self.regions.begin(body.regions.len());
        body.top_regions.iter().for_each(|region| self.regions.keep(region.index()));
        self.values.begin(body.values.len());
        let defined = body.values.iter().enumerate().filter(|(_, value)| value.owner != Owner::NONE);
        defined.for_each(|(at, _)| self.values.keep(at));
        self.operations.begin(body.operations.len());
        for op in (0..body.operations.len()).map(OpId::from_index) {
            if body.is_erased(op) {
                continue;
            }
            self.operations.keep(op.index());
            body.operands(op).iter().for_each(|value| self.values.keep(value.index()));
            counts.operands += body.operands(op).len();
            if body.operations[op.index()].shape.tail().is_some() {
                counts.tails += 1;
                counts.successors += body.successors(op).len();
                body.regions(op).for_each(|region| self.regions.keep(region.index()));
            }
        }
        self.blocks.begin(body.blocks.len());
        for (at, block) in body.blocks.iter().enumerate().filter(|(_, block)| block.region.is_some()) {
            self.blocks.keep(at);
            counts.arguments += block.arguments.range().len();
        }
        for places in [&mut self.operations, &mut self.blocks, &mut self.regions, &mut self.values] {
            places.number();
        }
        counts
    }

    fn operation(&self, op: OpId) -> Option<OpId> {
        self.operations.at(op.index()).map(OpId::from_index)
    }

    fn block(&self, block: BlockId) -> Option<BlockId> {
        self.blocks.at(block.index()).map(BlockId::from_index)
    }

    fn region(&self, region: RegionId) -> Option<RegionId> {
        self.regions.at(region.index()).map(RegionId::from_index)
    }

    fn value(&self, value: Value) -> Option<Value> {
        self.values.at(value.index()).map(Value::from_index)
    }

    fn links(&self, Links { previous, next }: Links) -> Links {
        let new = |op: Option<OpId>| op.and_then(|op| self.operation(op));
        Links { previous: new(previous), next: new(next) }
    }

    fn value_record(&self, value: ValueRecord) -> ValueRecord {
        let owner = match value.owner {
            Owner::NONE => None,
            Owner(number) if number & Owner::BLOCK == 0 => {
                self.operation(OpId::from_index(number as usize)).map(Owner::operation)
            }
            Owner(number) => self.block(BlockId::from_index((number & !Owner::BLOCK) as usize)).map(Owner::block),
        };
        ValueRecord { owner: owner.unwrap_or(Owner::NONE), ..value }
    }

    fn region_record(&self, region: Region) -> Region {
        Region {
            operation: region.operation.and_then(|op| self.operation(op)),
            first: region.first.and_then(|block| self.block(block)),
            last: region.last.and_then(|block| self.block(block)),
        }
    }

    fn block_record(&self, block: Block, arguments: Span) -> Block {
        Block {
            region: block.region.and_then(|region| self.region(region)),
            previous: block.previous.and_then(|block| self.block(block)),
            next: block.next.and_then(|block| self.block(block)),
            first: block.first.and_then(|op| self.operation(op)),
            last: block.last.and_then(|op| self.operation(op)),
            arguments,
        }
    }

    fn order(&self, order: &StoredOrder) -> Option<StoredOrder> {
        Some(StoredOrder { value: self.value(order.value)?, places: order.places.clone() })
    }
}

/// The new number of what an old one stands for, none among them.
pub(super) fn renumbered(number: u32, new: &[u32]) -> u32 {
    new.get(number as usize).copied().unwrap_or(GONE)
}
