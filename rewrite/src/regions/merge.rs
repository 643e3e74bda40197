//! Blocks that do the same become one (`mlir/Transforms/RegionUtils.h`).

use hashbrown::HashMap;
use mlirbc_ir::interfaces::all_successor_operands;
use mlirbc_ir::{AttributeRef, BlockId, OpId, RegionId, Result, Rewriter, Value};

use super::{each_region, have_own_operands};
use crate::classes::Classes;
use crate::dialect::kept_blocks;
use crate::operands::append_successor_operands;

/// A row of blocks is merged from its end, a block each time that all are looked at: so often is that done, and often enough that so many
/// blocks were looked at.
const LEAST_ROUNDS: u64 = 64;
const LEAST_BLOCKS: u64 = 1 << 20;

/// With so many blocks is one compared that look the same and yet cannot become one with it.
const MOST_PER_KEY: usize = 64;

/// Makes one block of those that do the same and go on to the same blocks, in all regions of the body. What they use from other blocks
/// may differ: that is then handed to them. Whether there were any.
///
/// Blocks with regions in them, and those of which other blocks use something, stay as they are.
///
/// # Errors
/// Where something cannot be decoded.
pub fn merge_identical_blocks(rw: &mut Rewriter<'_>) -> Result<bool> {
    rw.build_uses();
    let mut merger = Merger::default();
    let mut merged = false;
    each_region(rw, |rw, region| {
        // Of most regions it is not asked: they have few blocks.
        if let Some(op) = rw.body().operation_of(region).filter(|_| rw.body().blocks(region).nth(2).is_some())
            && kept_blocks(rw.op(op))?.is_some()
        {
            return Ok(());
        }
        let (mut rounds, mut blocks) = (0, 0);
        while rounds < LEAST_ROUNDS || blocks < LEAST_BLOCKS {
            rounds += 1;
            blocks += rw.body().blocks(region).count() as u64;
            if !merger.region(rw, region)? {
                break;
            }
            merged = true;
        }
        Ok(())
    })?;
    Ok(merged)
}

#[derive(Default)]
struct Merger {
    classes: Classes,
}

/// An operand that comes from outside of the block: the place of its operation in the block, and its number there.
type Place = (usize, usize);

/// What makes blocks alike, but for operands from outside.
#[derive(PartialEq, Eq, Hash)]
struct BlockKey(Vec<u64>);

/// Blocks that become the first one.
struct Cluster {
    blocks: Vec<BlockId>,
}

impl Merger {
    /// Merges blocks of one region that are alike now. Whether there were any.
    fn region(&mut self, rw: &mut Rewriter<'_>, region: RegionId) -> Result<bool> {
        let mut groups: Vec<Vec<BlockId>> = Vec::new();
        let mut numbers: HashMap<Vec<BlockId>, usize> = HashMap::new();
        let body = rw.body();
        for block in body.blocks(region).skip(1) {
            let successors = body.last_operation(block).map_or(&[][..], |last| body.successors(last));
            match numbers.get(successors) {
                Some(&number) => groups[number].push(block),
                None => {
                    numbers.insert(successors.to_vec(), groups.len());
                    groups.push(vec![block]);
                }
            }
        }
        let mut merged = false;
        for group in groups.into_iter().filter(|group| group.len() > 1) {
            for cluster in self.clusters(rw, group)? {
                merged |= merge(rw, &cluster)?;
            }
        }
        Ok(merged)
    }

    /// Blocks that go on to the same blocks, by what they do.
    fn clusters(&mut self, rw: &Rewriter<'_>, blocks: Vec<BlockId>) -> Result<Vec<Cluster>> {
        let mut clusters: Vec<Cluster> = Vec::new();
        let mut by_key: HashMap<BlockKey, Vec<usize>> = HashMap::new();
        for block in blocks {
            let Some(key) = self.key(rw, block)? else { continue };
            let others = by_key.entry(key).or_default();
            let fits = |&&cluster: &&usize| can_merge(rw, clusters[cluster].blocks[0], block);
            match others.iter().take(MOST_PER_KEY).find(fits) {
                Some(&cluster) => clusters[cluster].blocks.push(block),
                None => {
                    others.push(clusters.len());
                    clusters.push(Cluster { blocks: vec![block] });
                }
            }
        }
        clusters.retain(|cluster| cluster.blocks.len() > 1);
        Ok(clusters)
    }

    /// What is the same in blocks that may become one. `None` where this one has to stay.
    fn key(&mut self, rw: &Rewriter<'_>, block: BlockId) -> Result<Option<BlockKey>> {
        let body = rw.body();
        let stays_inside = |value: Value| body.uses_of(value).all(|used| body.block_of(used.op) == Some(block));
        let mut words = vec![body.arguments(block).len() as u64];
        // By value that the block defines: its number there.
        let mut inside: HashMap<Value, u64> = HashMap::new();
        let type_of = |value: Value| rw.module().ty(body.ty(value)).map(|ty| u64::from(ty.raw()));
        for &argument in body.arguments(block) {
            if !stays_inside(argument) {
                return Ok(None);
            }
            words.push(type_of(argument)?);
            inside.insert(argument, inside.len() as u64);
        }
        for op in body.operations(block) {
            if has_blocks(rw, op)? || !body.results(op).all(stays_inside) {
                return Ok(None);
            }
            for result in body.results(op) {
                inside.insert(result, inside.len() as u64);
            }
        }
        for op in body.operations(block) {
            words.push(self.classes.of(rw.op(op))?.number());
            words
                .extend([body.region_count_of(op), body.result_count(op), body.operands(op).len()].map(|it| it as u64));
            for result in body.results(op) {
                words.push(type_of(result)?);
            }
            for operand in body.operands(op) {
                match inside.get(operand) {
                    Some(&number) => words.extend([1, number]),
                    None => words.extend([0, type_of(*operand)?]),
                }
            }
        }
        Ok(Some(BlockKey(words)))
    }
}

/// Whether the operation holds blocks.
fn has_blocks(rw: &Rewriter<'_>, op: OpId) -> Result<bool> {
    let body = rw.body();
    if body.region_count_of(op) == 0 {
        return Ok(false);
    }
    let child = rw.child_body(op)?;
    let mut here = body.regions(op).map(|region| body.first_block(region));
    let mut there =
        child.into_iter().flat_map(|child| child.top_regions().iter().map(|&region| child.first_block(region)));
    Ok(here.any(|block| block.is_some()) || there.any(|block| block.is_some()))
}

/// The operands of a block that come from outside, in order.
fn from_outside(rw: &Rewriter<'_>, block: BlockId) -> impl Iterator<Item = (Place, OpId, Value)> {
    let body = rw.body();
    body.operations(block).enumerate().flat_map(move |(place, op)| {
        let operands = body.operands(op).iter().enumerate();
        let outside = operands.filter(move |&(_, &value)| body.defining_block(value) != Some(block));
        outside.map(move |(number, &value)| ((place, number), op, value))
    })
}

/// Whether blocks that are alike can become one: where they use different values from outside, branches can hand these over.
fn can_merge(rw: &Rewriter<'_>, first: BlockId, block: BlockId) -> bool {
    let body = rw.body();
    // What a branch defines itself cannot be handed on by it.
    let is_too_late = |block: BlockId, value: Value| {
        let definer = body.defining_operation(value);
        definer.is_some_and(|definer| body.successors(definer).contains(&block))
    };
    from_outside(rw, first)
        .zip(from_outside(rw, block))
        .all(|((_, _, a), (_, _, b))| a == b || !is_too_late(first, a) && !is_too_late(block, b))
}

/// Makes one block of all in the cluster. Whether that could be done.
fn merge(rw: &mut Rewriter<'_>, cluster: &Cluster) -> Result<bool> {
    let first = cluster.blocks[0];
    let outside: Vec<(Place, OpId, Value)> = from_outside(rw, first).collect();
    let mut handed: Vec<Vec<Value>> = Vec::with_capacity(cluster.blocks.len());
    for &block in &cluster.blocks {
        let of_block = from_outside(rw, block);
        if !of_block.map(|(place, ..)| place).eq(outside.iter().map(|&(place, ..)| place)) {
            // A block that they go on to was merged since, and they hand it more.
            return Ok(false);
        }
        handed.push(from_outside(rw, block).map(|(_, _, value)| value).collect());
    }
    let mut differs = vec![false; outside.len()];
    for values in &handed[1..] {
        for (differs, (a, b)) in differs.iter_mut().zip(handed[0].iter().zip(values)) {
            *differs |= a != b;
        }
    }
    if differs.contains(&true) {
        let mut branches = Branches::default();
        for (number, &block) in cluster.blocks.iter().enumerate() {
            if !branches.add(rw, block, number)? {
                return Ok(false);
            }
        }
        // Of operands that are the same in each block the first stands for the others.
        let mut kept: Vec<usize> = Vec::new();
        let mut stands_for: Vec<(usize, usize)> = Vec::new();
        let mut met: HashMap<Value, usize> = HashMap::new();
        for at in (0..outside.len()).filter(|&at| differs[at]) {
            let earlier = *met.entry(handed[0][at]).or_insert(at);
            let is_twin = handed.iter().all(|values| values[earlier] == values[at]);
            stands_for.push((at, if is_twin { earlier } else { at }));
            if !is_twin || earlier == at {
                kept.push(at);
            }
        }
        let mut arguments: HashMap<usize, Value> = HashMap::new();
        for (at, by) in stands_for {
            let ((_, number), op, value) = outside[at];
            let argument = match arguments.get(&by) {
                Some(&argument) => argument,
                None => {
                    let location = location_of(rw, value);
                    let ty = rw.body().ty(value);
                    let argument = rw.add_argument(first, ty, location)?;
                    arguments.insert(by, argument);
                    argument
                }
            };
            rw.set_operand(op, number, argument)?;
        }
        let handed: Vec<Vec<Value>> = handed.iter().map(|values| kept.iter().map(|&at| values[at]).collect()).collect();
        for (branch, successors) in branches.order {
            let more: Vec<(usize, &[Value])> =
                successors.iter().map(|&(successor, number)| (successor, &handed[number][..])).collect();
            append_successor_operands(rw, branch, &more)?;
        }
    }
    for &block in &cluster.blocks[1..] {
        rw.replace_block_uses(block, first)?;
        rw.erase_block(block)?;
    }
    Ok(true)
}

/// The branches that go on to the blocks of a cluster, each with the numbers of its successors and of the blocks.
#[derive(Default)]
struct Branches {
    order: Vec<(OpId, Vec<(usize, usize)>)>,
    places: HashMap<OpId, usize>,
}

impl Branches {
    /// Adds those that go on to a block. Whether all can hand more to it.
    fn add(&mut self, rw: &mut Rewriter<'_>, block: BlockId, number: usize) -> Result<bool> {
        for (branch, successor) in rw.block_uses(block)? {
            let place = match self.places.get(&branch) {
                Some(&place) => place,
                None => {
                    if !have_own_operands(&all_successor_operands(rw.op(branch))?) {
                        return Ok(false);
                    }
                    self.places.insert(branch, self.order.len());
                    self.order.push((branch, Vec::new()));
                    self.order.len() - 1
                }
            };
            self.order[place].1.push((successor, number));
        }
        Ok(true)
    }
}

/// Where a value is defined.
fn location_of(rw: &Rewriter<'_>, value: Value) -> Option<AttributeRef> {
    let body = rw.body();
    match body.defining_operation(value) {
        Some(op) => Some(body.location(op)),
        None => {
            let block = body.defining_block(value)?;
            let number = body.arguments(block).iter().position(|&argument| argument == value)?;
            body.argument_locations(block)[number]
        }
    }
}
