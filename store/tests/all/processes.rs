//! Many real processes on one directory, killed at any moment: also where there is less room than they want.
//!
//! `MLIRBC_STORE_SECONDS=60 cargo test --release -p mlirbc-store --test all processes::` is the full length.

use crate::common;

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use common::{Numbers, folder, key, scale, value};
use mlirbc_store::{Options, Stats, Store};
use mlirbc_testing::skipped;

const WORKER: &str = "MLIRBC_STORE_WORKER";
const KEYS: u64 = 400;

fn options() -> Options {
    Options::new().segment_length(256 << 10).max_bytes(4 << 20)
}

/// The bytes of a value say whose and how long they are: nothing else is right. What begins at [`KEYS`] is anyone's.
fn is_right(number: u64, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes.get(..bytes.len().min(60)).unwrap_or_default()).into_owned();
    let mut parts = text.split(['.', ':']);
    let mut part = || parts.next().and_then(|part| part.parse::<u64>().ok());
    let (Some(own), Some(version), Some(length)) = (part(), part(), part()) else { return false };
    (own == number || own >= KEYS) && *bytes == *value(own, version, length as usize)
}

/// What one process does until it is killed: every line that it prints is a failure. That there is no room is none where
/// there may be none.
fn work(path: &Path, seed: u64, full: bool) {
    let mut numbers = Numbers(seed);
    let tell = |what: String| {
        if full && what.contains("No space left") {
            return;
        }
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "FAILED {what}");
        let _ = out.flush();
    };
    loop {
        let store = match Store::open_with(path, options()) {
            Ok(store) => store,
            Err(error) => return tell(format!("open: {error}")),
        };
        // A second opener in the same process.
        let second = match Store::open_with(path, options()) {
            Ok(store) => store,
            Err(error) => return tell(format!("open: {error}")),
        };
        for _ in 0..3000 {
            let number = numbers.below(KEYS);
            let store = if numbers.below(4) == 0 { &second } else { &store };
            match numbers.below(1000) {
                0..300 => {
                    let length = match numbers.below(200) {
                        0 => 100_000 + numbers.below(100_000),
                        _ => numbers.below(6_000),
                    };
                    let mut new = value(number, numbers.below(1 << 30), length as usize);
                    if numbers.below(8) == 0 {
                        let content = numbers.below(6);
                        new = value(KEYS + content, 0, 16_384 + 8_000 * content as usize);
                    }
                    if let Err(error) = store.put_bytes(&key(number), &new, b"") {
                        tell(format!("put: {error}"));
                    }
                }
                300..330 => {
                    if let Err(error) = store.remove(&key(number)) {
                        tell(format!("remove: {error}"));
                    }
                }
                330..332 => {
                    if let Err(error) = store.gc(Some(1 << 20), None, false) {
                        tell(format!("gc: {error}"));
                    }
                }
                332 => {
                    if let Err(error) = store.stats() {
                        tell(format!("stats: {error}"));
                    }
                }
                _ => match store.get_bytes(&key(number)) {
                    Ok(Some(found)) if !is_right(number, &found.bytes) => tell(format!("wrong bytes of {number}")),
                    Ok(_) => {}
                    Err(error) => tell(format!("get: {error}")),
                },
            }
        }
        if let Ok(stats) = store.stats()
            && (stats.bad > 0 || (stats.failed > 0 && !full))
        {
            tell(format!("{stats:?}"));
        }
    }
}

fn start(path: &Path, seed: u64, test: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", &format!("processes::{test}"), "--nocapture"])
        .env(WORKER, format!("{seed} {}", path.display()));
    command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("a process")
}

/// Kills workers of a test at random, and looks at what they leave.
fn kill_at_random(path: &Path, test: &str) -> Stats {
    // One test at a time: the machine has only so many processors.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut numbers = Numbers(11);
    let mut children: Vec<Child> = (0..8).map(|_| start(path, numbers.next(), test)).collect();
    let end = Instant::now() + Duration::from_secs(scale("MLIRBC_STORE_SECONDS", 6));
    let (mut kills, mut output) = (0, String::new());
    let mut reap = |mut child: Child| {
        if let Some(status) = child.try_wait().expect("its state") {
            output.push_str(&format!("FAILED a process ended by itself: {status}\n"));
        }
        child.kill().expect("a kill");
        let done = child.wait_with_output().expect("its end");
        output.push_str(&String::from_utf8_lossy(&done.stdout));
    };
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20 + numbers.below(150)));
        let number = numbers.below(8) as usize;
        reap(std::mem::replace(&mut children[number], start(path, numbers.next(), test)));
        kills += 1;
    }
    children.into_iter().for_each(reap);
    let failures: Vec<&str> = output.lines().filter(|line| line.contains("FAILED")).collect();
    assert!(failures.is_empty(), "{} failures, as {:#?}", failures.len(), &failures[..failures.len().min(10)]);

    let store = Store::open_with(path, options()).expect("the store opens");
    let verified = store.verify().expect("the store is read");
    assert_eq!(verified.damage, []);
    let mut found = 0;
    for number in 0..KEYS {
        if let Some(value) = store.get_bytes(&key(number)).expect("a get") {
            assert!(is_right(number, &value.bytes), "wrong bytes of {number}");
            found += 1;
        }
    }
    let stats = store.stats().expect("figures");
    println!("{kills} kills, {found} of {KEYS} found, {} records; {stats:?}", verified.records);
    assert!(kills > 10 && found > 50 && verified.records > 100, "{kills} kills, {found} found, {stats:?}");
    stats
}

/// Whether this is a worker, whose work is done when this returns.
fn is_worker(full: bool) -> bool {
    let Ok(text) = std::env::var(WORKER) else { return false };
    let (seed, path) = text.split_once(' ').expect("a seed and a path");
    work(Path::new(path), seed.parse().expect("a number"), full);
    true
}

#[test]
fn killed_at_random() {
    if is_worker(false) {
        return;
    }
    let folder = folder();
    let path = folder.path().join("store");
    kill_at_random(&path, "killed_at_random");
    let store = Store::open_with(&path, options()).expect("the store opens");
    store.put_bytes(&key(0), b"new", b"").expect("it goes on");
}

#[test]
fn killed_at_random_on_a_full_disk() {
    const TEST: &str = "killed_at_random_on_a_full_disk";
    if is_worker(true) {
        return;
    }
    if !rustix::process::geteuid().is_root() {
        return skipped(TEST, "only root can mount a file system");
    }
    let folder = tempfile::tempdir().expect("a folder");
    // Less than the bounds of the store.
    let mount = ["-t", "tmpfs", "-o", "size=3m,mode=700", "tmpfs"];
    let mounted = Command::new("mount").args(mount).arg(folder.path()).status();
    if !mounted.is_ok_and(|status| status.success()) {
        return skipped(TEST, "no file system in memory can be mounted");
    }
    let stats = std::panic::catch_unwind(|| kill_at_random(&folder.path().join("store"), TEST));
    let unmounted = Command::new("umount").arg("-l").arg(folder.path()).status().expect("umount");
    let stats = stats.unwrap_or_else(|failure| std::panic::resume_unwind(failure));
    assert!(unmounted.success() && stats.bytes > 1 << 20, "{stats:?}");
}
