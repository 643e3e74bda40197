//! Runs [`mlirbc_fuzz::attribute_text`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(attribute_text);
