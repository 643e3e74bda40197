//! A dialect of one's own: numbers with a fixed point. A type, two operations, a check, a fold, all of it as text and in bytecode.

use mlirbc::bytecode::encoding::{DialectExt, fields::FieldsEncoding};
use mlirbc::ir::Dialect;
use mlirbc::ir::fields::{DialectFields, Field, FieldKind, FieldsDef};
use mlirbc::ir::ods::{AttributeConstraint, OpDef, OpTable, Predicate, TermClass, Traits, TypeConstraint};
use mlirbc::ir::verify::Checker;
use mlirbc::prelude::*;
use mlirbc::rewrite::{DialectRewrite, Fold, Folded};

/// `!fixed.number<8>` has 8 bits behind its point: its text, checks and encoding follow from this.
const FIELDS: DialectFields = DialectFields { attributes: &[], types: &[NUMBER] };
const NUMBER: FieldsDef = FieldsDef {
    mnemonic: "number",
    code: Some(0),
    fields: &[Field::required("bits", FieldKind::Unsigned(8)).unnamed()],
};

fn dialect() -> Result<Dialect> {
    let is_number = Predicate::is(TermClass::DialectType("fixed.number".into()));
    let number = TypeConstraint::new("number with a fixed point", is_number);
    let op = |name| OpDef::builder(name).traits(Traits::SAME_OPERANDS_AND_RESULT_TYPE).interface("NoMemoryEffect");
    let add = op("fixed.add").operand("left", &number).operand("right", &number).result("sum", &number);
    let scale = op("fixed.scale").operand("number", &number).result("scaled", &number);
    let table = OpTable::from_definitions([
        add.format("$left `,` $right attr-dict `:` type($sum)").finish()?,
        scale
            .attribute("by", &AttributeConstraint::integer(32))
            .format("$number `by` $by attr-dict `:` type($scaled)")
            .finish()?,
    ]);
    Ok(Dialect::new("fixed")
        .ops(table)
        .fields(FIELDS)
        .bytecode(FieldsEncoding { dialect: "fixed", fields: FIELDS })
        .verify_op("scale", verify_scale)
        .fold("scale", fold_scale))
}

fn verify_scale(_: &Checker<'_>, scale: OpRef<'_>) -> Result<()> {
    match scale.int("by")? {
        Some(1..) => Ok(()),
        _ => Err(mlirbc::Error::verification("a number is scaled by 1 or more")),
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
    let bytes = mlirbc::bytecode::write(&module, &WriteOptions::default())?;

    let mut module = mlirbc::bytecode::read(&context, bytes)?;
    Pipeline::new().nest("func.func", Greedy::canonicalization()).run(&mut module)?;
    println!("{}", module.display());
    Ok(())
}
