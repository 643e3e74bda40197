//! Text of modules: what parses prints, parses back equal from generic form and from custom assembly, and can be written.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::Context;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

use crate::oracle::{load, shown, text, through_bytecode, through_text, unfit};
use crate::{Outcome, Seed, fixtures, inputs};

/// A context that knows the assembly of SPIR-V as well.
fn context() -> Context {
    let context = mlirbc_dialects::context();
    mlirbc_spirv::register(&context).expect("a fresh context");
    context
}

/// Inputs to begin with: the fixtures in generic form and in custom assembly, and forms that are written by hand.
pub fn seeds() -> Vec<Seed> {
    let texts = |(name, bytes): Seed| {
        let module = load(&context(), &bytes).ok()?;
        let mut assembly = Vec::new();
        print_module(&module, &PrintOptions::new().generic(false), &mut assembly).ok()?;
        let name = name.replace(".mlirbc", "");
        Some([(format!("{name}.generic.mlir"), text(&module)?), (format!("{name}.mlir"), assembly)])
    };
    let forms = inputs::files_below(&fixtures().join("../testing/tests/forms"), "mlir");
    let generic = |(name, bytes): &Seed| {
        let module = parse_module(&context(), bytes, &ParseOptions::new()).ok()?;
        Some((format!("generic-{name}"), text(&module)?))
    };
    let generic: Vec<Seed> = forms.iter().filter_map(generic).collect();
    let old = inputs::files_below(&fixtures().join("old_spv"), "mlir");
    inputs::bytecode().into_iter().filter_map(texts).flatten().chain(forms).chain(generic).chain(old).collect()
}

/// Parses a text, and takes the module through text and bytecode.
pub fn run(data: &[u8]) -> Outcome {
    run_in(&context(), data)
}

/// The same in a context that knows other dialects.
pub(crate) fn run_in(context: &Context, data: &[u8]) -> Outcome {
    let module = match parse_module(context, data, &ParseOptions::new()) {
        Ok(module) => module,
        Err(errors) => {
            let shown = errors.to_string();
            assert!(!shown.is_empty() && shown.len() <= 100 * (1_000 + data.len()), "{} bytes of errors", shown.len());
            return Outcome::Refused;
        }
    };
    let Some(printed) = through_text(&module) else { return Outcome::Accepted };
    match through_bytecode(&module, &WriteOptions::default()) {
        Ok(_) => Outcome::Accepted,
        Err(error) => {
            assert!(unfit(&module, &error), "parsed, and cannot be written: {error}\n{}", shown(&printed));
            Outcome::Unwritable
        }
    }
}
