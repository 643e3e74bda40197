//! A dialect of one's own: numbers with a fixed point. A type, two operations, a check, a fold, all of it as text and in bytecode.

use mlirbc::dialect::*;
use mlirbc::prelude::*;

/// `!fixed.number<8>` has 8 bits behind its point: its text, checks and encoding follow from this.
const NUMBER: FieldsDef = FieldsDef::new("number", 0, BITS);
const BITS: &[Field] = &[Field::required("bits", FieldKind::Unsigned(8)).unnamed()];

fn dialect() -> Result<Dialect> {
    let number = TypeConstraint::dialect_type("fixed.number");
    let op = |name| OpDef::builder(name).traits(Traits::SAME_OPERANDS_AND_RESULT_TYPE).interface("NoMemoryEffect");
    let add = op("fixed.add").operand("left", &number).operand("right", &number).result("sum", &number);
    let scale = op("fixed.scale").operand("number", &number).result("scaled", &number);
    let scale = scale.attribute("by", &AttributeConstraint::integer(32)).unit_attribute("exact");
    Ok(Dialect::new("fixed")
        .op(add.format("$left `,` $right attr-dict `:` type($sum)").finish()?)
        .op(scale.format("$number `by` $by (`exact` $exact^)? attr-dict `:` type($scaled)").finish()?)
        .fields(DialectFields::types(&[NUMBER]))
        .versions(2, upgrade)
        // What version 1 does not have.
        .since("scale", &["exact"], 2)
        .verify_op("scale", verify_scale)
        .fold("scale", fold_scale))
}

/// In files of version 1, every number was scaled without rounding.
fn upgrade(module: &mut Module, _from: u64) -> Result<()> {
    for scale in module.places(|op| op.is("fixed.scale"))? {
        module.set_attribute(scale, "exact", module.context().unit())?;
    }
    Ok(())
}

fn verify_scale(_: &Checker<'_>, scale: OpRef<'_>) -> Result<()> {
    match scale.int("by")? {
        Some(1..) => Ok(()),
        _ => Err(Error::verification("a number is scaled by 1 or more")),
    }
}

fn fold_scale(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    Ok(if fold.op().int("by")? == Some(1) { Folded::value(fold.operand(0)) } else { Folded::No })
}

const TEXT: &str = "
func.func @f(%x: !fixed.number<8>) -> !fixed.number<8> {
  %once = fixed.scale %x by 1 : !fixed.number<8>
  %sum = fixed.add %once, %x : !fixed.number<8>
  return %sum : !fixed.number<8>
}";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = Context::new();
    context.register(dialect()?)?;
    let module = mlirbc::parse(&context, TEXT)?;
    let old = mlirbc::write(&module, &WriteOptions::new().dialect_version("fixed", 1))?;

    let mut module = mlirbc::read(&context, old)?;
    mlirbc::upgrade(&mut module)?;
    Pipeline::new().nest("func.func", Greedy::canonicalization()).run(&mut module)?;
    println!("{}", module.display());
    Ok(())
}
