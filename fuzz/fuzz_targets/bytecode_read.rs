//! Runs [`mlirbc_fuzz::bytecode_read`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(bytecode_read);
