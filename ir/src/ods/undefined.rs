//! Operations that are known without a definition: what their bytecode holds, and no more.

use super::definition::PropertyDef;
use super::history::{self, Change, Span};
use super::release::Release;

/// An operation of MLIR that the tables have no definition of, since it came later or went earlier than the release that they are
/// of: which releases of MLIR have it, and how they lay out its properties. Nothing is known of its operands, results and rules.
/// [`Context::undefined_operation`](crate::Context::undefined_operation) finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedOp {
    pub(crate) name: String,
    pub(crate) releases: Span,
    pub(crate) changes: Vec<Change>,
}

impl UndefinedOp {
    /// The full name: `arith.convertf`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a release has the operation. Releases older than [`Release::OLDEST`] or newer than [`Release::NEWEST`] count
    /// as these.
    pub fn is_in(&self, release: Release) -> bool {
        self.releases.contains(&release.clamp(Release::OLDEST, Release::NEWEST))
    }

    /// The members of the operation's properties in a release, in the order in which its bytecode of version 6 lays them
    /// out; `None` where the release does not have the operation, as [`UndefinedOp::is_in`] says.
    pub fn layout(&self, release: Release) -> Option<Vec<PropertyDef>> {
        self.is_in(release).then(|| history::laid_out(&[], &self.changes, release))
    }
}
