//! Files that JAX makes of `jax.export.Exported.serialize()`: a FlatBuffer with a portable artifact in it.
//!
//! Only the way to the artifact is known here: the table that the buffer begins with, and that one of its fields. All else is kept, byte for
//! byte. Source: `jax/_src/export/serialization.fbs` and the binary format of FlatBuffers.

use std::ops::Range;

use bytes::Bytes;
use mlirbc_bytecode::is_bytecode;
use mlirbc_ir::{Error, Result};

/// Where the vtable of the table `Exported` has the place of `mlir_module_serialized`, its fourteenth field, behind two sizes.
const FIELD: usize = 4 + 2 * 13;
/// What bytes of an artifact stand at a multiple of.
const ALIGNMENT: usize = 32;

/// A file of `jax.export.Exported.serialize()`.
///
/// ```
/// use mlirbc_stablehlo::exported::Exported;
///
/// let file = std::fs::read("../fixtures/stablehlo/dot.jax")?;
/// let exported = Exported::of(&file.into()).ok_or("no export")?;
/// let artifact = exported.artifact();
/// assert!(artifact.starts_with(b"ML\xefR"));
/// // Another artifact in its place, as one for an older release.
/// let again = exported.with_artifact(&artifact)?;
/// assert_eq!(again, *exported.bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Exported {
    bytes: Bytes,
    /// Where the offset of the artifact stands.
    field: usize,
    artifact: Range<usize>,
}

/// The little-endian number of `N` bytes at a place.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u32> {
    let mut number = [0; 4];
    number.get_mut(..N)?.copy_from_slice(bytes.get(at..)?.get(..N)?);
    Some(u32::from_le_bytes(number))
}

impl Exported {
    /// The export that a file is; `None` where it is none, or holds no bytecode.
    pub fn of(bytes: &Bytes) -> Option<Self> {
        let table = number::<4>(bytes, 0)? as usize;
        let back = number::<4>(bytes, table)? as i32;
        let vtable = usize::try_from(i64::try_from(table).ok()?.checked_sub(back.into())?).ok()?;
        let size = number::<2>(bytes, vtable)? as usize;
        let place = number::<2>(bytes, vtable.checked_add(FIELD)?).filter(|&place| place > 0 && size > FIELD)?;
        let field = table.checked_add(place as usize)?;
        let vector = field.checked_add(number::<4>(bytes, field)? as usize)?;
        let start = vector.checked_add(4)?;
        let artifact = start..start.checked_add(number::<4>(bytes, vector)? as usize)?;
        is_bytecode(bytes.get(artifact.clone())?).then(|| Exported { bytes: bytes.clone(), field, artifact })
    }

    /// The file.
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// The portable artifact in it, which is bytecode.
    pub fn artifact(&self) -> Bytes {
        self.bytes.slice(self.artifact.clone())
    }

    /// The file with another artifact in the place of its own. One that is longer stands at the end; where the old one was, zeros are left.
    ///
    /// # Errors
    /// Where the artifact is no bytecode, or the file would be larger than a FlatBuffer can be, 2 GiB.
    #[expect(clippy::arithmetic_side_effects, reason = "places in memory, and sums of two of them")]
    pub fn with_artifact(&self, artifact: &[u8]) -> Result<Vec<u8>> {
        if !is_bytecode(artifact) {
            return Err(Error::misuse("what is to be put into an export is no bytecode"));
        }
        let too_large = || Error::misuse("the export would be larger than 2 GiB");
        let small = |number: usize| i32::try_from(number).map_err(|_| too_large());
        let mut bytes = self.bytes.to_vec();
        let old = self.artifact.clone();
        let start = match artifact.len() <= old.len() {
            true => old.start,
            false => {
                let start = (bytes.len() + 4).next_multiple_of(ALIGNMENT);
                small(start + artifact.len())?;
                bytes.resize(start + artifact.len(), 0);
                start
            }
        };
        bytes[old.start - 4..old.end].fill(0);
        bytes[start - 4..start].copy_from_slice(&small(artifact.len())?.to_le_bytes());
        bytes[start..start + artifact.len()].copy_from_slice(artifact);
        bytes[self.field..self.field + 4].copy_from_slice(&small(start - 4 - self.field)?.to_le_bytes());
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Bytes {
        std::fs::read("../fixtures/stablehlo/dot.jax").expect("a fixture").into()
    }

    /// A longer artifact and a shorter one are found where they were put.
    #[test]
    fn artifacts_are_put_back() {
        let exported = Exported::of(&file()).expect("an export");
        for artifact in [&b"ML\xefR\x06short\0"[..], &[b"ML\xefR\x06".as_slice(), &[7; 5000]].concat()] {
            let changed: Bytes = exported.with_artifact(artifact).expect("bytecode").into();
            let changed = Exported::of(&changed).expect("an export");
            assert_eq!(changed.artifact(), artifact);
            let back: Bytes = changed.with_artifact(&exported.artifact()).expect("bytecode").into();
            assert_eq!(Exported::of(&back).expect("an export").artifact(), exported.artifact());
        }
        assert!(exported.with_artifact(b"text").is_err());
    }

    /// No byte that is another, and no end that comes early, makes more of a file than it is.
    #[test]
    fn broken_files_are_none_or_smaller() {
        let whole = file();
        for end in 0..whole.len() {
            let _ = Exported::of(&whole.slice(..end));
        }
        for at in 0..400 {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = whole.to_vec();
                changed[at] = value;
                if let Some(exported) = Exported::of(&changed.into()) {
                    let _ = exported.with_artifact(b"ML\xefR").expect("bytecode");
                }
            }
        }
        assert!(Exported::of(&Bytes::from_static(b"ML\xefR")).is_none());
    }
}
