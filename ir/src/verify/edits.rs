//! A module that was right, checked again after edits: what they cannot have broken is not looked at.
//!
//! A rule may look at the operation that it is about and at its body, at all that holds it and all that it holds, and at symbols that
//! are found from there, with what those hold. So an edited body is checked whole, with all bodies in it; of the operations around
//! it, to the outermost one, the rules are asked again, and of all operations that use symbols those of symbols. Where symbols
//! themselves may have changed, or what others use as values, everything is checked.

use std::collections::HashSet;

use super::walk::{Walk, verify_module_with};
use crate::body::BodyId;
use crate::error::{Error, Result};
use crate::module::{Module, OpRef};
use crate::ods::Traits;

/// As [`verify_module_with`](super::verify_module_with), and with the same reports, but where the module was found right by an earlier
/// call, only what has been changed since is checked, and what that may have broken.
///
/// # Errors
/// As [`verify_module`](super::verify_module).
pub fn verify_edits(module: &mut Module, threads: usize, report: &mut dyn FnMut(Error)) -> Result<()> {
    let mut is_right = module.was_verified() && edits_are_right(module, threads);
    if !is_right {
        is_right = true;
        verify_module_with(module, threads, &mut |error| {
            is_right = false;
            report(error);
        })?;
    }
    if is_right {
        module.note_verified();
    }
    Ok(())
}

/// Whether it can be told from what was edited that the module is still right.
fn edits_are_right(module: &Module, threads: usize) -> bool {
    let check = || -> Result<bool> {
        let mut walk = Walk::new(module, threads);
        let Some(edits) = Edits::of(module, &walk)? else { return Ok(false) };
        let mut is_right = true;
        walk.verify_parts(edits.holders, edits.around, edits.users, &mut |_| is_right = false)?;
        Ok(is_right)
    };
    // What is wrong is told by going through all of the module, in the order of its operations.
    check().unwrap_or(false)
}

/// What there is to check.
struct Edits<'m> {
    /// The operations whose bodies were edited, but for those in another one.
    holders: Vec<OpRef<'m>>,
    /// What they stand in.
    around: Vec<OpRef<'m>>,
    /// The other operations that use symbols.
    users: Vec<OpRef<'m>>,
}

impl<'m> Edits<'m> {
    /// `None` where that may be everything.
    fn of(module: &'m Module, walk: &Walk<'m>) -> Result<Option<Self>> {
        let top = BodyId::from_index(Module::TOP);
        if module.is_edited(top) {
            return Ok(None);
        }
        let mut edits = Edits { holders: Vec::new(), around: Vec::new(), users: Vec::new() };
        let mut around = HashSet::new();
        let mut bodies = vec![top];
        while let Some(id) = bodies.pop() {
            let body = module.body(id)?;
            for op in body.preorder() {
                let op = OpRef::new(module, id, body, op);
                match body.region_body(op.id()) {
                    Some(inside) if module.is_edited(inside) => {
                        let is_known = op.definition().is_some();
                        if !is_known || op.has_trait(Traits::SYMBOL_TABLE) || op.results().next().is_some() {
                            return Ok(None);
                        }
                        edits.holders.push(op);
                        let mut next = op.parent_op()?;
                        while let Some(parent) = next.filter(|op| around.insert((op.body_id(), op.id()))) {
                            edits.around.push(parent);
                            next = parent.parent_op()?;
                        }
                        continue;
                    }
                    Some(inside) => bodies.push(inside),
                    None => {}
                }
                if walk.uses_symbols(op) {
                    edits.users.push(op);
                }
            }
        }
        Ok(Some(edits))
    }
}
