//! Instructions of functions: a twin of `raise/instructions.rs`.

use mlirbc_ir::{Body, Error, OpId, OperationName, Result};

use super::blocks::Blocks;
use super::{Lowerer, close};
use crate::binary::words;
use crate::dialect::EnumKind;
use crate::dialect::attributes;
use crate::forms::{InstructionForm, Kind, Slot, forms};
use crate::grammar::{Instruction, Missing, Set, Stream, walk};
use crate::op;

impl<'m> Lowerer<'m> {
    /// What operations of that name are written as.
    #[inline]
    pub(super) fn kind(&mut self, name: OperationName) -> Kind {
        match self.kinds.get(name.raw() as usize) {
            Some(&Some(kind)) => kind,
            _ => self.find_kind(name),
        }
    }

    #[cold]
    fn find_kind(&mut self, name: OperationName) -> Kind {
        let kind = forms().named(self.context.operation_text(name)).unwrap_or(Kind::Unknown);
        let at = name.raw() as usize;
        if at >= self.kinds.len() {
            self.kinds.resize(at + 32, None);
        }
        self.kinds[at] = Some(kind);
        kind
    }

    /// The id of an operation that stands for something outside of functions; `None` for all others.
    pub(super) fn hoisted(&mut self, body: &Body, op: OpId, kind: Kind) -> Result<Option<u32>> {
        let symbol = match kind {
            Kind::Constant | Kind::Tree | Kind::Undef | Kind::Replicate => {
                return self.constant_id(body, op, kind).map(Some);
            }
            Kind::Text => {
                let text = self.given(body, op)?.find("value");
                return match text.and_then(|text| self.context.as_identifier(text)) {
                    Some(text) => self.file(text).map(Some),
                    None => Err(self.wrong(body, op, "has no value")),
                };
            }
            Kind::AddressOf => "variable",
            Kind::ReferenceOf => "spec_const",
            _ => return Ok(None),
        };
        let given = self.given(body, op)?;
        let symbol = given.find(symbol).and_then(|symbol| self.symbol_of(symbol));
        let Some(symbol) = symbol else { return Err(self.wrong(body, op, "names no symbol")) };
        self.symbol(symbol).map(Some)
    }

    fn constant_id(&mut self, body: &Body, op: OpId, kind: Kind) -> Result<u32> {
        let given = self.given(body, op)?;
        let said = self.entry(given.attributes, "spirv_binary.constant");
        let Some(result) = body.result(op, 0) else { return Err(self.wrong(body, op, "has no result")) };
        let ty = self.module.ty(body.ty(result))?;
        let is_tree = said.is_some_and(|said| match &self.context[said] {
            mlirbc_ir::AttributeData::Dictionary(entries) => self.entry(entries, "replicated").is_some(),
            _ => false,
        });
        if kind == Kind::Replicate && !is_tree {
            let Some(part) = given.find("value") else { return Err(self.wrong(body, op, "has no value")) };
            return self.replicated(ty, part, said);
        }
        if let Some(tree) = said {
            return self.tree(tree);
        }
        if kind == Kind::Undef {
            return self.undefined(ty);
        }
        let Some(value) = given.find("value") else { return Err(self.wrong(body, op, "has no value")) };
        match kind {
            Kind::Tree => self.tree(value),
            _ => self.constant(ty, value),
        }
    }

    /// Whether the operand of an operation is of another type than its result, and of the same one in the binary, `ty`: there, an integer without
    /// a sign is as one without negatives.
    fn becomes_one(&mut self, body: &Body, op: OpId, ty: u32) -> Result<bool> {
        let (Some(&operand), Some(result)) = (body.operands(op).first(), body.result(op, 0)) else { return Ok(false) };
        let (was, is) = (self.module.ty(body.ty(operand))?, self.module.ty(body.ty(result))?);
        Ok(was != is && self.ty(was)? == ty)
    }

    /// Writes an operation.
    pub(super) fn operation(&mut self, f: &mut Blocks<'m>, op: OpId, kind: Kind) -> Result<()> {
        let body = f.body;
        match kind {
            Kind::Branch | Kind::BranchConditional | Kind::Switch => return self.branch(f, op, kind),
            Kind::Constant
            | Kind::Tree
            | Kind::Undef
            | Kind::Replicate
            | Kind::Text
            | Kind::AddressOf
            | Kind::ReferenceOf => {
                if let Some(id) = self.hoisted(body, op, kind)?
                    && let Some(result) = body.result(op, 0)
                {
                    f.ids[result.index()] = id;
                }
                return Ok(());
            }
            Kind::Merge => return Err(self.wrong(body, op, "stands where no construct ends")),
            Kind::Unknown => return Err(self.wrong(body, op, "is no instruction")),
            _ => {}
        }
        let origin = match body.location(op) {
            location if location == self.unknown => Default::default(),
            location => self.origin(location)?,
        };
        let is_last = body.next_operation(op).is_none();
        // A header may go nowhere: that of a construct that nothing leaves by its end.
        if !is_last || !self.merges(f, op)? {
            self.line(f, origin)?;
        }
        let has_type = match kind {
            Kind::Form(form, _) => form.instruction.has_type,
            Kind::Raw(instruction) => instruction.has_type,
            _ => true,
        };
        let mut results = body.results(op);
        let result = results.next();
        if results.next().is_some() || result.is_some() && !has_type {
            return Err(self.wrong(body, op, "has more results than its instruction"));
        }
        let ty = match (result, has_type) {
            (Some(result), _) => {
                let ty = self.module.ty(body.ty(result))?;
                self.ty(ty)?
            }
            (None, true) => self.void()?,
            (None, false) => 0,
        };
        let at = f.code.len();
        f.code.push(0);
        let mut id = 0;
        if has_type {
            id = match result {
                Some(result) if f.ids[result.index()] != 0 => f.ids[result.index()],
                _ => self.fresh()?,
            };
            if let Some(result) = result {
                f.ids[result.index()] = id;
            }
            f.code.extend([ty, id]);
        }
        let opcode = match kind {
            Kind::Form(form, slots) => {
                self.in_slots(f, op, slots, form)?;
                match form.instruction.opcode {
                    // What casts no bits is a copy.
                    op::BITCAST if self.becomes_one(body, op, ty)? => op::COPY_OBJECT,
                    opcode => opcode,
                }
            }
            Kind::Raw(instruction) => {
                let given = self.given(body, op)?;
                let literals = match given.find("literals") {
                    Some(literals) => self
                        .numbers(literals)
                        .ok_or_else(|| self.wrong(body, op, "has `literals` that are not integers"))?,
                    None => Vec::new(),
                };
                let mut ids = Vec::with_capacity(body.operands(op).len());
                for &operand in body.operands(op) {
                    ids.push(f.id(self, operand)?);
                }
                let put = self.put(instruction.opcode, &ids, &literals, &mut f.code);
                put.map_err(|_| self.wrong(body, op, "has other operands than its instruction"))?;
                instruction.opcode
            }
            Kind::Extended(extended) => {
                let set = self.set(self.context.static_identifier(extended.set))?;
                f.code.extend([set, extended.number]);
                self.push_ids(f, op)?;
                let given = self.given(body, op)?;
                let literals = given.find("literals").map_or(Some(Vec::new()), |literals| self.numbers(literals));
                let wanted = Set::of(extended.set.as_bytes()).literals(extended.number);
                let literals = literals.filter(|literals| wanted.is_none_or(|wanted| wanted == literals.len()));
                f.code
                    .extend(literals.ok_or_else(|| self.wrong(body, op, "has other `literals` than its instruction"))?);
                op::EXT_INST
            }
            Kind::OtherExtended => {
                let given = self.given(body, op)?;
                let set = given.find("set").and_then(|set| self.context.as_identifier(set));
                let number = given.find("instruction").and_then(|number| self.number(number));
                let (Some(set), Some(number)) = (set, number) else {
                    return Err(self.wrong(body, op, "names no instruction of a set"));
                };
                let set = self.set(set)?;
                f.code.extend([set, number]);
                self.push_ids(f, op)?;
                op::EXT_INST
            }
            Kind::Variable => {
                let given = self.given(body, op)?;
                let Some(class) = self.enumerant(&given, "storage_class", EnumKind::StorageClass) else {
                    return Err(self.wrong(body, op, "has no storage class"));
                };
                f.code.push(class);
                self.push_ids(f, op)?;
                op::VARIABLE
            }
            _ => {
                let given = self.given(body, op)?;
                let callee = given.find("callee").and_then(|callee| self.symbol_of(callee));
                let Some(callee) = callee else { return Err(self.wrong(body, op, "calls nothing")) };
                let callee = self.symbol(callee)?;
                f.code.push(callee);
                self.push_ids(f, op)?;
                op::FUNCTION_CALL
            }
        };
        close(&mut f.code[..], at, opcode)?;
        if let (Some(name), true) = (origin.name, has_type) {
            self.name(id, self.context.bytes(name))?;
        }
        if body.attributes(op).is_some() && has_type {
            let given = self.given(body, op)?;
            self.decorate_as(id, given.attributes)?;
        }
        if is_last {
            f.end();
        }
        Ok(())
    }

    fn push_ids(&mut self, f: &mut Blocks<'m>, op: OpId) -> Result<()> {
        let body = f.body;
        for &operand in body.operands(op) {
            let id = f.id(self, operand)?;
            f.code.push(id);
        }
        Ok(())
    }

    /// Appends the operands of an operation of MLIR.
    fn in_slots(
        &mut self,
        f: &mut Blocks<'m>,
        op: OpId,
        slots: &'static [Slot],
        form: &'static InstructionForm,
    ) -> Result<()> {
        if let [Slot::Ids] = slots {
            return self.push_ids(f, op);
        }
        let body = f.body;
        let context = self.context;
        let given = self.given(body, op)?;
        let mut operands = body.operands(op).iter();
        let mut constants: &[mlirbc_ir::Attribute] = match self.entry(given.attributes, "spirv_binary.constants") {
            Some(trees) => self.items(trees).unwrap_or_default(),
            None => &[],
        };
        let lacks = |this: &Self, name: &str| this.wrong(body, op, &format!("lacks `{name}`"));
        for slot in slots {
            match *slot {
                Slot::Id => {
                    let Some(&operand) = operands.next() else { return Err(lacks(self, "an operand")) };
                    let id = f.id(self, operand)?;
                    f.code.push(id);
                }
                Slot::Ids => {
                    for &operand in operands.by_ref() {
                        let id = f.id(self, operand)?;
                        f.code.push(id);
                    }
                }
                Slot::Constant(name, kind) => {
                    let number = self.enumerant(&given, name, kind).ok_or_else(|| lacks(self, name))?;
                    let id = match constants.split_first() {
                        Some((&tree, rest)) => {
                            constants = rest;
                            self.tree(tree)?
                        }
                        None => self.word_constant(number)?,
                    };
                    f.code.push(id);
                }
                Slot::Enumerant(name, kind) => {
                    let number = self.enumerant(&given, name, kind).ok_or_else(|| lacks(self, name))?;
                    f.code.push(number);
                }
                Slot::Optional(name, kind) => {
                    if let Some(value) = given.find(name) {
                        let number = attributes::enumerant_of(context, value, kind).ok_or_else(|| lacks(self, name))?;
                        f.code.push(number);
                    }
                }
                Slot::Image(name) => {
                    if let Some(value) = given.find(name) {
                        let mask = attributes::enumerant_of(context, value, EnumKind::ImageOperands);
                        f.code.push(mask.ok_or_else(|| lacks(self, name))?);
                        for &operand in operands.by_ref() {
                            let id = f.id(self, operand)?;
                            f.code.push(id);
                        }
                    }
                }
                Slot::Memory(name, alignment) => {
                    if let Some(value) = given.find(name) {
                        let mask = attributes::enumerant_of(context, value, EnumKind::MemoryAccess);
                        f.code.push(mask.ok_or_else(|| lacks(self, name))?);
                        if let Some(value) = given.find(alignment) {
                            f.code.push(self.number(value).ok_or_else(|| lacks(self, alignment))?);
                        }
                    }
                }
                Slot::Numbers(name) => {
                    let numbers = given.find(name).and_then(|numbers| self.numbers(numbers));
                    f.code.extend(numbers.ok_or_else(|| lacks(self, name))?);
                }
                Slot::Type(name) => {
                    let ty = given.find(name).and_then(|ty| self.ty_of(ty)).ok_or_else(|| lacks(self, name))?;
                    let id = self.ty(ty)?;
                    f.code.push(id);
                }
            }
        }
        if operands.next().is_some() {
            return Err(self.wrong(body, op, &format!("has more operands than Op{}", form.instruction.name)));
        }
        Ok(())
    }

    /// Appends ids and literals as the grammar has them.
    pub(super) fn put(&self, opcode: u16, ids: &[u32], literals: &[u32], into: &mut Vec<u32>) -> Result<()> {
        let Some(instruction) = Instruction::of(opcode) else { return Err(Error::verification("no such instruction")) };
        let mut put = Put { ids, literals, into };
        match walk(&instruction.operands, &mut put) {
            Ok(()) if put.ids.is_empty() && put.literals.is_empty() => Ok(()),
            _ => Err(Error::verification("other operands than the grammar's")),
        }
    }
}

/// Puts ids and literals where they belong.
struct Put<'p> {
    ids: &'p [u32],
    literals: &'p [u32],
    into: &'p mut Vec<u32>,
}

impl Stream for Put<'_> {
    fn left(&self) -> usize {
        self.ids.len() + self.literals.len()
    }

    fn id(&mut self, kind: crate::grammar::Kind) -> std::result::Result<(), Missing> {
        let (&id, rest) = self.ids.split_first().ok_or(Missing(kind))?;
        self.ids = rest;
        self.into.push(id);
        Ok(())
    }

    fn word(&mut self, kind: crate::grammar::Kind) -> std::result::Result<u32, Missing> {
        let (&word, rest) = self.literals.split_first().ok_or(Missing(kind))?;
        self.literals = rest;
        self.into.push(word);
        Ok(word)
    }

    fn string(&mut self) -> std::result::Result<(), Missing> {
        let missing = Missing(crate::grammar::Kind::LiteralString);
        let count = words::string_words(self.literals).ok_or(missing)?;
        let (string, rest) = self.literals.split_at(count);
        self.into.extend_from_slice(string);
        self.literals = rest;
        Ok(())
    }

    fn set(&mut self) -> Set {
        Set::Unknown
    }

    fn literal_width(&mut self) -> Option<usize> {
        None
    }
}
