//! `mlirbc opt` with a pass of one's own: `cargo run --example own_opt -- fixtures/arith.mlirbc --hello -o /dev/null`.

use mlirbc::Result;
use mlirbc::rewrite::{Pass, PassInfo, Target};

struct Hello;

impl Pass for Hello {
    fn name(&self) -> &str {
        "hello"
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let name = target.op()?.name().into_owned();
        Ok(writeln!(target.output(), "hello, {name}")?)
    }
}

fn main() -> std::process::ExitCode {
    let hello = PassInfo { name: "hello", about: "say hello", options: &[], make: |_| Ok(Box::new(Hello)) };
    mlirbc::opt::main(std::env::args_os(), mlirbc::opt::registry().pass(hello))
}
