//! Writing bytecode.

mod client;
mod emitter;
mod ir;
mod isolation;
mod keep;
mod locations;
mod lossy;
mod numbering;
mod operation;
mod order;
mod properties;
mod property_values;
mod resources;
mod strings;
mod tables;
mod use_lists;

use std::io::Write;

use mlirbc_ir::ods::Release;
use mlirbc_ir::{Error, Module, Result};

use self::client::Client;
use self::emitter::Emitter;
use self::ir::IrWriter;
use self::numbering::Numbering;
use self::properties::Blobs;
use self::resources::ResourceOrder;
use self::strings::Strings;
use self::tables::Numbers;
use crate::encoding::{DialectVersion, WriteCallbacks};
use crate::read::{MAGIC, NEWEST_VERSION, SectionId};

pub use self::lossy::Losses;

/// How to write a module.
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
        }
    }
}

impl WriteOptions {
    /// For readers of another release of MLIR. Where the producer names one that it is not, this library is named in its
    /// place, with the release.
    #[must_use]
    pub fn for_release(mut self, release: Release) -> Self {
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
    pub fn by_producer(mut self, producer: impl Into<Vec<u8>>) -> Self {
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

/// Writes a module as bytecode into memory.
///
/// The same module and options give the same bytes, and these are the bytes that mlir-opt writes of the same IR.
///
/// # Errors
/// Where part of the module cannot be decoded, or the version cannot hold something: the error names the first such
/// thing.
pub fn write(module: &Module, options: &WriteOptions) -> Result<Vec<u8>> {
    write_with_losses(module, options).map(|written| written.0)
}

/// Writes a module as bytecode into memory, and says what [`WriteOptions::lossy`] dropped.
///
/// # Errors
/// As [`write()`].
pub fn write_with_losses(module: &Module, options: &WriteOptions) -> Result<(Vec<u8>, Losses)> {
    let mut file = Emitter::default();
    let losses = emit(module, options, &mut file)?;
    Ok((file.into_bytes(), losses))
}

/// Writes a module as bytecode to `to`. Large blobs of resources and the data of large dense attributes are written from where they
/// stand: this takes no memory for them.
///
/// # Errors
/// As [`write()`], and where writing to `to` fails.
pub fn write_to(module: &Module, options: &WriteOptions, mut to: impl Write) -> Result<Losses> {
    let mut file = Emitter::default();
    let losses = emit(module, options, &mut file)?;
    file.write_to(&mut to)?;
    Ok(losses)
}

fn emit(module: &Module, options: &WriteOptions, file: &mut Emitter) -> Result<Losses> {
    let version = options.version;
    if version > NEWEST_VERSION {
        return Err(Error::misuse(format!("no bytecode version {version}: the newest is {NEWEST_VERSION}")));
    }
    if options.producer.contains(&0) {
        return Err(Error::misuse("a producer string with a zero in it"));
    }
    let client = Client::new(module, options)?;
    let losses = match keep::opaque_file(module)? {
        Some(source) => keep::emit(module, source, options, &client, file)?,
        None => emit_anew(module, options, &client, file)?,
    };
    if !options.lossy {
        losses.refuse(version)?;
    }
    Ok(losses)
}

/// Writes a module with tables of its own.
fn emit_anew(module: &Module, options: &WriteOptions, client: &Client, file: &mut Emitter) -> Result<Losses> {
    let version = options.version;
    let mut numbering = Numbering::new(module, version, client);
    if options.strip_locations {
        numbering.strip_locations();
    }
    let met_all = numbering.run();
    if numbering.met_opaque
        && let Some(source) = keep::file_of(module)
    {
        return keep::emit(module, source, options, client, file);
    }
    met_all?;
    let attributes = numbering.attributes.sorted();
    let types = numbering.types.sorted();
    let names = numbering.names.sorted();
    let met = std::mem::take(&mut numbering.resources);
    let dialect_of = {
        let dialects: std::collections::HashMap<_, u32> = numbering.dialects.iter().copied().zip(0..).collect();
        move |handle: mlirbc_ir::ResourceHandle| dialects.get(&module.context()[handle].dialect).copied().unwrap_or(0)
    };
    let resources = ResourceOrder::new(module, &met, dialect_of)?;
    let numbers = Numbers {
        attributes: numbering.attributes.numbers(&attributes),
        types: numbering.types.numbers(&types),
        names: numbering.names.numbers(&names),
        resources: resources.numbers(),
    };
    let mut strings = Strings::default();
    let mut blobs = Blobs::default();

    // Most modules take less. What is reserved and not used was never touched.
    file.bytes.reserve(24 * module.bodies().map(|(_, body)| body.operation_count()).sum::<usize>());
    file.bytes.extend_from_slice(&MAGIC);
    file.varint(version);
    file.bytes.extend_from_slice(&options.producer);
    file.byte(0);
    // This order of the sections is also the order in which strings get their numbers.
    let versions = module.dialect_versions()?;
    let dialects = tables::dialect_section(&mut numbering, &names, &mut strings, versions)?;
    file.section(SectionId::Dialect as u8, &dialects);
    tables::entry_sections(&numbering, &numbers, &attributes, &types, &mut strings, file)?;
    IrWriter::new(&mut numbering, &numbers, &mut strings, &mut blobs, file).section()?;
    let (offsets, payloads) = resources::sections(module, module.context(), &resources, &mut strings)?;
    file.section(SectionId::ResourceOffset as u8, &offsets);
    file.section(SectionId::Resource as u8, &payloads);
    file.section(SectionId::String as u8, &strings.section());
    if version >= 5 {
        file.section(SectionId::Properties as u8, &blobs.section());
    }
    Ok(numbering.losses)
}
