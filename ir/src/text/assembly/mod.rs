//! What printing and parsing of custom assembly share: the formats of definitions as programs, and what of an operation's
//! text is not in its definition.

pub(super) mod forms;
pub(super) mod llvm;
pub(super) mod program;
pub(super) mod written;

use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::ods::{Class, EnumDef, Predicate, Term, Traits};
use crate::types::{Signedness, TypeData};

/// The text of an enum's value: of its case, or of the bits in it. `None` where it has none.
pub(super) fn enum_text(cases: &EnumDef, value: i64) -> Option<String> {
    if let Some(case) = cases.case_of(value) {
        return Some(case.text.clone());
    }
    let bits = cases.bits.as_ref()?;
    let mut left = value;
    let mut words: Vec<&str> = Vec::new();
    let mut named = 0;
    let groups = cases.cases.iter().filter(|case| case.group && bits.groups_first);
    for case in groups.chain(cases.cases.iter().filter(|case| !(case.group && bits.groups_first))) {
        if case.value != 0 && left & case.value == case.value {
            words.push(&case.text);
            named |= case.value;
            if case.group && bits.groups_first {
                left &= !case.value;
            }
        }
    }
    (named == value && !words.is_empty()).then(|| words.join(&bits.separator))
}

/// The value that a text of the enum stands for.
pub(super) fn enum_value(cases: &EnumDef, text: &str) -> Option<i64> {
    if let Some(case) = cases.cases.iter().find(|case| case.text == text) {
        return Some(case.value);
    }
    let bits = cases.bits.as_ref()?;
    let separator = bits.separator.trim();
    if separator.is_empty() {
        return None;
    }
    let mut value = 0;
    for word in text.split(separator) {
        value |= cases.cases.iter().find(|case| case.text == word.trim())?.value;
    }
    Some(value)
}

/// Whether an enum's value stands in an operation's format without quotes.
pub(super) fn is_keyword(cases: &EnumDef, value: i64) -> bool {
    cases.cases.iter().any(|case| {
        case.value == value
            && (cases.bits.is_none() || value > 0 && value & (value - 1) == 0)
            && is_bare_keyword(&case.text)
    })
}

/// Whether a text stands for itself where a keyword is asked for: letters, digits, `_`, `$` and `.`, no digit first.
pub fn is_bare_keyword(text: &str) -> bool {
    let mut bytes = text.bytes();
    matches!(bytes.next(), Some(first) if first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

/// Whether text leaves out the terminator where nothing but its name is to be said of it.
pub(super) fn has_implicit_terminator(traits: Traits) -> bool {
    traits.contains(Traits::IMPLICIT_TERMINATOR)
}

/// `!dialect.mnemonic<rest>` or `!dialect<mnemonic rest>` as dialect, mnemonic and what follows that.
pub fn split_symbol(text: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.' | b'-');
    let body = text.get(1..)?;
    let end = body.iter().position(|&byte| !is_part(byte)).unwrap_or(body.len());
    let (name, rest) = body.split_at(end);
    if let Some(dot) = name.iter().position(|&byte| byte == b'.') {
        return Some((&name[..dot], &name[dot + 1..], rest));
    }
    let inner = rest.strip_prefix(b"<")?.strip_suffix(b">")?;
    let end = inner.iter().position(|&byte| !is_part(byte)).unwrap_or(inner.len());
    Some((name, &inner[..end], &inner[end..]))
}

/// The type of a dialect that is the only one to fit.
pub(super) fn dialect_type(predicate: &Predicate) -> Option<&str> {
    match predicate {
        Predicate::Is(Term::This, Class::DialectType(name)) => Some(name),
        Predicate::All(of) => dialect_type(of.first()?),
        _ => None,
    }
}

/// Whether a parser takes the text for one word.
pub fn is_word(text: &[u8]) -> bool {
    text.first().is_some_and(|first| !first.is_ascii_digit())
        && text.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The integers of a dense array without a sign, or of an array of integers. `None` where the attribute is something else.
pub fn integers(context: &Context, attribute: Attribute) -> Option<Vec<i64>> {
    match &context[attribute] {
        AttributeData::Array(items) => items
            .iter()
            .map(|&item| match &context[item] {
                AttributeData::Integer { value, .. } => value.to_i64(),
                _ => None,
            })
            .collect(),
        AttributeData::DenseArray { element, data } => {
            // No parser makes others.
            let TypeData::Integer { width, signedness: Signedness::Signless } = context[*element] else { return None };
            let size = width.div_ceil(8) as usize;
            let item = |bytes: &[u8]| {
                let mut wide = [if width > 1 && bytes.last().is_some_and(|&byte| byte >= 0x80) { 0xff } else { 0 }; 8];
                wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
                Some(i64::from_le_bytes(wide))
            };
            data.chunks_exact(size.max(1)).map(item).collect()
        }
        _ => None,
    }
}
