//! All of a module checked, in the order of MLIR's verifier (`mlir/lib/IR/Verifier.cpp`).
//!
//! Of an operation come first its discardable attributes, its traits, its interfaces and its own rules, then what it holds, and last
//! what is asked of it once that has been checked: the rules of its regions, and in a symbol table the uses of symbols. Operations that are isolated
//! from above wait until the others in the regions of their parent have been checked. Where values are defined comes last, body by body.

use super::checker::{Checker, Named};
use super::dominance::verify_body;
use super::hooks::{FunctionPart, LooksAt};
use super::operation::{Describe, verify_definition, verify_in_place, verify_regions, verify_symbol_uses};
use super::structure::{self, Place};
use super::validity::{Asked, Left, TypedOpKey, VerifiedOps};
use crate::attribute::{Attribute, AttributeData};
use crate::body::{BlockId, BodyId, OpId};
use crate::dominance::Glance;
use crate::error::{Error, Errors, Result};
use crate::module::{Found, Inside, Module, OpRef, SymbolTables};
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

/// All that is wrong with a module, as [`Module::verify`] gives it.
pub(crate) fn verify_module_or(module: &Module) -> Result<(), Errors> {
    all_of(|report| verify_module(module, report))
}

/// All that is wrong with an operation and what it holds, as [`OpRef::verify`] gives it.
pub(crate) fn verify_op(op: OpRef<'_>) -> Result<(), Errors> {
    all_of(|report| {
        // What it holds is there from then on.
        op.walk().map(drop)?;
        Walk::new(op.module(), 1).verify(op, report)
    })
}

/// All that is reported and, behind that, why nothing more could be.
fn all_of(check: impl FnOnce(&mut dyn FnMut(Error)) -> Result<()>) -> Result<(), Errors> {
    let mut wrong = Vec::new();
    let end = check(&mut |error| wrong.push(error));
    wrong.extend(end.err());
    Errors::of(wrong).map_or(Ok(()), Err)
}

/// Checks an operation against its definition: counts, types, attributes, regions, successors, traits and terminators.
/// What it holds is not checked in turn.
///
/// # Errors
/// [`ErrorKind::Verification`](crate::ErrorKind::Verification), saying which rule is broken; another kind where
/// something of the operation cannot be decoded.
pub fn verify(checker: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    // The module may have changed since the last call, or be another one.
    checker.forget_operations();
    let all = || {
        let (known, inside) = (checker.known(op.operation_name()), Inside::of(op)?);
        let is_known = verify_first(checker, op, inside, known, None, &mut VerifiedOps::default())?;
        structure::verify_blocks(checker, op, inside)?;
        if !is_known {
            return Ok(());
        }
        verify_last(checker, op, inside, known).and_then(|()| verify_symbol_uses(checker, op))
    };
    all().map_err(|error| Describe::default().error(op, error))
}

/// Checks what comes before the operations that one holds: discardable attributes, then its definition with its traits and interfaces,
/// then its own rules. Whether its attributes are known: what cannot be decoded breaks no rule.
fn verify_first(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    inside: Option<Inside<'_>>,
    known: &Named,
    key: Option<TypedOpKey>,
    valid: &mut VerifiedOps,
) -> Result<bool> {
    // What has a key has neither regions nor successors.
    let mut asked = valid.ask(key);
    if asked.is_whole() {
        return Ok(true);
    }
    structure::placed(op)?;
    let context = checker.context;
    let asks_attributes = |asked: Asked| asked.left.is_none_or(|left| left.attributes);
    let dictionaries = match asks_attributes(asked) || known.has_trait(Traits::SYMBOL) {
        true => op.dictionaries()?,
        false => (None, None),
    };
    asked = valid.ask_shape(checker, op, known, dictionaries, asked);
    let (attributes, properties) = dictionaries;
    let mut left = Left { place: false, attributes: false, own: false };
    if asks_attributes(asked) {
        left.attributes = verify_discardable(checker, op, None, attributes)?;
        let is_opaque = |it: Attribute| matches!(context[it], AttributeData::Encoded(_));
        if attributes.into_iter().chain(properties).any(is_opaque) {
            return Ok(false);
        }
    }
    checker.mixes_signedness.set(known.mixes_signedness);
    let result = match asked.left {
        None => verify_definition(checker, op, inside, known, dictionaries),
        Some(left) if left.place => verify_in_place(checker, op, inside, known, dictionaries).map(|()| true),
        Some(_) => Ok(true),
    };
    checker.mixes_signedness.set(false);
    let is_of_all = unless_of_another_release(op, result)?.unwrap_or(false);
    if asks_attributes(asked) {
        left.attributes |= verify_arguments(checker, op, known, [properties, attributes])?;
    }
    match &known.verifier {
        Some(verifier) if asked.left.is_none_or(|left| left.own) && known.looks_at != LooksAt::Nothing => {
            verifier.operation(op)?;
        }
        _ => {}
    }
    if asked.left.is_none() && is_of_all {
        let is_asked_of_each = |looks_at, at_names| match looks_at {
            LooksAt::Nothing => false,
            LooksAt::TypesAndAttributes => at_names && asked.leaves_names_out(),
            LooksAt::Anything => true,
        };
        left.place = checker.depends_on_context.get() || is_asked_of_each(known.brought.looks_at, true);
        left.own = is_asked_of_each(known.looks_at, known.looks_at_names);
        valid.note(asked, left);
    }
    Ok(true)
}

/// Checks what is asked of an operation once all that it holds has been checked.
fn verify_last(checker: &Checker<'_>, op: OpRef<'_>, inside: Option<Inside<'_>>, known: &Named) -> Result<()> {
    unless_of_another_release(op, verify_regions(checker, op, inside, known))?;
    known.verifier.as_ref().map_or(Ok(()), |verifier| verifier.regions(op))
}

/// The same; nothing where what is wrong with the operation may be right in the release that it is of.
fn unless_of_another_release<T>(op: OpRef<'_>, result: Result<T>) -> Result<Option<T>> {
    result.map(Some).or_else(|error| if is_of_its_release(op) { Ok(None) } else { Err(error) })
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

/// Checks what dialects say of discardable attributes named after them, on an operation or a part of it. Whether one was asked.
fn verify_discardable(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    of: Option<FunctionPart>,
    attributes: Option<Attribute>,
) -> Result<bool> {
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
            match of {
                None => verifier.attribute(op, name, *value)?,
                Some(part) => verifier.function_attribute(op, part, name, *value)?,
            }
        }
    }
    Ok(asked)
}

/// The same of those of a function's arguments and results, whether one was asked. The dictionaries are those of the operation.
fn verify_arguments(
    checker: &Checker<'_>,
    op: OpRef<'_>,
    known: &Named,
    dictionaries: [Option<Attribute>; 2],
) -> Result<bool> {
    let mut asked = false;
    if !known.has_trait(Traits::FUNCTION) {
        return Ok(asked);
    }
    let context = checker.context;
    for is_result in [false, true] {
        let name = context.static_identifier(if is_result { "res_attrs" } else { "arg_attrs" });
        let lists = dictionaries.into_iter().flatten().find_map(|dictionary| match &context[dictionary] {
            AttributeData::Dictionary(entries) => entries.iter().find(|entry| entry.0 == name),
            _ => None,
        });
        if let Some((_, lists)) = lists
            && let AttributeData::Array(lists) = &context[*lists]
        {
            for (number, &list) in lists.iter().enumerate() {
                let part = if is_result { FunctionPart::Result(number) } else { FunctionPart::Argument(number) };
                asked |= verify_discardable(checker, op, Some(part), Some(list))?;
            }
        }
    }
    Ok(asked)
}

/// An operation whose regions are being walked.
struct Open<'m> {
    op: OpRef<'m>,
    inside: Inside<'m>,
    /// What comes next.
    next: Next,
    /// Whether its blocks need terminators, also where they are alone.
    needs_terminator: bool,
    /// Whether something is wrong with it.
    wrong: bool,
    /// Whether its attributes are known, without which nothing is asked of it.
    known: bool,
    /// How many operations waited when its regions were entered.
    waiting: usize,
    /// The same of those that use symbols.
    users: usize,
}

/// What is to be done next with an operation that is open.
#[derive(Clone, Copy)]
enum Next {
    /// The region of that number.
    Region(usize),
    /// That block of it.
    Block(usize, BlockId),
    /// The operation, and those behind it in that block; without one, the block ends.
    Operations(usize, BlockId, Option<OpId>),
    /// What waits from that place on: the isolated operations in its regions.
    Isolated(usize),
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
    open: Vec<Open<'m>>,
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
            self.on_threads(&whole, report)?;
        } else {
            whole.into_iter().try_for_each(|op| self.verify(op, report))?;
        }
        for op in around {
            let known = self.checker.known(op.operation_name());
            if !known.has_own_rules() {
                continue;
            }
            let inside = Inside::of(op)?;
            let mut is_known = false;
            let key = TypedOpKey::of(op);
            let first = verify_first(&self.checker, op, inside, known, key, &mut self.valid).map(|it| is_known = it);
            if self.describe.reported(op, first, report)? && is_known {
                self.describe.reported(op, verify_last(&self.checker, op, inside, known), report)?;
            }
        }
        for user in std::mem::take(&mut self.users).into_iter().chain(users) {
            self.describe.reported(user, verify_symbol_uses(&self.checker, user), report)?;
        }
        Ok(self.found())
    }

    /// Checks an operation and all that it holds.
    fn verify(&mut self, op: OpRef<'m>, report: &mut dyn FnMut(Error)) -> Result<()> {
        // What could not be decoded may have left some.
        self.open.clear();
        self.waiting.clear();
        self.enter(op, report)?;
        while let Some(open) = self.open.last_mut() {
            let (inside, body) = (open.inside, open.inside.body);
            match open.next {
                Next::Region(region) => {
                    open.next = match inside.region(region).map(|number| body.first_block(number)) {
                        Some(Some(block)) => Next::Block(region, block),
                        Some(None) => Next::Region(region + 1),
                        None => Next::Isolated(open.waiting),
                    }
                }
                Next::Block(region, block) => {
                    open.next = Next::Operations(region, block, body.first_operation(block));
                    let place = Place { inside, region, block, needs_terminator: open.needs_terminator };
                    self.report_blocks(place.check_start(), report)?;
                }
                Next::Operations(region, block, Some(first)) => {
                    let first = OpRef::new(self.module, inside.id, body, first);
                    let depth = self.open.len();
                    let next = self.operations(first, report)?;
                    if let Some(open) = self.open.get_mut(depth.saturating_sub(1)) {
                        open.next = Next::Operations(region, block, next);
                    }
                }
                Next::Operations(region, block, None) => {
                    open.next = body.next_block(block).map_or(Next::Region(region + 1), |it| Next::Block(region, it));
                    let place = Place { inside, region, block, needs_terminator: open.needs_terminator };
                    if let Some(last) = body.last_operation(block) {
                        let last = OpRef::new(self.module, inside.id, body, last);
                        self.describe.reported(last, structure::successor_regions(last), report)?;
                    }
                    self.report_blocks(place.check_end(&self.checker), report)?;
                }
                Next::Isolated(at) => {
                    let from = open.waiting;
                    if at == from && self.threads > 1 && self.waiting.len() > from + 1 {
                        let isolated = self.waiting.split_off(from);
                        self.on_threads(&isolated, report)?;
                    } else if let Some(&op) = self.waiting.get(at) {
                        open.next = Next::Isolated(at + 1);
                        self.enter(op, report)?;
                    } else {
                        self.waiting.truncate(from);
                        self.leave(report)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks an operation and those behind it, up to one with regions, which come next. Gives what is behind that.
    fn operations(&mut self, first: OpRef<'m>, report: &mut dyn FnMut(Error)) -> Result<Option<OpId>> {
        let depth = self.open.len();
        let mut next = Some(first.id());
        while let Some(id) = next
            && self.open.len() == depth
        {
            let view = first.body().view(id);
            next = view.next();
            match view.region_body() {
                Some(_) => self.waiting.push(first.at(id)),
                None => self.enter(first.at(id), report)?,
            }
        }
        Ok(next)
    }

    /// Checks operations that do not look at each other.
    fn on_threads(&mut self, isolated: &[OpRef<'m>], report: &mut dyn FnMut(Error)) -> Result<()> {
        // What is found in operations of so much work, about, is gathered at once.
        const TOGETHER: usize = 256;
        let module = self.module;
        let weight = |op: &OpRef<'m>| op.body().region_body(op.id()).map_or(1, |body| module.weight(body));
        let (mut pieces, mut first, mut work) = (Vec::new(), 0, 0);
        for (op, end) in isolated.iter().zip(1..) {
            work += weight(op);
            if work >= TOGETHER || end == isolated.len() {
                pieces.push((work, &isolated[first..end]));
                (first, work) = (end, 0);
            }
        }
        let check = |walk: &mut Walk<'m>, (_, ops): (usize, &[OpRef<'m>])| {
            let mut wrong = Vec::new();
            let all = ops.iter().try_for_each(|&op| walk.verify(op, &mut |error| wrong.push(error)));
            // Of most there is nothing to say: what is gathered on one thread is small.
            let is_quiet = all.is_ok() && wrong.is_empty() && walk.all_users.is_empty() && walk.users.is_empty();
            (!is_quiet)
                .then(|| Box::new((wrong, std::mem::take(&mut walk.users), std::mem::take(&mut walk.all_users), all)))
        };
        let start = || Walk::new(module, 1);
        let shares = crate::threads::in_shares(self.threads, |piece| piece.0, pieces, start, check);
        for (wrong, users, all_users, all) in shares.into_iter().flatten().flatten().map(|found| *found) {
            wrong.into_iter().for_each(&mut *report);
            self.users.extend(users);
            self.all_users.extend(all_users);
            all?;
        }
        Ok(())
    }

    /// Checks what comes before what an operation holds, and opens it where it has regions.
    fn enter(&mut self, op: OpRef<'m>, report: &mut dyn FnMut(Error)) -> Result<()> {
        let of_name = self.checker.known(op.operation_name());
        // Most operations are like the one before of their name.
        let key = TypedOpKey::of(op);
        if key.is_some_and(|key| self.valid.is_like_last(&key)) {
            if of_name.brought.symbol_uses.is_some() {
                self.users.push(op);
                self.all_users.push((op.body_id(), op.id()));
            }
            return Ok(());
        }
        let inside = Inside::of(op)?;
        let mut known = false;
        let first = verify_first(&self.checker, op, inside, of_name, key, &mut self.valid).map(|it| known = it);
        let wrong = !self.describe.reported(op, first, report)?;
        if known && of_name.brought.symbol_uses.is_some() {
            self.users.push(op);
            self.all_users.push((op.body_id(), op.id()));
        }
        let Some(inside) = inside else { return Ok(()) };
        let needs_terminator = structure::needs_terminator(of_name);
        let blocks = structure::entry_blocks(of_name, inside);
        let (waiting, users) = (self.waiting.len(), self.users.len());
        self.open.push(Open { op, inside, next: Next::Region(0), needs_terminator, wrong, known, waiting, users });
        self.report_blocks(blocks, report)
    }

    /// Checks what comes after what the innermost open operation holds, and closes it.
    fn leave(&mut self, report: &mut dyn FnMut(Error)) -> Result<()> {
        let Some(Open { op, inside, wrong, known: is_known, users, .. }) = self.open.pop() else { return Ok(()) };
        let known = self.checker.known(op.operation_name());
        if is_known && !wrong {
            self.describe.reported(op, verify_last(&self.checker, op, Some(inside), known), report)?;
        }
        if known.has_trait(Traits::SYMBOL_TABLE) {
            for user in self.users.drain(users.min(self.users.len())..) {
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
    #[inline]
    fn report_blocks(&mut self, result: Result<()>, report: &mut dyn FnMut(Error)) -> Result<()> {
        if result.is_err()
            && let Some(open) = self.open.last_mut()
            && !open.wrong
        {
            open.wrong = !self.describe.reported(open.op, result, report)?;
        }
        Ok(())
    }
}
