//! `mlirbc inspect`

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::jobs::Jobs;
use super::{Input, Session, shown_name};
use mlirbc::bytecode::inspect::{Summary, Tally, label_bytes, summarize};
use mlirbc::bytecode::{BytecodeFile, UnknownKind, unknown_parts};
use mlirbc::ir::{BodyId, ResourceValue};
use mlirbc::stablehlo::Version;
use mlirbc::{Error, Format, Module, Result, stablehlo};
use serde_json::{Value, json};

/// Show what is in a file: of bytecode sections, tables, operations, resources, sizes; of SPIR-V entry points and more
///
/// No dialect has to be known. With --json one object comes out. Of text it is: bytes, operations, resources, symbols, as of
/// bytecode. Of bytecode: bytes, version, producer, sections (name, start, bytes),
/// dialects (name, version as hexadecimal or null), operations (name: count), attributes and types (dialect, form:
/// encoded, text, opaque or unknown, count, bytes), properties and strings (count, bytes), resources (owner, dialect, key, kind,
/// bytes, alignment), symbols (names), largest_symbols (name, operations, bytes of operations) and largest_attributes (number,
/// kind, what, bytes), at most 24 of each, opaque (what cannot be decoded, and why), unknown (the same of dialects and operations
/// that are known: made by something newer, most likely), of StableHLO stablehlo (needs: the oldest version that can hold it, or null and an
/// error; because: version, operations, the first, its path and line). Of a SPIR-V binary: bytes, version,
/// generator, bound, schema, big_endian, capabilities, extensions, imports, memory_model, entry_points (model, name,
/// function, modes, more_modes, interface), variables and interface (id, name, type, storage_class, decorations,
/// more_decorations), functions (id, name,
/// type, blocks, instructions), instructions (name: count).
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  mlirbc inspect model.mlirbc\n  mlirbc inspect --json model.mlirbc\n  mlirbc inspect shader.spv\n  \
                        mlirbc inspect --requirements shader.spv\n  \
                        mlirbc inspect --bytes model.mlirbc | less"
)]
pub(crate) struct Inspect {
    /// Files, bytecode, text or SPIR-V binaries; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print one JSON object; of several files one a line, each with its file
    #[arg(long, conflicts_with = "bytes")]
    json: bool,
    /// Show what SPIR-V, a binary or of the dialect, needs to run: versions, capabilities and extensions, each with what asks for it first. With
    /// --json one object: requirements (capabilities and extensions, of which one is enough; version, the first one that is enough, too,
    /// or null; last_version or null; text; because)
    #[arg(long, conflicts_with = "bytes")]
    requirements: bool,
    /// Print START..END and a label a line, for every byte of the file once (of bytecode)
    #[arg(long)]
    bytes: bool,
    #[command(flatten)]
    jobs: Jobs,
}

impl Inspect {
    pub(crate) fn run(self, session: &Session) -> Result<ExitCode> {
        Ok(self.jobs.run(&self.files, |path| {
            let context = session.context()?;
            let input = Input::open(path)?;
            if self.bytes {
                input
                    .must_be_bytecode("only the bytes of bytecode have labels (`mlirbc print` shows what is in it)")?;
            }
            let module = input.module(&context)?;
            let (mut report, human) = match (BytecodeFile::of(&module), input.format) {
                _ if self.requirements => {
                    let human = super::spirv::human_requirements as fn(&Value) -> String;
                    (super::spirv::requirements(&module)?, human)
                }
                (Some(file), _) if self.bytes => {
                    return super::show(|out| {
                        self.head(path, out)?;
                        label_bytes(file, &mut |range, label| {
                            Ok(writeln!(out, "{:#010x}..{:#010x} {label}", range.start, range.end)?)
                        })
                    });
                }
                (Some(file), _) => (bytecode_report(&module, file)?, human as fn(&Value) -> String),
                (None, Format::Spirv) => {
                    (super::spirv::report(&module, input.bytes.len())?, super::spirv::human as fn(&Value) -> String)
                }
                (None, _) => (text_report(&module, input.bytes.len())?, human as fn(&Value) -> String),
            };
            if let Some(needs) = stablehlo_needs(&module)? {
                report["stablehlo"] = needs;
            }
            super::show(|out| {
                if self.json {
                    return self.show_json(path, report, out);
                }
                let needs = report.get("stablehlo").map(human_needs).unwrap_or_default();
                self.head(path, out)?;
                Ok(out.write_all(super::visible(&format!("{}{needs}", human(&report))).as_bytes())?)
            })
        }))
    }

    fn show_json(&self, path: &Path, report: Value, out: &mut dyn Write) -> Result<()> {
        match report {
            Value::Object(report) if self.files.len() > 1 => {
                let mut all = serde_json::Map::from_iter([("file".to_owned(), shown_name(path, "<stdin>").into())]);
                all.extend(report);
                Ok(writeln!(out, "{}", Value::Object(all))?)
            }
            report => Ok(writeln!(out, "{report:#}")?),
        }
    }

    /// Says which of several files it is that comes.
    fn head(&self, path: &Path, out: &mut dyn Write) -> Result<()> {
        if self.files.len() > 1 {
            writeln!(out, "{}:", super::visible(&shown_name(path, "<stdin>")))?;
        }
        Ok(())
    }
}

/// Which version of StableHLO can hold the module, and what asks for it. `None` where it has nothing to do with that.
fn stablehlo_needs(module: &Module) -> Result<Option<Value>> {
    if !stablehlo::is_stablehlo(module)? {
        return Ok(None);
    }
    // What no artifact can hold is no error of the file.
    let needs = match stablehlo::needs(module) {
        Ok(needs) => needs,
        Err(error) => return Ok(Some(json!({ "needs": null, "because": [], "error": error.message() }))),
    };
    let because: Vec<Value> = needs
        .by_version
        .iter()
        .map(|need| {
            json!({
                "version": need.version.to_string(), "operations": need.operations,
                "first": need.name, "path": need.path, "line": need.line,
            })
        })
        .collect();
    Ok(Some(json!({ "needs": needs.version().to_string(), "because": because })))
}

/// The same for people.
fn human_needs(needs: &Value) -> String {
    let Some(version) = needs["needs"].as_str() else {
        return format!("StableHLO: no version can hold it: {}\n", needs["error"].as_str().unwrap_or_default());
    };
    let mut text = format!("StableHLO: needs version {version}\n");
    let because = needs["because"].as_array().into_iter().flatten();
    for need in because.filter(|need| need["version"] != Version::MINIMUM.to_string()) {
        let of = |name: &str| need[name].as_str().unwrap_or_default();
        let line = need["line"].as_str().map(|line| format!(" ({line})")).unwrap_or_default();
        text.push_str(&format!(
            "  {}: {} operation{}, first `{}` at {}{line}\n",
            of("version"),
            need["operations"],
            if need["operations"] == 1 { "" } else { "s" },
            of("first"),
            of("path"),
        ));
    }
    text
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

fn text_report(module: &Module, bytes: usize) -> Result<Value> {
    Ok(json!({
        "bytes": bytes,
        "operations": operations(module)?,
        "resources": resources(module)?,
        "symbols": symbols(module)?,
    }))
}

/// How often there is an operation of each name.
fn operations(module: &Module) -> Result<BTreeMap<String, u64>> {
    let context = module.context();
    module.load_all()?;
    let mut operations: BTreeMap<String, u64> = BTreeMap::new();
    for body in (0..module.body_count()).filter_map(|at| module.loaded(BodyId::from_index(at))) {
        for op in body.preorder() {
            let name = context.text(context.operation_identifier(body.name(op)));
            *operations.entry(name.into_owned()).or_default() += 1;
        }
    }
    Ok(operations)
}

fn symbols(module: &Module) -> Result<Vec<String>> {
    let mut symbols = Vec::new();
    for outermost in module.operations()? {
        for op in outermost.ops()? {
            // What is opaque has no name that could be shown.
            if let Ok(Some(symbol)) = op.symbol_name() {
                symbols.push(module.context().text(symbol).into_owned());
            }
        }
    }
    Ok(symbols)
}

fn resources(module: &Module) -> Result<Vec<Value>> {
    let resources = module
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
                "owner": module.context().text(group.owner), "dialect": group.dialect,
                "key": String::from_utf8_lossy(&entry.key), "kind": kind, "bytes": bytes, "alignment": alignment,
            })
        })
        .collect();
    Ok(resources)
}

fn bytecode_report(module: &Module, file: &BytecodeFile) -> Result<Value> {
    let context = module.context();
    let Summary { attributes, types, unknown_operations, properties, strings } = summarize(file)?;
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
    let mut opaque: Vec<String> = [(&attributes, "attribute"), (&types, "type")]
        .iter()
        .flat_map(|(tallies, what)| tallies.iter().map(move |entry| (entry, what)))
        .filter(|((key, _), _)| key.1 == "opaque")
        .map(|((key, tally), what)| {
            let count = Error::counted(tally.count, what);
            format!("{count} of `{}`: no encoding is registered for the dialect", key.0)
        })
        .collect();
    opaque
        .extend(unknown_operations.iter().map(|name| format!("properties of `{name}`: the operation is not defined")));
    let mut unknown: BTreeMap<(String, &str), u64> = BTreeMap::new();
    // What is broken, `verify` says.
    for part in unknown_parts(module).unwrap_or_default() {
        let what = match part.kind {
            UnknownKind::Attribute => "attributes",
            UnknownKind::Type => "types",
            UnknownKind::Properties => "property blobs",
            _ => "versions",
        };
        *unknown.entry((context.text(part.of).into_owned(), what)).or_default() += 1;
    }
    let unknown: Vec<Value> =
        unknown.iter().map(|((of, what), count)| json!({ "of": of, "what": what, "count": count })).collect();
    let sections: Vec<Value> = file
        .sections()
        .map(|(id, range)| json!({ "name": id.name(), "start": range.start, "bytes": range.len() }))
        .collect();
    let (largest_symbols, mut largest_attributes) = super::report::largest(module, file);
    // There are many, and none says what a module computes.
    largest_attributes.retain(|row| !row["kind"].as_str().is_some_and(|kind| kind.starts_with("location")));
    Ok(json!({
        "bytes": file.data().len(),
        "version": file.version(),
        "producer": String::from_utf8_lossy(file.producer()),
        "sections": sections,
        "dialects": dialects,
        "operations": operations(module)?,
        "attributes": tables(&attributes),
        "types": tables(&types),
        "properties": tally(properties),
        "strings": tally(strings),
        "resources": resources(module)?,
        "symbols": symbols(module)?,
        "largest_symbols": largest_symbols,
        "largest_attributes": largest_attributes,
        "opaque": opaque,
        "unknown": unknown,
    }))
}

/// So many of the largest are shown to people.
const SHOWN: usize = 8;

/// The report for people: a line for each thing, the largest first where there are many.
fn human(report: &Value) -> String {
    let mut out = String::new();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let number = |value: &Value| value.as_u64().unwrap_or_default();
    let bytes = |value: &Value| Error::counted(number(value), "byte");
    let list = |key: &str| report[key].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_bytecode = report["version"].is_u64();
    out += &match is_bytecode {
        true => format!("bytecode version {}, producer {}, ", report["version"], report["producer"]),
        false => "text, ".to_owned(),
    };
    out += &format!("{}\n", bytes(&report["bytes"]));
    if is_bytecode {
        out += "\nsections\n";
    }
    for section in list("sections") {
        out += &format!(
            "  {:27} {:>18} at {}\n",
            text(&section["name"]),
            Error::counted(number(&section["bytes"]), "byte"),
            section["start"]
        );
    }
    if is_bytecode {
        out += "\ndialects\n";
    }
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
    for key in ["attributes", "types"].into_iter().filter(|_| is_bytecode) {
        out += &format!("\n{key}\n");
        for row in list(key) {
            let (dialect, form) = (text(&row["dialect"]), text(&row["form"]));
            out += &format!("  {:>9} {dialect}, {form}: {}\n", number(&row["count"]), bytes(&row["bytes"]));
        }
    }
    for key in ["properties", "strings"].into_iter().filter(|_| is_bytecode) {
        out += &format!("\n{key}: {}, {}\n", report[key]["count"], bytes(&report[key]["bytes"]));
    }
    if !list("resources").is_empty() {
        out += "\nresources\n";
    }
    for row in list("resources") {
        let (owner, key, kind) = (text(&row["owner"]), text(&row["key"]), text(&row["kind"]));
        out += &format!("  {owner} {key}: {kind}, {}, alignment {}\n", bytes(&row["bytes"]), row["alignment"]);
    }
    if !list("symbols").is_empty() {
        out += "\nsymbols\n";
    }
    list("symbols").iter().for_each(|symbol| out += &format!("  @{}\n", text(symbol)));
    if !list("largest_symbols").is_empty() {
        out += "\nlargest functions and other symbols\n";
    }
    for row in list("largest_symbols").iter().take(SHOWN) {
        let operations = Error::counted(number(&row["operations"]), "operation");
        out += &format!("  {:>9} {}, {operations}\n", number(&row["bytes"]), text(&row["name"]));
    }
    if !list("largest_attributes").is_empty() {
        out += "\nlargest attributes\n";
    }
    for row in list("largest_attributes").iter().take(SHOWN) {
        out += &format!("  {:>9} {}: {}\n", number(&row["bytes"]), text(&row["kind"]), text(&row["what"]));
    }
    if !list("opaque").is_empty() {
        out += "\nopaque\n";
    }
    list("opaque").iter().for_each(|what| out += &format!("  {}\n", text(what)));
    if !list("unknown").is_empty() {
        out += "\nunknown to this build\n";
    }
    for row in list("unknown") {
        let (count, what) = (number(&row["count"]), text(&row["what"]));
        let what = if count == 1 { what.trim_end_matches('s') } else { &what };
        out += &format!("  {count:>9} {what} of {}\n", text(&row["of"]));
    }
    out
}
