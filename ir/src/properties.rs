//! Inherent and discardable attributes, where a file does not keep them apart.

use crate::attribute::{Attribute, AttributeData};
use crate::body::AttributeRef;
use crate::context::OperationName;
use crate::error::Result;
use crate::module::Module;
use crate::ods::PropertyDef;

impl Module {
    /// Splits the dictionary of an operation as files before bytecode version 5 hold it: discardable attributes, if there
    /// are any, and those that the operation's definition names. An operation that is not defined has only discardable
    /// ones. What stays whole stays an entry of the module's source: see [`Context::split_attributes`] for what is decoded.
    ///
    /// # Errors
    /// Where the dictionary cannot be decoded.
    ///
    /// [`Context::split_attributes`]: crate::Context::split_attributes
    #[doc(hidden)]
    pub fn split_dictionary(
        &self,
        name: OperationName,
        attributes: Option<AttributeRef>,
    ) -> Result<(Option<AttributeRef>, Option<AttributeRef>)> {
        match self.context().definition(name) {
            Some(definition) => self.split_by_layout(&definition.properties, attributes),
            None => Ok((attributes, None)),
        }
    }

    /// As [`Module::split_dictionary`], of an operation whose properties have these members.
    ///
    /// # Errors
    /// Where the dictionary cannot be decoded.
    #[doc(hidden)]
    pub fn split_by_layout(
        &self,
        layout: &[PropertyDef],
        attributes: Option<AttributeRef>,
    ) -> Result<(Option<AttributeRef>, Option<AttributeRef>)> {
        if layout.is_empty() {
            return Ok((attributes, None));
        }
        let context = self.context();
        let dictionary = attributes.map(|attributes| self.attribute(attributes)).transpose()?;
        let (discardable, properties) = context.split_by_layout(layout, dictionary, None)?;
        let is_opaque = |attribute: Attribute| matches!(context[attribute], AttributeData::Encoded(_));
        if discardable.is_some_and(is_opaque) {
            return Ok((attributes, None));
        }
        let properties = properties.map_or_else(|| context.dictionary(Vec::new()), Ok)?;
        let unchanged = discardable == dictionary;
        Ok((if unchanged { attributes } else { discardable.map(Into::into) }, Some(properties.into())))
    }
}
