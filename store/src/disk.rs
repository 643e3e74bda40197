//! What the store asks of the file system, all of it: tests stand in for it, and fail where they want.

use std::fmt::Debug;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::holes;

/// One directory, and what can be done in it. Names are of files directly in it.
pub trait Disk: Debug + Send + Sync {
    /// Names of the files.
    fn list(&self) -> io::Result<Vec<String>>;
    /// Makes a file that is not there yet, `length` zeros long, and opens it for writing.
    fn create(&self, name: &str, length: u64) -> io::Result<Box<dyn DiskFile>>;
    /// Opens a file.
    fn open(&self, name: &str, write: bool) -> io::Result<Box<dyn DiskFile>>;
    /// Adds bytes to the end of a file in one step, which is made if it is not there.
    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()>;
    /// Gives a file another name, in the place of the file that had it.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;
    /// Takes a name away from its file.
    fn remove(&self, name: &str) -> io::Result<()>;
    /// Returns when all names are on the disk.
    fn sync(&self) -> io::Result<()>;
    /// How many bytes there is room for.
    fn room(&self) -> io::Result<u64>;
}

/// How often a file that others move away is made again, to add to it.
const APPEND_TRIES: u32 = 8;

/// An open file. A lock that it holds goes when it is closed.
pub trait DiskFile: Debug + Send + Sync {
    /// Length in bytes.
    fn length(&self) -> io::Result<u64>;
    /// Writes all of the bytes.
    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()>;
    /// Returns when all bytes are on the disk.
    fn sync(&self) -> io::Result<()>;
    /// Locks the file against other openers that lock it; whether that worked.
    fn try_lock(&self) -> io::Result<bool>;
    /// Whether the file still has a name.
    fn is_linked(&self) -> io::Result<bool>;
    /// Where what was written ends, or some place between that and the length.
    fn data_end(&self, from: u64) -> io::Result<u64>;
    /// Gives room on the disk to `length` bytes from `from` on, so that writing them does not fail for want of it. Their values
    /// stay; the file gets as long as that. Where the file system knows no such thing, nothing happens.
    fn allocate(&self, from: u64, length: u64) -> io::Result<()>;
    /// The bytes, mapped; none where nothing was ever written and touching them would take room. Only up to
    /// [`DiskFile::backed`] they may be touched.
    fn map(&self) -> io::Result<Map>;
    /// Up to where a map may be touched: in a file system in memory, to where what was written ends. Behind it, touching a
    /// byte takes room, and ends the process where there is none. Elsewhere a map may be touched everywhere.
    fn backed(&self) -> io::Result<u64>;
}

/// The bytes of a file.
#[derive(Clone, Debug)]
pub struct Map {
    /// The bytes.
    pub bytes: Bytes,
    /// Whether what is written to the file later shows up in them.
    pub live: bool,
}

/// A directory of the operating system.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Permissions and group of files, where users share them.
    shared: Option<(u32, u32)>,
}

impl Folder {
    /// A directory that exists. Its user alone may write to what is made in it; others may read it as the umask says.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Folder { path: path.into(), shared: None }
    }

    /// A directory that exists. What is made in it may be read and written by those who may do so with the directory, and is of
    /// its group where the user belongs to that, whatever the umask.
    ///
    /// # Errors
    /// What the system says.
    pub fn shared(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let metadata = std::fs::metadata(&path)?;
        Ok(Folder { path, shared: Some((metadata.mode() & 0o666, metadata.gid())) })
    }

    /// Makes the directory if it is not there: for its user alone, or, where it is `shared`, as the umask says.
    ///
    /// # Errors
    /// What the system says.
    pub fn make(path: &Path, shared: bool) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(if shared { 0o777 } else { 0o700 }).create(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the files are on another machine, where maps and locks are not what they are here.
    pub(crate) fn is_remote(path: &Path) -> bool {
        #[cfg(target_os = "linux")]
        {
            // NFS, SMB (both), 9P, AFS, Ceph, FUSE is left out: it is what it is.
            const REMOTE: [i64; 6] = [0x6969, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x5346_414f, 0x00c3_6400];
            // Its type differs from machine to machine.
            let kind = |found: rustix::fs::StatFs| found.f_type & 0xffff_ffff;
            rustix::fs::statfs(path)
                .is_ok_and(|found| REMOTE.iter().any(|remote| kind(found) as i128 == i128::from(*remote)))
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = path;
            false
        }
    }

    /// Whether other users than this one (and root) may change the directory.
    pub(crate) fn is_open_to_others(path: &Path) -> io::Result<bool> {
        let metadata = std::fs::metadata(path)?;
        let owner = metadata.uid();
        Ok(metadata.mode() & 0o022 != 0 || (owner != 0 && owner != rustix::process::geteuid().as_raw()))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Makes a file that is not there yet.
    fn make_file(&self, name: &str) -> io::Result<RealFile> {
        let path = self.file(name);
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o644).open(&path)?;
        if let Some((mode, group)) = self.shared {
            if file.metadata()?.gid() != group {
                // Who does not belong to the group shares as far as the other permissions go.
                let _ = std::os::unix::fs::fchown(&file, None, Some(group));
            }
            file.set_permissions(std::fs::Permissions::from_mode(mode))?;
        }
        Ok(RealFile { file, path })
    }
}

impl Disk for Folder {
    fn list(&self) -> io::Result<Vec<String>> {
        let names = std::fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    }

    fn create(&self, name: &str, length: u64) -> io::Result<Box<dyn DiskFile>> {
        let made = self.make_file(name)?;
        made.file.set_len(length)?;
        Ok(Box::new(made))
    }

    fn open(&self, name: &str, write: bool) -> io::Result<Box<dyn DiskFile>> {
        let path = self.file(name);
        let file = OpenOptions::new().read(true).write(write).open(&path)?;
        Ok(Box::new(RealFile { file, path }))
    }

    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let open = || OpenOptions::new().append(true).open(self.file(name));
        let mut opened = open();
        // Another process may move the file away between its making and its opening, though hardly time and again.
        for _ in 0..APPEND_TRIES {
            if !matches!(&opened, Err(error) if error.kind() == io::ErrorKind::NotFound) {
                break;
            }
            match self.make_file(name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => opened = open(),
            }
        }
        opened?.write_all(bytes)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        std::fs::rename(self.file(from), self.file(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.file(name))
    }

    fn sync(&self) -> io::Result<()> {
        File::open(&self.path)?.sync_all()
    }

    fn room(&self) -> io::Result<u64> {
        let found = rustix::fs::statvfs(&self.path)?;
        Ok(found.f_bavail.saturating_mul(found.f_frsize))
    }
}

#[derive(Debug)]
struct RealFile {
    file: File,
    path: PathBuf,
}

impl DiskFile for RealFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, at)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn try_lock(&self) -> io::Result<bool> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn is_linked(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.nlink() > 0)
    }

    fn data_end(&self, from: u64) -> io::Result<u64> {
        holes::data_end(&self.file, from)
    }

    fn allocate(&self, from: u64, length: u64) -> io::Result<()> {
        let end = from.saturating_add(length);
        if holes::fill(&self.file, from, length)? && self.length()? < end {
            self.file.set_len(end)?;
        }
        Ok(())
    }

    fn map(&self) -> io::Result<Map> {
        let length = self.length()?;
        let end = self.backed()?;
        if length == 0 || end == 0 {
            return Ok(Map { bytes: Bytes::new(), live: false });
        }
        // No writer writes beyond a hole. But a copy of the file may have left out stretches of zeros: they get their room
        // now, or the file is read instead.
        if end < u64::MAX && holes::are_before(&self.file, end)? {
            let filled = OpenOptions::new().write(true).open(&self.path).and_then(|file| holes::fill(&file, 0, end));
            if filled.is_err() {
                return Ok(Map { bytes: holes::read(&self.file, end, length)?, live: false });
            }
        }
        Ok(Map { bytes: crate::map::map(&self.file)?, live: true })
    }

    fn backed(&self) -> io::Result<u64> {
        match holes::take_room(&self.file) {
            true => holes::data_end(&self.file, 0),
            false => Ok(u64::MAX),
        }
    }
}
