//! Runs [`mlirbc_fuzz::ods_import`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(ods_import);
