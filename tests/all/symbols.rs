//! Symbols by their paths, in every file.

use mlirbc::ir::symbol_text;
use mlirbc::{Context, Module, OpRef};
use mlirbc_testing::{corpus, fixture};

/// Every symbol of a symbol table below `op`, with its path as `diff` prints it. Of several of one name, the first.
fn symbols<'m>(op: OpRef<'m>, outer: &str, found: &mut Vec<(String, OpRef<'m>)>) {
    let Ok(inside) = op.ops() else { return };
    for op in inside {
        let Ok(Some(name)) = op.symbol_name() else { continue };
        let name = symbol_text(op.module().context().bytes(name));
        let path = if outer.is_empty() { name } else { format!("{outer}::{name}") };
        if found.iter().all(|other| other.0 != path) {
            symbols(op, &path, found);
            found.push((path, op));
        }
    }
}

fn check(module: &Module, what: &str) -> usize {
    let mut count = 0;
    for outermost in module.operations().unwrap() {
        let mut all = Vec::new();
        symbols(outermost, "", &mut all);
        let own = outermost.symbol_name().ok().flatten().map(|name| symbol_text(module.context().bytes(name)));
        for (path, op) in &all {
            let signs = format!("@{}", path.replace("::", "::@"));
            let mut spelled = vec![path.clone()];
            // Signs are put in where nothing is quoted that may hold such a separator itself.
            if !path.contains('"') {
                spelled.extend([signs.clone(), signs.replace("::", "/")]);
            }
            spelled.extend(own.as_ref().map(|own| format!("{own}::{path}")));
            for path in spelled {
                let found = module.symbol(&path).unwrap_or_else(|error| panic!("{what}: {path}: {error}"));
                let found = found.unwrap_or_else(|| panic!("{what}: no {path}"));
                assert_eq!(found.location().unwrap(), op.location().unwrap(), "{what}: {path}");
                assert_eq!(found.symbol_name().unwrap(), op.symbol_name().unwrap(), "{what}: {path}");
                count += 1;
            }
        }
    }
    count
}

#[test]
fn every_symbol_is_found_by_the_path_that_diff_prints() {
    let mut count = 0;
    for name in
        ["arith.mlirbc", "nested.mlirbc", "resources.mlirbc", "debug_info.mlirbc", "arith.mlir", "portable.mlir"]
    {
        let module = mlirbc::open_any(&Context::new(), fixture(name)).unwrap();
        count += check(&module, name);
    }
    assert!(count >= 40, "{count}");
    let Some(paths) = corpus("bytecode", "symbols of the corpus") else { return };
    for path in paths {
        let module = mlirbc::open(&Context::new(), &path).unwrap();
        count += check(&module, &path.display().to_string());
    }
    assert!(count >= 2_000, "{count}");
}

#[test]
fn a_path_may_begin_with_the_name_of_the_module() {
    let context = Context::new();
    let parse = |text: &str| {
        mlirbc::read_any(&context, text.to_owned().into(), "text".as_ref(), &mlirbc::OpenOptions::new()).unwrap()
    };
    let module = parse(
        "module @m { func.func private @m(i32) func.func private @f() module @\"x::y\" { func.func private @\"\\\"\"() } }",
    );
    let name = |path: &str| {
        let found = module.symbol(path).unwrap();
        found.map(|op| (op.name().into_owned(), context.text(op.symbol_name().unwrap().unwrap()).into_owned()))
    };
    let function = |symbol: &str| Some(("func.func".to_owned(), symbol.to_owned()));
    // What is inside goes first.
    assert_eq!(name("m"), function("m"));
    assert_eq!(name("m::f"), function("f"));
    assert_eq!(name("m::m"), function("m"));
    assert_eq!(name("x::y"), None);
    assert_eq!(name("\"x::y\""), Some(("builtin.module".into(), "x::y".into())));
    assert_eq!(name("@m::@\"x::y\"::@\"\\22\""), function("\""));
    assert_eq!(name("m::x"), None);
    assert_eq!(name(""), None);
    let named = parse("module @only {}");
    assert_eq!(named.symbol("@only").unwrap().map(|op| op.name().into_owned()).as_deref(), Some("builtin.module"));
}
