//! `mlirbc index`

use std::path::PathBuf;
use std::process::ExitCode;

use super::jobs::Jobs;
use super::{Input, Session};
use mlirbc::{Error, Index, Result};
use serde_json::json;

/// Write the index of a file beside it (FILE.index), so that one symbol is found without reading the rest
///
/// A file that was written after its index is read without it, until the index is made again.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc index model.mlirbc\n  mlirbc print model.mlirbc --symbol main    # uses it"
)]
pub(crate) struct MakeIndex {
    /// Bytecode files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// One line of JSON a file: file, index, bytes of the index
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    jobs: Jobs,
}

impl MakeIndex {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        let targets: Vec<_> = self.files.iter().map(|path| (super::index_path(path), path.as_path())).collect();
        if let Some(refused) = session.refuses(&self.files, &targets) {
            return Ok(refused);
        }
        Ok(self.jobs.run(&self.files, |path| {
            let context = session.context()?;
            if super::is_standard(path) || std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
                return Err(Error::misuse("this is no file that an index could stand beside"));
            }
            let input = Input::open(path)?;
            input.must_be_bytecode("an index is of bytecode (`mlirbc convert` makes it)")?;
            let index = Index::build(&mlirbc::bytecode::read(&context, input.bytes)?)?;
            let place = super::index_path(path);
            super::write_to(&place, |out| Ok(out.write_all(index.as_bytes())?))?;
            if self.json {
                let (file, place) = (path.display().to_string(), place.display().to_string());
                let line = json!({ "file": file, "index": place, "bytes": index.as_bytes().len() });
                super::show(|out| Ok(writeln!(out, "{line}")?))?;
            }
            Ok(())
        }))
    }
}
