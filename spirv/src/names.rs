//! Names that are looked up time and again.

use mlirbc_ir::{Context, Identifier, OperationName};

/// How many names a table has room for; a power of two.
const ROOM: usize = 128;

/// Names of one context by where their text stands in this program: found without looking at the text.
///
/// Where two texts want one place, the later one takes it, and the other is looked up again.
pub(crate) struct Names {
    identifiers: Vec<Option<(usize, usize, Identifier)>>,
    operations: Vec<Option<(usize, usize, OperationName)>>,
}

fn place(text: &'static str) -> (usize, usize, usize) {
    let (start, length) = (text.as_ptr() as usize, text.len());
    let mixed = (start ^ length << 7).wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as usize);
    (mixed >> (usize::BITS - ROOM.trailing_zeros()), start, length)
}

impl Names {
    pub(crate) fn new() -> Self {
        Names { identifiers: vec![None; ROOM], operations: vec![None; ROOM] }
    }

    /// The identifier of that text.
    #[inline]
    pub(crate) fn identifier(&mut self, context: &Context, text: &'static str) -> Identifier {
        let (at, start, length) = place(text);
        match self.identifiers[at] {
            Some((known, of, name)) if known == start && of == length => name,
            _ => {
                let name = context.identifier(text);
                self.identifiers[at] = Some((start, length, name));
                name
            }
        }
    }

    /// The name of an operation, which is always asked for as registered or always as not.
    #[inline]
    pub(crate) fn operation(&mut self, context: &Context, text: &'static str, registered: bool) -> OperationName {
        let (at, start, length) = place(text);
        match self.operations[at] {
            Some((known, of, name)) if known == start && of == length => name,
            _ => {
                let name = context.static_operation_name(text, registered);
                self.operations[at] = Some((start, length, name));
                name
            }
        }
    }
}
