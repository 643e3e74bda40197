//! Runs [`mlirbc_fuzz::bytecode_roundtrip`] under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    mlirbc_fuzz::bytecode_roundtrip::run(data);
});
