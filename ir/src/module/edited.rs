//! Bodies that are taken out of a module, and which of them may have been changed.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use super::Module;
use crate::body::{Body, BodyId};
use crate::error::{Error, Result};

/// A body that [`Module::take_body`] took, or that has yet to come into a module. It knows whether it was changed: whoever gets it to
/// change is taken to have done so.
#[derive(Debug)]
pub struct TakenBody {
    body: Box<Body>,
    edited: bool,
}

impl TakenBody {
    /// The body, to build or keep in order what only tells faster what is in it.
    pub(crate) fn tables(&mut self) -> &mut Body {
        &mut self.body
    }
}

impl From<Box<Body>> for TakenBody {
    fn from(body: Box<Body>) -> Self {
        TakenBody { body, edited: true }
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
    /// As [`Module::body_mut`].
    pub fn take_body(&mut self, id: BodyId) -> Result<TakenBody> {
        let edited = self.is_edited(id);
        self.body_mut(id)?;
        let slot = self.slot_mut(id)?;
        slot.edited = edited;
        slot.pending = None;
        let body = slot.body.take().ok_or_else(|| Error::misuse("the body was taken"))?;
        Ok(TakenBody { body, edited: false })
    }

    /// Puts back a body that [`Module::take_body`] took, or another one in its place.
    ///
    /// # Errors
    /// Where the module has no such body, or it was not taken.
    pub fn put_body(&mut self, id: BodyId, body: impl Into<TakenBody>) -> Result<()> {
        self.put_back(id, TakenBody { edited: true, ..body.into() })
    }

    /// Puts back the body of that number.
    pub(crate) fn put_back(&mut self, id: BodyId, taken: TakenBody) -> Result<()> {
        let slot = self.slot_mut(id)?;
        if slot.body.get().is_some() || slot.pending.is_some() {
            return Err(Error::misuse(format!("body {} was not taken", id.index())));
        }
        slot.body = OnceLock::from(taken.body);
        slot.edited |= taken.edited;
        Ok(())
    }

    /// Whether the body may have been changed since [`Module::note_verified`].
    pub(crate) fn is_edited(&self, id: BodyId) -> bool {
        self.bodies.get(id.index()).is_none_or(|slot| slot.edited)
    }

    /// Whether the module was verified, and nothing of it but bodies has changed since.
    pub(crate) fn was_verified(&self) -> bool {
        self.verified.as_ref() == Some(&self.info)
    }

    /// Notes that nothing is wrong with the module as it is now.
    pub(crate) fn note_verified(&mut self) {
        self.verified = Some(self.info.clone());
        for at in 0..self.bodies.count() {
            if let Some(slot) = self.bodies.get_mut(at) {
                slot.edited = false;
            }
        }
    }
}
