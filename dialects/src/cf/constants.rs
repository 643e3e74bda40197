//! Where branches of `cf` go on to that are told by a constant.

use std::sync::Arc;

use mlirbc_ir::interfaces::Branch;
use mlirbc_ir::{Attribute, Dialect, Numbers, OpRef, Result};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.interface::<dyn Branch>("cond_br", Arc::new(CondBr)).interface::<dyn Branch>("switch", Arc::new(Switch))
}

struct CondBr;

impl Branch for CondBr {
    fn successor_for(&self, op: OpRef<'_>, constants: &[Option<Attribute>]) -> Result<Option<usize>> {
        let condition = constants.first().copied().flatten();
        let condition = condition.and_then(|condition| op.module().context().integer_of(condition)?.to_u64());
        Ok(condition.map(|condition| usize::from(condition == 0)))
    }
}

struct Switch;

impl Branch for Switch {
    fn successor_for(&self, op: OpRef<'_>, constants: &[Option<Attribute>]) -> Result<Option<usize>> {
        let context = op.module().context();
        let Some(values) = op.attribute(super::switches::VALUES)? else { return Ok(Some(0)) };
        let flag = constants.first().copied().flatten().and_then(|flag| context.integer_of(flag));
        let (Some(flag), Some(values)) = (flag, Numbers::of(context, values)) else { return Ok(None) };
        let cases = op.body().successors(op.id()).len().saturating_sub(1) as u64;
        let case = (0..values.count.min(cases)).find(|&at| values.get(at) == flag);
        Ok(Some(case.map_or(0, |case| case as usize + 1)))
    }
}
