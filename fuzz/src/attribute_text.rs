//! The text of one attribute or type: what parses prints, and parses back as the same.

use std::collections::BTreeSet;

use mlirbc_ir::affine::{AffineExpression, AffineOperator};
use mlirbc_ir::text::{parse_attribute, parse_type, print_attribute, print_type};
use mlirbc_ir::{AttributeData, BodyId, Context, Error, ErrorKind, Module, OpRef, Result};

use crate::oracle::{load, simplifies};
use crate::{Outcome, Seed, inputs};

/// Inputs to begin with: the attributes, types and locations of the fixtures.
pub fn seeds() -> Vec<Seed> {
    let mut texts = BTreeSet::new();
    for (_, bytes) in inputs::bytecode() {
        let context = Context::new();
        let Ok(module) = load(&context, &bytes) else { continue };
        collect(&module, &mut texts).expect("decoded");
    }
    texts.into_iter().enumerate().map(|(at, text)| (format!("{at:04}.txt"), text.into_bytes())).collect()
}

fn collect(module: &Module, texts: &mut BTreeSet<String>) -> Result<()> {
    const LONGEST: usize = 2_000;
    let context = module.context();
    let mut keep = |text: Result<String>| texts.extend(text.ok().filter(|text| text.len() < LONGEST));
    for at in 0..module.body_count() {
        let body = BodyId::from_index(at);
        for op in module.body(body)?.preorder() {
            let op: OpRef<'_> = module.operation(body, op)?;
            keep(print_attribute(context, op.location()?.attribute(context)));
            let (attributes, properties) = op.dictionaries()?;
            for attribute in attributes.into_iter().chain(properties) {
                keep(print_attribute(context, attribute));
                if let AttributeData::Dictionary(entries) = &context[attribute] {
                    entries.iter().for_each(|entry| keep(print_attribute(context, entry.1)));
                }
            }
            for value in op.results() {
                keep(print_type(context, op.type_of(value)?));
            }
        }
    }
    Ok(())
}

/// Parses a text as an attribute and as a type.
pub fn run(data: &[u8]) -> Outcome {
    let attribute = both(data, parse_attribute, print_attribute, |context, first, second| {
        same_values(&context[first], &context[second])
    });
    let ty = both(data, parse_type, print_type, |_, _, _| {});
    if attribute || ty { Outcome::Accepted } else { Outcome::Refused }
}

/// Whether the text parses; then it is printed and parsed again, into the same.
fn both<T: Copy>(
    data: &[u8],
    parse: impl Fn(&Context, &[u8]) -> Result<T>,
    print: impl Fn(&Context, T) -> Result<String>,
    check: impl Fn(&Context, T, T),
) -> bool {
    let context = Context::new();
    let parsed = match parse(&context, data) {
        Ok(parsed) => parsed,
        Err(error) => {
            refusal(&error, data);
            return false;
        }
    };
    let Ok(printed) = print(&context, parsed) else { return true };
    // Distinct attributes and resources are never those of another text: what is printed counts.
    let again = parse(&context, printed.as_bytes())
        .unwrap_or_else(|error| panic!("what was printed does not parse: {error}\n{printed}"));
    check(&context, parsed, again);
    let reprinted = print(&context, again).expect("printed before");
    if reprinted != printed && simplifies(printed.as_bytes()) {
        return both(reprinted.as_bytes(), parse, print, check);
    }
    assert!(reprinted == printed, "printed again, the text is another:\n{printed}\n{reprinted}");
    true
}

/// Affine expressions give the same numbers.
fn same_values(first: &AttributeData, second: &AttributeData) {
    let (AttributeData::AffineMap(first), AttributeData::AffineMap(second)) = (first, second) else { return };
    for (first, second) in first.results.iter().zip(&second.results) {
        for at in [0, 1, -1, 2, -3, 7, 1_000_003] {
            if let (Some(one), Some(other)) = (value(first, at), value(second, at)) {
                assert_eq!(one, other, "at {at}: {first:?}\n{second:?}");
            }
        }
    }
}

/// What an expression is where its names stand for numbers from `from` on; `None` where it cannot be told in 64 bits.
fn value(expression: &AffineExpression, from: i64) -> Option<i64> {
    Some(match expression {
        AffineExpression::Dimension(at) => from.checked_add(i64::from(*at).checked_mul(5)?)?,
        AffineExpression::Symbol(at) => from.checked_add(i64::from(*at).checked_mul(3)?)?.checked_neg()?,
        AffineExpression::Constant(value) => *value,
        AffineExpression::Binary(operator, sides) => {
            let (left, right) = (value(&sides.0, from)?, value(&sides.1, from)?);
            match operator {
                AffineOperator::Add => left.checked_add(right)?,
                AffineOperator::Mul => left.checked_mul(right)?,
                _ if right <= 0 => return None,
                AffineOperator::Mod => left.rem_euclid(right),
                AffineOperator::FloorDiv => left.div_euclid(right),
                AffineOperator::CeilDiv => left.checked_neg()?.div_euclid(right).checked_neg()?,
            }
        }
    })
}

fn refusal(error: &Error, data: &[u8]) {
    assert!(matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Verification), "{error}");
    assert!(error.place().offset.is_some_and(|offset| offset <= data.len() as u64), "no place: {error}");
    assert!(error.to_string().len() < 2_000, "{} bytes of error", error.to_string().len());
}
