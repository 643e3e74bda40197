//! Attributes and types of dialects, and aliases: everything behind a `#` or `!`.

use std::sync::Arc;

use super::Parser;
use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind, Result};
use crate::parameter::{DialectValue, Parameter};
use crate::text::dialect::TextHooks;
use crate::text::{defined, print_type};
use crate::types::{Type, TypeData};

type Parameters = Box<[Parameter]>;

/// What stands behind a `#` or `!`.
enum Symbol<'a> {
    Alias(&'a [u8]),
    Known(DialectValue),
    Text { dialect: Identifier, text: Vec<u8> },
}

impl<'a> Parser<'a> {
    /// Parses an attribute behind its `#`, which has been taken.
    pub(super) fn extended_attribute(&mut self) -> Result<Attribute> {
        let start = self.at;
        match self.symbol(b'#')? {
            Symbol::Alias(name) => {
                match self.scope.attributes.get(name).copied().or_else(|| self.location_attribute(name)) {
                    Some(attribute) => Ok(attribute),
                    None => Err(self.error_at(start, format!("undefined symbol alias id {}", Error::quoted(name)))),
                }
            }
            Symbol::Known(value) => self.make(start, AttributeData::Dialect(value)),
            Symbol::Text { dialect, mut text } => {
                // An attribute of another dialect may have a type, which is then a part of it.
                if self.eat(b':') {
                    let at = self.here();
                    let ty = print_type(self.context, self.ty()?)?;
                    // Each text has numbers of its own for these.
                    if ty.contains("distinct[") {
                        return Err(self.error_at(
                            at,
                            "a distinct attribute in the type of an attribute whose dialect is unknown",
                        ));
                    }
                    text.extend_from_slice(b" : ");
                    text.extend_from_slice(ty.as_bytes());
                }
                self.make(start, AttributeData::Text { dialect, text: text.into() })
            }
        }
    }

    /// Parses a type behind its `!`, which has been taken.
    pub(super) fn extended_type(&mut self) -> Result<Type> {
        let start = self.at;
        match self.symbol(b'!')? {
            Symbol::Alias(name) => match self.scope.types.get(name) {
                Some(&ty) => Ok(ty),
                None => Err(self.error_at(start, format!("undefined symbol alias id {}", Error::quoted(name)))),
            },
            Symbol::Known(value) => self.make_type(start, TypeData::Dialect(value)),
            Symbol::Text { dialect, text } => self.make_type(start, TypeData::Text { dialect, text: text.into() }),
        }
    }

    fn symbol(&mut self, mark: u8) -> Result<Symbol<'a>> {
        let start = self.at;
        let name = self.suffix_identifier()?;
        let has_body = self.text.get(self.at) == Some(&b'<');
        let dot = name.iter().position(|&byte| byte == b'.');
        let Some(dot) = dot else {
            if !has_body {
                return Ok(Symbol::Alias(name));
            }
            // The verbose form: `#dialect<body>`.
            let open = self.at;
            self.skip_body()?;
            let (body, end) = (&self.text[open + 1..self.at - 1], self.at);
            let dialect = Identifier(self.context.string(name));
            let mnemonic_length = body.iter().position(|&byte| !mnemonic_byte(byte)).unwrap_or(body.len());
            self.at = open + 1 + mnemonic_length;
            let (renamed, parameters) = match mnemonic_length {
                0 => (self.context.today(name), None),
                _ => self.named_hook(mark, name, &body[..mnemonic_length])?,
            };
            if let Some(parameters) = parameters {
                self.expect(b'>')?;
                let mnemonic = self.context.mnemonic_today(name, &body[..mnemonic_length]);
                return Ok(Symbol::Known(self.known(renamed.unwrap_or(dialect), mnemonic, parameters)));
            }
            if renamed.is_some() {
                return Err(self.unknown_today(mark, start, &self.text[start..end]));
            }
            self.at = end;
            // Behind a number a dot would not belong to the name.
            let dotted = is_simple(body) && !name[0].is_ascii_digit();
            let (left, right): (&[u8], &[u8]) = if dotted { (b".", b"") } else { (b"<", b">") };
            let text = [&[mark], name, left, body, right].concat();
            return Ok(Symbol::Text { dialect, text });
        };
        let (dialect_name, mnemonic) = (&name[..dot], &name[dot + 1..]);
        // What a name may hold and a mnemonic may not is the dialect's to read, as it is between brackets.
        let mnemonic = &mnemonic[..mnemonic.iter().position(|&byte| !mnemonic_byte(byte)).unwrap_or(mnemonic.len())];
        if dialect_name.is_empty() {
            return Err(self.error_at(start, "expected the name of a dialect"));
        }
        let dialect = Identifier(self.context.string(dialect_name));
        let after_name = self.at;
        self.at = start + dot + 1 + mnemonic.len();
        let (renamed, parameters) = self.named_hook(mark, dialect_name, mnemonic)?;
        if renamed.is_some() && parameters.is_none() {
            return Err(self.unknown_today(mark, start, name));
        }
        if let Some(parameters) = parameters {
            // Without brackets nothing but a type belongs to a name behind a dot.
            let taken = self.text[after_name.min(self.at)..self.at].trim_ascii_start();
            if has_body || taken.is_empty() || taken.starts_with(b":") {
                let mnemonic = self.context.mnemonic_today(dialect_name, mnemonic);
                return Ok(Symbol::Known(self.known(renamed.unwrap_or(dialect), mnemonic, parameters)));
            }
        }
        self.at = after_name;
        if has_body {
            self.skip_body()?;
        }
        let body = &self.text[start + dot + 1..self.at];
        // A dash at the end would be taken for an arrow with the bracket behind it.
        let text = if is_simple(body) || body.ends_with(b"-") {
            [&[mark], &self.text[start..self.at]].concat()
        } else {
            [&[mark], dialect_name, b"<", body, b">"].concat()
        };
        Ok(Symbol::Text { dialect, text })
    }

    /// What a dialect under a name that it had before does not know: there is no text to keep that anyone would read.
    fn unknown_today(&self, mark: u8, start: usize, text: &[u8]) -> Error {
        let what = if mark == b'#' { "attribute" } else { "type" };
        self.error_at(start, format!("no {what} of today stands for {}", Error::quoted(text)))
    }

    fn known(&self, dialect: Identifier, mnemonic: &[u8], parameters: Parameters) -> DialectValue {
        let mnemonic = Identifier(self.context.string(mnemonic));
        DialectValue { dialect, mnemonic, parameters }
    }

    /// Parses an attribute whose dialect and mnemonic text may leave out: `<...>` for `#dialect.mnemonic<...>`.
    ///
    /// # Errors
    /// Where no attribute is next, or it breaks a rule. It may be of another dialect or mnemonic, if that is written.
    pub fn stripped_attribute(&mut self, dialect: &str, mnemonic: &str) -> Result<Attribute> {
        let start = self.here();
        if self.is_at(b'#') {
            return self.attribute();
        }
        match self.hook(b'#', dialect.as_bytes(), mnemonic.as_bytes())? {
            Some(parameters) => {
                let dialect = Identifier(self.context.string(dialect));
                self.make(start, AttributeData::Dialect(self.known(dialect, mnemonic.as_bytes(), parameters)))
            }
            None if self.text.get(start) == Some(&b'<') => {
                let open = start;
                self.at = start;
                self.skip_body()?;
                let text = [b"#", dialect.as_bytes(), b".", mnemonic.as_bytes(), &self.text[open..self.at]].concat();
                let dialect = Identifier(self.context.string(dialect));
                self.make(start, AttributeData::Text { dialect, text: text.into() })
            }
            None => Err(self.expected("an attribute")),
        }
    }

    /// Parses an attribute whose format begins with a square bracket: `[...]` for `#dialect<mnemonic[...]>`.
    ///
    /// # Errors
    /// Where none is next.
    #[doc(hidden)]
    pub fn bracketed_attribute(&mut self, dialect: &str, mnemonic: &str) -> Result<Attribute> {
        let start = self.here();
        if let Some(parameters) = self.hook(b'#', dialect.as_bytes(), mnemonic.as_bytes())? {
            let dialect = Identifier(self.context.string(dialect));
            return self.make(start, AttributeData::Dialect(self.known(dialect, mnemonic.as_bytes(), parameters)));
        }
        self.at = start;
        self.skip_body()?;
        let body = &self.text[start..self.at];
        let text = [b"#", dialect.as_bytes(), b"<", mnemonic.as_bytes(), body, b">"].concat();
        let dialect = Identifier(self.context.string(dialect));
        self.make(start, AttributeData::Text { dialect, text: text.into() })
    }

    /// Parses a type whose dialect and mnemonic text may leave out: `<...>` for `!dialect.mnemonic<...>`.
    ///
    /// # Errors
    /// Where no such type is next.
    pub fn stripped_type(&mut self, dialect: &str, mnemonic: &str) -> Result<Type> {
        let start = self.here();
        if !self.is_at(b'<') {
            return self.ty();
        }
        let text_dialect = Identifier(self.context.string(dialect));
        match self.hook(b'!', dialect.as_bytes(), mnemonic.as_bytes())? {
            Some(parameters) => {
                let known = self.known(text_dialect, mnemonic.as_bytes(), parameters);
                self.make_type(start, TypeData::Dialect(known))
            }
            None => {
                self.at = start;
                self.skip_body()?;
                let text = [b"!", dialect.as_bytes(), b".", mnemonic.as_bytes(), &self.text[start..self.at]].concat();
                self.make_type(start, TypeData::Text { dialect: text_dialect, text: text.into() })
            }
        }
    }

    /// Parses a type inside of one of a dialect, where those of the same dialect leave out its name: `ptr<3>` for
    /// `!llvm.ptr<3>`. What the dialect does not know is kept as its text.
    ///
    /// # Errors
    /// Where no type is next, or it breaks a rule.
    pub fn short_type(&mut self, dialect: &str) -> Result<Type> {
        if self.is_at(b'(') {
            return self.ty();
        }
        if let Some(ty) = self.optional_type()? {
            return Ok(ty);
        }
        let word = self.peek_word();
        let start = self.at;
        let mnemonic = &word[..word.iter().position(|&byte| !mnemonic_byte(byte)).unwrap_or(word.len())];
        if mnemonic.is_empty() {
            return Err(self.expected("a type"));
        }
        self.at += mnemonic.len();
        let name = Identifier(self.context.string(dialect));
        if let Some(parameters) = self.hook(b'!', dialect.as_bytes(), mnemonic)? {
            return self.make_type(start, TypeData::Dialect(self.known(name, mnemonic, parameters)));
        }
        self.at = start + mnemonic.len();
        if self.text.get(self.at) == Some(&b'<') {
            self.skip_body()?;
        }
        let text = [b"!", dialect.as_bytes(), b".", &self.text[start..self.at]].concat();
        self.make_type(start, TypeData::Text { dialect: name, text: text.into() })
    }

    /// Asks the dialect: its text hooks, or the definition of a type. `None` where it does not know what this is.
    fn hook(&mut self, mark: u8, dialect: &[u8], mnemonic: &[u8]) -> Result<Option<Parameters>> {
        Ok(self.named_hook(mark, dialect, mnemonic)?.1)
    }

    /// The same, with the name of the dialect today where this is one that it had before.
    fn named_hook(
        &mut self,
        mark: u8,
        dialect: &[u8],
        mnemonic: &[u8],
    ) -> Result<(Option<Identifier>, Option<Parameters>)> {
        let Some(dialect) = self.context.dialect_of(dialect) else { return Ok((None, None)) };
        let hooks = dialect.get::<TextHooks>();
        let renamed = hooks.as_ref().and_then(|hooks| hooks.renamed());
        let outer = std::mem::replace(&mut self.renamed, renamed.is_some());
        let parsed = self.ask(mark, &dialect, hooks, mnemonic);
        self.renamed = outer;
        Ok((renamed.map(|name| self.context.static_identifier(name)), parsed?))
    }

    fn ask(
        &mut self,
        mark: u8,
        dialect: &Dialect,
        hooks: Option<Arc<TextHooks>>,
        mnemonic: &[u8],
    ) -> Result<Option<Parameters>> {
        let parsed = match hooks {
            Some(hooks) if mark == b'#' => self.nested(|parser| hooks.parse_attribute(mnemonic, parser)),
            Some(hooks) if hooks.has_type(mnemonic) => self.nested(|parser| hooks.parse_type(mnemonic, parser)),
            _ if mark == b'#' => return Ok(None),
            _ => match defined::definition(dialect, mnemonic) {
                Some(definition) => self.nested(|parser| Ok(defined::parse(definition, parser))),
                None => return Ok(None),
            },
        };
        match parsed {
            Err(error) if error.kind() == ErrorKind::Unknown => Ok(None),
            parsed => parsed,
        }
    }

    /// Goes past a body in angle brackets: whatever it holds, brackets of all kinds must match.
    fn skip_body(&mut self) -> Result<()> {
        let start = self.at;
        let mut open: Vec<u8> = Vec::new();
        loop {
            let Some(&byte) = self.text.get(self.at) else {
                return Err(self.error_at(start, "unbalanced brackets in the text of a dialect's attribute or type"));
            };
            match byte {
                b'"' => {
                    let string = self.at;
                    self.skip_string()?;
                    if self.text[..string].ends_with(b"encoded<") && is_place(&self.text[string..self.at]) {
                        let message = "what stands here could not be decoded when it was printed, and text does not hold it: \
                                       read the bytecode instead";
                        return Err(self.error_at(string, message));
                    }
                    // It is kept as it stands, and what bytecode holds ends at a zero.
                    if let Some(zero) = self.text[string..self.at].iter().position(|&byte| byte == 0) {
                        return Err(self.error_at(string + zero, "unexpected zero byte"));
                    }
                    continue;
                }
                b'-' if self.text.get(self.at + 1) == Some(&b'>') => self.at += 1,
                b'<' => open.push(b'>'),
                b'(' => open.push(b')'),
                b'[' => open.push(b']'),
                b'{' => open.push(b'}'),
                b'>' | b')' | b']' | b'}' => {
                    if open.pop() != Some(byte) {
                        let message =
                            format!("unbalanced `{}` in the text of a dialect's attribute or type", char::from(byte));
                        return Err(self.error_at(self.at, message));
                    }
                    if open.is_empty() {
                        self.at += 1;
                        return Ok(());
                    }
                }
                0 => return Err(self.error_at(self.at, "unexpected zero byte")),
                _ => {}
            }
            self.at += 1;
        }
    }
}

/// Whether a string says where in its file something stands that cannot be decoded: `"entry 1, 5 bytes"`.
fn is_place(string: &[u8]) -> bool {
    let numbers = string.strip_prefix(b"\"entry ").and_then(|rest| rest.strip_suffix(b"\""));
    let numbers = numbers.and_then(|rest| rest.strip_suffix(b" bytes").or_else(|| rest.strip_suffix(b" byte")));
    let parts: Vec<&[u8]> = numbers.unwrap_or_default().split(|&byte| byte == b',').collect();
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    matches!(*parts, [index, [b' ', count @ ..]] if is_number(index) && is_number(count))
}

fn mnemonic_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')
}

/// Whether a body can be written behind a dot: an identifier, then nothing or something in angle brackets.
fn is_simple(body: &[u8]) -> bool {
    let Some(first) = body.first() else { return false };
    let rest = &body[body.iter().position(|&byte| !mnemonic_byte(byte)).unwrap_or(body.len())..];
    first.is_ascii_alphabetic() && (rest.is_empty() || rest.first() == Some(&b'<') && closes_at_its_end(rest))
}

/// Whether the bracket that the text begins with is closed by its last byte. All brackets of the text match.
#[doc(hidden)]
pub fn closes_at_its_end(text: &[u8]) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while text.get(at).is_some_and(|&byte| byte != b'"') {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
            }
            b'-' if text.get(at + 1) == Some(&b'>') => at += 1,
            b'<' | b'(' | b'[' | b'{' => depth += 1,
            b'>' | b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1 == text.len();
                }
            }
            _ => {}
        }
        at += 1;
    }
    false
}
