//! Chains of accesses.

use mlirbc_ir::{Dialect, OpId, Rewriter};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, Outcome};

/// The most indices that SPIR-V allows in one access.
const MOST_INDICES: usize = 255;

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.canonicalize("AccessChain", AnyPattern::new("CombineChainedAccessChain", combine))
}

/// An access into what an access gave is one access.
fn combine(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [base, ref indices @ ..] = *rw.body().operands(op) else { return rw.no_match("it has no base") };
    let outer = rw.defined_by(base, "spirv.AccessChain")?;
    if outer.id() == op || outer.operands().len() + indices.len() > 1 + MOST_INDICES {
        return rw.no_match("there would be too many indices");
    }
    let operands: Vec<_> = outer.operands().iter().chain(indices).copied().collect();
    let result = rw.result(op, 0)?;
    let ty = rw.body().ty(result);
    let access = rw.build("spirv.AccessChain").operands(operands).result_type(ty).create()?;
    Ok(rw.replace_with(op, access)?)
}
