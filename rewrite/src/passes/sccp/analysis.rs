//! Which values are constant, and what is executed at all: found out together, over all bodies (`mlir/Analysis/DataFlow`).
//!
//! It begins with the belief that nothing is executed and goes on from the first blocks that are: what is met pushes what it hands on
//! to where that goes, until nothing changes.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use mlirbc_ir::interfaces::{all_successor_operands, callable_region, is_callable};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Attribute, BlockId, BodyId, OpId, OpRef, RegionId, Result, Rewriter, Value};

use super::kinds::{Kind, Kinds};
use super::lattice::Lattice;
use super::survey::{Place, Survey};
use crate::fold::{FoldResult, Folded, apply};
use crate::known::Knowledge;

/// A body, and what is known of it.
pub(super) struct Unit<'m> {
    pub(super) rw: Rewriter<'m>,
    values: Vec<Lattice>,
    /// By block: whether it is executed.
    live: Vec<bool>,
    /// The ways between blocks that are taken.
    edges: HashSet<(BlockId, BlockId)>,
    /// By operation: whether it waits to be looked at.
    waits: Vec<bool>,
    /// Operations that fold to a value that is none of their operands, by value, and which these are.
    dependents: HashMap<Value, Vec<OpId>>,
    dependent: HashSet<(Value, OpId)>,
    /// The operation that holds the body.
    owner: Option<Place>,
}

impl<'m> Unit<'m> {
    pub(super) fn new(mut rw: Rewriter<'m>) -> Self {
        rw.build_uses();
        let body = rw.body();
        let (values, blocks, ops) = (body.value_count(), body.block_count(), body.operation_count());
        let owner = rw.module().owner(rw.body_id());
        Unit {
            rw,
            values: vec![Lattice::Nothing; values],
            live: vec![false; blocks],
            edges: HashSet::new(),
            waits: vec![false; ops],
            dependents: HashMap::new(),
            dependent: HashSet::new(),
            owner,
        }
    }

    /// What is known of a value.
    pub(super) fn value(&self, value: Value) -> Lattice {
        self.values.get(value.index()).copied().unwrap_or_default()
    }
}

/// What is known of something that can be called.
#[derive(Default)]
struct Function {
    /// Whether it is executed.
    live: bool,
    /// The calls that are executed.
    sites: Vec<Place>,
    /// What it gives back.
    results: Vec<Lattice>,
    /// Whether that is not told by what ends its blocks.
    opaque: bool,
}

pub(super) struct Analysis<'m, 'k> {
    pub(super) units: Vec<Unit<'m>>,
    pub(super) knowledge: Knowledge<'k>,
    numbers: HashMap<BodyId, usize>,
    survey: Survey,
    kinds: Kinds,
    functions: HashMap<Place, Function>,
    /// Calls that are executed.
    calls: HashSet<Place>,
    /// Operations to be looked at.
    waiting: VecDeque<Place>,
}

/// The first block of a region.
type Entry = (BodyId, BlockId);

impl<'m, 'k> Analysis<'m, 'k> {
    pub(super) fn new(units: Vec<Unit<'m>>, survey: Survey, kinds: Kinds, knowledge: Knowledge<'k>) -> Self {
        let numbers = units.iter().enumerate().map(|(number, unit)| (unit.rw.body_id(), number)).collect();
        let (functions, calls, waiting) = (HashMap::new(), HashSet::new(), VecDeque::new());
        Analysis { units, knowledge, numbers, survey, kinds, functions, calls, waiting }
    }

    /// Finds out about all bodies, of which the first one is executed with any arguments.
    pub(super) fn run(&mut self) -> Result<()> {
        let Some(first) = self.units.first() else { return Ok(()) };
        let body = first.rw.body_id();
        for region in first.rw.body().top_regions().to_vec() {
            if let Some(entry) = self.first_block(body, region) {
                self.enter(entry);
                self.anything_in(entry, &[]);
            }
        }
        while let Some((body, op)) = self.waiting.pop_front() {
            self.unit(body).waits[op.index()] = false;
            self.visit(body, op)?;
        }
        Ok(())
    }

    /// What is known of one of the bodies.
    fn unit(&mut self, body: BodyId) -> &mut Unit<'m> {
        let number = self.numbers[&body];
        &mut self.units[number]
    }

    fn find(&self, body: BodyId) -> Option<&Unit<'m>> {
        self.numbers.get(&body).map(|&number| &self.units[number])
    }

    fn wait(&mut self, (body, op): Place) {
        if !std::mem::replace(&mut self.unit(body).waits[op.index()], true) {
            self.waiting.push_back((body, op));
        }
    }

    /// From now on the block is executed.
    fn enter(&mut self, (body, block): Entry) {
        let unit = self.unit(body);
        if std::mem::replace(&mut unit.live[block.index()], true) {
            return;
        }
        let ops: Vec<OpId> = unit.rw.body().operations(block).collect();
        ops.into_iter().for_each(|op| self.wait((body, op)));
    }

    /// Adds to what a value may be.
    fn join(&mut self, body: BodyId, value: Value, lattice: Lattice) {
        let unit = self.unit(body);
        let Some(known) = unit.values.get_mut(value.index()) else { return };
        let joined = known.join(lattice);
        if joined == *known {
            return;
        }
        *known = joined;
        let mut users: Vec<OpId> = unit.rw.body().uses_of(value).map(|use_| use_.op).collect();
        users.extend(unit.dependents.get(&value).into_iter().flatten());
        users.into_iter().for_each(|user| self.wait((body, user)));
    }

    /// The arguments of a block may be anything, but for those.
    fn anything_in(&mut self, (body, block): Entry, but: &[Value]) {
        let arguments = self.unit(body).rw.body().arguments(block).to_vec();
        for argument in arguments.into_iter().filter(|argument| !but.contains(argument)) {
            self.join(body, argument, Lattice::Anything);
        }
    }

    /// Hands values on.
    fn hand_on(&mut self, (from, values): (BodyId, &[Value]), (to, takers): (BodyId, &[Value])) {
        for (&value, &taker) in values.iter().zip(takers) {
            let lattice = self.unit(from).value(value);
            self.join(to, taker, lattice);
        }
    }

    fn visit(&mut self, body: BodyId, op: OpId) -> Result<()> {
        let Analysis { units, numbers, kinds, .. } = self;
        let unit = &units[numbers[&body]];
        let view = unit.rw.op(op);
        let Some(block) = view.body().block_of(op).filter(|block| unit.live[block.index()]) else { return Ok(()) };
        let kind = kinds.of(view);
        let operands = view.operands().iter().map(|&operand| match unit.value(operand) {
            Lattice::Nothing => None,
            Lattice::Constant(attribute, _) => Some(Some(attribute)),
            Lattice::Anything => Some(None),
        });
        // None where one of them is not computed.
        let constants: Option<Vec<Option<Attribute>>> = operands.collect();
        let regions = view.body().view(op).region_count();
        let is_end = view.body().last_operation(block) == Some(op);
        let successors = view.body().successors(op).len();
        if kind.call.is_some() {
            self.call(body, op, &kind)?;
        }
        if regions > 0 {
            self.regions(body, op, &kind, constants.as_deref())?;
        }
        if is_end && successors == 0 {
            self.end(body, op, &kind, constants.as_deref())?;
        }
        if successors > 0 {
            self.branch(body, op, &kind, constants.as_deref())?;
        }
        if regions == 0 && kind.call.is_none() {
            self.compute(body, op, &kind, constants.as_deref())?;
        }
        Ok(())
    }

    fn results(&mut self, body: BodyId, op: OpId) -> Vec<Value> {
        self.unit(body).rw.body().results(op).collect()
    }

    fn any_results(&mut self, body: BodyId, op: OpId, but: &[Value]) {
        for result in self.results(body, op).into_iter().filter(|result| !but.contains(result)) {
            self.join(body, result, Lattice::Anything);
        }
    }

    // Calls.

    fn call(&mut self, body: BodyId, op: OpId, kind: &Kind) -> Result<()> {
        let Some(&callee) = self.survey.callees.get(&(body, op)) else {
            self.any_results(body, op, &[]);
            return Ok(());
        };
        let function = self.functions.entry(callee).or_default();
        if self.calls.insert((body, op)) {
            function.sites.push((body, op));
        }
        let (live, opaque, results) = (function.live, function.opaque, function.results.clone());
        if live {
            self.arguments(callee, (body, op), kind)?;
        }
        self.wait(callee);
        if opaque {
            self.any_results(body, op, &[]);
        }
        for (result, lattice) in self.results(body, op).into_iter().zip(results) {
            self.join(body, result, lattice);
        }
        Ok(())
    }

    /// Hands the operands of a call to what it calls.
    fn arguments(&mut self, callee: Place, (body, op): Place, kind: &Kind) -> Result<()> {
        if self.survey.called_by_others.contains(&callee) {
            return Ok(());
        }
        let (Some(call), Some(entry)) = (&kind.call, self.entry_of(callee)?) else { return Ok(()) };
        let arguments = call.arguments(self.unit(body).rw.op(op))?;
        let takers = self.unit(entry.0).rw.body().arguments(entry.1).to_vec();
        self.hand_on((body, &arguments), (entry.0, &takers));
        Ok(())
    }

    /// The first block of what is executed of something that is called.
    fn entry_of(&mut self, (body, op): Place) -> Result<Option<Entry>> {
        let Some(unit) = self.find(body) else { return Ok(None) };
        let Some(number) = self.region_called(unit.rw.op(op))? else { return Ok(None) };
        Ok(self.regions_of(body, op).get(number).and_then(|&(body, region)| self.first_block(body, region)))
    }

    /// As [`callable_region`], which cannot see into bodies that are analysed.
    fn region_called(&self, op: OpRef<'_>) -> Result<Option<usize>> {
        if op.body().region_body(op.id()).is_some() && op.interface::<dyn mlirbc_ir::interfaces::Callable>().is_none() {
            return Ok(is_callable(op).then_some(0));
        }
        callable_region(op)
    }

    fn regions_of(&self, body: BodyId, op: OpId) -> Vec<(BodyId, RegionId)> {
        let Some(unit) = self.find(body) else { return Vec::new() };
        let body_of = unit.rw.body();
        match body_of.region_body(op) {
            None => body_of.regions(op).map(|region| (body, region)).collect(),
            Some(inner) => {
                let regions = self.find(inner).map_or(&[][..], |unit| unit.rw.body().top_regions());
                regions.iter().map(|&region| (inner, region)).collect()
            }
        }
    }

    fn first_block(&self, body: BodyId, region: RegionId) -> Option<Entry> {
        self.find(body)?.rw.body().first_block(region).map(|block| (body, block))
    }

    // Regions.

    fn regions(&mut self, body: BodyId, op: OpId, kind: &Kind, constants: Option<&[Option<Attribute>]>) -> Result<()> {
        if let Some(branch) = &kind.region_branch {
            let Some(constants) = constants else { return Ok(()) };
            for to in branch.entry_successors(self.unit(body).rw.op(op), constants)? {
                let operands = branch.entry_operands(self.unit(body).rw.op(op), &to)?;
                let operands = self.unit(body).rw.body().operands(op).get(operands).unwrap_or_default().to_vec();
                self.go_to(body, op, to.region, &operands, &to.inputs);
            }
            return Ok(());
        }
        if is_callable(self.unit(body).rw.op(op)) {
            return self.called(body, op);
        }
        for (body, region) in self.regions_of(body, op) {
            if let Some(entry) = self.first_block(body, region) {
                self.enter(entry);
                self.anything_in(entry, &[]);
            }
        }
        self.any_results(body, op, &[]);
        Ok(())
    }

    /// Control goes on to a region of an operation, or behind it.
    fn go_to(&mut self, body: BodyId, op: OpId, region: Option<usize>, operands: &[Value], inputs: &[Value]) {
        let fits = operands.len() == inputs.len();
        let taken = if fits { inputs } else { &[] };
        match region {
            None => self.any_results(body, op, taken),
            Some(number) => {
                let region = self.regions_of(body, op).get(number).copied();
                let Some(entry) = region.and_then(|(body, region)| self.first_block(body, region)) else { return };
                self.enter(entry);
                self.anything_in(entry, taken);
            }
        }
        if fits {
            self.hand_on((body, operands), (body, inputs));
        }
    }

    /// Looks at what can be called.
    fn called(&mut self, body: BodyId, op: OpId) -> Result<()> {
        let place = (body, op);
        self.any_results(body, op, &[]);
        let by_others = self.survey.called_by_others.contains(&place);
        let function = self.functions.entry(place).or_default();
        if function.live || function.sites.is_empty() && !by_others {
            return Ok(());
        }
        function.live = true;
        let sites = function.sites.clone();
        let Some(entry) = self.entry_of(place)? else { return Ok(()) };
        self.enter(entry);
        if by_others {
            self.anything_in(entry, &[]);
        }
        for (body, op) in sites {
            let kind = self.kind(body, op);
            self.arguments(place, (body, op), &kind)?;
        }
        Ok(())
    }

    fn kind(&mut self, body: BodyId, op: OpId) -> Rc<Kind> {
        let Analysis { units, numbers, kinds, .. } = self;
        kinds.of(units[numbers[&body]].rw.op(op))
    }

    /// Looks at what ends a block and goes on to no other.
    fn end(&mut self, body: BodyId, op: OpId, kind: &Kind, constants: Option<&[Option<Attribute>]>) -> Result<()> {
        let unit = self.unit(body);
        let region = unit.rw.body().block_of(op).and_then(|block| unit.rw.body().region_of(block));
        let Some(region) = region else { return Ok(()) };
        let parent = unit.rw.body().operation_of(region).map(|parent| (body, parent)).or(unit.owner);
        let Some((holder, parent)) = parent.filter(|parent| self.numbers.contains_key(&parent.0)) else {
            return Ok(());
        };
        let parent_kind = self.kind(holder, parent);
        let return_like = kind.traits.contains(Traits::RETURN_LIKE);
        if let Some(branch) = &parent_kind.region_branch {
            let (Some(constants), true) = (constants, return_like || kind.region_terminator.is_some()) else {
                return Ok(());
            };
            let number = self.regions_of(holder, parent).iter().position(|&inside| inside == (body, region));
            for to in branch.successors(self.unit(holder).rw.op(parent), number)? {
                let op_ref = self.unit(body).rw.op(op);
                let operands = match &kind.region_terminator {
                    Some(end) if !end.may_go_to(op_ref, to.region, constants)? => continue,
                    Some(end) => end.forwarded(op_ref, &to)?,
                    None => 0..op_ref.operands().len(),
                };
                let operands = op_ref.operands().get(operands).unwrap_or_default().to_vec();
                self.go_to(holder, parent, to.region, &operands, &to.inputs);
            }
            return Ok(());
        }
        if !is_callable(self.unit(holder).rw.op(parent)) {
            return Ok(());
        }
        let operands: Vec<Lattice> = {
            let unit = self.unit(body);
            unit.rw.body().operands(op).iter().map(|&operand| unit.value(operand)).collect()
        };
        let function = self.functions.entry((holder, parent)).or_default();
        let mut changed = !return_like && !std::mem::replace(&mut function.opaque, true);
        if return_like {
            for (number, lattice) in operands.into_iter().enumerate() {
                match function.results.get_mut(number) {
                    Some(known) => {
                        let joined = known.join(lattice);
                        changed |= joined != *known;
                        *known = joined;
                    }
                    None => {
                        changed = true;
                        function.results.push(lattice);
                    }
                }
            }
        }
        if changed {
            function.sites.clone().into_iter().for_each(|site| self.wait(site));
        }
        Ok(())
    }

    // Branches and computations.

    fn branch(&mut self, body: BodyId, op: OpId, kind: &Kind, constants: Option<&[Option<Attribute>]>) -> Result<()> {
        let rw = &self.unit(body).rw;
        let Some(block) = rw.body().block_of(op) else { return Ok(()) };
        let successors = rw.body().successors(op).to_vec();
        let handed = all_successor_operands(rw.op(op))?;
        let is_known = handed.iter().all(Option::is_some);
        let mut taken: Vec<BlockId> = Vec::new();
        match constants {
            Some(constants) if is_known => {
                let one = kind.branch.as_ref().map(|branch| branch.successor_for(rw.op(op), constants)).transpose()?;
                match one.flatten().and_then(|number| successors.get(number)) {
                    Some(&one) => taken.push(one),
                    None => taken.extend(&successors),
                }
            }
            // It waits for its operands.
            None if is_known => {}
            _ => taken.extend(&successors),
        }
        for successor in taken {
            self.unit(body).edges.insert((block, successor));
            self.enter((body, successor));
        }
        for (&successor, handed) in successors.iter().zip(handed) {
            let unit = self.unit(body);
            if !unit.edges.contains(&(block, successor)) {
                continue;
            }
            let Some(handed) = handed else {
                self.anything_in((body, successor), &[]);
                continue;
            };
            let operands = unit.rw.body().operands(op).get(handed.forwarded).unwrap_or_default().to_vec();
            let arguments = unit.rw.body().arguments(successor).to_vec();
            let (made, taken) = arguments.split_at(handed.produced.min(arguments.len()));
            self.hand_on((body, &operands), (body, taken));
            for &argument in made.iter().chain(taken.get(operands.len()..).unwrap_or_default()) {
                self.join(body, argument, Lattice::Anything);
            }
        }
        Ok(())
    }

    /// What the operation folds to.
    fn compute(&mut self, body: BodyId, op: OpId, kind: &Kind, constants: Option<&[Option<Attribute>]>) -> Result<()> {
        let Some(constants) = constants else { return Ok(()) };
        let number = self.numbers[&body];
        let rw = &mut self.units[number].rw;
        if rw.body().result_count(op) == 0 {
            return Ok(());
        }
        let name = rw.body().name(op);
        if kind.traits.contains(Traits::CONSTANT_LIKE)
            && let Some(value) = mlirbc_ir::constant_value(rw.op(op))?
        {
            let result = rw.result(op, 0)?;
            self.join(body, result, Lattice::Constant(value, name));
            return Ok(());
        }
        let known = self.knowledge.of(rw.context(), name);
        let folded = if known.may_fold() { simulate(rw, op, &known, constants)? } else { Folded::No };
        let results = match folded {
            Folded::No | Folded::InPlace => {
                self.any_results(body, op, &[]);
                return Ok(());
            }
            Folded::Result(result) => vec![result],
            Folded::Results(results) => results,
        };
        for (result, folded) in self.results(body, op).into_iter().zip(results) {
            let lattice = match folded {
                FoldResult::Attribute(attribute) => Lattice::Constant(attribute, name),
                FoldResult::Value(value) => {
                    let unit = self.unit(body);
                    if !unit.rw.body().operands(op).contains(&value) && unit.dependent.insert((value, op)) {
                        unit.dependents.entry(value).or_default().push(op);
                    }
                    unit.value(value)
                }
            };
            self.join(body, result, lattice);
        }
        Ok(())
    }
}

/// Folds an operation, of which nothing changes.
fn simulate(
    rw: &mut Rewriter<'_>,
    op: OpId,
    known: &crate::known::Known,
    constants: &[Option<Attribute>],
) -> Result<Folded> {
    let operands = rw.body().operands(op).to_vec();
    let (attributes, properties) = (rw.body().attributes(op), rw.body().properties(op));
    let folded = apply::fold(rw, op, known, constants)?;
    if rw.body().operands(op) != operands {
        rw.set_operands(op, &operands)?;
    }
    if rw.body().attributes(op) != attributes {
        rw.set_attributes(op, attributes)?;
    }
    if rw.body().properties(op) != properties {
        rw.set_properties(op, properties)?;
    }
    Ok(folded)
}
