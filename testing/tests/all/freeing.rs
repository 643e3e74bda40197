//! What is erased is freed: records of operations, blocks and values, and the bodies of isolated operations.

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::{Body, BodyId, Module, OpId, OperationSpec, Result, Rewriter, TypeRef, Value};
use mlirbc_rewrite::{FnPass, LocalPass, LocalRun, Pass, Pipeline, Target};
use mlirbc_testing::{append, corpus, fixture, is_whole};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

fn top() -> BodyId {
    BodyId::from_index(Module::TOP)
}

/// Makes and erases operations that have something of all that a body keeps.
fn churn(rw: &mut Rewriter<'_>, rounds: usize) -> Result<()> {
    let context = rw.context().clone();
    let index = TypeRef::from(context.index_type());
    let block = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
    for _ in 0..rounds {
        rw.set_insertion_point_to_start(block)?;
        let defines = rw.build("test.defines").result_types([index, index]).create()?;
        let values: Vec<Value> = rw.body().results(defines).collect();
        let holder = rw.build("test.holds").operands([values[0]]).regions(2).create()?;
        let region = rw.body().regions(holder).next().expect("a region");
        let inner = rw.create_block(region, None, [index])?;
        rw.set_insertion_point_to_end(inner)?;
        let argument = rw.body().arguments(inner)[0];
        let goes = rw.build("test.goes").operands([argument]).successors([inner]).create()?;
        // Longer than it was: its operands have to go elsewhere.
        rw.set_operands(goes, [values[0], values[1], values[0]])?;
        rw.add_argument(inner, index, None)?;
        let isolated = rw.build("builtin.module").regions(1).create()?;
        rw.inside(isolated, |rw| {
            let block = rw.create_block(rw.body().top_regions()[0], None, [] as [TypeRef; 0])?;
            rw.set_insertion_point_to_end(block)?;
            rw.build("builtin.module").regions(1).create().map(|_| ())
        })?;
        rw.erase(holder)?;
        rw.erase(defines)?;
    }
    Ok(())
}

/// What a module holds, in bytes of bodies and numbers of them.
fn size(module: &Module) -> (usize, usize) {
    let bodies = (0..module.body_count()).filter_map(|at| module.loaded(BodyId::from_index(at)));
    (bodies.map(|body| body.heap_bytes()).sum(), module.body_count())
}

/// How many times operations are made and erased: five and two isolated ones each time.
fn rounds() -> usize {
    if is_whole() { 200_000 } else { 20_000 }
}

#[test]
fn a_module_that_is_edited_for_ever_does_not_grow() {
    let context = crate::definitions::context();
    let mut module = Module::new(&context);
    let spec = OperationSpec::new(module.name("test.stays"), context.unknown_location().into());
    append(&mut module, top(), &spec);
    let mut largest = (0, 0);
    for _ in 0..rounds() / 100 {
        module.rewrite(top(), |rw| churn(rw, 100)).expect("edits");
        let (bytes, bodies) = size(&module);
        largest = (largest.0.max(bytes), largest.1.max(bodies));
        module.compact();
    }
    assert!(largest.0 < 1 << 20 && largest.1 < 2_000, "{largest:?}");
    let (bytes, bodies) = size(&module);
    assert!(bytes < 16 << 10 && bodies < 1_000, "{bytes} bytes, {bodies} bodies");
    assert_eq!(module.operations().expect("operations").count(), 1);
}

/// Makes and erases, in each body.
struct Churn;

impl LocalPass for Churn {
    fn start(&self) -> LocalRun<'_> {
        Box::new(|rw, _| churn(rw, 100))
    }
}

impl Pass for Churn {
    fn name(&self) -> &str {
        "churn"
    }

    fn local(&self) -> Option<&dyn LocalPass> {
        Some(self)
    }
}

#[test]
fn passes_leave_no_records_of_what_they_erased() {
    let text = b"module { func.func @f() { return } func.func @g() { return } }";
    let mut module = parse_module(&crate::definitions::context(), text, &ParseOptions::new()).expect("text");
    let outer = module.operations().expect("operations").next().expect("a module").id();
    let own = FnPass::new("churn-outside", |target: &mut Target<'_>| {
        let (body, op) = target.place();
        let inside = target.module().body(body)?.region_body(op).expect("a body");
        target.module().rewrite(inside, |rw| churn(rw, 100))
    });
    let pipeline = Pipeline::new().nested(Pipeline::on("func.func").pass(Churn).pass(Churn)).pass(own);
    let mut largest = (0, 0);
    for _ in 0..rounds() / 500 {
        pipeline.run(&mut module).expect("passes");
        let (bytes, bodies) = size(&module);
        largest = (largest.0.max(bytes), largest.1.max(bodies));
    }
    assert!(largest.0 < 64 << 10 && largest.1 < 3_000, "{largest:?}");
    // What passes run on keeps its number.
    assert_eq!(module.operation(top(), outer).expect("it is there").name(), "builtin.module");
}

/// All of a module: its text, and its bytecode, which has orders of uses.
fn form(module: &Module) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().locations(true), &mut text)?;
    Ok((text, write(module, &WriteOptions::like(module))?))
}

fn has_block(body: &Body) -> bool {
    body.top_regions().first().is_some_and(|&region| body.first_block(region).is_some())
}

#[test]
fn what_is_left_is_as_it_was() {
    let mut paths: Vec<_> =
        ["arith", "use_lists", "nested", "debug_info"].iter().map(|name| fixture(&format!("{name}.mlirbc"))).collect();
    let files = corpus("bytecode", "freeing in files of the corpus").unwrap_or_default();
    paths.extend(files.into_iter().step_by(if is_whole() { 3 } else { 20 }));
    let mut smaller = 0;
    for path in paths {
        let Ok(mut module) = read(&crate::definitions::context(), std::fs::read(&path).expect("a file")) else {
            continue;
        };
        if decode_all(&module).is_err() {
            continue;
        }
        let ids: Vec<BodyId> = module.bodies().map(|(id, _)| id).collect();
        for &id in &ids {
            // As many records as there are, and more.
            let body = module.body(id).expect("a body");
            if has_block(body) {
                let count = body.operation_count();
                module.rewrite(id, |rw| churn(rw, 100 + count)).expect("edits");
            }
        }
        let before = form(&module);
        let size_before = size(&module).0;
        module.compact();
        smaller += usize::from(size(&module).0 < size_before);
        assert!(form(&module) == before, "{}", path.display());
        for (id, body) in module.bodies() {
            let holder = module.owner(id);
            assert!(
                id == top()
                    || holder.is_some_and(|(holder, op)| {
                        module
                            .body(holder)
                            .is_ok_and(|holder| !holder.is_erased(op) && holder.region_body(op) == Some(id))
                    })
            );
            assert!((0..body.operation_count()).all(|at| !body.is_erased(OpId::from_index(at))), "{}", path.display());
        }
        // It can be edited on as before.
        for &id in &ids {
            if has_block(module.body(id).expect("a body")) {
                module.rewrite(id, |rw| churn(rw, 1)).expect("edits");
            }
        }
        assert!(form(&module) == before, "{}", path.display());
    }
    assert!(smaller > 3, "{smaller}");
}

/// Until then, what was erased is an error, and nothing else gets its number.
#[test]
fn what_was_erased_is_not_taken_for_something_new() {
    let context = crate::definitions::context();
    let mut module = Module::new(&context);
    let done = module.rewrite(top(), |rw| {
        let block = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
        rw.set_insertion_point_to_end(block)?;
        let gone = rw.build("test.gone").result_type(context.index_type()).create()?;
        let value = rw.result(gone, 0)?;
        rw.erase(gone)?;
        for _ in 0..1_000 {
            let other = rw.build("test.other").result_type(context.index_type()).create()?;
            assert!(other != gone && rw.result(other, 0)? != value);
            assert!(rw.erase(gone).is_err() && rw.body().is_erased(gone) && !rw.body().is_defined(value));
            rw.erase(other)?;
        }
        Ok(())
    });
    done.expect("edits");
}
