//! Operations of `spirv` made by patterns.

use mlirbc_ir::number::{ApFloat, ApInt};
use mlirbc_ir::{Attribute, AttributeData, Context, Error, NamedAttribute, NumberKind, OpId, Result, Type, Value};

use crate::common::{Rw, element};

/// What patterns make.
pub(crate) trait Emit {
    /// An operation of that name with a result of that type.
    fn emit(&mut self, name: &str, operands: &[Value], ty: Type) -> Result<Value> {
        self.emit_with(name, operands, ty, Vec::new())
    }

    /// As [`Emit::emit`], with attributes.
    fn emit_with(&mut self, name: &str, operands: &[Value], ty: Type, attributes: Vec<NamedAttribute>)
    -> Result<Value>;

    /// An operation without results.
    fn emit_nothing(&mut self, name: &str, operands: &[Value], attributes: Vec<NamedAttribute>) -> Result<OpId>;

    /// A constant.
    fn constant(&mut self, ty: Type, value: Attribute) -> Result<Value>;

    /// An integer, or a vector that has it everywhere, of its low bits.
    fn integer(&mut self, ty: Type, value: u64) -> Result<Value>;

    /// Zero, or false, or a vector of these.
    fn zero(&mut self, ty: Type) -> Result<Value>;

    /// One, or true, or a vector of these.
    fn one(&mut self, ty: Type) -> Result<Value>;

    /// The part of a composite at these places, of that type.
    fn extract(&mut self, composite: Value, places: &[i32], ty: Type) -> Result<Value>;
}

impl Emit for Rw<'_, '_> {
    fn emit_with(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Type,
        attributes: Vec<NamedAttribute>,
    ) -> Result<Value> {
        let build = self.build(name).operands(operands.iter().copied()).result_type(ty);
        let op = build.attributes(attributes).create()?;
        self.result(op, 0)
    }

    fn emit_nothing(&mut self, name: &str, operands: &[Value], attributes: Vec<NamedAttribute>) -> Result<OpId> {
        self.build(name).operands(operands.iter().copied()).attributes(attributes).create()
    }

    fn constant(&mut self, ty: Type, value: Attribute) -> Result<Value> {
        let value = (self.context().static_identifier("value"), value);
        self.emit_with("spirv.Constant", &[], ty, vec![value])
    }

    fn integer(&mut self, ty: Type, value: u64) -> Result<Value> {
        let value = integer(self.context(), ty, value)?;
        self.constant(ty, value)
    }

    fn zero(&mut self, ty: Type) -> Result<Value> {
        let value = number(self.context(), ty, 0.0)?;
        self.constant(ty, value)
    }

    fn one(&mut self, ty: Type) -> Result<Value> {
        let value = one(self.context(), ty)?;
        self.constant(ty, value)
    }

    fn extract(&mut self, composite: Value, places: &[i32], ty: Type) -> Result<Value> {
        let indices = indices(self.context(), places);
        self.emit_with("spirv.CompositeExtract", &[composite], ty, vec![indices])
    }
}

/// Places in a composite, as an attribute.
pub(crate) fn indices(context: &Context, places: &[i32]) -> NamedAttribute {
    let places = places.iter().map(|&place| context.integer(32, place.into()));
    (context.static_identifier("indices"), context.attribute(AttributeData::Array(places.collect())))
}

/// An integer as an attribute, or a vector that has it everywhere, of its low bits.
pub(crate) fn integer(context: &Context, ty: Type, value: u64) -> Result<Attribute> {
    match NumberKind::of(context, element(context, ty)) {
        Some(NumberKind::Integer { width, .. }) => context.numbers(ty, &[ApInt::from_u64(width, value)]),
        _ => Err(Error::misuse("no type of integers")),
    }
}

/// A number of any kind as an attribute, or a vector that has it everywhere.
pub(crate) fn number(context: &Context, ty: Type, value: f64) -> Result<Attribute> {
    match NumberKind::of(context, element(context, ty)) {
        Some(NumberKind::Float(kind)) => context.numbers(ty, &[ApFloat::from_f64(kind, value).to_bits()]),
        _ => integer(context, ty, value as i64 as u64),
    }
}

/// One, or true, or a vector of these.
pub(crate) fn one(context: &Context, ty: Type) -> Result<Attribute> {
    number(context, ty, 1.0)
}
