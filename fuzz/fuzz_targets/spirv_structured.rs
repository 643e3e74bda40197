//! Runs [`mlirbc_fuzz::spirv_structured`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(spirv_structured);
