//! `ub`: values and places in a program that nothing is said about.

use std::sync::Arc;

use super::common::values::{Own, Values};
use mlirbc_ir::interfaces::Constant;
use mlirbc_ir::{Attribute, Context, Dialect, OpId, OpRef, Result, Rewriter, Type, constant_value};
use mlirbc_rewrite::{DialectRewrite, Folded, InlineOperations, is_poison};

/// The attribute `#ub.poison`, which has no parameters.
const POISON: Own = Own {
    mnemonic: "poison",
    holds: |_, parameters| parameters.is_empty(),
    print: |_, _| {},
    parse: |_| Some([].into()),
};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("ub")
        .inliner(InlineOperations)
        .text(Values { own: &[POISON], ..Values::NONE })
        .interface::<dyn Constant>("poison", Arc::new(PoisonValue))
        .poison("poison")
        .fold("poison", |fold| Ok(Folded::maybe(constant_value(fold.op())?)))
        .materialize(poison)
}

/// What `ub.poison` is: its attribute, which may be left out where it is `#ub.poison`.
struct PoisonValue;

impl Constant for PoisonValue {
    fn value(&self, op: OpRef<'_>) -> Result<Option<Attribute>> {
        let given = op.attribute("value")?;
        Ok(given.or_else(|| Some(op.module().context().dialect_attribute("ub", "poison", []))))
    }
}

/// `#ub.poison`, where the dialect is known.
pub(super) fn poison_value(context: &Context) -> Option<Attribute> {
    context.dialect("ub").map(|_| context.dialect_attribute("ub", "poison", []))
}

/// `ub.poison` of any type, for poison.
pub(super) fn poison(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    if !is_poison(rw.context(), value) {
        return Ok(None);
    }
    rw.build("ub.poison").attribute("value", value).result_type(ty).create().map(Some)
}
