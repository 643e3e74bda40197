//! Writing bytecode.

mod blob_numbers;
mod byte_table;
mod emitter;
mod ir;
mod kept;
mod known;
mod ledger;
mod locations;
mod lossy;
mod numbering;
mod operation;
mod options;
mod order;
mod parts;
mod patch;
mod pieces;
mod preserve;
mod properties;
mod property_values;
mod resources;
mod room;
mod slot_map;
mod strings;
mod tables;
mod target;
mod templates;
mod use_lists;
mod writer;

use std::io::Write;

use mlirbc_ir::{Error, ErrorCode, Module, Result, threads};

use self::emitter::{Emitter, length_guess};
use self::kept::Kept;
use self::numbering::Numbering;
use self::parts::Parts;
use self::resources::ResourceOrder;
use self::room::Room;
use self::tables::Numbers;
use self::target::Target;
use crate::format::{MAGIC, NEWEST_VERSION, SectionId};

pub use self::lossy::Losses;
pub use self::options::WriteOptions;
pub use self::patch::{Patch, PatchPart, Patched};
pub use self::writer::Writer;

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
    let losses = emit(module, options, &mut file, None)?;
    Ok((file.into_bytes(), losses))
}

/// Writes a module as bytecode to `to`. Large blobs of resources and the data of large dense attributes are written from where they
/// stand: this takes no memory for them.
///
/// # Errors
/// As [`write()`], and where writing to `to` fails.
pub fn write_to(module: &Module, options: &WriteOptions, mut to: impl Write) -> Result<Losses> {
    let mut file = Emitter::default();
    let losses = emit(module, options, &mut file, None)?;
    file.write_to(&mut to)?;
    Ok(losses)
}

/// Writes a module, in room that was kept if there is some.
fn emit(module: &Module, options: &WriteOptions, file: &mut Emitter, kept: Option<&Kept>) -> Result<Losses> {
    let version = options.version;
    if version > NEWEST_VERSION {
        return Err(Error::misuse(format!("no bytecode version {version}: the newest is {NEWEST_VERSION}"))
            .with_code(ErrorCode::BytecodeVersion));
    }
    if options.producer.contains(&0) {
        return Err(Error::misuse("a producer string with a zero in it"));
    }
    let target = Target::new(module, options)?;
    let losses = match preserve::opaque_file(module)? {
        Some(source) => preserve::emit(module, source, options, &target, file)?,
        None => {
            let kept = kept
                .zip(target.kind())
                .map(|(kept, (release, crosses, source))| (kept, (version, release, crosses, source)));
            let room = kept.map_or_else(Room::default, |(kept, kind)| kept.room(kind));
            let (losses, room) = emit_anew(module, options, &target, file, room)?;
            if let (Some((kept, kind)), Some(room)) = (kept, room) {
                kept.give_back(kind, room);
            }
            losses
        }
    };
    if !options.lossy {
        losses.refuse(version)?;
    }
    Ok(losses)
}

/// Has what writing looks at read and decoded on several threads, where that is yet to be done. What is wrong with it is found when it is
/// written, in the order that is the same for any number of them.
fn read_ahead(module: &Module, options: &WriteOptions) {
    if options.threads > 1 {
        let _ = module.load_all_with(options.threads);
    }
    if !options.strip_locations
        && let Some(file) = preserve::file_of(module)
    {
        file.settle_all_locations(options.threads);
    }
}

/// Writes a module with tables of its own. What comes back is the room, unless it could not be used.
fn emit_anew(
    module: &Module,
    options: &WriteOptions,
    target: &Target,
    file: &mut Emitter,
    Room { ledger, mut blobs, mut sheets }: Room,
) -> Result<(Losses, Option<Room>)> {
    read_ahead(module, options);
    let version = options.version;
    let mut numbering = Numbering::new(module, version, target, ledger);
    if options.strip_locations {
        numbering.strip_locations();
    }
    let parts = Parts::of(module, options.threads);
    let met_all = numbering.run(&parts);
    if numbering.met_opaque
        && let Some(source) = preserve::file_of(module)
    {
        return Ok((preserve::emit(module, source, options, target, file)?, None));
    }
    met_all?;
    let attributes = numbering.attributes.sorted();
    let types = numbering.types.sorted();
    let names = numbering.names.sorted();
    let resources = ResourceOrder::new(module, &numbering.resources, |handle| numbering.resource_dialect(handle))?;
    let numbers = Numbers {
        attributes: numbering.attributes.numbers(&attributes),
        types: numbering.types.numbers(&types),
        names: numbering.names.numbers(&names),
        resources: resources.numbers(),
    };
    let mut strings = std::mem::take(&mut numbering.strings);

    // Most modules take less. What is reserved and not used was never touched.
    let entries = 24 * numbering.attribute_keys.len() + 48 * numbering.properties.len();
    file.bytes.reserve(24 * numbering.met_operations + entries);
    file.bytes.extend_from_slice(&MAGIC);
    file.varint(version);
    file.bytes.extend_from_slice(&options.producer);
    file.byte(0);
    // This order of the sections is also the order in which strings get their numbers.
    let versions = module.dialect_versions()?;
    let dialects = tables::dialect_section(&mut numbering, &names, &mut strings, versions)?;
    file.section(SectionId::Dialect as u8, &dialects);
    let others = parts.threads.saturating_sub(1);
    let (entries, uses) = threads::both(
        others > 0,
        || tables::entry_sections(&numbering, &numbers, &attributes, &types, &mut strings, file),
        || pieces::first_uses(&numbering, &parts, others),
    );
    entries?;
    ir::section(&mut numbering, &numbers, (&mut strings, &mut blobs), file, &parts, (uses, &mut sheets))?;
    let (offsets, payloads) = resources::sections(module, module.context(), &resources, &mut strings)?;
    file.section(SectionId::ResourceOffset as u8, &offsets);
    file.section(SectionId::Resource as u8, &payloads);
    file.bytes.reserve(strings.size() + blobs.size());
    let section = file.begin_section(SectionId::String as u8, length_guess(strings.size()));
    strings.section(file);
    file.end_section(section);
    if version >= 5 {
        let section = file.begin_section(SectionId::Properties as u8, length_guess(blobs.size()));
        blobs.section(file);
        file.end_section(section);
    }
    let losses = std::mem::take(&mut numbering.losses);
    let mut ledger = numbering.into_ledger();
    ledger.strings = strings;
    ledger.attributes.give_back(attributes, numbers.attributes);
    ledger.types.give_back(types, numbers.types);
    ledger.names.give_back(names, numbers.names);
    Ok((losses, Some(Room { ledger, blobs, sheets })))
}
