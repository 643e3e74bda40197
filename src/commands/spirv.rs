//! What `inspect` and `diff` say of SPIR-V.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;

use mlirbc::spirv::dialect::EnumKind;
use mlirbc::spirv::target::{Needs, Platform, Runner, reasons, target_attribute};
use mlirbc::spirv::{Difference, ModuleView, Operand, Side};
use mlirbc::{Attribute, Context, Error, Module, Result};
use serde_json::{Value, json};

use super::{Session, color};

/// So many decorations of a value and modes of an entry point are shown, and the others counted: entry points share
/// functions, and values groups, so that all of them can be far more than the module is long.
const MOST: usize = 64;

/// What is in a SPIR-V module.
pub(crate) fn report(module: &Module, bytes: usize) -> Result<Value> {
    let view = ModuleView::of(module)?;
    let header = view.header();
    let shown = |operands: &[Operand]| operands.iter().map(|operand| view.show(operand)).collect::<Vec<_>>();
    let variable = |value| {
        let definition = view.definition(value);
        let storage = definition
            .filter(|definition| definition.name() == "Variable")
            .and_then(|definition| definition.operands().ok())
            .and_then(|operands| operands.first().map(Operand::text));
        let mut decorations = view.decorations(value).filter(|(member, _)| member.is_none());
        let first = decorations.by_ref().take(MOST);
        let first =
            first.map(|(_, decoration)| json!({ "name": decoration.name, "operands": shown(&decoration.operands) }));
        let first: Vec<Value> = first.collect();
        json!({
            "id": view.id(value), "name": view.name(value), "type": view.type_of(value), "storage_class": storage,
            "decorations": first, "more_decorations": decorations.count(),
        })
    };
    let entry_points = view.entry_points().iter().map(|entry| {
        let modes =
            entry.modes.iter().take(MOST).map(|mode| json!({ "name": mode.name, "operands": shown(&mode.operands) }));
        json!({
            "model": entry.model, "name": entry.name, "function": view.id(entry.function),
            "modes": modes.collect::<Vec<_>>(), "more_modes": entry.modes.len().saturating_sub(MOST),
            "interface": entry.interface.iter().map(|&value| variable(value)).collect::<Vec<_>>(),
        })
    });
    let functions = view.functions().iter().map(|function| {
        json!({
            "id": view.id(function.value), "name": view.name(function.value), "type": view.type_of(function.value),
            "blocks": function.blocks, "instructions": function.instructions,
        })
    });
    let (mut instructions, mut variables, mut inside) = (BTreeMap::<&str, u64>::new(), Vec::new(), false);
    for instruction in view.instructions() {
        *instructions.entry(instruction.name()).or_default() += 1;
        inside |= instruction.name() == "Function";
        if let (false, "Variable", Some(value)) = (inside, instruction.name(), instruction.result()) {
            variables.push(variable(value));
        }
    }
    Ok(json!({
        "bytes": bytes,
        "version": format!("{}.{}", header.version >> 16 & 0xff, header.version >> 8 & 0xff),
        "generator": header.generator,
        "bound": header.bound,
        "schema": header.schema,
        "big_endian": header.big_endian,
        "capabilities": view.capabilities(),
        "extensions": view.extensions(),
        "imports": view.imports().iter().map(|(_, name)| name).collect::<Vec<_>>(),
        "memory_model": view.memory_model().map(|(addressing, memory)| [addressing, memory]),
        "entry_points": entry_points.collect::<Vec<_>>(),
        "variables": variables,
        "functions": functions.collect::<Vec<_>>(),
        "instructions": instructions,
    }))
}

/// What is to be run on.
pub(crate) fn runner(context: &Context, name: &str) -> Result<Runner> {
    Runner::parse(context, name).ok_or_else(|| no_target(name))
}

fn no_target(name: &str) -> Error {
    let names: Vec<&str> = Platform::ALL.iter().map(|platform| platform.name).collect();
    Error::misuse(format!("`{name}` is no target: neither a `#spirv.target_env<...>` nor one of {}", names.join(", ")))
}

/// The exit code where the name of a target that is given is none.
pub(crate) fn refuses_target(name: Option<&str>, session: &Session) -> Result<Option<ExitCode>> {
    let Some(name) = name else { return Ok(None) };
    Ok(runner(&session.context()?, name).err().map(super::wrong_usage))
}

/// The `#spirv.target_env` that stands for a target.
pub(crate) fn target(context: &Context, name: &str) -> Result<Attribute> {
    target_attribute(context, name).ok_or_else(|| no_target(name))
}

/// What a module needs, and because of what.
pub(crate) fn requirements(module: &Module) -> Result<Value> {
    let one = |(needs, place): (Needs, String)| {
        let (capabilities, extensions, least, most) = match needs {
            Needs::Capability(list) => (list, &[][..], None, None),
            Needs::Version(least, names) => (&[][..], names, least, None),
            Needs::Most(most) => (&[][..], &[][..], None, Some(most)),
        };
        let names: Vec<_> = capabilities.iter().map(|&it| EnumKind::Capability.show(it)).collect();
        let version = |minor: Option<u32>| minor.map(|minor| format!("1.{minor}"));
        json!({
            "capabilities": names, "extensions": extensions, "version": version(least), "last_version": version(most),
            "text": needs.to_string(), "because": place,
        })
    };
    Ok(json!({ "requirements": reasons(module)?.into_iter().map(one).collect::<Vec<_>>() }))
}

/// The same for people.
pub(crate) fn human_requirements(report: &Value) -> String {
    let line = |row: &Value| format!("{}: {}\n", plain(&row["text"]), plain(&row["because"]));
    report["requirements"].as_array().into_iter().flatten().map(line).collect()
}

/// The same for people.
pub(crate) fn human(report: &Value) -> String {
    let mut out = String::new();
    let list = |value: &Value| -> Vec<String> { value.as_array().into_iter().flatten().map(plain).collect() };
    let each = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let _ = writeln!(
        out,
        "SPIR-V {} ({}), generator {:#x}, ids below {}{}",
        plain(&report["version"]),
        counted(&report["bytes"], "byte"),
        report["generator"].as_u64().unwrap_or(0),
        report["bound"],
        if report["big_endian"] == true { ", big-endian" } else { "" }
    );
    for (what, key) in [
        ("capabilities", "capabilities"),
        ("extensions", "extensions"),
        ("imports", "imports"),
        ("memory model", "memory_model"),
    ] {
        let items = list(&report[key]);
        if !items.is_empty() {
            let _ = writeln!(out, "{what}: {}", items.join(", "));
        }
    }
    for entry in each(&report["entry_points"]) {
        let _ = writeln!(
            out,
            "\nentry point {} {}: function %{}",
            plain(&entry["model"]),
            entry["name"],
            entry["function"]
        );
        for mode in each(&entry["modes"]) {
            let _ = writeln!(out, "  mode {}", named(&mode));
        }
        if entry["more_modes"] != 0 {
            let _ = writeln!(out, "  and {}", counted(&entry["more_modes"], "more mode"));
        }
        for variable in each(&entry["interface"]) {
            let _ = writeln!(out, "  interface {}", one_variable(&variable));
        }
    }
    let variables = each(&report["variables"]);
    if !variables.is_empty() {
        let _ = writeln!(out, "\nvariables");
        for variable in variables {
            let _ = writeln!(out, "  {}", one_variable(&variable));
        }
    }
    let functions = each(&report["functions"]);
    if !functions.is_empty() {
        let _ = writeln!(out, "\nfunctions");
        for function in functions {
            let _ = writeln!(
                out,
                "  %{}{}: {}, {}, {}",
                function["id"],
                name(&function),
                plain(&function["type"]),
                counted(&function["blocks"], "block"),
                counted(&function["instructions"], "instruction")
            );
        }
    }
    let _ = writeln!(out, "\ninstructions");
    for (name, count) in report["instructions"].as_object().into_iter().flatten() {
        let _ = writeln!(out, "  {:>8}  {name}", count.as_u64().unwrap_or(0));
    }
    out
}

fn counted(count: &Value, one: &str) -> String {
    Error::counted(count, one)
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn name(of: &Value) -> String {
    of["name"].as_str().map_or_else(String::new, |name| format!(" {name:?}"))
}

/// A decoration or a mode.
fn named(item: &Value) -> String {
    let operands = item["operands"].as_array().into_iter().flatten().map(plain);
    std::iter::once(plain(&item["name"])).chain(operands).collect::<Vec<_>>().join(" ")
}

fn one_variable(variable: &Value) -> String {
    let mut decorations: Vec<String> = variable["decorations"].as_array().into_iter().flatten().map(named).collect();
    if variable["more_decorations"] != 0 {
        decorations.push(format!("and {} more", variable["more_decorations"]));
    }
    let decorations = if decorations.is_empty() { String::new() } else { format!(" [{}]", decorations.join(", ")) };
    format!("%{}{}: {}{decorations}", variable["id"], name(variable), plain(&variable["type"]))
}

/// What differs, for people.
pub(crate) fn show(differences: &[Difference], out: &mut dyn Write) -> Result<()> {
    let wanted = color::of_output();
    for difference in differences {
        let name = if difference.name.is_empty() { String::new() } else { format!(" {}", difference.name) };
        let only = match difference.only_in {
            Some(Side::First) => ": only in the first",
            Some(Side::Second) => ": only in the second",
            None => "",
        };
        writeln!(out, "{}{name}{only}", difference.part.name())?;
        if difference.only_in.is_none() {
            for (side, line) in &difference.lines {
                let (mark, style) = if *side == Side::First { ('-', color::OLD) } else { ('+', color::NEW) };
                writeln!(out, "  {}", color::painted(style, &format!("{mark} {line}"), wanted))?;
            }
        }
    }
    Ok(())
}

/// The same, for scripts.
pub(crate) fn to_json(differences: &[Difference]) -> Value {
    let side = |side: Side| if side == Side::First { "first" } else { "second" };
    let each = differences.iter().map(|difference| {
        let lines = difference.lines.iter().map(|(which, line)| json!({ "side": side(*which), "text": line }));
        json!({
            "unit": difference.part.name(), "name": difference.name, "only_in": difference.only_in.map(side),
            "lines": lines.collect::<Vec<_>>(),
        })
    });
    json!({ "equal": differences.is_empty(), "differences": each.collect::<Vec<_>>() })
}
