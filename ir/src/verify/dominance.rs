//! Whether operations use what is defined where they stand.

use std::collections::VecDeque;

use super::operation::Describe;
use crate::body::BodyId;
use crate::dominance::{Dominance, Glance};
use crate::error::{Error, Result};
use crate::module::{Module, OpRef};

/// Checks of every operation of a module that the definitions of its operands dominate it, and that nothing in an operation
/// isolated from above is from outside: the part of [`verify_module`](super::verify_module) that asks for no definition but
/// those of what has regions. What is wrong goes to `report`, the first of each operation.
///
/// Text and bytecode can say such things, and a module can be read, printed and written with them.
///
/// # Errors
/// Where a body cannot be read.
pub fn verify_dominance(module: &Module, report: &mut dyn FnMut(Error)) -> Result<()> {
    let mut describe = Describe::default();
    let mut glance = Glance::default();
    let mut waiting = VecDeque::from([BodyId::from_index(Module::TOP)]);
    while let Some(id) = waiting.pop_front() {
        verify_body(module, id, &mut glance, &mut describe, report)?;
        let body = module.body(id)?;
        waiting.extend(body.preorder().filter_map(|op| body.region_body(op)));
    }
    Ok(())
}

/// Checks the operations of one body.
pub(super) fn verify_body(
    module: &Module,
    id: BodyId,
    glance: &mut Glance,
    describe: &mut Describe,
    report: &mut dyn FnMut(Error),
) -> Result<()> {
    let body = module.body(id)?;
    if glance.is_in_order(module, id, body) {
        return Ok(());
    }
    let dominance = Dominance::new(module, id)?;
    for op in body.preorder() {
        let op = OpRef::new(module, id, body, op);
        if let Some(wrong) = dominance.wrong_operand(op) {
            report(describe.error(op, Error::verification(wrong)));
        }
    }
    Ok(())
}
