//! The blocks of a function as SPIR-V has them: which blocks of the dialect become one, and where their phis get their
//! values from. A twin of `raise/structure.rs`.

use std::collections::BTreeMap;

use mlirbc_ir::{BlockId, Body, OpId, Result, Value, ValueOwner};

use super::debug::Origin;
use super::{Lowerer, close};
use crate::forms::Kind;
use crate::op;

/// The attribute of a construct that begins in a block of its own, as all do that MLIR writes: elsewhere what stands before it, and the
/// branch to it, are in its header.
pub(crate) const SEPARATE: &str = "spirv_binary.separate";

/// A block as it is written.
struct Out {
    label: u32,
    start: usize,
    end: usize,
    /// The block of the dialect whose arguments are its phis.
    phis: Option<BlockId>,
}

/// A branch.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The block that it ends.
    pub(super) from: u32,
    pub(super) to: BlockId,
    /// The terminator, and where among its operands those for the arguments begin.
    pub(super) op: OpId,
    pub(super) start: u32,
}

/// What is known of a block of the dialect.
#[derive(Clone, Copy, Default)]
struct Frame {
    /// 0 where it has none yet.
    label: u32,
    /// One more than the number of the block that it is written as; 0 where it is not yet.
    out: u32,
    /// How many branches go there, and the last of them.
    predecessors: u32,
    from: Option<OpId>,
    /// The construct that it is the header of, and whether that is a loop.
    header: Option<(OpId, bool)>,
    /// The header of the loop that it begins with, and is no more than the way to.
    way_to: Option<BlockId>,
    /// The last block of the last construct in it.
    end: Option<BlockId>,
    /// Whether it goes on where the branch to it stands.
    joined: bool,
    /// Whether it is the header of a selection that has a block of its own for it, as MLIR writes all of them.
    separate: bool,
}

pub(super) struct Blocks<'m> {
    pub(super) body: &'m Body,
    pub(super) entry: BlockId,
    /// By value; 0 where it has none yet.
    pub(super) ids: Vec<u32>,
    frames: Vec<Frame>,
    marks: Vec<(u32, BlockId)>,
    outs: Vec<Out>,
    pub(super) edges: Vec<Edge>,
    /// Blocks that are named and that are not there, by mark: their labels, and where they go.
    missing: BTreeMap<u32, (u32, Option<u32>)>,
    pub(super) code: Vec<u32>,
    /// Room for the words of a branch.
    pub(super) room: Vec<u32>,
    /// The line in force.
    pub(super) line: Origin,
}

impl<'m> Blocks<'m> {
    /// Looks at all blocks of a body.
    pub(super) fn new(lowerer: &mut Lowerer<'m>, body: &'m Body) -> Result<Self> {
        let Some(entry) = body.top_regions().first().and_then(|&root| body.first_block(root)) else {
            return Err(mlirbc_ir::Error::misuse("a function without blocks"));
        };
        let mut f = Blocks {
            body,
            entry,
            ids: vec![0; body.value_count()],
            frames: vec![Frame::default(); body.block_count()],
            marks: Vec::new(),
            outs: Vec::new(),
            edges: Vec::new(),
            missing: BTreeMap::new(),
            code: std::mem::take(&mut lowerer.code),
            room: Vec::new(),
            line: Origin::default(),
        };
        let mut constructs = Vec::new();
        for op in body.preorder() {
            if body.view(op).is_plain() {
                continue;
            }
            for &to in body.successors(op) {
                let known = &mut f.frames[to.index()];
                (known.predecessors, known.from) = (known.predecessors + 1, Some(op));
            }
            let Some(block) = body.block_of(op) else { continue };
            if body.next_operation(op).is_none()
                && body.attributes(op).is_some()
                && let Some(mark) =
                    lowerer.given(body, op)?.find("spirv_binary.block").and_then(|mark| lowerer.number(mark))
            {
                f.marks.push((mark, block));
            }
            let is_loop = match body.region_count_of(op) {
                0 => continue,
                _ => match lowerer.kind(body.name(op)) {
                    Kind::Selection => false,
                    Kind::Loop => true,
                    _ => return Err(lowerer.wrong(body, op, "has regions, and SPIR-V has none")),
                },
            };
            let Some(region) = body.regions(op).next() else { continue };
            let (Some(first), Some(last)) = (body.first_block(region), body.last_block(region)) else { continue };
            f.frames[block.index()].end = Some(last);
            let header = if is_loop { body.next_block(first) } else { Some(first) };
            let separate = body.attributes(op).is_some() && lowerer.given(body, op)?.find(SEPARATE).is_some();
            if let Some(header) = header.filter(|&header| header != last || !is_loop) {
                let known = &mut f.frames[header.index()];
                (known.header, known.separate) = (Some((op, is_loop)), separate && !is_loop);
            }
            if !separate {
                constructs.push((op, block, is_loop, first, header));
            }
        }
        f.marks.sort_unstable_by_key(|mark| mark.0);
        let mut uses: Option<Vec<u32>> = None;
        for &(op, block, is_loop, first, header) in &constructs {
            if body.first_operation(block) != Some(op) || block == f.entry {
                continue;
            }
            let of = f.frames[block.index()];
            let is_header = of.header.is_some();
            if !is_loop {
                // The end of the header stands in the region, the rest before the branch to here.
                f.frames[block.index()].joined = match (of.predecessors, of.from) {
                    (1, Some(from)) if !is_header && body.arguments(block).is_empty() => {
                        let at = body.block_of(from);
                        lowerer.kind(body.name(from)) == Kind::Branch
                            && at.is_some_and(|at| at != block && f.frames[at.index()].header.is_none())
                            && at.and_then(|at| body.region_of(at)) == body.region_of(block)
                    }
                    _ => false,
                };
                continue;
            }
            let Some(header) = header else { continue };
            let way = body.first_operation(first).filter(|&way| body.last_operation(first) == Some(way));
            let Some(way) = way else { continue };
            let is_way = body.successors(way) == [header]
                && lowerer.kind(body.name(way)) == Kind::Branch
                && body.attributes(way).is_none()
                && body.operands(way).len() == body.arguments(header).len()
                && body.arguments(first).is_empty();
            if !is_way || is_header {
                continue;
            }
            // Its arguments go to the header, and nowhere else.
            let arguments = body.arguments(block);
            if !arguments.is_empty() {
                let uses = uses.get_or_insert_with(|| {
                    let mut uses = vec![0; body.value_count()];
                    body.preorder().for_each(|op| body.operands(op).iter().for_each(|value| uses[value.index()] += 1));
                    uses
                });
                let there = |value: Value| body.operands(way).iter().filter(|&&operand| operand == value).count();
                if arguments.iter().any(|&value| uses[value.index()] as usize != there(value)) {
                    continue;
                }
            }
            f.frames[block.index()].way_to = Some(header);
        }
        Ok(f)
    }

    pub(super) fn is_joined(&self, block: BlockId) -> bool {
        self.frames[block.index()].joined
    }

    pub(super) fn is_separate(&self, block: BlockId) -> bool {
        self.frames[block.index()].separate
    }

    /// Whether a branch goes to a block that goes on where it stands.
    pub(super) fn joins(&self, op: OpId) -> bool {
        matches!(self.body.successors(op), [to] if self.is_joined(*to))
    }

    /// The header of the loop that branches to a block go to.
    pub(super) fn loop_header(&self, block: BlockId) -> Option<BlockId> {
        self.frames[block.index()].way_to
    }

    /// The label of a block.
    pub(super) fn label(&mut self, lowerer: &mut Lowerer<'m>, block: BlockId) -> Result<u32> {
        let label = &mut self.frames[block.index()].label;
        if *label == 0 {
            *label = lowerer.fresh()?;
        }
        Ok(*label)
    }

    /// The label that a branch to a block goes to.
    pub(super) fn target(&mut self, lowerer: &mut Lowerer<'m>, block: BlockId) -> Result<u32> {
        let block = self.loop_header(block).unwrap_or(block);
        self.label(lowerer, block)
    }

    /// The label of what stands behind the constructs in a block.
    pub(super) fn last_label(&mut self, lowerer: &mut Lowerer<'m>, block: BlockId) -> Result<u32> {
        let block = self.frames[block.index()].end.unwrap_or(block);
        self.label(lowerer, block)
    }

    /// The block of that mark.
    pub(super) fn marked(&self, mark: u32) -> Option<BlockId> {
        let at = self.marks.binary_search_by_key(&mark, |mark| mark.0).ok()?;
        Some(self.marks[at].1)
    }

    /// The label of a block of that mark that is not there, since nothing leads there and it was erased: it is made again, and where a loop
    /// continues goes back to the header, which is open.
    pub(super) fn missing(&mut self, lowerer: &mut Lowerer<'m>, mark: u32, continues: bool) -> Result<u32> {
        if let Some(known) = self.missing.get(&mark) {
            return Ok(known.0);
        }
        let label = lowerer.fresh()?;
        self.missing.insert(mark, (label, continues.then(|| self.open_label())));
        Ok(label)
    }

    /// Appends a block that is no block of the dialect, behind the one that has ended.
    pub(super) fn append(&mut self, label: u32, words: &[u32]) {
        let start = self.code.len();
        self.code.extend_from_slice(words);
        self.outs.push(Out { label, start, end: self.code.len(), phis: None });
    }

    /// Appends the blocks that are named and that are not there. Gives the headers that these go back to, with the labels of both.
    fn append_missing(&mut self) -> Vec<(u32, u32)> {
        let mut back = Vec::new();
        for (label, to) in std::mem::take(&mut self.missing).into_values() {
            match to {
                Some(to) => {
                    back.push((to, label));
                    self.append(label, &[2 << 16 | u32::from(op::BRANCH), to]);
                }
                None => self.append(label, &[1 << 16 | u32::from(op::UNREACHABLE)]),
            }
        }
        back
    }

    /// Where a loop continues that does not say it: where the block before its last one begins, or the header of the selection
    /// that this begins with.
    pub(super) fn default_target(&mut self, lowerer: &mut Lowerer<'m>, last: BlockId) -> Result<u32> {
        let Some(latch) = self.body.previous_block(last) else {
            return Err(mlirbc_ir::Error::verification("a loop without blocks"));
        };
        match self.frames[latch.index()].from.filter(|_| self.is_joined(latch)) {
            Some(from) => match self.body.block_of(from) {
                Some(header) => self.last_label(lowerer, header),
                None => self.last_label(lowerer, latch),
            },
            None => self.label(lowerer, latch),
        }
    }

    /// The construct that a terminator ends the header of, and whether it is a loop.
    pub(super) fn headed_by(&self, end: OpId) -> Option<(OpId, bool)> {
        self.frames[self.body.block_of(end)?.index()].header
    }

    /// Begins a block, be its arguments phis or not.
    pub(super) fn begin(&mut self, lowerer: &mut Lowerer<'m>, block: BlockId, phis: bool) -> Result<()> {
        let label = self.label(lowerer, block)?;
        self.outs.push(Out { label, start: self.code.len(), end: self.code.len(), phis: phis.then_some(block) });
        self.frames[block.index()].out = self.outs.len() as u32;
        self.line = Origin::default();
        Ok(())
    }

    /// Ends a block.
    pub(super) fn end(&mut self) {
        if let Some(out) = self.outs.last_mut() {
            out.end = self.code.len();
        }
    }

    /// The number of the block that is open.
    pub(super) fn open(&self) -> u32 {
        self.outs.len().saturating_sub(1) as u32
    }

    pub(super) fn open_label(&self) -> u32 {
        self.outs.last().map_or(0, |out| out.label)
    }

    /// The id of a value.
    #[inline]
    pub(super) fn id(&mut self, lowerer: &mut Lowerer<'m>, value: Value) -> Result<u32> {
        match self.ids[value.index()] {
            0 => self.find_id(lowerer, value),
            id => Ok(id),
        }
    }

    #[cold]
    fn find_id(&mut self, lowerer: &mut Lowerer<'m>, value: Value) -> Result<u32> {
        let body = self.body;
        let mut at = value;
        // What a construct gives, it got from inside.
        let mut steps = body.value_count();
        let id = loop {
            if self.ids[at.index()] != 0 {
                break self.ids[at.index()];
            }
            let Some(ValueOwner::Result(op, number)) = body.owner(at) else { break lowerer.fresh()? };
            match lowerer.kind(body.name(op)) {
                Kind::Selection | Kind::Loop => {
                    let region = body.regions(op).next();
                    let end = region.and_then(|region| body.last_operation(body.last_block(region)?));
                    let inside = end.and_then(|end| body.operands(end).get(number).copied());
                    steps = steps.saturating_sub(1);
                    match inside.filter(|_| steps > 0) {
                        Some(inside) => at = inside,
                        None => return Err(lowerer.wrong(body, op, "has more results than it merges")),
                    }
                }
                kind => match lowerer.hoisted(body, op, kind)? {
                    Some(id) => break id,
                    None => break lowerer.fresh()?,
                },
            }
        };
        self.ids[at.index()] = id;
        self.ids[value.index()] = id;
        Ok(id)
    }
}

impl<'m> Lowerer<'m> {
    /// Puts a line in force.
    pub(super) fn line(&mut self, f: &mut Blocks<'m>, origin: Origin) -> Result<()> {
        if origin.line == f.line.line {
            return Ok(());
        }
        f.line.line = origin.line;
        match origin.line {
            Some((file, line, column)) => {
                let file = self.file(file)?;
                f.code.extend([4 << 16 | u32::from(op::LINE), file, line, column]);
            }
            None => f.code.push(1 << 16 | u32::from(op::NO_LINE)),
        }
        Ok(())
    }

    /// Writes the blocks with their phis.
    pub(super) fn assemble(&mut self, f: &mut Blocks<'m>) -> Result<()> {
        let back = f.append_missing();
        let body = f.body;
        // The branches to each block whose arguments are phis, by that block.
        let mut edges: Vec<(usize, Edge)> = Vec::new();
        if f.outs.len() > 1 {
            edges.extend(f.edges.iter().map(|&edge| (f.loop_header(edge.to).unwrap_or(edge.to).index(), edge)));
            edges.sort_by_key(|edge| edge.0);
        }
        let order = f.order(&edges);
        for at in 0..f.outs.len() {
            let number = order.as_ref().map_or(at, |order| order[at]);
            let Out { label, start, end, phis } = f.outs[number];
            self.sections.functions.extend([2 << 16 | u32::from(op::LABEL), label]);
            f.line = Origin::default();
            if let Some(block) = phis.filter(|&block| !body.arguments(block).is_empty()) {
                let first = edges.partition_point(|edge| edge.0 < block.index());
                let here = edges[first..].iter().take_while(|edge| edge.0 == block.index());
                let here: Vec<Edge> = here.map(|edge| edge.1).collect();
                let code = std::mem::take(&mut f.code);
                let back = back.iter().filter(|back| back.0 == label).map(|back| back.1);
                self.phis(f, block, &here, &back.collect::<Vec<u32>>())?;
                self.sections.functions.append(&mut f.code);
                f.code = code;
            }
            // The first line of a block is said whatever was in force; where phis left one, none may be.
            let starts_with_line = f.code.get(start).is_some_and(|&head| matches!(head as u16, op::LINE | op::NO_LINE));
            if f.line.line.is_some() && !starts_with_line {
                self.sections.functions.push(1 << 16 | u32::from(op::NO_LINE));
            }
            self.sections.functions.extend_from_slice(&f.code[start..end]);
        }
        Ok(())
    }

    /// Writes the arguments of a block. What comes from blocks that were not there is undefined.
    fn phis(&mut self, f: &mut Blocks<'m>, block: BlockId, edges: &[Edge], back: &[u32]) -> Result<()> {
        let body = f.body;
        for (number, &argument) in body.arguments(block).iter().enumerate() {
            let own = self.module.ty(body.ty(argument))?;
            let ty = self.ty(own)?;
            let id = f.id(self, argument)?;
            if let Some(&Some(location)) = body.argument_locations(block).get(number) {
                let origin = self.origin(location)?;
                self.line(f, origin)?;
            } else {
                self.line(f, Origin::default())?;
            }
            let at = f.code.len();
            f.code.extend([0, ty, id]);
            let mut seen: Vec<(u32, u32)> = Vec::with_capacity(edges.len());
            for edge in edges {
                let value = f.incoming(edge, block, number);
                let Some(value) = value else { return Err(self.wrong(body, edge.op, "gives a block too few values")) };
                let value = f.id(self, value)?;
                let from = f.outs[edge.from as usize].label;
                match seen.iter().find(|seen| seen.0 == from) {
                    None => {
                        seen.push((from, value));
                        f.code.extend([value, from]);
                    }
                    Some(&(_, other)) if other == value => {}
                    Some(_) => {
                        return Err(self.wrong(body, edge.op, "gives one block several values for one argument"));
                    }
                }
            }
            for &from in back {
                let undefined = self.undefined(own)?;
                f.code.extend([undefined, from]);
            }
            close(&mut f.code, at, op::PHI)?;
        }
        Ok(())
    }
}

impl Blocks<'_> {
    /// What an edge gives for an argument of a block: the edge may go there by way of the block that a loop begins.
    fn incoming(&self, edge: &Edge, block: BlockId, number: usize) -> Option<Value> {
        let body = self.body;
        let operand = |number: usize| body.operands(edge.op).get(edge.start as usize + number).copied();
        if edge.to == block {
            return operand(number);
        }
        // The only operation in the first block of the loop's region.
        let first = self.body.first_operation(edge.to)?;
        let region = body.regions(first).next()?;
        let way = body.first_operation(body.first_block(region)?)?;
        let value = *body.operands(way).get(number)?;
        match body.arguments(edge.to).iter().position(|&argument| argument == value) {
            Some(at) => operand(at),
            None => Some(value),
        }
    }

    /// The order of the blocks, where they are not to be as they are: where that has one before all those that lead there.
    fn order(&self, edges: &[(usize, Edge)]) -> Option<Vec<usize>> {
        if edges.is_empty() {
            return None;
        }
        let count = self.outs.len();
        let numbered = edges.iter().filter_map(|(block, edge)| {
            let to = self.frames[*block].out.checked_sub(1)?;
            Some((edge.from as usize, to as usize))
        });
        // For each block, whether something leads there, and whether something before it does.
        let mut reached = vec![(false, false); count];
        for (from, to) in numbered.clone() {
            reached[to] = (true, reached[to].1 || from < to);
        }
        if reached.iter().skip(1).all(|&(any, before)| before || !any) {
            return None;
        }
        let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (from, to) in numbered {
            successors[from].push(to);
        }
        // Reverse post-order: each block behind those that dominate it.
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        for start in 0..count {
            if seen[start] {
                continue;
            }
            let mut post = Vec::new();
            let mut stack = vec![(start, 0)];
            seen[start] = true;
            while let Some((at, next)) = stack.last_mut() {
                match successors[*at].get(*next) {
                    Some(&to) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[to], true) {
                            stack.push((to, 0));
                        }
                    }
                    None => {
                        post.push(*at);
                        stack.pop();
                    }
                }
            }
            order.extend(post.into_iter().rev());
        }
        Some(order)
    }
}
