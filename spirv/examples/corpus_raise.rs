//! Raises and lowers every module of a folder: `corpus_raise DIR [OUT]`.
use std::collections::BTreeMap;
fn main() {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut ok, mut all) = (0, 0);
    let out = std::env::args().nth(2);
    for entry in std::fs::read_dir(std::env::args().nth(1).expect("DIR")).expect("dir") {
        let path = entry.expect("entry").path();
        all += 1;
        let context = mlirbc_ir::Context::new();
        let raised = mlirbc_spirv::raise(&context, std::fs::read(&path).expect("file"));
        match raised.and_then(|module| mlirbc_spirv::lower(&module)) {
            Ok(bytes) => {
                ok += 1;
                if let Some(out) = &out {
                    std::fs::write(std::path::Path::new(out).join(path.file_name().unwrap()), bytes).unwrap();
                }
            }
            Err(error) => {
                let reading = error.what_was_read().first().map_or("".into(), |s| s.split(',').next().unwrap_or("").to_owned());
                println!("{}: {error}", path.display());
                *reasons.entry(format!("{} {reading}", error.message())).or_default() += 1;
            }
        }
    }
    for (reason, count) in reasons {
        println!("{count} {reason}");
    }
    println!("{ok} of {all}");
}
