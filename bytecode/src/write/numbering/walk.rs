//! The order in which MLIR meets what a module holds.

use mlirbc_ir::{AttributeRef, BlockId, Body, BodyId, Module, OpView, RegionId, Result, TypeRef};

use crate::write::ledger::Key;

/// That of an operation; none where it has more than one result.
#[inline]
pub(super) fn key_of(op: OpView<'_>) -> Option<Key> {
    let mut types = op.result_types();
    (types.len() <= 1).then(|| (op.name(), op.attributes(), op.properties(), types.next()))
}

/// Who meets it.
pub(super) trait Meet {
    /// Meets an argument of a block: its location, which may be unknown, and its type.
    fn argument(&mut self, location: Option<AttributeRef>, ty: TypeRef) -> Result<()>;

    /// Meets an operation; its regions come later.
    fn operation(&mut self, op: OpView<'_>) -> Result<()>;

    /// Meets all that is in a body, if that is known without a walk; says whether it is.
    fn whole(&mut self, body: BodyId) -> Result<bool> {
        let _ = body;
        Ok(false)
    }
}

/// What waits for its turn.
enum Waiting {
    Body(BodyId),
    Region(BodyId, RegionId),
}

/// Meets all of a module.
pub(super) fn module(module: &Module, meet: &mut impl Meet) -> Result<()> {
    let mut waiting: Vec<Waiting> = Vec::new();
    let top = BodyId::from_index(Module::TOP);
    let body = module.body(top)?;
    for block in body.top_regions().iter().flat_map(|&region| body.blocks(region)) {
        operations(meet, &mut waiting, top, body, block)?;
    }
    walk(module, meet, waiting)
}

/// Meets all that is in a body.
pub(super) fn body(module: &Module, meet: &mut impl Meet, id: BodyId) -> Result<()> {
    let roots = module.body(id)?.top_regions();
    walk(module, meet, roots.iter().map(|&region| Waiting::Region(id, region)).collect())
}

/// The last region first, each wholly before what is nested in it.
fn walk(module: &Module, meet: &mut impl Meet, mut waiting: Vec<Waiting>) -> Result<()> {
    while let Some(next) = waiting.pop() {
        let (id, body, region) = match next {
            Waiting::Region(id, region) => (id, module.body(id)?, region),
            Waiting::Body(id) => {
                if meet.whole(id)? {
                    continue;
                }
                let body = module.body(id)?;
                body.fetch();
                if let Some(Waiting::Body(next)) = waiting.last() {
                    module.loaded(*next).into_iter().for_each(Body::fetch);
                }
                let Some((&last, others)) = body.top_regions().split_last() else { continue };
                waiting.extend(others.iter().map(|&region| Waiting::Region(id, region)));
                (id, body, last)
            }
        };
        for block in body.blocks(region) {
            for (&value, &location) in body.arguments(block).iter().zip(body.argument_locations(block)) {
                meet.argument(location, body.ty(value))?;
            }
            operations(meet, &mut waiting, id, body, block)?;
        }
    }
    Ok(())
}

/// Meets the operations of a block; their regions have to wait.
#[inline(always)]
fn operations(meet: &mut impl Meet, waiting: &mut Vec<Waiting>, id: BodyId, body: &Body, block: BlockId) -> Result<()> {
    for op in body.views(block) {
        meet.operation(op)?;
        if op.region_count() > 0 {
            match op.region_body() {
                Some(child) => waiting.push(Waiting::Body(child)),
                None => waiting.extend(op.regions().map(|region| Waiting::Region(id, region))),
            }
        }
    }
    Ok(())
}
