//! `mlirbc diff`

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::Session;
use mlirbc::ir::{CompareOptions, Difference, What, compare};
use mlirbc::{Module, Result, stablehlo};
use serde_json::{Value, json};

/// Show what differs between two modules, by symbol, then by operation
///
/// Symbols are compared by name, other operations in order. Versions, producers and orders of uses do not count. Two SPIR-V
/// binaries, or bytecode of them, are compared by entry point, declaration and function; numbers of ids, the order of
/// declarations, source lines and the names of what is inside functions do not count. Two portable artifacts are compared as
/// StableHLO: which versions of its operations they hold does not count.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc diff before.mlirbc after.mlirbc\n  mlirbc diff model.mlir model.mlirbc --json\n  mlirbc diff before.spv after.spv\n\n\
                        Exit codes: 0 equal, 1 different, 2 wrong usage or an input that cannot be read."
)]
pub(crate) struct Diff {
    /// The first module: bytecode, text or SPIR-V; `-` is standard input
    first: PathBuf,
    /// The second module
    second: PathBuf,
    /// Compare locations, too
    #[arg(long)]
    locations: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Diff {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        if let Some(refused) = super::standard_twice([&self.first, &self.second]) {
            return Ok(refused);
        }
        let compared = self.compare(session)?;
        let (json, equal) = match &compared {
            Compared::Operations(found) => (to_json(found), found.is_empty()),
            Compared::Spirv(found) => (super::spirv::to_json(found), found.is_empty()),
        };
        super::show(|out| match (self.json, &compared) {
            (true, _) => Ok(writeln!(out, "{json:#}")?),
            (false, Compared::Operations(found)) => show(found, out),
            (false, Compared::Spirv(found)) => super::spirv::show(found, out),
        })?;
        Ok(ExitCode::from(u8::from(!equal)))
    }

    fn compare(&self, session: &Session) -> Result<Compared> {
        // One context, so that what is equal has equal handles.
        let context = session.context()?;
        let read = |path: &PathBuf| super::read(&context, path).map_err(|error| super::about(path, error));
        let (first, second) = (read(&self.first)?, read(&self.second)?);
        if mlirbc::spirv::has_module(&first)? && mlirbc::spirv::has_module(&second)? {
            return mlirbc::spirv::differences(&first, &second).map(Compared::Spirv);
        }
        let (first, second) = match (readable(&first)?, readable(&second)?) {
            (Some(first), Some(second)) => (first, second),
            _ => (first, second),
        };
        compare(&first, &second, &CompareOptions::new().locations(self.locations)).map(Compared::Operations)
    }
}

/// A portable artifact as people write StableHLO; `None` where the module is none, or cannot be said so.
fn readable(module: &Module) -> Result<Option<Module>> {
    Ok(if stablehlo::is_vhlo(module)? { stablehlo::to_stablehlo(module).ok() } else { None })
}

enum Compared {
    Operations(Vec<Difference>),
    /// Of two SPIR-V modules in their binary form.
    Spirv(Vec<mlirbc::spirv::Difference>),
}

fn what(difference: &Difference) -> String {
    match &difference.what {
        What::Presence if difference.second.is_none() => "only in the first".into(),
        What::Presence => "only in the second".into(),
        What::Property(name) if name.is_empty() => "properties".into(),
        What::Attribute(name) | What::Property(name) => format!("{} {name}", difference.what.keyword()),
        what => what.keyword().into(),
    }
}

fn show(differences: &[Difference], out: &mut dyn Write) -> Result<()> {
    let (mut symbol, mut path) = (None, None);
    for difference in differences {
        if symbol != Some(&difference.symbol) {
            match difference.symbol.as_str() {
                "" => writeln!(out, "outside of symbols")?,
                name => writeln!(out, "@{}", super::visible(name))?,
            }
            (symbol, path) = (Some(&difference.symbol), None);
        }
        if path != Some(&difference.path) {
            let place = if difference.path.is_empty() { &difference.name } else { &difference.path };
            writeln!(out, "  {}", super::visible(place))?;
            path = Some(&difference.path);
        }
        writeln!(out, "    {}", what(difference))?;
        if difference.what == What::Presence {
            continue;
        }
        for (mark, side) in [('-', &difference.first), ('+', &difference.second)] {
            if let Some(text) = side {
                writeln!(out, "      {mark} {text}")?;
            }
        }
    }
    Ok(())
}

fn to_json(differences: &[Difference]) -> Value {
    let each = differences.iter().map(|difference| {
        let key = match &difference.what {
            What::Attribute(name) | What::Property(name) => Some(name),
            _ => None,
        };
        json!({
            "symbol": difference.symbol,
            "path": difference.path,
            "name": difference.name,
            "what": difference.what.keyword(),
            "key": key,
            "first": difference.first,
            "second": difference.second,
        })
    });
    json!({ "equal": differences.is_empty(), "differences": each.collect::<Vec<_>>() })
}
