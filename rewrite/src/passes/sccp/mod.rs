//! `sccp` (`mlir/Transforms/Passes.td`).

mod analysis;
mod kinds;
mod lattice;
mod survey;

use hashbrown::HashMap;

use mlirbc_ir::interfaces::DeadOperations;
use mlirbc_ir::{Attribute, BlockId, Identifier, OpId, OperationName, RegionId, Result, Rewriter, Type, Value};

use self::analysis::{Analysis, Unit};
use self::kinds::Kinds;
use self::lattice::Lattice;
use self::survey::Survey;
use crate::greedy::{Greedy, insertion_region};
use crate::known::Knowledge;
use crate::pass::{Pass, Target};
use crate::patterns::Patterns;
use crate::registry::{MakePass, PassInfo};

/// Puts constants in the place of values that are constant whatever is executed: what a branch never goes on to counts for nothing, nor
/// does a call that never takes place. Operations of which no result is needed any more are erased; blocks that are never executed stay.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sccp;

pub(super) const INFO: PassInfo = PassInfo {
    name: "sccp",
    about: "put constants in the place of values that are constant in all that is executed",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(Sccp))),
};

impl Pass for Sccp {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let mut kinds = Kinds::default();
        let survey = Survey::of(target.op()?, &mut kinds)?;
        let module = target.module();
        let mut taken = Vec::with_capacity(survey.bodies.len());
        for &id in &survey.bodies {
            taken.push((id, module.take_body(id)?));
        }
        let units = taken.into_iter().map(|(id, body)| Unit::new(Rewriter::new(module, id, body))).collect();
        let (patterns, none) = (Patterns::new(), Greedy::new(Patterns::new()));
        let mut analysis = Analysis::new(units, survey, kinds, Knowledge::new(&patterns, false, &none));
        let result = analysis.run().and_then(|()| {
            let Analysis { units, knowledge, .. } = &mut analysis;
            units.iter_mut().try_for_each(|unit| rewrite(unit, knowledge))
        });
        let done: Vec<_> = analysis.units.into_iter().map(|unit| unit.rw.finish()).collect();
        // What was erased takes the bodies in it along: these come first.
        for rewritten in done.into_iter().rev() {
            module.put_rewritten(rewritten)?;
        }
        result
    }
}

/// The constants that were made, by region, dialect, value and type. None where a dialect has no such constant.
type Constants = HashMap<(RegionId, Identifier, Attribute, Type), Option<OpId>>;

/// Puts constants in their places in one body.
fn rewrite(unit: &mut Unit<'_>, knowledge: &mut Knowledge<'_>) -> Result<()> {
    let mut constants = Constants::new();
    // What keeps an operation here is never erased.
    let mut dead = DeadOperations::default();
    let mut waiting: Vec<BlockId> = Vec::new();
    let regions = unit.rw.body().top_regions().to_vec();
    wait_for(unit, regions, &mut waiting);
    while let Some(block) = waiting.pop() {
        let mut next = unit.rw.body().first_operation(block);
        while let Some(op) = next {
            next = unit.rw.body().next_operation(op);
            let results: Vec<Value> = unit.rw.body().results(op).collect();
            let mut replaced = !results.is_empty();
            for result in results {
                replaced &= replace(unit, knowledge, &mut constants, block, result)?;
            }
            if replaced && dead.would_be_dead(unit.rw.op(op))? {
                unit.rw.erase(op)?;
                continue;
            }
            let regions = unit.rw.body().regions(op).collect();
            wait_for(unit, regions, &mut waiting);
        }
        for argument in unit.rw.body().arguments(block).to_vec() {
            replace(unit, knowledge, &mut constants, block, argument)?;
        }
    }
    Ok(())
}

/// The blocks of these regions are next, those of the last one first.
fn wait_for(unit: &Unit<'_>, regions: Vec<RegionId>, waiting: &mut Vec<BlockId>) {
    for region in regions {
        let first = waiting.len();
        waiting.extend(unit.rw.body().blocks(region));
        waiting[first..].reverse();
    }
}

/// Puts a constant in the place of a value of that block, if it is one.
fn replace(
    unit: &mut Unit<'_>,
    knowledge: &mut Knowledge<'_>,
    constants: &mut Constants,
    block: BlockId,
    value: Value,
) -> Result<bool> {
    let Lattice::Constant(attribute, name) = unit.value(value) else { return Ok(false) };
    let rw = &mut unit.rw;
    let Some(region) = insertion_region(rw, block) else { return Ok(false) };
    let ty = rw.module().ty(rw.body().ty(value))?;
    let dialect = rw.context().operation_dialect(name);
    let constant = match constants.get(&(region, dialect, attribute, ty)) {
        Some(known) => *known,
        None => {
            let made = make(rw, knowledge, region, (attribute, ty), name)?;
            let constant = match made {
                Some(made) => Some(merged(rw, constants, region, (attribute, ty), made)?),
                None => None,
            };
            constants.insert((region, dialect, attribute, ty), constant);
            constant
        }
    };
    let Some(constant) = constant else { return Ok(false) };
    let by = rw.result(constant, 0)?;
    rw.replace_uses(value, by)?;
    Ok(true)
}

/// Makes a constant, as the dialect of operations of that name does it, at the start of a region.
fn make(
    rw: &mut Rewriter<'_>,
    knowledge: &mut Knowledge<'_>,
    region: RegionId,
    (value, ty): (Attribute, Type),
    name: OperationName,
) -> Result<Option<OpId>> {
    let known = knowledge.of(rw.context(), name);
    let (Some(materialize), Some(first)) = (known.materialize, rw.body().first_block(region)) else { return Ok(None) };
    rw.set_insertion_point_to_start(first)?;
    rw.locate(rw.context().unknown_location());
    materialize(rw, value, ty)
}

/// The constant that was just made, or, where it is of another dialect than was asked, one that this dialect has already.
fn merged(
    rw: &mut Rewriter<'_>,
    constants: &mut Constants,
    region: RegionId,
    (value, ty): (Attribute, Type),
    made: OpId,
) -> Result<OpId> {
    let dialect = rw.context().operation_dialect(rw.body().name(made));
    match constants.get(&(region, dialect, value, ty)) {
        Some(&Some(known)) => {
            rw.erase(made)?;
            Ok(known)
        }
        _ => {
            constants.insert((region, dialect, value, ty), Some(made));
            Ok(made)
        }
    }
}
