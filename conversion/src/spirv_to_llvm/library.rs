//! Functions that LLVM has no intrinsic of, as calls of the C library: element by element, floats of 16 bits as such of 32.

use mlirbc_ir::number::FloatKind;
use mlirbc_ir::{Context, OpId, Type, TypeData, Value};
use mlirbc_rewrite::NoMatch;
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};

use super::Set;
use super::calls::{Callee, Find};
use super::emit::{Emit, Look, Rw, element};
use super::math::Math;

/// Operations, with the name of the function for `f64`; that for `f32` has an `f` behind it.
pub(super) type Functions = &'static [(&'static str, &'static str)];

pub(super) const GLSL: Functions =
    &[("spirv.GL.Acosh", "acosh"), ("spirv.GL.Asinh", "asinh"), ("spirv.GL.Atanh", "atanh")];

pub(super) const OPENCL: Functions = &[
    ("spirv.CL.acosh", "acosh"),
    ("spirv.CL.asinh", "asinh"),
    ("spirv.CL.atanh", "atanh"),
    ("spirv.CL.cbrt", "cbrt"),
    ("spirv.CL.erf", "erf"),
    ("spirv.CL.erfc", "erfc"),
    ("spirv.CL.expm1", "expm1"),
    ("spirv.CL.fdim", "fdim"),
    ("spirv.CL.hypot", "hypot"),
    ("spirv.CL.lgamma", "lgamma"),
    ("spirv.CL.log1p", "log1p"),
    ("spirv.CL.logb", "logb"),
    ("spirv.CL.remainder", "remainder"),
    ("spirv.CL.tgamma", "tgamma"),
];

/// Operations that call a function and give something besides through their last operand, which is a pointer.
pub(super) const WITH_POINTER: Functions = &[("spirv.CL.lgamma_r", "lgamma"), ("spirv.CL.remquo", "remainder")];

/// The functions that operations call, which take all of their operands but so many of the last.
pub(super) fn callees_of(functions: Functions, others: usize) -> impl Iterator<Item = (String, Find)> {
    functions.iter().map(move |&(from, function)| {
        let find: Find = Box::new(move |rw, op| {
            let result = op.results().next().ok_or(NoMatch::Reason("there is no result"))?;
            let ty = element(rw.context(), rw.convert_type(op.type_of(result)?)?);
            callee(rw.context(), function, ty, op.operands().len().saturating_sub(others)).map(Some)
        });
        (from.to_owned(), find)
    })
}

pub(super) fn add_to(mut set: Set, functions: Functions) -> Set {
    for &(from, function) in functions {
        let convert = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| {
            let ty = rw.converted_result(op)?;
            let made = rw.by_element(ty, &operands.all()?, |rw, given| call(rw, function, given))?;
            Ok(rw.replace(op, [made])?)
        };
        set = set.pattern(from, ConversionPattern::of("called", convert));
    }
    set
}

/// The function for a type of floats.
fn callee(context: &Context, function: &str, ty: Type, operands: usize) -> Result<Callee, NoMatch> {
    let (name, of) = match context[ty] {
        TypeData::Float(FloatKind::F64) => (function.to_owned(), ty),
        TypeData::Float(FloatKind::F32 | FloatKind::F16) => {
            (format!("{function}f"), context.ty(TypeData::Float(FloatKind::F32)))
        }
        _ => return Err(NoMatch::Reason("there is no function for this type")),
    };
    Ok(Callee::of_library(context, &name, vec![of; operands], of))
}

/// Calls it on floats.
pub(super) fn call(rw: &mut Rw<'_, '_>, function: &str, given: &[Value]) -> Result<Value, NoMatch> {
    let context = rw.context();
    let ty = rw.ty(*given.first().ok_or(NoMatch::Reason("there is no operand"))?)?;
    let callee = callee(context, function, ty, given.len())?;
    let wide = callee.result.filter(|&wide| wide != ty);
    let arguments: Result<Vec<Value>, NoMatch> = given
        .iter()
        .map(|&value| match wide {
            None => Ok(value),
            Some(wide) => Ok(rw.emit("llvm.fpext", &[value], wide)?),
        })
        .collect();
    let made = callee.call(rw, &arguments?)?;
    let made = rw.result(made, 0)?;
    Ok(if wide.is_some() { rw.emit("llvm.fptrunc", &[made], ty)? } else { made })
}
