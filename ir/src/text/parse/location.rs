//! Parsing locations.

use super::Parser;
use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::error::Result;

impl<'a> Parser<'a> {
    /// Parses a location without the `loc(...)` around it.
    ///
    /// # Errors
    /// Where no location is next.
    pub fn location(&mut self) -> Result<Attribute> {
        self.nested(Self::location_inner)
    }

    fn location_inner(&mut self) -> Result<Attribute> {
        match self.peek() {
            Some(b'"') => self.file_or_name(),
            Some(b'#') => {
                let start = self.at;
                self.at += 1;
                let attribute = self.extended_attribute()?;
                let data = &self.context[attribute];
                // One of a kind that is not known, perhaps.
                if data.is_location() || matches!(data, AttributeData::Encoded(_)) {
                    Ok(attribute)
                } else {
                    Err(self.error_at(start, "expected a location, found another attribute"))
                }
            }
            _ => match self.peek_word() {
                b"unknown" => {
                    self.word();
                    Ok(self.context.unknown_location())
                }
                b"callsite" => {
                    self.word();
                    self.expect(b'(')?;
                    let callee = self.location()?;
                    self.expect_word("at")?;
                    let caller = self.location()?;
                    self.expect(b')')?;
                    Ok(self.context.attribute(AttributeData::CallSiteLocation { callee, caller }))
                }
                b"fused" => {
                    self.word();
                    self.fused()
                }
                _ => Err(self.expected("a location")),
            },
        }
    }

    fn fused(&mut self) -> Result<Attribute> {
        let mut metadata = None;
        if self.eat(b'<') {
            metadata = Some(self.attribute()?);
            self.expect(b'>')?;
        }
        let mut locations = Vec::new();
        self.expect(b'[')?;
        self.list(b']', |parser| {
            locations.push(parser.location()?);
            Ok(())
        })?;
        Ok(self.context.fused_location(&locations, metadata))
    }

    fn file_or_name(&mut self) -> Result<Attribute> {
        let name = Identifier(self.context.string(self.string()?));
        if self.eat(b':') {
            return self.file_location(name);
        }
        let mut child = self.context.unknown_location();
        if self.eat(b'(') {
            child = self.location()?;
            self.expect(b')')?;
        }
        Ok(self.context.attribute(AttributeData::NameLocation { name, child }))
    }

    fn file_location(&mut self, file: Identifier) -> Result<Attribute> {
        let line = self.place("a line number")?;
        let column = if self.eat(b':') { self.place("a column number")? } else { 0 };
        let (start, mut end) = ((line, column), (line, column));
        if self.eat_word(b"to") {
            if self.eat(b':') {
                end.1 = self.place("a column number")?;
            } else {
                end.0 = self.place("a line number")?;
                self.expect(b':')?;
                end.1 = self.place("a column number")?;
            }
        }
        Ok(self.context.attribute(AttributeData::FileLocation { file, start, end }))
    }

    fn place(&mut self, what: &str) -> Result<u32> {
        let start = self.here();
        match self.unsigned().map(u32::try_from) {
            Some(Ok(place)) => Ok(place),
            Some(Err(_)) => Err(self.error_at(start, format!("expected {what} of at most 32 bits"))),
            None => Err(self.expected(what)),
        }
    }
}
