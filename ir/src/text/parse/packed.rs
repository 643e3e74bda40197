//! Locations of operations: packed, and aliases of them that may be defined after their use.

use std::collections::HashMap;

use super::Parser;
use crate::attribute::{Attribute, AttributeData, Identifier};
use crate::body::AttributeRef;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::module::{Location, PackedLocations};

/// The locations of a text.
#[derive(Debug, Default)]
pub(super) struct Locations {
    pub(super) packed: PackedLocations,
    files: HashMap<Identifier, u32, hashbrown::DefaultHashBuilder>,
    /// The file named last, as it stands in the text, and its number.
    last_file: (Box<[u8]>, u32),
    /// Aliases `loc12` by number, others by name: the number of the packed location, plus one.
    numbered: Vec<u32>,
    named: HashMap<Box<[u8]>, u32>,
    most: usize,
}

fn full() -> Error {
    Error::misuse("more than 2^31 locations in one text")
}

impl Locations {
    /// Lets so many aliases be kept by number.
    pub(super) fn expect_text(&mut self, length: usize) {
        self.most = length / 4 + 1024;
    }

    fn slot(&mut self, name: &[u8]) -> &mut u32 {
        let number = match name {
            [b'l', b'o', b'c', digits @ ..] if digits.len() < 10 && digits.first() != Some(&b'0') => {
                digits.iter().try_fold(0usize, |number, digit| {
                    digit.is_ascii_digit().then(|| number * 10 + usize::from(digit - b'0'))
                })
            }
            _ => None,
        };
        match number {
            Some(number) if number < self.most => {
                if number >= self.numbered.len() {
                    self.numbered.resize(number + 1, 0);
                }
                &mut self.numbered[number]
            }
            _ => {
                if !self.named.contains_key(name) {
                    self.named.insert(name.into(), 0);
                }
                self.named.get_mut(name).expect("inserted above")
            }
        }
    }

    /// The location of an alias that has been defined.
    pub(super) fn alias(&self, name: &[u8]) -> Option<Location> {
        let number = name.strip_prefix(b"loc").and_then(|digits| match digits {
            [] => Some(0),
            [b'0', ..] => None,
            _ => std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<usize>().ok()),
        });
        let slot = match number.and_then(|number| self.numbered.get(number)) {
            Some(&slot) => slot,
            None => *self.named.get(name)?,
        };
        self.packed.get(slot.checked_sub(1)?)
    }

    /// Whether the alias is defined.
    pub(super) fn is_defined(&self, name: &[u8]) -> bool {
        self.alias(name).is_some()
    }

    /// The location of an alias that has been used or defined.
    fn known(&mut self, name: &[u8]) -> Option<AttributeRef> {
        AttributeRef::local(self.slot(name).checked_sub(1)?)
    }

    /// A location for an alias that stands at `at` and is not defined yet.
    fn await_alias(&mut self, name: &[u8], at: usize) -> Result<AttributeRef> {
        let index = self.packed.len() as u32;
        let reference = self.packed.reserve(at as u32).ok_or_else(full)?;
        *self.slot(name) = index + 1;
        Ok(reference)
    }

    fn file(&mut self, file: Identifier) -> u32 {
        *self.files.entry(file).or_insert_with(|| self.packed.push_file(file))
    }

    /// A place in a file as a packed location.
    pub(super) fn push(&mut self, context: &Context, file: Identifier, line: u32, column: u32) -> Result<AttributeRef> {
        let file = self.file(file);
        self.packed.push(context, file, line, column).ok_or_else(full)
    }

    fn define(&mut self, name: &[u8]) -> Result<u32> {
        if let Some(index) = self.slot(name).checked_sub(1) {
            return Ok(index);
        }
        let index = self.packed.len() as u32;
        self.await_alias(name, 0)?;
        Ok(index)
    }
}

/// What a location is made of.
enum Parsed {
    Place(u32, u32, u32),
    Attribute(Attribute),
}

impl<'a> Parser<'a> {
    /// Parses `loc(...)` behind an operation or block argument, if it is next.
    ///
    /// # Errors
    /// Where what stands in it is no location.
    #[doc(hidden)]
    pub fn trailing_location(&mut self) -> Result<Option<AttributeRef>> {
        if self.peek() != Some(b'l') || !self.eat_word(b"loc") {
            return Ok(None);
        }
        self.expect(b'(')?;
        if self.eat(b'#') {
            let start = self.at;
            let name = self.suffix_identifier()?;
            if let Some(reference) = self.scope.locations.known(name) {
                self.expect(b')')?;
                return Ok(Some(reference));
            }
            let is_alias = !name.contains(&b'.') && self.text.get(self.at) != Some(&b'<');
            if is_alias && !self.scope.attributes.contains_key(name) {
                let reference = self.scope.locations.await_alias(name, start - 1)?;
                self.expect(b')')?;
                return Ok(Some(reference));
            }
            self.at = start - 1;
        }
        let parsed = self.packed_location()?;
        self.expect(b')')?;
        match parsed {
            Parsed::Place(file, line, column) => {
                self.scope.locations.packed.push(self.context, file, line, column).ok_or_else(full).map(Some)
            }
            Parsed::Attribute(attribute) => Ok(Some(attribute.into())),
        }
    }

    /// Parses what stands in `loc(...)`; the common kind without making an attribute of it.
    fn packed_location(&mut self) -> Result<Parsed> {
        let start = self.here();
        if let Some(place) = self.place_in_file() {
            return Ok(place);
        }
        self.at = start;
        let attribute = self.location()?;
        if let AttributeData::FileLocation { file, start, end } = self.context[attribute]
            && start == end
        {
            let file = self.scope.locations.file(file);
            return Ok(Parsed::Place(file, start.0, start.1));
        }
        Ok(Parsed::Attribute(attribute))
    }

    /// `"file":12:3` and nothing more. `None` where it is anything else.
    fn place_in_file(&mut self) -> Option<Parsed> {
        if !self.is_at(b'"') {
            return None;
        }
        let last = &self.scope.locations.last_file;
        let rest = &self.text[self.at..];
        let file = if !last.0.is_empty() && rest.starts_with(&last.0) {
            self.at += last.0.len();
            last.1
        } else {
            let start = self.at;
            let name = Identifier(self.context.string(self.string().ok()?));
            let file = self.scope.locations.file(name);
            // The quotes make it whole.
            self.scope.locations.last_file = (self.text[start..self.at].into(), file);
            file
        };
        let line = self.small_number()?;
        let column = self.small_number()?;
        (self.peek() == Some(b')')).then_some(Parsed::Place(file, line, column))
    }

    fn small_number(&mut self) -> Option<u32> {
        if self.text.get(self.at) != Some(&b':') {
            return None;
        }
        let start = self.at + 1;
        let mut number = 0u32;
        self.at = start;
        while let Some(digit @ b'0'..=b'9') = self.text.get(self.at) {
            number = number.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
            self.at += 1;
        }
        // `0x10` is another kind of number.
        (self.at > start && self.text.get(self.at) != Some(&b'x')).then_some(number)
    }

    /// Parses `#name = attribute`, and lets the name stand for it.
    ///
    /// # Errors
    /// Where something else is next, or the name is taken.
    #[doc(hidden)]
    pub fn attribute_alias(&mut self) -> Result<()> {
        let start = self.here();
        self.expect(b'#')?;
        let name = self.suffix_identifier()?;
        if name.contains(&b'.') {
            let message = "attribute names with a `.` are reserved for dialect-defined names";
            return Err(self.error_at(start, message));
        }
        if self.scope.attributes.contains_key(name) || self.scope.locations.is_defined(name) {
            let message = format!("redefinition of attribute alias id {}", Error::quoted(name));
            return Err(self.error_at(start, message));
        }
        self.expect(b'=')?;
        if self.location_alias(name)? {
            return Ok(());
        }
        let attribute = self.attribute()?;
        self.scope.define_attribute(name, attribute);
        let data = &self.context[attribute];
        self.settle_alias(name, attribute, data.is_location() || matches!(data, AttributeData::Encoded(_)))
    }

    /// Parses `!name = type`, and lets the name stand for it.
    ///
    /// # Errors
    /// Where something else is next, or the name is taken.
    #[doc(hidden)]
    pub fn type_alias(&mut self) -> Result<()> {
        let start = self.here();
        self.expect(b'!')?;
        let name = self.suffix_identifier()?;
        if name.contains(&b'.') {
            let message = "type names with a `.` are reserved for dialect-defined names";
            return Err(self.error_at(start, message));
        }
        if self.scope.types.contains_key(name) {
            let message = format!("redefinition of type alias id {}", Error::quoted(name));
            return Err(self.error_at(start, message));
        }
        self.expect(b'=')?;
        let ty = self.ty()?;
        self.scope.define_type(name, ty);
        Ok(())
    }

    /// Parses the value of an alias if it is a location, and defines the alias.
    fn location_alias(&mut self, name: &[u8]) -> Result<bool> {
        if !self.eat_word(b"loc") {
            return Ok(false);
        }
        self.expect(b'(')?;
        let parsed = self.packed_location()?;
        self.expect(b')')?;
        let locations = &mut self.scope.locations;
        let index = locations.define(name)?;
        match parsed {
            Parsed::Place(file, line, column) => locations.packed.set(self.context, index, file, line, column),
            Parsed::Attribute(attribute) => locations.packed.set_attribute(index, attribute),
        }
        Ok(true)
    }

    /// Defines the alias of an attribute that turned out to be awaited as a location.
    fn settle_alias(&mut self, name: &[u8], attribute: Attribute, is_location: bool) -> Result<()> {
        let locations = &mut self.scope.locations;
        if !is_location || *locations.slot(name) == 0 {
            return Ok(());
        }
        let index = locations.define(name)?;
        locations.packed.set_attribute(index, attribute);
        Ok(())
    }

    /// The attribute of a location alias.
    pub(super) fn location_attribute(&self, name: &[u8]) -> Option<Attribute> {
        self.scope.locations.alias(name).map(|location| location.attribute(self.context))
    }
}
