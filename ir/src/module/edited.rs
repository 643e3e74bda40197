//! Bodies that are taken out of a module, and which of them may have been changed.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use hashbrown::HashMap;

use super::operation::{Inside, SYMBOL_NAME};
use super::{FileInfo, Module, PendingBody, fragment};
use crate::attribute::Identifier;
use crate::body::{Body, BodyId, OpId};
use crate::error::{Error, ErrorCode, Result};
use crate::ods::Release;

/// What was found of a module that breaks no rule.
pub(crate) struct Verified {
    /// What it said about its file.
    info: FileInfo,
    found: Found,
}

/// What verification comes by, and need not look for again in what is not edited.
#[derive(Default)]
pub(crate) struct Found {
    /// The operations that use symbols.
    pub(crate) users: Vec<(BodyId, OpId)>,
    /// By symbol table, what it defines: of some of them.
    pub(crate) symbols: SymbolTables,
}

/// Where the symbols of a symbol table are defined: by the number of their name.
pub(crate) struct Symbols {
    body: BodyId,
    sorted: Box<[(Identifier, OpId)]>,
}

impl Symbols {
    /// Those of the table that holds that.
    ///
    /// # Errors
    /// Where the name of one cannot be decoded.
    pub(crate) fn of(module: &Module, inside: Inside<'_>) -> Result<Self> {
        let mut symbols = Vec::new();
        names_in(module, inside, &mut symbols)?;
        symbols.sort_by_key(|symbol| symbol.0);
        Ok(Symbols { body: inside.id, sorted: symbols.into() })
    }

    /// The last one of that name.
    pub(crate) fn get(&self, name: Identifier) -> Option<(BodyId, OpId)> {
        let at = self.sorted.partition_point(|symbol| symbol.0 <= name).checked_sub(1)?;
        let found = self.sorted.get(at).filter(|symbol| symbol.0 == name)?;
        Some((self.body, found.1))
    }
}

/// Adds the names of the symbols that are directly in the regions, in order, with their operations.
pub(crate) fn names_in(module: &Module, inside: Inside<'_>, symbols: &mut Vec<(Identifier, OpId)>) -> Result<()> {
    let called = module.context().static_identifier(SYMBOL_NAME);
    inside.ops(module).try_for_each(|op| {
        symbols.extend(op.symbol_name_as(called)?.map(|name| (name, op.id())));
        Ok(())
    })
}

/// The same of symbol tables, by the operation that is one.
pub(crate) type SymbolTables = HashMap<(BodyId, OpId), Symbols>;

/// A body that [`Module::take_body`] took, or that has yet to come into a module. It knows whether it was changed: whoever gets it to
/// change is taken to have done so.
#[derive(Debug)]
pub struct TakenBody {
    body: Box<Body>,
    edited: bool,
    /// Where it was read from.
    pending: Option<PendingBody>,
    /// How much work it was when it was [last looked at](TakenBody::look), about, in operations.
    weight: u32,
    /// Whether it was mostly erased then.
    is_mostly_erased: bool,
}

impl TakenBody {
    /// Notes what its module wants to know of it without a look at each body.
    pub(crate) fn look(&mut self) {
        self.weight = self.body.operation_count() as u32;
        self.is_mostly_erased = self.body.is_mostly_erased();
    }

    /// The body, to build or keep in order what only tells faster what is in it.
    pub(crate) fn tables(&mut self) -> &mut Body {
        &mut self.body
    }

    /// How much work it is to go through it, about, in operations: known without a look at it.
    pub fn weight(&self) -> usize {
        self.weight as usize
    }

    /// Whether it was changed since it was taken.
    pub(crate) fn is_changed(&self) -> bool {
        self.edited
    }

    /// Puts another body in its place, which is the same in other memory; gives what was there.
    pub(crate) fn put(&mut self, body: Box<Body>) -> Box<Body> {
        std::mem::replace(&mut self.body, body)
    }

    /// Where the body may be read from once more, as long as nothing in it was changed.
    pub(crate) fn source(&self) -> Option<PendingBody> {
        self.pending.filter(|_| !self.body.is_edited())
    }

    /// Puts back the body that was taken, which nobody has changed; gives what was there.
    pub(crate) fn put_back(&mut self, body: Box<Body>) -> Box<Body> {
        self.edited = false;
        self.put(body)
    }
}

impl From<Box<Body>> for TakenBody {
    fn from(body: Box<Body>) -> Self {
        let mut taken = TakenBody { body, edited: true, pending: None, weight: 0, is_mostly_erased: false };
        taken.look();
        taken
    }
}

impl From<Body> for TakenBody {
    fn from(body: Body) -> Self {
        Box::new(body).into()
    }
}

impl Deref for TakenBody {
    type Target = Body;

    #[inline]
    fn deref(&self) -> &Body {
        &self.body
    }
}

impl DerefMut for TakenBody {
    #[inline]
    fn deref_mut(&mut self) -> &mut Body {
        self.edited = true;
        &mut self.body
    }
}

impl Module {
    /// Takes a body out of the module, to edit it beside others, on this thread or another; put it back with
    /// [`Module::put_body`]. Until then, entering it is an error, and so are reading all bodies and writing the module.
    ///
    /// # Errors
    /// As [`Module::body`], and where it is that of an operation that [`Module::symbol`] read beside the others.
    pub fn take_body(&mut self, id: BodyId) -> Result<TakenBody> {
        self.body(id)?;
        let slot = self.slot_mut(id)?;
        if slot.fragment {
            return Err(fragment());
        }
        let pending = slot.pending.take();
        let body =
            slot.body.take().ok_or_else(|| Error::misuse("the body was taken").with_code(ErrorCode::BodyTaken))?;
        slot.taken = true;
        Ok(TakenBody { body, edited: false, pending, weight: slot.weight, is_mostly_erased: false })
    }

    /// Puts back a body that [`Module::take_body`] took, or another one in its place.
    ///
    /// # Errors
    /// Where the module has no such body, or it was not taken.
    pub fn put_body(&mut self, id: BodyId, body: impl Into<TakenBody>) -> Result<()> {
        let mut body = body.into();
        body.look();
        self.put_back(id, TakenBody { edited: true, ..body })
    }

    /// Puts back the body of that number: as it was, or changed and [looked at](TakenBody::look) since.
    pub(crate) fn put_back(&mut self, id: BodyId, taken: TakenBody) -> Result<()> {
        let slot = self.slot_mut(id)?;
        if slot.body.get().is_some() || slot.pending.is_some() {
            return Err(Error::misuse(format!("body {} was not taken", id.index())));
        }
        slot.body = OnceLock::from(taken.body);
        slot.edited |= taken.edited;
        slot.taken = false;
        slot.weight = taken.weight;
        if taken.is_mostly_erased {
            self.mostly_erased.push(id);
        }
        Ok(())
    }

    /// Says that a body that was taken is to be read once more.
    pub(crate) fn forget_body(&mut self, id: BodyId, pending: PendingBody) -> Result<()> {
        let slot = self.slot_mut(id)?;
        (slot.pending, slot.taken) = (Some(pending), false);
        Ok(())
    }

    /// Whether the body may have been changed since [`Module::note_verified`].
    pub(crate) fn is_edited(&self, id: BodyId) -> bool {
        self.bodies.get(id.index()).is_none_or(|slot| slot.edited)
    }

    /// The bodies that may have been changed since then: among them some that no operation leads to any more. `None` where not all of
    /// the module is there.
    pub(crate) fn edited_bodies(&self) -> Option<Vec<BodyId>> {
        let mut edited = Vec::new();
        for at in 0..self.bodies.count() {
            match self.bodies.get(at) {
                Some(slot) if slot.taken => return None,
                Some(slot)
                    if slot.edited && !slot.fragment && (slot.body.get().is_some() || slot.pending.is_some()) =>
                {
                    edited.push(BodyId::from_index(at));
                }
                _ => {}
            }
        }
        Some(edited)
    }

    /// What was found when the module was last verified, where nothing of it but bodies has changed since.
    pub(crate) fn verified(&self) -> Option<&Found> {
        self.verified.as_ref().filter(|verified| verified.info == self.info).map(|verified| &verified.found)
    }

    /// Whether nothing was wrong with the module when it was last verified, and nothing of it has changed since. Of modules of other
    /// releases, of which more is let pass, none is known to be right, and none with fragments, which are not verified.
    pub(crate) fn is_found_right(&self) -> bool {
        let release = Release::of_producer(&self.info.producer).unwrap_or_default();
        release == Release::default()
            && self.verified().is_some()
            && !(0..self.bodies.count()).any(|at| self.is_fragment(BodyId::from_index(at)))
            && self.edited_bodies().is_some_and(|edited| edited.is_empty())
    }

    /// The symbol tables of that, to be used and given back with [`Module::note_verified`].
    pub(crate) fn take_symbols(&mut self) -> SymbolTables {
        self.verified.as_mut().map(|verified| std::mem::take(&mut verified.found.symbols)).unwrap_or_default()
    }

    /// Notes that nothing is wrong with the module as it is now, and what was found in it.
    pub(crate) fn note_verified(&mut self, found: Found) {
        self.verified = Some(Verified { info: self.info.clone(), found });
        for at in 0..self.bodies.count() {
            if let Some(slot) = self.bodies.get_mut(at) {
                slot.edited = false;
            }
        }
    }
}
