//! What is known of the condition inside an `scf.while`.

use mlirbc_ir::Use;

use super::*;
use crate::cf::branches::truth;

/// An `scf.while`: the block before the condition, what ends it, the condition, what is handed on, and the block after it.
pub(super) struct While {
    pub(super) before: BlockId,
    pub(super) end: OpId,
    pub(super) condition: Value,
    pub(super) handed: Vec<Value>,
    pub(super) after: BlockId,
    /// The arguments of the block after it: as many as are handed on.
    pub(super) taken: Vec<Value>,
}

impl While {
    pub(super) fn of(rw: &Rewriter<'_>, op: OpId) -> Result<Self, NoMatch> {
        let (before, after) = (block(rw, op, 0)?, block(rw, op, 1)?);
        let end = end(rw, before, "scf.condition")?;
        let [condition, handed @ ..] = rw.body().operands(end) else {
            return Err(NoMatch::Reason("there is no condition"));
        };
        let (condition, handed) = (*condition, handed.to_vec());
        let taken = rw.body().arguments(after).to_vec();
        match handed.len() == taken.len() && handed.len() == rw.body().result_count(op) {
            true => Ok(While { before, end, condition, handed, after, taken }),
            false => Err(NoMatch::Reason("what is handed on is not what is taken")),
        }
    }
}

/// Where the condition itself is handed on, it is true.
pub(super) fn condition_truth(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let parts = While::of(rw, op)?;
    rw.build_uses();
    let mut constant = None;
    for (handed, taken) in parts.handed.into_iter().zip(parts.taken) {
        if handed == parts.condition && rw.body().is_used(taken) {
            let value = match constant {
                Some(value) => value,
                None => *constant.insert(truth(rw, true)?),
            };
            rw.replace_uses(taken, value)?;
        }
    }
    if constant.is_some() { Ok(()) } else { rw.no_match("the condition is not handed on, or not used") }
}

/// The predicates of `arith.cmpi` that are true where the one of that number is false.
const INVERSE: [u64; 10] = [1, 0, 5, 4, 3, 2, 9, 8, 7, 6];

/// Where the condition compares what is handed on, comparing that again with the same gives nothing new.
pub(super) fn same_comparison(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let parts = While::of(rw, op)?;
    let first = rw.defined_by(parts.condition, "arith.cmpi")?;
    let [left, right] = *first.operands() else { return rw.no_match("the condition compares nothing") };
    let Some(predicate) = predicate(rw, first.id())? else { return rw.no_match("the condition has no predicate") };
    rw.build_uses();
    let mut changed = false;
    for (handed, taken) in parts.handed.into_iter().zip(parts.taken) {
        for (place, (own, other)) in [(left, right), (right, left)].into_iter().enumerate() {
            if handed != own {
                continue;
            }
            let uses: Vec<Use> = rw.body().uses_of(taken).collect();
            for user in uses.into_iter().map(|use_| use_.op) {
                if rw.op(user).name() != "arith.cmpi" || rw.body().operands(user).get(1 - place) != Some(&other) {
                    continue;
                }
                let known = match self::predicate(rw, user)? {
                    Some(of) if of == predicate => true,
                    Some(of) if INVERSE.get(of as usize) == Some(&predicate) => false,
                    _ => continue,
                };
                let constant = truth(rw, known)?;
                rw.replace(user, [constant])?;
                changed = true;
            }
        }
    }
    if changed { Ok(()) } else { rw.no_match("nothing is compared again") }
}

/// The predicate of a comparison of integers that are no vectors.
fn predicate(rw: &Rewriter<'_>, op: OpId) -> Result<Option<u64>> {
    let result = rw.result(op, 0)?;
    if rw.op(op).type_of(result)? != rw.context().integer_type(1) {
        return Ok(None);
    }
    let predicate = rw.op(op).attribute("predicate")?;
    Ok(predicate.and_then(|predicate| rw.context().integer_of(predicate)?.to_u64()))
}
