//! Dense elements in `vhlo`: as those of `builtin`, but for elements of one bit.
//!
//! These stand eight to a byte, one byte `00` or `FF` for a splat of more than one. Older writers gave each a byte of its own.

use bytes::Bytes;
use mlirbc_bytecode::encoding::EntryWriter;
use mlirbc_ir::dense::dense_layout;
use mlirbc_ir::{AttributeData, Context, Error, Result, Type};

/// The elements of a tensor type of `builtin` that stand in a blob.
pub(super) fn read(context: &Context, ty: Type, blob: Bytes) -> Result<AttributeData> {
    let (layout, count) = dense_layout(context, ty)?;
    if !layout.packed() {
        return AttributeData::dense_elements(context, ty, blob);
    }
    let length = blob.len() as u64;
    let splat = match *blob {
        [0xff] if count > 0 => true,
        // One value over and over, though there is none.
        [0 | 0xff] if count == 0 => return AttributeData::dense_elements(context, ty, blob),
        _ if length == count.div_ceil(8) && length != count => false,
        [byte] if count != 0 => return AttributeData::dense_elements(context, ty, splat_of(byte != 0)),
        _ if length != count => {
            return Err(Error::verification(format!(
                "elements of one bit hold {}, where the type asks for {}",
                Error::counted(blob.len(), "byte"),
                count.div_ceil(8)
            )));
        }
        _ => {
            let packed = blob.chunks(8).map(|byte| {
                byte.iter().enumerate().fold(0, |bits, (at, &element)| bits | u8::from(element != 0) << at)
            });
            return AttributeData::dense_elements(context, ty, packed.collect::<Vec<u8>>().into());
        }
    };
    if splat {
        return AttributeData::dense_elements(context, ty, splat_of(true));
    }
    // Bits behind the last element say nothing.
    let used = count % 8;
    match blob.split_last() {
        Some((&last, rest)) if used != 0 && last >> used != 0 => {
            let mut data = rest.to_vec();
            data.push(last & ((1 << used) - 1));
            AttributeData::dense_elements(context, ty, data.into())
        }
        _ => AttributeData::dense_elements(context, ty, blob),
    }
}

fn splat_of(value: bool) -> Bytes {
    Bytes::from_static(if value { &[0xff] } else { &[0] })
}

/// Writes the blob of elements of that type.
pub(super) fn write(context: &Context, ty: Type, data: &[u8], writer: &mut EntryWriter<'_>) {
    let is_single_bit = dense_layout(context, ty).is_ok_and(|(layout, count)| layout.packed() && count == 1);
    match *data {
        [byte] if is_single_bit => writer.blob(&[byte & 1]),
        _ => writer.blob(data),
    }
}
