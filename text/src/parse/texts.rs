//! Types and dictionaries of operations: most have been parsed before, and are looked up by their text.
//!
//! A text that was parsed as a whole once is parsed as a whole wherever it comes again, since neither aliases nor anything
//! else that it may refer to ever change. So a guess where it ends does no harm: a wrong one finds nothing.

use super::module::{Dictionaries, OpParser};
use super::operation::OperationInfo;
use mlirbc_ir::text::{Parser, in_word, starts_word};
use mlirbc_ir::{Attribute, AttributeData, AttributeRef, Result, TypeRef};

/// Longer texts are not looked for.
const LONGEST: usize = 256;

impl<'a> OpParser<'a> {
    /// Parses a type that is not a function type.
    #[inline]
    pub fn ty(&mut self) -> Result<TypeRef> {
        let start = self.at.here();
        let guess = type_end(&self.at.source()[start..]).map(|length| start + length);
        if let Some(end) = guess
            && let Some(&known) = self.types.get(&self.at.source()[start..end])
        {
            self.at.seek(end);
            return Ok(known);
        }
        let ty = TypeRef::from(self.at.non_function_type()?);
        if guess == Some(self.at.position()) {
            self.types.insert(&self.at.source()[start..self.at.position()], ty);
        }
        Ok(ty)
    }

    /// Parses a type.
    pub fn any_type(&mut self) -> Result<TypeRef> {
        if self.at.is_at(b'(') { self.at.ty().map(TypeRef::from) } else { self.ty() }
    }

    /// Parses the attributes or properties of an operation.
    pub(super) fn dictionary(&mut self) -> Result<Attribute> {
        let start = self.at.here();
        let rest = &self.at.source()[start..];
        let guess = match rest.first() {
            Some(b'{') => rest.iter().take(LONGEST).position(|&byte| byte == b'}').map(|end| start + end + 1),
            _ => None,
        };
        if let Some(end) = guess
            && let Some(&known) = self.dictionaries.get(&self.at.source()[start..end])
        {
            self.at.seek(end);
            return Ok(known);
        }
        let attribute = self.at.attribute()?;
        if guess == Some(self.at.position()) {
            self.dictionaries.insert(&self.at.source()[start..self.at.position()], attribute);
        }
        Ok(attribute)
    }

    /// What an operation has that is given these attributes and properties.
    pub(super) fn dictionaries(
        &mut self,
        info: OperationInfo,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<Dictionaries> {
        let (attributes, properties) = match info.former() {
            Some(_) => (self.renamed_attributes(info, attributes, properties)?, None),
            None => (attributes, properties),
        };
        let given = |attribute: Option<Attribute>| attribute.map(AttributeRef::from);
        let context = self.context();
        let is_empty = |it: Attribute| matches!(&context[it], AttributeData::Dictionary(entries) if entries.is_empty());
        let attributes = attributes.filter(|&attributes| !is_empty(attributes));
        match (attributes, properties) {
            (None, None) => return Ok(info.plain()),
            (None, _) if !info.has_zeros() => return Ok((None, given(properties))),
            _ if !info.has_properties() => return Ok((given(attributes), given(properties))),
            _ => {}
        }
        let key = (info.name(), attributes, properties);
        if let Some(&known) = self.splits.get(&key) {
            return Ok(known);
        }
        let (discardable, inherent) = context.split_attributes(info.name(), attributes, properties)?;
        let inherent = match inherent {
            Some(inherent) if info.has_zeros() => Some(context.normalize_natives(info.name(), inherent)?),
            _ => inherent,
        };
        let split = (given(discardable), given(inherent).or(info.plain().1));
        self.splits.insert(key, split);
        Ok(split)
    }
}

/// Where a type seems to end: a word, or what is in angle brackets behind it.
fn type_end(text: &[u8]) -> Option<usize> {
    let first = *text.first()?;
    if !starts_word(first) && first != b'!' {
        return None;
    }
    let text = &text[..text.len().min(LONGEST)];
    let mut at = 1 + text[1..].iter().position(|&byte| !in_word(byte) && (first != b'!' || byte != b'-'))?;
    if text[at] != b'<' {
        return Some(at);
    }
    let mut depth = 0;
    loop {
        match text.get(at)? {
            b'<' => depth += 1,
            b'>' if text[at - 1] != b'-' => depth -= 1,
            b'"' | b'\n' => return None,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Takes `^name`.
pub(super) fn block_label<'a>(parser: &mut Parser<'a>) -> Result<&'a [u8]> {
    if !parser.eat(b'^') {
        return Err(parser.expected("the name of a block"));
    }
    parser.suffix_identifier()
}
