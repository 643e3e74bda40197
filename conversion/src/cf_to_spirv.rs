//! `convert-cf-to-spirv` (`mlir/lib/Conversion/ControlFlowToSPIRV`): branches of the dialect `cf`.
//!
//! How often a branch is taken is not kept.

use mlirbc_ir::{BlockId, OpId};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::Rw;
use crate::to_spirv::pass::ToSpirv;
use crate::to_spirv::{EMULATE_FLOATS, EMULATE_NARROW, SpirvPatterns, SpirvTypeConverter, TypeOptions};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-cf-to-spirv",
    about: "convert the dialect cf to the dialect spirv",
    options: &[EMULATE_NARROW, EMULATE_FLOATS],
    make: MakePass::With(|options| {
        Ok(Box::new(ToSpirv { name: INFO.name, options: TypeOptions::of(options)?, patterns, legal: |target| target }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    set.on("cf.br", branch).on("cf.cond_br", branch_conditional)
}

/// The blocks that an operation goes on to, with arguments of converted types.
fn successors(rw: &mut Rw<'_, '_>, op: OpId) -> Result<Vec<BlockId>, NoMatch> {
    let successors = rw.body().successors(op).to_vec();
    for &block in &successors {
        rw.convert_arguments_now(block)?;
    }
    Ok(successors)
}

fn branch(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let successors = successors(rw, op)?;
    let made = rw.build("spirv.Branch").operands(operands.all()?).successors(successors).create()?;
    Ok(rw.replace_with(op, made)?)
}

fn branch_conditional(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let successors = successors(rw, op)?;
    let operands = operands.all()?;
    let groups = rw.op(op).operand_ranges()?;
    let groups: Option<Vec<_>> = groups.into_iter().map(|group| operands.get(group)).collect();
    let groups = groups.ok_or(NoMatch::Reason("a branch of other operands"))?;
    let made = rw.build("spirv.BranchConditional").operand_groups(groups).successors(successors).create()?;
    Ok(rw.replace_with(op, made)?)
}
