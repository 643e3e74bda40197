//! Running a pipeline.

use std::io::Write;
use std::time::{Duration, Instant};

use mlirbc_ir::ods::Traits;
use mlirbc_ir::verify::verify_edits;
use mlirbc_ir::{BodyId, Error, Module, OpId, OpRef, Result};

use super::{ANY, Item, Pipeline};
use crate::instrument::{Instrument, Instruments, PassRun, PipelineRun};
use crate::pass::{Count, Counts, Parts, Pass, Target, run_local, run_looking};

/// The most broken rules that one message names.
const MOST_SHOWN: usize = 5;

/// How a pipeline is run.
pub struct RunOptions<'o> {
    verify_each: bool,
    instruments: Vec<Box<dyn Instrument + 'o>>,
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
        RunOptions { verify_each: true, instruments: Vec::new(), output: None, progress: None, threads: 1 }
    }

    /// Sets whether the module is verified after each pass.
    #[must_use]
    pub fn verify_each(mut self, verify: bool) -> Self {
        self.verify_each = verify;
        self
    }

    /// Adds what watches the run: one that prints is [`PrintIr`](crate::PrintIr).
    #[must_use]
    pub fn instrument(mut self, instrument: impl Instrument + 'o) -> Self {
        self.instruments.push(Box::new(instrument));
        self
    }

    /// Sets where passes, and what watches them, print: standard error unless it is set.
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
    /// Runs the pipeline on the module, on as many threads as there are cores: each pass on all operations that it is for, then the next
    /// one. What comes of it does not depend on their number.
    ///
    /// After each pass the records of what it erased are freed, where they are many: what is in the operations that it ran on may have
    /// other numbers then ([`Module::compact`]).
    ///
    /// # Errors
    /// Where no operation at the top is one that the pipeline is for; where a pass stands in a pipeline for operations of another name
    /// than [its own](Pass::anchor), fails, or breaks a rule of the IR: the message names it. Unless it is the first of these, the
    /// module is to be thrown away.
    pub fn run(&self, module: &mut Module) -> Result<Report> {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        self.run_with(module, RunOptions::new().threads(threads))
    }

    /// Runs the pipeline as [`Pipeline::run`] does, in the way that the options say.
    ///
    /// # Errors
    /// As [`Pipeline::run`].
    pub fn run_with(&self, module: &mut Module, options: RunOptions<'_>) -> Result<Report> {
        self.check()?;
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
        start(module, options, |runner| runner.pipeline(self.name(), &self.items, &top, 1))
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
        self.check()?;
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
        start(module, options, |runner| runner.pipeline(Some(&name), items, &[(body, op)], 1))
    }

    /// Whether each pass stands where it can.
    fn check(&self) -> Result<()> {
        self.misplaced().map_or(Ok(()), |message| Err(Error::misuse(message)))
    }

    /// Whether it is for operations of that name.
    fn fits(&self, module: &Module, name: &str) -> bool {
        let is_isolated = || {
            let definition = module.context().definition(module.name(name));
            definition.is_some_and(|definition| definition.traits.contains(Traits::ISOLATED_FROM_ABOVE))
        };
        if self.anchor == ANY { self.takes(name) && is_isolated() } else { self.anchor == name }
    }

    /// Whether all passes of it that are for operations of one name are for those of this one.
    fn takes(&self, name: &str) -> bool {
        self.items.iter().all(|item| match item {
            Item::Pass { pass, .. } => pass.anchor().is_none_or(|anchor| anchor == name),
            Item::Nested(_) => true,
        })
    }

    /// Runs the pipeline on operations inside the pass of that name, which runs on `target`: nothing is counted, or verified.
    pub(crate) fn run_inside(&self, pass: &str, target: &mut Target<'_>, anchors: &[(BodyId, OpId)]) -> Result<()> {
        let Parts { module, output, instruments, threads } = target.parts();
        let mut runner = Runner {
            module,
            verify_each: false,
            instruments,
            parent: Some(pass),
            output,
            progress: None,
            threads,
            report: Report::default(),
        };
        runner.pipeline(self.name(), &self.items, anchors, 1)
    }

    fn is_for(&self, op: OpRef<'_>) -> bool {
        op.name() == self.anchor.as_str()
    }
}

/// Runs what `run` says.
fn start(
    module: &mut Module,
    options: RunOptions<'_>,
    run: impl FnOnce(&mut Runner<'_, '_>) -> Result<()>,
) -> Result<Report> {
    let mut stderr = std::io::stderr();
    let RunOptions { verify_each, instruments, output, progress, threads } = options;
    let mut runner = Runner {
        module,
        verify_each,
        instruments: &instruments,
        parent: None,
        output: output.unwrap_or(&mut stderr),
        progress,
        threads,
        report: Report::default(),
    };
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

/// Refuses an operation whose regions stand in the body around it: what is isolated from above has one of its own wherever it can.
fn check_apart(op: OpRef<'_>) -> Result<()> {
    if op.body().regions(op.id()).len() == 0 || !is_isolated(op) {
        return Ok(());
    }
    let message = "is isolated from above, but its regions use values from outside of it: no pass runs on it";
    Err(Error::verification(format!("`{}` {message}", op.name())))
}

fn failed(pass: &dyn Pass, error: &Error) -> Error {
    let message = format!("the pass `{}` failed: {error}", pass.name());
    error.clone().wrapped(message)
}

struct Runner<'r, 'o> {
    module: &'r mut Module,
    verify_each: bool,
    instruments: &'r Instruments<'r>,
    /// The name of the pass that all of it runs in.
    parent: Option<&'r str>,
    output: &'r mut dyn Write,
    progress: Option<&'o mut dyn FnMut(&str)>,
    threads: usize,
    report: Report,
}

impl Runner<'_, '_> {
    /// Runs a pipeline, and tells those that watch it.
    fn pipeline<'p>(
        &mut self,
        anchor: Option<&str>,
        items: impl IntoIterator<Item = &'p Item>,
        anchors: &[(BodyId, OpId)],
        depth: usize,
    ) -> Result<()> {
        for &(body, op) in anchors {
            check_apart(self.module.operation(body, op)?)?;
        }
        let watching = if anchors.is_empty() { &[] } else { self.instruments };
        let (parent, operations) = (self.parent, anchors.len());
        for instrument in watching {
            instrument.before_pipeline(&mut PipelineRun { anchor, parent, operations, depth, output: self.output })?;
        }
        for item in items {
            match item {
                Item::Pass { pass, .. } => self.pass(&**pass, anchors, depth)?,
                Item::Nested(nested) => {
                    let inside = self.inside(nested, anchors)?;
                    self.pipeline(nested.name(), &nested.items, &inside, depth + 1)?;
                }
            }
        }
        for instrument in watching.iter().rev() {
            instrument.after_pipeline(&mut PipelineRun { anchor, parent, operations, depth, output: self.output })?;
        }
        Ok(())
    }

    /// The operations that a nested pipeline runs on.
    fn inside(&self, nested: &Pipeline, anchors: &[(BodyId, OpId)]) -> Result<Vec<(BodyId, OpId)>> {
        let mut inside = Vec::new();
        for &(body, op) in anchors {
            for child in self.module.operation(body, op)?.ops()? {
                let fits = match nested.name() {
                    None => is_isolated(child) && nested.takes(&child.name()),
                    Some(_) => nested.is_for(child),
                };
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
        if let Some(wanted) = pass.anchor() {
            for &(body, op) in anchors {
                let found = self.module.operation(body, op)?.name();
                if found != wanted {
                    return Err(Error::misuse(format!(
                        "the pass `{name}` is for `{wanted}`, and does not run on `{found}`"
                    )));
                }
            }
        }
        if let Some(progress) = &mut self.progress {
            progress(&name);
        }
        let instruments = self.instruments.iter().map(|instrument| &**instrument);
        let watching: Vec<&dyn Instrument> = instruments.filter(|instrument| instrument.watches(&name)).collect();
        let (mut time, mut counts) = (Duration::ZERO, Counts::default());
        let start = Instant::now();
        let ran = match (pass.local(), pass.looking()) {
            (Some(local), _) if watching.is_empty() => {
                Some(run_local(local, self.module, anchors, self.threads, &mut counts))
            }
            (None, Some(looking)) if watching.is_empty() => {
                Some(run_looking(looking, self.module, anchors, self.threads, self.output, &mut counts))
            }
            _ => None,
        };
        match ran {
            Some(ran) => {
                ran.map_err(|error| failed(pass, &error))?;
                time = start.elapsed();
            }
            None => {
                for &place in anchors {
                    time += self.watched(pass, place, depth, &watching, &mut counts)?;
                }
            }
        }
        if watching.is_empty() {
            let start = Instant::now();
            self.compact(anchors);
            time += start.elapsed();
        }
        self.report.timing.push(Timing { pass: name.clone(), depth, operations: anchors.len(), time });
        let counts = counts.into_counts();
        if !counts.is_empty() {
            self.report.counts.push((name, counts));
        }
        // What is watched was verified operation by operation.
        if watching.is_empty() && !anchors.is_empty() {
            self.verify(pass)?;
        }
        Ok(())
    }

    /// Runs a pass on one operation, and tells those that watch it. Gives how long the pass took.
    fn watched(
        &mut self,
        pass: &dyn Pass,
        place: (BodyId, OpId),
        depth: usize,
        watching: &[&dyn Instrument],
        counts: &mut Counts,
    ) -> Result<Duration> {
        for instrument in watching {
            instrument.before_pass(&mut self.moment(pass, place, depth))?;
        }
        let start = Instant::now();
        let mut target = Target::new(self.module, place, counts, self.output, self.instruments, self.threads);
        let ran = pass.run(&mut target).map_err(|error| failed(pass, &error));
        let time = start.elapsed();
        if watching.is_empty() {
            return ran.map(|()| time);
        }
        self.compact(&[place]);
        if let Err(error) = ran.and_then(|()| self.verify(pass)) {
            for instrument in watching.iter().rev() {
                // The run ends with what the pass said, whatever comes of this.
                let _ = instrument.after_pass_failed(&mut self.moment(pass, place, depth), &error);
            }
            return Err(error);
        }
        for instrument in watching.iter().rev() {
            instrument.after_pass(&mut self.moment(pass, place, depth))?;
        }
        Ok(time)
    }

    /// After a pass, when nobody holds numbers of what it worked on: frees the records of what it erased. A pass that runs a pipeline
    /// inside may hold some.
    fn compact(&mut self, anchors: &[(BodyId, OpId)]) {
        if self.parent.is_none() {
            self.module.compact_inside(anchors);
        }
    }

    /// What those that watch a pass are told.
    fn moment<'s>(&'s mut self, pass: &'s dyn Pass, place: (BodyId, OpId), depth: usize) -> PassRun<'s> {
        PassRun { pass: pass.name(), parent: self.parent, module: self.module, place, depth, output: self.output }
    }

    /// Verifies what a pass changed, where that is asked for.
    fn verify(&mut self, pass: &dyn Pass) -> Result<()> {
        if !self.verify_each {
            return Ok(());
        }
        let start = Instant::now();
        let verified = self.verify_edits(pass.name());
        self.report.verification += start.elapsed();
        verified
    }

    fn verify_edits(&mut self, pass: &str) -> Result<()> {
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
}
