//! What the library does with whichever of its features are on: `testing/features.sh` builds and runs it with each alone, and with none.

use mlirbc::bytecode::{WriteOptions, write};
use mlirbc::{Context, Module};

fn open() -> mlirbc::Result<Module> {
    mlirbc::open(&Context::new(), "fixtures/arith.mlirbc")
}

#[test]
fn bytecode_is_read_and_written() -> mlirbc::Result<()> {
    let module = open()?;
    let bytes = write(&module, &WriteOptions::default())?;
    let again = mlirbc::bytecode::read(module.context(), bytes)?;
    assert_eq!(again.operations()?.count(), module.operations()?.count());
    assert_eq!(mlirbc::map_file("fixtures/arith.mlirbc")?.first(), Some(&b'M'));
    assert!(mlirbc::open(&Context::new(), "fixtures/none.mlirbc").is_err());
    Ok(())
}

#[test]
fn a_context_knows_the_dialects_of_the_features() {
    let context = Context::new();
    assert_eq!(context.has_dialect("arith"), cfg!(feature = "dialects"));
    assert_eq!(context.has_dialect("spirv"), cfg!(feature = "spirv"));
    assert_eq!(mlirbc::definitions().is_empty(), !cfg!(any(feature = "dialects", feature = "spirv")));
}

#[test]
#[cfg(feature = "text")]
fn text_is_printed() -> mlirbc::Result<()> {
    let mut text = Vec::new();
    mlirbc::text::print_module(&open()?, &mlirbc::text::PrintOptions::new(), &mut text)?;
    assert!(String::from_utf8_lossy(&text).contains("func.func"));
    Ok(())
}

#[test]
#[cfg(feature = "rewrite")]
fn passes_run() -> Result<(), Box<dyn std::error::Error>> {
    let mut module = open()?;
    let pipeline = "builtin.module(strip-debuginfo)";
    mlirbc::rewrite::Pipeline::parse(pipeline, &mlirbc::rewrite::passes::registry())?.run(&mut module)?;
    Ok(())
}

#[test]
#[cfg(feature = "spirv")]
fn any_format_is_opened() -> mlirbc::Result<()> {
    let text = cfg!(feature = "dialects").then_some("fixtures/arith.mlir");
    for path in ["fixtures/arith.mlirbc", "fixtures/spirv/shade.spv"].into_iter().chain(text) {
        assert_ne!(mlirbc::open_any(&Context::new(), path)?.operations()?.count(), 0, "{path}");
    }
    Ok(())
}

#[test]
#[cfg(feature = "conversion")]
fn there_are_passes_to_spirv() {
    assert!(mlirbc::opt::registry().get("convert-arith-to-spirv").is_some());
}

#[test]
#[cfg(feature = "store")]
fn a_store_keeps_a_module() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let store = mlirbc::Store::open_with(folder.path().join("cache"), mlirbc::store_options())?;
    let key = mlirbc::Key::of(b"arith");
    store.put(&key, &open()?, b"")?;
    assert!(store.get(&Context::new(), &key)?.is_some());
    Ok(())
}

#[test]
#[cfg(feature = "ods-json")]
fn definitions_are_imported() -> mlirbc::Result<()> {
    assert_eq!(mlirbc::ir::tablegen::Importer::new().add(b"{\"!instanceof\": {}}", &mut |_| {})?, 0);
    Ok(())
}
