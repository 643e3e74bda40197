//! What writing takes of memory. One test, since it counts the memory of the whole process.

use std::io::Write;

use bytes::Bytes;
use mlirbc_bytecode::{WriteOptions, read, write, write_to};
use mlirbc_ir::text::{ParseOptions, parse_module};
use mlirbc_ir::{Context, Module, ResourceEntry, ResourceGroup, ResourceValue};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A module with blobs of these sizes, each aligned to 64.
fn module(context: &Context, sizes: &[usize]) -> Module {
    let mut module = parse_module(context, b"\"t.a\"() : () -> ()", &ParseOptions::new()).expect("text");
    let entries = sizes.iter().enumerate().map(|(at, &size)| ResourceEntry {
        key: format!("blob{at}").into_bytes().into(),
        handle: None,
        value: ResourceValue::Blob { alignment: 64, data: Bytes::from(vec![at as u8; size]).into() },
    });
    let group = ResourceGroup { owner: context.identifier("owner"), dialect: false, entries: entries.collect() };
    module.resources_mut().expect("resources").push(group);
    module
}

#[test]
fn large_blobs_are_written_from_where_they_stand() {
    let context = Context::new();
    // Around the size from which on they are not copied, and in every order, the file is the same as in memory.
    let sizes = [0, 1, 4095, 4096, 4097, 1 << 16];
    for from in 0..sizes.len() {
        for to in from..sizes.len() {
            let module = module(&context, &sizes[from..=to]);
            let whole = write(&module, &WriteOptions::default()).expect("written");
            let mut pieces = Vec::new();
            write_to(&module, &WriteOptions::default(), &mut pieces).expect("written");
            assert!(pieces == whole, "{from}..={to}");
            let again = read(&context, whole.clone()).expect("read");
            let blobs = again.resources().expect("resources").iter().flat_map(|group| &group.entries);
            let found: Vec<usize> = blobs
                .map(|entry| match &entry.value {
                    ResourceValue::Blob { data, .. } => data.bytes().expect("whole").len(),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert_eq!(found, &sizes[from..=to]);
            assert!(write(&again, &WriteOptions::like(&again)).expect("written") == whole);
        }
    }
    const BLOB: usize = 100 << 20;
    let module = module(&context, &[BLOB, 17]);
    let mut counted = Counted(0);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    write_to(&module, &WriteOptions::default(), &mut counted).expect("written");
    let peak = MEMORY.peak_usage().saturating_sub(before);
    assert!(counted.0 > BLOB, "{} bytes written", counted.0);
    assert!(peak < 1 << 20, "{peak} bytes of memory for a blob of {BLOB}");

    // In memory, the file and no more than that.
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let whole = write(&module, &WriteOptions::default()).expect("written");
    let peak = MEMORY.peak_usage().saturating_sub(before);
    assert!(peak < whole.len() + (1 << 20), "{peak} bytes of memory for a file of {}", whole.len());
}

/// Counts what is written to it.
struct Counted(usize);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
