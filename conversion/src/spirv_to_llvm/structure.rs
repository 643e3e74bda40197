//! Modules and what is said of them, and structured control flow.

use std::sync::Arc;

use mlirbc_dialects::llvm::{ArrayType, Linkage, StructType, linkage};
use mlirbc_ir::{Attribute, AttributeData, BlockId, OpId, RegionId, Type, Value};
use mlirbc_rewrite::conversion::{Adaptor, ConversionPattern};
use mlirbc_rewrite::{Match, NoMatch, Outcome};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant_of;

use super::Set;
use super::emit::{Look, Rw, dense_array, integers, symbol};
use super::state::State;

pub(super) fn add_to(set: Set, state: &Arc<State>) -> Set {
    let state = state.clone();
    let mode = move |rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor| execution_mode(rw, op, &state);
    let mode = || ConversionPattern::of("mode", mode.clone());
    set.on("spirv.module", module)
        .on("spirv.EntryPoint", erased)
        .pattern("spirv.ExecutionMode", mode())
        .pattern("spirv.ExecutionModeId", mode())
        .on("spirv.mlir.merge", erased)
        .on("spirv.mlir.yield", erased)
        .on("spirv.SpecConstantOperation", worked_out)
        .on("spirv.Branch", branch)
        .on("spirv.BranchConditional", branch_conditional)
        .on("spirv.Switch", switch)
        .on("spirv.Unreachable", unreachable)
        .on("spirv.mlir.selection", selection)
        .on("spirv.mlir.loop", repeated)
}

fn erased(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    Ok(rw.erase(op)?)
}

/// A module of which nothing but the name is kept.
fn module(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let context = rw.context();
    let name = rw.op(op).attribute("sym_name")?.map(|name| (context.static_identifier("sym_name"), name));
    let made = rw.build("builtin.module").attributes(name).regions(1).create()?;
    rw.move_body(op, made)?;
    Ok(rw.replace(op, [])?)
}

/// The mode that says which liberties arithmetic on a type may take.
const FP_FAST_MATH_DEFAULT: u32 = 6028;

/// The operands of a mode, as numbers of 32 bits: those that are constants are known by now.
fn operands_of_mode(rw: &Rw<'_, '_>, op: OpId, state: &State) -> Result<Vec<Attribute>, NoMatch> {
    let context = rw.context();
    let AttributeData::Array(values) = &context[rw.attribute(op, "values")?] else {
        return Err(NoMatch::Reason("the operands of a mode are no array"));
    };
    if !rw.op(op).is("spirv.ExecutionModeId") {
        return Ok(values.to_vec());
    }
    let unknown = NoMatch::Reason("what an operand of a mode is worth cannot be worked out");
    let word = |&value: &Attribute| {
        let number = state.known(rw.op(op), value)?.number(context)?;
        let bits = number.to_i64().or_else(|| number.to_u64().map(|bits| bits as i64))?;
        let word = u32::try_from(bits).map(|bits| bits as i32).or(i32::try_from(bits)).ok()?;
        Some(context.integer(32, word.into()))
    };
    values.iter().map(word).collect::<Option<_>>().ok_or(unknown)
}

/// A constant of how a function is executed: the number of the mode, and its operands. These are a part of the name where the function has
/// the mode already, which MLIR refuses.
fn execution_mode(rw: &mut Rw<'_, '_>, op: OpId, state: &State) -> Outcome {
    let context = rw.context();
    let mode = enumerant_of(context, rw.attribute(op, "execution_mode")?, EnumKind::ExecutionMode);
    let mode = mode.ok_or(NoMatch::Reason("the mode is no case of its enum"))?;
    if mode == FP_FAST_MATH_DEFAULT {
        // None is taken here.
        return Ok(rw.erase(op)?);
    }
    let function = state.new_name(rw.body_id(), symbol(context, rw.attribute(op, "fn")?)?);
    let values = operands_of_mode(rw, op, state)?;
    let holder = rw.module().owner(rw.body_id());
    let holder = holder.map(|(body, op)| rw.module().operation(body, op)).transpose()?;
    let mut name = b"__spv_".to_vec();
    if let Some(of) = holder.map(|holder| holder.symbol_name()).transpose()?.flatten() {
        name.extend([b"_", context.bytes(of)].concat());
    }
    let end = format!("_execution_mode_info_{mode}");
    name.extend([b"_", context.bytes(function), end.as_bytes()].concat());
    let word = context.integer_type(32);
    let mut members = vec![word];
    if !values.is_empty() {
        members.push(ArrayType::new(context, word, values.len() as u64)?.into());
    }
    let ty: Type = StructType::literal(context, &members, false)?.into();
    let block = rw.body().block_of(op).ok_or(NoMatch::Reason("a mode stands nowhere"))?;
    if !state.declare(rw, block, context.identifier(&name))? {
        for &value in &values {
            let value = context.integer_of(value).and_then(|value| value.to_i64());
            name.extend(format!("_{}", value.ok_or(NoMatch::Reason("an operand of a mode is no number"))?).bytes());
        }
        if !state.declare(rw, block, context.identifier(&name))? {
            return Ok(rw.erase(op)?);
        }
    }
    rw.set_insertion_point_to_start(block)?;
    let global = rw
        .build("llvm.mlir.global")
        .attribute("global_type", context.attribute(AttributeData::Type(ty)))
        .attribute("constant", context.unit())
        .attribute("linkage", linkage(context, Linkage::External))
        .attribute("sym_name", context.string(name))
        .attribute("addr_space", context.integer(32, 0))
        .attribute("visibility_", context.integer(64, 0))
        .regions(1)
        .create()?;
    rw.inside(global, |rw| {
        let region = rw.body().top_regions()[0];
        let block = rw.create_block::<Type>(region, None, [])?;
        rw.set_insertion_point_to_end(block)?;
        let first = (context.integer(32, i64::from(mode as i32)), dense_array(context, 64, [0]));
        let others = values.iter().zip(0..).map(|(&value, at)| (value, dense_array(context, 64, [1, at])));
        let poison = rw.build("llvm.mlir.poison").result_type(ty).create()?;
        let mut made = rw.result(poison, 0)?;
        for (value, position) in std::iter::once(first).chain(others) {
            let constant = rw.build("llvm.mlir.constant").attribute("value", value).result_type(word).create()?;
            let constant = rw.result(constant, 0)?;
            let insert = rw.build("llvm.insertvalue").operands([made, constant]).attribute("position", position);
            let insert = insert.result_type(ty).create()?;
            made = rw.result(insert, 0)?;
        }
        rw.build("llvm.return").operands([made]).create()?;
        Ok(())
    })?;
    Ok(rw.erase(op)?)
}

/// An operation on specialisation constants, which are known by now: it stands for itself.
fn worked_out(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (_, blocks) = blocks(rw, op)?;
    let wrong = || NoMatch::Reason("an operation on constants is not what it should be");
    let (&[block], Some(around)) = (&*blocks, rw.body().block_of(op)) else { return Err(wrong()) };
    let end = rw.body().last_operation(block).filter(|&end| rw.op(end).is("spirv.mlir.yield")).ok_or_else(wrong)?;
    let &[value] = rw.body().operands(end) else { return Err(wrong()) };
    rw.inline_block(block, around, Some(op), &[])?;
    rw.erase(end)?;
    Ok(rw.replace(op, [value])?)
}

fn branch(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let successors = rw.body().successors(op).to_vec();
    let made = rw.build("llvm.br").operands(operands.all()?).successors(successors).create()?;
    Ok(rw.replace_with(op, made)?)
}

/// The operands of a conditional branch: the condition, and what goes to each of both blocks.
fn groups<'v>(rw: &Rw<'_, '_>, op: OpId, operands: &'v [Value]) -> Result<[&'v [Value]; 3], NoMatch> {
    let ranges = rw.op(op).operand_ranges()?;
    let wrong = NoMatch::Reason("a conditional branch has other operands");
    let groups: Option<Vec<&[Value]>> = ranges.into_iter().map(|range| operands.get(range)).collect();
    groups.and_then(|groups| groups.try_into().ok()).ok_or(wrong)
}

fn branch_conditional(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let weights = match rw.op(op).attribute("branch_weights")? {
        None => None,
        Some(weights) => {
            let weights = integers(context, weights)?;
            Some((context.static_identifier("branch_weights"), dense_array(context, 32, weights)))
        }
    };
    let successors = rw.body().successors(op).to_vec();
    let operands = operands.all()?;
    let groups = groups(rw, op, &operands)?;
    let build = rw.build("llvm.cond_br").operand_groups(groups).successors(successors);
    let made = build.attributes(weights).create()?;
    Ok(rw.replace_with(op, made)?)
}

/// A branch to one of several blocks. One without cases has nothing to choose, and mlir-translate crashes on it where it has arguments.
fn switch(rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let selector = operands.get(0)?;
    let successors = rw.body().successors(op).to_vec();
    let rest = operands.all()?;
    let others = rest.get(1..).unwrap_or_default().iter().copied();
    if successors.len() == 1 {
        let made = rw.build("llvm.br").operands(others).successors(successors).create()?;
        return Ok(rw.replace_with(op, made)?);
    }
    let mut attributes = Vec::new();
    for (from, to) in
        [("case_operand_segments", "case_operand_segments"), ("operandSegmentSizes", "operandSegmentSizes")]
    {
        attributes.push((context.static_identifier(to), rw.attribute(op, from)?));
    }
    if let Some(literals) = rw.op(op).attribute("literals")? {
        // Numbers of the selector's type, without a sign.
        let AttributeData::DenseElements { ty, data } = context[literals].clone() else {
            return rw.no_match("the cases of a branch are no numbers");
        };
        let ty = rw.convert_type(ty)?;
        let literals = context.attribute(AttributeData::DenseElements { ty, data });
        attributes.push((context.static_identifier("case_values"), literals));
    }
    let build = rw.build("llvm.switch").operands(std::iter::once(selector).chain(others)).successors(successors);
    let made = build.attributes(attributes).create()?;
    Ok(rw.replace_with(op, made)?)
}

/// What is not to be reached.
fn unreachable(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let made = rw.build("llvm.unreachable").create()?;
    Ok(rw.replace_with(op, made)?)
}

/// The blocks of a structured operation's region.
fn blocks(rw: &Rw<'_, '_>, op: OpId) -> Result<(RegionId, Vec<BlockId>), NoMatch> {
    let region = rw.region(op, 0)?;
    Ok((region, rw.body().blocks(region).collect()))
}

/// The only operation of a block.
fn only_op(rw: &Rw<'_, '_>, block: BlockId, name: &str) -> Result<OpId, NoMatch> {
    let op = rw.body().first_operation(block).filter(|&op| rw.body().next_operation(op).is_none());
    op.filter(|&op| rw.op(op).is(name)).ok_or(NoMatch::Reason("a block is more than the branch that is expected"))
}

/// What stands for values, one each.
fn remapped(rw: &mut Rw<'_, '_>, values: &[Value]) -> Result<Vec<Value>, NoMatch> {
    let mut all = Vec::with_capacity(values.len());
    for &value in values {
        match *rw.remapped(value)? {
            [value] => all.push(value),
            _ => return Err(NoMatch::Reason("not one value stands for an operand")),
        }
    }
    Ok(all)
}

/// Ends the last block with a branch to what follows, puts all blocks before that, and the operation's results aside.
fn flattened(rw: &mut Rw<'_, '_>, op: OpId, region: RegionId, merge: BlockId, rest: BlockId) -> Outcome {
    let around = rw.body().region_of(rest).ok_or(NoMatch::Reason("a block stands nowhere"))?;
    let types = rw.converted_results(op)?;
    let mut next = rest;
    if !types.is_empty() {
        // What the operation gives comes as arguments of a block between.
        next = rw.create_block(around, Some(rest), types)?;
        rw.set_insertion_point_to_end(next)?;
        rw.build("llvm.br").successors([rest]).create()?;
    }
    let end = rw.body().last_operation(merge).ok_or(NoMatch::Reason("the last block has no end"))?;
    let given = rw.body().operands(end).to_vec();
    let given = remapped(rw, &given)?;
    rw.set_insertion_point_to_end(merge)?;
    rw.build("llvm.br").operands(given).successors([next]).create()?;
    rw.inline_region(region, around, Some(next))?;
    let results = if next == rest { Vec::new() } else { rw.body().arguments(next).to_vec() };
    Ok(rw.replace(op, results)?)
}

/// The header's branch ends the block before, without its weights, as in MLIR; where the header is more than that, all of it is put there.
/// Hints are dropped, with which MLIR does not convert a selection. One of the header and the merge block alone does nothing.
fn selection(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (region, blocks) = blocks(rw, op)?;
    if blocks.len() <= 2 && rw.body().result_count(op) == 0 {
        return Ok(rw.erase(op)?);
    }
    let [header, .., merge] = *blocks else { return rw.no_match("a selection has too few blocks") };
    if !rw.body().arguments(header).is_empty() {
        return rw.no_match("the header of a selection has arguments");
    }
    let branch = only_op(rw, header, "spirv.BranchConditional");
    let before = rw.body().block_of(op).ok_or(NoMatch::Reason("a selection stands nowhere"))?;
    let next = rw.body().next_operation(op).ok_or(NoMatch::Reason("a selection ends its block"))?;
    let rest = rw.split_block(next)?;
    match branch {
        Ok(branch) => {
            let operands = rw.body().operands(branch).to_vec();
            let operands = remapped(rw, &operands)?;
            let successors = rw.body().successors(branch).to_vec();
            rw.set_insertion_point_to_end(before)?;
            let groups = groups(rw, branch, &operands)?;
            rw.build("llvm.cond_br").operand_groups(groups).successors(successors).create()?;
            rw.erase_block(header)?;
        }
        Err(_) => rw.inline_block(header, before, None, &[])?,
    }
    flattened(rw, op, region, merge, rest)
}

/// Hints are dropped, with which MLIR does not convert a loop.
fn repeated(rw: &mut Rw<'_, '_>, op: OpId, _: &Adaptor) -> Outcome {
    let (region, blocks) = blocks(rw, op)?;
    let (&entry, &merge) = match (blocks.first(), blocks.last()) {
        (Some(first), Some(last)) if blocks.len() > 2 => (first, last),
        (None, _) => return Ok(rw.erase(op)?),
        _ => return rw.no_match("a loop has too few blocks"),
    };
    let branch = only_op(rw, entry, "spirv.Branch")?;
    let before = rw.body().block_of(op).ok_or(NoMatch::Reason("a loop stands nowhere"))?;
    let rest = rw.split_block(op)?;
    let operands = rw.body().operands(branch).to_vec();
    let operands = remapped(rw, &operands)?;
    let successors = rw.body().successors(branch).to_vec();
    rw.set_insertion_point_to_end(before)?;
    rw.build("llvm.br").operands(operands).successors(successors).create()?;
    rw.erase_block(entry)?;
    flattened(rw, op, region, merge, rest)
}
