//! Functions, calls and what ends them.

use std::sync::Arc;

use mlirbc_dialects::llvm::{CConv, Linkage, ModRefInfo, PointerType, linkage, memory_effects};
use mlirbc_ir::{Attribute, AttributeData, AttributeRef, Context, Identifier, OpId, OpRef, Type};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;

use super::calls::{Callee, Calls, build_call};
use super::emit::{Emit, Look, Members, Rw, reference, symbol};
use super::signatures::Converted;
use super::starts::Start;
use super::state::State;
use super::{Set, groups, library, memory, opencl};

/// Bits of `spirv.function_control`.
const INLINE: u32 = 1;
const DONT_INLINE: u32 = 2;
const PURE: u32 = 4;
const CONST: u32 = 8;

pub(super) fn add_to(set: Set, state: &Arc<State>, starts: &Arc<[Start]>) -> Set {
    let (state, starts, names, calls) = (
        state.clone(),
        starts.clone(),
        state.clone(),
        Calls::new(
            groups::callees()
                .chain(memory::callees())
                .chain(library::callees_of(library::GLSL, 0))
                .chain(opencl::callees())
                .collect(),
        ),
    );
    let function = move |rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor| {
        let body = rw.body().region_body(op);
        let at_start = body.and_then(|body| starts.iter().find_map(|start| start.callee(rw.context(), body)));
        function(rw, op, &calls, (at_start, &state))
    };
    let call = move |rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor| call(rw, op, operands, &names);
    set.pattern("spirv.func", ConversionPattern::of("function", function))
        .pattern("spirv.FunctionCall", ConversionPattern::of("call", call))
        .on("spirv.FunctionPointerCallINTEL", called_by_pointer)
        .on("spirv.Return", returned)
        .on("spirv.ReturnValue", returned)
}

fn function(rw: &mut Rw<'_, '_>, op: OpId, calls: &Calls, callees: (Option<Callee>, &State)) -> Outcome {
    let (context, state) = (rw.context(), callees.1);
    let missing = NoMatch::Reason("an attribute is missing");
    let members = Members::of(rw.op(op))?;
    let members = ["function_type", "sym_name", "function_control"].map(|name| members.get(name));
    let [Some(ty), Some(name), Some(control)] = members else { return Err(missing) };
    let converted = state.function(ty, || Converted::of(rw, ty))?;
    calls.declare(rw, op, callees)?;
    let own = context.as_identifier(name).ok_or(NoMatch::Reason("a symbol has no name"))?;
    let name = state.new_name(rw.body_id(), own);
    let control = enumerant_of(context, control, EnumKind::FunctionControl);
    let of_mlir = !state.holds_explicit(rw.body_id());
    let said = said(context, control.unwrap_or(0), of_mlir);
    let said = said.into_iter().map(|(name, value)| (context.static_identifier(name), value));
    let line = line_of(rw, op)?;
    let attributes =
        [(context.static_identifier("sym_name"), name.attribute())].into_iter().chain(converted.signature).chain(said);
    let made = rw.build("llvm.func").at(line).attributes(attributes).regions(1).create()?;
    rw.move_body(op, made)?;
    rw.convert_body_types(made, Some(converted.arguments))?;
    for &other in state.aliases(rw.body_id(), own) {
        alias(rw, made, (other, name), line)?;
    }
    Ok(rw.replace(op, [])?)
}

/// Another name for a function.
fn alias(
    rw: &mut Rw<'_, '_>,
    function: OpId,
    (other, name): (Identifier, Identifier),
    line: AttributeRef,
) -> Result<(), NoMatch> {
    let context = rw.context();
    let ty = rw.attribute(function, "function_type")?;
    let made = rw.build("llvm.mlir.alias").at(line).attribute("alias_type", ty);
    let made = made.attribute("linkage", linkage(context, Linkage::External));
    let made = made.attribute("sym_name", other.attribute()).attribute("unnamed_addr", context.integer(64, 0));
    let made = made.attribute("visibility_", context.integer(64, 0)).regions(1).create()?;
    rw.inside(made, |rw| {
        let region = rw.body().top_regions()[0];
        let block = rw.create_block::<Type>(region, None, [])?;
        rw.set_insertion_point_to_end(block)?;
        let address = rw.build("llvm.mlir.addressof").attribute("global_name", reference(context, name));
        let address = address.result_type(Type::from(PointerType::new(context, 0))).create()?;
        let address = rw.result(address, 0)?;
        rw.build("llvm.return").operands([address]).create().map(drop)
    })?;
    Ok(())
}

/// What the bits of a function's control say of it.
///
/// MLIR says nothing of several, and has words for a function without effects that LLVM's functions do not have any more: so it is in modules
/// that MLIR converts.
fn said(context: &Context, control: u32, of_mlir: bool) -> Vec<(&'static str, Attribute)> {
    let word = |word: &str| context.attribute(AttributeData::Array(Box::new([context.string(word)])));
    if of_mlir {
        return match control {
            INLINE => vec![("always_inline", context.unit())],
            DONT_INLINE => vec![("no_inline", context.unit())],
            PURE => vec![("passthrough", word("readonly"))],
            CONST => vec![("passthrough", word("readnone"))],
            _ => Vec::new(),
        };
    }
    let mut said = Vec::new();
    match control & (INLINE | DONT_INLINE) {
        INLINE => said.push(("always_inline", context.unit())),
        DONT_INLINE => said.push(("no_inline", context.unit())),
        _ => {}
    }
    let effects = match control & (PURE | CONST) {
        0 => return said,
        PURE => ModRefInfo::Ref,
        _ => ModRefInfo::NoModRef,
    };
    said.push(("memory_effects", memory_effects(context, effects)));
    said
}

/// The location of a function, or the first in it that says a line: what has none gets no lines from LLVM.
fn line_of(rw: &Rw<'_, '_>, function: OpId) -> mlirbc_ir::Result<AttributeRef> {
    let (own, unknown) = (rw.body().location(function), rw.context().unknown_location().into());
    if own != unknown {
        return Ok(own);
    }
    let Some(body) = rw.child_body(function)? else { return Ok(own) };
    let id = rw.body().region_body(function).unwrap_or(rw.body_id());
    let known = body.preorder().filter(|&op| body.location(op) != unknown);
    let mut lines = known.filter(|&op| OpRef::new(rw.module(), id, body, op).source_line().is_some());
    Ok(lines.next().map_or(own, |op| body.location(op)))
}

fn call(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor, state: &State) -> Outcome {
    let context = rw.context();
    let result = match rw.body().result_count(op) {
        0 => None,
        _ => Some(rw.converted_result(op)?),
    };
    let mut attributes = rw.all_attributes(op)?;
    let name = symbol(context, rw.attribute(op, "callee")?)?;
    let callee = reference(context, state.name_of(rw.module(), rw.body_id(), name));
    let of_callee = context.static_identifier("callee");
    attributes.iter_mut().filter(|(name, _)| *name == of_callee).for_each(|(_, value)| *value = callee);
    let made = build_call(rw, CConv::C, &operands.all()?, result, attributes)?;
    Ok(rw.replace_with(op, made)?)
}

/// The first operand leads to the function.
fn called_by_pointer(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let result = match rw.body().result_count(op) {
        0 => None,
        _ => Some(rw.converted_result(op)?),
    };
    let made = build_call(rw, CConv::C, &operands.all()?, result, Vec::new())?;
    Ok(rw.replace_with(op, made)?)
}

fn returned(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    rw.emit_nothing("llvm.return", &operands.all()?, Vec::new())?;
    Ok(rw.replace(op, [])?)
}
