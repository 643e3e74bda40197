//! `ub`: values and places in a program that nothing is said about.

use mlirbc_ir::{Attribute, Dialect, OpId, Result, Rewriter, Type};
use mlirbc_rewrite::{DialectRewrite, Folded, is_poison};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("ub")
        .poison("poison")
        .fold("poison", |fold| Ok(Folded::maybe(fold.attribute("value")?)))
        .materialize(poison)
}

/// `ub.poison` of any type, for poison.
pub(super) fn poison(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    if !is_poison(rw.context(), value) {
        return Ok(None);
    }
    rw.build("ub.poison").attribute("value", value).result_type(ty).create().map(Some)
}
