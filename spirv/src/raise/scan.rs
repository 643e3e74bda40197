//! A first look at all instructions: where ids are defined, and what is said of them from afar.

use std::borrow::Cow;

use mlirbc_ir::Result;

use super::stop::Stop;
use crate::binary::instructions::{Definitions, Instructions, Visitor, is_simple, visit};
use crate::binary::words::{self, Header};
use crate::grammar::{Kind, Set};
use crate::op;

/// Something said of an id: a decoration, without the instruction's head and target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    /// The id.
    pub(super) id: u32,
    /// The member, where it is about one.
    pub(super) member: Option<u32>,
    /// Where its words begin: the decoration, and what follows it.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether its operands are ids.
    pub(super) has_ids: bool,
}

/// The name of a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct MemberName {
    pub(super) id: u32,
    pub(super) member: u32,
    /// Where its string begins, and the instruction ends.
    pub(super) start: u32,
    pub(super) end: u32,
}

pub(super) struct Scan<'w> {
    pub(super) words: &'w [u32],
    /// The same as they stand in the module, for errors.
    given: &'w [u32],
    pub(super) header: Header,
    /// By id: where the instruction that defines it begins; 0 where there is none.
    pub(super) at: Vec<u32>,
    /// By id: where its name stands; 0 where it has none. An empty name is none.
    pub(super) names: Vec<u32>,
    /// By id: one more than the place of the first of its notes; 0 where there are none.
    first_note: Vec<u32>,
    notes: Vec<Note>,
    pub(super) member_names: Vec<MemberName>,
    /// Instructions outside of functions that are neither names nor decorations.
    pub(super) top: Vec<u32>,
    /// Where each function begins and ends.
    pub(super) functions: Vec<(u32, u32)>,
    /// Whether there is an `OpCopyLogical`, which asks for two types that are alike and not the same.
    pub(super) copies_logically: bool,
}

impl<'w> Scan<'w> {
    /// `words` are those of the module, which `given` is, some of them changed.
    pub(super) fn new(words: &'w [u32], given: &'w [u32], header: Header) -> Result<Self> {
        let stop = Stop { words: given };
        // Tables by id are no larger than a small multiple of the module.
        if header.bound as usize > 16 * words.len() + 1024 {
            return Err(stop.of_module("the bound is far above what the module can define"));
        }
        let bound = header.bound as usize;
        let mut scan = Scan {
            words,
            given,
            header,
            at: vec![0; bound],
            names: vec![0; bound],
            first_note: Vec::new(),
            notes: Vec::with_capacity(words.len() / 32),
            member_names: Vec::new(),
            top: Vec::with_capacity(words.len() / 8),
            functions: Vec::new(),
            copies_logically: false,
        };
        let mut groups: Vec<u32> = Vec::new();
        let mut function = None;
        let mut instructions = Instructions::new(words);
        while let Some(place) = instructions.next() {
            let place = place?;
            let (at, words) = (place.at as u32, place.words);
            let end = at + words.len() as u32;
            let opcode = words[0] as u16;
            if let Some(instruction) = place.instruction()
                && instruction.has_result
            {
                let id = place.result(instruction)?;
                match scan.at.get_mut(id as usize) {
                    Some(known) if id != 0 && *known == 0 => *known = at,
                    _ => return Err(stop.at(at, "its result is no new id below the bound")),
                }
            }
            scan.copies_logically |= opcode == op::COPY_LOGICAL;
            if let Some(start) = function {
                if opcode == op::FUNCTION {
                    return Err(stop.at(at, "it stands in another function"));
                }
                if opcode == op::FUNCTION_END {
                    scan.functions.push((start, at));
                    function = None;
                }
                continue;
            }
            if let Some(instruction) = place.instruction()
                && !is_simple(words, &instruction.shape, &mut Nothing)
            {
                visit(&place, instruction, &mut Nothing, &mut Nothing)?;
            }
            let word = |k: usize| words.get(k).copied().ok_or_else(|| stop.at(at, "it is too short"));
            match opcode {
                op::FUNCTION => function = Some(at),
                op::NAME => {
                    let id = word(1)?;
                    word(2)?;
                    if string_of(&words[2..]).ok_or_else(|| stop.at(at, "its name is no string"))?.is_empty() {
                        continue;
                    }
                    match scan.names.get_mut(id as usize) {
                        Some(name) if *name == 0 => *name = at,
                        _ => return Err(stop.at(at, "a second name, or one of no id below the bound")),
                    }
                }
                op::MEMBER_NAME => {
                    let (id, member) = (word(1)?, word(2)?);
                    word(3)?;
                    if !string_of(&words[3..]).ok_or_else(|| stop.at(at, "its name is no string"))?.is_empty() {
                        scan.member_names.push(MemberName { id, member, start: at + 3, end });
                    }
                }
                op::DECORATE | op::DECORATE_ID | op::DECORATE_STRING => {
                    word(2)?;
                    let has_ids = opcode == op::DECORATE_ID;
                    scan.notes.push(Note { id: word(1)?, member: None, start: at + 2, end, has_ids });
                }
                op::MEMBER_DECORATE | op::MEMBER_DECORATE_STRING => {
                    word(3)?;
                    let (id, member) = (word(1)?, Some(word(2)?));
                    scan.notes.push(Note { id, member, start: at + 3, end, has_ids: false });
                }
                op::DECORATION_GROUP => {}
                op::GROUP_DECORATE | op::GROUP_MEMBER_DECORATE => groups.push(at),
                _ => scan.top.push(at),
            }
        }
        if let Some(start) = function {
            return Err(stop.at(start, "the function has no end"));
        }
        scan.expand(&groups)?;
        Ok(scan)
    }

    /// Says of each target of a group what is said of the group.
    fn expand(&mut self, groups: &[u32]) -> Result<()> {
        let stop = self.stop();
        for &at in groups {
            let (opcode, words) = self.instruction(at);
            let group = words.get(1).copied().unwrap_or(0);
            let of_group: Vec<Note> = self.notes.iter().filter(|note| note.id == group).copied().collect();
            let targets = words.get(2..).unwrap_or_default();
            let is_group = self.defining(group).is_some_and(|(opcode, _)| opcode == op::DECORATION_GROUP);
            if !is_group || of_group.iter().any(|note| note.start > at || note.member.is_some()) {
                return Err(stop.at(at, "its first operand is no group, or one that is decorated later"));
            }
            if of_group.len() * targets.len() > 64 * self.words.len() {
                return Err(stop.at(at, "groups say too much"));
            }
            let mut say = |id: u32, member: Option<u32>| {
                self.notes.extend(of_group.iter().map(|note| Note { id, member, ..*note }));
            };
            match opcode {
                op::GROUP_DECORATE => targets.iter().for_each(|&id| say(id, None)),
                _ => targets.as_chunks::<2>().0.iter().for_each(|&[id, member]| say(id, Some(member))),
            }
        }
        let mut notes = std::mem::take(&mut self.notes);
        let is_group =
            |id: u32| self.at.get(id as usize).is_some_and(|&at| at != 0 && self.opcode(at) == op::DECORATION_GROUP);
        notes.retain(|note| !is_group(note.id));
        notes.sort_by_key(|note| note.id);
        self.member_names.sort_by_key(|name| (name.id, name.member));
        self.first_note = vec![0; self.at.len()];
        for (at, note) in notes.iter().enumerate() {
            match self.first_note.get_mut(note.id as usize) {
                Some(first) if *first == 0 => *first = at as u32 + 1,
                Some(_) => {}
                None => return Err(stop.at(note.start, "a decoration of no id below the bound")),
            }
        }
        self.notes = notes;
        Ok(())
    }

    /// Where the `OpLine` begins that stands right before an instruction outside of functions, or before a function; 0 where none does.
    pub(super) fn line_before(&self, at: u32) -> u32 {
        let before = self.top.partition_point(|&other| other < at);
        let line = before.checked_sub(1).map(|last| self.top[last]);
        let line = line.filter(|&line| self.opcode(line) == op::LINE);
        line.filter(|&line| line + self.instruction(line).1.len() as u32 == at).unwrap_or(0)
    }

    /// What stops the raising.
    pub(super) fn stop(&self) -> Stop<'w> {
        Stop { words: self.given }
    }

    /// The opcode of the instruction there.
    #[inline]
    pub(super) fn opcode(&self, at: u32) -> u16 {
        self.words[at as usize] as u16
    }

    /// Opcode and words of the instruction that begins there.
    #[inline]
    pub(super) fn instruction(&self, at: u32) -> (u16, &'w [u32]) {
        let rest = &self.words[at as usize..];
        (rest[0] as u16, &rest[..(rest[0] >> 16) as usize])
    }

    /// Where the instruction that defines an id begins.
    #[inline]
    pub(super) fn definition(&self, id: u32) -> Option<u32> {
        self.at.get(id as usize).copied().filter(|&at| at != 0)
    }

    /// Opcode and words of the instruction that defines an id.
    #[inline]
    pub(super) fn defining(&self, id: u32) -> Option<(u16, &'w [u32])> {
        Some(self.instruction(self.definition(id)?))
    }

    /// What is said of an id and of its members.
    #[inline]
    pub(super) fn notes(&self, id: u32) -> &[Note] {
        let Some(first) = self.first_note.get(id as usize).and_then(|first| first.checked_sub(1)) else { return &[] };
        let notes = &self.notes[first as usize..];
        let count = notes.iter().take_while(|note| note.id == id).count();
        &notes[..count]
    }

    /// The name of an id.
    #[inline]
    pub(super) fn name(&self, id: u32) -> Option<Cow<'w, [u8]>> {
        let at = self.names.get(id as usize).copied().filter(|&at| at != 0)?;
        let (_, words) = self.instruction(at);
        string_of(words.get(2..)?)
    }

    /// The names of the members of a struct.
    pub(super) fn member_names(&self, id: u32) -> &[MemberName] {
        let start = self.member_names.partition_point(|name| name.id < id);
        let count = self.member_names[start..].iter().take_while(|name| name.id == id).count();
        &self.member_names[start..start + count]
    }

    /// The string in these words, which is all of them.
    pub(super) fn string(&self, start: u32, end: u32) -> Option<Cow<'w, [u8]>> {
        string_of(self.words.get(start as usize..end as usize)?)
    }
}

/// Sees nothing, and knows nothing.
struct Nothing;

impl Visitor for Nothing {
    fn id(&mut self, _: u32) {}
    fn word(&mut self, _: Kind, _: u32) {}
    fn string(&mut self, _: &[u32]) {}
}

impl Definitions for Nothing {
    fn set(&mut self, _: u32) -> Set {
        Set::Unknown
    }
    fn type_of(&mut self, _: u32) -> Option<&[u32]> {
        None
    }
}

/// The string at the beginning of these words, filled up with zeros, and how many words it takes.
pub(super) fn string_before(of: &[u32]) -> Option<(Cow<'_, [u8]>, usize)> {
    let (string, count) = words::string(of)?;
    words::is_filled_with_zeros(of[count - 1]).then_some((string, count))
}

/// The string that is all of these words, filled up with zeros.
pub(super) fn string_of(of: &[u32]) -> Option<Cow<'_, [u8]>> {
    let (string, count) = words::string(of)?;
    (count == of.len() && words::is_filled_with_zeros(*of.last()?)).then_some(string)
}
