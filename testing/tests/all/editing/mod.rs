//! Bodies against plain trees: random edits of real modules, each made in both, and both compared after it. Now and then
//! the module is written, and what comes back is compared, too.
//!
//! `MLIRBC_EDITS=1000000 cargo test --release -p mlirbc-testing --test all editing::` is the full length.

mod edits;
mod form;
mod model;

use std::path::PathBuf;

use edits::{Random, Run, Tally};
use form::{lines, trees_of};
use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::{BodyId, Module};
use mlirbc_testing::{corpus, env_number, fixtures};
use mlirbc_text::{PrintOptions, print_module};

/// The most edits of one module. Most see only a few: much shows only while little has been edited.
const EDITS: usize = 150;
const FEW: usize = 4;
/// How often a module is written while it is edited: after so many edits on average, and after the last.
const INTERVAL: usize = 8;
/// Larger modules are left out: a comparison after each edit takes too long.
const OPERATIONS: usize = 400;

struct Input {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Whether it has parts whose encoding is unknown.
    opaque: bool,
    /// Whether it says in which order values are used.
    orders: bool,
}

fn inputs() -> Vec<Input> {
    let mut paths: Vec<PathBuf> = [fixtures(), fixtures().join("versions")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("fixtures").map(|entry| entry.expect("an entry").path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc"))
        .collect();
    paths.sort();
    assert_eq!(paths.len(), 27);
    for (folder, step) in [("bytecode", 2), ("spirv_dialect", 8), ("stablehlo_artifacts", 8)] {
        let files = corpus(folder, "editing files of the corpus").unwrap_or_default();
        paths.extend(files.into_iter().step_by(step));
    }
    let mut inputs = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).expect("a file");
        let module = read(&crate::definitions::context(), bytes.clone()).expect("a module");
        // Some are there to be refused, and some are large.
        if decode_all(&module).is_ok() && module.bodies().map(|it| it.1.operation_count()).sum::<usize>() <= OPERATIONS
        {
            let known = write(&module, &WriteOptions { producer: b"another".to_vec(), ..WriteOptions::default() });
            let opaque = known.is_err_and(|error| error.message().contains("opaque"));
            let orders = module.bodies().any(|it| it.1.stored_orders().next().is_some());
            inputs.push(Input { path, bytes, opaque, orders });
        }
    }
    inputs
}

fn text(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    let options = PrintOptions::new().generic(generic).locations(true);
    print_module(module, &options, &mut text).expect("text");
    let text = String::from_utf8_lossy(&text).into_owned();
    // Bytecode leaves out resources that nothing refers to any more.
    text.split("\n{-#").next().unwrap_or_default().trim_end().to_owned()
}

/// Writes the module, which must come back as it is, or be refused where bytecode has no form for it. Says whether it came back.
fn there_and_back(run: &mut Run, input: &Input) -> bool {
    loop {
        let missing: Vec<BodyId> = run.reachable().into_iter().filter(|id| !run.trees.contains_key(id)).collect();
        if missing.is_empty() {
            break;
        }
        missing.into_iter().for_each(|id| run.enter(id));
    }
    let top = BodyId::from_index(Module::TOP);
    // What hangs on a detached operation is not written.
    let mut written = vec![top];
    let mut at = 0;
    while let Some(id) = written.get(at) {
        let tree = &run.trees[id];
        written.extend(tree.preorder().iter().filter_map(|op| tree.ops[op].child));
        at += 1;
    }
    if !run.random.one_in(4) {
        written.iter().for_each(|&id| run.repair(id));
    }
    let writable = written.iter().all(|id| run.trees[id].is_writable(*id == top));
    let options = match input.opaque {
        true => WriteOptions::like(&run.module),
        false => WriteOptions::default(),
    };
    // Before version 3 nothing says in which order values are used, and only files with opaque parts stay at theirs.
    let orders = options.version >= 3;
    let options = options.lossy(!orders);
    let bytes = match write(&run.module, &options) {
        Ok(bytes) => bytes,
        Err(error) => {
            assert!(!writable, "{error}");
            return false;
        }
    };
    assert!(writable, "bytecode has no form for this");
    let again = read(run.module.context(), bytes.clone()).expect("a module");
    decode_all(&again).expect("well-formed");
    let (before, after) = (lines(&run.module, &run.trees, orders), lines(&again, &trees_of(&again), orders));
    for (written, read) in before.lines().zip(after.lines()) {
        assert_eq!(written, read);
    }
    assert!(before == after, "one is longer");
    assert!(write(&again, &options).expect("bytecode") == bytes, "other bytes");
    for generic in [true, false] {
        assert_eq!(text(&run.module, generic), text(&again, generic));
    }
    true
}

/// How often a module came back, and how often it had no form in bytecode.
fn edit(inputs: &[Input], input: &Input, seed: u64, tally: &mut Tally) -> (usize, usize) {
    let mut random = Random(seed);
    let module = read(&crate::definitions::context(), input.bytes.clone()).expect("a module");
    match random.below(3) {
        // Bodies are read as they are entered, and copies of single operations stand beside them.
        0 => drop(module.symbol("fold").expect("a symbol table")),
        1 => decode_all(&module).expect("well-formed"),
        _ => {}
    }
    // What comes from another file may have no form in bytecode of the version that an opaque part asks for.
    let other = random.of(&inputs.iter().filter(|other| !other.opaque).collect::<Vec<_>>());
    let other = other.filter(|_| !input.opaque).map(|other| {
        let other = read(module.context(), other.bytes.clone()).expect("a module");
        decode_all(&other).expect("well-formed");
        other
    });
    let mut run = Run::new(module, other, random);
    run.old = input.opaque && WriteOptions::like(&run.module).version < 5;
    let (mut back, mut refused) = (0, 0);
    let length = if run.random.one_in(8) { EDITS } else { 1 + run.random.below(FEW) };
    for number in 1..=length {
        run.edit();
        if number == length || run.random.one_in(INTERVAL) {
            match there_and_back(&mut run, input) {
                true => back += 1,
                false => refused += 1,
            }
        }
    }
    for (kind, (done, refused)) in run.tally {
        let total = tally.entry(kind).or_default();
        *total = (total.0 + done, total.1 + refused);
    }
    (back, refused)
}

#[test]
fn bodies_are_what_edits_of_a_plain_tree_make_them() {
    let edits = env_number("MLIRBC_EDITS").map_or(8_000, |edits| edits as usize);
    let first = env_number("MLIRBC_SEED").unwrap_or(0);
    let inputs = inputs();
    let mut tally = Tally::new();
    let (mut back, mut refused, mut opaque, mut orders) = (0, 0, 0, 0);
    for seed in first.. {
        if tally.values().map(|it| it.0).sum::<usize>() >= edits {
            break;
        }
        // From the upper half, so that no number of files has a factor that leaves some of them out.
        let input = &inputs[((seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % inputs.len() as u64) as usize];
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| edit(&inputs, input, seed, &mut tally)));
        let (came, did_not) = run.unwrap_or_else(|panic| {
            eprintln!("MLIRBC_SEED={seed} of {}", input.path.display());
            std::panic::resume_unwind(panic)
        });
        (back, refused) = (back + came, refused + did_not);
        (opaque, orders) = (opaque + came * usize::from(input.opaque), orders + came * usize::from(input.orders));
    }
    let done: usize = tally.values().map(|it| it.0).sum();
    println!("{done} edits of {} files; {back} modules came back, {refused} have no form; {tally:#?}", inputs.len());
    println!("of those that came back, {opaque} have parts that are opaque, and {orders} orders of uses");
    assert!(orders > 0 && (opaque > 0 || !inputs.iter().any(|input| input.opaque)));
    assert!(back > refused / 4 && back > 0, "{back} came back, {refused} could not be written");
    let never: Vec<_> = tally.iter().filter(|it| it.1.0 == 0 && *it.0 != "two that are one").collect();
    assert!(never.is_empty() && tally.len() >= 45, "never made: {never:?} of {} kinds", tally.len());
}
