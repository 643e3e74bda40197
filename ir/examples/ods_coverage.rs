//! Prints how much of the upstream definitions is understood.
fn main() {
    let t = mlirbc_ir::ods::upstream();
    let c = t.coverage();
    println!(
        "{} ops {} dialects {} attrs {} types {} enums; {} formats {} custom {} generic; uses {} understood {}",
        c.operations, c.dialects, c.attributes, c.types, c.enums, c.formats, c.custom, c.generic, c.uses, c.understood
    );
    println!("directives {} uses {}", c.directives.len(), c.directives.values().sum::<usize>());
    for u in &c.unknown {
        println!("{:5} {} ({} ops)", u.uses, u.reason, u.operations.len());
    }
}
