//! Functions: a twin of `raise/functions.rs`.

use hashbrown::HashMap;
use mlirbc_ir::{AttributeData, BlockId, Body, Error, OpId, RegionId, Result, TypeData, Value, ValueOwner};

use super::blocks::{Blocks, Edge};
use super::debug::Origin;
use super::{Given, Lowerer, close};
use crate::dialect::EnumKind;
use crate::forms::Kind;
use crate::op;

/// What is still to be written, the next last.
enum Task {
    /// A block from its beginning.
    Block(BlockId),
    /// The operations from here on, in the block that is open.
    Operations(OpId),
    /// The block behind a construct, whose region ends in that one.
    Merge(BlockId),
}

impl<'m> Lowerer<'m> {
    /// Writes a function.
    pub(super) fn function(&mut self, top: &'m Body, op: OpId, given: &Given<'m>) -> Result<()> {
        let context = self.context;
        let symbol = given.find("sym_name").and_then(|name| context.as_identifier(name));
        let ty = given.find("function_type").and_then(|ty| self.ty_of(ty));
        let (Some(symbol), Some(ty)) = (symbol, ty) else { return Err(self.wrong(top, op, "has no name or no type")) };
        let TypeData::Function { inputs, results } = &context[ty] else {
            return Err(self.wrong(top, op, "has a type that is not a function type"));
        };
        let control = self.enumerant(given, "function_control", EnumKind::FunctionControl).unwrap_or(0);
        let id = self.symbol(symbol)?;
        let ty_id = self.ty(ty)?;
        let result = match **results {
            [] => self.void()?,
            [result] => self.ty(result)?,
            _ => return Err(self.wrong(top, op, "has several results")),
        };
        if let Some((file, line, column)) = self.origin(top.location(op))?.line {
            let file = self.file(file)?;
            self.sections.functions.extend([4 << 16 | u32::from(op::LINE), file, line, column]);
        }
        self.sections.functions.extend([5 << 16 | u32::from(op::FUNCTION), result, id, control, ty_id]);
        self.name_as(id, symbol, given)?;
        self.decorate_as(id, given.attributes)?;
        self.decorate_inherent(id, given)?;
        let mut parameters = Vec::with_capacity(inputs.len());
        for &input in inputs {
            let ty = self.ty(input)?;
            let id = self.fresh()?;
            parameters.push(id);
            self.sections.functions.extend([3 << 16 | u32::from(op::FUNCTION_PARAMETER), ty, id]);
        }
        if let Some(list) = given.find("arg_attrs").and_then(|list| self.items(list)) {
            for (&id, &attributes) in parameters.iter().zip(list) {
                let AttributeData::Dictionary(entries) = &context[attributes] else { continue };
                if let Some(decoration) = self.entry(entries, "spirv.decoration") {
                    let number = crate::dialect::attributes::enumerant_of(context, decoration, EnumKind::Decoration);
                    let number =
                        number.ok_or_else(|| self.wrong(top, op, "has an argument with an unknown decoration"))?;
                    self.decorate(id, number, &[])?;
                }
                self.decorate_as(id, entries)?;
            }
        }
        let child = self.module.operation(self.top_id(op)?, op)?;
        let (_, body, regions) = child.region_tree()?;
        let entry = regions.iter().find_map(|&region| body.first_block(region));
        if let Some(entry) = entry {
            let arguments = body.arguments(entry);
            if arguments.len() != parameters.len() {
                return Err(self.wrong(top, op, "has another number of arguments than its type says"));
            }
            let mut f = Blocks::new(self, body)?;
            for (number, (&argument, &id)) in arguments.iter().zip(&parameters).enumerate() {
                f.ids[argument.index()] = id;
                if let Some(&Some(location)) = body.argument_locations(entry).get(number)
                    && let Some(name) = self.origin(location)?.name
                {
                    self.name(id, context.bytes(name))?;
                }
            }
            self.body(&mut f, regions[0])?;
            self.assemble(&mut f)?;
            self.code = f.code;
            self.code.clear();
        }
        self.sections.functions.push(1 << 16 | u32::from(op::FUNCTION_END));
        Ok(())
    }

    /// The body that holds the module's operations.
    fn top_id(&self, _: OpId) -> Result<mlirbc_ir::BodyId> {
        self.top_body.ok_or_else(|| mlirbc_ir::Error::misuse("no module is being lowered"))
    }

    /// Walks the blocks of a function, and those of the constructs in it.
    fn body(&mut self, f: &mut Blocks<'m>, region: RegionId) -> Result<()> {
        let body = f.body;
        let mut tasks: Vec<Task> = body.blocks(region).map(Task::Block).collect();
        tasks.reverse();
        while let Some(task) = tasks.pop() {
            let mut next = match task {
                Task::Block(block) => {
                    if f.is_joined(block) {
                        continue;
                    }
                    match f.loop_header(block) {
                        // The loop's header is where branches to this block go.
                        Some(_) => self.construct(f, body.first_operation(block), &mut tasks, false)?,
                        None => {
                            let phis = block != f.entry;
                            f.begin(self, block, phis)?;
                            self.block_arguments(f, block, phis)?;
                            body.first_operation(block)
                        }
                    }
                }
                Task::Operations(op) => Some(op),
                Task::Merge(last) => {
                    f.begin(self, last, true)?;
                    self.block_arguments(f, last, true)?;
                    if let Some(end) = body.last_operation(last) {
                        self.argument_notes(f, end, last)?;
                    }
                    continue;
                }
            };
            while let Some(op) = next {
                next = match self.kind(body.name(op)) {
                    Kind::Selection | Kind::Loop => self.construct(f, Some(op), &mut tasks, true)?,
                    Kind::Branch if f.joins(op) => {
                        self.end_notes(f, op)?;
                        body.first_operation(body.successors(op)[0])
                    }
                    kind => {
                        self.operation(f, op, kind)?;
                        body.next_operation(op)
                    }
                };
            }
        }
        Ok(())
    }

    /// A construct: what is written next is its first block, where one is open, and the rest is left for later.
    fn construct(
        &mut self,
        f: &mut Blocks<'m>,
        op: Option<OpId>,
        tasks: &mut Vec<Task>,
        is_open: bool,
    ) -> Result<Option<OpId>> {
        let body = f.body;
        let Some(op) = op else { return Ok(None) };
        let Some(region) = body.regions(op).next() else { return Err(self.wrong(body, op, "has no region")) };
        let (Some(first), Some(last)) = (body.first_block(region), body.last_block(region)) else {
            return Err(self.wrong(body, op, "has no blocks"));
        };
        if first == last {
            return Err(self.wrong(body, op, "has only one block"));
        }
        if let Some(after) = body.next_operation(op) {
            tasks.push(Task::Operations(after));
        }
        tasks.push(Task::Merge(last));
        let from = tasks.len();
        tasks.extend(body.blocks(region).filter(|&block| block != first && block != last).map(Task::Block));
        tasks[from..].reverse();
        match is_open {
            true if f.is_separate(first) => {
                let label = f.label(self, first)?;
                f.code.extend([2 << 16 | u32::from(op::BRANCH), label]);
                f.end();
                f.begin(self, first, false)?;
                Ok(body.first_operation(first))
            }
            true => Ok(body.first_operation(first)),
            false => Ok(None),
        }
    }

    /// Gives the arguments of a block ids, and says what their locations say.
    fn block_arguments(&mut self, f: &mut Blocks<'m>, block: BlockId, phis: bool) -> Result<()> {
        let body = f.body;
        if !phis {
            return Ok(());
        }
        for number in 0..body.arguments(block).len() {
            let argument = body.arguments(block)[number];
            let id = f.id(self, argument)?;
            if let Some(&Some(location)) = body.argument_locations(block).get(number)
                && let Some(name) = self.origin(location)?.name
            {
                self.name(id, self.context.bytes(name))?;
            }
        }
        Ok(())
    }

    /// Decorations of the arguments of a block, which its end notes.
    fn argument_notes(&mut self, f: &mut Blocks<'m>, op: OpId, block: BlockId) -> Result<()> {
        let body = f.body;
        if body.attributes(op).is_none() {
            return Ok(());
        }
        let given = self.given(body, op)?;
        let Some(list) = self.entry(given.attributes, "spirv_binary.arguments") else { return Ok(()) };
        let items = self.items(list).unwrap_or_default();
        for (number, &said) in items.iter().enumerate() {
            if let Some(&argument) = body.arguments(block).get(number) {
                let id = f.id(self, argument)?;
                self.decorate_list(id, said)?;
            }
        }
        Ok(())
    }

    /// What is noted at the end of a block: its name, and its merge instruction. Says whether there is one: it has the
    /// line of `op`, and nothing may stand between the two.
    pub(super) fn end_notes(&mut self, f: &mut Blocks<'m>, op: OpId) -> Result<bool> {
        let body = f.body;
        if body.attributes(op).is_none() {
            return Ok(false);
        }
        let given = self.given(body, op)?;
        if let Some(name) = self.entry(given.attributes, "spirv_binary.label").and_then(|name| self.text(name)) {
            let label = f.open_label();
            self.name(label, name)?;
        }
        if let Some(block) = body.block_of(op) {
            self.argument_notes(f, op, block)?;
        }
        let merge = self.entry(given.attributes, "spirv_binary.merge").and_then(|merge| self.numbers(merge));
        if let Some(merge) = &merge {
            let wrong = || self.wrong(body, op, "has a malformed `spirv_binary.merge`");
            let (&opcode, rest) = merge.split_first().ok_or_else(wrong)?;
            let opcode = opcode as u16;
            let labels = match opcode {
                op::LOOP_MERGE => 2,
                op::SELECTION_MERGE => 1,
                _ => return Err(wrong()),
            };
            let mut words = vec![0];
            for (at, &number) in rest.iter().enumerate() {
                words.push(match at < labels {
                    true => match f.marked(number) {
                        Some(block) => f.last_label(self, block)?,
                        None => f.missing(self, number, at == 1)?,
                    },
                    false => number,
                });
            }
            close(&mut words, 0, opcode)?;
            let origin = self.origin(body.location(op))?;
            self.line(f, origin)?;
            f.code.extend(words);
        }
        Ok(merge.is_some())
    }

    /// The merge instruction of the construct that a terminator ends the header of. Says whether there is one: its line is
    /// that of the terminator too, since nothing may stand between the two.
    pub(super) fn merge_instruction(&mut self, f: &mut Blocks<'m>, end: OpId) -> Result<bool> {
        let body = f.body;
        let Some((construct, is_loop)) = f.headed_by(end) else { return Ok(false) };
        let given = self.given(body, construct)?;
        let Some(region) = body.regions(construct).next() else { return Ok(false) };
        let Some(last) = body.last_block(region) else { return Ok(false) };
        let merge = f.label(self, last)?;
        // The construct's, as MLIR's serializer has it, or the terminator's where the construct has none.
        let line = match self.origin(body.location(construct))?.line {
            Some(line) => Some(line),
            None => self.origin(body.location(end))?.line,
        };
        self.line(f, Origin { name: None, line })?;
        let at = f.code.len();
        f.code.extend([0, merge]);
        if is_loop {
            let target = match self.entry(given.attributes, "spirv_binary.continue").and_then(|mark| self.number(mark))
            {
                Some(mark) => match f.marked(mark) {
                    Some(block) => f.last_label(self, block)?,
                    None => f.missing(self, mark, true)?,
                },
                None => f.default_target(self, last)?,
            };
            f.code.extend([target, self.enumerant(&given, "loop_control", EnumKind::LoopControl).unwrap_or(0)]);
            if let Some(parameters) = self.entry(given.attributes, "spirv_binary.control") {
                f.code.extend(self.numbers(parameters).unwrap_or_default());
            }
            close(&mut f.code, at, op::LOOP_MERGE)?;
        } else {
            f.code.push(self.enumerant(&given, "selection_control", EnumKind::SelectionControl).unwrap_or(0));
            close(&mut f.code, at, op::SELECTION_MERGE)?;
        }
        Ok(true)
    }

    /// What stands before the last operation of a block. Says whether that is a merge instruction, which has the line that
    /// the operation has to do with.
    pub(super) fn merges(&mut self, f: &mut Blocks<'m>, end: OpId) -> Result<bool> {
        Ok(self.end_notes(f, end)? | self.merge_instruction(f, end)?)
    }

    /// Appends a terminator that branches.
    pub(super) fn branch(&mut self, f: &mut Blocks<'m>, op: OpId, kind: Kind) -> Result<()> {
        let body = f.body;
        let given = self.given(body, op)?;
        let operands = body.operands(op);
        let successors = body.successors(op);
        let wrong = |this: &Self| this.wrong(body, op, "has other operands or successors");
        let mut words = std::mem::take(&mut f.room);
        words.clear();
        words.push(0);
        let mut start = match kind {
            Kind::Branch => 0,
            _ => {
                let &condition = operands.first().ok_or_else(|| wrong(self))?;
                words.push(f.id(self, condition)?);
                1
            }
        };
        // Where the operands of each successor begin: as many as it has arguments.
        let first = words.len();
        let (mut before, mut between) = (HashMap::new(), Vec::new());
        for &to in successors {
            let count = body.arguments(to).len();
            let Some(values) = operands.get(start..start + count) else { return Err(wrong(self)) };
            let mut target = f.target(self, to)?;
            let mut from = f.open();
            // A phi has one value for each block that leads to its own: of several, each gets a block between.
            let first_values: &[Value] = if count > 0 { before.entry(to).or_insert(values) } else { values };
            let mut pairs = first_values.iter().zip(values);
            if !pairs.try_fold(true, |same, (&one, &other)| Ok::<_, Error>(same && self.is_same(f, one, other)?))? {
                let label = self.fresh()?;
                between.push((label, target));
                (target, from) = (label, from + between.len() as u32);
            }
            f.edges.push(Edge { from, to, op, start: start as u32 });
            start += count;
            words.push(target);
        }
        if start != operands.len() {
            return Err(wrong(self));
        }
        let opcode = match (kind, successors.len()) {
            (Kind::Branch, 1) => op::BRANCH,
            (Kind::BranchConditional, 2) => {
                if let Some(weights) = given.find("branch_weights") {
                    words.extend(self.numbers(weights).ok_or_else(|| wrong(self))?);
                }
                op::BRANCH_CONDITIONAL
            }
            (Kind::Switch, 1..) => {
                let literals = match given.find("literals") {
                    Some(literals) => self.case_words(literals).ok_or_else(|| wrong(self))?,
                    None => Vec::new(),
                };
                let cases = words.split_off(first + 1);
                if literals.len() != cases.len() {
                    return Err(wrong(self));
                }
                for (literal, label) in literals.iter().zip(cases) {
                    words.extend_from_slice(&literal.0[..literal.1]);
                    words.push(label);
                }
                op::SWITCH
            }
            _ => return Err(wrong(self)),
        };
        let is_merged = self.merges(f, op)?;
        close(&mut words, 0, opcode)?;
        if !is_merged {
            let origin = self.origin(body.location(op))?;
            self.line(f, origin)?;
        }
        f.code.extend_from_slice(&words);
        f.room = words;
        f.end();
        between.into_iter().for_each(|(label, to)| f.append(label, &[2 << 16 | u32::from(op::BRANCH), to]));
        Ok(())
    }

    /// Whether two values have one id, as far as that shows: constants do that are the same.
    fn is_same(&mut self, f: &Blocks<'m>, one: Value, other: Value) -> Result<bool> {
        let body = f.body;
        let (known, other_known) = (f.ids[one.index()], f.ids[other.index()]);
        if known != 0 && other_known != 0 {
            return Ok(known == other_known);
        }
        let (Some(ValueOwner::Result(first, 0)), Some(ValueOwner::Result(second, 0))) =
            (body.owner(one), body.owner(other))
        else {
            return Ok(one == other);
        };
        let member = match self.kind(body.name(first)) {
            Kind::Constant | Kind::Tree | Kind::Replicate | Kind::Undef => "value",
            Kind::AddressOf => "variable",
            Kind::ReferenceOf => "spec_const",
            _ => return Ok(one == other),
        };
        if body.name(first) != body.name(second) || self.module.ty(body.ty(one))? != self.module.ty(body.ty(other))? {
            return Ok(false);
        }
        let said = |op| {
            let given = self.given(body, op)?;
            Ok::<_, Error>((given.find(member), self.entry(given.attributes, "spirv_binary.constant")))
        };
        Ok(said(first)? == said(second)?)
    }

    /// The literals of a switch as words.
    fn case_words(&self, literals: mlirbc_ir::Attribute) -> Option<Vec<([u32; 2], usize)>> {
        use mlirbc_ir::dense::ElementLayout;
        let context = self.context;
        let AttributeData::DenseElements { ty, data } = &context[literals] else { return None };
        let element = context[*ty].element()?;
        let count = context[*ty].element_count()? as usize;
        let layout = ElementLayout::of(context, element)?;
        let TypeData::Integer { width, signedness } = context[element] else { return None };
        if width > 64 || layout.packed() || count > 1 << 20 {
            return None;
        }
        let splat = layout.is_splat(count as u64, data)?;
        let signed = signedness == mlirbc_ir::Signedness::Signed;
        let at = |at: usize| if splat { 0 } else { at * layout.size() };
        let number = |k: usize| layout.read(&data[at(k)..at(k) + layout.size()]);
        Some((0..count).map(|k| crate::raise::number_words(&number(k), width, signed && width < 32)).collect())
    }
}
