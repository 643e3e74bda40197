//! Lowering: MLIR's dialect `spirv` as SPIR-V binaries. A twin of [`raise`](crate::raise()).
//!
//! Declarations are made when something first asks for them: a type ([`types`]) after its parts, a constant
//! ([`constants`]) after its type. Functions ([`functions`]) become blocks again: the regions of constructs are taken
//! apart, and the blocks that they needed beside those of SPIR-V go ([`blocks`]). Any module of the dialect can be lowered,
//! not only one that was raised; discardable attributes `spirv_binary.*` say what the dialect has no place for.

mod blocks;
mod constants;
mod debug;
mod decorations;
mod functions;
mod globals;
mod instructions;
mod types;

pub(crate) use blocks::SEPARATE;

use hashbrown::HashMap;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, Body, BodyId, Context, Error, Identifier, Module, NamedAttribute, OpId,
    OpRef, Result, Type,
};

use crate::binary::words;
use crate::forms::Kind;
use crate::op;

/// Writes a module of the dialect `spirv` as a SPIR-V binary.
///
/// The module holds one `spirv.module`, on its own or in a `builtin.module`.
///
/// # Errors
/// Where the module is no such thing, or holds operations, types or attributes that stand for nothing in SPIR-V.
pub fn lower(module: &Module) -> Result<Vec<u8>> {
    Ok(words::to_bytes(&mut lower_words(module)?, false))
}

/// As [`lower`], as words in this machine's order.
///
/// # Errors
/// As [`lower`].
pub fn lower_words(module: &Module) -> Result<Vec<u32>> {
    let op = find_module(module)?.ok_or_else(|| Error::misuse("there is no `spirv.module` to write as SPIR-V"))?;
    Lowerer::new(module).module(op)
}

/// Whether a module holds a `spirv.module`.
///
/// # Errors
/// Where the module's own operations cannot be read.
pub fn has_dialect_module(module: &Module) -> Result<bool> {
    Ok(find_module(module)?.is_some())
}

fn find_module(module: &Module) -> Result<Option<OpRef<'_>>> {
    let text = |op: OpRef<'_>| module.context().operation_text(op.operation_name());
    let mut found = None;
    let mut put = |op| match found.replace(op) {
        None => Ok(()),
        Some(_) => Err(Error::misuse("there is more than one `spirv.module`: a SPIR-V binary is one")),
    };
    for op in module.operations()? {
        match text(op) {
            b"spirv.module" => put(op)?,
            b"builtin.module" => op.ops()?.filter(|&inner| text(inner) == b"spirv.module").try_for_each(&mut put)?,
            _ => {}
        }
    }
    Ok(found)
}

/// The sections of a module, in order.
#[derive(Default)]
struct Sections {
    /// The module's header, its capabilities and extensions.
    head: Vec<u32>,
    imports: Vec<u32>,
    memory_model: [u32; 3],
    entry_points: Vec<u32>,
    modes: Vec<u32>,
    strings: Vec<u32>,
    names: Vec<u32>,
    processed: Vec<u32>,
    annotations: Vec<u32>,
    declarations: Vec<u32>,
    functions: Vec<u32>,
}

/// A symbol of the module.
struct Symbol<'m> {
    id: u32,
    op: OpId,
    given: Given<'m>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It has not been declared.
    New,
    /// It is being declared.
    Open,
    /// It is declared, or a function, which needs not be.
    Done,
}

struct Lowerer<'m> {
    module: &'m Module,
    context: &'m Context,
    next: u32,
    sections: Sections,
    types: types::Types<'m>,
    constants: constants::Constants,
    symbols: HashMap<Identifier, Symbol<'m>>,
    sets: HashMap<Identifier, u32>,
    files: HashMap<Identifier, u32>,
    /// By the number of the name in the context.
    kinds: Vec<Option<Kind>>,
    /// The body of the module's operation.
    top: Option<&'m Body>,
    top_body: Option<BodyId>,
    depth: u32,
    /// Room for the words of a function, and of a declaration.
    code: Vec<u32>,
    room: Vec<u32>,
    unknown: AttributeRef,
}

/// How deep declarations may refer to one another by symbols and trees.
const DEEPEST: u32 = 64;

impl<'m> Lowerer<'m> {
    fn new(module: &'m Module) -> Self {
        Lowerer {
            module,
            context: module.context(),
            next: 1,
            sections: Sections {
                head: Vec::with_capacity(64),
                imports: Vec::with_capacity(16),
                entry_points: Vec::with_capacity(32),
                modes: Vec::with_capacity(16),
                names: Vec::with_capacity(128),
                annotations: Vec::with_capacity(96),
                declarations: Vec::with_capacity(224),
                functions: Vec::with_capacity(224),
                ..Sections::default()
            },
            types: types::Types::new(),
            constants: constants::Constants::new(),
            symbols: HashMap::new(),
            sets: HashMap::new(),
            files: HashMap::new(),
            kinds: Vec::new(),
            top: None,
            top_body: None,
            depth: 0,
            code: Vec::with_capacity(224),
            room: Vec::new(),
            unknown: module.context().unknown_location().into(),
        }
    }

    fn module(mut self, op: OpRef<'m>) -> Result<Vec<u32>> {
        self.preamble(op)?;
        let (top_body, body, regions) = op.region_tree()?;
        (self.top, self.top_body) = (Some(body), Some(top_body));
        let mut operations = Vec::with_capacity(body.operation_count());
        for block in regions.iter().flat_map(|&region| body.blocks(region)) {
            for op in body.operations(block) {
                operations.push((op, self.given(body, op)?));
            }
        }
        self.find_symbols(body, &operations)?;
        self.module_extras(op)?;
        for (op, given) in &operations {
            self.top_operation(body, *op, given)?;
        }
        let parts = self.sections;
        let mut words = parts.head;
        let sections: [&[u32]; 10] = [
            &parts.imports,
            &parts.memory_model,
            &parts.entry_points,
            &parts.modes,
            &parts.strings,
            &parts.names,
            &parts.processed,
            &parts.annotations,
            &parts.declarations,
            &parts.functions,
        ];
        words.reserve_exact(sections.iter().map(|section| section.len()).sum());
        sections.iter().for_each(|section| words.extend_from_slice(section));
        words[3] = self.next;
        Ok(words)
    }

    /// An id that nothing has yet.
    fn fresh(&mut self) -> Result<u32> {
        let id = self.next;
        self.next = id.checked_add(1).ok_or_else(|| Error::verification("no id is left"))?;
        Ok(id)
    }

    /// What an operation was given: its properties and its discardable attributes.
    #[inline]
    fn given(&self, body: &Body, op: OpId) -> Result<Given<'m>> {
        let view = body.view(op);
        let entries = |attribute: Attribute| match &self.context[attribute] {
            AttributeData::Dictionary(entries) => &**entries,
            _ => &[],
        };
        let properties = match view.properties() {
            Some(properties) => entries(self.module.properties(view.name(), properties)?),
            None => &[],
        };
        let attributes = match view.attributes() {
            Some(attributes) => entries(self.module.dictionary(attributes)?),
            None => &[],
        };
        Ok(Given { context: self.context, properties, attributes })
    }

    /// An error about an operation.
    #[cold]
    fn wrong(&self, body: &Body, op: OpId, why: &str) -> Error {
        let name = Error::quoted(self.context.operation_text(body.name(op)));
        Error::verification(format!("{name} {why}"))
    }

    /// One step deeper into what refers to one another.
    fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            return Err(Error::verification("declarations refer to one another, or are nested too deep"));
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    fn text(&self, attribute: Attribute) -> Option<&'m [u8]> {
        match &self.context[attribute] {
            AttributeData::String { value, .. } => Some(value),
            _ => None,
        }
    }

    /// A number of 32 bits.
    fn number(&self, attribute: Attribute) -> Option<u32> {
        number(self.context, attribute)
    }

    /// Numbers: an array of attributes, or a dense one.
    fn numbers(&self, attribute: Attribute) -> Option<Vec<u32>> {
        match &self.context[attribute] {
            AttributeData::Array(items) => items.iter().map(|&item| self.number(item)).collect(),
            AttributeData::DenseArray { data, .. } => {
                let (words, rest) = data.as_chunks::<4>();
                rest.is_empty().then(|| words.iter().map(|word| u32::from_le_bytes(*word)).collect())
            }
            _ => None,
        }
    }

    fn items(&self, attribute: Attribute) -> Option<&'m [Attribute]> {
        match &self.context[attribute] {
            AttributeData::Array(items) => Some(items),
            _ => None,
        }
    }

    fn ty_of(&self, attribute: Attribute) -> Option<Type> {
        match self.context[attribute] {
            AttributeData::Type(ty) => Some(ty),
            _ => None,
        }
    }

    fn symbol_of(&self, attribute: Attribute) -> Option<Identifier> {
        match &self.context[attribute] {
            AttributeData::SymbolRef { root, nested } if nested.is_empty() => Some(*root),
            _ => None,
        }
    }

    #[inline]
    fn entry(&self, dictionary: &[NamedAttribute], name: &str) -> Option<Attribute> {
        find(self.context, dictionary, name)
    }

    /// The id of an extended instruction set.
    fn set(&mut self, name: Identifier) -> Result<u32> {
        if let Some(&id) = self.sets.get(&name) {
            return Ok(id);
        }
        let id = self.fresh()?;
        let at = self.sections.imports.len();
        self.sections.imports.extend([0, id]);
        push_string(&mut self.sections.imports, self.context.bytes(name))?;
        close(&mut self.sections.imports, at, op::EXT_INST_IMPORT)?;
        self.sets.insert(name, id);
        Ok(id)
    }
}

/// A number of 32 bits.
fn number(context: &Context, attribute: Attribute) -> Option<u32> {
    match &context[attribute] {
        AttributeData::Integer { value, .. } => {
            let unsigned = value.to_u64().and_then(|number| u32::try_from(number).ok());
            unsigned
                .or_else(|| value.to_i64().and_then(|number| i32::try_from(number).ok()).map(|number| number as u32))
        }
        _ => None,
    }
}

/// Appends a string, which ends at a zero.
fn push_string(words: &mut Vec<u32>, string: &[u8]) -> Result<()> {
    if string.contains(&0) {
        return Err(Error::verification(format!("SPIR-V has no string with a zero in it: {}", Error::quoted(string))));
    }
    words::push_string(words, string);
    Ok(())
}

/// Gives the words from `at` on the head of an instruction.
fn close(words: &mut [u32], at: usize, opcode: u16) -> Result<()> {
    let count = words.len() - at;
    if count > 0xffff {
        return Err(Error::verification(format!("an instruction would take {count} words, and has 65535 at most")));
    }
    words[at] = (count as u32) << 16 | u32::from(opcode);
    Ok(())
}

/// What an operation was given.
#[derive(Clone, Copy)]
struct Given<'m> {
    context: &'m Context,
    properties: &'m [NamedAttribute],
    attributes: &'m [NamedAttribute],
}

impl Given<'_> {
    #[inline]
    fn find(&self, name: &str) -> Option<Attribute> {
        find(self.context, self.properties, name).or_else(|| find(self.context, self.attributes, name))
    }
}

/// The entry of that name. Few dictionaries have more entries than it takes to find out the number of a name.
#[inline]
fn find(context: &Context, dictionary: &[NamedAttribute], name: &str) -> Option<Attribute> {
    dictionary.iter().find(|entry| context.bytes(entry.0) == name.as_bytes()).map(|entry| entry.1)
}
