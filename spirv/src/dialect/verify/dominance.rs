//! Whether values are defined before they are used.

use hashbrown::HashMap;
use mlirbc_ir::{BlockId, Body, OpId, OpRef, RegionId, Result, ValueOwner};

use super::wrong;

/// How many regions up a definition is looked for; deeper ones are not checked.
const LEVELS: usize = 256;

/// When a walk of the tree of dominators comes to a block first, and when it leaves it.
type Interval = (u32, u32);

struct Dominance<'m> {
    body: &'m Body,
    intervals: HashMap<BlockId, Interval>,
    /// Of operations, in which order they stand in their block.
    places: HashMap<OpId, u32>,
}

/// Checks that every value which a function uses is defined before, on every way through its blocks.
pub(super) fn verify(op: OpRef<'_>) -> Result<()> {
    let (id, body, regions) = op.region_tree()?;
    let mut dominance = Dominance { body, intervals: HashMap::new(), places: HashMap::new() };
    let mut left = regions;
    let mut operations = Vec::new();
    while let Some(region) = left.pop() {
        // A region without an end in sight is not checked: nor is what it holds.
        if !dominance.add(region) {
            return Ok(());
        }
        for block in body.blocks(region) {
            for (inside, place) in body.operations(block).zip(0..) {
                dominance.places.insert(inside, place);
                left.extend(body.regions(inside));
                operations.push(inside);
            }
        }
    }
    for inside in operations {
        for (number, &operand) in body.operands(inside).iter().enumerate() {
            if dominance.defines(operand, inside) == Some(false) {
                let name = op.module().operation(id, inside)?.name();
                return Err(wrong(format!("operand #{number} of `{name}` does not dominate this use")));
            }
        }
    }
    Ok(())
}

impl Dominance<'_> {
    /// Finds the dominators of the blocks of a region; false where that would take too long.
    fn add(&mut self, region: RegionId) -> bool {
        let Some(entry) = self.body.first_block(region) else { return true };
        let order = self.order(entry);
        let number: HashMap<BlockId, usize> = order.iter().enumerate().map(|(at, &block)| (block, at)).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for (at, &block) in order.iter().enumerate() {
            for successor in successors(self.body, block) {
                if let Some(&to) = number.get(successor) {
                    before[to].push(at);
                }
            }
        }
        // Each block's nearest dominator: what the ways to it have in common, until nothing changes.
        const NONE: usize = usize::MAX;
        let mut nearest = vec![NONE; order.len()];
        nearest[0] = 0;
        let mut steps = order.len().saturating_mul(64).saturating_add(1 << 20);
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..order.len() {
                let mut found = NONE;
                for &from in &before[at] {
                    if nearest[from] == NONE {
                        continue;
                    }
                    let (mut left, mut right) = (from, if found == NONE { from } else { found });
                    while left != right {
                        let Some(less) = steps.checked_sub(1) else { return false };
                        steps = less;
                        match left > right {
                            true => left = nearest[left],
                            false => right = nearest[right],
                        }
                    }
                    found = left;
                }
                let Some(less) = steps.checked_sub(1) else { return false };
                steps = less;
                changed |= nearest[at] != found;
                nearest[at] = found;
            }
        }
        self.number_tree(&order, &nearest);
        true
    }

    /// The blocks that can be reached, each before those that only it leads to.
    fn order(&self, entry: BlockId) -> Vec<BlockId> {
        let mut seen: hashbrown::HashSet<BlockId> = [entry].into();
        let mut open = vec![(entry, 0)];
        let mut order = Vec::new();
        while let Some((block, next)) = open.last_mut() {
            let successor = successors(self.body, *block).get(*next).copied();
            *next += 1;
            match successor {
                Some(successor) if seen.insert(successor) => open.push((successor, 0)),
                Some(_) => {}
                None => {
                    order.push(*block);
                    open.pop();
                }
            }
        }
        order.reverse();
        order
    }

    fn number_tree(&mut self, order: &[BlockId], nearest: &[usize]) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for (at, &parent) in nearest.iter().enumerate().skip(1) {
            if let Some(list) = children.get_mut(parent) {
                list.push(at);
            }
        }
        let mut clock = 0;
        let mut open = vec![(0, 0)];
        let mut entered = vec![0; order.len()];
        while let Some((at, next)) = open.last_mut() {
            let (at, child) = (*at, children[*at].get(*next).copied());
            *next += 1;
            match child {
                Some(child) => {
                    clock += 1;
                    entered[child] = clock;
                    open.push((child, 0));
                }
                None => {
                    clock += 1;
                    self.intervals.insert(order[at], (entered[at], clock));
                    open.pop();
                }
            }
        }
    }

    /// Whether a value is there when an operation uses it; `None` where that is not known.
    fn defines(&self, value: mlirbc_ir::Value, user: OpId) -> Option<bool> {
        let block = self.body.defining_block(value)?;
        let region = self.body.region_of(block)?;
        let mut at = user;
        for _ in 0..LEVELS {
            let here = self.body.block_of(at)?;
            if self.body.region_of(here)? != region {
                // A value of a region that is not around is not seen there.
                let Some(parent) = self.body.parent(at) else { return Some(false) };
                at = parent;
                continue;
            }
            if here != block {
                let (Some(from), Some(to)) = (self.intervals.get(&block), self.intervals.get(&here)) else {
                    // Nothing goes wrong where nothing comes by; but what is defined there is not seen elsewhere.
                    return Some(!self.intervals.contains_key(&here));
                };
                return Some(from.0 <= to.0 && to.1 <= from.1);
            }
            return match self.body.owner(value)? {
                ValueOwner::Result(op, _) => {
                    // An operation's results are not seen in its regions.
                    Some(self.places.get(&op)? < self.places.get(&at)? || !self.intervals.contains_key(&here))
                }
                ValueOwner::Argument(..) => Some(true),
            };
        }
        None
    }
}

fn successors(body: &Body, block: BlockId) -> &[BlockId] {
    body.last_operation(block).map_or(&[], |last| body.successors(last))
}
