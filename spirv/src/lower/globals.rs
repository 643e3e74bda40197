//! What stands outside of functions: a twin of `raise/globals.rs`.

use mlirbc_ir::{Attribute, Body, Error, Identifier, OpId, OpRef, Result};

use super::{Given, Lowerer, State, Symbol, close, push_string};
use crate::binary::words::MAGIC;
use crate::dialect::EnumKind;
use crate::dialect::attributes::{self, SpirvAttribute};
use crate::dialect::types::{SpirvType, view};
use crate::op;

impl<'m> Lowerer<'m> {
    /// The header but for its bound, capabilities, extensions and the memory model.
    pub(super) fn preamble(&mut self, op: OpRef<'m>) -> Result<()> {
        let context = self.context;
        let body = op.body();
        let given = self.given(body, op.id())?;
        let head = &mut self.sections.head;
        head.extend([MAGIC, 0x1_0000, 0, 0, 0]);
        if let Some(triple) = given.find("vce_triple") {
            let Some(SpirvAttribute::Vce(triple)) = attributes::view(context, triple) else {
                return Err(self.wrong(body, op.id(), "has a `vce_triple` that is not a `#spirv.vce` attribute"));
            };
            head[1] |= (triple.version & 0xff) << 8;
            for capability in triple.capabilities {
                head.extend([2 << 16 | u32::from(op::CAPABILITY), capability]);
            }
            for extension in &triple.extensions {
                let at = head.len();
                head.push(0);
                push_string(head, extension)?;
                close(head, at, op::EXTENSION)?;
            }
        }
        let addressing = self.enumerant(&given, "addressing_model", EnumKind::AddressingModel);
        let memory = self.enumerant(&given, "memory_model", EnumKind::MemoryModel);
        let (Some(addressing), Some(memory)) = (addressing, memory) else {
            return Err(self.wrong(body, op.id(), "has no addressing or memory model"));
        };
        self.sections.memory_model = [3 << 16 | u32::from(op::MEMORY_MODEL), addressing, memory];
        Ok(())
    }

    /// The number of an enumerant that an operation was given.
    pub(super) fn enumerant(&mut self, given: &Given<'_>, name: &'static str, kind: EnumKind) -> Option<u32> {
        given.find(name).and_then(|value| attributes::enumerant_of(self.context, value, kind))
    }

    /// Finds what defines each symbol, and gives it an id.
    pub(super) fn find_symbols(&mut self, body: &'m Body, operations: &[(OpId, Given<'m>)]) -> Result<()> {
        self.symbols.reserve(operations.len());
        for &(op, given) in operations {
            let Some(symbol) = given.find("sym_name").and_then(|name| self.context.as_identifier(name)) else {
                continue;
            };
            let is_function = self.context.operation_text(body.name(op)) == b"spirv.func";
            let state = if is_function { State::Done } else { State::New };
            let made = Symbol { id: self.fresh()?, op, given, state };
            if self.symbols.insert(symbol, made).is_some() {
                return Err(self.wrong(body, op, "defines a symbol a second time"));
            }
        }
        Ok(())
    }

    /// What the module has beside its operations.
    pub(super) fn module_extras(&mut self, op: OpRef<'m>) -> Result<()> {
        let given = self.given(op.body(), op.id())?;
        if let Some(list) = self.entry(given.attributes, "spirv_binary.debug") {
            self.debug(list)?;
        }
        if let Some(list) = self.entry(given.attributes, "spirv_binary.imports") {
            for &name in self.items(list).unwrap_or_default() {
                if let Some(name) = self.context.as_identifier(name) {
                    self.set(name)?;
                }
            }
        }
        if let Some(list) = self.entry(given.attributes, "spirv_binary.types") {
            self.type_extras(list)?;
        }
        if let Some(list) = self.entry(given.attributes, "spirv_binary.unused") {
            for &unused in self.items(list).unwrap_or_default() {
                match self.ty_of(unused) {
                    Some(ty) => self.ty(ty)?,
                    None => self.tree(unused)?,
                };
            }
        }
        Ok(())
    }

    /// An operation directly in the module.
    pub(super) fn top_operation(&mut self, body: &'m Body, op: OpId, given: &Given<'m>) -> Result<()> {
        match self.context.operation_text(body.name(op)) {
            b"spirv.func" => self.function(body, op, given),
            b"spirv.EntryPoint" => self.entry_point(body, op, given),
            b"spirv.ExecutionMode" => self.execution_mode(body, op, given, false),
            b"spirv.ExecutionModeId" => self.execution_mode(body, op, given, true),
            _ => {
                let symbol = given.find("sym_name").and_then(|name| self.context.as_identifier(name));
                match symbol {
                    Some(symbol) => self.symbol(symbol).map(drop),
                    None => Err(self.wrong(body, op, "has no place in a SPIR-V module")),
                }
            }
        }
    }

    /// The id of a symbol, which is declared now if it is not yet.
    pub(super) fn symbol(&mut self, name: Identifier) -> Result<u32> {
        let context = self.context;
        let unknown = || Error::verification(format!("there is no symbol {}", Error::quoted(context.bytes(name))));
        let symbol = self.symbols.get_mut(&name).ok_or_else(unknown)?;
        let (id, op, given) = (symbol.id, symbol.op, symbol.given);
        if symbol.state == State::Done {
            return Ok(id);
        }
        if std::mem::replace(&mut symbol.state, State::Open) == State::Open {
            return Err(Error::verification(format!("symbol {} refers to itself", Error::quoted(context.bytes(name)))));
        }
        let Some(body) = self.top else { return Err(unknown()) };
        self.deeper(|this| this.declare_symbol(body, op, &given, id, name))?;
        if let Some(symbol) = self.symbols.get_mut(&name) {
            symbol.state = State::Done;
        }
        Ok(id)
    }

    fn declare_symbol(
        &mut self,
        body: &'m Body,
        op: OpId,
        given: &Given<'m>,
        id: u32,
        symbol: Identifier,
    ) -> Result<()> {
        let context = self.context;
        let wrong = |this: &Self, why: &str| this.wrong(body, op, why);
        let mut words = std::mem::take(&mut self.room);
        words.clear();
        words.push(0);
        let text = context.operation_text(body.name(op));
        let ty = given.find("type").and_then(|ty| self.ty_of(ty));
        let opcode = match text {
            b"spirv.GlobalVariable" => {
                let ty = ty.ok_or_else(|| wrong(self, "has no type"))?;
                let Some(SpirvType::Pointer { class, .. }) = view(context, ty) else {
                    return Err(wrong(self, "has a type that is no pointer"));
                };
                words.extend([self.ty(ty)?, id, class]);
                let own = given.find("initializer");
                if let Some(initializer) = own.or_else(|| self.entry(given.attributes, "spirv_binary.initializer")) {
                    words.push(self.tree(initializer)?);
                }
                op::VARIABLE
            }
            b"spirv.SpecConstant" => {
                let Some(value) = given.find("default_value") else {
                    return Err(wrong(self, "has no value"));
                };
                self.spec_constant(value, id, &mut words).map_err(|_| wrong(self, "has a value that is no number"))?
            }
            b"spirv.SpecConstantComposite" | b"spirv.OpSpecConstantComposite" => {
                let ty = ty.ok_or_else(|| wrong(self, "has no type"))?;
                words.extend([self.ty(ty)?, id]);
                let parts = given.find("constituents").and_then(|parts| self.items(parts));
                for &part in parts.ok_or_else(|| wrong(self, "has no constituents"))? {
                    words.push(self.tree(part)?);
                }
                op::SPEC_CONSTANT_COMPOSITE
            }
            b"spirv.EXT.SpecConstantCompositeReplicate" | b"spirv.OpSpecConstantCompositeReplicateEXT" => {
                let ty = ty.ok_or_else(|| wrong(self, "has no type"))?;
                let part = given.find("constituent").ok_or_else(|| wrong(self, "has no constituent"))?;
                words.extend([self.ty(ty)?, id, self.tree(part)?]);
                op::SPEC_CONSTANT_COMPOSITE_REPLICATE_EXT
            }
            b"spirv.OpSpecConstantOp" => {
                let ty = ty.ok_or_else(|| wrong(self, "has no type"))?;
                words.extend([self.ty(ty)?, id]);
                let operands = given.find("operands").and_then(|operands| self.items(operands));
                let literals = given.find("literals").and_then(|literals| self.numbers(literals));
                let (Some(operands), Some(literals)) = (operands, literals) else {
                    return Err(wrong(self, "has no operands or no literals"));
                };
                let mut ids = Vec::with_capacity(operands.len());
                for &operand in operands {
                    ids.push(self.tree(operand)?);
                }
                self.put(op::SPEC_CONSTANT_OP, &ids, &literals, &mut words)
                    .map_err(|_| wrong(self, "has other operands than its instruction"))?;
                op::SPEC_CONSTANT_OP
            }
            _ => return Err(wrong(self, "has no place in a SPIR-V module")),
        };
        close(&mut words, 0, opcode)?;
        self.sections.declarations.extend_from_slice(&words);
        self.room = words;
        self.name_as(id, symbol, given)?;
        self.decorate_as(id, given.attributes)?;
        self.decorate_inherent(id, given)
    }

    /// Properties that are decorations.
    pub(super) fn decorate_inherent(&mut self, id: u32, given: &Given<'m>) -> Result<()> {
        for &(key, value) in given.properties {
            if let b"binding" | b"built_in" | b"descriptor_set" | b"linkage_attributes" | b"location" =
                self.context.bytes(key)
            {
                self.decorate_as(id, &[(key, value)])?;
            }
        }
        Ok(())
    }

    /// Names an id by its symbol, or as is noted beside it.
    pub(super) fn name_as(&mut self, id: u32, symbol: Identifier, given: &Given<'m>) -> Result<()> {
        match self.entry(given.attributes, "spirv_binary.name") {
            None => self.name(id, self.context.bytes(symbol)),
            Some(other) => match self.text(other) {
                Some(name) => self.name(id, name),
                None => Ok(()),
            },
        }
    }

    fn spec_constant(&mut self, value: Attribute, id: u32, words: &mut Vec<u32>) -> Result<u16> {
        use mlirbc_ir::{AttributeData, Signedness, TypeData};
        let context = self.context;
        let wrong = || Error::verification("no number");
        let (ty, bits) = match &context[value] {
            AttributeData::Integer { ty, value } => (*ty, value),
            AttributeData::Float { ty, bits } => (*ty, bits),
            _ => return Err(wrong()),
        };
        words.extend([self.ty(ty)?, id]);
        let signed = match context[ty] {
            TypeData::Integer { width: 1, .. } => {
                let is_true = bits.to_u64() == Some(1);
                return Ok(if is_true { op::SPEC_CONSTANT_TRUE } else { op::SPEC_CONSTANT_FALSE });
            }
            TypeData::Integer { signedness, .. } => signedness == Signedness::Signed,
            _ => false,
        };
        if bits.width() > 64 {
            return Err(wrong());
        }
        let (number, count) = crate::raise::number_words(bits, bits.width(), signed);
        words.extend_from_slice(&number[..count]);
        Ok(op::SPEC_CONSTANT)
    }

    fn entry_point(&mut self, body: &'m Body, op: OpId, given: &Given<'m>) -> Result<()> {
        let model = self.enumerant(given, "execution_model", EnumKind::ExecutionModel);
        let function = given.find("fn").and_then(|symbol| self.symbol_of(symbol));
        let interface = given.find("interface").and_then(|list| self.items(list));
        let (Some(model), Some(function), Some(interface)) = (model, function, interface) else {
            return Err(self.wrong(body, op, "lacks its model, function or interface"));
        };
        let name = match self.entry(given.attributes, "spirv_binary.name") {
            Some(name) => self.text(name),
            None => None,
        };
        let id = self.symbol(function)?;
        let at = self.sections.entry_points.len();
        self.sections.entry_points.extend([0, model, id]);
        push_string(&mut self.sections.entry_points, name.unwrap_or_else(|| self.context.bytes(function)))?;
        for &symbol in interface {
            let id = self.tree(symbol)?;
            self.sections.entry_points.push(id);
        }
        close(&mut self.sections.entry_points, at, op::ENTRY_POINT)
    }

    fn execution_mode(&mut self, body: &'m Body, op: OpId, given: &Given<'m>, has_ids: bool) -> Result<()> {
        let mode = self.enumerant(given, "execution_mode", EnumKind::ExecutionMode);
        let function = given.find("fn").and_then(|symbol| self.symbol_of(symbol));
        let values = given.find("values");
        let wrong = |this: &Self| this.wrong(body, op, "lacks its mode, function or values");
        let (Some(mode), Some(function), Some(values)) = (mode, function, values) else { return Err(wrong(self)) };
        let id = self.symbol(function)?;
        let at = self.sections.modes.len();
        self.sections.modes.extend([0, id, mode]);
        if has_ids {
            for &tree in self.items(values).ok_or_else(|| wrong(self))? {
                let id = match self.ty_of(tree) {
                    Some(ty) => self.ty(ty)?,
                    None => self.tree(tree)?,
                };
                self.sections.modes.push(id);
            }
        } else {
            self.sections.modes.extend(self.numbers(values).ok_or_else(|| wrong(self))?);
        }
        close(&mut self.sections.modes, at, if has_ids { op::EXECUTION_MODE_ID } else { op::EXECUTION_MODE })
    }
}
