//! All of a module checked, in the order of MLIR's verifier (`mlir/lib/IR/Verifier.cpp`).
//!
//! Of an operation come first its discardable attributes, its traits, its interfaces and its own rules, then what it holds, and last
//! what is asked of it once that has been checked: the rules of its regions, and in a symbol table the uses of symbols. Operations that are isolated
//! from above wait until the others in the regions of their parent have been checked. Where values are defined comes last, body by body.

use super::checker::Checker;
use super::dominance::verify_body;
use super::operation::{Describe, verify_regions, verify_symbol_uses};
use super::structure;
use super::validity::{TypedOpKey, VerifiedOps};
use crate::attribute::{Attribute, AttributeData};
use crate::body::{BlockId, BodyId, OpId};
use crate::error::{Error, Result};
use crate::module::{Module, OpRef};
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
    module.load_all_with(threads)?;
    let mut walk = Walk::new(module, threads);
    // A module around them would have them in this order.
    let (isolated, others): (Vec<_>, Vec<_>) =
        module.operations()?.partition(|op| op.body().region_body(op.id()).is_some());
    for outermost in others.into_iter().chain(isolated) {
        walk.verify(outermost, report)?;
    }
    verify_body(module, BodyId::from_index(Module::TOP), &mut walk.describe, report)
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
        let known = verify_first(checker, op, &mut VerifiedOps::default())?;
        structure::verify_blocks(op)?;
        if known { verify_last(checker, op).and_then(|()| verify_symbol_uses(checker, op)) } else { Ok(()) }
    };
    all().map_err(|error| Describe::default().error(op, error))
}

/// Checks what comes before the operations that one holds: discardable attributes, then its definition with its traits and interfaces,
/// then its own rules. Whether its attributes are known: what cannot be decoded breaks no rule.
fn verify_first(checker: &Checker<'_>, op: OpRef<'_>, valid: &mut VerifiedOps) -> Result<bool> {
    // What has a key has neither regions nor successors.
    let key = TypedOpKey::of(op);
    if key.is_some_and(|key| valid.is_whole(&key)) {
        return Ok(true);
    }
    structure::placed(op)?;
    let context = checker.context;
    let (attributes, properties) = op.dictionaries()?;
    let mut asks_more = verify_discardable(checker, op, attributes)?;
    let is_opaque = |it: Attribute| matches!(context[it], AttributeData::Encoded(_));
    if attributes.into_iter().chain(properties).any(is_opaque) {
        return Ok(false);
    }
    let verifier = checker.verifier_of(op.operation_name());
    asks_more |= verifier.is_some();
    checker.mixes_signedness.set(verifier.as_ref().is_some_and(|verifier| verifier.mixes_signedness()));
    let result = valid.verify(checker, op, key);
    checker.mixes_signedness.set(false);
    unless_of_another_release(op, result)?;
    verify_arguments(checker, op)?;
    verifier.map_or(Ok(()), |verifier| verifier.operation(op))?;
    if let (Some(key), false) = (key, asks_more) {
        valid.note_whole(key);
    }
    Ok(true)
}

/// Checks what is asked of an operation once all that it holds has been checked.
fn verify_last(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    unless_of_another_release(op, verify_regions(checker, op))?;
    checker.verifier_of(op.operation_name()).map_or(Ok(()), |verifier| verifier.regions(op))
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

/// The same of those of a function's arguments.
fn verify_arguments(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    if op.has_trait(Traits::FUNCTION)
        && let Some(arguments) = op.attribute("arg_attrs")?
        && let AttributeData::Array(arguments) = &checker.context[arguments]
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
    /// A block of the regions of an operation, and those behind it in its region, which has that number.
    Block(OpRef<'m>, usize, BlockId),
    /// The operations of a block from that one on.
    Operations(BodyId, OpId),
    /// The end of a block.
    BlockEnd(OpRef<'m>, usize, BlockId),
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
    open: Vec<Open>,
    /// Operations isolated from above, in the regions of open ones.
    waiting: Vec<OpRef<'m>>,
    /// Operations that use symbols, and whose symbol table is not known to be complete.
    users: Vec<OpRef<'m>>,
}

impl<'m> Walk<'m> {
    pub(super) fn new(module: &'m Module, threads: usize) -> Self {
        Walk {
            module,
            threads,
            checker: Checker::new(module.context()),
            valid: VerifiedOps::default(),
            describe: Describe::default(),
            open: Vec::new(),
            waiting: Vec::new(),
            users: Vec::new(),
        }
    }

    /// Whether an operation has rules about symbols that it uses.
    pub(super) fn uses_symbols(&self, op: OpRef<'_>) -> bool {
        self.checker.brought(op.operation_name()).symbol_uses.is_some()
    }

    /// Checks these operations with all that they hold, of those around them only what is asked of each alone, and of the users of
    /// symbols only their uses.
    pub(super) fn verify_parts(
        &mut self,
        whole: Vec<OpRef<'m>>,
        around: Vec<OpRef<'m>>,
        users: Vec<OpRef<'m>>,
        report: &mut dyn FnMut(Error),
    ) -> Result<()> {
        if self.threads > 1 {
            self.on_threads(whole, report)?;
        } else {
            whole.into_iter().try_for_each(|op| self.verify(op, report))?;
        }
        for op in around {
            let mut known = false;
            let first = verify_first(&self.checker, op, &mut self.valid).map(|it| known = it);
            if self.of(op, first, report)? && known {
                self.of(op, verify_last(&self.checker, op), report)?;
            }
        }
        for user in std::mem::take(&mut self.users).into_iter().chain(users) {
            self.of(user, verify_symbol_uses(&self.checker, user), report)?;
        }
        Ok(())
    }

    /// Checks an operation and all that it holds.
    fn verify(&mut self, op: OpRef<'m>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let mut steps = Vec::new();
        self.enter(op, &mut steps, report)?;
        while let Some(step) = steps.pop() {
            match step {
                Step::Block(of, number, block) => {
                    let (id, inside, _) = of.region_tree()?;
                    steps.extend(inside.next_block(block).map(|next| Step::Block(of, number, next)));
                    steps.push(Step::BlockEnd(of, number, block));
                    self.report_blocks(of, structure::block_start(of, number, block), report)?;
                    steps.extend(inside.first_operation(block).map(|first| Step::Operations(id, first)));
                }
                Step::Operations(id, op) => {
                    let op = self.module.operation(id, op)?;
                    steps.extend(op.body().next_operation(op.id()).map(|next| Step::Operations(id, next)));
                    match op.body().region_body(op.id()) {
                        Some(_) => self.waiting.push(op),
                        None => self.enter(op, &mut steps, report)?,
                    }
                }
                Step::BlockEnd(of, number, block) => {
                    let (id, inside, _) = of.region_tree()?;
                    if let Some(last) = inside.last_operation(block) {
                        let last = self.module.operation(id, last)?;
                        self.of(last, structure::successor_regions(last), report)?;
                    }
                    self.report_blocks(of, structure::block_end(of, number, block), report)?;
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

    /// Checks operations that do not look at each other.
    fn on_threads(&mut self, isolated: Vec<OpRef<'m>>, report: &mut dyn FnMut(Error)) -> Result<()> {
        // How many a thread checks at a time, with all that is in them.
        const SHARE: usize = 16;
        let module = self.module;
        let check = |walk: &mut Walk<'m>, op: OpRef<'m>| {
            let mut wrong = Vec::new();
            let all = walk.verify(op, &mut |error| wrong.push(error));
            (wrong, std::mem::take(&mut walk.users), all)
        };
        for (wrong, users, all) in
            crate::threads::in_order(self.threads, SHARE, isolated, || Walk::new(module, 1), check)
        {
            wrong.into_iter().for_each(&mut *report);
            self.users.extend(users);
            all?;
        }
        Ok(())
    }

    /// Checks what comes before what an operation holds.
    fn enter(&mut self, op: OpRef<'m>, steps: &mut Vec<Step<'m>>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let mut known = false;
        let first = verify_first(&self.checker, op, &mut self.valid).map(|it| known = it);
        let wrong = !self.of(op, first, report)?;
        if known && self.uses_symbols(op) {
            self.users.push(op);
        }
        if op.body().region_count_of(op.id()) == 0 {
            return Ok(());
        }
        self.open.push(Open { wrong, known, waiting: self.waiting.len(), users: self.users.len() });
        self.report_blocks(op, structure::entry_blocks(op), report)?;
        steps.push(Step::Isolated(op));
        let (_, inside, regions) = op.region_tree()?;
        for (number, region) in regions.into_iter().enumerate().rev() {
            steps.extend(inside.first_block(region).map(|block| Step::Block(op, number, block)));
        }
        Ok(())
    }

    /// Checks what comes after what an operation holds.
    fn leave(&mut self, op: OpRef<'m>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        if open.known && !open.wrong {
            self.of(op, verify_last(&self.checker, op), report)?;
        }
        if op.has_trait(Traits::SYMBOL_TABLE) {
            for user in self.users.split_off(open.users.min(self.users.len())) {
                self.of(user, verify_symbol_uses(&self.checker, user), report)?;
            }
        }
        match op.body().region_body(op.id()) {
            Some(child) => verify_body(self.module, child, &mut self.describe, report),
            None => Ok(()),
        }
    }

    /// Reports what is wrong with the blocks of the innermost open operation, where nothing else is wrong with it.
    fn report_blocks(&mut self, op: OpRef<'m>, result: Result<()>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let known_as_wrong = self.open.last().is_some_and(|open| open.wrong);
        if !known_as_wrong
            && !self.of(op, result, report)?
            && let Some(open) = self.open.last_mut()
        {
            open.wrong = true;
        }
        Ok(())
    }

    /// Reports what is wrong with an operation; whether nothing is.
    fn of(&mut self, op: OpRef<'m>, result: Result<()>, report: &mut dyn FnMut(Error)) -> Result<bool> {
        let Err(error) = result else { return Ok(true) };
        match self.describe.error(op, error) {
            error if error.kind() == crate::ErrorKind::Verification => {
                report(error);
                Ok(false)
            }
            error => Err(error),
        }
    }
}
