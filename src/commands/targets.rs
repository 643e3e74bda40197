//! What a call is about to write, checked before it writes anything: nothing that it reads, and no file twice.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mlirbc::Result;
use mlirbc::output::Target;

use super::Session;
use super::form::Format;

/// Where results go, and what they are written as.
#[derive(clap::Args)]
pub(crate) struct Destination {
    /// Where the result goes; `-`, the default for one input, is standard output
    #[arg(short, long, value_name = "OUT", conflicts_with = "out_dir")]
    output: Option<PathBuf>,
    /// Folder for the results, which keep the names of their inputs with another extension
    #[arg(long, value_name = "DIR")]
    out_dir: Option<PathBuf>,
    /// What to convert to
    #[arg(long, value_enum)]
    to: Option<Format>,
}

impl Destination {
    /// What is asked for, or what the extension of the output says.
    pub(crate) fn format(&self) -> Option<Format> {
        self.to.or_else(|| Format::of(self.output.as_deref()?))
    }

    /// Where the result of an input goes.
    pub(crate) fn target(&self, input: &Path, format: Format) -> PathBuf {
        match (&self.out_dir, &self.output) {
            (Some(folder), _) => {
                let name = if super::is_standard(input) { Path::new("stdin") } else { input };
                let name = Path::new(name.file_name().unwrap_or_default());
                // Any other extension is part of the name.
                let name = if Format::of(name).is_some() { name.file_stem() } else { Some(name.as_os_str()) };
                let mut name = name.unwrap_or_default().to_owned();
                name.push(".");
                name.push(format.extension());
                folder.join(name)
            }
            (None, Some(output)) => output.clone(),
            (None, None) => "-".into(),
        }
    }

    /// Makes the folder for the results; the exit code where they must not be written.
    pub(crate) fn prepare(
        &self,
        session: &Session,
        inputs: &[PathBuf],
        format: impl Fn(&Path) -> Format,
    ) -> Result<Option<ExitCode>> {
        if inputs.len() > 1 && self.out_dir.is_none() {
            return Ok(Some(super::wrong_usage("several inputs need --out-dir")));
        }
        let targets: Vec<_> = inputs.iter().map(|input| (self.target(input, format(input)), input.as_path())).collect();
        if let Some(refused) = session.refuses(inputs, &targets) {
            return Ok(Some(refused));
        }
        if let Some(folder) = &self.out_dir {
            std::fs::create_dir_all(folder).map_err(|error| super::about(folder, error))?;
        }
        Ok(None)
    }
}

/// A file, however its path is spelled and whatever links lead to it.
#[derive(PartialEq, Eq, Hash)]
enum Identity {
    /// One that is there: its device and number.
    There(u64, u64),
    /// One that would be made.
    New(PathBuf),
}

impl Identity {
    /// `None` for what is no file: devices and pipes may be read and written, by many at once.
    fn of(path: &Path, standard: &str) -> Option<Self> {
        let path = if super::is_standard(path) { Path::new(standard) } else { path };
        match std::fs::metadata(path) {
            Ok(metadata) => metadata.is_file().then(|| Identity::There(metadata.dev(), metadata.ino())),
            Err(_) => match Target::of(path) {
                Ok(Target::File(path)) => Some(Identity::New(path)),
                Ok(Target::Descriptor(_)) => None,
                // In a folder that is yet to be made.
                Err(_) => std::path::absolute(path).ok().map(Identity::New),
            },
        }
    }
}

/// What is wrong with writing to `outputs`, each with the input that it is made of, in a call that reads `inputs`.
pub(crate) fn conflict<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    outputs: &[(PathBuf, &'a Path)],
) -> Option<String> {
    let read: HashMap<Identity, &Path> =
        inputs.into_iter().filter_map(|path| Some((Identity::of(path, "/dev/stdin")?, path.as_path()))).collect();
    let mut written: HashMap<Identity, &Path> = HashMap::new();
    for (output, source) in outputs {
        let Some(identity) = Identity::of(output, "/dev/stdout") else { continue };
        let output = super::shown_name(output, "standard output");
        if let Some(input) = read.get(&identity) {
            let input = super::shown_name(input, "standard input");
            return Some(match input == output {
                true => format!("{output} is an input: it would be overwritten"),
                false => format!("{output} is the input {input}: it would be overwritten"),
            });
        }
        if let Some(other) = written.insert(identity, source) {
            let [other, source] = [other, source].map(|path| super::shown_name(path, "standard input"));
            return Some(format!("{other} and {source} would both be written to {output}"));
        }
    }
    None
}
