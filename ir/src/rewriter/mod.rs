//! The one door for changes: patterns, folds, passes and conversions change bodies through a [`Rewriter`].
//!
//! It owns the body that it changes, and looks at the rest of the module: one on each thread changes one body each. It has an
//! [insertion point](InsertionPoint) as MLIR's `OpBuilder` has, makes operations with a [`Builder`], and tells each [`Listener`] what
//! changes, so that a driver knows what to visit again. Uses and their orders, the predecessors of blocks, the order of the
//! operations in a block and the bodies of isolated operations are right after each change. Attributes and types that are still
//! entries of the module's file stay so, but for those that a change has to know.
//!
//! Operations and regions are copied from other bodies and modules ([`Rewriter::clone_from`], [`Rewriter::clone_region_from`]), and move
//! from a body that another rewriter changes ([`Rewriter::move_from`], [`Rewriter::inline_region_from`]).
//!
//! [`Module::rewrite`] changes one body of a module:
//!
//! ```
//! use mlirbc_ir::{BodyId, Context, Listener, Module, OpRef};
//!
//! /// Counts what is made.
//! #[derive(Default)]
//! struct Count(usize);
//!
//! impl Listener for Count {
//!     fn created(&mut self, _: OpRef<'_>) {
//!         self.0 += 1;
//!     }
//! }
//!
//! let context = Context::new();
//! let mut module = Module::new(&context);
//! let made = module.rewrite(BodyId::from_index(Module::TOP), |rw| {
//!     let count = rw.listen(Count::default());
//!     let block = rw.body().first_block(rw.body().top_regions()[0]).expect("the outermost block");
//!     rw.set_insertion_point_to_end(block)?;
//!     let i32 = context.integer_type(32);
//!     let one = rw.build("toy.one").result_type(i32).create()?;
//!     let two = rw.build("toy.two").result_type(i32).create()?;
//!     let (one, two) = (rw.result(one, 0)?, rw.result(two, 0)?);
//!     let sum = rw.build("toy.add").operands([one, one]).create()?;
//!     rw.replace_uses(one, two)?;
//!     assert_eq!(rw.body().operands(sum), [two, two]);
//!     assert!(rw.erase(rw.body().defining_operation(two).expect("a result")).is_err(), "it is used");
//!     Ok(rw.unlisten(count).map_or(0, |count| count.0))
//! })?;
//! assert_eq!(made, 3);
//! # Ok::<(), mlirbc_ir::Error>(())
//! ```
//!
//! # Errors
//! What would leave the body broken, and an id that can be told to be none of the body's, is an error of the family
//! [`ErrorKind::Misuse`](crate::ErrorKind::Misuse): nothing is changed then, and no listener told. Where something of a file has to be
//! decoded and cannot be, the error says that.

mod between;
mod blocks;
mod builder;
mod copy;
mod finish;
mod listener;
mod moves;
mod operations;
mod parts;
mod point;
mod workspace;

pub use builder::Builder;
pub use copy::Source;
pub use finish::Rewritten;
pub use listener::{Listener, ListenerId};
pub use point::InsertionPoint;
pub use workspace::{Copied, Original, Workspace};

use std::collections::BTreeMap;

use crate::attribute::ResourceHandle;
use crate::body::{AttributeRef, BlockId, Body, BodyId, OpId, Value};
use crate::context::Context;
use crate::dominance::Dominance;
use crate::error::{Error, ErrorCode, Result};
use crate::module::{Module, OpRef, ResourceEntry, TakenBody};
use listener::Listeners;

/// Changes one body of a module: see the [module documentation](self).
pub struct Rewriter<'m> {
    module: &'m Module,
    id: BodyId,
    body: TakenBody,
    point: Option<InsertionPoint>,
    location: AttributeRef,
    listeners: Listeners,
    /// Operations that are being changed by [`Rewriter::modify`].
    modifying: Vec<OpId>,
    /// Bodies of isolated operations that were made here, until the module gets them.
    made: BTreeMap<BodyId, TakenBody>,
    /// Bodies of isolated operations that were erased.
    erased: Vec<BodyId>,
    /// Bodies that went from one operation to another.
    owners: Vec<(BodyId, (BodyId, OpId))>,
    /// What copies from other modules refer to.
    resources: Vec<(ResourceHandle, ResourceEntry)>,
}

impl<'m> Rewriter<'m> {
    /// Changes `body`, which [`Module::take_body`] took as the body `id` of the module, beside others that are changed on other
    /// threads. [`Rewriter::finish`] ends it. [`Module::rewrite`] does all of this for one body.
    pub fn new(module: &'m Module, id: BodyId, body: TakenBody) -> Self {
        Rewriter {
            module,
            id,
            body,
            point: None,
            location: module.context().unknown_location().into(),
            listeners: Listeners::default(),
            modifying: Vec::new(),
            made: BTreeMap::new(),
            erased: Vec::new(),
            owners: Vec::new(),
            resources: Vec::new(),
        }
    }

    /// The body, as it is now.
    #[inline]
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The number of the body in its module.
    pub fn body_id(&self) -> BodyId {
        self.id
    }

    /// The module, to look at what is not in the body.
    pub fn module(&self) -> &'m Module {
        self.module
    }

    /// The context of the module.
    pub fn context(&self) -> &'m Context {
        self.module.context()
    }

    /// An operation of the body, to look at. It is not checked: see [`Body`] for what happens where it is none.
    #[inline]
    pub fn op(&self, op: OpId) -> OpRef<'_> {
        OpRef::new(self.module, self.id, &self.body, op)
    }

    /// The result of that number.
    ///
    /// # Errors
    /// Where the operation has no such result, or the body no such operation.
    pub fn result(&self, op: OpId, number: usize) -> Result<Value> {
        self.body.check_operation(op)?;
        let result = self.body.result(op, number);
        result.ok_or_else(|| {
            Error::misuse(format!("the operation has no result {number}")).with_code(ErrorCode::NoSuchId)
        })
    }

    /// Whether `a` comes before `b` in the block that holds both. Constant time, taken over all questions and changes.
    ///
    /// # Errors
    /// Where they are not in one block.
    pub fn is_before_in_block(&mut self, a: OpId, b: OpId) -> Result<bool> {
        self.body.tables().is_before_in_block(a, b)
    }

    /// The blocks that go on to the block, each once: in MLIR's order, the last that came to do so first.
    ///
    /// # Errors
    /// Where the body has no such block.
    pub fn predecessors(&mut self, block: BlockId) -> Result<Vec<BlockId>> {
        let mut met = std::collections::HashSet::new();
        let uses = self.block_uses(block)?;
        let blocks = uses.into_iter().filter_map(|(op, _)| self.body.block_of(op));
        Ok(blocks.filter(|&block| met.insert(block)).collect())
    }

    /// What goes on to the block, where that is one operation and in one way.
    ///
    /// # Errors
    /// Where the body has no such block.
    pub fn single_predecessor(&mut self, block: BlockId) -> Result<Option<OpId>> {
        self.body.check_block(block)?;
        self.body.tables().build_block_uses();
        let mut uses = self.body.block_uses(block);
        Ok(uses.next().filter(|_| uses.next().is_none()).map(|(op, _)| op))
    }

    /// Who goes on to the block, detached operations too: each an operation and the number of its successor, in MLIR's order.
    ///
    /// # Errors
    /// Where the body has no such block.
    pub fn block_uses(&mut self, block: BlockId) -> Result<Vec<(OpId, usize)>> {
        self.body.check_block(block)?;
        self.body.tables().build_block_uses();
        Ok(self.body.block_uses(block).collect())
    }

    /// What dominates what in the body, as it is now.
    pub fn dominance(&self) -> Dominance<'_> {
        Dominance::of(self.module, self.id, &self.body)
    }

    /// Makes room for so many operations more, where that is known: else room grows by what there is.
    pub fn reserve(&mut self, operations: usize) {
        self.body.tables().reserve(operations);
    }

    /// Builds the lists of uses, if they are not there yet, so that [`Body::uses_of`] gives them. Every change of operands does.
    pub fn build_uses(&mut self) {
        self.body.tables().build_uses();
    }
}

impl std::fmt::Debug for Rewriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rewriter({:?}, {} operations)", self.id, self.body.operation_count())
    }
}
