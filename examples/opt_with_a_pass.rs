//! `mlirbc opt` with a pass of one's own: `cargo run --example opt_with_a_pass -- fixtures/arith.mlirbc --hello -o /dev/null`.

fn main() -> std::process::ExitCode {
    let registry = mlirbc::opt::registry().pass_fn("hello", "say hello", |target| {
        let name = target.op()?.name().into_owned();
        Ok(writeln!(target.output(), "hello, {name}")?)
    });
    mlirbc::opt::main(std::env::args_os(), registry)
}
