//! Runs [`mlirbc_fuzz::spirv_passes`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(spirv_passes);
