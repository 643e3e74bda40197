//! What a pass is, and what it works on (`mlir/Pass/Pass.h`).

use std::sync::Arc;

use mlirbc_ir::threads::in_order;
use mlirbc_ir::{BodyId, Context, Error, Module, OpId, OpRef, Result, Rewriter};

use crate::bodies::rewrite_inside;
use crate::instrument::Instruments;

/// A transformation or analysis that runs on single operations.
///
/// # Threads
///
/// A pass that says how it works on each body alone ([`Pass::local`]) works on many bodies at once, those of all operations that it runs
/// on and those in them; one that changes nothing ([`Pass::looking`]) looks at many operations at once. All others run on one operation
/// after the other, since [`Pass::run`] has the whole module in hand; inside of it a pass has [`Target::threads`] for
/// [`Target::run_local`] and [`bodies::rewrite_inside`](crate::bodies::rewrite_inside). What comes of it is the same on any number of
/// threads.
///
/// Of those built in `canonicalize`, `cse`, `reconcile-unrealized-casts` and `strip-debuginfo` work on bodies, `print-op-stats` looks,
/// `inline` runs its pipelines on many callables at once, and `sccp`, `symbol-dce` and `symbol-privatize` follow symbols, on one
/// thread.
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

    /// The name of the operations that it is for; `None` for those of any name. A [`Pipeline`](crate::Pipeline) for operations of
    /// another name refuses it, one for operations of any name passes over all others.
    fn anchor(&self) -> Option<&str> {
        None
    }

    /// Runs on one operation: it may change that and what is in it, and nothing else. A pass that says how it works on each body alone
    /// ([`Pass::local`]), or how it looks at an operation ([`Pass::looking`]), need not say more.
    ///
    /// # Errors
    /// What keeps it from doing what it is there for. The pipeline ends there, and the module is to be thrown away.
    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        match (self.local(), self.looking()) {
            (Some(local), _) => target.run_local(local),
            (None, Some(looking)) => target.run_looking(looking),
            (None, None) => Err(Error::misuse(format!(
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

    /// How it looks at an operation, where it changes none. Then many operations that it runs on are looked at at once.
    fn looking(&self) -> Option<&dyn LookingPass> {
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

    fn anchor(&self) -> Option<&str> {
        (**self).anchor()
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        (**self).run(target)
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        (**self).local()
    }

    fn looking(&self) -> Option<&dyn LookingPass> {
        (**self).looking()
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
/// assert_eq!(Pipeline::on("func.func").pass(count).to_string(), "func.func(count)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FnPass<F> {
    name: &'static str,
    anchor: Option<&'static str>,
    run: F,
}

impl<F: Fn(&mut Target<'_>) -> Result<()> + Send + Sync> FnPass<F> {
    /// A pass of that name, whose function is called with each operation that it runs on: see [`Pass::run`].
    pub fn new(name: &'static str, run: F) -> Self {
        FnPass { name, anchor: None, run }
    }

    /// Says that it is for operations of that name alone: see [`Pass::anchor`].
    #[must_use]
    pub fn on(self, anchor: &'static str) -> Self {
        FnPass { anchor: Some(anchor), ..self }
    }
}

impl<F: Fn(&mut Target<'_>) -> Result<()> + Send + Sync> Pass for FnPass<F> {
    fn name(&self) -> &str {
        self.name
    }

    fn anchor(&self) -> Option<&str> {
        self.anchor
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

    /// Changes the operations themselves that the pass runs on, which stand in bodies that hold others too: before their bodies, and
    /// on one thread.
    ///
    /// # Errors
    /// As [`Pass::run`].
    fn begin(&self, _module: &mut Module, _anchors: &[(BodyId, OpId)]) -> Result<()> {
        Ok(())
    }
}

/// A pass that changes nothing: see [`Pass::looking`].
///
/// ```
/// use std::io::Write;
///
/// use mlirbc_ir::{OpRef, Result};
/// use mlirbc_rewrite::{Counts, LookingPass, Pass};
///
/// /// Says how many operations there are in each.
/// struct Sizes;
///
/// impl LookingPass for Sizes {
///     fn look(&self, op: OpRef<'_>, output: &mut dyn Write, counts: &mut Counts) -> Result<()> {
///         let size = op.walk()?.count();
///         counts.add("operations", size as u64);
///         Ok(writeln!(output, "{}: {size}", op.path())?)
///     }
/// }
///
/// impl Pass for Sizes {
///     fn name(&self) -> &str {
///         "sizes"
///     }
///
///     fn looking(&self) -> Option<&dyn LookingPass> {
///         Some(self)
///     }
/// }
/// ```
pub trait LookingPass: Send + Sync {
    /// Looks at an operation. What it prints comes in the order of the operations.
    ///
    /// # Errors
    /// As [`Pass::run`].
    fn look(&self, op: OpRef<'_>, output: &mut dyn std::io::Write, counts: &mut Counts) -> Result<()>;
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

    fn add_all(&mut self, more: &Counts) {
        more.0.iter().for_each(|count| self.add(count.name, count.value));
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
    pass.begin(module, anchors)?;
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
    each.iter().for_each(|body| counts.add_all(body));
    Ok(())
}

/// How many operations are looked at before what was printed of them goes out.
const AT_ONCE: usize = 4096;

/// Lets a pass look at all of these operations.
pub(crate) fn run_looking(
    pass: &dyn LookingPass,
    module: &Module,
    anchors: &[(BodyId, OpId)],
    threads: usize,
    output: &mut dyn std::io::Write,
    counts: &mut Counts,
) -> Result<()> {
    if threads <= 1 || anchors.len() <= 1 {
        return anchors.iter().try_for_each(|&(body, op)| pass.look(module.operation(body, op)?, output, counts));
    }
    let look = |(): &mut (), (body, op)| {
        let (mut printed, mut counts) = (Vec::new(), Counts::default());
        let looked = module.operation(body, op).and_then(|op| pass.look(op, &mut printed, &mut counts));
        (printed, counts, looked)
    };
    let weight = |&(body, op): &(BodyId, OpId)| {
        let inside = module.body(body).ok().and_then(|body| body.region_body(op));
        inside.and_then(|inside| module.body(inside).ok()).map_or(1, |inside| inside.operation_count())
    };
    for anchors in anchors.chunks(AT_ONCE) {
        for (printed, found, looked) in in_order(threads, weight, anchors.to_vec(), || (), look) {
            output.write_all(&printed)?;
            counts.add_all(&found);
            looked?;
        }
    }
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

    /// Lets a pass look at the operation.
    ///
    /// # Errors
    /// What the pass gives.
    pub fn run_looking(&mut self, pass: &dyn LookingPass) -> Result<()> {
        run_looking(pass, self.module, &[(self.body, self.op)], self.threads, self.output, self.counts)
    }
}
