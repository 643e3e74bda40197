//! Runs [`mlirbc_fuzz::spirv_structured`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::spirv_structured::run(data);
});
