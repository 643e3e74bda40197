//! The command.

mod commands;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let command = commands::Command::parse();
    // A reader that goes away, as `head` does, is no failure worth a message.
    match command.run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(1)
        }
    }
}
