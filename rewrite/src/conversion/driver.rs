//! Operations of one body made legal, one by one.

use std::cell::RefCell;

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Attribute, BlockId, Error, OpId, OperationName, RegionId, Result, Rewriter, Value};

use super::log::{Change, Snapshot};
use super::order::Tried;
use super::pattern::{Adaptor, ConversionPattern};
use super::rewriter::ConversionRewriter;
use super::target::Legality;
use super::{Conversion, Mode};
use crate::fold::{Folded, apply};
use crate::known::{Knowledge, Known};
use crate::outcome::{NoMatch, Outcome};

/// So many operations are made legal for the sake of each other: patterns that go on beyond that do not end. To try others then could
/// take for ever.
const DEEPEST: usize = 256;

/// So often one operation is folded in place.
const MOST_FOLDS: usize = 64;

/// What is known of operations, kept from body to body.
pub(super) struct Names {
    knowledge: Knowledge<'static>,
    patterns: HashMap<OperationName, Tried>,
    /// By number of the name, once asked: what the target says of all operations of that name, or that each is asked about.
    legality: RefCell<Vec<Option<Option<Legality>>>>,
}

impl Names {
    pub(super) fn new() -> Self {
        Names { knowledge: Knowledge::of_folds(), patterns: HashMap::new(), legality: RefCell::default() }
    }
}

pub(super) struct Driver<'d, 'r, 'm> {
    conversion: &'d Conversion,
    pub(super) rw: ConversionRewriter<'r, 'm>,
    names: &'d mut Names,
    /// The numbers of the patterns that are being applied.
    applied: HashSet<usize>,
    /// The name of the pattern that was applied last.
    last: &'static str,
    depth: usize,
    /// Why the last pattern that was tried did nothing.
    reason: Option<&'static str>,
}

/// All operations of these and in these that are in one body, each before what it holds; blocks in the order in which the first leads to
/// them, those that it does not lead to left out; and nothing in what `skip` says.
fn collect(
    rw: &Rewriter<'_>,
    regions: impl IntoIterator<Item = RegionId>,
    skip: &mut dyn FnMut(OpId) -> bool,
) -> Vec<OpId> {
    enum Left {
        Region(RegionId),
        Op(OpId),
    }
    let body = rw.body();
    let mut left: Vec<Left> = regions.into_iter().map(Left::Region).collect();
    left.reverse();
    let mut ops = Vec::new();
    while let Some(next) = left.pop() {
        let start = left.len();
        match next {
            Left::Region(region) => {
                let blocks = depth_first(rw, region);
                left.extend(blocks.into_iter().flat_map(|block| body.operations(block)).map(Left::Op));
            }
            Left::Op(op) => {
                ops.push(op);
                if body.region_count_of(op) == 0 || skip(op) {
                    continue;
                }
                left.extend(body.regions(op).map(Left::Region));
            }
        }
        left[start..].reverse();
    }
    ops
}

/// The blocks of a region that the first one leads to: each is followed by those that its first successor leads to, then by those of the
/// second.
fn depth_first(rw: &Rewriter<'_>, region: RegionId) -> Vec<BlockId> {
    let body = rw.body();
    let Some(first) = body.first_block(region) else { return Vec::new() };
    if body.last_block(region) == Some(first) {
        return vec![first];
    }
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

impl<'d, 'r, 'm> Driver<'d, 'r, 'm> {
    pub(super) fn new(conversion: &'d Conversion, names: &'d mut Names, rw: ConversionRewriter<'r, 'm>) -> Self {
        names.knowledge.begin_body();
        Driver { conversion, rw, names, applied: HashSet::new(), last: "", depth: 0, reason: None }
    }

    /// Makes legal an operation and what is in it in this body.
    pub(super) fn run_on(&mut self, op: OpId) -> Result<()> {
        let mut ops = vec![op];
        if self.legality(op) != Legality::RecursivelyLegal {
            let regions: Vec<RegionId> = self.rw.body().regions(op).collect();
            ops.extend(self.collect(regions));
        }
        self.convert_all(ops)
    }

    /// Makes legal all of the body.
    pub(super) fn run(&mut self) -> Result<()> {
        let regions = self.rw.body().top_regions().to_vec();
        let ops = self.collect(regions);
        self.convert_all(ops)
    }

    fn collect(&self, regions: Vec<RegionId>) -> Vec<OpId> {
        collect(self.rw.rw, regions, &mut |op| self.legality(op) == Legality::RecursivelyLegal)
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

    fn convert_all(&mut self, ops: Vec<OpId>) -> Result<()> {
        for op in ops {
            self.reason = None;
            if self.rw.body().is_erased(op) || self.legalize(op)? {
                continue;
            }
            let is_illegal = match (self.conversion.mode, self.legality(op)) {
                (Mode::Full, _) => false,
                (Mode::Partial, Legality::Illegal) => true,
                (Mode::Partial, _) => continue,
            };
            return Err(super::not_legalized(self.rw.op(op), is_illegal, self.reason));
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
        if self.rw.state.replaced.contains(&op) || self.rw.state.ignored.contains(&op) {
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
        let known = self.names.knowledge.of(self.rw.context(), self.rw.body().name(op));
        if !known.may_fold() || known.traits.contains(Traits::CONSTANT_LIKE) {
            return Ok(None);
        }
        let start = self.rw.change_count()?;
        let mut was = Some(Box::new(Snapshot::of(self.rw.body(), op)));
        let mut folded = Folded::InPlace;
        for _ in 0..MOST_FOLDS {
            let constants = self.constants_of(op);
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
        for made in self.created_since(start)? {
            if !self.legalize(made)? {
                self.rw.undo_to(start)?;
                return Ok(None);
            }
        }
        Ok(Some(true))
    }

    /// The constants that the operands of an operation are, as they were before the conversion.
    fn constants_of(&self, op: OpId) -> Vec<Option<Attribute>> {
        let body = self.rw.body();
        let constant = |&operand: &Value| {
            // What cannot be read is no constant.
            mlirbc_ir::constant_value(self.rw.op(body.defining_operation(operand)?)).ok().flatten()
        };
        body.operands(op).iter().map(constant).collect()
    }

    /// The values that a fold gives, with its constants made before the operation. What was made stays where it gives none.
    fn materialized(&mut self, op: OpId, known: &Known, folded: &Folded) -> Result<Option<Vec<Value>>> {
        let Some(list) = apply::results(folded) else { return Ok(None) };
        self.rw.rw.set_insertion_point_before(op)?;
        let location = self.rw.body().location(op);
        self.rw.rw.locate(location);
        Ok(apply::constants(self.rw.rw, op, known, list)?.ok())
    }

    /// The operations that were made by changes from `start` on.
    fn created_since(&mut self, start: usize) -> Result<Vec<OpId>> {
        let changes = &self.rw.log()?.changes;
        let changes = &changes[start.min(changes.len())..];
        let made = changes.iter().filter_map(|change| match change {
            Change::Created(op) => Some(*op),
            _ => None,
        });
        Ok(made.collect())
    }

    fn patterns_of(&mut self, name: OperationName) -> Tried {
        let patterns = self.names.patterns.entry(name);
        let context = self.rw.context();
        let find = || self.conversion.order.of(&String::from_utf8_lossy(context.operation_text(name))).clone();
        patterns.or_insert_with(find).clone()
    }

    fn apply_patterns(&mut self, op: OpId) -> Result<bool> {
        let name = self.rw.body().name(op);
        let patterns = self.patterns_of(name);
        if patterns.is_empty() {
            return Ok(false);
        }
        let known = self.names.knowledge.of(self.rw.context(), name);
        if !known.fits(self.rw.body().operands(op).len(), self.rw.body().result_count(op)) {
            return Ok(false);
        }
        for &(number, ref pattern) in patterns.iter() {
            if !pattern.bounded && !self.applied.insert(number) {
                continue;
            }
            let start = self.rw.change_count()?;
            let applied = self.apply(op, pattern, start);
            if !pattern.bounded {
                self.applied.remove(&number);
            }
            match applied? {
                true => return Ok(true),
                false => self.rw.undo_to(start)?,
            }
        }
        Ok(false)
    }

    /// Applies a pattern, and makes legal what comes of it.
    fn apply(&mut self, op: OpId, pattern: &ConversionPattern, start: usize) -> Result<bool> {
        self.last = pattern.name;
        match self.convert(op, pattern) {
            Ok(()) => self.legalize_outcome(op, start),
            Err(NoMatch::Reason(reason)) => {
                self.reason = Some(reason);
                Ok(false)
            }
            Err(NoMatch::Error(error)) => {
                let (op, name) = (self.rw.op(op), pattern.name);
                let message = format!("the pattern `{name}` failed on '{}': {error}{}", op.name(), super::place(op));
                Err(Error::new(error.kind(), message))
            }
        }
    }

    fn convert(&mut self, op: OpId, pattern: &ConversionPattern) -> Outcome {
        let location = self.rw.body().location(op);
        self.rw.types.clone_from(&pattern.types);
        let operands = self.rw.body().operands(op).to_vec();
        let mut remapped = Vec::with_capacity(operands.len());
        for operand in operands {
            remapped.push(self.rw.remap(operand, location)?);
        }
        self.rw.rw.set_insertion_point_before(op)?;
        self.rw.rw.locate(location);
        pattern.convert(&mut self.rw, op, &Adaptor::new(remapped))
    }

    /// Makes legal what a pattern made and changed.
    fn legalize_outcome(&mut self, root: OpId, start: usize) -> Result<bool> {
        let end = self.rw.change_count()?;
        let (mut blocks, mut modified, mut created) = (Vec::new(), Vec::new(), Vec::new());
        let (mut met, mut met_blocks) = (HashSet::new(), HashSet::new());
        for change in &self.rw.log()?.changes[start.min(end)..end] {
            match change {
                Change::BlockCreated(block) | Change::BlockMoved(block, ..) if met_blocks.insert(*block) => {
                    blocks.push(*block);
                }
                Change::Modified(op, _) if met.insert(*op) => modified.push(*op),
                Change::Created(op) => created.push(*op),
                _ => {}
            }
        }
        Ok(self.legalize_blocks(root, blocks, &created)?
            && self.legalize_each(modified)?
            && self.legalize_each(created)?)
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
        if blocks.is_empty() {
            return Ok(true);
        }
        let mut met: HashSet<OpId> = created.iter().copied().collect();
        for block in blocks {
            let body = self.rw.body();
            let Some(region) = body.region_of(block) else { continue };
            let parent = body.operation_of(region);
            let is_limbo = self.rw.state.limbo.is_some_and(|limbo| limbo.1 == region);
            if is_limbo || parent == Some(root) || body.arguments(block).is_empty() {
                continue;
            }
            if let Some(types) = self.rw.state.regions.get(&region).cloned() {
                match self.rw.signature_of(block, &types) {
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
