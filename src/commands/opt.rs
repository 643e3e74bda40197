//! `mlirbc opt`

use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser};

use indicatif::ProgressBar;

use super::form::{BytecodeOptions, Form, Format};
use super::{Input, Session, SpirvForm, Split};
use mlirbc::bytecode::{Patch, PatchPart, Patched, WriteOptions};
use mlirbc::ir::verify::verify_edits;
use mlirbc::rewrite::{Pipeline, PrintIr, Registry, Report, RunOptions};
use mlirbc::text::ParseOptions;
use mlirbc::{Context, Error, Module, OpRef, OpenOptions, Result, spirv};

/// Run passes on a module
///
/// Passes are named one by one, which runs them on the module, or on what is in it where they are for other operations, or as a pipeline
/// in MLIR's syntax, which says on which operations each runs. What the result is written as is told by --to, or by the extension of -o;
/// it is text otherwise.
///
/// With --symbol passes run on one operation alone. A result in bytecode is then the input with that operation changed: all others are
/// copied as they are, neither decoded nor verified, which takes less than twice as long as copying the file. The tables of the file keep their
/// entries, and new ones stand behind them.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  mlirbc opt model.mlirbc --strip-debuginfo -o small.mlirbc\n  \
                        mlirbc opt model.mlirbc --pass-pipeline 'builtin.module(func.func(strip-debuginfo))'\n  \
                        mlirbc opt model.mlir --print-op-stats=json -o /dev/null --timing\n  \
                        mlirbc opt large.mlirbc --symbol main --canonicalize -o changed.mlirbc\n  \
                        mlirbc opt --list")]
pub(crate) struct Opt {
    /// File to read, bytecode, text or a SPIR-V binary; `-` is standard input
    #[arg(value_name = "IN", default_value = "-")]
    input: PathBuf,
    /// Where the result goes; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
    /// What the result is written as
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// The passes, and what they run on: `builtin.module(func.func(...),...)`
    #[arg(long, value_name = "PIPELINE")]
    pass_pipeline: Option<String>,
    /// Run the passes on this symbol alone, and leave all others as they are
    ///
    /// A nested one is `outer::inner`: see `mlirbc print --help`. Passes that look at more than one operation cannot run so.
    #[arg(long, value_name = "NAME")]
    symbol: Option<String>,
    /// With --symbol: write all of the module anew, as mlir-opt would, in place of copying it
    #[arg(long, requires = "symbol")]
    renumber: bool,
    #[arg(skip)]
    passes: Passes,
    #[arg(skip)]
    registry: Registry,
    /// Say of the module what it is compiled for, where it does not say that itself: `vulkan1.1` or another name that
    /// `mlirbc verify --target-env` takes, or the text of a `#spirv.target_env`
    #[arg(long, value_name = "ENV", conflicts_with = "symbol")]
    target_env: Option<String>,
    /// Name every pass, with its options, and do nothing else
    #[arg(long)]
    list: bool,
    /// Whether the module is verified before the first pass and after each
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set)]
    verify_each: bool,
    /// Print what a pass of this name runs on, before it does; `*` stands for all; may be given several times
    #[arg(long, value_name = "PASS")]
    print_ir_before: Vec<String>,
    /// Print what a pass of this name has run on; `*` stands for all; may be given several times
    #[arg(long, value_name = "PASS")]
    print_ir_after: Vec<String>,
    /// How many threads work at once; as many as there are cores, where it is not given. The result is the same
    #[arg(long, value_name = "COUNT")]
    threads: Option<std::num::NonZeroUsize>,
    /// Say on standard error how long each pass took
    #[arg(long)]
    timing: bool,
    /// Say on standard error what each pass counted
    #[arg(long)]
    pass_statistics: bool,
    /// What a SPIR-V binary is read as; the dialect where a pass is of it, else the binary form
    #[arg(long, value_enum, value_name = "FORM")]
    spirv_form: Option<SpirvForm>,
    #[command(flatten)]
    split: Split,
    #[command(flatten)]
    form: Form,
}

/// The passes that are named one by one, in order, each with its options.
#[derive(Default)]
struct Passes(Vec<(String, String)>);

/// `mlirbc opt` as a program of its own.
#[derive(Parser)]
#[command(arg_required_else_help = true, about = "Run passes on a module")]
struct Alone {
    #[command(flatten)]
    opt: Opt,
    /// Op definitions of other dialects: a table of `mlirbc ods import`, or TableGen's JSON; may be given several times. A
    /// definition replaces MLIR's own of that operation; of several files, the first counts
    #[arg(long, value_name = "FILE")]
    ods: Vec<PathBuf>,
}

/// Runs it with these passes.
pub(crate) fn main<A: Into<OsString> + Clone>(args: impl IntoIterator<Item = A>, registry: Registry) -> ExitCode {
    // Where that cannot be had, half-written files stay behind, and all else is as ever.
    let _ = mlirbc::output::clear_up_on_signals();
    let matches = with_passes(Alone::command(), &registry).try_get_matches_from(args);
    let parsed = matches.and_then(|matches| {
        let mut alone = Alone::from_arg_matches(&matches)?;
        alone.opt.choose(&matches, registry);
        Ok(alone)
    });
    let alone = match parsed {
        Ok(alone) => alone,
        Err(told) => return super::tell(&told),
    };
    Session::new(alone.ods).and_then(|session| alone.opt.run(&session)).unwrap_or_else(|error| {
        super::say(format_args!("error: {error}"));
        ExitCode::FAILURE
    })
}

/// The command with an argument for each pass.
pub(crate) fn with_passes(command: clap::Command, registry: &Registry) -> clap::Command {
    registry.passes().fold(command, |command, pass| {
        let arg = Arg::new(pass.name).long(pass.name).help(format!("Pass: {}", pass.about)).action(ArgAction::Append);
        let arg = arg.num_args(0..=1).require_equals(true).default_missing_value("").value_name("OPTIONS");
        command.arg(arg.help_heading("Passes"))
    })
}

impl Opt {
    /// Takes the passes that were named, of those that there are.
    pub(crate) fn choose(&mut self, matches: &ArgMatches, registry: Registry) {
        let mut found: Vec<(usize, String, String)> = Vec::new();
        for pass in registry.passes() {
            let places = matches.indices_of(pass.name).into_iter().flatten();
            let values = matches.get_many::<String>(pass.name).into_iter().flatten();
            found.extend(places.zip(values).map(|(place, options)| (place, pass.name.to_owned(), options.clone())));
        }
        found.sort();
        self.passes = Passes(found.into_iter().map(|(_, name, options)| (name, options)).collect());
        self.registry = registry;
    }

    pub(crate) fn run(mut self, session: &Session) -> Result<ExitCode> {
        if self.list {
            return list(&self.registry);
        }
        let pipeline = match (&self.pass_pipeline, self.passes.0.is_empty()) {
            (Some(_), false) => {
                return Ok(super::wrong_usage("name passes one by one, or give --pass-pipeline: not both"));
            }
            (Some(text), true) => Pipeline::parse(text, &self.registry),
            (None, _) => {
                let text = self.passes.text(if self.symbol.is_some() { "any" } else { "builtin.module" });
                Pipeline::parse_nesting(&text, &self.registry)
            }
        };
        let pipeline = match pipeline {
            Ok(pipeline) => pipeline,
            Err(error) => return Ok(super::wrong_usage(error)),
        };
        let mut printed = self.print_ir_before.iter().chain(&self.print_ir_after);
        if let Some(name) = printed.find(|name| *name != "*" && self.registry.get(name).is_none()) {
            return Ok(super::wrong_usage(format_args!(
                "nothing is printed for `{name}`, which is no pass: see --list"
            )));
        }
        if let Some(refused) = super::spirv::refuses_target(self.target_env.as_deref(), session)? {
            return Ok(refused);
        }
        let target = [(self.output.clone(), self.input.as_path())];
        if let Some(refused) = session.refuses(std::slice::from_ref(&self.input), &target) {
            return Ok(refused);
        }
        let format = self.to.or_else(|| Format::of(&self.output)).unwrap_or(Format::Mlir);
        if self.split.is_wanted() && (format != Format::Mlir || self.symbol.is_some()) {
            return Ok(super::wrong_usage("--split-input-file makes text, of whole modules"));
        }
        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let threads = threads.map_or(1, |count| count.get());
        self.form.bytecode.threads = threads;
        Ok(super::for_input(&self.input, |path| {
            if self.split.is_wanted() {
                return super::write_to(&self.output, |out| {
                    self.split.each(path, out, |part, out| {
                        let mut module = self.module(&session.context()?, &part)?;
                        let passes = pipeline.pass_count();
                        let progress = super::progress(part.bytes.len(), passes);
                        self.transform(&mut module, threads, &progress, |module, options| {
                            pipeline.run_with(module, options)
                        })?;
                        self.form.write(session, path, &module, format, &self.output, out)
                    })
                });
            }
            let input = Input::open(path)?;
            let context = session.context()?;
            let mut module = self.module(&context, &input)?;
            if let Some(symbol) = &self.symbol
                && format == Format::Mlirbc
                && !self.renumber
                && self.form.bytecode.keep_the_form()
            {
                if let Some(patched) = self.patch(session, &pipeline, &mut module, symbol)? {
                    let bytes = patched.length() as u64;
                    super::write_sized_to(&self.output, bytes, |out| copy(&patched, input.file.as_ref(), out))?;
                    std::mem::forget((patched, module, context));
                    return Ok(());
                }
                // Something has no place in the tables of the file.
                module = self.module(&context, &input)?;
            }
            let progress = super::progress(input.bytes.len(), pipeline.pass_count());
            self.transform(&mut module, threads, &progress, |module, options| match &self.symbol {
                None => pipeline.run_with(module, options),
                Some(symbol) => {
                    let op = super::symbol(module, symbol)?;
                    let (place, around) = ((op.body_id(), op.id()), around(op)?);
                    pipeline.run_on(module, place, &around.iter().map(String::as_str).collect::<Vec<_>>(), options)
                }
            })?;
            progress.set_message("writing");
            if self.form.bytecode.strip_locations {
                spirv::strip_lines(&mut module)?;
            }
            super::write_to(&self.output, |out| self.form.write(session, path, &module, format, &self.output, out))?;
            progress.finish_and_clear();
            // The process ends: freeing one body after the other would take as long as reading a good part of them.
            std::mem::forget((module, context));
            Ok(())
        }))
    }

    /// The module that the passes run on.
    fn module(&self, context: &Context, input: &Input<'_>) -> Result<Module> {
        let text = ParseOptions::new().implicit_module(true);
        let options = OpenOptions::new().text(text).spirv(self.spirv_form().into());
        let mut module = input.module_with(context, &options)?;
        if let Some(name) = &self.target_env {
            spirv::target::set_target(&mut module, super::spirv::target(context, name)?)?;
        }
        Ok(module)
    }

    /// What a SPIR-V binary is read as: the passes of the dialect find nothing to do in the binary form.
    fn spirv_form(&self) -> SpirvForm {
        let named = self.passes.0.iter().map(|pass| pass.0.as_str()).chain(self.pass_pipeline.as_deref());
        let is_of_dialect = named.into_iter().any(|name| name.contains("spirv-"));
        self.spirv_form.unwrap_or(if is_of_dialect { SpirvForm::Dialect } else { SpirvForm::Binary })
    }

    /// The file of the module with one operation changed, where that can be done without writing all of it anew. The module is to be
    /// let go of.
    fn patch(
        &self,
        session: &Session,
        pipeline: &Pipeline,
        module: &mut Module,
        symbol: &str,
    ) -> Result<Option<Patched>> {
        let op = super::symbol(module, symbol)?;
        let place = (op.body_id(), op.id());
        let Some(mut patch) = Patch::take_out(module, place)? else { return Ok(None) };
        let op = patch.op()?;
        let (place, around) = ((op.body_id(), op.id()), patch.around());
        // One operation is not worth more than one thread.
        self.transform(patch.module_mut(), 1, &ProgressBar::hidden(), |module, options| {
            pipeline.run_on(module, place, &around.iter().map(String::as_str).collect::<Vec<_>>(), options)
        })?;
        let mut options = WriteOptions::like(patch.module());
        options.unregistered = BytecodeOptions::unknown_dialects(session);
        patch.finish(&options)
    }

    /// Runs the passes, and says what was asked for of how they ran.
    fn transform(
        &self,
        module: &mut Module,
        threads: usize,
        progress: &ProgressBar,
        run: impl FnOnce(&mut Module, RunOptions<'_>) -> Result<Report>,
    ) -> Result<()> {
        module.load_all_with(threads)?;
        if self.verify_each {
            let mut wrong = Vec::new();
            verify_edits(module, threads, &mut |error| wrong.push(error))?;
            if let Some(first) = wrong.first() {
                let rules = Error::counted(wrong.len(), "rule");
                return Err(Error::new(first.kind(), format!("{rules} broken before any pass ran: {first}")));
            }
        }
        let mut show = |pass: &str| {
            progress.set_message(pass.to_owned());
            progress.inc(1);
        };
        let print = self.print_ir_before.iter().fold(PrintIr::new(), |print, pass| print.before(pass));
        let print = self.print_ir_after.iter().fold(print, |print, pass| print.after(pass));
        let options = RunOptions::new().verify_each(self.verify_each).threads(threads).progress(&mut show);
        let report = run(module, options.instrument(print))?;
        if self.timing {
            say_timing(&report);
        }
        if self.pass_statistics {
            for (pass, counts) in &report.counts {
                for count in counts {
                    super::say(format_args!("{pass}: {} {}", count.value, count.name));
                }
            }
        }
        Ok(())
    }
}

impl Passes {
    /// As a pipeline for operations of that name.
    fn text(&self, anchor: &str) -> String {
        let one = |(name, options): &(String, String)| match options.is_empty() {
            true => name.clone(),
            false => format!("{name}{{{options}}}"),
        };
        format!("{anchor}({})", self.0.iter().map(one).collect::<Vec<_>>().join(","))
    }
}

/// So many bytes are copied at once, each time up to a multiple of it: what begins in the middle of a page costs more.
const AT_ONCE: usize = 1 << 19;

/// As much of an address as says where it is in a page.
const PAGE: usize = 1 << 12;

/// Where in a page bytes from that place of a file are read to. Some processors copy at a third of their speed to what lies less than 16
/// bytes behind where it comes from, whichever pages these are in: this keeps away from the place in the file, and from the start of a
/// page, where the bytes go from here.
fn place_in_page(from: usize) -> usize {
    let near = PAGE / 4;
    if (near - 16..near).contains(&(from % PAGE)) { PAGE / 2 } else { near }
}

/// Writes a patched file. Copying from the open file costs less than looking at all of it in memory.
fn copy(patched: &Patched, file: Option<&File>, out: &mut dyn Write) -> Result<()> {
    let Some(file) = file else { return Ok(patched.write_to(out)?) };
    let mut room = vec![0; AT_ONCE + 2 * PAGE];
    let page = room.as_ptr().align_offset(PAGE).min(PAGE);
    let mut written = 0;
    for part in patched.parts() {
        match part {
            PatchPart::New(bytes) => {
                out.write_all(bytes)?;
                written += bytes.len();
            }
            PatchPart::Kept(mut range) => {
                while !range.is_empty() {
                    let start = page + place_in_page(range.start);
                    let some = &mut room[start..][..range.len().min(AT_ONCE - written % AT_ONCE)];
                    file.read_exact_at(some, range.start as u64)?;
                    out.write_all(some)?;
                    range.start += some.len();
                    written += some.len();
                }
            }
        }
    }
    Ok(())
}

/// The names of the operations around one, the outermost first.
fn around(op: OpRef<'_>) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut next = op.parent_op()?;
    while let Some(op) = next {
        names.push(op.name().into_owned());
        next = op.parent_op()?;
    }
    names.reverse();
    Ok(names)
}

fn say_timing(report: &Report) {
    let line = |time: Duration, depth: usize, what: &str| {
        super::say(format_args!("{:>10.3} ms  {:depth$}{what}", time.as_secs_f64() * 1e3, "", depth = 2 * depth));
    };
    for timing in &report.timing {
        line(
            timing.time,
            timing.depth - 1,
            &format!("{} ({})", timing.pass, Error::counted(timing.operations, "operation")),
        );
    }
    line(report.verification, 0, "verification");
}

/// Names the passes.
fn list(registry: &Registry) -> Result<ExitCode> {
    super::write_to(Path::new("-"), |out| {
        for pass in registry.passes() {
            writeln!(out, "{:<20} {}", pass.name, pass.about)?;
            for option in pass.options {
                writeln!(out, "  {:<18} {}", option.name, option.about)?;
            }
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
