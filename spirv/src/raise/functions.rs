//! Functions: a twin of `lower/functions.rs`.

use hashbrown::HashMap;
use mlirbc_ir::{AttributeData, BlockId, BodyBuilder, BodyId, IsolationMark, OpId, Result, TypeRef, Value};

use super::scan::string_before;
use super::structure::{Block, Flow, NONE};
use super::{IdKind, Raiser};
use crate::dialect::EnumKind;
use crate::dialect::attributes;
use crate::op;

/// An operand of an operation to come.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    Value(Value),
    /// The id of a value that is made further down.
    Ahead(u32),
}

/// A function as it is filled.
pub(super) struct Function {
    pub(super) flow: Flow,
    pub(super) body: BodyBuilder,
    /// By block.
    pub(super) made: Vec<Option<BlockId>>,
    /// By construct: its operation, its first block and its last.
    pub(super) operations: Vec<Option<(OpId, BlockId, BlockId)>>,
    /// What the constructs give outside for a value inside, by construct and id.
    pub(super) given: HashMap<(u32, u32), Value>,
    /// Operands that are made further down: where, the id, and the construct that uses it.
    pub(super) ahead: Vec<(u32, u32, u32)>,
    /// The operands of the terminator of a selection's header, which stands in the region: by construct.
    pub(super) kept: HashMap<u32, Vec<Operand>>,
    /// Numbers of blocks that merge instructions name.
    pub(super) marks: HashMap<u32, u32>,
    /// Where the next operation goes, and the construct around that.
    pub(super) block: BlockId,
    pub(super) inside: u32,
}

/// What is still to be filled, the next last.
pub(super) enum Task {
    /// A block with what stands before its own instructions.
    Block(u32),
    /// Its own instructions.
    Rest(u32),
    /// The first block of a construct's region.
    Enter(u32),
    /// The last.
    Merge(u32),
    /// The end of the construct's operation.
    Close(u32),
}

impl Raiser<'_> {
    /// Gives each function its symbol.
    pub(super) fn name_functions(&mut self) -> Result<()> {
        let scan = self.scan;
        for &at in scan.top.iter().filter(|&&at| scan.opcode(at) == op::ENTRY_POINT) {
            let (_, words) = scan.instruction(at);
            if let (Some(&id), Some((name, _))) = (words.get(2), words.get(3..).and_then(string_before)) {
                self.entry_names.entry(id).or_insert(name);
            }
        }
        for &(start, _) in &scan.functions {
            let (_, words) = scan.instruction(start);
            let &[_, _, id, _, _] = words else { return Err(scan.stop().at(start, "it has other operands")) };
            let name = scan.name(id);
            let symbol = name.as_ref().or(self.entry_names.get(&id)).cloned();
            self.symbol(id, symbol.as_deref(), "spirv_fn");
            self.kinds[id as usize] = IdKind::Function;
        }
        Ok(())
    }

    /// Raises one function.
    pub(super) fn function(&mut self, start: u32, end: u32) -> Result<()> {
        let scan = self.scan;
        let context = self.context;
        let (_, words) = scan.instruction(start);
        let &[_, result, id, control, ty] = words else { return Err(scan.stop().at(start, "it has other operands")) };
        let result = self.ty(start, result)?;
        let function_type = self.ty(start, ty)?;
        let (inputs, results) = match &context[function_type] {
            mlirbc_ir::TypeData::Function { inputs, results } => (inputs, results),
            _ => return Err(scan.stop().at(start, "its type is not a function type")),
        };
        if results.first().copied() != (!self.is_void(result)).then_some(result) {
            return Err(scan.stop().at(start, "its type gives another result"));
        }
        let (parameters, flow) = self.blocks(start, end)?;
        if parameters.len() != inputs.len() {
            return Err(scan.stop().at(start, "it has another number of parameters than its type says"));
        }
        let is_declaration = flow.blocks.is_empty();
        let mut body = BodyBuilder::new(1);
        let region = body.top_regions()[0];
        let mut argument_attributes = Vec::with_capacity(parameters.len());
        let mut arguments = Vec::with_capacity(parameters.len());
        let mut any_attributes = false;
        for (&at, &input) in parameters.iter().zip(inputs) {
            let (_, words) = scan.instruction(at);
            let &[_, ty, id] = words else { return Err(scan.stop().at(at, "it has other operands")) };
            if self.ty(at, ty)? != input {
                return Err(scan.stop().at(at, "its type is not what the function's type says"));
            }
            let attributes = self.parameter_attributes(at, id)?;
            let name = self.location(Some(id), 0);
            if is_declaration && name != self.unknown {
                return Err(scan.stop().at(at, "the parameter of a declaration has a name"));
            }
            any_attributes |= attributes != context.attribute(AttributeData::Dictionary(Box::default()));
            argument_attributes.push(attributes);
            arguments.push((id, input, name));
        }
        if !is_declaration {
            self.fill(&mut body, region, flow, &arguments)?;
            if scan.functions.last() != Some(&(start, end)) {
                self.forget(start, end);
            }
        }
        let symbol = self.symbols[&id];
        let name = scan.name(id);
        let mut extras = Vec::new();
        let mut properties = vec![
            (self.name("function_control"), attributes::enumerant(context, EnumKind::FunctionControl, control)),
            (self.name("function_type"), self.type_attribute(function_type)),
            (self.name("sym_name"), symbol.attribute()),
        ];
        if any_attributes {
            let list = self.array(argument_attributes);
            properties.push((self.name("arg_attrs"), list));
        }
        for (key, value) in self.decorations(start, id)? {
            match context.bytes(key) {
                b"linkage_attributes" => properties.push((key, value)),
                _ => extras.push((key, value)),
            }
        }
        self.note_name(&mut extras, name.as_deref(), symbol);
        let location = self.function_location(start, id);
        let op = self.push_top_at(location, "spirv.func", &mut extras, Some(&mut properties))?;
        if is_declaration {
            self.top.set_region_body(op, None, 1, IsolationMark::Unknown);
        } else {
            let child = BodyId::from_index(3 + self.bodies.len());
            self.top.set_region_body(op, Some(child), 1, IsolationMark::Unknown);
            self.bodies.push((body.finish(), Some((BodyId::from_index(2), op))));
        }
        Ok(())
    }

    /// What is said of a parameter: a decoration that the dialect has for it, and the rest.
    fn parameter_attributes(&mut self, at: u32, id: u32) -> Result<mlirbc_ir::Attribute> {
        let scan = self.scan;
        let mut entries = Vec::new();
        match scan.notes(id) {
            [] => {}
            [note] if note.end == note.start + 1 && note.member.is_none() => {
                let decoration = scan.words[note.start as usize];
                let value = attributes::enumerant(self.context, EnumKind::Decoration, decoration);
                entries.push((self.name("spirv.decoration"), value));
            }
            _ => {
                if let Some(list) = self.note_list(at, id)? {
                    entries.push((self.name("spirv_binary.decorations"), list));
                }
            }
        }
        self.context.dictionary_of(&mut entries)
    }

    /// The parameters and blocks of a function. Says of each id which block defines it.
    fn blocks(&mut self, start: u32, end: u32) -> Result<(Vec<u32>, Flow)> {
        let scan = self.scan;
        let stop = scan.stop();
        let mut parameters = Vec::new();
        let mut flow = Flow::default();
        let mut open: Option<Block> = None;
        let before = scan.line_before(start);
        if before != 0 && !matches!(*scan.instruction(before).1, [_, file, _, _] if self.kind(file) == IdKind::String) {
            return Err(stop.at(before, "its file is no string"));
        }
        let mut line = 0;
        let mut at = start + scan.instruction(start).1.len() as u32;
        while at < end {
            let (opcode, words) = scan.instruction(at);
            let known = crate::grammar::Instruction::of(opcode);
            if opcode == op::LOOP_MERGE || known.is_some_and(|known| !known.shape.fits(words.len())) {
                // An error where the grammar wants more.
                self.operands(at)?;
            }
            // The two have one location.
            let is_merge = |block: &Block| block.merge != 0 && block.merge == block.last;
            if matches!(opcode, op::LINE | op::NO_LINE) && open.as_ref().is_some_and(is_merge) {
                return Err(stop.at(at, "it stands between a merge and the end of its block"));
            }
            match opcode {
                op::LINE => match *words {
                    [_, file, _, _] if self.kind(file) == IdKind::String => line = at,
                    _ => return Err(stop.at(at, "its file is no string")),
                },
                op::NO_LINE => line = 0,
                op::LABEL => {
                    if let Some(block) = open.take() {
                        flow.blocks.push(block);
                    }
                    let id = words[1];
                    self.kinds[id as usize] = IdKind::Label;
                    self.blocks[id as usize] = flow.blocks.len() as u32;
                    open = Some(Block {
                        label: id,
                        first: 0,
                        last: 0,
                        merge: 0,
                        merge_line: 0,
                        last_line: 0,
                        line,
                        start: 0,
                        end: 0,
                    });
                }
                op::FUNCTION_PARAMETER if open.is_none() && flow.blocks.is_empty() => {
                    let id = *words.get(2).ok_or_else(|| stop.at(at, "it has other operands"))?;
                    self.blocks[id as usize] = 0;
                    self.kinds[id as usize] = IdKind::Local;
                    parameters.push(at);
                }
                _ => {
                    let Some(block) = &mut open else { return Err(stop.at(at, "it stands in no block")) };
                    if block.first == 0 {
                        (block.first, block.line) = (at, line);
                    } else if matches!(scan.opcode(block.last), op::BRANCH..=op::UNREACHABLE) {
                        return Err(stop.at(at, "it stands behind the end of its block"));
                    }
                    (block.last, block.last_line) = (at, line);
                    match opcode {
                        op::LOOP_MERGE | op::SELECTION_MERGE if block.merge == 0 => {
                            (block.merge, block.merge_line) = (at, line);
                        }
                        op::LOOP_MERGE | op::SELECTION_MERGE => return Err(stop.at(at, "a second merge in its block")),
                        op::UNDEF => {
                            self.declare_constant(at)?;
                            self.undefined.push(at);
                        }
                        // A construct has no place for it there.
                        _ if block.merge != 0 && !is_terminator(opcode) => {
                            return Err(stop.at(at, "it stands between a merge and the end of its block"));
                        }
                        _ => {
                            if let Some(id) = self.result(at) {
                                self.blocks[id as usize] = flow.blocks.len() as u32;
                                self.kinds[id as usize] = IdKind::Local;
                            }
                        }
                    }
                    if is_terminator(opcode) {
                        line = 0;
                    }
                }
            }
            at += words.len() as u32;
            flow.instructions += 1;
        }
        flow.blocks.extend(open);
        for number in 0..flow.blocks.len() {
            let last = flow.blocks[number].last;
            if last == 0 {
                let message = format!("block {} holds nothing", flow.blocks[number].label);
                return Err(stop.at(start, message));
            }
            if !is_terminator(scan.opcode(last)) {
                return Err(stop.at(last, "its block ends with it, and it is no terminator"));
            }
            flow.blocks[number].start = flow.successors.len() as u32;
            self.branches(last, &mut flow.successors)?;
            flow.blocks[number].end = flow.successors.len() as u32;
            if flow.successors[flow.blocks[number].start as usize..].contains(&0) {
                return Err(stop.at(last, "it branches to the first block of its function"));
            }
        }
        if flow.blocks.len() > 1 && flow.blocks.iter().any(|block| block.merge != 0) {
            let (blocks, kinds) = (&self.blocks, &self.kinds);
            let count = flow.blocks.len() as u32;
            flow.find_constructs(scan, |label| match kinds.get(label as usize) {
                Some(IdKind::Label) if blocks[label as usize] < count => blocks[label as usize],
                _ => NONE,
            });
        } else {
            flow.find_constructs(scan, |_| NONE);
        }
        // Of labels of other functions, nothing may be known here.
        Ok((parameters, flow))
    }

    /// The result of the instruction there.
    pub(super) fn result(&self, at: u32) -> Option<u32> {
        let (opcode, words) = self.scan.instruction(at);
        let known = crate::grammar::Instruction::of(opcode).filter(|known| known.has_result)?;
        words.get(known.prefix() - 1).copied()
    }

    /// The labels that a terminator branches to, as blocks.
    fn branches(&self, at: u32, into: &mut Vec<u32>) -> Result<()> {
        let scan = self.scan;
        let (opcode, words) = scan.instruction(at);
        let short = || scan.stop().at(at, "it has other operands");
        let mut push = |label: u32| match self.kind(label) {
            IdKind::Label => {
                into.push(self.blocks[label as usize]);
                Ok(())
            }
            _ => Err(scan.stop().at(at, format!("id {label} is no block of this function"))),
        };
        match opcode {
            op::BRANCH => push(*words.get(1).ok_or_else(short)?)?,
            op::BRANCH_CONDITIONAL => {
                let &[_, _, yes, no, ..] = words else { return Err(short()) };
                push(yes)?;
                push(no)?;
            }
            op::SWITCH => {
                let &[_, selector, default, ref cases @ ..] = words else { return Err(short()) };
                push(default)?;
                let width = self.selector_words(selector).ok_or_else(short)?;
                if !cases.len().is_multiple_of(width + 1) {
                    return Err(short());
                }
                for case in cases.chunks(width + 1) {
                    push(case[width])?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// How many words a literal of a switch takes.
    pub(super) fn selector_words(&self, selector: u32) -> Option<usize> {
        let (opcode, words) = self.scan.defining(selector)?;
        crate::grammar::Instruction::of(opcode).filter(|known| known.has_type)?;
        match self.scan.defining(*words.get(1)?)? {
            (op::TYPE_INT, &[_, _, width, _]) if width <= 64 => Some(if width > 32 { 2 } else { 1 }),
            _ => None,
        }
    }

    fn fill(
        &mut self,
        body: &mut BodyBuilder,
        region: mlirbc_ir::RegionId,
        flow: Flow,
        parameters: &[(u32, mlirbc_ir::Type, mlirbc_ir::AttributeRef)],
    ) -> Result<()> {
        let scan = self.scan;
        // Constants and symbols become operations where they are used.
        let count = flow.instructions as usize;
        body.reserve(count + count / 2, count + count / 2, 2 * count);
        let mut made = vec![None; flow.blocks.len()];
        for &block in &flow.outermost {
            made[block as usize] = Some(body.push_block(region));
        }
        let Some(entry) = made[0] else { return Err(scan.stop().of_module("a function begins inside of a construct")) };
        let mut function = Function {
            body: std::mem::take(body),
            made,
            operations: vec![None; flow.constructs.len()],
            given: HashMap::new(),
            ahead: Vec::new(),
            kept: HashMap::new(),
            marks: HashMap::new(),
            block: entry,
            inside: NONE,
            flow,
        };
        let f = &mut function;
        if !f.flow.constructs.is_empty() {
            self.find_results(f)?;
        }
        self.mark_blocks(f);
        if !parameters.is_empty() {
            let first = f.body.push_values(parameters.len(), parameters[0].1.into()).index();
            for (number, &(id, ..)) in parameters.iter().enumerate() {
                self.values[id as usize] = (first + number) as u32 + 1;
            }
            let arguments = parameters.iter().enumerate();
            let known = |location| if location == self.unknown { None } else { Some(location) };
            f.body.define_arguments(
                entry,
                arguments.map(|(number, &(_, ty, location))| {
                    (Value::from_index(first + number), ty.into(), known(location))
                }),
            );
        }
        let mut tasks: Vec<Task> = f.flow.outermost.iter().rev().map(|&block| Task::Block(block)).collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Block(block) => {
                    let construct = f.flow.merged[block as usize];
                    if construct == NONE {
                        self.rest(f, block)?;
                    } else {
                        tasks.push(Task::Rest(block));
                        self.open(f, construct, &mut tasks)?;
                    }
                }
                Task::Rest(block) => self.rest(f, block)?,
                Task::Enter(construct) => self.enter(f, construct)?,
                Task::Merge(construct) => self.merge(f, construct)?,
                Task::Close(construct) => self.close(f, construct)?,
            }
        }
        for (slot, id, inside) in std::mem::take(&mut f.ahead) {
            let Some(value) = self.value(f, id, inside) else {
                return Err(scan.stop().at(
                    scan.definition(id).unwrap_or(0),
                    format!("id {id} is used and not defined in this function"),
                ));
            };
            f.body.replace_pushed_operand(slot, value);
        }
        *body = std::mem::take(&mut f.body);
        Ok(())
    }

    /// Forgets the values and blocks of a function: another one must not find them.
    fn forget(&mut self, start: u32, end: u32) {
        let mut at = start;
        while at < end {
            let (opcode, words) = self.scan.instruction(at);
            if let Some(id) = self.result(at) {
                self.values[id as usize] = 0;
                if opcode == op::LABEL {
                    self.kinds[id as usize] = IdKind::None;
                }
            }
            at += words.len() as u32;
        }
    }

    /// Gives a block the phis of `of` as arguments: those of its own, or those that come to what stands in it.
    pub(super) fn arguments(&mut self, f: &mut Function, block: BlockId, of: u32, in_merge: bool) -> Result<()> {
        let scan = self.scan;
        let (mut at, last, mut line) = {
            let block = &f.flow.blocks[of as usize];
            (block.first, block.last, block.line)
        };
        let bind = f.made[of as usize] == Some(block);
        let mut from = Vec::new();
        let mut found = Vec::new();
        while at <= last {
            let (opcode, words) = scan.instruction(at);
            match opcode {
                op::PHI => {
                    if found.is_empty() {
                        from.extend_from_slice(f.flow.predecessors(of));
                        from.sort_unstable();
                        from.dedup();
                    }
                    let &[_, ty, id, ref pairs @ ..] = words else {
                        return Err(scan.stop().at(at, "it has other operands"));
                    };
                    if pairs.len() != 2 * from.len() {
                        return Err(scan.stop().at(at, "it has not one value for each block that leads here"));
                    }
                    let location = if bind || in_merge { self.location(Some(id), line) } else { self.unknown };
                    found.push((id, TypeRef::from(self.ty(at, ty)?), (location != self.unknown).then_some(location)));
                }
                op::LINE => line = at,
                op::NO_LINE => line = 0,
                _ => break,
            }
            at += words.len() as u32;
        }
        let Some(&(_, ty, _)) = found.first() else { return Ok(()) };
        let first = f.body.push_values(found.len(), ty).index();
        if bind && !in_merge {
            for (number, &(id, ..)) in found.iter().enumerate() {
                self.values[id as usize] = (first + number) as u32 + 1;
            }
        }
        let arguments = found.iter().enumerate();
        let arguments = arguments.map(|(number, &(_, ty, location))| (Value::from_index(first + number), ty, location));
        f.body.define_arguments(block, arguments);
        Ok(())
    }
}

/// Whether a block ends with the instruction, and with it what a line says.
pub(crate) fn is_terminator(opcode: u16) -> bool {
    matches!(
        opcode,
        op::BRANCH
            ..=op::UNREACHABLE
                | op::TERMINATE_INVOCATION
                | op::IGNORE_INTERSECTION_KHR
                | op::TERMINATE_RAY_KHR
                | op::EMIT_MESH_TASKS_EXT
    )
}
