//! Every property blob of real files, decoded by the op definitions and encoded again.

use std::collections::HashSet;

use crate::definitions::context;
use mlirbc_bytecode::{BytecodeFile, WriteOptions, detach, read, write};
use mlirbc_ir::{BodyId, Module, Ref};
use mlirbc_testing::corpus;

/// The names of the operations whose properties are a blob of their file, and how many blobs there are.
fn blobs(module: &Module) -> (HashSet<String>, usize) {
    module.load_all().expect("a module of the corpus");
    let context = module.context();
    let bodies = (0..module.body_count()).filter_map(|at| module.loaded(BodyId::from_index(at)));
    let mut all = HashSet::new();
    for body in bodies {
        for op in body.preorder() {
            let name = body.name(op);
            if let Some(Ref::Source(blob)) = body.properties(op).map(|properties| properties.resolve())
                && context.definition(name).is_some()
            {
                all.insert((context.text(context.operation_identifier(name)).into_owned(), blob));
            }
        }
    }
    let count = all.len();
    (all.into_iter().map(|blob| blob.0).collect(), count)
}

#[test]
fn every_blob_of_the_corpus_is_encoded_as_it_was() {
    let (mut files, mut count, mut names) = (0, 0, HashSet::new());
    for folder in ["bytecode", "spirv_dialect", "codes"] {
        let Some(paths) = corpus(folder, "property blobs of the corpus") else { return };
        for path in paths {
            let context = context();
            let bytes = std::fs::read(&path).expect("a file of the corpus");
            let mut module =
                read(&context, bytes.clone()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let (met, blobs) = blobs(&module);
            files += 1;
            count += blobs;
            names.extend(met);
            let file = BytecodeFile::of(&module).expect("a bytecode file");
            let producer = module.info.producer.clone();
            let options = WriteOptions { version: file.version(), producer, ..WriteOptions::default() };
            detach(&mut module).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let again = write(&module, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(again == bytes, "{}", path.display());
        }
    }
    assert_eq!((files, count, names.len()), (1018, 7465, 292));
}
