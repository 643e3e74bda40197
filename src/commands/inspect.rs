//! `mlirbc inspect`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use super::Session;
use mlirbc::bytecode::BytecodeFile;
use mlirbc::bytecode::inspect::{Summary, Tally, label_bytes, summarize};
use mlirbc::ir::{BodyId, ResourceValue};
use mlirbc::{Error, Module, Result};
use serde_json::{Value, json};

/// Show what is in a file: of bytecode sections, tables, operations, resources, sizes; of SPIR-V entry points and more
///
/// No dialect has to be known. Of bytecode, with --json one object comes out: bytes, version, producer, sections (name, start, bytes),
/// dialects (name, version as hexadecimal or null), operations (name: count), attributes and types (dialect, form:
/// encoded, text or opaque, count, bytes), properties and strings (count, bytes), resources (owner, dialect, key, kind,
/// bytes, alignment), symbols (names), opaque (what cannot be decoded, and why). Of a SPIR-V binary: bytes, version,
/// generator, bound, schema, big_endian, capabilities, extensions, imports, memory_model, entry_points (model, name,
/// function, modes, more_modes, interface), variables and interface (id, name, type, storage_class, decorations,
/// more_decorations), functions (id, name,
/// type, blocks, instructions), instructions (name: count).
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc inspect model.mlirbc\n  mlirbc inspect --json model.mlirbc\n  mlirbc inspect shader.spv\n  \
                        mlirbc inspect --bytes model.mlirbc | less"
)]
pub(crate) struct Inspect {
    /// The file
    file: PathBuf,
    /// Print one JSON object
    #[arg(long, conflicts_with = "bytes")]
    json: bool,
    /// Print START..END and a label a line, for every byte of the file once
    #[arg(long)]
    bytes: bool,
}

impl Inspect {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        let inspect = || {
            let context = session.context()?;
            let bytes = super::read_bytes(&self.file)?;
            if mlirbc::spirv::is_spirv(&bytes) {
                if self.bytes {
                    return Err(Error::misuse(
                        "the bytes of a SPIR-V binary have no labels: `mlirbc print` shows its words",
                    ));
                }
                let length = bytes.len();
                let report = super::spirv::report(&mlirbc::spirv::read(&context, bytes)?, length)?;
                let text = if self.json { format!("{report:#}\n") } else { super::spirv::human(&report) };
                return super::show(|out| Ok(out.write_all(text.as_bytes())?));
            }
            let module = mlirbc::bytecode::read(&context, bytes)?;
            let file = BytecodeFile::of(&module).ok_or_else(|| Error::misuse("the file is no bytecode"))?;
            if self.bytes {
                return print_bytes(file);
            }
            let report = report(&module, file)?;
            let text = if self.json { format!("{report:#}\n") } else { human(&report) };
            super::show(|out| Ok(out.write_all(text.as_bytes())?))
        };
        Ok(super::for_input(&self.file, |_| inspect()))
    }
}

fn print_bytes(file: &BytecodeFile) -> Result<()> {
    super::show(|out| {
        let mut failed = None;
        let labelled = label_bytes(file, &mut |range, label| {
            if failed.is_none() {
                failed = writeln!(out, "{:#010x}..{:#010x} {label}", range.start, range.end).err();
            }
        });
        match failed {
            Some(error) => Err(error.into()),
            None => labelled,
        }
    })
}

fn tally(tally: Tally) -> Value {
    json!({ "count": tally.count, "bytes": tally.bytes })
}

fn tables(tallies: &BTreeMap<(String, &'static str), Tally>) -> Value {
    let rows = tallies.iter().map(|((dialect, form), tally)| {
        json!({ "dialect": dialect, "form": form, "count": tally.count, "bytes": tally.bytes })
    });
    rows.collect()
}

fn report(module: &Module, file: &BytecodeFile) -> Result<Value> {
    let context = module.context();
    let Summary { attributes, types, unknown_operations, properties, strings } = summarize(file)?;
    module.load_all()?;
    let mut operations: BTreeMap<String, u64> = BTreeMap::new();
    for body in (0..module.body_count()).filter_map(|at| module.loaded(BodyId::from_index(at))) {
        for op in body.preorder() {
            let name = context.text(context.operation_identifier(body.name(op)));
            *operations.entry(name.into_owned()).or_default() += 1;
        }
    }
    let mut symbols = Vec::new();
    for outermost in module.operations()? {
        for op in outermost.inside()? {
            // What is opaque has no name that could be shown.
            if let Ok(Some(symbol)) = op.symbol_name() {
                symbols.push(context.text(symbol).into_owned());
            }
        }
    }
    let resources: Vec<Value> = module
        .resources()?
        .iter()
        .flat_map(|group| group.entries.iter().map(move |entry| (group, entry)))
        .map(|(group, entry)| {
            let (kind, bytes, alignment) = match &entry.value {
                ResourceValue::Declared(_) => ("declared", 0, 0),
                ResourceValue::Blob { alignment, data } => ("blob", data.len(), *alignment),
                ResourceValue::Bool(_) => ("bool", 1, 0),
                ResourceValue::String(value) => ("string", value.len(), 0),
            };
            json!({
                "owner": context.text(group.owner), "dialect": group.dialect,
                "key": String::from_utf8_lossy(&entry.key), "kind": kind, "bytes": bytes, "alignment": alignment,
            })
        })
        .collect();
    let versions = module.dialect_versions()?;
    let dialects: Vec<Value> = file
        .dialect_names()?
        .into_iter()
        .map(|name| {
            let version = versions.iter().find(|version| version.0 == name);
            let hex = version.map(|(_, bytes)| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
            json!({ "name": context.text(name), "version": hex })
        })
        .collect();
    let mut opaque: Vec<String> = [(&attributes, "attributes"), (&types, "types")]
        .iter()
        .flat_map(|(tallies, what)| tallies.iter().map(move |entry| (entry, what)))
        .filter(|((key, _), _)| key.1 == "opaque")
        .map(|((key, tally), what)| {
            format!("{} {what} of `{}`: no encoding is registered for the dialect", tally.count, key.0)
        })
        .collect();
    opaque
        .extend(unknown_operations.iter().map(|name| format!("properties of `{name}`: the operation is not defined")));
    let sections: Vec<Value> = file
        .sections()
        .map(|(id, range)| json!({ "name": id.name(), "start": range.start, "bytes": range.len() }))
        .collect();
    Ok(json!({
        "bytes": file.data().len(),
        "version": file.version(),
        "producer": String::from_utf8_lossy(file.producer()),
        "sections": sections,
        "dialects": dialects,
        "operations": operations,
        "attributes": tables(&attributes),
        "types": tables(&types),
        "properties": tally(properties),
        "strings": tally(strings),
        "resources": resources,
        "symbols": symbols,
        "opaque": opaque,
    }))
}

/// The report for people: a line for each thing, the largest first where there are many.
fn human(report: &Value) -> String {
    let mut out = String::new();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    out += &format!(
        "bytecode version {}, producer {}, {} bytes\n",
        report["version"], report["producer"], report["bytes"]
    );
    let list = |key: &str| report[key].as_array().map(Vec::as_slice).unwrap_or_default();
    out += "\nsections\n";
    for section in list("sections") {
        out += &format!(
            "  {:27} {:>12} bytes at {}\n",
            text(&section["name"]),
            number(&section["bytes"]),
            section["start"]
        );
    }
    out += "\ndialects\n";
    for dialect in list("dialects") {
        let version = dialect["version"].as_str().map_or(String::new(), |version| format!(" version {version}"));
        out += &format!("  {}{version}\n", text(&dialect["name"]));
    }
    if let Some(operations) = report["operations"].as_object() {
        let mut rows: Vec<(&String, u64)> = operations.iter().map(|(name, count)| (name, number(count))).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.1));
        out += &format!("\noperations: {}\n", rows.iter().map(|row| row.1).sum::<u64>());
        rows.iter().for_each(|(name, count)| out += &format!("  {count:>9} {name}\n"));
    }
    for key in ["attributes", "types"] {
        out += &format!("\n{key}\n");
        for row in list(key) {
            let (dialect, form) = (text(&row["dialect"]), text(&row["form"]));
            out += &format!("  {:>9} {dialect}, {form}: {} bytes\n", number(&row["count"]), row["bytes"]);
        }
    }
    for key in ["properties", "strings"] {
        out += &format!("\n{key}: {}, {} bytes\n", report[key]["count"], report[key]["bytes"]);
    }
    if !list("resources").is_empty() {
        out += "\nresources\n";
    }
    for row in list("resources") {
        let (owner, key, kind) = (text(&row["owner"]), text(&row["key"]), text(&row["kind"]));
        out += &format!("  {owner} {key}: {kind}, {} bytes, alignment {}\n", row["bytes"], row["alignment"]);
    }
    if !list("symbols").is_empty() {
        out += "\nsymbols\n";
    }
    list("symbols").iter().for_each(|symbol| out += &format!("  @{}\n", text(symbol)));
    if !list("opaque").is_empty() {
        out += "\nopaque\n";
    }
    list("opaque").iter().for_each(|what| out += &format!("  {}\n", text(what)));
    out
}
