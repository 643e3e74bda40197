//! The command.
// These would panic where the reading end is closed: `commands::output` has what writes and says.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod commands;

fn main() -> std::process::ExitCode {
    commands::Command::run()
}
