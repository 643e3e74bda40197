//! Small bodies that are changed as copies, so that they are as they were where that comes to nothing.

use super::Rewriter;
use crate::body::{Body, BodyId, Room};
use crate::error::Result;
use crate::module::{Module, PendingBody};

/// Room in which bodies are changed as copies, one after the other: see [`Rewriter::copy_in`].
#[derive(Debug, Default)]
pub struct Workspace(Room);

/// A body of which a copy is changed.
#[derive(Debug)]
pub struct Copied {
    body: Box<Body>,
    source: Option<PendingBody>,
}

/// A body as it was: [`Module::restore`] puts it back.
#[derive(Debug)]
pub struct Original(Was);

#[derive(Debug)]
enum Was {
    Kept(Box<Body>),
    /// It can be read from its file once more.
    InFile(PendingBody),
}

impl Rewriter<'_> {
    /// Changes a copy of the body from now on, and gives the body as it is. [`Rewriter::settle`] or [`Rewriter::abandon`] ends that;
    /// without them the copy takes the place of the body as any that is changed.
    ///
    /// ```
    /// use mlirbc_ir::{BodyId, Context, Module, Workspace};
    ///
    /// let context = Context::new();
    /// let mut module = Module::new(&context);
    /// let top = BodyId::from_index(Module::TOP);
    /// let was = module.rewrite(top, |rw| {
    ///     let mut space = Workspace::default();
    ///     let was = rw.copy_in(&mut space);
    ///     rw.set_insertion_point_to_end(rw.body().first_block(rw.body().top_regions()[0]).expect("the outermost block"))?;
    ///     let gone = rw.build("toy.gone").create()?;
    ///     rw.build("toy.made").create()?;
    ///     rw.erase(gone)?;
    ///     Ok(rw.settle(&mut space, was))
    /// })?;
    /// assert_eq!(module.top()?.operation_count(), 1);
    /// module.restore(top, was.expect("something was changed"))?;
    /// assert_eq!(module.top()?.operation_count(), 0);
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    pub fn copy_in(&mut self, space: &mut Workspace) -> Copied {
        let copy = space.0.copy(&self.body);
        let source = self.body.source().filter(|_| self.module.source().is_some());
        let body = self.body.put(copy);
        Copied { body, source }
    }

    /// Ends what [`Rewriter::copy_in`] began, once nobody holds numbers of what is in the body: the body takes no more memory than it has
    /// to, and what is in it has other numbers, in the order of the old ones. Gives the body as it was, or puts it back and gives
    /// nothing where nothing was changed.
    pub fn settle(&mut self, space: &mut Workspace, was: Copied) -> Option<Original> {
        if !self.body.is_changed() {
            self.abandon(space, was);
            return None;
        }
        self.point = None;
        let was = match was.source {
            Some(source) => Was::InFile(source),
            None => Was::Kept(was.body),
        };
        let settled = space.0.settled(self.body.tables());
        space.0.give_back(self.body.put(settled));
        Some(Original(was))
    }

    /// Ends what [`Rewriter::copy_in`] began with the body as it was. No operation in the copy may lead to another body that was made
    /// meanwhile.
    pub fn abandon(&mut self, space: &mut Workspace, was: Copied) {
        self.point = None;
        space.0.give_back(self.body.put_back(was.body));
    }

    /// As [`Rewriter::build_uses`], in room that has been used before.
    pub fn build_uses_in(&mut self, space: &mut Workspace) {
        space.0.build_uses(self.body.tables());
    }

    /// Takes back the room of lists of uses that say nothing: they are built again where somebody asks for them.
    pub fn drop_uses(&mut self, space: &mut Workspace) {
        space.0.drop_uses(self.body.tables());
    }
}

impl Module {
    /// Puts a body back as it was: the one that is there is thrown away. No operation in it may lead to another body that was made
    /// meanwhile. What was read from a file may be read once more, when it is entered.
    ///
    /// # Errors
    /// As [`Module::take_body`].
    pub fn restore(&mut self, id: BodyId, was: Original) -> Result<()> {
        self.take_body(id)?;
        match was.0 {
            Was::Kept(body) => self.put_body(id, body),
            Was::InFile(pending) => self.forget_body(id, pending),
        }
    }
}
