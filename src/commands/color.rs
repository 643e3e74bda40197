//! Colour on a terminal: of differences, errors, and IR as text.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use mlirbc::Result;

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also into files and pipes
    Always,
    /// Nowhere
    Never,
}

impl When {
    /// Settles it for the process.
    pub(super) fn choose(self) {
        let choice = match self {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::Always,
            When::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

/// Whether standard output shows colour.
pub(super) fn of_output() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// Whether standard error shows colour.
pub(super) fn of_errors() -> bool {
    AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

const fn color(color: AnsiColor) -> Style {
    color.on_default()
}

pub(super) const ERROR: Style = color(AnsiColor::Red).bold();
pub(super) const WARNING: Style = color(AnsiColor::Yellow).bold();
pub(super) const OLD: Style = color(AnsiColor::Red);
pub(super) const NEW: Style = color(AnsiColor::Green);
pub(super) const HEAD: Style = Style::new().bold();
const COMMENT: Style = color(AnsiColor::BrightBlack);
const STRING: Style = color(AnsiColor::Green);
const TYPE: Style = color(AnsiColor::Yellow);
const ATTRIBUTE: Style = color(AnsiColor::Magenta);
const VALUE: Style = color(AnsiColor::Cyan);
const SYMBOL: Style = color(AnsiColor::Blue).bold();
const OPERATION: Style = Style::new().bold();

/// A text in a style, where that is wanted.
pub(super) fn painted(style: Style, text: &str, wanted: bool) -> String {
    if wanted { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

/// A message with its `error:` or `warning:` in colour.
pub(super) fn message(text: &str) -> String {
    for (word, style) in [("error:", ERROR), ("warning:", WARNING)] {
        let is_word = |at: &usize| *at == 0 || text[..*at].ends_with(' ');
        if let Some(at) = text.find(word).filter(is_word) {
            return format!("{}{style}{word}{style:#}{}", &text[..at], &text[at + word.len()..]);
        }
    }
    text.to_owned()
}

/// Colours IR on its way.
struct Painter<'a> {
    out: &'a mut dyn Write,
    /// A line that is not whole.
    line: Vec<u8>,
}

/// A longer line is written as it is: it is data.
const LONGEST: usize = 1 << 16;

/// Writes IR, in colour where that is wanted.
pub(super) fn paint(out: &mut dyn Write, wanted: bool, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    if !wanted {
        return write(out);
    }
    let mut painter = Painter { out, line: Vec::new() };
    write(&mut painter)?;
    Ok(painter.paint()?)
}

impl Painter<'_> {
    fn paint(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        if line.len() > LONGEST {
            return self.out.write_all(&line);
        }
        let mut rest = &line[..];
        while let Some(&first) = rest.first() {
            let (style, length) = token(rest, first);
            let (text, behind) = rest.split_at(length);
            match style {
                None => self.out.write_all(text)?,
                Some(style) => {
                    write!(self.out, "{style}")?;
                    self.out.write_all(text)?;
                    write!(self.out, "{style:#}")?;
                }
            }
            rest = behind;
        }
        Ok(())
    }
}

impl Write for Painter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || self.line.len() > LONGEST {
                self.paint()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// How many bytes the first token of a line has, which is not empty, and its style.
fn token(line: &[u8], first: u8) -> (Option<Style>, usize) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"_$.-".contains(&byte);
    let word = |from: usize| from + line.iter().skip(from).take_while(|&&byte| is_word(byte)).count();
    let string = |from: usize| {
        let mut at = from + 1;
        while at < line.len() && line[at] != b'"' && line[at] != b'\n' {
            at += if line[at] == b'\\' { 2 } else { 1 };
        }
        (at + 1).min(line.len())
    };
    match first {
        b'/' if line.starts_with(b"//") => (Some(COMMENT), line.len() - usize::from(line.ends_with(b"\n"))),
        // The name of an operation in generic form goes before what it takes.
        b'"' => {
            let end = string(0);
            (Some(if line[end..].starts_with(b"(") { OPERATION } else { STRING }), end)
        }
        b'@' if line.get(1) == Some(&b'"') => (Some(SYMBOL), string(1)),
        b'@' => (Some(SYMBOL), word(1)),
        b'%' | b'^' => (Some(VALUE), word(1)),
        b'!' => (Some(TYPE), word(1)),
        b'#' => (Some(ATTRIBUTE), word(1)),
        _ if first.is_ascii_alphabetic() => {
            let end = word(0);
            let text = &line[..end];
            let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
            let is_type = matches!(text, b"index" | b"none" | b"bf16" | b"tf32")
                || matches!(text, [b'i' | b'f', digits @ ..] | [b's' | b'u', b'i', digits @ ..] if is_number(digits))
                || (line[end..].starts_with(b"<")
                    && matches!(text, b"tensor" | b"memref" | b"vector" | b"tuple" | b"complex"));
            let style = match (is_type, text.contains(&b'.')) {
                (true, _) => Some(TYPE),
                (false, true) => Some(OPERATION),
                (false, false) => None,
            };
            (style, end)
        }
        _ => (None, 1),
    }
}
