//! Writing: a twin of `read.rs`.

use hashbrown::HashSet;
use mlirbc_bytecode::BytecodeFile;
use mlirbc_ir::{AttributeRef, BlockId, Body, Error, Module, OpView, OperationName, Ref, Result, Value};

use super::dialect::source::{MODULE_PROPERTIES, Source};
use super::instructions::{Visitor, visit};
use super::operands::{self, Apart, Sink};
use super::words::{self, HEADER, Header};
use crate::binary::dialect::{self, MODULE, UNKNOWN, encoding};
use crate::grammar::{Check, Instruction, Kind, Missing, OperandClass, grammar, low_bits};

/// Writes the instructions of a module as a SPIR-V binary.
///
/// The module holds one `spirv_binary.module`, on its own or in a `builtin.module`. Its values have the ids that they
/// were read with; those made since get new ones, and the bound grows with them.
///
/// # Errors
/// Where the module is no such thing, an operation is no instruction that the grammar knows or has other operands than
/// the grammar asks for, or properties cannot be decoded.
pub fn write(module: &Module) -> Result<Vec<u8>> {
    let (mut words, big_endian) = write_module(module)?;
    Ok(words::to_bytes(&mut words, big_endian))
}

/// As [`write()`], as words in this machine's order.
///
/// # Errors
/// As [`write()`].
pub fn write_words(module: &Module) -> Result<Vec<u32>> {
    Ok(write_module(module)?.0)
}

fn write_module(module: &Module) -> Result<(Vec<u32>, bool)> {
    let mut opened = Opened::of(module)?;
    let Some((body, block)) = opened.place else {
        return Ok((opened.header.words().to_vec(), opened.header.big_endian));
    };
    if let Some(source) = opened.own.filter(|source| source.is_all_of(body)) {
        return Ok((source.words.get().to_vec(), opened.header.big_endian));
    }
    let ids = opened.ids()?;
    let (header, source) = (opened.header, opened.source);
    let mut writer = Writer {
        module,
        body,
        source,
        ids: &ids.by_value,
        known: Vec::new(),
        words: vec![
            0;
            source.map_or(8 * body.operation_count(), |source| source.words.get().len()) + HEADER + 2 * SLACK
        ],
        at: HEADER,
        literals: Vec::new(),
        walked: Vec::new(),
        opaque: false,
    };
    writer.words[..HEADER].copy_from_slice(&header.words());
    for &(name, known) in source.map_or(&[][..], |source| &source.names) {
        let known = match grammar().instructions.get(usize::from(known)) {
            Some(instruction) => Known::Instruction(instruction),
            None => Known::Words,
        };
        writer.note(name, known);
    }
    for op in body.views(block) {
        writer.operation(op)?;
    }
    if writer.opaque && !ids.complete {
        return Err(Error::misuse(
            "ids were added or taken away, and instructions that are kept as words may hold the old ones",
        ));
    }
    writer.words.truncate(writer.at);
    Ok((writer.words, header.big_endian))
}

/// What a module says of itself, and where its instructions stand.
pub(crate) struct Opened<'m> {
    pub(crate) header: Header,
    pub(crate) place: Option<(&'m Body, BlockId)>,
    /// The binary that the module was read from.
    pub(crate) source: Option<&'m Source>,
    /// The same, where the module's own properties are still those of the binary.
    own: Option<&'m Source>,
    runs: Vec<dialect::Run>,
}

impl<'m> Opened<'m> {
    pub(crate) fn of(module: &'m Module) -> Result<Self> {
        let (op, place) = super::find(module)?;
        let source = Source::of(module);
        let properties = op.body().properties(op.id());
        // Of a module that was read from a binary and kept its properties, nothing need be decoded.
        let own = source.filter(|_| properties.and_then(|own| own.in_source()) == Some(MODULE_PROPERTIES));
        let (header, runs) = match own {
            Some(source) => (source.header, Vec::new()),
            None => match in_bytecode(module, op.body().name(op.id()), properties) {
                Some(known) => known,
                None => {
                    let (attributes, properties) = op.dictionaries()?;
                    let dictionary = properties
                        .or(attributes)
                        .ok_or_else(|| Error::verification(format!("`{MODULE}` has no properties")))?;
                    dialect::module_properties(module.context(), dictionary)?
                }
            },
        };
        Ok(Opened { header, place, source, own, runs })
    }

    /// The ids of its values; the bound of the header grows where some need new ones.
    pub(crate) fn ids(&mut self) -> Result<Ids> {
        match (self.own, self.place) {
            (_, None) => Ok(Ids { by_value: Vec::new(), complete: true }),
            (Some(source), Some((body, _))) => Ids::kept(source, body, &mut self.header),
            (None, Some((body, block))) => Ids::listed(&self.runs, body, block, &mut self.header),
        }
    }
}

/// The properties of a module that are still in a file of bytecode.
fn in_bytecode(
    module: &Module,
    name: OperationName,
    properties: Option<AttributeRef>,
) -> Option<(Header, Vec<dialect::Run>)> {
    let index = properties?.in_source()?;
    let read = BytecodeFile::of(module)?.read_properties(name, index, encoding::read_module);
    // What is wrong with them is said when a dictionary is made of them.
    read.ok().flatten()
}

/// The ids of values.
pub(crate) struct Ids {
    /// By value; 0 for those without.
    pub(crate) by_value: Vec<u32>,
    /// Whether each value has the id that was kept for it, and none is left over.
    complete: bool,
}

impl Ids {
    /// Of a module that was read from a binary: values keep their numbers, and get new ones when they are made.
    fn kept(source: &Source, body: &Body, header: &mut Header) -> Result<Self> {
        let mut by_value: Vec<u32> = source.values().collect();
        for _ in by_value.len()..body.value_count() {
            by_value.push(fresh(header)?);
        }
        Ok(Ids { by_value, complete: true })
    }

    /// Of any other: the first values in order have the ids that are listed.
    fn listed(runs: &[dialect::Run], body: &Body, block: BlockId, header: &mut Header) -> Result<Self> {
        let mut by_value = vec![0; body.value_count()];
        let arguments = body.arguments(block).iter().copied();
        let results = body.views(block).flat_map(|op| op.results());
        let values: Vec<Value> = arguments.chain(results).collect();
        let mut seen = HashSet::new();
        let mut left = values.iter();
        let bound = header.bound;
        let mut give = |id: u32, value: &Value, seen: Option<&mut HashSet<u32>>| {
            if id >= bound || seen.is_some_and(|seen| !seen.insert(id)) {
                return Err(Error::verification(format!(
                    "id {id} of `{MODULE}` comes twice or is not below the bound"
                )));
            }
            by_value[value.index()] = id;
            Ok(())
        };
        let mut complete = true;
        if runs.is_empty() {
            for (value, id) in left.by_ref().zip(1..bound) {
                give(id, value, None)?;
            }
            complete = left.len() == 0;
        }
        'runs: for &(first, count) in runs {
            for id in (0..count).map(|more| first + more) {
                let Some(value) = left.next() else {
                    complete = false;
                    break 'runs;
                };
                give(id, value, Some(&mut seen))?;
            }
        }
        complete &= left.len() == 0;
        for value in left {
            by_value[value.index()] = fresh(header)?;
        }
        Ok(Ids { by_value, complete })
    }
}

/// An id that no value has yet.
fn fresh(header: &mut Header) -> Result<u32> {
    let id = header.bound.max(1);
    header.bound = id.checked_add(1).ok_or_else(|| Error::verification("no id is left"))?;
    Ok(id)
}

/// What is known of the operations of a name.
#[derive(Clone, Copy)]
enum Known {
    Not,
    Instruction(&'static Instruction),
    /// What the grammar did not know when it was read.
    Words,
}

struct Writer<'w> {
    module: &'w Module,
    body: &'w Body,
    source: Option<&'w Source>,
    ids: &'w [u32],
    /// By the number of the name in the context.
    known: Vec<Option<Known>>,
    /// What is written, and room for more.
    words: Vec<u32>,
    /// How many words are written.
    at: usize,
    literals: Vec<u32>,
    walked: Vec<u32>,
    /// Whether an instruction was written of which it is unknown which words are ids.
    opaque: bool,
}

impl<'w> Writer<'w> {
    #[inline]
    fn known(&mut self, name: OperationName) -> Known {
        match self.known.get(name.raw() as usize) {
            Some(&Some(known)) => known,
            _ => self.find(name),
        }
    }

    #[inline(never)]
    fn find(&mut self, name: OperationName) -> Known {
        let context = self.module.context();
        let text = context.operation_text(name);
        let known = match Instruction::of_operation(text) {
            Some(instruction) => Known::Instruction(instruction),
            None if text == UNKNOWN.as_bytes() => Known::Words,
            None => Known::Not,
        };
        self.note(name, known);
        known
    }

    fn note(&mut self, name: OperationName, known: Known) {
        let at = name.raw() as usize;
        if at >= self.known.len() {
            self.known.resize((at + 1).next_power_of_two().max(64), None);
        }
        self.known[at] = Some(known);
    }

    #[inline]
    fn operation(&mut self, op: OpView<'w>) -> Result<()> {
        match self.known(op.name()) {
            Known::Instruction(instruction) => match self.simple(op, instruction) {
                true => Ok(()),
                false => self.walked(op, instruction),
            },
            Known::Words => self.unknown(op),
            Known::Not => Err(self.wrong(op, "is no instruction")),
        }
    }

    /// Writes an instruction whose ids stand where its shape says: without literals, or with those of the binary that it
    /// was read from. `false` for all others, with nothing that stays.
    #[inline]
    fn simple(&mut self, op: OpView<'w>, instruction: &'static Instruction) -> bool {
        let (operands, shape, ids) = (op.operands(), &instruction.shape, self.ids);
        let mut results = op.results();
        let own = match (op.properties(), self.source) {
            (None, _) => None,
            (Some(properties), Some(source)) => match properties.resolve() {
                Ref::Source(index) => source.words_at(index),
                Ref::Context(_) => return false,
            },
            _ => return false,
        };
        let count = match own {
            Some((own, _)) => own.len(),
            None => 1 + results.len() + operands.len(),
        };
        let mut bits = shape.ids & low_bits(count);
        let fits = shape.fits(count)
            && count <= 64
            && results.len() == usize::from(instruction.has_result)
            && op.is_plain()
            && match own {
                // As many ids as the shape has a place for stand in these places.
                Some((own, _)) => own[0] as u16 == instruction.opcode,
                None => {
                    shape.literals & low_bits(count) == 0
                        && match shape.check {
                            Check::Even => count.is_multiple_of(2),
                            Check::Odd => !count.is_multiple_of(2),
                            _ => true,
                        }
                }
            };
        if !fits {
            return false;
        }
        // Short instructions are the rule, and a loop that ends now here, now there costs more than it copies: what is
        // written too far is written over by the next instruction.
        let words = room(&mut self.words, self.at, count);
        let id = |value: Value| ids.get(value.index()).copied().unwrap_or(0);
        match own {
            None => words[0] = (count as u32) << 16 | u32::from(instruction.opcode),
            Some((own, rest)) => match rest.first_chunk::<SHORT>() {
                Some(short) if count <= SHORT => words[..SHORT].copy_from_slice(short),
                _ => words[..count].copy_from_slice(own),
            },
        }
        if let Some(result) = results.next() {
            words[instruction.prefix() - 1] = id(result);
        }
        for &operand in operands {
            if bits == 0 {
                return false;
            }
            words[bits.trailing_zeros() as usize] = id(operand);
            bits &= bits - 1;
        }
        // What has another number of operands is not done: the place of the next instruction is still here.
        if bits == 0 {
            self.at += count;
        }
        bits == 0
    }

    /// Writes an instruction whose ids stand where the grammar and its literals say.
    fn walked(&mut self, op: OpView<'w>, instruction: &'static Instruction) -> Result<()> {
        if op.results().len() != usize::from(instruction.has_result) {
            return Err(self.wrong(op, "has another number of results than its instruction"));
        }
        if !op.successors().is_empty() || op.region_count() > 0 {
            return Err(self.wrong(op, "has regions or successors"));
        }
        let (ty, operands) = op.operands().split_at(usize::from(instruction.has_type).min(op.operands().len()));
        if ty.is_empty() && instruction.has_type {
            return Err(self.wrong(op, "lacks the type of its result"));
        }
        let mut words = std::mem::take(&mut self.walked);
        words.clear();
        words.push(0);
        words.extend(ty.iter().copied().chain(op.results()).map(|value| self.id(value)));
        self.given(op, instruction, operands, &mut words)?;
        let written = self.push(op, u32::from(instruction.opcode), &words);
        self.walked = words;
        written
    }

    /// Writes an instruction of these words, the first of which is its head.
    fn push(&mut self, op: OpView<'w>, opcode: u32, words: &[u32]) -> Result<()> {
        let count = words.len();
        if count > 0xffff {
            return Err(self.wrong(op, &format!("takes {count} words, and an instruction has 65535 at most")));
        }
        let room = room(&mut self.words, self.at, count);
        self.at += count;
        room[..count].copy_from_slice(words);
        room[0] = (count as u32) << 16 | opcode;
        Ok(())
    }

    fn id(&self, value: Value) -> u32 {
        self.ids.get(value.index()).copied().unwrap_or(0)
    }

    /// An instruction whose literals are in an attribute.
    fn given(
        &mut self,
        op: OpView<'w>,
        instruction: &'static Instruction,
        operands: &'w [Value],
        words: &mut Vec<u32>,
    ) -> Result<()> {
        if self.in_place(op, instruction, operands, words) {
            return Ok(());
        }
        let mut literals = std::mem::take(&mut self.literals);
        literals.clear();
        operands::literal_words(self.module, self.source, op, &mut literals)?;
        let mut sink = Words { words, ids: self.ids };
        let (module, body, source) = (self.module, self.body, self.source);
        let (walked, left) = Apart { module, body, source, operands, literals: &literals }.walk(instruction, &mut sink);
        self.literals = literals;
        match walked {
            Ok(()) if left == 0 => Ok(()),
            Ok(()) => Err(self.wrong(op, "has more operands than the grammar has a place for")),
            Err(Missing(kind)) => Err(self.wrong(op, &format!("lacks an operand of kind {}", kind.name()))),
        }
    }

    /// Appends the operands of an instruction with the literals of the binary that it was read from, and as many ids as
    /// it had; `false`, with nothing appended, for all others.
    fn in_place(
        &self,
        op: OpView<'w>,
        instruction: &'static Instruction,
        operands: &'w [Value],
        words: &mut Vec<u32>,
    ) -> bool {
        let own = op.properties().and_then(|properties| properties.in_source());
        let (Some(index), Some(source)) = (own, self.source) else { return false };
        let Ok(place) = source.instruction(index) else { return false };
        // Where it depends on the ids what the literals are, these ids may be others now.
        let depends =
            |kind: Kind| matches!(kind.class(), OperandClass::ExtendedInstruction | OperandClass::PairNumberId);
        if place.words[0] as u16 != instruction.opcode || instruction.operands.iter().any(|it| depends(it.kind)) {
            return false;
        }
        let before = words.len();
        let mut put = InPlace { words, ids: self.ids, operands, fits: true };
        let visited = visit(&place, instruction, &mut put, &mut source.definitions(place.at));
        let done = visited.is_ok() && put.fits && put.operands.is_empty();
        if !done {
            words.truncate(before);
        }
        done
    }

    /// An instruction that was kept as words.
    fn unknown(&mut self, op: OpView<'w>) -> Result<()> {
        self.opaque = true;
        let mut words = Vec::new();
        operands::literal_words(self.module, self.source, op, &mut words)?;
        match (words.first(), op.operands().len() + op.results().len()) {
            (Some(&opcode), 0) if opcode <= 0xffff => self.push(op, opcode, &words),
            _ => Err(self.wrong(op, "has operands or results, or no opcode")),
        }
    }

    #[cold]
    fn wrong(&self, op: OpView<'w>, what: &str) -> Error {
        operands::wrong(self.module, op, what)
    }
}

/// Takes operands as words.
struct Words<'p> {
    words: &'p mut Vec<u32>,
    ids: &'p [u32],
}

impl Sink for Words<'_> {
    fn id(&mut self, _: Kind, value: Value) {
        self.words.push(self.ids.get(value.index()).copied().unwrap_or(0));
    }

    fn word(&mut self, _: Kind, word: u32) {
        self.words.push(word);
    }

    fn string(&mut self, words: &[u32]) {
        self.words.extend_from_slice(words);
    }
}

/// Puts the ids of operands in the place of those that an instruction had.
struct InPlace<'p> {
    words: &'p mut Vec<u32>,
    ids: &'p [u32],
    operands: &'p [Value],
    /// Whether there was an operand for each.
    fits: bool,
}

impl Visitor for InPlace<'_> {
    fn id(&mut self, _: u32) {
        match self.operands.split_first() {
            Some((value, rest)) => {
                self.operands = rest;
                self.words.push(self.ids.get(value.index()).copied().unwrap_or(0));
            }
            None => self.fits = false,
        }
    }

    fn word(&mut self, _: Kind, word: u32) {
        self.words.push(word);
    }

    fn string(&mut self, words: &[u32]) {
        self.words.extend_from_slice(words);
    }
}

/// How many words are copied at once.
const SHORT: usize = 8;

/// Room for so many more words and some behind them.
#[inline(always)]
fn room(words: &mut Vec<u32>, at: usize, count: usize) -> &mut [u32] {
    let end = at + count + SLACK;
    if end > words.len() {
        words.resize(2 * words.len() + end, 0);
    }
    &mut words[at..end]
}

/// Room behind what is written.
const SLACK: usize = 64;
