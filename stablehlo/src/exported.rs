//! What `jax.export` saves: a FlatBuffer with a portable artifact in it (table `Exported` of jax/_src/export/serialization.fbs).
//!
//! Of the table one field is needed, the bytes of the artifact. All else is left as it is.
//!
//! ```
//! // The smallest table that has the field: its offset, the offset of its layout, the artifact behind it.
//! let mut file = vec![40, 0, 0, 0];
//! file.extend([34, 0, 8, 0]);
//! file.extend([0; 26]);
//! file.extend([4, 0]);
//! file.extend([0; 4]);
//! file.extend([36, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]);
//! file.extend(b"ML\xefR");
//! let file = bytes::Bytes::from(file);
//! assert_eq!(mlirbc_stablehlo::exported::artifact(&file).as_deref(), Some(&b"ML\xefR"[..]));
//! let other = mlirbc_stablehlo::exported::with_artifact(&file, b"ML\xefR, another").unwrap();
//! assert_eq!(mlirbc_stablehlo::exported::artifact(&other.into()).as_deref(), Some(&b"ML\xefR, another"[..]));
//! assert_eq!(mlirbc_stablehlo::exported::artifact(&file.slice(..20)), None);
//! ```

use std::ops::Range;

use bytes::Bytes;
use mlirbc_ir::{Error, Result};

/// Where the layout of the table says where the field `mlir_module_serialized` is.
const FIELD: usize = 30;

/// What bytecode begins with.
const MAGIC: [u8; 4] = *b"ML\xefR";

fn bytes_at<const N: usize>(file: &[u8], at: usize) -> Option<[u8; N]> {
    file.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u32_at(file: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(bytes_at(file, at)?)).ok()
}

/// Where the field stands that says where the artifact is, and where that is.
fn place(file: &[u8]) -> Option<(usize, Range<usize>)> {
    let table = u32_at(file, 0)?;
    let layout = i64::try_from(table).ok()? - i64::from(i32::from_le_bytes(bytes_at(file, table)?));
    let layout = usize::try_from(layout).ok()?;
    let size = usize::from(u16::from_le_bytes(bytes_at(file, layout)?));
    if size < FIELD + 2 {
        return None;
    }
    let offset = u16::from_le_bytes(bytes_at(file, layout.checked_add(FIELD)?)?);
    if offset == 0 {
        return None;
    }
    let field = table.checked_add(offset.into())?;
    let vector = field.checked_add(u32_at(file, field)?)?;
    let start = vector.checked_add(4)?;
    let end = start.checked_add(u32_at(file, vector)?)?;
    file.get(start..end)?.starts_with(&MAGIC).then_some((field, start..end))
}

/// The artifact in what `jax.export` saved, a view of it. `None` where these bytes are something else.
pub fn artifact(file: &Bytes) -> Option<Bytes> {
    if file.starts_with(&MAGIC) {
        return None;
    }
    Some(file.slice(place(file)?.1))
}

/// The same file with another artifact in its place. It stands at the end, and where the old one was are zeros: what else the file has
/// does not move.
///
/// # Errors
/// Where these bytes are nothing that `jax.export` saved, or would be too many.
pub fn with_artifact(file: &[u8], artifact: &[u8]) -> Result<Vec<u8>> {
    let (field, old) = place(file).ok_or_else(|| Error::misuse("this is no file of jax.export"))?;
    let mut made = file.to_vec();
    // What stood at the end goes, with the padding behind it; elsewhere it becomes zeros.
    match file[old.end..].iter().all(|&byte| byte == 0) && old.start > field {
        true => made.truncate(old.start - 4),
        false => made[old].fill(0),
    }
    made.resize(made.len().next_multiple_of(4), 0);
    let too_long = |_| Error::misuse("the artifact is too long for a file of jax.export");
    let offset = u32::try_from(made.len() - field).map_err(too_long)?;
    let length = u32::try_from(artifact.len()).map_err(too_long)?;
    made[field..field + 4].copy_from_slice(&offset.to_le_bytes());
    made.extend(length.to_le_bytes());
    made.extend_from_slice(artifact);
    made.resize(made.len().next_multiple_of(4), 0);
    match made.len() <= i32::MAX as usize {
        true => Ok(made),
        false => Err(Error::misuse("the artifact is too long for a file of jax.export")),
    }
}
