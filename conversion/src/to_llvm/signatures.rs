//! What types of functions become.

use mlirbc_dialects::llvm::{FunctionType, StructType, is_compatible};
use mlirbc_ir::{Context, Type, TypeData};
use mlirbc_rewrite::NoMatch;
use mlirbc_rewrite::conversion::SignatureConversion;

use super::LlvmTypeConverter;
use super::declarations::{pointer, void};
use super::layouts::descriptor_parts;

/// What the type of a function becomes, and what becomes of its arguments.
pub(crate) struct Signature {
    pub(crate) ty: Type,
    pub(crate) arguments: SignatureConversion,
    /// By argument: the types of those that it becomes.
    pub(crate) inputs: Vec<Vec<Type>>,
}

/// How a function is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Calling {
    pub(crate) bare_pointers: bool,
    pub(crate) variadic: bool,
}

impl LlvmTypeConverter {
    /// What the type of a function becomes. Arguments for which `by_pointer` says so are pointers to what they were.
    pub(crate) fn signature(
        &self,
        context: &Context,
        (inputs, results): (&[Type], &[Type]),
        calling: Calling,
        by_pointer: impl Fn(usize) -> bool,
    ) -> Result<Signature, NoMatch> {
        let cannot = NoMatch::Reason("the type of an argument or a result cannot be converted");
        let mut arguments = SignatureConversion::new(inputs.len());
        let mut all = Vec::new();
        for (number, &ty) in inputs.iter().enumerate() {
            let Some(mut types) = self.argument(context, ty, calling) else { return Err(cannot) };
            if let ([ty], true) = (&mut *types, by_pointer(number)) {
                *ty = pointer(context);
            }
            arguments.input(number, &types);
            all.push(types);
        }
        let result = match results {
            [] => void(context),
            results => self.results(context, results, calling.bare_pointers).ok_or(cannot)?,
        };
        let ty = FunctionType::new(context, result, arguments.types(), calling.variadic)?.into();
        Ok(Signature { ty, arguments, inputs: all })
    }

    fn argument(&self, context: &Context, ty: Type, calling: Calling) -> Option<Vec<Type>> {
        match context[ty] {
            TypeData::MemRef { .. } if calling.bare_pointers => Some(vec![self.bare_pointer(context, ty)?]),
            TypeData::UnrankedMemRef { .. } if calling.bare_pointers => None,
            TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. } => {
                self.convert(context, ty).and_then(|_| descriptor_parts(context, ty, self.options()))
            }
            _ => Some(self.types().convert_to_many(context, ty)?.into_vec()),
        }
    }

    /// What a function gives: its one result, or a struct of all.
    pub(crate) fn results(&self, context: &Context, results: &[Type], bare_pointers: bool) -> Option<Type> {
        let mut members = Vec::new();
        for &ty in results {
            match context[ty] {
                TypeData::MemRef { .. } if bare_pointers => members.push(self.bare_pointer(context, ty)?),
                TypeData::UnrankedMemRef { .. } if bare_pointers => return None,
                _ => members.extend(self.types().convert_to_many(context, ty)?),
            }
        }
        match *members {
            [ty] => Some(ty),
            [] => None,
            _ => StructType::literal(context, &members, false).ok().map(Into::into),
        }
    }

    /// The type that a function has for C: memory and structs by pointers. A struct that the function gives comes beside it.
    pub(crate) fn for_c(
        &self,
        context: &Context,
        (inputs, results): (&[Type], &[Type]),
    ) -> Option<(Type, Option<Type>)> {
        let mut result = match results {
            [] => void(context),
            results => self.results(context, results, self.options().bare_pointers)?,
        };
        let structure = StructType::of(context, result).map(|_| result);
        let mut types = Vec::new();
        if structure.is_some() {
            types.push(pointer(context));
            result = void(context);
        }
        for &ty in inputs {
            let converted = self.convert(context, ty).filter(|&ty| is_compatible(context, ty))?;
            let is_memory = matches!(context[ty], TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. });
            types.push(if is_memory { pointer(context) } else { converted });
        }
        Some((FunctionType::new(context, result, &types, false).ok()?.into(), structure))
    }
}
