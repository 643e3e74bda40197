//! `mlir-opt`, which others are measured beside.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// The name of the program.
pub const PEER: &str = "mlir-opt-22";

/// What passes take in `mlir-opt` on a file, by its own clock: all that it lists at the outermost but these parts of its work. It rounds times to a tenth of a
/// millisecond, and shares of the whole to a thousandth. `None` where it does not say so.
pub fn peer_passes(path: &Path, pipeline: &str) -> Option<Duration> {
    const OTHERS: [&str; 5] = ["Parser", "Output", "Rest", "Total", "root"];
    let mut command = Command::new(PEER);
    command.args(["--allow-unregistered-dialect", "--mlir-disable-threading", "--mlir-timing", "-o", "/dev/null"]);
    let output =
        command.arg("--mlir-timing-display=tree").arg(format!("--pass-pipeline={pipeline}")).arg(path).output();
    let output = output.ok().filter(|output| output.status.success())?;
    let (mut share, mut total) = (0.0, None);
    for line in String::from_utf8(output.stderr).ok()?.lines() {
        let Some((time, rest)) = line.trim_start().split_once(" (") else { continue };
        let (Ok(time), Some((percent, name))) = (time.parse::<f64>(), rest.split_once("%)  ")) else { continue };
        if name == "Total" {
            total = Some(time);
        } else if !name.starts_with(' ') && !OTHERS.contains(&name) {
            share += percent.trim().parse::<f64>().ok()? / 100.0;
        }
    }
    Some(Duration::from_secs_f64(total? * share))
}
