//! Runs [`mlirbc_fuzz::text_parse`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::text_parse::run(data);
});
