//! What a caller says about writing.

use std::sync::Arc;

use mlirbc_ir::Module;
use mlirbc_ir::ods::Release;

use crate::encoding::{DialectVersion, WriteCallbacks};
use crate::format::NEWEST_VERSION;

/// How to write a module.
///
/// ```
/// use mlirbc_bytecode::WriteOptions;
///
/// let options = WriteOptions::new().version(4).lossy(true).strip_locations(true);
/// assert_eq!((options.version, options.lossy), (4, true));
/// ```
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// The bytecode version, 0 to 6.
    pub version: u64,
    /// The release of MLIR that is to read the file. The format's version has been 6 since LLVM 20, but newer releases
    /// have encodings, and members of operations, that older ones refuse.
    pub release: Release,
    /// The producer string, without zeros. Readers take from it which release the file is for.
    pub producer: Vec<u8>,
    /// Whether to drop what the version cannot hold; else it is an error.
    pub lossy: bool,
    /// Whether to write every location of an operation or block argument as unknown.
    pub strip_locations: bool,
    /// Versions to emit of dialects, each as the dialect's own decoder reads it; else the version of the file that the
    /// module was read from, or the current one: see [`EntryWriter::dialect_version`](crate::encoding::EntryWriter).
    pub dialect_versions: Vec<(String, DialectVersion)>,
    /// Encoders that go before those of the dialects.
    pub callbacks: WriteCallbacks,
    /// Dialects to write as unregistered ones, so that readers need not know them: attributes and types as
    /// text, operations marked as unregistered with a dictionary for properties, no version. Operations of such a dialect
    /// that MLIR's own tables define stay registered, and encodings that are MLIR's own
    /// ([`DialectEncoding::is_of_mlir`](crate::encoding::DialectEncoding::is_of_mlir)) are used.
    pub unregistered: Vec<String>,
    /// On how many threads to write; 0 is as 1. The bytes, and errors, are the same. What isolated operations hold is written at once
    /// on several, and that takes some more memory: up to that of the bytes of some 65,536 operations a thread.
    pub threads: usize,
}

impl Default for WriteOptions {
    /// The newest version, by this crate.
    fn default() -> Self {
        WriteOptions {
            version: NEWEST_VERSION,
            release: Release::DEFAULT,
            producer: concat!("mlirbc", env!("CARGO_PKG_VERSION")).into(),
            lossy: false,
            strip_locations: false,
            dialect_versions: Vec::new(),
            callbacks: WriteCallbacks::default(),
            unregistered: Vec::new(),
            threads: 1,
        }
    }
}

impl WriteOptions {
    /// The newest version, by this crate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`WriteOptions::version`].
    #[must_use]
    pub fn version(mut self, version: u64) -> Self {
        self.version = version;
        self
    }

    /// Sets [`WriteOptions::lossy`].
    #[must_use]
    pub fn lossy(mut self, lossy: bool) -> Self {
        self.lossy = lossy;
        self
    }

    /// Sets [`WriteOptions::strip_locations`].
    #[must_use]
    pub fn strip_locations(mut self, strip: bool) -> Self {
        self.strip_locations = strip;
        self
    }

    /// Sets [`WriteOptions::threads`].
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// One more of [`WriteOptions::dialect_versions`], of a dialect whose versions are numbers.
    #[must_use]
    pub fn dialect_version(mut self, dialect: impl Into<String>, number: u64) -> Self {
        self.dialect_versions.push((dialect.into(), Arc::new(number)));
        self
    }

    /// More of [`WriteOptions::unregistered`].
    #[must_use]
    pub fn unregistered(mut self, dialects: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.unregistered.extend(dialects.into_iter().map(Into::into));
        self
    }

    /// Sets [`WriteOptions::callbacks`].
    #[must_use]
    pub fn callbacks(mut self, callbacks: WriteCallbacks) -> Self {
        self.callbacks = callbacks;
        self
    }

    /// For readers of another release of MLIR. Where the producer names one that it is not, this library is named in its
    /// place, with the release.
    #[must_use]
    pub fn release(mut self, release: Release) -> Self {
        if Release::of_producer(&self.producer) != Some(release) {
            self.producer = Self::default().producer;
            if release != Release::DEFAULT {
                self.producer.extend_from_slice(format!(" MLIR{}", release.major()).as_bytes());
            }
        }
        self.release = release;
        self
    }

    /// As that producer, for readers of the release that it [names](Release::of_producer); one that names none leaves the
    /// release as it is.
    #[must_use]
    pub fn producer(mut self, producer: impl Into<Vec<u8>>) -> Self {
        self.producer = producer.into();
        self.release = Release::of_producer(&self.producer).unwrap_or(self.release);
        self
    }

    /// Version, release and producer of the file that the module was read from; the default where it was not read from bytecode.
    pub fn like(module: &Module) -> Self {
        match module.info.version {
            Some(version) => {
                let producer = module.info.producer.clone();
                let release = Release::of_producer(&producer).unwrap_or_default();
                WriteOptions { version, release, producer, ..Self::default() }
            }
            None => Self::default(),
        }
    }
}
