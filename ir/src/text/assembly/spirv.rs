//! What printing and parsing know of the types of `spirv`, by their text.

use super::outer_parts;
use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::text::{parse_type, print_type};
use crate::types::Type;

/// The type of the part of a composite that the indices go to.
pub(in crate::text) fn part_type(context: &Context, composite: Type, indices: Attribute) -> Option<Type> {
    let AttributeData::Array(indices) = &context[indices] else { return None };
    let mut ty = composite;
    for &index in indices {
        let AttributeData::Integer { value, .. } = &context[index] else { return None };
        let index = usize::try_from(value.to_u64()?).ok()?;
        ty = match context[ty].element() {
            Some(element) => element,
            None => {
                let part = composite_part(&print_type(context, ty).ok()?, index)?;
                parse_type(context, part.as_bytes()).ok()?
            }
        };
    }
    Some(ty)
}

/// The text of the type of a part, from the text of the type of the whole.
pub(in crate::text) fn composite_part(text: &str, index: usize) -> Option<String> {
    let (name, rest) = text.strip_prefix("!spirv.")?.split_once('<')?;
    let inner = rest.strip_suffix('>')?;
    let pieces = outer_parts(inner);
    let first = pieces.first()?;
    match name {
        "array" | "matrix" => Some(first.split_once(" x ")?.1.to_owned()),
        "rtarray" => Some((*first).to_owned()),
        "coopmatrix" => Some(first.rsplit_once('x')?.1.to_owned()),
        "struct" => {
            let members = pieces.iter().find(|piece| piece.starts_with('('))?;
            let members = members.strip_prefix('(')?.strip_suffix(')')?;
            let member = *outer_parts(members).get(index)?;
            // Offset and decorations stand in brackets behind the type.
            let end = bracket(member).unwrap_or(member.len());
            Some(member[..end].trim().to_owned())
        }
        _ => None,
    }
}

/// Where a list in brackets begins that is not inside of anything.
fn bracket(text: &str) -> Option<usize> {
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            b'[' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}
