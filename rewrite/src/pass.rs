//! What a pass is, and what it works on (`mlir/Pass/Pass.h`).

use std::sync::Arc;

use mlirbc_ir::{BodyId, Context, Error, Module, OpId, OpRef, Result, Rewriter};

use crate::bodies::rewrite_inside;
use crate::instrument::Instruments;

/// A transformation or analysis that runs on single operations.
///
/// ```
/// use mlirbc_ir::Result;
/// use mlirbc_rewrite::{Pass, Target};
///
/// /// Counts the operations in each that it runs on.
/// struct Count;
///
/// impl Pass for Count {
///     fn name(&self) -> &str {
///         "count"
///     }
///
///     fn run(&self, target: &mut Target<'_>) -> Result<()> {
///         let count = target.op()?.walk()?.count();
///         target.count("operations", count as u64);
///         Ok(())
///     }
/// }
/// ```
pub trait Pass: Send + Sync {
    /// Its name in pipelines: letters, digits and `-`.
    fn name(&self) -> &str;

    /// Runs on one operation: it may change that and what is in it, and nothing else. A pass that works on each body alone, and says
    /// so in [`Pass::local`], need not say more.
    ///
    /// # Errors
    /// What keeps it from doing what it is there for. The pipeline ends there, and the module is to be thrown away.
    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        match self.local() {
            Some(local) => target.run_local(local),
            None => Err(Error::misuse(format!(
                "the pass `{}` says neither what it does nor how it works on bodies",
                self.name()
            ))),
        }
    }

    /// How it works on bodies, where it looks at one at a time and at nothing else. Then many operations that it runs on are worked on
    /// at once.
    fn local(&self) -> Option<&dyn LocalPass> {
        None
    }

    /// Whether all that it looks at is the operation that it runs on and what is in it, so that it does the same where that stands
    /// alone: see [`Pipeline::run_on`](crate::Pipeline::run_on). One that works on each body alone does.
    fn looks_inside_only(&self) -> bool {
        self.local().is_some()
    }
}

impl Pass for Arc<dyn Pass> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        (**self).run(target)
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        (**self).local()
    }

    fn looks_inside_only(&self) -> bool {
        (**self).looks_inside_only()
    }
}

/// A pass that is one function.
///
/// ```
/// use mlirbc_rewrite::{FnPass, Pipeline};
///
/// let count = FnPass::new("count", |target| {
///     let count = target.op()?.walk()?.count();
///     target.count("operations", count as u64);
///     Ok(())
/// });
/// assert_eq!(Pipeline::new("func.func").pass(count).to_string(), "func.func(count)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FnPass<F> {
    name: &'static str,
    run: F,
}

impl<F: Fn(&mut Target<'_>) -> Result<()> + Send + Sync> FnPass<F> {
    /// A pass of that name, whose function is called with each operation that it runs on: see [`Pass::run`].
    pub fn new(name: &'static str, run: F) -> Self {
        FnPass { name, run }
    }
}

impl<F: Fn(&mut Target<'_>) -> Result<()> + Send + Sync> Pass for FnPass<F> {
    fn name(&self) -> &str {
        self.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        (self.run)(target)
    }
}

/// A pass that works on each body alone: see [`Pass::local`].
///
/// ```
/// use mlirbc_ir::Result;
/// use mlirbc_rewrite::{LocalPass, LocalRun, Pass};
///
/// /// Counts blocks.
/// struct Blocks;
///
/// impl LocalPass for Blocks {
///     fn start(&self) -> LocalRun<'_> {
///         Box::new(|rw, counts| {
///             counts.add("blocks", rw.body().block_count() as u64);
///             Ok(())
///         })
///     }
/// }
///
/// impl Pass for Blocks {
///     fn name(&self) -> &str {
///         "blocks"
///     }
///
///     fn local(&self) -> Option<&dyn LocalPass> {
///         Some(self)
///     }
/// }
/// ```
pub trait LocalPass: Send + Sync {
    /// Begins to work on one thread: what it gives is called with one body after the other. What comes of a body must not depend on
    /// those before it.
    fn start(&self) -> LocalRun<'_>;
}

/// Changes one body, and counts.
pub type LocalRun<'p> = Box<dyn FnMut(&mut Rewriter<'_>, &mut Counts) -> Result<()> + 'p>;

/// What a pass counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(Vec<Count>);

impl Counts {
    /// Adds to what is counted under that name.
    pub fn add(&mut self, name: &'static str, more: u64) {
        match self.0.iter_mut().find(|count| count.name == name) {
            Some(count) => count.value = count.value.saturating_add(more),
            None => self.0.push(Count { name, value: more }),
        }
    }

    pub(crate) fn into_counts(self) -> Vec<Count> {
        self.0
    }
}

/// Runs a pass on all that these operations hold.
pub(crate) fn run_local(
    pass: &dyn LocalPass,
    module: &mut Module,
    anchors: &[(BodyId, OpId)],
    threads: usize,
    counts: &mut Counts,
) -> Result<()> {
    let each = rewrite_inside(
        module,
        anchors,
        threads,
        || pass.start(),
        |run, rw| {
            let mut counts = Counts::default();
            run(rw, &mut counts)?;
            Ok(counts)
        },
    )?;
    each.iter().flat_map(|body| &body.0).for_each(|count| counts.add(count.name, count.value));
    Ok(())
}

/// An operation that a pass runs on.
pub struct Target<'m> {
    module: &'m mut Module,
    body: BodyId,
    op: OpId,
    counts: &'m mut Counts,
    output: &'m mut dyn std::io::Write,
    instruments: &'m Instruments<'m>,
    threads: usize,
}

/// What a pipeline needs that runs inside a pass.
pub(crate) struct Parts<'t> {
    pub(crate) module: &'t mut Module,
    pub(crate) output: &'t mut dyn std::io::Write,
    pub(crate) instruments: &'t Instruments<'t>,
    pub(crate) threads: usize,
}

/// What a pass counted over all that it ran on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// What was counted.
    pub name: &'static str,
    /// How many there were.
    pub value: u64,
}

impl<'m> Target<'m> {
    pub(crate) fn new(
        module: &'m mut Module,
        (body, op): (BodyId, OpId),
        counts: &'m mut Counts,
        output: &'m mut dyn std::io::Write,
        instruments: &'m Instruments<'m>,
        threads: usize,
    ) -> Self {
        Target { module, body, op, counts, output, instruments, threads }
    }

    /// How many threads the pass may work on: see [`bodies::rewrite_inside`](crate::bodies::rewrite_inside).
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The context of the module.
    pub fn context(&self) -> &Context {
        self.module.context()
    }

    /// The operation.
    ///
    /// # Errors
    /// Where its body cannot be read.
    pub fn op(&self) -> Result<OpRef<'_>> {
        self.module.operation(self.body, self.op)
    }

    /// The body that holds the operation, and its number there.
    pub fn place(&self) -> (BodyId, OpId) {
        (self.body, self.op)
    }

    /// The module that holds the operation. What is not in the operation may be looked at alone.
    pub fn module(&mut self) -> &mut Module {
        self.module
    }

    /// Where a pass prints what it found: standard error, unless the pipeline is told otherwise.
    pub fn output(&mut self) -> &mut dyn std::io::Write {
        self.output
    }

    pub(crate) fn parts(&mut self) -> Parts<'_> {
        Parts { module: self.module, output: self.output, instruments: self.instruments, threads: self.threads }
    }

    /// Adds to what the pass counts: shown with `--pass-statistics`.
    pub fn count(&mut self, name: &'static str, more: u64) {
        self.counts.add(name, more);
    }

    /// Runs a pass that works on each body alone on all that the operation holds.
    ///
    /// # Errors
    /// Where a body cannot be read, and what the pass gives.
    pub fn run_local(&mut self, pass: &dyn LocalPass) -> Result<()> {
        run_local(pass, self.module, &[(self.body, self.op)], self.threads, self.counts)
    }
}
