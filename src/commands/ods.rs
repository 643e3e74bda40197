//! `mlirbc ods`

use std::path::PathBuf;
use std::process::ExitCode;

use super::Session;
use mlirbc::ir::ods::Coverage;
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
                            llvm-tblgen --dump-json -I include my_dialect.td | mlirbc ods import - -o my_dialect.table\n  \
                            mlirbc ods import one.json two.json --out-dir tables")]
    Import {
        /// JSON of the dialect's TableGen records, one or more documents
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The table
        #[arg(short, long, value_name = "TABLE", required_unless_present = "out_dir")]
        output: Option<PathBuf>,
        /// A table for each dialect, DIALECT.table in this folder
        #[arg(long, value_name = "DIR", conflicts_with = "output")]
        out_dir: Option<PathBuf>,
        /// Which members operations have in which releases of MLIR, where not in all: a line a member,
        /// `OPERATION MEMBER KIND RELEASES`
        #[arg(long, value_name = "FILE")]
        members: Option<PathBuf>,
        /// Mark the operations as known to MLIR's own tools: they are written as registered for readers that know no other
        /// dialects
        #[arg(long)]
        of_mlir: bool,
    },
    /// Show how much of the definitions is understood, and which operations are left partly unchecked
    #[command(after_help = "Examples:\n  mlirbc ods coverage\n  mlirbc ods coverage my_dialect.table --json")]
    Coverage {
        /// A table, or JSON; that of the upstream dialects by default
        table: Option<PathBuf>,
        /// Print one JSON object: operations, dialects, attributes, types, enums, formats, directives, constraint_uses,
        /// understood, verified (operations that code checks, too), unchecked (reason, uses, operations)
        #[arg(long)]
        json: bool,
    },
}

impl Ods {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        match self.subcommand {
            Sub::Import { files, output, out_dir, members, of_mlir } => {
                let read: Vec<PathBuf> = files.iter().chain(&members).cloned().collect();
                let outputs: Vec<_> = output.iter().map(|output| (output.clone(), output.as_path())).collect();
                if let Some(refused) = session.refuses(&read, &outputs) {
                    return Ok(refused);
                }
                let mut importer = super::importer();
                if of_mlir {
                    importer = importer.of_mlir();
                }
                if let Some(members) = members {
                    let lines = || importer.members(&String::from_utf8_lossy(&super::read_bytes(&members)?));
                    importer = lines().map_err(|error: Error| super::about(&members, error))?;
                }
                for file in &files {
                    let mut add = || super::import(&mut importer, file, &super::read_bytes(file)?);
                    add().map_err(|error: Error| super::about(file, error))?;
                }
                if let Some(output) = output {
                    let bytes = importer.finish()?.to_bytes();
                    super::write_to(&output, |out| Ok(out.write_all(&bytes)?))?;
                } else if let Some(folder) = out_dir {
                    let tables = importer.finish_by_dialect()?;
                    let outputs: Vec<PathBuf> =
                        tables.keys().map(|name| folder.join(format!("{name}.table"))).collect();
                    let pairs: Vec<_> = outputs.iter().map(|output| (output.clone(), files[0].as_path())).collect();
                    if let Some(refused) = session.refuses(&read, &pairs) {
                        return Ok(refused);
                    }
                    std::fs::create_dir_all(&folder).map_err(|error| super::about(&folder, error))?;
                    for (output, table) in outputs.iter().zip(tables.values()) {
                        super::write_to(output, |out| Ok(out.write_all(&table.to_bytes())?))?;
                    }
                }
            }
            Sub::Coverage { table, json } => {
                let read = table.as_deref().map(super::read_table).transpose()?;
                let coverage = read.map_or_else(|| Coverage::of_all(&mlirbc::definitions()), |table| table.coverage());
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
                            "verified": coverage.verified,
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
