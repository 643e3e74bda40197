//! Every operation that is defined, beside mlir-opt: whether one that nothing uses goes away, which may move, and what one has that is given no
//! attributes.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use mlirbc_ir::interfaces::{is_pure, would_be_trivially_dead};
use mlirbc_ir::ods::{OpDef, Traits};
use mlirbc_ir::{BodyId, Context, Module, NamedAttribute, OpRef, Result};
use mlirbc_text::{ParseOptions, parse_module};

/// As many operations are asked for by one run of mlir-opt; one that ends in a crash is asked again in halves.
const BATCH: usize = 150;

/// A function that holds the operation and nothing that uses it: its operands, results and regions are as many as it takes, and mean
/// nothing. With `looped`, a loop of the function holds it.
fn function(definition: &OpDef, number: usize, looped: bool) -> String {
    let (operands, results) = (definition.operands().len(), definition.results().len());
    let sizes = |trait_: Traits, name: &str, count: usize| {
        let ones = vec!["1"; count].join(", ");
        let colon = if count > 0 { ": " } else { "" };
        definition.traits.contains(trait_).then(|| format!("{name} = array<i32{colon}{ones}>"))
    };
    let segments = [
        sizes(Traits::OPERAND_SEGMENTS, "operandSegmentSizes", operands),
        sizes(Traits::RESULT_SEGMENTS, "resultSegmentSizes", results),
    ];
    let segments: Vec<String> = segments.into_iter().flatten().collect();
    let properties = if segments.is_empty() { String::new() } else { format!(" <{{{}}}>", segments.join(", ")) };
    let regions = match definition.regions().len() {
        0 => String::new(),
        count => format!(" ({})", vec!["{}"; count].join(", ")),
    };
    let types = |count: usize| vec!["memref<4xf32>"; count].join(", ");
    let defined = if results > 0 { format!("%r:{results} = ") } else { String::new() };
    let (before, behind) = match looped {
        true => (
            "%b:3 = \"test.bounds\"() : () -> (index, index, index)\n  \"scf.for\"(%b#0, %b#1, %b#2) ({\n  ^bb0(%i: index):\n  ",
            "\"scf.yield\"() : () -> ()\n  }) : (index, index, index) -> ()\n  ",
        ),
        false => ("", ""),
    };
    format!(
        "\"func.func\"() <{{sym_name = \"f{number}\", function_type = () -> ()}}> ({{\n  \
         %v = \"test.value\"() : () -> memref<4xf32>\n  {before}{defined}\"{}\"({}){properties}{regions} : ({}) -> ({})\n  \
         {behind}\"func.return\"() : () -> ()\n}}) : () -> ()\n",
        definition.name,
        vec!["%v"; operands].join(", "),
        types(operands),
        types(results),
    )
}

/// What mlir-opt prints of these functions: none where it crashes.
fn through(text: &str, pass: Option<&str>) -> Option<String> {
    let mut command = Command::new("mlir-opt-22");
    command.args(["--allow-unregistered-dialect", "--mlir-very-unsafe-disable-verifier-on-parsing", "--verify-each=0"]);
    command.args(pass).args(["--mlir-print-op-generic", "--split-input-file", "-"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let mut child = child.expect("mlir-opt-22 starts");
    let mut input = child.stdin.take().expect("its input");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("mlir-opt-22 ends");
    let _ = writer.join().expect("no panic");
    let crashed = output.status.signal().is_some();
    (!crashed).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What mlir-opt has in each of the functions behind a pass: an operation a line; none of those that make it crash.
fn inside(texts: &[(String, String)], pass: Option<&str>) -> Vec<Option<String>> {
    let whole: Vec<&str> = texts.iter().map(|it| it.1.as_str()).collect();
    let Some(output) = through(&whole.join("// -----\n"), pass) else {
        if texts.len() == 1 {
            return vec![None];
        }
        let halves = texts.split_at(texts.len() / 2);
        return [inside(halves.0, pass), inside(halves.1, pass)].concat();
    };
    let body = |(_, text): &(String, String)| {
        // By the name of the function: one that cannot be parsed is not printed.
        let (_, behind) = text.split_once("sym_name = ")?;
        let (function, _) = behind.split_once(',')?;
        let (_, printed) = output.split_once(&format!("sym_name = {function}}}> ({{"))?;
        Some(printed.split_once("\"func.return\"")?.0.to_owned())
    };
    texts.iter().map(body).collect()
}

/// Every operation of MLIR that ends no block, with a function that holds it, in a loop with `looped`.
fn all(context: &Context, looped: bool) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for dialect in context.dialects() {
        for definition in dialect.tables().iter().flat_map(|table| table.iter()) {
            let ends = definition.traits.contains(Traits::TERMINATOR) || !definition.successors().is_empty();
            if definition.is_of_mlir && !ends {
                let text = function(&definition, texts.len(), looped);
                texts.push((definition.name.clone(), text));
            }
        }
    }
    assert!(texts.len() > 2_000, "{}", texts.len());
    texts
}

/// Whether something holds of the operation here.
fn holds(context: &Context, name: &str, text: &str, what: fn(OpRef<'_>) -> Result<bool>) -> bool {
    let module =
        parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut walk = module.operations().expect("a body").flat_map(|op| op.walk().expect("bodies"));
    let op = walk.find(|op| op.name() == name).unwrap_or_else(|| panic!("no {name}"));
    what(op).expect("well-formed")
}

#[test]
fn what_goes_away_unused_is_what_goes_away_in_mlir() {
    if !mlirbc_testing::tool("mlir-opt-22", "effects of all operations") {
        return;
    }
    let context = mlirbc_testing::context();
    let texts = all(&context, false);
    let (mut asked, mut gone, mut wrong, mut kept) = (0, 0, Vec::new(), Vec::new());
    for batch in texts.chunks(BATCH) {
        for ((name, text), theirs) in batch.iter().zip(inside(batch, Some("--cse"))) {
            let Some(theirs) = theirs else { continue };
            let theirs = !theirs.contains(&format!("\"{name}\"("));
            let ours = holds(&context, name, text, would_be_trivially_dead);
            asked += 1;
            gone += usize::from(theirs);
            match (ours, theirs) {
                (true, false) => wrong.push(name),
                (false, true) => kept.push(name),
                _ => {}
            }
        }
    }
    println!("{asked} operations asked, {gone} go away");
    assert!(asked > texts.len() * 99 / 100 && gone > 1_000, "{asked} of {}, {gone} go away", texts.len());
    assert!(wrong.is_empty(), "these would go away, and mlir-opt keeps them: {wrong:?}");
    assert!(kept.is_empty(), "these would stay, and mlir-opt erases them: {kept:?}");
}

#[test]
fn what_may_move_is_what_moves_in_mlir() {
    if !mlirbc_testing::tool("mlir-opt-22", "which operations may move") {
        return;
    }
    let context = mlirbc_testing::context();
    let mut texts = all(&context, true);
    // The loop is one itself.
    texts.retain(|(name, _)| name != "scf.for");
    let (mut asked, mut moved, mut different) = (0, 0, Vec::new());
    for batch in texts.chunks(BATCH) {
        for ((name, text), theirs) in batch.iter().zip(inside(batch, Some("--loop-invariant-code-motion"))) {
            let Some(theirs) = theirs else { continue };
            let (Some(at), Some(inner)) = (theirs.find(&format!("\"{name}\"(")), theirs.find("\"scf.for\"(")) else {
                continue;
            };
            asked += 1;
            moved += usize::from(at < inner);
            if holds(&context, name, text, is_pure) != (at < inner) {
                different.push(name);
            }
        }
    }
    println!("{asked} operations asked, {moved} move");
    assert!(asked > texts.len() * 99 / 100 && moved > 900, "{asked} of {}, {moved} move", texts.len());
    assert!(different.is_empty(), "these may move in one, and not in the other: {different:?}");
}

/// Operations with a default that only C++ can tell: the name of an operation's class, and `{}`.
const NO_DEFAULTS: &[&str] = &["transform.structured.pad", "transform.structured.split_reduction"];

#[test]
fn what_is_not_given_is_what_mlir_fills_in() {
    if !mlirbc_testing::tool("mlir-opt-22", "defaults of all operations") {
        return;
    }
    let context = mlirbc_testing::context();
    let texts = all(&context, false);
    let (mut asked, mut filled, mut different) = (0, 0, Vec::new());
    for batch in texts.chunks(BATCH) {
        for ((name, _), theirs) in batch.iter().zip(inside(batch, None)) {
            let Some(theirs) = theirs else { continue };
            asked += 1;
            let module = parse_module(&context, theirs.as_bytes(), &ParseOptions::new());
            let module = module.unwrap_or_else(|error| panic!("{error}\n{theirs}"));
            let op = module.operations().expect("a body").find(|op| op.name() == *name).expect("the operation");
            let is_size = |entry: &NamedAttribute| context.text(entry.0).ends_with("SegmentSizes");
            let entries = |module: &Module, op: mlirbc_ir::OpId| {
                let op = module.operation(BodyId::from_index(Module::TOP), op).expect("an operation");
                let (attributes, properties) = op.dictionaries().expect("decoded");
                let mut all: Vec<NamedAttribute> = Vec::new();
                for dictionary in [attributes, properties].into_iter().flatten() {
                    all.extend(context.entries(dictionary).expect("entries").iter().filter(|entry| !is_size(entry)));
                }
                all.sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
                all
            };
            let wanted = entries(&module, op.id());
            let mut made = Module::new(&context);
            let none: [mlirbc_ir::Type; 0] = [];
            let built = made.rewrite(BodyId::from_index(Module::TOP), |rw| rw.build(name).result_types(none).create());
            let ours = entries(&made, built.expect("an operation"));
            filled += ours.len();
            if ours != wanted {
                let text = |entries: &[NamedAttribute]| {
                    let one = |entry: &NamedAttribute| {
                        let value = mlirbc_ir::text::print_attribute(&context, entry.1).expect("text");
                        format!("{} = {value}", context.text(entry.0))
                    };
                    entries.iter().map(one).collect::<Vec<_>>().join(", ")
                };
                different.push((name.as_str(), format!("{{{}}}, and mlir-opt {{{}}}", text(&ours), text(&wanted))));
            }
        }
    }
    println!("{asked} operations asked, {filled} attributes filled in");
    let unknown: Vec<_> = different.iter().filter(|it| !NO_DEFAULTS.contains(&it.0)).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    assert!(asked > texts.len() * 99 / 100 && filled > 500, "{asked} of {}, {filled} filled in", texts.len());
    assert_eq!(different.len(), NO_DEFAULTS.len(), "some are there now");
}
