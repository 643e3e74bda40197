//! Subcommands: one file each.

mod bench;
mod index;
mod verify;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use mlirbc::{Context, Error, Index, Module, ReadOptions, Result};

/// MLIR bytecode, with no LLVM to link: read, write, keep and convert compiled modules.
#[derive(clap::Parser)]
#[command(version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Command {
    #[command(subcommand)]
    subcommand: Sub,
}

const EXAMPLES: &str = "\
Examples:
  mlirbc print model.mlirbc                      IR as text
  mlirbc print model.mlirbc --symbol main        one symbol, decoding nothing else
  mlirbc verify cache/*.mlirbc                   every byte of every file checked

Exit codes: 0 all well, 1 some input failed, 2 wrong usage.";

#[derive(Subcommand)]
enum Sub {
    Verify(verify::Verify),
    Bench(bench::Bench),
    Index(index::MakeIndex),
}

impl Command {
    pub(crate) fn run(self) -> Result<ExitCode> {
        match self.subcommand {
            Sub::Verify(command) => command.run(),
            Sub::Bench(command) => command.run(),
            Sub::Index(command) => command.run(),
        }
    }
}

/// Runs `each` on every input. One that fails is reported, and the rest still run.
pub(crate) fn for_each_input(inputs: &[PathBuf], mut each: impl FnMut(&Path) -> Result<()>) -> ExitCode {
    let mut failed = 0;
    for input in inputs {
        if let Err(error) = each(input) {
            eprintln!("{}: error: {error}", input.display());
            failed += 1;
        }
    }
    if failed > 0 && inputs.len() > 1 {
        eprintln!("{failed} of {} inputs failed", inputs.len());
    }
    ExitCode::from(u8::from(failed > 0))
}

/// Opens a module, with the index beside it if there is one.
pub(crate) fn open(context: &Context, path: &Path) -> Result<Module> {
    let index = mlirbc::map_file(index_path(path)).and_then(Index::open).ok();
    let options = ReadOptions { index, ..ReadOptions::default() };
    match mlirbc::open_with(context, path, &options) {
        // An index that is of an older state of the file is worth nothing, and not worth a failure.
        Err(error) if options.index.is_some() && error.kind() == mlirbc::ErrorKind::Misuse => {
            mlirbc::open(context, path)
        }
        result => result,
    }
}

/// Where the index of a file is kept: beside it.
pub(crate) fn index_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".index");
    name.into()
}

/// An error that says which file it is about.
pub(crate) fn about(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::new(mlirbc::ErrorKind::Io, format!("{}: {error}", path.display()))
}
