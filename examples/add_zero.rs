//! A pattern, and a pass over every function that applies it.

use mlirbc::dialects::arith;
use mlirbc::ir::Rewriter;
use mlirbc::rewrite::{Greedy, Match, Outcome, Pattern, Patterns, Pipeline};

struct AddZero;

impl Pattern for AddZero {
    type Root = arith::AddI; // a checked handle, one word

    fn rewrite(&self, op: arith::AddI, rw: &mut Rewriter<'_>) -> Outcome {
        match rw.constant_int(op.rhs(rw)) {
            Some(zero) if zero.is_zero() => Ok(rw.replace(op, [op.lhs(rw)])?),
            _ => rw.no_match("the right side is not zero"),
        }
    }
}

fn main() -> mlirbc::Result<()> {
    let context = mlirbc::Context::new();
    let mut module = mlirbc::open(&context, "fixtures/arith.mlirbc")?;
    Pipeline::new().nest("func.func", Greedy::new(Patterns::new().add(AddZero))).run(&mut module)?;
    mlirbc::text::print_module(&module, &mlirbc::text::PrintOptions::new(), &mut std::io::stdout())
}
