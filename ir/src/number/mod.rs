//! Integers of any width and floating-point numbers of MLIR's formats, with the arithmetic that folding constants takes.

mod float;
mod integer;
mod kind;

pub use float::{ApFloat, Converted, RoundingMode, ToInteger};
pub use integer::ApInt;
pub(crate) use integer::decimal_words;
pub use kind::FloatKind;
