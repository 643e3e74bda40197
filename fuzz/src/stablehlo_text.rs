//! Text of modules of StableHLO: as `text_parse`, where its dialects are known.

use mlirbc_ir::{Context, Module};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module, print_operation};

use crate::{Outcome, Seed, fixtures, inputs, text_parse};

/// A context that knows the dialects.
pub(crate) fn context() -> Context {
    let context = mlirbc_dialects::context();
    mlirbc_stablehlo::register(&context).expect("a fresh context");
    context
}

/// What stands in the fixtures, each function in a module of its own: little, so that a change of it is a try of something.
pub(crate) fn functions(context: &Context) -> Vec<(String, Module)> {
    let mut functions = Vec::new();
    for (name, bytes) in inputs::files_below(&fixtures().join("stablehlo"), "mlir") {
        let module = parse_module(context, &bytes, &ParseOptions::new()).expect("a fixture");
        let inner = module.operations().expect("parsed").flat_map(|op| op.ops().expect("parsed").collect::<Vec<_>>());
        for (at, op) in inner.enumerate() {
            let mut alone = Vec::new();
            print_operation(op, &PrintOptions::new().generic(true), &mut alone).expect("parsed");
            // What refers to another function does not stand alone.
            if let Ok(alone) = parse_module(context, &alone, &ParseOptions::new().implicit_module(true)) {
                functions.push((format!("{at}-{name}"), alone));
            }
        }
    }
    functions
}

/// Inputs to begin with: functions of the fixtures in custom assembly and in generic form.
pub fn seeds() -> Vec<Seed> {
    let texts = |(name, module): (String, Module)| {
        [("", false), ("generic-", true)].map(|(form, generic)| {
            let mut text = Vec::new();
            print_module(&module, &PrintOptions::new().generic(generic), &mut text).expect("parsed");
            (format!("{form}{name}"), text)
        })
    };
    functions(&context()).into_iter().flat_map(texts).collect()
}

/// Parses a text, and takes the module through text and bytecode.
pub fn run(data: &[u8]) -> Outcome {
    text_parse::run_in(&context(), data)
}
