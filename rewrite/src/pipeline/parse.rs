//! Pipelines as text: `builtin.module(func.func(cse),canonicalize{max-iterations=2})`.

use std::fmt;
use std::ops::Range;

/// How deep pipelines may be nested in text.
const MAX_DEPTH: usize = 64;

/// What is wrong with the text of a pipeline, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineError {
    text: String,
    at: usize,
    message: String,
}

impl PipelineError {
    /// Something wrong at a byte of the text.
    pub(crate) fn new(text: &str, at: usize, message: impl Into<String>) -> Self {
        PipelineError { text: text.to_owned(), at: at.min(text.len()), message: message.into() }
    }

    /// The byte of the text where it is.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for PipelineError {
    /// The message, the line, and a caret below the place.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.text.get(..self.at).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = self.text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
        let column = before.get(start..).unwrap_or_default().chars().count();
        let number = before.matches('\n').count() + 1;
        // No width of a format: those end at 2^16.
        write!(f, "pipeline:{number}:{}: {}\n{line}\n{}^", column + 1, self.message, " ".repeat(column))
    }
}

impl std::error::Error for PipelineError {}

/// One element of a pipeline as it is written: a pass, or passes on the operations of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The name of the pass, or of the operations.
    pub name: String,
    /// Where the name stands in the text.
    pub at: usize,
    /// The options, in their order.
    pub options: Vec<PassOption>,
    /// What runs on these operations; `None` for a pass.
    pub nested: Option<Vec<Element>>,
}

/// An option of a pass as it is written: `name=value`, or `name` alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassOption {
    /// Its name.
    pub name: String,
    /// Its value without quotes or braces around it; `None` where only the name stands.
    pub value: Option<String>,
    /// Where the name stands in the text.
    pub at: usize,
}

/// Reads the elements of a pipeline, without looking any of them up.
///
/// # Errors
/// Where the text is no pipeline, or is nested deeper than 64 levels.
pub fn parse_elements(text: &str) -> Result<Vec<Element>, PipelineError> {
    let mut parser = Parser { text, at: 0 };
    let elements = parser.elements(0)?;
    match parser.peek() {
        None => Ok(elements),
        Some(_) => Err(parser.error("expected `,` or the end of the pipeline")),
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn error(&self, message: impl Into<String>) -> PipelineError {
        PipelineError::new(self.text, self.at, message)
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// The bytes up to one of those that end a word.
    fn word(&mut self, ends: &[u8]) -> Range<usize> {
        self.peek();
        let start = self.at;
        let ends = |byte: &u8| byte.is_ascii_whitespace() || ends.contains(byte);
        let rest = &self.text.as_bytes()[start..];
        self.at += rest.iter().position(ends).unwrap_or(rest.len());
        start..self.at
    }

    fn elements(&mut self, depth: usize) -> Result<Vec<Element>, PipelineError> {
        let mut elements = Vec::new();
        if matches!(self.peek(), None | Some(b')')) {
            return Ok(elements);
        }
        loop {
            elements.push(self.element(depth)?);
            if !self.eat(b',') {
                return Ok(elements);
            }
        }
    }

    fn element(&mut self, depth: usize) -> Result<Element, PipelineError> {
        let name = self.word(b",(){}");
        if name.is_empty() {
            return Err(self.error("expected the name of a pass or of an operation"));
        }
        let mut element =
            Element { name: self.text[name.clone()].to_owned(), at: name.start, options: Vec::new(), nested: None };
        if self.eat(b'(') {
            if depth >= MAX_DEPTH {
                return Err(self.error(format!("pipelines nested deeper than {MAX_DEPTH}")));
            }
            let nested = self.elements(depth + 1)?;
            if !self.eat(b')') {
                return Err(self.error("expected `,` or `)`"));
            }
            element.nested = Some(nested);
        } else if self.eat(b'{') {
            while !self.eat(b'}') {
                element.options.push(self.option()?);
            }
        }
        Ok(element)
    }

    fn option(&mut self) -> Result<PassOption, PipelineError> {
        let name = self.word(b"={}");
        if name.is_empty() {
            return Err(self.error("expected an option of the pass, or `}`"));
        }
        let (at, name) = (name.start, self.text[name].to_owned());
        if self.text.as_bytes().get(self.at) != Some(&b'=') {
            return Ok(PassOption { name, value: None, at });
        }
        self.at += 1;
        let value = match self.text.as_bytes().get(self.at).copied() {
            Some(quote @ (b'"' | b'\'')) => self.enclosed(quote, quote)?,
            Some(b'{') => self.enclosed(b'{', b'}')?,
            _ => {
                // A value may hold what is in braces: lists of pipelines.
                let start = self.at;
                let mut open = 0usize;
                for &byte in &self.text.as_bytes()[start..] {
                    match byte {
                        b'{' => open += 1,
                        b'}' if open == 0 => break,
                        b'}' => open -= 1,
                        byte if byte.is_ascii_whitespace() && open == 0 => break,
                        _ => {}
                    }
                    self.at += 1;
                }
                self.text[start..self.at].to_owned()
            }
        };
        Ok(PassOption { name, value: Some(value), at })
    }

    /// What stands between these, which nest where they differ.
    fn enclosed(&mut self, open: u8, close: u8) -> Result<String, PipelineError> {
        let start = self.at + 1;
        let mut depth = 0usize;
        for (place, &byte) in self.text.as_bytes().iter().enumerate().skip(start) {
            if byte == close && depth == 0 {
                self.at = place + 1;
                return Ok(self.text[start..place].to_owned());
            }
            if byte == close {
                depth -= 1;
            } else if byte == open {
                depth += 1;
            }
        }
        Err(self.error(format!("`{}` is missing", char::from(close))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_pipelines_with_options() {
        let text =
            "builtin.module( func.func(cse, canonicalize{max-iterations=2 top-down}),x{a='b c' d={e=f {g}} h=1,2})";
        let elements = parse_elements(text).expect("a pipeline");
        let [module] = elements.as_slice() else { panic!("{elements:?}") };
        let [func, x] = module.nested.as_deref().expect("nested") else { panic!("{module:?}") };
        let passes: Vec<&str> = func.nested.iter().flatten().map(|pass| &*pass.name).collect();
        assert_eq!(passes, ["cse", "canonicalize"]);
        let values: Vec<(&str, Option<&str>)> =
            x.options.iter().map(|option| (&*option.name, option.value.as_deref())).collect();
        assert_eq!(values, [("a", Some("b c")), ("d", Some("e=f {g}")), ("h", Some("1,2"))]);
        let canonicalize = &func.nested.as_ref().expect("nested")[1];
        let at = text.find("top-down").expect("it is there");
        assert_eq!(canonicalize.options[1], PassOption { name: "top-down".into(), value: None, at });
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        for (text, at) in [("a(", 2), ("a)", 1), ("a,", 2), ("a{b", 3), ("a{b='c", 4), ("a{={}}", 2), ("a b", 2)] {
            let error = parse_elements(text).expect_err(text);
            assert_eq!(error.offset(), at, "{text}: {error}");
        }
        let long = " ".repeat(100_000) + "a)";
        assert_eq!(parse_elements(&long).expect_err("a bracket").to_string().lines().count(), 3);
        let deep = "a(".repeat(100_000);
        assert!(parse_elements(&deep).expect_err("too deep").message().contains("deeper"));
        let error = parse_elements("builtin.module(cse").expect_err("no bracket").to_string();
        assert_eq!(error, "pipeline:1:19: expected `,` or `)`\nbuiltin.module(cse\n                  ^");
    }
}
