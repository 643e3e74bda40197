//! Copies: within a body, from other bodies, and from other modules.

use super::Rewriter;
use crate::attribute::ResourceHandle;
use crate::body::{BlockId, Body, BodyId, Excerpt, IsolationMark, Keep, OpId, RegionId, Resolve, ValueMap};
use crate::error::{Error, ErrorCode, Result};
use crate::module::{Module, Resolver, ResourceEntry, with_bodies};

/// A body to copy from: one of a module, `(&module, body)`, or the one that another rewriter changes, `&rewriter`.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    module: &'s Module,
    id: BodyId,
    rewriter: Option<&'s Rewriter<'s>>,
}

impl<'s> From<(&'s Module, BodyId)> for Source<'s> {
    fn from((module, id): (&'s Module, BodyId)) -> Self {
        Source { module, id, rewriter: None }
    }
}

impl<'s> From<&'s Rewriter<'_>> for Source<'s> {
    fn from(rewriter: &'s Rewriter<'_>) -> Self {
        Source { module: rewriter.module, id: rewriter.id, rewriter: Some(rewriter) }
    }
}

/// What was read off to be made again.
pub(super) struct Piece {
    /// An operation or a region, and behind it each body in it, as [`with_bodies`] gives them.
    pub(super) excerpts: Vec<Excerpt>,
    /// Whether it was read off the body that it goes to.
    pub(super) within: bool,
    /// Whether the bodies in it go with it, which were not read off then.
    pub(super) moves: bool,
    /// What it refers to, and the module does not have.
    resources: Vec<(ResourceHandle, ResourceEntry)>,
}

impl Rewriter<'_> {
    /// A body that is here, and not in the module.
    fn own_body(&self, id: BodyId) -> Option<&Body> {
        if id == self.id { Some(&self.body) } else { self.made.get(&id).map(|made| &**made) }
    }

    pub(super) fn is_of_same_module(&self, source: Source<'_>) -> bool {
        std::ptr::eq(source.module, self.module)
    }

    /// Reads off what `first` gives of a body, and the bodies in it: as the module has it, and in its context. `moves`: bodies in it
    /// are left out where they may go with it.
    pub(super) fn read_off(
        &self,
        source: Source<'_>,
        moves: bool,
        first: impl FnOnce(&Body, &mut dyn Resolve) -> Result<Excerpt>,
    ) -> Result<Piece> {
        let same = self.is_of_same_module(source);
        let body_of = |id| {
            let own = if same { self.own_body(id) } else { None };
            let own = own.or_else(|| source.rewriter.and_then(|other| other.own_body(id)));
            own.map_or_else(|| source.module.body(id), Ok)
        };
        let (within, mut resources) = (same && source.id == self.id, Vec::new());
        let excerpts = if same {
            let first = first(body_of(source.id)?, &mut Keep)?;
            if moves { vec![first] } else { with_bodies(&body_of, first, &mut Keep)? }
        } else {
            let mut resolver = Resolver::new(source.module, self.module.context());
            let first = first(body_of(source.id)?, &mut resolver)?;
            let excerpts = with_bodies(&body_of, first, &mut resolver)?;
            resources = self.module.missing_resources(source.module, resolver.resources())?;
            excerpts
        };
        Ok(Piece { excerpts, within, moves: same && moves, resources })
    }

    /// Copies an operation of the body and all that is in it, bodies included, to the insertion point. Operands and successors that
    /// `map` does not name stay what they are; afterwards it names the copies of the values and blocks in the operation, too.
    ///
    /// # Errors
    /// Where a body in it cannot be read, or `map` names something that the body does not have.
    pub fn clone_operation(&mut self, op: OpId, map: &mut ValueMap) -> Result<OpId> {
        self.clone_from((self.module, self.id), op, map)
    }

    /// Copies an operation of another body to the insertion point: of this module, such as `(rw.module(), body)`, of another one,
    /// `(&module, body)`, or of one that another rewriter changes, `&rewriter`. What is lazy in another module is decoded, what
    /// another context has is made in this one, and resources that the operation refers to come with it.
    ///
    /// [`Rewriter::move_from`] moves it.
    ///
    /// # Errors
    /// Where a body in it cannot be read; where the copy would stand in another body, and the operation uses a value or goes on to a
    /// block of its own one that `map` does not name; where something cannot be decoded, or is opaque and so belongs to the other
    /// module's file; where one of two contexts does not have the dialect of something; and where this module has another resource of
    /// the same key. Nothing is changed then.
    pub fn clone_from<'s>(&mut self, source: impl Into<Source<'s>>, op: OpId, map: &mut ValueMap) -> Result<OpId> {
        let piece = self.read_off(source.into(), false, |body, resolve| Excerpt::of(body, op, resolve))?;
        self.paste(piece, map)
    }

    /// Makes an operation that was read off at the insertion point.
    pub(super) fn paste(&mut self, piece: Piece, map: &mut ValueMap) -> Result<OpId> {
        let Some(first) = piece.excerpts.first() else { return Err(Error::misuse("nothing to copy")) };
        // The point may not be inside of what is made, so that the copy can always be put there.
        let made = self.body.paste_operation(first, map, piece.within)?;
        let copy = made[0];
        self.take_along(piece, &made);
        self.put_at_point(copy)?;
        self.tell_created(&made);
        Ok(copy)
    }

    /// Copies the blocks of a region of any body, of this module or of another one, with all that is in them, to before `before` in
    /// `region`, or to its end; gives the copies in their order. Arguments of these blocks that `map` names are not made again: what
    /// it names stands for them, as the arguments of a call do for those of a function.
    ///
    /// # Errors
    /// As [`Rewriter::clone_from`], and where `before` is in another region. Nothing is changed then.
    pub fn clone_region_from<'s>(
        &mut self,
        source: impl Into<Source<'s>>,
        from: RegionId,
        region: RegionId,
        before: Option<BlockId>,
        map: &mut ValueMap,
    ) -> Result<Vec<BlockId>> {
        let known = &*map;
        let first = |body: &Body, resolve: &mut dyn Resolve| Excerpt::of_region(body, from, known, resolve);
        let piece = self.read_off(source.into(), false, first)?;
        self.paste_region(piece, (region, before), map)
    }

    /// Makes the blocks of a region that was read off.
    pub(super) fn paste_region(
        &mut self,
        piece: Piece,
        place: (RegionId, Option<BlockId>),
        map: &mut ValueMap,
    ) -> Result<Vec<BlockId>> {
        let Some(first) = piece.excerpts.first() else { return Ok(Vec::new()) };
        let (blocks, made) = self.body.paste_region(first, place, map, piece.within)?;
        self.take_along(piece, &made);
        for &block in &blocks {
            self.tell_of_block(block, |listener, body, block| listener.block_created(body, block));
        }
        self.tell_created(&made);
        Ok(blocks)
    }

    fn tell_created(&mut self, made: &[OpId]) {
        if self.has_listeners() {
            made.iter().for_each(|&op| self.tell(op, |listener, op| listener.created(op)));
        }
    }

    /// Gives operations that were pasted, `made` in the order of the first excerpt, their bodies: those that they had, or copies.
    fn take_along(&mut self, piece: Piece, made: &[OpId]) {
        self.resources.extend(piece.resources);
        let excerpts = &piece.excerpts;
        if piece.moves {
            for (at, child) in excerpts.iter().flat_map(Excerpt::region_bodies) {
                let count = self.body.region_count_of(made[at]) as u32;
                self.body.set_region_body(made[at], Some(child), count, IsolationMark::Unknown);
                self.owners.push((child, (self.id, made[at])));
            }
            return;
        }
        let mut ids = vec![self.id];
        for (at, excerpt) in excerpts.iter().enumerate() {
            let mut inner = None;
            let ops = match at {
                0 => made.to_vec(),
                _ => inner.insert(Body::new(excerpt.root_count())).paste_whole(excerpt),
            };
            for (op, _) in excerpt.region_bodies() {
                let regions = excerpts[ids.len()].root_count();
                let child = self.module.declare(None, None, Some((ids[at], ops[op])));
                let holder = inner.as_mut().unwrap_or(&mut self.body);
                holder.set_region_body(ops[op], Some(child), regions, IsolationMark::Unknown);
                ids.push(child);
            }
            self.made.extend(inner.map(|body| (ids[at], body.into())));
        }
    }

    /// Changes the body of an isolated operation that this rewriter made. Listeners are not told of it.
    ///
    /// Until [`Rewriter::finish`], it can be looked at in no other way.
    ///
    /// # Errors
    /// Where the operation has no body of its own, or one that the module has had before: [`Module::rewrite`] changes that. What
    /// `change` gives; what it did until then is done.
    pub fn inside<R>(&mut self, op: OpId, change: impl FnOnce(&mut Rewriter<'_>) -> Result<R>) -> Result<R> {
        self.with_inside(op, |_, inner| change(inner))
    }

    /// As [`Rewriter::inside`], with this rewriter beside that of the body: to move something from one to the other.
    ///
    /// # Errors
    /// As [`Rewriter::inside`].
    pub fn with_inside<R>(
        &mut self,
        op: OpId,
        change: impl FnOnce(&mut Self, &mut Rewriter<'_>) -> Result<R>,
    ) -> Result<R> {
        self.body.check_operation(op)?;
        let child = match self.body.region_body(op) {
            Some(child) => child,
            None if self.body.region_count_of(op) > self.body.regions(op).len() => {
                let regions = self.body.region_count_of(op) as u32;
                self.give_body(op, regions, Body::new(regions))
            }
            None => return Err(Error::misuse("the operation has no body of its own")),
        };
        let body = self.made.remove(&child);
        let body = body.ok_or_else(|| {
            Error::misuse("the body of the operation belongs to the module: rewrite it there")
                .with_code(ErrorCode::BodyTaken)
        })?;
        let mut inner = Rewriter::new(self.module, child, body);
        inner.location = self.location;
        // What was made in that body before may be changed again.
        inner.made = std::mem::take(&mut self.made);
        let result = change(self, &mut inner);
        self.take_in(inner.finish());
        result
    }
}
