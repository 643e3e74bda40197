//! What the command reads: every input is a file, a pipe, or `-` for standard input, and is opened once.

use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bytes::Bytes;
use indicatif::ProgressBar;
use mlirbc::text::ParseOptions;
use mlirbc::{Context, Error, Format, Index, Module, OpenOptions, Result};

use super::output::{say, waiting};

/// What standard input is called in messages.
const STANDARD: &str = "<stdin>";

/// The bytes of an input, and what they are.
pub(crate) struct Input<'a> {
    path: &'a Path,
    /// The file, where it is one and no pipe.
    pub(crate) file: Option<File>,
    pub(crate) bytes: Bytes,
    /// How many bytes the whole of it has, with what `jax.export` saves around an artifact.
    pub(crate) size: usize,
    pub(crate) format: Format,
}

impl<'a> Input<'a> {
    pub(crate) fn open(path: &'a Path) -> Result<Self> {
        let (bytes, file) = match is_standard(path) {
            true => (read_bytes(path)?, None),
            false => {
                let named = |error: std::io::Error| about(path, error);
                let mut file = File::open(path).map_err(named)?;
                let bytes = bytes_of(&mut file).map_err(named)?;
                (bytes, file.metadata().is_ok_and(|data| data.is_file()).then_some(file))
            }
        };
        let path = if is_standard(path) { Path::new(STANDARD) } else { path };
        let size = bytes.len();
        let bytes = mlirbc::stablehlo::exported::artifact(&bytes).unwrap_or(bytes);
        let format = Format::of(&bytes, path)?;
        Ok(Input { path, file, bytes, size, format })
    }

    /// Only where it is bytecode; else an error that says what it is, and why that is no use.
    pub(crate) fn must_be_bytecode(&self, why: &str) -> Result<()> {
        match self.format {
            Format::Bytecode => Ok(()),
            other => Err(Error::misuse(format!("this is {}: {why}", other.name()))),
        }
    }

    pub(crate) fn module(&self, context: &Context) -> Result<Module> {
        self.module_with(context, &OpenOptions::new())
    }

    /// The module in it. Bytecode is read with the index beside it, where there is one that is newer.
    pub(crate) fn module_with(&self, context: &Context, options: &OpenOptions) -> Result<Module> {
        let read = |options: &OpenOptions| mlirbc::read_any(context, self.bytes.clone(), self.path, options);
        if self.format == Format::Bytecode
            && let Some(index) = self.index()
        {
            let bytecode = options.bytecode.clone().index(index);
            // An index that is of another file, or broken, is worth nothing, and not worth a failure.
            if let Ok(module) = read(&options.clone().bytecode(bytecode)) {
                return Ok(module);
            }
        }
        read(options)
    }

    /// The parts of a text between lines that are `// -----`, each with as many lines before it as there are in the file.
    fn parts(self) -> Result<Vec<Self>> {
        if self.format != Format::Text {
            return Err(Error::misuse(format!("this is {}: only text is split", self.format.name())));
        }
        let mut parts = Vec::new();
        let (mut part, mut lines) = (Vec::new(), 0);
        let mut end = |part: Vec<u8>| {
            let (path, format, size) = (self.path, self.format, part.len());
            parts.push(Input { path, file: None, bytes: part.into(), format, size });
        };
        for line in self.bytes.split_inclusive(|&byte| byte == b'\n') {
            lines += 1;
            if line.trim_ascii() == SPLIT {
                end(std::mem::replace(&mut part, vec![b'\n'; lines]));
            } else {
                part.extend_from_slice(line);
            }
        }
        end(part);
        Ok(parts)
    }

    fn index(&self) -> Option<Index> {
        let place = index_path(self.path);
        match is_newer(self.path, &place) {
            true => None,
            false => mlirbc::map_file(place).and_then(Index::open).ok(),
        }
    }
}

/// What stands between the parts of a text that is split.
const SPLIT: &[u8] = b"// -----";

/// Whether a text is several.
#[derive(clap::Args)]
pub(crate) struct Split {
    /// Take each part of a text between lines that are `// -----` for a module of its own
    #[arg(long)]
    split_input_file: bool,
}

impl Split {
    /// Whether that was asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.split_input_file
    }

    /// Does something with the input, or with each part of it: where one fails, that is told, and the rest still run. What `write` writes of
    /// each is divided as the parts are.
    pub(crate) fn each(
        &self,
        path: &Path,
        out: &mut dyn Write,
        mut write: impl FnMut(Input<'_>, &mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        let input = Input::open(path)?;
        if !self.split_input_file {
            return write(input, out);
        }
        let mut failed = false;
        for (number, part) in input.parts()?.into_iter().enumerate() {
            if number > 0 {
                out.write_all(SPLIT)?;
                out.write_all(b"\n")?;
            }
            if let Err(error) = write(part, out) {
                say_error(path, &error);
                failed = true;
            }
        }
        if failed { Err(told()) } else { Ok(()) }
    }
}

/// Whether a file was written after its index, which may look as if it were of it still. Where the times do not tell,
/// it was.
fn is_newer(path: &Path, index: &Path) -> bool {
    let written = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified());
    !matches!((written(path), written(index)), (Ok(file), Ok(index)) if file < index)
}

/// Where the index of a file is kept: beside it.
pub(crate) fn index_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".index");
    name.into()
}

/// Whether a path means standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Files of fewer bytes are read: to map one takes longer, and holds up the other threads.
const MAPPED: u64 = 64 << 10;

/// The bytes of an open file, mapped; of a small one and of a pipe, read to the end.
fn bytes_of(file: &mut File) -> std::io::Result<Bytes> {
    let found = file.metadata()?;
    if !found.is_file() || found.len() >= MAPPED {
        return mlirbc::store::map_open(file);
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes.into())
}

/// The bytes of a file, mapped; of a pipe or of standard input, read to the end.
pub(crate) fn read_bytes(path: &Path) -> Result<Bytes> {
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

/// Reads a module, bytecode, text or a SPIR-V binary.
///
/// Operations of a text that stand in no module are put into one, as mlir-opt does.
pub(crate) fn read(context: &Context, path: &Path) -> Result<Module> {
    Input::open(path)?.module(context)
}

/// As [`read`], text as `options` say and a SPIR-V binary in the form asked for.
pub(crate) fn read_as(context: &Context, path: &Path, options: &ParseOptions, form: SpirvForm) -> Result<Module> {
    let options = OpenOptions::new().text(options.clone()).spirv(form.into());
    Input::open(path)?.module_with(context, &options)
}

/// The name of an input or output in a message; `standard` where the path is `-`.
pub(crate) fn shown_name(path: &Path, standard: &str) -> String {
    if is_standard(path) { standard.to_owned() } else { path.display().to_string() }
}

/// An error that says which file it is about.
pub(crate) fn about(path: &Path, error: impl Display) -> Error {
    let (name, text) = (shown_name(path, STANDARD), error.to_string());
    Error::new(mlirbc::ErrorKind::Io, if says(&text, &name) { text } else { format!("{name}: {text}") })
}

/// Whether an error begins with that name, as one from the system does, or of a text: `name:1:2: error`.
fn says(error: &str, name: &str) -> bool {
    error.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'))
}

/// An error of which all has been said.
pub(crate) fn told() -> Error {
    Error::misuse(TOLD)
}

/// What no error says that is shown.
const TOLD: &str = "\0told";

fn was_told(error: &Error) -> bool {
    error.message() == TOLD
}

/// Says what is wrong with an input.
pub(crate) fn say_error(path: &Path, error: &Error) {
    if was_told(error) {
        return;
    }
    let (name, text) = (shown_name(path, STANDARD), error.to_string());
    match text.strip_prefix(&name) {
        Some(rest) if rest.starts_with(": ") => say(format_args!("{name}: error{rest}")),
        // What is wrong with a text names the line, too.
        Some(rest) if rest.starts_with(':') => say(text),
        _ => say(format_args!("{name}: error: {text}")),
    }
}

/// The exit code where standard input would be read twice, which cannot be.
pub(crate) fn standard_twice<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Option<ExitCode> {
    let twice = inputs.into_iter().filter(|input| is_standard(input)).count() > 1;
    twice.then(|| super::wrong_usage("standard input, -, can be read once"))
}

/// Runs `each` on every input. One that fails is reported, and the rest still run.
pub(crate) fn for_each_input(inputs: &[PathBuf], mut each: impl FnMut(&Path) -> Result<()>) -> ExitCode {
    if let Some(refused) = standard_twice(inputs) {
        return refused;
    }
    let (mut failed, mut told) = (0, 0);
    // Shown on a terminal, and only where there is something to wait for.
    let progress = match inputs.len() {
        0..8 => ProgressBar::hidden(),
        count => ProgressBar::new(count as u64),
    };
    for input in progress.wrap_iter(inputs.iter()) {
        let _waiting = progress.is_hidden().then(|| waiting(input));
        if let Err(error) = each(input) {
            say_error(input, &error);
            failed += 1;
            told += usize::from(was_told(&error));
        }
    }
    progress.finish_and_clear();
    if failed > told && inputs.len() > 1 {
        say(format_args!("{failed} of {} inputs failed", inputs.len()));
    }
    ExitCode::from(u8::from(failed > 0))
}

/// As [`for_each_input`], of the only one.
pub(crate) fn for_input(input: &Path, each: impl FnOnce(&Path) -> Result<()>) -> ExitCode {
    let done = {
        let _waiting = waiting(input);
        each(input)
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_error(input, &error);
            ExitCode::from(1)
        }
    }
}
