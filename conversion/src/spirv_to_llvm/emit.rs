//! Operations of `llvm` made with what SPIR-V does not say of them.

use mlirbc_dialects::llvm::{FastmathFlags, fast_math};
use mlirbc_ir::{Attribute, AttributeData, Context, NamedAttribute, OpId, Result, Signedness, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};

pub(super) use crate::common::{
    Look, Members, Rw, dense_array, element, integers, lanes, reference, resized, splat, symbol, width, with_element,
};

/// What stands in `rawConstantIndices` for an index that is an operand.
pub(super) const DYNAMIC_INDEX: i64 = i32::MIN as i64;

/// A function that converts operations.
pub(super) type Convert = fn(&mut Rw<'_, '_>, OpId, &Adaptor) -> Outcome;

/// The member that operations of that name have where nothing else is said.
fn members(context: &Context, name: &str, given: &[NamedAttribute]) -> Option<NamedAttribute> {
    let (name, value) = match name {
        "llvm.add" | "llvm.sub" | "llvm.mul" | "llvm.shl" | "llvm.trunc" => ("overflowFlags", context.integer(32, 0)),
        "llvm.fadd"
        | "llvm.fsub"
        | "llvm.fmul"
        | "llvm.fdiv"
        | "llvm.frem"
        | "llvm.fneg"
        | "llvm.fcmp"
        | "llvm.call"
        | "llvm.select"
        | "llvm.intr.ceil"
        | "llvm.intr.cos"
        | "llvm.intr.exp"
        | "llvm.intr.fabs"
        | "llvm.intr.floor"
        | "llvm.intr.log"
        | "llvm.intr.maxnum"
        | "llvm.intr.minnum"
        | "llvm.intr.sin"
        | "llvm.intr.sqrt"
        | "llvm.intr.tan"
        | "llvm.intr.tanh"
        | "llvm.intr.acos"
        | "llvm.intr.asin"
        | "llvm.intr.atan"
        | "llvm.intr.atan2"
        | "llvm.intr.copysign"
        | "llvm.intr.cosh"
        | "llvm.intr.exp2"
        | "llvm.intr.exp10"
        | "llvm.intr.log10"
        | "llvm.intr.rint"
        | "llvm.intr.frexp"
        | "llvm.intr.ldexp"
        | "llvm.intr.sinh"
        | "llvm.intr.fma"
        | "llvm.intr.log2"
        | "llvm.intr.pow"
        | "llvm.intr.round"
        | "llvm.intr.roundeven"
        | "llvm.intr.trunc" => ("fastmathFlags", fast_math(context, FastmathFlags::NONE)),
        "llvm.load" | "llvm.store" => ("ordering", context.integer(64, 0)),
        _ => return None,
    };
    let name = context.static_identifier(name);
    given.iter().all(|given| given.0 != name).then_some((name, value))
}

/// What patterns make.
pub(super) trait Emit: Look {
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

    /// A constant of `i32`.
    fn index(&mut self, value: i64) -> Result<Value>;

    /// An integer, or a vector that has it everywhere.
    fn splat(&mut self, ty: Type, value: i64) -> Result<Value>;
}

impl Emit for Rw<'_, '_> {
    fn emit_with(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Type,
        attributes: Vec<NamedAttribute>,
    ) -> Result<Value> {
        let members = members(self.context(), name, &attributes);
        let build = self.build(name).operands(operands.iter().copied()).result_type(ty);
        let op = build.attributes(members.into_iter().chain(attributes)).create()?;
        self.result(op, 0)
    }

    fn emit_nothing(&mut self, name: &str, operands: &[Value], attributes: Vec<NamedAttribute>) -> Result<OpId> {
        let members = members(self.context(), name, &attributes);
        let attributes = members.into_iter().chain(attributes);
        self.build(name).operands(operands.iter().copied()).attributes(attributes).create()
    }

    fn constant(&mut self, ty: Type, value: Attribute) -> Result<Value> {
        let value = (self.context().static_identifier("value"), value);
        self.emit_with("llvm.mlir.constant", &[], ty, vec![value])
    }

    fn index(&mut self, value: i64) -> Result<Value> {
        let context = self.context();
        self.constant(context.integer_type(32), context.integer(32, value))
    }

    fn splat(&mut self, ty: Type, value: i64) -> Result<Value> {
        let value = splat(self.context(), ty, value)?;
        self.constant(ty, value)
    }
}

/// Whether a type is that of numbers, or of vectors of these.
pub(super) fn number_or_vector(context: &Context, ty: Type) -> bool {
    matches!(context[ty], TypeData::Integer { .. } | TypeData::Float(_) | TypeData::Vector { .. })
}

/// What a number or a vector becomes, and its value: what says how to read its bits goes.
pub(super) fn signless(rw: &Rw<'_, '_>, ty: Type, value: Attribute) -> Result<(Type, Attribute), NoMatch> {
    let context = rw.context();
    let converted = rw.convert_type(ty)?;
    let is_signless = match context[element(context, ty)] {
        TypeData::Integer { signedness, .. } => signedness == Signedness::Signless,
        _ => true,
    };
    if is_signless {
        return Ok((converted, value));
    }
    let value = match context[value].clone() {
        AttributeData::Integer { value, .. } => AttributeData::Integer { ty: converted, value },
        AttributeData::DenseElements { data, .. } => AttributeData::DenseElements { ty: converted, data },
        _ => return Err(NoMatch::Reason("the value of a constant is of another kind")),
    };
    Ok((converted, context.attribute(value)))
}
