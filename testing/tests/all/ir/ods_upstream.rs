//! The committed table of upstream's operations.

use crate::definitions::{tables, upstream};
use mlirbc_ir::ods::{
    Coverage, Multiplicity, NativeProperty, OpDef, OpTable, PropertyDef, PropertyKind, Term, Traits, ValueDef,
};

/// A fixed sequence of numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

fn op(name: &str) -> OpDef {
    upstream().get(name).unwrap_or_else(|| panic!("{name} is defined"))
}

#[test]
fn every_operation_is_there() {
    let table = upstream();
    assert_eq!(table.len(), 2_633);
    assert_eq!(table.dialects().count(), 48);
    assert_eq!(table.iter().count(), 2_633);
    assert_eq!(table.iter().filter(|op| op.properties.is_empty()).count(), 1_259);
    for (dialect, count) in
        [("llvm", 284), ("spirv", 306), ("transform", 224), ("builtin", 2), ("rocdl", 323), ("dlti", 0)]
    {
        assert_eq!(table.dialect(dialect).count(), count, "{dialect}");
    }
    for op in table.iter() {
        assert_eq!(table.get(&op.name).as_ref(), Some(&op));
        assert!(!op.traits.contains(Traits::OPAQUE_PROPERTIES), "{}", op.name);
    }
    for absent in ["", ".", "arith", "arith.", "arith.addj", "arith.addi.", "zzz.add", "\u{0}.a"] {
        assert!(table.get(absent).is_none(), "{absent:?}");
    }
    // Loading the same bytes checks every record.
    let checked = OpTable::from_bytes(table.to_bytes()).expect("a table");
    assert!(OpTable::new(&checked.to_definitions()).to_bytes() == table.to_bytes(), "the same bytes");
    assert!(table.to_bytes().len() < 400_000);
}

#[test]
fn layouts_are_those_of_bytecode() {
    let layout = |name: &str| -> Vec<String> {
        op(name).properties.into_iter().map(|property| format!("{} {:?}", property.name, property.kind)).collect()
    };
    assert_eq!(
        layout("func.func"),
        [
            "arg_attrs Optional",
            "function_type Required",
            "no_inline Optional",
            "res_attrs Optional",
            "sym_name Required",
            "sym_visibility Optional"
        ]
    );
    assert_eq!(layout("arith.constant"), ["value Required"]);
    assert_eq!(layout("cf.cond_br"), ["branch_weights Optional", "operandSegmentSizes OperandSegments(3)"]);
    assert_eq!(layout("llvm.call")[0], "CConv Optional", "names are sorted by their bytes");
    assert_eq!(layout("affine.linearize_index")[1], "disjoint Native(Bool)");
    assert_eq!(layout("llvm.add"), ["overflowFlags Native(Integer { width: 32, signed: false })"]);
    assert_eq!(layout("ptr.ptr_diff"), ["flags Native(Integer { width: 8, signed: false })"]);
    let alignment = NativeProperty::OptionalOf(Box::new(NativeProperty::Integer { width: 64, signed: true }));
    let kind = PropertyKind::Native(alignment);
    assert_eq!(op("ptr.gather").properties, [PropertyDef { name: "alignment".into(), kind }]);
}

#[test]
fn traits_say_how_operations_nest() {
    let count = |traits| upstream().iter().filter(|op| op.traits.contains(traits)).count();
    assert_eq!(count(Traits::TERMINATOR), 85);
    assert_eq!(count(Traits::ISOLATED_FROM_ABOVE), 40);
    assert_eq!(count(Traits::SINGLE_BLOCK), 157);
    assert_eq!(count(Traits::NO_TERMINATOR), 27);
    assert_eq!(count(Traits::SYMBOL_TABLE), 10);
    assert_eq!(count(Traits::SYMBOL), 44);
    assert_eq!(count(Traits::OPERAND_SEGMENTS), 243);
    assert_eq!(count(Traits::RESULT_SEGMENTS), 1);
    assert_eq!(count(Traits::SAME_VARIADIC_OPERAND_SIZE), 8);
    assert_eq!(count(Traits::NO_REGION_ARGUMENTS), 17);
    assert_eq!(count(Traits::SAME_OPERANDS_AND_RESULT_TYPE), 270);

    let module = op("builtin.module");
    assert!(module.traits.contains(Traits::ISOLATED_FROM_ABOVE | Traits::SYMBOL_TABLE | Traits::NO_TERMINATOR));
    assert_eq!(op("func.return").parents, ["func.func"]);
    assert_eq!(op("tensor.yield").parents, ["tensor.generate", "tensor.pad"]);
    assert_eq!(op("scf.for").implicit_terminator.as_deref(), Some("scf.yield"));
    assert_eq!(op("linalg.matmul").implicit_terminator.as_deref(), Some("linalg.yield"));
    for op in upstream().iter() {
        let named = op.parents.iter().chain(&op.implicit_terminator);
        for name in named {
            assert!(upstream().get(name).is_some(), "{} names {name}", op.name);
        }
    }
}

/// Every layout, against those found in the C++ that upstream generates.
#[test]
fn layouts_are_those_of_generated_cpp() {
    let Some(shared) = mlirbc_testing::shared("layouts were not compared with props_seq.json") else { return };
    let path = shared.join("facts/tools/props_seq.json");
    let expected: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(&std::fs::read(path).expect("props_seq.json")).expect("JSON");
    let mut compared = 0;
    for op in upstream().iter().filter(|op| !op.properties.is_empty()) {
        let mut ours: Vec<(String, String)> = Vec::new();
        let segments =
            |kind: &PropertyKind| matches!(kind, PropertyKind::OperandSegments(_) | PropertyKind::ResultSegments(_));
        let mut attributes: Vec<_> =
            op.properties.iter().filter(|property| !matches!(property.kind, PropertyKind::Native(_))).collect();
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
        for property in attributes {
            let kind = match property.kind {
                PropertyKind::Required => "req",
                PropertyKind::Optional => "opt",
                _ => "seg_v5",
            };
            ours.push((kind.into(), property.name.clone()));
        }
        for property in &op.properties {
            let kinds: &[&str] = match &property.kind {
                PropertyKind::Native(NativeProperty::Bool) => &["bool"],
                PropertyKind::Native(NativeProperty::Integer { .. }) => &["enumvarint"],
                PropertyKind::Native(NativeProperty::OptionalOf(_)) => &["optbool", "optvarint_body"],
                kind if segments(kind) => &["seg_v6"],
                _ => &[],
            };
            ours.extend(kinds.iter().map(|kind| (kind.to_string(), property.name.clone())));
        }
        let theirs: Vec<(String, String)> =
            serde_json::from_value(expected[&op.name].clone()).unwrap_or_else(|error| panic!("{}: {error}", op.name));
        assert_eq!(ours, theirs, "{}", op.name);
        compared += 1;
    }
    assert_eq!((compared, expected.len()), (1_374, 1_374));
}

#[test]
fn wrong_bytes_are_an_error_and_never_a_panic() {
    let whole = upstream().to_bytes();
    for length in 0..whole.len() {
        assert!(OpTable::from_bytes(whole.slice(..length)).is_err(), "{length} of {} bytes", whole.len());
    }
    // A table of one dialect, so that every truncation and many mutations are checked whole.
    let mut small = upstream().to_definitions();
    small.ops.retain(|op| op.name.starts_with("scf.") || op.name.starts_with("ptr."));
    small.attributes.retain(|attribute| attribute.name.starts_with("ptr."));
    small.types.retain(|ty| ty.name.starts_with("ptr."));
    small.enums.retain(|definition| definition.name.starts_with("ptr::"));
    let small = OpTable::new(&small).to_bytes();
    for length in 0..small.len() {
        assert!(OpTable::from_bytes(small.slice(..length)).is_err(), "{length} of {} bytes", small.len());
    }
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let mut bytes = small.to_vec();
        for _ in 0..=numbers.next() % 4 {
            let at = numbers.next() as usize % bytes.len();
            bytes[at] = match numbers.next() % 3 {
                0 => 0xff,
                1 => bytes[at] ^ 1 << (numbers.next() % 8),
                _ => numbers.next() as u8,
            };
        }
        if let Ok(table) = OpTable::from_bytes(bytes) {
            assert_eq!(table.iter().count(), table.len());
            assert!(table.iter().all(|op| op.details().operands.len() < 1 << 17));
            table.coverage();
            assert_eq!(OpTable::new(&table.to_definitions()).len(), table.len());
        }
    }
}

/// How often the constraints use what is C++ and is not understood.
const UNKNOWN: &[(u64, &str)] = &[
    (14, "the function getTileType"),
    (10, "an expression of an unknown form"),
    (5, "the function VectorType"),
    (4, "the function isSharedMemory"),
    (2, "the function getSrcVectorBitWidth"),
    (2, "the function isAnySMTValueType"),
    (2, "the function isIntegerIndexOrOpaqueType"),
    (2, "the function isSupportedEmitCType"),
    (2, "the function isSupportedFloatType"),
    (2, "the function typesMatchAfterBufferization"),
    (1, "the function SmallVector"),
    (1, "the function getDstVectorBitWidth"),
    (1, "the function getGetValueTypeOpValueType"),
    (1, "the function getResVectorBitWidth"),
    (1, "the function getResultVectorType"),
    (1, "the function getSourceVectorType"),
    (1, "the function getValAndBoolStructType"),
    (1, "the function getVectorNumElements"),
    (1, "the function isAnyNonFuncSMTValueType"),
    (1, "the function isLoadableType"),
    (1, "the method isSlice"),
    (1, "the method scaleElementBitwidth"),
    (1, "what makes the class VectorType"),
];

#[test]
fn most_of_the_definitions_is_understood() {
    let coverage = Coverage::of_all(&tables());
    assert_eq!((coverage.operations, coverage.dialects), (2_633, 48));
    assert_eq!((coverage.attributes, coverage.types, coverage.enums), (329, 110, 230));
    assert_eq!((coverage.formats, coverage.custom, coverage.generic), (2_245, 223, 165));
    assert_eq!((coverage.directives.len(), coverage.directives.values().sum::<usize>()), (85, 347));
    assert_eq!((coverage.uses, coverage.verified), (8_560, 761));
    let found: Vec<(u64, &str)> = coverage.unknown.iter().map(|unknown| (unknown.uses, &*unknown.reason)).collect();
    assert_eq!(found, UNKNOWN);
    let unknown: u64 = coverage.unknown.iter().map(|unknown| unknown.uses).sum();
    assert_eq!(coverage.understood + unknown, coverage.uses);
    assert!(coverage.unknown.iter().all(|unknown| !unknown.reason.is_empty() && !unknown.operations.is_empty()));
}

#[test]
fn definitions_say_what_operations_take_give_and_hold() {
    let count = |multiplicity: fn(&Multiplicity) -> bool, values: fn(&OpDef) -> &[ValueDef]| {
        let of = |op: OpDef| values(&op).iter().filter(|value| multiplicity(&value.multiplicity)).count();
        upstream().iter().map(of).sum::<usize>()
    };
    let one = |multiplicity: &Multiplicity| *multiplicity == Multiplicity::One;
    let optional = |multiplicity: &Multiplicity| *multiplicity == Multiplicity::Optional;
    let variadic = |multiplicity: &Multiplicity| *multiplicity == Multiplicity::Variadic;
    let groups = |multiplicity: &Multiplicity| matches!(multiplicity, Multiplicity::Groups(_));
    let operands = [one, variadic, optional, groups].map(|multiplicity| count(multiplicity, OpDef::operands));
    assert_eq!(operands, [3_454, 801, 287, 8]);
    let results = [one, variadic, optional].map(|multiplicity| count(multiplicity, OpDef::results));
    assert_eq!(results, [1_887, 162, 57]);

    let compare = op("arith.cmpi");
    assert_eq!(compare.attributes()[0].constraint.enumeration.as_deref(), Some("arith::CmpIPredicate"));
    let predicates = upstream().enumeration("arith::CmpIPredicate").expect("an enum");
    assert_eq!(predicates.case("ult").map(|case| case.value), Some(6));
    assert_eq!(predicates.case_of(9).map(|case| case.text.as_str()), Some("uge"));
    assert_eq!(upstream().enumeration("spirv::Capability").map(|capability| capability.cases.len()), Some(210));

    let add = op("arith.addf");
    assert_eq!(add.attributes()[0].constraint.storage, "arith.fastmath");
    let none = Term::Enumerant { enumeration: "arith::FastMathFlags".into(), case: "none".into() };
    assert_eq!(add.attributes()[0].default.as_ref(), Some(&none));
    let fastmath = upstream().attribute_definition("arith.fastmath").expect("an attribute");
    assert_eq!(fastmath.enumeration.as_deref(), Some("arith::FastMathFlags"));
    let pointer = upstream().type_definition("llvm.ptr").expect("a type");
    assert_eq!((pointer.parameters[0].name.as_str(), pointer.parameters[0].optional), ("addressSpace", true));

    let switch = op("cf.switch");
    assert_eq!(switch.operand_ranges(6, Some(&[1, 2, 3])), Some(vec![0..1, 1..3, 3..6]));
    assert_eq!(switch.operand_ranges(6, Some(&[0, 3, 3])), None);
    assert_eq!(switch.operand_ranges(6, Some(&[1, 2, -3])), None);
    assert_eq!(switch.operand_ranges(5, Some(&[1, 2, 3])), None);
    assert_eq!(switch.operand_ranges(1, None), None);
    assert_eq!(op("cf.assert").operand_ranges(1, None).map(|ranges| ranges.len()), Some(1));
    assert_eq!(op("scf.for").operand_ranges(5, None), Some(vec![0..1, 1..2, 2..3, 3..5]));
    assert_eq!(op("scf.for").operand_ranges(2, None), None);
}
