//! Where an operation stands in its file, for what puts another in its place.

use std::ops::Range;
use std::sync::{Arc, PoisonError};

use mlirbc_ir::{Error, ErrorCode, Module, OperationName, Result, SymbolPlace};

use super::file::BytecodeFile;
use super::ir::BodyReader;
use super::use_lists;
use crate::format::{Cursor, SectionId, mask};

/// Where an operation stands.
#[derive(Clone, Debug)]
pub(crate) struct OperationPlace {
    /// All of it, with what it holds.
    pub(crate) bytes: Range<usize>,
    /// The sections of regions around it, the outermost first: where each begins, and its data.
    pub(crate) around: Vec<(usize, Range<usize>)>,
    /// The names of the operations around it, the outermost first.
    pub(crate) names: Vec<OperationName>,
}

/// Takes an operation out of a module, into one that holds it alone. `None` where it has to stay: nothing happened then. Else the
/// module has lost its file, and is to be let go of.
///
/// # Errors
/// Where what is around it, or itself, is malformed; both modules are to be let go of then.
pub(crate) fn take_out(module: &mut Module, op: SymbolPlace) -> Result<Option<(Module, OperationPlace)>> {
    let edited = module.bodies().any(|(_, body)| body.is_edited());
    let Some(file) = BytecodeFile::of(module).filter(|file| !file.data().is_empty()) else { return Ok(None) };
    // Before version 2 regions have no length before them.
    if edited || module.resources_edited() || module.dialect_versions_edited() || file.version() < 2 {
        return Ok(None);
    }
    let in_section = |error: Error| file.of_file(error.in_section(SectionId::Ir.name()));
    let Some(at) = file.start_of(module, op).map_err(in_section)? else { return Ok(None) };
    let Some(place) = file.place_at(at).map_err(in_section)? else { return Ok(None) };
    // One that uses values of what is around it cannot be read alone.
    let scratch = Module::with_source(module.context(), None);
    let read = BodyReader::new(file, &scratch)?.fragment(scratch.declare(None, None, None), at as u64);
    if !matches!(read, Ok(Some(_))) {
        return Ok(None);
    }
    let Some(mut source) = module.take_source() else { return Ok(None) };
    match Arc::get_mut(&mut source).and_then(|source| source.as_any_mut().downcast_mut::<BytecodeFile>()) {
        Some(file) => file.forget_bodies(),
        None => {
            module.set_source(Some(source));
            return Ok(None);
        }
    }
    let mut alone = Module::with_source(module.context(), Some(source));
    alone.info = module.info.clone();
    let top = alone.declare(None, None, None);
    let Some(file) = BytecodeFile::of(&alone) else { return Ok(None) };
    let body = BodyReader::new(file, &alone)?.fragment(top, at as u64);
    let body = body.map_err(|error| file.of_file(error.in_section(SectionId::Ir.name())))?;
    let Some(body) = body else {
        return Err(Error::misuse("an operation that was read alone uses a value").with_code(ErrorCode::NoSuchId));
    };
    alone.fill(top, body);
    Ok(Some((alone, place)))
}

/// Regions, blocks and operations that are yet to come, and where to go on after their section: its end, and the end of what
/// is around it.
#[derive(Default)]
struct Frame {
    regions: u64,
    blocks: u64,
    operations: u64,
    section: Option<(usize, usize)>,
}

impl BytecodeFile {
    /// Forgets which bodies of its module were read out of their order: another module is to have it.
    fn forget_bodies(&mut self) {
        if let Some(seldom) = self.seldom_mut() {
            seldom.fragments.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
            seldom.symbol_scans.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// Where an operation of the module begins, which has to stand directly in a body as it was read.
    fn start_of(&self, module: &Module, (id, op): SymbolPlace) -> Result<Option<usize>> {
        if module.is_fragment(id) {
            let fragments = self.seldom().fragments.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((&at, _)) = fragments.iter().find(|(_, place)| **place == (id, op)) {
                return Ok(Some(at as usize));
            }
        }
        let Some(pending) = module.pending(id) else { return Ok(None) };
        let scratch = Module::with_source(self.context(), None);
        let body = scratch.declare(None, None, None);
        let reader = BodyReader::new(self, &scratch)?;
        let (_, places) = match id.index() == Module::TOP {
            true => reader.top_with_places(body)?,
            false => reader.regions_with_places(body, pending)?,
        };
        Ok(places.into_iter().find(|place| place.0 == op).map(|place| place.1 as usize))
    }

    /// The operation that begins at `at`; `None` where none does, and where a section that was met on the way asks for a place at a
    /// multiple of something, which it would lose where what is before it gets longer.
    fn place_at(&self, at: usize) -> Result<Option<OperationPlace>> {
        let version = self.version();
        let mut cursor = self.cursor(SectionId::Ir);
        let (operations, _) = cursor.varint_with_flag()?;
        let mut frames = vec![Frame { operations, ..Frame::default() }];
        let mut around = Vec::new();
        let mut names = Vec::new();
        // How many frames are around the operation, once it was met.
        let mut met = None;
        loop {
            let depth = frames.len();
            if met == Some(depth) {
                return Ok(Some(OperationPlace { bytes: at..cursor.position(), around, names }));
            }
            let Some(frame) = frames.last_mut() else { return Ok(None) };
            if frame.operations > 0 {
                frame.operations = frame.operations.saturating_sub(1);
                let start = cursor.position();
                if met.is_none() && start > at {
                    return Ok(None);
                }
                let (name, regions, isolated) = step_over_head(&mut cursor, version)?;
                if met.is_none() {
                    names.truncate(depth.saturating_sub(1));
                    match start == at {
                        true => met = Some(depth),
                        false => names.push(self.operation_name(name)?),
                    }
                }
                if regions == 0 {
                    continue;
                }
                if !isolated {
                    frames.push(Frame { regions, ..Frame::default() });
                    continue;
                }
                let (header, outer) = (cursor.position(), cursor.end());
                let section = cursor.section()?;
                if section.id != SectionId::Ir as u8 || section.alignment > 1 {
                    return Ok(None);
                }
                if met.is_none() && (section.start..section.end).contains(&at) {
                    around.push((header, section.start..section.end));
                    cursor.jump(section.start, section.end);
                    frames.push(Frame { regions, section: Some((section.end, outer)), ..Frame::default() });
                }
            } else if frame.blocks > 0 {
                frame.blocks = frame.blocks.saturating_sub(1);
                frame.operations = block_head(&mut cursor, version)?;
            } else if frame.regions > 0 {
                frame.regions = frame.regions.saturating_sub(1);
                frame.blocks = cursor.varint()?;
                if frame.blocks > 0 {
                    cursor.varint()?;
                }
            } else {
                if let Some((end, outer)) = frame.section {
                    cursor.jump(end, outer);
                }
                frames.pop();
            }
        }
    }
}

/// Steps over a block's head; gives the number of its operations.
fn block_head(cursor: &mut Cursor<'_>, version: u64) -> Result<u64> {
    let (operations, has_arguments) = cursor.varint_with_flag()?;
    if has_arguments {
        let count = cursor.count(1, "block argument")?;
        for _ in 0..count {
            let has_location = match version {
                0..4 => cursor.varint().map(|_| true)?,
                _ => cursor.varint_with_flag()?.1,
            };
            if has_location {
                cursor.varint()?;
            }
        }
        if version >= 3 && cursor.byte()? != 0 {
            use_lists::read(cursor, count)?;
        }
    }
    Ok(operations)
}

/// Steps over an operation up to its regions; gives the number of its name, how many regions there are, and whether they are a section
/// of their own.
fn step_over_head(cursor: &mut Cursor<'_>, version: u64) -> Result<(u32, u64, bool)> {
    let name = cursor.index()?;
    let mask = cursor.byte()?;
    let has = |bit: u8| mask & bit != 0;
    cursor.varint()?;
    for part in [mask::ATTRIBUTES, mask::PROPERTIES] {
        if has(part) {
            cursor.varint()?;
        }
    }
    let mut results = 0;
    for list in [mask::RESULTS, mask::OPERANDS, mask::SUCCESSORS] {
        if has(list) {
            let count = cursor.count(1, "value")?;
            for _ in 0..count {
                cursor.varint()?;
            }
            if list == mask::RESULTS {
                results = count;
            }
        }
    }
    if has(mask::USE_LISTS) && version >= 3 {
        use_lists::read(cursor, results)?;
    }
    let (regions, isolated) = if has(mask::REGIONS) { cursor.varint_with_flag()? } else { (0, false) };
    Ok((name, regions, isolated))
}
