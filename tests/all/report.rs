//! `mlirbc report`: what stands in the page. `testing/report_chromium.py` clicks through it.

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use common::{mlirbc, said};
use mlirbc::Context;
use mlirbc::bytecode::{WriteOptions, write};
use mlirbc_testing::{fixture, fixtures, shared};

/// A page of at most this size is made of any file.
const LARGEST: usize = 1_000_000;

fn report(files: &[&Path]) -> String {
    let output = mlirbc().arg("report").args(files).output().unwrap();
    assert!(output.status.success(), "{files:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What a line says behind a mark, up to another one.
fn between<'t>(line: &'t str, before: &str, after: &str) -> Option<&'t str> {
    Some(line.split_once(before)?.1.split_once(after)?.0)
}

/// An item of a list: its name, its bytes, and how many others are around it.
struct Item {
    name: String,
    bytes: u64,
    depth: usize,
}

/// What is in the lists of a page. In every one parts add up, and are in order.
fn items(page: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    // The bytes of what is around the next item, and how many of them are left.
    let mut around: Vec<(u64, u64)> = Vec::new();
    for line in page.lines() {
        if line == "</ul></details></li>" {
            assert_eq!(around.pop().map(|(_, left)| left), Some(0), "all bytes are told apart");
        } else if line.starts_with("<li ") {
            let name = between(line, "<b><bdi>", "</bdi></b>").expect("a name").to_owned();
            let bytes = between(line, "<data value=", ">").expect("a size").parse().expect("a number");
            if let Some((all, left)) = around.last_mut() {
                *left = left.checked_sub(bytes).unwrap_or_else(|| panic!("too many bytes: {line}"));
                // Its tile has its share of the map.
                let place = between(line, "data-at=\"", "\"").expect("a place").split(' ');
                let [x, y, w, h]: [f64; 4] =
                    place.map(|at| at.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap();
                assert!(x + w < 100.03 && y + h < 100.03, "{line}");
                assert!((w * h / 1e4 - bytes as f64 / *all as f64).abs() < 1e-3, "{line}");
            }
            assert!(bytes > 0, "{line}");
            items.push(Item { name, bytes, depth: around.len() });
            if line.contains("<details") {
                around.push((bytes, bytes));
            }
        }
    }
    assert!(around.is_empty());
    items
}

/// What has to hold of every page.
fn check(page: &str) -> Vec<Item> {
    assert!(page.len() < LARGEST, "{} bytes", page.len());
    assert_eq!(page.matches("<script>").count(), 1);
    for loading in ["http:", "https:", "src=", "url(", "@import", "<link", "<img", "<iframe"] {
        assert!(!page.contains(loading), "{loading}");
    }
    let items = items(page);
    let id = |line: &str| Some(line.strip_prefix("<li id=")?.split([' ', '>']).next()?.to_owned());
    let names: BTreeMap<String, &str> = page.lines().filter_map(id).zip(items.iter().map(|item| &*item.name)).collect();
    assert_eq!(names.len(), items.len(), "each has an id of its own");
    for tile in page.lines().filter(|line| line.starts_with("<a href=#")) {
        let id = between(tile, "<a href=#", " ").unwrap();
        assert_eq!(names.get(id), between(tile, "<b>", "</b>").as_ref(), "{tile}");
    }
    items
}

fn files(folder: impl AsRef<Path>, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(fixtures().join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|it| it == extension)).collect();
    files.sort();
    files
}

#[test]
fn sums_are_the_size_of_the_file() {
    let mut all = files("", "mlirbc");
    all.extend(files("versions", "mlirbc"));
    all.extend(files("spirv", "spv"));
    all.extend(files("stablehlo", "jax"));
    assert!(all.len() > 20, "{}", all.len());
    if let Some(shared) = shared("reports of the reference data") {
        for (folder, extension) in [("bytecode", "mlirbc"), ("stablehlo_artifacts", "mlirbc"), ("spirv", "spv")] {
            let found = files(shared.join("corpus").join(folder), extension);
            assert!(found.len() > 100, "{folder}");
            all.extend(found.into_iter().step_by(29));
        }
    }
    for path in &all {
        let items = check(&report(&[path]));
        assert_eq!(items[0].bytes, fs::metadata(path).unwrap().len(), "{}", path.display());
        let children: u64 = items.iter().filter(|item| item.depth == 1).map(|item| item.bytes).sum();
        assert_eq!(children, items[0].bytes, "{}", path.display());
    }
}

#[test]
fn what_is_in_a_file_is_told_apart() {
    let names = |file: &str| check(&report(&[&fixture(file)]));
    let has = |items: &[Item], depth: usize, name: &str| {
        let found = items.iter().any(|item| (item.depth, &*item.name) == (depth, name));
        assert!(found, "{name}");
    };
    let bytecode = names("arith.mlirbc");
    for (depth, name) in [
        (1, "IR section"),
        (2, "@arith"),
        (3, "@fold"),
        (4, "scf.for"),
        (1, "attribute and type section"),
        (2, "attributes"),
        (3, "builtin"),
        (4, "location: file, line and column"),
        (1, "properties section"),
        (2, "arith.cmpi"),
    ] {
        has(&bytecode, depth, name);
    }
    let resources = names("resources.mlirbc");
    has(&resources, 2, "builtin");
    has(&resources, 3, "weights");
    let shader = names("spirv/blur.spv");
    for (depth, name) in [
        (1, "functions"),
        (2, "%main"),
        (3, "Load"),
        (1, "decorations"),
        (1, "types, constants and variables"),
        (2, "types"),
    ] {
        has(&shader, depth, name);
    }
    let export = names("stablehlo/dot.jax");
    has(&export, 1, "what jax.export saves around the artifact");
    has(&export, 3, "@main");
}

#[test]
fn text_is_shown_as_the_bytecode_that_it_becomes() {
    let path = fixture("arith.mlir");
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made.mlirbc");
    assert!(mlirbc().arg("convert").arg(&path).arg("-o").arg(&made).status().unwrap().success());
    let size = fs::metadata(&made).unwrap().len();
    let page = report(&[&path]);
    assert_eq!(check(&page)[0].bytes, size);
    assert!(page.contains("shown is the bytecode that it becomes"));
}

#[test]
fn names_in_a_file_are_text_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("<script>alert(0)<&'.mlir");
    let evil = "</script><img src=x onerror=alert(1)>\\22 onmouseover=\\22alert(2)'`";
    let text = format!(
        "module attributes {{a = \"{evil}\"}} {{\n  func.func private @\"{evil}\"() attributes {{b = \"{evil}\"}}\n}}\n\
         {{-# dialect_resources: {{ builtin: {{ \"{evil}\": \"0x0400000001000000\" }} }} #-}}\n"
    );
    fs::write(&path, text).unwrap();
    for files in [&[&*path][..], &[&path, &fixture("arith.mlirbc")]] {
        let page = report(files);
        items(&page);
        assert!(page.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot; onmouseover="), "it is there");
        assert!(!page.contains("<img") && !page.contains("alert(0)<&'"));
        assert_eq!(page.matches("<script").count(), 1);
        assert_eq!(page.matches("</script").count(), 1);
        // No attribute ends where a name says so.
        assert!(!page.contains("\" onmouseover"));
    }
}

#[test]
fn two_files_show_what_grew() {
    let folder = tempfile::tempdir().unwrap();
    let (before, after) = (folder.path().join("before.mlirbc"), folder.path().join("after.mlirbc"));
    let same = "func.func @same(%x: i32) -> i32 { %y = arith.addi %x, %x : i32 return %y : i32 }\n";
    let more = "func.func @more(%x: i32) -> i32 { %y = arith.muli %x, %x : i32 return %y : i32 }\n";
    let size = |text: &str, path: &Path| {
        let context = Context::new();
        let module = mlirbc::parse(&context, text).unwrap();
        fs::write(path, write(&module, &WriteOptions::default()).unwrap()).unwrap();
        fs::metadata(path).unwrap().len() as i64
    };
    let wrap = |text: &str| format!("module {{\n{text}}}\n");
    let grown = size(&wrap(&format!("{same}{more}")), &after) - size(&wrap(same), &before);
    let difference = |page: &str, path: &str| -> Option<i64> {
        let row = page.lines().find(|line| line.starts_with(&format!("<tr><td><bdi>{path}</bdi>")))?;
        between(row.rsplit_once("<td class=")?.1, "<data value=", ">")?.parse().ok()
    };
    for (files, sign) in [([&*before, &*after], 1), ([&*after, &*before], -1)] {
        let page = report(&files);
        assert_eq!(check(&page).iter().filter(|item| item.depth == 0).count(), 2);
        assert_eq!(difference(&page, "all of it"), Some(sign * grown));
        assert!(difference(&page, "IR section › @more").is_some_and(|bytes| bytes * sign > 0));
        assert!(difference(&page, "IR section › @more › arith.muli").is_some_and(|bytes| bytes * sign > 0));
        assert_eq!(difference(&page, "IR section › @same"), None);
    }
    let page = report(&[&before, &before]);
    assert!(page.contains("Nothing takes more or fewer bytes."));
}

#[test]
fn pages_stay_small() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.mlirbc");
    let long = "x".repeat(5000);
    let many = (0..30_000).map(|at| format!("func.func private @f{at}_{}()\n", if at < 50 { &long } else { "" }));
    let deep = |depth: usize| format!("{}{}", "builtin.module @m {\n".repeat(depth), "}\n".repeat(depth));
    let text = format!("{}{}", many.collect::<String>(), deep(100));
    let context = Context::new();
    fs::write(
        &path,
        write(&mlirbc::parse(&context, format!("module {{\n{text}}}")).unwrap(), &WriteOptions::default()).unwrap(),
    )
    .unwrap();
    let page = report(&[&path]);
    let items = check(&page);
    assert_eq!(items[0].bytes, fs::metadata(&path).unwrap().len());
    assert!(page.len() < 400_000 && items.len() < 3000, "{} bytes, {} items", page.len(), items.len());
    let ir = items.iter().find(|item| item.name == "IR section").unwrap();
    assert!(ir.bytes > 30_000);
    let two = report(&[&path, &path]);
    assert!(two.len() < 800_000, "{}", two.len());
}

#[test]
fn broken_files_have_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(fixture("arith.mlirbc")).unwrap();
    let out = folder.path().join("out.html");
    for end in (0..bytes.len()).step_by(7) {
        let path = folder.path().join("cut.mlirbc");
        fs::write(&path, &bytes[..end]).unwrap();
        let output = mlirbc().arg("report").arg(&path).arg("-o").arg(&out).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{end}: {}", said(&output));
        assert!(said(&output).contains("cut.mlirbc: error: "), "{}", said(&output));
        assert!(!out.exists());
    }
}
