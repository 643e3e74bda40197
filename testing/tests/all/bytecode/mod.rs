//! Tests of `mlirbc-bytecode`, with the dialects of upstream.

mod common;
mod every_byte;
mod interface;
mod llvm_and_quant;
mod malformed;
mod million;
mod nesting;
mod opaque;
mod outermost;
mod property_blobs;
mod questionable;
mod reader;
mod toy;
mod unknown;
mod writer;

use std::path::PathBuf;

use mlirbc_testing::{corpus, fixtures, is_whole};

/// The fixtures, and some files of the corpora, or all where tests have their full length; where there are no corpora, says that
/// `what` is skipped.
fn some_files(what: &str) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
    paths.sort();
    for folder in ["bytecode", "spirv_dialect", "stablehlo"] {
        let files = corpus(folder, what).unwrap_or_default();
        paths.extend(files.into_iter().step_by(if is_whole() { 1 } else { 8 }));
    }
    paths
}
