//! Text of kernels: `CL.printf` of a string that is a variable of the module.

use mlirbc_ir::{AttributeData, OpId};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::types::{array, pointer};
use rspirv::spirv::StorageClass;

use crate::common::{Look, Rw, reference};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::variables::{FORMAT, PRINTED};
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter};

pub(super) fn add_to(set: SpirvPatterns) -> SpirvPatterns {
    set.on("gpu.printf", printf)
}

fn printf(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let format = rw.attribute(op, "format")?;
    let length = match &context[format] {
        AttributeData::String { value, .. } => value.len() + 1,
        _ => return Err(NoMatch::Reason("a format that is no text")),
    };
    let length = u32::try_from(length).map_err(|_| NoMatch::Reason("a format of more than 4 GiB"))?;
    let (byte, class) = (context.integer_type(8), StorageClass::UniformConstant as u32);
    let to = pointer(context, array(context, byte, length, 0), class);
    let name = reference(context, context.identifier(PRINTED));
    let attributes = vec![(context.static_identifier("variable"), name), (context.static_identifier(FORMAT), format)];
    let text = rw.emit_with("spirv.mlir.addressof", &[], to, attributes)?;
    let text = rw.emit("spirv.Bitcast", &[text], pointer(context, byte, class))?;
    let all: Vec<_> = std::iter::once(text).chain(operands.all()?).collect();
    rw.emit("spirv.CL.printf", &all, context.integer_type(32))?;
    Ok(rw.erase(op)?)
}
