//! The greedy driver: folds and patterns are applied until nothing changes (`mlir/Transforms/GreedyPatternRewriteDriver.h`).
//!
//! Operations are visited in the order in which MLIR visits them, and equal constants become one at the place where MLIR has it, so
//! that the result is the same to the byte.

mod constants;
mod driver;
mod worklist;

use std::fmt;

use mlirbc_ir::{BodyId, Error, Result, Rewriter};

use crate::known::Knowledge;
use crate::pass::{LocalPass, LocalRun, Pass, Target};
use crate::pattern::AnyPattern;
use crate::patterns::Patterns;
use crate::regions::Simplify;

pub(crate) use constants::{Constants, insertion_region};

/// So many rounds that each change something are no sign yet of an endless loop, with another one for so many operations, and with so
/// many for each operation where it is rounds that end before everything was done.
const PATIENCE: u64 = 1_000;
const PATIENCE_PER: u64 = 16;
const PATIENCE_COUNTED: u64 = 2;

/// How often patterns are applied all over again, unless it is told otherwise: as in MLIR.
pub(crate) const MAX_ITERATIONS: i64 = 10;

/// Applies patterns and folds until nothing changes any more.
///
/// ```
/// use mlirbc_ir::{Context, OpId, Rewriter};
/// use mlirbc_rewrite::{AnyPattern, Greedy, Outcome, Patterns, Pipeline, RunOptions};
///
/// /// `toy.twice(x)` is `toy.add(x, x)`.
/// fn twice(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
///     let x = rw.body().operands(op)[0];
///     let ty = rw.op(op).type_of(x)?;
///     let sum = rw.build("toy.add").operands([x, x]).result_type(ty).create()?;
///     Ok(rw.replace_with(op, sum)?)
/// }
///
/// let text = br#"%x = "toy.x"() : () -> i32
///                %y = "toy.twice"(%x) : (i32) -> i32
///                "toy.use"(%y) : (i32) -> ()"#;
/// let context = Context::new();
/// let mut module = mlirbc_text::parse_module(&context, text, &mlirbc_text::ParseOptions::new().implicit_module(true))?;
/// let greedy = Greedy::new(Patterns::new().on("toy.twice", AnyPattern::new("twice", twice)));
/// Pipeline::new().pass(greedy).run(&mut module)?;
/// let top = module.operations()?.next().ok_or("a module")?;
/// assert_eq!(top.walk()?.map(|op| op.name()).collect::<Vec<_>>()[1..], ["toy.x", "toy.add", "toy.use"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Greedy {
    patterns: Patterns,
    canonicalize: bool,
    top_down: bool,
    simplify: Simplify,
    max_iterations: i64,
    max_rewrites: i64,
    disabled: Vec<String>,
    enabled: Vec<String>,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Whether anything changed.
    pub changed: bool,
    /// Whether the last round changed nothing.
    pub converged: bool,
}

/// What a round did.
#[derive(Clone, Copy, Default)]
struct Round {
    /// What changed something; of several things that which says most.
    change: Option<Change>,
    /// How many operations there were.
    operations: usize,
}

/// What changes something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    Regions,
    Fold,
    /// A pattern of that name.
    Pattern(&'static str),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Regions => f.write_str("regions are simplified"),
            Change::Fold => f.write_str("operations are folded"),
            Change::Pattern(name) => write!(f, "the pattern `{name}` is applied"),
        }
    }
}

impl Greedy {
    /// Applies these patterns, and the folds of dialects.
    pub fn new(patterns: Patterns) -> Self {
        Greedy {
            patterns,
            canonicalize: false,
            top_down: true,
            simplify: Simplify::Normal,
            max_iterations: MAX_ITERATIONS,
            max_rewrites: -1,
            disabled: Vec::new(),
            enabled: Vec::new(),
        }
    }

    /// Applies the patterns that dialects bring to canonicalise their operations. An operation that is its own operand, as graph regions
    /// allow, is left to folds: these patterns look at what defines operands, and would meet what they made without an end.
    pub fn canonicalization() -> Self {
        Greedy { canonicalize: true, ..Greedy::new(Patterns::new()) }
    }

    /// Sets whether operations are visited first in the order in which they stand. Otherwise those in regions come before what
    /// holds them, and the last comes first.
    #[must_use]
    pub fn top_down(self, top_down: bool) -> Self {
        Greedy { top_down, ..self }
    }

    /// Sets how regions are simplified after each round.
    #[must_use]
    pub fn simplify(self, simplify: Simplify) -> Self {
        Greedy { simplify, ..self }
    }

    /// Sets the most rounds; -1 for as many as it takes.
    #[must_use]
    pub fn max_iterations(self, max_iterations: i64) -> Self {
        Greedy { max_iterations, ..self }
    }

    /// Sets how many patterns are applied in a round at most, in all that a pass runs on together; -1 for as many as it takes. Bodies are
    /// then rewritten one after the other.
    #[must_use]
    pub fn max_rewrites(self, max_rewrites: i64) -> Self {
        Greedy { max_rewrites, ..self }
    }

    /// Leaves out the patterns of these names. Those of MLIR may have their namespaces: `(anonymous namespace)::CombineIfs`.
    #[must_use]
    pub fn disable<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.disabled.extend(names.into_iter().map(|name| without_namespaces(name.as_ref())));
        self
    }

    /// Leaves out the patterns of all names but these, where there is one.
    #[must_use]
    pub fn enable<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.enabled.extend(names.into_iter().map(|name| without_namespaces(name.as_ref())));
        self
    }

    /// Rewrites a body. What operations in it hold in bodies of their own stays as it is.
    ///
    /// # Errors
    /// Where something cannot be decoded; what a pattern gives; where a pattern is applied again and again without an end, in one round
    /// or in as many as are allowed: the message names it.
    pub fn run(&self, rw: &mut Rewriter<'_>) -> Result<Ran> {
        driver::run(self, &mut self.state(), rw)
    }

    /// Calls `round` until it says that nothing changed, or was called often enough.
    fn rounds(&self, mut round: impl FnMut() -> Result<Round>) -> Result<Ran> {
        let (mut ran, mut rounds, mut patience) = (Ran::default(), 0u64, None);
        while !ran.converged && (self.max_iterations < 0 || rounds < self.max_iterations as u64) {
            rounds += 1;
            let Round { change, operations } = round()?;
            ran.converged = change.is_none();
            ran.changed |= !ran.converged;
            let patience = *patience.get_or_insert_with(|| self.patience(operations as u64));
            if let Some(change) = change.filter(|_| rounds > patience) {
                let message = format!("{change} again and again: {rounds} rounds, and each changed something");
                return Err(Error::misuse(message));
            }
        }
        Ok(ran)
    }

    /// After how many rounds, in what held so many operations at first, there seems to be no end.
    fn patience(&self, operations: u64) -> u64 {
        let counted = operations.saturating_mul(PATIENCE_COUNTED).checked_div(self.max_rewrites.max(0) as u64);
        PATIENCE.saturating_add(operations / PATIENCE_PER).saturating_add(counted.unwrap_or(0))
    }

    /// Whether what happens in one body depends on what happened in others.
    pub(crate) fn counts(&self) -> bool {
        self.max_rewrites >= 0
    }

    /// Rewrites all that an operation holds, in bodies of their own too: a round in each, in the order of visits, then the next round.
    pub(crate) fn run_counted(&self, target: &mut Target<'_>) -> Result<Ran> {
        let mut state = self.state();
        let (body, op) = target.place();
        self.rounds(|| {
            let (mut all, mut left) = (Round::default(), self.max_rewrites);
            let module = target.module();
            let mut bodies: Vec<BodyId> = module.body(body)?.region_body(op).into_iter().collect();
            while let Some(id) = bodies.pop() {
                let round = module.rewrite(id, |rw| driver::round(self, &mut state, rw, &mut left))?;
                all.change = round.change.max(all.change);
                all.operations += round.operations;
                let body = module.body(id)?;
                let mut inner: Vec<BodyId> = body.preorder().filter_map(|op| body.region_body(op)).collect();
                if self.top_down {
                    inner.reverse();
                }
                bodies.extend(inner);
            }
            Ok(all)
        })
    }

    fn state(&self) -> driver::State<'_> {
        driver::State::new(Knowledge::new(&self.patterns, self.canonicalize, self))
    }

    /// Begins to rewrite bodies: gives what rewrites one, which may be called with one after the other.
    pub fn start(&self) -> impl FnMut(&mut Rewriter<'_>) -> Result<Ran> + '_ {
        let mut state = self.state();
        move |rw| driver::run(self, &mut state, rw)
    }

    pub(crate) fn takes(&self, pattern: &AnyPattern) -> bool {
        let is = |names: &[String]| names.iter().any(|name| name == pattern.name);
        pattern.is_fold || !is(&self.disabled) && (self.enabled.is_empty() || is(&self.enabled))
    }
}

/// The name of a class of C++ as patterns have it: `mlir::A<mlir::b::C, D>` is `A<C, D>`.
fn without_namespaces(name: &str) -> String {
    let name = name.replace("(anonymous namespace)::", "");
    let words = name.split_inclusive(|at: char| !at.is_alphanumeric() && !matches!(at, '_' | ':'));
    words.map(|word| word.rsplit("::").next().unwrap_or(word)).collect()
}

impl Pass for Greedy {
    fn name(&self) -> &str {
        "greedy"
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        match self.local() {
            Some(local) => target.run_local(local),
            None => self.run_counted(target).map(|_| ()),
        }
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        (!self.counts()).then_some(self)
    }
}

impl LocalPass for Greedy {
    fn start(&self) -> LocalRun<'_> {
        let mut run = self.start();
        Box::new(move |rw, _| run(rw).map(|_| ()))
    }
}

#[cfg(test)]
mod tests {
    use super::without_namespaces;

    #[test]
    fn patterns_are_named_without_namespaces() {
        for (name, expected) in [
            ("CombineIfs", "CombineIfs"),
            ("(anonymous namespace)::CombineIfs", "CombineIfs"),
            ("(anonymous namespace)::A_b<mlir::memref::AllocOp>", "A_b<AllocOp>"),
            ("mlir::A<mlir::b::C, D, mlir::E<F>>", "A<C, D, E<F>>"),
            ("", ""),
            ("::", ""),
        ] {
            assert_eq!(without_namespaces(name), expected, "{name}");
        }
    }
}
