//! What programs ask of a module in one call.

use mlirbc_ir::{BodyId, Context, ErrorCode, ErrorKind, InsertionPoint, Module, OpRef, Type};
use mlirbc_text::{PrintOptions, ToText, parse};

fn parsed(text: &str) -> Module {
    parse(&crate::definitions::context(), text).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn find<'m>(module: &'m Module, name: &str) -> OpRef<'m> {
    module.walk().expect("bodies").find(|op| op.is(name)).unwrap_or_else(|| panic!("no {name}"))
}

const TEXT: &str = r#"module {
  func.func @f(%arg0: i32, %arg1: i1) -> i32 attributes {noted = 1 : i32} {
    %c7_i32 = arith.constant 7 : i32
    %0 = arith.addi %arg0, %c7_i32 : i32
    %1 = scf.if %arg1 -> (i32) {
      %2 = func.call @f(%0, %arg1) : (i32, i1) -> i32
      scf.yield %2 : i32
    } else {
      scf.yield %0 : i32
    }
    return %1 : i32
  }
}
"#;

#[test]
fn an_operation_alone_has_the_names_of_the_whole() {
    let module = parsed(TEXT);
    assert_eq!(module.to_text().expect("text"), TEXT);
    assert_eq!(module.display().to_string(), TEXT.trim_end());
    let of = |name: &str| find(&module, name).display().to_string();
    assert_eq!(of("arith.addi"), "%0 = arith.addi %arg0, %c7_i32 : i32");
    assert_eq!(of("func.call"), "%2 = func.call @f(%0, %arg1) : (i32, i1) -> i32");
    assert_eq!(of("func.return"), "func.return %1 : i32");
    let whole = "%1 = scf.if %arg1 -> (i32) {\n  %2 = func.call @f(%0, %arg1) : (i32, i1) -> i32\n  scf.yield %2 : i32\n} \
                 else {\n  scf.yield %0 : i32\n}";
    assert_eq!(of("scf.if"), whole);
    let generic = find(&module, "arith.addi").to_text_with(&PrintOptions::new()).expect("text");
    assert!(generic.contains("\"arith.addi\"(%arg0, %0)"), "{generic}");
}

#[test]
fn an_operation_is_shown_while_it_is_made() {
    let mut module = parsed(TEXT);
    let place = find(&module, "arith.addi").place();
    let shown = module.build_at(place.0, InsertionPoint::Before(place.1), |rw| {
        let one = rw.context().integer(32, 1);
        let one = rw.build("arith.constant").attribute("value", one).value()?;
        let sum = rw.build("arith.addi").operands([one, one]).create()?;
        Ok(rw.op(sum).display().to_string())
    });
    assert_eq!(shown.expect("two operations"), "%0 = arith.addi %c1_i32, %c1_i32 : i32");
}

#[test]
fn attributes_are_set_whichever_they_are() {
    let mut module = parsed(TEXT);
    let context = module.context().clone();
    let function = module.symbol("f").expect("symbols").expect("@f").place();
    let call = find(&module, "func.call").place();
    module.set_attribute(function, "sym_visibility", context.string("private")).expect("a property");
    module.set_attribute(function, b"noted", context.index_attr(2)).expect("a discardable attribute");
    module.set_attribute(call, String::from("why"), context.bool_attr(true)).expect("a new one");
    let op = module.operation(function.0, function.1).expect("the function");
    assert_eq!(op.symbol().expect("a name").as_deref(), Some("f"));
    assert_eq!(op.string("sym_visibility").expect("decoded").as_deref(), Some("private"));
    assert_eq!(op.int("noted").expect("decoded"), Some(2));
    assert_eq!(
        op.type_attr("function_type").expect("decoded").map(|ty| context.show(ty).to_string()).as_deref(),
        Some("(i32, i1) -> i32")
    );
    let inherent = op.properties().expect("decoded").expect("properties");
    assert!(context.show(inherent).to_string().contains("sym_visibility"));
    assert_eq!(op.attributes().expect("decoded").len(), 1);
    let op = find(&module, "func.call");
    assert_eq!(op.bool("why").expect("decoded"), Some(true));
    assert_eq!(op.int("why").expect("decoded"), Some(1));
    assert_eq!(op.symbol_ref("callee").expect("decoded").as_deref(), Some("f"));
    assert_eq!((op.dialect().as_ref(), op.float("callee").expect("decoded")), ("func", None));
    module.remove_attribute(function, "noted").expect("it is there");
    module.remove_attribute(function, "noted").expect("nothing is done");
    let op = module.operation(function.0, function.1).expect("the function");
    assert!(!op.has_attribute("noted").expect("decoded"));
    module.verify().expect("all is as it should be");
}

#[test]
fn all_that_is_wrong_is_one_value() {
    let mut module = parsed(TEXT);
    let context = module.context().clone();
    let (constant, call) = (find(&module, "arith.constant").place(), find(&module, "func.call").place());
    module.set_attribute(constant, "value", context.index_attr(7)).expect("an attribute");
    module.set_attribute(call, "callee", context.symbol_ref("g")).expect("an attribute");
    let errors = module.verify().expect_err("two things are wrong");
    let messages: Vec<&str> = errors.iter().map(|error| error.message()).collect();
    assert_eq!(messages.len(), 2, "{errors}");
    assert!(errors.iter().all(|error| error.code() == ErrorCode::Verification));
    let function = module.symbol("f").expect("symbols").expect("@f");
    let inside = function.verify().expect_err("the same is wrong");
    assert!(inside.iter().any(|error| error.message() == messages[0]), "{inside}");
    assert!(find(&module, "arith.addi").verify().is_ok());
    let one = mlirbc_ir::Error::from(errors.clone());
    assert_eq!((one.kind(), one.message()), (ErrorKind::Verification, errors.to_string().as_str()));
}

#[test]
fn what_is_dead_and_what_is_pure() {
    let module = parsed("func.func @f(%x: i32) { %y = arith.addi %x, %x : i32  %z = arith.muli %y, %x : i32  return }");
    let is = |name: &str| {
        let op = find(&module, name);
        (op.is_pure().expect("known"), op.is_trivially_dead().expect("known"))
    };
    assert_eq!((is("arith.addi"), is("arith.muli"), is("func.return")), ((true, false), (true, true), (true, false)));
}

#[test]
fn a_symbol_is_renamed_by_its_path() {
    let mut module = parsed(
        "module @m { func.func private @f()  func.func @g() attributes {all = [[@f]]} { call @f() : () -> ()  return } }",
    );
    module.rename_symbol("m::f", "h").expect("another name");
    assert_eq!(find(&module, "func.call").symbol_ref("callee").expect("decoded").as_deref(), Some("h"));
    let all = module.symbol("g").expect("symbols").expect("@g").attribute("all").expect("decoded").expect("an array");
    assert_eq!(module.context().show(all).to_string(), "[[@h]]");
    let code = |module: &mut Module, from: &str, to: &str| module.rename_symbol(from, to).expect_err("no").code();
    assert_eq!(code(&mut module, "f", "x"), ErrorCode::NoSymbol);
    assert_eq!(code(&mut module, "h", "g"), ErrorCode::SymbolExists);
    module.rename_symbol("h", b"h").expect("the name that it has");
}

#[test]
fn regions_are_filled_isolated_or_not() {
    let context = crate::definitions::context();
    let i1 = context.integer_type(1);
    let mut module = Module::with_module_op(&context).expect("a module");
    let built = module.build(|rw| {
        let signature = context.type_attr(context.function_type([i1], []));
        let function = rw.build("func.func").attribute("sym_name", context.string("f"));
        function.attribute("function_type", signature).body([i1], |rw, arguments| {
            let either = rw.build("scf.if").operands([arguments[0]]).regions(2).result_types::<Type>([]).create()?;
            // What ends the block is made where the definition names it and it is not there.
            rw.fill::<Type, _>(either, 0, [], |rw, _| rw.build("scf.yield").create())?;
            rw.fill::<Type, _>(either, 1, [], |rw, _| rw.build("ub.poison").result_type(i1).create())?;
            let none = rw.fill::<Type, _>(either, 2, [], |_, _| Ok(()));
            assert_eq!(none.expect_err("no such").code(), ErrorCode::NoSuchId);
            // Where the operation is made is where the next one goes.
            rw.build("func.return").create()
        })
    });
    let place = built.expect("a function");
    module.verify().expect("all is as it should be");
    let text = "func.func @f(%arg0: i1) {\n  scf.if %arg0 {\n  } else {\n    %0 = ub.poison : i1\n  }\n  return\n}";
    assert_eq!(module.symbol("f").expect("symbols").expect("@f").display().to_string(), text);
    let body = module.symbol("f").expect("symbols").expect("@f").body_id();
    let filled = module.rewrite(body, |rw| rw.fill::<Type, _>(place, 0, [], |_, _| Ok(())));
    assert_eq!(filled.expect_err("its body is the module's").code(), ErrorCode::BodyTaken);
    let wrong = module.build(|rw| rw.build("func.return").value()).expect_err("it has no result");
    assert_eq!(wrong.message(), "`func.return` has 0 results, and not one");
}

#[test]
fn blobs_have_keys_of_their_own() {
    let context = Context::new();
    let mut module = Module::new(&context);
    let (i1, i16) = (context.integer_type(1), context.integer_type(16));
    let first = module.add_blob("k", context.tensor_type([2], i16), vec![1, 0, 2, 0]).expect("a blob");
    let second = module.add_blob("k", context.tensor_type([3], i1), vec![1, 0, 1]).expect("a blob");
    let third = module.add_blob("k", context.tensor_type([0], i16), Vec::new()).expect("an empty blob");
    assert_eq!(context.show(second).to_string(), "dense_resource<k_1> : tensor<3xi1>");
    assert_eq!(context.show(third).to_string(), "dense_resource<k_2> : tensor<0xi16>");
    let bytes = |attribute| module.blob(attribute).expect("no file").map(|blob| blob.bytes().expect("bytes").to_vec());
    assert_eq!((bytes(first), bytes(context.unit())), (Some(vec![1, 0, 2, 0]), None));
    for (shape, bytes) in [(2, vec![0; 3]), (mlirbc_ir::DYNAMIC, vec![])] {
        assert!(module.add_blob("x", context.tensor_type([shape], i16), bytes).is_err());
    }
    module.build(|rw| rw.build("toy.use").attribute("all", context.array([first, second])).create()).expect("made");
    let bytes = mlirbc_bytecode::write(&module, &mlirbc_bytecode::WriteOptions::default()).expect("bytecode");
    let again = mlirbc_bytecode::read(&context, bytes).expect("a module");
    let all = again.operations().expect("one").next().expect("one").array("all").expect("decoded").expect("an array");
    assert_eq!(again.blob(all[1]).expect("resources").expect("a blob").bytes().expect("bytes")[..], [1, 0, 1]);
}

/// Ids say whose they are in debug builds alone.
#[cfg(debug_assertions)]
#[test]
fn ids_of_another_body_are_found() {
    let module = parsed(TEXT);
    let mut other = parsed(TEXT);
    let (add, constant) = (find(&module, "arith.addi"), find(&module, "arith.constant"));
    let (foreign, value) = (add.id(), constant.results().next().expect("one"));
    let body = find(&other, "arith.addi").body_id();
    let code = |result: mlirbc_ir::Result<()>| result.expect_err("it is another's").code();
    assert_eq!(code(other.operation(body, foreign).map(drop)), ErrorCode::NoSuchId);
    assert_eq!(code(other.set_attribute((body, foreign), "a", module.context().unit())), ErrorCode::NoSuchId);
    assert_eq!(code(other.rewrite(body, |rw| rw.erase(foreign))), ErrorCode::NoSuchId);
    assert_eq!(
        code(other.rewrite(body, |rw| rw.build("toy.use").operands([value]).create().map(drop))),
        ErrorCode::NoSuchId
    );
    let own = find(&other, "arith.addi").place();
    let error = other.rewrite(body, |rw| rw.set_operand(own.1, 0, value)).expect_err("it is another's");
    assert_eq!(error.message(), format!("value {} is one of another body", value.index()));
    // What a program makes of a number is nobody's, and no mark makes ids differ.
    assert_eq!(foreign, own.1);
    let free = mlirbc_ir::OpId::from_index(foreign.index());
    assert!(other.operation(body, free).is_ok());
    // Nor does an id outlive the place that it had.
    assert!(other.operation(BodyId::from_index(Module::TOP), own.1).is_err());
}

/// Of a module that is read lazily, a symbol is found alone to be looked at, and in its place to be changed.
#[test]
fn what_has_not_been_read_is_changed() {
    let bytes = std::fs::read(mlirbc_testing::fixture("arith.mlirbc")).expect("a fixture");
    let open = || mlirbc_bytecode::read(&crate::definitions::context(), bytes.clone()).expect("a module");
    type Change = fn(&mut Module) -> mlirbc_ir::Result<()>;
    let changes: [(&str, Change); 6] = [
        ("rename", |module| module.rename_symbol("f", "renamed")),
        ("rename by the whole path", |module| module.rename_symbol("@arith::@f", "renamed")),
        ("set", |module| module.set_attribute(module.symbol_place("f")?, "noted", "renamed")),
        ("remove", |module| {
            let place = module.symbol_place("f")?;
            module.set_attribute(place, "renamed", 1)?;
            module.remove_attribute(place, "sym_visibility")
        }),
        ("rewrite inside", |module| {
            let (body, function) = module.symbol_place("f")?;
            let inside = module.body(body)?.region_body(function).expect("a function");
            let first = module.body(inside)?.preorder().next().expect("an operation");
            module.rewrite(inside, |rw| rw.set_attribute(first, "renamed", true))
        }),
        ("build", |module| {
            module.build(|rw| rw.build("toy.renamed").attribute("sym_name", "renamed").create().map(drop))
        }),
    ];
    for (what, change) in changes {
        let mut module = open();
        change(&mut module).unwrap_or_else(|error| panic!("{what}: {error}"));
        let again = mlirbc_bytecode::write(&module, &mlirbc_bytecode::WriteOptions::new()).expect("bytecode");
        let again = mlirbc_bytecode::read(&crate::definitions::context(), again).expect("a module");
        assert!(again.to_text().expect("text").contains("renamed"), "{what}");
    }
    let mut module = open();
    let alone = module.symbol("f").expect("well-formed").expect("a function").place();
    let error = module.set_attribute(alone, "noted", 1).expect_err("it was read alone");
    assert_eq!(error.code(), ErrorCode::WrongPlace, "{error}");
    assert_eq!(module.symbol_place("nothing").expect_err("no such symbol").code(), ErrorCode::NoSymbol);
    assert_eq!(module.expect_symbol("nothing").expect_err("no such symbol").code(), ErrorCode::NoSymbol);
    let f = module.expect_symbol("f").expect("there is one");
    assert!(f.expect_attribute("sym_name").is_ok());
    assert_eq!(f.expect_attribute("nothing").expect_err("no such attribute").code(), ErrorCode::NotDefined);
}
