//! Runs [`mlirbc_fuzz::store_records`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(store_records);
