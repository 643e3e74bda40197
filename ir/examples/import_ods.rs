//! Makes a table of op definitions from JSON of `llvm-tblgen --dump-json`: `import_ods FILES... -o TABLE`.

use std::process::ExitCode;

use mlirbc_ir::ods::Importer;

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(report) => {
            eprintln!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<String, Box<dyn std::error::Error>> {
    let (mut inputs, mut output) = (Vec::new(), None);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-o" => output = arguments.next(),
            _ => inputs.push(argument),
        }
    }
    let output = output.ok_or("usage: import_ods FILES... -o TABLE")?;
    let mut importer = Importer::new();
    for input in &inputs {
        let json = std::fs::read(input).map_err(|error| format!("{input}: {error}"))?;
        let mut wrong = Vec::new();
        importer.add(&json, &mut |error| wrong.push(error)).map_err(|error| format!("{input}: {error}"))?;
        if let Some(error) = wrong.first() {
            return Err(format!("{input}: {error}").into());
        }
    }
    let table = importer.finish();
    let bytes = table.to_bytes();
    std::fs::write(&output, &bytes).map_err(|error| format!("{output}: {error}"))?;
    Ok(format!("{table:?} in {} bytes", bytes.len()))
}
