//! A writer that is kept between modules gives what a new one gives, whatever it wrote before.

use mlirbc_bytecode::{Reader, WriteOptions, Writer, decode_all, detach, write, write_with_losses};
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Error, Module};
use mlirbc_testing::{Numbers, fixtures};

use super::some_files;

/// How a module is written: at several versions, for several releases, and so that some of it is an error.
fn ways(module: &Module) -> Vec<WriteOptions> {
    let like = WriteOptions::like(module);
    let default = WriteOptions::default;
    vec![
        default().version(2),
        like,
        default().strip_locations(true),
        default().version(4).lossy(true),
        default().release(Release::new(19)),
        WriteOptions { unregistered: vec!["arith".to_owned(), "spirv".to_owned()], ..default() },
        default().threads(2),
    ]
}

#[test]
fn what_was_written_before_does_not_show() {
    let paths = some_files("files that a kept writer writes");
    let context = mlirbc_dialects::context();
    let (reader, writer) = (Reader::new(&context), Writer::new(&context));
    let mut modules = Vec::new();
    for path in paths {
        let Ok(mut module) = reader.read(std::fs::read(&path).unwrap()) else { continue };
        // Some with entries that are still in their file, some without.
        if modules.len() % 3 > 0
            && (decode_all(&module).is_err() || modules.len() % 3 > 1 && detach(&mut module).is_err())
        {
            continue;
        }
        modules.push((path, module));
    }
    let mut numbers = Numbers(1);
    let mut errors = 0;
    for _ in 0..4 * modules.len() {
        let (path, module) = &modules[numbers.below(modules.len())];
        let ways = ways(module);
        let way = &ways[numbers.below(ways.len())];
        let new = write_with_losses(module, way).map_err(|error: Error| error.to_string());
        let kept = writer.write_with_losses(module, way).map_err(|error| error.to_string());
        assert_eq!(kept, new, "{}, {way:?}", path.display());
        errors += usize::from(new.is_err());
    }
    assert!(errors > modules.len() / 10, "{errors} errors with {} modules", modules.len());
}

#[test]
fn a_module_of_another_context_is_written_too() {
    let bytes = std::fs::read(fixtures().join("arith.mlirbc")).unwrap();
    let writer = Writer::new(&mlirbc_dialects::context());
    for _ in 0..3 {
        let module = mlirbc_bytecode::read(&mlirbc_dialects::context(), bytes.clone()).unwrap();
        let options = WriteOptions::like(&module);
        assert_eq!(writer.write(&module, &options).unwrap(), write(&module, &options).unwrap());
    }
}

#[test]
fn any_number_of_threads_write_with_one() {
    let context = mlirbc_dialects::context();
    let (reader, writer) = (Reader::new(&context), Writer::new(&context));
    let modules = ["arith.mlirbc", "nested.mlirbc"]
        .map(|name| reader.read(std::fs::read(fixtures().join(name)).unwrap()).unwrap());
    let expected: Vec<_> = modules.iter().map(|module| write(module, &WriteOptions::like(module)).unwrap()).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    for (module, expected) in modules.iter().zip(&expected) {
                        assert_eq!(&writer.write(module, &WriteOptions::like(module)).unwrap(), expected);
                    }
                }
            });
        }
    });
}
