//! `smt`: formulas for SMT solvers.

mod assembly;
mod enums;

pub use enums::*;

use super::common::values::{Own, Part, Types, Values};
use super::names;
use mlirbc_ir::number::ApInt;
use mlirbc_ir::text::{DialectPrinter, Parser, push_integer};
use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, OpRef, Parameter, Result, Signedness, Type, TypeData};
use mlirbc_text::DialectAssembly;

/// The dialect's name.
const NAME: &str = "smt";

/// The mnemonic of bit vectors, and of the attributes that are their values.
const BITS: &str = "bv";

/// The dialect's types.
const TYPES: Types = Types(&[("bool", &[]), (BITS, &[Part::Positive]), ("int", &[])]);

/// The widest bit vector whose values are integers; those of wider ones are kept as text.
const WIDEST: u64 = 1 << 16;

/// The dialect.
pub(super) fn dialect() -> Dialect {
    assembly::attach(defined!("smt"))
        .text(Values { types: TYPES, own: &[VALUES], ..Values::NONE })
        .result_names("constant", names::truth)
        .result_names("int.constant", |op, set| names::integer(op, "c", Signedness::Signed, set))
        .result_names("bv.constant", bit_vector_name)
        .result_names("declare_fun", prefix_name)
}

/// The type of truth values.
fn boolean(context: &Context) -> Type {
    context.dialect_type(NAME, "bool", [])
}

/// The type of integers.
fn integer_type(context: &Context) -> Type {
    context.dialect_type(NAME, "int", [])
}

/// The type and value of an attribute that is a bit vector: `#smt.bv<5> : !smt.bv<32>`.
fn bits_of(context: &Context, attribute: Attribute) -> Option<(Type, &ApInt)> {
    let value = bits(context, context.attribute_parameters(attribute, NAME, BITS)?)?;
    Some((context.dialect_type(NAME, BITS, [Parameter::Unsigned(value.width().into())]), value))
}

/// The value of a bit vector: an integer without a sign, of as many bits.
fn bits<'c>(context: &'c Context, parameters: &[Parameter]) -> Option<&'c ApInt> {
    let [Parameter::Attribute(value)] = *parameters else { return None };
    match &context[value] {
        AttributeData::Integer { ty, value } if value.width() > 0 && context.integer_type(value.width()) == *ty => {
            Some(value)
        }
        _ => None,
    }
}

/// `c5_bv32` of `#smt.bv<5> : !smt.bv<32>`
fn bit_vector_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let Some(value) = op.attribute("value")? else { return Ok(()) };
    if let Some((_, value)) = bits_of(op.module().context(), value) {
        let mut name = b"c".to_vec();
        push_integer(&mut name, value, Signedness::Signed);
        name.extend_from_slice(format!("_bv{}", value.width()).as_bytes());
        set(0, &name);
    }
    Ok(())
}

fn prefix_name(op: OpRef<'_>, set: &mut dyn FnMut(usize, &[u8])) -> Result<()> {
    let context = op.module().context();
    let prefix = op.attribute("namePrefix")?.map(|prefix| &context[prefix]);
    if let Some(AttributeData::String { value, .. }) = prefix {
        set(0, value);
    }
    Ok(())
}

/// The values of bit vectors.
const VALUES: Own = Own {
    mnemonic: BITS,
    holds: |context, parameters| bits(context, parameters).is_some(),
    print: print_bits,
    parse: parse_bits,
};

/// `<5> : !smt.bv<32>`, behind the mnemonic.
fn print_bits(parameters: &[Parameter], printer: &mut DialectPrinter<'_>) {
    if let Some(bits) = bits(printer.context(), parameters) {
        let mut text = b"<".to_vec();
        push_integer(&mut text, bits, Signedness::Signed);
        text.extend_from_slice(format!("> : !{NAME}.{BITS}<{}>", bits.width()).as_bytes());
        printer.text(text);
    }
}

/// `<5> : !smt.bv<32>`, behind the mnemonic. `None` where it is something else, or the number does not fit.
fn parse_bits(parser: &mut Parser<'_>) -> Option<Box<[Parameter]>> {
    if !parser.eat_next(b'<') {
        return None;
    }
    let negative = parser.eat(b'-');
    // What fits in 64 bits may be hexadecimal.
    let (small, digits) = match parser.unsigned() {
        Some(small) => (Some(small), &b""[..]),
        None => (None, parser.decimal_digits()),
    };
    if !parser.eat(b'>') || !parser.eat(b':') {
        return None;
    }
    let ty = parser.ty().ok()?;
    let context = parser.context();
    let &[Parameter::Unsigned(width @ 1..=WIDEST)] = context.type_parameters(ty, NAME, BITS)? else { return None };
    let value = match small {
        Some(small) => Some(ApInt::from_u64(width as u32, small)).filter(|value| value.to_u64() == Some(small))?,
        None => ApInt::from_decimal(width as u32, digits).filter(|_| !digits.is_empty())?,
    };
    let value = if negative { value.negated() } else { value };
    // The lowest number has no opposite, and no number but 0 is its own.
    if negative && !value.is_negative() && value.to_u64() != Some(0) {
        return None;
    }
    let ty = context.ty(TypeData::Integer { width: width as u32, signedness: Signedness::Signless });
    Some([Parameter::Attribute(context.attribute(AttributeData::Integer { ty, value }))].into())
}
