//! `mlirbc opt` for a program with passes of its own.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     let registry = mlirbc::opt::registry().pass_fn("hello", "say hello", |target| {
//!         let name = target.op()?.name().into_owned();
//!         Ok(writeln!(target.output(), "hello, {name}")?)
//!     });
//!     mlirbc::opt::main(std::env::args_os(), registry)
//! }
//! ```
//!
//! A pass with options, or one that works on several bodies at once, is a [`Pass`](crate::rewrite::Pass) of its own, registered with
//! [`Registry::pass`].

use crate::rewrite::{Registry, passes};
use crate::{conversion, dialects, spirv};

/// The passes that `mlirbc opt` has.
pub fn registry() -> Registry {
    spirv::transforms::add_to(conversion::passes::add_to(dialects::passes::add_to(passes::registry())))
}

/// Is `mlirbc opt` with these passes: the first of the arguments is the program's own name. Gives what the process is to end with:
/// 0 where all is well, 1 where the input failed, 2 where it was called in a wrong way.
#[cfg(feature = "command")]
pub fn main<A: Into<std::ffi::OsString> + Clone>(
    args: impl IntoIterator<Item = A>,
    registry: Registry,
) -> std::process::ExitCode {
    crate::commands::opt::main(args, registry)
}
