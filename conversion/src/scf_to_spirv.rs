//! `convert-scf-to-spirv` (`mlir/lib/Conversion/SCFToSPIRV`): structured control flow of the dialect `scf`.
//!
//! Selections and loops of `spirv` give nothing: what those of `scf` give goes through variables, which stand before what gives it and are
//! loaded behind. The pass converts `arith`, `func` and `memref`, too.

use mlirbc_ir::{Attribute, BlockId, OpId, RegionId, Type, Value};
use mlirbc_rewrite::conversion::{Adaptor, SignatureConversion};
use mlirbc_rewrite::{MakePass, NoMatch, Outcome, PassInfo};
use mlirbc_spirv::dialect::EnumKind;
use mlirbc_spirv::dialect::attributes::enumerant;
use mlirbc_spirv::dialect::types::pointer;
use rspirv::spirv::StorageClass;

use crate::common::{Look, Rw};
use crate::to_spirv::emit::Emit;
use crate::to_spirv::pass::{ToSpirv, casts_stay};
use crate::to_spirv::{SpirvPatterns, SpirvTypeConverter, TypeOptions};
use crate::{arith_to_spirv, func_to_spirv, memref_to_spirv};

pub(crate) const INFO: PassInfo = PassInfo {
    name: "convert-scf-to-spirv",
    about: "convert the dialect scf to the dialect spirv",
    options: &[],
    make: MakePass::With(|options| {
        Ok(Box::new(ToSpirv {
            name: INFO.name,
            options: TypeOptions::of(options)?,
            patterns: |set| memref_to_spirv::patterns(func_to_spirv::patterns(arith_to_spirv::patterns(patterns(set)))),
            legal: casts_stay,
        }))
    }),
};

/// Adds the patterns of this conversion.
pub fn patterns(set: SpirvPatterns) -> SpirvPatterns {
    set.on("scf.for", counted).on("scf.if", choice).on("scf.yield", end).on("scf.while", repeated)
}

/// A hint for a selection or a loop: what the operation says, or nothing.
fn control(rw: &Rw<'_, '_>, op: OpId, (name, kind): (&str, EnumKind)) -> Result<Attribute, NoMatch> {
    let said = rw.op(op).attribute(name)?;
    Ok(said.unwrap_or_else(|| enumerant(rw.context(), kind, 0)))
}

/// A loop of an entry and a merge block: the operation, its region, and both.
fn empty_loop(rw: &mut Rw<'_, '_>, op: OpId) -> Result<(OpId, RegionId, BlockId, BlockId), NoMatch> {
    let control = control(rw, op, ("spirv.loop_control", EnumKind::LoopControl))?;
    let none = std::iter::empty::<Type>;
    let made =
        rw.build("spirv.mlir.loop").attribute("loop_control", control).result_types(none()).regions(1).create()?;
    let region = rw.region(made, 0)?;
    let entry = rw.create_block(region, None, none())?;
    let merge = rw.create_block(region, None, none())?;
    rw.set_insertion_point_to_end(merge)?;
    rw.emit_nothing("spirv.mlir.merge", &[], Vec::new())?;
    Ok((made, region, entry, merge))
}

fn branch(rw: &mut Rw<'_, '_>, from: BlockId, to: BlockId, operands: &[Value]) -> Outcome {
    rw.set_insertion_point_to_end(from)?;
    rw.build("spirv.Branch").operands(operands.iter().copied()).successors([to]).create()?;
    Ok(())
}

/// A variable before a selection or a loop for something that it gives, and what is loaded from it behind.
fn carried(rw: &mut Rw<'_, '_>, made: OpId, ty: Type) -> Result<(Value, Value), NoMatch> {
    let context = rw.context();
    let to = pointer(context, ty, StorageClass::Function as u32);
    let class = enumerant(context, EnumKind::StorageClass, StorageClass::Function as u32);
    let class = (context.static_identifier("storage_class"), class);
    rw.set_insertion_point_before(made)?;
    let variable = rw.emit_with("spirv.Variable", &[], to, vec![class])?;
    rw.set_insertion_point_after(made)?;
    let loaded = rw.emit("spirv.Load", &[variable], ty)?;
    Ok((variable, loaded))
}

/// Puts what is loaded from variables in the place of all that an operation gives.
fn replace_by_loads(rw: &mut Rw<'_, '_>, op: OpId, made: OpId, types: Vec<Type>) -> Outcome {
    let mut loads = Vec::with_capacity(types.len());
    for ty in types {
        loads.push(carried(rw, made, ty)?.1);
    }
    Ok(rw.replace(op, loads)?)
}

/// The variables directly before a selection or a loop, so many.
fn variables(rw: &Rw<'_, '_>, made: OpId, count: usize) -> Result<Vec<Value>, NoMatch> {
    let before = std::iter::successors(rw.body().previous_operation(made), |&op| rw.body().previous_operation(op));
    let mut variables = Vec::with_capacity(count);
    for op in before.take(count) {
        if !rw.op(op).is("spirv.Variable") {
            break;
        }
        variables.push(rw.result(op, 0)?);
    }
    variables.reverse();
    match variables.len() == count {
        true => Ok(variables),
        false => Err(NoMatch::Reason("what it belongs to is not converted")),
    }
}

/// `scf.for`: the body is the block that goes on with the next round.
fn counted(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let (from, to, step) = (operands.get(0)?, operands.get(1)?, operands.get(2)?);
    let first = std::iter::once(Ok(from)).chain((3..operands.len()).map(|number| operands.get(number)));
    let first: Vec<Value> = first.collect::<Result<_, _>>()?;
    let types: Vec<Type> = first.iter().map(|&value| rw.ty(value)).collect::<Result<_, _>>()?;
    let inner = rw.region(op, 0)?;
    let body = rw.body().first_block(inner).ok_or(NoMatch::Reason("a loop without a body"))?;

    let (made, region, entry, merge) = empty_loop(rw, op)?;
    let header = rw.create_block(region, Some(merge), types.iter().copied())?;
    let arguments = rw.body().arguments(header).to_vec();
    let mut signature = SignatureConversion::new(rw.body().arguments(body).len());
    for (number, &argument) in arguments.iter().enumerate() {
        signature.replace(number, vec![argument]);
    }
    let body = rw.convert_signature(body, &signature)?;
    rw.inline_region(inner, region, Some(merge))?;
    branch(rw, entry, header, &first)?;

    let number = *arguments.first().ok_or(NoMatch::Reason("a loop without a number"))?;
    rw.set_insertion_point_to_end(header)?;
    let truth = rw.context().integer_type(1);
    let goes_on = rw.emit("spirv.SLessThan", &[number, to], truth)?;
    let groups: [&[Value]; 3] = [&[goes_on], &[], &[]];
    rw.build("spirv.BranchConditional").operand_groups(groups).successors([body, merge]).create()?;

    let last = rw.body().previous_block(merge).ok_or(NoMatch::Reason("a loop without a body"))?;
    rw.set_insertion_point_to_end(last)?;
    let next = rw.emit("spirv.IAdd", &[number, step], types[0])?;
    branch(rw, last, header, &[next])?;
    replace_by_loads(rw, op, made, types[1..].to_vec())
}

fn choice(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let types = rw.converted_results(op)?;
    let condition = operands.get(0)?;
    let control = control(rw, op, ("spirv.selection_control", EnumKind::SelectionControl))?;
    let none = std::iter::empty::<Type>;
    let made = rw.build("spirv.mlir.selection").attribute("selection_control", control);
    let made = made.result_types(none()).regions(1).create()?;
    let region = rw.region(made, 0)?;
    let header = rw.create_block(region, None, none())?;
    let merge = rw.create_block(region, None, none())?;
    rw.set_insertion_point_to_end(merge)?;
    rw.emit_nothing("spirv.mlir.merge", &[], Vec::new())?;

    let mut ways = [merge; 2];
    for (number, way) in ways.iter_mut().enumerate() {
        let inner = rw.region(op, number)?;
        let (first, last) = (rw.body().first_block(inner), rw.body().last_block(inner));
        if let (Some(first), Some(last)) = (first, last) {
            branch(rw, last, merge, &[])?;
            rw.inline_region(inner, region, Some(merge))?;
            *way = first;
        }
    }
    rw.set_insertion_point_to_end(header)?;
    let groups: [&[Value]; 3] = [&[condition], &[], &[]];
    rw.build("spirv.BranchConditional").operand_groups(groups).successors(ways).create()?;
    replace_by_loads(rw, op, made, types)
}

/// What is given is stored where the operation around it looks for it; the next round of a loop gets it as well.
fn end(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let around = rw.body().parent(op).ok_or(NoMatch::Reason("nothing stands around it"))?;
    let name = rw.op(around).name();
    let is_loop = &*name == "spirv.mlir.loop";
    if !is_loop && &*name != "spirv.mlir.selection" && name.starts_with("scf.") {
        return Err(NoMatch::Reason("what it belongs to is not converted"));
    }
    let given = operands.all()?;
    if !given.is_empty() {
        let variables = variables(rw, around, given.len())?;
        for (&variable, &value) in variables.iter().zip(&given) {
            rw.emit_nothing("spirv.Store", &[variable, value], Vec::new())?;
        }
        let block = rw.body().block_of(op);
        if let (true, Some(back)) = (is_loop, block.and_then(|block| rw.body().last_operation(block))) {
            let successors = rw.body().successors(back).to_vec();
            let arguments: Vec<Value> = rw.body().operands(back).iter().copied().chain(given).collect();
            rw.set_insertion_point_before(back)?;
            rw.build("spirv.Branch").operands(arguments).successors(successors).create()?;
            rw.erase(back)?;
        }
    }
    Ok(rw.replace(op, [])?)
}

/// Values that stand for others, one each.
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

/// `scf.while`: the condition says what the loop gives, and not what ends a round.
fn repeated(_: &SpirvTypeConverter, rw: &mut Rw<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let first = operands.all()?;
    let (made, region, entry, merge) = empty_loop(rw, op)?;
    let (before, after) = (rw.region(op, 0)?, rw.region(op, 1)?);
    let missing = NoMatch::Reason("a loop of other blocks");
    let header = rw.convert_region_types(before, None)?;
    let body = rw.convert_region_types(after, None)?;
    let (Some(header), Some(body)) = (header, body) else { return Err(missing) };
    let ends = [header, body].map(|block| rw.body().last_operation(block));
    let [Some(condition), Some(yields)] = ends else { return Err(missing) };
    if !rw.op(condition).is("scf.condition") || !rw.op(yields).is("scf.yield") {
        return Err(missing);
    }
    let given = rw.body().operands(condition).to_vec();
    let given = remapped(rw, &given)?;
    let Some((&goes_on, given)) = given.split_first() else { return Err(missing) };
    let next = rw.body().operands(yields).to_vec();
    let next = remapped(rw, &next)?;
    rw.inline_region(before, region, Some(merge))?;
    rw.inline_region(after, region, Some(merge))?;
    branch(rw, entry, header, &first)?;

    let mut loads = Vec::with_capacity(given.len());
    for &value in given {
        let ty = rw.ty(value)?;
        let (variable, loaded) = carried(rw, made, ty)?;
        loads.push(loaded);
        rw.set_insertion_point_to_end(header)?;
        rw.emit_nothing("spirv.Store", &[variable, value], Vec::new())?;
    }
    rw.set_insertion_point_to_end(header)?;
    let groups: [&[Value]; 3] = [&[goes_on], given, &[]];
    rw.build("spirv.BranchConditional").operand_groups(groups).successors([body, merge]).create()?;
    rw.replace(condition, [])?;
    branch(rw, body, header, &next)?;
    rw.replace(yields, [])?;
    Ok(rw.replace(op, loads)?)
}
