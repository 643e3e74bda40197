//! STUB
#![allow(missing_docs)]
use crate::*;
pub trait DialectText: Send + Sync {}
pub fn parse_attribute(c: &Context, t: &[u8]) -> Result<Attribute> { Ok(c.attribute(AttributeData::Text{dialect: c.identifier("x"), text: t.into()})) }
pub fn parse_type(c: &Context, t: &[u8]) -> Result<Type> { Ok(c.ty(TypeData::Text{dialect: c.identifier("x"), text: t.into()})) }
impl AttributeData { pub fn verify(&self, _: &Context) -> Result<()> { Ok(()) } }
impl TypeData { pub fn verify(&self, _: &Context) -> Result<()> { Ok(()) } }
