//! Making a module by hand.

use mlirbc_ir::{Context, Error, Module, Result};

use crate::binary::words::{self, HEADER, Header};
use crate::grammar::{Instruction, Kind, Missing, OperandClass, Set, Stream, walk};

/// Makes a SPIR-V module, instruction by instruction, in the order in which they are to stand. Operands go where the
/// grammar wants them, and enumerants go by name.
///
/// What the specification asks for beyond the grammar, such as the order of sections or what types agree, is not checked:
/// `spirv-val` does.
///
/// ```
/// use mlirbc_spirv::Builder;
///
/// # fn main() -> mlirbc_ir::Result<()> {
/// let mut build = Builder::new(1, 3);
/// build.append("Capability", &["Shader".into()])?;
/// build.append("MemoryModel", &["Logical".into(), "GLSL450".into()])?;
/// let main = build.id();
/// build.append("EntryPoint", &["GLCompute".into(), main.into(), "main".into()])?;
/// build.append("ExecutionMode", &[main.into(), "LocalSize".into(), 64.into(), 1.into(), 1.into()])?;
/// let void = build.result("TypeVoid", &[])?;
/// let signature = build.result("TypeFunction", &[void.into()])?;
/// build.define(main, "Function", &[void.into(), "None".into(), signature.into()])?;
/// build.result("Label", &[])?;
/// build.append("Return", &[])?;
/// build.append("FunctionEnd", &[])?;
///
/// let module = build.finish(&mlirbc_ir::Context::new())?;
/// assert!(mlirbc_spirv::is_spirv(&mlirbc_spirv::write(&module)?));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    header: Header,
    words: Vec<u32>,
}

/// An id of a module that is being made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Id(u32);

impl Id {
    /// Its number.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// An operand of an instruction that is being made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Argument<'a> {
    /// An id.
    Id(Id),
    /// A word: a number, or an enumerant by number. A number of 64 bits is two, the low one first.
    Word(u32),
    /// A string where the grammar wants one, else the name of an enumerant or of bits: `Volatile|Aligned`.
    Text(&'a str),
}

impl From<Id> for Argument<'_> {
    fn from(id: Id) -> Self {
        Argument::Id(id)
    }
}

impl From<u32> for Argument<'_> {
    fn from(word: u32) -> Self {
        Argument::Word(word)
    }
}

impl<'a> From<&'a str> for Argument<'a> {
    fn from(text: &'a str) -> Self {
        Argument::Text(text)
    }
}

impl Builder {
    /// A module of that version of SPIR-V, with nothing in it yet.
    pub fn new(major: u8, minor: u8) -> Self {
        let version = u32::from(major) << 16 | u32::from(minor) << 8;
        let header = Header { version, generator: 0, bound: 1, schema: 0, big_endian: false };
        Builder { header, words: vec![0; HEADER] }
    }

    /// Says which tool makes the module: its number in the registry of SPIR-V generators, times 65,536, plus its version.
    #[must_use]
    pub fn generator(mut self, generator: u32) -> Self {
        self.header.generator = generator;
        self
    }

    /// An id that is not in use yet: for what is used before it is defined.
    pub fn id(&mut self) -> Id {
        let id = Id(self.header.bound);
        self.header.bound = self.header.bound.saturating_add(1);
        id
    }

    /// Appends an instruction without a result, by its name without `Op`.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](mlirbc_ir::ErrorKind::Misuse) where the grammar has no such instruction, it has a result, or
    /// its operands are others.
    pub fn append(&mut self, name: &str, arguments: &[Argument<'_>]) -> Result<()> {
        self.instruction(name, None, arguments)
    }

    /// Appends an instruction with a result, by its name without `Op`, and gives its new id. Where it has a type, that is
    /// the first argument.
    ///
    /// # Errors
    /// As [`Builder::append`], where it has no result.
    pub fn result(&mut self, name: &str, arguments: &[Argument<'_>]) -> Result<Id> {
        let id = self.id();
        self.define(id, name, arguments).map(|()| id)
    }

    /// As [`Builder::result`], with an id of [`Builder::id`].
    ///
    /// # Errors
    /// As [`Builder::result`].
    pub fn define(&mut self, id: Id, name: &str, arguments: &[Argument<'_>]) -> Result<()> {
        self.instruction(name, Some(id), arguments)
    }

    fn instruction(&mut self, name: &str, result: Option<Id>, arguments: &[Argument<'_>]) -> Result<()> {
        let wrong = |what: &str| Error::misuse(format!("Op{name} {what}"));
        let instruction = Instruction::find(name).ok_or_else(|| wrong("is no instruction of the grammar"))?;
        if instruction.has_result != result.is_some() {
            return Err(wrong(if instruction.has_result { "has a result" } else { "has no result" }));
        }
        let mut words = vec![0];
        let mut arguments = arguments;
        if instruction.has_type {
            let Some((&Argument::Id(ty), rest)) = arguments.split_first() else {
                return Err(wrong("needs the id of its result's type first"));
            };
            words.push(ty.0);
            arguments = rest;
        }
        words.extend(result.map(|id| id.0));
        let mut given = Given { arguments, words: &mut words };
        match walk(&instruction.operands, &mut given) {
            Ok(()) => {}
            Err(Missing(kind)) => {
                let at = arguments.len() - given.arguments.len() + 1;
                return Err(wrong(&format!("needs an operand of kind {} as number {at}", kind.name())));
            }
        }
        let count = u16::try_from(words.len()).map_err(|_| wrong("is longer than 65535 words"))?;
        words[0] = u32::from(count) << 16 | u32::from(instruction.opcode);
        self.words.append(&mut words);
        Ok(())
    }

    /// The words of the module.
    pub fn into_words(mut self) -> Vec<u32> {
        self.words[..HEADER].copy_from_slice(&self.header.words());
        self.words
    }

    /// The bytes of the module, in little-endian words.
    pub fn into_bytes(self) -> Vec<u8> {
        words::to_bytes(&mut self.into_words(), false)
    }

    /// The module in its binary form.
    ///
    /// # Errors
    /// As [`read`](crate::read()): where an id is defined twice.
    pub fn finish(self, context: &Context) -> Result<Module> {
        crate::read(context, self.into_bytes())
    }
}

struct Given<'g> {
    arguments: &'g [Argument<'g>],
    words: &'g mut Vec<u32>,
}

impl<'g> Given<'g> {
    fn next(&mut self, kind: Kind) -> Result<Argument<'g>, Missing> {
        let (&next, rest) = self.arguments.split_first().ok_or(Missing(kind))?;
        self.arguments = rest;
        Ok(next)
    }
}

impl Stream for Given<'_> {
    fn left(&self) -> usize {
        self.arguments.len()
    }

    fn id(&mut self, kind: Kind) -> Result<(), Missing> {
        match self.arguments.split_first() {
            Some((&Argument::Id(id), rest)) => {
                self.arguments = rest;
                self.words.push(id.0);
                Ok(())
            }
            _ => Err(Missing(kind)),
        }
    }

    fn word(&mut self, kind: Kind) -> Result<u32, Missing> {
        let word = match self.arguments.first() {
            Some(&Argument::Word(word)) => word,
            Some(&Argument::Text(text)) => match kind.class() {
                OperandClass::Value => kind.parse(text).ok_or(Missing(kind))?,
                OperandClass::Mask => {
                    text.split('|').try_fold(0, |bits, name| Some(bits | kind.parse(name)?)).ok_or(Missing(kind))?
                }
                OperandClass::Opcode => Instruction::find(text).ok_or(Missing(kind))?.opcode.into(),
                _ => return Err(Missing(kind)),
            },
            _ => return Err(Missing(kind)),
        };
        self.next(kind)?;
        self.words.push(word);
        Ok(word)
    }

    fn string(&mut self) -> Result<(), Missing> {
        match self.arguments.first() {
            Some(&Argument::Text(text)) if !text.as_bytes().contains(&0) => {
                words::push_string(self.words, text.as_bytes());
                self.next(Kind::LiteralString).map(drop)
            }
            _ => Err(Missing(Kind::LiteralString)),
        }
    }

    fn set(&mut self) -> Set {
        // Ids and words say themselves which they are.
        match self.arguments.first() {
            Some(Argument::Id(_)) | None => Set::Ids,
            _ => Set::Unknown,
        }
    }

    fn literal_width(&mut self) -> Option<usize> {
        let width = self.arguments.iter().position(|argument| matches!(argument, Argument::Id(_)))?;
        (width > 0).then_some(width)
    }
}
