//! What stands outside of functions: a twin of `lower/globals.rs`.

use std::borrow::Cow;

use mlirbc_ir::{Attribute, Identifier, NamedAttribute, Result};

use super::scan::string_before;
use super::{IdKind, Raiser};
use crate::dialect::EnumKind;
use crate::dialect::attributes;
use crate::dialect::types::{SpirvType, view};
use crate::grammar::{Instruction, Kind, Operand, OperandClass};
use crate::op;

/// What the module's operation holds, and what follows the functions.
#[derive(Default)]
pub(super) struct Preamble<'w> {
    pub(super) capabilities: Vec<u32>,
    pub(super) extensions: Vec<Box<[u8]>>,
    pub(super) imports: Vec<(u32, Cow<'w, [u8]>)>,
    pub(super) memory_model: Option<u32>,
    pub(super) entry_points: Vec<u32>,
    pub(super) modes: Vec<u32>,
    pub(super) debug: Vec<Attribute>,
}

impl<'r> Raiser<'r> {
    /// An instruction outside of functions.
    pub(super) fn declare(&mut self, at: u32, preamble: &mut Preamble<'r>) -> Result<()> {
        let scan = self.scan;
        let (opcode, words) = scan.instruction(at);
        let end = at + words.len() as u32;
        let wrong = || scan.stop().at(at, "it has other operands");
        match opcode {
            op::CAPABILITY => {
                let &[_, capability] = words else { return Err(wrong()) };
                if !preamble.capabilities.contains(&capability) {
                    preamble.capabilities.push(capability);
                }
            }
            op::EXTENSION => {
                let name = scan.string(at + 1, end).ok_or_else(wrong)?.into_owned().into_boxed_slice();
                if !preamble.extensions.contains(&name) {
                    preamble.extensions.push(name);
                }
            }
            op::EXT_INST_IMPORT => {
                let id = *words.get(1).ok_or_else(wrong)?;
                if scan.names[id as usize] != 0 || !scan.notes(id).is_empty() {
                    return Err(scan.stop().at(at, "something is said of an import"));
                }
                self.kinds[id as usize] = IdKind::Set;
                preamble.imports.push((id, scan.string(at + 2, end).ok_or_else(wrong)?));
            }
            op::MEMORY_MODEL => match preamble.memory_model.replace(at) {
                None => {}
                Some(_) => return Err(scan.stop().at(at, "a second memory model")),
            },
            op::ENTRY_POINT => preamble.entry_points.push(at),
            op::EXECUTION_MODE | op::EXECUTION_MODE_ID => preamble.modes.push(at),
            op::STRING | op::SOURCE | op::SOURCE_CONTINUED | op::SOURCE_EXTENSION | op::MODULE_PROCESSED => {
                let debug = self.debug(at)?;
                preamble.debug.push(debug);
            }
            op::LINE | op::NO_LINE | op::TYPE_FORWARD_POINTER => {}
            op::UNDEF | op::CONSTANT_TRUE..=op::CONSTANT_NULL | op::CONSTANT_COMPOSITE_REPLICATE_EXT => {
                self.declare_constant(at)?
            }
            op::SPEC_CONSTANT_TRUE..=op::SPEC_CONSTANT_OP | op::SPEC_CONSTANT_COMPOSITE_REPLICATE_EXT => {
                self.spec_constant(at)?
            }
            op::VARIABLE => self.global_variable(at)?,
            _ => {
                let known = Instruction::of(opcode);
                match known.filter(|known| known.has_result && !known.has_type && known.name.starts_with("Type")) {
                    Some(_) => self.declare_type(at)?,
                    None => return Err(scan.stop().at(at, "it has no place outside of functions in the dialect")),
                }
            }
        }
        Ok(())
    }

    fn global_variable(&mut self, at: u32) -> Result<()> {
        let scan = self.scan;
        let (_, words) = scan.instruction(at);
        let (&[_, ty, id, class] | &[_, ty, id, class, _]) = words else {
            return Err(scan.stop().at(at, "it has other operands"));
        };
        let ty = self.ty(at, ty)?;
        if !matches!(view(self.context, ty), Some(SpirvType::Pointer { class: of, .. }) if of == class) {
            return Err(scan.stop().at(at, "its type is no pointer into its storage class"));
        }
        let name = scan.name(id);
        let symbol = self.symbol(id, name.as_deref(), "spirv_var");
        self.kinds[id as usize] = IdKind::Global;
        let mut properties =
            vec![(self.name("sym_name"), symbol.attribute()), (self.name("type"), self.type_attribute(ty))];
        let mut extras: Vec<NamedAttribute> = Vec::new();
        for (key, value) in self.decorations(at, id)? {
            match self.context.bytes(key) {
                b"location" | b"binding" | b"descriptor_set" | b"built_in" | b"linkage_attributes" => {
                    properties.push((key, value))
                }
                _ => extras.push((key, value)),
            }
        }
        if let Some(&initializer) = words.get(4) {
            let tree = self.tree(at, initializer)?;
            match self.kind(initializer) {
                IdKind::Spec | IdKind::Global => properties.push((self.name("initializer"), tree)),
                _ => extras.push((self.name("spirv_binary.initializer"), tree)),
            }
        }
        self.note_name(&mut extras, name.as_deref(), symbol);
        self.push_top("spirv.GlobalVariable", &mut extras, Some(&mut properties))?;
        Ok(())
    }

    fn spec_constant(&mut self, at: u32) -> Result<()> {
        let scan = self.scan;
        let context = self.context;
        let (opcode, words) = scan.instruction(at);
        let stop = scan.stop();
        let &[_, ty, id, ref operands @ ..] = words else { return Err(stop.at(at, "it has other operands")) };
        let ty = self.ty(at, ty)?;
        let name = scan.name(id);
        let mut extras = self.decorations(at, id)?;
        let made = match opcode {
            op::SPEC_CONSTANT_TRUE | op::SPEC_CONSTANT_FALSE
                if !operands.is_empty() || ty != context.integer_type(1) =>
            {
                return Err(stop.at(at, "it has other operands, or another type"));
            }
            op::SPEC_CONSTANT_TRUE => Some(context.integer(1, 1)),
            op::SPEC_CONSTANT_FALSE => Some(context.integer(1, 0)),
            op::SPEC_CONSTANT => match self.scalar(ty, operands) {
                None => return Err(stop.at(at, "the dialect has no such number")),
                value => value,
            },
            _ => None,
        };
        if let Some(value) = made {
            let symbol = self.symbol(id, name.as_deref(), "spirv_spec_const");
            self.kinds[id as usize] = IdKind::Spec;
            self.note_name(&mut extras, name.as_deref(), symbol);
            let mut properties = [(self.name("sym_name"), symbol.attribute()), (self.name("default_value"), value)];
            self.push_top("spirv.SpecConstant", &mut extras, Some(&mut properties))?;
            return Ok(());
        }
        let is_replicated = opcode == op::SPEC_CONSTANT_COMPOSITE_REPLICATE_EXT;
        if opcode == op::SPEC_CONSTANT_COMPOSITE || is_replicated {
            if is_replicated && operands.len() != 1 {
                return Err(stop.at(at, "it has other operands"));
            }
            let symbols = operands.iter().all(|&part| self.kind(part) == IdKind::Spec);
            let parts = operands.iter().map(|&part| self.tree(at, part)).collect::<Result<Vec<_>>>()?;
            let parts = match (is_replicated, &parts[..]) {
                (true, &[part]) => (self.name("constituent"), part),
                _ => (self.name("constituents"), self.array(parts)),
            };
            let symbol = self.symbol(id, name.as_deref(), "spirv_spec_const");
            self.kinds[id as usize] = IdKind::Spec;
            self.note_name(&mut extras, name.as_deref(), symbol);
            let mut properties =
                [(self.name("sym_name"), symbol.attribute()), (self.name("type"), self.type_attribute(ty)), parts];
            let [of_symbols, of_others] = match is_replicated {
                true => ["spirv.EXT.SpecConstantCompositeReplicate", "spirv.OpSpecConstantCompositeReplicateEXT"],
                false => ["spirv.SpecConstantComposite", "spirv.OpSpecConstantComposite"],
            };
            match symbols {
                true => self.push_top(of_symbols, &mut extras, Some(&mut properties))?,
                false => {
                    extras.extend(properties);
                    self.push_top(of_others, &mut extras, None)?
                }
            };
            return Ok(());
        }
        // An operation: which of its operands are ids, the grammar says.
        let (ids, literals) = self.operands(at)?;
        let parts = ids.iter().map(|&part| self.tree(at, part)).collect::<Result<Vec<_>>>()?;
        let parts = self.array(parts);
        let symbol = self.symbol(id, name.as_deref(), "spirv_spec_const");
        self.kinds[id as usize] = IdKind::Spec;
        self.note_name(&mut extras, name.as_deref(), symbol);
        let literals = literals.iter().map(|&word| self.number(word)).collect();
        let literals = self.array(literals);
        extras.extend([
            (self.name("sym_name"), symbol.attribute()),
            (self.name("type"), self.type_attribute(ty)),
            (self.name("operands"), parts),
            (self.name("literals"), literals),
        ]);
        self.push_top("spirv.OpSpecConstantOp", &mut extras, None)?;
        Ok(())
    }

    pub(super) fn entry_point(&mut self, at: u32) -> Result<()> {
        let scan = self.scan;
        let (_, words) = scan.instruction(at);
        let wrong = || scan.stop().at(at, "it has other operands");
        let &[_, model, function, ref rest @ ..] = words else { return Err(wrong()) };
        let (name, count) = string_before(rest).ok_or_else(wrong)?;
        let symbol = self.function_symbol(at, function)?;
        let mut interface = Vec::with_capacity(rest.len() - count);
        for &id in &rest[count..] {
            if self.kind(id) != IdKind::Global {
                return Err(scan.stop().at(at, format!("id {id} is no variable")));
            }
            interface.push(self.symbol_ref(self.symbols[&id]));
        }
        let mut extras = Vec::new();
        if *self.context.bytes(symbol) != *name {
            extras.push((self.name("spirv_binary.name"), self.context.string(name)));
        }
        let mut properties = [
            (self.name("execution_model"), attributes::enumerant(self.context, EnumKind::ExecutionModel, model)),
            (self.name("fn"), self.symbol_ref(symbol)),
            (self.name("interface"), self.array(interface)),
        ];
        self.push_top("spirv.EntryPoint", &mut extras, Some(&mut properties))?;
        Ok(())
    }

    pub(super) fn execution_mode(&mut self, at: u32) -> Result<()> {
        let (opcode, words) = self.scan.instruction(at);
        let &[_, function, mode, ref operands @ ..] = words else {
            return Err(self.scan.stop().at(at, "it has other operands"));
        };
        if opcode == op::EXECUTION_MODE_ID && self.operands(at)?.1.len() != 1 {
            return Err(self.scan.stop().at(at, "which of its operands are ids is unknown"));
        }
        // Ids are numbers of this binary alone.
        let is_id = |operand: &Operand| operand.kind.class() == OperandClass::Id;
        let parameters = Kind::ExecutionMode.parameters(mode).unwrap_or_default();
        if opcode == op::EXECUTION_MODE && parameters.iter().any(is_id) {
            return Err(self.scan.stop().at(at, "its operands are ids, which only OpExecutionModeId takes"));
        }
        let symbol = self.function_symbol(at, function)?;
        let values = match opcode {
            op::EXECUTION_MODE => operands.iter().map(|&word| self.number(word)).collect(),
            _ => operands.iter().map(|&id| self.operand_of_mode(at, id)).collect::<Result<Vec<_>>>()?,
        };
        let mut entries = [
            (self.name("execution_mode"), attributes::enumerant(self.context, EnumKind::ExecutionMode, mode)),
            (self.name("fn"), self.symbol_ref(symbol)),
            (self.name("values"), self.array(values)),
        ];
        match opcode {
            op::EXECUTION_MODE => self.push_top("spirv.ExecutionMode", &mut [], Some(&mut entries))?,
            _ => self.push_top("spirv.ExecutionModeId", &mut entries, None)?,
        };
        Ok(())
    }

    /// A constant, or a type: that of the numbers that a mode is for.
    fn operand_of_mode(&mut self, at: u32, id: u32) -> Result<Attribute> {
        match self.kind(id) {
            IdKind::Type => {
                let ty = self.ty(at, id)?;
                Ok(self.type_attribute(ty))
            }
            _ => self.tree(at, id),
        }
    }

    pub(super) fn function_symbol(&self, at: u32, id: u32) -> Result<Identifier> {
        match (self.kind(id), self.symbols.get(&id)) {
            (IdKind::Function, Some(&symbol)) => Ok(symbol),
            _ => Err(self.scan.stop().at(at, format!("id {id} is no function"))),
        }
    }
}
