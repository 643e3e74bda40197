//! Canonicalisation of `scf.forall`.

use mlirbc_ir::interfaces::{Loop, LoopBound};
use mlirbc_ir::{AttributeData, DYNAMIC};
use mlirbc_rewrite::erase_results;

use super::*;
use crate::common::mixed::{Mixed, apart};
use crate::scf::bounds::trip_count;
use crate::scf::loops::{self, STATIC};

/// How many operands each group has.
const SEGMENTS: &str = "operandSegmentSizes";

/// An `scf.forall`: lower bounds, upper bounds and steps, and what it begins with.
pub(super) struct Forall {
    bounds: [Vec<Mixed>; 3],
    pub(super) outputs: Vec<Value>,
    pub(super) block: BlockId,
    /// Its variables: as many as it has dimensions.
    pub(super) variables: Vec<Value>,
}

impl Forall {
    pub(super) fn of(rw: &Rewriter<'_>, op: OpId) -> Result<Self, NoMatch> {
        let op_ref = rw.op(op);
        let mut bounds = [const { Vec::new() }; 3];
        for (bounds, which) in bounds.iter_mut().zip([LoopBound::Lower, LoopBound::Upper, LoopBound::Step]) {
            let wrong = || NoMatch::Reason("the bounds are not as many as their numbers and values");
            *bounds = loops::Forall.bounds(op_ref, which)?.ok_or_else(wrong)?;
        }
        let block = block(rw, op, 0)?;
        let outputs = loops::Forall.initial_operands(op_ref)?;
        let outputs = op_ref.operands().get(outputs).unwrap_or_default().to_vec();
        let count = bounds[0].len();
        let arguments = rw.body().arguments(block);
        let fits = bounds.iter().all(|of| of.len() == count)
            && arguments.len() == count + outputs.len()
            && rw.body().result_count(op) == outputs.len();
        match fits {
            true => Ok(Forall { bounds, outputs, block, variables: arguments[..count].to_vec() }),
            false => Err(NoMatch::Reason("the loop has other bounds or outputs than arguments")),
        }
    }

    /// How often the dimension of that number is executed.
    fn trips(&self, rw: &Rewriter<'_>, op: OpId, number: usize) -> Result<Option<u64>> {
        let bounds = self.bounds.each_ref().map(|of| of[number]);
        Ok(trip_count(rw.op(op), bounds, true)?.and_then(|count| count.to_u64()))
    }
}

/// Sets the bounds and what the loop begins with.
fn set_bounds(rw: &mut Rewriter<'_>, op: OpId, bounds: &[Vec<Mixed>; 3], outputs: &[Value]) -> Result<()> {
    let context = rw.context();
    let mut operands = Vec::new();
    let mut sizes = Vec::new();
    rw.modify(op, |rw| {
        for (name, bounds) in STATIC.into_iter().zip(bounds) {
            let (numbers, values) = apart(context, bounds);
            rw.set_attribute(op, name, numbers)?;
            sizes.push(values.len());
            operands.extend(values);
        }
        sizes.push(outputs.len());
        operands.extend_from_slice(outputs);
        rw.set_operands(op, &operands)?;
        let data: Vec<u8> = sizes.iter().flat_map(|&size| (size as i32).to_le_bytes()).collect();
        let sizes = AttributeData::DenseArray { element: context.integer_type(32), data: data.into() };
        rw.set_attribute(op, SEGMENTS, context.attribute(sizes))
    })
}

/// Bounds that are constants are numbers.
pub(super) fn constant_bounds(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let mut forall = Forall::of(rw, op)?;
    let mut changed = false;
    for bound in forall.bounds.iter_mut().flatten() {
        let Mixed::Value(value) = bound else { continue };
        // The number that stands for a value is none.
        if let Some(number) = rw.constant_int(*value).and_then(|number| number.to_i64()).filter(|&of| of != DYNAMIC) {
            *bound = Mixed::Number(number);
            changed = true;
        }
    }
    if !changed {
        return rw.no_match("no bound is a constant");
    }
    Ok(set_bounds(rw, op, &forall.bounds, &forall.outputs)?)
}

/// What is written into an argument at the end of the loop.
pub(super) const INSERT: &str = "tensor.parallel_insert_slice";

/// An output that is not looked at afterwards, or that nothing is written into, is what the loop begins with.
pub(super) fn drop_outputs(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let forall = Forall::of(rw, op)?;
    rw.build_uses();
    let count = forall.variables.len();
    let arguments = rw.body().arguments(forall.block)[count..].to_vec();
    let results: Vec<Value> = rw.body().results(op).collect();
    let writers = |rw: &Rewriter<'_>, argument: Value| -> Vec<OpId> {
        let mut users: Vec<OpId> = rw.body().uses_of(argument).map(|use_| use_.op).collect();
        users.retain(|&user| rw.op(user).name() == INSERT);
        users.dedup();
        users
    };
    let kept: Vec<bool> = results
        .iter()
        .zip(&arguments)
        .map(|(&result, &argument)| rw.body().is_used(result) && !writers(rw, argument).is_empty())
        .collect();
    if !kept.contains(&false) {
        return rw.no_match("every output is written and used");
    }
    for number in (0..kept.len()).rev().filter(|&number| !kept[number]) {
        for writer in writers(rw, arguments[number]) {
            rw.erase(writer)?;
        }
        rw.replace_uses(arguments[number], forall.outputs[number])?;
        rw.replace_uses(results[number], forall.outputs[number])?;
        rw.erase_argument(forall.block, count + number)?;
    }
    let outputs: Vec<Value> = forall.outputs.iter().zip(&kept).filter(|of| *of.1).map(|of| *of.0).collect();
    let by = erase_results(rw, op, &kept)?;
    Ok(set_bounds(rw, by, &forall.bounds, &outputs)?)
}

/// A dimension with one iteration is none; a loop that has one with no iteration gives what it begins with.
pub(super) fn drop_dimensions(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let forall = Forall::of(rw, op)?;
    let mapping = rw.op(op).attribute("mapping")?.map(|mapping| &rw.context()[mapping]);
    if matches!(mapping, Some(AttributeData::Array(mapping)) if !mapping.is_empty()) {
        return rw.no_match("the dimensions are mapped to something");
    }
    let count = forall.variables.len();
    let mut kept = vec![true; count];
    for (number, kept) in kept.iter_mut().enumerate() {
        match forall.trips(rw, op, number)? {
            Some(0) => {
                rw.replace(op, forall.outputs)?;
                return Ok(());
            }
            trips => *kept = trips != Some(1),
        }
    }
    if !kept.contains(&false) {
        return rw.no_match("every dimension may have several iterations");
    }
    let ends = Ends::of(rw, forall.block)?;
    let inline = !kept.contains(&true);
    if inline && ends.inserts.len() != forall.outputs.len() {
        return rw.no_match("not every output is written once");
    }
    let mut lower = Vec::with_capacity(count);
    for (number, kept) in kept.iter().enumerate() {
        lower.push(if *kept { None } else { Some(index(rw, &forall.bounds[0][number])?) });
    }
    if inline {
        let lower: Vec<Value> = lower.into_iter().flatten().collect();
        return execute_once(rw, op, forall, &lower, ends);
    }
    let bounds =
        forall.bounds.map(|of| of.into_iter().zip(&kept).filter(|of| *of.1).map(|of| of.0).collect::<Vec<Mixed>>());
    let operands = rw.body().operands(op).to_vec();
    let by = create_like(rw, op, &operands)?;
    set_bounds(rw, by, &bounds, &forall.outputs)?;
    let old = rw.body().arguments(forall.block).to_vec();
    let stays = |number: usize| lower.get(number).is_none_or(Option::is_none);
    let types = old.iter().enumerate().filter(|of| stays(of.0)).map(|of| rw.body().ty(*of.1));
    let (types, into) = (types.collect::<Vec<TypeRef>>(), region(rw, by, 0)?);
    let block = rw.create_block(into, None, types)?;
    let mut new = rw.body().arguments(block).to_vec().into_iter();
    let mut map = ValueMap::default();
    for (number, argument) in old.into_iter().enumerate() {
        let by = lower.get(number).copied().flatten().or_else(|| new.next());
        map.values.insert(argument, by.unwrap_or(argument));
    }
    rw.set_insertion_point_to_end(block)?;
    let ops: Vec<OpId> = rw.body().operations(forall.block).collect();
    copy_all(rw, &ops, &mut map)?;
    rw.replace_with(op, by)?;
    Ok(())
}

/// The `scf.forall.in_parallel` that ends a block, and what it writes.
struct Ends {
    end: OpId,
    inserts: Vec<OpId>,
}

impl Ends {
    fn of(rw: &Rewriter<'_>, block: BlockId) -> Result<Self, NoMatch> {
        let end = end(rw, block, "scf.forall.in_parallel")?;
        let held = super::block(rw, end, 0)?;
        let inserts: Vec<OpId> = rw.body().operations(held).collect();
        match inserts.iter().all(|&insert| rw.op(insert).name() == INSERT) {
            true => Ok(Ends { end, inserts }),
            false => Err(NoMatch::Reason("the loop ends with something else")),
        }
    }
}

/// Does in place what a loop of one iteration does.
fn execute_once(rw: &mut Rewriter<'_>, op: OpId, forall: Forall, lower: &[Value], ends: Ends) -> Outcome {
    let around = parent_block(rw, op)?;
    let arguments = [lower, &forall.outputs].concat();
    rw.inline_block(forall.block, around, Some(op), &arguments)?;
    rw.set_insertion_point_after(op)?;
    let mut values = Vec::with_capacity(ends.inserts.len());
    for insert in ends.inserts {
        let operands = rw.body().operands(insert).to_vec();
        let Some(&into) = operands.get(1) else { return rw.no_match("nothing is written into") };
        let ty = rw.body().ty(into);
        let properties = rw.body().properties(insert);
        let by = rw.build("tensor.insert_slice").operands(operands).result_type(ty).create()?;
        rw.set_properties(by, properties)?;
        values.push(rw.result(by, 0)?);
    }
    rw.replace_all_uses(op, values)?;
    rw.erase(ends.end)?;
    rw.erase(op)?;
    Ok(())
}

/// A bound as a value: a number becomes a constant.
fn index(rw: &mut Rewriter<'_>, bound: &Mixed) -> Result<Value> {
    match *bound {
        Mixed::Value(value) => Ok(value),
        Mixed::Number(number) => {
            let context = rw.context();
            let ty = context.index_type();
            let value = context.numbers(ty, &[mlirbc_ir::number::ApInt::from_i64(64, number)])?;
            let constant = rw.build("arith.constant").attribute("value", value).result_type(ty).create()?;
            rw.result(constant, 0)
        }
    }
}

/// The variable of a dimension with one iteration is its lower bound.
pub(super) fn constant_variables(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let forall = Forall::of(rw, op)?;
    rw.build_uses();
    let mut changed = false;
    for (number, &variable) in forall.variables.iter().enumerate() {
        if rw.body().is_used(variable) && forall.trips(rw, op, number)? == Some(1) {
            let lower = index(rw, &forall.bounds[0][number])?;
            rw.replace_uses(variable, lower)?;
            changed = true;
        }
    }
    if changed { Ok(()) } else { rw.no_match("every variable that is used may vary") }
}
