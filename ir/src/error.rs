//! One error type for the whole project: one word wide, three families, and where and why.

use std::fmt;
use std::sync::Arc;

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

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident $text:literal,)*) => {
        /// What went wrong, for a program: which error it is, whatever its message says.
        ///
        /// Codes and their texts stay what they are from one version to the next, and what has a code keeps it. New codes may come, for
        /// what only has the code of its [family](ErrorKind) now.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum ErrorCode {
            $(#[doc = concat!("`", $text, "`:")] $(#[$doc])* $name,)*
        }

        impl ErrorCode {
            /// Every code.
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$name,)*];

            /// The code as text, such as `in-use`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(ErrorCode::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// the input is not what its format says, in a way that has no code of its own.
    Malformed "malformed",
    /// a rule of an operation, attribute or type is broken.
    Verification "verification",
    /// something was asked for that cannot be done, which has no code of its own.
    Misuse "misuse",
    /// the operating system failed. [`Error::source`](std::error::Error::source) is the [`std::io::Error`], where that is kept.
    Io "io",
    /// the input has something that this build does not know.
    Unknown "unknown",
    /// there is no operation, block, region, value or body of that number: it is perhaps one of another body, or of another module.
    NoSuchId "no-such-id",
    /// what a number stood for was erased.
    Erased "erased",
    /// it cannot be erased, since it is still used.
    InUse "in-use",
    /// an operation is in no block, or in one already, where it would have to be the other way round.
    WrongPlace "wrong-place",
    /// another thread, or a rewriter, has the body.
    BodyTaken "body-taken",
    /// there is no symbol of that name, or the operation defines none in a symbol table.
    NoSymbol "no-symbol",
    /// there is another symbol of that name already.
    SymbolExists "symbol-exists",
    /// something unknown may be a symbol table, so that nobody knows who names a symbol.
    UnknownSymbolTable "unknown-symbol-table",
    /// a name comes twice, or is taken: of a dialect, an attribute, a resource.
    NameTaken "name-taken",
    /// an attribute or a type is of another kind than was asked for, or a number does not fit.
    WrongType "wrong-type",
    /// the types of results were not given, and no definition says them.
    TypesNotKnown "types-not-known",
    /// an operation has no definition, or that has no operand or result of that name.
    NotDefined "not-defined",
    /// something belongs to another context.
    OtherContext "other-context",
    /// bytes that nothing decodes belong to the file that they came from, and were to go somewhere else, or to be changed.
    Opaque "opaque",
    /// bytecode is of a version that this build does not have.
    BytecodeVersion "bytecode-version",
    /// what is to be written has no place in the version, release or format that it is to be written in.
    Lossy "lossy",
    /// the name of a file does not say what is to be written to it.
    FileFormat "file-format",
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<ErrorKind> for ErrorCode {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Malformed => ErrorCode::Malformed,
            ErrorKind::Verification => ErrorCode::Verification,
            ErrorKind::Misuse => ErrorCode::Misuse,
            ErrorKind::Io => ErrorCode::Io,
            ErrorKind::Unknown => ErrorCode::Unknown,
        }
    }
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

#[derive(Clone, Debug)]
struct Inner {
    kind: ErrorKind,
    /// None where the family says it.
    code: Option<ErrorCode>,
    message: String,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    reading: Vec<String>,
    place: ErrorPlace,
}

/// Without what caused it, which its message says.
impl PartialEq for Inner {
    fn eq(&self, other: &Self) -> bool {
        let of = |it: &Self| (it.kind, it.code);
        of(self) == of(other)
            && (&self.message, &self.reading, &self.place) == (&other.message, &other.reading, &other.place)
    }
}

impl Eq for Inner {}

/// An error: its family, what went wrong, what was being read, and where.
///
/// A program that does not stop at it asks for its [code](Error::code):
///
/// ```
/// use mlirbc_ir::{Context, ErrorCode, Module};
///
/// let mut module = Module::new(&Context::new());
/// match module.rename_symbol("f", "g") {
///     Err(error) if error.code() == ErrorCode::NoSymbol => println!("there is no @f"),
///     other => other?,
/// }
/// # Ok::<(), mlirbc_ir::Error>(())
/// ```
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
        let (message, reading, place) = (message.into(), Vec::new(), ErrorPlace::default());
        Error(Box::new(Inner { kind, code: None, message, source: None, reading, place }))
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

    /// The same error, with a code of its own.
    #[must_use]
    pub fn with_code(mut self, code: ErrorCode) -> Self {
        self.0.code = Some(code);
        self
    }

    /// The same error, caused by another one.
    #[must_use]
    pub fn caused_by(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// An error of the same family and code with another message, which mostly has that of this one in it: this one is what caused it.
    #[must_use]
    pub fn wrapped(self, message: impl Into<String>) -> Self {
        let (message, reading, place) = (message.into(), Vec::new(), ErrorPlace::default());
        let (kind, code) = (self.0.kind, self.0.code);
        Error(Box::new(Inner { kind, code, message, source: Some(Arc::new(self)), reading, place }))
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

    /// Which error it is. Where it has no code of its own, that of its family.
    pub fn code(&self) -> ErrorCode {
        self.0.code.unwrap_or(self.0.kind.into())
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

impl std::error::Error for Error {
    /// What caused it, where another error did: of the operating system, for one.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::new(ErrorKind::Io, error.to_string()).caused_by(error)
    }
}

/// Several errors, at least one: what [`Module::verify`](crate::Module::verify) found.
#[derive(Clone, PartialEq, Eq)]
pub struct Errors(Vec<Error>);

impl Errors {
    /// These, where there are any.
    pub fn of(errors: Vec<Error>) -> Option<Self> {
        (!errors.is_empty()).then_some(Errors(errors))
    }

    /// The one that was found first.
    ///
    /// ```
    /// # use mlirbc_ir::{Context, Module};
    /// # let context = Context::new();
    /// # let mut module = Module::with_module_op(&context)?;
    /// # let place = module.operations()?.next().ok_or("no operation")?.place();
    /// module.set_attribute(place, "sym_name", 1)?;
    /// let errors = module.verify().expect_err("a name is a string");
    /// assert!(errors.first().message().contains("sym_name"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first(&self) -> &Error {
        &self.0[0]
    }

    /// Each of them, in the order in which they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Error> {
        self.0.iter()
    }
}

impl IntoIterator for Errors {
    type Item = Error;
    type IntoIter = std::vec::IntoIter<Error>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Errors {
    type Item = &'a Error;
    type IntoIter = std::slice::Iter<'a, Error>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// One a line.
impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, error) in self.iter().enumerate() {
            let before = if at > 0 { "\n" } else { "" };
            write!(f, "{before}{error}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Errors {}

/// All of them as one, of the family and with the code of the first.
impl From<Errors> for Error {
    fn from(errors: Errors) -> Self {
        let message = errors.to_string();
        let mut all = errors.0;
        match all.len() {
            1 => all.remove(0),
            _ => all.first().map_or(Error::verification(""), |first| {
                Error::new(first.kind(), message).with_code(first.code()).caused_by(Errors(all.clone()))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::error::Error as _;

    #[test]
    fn codes_are_of_a_family_or_their_own() {
        let mut texts: Vec<_> = ErrorCode::ALL.iter().map(|code| code.as_str()).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), ErrorCode::ALL.len());
        assert_eq!(Error::misuse("no").code(), ErrorCode::Misuse);
        let used = Error::misuse("it is used").with_code(ErrorCode::InUse);
        assert_eq!((used.code().to_string(), used.kind()), ("in-use".into(), ErrorKind::Misuse));
        assert_ne!(used, Error::misuse("it is used"));
    }

    #[test]
    fn what_the_system_says_is_kept() {
        let error = Error::from(std::io::Error::from(std::io::ErrorKind::NotFound));
        let source = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
        assert_eq!(source.map(std::io::Error::kind), Some(std::io::ErrorKind::NotFound));
        assert_eq!(error.code(), ErrorCode::Io);
        assert_eq!(error.clone(), error);
    }

    #[test]
    fn several_are_one_value() {
        assert_eq!(Errors::of(Vec::new()), None);
        let errors = Errors::of(vec![Error::verification("a"), Error::malformed("b")]).expect("two");
        assert_eq!(errors.to_string(), "a\nb");
        assert_eq!(errors.first().message(), "a");
        assert_eq!(errors.iter().map(Error::message).collect::<Vec<_>>(), ["a", "b"]);
        let one = Error::from(errors.clone());
        assert_eq!((one.message(), one.code()), ("a\nb", ErrorCode::Verification));
        let source = one.source().and_then(|source| source.downcast_ref::<Errors>());
        assert_eq!(source, Some(&errors));
        let single = Errors::of(vec![Error::malformed("b")]).expect("one");
        assert_eq!(Error::from(single), Error::malformed("b"));
    }
}
