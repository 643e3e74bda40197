//! `ptr`: pointers.

mod enums;

pub use enums::*;

use super::common::cases::Cases;
use super::common::values::{Part, Types, Values, parameters};
use mlirbc_ir::{Attribute, Context, Dialect, Parameter, Type};

/// The dialect's name.
const NAME: &str = "ptr";

/// The mnemonic of pointers: `!ptr.ptr<#ptr.generic_space>`.
const POINTER: &str = "ptr";

/// The types with parameters that are known.
const TYPES: Types = Types(&[(POINTER, &[Part::Attribute])]);

/// The dialect.
pub(super) fn dialect() -> Dialect {
    defined!("ptr").text(Values { types: TYPES, cases: Cases(ENUM_ATTRIBUTES), ..Values::NONE })
}

/// The memory space that a pointer of the dialect points into. `None` for other types.
pub fn memory_space(context: &Context, ty: Type) -> Option<Attribute> {
    match parameters(context, ty, NAME, POINTER)? {
        [Parameter::Attribute(space)] => Some(*space),
        _ => None,
    }
}
