//! The same module gives the same bytes, in every run, from every thread and on any number of threads.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use mlirbc_bytecode::{Losses, WriteOptions, decode_all, read, write, write_with_losses};
use mlirbc_ir::{AttributeRef, BodyId, Module, OperationSpec, ValueMap};
use mlirbc_testing::{Shape, corpus, fixtures, generate};

const MODULES: usize = 500;
const THREADS: usize = 4;

/// What a module is made from: a file or a generator, and how often it is edited.
enum Recipe {
    File(Vec<u8>, usize),
    Generated(Shape, usize, usize),
}

impl Recipe {
    /// Made anew each time, in a context of its own: no number of another run is the same.
    fn module(&self) -> Module {
        let context = crate::definitions::context();
        // What was interned before must not show.
        static MADE: AtomicUsize = AtomicUsize::new(0);
        for number in 0..MADE.fetch_add(1, Ordering::Relaxed) % 13 {
            context.string(format!("{number}"));
        }
        match self {
            Recipe::File(bytes, edits) => edited(read(&context, bytes.clone()).expect("a module"), *edits),
            Recipe::Generated(shape, size, edits) => {
                edited(generate(&context, *shape, *size).expect("a module"), *edits)
            }
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let module = self.module();
        write(&module, &WriteOptions::like(&module)).expect("bytecode")
    }
}

/// Adds operations with attributes in many bodies, the same for the same number.
fn edited(mut module: Module, edits: usize) -> Module {
    if edits == 0 {
        return module;
    }
    decode_all(&module).expect("well-formed");
    let context = module.context().clone();
    for edit in 0..edits {
        let id = BodyId::from_index(edit * 7 % module.body_count());
        let entries = (0..edit + 2).map(|at| {
            let key = context.identifier(format!("key{}", at * 5 % 11));
            (key, context.integer(32, (at * edit) as i64))
        });
        let mut entries: Vec<_> = entries.collect();
        entries.sort();
        entries.dedup_by_key(|entry| entry.0);
        let dictionary = context.dictionary(entries).expect("each key once");
        let name = context.operation_name(format!("edit.number{}", edit % 3), false);
        let location: AttributeRef = context.unknown_location().into();
        let spec = OperationSpec { attributes: Some(dictionary.into()), ..OperationSpec::new(name, location) };
        let body = module.body(id).expect("a body");
        let block = body.top_regions().iter().find_map(|&region| body.first_block(region));
        let Some(block) = block else { continue };
        let made = module.rewrite(id, |rw| {
            rw.set_insertion_point_to_start(block)?;
            rw.create(&spec)
        });
        made.expect("an operation");
    }
    module
}

fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = [fixtures(), fixtures().join("versions")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).expect("fixtures").map(|entry| entry.expect("an entry").path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlirbc"))
        .collect();
    files.sort();
    if let Some(corpus) = corpus("bytecode", "writing files of the corpus from several threads") {
        // From all over the corpus.
        let step = (corpus.len() / 200).max(1);
        files.extend(corpus.into_iter().step_by(step));
    }
    files
}

fn recipes() -> Vec<Recipe> {
    let mut recipes = Vec::new();
    for path in files() {
        let bytes = std::fs::read(&path).expect("a file");
        let module = read(&crate::definitions::context(), bytes.clone()).expect("a module");
        // Some fixtures are there to be refused.
        if bytes.len() < 1 << 20 && decode_all(&module).is_ok() {
            recipes.push(Recipe::File(bytes.clone(), 0));
            recipes.push(Recipe::File(bytes, 1 + recipes.len() % 9));
        }
    }
    assert!(recipes.len() > 30, "{} modules of files", recipes.len());
    for number in 0.. {
        if recipes.len() >= MODULES {
            break;
        }
        let shape = if number % 2 == 0 { Shape::Functions } else { Shape::Nested };
        recipes.push(Recipe::Generated(shape, 1 << (8 + number % 7), number / 14));
    }
    recipes.truncate(MODULES);
    recipes
}

/// The bytes of every module, each made and written by whichever thread comes to it.
fn written(recipes: &[Recipe], threads: usize) -> Vec<Vec<u8>> {
    let next = AtomicUsize::new(0);
    let mut all: Vec<(usize, Vec<u8>)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            while let at = next.fetch_add(1, Ordering::Relaxed)
                && let Some(recipe) = recipes.get(at)
            {
                done.push((at, recipe.bytes()));
            }
            done
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    all.sort();
    all.into_iter().map(|(_, bytes)| bytes).collect()
}

#[test]
fn modules_give_the_same_bytes_from_every_thread() {
    let recipes = recipes();
    assert_eq!(recipes.len(), MODULES);
    let alone = written(&recipes, 1);
    for round in 0..2 {
        let together = written(&recipes, THREADS);
        for (at, (one, other)) in alone.iter().zip(&together).enumerate() {
            assert!(one == other, "module {at} in round {round}");
        }
    }
}

#[test]
fn one_module_is_written_by_many_threads_at_once() {
    for recipe in recipes().iter().step_by(25) {
        let module = recipe.module();
        let options = WriteOptions::like(&module);
        let expected = recipe.bytes();
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| assert!(write(&module, &options).expect("bytecode") == expected));
            }
        });
    }
}

/// What a module is written as on so many threads, and what was lost; or what is said against it.
fn on_threads(module: &Module, options: &WriteOptions, threads: usize) -> Result<(Vec<u8>, Losses), String> {
    write_with_losses(module, &options.clone().threads(threads)).map_err(|error| error.to_string())
}

#[test]
fn modules_give_the_same_bytes_on_any_number_of_threads() {
    let (mut refused, mut lost) = (0, 0);
    for (at, recipe) in recipes().iter().enumerate().step_by(2) {
        // As they are, and as other versions hold them, or refuse to.
        let (version, strip_locations) = (at as u64 / 2 % 7, at % 3 == 0);
        let other = |module: &Module| WriteOptions::like(module).version(version).strip_locations(strip_locations);
        let lossy = |module: &Module| other(module).lossy(true);
        for options in [&WriteOptions::like as &dyn Fn(&Module) -> WriteOptions, &other, &lossy] {
            let module = recipe.module();
            let alone = on_threads(&module, &options(&module), 1);
            match &alone {
                Ok((_, losses)) => lost += usize::from(!losses.is_empty()),
                Err(_) => refused += 1,
            }
            for threads in [0, 2, 3, 8] {
                // Its bodies are yet to be read.
                let module = recipe.module();
                assert!(on_threads(&module, &options(&module), threads) == alone, "module {at} on {threads} threads");
            }
            assert!(on_threads(&module, &options(&module), 2) == alone, "module {at}, written before");
        }
    }
    assert!(refused > 0 && lost > 0, "{refused} refused, {lost} written with losses");
}

#[test]
fn large_modules_give_the_same_bytes_on_any_number_of_threads() {
    for (shape, size) in [(Shape::Functions, 3 << 20), (Shape::Nested, 1 << 20)] {
        let whole = Recipe::Generated(shape, size, 40).bytes();
        for threads in [2, 3, 8] {
            let module = read(&crate::definitions::context(), whole.clone()).expect("a module");
            let (bytes, _) = on_threads(&module, &WriteOptions::like(&module), threads).expect("bytecode");
            assert!(bytes == whole, "{} on {threads} threads", shape.name());
        }
    }
}

/// Many modules in one, each as the operations of a function's neighbours.
fn joined(recipes: impl Iterator<Item = Recipe>) -> Module {
    let mut whole = generate(&crate::definitions::context(), Shape::Functions, 1 << 12).expect("a module");
    let top = BodyId::from_index(Module::TOP);
    let into = whole.body(top).expect("a body").region_bodies().next().expect("a module");
    let region = whole.body(into).expect("a body").top_regions()[0];
    let mut count = 0;
    for recipe in recipes {
        let other = recipe.module();
        let operations: Vec<_> = other.operations().expect("operations").map(|op| op.id()).collect();
        for op in operations {
            // Not everything has a meaning in another module.
            count += usize::from(
                whole
                    .rewrite(into, |rw| {
                        let copy = rw.clone_from((&other, top), op, &mut ValueMap::default())?;
                        rw.move_to_end(copy, rw.body().first_block(region).expect("a block"))
                    })
                    .is_ok(),
            );
        }
    }
    assert!(count > 30, "{count} modules");
    whole
}

#[test]
fn many_modules_in_one_give_the_same_bytes_on_any_number_of_threads() {
    let whole = joined(recipes().into_iter().step_by(3));
    let (mut refused, mut written) = (0, 0);
    for version in 0..7 {
        for (strip_locations, lossy) in [(false, false), (true, true)] {
            let options = WriteOptions::like(&whole).version(version).strip_locations(strip_locations).lossy(lossy);
            let alone = on_threads(&whole, &options, 1);
            for threads in [2, 3, 8] {
                assert!(on_threads(&whole, &options, threads) == alone, "version {version} on {threads} threads");
            }
            let Ok((bytes, _)) = alone else {
                refused += 1;
                continue;
            };
            written += 1;
            for threads in [1, 2, 8] {
                // Its bodies are yet to be read, and none was edited.
                let again = read(&crate::definitions::context(), bytes.clone()).expect("a module");
                let (same, _) =
                    on_threads(&again, &WriteOptions::like(&again).version(version), threads).expect("bytecode");
                assert!(same == bytes, "version {version}, read and written on {threads} threads");
            }
        }
    }
    assert!(refused > 0 && written > 6, "{refused} refused, {written} written");
}

#[test]
fn what_is_wrong_with_a_file_is_the_same_on_any_number_of_threads() {
    let (mut refused, mut written) = (0, 0);
    for (shape, size) in [(Shape::Functions, 20 << 10), (Shape::Nested, 8 << 10)] {
        let whole = Recipe::Generated(shape, size, 3).bytes();
        for round in 0..200 {
            let mut bytes = whole.clone();
            // Several, so that more than one body is broken.
            for flip in 0..1 + round % 4 {
                let at = (round * 1009 + flip * 4001) * 7919 % bytes.len();
                bytes[at] ^= 1 << (round % 8);
            }
            let outcome = |threads| {
                let module = read(&crate::definitions::context(), bytes.clone()).map_err(|error| error.to_string())?;
                on_threads(&module, &WriteOptions::like(&module), threads)
            };
            let alone = outcome(1);
            if alone.is_ok() {
                written += 1
            } else {
                refused += 1
            }
            for threads in [2, 3, 8] {
                assert!(outcome(threads) == alone, "{}, round {round}, on {threads} threads", shape.name());
            }
        }
    }
    assert!(refused > 50 && written > 20, "{refused} refused, {written} written");
}
