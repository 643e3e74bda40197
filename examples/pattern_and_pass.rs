//! A pattern and a pass of one's own, in one pipeline with those that are built in.

use std::error::Error;

use mlirbc::dialects::arith;
use mlirbc::ir::Rewriter;
use mlirbc::rewrite::{Greedy, Match, Outcome, Pass, Pattern, Patterns, Pipeline, Target};
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};

/// `x + 0` is `x`.
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

/// Says how many operations a function has.
struct Size;

impl Pass for Size {
    fn name(&self) -> &str {
        "size"
    }

    fn run(&self, target: &mut Target<'_>) -> mlirbc::Result<()> {
        let (path, count) = (target.op()?.path(), target.op()?.walk()?.count());
        Ok(writeln!(target.output(), "{path}: {count} operations")?)
    }
}

const TEXT: &[u8] = b"module {
  func.func @f(%x: i32) -> i32 {
    %zero = arith.constant 0 : i32
    %sum = arith.addi %x, %zero : i32
    return %sum : i32
  }
}";

fn main() -> Result<(), Box<dyn Error>> {
    let context = mlirbc::Context::new();
    let mut module = parse_module(&context, TEXT, &ParseOptions::new())?;

    let add_zero = Greedy::new(Patterns::new().add(AddZero));
    let functions = Pipeline::on("func.func").pass(Size).pass(add_zero).pass(Size);
    Pipeline::new().nested(functions).run(&mut module)?;

    print_module(&module, &PrintOptions::new().generic(false), &mut std::io::stdout())?;
    Ok(())
}
