//! Typed access to a SPIR-V module in its binary form: instructions with their operands by kind, entry points,
//! decorations, execution modes, names.
//!
//! ```
//! # fn main() -> mlirbc_ir::Result<()> {
//! # use mlirbc_spirv::Builder;
//! # let mut build = Builder::new(1, 3);
//! # build.append("Capability", &["Shader".into()])?;
//! # build.append("MemoryModel", &["Logical".into(), "GLSL450".into()])?;
//! # let (main, void) = (build.id(), build.id());
//! # build.append("EntryPoint", &["GLCompute".into(), main.into(), "main".into()])?;
//! # build.append("ExecutionMode", &[main.into(), "LocalSize".into(), 64.into(), 1.into(), 1.into()])?;
//! # build.define(void, "TypeVoid", &[])?;
//! # let signature = build.result("TypeFunction", &[void.into()])?;
//! # build.define(main, "Function", &[void.into(), "None".into(), signature.into()])?;
//! # build.result("Label", &[])?;
//! # build.append("Return", &[])?;
//! # build.append("FunctionEnd", &[])?;
//! # let bytes = build.into_bytes();
//! let context = mlirbc_ir::Context::new();
//! let module = mlirbc_spirv::read(&context, bytes)?;
//! let view = mlirbc_spirv::ModuleView::of(&module)?;
//! let entry = &view.entry_points()[0];
//! assert_eq!((entry.name.as_str(), entry.model.as_str()), ("main", "GLCompute"));
//! assert_eq!(entry.modes[0].name, "LocalSize");
//! assert_eq!(view.instructions().next().unwrap().name(), "Capability");
//! # Ok(())
//! # }
//! ```

mod instruction;
mod types;

use std::sync::Arc;

use hashbrown::HashMap;
use mlirbc_ir::{BlockId, Body, Module, OpId, Result, Value};

pub use instruction::{InstructionView, Operand, OperandValue};

use crate::binary::Header;
use crate::binary::dialect::source::Source;
use crate::binary::write::Opened;

/// A module of the binary form, and what its instructions say of one another. It is a picture of the moment in which it
/// was made.
pub struct ModuleView<'m> {
    module: &'m Module,
    header: Header,
    place: Option<(&'m Body, BlockId)>,
    source: Option<&'m Source>,
    /// By value.
    ids: Vec<u32>,
    names: HashMap<Value, String>,
    member_names: HashMap<(Value, u32), String>,
    decorations: HashMap<Value, Vec<Decoration>>,
    /// The groups that a value, or one of its members, belongs to.
    groups: HashMap<Value, Vec<(Value, Option<u32>)>>,
    capabilities: Vec<String>,
    extensions: Vec<String>,
    imports: Vec<(Value, String)>,
    memory_model: Option<(String, String)>,
    entry_points: Vec<EntryPoint>,
    functions: Vec<Function>,
}

/// A decoration of a value or of a member of its type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoration {
    /// The member that is decorated; `None` where the value itself is.
    pub member: Option<u32>,
    /// The decoration's name in the grammar, or its number: `Binding`.
    pub name: String,
    /// What stands behind it.
    pub operands: Vec<Operand>,
}

/// An entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPoint {
    /// The execution model's name: `GLCompute`.
    pub model: String,
    /// The name that the host calls it by.
    pub name: String,
    /// The function.
    pub function: Value,
    /// The variables of its interface.
    pub interface: Vec<Value>,
    /// Its execution modes, those with ids for operands included; entry points of one function share them.
    pub modes: Arc<[ExecutionMode]>,
}

/// An execution mode of an entry point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExecutionMode {
    /// Its name in the grammar, or its number: `LocalSize`.
    pub name: String,
    /// What stands behind it.
    pub operands: Vec<Operand>,
}

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its result.
    pub value: Value,
    /// Its `OpFunction`.
    pub op: OpId,
    /// How many blocks it has: none where it is declared only.
    pub blocks: usize,
    /// How many instructions it has, those that open and close it included.
    pub instructions: usize,
}

impl<'m> ModuleView<'m> {
    /// Looks through the instructions of a module once.
    ///
    /// # Errors
    /// Where the module holds no `spirv_binary.module`, or an operation is no instruction as the grammar has it.
    pub fn of(module: &'m Module) -> Result<Self> {
        let mut opened = Opened::of(module)?;
        let ids = opened.ids()?.by_value;
        let mut view = ModuleView {
            module,
            header: opened.header,
            place: opened.place,
            source: opened.source,
            ids,
            names: HashMap::new(),
            member_names: HashMap::new(),
            decorations: HashMap::new(),
            groups: HashMap::new(),
            capabilities: Vec::new(),
            extensions: Vec::new(),
            imports: Vec::new(),
            memory_model: None,
            entry_points: Vec::new(),
            functions: Vec::new(),
        };
        let mut modes: HashMap<Value, Vec<ExecutionMode>> = HashMap::new();
        let (module, place, source) = (view.module, view.place, view.source);
        for op in place.into_iter().flat_map(|(body, block)| body.views(block)) {
            let Some((body, _)) = place else { break };
            view.note(InstructionView::new(module, body, source, op), &mut modes)?;
        }
        let modes: HashMap<Value, Arc<[ExecutionMode]>> =
            modes.into_iter().map(|(function, modes)| (function, modes.into())).collect();
        for entry in &mut view.entry_points {
            entry.modes = modes.get(&entry.function).cloned().unwrap_or_default();
        }
        Ok(view)
    }

    fn note(&mut self, instruction: InstructionView<'m>, modes: &mut HashMap<Value, Vec<ExecutionMode>>) -> Result<()> {
        use OperandValue::{Id, Word};
        if let (true, Some(function)) = (instruction.name() != "Function", self.functions.last_mut()) {
            function.instructions += 1;
            function.blocks += usize::from(instruction.name() == "Label");
            return Ok(());
        }
        let operands = match instruction.name() {
            "Function" => {
                if let Some(value) = instruction.result() {
                    self.functions.push(Function { value, op: instruction.op(), blocks: 0, instructions: 1 });
                }
                return Ok(());
            }
            "Capability"
            | "Extension"
            | "ExtInstImport"
            | "MemoryModel"
            | "EntryPoint"
            | "ExecutionMode"
            | "ExecutionModeId"
            | "Name"
            | "MemberName"
            | "Decorate"
            | "DecorateId"
            | "DecorateString"
            | "MemberDecorate"
            | "MemberDecorateString"
            | "GroupDecorate"
            | "GroupMemberDecorate" => instruction.operands()?,
            _ => return Ok(()),
        };
        let text = |at: usize| operands.get(at).map(Operand::text).unwrap_or_default();
        let rest = |from: usize| operands.get(from..).unwrap_or_default().to_vec();
        let first = operands.first().map(|operand| &operand.value);
        match (instruction.name(), first) {
            ("Capability", _) => self.capabilities.push(text(0)),
            ("Extension", _) => self.extensions.push(text(0)),
            ("ExtInstImport", _) => {
                if let Some(value) = instruction.result() {
                    self.imports.push((value, text(0)));
                }
            }
            ("MemoryModel", _) => self.memory_model = Some((text(0), text(1))),
            ("EntryPoint", _) => {
                let id = |operand: &Operand| match operand.value {
                    Id(value) => Some(value),
                    _ => None,
                };
                if let Some(function) = operands.get(1).and_then(id) {
                    let interface = operands.iter().skip(3).filter_map(id).collect();
                    let (model, name) = (text(0), text(2));
                    self.entry_points.push(EntryPoint { model, name, function, interface, modes: Arc::default() });
                }
            }
            ("ExecutionMode" | "ExecutionModeId", Some(&Id(function))) => {
                modes.entry(function).or_default().push(ExecutionMode { name: text(1), operands: rest(2) });
            }
            ("Name", Some(&Id(value))) => drop(self.names.insert(value, text(1))),
            ("MemberName", Some(&Id(value))) => {
                if let Some(&Word(member)) = operands.get(1).map(|operand| &operand.value) {
                    self.member_names.insert((value, member), text(2));
                }
            }
            ("Decorate" | "DecorateId" | "DecorateString", Some(&Id(value))) => {
                let decoration = Decoration { member: None, name: text(1), operands: rest(2) };
                self.decorations.entry(value).or_default().push(decoration);
            }
            ("MemberDecorate" | "MemberDecorateString", Some(&Id(value))) => {
                if let Some(&Word(member)) = operands.get(1).map(|operand| &operand.value) {
                    let decoration = Decoration { member: Some(member), name: text(2), operands: rest(3) };
                    self.decorations.entry(value).or_default().push(decoration);
                }
            }
            ("GroupDecorate", Some(&Id(group))) => {
                for operand in &operands[1..] {
                    if let Id(value) = operand.value {
                        self.groups.entry(value).or_default().push((group, None));
                    }
                }
            }
            ("GroupMemberDecorate", Some(&Id(group))) => {
                for pair in operands[1..].chunks_exact(2) {
                    if let (Id(value), Word(member)) = (&pair[0].value, &pair[1].value) {
                        self.groups.entry(*value).or_default().push((group, Some(*member)));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The module's header; its bound is above every id that a value has.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Its instructions, in order.
    pub fn instructions(&self) -> impl Iterator<Item = InstructionView<'m>> + use<'m> {
        let (module, place, source) = (self.module, self.place, self.source);
        place.into_iter().flat_map(move |(body, block)| {
            body.views(block).map(move |op| InstructionView::new(module, body, source, op))
        })
    }

    /// The instruction that defines a value; `None` for an id that is used and never defined.
    pub fn definition(&self, value: Value) -> Option<InstructionView<'m>> {
        let (body, _) = self.place?;
        match body.owner(value)? {
            mlirbc_ir::ValueOwner::Result(op, _) => {
                Some(InstructionView::new(self.module, body, self.source, body.view(op)))
            }
            mlirbc_ir::ValueOwner::Argument(..) => None,
        }
    }

    /// The id of a value.
    pub fn id(&self, value: Value) -> u32 {
        self.ids.get(value.index()).copied().unwrap_or(0)
    }

    /// What `OpName` calls a value. Bytes that are no UTF-8 are replaced.
    pub fn name(&self, value: Value) -> Option<&str> {
        self.names.get(&value).map(|name| &**name).filter(|name| !name.is_empty())
    }

    /// What `OpMemberName` calls a member of a structure.
    pub fn member_name(&self, structure: Value, member: u32) -> Option<&str> {
        self.member_names.get(&(structure, member)).map(|name| &**name)
    }

    /// The decorations of a value and of its members, then those of the groups that these belong to. A decoration of a
    /// group for one member comes with that member.
    pub fn decorations(&self, value: Value) -> impl Iterator<Item = (Option<u32>, &Decoration)> {
        let of = |value: &Value| self.decorations.get(value).map_or(&[][..], |list| list);
        let own = of(&value).iter().map(|decoration| (decoration.member, decoration));
        let groups = self.groups.get(&value).map_or(&[][..], |groups| groups);
        own.chain(groups.iter().flat_map(move |(group, member)| of(group).iter().map(|of_group| (*member, of_group))))
    }

    /// The decorations that name the value itself or one of its members, and the groups that these belong to.
    pub(crate) fn own_decorations(&self, value: Value) -> (&[Decoration], &[(Value, Option<u32>)]) {
        let own = self.decorations.get(&value).map_or(&[][..], |list| list);
        (own, self.groups.get(&value).map_or(&[][..], |groups| groups))
    }

    /// The capabilities it declares.
    pub fn capabilities(&self) -> &[String] {
        &self.capabilities
    }

    /// The extensions it uses.
    pub fn extensions(&self) -> &[String] {
        &self.extensions
    }

    /// The extended instruction sets that it imports, by the values that stand for them.
    pub fn imports(&self) -> &[(Value, String)] {
        &self.imports
    }

    /// Its addressing model and its memory model.
    pub fn memory_model(&self) -> Option<(&str, &str)> {
        self.memory_model.as_ref().map(|(addressing, memory)| (&**addressing, &**memory))
    }

    /// Its entry points. [`entry_points`](crate::entry_points) gives them alone.
    pub fn entry_points(&self) -> &[EntryPoint] {
        &self.entry_points
    }

    /// Its functions, in order.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// An operand for people: `%12`, `%main`, `"GLSL.std.450"`, `Uniform`, `64`.
    pub fn show(&self, operand: &Operand) -> String {
        match &operand.value {
            OperandValue::Id(value) => self.show_value(*value),
            OperandValue::String(string) => format!("{:?}", String::from_utf8_lossy(string)),
            _ => operand.text(),
        }
    }

    /// A value for people: `%main` where it has a name that is a word, else its id: `%12`.
    pub fn show_value(&self, value: Value) -> String {
        match self.name(value) {
            Some(name) if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte)) => {
                format!("%{name}")
            }
            _ => format!("%{}", self.id(value)),
        }
    }
}
