//! Where the inputs of tests are, and saying loudly which are missing.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The environment variable that makes tests rewrite what they expect.
pub const BLESS: &str = "BLESS";

/// The environment variable that names the folder with reference data.
const SHARED: &str = "MLIRBC_SHARED";

/// Says on standard error that something was not tested, and why. The harness does not capture it.
pub fn skipped(what: &str, why: &str) {
    let _ = writeln!(std::io::stderr(), "SKIPPED: {what}: {why}");
}

/// The folder of fixtures.
pub fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// One fixture.
pub fn fixture(name: &str) -> PathBuf {
    fixtures().join(name)
}

/// The folder with reference data; where there is none, says that `what` is skipped.
pub fn shared(what: &str) -> Option<PathBuf> {
    let found = std::env::var_os(SHARED).map(PathBuf::from).filter(|path| path.is_dir());
    if found.is_none() {
        skipped(what, &format!("{SHARED} does not name the folder with reference data"));
    }
    found
}

/// The bytecode files of a folder of the reference corpus, sorted; where there is none, says that `what` is skipped.
///
/// # Panics
/// Where the folder of reference data is there, but this one cannot be read or is empty.
pub fn corpus(folder: &str, what: &str) -> Option<Vec<PathBuf>> {
    let folder = shared(what)?.join("corpus").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc"))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "no .mlirbc file in {}", folder.display());
    Some(paths)
}

/// Whether a program is installed; where it is not, says that `what` is skipped.
pub fn tool(program: &str, what: &str) -> bool {
    let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let installed = status.is_ok_and(|status| status.success());
    if !installed {
        skipped(what, &format!("{program} is not installed"));
    }
    installed
}

/// `iree-opt`, which reads and writes what MLIR 24 does: the one on the path, or the one that `pip` put into `~/.iree`; where
/// there is none, says that `what` is skipped.
pub fn iree_opt(what: &str) -> Option<PathBuf> {
    let home = std::env::home_dir().unwrap_or_default().join(".iree/bin/iree-opt");
    let found = [PathBuf::from("iree-opt"), home].into_iter().find(|program| {
        let status = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    });
    if found.is_none() {
        skipped(what, "iree-opt is not installed: pip install iree-base-compiler");
    }
    found
}

/// Set where tests try all that they are there for, as `.ci/run` does: of what takes long they try a fourth otherwise, so that
/// the first build of the project does not wait for it.
const WHOLE: &str = "MLIRBC_WHOLE";

/// Whether tests try all that they are there for: whether the environment has `MLIRBC_WHOLE`.
pub fn is_whole() -> bool {
    std::env::var_os(WHOLE).is_some()
}

/// The number in that variable of the environment, if it is set.
///
/// # Panics
/// Where the variable holds no number.
pub fn env_number(variable: &str) -> Option<u64> {
    let value = std::env::var(variable).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{variable} is no number: {value}")))
}

/// How many inputs a test tries: the number in that variable of the environment; else all of them, or [a fourth](is_whole).
///
/// # Panics
/// Where the variable holds no number.
pub fn times(variable: &str, all: u64) -> u64 {
    env_number(variable).unwrap_or(if is_whole() { all } else { all / 4 })
}
