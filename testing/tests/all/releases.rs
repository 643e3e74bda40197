//! Encodings of newer releases of MLIR, beside a tool of that release.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

use mlirbc_bytecode::encoding::{WriteCallbacks, Written};
use mlirbc_bytecode::inspect::label_bytes;
use mlirbc_bytecode::{BytecodeFile, WriteOptions, decode_all, read, unknown_parts, write};
use mlirbc_ir::fields::FieldKind;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{AttributeData, Error, Module, Result};
use mlirbc_testing::{Numbers, fixture, iree_opt, shared};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// Names of so many arguments: `d0, d1`.
fn names(letter: char, count: usize) -> String {
    (0..count).map(|at| format!("{letter}{at}")).collect::<Vec<_>>().join(", ")
}

/// An expression that is affine: right sides of products and divisions are constants.
fn expression(numbers: &mut Numbers, dimensions: usize, symbols: usize, depth: usize) -> String {
    let constant = |numbers: &mut Numbers| [1, 2, 3, 7, 64, 1 << 40, i64::MAX][numbers.below(7)];
    if depth > 0 && numbers.below(3) > 0 {
        let left = expression(numbers, dimensions, symbols, depth - 1);
        return match numbers.below(6) {
            0 => format!("({left}) * {}", constant(numbers)),
            1 => format!("({left}) mod {}", constant(numbers)),
            2 => format!("({left}) floordiv {}", constant(numbers)),
            3 => format!("({left}) ceildiv {}", constant(numbers)),
            at => {
                let right = expression(numbers, dimensions, symbols, depth - 1);
                format!("({left}) {} ({right})", if at == 4 { "+" } else { "-" })
            }
        };
    }
    match numbers.below(3) {
        0 if dimensions > 0 => format!("d{}", numbers.below(dimensions)),
        1 if symbols > 0 => format!("s{}", numbers.below(symbols)),
        _ => (numbers.below(9) as i64 - 4).to_string(),
    }
}

/// `affine_map<...>`, of any of the kinds that are encoded in another way.
fn map(numbers: &mut Numbers) -> String {
    let dimensions = numbers.below(5);
    let mut order: Vec<usize> = (0..dimensions).collect();
    (1..dimensions).for_each(|at| order.swap(at, numbers.below(at + 1)));
    let kind = numbers.below(5);
    let symbols = if kind == 4 { numbers.below(3) } else { 0 };
    let results: Vec<String> = match kind {
        0 => (0..dimensions).map(|at| format!("d{at}")).collect(),
        1 => order.iter().map(|at| format!("d{at}")).collect(),
        2 => order.iter().take(numbers.below(dimensions + 1)).map(|at| format!("d{at}")).collect(),
        // With one that comes twice or a constant, at times.
        3 => (0..numbers.below(dimensions + 2))
            .map(|_| if numbers.below(4) == 0 { "0".into() } else { expression(numbers, dimensions, 0, 0) })
            .collect(),
        _ => (0..numbers.below(4)).map(|_| expression(numbers, dimensions, symbols, 3)).collect(),
    };
    let symbols = if symbols > 0 { format!("[{}]", names('s', symbols)) } else { String::new() };
    format!("affine_map<({}){symbols} -> ({})>", names('d', dimensions), results.join(", "))
}

/// `affine_set<...>`
fn set(numbers: &mut Numbers) -> String {
    let (dimensions, symbols) = (numbers.below(4), numbers.below(3));
    let constraints: Vec<String> = (0..=numbers.below(3))
        .map(|_| {
            let side = expression(numbers, dimensions, symbols, 2);
            format!("{side} {} 0", if numbers.below(2) == 0 { "==" } else { ">=" })
        })
        .collect();
    format!("affine_set<({})[{}] : ({})>", names('d', dimensions), names('s', symbols), constraints.join(", "))
}

/// `strided<...>`
fn strided(numbers: &mut Numbers) -> String {
    let number =
        |numbers: &mut Numbers| ["?", "0", "1", "-1", "300", "-70000", "9223372036854775807"][numbers.below(7)];
    let strides: Vec<_> = (0..numbers.below(4)).map(|_| number(numbers)).collect();
    format!("strided<[{}], offset: {}>", strides.join(", "), number(numbers))
}

/// What `iree-opt` writes of a text, without the locations of its operations.
fn theirs(program: &Path, text: &str) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(["--allow-unregistered-dialect", "--strip-debuginfo", "--emit-bytecode", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("iree-opt starts");
    let mut stdin = child.stdin.take().expect("its input");
    std::thread::scope(|scope| {
        scope.spawn(move || std::io::Write::write_all(&mut stdin, text.as_bytes()));
        let output = child.wait_with_output().expect("iree-opt ends");
        assert!(output.status.success(), "iree-opt refuses what is tested");
        output.stdout
    })
}

fn newest(module: &Module) -> Vec<u8> {
    let options = WriteOptions {
        release: Release::NEWEST,
        producer: b"MLIR24.0.0git".to_vec(),
        strip_locations: true,
        ..WriteOptions::default()
    };
    write(module, &options).expect("what was parsed")
}

/// The same bytes as the tool of that release, and back again; gives them.
fn same_as_theirs(program: &Path, text: &str) -> Vec<u8> {
    let context = crate::definitions::context();
    let module = parse_module(&context, text.as_bytes(), &ParseOptions::new().implicit_module(true));
    let module = module.unwrap_or_else(|error| panic!("iree-opt takes it: {error}"));
    let (ours, theirs) = (newest(&module), theirs(program, text));
    if ours != theirs {
        let back = |bytes: &[u8]| {
            let module = read(&context, bytes.to_vec()).expect("bytecode");
            let mut out = Vec::new();
            let options = PrintOptions::new();
            print_module(&module, &options, &mut out).expect("a module that was read");
            String::from_utf8(out).expect("text")
        };
        let (our_text, their_text) = (back(&ours), back(&theirs));
        let differ = our_text.lines().zip(their_text.lines()).find(|(ours, theirs)| ours != theirs);
        let at = ours.iter().zip(&theirs).take_while(|(ours, theirs)| ours == theirs).count();
        panic!(
            "other bytes from {at} on of {} and {}; the first line that differs: {differ:?}",
            ours.len(),
            theirs.len()
        );
    }
    let module = read(&context, theirs.clone()).expect("what iree-opt wrote");
    assert_eq!(write(&module, &WriteOptions::like(&module)).expect("what was read"), theirs);
    assert_eq!(unknown_parts(&module).expect("what was read").iter().map(ToString::to_string).next(), None);
    theirs
}

/// The codes of a dialect's attributes and types in a file.
fn codes(bytes: &[u8]) -> BTreeSet<(String, u64)> {
    let module = read(&crate::definitions::context(), bytes.to_vec()).expect("bytecode");
    let mut codes = BTreeSet::new();
    let mut each = |_: Range<u64>, label: &str| {
        if let Some((entry, code)) = label.split_once(": encoded, code ") {
            let (what, dialect) = entry.split_once(" of ").expect("an entry of a dialect");
            let table = what.split(' ').next().expect("attribute or type");
            codes.insert((format!("{table} of {dialect}"), code.parse().expect("a number")));
        }
        Ok(())
    };
    label_bytes(BytecodeFile::of(&module).expect("its file"), &mut each).expect("bytecode");
    codes
}

/// Every parameter that MLIR 23 and 24 added to debug information, and all that is optional since left out.
const DEBUG_INFO: &str = r#"
#file = #llvm.di_file<"f.c" in "/dir">
#space = #llvm.di_namespace<name = "n", scope = #file, exportSymbols = true>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#entity = #llvm.di_imported_entity<tag = DW_TAG_imported_module, scope = #file, entity = #space, file = #file, line = 1>
#unit = #llvm.di_compile_unit<recId = distinct[0]<>, isRecSelf = true, id = distinct[1]<>, sourceLanguage = DW_LANG_C17,
    file = #file, producer = "p", isOptimized = true, emissionKind = Full, isDebugInfoForProfiling = true,
    nameTableKind = None, splitDebugFilename = "split", importedEntities = #entity>
#named = #llvm.di_compile_unit<sourceLanguage = #llvm.di_source_language_name<name = DW_LNAME_C, version = 201710>>
#least = #llvm.di_compile_unit<sourceLanguage = DW_LANG_Rust>
#member = #llvm.di_derived_type<tag = DW_TAG_member, name = "m", file = #file, line = 77, scope = #space, baseType = #int,
    sizeInBits = 64, alignInBits = 32, offsetInBits = 8, dwarfAddressSpace = 3, flags = Public, extraData = 5 : i32>
#struct = #llvm.di_composite_type<recId = distinct[2]<>, isRecSelf = true, tag = DW_TAG_structure_type, name = "s",
    file = #file, line = 7, scope = #file, baseType = #int, flags = Vector, sizeInBits = 128, alignInBits = 64,
    dataLocation = <[DW_OP_deref]>, rank = <[DW_OP_constu(5)]>, allocated = <[DW_OP_constu(6)]>,
    associated = <[DW_OP_constu(7)]>, identifier = "ident", discriminator = #member, elements = #member>
#function = #llvm.di_subprogram<recId = distinct[3]<>, id = distinct[4]<>, compileUnit = #unit, scope = #space, name = "f",
    linkageName = "_f", file = #file, line = 3, scopeLine = 4, subprogramFlags = "Definition|Optimized",
    retainedNodes = [#int, "text", 5 : i32], annotations = #llvm.di_annotation<name = "x", value = "y">>
#string = #llvm.di_string_type<tag = DW_TAG_string_type, name = "s", sizeInBits = 5, charType = #int>
"t.op"() {all = [#unit, #named, #least, #member, #struct, #function, #string]} : () -> ()
"#;

/// What the other texts have not: locations, as attributes, and the rarest types.
const REST: &str = r#"
"t.op"() {locations = [loc("f":1:2), loc("f":1:2 to :5), loc(callsite("a" at "b"("f":3:4))), loc(fused["a", "b"]),
    loc(fused<"m">["a"])], types = [f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4]} : () -> ()
"#;

#[test]
fn orders_of_uses_are_the_bytes_of_mlir_24() {
    let Some(program) = iree_opt("orders of uses of MLIR 24") else { return };
    // Used before they are there, each twice: all of them have an order.
    let uses: Vec<_> = (0..100).map(|at| format!("%x#{at}, %x#{at}")).collect();
    let types = |count| vec!["i32"; count].join(", ");
    let (uses, used, defined) = (uses.join(", "), types(200), types(100));
    let inside = format!("\"t.use\"({uses}) : ({used}) -> ()\n %x:100 = \"t.define\"() : () -> ({defined})");
    same_as_theirs(&program, &format!("\"t.graph\"() ({{ {inside} }}) : () -> ()"));
}

#[test]
fn every_code_of_every_dialect_is_the_bytes_of_mlir_24() {
    let Some(program) = iree_opt("encodings of MLIR 24") else { return };
    let Some(shared) = shared("codes of MLIR 24") else { return };
    let mut texts = vec![DEBUG_INFO.to_owned(), REST.to_owned()];
    for name in ["builtin_attributes", "builtin_types", "llvm_debug_info", "use_lists"] {
        let path = shared.join(format!("corpus/codes/{name}.mlir"));
        texts.push(std::fs::read_to_string(path).expect("a file of the corpus"));
    }
    for name in ["quant.mlir", "use_lists.mlir", "resources.mlir", "locations.mlir"] {
        texts.push(std::fs::read_to_string(fixture(name)).expect("a fixture"));
    }
    let found: BTreeSet<_> = texts.iter().flat_map(|text| codes(&same_as_theirs(&program, text))).collect();
    let all = [("attribute of `builtin`", 0..=25), ("type of `builtin`", 0..=32), ("attribute of `llvm`", 0..=18)];
    let all = all.into_iter().chain([("type of `quant`", 1..=6)]);
    let all: BTreeSet<_> = all.flat_map(|(what, codes)| codes.map(|code| (what.to_owned(), code))).collect();
    let missing: Vec<_> = all.difference(&found).collect();
    assert!(missing.is_empty() && found.len() == all.len(), "not written by any of these: {missing:?}");
}

/// Each word that the attribute for a language may have.
#[test]
fn languages_are_the_bytes_of_mlir_24() {
    let Some(program) = iree_opt("languages of MLIR 24") else { return };
    let definition = mlirbc_dialects::llvm::definition(b"di_source_language_name").expect("languages");
    let mut values = Vec::new();
    for field in definition.fields {
        let FieldKind::Keyword(words) = field.kind else { continue };
        for (_, word) in words.names {
            let given = format!("{} = {}{word}", field.name, words.prefix);
            let rest = match field.name {
                "language" => "",
                "name" => ", version = 0",
                _ => ", name = DW_LNAME_C, version = 4294967295",
            };
            values.push(format!("#llvm.di_source_language_name<{given}{rest}>"));
        }
    }
    assert!(values.len() > 100, "{values:?}");
    same_as_theirs(&program, &format!("\"t.op\"() {{values = [{}]}} : () -> ()", values.join(", ")));
}

#[test]
fn maps_sets_and_strided_layouts_are_the_bytes_of_mlir_24() {
    let Some(program) = iree_opt("encodings of MLIR 24") else { return };
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut text = String::new();
    for at in 0..1000 {
        let (map, set, strided) = (map(&mut numbers), set(&mut numbers), strided(&mut numbers));
        writeln!(text, "\"t.op\"() {{number = {at} : index, values = [{map}, {set}, {strided}]}} : () -> ()").unwrap();
    }
    same_as_theirs(&program, &format!("module {{ {text} }}"));
}

#[test]
fn every_floating_point_type_is_the_bytes_of_mlir_24() {
    let Some(program) = iree_opt("encodings of MLIR 24") else { return };
    let mut text = String::new();
    for kind in mlirbc_ir::number::FloatKind::ALL {
        let name = kind.keyword();
        writeln!(text, "\"t.op\"() {{ty = {name}, tensor = tensor<4x{name}>, value = 1.0 : {name}}} : () -> ()")
            .unwrap();
    }
    same_as_theirs(&program, &format!("module {{ {text} }}"));
}

#[test]
fn a_release_without_the_codes_gets_text() {
    let context = crate::definitions::context();
    let text = "\"t.op\"() {map = affine_map<(d0) -> (d0)>, ty = f8E5M2} : () -> ()";
    let module = parse_module(&context, text.as_bytes(), &ParseOptions::new()).expect("a module");
    let of = |release| write(&module, &WriteOptions::default().release(release)).expect("a module");
    let has = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    let [default, small_floats, all] = [Release::DEFAULT, Release::new(23), Release::new(24)].map(of);
    assert!(has(&default, b"affine_map<(d0) -> (d0)>\0") && has(&default, b"f8E5M2\0"));
    assert!(has(&small_floats, b"affine_map<(d0) -> (d0)>\0") && !has(&small_floats, b"f8E5M2\0"));
    assert!(!has(&all, b"affine_map") && !has(&all, b"f8E5M2\0"));
    for bytes in [default, small_floats, all] {
        let module = read(&context, bytes.clone()).expect("what was written");
        assert_eq!(write(&module, &WriteOptions::like(&module)).expect("what was read"), bytes);
    }
}

/// A map whose entry is these numbers, read.
fn entry(numbers: &'static [u64]) -> Result<(), Error> {
    let context = crate::definitions::context();
    let module =
        parse_module(&context, b"\"t.op\"() {map = affine_map<(d0) -> (d0)>} : () -> ()", &ParseOptions::new());
    let module = module.expect("a module");
    let callbacks = WriteCallbacks::default().attribute(move |attribute, writer| {
        if !matches!(writer.context()[attribute], AttributeData::AffineMap(_)) {
            return Written::NotMine;
        }
        numbers.iter().for_each(|&number| writer.varint(number));
        Written::Entry
    });
    let bytes = write(&module, &WriteOptions::new().callbacks(callbacks))?;
    let module = read(&context, bytes)?;
    decode_all(&module)
}

/// A few bytes must not become gigabytes, and no tree becomes too deep to walk.
#[test]
fn hostile_maps_and_sets_are_refused() {
    const IDENTITY: u64 = 0;
    const GENERAL: u64 = 3;
    static DEEP: [u64; 4 + 2 * 300] = {
        let mut numbers = [5; 4 + 2 * 300];
        (numbers[0], numbers[1], numbers[2], numbers[3]) = (23, GENERAL, 0, 1);
        numbers
    };
    let refused: [(&'static [u64], &str); 9] = [
        (&[23, (u32::MAX as u64) << 2 | IDENTITY], "ask for"),
        (&[23, 1 << 40 | IDENTITY], "too many"),
        (&[23, 1000 << 2 | 1, 0], "announced"),
        (&[23, 1 << 2 | 2, 1, 7], "does not have"),
        (&[23, 1 << 2 | GENERAL, 0, 1, 8, 0, 0], "code 8"),
        (&[23, 2 << 2 | GENERAL, 0, 1, 4, 0, 0, 0, 1], "non-affine"),
        (&[24, 0, 0, 1, 2], ""),
        (&DEEP, "deeper"),
        (&[25, 0, 1 << 50], ""),
    ];
    for (numbers, why) in refused {
        let error = entry(numbers).expect_err(why);
        assert!(error.to_string().contains(why), "{error}");
    }
    entry(&[23, 31 << 2 | IDENTITY]).expect("31 dimensions");
}

/// Releases from before the oldest whose layouts are known wrote the codes that there were.
#[test]
fn files_of_old_releases_go_back_to_the_same_bytes() {
    let folder = mlirbc_testing::fixtures().join("versions");
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of versions") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.contains(".16.") && name.ends_with(".mlirbc") {
            let bytes = std::fs::read(&path).expect("a fixture");
            let module = read(&crate::definitions::context(), bytes.clone()).expect("a fixture");
            let written = write(&module, &WriteOptions::like(&module)).expect("what was read");
            assert!(written == bytes, "{}", path.display());
            files += 1;
        }
    }
    assert_eq!(files, 2);
}
