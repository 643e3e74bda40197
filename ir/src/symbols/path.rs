//! Paths of symbols as text.

use std::borrow::Cow;

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
