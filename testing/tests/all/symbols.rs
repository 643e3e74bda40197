//! Symbols of modules: who names them, other names for them, and the passes that make them private and erase them.

use mlirbc_ir::{BodyId, ErrorKind, Module, OpId, SymbolTable, SymbolTableCollection, Visibility};
use mlirbc_rewrite::{Pipeline, passes};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

fn parsed(text: &str) -> Module {
    parse_module(&crate::definitions::context(), text.as_bytes(), &ParseOptions::new()).expect("it parses")
}

fn printed(module: &Module) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(false), &mut text).expect("text");
    let text = String::from_utf8(text).expect("UTF-8");
    format!("{}\n", text.trim_end())
}

fn place(module: &Module, path: &str) -> (BodyId, OpId) {
    let op = module.symbol(path).expect("symbols").unwrap_or_else(|| panic!("no {path}"));
    (op.body_id(), op.id())
}

/// What a pipeline makes of a text.
fn through(pipeline: &str, text: &str) -> mlirbc_ir::Result<String> {
    let mut module = parsed(text);
    let pipeline = Pipeline::parse(pipeline, &passes::registry()).unwrap_or_else(|error| panic!("{error}"));
    pipeline.run(&mut module)?;
    Ok(printed(&module))
}

const NESTED: &str = r#"module {
  module @outer {
    func.func private @f()
    func.func @g() attributes {note = [{deep = @f}]} {
      call @f() : () -> ()
      return
    }
  }
  module @other {
    func.func private @f()
    func.func @h() attributes {note = @f} {
      return
    }
  }
  func.func @f() attributes {encoded = tensor<4xi32, @outer::@f>, note = @outer::@f} {
    "test.use"() {inner = @outer::@f::@x, own = @f} : () -> ()
    return
  }
}
"#;

#[test]
fn a_symbol_is_renamed_with_all_that_names_it() {
    let mut module = parsed(NESTED);
    let (body, op) = place(&module, "outer::f");
    let name = module.context().identifier("a b");
    module.rename_symbol_of((body, op), name).expect("another name");
    let wanted = NESTED
        .replacen("private @f", "private @\"a b\"", 1)
        .replacen("deep = @f", "deep = @\"a b\"", 1)
        .replacen("call @f", "call @\"a b\"", 1)
        .replace("@outer::@f", "@outer::@\"a b\"");
    assert_eq!(printed(&module), wanted);
    let (body, op) = place(&module, "outer");
    let name = module.context().identifier("o");
    module.rename_symbol_of((body, op), name).expect("another name");
    assert_eq!(printed(&module), wanted.replace("@outer", "@o"));
}

#[test]
fn names_that_are_taken_are_refused() {
    let mut module = parsed(NESTED);
    let before = printed(&module);
    let (body, op) = place(&module, "outer::f");
    let taken = module.context().identifier("g");
    assert_eq!(module.rename_symbol_of((body, op), taken).expect_err("it is taken").kind(), ErrorKind::Misuse);
    let same = module.context().identifier("f");
    module.rename_symbol_of((body, op), same).expect("the name that it has");
    assert_eq!(printed(&module), before);
}

#[test]
fn uses_and_tables_are_found() {
    let module = parsed(NESTED);
    let find = |path: &str| module.symbol(path).expect("symbols").expect("a symbol");
    let function = find("f");
    let uses = function.symbol_uses().expect("uses").expect("all are known");
    // Two in its own attributes are one reference.
    assert_eq!(uses.len(), 3);
    assert_eq!(uses.iter().filter(|use_| use_.user.id() == function.id()).count(), 1);
    let table = function.nearest_symbol_table().expect("a table").expect("a table");
    assert_eq!(table.name(), "builtin.module");
    let mut tables = SymbolTableCollection::new();
    let resolved: Vec<Option<usize>> = uses
        .iter()
        .map(|use_| tables.resolve(table, use_.reference).expect("symbols").map(|found| found.len()))
        .collect();
    // `@outer::@f::@x` leads through what is no table.
    assert_eq!(resolved.iter().flatten().sum::<usize>(), 3);
    assert!(resolved.contains(&None));
    // A table names nothing that is in it.
    assert!(find("outer").symbol_uses().expect("uses").is_some_and(|uses| uses.is_empty()));
    assert_eq!(find("outer::f").visibility().expect("a visibility"), Visibility::Private);
    assert_eq!(find("outer").visibility().expect("a visibility"), Visibility::Public);
    let unknown = parsed("\"x.y\"() ({ \"x.z\"() {r = @f} : () -> () }) : () -> ()");
    let op = unknown.operations().expect("operations").next().expect("an operation");
    assert!(op.symbol_uses().expect("uses").is_none());
    let inner = op.ops().expect("operations").next().expect("one");
    assert!(inner.nearest_symbol_table().expect("none").is_none());
}

#[test]
fn symbols_that_nothing_needs_are_erased_as_mlir_opt_erases_them() {
    let text = r#"module {
  module @public {
    func.func private @dead() // goes
    func.func nested @nested() // goes
    func.func @public() {
      return
    }
    func.func private @referred()
  }
  module @private attributes {sym_visibility = "private"} {
    func.func private @dead() // goes
    func.func @public() {
      return
    }
    func.func nested @nested() {
      call @inner() : () -> ()
      return
    }
    func.func private @inner()
  }
  module {
    func.func nested @dead() // goes
    func.func @public() {
      call @called() : () -> ()
      return
    }
    func.func private @called()
    func.func private @calls() { // goes
      call @called() : () -> () // goes
      return // goes
    } // goes
  }
  module @unused attributes {sym_visibility = "private"} { // goes
    func.func @public() { // goes
      return // goes
    } // goes
  } // goes
  func.func @user() attributes {x = [{y = @public::@referred}]} {
    "test.use"() {encoded = tensor<4xi32, @encoded>, z = @private::@nested} : () -> ()
    return
  }
  func.func private @encoded()
  func.func private @itself() attributes {a = @itself} // goes
}
"#;
    let wanted: String =
        text.lines().filter(|line| !line.ends_with("// goes")).map(|line| format!("{line}\n")).collect();
    assert_eq!(through("builtin.module(symbol-dce)", text).expect("it runs"), wanted);
    let error = through("builtin.module(func.func(symbol-dce))", NESTED).expect_err("no symbol table");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    let unknown = "module { \"x.y\"() ({ \"x.z\"() {r = @f} : () -> () }) : () -> () func.func private @f() }";
    assert!(through("builtin.module(symbol-dce)", unknown).is_err());
}

#[test]
fn tables_in_tables_cost_no_stack() {
    let levels = 20_000;
    let text = format!("{}{}", "module @m {".repeat(levels), "}".repeat(levels));
    let mut module = parsed(&text);
    let pipeline = Pipeline::parse("builtin.module(symbol-dce)", &passes::registry()).expect("a pipeline");
    pipeline.run(&mut module).expect("it runs");
    let symbols = module.operations().expect("operations").next().expect("one").walk().expect("a walk").count();
    assert_eq!(symbols, levels);
}

#[test]
fn symbols_are_made_private() {
    let text = through("builtin.module(symbol-privatize{exclude=f,other})", NESTED).expect("it runs");
    let wanted = NESTED.replace("module @outer {", "module @outer attributes {sym_visibility = \"private\"} {");
    assert_eq!(text, wanted);
}

/// As `SymbolTable::insert`, `remove` and `erase` of MLIR do.
#[test]
fn what_comes_into_a_table_gets_a_name_of_its_own() {
    let mut module = parsed("module { func.func private @f() func.func private @f_1() \"test.end\"() : () -> () }");
    let context = module.context().clone();
    let (holder, _) = place(&module, "f");
    let names = |module: &Module| {
        let text = printed(module);
        let named = text.lines().filter_map(|line| line.split_once('@')?.1.split_once('('));
        named.map(|it| it.0.to_owned()).collect::<Vec<_>>()
    };
    module
        .rewrite(holder, |rw| {
            let mut table = SymbolTable::of_body(rw)?;
            let (f, other) = (context.identifier("f"), context.identifier("g"));
            let first = table.symbol(f).expect("a function");
            assert_eq!(table.insert(rw, first, None)?, f, "it is there");
            let mut copies = Vec::new();
            for expected in ["f_0", "f_2", "f_3"] {
                let copy = rw.clone_operation(first, &mut mlirbc_ir::ValueMap::default())?;
                let name = table.insert(rw, copy, Some(first))?;
                assert_eq!((&*context.text(name), table.symbol(name)), (expected, Some(copy)));
                copies.push(copy);
            }
            let end = rw.body().preorder().last().expect("operations");
            assert_eq!(table.insert(rw, end, None).expect_err("it has no name").kind(), ErrorKind::Misuse);
            assert!(table.symbol(other).is_none());
            table.erase(rw, copies[0])?;
            table.remove(rw, copies[1])?;
            rw.set_attribute(copies[1], "sym_name", other.attribute())?;
            assert_eq!(table.insert(rw, copies[1], None)?, other);
            assert!(table.symbol(context.identifier("f_0")).is_none());
            // What its table was made of stands as it is.
            let again = SymbolTable::of_body(rw)?;
            for name in ["f", "f_1", "f_3", "g"] {
                let name = context.identifier(name);
                assert!(again.symbol(name).is_some() && again.symbol(name) == table.symbol(name));
            }
            Ok(())
        })
        .expect("names");
    assert_eq!(names(&module), ["g", "f_3", "f", "f_1"]);
}

#[test]
fn a_new_symbol_stands_before_the_terminator() {
    let mut module = parsed("module { func.func private @f() }");
    let (holder, function) = place(&module, "f");
    module
        .rewrite(holder, |rw| {
            let block = rw.body().block_of(function).expect("a block");
            rw.set_insertion_point_to_end(block)?;
            rw.build("func.return").create()?;
            rw.set_insertion_point(None)?;
            let copy = rw.clone_operation(function, &mut mlirbc_ir::ValueMap::default())?;
            assert_eq!(rw.body().block_of(copy), None);
            let name = SymbolTable::of_body(rw)?.insert(rw, copy, None)?;
            assert_eq!(&*rw.context().text(name), "f_0");
            let end = rw.body().last_operation(block).expect("a terminator");
            assert_eq!((rw.op(end).name(), rw.body().previous_operation(end)), ("func.return".into(), Some(copy)));
            Ok(())
        })
        .expect("a table");
}

#[test]
fn a_symbol_gets_a_name_that_no_table_has() {
    let mut module = parsed(NESTED);
    let (body, op) = place(&module, "outer::f");
    let taken = module.context().identifier("f_0");
    let (other, inner) = place(&module, "other::f");
    module.rename_symbol_of((other, inner), taken).expect("another name");
    let tables = [place(&module, "other")];
    let name = module.rename_symbol_to_unique(body, op, &tables).expect("a name");
    assert_eq!(&*module.context().text(name), "f_1");
    let text = printed(&module);
    assert!(text.contains("deep = @f_1") && text.contains("encoded = tensor<4xi32, @outer::@f_1>"), "{text}");
    let uses = module.operation(body, op).expect("it").uses_of_symbol().expect("uses").expect("all are known");
    // One in the function beside it, the call in that; outside an encoding, an attribute and what leads through it.
    let shown: Vec<String> =
        uses.iter().map(|it| mlirbc_ir::text::print_attribute(module.context(), it.reference).expect("text")).collect();
    assert_eq!(shown.iter().filter(|it| *it == "@f_1").count(), 2, "{shown:?}");
    assert_eq!(shown.iter().filter(|it| it.starts_with("@outer::@f_1")).count(), 2, "{shown:?}");
    let user = module.symbol("other::h").expect("symbols").expect("a function");
    let reference = user.attribute("note").expect("decoded").expect("an attribute");
    assert_eq!(user.nearest_symbol(reference).expect("symbols").map(|it| it.id()), Some(inner));
    let function = module.symbol("f").expect("symbols").expect("a function");
    let reference = function.attribute("note").expect("decoded").expect("an attribute");
    assert_eq!(function.nearest_symbol(reference).expect("symbols").map(|it| it.id()), Some(op));
}
