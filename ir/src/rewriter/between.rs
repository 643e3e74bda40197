//! Operations and regions that go from one body to another, of this module or of another one.
//!
//! Two bodies are changed at once, each by a rewriter: [`Module::rewrite_two`] gives those of one module, [`Rewriter::with_inside`] those of
//! a body and of one that it made, and one [`Module::rewrite`] within another those of two modules.

use super::copy::{Piece, Source};
use super::{Rewriter, finish::Rewritten};
use crate::body::{BlockId, Body, BodyId, Excerpt, OpId, RegionId, Resolve, ValueMap};
use crate::error::{Error, ErrorCode, Result};
use crate::module::Module;

impl Module {
    /// Changes two bodies, so that operations and regions may go from one to the other: see [`Rewriter::move_from`].
    ///
    /// ```
    /// use mlirbc_ir::{BodyId, Context, Module, TypeRef, ValueMap};
    ///
    /// let context = Context::new();
    /// let mut module = Module::new(&context);
    /// let top = BodyId::from_index(Module::TOP);
    /// let (op, inner) = module.rewrite(top, |rw| {
    ///     rw.set_insertion_point_to_end(rw.body().first_block(rw.body().top_regions()[0]).expect("the outermost block"))?;
    ///     let op = rw.build("toy.moved").create()?;
    ///     let module = rw.build("builtin.module").regions(1).create()?;
    ///     rw.inside(module, |rw| rw.create_block(rw.body().top_regions()[0], None, [] as [TypeRef; 0]))?;
    ///     Ok((op, rw.body().region_body(module).expect("a body of its own")))
    /// })?;
    /// module.rewrite_two(top, inner, |outer, inner| {
    ///     inner.set_insertion_point_to_end(inner.body().first_block(inner.body().top_regions()[0]).expect("a block"))?;
    ///     inner.move_from(outer, op, &mut ValueMap::default())
    /// })?;
    /// assert_eq!(module.operations()?.count(), 1);
    /// assert_eq!(module.body(inner)?.preorder().count(), 1);
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Module::rewrite`], and where both are one.
    pub fn rewrite_two<R>(
        &mut self,
        first: BodyId,
        second: BodyId,
        change: impl FnOnce(&mut Rewriter<'_>, &mut Rewriter<'_>) -> Result<R>,
    ) -> Result<R> {
        if first == second {
            return Err(Error::misuse("two bodies are changed, and these are one"));
        }
        self.body(second)?;
        let one = self.take_body(first)?;
        let two = match self.take_body(second) {
            Ok(two) => two,
            Err(error) => {
                self.put_back(first, one)?;
                return Err(error);
            }
        };
        let (mut one, mut two) = (Rewriter::new(self, first, one), Rewriter::new(self, second, two));
        let result = change(&mut one, &mut two);
        let done: [Rewritten; 2] = [one.finish(), two.finish()];
        self.put_all(done)?;
        result
    }
}

impl Rewriter<'_> {
    /// Moves an operation and all that is in it to the insertion point, out of the body that another rewriter changes. `map` says
    /// what stands here for values that it uses and blocks that it goes on to there; afterwards it names those that came along, too.
    ///
    /// The values in it are used in the order in which they were. Within one module isolated operations keep their bodies, which are
    /// not even read; for another module these are copied.
    ///
    /// # Errors
    /// As [`Rewriter::clone_from`] and [`Rewriter::erase`], and where this body stands inside the operation. Nothing is changed then.
    pub fn move_from(&mut self, other: &mut Rewriter<'_>, op: OpId, map: &mut ValueMap) -> Result<OpId> {
        let inside = other.body.check_erase(op, false)?;
        let piece = self.take_off(other, &inside, |body, resolve| Excerpt::of(body, op, resolve))?;
        let moves = piece.moves;
        let copy = self.paste(piece, map)?;
        other.tell_erased(&inside);
        if moves {
            self.adopt(other, &inside);
        }
        other.erase_told(op, &inside);
        Ok(copy)
    }

    /// Moves the blocks of a region, with all that is in them, to before `before` in `region`, or to its end, out of the body that
    /// another rewriter changes; gives them in their order. Arguments of these blocks that `map` names do not come along: what it
    /// names stands for them, as the arguments of a call do for those of a function.
    ///
    /// # Errors
    /// As [`Rewriter::move_from`], and where `before` is in another region. Nothing is changed then.
    pub fn inline_region_from(
        &mut self,
        other: &mut Rewriter<'_>,
        from: RegionId,
        region: RegionId,
        before: Option<BlockId>,
        map: &mut ValueMap,
    ) -> Result<Vec<BlockId>> {
        other.body.check_region(from)?;
        let old: Vec<BlockId> = other.body.blocks(from).collect();
        let inside = other.body.check_erase_blocks(&old)?;
        let known = &*map;
        let first = |body: &Body, resolve: &mut dyn Resolve| Excerpt::of_region(body, from, known, resolve);
        let piece = self.take_off(other, &inside, first)?;
        let moves = piece.moves;
        let blocks = self.paste_region(piece, (region, before), map)?;
        other.tell_erased(&inside);
        if moves {
            self.adopt(other, &inside);
        }
        other.erase_blocks_told(&old, &inside);
        Ok(blocks)
    }

    /// Reads off what is to be moved, `inside` all operations of it.
    fn take_off(
        &self,
        other: &Rewriter<'_>,
        inside: &[OpId],
        first: impl FnOnce(&Body, &mut dyn Resolve) -> Result<Excerpt>,
    ) -> Result<Piece> {
        let source = Source::from(other);
        if self.is_of_same_module(source) && self.stands_in(other, inside) {
            return Err(Error::misuse("an operation cannot stand inside itself").with_code(ErrorCode::WrongPlace));
        }
        let mut piece = self.read_off(source, true, first)?;
        if let Some(first) = piece.excerpts.first_mut() {
            first.note_orders(&other.body);
        }
        Ok(piece)
    }

    /// Whether this body stands in one of these operations of another one.
    fn stands_in(&self, other: &Rewriter<'_>, ops: &[OpId]) -> bool {
        let mut next = Some(self.id);
        while let Some(id) = next {
            if ops.iter().any(|&op| other.body.region_body(op) == Some(id)) {
                return true;
            }
            let moved = self.owners.iter().rev().chain(other.owners.iter().rev()).find(|owner| owner.0 == id);
            next = moved.map(|owner| owner.1.0).or_else(|| self.module.owner(id).map(|owner| owner.0));
        }
        false
    }

    /// Takes over the bodies that operations lead to in another body: they are not its any more.
    fn adopt(&mut self, other: &mut Rewriter<'_>, ops: &[OpId]) {
        let mut adopted = Vec::new();
        for &op in ops {
            let Some(child) = other.body.region_body(op) else { continue };
            let (count, mark) = (other.body.region_count_of(op) as u32, other.body.isolation_mark(op));
            other.body.set_region_body(op, None, count, mark);
            other.owners.retain(|owner| owner.0 != child);
            adopted.push(child);
        }
        while let Some(id) = adopted.pop() {
            if let Some(made) = other.made.remove(&id) {
                adopted.extend(made.region_bodies());
                self.made.insert(id, made);
            }
        }
    }
}
