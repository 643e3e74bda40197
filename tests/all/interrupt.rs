//! Ctrl-C and SIGTERM in the middle of a conversion: nothing half-written stays behind.
//!
//! `MLIRBC_INTERRUPT_SIZE=20M cargo test --release --test all interrupt::` does it to a file of that size.

use crate::common;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{mlirbc, names, shell};
use mlirbc::Context;
use mlirbc::bytecode::WriteOptions;
use mlirbc_testing::{Shape, generate, skipped};

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// A file that takes a while to convert, and what comes of it.
struct Large {
    folder: tempfile::TempDir,
    text: Vec<u8>,
    took: Duration,
}

fn size() -> usize {
    let text = std::env::var("MLIRBC_INTERRUPT_SIZE").unwrap_or_else(|_| "400K".into());
    let digits = text.trim_end_matches(['K', 'M']);
    digits.parse::<usize>().expect("a size, as 20M") << if text.ends_with('M') { 20 } else { 10 }
}

impl Large {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let context = Context::new();
        let module = generate(&context, Shape::Functions, size()).unwrap();
        let bytes = mlirbc::bytecode::write(&module, &WriteOptions::default()).unwrap();
        fs::write(folder.path().join("large.mlirbc"), bytes).unwrap();
        let begun = Instant::now();
        assert!(Self::command(folder.path()).status().unwrap().success());
        let took = begun.elapsed();
        let out = folder.path().join("out");
        let text = fs::read(out.join("large.mlir")).unwrap();
        fs::remove_dir_all(out).unwrap();
        Large { folder, text, took }
    }

    fn command(folder: &Path) -> Command {
        let mut command = mlirbc();
        command
            .arg("convert")
            .arg(folder.join("large.mlirbc"))
            .args(["--to", "mlir", "--out-dir"])
            .arg(folder.join("out"));
        command.stderr(Stdio::null());
        command
    }

    /// What stands in the folder of results is whole, or nothing is there; the folder is empty behind this.
    fn check(&self) -> usize {
        let out = self.folder.path().join("out");
        let found = if out.exists() { names(&out) } else { Vec::new() };
        for name in &found {
            assert_eq!(name, "large.mlir", "something half-written is left");
            assert!(fs::read(out.join(name)).unwrap() == self.text, "{name} is not whole");
            fs::remove_file(out.join(name)).unwrap();
        }
        found.len()
    }

    /// Waits until the command writes; false where it is done before anybody saw it.
    fn wait_until_it_writes(&self, child: &mut Child) -> bool {
        let out = self.folder.path().join("out");
        loop {
            if out.exists() && names(&out).iter().any(|name| name.starts_with('.')) {
                return true;
            }
            if child.try_wait().unwrap().is_some() {
                return false;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

fn send(child: &Child, signal: i32) {
    let status =
        Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).stderr(Stdio::null()).status();
    status.expect("the command kill");
}

/// Whether what is started here begins with the signal ignored.
fn is_ignored(signal: i32) -> bool {
    let line = format!("kill -{signal} $$; sleep 0.01; echo ignored");
    let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
    output.stdout.starts_with(b"ignored")
}

#[test]
fn ctrl_c_and_sigterm_leave_whole_files_or_none() {
    let large = Large::new();
    // A generator of our own, so that a failure can be repeated.
    let mut state = 16_u64;
    let (mut ended, mut whole) = (0, 0);
    for round in 0..20 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let moment = large.took.mul_f64((state >> 40) as f64 / (1 << 24) as f64);
        let mut child = Large::command(large.folder.path()).spawn().unwrap();
        std::thread::sleep(moment);
        let signal = if round % 2 == 0 { SIGINT } else { SIGTERM };
        send(&child, signal);
        let status = child.wait().unwrap();
        // It ends as it would without any care, so that shells and `make` see why.
        assert!(status.success() || status.signal() == Some(signal), "{status} at {moment:?}");
        ended += usize::from(!status.success());
        whole += large.check();
    }
    assert!(ended > 0, "no command was still running; {whole} were whole");
}

#[test]
fn a_signal_in_the_middle_of_writing_leaves_nothing() {
    let large = Large::new();
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // A run of the tests by `nohup`, say, has it ignored here and in all that is started here.
        if is_ignored(signal) {
            skipped("a_signal_in_the_middle_of_writing_leaves_nothing", &format!("signal {signal} is ignored"));
            continue;
        }
        let caught = (0..20).any(|_| {
            let mut child = Large::command(large.folder.path()).spawn().unwrap();
            let writes = large.wait_until_it_writes(&mut child);
            send(&child, signal);
            let status = child.wait().unwrap();
            large.check();
            writes && status.signal() == Some(signal)
        });
        assert!(caught, "signal {signal} never met the command while it wrote");
    }
    // A file that is there already stays as it is.
    let out = large.folder.path().join("out");
    fs::write(out.join("large.mlir"), &large.text).unwrap();
    let mut child = Large::command(large.folder.path()).spawn().unwrap();
    large.wait_until_it_writes(&mut child);
    send(&child, SIGTERM);
    child.wait().unwrap();
    assert_eq!(large.check(), 1);
}

#[test]
fn a_signal_that_was_ignored_stays_ignored() {
    let large = Large::new();
    let line = "trap '' HUP INT; exec \"$B\" convert large.mlirbc --to mlir --out-dir out";
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(large.folder.path()).env("B", env!("CARGO_BIN_EXE_mlirbc"));
    let mut child = command.spawn().unwrap();
    if large.wait_until_it_writes(&mut child) {
        send(&child, SIGINT);
        send(&child, SIGHUP);
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(large.check(), 1);
    // As a shell runs what goes on in the background.
    let output = shell(large.folder.path(), "nohup \"$B\" print large.mlirbc -o printed > /dev/null 2>&1 & wait $!");
    assert!(output.status.success());
    assert_eq!(names(large.folder.path()), ["large.mlirbc", "out", "printed"]);
}
