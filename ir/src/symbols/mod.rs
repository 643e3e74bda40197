//! Symbols and their tables (`mlir/IR/SymbolTable.h`): operations found by name, who names them, who may see them.

mod editing;
mod path;
mod rename;
mod table;
mod uses;

pub use editing::SymbolTable;
pub use path::{symbol_path, symbol_text};
pub use table::{SymbolTableCollection, Visibility};
pub use uses::{SymbolReferences, SymbolUse};

use crate::attribute::Identifier;
use crate::body::{BodyId, OpId};
use crate::error::{Error, ErrorCode, Result};
use crate::module::Module;
use crate::module::OpRef;
use crate::ods::Traits;

/// There is none of that name.
#[cold]
fn no_symbol(name: &[u8]) -> Error {
    Error::misuse(format!("there is no symbol {}", Error::quoted(name))).with_code(ErrorCode::NoSymbol)
}

/// The name of the symbol that the operation defines, where it defines one.
fn own_name(op: OpRef<'_>) -> Result<Identifier> {
    op.symbol_name()?.ok_or_else(|| Error::misuse("the operation defines no symbol").with_code(ErrorCode::NoSymbol))
}

/// The symbol table that the operation stands in.
fn own_table(op: OpRef<'_>) -> Result<OpRef<'_>> {
    let table = op.parent_op()?.filter(|table| table.has_trait(Traits::SYMBOL_TABLE));
    table.ok_or_else(|| Error::misuse("the symbol stands in no symbol table").with_code(ErrorCode::NoSymbol))
}

/// An operation that is not known may be a symbol table, whose names are others.
#[cold]
fn unknown_table() -> Error {
    Error::misuse("an unknown operation may be a symbol table").with_code(ErrorCode::UnknownSymbolTable)
}

impl Module {
    /// The operation that defines the symbol, in the symbol table of the outermost operation; a nested symbol is
    /// `outer::inner`. Decodes no more than it needs: of a module that was opened lazily, the operation is one to look at, beside those that
    /// it stands among. [`Module::symbol_place`] gives the place to change it at.
    ///
    /// The path may begin with the name of the outermost operation itself. It is read as [`symbol_path`] says, so that it may
    /// be written as in MLIR's text: `@outer::@inner`, `@"with space"`.
    pub fn symbol(&self, path: &str) -> Result<Option<OpRef<'_>>> {
        self.nested_symbol(&symbol_path(path))
    }

    /// As [`Module::symbol`], where there has to be one.
    ///
    /// # Errors
    /// [`ErrorCode::NoSymbol`] where there is none.
    pub fn expect_symbol(&self, path: &str) -> Result<OpRef<'_>> {
        self.symbol(path)?.ok_or_else(|| no_symbol(path.as_bytes()))
    }

    /// Where the operation stands that defines the symbol, as changes take it. The bodies that hold it are read, but not what it holds.
    ///
    /// ```
    /// # use mlirbc_ir::{Context, Module};
    /// # let mut module = Module::new(&Context::new());
    /// # module.build(|rw| rw.build("toy.function").attribute("sym_name", "f").create())?;
    /// let function = module.symbol_place("f")?;
    /// module.set_attribute(function, "sym_visibility", "private")?;
    /// # Ok::<(), mlirbc_ir::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::NoSymbol`] where there is none.
    pub fn symbol_place(&self, path: &str) -> Result<(BodyId, OpId)> {
        let names = symbol_path(path);
        // Of a body that has been read, the operations in it are found, and none beside them.
        for table in self.operations()?.filter(|op| op.has_trait(Traits::SYMBOL_TABLE)) {
            drop(table.ops()?);
        }
        for count in 1..names.len() {
            if let Some(table) = self.nested_symbol(&names[..count])? {
                drop(table.ops()?);
            }
        }
        Ok(self.expect_symbol(path)?.place())
    }

    /// As [`Module::symbol`], by names that are taken as they are, the outermost first.
    pub fn nested_symbol(&self, names: &[impl AsRef<[u8]>]) -> Result<Option<OpRef<'_>>> {
        let Some((first, inner)) = names.split_first() else { return Ok(None) };
        for op in self.operations()? {
            if op.has_trait(Traits::SYMBOL_TABLE)
                && let Some(found) = op.nested_symbol(names)?
            {
                return Ok(Some(found));
            }
            if op.is_called(first.as_ref())
                && let Some(found) = op.nested_symbol(inner)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }
}

impl<'m> OpRef<'m> {
    /// The operation in this one's symbol table that defines the symbol of that name, taken as it is.
    pub fn lookup_symbol(self, name: impl AsRef<[u8]>) -> Result<Option<OpRef<'m>>> {
        let (module, name) = (self.module(), name.as_ref());
        if let Some(child) = self.body().region_body(self.id())
            && let Some(found) = module.source().and_then(|source| source.find_symbol(module, child, name))
        {
            return found?.map(|(body, op): (BodyId, _)| module.operation(body, op)).transpose();
        }
        for op in self.ops()? {
            if op.symbol_name()?.is_some_and(|symbol| module.context().bytes(symbol) == name) {
                return Ok(Some(op));
            }
        }
        Ok(None)
    }

    /// The operation that these names lead to, from this one's symbol table inwards; this one where there are no names.
    fn nested_symbol(self, names: &[impl AsRef<[u8]>]) -> Result<Option<OpRef<'m>>> {
        let mut found = self;
        for name in names {
            let Some(inner) = found.lookup_symbol(name)? else { return Ok(None) };
            found = inner;
        }
        Ok(Some(found))
    }

    /// Whether that is the name of the symbol it defines. What cannot be decoded is called nothing.
    fn is_called(self, name: &[u8]) -> bool {
        let symbol = self.symbol_name().ok().flatten();
        symbol.is_some_and(|symbol| self.module().context().bytes(symbol) == name)
    }
}
