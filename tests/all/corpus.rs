//! The reference corpora, written back: the bytes of each file as they were. `MLIRBC_SHARED` names the folder.

use std::path::PathBuf;

use bytes::Bytes;
use mlirbc::bytecode::inspect::label_bytes;
use mlirbc::bytecode::{BytecodeFile, WriteOptions, detach, read, write};
use mlirbc::{Context, Module, Result};
use mlirbc_testing::corpus;

/// Reads a file and writes it as `prepare` leaves it; says where the bytes differ.
fn rewrite(path: &PathBuf, prepare: fn(&mut Module) -> Result<()>) -> Result<(), String> {
    let original: Bytes = std::fs::read(path).map_err(|error| error.to_string())?.into();
    let context = Context::new();
    let written = || {
        let mut module = read(&context, original.clone())?;
        let options = mlirbc_testing::for_mlir_opt(WriteOptions::like(&module));
        prepare(&mut module)?;
        write(&module, &options)
    };
    let written = written().map_err(|error| error.to_string())?;
    if written == original {
        return Ok(());
    }
    let at = written.iter().zip(&original).position(|(ours, theirs)| ours != theirs);
    Err(format!("differs at {at:?}: {} bytes, not {}", written.len(), original.len()))
}

/// Rewrites every file of a folder, which holds at least so many.
fn every(folder: &str, least: usize, prepare: fn(&mut Module) -> Result<()>) {
    let Some(paths) = corpus(folder, &format!("files of corpus/{folder} were not written back")) else { return };
    let failures: Vec<String> = paths
        .iter()
        .filter_map(|path| rewrite(path, prepare).err().map(|error| format!("{}: {error}", path.display())))
        .collect();
    assert!(failures.is_empty(), "{} of {} files:\n{}", failures.len(), paths.len(), failures.join("\n"));
    assert!(paths.len() >= least, "{} files in corpus/{folder}, and there were {least}", paths.len());
}

fn lazily(_: &mut Module) -> Result<()> {
    Ok(())
}

#[test]
fn bytecode() {
    every("bytecode", 826, lazily);
}

#[test]
fn bytecode_without_its_file() {
    every("bytecode", 826, detach);
}

#[test]
fn spirv_dialect() {
    every("spirv_dialect", 187, lazily);
}

#[test]
fn spirv_dialect_without_its_file() {
    every("spirv_dialect", 187, detach);
}

#[test]
fn codes() {
    every("codes", 5, lazily);
}

#[test]
fn codes_without_their_file() {
    every("codes", 5, detach);
}

/// Most of these hold unknown encodings.
#[test]
fn stablehlo() {
    every("stablehlo", 46, lazily);
}

#[test]
fn every_byte_is_labelled_once() {
    let mut files = 0;
    for folder in ["bytecode", "spirv_dialect", "codes", "stablehlo"] {
        let Some(paths) = corpus(folder, &format!("bytes of corpus/{folder} were not labelled")) else { return };
        for path in paths {
            let bytes = std::fs::read(&path).expect("a file of the corpus");
            let (length, mut at) = (bytes.len() as u64, 0);
            let module = read(&Context::new(), bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let file = BytecodeFile::of(&module).expect("a bytecode file");
            let labelled = label_bytes(file, &mut |range, label| {
                assert!(range.start == at && range.end > at, "{}: {range:?} after {at}", path.display());
                assert!(!label.is_empty() && !label.contains(char::is_control), "{}: {label:?}", path.display());
                at = range.end;
                Ok(())
            });
            labelled.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert_eq!(at, length, "{}", path.display());
            files += 1;
        }
    }
    assert_eq!(files, 1064);
}
