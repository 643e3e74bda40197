//! Operations of `llvm`, made by patterns and by what stands between values of different types.

use mlirbc_dialects::llvm::{GEPNoWrapFlags, PlainType, PointerType};
use mlirbc_ir::{
    Attribute, AttributeData, BlockId, Builder, Error, Identifier, NamedAttribute, OpId, Result, Rewriter, Type, Value,
};

use crate::common::{Rw, dense_array, reference};
use crate::spirv_to_llvm::inside;

/// What stands in `rawConstantIndices` for an index that is an operand.
const DYNAMIC_INDEX: i64 = i32::MIN as i64;

/// An index of a `getelementptr`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Index {
    Known(i64),
    Value(Value),
}

/// What makes operations: the rewriter of patterns, and that of all else.
pub(crate) trait Emit<'m> {
    /// Begins an operation.
    fn begin(&mut self, name: &str) -> Builder<'_, 'm>;

    /// The rewriter, to look at.
    fn look(&self) -> &Rewriter<'m>;

    /// The type of a value.
    fn type_of(&self, value: Value) -> Result<Type> {
        self.look().module().ty(self.look().body().ty(value))
    }

    /// An operation of that name with one result.
    fn emit(&mut self, name: &str, operands: &[Value], ty: Type) -> Result<Value> {
        self.emit_with(name, operands, ty, Vec::new())
    }

    /// As [`Emit::emit`], with attributes.
    fn emit_with(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Type,
        attributes: Vec<NamedAttribute>,
    ) -> Result<Value> {
        let made =
            self.begin(name).operands(operands.iter().copied()).result_type(ty).attributes(attributes).create()?;
        self.look().result(made, 0)
    }

    /// An operation without results.
    fn emit_nothing(&mut self, name: &str, operands: &[Value], attributes: Vec<NamedAttribute>) -> Result<OpId> {
        self.begin(name).operands(operands.iter().copied()).attributes(attributes).create()
    }

    /// An attribute and its name.
    fn named(&self, name: &'static str, value: Attribute) -> NamedAttribute {
        (self.look().context().static_identifier(name), value)
    }

    /// A constant.
    fn constant(&mut self, ty: Type, value: Attribute) -> Result<Value> {
        let value = self.named("value", value);
        self.emit_with("llvm.mlir.constant", &[], ty, vec![value])
    }

    /// A number of an index, as a constant of another type.
    fn index_constant(&mut self, ty: Type, value: i64) -> Result<Value> {
        let value = self.look().context().index_attr(value);
        self.constant(ty, value)
    }

    /// A part of a composite.
    fn extract(&mut self, of: Value, position: &[i64]) -> Result<Value> {
        let context = self.look().context();
        let whole = self.type_of(of)?;
        let ty = position.iter().try_fold(whole, |ty, &at| inside(context, ty, u32::try_from(at).ok()));
        let ty = ty.ok_or_else(|| Error::misuse("a part is taken out of what has no such part"))?;
        let position = dense_array(context, 64, position.iter().copied());
        let position = self.named("position", position);
        self.emit_with("llvm.extractvalue", &[of], ty, vec![position])
    }

    /// A composite with another part.
    fn insert(&mut self, into: Value, part: Value, position: &[i64]) -> Result<Value> {
        let ty = self.type_of(into)?;
        let position = dense_array(self.look().context(), 64, position.iter().copied());
        let position = self.named("position", position);
        self.emit_with("llvm.insertvalue", &[into, part], ty, vec![position])
    }

    /// Where something stands behind a pointer to a type.
    fn element_pointer(
        &mut self,
        (base, pointee): (Value, Type),
        indices: &[Index],
        flags: GEPNoWrapFlags,
        ty: Type,
    ) -> Result<Value> {
        let context = self.look().context();
        let (mut operands, mut raw) = (vec![base], Vec::new());
        for index in indices {
            match *index {
                Index::Known(number) => raw.push(number),
                Index::Value(value) => {
                    raw.push(DYNAMIC_INDEX);
                    operands.push(value);
                }
            }
        }
        let raw = dense_array(context, 32, raw);
        let pointee = context.attribute(AttributeData::Type(pointee));
        let flags = context.integer(32, flags.value());
        let attributes = vec![
            self.named("elem_type", pointee),
            self.named("noWrapFlags", flags),
            self.named("rawConstantIndices", raw),
        ];
        self.emit_with("llvm.getelementptr", &operands, ty, attributes)
    }

    /// What stands behind a pointer.
    fn load(&mut self, ty: Type, from: Value) -> Result<Value> {
        self.emit("llvm.load", &[from], ty)
    }

    /// Puts a value behind a pointer.
    fn store(&mut self, value: Value, to: Value) -> Result<()> {
        self.emit_nothing("llvm.store", &[value, to], Vec::new()).map(drop)
    }

    /// Room on the stack for so many of a type.
    fn stack(&mut self, of: Type, count: Value, space: u32) -> Result<Value> {
        let context = self.look().context();
        let (of, ty) = (context.attribute(AttributeData::Type(of)), PointerType::new(context, space).into());
        let of = self.named("elem_type", of);
        self.emit_with("llvm.alloca", &[count], ty, vec![of])
    }

    /// Copies bytes.
    fn copy_bytes(&mut self, to: Value, from: Value, size: Value) -> Result<()> {
        let volatile = self.look().context().integer(1, 0);
        let volatile = self.named("isVolatile", volatile);
        self.emit_nothing("llvm.intr.memcpy", &[to, from, size], vec![volatile]).map(drop)
    }

    /// A call of a function. What it gives is a result, but for nothing.
    fn call(&mut self, callee: Identifier, arguments: &[Value], result: Option<Type>) -> Result<OpId> {
        let callee = reference(self.look().context(), callee);
        self.call_with(arguments, result, vec![self.named("callee", callee)])
    }

    /// As [`Emit::call`], with attributes, of which one says who is called, or the first argument does.
    fn call_with(
        &mut self,
        arguments: &[Value],
        result: Option<Type>,
        attributes: Vec<NamedAttribute>,
    ) -> Result<OpId> {
        let context = self.look().context();
        let sizes = dense_array(context, 32, []);
        let result = result.filter(|&ty| PlainType::of(context, ty) != Some(PlainType::Void));
        let name = context.static_identifier("op_bundle_sizes");
        let attributes = attributes.into_iter().filter(|given| given.0 != name).chain([(name, sizes)]);
        let attributes: Vec<NamedAttribute> = attributes.collect();
        self.begin("llvm.call").operand_groups([arguments, &[]]).result_types(result).attributes(attributes).create()
    }

    /// Goes on to a block.
    fn branch(&mut self, to: BlockId, arguments: &[Value]) -> Result<OpId> {
        self.begin("llvm.br").operands(arguments.iter().copied()).successors([to]).create()
    }

    /// Goes on to one of two blocks.
    fn branch_if(&mut self, condition: Value, then: (BlockId, &[Value]), or: (BlockId, &[Value])) -> Result<OpId> {
        let groups = [&[condition][..], then.1, or.1];
        self.begin("llvm.cond_br").operand_groups(groups).successors([then.0, or.0]).create()
    }
}

impl<'m> Emit<'m> for Rw<'_, 'm> {
    fn begin(&mut self, name: &str) -> Builder<'_, 'm> {
        self.build(name)
    }

    fn look(&self) -> &Rewriter<'m> {
        self
    }
}

impl<'m> Emit<'m> for Rewriter<'m> {
    fn begin(&mut self, name: &str) -> Builder<'_, 'm> {
        self.build(name)
    }

    fn look(&self) -> &Rewriter<'m> {
        self
    }
}
