//! Runs [`mlirbc_fuzz::stablehlo_text`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(stablehlo_text);
