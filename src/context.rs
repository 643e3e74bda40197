//! The context with every dialect in it.

use std::fmt;
use std::ops::Deref;

use mlirbc_ir::ods::OpTable;

/// A [context](mlirbc_ir::Context) that knows every dialect of upstream and those of SPIR-V, as far as the features of this
/// crate bring them. None of them costs anything before it is met.
///
/// Bytecode of SPIR-V is written in compact encodings that `mlir-opt` does not read, unless
/// [`WriteOptions::unregistered`](mlirbc_bytecode::WriteOptions::unregistered) names `spirv` and `spirv_binary`.
///
/// Those of StableHLO come with `mlirbc::stablehlo::register`, and by themselves where [`open_any`](crate::open_any) finds a file that is written
/// with them: what `mlir-opt`, which does not know them, wrote stays as it is.
///
/// It stands wherever a `&mlirbc::ir::Context` is asked for. A context with other dialects is made with
/// [`mlirbc_ir::Context::with_dialects`].
///
/// ```
/// let context = mlirbc::Context::new();
/// # #[cfg(feature = "conversion")]
/// assert!(context.has_dialect("arith") && context.has_dialect("spirv"));
/// ```
#[derive(Clone)]
pub struct Context(mlirbc_ir::Context);

impl Context {
    /// A new context.
    pub fn new() -> Self {
        #[cfg(feature = "dialects")]
        let context = mlirbc_dialects::context();
        #[cfg(not(feature = "dialects"))]
        let context = mlirbc_ir::Context::new();
        // The only error is that one of that name is there.
        #[cfg(feature = "spirv")]
        let _ = mlirbc_spirv::register(&context);
        Context(context)
    }
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for Context {
    type Target = mlirbc_ir::Context;

    fn deref(&self) -> &mlirbc_ir::Context {
        &self.0
    }
}

impl From<Context> for mlirbc_ir::Context {
    fn from(context: Context) -> Self {
        context.0
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Opens the store in a directory, and makes it where there is none, with the [usual options](store_options).
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let store = mlirbc::open_store(folder.path().join("cache"))?;
/// assert!(store.get(&mlirbc::Context::new(), &mlirbc::Key::of(b"nothing"))?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Store::open_with`](mlirbc_store::Store::open_with).
#[cfg(feature = "store")]
pub fn open_store(path: impl AsRef<std::path::Path>) -> mlirbc_ir::Result<mlirbc_store::Store> {
    mlirbc_store::Store::open_with(path, store_options())
}

/// The usual options of a store, which knows every dialect that [`Context`] does.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// let options = mlirbc::store_options().max_bytes(1 << 30);
/// let store = mlirbc::Store::open_with(folder.path().join("cache"), options)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "store")]
pub fn store_options() -> mlirbc_store::Options {
    mlirbc_store::Options::new().context(|| Context::new().into())
}

/// The definitions of the dialects that [`Context`] knows, a table each: operations, attributes, types and enums.
pub fn definitions() -> Vec<OpTable> {
    let tables = std::iter::empty();
    #[cfg(feature = "dialects")]
    let tables = tables.chain(mlirbc_dialects::definitions());
    #[cfg(feature = "spirv")]
    let tables = tables.chain([mlirbc_spirv::dialect::definitions()]);
    tables.collect()
}
