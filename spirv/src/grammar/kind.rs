//! Kinds of operands, and the enumerants of those that are enums.

use std::str::FromStr;
use std::sync::OnceLock;

use rspirv::binary::Disassemble;
use rspirv::grammar::OperandKind;
use rspirv::{dr, spirv};

use super::{Operand, Quantifier};

/// What an operand's words are to the grammar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandClass {
    /// One id.
    Id,
    /// One word: a number.
    Word,
    /// One word or more: a number as wide as its type says, to the end of the instruction.
    Number,
    /// A string: UTF-8, closed by a zero, filled up with zeros to a whole word.
    String,
    /// One word: the number of an instruction of an extended set; that instruction's operands follow.
    ExtendedInstruction,
    /// One word: an opcode; that opcode's operands follow.
    Opcode,
    /// One word: an enumerant; its parameters follow.
    Value,
    /// One word: bits, each with a meaning; the parameters of those that are set follow, lowest bit first.
    Mask,
    /// A number as wide as the selector, then an id.
    PairNumberId,
    /// An id, then one word.
    PairIdWord,
    /// Two ids.
    PairIdId,
}

macro_rules! kinds {
    (plain { $($plain:ident $class:ident,)* } values { $($value:ident,)* } masks { $($mask:ident,)* }) => {
        /// The kind of an operand, as the grammar of SPIR-V names it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(clippy::upper_case_acronyms)]
        #[repr(u8)]
        pub enum Kind {
            $(#[doc = concat!("`", stringify!($plain), "`.")] $plain,)*
            $(#[doc = concat!("An enumerant of `", stringify!($value), "`.")] $value,)*
            $(#[doc = concat!("Bits of `", stringify!($mask), "`.")] $mask,)*
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &[Kind] = &[$(Kind::$plain,)* $(Kind::$value,)* $(Kind::$mask,)*];

            /// The name in the grammar.
            pub fn name(self) -> &'static str {
                match self {
                    $(Kind::$plain => stringify!($plain),)*
                    $(Kind::$value => stringify!($value),)*
                    $(Kind::$mask => stringify!($mask),)*
                }
            }

            /// What its words are.
            pub fn class(self) -> OperandClass {
                match self {
                    $(Kind::$plain => OperandClass::$class,)*
                    $(Kind::$value => OperandClass::Value,)*
                    $(Kind::$mask => OperandClass::Mask,)*
                }
            }

            /// The kind that `rspirv` calls so. Enums of extended sets, which have no parameters, are integers.
            pub(super) fn of(kind: OperandKind) -> Self {
                match kind {
                    $(OperandKind::$plain => Kind::$plain,)*
                    $(OperandKind::$value => Kind::$value,)*
                    $(OperandKind::$mask => Kind::$mask,)*
                    _ => Kind::LiteralInteger,
                }
            }

            /// The name of an enumerant or of one bit.
            fn single_name(self, value: u32) -> Option<String> {
                match self {
                    $(Kind::$value => {
                        let name = format!("{:?}", spirv::$value::from_u32(value)?);
                        Some(if self == Kind::Dim { name[3..].to_owned() } else { name })
                    })*
                    $(Kind::$mask => {
                        let name = spirv::$mask::from_bits(value)?.disassemble();
                        Some(if name.is_empty() { "None".to_owned() } else { name })
                    })*
                    _ => None,
                }
            }

            /// The enumerant of that name, where the kind is no mask.
            fn enumerant(self, name: &str) -> Option<u32> {
                match self {
                    $(Kind::$value => spirv::$value::from_str(name).ok().map(|value| value as u32),)*
                    _ => None,
                }
            }

            /// The capabilities one of which an enumerant or a bit needs; `None` where the grammar does not know it.
            fn capabilities(self, value: u32) -> Option<Vec<u32>> {
                let found = match self {
                    $(Kind::$value => dr::Operand::$value(spirv::$value::from_u32(value)?).required_capabilities(),)*
                    $(Kind::$mask => dr::Operand::$mask(spirv::$mask::from_bits(value)?).required_capabilities(),)*
                    _ => return None,
                };
                Some(found.into_iter().map(|capability| capability as u32).collect())
            }

            /// The operands that the grammar puts behind an enumerant or a bit; `None` where it does not know that.
            fn grammar_parameters(self, value: u32) -> Option<Vec<rspirv::grammar::LogicalOperand>> {
                Some(match self {
                    $(Kind::$value => dr::Operand::$value(spirv::$value::from_u32(value)?).additional_operands(),)*
                    $(Kind::$mask => dr::Operand::$mask(spirv::$mask::from_bits(value)?).additional_operands(),)*
                    _ => return None,
                })
            }
        }
    };
}

kinds! {
    plain {
        IdRef Id, IdMemorySemantics Id, IdScope Id, IdResultType Id, IdResult Id,
        LiteralInteger Word, LiteralFloat Word, LiteralString String, LiteralContextDependentNumber Number,
        LiteralExtInstInteger ExtendedInstruction, LiteralSpecConstantOpInteger Opcode,
        PairLiteralIntegerIdRef PairNumberId, PairIdRefLiteralInteger PairIdWord, PairIdRefIdRef PairIdId,
    }
    values {
        SourceLanguage, ExecutionModel, AddressingModel, MemoryModel, ExecutionMode, StorageClass, Dim,
        SamplerAddressingMode, SamplerFilterMode, ImageFormat, ImageChannelOrder, ImageChannelDataType, FPRoundingMode,
        FPDenormMode, QuantizationModes, FPOperationMode, OverflowModes, LinkageType, AccessQualifier,
        HostAccessQualifier, FunctionParameterAttribute, Decoration, BuiltIn, Scope, GroupOperation,
        KernelEnqueueFlags, Capability, RayQueryIntersection, RayQueryCommittedIntersectionType,
        RayQueryCandidateIntersectionType, PackedVectorFormat, CooperativeMatrixLayout, CooperativeMatrixUse,
        TensorClampMode, InitializationModeQualifier, LoadCacheControl, StoreCacheControl,
        NamedMaximumNumberOfRegisters, FPEncoding, CooperativeVectorMatrixLayout, ComponentType,
    }
    masks {
        ImageOperands, FPFastMathMode, SelectionControl, LoopControl, FunctionControl, MemorySemantics, MemoryAccess,
        KernelProfilingInfo, RayFlags, FragmentShadingRate, RawAccessChainOperands, CooperativeMatrixOperands,
        CooperativeMatrixReduce, TensorAddressingOperands, MatrixMultiplyAccumulateOperands, TensorOperands,
    }
}

/// What the grammar knows of the enumerants of one kind.
struct Enumerants {
    /// By enumerant, or by the number of the bit: which list of parameters, or [`UNKNOWN`].
    lists: Vec<u16>,
    parameters: Vec<Box<[Operand]>>,
    /// By list: how many words it is, where it is words alone, each once; else [`UNKNOWN`].
    plain: Vec<u16>,
}

const UNKNOWN: u16 = u16::MAX;

/// No grammar has larger enumerants.
const LARGEST: u32 = 1 << 13;

impl Enumerants {
    fn of(kind: Kind) -> &'static Self {
        static TABLES: [OnceLock<Enumerants>; Kind::ALL.len()] = [const { OnceLock::new() }; Kind::ALL.len()];
        TABLES[kind as usize].get_or_init(|| {
            let mut table = Enumerants { lists: Vec::new(), parameters: vec![Box::default()], plain: vec![0] };
            let values: Box<dyn Iterator<Item = u32>> = match kind.class() {
                OperandClass::Mask => Box::new((0..32).map(|bit| 1 << bit)),
                _ => Box::new(0..LARGEST),
            };
            for value in values {
                let list = match kind.grammar_parameters(value) {
                    None => UNKNOWN,
                    Some(list) if list.is_empty() => 0,
                    Some(list) => {
                        let list: Box<[Operand]> = list.iter().map(Operand::of).collect();
                        let plain =
                            list.iter().all(|operand| operand.quantifier == Quantifier::One && operand.kind.is_plain());
                        table.plain.push(if plain { list.len() as u16 } else { UNKNOWN });
                        table.parameters.push(list);
                        table.parameters.len() as u16 - 1
                    }
                };
                table.lists.push(list);
            }
            while table.lists.last() == Some(&UNKNOWN) {
                table.lists.pop();
            }
            table
        })
    }

    fn get(&self, at: u32) -> Option<&[Operand]> {
        let list = *self.lists.get(at as usize)?;
        self.parameters.get(usize::from(list)).map(|list| &**list)
    }
}

impl Kind {
    /// The kind of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The operands behind an enumerant, or behind the bit of that number; `None` where the grammar does not know it.
    pub fn parameters(self, at: u32) -> Option<&'static [Operand]> {
        Enumerants::of(self).get(at)
    }

    /// How many words the parameters of an enumerant are, where they are words alone. An enumerant that the grammar does
    /// not know has none; of a mask, that is only said where no bit is set.
    #[inline]
    pub(crate) fn plain_parameters(self, value: u32) -> Option<usize> {
        if self as u8 >= Kind::ImageOperands as u8 {
            return if value == 0 { Some(0) } else { None };
        }
        let table = Enumerants::of(self);
        match table.lists.get(value as usize) {
            None | Some(&UNKNOWN) => Some(0),
            Some(&list) => {
                Some(*table.plain.get(usize::from(list))?).filter(|&plain| plain != UNKNOWN).map(usize::from)
            }
        }
    }

    /// Of every enumerant or bit the capabilities one of which it needs.
    pub(crate) fn needs(self) -> impl Iterator<Item = (u32, Vec<u32>)> {
        let values: Box<dyn Iterator<Item = u32>> = match self.class() {
            OperandClass::Mask => Box::new((0..32).map(|bit| 1 << bit)),
            _ => Box::new(0..LARGEST),
        };
        values.filter_map(move |value| Some((value, self.capabilities(value)?)))
    }

    /// The name of an enumerant; of a mask, the names of its bits with `|` between them. What has no name is a number.
    pub fn show(self, value: u32) -> String {
        match self.class() {
            OperandClass::Value => self.single_name(value).unwrap_or_else(|| value.to_string()),
            OperandClass::Mask if value == 0 => "None".to_owned(),
            OperandClass::Mask => {
                let bits = (0..32).map(|bit| 1 << bit).filter(|bit| value & bit != 0);
                let (mut names, mut unnamed) = (Vec::new(), 0);
                for bit in bits {
                    match self.single_name(bit) {
                        Some(name) => names.push(name),
                        None => unnamed |= bit,
                    }
                }
                if unnamed != 0 {
                    names.push(unnamed.to_string());
                }
                names.join("|")
            }
            _ => value.to_string(),
        }
    }

    /// What [`Kind::show`] shows so: one name or number; a mask is several of them, or-ed.
    pub fn parse(self, name: &str) -> Option<u32> {
        if let Ok(number) = name.parse() {
            return Some(number);
        }
        match self.class() {
            OperandClass::Mask if name == "None" => Some(0),
            OperandClass::Mask => {
                (0..32).map(|bit| 1 << bit).find(|&bit| self.single_name(bit).as_deref() == Some(name))
            }
            // `spirv` writes `Dim2D` for what the specification calls `2D`.
            _ if self == Kind::Dim => self.enumerant(name).or_else(|| self.enumerant(&format!("Dim{name}"))),
            _ => self.enumerant(name),
        }
    }
}

impl Kind {
    /// Whether it is one word that nothing follows.
    pub(super) fn is_plain(self) -> bool {
        match self.class() {
            OperandClass::Word => true,
            OperandClass::Value | OperandClass::Mask => !self.has_parameters(),
            _ => false,
        }
    }

    /// Whether an enumerant or bit of the kind has parameters.
    pub(crate) fn has_parameters(self) -> bool {
        use Kind::*;
        // Said here, so that laying out the grammar need not look at every enumerant; a test compares.
        matches!(self, ExecutionMode | Decoration | ImageOperands | LoopControl | MemoryAccess)
            || matches!(self, TensorAddressingOperands | TensorOperands | MatrixMultiplyAccumulateOperands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_with_parameters() {
        for &kind in Kind::ALL {
            if matches!(kind.class(), OperandClass::Value | OperandClass::Mask)
                && Enumerants::of(kind).parameters.len() > 1
            {
                assert!(kind.has_parameters(), "{}", kind.name());
            }
        }
    }
}
