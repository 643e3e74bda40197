//! `convert-cf-to-llvm` (`mlir/lib/Conversion/ControlFlowToLLVM`): branches and assertions of the dialect `cf`.
//!
//! An assertion that does not hold prints its text and ends the program.

use mlirbc_dialects::llvm::ArrayType;
use mlirbc_dialects::llvm::GEPNoWrapFlags;
use mlirbc_ir::{AttributeData, BlockId, OpId, Type, TypeData, Value};
use mlirbc_rewrite::conversion::Adaptor;
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};

use crate::common::{Look, Rw, reference};
use crate::to_llvm::declarations::{Declared, Kind, TEXT, pointer, void};
use crate::to_llvm::emit::{Emit, Index};
use crate::to_llvm::pass::ToLlvm;
use crate::to_llvm::patterns::To;
use crate::to_llvm::{INDEX_BITS, LlvmOptions, LlvmPatterns, index_bits};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-cf-to-llvm",
    about: "convert the dialect cf to the dialect llvm",
    options: &[INDEX_BITS],
    make: MakePass::With(|options| {
        Ok(Box::new(ToLlvm {
            name: INFO.name,
            of_module: false,
            index_bits: index_bits(options)?,
            options: LlvmOptions::default(),
            patterns,
            legal: |target| target.illegal_dialects(["cf"]).dynamic_others(|_| Some(true)),
        }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: LlvmPatterns) -> LlvmPatterns {
    set.on("cf.br", branch).on("cf.cond_br", branch_conditional).on("cf.switch", switch).on("cf.assert", assertion)
}

/// A block that takes values of these types, if it does when its arguments are converted.
fn converted_block(to: &To, rw: &mut Rw<'_, '_>, block: BlockId, values: &[Value]) -> Result<BlockId, NoMatch> {
    let types = |rw: &Rw<'_, '_>, values: &[Value]| {
        values.iter().map(|&value| rw.ty(value)).collect::<mlirbc_ir::Result<Vec<Type>>>()
    };
    let (given, own) = (types(rw, values)?, types(rw, rw.body().arguments(block))?);
    if given == own {
        return Ok(block);
    }
    let signature = to.types.types().convert_signature(rw.context(), &own);
    let signature = signature.ok_or(NoMatch::Reason("could not compute block signature"))?;
    if signature.types() != given {
        return Err(NoMatch::Reason("mismatch between adaptor operand types and computed block signature"));
    }
    Ok(rw.convert_signature(block, &signature)?)
}

fn branch(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let values = operands.flat();
    let &[block] = rw.body().successors(op) else { return Err(NoMatch::Reason("a branch to several blocks")) };
    let block = converted_block(to, rw, block, &values)?;
    let attributes = rw.all_attributes(op)?;
    rw.build("llvm.br").operands(values).successors([block]).attributes(attributes).create()?;
    Ok(rw.replace(op, [])?)
}

/// What stands for each group of an operation's operands.
fn groups(rw: &Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Result<Vec<Vec<Value>>, NoMatch> {
    let groups = rw.op(op).operand_ranges()?.into_iter();
    Ok(groups.map(|group| group.flat_map(|number| operands.many(number).iter().copied()).collect()).collect())
}

fn branch_conditional(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let wrong = NoMatch::Reason("a branch of other operands");
    let [condition, then, or] = &*groups(rw, op, operands)? else { return Err(wrong) };
    let ([_], [_, _]) = (&**condition, rw.body().successors(op)) else { return Err(wrong) };
    // Each takes the place of the block that the branch goes on to.
    for (number, values) in [then, or].into_iter().enumerate() {
        let block = rw.body().successors(op)[number];
        converted_block(to, rw, block, values)?;
    }
    let successors = rw.body().successors(op).to_vec();
    let mut attributes = rw.op(op).attributes()?.to_vec();
    attributes.extend(rw.op(op).attribute("branch_weights")?.map(|weights| rw.named("branch_weights", weights)));
    let made = rw.build("llvm.cond_br").operand_groups([&**condition, then, or]).successors(successors);
    made.attributes(attributes).create()?;
    Ok(rw.replace(op, [])?)
}

fn switch(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let wrong = NoMatch::Reason("a switch of other operands");
    let context = rw.context();
    let all = groups(rw, op, operands)?;
    let [flag, otherwise, cases] = &*all else { return Err(wrong) };
    let counts = rw.op(op).attribute("case_operand_segments")?;
    let counts: Vec<usize> = match counts.map(|counts| &context[counts]) {
        Some(AttributeData::DenseArray { data, .. }) => {
            data.as_chunks::<4>().0.iter().map(|count| i32::from_le_bytes(*count).max(0) as usize).collect()
        }
        _ => Vec::new(),
    };
    let mut values = vec![&**otherwise];
    let mut left = &**cases;
    for count in &counts {
        let (own, rest) = left.split_at_checked(*count).ok_or(NoMatch::Reason("a switch of other operands"))?;
        values.push(own);
        left = rest;
    }
    if rw.body().successors(op).len() != values.len() {
        return Err(NoMatch::Reason("a switch of other cases"));
    }
    for (number, values) in values.iter().enumerate() {
        let block = rw.body().successors(op)[number];
        converted_block(to, rw, block, values)?;
    }
    let successors = rw.body().successors(op).to_vec();
    let named = ["case_values", "case_operand_segments"];
    let mut attributes = Vec::new();
    for name in named {
        attributes.extend(rw.op(op).attribute(name)?.map(|value| rw.named(name, value)));
    }
    if counts.is_empty() {
        attributes.retain(|(name, _)| context.bytes(*name) != b"case_operand_segments");
        attributes.push(rw.named("case_operand_segments", crate::common::dense_array(context, 32, [])));
    }
    let made = rw.build("llvm.switch").operand_groups([&**flag, otherwise, cases]).successors(successors);
    made.attributes(attributes).create()?;
    Ok(rw.replace(op, [])?)
}

fn assertion(to: &To, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let condition = operands.get(0)?;
    let missing = NoMatch::Reason("an assertion without a text");
    let text = rw.attribute(op, "msg")?;
    let AttributeData::String { value, .. } = &context[text] else { return Err(missing) };
    let mut bytes = value.to_vec();
    bytes.push(0);
    let detached = NoMatch::Reason("an assertion in no block");
    let block = rw.body().block_of(op).ok_or(detached)?;
    let region = rw.body().region_of(block).ok_or(NoMatch::Reason("an assertion in no region"))?;
    let rest = rw.split_block(op)?;
    let failed = rw.create_block(region, None, [])?;
    rw.set_insertion_point_to_end(failed)?;
    // The text, under a name that it gets when all is converted.
    let i8 = context.integer_type(8);
    let array: Type = ArrayType::new(context, i8, bytes.len() as u64)?.into();
    let shape = Box::new([bytes.len() as i64]);
    let ty = context.ty(TypeData::RankedTensor { shape, element: i8, encoding: None });
    let bytes = context.numbers(
        ty,
        &bytes.iter().map(|&byte| mlirbc_ir::number::ApInt::from_u64(8, byte.into())).collect::<Vec<_>>(),
    )?;
    let name = context.identifier(TEXT);
    let at = rw.body().location(op);
    to.declarations
        .want(rw.body_id(), Declared { name, kind: Kind::Text(bytes, array), in_module: true, at: Some(at) });
    let global = rw.named("global_name", reference(context, name));
    let address = rw.emit_with("llvm.mlir.addressof", &[], pointer(context), vec![global])?;
    let text = rw.element_pointer((address, array), &[Index::Known(0)], GEPNoWrapFlags::NONE, pointer(context))?;
    let puts = to.declarations.function(rw, "puts", (&[pointer(context)], void(context)), true)?;
    rw.call(puts, &[text], None)?;
    let abort = to.declarations.function(rw, "abort", (&[], void(context)), true)?;
    rw.call(abort, &[], None)?;
    rw.emit_nothing("llvm.unreachable", &[], Vec::new())?;
    rw.set_insertion_point_to_end(block)?;
    rw.branch_if(condition, (rest, &[]), (failed, &[]))?;
    Ok(rw.replace(op, [])?)
}
