//! `ptr`: pointers.

mod enums;

pub use enums::*;

use std::sync::Arc;

use super::common::cases::Cases;
use super::common::effects::Access;
use super::common::values::{Part, Types, Values};
use mlirbc_ir::interfaces::{Effect, MemoryEffects};
use mlirbc_ir::{Attribute, Context, Dialect, Parameter, Type};

/// The dialect's name.
const NAME: &str = "ptr";

/// The mnemonic of pointers: `!ptr.ptr<#ptr.generic_space>`.
const POINTER: &str = "ptr";

/// The types with parameters that are known.
const TYPES: Types = Types(&[(POINTER, &[Part::Attribute])]);

/// The dialect.
pub(super) fn dialect() -> Dialect {
    const ACCESSES: [(&str, Effect, &str); 6] = [
        ("gather", Effect::Read, "ptrs"),
        ("load", Effect::Read, "ptr"),
        ("masked_load", Effect::Read, "ptr"),
        ("masked_store", Effect::Write, "ptr"),
        ("scatter", Effect::Write, "ptrs"),
        ("store", Effect::Write, "ptr"),
    ];
    let dialect = defined!("ptr").text(Values { types: TYPES, cases: Cases(ENUM_ATTRIBUTES), ..Values::NONE });
    ACCESSES.into_iter().fold(dialect, |dialect, (name, effect, operand)| {
        dialect.interface::<dyn MemoryEffects>(name, Arc::new(Access(effect, operand)))
    })
}

/// The memory space that a pointer of the dialect points into. `None` for other types.
pub fn memory_space(context: &Context, ty: Type) -> Option<Attribute> {
    match context.type_parameters(ty, NAME, POINTER)? {
        [Parameter::Attribute(space)] => Some(*space),
        _ => None,
    }
}
