//! Tests of the crate, in one program.

mod convert;
mod vhlo;
