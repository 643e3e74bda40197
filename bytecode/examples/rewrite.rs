fn main() {
    let (mut ok, mut all) = (0, 0);
    for path in std::env::args().skip(1) {
        all += 1;
        let bytes: bytes::Bytes = std::fs::read(&path).unwrap().into();
        let context = mlirbc_ir::Context::new();
        let run = || {
            let module = mlirbc_bytecode::read(&context, bytes.clone())?;
            let options = mlirbc_bytecode::WriteOptions::like(&module);
            mlirbc_bytecode::write(&module, &options)
        };
        match run() {
            Ok(out) if out == bytes => ok += 1,
            Ok(out) => {
                let at = out.iter().zip(&bytes[..]).position(|(a, b)| a != b);
                println!("{path}: differs at {at:?}, {} of {}", out.len(), bytes.len());
                std::fs::write("/tmp/out.mlirbc", &out).unwrap();
            }
            Err(error) => println!("{path}: {error}"),
        }
    }
    println!("{ok} of {all}");
}
