//! Runs [`mlirbc_fuzz::spirv_read`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::spirv_read::run(data);
});
