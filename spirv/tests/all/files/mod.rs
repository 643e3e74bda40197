//! The modules that tests go through.

#![allow(dead_code)]

use std::path::PathBuf;

/// The fixtures, and the modules of the reference corpus where there is one.
pub fn modules() -> Vec<(String, Vec<u8>)> {
    let fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/spirv");
    let mut files = below(fixtures);
    assert_eq!(files.len(), 6, "fixtures");
    if let Some(shared) = mlirbc_testing::shared("modules of corpus/spirv were not looked at") {
        let corpus = below(shared.join("corpus/spirv"));
        assert_eq!(corpus.len(), 413, "the corpus");
        files.extend(corpus);
    }
    files
}

fn below(folder: PathBuf) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spv"));
    paths.sort();
    paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(&path).expect("a file"))).collect()
}
