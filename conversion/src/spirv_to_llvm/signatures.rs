//! What functions of `llvm` say of themselves, and what types of functions become.

use hashbrown::HashMap;
use mlirbc_dialects::llvm::{CConv, FunctionType, Linkage, PlainType, calling_convention, linkage};
use mlirbc_ir::{Attribute, AttributeData, Context, NamedAttribute, Type, TypeData};
use mlirbc_rewrite::NoMatch;
use mlirbc_rewrite::conversion::SignatureConversion;

use super::emit::Rw;

/// The attributes that a function has in any case, beside its name.
pub(super) fn signature(context: &Context, convention: CConv, ty: Type) -> [NamedAttribute; 4] {
    let named = |name, value| (context.static_identifier(name), value);
    [
        named("function_type", context.attribute(AttributeData::Type(ty))),
        named("CConv", calling_convention(context, convention)),
        named("linkage", linkage(context, Linkage::External)),
        named("visibility_", context.integer(64, 0)),
    ]
}

/// The type of a function.
pub(super) fn function_type(
    context: &Context,
    result: Option<Type>,
    inputs: &[Type],
    is_variadic: bool,
) -> mlirbc_ir::Result<Type> {
    let result = result.unwrap_or_else(|| PlainType::Void.ty(context));
    FunctionType::new(context, result, inputs, is_variadic).map(Into::into)
}

/// What a type of functions becomes: of their arguments, and of themselves.
#[derive(Clone, Debug)]
pub(super) struct Converted {
    pub(super) arguments: SignatureConversion,
    pub(super) signature: [NamedAttribute; 4],
}

/// What types of functions became, each converted once.
pub(super) type Functions = HashMap<Attribute, Converted>;

impl Converted {
    pub(super) fn of(rw: &Rw<'_, '_>, ty: Attribute) -> Result<Self, NoMatch> {
        let context = rw.context();
        let AttributeData::Type(ty) = context[ty] else { return Err(NoMatch::Reason("a function has no type")) };
        let TypeData::Function { inputs, results } = &context[ty] else {
            return Err(NoMatch::Reason("the type of a function is of another kind"));
        };
        let cannot = || NoMatch::Reason("the type of an argument cannot be converted");
        let types = rw.types().ok_or_else(cannot)?;
        let arguments = types.convert_signature(context, inputs).ok_or_else(cannot)?;
        let result = match **results {
            [] => None,
            [result] => Some(rw.convert_type(result)?),
            _ => return Err(NoMatch::Reason("a function gives several values")),
        };
        let ty = function_type(context, result, arguments.types(), false)?;
        Ok(Converted { arguments, signature: signature(context, CConv::C, ty) })
    }
}
