//! Entries as one file: `mlirbc store export` and `import`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::ProgressBar;
use mlirbc::store::{Key, Store};
use mlirbc::{Error, Result};
use serde_json::json;

use super::{Away, Place, print, progress};
use crate::commands;

#[derive(clap::Args)]
pub(super) struct Export {
    #[command(flatten)]
    place: Place,
    /// File to write; `-` is standard output
    #[arg(short, long)]
    output: PathBuf,
    /// Keys; all where none is given
    keys: Vec<Key>,
}

#[derive(clap::Args)]
pub(super) struct Import {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    away: Away,
    /// Files that `export` wrote; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Export {
    pub(super) fn run(self) -> Result<ExitCode> {
        let store = self.place.open()?;
        let keys = (!self.keys.is_empty()).then_some(&*self.keys);
        let bar = progress(keys.map_or_else(|| store.iter().map_or(0, Iterator::count), <[Key]>::len) as u64);
        let mut count = 0;
        commands::write_to(&self.output, |out| {
            count = store.export(keys, out, || bar.inc(1))?;
            Ok(())
        })?;
        bar.finish_and_clear();
        match self.place.json {
            // What is written is the export.
            _ if commands::is_standard(&self.output) => {}
            true => print(json!({ "entries": count }))?,
            false => print(Error::counted(count, "entry"))?,
        }
        // A key that nothing has is a miss.
        Ok(ExitCode::from(if keys.is_some_and(|keys| count < keys.len() as u64) { 3 } else { 0 }))
    }
}

impl Import {
    pub(super) fn run(self) -> Result<ExitCode> {
        let store = self.away.behind(Store::open_with(&self.place.store, self.place.options())?)?;
        let code = commands::for_each_input(&self.files, |path: &Path| {
            let bar = if std::io::stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
            let imported = store.import(commands::read_bytes(path)?, || bar.inc(1))?;
            bar.finish_and_clear();
            match self.place.json {
                true => print(json!({ "entries": imported.entries, "damaged": imported.damaged }))?,
                false => print(Error::counted(imported.entries, "entry"))?,
            }
            match imported.damaged {
                0 => Ok(()),
                damaged => Err(Error::malformed(format!("left out {}", Error::counted(damaged, "damaged record")))),
            }
        });
        self.away.finish(&store);
        Ok(code)
    }
}
