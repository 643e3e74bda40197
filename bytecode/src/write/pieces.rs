//! Bodies that are written on several threads, each into bytes of its own that are put in their place.
//!
//! Once everything is numbered, what an isolated operation holds is written from itself alone, but for one thing: blobs of properties
//! get their numbers in the order in which operations first refer to them. So these are found first, in all bodies at once.

use mlirbc_ir::threads::in_order;
use mlirbc_ir::{BodyId, Module, OpView, Result};

use super::blob_numbers::{BlobNumbers, NewBlobs};
use super::emitter::{Coded, Emitter};
use super::ir::IrWriter;
use super::lossy::Losses;
use super::numbering::{Numbering, Parts};
use super::operation::Numbered;

/// How many operations there may be in a piece that could be several.
const LARGEST: usize = 4096;

/// In how many pieces a module is taken apart, at least, where its bodies allow it.
const FEWEST: usize = 64;

/// How many operations each thread writes, about, before what all of them wrote is put in its place: so many are held twice.
const AT_ONCE: usize = 1 << 16;

/// A body that is written alone, with all bodies in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    body: BodyId,
    /// How many operations there are in it.
    operations: usize,
}

/// What came of it.
pub(crate) struct Piece {
    pub(crate) bytes: Box<[u8]>,
    pub(crate) losses: Losses,
}

/// A body of the module.
struct Entry {
    body: BodyId,
    /// The place of the body around it.
    parent: usize,
    /// How many bodies there are in it, itself included, which are those that follow.
    bodies: usize,
    /// How many operations there are in those.
    operations: usize,
    /// How many of them are its own.
    own: usize,
}

/// Takes a module apart: bodies that do not hold each other, in the order in which they are written. Between them stand the operations
/// of the bodies around.
pub(crate) fn pieces_of(module: &Module) -> Result<Vec<Part>> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut waiting = vec![(BodyId::from_index(Module::TOP), 0)];
    while let Some((id, parent)) = waiting.pop() {
        let (body, at) = (module.body(id)?, entries.len());
        let own = body.operation_count();
        entries.push(Entry { body: id, parent, bodies: 1, operations: own, own });
        if body.region_bodies().next().is_some() {
            let first = waiting.len();
            waiting.extend(body.preorder().filter_map(|op| Some((body.region_body(op)?, at))));
            waiting[first..].reverse();
        }
    }
    for at in (1..entries.len()).rev() {
        let Entry { parent, bodies, operations, .. } = entries[at];
        entries[parent].bodies += bodies;
        entries[parent].operations += operations;
    }
    let all = entries.first().map_or(0, |top| top.operations);
    let most = (all / FEWEST).min(LARGEST);
    let mut parts = Vec::new();
    let mut at = 1;
    while let Some(entry) = entries.get(at) {
        let is_piece = entry.operations - entry.own <= most;
        at += if is_piece { entry.bodies } else { 1 };
        parts.extend(is_piece.then_some(Part { body: entry.body, operations: entry.operations }));
    }
    Ok(parts)
}

/// Gives every blob of properties its number, as far as they can be written: the first that cannot is found to be wrong when the operation
/// is written that asks for it.
pub(crate) fn number_blobs(
    numbered: Numbered<'_, '_>,
    parts: &[Part],
    threads: usize,
    blobs: &mut NewBlobs<'_>,
) -> Result<()> {
    let Numbered { numbering, numbers, .. } = numbered;
    if numbering.version < 5 {
        return Ok(());
    }
    let start = || FirstUses::new(numbering);
    let find = |uses: &mut FirstUses<'_, '_>, part: Part| uses.inside(part.body, |_| None);
    let found = in_order(threads, |part| part.operations, parts.to_vec(), start, find);
    let mut found = parts.iter().zip(found).peekable();
    let top = BodyId::from_index(Module::TOP);
    let all = start().inside(top, |body| found.next_if(|(part, _)| part.body == body).map(|(_, places)| places))?;
    for place in all {
        if blobs.get(place).is_none() && blobs.write(numbering, numbers, place).is_err() {
            break;
        }
    }
    Ok(())
}

/// Finds to which properties operations refer, each once.
struct FirstUses<'n, 'm> {
    numbering: &'n Numbering<'m>,
    /// By the number of the name in the context: what the last operation of that name has.
    last: Vec<Option<Parts>>,
    /// By the place of properties that were met.
    seen: Vec<bool>,
}

impl<'n, 'm> FirstUses<'n, 'm> {
    fn new(numbering: &'n Numbering<'m>) -> Self {
        FirstUses { numbering, last: Vec::new(), seen: vec![false; numbering.properties.len()] }
    }

    /// The places of those that operations in a body refer to, and in all bodies in it, in the order in which operations are written.
    /// `known` says it of bodies that others looked at.
    fn inside(&mut self, body: BodyId, mut known: impl FnMut(BodyId) -> Option<Result<Vec<u32>>>) -> Result<Vec<u32>> {
        let module = self.numbering.module;
        let body = module.body(body)?;
        let mut found = Vec::new();
        let mut open = vec![(body, body.preorder())];
        while let Some((body, operations)) = open.last_mut() {
            let Some(op) = operations.next() else {
                open.pop();
                continue;
            };
            let op = body.view(op);
            self.operation(op, &mut found);
            let Some(child) = op.region_body() else { continue };
            match known(child) {
                Some(places) => found.extend(places?.into_iter().filter(|&place| self.is_first(place))),
                None => {
                    let child = module.body(child)?;
                    open.push((child, child.preorder()));
                }
            }
        }
        Ok(found)
    }

    #[inline]
    fn operation(&mut self, op: OpView<'_>, found: &mut Vec<u32>) {
        let parts = (op.attributes(), op.properties());
        if self.last.get(op.name().raw() as usize) != Some(&Some(parts)) {
            found.extend(self.other(op, parts));
        }
    }

    /// What an operation refers to that has other parts than the one before of its name. What was not met is left to those who write it.
    #[inline(never)]
    fn other(&mut self, op: OpView<'_>, parts: Parts) -> Option<u32> {
        let at = op.name().raw() as usize;
        self.last.resize(self.last.len().max(at + 1), None);
        self.last[at] = Some(parts);
        let name = self.numbering.name_keys[self.numbering.name_slot(op.name())? as usize];
        let properties = self.numbering.met_parts(op, name).ok()?.1?;
        self.numbering.properties.find(op.name(), properties).filter(|&place| self.is_first(place))
    }

    fn is_first(&mut self, place: u32) -> bool {
        !std::mem::replace(&mut self.seen[place as usize], true)
    }
}

/// Pieces on their way to the file.
pub(crate) struct Pieces<'w, 'm> {
    numbered: Numbered<'w, 'm>,
    blobs: &'w [Option<Coded>],
    parts: Vec<Part>,
    threads: usize,
    /// How many were taken.
    taken: usize,
    /// Those that follow.
    ready: std::vec::IntoIter<Result<Piece>>,
}

impl<'w, 'm> Pieces<'w, 'm> {
    /// `blobs` are those of [`number_blobs`].
    pub(crate) fn new(
        numbered: Numbered<'w, 'm>,
        blobs: &'w [Option<Coded>],
        parts: Vec<Part>,
        threads: usize,
    ) -> Self {
        Pieces { numbered, blobs, parts, threads, taken: 0, ready: Vec::new().into_iter() }
    }

    /// What there is of a body, if it is the next piece.
    pub(crate) fn take(&mut self, body: BodyId) -> Option<Result<Piece>> {
        self.parts.get(self.taken).filter(|part| part.body == body)?;
        if self.ready.len() == 0 {
            self.ready = self.write_some().into_iter();
        }
        self.taken += 1;
        self.ready.next()
    }

    /// Writes those that come next.
    fn write_some(&self) -> Vec<Result<Piece>> {
        let most = AT_ONCE.saturating_mul(self.threads);
        let mut operations = 0;
        let fits = |part: &Part| {
            let fits = operations < most;
            operations += part.operations;
            fits
        };
        let parts: Vec<Part> = self.parts[self.taken..].iter().copied().take_while(fits).collect();
        let (numbered, blobs) = (self.numbered, self.blobs);
        let start = || IrWriter::new(numbered, BlobNumbers::Written(blobs), Emitter::default(), Losses::default());
        let write =
            |writer: &mut IrWriter<'w, 'm>, part: Part| writer.piece(numbered.numbering.module.body(part.body)?);
        in_order(self.threads, |part| part.operations, parts, start, write)
    }
}
