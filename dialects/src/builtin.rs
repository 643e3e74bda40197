//! `builtin`: what its operations fold to, beside what every context knows of it.

use mlirbc_ir::{Context, Dialect, OpRef, Result, Type, Value};
use mlirbc_rewrite::{DialectInliner, DialectRewrite, Fold, FoldResult, Folded};

/// The dialect.
pub(super) fn dialect() -> Dialect {
    Context::builtin().fold("unrealized_conversion_cast", fold_cast).inliner(Casts)
}

/// Casts may be inlined, and nothing else.
struct Casts;

impl DialectInliner for Casts {
    fn inlines_operation(&self, op: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(op.is("builtin.unrealized_conversion_cast"))
    }
}

/// A cast to the types that its operands have, or had before a cast of all of them, gives what had these types.
fn fold_cast(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    let op = fold.op();
    let types = |values: &mut dyn Iterator<Item = Value>| -> Result<Vec<Type>> {
        values.map(|value| op.type_of(value)).collect()
    };
    let wanted = types(&mut op.results())?;
    let has_types = |values: &[Value]| -> Result<bool> { Ok(types(&mut values.iter().copied())? == wanted) };
    let mut values = op.operands();
    if !has_types(values)? {
        let before = values.first().and_then(|&first| fold.defined_by(first, "builtin.unrealized_conversion_cast"));
        match before.filter(|before| before.results().eq(values.iter().copied())) {
            Some(before) if has_types(before.operands())? => values = before.operands(),
            _ => return Ok(Folded::No),
        }
    }
    Ok(Folded::Results(values.iter().copied().map(FoldResult::Value).collect()))
}
