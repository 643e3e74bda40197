//! Unfinished files go where the process is told to end.

use std::fs;

use mlirbc_ir::{Error, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::all_unfinished;

/// From now on, where the process is told to end by SIGINT (Ctrl-C), SIGTERM or SIGHUP, files of unfinished outputs are
/// removed first; then the signal ends it, as it would have. A signal that was ignored when the process began stays so.
///
/// This is for a program's `main`: the three signals get handlers, and a thread waits for them.
///
/// # Errors
/// Where the system allows no thread or no handler.
pub fn clear_up_on_signals() -> Result<()> {
    let ignored = ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(wanted)?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            // Held to the end: nothing is begun any more.
            let all = all_unfinished();
            for path in all.iter() {
                let _ = fs::remove_file(path);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
            std::process::exit(128 + signal);
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(wait).map(drop).map_err(Error::from)
}

/// The signals that this process ignores, a bit each; of systems that do not tell, none.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}
