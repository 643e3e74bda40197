//! Attributes, types and locations as text: printing and parsing.
//!
//! [`print_attribute`] and [`print_type`] give the text of one attribute or type, as mlir-opt prints it without aliases;
//! [`parse_attribute`] and [`parse_type`] read it back. A [`Printer`] and a [`Parser`] do the same many times over, with
//! what several attributes share (distinct attributes, resources) kept in [`PrintNames`] and [`Scope`].
//! [`Context::show`](crate::Context::show) is the short way to print one. The text of operations is
//! built on these, in the crate `mlirbc-text`.

mod defined;
mod dialect;
pub mod float;
mod parse;
mod print;
mod shown;
mod words;

pub use dialect::DialectText;
pub use parse::{
    AffineValues, Declarations, MAX_DEPTH, Parser, Scope, closes_at_its_end, in_word, parse_attribute, parse_type,
    starts_word,
};
pub use print::{
    Aliasable, Aliases, DialectPrinter, Elision, PrintNames, Printer, is_identity, print_attribute, print_location,
    print_type, push_affine, push_decimal, push_escaped, push_hex, push_integer, push_name, push_symbol, values_in,
};
pub use shown::{Showable, Shown};
pub use words::{integers, is_bare_keyword, is_word, split_symbol};

/// How many times larger than its text an integer may be, above a size that costs nothing.
const INTEGER_EXPANSION: usize = 64;

/// Whether an integer of that width may be written in so many digits.
fn is_long_enough(digits: usize, width: u32) -> bool {
    width as usize / 8 <= 512 + INTEGER_EXPANSION * digits
}
