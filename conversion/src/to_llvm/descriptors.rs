//! Memory as a value: the pointer that was allocated, that to the aligned memory, where its first element stands behind that, its sizes,
//! and its strides.

use mlirbc_dialects::llvm::{PointerType, StructType};
use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{Context, DYNAMIC, Error, Result, Type, TypeData, Value};

use super::LlvmOptions;
use super::emit::{Emit, Index};
use super::layouts::descriptor;
use mlirbc_dialects::llvm::GEPNoWrapFlags;

const ALLOCATED: i64 = 0;
const ALIGNED: i64 = 1;
const OFFSET: i64 = 2;
const SIZES: i64 = 3;
const STRIDES: i64 = 4;

/// A value of what memory becomes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptor {
    pub(crate) value: Value,
}

impl Descriptor {
    /// One of which nothing is known yet.
    pub(crate) fn poison(rw: &mut dyn Emit<'_>, ty: Type) -> Result<Self> {
        Ok(Descriptor { value: rw.emit("llvm.mlir.poison", &[], ty)? })
    }

    /// That of all parts, in their order.
    pub(crate) fn pack(rw: &mut dyn Emit<'_>, ty: Type, parts: &[Value]) -> Result<Self> {
        let [allocated, aligned, offset, numbers @ ..] = parts else { return Err(wrong()) };
        let mut made = Self::poison(rw, ty)?;
        made.set_pointers(rw, (*allocated, *aligned))?;
        made.set_offset(rw, *offset)?;
        let (sizes, strides) = numbers.split_at(numbers.len() / 2);
        for (at, (&size, &stride)) in sizes.iter().zip(strides).enumerate() {
            made.set_size(rw, at, size)?;
            made.set_stride(rw, at, stride)?;
        }
        Ok(made)
    }

    /// That of memory whose sizes and strides are all known, behind these pointers. `None` of other memory.
    pub(crate) fn of_static(
        rw: &mut dyn Emit<'_>,
        ty: Type,
        options: LlvmOptions,
        pointers: (Value, Value),
    ) -> Result<Option<Self>> {
        let context = rw.look().context();
        let (TypeData::MemRef { shape, .. }, Some(known)) = (&context[ty], Strides::of(context, ty)) else {
            return Ok(None);
        };
        let (shape, index) = (shape.clone(), context.integer_type(options.index_bits));
        let Some(converted) = descriptor(context, ty, options) else { return Ok(None) };
        if shape.iter().chain(&known.strides).chain([&known.offset]).any(|&number| number == DYNAMIC) {
            return Ok(None);
        }
        let mut made = Self::poison(rw, converted)?;
        made.set_pointers(rw, pointers)?;
        let offset = rw.index_constant(index, known.offset)?;
        made.set_offset(rw, offset)?;
        for (at, (&size, &stride)) in shape.iter().zip(&known.strides).enumerate() {
            let size = rw.index_constant(index, size)?;
            made.set_size(rw, at, size)?;
            let stride = rw.index_constant(index, stride)?;
            made.set_stride(rw, at, stride)?;
        }
        Ok(Some(made))
    }

    /// All parts, in their order.
    pub(crate) fn unpack(self, rw: &mut dyn Emit<'_>, rank: usize) -> Result<Vec<Value>> {
        let mut parts = vec![self.allocated(rw)?, self.aligned(rw)?, self.offset(rw)?];
        for at in 0..rank {
            parts.push(self.size(rw, at)?);
        }
        for at in 0..rank {
            parts.push(self.stride(rw, at)?);
        }
        Ok(parts)
    }

    pub(crate) fn allocated(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        rw.extract(self.value, &[ALLOCATED])
    }

    pub(crate) fn aligned(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        rw.extract(self.value, &[ALIGNED])
    }

    pub(crate) fn offset(self, rw: &mut dyn Emit<'_>) -> Result<Value> {
        rw.extract(self.value, &[OFFSET])
    }

    pub(crate) fn size(self, rw: &mut dyn Emit<'_>, at: usize) -> Result<Value> {
        rw.extract(self.value, &[SIZES, at as i64])
    }

    pub(crate) fn stride(self, rw: &mut dyn Emit<'_>, at: usize) -> Result<Value> {
        rw.extract(self.value, &[STRIDES, at as i64])
    }

    /// The size of the dimension that a value says: read from the stack.
    pub(crate) fn size_at(self, rw: &mut dyn Emit<'_>, index: Type, at: Value) -> Result<Value> {
        let one = rw.index_constant(index, 1)?;
        let sizes = rw.extract(self.value, &[SIZES])?;
        let array = rw.type_of(sizes)?;
        let place = rw.stack(array, one, 0)?;
        rw.store(sizes, place)?;
        let pointer = PointerType::new(rw.look().context(), 0).into();
        let place =
            rw.element_pointer((place, array), &[Index::Known(0), Index::Value(at)], GEPNoWrapFlags::NONE, pointer)?;
        rw.load(index, place)
    }

    pub(crate) fn set_pointers(&mut self, rw: &mut dyn Emit<'_>, (allocated, aligned): (Value, Value)) -> Result<()> {
        self.value = rw.insert(self.value, allocated, &[ALLOCATED])?;
        self.value = rw.insert(self.value, aligned, &[ALIGNED])?;
        Ok(())
    }

    pub(crate) fn set_allocated(&mut self, rw: &mut dyn Emit<'_>, pointer: Value) -> Result<()> {
        self.value = rw.insert(self.value, pointer, &[ALLOCATED])?;
        Ok(())
    }

    pub(crate) fn set_aligned(&mut self, rw: &mut dyn Emit<'_>, pointer: Value) -> Result<()> {
        self.value = rw.insert(self.value, pointer, &[ALIGNED])?;
        Ok(())
    }

    pub(crate) fn set_offset(&mut self, rw: &mut dyn Emit<'_>, offset: Value) -> Result<()> {
        self.value = rw.insert(self.value, offset, &[OFFSET])?;
        Ok(())
    }

    pub(crate) fn set_size(&mut self, rw: &mut dyn Emit<'_>, at: usize, size: Value) -> Result<()> {
        self.value = rw.insert(self.value, size, &[SIZES, at as i64])?;
        Ok(())
    }

    pub(crate) fn set_stride(&mut self, rw: &mut dyn Emit<'_>, at: usize, stride: Value) -> Result<()> {
        self.value = rw.insert(self.value, stride, &[STRIDES, at as i64])?;
        Ok(())
    }

    /// The type of its pointers.
    pub(crate) fn pointer_type(self, rw: &dyn Emit<'_>) -> Result<Type> {
        let ty = rw.type_of(self.value)?;
        pointer_of(rw.look().context(), ty).ok_or_else(wrong)
    }
}

/// The type of the pointers in what memory becomes.
pub(crate) fn pointer_of(context: &Context, ty: Type) -> Option<Type> {
    StructType::of(context, ty)?.member(context, ALIGNED as usize)
}

fn wrong() -> Error {
    Error::misuse("memory became something else than a descriptor")
}
