//! A module that was right, checked again after edits: what they cannot have broken is not looked at.
//!
//! A rule may look at the operation that it is about and at its body, at all that holds it and all that it holds, and at symbols that
//! are found from there, with what those hold. So an edited body is checked whole, with all bodies in it; of the operations around
//! it, to the outermost one, what code of their dialects asks is asked again, and of all operations that use symbols the rules of
//! symbols. Where symbols themselves may have changed, or what others use as values, everything is checked.

use std::collections::HashSet;

use super::walk::{Walk, verify_all};
use crate::body::BodyId;
use crate::error::{Error, Result};
use crate::module::{Found, Module, OpRef, SymbolTables};
use crate::ods::Traits;

/// As [`verify_module_with`](super::verify_module_with), and with the same reports, but where the module was found right by an earlier
/// call, only what has been changed since is checked, and what that may have broken.
///
/// # Errors
/// As [`verify_module`](super::verify_module).
pub fn verify_edits(module: &mut Module, threads: usize, report: &mut dyn FnMut(Error)) -> Result<()> {
    let symbols = module.take_symbols();
    if let Some(found) = edits_are_right(module, threads, symbols) {
        module.note_verified(found);
        return Ok(());
    }
    let mut is_right = true;
    let found = verify_all(module, threads, &mut |error| {
        is_right = false;
        report(error);
    })?;
    if is_right {
        module.note_verified(found);
    }
    Ok(())
}

/// What there is in the module, where it can be told from what was edited that it is still right. What these symbol tables defined is
/// known.
fn edits_are_right(module: &Module, threads: usize, symbols: SymbolTables) -> Option<Found> {
    let check = || -> Result<Option<Found>> {
        let Some(Edits { holders, around, users, symbols }) = Edits::of(module, symbols)? else { return Ok(None) };
        let mut is_right = true;
        let left: Vec<_> = users.iter().map(|user| (user.body_id(), user.id())).collect();
        let walk = Walk::new(module, threads).with_symbols(symbols);
        let mut found = walk.verify_parts(holders, around, users, &mut |_| is_right = false)?;
        found.users.extend(left);
        Ok(is_right.then_some(found))
    };
    // What is wrong is told by going through all of the module, in the order of its operations.
    check().ok().flatten()
}

/// What there is to check.
struct Edits<'m> {
    /// The operations whose bodies were edited, but for those in another one.
    holders: Vec<OpRef<'m>>,
    /// What they stand in.
    around: Vec<OpRef<'m>>,
    /// The other operations that use symbols.
    users: Vec<OpRef<'m>>,
    /// The symbol tables that define what they did.
    symbols: SymbolTables,
}

impl<'m> Edits<'m> {
    /// `None` where that may be everything.
    fn of(module: &'m Module, symbols: SymbolTables) -> Result<Option<Self>> {
        let (Some(verified), Some(edited)) = (module.verified(), module.edited_bodies()) else { return Ok(None) };
        let mut edits = Edits { holders: Vec::new(), around: Vec::new(), users: Vec::new(), symbols };
        let mut outermost = Outermost { module, known: vec![None; module.body_count()] };
        let mut around = HashSet::new();
        for id in edited {
            if outermost.edited(id) != Some(id) {
                continue;
            }
            let Some((body, op)) = module.owner(id) else { return Ok(None) };
            let op = module.operation(body, op)?;
            let leads_there = op.body().region_body(op.id()) == Some(id);
            let is_known = op.definition().is_some();
            if !leads_there || !is_known || op.has_trait(Traits::SYMBOL_TABLE) || op.results().next().is_some() {
                return Ok(None);
            }
            edits.holders.push(op);
            let mut next = op.parent_op()?;
            while let Some(parent) = next.filter(|op| around.insert((op.body_id(), op.id()))) {
                edits.around.push(parent);
                next = parent.parent_op()?;
            }
        }
        for &(body, op) in &verified.users {
            if outermost.edited(body).is_none() {
                edits.users.push(module.operation(body, op)?);
            }
        }
        edits.symbols.retain(|&(body, op), _| {
            let is_left = |id: BodyId, outermost: &mut Outermost<'_>| outermost.edited(id).is_none();
            let inside = module.loaded(body).and_then(|body| body.region_body(op));
            is_left(body, &mut outermost) && inside.is_none_or(|inside| is_left(inside, &mut outermost))
        });
        Ok(Some(edits))
    }
}

/// Finds the outermost of the edited bodies around a body.
struct Outermost<'m> {
    module: &'m Module,
    /// By body, where that was found already.
    known: Vec<Option<Option<BodyId>>>,
}

impl Outermost<'_> {
    /// That of this body, itself included.
    fn edited(&mut self, id: BodyId) -> Option<BodyId> {
        let mut inside = Vec::new();
        let mut next = Some(id);
        let mut found = None;
        while let Some(id) = next {
            if let Some(Some(known)) = self.known.get(id.index()) {
                found = *known;
                break;
            }
            inside.push(id);
            next = self.module.owner(id).map(|(body, _)| body);
        }
        for id in inside.into_iter().rev() {
            found = found.or_else(|| self.module.is_edited(id).then_some(id));
            if let Some(known) = self.known.get_mut(id.index()) {
                *known = Some(found);
            }
        }
        found
    }
}
