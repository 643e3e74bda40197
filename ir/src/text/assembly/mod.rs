//! What printing and parsing of custom assembly share: the formats of definitions as programs, and what of an operation's
//! text is not in its definition.

pub(super) mod forms;
pub(super) mod linalg;
pub(super) mod llvm;
pub(super) mod program;
pub(super) mod vector;
pub(super) mod written;

use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::ods::{Class, EnumDef, Predicate, Term, Traits};
use crate::types::{Type, TypeData};

/// The widest integers that the cases of a switch are shown of.
pub(super) const MAX_CASE_WIDTH: u32 = 128;
/// What handles a `gpu.binary` that does not say: the first of its objects is taken.
pub(super) const USUAL_HANDLER: &str = "#gpu.select_object";

/// The kinds of reductions that `affine.parallel` names.
pub(super) const REDUCTIONS: &str = "arith::AtomicRMWKind";

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

pub(super) fn is_bare_keyword(text: &str) -> bool {
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

/// The type of what is in an asynchronous value of that type.
pub(super) fn async_value(text: &str) -> Option<&str> {
    text.strip_prefix("!async.value<").and_then(|rest| rest.strip_suffix('>'))
}

/// What `smt.int.constant` holds of a number in decimal digits: an integer of as many bits as so many digits may take.
pub(super) fn smt_integer(context: &Context, digits: &str, negative: bool) -> Option<Attribute> {
    let digits = digits.trim_start_matches('0');
    if digits.len() > 1024 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let width = if digits.is_empty() { 64 } else { 4 * digits.len() };
    // The highest bit is the sign.
    [width, width + 1].into_iter().find_map(|width| {
        let found = super::parse_attribute(context, format!("0{digits} : ui{width}").as_bytes()).ok()?;
        match &context[found] {
            AttributeData::Integer { ty, value } if !value.is_negative() => {
                let value = if negative { value.negated() } else { value.clone() };
                Some(context.attribute(AttributeData::Integer { ty: *ty, value }))
            }
            _ => None,
        }
    })
}

/// The parts of a text between its outermost commas.
pub(super) fn outer_parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut quoted) = (0i32, 0, false);
    let mut parts = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'<' | b'(' | b'[' => depth += 1,
            b'>' | b')' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// The integers of a dense array, or of an array of integers.
pub(super) fn integers(context: &Context, attribute: Attribute) -> Option<Vec<i64>> {
    match &context[attribute] {
        AttributeData::Array(items) => items
            .iter()
            .map(|&item| match &context[item] {
                AttributeData::Integer { value, .. } => value.to_i64(),
                _ => None,
            })
            .collect(),
        AttributeData::DenseArray { element, data } => {
            let TypeData::Integer { width, .. } = context[*element] else { return None };
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
/// How deep parameters stand in arrays of a pass's options; what is deeper is an attribute as any other.
pub(super) const DEEPEST_OPTION: usize = 8;

/// The number of the operand that `#transform.param_operand<index = 0 : i64>` stands for.
pub(super) fn param_operand(context: &Context, attribute: Attribute) -> Option<usize> {
    if !matches!(context[attribute], AttributeData::Text { .. } | AttributeData::Dialect(_)) {
        return None;
    }
    let text = crate::text::print_attribute(context, attribute).ok()?;
    let number = text.strip_prefix("#transform.param_operand<index = ")?.strip_suffix(" : i64>")?;
    number.parse().ok()
}

/// The type of the value of an `emitc` global of this type: an array has elements of a tensor.
pub(super) fn initializer_type(context: &Context, ty: Type) -> Option<Type> {
    if !matches!(context[ty], TypeData::Text { .. } | TypeData::Dialect(_)) {
        return Some(ty);
    }
    let text = crate::text::print_type(context, ty).ok()?;
    match text.strip_prefix("!emitc.array<") {
        Some(rest) => crate::text::parse_type(context, format!("tensor<{rest}").as_bytes()).ok(),
        None => Some(ty),
    }
}

pub(super) const VARIADICITIES: [&str; 3] = ["single", "optional", "variadic"];

/// An `irdl` attribute of these words as MLIR writes it: with a space before each.
pub(super) fn variadicity_array(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!(" {word}")).collect();
    format!("#irdl<variadicity_array[{}]>", words.join(", "))
}

/// The words of [`variadicity_array`].
pub(super) fn variadicities(context: &Context, attribute: Attribute) -> Option<Vec<&'static str>> {
    let text = crate::text::print_attribute(context, attribute).ok()?;
    let rest = text.strip_prefix("#irdl<variadicity_array[")?.strip_suffix("]>")?;
    let known = |word: &str| VARIADICITIES.into_iter().find(|known| *known == word.trim());
    let words: Vec<&str> = rest.split(',').filter(|_| !rest.is_empty()).map(known).collect::<Option<_>>()?;
    Some(words).filter(|words| variadicity_array(words) == text)
}

/// The type of a range of what has this type: `!pdl.range<value>` of `!pdl.value`.
pub(super) fn pdl_range(item: &str) -> String {
    format!("!pdl.range<{}>", item.strip_prefix("!pdl.").unwrap_or(item))
}
