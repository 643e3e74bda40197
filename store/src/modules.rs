//! Modules put into the store: those who make them need not write bytecode themselves.

use mlirbc_bytecode::WriteOptions;
use mlirbc_ir::{Context, Error, ErrorKind, Module, Result};

use crate::key::Key;
use crate::record::RecordKind;
use crate::store::Store;

impl Store {
    /// Puts a module, with what the caller wants to know of it, in the place of what had the key.
    ///
    /// What the key has already is not written again.
    ///
    /// # Errors
    /// Where the module cannot be written as bytecode, or the disk fails; then what had the key still has it.
    pub fn put(&self, key: &Key, module: &Module, meta: &[u8]) -> Result<()> {
        let bytes = mlirbc_bytecode::write(module, &WriteOptions::like(module))?;
        self.put_known(key, RecordKind::of(&bytes), &bytes, meta, || module.context().clone())
    }

    /// Puts a module and gives it back, read from the store.
    ///
    /// # Errors
    /// As [`Store::put`]. A store that fails to keep it is no error: the module comes back as it is.
    pub fn insert(&self, key: &Key, module: Module) -> Result<Module> {
        match self.put(key, &module, b"") {
            Err(error) if error.kind() != ErrorKind::Io => return Err(error),
            Err(_) => return Ok(module),
            Ok(()) => {}
        }
        Ok(self.get(module.context(), key)?.unwrap_or(module))
    }

    /// The module of a key; where there is none that is whole, the one that `make` makes, which is put.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// use mlirbc_ir::{Context, Error, Module};
    /// use mlirbc_store::{Key, Store};
    ///
    /// let (context, store) = (Context::new(), Store::open(folder.path())?);
    /// let key = Key::of(b"what it is made of");
    /// let made = store.get_or_insert(&context, &key, || Ok::<_, Error>(Module::new(&context)))?;
    /// let found = store.get_or_insert(&context, &key, || Err(Error::misuse("nothing is made")))?;
    /// assert_eq!(made.walk()?.count(), found.walk()?.count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Store::get`] and [`Store::insert`], and that of `make`.
    pub fn get_or_insert<E: Into<Error>>(
        &self,
        context: &Context,
        key: &Key,
        make: impl FnOnce() -> Result<Module, E>,
    ) -> Result<Module> {
        match self.get(context, key)? {
            Some(module) => Ok(module),
            None => self.insert(key, make().map_err(Into::into)?),
        }
    }
}
