//! Runs [`mlirbc_fuzz::bytecode_patch`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(bytecode_patch);
