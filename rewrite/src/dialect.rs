//! What a dialect brings for rewriting.

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::{Attribute, AttributeData, BlockId, Context, Dialect, OpId, OpRef, Result, Rewriter, Type, Value};

use crate::fold::FoldFn;
use crate::inlining::DialectInliner;
use crate::pattern::AnyPattern;

/// Makes a constant of that attribute and type at the insertion point. `None` where the dialect has none for these.
///
/// # Errors
/// As [`Rewriter::create`].
pub type MaterializeFn = fn(&mut Rewriter<'_>, Attribute, Type) -> Result<Option<OpId>>;

/// Blocks, each with what its last operation takes.
pub type KeptBlocks = Vec<(BlockId, Vec<Value>)>;

/// Which blocks of an operation's regions stay, since the operation would not be what it is without them, and what the last operation of
/// each takes: where nothing leads to one, all else in it goes. `None` where the operation does not mind; otherwise no blocks become one.
pub type KeepBlocksFn = fn(OpRef<'_>) -> Result<Option<KeptBlocks>>;

/// Attached to a dialect.
#[derive(Clone, Default)]
pub(crate) struct Rewrites {
    pub(crate) folds: HashMap<Box<str>, FoldFn>,
    /// By operation, in the order in which they were added.
    pub(crate) patterns: HashMap<Box<str>, Vec<AnyPattern>>,
    pub(crate) materialize: Option<MaterializeFn>,
    pub(crate) keep_blocks: HashMap<Box<str>, KeepBlocksFn>,
    pub(crate) poison: Option<&'static str>,
    pub(crate) inliner: Option<Arc<dyn DialectInliner>>,
}

/// Folds, canonicalisation and constants of a dialect.
///
/// Names of operations are given without the dialect's.
pub trait DialectRewrite {
    /// Sets how an operation folds.
    #[must_use]
    fn fold(self, operation: &str, fold: FoldFn) -> Self;

    /// Adds a pattern that canonicalisation applies to operations of that name.
    #[must_use]
    fn canonicalize(self, operation: &str, pattern: impl Into<AnyPattern>) -> Self;

    /// Sets how constants are made that operations of the dialect fold to.
    #[must_use]
    fn materialize(self, materialize: MaterializeFn) -> Self;

    /// Sets which blocks of an operation's regions stay where nothing leads to them.
    #[must_use]
    fn keep_blocks(self, operation: &str, keep: KeepBlocksFn) -> Self;

    /// Says that the dialect's attribute of that mnemonic is a value that nothing good can come from: what is computed from it is
    /// it too.
    #[must_use]
    fn poison(self, mnemonic: &'static str) -> Self;

    /// Sets what the dialect says where calls are inlined.
    #[must_use]
    fn inliner(self, inliner: impl DialectInliner + 'static) -> Self;
}

impl DialectRewrite for Dialect {
    fn fold(self, operation: &str, fold: FoldFn) -> Self {
        self.amend(|rewrites: &mut Rewrites| {
            rewrites.folds.insert(operation.into(), fold);
        })
    }

    fn canonicalize(self, operation: &str, pattern: impl Into<AnyPattern>) -> Self {
        self.amend(|rewrites: &mut Rewrites| {
            rewrites.patterns.entry_ref(operation).or_default().push(pattern.into());
        })
    }

    fn materialize(self, materialize: MaterializeFn) -> Self {
        self.amend(|rewrites: &mut Rewrites| rewrites.materialize = Some(materialize))
    }

    fn keep_blocks(self, operation: &str, keep: KeepBlocksFn) -> Self {
        self.amend(|rewrites: &mut Rewrites| {
            rewrites.keep_blocks.insert(operation.into(), keep);
        })
    }

    fn poison(self, mnemonic: &'static str) -> Self {
        self.amend(|rewrites: &mut Rewrites| rewrites.poison = Some(mnemonic))
    }

    fn inliner(self, inliner: impl DialectInliner + 'static) -> Self {
        self.amend(|rewrites: &mut Rewrites| rewrites.inliner = Some(Arc::new(inliner)))
    }
}

/// What an operation keeps of the blocks in its regions.
pub(crate) fn kept_blocks(op: OpRef<'_>) -> Result<Option<KeptBlocks>> {
    let name = op.name();
    let keep = name.split_once('.').and_then(|(dialect, name)| {
        op.module().context().dialect(dialect)?.get::<Rewrites>()?.keep_blocks.get(name).copied()
    });
    keep.map_or(Ok(None), |keep| keep(op))
}

/// Whether the attribute is one that its dialect calls [poison](DialectRewrite::poison).
pub fn is_poison(context: &Context, attribute: Attribute) -> bool {
    let AttributeData::Dialect(value) = &context[attribute] else { return false };
    let dialect = context.dialect(&context.text(value.dialect));
    let poison = dialect.and_then(|dialect| dialect.get::<Rewrites>()?.poison);
    poison.is_some_and(|poison| context.bytes(value.mnemonic) == poison.as_bytes())
}
