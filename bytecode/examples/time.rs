use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let bytes: bytes::Bytes = std::fs::read(path).unwrap().into();
    let context = mlirbc_ir::Context::new();
    let mut module = mlirbc_bytecode::read(&context, bytes.clone()).unwrap();
    mlirbc_bytecode::decode_all(&module).unwrap();
    for i in 0..module.body_count() { module.body_mut(mlirbc_ir::BodyId::from_index(i)).unwrap().build_uses(); }
    mlirbc_bytecode::detach(&mut module).unwrap();
    let mut best = f64::MAX;
    for _ in 0..std::env::args().nth(2).map_or(20, |n| n.parse().unwrap()) {
        let t = Instant::now();
        let out = mlirbc_bytecode::write(&module, &mlirbc_bytecode::WriteOptions::like(&module)).unwrap();
        best = best.min(t.elapsed().as_secs_f64());
        assert!(out == bytes);
    }
    println!("write {:.1} ms", best * 1e3);
}
