//! Files that are written: each appears whole, or not at all.
//!
//! ```
//! use std::io::Write;
//! use mlirbc::output::Output;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("model.mlir");
//! let mut output = Output::create(&path)?;
//! writeln!(output, "module {{}}")?;
//! assert!(!path.exists()); // what is unfinished stands beside it, and goes where it is never finished
//! output.finish()?;
//! assert_eq!(std::fs::read(&path)?, b"module {}\n");
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "command")]
mod signals;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use mlirbc_ir::Result;

#[cfg(feature = "command")]
pub use signals::clear_up_on_signals;

/// A file being written.
///
/// What is written goes into a hidden file beside the target, which takes the target's place with [`Output::finish`]:
/// any reader finds the old file or the new one, whole. Where an output is dropped unfinished, the hidden file is
/// removed, and the target is as it was.
///
/// - A file that is replaced hands on its mode, and its owner and group where the system allows that; a new one is made as the
///   umask says. A file without leave to write is refused, even for root.
/// - A symbolic link stays, and what it leads to is replaced or made. Other hard links of a replaced file keep the old content.
/// - Devices, pipes, sockets and open descriptors (`/dev/stdout`, `/dev/fd/3`) are written straight into.
///
/// It is not waited until the disk has it. Errors name the target.
#[derive(Debug)]
pub struct Output {
    /// What errors name.
    name: PathBuf,
    file: BufWriter<File>,
    /// The file beside the target; none where the target is written straight into.
    unfinished: Option<Unfinished>,
    /// Whether a write failed because the reading end is closed.
    reader_is_gone: bool,
}

/// As much is written at once.
const BUFFER: usize = 1 << 16;

impl Output {
    /// Begins to write to `path`. A named pipe is waited for until it has a reader.
    ///
    /// # Errors
    /// Where the target is a folder or must not be written, and where no file can be made beside it.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        let name = path.as_ref();
        Self::open(name).map_err(|error| named(name, error).into())
    }

    /// Standard output, written straight into.
    ///
    /// # Errors
    /// Where the process has no descriptor left.
    pub fn standard() -> Result<Self> {
        let name = PathBuf::from("standard output");
        match io::stdout().as_fd().try_clone_to_owned() {
            Ok(descriptor) => Ok(Self::straight(name, descriptor.into())),
            Err(error) => Err(named(&name, error).into()),
        }
    }

    fn straight(name: PathBuf, file: File) -> Self {
        Output { name, file: BufWriter::with_capacity(BUFFER, file), unfinished: None, reader_is_gone: false }
    }

    fn open(name: &Path) -> io::Result<Self> {
        let straight = |file| Ok(Self::straight(name.to_owned(), file));
        if name.as_os_str().as_bytes().ends_with(b"/") {
            return Err(io::Error::new(ErrorKind::IsADirectory, "the name of a folder"));
        }
        let target = Target::of(name);
        match target {
            Ok(Target::Descriptor(1)) => return straight(io::stdout().as_fd().try_clone_to_owned()?.into()),
            Ok(Target::Descriptor(2)) => return straight(io::stderr().as_fd().try_clone_to_owned()?.into()),
            // Behind what is there: another process may be writing to it as well.
            Ok(Target::Descriptor(_)) => return straight(File::options().append(true).open(name)?),
            _ => {}
        }
        // Nothing is written by this; it asks the system whether it may be, and it finds what is no file.
        let replaced = match File::options().write(true).open(name) {
            Ok(file) => {
                let metadata = file.metadata()?;
                if !metadata.is_file() {
                    return straight(file);
                }
                if metadata.permissions().readonly() {
                    return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
                }
                Some(metadata)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let Target::File(target) = target? else { return Err(ErrorKind::InvalidInput.into()) };
        let (unfinished, file) = Unfinished::new(target, replaced.as_ref())?;
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Output { name: name.to_owned(), file, unfinished: Some(unfinished), reader_is_gone: false })
    }

    /// Has room made for so many bytes at once, where the file is not written straight into and the system can do that: it costs less
    /// than room made page by page. The file is still as long as what is written.
    pub fn reserve(&mut self, bytes: u64) {
        #[cfg(target_os = "linux")]
        if self.unfinished.is_some() && bytes > 0 {
            // Where there is no room, writing says so.
            let _ = rustix::fs::fallocate(self.file.get_ref(), rustix::fs::FallocateFlags::KEEP_SIZE, 0, bytes);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = bytes;
    }

    /// Writes what is left, and puts the file in the target's place.
    ///
    /// # Errors
    /// Where the system refuses; the target is then as it was, unless it is written straight into.
    pub fn finish(mut self) -> Result<()> {
        self.flush()?;
        let Output { name, file, unfinished, .. } = self;
        drop(file);
        match unfinished {
            Some(unfinished) => unfinished.rename().map_err(|error| named(&name, error).into()),
            None => Ok(()),
        }
    }

    /// Whether writing failed because nothing reads any more: the other end of a pipe was closed, as `head` does when it has
    /// seen enough.
    pub fn reader_is_gone(&self) -> bool {
        self.reader_is_gone
    }

    fn noted<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            self.reader_is_gone |= error.kind() == ErrorKind::BrokenPipe;
            named(&self.name, error)
        })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let result = self.file.write(bytes);
        self.noted(result)
    }

    fn flush(&mut self) -> io::Result<()> {
        let result = self.file.flush();
        self.noted(result)
    }
}

/// The error with the target's name before it. One that is to be tried again stays as it is.
fn named(name: &Path, error: io::Error) -> io::Error {
    match error.kind() {
        ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("{}: {error}", name.display())),
    }
}

/// Where writing to a path leads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A file of that path, there or not: no link, in a folder whose path is free of links.
    File(PathBuf),
    /// A descriptor that is open in this process: `/dev/stdout` is 1.
    Descriptor(u32),
}

/// As many links are followed as Linux follows.
const MOST_LINKS: usize = 40;

impl Target {
    /// Follows the links of a path, to a file or to where one would be made.
    ///
    /// # Errors
    /// Where a folder on the way is missing, or links lead in a circle.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let Some(name) = path.file_name() else { return fs::canonicalize(path).map(Target::File) };
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(".".as_ref());
            let parent = fs::canonicalize(parent)?;
            if is_descriptors(&parent)
                && let Some(number) = name.to_str().and_then(|name| name.parse().ok())
            {
                return Ok(Target::Descriptor(number));
            }
            let whole = parent.join(name);
            match fs::read_link(&whole) {
                Ok(to) => path = parent.join(to),
                Err(_) => return Ok(Target::File(whole)),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }
}

/// Whether a folder is the one in which the system shows the open descriptors of this process.
fn is_descriptors(folder: &Path) -> bool {
    let shown = || fs::canonicalize("/proc/self/fd").is_ok_and(|own| own == folder);
    folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && shown())
}

/// The files that are not finished yet.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn all_unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file beside a target, which goes where it is dropped.
#[derive(Debug)]
struct Unfinished {
    path: PathBuf,
    target: PathBuf,
}

impl Unfinished {
    fn new(target: PathBuf, replaced: Option<&Metadata>) -> io::Result<(Self, File)> {
        let (Some(folder), Some(name)) = (target.parent(), target.file_name()) else {
            return Err(ErrorKind::IsADirectory.into());
        };
        // No other user may see what takes the place of a secret.
        let mode = if replaced.is_some() { 0o600 } else { 0o666 };
        // Held until it stands in the list, so that none is made behind the back of one who clears up.
        let mut all = all_unfinished();
        let (path, file) = loop {
            let path = folder.join(beside(name.as_bytes()));
            match File::options().write(true).create_new(true).mode(mode).open(&path) {
                Ok(file) => break (path, file),
                Err(error) => match error.kind() {
                    // Of a process of that number that was killed, or runs on another machine.
                    ErrorKind::AlreadyExists => {}
                    ErrorKind::NotFound => return Err(error),
                    kind => return Err(io::Error::new(kind, format!("no file can be made in its folder: {error}"))),
                },
            }
        };
        all.insert(path.clone());
        drop(all);
        let unfinished = Unfinished { path, target };
        if let Some(replaced) = replaced {
            hand_on(replaced, &file)?;
        }
        Ok((unfinished, file))
    }

    fn rename(self) -> io::Result<()> {
        let mut all = all_unfinished();
        fs::rename(&self.path, &self.target)?;
        all.remove(&self.path);
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if all_unfinished().remove(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A name for a file beside another one of that name: hidden, no longer than names may be, and never given before by this
/// process.
fn beside(name: &[u8]) -> OsString {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let kept = &name[..name.len().min(200)];
    let end = format!(".{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    OsString::from_vec([b".", kept, end.as_bytes()].concat())
}

/// Gives a file the mode of the one that it replaces, and its owner and group where that is allowed.
fn hand_on(replaced: &Metadata, file: &File) -> io::Result<()> {
    let mut metadata = file.metadata()?;
    if (metadata.uid(), metadata.gid()) != (replaced.uid(), replaced.gid()) {
        fchown(file, Some(replaced.uid()), Some(replaced.gid()))
            .or_else(|_| fchown(file, None, Some(replaced.gid())))
            .ok();
        metadata = file.metadata()?;
    }
    let mut mode = replaced.mode() & 0o777;
    if metadata.gid() != replaced.gid() {
        // What one group may do is not for another.
        mode &= !0o070;
    }
    match metadata.mode() & 0o777 == mode {
        true => Ok(()),
        false => file.set_permissions(Permissions::from_mode(mode)),
    }
}
