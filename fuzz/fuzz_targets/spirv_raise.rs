//! Runs [`mlirbc_fuzz::spirv_raise`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::spirv_raise::run(data);
});
