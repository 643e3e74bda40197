//! Structured selections.

use mlirbc_ir::{Attribute, BlockId, Dialect, OpId, Result, Rewriter, TypeData, Value};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, NoMatch, Outcome};

pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect.canonicalize("mlir.selection", AnyPattern::new("ConvertSelectionOpToSelect", to_select))
}

/// One of two stores to one pointer is a store of one of two values.
fn to_select(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, [first, second]) = stores(rw, op)?;
    if first.pointer != second.pointer || first.dictionaries != second.dictionaries {
        return rw.no_match("the stores are different");
    }
    let ty = rw.module().ty(rw.body().ty(first.value))?;
    if !matches!(rw.context()[ty], TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Vector { .. }) {
        return rw.no_match("what is stored is neither a number nor a vector");
    }
    let select = rw.build("spirv.Select").operands([condition, first.value, second.value]).result_type(ty).create()?;
    let chosen = rw.result(select, 0)?;
    let store = rw.build("spirv.Store").operands([first.pointer, chosen]).create()?;
    let (attributes, properties) = first.dictionaries;
    rw.set_attributes(store, attributes.map(Into::into))?;
    rw.set_properties(store, properties.map(Into::into))?;
    Ok(rw.erase(op)?)
}

/// What a block does that stores one value, and nothing else.
struct Store {
    pointer: Value,
    value: Value,
    dictionaries: (Option<Attribute>, Option<Attribute>),
}

/// The condition of a selection that is a branch on it and two blocks of one store. What it gives must not be used.
fn stores(rw: &Rewriter<'_>, op: OpId) -> Result<(Value, [Store; 2]), NoMatch> {
    let unlike = NoMatch::Reason("it is not a branch on a condition and two blocks with a store each");
    let body = rw.body();
    let selection = rw.op(op);
    let blocks: Vec<BlockId> = match *body.regions(op).collect::<Vec<_>>() {
        [region] if !selection.results().any(|result| body.is_used(result)) => body.blocks(region).take(5).collect(),
        _ => return Err(unlike),
    };
    let [header, _, _, merge] = *blocks else { return Err(unlike) };
    let [branch] = *body.operations(header).take(2).collect::<Vec<_>>() else { return Err(unlike) };
    let [first, second] = *body.successors(branch) else { return Err(unlike) };
    let Some(&condition) = body.operands(branch).first() else { return Err(unlike) };
    if rw.op(branch).name() != "spirv.BranchConditional" {
        return Err(unlike);
    }
    let store = |block: BlockId| -> Result<Option<Store>> {
        let [store, branch] = *body.operations(block).take(3).collect::<Vec<_>>() else { return Ok(None) };
        let [pointer, value] = *body.operands(store) else { return Ok(None) };
        let is_alike = rw.op(store).name() == "spirv.Store"
            && rw.op(branch).name() == "spirv.Branch"
            && *body.successors(branch) == [merge]
            && body.arguments(block).is_empty();
        Ok(if is_alike { Some(Store { pointer, value, dictionaries: rw.op(store).dictionaries()? }) } else { None })
    };
    match (store(first)?, store(second)?) {
        (Some(first), Some(second)) => Ok((condition, [first, second])),
        _ => Err(unlike),
    }
}
