//! Where elements of memory stand, and what accesses to them say.

use mlirbc_dialects::memref::Strides;
use mlirbc_ir::{AttributeData, DYNAMIC, NamedAttribute, OpId, Type, TypeData, Value};
use mlirbc_rewrite::NoMatch;
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::{enumerant, enumerant_of};
use mlirbc_spirv::dialect::types::{SpirvType, pointer, view};
use rspirv::spirv::{Capability, MemoryAccess, StorageClass};

use super::SpirvTypeConverter;
use super::emit::Emit;
use super::index::linearize;
use super::types::byte_size;
use crate::common::{Look, Rw};

/// The class of memory that a memref is of; no match where none is said.
pub(crate) fn class_of(rw: &Rw<'_, '_>, memref: Type) -> Result<StorageClass, NoMatch> {
    let context = rw.context();
    let class = match context[memref] {
        TypeData::MemRef { space: Some(space), .. } => enumerant_of(context, space, EnumKind::StorageClass),
        _ => None,
    };
    class.and_then(StorageClass::from_u32).ok_or(NoMatch::Reason("memory of no storage class"))
}

/// The type behind a pointer, and the class of the memory.
pub(crate) fn pointee(rw: &Rw<'_, '_>, ty: Type) -> Result<(Type, StorageClass), NoMatch> {
    match view(rw.context(), ty) {
        Some(SpirvType::Pointer { pointee, class }) => {
            Ok((pointee, StorageClass::from_u32(class).ok_or(NoMatch::Reason("an unknown storage class"))?))
        }
        _ => Err(NoMatch::Reason("a value is no pointer")),
    }
}

/// Where an element stands in memory: a chain that leads to it, which is not made yet.
pub(crate) struct Element {
    base: Value,
    /// The places on the way. The last one is that of the element.
    places: Vec<Value>,
    /// Whether the pointer is to elements that stand one after the other, of which the first place says which.
    is_behind: bool,
    /// What the pointer leads to.
    pub(crate) ty: Type,
    class: StorageClass,
}

impl Element {
    /// The element of a memref at these indices; no match where it cannot be told where that is.
    pub(crate) fn of(
        spirv: &SpirvTypeConverter,
        rw: &mut Rw<'_, '_>,
        memref: Type,
        base: Value,
        indices: &[Value],
    ) -> Result<Self, NoMatch> {
        let context = rw.context();
        let unknown = NoMatch::Reason("where elements stand is not known");
        let Some(Strides { strides, offset }) = Strides::of(context, memref) else { return Err(unknown) };
        if offset == DYNAMIC || strides.contains(&DYNAMIC) || strides.len() != indices.len() {
            return Err(unknown);
        }
        let index = spirv.index_type(context);
        let (pointee, class) = pointee(rw, rw.ty(base)?)?;
        if spirv.has(Capability::Kernel) {
            let place = match indices {
                [] => rw.zero(index)?,
                _ => linearize(rw, indices, &strides, offset, index)?,
            };
            let (ty, is_behind) = match view(context, pointee) {
                Some(SpirvType::Array { element, .. }) => (element, false),
                _ => (pointee, true),
            };
            return Ok(Element { base, places: vec![place], is_behind, ty, class });
        }
        let array = match view(context, pointee) {
            Some(SpirvType::Struct(structure)) => structure.members.first().map(|member| view(context, member.ty)),
            _ => None,
        };
        let ty = match array.flatten() {
            Some(SpirvType::Array { element, .. } | SpirvType::RuntimeArray { element, .. }) => element,
            _ => return Err(NoMatch::Reason("a pointer to something else than elements")),
        };
        let zero = rw.zero(index)?;
        let place = match indices {
            [] => zero,
            _ => linearize(rw, indices, &strides, offset, index)?,
        };
        Ok(Element { base, places: vec![zero, place], is_behind: false, ty, class })
    }

    /// Which one it is.
    pub(crate) fn place(&self) -> Value {
        self.places[self.places.len() - 1]
    }

    /// The same, of another one.
    pub(crate) fn at(mut self, place: Value) -> Self {
        let last = self.places.len() - 1;
        self.places[last] = place;
        self
    }

    /// Makes the pointer.
    pub(crate) fn pointer(&self, rw: &mut Rw<'_, '_>) -> Result<Value, NoMatch> {
        let ty = pointer(rw.context(), self.ty, self.class as u32);
        let operands: Vec<Value> = std::iter::once(self.base).chain(self.places.iter().copied()).collect();
        let name = if self.is_behind { "spirv.PtrAccessChain" } else { "spirv.AccessChain" };
        Ok(rw.emit(name, &operands, ty)?)
    }
}

/// What an access to memory says of itself: what the operation that becomes it says, and how a pointer to physical memory is aligned.
pub(crate) fn access(rw: &Rw<'_, '_>, op: OpId, pointer: Value) -> Result<Vec<NamedAttribute>, NoMatch> {
    let context = rw.context();
    let [said, alignment] = ["memory_access", "alignment"].map(|name| rw.op(op).attribute(name));
    let (said, alignment) = (said?, alignment?);
    let of = |access: MemoryAccess| enumerant(context, EnumKind::MemoryAccess, access.bits());
    let names = ["memory_access", "alignment"].map(|name| context.static_identifier(name));
    let said = said.filter(|&said| enumerant_of(context, said, EnumKind::MemoryAccess).is_some());
    if let (Some(said), Some(alignment)) = (said, alignment) {
        return Ok(vec![(names[0], said), (names[1], alignment)]);
    }
    let mut access = MemoryAccess::NONE;
    let once = rw.op(op).attribute("nontemporal")?.map(|flag| &context[flag]);
    if once.is_some_and(|flag| !matches!(flag, AttributeData::Integer { value, .. } if value.is_zero())) {
        access |= MemoryAccess::NONTEMPORAL;
    }
    let alignment = alignment.and_then(|alignment| context.integer_of(alignment)?.to_u64()).unwrap_or(0);
    let (ty, class) = pointee(rw, rw.ty(pointer)?)?;
    if alignment == 0 && class != StorageClass::PhysicalStorageBuffer {
        return Ok(if access.is_empty() { Vec::new() } else { vec![(names[0], of(access))] });
    }
    if context[ty].element().is_some() {
        return Err(NoMatch::Reason("the alignment of something else than a number"));
    }
    let size = byte_size(context, ty).ok_or(NoMatch::Reason("the alignment of something else than a number"))?;
    let alignment = if alignment == 0 { size } else { alignment };
    let alignment = u32::try_from(alignment).map_err(|_| NoMatch::Reason("an alignment of more than 32 bits"))?;
    let alignment = context.integer(32, i64::from(alignment as i32));
    Ok(vec![(names[0], of(access | MemoryAccess::ALIGNED)), (names[1], alignment)])
}
