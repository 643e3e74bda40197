//! The greedy driver: folds and patterns are applied until nothing changes (`mlir/Transforms/GreedyPatternRewriteDriver.h`).
//!
//! Operations are visited in the order in which MLIR visits them, and equal constants become one at the place where MLIR has it, so
//! that the result is the same to the byte.

mod constants;
mod driver;
mod worklist;

use mlirbc_ir::{BodyId, Result, Rewriter};

use crate::known::Knowledge;
use crate::pass::{LocalPass, LocalRun, Pass, Target};
use crate::pattern::{AnyPattern, Patterns};
use crate::regions::Simplify;

pub(crate) use constants::{Constants, insertion_region};

/// How often patterns are applied all over again, unless it is told otherwise: as in MLIR.
pub const MAX_ITERATIONS: i64 = 10;

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
/// Pipeline::new("builtin.module").pass(greedy).run(&mut module, RunOptions::new())?;
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

    /// Applies the patterns that dialects bring to canonicalise their operations.
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
    /// Where something cannot be decoded; what a pattern gives; where a pattern is applied again and again without an end: the message
    /// names it.
    pub fn run(&self, rw: &mut Rewriter<'_>) -> Result<Ran> {
        driver::run(self, &mut self.state(), rw)
    }

    /// Calls `round` until it says that nothing changed, or was called often enough.
    fn rounds(&self, mut round: impl FnMut() -> Result<bool>) -> Result<Ran> {
        let (mut ran, mut rounds) = (Ran::default(), 0);
        while !ran.converged && (self.max_iterations < 0 || rounds < self.max_iterations) {
            rounds += 1;
            ran.converged = !round()?;
            ran.changed |= !ran.converged;
        }
        Ok(ran)
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
            let (mut changed, mut left) = (false, self.max_rewrites);
            let module = target.module();
            let mut bodies: Vec<BodyId> = module.body(body)?.region_body(op).into_iter().collect();
            while let Some(id) = bodies.pop() {
                changed |= module.rewrite(id, |rw| driver::round(self, &mut state, rw, &mut left))?;
                let body = module.body(id)?;
                let mut inner: Vec<BodyId> = body.preorder().filter_map(|op| body.region_body(op)).collect();
                if self.top_down {
                    inner.reverse();
                }
                bodies.extend(inner);
            }
            Ok(changed)
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
