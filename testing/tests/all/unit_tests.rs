//! A crate whose manifest says that its sources hold no tests, so that they need not be built for tests, holds none: they would
//! never run.

use std::path::{Path, PathBuf};

/// The folders of the packages of a workspace, its own among them.
fn members(manifest: &str) -> Vec<&str> {
    let listed = manifest.lines().find_map(|line| line.strip_prefix("members = [")?.strip_suffix(']'));
    let listed = listed.expect("the members on one line").split(',').map(|name| name.trim().trim_matches('"'));
    std::iter::once(".").chain(listed).collect()
}

/// Whether a manifest says that the library is not built for tests.
fn is_left_out(manifest: &str) -> bool {
    let section = manifest.split("\n[").find_map(|section| section.strip_prefix("lib]"));
    section.is_some_and(|section| section.lines().any(|line| line.trim() == "test = false"))
}

/// The sources below a folder that hold tests, and how many sources there are.
fn with_tests(folder: &Path, found: &mut Vec<PathBuf>) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            count += with_tests(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            count += 1;
            let source = std::fs::read_to_string(&path).expect("a source");
            if source.lines().any(|line| line.trim().starts_with("#[test]")) {
                found.push(path);
            }
        }
    }
    count
}

#[test]
fn manifests_are_told_apart() {
    assert!(is_left_out("[package]\nname = \"a\"\n\n[lib]\ntest = false\n\n[dependencies]\n"));
    assert!(!is_left_out("[package]\nname = \"a\"\n\n[lib]\n\n[[bin]]\nname = \"b\"\ntest = false\n"));
    assert!(!is_left_out("[package]\nname = \"a\"\n"));
}

#[test]
fn no_test_is_left_out() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let (mut left_out, mut holding, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let workspace = std::fs::read_to_string(repository.join("Cargo.toml")).expect("the manifest of the workspace");
    // Benchmarks are no library.
    for name in members(&workspace).into_iter().filter(|name| *name != "benches") {
        let folder = repository.join(name);
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        let mut found = Vec::new();
        assert!(with_tests(&folder.join("src"), &mut found) > 1, "{name}: its sources");
        if !found.is_empty() {
            holding.push(name);
        }
        if is_left_out(&manifest) {
            left_out.push(name);
            wrong.append(&mut found);
        }
    }
    assert!(left_out.contains(&"store") && holding.contains(&"ir"), "{left_out:?}, {holding:?}");
    assert!(wrong.is_empty(), "tests that no run of the tests builds: {wrong:#?}");
}
