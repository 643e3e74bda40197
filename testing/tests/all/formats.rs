//! Assembly formats that can be read again, and those that cannot: what the importer of TableGen's JSON and the builder in Rust
//! accept, beside what `mlir-tblgen` does.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use mlirbc_ir::ods::{Multiplicity, NativeProperty, OpDef, OpTable, Syntax, Traits, TypeConstraint, ValueDef};

use mlirbc_ir::tablegen::Importer;
use mlirbc_ir::{Dialect, ErrorKind, Module, Result};
use mlirbc_testing::{Numbers, tool};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// One of these, as often as it stands there.
fn pick<'t>(numbers: &mut Numbers, choices: &[&'t str]) -> &'t str {
    numbers.of(choices).expect("a choice")
}

fn join(items: &[String]) -> String {
    items.join(", ")
}

/// The members of a definition, by the names that its format can have.
#[derive(Default)]
struct Members {
    operands: Vec<&'static str>,
    results: Vec<&'static str>,
    attributes: Vec<&'static str>,
    properties: Vec<&'static str>,
    regions: Vec<&'static str>,
    successors: Vec<&'static str>,
}

/// An element of the format, mostly where it belongs.
fn elements(numbers: &mut Numbers, members: &Members) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let often = |numbers: &mut Numbers| numbers.below(8) > 0;
    for attribute in &members.attributes {
        match numbers.below(5) {
            0 => found.push(format!("qualified(${attribute})")),
            1 => found.push(format!("custom<F>(${attribute})")),
            2 => found.push(format!("(`k` ${attribute}^)?")),
            _ => found.push(format!("${attribute}")),
        }
    }
    match numbers.below(6) {
        0 => found.push("operands".into()),
        1 if members.operands == ["a"] => found.push("custom<F>($a, type($a))".into()),
        _ => members.operands.iter().filter(|_| often(numbers)).for_each(|name| found.push(format!("${name}"))),
    }
    found.extend(members.properties.iter().filter(|_| often(numbers)).map(|name| format!("${name}")));
    match numbers.below(6) {
        0 => found.push("successors".into()),
        _ => found.extend(members.successors.iter().filter(|_| often(numbers)).map(|name| format!("${name}"))),
    }
    if often(numbers) {
        found.push(pick(numbers, &["attr-dict", "attr-dict-with-keyword"]).into());
    }
    match numbers.below(6) {
        0 => found.push("regions".into()),
        _ => found.extend(members.regions.iter().filter(|_| often(numbers)).map(|name| format!("${name}"))),
    }
    found.push(pick(numbers, &["`:`", "`->`", "`x`", "` `"]).into());
    match numbers.below(6) {
        0 => found.push("functional-type(operands, results)".into()),
        1 => found.push("type(operands) `->` type(results)".into()),
        _ => {
            let named = members.operands.iter().chain(&members.results).filter(|_| often(numbers));
            found.extend(named.map(|name| format!("type(${name})")));
        }
    }
    found
}

/// Makes of some neighbours a group that may be left out, or of some members clauses.
fn group(numbers: &mut Numbers, members: &Members, elements: &mut Vec<String>) {
    if numbers.below(5) == 0 && !members.attributes.is_empty() {
        let clauses: Vec<_> = members.attributes.iter().map(|name| format!("`{name}` ${name}")).collect();
        elements.retain(|element| !members.attributes.iter().any(|name| element.contains(&format!("${name}"))));
        let at = numbers.below(elements.len() + 1);
        elements.insert(at, format!("oilist({})", clauses.join(" | ")));
        return;
    }
    let start = numbers.below(elements.len());
    let length = 1 + numbers.below(3.min(elements.len() - start));
    let mut inside: Vec<String> = elements.drain(start..start + length).collect();
    let anchor = numbers.below(length);
    inside[anchor].push('^');
    if numbers.below(3) > 0 {
        inside.insert(0, pick(numbers, &["`m`", "`:`", "` `"]).into());
    }
    let otherwise = pick(numbers, &["", "", " : (`n`)", " : (`:`)"]);
    elements.insert(start, format!("({}){otherwise}?", inside.join(" ")));
}

/// A definition of an operation in one line, with a format that may or may not be one that can be read again.
fn definition(numbers: &mut Numbers, number: usize) -> String {
    // Where a trait makes all types alike, no type is the only one to fit: which of the two says the types, differs.
    let alike = numbers.below(3) == 0;
    let types: &[&str] = if alike { &["AnyType"] } else { &["AnyType", "I32", "F32"] };
    let values = |numbers: &mut Numbers, names: [&'static str; 2]| {
        let (mut declared, mut names_of, mut varying) = (Vec::new(), Vec::new(), 0);
        for name in names.into_iter().take(numbers.below(3)) {
            let ty = pick(numbers, types);
            let kind = pick(numbers, &["", "", "", "Optional", "Variadic"]);
            varying += usize::from(!kind.is_empty());
            declared.push(if kind.is_empty() { format!("{ty}:${name}") } else { format!("{kind}<{ty}>:${name}") });
            names_of.push(name);
        }
        (declared, names_of, varying > 1)
    };
    let mut members = Members::default();
    let (mut arguments, operands, segments) = values(numbers, ["a", "b"]);
    let (results, result_names, result_segments) = values(numbers, ["r", "s"]);
    (members.operands, members.results) = (operands, result_names);
    let mut traits: Vec<String> = Vec::new();
    if segments {
        traits.push("AttrSizedOperandSegments".into());
    }
    if result_segments {
        traits.push("AttrSizedResultSegments".into());
    }
    let names: Vec<_> = members.operands.iter().chain(&members.results).map(|name| format!("{name:?}")).collect();
    if alike && !members.operands.is_empty() {
        traits.push(match numbers.below(3) {
            0 => "SameTypeOperands".into(),
            1 if !members.results.is_empty() => "SameOperandsAndResultType".into(),
            2 if names.len() > 1 => format!("AllTypesMatch<[{}]>", names.join(", ")),
            _ => "DeclareOpInterfaceMethods<InferTypeOpInterface>".into(),
        });
    }
    let kinds =
        ["StrAttr", "AnyAttr", "I64Attr", "ArrayAttr", "OptionalAttr<StrAttr>", "OptionalAttr<AnyAttr>", "UnitAttr"];
    for name in ["p", "q"].into_iter().take(numbers.below(3)) {
        arguments.push(format!("{}:${name}", pick(numbers, &kinds)));
        members.attributes.push(name);
    }
    if numbers.below(4) == 0 {
        arguments.push(format!("{}:$z", pick(numbers, &["IntProp<\"int64_t\">", "UnitProp"])));
        members.properties.push("z");
    }
    let mut regions = Vec::new();
    for name in ["g", "h"].into_iter().take(numbers.below(6).saturating_sub(3)) {
        let last = name == "h" && numbers.below(2) == 0;
        regions.push(format!("{}:${name}", if last { "VariadicRegion<AnyRegion>" } else { "AnyRegion" }));
        members.regions.push(name);
    }
    let mut successors = Vec::new();
    if numbers.below(4) == 0 {
        let kind = pick(numbers, &["AnySuccessor", "VariadicSuccessor<AnySuccessor>"]);
        successors.push(format!("{kind}:$n"));
        members.successors.push("n");
    }
    let mut elements = elements(numbers, &members);
    match numbers.below(8) {
        0 => {
            let (one, other) = (numbers.below(elements.len()), numbers.below(elements.len()));
            elements.swap(one, other);
        }
        1 => {
            let again = numbers.of(&elements).expect("an element").clone();
            elements.push(again);
        }
        2 | 3 => group(numbers, &members, &mut elements),
        4 => {
            let text =
                pick(numbers, &["`a.b`", "`...`", "`1x`", "`%`", "`::`", "`a-b`", "`+`", "`|`", "ref($a)", "params"]);
            elements.insert(numbers.below(elements.len()), text.into());
        }
        _ => {}
    }
    format!(
        "def O{number} : Op<D, \"o{number}\", [{}]> {{ let arguments = (ins {}); let results = (outs {}); \
         let regions = (region {}); let successors = (successor {}); let assemblyFormat = [{{{}}}]; }}",
        join(&traits),
        join(&arguments),
        join(&results),
        join(&regions),
        join(&successors),
        elements.join(" ")
    )
}

/// What `mlir-tblgen` refuses, and why, by line of the file.
fn refused(file: &Path, include: &str) -> BTreeMap<usize, String> {
    let mut command = Command::new("mlir-tblgen-22");
    command.args(["-gen-op-defs", "-asmformat-error-is-fatal=false", "-o", "/dev/null", "-I", include]).arg(file);
    let output = command.output().expect("mlir-tblgen runs");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "{errors}");
    let (mut found, mut why) = (BTreeMap::new(), "");
    for line in errors.lines() {
        if let Some((_, message)) = line.split_once("error: ") {
            why = message;
        }
        if let Some((place, _)) = line.split_once(": note: in custom assembly format for this operation") {
            let number = place.split(':').nth(1).and_then(|line| line.parse().ok()).expect("the number of a line");
            found.insert(number, why.to_owned());
        }
    }
    found
}

/// How many definitions are tried.
const TRIED: usize = 3_000;

/// A file of definitions at random, one a line, and what TableGen makes of it.
struct Definitions {
    lines: Vec<String>,
    /// How many lines stand before them.
    header: usize,
    /// What `mlir-tblgen` refuses, and why, by line.
    refused: BTreeMap<usize, String>,
    /// What `llvm-tblgen` prints.
    json: Vec<u8>,
}

impl Definitions {
    /// Where TableGen or MLIR's definitions are not installed, says that `what` is skipped.
    fn make(what: &str, seed: u64) -> Option<Self> {
        let tools = ["mlir-tblgen-22", "llvm-tblgen-22", "llvm-config-22"];
        if !tools.iter().all(|program| tool(program, what)) {
            return None;
        }
        let include = Command::new("llvm-config-22").arg("--includedir").output().expect("llvm-config runs").stdout;
        let include = String::from_utf8(include).expect("text").trim().to_owned();
        if !Path::new(&include).join("mlir/IR/OpBase.td").exists() {
            mlirbc_testing::skipped(what, "MLIR's .td files are not installed");
            return None;
        }
        let mut numbers = Numbers(seed);
        let mut lines = vec![
            "include \"mlir/IR/OpBase.td\"".to_owned(),
            "include \"mlir/IR/Properties.td\"".to_owned(),
            "include \"mlir/Interfaces/InferTypeOpInterface.td\"".to_owned(),
            "def D : Dialect { let name = \"d\"; let cppNamespace = \"::d\"; }".to_owned(),
        ];
        let header = lines.len();
        lines.extend((0..TRIED).map(|number| definition(&mut numbers, number)));
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("formats.td");
        std::fs::write(&file, lines.join("\n")).expect("a file");
        let refused = refused(&file, &include);
        let json = Command::new("llvm-tblgen-22").args(["--dump-json", "-I", &include]).arg(&file).output();
        let json = json.expect("llvm-tblgen runs");
        assert!(json.status.success(), "{}", String::from_utf8_lossy(&json.stderr));
        Some(Definitions { lines, header, refused, json: json.stdout })
    }
}

#[test]
fn the_importer_refuses_the_formats_that_tablegen_refuses() {
    let Some(made) = Definitions::make("formats beside mlir-tblgen", 0x9e37_79b9_7f4a_7c15) else { return };
    let Definitions { lines, header, refused, json } = made;
    let (mut importer, mut left_out) = (Importer::new(), BTreeMap::new());
    let taken = importer.add(&json, &mut |error| {
        let text = error.to_string();
        let name = text.split("the assembly format of `O").nth(1).unwrap_or_else(|| panic!("{text}"));
        let number = name.split('`').next().and_then(|name| name.parse::<usize>().ok()).expect("a number");
        left_out.insert(number + header + 1, text);
    });
    assert_eq!(taken.expect("a document"), TRIED);
    let written = |op: &OpDef| matches!(op.syntax(), Syntax::Format(_));
    let table = importer.finish().expect("a table");
    assert_eq!(table.iter().filter(written).count(), TRIED - left_out.len());

    let unlike: Vec<String> = (header + 1..=lines.len())
        .filter(|line| refused.contains_key(line) != left_out.contains_key(line))
        .map(|line| {
            format!("{}\n  TableGen: {:?}\n  ours: {:?}", lines[line - 1], refused.get(&line), left_out.get(&line))
        })
        .collect();
    assert!(unlike.is_empty(), "{} of {TRIED}:\n{}", unlike.len(), unlike.join("\n"));
    assert!(refused.len() > TRIED / 4 && TRIED - refused.len() > TRIED / 4, "{} refused", refused.len());
}

/// The definition once more, made in Rust, with its format.
fn rebuild(op: &OpDef, format: &str) -> Result<OpDef> {
    let mut made = OpDef::builder(&op.name).traits(op.traits).format(format);
    for value in op.operands() {
        made = made.operands(&value.name, value.multiplicity.clone(), &value.constraint);
    }
    for value in op.results() {
        made = made.results(&value.name, value.multiplicity.clone(), &value.constraint);
    }
    for attribute in op.attributes() {
        made = match (attribute.constraint.storage.as_str(), attribute.optional) {
            ("UnitAttr", _) => made.unit_attribute(&attribute.name),
            (_, true) => made.optional_attribute(&attribute.name, &attribute.constraint),
            (_, false) => made.attribute(&attribute.name, &attribute.constraint),
        };
    }
    for native in op.natives() {
        made = made.native_definition(native.clone());
    }
    for region in op.regions() {
        made = match region.variadic {
            true => made.regions(&region.name, region.predicate.clone()),
            false => made.region(&region.name, region.predicate.clone()),
        };
    }
    for successor in op.successors() {
        made = if successor.variadic { made.successors(&successor.name) } else { made.successor(&successor.name) };
    }
    for rule in &op.details().rules {
        made = made.rule(rule.clone());
    }
    made.finish()
}

/// An operation of that definition in generic form, in a block of its own.
fn instance(numbers: &mut Numbers, op: &OpDef) -> String {
    let usual = pick(numbers, &["i8", "index", "vector<2xf32>", "!other.t<1>", "tuple<>"]);
    let alike = op.traits.contains(Traits::SAME_TYPE_OPERANDS)
        || op.traits.contains(Traits::SAME_OPERANDS_AND_RESULT_TYPE)
        || !op.details().rules.is_empty();
    let mut sizes = Vec::new();
    let mut types = |numbers: &mut Numbers, values: &[ValueDef]| {
        let (mut types, mut segments) = (Vec::new(), Vec::new());
        for value in values {
            let count = match value.multiplicity {
                Multiplicity::One => 1,
                Multiplicity::Optional => numbers.below(2),
                _ => numbers.below(4),
            };
            segments.push(count.to_string());
            for _ in 0..count {
                types.push(match value.constraint.name.as_str() {
                    "I32" => "i32",
                    "F32" => "f32",
                    _ if alike => usual,
                    _ => pick(numbers, &["i8", "index", "(i8) -> i8", "!other.t<1>", "none"]),
                });
            }
        }
        sizes.push(segments.join(", "));
        types
    };
    let operands = types(numbers, op.operands());
    let results = types(numbers, op.results());
    let mut properties = Vec::new();
    for attribute in op.attributes() {
        if attribute.optional && numbers.below(2) == 0 {
            continue;
        }
        let any = ["#other.q<1>", "\"a\"", "5 : i8", "[1, \"b\"]", "{c = 1}", "array<i32: 1>", "unit", "i32", "@s"];
        let value = match attribute.constraint.storage.as_str() {
            "StringAttr" => "\"text\"",
            "IntegerAttr" => "-5",
            "ArrayAttr" => pick(numbers, &["[]", "[1, #other.q<1>]"]),
            "UnitAttr" => "unit",
            _ => pick(numbers, &any),
        };
        properties.push(format!("{} = {value}", attribute.name));
    }
    for native in op.natives() {
        match native.native {
            Some(NativeProperty::Bool) if numbers.below(2) == 0 => properties.push(format!("{} = unit", native.name)),
            Some(NativeProperty::Integer { .. }) => properties.push(format!("{} = 7", native.name)),
            _ => {}
        }
    }
    for (segments, name, sizes) in [
        (Traits::OPERAND_SEGMENTS, "operandSegmentSizes", &sizes[0]),
        (Traits::RESULT_SEGMENTS, "resultSegmentSizes", &sizes[1]),
    ] {
        if op.traits.contains(segments) {
            properties.push(format!("{name} = array<i32: {sizes}>"));
        }
    }
    let mut regions = Vec::new();
    for region in op.regions() {
        for _ in 0..if region.variadic { numbers.below(3) } else { 1 } {
            regions.push(pick(
                numbers,
                &["{\n\"t.in\"() : () -> ()\n}", "{}", "{\n^bb0(%x: i8):\n\"t.in\"(%x) : (i8) -> ()\n}"],
            ));
        }
    }
    let mut successors = Vec::new();
    for successor in op.successors() {
        let count = if successor.variadic { numbers.below(3) } else { 1 };
        successors.extend((0..count).map(|_| pick(numbers, &["^bb1", "^bb2"])));
    }
    let list = |items: &[String], open: &str, close: &str| match items {
        [] => String::new(),
        items => format!("{open}{}{close}", items.join(", ")),
    };
    let owned = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
    let uses: Vec<String> = match operands.len() {
        1 => vec!["%v".to_owned()],
        count => (0..count).map(|at| format!("%v#{at}")).collect(),
    };
    let note = pick(numbers, &["", " {d.note = 1 : i8}", " {d.note, other.note = \"x\"}"]);
    let values = match operands.len() {
        0 => String::new(),
        count => format!("%v:{count} = \"t.values\"() : () -> ({})\n", operands.join(", ")),
    };
    let defines = if results.is_empty() { String::new() } else { format!("%r:{} = ", results.len()) };
    format!(
        "\"t.hold\"() ({{\n{values}{defines}\"{}\"({}){}{}{}{note} : ({}) -> ({})\n^bb1:\n\"t.end\"() : () -> ()\n\
         ^bb2:\n\"t.end\"() : () -> ()\n}}) : () -> ()",
        op.name,
        uses.join(", "),
        list(&owned(&successors), "[", "]"),
        list(&properties, " <{", "}>"),
        list(&owned(&regions), " (", ")"),
        operands.join(", "),
        results.join(", ")
    )
}

fn shown(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("text");
    String::from_utf8(text).expect("text")
}

#[test]
fn what_a_format_made_in_rust_writes_is_read_again() {
    let Some(made) = Definitions::make("formats made in Rust", 0x2545_f491_4f6c_dd1d) else { return };
    let mut importer = Importer::new();
    importer.add(&made.json, &mut |_| ()).expect("a document");
    let imported = importer.finish().expect("a table");
    let (mut ops, mut formats) = (Vec::new(), BTreeMap::new());
    for (number, line) in made.lines[made.header..].iter().enumerate() {
        let format = line.split("[{").nth(1).and_then(|rest| rest.split("}]").next()).expect("a format");
        let op = imported.get(&format!("d.o{number}")).expect("a definition");
        if let Ok(op) = rebuild(&op, format) {
            formats.insert(op.name.clone(), line);
            ops.push(op);
        }
    }
    let context = crate::definitions::context();
    context.register(Dialect::new("d").ops(OpTable::from_definitions(ops.clone()))).expect("registered once");
    let mut numbers = Numbers(7);
    let (mut custom, mut wrong) = (0, Vec::new());
    for op in &ops {
        for _ in 0..4 {
            let text = instance(&mut numbers, op);
            let module = parse_module(&context, text.as_bytes(), &ParseOptions::new());
            let module = module.unwrap_or_else(|error| panic!("{error}\n{text}"));
            let printed = shown(&module, false);
            custom += usize::from(!printed.contains("\"d.o"));
            let again = parse_module(&context, printed.as_bytes(), &ParseOptions::new());
            let again = again.map_or_else(|error| error.to_string(), |again| shown(&again, true));
            if again != shown(&module, true) {
                wrong.push(format!("{}\n{printed}\nreads back as\n{again}", formats[&op.name]));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), 4 * ops.len(), wrong.join("\n\n"));
    assert!(custom > ops.len(), "{custom} of {} in custom form", 4 * ops.len());
}

/// The definition of `mine.op` with two operands, a result, attributes, a region and a successor, as its format says.
fn built(format: &str, traits: Traits) -> Result<OpDef> {
    let (any, truth) = (TypeConstraint::any(), TypeConstraint::integer(1));
    OpDef::builder("mine.op")
        .traits(traits)
        .operand("a", &any)
        .operand("flag", &truth)
        .result("r", &any)
        .format(format)
        .finish()
}

#[test]
fn a_format_that_cannot_be_read_again_is_refused() {
    let none = Traits::NONE;
    let wrong = [
        ("$a attr-dict", none, "operand `flag` is missing: `$flag` writes it"),
        (
            "$a $flag attr-dict",
            none,
            "the type of operand `a` is missing and follows from nothing: `type($a)` writes it",
        ),
        (
            "$a $flag attr-dict `:` type($a)",
            none,
            "the type of result `r` is missing and follows from nothing: `type($r)` writes it",
        ),
        // No code is asked what the types of results are.
        (
            "$a $flag attr-dict `:` type($a)",
            Traits::INFERS_RESULT_TYPES,
            "the type of result `r` is missing and follows from nothing: `type($r)` writes it",
        ),
        ("operands `:` type(operands) `->` type(results)", none, "`attr-dict` is missing"),
        ("operands attr-dict `:` type(operands) `->` type($r) $r", none, "of results only the types can be written"),
        ("$a $a $flag attr-dict `:` type($a) type($r)", none, "operand `a` comes twice"),
        (
            "($a^)? $flag attr-dict `:` type($a) type($r)",
            none,
            "`a` is always there, and cannot be the anchor of a group",
        ),
        (
            "operands attr-dict `::` functional-type(operands, results)",
            none,
            "`::` is no keyword and none of the punctuation",
        ),
    ];
    for (format, traits, message) in wrong {
        let error = built(format, traits).expect_err(format);
        assert_eq!(error.kind(), ErrorKind::Malformed, "{format}");
        let text = error.to_string();
        assert!(text.starts_with(message) && text.ends_with("reading the format of `mine.op`"), "{format}: {text}");
    }
    for (format, traits) in [
        ("$a `,` $flag attr-dict `:` type($a) `->` type($r)", none),
        ("operands attr-dict `:` functional-type(operands, results)", none),
        ("$a `,` $flag attr-dict `:` type($a)", Traits::SAME_OPERANDS_AND_RESULT_TYPE),
    ] {
        built(format, traits).expect(format);
    }
    let region = |format: &str| OpDef::builder("mine.op").region("body", Default::default()).format(format).finish();
    assert!(region("attr-dict").is_err() && region("attr-dict $body").is_err() && region("attr-dict regions").is_err());
    assert!(region("attr-dict-with-keyword $body").is_ok() && region("$body attr-dict").is_ok());
    let successor = |format: &str| OpDef::builder("mine.op").successor("next").format(format).finish();
    assert!(successor("attr-dict").is_err() && successor("$next attr-dict").is_ok());
}
