//! A dialect that is not upstream's: from the JSON that TableGen prints, and from Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use mlirbc_ir::ods::{
    Accessor, AttributeConstraint, CppClasses, Multiplicity, NativeDef, NativeProperty, OpDef, OpTable, ParameterKind,
    Predicate, PropertyKind, Relation, Syntax, Term, TermClass, Test, Traits, TypeConstraint,
};

use mlirbc_ir::tablegen::Importer;
use mlirbc_ir::{Dialect, ErrorKind, Signedness};
use mlirbc_testing::{skipped, tool};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/ods").join(name)
}

fn json() -> Vec<u8> {
    std::fs::read(fixture("toy.json")).expect("the fixture")
}

fn toy() -> OpTable {
    OpTable::from_json(&json()).expect("a dialect")
}

fn op(name: &str) -> OpDef {
    toy().get(name).unwrap_or_else(|| panic!("{name} is defined"))
}

#[test]
fn every_kind_of_property_has_its_place() {
    let layout = |name: &str| -> Vec<String> {
        op(name).properties.iter().map(|property| format!("{} {:?}", property.name, property.kind)).collect()
    };
    assert_eq!(
        layout("toy.settings"),
        [
            "Ratio Optional",
            "colour Optional",
            "count Required",
            "label Optional",
            "level Optional",
            "name Required",
            "order Required",
            "quiet Optional",
            "range Optional",
            "shape Optional",
            "users Optional",
            "width Required",
        ]
    );
    assert_eq!(
        layout("toy.native"),
        [
            "attribute Required",
            "wide Native(Integer { width: 64, signed: true })",
            "narrow Native(Integer { width: 8, signed: true })",
            "positive Native(Integer { width: 32, signed: false })",
            "truth Native(Boolean)",
            "unit Native(Bool)",
            "text Native(String)",
            "numbers Native(Array(Integer { width: 64, signed: true }))",
            "smaller Native(Array(Integer { width: 32, signed: true }))",
            "maybe Native(OptionalOf(Integer { width: 64, signed: true }))",
            "words Native(Array(String))",
            "flags Native(Integer { width: 32, signed: false })",
            "named Native(Integer { width: 32, signed: false })",
            "defaulted Native(Integer { width: 32, signed: false })",
            "nine Native(Integer { width: 64, signed: true })",
        ]
    );
    assert_eq!(
        layout("toy.segments"),
        [
            "group_sizes Required",
            "last Required",
            "operandSegmentSizes OperandSegments(4)",
            "resultSegmentSizes ResultSegments(2)",
        ]
    );
    assert!(op("toy.odd").traits.contains(Traits::OPAQUE_PROPERTIES));
}

#[test]
fn structure_is_known() {
    let module = op("toy.module");
    let traits = Traits::ISOLATED_FROM_ABOVE | Traits::SYMBOL_TABLE | Traits::SYMBOL | Traits::NO_TERMINATOR;
    assert!(module.traits.contains(traits | Traits::SINGLE_BLOCK | Traits::ONLY_GRAPH_REGION));
    assert_eq!(op("toy.loop").implicit_terminator.as_deref(), Some("toy.yield"));
    assert_eq!(op("toy.yield").parents, ["toy.loop", "toy.module"]);
    let regions: Vec<_> =
        op("toy.loop").regions().iter().map(|region| (region.name.clone(), region.variadic)).collect();
    assert_eq!(regions, [("before".into(), false), ("after".into(), false), ("others".into(), true)]);
    let blocks = Term::Get(Box::new(Term::This), Accessor::Size);
    let at_most_two = Predicate::Compare(blocks, Relation::LessOrEqual, Term::Integer(2));
    assert_eq!(op("toy.loop").regions()[1].predicate, at_most_two);
    assert_eq!(op("toy.loop").syntax(), &Syntax::Custom);
    assert_eq!(op("toy.segments").syntax(), &Syntax::Generic);

    let segments = op("toy.segments");
    let groups = |segments_of: &[i32]| segments.operand_ranges(6, Some(segments_of));
    assert_eq!(groups(&[1, 0, 3, 2]), Some(vec![0..1, 1..1, 1..4, 4..6]));
    assert_eq!(groups(&[1, 2, 1, 2]), None, "an optional operand is there at most once");
    assert_eq!(segments.operands()[3].multiplicity, Multiplicity::Groups("group_sizes".into()));
    let pairs = op("toy.pairs");
    assert_eq!(pairs.operand_ranges(5, None), Some(vec![0..2, 2..3, 3..5]));
    assert_eq!(pairs.operand_ranges(4, None), None);
}

#[test]
fn attributes_types_and_enums_are_known() {
    let table = toy();
    let flags = table.enumeration("toy::Flags").expect("an enum");
    assert_eq!(flags.bits.as_ref().map(|bits| bits.separator.as_str()), Some(" | "));
    assert_eq!(flags.case("both").map(|case| (case.value, case.group)), Some((3, true)));
    assert_eq!(
        table.enumeration("toy::Colour").and_then(|colours| colours.case("dark-blue").cloned()).map(|case| case.value),
        Some(7)
    );
    let range = table.attribute_definition("toy.range").expect("an attribute");
    let kinds: Vec<_> = range.parameters.iter().map(|parameter| (parameter.kind.clone(), parameter.optional)).collect();
    let number = || ParameterKind::Integer { width: 64, signed: true };
    let marks = ParameterKind::Array(Box::new(ParameterKind::Attribute(String::new())));
    assert_eq!(kinds, [(number(), false), (ParameterKind::Optional(Box::new(number())), true), (marks, true)]);
    let held = table.type_definition("toy.box").expect("a type");
    assert_eq!(held.traits, ["ValueSemantics"]);
    assert_eq!(held.parameters[1].default, Some(Term::Integer(1)));
    // What the result of `toy.unbox` is, is read from the box.
    let content = Term::Get(
        Box::new(Term::Get(Box::new(Term::Member("box".into())), Accessor::Type)),
        Accessor::Parameter("content".into()),
    );
    let result = Term::Get(Box::new(Term::Member("content".into())), Accessor::Type);
    assert_eq!(op("toy.unbox").details().rules, [Predicate::Compare(content, Relation::Equal, result)]);
    let coverage = table.coverage();
    assert_eq!((coverage.operations, coverage.uses - coverage.understood), (12, 1));
    assert_eq!(coverage.unknown[0].operations, ["toy.odd"]);
}

#[test]
fn rust_and_tablegen_define_the_same() {
    let signless = |width| TermClass::Integer { signedness: Some(Signedness::Signless), width: Some(width) };
    let is = |class| Predicate::is(class);
    let numbers = TypeConstraint::new(
        "",
        Predicate::Any(vec![
            is(signless(32)),
            is(TermClass::Float(Some(mlirbc_ir::number::FloatKind::F32))),
            is(TermClass::DialectType("toy.box".into())),
        ]),
    );
    let add = OpDef::builder("toy.add")
        .traits(Traits::COMMUTATIVE | Traits::SAME_OPERANDS_AND_RESULT_TYPE | Traits::ALWAYS_SPECULATABLE)
        .interface("ConditionallySpeculatable")
        .interface("NoMemoryEffect")
        .operand("lhs", &numbers)
        .operand("rhs", &numbers)
        .result("sum", &numbers)
        .format("$lhs `,` $rhs attr-dict `:` type($sum)")
        .finish()
        .expect("a definition");
    assert_eq!(add, op("toy.add"));

    let single = |relation, count| {
        Predicate::Compare(Term::Get(Box::new(Term::This), Accessor::Size), relation, Term::Integer(count))
    };
    let looped = OpDef::builder("toy.loop")
        .implicit_terminator("toy.yield")
        .traits(Traits::RECURSIVE_MEMORY_EFFECTS)
        .operands("inits", Multiplicity::Variadic, &TypeConstraint::any())
        .results("results", Multiplicity::Variadic, &TypeConstraint::any())
        .region("before", single(Relation::Equal, 1))
        .region("after", single(Relation::LessOrEqual, 2))
        .regions("others", Predicate::Always)
        .custom_syntax()
        .finish()
        .expect("a definition");
    assert_eq!(looped, op("toy.loop"));

    let branch = OpDef::builder("toy.branch")
        .traits(Traits::TERMINATOR)
        .operand("condition", &TypeConstraint::integer(1))
        .successor("next")
        .successors("others")
        .format("$condition `,` $next `[` $others `]` attr-dict")
        .finish()
        .expect("a definition");
    assert_eq!(branch, op("toy.branch"));

    let module = OpDef::builder("toy.module")
        .traits(Traits::ISOLATED_FROM_ABOVE | Traits::SYMBOL_TABLE | Traits::SYMBOL | Traits::NO_TERMINATOR)
        .traits(Traits::SINGLE_BLOCK | Traits::NO_REGION_ARGUMENTS | Traits::ONLY_GRAPH_REGION)
        .interface("SymbolOpInterface")
        .attribute("sym_name", &AttributeConstraint::symbol_name())
        .region("body", single(Relation::Equal, 1))
        .format("$sym_name attr-dict-with-keyword $body")
        .finish()
        .expect("a definition");
    assert_eq!(module, op("toy.module"));

    let native = op("toy.native");
    let bits = Term::Arithmetic(Box::new(Term::This), mlirbc_ir::ods::Operator::And, Box::new(Term::Integer(-4)));
    let flags = |name: &str, keyword: Option<&str>, default: Option<&str>| NativeDef {
        name: name.into(),
        native: Some(NativeProperty::Integer { width: 32, signed: false }),
        predicate: Predicate::Compare(bits.clone(), Relation::Equal, Term::Integer(0)),
        enumeration: Some("toy::Flags".into()),
        keyword: keyword.map(str::to_owned),
        default: default.map(|case| Term::Enumerant { enumeration: "toy::Flags".into(), case: case.into() }),
    };
    let integer = |width, signed| NativeProperty::Integer { width, signed };
    let nine = native.natives().last().cloned().expect("a property");
    let built = OpDef::builder("toy.native")
        .native("wide", integer(64, true))
        .native("narrow", integer(8, true))
        .native("positive", integer(32, false))
        .native("truth", NativeProperty::Boolean)
        .native("unit", NativeProperty::Bool)
        .native("text", NativeProperty::String)
        .attribute("attribute", &AttributeConstraint::string())
        .native("numbers", NativeProperty::Array(Box::new(integer(64, true))))
        .native("smaller", NativeProperty::Array(Box::new(integer(32, true))))
        .native("maybe", NativeProperty::OptionalOf(Box::new(integer(64, true))))
        .native("words", NativeProperty::Array(Box::new(NativeProperty::String)))
        .native_definition(flags("flags", None, None))
        .native_definition(flags("named", Some("mode"), None))
        .native_definition(flags("defaulted", None, Some("fast")))
        .native_definition(nine)
        .format("(`unit` $unit^)? $named prop-dict attr-dict")
        .finish()
        .expect("a definition");
    assert_eq!(built, native);

    // A table of what Rust defined gives back the same.
    let ops = [add, looped, branch, module, built];
    let table = OpTable::from_bytes(OpTable::from_definitions(ops.clone()).to_bytes()).expect("a table");
    for op in ops {
        assert_eq!(table.get(&op.name), Some(op));
    }
}

#[test]
fn wrong_definitions_in_rust_are_errors() {
    let any = TypeConstraint::any();
    let kind = |result: Result<OpDef, mlirbc_ir::Error>| result.map_err(|error| error.kind()).err();
    assert_eq!(kind(OpDef::builder("toy").finish()), Some(ErrorKind::Misuse));
    assert_eq!(kind(OpDef::builder("toy.a").operand("x", &any).result("x", &any).finish()), Some(ErrorKind::Misuse));
    assert_eq!(kind(OpDef::builder("toy.a").format("$x").finish()), Some(ErrorKind::Malformed));
    let error = OpDef::builder("toy.a").format("`:` $x").finish().expect_err("an error").to_string();
    assert_eq!(error, "in an assembly format, nothing is called `$x` before `x`, reading the format of `toy.a`");
}

#[test]
fn a_context_knows_a_registered_dialect() {
    let context = crate::definitions::context();
    assert!(context.find_definition(b"toy.add").is_none());
    context.register(Dialect::new("toy").ops(toy())).expect("registered once");
    let name = context.operation_name("toy.settings", true);
    let definition = context.definition(name).expect("defined");
    assert_eq!(definition.properties[0].kind, PropertyKind::Optional);
    assert!(context.definition(context.operation_name("arith.addi", true)).is_some());
    assert!(context.definition(context.operation_name("toy.settings", false)).is_none());
}

/// The committed JSON, and the whole of what TableGen prints, against each other.
#[test]
fn the_fixtures_are_what_tablegen_prints() {
    const SKIPPED: &str = "toy.json and gpu.json were not compared with what TableGen prints";
    let include = Command::new("llvm-config-22").arg("--includedir").output();
    let Ok(include) = include.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()) else {
        skipped(SKIPPED, "llvm-config-22 is not installed");
        return;
    };
    let gpu = Path::new(&include).join("mlir/Dialect/GPU/IR/GPUOps.td");
    if !gpu.exists() {
        skipped(SKIPPED, "MLIR's .td files are not installed");
        return;
    }
    if !tool("llvm-tblgen-22", SKIPPED) {
        return;
    }
    let printed = |path: &Path| {
        let printed = Command::new("llvm-tblgen-22").args(["--dump-json", "-I", &include]).arg(path).output();
        printed.expect("it runs").stdout
    };
    let table = |json: &[u8]| OpTable::from_json(json).expect("a dialect");
    assert!(table(&printed(&fixture("toy.td"))).to_bytes() == toy().to_bytes(), "run fixtures/ods/make.sh");
    let (json, kept) = (printed(&gpu), std::fs::read(fixture("gpu.json")).expect("the fixture"));
    let whole = table(&json);
    for op in OpTable::from_json(&kept).expect("some operations").iter() {
        assert_eq!(whole.get(&op.name), Some(op), "run fixtures/ods/make.sh");
    }
    // How many operations code checks, read off the records.
    let records: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&json).expect("JSON");
    let says = |record: &serde_json::Value| ["hasVerifier", "hasRegionVerifier"].iter().any(|bit| record[bit] == 1);
    let verified = records.values().filter(|record| record["opDialect"].is_object() && says(record)).count();
    assert!(verified > 5 && whole.coverage().verified == verified, "{verified} operations of gpu");
}

#[test]
fn wrong_json_is_an_error_and_never_a_panic() {
    let json = json();
    for length in (0..json.len()).step_by(997) {
        assert!(OpTable::from_json(&json[..length]).is_err(), "{length} of {} bytes", json.len());
    }
    for text in
        ["", "[]", "{}", "0", "{\"!instanceof\":{\"Op\":[\"A\"]}}", "{\"!instanceof\":{\"Op\":[\"A\"]},\"A\":{}}"]
    {
        assert_eq!(
            OpTable::from_json(text.as_bytes()).map_err(|error| error.kind()).err(),
            Some(ErrorKind::Malformed),
            "{text}"
        );
    }
    let deep = [b"{\"a\":".repeat(100_000), b"1".to_vec(), b"}".repeat(100_000)].concat();
    assert!(OpTable::from_json(&deep).is_err());
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    for _ in 0..300 {
        let mut bytes = json.clone();
        for _ in 0..=next() % 8 {
            let at = next() % bytes.len();
            bytes[at] = next() as u8;
        }
        if let Ok(table) = OpTable::from_json(&bytes) {
            table.coverage();
        }
    }
    // Every reference in turn leads to another record: cycles, and records of the wrong class.
    let text = String::from_utf8(json).expect("text");
    let names: Vec<&str> =
        text.match_indices("\"def\":\"").map(|(at, _)| text[at + 7..].split('"').next().unwrap_or("")).collect();
    for _ in 0..300 {
        let (from, to) = (names[next() % names.len()], names[next() % names.len()]);
        let changed = text.replacen(&format!("\"def\":\"{from}\""), &format!("\"def\":\"{to}\""), 1 + next() % 3);
        if let Ok(table) = OpTable::from_json(changed.as_bytes()) {
            table.coverage();
        }
    }
}

/// What an import of that JSON makes, and what it says is left out.
fn import(json: &serde_json::Value) -> (OpTable, Vec<String>) {
    let (mut importer, mut left_out) = (Importer::new(), Vec::new());
    let json = serde_json::to_vec(json).expect("JSON");
    importer.add(&json, &mut |error| left_out.push(error.to_string())).expect("a document");
    (importer.finish().expect("a table"), left_out)
}

#[test]
fn one_bad_definition_is_left_out_by_name_and_the_rest_is_imported() {
    let document: serde_json::Value = serde_json::from_slice(&json()).expect("JSON");
    let (whole, left_out) = import(&document);
    assert_eq!(left_out, [] as [&str; 0]);
    let parts = |table: &OpTable| {
        let parts = table.to_definitions();
        [parts.ops.len(), parts.attributes.len(), parts.types.len(), parts.enums.len()]
    };
    let mut tried = 0;
    for (class, field, at) in
        [("Op", "opName", 0), ("AttrDef", "dialect", 1), ("TypeDef", "dialect", 2), ("EnumInfo", "enumerants", 3)]
    {
        let names = document["!instanceof"][class].as_array().expect("a list").clone();
        for name in names.iter().map(|name| name.as_str().expect("a name")) {
            let mut broken = document.clone();
            broken[name][field] = 5.into();
            let (table, left_out) = import(&broken);
            let what = if class == "EnumInfo" { "the enum" } else { "the definition of" };
            // What else is built on it can be left out too, and is named.
            assert!(left_out.iter().any(|text| text.ends_with(&format!("{what} `{name}`, left out"))), "{left_out:?}");
            let mut wanted = parts(&whole);
            wanted[at] -= 1;
            assert_eq!(parts(&table), wanted, "{name}: {left_out:?}");
            tried += 1;
            // Without its format an operation is what it was, but for the way that it is written.
            if document[name]["assemblyFormat"].is_string() {
                let mut broken = document.clone();
                broken[name]["assemblyFormat"] = "$missing attr-dict".into();
                let (table, left_out) = import(&broken);
                assert_eq!(left_out.len(), 1, "{left_out:?}");
                assert!(left_out[0].ends_with(&format!("the assembly format of `{name}`, left out")), "{left_out:?}");
                assert_eq!(parts(&table), parts(&whole), "{name}");
                let unlike = whole.iter().zip(table.iter()).filter(|(a, b)| a != b);
                let unlike: Vec<_> = unlike.map(|(a, b)| (a.properties == b.properties, b.syntax().clone())).collect();
                let wanted = if class == "Op" { vec![(true, Syntax::Custom)] } else { vec![] };
                assert_eq!(unlike, wanted, "{name}");
            }
        }
    }
    assert!(tried >= 20, "{tried} definitions");
    let strict = |json: &serde_json::Value| OpTable::from_json(&serde_json::to_vec(json).expect("JSON"));
    let mut broken = document;
    broken["Toy_AddOp"]["opName"] = 5.into();
    let error = strict(&broken).expect_err("a definition is left out").to_string();
    assert_eq!(error, "field `opName` is no text, reading the definition of `Toy_AddOp`, left out");
}

#[test]
fn predicates_that_nest_or_grow_without_end_are_unknown() {
    // A predicate that is its own part, one of 2^40 parts, and one whose text doubles at each of 40 steps.
    let mut records = vec![
        r#""D":{"!superclasses":["Dialect"],"name":"d","cppNamespace":"::d"}"#.to_owned(),
        r#""!instanceof":{"Op":["O"],"Dialect":["D"]}"#.to_owned(),
        r#""loop":{"!superclasses":["Pred"],"kind":{"def":"PredCombinerNot"},"children":[{"def":"loop"}]}"#.to_owned(),
        r#""wide0":{"!superclasses":["Pred"],"predExpr":"$_self"}"#.to_owned(),
        r#""long0":{"!superclasses":["Pred"],"predExpr":"$_self"}"#.to_owned(),
    ];
    for step in 0..40 {
        let inner = step;
        let outer = step + 1;
        records.push(format!(r#""wide{outer}":{{"kind":{{"def":"PredCombinerAnd"}},"children":[{{"def":"wide{inner}"}},{{"def":"wide{inner}"}}]}}"#));
        records.push(format!(r#""long{outer}":{{"kind":{{"def":"PredCombinerSubstLeaves"}},"pattern":"$_self","replacement":"$_self$_self","children":[{{"def":"long{inner}"}}]}}"#));
    }
    let mut arguments = Vec::new();
    for name in ["loop", "wide40", "long40"] {
        records.push(format!(
            r#""C{name}":{{"!name":"C{name}","!superclasses":["TypeConstraint"],"predicate":{{"def":"{name}"}}}}"#
        ));
        arguments.push(format!(r#"[{{"def":"C{name}"}},"{name}"]"#));
    }
    let none = r#"{"args":[]}"#;
    let arguments = arguments.join(",");
    records.push(format!(
        r#""O":{{"!name":"O","!superclasses":["Op"],"opDialect":{{"def":"D"}},"opName":"o","arguments":{{"args":[{arguments}]}},"results":{none},"regions":{none},"successors":{none},"traits":[]}}"#
    ));
    let json = format!("{{{}}}", records.join(","));
    let table = OpTable::from_json(json.as_bytes()).expect("a dialect");
    let op = table.get("d.o").expect("an operation");
    for operand in op.operands() {
        assert!(!operand.constraint.predicate.unknown().is_empty(), "{}", operand.name);
    }
}

#[test]
fn a_dialect_says_what_classes_without_records_stand_for() {
    let check = |name: &str, code: &str| {
        format!(
            r#""P{name}":{{"!name":"P{name}","!superclasses":["Pred","CPred"],"predExpr":"{code}"}},
               "C{name}":{{"!name":"C{name}","!superclasses":["TypeConstraint"],"predicate":{{"def":"P{name}"}}}}"#
        )
    };
    let names = ["list", "any", "element", "test"];
    let code = [
        "::llvm::isa<::mlir::other::ListType>($_self)",
        "::llvm::isa<::mlir::other::OtherType>($_self)",
        "::llvm::cast<::mlir::other::ListType>($_self).getInner().isSignlessInteger(8)",
        "isOtherTable($_self)",
    ];
    let checks: Vec<String> = names.iter().zip(code).map(|(name, code)| check(name, code)).collect();
    let arguments: Vec<String> = names.iter().map(|name| format!(r#"[{{"def":"C{name}"}},"{name}"]"#)).collect();
    let none = r#"{"args":[]}"#;
    let json = format!(
        r#"{{"!instanceof":{{"Op":["O"],"Dialect":["D"],"TypeConstraint":[]}},
            "D":{{"!name":"D","!superclasses":["Dialect"],"name":"d","cppNamespace":"::mlir::d"}},{},
            "O":{{"!name":"O","!superclasses":["Op"],"opDialect":{{"def":"D"}},"opName":"o","arguments":{{"args":[{}]}},
                "results":{none},"regions":{none},"successors":{none},"traits":[]}}}}"#,
        checks.join(","),
        arguments.join(",")
    );
    let import = |importer: Importer| {
        let (mut importer, mut left_out) = (importer, Vec::new());
        importer.add(json.as_bytes(), &mut |error| left_out.push(error.to_string())).expect("a document");
        assert_eq!(left_out, [] as [&str; 0]);
        importer.finish().expect("a table").get("d.o").expect("an operation")
    };
    let bare = import(Importer::new());
    for operand in bare.operands() {
        assert!(!operand.constraint.predicate.unknown().is_empty(), "{}", operand.name);
    }
    let classes = CppClasses::new()
        .ty("other::ListType", "list")
        .any_type("other::OtherType")
        .operation_test("isOtherTable", Test::IsSymbolTable)
        .parameter("list", "getInner", "element");
    let other = Dialect::new("other").extension(classes);
    let told = import(Importer::new().knows(&other));
    let said: Vec<String> = told.operands().iter().map(|of| of.constraint.predicate.to_string()).collect();
    let element = "the element of it is a signless integer of 8 bits";
    assert_eq!(said, ["!other.list", "a type of `other`", element, "is a symbol table"]);
    let context = crate::definitions::context();
    context.register(other).expect("registered");
    let knows_all = import(Importer::new().knows_all(&context));
    assert_eq!(knows_all.operands()[0].constraint.predicate, told.operands()[0].constraint.predicate);
}
