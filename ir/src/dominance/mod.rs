//! Which definitions hold where: dominance between blocks, and from definitions to uses, over nested regions.
//!
//! The rules are MLIR's. A value holds behind its definition in its block, in the blocks that its block dominates, and in
//! the regions of the operations there. In a region that is a *graph* it holds in all of its block. What cannot be reached
//! may use what it likes of its own region.

mod order;
mod tree;

use crate::body::{BlockId, Body, BodyId, OpId, RegionId, Value};
use crate::error::Result;
use crate::interfaces::is_graph_region;
use crate::module::Module;
use crate::module::OpRef;
use crate::ods::Traits;
pub(crate) use order::Glance;
use tree::Graph;

/// What a walk over a body gives the numbers from `begin` up to `end` to. Nothing, where the walk did not come by.
#[derive(Clone, Copy, Default)]
struct Span {
    begin: u32,
    end: u32,
}

impl Span {
    fn holds(self, number: u32) -> bool {
        (self.begin..self.end).contains(&number)
    }
}

/// A region, as the walk found it.
#[derive(Clone, Copy, Default)]
struct Inside {
    span: Span,
    /// Where its blocks begin that cannot be reached.
    unreachable: u32,
    /// Whether definitions need not come before uses.
    graph: bool,
    /// The region that is nearest around this one, itself included, of an operation that is isolated from above.
    isolated: Option<RegionId>,
}

/// Dominance in one body, as it was when this was made: after an edit, make another.
///
/// Making it takes time that grows with the size of the body, and a little more with the edges between its blocks; each
/// question is then answered at once.
///
/// ```
/// use mlirbc_ir::{BodyBuilder, BodyId, Context, Dominance, Module, OpHead};
///
/// let context = Context::new();
/// let head = |name| OpHead::new(context.operation_name(name, false), context.unknown_location().into());
/// let mut body = BodyBuilder::new(1);
/// let block = body.push_block(body.top_regions()[0]);
/// let start = body.operand_start();
/// let one = body.append_simple(block, head("toy.one"), start, Some(context.integer_type(32).into()));
/// let sum = body.results(one).next().ok_or("no result")?;
/// let start = body.operand_start();
/// body.push_operand(sum);
/// let two = body.append_simple(block, head("toy.two"), start, None);
/// let module = Module::from_bodies(&context, None, vec![(body.finish(), None)]);
/// let dominance = Dominance::new(&module, BodyId::from_index(Module::TOP))?;
/// assert!(dominance.reaches(sum, two));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Dominance<'m> {
    body: &'m Body,
    /// By operation: itself and what it holds.
    operations: Vec<Span>,
    /// By block: itself and the blocks that it dominates; of one that cannot be reached, itself alone.
    blocks: Vec<Span>,
    regions: Vec<Inside>,
    /// By block, where a region has several: the last one that every way to it goes through.
    dominators: Vec<Option<BlockId>>,
}

impl<'m> Dominance<'m> {
    /// Finds out about the body of a module.
    ///
    /// # Errors
    /// Where the body cannot be read.
    pub fn new(module: &'m Module, id: BodyId) -> Result<Self> {
        Ok(Self::of(module, id, module.body(id)?))
    }

    /// As [`Dominance::new`], of a body that is at hand: it has to be the body of that number.
    pub(crate) fn of(module: &'m Module, id: BodyId, body: &'m Body) -> Self {
        let mut dominance = Dominance {
            body,
            operations: vec![Span::default(); body.operation_count()],
            blocks: vec![Span::default(); body.block_count()],
            regions: vec![Inside::default(); body.region_count()],
            dominators: Vec::new(),
        };
        for &root in body.top_regions() {
            dominance.regions[root.index()].graph = is_graph_in(module, id, body, root);
        }
        Walk {
            module,
            id,
            body,
            next: 1,
            tasks: Vec::new(),
            places: Vec::new(),
            dominated: Vec::new(),
            siblings: Vec::new(),
        }
        .run(&mut dominance);
        dominance
    }

    /// Whether a way leads from the first block of its region to the block.
    pub fn is_reachable(&self, block: BlockId) -> bool {
        let region = self.body.region_of(block).map(|region| self.regions[region.index()]);
        region.is_some_and(|region| {
            let begin = self.blocks[block.index()].begin;
            region.span.begin <= begin && begin < region.unreachable
        })
    }

    /// The last block that every way from the first block of their region to `block` goes through, `block` itself left out;
    /// none for a first block, and for one that cannot be reached.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.dominators.get(block.index()).copied().flatten()
    }

    /// Whether every way from the first block of their region to `second` goes through `first`, or they are one. As in MLIR,
    /// what cannot be reached is dominated by all, and dominates nothing that can be. False for blocks of two regions.
    pub fn dominates(&self, first: BlockId, second: BlockId) -> bool {
        let region = self.body.region_of(first);
        region.is_some()
            && region == self.body.region_of(second)
            && (self.blocks[first.index()].holds(self.blocks[second.index()].begin) || !self.is_reachable(second))
    }

    /// Whether the value may be an operand of the operation: whether its definition dominates it, where it stands in a block
    /// that can be reached. False where the value has no definition, or one is not in this body.
    pub fn reaches(&self, value: Value, op: OpId) -> bool {
        let Some(block) = self.body.defining_block(value) else { return false };
        let Some(region) = self.body.region_of(block) else { return false };
        let at = self.operations[op.index()].begin;
        let inside = self.regions[region.index()];
        if self.blocks[block.index()].holds(at) {
            let definition = self.body.defining_operation(value).map(|op| self.operations[op.index()]);
            return inside.graph || definition.is_none_or(|definition| definition.end <= at);
        }
        // From one block that cannot be reached, or from what is nested in it, all other blocks of the region dominate it.
        inside.span.holds(at) && at >= inside.unreachable
    }

    /// Whether definitions in the region need not come before uses: it has one block, and its operation is unknown or one of
    /// graphs.
    pub fn is_graph(&self, region: RegionId) -> bool {
        self.regions[region.index()].graph
    }

    /// The operation isolated from above, around `op` in this body, outside of whose region the value is defined.
    fn isolation_broken(&self, value: Value, op: OpId) -> Option<OpId> {
        let region = self.body.block_of(op).and_then(|block| self.body.region_of(block))?;
        let around = self.regions[region.index()].isolated?;
        let defining = self.body.defining_region(value)?;
        let inside = self.regions[around.index()].span.holds(self.regions[defining.index()].span.begin);
        if inside { None } else { self.body.operation_of(around) }
    }

    /// What is wrong with the operands of an operation of the body: the first that it may not use, and why.
    pub(crate) fn wrong_operand(&self, op: OpRef<'_>) -> Option<String> {
        let mut operands = self.body.operands(op.id()).iter().enumerate();
        operands.find_map(|(number, &value)| {
            if let Some(isolated) = self.isolation_broken(value, op.id()) {
                let isolated = op.at(isolated).name();
                let message = format!("operand {number} is defined outside of the region of `{isolated}`");
                return Some(format!("{message}, which is isolated from above"));
            }
            let live = || self.body.block_of(op.id()).is_some_and(|block| self.is_reachable(block));
            let wrong = !self.reaches(value, op.id()) && live();
            wrong.then(|| self.explain(number, value, op))
        })
    }

    /// Why an operand is out of reach.
    fn explain(&self, number: usize, value: Value, op: OpRef<'_>) -> String {
        let body = self.body;
        let (Some(block), Some(region)) = (body.defining_block(value), body.defining_region(value)) else {
            return format!("operand {number} is a value that nothing defines");
        };
        let at = self.operations[op.id().index()].begin;
        let definition = body.defining_operation(value);
        if !self.regions[region.index()].span.holds(at) {
            let what = match definition {
                Some(definition) => format!("a result of `{}`", op.at(definition).name()),
                None => "an argument of a block".to_owned(),
            };
            return format!("operand {number}, {what}, is used outside of the region that defines it");
        }
        let why = match definition {
            Some(definition) if definition == op.id() => "it is a result of the operation itself".to_owned(),
            Some(definition) if self.operations[definition.index()].holds(at) => {
                format!("it is a result of `{}`, which holds the operation", op.at(definition).name())
            }
            Some(definition) if self.blocks[block.index()].holds(at) => {
                format!("`{}` defines it further down", op.at(definition).name())
            }
            _ => "not every way here leads through the block that defines it".to_owned(),
        };
        format!("operand {number} does not dominate this use: {why}")
    }
}

/// Whether a region of the operation that owns a body is a graph.
fn is_graph_in(module: &Module, id: BodyId, body: &Body, root: RegionId) -> bool {
    // The outermost operations stand in a module, whether it is written or not.
    let owner = module.owner(id).map(|(outer, op)| module.operation(outer, op));
    let number = || body.top_regions().iter().position(|&region| region == root).unwrap_or_default();
    has_one_block(body, root) && owner.is_none_or(|owner| owner.is_ok_and(|op| is_graph_region(op, number())))
}

fn has_one_block(body: &Body, region: RegionId) -> bool {
    body.first_block(region).is_some_and(|first| body.next_block(first).is_none())
}

enum Task {
    Region(RegionId),
    /// The rest of the blocks cannot be reached.
    Unreachable(RegionId),
    EndRegion(RegionId),
    Block(BlockId),
    EndBlock(BlockId),
    /// The operations of a block from this one on.
    Operations(OpId),
    EndOperation(OpId),
}

/// Numbers operations, blocks and regions such that a block stands around the blocks that it dominates.
struct Walk<'m> {
    module: &'m Module,
    id: BodyId,
    body: &'m Body,
    next: u32,
    tasks: Vec<Task>,
    /// By block, where a region has several: its place in the region.
    places: Vec<u32>,
    /// By block, where a region has several: the first of those that it dominates at once.
    dominated: Vec<Option<BlockId>>,
    /// By block: the next one that its dominator dominates at once.
    siblings: Vec<Option<BlockId>>,
}

impl Walk<'_> {
    fn run(mut self, found: &mut Dominance<'_>) {
        self.tasks.extend(self.body.top_regions().iter().rev().map(|&root| Task::Region(root)));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Region(region) => self.region(region, found),
                Task::Unreachable(region) => found.regions[region.index()].unreachable = self.next,
                Task::EndRegion(region) => found.regions[region.index()].span.end = self.next,
                Task::Block(block) => {
                    found.blocks[block.index()].begin = self.number();
                    self.tasks.push(Task::EndBlock(block));
                    let first = self.dominated.get(block.index()).copied().flatten();
                    let dominated = std::iter::successors(first, |block| self.siblings[block.index()]);
                    self.tasks.extend(dominated.map(Task::Block));
                    self.tasks.extend(self.body.first_operation(block).map(Task::Operations));
                }
                Task::EndBlock(block) => found.blocks[block.index()].end = self.next,
                Task::Operations(op) => self.operations(op, found),
                Task::EndOperation(op) => found.operations[op.index()].end = self.next,
            }
        }
    }

    fn number(&mut self) -> u32 {
        // There are fewer than 2^31 operations, blocks and regions each, and all but few files have as many bytes at least.
        self.next = self.next.saturating_add(1);
        self.next - 1
    }

    /// Walks over operations up to one with regions, which are what comes next.
    fn operations(&mut self, op: OpId, found: &mut Dominance<'_>) {
        let mut next = Some(op);
        while let Some(op) = next {
            let view = self.body.view(op);
            next = view.next();
            let begin = self.number();
            found.operations[op.index()] = Span { begin, end: self.next };
            let regions = view.regions();
            if regions.len() > 0 {
                self.tasks.extend(next.map(Task::Operations));
                self.enter(op, regions, found);
                return;
            }
        }
    }

    fn enter(
        &mut self,
        op: OpId,
        regions: impl DoubleEndedIterator<Item = RegionId> + ExactSizeIterator,
        found: &mut Dominance<'_>,
    ) {
        let op_ref = OpRef::new(self.module, self.id, self.body, op);
        let isolated = op_ref.has_trait(Traits::ISOLATED_FROM_ABOVE);
        let outer = self.body.block_of(op).and_then(|block| self.body.region_of(block));
        let outer = outer.and_then(|outer| found.regions[outer.index()].isolated);
        self.tasks.push(Task::EndOperation(op));
        for (number, region) in regions.enumerate().rev() {
            let inside = &mut found.regions[region.index()];
            inside.graph = has_one_block(self.body, region) && is_graph_region(op_ref, number);
            inside.isolated = if isolated { Some(region) } else { outer };
            self.tasks.push(Task::Region(region));
        }
    }

    fn region(&mut self, region: RegionId, found: &mut Dominance<'_>) {
        found.regions[region.index()].span.begin = self.number();
        self.tasks.push(Task::EndRegion(region));
        let Some(first) = self.body.first_block(region) else {
            self.tasks.push(Task::Unreachable(region));
            return;
        };
        if self.body.next_block(first).is_some() {
            self.dominators(region, found);
        }
        self.tasks.push(Task::Unreachable(region));
        self.tasks.push(Task::Block(first));
    }

    /// Finds the dominators of a region of several blocks, and leaves the blocks that cannot be reached for the end.
    fn dominators(&mut self, region: RegionId, found: &mut Dominance<'_>) {
        let count = self.body.block_count();
        self.places.resize(count, 0);
        self.dominated.resize(count, None);
        self.siblings.resize(count, None);
        found.dominators.resize(count, None);
        let blocks: Vec<BlockId> = self.body.blocks(region).collect();
        for (&block, place) in blocks.iter().zip(0..) {
            self.places[block.index()] = place;
        }
        let mut graph = Graph::default();
        for &block in &blocks {
            let last = self.body.last_operation(block);
            let successors = last.map_or(&[][..], |last| self.body.successors(last)).iter();
            let own = successors.filter(|successor| self.body.region_of(**successor) == Some(region));
            graph.push(own.map(|successor| self.places[successor.index()]));
        }
        for (&block, dominator) in blocks.iter().zip(graph.immediate_dominators()) {
            match dominator {
                Ok(dominator) => {
                    let dominator = blocks[dominator as usize];
                    found.dominators[block.index()] = Some(dominator);
                    self.siblings[block.index()] = self.dominated[dominator.index()].replace(block);
                }
                Err(true) => {}
                Err(false) => self.tasks.push(Task::Block(block)),
            }
        }
    }
}
