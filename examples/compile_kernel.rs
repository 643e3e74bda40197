//! A kernel that is compiled when a program starts, for what it turns out to be given, and kept for the next start:
//! `cargo run --example compile_kernel -- 2.5 vulkan1.1 /tmp/kernels`. The second run finds it.
//!
//! What a runtime does with it then is up to its driver: the words go to `vkCreateShaderModule` as they are.

use std::time::Instant;

use mlirbc::conversion::compile::compile_to_binary;
use mlirbc::prelude::*;
use mlirbc::{Key, Store};

/// c = FACTOR a + c, for each of 1024 numbers.
const SOURCE: &str = r"
gpu.module @kernels {
  gpu.func @saxpy(%a: memref<1024xf32>, %c: memref<1024xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %factor = arith.constant FACTOR : f32
    %i = gpu.global_id x
    %x = memref.load %a[%i] : memref<1024xf32>
    %y = memref.load %c[%i] : memref<1024xf32>
    %product = arith.mulf %factor, %x : f32
    %sum = arith.addf %product, %y : f32
    memref.store %sum, %c[%i] : memref<1024xf32>
    gpu.return
  }
}";

/// The binary of a source for a target, from the store or made now; and whether it was made.
fn kernel(store: &Store, source: &str, target: &str) -> Result<(Vec<u8>, bool)> {
    // Another version of the compiler may make something else of the same source.
    let version = env!("CARGO_PKG_VERSION");
    let key = Key::builder().part("source", source).part("target", target).part("compiler", version).finish();
    if let Some(found) = store.get_bytes(&key)? {
        return Ok((found.bytes.to_vec(), false));
    }
    let context = Context::new();
    let mut module = mlirbc::parse(&context, source)?;
    let binary = compile_to_binary(&mut module, target, 1)?;
    store.put_bytes(&key, &binary, b"")?;
    Ok((binary, true))
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let factor: f32 = arguments
        .next()
        .map_or(Ok(2.5), |text| text.parse())
        .map_err(|_| mlirbc::Error::misuse("the factor is no number"))?;
    let target = arguments.next().unwrap_or_else(|| "vulkan1.1".to_owned());
    let folder = arguments.next().map_or_else(|| std::env::temp_dir().join("mlirbc-kernels"), Into::into);
    let store = Store::open(folder)?;
    let started = Instant::now();
    let (binary, is_new) = kernel(&store, &SOURCE.replace("FACTOR", &format!("{factor:.9e}")), &target)?;
    let how = if is_new { "compiled" } else { "found" };
    println!("{} bytes for {target}, {how} in {:.0?}", binary.len(), started.elapsed());
    Ok(())
}
