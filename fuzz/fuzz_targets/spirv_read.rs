//! Runs [`mlirbc_fuzz::spirv_read`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(spirv_read);
