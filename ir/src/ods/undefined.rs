//! Operations of upstream dialects that are known without a definition: what their bytecode holds, and no more.

use super::definition::PropertyDef;
use super::history::{self, History};
use super::release::Release;

/// An operation of an upstream dialect that [`upstream`](super::upstream) has no definition of, since it came later or went
/// earlier: which releases of MLIR have it, and how they lay out its properties. Nothing is known of its operands, results
/// and rules.
///
/// # Examples
/// ```
/// use mlirbc_ir::ods::{Release, UndefinedOp, upstream};
///
/// let convert = UndefinedOp::find("arith.convertf").unwrap();
/// assert!(!upstream().has(convert.name()));
/// let names = |release| convert.layout(release).map(|members| members.into_iter().map(|member| member.name).collect::<Vec<_>>());
/// assert_eq!(names(Release::new(24)), Some(vec!["fastmath".to_owned(), "roundingmode".to_owned()]));
/// assert_eq!(names(Release::new(22)), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct UndefinedOp {
    pub(super) name: &'static str,
    pub(super) history: &'static History,
}

impl UndefinedOp {
    /// The operation of that full name. `None` for one that has a definition, and for one of which nothing is known.
    pub fn find(name: &str) -> Option<Self> {
        history::undefined(name)
    }

    /// All of them, by name.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<_> = history::histories().keys().filter_map(|name| Self::find(name)).collect();
        all.sort_by_key(|op| op.name);
        all
    }

    /// The full name: `arith.convertf`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether a release has the operation. Releases older than [`Release::OLDEST`] or newer than [`Release::NEWEST`] count
    /// as these.
    pub fn is_in(self, release: Release) -> bool {
        let release = release.clamp(Release::OLDEST, Release::NEWEST);
        self.history.undefined.as_ref().is_some_and(|releases| releases.contains(&release))
    }

    /// The members of the operation's properties in a release, in the order in which its bytecode of version 6 lays them
    /// out; `None` where the release does not have the operation, as [`UndefinedOp::is_in`] says.
    pub fn layout(self, release: Release) -> Option<Vec<PropertyDef>> {
        self.is_in(release).then(|| history::laid_out(&[], &self.history.changes, release))
    }

    /// The releases that have the operation, in words: `MLIR 24 or newer`.
    pub fn releases(self) -> String {
        self.history.undefined.as_ref().map(history::in_words).unwrap_or_default()
    }
}
