//! Runs [`mlirbc_fuzz::rewrite`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(rewrite);
