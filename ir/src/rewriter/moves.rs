//! Blocks and bodies that go to other operations.

use super::Rewriter;
use crate::body::{BlockId, Body, OpId, RegionId};
use crate::error::{Error, ErrorCode, Result};

impl Rewriter<'_> {
    /// Moves a block, with all that is in it, to before `before` in `region`, or to its end.
    ///
    /// # Errors
    /// Where the region stands inside the block, or `before` is in another region.
    pub fn move_block(&mut self, block: BlockId, region: RegionId, before: Option<BlockId>) -> Result<()> {
        self.body.move_block(block, region, before)?;
        self.tell_of_block(block, |listener, body, block| listener.block_moved(body, block));
        Ok(())
    }

    /// Gives the regions of one isolated operation to another one that has as many, all of them empty. The first has empty regions
    /// then. Constant time, whatever they hold: it is not even read.
    ///
    /// ```
    /// # use mlirbc_ir::{BodyId, Context, Module, ods};
    /// # let context = Context::new();
    /// # let mut module = Module::new(&context);
    /// # module.rewrite(BodyId::from_index(Module::TOP), |rw| {
    /// # let block = rw.body().first_block(rw.body().top_regions()[0]).expect("the outermost block");
    /// # rw.set_insertion_point_to_end(block)?;
    /// let from = rw.build("builtin.module").regions(1).create()?;
    /// let to = rw.build("builtin.module").regions(1).create()?;
    /// let body = rw.body().region_body(from);
    /// rw.move_body(from, to)?;
    /// assert_eq!((rw.body().region_body(from), rw.body().region_body(to)), (None, body));
    /// # Ok(())
    /// # })?;
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// Where one of them has its regions in this body, or they have not as many, or `to` has a block.
    pub fn move_body(&mut self, from: OpId, to: OpId) -> Result<()> {
        self.body.check_operation(from)?;
        self.body.check_operation(to)?;
        if from == to {
            return Ok(());
        }
        if self.body.region_count_of(from) != self.body.region_count_of(to) {
            return Err(Error::misuse("the operations have not as many regions"));
        }
        if self.body.regions(from).len() > 0 || self.body.regions(to).len() > 0 {
            return Err(Error::misuse("an operation that is not isolated has its regions in the body that it is in"));
        }
        if let Some(old) = self.body.region_body(to) {
            let body = self
                .child_body(to)?
                .ok_or_else(|| Error::misuse("the body was taken").with_code(ErrorCode::BodyTaken))?;
            if body.top_regions().iter().any(|&region| body.first_block(region).is_some()) {
                return Err(Error::misuse("the operation that gets the regions has some that are not empty"));
            }
            self.erased.push(old);
        }
        self.body.move_region_body(from, to);
        if let Some(child) = self.body.region_body(to) {
            self.owners.push((child, (self.id, to)));
        }
        self.tell_modified(from);
        self.tell_modified(to);
        Ok(())
    }

    /// The body of an isolated operation of this body, to look at; none where all of its regions are empty. It is read where it was
    /// not entered before.
    ///
    /// # Errors
    /// Where it cannot be read, or was taken, or this body has no such operation.
    pub fn child_body(&self, op: OpId) -> Result<Option<&Body>> {
        self.body.check_operation(op)?;
        let Some(child) = self.body.region_body(op) else { return Ok(None) };
        match self.made.get(&child) {
            Some(body) => Ok(Some(body)),
            None => self.module.body(child).map(Some),
        }
    }
}
