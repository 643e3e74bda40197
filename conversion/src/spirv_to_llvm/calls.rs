//! Functions of `llvm` and calls of them, as all that is converted makes them.

use mlirbc_dialects::llvm::{CConv, FastmathFlags, FunctionType, Linkage, PlainType, TailCallKind};
use mlirbc_dialects::llvm::{calling_convention, fast_math, linkage, tail_call_kind};
use mlirbc_ir::{Attribute, AttributeData, Context, NamedAttribute, OpId, Type, Value};
use mlirbc_rewrite::NoMatch;

use super::emit::{Rw, dense_array};

/// The attributes that a function has in any case.
pub(super) fn signature(
    context: &Context,
    name: Attribute,
    convention: CConv,
    (result, inputs): (Option<Type>, &[Type]),
) -> Result<Vec<NamedAttribute>, NoMatch> {
    let result = result.unwrap_or_else(|| PlainType::Void.ty(context));
    let ty = FunctionType::new(context, result, inputs, false)?;
    let named = |name, value| (context.static_identifier(name), value);
    Ok(vec![
        named("sym_name", name),
        named("function_type", context.attribute(AttributeData::Type(ty.into()))),
        named("CConv", calling_convention(context, convention)),
        named("linkage", linkage(context, Linkage::External)),
        named("visibility_", context.integer(64, 0)),
    ])
}

/// Makes a call.
pub(super) fn build_call(
    rw: &mut Rw<'_, '_>,
    convention: CConv,
    arguments: &[Value],
    result: Option<Type>,
    mut attributes: Vec<NamedAttribute>,
) -> Result<OpId, NoMatch> {
    let context = rw.context();
    let mut set = |name: &'static str, value| {
        let name = context.static_identifier(name);
        if attributes.iter().all(|given| given.0 != name) {
            attributes.push((name, value));
        }
    };
    set("CConv", calling_convention(context, convention));
    set("TailCallKind", tail_call_kind(context, TailCallKind::None));
    set("fastmathFlags", fast_math(context, FastmathFlags::NONE));
    set("op_bundle_sizes", dense_array(context, 32, []));
    let build = rw.build("llvm.call").operand_groups([arguments, &[]]).result_types(result);
    Ok(build.attributes(attributes).create()?)
}
