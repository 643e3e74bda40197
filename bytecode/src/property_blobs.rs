//! Every property blob of real files, decoded by the op definitions and encoded again.

use std::collections::{HashMap, HashSet};

use mlirbc_ir::ods::Release;
use mlirbc_ir::{Attribute, BodyId, Context, ModuleSource, OperationName, ResourceHandle, Type};
use mlirbc_testing::corpus;

use crate::encoding::{EntryWriter, Sink, varint_bytes};
use crate::read::{BytecodeFile, read};
use crate::write::{Plan, write_properties};

/// Takes the bytes of a blob, numbering attributes and strings as their file does.
struct Blob<'a> {
    bytes: Vec<u8>,
    attributes: &'a HashMap<Attribute, u32>,
    strings: &'a HashMap<Vec<u8>, u32>,
}

impl Blob<'_> {
    fn number(&mut self, number: u64) {
        let (bytes, length) = varint_bytes(number);
        self.bytes.extend(&bytes[..length]);
    }
}

impl Sink for Blob<'_> {
    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }
    fn string(&mut self, string: &[u8]) {
        self.number(self.strings[string].into());
    }
    fn attribute(&mut self, attribute: Attribute, optional: bool) {
        let index = u64::from(self.attributes[&attribute]);
        self.number(if optional { index << 1 | 1 } else { index });
    }
    fn ty(&mut self, _: Type) {
        panic!("no property is a type")
    }
    fn resource(&mut self, _: ResourceHandle) {
        panic!("no property is a resource")
    }
}

/// The property blobs of a file by the names of their operations, which are defined.
fn blobs(module: &mlirbc_ir::Module) -> HashSet<(OperationName, u32)> {
    module.load_all().expect("a module of the corpus");
    let bodies = (0..module.body_count()).filter_map(|at| module.loaded(BodyId::from_index(at)));
    let properties = bodies.flat_map(|body| {
        body.preorder().filter_map(move |op| Some((body.name(op), body.properties(op)?.in_source()?)))
    });
    let context = module.context();
    properties.filter(|(name, _)| context.is_registered(*name) && context.definition(*name).is_some()).collect()
}

#[test]
fn every_blob_of_the_corpus_is_encoded_as_it_was() {
    let (mut files, mut count, mut names) = (0, 0, HashSet::new());
    for folder in ["bytecode", "spirv_dialect", "codes"] {
        let Some(paths) = corpus(folder, "property blobs of the corpus") else { return };
        for path in paths {
            let context = Context::new();
            let bytes = std::fs::read(&path).expect("a file of the corpus");
            let module = read(&context, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let file = BytecodeFile::of(&module).expect("a bytecode file");
            files += 1;

            let counts = file.counts().expect("the numbers of entries");
            let attributes = (0..counts.attributes).rev();
            let attributes = attributes.filter_map(|index| Some((file.attribute(&context, index).ok()?, index)));
            let attributes: HashMap<Attribute, u32> = attributes.collect();
            let strings = file.strings().expect("the strings").len() as u32;
            let strings = (0..strings).map(|index| (file.string(index).expect("a string").to_vec(), index)).collect();
            for (name, index) in blobs(&module) {
                let what = || format!("{}: {}", path.display(), context.text(context.operation_identifier(name)));
                let range = file.property_blobs().expect("the blobs").get(file.guarded(), index);
                let range = range.expect("the blobs").expect("a blob");
                let dictionary = file.properties(&context, name, index);
                let dictionary = dictionary.unwrap_or_else(|error| panic!("{}: {error}", what()));
                let definition = context.definition(name).expect("a definition");
                let plan =
                    Plan::new(&context, definition, file.version(), file.release().unwrap_or_default(), (name, None));
                let mut blob = Blob { bytes: Vec::new(), attributes: &attributes, strings: &strings };
                let (version, release) = (file.version(), Release::DEFAULT);
                let mut writer = EntryWriter { context: &context, version, release, dialects: &[], sink: &mut blob };
                write_properties(&mut writer, name, Some(&plan), dictionary)
                    .unwrap_or_else(|error| panic!("{}: {error}", what()));
                assert_eq!(blob.bytes, file.data()[range], "{}", what());
                count += 1;
                names.insert(context.text(context.operation_identifier(name)).into_owned());
            }
        }
    }
    assert_eq!((files, count, names.len()), (1018, 7465, 292));
}
