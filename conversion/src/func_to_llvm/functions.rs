//! Functions.

use mlirbc_dialects::llvm::{Linkage, ModRefInfo, linkage, memory_effects};
use mlirbc_ir::{AttributeData, Error, NamedAttribute, OpId};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::said::Function;
use super::wrappers;
use crate::common::{Members, Rw};
use crate::func_to_spirv::signature;
use crate::to_llvm::emit::Emit;
use crate::to_llvm::patterns::{BARE_POINTER, To};
use crate::to_llvm::signatures::Calling;

const VARIADIC: &str = "func.varargs";
const LINKAGE: &str = "llvm.linkage";
const READ_NONE: &str = "llvm.readnone";
const C_INTERFACE: &str = "llvm.emit_c_interface";

pub(super) fn function(to: &To, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let (inputs, results) = signature(rw, op)?;
    let of = rw.op(op);
    let members = Members::of(of)?;
    let name = members.symbol().ok_or(NoMatch::Reason("a function has no name"))?;
    let left_out = [VARIADIC, LINKAGE, READ_NONE].map(|name| context.static_identifier(name));
    let said = of.attributes()?.iter().copied().filter(|(name, _)| !left_out.contains(name));
    let is_public = |value| matches!(&context[value], AttributeData::String { value, .. } if &**value == b"public");
    let visibility = members.get("sym_visibility").filter(|&value| !is_public(value));
    let visibility = visibility.map(|value| (context.static_identifier("sym_visibility"), value));
    let said: Vec<NamedAttribute> = said.chain(visibility).collect();
    let arguments = match members.get("arg_attrs").map(|all| &context[all]) {
        Some(AttributeData::Array(all)) => Some(all.to_vec()),
        _ => None,
    };
    let function = Function { inputs, results, name, said, arguments, of_results: members.get("res_attrs") };
    let is_set = |name| members.get(name).is_some_and(|value| context[value] == AttributeData::Unit);
    let variadic = members.get(VARIADIC).and_then(|value| context.integer_of(value)).is_some_and(|it| !it.is_zero());
    let bare_pointers = to.types.options().bare_pointers || members.get(BARE_POINTER).is_some();
    let signature = to.types.signature(
        context,
        (&function.inputs, &function.results),
        Calling { bare_pointers, variadic },
        |number| function.is_by_pointer(context, number),
    )?;
    let is_external = rw
        .child_body(op)?
        .is_none_or(|body| body.top_regions().first().is_none_or(|&region| body.first_block(region).is_none()));
    let has_wrapper = !bare_pointers && is_set(C_INTERFACE);
    if has_wrapper && variadic {
        return Err(NoMatch::Error(Error::verification("C interface for variadic functions is not supported yet.")));
    }
    let own_linkage = match members.get(LINKAGE) {
        _ if has_wrapper && is_external => linkage(context, Linkage::Private),
        Some(given) => given,
        None => linkage(context, Linkage::External),
    };
    let effects = is_set(READ_NONE).then(|| rw.named("memory_effects", memory_effects(context, ModRefInfo::NoModRef)));
    let of_arguments = function.arguments_of(context, &to.types, &signature)?;
    let of_results = function.of_results.filter(|_| function.results.len() == 1);
    let attributes = effects
        .into_iter()
        .chain(of_arguments.map(|all| rw.named("arg_attrs", all)))
        .chain(of_results.map(|all| rw.named("res_attrs", all)))
        .chain(function.said.iter().copied());
    let attributes: Vec<NamedAttribute> = attributes.collect();
    let ty = context.attribute(AttributeData::Type(signature.ty));
    let made = rw.build("llvm.func").attribute("sym_name", name.attribute()).attribute("function_type", ty);
    let made = made.attribute("linkage", own_linkage).attributes(attributes).regions(1).create()?;
    if !is_external {
        rw.move_body(op, made)?;
        rw.convert_entry_types(made, signature.arguments.clone())?;
    }
    match (has_wrapper, is_external) {
        (true, true) => wrappers::calls_c(to, rw, &function, (made, &signature))?,
        (true, false) => wrappers::called_by_c(to, rw, &function, signature.ty)?,
        (false, _) => {}
    }
    Ok(rw.replace(op, [])?)
}
