//! Runs [`mlirbc_fuzz::spirv_to_llvm`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(spirv_to_llvm);
