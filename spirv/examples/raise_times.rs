//! Times reading SPIR-V binaries and writing them, in the binary form and in the dialect, file by file, with a fresh
//! context for each.
//!
//! ```sh
//! cargo run --release -p mlirbc-spirv --example raise_times -- LIST [REPS]    # LIST: a text file, one path a line
//! ```
//!
//! Prints one JSON line: the sums over all files of the best time of each, in milliseconds. Making the context and
//! registering the dialect is not counted.

use std::time::Instant;

use bytes::Bytes;
use mlirbc_ir::{Context, Module, Result};

/// The best time of reading the file and of writing what was read, in milliseconds.
fn best_times<T>(
    file: &Bytes,
    reps: usize,
    read: impl Fn(&Context, Bytes) -> Result<Module>,
    write: impl Fn(&Module) -> Result<T>,
) -> Result<(f64, f64)> {
    let (mut reading, mut writing) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..reps {
        let context = Context::new();
        mlirbc_spirv::register(&context)?;
        let start = Instant::now();
        let module = read(&context, file.clone())?;
        reading = reading.min(start.elapsed().as_secs_f64() * 1e3);
        let start = Instant::now();
        let words = write(&module)?;
        writing = writing.min(start.elapsed().as_secs_f64() * 1e3);
        drop(words);
    }
    Ok((reading, writing))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let list = arguments.next().ok_or("usage: raise_times LIST [REPS]")?;
    let reps: usize = arguments.next().map_or(Ok(5), |reps| reps.parse())?;
    let (mut read, mut written, mut raised, mut lowered, mut bytes, mut files) = (0.0, 0.0, 0.0, 0.0, 0, 0);
    for path in std::fs::read_to_string(list)?.lines() {
        let file = Bytes::from(std::fs::read(path)?);
        if let Err(error) = mlirbc_spirv::raise(&Context::new(), file.clone()) {
            eprintln!("{path}: {error}");
            continue;
        }
        let (flat, back) = best_times(&file, reps, mlirbc_spirv::read, mlirbc_spirv::write_words)?;
        let (up, down) = best_times(&file, reps, mlirbc_spirv::raise, mlirbc_spirv::lower_words)?;
        (read, written) = (read + flat, written + back);
        (raised, lowered, bytes, files) = (raised + up, lowered + down, bytes + file.len(), files + 1);
    }
    print!("{{\"files\":{files},\"bytes\":{bytes},\"read_ms\":{read:.3},\"write_ms\":{written:.3},");
    println!("\"raise_ms\":{raised:.3},\"lower_ms\":{lowered:.3}}}");
    Ok(())
}
