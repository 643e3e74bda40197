//! What a call is about to write, checked before it writes anything: nothing that it reads, and no file twice.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use mlirbc::output::Target;

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
