fn main() {
    for name in std::env::args().skip(1) {
        let Some(op) = mlirbc_ir::ods::upstream().get(&name) else { println!("no {name}"); continue };
        println!("== {name} traits {:?}", op.traits);
        for o in op.operands().iter() { println!("  operand {} {:?} {} only {:?} {:?}", o.name, o.multiplicity, o.constraint.name, o.constraint.only, o.constraint.predicate); }
        for o in op.results().iter() { println!("  result {} {:?} {} only {:?}", o.name, o.multiplicity, o.constraint.name, o.constraint.only); }
        for a in op.attributes() { println!("  attr {} opt {} def {:?} {} storage {} vt {:?} enum {:?}", a.name, a.optional, a.default, a.constraint.name, a.constraint.storage, a.constraint.value_type, a.constraint.enumeration); }
        for a in op.natives() { println!("  native {:?}", a); }
        for r in &op.details().rules { println!("  rule {:?}", r); }
        println!("  other {:?} {:?}", op.details().other_traits, op.details().interfaces);
        println!("  {:?}", op.syntax());
    }
}
