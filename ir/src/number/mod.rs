//! Integers of any width and floating-point numbers of MLIR's formats, with the arithmetic that folding constants takes.

mod integer;
mod kind;

pub use integer::ApInt;
pub(crate) use integer::decimal_words;
pub use kind::FloatKind;
