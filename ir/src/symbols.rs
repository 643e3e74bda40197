//! Symbol tables: operations found by name.

use std::borrow::Cow;

use crate::body::BodyId;
use crate::error::Result;
use crate::module::Module;
use crate::module::OpRef;
use crate::ods::Traits;

impl Module {
    /// The operation that defines the symbol, in the symbol table of the outermost operation; a nested symbol is
    /// `outer::inner`. Decodes no more than it needs.
    ///
    /// The path may begin with the name of the outermost operation itself. It is read as [`symbol_path`] says, so that it may
    /// be written as in MLIR's text: `@outer::@inner`, `@"with space"`.
    pub fn symbol(&self, path: &str) -> Result<Option<OpRef<'_>>> {
        self.nested_symbol(&symbol_path(path))
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
    pub fn symbol(self, name: impl AsRef<[u8]>) -> Result<Option<OpRef<'m>>> {
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

    /// The operation that these names lead to from this one's symbol table; itself where there is none.
    fn nested_symbol(self, names: &[impl AsRef<[u8]>]) -> Result<Option<OpRef<'m>>> {
        let mut found = self;
        for name in names {
            let Some(inner) = found.symbol(name)? else { return Ok(None) };
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

/// The names in a path of symbols: `outer::inner`, and as in MLIR's text `@outer::@inner`; between signs, `/` is as good as
/// `::`. A name in double quotes is read as MLIR reads strings, and may hold anything.
///
/// ```
/// use mlirbc_ir::symbol_path;
/// assert_eq!(symbol_path("outer::inner"), [&b"outer"[..], b"inner"]);
/// assert_eq!(symbol_path("@outer/@\"x::y\""), [&b"outer"[..], b"x::y"]);
/// ```
pub fn symbol_path(path: &str) -> Vec<Cow<'_, [u8]>> {
    let mut names = Vec::new();
    let mut rest = path;
    loop {
        let signed = rest.starts_with('@');
        rest = rest.strip_prefix('@').unwrap_or(rest);
        if let Some((name, behind)) = quoted(rest) {
            names.push(Cow::Owned(name));
            rest = behind;
        } else {
            let slash = if signed { rest.find("/@") } else { None };
            let ends = [rest.find("::"), slash];
            let end = ends.into_iter().flatten().min().unwrap_or(rest.len());
            names.push(Cow::Borrowed(&rest.as_bytes()[..end]));
            rest = &rest[end..];
        }
        match rest.strip_prefix("::").or_else(|| rest.strip_prefix('/')) {
            Some(behind) => rest = behind,
            None => return names,
        }
    }
}

/// The name of a symbol as MLIR's text has it behind the sign: in quotes, where it needs them. [`symbol_path`] reads it.
pub fn symbol_text(name: &[u8]) -> String {
    let mut text = Vec::new();
    crate::text::push_name(&mut text, name);
    String::from_utf8_lossy(&text).into_owned()
}

/// A string in double quotes that something of a path stands behind, or nothing, and what that is.
fn quoted(text: &str) -> Option<(Vec<u8>, &str)> {
    let mut name = Vec::new();
    let mut bytes = text.strip_prefix('"')?.bytes().enumerate();
    loop {
        match bytes.next()? {
            (at, b'"') => {
                let behind = &text[at + 2..];
                let goes_on = behind.is_empty() || behind.starts_with("::") || behind.starts_with("/@");
                return goes_on.then_some((name, behind));
            }
            (_, b'\\') => match bytes.next()?.1 {
                b'n' => name.push(b'\n'),
                b't' => name.push(b'\t'),
                plain @ (b'"' | b'\\') => name.push(plain),
                high => {
                    let digit = |byte: u8| char::from(byte).to_digit(16);
                    name.push((digit(high)? << 4 | digit(bytes.next()?.1)?) as u8);
                }
            },
            (_, byte) => name.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_as_it_is_printed() {
        let path = |text: &str| -> Vec<String> {
            symbol_path(text).iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect()
        };
        assert_eq!(path("f"), ["f"]);
        assert_eq!(path("@f"), ["f"]);
        assert_eq!(path("a::b::c"), ["a", "b", "c"]);
        assert_eq!(path("@a::@b"), ["a", "b"]);
        assert_eq!(path("@a::b"), ["a", "b"]);
        assert_eq!(path("@a/@b"), ["a", "b"]);
        assert_eq!(path("a/b"), ["a/b"]);
        assert_eq!(path("@\"x::y\""), ["x::y"]);
        assert_eq!(path("a::\"x::y\"::@b"), ["a", "x::y", "b"]);
        assert_eq!(path("@\"a\\\"b\\\\c\\0A\""), ["a\"b\\c\n"]);
        assert_eq!(path("\"unfinished"), ["\"unfinished"]);
        assert_eq!(path("\"a\"b"), ["\"a\"b"]);
        assert_eq!(path(""), [""]);
        assert_eq!(path("a::"), ["a", ""]);
        for name in ["f", "a b", "x::y", "\"", "@", "\\", "\n", "\u{e9}", "", "a/@b", "1"] {
            let whole = format!("@outer::@{}", symbol_text(name.as_bytes()));
            assert_eq!(symbol_path(&whole), [b"outer", name.as_bytes()], "{whole}");
        }
    }
}
