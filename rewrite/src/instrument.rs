//! What watches a pipeline while it runs (`mlir/Pass/PassInstrumentation.h`).

use std::io::Write;

use mlirbc_ir::{BodyId, Error, Module, OpId, OpRef, Result};
use mlirbc_text::{PrintOptions, print_operation};

/// Is called before and after pipelines and passes: `PassInstrumentation` of MLIR.
///
/// A run has any number of them ([`RunOptions::instrument`](crate::RunOptions::instrument)). Those that were added first are called
/// first before something, and last after it. The pipelines that a pass runs inside, as `inline` does, are watched too.
///
/// All calls come from the thread that the pipeline was started on, and are the same however many threads passes work on. To this end a
/// pass that is watched works on one operation at a time, if on many threads inside of it: say with [`Instrument::watches`] which
/// passes matter, so that others lose nothing.
///
/// ```
/// use std::sync::Mutex;
///
/// use mlirbc_ir::{Context, Result};
/// use mlirbc_rewrite::{Instrument, PassRun, Pipeline, RunOptions, passes};
/// use mlirbc_text::{ParseOptions, parse_module};
///
/// /// Says how many operations there are before each pass.
/// #[derive(Default)]
/// struct Sizes(Mutex<Vec<(String, usize)>>);
///
/// impl Instrument for Sizes {
///     fn before_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
///         let size = run.op()?.walk()?.count();
///         self.0.lock().expect("no thread panics").push((run.pass().to_owned(), size));
///         Ok(())
///     }
/// }
///
/// let text = b"module { \"toy.one\"() : () -> () }";
/// let mut module = parse_module(&Context::new(), text, &ParseOptions::new())?;
/// let sizes = Sizes::default();
/// let pipeline = Pipeline::parse("builtin.module(cse,strip-debuginfo)", &passes::registry())?;
/// pipeline.run_with(&mut module, RunOptions::new().instrument(&sizes))?;
/// let wanted = [("cse".to_owned(), 2), ("strip-debuginfo".to_owned(), 2)];
/// assert_eq!(sizes.0.into_inner()?, wanted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An error that one of the methods gives ends the run, and nothing is called after that.
pub trait Instrument: Send + Sync {
    /// Whether the three calls about passes are wanted for those of this name: all passes, unless it says something else.
    fn watches(&self, _pass: &str) -> bool {
        true
    }

    /// Before a pipeline runs (`runBeforePipeline`): once for all operations that it runs on, and not where there is none.
    fn before_pipeline(&self, _run: &mut PipelineRun<'_>) -> Result<()> {
        Ok(())
    }

    /// After a pipeline of which every pass did what it is there for (`runAfterPipeline`).
    fn after_pipeline(&self, _run: &mut PipelineRun<'_>) -> Result<()> {
        Ok(())
    }

    /// Before a pass runs on an operation (`runBeforePass`).
    fn before_pass(&self, _run: &mut PassRun<'_>) -> Result<()> {
        Ok(())
    }

    /// After a pass has run on an operation, and what it changed is verified, where that is asked for (`runAfterPass`).
    fn after_pass(&self, _run: &mut PassRun<'_>) -> Result<()> {
        Ok(())
    }

    /// After a pass failed on an operation, or left a rule of the IR broken (`runAfterPassFailed`). The operation may be broken, or no
    /// longer there. What it gives counts for nothing: the run ends with the error.
    fn after_pass_failed(&self, _run: &mut PassRun<'_>, _error: &Error) -> Result<()> {
        Ok(())
    }
}

impl<I: Instrument + ?Sized> Instrument for &I {
    fn watches(&self, pass: &str) -> bool {
        (**self).watches(pass)
    }

    fn before_pipeline(&self, run: &mut PipelineRun<'_>) -> Result<()> {
        (**self).before_pipeline(run)
    }

    fn after_pipeline(&self, run: &mut PipelineRun<'_>) -> Result<()> {
        (**self).after_pipeline(run)
    }

    fn before_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
        (**self).before_pass(run)
    }

    fn after_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
        (**self).after_pass(run)
    }

    fn after_pass_failed(&self, run: &mut PassRun<'_>, error: &Error) -> Result<()> {
        (**self).after_pass_failed(run, error)
    }
}

/// Instruments in the order in which they were added.
pub(crate) type Instruments<'i> = [Box<dyn Instrument + 'i>];

/// A pipeline that begins or is done: what [`Instrument::before_pipeline`] and [`Instrument::after_pipeline`] are told.
pub struct PipelineRun<'r> {
    pub(crate) anchor: Option<&'r str>,
    pub(crate) parent: Option<&'r str>,
    pub(crate) operations: usize,
    pub(crate) depth: usize,
    pub(crate) output: &'r mut dyn Write,
}

impl PipelineRun<'_> {
    /// The name of the operations that it runs on; `None` for all that are isolated from above.
    pub fn anchor(&self) -> Option<&str> {
        self.anchor
    }

    /// The name of the pass that runs the pipeline, where one does (`PipelineParentInfo::parentPass`).
    pub fn parent(&self) -> Option<&str> {
        self.parent
    }

    /// On how many operations it runs.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// In how many pipelines its passes stand: one for the outermost, and for the outermost that a pass runs.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Where passes print.
    pub fn output(&mut self) -> &mut dyn Write {
        self.output
    }
}

/// A pass that begins or is done with one operation: what [`Instrument::before_pass`] and those like it are told.
pub struct PassRun<'r> {
    pub(crate) pass: &'r str,
    pub(crate) parent: Option<&'r str>,
    pub(crate) module: &'r Module,
    pub(crate) place: (BodyId, OpId),
    pub(crate) depth: usize,
    pub(crate) output: &'r mut dyn Write,
}

impl PassRun<'_> {
    /// The name of the pass.
    pub fn pass(&self) -> &str {
        self.pass
    }

    /// The name of the pass that runs the pipeline of this one, where one does.
    pub fn parent(&self) -> Option<&str> {
        self.parent
    }

    /// The operation that it runs on.
    ///
    /// # Errors
    /// Where its body cannot be read, or is gone with a pass that failed.
    pub fn op(&self) -> Result<OpRef<'_>> {
        self.module.operation(self.place.0, self.place.1)
    }

    /// The module that holds the operation.
    pub fn module(&self) -> &Module {
        self.module
    }

    /// In how many pipelines the pass stands: one for a pass of the outermost.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Where passes print.
    pub fn output(&mut self) -> &mut dyn Write {
        self.output
    }

    /// The operation, and where passes print.
    ///
    /// # Errors
    /// As [`PassRun::op`].
    pub fn op_and_output(&mut self) -> Result<(OpRef<'_>, &mut dyn Write)> {
        Ok((self.module.operation(self.place.0, self.place.1)?, self.output))
    }
}

/// Prints operations before and after passes, where passes print: what `--print-ir-before` and `--print-ir-after` ask for
/// (`PassManager::enableIRPrinting`).
///
/// ```
/// use mlirbc_ir::{Context, Module};
/// use mlirbc_rewrite::{Pipeline, PrintIr, RunOptions, passes};
///
/// let pipeline = Pipeline::parse("any(cse)", &passes::registry())?;
/// pipeline.run_with(&mut Module::new(&Context::new()), RunOptions::new().instrument(PrintIr::new().after("*")))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PrintIr {
    before: Vec<String>,
    after: Vec<String>,
}

impl PrintIr {
    /// Prints nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Prints each operation that a pass of this name runs on, before it does. `*` stands for all passes.
    #[must_use]
    pub fn before(mut self, pass: &str) -> Self {
        self.before.push(pass.to_owned());
        self
    }

    /// Prints each operation that a pass of this name has run on, also where it failed. `*` stands for all passes.
    #[must_use]
    pub fn after(mut self, pass: &str) -> Self {
        self.after.push(pass.to_owned());
        self
    }

    fn print(names: &[String], run: &mut PassRun<'_>, when: &str, outcome: &str) -> Result<()> {
        let pass = run.pass;
        if !names_pass(names, pass) {
            return Ok(());
        }
        let (op, output) = run.op_and_output()?;
        writeln!(output, "// -----// IR Dump {when} {pass}{outcome} //----- //")?;
        print_operation(op, &PrintOptions::new().generic(false), output)?;
        Ok(writeln!(output)?)
    }
}

fn names_pass(names: &[String], pass: &str) -> bool {
    names.iter().any(|name| name == "*" || name == pass)
}

impl Instrument for PrintIr {
    fn watches(&self, pass: &str) -> bool {
        names_pass(&self.before, pass) || names_pass(&self.after, pass)
    }

    fn before_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
        Self::print(&self.before, run, "Before", "")
    }

    fn after_pass(&self, run: &mut PassRun<'_>) -> Result<()> {
        Self::print(&self.after, run, "After", "")
    }

    fn after_pass_failed(&self, run: &mut PassRun<'_>, _: &Error) -> Result<()> {
        Self::print(&self.after, run, "After", " Failed")
    }
}
