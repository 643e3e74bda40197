use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let bytes: bytes::Bytes = std::fs::read(path).unwrap().into();
    for _ in 0..5 {
        let context = mlirbc_ir::Context::new();
        let t = Instant::now();
        let module = mlirbc_bytecode::read(&context, bytes.clone()).unwrap();
        let open = t.elapsed();
        let t = Instant::now();
        let n = module.operations().unwrap().next().unwrap().inside().unwrap().count();
        let lazy = t.elapsed();
        let t = Instant::now();
        module.load_all().unwrap();
        let eager = t.elapsed();
        let mut heap = 0; let mut ops = 0;
        for i in 0..module.body_count() { let b = module.loaded(mlirbc_ir::BodyId::from_index(i)).unwrap(); heap += b.heap_bytes(); ops += b.operation_count(); }
        println!("open {open:?} lazy {lazy:?} ({n}) rest {eager:?} ops {ops} heap {} MB", heap >> 20);
    }
}
