//! Text of modules of StableHLO: as `text_parse`, where its dialects are known.

use mlirbc_ir::Context;
use mlirbc_testing::fixtures;
use mlirbc_text::{ParseOptions, parse_module};

use crate::oracle::text;
use crate::{Outcome, Seed, inputs, text_parse};

/// A context that knows the dialects.
fn context() -> Context {
    let context = mlirbc_dialects::context();
    mlirbc_stablehlo::register(&context).expect("a fresh context");
    context
}

/// Inputs to begin with: the fixtures in custom assembly and in generic form.
pub fn seeds() -> Vec<Seed> {
    let texts = inputs::files_below(&fixtures().join("stablehlo"), "mlir");
    let generic = |(name, bytes): &Seed| {
        let module = parse_module(&context(), bytes, &ParseOptions::new()).ok()?;
        Some((format!("generic-{name}"), text(&module)?))
    };
    let generic: Vec<Seed> = texts.iter().filter_map(generic).collect();
    texts.into_iter().chain(generic).collect()
}

/// Parses a text, and takes the module through text and bytecode.
pub fn run(data: &[u8]) -> Outcome {
    text_parse::run_in(&context(), data)
}
