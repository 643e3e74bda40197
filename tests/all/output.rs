//! Files that the command writes: whole or not at all, as what they replace, and never over an input.

use crate::common;

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use common::{mlirbc, names, said, shell};
use mlirbc::output::Output;
use mlirbc_testing::skipped;

/// Commands that write a file, with `OUT` for it.
const WRITERS: [(&str, &str); 7] = [
    ("convert", "$B convert $F/arith.mlirbc --to mlir -o OUT"),
    ("print", "$B print $F/arith.mlirbc -o OUT"),
    ("index", "cp $F/arith.mlirbc m; ln -s OUT m.index; $B index m"),
    ("extract", "$B resources extract $F/resources.mlirbc weights -o OUT"),
    ("strip", "$B resources strip $F/resources.mlirbc -o OUT"),
    ("ods", "$B ods import $F/ods/*.json -o OUT"),
    ("get", "$B store get --store s $($B store put --store s $F/arith.mlirbc) -o OUT"),
];

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("the file is there").mode() & 0o7777
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    for (name, line) in WRITERS {
        for kept in [0o600, 0o640, 0o664, 0o755] {
            let folder = tempfile::tempdir().unwrap();
            let out = folder.path().join("out");
            fs::write(&out, "old").unwrap();
            fs::set_permissions(&out, fs::Permissions::from_mode(kept)).unwrap();
            let output = shell(folder.path(), &line.replace("OUT", "out"));
            assert!(output.status.success(), "{name}: {}", said(&output));
            assert_ne!(fs::read(&out).unwrap(), b"old", "{name}");
            assert_eq!(mode(&out), kept, "{name}: {:o}", mode(&out));
        }
    }
}

#[test]
fn a_new_file_is_made_as_the_umask_says() {
    for (name, line) in WRITERS {
        for (umask, made) in [("022", 0o644), ("077", 0o600), ("002", 0o664), ("000", 0o666)] {
            let folder = tempfile::tempdir().unwrap();
            let output = shell(folder.path(), &format!("umask {umask}; {}", line.replace("OUT", "out")));
            assert!(output.status.success(), "{name}: {}", said(&output));
            let now = mode(&folder.path().join("out"));
            assert_eq!(now, made, "{name}: {now:o} under umask {umask}");
        }
    }
}

#[test]
fn a_file_without_leave_to_write_is_refused() {
    for (name, line) in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        fs::write(&out, "old").unwrap();
        fs::set_permissions(&out, fs::Permissions::from_mode(0o444)).unwrap();
        let output = shell(folder.path(), &line.replace("OUT", "out"));
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(
            said(&output).contains("read-only") || said(&output).contains("Permission denied"),
            "{}",
            said(&output)
        );
        assert_eq!((fs::read(&out).unwrap(), mode(&out)), (b"old".to_vec(), 0o444), "{name}");
    }
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    for (name, line) in WRITERS {
        for there in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let inside = folder.path().join("inside");
            fs::create_dir(&inside).unwrap();
            if there {
                fs::write(inside.join("target"), "old").unwrap();
            }
            // A chain of links, of which one is relative to another folder than the working directory.
            symlink("target", inside.join("second")).unwrap();
            symlink("inside/second", folder.path().join("first")).unwrap();
            let output = shell(folder.path(), &line.replace("OUT", "first"));
            assert!(output.status.success(), "{name}: {}", said(&output));
            for link in [folder.path().join("first"), inside.join("second")] {
                assert!(fs::symlink_metadata(&link).unwrap().is_symlink(), "{name}: {}", link.display());
            }
            let target = fs::symlink_metadata(inside.join("target")).unwrap();
            assert!(target.is_file() && target.len() > 3, "{name}");
            assert_eq!(names(&inside), ["second", "target"], "{name}: nothing else is left");
        }
    }
}

#[test]
fn links_in_a_circle_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    symlink("b", folder.path().join("a")).unwrap();
    symlink("a", folder.path().join("b")).unwrap();
    let output = shell(folder.path(), "$B convert $F/arith.mlirbc --to mlir -o a");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert_eq!(names(folder.path()), ["a", "b"]);
}

#[test]
fn a_named_pipe_is_written_straight_into() {
    for (name, line) in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        let line = format!("mkfifo pipe; cat pipe > copy & {}; code=$?; wait; exit $code", line.replace("OUT", "pipe"));
        let output = shell(folder.path(), &line);
        assert!(output.status.success(), "{name}: {}", said(&output));
        assert!(fs::metadata(folder.path().join("pipe")).unwrap().file_type().is_fifo(), "{name}");
        assert!(fs::metadata(folder.path().join("copy")).unwrap().len() > 3, "{name}");
    }
}

#[test]
fn a_device_stays_a_device() {
    for (name, line) in WRITERS {
        let folder = tempfile::tempdir().unwrap();
        // A null device of our own: a mistake would replace the machine's.
        let made = Command::new("mknod").arg(folder.path().join("null")).args(["c", "1", "3"]).output();
        let works = || fs::File::options().write(true).open(folder.path().join("null")).is_ok();
        if !made.is_ok_and(|made| made.status.success()) || !works() {
            return skipped("writing to a device", "no device can be made here (that takes root)");
        }
        let output = shell(folder.path(), &line.replace("OUT", "null"));
        assert!(output.status.success(), "{name}: {}", said(&output));
        let metadata = fs::symlink_metadata(folder.path().join("null")).unwrap();
        assert!(metadata.file_type().is_char_device(), "{name}");
    }
}

#[test]
fn standard_output_by_its_path_goes_where_standard_output_goes() {
    for (name, line) in WRITERS {
        for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            if name == "index" || !Path::new(path).exists() {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let expected = shell(folder.path(), &line.replace("OUT", "expected"));
            assert!(expected.status.success(), "{name}: {}", said(&expected));
            // Behind what was there, and before what comes behind it, though it is a regular file.
            let line = format!("{{ echo before; {}; echo after; }} > file", line.replace("OUT", path));
            let output = shell(folder.path(), &line);
            assert!(output.status.success(), "{name} to {path}: {}", said(&output));
            let file = fs::read(folder.path().join("file")).unwrap();
            let whole = [b"before\n", &*fs::read(folder.path().join("expected")).unwrap(), b"after\n"].concat();
            assert!(file == whole, "{name} to {path}: {}", String::from_utf8_lossy(&file));
        }
    }
}

#[test]
fn an_error_names_the_target_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("folder")).unwrap();
    let cases = [
        ("none/out", "none/out: No such file or directory (os error 2)"),
        ("folder", "folder: Is a directory (os error 21)"),
        ("new/", "new/: the name of a folder"),
        ("/dev/full", "/dev/full: No space left on device (os error 28)"),
    ];
    for (target, message) in cases {
        for (name, line) in WRITERS {
            if name == "index" {
                continue;
            }
            let output = shell(folder.path(), &line.replace("OUT", target));
            assert_eq!(output.status.code(), Some(1), "{name} to {target}");
            let said = said(&output);
            assert!(said.contains(message) && !said.contains(".tmp"), "{name} to {target}: {said}");
        }
    }
    assert_eq!(names(folder.path()), ["folder", "s"]);
    assert!(names(&folder.path().join("folder")).is_empty());
    // What fails halfway leaves the old file.
    fs::write(folder.path().join("old.spv"), "old").unwrap();
    let output = shell(folder.path(), "$B convert $F/arith.mlirbc -o old.spv");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read(folder.path().join("old.spv")).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["folder", "old.spv", "s"]);
}

#[test]
fn an_output_that_is_dropped_leaves_the_old_file() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, "old").unwrap();
    let mut output = Output::create(&path).unwrap();
    output.write_all(&[7; 1 << 17]).unwrap();
    assert_eq!(names(folder.path()).len(), 2, "the file and what is beside it");
    drop(output);
    assert_eq!(names(folder.path()), ["file"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");
    // Two at once do not meet.
    let (mut a, mut b) = (Output::create(&path).unwrap(), Output::create(&path).unwrap());
    a.write_all(b"a").unwrap();
    b.write_all(b"b").unwrap();
    a.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"a");
    b.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"b");
    assert_eq!(names(folder.path()), ["file"]);
}

#[test]
fn two_inputs_of_one_name_are_an_error_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| shell(folder.path(), line);
    assert!(run("mkdir x y; cp $F/arith.mlirbc x/m.mlirbc; cp $F/nested.mlirbc y/m.mlirbc").status.success());
    assert!(run("cp $F/arith.mlirbc q.mlirbc; cp $F/arith.mlir q.mlir").status.success());
    let before = names(folder.path());
    for (inputs, message) in [
        ("x/m.mlirbc y/m.mlirbc", "error: x/m.mlirbc and y/m.mlirbc would both be written to o/m.mlir\n"),
        ("q.mlirbc q.mlir", "error: q.mlirbc and q.mlir would both be written to o/q.mlir\n"),
        ("q.mlirbc ./q.mlirbc", "error: q.mlirbc and ./q.mlirbc would both be written to o/q.mlir\n"),
        ("x/m.mlirbc none/m.mlirbc", "error: x/m.mlirbc and none/m.mlirbc would both be written to o/m.mlir\n"),
    ] {
        let output = run(&format!("$B convert {inputs} --to mlir --out-dir o"));
        assert_eq!((output.status.code(), said(&output)), (Some(2), message.to_owned()));
        assert_eq!(names(folder.path()), before, "nothing is written");
    }
    // Nor where the names differ and links lead to one file.
    assert!(run("cp q.mlirbc r.mlirbc; mkdir l; ln -s r.mlir l/q.mlir").status.success());
    let output = run("$B convert q.mlirbc r.mlirbc --to mlir --out-dir l");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert_eq!(names(&folder.path().join("l")), ["q.mlir"]);
    // Extensions that say nothing of the format are part of the name.
    let output = run("cp q.mlirbc v.1; cp q.mlirbc v.2; $B convert v.1 v.2 --to mlir --out-dir versions");
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(names(&folder.path().join("versions")), ["v.1.mlir", "v.2.mlir"]);
}

#[test]
fn an_output_that_is_an_input_is_an_error_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let run = |line: &str| shell(folder.path(), line);
    let prepared = run("mkdir in; cp $F/resources.mlirbc in/m.mlirbc; ln -s in/m.mlirbc link; ln in/m.mlirbc hard; ln -s in also
                        cp $F/arith.mlirbc in/a.mlirbc; cp $F/ods/*.json in/; ls in/*.json | head -1 | xargs -I X cp X in/o.json
                        $B ods import in/o.json -o in/o.table; cp in/m.mlirbc in/m.mlirbc.index");
    assert!(prepared.status.success(), "{}", said(&prepared));
    let contents = || {
        let paths = names(&folder.path().join("in")).into_iter().map(|name| folder.path().join("in").join(name));
        paths.map(|path| (fs::read(&path).unwrap(), path)).collect::<Vec<_>>()
    };
    let before = contents();
    assert!(before.len() >= 5);
    let spelled =
        ["in/m.mlirbc", "./in/m.mlirbc", "in/../in/m.mlirbc", "\"$PWD\"/in/m.mlirbc", "link", "hard", "also/m.mlirbc"];
    let mut lines = Vec::new();
    for out in spelled {
        lines.push(format!("$B convert in/m.mlirbc --to mlirbc -o {out}"));
        lines.push(format!("$B convert - --to mlirbc -o {out} < in/m.mlirbc"));
        lines.push(format!("$B convert in/m.mlirbc --to mlirbc >> {out}"));
        lines.push(format!("$B convert {out} --to mlir -o in/m.mlirbc"));
        lines.push(format!("$B print in/m.mlirbc -o {out}"));
        lines.push(format!("$B resources strip in/m.mlirbc -o {out}"));
        lines.push(format!("$B resources extract in/m.mlirbc weights -o {out}"));
    }
    for more in [
        "$B convert in/m.mlirbc --to mlirbc --bytecode-version 4 --out-dir in",
        "cd in && $B convert m.mlirbc --to mlirbc --out-dir .",
        "$B convert in/a.mlirbc in/m.mlirbc --to mlirbc --out-dir also",
        "$B convert in/a.mlirbc --to mlirbc -o in/o.table --ods in/o.table",
        "$B ods import in/o.json -o in/o.json",
        "$B ods import in/o.json -o also/o.json",
        "$B ods import in/o.json -o in/o.table --ods in/o.table",
        "$B index in/m.mlirbc in/m.mlirbc.index",
    ] {
        lines.push(more.to_owned());
    }
    for line in lines {
        let output = run(&line);
        assert_eq!(output.status.code(), Some(2), "{line}: {}", said(&output));
        assert!(said(&output).contains(": it would be overwritten"), "{line}: {}", said(&output));
        assert!(contents() == before, "{line} wrote something");
    }
    // Devices are read and written by many at once.
    let output = run("$B convert - --to mlir -o /dev/null < /dev/null");
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn what_is_in_the_way_of_an_output_is_said_by_the_library_too() {
    let error = Output::create("/none/of/these").unwrap_err();
    assert_eq!(error.kind(), mlirbc::ErrorKind::Io);
    assert_eq!(error.to_string(), "/none/of/these: No such file or directory (os error 2)");
    let output = mlirbc().args(["convert", "fixtures/arith.mlirbc", "-o", "/none/of/these.mlir"]).output().unwrap();
    let expected = "fixtures/arith.mlirbc: error: /none/of/these.mlir: No such file or directory (os error 2)\n";
    assert_eq!(said(&output), expected);
}
