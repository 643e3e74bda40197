//! Files are short enough to be read in one go.

use std::path::{Path, PathBuf};

use crate::literals::sources;

/// How many lines a source may have.
const LINES: usize = 600;

/// All sources of the repository, by their paths in it.
fn all(repository: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(repository).expect("the repository") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            sources(&path, &mut found);
        }
    }
    let relative = found.iter().map(|path| path.strip_prefix(repository).expect("a file of the repository").to_owned());
    let mut relative: Vec<PathBuf> =
        relative.filter(|path| !path.components().any(|part| part.as_os_str() == "target")).collect();
    relative.sort();
    relative
}

#[test]
fn no_source_is_longer_than_agreed() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let files = all(repository);
    assert!(files.len() > 800, "{} sources were found", files.len());
    let count = |file: &PathBuf| std::fs::read_to_string(repository.join(file)).expect("a source").lines().count();
    let longer: Vec<_> = files.iter().map(|file| (file, count(file))).filter(|it| it.1 > LINES).collect();
    assert!(longer.is_empty(), "sources of more than {LINES} lines: {longer:?}");
}
