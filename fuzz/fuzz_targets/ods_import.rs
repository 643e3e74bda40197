//! Runs [`mlirbc_fuzz::ods_import`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::ods_import::run(data);
});
