//! Memory whose rank is not known, as a value: its rank, and a pointer to the descriptor.

use mlirbc_dialects::llvm::{GEPNoWrapFlags, PointerType, StructType};
use mlirbc_ir::{Error, Result, Type, TypeData, Value};

use super::LlvmOptions;
use super::emit::{Emit, Index};

/// One of a rank and a pointer.
pub(crate) fn pack(rw: &mut dyn Emit<'_>, ty: Type, parts: &[Value]) -> Result<Value> {
    let &[rank, pointer] = parts else { return Err(Error::misuse("memory without rank has two parts")) };
    let made = rw.emit("llvm.mlir.poison", &[], ty)?;
    let made = rw.insert(made, rank, &[0])?;
    rw.insert(made, pointer, &[1])
}

pub(crate) fn rank(rw: &mut dyn Emit<'_>, of: Value) -> Result<Value> {
    rw.extract(of, &[0])
}

/// The pointer to the descriptor.
pub(crate) fn pointer(rw: &mut dyn Emit<'_>, of: Value) -> Result<Value> {
    rw.extract(of, &[1])
}

/// Whether a type is memory whose rank is not known.
pub(crate) fn is_unranked(context: &mlirbc_ir::Context, ty: Type) -> bool {
    matches!(context[ty], TypeData::UnrankedMemRef { .. })
}

/// How many bytes the descriptor of memory takes.
pub(crate) fn size(rw: &mut dyn Emit<'_>, of: Value, options: LlvmOptions) -> Result<Value> {
    let index = rw.look().context().integer_type(options.index_bits);
    let one = rw.index_constant(index, 1)?;
    let two = rw.index_constant(index, 2)?;
    let index_bytes = rw.index_constant(index, i64::from(options.index_bits.div_ceil(8)))?;
    let pointer_bytes = rw.index_constant(index, options.pointer_bytes)?;
    let pointers = rw.emit("llvm.mul", &[two, pointer_bytes], index)?;
    let rank = rank(rw, of)?;
    let numbers = rw.emit("llvm.mul", &[two, rank], index)?;
    let numbers = rw.emit("llvm.add", &[numbers, one], index)?;
    let numbers = rw.emit("llvm.mul", &[numbers, index_bytes], index)?;
    rw.emit("llvm.add", &[pointers, numbers], index)
}

/// A descriptor in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InMemory {
    /// Where it stands.
    pub(crate) at: Value,
    /// The type of its pointers.
    pub(crate) element_pointer: Type,
    pub(crate) index: Type,
}

impl InMemory {
    fn pointer(rw: &dyn Emit<'_>) -> Type {
        PointerType::new(rw.look().context(), 0).into()
    }

    pub(crate) fn allocated(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        rw.load(self.element_pointer, self.at)
    }

    fn aligned_at(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        let ty = Self::pointer(rw);
        rw.element_pointer((self.at, self.element_pointer), &[Index::Known(1)], GEPNoWrapFlags::NONE, ty)
    }

    pub(crate) fn aligned(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        let at = self.aligned_at(rw)?;
        rw.load(self.element_pointer, at)
    }

    /// Where the offset stands, and behind it sizes and strides.
    pub(crate) fn offset_at(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        let ty = Self::pointer(rw);
        rw.element_pointer((self.at, self.element_pointer), &[Index::Known(2)], GEPNoWrapFlags::NONE, ty)
    }

    pub(crate) fn offset(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        let at = self.offset_at(rw)?;
        rw.load(self.index, at)
    }

    pub(crate) fn set(self, rw: &mut dyn Emit<'_>, (allocated, aligned): (Value, Value)) -> Result<()> {
        rw.store(allocated, self.at)?;
        let at = self.aligned_at(rw)?;
        rw.store(aligned, at)
    }

    pub(crate) fn set_offset(self, rw: &mut dyn Emit<'_>, offset: Value) -> Result<()> {
        let at = self.offset_at(rw)?;
        rw.store(offset, at)
    }

    /// Where the sizes stand.
    pub(crate) fn sizes_at(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        let context = rw.look().context();
        let members = [self.element_pointer, self.element_pointer, self.index, self.index];
        let whole: Type = StructType::literal(context, &members, false)?.into();
        let ty = Self::pointer(rw);
        rw.element_pointer((self.at, whole), &[Index::Known(0), Index::Known(3)], GEPNoWrapFlags::NONE, ty)
    }

    /// Where the number stands that is so many behind another one.
    pub(crate) fn number_at(self, rw: &mut dyn Emit<'_>, base: Value, by: Value) -> Result<Value> {
        let ty = Self::pointer(rw);
        rw.element_pointer((base, self.index), &[Index::Value(by)], GEPNoWrapFlags::NONE, ty)
    }
}
