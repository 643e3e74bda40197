//! Changing SPIR-V by its instructions.

use std::collections::HashMap;
use std::sync::OnceLock;

use mlirbc_spirv::grammar::{Instruction, Kind, Operand, OperandClass, Quantifier};

use super::mutate_bytes;
use crate::random::Random;

/// Words before the first instruction.
const HEADER: usize = 5;
/// Where the header says how many ids there are.
const BOUND: usize = 3;

/// Changes a binary in one to four of its instructions, or now and then in its words or bytes.
pub fn mutate_spirv(random: &mut Random, binary: &[u8], other: &[u8]) -> Vec<u8> {
    let words =
        |bytes: &[u8]| -> Vec<u32> { bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect() };
    if binary.len() < 4 * HEADER || random.below(16) == 0 {
        return mutate_bytes(random, binary, other);
    }
    let own = words(binary);
    let split = Instructions::of(&own);
    let Some(mut module) = split.filter(|_| random.below(8) > 0) else { return mutate_words(random, binary, other) };
    let from = Instructions::of(&words(other));
    for _ in 0..[1, 1, 2, 4][random.below(4)] {
        if module.list.is_empty() {
            break;
        }
        module.change(random, from.as_ref());
    }
    module.words().into_iter().flat_map(u32::to_le_bytes).collect()
}

/// A binary in this machine's order, an instruction an item.
struct Instructions {
    header: Vec<u32>,
    list: Vec<Vec<u32>>,
}

/// What an operand's word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Word {
    Id,
    Number,
    Enumerant(Kind),
    Mask(Kind),
}

impl Instructions {
    fn of(words: &[u32]) -> Option<Self> {
        if words.first() != Some(&0x0723_0203) || words.len() < HEADER {
            return None;
        }
        let (header, mut rest) = words.split_at(HEADER);
        let mut list = Vec::new();
        while let Some(&head) = rest.first() {
            let length = (head >> 16) as usize;
            let instruction = rest.get(..length).filter(|found| !found.is_empty())?;
            list.push(instruction.to_vec());
            rest = &rest[length..];
        }
        Some(Instructions { header: header.to_vec(), list })
    }

    fn words(mut self) -> Vec<u32> {
        for instruction in &mut self.list {
            instruction[0] = (instruction.len() as u32) << 16 | instruction[0] & 0xffff;
        }
        [self.header, self.list.concat()].concat()
    }

    fn new_id(&mut self) -> u32 {
        self.header[BOUND] = self.header[BOUND].wrapping_add(1);
        self.header[BOUND].wrapping_sub(1)
    }

    fn change(&mut self, random: &mut Random, from: Option<&Instructions>) {
        let at = random.below(self.list.len());
        match random.below(16) {
            0..2 => self.change_opcode(random, at),
            2..6 => self.change_id(random, at),
            6..9 => self.change_number(random, at),
            9..11 => self.repeat(random, at),
            11 => self.delete(random, at),
            12 => {
                let next = (at + 1).min(self.list.len() - 1);
                self.list.swap(at, next);
            }
            13 => {
                // Of another binary: names and decorations, which any id may have.
                let Some(other) = from.filter(|other| !other.list.is_empty()) else { return };
                let mut copy = other.list[random.below(other.list.len())].clone();
                if let (Some(definition), Some(id)) = (definition(&copy), self.any_id(random))
                    && !definition.has_result
                {
                    for (place, word) in operands(definition, &copy) {
                        if word == Word::Id {
                            copy[place] = id;
                        }
                    }
                    // Where others like it stand.
                    let like = self.list.iter().rposition(|own| own[0] & 0xffff == copy[0] & 0xffff);
                    self.list.insert(like.unwrap_or(at), copy);
                }
            }
            14 => match random.below(3) {
                0 => self.header[1] = 0x0001_0000 | (random.below(8) as u32) << 8,
                1 => self.header[2] = random.next() as u32,
                _ => self.header[BOUND] = self.header[BOUND].wrapping_add(random.below(3) as u32),
            },
            _ => self.name(random),
        }
    }

    /// Puts an opcode with the same operands in the place of another.
    fn change_opcode(&mut self, random: &mut Random, at: usize) {
        // The next one that has others like it.
        let like = self.list[at..].iter().enumerate().find_map(|(number, found)| {
            let like = same_operands(definition(found)?);
            (like.len() > 1).then_some((at + number, like))
        });
        if let Some((at, like)) = like {
            let head = &mut self.list[at][0];
            *head = *head & 0xffff_0000 | u32::from(like[random.below(like.len())]);
        }
    }

    /// The result of each instruction that has one, with its type or its opcode: what it may stand for.
    fn results(&self) -> Vec<(u32, u32)> {
        let result = |found: &Vec<u32>| {
            let definition = definition(found).filter(|definition| definition.has_result)?;
            match definition.has_type {
                true => Some((*found.get(2)?, *found.get(1)?)),
                // Types stand for types of the same kind, and so on.
                false => Some((*found.get(1)?, u32::MAX - u32::from(definition.opcode))),
            }
        };
        self.list.iter().filter_map(result).collect()
    }

    fn any_id(&self, random: &mut Random) -> Option<u32> {
        let results = self.results();
        if results.is_empty() { None } else { Some(results[random.below(results.len())].0) }
    }

    /// Uses another id: mostly one of the same type, or a type of the same kind.
    fn change_id(&mut self, random: &mut Random, at: usize) {
        let results = self.results();
        let Some(definition) = definition(&self.list[at]) else { return };
        let mut places: Vec<usize> = operands(definition, &self.list[at])
            .into_iter()
            .filter(|found| found.1 == Word::Id)
            .map(|found| found.0)
            .collect();
        // What another change cut off has none.
        if definition.has_type && self.list[at].len() > 1 {
            places.push(1);
        }
        if places.is_empty() || results.is_empty() {
            return;
        }
        let place = places[random.below(places.len())];
        let old = self.list[at][place];
        let kind = results.iter().find(|result| result.0 == old).map(|result| result.1);
        let like: Vec<u32> =
            results.iter().filter(|result| Some(result.1) == kind && result.0 != old).map(|result| result.0).collect();
        self.list[at][place] = match like.is_empty() || random.below(8) == 0 {
            true => results[random.below(results.len())].0,
            false => like[random.below(like.len())],
        };
    }

    /// Changes a number, an enumerant or a bit.
    fn change_number(&mut self, random: &mut Random, at: usize) {
        let others = |found: &Vec<u32>| -> Vec<(usize, Word)> {
            let Some(definition) = definition(found) else { return Vec::new() };
            operands(definition, found).into_iter().filter(|found| found.1 != Word::Id).collect()
        };
        let found = self.list[at..].iter().enumerate().find(|(_, found)| !others(found).is_empty());
        let Some(number) = found.map(|(number, _)| at + number) else { return };
        let places = others(&self.list[number]);
        let (place, kind) = places[random.below(places.len())];
        let old = self.list[number][place];
        self.list[number][place] = match kind {
            Word::Enumerant(kind) => {
                // One with as many parameters.
                let parameters = |value: u32| kind.parameters(value).map(<[Operand]>::len);
                let candidates: Vec<u32> = (0..48)
                    .chain(4400..4600)
                    .chain(5000..6200)
                    .filter(|&value| parameters(value) == parameters(old))
                    .collect();
                if candidates.is_empty() { old ^ 1 } else { candidates[random.below(candidates.len())] }
            }
            Word::Mask(_) => old ^ 1 << random.below(8),
            _ => match random.below(6) {
                0 => old.wrapping_add(1),
                1 => old.wrapping_sub(1),
                2 => 0,
                3 => u32::MAX,
                4 => random.next() as u32,
                _ => old ^ 1 << random.below(32),
            },
        };
    }

    /// Puts an instruction in once more; its result gets an id of its own.
    fn repeat(&mut self, random: &mut Random, at: usize) {
        const LABEL: u32 = 248;
        const TERMINATORS: std::ops::Range<u32> = 245..258;
        let mut copy = self.list[at].clone();
        let opcode = copy[0] & 0xffff;
        if opcode == LABEL || TERMINATORS.contains(&opcode) && random.below(8) > 0 {
            return;
        }
        if let Some(definition) = definition(&copy)
            && definition.has_result
        {
            let place = 1 + usize::from(definition.has_type);
            if place < copy.len() {
                copy[place] = self.new_id();
            }
        }
        self.list.insert(at + 1, copy);
    }

    /// Takes an instruction away, if nothing uses what it gives.
    fn delete(&mut self, random: &mut Random, at: usize) {
        let result = definition(&self.list[at]).filter(|definition| definition.has_result);
        let id = result.and_then(|definition| self.list[at].get(1 + usize::from(definition.has_type)).copied());
        let used =
            |id: u32| self.list.iter().enumerate().any(|(number, found)| number != at && found[1..].contains(&id));
        if id.is_none_or(|id| !used(id)) || random.below(8) == 0 {
            self.list.remove(at);
        }
    }

    /// Gives an id a name, or a decoration that any may have.
    fn name(&mut self, random: &mut Random) {
        const NAME: u32 = 5;
        const DECORATE: u32 = 71;
        let Some(id) = self.any_id(random) else { return };
        let new = match random.below(2) {
            0 => vec![NAME, id, u32::from_le_bytes(*b"a.b\0")],
            _ => vec![DECORATE, id, [0, 18, 19, 20, 21, 23, 24, 25, 26, 42][random.below(10)]],
        };
        let like = self.list.iter().rposition(|found| found[0] & 0xffff == new[0]);
        if let Some(like) = like {
            self.list.insert(like, new);
        }
    }
}

fn definition(words: &[u32]) -> Option<&'static Instruction> {
    Instruction::of((words[0] & 0xffff) as u16)
}

/// The opcodes that take the same operands.
fn same_operands(definition: &Instruction) -> &'static [u16] {
    type Signature = (bool, bool, Vec<Kind>);
    static LIKE: OnceLock<HashMap<Signature, Vec<u16>>> = OnceLock::new();
    let signature =
        |of: &Instruction| (of.has_type, of.has_result, of.operands.iter().map(|operand| operand.kind).collect());
    let like = LIKE.get_or_init(|| {
        let mut like: HashMap<Signature, Vec<u16>> = HashMap::new();
        Instruction::all().iter().for_each(|of| like.entry(signature(of)).or_default().push(of.opcode));
        like
    });
    like.get(&signature(definition)).map_or(&[], Vec::as_slice)
}

/// Where the operands of an instruction stand that are one word, and what they are, up to the first that is not known so well.
fn operands(definition: &Instruction, words: &[u32]) -> Vec<(usize, Word)> {
    let mut found = Vec::new();
    let mut at = 1 + usize::from(definition.has_type) + usize::from(definition.has_result);
    'all: for operand in &definition.operands {
        let times = if operand.quantifier == Quantifier::Variadic { words.len() } else { 1 };
        for _ in 0..times {
            if at >= words.len() {
                break 'all;
            }
            match operand.kind.class() {
                OperandClass::Id => found.push((at, Word::Id)),
                OperandClass::Word | OperandClass::Number | OperandClass::ExtendedInstruction => {
                    found.push((at, Word::Number))
                }
                OperandClass::Value => found.push((at, Word::Enumerant(operand.kind))),
                OperandClass::Mask => found.push((at, Word::Mask(operand.kind))),
                OperandClass::String => {
                    while at < words.len() && words[at].to_le_bytes().iter().all(|&byte| byte != 0) {
                        at += 1;
                    }
                }
                OperandClass::PairIdId => {
                    found.extend([(at, Word::Id), (at + 1, Word::Id)]);
                    at += 1;
                }
                OperandClass::PairIdWord => {
                    found.extend([(at, Word::Id), (at + 1, Word::Number)]);
                    at += 1;
                }
                OperandClass::Opcode | OperandClass::PairNumberId => break 'all,
            }
            at += 1;
        }
    }
    found.retain(|found| found.0 < words.len());
    found
}

/// Changes a binary in one to six of its words.
fn mutate_words(random: &mut Random, binary: &[u8], other: &[u8]) -> Vec<u8> {
    let words =
        |bytes: &[u8]| -> Vec<[u8; 4]> { bytes.chunks_exact(4).filter_map(|word| word.try_into().ok()).collect() };
    let (mut own, from) = (words(binary), words(if other.len() < 4 || random.below(2) == 0 { binary } else { other }));
    for _ in 0..1 + random.below(6) {
        if own.is_empty() {
            break;
        }
        let (at, start) = (random.below(own.len()), random.below(from.len()));
        let end = from.len().min(start + 1 + random.below(8));
        let word = u32::from_le_bytes(own[at]);
        match random.below(10) {
            0 => own[at] = word.wrapping_add(1).to_le_bytes(),
            1 => own[at] = word.wrapping_sub(1).to_le_bytes(),
            2 => own[at][random.below(4)] ^= 1 << random.below(8),
            3 => own[at] = from[start],
            4 => own[at] = (random.next() as u32 >> random.below(32)).to_le_bytes(),
            // The length of an instruction, or its opcode.
            5 => own[at] = word.wrapping_add(1 << 16).to_le_bytes(),
            6 => own[at] = (word & 0xffff_0000 | random.below(6200) as u32).to_le_bytes(),
            7 => drop(own.splice(at..at, from[start..end].iter().copied())),
            8 => drop(own.splice(at..own.len().min(at + end - start), from[start..end].iter().copied())),
            _ => drop(own.drain(at..own.len().min(at + 1 + random.below(4)))),
        }
    }
    own.concat()
}
