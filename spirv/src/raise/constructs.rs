//! Constructs: operations with regions of their own, and what goes in and out of these.

use hashbrown::HashMap;
use mlirbc_ir::{IsolationMark, OpHead, Result, TypeRef, Value};

use super::functions::{Function, Operand, Task};
use super::structure::{Flow, NONE};
use super::{IdKind, Raiser};
use crate::dialect::EnumKind;
use crate::dialect::attributes;
use crate::op;

impl Raiser<'_> {
    /// Begins the operation of a construct, at the beginning of its merge block.
    pub(super) fn open(&mut self, f: &mut Function, construct: u32, tasks: &mut Vec<Task>) -> Result<()> {
        let scan = self.scan;
        let of = f.flow.constructs[construct as usize].clone();
        let Some(block) = f.made[of.merge as usize] else {
            return Err(scan.stop().of_module("a merge block is missing"));
        };
        f.block = block;
        if of.is_loop {
            // The values that come to the header from outside.
            self.arguments(f, block, of.header, false)?;
        }
        let name = if of.is_loop { "spirv.mlir.loop" } else { "spirv.mlir.selection" };
        let name = self.operation_name(name, true);
        let op = f.body.begin_operation(block, name, self.unknown);
        f.body.push_regions(op, 1, IsolationMark::Unknown);
        let Some(region) = f.body.regions(op).next() else { return Err(scan.stop().of_module("no region")) };
        let first = f.body.push_block(region);
        for &inner in &of.blocks {
            f.made[inner as usize] = Some(f.body.push_block(region));
        }
        let last = f.body.push_block(region);
        f.operations[construct as usize] = Some((op, first, last));
        tasks.push(Task::Close(construct));
        tasks.push(Task::Merge(construct));
        tasks.extend(of.blocks.iter().rev().map(|&block| Task::Block(block)));
        tasks.push(Task::Enter(construct));
        Ok(())
    }

    /// Fills the first block of a construct: a branch to the header of a loop, or the end of the header of a selection.
    pub(super) fn enter(&mut self, f: &mut Function, construct: u32) -> Result<()> {
        let of = &f.flow.constructs[construct as usize];
        let (header, is_loop, merge) = (of.header, of.is_loop, of.merge);
        let Some((_, first, _)) = f.operations[construct as usize] else { return Ok(()) };
        f.inside = construct;
        f.block = first;
        if is_loop {
            let Some((outer, target)) = f.made[merge as usize].zip(f.made[header as usize]) else { return Ok(()) };
            let operands: Vec<Operand> = f.body.arguments(outer).iter().map(|&value| Operand::Value(value)).collect();
            self.branch(f, &operands, target);
            return Ok(());
        }
        let last = f.flow.blocks[header as usize].last;
        // Where no way leads to the header, its merge block may come before it.
        let Some(operands) = f.kept.remove(&construct) else {
            return Err(self.scan.stop().at(last, "its construct comes before its header"));
        };
        self.terminator(f, header, last, &operands, None)
    }

    /// Fills the last block of a construct.
    pub(super) fn merge(&mut self, f: &mut Function, construct: u32) -> Result<()> {
        let Some((_, _, last)) = f.operations[construct as usize] else { return Ok(()) };
        let merge = f.flow.constructs[construct as usize].merge;
        f.inside = construct;
        f.block = last;
        self.arguments(f, last, merge, true)?;
        let mut operands: Vec<Operand> = f.body.arguments(last).iter().map(|&value| Operand::Value(value)).collect();
        let results = std::mem::take(&mut f.flow.constructs[construct as usize].results);
        for &id in &results[operands.len().min(results.len())..] {
            operands.push(self.value(f, id, construct).map_or(Operand::Ahead(id), Operand::Value));
        }
        f.flow.constructs[construct as usize].results = results;
        let mut extras = Vec::new();
        self.argument_notes(f, merge, &mut extras)?;
        let attributes = if extras.is_empty() { None } else { Some(self.context.dictionary_of(&mut extras)?.into()) };
        let name = self.operation_name("spirv.mlir.merge", true);
        f.push(name, self.unknown, attributes, None, &operands, None);
        Ok(())
    }

    /// Ends the operation of a construct.
    pub(super) fn close(&mut self, f: &mut Function, construct: u32) -> Result<()> {
        let scan = self.scan;
        let Some((op, _, last)) = f.operations[construct as usize] else { return Ok(()) };
        let of = &f.flow.constructs[construct as usize];
        let (header, merge, is_loop, parent) = (of.header, of.merge, of.is_loop, of.parent);
        let (latch, target, results) = (of.latch, of.target, of.results.clone());
        let at = f.flow.blocks[header as usize].merge;
        let (_, words) = scan.instruction(at);
        let location = self.location(None, f.flow.blocks[header as usize].merge_line);
        let mut extras = Vec::new();
        let property = if is_loop {
            let control = words.get(3).copied().unwrap_or(0);
            let parameters = words.get(4..).unwrap_or_default();
            if !parameters.is_empty() {
                let parameters = parameters.iter().map(|&word| self.number(word)).collect();
                extras.push((self.name("spirv_binary.control"), self.array(parameters)));
            }
            if default_target(&f.flow, latch) != Some(target) {
                let mark = f.marks[&target];
                extras.push((self.name("spirv_binary.continue"), self.number(mark)));
            }
            (self.name("loop_control"), attributes::enumerant(self.context, EnumKind::LoopControl, control))
        } else {
            let control = words.get(2).copied().unwrap_or(0);
            (self.name("selection_control"), attributes::enumerant(self.context, EnumKind::SelectionControl, control))
        };
        let properties = self.context.dictionary_of(&mut [property])?.into();
        let attributes = if extras.is_empty() { None } else { Some(self.context.dictionary_of(&mut extras)?.into()) };
        let phi_count = f.body.arguments(last).len();
        let mut types: Vec<TypeRef> = Vec::with_capacity(results.len());
        for &id in &results {
            let at = scan.definition(id).unwrap_or(0);
            let ty = match scan.instruction(at).1.get(1) {
                Some(&ty) => self.ty(at, ty)?,
                None => return Err(scan.stop().at(at, "it has no type")),
            };
            types.push(ty.into());
        }
        let start = f.body.operand_start();
        let first = {
            let head = OpHead { name: f.body.name(op), location, attributes, properties: Some(properties) };
            f.body.finish_operation(op, head, start, &types)
        }
        .index();
        for (number, &id) in results.iter().enumerate() {
            let value = Value::from_index(first + number);
            if number < phi_count {
                self.values[id as usize] = value.index() as u32 + 1;
            } else {
                f.given.insert((construct, id), value);
            }
        }
        f.inside = parent;
        if let Some(block) = f.made[merge as usize] {
            f.block = block;
        }
        Ok(())
    }

    /// Finds the values that are used outside of the constructs that they are made in.
    pub(super) fn find_results(&mut self, f: &mut Function) -> Result<()> {
        let scan = self.scan;
        let mut found: HashMap<(u32, u32), ()> = HashMap::new();
        let mut left = 8 * scan.words.len();
        let mut uses = Vec::new();
        for number in 0..f.flow.blocks.len() as u32 {
            let block = f.flow.blocks[number as usize].clone();
            let mut at = block.first;
            while at <= block.last {
                let (opcode, words) = scan.instruction(at);
                uses.clear();
                match opcode {
                    op::PHI => {
                        // A phi uses its values where control comes from.
                        for &[value, from] in words.get(3..).unwrap_or_default().as_chunks::<2>().0 {
                            if self.kind(from) == IdKind::Label {
                                uses.push((value, f.flow.inner[self.blocks[from as usize] as usize]));
                            }
                        }
                    }
                    op::LINE | op::NO_LINE | op::LOOP_MERGE | op::SELECTION_MERGE => {}
                    _ => {
                        let inside = f.flow.inner[number as usize];
                        self.uses(at, |id| uses.push((id, inside)))?;
                    }
                }
                for &(id, inside) in &uses {
                    if self.kind(id) != IdKind::Local {
                        continue;
                    }
                    let defined = self.blocks[id as usize];
                    let Some(&(mut construct)) = f.flow.inner.get(defined as usize) else { continue };
                    while !f.flow.holds(construct, inside) {
                        let of = &mut f.flow.constructs[construct as usize];
                        if found.insert((construct, id), ()).is_none() {
                            of.results.push(id);
                            left = left
                                .checked_sub(1)
                                .ok_or_else(|| scan.stop().at(at, "constructs give too many values"))?;
                        }
                        construct = of.parent;
                    }
                }
                at += words.len() as u32;
            }
        }
        Ok(())
    }

    /// Numbers the blocks that merge instructions name.
    pub(super) fn mark_blocks(&mut self, f: &mut Function) {
        let scan = self.scan;
        let mut mark = |block: u32| {
            let number = f.marks.len() as u32;
            f.marks.entry(block).or_insert(number);
        };
        for (number, block) in f.flow.blocks.iter().enumerate() {
            let construct = f.flow.headed[number];
            if block.merge == 0 {
                continue;
            }
            if construct != NONE {
                let of = &f.flow.constructs[construct as usize];
                if of.is_loop && default_target(&f.flow, of.latch) != Some(of.target) {
                    mark(of.target);
                }
                continue;
            }
            let (opcode, words) = scan.instruction(block.merge);
            let labels = if opcode == op::LOOP_MERGE { 1..3 } else { 1..2 };
            for &label in words.get(labels).unwrap_or_default() {
                if self.kind(label) == IdKind::Label {
                    mark(self.blocks[label as usize]);
                }
            }
        }
    }
}

/// The block that a loop's last block is taken to continue at: itself, or the header of the selection that it begins with. Where it begins
/// with a loop, that has to be said.
fn default_target(flow: &Flow, latch: u32) -> Option<u32> {
    match flow.constructs.get(flow.merged[latch as usize] as usize) {
        Some(of) => (!of.is_loop).then_some(of.header),
        None => Some(latch),
    }
}
