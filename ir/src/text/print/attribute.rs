//! Attributes and locations as text.

use std::io::Write;

use super::aliases::Aliasable;
use super::output::{push_escaped, push_name, push_number, push_symbol};
use super::{DialectPrinter, Elision, Piece, Printer};
use crate::attribute::{Attribute, AttributeData, Encoded, Identifier, UNKNOWN_COLUMN};
use crate::context::Context;
use crate::error::Result;
use crate::number::{ApInt, FloatKind};
use crate::parameter::{DialectValue, Parameter};
use crate::text::{INTEGER_EXPANSION, float, is_long_enough};
use crate::types::{DYNAMIC, Signedness, Type, TypeData};

/// Integers wider than this are printed in hexadecimal, which takes no more than linear time.
const DECIMAL_WIDTH: u32 = 1 << 15;

impl<'a> Printer<'a> {
    pub(super) fn print_attribute(&mut self, attribute: Attribute, elision: Elision) -> Result<u64> {
        let context = self.context;
        let data = &context[attribute];
        if data.is_location() {
            self.push([Piece::Text("loc("), Piece::Location(attribute), Piece::Text(")")]);
            return Ok(0);
        }
        let out = &mut self.out.buffer;
        match data {
            AttributeData::Array(items) => {
                self.push([Piece::Text("["), Piece::Attributes(items, Elision::May), Piece::Text("]")]);
            }
            AttributeData::Dictionary(entries) => {
                self.push([Piece::Text("{"), Piece::Entries(entries), Piece::Text("}")]);
            }
            AttributeData::String { value, ty } => {
                push_escaped(out, value);
                if let Some(ty) = ty {
                    self.push_type_suffix(*ty, elision);
                }
            }
            AttributeData::SymbolRef { root, nested } => {
                push_symbol(out, context.bytes(*root));
                for name in nested {
                    out.extend_from_slice(b"::");
                    push_symbol(out, context.bytes(*name));
                }
            }
            AttributeData::Type(ty) => self.stack.push(Piece::Type(*ty)),
            AttributeData::Unit => out.extend_from_slice(b"unit"),
            AttributeData::Integer { ty, value } => self.print_integer_attribute(*ty, value, elision),
            AttributeData::Float { ty, bits } => {
                let kind = float_kind(&context[*ty], bits);
                let hex = float::print(out, kind, bits);
                if elision == Elision::Never || elision == Elision::May && (hex || kind != FloatKind::F64) {
                    self.push_type_suffix(*ty, elision);
                }
            }
            AttributeData::DenseArray { element, data } => self.print_dense_array(*element, data),
            AttributeData::DenseElements { ty, data } => {
                let uncounted = self.print_dense_elements(attribute, *ty, data);
                self.push_type_suffix(*ty, elision);
                return Ok(uncounted);
            }
            AttributeData::DenseStrings { ty, values, splat } => {
                out.extend_from_slice(b"dense<");
                self.print_dense_strings(*ty, values, *splat);
                self.out.buffer.push(b'>');
                self.push_type_suffix(*ty, elision);
            }
            AttributeData::DenseResource { ty, resource } => {
                out.extend_from_slice(b"dense_resource<");
                push_name(out, self.names.resource(context, *resource));
                out.push(b'>');
                self.push_type_suffix(*ty, elision);
            }
            AttributeData::Sparse { ty, indices, values } => {
                self.print_sparse(*indices, *values);
                self.push_type_suffix(*ty, elision);
            }
            AttributeData::Distinct { referenced, id } => {
                let _ = write!(out, "distinct[{}]<", self.names.distinct(*id));
                self.stack.push(Piece::Text(">"));
                if context[*referenced] != AttributeData::Unit {
                    self.stack.push(Piece::Attribute(*referenced, Elision::Never));
                }
            }
            AttributeData::AffineMap(map) => self.print_affine_map(map),
            AttributeData::IntegerSet(set) => self.print_integer_set(set),
            AttributeData::StridedLayout { strides, offset } => {
                out.extend_from_slice(b"strided<[");
                for (at, stride) in strides.iter().enumerate() {
                    if at > 0 {
                        out.extend_from_slice(b", ");
                    }
                    push_stride(out, *stride);
                }
                out.push(b']');
                if *offset != 0 {
                    out.extend_from_slice(b", offset: ");
                    push_stride(out, *offset);
                }
                out.push(b'>');
            }
            AttributeData::Dialect(value) => self.print_dialect(b'#', value, true),
            AttributeData::Text { text, .. } => out.extend_from_slice(text),
            AttributeData::Encoded(encoded) => self.print_encoded(b'#', encoded),
            AttributeData::UnknownLocation
            | AttributeData::FileLocation { .. }
            | AttributeData::NameLocation { .. }
            | AttributeData::CallSiteLocation { .. }
            | AttributeData::FusedLocation { .. } => {}
        }
        Ok(0)
    }

    fn push_type_suffix(&mut self, ty: Type, elision: Elision) {
        if elision != Elision::Must && !matches!(self.context[ty], TypeData::None) {
            self.push([Piece::Text(" : "), Piece::Type(ty)]);
        }
    }

    pub(super) fn print_entry(&mut self, name: Identifier, value: Attribute) {
        push_name(&mut self.out.buffer, self.context.bytes(name));
        if self.context[value] != AttributeData::Unit {
            self.push([Piece::Text(" = "), Piece::Attribute(value, Elision::Never)]);
        }
    }

    fn print_integer_attribute(&mut self, ty: Type, value: &ApInt, elision: Elision) {
        let (width, signedness) = match self.context[ty] {
            TypeData::Integer { width, signedness } => (width, signedness),
            _ => (0, Signedness::Signless),
        };
        let out = &mut self.out.buffer;
        if (width, signedness) == (1, Signedness::Signless) {
            out.extend_from_slice(if value.words()[0] != 0 { b"true" } else { b"false" });
            return;
        }
        push_integer(out, value, signedness);
        if elision == Elision::Never || (width, signedness) != (64, Signedness::Signless) {
            self.push_type_suffix(ty, elision);
        }
    }

    pub(super) fn print_location(&mut self, location: Attribute) {
        let context = self.context;
        let out = &mut self.out.buffer;
        match &context[location] {
            AttributeData::UnknownLocation => out.extend_from_slice(b"unknown"),
            AttributeData::FileLocation { file, start, end } => {
                push_escaped(out, context.bytes(*file));
                push_place(out, *start);
                if end.0 != start.0 {
                    out.extend_from_slice(b" to ");
                    push_number(out, end.0);
                    out.push(b':');
                    push_number(out, end.1);
                } else if end.1 != start.1 && end.1 != UNKNOWN_COLUMN {
                    out.extend_from_slice(b" to :");
                    push_number(out, end.1);
                }
            }
            AttributeData::NameLocation { name, child } => {
                push_escaped(out, context.bytes(*name));
                if context[*child] != AttributeData::UnknownLocation {
                    self.push([Piece::Text("("), Piece::Location(*child), Piece::Text(")")]);
                }
            }
            AttributeData::CallSiteLocation { callee, caller } => self.push([
                Piece::Text("callsite("),
                Piece::Location(*callee),
                Piece::Text(" at "),
                Piece::Location(*caller),
                Piece::Text(")"),
            ]),
            AttributeData::FusedLocation { locations, metadata } => {
                self.push([Piece::Text("["), Piece::Locations(locations), Piece::Text("]")]);
                if let Some(metadata) = metadata {
                    self.push([Piece::Text("<"), Piece::Attribute(*metadata, Elision::Never), Piece::Text(">")]);
                }
                self.out.buffer.extend_from_slice(b"fused");
            }
            _ => self.stack.push(Piece::Attribute(location, Elision::Never)),
        }
    }

    /// What cannot be decoded: its dialect, its place in the table of its file, and its size. No parser takes it: neither
    /// ours, which says why, nor MLIR's, in which nothing ends in a question mark.
    pub(super) fn print_encoded(&mut self, mark: u8, encoded: &Encoded) {
        let out = &mut self.out.buffer;
        out.push(mark);
        push_name(out, self.context.bytes(encoded.dialect));
        let (index, count) = (encoded.index, encoded.bytes.len());
        let bytes = if count == 1 { "byte" } else { "bytes" };
        let _ = write!(out, ".encoded<\"entry {index}, {count} {bytes}\">?");
    }

    pub(super) fn print_dialect(&mut self, mark: u8, value: &'a DialectValue, attribute: bool) {
        let context = self.context;
        let out = &mut self.out.buffer;
        out.push(mark);
        out.extend_from_slice(context.bytes(value.dialect));
        let pieces = self.pieces_of(value, attribute);
        // What does not stand in angle brackets belongs into those of the dialect.
        let is_nothing = |piece: &&Piece<'_>| matches!(piece, Piece::Bytes(bytes) if bytes.is_empty());
        let is_verbose = match pieces.iter().find(|piece| !is_nothing(piece)) {
            None => false,
            Some(Piece::Bytes(bytes)) => !bytes.starts_with(b"<"),
            Some(_) => true,
        };
        self.out.buffer.push(if is_verbose { b'<' } else { b'.' });
        self.out.buffer.extend_from_slice(context.bytes(value.mnemonic));
        if is_verbose {
            self.stack.push(Piece::Text(">"));
        }
        self.stack.extend(pieces.into_iter().rev());
    }

    /// Prints the mnemonic, and what stands behind it.
    pub(super) fn print_short(&mut self, value: &'a DialectValue, attribute: bool) {
        self.out.buffer.extend_from_slice(self.context.bytes(value.mnemonic));
        let pieces = self.pieces_of(value, attribute);
        self.stack.extend(pieces.into_iter().rev());
    }

    /// What stands behind the mnemonic.
    fn pieces_of(&self, value: &'a DialectValue, attribute: bool) -> Vec<Piece<'a>> {
        self.dialect_pieces(value, attribute).unwrap_or_else(|| {
            let mut printer = DialectPrinter::new(self.context);
            print_parameters(&mut printer, &value.parameters);
            printer.pieces
        })
    }

    /// What the dialect prints behind the mnemonic. `None` where it does not know the attribute or type.
    fn dialect_pieces(&self, value: &DialectValue, attribute: bool) -> Option<Vec<Piece<'a>>> {
        let mut printer = DialectPrinter::new(self.context);
        self.context.print_value(value, attribute, &mut printer).then_some(printer.pieces)
    }

    /// Prints what stands behind the mnemonic alone, or the whole attribute where nothing does.
    pub(super) fn print_stripped(&mut self, attribute: Attribute, trimmed: bool) -> Result<u64> {
        let pieces = match &self.context[attribute] {
            AttributeData::Dialect(value) => self.dialect_pieces(value, true).unwrap_or_default(),
            AttributeData::Text { text, .. } => match crate::text::split_symbol(text) {
                Some((.., rest)) if !rest.is_empty() => {
                    self.out.buffer.extend_from_slice(rest);
                    return Ok(0);
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        if pieces.is_empty() {
            return self.print_attribute(attribute, Elision::Never);
        }
        self.stack.extend(pieces.into_iter().rev());
        if let Some(Piece::Bytes(bytes)) = self.stack.last_mut()
            && trimmed
        {
            let spaces = bytes.iter().take_while(|byte| **byte == b' ').count();
            bytes.drain(..spaces);
        }
        Ok(0)
    }
}

/// The parameters one after the other, for dialects that say nothing of their text.
fn print_parameters(printer: &mut DialectPrinter<'_>, parameters: &[Parameter]) {
    let mut open = vec![parameters.iter()];
    if parameters.is_empty() {
        return;
    }
    printer.text("<");
    let mut first = true;
    while let Some(list) = open.last_mut() {
        let Some(parameter) = list.next() else {
            open.pop();
            printer.text(if open.is_empty() { ">" } else { "]" });
            first = false;
            continue;
        };
        if !first {
            printer.text(", ");
        }
        first = false;
        match parameter {
            Parameter::None => printer.text("none"),
            Parameter::Bool(value) => printer.text(value.to_string()),
            Parameter::Unsigned(value) => printer.text(value.to_string()),
            Parameter::Signed(value) => printer.text(value.to_string()),
            Parameter::Double(bits) => printer.double(f64::from_bits(*bits)),
            Parameter::String(value) => printer.string(value),
            Parameter::Attribute(value) => printer.attribute(*value, Elision::Never),
            Parameter::Type(value) => printer.ty(*value),
            Parameter::List(items) => {
                open.push(items.iter());
                first = true;
                printer.text("[")
            }
        };
    }
}

/// The format to print bits in: that of the type, unless their widths differ, which has not been verified.
fn float_kind(ty: &TypeData, bits: &ApInt) -> FloatKind {
    let width = bits.width();
    match *ty {
        TypeData::Float(kind) if kind.width() == width => kind,
        _ => FloatKind::ALL.iter().copied().find(|kind| kind.width() == width).unwrap_or(FloatKind::F128),
    }
}

fn push_place(out: &mut Vec<u8>, (line, column): (u32, u32)) {
    out.push(b':');
    push_number(out, line);
    out.push(b':');
    push_number(out, column);
}

fn push_stride(out: &mut Vec<u8>, stride: i64) {
    if stride == DYNAMIC {
        out.push(b'?');
    } else {
        push_number(out, stride);
    }
}

/// An integer in decimal; very wide ones in hexadecimal.
pub fn push_integer(out: &mut Vec<u8>, value: &ApInt, signedness: Signedness) {
    let negative = signedness != Signedness::Unsigned && value.is_negative();
    if value.width() <= 64 {
        match value.to_i64() {
            Some(value) if signedness != Signedness::Unsigned => push_number(out, value),
            _ => push_number(out, value.words()[0]),
        }
        return;
    }
    let mut words = value.words().to_vec();
    if negative && (value.width() <= DECIMAL_WIDTH || signedness == Signedness::Signed) {
        out.push(b'-');
        words = value.negated().words().to_vec();
    }
    // A parser wants the text of a wide integer to be long, so that a short text makes no large value.
    let bits = words.iter().rposition(|&word| word != 0).map_or(0, |at| at * 64 + words[at].ilog2() as usize);
    let decimal_digits = 1 + bits * 30_102 / 100_000;
    if value.width() > DECIMAL_WIDTH || !is_long_enough(decimal_digits, value.width()) {
        let used = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        let mut digits = words[..used].iter().rev();
        let first = format!("{:X}", digits.next().unwrap_or(&0));
        let least = value.width() as usize / 8 / INTEGER_EXPANSION;
        let zeros = least.saturating_sub(first.len() + 16 * digits.len());
        out.extend_from_slice(b"0x");
        out.extend(std::iter::repeat_n(b'0', zeros));
        out.extend_from_slice(first.as_bytes());
        for word in digits {
            let _ = write!(out, "{word:016X}");
        }
        return;
    }
    let mut parts = Vec::new();
    while words.len() > 1 || words[0] != 0 {
        let mut rest = 0u128;
        for word in words.iter_mut().rev() {
            rest = rest << 64 | u128::from(*word);
            *word = (rest / TEN_19) as u64;
            rest %= TEN_19;
        }
        while words.len() > 1 && words.last() == Some(&0) {
            words.pop();
        }
        parts.push(rest as u64);
    }
    let _ = write!(out, "{}", parts.pop().unwrap_or(0));
    for part in parts.iter().rev() {
        let _ = write!(out, "{part:019}");
    }
}

const TEN_19: u128 = 10_000_000_000_000_000_000;

/// The attributes and types that a dialect prints inside an attribute or type of its own, in order, and whether it prints
/// each without its type.
#[doc(hidden)]
pub fn values_in(context: &Context, value: &DialectValue, attribute: bool) -> Vec<(Aliasable, bool)> {
    let mut printer = DialectPrinter::new(context);
    context.print_value(value, attribute, &mut printer);
    let symbol = |piece: &Piece<'_>| match *piece {
        Piece::Attribute(attribute, elision) => {
            Some((Aliasable::attribute(context, attribute), elision == Elision::Must))
        }
        Piece::Stripped(attribute, _) => Some((Aliasable::attribute(context, attribute), false)),
        Piece::Type(ty) | Piece::Short(ty, _) => Some((Aliasable::Type(ty), false)),
        _ => None,
    };
    printer.pieces.iter().filter_map(symbol).collect()
}
