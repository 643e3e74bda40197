//! Every operation of the dialect `spirv` is converted to `llvm`, or refused with a reason.

use mlirbc_conversion::spirv_to_llvm::{has_conversion, reason_against};
use mlirbc_spirv::grammar::{Instruction, Set};

/// Whether operations of that name are converted: if not, there is a reason.
fn is_converted(name: &str) -> bool {
    let (converted, reason) = (has_conversion(name), reason_against(name));
    assert!(converted || reason.is_some(), "{name} is neither converted nor refused with a reason");
    assert!(!converted || reason.is_none(), "{name} is converted, although {reason:?}");
    converted
}

#[test]
fn operations_of_mlir_are_converted_or_refused_with_a_reason() {
    let table = mlirbc_spirv::dialect::definitions();
    let names: Vec<String> = table.iter().map(|definition| definition.name.to_string()).collect();
    assert_eq!(names.len(), 306);
    let mut refused: Vec<&str> = names.iter().map(|name| &**name).filter(|name| !is_converted(name)).collect();
    refused.sort_unstable();
    assert_eq!(
        refused,
        [
            "spirv.ARM.Graph",
            "spirv.ARM.GraphConstant",
            "spirv.ARM.GraphEntryPoint",
            "spirv.ARM.GraphOutputs",
            "spirv.EXT.EmitMeshTasks",
            "spirv.EXT.SetMeshOutputs",
            "spirv.EmitVertex",
            "spirv.EndPrimitive",
            "spirv.INTEL.SubgroupBlockRead",
            "spirv.INTEL.SubgroupBlockWrite",
            "spirv.Image",
            "spirv.ImageDrefGather",
            "spirv.ImageFetch",
            "spirv.ImageQuerySize",
            "spirv.ImageRead",
            "spirv.ImageSampleExplicitLod",
            "spirv.ImageSampleImplicitLod",
            "spirv.ImageSampleProjDrefImplicitLod",
            "spirv.ImageWrite",
            "spirv.KHR.CooperativeMatrixLength",
            "spirv.KHR.CooperativeMatrixLoad",
            "spirv.KHR.CooperativeMatrixMulAdd",
            "spirv.KHR.CooperativeMatrixStore",
            "spirv.Kill",
        ]
    );
}

#[test]
fn functions_of_glsl_are_converted_or_refused_with_a_reason() {
    let names = (0..256).filter_map(|number| Set::instruction_name(b"GLSL.std.450", number));
    let names: Vec<String> = names.map(|name| format!("spirv.GL.{name}")).collect();
    assert_eq!(names.len(), 81);
    let refused: Vec<&str> = names.iter().map(|name| &**name).filter(|name| !is_converted(name)).collect();
    let expected = ["InterpolateAtCentroid", "InterpolateAtSample", "InterpolateAtOffset"];
    assert_eq!(refused, expected.map(|name| format!("spirv.GL.{name}")));
}

/// Instructions that are no operation of a function: they define types, constants and names, say something of others, or are a part of MLIR's
/// operations.
const NO_OPERATIONS: [&str; 36] = [
    "Alias",
    "Branch",
    "Capability",
    "CompositeConstructContinued",
    "ConditionalCapability",
    "ConditionalEntryPoint",
    "ConditionalExtension",
    "Constant",
    "Decorat",
    "EntryPoint",
    "ExecutionMode",
    "ExtInst",
    "Extension",
    "Function",
    "Graph",
    "GroupDecorate",
    "GroupMemberDecorate",
    "Label",
    "Line",
    "LoopControl",
    "LoopMerge",
    "Member",
    "ModuleProcessed",
    "Name",
    "NoLine",
    "Phi",
    "Return",
    "Selection",
    "Source",
    "SpecConstant",
    "String",
    "Switch",
    "Type",
    "Undef",
    "Variable",
    "MemoryModel",
];

#[test]
fn instructions_that_mlir_lacks_are_converted_or_refused_with_a_reason() {
    let is_no_operation = |name: &str| NO_OPERATIONS.iter().any(|beginning| name.starts_with(beginning));
    let table = mlirbc_spirv::dialect::definitions();
    let (mut left, mut count) = (Vec::new(), 0);
    for instruction in Instruction::all().iter().filter(|instruction| !is_no_operation(instruction.name)) {
        let name = format!("spirv.{}", instruction.name);
        let stem = ["KHR", "EXT", "INTEL", "ARM"].into_iter().find_map(|vendor| {
            let stem = instruction.name.strip_suffix(vendor)?;
            ["INTEL", vendor].into_iter().map(|vendor| format!("spirv.{vendor}.{stem}")).find(|name| table.has(name))
        });
        if table.has(&name) || stem.is_some() {
            continue;
        }
        count += 1;
        if !has_conversion(&name) && reason_against(&name).is_none() {
            left.push(name);
        }
    }
    assert!(left.is_empty(), "{left:?}");
    assert!(count > 400, "{count}");
}
