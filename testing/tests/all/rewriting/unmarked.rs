//! Files that do not mark what is isolated from above: the operation's definition says it, and passes do the same.

use std::io::Write;
use std::ops::Range;
use std::process::Command;

use mlirbc_bytecode::inspect::label_bytes;
use mlirbc_bytecode::{BytecodeFile, Index, NEWEST_VERSION, ReadOptions, WriteOptions, read, read_with, write};
use mlirbc_ir::{Module, Result};
use mlirbc_rewrite::{Pipeline, RunOptions};
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

use super::{context, generic, registry};

const TEXT: &str = r#"
    module @outer {
      func.func private @unused(%a: i32) -> i32 {
        return %a : i32
      }
      func.func @f(%a: i32, %b: i32) -> (i32, i32) {
        %0 = call @g(%a) : (i32) -> i32
        %1 = call @g(%a) : (i32) -> i32
        return %0, %1 : i32, i32
      }
      func.func private @g(%a: i32) -> i32 {
        %true = arith.constant true
        %one = arith.constant 1 : i32
        %two = arith.addi %one, %one : i32
        %0 = arith.addi %a, %two : i32
        %1 = arith.addi %a, %two : i32
        %2 = arith.muli %0, %1 : i32
        %3 = scf.if %true -> i32 {
          %4 = arith.addi %2, %one : i32
          scf.yield %4 : i32
        } else {
          scf.yield %two : i32
        }
        return %3 : i32
      }
      module @inner {
        func.func @h(%a: index) -> index {
          %zero = arith.constant 0 : index
          %0 = arith.addi %a, %zero : index
          return %0 : index
        }
        func.func private @gone() {
          return
        }
      }
    }"#;

const PIPELINES: [&str; 7] = [
    "builtin.module(canonicalize)",
    "builtin.module(cse)",
    "builtin.module(sccp)",
    "builtin.module(inline)",
    "builtin.module(symbol-dce)",
    "builtin.module(symbol-dce,func.func(canonicalize,cse),builtin.module(sccp))",
    "builtin.module(canonicalize{max-num-rewrites=100})",
];

/// From this version on a file says which operations were not known when it was written: these are not known when it is read, either.
const UNREGISTERED: u64 = 5;

fn parsed(text: &str) -> Module {
    parse_module(&context(), text.as_bytes(), &ParseOptions::new()).expect("text")
}

fn written(module: &Module, version: u64) -> Vec<u8> {
    write(module, &WriteOptions::new().version(version).lossy(true)).expect("bytecode")
}

fn put_varint(number: usize, bytes: &mut Vec<u8>) {
    let length = (1..4).find(|length| number < 1 << (7 * length)).expect("a small number");
    bytes.extend_from_slice(&((number << 1 | 1) << (length - 1)).to_le_bytes()[..length]);
}

/// Ends the sections that end at `at` in the file: what is in them may be shorter now.
fn close(open: &mut Vec<(usize, u8, usize)>, at: usize, out: &mut Vec<u8>) {
    while let Some((_, id, start)) = open.pop_if(|section| section.0 <= at) {
        let data = out.split_off(start);
        out.push(id);
        put_varint(data.len(), out);
        out.extend(data);
    }
}

/// What a file consists of, and what each part is.
fn parts(file: &[u8]) -> Vec<(Range<usize>, String)> {
    let module = read(&context(), file.to_vec()).expect("it opens");
    let mut parts = Vec::new();
    let mut note = |range: Range<u64>, label: &str| {
        parts.push((range.start as usize..range.end as usize, label.to_owned()));
        Ok(())
    };
    label_bytes(BytecodeFile::of(&module).expect("a file"), &mut note).expect("all of it is known");
    parts
}

/// The file without the marks of operations, and without the sections that marks bring. Those that are met first, so many of them, stay
/// marked.
fn unmarked(file: &[u8], mut marked: usize) -> Vec<u8> {
    const ONE_REGION_APART: u8 = 0b111;
    const ONE_REGION: u8 = 0b101;
    let (mut out, mut open, mut keeps, mut changed) = (Vec::new(), Vec::new(), false, 0);
    for (range, label) in parts(file) {
        close(&mut open, range.start, &mut out);
        let bytes = &file[range.clone()];
        let is_section = label.starts_with("regions of ");
        if is_section && keeps || label.starts_with("IR section") {
            let size = bytes[1].trailing_zeros() as usize + 1;
            let number = bytes[1..=size].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte));
            open.push((range.end + (number >> size), bytes[0], out.len()));
        } else if !is_section {
            out.extend_from_slice(bytes);
        }
        if label.ends_with(", isolated") && label.starts_with("operation `") {
            keeps = marked > 0;
            marked = marked.saturating_sub(1);
            let last = out.last_mut().expect("a count of regions");
            if !keeps && std::mem::replace(last, ONE_REGION) == ONE_REGION_APART {
                changed += 1;
            }
        }
    }
    close(&mut open, file.len(), &mut out);
    assert!(changed > 0);
    out
}

fn run(module: &mut Module, pipeline: &str, threads: usize) -> Result<()> {
    let pipeline = Pipeline::parse(pipeline, &registry()).expect("a pipeline");
    pipeline.run_with(module, RunOptions::new().threads(threads)).map(|_| ())
}

#[test]
fn passes_do_the_same_without_marks() {
    for version in 0..=NEWEST_VERSION {
        let file = written(&parsed(TEXT), version);
        let plain = generic(&read(&context(), file.clone()).expect("bytecode"));
        for marked in 0..7 {
            let bytes = unmarked(&file, marked);
            assert_eq!(
                generic(&read(&context(), bytes.clone()).expect("bytecode")),
                plain,
                "{version}, {marked} marked"
            );
            for pipeline in PIPELINES {
                let mut expected = read(&context(), file.clone()).expect("bytecode");
                run(&mut expected, pipeline, 1).expect("it runs");
                let written = write(&expected, &WriteOptions::default()).expect("bytecode");
                let expected = generic(&expected);
                assert_ne!(expected, plain, "{pipeline} changes something");
                for threads in [1, 3] {
                    let mut module = read(&context(), bytes.clone()).expect("bytecode");
                    run(&mut module, pipeline, threads).expect("it runs");
                    let what = format!("{pipeline}, version {version}, {marked} marked, {threads} threads");
                    assert_eq!(generic(&module), expected, "{what}");
                    assert!(write(&module, &WriteOptions::default()).expect("bytecode") == written, "{what}");
                }
            }
        }
    }
}

/// What is not changed is written with the marks, as mlir-opt writes it.
#[test]
fn marks_are_written() {
    let file = written(&parsed(TEXT), NEWEST_VERSION);
    for marked in 0..7 {
        let bytes = unmarked(&file, marked);
        let module = read(&context(), bytes.clone()).expect("bytecode");
        assert!(write(&module, &WriteOptions::default()).expect("bytecode") == file, "{marked} marked");
    }
    if tool("mlir-opt-22", "a file without marks was not compared with what mlir-opt reads") {
        let theirs = |bytes: &[u8]| {
            let mut file = tempfile::NamedTempFile::new().expect("a file");
            file.write_all(bytes).expect("it is written");
            let output = Command::new("mlir-opt-22").arg("--canonicalize").arg(file.path()).output().expect("it runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            output.stdout
        };
        let expected = theirs(&file);
        (0..7).for_each(|marked| assert!(theirs(&unmarked(&file, marked)) == expected, "{marked} marked"));
    }
}

/// A function in a module with a value: inside of it, numbers go on after that of the value, as nothing marks it. `number` is that of the
/// second operand of the addition: 0 is the value, 1 and 2 are arguments.
fn behind_a_value(version: u64, number: u8) -> Vec<u8> {
    const TEXT: &str = r#"
        "builtin.module"() ({
          %outer = "toy.value"() : () -> i32
          "func.func"() ({
          ^bb0(%a: i32, %b: i32):
            %0 = "arith.addi"(%b, %outer) : (i32, i32) -> i32
            %1 = "arith.addi"(%b, %outer) : (i32, i32) -> i32
            "func.return"(%0) : (i32) -> ()
          }) {function_type = (i32, i32) -> i32, sym_name = "f"} : () -> ()
        }) : () -> ()"#;
    // Where nothing is known of functions, what uses a value from outside is no error, and not marked.
    let plain = mlirbc_ir::Context::new();
    let module = parse_module(&plain, TEXT.as_bytes(), &ParseOptions::new()).expect("text");
    let mut bytes = written(&module, version);
    let mut sums = parts(&bytes);
    sums.retain(|part| part.1.starts_with("operation `arith.addi`"));
    assert_eq!(sums.len(), 2);
    for (range, _) in sums {
        // Two operands, 2 and 0.
        assert!(bytes[range.clone()].ends_with(&[0b101, 0b101, 0b1]), "version {version}");
        bytes[range.end - 1] = number << 1 | 1;
    }
    bytes
}

#[test]
fn numbers_go_on_after_those_of_values_outside() {
    for version in 0..UNREGISTERED {
        let bytes = behind_a_value(version, 1);
        let mut module = read(&context(), bytes).expect("bytecode");
        for pipeline in ["builtin.module(func.func(cse,canonicalize))", "builtin.module(sccp)"] {
            run(&mut module, pipeline, 1).expect("it runs");
        }
        let text = generic(&module);
        let sums: Vec<&str> = text.lines().filter(|line| line.contains("arith.addi")).collect();
        assert!(sums.len() == 1 && sums[0].contains("\"arith.addi\"(%arg1, %arg0)"), "{text}");
        let again = write(&module, &WriteOptions::default()).expect("bytecode");
        assert_eq!(generic(&read(&context(), again).expect("bytecode")), text);
    }
}

#[test]
fn what_uses_values_from_outside_is_refused() {
    for version in 0..UNREGISTERED {
        let bytes = behind_a_value(version, 0);
        for pipeline in ["builtin.module(func.func(cse))", "builtin.module(func.func(canonicalize),sccp)"] {
            let mut module = read(&context(), bytes.clone()).expect("bytecode");
            let error = run(&mut module, pipeline, 1).expect_err("it is broken");
            let message =
                "`func.func` is isolated from above, but its regions use values from outside of it: no pass runs on it";
            assert_eq!(error.message(), message);
        }
        // What runs on the module around it leaves the function where it is.
        for pipeline in PIPELINES.iter().filter(|pipeline| !pipeline.contains("func.func")) {
            let mut module = read(&context(), bytes.clone()).expect("bytecode");
            let pipeline = Pipeline::parse(pipeline, &registry()).expect("a pipeline");
            let ran = pipeline.run_with(&mut module, RunOptions::new().verify_each(false));
            ran.unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// A symbol is read alone where it can be: not where it uses values by numbers that begin before it.
#[test]
fn a_symbol_in_whose_regions_numbers_go_on_is_read_with_what_is_before_it() {
    const TEXT: &str = r#"
        module {
          %c = arith.constant 7 : i32
          "toy.f"() ({
            %z = "toy.z"() : () -> i32
            "toy.use"(%c) : (i32) -> ()
          }) {sym_name = "x"} : () -> ()
        }"#;
    for version in [2, 4, NEWEST_VERSION] {
        let bytes = written(&parsed(TEXT), version);
        let opened = read(&context(), bytes.clone()).expect("bytecode");
        let index = Index::build(&opened).expect("an index");
        for index in [None, Some(index)] {
            let options = ReadOptions::new().index(index);
            let module = read_with(&context(), bytes.clone(), &options).expect("bytecode");
            let symbol = module.symbol("x").expect("looked for").expect("it is there");
            let uses = symbol.walk().expect("a walk").find(|op| op.name() == "toy.use").expect("a use");
            let used = uses.body().operands(uses.id())[0];
            let definer = uses.body().defining_operation(used).expect("a result");
            assert_eq!(module.operation(uses.body_id(), definer).expect("an operation").name(), "arith.constant");
        }
    }
}
