//! One error type for the whole project: one word wide, three families, and where and why.

use std::fmt;

/// What went wrong, in three families that callers can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input is not what its format says: bytes or text are wrong.
    Malformed,
    /// The input is well formed, but breaks a rule of an operation, attribute or type.
    Verification,
    /// The caller asked for something that cannot be done.
    Misuse,
    /// The operating system failed to read or write.
    Io,
    /// The input has something that this build does not know, made perhaps by something newer. A reader of bytecode keeps
    /// such parts as they are where it can, and gives no error.
    Unknown,
}

/// Where in a file an error stands, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorPlace {
    /// Byte offset from the start of the file.
    pub offset: Option<u64>,
    /// The section being read.
    pub section: Option<&'static str>,
    /// Bytecode version of the file.
    pub version: Option<u64>,
    /// Producer string of the file.
    pub producer: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    kind: ErrorKind,
    message: String,
    reading: Vec<String>,
    place: ErrorPlace,
}

/// An error: its family, what went wrong, what was being read, and where.
///
/// One word wide, so that a `Result` of a small value stays in registers.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of the family `kind`.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner { kind, message: message.into(), reading: Vec::new(), place: ErrorPlace::default() }))
    }

    /// Bytes or text are not what their format says.
    #[cold]
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Malformed, message)
    }

    /// A rule of an operation, attribute or type is broken.
    #[cold]
    pub fn verification(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Verification, message)
    }

    /// The caller asked for something that cannot be done.
    #[cold]
    pub fn misuse(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Misuse, message)
    }

    /// The same error, of another family.
    #[must_use]
    pub fn of_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// The same error with a byte offset, unless it has one.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.0.place.offset.get_or_insert(offset);
        self
    }

    /// The same error, its offset counted from `start` as it stands in a larger whole.
    #[must_use]
    pub fn after(mut self, start: u64) -> Self {
        let offset = self.0.place.offset.get_or_insert(0);
        *offset = offset.saturating_add(start);
        self
    }

    /// The same error with the section being read, unless it has one.
    #[must_use]
    pub fn in_section(mut self, section: &'static str) -> Self {
        self.0.place.section.get_or_insert(section);
        self
    }

    /// The same error with the version and producer of the file, unless it has them.
    #[must_use]
    pub fn of_file(mut self, version: u64, producer: &str) -> Self {
        if self.0.place.version.is_none() {
            self.0.place.version = Some(version);
            self.0.place.producer = Some(producer.to_owned());
        }
        self
    }

    /// The same error, noting what was being read (innermost first).
    #[must_use]
    pub fn reading(mut self, what: impl Into<String>) -> Self {
        self.0.reading.push(what.into());
        self
    }

    /// A name as messages show it: what is not printable is escaped, and a long one is cut.
    pub fn quoted(name: &[u8]) -> String {
        const LONGEST: usize = 80;
        let text = String::from_utf8_lossy(&name[..name.len().min(4 * LONGEST)]);
        let mut quoted: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
        if text.chars().count() > LONGEST {
            quoted.push_str("...");
        }
        format!("`{quoted}`")
    }

    /// A number of things as messages show it, from the name of one: `1 operand`, `0 entries`, `2 bytes of a blob`.
    pub fn counted(count: impl fmt::Display, one: &str) -> String {
        let count = count.to_string();
        if count == "1" {
            return format!("1 {one}");
        }
        let (thing, of) = one.find(" of ").map_or((one, ""), |at| one.split_at(at));
        match thing.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])) {
            Some(stem) => format!("{count} {stem}ies{of}"),
            None => format!("{count} {thing}s{of}"),
        }
    }

    /// The family of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What went wrong, without place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What was being read, innermost first.
    pub fn what_was_read(&self) -> &[String] {
        &self.0.reading
    }

    /// Where it went wrong.
    pub fn place(&self) -> &ErrorPlace {
        &self.0.place
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        for what in &self.0.reading {
            write!(f, ", reading {what}")?;
        }
        let place = &self.0.place;
        if let Some(offset) = place.offset {
            write!(f, " (at offset {offset:#x}")?;
            if let Some(section) = place.section {
                write!(f, " in the {section} section")?;
            }
            f.write_str(")")?;
        } else if let Some(section) = place.section {
            write!(f, " (in the {section} section)")?;
        }
        if let Some(version) = place.version {
            write!(f, " [bytecode version {version}")?;
            match place.producer.as_deref() {
                Some("") | None => {}
                Some(producer) => write!(f, ", producer {producer:?}")?,
            }
            f.write_str("]")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::new(ErrorKind::Io, error.to_string())
    }
}
