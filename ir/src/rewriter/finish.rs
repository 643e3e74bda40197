//! How a changed body comes back to its module.

use std::collections::BTreeMap;

use super::Rewriter;
use crate::attribute::ResourceHandle;
use crate::body::{Body, BodyId, OpId};
use crate::error::Result;
use crate::module::{Module, ResourceEntry, TakenBody};

/// What a [`Rewriter`] leaves: [`Module::put_rewritten`] takes it.
#[derive(Debug)]
pub struct Rewritten {
    id: BodyId,
    body: TakenBody,
    /// A body that went to another operation, where there is one such and nothing else beside.
    moved: Option<Moved>,
    rest: Option<Box<Rest>>,
}

/// A body, and the operation that it belongs to from now on.
type Moved = (BodyId, (BodyId, OpId));

/// What few bodies leave beside themselves.
#[derive(Debug, Default)]
struct Rest {
    made: BTreeMap<BodyId, TakenBody>,
    erased: Vec<BodyId>,
    owners: Vec<Moved>,
    resources: Vec<(ResourceHandle, ResourceEntry)>,
}

impl Rewritten {
    /// The number of the body in its module.
    pub fn body_id(&self) -> BodyId {
        self.id
    }

    /// The body.
    pub fn body(&self) -> &Body {
        &self.body
    }
}

impl Rewriter<'_> {
    /// Ends the changes. [`Module::put_rewritten`] puts what comes back into the module, once no other thread looks at it.
    pub fn finish(self) -> Rewritten {
        let Rewriter { id, mut body, made, erased, owners, resources, .. } = self;
        if body.is_changed() {
            body.look();
        }
        let has_few = made.is_empty() && erased.is_empty() && resources.is_empty();
        let (moved, rest) = match *owners {
            [] if has_few => (None, None),
            [moved] if has_few => (Some(moved), None),
            _ => (None, Some(Box::new(Rest { made, erased, owners, resources }))),
        };
        Rewritten { id, body, moved, rest }
    }

    /// Takes in what a rewriter of a body in this one leaves, which had the bodies that were made here.
    pub(super) fn take_in(&mut self, done: Rewritten) {
        self.made.insert(done.id, done.body);
        self.owners.extend(done.moved);
        if let Some(rest) = done.rest {
            self.made.extend(rest.made);
            self.erased.extend(rest.erased);
            self.owners.extend(rest.owners);
            self.resources.extend(rest.resources);
        }
    }
}

impl Module {
    /// Changes one body: what `change` does with the [`Rewriter`] is done, also where it gives an error. Bodies of operations that it
    /// erases are freed.
    ///
    /// # Errors
    /// As [`Module::take_body`], and what `change` gives.
    pub fn rewrite<R>(&mut self, body: BodyId, change: impl FnOnce(&mut Rewriter<'_>) -> Result<R>) -> Result<R> {
        let taken = self.take_body(body)?;
        let mut rewriter = Rewriter::new(self, body, taken);
        let result = change(&mut rewriter);
        let done = rewriter.finish();
        self.put_rewritten(done)?;
        result
    }

    /// Puts back a body that [`Module::take_body`] took and a [`Rewriter`] changed, with the bodies that were made in it. The bodies
    /// of operations that were erased are freed.
    ///
    /// # Errors
    /// As [`Module::put_body`], and where the resources of the module cannot be read.
    pub fn put_rewritten(&mut self, done: Rewritten) -> Result<()> {
        self.put_back(done.id, done.body)?;
        if let Some((child, owner)) = done.moved {
            self.set_owner(child, owner);
        }
        let Some(rest) = done.rest else { return Ok(()) };
        let Rest { made, erased, owners, resources } = *rest;
        for (id, body) in made {
            self.put_body(id, body)?;
        }
        self.settle(owners, erased, resources)
    }

    /// Notes which operations bodies belong to now, and frees those of what was erased.
    fn settle(
        &mut self,
        owners: Vec<Moved>,
        erased: Vec<BodyId>,
        resources: Vec<(ResourceHandle, ResourceEntry)>,
    ) -> Result<()> {
        for (child, owner) in owners {
            self.set_owner(child, owner);
        }
        for id in erased {
            self.free_body(id);
        }
        self.bring_resources(resources)
    }

    /// As [`Module::put_rewritten`], of bodies that may hold each other: of what one erased another may have changed something.
    pub(super) fn put_all<const COUNT: usize>(&mut self, done: [Rewritten; COUNT]) -> Result<()> {
        let (mut owners, mut erased, mut resources) = (Vec::new(), Vec::new(), Vec::new());
        for rewritten in done {
            self.put_back(rewritten.id, rewritten.body)?;
            owners.extend(rewritten.moved);
            let Some(rest) = rewritten.rest else { continue };
            for (id, body) in rest.made {
                self.put_body(id, body)?;
            }
            owners.extend(rest.owners);
            erased.extend(rest.erased);
            resources.extend(rest.resources);
        }
        self.settle(owners, erased, resources)
    }
}
