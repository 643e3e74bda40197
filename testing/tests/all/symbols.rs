//! Symbols of modules: who names them, other names for them, and the passes that make them private and erase them.

use mlirbc_ir::{BodyId, ErrorKind, Module, OpId, SymbolTableCollection, Visibility};
use mlirbc_rewrite::{Pipeline, RunOptions, passes};
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
    pipeline.run(&mut module, RunOptions::new())?;
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
    module.rename_symbol(body, op, name).expect("another name");
    let wanted = NESTED
        .replacen("private @f", "private @\"a b\"", 1)
        .replacen("deep = @f", "deep = @\"a b\"", 1)
        .replacen("call @f", "call @\"a b\"", 1)
        .replace("@outer::@f", "@outer::@\"a b\"");
    assert_eq!(printed(&module), wanted);
    let (body, op) = place(&module, "outer");
    let name = module.context().identifier("o");
    module.rename_symbol(body, op, name).expect("another name");
    assert_eq!(printed(&module), wanted.replace("@outer", "@o"));
}

#[test]
fn names_that_are_taken_are_refused() {
    let mut module = parsed(NESTED);
    let before = printed(&module);
    let (body, op) = place(&module, "outer::f");
    let taken = module.context().identifier("g");
    assert_eq!(module.rename_symbol(body, op, taken).expect_err("it is taken").kind(), ErrorKind::Misuse);
    let same = module.context().identifier("f");
    module.rename_symbol(body, op, same).expect("the name that it has");
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
    func.func private @dead()
    func.func nested @nested()
    func.func @public() {
      return
    }
    func.func private @referred()
  }
  module @private attributes {sym_visibility = "private"} {
    func.func private @dead()
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
    func.func nested @dead()
    func.func @public() {
      call @called() : () -> ()
      return
    }
    func.func private @called()
    func.func private @calls() {
      call @called() : () -> ()
      return
    }
  }
  module @unused attributes {sym_visibility = "private"} {
    func.func @public() {
      return
    }
  }
  func.func @user() attributes {x = [{y = @public::@referred}]} {
    "test.use"() {encoded = tensor<4xi32, @encoded>, z = @private::@nested} : () -> ()
    return
  }
  func.func private @encoded()
  func.func private @itself() attributes {a = @itself}
}
"#;
    let wanted = r#"module {
  module @public {
    func.func @public() {
      return
    }
    func.func private @referred()
  }
  module @private attributes {sym_visibility = "private"} {
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
    func.func @public() {
      call @called() : () -> ()
      return
    }
    func.func private @called()
  }
  func.func @user() attributes {x = [{y = @public::@referred}]} {
    "test.use"() {encoded = tensor<4xi32, @encoded>, z = @private::@nested} : () -> ()
    return
  }
  func.func private @encoded()
}
"#;
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
    pipeline.run(&mut module, RunOptions::new()).expect("it runs");
    let symbols = module.operations().expect("operations").next().expect("one").walk().expect("a walk").count();
    assert_eq!(symbols, levels);
}

#[test]
fn symbols_are_made_private() {
    let text = through("builtin.module(symbol-privatize{exclude=f,other})", NESTED).expect("it runs");
    let wanted = NESTED.replace("module @outer {", "module @outer attributes {sym_visibility = \"private\"} {");
    assert_eq!(text, wanted);
}
