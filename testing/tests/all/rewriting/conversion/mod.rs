//! Dialect conversion: the driver alone, and what comes of a few patterns beside what comes of MLIR's own.

mod against_mlir_opt;
mod order;
mod threads;
mod toy;

use std::sync::Arc;

use mlirbc_ir::{AttributeData, Context, Module, OpId, Result, TypeData};
use mlirbc_rewrite::conversion::{
    Adaptor, Conversion, ConversionPattern, ConversionRewriter, Converted, TypeConverter,
};
use mlirbc_rewrite::{Outcome, Pass, Target};
use mlirbc_text::{ParseOptions, parse_module};

/// A conversion as a pass.
struct Convert(Conversion);

impl Pass for Convert {
    fn name(&self) -> &str {
        "convert"
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let place = target.place();
        self.0.run(target.module(), place)
    }
}

/// The module of this text, and what a conversion of all of it gives.
fn converted(context: &Context, text: &str, conversion: &Conversion) -> (Module, Result<()>) {
    let options = ParseOptions::new().implicit_module(true);
    let mut module = parse_module(context, text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"));
    let place = module.operations().expect("operations").next().map(|op| (op.body_id(), op.id())).expect("a module");
    let done = conversion.run(&mut module, place);
    (module, done)
}

/// Integers of less than 32 bits but one become such of 32, and functions what their types do; those of more cannot.
fn widened() -> Arc<TypeConverter> {
    Arc::new(TypeConverter::new().rule(|types, ty| match &types.context()[ty] {
        TypeData::Integer { width: 1 | 32, .. } => Converted::Type(ty),
        TypeData::Integer { width: 33.., .. } => Converted::Cannot,
        TypeData::Integer { .. } => Converted::Type(types.context().integer_type(32)),
        _ => Converted::NotMine,
    }))
}

/// The operation becomes one of another name, with the same attributes where `keep` says so.
fn renamed(name: &'static str, to: &'static str, keep: bool) -> ConversionPattern {
    ConversionPattern::of(name, move |rw, op, operands| {
        let types = rw.converted_results(op)?;
        let successors = rw.body().successors(op).to_vec();
        let attributes = match rw.op(op).properties()? {
            Some(properties) if keep => rw.context().entries(properties)?.to_vec(),
            _ => Vec::new(),
        };
        let made = rw
            .build(to)
            .operands(operands.all()?)
            .result_types(types)
            .attributes(attributes)
            .successors(successors)
            .create()?;
        Ok(rw.replace_with(op, made)?)
    })
}

/// A constant of a converted type.
fn constant(rw: &mut ConversionRewriter<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let types = rw.converted_results(op)?;
    let value =
        rw.op(op).attribute("value")?.and_then(|value| context.integer_of(value)).and_then(|value| value.to_i64());
    let Some(value) = value else { return Err(mlirbc_rewrite::NoMatch::Reason("no integer")) };
    let value = context.integer(32, value);
    let made = rw.build("spirv.Constant").attribute("value", value).result_types(types).create()?;
    Ok(rw.replace_with(op, made)?)
}

/// A function of converted types, named as the old one.
fn function(rw: &mut ConversionRewriter<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.op(op).attribute("function_type")?;
    let Some(AttributeData::Type(ty)) = ty.map(|ty| &context[ty]) else {
        return Err(mlirbc_rewrite::NoMatch::Reason("no type"));
    };
    let TypeData::Function { inputs, results } = &context[*ty] else {
        return Err(mlirbc_rewrite::NoMatch::Reason("no type of functions"));
    };
    let no = || mlirbc_rewrite::NoMatch::Reason("a type cannot be converted");
    let types = rw.types().expect("a converter").clone();
    let signature = types.convert_signature(context, inputs).ok_or_else(no)?;
    let results = types.convert_all(context, results.iter().copied()).ok_or_else(no)?;
    if results.len() > 1 {
        return Err(no());
    }
    let ty = context.ty(TypeData::Function { inputs: signature.types().into(), results: results.into() });
    let ty = context.attribute(AttributeData::Type(ty));
    let name = rw.op(op).attribute("sym_name")?.expect("a name");
    let control = mlirbc_ir::text::parse_attribute(context, b"#spirv.function_control<None>").expect("an attribute");
    let visibility = rw.op(op).attribute("sym_visibility")?;
    let visibility = visibility.map(|visibility| (context.identifier("sym_visibility"), visibility));
    let made = rw
        .build("spirv.func")
        .attributes(visibility)
        .attribute("sym_name", name)
        .attribute("function_type", ty)
        .attribute("function_control", control)
        .regions(1)
        .create()?;
    rw.move_body(op, made)?;
    rw.convert_body_types(made, Some(signature))?;
    Ok(rw.replace(op, [])?)
}
