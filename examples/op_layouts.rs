//! Prints how the properties of operations are laid out, a member a line: `op_layouts FILES...`, of JSON of
//! `llvm-tblgen --dump-json`; without files, of MLIR's own dialects. `value` lines are attributes that stand for enums.

use std::process::ExitCode;

use mlirbc::ir::ods::OpTable;

use mlirbc::ir::tablegen::Importer;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let mut importer = Importer::new();
    for input in std::env::args().skip(1) {
        let json = std::fs::read(&input)?;
        // One that is left out is one of which nothing is known.
        let mut report = |error| eprintln!("{input}: {error}");
        importer.add(&json, &mut report).map_err(|error| format!("{input}: {error}"))?;
    }
    match std::env::args().len() {
        1 => mlirbc::definitions().iter().for_each(print),
        _ => print(&importer.finish()?),
    }
    Ok(())
}

fn print(table: &OpTable) {
    for op in table.iter() {
        println!("operation {}", op.name);
        for member in &op.properties {
            println!("member {} {}", member.name, member.kind);
        }
    }
    for attribute in table.attribute_definitions() {
        let cases = attribute.enumeration.and_then(|name| table.enumeration(&name));
        if let (Some(case), Some((dialect, mnemonic))) =
            (cases.as_ref().and_then(|cases| cases.cases.first()), attribute.name.split_once('.'))
        {
            println!("value #{dialect}.{mnemonic}<{}>", case.text);
            println!("value #{dialect}<{mnemonic} {}>", case.text);
        }
    }
}
