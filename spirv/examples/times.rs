//! Times reading and writing of SPIR-V binaries, file by file, with a fresh context for each.
//!
//! ```sh
//! cargo run --release --example times -- LIST [REPS]    # LIST: a text file, one path a line
//! ```
//!
//! Prints one JSON line: the sums over all files of the best time of each, in milliseconds. Making the context and
//! registering the dialect is not counted, as it is not where libMLIR is timed in the same way.

use std::time::Instant;

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::Context;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let list = arguments.next().ok_or("usage: times LIST [REPS]")?;
    let reps: usize = arguments.next().map_or(Ok(5), |reps| reps.parse())?;
    let [mut bytes, mut files] = [0; 2];
    let mut sums = [0.0; 6];
    for path in std::fs::read_to_string(list)?.lines() {
        let file = bytes::Bytes::from(std::fs::read(path)?);
        let mut best = [f64::INFINITY; 6];
        for _ in 0..reps {
            let mut took = [0.0; 6];
            let mut start = Instant::now();
            let mut lap = |at: usize| {
                took[at] = start.elapsed().as_secs_f64() * 1e3;
                start = Instant::now();
            };
            let context = Context::new();
            mlirbc_spirv::register(&context)?;
            lap(0);
            let module = mlirbc_spirv::read(&context, file.clone())?;
            lap(1);
            let back = mlirbc_spirv::write(&module)?;
            lap(2);
            assert!(back == file, "{path}");
            lap(5);
            let bytecode = mlirbc_bytecode::write(&module, &WriteOptions::default())?;
            lap(3);
            let other = Context::new();
            mlirbc_spirv::register(&other)?;
            lap(5);
            let module = mlirbc_bytecode::read(&other, bytecode)?;
            let back = mlirbc_spirv::write(&module)?;
            lap(4);
            assert!(back == file, "{path}");
            best.iter_mut().zip(took).for_each(|(best, took)| *best = best.min(took));
        }
        sums.iter_mut().zip(best).for_each(|(sum, best)| *sum += best);
        (files, bytes) = (files + 1, bytes + file.len());
    }
    let [context, read, write, to_bytecode, from_bytecode, _] = sums;
    println!(
        "{{\"files\":{files},\"bytes\":{bytes},\"context_ms\":{context:.3},\"read_ms\":{read:.3},\"write_ms\":{write:.3},\
         \"ir_to_bytecode_ms\":{to_bytecode:.3},\"bytecode_to_binary_ms\":{from_bytecode:.3}}}"
    );
    Ok(())
}
