//! Files as memory: the one place that needs `unsafe`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use bytes::Bytes;
use mlirbc_ir::{Error, ErrorKind, Result};

use crate::holes;

/// The bytes of a file, mapped into memory: pages are read when they are touched. What cannot be mapped, as a pipe, is read
/// to its end.
///
/// The file must not be changed in place while the bytes are in use: replace it by a rename, as all writers of this
/// crate do. Bytes that change all the same lead to errors or to another module, but a file that is truncated ends the
/// process with a bus error, as with every memory map. A file that has holes in a file system in memory is read instead:
/// touching them would take room, and end the process where there is none.
///
/// # Errors
/// Where the file cannot be opened or mapped.
pub fn map_file(path: impl AsRef<Path>) -> Result<Bytes> {
    let path = path.as_ref();
    let bytes = File::open(path).and_then(|mut file| map_open(&mut file));
    bytes.map_err(|error| Error::new(ErrorKind::Io, format!("{}: {error}", path.display())).caused_by(error))
}

/// As [`map_file`], of a file that is open.
///
/// # Errors
/// Where the file cannot be read or mapped.
pub fn map_open(file: &mut File) -> std::io::Result<Bytes> {
    // An empty file cannot be mapped, and a pipe has no length. It may be opened only once, too.
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        return Ok(bytes.into());
    }
    match holes::take_room(file) && holes::are_before(file, metadata.len())? {
        true => holes::read(file, metadata.len(), metadata.len()),
        false => map(file),
    }
}

/// The bytes of an open file that is not empty. Where [`holes::take_room`], its holes must not be touched.
pub(crate) fn map(file: &File) -> std::io::Result<Bytes> {
    map_whole(file, file.metadata()?.len()).map(Bytes::from_owner)
}

#[expect(unsafe_code, reason = "a memory map is only as constant as its file")]
fn map_whole(file: &File, length: u64) -> std::io::Result<memmap2::Mmap> {
    let length = usize::try_from(length).map_err(|_| std::io::Error::other("a file larger than memory can be"))?;
    // SAFETY: the bytes are only ever read, as bytes: no type with invalid patterns is laid over them, and every
    // length or index among them is checked where it is used, each time it is read. The store appends to files that
    // are mapped, behind what readers have found valid; it looks there through `std::hint::black_box`, and takes
    // nothing from there before its checksum agrees. What remains is that the file must not shrink since its length was
    // asked for: the store never truncates a file, and `map_file` asks it of its caller.
    unsafe { memmap2::MmapOptions::new().len(length).map(file) }
}
