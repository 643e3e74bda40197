//! Files are short enough to be read in one go.

use std::path::{Path, PathBuf};

use crate::literals::sources;

/// How many lines a source may have.
const LINES: usize = 600;

/// How many one may have that is named below.
const LINES_WITH_REASON: usize = 900;

/// Sources that are longer, and why.
const LONGER: [(&str, &str); 1] =
    [("testing/tests/all/editing/model.rs", "one model of a body: all of it works on fields that nothing else sees")];

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
fn no_source_is_longer_than_agreed_but_for_those_named() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let files = all(repository);
    assert!(files.len() > 800, "{} sources were found", files.len());
    let mut longer = Vec::new();
    for file in &files {
        let count = std::fs::read_to_string(repository.join(file)).expect("a source").lines().count();
        assert!(count <= LINES_WITH_REASON, "{} has {count} lines", file.display());
        if count > LINES {
            longer.push(file.to_str().expect("a name that is text"));
        }
    }
    // The list does not outlive what it is for.
    assert_eq!(longer, LONGER.map(|(file, _)| file), "sources of more than {LINES} lines, and those named");
    let rules = std::fs::read_to_string(repository.join("CONTRIBUTING.md")).expect("the rules");
    for (file, reason) in LONGER {
        assert!(rules.contains(file), "CONTRIBUTING.md does not name {file}: {reason}");
    }
}
