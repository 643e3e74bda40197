//! Whether two binaries are one module: what a round trip may change is looked past.
//!
//! Free are the numbers of ids, the order of declarations in their section, the order of blocks that control flow leaves
//! open, repeated declarations of one type or constant, where an `OpUndef` stands, and the generator. All else counts:
//! names, decorations, debug information, the line of every instruction.
//!
//! Every declaration gets a hash of what it is, refined until as many can be told apart as there are; then
//! the functions and variables are told apart by what is done in them and with them.

use std::hash::{DefaultHasher, Hash, Hasher};

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::Result;

use crate::binary::instructions::{Definitions, InstructionWords, Instructions, Visitor, visit};
use crate::binary::words::{self, HEADER};
use crate::grammar::{Instruction, Kind, Set};
use crate::op;

/// Whether two binaries, in this machine's order of bytes, are one module.
///
/// # Errors
/// Where one of them is malformed.
pub fn equal(a: &[u32], b: &[u32]) -> Result<bool> {
    Ok(a == b || canonical(a)? == canonical(b)?)
}

/// A hash of what a declaration or an instruction is, whatever the numbers of its ids are.
type ValueHash = u64;

fn hash(value: impl Hash) -> ValueHash {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What is equal of equal modules.
#[derive(PartialEq, Eq, Debug)]
struct Canonical {
    version: u32,
    header: Vec<ValueHash>,
    declared: Vec<ValueHash>,
    variables: Vec<ValueHash>,
    debug: Vec<ValueHash>,
    functions: Vec<ValueHash>,
}

/// A word of an instruction.
#[derive(Clone, Copy)]
enum Part {
    Id(u32),
    Word(u32),
}

/// An instruction: its opcode, its result, all other words.
struct Parts {
    opcode: u16,
    result: Option<u32>,
    parts: Vec<Part>,
}

/// The instructions of a block, each with the line in force.
type Block<'b> = Vec<(&'b Parts, Option<&'b [Part]>)>;

struct Compared<'w> {
    /// Where each id is defined.
    at: HashMap<u32, usize>,
    words: &'w [u32],
    names: HashMap<u32, Vec<ValueHash>>,
    decorations: HashMap<u32, Vec<Vec<Part>>>,
    header: Vec<Parts>,
    globals: HashMap<u32, Parts>,
    order: Vec<u32>,
    debug: Vec<Parts>,
    functions: Vec<Vec<Parts>>,
    hashes: HashMap<u32, ValueHash>,
}

impl Definitions for &Compared<'_> {
    fn set(&mut self, id: u32) -> Set {
        match self.definition(id) {
            Some([head, _, name @ ..]) if *head as u16 == op::EXT_INST_IMPORT => {
                words::string(name).map_or(Set::Unknown, |(name, _)| Set::of(&name))
            }
            _ => Set::Unknown,
        }
    }

    fn type_of(&mut self, id: u32) -> Option<&[u32]> {
        let words = self.definition(id)?;
        Instruction::of(*words.first()? as u16).filter(|known| known.has_type)?;
        self.definition(*words.get(1)?)
    }
}

impl Visitor for Vec<Part> {
    fn id(&mut self, id: u32) {
        self.push(Part::Id(id));
    }
    fn word(&mut self, _: Kind, word: u32) {
        self.push(Part::Word(word));
    }
    fn string(&mut self, words: &[u32]) {
        self.extend(words.iter().map(|&word| Part::Word(word)));
    }
}

fn canonical(words: &[u32]) -> Result<Canonical> {
    let mut module = Compared {
        at: HashMap::new(),
        words,
        names: HashMap::new(),
        decorations: HashMap::new(),
        header: Vec::new(),
        globals: HashMap::new(),
        order: Vec::new(),
        debug: Vec::new(),
        functions: Vec::new(),
        hashes: HashMap::new(),
    };
    if words.len() < HEADER {
        return Err(mlirbc_ir::Error::malformed("a module without a header"));
    }
    let mut instructions = Instructions::new(words);
    while let Some(place) = instructions.next() {
        let place = place?;
        if let Some(instruction) = place.instruction().filter(|instruction| instruction.has_result) {
            module.at.insert(place.result(instruction)?, place.at);
        }
    }
    let mut instructions = Instructions::new(words);
    let mut groups = HashSet::new();
    let mut function: Option<Vec<Parts>> = None;
    while let Some(place) = instructions.next() {
        let parts = module.parts(&place?)?;
        // What is undefined is so wherever it stands.
        if let (op::UNDEF, Some(id)) = (parts.opcode, parts.result) {
            module.globals.insert(id, parts);
            continue;
        }
        if let Some(open) = &mut function {
            let is_end = parts.opcode == op::FUNCTION_END;
            open.push(parts);
            if is_end {
                module.functions.extend(function.take());
            }
            continue;
        }
        match parts.opcode {
            op::FUNCTION => function = Some(vec![parts]),
            _ => module.outside(parts, &mut groups),
        }
    }
    module.functions.extend(function);
    for group in groups {
        module.decorations.remove(&group);
    }
    module.refine();
    module.separate();
    Ok(module.finish(words[1]))
}

impl Compared<'_> {
    fn definition(&self, id: u32) -> Option<&[u32]> {
        let at = *self.at.get(&id)?;
        self.words.get(at..at + (self.words[at] >> 16) as usize)
    }

    fn parts(&self, place: &InstructionWords<'_>) -> Result<Parts> {
        let opcode = place.words[0] as u16;
        let mut parts = Vec::with_capacity(place.words.len());
        let Some(instruction) = place.instruction() else {
            parts.extend(place.words[1..].iter().map(|&word| Part::Word(word)));
            return Ok(Parts { opcode, result: None, parts });
        };
        let result = if instruction.has_result { Some(place.result(instruction)?) } else { None };
        if instruction.has_type {
            parts.push(Part::Id(place.words[1]));
        }
        visit(place, instruction, &mut parts, &mut &*self)?;
        Ok(Parts { opcode, result, parts })
    }

    /// An instruction outside of functions.
    fn outside(&mut self, of: Parts, groups: &mut HashSet<u32>) {
        let id = |at: usize| match of.parts.get(at) {
            Some(&(Part::Id(id) | Part::Word(id))) => id,
            None => 0,
        };
        let is_empty = |at: usize| matches!(of.parts.get(at), Some(Part::Word(word)) if word & 0xff == 0);
        let raw = |from: usize| -> Vec<u32> {
            of.parts[from.min(of.parts.len())..]
                .iter()
                .map(|part| match *part {
                    Part::Id(id) | Part::Word(id) => id,
                })
                .collect()
        };
        match of.opcode {
            op::NAME if is_empty(1) => {}
            op::MEMBER_NAME if is_empty(2) => {}
            op::NAME | op::MEMBER_NAME => self.names.entry(id(0)).or_default().push(hash((of.opcode, raw(1)))),
            op::DECORATE | op::DECORATE_ID | op::DECORATE_STRING | op::MEMBER_DECORATE | op::MEMBER_DECORATE_STRING => {
                // A member's begins with its number, behind something that no other begins with.
                let is_member = matches!(of.opcode, op::MEMBER_DECORATE | op::MEMBER_DECORATE_STRING);
                let mut said = vec![Part::Word(u32::from(is_member))];
                said.extend_from_slice(&of.parts[1.min(of.parts.len())..]);
                self.decorations.entry(id(0)).or_default().push(said);
            }
            op::DECORATION_GROUP => drop(groups.insert(of.result.unwrap_or(0))),
            op::GROUP_DECORATE | op::GROUP_MEMBER_DECORATE => {
                let said = self.decorations.get(&id(0)).cloned().unwrap_or_default();
                let targets = raw(1);
                match of.opcode {
                    op::GROUP_DECORATE => {
                        for target in targets {
                            self.decorations.entry(target).or_default().extend_from_slice(&said);
                        }
                    }
                    _ => {
                        for &[target, member] in targets.as_chunks::<2>().0 {
                            let of_member = said.iter().map(|said| {
                                let mut member = vec![Part::Word(1), Part::Word(member)];
                                member.extend_from_slice(&said[1..]);
                                member
                            });
                            self.decorations.entry(target).or_default().extend(of_member);
                        }
                    }
                }
            }
            op::LINE | op::NO_LINE | op::TYPE_FORWARD_POINTER => {}
            op::SOURCE..=op::SOURCE_EXTENSION | op::STRING | op::MODULE_PROCESSED => {
                if let Some(id) = of.result {
                    let (opcode, result, parts) = (of.opcode, of.result, of.parts.clone());
                    self.globals.insert(id, Parts { opcode, result, parts });
                }
                self.debug.push(of);
            }
            _ => match of.result {
                Some(id) => {
                    self.globals.insert(id, of);
                    self.order.push(id);
                }
                None => self.header.push(of),
            },
        }
    }

    fn hash_of(&self, id: u32) -> ValueHash {
        self.hashes.get(&id).copied().unwrap_or(0)
    }

    fn hash_parts(&self, parts: &[Part]) -> ValueHash {
        let mut hasher = DefaultHasher::new();
        for part in parts {
            match *part {
                Part::Id(id) => (0, self.hash_of(id)).hash(&mut hasher),
                Part::Word(word) => (1, word).hash(&mut hasher),
            }
        }
        hasher.finish()
    }

    /// What is said of an id.
    fn said(&self, id: u32) -> ValueHash {
        let mut said: Vec<ValueHash> =
            self.decorations.get(&id).into_iter().flatten().map(|said| self.hash_parts(said)).collect();
        let mut names = self.names.get(&id).cloned().unwrap_or_default();
        if said.is_empty() && names.is_empty() {
            return 0;
        }
        for list in [&mut said, &mut names] {
            list.sort_unstable();
            list.dedup();
        }
        hash((said, names))
    }

    /// The entry points of a function.
    fn entry_points(&self, function: u32) -> Vec<ValueHash> {
        let entry = |of: &&Parts| {
            of.opcode == op::ENTRY_POINT && matches!(of.parts.get(1), Some(&Part::Id(id)) if id == function)
        };
        let mut found: Vec<ValueHash> =
            self.header.iter().filter(entry).map(|of| self.entry_point(of, false)).collect();
        found.sort_unstable();
        found
    }

    /// An entry point, its interface as a set.
    fn entry_point(&self, of: &Parts, with_function: bool) -> ValueHash {
        let mut interface: Vec<ValueHash> = Vec::new();
        let mut rest = Vec::new();
        for (at, part) in of.parts.iter().enumerate() {
            match *part {
                Part::Id(_) if at == 1 && !with_function => {}
                Part::Id(id) if at > 1 => interface.push(self.hash_of(id)),
                part => rest.push(part),
            }
        }
        interface.sort_unstable();
        interface.dedup();
        hash((self.hash_parts(&rest), interface))
    }

    fn refine(&mut self) {
        let entries: HashSet<u32> = self
            .header
            .iter()
            .filter(|of| of.opcode == op::ENTRY_POINT)
            .filter_map(|of| match of.parts.get(1) {
                Some(&Part::Id(id)) => Some(id),
                _ => None,
            })
            .collect();
        let mut distinct = 0;
        for _ in 0..64 {
            let mut following = HashMap::with_capacity(self.hashes.len());
            for (&id, of) in &self.globals {
                following.insert(id, hash((of.opcode, self.hash_parts(&of.parts), self.said(id))));
            }
            for function in &self.functions {
                let head = &function[0];
                let id = head.result.unwrap_or(0);
                let entries = if entries.contains(&id) { self.entry_points(id) } else { Vec::new() };
                following.insert(id, hash((head.opcode, self.hash_parts(&head.parts), self.said(id), entries)));
            }
            self.hashes = following;
            let now = self.hashes.values().collect::<HashSet<_>>().len();
            if now == distinct {
                break;
            }
            distinct = now;
        }
    }

    /// Hashes functions by their bodies, and variables of one hash by the places that use them.
    fn separate(&mut self) {
        for _ in 0..3 {
            let mut following = self.hashes.clone();
            let mut uses: HashMap<u32, Vec<(ValueHash, usize, usize)>> = HashMap::new();
            for function in &self.functions {
                let body = self.body(function, &mut |_, _, _| {});
                self.body(function, &mut |id, at, operand| {
                    if self.globals.get(&id).is_some_and(|of| of.opcode == op::VARIABLE) {
                        uses.entry(id).or_default().push((body, at, operand));
                    }
                });
                let id = function[0].result.unwrap_or(0);
                following.insert(id, hash((self.hash_of(id), body)));
            }
            for (id, mut uses) in uses {
                uses.sort_unstable();
                following.insert(id, hash((self.hash_of(id), uses)));
            }
            self.hashes = following;
        }
    }

    /// The hash of a function's body. Tells of each use of something outside: at which instruction, as which operand.
    fn body(&self, function: &[Parts], each: &mut dyn FnMut(u32, usize, usize)) -> ValueHash {
        let mut local: HashMap<u32, u32> = HashMap::new();
        let mut parameters = Vec::new();
        let mut labels: Vec<u32> = Vec::new();
        let mut of_label: HashMap<u32, usize> = HashMap::new();
        let mut blocks: Vec<Block<'_>> = Vec::new();
        let mut line = None;
        for of in &function[1..] {
            match of.opcode {
                op::FUNCTION_PARAMETER => parameters.push(of),
                op::LINE => line = Some(of.parts.as_slice()),
                op::NO_LINE => line = None,
                op::LABEL => {
                    of_label.insert(of.result.unwrap_or(0), labels.len());
                    labels.push(of.result.unwrap_or(0));
                    blocks.push(Vec::new());
                }
                op::FUNCTION_END => {}
                _ => {
                    if let Some(block) = blocks.last_mut() {
                        block.push((of, line));
                    }
                    if crate::raise::is_terminator(of.opcode) {
                        line = None;
                    }
                }
            }
        }
        let order = order(&blocks, &of_label);
        let mut index = vec![0; blocks.len()];
        order.iter().zip(0u32..).for_each(|(&block, at)| index[block] = at);
        for of in &parameters {
            local.insert(of.result.unwrap_or(0), local.len() as u32);
        }
        for &block in &order {
            for id in blocks[block].iter().filter_map(|(of, _)| of.result) {
                local.insert(id, local.len() as u32);
            }
        }
        let operand = |part: &Part| match *part {
            Part::Word(word) => (0, u64::from(word)),
            Part::Id(id) => match (of_label.get(&id), local.get(&id)) {
                (Some(&block), _) => (1, u64::from(index[block])),
                (_, Some(&number)) => (2, u64::from(number)),
                _ => (3, self.hash_of(id)),
            },
        };
        let mut hasher = DefaultHasher::new();
        function[0].parts.iter().map(operand).for_each(|part| part.hash(&mut hasher));
        for of in &parameters {
            let id = of.result.unwrap_or(0);
            of.parts.iter().map(operand).for_each(|part| part.hash(&mut hasher));
            self.said(id).hash(&mut hasher);
        }
        let mut at = 0;
        for &block in &order {
            (index[block], self.said(labels[block])).hash(&mut hasher);
            for (of, line) in &blocks[block] {
                let mut shown: Vec<(u32, u64)> = of.parts.iter().map(operand).collect();
                if of.opcode == op::PHI && !shown.is_empty() {
                    let mut pairs: Vec<_> = shown[1..].chunks(2).map(|pair| (pair.get(1).copied(), pair[0])).collect();
                    pairs.sort_unstable();
                    pairs.hash(&mut hasher);
                    shown.truncate(1);
                }
                (of.opcode, shown).hash(&mut hasher);
                for (number, part) in of.parts.iter().enumerate() {
                    if let Part::Id(id) = *part
                        && self.globals.contains_key(&id)
                    {
                        each(id, at, if of.opcode == op::PHI { 0 } else { number });
                    }
                }
                at += 1;
                if let Some(id) = of.result {
                    self.said(id).hash(&mut hasher);
                }
                line.map(|line| line.iter().map(operand).collect::<Vec<_>>()).hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    fn finish(self, version: u32) -> Canonical {
        let show = |of: &Parts| hash((of.opcode, self.hash_parts(&of.parts)));
        let mut header: Vec<ValueHash> = self
            .header
            .iter()
            .map(|of| if of.opcode == op::ENTRY_POINT { self.entry_point(of, true) } else { show(of) })
            .collect();
        let (mut declared, mut variables) = (Vec::new(), Vec::new());
        for &id in &self.order {
            let Some(of) = self.globals.get(&id) else { continue };
            let line = hash((self.hash_of(id), show(of), self.said(id)));
            match of.opcode {
                op::VARIABLE => variables.push(line),
                _ => declared.push(line),
            }
        }
        let mut debug: Vec<ValueHash> = self.debug.iter().map(show).collect();
        let mut functions: Vec<ValueHash> = self
            .functions
            .iter()
            .map(|function| {
                let id = function[0].result.unwrap_or(0);
                hash((self.hash_of(id), self.body(function, &mut |_, _, _| {})))
            })
            .collect();
        for list in [&mut header, &mut declared] {
            list.sort_unstable();
            list.dedup();
        }
        for list in [&mut variables, &mut debug, &mut functions] {
            list.sort_unstable();
        }
        Canonical { version, header, declared, variables, debug, functions }
    }
}

/// Reverse post-order from each block not yet reached, in the order of the file: branch targets first, then those of
/// merge instructions.
fn order(blocks: &[Block<'_>], of_label: &HashMap<u32, usize>) -> Vec<usize> {
    let successors = |block: usize| {
        let (mut targets, mut merges) = (Vec::new(), Vec::new());
        for (of, _) in &blocks[block] {
            let into = match of.opcode {
                op::SELECTION_MERGE | op::LOOP_MERGE => &mut merges,
                op::BRANCH | op::BRANCH_CONDITIONAL | op::SWITCH => &mut targets,
                _ => continue,
            };
            for part in &of.parts {
                if let Part::Id(id) = part
                    && let Some(&to) = of_label.get(id)
                {
                    into.push(to);
                }
            }
        }
        targets.extend(merges);
        targets
    };
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::with_capacity(blocks.len());
    for start in 0..blocks.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut post = Vec::new();
        let mut stack = vec![(start, successors(start).into_iter())];
        while let Some((at, targets)) = stack.last_mut() {
            match targets.next() {
                Some(to) => {
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, successors(to).into_iter()));
                    }
                }
                None => {
                    post.push(*at);
                    stack.pop();
                }
            }
        }
        order.extend(post.into_iter().rev());
    }
    order
}
