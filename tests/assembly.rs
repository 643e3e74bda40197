//! Custom assembly of the reference corpora, read back: the same modules but for locations. `MLIRBC_SHARED` names the folder.

use mlirbc::bytecode::read;
use mlirbc::ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::ir::{CompareOptions, compare};
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

/// How many files of a folder come back as they were, of how many.
fn every(folder: &str) -> Option<(usize, usize, Vec<String>)> {
    let paths = corpus(folder, &format!("assembly of corpus/{folder} was not read back"))?;
    let failures: Vec<String> = paths
        .iter()
        .filter_map(|path| {
            let bytes = std::fs::read(path).map_err(|error| error.to_string());
            bytes.and_then(round_trip).err().map(|error| format!("{}: {error}", path.display()))
        })
        .collect();
    Some((paths.len() - failures.len(), paths.len(), failures))
}

#[test]
fn spirv_dialect() {
    let Some((_, all, failures)) = every("spirv_dialect") else { return };
    assert!(failures.is_empty(), "{} of {all}:\n{}", failures.len(), failures.join("\n"));
    assert!(all >= 187, "{all} files");
}

#[test]
fn bytecode() {
    let Some((good, all, failures)) = every("bytecode") else { return };
    assert!(good >= 820, "{good} of {all}:\n{}", failures.join("\n"));
    assert!(all >= 826, "{all} files");
}
