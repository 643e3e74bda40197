//! Symbol tables: operations found by name.

use crate::body::BodyId;
use crate::error::Result;
use crate::module::Module;
use crate::ods::Traits;
use crate::operation::OpRef;

impl Module {
    /// The operation that defines the symbol, in the symbol table of the outermost operation; a nested symbol is
    /// `outer::inner`. Decodes no more than it needs.
    pub fn symbol(&self, name: &str) -> Result<Option<OpRef<'_>>> {
        let mut parts = name.split("::").peekable();
        let Some(mut found) = parts.next().map(|first| self.outermost_symbol(first)).transpose()?.flatten() else {
            return Ok(None);
        };
        for part in parts {
            let Some(inner) = found.symbol(part)? else { return Ok(None) };
            found = inner;
        }
        Ok(Some(found))
    }

    fn outermost_symbol(&self, name: &str) -> Result<Option<OpRef<'_>>> {
        for op in self.operations()? {
            if op.has_trait(Traits::SYMBOL_TABLE) {
                if let Some(found) = op.symbol(name)? {
                    return Ok(Some(found));
                }
            } else if op.symbol_name()?.is_some_and(|symbol| self.context().bytes(symbol) == name.as_bytes()) {
                return Ok(Some(op));
            }
        }
        Ok(None)
    }
}

impl<'m> OpRef<'m> {
    /// The operation in this one's symbol table that defines the symbol of that name.
    pub fn symbol(self, name: &str) -> Result<Option<OpRef<'m>>> {
        let module = self.module();
        if let Some(child) = self.body().child(self.id())
            && let Some(found) = module.source().and_then(|source| source.find_symbol(module, child, name.as_bytes()))
        {
            return found?.map(|(body, op): (BodyId, _)| module.operation(body, op)).transpose();
        }
        for op in self.inside()? {
            if op.symbol_name()?.is_some_and(|symbol| module.context().bytes(symbol) == name.as_bytes()) {
                return Ok(Some(op));
            }
        }
        Ok(None)
    }
}
