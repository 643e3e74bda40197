//! Operations of one body made legal, one by one.

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;

use hashbrown::HashSet;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{BlockId, Error, OpId, OperationName, RegionId, Result, Rewriter, Value};

use super::log::{Change, Snapshot};
use super::order::{Tried, TriedPattern};
use super::pattern::Adaptor;
use super::rewriter::ConversionRewriter;
use super::state::Room;
use super::target::Legality;
use super::{Conversion, Mode};
use crate::fold::{Folded, apply};
use crate::known::{Knowledge, Known};
use crate::outcome::{NoMatch, Outcome};

/// So many operations are made legal for the sake of each other: patterns that go on beyond that do not end. To try others then could
/// take for ever.
const DEEPEST: usize = 256;

/// So often one operation is folded in place.
pub(super) const MOST_FOLDS: usize = 64;

/// What is known of operations, kept from body to body.
pub(super) struct Names<'c> {
    pub(super) knowledge: Option<Knowledge<'static>>,
    /// By number of the name, once asked.
    patterns: Vec<Option<&'c Tried>>,
    /// By number of the name, once asked: what the target says of all operations of that name, or that each is asked about.
    legality: RefCell<Vec<Option<Option<Legality>>>>,
    /// The numbers of the patterns that are being applied.
    applied: Vec<usize>,
    /// What stood for operands, to be filled anew.
    spare: Adaptor,
    /// The operations of a body, to be filled anew.
    ops: Vec<OpId>,
    pub(super) room: Room,
}

impl Names<'_> {
    pub(super) fn new() -> Self {
        Names {
            knowledge: None,
            patterns: Vec::new(),
            legality: RefCell::default(),
            applied: Vec::new(),
            spare: Adaptor::default(),
            ops: Vec::new(),
            room: Room::default(),
        }
    }
}

pub(super) struct Driver<'c, 'd, 'r, 'm> {
    conversion: &'c Conversion,
    pub(super) rw: ConversionRewriter<'r, 'm>,
    names: &'d mut Names<'c>,
    /// The name of the pattern that was applied last.
    last: &'static str,
    depth: usize,
    /// Why the last pattern that was tried did nothing, or why what it made may not be.
    reason: Option<Cow<'static, str>>,
}

/// What is left to be collected.
enum Left {
    Region(RegionId),
    Op(OpId),
}

/// All operations of these regions and in these that are in one body, each before what it holds; blocks in the order in which the first
/// leads to them, those that it does not lead to left out; and nothing in what `skip` says.
fn collect(rw: &Rewriter<'_>, regions: &[RegionId], skip: &dyn Fn(OpId) -> bool, ops: &mut Vec<OpId>) {
    let body = rw.body();
    let mut left = Vec::new();
    for &region in regions {
        collect_region(rw, region, &mut left, ops);
        while let Some(next) = left.pop() {
            match next {
                Left::Region(region) => collect_region(rw, region, &mut left, ops),
                Left::Op(op) => {
                    ops.push(op);
                    if body.region_count_of(op) > 0 && !skip(op) {
                        let start = left.len();
                        left.extend(body.regions(op).map(Left::Region));
                        left[start..].reverse();
                    }
                }
            }
        }
    }
}

/// The operations of a region, up to the first one that holds others: that and those behind it are left.
fn collect_region(rw: &Rewriter<'_>, region: RegionId, left: &mut Vec<Left>, ops: &mut Vec<OpId>) {
    let body = rw.body();
    let Some(first) = body.first_block(region) else { return };
    let mut collect = |inside: &mut dyn Iterator<Item = OpId>| {
        while let Some(op) = inside.next() {
            if body.region_count_of(op) > 0 {
                let start = left.len();
                left.push(Left::Op(op));
                left.extend(inside.map(Left::Op));
                left[start..].reverse();
                return;
            }
            ops.push(op);
        }
    };
    match body.last_block(region) == Some(first) {
        true => collect(&mut body.operations(first)),
        false => collect(&mut depth_first(rw, first).into_iter().flat_map(|block| body.operations(block))),
    }
}

/// The blocks that this one leads to: each is followed by those that its first successor leads to, then by those of the second.
fn depth_first(rw: &Rewriter<'_>, first: BlockId) -> Vec<BlockId> {
    let body = rw.body();
    let mut met: HashSet<BlockId> = HashSet::new();
    let (mut order, mut left) = (Vec::new(), vec![first]);
    while let Some(block) = left.pop() {
        if met.insert(block) {
            order.push(block);
            let successors = body.last_operation(block).map_or(&[][..], |last| body.successors(last));
            left.extend(successors.iter().rev().filter(|next| !met.contains(*next)));
        }
    }
    order
}

impl<'c, 'd, 'r, 'm> Driver<'c, 'd, 'r, 'm> {
    pub(super) fn new(conversion: &'c Conversion, names: &'d mut Names<'c>, rw: ConversionRewriter<'r, 'm>) -> Self {
        names.applied.clear();
        Driver { conversion, rw, names, last: "", depth: 0, reason: None }
    }

    /// Makes legal an operation and what is in it in this body.
    pub(super) fn run_on(&mut self, op: OpId) -> Result<()> {
        let mut ops = vec![op];
        if self.legality(op) != Legality::RecursivelyLegal {
            let regions: Vec<RegionId> = self.rw.body().regions(op).collect();
            self.collect(&regions, &mut ops);
        }
        self.convert_all(&ops)
    }

    /// Makes legal all of the body.
    pub(super) fn run(&mut self) -> Result<()> {
        let mut ops = std::mem::take(&mut self.names.ops);
        ops.clear();
        self.collect(self.rw.body().top_regions(), &mut ops);
        let done = self.convert_all(&ops);
        self.names.ops = ops;
        done
    }

    fn collect(&self, regions: &[RegionId], ops: &mut Vec<OpId>) {
        collect(self.rw.rw, regions, &|op| self.legality(op) == Legality::RecursivelyLegal, ops);
    }

    pub(super) fn legality(&self, op: OpId) -> Legality {
        let (name, target) = (self.rw.body().name(op), &self.conversion.target);
        let mut known = self.names.legality.borrow_mut();
        let at = name.raw() as usize;
        if known.len() <= at {
            known.resize(at + 1, None);
        }
        let of_all = known[at].get_or_insert_with(|| target.legality_of_all(&self.rw.op(op).name()));
        match *of_all {
            Some(legality) => legality,
            None => {
                drop(known);
                target.legality(self.rw.op(op))
            }
        }
    }

    fn convert_all(&mut self, ops: &[OpId]) -> Result<()> {
        for &op in ops {
            self.reason = None;
            if self.rw.body().is_erased(op) || self.legalize(op)? {
                continue;
            }
            let is_illegal = match (self.conversion.mode, self.legality(op)) {
                (Mode::Full, _) => false,
                (Mode::Partial, Legality::Illegal) => true,
                (Mode::Partial, _) => continue,
            };
            let why = self.conversion.target.explain(self.rw.op(op)).map(Cow::from);
            let reason = match (self.reason.take(), why) {
                (Some(Cow::Borrowed(reason)), Some(why)) => Some(format!("{reason}: {why}").into()),
                (reason, why) => reason.or(why),
            };
            return Err(super::not_legalized(self.rw.op(op), is_illegal, reason.as_deref()));
        }
        Ok(())
    }

    /// Makes an operation legal, or says that it cannot be: what was tried is undone, but for what was folded in place.
    fn legalize(&mut self, op: OpId) -> Result<bool> {
        match self.legality(op) {
            Legality::Legal => return Ok(true),
            Legality::RecursivelyLegal => {
                let body = self.rw.body();
                let inside: Vec<OpId> = body.preorder_of(op).filter(|&inner| inner != op).collect();
                let ignored = &mut self.rw.state.ignored;
                let inside: Vec<OpId> = inside.into_iter().filter(|&inner| ignored.insert(inner)).collect();
                if !inside.is_empty() {
                    self.rw.note(Change::Ignored(inside))?;
                }
                return Ok(true);
            }
            Legality::Illegal | Legality::Unknown => {}
        }
        if self.rw.state.replaced.contains(op) || self.rw.state.ignored.contains(op) {
            return Ok(true);
        }
        if self.depth >= DEEPEST {
            let message = format!(
                "`{}` is the last of {DEEPEST} patterns, each applied to what came of the one before",
                self.last
            );
            return Err(Error::misuse(message));
        }
        self.depth += 1;
        let done = self.legalize_unknown(op);
        self.depth -= 1;
        done
    }

    fn legalize_unknown(&mut self, op: OpId) -> Result<bool> {
        match self.fold(op)? {
            Some(true) => return Ok(true),
            // Folded in place: it may be legal now.
            Some(false) if matches!(self.legality(op), Legality::Legal | Legality::RecursivelyLegal) => {
                return self.legalize(op);
            }
            Some(false) | None => {}
        }
        self.apply_patterns(op)
    }

    /// Folds an operation: `true` where it is replaced, `false` where it was changed in place.
    fn fold(&mut self, op: OpId) -> Result<Option<bool>> {
        let known = self.rw.known(self.rw.body().name(op));
        if !known.may_fold() || known.traits.contains(Traits::CONSTANT_LIKE) {
            return Ok(None);
        }
        let start = self.rw.change_count()?;
        let mut was = Some(Box::new(Snapshot::of(self.rw.body(), op)));
        let mut folded = Folded::InPlace;
        for _ in 0..MOST_FOLDS {
            let constants = self.rw.constants_of(op);
            folded = apply::fold(self.rw.rw, op, &known, &constants)?;
            if folded != Folded::InPlace {
                break;
            }
            // Undone too where what it folds to in the end cannot be made legal.
            if let Some(was) = was.take() {
                self.rw.note(Change::Modified(op, was))?;
            }
        }
        let changed = was.is_none();
        if matches!(folded, Folded::No | Folded::InPlace) {
            return Ok(changed.then_some(false));
        }
        let Some(values) = self.materialized(op, &known, &folded)? else {
            self.rw.undo_to(start)?;
            return Ok(None);
        };
        self.rw.types = None;
        let results: Vec<Value> = self.rw.body().results(op).collect();
        let mut by = Vec::with_capacity(values.len());
        for (&result, value) in results.iter().zip(values) {
            by.push(self.rw.state.mapping.fold(result, value));
        }
        if results.iter().any(|result| by.contains(result)) {
            // Values that fold to each other, where nothing leads.
            results.iter().for_each(|&result| self.rw.state.mapping.unfold(result));
            self.rw.undo_to(start)?;
            return Ok(None);
        }
        self.rw.replace(op, by)?;
        let end = self.rw.change_count()?;
        if !self.legalize_created(start..end)? {
            self.rw.undo_to(start)?;
            return Ok(None);
        }
        Ok(Some(true))
    }

    /// The values that a fold gives, with its constants made before the operation. What was made stays where it gives none.
    fn materialized(&mut self, op: OpId, known: &Known, folded: &Folded) -> Result<Option<Vec<Value>>> {
        let Some(list) = apply::results(folded) else { return Ok(None) };
        self.rw.rw.set_insertion_point_before(op)?;
        let location = self.rw.body().location(op);
        self.rw.rw.locate(location);
        Ok(apply::constants(self.rw.rw, op, known, list)?.ok())
    }

    /// The operations that were made by these changes.
    fn created_in(&mut self, changes: Range<usize>) -> Result<Vec<OpId>> {
        let made = self.rw.log()?.changes.get(changes).unwrap_or_default().iter().filter_map(|change| match change {
            Change::Created(op) => Some(*op),
            _ => None,
        });
        Ok(made.collect())
    }

    fn patterns_of(&mut self, name: OperationName) -> &'c Tried {
        let at = name.raw() as usize;
        if let Some(&Some(known)) = self.names.patterns.get(at) {
            return known;
        }
        let found = self.conversion.order.of(&self.rw.context().operation_str(name));
        if self.names.patterns.len() <= at {
            self.names.patterns.resize(at + 1, None);
        }
        self.names.patterns[at] = Some(found);
        found
    }

    fn apply_patterns(&mut self, op: OpId) -> Result<bool> {
        let name = self.rw.body().name(op);
        let patterns = self.patterns_of(name);
        if patterns.is_empty() {
            return Ok(false);
        }
        let known = self.rw.known(name);
        if !known.fits(self.rw.body().operands(op).len(), self.rw.body().result_count(op)) {
            return Ok(false);
        }
        for tried in patterns.iter() {
            let bounded = tried.pattern.bounded;
            if !bounded {
                if self.names.applied.contains(&tried.number) {
                    continue;
                }
                self.names.applied.push(tried.number);
            }
            let start = self.rw.change_count()?;
            let applied = self.apply(op, tried, start);
            if !bounded {
                self.names.applied.pop();
            }
            match applied? {
                true => return Ok(true),
                false => self.rw.undo_to(start)?,
            }
        }
        Ok(false)
    }

    /// Applies a pattern, and makes legal what comes of it.
    fn apply(&mut self, op: OpId, tried: &TriedPattern, start: usize) -> Result<bool> {
        self.last = tried.pattern.name;
        match self.convert(op, tried) {
            Ok(()) => self.legalize_outcome(op, start),
            Err(NoMatch::Reason(reason)) => {
                self.reason = Some(reason.into());
                Ok(false)
            }
            Err(NoMatch::Error(error)) => {
                let (op, name) = (self.rw.op(op), tried.pattern.name);
                let message = format!("the pattern `{name}` failed on '{}': {error}{}", op.name(), super::place(op));
                Err(error.wrapped(message))
            }
        }
    }

    fn convert(&mut self, op: OpId, tried: &TriedPattern) -> Outcome {
        let mut operands = std::mem::take(&mut self.names.spare);
        let outcome = self.convert_with(op, tried, &mut operands);
        self.names.spare = operands;
        outcome
    }

    fn convert_with(&mut self, op: OpId, tried: &TriedPattern, operands: &mut Adaptor) -> Outcome {
        let location = self.rw.body().location(op);
        self.rw.types = tried.types;
        operands.clear();
        for number in 0..self.rw.body().operands(op).len() {
            let operand = self.rw.body().operands(op)[number];
            operands.push(|values| self.rw.remap(operand, location, values))?;
        }
        self.rw.rw.set_insertion_point_before(op)?;
        self.rw.rw.locate(location);
        tried.pattern.convert(&mut self.rw, op, operands)
    }

    /// Makes legal what a pattern made and changed.
    fn legalize_outcome(&mut self, root: OpId, start: usize) -> Result<bool> {
        let end = self.rw.change_count()?;
        let is_other =
            |change: &Change| matches!(change, Change::BlockCreated(_) | Change::BlockMoved(..) | Change::Modified(..));
        // Mostly it made operations alone.
        if self.rw.log()?.changes[start.min(end)..].iter().any(is_other) && !self.legalize_others(root, start..end)? {
            return Ok(false);
        }
        self.legalize_created(start..end)
    }

    /// Makes legal what a pattern made and changed, but for operations that it made.
    fn legalize_others(&mut self, root: OpId, changes: Range<usize>) -> Result<bool> {
        let (mut blocks, mut modified) = (Vec::new(), Vec::new());
        let (mut met, mut met_blocks) = (HashSet::new(), HashSet::new());
        for change in &self.rw.log()?.changes[changes.clone()] {
            match change {
                Change::BlockCreated(block) | Change::BlockMoved(block, ..) if met_blocks.insert(*block) => {
                    blocks.push(*block);
                }
                Change::Modified(op, _) if met.insert(*op) => modified.push(*op),
                _ => {}
            }
        }
        if !blocks.is_empty() {
            let created = self.created_in(changes)?;
            if !self.legalize_blocks(root, blocks, &created)? {
                return Ok(false);
            }
        }
        self.legalize_each(modified)
    }

    /// Makes legal what was made by these changes, which stay where they are while that succeeds.
    fn legalize_created(&mut self, changes: Range<usize>) -> Result<bool> {
        for at in changes {
            if let Some(&Change::Created(op)) = self.rw.log()?.changes.get(at)
                && !self.rw.body().is_erased(op)
                && !self.legalize(op)?
            {
                let why = self.conversion.target.explain(self.rw.op(op)).map(Cow::from);
                self.reason = why.or(self.reason.take());
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn legalize_each(&mut self, ops: Vec<OpId>) -> Result<bool> {
        for op in ops {
            if !self.rw.body().is_erased(op) && !self.legalize(op)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Converts the arguments of blocks that a pattern made or moved, or makes legal what they are in.
    fn legalize_blocks(&mut self, root: OpId, blocks: Vec<BlockId>, created: &[OpId]) -> Result<bool> {
        let mut met: HashSet<OpId> = created.iter().copied().collect();
        for block in blocks {
            let body = self.rw.body();
            let Some(region) = body.region_of(block) else { continue };
            let parent = body.operation_of(region);
            let is_limbo = self.rw.state.limbo.is_some_and(|limbo| limbo.1 == region);
            if is_limbo || parent == Some(root) || body.arguments(block).is_empty() {
                continue;
            }
            if let Some(types) = self.rw.state.regions.get(region.index()).copied() {
                match self.rw.signature_of(block, types) {
                    Ok(signature) => self.rw.convert_block(block, &signature, Some(types))?,
                    Err(NoMatch::Reason(_)) => return Ok(false),
                    Err(NoMatch::Error(error)) => return Err(error),
                };
            } else if let Some(parent) = parent
                && met.insert(parent)
                && !self.legalize(parent)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
