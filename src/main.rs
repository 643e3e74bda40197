//! The command.

fn main() -> std::process::ExitCode {
    mlirbc::command()
}
