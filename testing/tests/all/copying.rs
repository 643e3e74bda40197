//! Copies of operations: within a module, from one into another, and between contexts.

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{
    AttributeData, AttributeRef, BodyId, Context, ErrorKind, Module, NamedAttribute, OpId, OpRef, OperationSpec,
    Result, TypeRef, ValueMap,
};
use mlirbc_testing::fixture;
use mlirbc_text::{PrintOptions, print_operation};

fn open(context: &Context, name: &str) -> Module {
    read(context, std::fs::read(fixture(name)).expect("a fixture")).expect("a module")
}

fn top() -> BodyId {
    BodyId::from_index(Module::TOP)
}

fn text(op: OpRef<'_>) -> String {
    let mut text = Vec::new();
    print_operation(op, &PrintOptions::new().generic(false).locations(true), &mut text).expect("text");
    String::from_utf8(text).expect("text")
}

#[track_caller]
fn refused<T>(result: Result<T>) -> String {
    let Err(error) = result else { panic!("it is done, and nothing said") };
    assert_eq!(error.kind(), ErrorKind::Misuse, "{error}");
    error.message().to_owned()
}

/// Where a function stands.
fn place(module: &Module, name: &str) -> (BodyId, OpId) {
    decode_all(module).expect("well-formed");
    let op = module.symbol(name).expect("symbols").expect("a function");
    (op.body_id(), op.id())
}

/// Names a function.
fn rename(module: &mut Module, body: BodyId, op: OpId, name: &str) {
    let context = module.context().clone();
    let properties = module.operation(body, op).expect("a function").properties().expect("properties");
    let AttributeData::Dictionary(entries) = &context[properties.expect("a name")] else { panic!("a dictionary") };
    let key = context.identifier("sym_name");
    let renamed = |entry: &NamedAttribute| if entry.0 == key { (key, context.string(name)) } else { *entry };
    let dictionary = context.dictionary(entries.iter().map(renamed).collect()).expect("each key once");
    module.rewrite(body, |rw| rw.set_properties(op, Some(dictionary.into()))).expect("an operation");
}

/// Puts a detached operation at the end of the first block.
fn append(module: &mut Module, body: BodyId, op: OpId) {
    let appended = module
        .rewrite(body, |rw| rw.move_to_end(op, rw.body().first_block(rw.body().top_regions()[0]).expect("a block")));
    appended.expect("a detached operation");
}

/// Copies an operation of a body into the same one, detached.
fn copied(module: &mut Module, body: BodyId, op: OpId) -> Result<OpId> {
    module.rewrite(body, |rw| rw.clone_operation(op, &mut ValueMap::default()))
}

/// Copies an operation of another module, detached.
fn copied_from(module: &mut Module, other: &Module, (from, op): (BodyId, OpId), into: BodyId) -> Result<OpId> {
    module.rewrite(into, |rw| rw.clone_from((other, from), op, &mut ValueMap::default()))
}

#[test]
fn a_function_is_copied_within_its_module_with_its_body() {
    let context = crate::definitions::context();
    let mut module = open(&context, "arith.mlirbc");
    let (body, op) = place(&module, "fold");
    let before = text(module.operation(body, op).expect("a function"));
    let copy = copied(&mut module, body, op).expect("a copy");
    assert_ne!(copy, op);
    assert_eq!(text(module.operation(body, copy).expect("the copy")), before);
    rename(&mut module, body, copy, "fold_again");
    append(&mut module, body, copy);
    // The two have nothing in common: one is emptied, the other stays.
    let inner = module.body(body).expect("a body").region_body(copy).expect("a body of its own");
    assert_ne!(module.body(body).expect("a body").region_body(op), Some(inner));
    let again = read(&context, write(&module, &WriteOptions::default()).expect("bytecode")).expect("a module");
    verify_module(&again, &mut |error| panic!("{error}")).expect("decoded");
    let of = |name: &str| text(again.symbol(name).expect("symbols").expect("a function"));
    assert_eq!(of("fold"), before);
    assert_eq!(of("fold_again"), before.replace("@fold(", "@fold_again("));
    let inner_body = module.body(inner).expect("a body");
    let last = inner_body.preorder().find(|&op| inner_body.results(op).len() == 0).expect("an operation");
    module.rewrite(inner, |rw| rw.erase(last)).expect("no results");
    assert_eq!(text(module.operation(body, op).expect("a function")), before);
}

#[test]
fn bodies_in_bodies_are_copied_with_the_operation() {
    let context = crate::definitions::context();
    let mut module = open(&context, "nested.mlirbc");
    decode_all(&module).expect("well-formed");
    let outermost = module.operations().expect("operations").next().expect("a module").id();
    let before = text(module.operation(top(), outermost).expect("a module"));
    let bodies = module.bodies().count();
    let copy = copied(&mut module, top(), outermost).expect("a copy");
    append(&mut module, top(), copy);
    assert_eq!(text(module.operation(top(), copy).expect("the copy")), before);
    assert_eq!(module.bodies().count(), 2 * bodies - 1);
    for (id, body) in module.bodies().filter(|it| it.0 != top()) {
        let (holder, op) = module.owner(id).expect("an operation");
        assert_eq!(module.body(holder).expect("a body").region_body(op), Some(id));
        assert_eq!(module.depth(id), module.depth(holder) + 1);
        assert!(!body.top_regions().is_empty());
    }
}

/// What one module has read, another of the same context takes.
#[test]
fn a_function_is_copied_into_another_module_of_its_context() {
    let context = crate::definitions::context();
    let other = open(&context, "arith.mlirbc");
    let (from, op) = place(&other, "fold");
    let before = text(other.operation(from, op).expect("a function"));
    // One without a file, one with a file of its own.
    let mut modules = vec![Module::new(&context), open(&context, "nested.mlirbc")];
    for module in &mut modules {
        decode_all(module).expect("well-formed");
        let copy = copied_from(module, &other, (from, op), top()).expect("a copy");
        append(module, top(), copy);
        let again = read(&crate::definitions::context(), write(module, &WriteOptions::default()).expect("bytecode"));
        let again = again.expect("a module");
        let last = again.operations().expect("operations").last().expect("the copy");
        assert_eq!(text(last), before);
    }
}

#[test]
fn what_a_copy_uses_from_outside_is_named_in_the_map() {
    let context = crate::definitions::context();
    let other = open(&context, "arith.mlirbc");
    let (holder, function) = place(&other, "f");
    let inner = other.body(holder).expect("a body").region_body(function).expect("a body");
    let body = other.body(inner).expect("a body");
    let user = body.preorder().find(|&op| !body.operands(op).is_empty() && body.successors(op).is_empty());
    let user = user.expect("an operation with operands");
    let branch = body.preorder().find(|&op| !body.successors(op).is_empty()).expect("a branch");

    let mut module = open(&context, "arith.mlirbc");
    let (target_holder, target) = place(&module, "fold");
    let into = module.body(target_holder).expect("a body").region_body(target).expect("a body");
    let unedited = write(&module, &WriteOptions::default()).expect("bytecode");
    // As ids of this body they would be other values and other blocks.
    for op in [user, branch] {
        refused(copied_from(&mut module, &other, (inner, op), into));
    }
    assert!(write(&module, &WriteOptions::default()).expect("bytecode") == unedited);
    let body_count = module.body_count();
    let (one, entry) = {
        let body = module.body(into).expect("a body");
        let entry = body.first_block(body.top_regions()[0]).expect("a block");
        (body.arguments(entry)[0], entry)
    };
    let mut map = ValueMap::default();
    map.values.extend(body.operands(user).iter().chain(body.operands(branch)).map(|&value| (value, one)));
    refused(module.rewrite(into, |rw| rw.clone_from((&other, inner), branch, &mut map.clone())));
    map.blocks.extend(body.successors(branch).iter().map(|&block| (block, entry)));
    for op in [user, branch] {
        let copy = module.rewrite(into, |rw| rw.clone_from((&other, inner), op, &mut map)).expect("a copy");
        let (target, body) = (module.body(into).expect("a body"), other.body(inner).expect("a body"));
        assert!(target.operands(copy).iter().all(|&value| value == one));
        assert!(target.successors(copy).iter().all(|&block| block == entry));
        assert_eq!(target.operands(copy).len(), body.operands(op).len());
        assert!(body.results(op).zip(target.results(copy)).all(|(old, new)| map.values[&old] == new));
    }
    assert_eq!(module.body_count(), body_count);
}

/// `moving` does so with all that files hold.
#[test]
fn a_function_is_copied_into_a_module_of_another_context() {
    let (other, mut module) =
        (open(&crate::definitions::context(), "arith.mlirbc"), open(&crate::definitions::context(), "nested.mlirbc"));
    decode_all(&module).expect("well-formed");
    let (from, op) = place(&other, "fold");
    let copy = copied_from(&mut module, &other, (from, op), top()).expect("a copy");
    append(&mut module, top(), copy);
    let again = read(module.context(), write(&module, &WriteOptions::default()).expect("bytecode"));
    let again = again.expect("a module");
    let last = again.operations().expect("operations").last().expect("the copy");
    assert_eq!(text(last), text(other.operation(from, op).expect("a function")));
}

#[test]
fn resources_come_with_the_operation_that_refers_to_them() {
    let context = crate::definitions::context();
    for other_context in [context.clone(), crate::definitions::context()] {
        resources_come_along(&context, &other_context);
    }
}

fn resources_come_along(context: &Context, other_context: &Context) {
    let other = open(other_context, "resources.mlirbc");
    let (from, op) = place(&other, "page");
    let before = text(other.operation(from, op).expect("a global"));
    assert!(before.contains("0x0010"), "{before}");
    let mut module = open(context, "arith.mlirbc");
    decode_all(&module).expect("well-formed");
    for _ in 0..2 {
        let copy = copied_from(&mut module, &other, (from, op), top()).expect("a copy");
        assert_eq!(text(module.operation(top(), copy).expect("the copy")), before);
        append(&mut module, top(), copy);
    }
    assert_eq!(module.resources().expect("resources").iter().map(|group| group.entries.len()).sum::<usize>(), 1);
    let again = read(&crate::definitions::context(), write(&module, &WriteOptions::default()).expect("bytecode"))
        .expect("a module");
    assert_eq!(text(again.operations().expect("operations").last().expect("the copy")), before);

    // The same key for something else cannot come beside it.
    let mut module = open(context, "resources.mlirbc");
    decode_all(&module).expect("well-formed");
    let unedited = write(&module, &WriteOptions::default()).expect("bytecode");
    let message = refused(copied_from(&mut module, &other, (from, op), top()));
    assert!(message.contains("page"), "{message}");
    assert!(write(&module, &WriteOptions::default()).expect("bytecode") == unedited);
}

#[test]
fn what_is_detached_is_not_copied_as_something_else() {
    let context = crate::definitions::context();
    let mut module = open(&context, "arith.mlirbc");
    let (body, op) = place(&module, "fold");
    let inner = module.body(body).expect("a body").region_body(op).expect("a body");
    let inside = module.body(inner).expect("a body");
    let used = inside.preorder().find(|&op| inside.results(op).any(|value| inside.is_used(value)));
    let used = used.expect("an operation with a result that is used");
    module.rewrite(inner, |rw| rw.detach(used)).expect("an operation");
    let bodies = module.body_count();
    refused(copied(&mut module, body, op));
    assert_eq!(module.body_count(), bodies);
}

#[test]
fn an_isolated_operation_made_here_is_copied_too() {
    let context = crate::definitions::context();
    let mut module = Module::new(&context);
    let (name, unknown) = (module.name("builtin.module"), AttributeRef::from(context.unknown_location()));
    let spec = OperationSpec { regions: 1, ..OperationSpec::new(name, unknown) };
    let op = mlirbc_testing::append(&mut module, top(), &spec);
    assert!(module.top().expect("a body").region_body(op).is_none(), "nothing stands there yet");
    let test = OperationSpec::new(context.operation_name("test.op", false), unknown);
    let filled = module.rewrite(top(), |rw| {
        rw.inside(op, |rw| {
            let block = rw.create_block(rw.body().top_regions()[0], None, [] as [TypeRef; 0])?;
            rw.set_insertion_point_to_end(block)?;
            rw.create(&test)
        })
    });
    filled.expect("an operation");
    let inner = module.top().expect("a body").region_body(op).expect("a body of its own");
    // Into its own body: what is copied is what was there.
    let copy = module.rewrite(inner, |rw| rw.clone_from((rw.module(), top()), op, &mut ValueMap::default()));
    append(&mut module, inner, copy.expect("a copy"));
    let outer = module.operation(top(), op).expect("a module");
    assert_eq!(
        outer.walk().expect("bodies").map(|op| op.name().into_owned()).collect::<Vec<_>>(),
        ["builtin.module", "test.op", "builtin.module", "test.op"]
    );
}
