//! Runs [`mlirbc_fuzz::vhlo_read`] under libFuzzer.
#![no_main]

mlirbc_fuzz::program!(vhlo_read);
