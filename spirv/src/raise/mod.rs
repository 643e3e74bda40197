//! Raising: SPIR-V binaries as MLIR's dialect `spirv`. A twin of [`lower`](crate::lower()).
//!
//! One look at all instructions ([`scan`]) says where ids are defined and what names and decorations say of them. Then the
//! declarations become types ([`types`]), constants ([`constants`]) and module-level operations ([`globals`]) in the order
//! in which they stand; and then functions are filled one by one ([`functions`], [`instructions`]), their constructs as
//! regions ([`structure`], [`constructs`]).
//!
//! What the dialect has no place for is kept in locations and in discardable attributes named `spirv_binary.*`, so that
//! lowering gives back the same module up to the numbers of ids and the order of declarations:
//!
//! | lost by the dialect | kept as |
//! | --- | --- |
//! | names of values, variables in functions and parameters; lines | locations |
//! | names of functions, variables and specialization constants other than the symbol | `name` there; a unit for none |
//! | names of blocks | `label` of the terminator |
//! | names of types and members; decorations, lengths and offsets that a type has no place for | `types` of the module |
//! | types, constants and undefined values that nothing uses | `unused` of the module |
//! | which instructions a constant is made of; its name and decorations | `constant` of the operation |
//! | sources, strings, processes | `debug` of the module |
//! | imports of extended sets, where one is unused | `imports` of the module |
//! | a loop's continue target that is not its last block; parameters of loop controls | `continue`, `control` of the loop |
//! | merge instructions of what is no region | `merge` of the terminator, blocks numbered by `block` of theirs |
//! | decorations that come twice or have several operands | `decorations` |
//! | decorations of phis | `arguments` of the terminator |
//!
//! Not kept: lines of declarations but functions, of labels and parameters; the generator; `OpUndef` and constants as places in the order
//! of instructions; what the sets `NonSemantic.Shader.DebugInfo.100` and `OpenCL.DebugInfo.100` say besides lines.
//!
//! [`scan`]: self::scan

mod constants;
mod constructs;
mod debug;
mod decorations;
mod emit;
mod functions;
mod globals;
mod instructions;
mod lines;
mod operands;
mod scan;
mod stop;
mod structure;
mod types;

use std::borrow::Cow;

use bytes::Bytes;
use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, Body, BodyBuilder, BodyId, Context, Identifier, IsolationMark,
    Module, NamedAttribute, OpHead, OpId, OperationName, Result, Type, Value,
};

use crate::binary::words::Words;
use crate::dialect::EnumKind;
use crate::dialect::attributes::{self, Triple};

use crate::op;
pub(crate) use constants::number_words;
pub(crate) use functions::is_terminator;
use scan::Scan;

/// Reads a SPIR-V binary into MLIR's dialect `spirv`: a `spirv.module` in a `builtin.module`.
///
/// # Errors
/// As [`read()`](crate::read) where the binary is malformed. [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification)
/// where the module has something that neither the dialect nor its discardable attributes can say: the message names the
/// instruction, its number and place, and the reason.
pub fn raise(context: &Context, bytes: impl Into<Bytes>) -> Result<Module> {
    let (header, words) = Words::open(bytes.into())?;
    let words = words.get();
    let lines = lines::Lines::of(words)?;
    let (changed, functions) = match lines {
        Some(lines) => (Some(lines.words), lines.functions),
        None => (None, HashMap::new()),
    };
    let scan = Scan::new(changed.as_deref().unwrap_or(words), words, header)?;
    Raiser { function_lines: functions, ..Raiser::new(context, &scan) }.module()
}

/// A module in the binary form, raised: see [`raise`].
///
/// # Errors
/// As [`raise`] and [`write()`](crate::write()).
pub fn raise_module(module: &Module) -> Result<Module> {
    raise(module.context(), crate::binary::write(module)?)
}

/// What an id stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IdKind {
    /// Nothing that has been met.
    None,
    Type,
    Constant,
    /// A specialization constant or an operation on them: a symbol.
    Spec,
    Undef,
    /// A variable outside of functions: a symbol.
    Global,
    Function,
    Label,
    /// A value of the function being raised, or of one before.
    Local,
    Set,
    String,
}

/// The name of an id that has one.
type Name<'r> = Option<Cow<'r, [u8]>>;

/// What is said of a type beside itself.
type Extras = Vec<(&'static str, Attribute)>;

/// What raising knows of the module.
struct Raiser<'r> {
    context: &'r Context,
    scan: &'r Scan<'r>,
    /// By id.
    kinds: Vec<IdKind>,
    types: Vec<Option<Type>>,
    /// Types by which id they came from first.
    type_ids: HashMap<Type, u32>,
    struct_names: HashSet<Vec<u8>>,
    /// The first struct of each name, or of none: as it is declared, what else is said of it, and what it became. Nothing
    /// where there are several, which [`Raiser::structs`] holds then.
    first_structs: HashMap<Name<'r>, Option<(Type, Extras, Type)>>,
    /// Structs by their names, what they are without these, and what else is said of them.
    structs: HashMap<(Name<'r>, Type, Extras), Type>,
    /// The names of structs that were referred to ahead, or refer ahead themselves.
    names_ahead: HashMap<u32, String>,
    type_extras: Vec<Attribute>,
    constants: constants::Constants,
    symbols: HashMap<u32, Identifier>,
    taken: HashSet<Identifier>,
    used: Vec<bool>,
    /// Where functions have undefined values of their own.
    undefined: Vec<u32>,
    /// The operations outside of functions.
    top: BodyBuilder,
    block: BlockId,
    bodies: Vec<(Body, Option<(BodyId, OpId)>)>,
    empty: AttributeRef,
    unknown: AttributeRef,
    sets_used: HashSet<u32>,
    /// By id: one more than the number of the value in the body of the function being raised; 0 where there is none yet.
    values: Vec<u32>,
    /// By id: the block of the function being raised that defines it, or that it labels.
    blocks: Vec<u32>,
    /// The entry point of each function that has one.
    entry_names: HashMap<u32, Cow<'r, [u8]>>,
    files: HashMap<u32, Identifier>,
    /// Where functions begin of which debug information says it, by id.
    function_lines: HashMap<u32, lines::Place>,
    operands_room: Vec<functions::Operand>,
    properties_room: Vec<NamedAttribute>,
}

impl<'r> Raiser<'r> {
    fn new(context: &'r Context, scan: &'r Scan<'r>) -> Self {
        let bound = scan.at.len();
        let mut top = BodyBuilder::new(1);
        top.reserve(8 + scan.functions.len(), 0, 0);
        let region = top.top_regions()[0];
        let block = top.push_block(region);
        let empty = context.attribute(AttributeData::Dictionary(Box::default())).into();
        Raiser {
            context,
            scan,
            kinds: vec![IdKind::None; bound],
            types: vec![None; bound],
            type_ids: HashMap::with_capacity(28),
            struct_names: HashSet::new(),
            first_structs: HashMap::new(),
            structs: HashMap::new(),
            names_ahead: HashMap::new(),
            type_extras: Vec::new(),
            constants: constants::Constants::new(bound),
            symbols: HashMap::with_capacity(14),
            taken: HashSet::with_capacity(14),
            used: vec![false; bound],
            undefined: Vec::new(),
            top,
            block,
            bodies: Vec::new(),
            empty,
            unknown: context.unknown_location().into(),
            sets_used: HashSet::new(),
            values: vec![0; bound],
            blocks: vec![structure::NONE; bound],
            entry_names: HashMap::new(),
            files: HashMap::new(),
            function_lines: HashMap::new(),
            operands_room: Vec::with_capacity(16),
            properties_room: Vec::with_capacity(4),
        }
    }

    fn module(mut self) -> Result<Module> {
        let context = self.context;
        let scan = self.scan;
        let mut preamble = globals::Preamble::default();
        self.name_functions()?;
        for &at in &scan.top {
            self.declare(at, &mut preamble)?;
        }
        for name in &scan.member_names {
            // Where there is no type there are no members: such a name belongs to nothing.
            if scan.definition(name.id).is_some_and(|at| scan.opcode(at) != op::TYPE_STRUCT) {
                return Err(scan.stop().at(name.start, "it names a member of what has none"));
            }
        }
        for &(start, end) in &scan.functions {
            self.function(start, end)?;
        }
        for &at in &preamble.entry_points {
            self.entry_point(at)?;
        }
        for &at in &preamble.modes {
            self.execution_mode(at)?;
        }
        let Some(model) = preamble.memory_model else {
            return Err(scan.stop().of_module("there is no OpMemoryModel"));
        };
        let (_, words) = scan.instruction(model);
        let &[_, addressing, memory] = words else { return Err(scan.stop().at(model, "it has other operands")) };
        let version = scan.header.version;
        let minor = version >> 8 & 0xff;
        if version >> 16 != 1 || version & 0xff != 0 || minor > 6 {
            return Err(scan.stop().of_module(&format!("version {version:#x} has no name")));
        }
        let triple = Triple {
            version: minor,
            capabilities: std::mem::take(&mut preamble.capabilities),
            extensions: std::mem::take(&mut preamble.extensions),
        };
        let mut properties = [
            (self.name("addressing_model"), attributes::enumerant(context, EnumKind::AddressingModel, addressing)),
            (self.name("memory_model"), attributes::enumerant(context, EnumKind::MemoryModel, memory)),
            (self.name("vce_triple"), attributes::vce(context, &triple)),
        ];
        let properties = context.dictionary_of(&mut properties)?;
        let mut extras = Vec::new();
        self.extra_list(&mut extras, "spirv_binary.debug", preamble.debug);
        let unused_set = preamble.imports.iter().any(|(id, _)| !self.sets_used.contains(id));
        if unused_set {
            let names = preamble.imports.iter().map(|(_, name)| context.string(name)).collect();
            self.extra_list(&mut extras, "spirv_binary.imports", names);
        }
        let types = std::mem::take(&mut self.type_extras);
        self.extra_list(&mut extras, "spirv_binary.types", types);
        let unused = self.unused()?;
        self.extra_list(&mut extras, "spirv_binary.unused", unused);
        let attributes = if extras.is_empty() { None } else { Some(context.dictionary_of(&mut extras)?.into()) };

        let outer = ("builtin.module", None, Some(self.empty));
        let inner = ("spirv.module", attributes, Some(properties.into()));
        let mut bodies = Vec::with_capacity(3 + self.bodies.len());
        for (at, (name, attributes, properties)) in [outer, inner].into_iter().enumerate() {
            let mut body = BodyBuilder::new(1);
            let region = body.top_regions()[0];
            let block = body.push_block(region);
            let name = context.static_operation_name(name, true);
            let op = {
                let head = OpHead { name, location: self.unknown, attributes, properties };
                body.push_operation(block, head, 0, (Value::from_index(0), 0))
            };
            body.set_region_body(op, Some(BodyId::from_index(at + 1)), 1, IsolationMark::Unknown);
            let parent = at.checked_sub(1).map(BodyId::from_index);
            bodies.push((body.finish(), parent.map(|parent| (parent, op))));
        }
        bodies.push((self.top.finish(), Some((BodyId::from_index(1), OpId::from_index(0)))));
        bodies.append(&mut self.bodies);
        Ok(Module::from_bodies(context, None, bodies))
    }

    fn extra_list(&mut self, extras: &mut Vec<NamedAttribute>, name: &'static str, items: Vec<Attribute>) {
        if !items.is_empty() {
            let list = self.array(items);
            extras.push((self.name(name), list));
        }
    }

    fn array(&self, items: Vec<Attribute>) -> Attribute {
        self.context.attribute(AttributeData::Array(items.into()))
    }

    /// A name that is used time and again.
    #[inline]
    fn name(&self, name: &'static str) -> Identifier {
        self.context.static_identifier(name)
    }

    /// The name of an operation that is made time and again.
    #[inline]
    fn operation_name(&self, name: &'static str, registered: bool) -> OperationName {
        self.context.static_operation_name(name, registered)
    }

    fn symbol_ref(&self, root: Identifier) -> Attribute {
        self.context.attribute(AttributeData::SymbolRef { root, nested: Box::default() })
    }

    /// A number as MLIR holds operands: an integer of 32 bits.
    fn number(&self, word: u32) -> Attribute {
        attributes::word_attribute(self.context, word)
    }

    fn type_attribute(&self, ty: Type) -> Attribute {
        self.context.attribute(AttributeData::Type(ty))
    }

    /// The type that an id stands for.
    fn ty(&mut self, at: u32, id: u32) -> Result<Type> {
        match self.types.get(id as usize) {
            Some(&Some(ty)) => {
                self.used[id as usize] = true;
                Ok(ty)
            }
            _ => Err(self.scan.stop().at(at, format!("id {id} is no type that is declared before"))),
        }
    }

    #[inline]
    fn kind(&self, id: u32) -> IdKind {
        self.kinds.get(id as usize).copied().unwrap_or(IdKind::None)
    }

    fn is_void(&self, ty: Type) -> bool {
        matches!(self.context[ty], mlirbc_ir::TypeData::None)
    }

    /// A symbol that nothing else has: the name, if there is one that is free.
    fn symbol(&mut self, id: u32, name: Option<&[u8]>, otherwise: &str) -> Identifier {
        let mut symbol = match name {
            Some(name) => self.context.identifier(name),
            None => self.context.identifier(format!("{otherwise}_{id}")),
        };
        while !self.taken.insert(symbol) {
            let longer = [self.context.bytes(symbol), format!("_{id}").as_bytes()].concat();
            symbol = self.context.identifier(longer);
        }
        self.symbols.insert(id, symbol);
        symbol
    }

    /// Says what the name of an id is, where its symbol does not.
    fn note_name(&mut self, extras: &mut Vec<NamedAttribute>, name: Option<&[u8]>, symbol: Identifier) {
        if name != Some(self.context.bytes(symbol)) {
            let value = match name {
                Some(name) => self.context.string(name),
                None => self.context.unit(),
            };
            extras.push((self.name("spirv_binary.name"), value));
        }
    }

    /// Appends an operation outside of functions.
    fn push_top(
        &mut self,
        name: &'static str,
        attributes: &mut [NamedAttribute],
        properties: Option<&mut [NamedAttribute]>,
    ) -> Result<OpId> {
        self.push_top_at(self.unknown, name, attributes, properties)
    }

    fn push_top_at(
        &mut self,
        location: AttributeRef,
        name: &'static str,
        attributes: &mut [NamedAttribute],
        properties: Option<&mut [NamedAttribute]>,
    ) -> Result<OpId> {
        let context = self.context;
        let name = self.operation_name(name, properties.is_some());
        let attributes = if attributes.is_empty() { None } else { Some(context.dictionary_of(attributes)?.into()) };
        let properties = match properties {
            Some(properties) => Some(context.dictionary_of(properties)?.into()),
            None => None,
        };
        let head = OpHead { name, location, attributes, properties };
        let (start, first) = (self.top.operand_start(), Value::from_index(self.top.value_count()));
        Ok(self.top.push_operation(self.block, head, start, (first, 0)))
    }
}
