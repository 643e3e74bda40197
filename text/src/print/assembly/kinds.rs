//! Operations that are alike: those of one kind differ in nothing but their locations, and in which values and blocks they name. What
//! one of them shows is what all show, and its text is theirs but for these names.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashSet, HashTable};

use super::RegionPiece;
use super::names::Names;
use crate::print::successor::push_successor;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{AttributeRef, Identifier, OpRef, OpView, RegionId, TypeRef};

/// Operations with more operands and results are of no kind.
const MOST_VALUES: usize = 64;

/// Longer texts are made anew each time.
const LONGEST: usize = 1 << 12;

/// How much text is kept in all.
const MOST_TEXT: usize = 1 << 25;

/// How many kinds are told apart.
const MOST_KINDS: usize = 1 << 20;

/// The operations of one kind.
#[derive(Default)]
struct Kind {
    /// What they have in common: where that is in `words`.
    words: Range<usize>,
    /// Whether there are several.
    is_shared: bool,
    /// Whether each of them is valid.
    is_valid: bool,
    /// Whether their text says all of each, where it is valid.
    is_said: bool,
    /// Whether what they show has been noted, and the regions among that.
    is_visited: bool,
    regions: Vec<RegionPiece>,
    text: Option<Text>,
}

/// What in a text is of each operation alone.
#[derive(Clone, Copy)]
pub(super) enum Hole {
    /// The names of the operand and of the successor of that number.
    Operand(u32),
    Successor(u32),
    /// The name of that argument of a region's first block.
    Argument(u32, u32),
    Region(RegionPiece),
}

/// The text that operations of one kind share, from their name on.
struct Text {
    bytes: Range<usize>,
    /// What is left out of it, each with how much text stands before it.
    holes: Box<[(u32, Hole)]>,
    /// The dialect whose name is left out.
    dialect: Option<Identifier>,
    /// Whether an operand could follow: there must be no result behind it.
    is_open: bool,
}

/// The kinds of a module's operations, as far as they have been met.
#[derive(Default)]
pub(super) struct Kinds {
    kinds: Vec<Kind>,
    places: HashTable<u32>,
    /// The hashes of what has been met once: of an operation like no other no more is kept.
    met: HashSet<u32, DefaultHashBuilder>,
    hasher: DefaultHashBuilder,
    words: Vec<u32>,
    bytes: Vec<u8>,
    /// What the operation that is being looked up has in common with others.
    sought: Vec<u32>,
}

impl Kinds {
    /// The kind of an operation. `None` for the first one of each kind, for those that are isolated, those with very many operands and
    /// results, and those whose regions are not like others.
    pub(super) fn of(&mut self, op: OpRef<'_>) -> Option<u32> {
        self.find_words(op)?;
        let (kinds, words, sought) = (&mut self.kinds, &mut self.words, self.sought.as_slice());
        let hash = self.hasher.hash_one(sought);
        let found = self.places.find(hash, |&at| words[kinds[at as usize].words.clone()] == *sought);
        if let Some(&found) = found {
            kinds[found as usize].is_shared = true;
            return Some(found);
        }
        let is_first = self.met.len() < MOST_KINDS && self.met.insert(hash as u32);
        if is_first || kinds.len() == MOST_KINDS {
            return None;
        }
        let start = words.len();
        words.extend_from_slice(sought);
        let number = kinds.len() as u32;
        kinds.push(Kind { words: start..words.len(), ..Kind::default() });
        let hash_of = |&at: &u32| self.hasher.hash_one(&words[kinds[at as usize].words.clone()]);
        self.places.insert_unique(hash, number, hash_of);
        Some(number)
    }

    /// Gathers what an operation has in common with others of its kind: all of it that a printer can ask for.
    fn find_words(&mut self, op: OpRef<'_>) -> Option<()> {
        let (body, view) = (op.body(), op.body().view(op.id()));
        let (operands, results) = (view.operands(), view.result_types());
        if view.region_body().is_some() || operands.len() + results.len() + view.region_count() > MOST_VALUES {
            return None;
        }
        let words = &mut self.sought;
        words.clear();
        words.extend(attributes_of(view));
        let counts = [operands.len(), results.len(), view.successors().len(), view.region_count()];
        words.extend(counts.map(|count| count as u32));
        words.extend(operands.iter().map(|&operand| body.ty(operand).raw()));
        words.extend(results.map(TypeRef::raw));
        view.regions().try_for_each(|region| push_region(words, op, region))
    }

    pub(super) fn is_valid(&self, kind: u32) -> bool {
        self.kinds[kind as usize].is_valid
    }

    /// Notes that each operation of the kind is valid.
    pub(super) fn note_valid(&mut self, kind: u32) {
        self.kinds[kind as usize].is_valid = true;
    }

    pub(super) fn is_visited(&self, kind: u32) -> bool {
        self.kinds[kind as usize].is_visited
    }

    /// Notes that all that operations of the kind show has been noted, and which regions.
    pub(super) fn note_visited(&mut self, kind: u32, regions: Vec<RegionPiece>) {
        let kind = &mut self.kinds[kind as usize];
        (kind.is_visited, kind.regions) = (true, regions);
    }

    /// The region of that number which operations of the kind show, and the number of the next.
    pub(super) fn next_region(&self, kind: u32, at: usize) -> Option<(usize, RegionPiece)> {
        Some((at + 1, *self.kinds[kind as usize].regions.get(at)?))
    }

    pub(super) fn is_said(&self, kind: u32) -> bool {
        self.kinds[kind as usize].is_said
    }

    /// Notes that the text of each operation of the kind that is valid says all of it.
    pub(super) fn note_said(&mut self, kind: u32) {
        self.kinds[kind as usize].is_said = true;
    }

    /// Keeps the text of an operation for others of its kind, unless it is long or much is kept already: what stands in `printed` from
    /// `start` on, but for what is of each alone.
    pub(super) fn keep(
        &mut self,
        kind: u32,
        (printed, start): (&[u8], usize),
        left_out: &[(Range<usize>, Hole)],
        dialect: Option<Identifier>,
        is_open: bool,
    ) {
        let is_shared = self.kinds[kind as usize].is_shared;
        if !is_shared || printed.len() - start > LONGEST || self.bytes.len() > MOST_TEXT {
            return;
        }
        let (first, mut from) = (self.bytes.len(), start);
        let mut holes = Vec::with_capacity(left_out.len());
        for (name, hole) in left_out {
            self.bytes.extend_from_slice(&printed[from..name.start]);
            holes.push(((self.bytes.len() - first) as u32, *hole));
            from = name.end;
        }
        self.bytes.extend_from_slice(&printed[from..]);
        let bytes = first..self.bytes.len();
        self.kinds[kind as usize].text = Some(Text { bytes, holes: holes.into(), dialect, is_open });
    }

    /// Whether an operation of the kind has a text that is known.
    pub(super) fn has_text(&self, kind: u32, op: OpRef<'_>, dialect: Option<Identifier>) -> bool {
        let body = op.body();
        self.kinds[kind as usize].text.as_ref().is_some_and(|text| {
            let next = body.next_operation(op.id()).filter(|_| text.is_open);
            text.dialect == dialect && next.is_none_or(|next| body.result_count(next) == 0)
        })
    }

    /// Prints the text of an operation of the kind from the hole of that number on, up to a region. Gives that, and the number of the
    /// next hole; `None` at the end of the text.
    pub(super) fn print(
        &self,
        kind: u32,
        at: usize,
        op: OpRef<'_>,
        names: &Names,
        out: &mut Vec<u8>,
    ) -> Option<(usize, RegionPiece)> {
        let text = self.kinds[kind as usize].text.as_ref()?;
        let (id, body) = (op.body_id(), op.body());
        let view = body.view(op.id());
        let bytes = &self.bytes[text.bytes.clone()];
        let mut from = at.checked_sub(1).map_or(0, |last| text.holes[last].0 as usize);
        for (number, &(end, hole)) in text.holes.iter().enumerate().skip(at) {
            out.extend_from_slice(&bytes[from..end as usize]);
            from = end as usize;
            match hole {
                Hole::Operand(number) => names.push_use(id, body, view.operands()[number as usize], out),
                Hole::Successor(number) => {
                    let block = view.successors()[number as usize];
                    push_successor(out, body, op.id(), block, names.block(id, block));
                }
                Hole::Argument(region, number) => {
                    let block = view.regions().nth(region as usize).and_then(|region| body.first_block(region));
                    if let Some(block) = block {
                        names.push_use(id, body, body.arguments(block)[number as usize], out);
                    }
                }
                Hole::Region(piece) => return Some((number + 1, piece)),
            }
        }
        out.extend_from_slice(&bytes[from..]);
        None
    }
}

/// The name, attributes and properties of an operation.
fn attributes_of(view: OpView<'_>) -> [u32; 3] {
    let raw = |attribute: Option<AttributeRef>| attribute.map_or(0, AttributeRef::raw);
    [view.name().raw(), raw(view.attributes()), raw(view.properties())]
}

/// Adds what printers ask of a region of an operation: the arguments of its first block, and whether its last operation can be left out.
/// `None` where more must be looked at.
fn push_region(words: &mut Vec<u32>, op: OpRef<'_>, region: RegionId) -> Option<()> {
    let body = op.body();
    let Some(block) = body.first_block(region) else {
        words.push(0);
        return Some(());
    };
    let arguments = body.arguments(block);
    if arguments.len() > MOST_VALUES {
        return None;
    }
    let is_only = body.next_block(block).is_none();
    words.extend([1 + u32::from(is_only), arguments.len() as u32]);
    words.extend(arguments.iter().map(|&argument| body.ty(argument).raw()));
    let Some(last) = body.last_operation(block) else {
        words.push(0);
        return Some(());
    };
    let view = body.view(last);
    if view.region_count() > 0 {
        return None;
    }
    let before = body.previous_operation(last).map(|before| OpRef::new(op.module(), op.body_id(), body, before));
    let is_behind_terminator = before.is_some_and(|before| before.has_trait(Traits::TERMINATOR));
    let says_more = !view.operands().is_empty() || view.results().len() > 0 || !view.successors().is_empty();
    words.push(1 + u32::from(is_behind_terminator) + 2 * u32::from(says_more));
    words.extend(attributes_of(view));
    Some(())
}
