//! Instructions of functions: a twin of `lower/instructions.rs`.

use mlirbc_ir::{AttributeRef, NamedAttribute, Result, TypeData, TypeRef};

use super::functions::{Function, Operand, is_terminator};
use super::structure::NONE;
use super::{IdKind, Raiser};
use crate::dialect::EnumKind;
use crate::dialect::attributes;
use crate::dialect::types::{SpirvType, view};
use crate::forms::{InstructionForm, Slot, forms};
use crate::grammar::Kind;
use crate::op;

/// Memory operands that say an alignment.
const ALIGNED: u32 = 2;

impl Raiser<'_> {
    /// Fills a block with its own instructions.
    pub(super) fn rest(&mut self, f: &mut Function, block: u32) -> Result<()> {
        let scan = self.scan;
        let of = f.flow.blocks[block as usize].clone();
        let Some(made) = f.made[block as usize] else { return Err(scan.stop().at(of.first, "its block is missing")) };
        f.block = made;
        f.inside = f.flow.inner[block as usize];
        if f.flow.merged[block as usize] == NONE {
            self.arguments(f, made, block, false)?;
        }
        let (mut at, mut line) = (of.first, of.line);
        loop {
            let (opcode, words) = scan.instruction(at);
            if at == of.last {
                break;
            }
            match opcode {
                op::LINE => line = at,
                op::NO_LINE => line = 0,
                op::PHI | op::LOOP_MERGE | op::SELECTION_MERGE | op::UNDEF => {}
                _ => self.instruction(f, at, line, Vec::new())?,
            }
            if is_terminator(opcode) {
                line = 0;
            }
            at += words.len() as u32;
        }
        let mut extras = self.block_notes(f, block)?;
        match scan.opcode(at) {
            op::BRANCH | op::BRANCH_CONDITIONAL | op::SWITCH => {
                let attributes =
                    if extras.is_empty() { None } else { Some(self.context.dictionary_of(&mut extras)?.into()) };
                let operands = self.terminator_operands(f, block, at)?;
                let headed = f.flow.headed[block as usize];
                match f.flow.constructs.get(headed as usize) {
                    Some(construct) if !construct.is_loop => {
                        // The end of the header stands in the region; here, a branch goes there.
                        let target = f.made[construct.merge as usize];
                        let Some(target) = target else { return Err(scan.stop().at(at, "its merge block is missing")) };
                        f.kept.insert(headed, operands);
                        let name = self.operation_name("spirv.Branch", true);
                        f.push_branch(name, self.unknown, attributes, None, &[], &[target]);
                        Ok(())
                    }
                    _ => self.terminator(f, block, at, &operands, attributes),
                }
            }
            op::PHI | op::LOOP_MERGE | op::SELECTION_MERGE | op::UNDEF => {
                Err(scan.stop().at(at, "it is the last instruction of its block"))
            }
            _ => self.instruction(f, at, line, extras),
        }
    }

    /// An instruction that does not branch.
    fn instruction(&mut self, f: &mut Function, at: u32, line: u32, mut extras: Vec<NamedAttribute>) -> Result<()> {
        let scan = self.scan;
        let context = self.context;
        let (opcode, words) = scan.instruction(at);
        let Some(form) = forms().of(opcode) else {
            return Err(scan.stop().at(at, "the grammar does not know it"));
        };
        let known = form.instruction;
        if form.custom && opcode != op::VARIABLE {
            return Err(scan.stop().at(at, "it has no place inside of a function"));
        }
        if words.len() < known.prefix() {
            return Err(scan.stop().at(at, "it has other operands"));
        }
        if !known.shape.fits(words.len()) {
            // An error where the grammar wants more.
            self.operands(at)?;
        }
        let mut result = None;
        let mut id = None;
        if known.has_type {
            let ty = self.ty(at, words[1])?;
            result = (!self.is_void(ty)).then_some(TypeRef::from(ty));
        }
        if known.has_result {
            let own = words[known.prefix() - 1];
            if !known.has_type {
                return Err(scan.stop().at(at, "it has a result and no type"));
            }
            if !scan.notes(own).is_empty() {
                extras.extend(self.decorations(at, own)?);
            }
            id = Some(own);
        }
        let location = self.location(id, line);
        let mut operands = std::mem::take(&mut self.operands_room);
        operands.clear();
        let made = match opcode {
            op::VARIABLE => self.variable(f, at, &mut operands)?,
            op::FUNCTION_CALL => self.call(f, at, &mut operands)?,
            op::EXT_INST => self.extended(f, at, &mut operands, &mut extras)?,
            _ => match form.slots {
                Some(slots) => match self.in_slots(f, at, form, slots, &mut operands, &mut extras)? {
                    Some(made) => made,
                    None => self.raw(f, at, form, &mut operands, &mut extras)?,
                },
                None => self.raw(f, at, form, &mut operands, &mut extras)?,
            },
        };
        let attributes = if extras.is_empty() { None } else { Some(context.dictionary_of(&mut extras)?.into()) };
        let value = f.push(made.0, location, attributes, made.1, &operands, result);
        self.operands_room = operands;
        if let (Some(id), Some(_)) = (id, result) {
            self.values[id as usize] = value.index() as u32 + 1;
        }
        Ok(())
    }

    fn variable(&mut self, f: &mut Function, at: u32, operands: &mut Vec<Operand>) -> Result<Made> {
        let (_, words) = self.scan.instruction(at);
        let (&[_, _, _, class] | &[_, _, _, class, _]) = words else {
            return Err(self.scan.stop().at(at, "it has other operands"));
        };
        if let Some(&initializer) = words.get(4) {
            operands.push(self.operand(f, at, initializer)?);
        }
        let class = attributes::enumerant(self.context, EnumKind::StorageClass, class);
        let properties = self.context.dictionary_of(&mut [(self.name("storage_class"), class)])?;
        Ok((self.operation_name("spirv.Variable", true), Some(properties.into())))
    }

    fn call(&mut self, f: &mut Function, at: u32, operands: &mut Vec<Operand>) -> Result<Made> {
        let (_, words) = self.scan.instruction(at);
        let &[_, _, _, callee, ref arguments @ ..] = words else {
            return Err(self.scan.stop().at(at, "it has other operands"));
        };
        for &argument in arguments {
            operands.push(self.operand(f, at, argument)?);
        }
        let symbol = self.function_symbol(at, callee)?;
        let properties = self.context.dictionary_of(&mut [(self.name("callee"), self.symbol_ref(symbol))])?;
        Ok((self.operation_name("spirv.FunctionCall", true), Some(properties.into())))
    }

    fn extended(
        &mut self,
        f: &mut Function,
        at: u32,
        operands: &mut Vec<Operand>,
        extras: &mut Vec<NamedAttribute>,
    ) -> Result<Made> {
        let scan = self.scan;
        let &[_, _, _, set, number, ref ids @ ..] = scan.instruction(at).1 else {
            return Err(scan.stop().at(at, "it has other operands"));
        };
        let name = match (self.kind(set), scan.defining(set)) {
            (IdKind::Set, Some((_, words))) => crate::binary::words::string(&words[2..]).map(|(name, _)| name),
            _ => None,
        };
        let Some(name) = name else { return Err(scan.stop().at(at, "its instruction set is not imported")) };
        let known = forms().extended(&name, number);
        let is_other = || scan.stop().at(at, "which of its operands are ids is unknown");
        let literals = match (crate::grammar::Set::of(&name), known) {
            (crate::grammar::Set::Ids, _) => 0,
            (set, Some(_)) => set.literals(number).ok_or_else(is_other)?,
            _ => return Err(is_other()),
        };
        let Some((ids, literals)) = ids.len().checked_sub(literals).map(|count| ids.split_at(count)) else {
            return Err(scan.stop().at(at, "it has other operands"));
        };
        self.sets_used.insert(set);
        for &id in ids {
            operands.push(self.operand(f, at, id)?);
        }
        if !literals.is_empty() {
            let literals = literals.iter().map(|&word| self.number(word)).collect();
            let literals = self.array(literals);
            extras.push((self.name("literals"), literals));
        }
        if let Some(extended) = known {
            return Ok((self.operation_name(&extended.name, extended.known), None));
        }
        extras.push((self.name("set"), self.context.string(name)));
        extras.push((self.name("instruction"), self.number(number)));
        Ok((self.operation_name("spirv.ExtInst", false), None))
    }

    /// An operation of MLIR: its operands in their slots. `None` where one does not fit.
    fn in_slots(
        &mut self,
        f: &mut Function,
        at: u32,
        form: &'static InstructionForm,
        slots: &'static [Slot],
        operands: &mut Vec<Operand>,
        extras: &mut Vec<NamedAttribute>,
    ) -> Result<Option<Made>> {
        let scan = self.scan;
        let context = self.context;
        let (opcode, words) = scan.instruction(at);
        if opcode == op::SELECT && self.is_composite(at, words[1])? {
            // MLIR's takes numbers, vectors and pointers alone.
            return Ok(None);
        }
        let mut rest = &words[form.instruction.prefix()..];
        if slots.contains(&Slot::Ids) && !form.instruction.shape.fits(words.len()) {
            // What stands behind the operands that the grammar knows is no id.
            return Ok(None);
        }
        let mut properties = std::mem::take(&mut self.properties_room);
        properties.clear();
        // What follows is looked at before anything is made: operands are made only where all fit.
        let mut ids: &[u32] = &[];
        let mut single: [u32; 8] = [0; 8];
        let mut count = 0;
        let (mut constants, mut constants_are_plain) = (Vec::new(), true);
        for slot in slots {
            match *slot {
                Slot::Ids => ids = std::mem::take(&mut rest),
                Slot::Numbers(name) => {
                    let numbers = std::mem::take(&mut rest).iter().map(|&word| self.number(word)).collect();
                    let numbers = self.array(numbers);
                    properties.push((self.name(name), numbers));
                }
                Slot::Image(name) => {
                    if let Some((&mask, behind)) = rest.split_first() {
                        if image_operands(mask) != Some(behind.len()) {
                            return Ok(None);
                        }
                        properties
                            .push((self.name(name), attributes::enumerant(context, EnumKind::ImageOperands, mask)));
                        (ids, rest) = (behind, &[]);
                    } else if form.instruction.name == "ImageSampleExplicitLod" {
                        return Ok(None);
                    }
                }
                Slot::Memory(name, alignment) => {
                    if let Some((&mask, behind)) = rest.split_first() {
                        properties
                            .push((self.name(name), attributes::enumerant(context, EnumKind::MemoryAccess, mask)));
                        rest = behind;
                        if mask & ALIGNED != 0 {
                            let Some((&bytes, behind)) = rest.split_first() else { return Ok(None) };
                            properties.push((self.name(alignment), self.number(bytes)));
                            rest = behind;
                        }
                    }
                }
                Slot::Optional(name, kind) => {
                    if let Some((&word, behind)) = rest.split_first() {
                        properties.push((self.name(name), attributes::enumerant(context, kind, word)));
                        rest = behind;
                    }
                }
                Slot::Id | Slot::Constant(..) | Slot::Enumerant(..) | Slot::Type(_) => {
                    let Some((&word, behind)) = rest.split_first() else { return Ok(None) };
                    rest = behind;
                    match *slot {
                        Slot::Constant(name, kind) => {
                            let Some((number, is_plain)) = self.scope_number(word) else { return Ok(None) };
                            constants.push(word);
                            constants_are_plain &= is_plain;
                            properties.push((self.name(name), attributes::enumerant(context, kind, number)));
                        }
                        Slot::Enumerant(name, kind) => {
                            properties.push((self.name(name), attributes::enumerant(context, kind, word)));
                        }
                        Slot::Type(name) => {
                            let ty = self.ty(at, word)?;
                            properties.push((self.name(name), self.type_attribute(ty)));
                        }
                        _ => {
                            single[count] = word;
                            count += 1;
                        }
                    }
                }
            }
        }
        if !rest.is_empty() {
            return Ok(None);
        }
        if !constants_are_plain {
            let trees = constants.iter().map(|&id| self.tree(at, id)).collect::<Result<_>>()?;
            let trees = self.array(trees);
            extras.push((self.name("spirv_binary.constants"), trees));
        }
        for &id in single[..count].iter().chain(ids) {
            operands.push(self.operand(f, at, id)?);
        }
        let made: Option<AttributeRef> = match (form.has_properties, properties.is_empty()) {
            (false, _) => None,
            (true, true) => Some(self.empty),
            (true, false) => Some(context.dictionary_of(&mut properties)?.into()),
        };
        self.properties_room = properties;
        Ok(Some((self.operation_name(&form.name, true), made)))
    }

    /// Whether a type is that of structs, arrays or matrices.
    fn is_composite(&mut self, at: u32, ty: u32) -> Result<bool> {
        let ty = self.ty(at, ty)?;
        Ok(view(self.context, ty).is_some_and(|of| !matches!(of, SpirvType::Pointer { .. })))
    }

    /// The value of a constant that says a scope or semantics, and whether lowering makes the same constant of it.
    fn scope_number(&mut self, id: u32) -> Option<(u32, bool)> {
        let (op::CONSTANT, &[_, ty, _, number]) = self.scan.defining(id)? else { return None };
        let ty = self.types.get(ty as usize).copied()??;
        if !matches!(self.context[ty], TypeData::Integer { width: 32, .. }) {
            return None;
        }
        self.used[id as usize] = true;
        Some((number, self.constants.is_plain(id) && ty == self.context.integer_type(32)))
    }

    /// An operation of the grammar: ids as operands, the rest as literals.
    fn raw(
        &mut self,
        f: &mut Function,
        at: u32,
        form: &'static InstructionForm,
        operands: &mut Vec<Operand>,
        extras: &mut Vec<NamedAttribute>,
    ) -> Result<Made> {
        let (ids, literals) = self.operands(at)?;
        for id in ids {
            operands.push(self.operand(f, at, id)?);
        }
        if !literals.is_empty() {
            let literals = literals.iter().map(|&word| self.number(word)).collect();
            let literals = self.array(literals);
            extras.push((self.name("literals"), literals));
        }
        Ok((self.operation_name(if form.slots.is_some() { &form.raw } else { &form.name }, false), None))
    }
}

/// An operation's name and its properties.
type Made = (mlirbc_ir::OperationName, Option<AttributeRef>);

/// How many ids follow a mask of image operands; `None` where that is unknown.
fn image_operands(mask: u32) -> Option<usize> {
    let bits = (0..32).filter(|bit| mask >> bit & 1 == 1);
    bits.map(|bit| Some(Kind::ImageOperands.parameters(bit)?.len())).sum()
}
