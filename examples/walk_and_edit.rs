//! A module looked at and changed: what is in it, another name for a symbol, an attribute, a peephole, and what is dead erased.

use mlirbc::prelude::*;

fn main() -> Result<()> {
    let context = Context::new();
    let text = "func.func @f(%x: i32) -> i32 {
      %zero = arith.constant 0 : i32
      %dead = arith.muli %x, %x : i32
      %sum = arith.addi %x, %zero : i32
      return %sum : i32
    }
    func.func private @g(%x: i32) -> i32 {
      %y = call @f(%x) : (i32) -> i32
      return %y : i32
    }";
    let mut module = mlirbc::parse(&context, text)?;

    for op in module.walk()? {
        if let Some(callee) = op.symbol_ref("callee")? {
            println!("{} of @{callee} at {}", op.name(), context.show(op.location()?));
        }
        if op.is_pure()? && op.is_trivially_dead()? {
            println!("dead: {}", op.display());
        }
    }
    println!("{:?}", module.count_by(|op| op.dialect())?);

    // All that names it names it by its new name.
    module.rename_symbol("f", "same")?;
    let function = module.symbol_place("same")?;
    module.set_attribute(function, "sym_visibility", "private")?;

    // Applied until nothing changes any more; what is dead then goes.
    let add_zero = AnyPattern::new("AddZero", |rw, op| match rw.constant_int(rw.body().operands(op)[1]) {
        Some(zero) if zero.is_zero() => Ok(rw.replace(op, [rw.body().operands(op)[0]])?),
        _ => rw.no_match("the right side is not zero"),
    });
    Pipeline::new().nest("func.func", Greedy::new(Patterns::new().on("arith.addi", add_zero))).run(&mut module)?;

    module.verify()?;
    println!("{}", module.display());
    Ok(())
}
