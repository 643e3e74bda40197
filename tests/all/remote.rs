//! The command with an object store behind the directory: here a folder. `store/tests` has servers.

use std::process::{Command, Output};

fn mlirbc(words: &[&str]) -> Output {
    let output =
        Command::new(env!("CARGO_BIN_EXE_mlirbc")).current_dir(env!("CARGO_MANIFEST_DIR")).args(words).output();
    output.expect("the command runs")
}

#[test]
fn a_module_goes_from_one_store_to_another() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let url = format!("file://{}", at("far"));
    let file = "fixtures/arith.mlirbc";
    let put = mlirbc(&["store", "put", "--store", &at("one"), "--remote", &url, file]);
    assert!(put.status.success() && put.stderr.is_empty(), "{put:?}");
    let key = String::from_utf8(put.stdout).unwrap().trim().to_owned();

    let got = mlirbc(&["store", "get", "--store", &at("two"), "--remote", &url, &key]);
    assert_eq!(got.stdout, std::fs::read(file).unwrap(), "{}", String::from_utf8_lossy(&got.stderr));
    // It is there now, without the other.
    assert!(mlirbc(&["store", "get", "--store", &at("two"), &key]).status.success());
    let stats = mlirbc(&["store", "stats", "--store", &at("two")]);
    assert!(String::from_utf8_lossy(&stats.stdout).contains("remote    1 hits, 0 failures"), "{stats:?}");

    assert!(mlirbc(&["store", "remove", "--store", &at("two"), "--remote", &url, &key]).status.success());
    let gone = mlirbc(&["store", "get", "--store", &at("three"), "--remote", &url, &key]);
    assert_eq!(gone.status.code(), Some(3));

    // The remote does not answer: it is put all the same, and says so.
    let absent = "http://127.0.0.1:9/x";
    let words = ["store", "put", "--store", &at("one"), "--remote", absent, "--remote-timeout", "20", file];
    let put = mlirbc(&words);
    assert!(put.status.success(), "{put:?}");
    assert_eq!(String::from_utf8_lossy(&put.stderr), format!("{absent}: 1 entry not sent\n"));
    let wrong = mlirbc(&["store", "put", "--store", &at("one"), "--remote", "ftp://x/y", file]);
    assert_eq!(wrong.status.code(), Some(1), "{wrong:?}");
}
