//! The text of one attribute or type: what parses prints, and parses back as the same.

use std::collections::BTreeSet;

use mlirbc_ir::text::{parse_attribute, parse_type, print_attribute, print_type};
use mlirbc_ir::{AttributeData, BodyId, Context, Error, ErrorKind, Module, OpRef, Result};

use crate::oracle::load;
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
    let attribute = both(data, parse_attribute, print_attribute);
    let ty = both(data, parse_type, print_type);
    if attribute || ty { Outcome::Accepted } else { Outcome::Refused }
}

/// Whether the text parses; then it is printed and parsed again, into the same.
fn both<T: Copy>(
    data: &[u8],
    parse: impl Fn(&Context, &[u8]) -> Result<T>,
    print: impl Fn(&Context, T) -> Result<String>,
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
    let reprinted = print(&context, again).expect("printed before");
    assert!(reprinted == printed, "printed again, the text is another:\n{printed}\n{reprinted}");
    true
}

fn refusal(error: &Error, data: &[u8]) {
    assert!(matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Verification), "{error}");
    assert!(error.place().offset.is_some_and(|offset| offset <= data.len() as u64), "no place: {error}");
    assert!(error.to_string().len() < 2_000, "{} bytes of error", error.to_string().len());
}
