//! The enums of the dialect: `#spirv.storage_class<Uniform>` is a case of one.
//!
//! Cases are the grammar's, by number. Where MLIR spells one otherwise, text has its spelling, and the grammar's is
//! read too. What has no name is a number.

use std::borrow::Cow;
use std::sync::OnceLock;

use hashbrown::HashMap;

use super::table::mlir;
use crate::grammar::{Kind, OperandClass};

macro_rules! enums {
    ($($variant:ident $mnemonic:literal $upstream:literal $grammar:expr;)*) => {
        /// An enum of the dialect. Its place in this list is its number in bytecode.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum EnumKind {
            $(#[doc = concat!("`#spirv.", $mnemonic, "`.")] $variant,)*
        }

        impl EnumKind {
            /// Every enum, by number.
            pub const ALL: &[EnumKind] = &[$(EnumKind::$variant,)*];

            /// What stands behind the dialect's name in text.
            pub const fn mnemonic(self) -> &'static str {
                match self {
                    $(EnumKind::$variant => $mnemonic,)*
                }
            }

            /// The name in MLIR's tables, without its namespace; empty where MLIR has no such enum.
            pub fn upstream(self) -> &'static str {
                match self {
                    $(EnumKind::$variant => $upstream,)*
                }
            }

            /// The kind of operand whose enumerants its cases are.
            pub fn grammar(self) -> Option<Kind> {
                use Kind::*;
                match self {
                    $(EnumKind::$variant => $grammar,)*
                }
            }
        }
    };
}

enums! {
    AddressingModel "addressing_model" "AddressingModel" Some(AddressingModel);
    BuiltIn "built_in" "BuiltIn" Some(BuiltIn);
    Capability "capability" "Capability" Some(Capability);
    ClientApi "client_api" "ClientAPI" None;
    CooperativeMatrixLayout "coop_matrix_layout_khr" "CooperativeMatrixLayoutKHR" Some(CooperativeMatrixLayout);
    CooperativeMatrixOperands "cooperative_matrix_operands_khr" "CooperativeMatrixOperandsKHR"
        Some(CooperativeMatrixOperands);
    CooperativeMatrixUse "coop_matrix_use_khr" "CooperativeMatrixUseKHR" Some(CooperativeMatrixUse);
    Decoration "decoration" "Decoration" Some(Decoration);
    DeviceType "device_type" "DeviceType" None;
    Dim "dim" "Dim" Some(Dim);
    ExecutionMode "execution_mode" "ExecutionMode" Some(ExecutionMode);
    ExecutionModel "execution_model" "ExecutionModel" Some(ExecutionModel);
    FPEncoding "f_p_encoding" "FPEncoding" Some(FPEncoding);
    FPFastMathMode "fastmath_mode" "FPFastMathMode" Some(FPFastMathMode);
    FPRoundingMode "fp_rounding_mode" "FPRoundingMode" Some(FPRoundingMode);
    FunctionControl "function_control" "FunctionControl" Some(FunctionControl);
    GroupOperation "group_operation" "GroupOperation" Some(GroupOperation);
    ImageArrayedInfo "image_arrayed_info" "ImageArrayedInfo" None;
    ImageDepthInfo "image_depth_info" "ImageDepthInfo" None;
    ImageFormat "image_format" "ImageFormat" Some(ImageFormat);
    ImageOperands "image_operands" "ImageOperands" Some(ImageOperands);
    ImageSamplerUseInfo "image_sampler_use_info" "ImageSamplerUseInfo" None;
    ImageSamplingInfo "image_sampling_info" "ImageSamplingInfo" None;
    LinkageType "linkage_type" "LinkageType" Some(LinkageType);
    LoadCacheControl "load_cache_control" "LoadCacheControl" Some(LoadCacheControl);
    LoopControl "loop_control" "LoopControl" Some(LoopControl);
    MatrixLayout "matrixLayout" "MatrixLayout" None;
    MemoryAccess "memory_access" "MemoryAccess" Some(MemoryAccess);
    MemoryModel "memory_model" "MemoryModel" Some(MemoryModel);
    MemorySemantics "memory_semantics" "MemorySemantics" Some(MemorySemantics);
    Opcode "opcode" "Opcode" None;
    PackedVectorFormat "packed_vector_format" "PackedVectorFormat" Some(PackedVectorFormat);
    Scope "scope" "Scope" Some(Scope);
    SelectionControl "selection_control" "SelectionControl" Some(SelectionControl);
    StorageClass "storage_class" "StorageClass" Some(StorageClass);
    StoreCacheControl "store_cache_control" "StoreCacheControl" Some(StoreCacheControl);
    Vendor "vendor" "Vendor" None;
    Version "version" "Version" None;
    // Those that MLIR does not have.
    AccessQualifier "access_qualifier" "" Some(AccessQualifier);
    ComponentType "component_type" "" Some(ComponentType);
    CooperativeMatrixReduce "cooperative_matrix_reduce" "" Some(CooperativeMatrixReduce);
    CooperativeVectorMatrixLayout "cooperative_vector_matrix_layout" "" Some(CooperativeVectorMatrixLayout);
    FPDenormMode "fp_denorm_mode" "" Some(FPDenormMode);
    FPOperationMode "fp_operation_mode" "" Some(FPOperationMode);
    FragmentShadingRate "fragment_shading_rate" "" Some(FragmentShadingRate);
    FunctionParameterAttribute "function_parameter_attribute" "" Some(FunctionParameterAttribute);
    HostAccessQualifier "host_access_qualifier" "" Some(HostAccessQualifier);
    ImageChannelDataType "image_channel_data_type" "" Some(ImageChannelDataType);
    ImageChannelOrder "image_channel_order" "" Some(ImageChannelOrder);
    InitializationModeQualifier "initialization_mode_qualifier" "" Some(InitializationModeQualifier);
    KernelEnqueueFlags "kernel_enqueue_flags" "" Some(KernelEnqueueFlags);
    KernelProfilingInfo "kernel_profiling_info" "" Some(KernelProfilingInfo);
    MatrixMultiplyAccumulateOperands "matrix_multiply_accumulate_operands" "" Some(MatrixMultiplyAccumulateOperands);
    NamedMaximumNumberOfRegisters "named_maximum_number_of_registers" "" Some(NamedMaximumNumberOfRegisters);
    OverflowModes "overflow_modes" "" Some(OverflowModes);
    QuantizationModes "quantization_modes" "" Some(QuantizationModes);
    RawAccessChainOperands "raw_access_chain_operands" "" Some(RawAccessChainOperands);
    RayFlags "ray_flags" "" Some(RayFlags);
    RayQueryCandidateIntersectionType "ray_query_candidate_intersection_type" ""
        Some(RayQueryCandidateIntersectionType);
    RayQueryCommittedIntersectionType "ray_query_committed_intersection_type" ""
        Some(RayQueryCommittedIntersectionType);
    RayQueryIntersection "ray_query_intersection" "" Some(RayQueryIntersection);
    SamplerAddressingMode "sampler_addressing_mode" "" Some(SamplerAddressingMode);
    SamplerFilterMode "sampler_filter_mode" "" Some(SamplerFilterMode);
    SourceLanguage "source_language" "" Some(SourceLanguage);
    TensorAddressingOperands "tensor_addressing_operands" "" Some(TensorAddressingOperands);
    TensorClampMode "tensor_clamp_mode" "" Some(TensorClampMode);
    TensorOperands "tensor_operands" "" Some(TensorOperands);
}

/// The cases of one enum.
struct Table {
    /// By number; of a mask, single bits and 0.
    by_value: HashMap<u32, Box<str>>,
    by_name: HashMap<Box<str>, u32>,
    /// Of a mask: the bits that have names, in the order in which text shows them.
    bits: Vec<u32>,
}

/// Enumerants of the grammar are below this.
const LARGEST: u32 = 1 << 13;

impl Table {
    fn of(kind: EnumKind) -> &'static Table {
        static TABLES: [OnceLock<Table>; EnumKind::ALL.len()] = [const { OnceLock::new() }; EnumKind::ALL.len()];
        TABLES[kind as usize].get_or_init(|| Table::new(kind))
    }

    fn new(kind: EnumKind) -> Table {
        let mut table = Table { by_value: HashMap::new(), by_name: HashMap::new(), bits: Vec::new() };
        if !kind.upstream().is_empty()
            && let Some(definition) = mlir().enumeration(&format!("spirv::{}", kind.upstream()))
        {
            for case in &definition.cases {
                table.add(case.value as u32, &case.text);
            }
        }
        if kind == EnumKind::Opcode {
            for instruction in crate::grammar::Instruction::all() {
                table.add(instruction.opcode.into(), &format!("Op{}", instruction.name));
            }
        }
        if let Some(grammar) = kind.grammar() {
            let bits = || (0..32).map(|bit| 1u32 << bit);
            let values: Vec<u32> = match grammar.class() {
                OperandClass::Mask => bits().filter(|bit| grammar.show(*bit).parse::<u32>().is_err()).collect(),
                _ => (0..LARGEST).filter(|&value| grammar.parameters(value).is_some()).collect(),
            };
            for value in values {
                let name = grammar.show(value);
                // Text has words: `Dim2D` for what the specification calls `2D`.
                if name.starts_with(|first: char| first.is_ascii_digit()) {
                    table.add(value, &format!("{kind:?}{name}"));
                }
                table.add(value, &name);
            }
        }
        table
    }

    fn add(&mut self, value: u32, name: &str) {
        if self.by_value.try_insert(value, name.into()).is_ok() && value.is_power_of_two() {
            self.bits.push(value);
        }
        self.by_name.entry_ref(name).or_insert(value);
    }
}

impl EnumKind {
    /// The enum of that mnemonic.
    pub fn of_mnemonic(mnemonic: &[u8]) -> Option<Self> {
        static NAMES: OnceLock<HashMap<&'static [u8], EnumKind>> = OnceLock::new();
        let names = NAMES.get_or_init(|| Self::ALL.iter().map(|kind| (kind.mnemonic().as_bytes(), *kind)).collect());
        names.get(mnemonic).copied()
    }

    /// The enum whose cases are the enumerants of that kind of operand.
    pub fn of_grammar(kind: Kind) -> Option<Self> {
        Self::ALL.iter().copied().find(|own| own.grammar() == Some(kind))
    }

    /// Whether its cases are bits that can be combined.
    pub fn is_mask(self) -> bool {
        self.grammar().is_some_and(|kind| kind.class() == OperandClass::Mask)
    }

    /// The name of a case, or of one bit.
    pub fn name(self, value: u32) -> Option<&'static str> {
        Table::of(self).by_value.get(&value).map(|name| &**name)
    }

    /// The text of a case; of a mask, the names of its bits with `|` between them. What has no name is a number.
    pub fn show(self, value: u32) -> Cow<'static, str> {
        if let Some(name) = self.name(value) {
            return name.into();
        }
        if !self.is_mask() {
            return value.to_string().into();
        }
        if value == 0 {
            return "None".into();
        }
        let (mut text, mut left) = (String::new(), value);
        let separate = |text: &mut String| text.push_str(if text.is_empty() { "" } else { "|" });
        for &bit in &Table::of(self).bits {
            if left & bit != 0 {
                left &= !bit;
                separate(&mut text);
                text.push_str(self.name(bit).unwrap_or_default());
            }
        }
        if left != 0 {
            separate(&mut text);
            text.push_str(&left.to_string());
        }
        text.into()
    }

    /// The case, or the single bit, of that name or number.
    pub fn value(self, name: &str) -> Option<u32> {
        match Table::of(self).by_name.get(name) {
            Some(&value) => Some(value),
            None if self.is_mask() && name == "None" => Some(0),
            None if name.starts_with(|first: char| first.is_ascii_digit()) => name.parse().ok(),
            None => None,
        }
    }

    /// What [`EnumKind::show`] shows so.
    pub fn parse(self, text: &str) -> Option<u32> {
        match self.is_mask() {
            true => text.split('|').try_fold(0, |bits, name| Some(bits | self.value(name.trim())?)),
            false => self.value(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every enumerant that MLIR names, by number and by spelling, and each of the grammar.
    #[test]
    fn cases_are_those_of_mlir_and_of_the_grammar() {
        let (mut named, mut enums) = (0, 0);
        for definition in mlir().enumerations().filter(|definition| definition.name.starts_with("spirv::")) {
            let name = definition.name.trim_start_matches("spirv::");
            enums += 1;
            // Extensions are strings.
            if name == "Extension" {
                continue;
            }
            let kind = EnumKind::ALL.iter().find(|kind| kind.upstream() == name).copied().expect(name);
            assert_eq!(kind.is_mask(), definition.bits.is_some(), "{name}");
            for case in &definition.cases {
                let value = case.value as u32;
                assert_eq!(kind.show(value), case.text, "{name} {value}");
                assert_eq!(kind.parse(&case.text), Some(value), "{name} {value}");
                named += usize::from(kind.grammar().is_some());
                if let Some(grammar) = kind.grammar() {
                    // The grammar knows the number, under this name or a newer one.
                    let known = grammar.show(value);
                    assert!(known.parse::<u32>().is_err(), "{name} {value}");
                }
            }
        }
        assert_eq!(enums, 39);
        assert_eq!(named, 702);
        let mut count = 0;
        for kind in EnumKind::ALL {
            let Some(grammar) = kind.grammar() else { continue };
            let values: Vec<u32> = match grammar.class() {
                OperandClass::Mask => (0..32).map(|bit| 1 << bit).filter(|bit| kind.name(*bit).is_some()).collect(),
                _ => (0..LARGEST).filter(|&value| grammar.parameters(value).is_some()).collect(),
            };
            for value in values {
                let shown = grammar.show(value);
                assert_eq!(kind.parse(&kind.show(value)), Some(value), "{kind:?} {value}");
                assert!(kind.parse(&shown) == Some(value), "{kind:?} {shown}");
                count += 1;
            }
        }
        assert!(count > 1000, "{count}");
        // Each enum of the grammar is an enum of the dialect.
        for kind in Kind::ALL.iter().filter(|kind| matches!(kind.class(), OperandClass::Value | OperandClass::Mask)) {
            assert!(EnumKind::of_grammar(*kind).is_some(), "{}", kind.name());
        }
    }

    #[test]
    fn masks_and_numbers() {
        let access = EnumKind::MemoryAccess;
        assert_eq!(access.show(0), "None");
        assert_eq!(access.show(3 | 1 << 30), "Volatile|Aligned|1073741824");
        assert_eq!(access.parse("Aligned|Volatile | 1073741824"), Some(3 | 1 << 30));
        assert_eq!(access.parse("None|Aligned"), Some(2));
        assert_eq!(EnumKind::Dim.show(1), "Dim2D");
        assert_eq!(EnumKind::Capability.show(60_000), "60000");
        assert_eq!(EnumKind::Capability.parse("60000"), Some(60_000));
        assert_eq!(EnumKind::StorageClass.parse("DeviceOnlyALTERA"), Some(5936));
        assert_eq!(EnumKind::StorageClass.show(5936), "DeviceOnlyINTEL");
        assert_eq!(EnumKind::Vendor.parse("Unknown"), Some(u32::MAX));
        assert_eq!(EnumKind::Scope.parse("-1"), None);
        // The order of MLIR's table, which is not that of the bits.
        assert_eq!(EnumKind::LoopControl.parse(&EnumKind::LoopControl.show(0xff_0007)), Some(0xff_0007));
        assert_eq!(EnumKind::of_mnemonic(b"matrixLayout"), Some(EnumKind::MatrixLayout));
    }
}
