//! Bodies of modules, and what is none of theirs.

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{
    AttributeRef, BlockId, BodyBuilder, BodyId, Context, ErrorKind, Module, OpId, OperationSpec, RegionId, Result,
    Rewriter, TakenBody, TypeRef, Value, ValueMap,
};
use mlirbc_testing::{Shape, append, fixture, generate};

fn open(context: &Context, name: &str) -> Module {
    read(context, std::fs::read(fixture(name)).expect("a fixture")).expect("a module")
}

/// The body of a function, and its id.
fn function(module: &Module, name: &str) -> BodyId {
    decode_all(module).expect("well-formed");
    let op = module.symbol(name).expect("symbols").expect("a function");
    op.body().region_body(op.id()).expect("a function with a body")
}

#[track_caller]
fn refused<T>(result: Result<T>) {
    let Err(error) = result else { panic!("it is done, and nothing said") };
    assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
}

fn spec(module: &Module) -> OperationSpec<'static> {
    let unknown: AttributeRef = module.context().unknown_location().into();
    OperationSpec::new(module.context().operation_name("test.op", false), unknown)
}

#[test]
fn bodies_of_other_modules_are_errors() {
    let context = crate::definitions::context();
    let mut module = open(&context, "arith.mlirbc");
    decode_all(&module).expect("well-formed");
    let none = BodyId::from_index(module.body_count());
    let op = OpId::from_index(0);
    for id in [none, BodyId::from_index((u32::MAX / 2) as usize - 1)] {
        refused(module.body(id));
        refused(module.take_body(id));
        refused(module.put_body(id, BodyBuilder::new(1).finish()));
        refused(module.build_uses(id));
        refused(module.rewrite(id, |_| Ok(())));
        refused(module.operation(id, op));
        let copied = |rw: &mut Rewriter<'_>| rw.clone_from((rw.module(), id), op, &mut ValueMap::default());
        refused(module.rewrite(BodyId::from_index(Module::TOP), copied));
        assert!(module.loaded(id).is_none() && module.pending(id).is_none() && module.owner(id).is_none());
        assert!(!module.is_fragment(id) && module.depth(id) == 0);
        module.fill(id, BodyBuilder::new(1).finish());
    }
    // Nothing came of it.
    let unedited = open(&context, "arith.mlirbc");
    let options = WriteOptions::like(&module);
    assert!(write(&module, &options).expect("bytecode") == write(&unedited, &options).expect("bytecode"));
}

#[test]
fn operations_blocks_regions_and_values_of_other_bodies_are_errors() {
    let mut module = open(&crate::definitions::context(), "arith.mlirbc");
    let id = function(&module, "f");
    let erased = {
        let spec = spec(&module);
        let made = module.rewrite(id, |rw| {
            let (ty, region) = (rw.body().ty(Value::from_index(0)), rw.body().top_regions()[0]);
            let op = rw.create(&OperationSpec { results: &[ty], regions: 1, ..spec })?;
            let (value, inner) = (rw.result(op, 0)?, rw.body().regions(op).next().expect("a region"));
            let block = rw.create_block(region, None, [] as [TypeRef; 0])?;
            rw.erase(op)?;
            rw.erase_block(block)?;
            Ok((op, block, inner, value))
        });
        made.expect("nothing uses it, or goes on to it")
    };
    let unedited = format!("{:?}", module.body(id).expect("a body"));
    let body = module.body(id).expect("a body");
    let missing = (
        OpId::from_index(body.operation_count()),
        BlockId::from_index(body.block_count()),
        RegionId::from_index(body.region_count()),
        Value::from_index(body.value_count()),
    );
    let far = (u32::MAX / 2) as usize - 1;
    let far = (OpId::from_index(far), BlockId::from_index(far), RegionId::from_index(far), Value::from_index(far));
    let (entry, argument) = (body.first_block(body.top_regions()[0]).expect("a block"), Value::from_index(0));
    let user = body.preorder().find(|&op| !body.operands(op).is_empty()).expect("an operation with operands");
    let branch = body.preorder().find(|&op| !body.successors(op).is_empty()).expect("an operation with successors");
    let (root, last) = (body.top_regions()[0], body.last_operation(entry));
    for (op, block, region, value) in [missing, far, erased] {
        refused(module.operation(id, op));
        let new = spec(&module);
        let at = module.operation(id, user).expect("an operation");
        if value != erased.3 {
            assert!(at.defining_operation(value).is_none());
        }
        refused(at.type_of(value));
        let edits = module.rewrite(id, |rw| {
            refused(rw.create(&OperationSpec { operands: &[argument, value], ..new.clone() }));
            refused(rw.create(&OperationSpec { operands: &[value], ..new.clone() }));
            refused(rw.create(&OperationSpec { successors: &[block], ..new }));
            refused(rw.set_operand(op, 0, argument));
            refused(rw.set_operand(user, 0, value));
            refused(rw.set_operand(user, 99, argument));
            refused(rw.set_operands(op, [] as [Value; 0]));
            refused(rw.set_operands(user, [argument, value]));
            refused(rw.replace_uses(argument, value));
            refused(rw.replace_uses(value, argument));
            refused(rw.replace_uses_if(argument, value, |_, _| true));
            refused(rw.reorder_uses(value, &[]));
            refused(rw.set_successor(op, 0, entry));
            refused(rw.set_successor(branch, 0, block));
            refused(rw.set_successor(branch, 99, entry));
            refused(rw.set_successor(user, 99, entry));
            refused(rw.set_insertion_point_to_end(block));
            refused(rw.set_insertion_point_before(op));
            refused(rw.move_to_end(op, entry));
            refused(rw.move_to_end(user, block));
            refused(rw.move_before(op, user));
            refused(rw.move_before(user, op));
            refused(rw.move_after(op, user));
            refused(rw.move_after(user, op));
            refused(rw.detach(op));
            refused(rw.erase(op));
            refused(rw.replace(op, [] as [Value; 0]));
            refused(rw.split_block(op));
            refused(rw.clone_operation(op, &mut ValueMap::default()));
            let mut map = ValueMap::default();
            map.values.extend(rw.body().operands(user).iter().map(|&operand| (operand, value)));
            refused(rw.clone_operation(user, &mut map));
            refused(rw.create_block(region, None, [] as [TypeRef; 0]));
            refused(rw.create_block(root, Some(block), [] as [TypeRef; 0]));
            refused(rw.erase_block(block));
            refused(rw.inline_block(block, entry, None, &[]));
            refused(rw.inline_block(entry, block, None, &[argument, argument]));
            refused(rw.inline_region(region, root, None));
            refused(rw.inline_region(root, region, None));
            refused(rw.add_argument(block, rw.context().index_type(), None));
            refused(rw.erase_argument(block, 0));
            refused(rw.erase_argument(entry, 99));
            refused(rw.set_argument_location(block, 0, None));
            refused(rw.set_argument_location(entry, 99, None));
            refused(rw.set_name(op, rw.body().name(user)));
            refused(rw.set_type(value, rw.context().index_type()));
            refused(rw.set_location(op, rw.context().unknown_location()));
            refused(rw.set_attributes(op, None));
            refused(rw.set_properties(op, None));
            let body = rw.body();
            assert!(body.owner(value).is_none() && body.defining_region(value).is_none());
            assert!(body.defining_block(value).is_none() && body.uses_of(value).next().is_none());
            assert_eq!(body.last_operation(entry), last);
            Ok(())
        });
        edits.expect("a body");
    }
    // What is refused changes nothing.
    assert_eq!(format!("{:?}", module.body(id).expect("a body")), unedited);
}

#[test]
fn an_operand_of_another_body_is_refused_before_anything_is_printed() {
    let mut module = open(&crate::definitions::context(), "arith.mlirbc");
    let (large, small) = (function(&module, "fold"), function(&module, "f"));
    let count = module.body(small).expect("a body").value_count();
    let foreign = Value::from_index(module.body(large).expect("a body").value_count().max(count + 1) - 1);
    let body = module.body(small).expect("a body");
    let user = body.preorder().find(|&op| !body.operands(op).is_empty()).expect("an operation with operands");
    refused(module.rewrite(small, |rw| rw.set_operand(user, 0, foreign)));
    let mut text = Vec::new();
    let options = mlirbc_text::PrintOptions::new();
    mlirbc_text::print_module(&module, &options, &mut text).expect("text");
}

#[test]
fn a_body_that_was_taken_is_edited_beside_the_others_and_put_back() {
    let context = crate::definitions::context();
    let bytes = write(&generate(&context, Shape::Functions, 20 << 10).expect("a module"), &WriteOptions::default());
    let mut module = read(&context, bytes.expect("bytecode")).expect("a module");
    module.load_all().expect("well-formed");
    // Edited in place, one after the other.
    let mut edited = read(&context, write(&module, &WriteOptions::default()).expect("bytecode")).expect("a module");
    edited.load_all().expect("well-formed");
    let ids: Vec<BodyId> = module.bodies().map(|it| it.0).filter(|&id| module.depth(id) == 2).collect();
    assert!(ids.len() > 5, "{} functions", ids.len());
    let turn = |rw: &mut Rewriter<'_>| {
        let block = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
        let (first, second) = (rw.body().arguments(block)[0], rw.body().arguments(block)[1]);
        rw.replace_uses(first, second)
    };
    ids.iter().for_each(|&id| edited.rewrite(id, turn).expect("values of the body"));

    let taken: Vec<(BodyId, TakenBody)> =
        ids.iter().map(|&id| (id, module.take_body(id).expect("a body of the module"))).collect();
    // What is missing is an error, and stays one.
    for _ in 0..2 {
        refused(module.body(ids[0]));
        refused(module.take_body(ids[0]));
        refused(module.load_all());
        refused(write(&module, &WriteOptions::default()));
    }
    let looked_at = &module;
    let done: Vec<_> = std::thread::scope(|scope| {
        let threads = taken.into_iter().map(|(id, body)| {
            scope.spawn(move || {
                let mut rw = Rewriter::new(looked_at, id, body);
                turn(&mut rw).expect("values of the body");
                rw.finish()
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for rewritten in done {
        module.put_rewritten(rewritten).expect("the body was taken");
    }
    refused(module.put_body(ids[0], BodyBuilder::new(1).finish()));
    let options = WriteOptions::default();
    assert!(write(&module, &options).expect("bytecode") == write(&edited, &options).expect("bytecode"));
}

#[test]
fn an_operand_that_is_not_in_scope_is_refused_and_not_written_as_another_value() {
    for regions in [2, 3] {
        let mut module = open(&crate::definitions::context(), "arith.mlirbc");
        let id = function(&module, "fold");
        let spec = spec(&module);
        let made = module.rewrite(id, |rw| {
            let body = rw.body();
            let entry = body.first_block(body.top_regions()[0]).expect("a block");
            let ty = body.ty(Value::from_index(0));
            rw.set_insertion_point_to_start(entry)?;
            let op = rw.create(&OperationSpec { regions, ..spec.clone() })?;
            let inner: Vec<RegionId> = rw.body().regions(op).collect();
            let mut blocks = Vec::new();
            for (region, count) in inner.into_iter().zip([1, 1, 0]) {
                blocks.push(rw.create_block(region, None, vec![ty; count])?);
            }
            let value = rw.body().arguments(blocks[0])[0];
            // In the region of the value; then in one beside it, and around it.
            rw.set_insertion_point_to_end(blocks[0])?;
            let user = rw.create(&OperationSpec { operands: &[value], ..spec })?;
            Ok((entry, blocks, user))
        });
        let (entry, blocks, user) = made.expect("operations");
        let options = WriteOptions::default();
        assert!(write(&module, &options).is_ok());
        for block in [*blocks.last().expect("a block"), entry] {
            module.rewrite(id, |rw| rw.move_to_end(user, block)).expect("a block of the body");
            let error = write(&module, &options).expect_err("the value is another one there");
            assert_eq!(error.kind(), ErrorKind::Verification, "{error}");
        }
        module.rewrite(id, |rw| rw.move_to_end(user, blocks[0])).expect("a block of the body");
        assert!(write(&module, &options).is_ok());
    }
}

#[test]
fn the_bodies_of_erased_operations_are_no_bodies_of_the_module() {
    let mut module = open(&crate::definitions::context(), "arith.mlirbc");
    let gone = function(&module, "fold");
    let (holder, op) = module.owner(gone).expect("a function");
    assert!(module.bodies().any(|it| it.0 == gone));
    module.rewrite(holder, |rw| rw.erase(op)).expect("nothing uses a function's results");
    assert!(module.bodies().all(|it| it.0 != gone));
    let kept: Vec<BodyId> = module.bodies().map(|it| it.0).collect();
    module.load_all().expect("well-formed");
    verify_module(&module, &mut |error| panic!("{error}")).expect("decoded");
    assert_eq!(module.bodies().map(|it| it.0).collect::<Vec<_>>(), kept);
}

#[test]
fn an_isolated_operation_with_an_empty_region_is_checked_as_read() {
    let context = crate::definitions::context();
    let mut module = Module::new(&context);
    let top = BodyId::from_index(Module::TOP);
    let (name, unknown) = (module.name("builtin.module"), context.unknown_location());
    let empty = context.dictionary(Vec::new()).expect("no entry");
    let spec = OperationSpec { properties: Some(empty.into()), regions: 1, ..OperationSpec::new(name, unknown.into()) };
    append(&mut module, top, &spec);
    let errors = |module: &Module| {
        let mut errors = Vec::new();
        verify_module(module, &mut |error| errors.push(error.to_string())).expect("decoded");
        errors
    };
    let again = read(&context, write(&module, &WriteOptions::default()).expect("bytecode")).expect("a module");
    assert_eq!(errors(&again), errors(&module));
    assert_eq!(errors(&again).len(), 1, "{:?}", errors(&again));
}

#[test]
fn an_operation_whose_properties_are_bytes_is_renamed_with_what_they_say() {
    let context = crate::definitions::context();
    let mut module = open(&context, "arith.mlirbc");
    let id = function(&module, "fold");
    let body = module.body(id).expect("a body");
    let op = body.preorder().find(|&op| body.properties(op).is_some_and(|properties| properties.in_source().is_some()));
    let op = op.expect("an operation with properties of its own");
    let (name, properties) = (body.name(op), body.properties(op).expect("properties"));
    let other = context.operation_name("test.other", false);
    let dictionary = module.properties(name, properties).expect("well-formed");
    module.rewrite(id, |rw| rw.set_name(op, other)).expect("properties that can be decoded");
    let again = read(&context, write(&module, &WriteOptions::default()).expect("bytecode")).expect("a module");
    let found = again.operations().expect("operations").flat_map(|op| op.walk().expect("bodies"));
    let found = found.into_iter().find(|op| op.operation_name() == other).expect("the operation");
    assert_eq!(found.properties().expect("well-formed"), Some(dictionary));
}

/// An operation that holds a block which another one goes on to, such as one that was moved out of a loop, is not erased: that one
/// would go on to nothing.
#[test]
fn what_holds_a_block_that_is_gone_on_to_is_not_erased() {
    let context = crate::definitions::context();
    let mut module = Module::new(&context);
    let top = BodyId::from_index(Module::TOP);
    module
        .rewrite(top, |rw| {
            let outermost = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
            rw.set_insertion_point_to_end(outermost)?;
            let holder = rw.build("test.holder").regions(1).create()?;
            let region = rw.body().regions(holder).next().expect("a region");
            let inner = rw.create_block(region, None, [context.index_type()])?;
            rw.set_insertion_point_to_end(inner)?;
            let going = rw.build("test.branch").successors([inner]).create()?;
            rw.move_to_end(going, outermost)?;
            let other = rw.create_block(rw.body().top_regions()[0], None, None::<mlirbc_ir::Type>)?;
            rw.move_to_end(holder, other)?;
            refused(rw.erase(holder));
            refused(rw.replace(holder, Vec::<Value>::new()));
            refused(rw.erase_block(other));
            assert_eq!(rw.block_uses(inner)?, [(going, 0)]);
            // In the same operation it goes with it.
            rw.move_to_end(going, inner)?;
            rw.erase(holder)?;
            rw.erase_block(other)
        })
        .expect("edits");
    assert_eq!(module.operations().expect("operations").count(), 0);
}
