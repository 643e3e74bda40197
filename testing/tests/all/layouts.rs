//! Members of operations by release: files of other releases of MLIR, and for them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::definitions::upstream;
use mlirbc_bytecode::{UnknownKind, WriteOptions, decode_all, read, unknown_parts, write, write_with_losses};
use mlirbc_ir::ods::{Multiplicity, OpDef, OpTable, Predicate, Release, TypeConstraint, UndefinedOp};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{Context, Module};
use mlirbc_testing::{fixture, iree_opt};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// Files that a release wrote of every operation that it has, with all members and with as few as it takes; how many
/// operations there are in each.
const FILES: [(&str, usize, usize); 4] = [
    ("mlir20.iree-base-compiler.mlirbc", 1795, 3590),
    ("mlir23.iree-base-compiler.mlirbc", 1462, 2924),
    ("mlir23.jaxlib.mlirbc", 894, 1788),
    ("mlir24.iree-base-compiler.mlirbc", 2492, 4984),
];

fn path(name: &str) -> PathBuf {
    fixture("operations").join(name)
}

fn open(context: &Context, bytes: Vec<u8>) -> Module {
    let module = read(context, bytes).expect("bytecode");
    decode_all(&module).expect("all of it");
    module
}

fn parse(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).expect("text")
}

fn text(module: &Module, options: &PrintOptions) -> String {
    let mut out = Vec::new();
    print_module(module, options, &mut out).expect("a module that was read");
    String::from_utf8(out).expect("text")
}

fn custom() -> PrintOptions {
    PrintOptions::new().generic(false)
}

/// A definition of one's own of an operation of MLIR's, with the same members, takes away nothing that is known of other releases.
#[test]
fn definitions_of_mlir_given_as_ones_own_change_nothing() {
    let json = std::fs::read(fixture("ods/gpu.json")).expect("a fixture");
    let own = OpTable::from_json(&json).expect("operations of gpu");
    assert_eq!(own.len(), 5);
    for op in own.iter() {
        let known = upstream().get(&op.name).expect("MLIR's own");
        assert!(op.has_one_layout() && !known.has_one_layout(), "{}", op.name);
        assert_eq!(op.properties, known.properties, "{}", op.name);
    }
    for (name, ..) in FILES {
        let bytes = std::fs::read(path(name)).expect("a fixture");
        let seen = |context: Context| {
            let module = open(&context, bytes.clone());
            let unknown = unknown_parts(&module).expect("what was read");
            let options = WriteOptions { release: Release::NEWEST, ..WriteOptions::default() };
            let written = write(&module, &options).map_err(|error| error.to_string());
            let texts = text(&module, &PrintOptions::new()) + &text(&module, &custom());
            (texts, unknown.iter().map(ToString::to_string).collect::<Vec<_>>(), written)
        };
        let extended = crate::definitions::context();
        extended.extend("gpu", |gpu| gpu.ops(own.clone()));
        let (known, seen) = (seen(crate::definitions::context()), seen(extended));
        for (known, seen) in known.0.lines().zip(seen.0.lines()) {
            assert_eq!(known, seen, "{name}");
        }
        assert!(known == seen, "{name}");
    }
}

/// What a release has beside what it shares with others, in a file of a producer.
fn file_of(text: &str, release: Release, producer: &str) -> Vec<u8> {
    let module = parse(&crate::definitions::context(), text);
    let options = WriteOptions { release, producer: producer.into(), ..WriteOptions::default() };
    write(&module, &options).expect("what the release has")
}

#[test]
fn operations_of_every_release_are_read_printed_and_written_back() {
    let (mut known, mut undefined) = (0, 0);
    for (name, operations, lines) in FILES {
        let context = crate::definitions::context();
        let bytes = std::fs::read(path(name)).expect("a fixture");
        let module = open(&context, bytes.clone());
        let mut names: Vec<_> = Vec::new();
        for outermost in module.operations().expect("the module") {
            names.extend(outermost.walk().expect("its operations").skip(1).map(|op| op.name().into_owned()));
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!((names.len(), count), (operations, lines), "{name}");
        let release = Release::new(name[4..6].parse().expect("a number"));
        let is_known =
            |name: &str| upstream().has(name) || upstream().undefined(name).is_some_and(|op| op.is_in(release));
        assert!(names.iter().all(|name| is_known(name)), "{name}");
        undefined += names.iter().filter(|name| !upstream().has(name)).count();
        assert_eq!(unknown_parts(&module).expect("what was read").len(), 0, "{name}");
        let generic = text(&module, &PrintOptions::new());
        assert!(!generic.contains("encoded<"), "{name}");
        let like = WriteOptions::like(&module);
        assert!(write(&module, &like).expect("what was read") == bytes, "{name}: other bytes");
        let like = like.strip_locations(true);
        let from_text = write(&parse(&context, &generic), &like).expect("what was parsed");
        assert!(from_text == bytes, "{name}: other bytes from its text");
        // Custom assembly gives members the defaults that 22 has.
        let again = text(&parse(&context, &text(&module, &custom())), &custom());
        assert!(text(&parse(&context, &again), &custom()) == again, "{name}: other assembly from assembly");
        known += 1;
    }
    // 36, 99, 39 and 333 of them.
    assert_eq!((known, undefined), (FILES.len(), 507));
    let all: Vec<UndefinedOp> = upstream().undefined_operations().collect();
    let newest = all.iter().filter(|op| op.is_in(Release::NEWEST)).count();
    assert_eq!((all.len(), newest), (396, 333));
}

/// The dialects that a program names on its standard output, behind `--show-dialects`.
fn dialects_of(program: &Path) -> Vec<String> {
    let output = Command::new(program).arg("--show-dialects").output().expect("iree-opt starts");
    let text = String::from_utf8(output.stdout).expect("names");
    text.split([',', '\n']).map(|name| name.trim_start_matches("Available Dialects:").trim().to_owned()).collect()
}

/// What `iree-opt` writes of a text.
fn by_iree_opt(program: &Path, text: &str, arguments: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let [input, output] = ["in.mlir", "out.mlirbc"].map(|name| folder.path().join(name));
    std::fs::write(&input, text).expect("a file to write");
    let status = Command::new(program).args(arguments).arg(&input).arg("-o").arg(&output).status();
    assert!(status.expect("iree-opt starts").success(), "iree-opt refuses what is tested");
    std::fs::read(&output).expect("what it wrote")
}

#[test]
fn every_operation_of_mlir_24_is_the_bytes_of_iree_opt() {
    let Some(program) = iree_opt("every operation of MLIR 24") else { return };
    let (name, _, lines) = FILES[3];
    let generic = text(
        &open(&crate::definitions::context(), std::fs::read(path(name)).expect("a fixture")),
        &PrintOptions::new(),
    );
    // An operation a line. It has not all of the dialects that its package has.
    let dialects = dialects_of(&program);
    let dialect =
        |line: &str| line.trim_start().trim_start_matches('"').split('.').next().unwrap_or_default().to_owned();
    let (asked, left): (Vec<_>, Vec<_>) =
        generic.lines().filter(|line| line.starts_with("  \"")).partition(|line| dialects.contains(&dialect(line)));
    assert_eq!(asked.len() + left.len(), lines);
    let left: BTreeSet<_> = left.into_iter().map(dialect).collect();
    assert_eq!(left.into_iter().collect::<Vec<_>>(), ["index"], "dialects that were not asked about");
    let text = format!("module {{\n{}\n}}\n", asked.join("\n"));
    let context = crate::definitions::context();
    let options = WriteOptions::new().producer("MLIR24.0.0git").strip_locations(true);
    let ours = write(&parse(&context, &text), &options).expect("what was parsed");
    // None of them has operands, which its rules would ask for.
    let unverified = ["--mlir-very-unsafe-disable-verifier-on-parsing", "--verify-each=false", "--strip-debuginfo"];
    let theirs = by_iree_opt(&program, &text, &[&unverified[..], &["--emit-bytecode"]].concat());
    assert!(ours == theirs, "other bytes");
    let module = open(&context, theirs.clone());
    assert_eq!(unknown_parts(&module).expect("what was read").len(), 0);
    assert!(write(&module, &WriteOptions::like(&module)).expect("what was read") == theirs, "other bytes back");
}

/// Two operations that came after the definitions, the second without properties.
const LATER: &str = "module {\n  func.func @f(%arg0: bf16, %arg1: i32) -> (f16, i32) {\n    \
    %0 = \"arith.convertf\"(%arg0) <{roundingmode = 1 : i32}> : (bf16) -> f16\n    \
    %1 = \"llvm.intr.clmul\"(%arg1, %arg1) : (i32, i32) -> i32\n    \
    return %0, %1 : f16, i32\n  }\n}\n";

#[test]
fn an_operation_that_came_after_the_definitions_is_as_iree_opt_has_it() {
    let Some(program) = iree_opt("operations that came after MLIR 22") else { return };
    let context = crate::definitions::context();
    let options = WriteOptions::new().producer("MLIR24.0.0git").strip_locations(true);
    // As an attribute in braces, too.
    for later in [LATER.to_owned(), LATER.replace("<{", "{").replace("}>", "}")] {
        let bytes = by_iree_opt(&program, &later, &["--strip-debuginfo", "--emit-bytecode"]);
        let module = open(&context, bytes.clone());
        verify_module(&module, &mut |error| panic!("{error}")).expect("a module that was read");
        assert_eq!(unknown_parts(&module).expect("what was read").len(), 0);
        let shown = text(&module, &custom());
        assert_eq!(shown, format!("{LATER}\n"));
        assert!(write(&module, &WriteOptions::like(&module)).expect("what was read") == bytes, "other bytes back");
        assert!(write(&parse(&context, &later), &options).expect("what was parsed") == bytes, "other bytes from text");
        assert!(write(&parse(&context, &shown), &options).expect("what was parsed") == bytes, "other bytes again");
    }
}

#[test]
fn an_operation_that_came_later_is_kept_for_an_older_release_as_one_that_unknown_name() {
    let context = crate::definitions::context();
    let newer = file_of(LATER, Release::NEWEST, "MLIR24.0.0git");
    let from_text = write(&parse(&context, LATER), &WriteOptions::default()).expect("a dictionary");
    let older = write(&open(&context, newer.clone()), &WriteOptions::default()).expect("a dictionary");
    assert!(from_text == older);
    let module = open(&context, older.clone());
    assert_eq!(unknown_parts(&module).expect("what was read").len(), 0);
    assert_eq!(text(&module, &custom()), format!("{LATER}\n"));
    assert!(write(&module, &WriteOptions::like(&module)).expect("what was read") == older, "other bytes back");
    let mut kept = Vec::new();
    for outermost in module.operations().expect("the module") {
        for op in outermost.walk().expect("its operations").filter(|op| !context.is_registered(op.operation_name())) {
            kept.push(op.name().into_owned());
        }
    }
    assert_eq!(kept, ["arith.convertf", "llvm.intr.clmul"]);
    // With no members, it is the same as without properties.
    let [without, with] = ["", " <{}>"].map(|none| LATER.replace(" <{roundingmode = 1 : i32}>", none));
    let without = write(&parse(&context, &without), &WriteOptions::default()).expect("what was parsed");
    assert!(write(&parse(&context, &with), &WriteOptions::default()).expect("what was parsed") == without);
    let newest = WriteOptions::default().release(Release::NEWEST);
    let newer = write(&open(&context, without.clone()), &newest).expect("as it is");
    assert!(text(&open(&context, newer), &custom()) == text(&open(&context, without.clone()), &custom()));
    let newer = write(&parse(&context, &with), &newest).expect("what was parsed");
    assert!(write(&open(&context, newer), &WriteOptions::default()).expect("what was read") == without);
}

#[test]
fn an_operation_that_the_producer_need_not_have_is_unknown_and_kept() {
    for producer in ["MLIR22.1.8", "another 1.0"] {
        let context = crate::definitions::context();
        let bytes = file_of(LATER, Release::NEWEST, producer);
        let module = open(&context, bytes.clone());
        verify_module(&module, &mut |error| panic!("{error}")).expect("a module that was read");
        // The other has no properties.
        let unknown = unknown_parts(&module).expect("what was read");
        let [unknown] = &unknown[..] else { panic!("{unknown:?}") };
        let message =
            "properties 2 of `arith.convertf`: unknown to this build: no definition of the operation is known";
        assert!(unknown.to_string().starts_with(message), "{unknown}");
        assert!(write(&module, &WriteOptions::like(&module)).expect("what was read") == bytes, "other bytes back");
        // Without the part that makes the file be kept.
        let without = LATER.replace("\"arith.convertf\"(%arg0) <{roundingmode = 1 : i32}>", "\"arith.truncf\"(%arg0)");
        let bytes = file_of(&without, Release::NEWEST, producer);
        let module = open(&context, bytes.clone());
        assert!(write(&module, &WriteOptions::like(&module)).expect("what was read") == bytes, "other bytes back");
    }
}

#[test]
fn a_member_that_unknown_name_of_is_refused() {
    let text = LATER.replace("roundingmode", "roundinmode");
    let options = WriteOptions::default().release(Release::NEWEST);
    let error = write(&parse(&crate::definitions::context(), &text), &options).expect_err("no such member").to_string();
    assert!(error.contains("no member is called `roundinmode` in the properties of `arith.convertf`"), "{error}");
}

#[test]
fn a_definition_that_says_nothing_of_properties_hides_none() {
    let context = crate::definitions::context();
    let table = OpTable::from_definitions(["spirv.AtomicLoad", "spirv.Any"].map(|name| {
        let any = TypeConstraint::new("AnyType", Predicate::Always);
        let builder = OpDef::builder(name).operands("operands", Multiplicity::Variadic, &any).result("result", &any);
        builder.finish().expect("a definition")
    }));
    context.extend("spirv", |spirv| spirv.ops(table));
    let text = "\"builtin.module\"() ({\n  \"a.a\"() ({\n  ^bb0(%arg0: !spirv.ptr<i32, Workgroup>):\n    \
        %0 = \"spirv.AtomicLoad\"(%arg0) <{memory_scope = #spirv.scope<Device>, semantics = \
        #spirv.memory_semantics<Acquire>}> : (!spirv.ptr<i32, Workgroup>) -> i32\n    \
        %1 = \"spirv.AtomicLoad\"(%arg0) : (!spirv.ptr<i32, Workgroup>) -> i32\n    \
        %2 = \"spirv.Any\"(%0) : (i32) -> i1\n  }) : () -> ()\n}) : () -> ()\n";
    let options = WriteOptions::new().producer("MLIR24.0.0git").strip_locations(true);
    let bytes = write(&parse(&context, text), &options).expect("what was parsed");
    for context in [context, crate::definitions::context()] {
        let module = open(&context, bytes.clone());
        assert_eq!(unknown_parts(&module).expect("what was read").len(), 0);
        assert_eq!(self::text(&module, &PrintOptions::new()), text);
        verify_module(&module, &mut |error| panic!("{error}")).expect("a module that was read");
        assert!(write(&module, &WriteOptions::like(&module)).expect("what was read") == bytes, "other bytes back");
    }
}

const ROUNDED: &str = "func.func @f(%a: f32) -> f32 {\n  \
    %0 = \"arith.addf\"(%a, %a) <{fastmath = #arith.fastmath<none>, roundingmode = 1 : i32}> : (f32, f32) -> f32\n  \
    return %0 : f32\n}\n";

#[test]
fn a_member_that_came_later_is_kept_and_is_no_mistake() {
    let context = crate::definitions::context();
    let module = open(&context, file_of(ROUNDED, Release::NEWEST, "MLIR24.0.0git"));
    verify_module(&module, &mut |error| panic!("{error}")).expect("a module that was read");
    for options in [PrintOptions::new(), custom()] {
        let text = text(&module, &options);
        assert!(text.contains("roundingmode = 1 : i32"), "{text}");
    }
    let module = parse(&context, &ROUNDED.replace("roundingmode", "roundinmode"));
    let mut errors = Vec::new();
    verify_module(&module, &mut |error| errors.push(error.to_string())).expect("a module that was parsed");
    assert!(errors.len() == 1 && errors[0].contains("it has no property `roundinmode`"), "{errors:?}");
}

#[test]
fn an_operation_that_its_release_defines_otherwise_breaks_no_rule() {
    // Without an alignment, which 24 does not ask for.
    let text = "func.func @f(%p: vector<4x!llvm.ptr>, %m: vector<4xi1>) -> vector<4xf32> {\n  \
        %0 = \"llvm.intr.masked.gather\"(%p, %m) : (vector<4x!llvm.ptr>, vector<4xi1>) -> vector<4xf32>\n  \
        return %0 : vector<4xf32>\n}\n";
    let context = crate::definitions::context();
    let errors = |module: &Module| {
        let mut errors = Vec::new();
        verify_module(module, &mut |error| errors.push(error.to_string())).expect("a module");
        errors
    };
    let module = parse(&context, text);
    assert!(errors(&module).iter().any(|error| error.contains("`alignment` is missing")));
    let module = open(&context, file_of(text, Release::NEWEST, "MLIR24.0.0git"));
    assert_eq!(errors(&module), [""; 0]);
    assert!(self::text(&module, &custom()).contains("\"llvm.intr.masked.gather\""));
}

#[test]
fn a_member_that_the_release_lacks_is_a_loss() {
    let context = crate::definitions::context();
    for module in [parse(&context, ROUNDED), open(&context, file_of(ROUNDED, Release::NEWEST, "MLIR24.0.0git"))] {
        let error = write(&module, &WriteOptions::default()).expect_err("a member that 22 lacks").to_string();
        assert!(error.contains("MLIR 22 cannot hold `roundingmode` of `arith.addf` (MLIR 23 or newer)"), "{error}");
        let lossy = WriteOptions::new().lossy(true);
        let (bytes, losses) = write_with_losses(&module, &lossy).expect("without it");
        assert_eq!(losses.iter().map(|loss| loss.1).collect::<Vec<_>>(), [1]);
        let text = text(&open(&context, bytes), &PrintOptions::new());
        assert!(text.contains("arith.addf") && !text.contains("roundingmode"), "{text}");
    }
}

#[test]
fn a_member_that_only_the_release_has_is_asked_for() {
    // MLIR 21 needs a size, which cannot be made up.
    let text = "func.func @f(%a: !llvm.ptr) {\n  llvm.intr.lifetime.start %a : !llvm.ptr\n  return\n}\n";
    let module = parse(&crate::definitions::context(), text);
    write(&module, &WriteOptions::default()).expect("a module of 22");
    let error = write(&module, &WriteOptions::default().release(Release::new(21))).expect_err("no size").to_string();
    assert!(error.contains("`size`, which MLIR 21 asks for, is missing"), "{error}");
}

#[test]
fn a_flag_is_an_attribute_or_none_as_the_release_has_it() {
    let context = crate::definitions::context();
    let older = |options: WriteOptions| options.release(Release::new(21));
    for flags in ["boundsCheck = true", "boundsCheck = false, resetOffset", ""] {
        let text = format!("\"amdgpu.fat_raw_buffer_cast\"() <{{{flags}}}> : () -> ()\n");
        let newer = write(&parse(&context, &text), &WriteOptions::default()).expect("what 22 has");
        let shown = self::text(&open(&context, newer.clone()), &PrintOptions::new());
        let between = write(&open(&context, newer.clone()), &older(WriteOptions::default()));
        if flags.is_empty() {
            // Absent, it is set.
            let error = between.expect_err("nothing says so").to_string();
            assert!(error.contains("`boundsCheck`, which MLIR 21 asks for, is missing"), "{error}");
            continue;
        }
        let between = open(&context, between.expect("what 21 has"));
        let unset = self::text(&between, &PrintOptions::new()).contains("resetOffset = false");
        assert_eq!(unset, !flags.contains("resetOffset"));
        let back = write(&between, &WriteOptions::default()).expect("what 22 has");
        assert_eq!(self::text(&open(&context, back.clone()), &PrintOptions::new()), shown);
        assert!(back == newer, "{flags}: other bytes");
    }
}

#[test]
fn operands_are_not_put_into_groups_of_another_release_by_guess() {
    let text = "func.func @f(%a: i32) {\n  \
        \"nvvm.barrier\"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i32, i32) -> ()\n  return\n}\n";
    let module = parse(&crate::definitions::context(), text);
    write(&module, &WriteOptions::default()).expect("a module of 22");
    write(&module, &WriteOptions::default().release(Release::new(24))).expect_err("three groups for two");
    // An operation without properties here, and with one there.
    let text = "func.func @f(%a: i8) -> i16 {\n  %0 = arith.extui %a : i8 to i16\n  return %0 : i16\n}\n";
    let module = parse(&crate::definitions::context(), text);
    let newest = WriteOptions::default().release(Release::NEWEST);
    let bytes = write(&module, &newest).expect("absent");
    let context = crate::definitions::context();
    let module = open(&context, bytes.clone());
    assert_eq!(write(&module, &WriteOptions::like(&module)).expect("what was read"), bytes);
    let text = text_of_22(&module);
    assert!(text.contains("arith.extui %"), "{text}");
}

/// The text of a module after it was written for MLIR 22.
fn text_of_22(module: &Module) -> String {
    let bytes = write(module, &WriteOptions::default()).expect("a module that 22 can hold");
    text(&open(module.context(), bytes), &custom())
}

#[test]
fn a_symbol_keeps_its_name_whether_that_is_a_member_or_not() {
    let text = "module {\n  gpu.module @m {\n    gpu.func @f() kernel {\n      gpu.return\n    }\n  }\n}\n";
    let context = crate::definitions::context();
    let module = parse(&context, text);
    let older = text_of_22(&module);
    let bytes = write(&module, &WriteOptions::default().release(Release::NEWEST)).expect("for 24");
    let newer = open(&context, bytes.clone());
    assert_eq!(write(&newer, &WriteOptions::like(&newer)).expect("what was read"), bytes);
    assert_eq!(text_of_22(&newer), older);
    assert!(older.contains("@f"), "{older}");
}

#[test]
fn the_producer_chooses_the_layout_and_nothing_else_does() {
    // One member, which has another name since 22: the blob is the same.
    let text = "\"rocdl.s.wait.dscnt\"() <{count = 1 : i16}> : () -> ()\n";
    let shown = |producer: &str| {
        let context = crate::definitions::context();
        let bytes = file_of(text, Release::DEFAULT, producer);
        let module = open(&context, bytes.clone());
        assert_eq!(write(&module, &WriteOptions::like(&module)).expect("what was read"), bytes, "{producer}");
        let unknown =
            unknown_parts(&module).expect("what was read").iter().map(ToString::to_string).collect::<Vec<_>>();
        (self::text(&module, &PrintOptions::new()), unknown)
    };
    for (producer, member) in [
        ("MLIR22.1.8", "count"),
        ("MLIR24.0.0git", "count"),
        ("mlirbc0.1.0", "count"),
        ("MLIR99.0.0", "count"),
        ("MLIR21.1.2", "id"),
        ("LLVM20", "id"),
        ("MLIR19.1.7", "id"),
        ("MLIR17.0.6", "id"),
    ] {
        let (text, unknown) = shown(producer);
        assert!(text.contains(&format!("<{{{member} = 1 : i16}}>")), "{producer}: {text}");
        assert_eq!(unknown, [""; 0], "{producer}");
    }
    let (text, unknown) = shown("another 1.0");
    assert!(text.contains("<#rocdl.encoded<"), "{text}");
    let [unknown] = &unknown[..] else { panic!("{unknown:?}") };
    for part in ["ambiguous", "`another 1.0`", "MLIR 22", "MLIR 19", "rocdl.s.wait.dscnt"] {
        assert!(unknown.contains(part), "{part}: {unknown}");
    }
}

#[test]
fn a_blob_that_fits_one_layout_needs_no_known_producer() {
    let text = "func.func private @f()\n";
    for release in [19, 22].map(Release::new) {
        let context = crate::definitions::context();
        let module = open(&context, file_of(text, release, "another 1.0"));
        assert!(self::text(&module, &custom()).contains(text), "{release}");
    }
    // One of 22 has a member more than 19 has: it is not taken for what it is not.
    let bytes = file_of(text, Release::DEFAULT, "MLIR19.1.7");
    let module = open(&crate::definitions::context(), bytes.clone());
    let unknown = unknown_parts(&module).expect("what was read");
    assert_eq!(unknown.iter().map(|part| part.kind).collect::<Vec<_>>(), [UnknownKind::Properties], "{unknown:?}");
    assert_eq!(write(&module, &WriteOptions::like(&module)).expect("what was read"), bytes);
}

#[test]
fn an_old_version_is_written_anew_in_the_layout_of_its_release_or_of_the_producer_named() {
    let context = crate::definitions::context();
    let bytes = |name: &str| std::fs::read(fixture(name)).expect("a fixture");
    // Version 0 has names: no layout. Its release is older than any whose layouts are known.
    let module = open(&context, bytes("versions/arith.16.v0.mlirbc"));
    let options = WriteOptions::like(&module).version(6);
    let older = write(&module, &options).expect("as 19 has it");
    let newer = write(&module, &options.clone().producer("MLIR22.1.8")).expect("as 22 has it");
    assert!(newer == bytes("arith.mlirbc"));
    let text = |bytes| self::text(&open(&context, bytes), &PrintOptions::new());
    assert_eq!(text(older.clone()), text(newer.clone()));
    // The functions of 22 have a member more.
    assert!(older.len() < newer.len());
    assert_eq!(options.clone().producer("another").release, options.release);
}
