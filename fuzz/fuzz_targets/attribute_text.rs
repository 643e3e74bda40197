//! Runs [`mlirbc_fuzz::attribute_text`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::attribute_text::run(data);
});
