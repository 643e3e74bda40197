//! Operations and regions that go from one body to another, from one module to another, and from one context to another: in real files,
//! which print, verify and come back from bytecode as they were.

use std::path::PathBuf;

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{BlockId, BodyId, Context, ErrorKind, Module, OpId, RegionId, Result, Rewriter, TypeRef, ValueMap};
use mlirbc_testing::{corpus, fixture, is_whole};
use mlirbc_text::{PrintOptions, print_module};

fn top() -> BodyId {
    BodyId::from_index(Module::TOP)
}

/// Files that can be read whole, each with its bytes.
fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let names = ["arith", "use_lists", "nested", "debug_info", "resources"];
    let mut paths: Vec<PathBuf> = names.iter().map(|name| fixture(&format!("{name}.mlirbc"))).collect();
    for folder in ["bytecode", "spirv_dialect"] {
        let files = corpus(folder, "moves in files of the corpus").unwrap_or_default();
        paths.extend(files.into_iter().step_by(if is_whole() { 2 } else { 15 }));
    }
    let files = paths.into_iter().map(|path| (std::fs::read(&path).expect("a file"), path));
    let whole = |bytes: &[u8]| read(&context(), bytes.to_vec()).is_ok_and(|module| decode_all(&module).is_ok());
    files.filter(|(bytes, _)| whole(bytes)).map(|(bytes, path)| (path, bytes)).collect()
}

fn context() -> Context {
    let context = mlirbc_testing::context();
    mlirbc_spirv::dialect::register(&context).expect("the dialect");
    context
}

fn open(context: &Context, bytes: &[u8]) -> Module {
    let module = read(context, bytes.to_vec()).expect("it was read before");
    decode_all(&module).expect("it was decoded before");
    module
}

fn text(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().locations(true), &mut text).expect("text");
    let text = String::from_utf8_lossy(&text).into_owned();
    // Resources that nothing refers to do not come along.
    text.split("\n{-#").next().unwrap_or_default().trim_end().to_owned()
}

fn errors(module: &Module) -> Vec<String> {
    let mut errors = Vec::new();
    verify_module(module, &mut |error| errors.push(error.to_string())).expect("decoded");
    errors
}

/// Asserts that a module prints, verifies and comes back as another one does.
#[track_caller]
fn assert_same(module: &Module, wanted: &Module, name: &str) {
    assert!(text(module) == text(wanted), "{name}: another text");
    assert_eq!(errors(module), errors(wanted), "{name}");
    match (write(module, &WriteOptions::like(module)), write(wanted, &WriteOptions::like(wanted))) {
        (Ok(bytes), Ok(_)) => {
            let again = read(module.context(), bytes).expect("bytecode");
            assert!(text(&again) == text(wanted), "{name}: another text out of bytecode");
        }
        (one, other) => assert!(one.is_err() && other.is_err(), "{name}: one alone is written"),
    }
}

fn first_region(rw: &Rewriter<'_>) -> RegionId {
    rw.body().top_regions()[0]
}

/// The isolated operations with a body of one region, each with that body.
fn isolated(module: &Module) -> Vec<(BodyId, OpId, BodyId)> {
    let found = module
        .bodies()
        .flat_map(|(holder, body)| body.preorder().filter_map(move |op| Some((holder, op, body.region_body(op)?))));
    found.filter(|place| module.body(place.2).is_ok_and(|body| body.top_regions().len() == 1)).collect()
}

#[test]
fn regions_go_out_of_an_isolated_operation_and_back() {
    let mut moved = 0;
    for (path, bytes) in files() {
        let context = context();
        let (mut module, wanted) = (open(&context, &bytes), open(&context, &bytes));
        // Those inside first: what goes out and back has other numbers then.
        for (holder, op, child) in isolated(&module).into_iter().rev() {
            let unknown = context.unknown_location();
            let name = context.operation_name("test.holder", false);
            let done = module.rewrite_two(holder, child, |outer, inner| {
                // Into an operation that is not isolated, behind the one that is.
                outer.set_insertion_point_after(op)?;
                let holder = outer.build_named(name).at(unknown).regions(1).create()?;
                let region = outer.body().regions(holder).next().expect("a region");
                let from = first_region(inner);
                let blocks = inner.body().blocks(from).count();
                let made = outer.inline_region_from(inner, from, region, None, &mut ValueMap::default())?;
                assert_eq!((made.len(), inner.body().blocks(from).count()), (blocks, 0));
                assert!(inner.body().preorder().next().is_none());
                let back = inner.inline_region_from(outer, region, from, None, &mut ValueMap::default())?;
                assert_eq!(back.len(), blocks);
                outer.erase(holder)
            });
            done.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            moved += 1;
        }
        assert_same(&module, &wanted, &path.display().to_string());
        // Uses are in the order in which they were.
        let options = WriteOptions::like(&module);
        if let (Ok(bytes), Ok(wanted)) = (write(&module, &options), write(&wanted, &options)) {
            let orders = |bytes: Vec<u8>| {
                let module = read(&context, bytes).expect("bytecode");
                decode_all(&module).expect("bytecode");
                let of_body = |body: &mlirbc_ir::Body| -> Vec<_> {
                    body.stored_orders().map(|(value, places)| (value, places.to_vec())).collect()
                };
                module.bodies().map(|(_, body)| of_body(body)).collect::<Vec<_>>()
            };
            assert_eq!(orders(bytes), orders(wanted), "{}", path.display());
        }
        // Bodies know who owns them, and numbers of erased operations go.
        module.compact();
        assert_same(&module, &wanted, &path.display().to_string());
    }
    assert!(moved > 10, "{moved}");
}

#[test]
fn operations_go_out_of_an_isolated_operation_and_back() {
    let mut moved = 0;
    for (path, bytes) in files() {
        let context = context();
        let (mut module, wanted) = (open(&context, &bytes), open(&context, &bytes));
        let Some((holder, op, child)) = isolated(&module).into_iter().find(|place| place.0 == top()) else { continue };
        let done = module.rewrite_two(holder, child, |outer, inner| {
            let first = inner.body().first_block(first_region(inner));
            let ops: Vec<OpId> = first.into_iter().flat_map(|block| inner.body().operations(block)).collect();
            let children: Vec<_> = ops.iter().map(|&op| inner.body().region_body(op)).collect();
            let mut out = Vec::new();
            for &one in &ops {
                // Functions and the like use nothing from outside, and nothing uses them.
                outer.set_insertion_point_before(op)?;
                if let Ok(copy) = outer.move_from(inner, one, &mut ValueMap::default()) {
                    out.push((copy, children[ops.iter().position(|&it| it == one).expect("one of them")]));
                    assert!(inner.body().is_erased(one));
                }
            }
            moved += out.len();
            for (copy, child) in out {
                assert_eq!(outer.body().region_body(copy), child, "it keeps its body");
                inner.set_insertion_point_to_end(first.expect("a block"))?;
                inner.move_from(outer, copy, &mut ValueMap::default())?;
            }
            Ok(())
        });
        done.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // What stayed came before those that went.
        let names = |module: &Module| {
            let mut lines: Vec<String> = text(module).lines().map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        if text(&module) != text(&wanted) {
            assert_eq!(names(&module).len(), names(&wanted).len(), "{}", path.display());
        }
        assert_eq!(errors(&module).len(), errors(&wanted).len(), "{}", path.display());
        for (id, body) in module.bodies() {
            for child in body.region_bodies() {
                assert_eq!(module.owner(child).map(|owner| owner.0), Some(id));
                assert_eq!(module.depth(child), module.depth(id) + 1);
            }
        }
    }
    // The fixtures have ten, the reference data more.
    let least = if std::env::var_os("MLIRBC_SHARED").is_some() { 11 } else { 10 };
    assert!(moved >= least, "{moved}");
}

/// Everything of a module, in another one.
fn copied(wanted: &Module, context: &Context) -> Result<Module> {
    let mut module = Module::new(context);
    module.info = wanted.info.clone();
    let region = wanted.top()?.top_regions()[0];
    module.rewrite(top(), |rw| {
        let block = rw.body().first_block(first_region(rw)).expect("the outermost block");
        let old = wanted.top()?.first_block(region).expect("the outermost block");
        rw.set_insertion_point_to_end(block)?;
        let mut map = ValueMap::default();
        for op in wanted.top()?.operations(old) {
            rw.clone_from((wanted, top()), op, &mut map)?;
        }
        Ok(())
    })?;
    Ok(module)
}

fn is_opaque(error: &mlirbc_ir::Error) -> bool {
    error.kind() == ErrorKind::Misuse && error.message().contains("opaque")
}

#[test]
fn operations_go_to_modules_of_the_same_context_and_of_others() {
    let (mut same, mut other, mut opaque) = (0, 0, 0);
    for (path, bytes) in files() {
        let own = context();
        let wanted = open(&own, &bytes);
        for (context, count) in [(own.clone(), &mut same), (context(), &mut other)] {
            match copied(&wanted, &context) {
                Ok(module) => {
                    assert_same(&module, &wanted, &path.display().to_string());
                    *count += 1;
                }
                Err(error) => {
                    assert!(is_opaque(&error), "{}: {error}", path.display());
                    opaque += 1;
                }
            }
        }
    }
    println!("{same} to a module of the same context, {other} to one of another, {opaque} with opaque parts");
    assert!(same > 3 && other == same);
}

#[test]
fn regions_go_to_other_modules() {
    let mut moved = 0;
    for (path, bytes) in files() {
        let own = context();
        let wanted = open(&own, &bytes);
        for context in [own.clone(), context()] {
            let mut source = open(&own, &bytes);
            let mut module = Module::new(&context);
            module.info = wanted.info.clone();
            let done = source.rewrite(top(), |from| {
                module.rewrite(top(), |into| {
                    let (old, region) = (first_region(from), first_region(into));
                    let block = into.body().first_block(region).expect("the outermost block");
                    let made: Vec<BlockId> =
                        into.inline_region_from(from, old, region, Some(block), &mut ValueMap::default())?;
                    assert_eq!(made.len(), 1);
                    into.erase_block(block)
                })
            });
            match done {
                Ok(()) => {
                    assert_same(&module, &wanted, &path.display().to_string());
                    assert!(source.top().expect("a body").preorder().next().is_none());
                    assert_eq!(source.bodies().count(), 1, "what went is freed");
                    moved += 1;
                }
                Err(error) => {
                    assert!(is_opaque(&error), "{}: {error}", path.display());
                    // Nothing is changed.
                    assert_same(&source, &wanted, &path.display().to_string());
                    assert_eq!(module.operations().expect("operations").count(), 0);
                }
            }
        }
    }
    assert!(moved > 6, "{moved}");
}

#[test]
fn what_a_context_does_not_know_is_refused() {
    let own = context();
    let wanted = open(&own, &std::fs::read(fixture("arith.mlirbc")).expect("a fixture"));
    let error = copied(&wanted, &Context::new()).expect_err("`arith` is not there");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    assert!(error.message().contains("one of the two contexts alone has the dialect"), "{error}");
    // What neither knows is the same in both.
    let text = b"\"t.a\"() {b = #strange<x>, c = @s::@t} : () -> !odd.type<i32> loc(callsite(\"n\" at \"f\":1:2))";
    let read = |context: &Context| {
        mlirbc_text::parse_module(context, text, &mlirbc_text::ParseOptions::new().implicit_module(false))
            .expect("text")
    };
    let (one, other) = (read(&Context::new()), Context::new());
    let module = copied(&one, &other).expect("a copy");
    assert_same(&module, &read(&other), "unknown dialects");
}

#[test]
fn an_operation_does_not_go_into_itself() {
    let context = context();
    let mut module = Module::new(&context);
    let (outer, inner) = module
        .rewrite(top(), |rw| {
            rw.set_insertion_point_to_end(rw.body().first_block(first_region(rw)).expect("the outermost block"))?;
            let outer = rw.build("builtin.module").regions(1).create()?;
            let inner = rw.inside(outer, |rw| {
                let block = rw.create_block(first_region(rw), None, [] as [TypeRef; 0])?;
                rw.set_insertion_point_to_end(block)?;
                let inner = rw.build("builtin.module").regions(1).create()?;
                rw.inside(inner, |rw| {
                    let block = rw.create_block(first_region(rw), None, [] as [TypeRef; 0])?;
                    rw.set_insertion_point_to_end(block)
                })?;
                Ok(rw.body().region_body(inner).expect("a body"))
            })?;
            Ok((outer, inner))
        })
        .expect("operations");
    let before = text(&module);
    let refused = module.rewrite_two(top(), inner, |rw, inner| inner.move_from(rw, outer, &mut ValueMap::default()));
    assert_eq!(refused.expect_err("it would stand in itself").message(), "an operation cannot stand inside itself");
    assert_eq!(text(&module), before);
    // Its copy may: what is copied is what was there.
    let copy = module.rewrite_two(top(), inner, |rw, inner| {
        inner.set_insertion_point_to_end(inner.body().first_block(first_region(inner)).expect("a block"))?;
        inner.clone_from(&*rw, outer, &mut ValueMap::default())
    });
    copy.expect("a copy");
    assert_eq!(module.operations().expect("operations").next().expect("one").walk().expect("bodies").count(), 4);
}

/// As a pass that makes functions of parts of others: what is taken out goes into a body that was made for it, and comes back.
#[test]
fn an_operation_goes_into_a_body_that_was_made_for_it() {
    let context = context();
    let mut module = Module::new(&context);
    let made = module.rewrite(top(), |rw| {
        let block = rw.body().first_block(first_region(rw)).expect("the outermost block");
        rw.set_insertion_point_to_end(block)?;
        let index = context.index_type();
        let given = rw.build("test.given").result_type(index).create()?;
        let given = rw.result(given, 0)?;
        let taken = rw.build("test.taken").operands([given]).regions(1).create()?;
        let nested = rw.create_block(rw.body().regions(taken).next().expect("a region"), None, [index])?;
        rw.set_insertion_point_to_end(nested)?;
        let argument = rw.body().arguments(nested)[0];
        rw.build("test.uses").operands([argument, given, argument]).create()?;
        rw.build("builtin.module").regions(1).create()?;
        rw.set_insertion_point_to_end(block)?;
        let holder = rw.build("builtin.module").regions(1).create()?;
        rw.with_inside(holder, |outer, inner| {
            let block = inner.create_block(first_region(inner), None, [index])?;
            inner.set_insertion_point_to_end(block)?;
            let mut map = ValueMap::default();
            assert!(inner.move_from(outer, taken, &mut map).is_err(), "what it uses is not named");
            map.values.insert(given, inner.body().arguments(block)[0]);
            let copy = inner.move_from(outer, taken, &mut map)?;
            assert!(outer.body().is_erased(taken) && inner.body().operands(copy) == inner.body().arguments(block));
            // And back.
            let mut map = ValueMap::default();
            map.values.insert(inner.body().arguments(block)[0], given);
            outer.move_from(inner, copy, &mut map)
        })
    });
    let made = made.expect("edits");
    let found: Vec<String> = module.operations().expect("operations").map(|op| op.name().into_owned()).collect();
    assert_eq!(found, ["test.given", "builtin.module", "test.taken"]);
    let moved = module.operation(top(), made).expect("it is there");
    assert_eq!(
        moved.walk().expect("bodies").map(|op| op.name().into_owned()).collect::<Vec<_>>(),
        ["test.taken", "test.uses", "builtin.module"]
    );
    assert!(module.bodies().all(|(id, _)| id == top() || module.depth(id) == 1));
}
