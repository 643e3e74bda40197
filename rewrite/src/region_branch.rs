//! Patterns for every operation that passes values from region to region: values that are passed but not needed are removed.

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::body::OperationSpec;
use mlirbc_ir::interfaces::{RegionEdge, region_edges};
use mlirbc_ir::{BlockId, Error, OpId, Result, Rewriter, TypeRef, Value};

use crate::operands::erase_operands;
use crate::outcome::{NoMatch, Outcome};
use crate::pattern::{AnyPattern, Match};

/// The patterns for an operation that implements [`RegionBranch`](mlirbc_ir::interfaces::RegionBranch)
/// (`populateRegionBranchOpInterfaceCanonicalizationPatterns`).
pub fn region_branch_patterns() -> [AnyPattern; 3] {
    [
        AnyPattern::new("MakeRegionBranchOpSuccessorInputsDead", use_what_is_handed),
        AnyPattern::new("RemoveDuplicateSuccessorInputUses", use_the_first_of_equals),
        AnyPattern::new("RemoveDeadRegionBranchOpSuccessorInputs", erase_what_is_unused),
    ]
}

/// An operand, which may change while values are replaced.
type Operand = (OpId, usize);

/// What takes values, each with the operands that hand them over, in the order in which they are met.
struct Inputs {
    order: Vec<Value>,
    operands: HashMap<Value, Vec<Operand>>,
}

impl Inputs {
    fn new(edges: &[RegionEdge]) -> Self {
        let mut inputs = Inputs { order: Vec::new(), operands: HashMap::new() };
        for edge in edges {
            for (number, &input) in edge.operands.clone().zip(&edge.to.inputs) {
                let operands = inputs.operands.entry(input).or_insert_with(|| {
                    inputs.order.push(input);
                    Vec::new()
                });
                operands.push((edge.from, number));
            }
        }
        inputs
    }

    fn of(rw: &Rewriter<'_>, op: OpId) -> Result<Self, NoMatch> {
        Ok(Self::new(&edges(rw, op)?))
    }

    /// The one value that an input can get in the end, and that is no input itself.
    fn only_source(&self, rw: &Rewriter<'_>, input: Value) -> Option<Value> {
        let mut source = None;
        let mut visited = HashSet::new();
        let mut left = vec![input];
        while let Some(next) = left.pop() {
            let Some(operands) = self.operands.get(&next) else {
                match source {
                    Some(other) if other != next => return None,
                    _ => source = Some(next),
                }
                continue;
            };
            let values = operands.iter().map(|&(op, number)| rw.body().operands(op)[number]);
            left.extend(values.filter(|&value| visited.insert(value)));
        }
        source
    }
}

fn edges(rw: &Rewriter<'_>, op: OpId) -> Result<Vec<RegionEdge>, NoMatch> {
    region_edges(rw.op(op))?.ok_or(NoMatch::Reason("the ways between regions are not known"))
}

/// An input that can only get one value is that value.
fn use_what_is_handed(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let inputs = Inputs::of(rw, op)?;
    rw.build_uses();
    let mut changed = false;
    for &input in &inputs.order {
        if !rw.body().is_used(input) {
            continue;
        }
        if let Some(source) = inputs.only_source(rw, input).filter(|&source| stands_for(rw, op, source, input)) {
            rw.replace_uses(input, source)?;
            changed = true;
        }
    }
    if changed { Ok(()) } else { rw.no_match("every input that is used can get several values") }
}

/// Whether a value that an input of `op` can get may be used where the input is: it comes from outside, or both are arguments of one
/// block.
fn stands_for(rw: &Rewriter<'_>, op: OpId, source: Value, input: Value) -> bool {
    let body = rw.body();
    let is_inside = body.defining_region(source).and_then(|region| body.operation_of(region)) == Some(op);
    if !is_inside {
        return true;
    }
    let is_argument = |value| body.defining_operation(value).is_none();
    is_argument(source) && is_argument(input) && body.defining_block(source) == body.defining_block(input)
}

/// Of inputs that always get the same values only the first is used.
fn use_the_first_of_equals(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let inputs = Inputs::of(rw, op)?;
    rw.build_uses();
    let mut changed = false;
    loop {
        // What makes two inputs alike: where they stand, and what they get from whom.
        type Key = (Option<BlockId>, Vec<(OpId, Value)>);
        let mut first: HashMap<Key, Value> = HashMap::new();
        let mut replaced = false;
        for &input in &inputs.order {
            let body = rw.body();
            let block = body.defining_operation(input).is_none().then(|| body.defining_block(input)).flatten();
            let mut given: Vec<(OpId, Value)> =
                inputs.operands[&input].iter().map(|&(op, number)| (op, body.operands(op)[number])).collect();
            given.sort_unstable_by_key(|&(op, value)| (op.index(), value.index()));
            let other = *first.entry((block, given)).or_insert(input);
            if other != input && body.is_used(input) {
                rw.replace_uses(input, other)?;
                replaced = true;
            }
        }
        if !replaced {
            break;
        }
        changed = true;
    }
    if changed { Ok(()) } else { rw.no_match("no two inputs that are used always get the same") }
}

/// Erases inputs that nothing uses, with the operands that hand something to them.
fn erase_what_is_unused(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let edges = edges(rw, op)?;
    let inputs = Inputs::new(&edges);
    rw.build_uses();
    // Inputs that one operand is handed to stay or go together.
    let mut tied: HashMap<Operand, Vec<Value>> = HashMap::new();
    for (&input, operands) in &inputs.operands {
        operands.iter().for_each(|&operand| tied.entry(operand).or_default().push(input));
    }
    let mut kept: HashSet<Value> = HashSet::new();
    let mut left: Vec<Value> = inputs.order.iter().copied().filter(|&input| rw.body().is_used(input)).collect();
    while let Some(input) = left.pop() {
        if kept.insert(input) {
            left.extend(inputs.operands[&input].iter().flat_map(|operand| &tied[operand]));
        }
    }
    if kept.len() == inputs.order.len() {
        return rw.no_match("every input is used");
    }
    let mut blocks: Vec<BlockId> = Vec::new();
    let mut operands: HashMap<OpId, Vec<usize>> = HashMap::new();
    let mut order: Vec<OpId> = Vec::new();
    for &input in inputs.order.iter().filter(|&input| !kept.contains(input)) {
        let body = rw.body();
        match (body.defining_operation(input), body.defining_block(input)) {
            (Some(owner), _) if owner != op => return rw.no_match("an input is neither an argument nor a result"),
            (None, Some(block)) if blocks.last() != Some(&block) => blocks.push(block),
            _ => {}
        }
        for &(from, number) in &inputs.operands[&input] {
            let numbers = operands.entry(from).or_default();
            if numbers.is_empty() {
                order.push(from);
            }
            numbers.push(number);
        }
    }
    let goes = |value: &Value| inputs.operands.contains_key(value) && !kept.contains(value);
    for from in order {
        erase_operands(rw, from, &operands[&from])?;
    }
    rw.modify(op, |rw| {
        for block in blocks {
            let numbers = rw.body().arguments(block).iter().enumerate().filter(|(_, argument)| goes(argument));
            let numbers: Vec<usize> = numbers.map(|(number, _)| number).collect();
            for number in numbers.into_iter().rev() {
                rw.erase_argument(block, number)?;
            }
        }
        Ok(())
    })?;
    let results: Vec<bool> = rw.body().results(op).map(|result| !goes(&result)).collect();
    if results.contains(&false) {
        erase_results(rw, op, &results)?;
    }
    Ok(())
}

/// Puts in the place of an operation one that is the same but for results of which `kept` is false: nothing may use these. Its regions
/// move. Gives the new operation, behind which the insertion point is then.
///
/// # Errors
/// Where there are not as many `kept` as results, or a result is used that is not kept, or the operation is in no block.
pub fn erase_results(rw: &mut Rewriter<'_>, op: OpId, kept: &[bool]) -> Result<OpId> {
    let body = rw.body();
    let results: Vec<Value> = body.results(op).collect();
    let goes_in_vain = |(&result, &kept): (&Value, &bool)| kept || !body.is_used(result);
    if results.len() != kept.len() || !results.iter().zip(kept).all(goes_in_vain) {
        return Err(Error::misuse("only results that nothing uses can be erased"));
    }
    let types: Vec<TypeRef> = results.iter().zip(kept).filter(|of| *of.1).map(|of| body.ty(*of.0)).collect();
    let operands = body.operands(op).to_vec();
    let successors = body.successors(op).to_vec();
    let regions: Vec<_> = body.regions(op).collect();
    let spec = OperationSpec {
        name: body.name(op),
        location: body.location(op),
        attributes: body.attributes(op),
        properties: body.properties(op),
        operands: &operands,
        results: &types,
        successors: &successors,
        regions: regions.len() as u32,
    };
    rw.set_insertion_point_before(op)?;
    let new = rw.create(&spec)?;
    let targets: Vec<_> = rw.body().regions(new).collect();
    for (from, to) in regions.into_iter().zip(targets) {
        rw.inline_region(from, to, None)?;
    }
    let by: Vec<Value> = rw.body().results(new).collect();
    let left = results.into_iter().zip(kept).filter(|of| *of.1).map(|of| of.0);
    for (result, by) in left.zip(by) {
        rw.replace_uses(result, by)?;
    }
    rw.erase(op)?;
    Ok(new)
}
