//! A `Rewriter` where it needs the definitions of dialects.

use mlirbc_ir::{BodyId, ErrorKind, Module, ValueMap};
use mlirbc_testing::of_any;
use mlirbc_text::{PrintOptions, print_module};

fn top() -> BodyId {
    BodyId::from_index(Module::TOP)
}

fn text(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(false), &mut text).expect("text");
    String::from_utf8(text).expect("UTF-8")
}

/// A module of one function, in whose body `change` is called.
fn function() -> (Module, BodyId) {
    let context = crate::definitions::context();
    let mut module = Module::new(&context);
    let child = module
        .rewrite(top(), |rw| {
            let block = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
            rw.set_insertion_point_to_end(block)?;
            let i32 = context.integer_type(32);
            let ty = context.ty(mlirbc_ir::TypeData::Function { inputs: [i32].into(), results: [i32].into() });
            let ty = context.attribute(mlirbc_ir::AttributeData::Type(ty));
            let function = rw
                .build("func.func")
                .attribute("sym_name", context.string("f"))
                .attribute("function_type", ty)
                .attribute("test.note", context.unit())
                .regions(1)
                .create()?;
            let properties = rw.op(function).properties()?.expect("properties");
            assert_eq!(context.entries(properties)?.len(), 2);
            assert_eq!(rw.op(function).attributes()?.len(), 1);
            rw.inside(function, |rw| {
                let block = rw.create_block(rw.body().top_regions()[0], None, [i32])?;
                rw.set_insertion_point_to_end(block)?;
                let x = rw.body().arguments(block)[0];
                let sum = rw.build("arith.addi").operands([x, x]).create()?;
                let less =
                    rw.build("arith.cmpi").operands([x, x]).attribute("predicate", context.integer(64, 2)).create()?;
                assert_eq!(rw.op(less).type_of(rw.result(less, 0)?)?, context.integer_type(1));
                let refused = rw.build("arith.extsi").operands([x]).create().expect_err("its type is not said");
                assert_eq!(refused.kind(), ErrorKind::Misuse);
                let sum = rw.result(sum, 0)?;
                rw.build("func.return").operands([sum]).create()?;
                Ok(())
            })?;
            Ok(rw.body().region_body(function).expect("a body"))
        })
        .expect("a function");
    (module, child)
}

#[test]
fn types_of_results_are_those_that_definitions_say() {
    let (module, _) = function();
    let text = text(&module);
    assert!(text.contains("func.func @f(%arg0: i32) -> i32 attributes {test.note} {"), "{text}");
    assert!(text.contains("%0 = arith.addi %arg0, %arg0 : i32"), "{text}");
    assert!(text.contains("%1 = arith.cmpi slt, %arg0, %arg0 : i32"), "{text}");
}

#[test]
fn operations_move_between_modules_and_their_bodies_are_freed() {
    let (mut module, child) = function();
    let function = module.operations().expect("operations").next().expect("a function").id();
    let mut other = Module::new(module.context());
    other
        .rewrite(top(), |rw| {
            let block = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
            rw.set_insertion_point_to_end(block)?;
            let copy = rw.clone_from((&module, top()), function, &mut ValueMap::default())?;
            rw.set_attribute(copy, "sym_name", rw.context().string("g"))?;
            rw.remove_attribute(copy, "test.note")
        })
        .expect("a copy");
    let expected = text(&module).replace("@f", "@g").replace(" attributes {test.note}", "");
    assert_eq!(text(&other), expected);
    module.rewrite(top(), |rw| rw.erase(function)).expect("nothing uses it");
    assert!(module.loaded(child).is_none() && module.body(child).is_err());
    assert!(!text(&module).contains("func.func"));
}

#[test]
fn a_body_goes_from_one_function_to_another() {
    let (mut module, child) = function();
    let before = text(&module);
    let count = module.body(child).expect("a body").operation_count();
    let context = module.context().clone();
    module
        .rewrite(top(), |rw| {
            let from = rw.body().preorder().find(|&op| rw.body().region_body(op) == Some(child)).expect("the function");
            rw.set_insertion_point_before(from)?;
            let others: Vec<_> =
                rw.op(from).properties()?.map(|of| context.entries(of)).transpose()?.unwrap_or_default().to_vec();
            let to = rw.build("func.func").attributes(others.clone()).regions(1).create()?;
            assert!(rw.child_body(to)?.is_none() && rw.body().region_count_of(to) == 1, "nothing stands in it");
            assert!(rw.child_body(from)?.is_some_and(|body| body.operation_count() == count));
            let sum = rw.build("arith.addi").operands([]).result_types([context.index_type()]).create()?;
            assert!(rw.move_body(from, sum).is_err(), "it has no regions");
            assert!(rw.move_body(sum, to).is_err());
            rw.erase(sum)?;
            let full = rw.build("func.func").attributes(others).regions(1).create()?;
            rw.inside(full, |rw| rw.create_block(rw.body().top_regions()[0], None, [context.index_type()]))?;
            assert_eq!(rw.move_body(from, full).expect_err("it has a block").kind(), ErrorKind::Misuse);
            rw.erase(full)?;
            rw.move_body(from, to)?;
            assert_eq!((rw.body().region_body(from), rw.body().region_body(to)), (None, Some(child)));
            // There and back, and there again.
            rw.move_body(to, from)?;
            rw.move_body(from, to)?;
            let note = rw.op(from).attributes()?.to_vec();
            for (name, value) in note {
                rw.set_attribute(to, context.bytes(name), value)?;
            }
            rw.erase(from)
        })
        .expect("it moves");
    assert_eq!(text(&module), before);
    let (holder, owner) = module.owner(child).expect("an owner");
    assert_eq!(module.operation(holder, owner).expect("the function").name(), "func.func");
}

/// Each operation of a file that says in which order values are used is detached, moved or erased, in a module of its own: bytecode has
/// the orders of what is left, and not those of the file.
#[test]
fn what_is_edited_leaves_orders_of_uses_that_can_be_read() {
    let bytes = std::fs::read(mlirbc_testing::fixture("use_lists.mlirbc")).expect("a fixture");
    let open = || {
        let module = mlirbc_bytecode::read(&crate::definitions::context(), bytes.clone()).expect("a module");
        mlirbc_bytecode::decode_all(&module).expect("well-formed");
        module
    };
    let sound = open();
    let all: Vec<_> = sound.bodies().flat_map(|(id, body)| body.preorder().map(move |op| (id, of_any(op)))).collect();
    let mut written = [0; 3];
    for &(id, op) in &all {
        for (edit, count) in written.iter_mut().enumerate() {
            let mut module = open();
            let done = module.rewrite(id, |rw| match edit {
                0 => rw.detach(op),
                1 => {
                    let block = rw.body().block_of(op).expect("in a block");
                    let first = rw.body().first_operation(block).expect("an operation");
                    rw.move_before(op, first)
                }
                _ => rw.erase(op),
            });
            // What uses a detached operation has no form in bytecode.
            let options = mlirbc_bytecode::WriteOptions::default();
            let Some(bytes) = done.and_then(|()| mlirbc_bytecode::write(&module, &options)).ok() else { continue };
            let again = mlirbc_bytecode::read(module.context(), bytes.clone()).expect("a module");
            mlirbc_bytecode::decode_all(&again).expect("orders that are permutations");
            assert_eq!(text(&again), text(&module));
            assert!(mlirbc_bytecode::write(&again, &options).expect("bytecode") == bytes);
            *count += 1;
        }
    }
    assert!(written[0] >= 4 && written[1] == all.len() && written[2] >= 1, "{written:?} of {}", all.len());
}

/// A function is copied beside itself, and what stands in one goes into another.
#[test]
fn operations_and_regions_are_copied_within_their_module() {
    let (mut module, child) = function();
    let one = text(&module);
    let context = module.context().clone();
    let function = module.operations().expect("operations").next().expect("a function").id();
    let region = module.body(child).expect("a body").top_regions()[0];
    module
        .rewrite(top(), |rw| {
            rw.set_insertion_point_after(function)?;
            let copy = rw.clone_operation(function, &mut ValueMap::default())?;
            rw.set_attribute(copy, "sym_name", context.string("g"))?;
            let others: Vec<_> = rw.op(function).properties()?.map_or(Ok(&[][..]), |of| context.entries(of))?.to_vec();
            let empty = rw.build("func.func").attributes(others).regions(1).create()?;
            rw.set_attribute(empty, "sym_name", context.string("h"))?;
            rw.set_attribute(empty, "test.note", context.unit())?;
            rw.inside(empty, |rw| {
                let into = rw.body().top_regions()[0];
                let made = rw.clone_region_from((rw.module(), child), region, into, None, &mut ValueMap::default())?;
                assert_eq!(made.len(), 1);
                Ok(())
            })
        })
        .expect("copies");
    let three: Vec<String> = ["@f", "@g", "@h"].map(|name| one.replace("@f", name)).into();
    let inner = |text: &str| {
        let lines =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("module") && *line != "}");
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let expected: Vec<String> = three.iter().flat_map(|text| inner(text)).collect();
    assert_eq!(inner(&text(&module)), expected);
    // The copies have nothing in common with what they were made of.
    module.rewrite(top(), |rw| rw.erase(function)).expect("nothing uses it");
    assert_eq!(inner(&text(&module)), expected[expected.len() / 3..]);
}

/// A location that an edit brings, and that the module's file has for something else, is written once.
#[test]
fn locations_of_the_file_and_of_edits_are_one() {
    let context = crate::definitions::context();
    let bytes = std::fs::read(mlirbc_testing::fixture("arith.mlirbc")).expect("a fixture");
    let open = || mlirbc_bytecode::read(&context, bytes.clone()).expect("a module");
    let options = mlirbc_bytecode::WriteOptions::default();
    let (unedited, other) = (mlirbc_bytecode::write(&open(), &options).expect("bytecode"), open());
    other.load_all().expect("well-formed");
    let all: Vec<_> = other.bodies().flat_map(|(id, body)| body.preorder().map(move |op| (id, of_any(op)))).collect();
    assert!(all.len() > 10);
    for (id, op) in all {
        let location =
            other.operation(id, op).expect("an operation").location().expect("a location").attribute(&context);
        let mut module = open();
        module.load_all().expect("well-formed");
        module.rewrite(id, |rw| rw.set_location(op, location)).expect("the operation");
        assert!(mlirbc_bytecode::write(&module, &options).expect("bytecode") == unedited, "{op:?}");
    }
}

#[test]
fn operations_that_use_each_other_are_erased_together() {
    let context = crate::definitions::context();
    let mut module = Module::new(&context);
    let erase = |rw: &mut mlirbc_ir::Rewriter<'_>| {
        let block = rw.body().first_block(rw.body().top_regions()[0]).expect("a block");
        rw.set_insertion_point_to_end(block)?;
        let index = context.index_type();
        let first = rw.build("toy.first").result_type(index).create()?;
        let first_result = rw.result(first, 0)?;
        let second = rw.build("toy.second").operands([first_result]).result_type(index).create()?;
        let second_result = rw.result(second, 0)?;
        rw.set_operands(first, [second_result])?;
        let holder = rw.build("toy.holder").regions(1).create()?;
        let region = rw.body().regions(holder).next().expect("a region");
        let inner = rw.create_block::<mlirbc_ir::Type>(region, None, [])?;
        rw.set_insertion_point_to_end(inner)?;
        let user = rw.build("toy.user").operands([second_result]).create()?;
        rw.set_insertion_point_before(user)?;
        let refused = rw.erase_together(&[first, second]).expect_err("it is used in the holder");
        assert_eq!(refused.kind(), ErrorKind::Misuse);
        assert_eq!(rw.body().operations(block).count(), 3, "nothing was changed");
        rw.erase_together(&[user, first, holder, second])?;
        assert_eq!(rw.body().operations(block).count(), 0);
        assert!(rw.body().is_erased(user) && rw.insertion_point().is_none());
        let gone = rw.erase_together(&[first]).expect_err("it was erased");
        assert_eq!(gone.kind(), ErrorKind::Misuse);
        Ok(())
    };
    module.rewrite(top(), erase).expect("all are erased");
}
