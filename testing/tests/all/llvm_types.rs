//! Types of `llvm` in real files are values with parts, and not text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_dialects::llvm::{ArrayType, FunctionType, PlainType, PointerType, StructType, TargetExtType};
use mlirbc_ir::text::parse_type;
use mlirbc_ir::{AttributeData, BodyId, Context, Module, OperationSpec, Type, TypeData};
use mlirbc_testing::{append, shared, tool};
use mlirbc_text::{ParseOptions, parse_module};

/// What the context holds of the dialect: types by mnemonic, and the texts of those that were not taken apart.
#[derive(Default)]
struct Found {
    typed: BTreeMap<String, usize>,
    text: Vec<String>,
}

impl Found {
    fn note(&mut self, context: &Context) {
        for ty in (0..context.len().1).map(|raw| Type::from_raw(raw as u32)) {
            match &context[ty] {
                TypeData::Dialect(value) if context.bytes(value.dialect) == b"llvm" => {
                    *self.typed.entry(context.text(value.mnemonic).into_owned()).or_default() += 1;
                    let has_handle = PointerType::of(context, ty).is_some()
                        || ArrayType::of(context, ty).is_some()
                        || FunctionType::of(context, ty).is_some()
                        || StructType::of(context, ty).is_some()
                        || TargetExtType::of(context, ty).is_some()
                        || PlainType::of(context, ty).is_some();
                    // The name of a struct inside of it has none.
                    assert!(has_handle || value.parameters.len() == 1, "{value:?}");
                }
                TypeData::Text { dialect, text } if context.bytes(*dialect) == b"llvm" => {
                    self.text.push(String::from_utf8_lossy(text).into_owned());
                }
                _ => {}
            }
        }
    }
}

/// Files below a folder with one of these extensions.
fn files(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            files(&path, extensions, found);
        } else if extensions.iter().any(|wanted| path.extension().is_some_and(|extension| extension == *wanted)) {
            found.push(path);
        }
    }
}

/// Of every file of the corpora that has types of the dialect.
#[test]
fn no_type_of_a_real_file_is_kept_as_text() {
    let Some(shared) = shared("types of llvm were not counted in real files") else { return };
    let mut paths = Vec::new();
    files(&shared.join("corpus"), &["mlirbc", "mlir"], &mut paths);
    let mut with_types = 0;
    let mut found = Found::default();
    for path in &paths {
        let bytes = std::fs::read(path).expect("a readable file");
        if !bytes.windows(5).any(|window| window == b"!llvm") {
            continue;
        }
        let context = crate::definitions::context();
        if bytes.starts_with(b"ML\xefR") {
            let module = read(&context, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            decode_all(&module).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        } else if parse_module(&context, &bytes, &ParseOptions::new()).is_err() {
            continue;
        }
        with_types += 1;
        found.note(&context);
    }
    println!("{with_types} of {} files: {:?}", paths.len(), found.typed);
    assert!(found.text.is_empty(), "{:#?}", found.text);
    assert!(paths.len() > 2_000, "only {} files", paths.len());
    assert!(with_types >= 10, "only {with_types} files");
    assert!(found.typed.len() >= 4, "{:?}", found.typed);
}

/// What MLIR makes of shaders is of this dialect: read, nothing of it is kept as text, and written it is the same file.
#[test]
fn what_spirv_becomes_is_typed() {
    let what = "types of llvm in converted shaders were not counted";
    let Some(paths) = mlirbc_testing::corpus("spirv_dialect", what) else { return };
    if !tool("mlir-opt-22", what) {
        return;
    }
    let (mut converted, mut found) = (0, Found::default());
    for path in paths.iter().step_by(2) {
        let output = Command::new("mlir-opt-22")
            .args(["--convert-spirv-to-llvm", "--emit-bytecode"])
            .arg(path)
            .output()
            .expect("mlir-opt-22 starts");
        if !output.status.success() || output.stdout.is_empty() {
            continue;
        }
        let context = crate::definitions::context();
        let module =
            read(&context, output.stdout.clone()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        decode_all(&module).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        found.note(&context);
        let options = WriteOptions { producer: b"MLIR22.1.8".to_vec(), ..WriteOptions::default() };
        let written = write(&module, &options).expect("a module to write");
        assert!(written == output.stdout, "{}: written again, it is another file", path.display());
        converted += 1;
    }
    println!("{converted} shaders: {:?}", found.typed);
    assert!(found.text.is_empty(), "{:#?}", found.text);
    assert!(converted >= 12, "only {converted} shaders");
    assert!(found.typed.len() >= 4, "{:?}", found.typed);
}

/// A struct's name stands for one struct in all of a file, whether its types are read together or one by one.
#[test]
fn a_file_with_two_structs_of_one_name_is_refused() {
    let cases = [
        ("(i8)", "(i16)", "identified type already used with a different body"),
        ("(i8)", "packed (i8)", "identified type already used with a different body"),
        ("opaque", "(i8)", "identified type already used with a different body"),
        ("(i8)", "opaque", "redeclaring defined struct as opaque"),
    ];
    for (one, other, wanted) in cases {
        let context = crate::definitions::context();
        let types = [one, other].map(|body| {
            let text = format!("!llvm.struct<\"a\", {body}>");
            parse_type(&context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
        });
        let file = |types: &[Type]| {
            let mut module = Module::new(&context);
            for &ty in types {
                let attributes = context
                    .dictionary(vec![(context.identifier("t.type"), context.attribute(AttributeData::Type(ty)))]);
                let spec = OperationSpec {
                    attributes: Some(attributes.expect("one name").into()),
                    ..OperationSpec::new(context.operation_name("t.t", false), context.unknown_location().into())
                };
                append(&mut module, BodyId::from_index(Module::TOP), &spec);
            }
            write(&module, &WriteOptions::default()).expect("a module to write")
        };
        let read_all = |bytes: Vec<u8>| {
            let module = read(&crate::definitions::context(), bytes)?;
            decode_all(&module)
        };
        for &ty in &types {
            read_all(file(&[ty, ty])).expect("one struct");
        }
        let error = read_all(file(&types)).expect_err("two structs of one name").to_string();
        assert!(error.contains(wanted), "{one} and {other}: {error}");
    }
}
