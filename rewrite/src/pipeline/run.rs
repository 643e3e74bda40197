//! Running a pipeline.

use std::io::Write;
use std::time::{Duration, Instant};

use mlirbc_ir::ods::Traits;
use mlirbc_ir::verify::verify_edits;
use mlirbc_ir::{BodyId, Error, Module, OpId, OpRef, Result};
use mlirbc_text::{PrintOptions, print_operation};

use super::{ANY, Item, Pipeline};
use crate::pass::{Count, Counts, Pass, Target, run_local};

/// The most broken rules that one message names.
const MOST_SHOWN: usize = 5;

/// How a pipeline is run.
pub struct RunOptions<'o> {
    verify_each: bool,
    print_before: Vec<String>,
    print_after: Vec<String>,
    output: Option<&'o mut dyn Write>,
    progress: Option<&'o mut dyn FnMut(&str)>,
    threads: usize,
}

impl Default for RunOptions<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'o> RunOptions<'o> {
    /// With verification after each pass; what passes print goes to standard error.
    pub fn new() -> Self {
        RunOptions {
            verify_each: true,
            print_before: Vec::new(),
            print_after: Vec::new(),
            output: None,
            progress: None,
            threads: 1,
        }
    }

    /// Sets whether the module is verified after each pass.
    #[must_use]
    pub fn verify_each(mut self, verify: bool) -> Self {
        self.verify_each = verify;
        self
    }

    /// Prints each operation that a pass of this name runs on, before it does. `*` stands for all passes.
    #[must_use]
    pub fn print_before(mut self, pass: &str) -> Self {
        self.print_before.push(pass.to_owned());
        self
    }

    /// Prints each operation that a pass of this name has run on. `*` stands for all passes.
    #[must_use]
    pub fn print_after(mut self, pass: &str) -> Self {
        self.print_after.push(pass.to_owned());
        self
    }

    /// Sets where passes, and the two above, print: standard error unless it is set.
    #[must_use]
    pub fn output(mut self, output: &'o mut dyn Write) -> Self {
        self.output = Some(output);
        self
    }

    /// Sets how many threads passes may work on: one, unless it is set. What comes of it is the same.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Sets what is called before each pass, with its name.
    #[must_use]
    pub fn progress(mut self, progress: &'o mut dyn FnMut(&str)) -> Self {
        self.progress = Some(progress);
        self
    }
}

/// What a run took, and what its passes counted: by pass, in the order of the pipeline.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How long each pass took.
    pub timing: Vec<Timing>,
    /// What each pass counted.
    pub counts: Vec<(String, Vec<Count>)>,
    /// How long verification took, of all passes together.
    pub verification: Duration,
}

/// How long a pass took.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Its name.
    pub pass: String,
    /// In how many pipelines it stands: one for a pass of the outermost.
    pub depth: usize,
    /// How many operations it ran on.
    pub operations: usize,
    /// The time on all of them together.
    pub time: Duration,
}

impl Pipeline {
    /// Runs the pipeline on the module: each pass on all operations that it is for, then the next one.
    ///
    /// # Errors
    /// Where no operation at the top is one that the pipeline is for; where a pass fails, or breaks a rule of the IR: the message
    /// names it. The module is to be thrown away then.
    pub fn run(&self, module: &mut Module, options: RunOptions<'_>) -> Result<Report> {
        let mut top = Vec::new();
        let mut others = Vec::new();
        for op in module.operations()? {
            match self.anchor == ANY && is_isolated(op) || self.is_for(op) {
                true => top.push((op.body_id(), op.id())),
                false => others.push(op.name().into_owned()),
            }
        }
        if let (true, Some(other)) = (top.is_empty(), others.first()) {
            return Err(Error::misuse(format!("a pipeline for `{}` cannot run on `{other}`", self.anchor)));
        }
        run_with(module, options, |runner| runner.items(&self.items, &top, 1))
    }

    /// Runs on one operation what the pipeline has for it: that is itself, where it is for operations of that name, or else the passes
    /// on those around it, whose names come outermost first, and the pipelines nested in them. Another operation is not changed, and may
    /// be missing.
    ///
    /// # Errors
    /// As [`Pipeline::run`]; where one of the passes [looks further](Pass::looks_inside_only), or nothing of the pipeline is for the
    /// operation.
    pub fn run_on(
        &self,
        module: &mut Module,
        (body, op): (BodyId, OpId),
        around: &[&str],
        options: RunOptions<'_>,
    ) -> Result<Report> {
        let wanted = module.operation(body, op)?;
        let name = wanted.name().into_owned();
        if !is_isolated(wanted) {
            return Err(Error::misuse(format!("`{name}` is not isolated from above: no pass runs on it")));
        }
        let path: Vec<&str> = around.iter().copied().chain([name.as_str()]).collect();
        let mut items = Vec::new();
        match path.first() {
            Some(outermost) if self.fits(module, outermost) => select(module, &self.items, &path[1..], &mut items),
            _ if self.fits(module, &name) => items.extend(&self.items),
            _ => {}
        }
        if items.is_empty() {
            return Err(Error::misuse(format!("nothing of the pipeline `{self}` runs on `{name}` there")));
        }
        if let Some(pass) = items.iter().find_map(|item| item.looks_further()) {
            let message =
                format!("the pass `{}` looks at more than one operation: it cannot run on one alone", pass.name());
            return Err(Error::misuse(message));
        }
        run_with(module, options, |runner| runner.items(items, &[(body, op)], 1))
    }

    /// Whether it is for operations of that name.
    fn fits(&self, module: &Module, name: &str) -> bool {
        let is_isolated = || {
            let definition = module.context().definition(module.name(name));
            definition.is_some_and(|definition| definition.traits.contains(Traits::ISOLATED_FROM_ABOVE))
        };
        if self.anchor == ANY { is_isolated() } else { self.anchor == name }
    }

    /// Runs the pipeline on operations inside a pass, on as many threads as that: nothing is counted, or verified.
    pub(crate) fn run_inside(
        &self,
        module: &mut Module,
        anchors: &[(BodyId, OpId)],
        output: &mut dyn Write,
        threads: usize,
    ) -> Result<()> {
        let mut runner = Runner {
            module,
            verify_each: false,
            print_before: Vec::new(),
            print_after: Vec::new(),
            output,
            progress: None,
            threads,
            report: Report::default(),
        };
        runner.items(&self.items, anchors, 1)
    }

    fn is_for(&self, op: OpRef<'_>) -> bool {
        op.name() == self.anchor.as_str()
    }
}

/// Runs what `run` says.
fn run_with(
    module: &mut Module,
    options: RunOptions<'_>,
    run: impl FnOnce(&mut Runner<'_, '_>) -> Result<()>,
) -> Result<Report> {
    let mut stderr = std::io::stderr();
    let RunOptions { verify_each, print_before, print_after, output, progress, threads } = options;
    let output = output.unwrap_or(&mut stderr);
    let report = Report::default();
    let mut runner = Runner { module, verify_each, print_before, print_after, output, progress, threads, report };
    run(&mut runner)?;
    Ok(runner.report)
}

/// What of these items runs on an operation at the end of a path of names, the first of which stands directly in what they run on.
fn select<'p>(module: &Module, items: &'p [Item], path: &[&str], found: &mut Vec<&'p Item>) {
    let Some((first, rest)) = path.split_first() else { return found.extend(items) };
    for item in items {
        match item {
            Item::Pass { .. } => found.push(item),
            Item::Nested(nested) if nested.fits(module, first) => select(module, &nested.items, rest, found),
            Item::Nested(_) => {}
        }
    }
}

impl Item {
    /// A pass of it that looks at more than the operation that it runs on.
    fn looks_further(&self) -> Option<&dyn Pass> {
        match self {
            Item::Pass { pass, .. } if pass.looks_inside_only() => None,
            Item::Pass { pass, .. } => Some(&**pass),
            Item::Nested(nested) => nested.items.iter().find_map(Item::looks_further),
        }
    }
}

/// Whether the operation is isolated from above by its definition.
fn is_isolated(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::ISOLATED_FROM_ABOVE)
}

struct Runner<'r, 'o> {
    module: &'r mut Module,
    verify_each: bool,
    print_before: Vec<String>,
    print_after: Vec<String>,
    output: &'r mut dyn Write,
    progress: Option<&'o mut dyn FnMut(&str)>,
    threads: usize,
    report: Report,
}

impl Runner<'_, '_> {
    fn items<'p>(
        &mut self,
        items: impl IntoIterator<Item = &'p Item>,
        anchors: &[(BodyId, OpId)],
        depth: usize,
    ) -> Result<()> {
        for item in items {
            match item {
                Item::Pass { pass, .. } => self.pass(&**pass, anchors, depth)?,
                Item::Nested(nested) => {
                    let inside = self.inside(nested, anchors)?;
                    self.items(&nested.items, &inside, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// The operations that a nested pipeline runs on.
    fn inside(&self, nested: &Pipeline, anchors: &[(BodyId, OpId)]) -> Result<Vec<(BodyId, OpId)>> {
        let mut inside = Vec::new();
        for &(body, op) in anchors {
            for child in self.module.operation(body, op)?.ops()? {
                let fits = if nested.anchor == ANY { is_isolated(child) } else { nested.is_for(child) };
                if fits && !is_isolated(child) {
                    let message = format!("`{}` is not isolated from above: no pass runs on it", nested.anchor);
                    return Err(Error::misuse(message));
                }
                if fits {
                    inside.push((child.body_id(), child.id()));
                }
            }
        }
        Ok(inside)
    }

    fn pass(&mut self, pass: &dyn Pass, anchors: &[(BodyId, OpId)], depth: usize) -> Result<()> {
        let name = pass.name().to_owned();
        if let Some(progress) = &mut self.progress {
            progress(&name);
        }
        let named = |names: &[String]| names.iter().any(|of| *of == name || of == "*");
        let (before, after) = (named(&self.print_before), named(&self.print_after));
        let (mut time, mut counts) = (Duration::ZERO, Counts::default());
        let failed = |error: Error| Error::new(error.kind(), format!("the pass `{name}` failed: {error}"));
        let mut anchors_left = anchors;
        if let (Some(local), false, false) = (pass.local(), before, after) {
            let start = Instant::now();
            run_local(local, self.module, anchors, self.threads, &mut counts).map_err(failed)?;
            time = start.elapsed();
            anchors_left = &[];
        }
        for &place in anchors_left {
            if before {
                self.print("Before", &name, place)?;
            }
            let start = Instant::now();
            let ran = pass.run(&mut Target::new(self.module, place, &mut counts, self.output, self.threads));
            time += start.elapsed();
            ran.map_err(failed)?;
            if after {
                self.print("After", &name, place)?;
            }
        }
        self.report.timing.push(Timing { pass: name.clone(), depth, operations: anchors.len(), time });
        let counts = counts.into_counts();
        if !counts.is_empty() {
            self.report.counts.push((name.clone(), counts));
        }
        if self.verify_each && !anchors.is_empty() {
            let start = Instant::now();
            let verified = self.verify(&name);
            self.report.verification += start.elapsed();
            verified?;
        }
        Ok(())
    }

    fn verify(&mut self, pass: &str) -> Result<()> {
        let (mut wrong, mut count) = (Vec::new(), 0);
        verify_edits(self.module, self.threads, &mut |error| {
            count += 1;
            if wrong.len() < MOST_SHOWN {
                wrong.push(error.to_string());
            }
        })?;
        match count {
            0 => Ok(()),
            _ => {
                let rules = Error::counted(count, "rule");
                Err(Error::verification(format!("the pass `{pass}` left {rules} broken:\n{}", wrong.join("\n"))))
            }
        }
    }

    fn print(&mut self, when: &str, pass: &str, (body, op): (BodyId, OpId)) -> Result<()> {
        writeln!(self.output, "// -----// IR Dump {when} {pass} //----- //")?;
        let op = self.module.operation(body, op)?;
        print_operation(op, &PrintOptions::new().generic(false), self.output)?;
        Ok(writeln!(self.output)?)
    }
}
