//! Bodies that are written on several threads, some at a time into bytes that are put in their places.
//!
//! Once everything is numbered, what an isolated operation holds is written from itself alone, but for one thing: blobs of properties
//! get their numbers in the order in which operations first refer to them. So these are found first, in all bodies at once.

use mlirbc_ir::threads::in_order;
use mlirbc_ir::{BodyId, Error, Module, OpView, Result};

use super::ledger::Split;
use super::lossy::Losses;
use super::numbering::Numbering;
use super::parts::{Part, Parts};

/// The places of all properties that operations refer to, in the order in which operations are written, found on so many threads. What was not
/// met is left to those who write it.
pub(crate) fn first_uses(numbering: &Numbering<'_>, parts: &Parts, threads: usize) -> Result<Vec<u32>> {
    if numbering.version < 5 || parts.is_empty() {
        return Ok(Vec::new());
    }
    let start = || FirstUses::new(numbering);
    let weight = |some: &&[Part]| some.iter().map(|part| part.operations as usize).sum();
    let find = |uses: &mut FirstUses<'_, '_>, some: &[Part]| {
        let inside = some.iter().map(|part| uses.inside(part.body, |_| None));
        inside.collect::<Vec<_>>()
    };
    let chunks = parts.chunks.iter().map(|chunk| parts.chunk(chunk)).collect();
    let found = in_order(threads, weight, chunks, start, find);
    let mut found = parts.all.iter().zip(found.into_iter().flatten()).peekable();
    let top = BodyId::from_index(Module::TOP);
    start().inside(top, |body| found.next_if(|(part, _)| part.body == body).map(|(_, places)| places))
}

/// Finds to which properties operations refer, each once.
struct FirstUses<'n, 'm> {
    numbering: &'n Numbering<'m>,
    /// By the number of the name in the context: what the last operation of that name has.
    last: Vec<Option<Split>>,
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
                    child.fetch();
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

    /// What an operation refers to that has other parts than the one before of its name.
    #[inline(never)]
    fn other(&mut self, op: OpView<'_>, parts: Split) -> Option<u32> {
        let at = op.name().raw() as usize;
        self.last.resize(self.last.len().max(at + 1), None);
        self.last[at] = Some(parts);
        let name = self.numbering.name_keys[self.numbering.name_slot(op.name())? as usize];
        let properties = self.numbering.met_parts(parts, name).ok()?.1?;
        self.numbering.properties.find(op.name(), properties).filter(|&place| self.is_first(place))
    }

    fn is_first(&mut self, place: u32) -> bool {
        !std::mem::replace(&mut self.seen[place as usize], true)
    }
}

/// What came of a chunk: the regions of operations, each as they stand behind the head of theirs.
#[derive(Default)]
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    /// By part: where it ends.
    pub(crate) ends: Vec<usize>,
    /// What was lost, by the number of the part.
    pub(crate) losses: Vec<(usize, Losses)>,
    /// What is wrong with the part behind these.
    pub(crate) wrong: Option<Error>,
}

/// Parts on their way to the file.
pub(crate) struct Pieces<'p> {
    /// Those that were not taken.
    parts: &'p [Part],
    next: &'p mut dyn FnMut() -> Option<Written>,
    /// What there is of the chunk of the first of them, and how many of its parts were taken.
    written: Written,
    taken: usize,
}

impl<'p> Pieces<'p> {
    /// `next` gives what came of the chunks in turn.
    pub(crate) fn new(parts: &'p [Part], next: &'p mut dyn FnMut() -> Option<Written>) -> Self {
        Pieces { parts, next, written: Written::default(), taken: 0 }
    }

    /// What was written of a body, and what was lost, if it is the next part.
    pub(crate) fn take(&mut self, body: BodyId) -> Option<Result<(&[u8], Option<Losses>)>> {
        let (_, rest) = self.parts.split_first().filter(|(part, _)| part.body == body)?;
        if self.taken == self.written.ends.len() && self.written.wrong.is_none() {
            (self.written, self.taken) = ((self.next)()?, 0);
        }
        self.parts = rest;
        let at = self.taken;
        let Some(&end) = self.written.ends.get(at) else { return self.written.wrong.clone().map(Err) };
        self.taken += 1;
        let start = at.checked_sub(1).map_or(0, |before| self.written.ends[before]);
        let lost = self.written.losses.iter_mut().find(|(part, _)| *part == at);
        Some(Ok((&self.written.bytes[start..end], lost.map(|(_, losses)| std::mem::take(losses)))))
    }
}
