//! The committed table of upstream's operations.

use mlirbc_ir::ods::{NativeProperty, OpDef, OpTable, PropertyDef, PropertyKind, Traits, upstream};

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
    assert_eq!(OpTable::from_definitions(checked.iter()).to_bytes(), table.to_bytes());
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
fn layouts_are_those_of_the_fact_sheet() {
    let Ok(shared) = std::env::var("MLIRBC_SHARED") else {
        eprintln!("SKIPPED: MLIRBC_SHARED is not set, so layouts were not compared with those in props_seq.json");
        return;
    };
    let path = std::path::Path::new(&shared).join("facts/tools/props_seq.json");
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
    let small = OpTable::from_definitions(upstream().dialect("scf").chain(upstream().dialect("ptr"))).to_bytes();
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
            assert_eq!(OpTable::from_definitions(table.iter()).len(), table.len());
        }
    }
}
