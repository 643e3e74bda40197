//! Copies between modules: what was lazy is resolved.

use crate::attribute::AttributeData;
use crate::body::{AttributeRef, Resolve, TypeRef};
use crate::context::OperationName;
use crate::error::{Error, Result};
use crate::module::Module;
use crate::types::TypeData;

pub(crate) struct Resolver<'a> {
    pub(crate) from: &'a Module,
}

fn opaque() -> Error {
    Error::misuse(
        "an opaque attribute or type refers to the tables of its own file: it cannot be moved to another module",
    )
}

impl Resolve for Resolver<'_> {
    fn attribute(&mut self, attribute: AttributeRef) -> Result<AttributeRef> {
        let attribute = self.from.attribute(attribute)?;
        if matches!(self.from.context()[attribute], AttributeData::Encoded(_)) {
            return Err(opaque());
        }
        Ok(attribute.into())
    }

    fn properties(&mut self, name: OperationName, properties: AttributeRef) -> Result<AttributeRef> {
        let attribute = self.from.properties(name, properties)?;
        if matches!(self.from.context()[attribute], AttributeData::Encoded(_)) {
            return Err(opaque());
        }
        Ok(attribute.into())
    }

    fn ty(&mut self, ty: TypeRef) -> Result<TypeRef> {
        let ty = self.from.ty(ty)?;
        if matches!(self.from.context()[ty], TypeData::Encoded(_)) {
            return Err(opaque());
        }
        Ok(ty.into())
    }
}
