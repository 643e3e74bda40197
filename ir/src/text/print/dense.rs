//! Dense and sparse elements and dense arrays as text.

use bytes::Bytes;

use super::Printer;
use super::attribute::push_integer;
use super::output::{push_escaped, push_hex};
use crate::attribute::{Attribute, AttributeData};
use crate::dense::{ElementLayout, NumberKind, dense_layout};
use crate::number::ApInt;
use crate::text::float;
use crate::types::{Signedness, Type, TypeData};

/// More elements than this are printed as the hexadecimal digits of their bytes.
const HEX_ABOVE: u64 = 100;

impl Printer<'_> {
    /// Prints `dense<...>`. Gives the bytes that do not count against the limit.
    pub(super) fn print_dense_elements(&mut self, attribute: Attribute, ty: Type, data: &Bytes) -> u64 {
        let start = self.out.buffer.len();
        self.out.buffer.extend_from_slice(b"dense<");
        self.print_elements(ty, data, true);
        self.out.buffer.push(b'>');
        // What is large because its data are is no trap, unless it comes again and again.
        let first = data.len() > 4096 && self.names.large.insert(attribute);
        if first { (self.out.buffer.len() - start) as u64 } else { 0 }
    }

    pub(super) fn print_sparse(&mut self, indices: Attribute, values: Attribute) {
        let context = self.context;
        self.out.buffer.extend_from_slice(b"sparse<");
        if let AttributeData::DenseElements { ty, data } = &context[indices]
            && context[*ty].element_count() != Some(0)
        {
            self.print_sparse_indices(*ty, data, values);
            self.out.buffer.extend_from_slice(b", ");
            match &context[values] {
                AttributeData::DenseElements { ty, data } => self.print_elements(*ty, data, true),
                AttributeData::DenseStrings { ty, values, splat } => self.print_dense_strings(*ty, values, *splat),
                _ => {}
            }
        }
        self.out.buffer.push(b'>');
    }

    /// A parser takes one number in the place of indices for those of one element, so equal ones are all written out. Where
    /// that would be many times the data they are one number, as in MLIR.
    fn print_sparse_indices(&mut self, ty: Type, data: &Bytes, values: Attribute) {
        let context = self.context;
        let shape = context[ty].shape().unwrap_or_default();
        let held = match &context[values] {
            AttributeData::DenseElements { data, .. } => data.len() as u64,
            AttributeData::DenseStrings { values, .. } => values.len() as u64,
            _ => 0,
        };
        match dense_layout(context, ty) {
            Ok((layout, count))
                if layout.is_splat(count, data) == Some(true)
                    && !matches!(shape, [1, _])
                    && shape[0] as u64 <= HEX_ABOVE.max(held)
                    && count / shape[0] as u64 <= HEX_ABOVE =>
            {
                nested(&mut self.out.buffer, shape, count, |out, _| push_element(out, layout, data));
            }
            _ => self.print_elements(ty, data, false),
        }
    }

    fn print_elements(&mut self, ty: Type, data: &Bytes, hex: bool) {
        let context = self.context;
        let out = &mut self.out.buffer;
        let shape = context[ty].shape().unwrap_or_default();
        // Data that were not verified are shown as bytes.
        let Ok((layout, count)) = dense_layout(context, ty) else { return push_hex_string(out, data) };
        match layout.is_splat(count, data) {
            None => push_hex_string(out, data),
            Some(true) if layout.packed() => push_bool(out, data[0] != 0),
            Some(true) => push_element(out, layout, data),
            Some(false) if hex && count > HEX_ABOVE => push_hex_string(out, data),
            Some(false) if layout.packed() => nested(out, shape, count, |out, at| {
                push_bool(out, data[(at / 8) as usize] >> (at % 8) & 1 != 0);
            }),
            Some(false) => nested(out, shape, count, |out, at| {
                let start = at as usize * layout.size();
                push_element(out, layout, &data[start..start + layout.size()]);
            }),
        }
    }

    /// Prints what stands inside `dense<...>`.
    pub(super) fn print_dense_strings(&mut self, ty: Type, values: &[Box<[u8]>], splat: bool) {
        let out = &mut self.out.buffer;
        let shape = self.context[ty].shape().unwrap_or_default();
        match values.first() {
            Some(value) if splat => push_escaped(out, value),
            _ => nested(out, shape, values.len() as u64, |out, at| push_escaped(out, &values[at as usize])),
        }
    }

    pub(super) fn print_dense_array(&mut self, element: Type, data: &[u8]) {
        self.out.buffer.extend_from_slice(b"array<");
        self.print_type(element);
        let out = &mut self.out.buffer;
        if let Some(number) = NumberKind::of(self.context, element)
            && !data.is_empty()
        {
            let layout = ElementLayout { number, complex: false };
            out.extend_from_slice(b": ");
            for (at, bytes) in data.chunks(layout.number_size().max(1)).enumerate() {
                if at > 0 {
                    out.extend_from_slice(b", ");
                }
                if matches!(self.context[element], TypeData::Integer { width: 1, .. }) {
                    push_bool(out, bytes[0] != 0);
                } else {
                    push_value(out, number, &layout.read(bytes));
                }
            }
        }
        out.push(b'>');
    }
}

fn push_bool(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

fn push_hex_string(out: &mut Vec<u8>, data: &[u8]) {
    out.reserve(data.len() * 2 + 4);
    out.extend_from_slice(b"\"0x");
    for &byte in data {
        push_hex(out, byte);
    }
    out.push(b'"');
}

fn push_element(out: &mut Vec<u8>, layout: ElementLayout, bytes: &[u8]) {
    if !layout.complex {
        return push_value(out, layout.number, &layout.read(bytes));
    }
    let (real, imaginary) = bytes.split_at(bytes.len() / 2);
    out.push(b'(');
    push_value(out, layout.number, &layout.read(real));
    out.push(b',');
    push_value(out, layout.number, &layout.read(imaginary));
    out.push(b')');
}

fn push_value(out: &mut Vec<u8>, number: NumberKind, value: &ApInt) {
    match number {
        NumberKind::Integer { width: 1, .. } => push_bool(out, value.words()[0] != 0),
        NumberKind::Integer { signedness, .. } => {
            let unsigned = signedness == Signedness::Unsigned;
            push_integer(out, value, if unsigned { Signedness::Unsigned } else { Signedness::Signed });
        }
        NumberKind::Float(kind) => {
            float::print(out, kind, value);
        }
    }
}

/// Prints elements in brackets, one pair for each dimension. A scalar has none; nothing stands for no elements.
fn nested(out: &mut Vec<u8>, shape: &[i64], count: u64, mut element: impl FnMut(&mut Vec<u8>, u64)) {
    if count == 0 {
        return;
    }
    // At each element: how many dimensions start or end there.
    let mut places = vec![0u64; shape.len()];
    let mut opening = shape.len();
    for at in 0..count {
        if at > 0 {
            out.extend_from_slice(b", ");
        }
        out.extend(std::iter::repeat_n(b'[', opening));
        element(out, at);
        opening = 0;
        for (place, &size) in places.iter_mut().zip(shape).rev() {
            *place += 1;
            if *place < size as u64 {
                break;
            }
            *place = 0;
            opening += 1;
        }
        out.extend(std::iter::repeat_n(b']', opening));
    }
}
