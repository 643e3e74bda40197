//! The generator makes what it promises.

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_testing::{Shape, generate, tool};

const SIZES: [usize; 3] = [1 << 10, 100 << 10, 3 << 20];

fn written(shape: Shape, size: usize) -> Vec<u8> {
    let module = generate(&crate::definitions::context(), shape, size).expect("a module");
    write(&module, &WriteOptions::default()).expect("bytecode")
}

#[test]
fn sizes_are_about_those_asked_for() {
    for shape in Shape::ALL {
        for size in &SIZES[1..] {
            let got = written(shape, *size).len();
            assert!((size / 10 * 8..size / 10 * 12).contains(&got), "{shape:?}: {got} bytes for {size}");
        }
    }
}

#[test]
fn reading_and_writing_gives_the_same_bytes() {
    for shape in Shape::ALL {
        for size in SIZES {
            let bytes = written(shape, size);
            assert_eq!(bytes, written(shape, size), "{shape:?}: made twice");
            let context = crate::definitions::context();
            let module = read(&context, bytes.clone()).expect("a module");
            decode_all(&module).expect("well-formed");
            assert!(module.symbol("f0").expect("a symbol table").is_some());
            let again = write(&module, &WriteOptions::like(&module)).expect("bytecode");
            assert!(again == bytes, "{shape:?} of {size}: other bytes");
        }
    }
}

#[test]
fn mlir_opt_takes_them_and_writes_the_same() {
    if !tool("mlir-opt-22", "generated modules were not read by mlir-opt") {
        return;
    }
    for shape in Shape::ALL {
        let module = generate(&crate::definitions::context(), shape, SIZES[1]).expect("a module");
        let options = WriteOptions { producer: b"MLIR22.1.8".to_vec(), ..WriteOptions::default() };
        let bytes = write(&module, &options).expect("bytecode");
        let mut child = Command::new("mlir-opt-22")
            .arg("--emit-bytecode")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mlir-opt-22");
        let mut stdin = child.stdin.take().expect("a pipe");
        let input = bytes.clone();
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().expect("mlir-opt-22 ends");
        writer.join().expect("no panic").expect("all was read");
        assert!(output.status.success(), "{shape:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout == bytes, "{shape:?}: mlir-opt writes other bytes");
    }
}
