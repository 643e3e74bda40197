//! What dominates what in a tree, told by leaving out one block after the other.

use super::*;

impl Tree {
    fn reached(&self, first: BlockId, without: Option<BlockId>) -> Vec<BlockId> {
        let mut met: Vec<BlockId> = [first].into_iter().filter(|&first| Some(first) != without).collect();
        let mut at = 0;
        while let Some(block) = met.get(at) {
            let region = self.blocks[block].region;
            for to in self.blocks[block].ops.last().iter().flat_map(|op| &self.ops[op].successors) {
                let is_beside = self.blocks.get(to).is_some_and(|block| block.region == region);
                if is_beside && Some(*to) != without && !met.contains(to) {
                    met.push(*to);
                }
            }
            at += 1;
        }
        met
    }

    /// Asserts that dominance is what leaving out each block in turn says, in what is not detached.
    pub fn check_dominance(&self, dominance: &Dominance<'_>, asked: &mut dyn FnMut(usize) -> usize) {
        let outermost = |region: RegionId| match self.regions[&region].op {
            Some(op) => *self.around(op).last().unwrap_or(&region),
            None => region,
        };
        let regions: Vec<RegionId> =
            self.regions.keys().copied().filter(|&region| self.roots.contains(&outermost(region))).collect();
        // By block: those that it dominates, where it can be reached.
        let mut dominated: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        let mut live: Vec<BlockId> = Vec::new();
        for region in &regions {
            let blocks = &self.regions[region].blocks;
            let Some(&first) = blocks.first() else { continue };
            let reached = self.reached(first, None);
            for &block in blocks {
                let left = self.reached(first, Some(block));
                let lost = reached.iter().copied().filter(|it| !left.contains(it)).collect();
                dominated.insert(block, lost);
                assert_eq!(dominance.is_reachable(block), reached.contains(&block), "{block:?}");
            }
            for &one in blocks {
                for &other in blocks {
                    let expected = one == other || !reached.contains(&other) || dominated[&one].contains(&other);
                    assert_eq!(dominance.dominates(one, other), expected, "{one:?} {other:?}");
                }
                let above = |it: &BlockId| *it != one && dominated[it].contains(&one);
                let nearest = reached
                    .iter()
                    .copied()
                    .filter(above)
                    .max_by_key(|it| reached.iter().filter(|around| dominated[around].contains(it)).count());
                let nearest = nearest.filter(|_| reached.contains(&one));
                assert_eq!(dominance.immediate_dominator(one), nearest, "{one:?}");
            }
            live.extend(reached);
        }
        let (values, order) = (self.types.keys().copied().collect::<Vec<_>>(), self.preorder());
        if values.is_empty() || order.is_empty() {
            return;
        }
        for _ in 0..20 {
            let (value, op) = (values[asked(values.len())], order[asked(order.len())]);
            let expected = self.reaches(value, op, dominance, &dominated, &live);
            assert_eq!(dominance.reaches(value, op), expected, "{value:?} in {op:?}");
        }
    }

    fn reaches(
        &self,
        value: Value,
        op: OpId,
        dominance: &Dominance<'_>,
        dominated: &BTreeMap<BlockId, Vec<BlockId>>,
        live: &[BlockId],
    ) -> bool {
        let definer = self.ops.iter().find(|it| it.1.results.contains(&value)).map(|it| *it.0);
        let block = match definer {
            Some(definer) => self.ops[&definer].block,
            None => self.blocks.iter().find(|it| it.1.arguments.iter().any(|it| it.0 == value)).map(|it| *it.0),
        };
        let Some(block) = block else { return false };
        let Some(region) = self.blocks.get(&block).map(|block| block.region) else { return false };
        if !dominated.contains_key(&block) {
            return false;
        }
        // The operation around the use that stands in the region of the definition.
        let mut at = op;
        let using = loop {
            let Some(using) = self.ops[&at].block else { return false };
            if self.blocks[&using].region == region {
                break using;
            }
            let Some(holder) = self.regions[&self.blocks[&using].region].op else { return false };
            at = holder;
        };
        if !live.contains(&using) {
            // What cannot be reached may use what it likes of other blocks.
            if using != block {
                return true;
            }
        } else if using != block {
            return live.contains(&block) && dominated[&block].contains(&using);
        }
        let Some(definer) = definer else { return true };
        let ops = &self.blocks[&block].ops;
        let place = |op: OpId| ops.iter().position(|&it| it == op);
        dominance.is_graph(region) || place(definer) < place(at)
    }
}
