//! A pattern and a pass of one's own, in one pipeline.

use mlirbc::dialects::arith;
use mlirbc::prelude::*;

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

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let (path, count) = (target.op()?.path(), target.op()?.walk()?.count());
        Ok(writeln!(target.output(), "{path}: {count} operations")?)
    }
}

const TEXT: &str = "
func.func @f(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = arith.addi %x, %zero : i32
  return %sum : i32
}";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut module = mlirbc::parse(&Context::new(), TEXT)?;
    let add_zero = Greedy::new(Patterns::new().add(AddZero));
    let functions = Pipeline::on("func.func").pass(Size).pass(add_zero).pass(Size);
    Pipeline::new().nested(functions).run(&mut module)?;
    println!("{}", module.display());
    Ok(())
}
