//! What the dialect adds to MLIR's own tables: operations for the instructions that MLIR lacks, and what types are made
//! of, which MLIR says in C++ alone.
//!
//! An instruction that MLIR lacks is `spirv.` and its name, `spirv.DPdx`; one that MLIR has is also `spirv.Op` and its
//! name, `spirv.OpLoad`, for operands that MLIR's operation has no place for. Its ids are operands, in order; its literals
//! are a discardable attribute. An instruction of an extended set is as MLIR would call it: `spirv.GL.NMin`.

use std::sync::OnceLock;

use mlirbc_ir::ods::{
    AttrOrTypeDef, Definitions, Multiplicity, OpDef, OpTable, ParameterDef, ParameterKind, Syntax, Traits,
    TypeConstraint,
};

use super::{DIALECT, split_vendor};
use crate::grammar::{Instruction, OperandClass, Quantifier, Set};

/// MLIR's own definitions of the dialect.
pub(crate) fn mlir() -> &'static OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    TABLE.get_or_init(|| OpTable::embedded(include_bytes!("spirv.table")))
}

/// What types are made of; made once a process. Those that only the grammar knows are left out: there is no need to look at the
/// whole grammar to read a module.
pub(super) fn types() -> OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    let make = || {
        let mut definitions = Definitions::default();
        definitions.types = type_definitions();
        OpTable::new(&definitions)
    };
    TABLE.get_or_init(make).clone()
}

/// The operations that MLIR lacks; made once a process, when first needed.
pub(super) fn operations() -> OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    TABLE.get_or_init(|| OpTable::from_definitions(op_definitions())).clone()
}

fn type_definitions() -> Vec<AttrOrTypeDef> {
    use ParameterKind::Opaque;
    let any = || ParameterKind::Type(String::new());
    let word = || ParameterKind::Integer { width: 32, signed: false };
    let parameters = [
        ("array", vec![("count", Opaque), ("element", any()), ("stride", word())]),
        ("rtarray", vec![("element", any()), ("stride", word())]),
        ("ptr", vec![("pointee", any()), ("storageClass", word())]),
        (
            "image",
            vec![
                ("sampledType", any()),
                ("dim", word()),
                ("depth", word()),
                ("arrayed", word()),
                ("sampling", word()),
                ("samplerUse", word()),
                ("format", word()),
                ("access", word()),
            ],
        ),
        ("sampled_image", vec![("image", any())]),
        (
            "struct",
            ["name", "members", "offsets", "memberDecorations", "decorations"].map(|name| (name, Opaque)).to_vec(),
        ),
        ("matrix", vec![("columns", word()), ("column", any())]),
        (
            "coopmatrix",
            vec![("rows", Opaque), ("columns", Opaque), ("element", any()), ("scope", Opaque), ("use", Opaque)],
        ),
        ("arm.tensor", vec![("shape", Opaque), ("element", any())]),
    ];
    let own = parameters.into_iter().map(|(mnemonic, parameters)| {
        let parameter = |(name, kind): (&str, ParameterKind)| ParameterDef {
            name: name.to_owned(),
            kind,
            ..ParameterDef::default()
        };
        let parameters = parameters.into_iter().map(parameter).collect();
        (mnemonic, parameters, matches!(mnemonic, "coopmatrix" | "arm.tensor"))
    });
    let definition = |(mnemonic, parameters, shaped): (&str, Vec<ParameterDef>, bool)| AttrOrTypeDef {
        name: format!("{DIALECT}.{mnemonic}"),
        parameters,
        // With a syntax, assembly would leave out the mnemonic where it is known; MLIR does not.
        syntax: Syntax::Generic,
        traits: if shaped { vec!["ShapedType".to_owned()] } else { Vec::new() },
        ..AttrOrTypeDef::default()
    };
    own.map(definition).collect()
}

/// What is an operation of MLIR's in more than one way, or a part of one, or no operation at all.
const STRUCTURAL: [&str; 29] = [
    "Branch",
    "BranchConditional",
    "Capability",
    "ConditionalCapabilityINTEL",
    "ConditionalEntryPointINTEL",
    "ConditionalExtensionINTEL",
    "Constant",
    "EntryPoint",
    "ExecutionMode",
    "ExtInst",
    "ExtInstImport",
    "ExtInstWithForwardRefsKHR",
    "Extension",
    "Function",
    "FunctionEnd",
    "FunctionParameter",
    "Label",
    "Line",
    "LoopMerge",
    "MemberName",
    "MemoryModel",
    "ModuleProcessed",
    "Name",
    "NoLine",
    "Phi",
    "SelectionMerge",
    "String",
    "Switch",
    "Variable",
];

/// What such names begin with.
const STRUCTURAL_PREFIXES: [&str; 8] =
    ["Decorat", "Graph", "GroupDecorate", "GroupMemberDecorate", "MemberDecorate", "Source", "SpecConstant", "Type"];

/// What ends a block.
const TERMINATORS: [&str; 9] = [
    "Kill",
    "Return",
    "ReturnValue",
    "Unreachable",
    "TerminateInvocation",
    "IgnoreIntersectionKHR",
    "TerminateRayKHR",
    "EmitMeshTasksEXT",
    "AbortKHR",
];

/// How the names of operations of extended sets begin that give nothing: their result is of type `void` in a binary.
const GIVE_NOTHING: [&str; 2] = ["spirv.CL.prefetch", "spirv.CL.vstore"];

/// Whether an instruction stands in the dialect for itself: not for a type, a symbol, a name, a decoration or a block.
fn is_operation(instruction: &Instruction) -> bool {
    let name = instruction.name;
    !STRUCTURAL_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) && !STRUCTURAL.contains(&name)
}

/// The full name of MLIR's operation for an instruction: MLIR puts the vendor first. `None` where MLIR has none.
pub(crate) fn upstream_name(instruction: &Instruction) -> Option<String> {
    let (stem, vendor) = split_vendor(instruction.name);
    let mut names = vec![format!("{DIALECT}.{}", instruction.name)];
    if !vendor.is_empty() {
        // Two barriers that are EXT's by now are INTEL's in MLIR.
        names.extend([vendor, "INTEL"].map(|vendor| format!("{DIALECT}.{vendor}.{stem}")));
    }
    names.into_iter().find(|name| mlir().has(name))
}

fn op_definitions() -> Vec<OpDef> {
    let any = TypeConstraint::any();
    let mut definitions = Vec::new();
    for instruction in Instruction::all().iter().filter(|instruction| is_operation(instruction)) {
        let prefix = if upstream_name(instruction).is_some() { "Op" } else { "" };
        let mut op = OpDef::builder(format!("{DIALECT}.{prefix}{}", instruction.name));
        let is_id = |class| !matches!(class, OperandClass::Word | OperandClass::String | OperandClass::Number);
        let operands = || instruction.operands.iter().filter(|operand| is_id(operand.kind.class()));
        let fixed = operands().all(|it| it.quantifier == Quantifier::One && it.kind.class() == OperandClass::Id);
        match fixed {
            true => {
                for (_, number) in operands().zip(1..) {
                    op = op.operand(&format!("operand{number}"), &any);
                }
            }
            false => op = op.operands("operands", Multiplicity::Variadic, &any),
        }
        if instruction.has_result {
            op = op.result("result", &any);
        }
        if TERMINATORS.contains(&instruction.name) {
            op = op.traits(Traits::TERMINATOR);
        }
        definitions.push(op);
    }
    for (set, prefix) in [("GLSL.std.450", "GL"), ("OpenCL.std", "CL")] {
        let names = (0..256).filter_map(|number| Set::instruction_name(set.as_bytes(), number));
        let names = names.map(|name| format!("{DIALECT}.{prefix}.{name}")).filter(|name| !mlir().has(name));
        definitions.extend(names.map(|name| {
            let gives = !GIVE_NOTHING.iter().any(|beginning| name.starts_with(beginning));
            let op = OpDef::builder(name).operands("operands", Multiplicity::Variadic, &any);
            if gives { op.result("result", &any) } else { op }
        }));
    }
    // Of any set; its literals say which, and which instruction: some have no result, which is `void` in a binary.
    let other = OpDef::builder(format!("{DIALECT}.ExtInst"));
    let other = other.operands("operands", Multiplicity::Variadic, &any);
    definitions.push(other.results("result", Multiplicity::Optional, &any));
    definitions.into_iter().filter_map(|op| op.finish().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_that_mlir_lacks_have_operations() {
        let table = operations();
        let (mut own, mut raw) = (0, 0);
        for instruction in Instruction::all().iter().filter(|instruction| is_operation(instruction)) {
            let plain = format!("{DIALECT}.{}", instruction.name);
            match upstream_name(instruction) {
                Some(_) => raw += usize::from(table.has(&format!("{DIALECT}.Op{}", instruction.name))),
                None => own += usize::from(table.has(&plain)),
            }
        }
        // Beside types, symbols, names, decorations and blocks, that is all of the grammar.
        let all = Instruction::all().iter().filter(|instruction| is_operation(instruction)).count();
        assert_eq!(own + raw, all);
        assert!(own > 500 && raw > 180, "{own} {raw}");
        assert!(table.get("spirv.TerminateInvocation").expect("defined").traits.contains(Traits::TERMINATOR));
        assert_eq!(table.get("spirv.DPdx").expect("defined").operands().len(), 1);
        assert!(table.has("spirv.GL.NMin") && !table.has("spirv.GL.FMin") && table.has("spirv.CL.sinpi"));
        assert!(!table.has("spirv.IAdd") && table.has("spirv.OpIAdd"));
    }
}
