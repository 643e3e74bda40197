//! Elements of vectors of truth values in memory. They have no address: LLVM packs such vectors, eight elements to a byte, and MLIR's
//! conversion leads as many bytes behind the start. A pointer to one of them becomes a pointer to its vector; what loads or stores there takes
//! the whole vector.

use mlirbc_ir::{NamedAttribute, OpId, Type, TypeData, Use, Value};
use mlirbc_rewrite::{Match, NoMatch};
use mlirbc_spirv::dialect::types::part;

use super::class::{WORKGROUP, pointee};
use super::emit::{Emit, Look, Rw, width};
use super::explicit::CHAINS;

/// The operations that may have a pointer to an element, and which of their operands it may be.
const USERS: [(&str, usize); 8] = [
    ("spirv.Load", 0),
    ("spirv.OpLoad", 0),
    ("spirv.Store", 0),
    ("spirv.OpStore", 0),
    ("spirv.CopyMemory", 0),
    ("spirv.CopyMemory", 1),
    ("spirv.OpCopyMemory", 0),
    ("spirv.OpCopyMemory", 1),
];

/// One element of a vector.
pub(super) struct Lane {
    /// The vector, as LLVM has it.
    vector: Type,
    /// Which one it is, as it was.
    index: Value,
    /// The storage class of the vector.
    class: u32,
}

/// The element that a chain leads to, where that is a truth value of a vector.
fn of_chain(rw: &Rw<'_, '_>, chain: OpId) -> Result<Option<Lane>, NoMatch> {
    let context = rw.context();
    let is_bit = |ty: Type| matches!(context[ty], TypeData::Integer { width: 1, .. });
    if !is_bit(pointee(context, rw.result_type(chain)?)?.0) {
        return Ok(None);
    }
    let Some((_, before)) = CHAINS.iter().find(|(name, _)| rw.op(chain).is(name)) else { return Ok(None) };
    let (mut ty, class) = pointee(context, rw.operand_type(chain, 0)?)?;
    let operands = rw.body().operands(chain);
    let Some((&index, others)) = operands.get(*before..).and_then(<[Value]>::split_last) else { return Ok(None) };
    for &other in others {
        // An index that is not known leads into parts that all are of one type.
        let known = rw.constant_int(other).and_then(|number| u32::try_from(number.to_u64()?).ok());
        let Some(inner) = part(context, ty, known.unwrap_or(0)) else { return Ok(None) };
        ty = inner;
    }
    if !matches!(context[ty], TypeData::Vector { .. }) || width(context, ty) != Some(1) {
        return Ok(None);
    }
    Ok(Some(Lane { vector: rw.convert_type(ty)?, index, class }))
}

/// The indices of a chain that lead to something that has an address: all, but where they lead to an element of a vector of truth values.
///
/// # Errors
/// No match where something other than a load or a store has the pointer to such an element.
pub(super) fn with_address<'i>(rw: &Rw<'_, '_>, chain: OpId, indices: &'i [Value]) -> Result<&'i [Value], NoMatch> {
    let ([to_vector @ .., _], Some(_)) = (indices, of_chain(rw, chain)?) else { return Ok(indices) };
    let body = rw.body();
    let is_known = |of: Use| USERS.iter().any(|&(name, operand)| operand == of.operand && rw.op(of.op).is(name));
    match body.results(chain).flat_map(|pointer| body.uses_of(pointer)).all(is_known) {
        true => Ok(to_vector),
        false => Err(NoMatch::Reason("an element of a vector of truth values has no address")),
    }
}

/// The element that a pointer, as it was, leads to.
pub(super) fn of_pointer(rw: &Rw<'_, '_>, pointer: Value) -> Result<Option<Lane>, NoMatch> {
    rw.body().defining_operation(pointer).map_or(Ok(None), |chain| of_chain(rw, chain))
}

/// How memory is accessed, without what is said of a place that there is none of.
pub(super) fn without_alignment(rw: &Rw<'_, '_>, access: Vec<NamedAttribute>) -> Vec<NamedAttribute> {
    let alignment = rw.context().static_identifier("alignment");
    access.into_iter().filter(|&(name, _)| name != alignment).collect()
}

impl Lane {
    fn index(&self, rw: &mut Rw<'_, '_>) -> Result<Value, NoMatch> {
        rw.remapped(self.index)?.first().copied().ok_or(NoMatch::Reason("an index has no value"))
    }

    /// Loads it; `pointer` leads to its vector.
    pub(super) fn load(
        &self,
        rw: &mut Rw<'_, '_>,
        pointer: Value,
        access: Vec<NamedAttribute>,
    ) -> Result<Value, NoMatch> {
        let index = self.index(rw)?;
        let whole = rw.emit_with("llvm.load", &[pointer], self.vector, access)?;
        let bit = rw.context().integer_type(1);
        Ok(rw.emit("llvm.extractelement", &[whole, index], bit)?)
    }

    /// Stores it, with the other elements as they are.
    pub(super) fn store(
        &self,
        rw: &mut Rw<'_, '_>,
        pointer: Value,
        value: Value,
        access: Vec<NamedAttribute>,
    ) -> Result<(), NoMatch> {
        if self.class == WORKGROUP {
            // Another invocation may store another element at the same time.
            return Err(NoMatch::Reason(
                "an element of a vector of truth values that invocations share has no address",
            ));
        }
        let index = self.index(rw)?;
        let whole = rw.emit_with("llvm.load", &[pointer], self.vector, access.clone())?;
        let whole = rw.emit("llvm.insertelement", &[whole, value, index], self.vector)?;
        rw.emit_nothing("llvm.store", &[whole, pointer], access)?;
        Ok(())
    }
}
