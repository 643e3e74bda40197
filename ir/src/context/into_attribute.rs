//! What attributes are made of where one is given.

use super::Context;
use crate::attribute::{Attribute, AttributeData};
use crate::number::{ApFloat, FloatKind};
use crate::types::Type;

/// What an attribute is made of where one is given: an [`Attribute`] itself, a [`Type`], text, `bool`, and numbers, which are as wide as
/// their type in Rust.
///
/// ```
/// use mlirbc_ir::{Context, IntoAttribute, Module};
///
/// let context = Context::new();
/// let shown = |attribute| context.show(attribute).to_string();
/// assert_eq!(shown("f".into_attribute(&context)), "\"f\"");
/// assert_eq!(shown(context.index_type().into_attribute(&context)), "index");
/// assert_eq!(shown(true.into_attribute(&context)), "true");
/// assert_eq!(shown(1.into_attribute(&context)), "1 : i32");
/// assert_eq!(shown(0.5.into_attribute(&context)), "5.000000e-01 : f64");
///
/// let mut module = Module::new(&context);
/// module.build(|rw| rw.build("toy.global").attribute("sym_name", "w").attribute("type", context.f32_type()).create())?;
/// assert!(module.symbol("w")?.is_some());
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
pub trait IntoAttribute {
    /// The attribute.
    fn into_attribute(self, context: &Context) -> Attribute;
}

impl IntoAttribute for Attribute {
    #[inline]
    fn into_attribute(self, _: &Context) -> Attribute {
        self
    }
}

impl IntoAttribute for Type {
    fn into_attribute(self, context: &Context) -> Attribute {
        context.attribute(AttributeData::Type(self))
    }
}

impl IntoAttribute for &str {
    fn into_attribute(self, context: &Context) -> Attribute {
        context.string(self)
    }
}

impl IntoAttribute for bool {
    fn into_attribute(self, context: &Context) -> Attribute {
        context.integer(1, self.into())
    }
}

impl IntoAttribute for i32 {
    fn into_attribute(self, context: &Context) -> Attribute {
        context.integer(32, self.into())
    }
}

impl IntoAttribute for i64 {
    fn into_attribute(self, context: &Context) -> Attribute {
        context.integer(64, self)
    }
}

impl IntoAttribute for f64 {
    fn into_attribute(self, context: &Context) -> Attribute {
        let (kind, ty) = (FloatKind::F64, context.float_type(FloatKind::F64));
        context.attribute(AttributeData::Float { ty, bits: ApFloat::from_f64(kind, self).to_bits() })
    }
}
