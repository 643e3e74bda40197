//! What memory is made of where it is a value.

use mlirbc_dialects::llvm::{ArrayType, PointerType, StructType};
use mlirbc_ir::{AttributeData, Context, Signedness, Type, TypeData};

use super::LlvmOptions;

/// The address space that a memory space stands for.
pub(crate) fn address_space(context: &Context, space: Option<mlirbc_ir::Attribute>) -> Option<u32> {
    let Some(space) = space else { return Some(0) };
    match &context[space] {
        AttributeData::Integer { ty, value } => match context[*ty] {
            TypeData::Index | TypeData::Integer { signedness: Signedness::Signless, .. } => {
                u32::try_from(value.to_i64()?).ok()
            }
            _ => None,
        },
        _ => None,
    }
}

/// The address space of memory.
pub(crate) fn space_of(context: &Context, ty: Type) -> Option<u32> {
    match context[ty] {
        TypeData::MemRef { space, .. } | TypeData::UnrankedMemRef { space, .. } => address_space(context, space),
        _ => None,
    }
}

/// What memory becomes, whatever it is of.
pub(crate) fn descriptor(context: &Context, ty: Type, options: LlvmOptions) -> Option<Type> {
    let index = context.integer_type(options.index_bits);
    let members = match &context[ty] {
        TypeData::MemRef { shape, .. } => {
            let pointer: Type = PointerType::new(context, space_of(context, ty)?).into();
            let mut members = vec![pointer, pointer, index];
            if !shape.is_empty() {
                let array: Type = ArrayType::new(context, index, shape.len() as u64).ok()?.into();
                members.extend([array, array]);
            }
            members
        }
        TypeData::UnrankedMemRef { .. } => vec![index, PointerType::new(context, 0).into()],
        _ => return None,
    };
    StructType::literal(context, &members, false).ok().map(Into::into)
}

/// The types of the parts of memory, as a function takes them.
pub(crate) fn descriptor_parts(context: &Context, ty: Type, options: LlvmOptions) -> Option<Vec<Type>> {
    let index = context.integer_type(options.index_bits);
    match &context[ty] {
        TypeData::MemRef { shape, .. } => {
            let pointer: Type = PointerType::new(context, space_of(context, ty)?).into();
            let numbers = std::iter::repeat_n(index, 1 + 2 * shape.len());
            Some([pointer, pointer].into_iter().chain(numbers).collect())
        }
        TypeData::UnrankedMemRef { .. } => Some(vec![index, PointerType::new(context, 0).into()]),
        _ => None,
    }
}
