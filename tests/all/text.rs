//! Real files as text, and back.

use std::path::Path;

use mlirbc::bytecode::{OpaqueParts, WriteOptions, read, write};
use mlirbc::ir::{CompareOptions, compare};
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::{Context, Module};
use mlirbc_testing::{corpus, fixture, fixtures, for_mlir_opt};

/// The text of a bytecode fixture, with locations.
fn text_of(name: &str) -> String {
    let bytes = std::fs::read(fixture(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let module = read(&Context::new(), bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = Vec::new();
    let options = PrintOptions::new().locations(true);
    print_module(&module, &options, &mut text).unwrap_or_else(|error| panic!("{name}: {error}"));
    String::from_utf8(text).expect("text")
}

#[test]
fn one_text_from_every_version() {
    for (module, count) in [("arith", 15), ("portable", 4)] {
        let entries = std::fs::read_dir(fixtures().join("versions")).expect("the folder of fixtures");
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.filter(|name| name.starts_with(&format!("{module}."))).collect();
        names.sort();
        assert_eq!(names.len(), count);
        let first = text_of(&format!("versions/{}", names[0]));
        for name in &names[1..] {
            assert_eq!(text_of(&format!("versions/{name}")), first, "{name} and {}", names[0]);
        }
    }
}

#[test]
fn bytecode_that_goes_through_text_is_the_same() {
    let fixtures = ["arith", "resources", "use_lists", "debug_info", "quant", "nested", "unregistered", "locations"];
    for name in fixtures {
        let name = format!("{name}.mlirbc");
        let text = text_of(&name);
        let context = Context::new();
        let options = ParseOptions::new().implicit_module(true);
        let module =
            parse_module(&context, text.as_bytes(), &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let options = WriteOptions { producer: b"MLIR22.1.8".to_vec(), ..WriteOptions::default() };
        let written = write(&module, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let original = std::fs::read(fixture(&name)).expect("a fixture");
        assert!(written == original, "{name}: other bytes");
    }
}

fn print(module: &Module) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().locations(true), &mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// Prints a file and reads the text: it must give the same text and the same bytes.
fn round_trip(path: &Path) -> Result<(), String> {
    let original = std::fs::read(path).map_err(|error| error.to_string())?;
    let context = Context::new();
    let module = read(&context, original.clone()).map_err(|error| error.to_string())?;
    let text = print(&module)?;
    let mut again = parse_module(&context, &text, &ParseOptions::new()).map_err(|error| error.to_string())?;
    if print(&again)? != text {
        return Err("its text differs the second time".into());
    }
    // Versions of dialects are not in the text.
    again.set_dialect_versions(module.dialect_versions().map_err(|error| error.to_string())?.to_vec());
    let written = write(&again, &for_mlir_opt(WriteOptions::like(&module))).map_err(|error| error.to_string())?;
    if written == original { Ok(()) } else { Err("other bytes".into()) }
}

/// Every file of a folder but for those named, which go through mlir-opt's own text no better.
fn every(folder: &str, but: &[&str]) {
    let Some(paths) = corpus(folder, &format!("files of corpus/{folder} did not go through text")) else { return };
    let failures: Vec<String> = paths
        .iter()
        .filter(|path| !but.iter().any(|name| path.ends_with(name)))
        .filter_map(|path| round_trip(path).err().map(|error| format!("{}: {error}", path.display())))
        .collect();
    assert!(failures.is_empty(), "{} of {} files:\n{}", failures.len(), paths.len(), failures.join("\n"));
}

#[test]
fn the_bytecode_corpus() {
    every("bytecode", &[]);
}

#[test]
fn the_spirv_corpus() {
    every("spirv_dialect", &[]);
}

#[test]
fn every_encoding() {
    every("codes", &["builtin_attributes.mlirbc"]);
}

/// Prints a file in every form: text that says all comes back, and no other text is taken. Says whether it says all.
fn comes_back_or_is_refused(path: &Path) -> Result<bool, String> {
    let context = Context::new();
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let module = read(&context, bytes).map_err(|error| error.to_string())?;
    let opaque = OpaqueParts::of(&module).map_err(|error| error.to_string())?;
    for generic in [true, false] {
        let mut text = Vec::new();
        let options = PrintOptions::new().locations(true).generic(generic);
        print_module(&module, &options, &mut text).map_err(|error| error.to_string())?;
        match (parse_module(&context, &text, &ParseOptions::new()), opaque.is_empty()) {
            (Ok(again), true) => {
                let differences = compare(&module, &again, &CompareOptions::new().locations(true));
                let differences = differences.map_err(|error| error.to_string())?;
                if let Some(first) = differences.first() {
                    return Err(format!("another module: {first:?}"));
                }
            }
            (Ok(_), false) => return Err(format!("its text is taken, without {opaque}")),
            (Err(_), false) => {}
            (Err(errors), true) => return Err(format!("nothing in it is opaque, and its text is refused: {errors}")),
        }
    }
    Ok(opaque.is_empty())
}

#[test]
fn text_of_real_files_holds_all_or_is_refused() {
    for (folder, count, least) in [("stablehlo", 46, 4), ("stablehlo_artifacts", 633, 0)] {
        let Some(paths) = corpus(folder, &format!("files of corpus/{folder} were not printed")) else { return };
        assert_eq!(paths.len(), count);
        let verdicts: Vec<_> = paths.iter().map(|path| (path, comes_back_or_is_refused(path))).collect();
        let failures: Vec<String> = verdicts
            .iter()
            .filter_map(|(path, verdict)| Some(format!("{}: {}", path.display(), verdict.as_ref().err()?)))
            .collect();
        assert!(failures.is_empty(), "{} of {count} files:\n{}", failures.len(), failures.join("\n"));
        let whole = verdicts.iter().filter(|(_, verdict)| *verdict == Ok(true)).count();
        assert!(whole >= least, "the text of {whole} of {count} files of {folder} holds all");
    }
}

/// Whatever a file says, printing it ends, in text or in an error; text that was printed of what decodes is read again.
#[test]
fn mutated_bytecode_is_printed_or_refused() {
    let names = ["arith", "resources", "use_lists", "debug_info", "quant", "unregistered", "locations"];
    let originals: Vec<Vec<u8>> =
        names.iter().map(|name| std::fs::read(fixture(&format!("{name}.mlirbc"))).expect("a fixture")).collect();
    let mut state = 1u64;
    let mut random = |end: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % end
    };
    let mut printed = 0;
    for round in 0..6_000 {
        let mut bytes = originals[round % originals.len()].clone();
        for _ in 0..1 + random(2) {
            let at = random(bytes.len());
            bytes[at] = random(256) as u8;
        }
        let context = Context::new();
        let Ok(module) = read(&context, bytes) else { continue };
        let Ok(text) = print(&module) else { continue };
        printed += 1;
        // Names that are not UTF-8, or properties that are no dictionary, print as what cannot be read: no panic is enough.
        if let Ok(again) = parse_module(&context, &text, &ParseOptions::new()) {
            print(&again).expect("what was read from text");
        }
    }
    assert!(printed > 500, "{printed} printed");
}
