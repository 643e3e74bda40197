//! Which operation of the dialect `spirv` an instruction is, and where its operands go.
//!
//! MLIR's own operations hold enumerants, constants that say a scope, and lists of literals as attributes; a [`Slot`] says
//! which. An instruction that MLIR lacks, or whose operands have no place in MLIR's operation, is an operation of its
//! grammatical name: its operands are the ids in order, and an attribute holds the literals.

use std::sync::OnceLock;

use hashbrown::HashMap;
use mlirbc_ir::ods::Traits;

use crate::dialect::table::{mlir, upstream_name};
use crate::dialect::{DIALECT, EnumKind};
use crate::grammar::{Instruction, OperandClass, Set};

/// What the next words of an instruction are in its operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slot {
    /// An id: an operand.
    Id,
    /// The ids that are left: operands.
    Ids,
    /// The id of a constant: an attribute of that name and enum.
    Constant(&'static str, EnumKind),
    /// A word: an attribute of that name and enum.
    Enumerant(&'static str, EnumKind),
    /// A word that may be left out: an attribute of that name and enum.
    Optional(&'static str, EnumKind),
    /// Image operands, if any, and then their ids.
    Image(&'static str),
    /// Memory operands, if any: the mask, and the alignment where it says that there is one.
    Memory(&'static str, &'static str),
    /// The words that are left: an array of integers.
    Numbers(&'static str),
    /// The id of a type: an attribute.
    Type(&'static str),
}

/// The operation of an instruction.
#[derive(Debug)]
pub(crate) struct InstructionForm {
    /// The instruction.
    pub(crate) instruction: &'static Instruction,
    /// The operation's name.
    pub(crate) name: String,
    /// Its operands, where it is one of MLIR's; else ids are operands and the rest are literals.
    pub(crate) slots: Option<&'static [Slot]>,
    /// Whether the operation has properties, be they none.
    pub(crate) has_properties: bool,
    /// The name where the operands do not fit the slots.
    pub(crate) raw: String,
    /// Whether raising has code of its own for it: it stands for several instructions, or is a part of the module's frame.
    pub(crate) custom: bool,
}

/// The operation of an instruction of an extended set.
#[derive(Debug)]
pub(crate) struct Extended {
    /// The set.
    pub(crate) set: &'static str,
    /// The instruction's number in it.
    pub(crate) number: u32,
    /// The operation's name.
    pub(crate) name: String,
    /// Whether MLIR has the operation.
    pub(crate) known: bool,
}

/// What an operation of the dialect stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// An instruction, its operands in slots.
    Form(&'static InstructionForm, &'static [Slot]),
    /// An instruction, its operands as the grammar has them.
    Raw(&'static Instruction),
    /// An instruction of an extended set.
    Extended(&'static Extended),
    /// An instruction of another extended set.
    OtherExtended,
    Constant,
    /// A constant whose value is a tree.
    Tree,
    AddressOf,
    ReferenceOf,
    Undef,
    /// A constant all of whose parts are one.
    Replicate,
    /// A string of the debug section.
    Text,
    Variable,
    Call,
    Branch,
    BranchConditional,
    Switch,
    Selection,
    Loop,
    Merge,
    /// None of all these.
    Unknown,
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// Operations that lowering has code of its own for.
const CUSTOM: [(&[u8], Kind); 17] = [
    (b"spirv.Constant", Kind::Constant),
    (b"spirv.ConstantNull", Kind::Tree),
    (b"spirv.ConstantComposite", Kind::Tree),
    (b"spirv.mlir.addressof", Kind::AddressOf),
    (b"spirv.mlir.referenceof", Kind::ReferenceOf),
    (b"spirv.Undef", Kind::Undef),
    (b"spirv.EXT.ConstantCompositeReplicate", Kind::Replicate),
    (b"spirv.OpString", Kind::Text),
    (b"spirv.Variable", Kind::Variable),
    (b"spirv.FunctionCall", Kind::Call),
    (b"spirv.Branch", Kind::Branch),
    (b"spirv.BranchConditional", Kind::BranchConditional),
    (b"spirv.Switch", Kind::Switch),
    (b"spirv.mlir.selection", Kind::Selection),
    (b"spirv.mlir.loop", Kind::Loop),
    (b"spirv.mlir.merge", Kind::Merge),
    (b"spirv.ExtInst", Kind::OtherExtended),
];

/// The extended sets whose instructions have operations of their own, with the prefix of these.
const SETS: [(&str, &str); 2] = [("GLSL.std.450", "GL"), ("OpenCL.std", "CL")];

pub(crate) struct Forms {
    by_opcode: Vec<Option<Box<InstructionForm>>>,
    extended: [Vec<Option<Box<Extended>>>; 2],
    by_name: OnceLock<HashMap<&'static [u8], Kind>>,
}

/// Every operation.
pub(crate) fn forms() -> &'static Forms {
    static FORMS: OnceLock<Forms> = OnceLock::new();
    FORMS.get_or_init(Forms::new)
}

impl Forms {
    fn new() -> Self {
        let last = Instruction::all().last().map_or(0, |last| usize::from(last.opcode));
        let mut by_opcode: Vec<Option<Box<InstructionForm>>> = (0..=last).map(|_| None).collect();
        for instruction in Instruction::all() {
            by_opcode[usize::from(instruction.opcode)] = Some(Box::new(InstructionForm::new(instruction)));
        }
        let extended = SETS.map(|(set, prefix)| {
            let names = (0..256).map(|number| Set::instruction_name(set.as_bytes(), number));
            let entries = names.zip(0..).map(|(name, number)| {
                let name = format!("{DIALECT}.{prefix}.{}", name?);
                let known = mlir().get(&name).is_some();
                Some(Box::new(Extended { set, number, name, known }))
            });
            entries.collect()
        });
        Forms { by_opcode, extended, by_name: OnceLock::new() }
    }

    /// The operation of an instruction.
    #[inline]
    pub(crate) fn of(&'static self, opcode: u16) -> Option<&'static InstructionForm> {
        self.by_opcode.get(usize::from(opcode))?.as_deref()
    }

    /// The operation of an instruction of an extended set, where it has one of its own.
    pub(crate) fn extended(&'static self, set: &[u8], number: u32) -> Option<&'static Extended> {
        let at = SETS.iter().position(|known| known.0.as_bytes() == set)?;
        self.extended[at].get(number as usize)?.as_deref()
    }

    /// What an operation of that name stands for.
    pub(crate) fn named(&'static self, name: &[u8]) -> Option<Kind> {
        let names = self.by_name.get_or_init(|| {
            let mut names = HashMap::new();
            for form in self.by_opcode.iter().flatten() {
                let raw = Kind::Raw(form.instruction);
                names.insert(form.raw.as_bytes(), raw);
                names.insert(form.name.as_bytes(), form.slots.map_or(raw, |slots| Kind::Form(form, slots)));
            }
            for extended in self.extended.iter().flatten().flatten() {
                names.insert(extended.name.as_bytes(), Kind::Extended(extended));
            }
            names.extend(CUSTOM);
            names
        });
        names.get(name).copied()
    }
}

impl InstructionForm {
    fn new(instruction: &'static Instruction) -> Self {
        let raw = format!("{DIALECT}.Op{}", instruction.name);
        // What stands for several instructions, or for none alone, has code of its own.
        let custom =
            matches!(instruction.name, "Function" | "EntryPoint" | "ExecutionMode" | "ExecutionModeId" | "Variable")
                || instruction.name.starts_with("Constant")
                || instruction.name.starts_with("SpecConstant")
                || instruction.name.starts_with("Graph");
        let known = if custom { None } else { upstream_name(instruction) };
        let known = known.and_then(|name| mlir().get(&name).map(|definition| (name, definition)));
        let Some((name, definition)) = known else {
            let name = format!("{DIALECT}.{}", instruction.name);
            return InstructionForm { instruction, name, slots: None, has_properties: false, raw, custom };
        };
        let has_properties = !definition.properties.is_empty();
        let literals = instruction.operands.iter().any(|operand| operand.kind.class() != OperandClass::Id);
        let structural = definition.traits.contains(Traits::OPERAND_SEGMENTS) || !definition.successors().is_empty();
        let slots = match slots(instruction.name) {
            Some(slots) => Some(slots),
            None if !has_properties && !literals && !structural => Some(&[Slot::Ids][..]),
            None => None,
        };
        let name = match slots {
            Some(_) => name,
            None => raw.clone(),
        };
        InstructionForm { instruction, name, slots, has_properties, raw, custom }
    }
}

/// The operands of those operations of MLIR that have attributes.
fn slots(name: &str) -> Option<&'static [Slot]> {
    use EnumKind::*;
    use Slot::{Constant, Enumerant, Id, Ids, Image, Memory, Numbers, Optional, Type};
    const EXECUTION: Slot = Constant("execution_scope", EnumKind::Scope);
    const SCOPE: Slot = Constant("memory_scope", EnumKind::Scope);
    const SEMANTICS: Slot = Constant("memory_semantics", EnumKind::MemorySemantics);
    const GROUP: Slot = Enumerant("group_operation", EnumKind::GroupOperation);
    const FORMAT: Slot = Optional("format", EnumKind::PackedVectorFormat);
    const IMAGE: Slot = Image("image_operands");
    Some(match name {
        "AtomicAnd" | "AtomicExchange" | "AtomicIAdd" | "AtomicISub" | "AtomicOr" | "AtomicSMax" | "AtomicSMin"
        | "AtomicUMax" | "AtomicUMin" | "AtomicXor" | "AtomicFAddEXT" => {
            &[Id, SCOPE, Constant("semantics", MemorySemantics), Id]
        }
        "AtomicIDecrement" | "AtomicIIncrement" => &[Id, SCOPE, Constant("semantics", MemorySemantics)],
        "AtomicCompareExchange" | "AtomicCompareExchangeWeak" => {
            const EQUAL: Slot = Constant("equal_semantics", EnumKind::MemorySemantics);
            const UNEQUAL: Slot = Constant("unequal_semantics", EnumKind::MemorySemantics);
            &[Id, SCOPE, EQUAL, UNEQUAL, Id, Id]
        }
        "CompositeExtract" => &[Id, Numbers("indices")],
        "CompositeInsert" => &[Id, Id, Numbers("indices")],
        "VectorShuffle" => &[Id, Id, Numbers("components")],
        "ControlBarrier"
        | "ControlBarrierArriveINTEL"
        | "ControlBarrierWaitINTEL"
        | "ControlBarrierArriveEXT"
        | "ControlBarrierWaitEXT" => &[EXECUTION, SCOPE, SEMANTICS],
        "MemoryBarrier" => &[SCOPE, SEMANTICS],
        "GroupBroadcast" => &[EXECUTION, Id, Id],
        "GroupFAdd" | "GroupFMax" | "GroupFMin" | "GroupFMulKHR" | "GroupIAdd" | "GroupIMulKHR" | "GroupSMax"
        | "GroupSMin" | "GroupUMax" | "GroupUMin" => &[EXECUTION, GROUP, Id],
        "GroupNonUniformAllEqual"
        | "GroupNonUniformAll"
        | "GroupNonUniformAny"
        | "GroupNonUniformBallotFindLSB"
        | "GroupNonUniformBallotFindMSB"
        | "GroupNonUniformBallot" => &[EXECUTION, Id],
        "GroupNonUniformBallotBitCount" => &[EXECUTION, GROUP, Id],
        "GroupNonUniformElect" => &[EXECUTION],
        "GroupNonUniformBroadcast"
        | "GroupNonUniformQuadSwap"
        | "GroupNonUniformShuffleDown"
        | "GroupNonUniformShuffle"
        | "GroupNonUniformShuffleUp"
        | "GroupNonUniformShuffleXor" => &[EXECUTION, Id, Id],
        "GroupNonUniformBitwiseAnd"
        | "GroupNonUniformBitwiseOr"
        | "GroupNonUniformBitwiseXor"
        | "GroupNonUniformFAdd"
        | "GroupNonUniformFMax"
        | "GroupNonUniformFMin"
        | "GroupNonUniformFMul"
        | "GroupNonUniformIAdd"
        | "GroupNonUniformIMul"
        | "GroupNonUniformLogicalAnd"
        | "GroupNonUniformLogicalOr"
        | "GroupNonUniformLogicalXor"
        | "GroupNonUniformSMax"
        | "GroupNonUniformSMin"
        | "GroupNonUniformUMax"
        | "GroupNonUniformUMin" => &[EXECUTION, GROUP, Ids],
        "GroupNonUniformRotateKHR" => &[EXECUTION, Ids],
        "ImageDrefGather" | "ImageSampleProjDrefImplicitLod" | "ImageWrite" => &[Id, Id, Id, IMAGE],
        "ImageFetch" | "ImageRead" | "ImageSampleImplicitLod" | "ImageSampleExplicitLod" => &[Id, Id, IMAGE],
        "CooperativeMatrixLengthKHR" => &[Type("cooperative_matrix_type")],
        "CooperativeMatrixLoadKHR" => {
            const LAYOUT: Slot = Constant("matrix_layout", EnumKind::CooperativeMatrixLayout);
            &[Id, LAYOUT, Id, Memory("memory_operand", "alignment")]
        }
        "CooperativeMatrixStoreKHR" => {
            const LAYOUT: Slot = Constant("matrix_layout", EnumKind::CooperativeMatrixLayout);
            &[Id, Id, LAYOUT, Id, Memory("memory_operand", "alignment")]
        }
        "CooperativeMatrixMulAddKHR" => {
            const OPERANDS: Slot = Optional("matrix_operands", EnumKind::CooperativeMatrixOperands);
            &[Id, Id, Id, OPERANDS]
        }
        "Load" => &[Id, Memory("memory_access", "alignment")],
        "Store" => &[Id, Id, Memory("memory_access", "alignment")],
        "CopyMemory" => {
            &[Id, Id, Memory("memory_access", "alignment"), Memory("source_memory_access", "source_alignment")]
        }
        "SDotAccSat" | "SUDotAccSat" | "UDotAccSat" | "SDotAccSatKHR" | "SUDotAccSatKHR" | "UDotAccSatKHR" => {
            &[Id, Id, Id, FORMAT]
        }
        "SDot" | "SUDot" | "UDot" | "SDotKHR" | "SUDotKHR" | "UDotKHR" => &[Id, Id, FORMAT],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each operation of MLIR that is an instruction, and nothing else, has its slots; each attribute has one.
    #[test]
    fn slots_are_those_of_the_definitions() {
        let (mut with, mut count) = (0, 0);
        for instruction in Instruction::all() {
            let form = forms().of(instruction.opcode).expect("a form");
            let Some(slots) = form.slots else { continue };
            let definition = mlir().get(&form.name).expect("a definition");
            let mut names: Vec<&str> = Vec::new();
            for slot in slots {
                match slot {
                    Slot::Id | Slot::Ids => {}
                    Slot::Memory(mask, alignment) => names.extend([mask, alignment]),
                    Slot::Constant(name, _) | Slot::Enumerant(name, _) | Slot::Optional(name, _) => names.push(name),
                    Slot::Image(name) | Slot::Numbers(name) | Slot::Type(name) => names.push(name),
                }
            }
            names.sort_unstable();
            let known: Vec<&str> = definition.properties.iter().map(|property| property.name.as_str()).collect();
            assert_eq!(names, known, "{}", form.name);
            (with, count) = (with + usize::from(!known.is_empty()), count + 1);
        }
        assert_eq!((with, count), (84, 192));
        let extended = forms().extended.iter().flatten().flatten();
        assert_eq!(extended.filter(|extended| extended.known).count(), 87);
    }
}
