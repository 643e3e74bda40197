//! A store that several users write to: each in a process of his own, which takes root to start.

use crate::common;

use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use common::{key, value};
use mlirbc_store::disk::Folder;
use mlirbc_store::{Options, Store};
use mlirbc_testing::skipped;
use rustix::fs::Mode;

const WORKER: &str = "MLIRBC_STORE_USER";
const TEST: &str = "a_shared_store_is_shared_by_users";

fn options() -> Options {
    Options::new().shared(true).segment_length(64 << 10)
}

/// What one user does, as one of many who took turns: gets what the others have put, puts and removes, and evicts.
fn work(path: &Path, turn: u64, umask: u32) {
    rustix::process::umask(Mode::from_raw_mode(umask));
    let store = Store::open_with(path, options()).expect("a shared store");
    for number in 0..turn {
        let found = store.get_bytes(&key(number)).expect("a get").map(|value| value.bytes);
        let wanted = (number % 4 != 3).then(|| value(number, 0, 700));
        assert_eq!(found.as_deref(), wanted.as_deref(), "turn {turn}: what turn {number} left");
    }
    store.put_bytes(&key(turn), value(turn, 0, 700), b"").expect("a put");
    // Has a segment of its own.
    store.put_bytes(&key(1000), value(1000, turn, 40_000), b"").expect("a large put");
    if turn % 4 == 3 {
        assert!(store.remove(&key(turn)).expect("a removal"));
        let done = store.gc(None, None, false).expect("eviction");
        assert!(!done.busy && done.segments > 0, "{done:?}");
    }
    assert_eq!(store.verify().expect("a check").damage, []);
    assert_eq!(store.stats().expect("figures").failed, 0);
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Runs one turn as a user and a group.
fn turn(program: &Path, store: &Path, turn: u64, user: (u32, u32), umask: u32) {
    let mut command = Command::new(program);
    command
        .args(["--exact", &format!("shared::{TEST}"), "--nocapture"])
        .env(WORKER, format!("{turn} {umask} {}", store.display()));
    command.uid(user.0).gid(user.1).current_dir("/");
    // A process that another test starts while the program is copied has it open for writing, until it is a program itself.
    let begun = std::time::Instant::now();
    let output = loop {
        match command.output() {
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy && begun.elapsed().as_secs() < 60 => {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            output => break output.expect("a process"),
        }
    };
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "turn {turn} of user {user:?}, umask {umask:o}: {said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "the turn was not taken");
}

#[test]
fn a_shared_store_is_shared_by_users() {
    if let Ok(text) = std::env::var(WORKER) {
        let mut parts = text.splitn(3, ' ');
        let mut part = || parts.next().expect("three parts");
        let (turn, umask) = (part().parse().expect("a number"), part().parse().expect("a number"));
        return work(Path::new(part()), turn, umask);
    }
    if !is_root() {
        return skipped(TEST, "only root can be two users");
    }
    // Where every user may go.
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o755)).expect("permissions");
    let program = folder.path().join("program");
    std::fs::copy(std::env::current_exe().expect("this program"), &program).expect("a copy");

    // Of everybody; of a group that is handed down, and of one that is not.
    let group = 54_321;
    for (name, mode, users) in [
        ("everybody", 0o777, [(0, 0), (65_534, 65_534), (1001, 1001)]),
        ("handed_down", 0o2770, [(0, 0), (1001, group), (1002, group)]),
        ("group", 0o770, [(0, 0), (1001, group), (1002, group)]),
    ] {
        let store = folder.path().join(name);
        std::fs::create_dir(&store).expect("a folder");
        chown(&store, None, Some(group)).expect("a group");
        std::fs::set_permissions(&store, PermissionsExt::from_mode(mode)).expect("permissions");
        for number in 0..12 {
            let umask = [0o022, 0o077, 0o000][number as usize / 3 % 3];
            turn(&program, &store, number, users[number as usize % 3], umask);
        }
        let mut files = 0;
        for entry in std::fs::read_dir(&store).expect("a folder") {
            let entry = entry.expect("an entry");
            let metadata = entry.metadata().expect("metadata");
            let others = if mode & 0o007 == 0 { 0o660 } else { 0o666 };
            assert_eq!(metadata.mode() & 0o777, others, "{name}: {:?}", entry.file_name());
            assert!(mode & 0o007 != 0 || metadata.gid() == group, "{name}: {:?}", entry.file_name());
            files += 1;
        }
        assert!(files > 5, "{files} files");
    }
}

#[test]
fn a_shared_store_that_is_made_is_as_open_as_the_umask_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let [shared, own] = ["shared", "own"].map(|name| folder.path().join(name));
    Folder::make(&shared, true).expect("a folder");
    Folder::make(&own, false).expect("a folder");
    let mode = |path: &Path| std::fs::metadata(path).expect("metadata").mode() & 0o777;
    // Whatever the umask of who runs this: what other folders get.
    let any = folder.path().join("any");
    std::fs::create_dir(&any).expect("a folder");
    assert_eq!((mode(&shared), mode(&own)), (mode(&any), 0o700));
}

#[test]
fn files_of_a_store_are_as_open_as_the_umask_says_and_written_by_their_user_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("store");
    Store::open(&path).expect("a store").put_bytes(&key(1), b"bytes", b"").expect("a put");
    let any = folder.path().join("any");
    std::fs::write(&any, "").expect("a file");
    let wanted = std::fs::metadata(&any).expect("metadata").mode() & 0o755;
    let mut files = 0;
    for entry in std::fs::read_dir(&path).expect("a folder") {
        let entry = entry.expect("an entry");
        assert_eq!(entry.metadata().expect("metadata").mode() & 0o777, wanted, "{:?}", entry.file_name());
        files += 1;
    }
    assert!(files > 2, "{files} files");
}
