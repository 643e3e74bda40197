//! Runs [`mlirbc_fuzz::bytecode_roundtrip`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(bytecode_roundtrip);
