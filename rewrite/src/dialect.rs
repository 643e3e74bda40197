//! What a dialect brings for rewriting.

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, OpId, Result, Rewriter, Type};

use crate::fold::FoldFn;
use crate::inlining::DialectInliner;
use crate::pattern::AnyPattern;

/// Makes a constant of that attribute and type at the insertion point. `None` where the dialect has none for these.
///
/// # Errors
/// As [`Rewriter::create`].
pub type MaterializeFn = fn(&mut Rewriter<'_>, Attribute, Type) -> Result<Option<OpId>>;

/// Attached to a dialect.
#[derive(Clone, Default)]
pub(crate) struct Rewrites {
    pub(crate) folds: HashMap<Box<str>, FoldFn>,
    /// By operation, in the order in which they were added.
    pub(crate) patterns: HashMap<Box<str>, Vec<AnyPattern>>,
    pub(crate) materialize: Option<MaterializeFn>,
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

    fn poison(self, mnemonic: &'static str) -> Self {
        self.amend(|rewrites: &mut Rewrites| rewrites.poison = Some(mnemonic))
    }

    fn inliner(self, inliner: impl DialectInliner + 'static) -> Self {
        self.amend(|rewrites: &mut Rewrites| rewrites.inliner = Some(Arc::new(inliner)))
    }
}

/// Whether the attribute is one that its dialect calls [poison](DialectRewrite::poison).
pub fn is_poison(context: &Context, attribute: Attribute) -> bool {
    let AttributeData::Dialect(value) = &context[attribute] else { return false };
    let dialect = context.dialect(&context.text(value.dialect));
    let poison = dialect.and_then(|dialect| dialect.get::<Rewrites>()?.poison);
    poison.is_some_and(|poison| context.bytes(value.mnemonic) == poison.as_bytes())
}
