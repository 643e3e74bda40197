//! Tests of the crate, in one program.

mod vhlo;
