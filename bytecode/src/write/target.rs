//! What a file is written for: a release, versions of dialects, and encoders of the caller's.

use std::sync::Arc;

use mlirbc_ir::ods::{OpDef, PropertyDef, Release, UndefinedOp};
use mlirbc_ir::{Context, Error, Identifier, Module, OperationName, Result};

use super::options::WriteOptions;
use crate::encoding::{self, DialectVersion, EntryWriter, Resolver, Sink, WriteCallbacks};
use crate::read::BytecodeFile;

/// What [`Target::kind`] gives.
pub(crate) type Kind = (Release, bool, Option<Release>);

/// What a file is written for.
pub(crate) struct Target {
    /// How many versions the caller asked for.
    requested: usize,
    /// Versions of dialects that encoders may ask for; those that the caller asked for come first.
    pub(crate) versions: Vec<(String, DialectVersion)>,
    /// Encoders that go before those of the dialects.
    pub(crate) callbacks: WriteCallbacks,
    /// The release that is to read what is written.
    pub(crate) release: Release,
    /// Whether that, or the file that the module came from, is of another release than the definitions.
    pub(crate) crosses_releases: bool,
    /// The release of the file that the module came from; `None` of one that names none. A module of no file is of the
    /// newest.
    source: Option<Release>,
    /// Dialects to write as unregistered ones.
    unregistered: Vec<String>,
}

impl Target {
    pub(crate) fn new(module: &Module, options: &WriteOptions) -> Result<Self> {
        let context = module.context();
        for (dialect, _) in &options.dialect_versions {
            if encoding::find(context, dialect.as_bytes()).is_none() {
                return Err(Error::misuse(format!("no encoding of `{dialect}` is registered: it has no versions")));
            }
        }
        let mut versions = options.dialect_versions.clone();
        // A dialect that was not upgraded is written as it was read.
        if let Some(file) = BytecodeFile::of(module) {
            for (dialect, bytes) in module.dialect_versions()? {
                let name = context.text(*dialect);
                if !bytes.is_empty()
                    && let Ok(Some(version)) = file.dialect_version(&name)
                {
                    versions.push((name.into_owned(), version));
                }
            }
        }
        Ok(Target {
            requested: options.dialect_versions.len(),
            versions,
            callbacks: options.callbacks.clone(),
            release: options.release,
            crosses_releases: options.release != Release::DEFAULT
                || BytecodeFile::of(module).is_some_and(|file| file.release() != Some(Release::DEFAULT)),
            source: BytecodeFile::of(module).map_or(Some(Release::NEWEST), BytecodeFile::release),
            unregistered: options.unregistered.clone(),
        })
    }

    /// What an encoder writes with.
    pub(crate) fn writer<'a>(&'a self, context: &'a Context, version: u64, sink: &'a mut dyn Sink) -> EntryWriter<'a> {
        EntryWriter { context, version, release: self.release, dialects: &self.versions, sink }
    }

    /// What what is known of a context depends on, beside the version of bytecode; `None` where the caller has a say in it, or the file that
    /// the module came from.
    pub(crate) fn kind(&self) -> Option<Kind> {
        let is_plain = self.versions.is_empty() && self.callbacks.is_empty() && self.unregistered.is_empty();
        is_plain.then_some((self.release, self.crosses_releases, self.source))
    }

    /// Whether the dialect of that name is to be written as an unregistered one.
    pub(crate) fn hides(&self, context: &Context, dialect: Identifier) -> bool {
        let name = context.bytes(dialect);
        self.unregistered.iter().any(|hidden| hidden.as_bytes() == name)
    }

    /// Whether a reader who knows MLIR's own dialects alone knows the operation, or knows its dialect.
    fn shows(&self, context: &Context, name: OperationName) -> bool {
        let own = || context.definition(name).is_some_and(|definition| definition.is_of_mlir);
        !self.hides(context, context.operation_dialect(name)) || own()
    }

    /// Whether the operation is to be marked as registered.
    pub(crate) fn is_registered(&self, context: &Context, name: OperationName) -> bool {
        match context.undefined_operation(name) {
            Some(op) if op.is_in(self.release) => true,
            _ => context.is_registered(name) && self.shows(context, name) && !self.unregisters(context, name),
        }
    }

    /// Whether the operation is registered and the release lacks it, though that of the module has it: it is kept as one that
    /// is unknown.
    pub(crate) fn unregisters(&self, context: &Context, name: OperationName) -> bool {
        let is_left =
            |op: &Arc<UndefinedOp>| !op.is_in(self.release) && self.source.is_some_and(|source| op.is_in(source));
        context.definition(name).is_none() && context.undefined_operation(name).is_some_and(is_left)
    }

    /// How the release lays out the properties of a registered operation that no definition lays out, where it has it.
    pub(crate) fn undefined_layout(&self, context: &Context, name: OperationName) -> Option<Vec<PropertyDef>> {
        context.undefined_operation(name)?.layout(self.release)
    }

    /// The definition that the file's readers are to follow.
    pub(crate) fn definition<'c>(&self, context: &'c Context, name: OperationName) -> Option<&'c Arc<OpDef>> {
        context.definition(name).filter(|_| self.shows(context, name))
    }

    /// The version of the operation's dialect that is written, where it is another than the current one.
    pub(crate) fn version_of(&self, context: &Context, name: OperationName) -> Option<&DialectVersion> {
        let dialect = context.bytes(context.operation_dialect(name));
        self.versions.iter().find(|(known, _)| known.as_bytes() == dialect).map(|(_, version)| version)
    }

    /// Whether the caller asked for a version of the dialect.
    pub(crate) fn requests(&self, context: &Context, dialect: Identifier) -> bool {
        let name = context.bytes(dialect);
        self.versions[..self.requested].iter().any(|(requested, _)| requested.as_bytes() == name)
    }
}
