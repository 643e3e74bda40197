//! What is said of functions and their arguments.

use mlirbc_ir::{Attribute, AttributeData, Context, NamedAttribute, Type};
use mlirbc_rewrite::NoMatch;

use crate::to_llvm::LlvmTypeConverter;
use crate::to_llvm::signatures::Signature;

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

/// What is said of arguments that is a type.
const TYPES: [&[u8]; 4] = [b"llvm.byval", b"llvm.byref", b"llvm.sret", b"llvm.inalloca"];

impl Function {
    fn said_of(&self, number: usize) -> Option<Attribute> {
        self.arguments.as_ref()?.get(number).copied()
    }

    /// Whether an argument is given by a pointer to it.
    pub(super) fn is_by_pointer(&self, context: &Context, number: usize) -> bool {
        let said = self.said_of(number).and_then(|said| context.entries(said).ok()).unwrap_or_default();
        said.iter().any(|(name, _)| TYPES[..2].contains(&context.bytes(*name)))
    }

    /// What is said of the arguments that these become: nothing of those that are parts of one.
    pub(super) fn arguments_of(
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
