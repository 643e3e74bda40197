//! `mlirbc ods`

use std::path::PathBuf;
use std::process::ExitCode;

use super::Session;
use mlirbc::ir::ods::upstream;
use mlirbc::{Error, Result};
use serde_json::json;

/// Op definitions: import them from TableGen, see what of them is understood
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  llvm-tblgen --dump-json -I include my_dialect.td > my_dialect.json\n  \
                        mlirbc ods import my_dialect.json -o my_dialect.table\n  \
                        mlirbc print model.mlirbc --ods my_dialect.table\n  mlirbc ods coverage")]
pub(crate) struct Ods {
    #[command(subcommand)]
    subcommand: Sub,
}

#[derive(clap::Subcommand)]
enum Sub {
    /// Make a table of op definitions from what `llvm-tblgen --dump-json` prints
    #[command(after_help = "Examples:\n  mlirbc ods import my_dialect.json -o my_dialect.table\n  \
                            llvm-tblgen --dump-json -I include my_dialect.td | mlirbc ods import - -o my_dialect.table")]
    Import {
        /// JSON of the dialect's TableGen records, one or more documents
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The table
        #[arg(short, long, value_name = "TABLE")]
        output: PathBuf,
    },
    /// Show how much of the definitions is understood, and which operations are left partly unchecked
    #[command(after_help = "Examples:\n  mlirbc ods coverage\n  mlirbc ods coverage my_dialect.table --json")]
    Coverage {
        /// A table, or JSON; that of the upstream dialects by default
        table: Option<PathBuf>,
        /// Print one JSON object: operations, dialects, attributes, types, enums, formats, directives, constraint_uses,
        /// understood, unchecked (reason, uses, operations)
        #[arg(long)]
        json: bool,
    },
}

impl Ods {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        match self.subcommand {
            Sub::Import { files, output } => {
                if let Some(refused) = session.refuses(&files, &[(output.clone(), &output)]) {
                    return Ok(refused);
                }
                let mut importer = super::importer()?;
                for file in &files {
                    let mut add = || super::import(&mut importer, file, &super::read_bytes(file)?);
                    add().map_err(|error: Error| super::about(file, error))?;
                }
                let bytes = importer.finish().to_bytes();
                super::write_to(&output, |out| Ok(out.write_all(&bytes)?))?;
            }
            Sub::Coverage { table, json } => {
                let read = table.as_deref().map(super::read_table).transpose()?;
                let coverage = read.as_ref().unwrap_or_else(|| upstream()).coverage();
                let text = match json {
                    false => coverage.to_string(),
                    true => format!(
                        "{:#}\n",
                        json!({
                            "operations": coverage.operations, "dialects": coverage.dialects,
                            "attributes": coverage.attributes, "types": coverage.types, "enums": coverage.enums,
                            "formats": { "declarative": coverage.formats, "custom": coverage.custom, "generic": coverage.generic },
                            "directives": coverage.directives,
                            "constraint_uses": coverage.uses, "understood": coverage.understood,
                            "unchecked": coverage.unknown.iter().map(|unknown| json!({
                                "reason": unknown.reason, "uses": unknown.uses, "operations": unknown.operations,
                            })).collect::<Vec<_>>(),
                        })
                    ),
                };
                super::show(|out| Ok(out.write_all(text.as_bytes())?))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
