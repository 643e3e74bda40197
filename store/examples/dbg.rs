fn main() {
    let p = std::env::args().nth(1).unwrap();
    let o = mlirbc_store::Options::new().segment_length(64<<10).max_bytes(1<<30);
    let t = std::time::Instant::now();
    let s = mlirbc_store::Store::open_with(&p, o).unwrap();
    println!("open {:?}", t.elapsed());
    println!("{:?}", s.stats());
    println!("{:?}", s.verify().map(|v| (v.records, v.damage.len(), v.damage.into_iter().take(5).collect::<Vec<_>>())));
    println!("{:?}", s.gc(None, None, false));
    println!("{:?}", s.stats());
}
