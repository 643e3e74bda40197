//! Of operations that hand values to something outside, or on as they are.

use mlirbc_ir::verify::Checker;
use mlirbc_ir::{Attribute, AttributeData, OpRef, Parameter, Result, Type, TypeData};

use super::collectives::source_target_pairs;
use super::shaped::{First, Shaped, all_fit, are_dimensions, first_block, must};
use crate::stablehlo::{ChannelHandle, OutputOperandAlias};

/// The number of the API whose configuration is a dictionary.
const TYPED_FFI: i64 = 4;

pub(super) fn custom_call(op: &Shaped<'_>) -> Result<()> {
    let (of_operands, of_results) = (op.op.array("operand_layouts")?, op.op.array("result_layouts")?);
    must(
        of_operands.is_some() == of_results.is_some(),
        "it has layouts of its operands or of its results, and not of both",
    )?;
    if let (Some(of_operands), Some(of_results)) = (of_operands, of_results) {
        fit_layouts(op, &op.operands, of_operands)?;
        let results = match &*op.results {
            &[only] => match &op.context[only] {
                TypeData::Tuple(members) => members,
                _ => &op.results[..],
            },
            all => all,
        };
        fit_layouts(op, results, of_results)?;
    }
    let aliases = op.op.array("output_operand_aliases")?;
    for &alias in aliases.unwrap_or_default() {
        let Some(alias) = OutputOperandAlias::of(op.context, alias) else { continue };
        fits_alias(op, &alias)?;
    }
    let Some(config) = op.op.attribute("backend_config")? else { return Ok(()) };
    let is_typed = op.number("api_version")? == Some(TYPED_FFI);
    let is_right = match op.context[config] {
        AttributeData::Dictionary(_) => is_typed,
        AttributeData::String { .. } => !is_typed,
        _ => true,
    };
    must(is_right, "its `backend_config` is not what its `api_version` takes")
}

/// Layouts say in which order the dimensions of tensors are.
fn fit_layouts(op: &Shaped<'_>, types: &[Type], layouts: &[Attribute]) -> Result<()> {
    must(types.len() == layouts.len(), "it has another number of layouts than of what they are of")?;
    for (&ty, &layout) in types.iter().zip(layouts) {
        let Some(layout) = mlirbc_text::dense_integers(op.context, layout) else { continue };
        match &op.context[ty] {
            TypeData::Tuple(_) => return must(false, "a tuple has a layout"),
            TypeData::RankedTensor { shape, .. } => must(
                layout.len() == shape.len() && are_dimensions(&layout, shape.len()),
                "a layout is no order of the dimensions of its tensor",
            )?,
            TypeData::Dialect(_) | TypeData::Text { .. } => must(layout.is_empty(), "what is no tensor has a layout")?,
            _ => {}
        }
    }
    Ok(())
}

/// What an operand and a result have in common is of one type.
fn fits_alias(op: &Shaped<'_>, alias: &OutputOperandAlias) -> Result<()> {
    let operand = usize::try_from(alias.operand_index).ok().and_then(|at| op.operands.get(at));
    let Some(&operand) = operand else { return must(false, "an alias is of an operand that there is not") };
    let output = match &*op.results {
        &[only] => only,
        all => op.context.ty(TypeData::Tuple(all.into())),
    };
    let inside = |ty: Type, path: &[i64]| {
        path.iter().try_fold(ty, |ty, &at| match &op.context[ty] {
            TypeData::Tuple(members) => usize::try_from(at).ok().and_then(|at| members.get(at)).copied(),
            _ => None,
        })
    };
    let parts = (inside(operand, &alias.operand_tuple_indices), inside(output, &alias.output_tuple_indices));
    let (Some(operand), Some(output)) = parts else { return must(false, "an alias is of what a tuple does not have") };
    must(operand == output, "an alias is of different types")
}

pub(super) fn optimization_barrier(op: &Shaped<'_>) -> Result<()> {
    must(op.operands == op.results, "its results are of other types than its operands")
}

/// What is started takes the operands, and is all that the region has beside its end.
pub(super) fn async_start(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    let shaped = Shaped::of(op)?;
    let Some(&region) = op.region_tree()?.2.first() else { return Ok(()) };
    let Some(First { arguments, .. }) = first_block(op, region)? else { return Ok(()) };
    must(arguments == shaped.operands, "its region takes other types than its operands")
}

/// The results are what is to come.
pub(super) fn async_done(op: &Shaped<'_>) -> Result<()> {
    let Some(&future) = op.operands.first() else { return Ok(()) };
    let Some([Parameter::List(types)]) = op.context.type_parameters(future, "stablehlo", "future") else {
        return Ok(());
    };
    let fits = |(ty, &result): (&Parameter, &Type)| !matches!(ty, Parameter::Type(ty) if !op.fits(*ty, result));
    let is_so = types.len() == op.results.len() && types.iter().zip(&op.results).all(fits);
    must(is_so, "its results are of other types than what is to come")
}

pub(super) fn tuple(op: &Shaped<'_>) -> Result<()> {
    let Some(&result) = op.results.first() else { return Ok(()) };
    let TypeData::Tuple(members) = &op.context[result] else { return Ok(()) };
    must(all_fit(op, &op.operands, members), "its result has other members than its operands")
}

/// Whether a type is `!stablehlo.token`.
fn is_token(op: &Shaped<'_>, ty: Type) -> bool {
    op.context.type_parameters(ty, "stablehlo", "token").is_some()
}

/// The results are tensors, and a token behind them.
fn gives_a_token(op: &Shaped<'_>) -> Result<()> {
    let Some((&last, others)) = op.results.split_last() else { return must(false, "it gives no token") };
    must(is_token(op, last), "its last result is no token")?;
    must(
        others.iter().all(|&ty| op.context[ty].element().is_some()),
        "a result is neither a tensor nor the token behind all",
    )
}

pub(super) fn infeed(op: &Shaped<'_>) -> Result<()> {
    gives_a_token(op)?;
    let Some(layouts) = op.op.array("layout")? else { return Ok(()) };
    must(layouts.len() + 1 == op.results.len(), "it has another number of layouts than of tensors")?;
    let is_layout = |&layout: &Attribute| {
        let numbers = op.list(layout);
        numbers.is_some_and(|numbers| numbers.iter().all(|&number| op.context.integer_of(number).is_some()))
    };
    must(layouts.iter().all(is_layout), "a layout is no array of numbers")
}

/// Which kinds of channels there are.
const BETWEEN_DEVICES: i64 = 1;
const TO_THE_HOST: i64 = 2;
const FROM_THE_HOST: i64 = 3;

/// The channel is of that kind where the host takes part, and between devices elsewhere.
fn goes_through(op: &Shaped<'_>, with_host: i64) -> Result<()> {
    source_target_pairs(op)?;
    let handle = op.op.attribute("channel_handle")?;
    let Some(handle) = handle.and_then(|handle| ChannelHandle::of(op.context, handle)) else { return Ok(()) };
    let expected = if op.flag("is_host_transfer")? { with_host } else { BETWEEN_DEVICES };
    must(handle.channel_type == expected, "its channel is of another kind than what it transfers")
}

pub(super) fn send(op: &Shaped<'_>) -> Result<()> {
    goes_through(op, TO_THE_HOST)
}

pub(super) fn recv(op: &Shaped<'_>) -> Result<()> {
    goes_through(op, FROM_THE_HOST)?;
    gives_a_token(op)
}
