//! The custom assembly of operations that their definitions leave to code.

mod names;
pub(super) mod parse;
mod print;

use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, Type};
use mlirbc_text::directives::SWITCH_CASES;
use mlirbc_text::{CustomAssembly, DialectAssembly, Directive};

use super::types;

/// The twins of one name in the modules of printers and of parsers.
macro_rules! assembly {
    ($($($operation:literal)|+ => $form:ident,)*) => {
        [$($(($operation, CustomAssembly { print: print::$form, parse: parse::$form }),)+)*]
    };
}

/// Attaches them to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    let operations = assembly! {
        "module" => module,
        "func" => func,
        "GlobalVariable" => global_variable,
        "SpecConstant" => spec_constant,
        "SpecConstantComposite" => spec_constant_composite,
        "EXT.SpecConstantCompositeReplicate" => replicate,
        "SpecConstantOperation" => spec_constant_operation,
        "EntryPoint" => entry_point,
        "ExecutionMode" => execution_mode,
        "Constant" => constant,
        "Load" => load,
        "Store" => store,
        "CopyMemory" => copy_memory,
        "Variable" => variable,
        "CompositeExtract" => composite_extract,
        "CompositeInsert" => composite_insert,
        "BranchConditional" => branch_conditional,
        "mlir.selection" => selection,
        "mlir.loop" => loop_op,
        "IAddCarry" | "ISubBorrow" | "UMulExtended" | "SMulExtended" => struct_of_two,
        "GL.FClamp" | "GL.SClamp" | "GL.UClamp" | "GL.Fma" => three,
        "INTEL.SubgroupBlockWrite" => block_write,
        "ARM.Graph" => graph,
        "ARM.GraphEntryPoint" => graph_entry_point,
    };
    let image_operands =
        Directive::new(print::image_operands, parse::image_operands).starts(parse::starts_image_operands);
    operations
        .into_iter()
        .fold(dialect, |dialect, (operation, form)| dialect.assembly(operation, form))
        .directive("ImageOperands", image_operands)
        .directive("SwitchOpCases", SWITCH_CASES)
        .result_names("Constant", names::constant)
        .result_names("mlir.addressof", names::address)
}

/// The type of the part of a composite that the indices go to.
fn part_type(context: &Context, composite: Type, indices: Attribute) -> Option<Type> {
    let AttributeData::Array(indices) = &context[indices] else { return None };
    indices.iter().try_fold(composite, |ty, &index| match &context[index] {
        AttributeData::Integer { value, .. } => types::part(context, ty, u32::try_from(value.to_u64()?).ok()?),
        _ => None,
    })
}
