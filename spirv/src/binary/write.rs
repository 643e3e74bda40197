//! Writing: a twin of `read.rs`.

use hashbrown::HashSet;
use mlirbc_ir::{AttributeData, BlockId, Body, Definition, Error, Module, OperationName, OperationView, Result, Value};

use super::ids::set_of;
use super::instructions::{Visitor, visit};
use super::source::{MODULE_PROPERTIES, Source, unknown};
use super::words::{self, HEADER, Header};
use crate::binary::dialect::{self, LITERALS, MODULE, UNKNOWN};
use crate::grammar::{Check, Class, Instruction, Kind, Missing, Set, Stream, grammar, low_bits, walk};

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
    let (op, block) = super::find(module)?;
    let source = Source::of(module);
    let properties = op.body().properties(op.id());
    // Of a module that was read from a binary and kept its properties, nothing need be decoded.
    let own = source.filter(|_| properties.and_then(|own| own.get().err()) == Some(MODULE_PROPERTIES));
    let (mut header, runs) = match own {
        Some(source) => (source.header, Vec::new()),
        None => {
            let (attributes, properties) = op.dictionaries()?;
            let dictionary = properties
                .or(attributes)
                .ok_or_else(|| Error::verification(format!("`{MODULE}` has no properties")))?;
            dialect::module_properties(module.context(), dictionary)?
        }
    };
    let Some((body, block)) = block else {
        return Ok((header.words().to_vec(), header.big_endian));
    };
    if let Some(source) = own.filter(|source| source.is_all_of(body)) {
        return Ok((source.words.get().to_vec(), header.big_endian));
    }
    let ids = match own {
        Some(source) => Ids::kept(source, body, &mut header)?,
        None => Ids::listed(&runs, body, block, &mut header)?,
    };
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

/// The ids of values.
struct Ids {
    /// By value; 0 for those without.
    by_value: Vec<u32>,
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
    /// Whether an instruction was written of which nobody knows which words are ids.
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
    fn operation(&mut self, op: OperationView<'w>) -> Result<()> {
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
    fn simple(&mut self, op: OperationView<'w>, instruction: &'static Instruction) -> bool {
        let (operands, shape, ids) = (op.operands(), &instruction.shape, self.ids);
        let mut results = op.results();
        let own = match (op.properties(), self.source) {
            (None, _) => None,
            (Some(properties), Some(source)) => match properties.get() {
                Err(index) => source.words_at(index),
                Ok(_) => return false,
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
    fn walked(&mut self, op: OperationView<'w>, instruction: &'static Instruction) -> Result<()> {
        if op.results().len() != usize::from(instruction.has_result) {
            return Err(self.wrong(op, "has another number of results than its instruction"));
        }
        if !op.successors().is_empty() || op.region_number() > 0 {
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
    fn push(&mut self, op: OperationView<'w>, opcode: u32, words: &[u32]) -> Result<()> {
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
        op: OperationView<'w>,
        instruction: &'static Instruction,
        operands: &'w [Value],
        words: &mut Vec<u32>,
    ) -> Result<()> {
        if self.in_place(op, instruction, operands, words) {
            return Ok(());
        }
        let mut literals = std::mem::take(&mut self.literals);
        literals.clear();
        self.flatten(op, &mut literals)?;
        let mut put = Put {
            module: self.module,
            body: self.body,
            source: self.source,
            words,
            ids: self.ids,
            operands,
            literals: &literals,
            last: None,
        };
        let walked = walk(&instruction.operands, &mut put);
        let left = put.left();
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
        op: OperationView<'w>,
        instruction: &'static Instruction,
        operands: &'w [Value],
        words: &mut Vec<u32>,
    ) -> bool {
        let own = op.properties().and_then(|properties| properties.get().err());
        let (Some(index), Some(source)) = (own, self.source) else { return false };
        let Ok(place) = source.instruction(index) else { return false };
        // Where it depends on the ids what the literals are, these ids may be others now.
        let depends = |kind: Kind| matches!(kind.class(), Class::ExtendedInstruction | Class::PairNumberId);
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

    /// Appends the words of an operation's literals.
    fn flatten(&self, op: OperationView<'w>, into: &mut Vec<u32>) -> Result<()> {
        let (module, context) = (self.module, self.module.context());
        if let (Some(Err(index)), Some(source)) = (op.properties().map(|properties| properties.get()), self.source) {
            let place = source.instruction(index)?;
            match place.instruction() {
                Some(instruction) => {
                    visit(&place, instruction, &mut Literals(into), &mut source.definitions(place.at))?;
                }
                None => into.extend(unknown(place.words)),
            }
            return Ok(());
        }
        let dictionary = match (op.properties(), op.attributes()) {
            (Some(properties), _) => module.properties(op.name(), properties)?,
            (None, Some(attributes)) => module.attribute(attributes)?,
            (None, None) => return Ok(()),
        };
        let AttributeData::Dictionary(entries) = &context[dictionary] else {
            return Err(self.wrong(op, "has properties that are no dictionary"));
        };
        for &(name, value) in entries {
            let literals = match context.bytes(name) == LITERALS.as_bytes() {
                true => dialect::parameters(context, value, LITERALS),
                false => None,
            };
            if !literals.is_some_and(|literals| dialect::flatten(literals, into)) {
                return Err(self.wrong(op, &format!("has an attribute `{}` that is no literals", context.text(name))));
            }
        }
        Ok(())
    }

    /// An instruction that was kept as words.
    fn unknown(&mut self, op: OperationView<'w>) -> Result<()> {
        self.opaque = true;
        let mut words = Vec::new();
        self.flatten(op, &mut words)?;
        match (words.first(), op.operands().len() + op.results().len()) {
            (Some(&opcode), 0) if opcode <= 0xffff => self.push(op, opcode, &words),
            _ => Err(self.wrong(op, "has operands or results, or no opcode")),
        }
    }

    #[cold]
    fn wrong(&self, op: OperationView<'w>, what: &str) -> Error {
        let context = self.module.context();
        let name = Error::quoted(context.bytes(context.operation_identifier(op.name())));
        Error::verification(format!("{name} {what}")).reading(format!("operation {}", op.id().index()))
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

/// Takes the words of an instruction that are no ids.
struct Literals<'l>(&'l mut Vec<u32>);

impl Visitor for Literals<'_> {
    fn id(&mut self, _: u32) {}

    fn word(&mut self, _: Kind, word: u32) {
        self.0.push(word);
    }

    fn string(&mut self, words: &[u32]) {
        self.0.extend_from_slice(words);
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

/// Puts ids and literals where the grammar wants them.
struct Put<'p> {
    module: &'p Module,
    body: &'p Body,
    source: Option<&'p Source>,
    words: &'p mut Vec<u32>,
    ids: &'p [u32],
    operands: &'p [Value],
    literals: &'p [u32],
    last: Option<Value>,
}

impl Stream for Put<'_> {
    fn left(&self) -> usize {
        self.operands.len() + self.literals.len()
    }

    fn id(&mut self, kind: Kind) -> Result<(), Missing> {
        let (&value, rest) = self.operands.split_first().ok_or(Missing(kind))?;
        self.operands = rest;
        self.last = Some(value);
        self.words.push(self.ids.get(value.index()).copied().unwrap_or(0));
        Ok(())
    }

    fn word(&mut self, kind: Kind) -> Result<u32, Missing> {
        let (&word, rest) = self.literals.split_first().ok_or(Missing(kind))?;
        self.literals = rest;
        self.words.push(word);
        Ok(word)
    }

    fn string(&mut self) -> Result<(), Missing> {
        let count = words::string_words(self.literals).ok_or(Missing(Kind::LiteralString))?;
        let (string, rest) = self.literals.split_at(count);
        self.literals = rest;
        self.words.extend_from_slice(string);
        Ok(())
    }

    fn set(&mut self) -> Set {
        // What is left says it, unless there is some of both.
        match (self.operands.is_empty(), self.literals.is_empty()) {
            (_, true) => Set::Ids,
            (true, _) => Set::Unknown,
            _ => self.imported().unwrap_or(Set::Unknown),
        }
    }

    fn literal_width(&mut self) -> Option<usize> {
        match self.operands.len() {
            0 => None,
            ids => Some(self.literals.len() / ids).filter(|&width| width > 0 && width * ids == self.literals.len()),
        }
    }
}

impl Put<'_> {
    /// The set that the last id stands for.
    fn imported(&self) -> Option<Set> {
        let Definition::Result(op, _) = self.body.definition(self.last?)? else { return None };
        let properties = self.body.properties(op)?;
        if let (Err(index), Some(source)) = (properties.get(), self.source) {
            return Some(set_of(source.instruction(index).ok()?.words));
        }
        let dictionary = self.module.properties(self.body.name(op), properties).ok()?;
        let context = self.module.context();
        let literals = dialect::Literal::of(context, dialect::entry(context, dictionary, LITERALS)?)?;
        match literals.first()? {
            dialect::Literal::String(name) => Some(Set::of(name)),
            _ => None,
        }
    }
}
