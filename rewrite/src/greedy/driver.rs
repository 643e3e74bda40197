//! Rounds of visits.

use mlirbc_ir::interfaces::is_trivially_dead;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Attribute, Body, Error, InsertionPoint, ListenerId, OpId, Result, Rewriter};

use super::worklist::Worklist;
use super::{Change, Constants, Greedy, Ran, Round};
use crate::fold::{Folded, apply};
use crate::known::Knowledge;
use crate::outcome::NoMatch;
use crate::regions;

/// So many changes in one round, and so many more for each operation, are no sign yet of an endless loop.
const PATIENCE: u64 = 100_000;
const PATIENCE_EACH: u64 = 200;

/// Rewrites one body, round after round.
pub(super) fn run(greedy: &Greedy, state: &mut State<'_>, rw: &mut Rewriter<'_>) -> Result<Ran> {
    drive(greedy, state, rw, |driver| greedy.rounds(|| driver.round(&mut { greedy.max_rewrites })))
}

/// One round in one body. `left` is how many patterns may be applied, or -1.
pub(super) fn round(greedy: &Greedy, state: &mut State<'_>, rw: &mut Rewriter<'_>, left: &mut i64) -> Result<Round> {
    drive(greedy, state, rw, |driver| driver.round(left))
}

/// What a thread knows, and room that it takes for one body after the other.
pub(super) struct State<'k> {
    knowledge: Knowledge<'k>,
    list: Worklist,
    ops: Vec<OpId>,
    uniqued: Constants,
    /// The constants among the operands of an operation.
    constants: Vec<Option<Attribute>>,
    /// By operation: what constant it is, if any, where that is known.
    values: Vec<Option<Option<Attribute>>>,
}

impl<'k> State<'k> {
    pub(super) fn new(knowledge: Knowledge<'k>) -> Self {
        State {
            knowledge,
            list: Worklist::default(),
            ops: Vec::new(),
            uniqued: Constants::default(),
            constants: Vec::new(),
            values: Vec::new(),
        }
    }
}

fn drive<R>(
    greedy: &Greedy,
    state: &mut State<'_>,
    rw: &mut Rewriter<'_>,
    work: impl FnOnce(&mut Driver<'_, '_, '_>) -> Result<R>,
) -> Result<R> {
    state.knowledge.begin_body();
    state.values.clear();
    rw.build_uses();
    let list = rw.listen(std::mem::take(&mut state.list));
    let done = work(&mut Driver { greedy, rw, list, state });
    if let Some(mut list) = rw.unlisten(list) {
        list.reset();
        state.list = list;
    }
    done
}

struct Driver<'d, 'm, 'k> {
    greedy: &'d Greedy,
    rw: &'d mut Rewriter<'m>,
    list: ListenerId<Worklist>,
    state: &'d mut State<'k>,
}

impl Driver<'_, '_, '_> {
    fn round(&mut self, left: &mut i64) -> Result<Round> {
        let operations = self.rw.body().operation_count();
        self.fill()?;
        // Where nothing leads, a value can come from itself: patterns are not meant for that.
        let unreachable = regions::erase_unreachable_blocks(self.rw)?;
        let worked = self.work(left)?;
        let simplified = regions::simplify(self.rw, self.greedy.simplify)?;
        let change = worked.or((unreachable || simplified).then_some(Change::Regions));
        Ok(Round { change, operations })
    }

    fn list(&mut self) -> Result<&mut Worklist> {
        self.rw.listener(self.list).ok_or_else(|| Error::misuse("the list of operations to visit is gone"))
    }

    /// Puts all operations on the list, and constants where they belong.
    fn fill(&mut self) -> Result<()> {
        let count = self.rw.body().operation_count();
        let list = self.list()?;
        list.clear();
        list.reserve(count);
        self.state.uniqued.clear();
        let mut ops = std::mem::take(&mut self.state.ops);
        ops.clear();
        match self.greedy.top_down {
            true => ops.extend(self.rw.body().preorder()),
            false => postorder(self.rw, &mut ops),
        }
        for &op in &ops {
            let known = self.state.knowledge.of(self.rw.context(), self.rw.body().name(op));
            if known.traits.contains(Traits::CONSTANT_LIKE)
                && let Some(value) = self.constant(op)
                && !self.state.uniqued.insert(self.rw, op, value)?
            {
                continue;
            }
            match self.greedy.top_down {
                // What it stands in came before it.
                true => _ = self.list()?.push_one(op),
                false => self.push(op, true)?,
            }
        }
        self.state.ops = ops;
        if self.greedy.top_down {
            self.list()?.reverse();
        }
        Ok(())
    }

    /// Visits what is on the list, until no more patterns may be applied. What changed something.
    fn work(&mut self, left: &mut i64) -> Result<Option<Change>> {
        let (mut last, mut changes) = (None, 0u64);
        let patience = PATIENCE + PATIENCE_EACH * self.rw.body().operation_count() as u64;
        while *left != 0 {
            let Some(op) = self.list()?.pop() else { break };
            let Some(change) = self.visit(op)? else { continue };
            *left -= i64::from(*left > 0 && matches!(change, Change::Pattern(_)));
            last = Some(change).max(last);
            changes += 1;
            if changes > patience {
                return Err(Error::misuse(format!("{change} again and again: {changes} changes in one round")));
            }
        }
        Ok(last)
    }

    /// Folds or rewrites one operation.
    fn visit(&mut self, op: OpId) -> Result<Option<Change>> {
        let name = self.rw.body().name(op);
        let known = self.state.knowledge.of(self.rw.context(), name);
        // An unknown operation is left alone, unless a pattern is for it.
        if !known.defined && known.patterns.is_empty() {
            return Ok(None);
        }
        if known.may_be_dead && self.is_dead(op)? {
            self.rw.erase(op)?;
            return Ok(Some(Change::Fold));
        }
        if known.may_fold() && !known.traits.contains(Traits::CONSTANT_LIKE) {
            self.find_constants(op)?;
            match apply::fold(self.rw, op, &known, &self.state.constants)? {
                Folded::No => {}
                Folded::InPlace => {
                    self.push(op, false)?;
                    return Ok(Some(Change::Fold));
                }
                folded => {
                    if let Some(values) = apply::materialized(self.rw, op, &known, &folded)? {
                        self.rw.replace(op, values)?;
                        return Ok(Some(Change::Fold));
                    }
                }
            }
        }
        if known.patterns.is_empty() || !known.fits(self.rw.body().operands(op).len(), self.rw.body().result_count(op))
        {
            return Ok(None);
        }
        if known.defined && self.rw.op(op).is_opaque()? || !known.takes_circles && uses_itself(self.rw.body(), op) {
            return Ok(None);
        }
        for pattern in &known.patterns {
            if self.rw.insertion_point() != Some(InsertionPoint::Before(op)) {
                self.rw.set_insertion_point_before(op)?;
            }
            self.rw.locate(self.rw.body().location(op));
            match pattern.rewrite(self.rw, op) {
                Ok(()) if pattern.is_fold => return Ok(Some(Change::Fold)),
                Ok(()) => return Ok(Some(Change::Pattern(pattern.name))),
                Err(NoMatch::Reason(_)) => {}
                Err(NoMatch::Error(error)) => {
                    let message = format!("the pattern `{}` failed: {error}", pattern.name);
                    return Err(error.wrapped(message));
                }
            }
        }
        Ok(None)
    }

    /// Whether the operation does nothing that anybody could see.
    fn is_dead(&mut self, op: OpId) -> Result<bool> {
        if self.rw.body().region_count_of(op) == 0 {
            return is_trivially_dead(self.rw.op(op));
        }
        let mut dead = std::mem::take(&mut self.list()?.dead);
        let is_dead = dead.is_dead(self.rw.op(op));
        self.list()?.dead = dead;
        is_dead
    }

    /// Finds the constants among the operands.
    fn find_constants(&mut self, op: OpId) -> Result<()> {
        let modified = &mut self.list()?.modified;
        if !modified.is_empty() {
            for op in std::mem::take(modified) {
                if let Some(value) = self.state.values.get_mut(op.index()) {
                    *value = None;
                }
            }
        }
        self.state.constants.clear();
        for number in 0..self.rw.body().operands(op).len() {
            let body = self.rw.body();
            let definer = body.operands(op).get(number).and_then(|&operand| body.defining_operation(operand));
            let constant = definer.and_then(|definer| self.constant(definer));
            self.state.constants.push(constant);
        }
        Ok(())
    }

    /// The constant that an operation is. What cannot be read is none.
    fn constant(&mut self, op: OpId) -> Option<Attribute> {
        if let Some(Some(known)) = self.state.values.get(op.index()) {
            return *known;
        }
        let known = self.state.knowledge.of(self.rw.context(), self.rw.body().name(op));
        let value = match known.traits.contains(Traits::CONSTANT_LIKE) {
            true => mlirbc_ir::constant_value(self.rw.op(op)).ok().flatten(),
            false => None,
        };
        let values = &mut self.state.values;
        if values.len() <= op.index() {
            values.resize(self.rw.body().operation_count(), None);
        }
        values[op.index()] = Some(value);
        value
    }

    /// Puts an operation on the list, and those that it stands in. In a list that is being `filled` these are there with the innermost.
    fn push(&mut self, op: OpId, filled: bool) -> Result<()> {
        let mut next = Some(op);
        while let Some(op) = next {
            if !self.list()?.push_one(op) && filled {
                break;
            }
            next = self.rw.body().parent(op);
        }
        Ok(())
    }
}

/// Every operation of the body, each behind what it holds.
fn postorder(rw: &Rewriter<'_>, order: &mut Vec<OpId>) {
    let body = rw.body();
    // Each with whether what it holds is in the list already.
    let mut left: Vec<(OpId, bool)> = Vec::new();
    let push = |regions: &mut dyn Iterator<Item = mlirbc_ir::RegionId>, left: &mut Vec<(OpId, bool)>| {
        let start = left.len();
        for region in regions {
            let ops = body.blocks(region).flat_map(|block| body.operations(block));
            left.extend(ops.map(|op| (op, false)));
        }
        left[start..].reverse();
    };
    push(&mut body.top_regions().iter().copied(), &mut left);
    while let Some((op, done)) = left.pop() {
        if done || body.region_count_of(op) == 0 {
            order.push(op);
            continue;
        }
        left.push((op, true));
        push(&mut body.regions(op), &mut left);
    }
}

/// Whether an operation is an operand of itself, as graph regions allow.
fn uses_itself(body: &Body, op: OpId) -> bool {
    body.operands(op).iter().any(|&operand| body.defining_operation(operand) == Some(op))
}
