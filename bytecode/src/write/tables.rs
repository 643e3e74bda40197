//! Dialect, attribute and type sections (`BytecodeFormat.md` of MLIR, "Dialect Section" and "Attribute/Type Sections"): twins
//! of `read/dialects.rs` and `read/entries.rs`.

use std::ops::Range;

use bytes::Bytes;
use hashbrown::HashMap;
use mlirbc_ir::{Attribute, Error, Identifier, OperationName, ResourceHandle, Result, Type, TypeRef};

use super::emitter::{Coded, Emitter, Pending, length_guess};
use super::known::{self, Entry, Known};
use super::locations::Places;
use super::numbering::Numbering;
use super::order::SlotNumbers;
use super::strings::Strings;
use super::templates::Fill;
use crate::encoding::builtin::FILE_LINE_COLUMN;
use crate::encoding::{Sink, Write, Written};
use crate::format::SectionId;

/// Which number each entry of a [`Numbering`] got.
#[derive(Default)]
pub(crate) struct Numbers {
    pub(crate) attributes: SlotNumbers,
    pub(crate) types: SlotNumbers,
    pub(crate) names: SlotNumbers,
    pub(crate) resources: HashMap<ResourceHandle, u32>,
}

/// Writes an entry's fields, references as numbers.
pub(crate) struct Emit<'a, 'm> {
    pub(crate) numbering: &'a Numbering<'m>,
    pub(crate) numbers: &'a Numbers,
    pub(crate) strings: &'a mut Strings,
    pub(crate) emitter: &'a mut Emitter,
}

impl Fill for Emit<'_, '_> {
    fn known_string(&mut self, place: u32) {
        let number = self.strings.number_of(place);
        self.emitter.varint(number);
    }
}

impl Sink for Emit<'_, '_> {
    fn bytes(&mut self, bytes: &[u8]) {
        self.emitter.bytes.extend_from_slice(bytes);
    }

    fn share(&mut self, bytes: &Bytes) {
        self.emitter.share(bytes);
    }

    fn string(&mut self, string: &[u8]) {
        let number = self.strings.number(string);
        self.emitter.varint(number);
    }

    fn attribute(&mut self, attribute: Attribute, optional: bool) {
        // What an encoder names the second time it named the first time: an encoder that does not is broken, and its
        // reference goes to the first entry.
        let slot = self.numbering.attribute_slot(attribute);
        let number = u64::from(slot.and_then(|slot| self.numbers.attributes.get(slot)).unwrap_or(0));
        self.emitter.varint(if optional { number << 1 | 1 } else { number });
    }

    fn ty(&mut self, ty: Type) {
        let slot = self.numbering.type_slot(TypeRef::from(ty));
        self.emitter.varint(slot.and_then(|slot| self.numbers.types.get(slot)).unwrap_or(0).into());
    }

    fn resource(&mut self, resource: ResourceHandle) {
        self.emitter.varint(self.numbers.resources.get(&resource).copied().unwrap_or(0).into());
    }
}

/// Writes maximal runs of entries of one dialect: the dialect, how many, and what `each` writes of an entry.
pub(crate) fn groups(
    emitter: &mut Emitter,
    entries: &[u32],
    dialect: impl Fn(u32) -> u32,
    mut each: impl FnMut(&mut Emitter, u32) -> Result<()>,
) -> Result<()> {
    let mut rest = entries;
    while let Some(&first) = rest.first() {
        let number = dialect(first);
        let count = rest.iter().position(|&entry| dialect(entry) != number).unwrap_or(rest.len());
        let (run, others) = rest.split_at(count);
        rest = others;
        emitter.varint(number.into());
        emitter.varint(count as u64);
        for &entry in run {
            each(emitter, entry)?;
        }
    }
    Ok(())
}

/// What stands after the dialect's name: nothing where the name has no dot.
fn own_name(name: &[u8]) -> &[u8] {
    name.iter().position(|&byte| byte == b'.').map_or(b"", |dot| &name[dot + 1..])
}

/// The dialect section.
pub(crate) fn dialect_section(
    numbering: &mut Numbering<'_>,
    names: &[u32],
    strings: &mut Strings,
    versions: &[(Identifier, Bytes)],
) -> Result<Emitter> {
    let mut emitter = Emitter::default();
    emitter.varint(numbering.dialects.len() as u64);
    // A file that could state a dialect's version and did not is taken at its word.
    let states_versions = numbering.module.info.version.is_some_and(|version| version > 0);
    dialects(numbering, 0..numbering.dialects.len(), states_versions, strings, versions, &mut emitter)?;
    if numbering.version >= 4 {
        emitter.varint(names.len() as u64);
    }
    operation_names(numbering, names, strings, &mut emitter)?;
    Ok(emitter)
}

/// Some of the dialects, each with its version: as `versions` say, and else the current one, unless the file that these are of says
/// which it has.
pub(crate) fn dialects(
    numbering: &mut Numbering<'_>,
    which: Range<usize>,
    states_versions: bool,
    strings: &mut Strings,
    versions: &[(Identifier, Bytes)],
    emitter: &mut Emitter,
) -> Result<()> {
    let context = numbering.context;
    let version = numbering.version;
    for at in which {
        let dialect = numbering.dialects[at];
        let name = strings.number(context.bytes(dialect));
        let mut payload = Emitter::default();
        let requested = numbering.target.requests(context, dialect);
        let hidden = numbering.target.hides(context, dialect);
        let stated = versions.iter().find(|version| version.0 == dialect && !requested && !hidden);
        let stated = stated.map(|version| &version.1);
        // A version without bytes is the current one.
        if let Some(bytes) = stated.filter(|bytes| !bytes.is_empty()) {
            payload.bytes.extend_from_slice(bytes);
        } else if (requested || stated.is_some() || !states_versions)
            && let Some(encoding) = numbering.encoding(dialect)
        {
            let numbers = Numbers::default();
            let mut emit = Emit { numbering, numbers: &numbers, strings, emitter: &mut payload };
            let numbering = emit.numbering;
            encoding.write_version(&mut numbering.writer(&mut emit));
        }
        let versioned = !payload.bytes.is_empty();
        if version == 0 {
            emitter.varint(name);
            // A version that the file did not state is none that could be lost.
            if versions.iter().any(|version| version.0 == dialect) {
                numbering.losses.note(format!("the version of the dialect `{}` (version 1)", context.text(dialect)));
            }
            continue;
        }
        emitter.varint_with_flag(name, versioned);
        if versioned {
            emitter.section(SectionId::DialectVersions as u8, &payload);
        }
    }
    Ok(())
}

/// Names of operations, by dialect.
pub(crate) fn operation_names(
    numbering: &Numbering<'_>,
    names: &[u32],
    strings: &mut Strings,
    emitter: &mut Emitter,
) -> Result<()> {
    let version = numbering.version;
    groups(
        emitter,
        names,
        |slot| numbering.names.dialect(slot),
        |emitter, slot| {
            let known = numbering.name_keys[slot as usize];
            let number = match known.own {
                Some(place) => strings.number_of(place),
                None => strings.number(own_name_of(numbering, slot, known.name)?),
            };
            match version {
                0..5 => emitter.varint(number),
                _ => emitter.varint_with_flag(number, known.is_registered),
            }
            Ok(())
        },
    )
}

/// An operation's name without that of its dialect, which in tables that are kept as they are may have a dot in it.
fn own_name_of<'m>(numbering: &Numbering<'m>, slot: u32, name: OperationName) -> Result<&'m [u8]> {
    let context = numbering.context;
    let text = context.operation_text(name);
    let dialect = numbering.dialects.get(numbering.names.dialect(slot) as usize);
    let own = match dialect.and_then(|&dialect| text.strip_prefix(context.bytes(dialect))) {
        Some([b'.', own @ ..]) => own,
        Some([]) => &[],
        _ => own_name(text),
    };
    if own.is_empty() && text.ends_with(b".") {
        // It would be read as the name without the dot.
        let name = context.text(context.operation_identifier(name));
        return Err(Error::verification(format!("bytecode cannot hold the operation name `{name}`")));
    }
    Ok(own)
}

/// The attribute and type sections: where each entry stands, and the entries.
pub(crate) fn entry_sections(
    numbering: &Numbering<'_>,
    numbers: &Numbers,
    attributes: &[u32],
    types: &[u32],
    strings: &mut Strings,
    file: &mut Emitter,
) -> Result<()> {
    // Offsets are known once the entries are written: these leave them room, most offsets being of one byte.
    let (start, gap) = (file.bytes.len(), attributes.len() + types.len() + 32);
    file.bytes.resize(start + gap, 0);
    let entries = file.begin_section(SectionId::AttrType as u8, length_guess(8 * attributes.len()));
    let mut offsets = Emitter::default();
    offsets.bytes.reserve(gap);
    let section = offsets.begin_section(SectionId::AttrTypeOffset as u8, length_guess(gap));
    offsets.varint(attributes.len() as u64);
    offsets.varint(types.len() as u64);
    let mut locations = Locations::new(numbering, numbers);
    groups(
        &mut offsets,
        attributes,
        |slot| numbering.attributes.dialect(slot),
        |offsets, slot| {
            let Some(own) = numbering.own_attribute(slot) else {
                // They are in the encoding of their dialect.
                offsets.varint_with_flag(locations.write(slot, file)?.into(), true);
                return Ok(());
            };
            locations.pending.flush(file);
            let start = file.len();
            let custom = entry(numbering, numbers, strings, file, own)?;
            offsets.varint_with_flag((file.len() - start) as u64, custom);
            Ok(())
        },
    )?;
    locations.pending.flush(file);
    groups(
        &mut offsets,
        types,
        |slot| numbering.types.dialect(slot),
        |offsets, slot| {
            let start = file.len();
            let custom = entry(numbering, numbers, strings, file, own_type(numbering, slot)?)?;
            offsets.varint_with_flag((file.len() - start) as u64, custom);
            Ok(())
        },
    )?;
    offsets.end_section(section);
    file.end_section(entries);
    file.fill_gap(start, gap, &offsets.bytes);
    Ok(())
}

/// Writes packed locations.
struct Locations<'a, 'm> {
    numbering: &'a Numbering<'m>,
    numbers: &'a Numbers,
    places: Places<'m>,
    /// The file of the last location, and what stands before line and column where that is the file.
    last: (u32, Coded),
    pending: Pending,
}

impl<'a, 'm> Locations<'a, 'm> {
    fn new(numbering: &'a Numbering<'m>, numbers: &'a Numbers) -> Self {
        let code = Coded::new(FILE_LINE_COLUMN as u32);
        Locations {
            numbering,
            numbers,
            places: Places::new(numbering.source),
            last: (u32::MAX, code),
            pending: Pending::new(),
        }
    }

    /// Writes the location in a slot of the source; says how many bytes it takes.
    #[inline]
    fn write(&mut self, slot: u32, emitter: &mut Emitter) -> Result<u32> {
        let place = self.places.get(slot).ok_or_else(|| Error::misuse("a location without its source"))?;
        if place.file() != self.last.0 {
            self.begin_file(place.file());
        }
        let mut burst = self.pending.burst(emitter);
        let before = burst.length();
        burst.coded(self.last.1);
        burst.varint(place.line());
        burst.varint(place.column());
        Ok(burst.keep() - before)
    }

    #[cold]
    fn begin_file(&mut self, file: u32) {
        let name = self.numbering.file_slot(file).and_then(|slot| self.numbers.attributes.get(slot));
        let name = Coded::new(name.unwrap_or(0));
        // Code and number: six bytes at most.
        self.last = (file, Coded::new(FILE_LINE_COLUMN as u32).then(name).unwrap_or(name));
    }
}

/// Writes the entry by the first callback that does; says whether one did.
fn by_callback<T: Copy>(callbacks: &[Write<T>], entry: T, sink: &mut Emit<'_, '_>) -> bool {
    let start = sink.emitter.mark();
    let numbering = sink.numbering;
    callbacks.iter().any(|write| {
        let written = write(entry, &mut numbering.writer(sink)) != Written::NotMine;
        if !written {
            sink.emitter.rewind(start);
        }
        written
    })
}

/// The new type in a slot.
pub(crate) fn own_type(numbering: &Numbering<'_>, slot: u32) -> Result<Type> {
    numbering.own_type(slot).ok_or_else(|| Error::misuse("no new type"))
}

/// Writes one attribute or type; says whether in its dialect's encoding.
pub(crate) fn entry<E: Entry>(
    numbering: &Numbering<'_>,
    numbers: &Numbers,
    strings: &mut Strings,
    emitter: &mut Emitter,
    entry: E,
) -> Result<bool> {
    let Known { templates, dialects, .. } = &numbering.known;
    let mut sink = Emit { numbering, numbers, strings, emitter: &mut *emitter };
    if let Some(template) = numbering.known.met_entry(entry) {
        templates.write(template, &mut sink);
        return Ok(template.custom);
    }
    let context = numbering.context;
    let dialect = entry.dialect(context).unwrap_or_else(|| context.static_identifier("builtin"));
    if by_callback(E::callbacks(numbering.target), entry, &mut sink)
        || (dialects.met_encoding(dialect))
            .is_some_and(|encoding| entry.encode(encoding, &mut numbering.writer(&mut sink)))
    {
        return Ok(true);
    }
    known::print(context, entry, &mut emitter.bytes)?;
    Ok(false)
}
