//! Text of modules: what parses prints and parses back equal, and can be written.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::Context;
use mlirbc_ir::text::{ParseOptions, parse_module};
use mlirbc_testing::fixtures;

use crate::oracle::{
    differ, holds_more, load, same, same_text, shown, simplifies, splits, text, unfit, written_and_read,
};
use crate::{Outcome, Seed, inputs};

/// Inputs to begin with: the fixtures in generic form, and forms that are written by hand.
pub fn seeds() -> Vec<Seed> {
    let text = |(name, bytes): Seed| {
        let module = load(&Context::new(), &bytes).ok()?;
        Some((name.replace(".mlirbc", ".mlir"), text(&module)?))
    };
    let forms = fixtures().join("../ir/tests/forms");
    inputs::bytecode().into_iter().filter_map(text).chain(inputs::files_below(&forms, "mlir")).collect()
}

/// Parses a text, prints it and parses that.
pub fn run(data: &[u8]) -> Outcome {
    run_once(data, true)
}

/// `may_split`: whether distinct attributes may become more in bytecode.
fn run_once(data: &[u8], may_split: bool) -> Outcome {
    let context = Context::new();
    let options = ParseOptions::new();
    let module = match parse_module(&context, data, &options) {
        Ok(module) => module,
        Err(errors) => {
            let shown = errors.to_string();
            assert!(!shown.is_empty() && shown.len() <= 100 * (1_000 + data.len()), "{} bytes of errors", shown.len());
            return Outcome::Refused;
        }
    };
    let Some(printed) = text(&module) else { return Outcome::Accepted };
    let again = parse_module(&context, &printed, &options)
        .unwrap_or_else(|errors| panic!("what was printed does not parse: {errors}\n{}", shown(&printed)));
    let same_again = text(&again).is_none_or(|again| again == printed);
    if simplifies(&printed) && !same_again
        || printed != data && holds_more(&printed) && differ(&module, &again) && same_again
    {
        return run_once(&text(&again).unwrap_or(printed), may_split);
    }
    same(&module, &again);
    let reprinted = text(&again).unwrap_or_default();
    assert!(reprinted == printed, "printed again, the text is another:\n{}\n{}", shown(&printed), shown(&reprinted));
    match written_and_read(&context, &module, &WriteOptions::default()) {
        Ok((_, read)) => {
            if let Some(after) = text(&read) {
                if may_split && splits(&printed) && !same_text(&printed, &after) {
                    return run_once(&after, false);
                }
                assert!(
                    same_text(&printed, &after),
                    "another text out of bytecode:\n{}\n{}",
                    shown(&printed),
                    shown(&after)
                );
            }
            Outcome::Accepted
        }
        Err(error) => {
            assert!(unfit(&error), "parsed, and cannot be written: {error}\n{}", shown(&printed));
            Outcome::Unwritable
        }
    }
}
