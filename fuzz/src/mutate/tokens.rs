//! A text as tokens, and as statements: operations with all that is in them.

use std::ops::Range;

/// What a token is: edits put one in the place of another of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// White space but for ends of lines, and comments.
    Space,
    /// The end of a line.
    Newline,
    /// `"text"`
    String,
    /// `%0`, `%0#1`
    Value,
    /// `^bb0`
    Block,
    /// `@name`
    Symbol,
    /// `#map`, `#arith.fastmath`
    Attribute,
    /// `!t`, `!llvm.ptr`
    Type,
    /// `42`
    Number,
    /// `arith.addi`, `x8xf32`
    Word,
    /// Anything else: one letter, or `->`.
    Punctuation,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) text: Vec<u8>,
}

impl Token {
    pub(super) fn new(kind: Kind, text: impl Into<Vec<u8>>) -> Self {
        Token { kind, text: text.into() }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text.as_bytes()
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

/// The tokens of a text: put together they are the text.
pub(super) fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(&first) = rest.first() {
        let name = |from: usize| from + rest[from..].iter().take_while(|&&byte| is_name(byte)).count();
        let (kind, length) = match first {
            b'\n' => (Kind::Newline, 1),
            b' ' | b'\t' | b'\r' => {
                (Kind::Space, rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count())
            }
            b'/' if rest.starts_with(b"//") => (Kind::Space, rest.iter().take_while(|&&byte| byte != b'\n').count()),
            b'"' => (Kind::String, string(rest)),
            b'%' => {
                let end = name(1);
                let part = rest.get(end) == Some(&b'#') && rest.get(end + 1).is_some_and(u8::is_ascii_digit);
                (Kind::Value, if part { name(end + 1) } else { end })
            }
            b'^' => (Kind::Block, name(1)),
            b'@' if rest.get(1) == Some(&b'"') => (Kind::Symbol, 1 + string(&rest[1..])),
            b'@' => (Kind::Symbol, name(1)),
            b'#' if rest.get(1).is_some_and(u8::is_ascii_alphabetic) => (Kind::Attribute, name(1)),
            b'!' if rest.get(1).is_some_and(u8::is_ascii_alphabetic) => (Kind::Type, name(1)),
            b'0'..=b'9' if rest.starts_with(b"0x") => (Kind::Number, name(0)),
            b'0'..=b'9' => {
                let digits = |from: usize| from + rest[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                let mut end = digits(0);
                if rest.get(end) == Some(&b'.') {
                    end = digits(end + 1);
                    if rest.get(end) == Some(&b'e') && matches!(rest.get(end + 1), Some(b'+' | b'-')) {
                        end = digits(end + 2);
                    }
                }
                (Kind::Number, end)
            }
            b'-' if rest.starts_with(b"->") => (Kind::Punctuation, 2),
            _ if is_name(first) => (Kind::Word, name(0)),
            _ => (Kind::Punctuation, 1),
        };
        let (token, behind) = rest.split_at(length.clamp(1, rest.len()));
        tokens.push(Token::new(kind, token));
        rest = behind;
    }
    tokens
}

/// How long a string is, with its quotes.
fn string(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        at += if byte == b'\\' { 2 } else { 1 };
        if byte == b'"' {
            break;
        }
    }
    at.min(text.len())
}

pub(super) fn text(tokens: &[Token]) -> Vec<u8> {
    tokens.iter().flat_map(|token| &token.text).copied().collect()
}

/// How much deeper in brackets the text is behind a token. Those of types do not count: they are comparisons, too.
fn step(token: &Token) -> i32 {
    match (&token.kind, &*token.text) {
        (Kind::Punctuation, b"(" | b"[" | b"{") => 1,
        (Kind::Punctuation, b")" | b"]" | b"}") => -1,
        _ => 0,
    }
}

/// Where the lines begin on which an operation begins, and where the operation ends: behind the line that closes what it opens.
pub(super) fn statements(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // Those that are open: where they begin, and how deep.
    let mut open: Vec<(usize, i32)> = Vec::new();
    let (mut depth, mut start) = (0, 0);
    while start < tokens.len() {
        let end = tokens[start..].iter().position(|token| token.kind == Kind::Newline);
        let end = end.map_or(tokens.len(), |length| start + length + 1);
        let first = tokens[start..end].iter().find(|token| token.kind != Kind::Space);
        let begins = first.is_some_and(|first| matches!(first.kind, Kind::String | Kind::Value | Kind::Word));
        if begins {
            open.push((start, depth));
        }
        depth += tokens[start..end].iter().map(step).sum::<i32>();
        while let Some(&(from, outer)) = open.last()
            && depth <= outer
        {
            open.pop();
            found.push(from..end);
        }
        start = end;
    }
    found.sort_by_key(|range| range.start);
    found
}

/// The bracket that closes the one at `at`.
pub(super) fn closing(tokens: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0;
    for (number, token) in tokens.iter().enumerate().skip(at) {
        depth += match &*token.text {
            b"<" => 1,
            b">" => -1,
            _ => step(token),
        };
        if depth <= 0 {
            return (number > at).then_some(number);
        }
    }
    None
}
