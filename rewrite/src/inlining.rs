//! What may be inlined, and how: what dialects say of it (`mlir/Transforms/InliningUtils.h`).

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::{Context, OpRef, OperationName, Result};

use crate::dialect::Rewrites;

/// What a dialect says of its operations where calls are inlined: nothing may be, unless it says so.
/// [`DialectRewrite::inliner`](crate::DialectRewrite::inliner) attaches it.
///
/// ```
/// use mlirbc_ir::{Dialect, OpRef, Result};
/// use mlirbc_rewrite::{DialectInliner, DialectRewrite};
///
/// /// All operations may be inlined, but calls into the regions of one alone.
/// struct Boxes;
///
/// impl DialectInliner for Boxes {
///     fn inlines_into(&self, into: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
///         Ok(into.is("toy.box"))
///     }
///
///     fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
///         Ok(true)
///     }
/// }
///
/// let dialect = Dialect::new("toy").inliner(Boxes);
/// ```
pub trait DialectInliner: Send + Sync {
    /// Whether what `callable` does may stand in the place of `call`, which is the dialect's.
    ///
    /// # Errors
    /// Where one of them cannot be decoded.
    fn inlines_call(&self, call: OpRef<'_>, callable: OpRef<'_>) -> Result<bool> {
        let _ = (call, callable);
        Ok(false)
    }

    /// Whether what `callable` holds may go into a region of `into`, which is the dialect's.
    ///
    /// # Errors
    /// Where one of them cannot be decoded.
    fn inlines_into(&self, into: OpRef<'_>, callable: OpRef<'_>) -> Result<bool> {
        let _ = (into, callable);
        Ok(false)
    }

    /// Whether `op`, which is the dialect's, may go into a region of `into`.
    ///
    /// # Errors
    /// Where one of them cannot be decoded.
    fn inlines_operation(&self, op: OpRef<'_>, into: OpRef<'_>) -> Result<bool> {
        let _ = (op, into);
        Ok(false)
    }

    /// The name of the branch that stands in the place of `terminator`, where what was called had several blocks: it hands the same
    /// operands to the block where the caller goes on. `None` where the terminator does not go back to the caller, and stays.
    fn branch_of(&self, terminator: OpRef<'_>) -> Option<&'static str> {
        let _ = terminator;
        None
    }
}

/// All operations of the dialect may be inlined wherever calls may be, and no call into their regions.
#[derive(Clone, Copy, Debug)]
pub struct InlineOperations;

impl DialectInliner for InlineOperations {
    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }
}

/// All operations of the dialect may be inlined wherever calls may be, and calls into all of their regions.
#[derive(Clone, Copy, Debug)]
pub struct InlineEverywhere;

impl DialectInliner for InlineEverywhere {
    fn inlines_into(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }
}

/// What dialects say, looked up once a name.
#[derive(Default)]
pub(crate) struct Inliners(HashMap<OperationName, Option<Arc<dyn DialectInliner>>>);

impl Inliners {
    /// What the dialect of operations of that name says.
    pub(crate) fn of(&mut self, context: &Context, name: OperationName) -> Option<Arc<dyn DialectInliner>> {
        let find = || {
            let dialect = context.dialect(&context.text(context.operation_dialect(name)))?;
            dialect.get::<Rewrites>()?.inliner.clone()
        };
        self.0.entry(name).or_insert_with(find).clone()
    }
}
