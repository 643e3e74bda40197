//! Runs [`mlirbc_fuzz::bytecode_structured`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(bytecode_structured);
