//! `convert-ub-to-spirv` (`mlir/lib/Conversion/UBToSPIRV`): the dialect `ub` to the dialect `spirv`.
//!
//! A value that nothing is said about becomes `spirv.Undef`, where its type can be converted; others stay. A place that cannot be reached
//! becomes `spirv.Unreachable`, but at the start of a function, where the pass fails. [`patterns`] adds the patterns
//! to those of other conversions.

use mlirbc_ir::{Error, OpId};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, Outcome, PassInfo};

use crate::common::{Look, Rw};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::pass::ToSpirv;
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter, TypeOptions};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-ub-to-spirv",
    about: "convert the dialect ub to the dialect spirv",
    options: &[],
    make: MakePass::With(|options| {
        let options = TypeOptions::of(options)?;
        Ok(Box::new(ToSpirv { name: INFO.name, options, patterns, legal: |target| target }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    set.on("ub.poison", poison).on("ub.unreachable", unreachable)
}

fn poison(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let made = rw.emit("spirv.Undef", &[], ty)?;
    Ok(rw.replace(op, [made])?)
}

fn unreachable(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let body = rw.body();
    let region = body.block_of(op).and_then(|block| Some((block, body.region_of(block)?)));
    if region.is_some_and(|(block, region)| body.first_block(region) == Some(block)) {
        // MLIR does not verify a module with such a place.
        return Err(Error::verification("`spirv.Unreachable` cannot be used in reachable block").into());
    }
    rw.emit_nothing("spirv.Unreachable", &[], Vec::new())?;
    Ok(rw.erase(op)?)
}
