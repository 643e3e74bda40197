use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let bytes: bytes::Bytes = std::fs::read(path).unwrap().into();
    for _ in 0..5 {
        let context = mlirbc_ir::Context::new();
        let t = Instant::now();
        let mut module = mlirbc_bytecode::read(&context, bytes.clone()).unwrap();
        let open = t.elapsed();
        let t = Instant::now();
        let n = module.operations().unwrap().next().unwrap().inside().unwrap().count();
        let lazy = t.elapsed();
        let t = Instant::now();
        module.load_all().unwrap();
        let eager = t.elapsed();
        let t = Instant::now();
        mlirbc_bytecode::BytecodeFile::of(&module).unwrap().decode_tables().unwrap();
        let tables = t.elapsed();
        let t = Instant::now();
        mlirbc_bytecode::decode_all(&module).unwrap();
        let dec = t.elapsed();
        let t = Instant::now();
        for i in 0..module.body_count() { module.body_mut(mlirbc_ir::BodyId::from_index(i)).unwrap().build_uses(); }
        let uses = t.elapsed();
        let mut heap = 0; let mut ops = 0;
        for i in 0..module.body_count() { let b = module.loaded(mlirbc_ir::BodyId::from_index(i)).unwrap(); heap += b.heap_bytes(); ops += b.operation_count(); }
        let t = Instant::now();
        drop(module);
        println!("open {open:?} lazy {lazy:?} ({n}) rest {eager:?} tables {tables:?} props {dec:?} uses {uses:?} drop {:?} ops {ops} heap {} MB", t.elapsed(), heap >> 20);
    }
}
