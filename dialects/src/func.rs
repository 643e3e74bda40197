//! `func`: functions and calls.

use std::sync::Arc;

use mlirbc_ir::interfaces::{Call, IndirectCall, NamedCall};
use mlirbc_ir::verify::rules;
use mlirbc_ir::{Attribute, AttributeData, Dialect, OpId, OpRef, Result, Rewriter, Type, TypeData};
use mlirbc_rewrite::{AnyPattern, DialectInliner, DialectRewrite, Match, Outcome};
use mlirbc_text::DialectAssembly;
use mlirbc_text::function::FUNCTION;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("func")
        .inliner(Functions)
        .assembly("func", FUNCTION)
        .verify_op("return", rules::returns_from_function)
        .verify_symbol_uses("call", rules::call)
        .interface::<dyn Call>("call", Arc::new(NamedCall { callee: "callee", arguments: "operands" }))
        .interface::<dyn Call>("call_indirect", Arc::new(IndirectCall))
        .result_name("constant", "f")
        .default_dialect("func")
        .canonicalize("call_indirect", AnyPattern::new("CallIndirectOp", call_what_is_known))
        .materialize(materialize)
}

/// Functions may be inlined, and calls of them.
struct Functions;

impl DialectInliner for Functions {
    fn inlines_call(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_into(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn branch_of(&self, terminator: OpRef<'_>) -> Option<&'static str> {
        terminator.is("func.return").then_some("cf.br")
    }
}

/// Calling a constant is calling the function that it names.
fn call_what_is_known(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let [function, arguments @ ..] = rw.body().operands(op) else { return rw.no_match("it calls nothing") };
    let Some(callee) = rw.constant(*function).filter(|&callee| is_flat_symbol(rw, callee)) else {
        return rw.no_match("what it calls is not known");
    };
    let arguments = arguments.to_vec();
    let results: Vec<_> = rw.body().results(op).map(|result| rw.body().ty(result)).collect();
    let call = rw.build("func.call").operands(arguments).attribute("callee", callee).result_types(results).create()?;
    rw.replace_with(op, call)?;
    Ok(())
}

fn is_flat_symbol(rw: &Rewriter<'_>, attribute: Attribute) -> bool {
    matches!(&rw.context()[attribute], AttributeData::SymbolRef { nested, .. } if nested.is_empty())
}

/// A function by its name.
fn materialize(rw: &mut Rewriter<'_>, value: Attribute, ty: Type) -> Result<Option<OpId>> {
    if !is_flat_symbol(rw, value) || !matches!(rw.context()[ty], TypeData::Function { .. }) {
        return Ok(None);
    }
    rw.build("func.constant").attribute("value", value).result_type(ty).create().map(Some)
}
