//! Many real processes on one directory, killed at any moment.
//!
//! `MLIRBC_STORE_SECONDS=60 cargo test --release -p mlirbc-store --test processes` is the full length.

mod common;

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Numbers, folder, key, scale, value};
use mlirbc_store::{Options, Store};

const WORKER: &str = "MLIRBC_STORE_WORKER";
const KEYS: u64 = 400;

fn options() -> Options {
    Options::new().segment_length(256 << 10).max_bytes(4 << 20)
}

/// The bytes of a value say whose and how long they are: nothing else is right.
fn is_right(number: u64, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes.get(..bytes.len().min(60)).unwrap_or_default()).into_owned();
    let mut parts = text.split(['.', ':']);
    let mut part = || parts.next().and_then(|part| part.parse::<u64>().ok());
    let (Some(own), Some(version), Some(length)) = (part(), part(), part()) else { return false };
    own == number && *bytes == *value(number, version, length as usize)
}

/// What one process does until it is killed: every line that it prints is a failure.
fn work(path: &Path, seed: u64) {
    let mut numbers = Numbers(seed);
    let tell = |what: String| {
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
                    let new = value(number, numbers.below(1 << 30), length as usize);
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
            && (stats.bad > 0 || stats.failed > 0)
        {
            tell(format!("{stats:?}"));
        }
    }
}

fn start(path: &Path, seed: u64) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", "killed_at_random", "--nocapture"]).env(WORKER, format!("{seed} {}", path.display()));
    command.stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().expect("a process")
}

#[test]
fn killed_at_random() {
    if let Ok(text) = std::env::var(WORKER) {
        let (seed, path) = text.split_once(' ').expect("a seed and a path");
        return work(Path::new(path), seed.parse().expect("a number"));
    }
    let folder = folder();
    let path = folder.path().join("store");
    let mut numbers = Numbers(11);
    let mut children: Vec<Child> = (0..8).map(|_| start(&path, numbers.next())).collect();
    let end = Instant::now() + Duration::from_secs(scale("MLIRBC_STORE_SECONDS", 6));
    let (mut kills, mut output) = (0, String::new());
    let mut reap = |mut child: Child| {
        child.kill().expect("a kill");
        let done = child.wait_with_output().expect("its end");
        output.push_str(&String::from_utf8_lossy(&done.stdout));
    };
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20 + numbers.below(150)));
        let number = numbers.below(8) as usize;
        reap(std::mem::replace(&mut children[number], start(&path, numbers.next())));
        kills += 1;
    }
    children.into_iter().for_each(reap);
    let failures: Vec<&str> = output.lines().filter(|line| line.contains("FAILED")).collect();
    assert!(failures.is_empty(), "{} failures, as {:#?}", failures.len(), &failures[..failures.len().min(10)]);

    let store = Store::open_with(&path, options()).expect("the store opens");
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
    assert!(kills > 10 && found > 50 && stats.puts > 1000, "{kills} kills, {found} found, {stats:?}");
    store.put_bytes(&key(0), b"new", b"").expect("it goes on");
}
