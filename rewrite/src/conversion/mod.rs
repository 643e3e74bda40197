//! Dialect conversion: operations that a target does not want become such that it wants (`mlir/Transforms/DialectConversion.h`).
//!
//! A [`ConversionTarget`] says which operations are legal, [`ConversionPatterns`] how others become legal, and a [`TypeConverter`] what
//! becomes of types. A [`Conversion`] walks through all operations, each before what it holds, and makes each legal that is not: it is
//! folded, or the first pattern is applied of which all that it makes can be made legal in turn. What a pattern changed is undone where
//! that fails, and so is all of the conversion where an operation is left that may not be: then the module is as it was.
//!
//! What is replaced stays in the IR until all is done, or its body where no other stands in that, with the operands that it had. A pattern
//! gets what stands for the operands as an [`Adaptor`]: values of the types that its type converter wants. Where nothing of such a type is
//! there, a cast is made, directly behind what defines the value or at the start of its block; casts that are not needed in the end, or
//! that cancel each other, are erased, and type converters say what becomes of the others: `builtin.unrealized_conversion_cast` unless
//! they say something else.
//!
//! ```
//! use std::sync::Arc;
//!
//! use mlirbc_ir::{Context, OpId};
//! use mlirbc_rewrite::Outcome;
//! use mlirbc_rewrite::conversion::{
//!     Adaptor, Conversion, ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget, Converted,
//!     TypeConverter,
//! };
//!
//! /// `toy.add` becomes `new.sum`, in the types that the converter wants.
//! fn add(rw: &mut ConversionRewriter<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
//!     let types = rw.converted_results(op)?;
//!     let sum = rw.build("new.sum").operands(operands.all()?).result_types(types).create()?;
//!     Ok(rw.replace_with(op, sum)?)
//! }
//!
//! let text = br#"%x = "other.x"() : () -> i8
//!                %y = "toy.add"(%x, %x) : (i8, i8) -> i8
//!                %z = "toy.add"(%y, %x) : (i8, i8) -> i8
//!                "other.use"(%z) : (i8) -> ()"#;
//! let context = Context::new();
//! let mut module = mlirbc_text::parse_module(&context, text, &mlirbc_text::ParseOptions::new().implicit_module(true))?;
//! let (i8, i32) = (context.integer_type(8), context.integer_type(32));
//! let types = Arc::new(TypeConverter::new().rule(move |_, ty| Converted::Type(if ty == i8 { i32 } else { ty })));
//! let patterns = ConversionPatterns::new().on("toy.add", ConversionPattern::new("add", add).types(&types));
//! let target = ConversionTarget::new().illegal_dialects(["toy"]).legal_dialects(["new"]);
//! let place = module.operations()?.next().map(|op| (op.body_id(), op.id())).ok_or("a module")?;
//! Conversion::new(target, patterns).partial().run(&mut module, place)?;
//!
//! let top = module.operations()?.next().ok_or("a module")?;
//! let names: Vec<_> = top.walk()?.map(|op| op.name().into_owned()).collect();
//! let cast = "builtin.unrealized_conversion_cast";
//! assert_eq!(names[1..], ["other.x", cast, "new.sum", "new.sum", cast, "other.use"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Isolated operations
//!
//! What an operation holds that is isolated from above stands in a body of its own, and is converted after the body that the operation
//! is in. A pattern for such an operation makes another one, gives it what the old one holds with [`ConversionRewriter::move_body`], and
//! says with [`ConversionRewriter::convert_body_types`] what becomes of the arguments of blocks there. Bodies that do not hold each other are
//! converted on several threads where [`Conversion::threads`] says so.
//!
//! # When not to use it
//!
//! Where nothing has to be gone in the end and types stay as they are, [`Greedy`](crate::Greedy) does the same with less.

mod blocks;
mod casts;
mod commit;
mod driver;
mod folded;
mod log;
mod mapping;
mod order;
mod pattern;
mod rewriter;
mod state;
mod target;
mod types;

use std::sync::Arc;

use mlirbc_ir::{BodyId, Error, Module, OpId, OpRef, Result, Rewriter, Workspace};

pub(crate) use casts::reconcile;
pub use pattern::{Adaptor, ConversionPattern, ConversionPatterns, ConvertFn};
pub use rewriter::ConversionRewriter;
pub use target::{ConversionTarget, Legality};
pub use types::{Converted, SignatureConversion, TypeConverter, Types};

use crate::bodies::rewrite_level;
use crate::known::Knowledge;
use crate::outcome::NoMatch;
use driver::{Driver, Names};
use log::Log;
use order::Order;
use state::{BodyTypes, Left, Open, Replacements, Session};

/// The operation that stands for a value of another type.
pub const CAST: &str = "builtin.unrealized_conversion_cast";

/// The operation that holds blocks until they are erased. It stands nowhere.
const LIMBO: &str = "builtin.erased";

/// A body of so many operations, with none in it, is converted as a copy, and settled at once: what it was is kept until the rest is
/// converted, and nothing has to be kept of how it was converted. In a larger one there may be little to convert.
const MOST_COPIED: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Partial,
    Full,
}

/// Makes operations legal: see the [module documentation](self).
#[derive(Clone, Debug)]
pub struct Conversion {
    target: ConversionTarget,
    order: Order,
    mode: Mode,
    threads: usize,
    finally: Finally,
}

type Finish = dyn Fn(&mut Rewriter<'_>) -> Result<()> + Send + Sync;

/// What is done with bodies that are converted.
#[derive(Clone, Default)]
struct Finally(Option<Arc<Finish>>);

impl Finally {
    fn run(&self, rw: &mut Rewriter<'_>) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |finish| finish(rw))
    }
}

impl std::fmt::Debug for Finally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Finally" } else { "Nothing" })
    }
}

impl Conversion {
    /// Makes every operation legal, or fails.
    pub fn new(target: ConversionTarget, patterns: ConversionPatterns) -> Self {
        let order = Order::new(&patterns, &target);
        Conversion { target, order, mode: Mode::Full, threads: 1, finally: Finally::default() }
    }

    /// Lets operations stay of which the target says nothing, where they cannot be made legal.
    #[must_use]
    pub fn partial(self) -> Self {
        Conversion { mode: Mode::Partial, ..self }
    }

    /// The patterns for operations of that name, in the order in which they are tried: see [`ConversionPatterns`]. None of operations that
    /// are legal whatever they are.
    pub fn patterns_of(&self, operation: &str) -> impl Iterator<Item = &ConversionPattern> {
        let tried = if self.target.is_always_legal(operation) { &[][..] } else { self.order.of(operation) };
        tried.iter().map(|tried| &tried.pattern)
    }

    /// Sets on how many threads bodies of isolated operations are converted that do not hold each other: on one, unless it is set.
    ///
    /// What comes of it is the same where patterns, rules for types and what tells legal operations look at the body that they are in, at
    /// those around it and at those in it alone, and remember nothing that depends on which of several bodies comes first.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Conversion { threads, ..self }
    }

    /// Does something more with each body of an isolated operation in what is converted, once what was replaced in it is gone: before
    /// others are final, where no operation in it has a body of its own. It looks at that body alone.
    #[must_use]
    pub fn finally(self, finish: impl Fn(&mut Rewriter<'_>) -> Result<()> + Send + Sync + 'static) -> Self {
        Conversion { finally: Finally(Some(Arc::new(finish))), ..self }
    }

    /// Converts an operation of the module and all that is in it.
    ///
    /// # Errors
    /// Where an operation is left that may not be: `failed to legalize operation 'X' that was explicitly marked illegal`, or without the
    /// last part in a full conversion; why the last pattern that was tried did nothing; the line that it comes from, and its place. Where
    /// a body cannot be read; what a pattern gives, and what is done [finally](Conversion::finally); where patterns are applied to what came of each other without an end: the message
    /// names the last. The module is then as it was,
    /// but where what was made cannot be put in place in the end.
    ///
    /// What is in isolated operations in this one may have other numbers afterwards: see [`Module::compact`].
    pub fn run(&self, module: &mut Module, (body, op): (BodyId, OpId)) -> Result<()> {
        module.operation(body, op)?;
        let mut levels = Vec::new();
        match self.legalize_all(module, (body, op), &mut levels) {
            Ok(()) => {
                let nothing = Finally::default();
                let mut levels = levels.into_iter();
                levels.next().map_or(Ok(()), |outermost| self.commit(module, outermost, &nothing))?;
                levels.try_for_each(|sessions| self.commit(module, sessions, &self.finally))
            }
            Err(error) => {
                for session in levels.into_iter().rev().flatten() {
                    match session.left {
                        Left::Settled(was) => module.restore(session.body, was)?,
                        Left::Open(open) => module.rewrite(session.body, |rw| undo(rw, open))?,
                    }
                }
                Err(error)
            }
        }
    }

    /// Makes all legal, level by level of bodies that hold each other, the outermost first.
    fn legalize_all<'c>(
        &'c self,
        module: &mut Module,
        (body, op): (BodyId, OpId),
        levels: &mut Vec<Vec<Session>>,
    ) -> Result<()> {
        let mut names = Names::new();
        let (session, done) = module.rewrite(body, |rw| {
            self.legalize(rw, &mut names, false, |driver| {
                driver.run_on(op)?;
                match driver.rw.is_replaced(op) {
                    true => Err(Error::misuse("the operation that a conversion runs on cannot be replaced")),
                    false => Ok(driver.bodies(Some(op))),
                }
            })
        })?;
        levels.push(session.into_iter().collect());
        let mut places = Places::default();
        let mut level = Vec::new();
        places.inside(None, done?, &mut level);
        let mut failed: Option<(Vec<u32>, Error)> = None;
        while !level.is_empty() {
            let bodies = level.iter_mut().map(|waiting| (waiting.body, waiting.types.take())).collect();
            let legalize = |names: &mut Names<'c>, rw: &mut Rewriter<'_>, types: Option<Box<BodyTypes>>| {
                self.legalize(rw, names, true, |driver| {
                    types.map_or(Ok(()), |types| driver.convert_regions(&types))?;
                    driver.run()?;
                    Ok(driver.bodies(None))
                })
            };
            let (mut sessions, mut next) = (Vec::with_capacity(level.len()), Vec::new());
            let mut waiting = level.into_iter();
            let take = |(session, done): (Option<Session>, Result<Vec<Inside>>)| {
                sessions.extend(session);
                let Some(waiting) = waiting.next() else { return };
                match done {
                    Ok(inside) => places.inside(Some(waiting.place), inside, &mut next),
                    // The error is that of the body that comes first where each is followed by those in it.
                    Err(error) => {
                        let path = places.path(waiting.place);
                        if failed.as_ref().is_none_or(|first| path < first.0) {
                            failed = Some((path, error));
                        }
                    }
                }
            };
            rewrite_level(module, bodies, self.threads, &mut names, &Names::new, &legalize, take)?;
            levels.push(sessions);
            if let Some((first, _)) = &failed {
                next.retain(|waiting| places.path(waiting.place) < *first);
            }
            level = next;
        }
        failed.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Does something in a body that can be undone: what is left of it is kept, also where it fails. Where `settles` says so, what is in
    /// the body may get other numbers.
    fn legalize<'c, R>(
        &'c self,
        rw: &mut Rewriter<'_>,
        names: &mut Names<'c>,
        settles: bool,
        work: impl FnOnce(&mut Driver<'c, '_, '_, '_>) -> Result<R>,
    ) -> Result<(Option<Session>, Result<R>)> {
        let holds_none = |rw: &Rewriter<'_>| rw.body().region_bodies().next().is_none();
        let settles = settles && holds_none(rw) && rw.body().operation_count() <= MOST_COPIED;
        let was = settles.then(|| rw.copy_in(&mut names.room.space));
        if was.is_none() {
            rw.reserve(rw.body().operation_count().min(MOST_COPIED));
            rw.build_uses_in(&mut names.room.space);
        }
        let (body, changes) = (rw.body_id(), std::mem::take(&mut names.room.changes));
        let log = rw.listen(Log { changes, ..Log::default() });
        let mut state = names.room.state.take().unwrap_or_default();
        state.last_types.prepare();
        let converters = &self.order.converters;
        let knowledge = names.knowledge.take().unwrap_or_else(Knowledge::of_folds);
        knowledge.begin_body();
        let rest = ConversionRewriter { rw: &mut *rw, log, state, converters, types: None, knowledge };
        let mut driver = Driver::new(self, names, rest);
        let done = work(&mut driver);
        let ConversionRewriter { mut state, knowledge, .. } = driver.rw;
        names.knowledge = Some(knowledge);
        let log = rw.unlisten(log).ok_or_else(|| Error::misuse("the list of changes is gone"))?;
        let (mut changes, room) = (log.changes, &mut names.room);
        let mut done = done;
        let left = match was {
            Some(was) if holds_none(rw) => {
                if done.is_ok() {
                    let finished = commit::finish(rw, converters, (&mut changes, &mut state), &mut room.replaced);
                    done = finished.and_then(|()| self.finally.run(rw)).and(done);
                }
                match done {
                    Ok(_) => rw.settle(&mut room.space, was).map(Left::Settled),
                    Err(_) => {
                        rw.abandon(&mut room.space, was);
                        None
                    }
                }
            }
            _ if changes.is_empty() && state.limbo.is_none() && self.finally.0.is_none() => None,
            _ => {
                let limbo = state.limbo.map(|limbo| limbo.0);
                let replacements = match commit::found(rw, &changes, &state) {
                    Ok(Some(found)) => {
                        rw.drop_uses(&mut room.space);
                        Replacements::Found(found)
                    }
                    Ok(None) | Err(_) => Replacements::In(state.split_off()),
                };
                let mut kept = Vec::new();
                match changes.len() <= MOST_COPIED {
                    true => {
                        kept.reserve_exact(changes.len());
                        kept.append(&mut changes);
                    }
                    false => kept = std::mem::take(&mut changes),
                }
                Some(Left::Open(Open { changes: kept, limbo, replacements }))
            }
        };
        changes.clear();
        state.clear();
        (room.changes, room.state) = (changes, Some(state));
        Ok((left.map(|left| Session { body, left }), done))
    }

    /// Makes what was done in bodies of one level final.
    fn commit(&self, module: &mut Module, sessions: Vec<Session>, finally: &Finally) -> Result<()> {
        let open = |session: Session| match session.left {
            Left::Open(open) => Some((session.body, open)),
            Left::Settled(_) => None,
        };
        let bodies = sessions.into_iter().filter_map(open).collect();
        let commit = |space: &mut Workspace, rw: &mut Rewriter<'_>, open| {
            rw.build_uses_in(space);
            commit::commit(rw, &self.order.converters, open)?;
            finally.run(rw)?;
            rw.drop_uses(space);
            Ok(())
        };
        let mut space = Workspace::default();
        rewrite_level(module, bodies, self.threads, &mut space, &Workspace::default, &commit, drop)
    }
}

/// A body in another one, and how its types are converted.
type Inside = (BodyId, Option<Box<BodyTypes>>);

/// A body that is not converted yet.
struct Waiting {
    place: Place,
    body: BodyId,
    types: Option<Box<BodyTypes>>,
}

/// Where bodies stand: each in which other one, and its number among those in that.
#[derive(Default)]
struct Places(Vec<(Option<Place>, u32)>);

/// The number of a place.
type Place = u32;

impl Places {
    /// The bodies in that of a place.
    fn inside(&mut self, around: Option<Place>, inside: Vec<Inside>, waiting: &mut Vec<Waiting>) {
        for ((body, types), number) in inside.into_iter().zip(0..) {
            waiting.push(Waiting { place: self.0.len() as Place, body, types });
            self.0.push((around, number));
        }
    }

    /// The number of a body behind those of the bodies around.
    fn path(&self, place: Place) -> Vec<u32> {
        let around = std::iter::successors(self.0.get(place as usize), |place| self.0.get(place.0? as usize));
        let mut path: Vec<u32> = around.map(|place| place.1).collect();
        path.reverse();
        path
    }
}

/// The error that an operation is left which may not be, for a reason that is known: where it comes from and where it is.
pub fn not_legalized(op: OpRef<'_>, is_illegal: bool, reason: Option<&str>) -> Error {
    let mut message = format!("failed to legalize operation '{}'", op.name());
    if is_illegal {
        message.push_str(" that was explicitly marked illegal");
    }
    message.extend(reason.map(|reason| format!(": {reason}")));
    Error::verification(message + &place(op))
}

/// The line that an operation comes from, and where it is.
fn place(op: OpRef<'_>) -> String {
    let line = op.source_line().map(|line| format!(", at {line}"));
    let path = Some(format!(", {}", op.path())).filter(|path| path.len() > 2);
    line.into_iter().chain(path).collect()
}

/// Undoes all that was done in a body.
fn undo(rw: &mut Rewriter<'_>, open: Open) -> Result<()> {
    let mut state = match open.replacements {
        Replacements::In(state) => state,
        Replacements::Found(_) => Box::default(),
    };
    log::undo_all(rw, &mut state, open.changes)?;
    open.limbo.map_or(Ok(()), |limbo| rw.erase(limbo))
}

impl Driver<'_, '_, '_, '_> {
    /// Converts the arguments of the body's blocks.
    fn convert_regions(&mut self, of: &BodyTypes) -> Result<()> {
        let regions = self.rw.body().top_regions().to_vec();
        if !of.others {
            let first = regions.first().and_then(|&region| self.rw.body().first_block(region));
            let Some((first, entry)) = first.zip(of.entry.as_ref()) else { return Ok(()) };
            return self.rw.convert_block(first, entry, Some(of.types)).map(drop);
        }
        for (number, region) in regions.into_iter().enumerate() {
            let entry = of.entry.as_ref().filter(|_| number == 0);
            match self.rw.convert_region(region, entry, of.types) {
                Ok(_) => {}
                Err(NoMatch::Reason(reason)) => return Err(Error::verification(reason)),
                Err(NoMatch::Error(error)) => return Err(error),
            }
        }
        Ok(())
    }

    /// The bodies of isolated operations that are left in an operation, or in the whole body, with how their types are converted.
    fn bodies(&mut self, within: Option<OpId>) -> Vec<Inside> {
        if self.rw.body().region_bodies().next().is_none() {
            return Vec::new();
        }
        let mut types = std::mem::take(&mut self.rw.state.bodies);
        let (body, state) = (self.rw.body(), &self.rw.state);
        let all = within.map_or_else(|| body.preorder(), |op| body.preorder_of(op));
        let left = all.filter(|op| !state.replaced.contains(*op) && !state.ignored.contains(*op));
        let held = left.filter_map(|op| Some((op, body.region_body(op)?)));
        let open = held.filter(|&(op, _)| self.legality(op) != Legality::RecursivelyLegal);
        open.map(|(op, child)| (child, types.remove(op.index()))).collect()
    }
}

impl ConversionRewriter<'_, '_> {
    fn is_replaced(&self, op: OpId) -> bool {
        self.state.replaced.contains(op)
    }
}
