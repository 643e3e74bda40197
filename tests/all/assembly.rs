//! Custom assembly of the reference corpora, read back: the same modules but for locations. `MLIRBC_SHARED` names the folder.

use mlirbc::bytecode::read;
use mlirbc::ir::{CompareOptions, compare};
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::{Context, Module};
use mlirbc_testing::corpus;

fn text(module: &Module, options: &PrintOptions) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    print_module(module, options, &mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// Prints a module, reads that, and prints it again; says what is not as it was. Some attributes of MLIR's own making are
/// not in the text and not made anew.
fn round_trip(bytes: Vec<u8>) -> Result<(), String> {
    let context = Context::new();
    mlirbc::spirv::register(&context).map_err(|error| error.to_string())?;
    let module = read(&context, bytes).map_err(|error| error.to_string())?;
    for locations in [false, true] {
        let options = PrintOptions::new().generic(false).locations(locations);
        let first = text(&module, &options)?;
        let again = parse_module(&context, &first, &ParseOptions::new()).map_err(|error| error.to_string())?;
        let differences = compare(&module, &again, &CompareOptions::new()).map_err(|error| error.to_string())?;
        if let Some(difference) = differences.first() {
            return Err(format!("{} differences: {difference:?}", differences.len()));
        }
        if !locations && text(&again, &options)? != first {
            return Err("its text is another one the second time".to_owned());
        }
    }
    Ok(())
}

/// Files of the corpus `bytecode` that do not come back, and why.
const KNOWN: &[(&str, &str)] = &[
    (
        "iree-org+iree__compiler__src__iree__compiler__Codegen__SPIRV__test__config_default_linalg_ops.mlir.6.mlirbc",
        "a resource that is declared without a value is not in the text",
    ),
    (
        "xdslproject+xdsl__tests__filecheck__mlir-conversion__with-mlir__dialects__llvm__llvm_func.mlir.0.mlirbc",
        "`unnamed_addr` is the default where it is not given",
    ),
    (
        "xdslproject+xdsl__tests__filecheck__mlir-conversion__with-mlir__dialects__memref__memref_ops_custom.mlir.0.mlirbc",
        "`nontemporal = false` is the default, and is not in the text",
    ),
    (
        "xdslproject+xdsl__tests__filecheck__transforms__convert_memref_to_ptr.mlir.7.mlirbc",
        "`nontemporal = false` is the default, and is not in the text",
    ),
];

/// The files of a folder that do not come back as they were are those that are known, of so many.
fn every(folder: &str, count: usize, known: &[(&str, &str)]) {
    let Some(paths) = corpus(folder, &format!("assembly of corpus/{folder} was not read back")) else { return };
    assert_eq!(paths.len(), count, "files in corpus/{folder}");
    let (mut failures, mut names) = (Vec::new(), Vec::new());
    for path in &paths {
        let bytes = std::fs::read(path).map_err(|error| error.to_string());
        if let Err(error) = bytes.and_then(round_trip) {
            failures.push(format!("{}: {error}", path.display()));
            names.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    let known: Vec<&str> = known.iter().map(|known| known.0).collect();
    assert_eq!(names, known, "those that fail, and those that are known to:\n{}", failures.join("\n"));
}

#[test]
fn spirv_dialect() {
    every("spirv_dialect", 187, &[]);
}

#[test]
fn bytecode() {
    every("bytecode", 826, KNOWN);
}
