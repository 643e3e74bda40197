//! Versions of StableHLO, and what each is written in.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use mlirbc_bytecode::encoding::{DialectVersion, EntryReader, EntryWriter};
use mlirbc_ir::{Error, Result};

/// A version of StableHLO as its portable artifacts are of: `1.17.0`. Other bytecode has one where `mlirbc_bytecode::WriteOptions` was given
/// it as a dialect's version.
///
/// ```
/// use mlirbc_stablehlo::Version;
///
/// let version: Version = "1.10.9".parse()?;
/// assert!(version > Version::new(1, 10, 0) && version < Version::CURRENT);
/// assert_eq!((version.to_string().as_str(), version.minor_release()), ("1.10.9", Version::new(1, 10, 0)));
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    /// The first number.
    pub major: u64,
    /// The second: it grows where operations or types change.
    pub minor: u64,
    /// The third, which says nothing of what an artifact may hold.
    pub patch: u64,
}

impl Version {
    /// The newest version that is known here.
    pub const CURRENT: Version = Version::new(1, 21, 0);
    /// The oldest, with which stability began.
    pub const MINIMUM: Version = Version::new(0, 9, 0);

    /// The version of these numbers.
    pub const fn new(major: u64, minor: u64, patch: u64) -> Self {
        Version { major, minor, patch }
    }

    /// The same without its patch: what is allowed in one is allowed in the other.
    #[must_use]
    pub const fn minor_release(self) -> Self {
        Version { patch: 0, ..self }
    }

    /// The version of a dialect in bytecode: three numbers.
    pub(crate) fn read(reader: &mut EntryReader<'_, '_>) -> Result<DialectVersion> {
        Ok(Arc::new(Version { major: reader.varint()?, minor: reader.varint()?, patch: reader.varint()? }))
    }

    /// Writes the version of a dialect that was asked for, if one was.
    pub(crate) fn write(dialect: &str, writer: &mut EntryWriter<'_>) {
        let asked: Option<&Version> = writer.dialect_version(dialect).and_then(|version| version.downcast_ref());
        if let Some(version) = asked.copied() {
            writer.varint(version.major);
            writer.varint(version.minor);
            writer.varint(version.patch);
        }
    }

    /// The version of bytecode that artifacts of this version are written in.
    pub(crate) fn bytecode(self) -> u64 {
        match (self.major, self.minor) {
            (0, ..=9) => 0,
            (0, 10..=11) => 1,
            (0, 12..=13) => 3,
            (0, 14) => 4,
            _ => 6,
        }
    }

    /// The producer that artifacts of this version name.
    pub fn producer(self) -> String {
        format!("{PRODUCER}{self}")
    }

    /// The version that the producer of an artifact names. `None` where it is no artifact's.
    pub fn of_producer(producer: &[u8]) -> Option<Self> {
        std::str::from_utf8(producer.strip_prefix(PRODUCER.as_bytes())?).ok()?.parse().ok()
    }

    /// Refuses what artifacts cannot be written for.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](mlirbc_ir::ErrorKind::Misuse) where the version is below [`Version::MINIMUM`] or above
    /// [`Version::CURRENT`].
    pub(crate) fn check_target(self) -> Result<()> {
        if (Version::MINIMUM..=Version::CURRENT).contains(&self) {
            return Ok(());
        }
        let (from, to) = (Version::MINIMUM, Version::CURRENT);
        Err(Error::misuse(format!("StableHLO {self} cannot be written: versions go from {from} to {to}")))
    }
}

const PRODUCER: &str = "StableHLO_v";

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let number = |part: &str| {
            let digits = part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| digits)
        };
        let numbers: Option<Vec<u64>> = text.split('.').map(number).collect();
        match numbers.as_deref() {
            Some(&[major, minor, patch]) => Ok(Version { major, minor, patch }),
            _ => Err(Error::misuse(format!("{} is no version like 1.17.0", Error::quoted(text.as_bytes())))),
        }
    }
}
