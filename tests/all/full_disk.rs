//! Stores on a disk that is full to the last byte: also one in memory, where touching a hole of a file through a map ends the
//! process. Each command runs in a process of its own, so that a signal is seen.

use crate::common;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{mlirbc, said};
use mlirbc_testing::skipped;

const PAGE: usize = 4096;

/// Kinds of file systems.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// In memory.
    Tmpfs,
    /// On a disk, which is a file.
    Ext4,
}

/// A file system of its own, until it is dropped.
struct Disk {
    folder: tempfile::TempDir,
    _image: Option<tempfile::NamedTempFile>,
}

impl Disk {
    /// A file system of about that many bytes. Where it cannot be had, says that the test is skipped.
    fn mount(test: &str, kind: Kind, bytes: usize) -> Option<Self> {
        let is_root = fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0);
        if !is_root {
            skipped(test, "only root can mount a file system");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        let mut image = None;
        match kind {
            Kind::Tmpfs => mount.args(["-t", "tmpfs", "-o", &format!("size={bytes},mode=700"), "tmpfs"]),
            Kind::Ext4 => {
                let file = tempfile::NamedTempFile::new().expect("a file");
                file.as_file().set_len(bytes as u64).expect("a length");
                let mut make = Command::new("mkfs.ext4");
                // Nothing is kept for root, and no journal takes what there is.
                make.args(["-q", "-F", "-m", "0", "-O", "^has_journal", "-b", "4096"]).arg(file.path());
                if !make.output().is_ok_and(|output| output.status.success()) {
                    skipped(test, "mkfs.ext4 is not there, or fails");
                    return None;
                }
                mount.args(["-o", "loop"]).arg(file.path());
                image = Some(file);
                &mut mount
            }
        };
        let output = mount.arg(folder.path()).output();
        if !output.as_ref().is_ok_and(|output| output.status.success()) {
            skipped(test, &format!("{kind:?} cannot be mounted: {output:?}"));
            return None;
        }
        let disk = Disk { folder, _image: image };
        disk.clear();
        Some(disk)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Takes all room but `pages`. A file system may give back what was removed only when it writes its journal: it is
    /// made to do that, until nothing more comes.
    fn fill(&self, pages: usize) {
        let mut file = File::create(self.path("fill")).expect("a file");
        let mut size = 0;
        loop {
            let before = size;
            loop {
                match file.write(&[1; PAGE]) {
                    Ok(written) => size += written,
                    Err(error) if error.kind() == ErrorKind::StorageFull => break,
                    Err(error) => panic!("{error}"),
                }
            }
            if size == before {
                break;
            }
            // Where that fails for want of room, there is none.
            let _ = file.sync_all();
        }
        file.set_len((size - pages * PAGE) as u64).expect("a length");
    }

    /// How many bytes there is room for.
    fn room(&self) -> usize {
        let mut file = File::create(self.path("probe")).expect("a file");
        let mut size = 0;
        while let Ok(written) = file.write(&[1; PAGE]) {
            size += written;
        }
        fs::remove_file(self.path("probe")).expect("the file");
        // On a disk with a journal what was freed is free when the journal says so.
        File::open(self.folder.path()).and_then(|folder| folder.sync_all()).expect("a folder");
        size
    }

    /// Removes everything.
    fn clear(&self) {
        for entry in fs::read_dir(self.folder.path()).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("a removal");
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.folder.path()).status();
    }
}

/// A store and what was put there.
struct Used {
    path: PathBuf,
    /// What the key has.
    entries: BTreeMap<String, Vec<u8>>,
    commands: u32,
}

impl Used {
    fn new(disk: &Disk) -> Self {
        disk.clear();
        Used { path: disk.path("store"), entries: BTreeMap::new(), commands: 0 }
    }

    /// Runs a command of the store, which may fail and must not be ended by a signal or a panic.
    fn run(&mut self, words: &[&str], input: Option<&[u8]>) -> Output {
        let mut command = mlirbc();
        command.args(["store", words[0], "--store"]).arg(&self.path).args(&words[1..]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        // It may not want it.
        let _ = child.stdin.take().expect("a pipe").write_all(input.unwrap_or_default());
        let output = child.wait_with_output().expect("its end");
        self.commands += 1;
        assert_eq!(output.status.signal(), None, "{words:?} was ended by a signal");
        assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{words:?}: {}: {}", output.status, said(&output));
        output
    }

    fn succeed(&mut self, words: &[&str]) -> String {
        let output = self.run(words, None);
        assert!(output.status.success(), "{words:?}: {}: {}", output.status, said(&output));
        String::from_utf8(output.stdout).expect("text")
    }

    /// Puts something; whether that worked. That it did not is said to be for want of room.
    fn put(&mut self, bytes: &[u8], options: &[&str]) -> bool {
        let words: Vec<&str> = ["put"].iter().chain(options).chain(&["-"]).copied().collect();
        let output = self.run(&words, Some(bytes));
        if output.status.success() {
            let key = String::from_utf8(output.stdout).expect("a key").trim().to_owned();
            self.entries.insert(key, bytes.to_vec());
            return true;
        }
        assert!(said(&output).contains("No space left"), "{}", said(&output));
        false
    }

    /// All that was put is there, and nothing else.
    fn check(&mut self) {
        let entries = std::mem::take(&mut self.entries);
        for (key, bytes) in &entries {
            let output = self.run(&["get", key], None);
            assert!(output.status.success() && output.stdout == *bytes, "{key} is lost: {}", said(&output));
        }
        let listed = self.succeed(&["ls"]);
        assert_eq!(listed.lines().map(|line| &line[..64]).collect::<Vec<_>>(), entries.keys().collect::<Vec<_>>());
        self.succeed(&["verify"]);
        self.succeed(&["stats"]);
        self.entries = entries;
    }

    fn remove(&mut self, key: &str) {
        self.succeed(&["remove", key]);
        self.entries.remove(key);
    }

    /// Evicts, and forgets what has gone; what was said.
    fn gc(&mut self, bounds: &[&str]) -> String {
        let words: Vec<&str> = ["gc"].iter().chain(bounds).copied().collect();
        let output = self.run(&words, None);
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        let listed = self.succeed(&["ls"]);
        self.entries.retain(|key, _| listed.contains(key.as_str()));
        self.check();
        said(&output)
    }
}

/// Bytes that no other number gives.
fn value(number: usize, length: usize) -> Vec<u8> {
    (0..length).map(|at| ((at * 31) ^ (number * 127) ^ (at >> 8)) as u8 | 1).collect()
}

#[test]
fn a_store_on_a_full_disk_loses_nothing_and_makes_room() {
    for kind in [Kind::Tmpfs, Kind::Ext4] {
        if let Some(disk) = Disk::mount("a_store_on_a_full_disk_loses_nothing_and_makes_room", kind, 2 << 20) {
            use_and_fill(&disk, kind);
        }
    }
}

fn use_and_fill(disk: &Disk, kind: Kind) {
    let (mut commands, mut all_stayed) = (0, 0);
    // Small entries share a segment; with a small store, large ones have one of their own, and more is sealed.
    for (options, lengths) in [
        (&[][..], [500, 3_000, 900, 9_000, 120_000]),
        (&["--max-bytes", "2M"][..], [500, 30_000, 900, 90_000, 120_000]),
    ] {
        for pages in [0, 1, 3, 20] {
            let mut store = Used::new(disk);
            for (number, length) in lengths.into_iter().enumerate() {
                assert!(store.put(&value(number, length), options), "there is room");
            }
            if pages == 3 {
                store.gc(&[]);
            }
            disk.fill(pages);
            store.check();
            // What is there already takes no room.
            assert!(store.put(&value(2, 900), options));
            for (number, length) in [10, 700, 5_000, 60_000, 300_000].into_iter().enumerate() {
                store.put(&value(100 + number, length), options);
                store.check();
            }
            assert!(!store.put(&value(200, 1 << 20), &[]), "there is no room for that");
            disk.fill(0);
            store.check();

            // An entry can be removed, and the rest stays. One with a segment of its own, that is not sealed, gives back its
            // room at once.
            let large = store.entries.iter().find(|(_, bytes)| bytes.len() == 120_000).expect("it was put").0.clone();
            store.remove(&large);
            store.check();
            if !options.is_empty() && pages != 3 {
                assert!(disk.room() > 100_000, "{} bytes of room", disk.room());
                disk.fill(0);
            }
            let smallest = store.entries.iter().min_by_key(|(_, bytes)| bytes.len()).expect("entries").0.clone();
            store.remove(&smallest);
            store.check();
            disk.fill(0);

            // Eviction makes room. What is said to stay does, but where it is more than there is room to move.
            let before = disk.room();
            let said = store.gc(&["--max-entries", "2"]);
            assert!(disk.room() > before, "no room was made beside {before} bytes: {said}");
            assert!(store.entries.len() == 2 || said.contains("the disk is full"), "{said}");
            all_stayed += u32::from(store.entries.len() == 2);
            if !store.entries.is_empty() {
                disk.fill(0);
            }
            store.gc(&["--max-bytes", "0"]);
            let left = store.entries.len();
            assert!(left == 0 && disk.room() > 0, "{left} entries are left, and {} bytes of room", disk.room());
            assert!(store.put(&value(300, 5_000), options), "there is room");
            store.check();
            commands += store.commands;
        }
    }
    assert!(commands > 300 && all_stayed > 2, "{kind:?}: {commands} commands, all stayed {all_stayed} times");
}

/// With nothing left of what is kept back, what can be done without makes room for giving up everything.
#[test]
fn everything_can_be_evicted_where_no_room_is_kept_back() {
    let Some(disk) = Disk::mount("everything_can_be_evicted_where_no_room_is_kept_back", Kind::Tmpfs, 1 << 20) else {
        return;
    };
    let mut store = Used::new(&disk);
    for number in 0..5 {
        assert!(store.put(&value(number, 5_000), &[]));
    }
    fs::remove_file(store.path.join("reserve")).expect("what is kept back");
    disk.fill(0);
    store.check();
    store.gc(&["--max-bytes", "0"]);
    assert!(store.entries.is_empty() && disk.room() > 8_000, "{} bytes of room", disk.room());
    assert!(store.put(&value(9, 5_000), &[]));
    store.check();
}

#[test]
fn a_store_is_not_made_where_there_is_no_room() {
    let Some(disk) = Disk::mount("a_store_is_not_made_where_there_is_no_room", Kind::Tmpfs, 1 << 20) else { return };
    for pages in 0..6 {
        let mut store = Used::new(&disk);
        disk.fill(pages);
        for number in 0..3 {
            store.put(&value(number, 600), &[]);
        }
        store.check();
        disk.fill(0);
        store.check();
    }
}

/// As `cp --sparse=always` and what packs and unpacks files leave it: stretches of zeros are holes.
#[test]
fn a_copy_with_holes_can_be_used_on_a_full_disk() {
    let Some(disk) = Disk::mount("a_copy_with_holes_can_be_used_on_a_full_disk", Kind::Tmpfs, 4 << 20) else { return };
    let mut holey = value(1, 50_000);
    holey[5_000..45_000].fill(0);
    let mut large = value(2, 300_000);
    large[50_000..250_000].fill(0);
    // The record ends with a page: what stands behind it is a hole of the copy.
    let to_the_end_of_a_page = value(3, 2 * PAGE - 3 * 128 + 64);
    let shapes: [(&[&[u8]], &[&str]); 4] = [
        (&[&holey, &large], &[]),
        (&[&holey, &large], &["--max-bytes", "2M"]),
        (&[&to_the_end_of_a_page], &[]),
        (&[&to_the_end_of_a_page, &holey, &value(4, 800)], &[]),
    ];
    for (values, options) in shapes {
        for (sealed, pages) in [(false, 0), (true, 0), (false, 40)] {
            let mut store = Used::new(&disk);
            values.iter().for_each(|value| assert!(store.put(value, options), "there is room"));
            if sealed {
                store.gc(&[]);
            }
            let mut holes = 0;
            for entry in fs::read_dir(&store.path).expect("the store") {
                let path = entry.expect("a file").path();
                // It takes room again once something is written to the store.
                if !path.ends_with("reserve") {
                    holes += make_holes(&path);
                }
            }
            assert!(holes > 0, "a copy without holes");
            disk.fill(pages);
            store.check();
            store.put(&value(10, 700), options);
            store.put(&value(11, 20_000), options);
            store.check();
            disk.fill(0);
            store.check();
            let key = store.entries.keys().next().expect("an entry").clone();
            store.remove(&key);
            store.check();
            store.gc(&["--max-bytes", "0"]);
            assert!(store.put(&value(12, 5_000), options), "there is room");
            store.check();
        }
    }
}

/// Writes a file anew without its pages of zeros; how many there were before its last byte that is not zero.
fn make_holes(path: &Path) -> usize {
    let bytes = fs::read(path).expect("a file");
    fs::remove_file(path).expect("the file");
    let file = File::options().write(true).create_new(true).open(path).expect("a file");
    file.set_len(bytes.len() as u64).expect("a length");
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let mut holes = 0;
    for (at, page) in (0..).step_by(PAGE).zip(bytes.chunks(PAGE)) {
        if page.iter().any(|byte| *byte != 0) {
            file.write_all_at(page, at).expect("a page");
        } else {
            holes += usize::from((at as usize) < end + PAGE);
        }
    }
    holes
}
