//! Bodies in which nothing is used before it is defined, as most are: seen by going through them once.

use crate::body::{BlockId, Body, BodyId, OpId, RegionId};
use crate::module::{Module, OpRef};
use crate::ods::Traits;

/// Tells bodies that are in order, with tables that are used again from one body to the next.
#[derive(Default)]
pub(crate) struct Glance {
    /// By value: whether it can be used where the walk is.
    visible: Vec<bool>,
    /// The values that can be, in the order in which the walk came by.
    trail: Vec<u32>,
    levels: Vec<Level>,
}

/// A block that the walk is in.
struct Level {
    /// What holds its region; nothing where that is one of the body itself.
    holder: Option<OpId>,
    /// How many regions of that were entered.
    regions: usize,
    /// The first block of the region, which dominates all that can be reached of it.
    entry: BlockId,
    block: BlockId,
    /// The operation that comes next.
    next: Option<OpId>,
    /// How long the trail was before the region.
    before_region: usize,
    /// The same before the block.
    before_block: usize,
}

impl Glance {
    /// Whether every operation of the body uses only what is defined before it: in its block or one around it, or in the first block of
    /// the region of one of these. Where not, [`Dominance`](super::Dominance) knows.
    pub(crate) fn is_in_order(&mut self, module: &Module, id: BodyId, body: &Body) -> bool {
        if let &[root] = body.top_regions()
            && let first = body.first_block(root)
            && first.is_none_or(|first| body.region_count() == 1 && is_numbered_in_order(body, first))
        {
            return true;
        }
        if self.visible.len() < body.value_count() {
            self.visible.resize(body.value_count(), false);
        }
        let in_order = self.walk(module, id, body);
        self.hide(0);
        self.levels.clear();
        in_order
    }

    fn walk(&mut self, module: &Module, id: BodyId, body: &Body) -> bool {
        self.enter(body, None, 0);
        while let Some(level) = self.levels.last_mut() {
            let Some(op) = level.next else {
                self.leave(body);
                continue;
            };
            let view = body.view(op);
            level.next = view.next();
            if !view.operands().iter().all(|operand| self.visible.get(operand.index()) == Some(&true)) {
                return false;
            }
            if view.regions().len() == 0 {
                view.results().for_each(|result| self.show(result.index()));
                continue;
            }
            if OpRef::new(module, id, body, op).has_trait(Traits::ISOLATED_FROM_ABOVE) {
                return false;
            }
            self.enter(body, Some(op), 0);
        }
        true
    }

    /// Goes into the first region that has a block of those from that number on; the results of the operation that holds them are
    /// visible behind the last one.
    fn enter(&mut self, body: &Body, holder: Option<OpId>, from: usize) {
        let region = |number: usize| -> Option<RegionId> {
            match holder {
                Some(op) => body.regions(op).nth(number),
                None => body.top_regions().get(number).copied(),
            }
        };
        let mut regions = from;
        while let Some(region) = region(regions) {
            regions += 1;
            if let Some(entry) = body.first_block(region) {
                let before = self.trail.len();
                let next = body.first_operation(entry);
                let (before_region, before_block) = (before, before);
                self.levels.push(Level { holder, regions, entry, block: entry, next, before_region, before_block });
                body.arguments(entry).iter().for_each(|argument| self.show(argument.index()));
                return;
            }
        }
        if let Some(op) = holder {
            body.results(op).for_each(|result| self.show(result.index()));
        }
    }

    /// Goes from the end of a block to the next one, or out of the region.
    fn leave(&mut self, body: &Body) {
        let Some(mut level) = self.levels.pop() else { return };
        if level.block != level.entry {
            self.hide(level.before_block);
        }
        match body.next_block(level.block) {
            Some(block) => {
                (level.block, level.next) = (block, body.first_operation(block));
                level.before_block = self.trail.len();
                self.levels.push(level);
                body.arguments(block).iter().for_each(|argument| self.show(argument.index()));
            }
            None => {
                self.hide(level.before_region);
                self.enter(body, level.holder, level.regions);
            }
        }
    }

    fn show(&mut self, value: usize) {
        if let Some(visible) = self.visible.get_mut(value) {
            *visible = true;
            self.trail.push(value as u32);
        }
    }

    /// Hides the values that came behind so many.
    fn hide(&mut self, from: usize) {
        for value in self.trail.drain(from..) {
            self.visible[value as usize] = false;
        }
    }
}

/// Whether values are numbered as they stand, as when they have been read, and used by operations behind them.
fn is_numbered_in_order(body: &Body, block: BlockId) -> bool {
    if body.next_block(block).is_some() {
        return false;
    }
    let arguments = body.arguments(block);
    let mut defined = arguments.len();
    if arguments.iter().zip(0..).any(|(argument, at)| argument.index() != at) {
        return false;
    }
    body.views(block).all(|op| {
        let in_order = op.operands().iter().all(|operand| operand.index() < defined);
        let mut results = op.results();
        let (count, first) = (results.len(), results.next());
        let follows = first.is_none_or(|first| first.index() == defined);
        defined += count;
        in_order && follows
    })
}
