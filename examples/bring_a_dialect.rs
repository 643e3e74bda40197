//! A dialect of one's own: numbers with a fixed point. A type, two operations, a check, a fold, all of it as text and in bytecode.

use std::error::Error;

use mlirbc::bytecode::encoding::DialectExt;
use mlirbc::bytecode::encoding::fields::FieldsEncoding;
use mlirbc::bytecode::{self, WriteOptions};
use mlirbc::ir::Dialect;
use mlirbc::ir::fields::{DialectFields, Field, FieldKind, FieldsDef};
use mlirbc::ir::ods::{AttributeConstraint, OpDef, OpTable, Predicate, TermClass, Traits, TypeConstraint};
use mlirbc::ir::verify::Checker;
use mlirbc::rewrite::{DialectRewrite, Fold, Folded, Greedy, Pipeline};
use mlirbc::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::{Context, OpRef, Result};

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

fn factor(scale: OpRef<'_>) -> Result<Option<i64>> {
    let by = scale.attribute("by")?;
    Ok(by.and_then(|by| scale.module().context().integer_of(by)).and_then(|by| by.to_i64()))
}

fn verify_scale(_: &Checker<'_>, op: OpRef<'_>) -> Result<()> {
    match factor(op)? {
        Some(1..) => Ok(()),
        _ => Err(mlirbc::Error::verification("a number is scaled by 1 or more")),
    }
}

fn fold_scale(fold: &mut Fold<'_, '_>) -> Result<Folded> {
    Ok(if factor(fold.op())? == Some(1) { Folded::value(fold.operand(0)) } else { Folded::No })
}

const TEXT: &[u8] = b"module {
  func.func @f(%x: !fixed.number<8>) -> !fixed.number<8> {
    %once = fixed.scale %x by 1 : !fixed.number<8>
    %sum = fixed.add %once, %x : !fixed.number<8>
    return %sum : !fixed.number<8>
  }
}";

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let context = Context::new();
    context.register(dialect()?)?;
    let module = parse_module(&context, TEXT, &ParseOptions::new())?;
    let bytes = bytecode::write(&module, &WriteOptions::default())?;

    let mut module = bytecode::read(&context, bytes)?;
    Pipeline::new().nest("func.func", Greedy::canonicalization()).run(&mut module)?;
    print_module(&module, &PrintOptions::new().generic(false), &mut std::io::stdout())?;
    Ok(())
}
