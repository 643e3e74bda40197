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

use super::*;

/// So many records of erased operations, blocks and values, and what they had, are not worth a copy: about 20 KB.
const FEW: usize = 1024;

const GONE: u32 = u32::MAX;

/// Places in an arena that some go from: the new place of each old one that stays.
struct Places {
    new: Vec<u32>,
    count: usize,
}

impl Places {
    fn of(stays: impl Iterator<Item = bool>) -> Self {
        let mut count = 0;
        let new = stays.map(|stays| {
            let at = if stays { count } else { GONE };
            count += u32::from(stays);
            at
        });
        let new = new.collect();
        Places { new, count: count as usize }
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
        let mut old = std::mem::take(self);
        let mut live_regions = vec![false; old.regions.len()];
        let mut live_values: Vec<bool> = old.values.iter().map(|value| value.owner != Owner::NONE).collect();
        old.top_regions.iter().for_each(|region| live_regions[region.index()] = true);
        let operations = Places::of((0..old.operations.len()).map(|at| {
            let op = OpId::from_index(at);
            let stays = !old.is_erased(op);
            if stays {
                old.regions(op).for_each(|region| live_regions[region.index()] = true);
                old.operands(op).iter().for_each(|value| live_values[value.index()] = true);
            }
            stays
        }));
        let moves = Moves {
            operations,
            blocks: Places::of(old.blocks.iter().map(|block| block.region.is_some())),
            regions: Places::of(live_regions.into_iter()),
            values: Places::of(live_values.into_iter()),
        };
        let mut new = Body { edited: true, ..Body::default() };
        new.top_regions = old.top_regions.iter().filter_map(|&region| moves.region(region)).collect();
        new.values = moves.values.kept(&old.values).map(|&value| moves.value_record(value)).collect();
        new.regions = moves.regions.kept(&old.regions).map(|&region| moves.region_record(region)).collect();
        new.blocks.reserve_exact(moves.blocks.count);
        for block in moves.blocks.kept(&old.blocks) {
            let start = new.arguments.values.len() as u32;
            let range = block.arguments.range();
            if !range.is_empty() {
                let values = &old.arguments.values[range.clone()];
                new.arguments.values.extend(values.iter().filter_map(|&value| moves.value(value)));
                new.arguments.locations.extend_from_slice(&old.arguments.locations[range]);
            }
            let arguments = Span { start, count: block.arguments.count };
            new.blocks.push(moves.block_record(*block, arguments));
        }
        // Where each operand that is left was, and where each successor.
        let (mut slots, mut ways) = (vec![GONE; old.operands.len()], vec![GONE; old.seldom.successors.len()]);
        new.operations.reserve_exact(moves.operations.count);
        for (at, record) in old.operations.iter().enumerate() {
            let op = OpId::from_index(at);
            if moves.operation(op).is_none() {
                continue;
            }
            let start = new.operands.len() as u32;
            for slot in old.operand_range(op) {
                slots[slot] = new.operands.len() as u32;
                new.operands.extend(moves.value(old.operands[slot]));
            }
            let tail = record.tail.map(|tail| {
                let mut tail = old.tails[tail.index()];
                let successors = new.seldom.successors.len() as u32;
                for way in tail.successors.range() {
                    ways[way] = new.seldom.successors.len() as u32;
                    new.seldom.successors.extend(moves.block(old.seldom.successors[way]));
                }
                tail.successors.start = successors;
                tail.regions.start = moves.regions.at(tail.regions.start as usize).unwrap_or(0) as u32;
                new.tails.push(tail);
                TailId::from_index(new.tails.len() - 1)
            });
            new.operations.push(Operation {
                block: record.block.and_then(|block| moves.block(block)),
                previous: record.previous.and_then(|op| moves.operation(op)),
                next: record.next.and_then(|op| moves.operation(op)),
                operands: start,
                results: moves.values.at(record.results as usize).unwrap_or(0) as u32,
                tail,
                ..*record
            });
        }
        let (values, blocks, operations) = (&moves.values.new, &moves.blocks.new, &moves.operations.new);
        new.uses = old.uses.map(|uses| Box::new(uses.renumbered(new.operands.len(), values, &slots, operations)));
        let count = new.seldom.successors.len();
        if let Some(seldom) = old.seldom.get_mut() {
            let block_uses = seldom.block_uses.take();
            new.seldom.block_uses = block_uses.map(|uses| Box::new(uses.renumbered(count, blocks, &ways, operations)));
            new.seldom.orders = seldom.orders.iter().filter_map(|order| moves.order(order)).collect();
            new.seldom.places = moves.operations.kept(&seldom.places).copied().collect();
        }
        *self = new;
        Renumbered { operations: moves.operations }
    }
}

/// New places of all that a body holds.
struct Moves {
    operations: Places,
    blocks: Places,
    regions: Places,
    values: Places,
}

impl Moves {
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
