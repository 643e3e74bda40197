//! scratch
use std::time::Instant;
use mlirbc_ir::ods::*;
fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let t = upstream();
    let b = t.to_bytes();
    for _ in 0..3 {
    let s = Instant::now(); let x = OpTable::from_bytes(b.clone()).unwrap(); println!("from_bytes {:?}", s.elapsed());
    let s = Instant::now(); let n = x.iter().count(); println!("iter {n} {:?}", s.elapsed());
    let s = Instant::now(); let n: usize = x.iter().map(|o| o.details().operands.len()).sum(); println!("details {n} {:?}", s.elapsed());
    for d in ["arith", "llvm", "spirv"] { let s = Instant::now(); let n = x.dialect(d).count(); println!("{d} {n} {:?}", s.elapsed()); 
     let small = OpTable::from_definitions(x.dialect(d)).to_bytes(); let s = Instant::now(); OpTable::from_bytes(small.clone()).unwrap(); println!("  own table {} bytes {:?}", small.len(), s.elapsed()); }
    }
    for n in names { if let Some(o) = t.get(&n) { println!("{o:#?}"); } else if let Some(o) = t.attribute_definition(&n) { println!("{o:#?}"); } else if let Some(o) = t.type_definition(&n) { println!("{o:#?}"); } else if let Some(o) = t.enumeration(&n) { println!("{o:#?}"); } }
}
