//! What the store asks of the file system, all of it: tests stand in for it, and fail where they want.

use std::fmt::Debug;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use bytes::Bytes;

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
}

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
    /// The bytes, mapped.
    fn map(&self) -> io::Result<Bytes>;
}

/// A directory of the operating system.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A directory that exists.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Folder { path: path.into() }
    }

    /// Makes the directory, for its user alone, if it is not there.
    ///
    /// # Errors
    /// What the system says.
    pub fn make(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
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

    /// Whether somebody else than this user (and root) may change the directory.
    pub(crate) fn is_open_to_others(path: &Path) -> io::Result<bool> {
        let metadata = std::fs::metadata(path)?;
        let owner = metadata.uid();
        Ok(metadata.mode() & 0o022 != 0 || (owner != 0 && owner != rustix::process::geteuid().as_raw()))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Disk for Folder {
    fn list(&self) -> io::Result<Vec<String>> {
        let names = std::fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
        names.collect()
    }

    fn create(&self, name: &str, length: u64) -> io::Result<Box<dyn DiskFile>> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(self.file(name))?;
        file.set_len(length)?;
        Ok(Box::new(RealFile(file)))
    }

    fn open(&self, name: &str, write: bool) -> io::Result<Box<dyn DiskFile>> {
        let file = OpenOptions::new().read(true).write(write).open(self.file(name))?;
        Ok(Box::new(RealFile(file)))
    }

    fn append(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(self.file(name))?;
        file.write_all(bytes)
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
}

#[derive(Debug)]
struct RealFile(File);

impl DiskFile for RealFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn write_at(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, at)
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync_data()
    }

    fn try_lock(&self) -> io::Result<bool> {
        match self.0.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn is_linked(&self) -> io::Result<bool> {
        Ok(self.0.metadata()?.nlink() > 0)
    }

    fn data_end(&self, from: u64) -> io::Result<u64> {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{SeekFrom, seek};
            let mut end = from;
            // Over every stretch of data behind `from`: there are few, as nobody writes far ahead.
            while let Ok(data) = seek(&self.0, SeekFrom::Data(end)) {
                end = seek(&self.0, SeekFrom::Hole(data))?;
            }
            Ok(end)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = from;
            self.length()
        }
    }

    fn map(&self) -> io::Result<Bytes> {
        match self.length()? {
            0 => Ok(Bytes::new()),
            _ => crate::map::map(&self.0),
        }
    }
}
