//! Text and bytecode of real files: what is printed is read back as the same module.

use std::path::{Path, PathBuf};

use mlirbc::ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc::ir::{Body, BodyId, Value};
use mlirbc::{Context, Module};

/// The files of a folder of the corpus; none, said aloud, where the corpus is not there.
fn corpus(folder: &str) -> Vec<PathBuf> {
    let Some(shared) = std::env::var_os("MLIRBC_SHARED") else {
        eprintln!("skipped: MLIRBC_SHARED does not say where the corpus is");
        return Vec::new();
    };
    let folder = Path::new(&shared).join("corpus").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

fn print(module: &Module, locations: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().locations(locations), &mut text).unwrap();
    String::from_utf8_lossy(&text).into_owned()
}

/// The orders of all uses that are not in reference order, by body in order of appearance and by value in order of
/// definition.
fn orders(module: &mut Module) -> Vec<(usize, usize, Vec<u32>)> {
    module.load_all().unwrap();
    let mut all = Vec::new();
    let mut bodies = vec![BodyId::from_index(Module::TOP)];
    let mut at = 0;
    while at < bodies.len() {
        let id = bodies[at];
        module.body_mut(id).unwrap().build_uses();
        let body = module.body(id).unwrap();
        let numbers = body.preorder_numbers();
        for (number, value) in values(body).into_iter().enumerate() {
            if let Some(order) = body.order_of_uses(value, &numbers) {
                all.push((at, number, order));
            }
        }
        bodies.extend(body.preorder().filter_map(|op| body.child(op)));
        at += 1;
    }
    all
}

fn values(body: &Body) -> Vec<Value> {
    let mut values = Vec::new();
    let mut regions: Vec<_> = body.roots().to_vec();
    regions.extend(body.preorder().flat_map(|op| body.regions(op)));
    for region in regions {
        for block in body.blocks(region) {
            values.extend(body.arguments(block));
            values.extend(body.operations(block).flat_map(|op| body.results(op)));
        }
    }
    values
}

fn round_trip(path: &Path) -> Result<(), String> {
    let context = Context::new();
    let mut module = mlirbc::open(&context, path).map_err(|error| error.to_string())?;
    let text = print(&module, true);
    let mut again = parse_module(&context, text.as_bytes(), &ParseOptions::new()).map_err(|error| error.to_string())?;
    if print(&again, true) != text {
        return Err("its text differs the second time".into());
    }
    if orders(&mut module) != orders(&mut again) {
        return Err(format!("orders of uses differ: {:?} in text", orders(&mut again)));
    }
    Ok(())
}

fn check(folder: &str) {
    let files = corpus(folder);
    let failures: Vec<String> = files
        .iter()
        .filter_map(|path| round_trip(path).err().map(|error| format!("{}: {error}", path.display())))
        .collect();
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), files.len(), failures.join("\n"));
}

#[test]
fn bytecode_corpus() {
    check("bytecode");
}

#[test]
fn spirv_dialect_corpus() {
    check("spirv_dialect");
}

#[test]
fn codes_corpus() {
    check("codes");
}
