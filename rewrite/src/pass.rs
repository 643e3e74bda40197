//! What a pass is, and what it works on (`mlir/Pass/Pass.h`).

use mlirbc_ir::{BodyId, Context, Module, OpId, OpRef, Result};

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

    /// Runs on one operation: it may change that and what is in it, and nothing else.
    ///
    /// # Errors
    /// What keeps it from doing what it is there for. The pipeline ends there, and the module is to be thrown away.
    fn run(&self, target: &mut Target<'_>) -> Result<()>;
}

/// An operation that a pass runs on.
pub struct Target<'m> {
    module: &'m mut Module,
    body: BodyId,
    op: OpId,
    counts: &'m mut Vec<Count>,
    output: &'m mut dyn std::io::Write,
    threads: usize,
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
        counts: &'m mut Vec<Count>,
        output: &'m mut dyn std::io::Write,
        threads: usize,
    ) -> Self {
        Target { module, body, op, counts, output, threads }
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

    /// Adds to what the pass counts: shown with `--pass-statistics`.
    pub fn count(&mut self, name: &'static str, more: u64) {
        match self.counts.iter_mut().find(|count| count.name == name) {
            Some(count) => count.value = count.value.saturating_add(more),
            None => self.counts.push(Count { name, value: more }),
        }
    }
}
