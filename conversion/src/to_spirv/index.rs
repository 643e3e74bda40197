//! Places of elements in what has several dimensions.

use mlirbc_ir::{Result, Type, Value};

use super::emit::Emit;
use crate::common::Rw;

/// Where an element stands: `offset`, and the sum of `indices` times `strides`, of that type. What folds is folded; constants that were
/// folded away stay (`linearizeIndex` of MLIR).
pub(crate) fn linearize(
    rw: &mut Rw<'_, '_>,
    indices: &[Value],
    strides: &[i64],
    offset: i64,
    ty: Type,
) -> Result<Value> {
    let mut place = rw.integer(ty, offset as u64)?;
    for (&index, &stride) in indices.iter().zip(strides) {
        let stride = rw.integer(ty, stride as u64)?;
        let part = rw.build_or_fold("spirv.IMul", &[index, stride], ty)?;
        place = rw.build_or_fold("spirv.IAdd", &[part, place], ty)?;
    }
    Ok(place)
}
