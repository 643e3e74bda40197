//! One call, and what it calls in its place (`mlir/Transforms/InliningUtils.h`).

use std::collections::{HashMap, HashSet};

use mlirbc_ir::interfaces::Call;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, Context, Module, OpId, OpRef, OperationName, RegionId, Result,
    Rewriter, Value, ValueMap,
};

use super::graph::{Graph, Place, Symbols, place};
use super::{Block, calls_in, region_number};
use crate::inlining::Inliners;

/// The blocks of what a callable executes.
pub(super) fn callable_blocks(callable: OpRef<'_>) -> Result<Vec<BlockId>> {
    let (_, body, regions) = callable.region_tree()?;
    Ok(regions.get(region_number(callable)?).map(|&region| body.blocks(region).collect()).unwrap_or_default())
}

/// The operations in these blocks, which are of the graph's node of that number.
pub(super) fn blocks_of(callable: OpRef<'_>, node: usize) -> Result<Vec<Block<'_>>> {
    let (id, body, _) = callable.region_tree()?;
    let at = |op| callable.module().operation(id, op);
    let blocks = callable_blocks(callable)?.into_iter();
    blocks.map(|block| Ok((body.operations(block).map(at).collect::<Result<_>>()?, node))).collect()
}

/// What is put in the place of a call.
struct Plan {
    arguments: Vec<(Value, Value)>,
    /// The body of what is called, and its region.
    from: (mlirbc_ir::BodyId, RegionId),
    is_single: bool,
    /// The location of the call, where that is known.
    location: Option<Attribute>,
}

/// Inlines calls.
pub(super) struct Inserter {
    inliners: Inliners,
    /// What holds operations that may not go into operations of such names.
    refused: HashMap<Place, HashSet<OperationName>>,
    /// How many operations may be made.
    left: u64,
}

impl Inserter {
    /// As long as it makes no more operations than that.
    pub(super) fn new(left: u64) -> Self {
        Inserter { inliners: Inliners::default(), refused: HashMap::new(), left }
    }

    /// What the callable holds is not what it was.
    pub(super) fn forget(&mut self, callable: Place) {
        self.refused.remove(&callable);
    }

    /// Puts what `callable` holds in the place of a call, which stands in `caller`, if it may be. Gives the calls in it.
    pub(super) fn inline(
        &mut self,
        module: &mut Module,
        (body, call): Place,
        callable: Place,
        caller: usize,
        graph: &Graph,
        symbols: &mut Symbols,
    ) -> Result<Option<Vec<(Place, usize, usize)>>> {
        let looked_at = &*module;
        let callable = looked_at.operation(callable.0, callable.1)?;
        let Some(plan) = self.plan(looked_at.operation(body, call)?, callable)? else { return Ok(None) };
        module.rewrite(body, |rw| self.insert(rw, call, &plan, caller, graph, symbols)).map(Some)
    }

    /// Whether a call may be inlined, and with what.
    fn plan(&mut self, call: OpRef<'_>, callable: OpRef<'_>) -> Result<Option<Plan>> {
        let context = call.module().context();
        let (Some(interface), Some(into)) = (call.interface::<dyn Call>(), call.parent_op()?) else { return Ok(None) };
        let (id, body, regions) = callable.region_tree()?;
        let blocks = callable_blocks(callable)?;
        let (Some(&entry), Some(&region)) = (blocks.first(), regions.get(region_number(callable)?)) else {
            return Ok(None);
        };
        let module = call.module();
        let (given, taken) = (interface.arguments(call)?, body.arguments(entry));
        if given.len() != taken.len() || given.iter().any(|&given| call.results().any(|result| result == given)) {
            return Ok(None);
        }
        for (&given, &taken) in given.iter().zip(taken) {
            if call.type_of(given)? != module.ty(body.ty(taken))? {
                return Ok(None);
            }
        }
        let results = call.results().map(|result| call.type_of(result)).collect::<Result<Vec<_>>>()?;
        let allowed = match self.inliners.of(context, call.operation_name()) {
            Some(inliner) => inliner.inlines_call(call, callable)?,
            None => false,
        };
        let allowed = allowed
            && match self.inliners.of(context, into.operation_name()) {
                Some(inliner) => inliner.inlines_into(into, callable)?,
                None => false,
            };
        let is_refused = |refused: &HashSet<OperationName>| refused.contains(&into.operation_name());
        if !allowed || self.refused.get(&place(callable)).is_some_and(is_refused) {
            return Ok(None);
        }
        let mut count = 0;
        for op in callable.walk()?.skip(1) {
            count += 1;
            let inliner = self.inliners.of(context, op.operation_name());
            if count > self.left || !inliner.map_or(Ok(false), |inliner| inliner.inlines_operation(op, into))? {
                self.refused.entry(place(callable)).or_default().insert(into.operation_name());
                return Ok(None);
            }
        }
        let is_single = blocks.len() == 1;
        for &block in &blocks {
            let Some(last) = body.last_operation(block) else { return Ok(None) };
            let last = module.operation(id, last)?;
            let returns = self.inliners.of(context, last.operation_name());
            let fits = match returns.and_then(|inliner| inliner.branch_of(last)) {
                Some(_) => {
                    let returned = last.operands().iter().map(|&value| last.type_of(value));
                    returned.collect::<Result<Vec<_>>>()? == results
                }
                None => !is_single,
            };
            if !fits {
                return Ok(None);
            }
        }
        self.left -= count;
        let location = module.attribute(call.body().location(call.id()))?;
        let is_known = !matches!(context[location], AttributeData::UnknownLocation);
        Ok(Some(Plan {
            arguments: taken.iter().copied().zip(given).collect(),
            from: (id, region),
            is_single,
            location: is_known.then_some(location),
        }))
    }

    fn insert(
        &mut self,
        rw: &mut Rewriter<'_>,
        call: OpId,
        plan: &Plan,
        caller: usize,
        graph: &Graph,
        symbols: &mut Symbols,
    ) -> Result<Vec<(Place, usize, usize)>> {
        let Some(block) = rw.body().block_of(call) else { return Ok(Vec::new()) };
        let Some(region) = rw.body().region_of(block) else { return Ok(Vec::new()) };
        let behind = rw.body().next_operation(call);
        let goes_on = match (plan.is_single, behind) {
            (true, _) => None,
            (false, Some(behind)) => Some(rw.split_block(behind)?),
            (false, None) => {
                let next = rw.body().next_block(block);
                Some(rw.create_block(region, next, std::iter::empty::<mlirbc_ir::Type>())?)
            }
        };
        let before = goes_on.or_else(|| rw.body().next_block(block));
        let mut map = ValueMap { values: plan.arguments.iter().copied().collect(), ..ValueMap::default() };
        let (body, from) = plan.from;
        let blocks = rw.clone_region_from((rw.module(), body), from, region, before, &mut map)?;
        if let Some(location) = plan.location {
            relocate(rw, &blocks, location)?;
        }
        let made = blocks.iter().map(|&block| (rw.body().operations(block).map(|op| rw.op(op)).collect(), caller));
        let calls = calls_in(made.collect(), graph, symbols, false)?;
        let results: Vec<Value> = rw.body().results(call).collect();
        let Some(&first) = blocks.first() else { return Ok(calls) };
        match goes_on {
            None => {
                if let Some(last) = rw.body().last_operation(first) {
                    let values = rw.body().operands(last).to_vec();
                    rw.erase(last)?;
                    results.iter().zip(values).try_for_each(|(&result, value)| rw.replace_uses(result, value))?;
                }
                rw.inline_block(first, block, behind, &[])?;
            }
            Some(goes_on) => {
                let location = rw.body().location(call);
                for &result in &results {
                    let ty = rw.body().ty(result);
                    let argument = rw.add_argument(goes_on, ty, Some(location))?;
                    rw.replace_uses(result, argument)?;
                }
                for &block in &blocks {
                    self.leave(rw, block, goes_on)?;
                }
                rw.inline_block(first, block, None, &[])?;
            }
        }
        rw.erase(call)?;
        Ok(calls)
    }

    /// Lets a block that ends what was called go on where the caller does.
    fn leave(&mut self, rw: &mut Rewriter<'_>, block: BlockId, goes_on: BlockId) -> Result<()> {
        let Some(last) = rw.body().last_operation(block) else { return Ok(()) };
        let inliner = self.inliners.of(rw.context(), rw.op(last).operation_name());
        let Some(branch) = inliner.and_then(|inliner| inliner.branch_of(rw.op(last))) else { return Ok(()) };
        let (operands, location) = (rw.body().operands(last).to_vec(), rw.body().location(last));
        rw.set_insertion_point_before(last)?;
        rw.build(branch).at(location).operands(operands).successors([goes_on]).create()?;
        rw.erase(last)
    }
}

/// Says of all that is in these blocks that it was called from there.
fn relocate(rw: &mut Rewriter<'_>, blocks: &[BlockId], caller: Attribute) -> Result<()> {
    let mut known: HashMap<Attribute, Attribute> = HashMap::new();
    let (module, context) = (rw.module(), rw.context());
    let mut called = |location: AttributeRef| -> Result<Attribute> {
        let location = module.attribute(location)?;
        Ok(*known.entry(location).or_insert_with(|| called_from(context, location, caller)))
    };
    let mut waiting: Vec<BlockId> = blocks.to_vec();
    while let Some(block) = waiting.pop() {
        for (number, location) in rw.body().argument_locations(block).to_vec().into_iter().enumerate() {
            let location = location.unwrap_or_else(|| context.unknown_location().into());
            rw.set_argument_location(block, number, Some(called(location)?.into()))?;
        }
        for op in rw.body().operations(block).collect::<Vec<_>>() {
            rw.set_location(op, called(rw.body().location(op))?)?;
            for region in rw.body().regions(op) {
                waiting.extend(rw.body().blocks(region));
            }
        }
    }
    Ok(())
}

/// The location of what is called from `caller`: where it says who called already, behind that.
fn called_from(context: &Context, location: Attribute, caller: Attribute) -> Attribute {
    let mut callees = Vec::new();
    let mut last = location;
    while let AttributeData::CallSiteLocation { callee, caller } = context[last] {
        callees.push(callee);
        last = caller;
    }
    callees.push(last);
    callees
        .into_iter()
        .rev()
        .fold(caller, |caller, callee| context.attribute(AttributeData::CallSiteLocation { callee, caller }))
}
