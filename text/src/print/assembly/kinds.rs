//! Operations that are alike: those of one kind differ in nothing but their locations, and in which values and blocks they name. What
//! one of them shows is what all show, and its text is theirs but for these names.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::names::Names;
use crate::print::successor::push_successor;
use mlirbc_ir::{AttributeRef, Identifier, OpRef, OperationName, TypeRef};

/// Operations with more operands and results are of no kind.
const MOST_VALUES: usize = 64;

/// Longer texts are made anew each time.
const LONGEST: usize = 1 << 12;

/// How much text is kept in all.
const MOST_TEXT: usize = 1 << 25;

/// How many kinds are told apart.
const MOST_KINDS: usize = 1 << 20;

/// What operations of one kind have in common, with the types of their operands and results.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Head {
    name: OperationName,
    attributes: Option<AttributeRef>,
    properties: Option<AttributeRef>,
    operands: u8,
    successors: u32,
}

/// The operations of one kind.
struct Kind {
    head: Head,
    /// Where their types are.
    types: Range<usize>,
    /// Whether each of them is valid.
    is_valid: bool,
    /// Whether what they show has been noted.
    is_visited: bool,
    text: Option<Text>,
}

/// Where in a text a name comes.
#[derive(Clone, Copy)]
pub(super) enum Hole {
    Operand(u32),
    Successor(u32),
}

/// The text that operations of one kind share, from their name on.
struct Text {
    bytes: Range<usize>,
    /// The names in it, each with how much text stands before it.
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
    hasher: DefaultHashBuilder,
    types: Vec<TypeRef>,
    bytes: Vec<u8>,
    /// The types of the operation that is being looked up.
    sought: Vec<TypeRef>,
}

impl Kinds {
    /// The kind of an operation. `None` for those with regions and those with very many operands and results.
    pub(super) fn of(&mut self, op: OpRef<'_>) -> Option<u32> {
        let (body, view) = (op.body(), op.body().view(op.id()));
        let operands = view.operands();
        let results = view.result_types();
        if view.region_count() > 0 || operands.len() + results.len() > MOST_VALUES {
            return None;
        }
        let head = Head {
            name: view.name(),
            attributes: view.attributes(),
            properties: view.properties(),
            operands: operands.len() as u8,
            successors: view.successors().len() as u32,
        };
        self.sought.clear();
        self.sought.extend(operands.iter().map(|&operand| body.ty(operand)));
        self.sought.extend(results);
        let (kinds, types, sought) = (&mut self.kinds, &mut self.types, self.sought.as_slice());
        let hash = self.hasher.hash_one((head, sought));
        let found = self.places.find(hash, |&at| {
            let kind = &kinds[at as usize];
            kind.head == head && types[kind.types.clone()] == *sought
        });
        if let Some(&found) = found {
            return Some(found);
        }
        if kinds.len() == MOST_KINDS {
            return None;
        }
        let start = types.len();
        types.extend_from_slice(sought);
        let number = kinds.len() as u32;
        kinds.push(Kind { head, types: start..types.len(), is_valid: false, is_visited: false, text: None });
        let hash_of = |&at: &u32| {
            let kind = &kinds[at as usize];
            self.hasher.hash_one((kind.head, &types[kind.types.clone()]))
        };
        self.places.insert_unique(hash, number, hash_of);
        Some(number)
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

    /// Notes that all that operations of the kind show has been noted.
    pub(super) fn note_visited(&mut self, kind: u32) {
        self.kinds[kind as usize].is_visited = true;
    }

    /// Keeps the text of an operation for others of its kind, unless it is long or much is kept already: what stands in `printed` from
    /// `start` on, but for the names in it.
    pub(super) fn keep(
        &mut self,
        kind: u32,
        (printed, start): (&[u8], usize),
        names: &[(Range<usize>, Hole)],
        dialect: Option<Identifier>,
        is_open: bool,
    ) {
        if printed.len() - start > LONGEST || self.bytes.len() > MOST_TEXT {
            return;
        }
        let (first, mut from) = (self.bytes.len(), start);
        let mut holes = Vec::with_capacity(names.len());
        for (name, hole) in names {
            self.bytes.extend_from_slice(&printed[from..name.start]);
            holes.push(((self.bytes.len() - first) as u32, *hole));
            from = name.end;
        }
        self.bytes.extend_from_slice(&printed[from..]);
        let bytes = first..self.bytes.len();
        self.kinds[kind as usize].text = Some(Text { bytes, holes: holes.into(), dialect, is_open });
    }

    /// Prints an operation of the kind, from its name on. False where its text is not known, with nothing printed.
    pub(super) fn print(
        &self,
        kind: u32,
        op: OpRef<'_>,
        dialect: Option<Identifier>,
        names: &Names,
        out: &mut Vec<u8>,
    ) -> bool {
        let Some(text) = self.kinds[kind as usize].text.as_ref().filter(|text| text.dialect == dialect) else {
            return false;
        };
        let (id, body) = (op.body_id(), op.body());
        let view = body.view(op.id());
        if text.is_open && view.next().is_some_and(|next| body.result_count(next) > 0) {
            return false;
        }
        let bytes = &self.bytes[text.bytes.clone()];
        let (operands, mut from) = (view.operands(), 0);
        for &(at, hole) in &text.holes {
            out.extend_from_slice(&bytes[from..at as usize]);
            from = at as usize;
            match hole {
                Hole::Operand(number) => names.push_use(id, body, operands[number as usize], out),
                Hole::Successor(number) => {
                    let block = view.successors()[number as usize];
                    push_successor(out, body, op.id(), block, names.block(id, block));
                }
            }
        }
        out.extend_from_slice(&bytes[from..]);
        true
    }
}
