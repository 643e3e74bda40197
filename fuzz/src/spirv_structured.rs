//! SPIR-V binaries made of the grammar: every one of them reads, and comes back the same.

use arbitrary::{Result, Unstructured};
use mlirbc_spirv::grammar::{Instruction, Kind, Operand, OperandClass, Quantifier};

use crate::{Outcome, Random, Seed, spirv_read};

/// Inputs to begin with: bytes at random, few and many.
pub fn seeds() -> Vec<Seed> {
    (0..64).map(|number| (format!("{number:03}"), bytes(number))).collect()
}

fn bytes(number: u64) -> Vec<u8> {
    Random::new(number).bytes(30 << (number % 6))
}

/// The binaries that the seeds stand for.
pub(crate) fn binaries() -> Vec<Seed> {
    let binary = |number| Some((format!("{number:03}.spv"), binary(&bytes(number)).ok()?));
    (0..64).filter_map(binary).collect()
}

/// Builds a binary of the bytes, which must be accepted and come back.
pub fn run(data: &[u8]) -> Outcome {
    let Ok(binary) = binary(data) else { return Outcome::Refused };
    if let Err(error) = mlirbc_spirv::read(&mlirbc_dialects::context(), binary.clone()) {
        panic!("made by the grammar, and refused: {error}");
    }
    spirv_read::run(&binary)
}

/// The largest number of instructions.
const INSTRUCTIONS: usize = 80;

/// Builds a binary whose instructions have the operands that the grammar gives them.
fn binary(data: &[u8]) -> Result<Vec<u8>> {
    let mut builder = Builder { input: Unstructured::new(data), next: 1, words: Vec::new(), values: Vec::new() };
    let count = builder.below(INSTRUCTIONS)?;
    let big_endian = builder.below(16)? == 1;
    let header = [builder.input.arbitrary()?, builder.input.arbitrary::<u8>()?.into()];
    for _ in 0..count {
        builder.instruction()?;
    }
    let bound = builder.next + 1 + builder.below(4)? as u32;
    let [generator, minor]: [u32; 2] = header;
    let head = [0x0723_0203, 0x0001_0000 | (minor % 7) << 8, generator, bound, 0];
    let words = head.into_iter().chain(builder.words);
    Ok(words.flat_map(|word: u32| if big_endian { word.to_be_bytes() } else { word.to_le_bytes() }).collect())
}

struct Builder<'b> {
    input: Unstructured<'b>,
    /// The next id that is not defined.
    next: u32,
    words: Vec<u32>,
    /// Ids that are defined so far.
    values: Vec<u32>,
}

impl Builder<'_> {
    fn below(&mut self, end: usize) -> Result<usize> {
        self.input.int_in_range(0..=end - 1)
    }

    /// An id that is defined, or will be, or never is.
    fn id(&mut self) -> Result<u32> {
        Ok(match self.below(8)? {
            0 => 1 + self.below(self.next as usize)? as u32,
            _ if self.values.is_empty() => 1,
            _ => {
                let at = self.below(self.values.len())?;
                self.values[at]
            }
        })
    }

    fn instruction(&mut self) -> Result<()> {
        let start = self.words.len();
        self.words.push(0);
        // Now and then an unknown one, or the types and constants that others are read by.
        let opcode = match self.below(12)? {
            0 => {
                let unknown = 7_000 + self.below(60_000 - 7_000)? as u16;
                for _ in 0..self.below(6)? {
                    let word = self.input.arbitrary()?;
                    self.words.push(word);
                }
                unknown
            }
            kind => {
                let instruction = match kind {
                    1 => Instruction::find("TypeInt"),
                    2 => Instruction::find("TypeFloat"),
                    3 => Instruction::find("ExtInstImport"),
                    _ => None,
                };
                let all = Instruction::all();
                let instruction = match instruction {
                    Some(instruction) => instruction,
                    None => &all[self.below(all.len())?],
                };
                self.known(instruction)?;
                instruction.opcode
            }
        };
        // An instruction longer than its head can say is none.
        let length = self.words.len() - start;
        match u16::try_from(length) {
            Ok(length) => self.words[start] = u32::from(length) << 16 | u32::from(opcode),
            Err(_) => self.words.truncate(start),
        }
        Ok(())
    }

    fn known(&mut self, instruction: &Instruction) -> Result<()> {
        // How wide its literals are depends on types: those have a target of their own in the reader's tests.
        if instruction.has_type {
            let ty = self.id()?;
            self.words.push(ty);
        }
        if instruction.has_result {
            self.words.push(self.next);
            self.values.push(self.next);
            self.next += 1;
        }
        self.operands(&instruction.operands)
    }

    /// An operand that may be left out is the last one that is there, or has all of those behind it: else a reader takes
    /// the next one for it.
    fn operands(&mut self, operands: &[Operand]) -> Result<()> {
        for (at, operand) in operands.iter().enumerate() {
            let wanted = operands[at + 1..].iter().any(|operand| operand.quantifier == Quantifier::One);
            let times = match operand.quantifier {
                Quantifier::One => 1,
                Quantifier::Optional => self.below(2)?.max(wanted.into()),
                Quantifier::Variadic => self.below(4)?,
            };
            (0..times).try_for_each(|_| self.once(operand.kind))?;
            // One that may come again takes all that is left.
            if times == 0 || operand.quantifier == Quantifier::Variadic {
                break;
            }
        }
        Ok(())
    }

    fn once(&mut self, kind: Kind) -> Result<()> {
        match kind.class() {
            OperandClass::Id => self.push_id(),
            OperandClass::Word | OperandClass::Number => self.push_word(),
            OperandClass::String => {
                let length = self.below(10)?;
                let mut text: Vec<u8> = self.input.bytes(length)?.iter().map(|byte| (byte % 0x7f).max(1)).collect();
                text.push(0);
                text.resize(text.len().next_multiple_of(4), 0);
                let words = text.chunks_exact(4).filter_map(|word| word.try_into().ok()).map(u32::from_le_bytes);
                self.words.extend(words);
                Ok(())
            }
            // Without an operand of its own.
            OperandClass::ExtendedInstruction => {
                let number = 1 + self.below(100)? as u32;
                self.words.push(number);
                Ok(())
            }
            OperandClass::Opcode => {
                // `SNegate`, which takes one id.
                self.words.push(126);
                self.push_id()
            }
            OperandClass::Value | OperandClass::Mask => {
                let mask = kind.class() == OperandClass::Mask;
                let value = if mask { 1 << self.below(20)? } else { self.below(60)? as u32 };
                // What the grammar does not know has no parameters that it could know.
                self.words.push(value);
                self.operands(kind.parameters(if mask { value.trailing_zeros() } else { value }).unwrap_or_default())
            }
            OperandClass::PairNumberId => {
                self.push_word()?;
                self.push_id()
            }
            OperandClass::PairIdWord => {
                self.push_id()?;
                self.push_word()
            }
            OperandClass::PairIdId => {
                self.push_id()?;
                self.push_id()
            }
        }
    }

    fn push_id(&mut self) -> Result<()> {
        let id = self.id()?;
        self.words.push(id);
        Ok(())
    }

    fn push_word(&mut self) -> Result<()> {
        let word = self.input.arbitrary()?;
        self.words.push(word);
        Ok(())
    }
}
