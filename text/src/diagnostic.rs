//! What is wrong with a text: where, with the line and a caret.

use std::fmt;

use mlirbc_ir::{Error, ErrorKind};

/// Most of a line that is shown around the caret.
const SHOWN: usize = 160;

/// One thing wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The name of the text.
    pub file: String,
    /// Byte offset from its start.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    /// What is wrong, and what was expected.
    pub message: String,
    /// The line, or the part of it around the place.
    shown: String,
    /// Where in that part the place is.
    caret: usize,
}

impl Diagnostic {
    pub(super) fn new(file: &str, text: &[u8], offset: usize, message: String) -> Self {
        let offset = offset.min(text.len());
        let start = text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = 1 + text[..start].iter().filter(|&&byte| byte == b'\n').count();
        let rest = &text[start..];
        let end = start + rest.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
        let from = if offset - start > SHOWN / 2 { offset - SHOWN / 2 } else { start };
        let to = end.max(offset).min(from + SHOWN);
        let show = |bytes: &[u8]| -> String {
            let text = String::from_utf8_lossy(bytes);
            text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
        };
        let before = show(&text[from..offset]);
        let caret = before.chars().count();
        let shown = before + &show(&text[offset..to.max(offset)]);
        Diagnostic { file: file.to_owned(), offset, line, column: offset - start + 1, message, shown, caret }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}:{}:{}: error: {}", self.file, self.line, self.column, self.message)?;
        write!(f, "  {}\n  {:caret$}^", self.shown, "", caret = self.caret)
    }
}

/// What is wrong with a text: one thing or more, in order of discovery.
#[derive(Clone, PartialEq, Eq)]
pub struct Diagnostics(pub(super) Vec<Diagnostic>);

impl Diagnostics {
    /// Each of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, diagnostic) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            diagnostic.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Diagnostics {}

impl From<Diagnostics> for Error {
    fn from(diagnostics: Diagnostics) -> Self {
        Error::new(ErrorKind::Malformed, diagnostics.to_string()).caused_by(diagnostics)
    }
}
