//! What tests of text share.

use mlirbc_ir::{Context, Module};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

#[track_caller]
pub fn read(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

#[track_caller]
pub fn print(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("a module to print");
    String::from_utf8(text).expect("text")
}
