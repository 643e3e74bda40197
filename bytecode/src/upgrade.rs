//! Bringing modules up to date that older versions of a dialect wrote.

use bytes::Bytes;
use mlirbc_ir::ods::Release;
use mlirbc_ir::{Attribute, Context, Module, ResourceHandle, Result, Type};

use crate::encoding::{self, DialectEncoding, EntryWriter, Resolver, Sink};
use crate::format::NEWEST_VERSION;
use crate::read::BytecodeFile;

/// Upgrades a module that was read: for each dialect of the file that states a version, in the order of the file,
/// [`DialectEncoding::upgrade`] with that version.
///
/// Reading is lazy and does not call this: a module that is not upgraded is what its file says, and is written
/// at the versions of its file. An upgrade reads every body first; afterwards the module is written at the current
/// versions. Done again, it finds nothing older.
///
/// # Errors
/// Where a body cannot be read, or an upgrade fails: the module may then be upgraded in part, and should be let go of.
pub fn upgrade(module: &mut Module) -> Result<()> {
    let context = module.context().clone();
    let mut versions = module.dialect_versions()?.to_vec();
    let mut upgrades = Vec::new();
    for (at, (dialect, bytes)) in versions.iter().enumerate() {
        if let Some(file) = BytecodeFile::of(module)
            && !bytes.is_empty()
            && let Some(encoding) = encoding::find(&context, context.bytes(*dialect))
            && let Some(version) = file.dialect_version(&context.text(*dialect))?
        {
            upgrades.push((at, encoding, version));
        }
    }
    if upgrades.is_empty() {
        return Ok(());
    }
    module.load_all()?;
    let mut changed = false;
    for (at, encoding, version) in upgrades {
        encoding.upgrade(module, &version)?;
        let stated = &mut versions[at].1;
        if current(&context, &*encoding).as_deref() != Some(&**stated) {
            *stated = Bytes::new();
            changed = true;
        }
    }
    if changed {
        module.set_dialect_versions(versions);
    }
    Ok(())
}

/// The bytes of the dialect's current version, where they are the same in every file.
fn current(context: &Context, encoding: &dyn DialectEncoding) -> Option<Vec<u8>> {
    let mut bytes = Plain::default();
    let version = NEWEST_VERSION;
    let release = Release::DEFAULT;
    encoding.write_version(&mut EntryWriter { context, version, release, dialects: &[], sink: &mut bytes });
    (!bytes.refers).then_some(bytes.bytes)
}

/// Takes bytes, and notes whether anything refers to a table of a file.
#[derive(Default)]
struct Plain {
    bytes: Vec<u8>,
    refers: bool,
}

impl Sink for Plain {
    fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn string(&mut self, _: &[u8]) {
        self.refers = true;
    }

    fn attribute(&mut self, _: Attribute, _: bool) {
        self.refers = true;
    }

    fn ty(&mut self, _: Type) {
        self.refers = true;
    }

    fn resource(&mut self, _: ResourceHandle) {
        self.refers = true;
    }
}
