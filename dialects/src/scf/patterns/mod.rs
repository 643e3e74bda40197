//! Canonicalisation of `scf`.

mod conditions;
mod execute_region;
mod for_loop;
mod forall;
mod index_switch;
mod merging;
mod parallel;
mod results;
pub(crate) mod tensors;
mod while_loop;
mod while_moves;

use mlirbc_ir::{
    BlockId, Body, Dialect, OpId, OpRef, OperationSpec, RegionId, Result, Rewriter, TypeRef, Value, ValueMap,
};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, NoMatch, Outcome, region_branch_patterns};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let dialect = dialect
        .canonicalize("execute_region", AnyPattern::new("SingleBlockExecuteInliner", execute_region::one_block))
        .canonicalize("execute_region", AnyPattern::new("MultiBlockExecuteInliner", execute_region::blocks))
        .canonicalize("for", AnyPattern::new("SimplifyTrivialLoops", for_loop::simplify_trivial))
        .canonicalize("for", AnyPattern::new("ForOpTensorCastFolder", tensors::for_of_cast))
        .canonicalize("if", AnyPattern::fold("SwapNegatedIf", conditions::swap_negated))
        .canonicalize("if", AnyPattern::new("CombineIfs", merging::combine))
        .canonicalize("if", AnyPattern::new("CombineNestedIfs", merging::combine_nested))
        .canonicalize("if", AnyPattern::new("ConditionPropagation", conditions::propagate))
        .canonicalize("if", AnyPattern::new("ConvertTrivialIfToSelect", results::select_trivial))
        .canonicalize("if", AnyPattern::new("RemoveEmptyElseBranch", conditions::remove_empty_else))
        .canonicalize("if", AnyPattern::new("RemoveStaticCondition", conditions::remove_static))
        .canonicalize("if", AnyPattern::new("ReplaceIfYieldWithConditionOrValue", results::condition_or_value))
        .canonicalize("index_switch", AnyPattern::new("FoldConstantCase", index_switch::constant_case))
        .canonicalize(
            "parallel",
            AnyPattern::new("ParallelOpSingleOrZeroIterationDimsFolder", parallel::drop_dimensions),
        )
        .canonicalize("parallel", AnyPattern::new("MergeNestedParallelLoops", parallel::merge_nested))
        .canonicalize("forall", AnyPattern::new("FoldTensorCastOfOutputIntoForallOp", tensors::forall_of_casts))
        .canonicalize("forall", AnyPattern::new("ForallOpControlOperandsFolder", forall::constant_bounds))
        .canonicalize("forall", AnyPattern::new("ForallOpIterArgsFolder", forall::drop_outputs))
        .canonicalize("forall", AnyPattern::new("ForallOpSingleOrZeroIterationDimsFolder", forall::drop_dimensions))
        .canonicalize("forall", AnyPattern::new("ForallOpReplaceConstantInductionVar", forall::constant_variables))
        .canonicalize("while", AnyPattern::new("WhileConditionTruth", while_loop::condition_truth))
        .canonicalize("while", AnyPattern::new("WhileCmpCond", while_loop::same_comparison))
        .canonicalize("while", AnyPattern::new("WhileOpAlignBeforeArgs", while_moves::align_arguments))
        .canonicalize("while", AnyPattern::new("WhileMoveIfDown", while_moves::move_if_down));
    ["execute_region", "for", "if", "index_switch", "while"].into_iter().fold(dialect, |dialect, operation| {
        region_branch_patterns().into_iter().fold(dialect, |dialect, pattern| dialect.canonicalize(operation, pattern))
    })
}

/// The region of that number.
fn region(rw: &Rewriter<'_>, op: OpId, number: usize) -> Result<RegionId, NoMatch> {
    rw.body().regions(op).nth(number).ok_or(NoMatch::Reason("the operation has no such region"))
}

/// The one block of a region; none where it is empty.
fn optional_block(rw: &Rewriter<'_>, op: OpId, number: usize) -> Result<Option<BlockId>, NoMatch> {
    let region = region(rw, op, number)?;
    let first = rw.body().first_block(region);
    match first == rw.body().last_block(region) {
        true => Ok(first),
        false => Err(NoMatch::Reason("a region has several blocks")),
    }
}

/// The one block of a region.
fn block(rw: &Rewriter<'_>, op: OpId, number: usize) -> Result<BlockId, NoMatch> {
    optional_block(rw, op, number)?.ok_or(NoMatch::Reason("a region is empty"))
}

/// The block that holds the operation.
fn parent_block(rw: &Rewriter<'_>, op: OpId) -> Result<BlockId, NoMatch> {
    rw.body().block_of(op).ok_or(NoMatch::Reason("the operation is in no block"))
}

/// What ends a block, an operation of that name.
fn end(rw: &Rewriter<'_>, block: BlockId, name: &str) -> Result<OpId, NoMatch> {
    let last = rw.body().last_operation(block);
    last.filter(|&last| rw.op(last).name() == name).ok_or(NoMatch::Reason("a block ends with something else"))
}

/// The `scf.yield` that ends a block, and what it yields: as many values as `op` has results.
fn yielded(rw: &Rewriter<'_>, op: OpId, block: BlockId) -> Result<(OpId, Vec<Value>), NoMatch> {
    let end = end(rw, block, "scf.yield")?;
    let values = rw.body().operands(end).to_vec();
    match values.len() == rw.body().result_count(op) {
        true => Ok((end, values)),
        false => Err(NoMatch::Reason("a region does not yield as much as there are results")),
    }
}

/// Whether what ends the block is all there is in it.
fn only_ends(body: &Body, block: BlockId) -> bool {
    body.first_operation(block).is_some() && body.first_operation(block) == body.last_operation(block)
}

fn types_of(body: &Body, values: &[Value]) -> Vec<TypeRef> {
    values.iter().map(|&value| body.ty(value)).collect()
}

/// The types of the results.
fn result_types(body: &Body, op: OpId) -> Vec<TypeRef> {
    body.results(op).map(|result| body.ty(result)).collect()
}

/// Whether a region is `outer` or inside of it.
fn is_within(body: &Body, region: RegionId, outer: RegionId) -> bool {
    let up = |region: &RegionId| body.region_of(body.block_of(body.operation_of(*region)?)?);
    std::iter::successors(Some(region), up).any(|region| region == outer)
}

/// The region that holds an operation.
fn region_of(body: &Body, op: OpId) -> Option<RegionId> {
    body.region_of(body.block_of(op)?)
}

/// Puts a `scf.yield` of other values in the place of one.
fn yield_instead(rw: &mut Rewriter<'_>, old: OpId, values: &[Value]) -> Result<()> {
    rw.set_insertion_point_before(old)?;
    let location = rw.body().location(old);
    let new = rw.build("scf.yield").operands(values.iter().copied()).at(location).create()?;
    rw.replace_with(old, new)
}

/// Makes an operation like another one, but for its operands and what is in its regions, which are empty.
fn create_like(rw: &mut Rewriter<'_>, op: OpId, operands: &[Value]) -> Result<OpId> {
    let results = result_types(rw.body(), op);
    create_with(rw, op, operands, &results)
}

/// The same, with results of other types.
fn create_with(rw: &mut Rewriter<'_>, op: OpId, operands: &[Value], results: &[TypeRef]) -> Result<OpId> {
    let successors = rw.body().successors(op).to_vec();
    let body = rw.body();
    let spec = OperationSpec {
        name: body.name(op),
        location: body.location(op),
        attributes: body.attributes(op),
        properties: body.properties(op),
        operands,
        results,
        successors: &successors,
        regions: body.regions(op).len() as u32,
    };
    rw.create(&spec)
}

/// Copies operations to the insertion point.
fn copy_all(rw: &mut Rewriter<'_>, ops: &[OpId], map: &mut ValueMap) -> Result<()> {
    ops.iter().try_for_each(|&op| rw.clone_operation(op, map).map(|_| ()))
}

/// What a block does before what ends it.
fn before_end(body: &Body, block: BlockId) -> Vec<OpId> {
    let mut ops: Vec<OpId> = body.operations(block).collect();
    ops.pop();
    ops
}

/// Puts what a block does in the place of the operation that holds it, and what it yields in that of the results.
fn replace_by_block(rw: &mut Rewriter<'_>, op: OpId, block: BlockId, arguments: &[Value]) -> Outcome {
    let (end, _) = yielded(rw, op, block)?;
    if rw.body().arguments(block).len() != arguments.len() {
        return rw.no_match("the block takes other arguments");
    }
    let parent = parent_block(rw, op)?;
    rw.inline_block(block, parent, Some(op), arguments)?;
    let values = rw.body().operands(end).to_vec();
    rw.replace(op, values)?;
    rw.erase(end)?;
    Ok(())
}

/// What `arith.xori` with `true` negates.
fn negated(rw: &Rewriter<'_>, value: Value) -> Option<Value> {
    let xor: OpRef<'_> = rw.defined_by(value, "arith.xori").ok()?;
    match *xor.operands() {
        [negated, one] if rw.constant_int(one)?.is_one() => Some(negated),
        _ => None,
    }
}
