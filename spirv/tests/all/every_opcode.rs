//! One module an opcode of the grammar, made by a generator: each operand of each kind, with enumerants that have
//! parameters, unknown enumerants, trailing words, and unknown opcodes.

use mlirbc_bytecode::WriteOptions;
use mlirbc_spirv::grammar::{Instruction, Kind, OperandClass, Quantifier};
use mlirbc_spirv::{DIALECT, read, write};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// Ids of the module: an extended set, a type, and values before and behind the instruction.
const SET: u32 = 1;
const INT: u32 = 2;
const EARLY: u32 = 3;
const LATE: u32 = 4;
const RESULT: u32 = 5;
const UNKNOWN: u32 = 6;

/// Appends an operand of that kind: plain, or with as much behind it as there can be.
fn operand(words: &mut Vec<u32>, kind: Kind, round: u32) {
    let id = [EARLY, LATE, INT, UNKNOWN][round as usize % 4];
    match kind.class() {
        OperandClass::Id => words.push(id),
        OperandClass::Word => words.push(round),
        OperandClass::Number => words.extend([round, !round]),
        OperandClass::String => words.extend([u32::from_le_bytes(*b"main"), 0]),
        OperandClass::ExtendedInstruction => words.push(1 + round),
        OperandClass::Opcode => words.extend([128, EARLY, LATE]),
        OperandClass::PairNumberId => words.extend([round, id]),
        OperandClass::PairIdWord => words.extend([id, round]),
        OperandClass::PairIdId => words.extend([id, EARLY]),
        OperandClass::Value | OperandClass::Mask => {
            // Every enumerant in turn would be many files; these take turns with the round.
            let known: Vec<u32> = match kind.class() {
                OperandClass::Value => {
                    (0..7000).filter(|&value| !kind.show(value).bytes().all(|byte| byte.is_ascii_digit())).collect()
                }
                _ => (0..32).map(|bit| 1 << bit).filter(|&bit| kind.show(bit) != bit.to_string()).collect(),
            };
            let value = known.get((7 * round as usize) % known.len().max(1)).copied().unwrap_or(0);
            words.push(value);
            let parameters = rspirv_parameters(kind, value);
            for parameter in parameters {
                operand(words, parameter, round);
            }
        }
    }
}

/// The kinds of an enumerant's parameters, as `rspirv` gives them: not by the code under test.
fn rspirv_parameters(kind: Kind, value: u32) -> Vec<Kind> {
    use rspirv::{dr, spirv};
    let operand = match kind {
        Kind::Decoration => spirv::Decoration::from_u32(value).map(dr::Operand::Decoration),
        Kind::ExecutionMode => spirv::ExecutionMode::from_u32(value).map(dr::Operand::ExecutionMode),
        Kind::ImageOperands => spirv::ImageOperands::from_bits(value).map(dr::Operand::ImageOperands),
        Kind::LoopControl => spirv::LoopControl::from_bits(value).map(dr::Operand::LoopControl),
        Kind::MemoryAccess => spirv::MemoryAccess::from_bits(value).map(dr::Operand::MemoryAccess),
        Kind::TensorAddressingOperands => {
            spirv::TensorAddressingOperands::from_bits(value).map(dr::Operand::TensorAddressingOperands)
        }
        Kind::TensorOperands => spirv::TensorOperands::from_bits(value).map(dr::Operand::TensorOperands),
        _ => None,
    };
    let parameters = operand.map(|operand| operand.additional_operands()).unwrap_or_default();
    parameters.iter().filter_map(|parameter| Kind::find(&format!("{:?}", parameter.kind))).collect()
}

fn push(module: &mut Vec<u32>, opcode: u16, operands: &[u32]) {
    module.push((operands.len() as u32 + 1) << 16 | u32::from(opcode));
    module.extend_from_slice(operands);
}

/// A module with this instruction.
fn module(opcode: u16, operands: &[u32]) -> Vec<u8> {
    let mut words = vec![0x0723_0203, 0x0001_0600, 0, 7, 0];
    let mut import = vec![SET];
    import.extend(b"GLSL.std.450\0\0\0\0".as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)));
    push(&mut words, 11, &import);
    push(&mut words, 21, &[INT, 32, 0]);
    push(&mut words, 43, &[INT, EARLY, 42]);
    push(&mut words, opcode, operands);
    push(&mut words, 43, &[INT, LATE, 43]);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn check(name: &str, bytes: &[u8]) {
    let context = mlirbc_testing::context();
    let module = read(&context, bytes.to_vec()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(write(&module).unwrap_or_else(|error| panic!("{name}: {error}")), bytes, "{name}");
    for unregistered in [vec![], vec![DIALECT.to_owned()]] {
        let options = WriteOptions { unregistered, ..WriteOptions::default() };
        let file = mlirbc_bytecode::write(&module, &options).unwrap_or_else(|error| panic!("{name}: {error}"));
        let module = mlirbc_bytecode::read(&context, file).expect("bytecode");
        assert_eq!(write(&module).unwrap_or_else(|error| panic!("{name}: {error}")), bytes, "{name}");
    }
    let mut text = Vec::new();
    print_module(&module, &PrintOptions::new(), &mut text).expect("text");
    let parsed = parse_module(&context, &text, &ParseOptions::new())
        .unwrap_or_else(|error| panic!("{name}: {error}\n{}", String::from_utf8_lossy(&text)));
    assert_eq!(write(&parsed).unwrap_or_else(|error| panic!("{name}: {error}")), bytes, "{name}");
}

/// The operands of an instruction: those that must be there, or all, in the round of that number; then `trailing`.
fn operands(instruction: &Instruction, all: bool, round: u32, trailing: &[u32]) -> Vec<u32> {
    let mut words = Vec::new();
    words.extend(instruction.has_type.then_some(INT));
    words.extend(instruction.has_result.then_some(RESULT));
    for (at, wanted) in (0..).zip(&instruction.operands) {
        let times = match wanted.quantifier {
            Quantifier::One => 1,
            Quantifier::Optional => usize::from(all),
            Quantifier::Variadic => {
                if all {
                    3
                } else {
                    0
                }
            }
        };
        for time in 0..times {
            match wanted.kind {
                Kind::IdRef if instruction.name == "ExtInst" && at == 0 => words.push(SET),
                kind => operand(&mut words, kind, round + time as u32),
            }
        }
    }
    words.extend_from_slice(trailing);
    words
}

#[test]
fn every_opcode() {
    let rounds = if mlirbc_testing::is_whole() { 6 } else { 2 };
    let mut count = 0;
    for instruction in Instruction::all() {
        for round in 0..rounds {
            for all in [false, true] {
                let words = operands(instruction, all, round, &[]);
                check(instruction.name, &module(instruction.opcode, &words));
                let words = operands(instruction, all, round, &[77, 1, 0xffff_ffff]);
                // Where more ids may follow, these would be some that are not below the bound.
                let bytes = module(instruction.opcode, &words);
                if read(&mlirbc_testing::context(), bytes.clone()).is_ok() {
                    check(instruction.name, &bytes);
                }
                count += 2;
            }
        }
    }
    eprintln!("{count} modules of {} opcodes", Instruction::all().len());
    assert!(Instruction::all().len() > 850);
}

#[test]
fn unknown_opcodes_and_enumerants() {
    let unknown = (0..=u16::MAX).filter(|&opcode| Instruction::of(opcode).is_none()).step_by(61);
    let mut count = 0;
    for opcode in unknown {
        check("unknown", &module(opcode, &[RESULT, EARLY, LATE, 9999, 0xffff_ffff]));
        check("unknown", &module(opcode, &[]));
        count += 1;
    }
    assert!(count > 1000);
    // A decoration, an execution mode, a capability, a memory access and a loop control of the future.
    check("Decorate", &module(71, &[EARLY, 0x7777, LATE, 12]));
    check("ExecutionMode", &module(16, &[EARLY, 0x7777, 1, 2, 3]));
    check("Capability", &module(17, &[0x7777]));
    check("Load", &module(61, &[INT, RESULT, EARLY, 1 << 30 | 2, 16, LATE]));
    check("LoopMerge", &module(246, &[EARLY, LATE, 1 << 31, 4]));
    // A string that is not filled up with zeros.
    check("Name", &module(5, &[EARLY, 0x6161_0061]));
    // Sets whose operands are ids, some literals, and which is not known.
    for set in ["OpenCL.DebugInfo.100", "DebugInfo", "NonSemantic.Shader.DebugInfo.100", "Vendor.Own"] {
        for number in 0..48 {
            let mut name = set.as_bytes().to_vec();
            name.resize(set.len() / 4 * 4 + 4, 0);
            let mut words = vec![0x0723_0203, 0x0001_0000, 0, 9, 0];
            let mut import = vec![SET];
            import.extend(name.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)));
            push(&mut words, 11, &import);
            push(&mut words, 21, &[INT, 32, 0]);
            push(&mut words, 12, &[INT, RESULT, SET, number, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4]);
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            check(set, &bytes);
        }
    }
}
