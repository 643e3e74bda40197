//! Holes of files: stretches that were never written to, and that read as zeros.
//!
//! Touching a hole through a map takes no room on a disk. In a file system in memory (`tmpfs`: `/dev/shm`, and `/tmp` of many
//! machines) it takes a page, and where there is none left, the system ends the process with a bus error. So there no
//! hole is touched through a map. Elsewhere nothing needs to be known of them.

use std::fs::File;
use std::io;

use bytes::Bytes;

/// Whether touching a hole of this file takes room.
#[cfg(target_os = "linux")]
pub(crate) fn take_room(file: &File) -> bool {
    const TMPFS: i128 = 0x0102_1994;
    // Its type differs from machine to machine.
    rustix::fs::fstatfs(file).is_ok_and(|found| i128::from(found.f_type) & 0xffff_ffff == TMPFS)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn take_room(_: &File) -> bool {
    false
}

/// Where what was written ends, or some place between that and the length. It is looked for from `from` on.
#[cfg(target_os = "linux")]
pub(crate) fn data_end(file: &File, from: u64) -> io::Result<u64> {
    use rustix::fs::{SeekFrom, seek};
    let mut end = from;
    // Over every stretch of data behind `from`: there are few, as no writer writes far ahead.
    while let Ok(data) = seek(file, SeekFrom::Data(end)) {
        end = seek(file, SeekFrom::Hole(data))?;
    }
    Ok(end)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn data_end(file: &File, _: u64) -> io::Result<u64> {
    Ok(file.metadata()?.len())
}

/// Whether there is a hole before `end`.
#[cfg(target_os = "linux")]
pub(crate) fn are_before(file: &File, end: u64) -> io::Result<bool> {
    Ok(end > 0 && rustix::fs::seek(file, rustix::fs::SeekFrom::Hole(0))? < end)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn are_before(_: &File, _: u64) -> io::Result<bool> {
    Ok(false)
}

/// Gives room on the disk to `length` bytes from `from` on, without changing what is in them or how long the file is. Where
/// the file system cannot, nothing happens; whether it could.
///
/// # Errors
/// Where there is no room. Then nothing has been taken, as far as that can be undone.
#[cfg(target_os = "linux")]
pub(crate) fn fill(file: &File, from: u64, length: u64) -> io::Result<bool> {
    use rustix::fs::{FallocateFlags, fallocate};
    use rustix::io::Errno;
    match fallocate(file, FallocateFlags::KEEP_SIZE, from, length) {
        Ok(()) => Ok(true),
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(false),
        Err(error) => {
            // A file system in memory undoes it by itself. Others keep what they got before they ran out.
            if !take_room(file) {
                let _ = fallocate(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, from, length);
            }
            Err(error.into())
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn fill(_: &File, _: u64, _: u64) -> io::Result<bool> {
    Ok(false)
}

/// The bytes of a file of that length, read instead of mapped: those up to `end`, and zeros behind them.
pub(crate) fn read(file: &File, end: u64, length: u64) -> io::Result<Bytes> {
    use std::os::unix::fs::FileExt;
    let too_long = |_| io::Error::other("a file larger than memory can be");
    let mut bytes = vec![0; usize::try_from(length).map_err(too_long)?];
    let written = bytes.get_mut(..usize::try_from(end.min(length)).map_err(too_long)?);
    file.read_exact_at(written.unwrap_or_default(), 0)?;
    Ok(bytes.into())
}
