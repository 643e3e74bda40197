//! Reading bytecode at once and piece by piece: both give the same module, or the same error.

use mlirbc_bytecode::inspect::{label_bytes, summarize};
use mlirbc_bytecode::{BytecodeFile, Index, ReadOptions, decode_all, read, read_with};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{BlockId, BodyId, Location, Module, ModuleSource, OpRef, Result};

use crate::oracle::{proper, same};
use crate::{Outcome, Random, Seed, inputs};

/// Inputs to begin with.
pub fn seeds() -> Vec<Seed> {
    inputs::bytecode()
}

/// Reads a file in every way that there is.
pub fn run(data: &[u8]) -> Outcome {
    let context = mlirbc_dialects::context();
    let eager = read(&context, data.to_vec()).and_then(|module| decode_all(&module).map(|()| module));
    let stepwise = read(&context, data.to_vec()).and_then(|module| step_by_step(&module).map(|()| module));
    let lazy = read(&context, data.to_vec());
    if let Ok(lazy) = &lazy {
        inspect(lazy, data.len(), eager.is_ok());
    }
    // A look at an operation shows it, or gives an error that reading everything gives too.
    let looked = lazy.and_then(|module| look_at_all(&module).map(|()| module));
    match (&eager, &stepwise) {
        (Ok(eager), Ok(stepwise)) => {
            let looked = looked.unwrap_or_else(|error| panic!("read at once, and not from the top down: {error}"));
            same(eager, stepwise);
            same(eager, &looked);
            symbols(data, eager);
            verify_module(eager, &mut |_| ())
                .unwrap_or_else(|error| panic!("decoded, and cannot be verified: {error}"));
            Outcome::Accepted
        }
        (Err(error), Err(other)) => {
            proper(error, data.len());
            assert_eq!(error.to_string(), other.to_string(), "at once and step by step, the errors differ");
            if let Err(error) = looked {
                proper(&error, data.len());
            }
            Outcome::Refused
        }
        (Ok(_), Err(error)) => panic!("read at once, and not step by step: {error}"),
        (Err(error), Ok(_)) => panic!("read step by step, and not at once: {error}"),
    }
}

/// Everything in the order in which [`decode_all`] takes it, asked for one by one.
fn step_by_step(module: &Module) -> Result<()> {
    let mut at = 0;
    while at < module.body_count() {
        module.body(BodyId::from_index(at))?;
        at += 1;
    }
    let Some(file) = BytecodeFile::of(module) else { panic!("a module without its file") };
    let context = module.context();
    if let Ok(summary) = summarize(file) {
        let types: u64 = summary.types.values().map(|tally| tally.count).sum();
        let attributes = file.attribute_count();
        (0..types as u32).try_for_each(|index| file.ty(context, index).map(drop))?;
        (0..attributes).try_for_each(|index| file.attribute(context, index).map(drop))?;
        alone(file, types as u32, attributes);
    }
    // Nothing is left of the tables, bodies and resources; of the rest, that what stands somewhere may stand there.
    decode_all(module)
}

/// Some entries, each the first thing that is asked of its file: they are what they were among the others.
fn alone(file: &BytecodeFile, types: u32, attributes: u32) {
    let mut random = Random::new(file.data().len() as u64);
    for turn in 0..4 {
        let fresh = read(&mlirbc_dialects::context(), file.data().clone()).expect("opened before");
        let fresh = BytecodeFile::of(&fresh).expect("the file of a module");
        let context = mlirbc_dialects::context();
        let read = match turn % 2 {
            0 if types > 0 => fresh.ty(&context, random.below(types as usize) as u32).map(drop),
            1 if attributes > 0 => fresh.attribute(&context, random.below(attributes as usize) as u32).map(drop),
            _ => Ok(()),
        };
        read.unwrap_or_else(|error| panic!("decoded among others, and not alone: {error}"));
    }
}

/// Every operation from the outermost inwards, and all that it says.
fn look_at_all(module: &Module) -> Result<()> {
    for outermost in module.operations()? {
        for op in outermost.walk()? {
            op.location()?;
            op.dictionaries()?;
            op.symbol_name()?;
            for value in op.operands().iter().copied().chain(op.results()) {
                op.type_of(value)?;
            }
        }
    }
    for at in 0..module.body_count() {
        let body = module.body(BodyId::from_index(at))?;
        for block in (0..body.block_count()).map(BlockId::from_index) {
            body.argument_locations(block).iter().flatten().try_for_each(|&at| module.location(at).map(drop))?;
            body.arguments(block).iter().try_for_each(|&value| module.ty(body.ty(value)).map(drop))?;
        }
    }
    module.resources()?;
    module.dialect_versions().map(drop)
}

/// What inspecting says, of a file that reads or not.
fn inspect(module: &Module, length: usize, reads: bool) {
    let file = BytecodeFile::of(module).expect("the file of a module");
    let mut end = 0;
    let labelled = label_bytes(file, &mut |range, label| {
        assert_eq!(range.start, end, "a gap, or bytes named twice");
        assert!(range.end > range.start && !label.is_empty());
        end = range.end;
        Ok(())
    });
    match labelled {
        Ok(()) => assert_eq!(end, length as u64, "bytes without a name"),
        Err(error) => assert!(!reads, "read, and its bytes have no names: {error}"),
    }
    assert!(summarize(file).is_ok() || !reads);
}

/// Symbols are found with an index and without, and are the same.
fn symbols(data: &[u8], eager: &Module) {
    const MOST: usize = 16;
    let context = eager.context();
    let open = |index: Option<Index>| {
        read_with(context, data.to_vec(), &ReadOptions::new().index(index)).expect("read before")
    };
    let index = Index::build(eager).unwrap_or_else(|error| panic!("read, and cannot be indexed: {error}"));
    let index = Index::open(index.as_bytes().clone()).expect("just made");
    let mut names = vec!["".to_owned(), "no such symbol".to_owned()];
    for outermost in eager.operations().expect("decoded").take(MOST) {
        for op in outermost.ops().expect("decoded").take(MOST) {
            let name = op.symbol_name().expect("decoded").map(|name| context.bytes(name));
            names.extend(name.and_then(|name| std::str::from_utf8(name).ok()).map(str::to_owned));
        }
    }
    for name in names {
        let (plain, indexed) = (open(None), open(Some(index.clone())));
        let found = |module: &Module| {
            let found = module.symbol(&name).unwrap_or_else(|error| panic!("decoded, and `{name}` not found: {error}"));
            // What holds a distinct attribute is another thing in every reading of the file.
            let place = |op: OpRef<'_>| match op.location().expect("decoded") {
                location @ Location::File { .. } => Some(location),
                Location::Attribute(_) => None,
            };
            found.map(|op: OpRef<'_>| (op.name().into_owned(), place(op), op.operands().len(), op.results().len()))
        };
        let whole = found(eager);
        assert_eq!(whole, found(&plain), "`{name}` is another symbol where nothing else was read");
        assert_eq!(whole, found(&indexed), "`{name}` is another symbol by the index");
    }
}
