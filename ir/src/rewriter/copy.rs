//! Copies, and what stands in the bodies of operations that were made.

use super::Rewriter;
use crate::body::{BlockId, Body, BodyId, Excerpt, IsolationMark, Keep, OpId, RegionId, ValueMap};
use crate::error::{Error, Result};
use crate::module::{Module, Resolver, excerpts_of, with_bodies};

impl Rewriter<'_> {
    fn body_of(&self, id: BodyId) -> Result<&Body> {
        if id == self.id {
            return Ok(&self.body);
        }
        match self.made.get(&id) {
            Some(body) => Ok(body),
            None => self.module.body(id),
        }
    }

    /// Copies an operation of the body and all that is in it, bodies included, to the insertion point. Operands and successors that
    /// `map` does not name stay what they are; afterwards it names the copies of the values and blocks in the operation, too.
    ///
    /// # Errors
    /// Where a body in it cannot be read, or `map` names something that the body does not have.
    pub fn clone_operation(&mut self, op: OpId, map: &mut ValueMap) -> Result<OpId> {
        let excerpts = excerpts_of(&|id| self.body_of(id), self.id, op, &mut Keep)?;
        self.paste(&excerpts, true, map)
    }

    /// Copies an operation of another body, of this module or of another one of the same context, to the insertion point. What is
    /// lazy in another module is decoded, and resources that the operation refers to come with it.
    ///
    /// To move an operation, copy it and then erase it where it was.
    ///
    /// # Errors
    /// Where a body in it cannot be read, or the copy would stand in another body and the operation uses a value or goes on to a block
    /// of its own one that `map` does not name; where the modules have different contexts, so that names, types and attributes of one
    /// mean nothing in the other; where something cannot be decoded, or is opaque and so belongs to the other module's file; and where
    /// this module has another resource of the same key. Nothing is changed then.
    pub fn clone_from(&mut self, module: &Module, body: BodyId, op: OpId, map: &mut ValueMap) -> Result<OpId> {
        if std::ptr::eq(module, self.module) {
            let excerpts = excerpts_of(&|id| self.body_of(id), body, op, &mut Keep)?;
            return self.paste(&excerpts, body == self.id, map);
        }
        self.module.check_same_context(module)?;
        let mut resolver = Resolver::new(module);
        let excerpts = excerpts_of(&|id| module.body(id), body, op, &mut resolver)?;
        let resources = self.module.missing_resources(module, resolver.resources())?;
        let copy = self.paste(&excerpts, false, map)?;
        self.resources.extend(resources);
        Ok(copy)
    }

    fn paste(&mut self, excerpts: &[Excerpt], within: bool, map: &mut ValueMap) -> Result<OpId> {
        let Some(first) = excerpts.first() else { return Err(Error::misuse("nothing to copy")) };
        // The point may not be inside of what is made, so that the copy can always be put there.
        let made = self.body.paste_operation(first, map, within)?;
        let copy = made[0];
        self.paste_bodies(excerpts, &made);
        self.put_at_point(copy)?;
        self.tell_created(&made);
        Ok(copy)
    }

    /// Copies the blocks of a region of any body of this module, with all that is in them, to before `before` in `region`, or to its
    /// end; gives the copies in their order. Arguments of these blocks that `map` names are not made again: what it names stands for
    /// them, as the arguments of a call do for those of a function.
    ///
    /// # Errors
    /// Where a body in it cannot be read, `before` is in another region, or something in it uses a value or goes on to a block of
    /// another body that `map` does not name. Nothing is changed then.
    pub fn clone_region_from(
        &mut self,
        (body, from): (BodyId, RegionId),
        region: RegionId,
        before: Option<BlockId>,
        map: &mut ValueMap,
    ) -> Result<Vec<BlockId>> {
        let first = Excerpt::of_region(self.body_of(body)?, from, map, &mut Keep)?;
        let excerpts = with_bodies(&|id| self.body_of(id), first, &mut Keep)?;
        let Some(first) = excerpts.first() else { return Ok(Vec::new()) };
        let (blocks, made) = self.body.paste_region(first, (region, before), map, body == self.id)?;
        self.paste_bodies(&excerpts, &made);
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

    /// Makes the bodies of operations that were pasted, `made` in the order of the first excerpt.
    fn paste_bodies(&mut self, excerpts: &[Excerpt], made: &[OpId]) {
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
        let body =
            body.ok_or_else(|| Error::misuse("the body of the operation belongs to the module: rewrite it there"))?;
        let mut inner = Rewriter::new(self.module, child, body);
        inner.location = self.location;
        // What was made in that body before may be changed again.
        inner.made = std::mem::take(&mut self.made);
        let result = change(&mut inner);
        self.take_in(inner.finish());
        result
    }
}
