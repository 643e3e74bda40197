//! One instruction and its operands.

use mlirbc_ir::{Body, Error, Module, OpId, OpView, Result, Value};

use crate::binary::dialect::UNKNOWN;
use crate::binary::dialect::source::Source;
use crate::binary::operands::{Apart, Sink, literal_words, wrong};
use crate::binary::words;
use crate::grammar::{Instruction, Kind, OperandClass};

/// One instruction of a module in its binary form.
#[derive(Clone, Copy)]
pub struct InstructionView<'m> {
    module: &'m Module,
    body: &'m Body,
    source: Option<&'m Source>,
    op: OpView<'m>,
    instruction: Option<&'static Instruction>,
}

/// An operand, and what the grammar calls it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Its kind; [`Kind::name`] is the grammar's word for it.
    pub kind: Kind,
    /// What it is.
    pub value: OperandValue,
}

/// What an operand is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OperandValue {
    /// An id.
    Id(Value),
    /// A number; one of several words is as many operands, the lowest first.
    Word(u32),
    /// An enumerant, or the bits of a mask: [`Kind::show`] has the name.
    Enumerant(u32),
    /// A string, without the zero that closes it.
    String(Box<[u8]>),
}

impl Operand {
    /// A number, the name of an enumerant or of the instruction inside `OpSpecConstantOp`, or the bytes of a string, what
    /// is no UTF-8 replaced; empty for an id.
    pub fn text(&self) -> String {
        match &self.value {
            OperandValue::Id(_) => String::new(),
            OperandValue::Word(word) if self.kind.class() == OperandClass::Opcode => {
                let inner = u16::try_from(*word).ok().and_then(Instruction::of);
                inner.map_or_else(|| word.to_string(), |inner| inner.name.to_owned())
            }
            OperandValue::Word(word) => word.to_string(),
            OperandValue::Enumerant(value) => self.kind.show(*value),
            OperandValue::String(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        }
    }
}

impl<'m> InstructionView<'m> {
    pub(super) fn new(module: &'m Module, body: &'m Body, source: Option<&'m Source>, op: OpView<'m>) -> Self {
        let instruction = Instruction::of_operation(module.context().operation_text(op.name()));
        InstructionView { module, body, source, op, instruction }
    }

    /// Its operation, a number in the module's body of instructions.
    pub fn op(self) -> OpId {
        self.op.id()
    }

    /// Its definition in the grammar; `None` where the grammar does not know its opcode.
    pub fn definition(self) -> Option<&'static Instruction> {
        self.instruction
    }

    /// Its name without `Op`: `TypeInt`. Of an opcode that the grammar does not know, `unknown`.
    pub fn name(self) -> &'static str {
        self.instruction.map_or("unknown", |instruction| instruction.name)
    }

    /// The value that it defines.
    pub fn result(self) -> Option<Value> {
        self.op.results().next()
    }

    /// The value that stands for the type of its result.
    pub fn result_type(self) -> Option<Value> {
        self.instruction.filter(|instruction| instruction.has_type)?;
        self.op.operands().first().copied()
    }

    /// The ids it uses, the type of its result first.
    pub fn ids(self) -> &'m [Value] {
        self.op.operands()
    }

    /// Its operands behind type and result, each by its kind. Of an opcode that the grammar does not know, its words, the
    /// opcode first.
    ///
    /// # Errors
    /// [`ErrorKind::Verification`](mlirbc_ir::ErrorKind::Verification) where the operation is no instruction as the
    /// grammar has it.
    pub fn operands(self) -> Result<Vec<Operand>> {
        let mut literals = Vec::new();
        literal_words(self.module, self.source, self.op, &mut literals)?;
        let mut collected = Collected(Vec::new());
        let Some(instruction) = self.instruction else {
            let text = self.module.context().operation_text(self.op.name());
            if text != UNKNOWN.as_bytes() || !self.op.operands().is_empty() {
                return Err(self.wrong("is no instruction"));
            }
            literals.iter().for_each(|&word| collected.word(Kind::LiteralInteger, word));
            return Ok(collected.0);
        };
        let operands = self.op.operands().get(usize::from(instruction.has_type)..).unwrap_or_default();
        let Self { module, body, source, .. } = self;
        let apart = Apart { module, body, source, operands, literals: &literals };
        match apart.walk(instruction, &mut collected) {
            (Ok(()), 0) => Ok(collected.0),
            (Ok(()), _) => Err(self.wrong("has more operands than the grammar has a place for")),
            (Err(missing), _) => Err(self.wrong(&format!("lacks an operand of kind {}", missing.0.name()))),
        }
    }

    fn wrong(self, what: &str) -> Error {
        wrong(self.module, self.op, what)
    }
}

/// Takes operands as they come.
struct Collected(Vec<Operand>);

impl Sink for Collected {
    fn id(&mut self, kind: Kind, value: Value) {
        self.0.push(Operand { kind, value: OperandValue::Id(value) });
    }

    fn word(&mut self, kind: Kind, word: u32) {
        let value = match kind.class() {
            OperandClass::Value | OperandClass::Mask => OperandValue::Enumerant(word),
            _ => OperandValue::Word(word),
        };
        self.0.push(Operand { kind, value });
    }

    fn string(&mut self, string: &[u32]) {
        let bytes = words::string(string).map(|(bytes, _)| bytes).unwrap_or_default();
        self.0.push(Operand { kind: Kind::LiteralString, value: OperandValue::String(bytes.into()) });
    }
}
