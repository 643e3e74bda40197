//! `convert-func-to-spirv` (`mlir/lib/Conversion/FuncToSPIRV`): functions, calls and returns of the dialect `func`.
//!
//! A function of more than one result, or of a type that cannot be converted, stays. All that is said of a function is said of what it
//! becomes.

use mlirbc_ir::{AttributeData, Error, OpId, OpRef, Type, TypeData};
use mlirbc_rewrite::conversion::{Adaptor, SignatureConversion};
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::{enumerant, enumerant_of};
use mlirbc_spirv::dialect::types::{SpirvType, view};
use rspirv::spirv::{Decoration, StorageClass};

use crate::common::{Look, Rw};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::pass::ToSpirv;
use crate::to_spirv::{EMULATE_FLOATS, EMULATE_NARROW, SpirvPatterns, SpirvTypeConverter, TypeOptions};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-func-to-spirv",
    about: "convert the dialect func to the dialect spirv",
    options: &[EMULATE_NARROW, EMULATE_FLOATS],
    make: MakePass::With(|options| {
        Ok(Box::new(ToSpirv { name: INFO.name, options: TypeOptions::of(options)?, patterns, legal: |target| target }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    set.on("func.return", returned).on("func.call", call).on("func.func", function)
}

fn returned(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let name = match operands.len() {
        0 => "spirv.Return",
        1 => "spirv.ReturnValue",
        _ => return Err(NoMatch::Reason("more than one result")),
    };
    rw.emit_nothing(name, &operands.all()?, Vec::new())?;
    Ok(rw.replace(op, [])?)
}

fn call(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let types = rw.converted_results(op)?;
    if types.len() > 1 {
        return Err(NoMatch::Reason("more than one result"));
    }
    let attributes = rw.all_attributes(op)?;
    let made = rw.build("spirv.FunctionCall").operands(operands.all()?).result_types(types);
    let made = made.attributes(attributes).create()?;
    Ok(rw.replace_with(op, made)?)
}

/// The types of a function's arguments and results.
pub(crate) fn signature(rw: &Rw<'_, '_>, op: OpId) -> Result<(Vec<Type>, Vec<Type>), NoMatch> {
    let context = rw.context();
    let ty = match context[rw.attribute(op, "function_type")?] {
        AttributeData::Type(ty) => ty,
        _ => return Err(NoMatch::Reason("a function without a type")),
    };
    match &context[ty] {
        TypeData::Function { inputs, results } => Ok((inputs.to_vec(), results.to_vec())),
        _ => Err(NoMatch::Reason("a function of another type")),
    }
}

/// Makes a `spirv.func` of a function: with the same name and all that is said of it, but for what `left_out` names, and with its body.
pub(crate) fn as_spirv_function(
    spirv: &SpirvTypeConverter,
    rw: &mut Rw<'_, '_>,
    op: OpId,
    left_out: &[&str],
) -> Result<OpId, NoMatch> {
    let (inputs, results) = signature(rw, op)?;
    if results.len() > 1 {
        return Err(NoMatch::Reason("more than one result"));
    }
    let context = rw.context();
    // A kernel may have more arguments than its type says, for memory of its own.
    let entry = rw.child_body(op)?.and_then(|body| {
        let first = body.first_block(*body.top_regions().first()?)?;
        Some(body.arguments(first).len())
    });
    let mut arguments = SignatureConversion::new(entry.unwrap_or(inputs.len()).max(inputs.len()));
    for (number, &ty) in inputs.iter().enumerate() {
        let ty = spirv.convert(context, ty).ok_or(NoMatch::Reason("the type of an argument cannot be converted"))?;
        check_physical(rw.op(op), number, ty)?;
        arguments.input(number, &[ty]);
    }
    let results: Option<Vec<Type>> = results.iter().map(|&ty| spirv.convert(context, ty)).collect();
    let results = results.ok_or(NoMatch::Reason("the type of a result cannot be converted"))?;
    let ty = context.ty(TypeData::Function { inputs: arguments.types().into(), results: results.into() });
    let attributes = rw.all_attributes(op)?.into_iter().filter(|(name, _)| {
        let name = context.bytes(*name);
        name != b"function_type" && !left_out.iter().any(|left_out| left_out.as_bytes() == name)
    });
    let made = rw.build("spirv.func").attribute("function_type", context.attribute(AttributeData::Type(ty)));
    let made = made.attribute("function_control", enumerant(context, EnumKind::FunctionControl, 0));
    let made = made.attributes(attributes).regions(1).create()?;
    rw.move_body(op, made)?;
    rw.convert_body_types(made, Some(arguments))?;
    rw.replace(op, [])?;
    Ok(made)
}

/// Refuses a pointer to physical memory that is not said to be the only one to it, or not to be.
fn check_physical(function: OpRef<'_>, number: usize, ty: Type) -> Result<(), NoMatch> {
    let context = function.module().context();
    match view(context, ty) {
        Some(SpirvType::Pointer { class, .. }) if class == StorageClass::PhysicalStorageBuffer as u32 => {}
        _ => return Ok(()),
    }
    let said = match function.attribute("arg_attrs")?.map(|said| &context[said]) {
        Some(AttributeData::Array(said)) => said.get(number).copied(),
        _ => None,
    };
    let said = said.map(|said| context.entries(said)).transpose()?.unwrap_or_default();
    let decorations = said.iter().filter_map(|said| enumerant_of(context, said.1, EnumKind::Decoration));
    let is_enough = |it| it == Decoration::Aliased as u32 || it == Decoration::Restrict as u32;
    match decorations.into_iter().any(is_enough) {
        true => Ok(()),
        false => Err(NoMatch::Error(Error::verification(format!(
            "argument {number} is a physical buffer pointer: it must be decorated either 'Aliased' or 'Restrict', {}",
            function.path()
        )))),
    }
}

fn function(spirv: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    as_spirv_function(spirv, rw, op, &[]).map(drop)
}
