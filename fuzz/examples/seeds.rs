//! Writes the seeds of fuzz targets, or runs inputs through one.
//!
//! `seeds FOLDER` writes the seeds of each target into a folder of its name; `seeds --run TARGET FILE...` runs files.

use std::path::Path;
use std::process::ExitCode;

use mlirbc_fuzz::{TARGETS, findings, target};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match &arguments[..] {
        ["--run", name, files @ ..] if !files.is_empty() => {
            let Some(target) = target(name) else {
                eprintln!("no target {name}");
                return ExitCode::from(2);
            };
            for file in files {
                let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
                println!("{file}: {:?}", (target.run)(&bytes));
            }
        }
        [folder] if !folder.starts_with('-') => {
            for target in TARGETS {
                let folder = Path::new(folder).join(target.name);
                std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
                let seeds = (target.seeds)();
                assert!(!seeds.is_empty(), "{} has no seeds", target.name);
                for (name, bytes) in seeds.iter().chain(&findings(target.name)) {
                    let path = folder.join(name);
                    std::fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                }
                println!("{}: {} seeds", target.name, seeds.len());
            }
        }
        _ => {
            eprintln!("seeds FOLDER | seeds --run TARGET FILE...");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
