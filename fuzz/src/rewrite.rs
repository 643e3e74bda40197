//! Passes over modules: what holds of a module before them holds after each of them.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{Context, Module};
use mlirbc_rewrite::{Pipeline, RunOptions, passes};
use mlirbc_text::{ParseOptions, parse_module};

use crate::oracle::{through_bytecode, through_text, unfit};
use crate::{Outcome, Random, Seed, number_of, text_parse};

/// The most passes of a pipeline.
const MOST: usize = 4;

/// What `symbol-dce` says where it cannot know what is used.
const UNKNOWN_TABLE: &str = "may be a symbol table";

/// Functions of which much can be folded, merged and erased.
const FUNCTIONS: &str = include_str!("rewrite.mlir");

fn context() -> Context {
    let context = mlirbc_dialects::context();
    mlirbc_spirv::register(&context).expect("a fresh context");
    context
}

/// Inputs to begin with: those of text, and functions that passes change.
pub fn seeds() -> Vec<Seed> {
    let mut seeds = text_parse::seeds();
    let functions = FUNCTIONS.split_inclusive("\n}\n").enumerate();
    seeds.extend(functions.map(|(number, text)| (format!("function-{number:02}.mlir"), text.as_bytes().to_vec())));
    seeds
}

/// Parses a text, and runs passes on the module: which ones, the text says.
pub fn run(data: &[u8]) -> Outcome {
    let Ok(mut module) = parse_module(&context(), data, &ParseOptions::new().implicit_module(true)) else {
        return Outcome::Refused;
    };
    let text = pipeline(&mut Random::new(number_of(data)));
    let pipeline = Pipeline::parse(&text, &passes::registry()).unwrap_or_else(|error| panic!("{error}"));
    let valid = is_valid(&module);
    let mut printed = Vec::new();
    let options = RunOptions::new().verify_each(valid).output(&mut printed);
    if let Err(error) = pipeline.run_with(&mut module, options) {
        // What is unknown may name symbols in ways that are unknown, too: then none of them is erased.
        let message = error.to_string();
        assert!(!valid || message.contains(UNKNOWN_TABLE), "`{text}` of a valid module: {message}");
        assert!(!message.is_empty() && message.len() <= 100 * (1_000 + data.len()), "{} bytes", message.len());
        return Outcome::Accepted;
    }
    if !valid {
        return Outcome::Accepted;
    }
    through_text(&module);
    match through_bytecode(&module, &WriteOptions::default()) {
        Ok(_) => Outcome::Accepted,
        Err(error) => {
            assert!(unfit(&module, &error), "`{text}`, and then it cannot be written: {error}");
            Outcome::Unwritable
        }
    }
}

pub(crate) fn is_valid(module: &Module) -> bool {
    let mut valid = true;
    verify_module(module, &mut |_| valid = false).is_ok() && valid
}

/// A pipeline of passes that come with the project.
fn pipeline(random: &mut Random) -> String {
    let registry = passes::registry();
    let names: Vec<&str> = registry.passes().map(|pass| pass.name).collect();
    let count = 1 + random.below(MOST);
    let passes: Vec<&str> = (0..count).map(|_| names[random.below(names.len())]).collect();
    format!("builtin.module({})", passes.join(","))
}
