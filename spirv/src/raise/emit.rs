//! Making operations: operands, locations, branches.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, Error, NamedAttribute, OpHead, OperationName, Result, TypeData,
    TypeRef, Value,
};

use super::functions::{Function, Operand};
use super::lines::Place;
use super::structure::NONE;
use super::{IdKind, Raiser};
use crate::op;

impl Function {
    /// Appends an operation to the block that is being filled.
    pub(super) fn push(
        &mut self,
        name: OperationName,
        location: AttributeRef,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
        operands: &[Operand],
        result: Option<TypeRef>,
    ) -> Value {
        let start = self.body.operand_start();
        for &operand in operands {
            let value = match operand {
                Operand::Value(value) => value,
                Operand::Ahead(id) => {
                    self.ahead.push((self.body.operand_start(), id, self.inside));
                    Value::from_index(0)
                }
            };
            self.body.push_operand(value);
        }
        let first = Value::from_index(self.body.value_count());
        let head = OpHead { name, location, attributes, properties };
        self.body.append_simple(self.block, head, start, result);
        first
    }

    /// As [`Function::push`], with successors.
    pub(super) fn push_branch(
        &mut self,
        name: OperationName,
        location: AttributeRef,
        attributes: Option<AttributeRef>,
        properties: Option<AttributeRef>,
        operands: &[Operand],
        successors: &[BlockId],
    ) {
        self.push(name, location, attributes, properties, operands, None);
        if let Some(op) = self.body.last_operation(self.block) {
            self.body.push_successors(op, successors.iter().copied());
        }
    }
}

impl Raiser<'_> {
    /// The location of an operation: its result's name, and its line.
    pub(super) fn location(&mut self, named: Option<u32>, line: u32) -> AttributeRef {
        let named = named.filter(|&id| self.scan.names[id as usize] != 0);
        if named.is_none() && line == 0 {
            return self.unknown;
        }
        let context = self.context;
        let mut location = context.unknown_location();
        if line != 0
            && let (_, &[_, file, line, column]) = self.scan.instruction(line)
        {
            location = self.file_location([file, line, column]);
        }
        if let Some(name) = named.and_then(|id| self.scan.name(id)) {
            let name = context.identifier(name);
            location = context.attribute(AttributeData::NameLocation { name, child: location });
        }
        location.into()
    }

    fn file_location(&mut self, [file, line, column]: Place) -> Attribute {
        let context = self.context;
        let name = match self.files.get(&file) {
            Some(&name) => name,
            None => {
                let name = context.identifier(self.string_of(file).unwrap_or_default());
                self.files.insert(file, name);
                name
            }
        };
        let place = (line, column);
        context.attribute(AttributeData::FileLocation { file: name, start: place, end: place })
    }

    /// The location of a function that begins there: the `OpLine` before it, or what debug information says of its id.
    pub(super) fn function_location(&mut self, start: u32, id: u32) -> AttributeRef {
        match (self.scan.line_before(start), self.function_lines.get(&id)) {
            (0, Some(&place)) => self.file_location(place).into(),
            (line, _) => self.location(None, line),
        }
    }

    /// What an id stands for where a construct, or none, is around.
    pub(super) fn value(&self, f: &Function, id: u32, inside: u32) -> Option<Value> {
        let own = self.values.get(id as usize).and_then(|value| value.checked_sub(1))?;
        let own = Value::from_index(own as usize);
        if f.flow.constructs.is_empty() {
            return Some(own);
        }
        let mut construct = *f.flow.inner.get(self.blocks[id as usize] as usize)?;
        if f.flow.holds(construct, inside) {
            return Some(own);
        }
        loop {
            let parent = f.flow.constructs[construct as usize].parent;
            if f.flow.holds(parent, inside) {
                return f.given.get(&(construct, id)).copied();
            }
            construct = parent;
        }
    }

    /// An operand: a value, or what a constant or a symbol is made into here.
    pub(super) fn operand(&mut self, f: &mut Function, at: u32, id: u32) -> Result<Operand> {
        match self.kind(id) {
            IdKind::Local => Ok(self.value(f, id, f.inside).map_or(Operand::Ahead(id), Operand::Value)),
            IdKind::Constant | IdKind::Undef => self.constant_operand(f, at, id),
            IdKind::Global => self.symbol_operand(f, at, id, "spirv.mlir.addressof", "variable"),
            IdKind::Spec => self.symbol_operand(f, at, id, "spirv.mlir.referenceof", "spec_const"),
            IdKind::String => {
                let text = self.string_of(id).map(|text| self.context.string(text));
                let Some(text) = text else { return Err(self.scan.stop().at(at, "an operand is missing")) };
                let attributes = self.context.dictionary_of(&mut [(self.name("value"), text)])?.into();
                let ty = self.context.ty(TypeData::None).into();
                let name = self.operation_name("spirv.OpString", false);
                Ok(Operand::Value(f.push(name, self.unknown, Some(attributes), None, &[], Some(ty))))
            }
            IdKind::None if self.scan.definition(id).is_some() => {
                Err(self.scan.stop().at(at, format!("its operand {id} is no value of this function")))
            }
            kind => Err(self.scan.stop().at(at, format!("its operand {id} is no value: {kind:?}"))),
        }
    }

    fn constant_operand(&mut self, f: &mut Function, at: u32, id: u32) -> Result<Operand> {
        let context = self.context;
        let Some((opcode, words)) = self.scan.defining(id) else {
            return Err(self.scan.stop().at(at, "an operand is missing"));
        };
        let ty: TypeRef = self.ty(at, words[1])?.into();
        self.used[id as usize] = true;
        let value = self.constants.value(id);
        let plain = self.constants.is_plain(id);
        let made = match value {
            Some(value) => {
                let extra = match plain {
                    true => None,
                    false => {
                        let tree = self.tree(at, id)?;
                        let entry = (self.name("spirv_binary.constant"), tree);
                        Some(context.dictionary_of(&mut [entry])?.into())
                    }
                };
                let properties = match self.constants.properties(id) {
                    Some(properties) => properties,
                    None => {
                        let entry = (self.name("value"), value);
                        let properties = context.dictionary_of(&mut [entry])?.into();
                        self.constants.set_properties(id, properties);
                        properties
                    }
                };
                let name = self.operation_name("spirv.Constant", true);
                f.push(name, self.unknown, extra, Some(properties), &[], Some(ty))
            }
            None => {
                let tree = self.tree(at, id)?;
                let is_undef = opcode == op::UNDEF;
                let said = self.is_said(id);
                if let Some(part) = self.replicated(id).filter(|_| opcode == op::CONSTANT_COMPOSITE_REPLICATE_EXT) {
                    let extra = match said {
                        true => Some(context.dictionary_of(&mut [(self.name("spirv_binary.constant"), tree)])?.into()),
                        false => None,
                    };
                    let properties = context.dictionary_of(&mut [(self.name("value"), part)])?.into();
                    let name = self.operation_name("spirv.EXT.ConstantCompositeReplicate", true);
                    return Ok(Operand::Value(f.push(name, self.unknown, extra, Some(properties), &[], Some(ty))));
                }
                let (name, extra) = match is_undef {
                    true => (self.operation_name("spirv.Undef", true), said.then_some("spirv_binary.constant")),
                    false if opcode == op::CONSTANT_NULL => {
                        (self.operation_name("spirv.ConstantNull", false), Some("value"))
                    }
                    false => (self.operation_name("spirv.ConstantComposite", false), Some("value")),
                };
                let attributes = match extra {
                    Some(extra) => Some(context.dictionary_of(&mut [(self.name(extra), tree)])?.into()),
                    None => None,
                };
                f.push(name, self.unknown, attributes, None, &[], Some(ty))
            }
        };
        Ok(Operand::Value(made))
    }

    fn symbol_operand(
        &mut self,
        f: &mut Function,
        at: u32,
        id: u32,
        name: &'static str,
        property: &'static str,
    ) -> Result<Operand> {
        let context = self.context;
        let Some((_, words)) = self.scan.defining(id) else {
            return Err(self.scan.stop().at(at, "an operand is missing"));
        };
        let ty: TypeRef = self.ty(at, words[1])?.into();
        let properties = match self.constants.properties(id) {
            Some(properties) => properties,
            None => {
                let entry = (self.name(property), self.symbol_ref(self.symbols[&id]));
                let properties = context.dictionary_of(&mut [entry])?.into();
                self.constants.set_properties(id, properties);
                properties
            }
        };
        let name = self.operation_name(name, true);
        Ok(Operand::Value(f.push(name, self.unknown, None, Some(properties), &[], Some(ty))))
    }

    /// A plain branch that no instruction stands for.
    pub(super) fn branch(&mut self, f: &mut Function, operands: &[Operand], target: BlockId) {
        let name = self.operation_name("spirv.Branch", true);
        f.push_branch(name, self.unknown, None, None, operands, &[target]);
    }

    /// The block of the body that a branch from one block to another goes to.
    fn target(&self, f: &Function, from: u32, to: u32) -> Option<BlockId> {
        let merged = f.flow.merged[to as usize];
        if merged != NONE && f.flow.holds(merged, from) && from != NONE {
            return f.operations[merged as usize].map(|(_, _, last)| last);
        }
        let headed = f.flow.headed[to as usize];
        match f.flow.constructs.get(headed as usize) {
            // A loop stands in its merge block.
            Some(of) if of.is_loop && !f.flow.holds(headed, from) => f.made[of.merge as usize],
            _ => f.made[to as usize],
        }
    }

    /// The operands of a terminator: its own, then for each successor what the phis there get from this block.
    pub(super) fn terminator_operands(&mut self, f: &mut Function, block: u32, at: u32) -> Result<Vec<Operand>> {
        let scan = self.scan;
        let (opcode, words) = scan.instruction(at);
        let mut operands = Vec::new();
        if matches!(opcode, op::BRANCH_CONDITIONAL | op::SWITCH) {
            operands.push(self.operand(f, at, words[1])?);
        }
        let label = f.flow.blocks[block as usize].label;
        for number in 0..f.flow.successors(block).len() {
            let to = f.flow.successors(block)[number];
            let (mut phi, last) = (f.flow.blocks[to as usize].first, f.flow.blocks[to as usize].last);
            while phi <= last {
                let (opcode, words) = scan.instruction(phi);
                match opcode {
                    op::PHI => {
                        let pairs = words.get(3..).unwrap_or_default();
                        let mut incoming = pairs.as_chunks::<2>().0.iter().filter(|pair| pair[1] == label);
                        let (Some(&[id, _]), None) = (incoming.next(), incoming.next()) else {
                            return Err(scan.stop().at(phi, format!("it has not one value for the block {label}")));
                        };
                        operands.push(self.operand(f, phi, id)?);
                    }
                    op::LINE | op::NO_LINE => {}
                    _ => break,
                }
                phi += words.len() as u32;
            }
        }
        Ok(operands)
    }

    /// How many phis a block has.
    fn phi_count(&self, f: &Function, block: u32) -> usize {
        super::structure::phis(self.scan, &f.flow.blocks[block as usize]).len()
    }

    /// Appends a terminator that branches.
    pub(super) fn terminator(
        &mut self,
        f: &mut Function,
        block: u32,
        at: u32,
        operands: &[Operand],
        attributes: Option<AttributeRef>,
    ) -> Result<()> {
        let scan = self.scan;
        let context = self.context;
        let (opcode, words) = scan.instruction(at);
        let line = self.last_line(f, block);
        let location = self.location(None, line);
        let mut targets = Vec::new();
        let mut counts = Vec::new();
        for &to in f.flow.successors(block) {
            let Some(target) = self.target(f, f.inside, to) else {
                return Err(scan.stop().at(at, "it leaves its construct"));
            };
            targets.push(target);
            counts.push(self.phi_count(f, to) as u32);
        }
        match opcode {
            op::BRANCH => {
                let name = self.operation_name("spirv.Branch", true);
                f.push_branch(name, location, attributes, None, operands, &targets);
            }
            op::BRANCH_CONDITIONAL => {
                let name = self.operation_name("spirv.BranchConditional", true);
                let weights = words.get(4..).unwrap_or_default();
                let mut properties =
                    vec![(self.name("operandSegmentSizes"), dense(context, &[1, counts[0], counts[1]]))];
                if !weights.is_empty() {
                    let weights = weights.iter().map(|&word| self.number(word)).collect();
                    let weights = self.array(weights);
                    properties.push((self.name("branch_weights"), weights));
                }
                let properties = context.dictionary_of(&mut properties)?.into();
                f.push_branch(name, location, attributes, Some(properties), operands, &targets);
            }
            _ => {
                let name = self.operation_name("spirv.Switch", true);
                let width = self.selector_words(words[1]).unwrap_or(1);
                let cases = words.get(3..).unwrap_or_default();
                let in_cases: u32 = counts[1..].iter().sum();
                let mut properties = vec![
                    (self.name("operandSegmentSizes"), dense(context, &[1, counts[0], in_cases])),
                    (self.name("case_operand_segments"), dense(context, &counts[1..])),
                ];
                if !cases.is_empty() {
                    let literals = self.case_literals(at, words[1], cases, width)?;
                    properties.push((self.name("literals"), literals));
                }
                let properties = context.dictionary_of(&mut properties)?.into();
                f.push_branch(name, location, attributes, Some(properties), operands, &targets);
            }
        }
        Ok(())
    }

    /// The literals of a switch: dense elements of the selector's type.
    fn case_literals(&mut self, at: u32, selector: u32, cases: &[u32], width: usize) -> Result<Attribute> {
        let context = self.context;
        let wrong = |_: Error| self.scan.stop().at(at, "the dialect has no such literals");
        let (_, words) = self.scan.defining(selector).unwrap_or_default();
        let element = self.types.get(words.get(1).copied().unwrap_or(0) as usize).copied().flatten();
        let Some(element) = element else { return Err(self.scan.stop().at(at, "its selector has no type")) };
        let bits = match context[element] {
            TypeData::Integer { width, .. } => width,
            _ => return Err(self.scan.stop().at(at, "its selector is no integer")),
        };
        let mut data = Vec::with_capacity(cases.len() * 4);
        for case in cases.chunks(width + 1) {
            let low = u64::from(case[0]);
            let number = if width == 2 { low | u64::from(case[1]) << 32 } else { low };
            let value = ApInt::from_u64(bits, number);
            let bytes = value.words().first().copied().unwrap_or(0).to_le_bytes();
            data.extend_from_slice(&bytes[..bits.div_ceil(8) as usize]);
        }
        let count = (cases.len() / (width + 1)) as i64;
        let ty = context.ty(TypeData::Vector { shape: [count].into(), scalable: Box::default(), element });
        let elements = AttributeData::dense_elements(context, ty, data.into()).map_err(wrong)?;
        Ok(context.attribute(elements))
    }

    /// The line in force at the end of a block.
    fn last_line(&self, f: &Function, block: u32) -> u32 {
        f.flow.blocks[block as usize].last_line
    }

    /// What is to be kept at the end of a block: the names and numbers of the block, a merge instruction, what is said of
    /// its phis.
    pub(super) fn block_notes(&mut self, f: &Function, block: u32) -> Result<Vec<NamedAttribute>> {
        let scan = self.scan;
        let context = self.context;
        let of = &f.flow.blocks[block as usize];
        let mut extras = Vec::new();
        if let Some(name) = scan.name(of.label) {
            extras.push((self.name("spirv_binary.label"), context.string(name)));
        }
        if !scan.notes(of.label).is_empty() {
            return Err(scan.stop().at(of.first, "its block is decorated"));
        }
        if let Some(&mark) = f.marks.get(&block) {
            extras.push((self.name("spirv_binary.block"), self.number(mark)));
        }
        if of.merge != 0 && f.flow.headed[block as usize] == NONE {
            let (opcode, words) = scan.instruction(of.merge);
            let labels = if opcode == op::LOOP_MERGE { 2 } else { 1 };
            let mut numbers = vec![u32::from(opcode)];
            for (at, &word) in words[1..].iter().enumerate() {
                if at < labels {
                    let mark = match self.kind(word) {
                        IdKind::Label => f.marks.get(&self.blocks[word as usize]),
                        _ => None,
                    };
                    let Some(&mark) = mark else {
                        return Err(scan.stop().at(of.merge, "it names no block of the function"));
                    };
                    numbers.push(mark);
                } else {
                    numbers.push(word);
                }
            }
            extras.push((self.name("spirv_binary.merge"), dense(context, &numbers)));
        }
        if f.flow.merged[block as usize] == NONE {
            self.argument_notes(f, block, &mut extras)?;
        }
        Ok(extras)
    }

    /// What is said of the phis of a block.
    pub(super) fn argument_notes(&mut self, f: &Function, block: u32, extras: &mut Vec<NamedAttribute>) -> Result<()> {
        let scan = self.scan;
        let ids = super::structure::phis(scan, &f.flow.blocks[block as usize]);
        if ids.iter().all(|&id| scan.notes(id).is_empty()) {
            return Ok(());
        }
        let mut list = Vec::with_capacity(ids.len());
        for id in ids {
            let notes = self.note_list(scan.definition(id).unwrap_or(0), id)?;
            list.push(notes.unwrap_or_else(|| self.context.unit()));
        }
        let list = self.array(list);
        extras.push((self.name("spirv_binary.arguments"), list));
        Ok(())
    }
}

/// Numbers as a dense array of 32 bits each.
pub(super) fn dense(context: &mlirbc_ir::Context, numbers: &[u32]) -> Attribute {
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    context.attribute(AttributeData::DenseArray { element: context.integer_type(32), data: data.into() })
}
