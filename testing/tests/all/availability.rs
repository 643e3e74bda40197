//! What each operation of `spirv` is available with, with each enumerant that it can hold, beside mlir-opt.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use mlirbc_ir::ods::{Multiplicity, OpDef, Traits};
use mlirbc_ir::{OpRef, Result};
use mlirbc_spirv::dialect::{EnumKind, definitions};
use mlirbc_spirv::target::{Depth, Need, of_operation, post_order};
use mlirbc_text::{ParseOptions, parse_module};

/// The operation once with the first case of every enum that it names, once without those that it need not have, and once with each
/// other case. Its operands are integers.
fn forms(definition: &OpDef) -> Vec<String> {
    let kind = |name: &str| EnumKind::ALL.iter().find(|kind| format!("spirv::{}", kind.upstream()) == name);
    let enums: Vec<_> = definition
        .attributes()
        .iter()
        .filter_map(|attribute| {
            let name = attribute.constraint.enumeration.as_deref()?;
            let cases = definitions().enumeration(name)?.cases;
            let needed = !attribute.optional && attribute.default.is_none();
            Some((attribute.name.clone(), kind(name)?.mnemonic(), cases, needed))
        })
        .collect();
    let mut chosen = vec![enums.iter().map(|_| Some(0)).collect::<Vec<_>>()];
    // Code reads the format of integers without a look whether there is one.
    if !definition.name.contains("Dot") {
        chosen.push(enums.iter().map(|it| it.3.then_some(0)).collect());
    }
    for (at, (_, _, cases, _)) in enums.iter().enumerate() {
        for case in 1..cases.len() {
            let mut others = chosen[0].clone();
            others[at] = Some(case);
            chosen.push(others);
        }
    }
    let operands: Vec<_> = definition.operands().iter().filter(|it| it.multiplicity == Multiplicity::One).collect();
    let one_each = |trait_: Traits, name: &str, counts: Vec<usize>| {
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        definition.traits.contains(trait_).then(|| format!("{name} = array<i32: {}>", counts.join(", ")))
    };
    let counts = definition.operands().iter().map(|it| usize::from(it.multiplicity == Multiplicity::One)).collect();
    let segments = one_each(Traits::OPERAND_SEGMENTS, "operandSegmentSizes", counts);
    let results = definition.results().iter().filter(|it| it.multiplicity == Multiplicity::One).count();
    let regions = vec!["{}"; definition.regions().len()].join(", ");
    let form = |chosen: &Vec<Option<usize>>| {
        let cases = enums.iter().zip(chosen).filter_map(|((name, mnemonic, cases, _), case)| {
            Some(format!("{name} = #spirv.{mnemonic}<{}>", cases[(*case)?].text))
        });
        // Functions are asked for their names.
        let symbol = definition.traits.contains(Traits::SYMBOL).then(|| "sym_name = \"x\"".to_owned());
        let properties: Vec<String> = cases.chain(segments.clone()).chain(symbol).collect();
        format!(
            "{}\"{}\"({}) {} {} : ({}) -> ({})",
            if results > 0 { format!("%r:{results} = ") } else { String::new() },
            definition.name,
            vec!["%v"; operands.len()].join(", "),
            if properties.is_empty() { String::new() } else { format!("<{{{}}}>", properties.join(", ")) },
            if regions.is_empty() { String::new() } else { format!("({regions})") },
            vec!["i32"; operands.len()].join(", "),
            vec!["i32"; results].join(", "),
        )
    };
    chosen.iter().map(form).collect()
}

/// As mlir-opt shows it.
fn lines(op: OpRef<'_>, out: &mut String) -> Result<()> {
    let name = op.name();
    let (mut least, mut most, mut extensions, mut capabilities) = (None, None, String::new(), String::new());
    of_operation(op, Depth::Operation, &mut |need| match need {
        Need::Least(version) => least = least.max(Some(version)),
        Need::Most(version) => most = Some(most.map_or(version, |most: u32| most.min(version))),
        // What MLIR's interfaces say has versions alone.
        Need::Since(..) => {}
        Need::Extension(names) => extensions += &format!(" [{}]", names.join(", ")),
        Need::Capability(list) => {
            let names: Vec<_> = list.iter().map(|&it| EnumKind::Capability.show(it)).collect();
            capabilities += &format!(" [{}]", names.join(", "));
        }
    })?;
    let version = |version: Option<u32>| version.map_or("None".to_owned(), |minor| format!("v1.{minor}"));
    let _ = writeln!(out, "{name} min version: {}\n{name} max version: {}", version(least), version(most));
    let _ = writeln!(out, "{name} extensions: [{extensions} ]\n{name} capabilities: [{capabilities} ]");
    Ok(())
}

#[test]
fn operations_are_available_with_what_mlir_says() {
    if !mlirbc_testing::tool("mlir-opt-22", "what operations are available with") {
        return;
    }
    let mut bodies: Vec<String> = definitions().iter().flat_map(|definition| forms(&definition)).collect();
    assert!(bodies.len() > 1_000, "{}", bodies.len());
    let value = |ty: &str| format!("%w = \"test.value\"() : () -> {ty}\n  ");
    for (ty, result) in [("vector<3xbf16>", "bf16"), ("vector<3xf16>", "f16")] {
        bodies.push(value(ty) + &format!("%r = \"spirv.Dot\"(%w, %w) : ({ty}, {ty}) -> {result}"));
    }
    for ty in ["vector<4xi8>", "vector<2xi8>", "vector<4xi16>"] {
        for name in ["SDot", "UDot", "SUDot"] {
            bodies.push(value(ty) + &format!("%r = \"spirv.{name}\"(%w, %w) : ({ty}, {ty}) -> i32"));
        }
    }
    let mut text = String::new();
    for (number, body) in bodies.iter().enumerate() {
        let _ = writeln!(
            text,
            "\"func.func\"() <{{sym_name = \"f{number}\", function_type = () -> ()}}> ({{\n  \
             %v = \"test.value\"() : () -> i32\n  {body}\n  \"func.return\"() : () -> ()\n}}) : () -> ()"
        );
    }
    let mut command = Command::new("mlir-opt-22");
    command.args(["--allow-unregistered-dialect", "--mlir-very-unsafe-disable-verifier-on-parsing", "--verify-each=0"]);
    command.args(["--test-spirv-op-availability", "-o", "/dev/null", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("mlir-opt-22 starts");
    let (mut input, given) = (child.stdin.take().expect("its input"), text.clone());
    let writer = std::thread::spawn(move || input.write_all(given.as_bytes()));
    let output = child.wait_with_output().expect("mlir-opt-22 ends");
    writer.join().expect("no panic").expect("mlir-opt-22 reads it all");
    let theirs = String::from_utf8(output.stdout).expect("text");

    let context = mlirbc_testing::context();
    mlirbc_spirv::register(&context).expect("registered once");
    let module = parse_module(&context, text.as_bytes(), &ParseOptions::new()).expect("well-formed");
    let mut ours = String::new();
    for function in module.operations().expect("a body").flat_map(|op| op.walk().expect("bodies")) {
        if !function.is("func.func") {
            continue;
        }
        let name = function.symbol_name().expect("a name").expect("a name");
        let _ = writeln!(ours, "{}", context.text(name));
        let show = |op: OpRef<'_>| if op.name().starts_with("spirv.") { lines(op, &mut ours) } else { Ok(()) };
        post_order(function, show).expect("well-formed");
    }
    let mut function = "";
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        function = if ours.starts_with('f') { ours } else { function };
        let body = || function[1..].parse::<usize>().map(|number| &bodies[number]);
        assert_eq!(ours, theirs, "{function}: {:?}", body());
    }
    assert_eq!(ours.lines().count(), theirs.lines().count());
    println!("{} forms of {} operations", bodies.len(), definitions().len());
}
