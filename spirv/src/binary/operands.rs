//! The operands of an operation, in the order of its instruction: the ids are its operands, the literals its properties.

use mlirbc_bytecode::BytecodeFile;
use mlirbc_ir::{AttributeData, Body, Error, Module, OpView, Result, Value, ValueOwner};

use super::dialect::source::{Source, unknown};
use super::ids::set_of;
use super::instructions::{Visitor, visit};
use super::words;
use crate::binary::dialect::{self, LITERALS, encoding};
use crate::grammar::{Instruction, Kind, Missing, Set, Stream, walk};

/// What takes operands in their order.
pub(crate) trait Sink {
    /// An id.
    fn id(&mut self, kind: Kind, value: Value);
    /// A word that is none.
    fn word(&mut self, kind: Kind, word: u32);
    /// The words of a string.
    fn string(&mut self, words: &[u32]);
}

/// The operands of an instruction behind the type of its result: ids and literals apart.
pub(crate) struct Apart<'p> {
    pub(crate) module: &'p Module,
    pub(crate) body: &'p Body,
    pub(crate) source: Option<&'p Source>,
    pub(crate) operands: &'p [Value],
    pub(crate) literals: &'p [u32],
}

impl Apart<'_> {
    /// Hands them to the sink; says what the grammar lacks, and how many it has no place for.
    pub(crate) fn walk<S: Sink>(&self, instruction: &Instruction, sink: &mut S) -> (Result<(), Missing>, usize) {
        let &Apart { module, body, source, operands, literals } = self;
        let mut put = Put { module, body, source, sink, operands, literals, last: None };
        let walked = walk(&instruction.operands, &mut put);
        (walked, put.left())
    }
}

/// Appends the words of an operation's literals.
pub(crate) fn literal_words(
    module: &Module,
    source: Option<&Source>,
    op: OpView<'_>,
    into: &mut Vec<u32>,
) -> Result<()> {
    let context = module.context();
    if let (Some(index), Some(source)) = (op.properties().and_then(|properties| properties.in_source()), source) {
        let place = source.instruction(index)?;
        match place.instruction() {
            Some(instruction) => {
                visit(&place, instruction, &mut Literals(into), &mut source.definitions(place.at))?;
            }
            None => into.extend(unknown(place.words)),
        }
        return Ok(());
    }
    if let Some(index) = op.properties().and_then(|properties| properties.in_source())
        && let Some(file) = BytecodeFile::of(module)
    {
        let before = into.len();
        let read = file.read_properties(op.name(), index, |reader| encoding::read_words(reader, into));
        if let Ok(Some(())) = read {
            return Ok(());
        }
        // What is wrong with it is said below.
        into.truncate(before);
    }
    let dictionary = match (op.properties(), op.attributes()) {
        (Some(properties), _) => module.properties(op.name(), properties)?,
        (None, Some(attributes)) => module.attribute(attributes)?,
        (None, None) => return Ok(()),
    };
    let AttributeData::Dictionary(entries) = &context[dictionary] else {
        return Err(wrong(module, op, "has properties that are no dictionary"));
    };
    for &(name, value) in entries {
        let literals = match context.bytes(name) == LITERALS.as_bytes() {
            true => dialect::parameters(context, value, LITERALS),
            false => None,
        };
        if !literals.is_some_and(|literals| dialect::flatten(literals, into)) {
            let what = format!("has an attribute `{}` that is no literals", context.text(name));
            return Err(wrong(module, op, &what));
        }
    }
    Ok(())
}

/// What is wrong with an operation.
#[cold]
pub(crate) fn wrong(module: &Module, op: OpView<'_>, what: &str) -> Error {
    let context = module.context();
    let name = Error::quoted(context.bytes(context.operation_identifier(op.name())));
    Error::verification(format!("{name} {what}")).reading(format!("operation {}", op.id().index()))
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

/// Hands ids and literals out in the order in which the grammar wants them.
struct Put<'p, S> {
    module: &'p Module,
    body: &'p Body,
    source: Option<&'p Source>,
    sink: &'p mut S,
    operands: &'p [Value],
    literals: &'p [u32],
    last: Option<Value>,
}

impl<S: Sink> Stream for Put<'_, S> {
    fn left(&self) -> usize {
        self.operands.len() + self.literals.len()
    }

    fn id(&mut self, kind: Kind) -> Result<(), Missing> {
        let (&value, rest) = self.operands.split_first().ok_or(Missing(kind))?;
        self.operands = rest;
        self.last = Some(value);
        self.sink.id(kind, value);
        Ok(())
    }

    fn word(&mut self, kind: Kind) -> Result<u32, Missing> {
        let (&word, rest) = self.literals.split_first().ok_or(Missing(kind))?;
        self.literals = rest;
        self.sink.word(kind, word);
        Ok(word)
    }

    fn string(&mut self) -> Result<(), Missing> {
        let count = words::string_words(self.literals).ok_or(Missing(Kind::LiteralString))?;
        let (string, rest) = self.literals.split_at(count);
        self.literals = rest;
        self.sink.string(string);
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

impl<S> Put<'_, S> {
    /// The set that the last id stands for.
    fn imported(&self) -> Option<Set> {
        let ValueOwner::Result(op, _) = self.body.owner(self.last?)? else { return None };
        let properties = self.body.properties(op)?;
        if let (Some(index), Some(source)) = (properties.in_source(), self.source) {
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
