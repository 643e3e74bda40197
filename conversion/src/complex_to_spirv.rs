//! `convert-complex-to-spirv` (`mlir/lib/Conversion/ComplexToSPIRV`): the dialect `complex` to the dialect `spirv`.
//!
//! A complex number becomes a vector of two, where the target has its parts as they are. Numbers that are put together, taken apart or
//! constant are converted; all other operations stay. [`patterns`] adds the patterns to those of other conversions.

use mlirbc_ir::{AttributeData, Numbers, OpId, TypeData};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::{Look, Rw, element};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::pass::{ToSpirv, casts_stay};
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter, TypeOptions};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-complex-to-spirv",
    about: "convert the dialect complex to the dialect spirv",
    options: &[],
    make: MakePass::With(|options| {
        let options = TypeOptions::of(options)?;
        Ok(Box::new(ToSpirv { name: INFO.name, options, patterns, legal: casts_stay }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    set.on("complex.constant", constant)
        .on("complex.create", create)
        .with("complex.re", 1, |_, rw, op, operands| part(rw, op, operands, 0))
        .with("complex.im", 1, |_, rw, op, operands| part(rw, op, operands, 1))
}

fn constant(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let value = rw.attribute(op, "value")?;
    let context = rw.context();
    let (TypeData::Vector { .. }, AttributeData::Array(parts)) = (&context[ty], &context[value]) else {
        return Err(NoMatch::Reason("a constant of something else than two numbers"));
    };
    let parts = parts.iter().map(|&part| Numbers::of(context, part).map(|part| part.get(0)));
    let parts = parts.collect::<Option<Vec<_>>>().ok_or(NoMatch::Reason("a part that is no number"))?;
    let value = match &*parts {
        [re, im] if re == im => context.numbers(ty, &parts[..1]),
        _ => context.numbers(ty, &parts),
    }?;
    let made = rw.constant(ty, value)?;
    Ok(rw.replace(op, [made])?)
}

fn create(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let ty = rw.converted_result(op)?;
    let made = rw.emit("spirv.CompositeConstruct", &operands.all()?, ty)?;
    Ok(rw.replace(op, [made])?)
}

fn part(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, place: i32) -> Outcome {
    rw.converted_result(op)?;
    let of = operands.get(0)?;
    let ty = element(rw.context(), rw.ty(of)?);
    let made = rw.extract(of, &[place], ty)?;
    Ok(rw.replace(op, [made])?)
}
