//! Functions.

use mlirbc_dialects::llvm::{Linkage, ModRefInfo, linkage, memory_effects};
use mlirbc_ir::{Attribute, AttributeData, Context, Error, NamedAttribute, OpId, Type};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

use super::wrappers;
use crate::common::{Members, Rw};
use crate::func_to_spirv::signature;
use crate::to_llvm::LlvmTypeConverter;
use crate::to_llvm::emit::Emit;
use crate::to_llvm::patterns::{BARE_POINTER, To};
use crate::to_llvm::signatures::{Calling, Signature};

/// A function as it was.
pub(super) struct Function {
    pub(super) inputs: Vec<Type>,
    pub(super) results: Vec<Type>,
    pub(super) name: mlirbc_ir::Identifier,
    /// What is said of it that is said of what it becomes, too.
    pub(super) said: Vec<NamedAttribute>,
    /// What is said of its arguments and results.
    pub(super) arguments: Option<Vec<Attribute>>,
    pub(super) of_results: Option<Attribute>,
}

const VARIADIC: &str = "func.varargs";
const LINKAGE: &str = "llvm.linkage";
const READ_NONE: &str = "llvm.readnone";
const C_INTERFACE: &str = "llvm.emit_c_interface";

/// What is said of arguments that is a type.
const TYPES: [&[u8]; 4] = [b"llvm.byval", b"llvm.byref", b"llvm.sret", b"llvm.inalloca"];

pub(super) fn function(to: &To, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let (inputs, results) = signature(rw, op)?;
    let of = rw.op(op);
    let members = Members::of(of)?;
    let name = members.symbol().ok_or(NoMatch::Reason("a function has no name"))?;
    let left_out = [VARIADIC, LINKAGE, READ_NONE].map(|name| context.static_identifier(name));
    let said = of.attributes()?.iter().copied().filter(|(name, _)| !left_out.contains(name));
    let visibility = members.get("sym_visibility").map(|value| (context.static_identifier("sym_visibility"), value));
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

impl Function {
    fn said_of(&self, number: usize) -> Option<Attribute> {
        self.arguments.as_ref()?.get(number).copied()
    }

    /// Whether an argument is given by a pointer to it.
    fn is_by_pointer(&self, context: &Context, number: usize) -> bool {
        let said = self.said_of(number).and_then(|said| context.entries(said).ok()).unwrap_or_default();
        said.iter().any(|(name, _)| TYPES[..2].contains(&context.bytes(*name)))
    }

    /// What is said of the arguments that these become: nothing of those that are parts of one.
    fn arguments_of(
        &self,
        context: &Context,
        types: &LlvmTypeConverter,
        signature: &Signature,
    ) -> Result<Option<Attribute>, NoMatch> {
        if self.arguments.is_none() {
            return Ok(None);
        }
        let nothing = context.dictionary(Vec::new())?;
        let mut all = Vec::new();
        for (number, inputs) in signature.inputs.iter().enumerate() {
            match (inputs.len(), self.said_of(number)) {
                (1, Some(said)) => all.push(converted(context, types, said)?),
                (count, _) => all.extend(std::iter::repeat_n(nothing, count)),
            }
        }
        Ok(Some(context.attribute(AttributeData::Array(all.into()))).filter(|_| !signature.inputs.is_empty()))
    }
}

/// What is said of an argument, where types are what they become.
fn converted(context: &Context, types: &LlvmTypeConverter, said: Attribute) -> Result<Attribute, NoMatch> {
    let entries = context.entries(said)?.to_vec();
    let entries = entries.into_iter().map(|(name, value)| match context[value] {
        AttributeData::Type(ty) if TYPES.contains(&context.bytes(name)) => {
            let ty =
                types.convert(context, ty).ok_or(NoMatch::Reason("the type of an argument cannot be converted"))?;
            Ok((name, context.attribute(AttributeData::Type(ty))))
        }
        _ => Ok((name, value)),
    });
    Ok(context.dictionary(entries.collect::<Result<Vec<_>, NoMatch>>()?)?)
}
