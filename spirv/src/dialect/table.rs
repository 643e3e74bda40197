//! What the dialect adds to MLIR's own tables: what its types are made of, which MLIR says in C++ alone.

use std::sync::OnceLock;

use mlirbc_ir::ods::{AttrOrTypeDef, Definitions, OpTable, ParameterDef, ParameterKind, Syntax};

use super::{DIALECT, types};
use crate::grammar::Instruction;

/// The table, made once a process.
pub(super) fn table() -> OpTable {
    static TABLE: OnceLock<OpTable> = OnceLock::new();
    let make = || {
        let mut definitions = Definitions::default();
        definitions.types = type_definitions();
        OpTable::new(&definitions)
    };
    TABLE.get_or_init(make).clone()
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
    let others = Instruction::all().iter().filter(|instruction| types::is_other(instruction));
    let others = others.map(|instruction| (types::mnemonic(instruction), Vec::new(), false));
    let definition = |(mnemonic, parameters, shaped): (&str, Vec<ParameterDef>, bool)| AttrOrTypeDef {
        name: format!("{DIALECT}.{mnemonic}"),
        parameters,
        syntax: Syntax::Custom,
        traits: if shaped { vec!["ShapedType".to_owned()] } else { Vec::new() },
        ..AttrOrTypeDef::default()
    };
    own.chain(others).map(definition).collect()
}
