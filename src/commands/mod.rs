//! Subcommands: one file each.
// These would panic where the reading end is closed: `output` has what writes and says.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod color;
mod compile;
mod completions;
mod convert;
mod diff;
mod extract;
mod form;
mod held;
mod index;
mod input;
mod inspect;
mod jobs;
mod link;
mod ods;
mod opaque;
pub(crate) mod opt;
mod output;
mod print;
mod report;
mod resources;
mod spirv;
mod store;
mod strip;
mod symbol;
mod symbols;
mod targets;
mod verify;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use mlirbc::ir::ods::OpTable;
use mlirbc::ir::tablegen::Importer;
use mlirbc::rewrite::Registry;
use mlirbc::{Context, Error, Result};

use self::input::{
    Input, SpirvForm, Split, about, for_each_input, for_input, index_path, is_standard, read, read_as, read_bytes,
    shown_name, standard_twice,
};
use self::output::{progress, say, show, visible, write_sized_to, write_to, wrong_usage};
use self::symbol::symbol;
use self::targets::conflict;

/// MLIR bytecode, with no LLVM to link: read, write, keep and convert compiled modules.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Command {
    #[command(subcommand)]
    subcommand: Sub,
    /// Op definitions of other dialects: a table of `mlirbc ods import`, or TableGen's JSON; may be given several times. A
    /// definition replaces MLIR's own of that operation; of several files, the first counts. Where none is given, those that
    /// the environment variable MLIRBC_ODS names, separated as in PATH
    #[arg(long, global = true, value_name = "FILE")]
    ods: Vec<PathBuf>,
    /// Whether to use colour: of IR, of differences, of errors
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t)]
    color: color::When,
}

/// What every subcommand works with.
pub(crate) struct Session {
    /// Files of op definitions, and what is in them.
    ods: Vec<PathBuf>,
    tables: Vec<OpTable>,
}

/// Names files of op definitions where the command line names none.
const ODS: &str = "MLIRBC_ODS";

impl Session {
    fn new(mut ods: Vec<PathBuf>) -> Result<Self> {
        if let (true, Some(named)) = (ods.is_empty(), std::env::var_os(ODS)) {
            ods = std::env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect();
        }
        let tables = ods.iter().map(|path| read_table(path)).collect::<Result<_>>()?;
        Ok(Session { ods, tables })
    }

    /// The exit code where these files, each made of the input beside it, must not be written: one of them is read as well, or
    /// would be written twice. Called before anything is written.
    pub(crate) fn refuses(&self, inputs: &[PathBuf], outputs: &[(PathBuf, &Path)]) -> Option<ExitCode> {
        conflict(inputs.iter().chain(&self.ods), outputs).map(wrong_usage)
    }

    /// A context that knows the definitions named on the command line.
    pub(crate) fn context(&self) -> Result<Context> {
        let context = Context::new();
        // What comes first on the command line counts.
        for table in self.tables.iter().rev() {
            for name in table.dialects() {
                context.extend(name, |dialect| dialect.ops(table.clone()));
            }
        }
        Ok(context)
    }
}

/// Reads a table of op definitions: one that `mlirbc ods import` made, or TableGen's JSON.
pub(crate) fn read_table(path: &Path) -> Result<OpTable> {
    let read = || {
        let bytes = read_bytes(path)?;
        match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{') => {
                let mut importer = importer();
                import(&mut importer, path, &bytes)?;
                importer.finish()
            }
            _ => OpTable::from_bytes(bytes),
        }
    };
    read().map_err(|error: Error| about(path, error))
}

/// An importer that knows the classes of the dialects that the command knows.
pub(crate) fn importer() -> Importer {
    Importer::new().knows_all(&Context::new())
}

/// Adds the definitions in TableGen's JSON to those imported, and says which of them are left out. None at all is an error.
pub(crate) fn import(importer: &mut Importer, path: &Path, json: &[u8]) -> Result<()> {
    let mut left_out = 0;
    let taken = importer.add(json, &mut |error| {
        say(format_args!("{}: warning: {error}", path.display()));
        left_out += 1;
    })?;
    if taken == 0 && left_out > 0 {
        return Err(Error::malformed("none of its definitions is understood"));
    }
    Ok(())
}

const EXAMPLES: &str = "\
Examples:
  mlirbc print model.mlirbc                      IR as text
  mlirbc print model.mlirbc --symbol main        one symbol, decoding nothing else
  mlirbc convert model.mlirbc -o model.mlir      the same, into a file
  mlirbc opt model.mlirbc --strip-debuginfo      passes
  mlirbc verify cache/*.mlirbc                   every byte of every file checked
  mlirbc diff before.mlirbc after.mlirbc         what differs, by symbol
  mlirbc extract model.mlirbc --symbol main      one function with all that it needs
  mlirbc link a.spv b.spv -o both.spv            one SPIR-V module of several
  mlirbc compile kernels.mlir -o kernels.spv     kernels of the dialect gpu, for Vulkan or OpenCL
  mlirbc resources list model.mlirbc             its blobs and their sizes
  mlirbc report model.mlirbc -o model.html       where its bytes are, as a page
  mlirbc store put --store cache model.mlirbc    keep it; prints the key that `store get` takes

Exit codes: 0 all well, 1 some input failed, 2 wrong usage, 3 a miss (store get).";

/// The subcommand whose arguments depend on the passes that there are.
const OPT: &str = "opt";

#[derive(Subcommand)]
enum Sub {
    Convert(convert::Convert),
    Print(print::Print),
    Opt(opt::Opt),
    Inspect(inspect::Inspect),
    Report(report::MakeReport),
    Link(link::Link),
    Symbols(symbols::Symbols),
    Extract(extract::Extract),
    Strip(strip::Strip),
    Compile(compile::Compile),
    Ods(ods::Ods),
    Verify(verify::Verify),
    Diff(diff::Diff),
    Resources(resources::Resources),
    Bench(bench::Bench),
    Index(index::MakeIndex),
    Store(store::StoreCommand),
    Completions(completions::Completions),
    Man(completions::Manual),
}

impl Command {
    /// Runs the command that was asked for, and says what is wrong with it.
    pub(crate) fn run() -> ExitCode {
        // Where that cannot be had, half-written files stay behind, and all else is as ever.
        let _ = mlirbc::output::clear_up_on_signals();
        let command = match Self::parsed() {
            Ok(command) => command,
            Err(told) => return tell(&told),
        };
        // Of `diff`, 1 says that files differ.
        let failure = if matches!(command.subcommand, Sub::Diff(_)) { 2 } else { 1 };
        command.run_subcommand().unwrap_or_else(|error| {
            say(format_args!("error: {error}"));
            ExitCode::from(failure)
        })
    }

    fn parsed() -> std::result::Result<Self, clap::Error> {
        let registry = mlirbc::opt::registry();
        let matches = full(&registry).try_get_matches()?;
        let mut command = Self::from_arg_matches(&matches)?;
        if let (Sub::Opt(opt), Some(matches)) = (&mut command.subcommand, matches.subcommand_matches(OPT)) {
            opt.choose(matches, registry);
        }
        Ok(command)
    }

    fn run_subcommand(self) -> Result<ExitCode> {
        self.color.choose();
        let session = Session::new(self.ods)?;
        match self.subcommand {
            Sub::Ods(command) => command.run(&session),
            Sub::Convert(command) => command.run(&session),
            Sub::Print(command) => command.run(&session),
            Sub::Opt(command) => command.run(&session),
            Sub::Inspect(command) => command.run(&session),
            Sub::Report(command) => command.run(&session),
            Sub::Link(command) => command.run(&session),
            Sub::Symbols(command) => command.run(&session),
            Sub::Extract(command) => command.run(&session),
            Sub::Strip(command) => command.run(&session),
            Sub::Compile(command) => command.run(&session),
            Sub::Verify(command) => command.run(&session),
            Sub::Diff(command) => command.run(&session),
            Sub::Resources(command) => command.run(&session),
            Sub::Bench(command) => command.run(&session),
            Sub::Index(command) => command.run(&session),
            Sub::Store(command) => command.run(&session),
            Sub::Completions(command) => command.run(full(&mlirbc::opt::registry())),
            Sub::Man(command) => command.run(full(&mlirbc::opt::registry())),
        }
    }
}

/// Subcommands that read no operations, so that definitions of them change nothing.
const WITHOUT_ODS: [&str; 3] = ["store", "completions", "man"];

/// The command line with all that it takes: an argument for each of the passes, too.
fn full(registry: &Registry) -> clap::Command {
    let command = Command::command().mut_subcommand(OPT, |opt| opt::with_passes(opt, registry));
    WITHOUT_ODS.iter().fold(command, |command, name| command.mut_subcommand(name, hiding_ods))
}

/// Takes `--ods`, as every subcommand, and does not tell of it.
fn hiding_ods(command: clap::Command) -> clap::Command {
    let hidden = clap::Arg::new("ods").long("ods").value_name("FILE").action(clap::ArgAction::Append);
    let hidden = hidden.value_parser(clap::value_parser!(PathBuf)).hide(true);
    command.mut_subcommands(hiding_ods).arg(hidden)
}

/// Help and the version go to standard output, what is wrong with the call to standard error.
fn tell(told: &clap::Error) -> ExitCode {
    if told.use_stderr() {
        say(told.render().to_string().trim_end());
        return ExitCode::from(2);
    }
    match told.print().and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            say(format_args!("error: standard output: {error}"));
            ExitCode::from(1)
        }
        _ => ExitCode::SUCCESS,
    }
}
