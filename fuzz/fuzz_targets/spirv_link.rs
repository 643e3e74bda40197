//! Runs [`mlirbc_fuzz::spirv_link`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(spirv_link);
