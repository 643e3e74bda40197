//! Runs [`mlirbc_fuzz::spirv_raise`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(spirv_raise);
