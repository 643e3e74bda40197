//! The attributes of the dialect that are cases of enums.

use mlirbc_ir::{Attribute, AttributeData, Context};

use super::{CConv, FastmathFlags, Linkage, ModRefInfo, NAME, TailCallKind};
use crate::common::cases::attribute_of;

/// `#llvm.linkage<external>`
pub fn linkage(context: &Context, linkage: Linkage) -> Attribute {
    attribute_of(context, NAME, "linkage", linkage)
}

/// `#llvm.cconv<ccc>`
pub fn calling_convention(context: &Context, convention: CConv) -> Attribute {
    attribute_of(context, NAME, "cconv", convention)
}

/// `#llvm.tailcallkind<none>`
pub fn tail_call_kind(context: &Context, kind: TailCallKind) -> Attribute {
    attribute_of(context, NAME, "tailcallkind", kind)
}

/// `#llvm.fastmath<none>`
pub fn fast_math(context: &Context, flags: FastmathFlags) -> Attribute {
    attribute_of(context, NAME, "fastmath", flags)
}

/// `#llvm.memory_effects<...>`, which is kept as text: the same for every kind of memory.
pub fn memory_effects(context: &Context, effects: ModRefInfo) -> Attribute {
    let kinds = ["other", "argMem", "inaccessibleMem", "errnoMem", "targetMem0", "targetMem1"];
    let effects = kinds.map(|kind| format!("{kind} = {}", effects.name())).join(", ");
    let text = format!("#{NAME}.memory_effects<{effects}>").into_bytes().into();
    context.attribute(AttributeData::Text { dialect: context.static_identifier(NAME), text })
}
