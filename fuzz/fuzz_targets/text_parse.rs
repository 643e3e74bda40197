//! Runs [`mlirbc_fuzz::text_parse`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(text_parse);
