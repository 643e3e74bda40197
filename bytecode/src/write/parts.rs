//! A module taken apart, for several threads to go over it at once.

use std::ops::Range;

use mlirbc_ir::threads::in_order;
use mlirbc_ir::{BodyId, Module, Result};

/// How many operations there may be in a part that could be several.
const LARGEST: u32 = 4096;

/// In how many parts a module is taken apart, at least, where its bodies allow it.
const FEWEST: u32 = 64;

/// So many operations are worth a thread.
const WORTH: u32 = 512;

/// How many chunks there are for each thread, so that all end at about the same time.
const TURNS: u32 = 8;

/// How many operations there are in a chunk, about, at most: what comes of some chunks is held until it is taken.
const CHUNK: u32 = 1 << 14;

/// A body that is looked at alone, with all bodies in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) body: BodyId,
    /// How many operations there are in it.
    pub(crate) operations: u32,
}

/// Bodies that do not hold each other, in the order in which they are written. Between them stand the operations of the bodies around.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) all: Vec<Part>,
    /// Of what one thread looks at at a time, the places in `all`.
    pub(crate) chunks: Vec<Range<usize>>,
    /// How many threads they are worth.
    pub(crate) threads: usize,
}

/// A body of the module.
struct Entry {
    body: BodyId,
    /// The place of the body around it.
    parent: u32,
    /// How many bodies there are in it, itself included, which are those that follow.
    bodies: u32,
    /// How many operations there are in those.
    operations: u32,
    /// How many of them are its own.
    own: u32,
}

impl Parts {
    /// Those of a module for so many threads: none for one, or where there is too little for more. Where a body cannot be read there are none
    /// either: what is wrong is found in its turn.
    pub(crate) fn of(module: &Module, threads: usize) -> Self {
        match threads {
            0 | 1 => Parts::default(),
            _ => take_apart(module, threads).unwrap_or_default(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Those of a chunk.
    pub(crate) fn chunk(&self, chunk: &Range<usize>) -> &[Part] {
        self.all.get(chunk.clone()).unwrap_or_default()
    }
}

fn take_apart(module: &Module, threads: usize) -> Result<Parts> {
    let mut entries: Vec<Entry> = Vec::new();
    below(module, BodyId::from_index(Module::TOP), threads, &mut entries)?;
    for at in (1..entries.len()).rev() {
        let Entry { parent, bodies, operations, .. } = entries[at];
        let around = &mut entries[parent as usize];
        around.bodies += bodies;
        around.operations = around.operations.saturating_add(operations);
    }
    let whole = entries.first().map_or(0, |top| top.operations);
    let threads = threads.min((whole / WORTH) as usize);
    if threads <= 1 {
        return Ok(Parts::default());
    }
    let most = (whole / FEWEST).min(LARGEST);
    let mut all = Vec::new();
    let mut at = 1;
    while let Some(entry) = entries.get(at) {
        let is_part = entry.operations - entry.own <= most;
        at += if is_part { entry.bodies as usize } else { 1 };
        all.extend(is_part.then_some(Part { body: entry.body, operations: entry.operations }));
    }
    let least = (whole / (threads as u32).saturating_mul(TURNS)).min(CHUNK);
    let mut chunks: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    let mut operations: u32 = 0;
    for (at, part) in (1..).zip(&all) {
        operations = operations.saturating_add(part.operations);
        if operations >= least || at == all.len() {
            chunks.push(start..at);
            (start, operations) = (at, 0);
        }
    }
    Ok(Parts { all, chunks, threads })
}

/// Adds a body and all bodies in it, each before those in it. Where there are many in one, threads share them.
fn below(module: &Module, root: BodyId, threads: usize, entries: &mut Vec<Entry>) -> Result<()> {
    /// So many bodies are looked at by one thread at a time.
    const SHARE: usize = 64;
    let start = entries.len() as u32;
    let mut waiting = vec![(root, start)];
    while let Some((id, parent)) = waiting.pop() {
        let (body, at) = (module.body(id)?, entries.len() as u32);
        let own = body.operation_count() as u32;
        entries.push(Entry { body: id, parent, bodies: 1, operations: own, own });
        if body.region_bodies().next().is_none() {
            continue;
        }
        let first = waiting.len();
        waiting.extend(body.preorder().filter_map(|op| Some((body.region_body(op)?, at))));
        if threads > 1 && waiting.len() - first > SHARE {
            let inside: Vec<BodyId> = waiting.drain(first..).map(|(child, _)| child).collect();
            let look = |(): &mut (), some: &[BodyId]| {
                let mut entries = Vec::with_capacity(some.len());
                some.iter().try_for_each(|&child| below(module, child, 1, &mut entries)).map(|()| entries)
            };
            let weight = |some: &&[BodyId]| 4 * some.len();
            for found in in_order(threads, weight, inside.chunks(SHARE).collect(), || (), look) {
                let before = entries.len() as u32;
                entries.extend(found?.into_iter().zip(before..).map(|(mut entry, place)| {
                    // One that is its own parent there is right in this body.
                    let parent = before + entry.parent;
                    entry.parent = if parent == place { at } else { parent };
                    entry
                }));
            }
        }
        waiting[first..].reverse();
    }
    Ok(())
}
