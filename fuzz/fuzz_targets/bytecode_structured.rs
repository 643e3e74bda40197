//! Runs [`mlirbc_fuzz::bytecode_structured`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::bytecode_structured::run(data);
});
