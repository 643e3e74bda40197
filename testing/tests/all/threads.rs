//! One module in the hands of four threads.
//!
//! `MLIRBC_ROUNDS=1000 cargo test -p mlirbc-testing --test all threads::` is the full length.

use std::sync::Barrier;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::{BodyBuilder, BodyId, Module, Result};
use mlirbc_testing::{Shape, env_number, fixture, generate};

/// A file, and the symbols to look for in it.
struct Input {
    name: String,
    bytes: Vec<u8>,
    symbols: Vec<String>,
}

/// Files of every version. Before version 2 the bodies in a body have no length, so they are read with it.
fn inputs() -> Vec<Input> {
    let mut inputs = Vec::new();
    let of_file = |name: &str, symbols: &[&str]| Input {
        name: name.to_owned(),
        bytes: std::fs::read(fixture(name)).expect("a fixture"),
        symbols: symbols.iter().map(|&symbol| symbol.to_owned()).collect(),
    };
    inputs.push(of_file("nested.mlirbc", &["missing"]));
    for version in 0..=6 {
        inputs.push(of_file(&format!("versions/arith.22.v{version}.mlirbc"), &["f", "fold", "elsewhere", "missing"]));
        for (shape, size) in [(Shape::Functions, 30 << 10), (Shape::Nested, 10 << 10)] {
            let module = generate(&crate::definitions::context(), shape, size).expect("a module");
            let options = WriteOptions::new().version(version).lossy(true);
            let bytes = write(&module, &options).expect("bytecode");
            let symbols = (0..20).map(|number| format!("f{}", number * 7 % 20)).collect();
            inputs.push(Input { name: format!("{} in version {version}", shape.name()), bytes, symbols });
        }
    }
    inputs
}

/// Every operation of the module, each before what it holds.
fn walk(module: &Module) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for outermost in module.operations()? {
        for op in outermost.walk()? {
            for value in op.operands().iter().copied().chain(op.results()) {
                op.type_of(value)?;
            }
            names.push(op.name().into_owned());
        }
    }
    Ok(names)
}

fn look_for(module: &Module, symbols: &[String]) -> Result<Vec<bool>> {
    symbols.iter().map(|symbol| Ok(module.symbol(symbol)?.is_some())).collect()
}

/// Bodies that come into the table as those of readers do: first a number, some time later what it stands for.
fn declare(module: &Module) {
    for turn in 0..40 {
        let (one, other) = (module.declare(None, None, None), module.declare_fragment(None, None));
        let inner = module.declare(None, None, Some((one, mlirbc_ir::OpId::from_index(0))));
        // What the table says of any number, of one not given out yet too.
        for id in (0..module.body_count() + 2).map(BodyId::from_index) {
            let _ = (module.loaded(id).is_some(), module.pending(id), module.owner(id), module.depth(id));
            let _ = module.is_fragment(id);
        }
        if turn % 3 == 0 {
            std::thread::yield_now();
        }
        [inner, other, one].into_iter().for_each(|id| module.fill(id, BodyBuilder::new(1).finish()));
    }
}

#[test]
fn four_threads_load_walk_look_for_symbols_and_declare_at_once() {
    let rounds = env_number("MLIRBC_ROUNDS").map_or(60, |rounds| rounds as usize);
    let inputs = inputs();
    let alone: Vec<_> = inputs
        .iter()
        .map(|input| {
            let module = read(&crate::definitions::context(), input.bytes.clone()).expect("a module");
            (look_for(&module, &input.symbols).expect("symbols"), walk(&module).expect("well-formed"))
        })
        .collect();
    assert!(alone.iter().all(|(found, names)| found.contains(&false) != found.is_empty() && names.len() > 10));
    for round in 0..rounds {
        let input = &inputs[round % inputs.len()];
        let (found, names) = &alone[round % inputs.len()];
        let module = &read(&crate::definitions::context(), input.bytes.clone()).expect("a module");
        let barrier = &Barrier::new(4);
        std::thread::scope(|scope| {
            let loading = scope.spawn(move || {
                barrier.wait();
                module.load_all()
            });
            let walking = scope.spawn(move || {
                barrier.wait();
                walk(module)
            });
            let looking = scope.spawn(move || {
                barrier.wait();
                look_for(module, &input.symbols)
            });
            let declaring = scope.spawn(move || {
                barrier.wait();
                declare(module);
            });
            let what = format!("{}, round {round}", input.name);
            declaring.join().unwrap_or_else(|_| panic!("{what}: declaring"));
            loading.join().expect("no panic").unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(walking.join().expect("no panic").expect("well-formed") == *names, "{what}: other operations");
            assert!(looking.join().expect("no panic").expect("well-formed") == *found, "{what}: other symbols");
        });
        decode_all(module).unwrap_or_else(|error| panic!("{}: {error}", input.name));
        let (same, again) = (look_for(module, &input.symbols), walk(module));
        assert!(same.expect("symbols") == *found && again.expect("well-formed") == *names, "{}", input.name);
    }
}
