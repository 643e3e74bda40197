//! Runs [`mlirbc_fuzz::into_spirv`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(into_spirv);
