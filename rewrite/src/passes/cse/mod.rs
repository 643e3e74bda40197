//! `cse` (`mlir/Transforms/Passes.td`).

mod effects;
mod equivalence;
mod known;

use mlirbc_ir::interfaces::is_graph_region;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{BlockId, Body, Location, OpId, OpRef, RegionId, Result, Rewriter, Use};

use self::effects::Effects;
use self::equivalence::Equivalence;
use self::known::{Entry, Known, Scope};
use crate::pass::{LocalPass, LocalRun, Pass};
use crate::registry::{MakePass, PassInfo};

/// Puts the results of one operation in the place of those of another that does the same and is executed after it, and erases that.
///
/// Operations that do nothing to memory are replaced wherever the first one dominates them; those that only read it in its block
/// alone, where nothing between them may write. Those that do nothing to memory and that nothing uses are erased.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cse;

pub(super) const INFO: PassInfo = PassInfo {
    name: "cse",
    about: "compute what is computed several times only once",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(Cse))),
};

impl Pass for Cse {
    fn name(&self) -> &str {
        INFO.name
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        Some(self)
    }
}

impl LocalPass for Cse {
    fn start(&self) -> LocalRun<'_> {
        let mut run = Run::default();
        Box::new(move |rw, counts| {
            run.body(rw)?;
            counts.add("num-cse'd", std::mem::take(&mut run.replaced));
            counts.add("num-dce'd", std::mem::take(&mut run.dead));
            Ok(())
        })
    }
}

/// The blocks of a body that dominate others.
struct Blocks {
    /// By block, where a region has several: the last one that every way to it goes through. Absent for those that cannot be
    /// reached, and for first blocks.
    dominators: Vec<Option<BlockId>>,
}

impl Blocks {
    fn of(rw: &Rewriter<'_>) -> Self {
        let body = rw.body();
        let blocks = (0..body.block_count()).map(BlockId::from_index);
        if blocks.clone().all(|block| body.next_block(block).is_none()) {
            return Blocks { dominators: Vec::new() };
        }
        let dominance = rw.dominance();
        Blocks { dominators: blocks.map(|block| dominance.immediate_dominator(block)).collect() }
    }

    /// Puts the blocks of a region that can be reached in `order`, each behind the one that dominates it, with how many do.
    fn in_order(&self, body: &Body, region: RegionId, order: &mut Vec<(BlockId, usize)>) {
        let Some(first) = body.first_block(region) else { return };
        if body.next_block(first).is_none() {
            return order.push((first, 0));
        }
        let mut dominated: Vec<(BlockId, BlockId)> = body
            .blocks(region)
            .filter_map(|block| Some((self.dominators.get(block.index()).copied()??, block)))
            .collect();
        dominated.sort_unstable();
        let mut waiting = vec![(first, 0)];
        while let Some((block, depth)) = waiting.pop() {
            order.push((block, depth));
            let start = dominated.partition_point(|(dominator, _)| *dominator < block);
            let inner = dominated[start..].iter().take_while(|(dominator, _)| *dominator == block);
            waiting.extend(inner.map(|(_, block)| (*block, depth + 1)));
        }
    }
}

/// A region that is being looked at.
#[derive(Default)]
struct Frame {
    /// Its blocks that are left, the next one last.
    blocks: Vec<(BlockId, usize)>,
    /// One scope for each block that dominates the current one, and its own.
    scopes: Vec<Scope>,
    /// The next operation of the current block.
    next: Option<OpId>,
    /// How many of that operation's regions have been looked at.
    entered: usize,
    /// Whether definitions come before uses.
    ordered: bool,
    /// How many operations of the current block may write to memory, of those that have been looked at.
    writes: u32,
    /// What is known outside, where nothing of that may be used inside.
    outside: Option<Known>,
}

/// One run over all bodies.
#[derive(Default)]
struct Run {
    known: Known,
    effects: Effects,
    equivalence: Equivalence,
    /// Operations that are to be erased in the end: until then what they use is used.
    erase: Vec<OpId>,
    /// Room for the operations of a body, and for what is kept of regions.
    ops: Vec<OpId>,
    spare: Vec<Frame>,
    /// The regions that are being looked at, the innermost last.
    open: Vec<Frame>,
    replaced: u64,
    dead: u64,
}

impl Run {
    /// Looks at one body: what is in it has nothing in common with what is in another.
    fn body(&mut self, rw: &mut Rewriter<'_>) -> Result<()> {
        rw.build_uses();
        let blocks = Blocks::of(rw);
        let body = rw.body();
        self.ops.clear();
        self.open.clear();
        self.erase.clear();
        self.ops.extend(body.preorder());
        let Some(&first) = self.ops.first() else { return Ok(()) };
        let top = rw.op(first);
        self.effects.find(top, &self.ops)?;
        self.equivalence.enter(top, &self.ops)?;
        let owner = rw.module().owner(rw.body_id());
        for number in 0..rw.body().top_regions().len() {
            let Some(&region) = rw.body().top_regions().get(number) else { break };
            let ordered = match owner {
                Some((body, op)) => is_ordered(rw.module().operation(body, op)?, number),
                None => true,
            };
            let frame = self.frame(rw, region, ordered, &blocks);
            self.open.extend(frame);
            self.frames(rw, &blocks)?;
        }
        self.erase.drain(..).try_for_each(|op| rw.erase(op))?;
        Ok(())
    }

    /// What is to be looked at in a region, if anything is.
    fn frame(&mut self, rw: &Rewriter<'_>, region: RegionId, ordered: bool, blocks: &Blocks) -> Option<Frame> {
        let mut frame = self.spare.pop().unwrap_or_default();
        blocks.in_order(rw.body(), region, &mut frame.blocks);
        if frame.blocks.is_empty() || frame.blocks.len() > 1 && !ordered {
            frame.blocks.clear();
            self.spare.push(frame);
            return None;
        }
        frame.blocks.reverse();
        Some(Frame { ordered, ..frame })
    }

    fn frames(&mut self, rw: &mut Rewriter<'_>, blocks: &Blocks) -> Result<()> {
        while let Some(frame) = self.open.last_mut() {
            let Some(op) = frame.next else {
                let depth = frame.blocks.last().map_or(0, |(_, depth)| *depth);
                for scope in frame.scopes.drain(depth.min(frame.scopes.len())..).rev() {
                    self.known.end(scope);
                }
                if let Some((block, _)) = frame.blocks.pop() {
                    frame.scopes.push(self.known.begin());
                    frame.next = rw.body().first_operation(block);
                    frame.writes = 0;
                } else {
                    if let Some(outside) = frame.outside.take() {
                        self.known = outside;
                    }
                    if let Some(Frame { blocks, scopes, .. }) = self.open.pop() {
                        self.spare.push(Frame { blocks, scopes, ..Frame::default() });
                    }
                }
                continue;
            };
            // What is in an operation is looked at before it.
            if let Some(region) = rw.body().regions(op).nth(frame.entered) {
                let number = frame.entered;
                frame.entered += 1;
                let ordered = is_ordered(rw.op(op), number);
                if let Some(mut inner) = self.frame(rw, region, ordered, blocks) {
                    // What is not known may be isolated from above.
                    if rw.op(op).definition().is_none() {
                        inner.outside = Some(std::mem::take(&mut self.known));
                    }
                    self.open.push(inner);
                }
                continue;
            }
            frame.entered = 0;
            frame.next = rw.body().next_operation(op);
            let before = frame.writes;
            let summary = self.effects.of(op);
            frame.writes += u32::from(summary.writes);
            let ordered = frame.ordered;
            self.simplify(rw, op, ordered, before)?;
        }
        Ok(())
    }

    /// Looks at one operation, before which so many of its block may write to memory.
    fn simplify(&mut self, rw: &mut Rewriter<'_>, id: OpId, ordered: bool, writes: u32) -> Result<()> {
        let summary = self.effects.of(id);
        let op = rw.op(id);
        let Some(definition) = op.definition() else { return Ok(()) };
        if definition.traits.contains(Traits::TERMINATOR) {
            return Ok(());
        }
        if summary.erasable && !op.results().any(|result| rw.body().is_used(result)) && !op.is_symbol()? {
            self.erase.push(id);
            self.dead += 1;
            return Ok(());
        }
        if !summary.free && !summary.only_reads || has_several_blocks(op)? {
            return Ok(());
        }
        let hash = self.equivalence.hash(op)?;
        let found = self.find(rw, hash, id)?;
        if let Some(existing) = found {
            let unchanged = || existing.writes == writes && rw.body().block_of(existing.op) == rw.body().block_of(id);
            if summary.free || unchanged() {
                return self.replace(rw, id, existing.op, ordered);
            }
        }
        self.known.enter(hash, id, writes, found);
        Ok(())
    }

    fn find(&mut self, rw: &Rewriter<'_>, hash: u64, op: OpId) -> Result<Option<Entry>> {
        let mut failed = None;
        let found = self.known.find(hash, |known| {
            let same = self.equivalence.are_equivalent(rw.op(known), rw.op(op));
            same.unwrap_or_else(|error| {
                failed = Some(error);
                false
            })
        });
        failed.map_or(Ok(found), Err)
    }

    fn replace(&mut self, rw: &mut Rewriter<'_>, op: OpId, existing: OpId, ordered: bool) -> Result<()> {
        for (result, by) in rw.body().results(op).zip(rw.body().results(existing)) {
            if ordered {
                rw.replace_uses(result, by)?;
                continue;
            }
            // What was looked at is known by what it uses.
            let uses: Vec<Use> = rw.body().uses_of(result).collect();
            let mut wanted = Vec::new();
            for use_ in uses {
                let hash = self.equivalence.hash(rw.op(use_.op))?;
                if self.find(rw, hash, use_.op)?.is_none() {
                    wanted.push(use_);
                }
            }
            rw.replace_uses_if(result, by, |_, use_| wanted.contains(&use_))?;
        }
        if !rw.body().results(op).any(|result| rw.body().is_used(result)) {
            self.erase.push(op);
        }
        if is_unknown(rw, existing)? && !is_unknown(rw, op)? {
            rw.set_location(existing, rw.body().location(op))?;
        }
        self.replaced += 1;
        Ok(())
    }
}

/// Whether definitions come before uses in a region. Nothing else is expected of what is not known.
fn is_ordered(op: OpRef<'_>, region: usize) -> bool {
    op.definition().is_none() || !is_graph_region(op, region)
}

fn has_several_blocks(op: OpRef<'_>) -> Result<bool> {
    if op.body().region_count_of(op.id()) == 0 {
        return Ok(false);
    }
    let (_, body, regions) = op.region_tree()?;
    let has_several = |region: RegionId| body.first_block(region) != body.last_block(region);
    Ok(regions.into_iter().any(has_several))
}

/// Whether the operation's location is unknown.
fn is_unknown(rw: &Rewriter<'_>, op: OpId) -> Result<bool> {
    let unknown = rw.context().unknown_location();
    Ok(match rw.module().location(rw.body().location(op))? {
        Location::Attribute(location) => location == unknown,
        _ => false,
    })
}
