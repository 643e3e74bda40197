//! Reading: a twin of `write.rs`.

use std::sync::Arc;

use bytes::Bytes;
use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{
    AttributeRef, BlockId, Body, BodyBuilder, BodyId, Context, Error, IsolationMark, Module, OpHead, OpId,
    OperationName, Result, TypeRef, Value,
};

use super::dialect::source::{MODULE_PROPERTIES, Source};
use super::ids::{Before, Ids};
use super::instructions::{Definitions, InstructionWords, Instructions, Visitor, is_simple, visit};
use super::place::{INSTRUCTIONS_BODY, OUTER_BODY};
use super::words::{HEADER, Words};
use crate::binary::dialect::{self, MODULE, UNKNOWN};
use crate::grammar::{Kind, Set, low_bits};

/// Reads a SPIR-V binary: one operation an instruction, in a `spirv_binary.module` in a `builtin.module`.
///
/// Registers the dialect. Literals are decoded on demand.
///
/// # Errors
/// [`ErrorKind::Malformed`](mlirbc_ir::ErrorKind::Malformed) with the byte's offset, the instruction's number and name,
/// and what was expected: where an instruction is cut off or lacks an operand the grammar wants, a string is not
/// closed, an id is zero where it is defined, not below the bound, or defined twice.
///
/// ```
/// # fn main() -> mlirbc_ir::Result<()> {
/// let words = [0x0723_0203, 0x0001_0000, 0, 1, 0, 2 << 16 | 17, 1]; // OpCapability Shader
/// let bytes: Vec<u8> = words.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
/// let context = mlirbc_ir::Context::new();
/// let module = mlirbc_spirv::read(&context, bytes.clone())?;
/// assert_eq!(mlirbc_spirv::write(&module)?, bytes);
/// # Ok(())
/// # }
/// ```
pub fn read(context: &Context, bytes: impl Into<Bytes>) -> Result<Module> {
    dialect::register(context)?;
    let (header, words) = Words::open(bytes.into())?;
    let mut undefined = Vec::new();
    let mut read = Reader::new(context, words.get(), header.bound, &undefined).body()?;
    if !read.undefined.is_empty() {
        // Their values come first, and now it is known which they are.
        undefined = read.undefined;
        read = Reader::new(context, words.get(), header.bound, &undefined).body()?;
    }
    let Read { body, ids, names, .. } = read;
    let source = Source { header, words, instructions: body.operation_count(), ids, undefined, names };

    let location = AttributeRef::from(context.unknown_location());
    let properties = AttributeRef::local(MODULE_PROPERTIES);
    let empty = AttributeRef::from(context.dictionary(Vec::new())?);
    let outer = (context.static_operation_name("builtin.module", true), Some(empty));
    let inner = (context.static_operation_name(MODULE, true), properties);
    let mut bodies = Vec::with_capacity(3);
    for (at, (name, properties)) in [outer, inner].into_iter().enumerate() {
        let mut body = BodyBuilder::new(1);
        let region = body.top_regions()[0];
        let block = body.push_block(region);
        let op = body.push_operation(
            block,
            OpHead { properties, ..OpHead::new(name, location) },
            0,
            (Value::from_index(0), 0),
        );
        body.set_region_body(op, Some(BodyId::from_index(at + 1)), 1, IsolationMark::Unknown);
        let parent = at.checked_sub(1).map(BodyId::from_index);
        bodies.push((body.finish(), parent.map(|parent| (parent, op))));
    }
    debug_assert_eq!(bodies.len(), INSTRUCTIONS_BODY);
    bodies.push((body, Some((BodyId::from_index(OUTER_BODY), OpId::from_index(0)))));
    Ok(Module::from_bodies(context, Some(Arc::new(source)), bodies))
}

/// What was read.
struct Read {
    body: Body,
    ids: Ids,
    names: Vec<(OperationName, u16)>,
    /// Ids that are used and never defined, for which there was no room.
    undefined: Vec<u32>,
}

/// Room for more names than there are instructions; those past it would only be looked up more often.
const NAMES: usize = 1024;

/// Fills the body of a module.
struct Reader<'r> {
    context: &'r Context,
    words: &'r [u32],
    ids: Ids,
    /// The values of ids that nothing defines.
    undefined: HashMap<u32, u32>,
    /// Operands that were used before they were defined, if they are: where, and which.
    forward: Vec<(u32, u32)>,
    location: AttributeRef,
    ty: TypeRef,
    /// By place in the grammar, the last for what the grammar does not know: one more than the name's place in `known`,
    /// where that is below 256.
    names: [u8; NAMES],
    known: Vec<(OperationName, u16)>,
    /// The last extended set that was looked up.
    set: (u32, Set),
}

impl<'r> Reader<'r> {
    fn new(context: &'r Context, words: &'r [u32], bound: u32, undefined: &[u32]) -> Self {
        Reader {
            context,
            words,
            ids: Ids::new(bound, words.len()),
            undefined: undefined.iter().copied().zip(0..).collect(),
            forward: Vec::with_capacity(words.len() / 16),
            location: context.unknown_location().into(),
            ty: dialect::id_type(context).into(),
            names: [0; NAMES],
            known: Vec::with_capacity(32),
            set: (0, Set::Unknown),
        }
    }

    fn body(&mut self) -> Result<Read> {
        let mut body = BodyBuilder::new(1);
        let region = body.top_regions()[0];
        let block = body.push_block(region);
        let room = self.undefined.len();
        let words = self.words.len() - HEADER;
        // Most modules have fewer of each.
        body.reserve(words / 4 + 4, room + (words / 4).min(self.ids.bound as usize), words / 2);
        if room > 0 {
            let first = body.push_values(room, self.ty).index();
            let (ty, location) = (self.ty, Some(self.location));
            body.define_arguments(block, (first..room).map(|at| (Value::from_index(at), ty, location)));
        }
        let mut instructions = Instructions::new(self.words);
        while let Some(place) = instructions.next() {
            self.operation(&mut body, block, &place?, room as u32)?;
        }
        let mut undefined = Vec::new();
        for &(slot, id) in &self.forward {
            match (self.ids.place(id), self.undefined.get(&id)) {
                (0, Some(&value)) => body.replace_pushed_operand(slot, Value::from_index(value as usize)),
                (0, None) => undefined.push(id),
                (place, _) => {
                    body.replace_pushed_operand(slot, Value::from_index(room + place as usize - 1));
                }
            }
        }
        if !undefined.is_empty() {
            let mut seen = HashSet::new();
            undefined.retain(|&id| seen.insert(id));
        }
        let ids = std::mem::replace(&mut self.ids, Ids::new(0, 0));
        Ok(Read { body: body.finish(), ids, names: std::mem::take(&mut self.known), undefined })
    }

    #[inline(always)]
    fn operation(
        &mut self,
        body: &mut BodyBuilder,
        block: BlockId,
        place: &InstructionWords<'_>,
        room: u32,
    ) -> Result<()> {
        let at = self.names[usize::from(place.known).min(NAMES - 1)];
        let name = match self.known.get(usize::from(at).wrapping_sub(1)) {
            Some(&(name, _)) => name,
            None => self.new_name(place),
        };
        let own = AttributeRef::local(place.at as u32);
        let start = body.operand_start();
        let Some(instruction) = place.instruction() else {
            body.append_simple(block, OpHead { properties: own, ..OpHead::new(name, self.location) }, start, None);
            return Ok(());
        };
        let mut operands =
            Operands { body, ids: &self.ids, forward: &mut self.forward, room, has_literals: false, beyond: None };
        let definitions = Before { words: self.words, ids: &self.ids, place: place.at };
        let mut definitions = Remember { definitions, set: &mut self.set };
        let words = place.words;
        if is_simple(words, &instruction.shape, &mut definitions) {
            let bits = low_bits(words.len());
            operands.has_literals = instruction.shape.literals & bits != 0;
            let mut ids = instruction.shape.ids & bits;
            while ids != 0 {
                operands.id(words[ids.trailing_zeros() as usize]);
                ids &= ids - 1;
            }
            if words.len() > 64 && instruction.shape.ids >> 63 != 0 {
                words[64..].iter().for_each(|&id| operands.id(id));
            }
        } else {
            if instruction.has_type
                && let Some(&id) = words.get(1)
            {
                operands.id(id);
            }
            visit(place, instruction, &mut operands, &mut definitions)?;
        }
        if let Some(id) = operands.beyond {
            let word = words.iter().rposition(|&word| word == id).unwrap_or(0);
            return Err(self.wrong(place, word, id));
        }
        let properties = if operands.has_literals { own } else { None };
        let mut result = None;
        if instruction.has_result {
            let id = place.result(instruction)?;
            if !self.ids.define(id, place.at) {
                return Err(self.wrong(place, instruction.prefix() - 1, id));
            }
            result = Some(self.ty);
        }
        body.append_simple(block, OpHead { properties, ..OpHead::new(name, self.location) }, start, result);
        Ok(())
    }

    #[cold]
    fn wrong(&self, place: &InstructionWords<'_>, word: usize, id: u32) -> Error {
        let message = match id {
            0 => "expected an id, found 0".to_owned(),
            id if id >= self.ids.bound => format!("expected an id below the bound {}, found {id}", self.ids.bound),
            id => format!("id {id} is defined a second time"),
        };
        place.error_at(word, &message)
    }

    #[inline(never)]
    fn new_name(&mut self, place: &InstructionWords<'_>) -> OperationName {
        let text = place.instruction().map_or(UNKNOWN, |instruction| instruction.operation);
        let name = self.context.static_operation_name(text, true);
        if let Ok(number @ 1..) = u8::try_from(self.known.len() + 1) {
            self.names[usize::from(place.known).min(NAMES - 1)] = number;
            self.known.push((name, place.known));
        }
        name
    }
}

/// Takes the operands of an instruction.
struct Operands<'o> {
    body: &'o mut BodyBuilder,
    ids: &'o Ids,
    forward: &'o mut Vec<(u32, u32)>,
    room: u32,
    has_literals: bool,
    /// An id that is not below the bound.
    beyond: Option<u32>,
}

impl Visitor for Operands<'_> {
    #[inline(always)]
    fn id(&mut self, id: u32) {
        let place = self.ids.place(id);
        let value = match place {
            0 => {
                if id >= self.ids.bound {
                    self.beyond = Some(id);
                }
                self.forward.push((self.body.operand_start(), id));
                0
            }
            place => self.room + place - 1,
        };
        self.body.push_operand(Value::from_index(value as usize));
    }

    #[inline]
    fn word(&mut self, _: Kind, _: u32) {
        self.has_literals = true;
    }

    #[inline]
    fn string(&mut self, words: &[u32]) {
        self.has_literals |= !words.is_empty();
    }
}

/// Remembers the last extended set: most modules import one.
struct Remember<'l> {
    definitions: Before<'l>,
    set: &'l mut (u32, Set),
}

impl Definitions for Remember<'_> {
    #[inline]
    fn set(&mut self, id: u32) -> Set {
        if self.set.0 != id || id == 0 {
            // What is not defined yet may be later.
            let set = self.definitions.set(id);
            if matches!(set, Set::Unknown) {
                return set;
            }
            *self.set = (id, set);
        }
        self.set.1
    }

    fn type_of(&mut self, id: u32) -> Option<&[u32]> {
        self.definitions.type_of(id)
    }
}
