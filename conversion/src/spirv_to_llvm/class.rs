//! Storage classes, by number, and that of a pointer.

use mlirbc_ir::{Context, Type};
use mlirbc_rewrite::NoMatch;
use mlirbc_spirv::dialect::types::{SpirvType, view};

pub(super) const UNIFORM_CONSTANT: u32 = 0;
pub(super) const INPUT: u32 = 1;
pub(super) const UNIFORM: u32 = 2;
pub(super) const OUTPUT: u32 = 3;
pub(super) const WORKGROUP: u32 = 4;
pub(super) const CROSS_WORKGROUP: u32 = 5;
pub(super) const PRIVATE: u32 = 6;
pub(super) const GENERIC: u32 = 8;
pub(super) const PUSH_CONSTANT: u32 = 9;
pub(super) const STORAGE_BUFFER: u32 = 12;
pub(super) const PHYSICAL_STORAGE_BUFFER: u32 = 5349;

/// Whether memory of the class stands as the module says: what gives it knows no other way.
pub(super) fn is_explicit(class: u32) -> bool {
    matches!(class, UNIFORM | PUSH_CONSTANT | STORAGE_BUFFER | PHYSICAL_STORAGE_BUFFER)
}

/// The type behind a pointer, and the pointer's storage class.
pub(super) fn pointee(context: &Context, ty: Type) -> Result<(Type, u32), NoMatch> {
    match view(context, ty) {
        Some(SpirvType::Pointer { pointee, class }) => Ok((pointee, class)),
        _ => Err(NoMatch::Reason("an operand is no pointer")),
    }
}
