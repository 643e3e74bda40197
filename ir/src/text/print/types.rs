//! Types as text.

use super::output::push_number;
use super::{Elision, Piece, Printer};
use crate::attribute::{Attribute, AttributeData};
use crate::context::Context;
use crate::types::{DYNAMIC, Signedness, Type, TypeData};

impl Printer<'_> {
    pub(super) fn print_type(&mut self, ty: Type) {
        let context = self.context;
        let out = &mut self.out.buffer;
        match &context[ty] {
            TypeData::Integer { width, signedness } => {
                out.extend_from_slice(match signedness {
                    Signedness::Signless => b"i",
                    Signedness::Signed => b"si",
                    Signedness::Unsigned => b"ui",
                });
                push_number(out, width);
            }
            TypeData::Index => out.extend_from_slice(b"index"),
            TypeData::Float(kind) => out.extend_from_slice(kind.keyword().as_bytes()),
            TypeData::None => out.extend_from_slice(b"none"),
            TypeData::Function { inputs, results } => {
                // A single function type needs parentheses, or its arrow would be taken for the outer one's.
                match **results {
                    [result] if !matches!(context[result], TypeData::Function { .. }) => {
                        self.stack.push(Piece::Type(result));
                    }
                    _ => self.push([Piece::Text("("), Piece::Types(results), Piece::Text(")")]),
                }
                self.push([Piece::Text("("), Piece::Types(inputs), Piece::Text(") -> ")]);
            }
            TypeData::Tuple(types) => self.push([Piece::Text("tuple<"), Piece::Types(types), Piece::Text(">")]),
            TypeData::Complex(element) => {
                self.push([Piece::Text("complex<"), Piece::Type(*element), Piece::Text(">")]);
            }
            TypeData::Vector { shape, scalable, element } => {
                out.extend_from_slice(b"vector<");
                for (at, size) in shape.iter().enumerate() {
                    if scalable.get(at) == Some(&true) {
                        out.push(b'[');
                        push_number(out, size);
                        out.extend_from_slice(b"]x");
                    } else {
                        push_number(out, size);
                        out.push(b'x');
                    }
                }
                self.push([Piece::Type(*element), Piece::Text(">")]);
            }
            TypeData::RankedTensor { shape, element, encoding } => {
                out.extend_from_slice(b"tensor<");
                push_shape(out, shape);
                self.stack.push(Piece::Text(">"));
                if let Some(encoding) = encoding {
                    self.push([Piece::Text(", "), Piece::Attribute(*encoding, Elision::Never)]);
                }
                self.stack.push(Piece::Type(*element));
            }
            TypeData::UnrankedTensor(element) => {
                self.push([Piece::Text("tensor<*x"), Piece::Type(*element), Piece::Text(">")]);
            }
            TypeData::MemRef { shape, element, layout, space } => {
                out.extend_from_slice(b"memref<");
                push_shape(out, shape);
                self.stack.push(Piece::Text(">"));
                match space {
                    Some(space) => self.push([Piece::Text(", "), Piece::Attribute(*space, Elision::May)]),
                    // An attribute that is not known to be a layout would be a space by itself; this one is the default.
                    None if context[*layout].is_foreign() => self.stack.push(Piece::Text(", 0")),
                    None => {}
                }
                if !is_identity(context, *layout) {
                    self.push([Piece::Text(", "), Piece::Attribute(*layout, Elision::May)]);
                }
                self.stack.push(Piece::Type(*element));
            }
            TypeData::UnrankedMemRef { element, space } => {
                self.stack.push(Piece::Text(">"));
                if let Some(space) = space {
                    self.push([Piece::Text(", "), Piece::Attribute(*space, Elision::May)]);
                }
                self.push([Piece::Text("memref<*x"), Piece::Type(*element)]);
            }
            TypeData::Dialect(value) => self.print_dialect(b'!', value, false),
            TypeData::Text { text, .. } => out.extend_from_slice(text),
            TypeData::Encoded(encoded) => self.print_encoded(b'!', encoded),
        }
    }
}

impl Printer<'_> {
    /// Prints a type without the dialect's name, where it is of that dialect.
    pub(super) fn print_short_type(&mut self, ty: Type, dialect: &str) {
        let context = self.context;
        match &context[ty] {
            TypeData::Dialect(value) if context.bytes(value.dialect) == dialect.as_bytes() => {
                self.print_short(value, false);
            }
            TypeData::Text { dialect: of, text } if context.bytes(*of) == dialect.as_bytes() => {
                // What stands in brackets behind the dialect's name cannot stand without it.
                let short = text.get(1..).and_then(|text| text.strip_prefix(dialect.as_bytes())?.strip_prefix(b"."));
                self.out.buffer.extend_from_slice(short.unwrap_or(text));
            }
            _ => self.stack.push(Piece::Type(ty)),
        }
    }
}

/// Whether the layout of a memory reference is the one that text leaves out.
/// Whether the layout of a memref is the identity, which is not printed.
pub fn is_identity(context: &Context, layout: Attribute) -> bool {
    matches!(&context[layout], AttributeData::AffineMap(map) if map.is_identity())
}

fn push_shape(out: &mut Vec<u8>, shape: &[i64]) {
    for &size in shape {
        if size == DYNAMIC {
            out.push(b'?');
        } else {
            push_number(out, size);
        }
        out.push(b'x');
    }
}
