//! Runs [`mlirbc_fuzz::store_records`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::store_records::run(data);
});
