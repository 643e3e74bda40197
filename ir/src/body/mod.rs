//! Bodies: arenas of operations, blocks, regions and values.
//!
//! A body holds the whole region tree of one operation that is isolated from above, down to the next such operation,
//! which has a body of its own. Nothing points from one body into another, so a body is what is loaded, dropped, edited
//! and written as one.
//!
//! Methods that change a body return a [`Result`](crate::Result) where an id can be told to be none of the body's, or to be erased, and
//! then change nothing.

mod access;
mod apart;
mod block_uses;
mod blocks;
mod builder;
mod clone;
mod compact;
mod copies;
mod create;
mod edit;
mod few;
mod ids;
mod order;
mod row;
mod shape;
mod uses;
mod view;
mod walk;

pub use builder::{BodyBuilder, OpHead};
pub use clone::ValueMap;
pub(crate) use clone::{Excerpt, Keep, Resolve};
pub(crate) use copies::Room;
pub use create::OperationSpec;
pub(crate) use ids::TailId;
pub use ids::{AttributeRef, BlockId, BodyId, OpId, Ref, RegionId, TypeRef, Value};
pub use uses::{Use, Uses};
pub use view::{OpKey, OpView};
pub use walk::{BlockIter, OpIter, Preorder};

use crate::handles::OperationName;
use apart::{Apart, Arguments, Roots, Seldom};
use few::Few;
use ids::{Marked, Tag};
use shape::Shape;

/// The region tree of one operation that is isolated from above.
///
/// A [`BodyBuilder`] makes one, and a [`Rewriter`](crate::Rewriter) changes it: what stands here looks.
///
/// Ids (`OpId`, `BlockId`, `RegionId`, `Value`) are numbers in this arena. They are not used twice: an erased operation's id stays invalid,
/// until [`Module::compact`](crate::Module::compact) or [`Rewriter::settle`](crate::Rewriter::settle) numbers the body anew, which pipelines
/// do between passes, and conversions once a body is converted. An id of another body
/// is found in debug builds, since ids are marked there with the body that gave them. Other builds can tell it only where its number is too
/// large for this body, or stands for something erased: else it is whatever has that number here.
///
/// # Panics
/// Where the number of an id is too large, as indexing does, or it is found to be one of another body, unless a method says what it gives
/// then. None panics for what a file holds.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// The regions of the operation that owns the body.
    top_regions: Roots,
    operations: Vec<Operation>,
    blocks: Few<Block>,
    regions: Few<Region>,
    values: Vec<ValueRecord>,
    tails: Vec<Tail>,
    operands: Vec<Value>,
    arguments: Apart<Arguments>,
    seldom: Apart<Seldom>,
    uses: Option<Box<Uses>>,
    /// How many records are of what was erased, with what it had.
    dead: u32,
    edited: bool,
    tag: Tag,
}

/// One operation: a record of fixed size, its lists in the pools of the body.
#[derive(Clone, Copy, Debug)]
struct Operation {
    name: OperationName,
    location: AttributeRef,
    /// Discardable attributes: a dictionary.
    attributes: Option<AttributeRef>,
    /// Inherent attributes and native properties: a dictionary, or a blob of the module's source.
    properties: Option<AttributeRef>,
    block: Option<BlockId>,
    operands: u32,
    results: u32,
    shape: Shape,
}

// Two on a cache line.
const _: () = assert!(size_of::<Operation>() == 32);

/// What few operations have, with the numbers of their operands and results.
#[derive(Clone, Copy, Debug, Default)]
struct Tail {
    /// Place and number of the operation's regions in this body.
    regions: Span,
    /// The body that holds the regions of an operation isolated from above.
    body: Option<BodyId>,
    /// How many regions that body has, or would have: one without blocks costs no body.
    body_regions: u32,
    successors: Span,
    operand_count: u32,
    result_count: u32,
    mark: IsolationMark,
    erased: bool,
}

/// What a file says of an operation's regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IsolationMark {
    /// Nothing: the operation was made here.
    #[default]
    Unknown,
    /// The regions stand inline.
    Inline,
    /// The regions stand apart: nothing in them uses a value from outside.
    Isolated,
}

/// A range of a pool.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    start: u32,
    count: u32,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.count as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Block {
    region: Option<RegionId>,
    previous: Option<BlockId>,
    next: Option<BlockId>,
    first: Option<OpId>,
    last: Option<OpId>,
    arguments: Span,
}

#[derive(Clone, Copy, Debug, Default)]
struct Region {
    /// Absent for the regions of the operation that owns the body.
    operation: Option<OpId>,
    first: Option<BlockId>,
    last: Option<BlockId>,
}

#[derive(Clone, Copy, Debug)]
struct ValueRecord {
    ty: TypeRef,
    owner: Owner,
}

/// Where a value comes from, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Owner(u32);

impl Owner {
    const NONE: Owner = Owner(u32::MAX);
    const BLOCK: u32 = 1 << 31;

    fn operation(op: OpId) -> Self {
        Owner(op.index() as u32)
    }

    fn block(block: BlockId) -> Self {
        Owner(block.index() as u32 | Self::BLOCK)
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueOwner {
    /// A result of the operation: its number.
    Result(OpId, usize),
    /// An argument of the block: its number.
    Argument(BlockId, usize),
}

/// The order of a value's uses where a file gives one: `places[k]` is the place in the use-list of the use with the
/// k-th largest id (`BytecodeFormat.md` of MLIR, "Use-list orders").
#[derive(Clone, Debug)]
struct StoredOrder {
    value: Value,
    places: Box<[u32]>,
}
