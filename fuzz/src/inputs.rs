//! What the targets begin with.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Seed;

/// The folder of fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// The modules of a test of rewriting, as text.
pub(crate) fn of_a_test(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testing/tests/all/rewriting").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Every file below a folder whose name ends in that extension, in a fixed order.
fn paths_below(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            paths_below(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

/// The bytecode files among the fixtures; but for those of every operation of a release, which are large: a try of one takes as
/// long as a hundred of another.
pub fn bytecode_files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    paths_below(&fixtures(), "mlirbc", &mut found);
    found.retain(|path| !path.starts_with(fixtures().join("operations")));
    found
}

/// The files of one kind below a folder, with their names.
pub fn files_below(folder: &Path, extension: &str) -> Vec<Seed> {
    let mut found = Vec::new();
    paths_below(folder, extension, &mut found);
    named(found, folder)
}

fn named(paths: Vec<PathBuf>, folder: &Path) -> Vec<Seed> {
    let seed = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('/', "-");
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (name, bytes)
    };
    paths.into_iter().map(seed).collect()
}

/// The same files with their names.
pub(crate) fn bytecode() -> Vec<Seed> {
    named(bytecode_files(), &fixtures())
}

/// Keeps an input that broke a target in a file of its own among the temporary ones. Gives its path, or why there is none.
pub fn keep(name: &str, bytes: &[u8]) -> String {
    let kept = || -> std::io::Result<PathBuf> {
        let mut file = tempfile::Builder::new().prefix(&format!("mlirbc-{name}-")).tempfile()?;
        file.write_all(bytes)?;
        Ok(file.keep().map_err(|error| error.error)?.1)
    };
    kept().map_or_else(|error| error.to_string(), |path| path.display().to_string())
}

/// Inputs that once broke a target, with their names: fixed since.
pub fn findings(target: &str) -> Vec<Seed> {
    let folder = fixtures().join("findings").join(target);
    if !folder.is_dir() {
        return Vec::new();
    }
    let mut found: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    found.sort();
    let read = |path: &PathBuf| std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    found.iter().map(|path| (path.file_name().unwrap_or_default().to_string_lossy().into(), read(path))).collect()
}
