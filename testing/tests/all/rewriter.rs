//! A `Rewriter` where it needs the definitions of dialects.

use mlirbc_ir::{BodyId, ErrorKind, Module, ValueMap};
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
            let copy = rw.clone_from(&module, top(), function, &mut ValueMap::default())?;
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
            assert!(rw.child(to)?.is_some_and(|body| body.operation_count() == 0));
            assert!(rw.child(from)?.is_some_and(|body| body.operation_count() == count));
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
                rw.set_attribute(to, &context.text(name), value)?;
            }
            rw.erase(from)
        })
        .expect("it moves");
    assert_eq!(text(&module), before);
    let (holder, owner) = module.owner(child).expect("an owner");
    assert_eq!(module.operation(holder, owner).expect("the function").name(), "func.func");
}
