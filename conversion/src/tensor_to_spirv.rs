//! `convert-tensor-to-spirv` (`mlir/lib/Conversion/TensorToSPIRV`): elements of constant tensors in the dialect `spirv`.
//!
//! A tensor becomes an array. SPIR-V takes elements out of arrays at places that are known: where they are not, the array is put into a
//! variable of the function. That is done with constants of up to 64 bytes; what is taken out of other tensors stays, as all other
//! operations do. [`patterns`] adds the patterns to those of other conversions; the pass brings those for `arith` too, which makes
//! the constants, and for `func`.

use mlirbc_ir::{OpId, TypeData};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;
use mlirbc_spirv::dialect::types::{SpirvType, pointer, view};
use rspirv::spirv::StorageClass;

use crate::common::{Look, Rw, width};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::index::linearize;
use crate::to_spirv::pass::ToSpirv;
use crate::to_spirv::types::is_scalar;
use crate::to_spirv::{EMULATE_FLOATS, EMULATE_NARROW, SpirvPatterns, SpirvTypeConverter, TypeOptions};
use crate::{arith_to_spirv, func_to_spirv};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-tensor-to-spirv",
    about: "convert the dialect tensor to the dialect spirv",
    options: &[EMULATE_NARROW, EMULATE_FLOATS],
    make: MakePass::With(|options| {
        Ok(Box::new(ToSpirv {
            name: INFO.name,
            options: TypeOptions::of(options)?,
            patterns: |set| patterns(func_to_spirv::patterns(arith_to_spirv::patterns(set))),
            legal: |target| target,
        }))
    }),
};

/// Tensors of more bytes are no variables of functions.
const MOST_BYTES: u64 = 64;

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    set.on("tensor.extract", extract)
}

fn extract(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let was = rw.operand_type(op, 0)?;
    let context = rw.context();
    let TypeData::RankedTensor { shape, element, .. } = &context[was] else {
        return Err(NoMatch::Reason("a tensor of unknown rank"));
    };
    if !is_scalar(context, *element) {
        return Err(NoMatch::Reason("a tensor of something else than numbers"));
    }
    let count = context[was].element_count().ok_or(NoMatch::Reason("a tensor of unknown size"))?;
    let bits = width(context, *element).and_then(|width| count.checked_mul(width.into()));
    if bits.is_none_or(|bits| bits > MOST_BYTES * 8) {
        return Err(NoMatch::Reason("a tensor that is too large"));
    }
    let tensor = operands.get(0)?;
    if rw.op(op).defining_operation(tensor).is_none_or(|constant| !constant.is("spirv.Constant")) {
        return Err(NoMatch::Reason("a tensor that is no constant"));
    }
    let Some(SpirvType::Array { element: ty, .. }) = view(context, rw.ty(tensor)?) else {
        return Err(NoMatch::Reason("a tensor that is no array"));
    };
    // How many elements are passed by one step in each dimension.
    let mut strides = vec![1; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = shape[at].wrapping_mul(strides[at]);
    }
    let class = StorageClass::Function as u32;
    let storage = (context.static_identifier("storage_class"), enumerant(context, EnumKind::StorageClass, class));
    let variable = pointer(context, rw.ty(tensor)?, class);
    let variable = rw.emit_with("spirv.Variable", &[], variable, vec![storage])?;
    rw.emit_nothing("spirv.Store", &[variable, tensor], Vec::new())?;
    let indices = (1..operands.len()).map(|number| operands.get(number)).collect::<Result<Vec<_>, _>>()?;
    let index = spirv.index_type(rw.context());
    let place = linearize(rw, &indices, &strides, 0, index)?;
    let place = rw.emit("spirv.AccessChain", &[variable, place], pointer(rw.context(), ty, class))?;
    let made = rw.emit("spirv.Load", &[place], ty)?;
    Ok(rw.replace(op, [made])?)
}
