//! The text of one attribute or type: what parses prints, and parses back as the same.

use std::collections::BTreeSet;

use mlirbc_ir::text::{Elision, Printer, parse_attribute, parse_type, print_attribute, print_type};
use mlirbc_ir::{AttributeData, BodyId, Context, Error, ErrorKind, Module, OpRef, Result};

use crate::oracle::{Equal, Way, load, shown};
use crate::{Outcome, Seed, inputs, number_of};

/// Inputs to begin with: the attributes, types and locations of the fixtures.
pub fn seeds() -> Vec<Seed> {
    let mut texts = BTreeSet::new();
    for (_, bytes) in inputs::bytecode() {
        let context = mlirbc_dialects::context();
        let Ok(module) = load(&context, &bytes) else { continue };
        collect(&module, &mut texts).expect("decoded");
    }
    // What one is called does not depend on how many others there are.
    let named = |text: String| (format!("{:016x}.txt", number_of(text.as_bytes())), text.into_bytes());
    texts.into_iter().map(named).collect()
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
    let print = |printer: &mut Printer<'_>, attribute| printer.attribute(attribute, Elision::Never);
    let attribute = both(data, parse_attribute, print, |equal, a, b| equal.attributes(a, b));
    let print = |printer: &mut Printer<'_>, ty| printer.ty(ty);
    let ty = both(data, parse_type, print, |equal, a, b| equal.types(a, b));
    if attribute || ty { Outcome::Accepted } else { Outcome::Refused }
}

/// How often an attribute may say less each time that it is parsed from its own text.
const GENERATIONS: usize = 8;

/// Whether the text parses; then it is printed and parsed again, into the same.
fn both<T: Copy>(
    data: &[u8],
    parse: impl Fn(&Context, &[u8]) -> Result<T>,
    print: impl Fn(&mut Printer<'_>, T) -> Result<()>,
    equal: impl Fn(&mut Equal<'_>, T, T) -> bool,
) -> bool {
    let context = mlirbc_dialects::context();
    let mut parsed = match parse(&context, data) {
        Ok(parsed) => parsed,
        Err(error) => {
            refusal(&error, data);
            return false;
        }
    };
    // Not always UTF-8: what is unknown is kept as it is.
    let print = |context: &Context, value: T| {
        let mut text = Vec::new();
        let mut printer = Printer::new(context, &mut text);
        print(&mut printer, value)?;
        printer.finish()?;
        Ok::<_, Error>(text)
    };
    let Ok(mut printed) = print(&context, parsed) else { return true };
    for _ in 0..GENERATIONS {
        let again = parse(&context, &printed)
            .unwrap_or_else(|error| panic!("what was printed does not parse: {error}\n{}", shown(&printed)));
        let mut comparison = Equal::new(&context, Way::Generic);
        assert!(equal(&mut comparison, parsed, again), "another one out of its text:\n{}", shown(&printed));
        let reprinted = print(&context, again).expect("printed before");
        if !comparison.changed {
            let (one, other) = (shown(&printed), shown(&reprinted));
            assert!(reprinted == printed, "printed again, the text is another:\n{one}\n{other}");
            return true;
        }
        (parsed, printed) = (again, reprinted);
    }
    panic!("each time that its text is parsed, it is another one:\n{}", shown(&printed));
}

fn refusal(error: &Error, data: &[u8]) {
    assert!(matches!(error.kind(), ErrorKind::Malformed | ErrorKind::Verification), "{error}");
    assert!(error.place().offset.is_some_and(|offset| offset <= data.len() as u64), "no place: {error}");
    assert!(error.to_string().len() < 2_000, "{} bytes of error", error.to_string().len());
}
