//! Operations and arguments of blocks that are not looked at, in cycles too.

use hashbrown::HashMap;
use mlirbc_ir::interfaces::{DeadOperations, SuccessorOperands, all_successor_operands};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{BlockId, Body, OpId, RegionId, Result, Rewriter, Use, Value};

use super::{Met, have_several_blocks, post_order};
use crate::operands::erase_operands;

/// Erases operations that are not looked at, and arguments of blocks with what branches hand to them, in all regions of the body. What is
/// looked at by such operations and arguments alone counts as well. Whether an operation was erased.
///
/// # Errors
/// Where something cannot be decoded.
pub fn erase_dead(rw: &mut Rewriter<'_>) -> Result<bool> {
    rw.build_uses();
    // Most bodies hold nothing that is dead.
    if is_plainly_alive(rw)? {
        return Ok(false);
    }
    let order = order(rw.body());
    let mut live = Live::of(rw.body());
    let mut left: Option<Vec<Place>> = None;
    loop {
        live.changed = false;
        let mut unknown = Vec::new();
        for &place in left.as_ref().unwrap_or(&order) {
            live.visit_place(rw, place)?;
            if !live.has_all_of(rw.body(), place) {
                unknown.push(place);
            }
        }
        if unknown.is_empty() {
            return Ok(false);
        }
        if !live.changed {
            return erase_all(rw, &order, &live);
        }
        left = Some(unknown);
    }
}

/// Whether one walk tells that all is looked at: where no block goes on to another, what uses a result mostly comes behind it.
fn is_plainly_alive(rw: &Rewriter<'_>) -> Result<bool> {
    let body = rw.body();
    if have_several_blocks(body) {
        return Ok(false);
    }
    let ops: Vec<OpId> = body.preorder().collect();
    let mut live = vec![false; body.operation_count()];
    let mut dead = DeadOperations::default();
    for &op in ops.iter().rev() {
        let reference = rw.op(op);
        let is_used = body.results(op).any(|result| body.uses_of(result).any(|used| live[used.op.index()]));
        if !is_used && !reference.has_trait(Traits::TERMINATOR) && dead.would_be_dead(reference)?
            || !body.successors(op).is_empty()
        {
            return Ok(false);
        }
        live[op.index()] = true;
    }
    Ok(true)
}

/// What is visited.
#[derive(Clone, Copy)]
enum Place {
    Op(OpId),
    /// The arguments of a block that is not the first of its region: those of the first belong to what holds the region.
    Arguments(BlockId),
}

/// All that stands in the body, each value behind those who use it, as far as there are no cycles.
fn order(body: &Body) -> Vec<Place> {
    enum Left {
        Region(RegionId),
        Block(BlockId, bool),
        Op(OpId),
    }
    // Made the other way around: what holds something goes before it, and definitions before uses.
    let mut order = Vec::with_capacity(body.operation_count());
    let mut met = Met::of(body);
    let mut left: Vec<Left> = body.top_regions().iter().copied().map(Left::Region).collect();
    while let Some(next) = left.pop() {
        match next {
            Left::Region(region) => {
                let first = body.first_block(region);
                let blocks = post_order(body, region, &mut met);
                left.extend(blocks.into_iter().map(|block| Left::Block(block, Some(block) == first)));
            }
            Left::Block(block, is_first) => {
                if !is_first {
                    order.push(Place::Arguments(block));
                }
                let mut op = body.last_operation(block);
                while let Some(last) = op {
                    left.push(Left::Op(last));
                    op = body.previous_operation(last);
                }
            }
            Left::Op(op) => {
                order.push(Place::Op(op));
                if body.region_count_of(op) > 0 {
                    left.extend(body.regions(op).map(Left::Region));
                }
            }
        }
    }
    order.reverse();
    order
}

/// What is known to be looked at.
struct Live {
    ops: Vec<bool>,
    /// Of arguments of blocks; a result lives as its operation does.
    values: Vec<bool>,
    changed: bool,
    /// The arguments that branches hand their operands to, of those that were asked for.
    handed: HashMap<OpId, Vec<Option<Value>>>,
    dead: DeadOperations,
}

impl Live {
    fn of(body: &Body) -> Self {
        Live {
            ops: vec![false; body.operation_count()],
            values: vec![false; body.value_count()],
            changed: false,
            handed: HashMap::new(),
            dead: DeadOperations::default(),
        }
    }

    fn has_op(&self, op: OpId) -> bool {
        self.ops[op.index()]
    }

    fn has(&self, body: &Body, value: Value) -> bool {
        match body.defining_operation(value) {
            Some(op) => self.has_op(op),
            None => self.values[value.index()],
        }
    }

    fn set_op(&mut self, op: OpId) {
        self.changed |= !std::mem::replace(&mut self.ops[op.index()], true);
    }

    fn set(&mut self, body: &Body, value: Value) {
        match body.defining_operation(value) {
            Some(op) => self.set_op(op),
            None => self.changed |= !std::mem::replace(&mut self.values[value.index()], true),
        }
    }

    /// Whether all of it is known to be looked at: it need not be visited any more.
    fn has_all_of(&self, body: &Body, place: Place) -> bool {
        match place {
            Place::Op(op) => self.has_op(op),
            Place::Arguments(block) => body.arguments(block).iter().all(|&argument| self.has(body, argument)),
        }
    }

    fn visit_place(&mut self, rw: &Rewriter<'_>, place: Place) -> Result<()> {
        match place {
            Place::Op(op) => self.visit(rw, op),
            Place::Arguments(block) => {
                rw.body().arguments(block).iter().try_for_each(|&argument| self.visit_value(rw, argument))
            }
        }
    }

    fn visit(&mut self, rw: &Rewriter<'_>, op: OpId) -> Result<()> {
        let reference = rw.op(op);
        if reference.has_trait(Traits::TERMINATOR) {
            return self.visit_terminator(rw, op);
        }
        if self.has_op(op) {
            return Ok(());
        }
        // An operation whose results are used by what lives need not be asked for its effects.
        for result in rw.body().results(op) {
            self.visit_value(rw, result)?;
        }
        if !self.has_op(op) && !self.dead.would_be_dead(reference)? {
            self.set_op(op);
        }
        Ok(())
    }

    fn visit_terminator(&mut self, rw: &Rewriter<'_>, op: OpId) -> Result<()> {
        self.set_op(op);
        let body = rw.body();
        if body.successors(op).iter().all(|&successor| body.arguments(successor).is_empty()) {
            return Ok(());
        }
        let handed = all_successor_operands(rw.op(op))?;
        for (&successor, handed) in body.successors(op).iter().zip(handed) {
            // What is not handed on from operands has to stay.
            let stays = handed.map_or(usize::MAX, |handed| handed.produced);
            for &argument in body.arguments(successor).iter().take(stays) {
                self.set(body, argument);
            }
        }
        Ok(())
    }

    fn visit_value(&mut self, rw: &Rewriter<'_>, value: Value) -> Result<()> {
        let body = rw.body();
        if self.has(body, value) {
            return Ok(());
        }
        for used in body.uses_of(value) {
            if self.has_op(used.op) && !self.is_dead_use(rw, used)? {
                self.set(body, value);
                break;
            }
        }
        Ok(())
    }

    /// Whether a branch hands the value to an argument that is not known to be looked at.
    fn is_dead_use(&mut self, rw: &Rewriter<'_>, used: Use) -> Result<bool> {
        if rw.body().successors(used.op).is_empty() {
            return Ok(false);
        }
        if !self.handed.contains_key(&used.op) {
            self.handed.insert(used.op, arguments(rw, used.op)?);
        }
        let argument = self.handed.get(&used.op).and_then(|arguments| arguments.get(used.operand).copied()).flatten();
        Ok(argument.is_some_and(|argument| !self.has(rw.body(), argument)))
    }
}

/// The argument that a branch hands each of its operands to. Nothing where what one of the successors gets is not known.
fn arguments(rw: &Rewriter<'_>, branch: OpId) -> Result<Vec<Option<Value>>> {
    let body = rw.body();
    let mut arguments = vec![None; body.operands(branch).len()];
    for (&successor, handed) in body.successors(branch).iter().zip(all_successor_operands(rw.op(branch))?) {
        let Some(handed) = handed else { return Ok(Vec::new()) };
        for operand in handed.forwarded.clone() {
            if let Some(place) = arguments.get_mut(operand).filter(|place| place.is_none()) {
                *place = argument_of(body, successor, &handed, operand);
            }
        }
    }
    Ok(arguments)
}

/// The argument of the successor that an operand is handed to.
fn argument_of(body: &Body, successor: BlockId, handed: &SuccessorOperands, operand: usize) -> Option<Value> {
    let place = operand.checked_sub(handed.forwarded.start).filter(|_| handed.forwarded.contains(&operand))?;
    body.arguments(successor).get(handed.produced + place).copied()
}

fn erase_all(rw: &mut Rewriter<'_>, order: &[Place], live: &Live) -> Result<bool> {
    let mut erased = false;
    for &place in order {
        let Place::Op(op) = place else { continue };
        if !rw.body().successors(op).is_empty() {
            erase_handed(rw, op, live)?;
        }
        if !live.has_op(op) {
            erased = true;
            erase(rw, op)?;
        }
    }
    for &place in order {
        let Place::Arguments(block) = place else { continue };
        let body = rw.body();
        let region = body.region_of(block);
        if region.is_none_or(|region| body.operation_of(region).is_some_and(|op| body.is_erased(op))) {
            continue;
        }
        for number in (0..rw.body().arguments(block).len()).rev() {
            if !live.has(rw.body(), rw.body().arguments(block)[number]) {
                rw.erase_argument(block, number)?;
            }
        }
    }
    Ok(erased)
}

/// Erases an operation; other dead ones that still use its results let go of them.
fn erase(rw: &mut Rewriter<'_>, op: OpId) -> Result<()> {
    let results: Vec<Value> = rw.body().results(op).collect();
    for result in results {
        let users: Vec<OpId> = rw.body().uses_of(result).map(|used| used.op).collect();
        for user in users {
            rw.set_operands(user, [])?;
        }
    }
    rw.erase(op)
}

/// Erases the operands that a branch hands to arguments that are not looked at.
fn erase_handed(rw: &mut Rewriter<'_>, branch: OpId, live: &Live) -> Result<()> {
    let mut dead = Vec::new();
    for (&successor, handed) in rw.body().successors(branch).iter().zip(all_successor_operands(rw.op(branch))?) {
        if let Some(handed) = handed {
            for operand in handed.forwarded.clone() {
                let argument = argument_of(rw.body(), successor, &handed, operand);
                if argument.is_some_and(|argument| !live.has(rw.body(), argument)) {
                    dead.push(operand);
                }
            }
        }
    }
    erase_operands(rw, branch, &dead)
}
