//! `convert-math-to-spirv` (`mlir/lib/Conversion/MathToSPIRV`): the dialect `math` to the dialect `spirv`.
//!
//! Most operations become one of the extended instructions: those of `GLSL.std.450` where the target is for shaders, those of `OpenCL.std`
//! where it is for kernels. What neither has is computed. [`patterns`] adds the patterns to those of other conversions.
//!
//! Operations stay that have no such instruction (`cbrt`, `clampf`, `ctpop`, `cttz`, `erfc`, `exp2`, `fpowi`, `ipowi`, `isnormal`, `sincos`,
//! `trunc`; without kernels `atan2` and `erf`), and those of vectors of more than one dimension.

mod computed;

use mlirbc_ir::{Context, OpId, Type, TypeData};
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::{Look, Rw};
use crate::to_spirv::pass::{ToSpirv, casts_stay};
use crate::to_spirv::{SpirvPatterns, TypeOptions, elementwise};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-math-to-spirv",
    about: "convert the dialect math to the dialect spirv",
    options: &[],
    make: MakePass::With(|options| {
        let options = TypeOptions::of(options)?;
        Ok(Box::new(ToSpirv { name: INFO.name, options, patterns, legal: casts_stay }))
    }),
};

/// Operations that become another one of the same operands.
const RENAMED: &[(&str, &str)] =
    &[("math.isinf", "spirv.IsInf"), ("math.isnan", "spirv.IsNan"), ("math.isfinite", "spirv.IsFinite")];

/// The same for shaders.
const SHADERS: &[(&str, &str)] = &[
    ("math.absf", "spirv.GL.FAbs"),
    ("math.absi", "spirv.GL.SAbs"),
    ("math.acos", "spirv.GL.Acos"),
    ("math.acosh", "spirv.GL.Acosh"),
    ("math.asin", "spirv.GL.Asin"),
    ("math.asinh", "spirv.GL.Asinh"),
    ("math.atan", "spirv.GL.Atan"),
    ("math.atanh", "spirv.GL.Atanh"),
    ("math.ceil", "spirv.GL.Ceil"),
    ("math.cos", "spirv.GL.Cos"),
    ("math.cosh", "spirv.GL.Cosh"),
    ("math.exp", "spirv.GL.Exp"),
    ("math.floor", "spirv.GL.Floor"),
    ("math.fma", "spirv.GL.Fma"),
    ("math.log", "spirv.GL.Log"),
    ("math.roundeven", "spirv.GL.RoundEven"),
    ("math.rsqrt", "spirv.GL.InverseSqrt"),
    ("math.sin", "spirv.GL.Sin"),
    ("math.sinh", "spirv.GL.Sinh"),
    ("math.sqrt", "spirv.GL.Sqrt"),
    ("math.tan", "spirv.GL.Tan"),
    ("math.tanh", "spirv.GL.Tanh"),
];

/// The same for kernels.
const KERNELS: &[(&str, &str)] = &[
    ("math.absf", "spirv.CL.fabs"),
    ("math.absi", "spirv.CL.s_abs"),
    ("math.acos", "spirv.CL.acos"),
    ("math.acosh", "spirv.CL.acosh"),
    ("math.asin", "spirv.CL.asin"),
    ("math.asinh", "spirv.CL.asinh"),
    ("math.atan", "spirv.CL.atan"),
    ("math.atan2", "spirv.CL.atan2"),
    ("math.atanh", "spirv.CL.atanh"),
    ("math.ceil", "spirv.CL.ceil"),
    ("math.cos", "spirv.CL.cos"),
    ("math.cosh", "spirv.CL.cosh"),
    ("math.erf", "spirv.CL.erf"),
    ("math.exp", "spirv.CL.exp"),
    ("math.floor", "spirv.CL.floor"),
    ("math.fma", "spirv.CL.fma"),
    ("math.log", "spirv.CL.log"),
    ("math.powf", "spirv.CL.pow"),
    ("math.round", "spirv.CL.round"),
    ("math.roundeven", "spirv.CL.rint"),
    ("math.rsqrt", "spirv.CL.rsqrt"),
    ("math.sin", "spirv.CL.sin"),
    ("math.sinh", "spirv.CL.sinh"),
    ("math.sqrt", "spirv.CL.sqrt"),
    ("math.tan", "spirv.CL.tan"),
    ("math.tanh", "spirv.CL.tanh"),
];

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    let set = renamed(computed::for_all(set), RENAMED);
    let set = renamed(computed::for_shaders(set), SHADERS);
    renamed(computed::for_kernels(set), KERNELS)
}

fn renamed(set: SpirvPatterns, names: &[(&'static str, &'static str)]) -> SpirvPatterns {
    names.iter().fold(set, |set, &(from, to)| {
        set.with(from, 1, move |_, rw, op, operands| {
            check_types(rw, op)?;
            elementwise(rw, op, operands, to).map(drop)
        })
    })
}

/// No match where an operand or result is something else than a number or a vector of one dimension.
fn check_types(rw: &Rw<'_, '_>, op: OpId) -> Outcome {
    let (context, body) = (rw.context(), rw.body());
    for value in body.operands(op).iter().copied().chain(body.results(op)) {
        if !is_source(context, rw.ty(value)?) {
            return Err(NoMatch::Reason("no number, and no vector of one dimension"));
        }
    }
    Ok(())
}

fn is_source(context: &Context, ty: Type) -> bool {
    match &context[ty] {
        TypeData::Integer { .. } | TypeData::Index | TypeData::Float(_) => true,
        TypeData::Vector { shape, scalable, .. } => shape.len() <= 1 && !scalable.contains(&true),
        _ => false,
    }
}
