//! Subcommands: one file each.

mod bench;
mod convert;
mod diff;
mod index;
mod inspect;
mod ods;
mod print;
mod resources;
mod spirv;
mod store;
mod verify;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;
use indicatif::ProgressBar;
use mlirbc::ir::Dialect;
use mlirbc::ir::ods::OpTable;
use mlirbc::ir::text::{ParseOptions, parse_module};
use mlirbc::{Context, Error, Index, Module, ReadOptions, Result};

/// MLIR bytecode, with no LLVM to link: read, write, keep and convert compiled modules.
#[derive(clap::Parser)]
#[command(version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Command {
    #[command(subcommand)]
    subcommand: Sub,
    /// Op definitions of other dialects: a table of `mlirbc ods import`, or TableGen's JSON; may be given several times
    #[arg(long, global = true, value_name = "FILE")]
    ods: Vec<PathBuf>,
}

/// What every subcommand works with.
pub(crate) struct Session {
    tables: Vec<OpTable>,
}

impl Session {
    /// A context that knows the definitions named on the command line.
    pub(crate) fn context(&self) -> Result<Context> {
        let context = Context::new();
        let mut dialects: BTreeMap<&str, Dialect> = BTreeMap::new();
        for table in &self.tables {
            for name in table.dialects() {
                let dialect = dialects.remove(name).unwrap_or_else(|| Dialect::new(name));
                dialects.insert(name, dialect.ops(table.clone()));
            }
        }
        dialects.into_values().try_for_each(|dialect| context.register(dialect))?;
        mlirbc::spirv::register(&context)?;
        Ok(context)
    }
}

/// Reads a table of op definitions: one that `mlirbc ods import` made, or TableGen's JSON.
pub(crate) fn read_table(path: &Path) -> Result<OpTable> {
    let read = || {
        let bytes = mlirbc::map_file(path)?;
        match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{') => OpTable::from_json(&bytes),
            _ => OpTable::from_bytes(bytes),
        }
    };
    read().map_err(|error: Error| about(path, error))
}

const EXAMPLES: &str = "\
Examples:
  mlirbc print model.mlirbc                      IR as text
  mlirbc print model.mlirbc --symbol main        one symbol, decoding nothing else
  mlirbc convert model.mlirbc -o model.mlir      the same, into a file
  mlirbc verify cache/*.mlirbc                   every byte of every file checked
  mlirbc diff before.mlirbc after.mlirbc         what differs, by symbol
  mlirbc resources list model.mlirbc             its blobs and their sizes
  mlirbc store put --store cache model.mlirbc    keep it; prints the key that `store get` takes

Exit codes: 0 all well, 1 some input failed, 2 wrong usage, 3 a miss (store get).";

#[derive(Subcommand)]
enum Sub {
    Convert(convert::Convert),
    Print(print::Print),
    Inspect(inspect::Inspect),
    Ods(ods::Ods),
    Verify(verify::Verify),
    Diff(diff::Diff),
    Resources(resources::Resources),
    Bench(bench::Bench),
    Index(index::MakeIndex),
    Store(store::StoreCommand),
}

impl Command {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let session = Session { tables: self.ods.iter().map(|path| read_table(path)).collect::<Result<_>>()? };
        match self.subcommand {
            Sub::Ods(command) => command.run(),
            Sub::Convert(command) => command.run(&session),
            Sub::Print(command) => command.run(&session),
            Sub::Inspect(command) => command.run(&session),
            Sub::Verify(command) => command.run(&session),
            Sub::Diff(command) => command.run(&session),
            Sub::Resources(command) => command.run(&session),
            Sub::Bench(command) => command.run(&session),
            Sub::Index(command) => command.run(&session),
            Sub::Store(command) => command.run(&session),
        }
    }
}

/// Runs `each` on every input. One that fails is reported, and the rest still run.
pub(crate) fn for_each_input(inputs: &[PathBuf], mut each: impl FnMut(&Path) -> Result<()>) -> ExitCode {
    let mut failed = 0;
    // Shown on a terminal, and only where there is something to wait for.
    let progress = match inputs.len() {
        0..8 => ProgressBar::hidden(),
        count => ProgressBar::new(count as u64),
    };
    for input in progress.wrap_iter(inputs.iter()) {
        if let Err(error) = each(input) {
            let name = if is_standard(input) { "<stdin>".to_owned() } else { input.display().to_string() };
            let text = error.to_string();
            match text.strip_prefix(&name) {
                // It names the file itself, and what is wrong with a text the line too.
                Some(rest) if rest.starts_with(": ") => eprintln!("{name}: error{rest}"),
                Some(rest) if rest.starts_with(':') => eprintln!("{text}"),
                _ => eprintln!("{name}: error: {text}"),
            }
            failed += 1;
        }
    }
    progress.finish_and_clear();
    if failed > 0 && inputs.len() > 1 {
        eprintln!("{failed} of {} inputs failed", inputs.len());
    }
    ExitCode::from(u8::from(failed > 0))
}

/// Whether a file was written after its index, which may look as if it were of it still. Where the times do not tell,
/// it was.
fn is_newer(path: &Path, index: &Path) -> bool {
    let written = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified());
    !matches!((written(path), written(index)), (Ok(file), Ok(index)) if file < index)
}

/// Opens a module, with the index beside it if there is one that is newer.
pub(crate) fn open(context: &Context, path: &Path) -> Result<Module> {
    let place = index_path(path);
    let index = match is_newer(path, &place) {
        true => None,
        false => mlirbc::map_file(place).and_then(Index::open).ok(),
    };
    let options = ReadOptions { index, ..ReadOptions::default() };
    match mlirbc::open_with(context, path, &options) {
        // An index that is of another file, or broken, is worth nothing, and not worth a failure.
        Err(_) if options.index.is_some() => mlirbc::open(context, path),
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

/// Whether a path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file, mapped, or of standard input.
pub(crate) fn read_bytes(path: &Path) -> Result<bytes::Bytes> {
    if !is_standard(path) {
        return mlirbc::map_file(path);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

/// What a SPIR-V binary is read as.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SpirvForm {
    /// One operation of spirv_binary an instruction: gives back the same bytes
    Binary,
    /// MLIR's dialect spirv, with structured control flow
    Dialect,
    /// The dialect where it gives back an equal module, else the binary form
    Auto,
}

impl From<SpirvForm> for mlirbc::spirv::SpirvForm {
    fn from(form: SpirvForm) -> Self {
        match form {
            SpirvForm::Binary => mlirbc::spirv::SpirvForm::Binary,
            SpirvForm::Dialect => mlirbc::spirv::SpirvForm::Dialect,
            SpirvForm::Auto => mlirbc::spirv::SpirvForm::Auto,
        }
    }
}

/// Reads a module, bytecode, text or a SPIR-V binary, from a file or from standard input.
///
/// Operations of a text that stand in no module are put into one, as mlir-opt does, where `implicit_module` says so.
pub(crate) fn read(context: &Context, path: &Path, implicit_module: bool) -> Result<Module> {
    read_as(context, path, &ParseOptions::new().implicit_module(implicit_module), SpirvForm::Binary)
}

/// As [`read`], text as `options` say and a SPIR-V binary in the form asked for.
pub(crate) fn read_as(context: &Context, path: &Path, options: &ParseOptions, form: SpirvForm) -> Result<Module> {
    let bytes = read_bytes(path)?;
    if mlirbc::spirv::is_spirv(&bytes) {
        return mlirbc::spirv::read_as(context, bytes, form.into());
    }
    if !bytes.starts_with(MAGIC) {
        let file = if is_standard(path) { "<stdin>".into() } else { path.to_string_lossy() };
        return Ok(parse_module(context, &bytes, &options.clone().file(file))?);
    }
    if is_standard(path) { mlirbc::bytecode::read(context, bytes) } else { open(context, path) }
}

/// What bytecode begins with.
const MAGIC: &[u8] = b"ML\xefR";

/// Writes to standard output, or to a file that appears whole or not at all.
pub(crate) fn write_to(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if is_standard(path) {
        let mut out = Standard::new();
        return write(&mut out).and_then(|()| Ok(out.flush()?));
    }
    // A device or a pipe is written to as it is.
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        let mut out = std::fs::File::options().write(true).open(path).map_err(|error| about(path, error))?;
        return write(&mut out);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(".".as_ref());
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What any new file gets: the umask takes away what it takes away.
        file.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = file.tempfile_in(folder).map_err(|error| about(path, error))?;
    write(&mut file)?;
    file.persist(path).map_err(|error| about(path, error.error))?;
    Ok(())
}

/// Standard output. A reader that goes away, as `head` does, has seen enough: that ends the command, and is no failure.
pub(crate) struct Standard(std::io::StdoutLock<'static>);

impl Standard {
    pub(crate) fn new() -> Self {
        Standard(std::io::stdout().lock())
    }

    fn end_if_gone<T>(result: std::io::Result<T>) -> std::io::Result<T> {
        if result.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe) {
            std::process::exit(0);
        }
        result
    }
}

impl Write for Standard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Self::end_if_gone(self.0.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Self::end_if_gone(self.0.flush())
    }
}
