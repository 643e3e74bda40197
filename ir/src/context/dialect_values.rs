//! Attributes and types of dialects, made and looked up by dialect and mnemonic.

use super::Context;
use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::parameter::{DialectValue, Parameter};
use crate::types::{Type, TypeData};

/// Hashes as the value of a dialect that has these parts does, in an attribute.
struct DialectKey<P>(Identifier, Identifier, P);

impl<P: AsRef<[Parameter]>> std::hash::Hash for DialectKey<P> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let DialectKey(dialect, mnemonic, parameters) = self;
        let (dialect, mnemonic) = (*dialect, *mnemonic);
        let kind = AttributeData::Dialect(DialectValue { dialect, mnemonic, parameters: Box::default() });
        std::mem::discriminant(&kind).hash(state);
        (dialect, mnemonic, parameters.as_ref()).hash(state);
    }
}

impl DialectValue {
    /// With these parts, whose names the program spells out.
    pub fn new(
        context: &Context,
        dialect: &'static str,
        mnemonic: &'static str,
        parameters: impl Into<Box<[Parameter]>>,
    ) -> Self {
        let (dialect, mnemonic) = (context.static_identifier(dialect), context.static_identifier(mnemonic));
        DialectValue { dialect, mnemonic, parameters: parameters.into() }
    }

    /// Whether it has this dialect and mnemonic.
    pub fn is(&self, context: &Context, dialect: &str, mnemonic: &str) -> bool {
        context.bytes(self.dialect) == dialect.as_bytes() && context.bytes(self.mnemonic) == mnemonic.as_bytes()
    }
}

impl Context {
    /// The attribute of a dialect that has this mnemonic and these parameters: as [`Context::attribute`] of a [`DialectValue`],
    /// whose parameters are boxed only where the attribute is new. What it holds is not checked: see [`AttributeData::verify`].
    ///
    /// ```
    /// use mlirbc_ir::{Context, Parameter};
    /// let context = Context::new();
    /// let ring = context.dialect_attribute("toy", "ring", [Parameter::Unsigned(3)]);
    /// assert_eq!(context.attribute_parameters(ring, "toy", "ring"), Some(&[Parameter::Unsigned(3)][..]));
    /// assert_eq!(context.attribute_parameters(ring, "toy", "chain"), None);
    /// assert_eq!(context.attribute_parameters(context.unit(), "toy", "ring"), None);
    /// ```
    pub fn dialect_attribute(
        &self,
        dialect: &'static str,
        mnemonic: &'static str,
        parameters: impl AsRef<[Parameter]> + Into<Box<[Parameter]>>,
    ) -> Attribute {
        let (dialect, mnemonic) = (self.static_identifier(dialect), self.static_identifier(mnemonic));
        Attribute(self.0.attributes.find_or_make(
            DialectKey(dialect, mnemonic, parameters),
            |key, known| match known {
                AttributeData::Dialect(known) => {
                    (known.dialect, known.mnemonic) == (key.0, key.1) && *known.parameters == *key.2.as_ref()
                }
                _ => false,
            },
            |DialectKey(dialect, mnemonic, parameters)| {
                AttributeData::Dialect(DialectValue { dialect, mnemonic, parameters: parameters.into() })
            },
        ))
    }

    /// The type of a dialect that has this mnemonic and these parameters: as [`Context::ty`] of a [`DialectValue`]. What it
    /// holds is not checked: see [`TypeData::verify`].
    ///
    /// ```
    /// use mlirbc_ir::{Context, Parameter};
    /// let context = Context::new();
    /// let word = context.dialect_type("toy", "word", [Parameter::Unsigned(32)]);
    /// assert_eq!(context.type_parameters(word, "toy", "word"), Some(&[Parameter::Unsigned(32)][..]));
    /// assert_eq!(context.type_parameters(word, "spirv", "word"), None);
    /// assert_eq!(context.type_parameters(context.integer_type(32), "toy", "word"), None);
    /// ```
    pub fn dialect_type(
        &self,
        dialect: &'static str,
        mnemonic: &'static str,
        parameters: impl Into<Box<[Parameter]>>,
    ) -> Type {
        self.ty(TypeData::Dialect(DialectValue::new(self, dialect, mnemonic, parameters)))
    }

    /// The parameters of an attribute, where it has this dialect and mnemonic and is held as parameters.
    pub fn attribute_parameters(&self, attribute: Attribute, dialect: &str, mnemonic: &str) -> Option<&[Parameter]> {
        match &self[attribute] {
            AttributeData::Dialect(value) if value.is(self, dialect, mnemonic) => Some(&value.parameters),
            _ => None,
        }
    }

    /// The parameters of a type, where it has this dialect and mnemonic and is held as parameters.
    pub fn type_parameters(&self, ty: Type, dialect: &str, mnemonic: &str) -> Option<&[Parameter]> {
        match &self[ty] {
            TypeData::Dialect(value) if value.is(self, dialect, mnemonic) => Some(&value.parameters),
            _ => None,
        }
    }
}
