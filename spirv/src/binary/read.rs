//! Reading: a twin of `write.rs`.

use std::sync::Arc;

use bytes::Bytes;
use hashbrown::HashMap;
use mlirbc_ir::{
    AttributeRef, BlockId, Body, BodyId, Context, Error, IsolationMark, Module, OpId, OperationName, Result, TypeRef,
    Value,
};

use super::instructions::{Definitions, Instructions, Place, Visitor, visit};
use super::source::{MODULE_PROPERTIES, Source, definition, set_of};
use super::words::{HEADER, Words};
use crate::dialect::{self, DIALECT, MODULE, UNKNOWN};
use crate::grammar::{Instruction, Kind, Set, grammar};

/// Reads a SPIR-V binary: one operation an instruction, in a `spirv_binary.module` in a `builtin.module`.
///
/// Registers the dialect. Literals are decoded when somebody looks.
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
    let defined = Defined::find(words.get(), header.bound)?;
    let mut undefined = Undefined::default();
    let mut body = Reader::new(context, words.get(), &defined, &mut undefined).body()?;
    if !undefined.ids.is_empty() {
        // Their values come first, and now it is known how many they are.
        body = Reader::new(context, words.get(), &defined, &mut undefined).body()?;
    }
    let count = undefined.ids.len();
    let mut ids = undefined.ids;
    ids.extend_from_slice(&defined.ids);
    let source = Source { header, words, ids, defined_at: defined.at, undefined: count };

    let location = AttributeRef::from(context.unknown_location());
    let properties = AttributeRef::local(MODULE_PROPERTIES);
    let empty = AttributeRef::from(context.dictionary(Vec::new())?);
    let outer = (context.operation_name("builtin.module", true), Some(empty));
    let inner = (context.operation_name(MODULE, true), properties);
    let mut bodies = Vec::with_capacity(3);
    for (at, (name, properties)) in [outer, inner].into_iter().enumerate() {
        let mut body = Body::new(1);
        let region = body.roots()[0];
        let block = body.push_block(region);
        let op = body.push_operation(block, name, location, None, properties, 0, Value::from_index(0), 0);
        body.set_child(op, Some(BodyId::from_index(at + 1)), 1, IsolationMark::Unknown);
        let parent = at.checked_sub(1).map(BodyId::from_index);
        bodies.push((body, parent.map(|parent| (parent, op))));
    }
    let op = OpId::from_index(0);
    bodies.push((body, Some((BodyId::from_index(1), op))));
    Ok(Module::from_bodies(context, Some(Arc::new(source)), bodies))
}

/// What an id stands for: values by id.
enum Places {
    /// By id.
    Dense(Vec<u32>),
    /// For a bound far above what the module can define.
    Sparse(HashMap<u32, u32>),
}

impl Places {
    fn new(bound: u32, words: usize) -> Self {
        match bound as usize <= 4 * words + 64 {
            true => Places::Dense(vec![0; bound as usize]),
            false => Places::Sparse(HashMap::new()),
        }
    }

    /// One more than the value's number; 0 where there is none.
    #[inline]
    fn get(&self, id: u32) -> u32 {
        match self {
            Places::Dense(places) => places.get(id as usize).copied().unwrap_or(0),
            Places::Sparse(places) => places.get(&id).copied().unwrap_or(0),
        }
    }

    #[inline]
    fn set(&mut self, id: u32, place: u32) {
        match self {
            Places::Dense(places) => {
                if let Some(entry) = places.get_mut(id as usize) {
                    *entry = place;
                }
            }
            Places::Sparse(places) => drop(places.insert(id, place)),
        }
    }
}

/// The ids that a module defines.
struct Defined {
    bound: u32,
    places: Places,
    /// In order of definition.
    ids: Vec<u32>,
    /// Beside `ids`: where their instructions begin.
    at: Vec<u32>,
    instructions: usize,
}

impl Defined {
    /// Goes through the instructions, and checks where each ends and what it defines.
    fn find(words: &[u32], bound: u32) -> Result<Self> {
        let guess = (words.len() / 6).min(bound as usize);
        let mut defined = Defined {
            bound,
            places: Places::new(bound, words.len()),
            ids: Vec::with_capacity(guess),
            at: Vec::with_capacity(guess),
            instructions: 0,
        };
        let mut instructions = Instructions::new(words);
        while let Some(place) = instructions.next()? {
            defined.instructions += 1;
            let Some(instruction) = place.instruction().filter(|instruction| instruction.has_result) else { continue };
            let id = place.result(instruction)?;
            if id == 0 || id >= bound || defined.places.get(id) != 0 {
                return Err(defined.wrong(&place, instruction.prefix() - 1, id));
            }
            defined.ids.push(id);
            defined.at.push(place.at as u32);
            defined.places.set(id, defined.ids.len() as u32);
        }
        Ok(defined)
    }

    #[cold]
    fn wrong(&self, place: &Place<'_>, word: usize, id: u32) -> Error {
        let message = match id {
            0 => "expected an id, found 0".to_owned(),
            id if id >= self.bound => format!("expected an id below the bound {}, found {id}", self.bound),
            id => format!("id {id} is defined a second time"),
        };
        place.error_at(word, &message)
    }
}

/// The ids that a module uses and never defines.
#[derive(Default)]
struct Undefined {
    ids: Vec<u32>,
    values: HashMap<u32, u32>,
}

impl Undefined {
    #[cold]
    fn value(&mut self, id: u32) -> u32 {
        let ids = &mut self.ids;
        *self.values.entry(id).or_insert_with(|| {
            ids.push(id);
            ids.len() as u32 - 1
        })
    }
}

/// Fills the body of a module.
struct Reader<'r> {
    context: &'r Context,
    words: &'r [u32],
    defined: &'r Defined,
    undefined: &'r mut Undefined,
    location: AttributeRef,
    ty: TypeRef,
    /// By place in the grammar; the last is of what it does not know.
    names: Vec<Option<OperationName>>,
    /// How many values come before those that are defined.
    room: u32,
}

impl<'r> Reader<'r> {
    fn new(context: &'r Context, words: &'r [u32], defined: &'r Defined, undefined: &'r mut Undefined) -> Self {
        Reader {
            context,
            words,
            defined,
            location: context.unknown_location().into(),
            ty: dialect::id_type(context).into(),
            names: vec![None; grammar().instructions.len() + 1],
            room: undefined.ids.len() as u32,
            undefined,
        }
    }

    fn body(&mut self) -> Result<Body> {
        let mut body = Body::new(1);
        let region = body.roots()[0];
        let block = body.push_block(region);
        let values = self.room as usize + self.defined.ids.len();
        body.reserve(self.defined.instructions, values, self.words.len() - HEADER);
        body.push_values(values, self.ty);
        let (ty, location) = (self.ty, Some(self.location));
        body.define_arguments(block, (0..self.room as usize).map(|at| (Value::from_index(at), ty, location)));
        let mut next = self.room as usize;
        let mut instructions = Instructions::new(self.words);
        let mut lookup = Lookup { words: self.words, defined: self.defined, set: (0, Set::Unknown) };
        while let Some(place) = instructions.next()? {
            self.operation(&mut body, block, &place, &mut next, &mut lookup)?;
        }
        Ok(body)
    }

    #[inline]
    fn operation(
        &mut self,
        body: &mut Body,
        block: BlockId,
        place: &Place<'_>,
        next: &mut usize,
        lookup: &mut Lookup<'_>,
    ) -> Result<()> {
        let name = match self.names.get(usize::from(place.known)) {
            Some(&Some(name)) => name,
            _ => self.new_name(place),
        };
        let own = AttributeRef::local(place.at as u32);
        let (start, result) = (body.operand_start(), Value::from_index(*next));
        let Some(instruction) = place.instruction() else {
            body.push_operation(block, name, self.location, None, own, start, result, 0);
            return Ok(());
        };
        let (defined, room) = (self.defined, self.room);
        let mut operands =
            Operands { body, defined, undefined: self.undefined, room, has_literals: false, beyond: None };
        if instruction.has_type
            && let Some(&id) = place.words.get(1)
        {
            operands.id(id);
        }
        visit(place, instruction, &mut operands, lookup)?;
        if let Some(id) = operands.beyond {
            return Err(self.beyond(place, id));
        }
        let properties = if operands.has_literals { own } else { None };
        let results = u32::from(instruction.has_result);
        let op = body.push_operation(block, name, self.location, None, properties, start, result, results);
        if instruction.has_result {
            body.define_result(result, op, self.ty);
            *next += 1;
        }
        Ok(())
    }

    #[cold]
    fn beyond(&self, place: &Place<'_>, id: u32) -> Error {
        let word = place.words.iter().position(|&word| word == id).unwrap_or(0);
        self.defined.wrong(place, word, id)
    }

    #[inline(never)]
    fn new_name(&mut self, place: &Place<'_>) -> OperationName {
        let own = place.instruction().map_or(UNKNOWN, |instruction| instruction.name);
        let name = self.context.operation_name([DIALECT, ".", own].concat(), true);
        let at = usize::from(place.known).min(self.names.len() - 1);
        self.names[at] = Some(name);
        name
    }
}

/// Takes the operands of an instruction.
struct Operands<'o> {
    body: &'o mut Body,
    defined: &'o Defined,
    undefined: &'o mut Undefined,
    room: u32,
    has_literals: bool,
    /// An id that is not below the bound.
    beyond: Option<u32>,
}

impl Visitor for Operands<'_> {
    const KINDS: bool = false;

    #[inline]
    fn id(&mut self, id: u32) {
        let value = match self.defined.places.get(id) {
            0 if id >= self.defined.bound => {
                self.beyond = Some(id);
                return;
            }
            0 => self.undefined.value(id),
            place => self.room + place - 1,
        };
        self.body.push_operand(Value::from_index(value as usize));
    }

    #[inline]
    fn word(&mut self, _: Kind, _: u32) {
        self.has_literals = true;
    }

    #[inline]
    fn string(&mut self, _: &[u32]) {
        self.has_literals = true;
    }
}

/// Looks up what ids stand for.
struct Lookup<'r> {
    words: &'r [u32],
    defined: &'r Defined,
    /// The last extended set that was looked up.
    set: (u32, Set),
}

impl<'r> Lookup<'r> {
    fn definition(&self, id: u32) -> Option<&'r [u32]> {
        let place = self.defined.places.get(id).checked_sub(1)?;
        definition(self.words, *self.defined.at.get(place as usize)?)
    }
}

impl Definitions for Lookup<'_> {
    fn set(&mut self, id: u32) -> Set {
        if self.set.0 != id {
            self.set = (id, self.definition(id).map_or(Set::Unknown, set_of));
        }
        self.set.1
    }

    fn type_of(&mut self, id: u32) -> Option<&[u32]> {
        // Only what the grammar gives a type has one.
        let words = self.definition(id)?;
        let typed = Instruction::of(*words.first()? as u16).is_some_and(|known| known.has_type);
        if typed { self.definition(*words.get(1)?) } else { None }
    }
}
