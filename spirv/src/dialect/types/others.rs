//! Types of the grammar that MLIR lacks: their mnemonics.

use std::sync::OnceLock;

use hashbrown::HashMap;

use crate::dialect::attributes;
use crate::grammar::Instruction;

/// Whether the instruction declares a type that only [`other`](super::other) makes.
pub fn is_other(instruction: &Instruction) -> bool {
    others().mnemonics.contains_key(&instruction.opcode)
}

/// The mnemonic of such a type: `khr.ray_query` of `OpTypeRayQueryKHR`; empty where the instruction declares no such type.
pub fn mnemonic(instruction: &Instruction) -> &'static str {
    others().mnemonics.get(&instruction.opcode).copied().unwrap_or_default()
}

/// The instruction of such a mnemonic.
pub(in crate::dialect) fn instruction(mnemonic: &[u8]) -> Option<&'static Instruction> {
    others().instructions.get(mnemonic).copied()
}

struct Others {
    mnemonics: HashMap<u16, &'static str>,
    instructions: HashMap<&'static [u8], &'static Instruction>,
}

/// What has a form of its own here, or is a builtin type, or no type at all.
const OWN: [&str; 17] = [
    "TypeVoid",
    "TypeBool",
    "TypeInt",
    "TypeFloat",
    "TypeVector",
    "TypeMatrix",
    "TypeImage",
    "TypeSampledImage",
    "TypeArray",
    "TypeRuntimeArray",
    "TypeStruct",
    "TypePointer",
    "TypeFunction",
    "TypeForwardPointer",
    "TypeTensorARM",
    "TypeCooperativeMatrixKHR",
    "TypeStructContinuedINTEL",
];

fn others() -> &'static Others {
    static TEXT: OnceLock<Vec<(u16, String)>> = OnceLock::new();
    static OTHERS: OnceLock<Others> = OnceLock::new();
    OTHERS.get_or_init(|| {
        let types = || Instruction::all().iter().filter(|instruction| instruction.name.starts_with("Type"));
        let others = types().filter(|instruction| !OWN.contains(&instruction.name) && instruction.has_result);
        let text = TEXT.get_or_init(|| {
            others.map(|instruction| (instruction.opcode, dotted_snake(&instruction.name["Type".len()..]))).collect()
        });
        let entries = || text.iter().map(|(opcode, name)| (*opcode, name.as_str()));
        Others {
            mnemonics: entries().collect(),
            instructions: entries()
                .filter_map(|(opcode, name)| Some((name.as_bytes(), Instruction::of(opcode)?)))
                .collect(),
        }
    })
}

/// `RayQueryKHR` as `khr.ray_query`.
fn dotted_snake(name: &str) -> String {
    let (name, vendor) = crate::dialect::split_vendor(name);
    let prefix = if vendor.is_empty() { String::new() } else { format!("{}.", vendor.to_ascii_lowercase()) };
    prefix + &attributes::snake_case(name)
}
