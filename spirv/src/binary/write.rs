//! Writing: a twin of `read.rs`.

use hashbrown::HashSet;
use mlirbc_ir::{AttributeData, Body, Error, Module, OpRef, OperationName, OperationView, Result, Value};

use super::instructions::{Visitor, visit};
use super::source::{MODULE_PROPERTIES, Source, set_of};
use super::words::{self, Header};
use crate::dialect::{self, DIALECT, LITERALS, MODULE, UNKNOWN};
use crate::grammar::{Instruction, Kind, Missing, Set, Shape, Stream, walk};

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

/// As [`write`], as words in this machine's order.
///
/// # Errors
/// As [`write`].
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
            let dictionary = properties.or(attributes).ok_or_else(|| Error::verification(format!("`{MODULE}` has no properties")))?;
            dialect::module_properties(module.context(), dictionary)?
        }
    };
    let Some((first, block)) = block else {
        return Ok((header.words().to_vec(), header.big_endian));
    };
    let body = first.body();
    let ids = match own {
        Some(source) => Ids::kept(&source.ids, body, &mut header)?,
        None => Ids::listed(&runs, body, block, &mut header)?,
    };
    let mut writer = Writer {
        module,
        body,
        source,
        ids: &ids.by_value,
        known: Vec::new(),
        words: Vec::with_capacity(source.map_or(16 * body.operation_count(), |source| source.words.get().len())),
        literals: Vec::new(),
        opaque: false,
    };
    writer.words.extend_from_slice(&header.words());
    for op in body.views(block) {
        writer.operation(op)?;
    }
    if writer.opaque && !ids.complete {
        return Err(Error::misuse(
            "ids were added or taken away, and instructions that are kept as words may hold the old ones",
        ));
    }
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
    fn kept(kept: &[u32], body: &Body, header: &mut Header) -> Result<Self> {
        let mut by_value = kept.to_vec();
        for _ in kept.len()..body.value_count() {
            by_value.push(fresh(header)?);
        }
        Ok(Ids { by_value, complete: true })
    }

    /// Of any other: the first values in order have the ids that are listed.
    fn listed(runs: &[dialect::Run], body: &Body, block: mlirbc_ir::BlockId, header: &mut Header) -> Result<Self> {
        let mut by_value = vec![0; body.value_count()];
        let arguments = body.arguments(block).iter().copied();
        let results = body.views(block).flat_map(|op| op.results());
        let values: Vec<Value> = arguments.chain(results).collect();
        let mut seen = HashSet::new();
        let mut left = values.iter();
        let bound = header.bound;
        let mut give = |id: u32, value: &Value, seen: Option<&mut HashSet<u32>>| {
            if id >= bound || seen.is_some_and(|seen| !seen.insert(id)) {
                return Err(Error::verification(format!("id {id} of `{MODULE}` comes twice or is not below the bound")));
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
    words: Vec<u32>,
    literals: Vec<u32>,
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
        let text = context.bytes(context.operation_identifier(name));
        let known = match dialect::instruction(text) {
            Some(instruction) => Known::Instruction(instruction),
            None if text == [DIALECT, ".", UNKNOWN].concat().as_bytes() => Known::Words,
            None => Known::Not,
        };
        let at = name.raw() as usize;
        self.known.resize(self.known.len().max(at + 1), None);
        self.known[at] = Some(known);
        known
    }

    #[inline]
    fn operation(&mut self, op: OperationView<'w>) -> Result<()> {
        let start = self.words.len();
        let opcode = match self.known(op.name()) {
            Known::Instruction(instruction) => {
                self.instruction(op, instruction)?;
                u32::from(instruction.opcode)
            }
            Known::Words => self.unknown(op)?,
            Known::Not => return Err(self.wrong(op, "is no instruction")),
        };
        let count = self.words.len() - start;
        if count > 0xffff {
            return Err(self.wrong(op, &format!("takes {count} words, and an instruction has 65535 at most")));
        }
        self.words[start] = (count as u32) << 16 | opcode;
        Ok(())
    }

    #[inline]
    fn id(&self, value: Value) -> u32 {
        self.ids.get(value.index()).copied().unwrap_or(0)
    }

    #[inline]
    fn instruction(&mut self, op: OperationView<'w>, instruction: &'static Instruction) -> Result<()> {
        let mut operands = op.operands();
        let mut results = op.results();
        self.words.push(0);
        if instruction.has_type {
            let Some((&ty, rest)) = operands.split_first() else {
                return Err(self.wrong(op, "lacks the type of its result"));
            };
            operands = rest;
            self.words.push(self.id(ty));
        }
        if results.len() != usize::from(instruction.has_result) || op.region_number() + op.successors().len() > 0 {
            return Err(self.wrong(op, "has results, regions or successors that its instruction does not have"));
        }
        if let Some(result) = results.next() {
            self.words.push(self.id(result));
        }
        let local = match (op.properties(), self.source) {
            (None, _) if op.attributes().is_none() => {
                // Ids alone, most of the time.
                if let Shape::Ids(least, most) = instruction.shape
                    && (least as usize..=most as usize).contains(&operands.len())
                {
                    self.push_ids(operands);
                    return Ok(());
                }
                None
            }
            (Some(properties), Some(source)) => properties.get().err().map(|index| (index, source)),
            _ => None,
        };
        match local {
            Some((index, source)) => self.kept(op, instruction, operands, index, source),
            None => self.given(op, instruction, operands),
        }
    }

    #[inline]
    fn push_ids(&mut self, values: &[Value]) {
        let ids = self.ids;
        self.words.extend(values.iter().map(|value| ids.get(value.index()).copied().unwrap_or(0)));
    }

    /// An instruction whose literals are still those of the binary: its words, with the ids of its operands.
    #[inline]
    fn kept(
        &mut self,
        op: OperationView<'w>,
        instruction: &'static Instruction,
        operands: &'w [Value],
        index: u32,
        source: &'w Source,
    ) -> Result<()> {
        let place = source.instruction(index)?;
        if place.words[0] as u16 != instruction.opcode {
            return self.given(op, instruction, operands);
        }
        let own = &place.words[instruction.prefix().min(place.words.len())..];
        if let Shape::IdsThenWords(ids, ..) = instruction.shape
            && operands.len() == ids as usize
            && own.len() >= operands.len()
        {
            self.push_ids(operands);
            self.words.extend_from_slice(&own[operands.len()..]);
            return Ok(());
        }
        let mut replace = Replace { words: &mut self.words, ids: self.ids, operands: operands.iter(), missing: false };
        visit(&place, instruction, &mut replace, &mut source.definitions())?;
        if replace.missing || replace.operands.len() > 0 {
            return Err(self.wrong(op, "has more or fewer operands than it was read with"));
        }
        Ok(())
    }

    /// An instruction whose literals are in an attribute.
    fn given(&mut self, op: OperationView<'w>, instruction: &'static Instruction, operands: &'w [Value]) -> Result<()> {
        let mut literals = std::mem::take(&mut self.literals);
        literals.clear();
        self.flatten(op, &mut literals)?;
        let mut put = Put {
            module: self.module,
            body: self.body,
            source: self.source,
            words: &mut self.words,
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

    /// Appends the words of an operation's literals.
    fn flatten(&self, op: OperationView<'w>, into: &mut Vec<u32>) -> Result<()> {
        let (module, context) = (self.module, self.module.context());
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
    fn unknown(&mut self, op: OperationView<'w>) -> Result<u32> {
        self.opaque = true;
        let start = self.words.len();
        let mut words = Vec::new();
        self.flatten(op, &mut words)?;
        match (words.first(), op.operands().len() + op.results().len()) {
            (Some(&opcode), 0) if opcode <= 0xffff => {
                self.words.extend_from_slice(&words);
                self.words[start] = 0;
                Ok(opcode)
            }
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

/// Writes the words of an instruction with other ids.
struct Replace<'p> {
    words: &'p mut Vec<u32>,
    ids: &'p [u32],
    operands: std::slice::Iter<'p, Value>,
    missing: bool,
}

impl Visitor for Replace<'_> {
    const KINDS: bool = false;

    #[inline]
    fn id(&mut self, _: u32) {
        match self.operands.next() {
            Some(value) => self.words.push(self.ids.get(value.index()).copied().unwrap_or(0)),
            None => self.missing = true,
        }
    }

    #[inline]
    fn word(&mut self, _: Kind, word: u32) {
        self.words.push(word);
    }

    #[inline]
    fn string(&mut self, words: &[u32]) {
        self.words.extend_from_slice(words);
    }
}

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
        let mlirbc_ir::Definition::Result(op, _) = self.body.definition(self.last?)? else { return None };
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

/// What an operation of the module is, for whoever looks at it.
pub(crate) fn properties_of(op: OpRef<'_>) -> Result<Option<mlirbc_ir::Attribute>> {
    let (attributes, properties) = op.dictionaries()?;
    Ok(properties.or(attributes))
}
