//! All of a module checked, in the order of MLIR's verifier (`mlir/lib/IR/Verifier.cpp`).
//!
//! Of an operation come first its discardable attributes, its traits, its interfaces and its own rules, then what it holds, and last
//! what is asked of it once that has been checked: the rules of its regions, and in a symbol table the uses of symbols. Operations that are isolated
//! from above wait until the others in the regions of their parent have been checked. Where values are defined comes last, body by body.

use super::checker::{Checker, Named};
use super::dominance::verify_body;
use super::hooks::LooksAt;
use super::operation::{Describe, verify_regions, verify_symbol_uses};
use super::structure::{self, Place};
use super::validity::VerifiedOps;
use crate::attribute::{Attribute, AttributeData};
use crate::body::{BodyId, OpId};
use crate::dominance::Glance;
use crate::error::{Error, Result};
use crate::module::{Found, Module, OpRef, SymbolTables};
use crate::ods::{Release, Traits};

/// Checks every operation of a module, those in other bodies included: against its definition, where it has one, and that
/// its operands are defined where it stands, as [`verify_dominance`](super::verify_dominance) says. What is wrong goes to
/// `report`, in MLIR's order, and the rest is still checked. Each error says where: at which location or, where that is unknown, at which
/// [path](OpRef::path).
///
/// # Errors
/// Where something of the module cannot be decoded.
pub fn verify_module(module: &Module, report: &mut dyn FnMut(Error)) -> Result<()> {
    verify_module_with(module, 1, report)
}

/// As [`verify_module`], on as many threads as that. What is reported, and in which order, does not depend on their number.
///
/// # Errors
/// As [`verify_module`].
pub fn verify_module_with(module: &Module, threads: usize, report: &mut dyn FnMut(Error)) -> Result<()> {
    verify_all(module, threads, report).map(|_| ())
}

/// The same. Gives what there is in the module.
pub(super) fn verify_all(module: &Module, threads: usize, report: &mut dyn FnMut(Error)) -> Result<Found> {
    module.load_all_with(threads)?;
    let mut walk = Walk::new(module, threads);
    // A module around them would have them in this order.
    let (isolated, others): (Vec<_>, Vec<_>) =
        module.operations()?.partition(|op| op.body().region_body(op.id()).is_some());
    for outermost in others.into_iter().chain(isolated) {
        walk.verify(outermost, report)?;
    }
    walk.verify_body(BodyId::from_index(Module::TOP), report)?;
    Ok(walk.found())
}

/// Checks an operation against its definition: counts, types, attributes, regions, successors, traits and terminators.
/// What it holds is not checked in turn.
///
/// # Errors
/// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying which rule is broken; another kind where
/// something of the operation cannot be decoded.
pub fn verify(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    // The module may have changed since the last call, or be another one.
    checker.symbols.borrow_mut().clear();
    let all = || {
        let known = checker.known(op.operation_name());
        let is_known = verify_first(checker, op, known, &mut VerifiedOps::default())?;
        structure::verify_blocks(op)?;
        if is_known { verify_last(checker, op, known).and_then(|()| verify_symbol_uses(checker, op)) } else { Ok(()) }
    };
    all().map_err(|error| Describe::default().error(op, error))
}

/// Checks what comes before the operations that one holds: discardable attributes, then its definition with its traits and interfaces,
/// then its own rules. Whether its attributes are known: what cannot be decoded breaks no rule.
fn verify_first(checker: &Checker<'_>, op: OpRef<'_>, known: &Named, valid: &mut VerifiedOps) -> Result<bool> {
    // What has a key has neither regions nor successors.
    let asked = valid.ask(op);
    if asked.is_whole() {
        return Ok(true);
    }
    structure::placed(op)?;
    let context = checker.context;
    let (attributes, properties) = op.dictionaries()?;
    let asks_more = verify_discardable(checker, op, attributes)?;
    let is_opaque = |it: Attribute| matches!(context[it], AttributeData::Encoded(_));
    if attributes.into_iter().chain(properties).any(is_opaque) {
        return Ok(false);
    }
    checker.mixes_signedness.set(known.mixes_signedness);
    let result = valid.verify(checker, op, known, (attributes, properties), asked);
    checker.mixes_signedness.set(false);
    unless_of_another_release(op, result)?;
    verify_arguments(checker, op, known, [properties, attributes])?;
    match &known.verifier {
        Some(verifier) if known.looks_at != LooksAt::Nothing => verifier.operation(op)?,
        _ => {}
    }
    if !asks_more && known.looks_at != LooksAt::Anything {
        valid.note_whole(asked);
    }
    Ok(true)
}

/// Checks what is asked of an operation once all that it holds has been checked.
fn verify_last(checker: &Checker<'_>, op: OpRef<'_>, known: &Named) -> Result<()> {
    unless_of_another_release(op, verify_regions(checker, op, known))?;
    known.verifier.as_ref().map_or(Ok(()), |verifier| verifier.regions(op))
}

fn unless_of_another_release(op: OpRef<'_>, result: Result<()>) -> Result<()> {
    result.or_else(|error| if is_of_its_release(op) { Ok(()) } else { Err(error) })
}

/// Whether the file that the operation came from is of a release that defines the operation otherwise, which this build does
/// not know: nothing is wrong with it then.
#[cold]
fn is_of_its_release(op: OpRef<'_>) -> bool {
    let release = Release::of_producer(&op.module().info.producer).unwrap_or_default();
    // What is known of it without a definition is MLIR's; a definition is of another origin then.
    let undefined = op.module().context().undefined_operation(op.operation_name());
    undefined.is_some_and(|known| known.is_in(release))
        || op.definition().is_some_and(|definition| definition.is_another_in(release))
}

/// Checks what dialects say of discardable attributes named after them. Whether one was asked.
fn verify_discardable(checker: &Checker<'_>, op: OpRef<'_>, attributes: Option<Attribute>) -> Result<bool> {
    let context = checker.context;
    let mut asked = false;
    let Some(AttributeData::Dictionary(entries)) = attributes.map(|attributes| &context[attributes]) else {
        return Ok(asked);
    };
    for (name, value) in entries {
        let name = context.bytes(*name);
        if let Some(dot) = name.iter().position(|&byte| byte == b'.')
            && let Some(verifier) = checker.verifier(&name[..dot])
        {
            asked = true;
            verifier.attribute(op, name, *value)?;
        }
    }
    Ok(asked)
}

/// The same of those of a function's arguments. The dictionaries are those of the operation.
fn verify_arguments(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    known: &Named,
    dictionaries: [Option<Attribute>; 2],
) -> Result<()> {
    if !known.definition.as_ref().is_some_and(|definition| definition.traits.contains(Traits::FUNCTION)) {
        return Ok(());
    }
    let context = checker.context;
    let name = context.static_identifier("arg_attrs");
    let arguments = dictionaries.into_iter().flatten().find_map(|dictionary| match &context[dictionary] {
        AttributeData::Dictionary(entries) => entries.iter().find(|entry| entry.0 == name),
        _ => None,
    });
    if let Some((_, arguments)) = arguments
        && let AttributeData::Array(arguments) = &context[*arguments]
    {
        for &argument in arguments {
            verify_discardable(checker, op, Some(argument))?;
        }
    }
    Ok(())
}

/// An operation whose regions are being walked.
struct Open {
    /// Whether something is wrong with it.
    wrong: bool,
    /// Whether its attributes are known, without which nothing is asked of it.
    known: bool,
    /// How many operations waited when its regions were entered.
    waiting: usize,
    /// The same of those that use symbols.
    users: usize,
}

/// What is to be done next, the last first.
enum Step<'m> {
    /// A block of the regions of an operation, and those behind it in its region.
    Block(Place<'m>),
    /// The operation and those behind it in its block.
    Operations(OpRef<'m>),
    /// The end of a block.
    BlockEnd(Place<'m>),
    /// What waited of an operation's regions: the isolated operations.
    Isolated(OpRef<'m>),
    /// These, one after the other.
    Each(std::vec::IntoIter<OpRef<'m>>),
    /// All that an operation holds has been checked.
    End(OpRef<'m>),
}

/// What one thread knows while it checks operations of a module.
pub(super) struct Walk<'m> {
    module: &'m Module,
    /// How many threads there may be.
    threads: usize,
    checker: Checker<'m>,
    valid: VerifiedOps,
    describe: Describe,
    glance: Glance,
    open: Vec<Open>,
    /// Operations isolated from above, in the regions of open ones.
    waiting: Vec<OpRef<'m>>,
    /// Operations that use symbols, and whose symbol table is not known to be complete.
    users: Vec<OpRef<'m>>,
    /// All operations that use symbols.
    all_users: Vec<(BodyId, OpId)>,
}

impl<'m> Walk<'m> {
    pub(super) fn new(module: &'m Module, threads: usize) -> Self {
        Walk {
            module,
            threads,
            checker: Checker::new(module.context()),
            valid: VerifiedOps::default(),
            describe: Describe::default(),
            glance: Glance::default(),
            open: Vec::new(),
            waiting: Vec::new(),
            users: Vec::new(),
            all_users: Vec::new(),
        }
    }

    /// With symbol tables that are known already.
    pub(super) fn with_symbols(mut self, symbols: SymbolTables) -> Self {
        self.checker.symbols = symbols.into();
        self
    }

    /// What the walk came by.
    fn found(self) -> Found {
        Found { users: self.all_users, symbols: self.checker.symbols.take() }
    }

    /// Checks these operations with all that they hold, of those around them only what code of their dialects asks of each alone, and of
    /// the users of symbols only their uses. Gives what there is in those that were checked whole, and the symbol tables.
    pub(super) fn verify_parts(
        mut self,
        whole: Vec<OpRef<'m>>,
        around: Vec<OpRef<'m>>,
        users: Vec<OpRef<'m>>,
        report: &mut dyn FnMut(Error),
    ) -> Result<Found> {
        if self.threads > 1 {
            self.on_threads(whole, report)?;
        } else {
            whole.into_iter().try_for_each(|op| self.verify(op, report))?;
        }
        for op in around {
            let known = self.checker.known(op.operation_name());
            if !known.has_own_rules() {
                continue;
            }
            let mut is_known = false;
            let first = verify_first(&self.checker, op, known, &mut self.valid).map(|it| is_known = it);
            if self.describe.reported(op, first, report)? && is_known {
                self.describe.reported(op, verify_last(&self.checker, op, known), report)?;
            }
        }
        for user in std::mem::take(&mut self.users).into_iter().chain(users) {
            self.describe.reported(user, verify_symbol_uses(&self.checker, user), report)?;
        }
        Ok(self.found())
    }

    /// Checks an operation and all that it holds.
    fn verify(&mut self, op: OpRef<'m>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let mut steps = Vec::new();
        self.enter(op, &mut steps, report)?;
        while let Some(step) = steps.pop() {
            match step {
                Step::Block(place) => {
                    let Place { id, body, block, .. } = place;
                    steps.extend(body.next_block(block).map(|block| Step::Block(Place { block, ..place })));
                    steps.push(Step::BlockEnd(place));
                    self.report_blocks(place.op, place.check_start(), report)?;
                    let first = body.first_operation(block).map(|first| OpRef::new(self.module, id, body, first));
                    steps.extend(first.map(Step::Operations));
                }
                Step::Operations(op) => self.operations(op, &mut steps, report)?,
                Step::BlockEnd(place) => {
                    if let Some(last) = place.last() {
                        self.describe.reported(last, structure::successor_regions(last), report)?;
                    }
                    self.report_blocks(place.op, place.check_end(), report)?;
                }
                Step::Isolated(of) => {
                    let from = self.open.last().map_or(0, |open| open.waiting);
                    let isolated = self.waiting.split_off(from.min(self.waiting.len()));
                    steps.push(Step::End(of));
                    if self.threads > 1 && isolated.len() > 1 {
                        self.on_threads(isolated, report)?;
                    } else if !isolated.is_empty() {
                        steps.push(Step::Each(isolated.into_iter()));
                    }
                }
                Step::Each(mut isolated) => {
                    if let Some(op) = isolated.next() {
                        steps.push(Step::Each(isolated));
                        self.enter(op, &mut steps, report)?;
                    }
                }
                Step::End(of) => self.leave(of, report)?,
            }
        }
        Ok(())
    }

    /// Checks an operation and those behind it, up to one with regions, which are what comes next.
    fn operations(&mut self, first: OpRef<'m>, steps: &mut Vec<Step<'m>>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let mut next = Some(first);
        while let Some(op) = next {
            let view = op.body().view(op.id());
            next = view.next().map(|next| op.at(next));
            if view.region_body().is_some() {
                self.waiting.push(op);
                continue;
            }
            let has_regions = view.region_count() > 0;
            if has_regions {
                steps.extend(next.take().map(Step::Operations));
            }
            self.enter(op, steps, report)?;
        }
        Ok(())
    }

    /// Checks operations that do not look at each other.
    fn on_threads(&mut self, isolated: Vec<OpRef<'m>>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let module = self.module;
        // Operations directly in a body: what those that hold bodies of their own have in them takes no longer to be found wrong.
        let weight = |op: &OpRef<'m>| {
            let body = op.body().region_body(op.id()).and_then(|body| module.body(body).ok());
            body.map_or(1, |body| body.operation_count())
        };
        let check = |walk: &mut Walk<'m>, op: OpRef<'m>| {
            let mut wrong = Vec::new();
            let all = walk.verify(op, &mut |error| wrong.push(error));
            let found = Found { users: std::mem::take(&mut walk.all_users), symbols: walk.checker.symbols.take() };
            (wrong, std::mem::take(&mut walk.users), found, all)
        };
        for (wrong, users, found, all) in
            crate::threads::in_order(self.threads, weight, isolated, || Walk::new(module, 1), check)
        {
            wrong.into_iter().for_each(&mut *report);
            self.users.extend(users);
            self.all_users.extend(found.users);
            self.checker.symbols.borrow_mut().extend(found.symbols);
            all?;
        }
        Ok(())
    }

    /// Checks what comes before what an operation holds.
    fn enter(&mut self, op: OpRef<'m>, steps: &mut Vec<Step<'m>>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let of_name = self.checker.known(op.operation_name());
        let mut known = false;
        let first = verify_first(&self.checker, op, of_name, &mut self.valid).map(|it| known = it);
        let wrong = !self.describe.reported(op, first, report)?;
        if known && of_name.brought.symbol_uses.is_some() {
            self.users.push(op);
            self.all_users.push((op.body_id(), op.id()));
        }
        if op.body().region_count_of(op.id()) == 0 {
            return Ok(());
        }
        self.open.push(Open { wrong, known, waiting: self.waiting.len(), users: self.users.len() });
        self.report_blocks(op, structure::entry_blocks(op), report)?;
        steps.push(Step::Isolated(op));
        let (id, body, regions) = op.inside()?;
        let at = steps.len();
        for (region, number) in regions.enumerate() {
            let first = body.first_block(number);
            steps.extend(first.map(|block| Step::Block(Place { op, id, body, region, block })));
        }
        steps[at..].reverse();
        Ok(())
    }

    /// Checks what comes after what an operation holds.
    fn leave(&mut self, op: OpRef<'m>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let known = self.checker.known(op.operation_name());
        if open.known && !open.wrong {
            self.describe.reported(op, verify_last(&self.checker, op, known), report)?;
        }
        if known.definition.as_ref().is_some_and(|definition| definition.traits.contains(Traits::SYMBOL_TABLE)) {
            for user in self.users.drain(open.users.min(self.users.len())..) {
                self.describe.reported(user, verify_symbol_uses(&self.checker, user), report)?;
            }
        }
        match op.body().region_body(op.id()) {
            Some(child) => self.verify_body(child, report),
            None => Ok(()),
        }
    }

    /// Checks where the values are defined that the operations of a body use.
    fn verify_body(&mut self, id: BodyId, report: &mut dyn FnMut(Error)) -> Result<()> {
        verify_body(self.module, id, &mut self.glance, &mut self.describe, report)
    }

    /// Reports what is wrong with the blocks of the innermost open operation, where nothing else is wrong with it.
    fn report_blocks(&mut self, op: OpRef<'m>, result: Result<()>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let known_as_wrong = self.open.last().is_some_and(|open| open.wrong);
        if !known_as_wrong
            && !self.describe.reported(op, result, report)?
            && let Some(open) = self.open.last_mut()
        {
            open.wrong = true;
        }
        Ok(())
    }
}
