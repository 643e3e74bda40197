//! Canonicalisation of `cf.br`, `cf.cond_br` and `cf.assert`.

use std::collections::{HashMap, HashSet};

use mlirbc_ir::interfaces::successor_operands;
use mlirbc_ir::{BlockId, Dialect, OpId, Result, Rewriter, Value};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, NoMatch, Outcome};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .canonicalize("assert", AnyPattern::new("AssertOp", assert_what_holds))
        .canonicalize("br", AnyPattern::new("BranchOp", branch))
        .canonicalize("cond_br", AnyPattern::new("SimplifyConstCondBranchPred", constant_condition))
        .canonicalize("cond_br", AnyPattern::new("SimplifyPassThroughCondBranch", pass_through))
        .canonicalize("cond_br", AnyPattern::new("SimplifyCondBranchIdenticalSuccessors", identical_successors))
        .canonicalize("cond_br", AnyPattern::new("SimplifyCondBranchFromCondBranchOnSameCondition", same_condition))
        .canonicalize("cond_br", AnyPattern::new("CondBranchTruthPropagation", propagate_truth))
        .canonicalize("cond_br", AnyPattern::new("DropUnreachableCondBranch", drop_unreachable))
}

/// A way to a block, with what its arguments get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Way {
    pub(super) to: BlockId,
    pub(super) operands: Vec<Value>,
}

impl Way {
    /// The way to the successor of that number.
    pub(super) fn of(rw: &Rewriter<'_>, op: OpId, successor: usize) -> Result<Way, NoMatch> {
        let unknown = NoMatch::Reason("what the successor gets is not known");
        // Mostly that is nothing.
        if let Some(&to) = rw.body().successors(op).get(successor)
            && rw.body().arguments(to).is_empty()
        {
            return Ok(Way { to, operands: Vec::new() });
        }
        let handed = successor_operands(rw.op(op), successor)?;
        let operands = handed.and_then(|handed| rw.body().operands(op).get(handed.forwarded));
        match (rw.body().successors(op).get(successor), operands) {
            (Some(&to), Some(operands)) if operands.len() == rw.body().arguments(to).len() => {
                Ok(Way { to, operands: operands.to_vec() })
            }
            _ => Err(unknown),
        }
    }

    /// Where it goes on to, if all that the block does is to go on to another one.
    pub(super) fn collapsed(&self, rw: &mut Rewriter<'_>) -> Result<Option<Way>, NoMatch> {
        let only = rw.body().first_operation(self.to);
        let only = only.filter(|&op| rw.body().next_operation(op).is_none() && rw.op(op).is("cf.br"));
        let Some(only) = only else { return Ok(None) };
        rw.build_uses();
        let body = rw.body();
        let arguments = body.arguments(self.to);
        if arguments.iter().any(|&argument| body.uses_of(argument).any(|use_| use_.op != only)) {
            return Ok(None);
        }
        let on = Way::of(rw, only, 0)?;
        if on.to == self.to || leads_back(rw, [self.to, on.to]) {
            return Ok(None);
        }
        let handed: HashMap<Value, Value> = arguments.iter().copied().zip(self.operands.iter().copied()).collect();
        let operands = on.operands.iter().map(|value| handed.get(value).copied().unwrap_or(*value)).collect();
        Ok(Some(Way { to: on.to, operands }))
    }

    /// Puts a `cf.br` that goes this way in the place of another branch.
    pub(super) fn replace(self, rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
        let by = rw.build("cf.br").operands(self.operands).successors([self.to]).create()?;
        rw.replace_with(op, by)?;
        Ok(())
    }
}

/// So many branches are followed to find out whether they lead back.
const PATIENCE: usize = 1 << 14;

/// Whether branches lead from the last of these blocks to one of them, or to one that they have passed.
fn leads_back(rw: &Rewriter<'_>, passed: [BlockId; 2]) -> bool {
    let mut met = HashSet::from(passed);
    let mut block = passed[1];
    while let Some(last) = rw.body().last_operation(block).filter(|&last| rw.op(last).is("cf.br")) {
        let Some(&next) = rw.body().successors(last).first() else { return false };
        if met.len() > PATIENCE || !met.insert(next) {
            return true;
        }
        block = next;
    }
    false
}

/// Asserting what is true does nothing.
fn assert_what_holds(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    match operand(rw, op).and_then(|condition| rw.constant_int(condition)) {
        Some(condition) if condition.is_one() => Ok(rw.erase(op)?),
        _ => rw.no_match("what is asserted is not known to be true"),
    }
}

/// The first operand.
pub(super) fn operand(rw: &Rewriter<'_>, op: OpId) -> Option<Value> {
    rw.body().operands(op).first().copied()
}

/// The block of a branch.
fn block_of(rw: &Rewriter<'_>, op: OpId) -> Result<BlockId, NoMatch> {
    rw.body().block_of(op).ok_or(NoMatch::Reason("the branch is in no block"))
}

/// A branch takes in the block that nothing else goes on to, or goes past one that only goes on.
fn branch(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let way = Way::of(rw, op, 0)?;
    let block = block_of(rw, op)?;
    if way.to == block {
        return rw.no_match("the block goes on to itself");
    }
    // In a cycle that nothing leads to, a block can be handed what it makes itself.
    let own = |&value: &Value| {
        rw.body().defining_operation(value).is_none() && rw.body().defining_block(value) == Some(way.to)
    };
    if !way.operands.iter().any(own) && rw.single_predecessor(way.to)?.is_some() {
        rw.erase(op)?;
        rw.inline_block(way.to, block, None, &way.operands)?;
        return Ok(());
    }
    match way.collapsed(rw)? {
        Some(collapsed) => collapsed.replace(rw, op),
        None => rw.no_match("the block does more than to go on"),
    }
}

/// A `cf.cond_br`: its condition, and the ways it goes where that is true and where it is false.
fn conditional(rw: &Rewriter<'_>, op: OpId) -> Result<(Value, Way, Way), NoMatch> {
    let condition = operand(rw, op).ok_or(NoMatch::Reason("the branch has no condition"))?;
    Ok((condition, Way::of(rw, op, 0)?, Way::of(rw, op, 1)?))
}

/// A condition that is known decides.
fn constant_condition(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, truly, falsely) = conditional(rw, op)?;
    match rw.constant_int(condition) {
        Some(condition) if condition.is_zero() => falsely.replace(rw, op),
        Some(_) => truly.replace(rw, op),
        None => rw.no_match("the condition is not constant"),
    }
}

/// Goes past blocks that only go on.
fn pass_through(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, truly, falsely) = conditional(rw, op)?;
    let (past_true, past_false) = (truly.collapsed(rw)?, falsely.collapsed(rw)?);
    if past_true.is_none() && past_false.is_none() {
        return rw.no_match("both blocks do more than to go on");
    }
    let (truly, falsely) = (past_true.unwrap_or(truly), past_false.unwrap_or(falsely));
    let weights = rw.op(op).attribute(WEIGHTS)?;
    let mut by = rw
        .build("cf.cond_br")
        .operand_groups([&[condition][..], &truly.operands, &falsely.operands])
        .successors([truly.to, falsely.to]);
    if let Some(weights) = weights {
        by = by.attribute(WEIGHTS, weights);
    }
    let by = by.create()?;
    rw.replace_with(op, by)?;
    Ok(())
}

/// How likely either way is.
const WEIGHTS: &str = "branch_weights";

/// Where both ways lead to one block, the condition at most selects what that gets.
fn identical_successors(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, truly, falsely) = conditional(rw, op)?;
    if truly.to != falsely.to {
        return rw.no_match("the blocks are different");
    }
    if truly == falsely {
        return truly.replace(rw, op);
    }
    let own = block_of(rw, op)?;
    let uses = rw.block_uses(truly.to)?;
    if uses.into_iter().any(|(from, _)| rw.body().block_of(from) != Some(own)) {
        return rw.no_match("another block goes on to it");
    }
    let mut operands = Vec::with_capacity(truly.operands.len());
    for (truly, falsely) in truly.operands.into_iter().zip(falsely.operands) {
        operands.push(if truly == falsely { truly } else { select(rw, condition, truly, falsely)? });
    }
    Way { to: truly.to, operands }.replace(rw, op)
}

/// Makes `arith.select`.
pub(crate) fn select(rw: &mut Rewriter<'_>, condition: Value, truly: Value, falsely: Value) -> Result<Value> {
    let ty = rw.body().ty(truly);
    let select = rw.build("arith.select").operands([condition, truly, falsely]).result_type(ty).create()?;
    rw.result(select, 0)
}

/// Makes an `arith.constant` that is a truth value.
pub(crate) fn truth(rw: &mut Rewriter<'_>, value: bool) -> Result<Value> {
    let context = rw.context();
    let ty = context.integer_type(1);
    let constant = rw.build("arith.constant").attribute("value", context.integer(1, value.into()));
    let constant = constant.result_type(ty).create()?;
    rw.result(constant, 0)
}

/// In a block that is only reached where the condition was decided already, it decides the same way.
fn same_condition(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, truly, falsely) = conditional(rw, op)?;
    let block = block_of(rw, op)?;
    let Some(before) = rw.single_predecessor(block)?.filter(|&before| rw.op(before).name() == "cf.cond_br") else {
        return rw.no_match("no one conditional branch goes on to the block");
    };
    if operand(rw, before) != Some(condition) {
        return rw.no_match("it is another condition");
    }
    let way = if rw.body().successors(before).first() == Some(&block) { truly } else { falsely };
    way.replace(rw, op)
}

/// In a block that is only reached where the condition holds, it is true; in one that is only reached where it does not, false.
fn propagate_truth(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (condition, truly, falsely) = conditional(rw, op)?;
    let mut changed = false;
    for (way, value) in [(truly, true), (falsely, false)] {
        if rw.single_predecessor(way.to)?.is_none() {
            continue;
        }
        let mut uses: Vec<(OpId, usize)> = Vec::new();
        for user in rw.body().operations(way.to) {
            let operands = rw.body().operands(user).iter().enumerate();
            uses.extend(operands.filter(|of| *of.1 == condition).map(|(number, _)| (user, number)));
        }
        if uses.is_empty() {
            continue;
        }
        let constant = truth(rw, value)?;
        for (user, number) in uses {
            rw.set_operand(user, number, constant)?;
        }
        changed = true;
    }
    if changed { Ok(()) } else { rw.no_match("the condition is not used where it is known") }
}

/// What leads nowhere is not gone to.
fn drop_unreachable(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let (_, truly, falsely) = conditional(rw, op)?;
    let is_unreachable = |way: &Way| {
        let only = rw.body().first_operation(way.to);
        only.is_some_and(|op| rw.body().next_operation(op).is_none() && rw.op(op).name() == "ub.unreachable")
    };
    if is_unreachable(&truly) {
        return falsely.replace(rw, op);
    }
    if is_unreachable(&falsely) {
        return truly.replace(rw, op);
    }
    rw.no_match("both ways lead somewhere")
}
