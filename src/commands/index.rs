//! `mlirbc index`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::Session;
use mlirbc::{Index, Result};

/// Write the index of a file beside it (FILE.index), so that one symbol is found without reading the rest
///
/// A file that was written after its index is read without it, until the index is made again.
#[derive(clap::Args)]
pub(crate) struct MakeIndex {
    /// Bytecode files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl MakeIndex {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        Ok(super::for_each_input(&self.files, |path| {
            let context = session.context()?;
            let index = Index::build(&mlirbc::open(&context, path)?)?;
            let to = super::index_path(path);
            let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
            let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(".".as_ref()))?;
            file.write_all(index.as_bytes())?;
            file.persist(&to).map_err(|error| super::about(&to, error))?;
            Ok(())
        }))
    }
}
