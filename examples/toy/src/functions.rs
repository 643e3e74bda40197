//! Functions and calls: `toy.sketch`, `toy.animation`, `toy.done` and `toy.draw`.

use std::sync::Arc;

use mlirbc::ir::interfaces::{Call, Callable, NamedCall};
use mlirbc::ir::ods::{
    AttributeConstraint, Multiplicity, OpDef, OpDefBuilder, OpTable, Predicate, Traits, TypeConstraint,
};
use mlirbc::ir::verify::{Checker, rules};
use mlirbc::ir::{AttributeData, Dialect, InterfaceRule, TypeData};
use mlirbc::rewrite::{DialectInliner, DialectRewrite};
use mlirbc::text::DialectAssembly;
use mlirbc::text::function::FUNCTION;
use mlirbc::{OpRef, Result, Type};

pub(crate) fn attach(toy: Dialect) -> Result<Dialect> {
    let any = TypeConstraint::any();
    let function = |name: &str| -> OpDefBuilder {
        OpDef::builder(name)
            .traits(Traits::ISOLATED_FROM_ABOVE | Traits::SYMBOL | Traits::FUNCTION)
            .attribute("sym_name", &AttributeConstraint::symbol_name())
            .attribute("function_type", &AttributeConstraint::any())
            .optional_attribute("sym_visibility", &AttributeConstraint::string())
            .optional_attribute("arg_attrs", &AttributeConstraint::any())
            .optional_attribute("res_attrs", &AttributeConstraint::any())
            .region("body", Predicate::Always)
    };
    let sketch = function("toy.sketch").custom_syntax();
    let animation = function("toy.animation").format("$sym_name `:` $function_type attr-dict-with-keyword $body");
    let done = OpDef::builder("toy.done")
        .traits(Traits::TERMINATOR | Traits::RETURN_LIKE)
        .parents(["toy.sketch", "toy.animation"])
        .operands("drawn", Multiplicity::Variadic, &any)
        .interface("NoMemoryEffect")
        .format("attr-dict ($drawn^ `:` type($drawn))?");
    let draw = OpDef::builder("toy.draw")
        .attribute("callee", &AttributeConstraint::any())
        .unit_attribute("dotted")
        .operands("arguments", Multiplicity::Variadic, &any)
        .results("drawn", Multiplicity::Variadic, &any)
        .interface("CallOpInterface")
        .format("(`dotted` $dotted^)? $callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $drawn)");
    Ok(toy
        .ops(OpTable::from_definitions([sketch.finish()?, animation.finish()?, done.finish()?, draw.finish()?]))
        // Written as functions are in most dialects: `toy.sketch private @name(%sheet: type) -> type {`.
        .assembly("sketch", FUNCTION)
        .default_dialect("sketch")
        .argument_names("sketch", |_, _, count, set| {
            (0..count).for_each(|at| set(at, b"sheet"));
            Ok(())
        })
        .interface::<dyn Callable>("sketch", Arc::new(Sketch))
        .interface::<dyn Call>("draw", Arc::new(NamedCall { callee: "callee", arguments: "arguments" }))
        .inliner(Inliner)
        // Behind what its type says, the body gets the number of the picture.
        .without_rule("animation", InterfaceRule::FunctionArguments)
        .verify_op("done", rules::returns_from_function)
        .verify_symbol_uses("draw", verify_draw))
}

/// Can be called, where it has a body. (That its definition calls it a function would say so, too.)
struct Sketch;

impl Callable for Sketch {
    fn signature(&self, op: OpRef<'_>) -> Result<Option<(Vec<Type>, Vec<Type>)>> {
        let context = op.module().context();
        let Some(ty) = op.attribute("function_type")? else { return Ok(None) };
        let AttributeData::Type(ty) = context[ty] else { return Ok(None) };
        Ok(match &context[ty] {
            TypeData::Function { inputs, results } => Some((inputs.to_vec(), results.to_vec())),
            _ => None,
        })
    }

    fn body(&self, op: OpRef<'_>) -> Result<Option<usize>> {
        let (_, body, regions) = op.region_tree()?;
        Ok(regions.first().and_then(|&region| body.first_block(region)).map(|_| 0))
    }
}

/// What is drawn in dotted lines stays a call.
struct Inliner;

impl DialectInliner for Inliner {
    fn inlines_call(&self, call: OpRef<'_>, callable: OpRef<'_>) -> Result<bool> {
        Ok(call.attribute("dotted")?.is_none() && callable.is("toy.sketch"))
    }

    fn inlines_into(&self, into: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(into.is("toy.sketch"))
    }

    fn inlines_operation(&self, _: OpRef<'_>, _: OpRef<'_>) -> Result<bool> {
        Ok(true)
    }

    fn branch_of(&self, terminator: OpRef<'_>) -> Option<&'static str> {
        terminator.is("toy.done").then_some("cf.br")
    }
}

/// A sketch of these types is drawn.
fn verify_draw(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    rules::refers_to(checker, op, "callee", "toy.sketch")?;
    rules::call(checker, op)
}
