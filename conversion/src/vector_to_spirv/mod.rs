//! `convert-vector-to-spirv` (`mlir/lib/Conversion/VectorToSPIRV`): the dialect `vector` to the dialect `spirv`.
//!
//! SPIR-V has vectors of 2 to 4 elements and, for kernels, of 8 and 16; one of a single element becomes that element. [`patterns`] adds the
//! patterns to those of other conversions.
//!
//! Operations on other vectors stay, such as those of several dimensions, and so do reductions by `and`, `or` and `xor`, masks, transfers,
//! transpositions, and changes of shape other than of one element.

mod elements;
mod memory;
mod reductions;
mod shuffles;

use mlirbc_ir::{Context, OpId, Type};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::{Look, Rw, lanes, width};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::pass::{ToSpirv, casts_stay};
use crate::to_spirv::types::is_scalar;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter, TypeOptions};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-vector-to-spirv",
    about: "convert the dialect vector to the dialect spirv",
    options: &[],
    make: MakePass::With(|options| {
        Ok(Box::new(ToSpirv {
            name: INFO.name,
            options: TypeOptions::of(options)?,
            // What folds to a value that nothing is said about is one of `ub`.
            patterns: |set| crate::ub_to_spirv::patterns(patterns(set)),
            legal: casts_stay,
        }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    let set = set
        .on("vector.bitcast", bitcast)
        .on("vector.shape_cast", shape_cast)
        .with("vector.fma", 1, |_, rw, op, operands| renamed(rw, op, operands, "spirv.GL.Fma"))
        .with("vector.fma", 1, |_, rw, op, operands| renamed(rw, op, operands, "spirv.CL.fma"));
    memory::add_to(shuffles::add_to(reductions::add_to(elements::add_to(set))))
}

fn renamed(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, name: &str) -> Outcome {
    let ty = rw.converted_result(op)?;
    let made = rw.emit(name, &operands.all()?, ty)?;
    Ok(rw.replace(op, [made])?)
}

/// Whether a vector became its one element.
fn is_single(rw: &Rw<'_, '_>, ty: Type) -> bool {
    is_scalar(rw.context(), ty)
}

/// How many elements a vector has; no match for other types.
fn count(context: &Context, ty: Type) -> Result<u64, NoMatch> {
    lanes(context, ty).ok_or(NoMatch::Reason("no vector"))
}

fn bitcast(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let value = operands.get(0)?;
    let from = rw.ty(value)?;
    if from == ty {
        return Ok(rw.replace(op, [value])?);
    }
    let bits = |ty| Some(u64::from(width(rw.context(), ty)?) * lanes(rw.context(), ty).unwrap_or(1));
    if bits(from) != bits(ty) {
        return Err(NoMatch::Reason("a vector that has more bits than there were"));
    }
    renamed(rw, op, operands, "spirv.Bitcast")
}

fn shape_cast(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let value = operands.get(0)?;
    if rw.ty(value)? != ty && count(rw.context(), rw.result_type(op)?)? != 1 {
        return Err(NoMatch::Reason("a vector of another shape"));
    }
    Ok(rw.replace(op, [value])?)
}
