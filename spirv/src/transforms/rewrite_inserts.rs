//! `spirv-rewrite-inserts` (`RewriteInsertsPass.cpp`).

use mlirbc_ir::{OpId, Result, Rewriter};
use mlirbc_rewrite::{LocalPass, LocalRun, MakePass, Pass, PassInfo};

use super::MODULE;
use crate::dialect::folds::{member_count, places};
use crate::dialect::types::{SpirvType, view};

/// So many operations, with one more for each that is there, are looked at to find out what composites are made of: chains may share
/// their beginnings.
const PATIENCE: usize = 1 << 20;

/// Puts together at once what is put together part by part: a chain of insertions into all places of a composite, the first one first,
/// becomes one `spirv.CompositeConstruct` of what is inserted. Insertions that others use stay.
#[derive(Clone, Copy, Debug, Default)]
pub struct RewriteInserts;

pub(super) const INFO: PassInfo = PassInfo {
    name: "spirv-rewrite-inserts",
    about: "make chains of insertions into all parts of a composite one spirv.CompositeConstruct",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(RewriteInserts))),
};

impl Pass for RewriteInserts {
    fn name(&self) -> &str {
        INFO.name
    }

    fn anchor(&self) -> Option<&str> {
        Some(MODULE)
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        Some(self)
    }
}

impl LocalPass for RewriteInserts {
    fn start(&self) -> LocalRun<'_> {
        Box::new(|rw, counts| {
            let mut patience = PATIENCE + rw.body().operation_count();
            let mut chains = Vec::new();
            for op in rw.body().preorder() {
                if let Some(chain) = chain(rw, op, &mut patience)? {
                    chains.push(chain);
                }
            }
            counts.add("constructed", chains.len() as u64);
            chains.into_iter().try_for_each(|chain| construct(rw, &chain))
        })
    }
}

/// The insertions into all places of a composite, the last one first, where the operation is the last of such; `None` where it is not.
fn chain(rw: &Rewriter<'_>, last: OpId, patience: &mut usize) -> Result<Option<Vec<OpId>>> {
    let Some(place) = place(rw, last)? else { return Ok(None) };
    let ty = rw.op(last).type_of(rw.result(last, 0)?)?;
    let is_matrix = matches!(view(rw.context(), ty), Some(SpirvType::CooperativeMatrix { .. }));
    if is_matrix || member_count(rw.context(), ty) != place.checked_add(1) {
        return Ok(None);
    }
    let mut chain = vec![last];
    for wanted in (0..place).rev() {
        let before = chain.last().and_then(|&op| rw.body().defining_operation(*rw.body().operands(op).get(1)?));
        let Some(op) = before.filter(|_| *patience > 0) else { return Ok(None) };
        *patience -= 1;
        if self::place(rw, op)? != Some(wanted) {
            return Ok(None);
        }
        chain.push(op);
    }
    Ok(Some(chain))
}

/// The one number that says where an operation inserts; `None` where it is no insertion, or one into a part of a part.
fn place(rw: &Rewriter<'_>, op: OpId) -> Result<Option<usize>> {
    let op = rw.op(op);
    if !op.is("spirv.CompositeInsert") || op.operands().len() != 2 || op.results().len() != 1 || op.is_opaque()? {
        return Ok(None);
    }
    let places = op.attribute("indices")?.and_then(|indices| places(rw.context(), indices));
    Ok(places.and_then(|places| <[usize; 1]>::try_from(places).ok()).map(|[place]| place))
}

fn construct(rw: &mut Rewriter<'_>, chain: &[OpId]) -> Result<()> {
    let Some(&last) = chain.first() else { return Ok(()) };
    let body = rw.body();
    let objects: Vec<_> = chain.iter().rev().filter_map(|&op| body.operands(op).first().copied()).collect();
    let (result, location) = (rw.result(last, 0)?, body.location(last));
    let ty = body.ty(result);
    rw.set_insertion_point_before(last)?;
    let made = rw.build("spirv.CompositeConstruct").operands(objects).result_type(ty).at(location).create()?;
    rw.replace_uses(result, rw.result(made, 0)?)?;
    for &op in chain {
        // Another chain may have had it, too.
        if !rw.body().is_erased(op) && !rw.body().is_used(rw.result(op, 0)?) {
            rw.erase(op)?;
        }
    }
    Ok(())
}
