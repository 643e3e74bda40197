//! `mlirbc opt` for a program with passes of its own.
//!
//! ```no_run
//! use mlirbc::Result;
//! use mlirbc::rewrite::{Pass, PassInfo, Target};
//!
//! struct Hello;
//!
//! impl Pass for Hello {
//!     fn name(&self) -> &str {
//!         "hello"
//!     }
//!
//!     fn run(&self, target: &mut Target<'_>) -> Result<()> {
//!         let name = target.op()?.name().into_owned();
//!         Ok(writeln!(target.output(), "hello, {name}")?)
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     let hello = PassInfo { name: "hello", about: "say hello", options: &[], make: |_| Ok(Box::new(Hello)) };
//!     mlirbc::opt::main(std::env::args_os(), mlirbc::opt::registry().pass(hello))
//! }
//! ```

use std::ffi::OsString;
use std::process::ExitCode;

use crate::conversion;
use crate::rewrite::{Registry, passes};

/// The passes that `mlirbc opt` has.
pub fn registry() -> Registry {
    conversion::passes::add_to(passes::registry())
}

/// Is `mlirbc opt` with these passes: the first of the arguments is the program's own name. Gives what the process is to end with:
/// 0 where all is well, 1 where the input failed, 2 where it was called in a wrong way.
pub fn main<A: Into<OsString> + Clone>(args: impl IntoIterator<Item = A>, registry: Registry) -> ExitCode {
    crate::commands::opt::main(args, registry)
}
