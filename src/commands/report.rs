//! `mlirbc report`

mod bytecode;
mod growth;
mod kinds;
mod layout;
mod operations;
mod page;
mod spirv;
mod tree;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::page::{Report, Table};
use self::tree::Node;
use super::{Input, Session};
use mlirbc::bytecode::{BytecodeFile, WriteOptions};
use mlirbc::{Context, Error, Format, Module, Result};
use serde_json::Value;

/// So many of the largest things are named in one place.
const LARGEST: usize = 24;

/// So many things a page has in its maps.
const NODES: usize = 1600;

/// Names are cut behind so many letters.
const LETTERS: usize = 80;

/// Write a page that shows where the bytes of a file are; of two files, also what grew
///
/// The page is one file that loads nothing: a map to click through, the same as lists for readers without scripts, and tables
/// of what is largest. What it shows adds up to the size of the file. Of bytecode it goes by section, then by symbol, operation,
/// dialect, kind of attribute or resource; of a SPIR-V binary by part of the module, function and instruction. Of text it shows the bytecode
/// that `mlirbc convert` makes of it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc report model.mlirbc -o model.html\n  mlirbc report shader.spv -o shader.html\n  \
                        mlirbc report before.mlirbc after.mlirbc -o growth.html"
)]
pub(crate) struct MakeReport {
    /// The file, bytecode, text or a SPIR-V binary; `-` is standard input
    file: PathBuf,
    /// Another one, which is compared with the first: what grew, and what shrank
    later: Option<PathBuf>,
    /// Where the page goes; `-`, the default, is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,
}

impl MakeReport {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        let files: Vec<PathBuf> = [&self.file].into_iter().chain(&self.later).cloned().collect();
        if let Some(refused) = session.refuses(&files, &[(self.output.clone(), &self.file)]) {
            return Ok(refused);
        }
        let mut reports = Vec::new();
        let code = super::for_each_input(&files, |path| {
            reports.push(report(&session.context()?, path)?);
            Ok(())
        });
        if reports.len() < files.len() {
            return Ok(code);
        }
        let page = page::page(reports);
        super::write_sized_to(&self.output, page.len() as u64, |out| Ok(out.write_all(page.as_bytes())?))?;
        Ok(code)
    }
}

/// The largest symbols of a bytecode file (name, operations, bytes), and its largest attributes (number, kind, what, bytes): nothing of a
/// file that cannot be looked through.
pub(crate) fn largest(module: &Module, file: &BytecodeFile) -> (Vec<Value>, Vec<Value>) {
    let tables = bytecode::sizes(module, file).map(|(_, tables)| tables).unwrap_or_default();
    let of = |title: &str, keys: &[&str]| {
        tables.iter().find(|table| table.title == title).map(|table| table.json(keys)).unwrap_or_default()
    };
    let attributes = of(kinds::LARGEST_ATTRIBUTES, &["number", "kind", "what", "bytes"]);
    (of(bytecode::LARGEST_SYMBOLS, &["name", "operations", "bytes"]), attributes)
}

/// Looks at one file.
fn report(context: &Context, path: &Path) -> Result<Report> {
    let input = Input::open(path)?;
    let module = input.module(context)?;
    let mut facts = vec![format!("{}, {}", input.format.name(), bytes(input.size))];
    let (mut nodes, tables) = match input.format {
        Format::Spirv => spirv::sizes(&module, &input.bytes)?,
        Format::Bytecode => of_bytecode(&mlirbc::bytecode::read(context, input.bytes.clone())?, &mut facts)?,
        Format::Text => {
            let written = mlirbc::bytecode::write(&module, &WriteOptions::like(&module))?;
            facts.push(format!("shown is the bytecode that it becomes, {}", bytes(written.len())));
            of_bytecode(&mlirbc::bytecode::read(context, written)?, &mut facts)?
        }
    };
    if input.format != Format::Text && input.size > input.bytes.len() {
        let around = (input.size - input.bytes.len()) as u64;
        nodes.push(Node::leaf("what jax.export saves around the artifact", around, 1));
    }
    let path = super::shown_name(path, "<stdin>");
    let name = path.rsplit('/').next().unwrap_or(&path);
    Ok(Report { tree: Node::of(preview(name), 1, nodes), path: super::visible(&path).into_owned(), facts, tables })
}

fn of_bytecode(module: &Module, facts: &mut Vec<String>) -> Result<(Vec<Node>, Vec<Table>)> {
    let file = BytecodeFile::of(module).ok_or_else(|| Error::misuse("the module has no file"))?;
    let producer = String::from_utf8_lossy(file.producer());
    facts.push(format!("bytecode version {}, made by {}", file.version(), preview(&producer)));
    bytecode::sizes(module, file)
}

fn bytes(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} byte{plural}", page::thousands(count as u64))
}

/// The beginning of a text, in one line.
fn preview(text: &str) -> String {
    let cut = match text.char_indices().nth(LETTERS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    };
    let escape = |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.into() };
    cut.chars().map(escape).collect()
}
