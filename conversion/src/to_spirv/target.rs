//! Which operations of SPIR-V a target has.

use std::sync::Arc;

use mlirbc_ir::{AttributeData, OpRef, Result};
use mlirbc_rewrite::conversion::ConversionTarget;
use mlirbc_spirv::target::{Depth, Environment, Need, of_operation, of_type};

use super::types::is_spirv;

/// Which operations are legal when a conversion into SPIR-V is done (`SPIRVConversionTarget` of MLIR).
#[derive(Clone, Copy, Debug)]
pub struct SpirvConversionTarget;

impl SpirvConversionTarget {
    /// Those of the dialect `spirv` that a target has, with the types of their operands and results. Of others nothing is said.
    #[expect(clippy::new_ret_no_self, reason = "what is said of operations is added to")]
    pub fn new(environment: &Environment) -> ConversionTarget {
        let environment = Arc::new(environment.clone());
        let is_legal = move |op: OpRef<'_>| is_legal(op, &environment).ok();
        ConversionTarget::new().dynamic_dialect("spirv", is_legal)
    }
}

/// Whether a target has an operation.
fn is_legal(op: OpRef<'_>, environment: &Environment) -> Result<bool> {
    let context = op.module().context();
    let mut all = true;
    let mut meets = |need: Need| all &= environment.meets(need).is_some();
    of_operation(op, Depth::Operation, &mut meets)?;
    for value in op.operands().iter().copied().chain(op.results()) {
        let ty = op.type_of(value)?;
        if !is_spirv(context, ty) {
            return Ok(false);
        }
        of_type(context, ty, &mut meets);
    }
    if op.is("spirv.GlobalVariable")
        && let Some(AttributeData::Type(ty)) = op.attribute("type")?.map(|ty| &context[ty])
    {
        of_type(context, *ty, &mut meets);
    }
    Ok(all)
}
