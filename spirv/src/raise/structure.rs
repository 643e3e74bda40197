//! Which blocks of a function become regions.
//!
//! A construct is the blocks from a header up to its merge block. It becomes a region where control enters it by its header
//! and leaves it by its merge block alone, and a loop goes back to its header from one block, by a plain branch, as MLIR
//! asks for. All others stay as they are, with their merge instruction kept as an attribute.

use super::scan::Scan;
use crate::op;

/// No block, no construct.
pub(super) const NONE: u32 = u32::MAX;

/// A block of a function.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The id of its label.
    pub(super) label: u32,
    /// Where its first instruction begins, and its last.
    pub(super) first: u32,
    pub(super) last: u32,
    /// Where its merge instruction begins; 0 where it has none.
    pub(super) merge: u32,
    /// The line in force there.
    pub(super) merge_line: u32,
    /// The line in force at its last instruction.
    pub(super) last_line: u32,
    /// The line in force where it begins: where its instruction stands, or 0.
    pub(super) line: u32,
    /// Its successors, in [`Flow::successors`].
    pub(super) start: u32,
    pub(super) end: u32,
}

/// A construct that becomes a region.
#[derive(Clone, Debug)]
pub(super) struct Construct {
    pub(super) is_loop: bool,
    pub(super) header: u32,
    pub(super) merge: u32,
    /// The continue target of a loop.
    pub(super) target: u32,
    /// The block that goes back to the header of a loop.
    pub(super) latch: u32,
    /// The construct around it.
    pub(super) parent: u32,
    /// The blocks that stand directly in its region, in order: neither the header of a selection nor what the constructs in
    /// it hold.
    pub(super) blocks: Vec<u32>,
    /// When a walk over all constructs enters and leaves it.
    enter: u32,
    leave: u32,
    /// The values that are its results, by their ids: first the phis of its merge block.
    pub(super) results: Vec<u32>,
}

/// The blocks of a function and their constructs.
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) blocks: Vec<Block>,
    /// How many instructions the function has.
    pub(super) instructions: u32,
    pub(super) successors: Vec<u32>,
    predecessors: Vec<u32>,
    first_predecessor: Vec<u32>,
    pub(super) constructs: Vec<Construct>,
    /// By block: the innermost construct whose region holds it.
    pub(super) inner: Vec<u32>,
    /// By block: the construct that it is the header, or the merge block of.
    pub(super) headed: Vec<u32>,
    pub(super) merged: Vec<u32>,
    /// The blocks that stand in no construct, in order.
    pub(super) outermost: Vec<u32>,
}

impl Flow {
    pub(super) fn successors(&self, block: u32) -> &[u32] {
        let block = &self.blocks[block as usize];
        &self.successors[block.start as usize..block.end as usize]
    }

    pub(super) fn predecessors(&self, block: u32) -> &[u32] {
        let first = |at: usize| self.first_predecessor.get(at).map_or(0, |&first| first as usize);
        &self.predecessors[first(block as usize)..first(block as usize + 1)]
    }

    fn count_predecessors(&mut self) {
        let count = self.blocks.len();
        self.first_predecessor = vec![0; count + 2];
        for &to in &self.successors {
            self.first_predecessor[to as usize + 2] += 1;
        }
        for at in 2..count + 2 {
            self.first_predecessor[at] += self.first_predecessor[at - 1];
        }
        self.predecessors = vec![0; self.successors.len()];
        for from in 0..count as u32 {
            for at in self.blocks[from as usize].start..self.blocks[from as usize].end {
                let to = self.successors[at as usize] as usize;
                let place = &mut self.first_predecessor[to + 1];
                self.predecessors[*place as usize] = from;
                *place += 1;
            }
        }
    }

    /// Finds the constructs. `block_of` gives the block of a label.
    pub(super) fn find_constructs(&mut self, scan: &Scan<'_>, block_of: impl Fn(u32) -> u32) {
        let count = self.blocks.len();
        if !self.successors.is_empty() {
            self.count_predecessors();
        }
        self.inner = vec![NONE; count];
        self.headed = vec![NONE; count];
        self.merged = vec![NONE; count];
        self.constructs.clear();
        if self.blocks.iter().all(|block| block.merge == 0) {
            self.outermost = (0..count as u32).collect();
            return;
        }
        // When it was last seen, by block.
        let mut seen = vec![NONE; count];
        // Lest nests that are deep beyond all sense take time that is, too.
        let mut steps = 64 * count + 4096;
        for header in 0..count as u32 {
            let at = self.blocks[header as usize].merge;
            if at == 0 {
                continue;
            }
            let (opcode, words) = scan.instruction(at);
            let is_loop = opcode == op::LOOP_MERGE;
            let merge = words.get(1).map_or(NONE, |&label| block_of(label));
            let target = if is_loop { words.get(2).map_or(NONE, |&label| block_of(label)) } else { NONE };
            if merge == NONE || merge == header || is_loop && target == NONE {
                continue;
            }
            if let Some((blocks, latch)) = self.construct(scan, header, merge, target, &mut seen, &mut steps, &block_of)
            {
                let number = self.constructs.len() as u32;
                let parent = self.inner[header as usize];
                for &block in &blocks {
                    self.inner[block as usize] = number;
                }
                self.headed[header as usize] = number;
                self.merged[merge as usize] = number;
                let results = phis(scan, &self.blocks[merge as usize]);
                self.constructs.push(Construct {
                    is_loop,
                    header,
                    merge,
                    target,
                    latch,
                    parent,
                    blocks,
                    enter: 0,
                    leave: 0,
                    results,
                });
            }
        }
        // What a construct inside has taken is not held directly.
        let (constructs, inner) = (&mut self.constructs, &self.inner);
        for (number, construct) in constructs.iter_mut().enumerate() {
            construct.blocks.retain(|&block| inner[block as usize] == number as u32);
            if construct.is_loop {
                // MLIR wants it last.
                let latch = construct.latch;
                construct.blocks.retain(|&block| block != latch);
                construct.blocks.push(latch);
            }
        }
        self.outermost = (0..count as u32).filter(|&block| self.inner[block as usize] == NONE).collect();
        self.number();
    }

    /// The blocks of a construct in the order in which they are reached, without the header of a selection, and the latch
    /// of a loop; `None` where it is to stay as it is.
    #[allow(clippy::too_many_arguments)]
    fn construct(
        &self,
        scan: &Scan<'_>,
        header: u32,
        merge: u32,
        target: u32,
        seen: &mut [u32],
        steps: &mut usize,
        block_of: &impl Fn(u32) -> u32,
    ) -> Option<(Vec<u32>, u32)> {
        let is_loop = target != NONE;
        let parent = self.inner[header as usize];
        if self.inner[merge as usize] != parent || self.merged[merge as usize] != NONE || header == 0 && is_loop {
            return None;
        }
        if self.headed[header as usize] != NONE {
            return None;
        }
        let mut blocks = vec![header];
        seen[header as usize] = header;
        let mut at = 0;
        let mut extra = 0;
        loop {
            while let Some(&block) = blocks.get(at) {
                at += 1;
                for &to in self.successors(block) {
                    *steps = steps.checked_sub(1)?;
                    if to != merge && seen[to as usize] != header {
                        seen[to as usize] = header;
                        blocks.push(to);
                    }
                }
            }
            // Blocks that nothing branches to belong to the construct all the same: the continue target, and merge blocks and
            // continue targets of what is inside.
            let add = |block: u32, blocks: &mut Vec<u32>, seen: &mut [u32]| {
                if block != NONE && block != merge && seen[block as usize] != header {
                    seen[block as usize] = header;
                    blocks.push(block);
                }
            };
            add(target, &mut blocks, seen);
            while extra < blocks.len() && at == blocks.len() {
                let block = blocks[extra];
                extra += 1;
                let inside = self.blocks[block as usize].merge;
                if inside != 0 && block != header {
                    let (opcode, words) = scan.instruction(inside);
                    let labels = if opcode == op::LOOP_MERGE { 1..3 } else { 1..2 };
                    for &label in words.get(labels).unwrap_or_default() {
                        let named = block_of(label);
                        // Not what encloses this construct.
                        if named != NONE && self.predecessors(named).iter().all(|&from| seen[from as usize] == header) {
                            add(named, &mut blocks, seen);
                        }
                    }
                }
            }
            if at == blocks.len() {
                break;
            }
        }
        let inside = |block: u32| seen[block as usize] == header;
        let mut latch = NONE;
        for &block in &blocks {
            if self.inner[block as usize] != parent {
                return None;
            }
            for &from in self.predecessors(block) {
                *steps = steps.checked_sub(1)?;
                match (block == header, inside(from)) {
                    (false, true) | (true, false) => {}
                    // Entered from the side.
                    (false, false) => return None,
                    (true, true) if !is_loop || latch != NONE => return None,
                    (true, true) => latch = from,
                }
            }
        }
        // A loop keeps its latch.
        let around = self.constructs.get(parent as usize).filter(|around| around.is_loop);
        if around.is_some_and(|around| inside(around.latch) && (around.latch != header || is_loop)) {
            return None;
        }
        // Reached from elsewhere, too.
        if !self.predecessors(merge).iter().all(|&from| inside(from)) || block_is_entry(merge) {
            return None;
        }
        if is_loop {
            let back = latch != NONE && latch != header && scan.opcode(self.blocks[latch as usize].last) == op::BRANCH;
            if !back || !inside(target) {
                return None;
            }
        } else {
            let last = scan.opcode(self.blocks[header as usize].last);
            if !matches!(last, op::BRANCH_CONDITIONAL | op::SWITCH) {
                return None;
            }
            blocks.remove(0);
            // The header comes before its merge block: there the construct will stand.
            if merge < header {
                return None;
            }
        }
        if is_loop && merge < header {
            return None;
        }
        Some((blocks, latch))
    }

    /// Numbers the constructs, so that it is quick to say which holds which.
    fn number(&mut self) {
        let count = self.constructs.len();
        let mut first = vec![NONE; count];
        let mut next = vec![NONE; count];
        let mut roots = Vec::new();
        for at in (0..count).rev() {
            match self.constructs[at].parent {
                NONE => roots.push(at as u32),
                parent => next[at] = std::mem::replace(&mut first[parent as usize], at as u32),
            }
        }
        let mut clock = 0;
        for root in roots {
            let mut stack = vec![root];
            self.constructs[root as usize].enter = clock;
            clock += 1;
            while let Some(&top) = stack.last() {
                match first[top as usize] {
                    NONE => {
                        self.constructs[top as usize].leave = clock;
                        clock += 1;
                        stack.pop();
                    }
                    child => {
                        first[top as usize] = next[child as usize];
                        self.constructs[child as usize].enter = clock;
                        clock += 1;
                        stack.push(child);
                    }
                }
            }
        }
    }

    /// Whether what stands in `inner` stands in `outer`, too: [`NONE`] is the whole function.
    #[inline]
    pub(super) fn holds(&self, outer: u32, inner: u32) -> bool {
        if outer == NONE || outer == inner {
            return true;
        }
        if inner == NONE {
            return false;
        }
        let (outer, inner) = (&self.constructs[outer as usize], &self.constructs[inner as usize]);
        outer.enter <= inner.enter && inner.leave <= outer.leave
    }
}

fn block_is_entry(block: u32) -> bool {
    block == 0
}

/// The ids of the phis of a block.
pub(super) fn phis(scan: &Scan<'_>, block: &Block) -> Vec<u32> {
    let mut found = Vec::new();
    let mut at = block.first;
    while at <= block.last {
        let (opcode, words) = scan.instruction(at);
        match opcode {
            op::PHI => found.extend(words.get(2)),
            op::LINE | op::NO_LINE => {}
            _ => break,
        }
        at += words.len() as u32;
    }
    found
}
