//! Small questions about texts, and about attributes that dialects print in a way of their own.

use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::types::{Signedness, TypeData};

/// Whether a text stands for itself where a keyword is asked for: letters, digits, `_`, `$` and `.`, no digit first.
pub fn is_bare_keyword(text: &str) -> bool {
    let mut bytes = text.bytes();
    matches!(bytes.next(), Some(first) if first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
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

/// Whether a parser takes the text for one word.
#[doc(hidden)]
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
