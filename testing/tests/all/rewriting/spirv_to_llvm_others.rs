//! What `convert-spirv-to-llvm` makes of operations that MLIR's dialect lacks, compiled and run by LLVM.

use std::fmt::Write as _;

use super::spirv_to_llvm_runs::Operand::{Float, Integer, Integers};
use super::spirv_to_llvm_runs::{Program, USUAL, tools};

#[test]
fn operations_of_numbers_give_what_they_should() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    let zero = program.constant(&Float(0.0));
    let one = program.constant(&Float(1.0));
    let infinite = program.value(&format!("spirv.FDiv {one}, {zero} : f32"));
    let less = program.constant(&Float(-1e-40));
    let given = [(&one, true, false), (&zero, false, false), (&infinite, false, false), (&less, false, true)];
    for (number, is_normal, is_below) in given {
        for (name, is) in [("IsNormal", is_normal), ("SignBitSet", is_below)] {
            let mut made = program.value(&format!("\"spirv.{name}\"({number}) : (f32) -> i1"));
            if !is {
                made = program.value(&format!("spirv.LogicalNot {made} : i1"));
            }
            program.count(&made);
        }
    }
    program.check("FmaKHR", &[Float(1.5), Float(2.5), Float(0.25)], &Float(4.0));
    program.check("ArithmeticFenceEXT", &[Float(1.5)], &Float(1.5));
    program.check("ExpectKHR", &[Integer(4), Integer(5)], &Integer(4));
    program.check("CompositeConstructReplicateEXT", &[Integer(4)], &Integers(vec![4, 4, 4]));
    program.check("AbsISubINTEL", &[Integer(-5), Integer(3)], &Integer(8));
    program.check("AbsUSubINTEL", &[Integer(-1), Integer(-3)], &Integer(2));
    program.check("IAddSatINTEL", &[Integer(i32::MAX.into()), Integer(3)], &Integer(i32::MAX.into()));
    program.check("USubSatINTEL", &[Integer(2), Integer(3)], &Integer(0));
    program.check("IAverageINTEL", &[Integer(-5), Integer(2)], &Integer(-2));
    program.check("UAverageRoundedINTEL", &[Integer(-1), Integer(-4)], &Integer(-2));
    program.check("UCountLeadingZerosINTEL", &[Integer(1)], &Integer(31));
    program.check("UCountTrailingZerosINTEL", &[Integer(12)], &Integer(2));
    program.check("IMul32x16INTEL", &[Integer(3), Integer(0x1_fffe)], &Integer(-6));
    program.check("UMul32x16INTEL", &[Integer(3), Integer(0x1_fffe)], &Integer(3 * 0xfffe));
    for (name, from, number, to, expected) in [
        ("SatConvertSToU", "i32", -5, "i8", 0),
        ("SatConvertSToU", "i32", 300, "i8", -1),
        ("SatConvertSToU", "i8", -5, "i8", 0),
        ("SatConvertSToU", "i8", 100, "i32", 100),
        ("SatConvertUToS", "i32", -5, "i8", 127),
        ("SatConvertUToS", "i8", -1, "i8", 127),
        ("SatConvertUToS", "i8", -1, "i32", 255),
        ("SatConvertUToS", "i64", -1, "i32", i64::from(i32::MAX)),
        ("SatConvertUToS", "i64", -1, "i64", i64::MAX),
        ("SatConvertUToS", "i64", 5, "i64", 5),
        ("SatConvertSToU", "i64", -5, "i64", 0),
    ] {
        let given = program.value(&format!("spirv.Constant {number} : {from}"));
        let made = program.value(&format!("\"spirv.{name}\"({given}) : ({from}) -> {to}"));
        let expected = program.value(&format!("spirv.Constant {expected} : {to}"));
        let same = program.value(&format!("spirv.IEqual {made}, {expected} : {to}"));
        program.count(&same);
    }
    program.run();
}

#[test]
fn pointers_are_apart_by_their_elements() {
    if !tools() {
        return;
    }
    for (element, size) in [("f32", 4), ("vector<2xi16>", 4), ("!spirv.struct<(i32, i32, i32)>", 12)] {
        let mut program = Program::new(USUAL);
        let (array, place) =
            (format!("!spirv.ptr<!spirv.array<8 x {element}>, Function>"), format!("!spirv.ptr<{element}, Function>"));
        let all = program.value(&format!("spirv.Variable : {array}"));
        let places = [1, 6].map(|number| {
            let number = program.constant(&Integer(number));
            program.value(&format!("spirv.AccessChain {all}[{number}] : {array}, i32 -> {place}"))
        });
        let [first, last] = &places;
        let made = program.value(&format!("\"spirv.PtrDiff\"({last}, {first}) : ({place}, {place}) -> i32"));
        program.expect(&made, &Integer(5));
        let made = program.value(&format!("\"spirv.PtrDiff\"({first}, {last}) : ({place}, {place}) -> i32"));
        program.expect(&made, &Integer(-5));
        let made = program.value(&format!("\"spirv.SizeOf\"({first}) : ({place}) -> i32"));
        program.expect(&made, &Integer(size));
        program.run();
    }
}

#[test]
fn composites_are_chosen_and_copied() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    let (plain, laid) = (
        "!spirv.struct<(i32, !spirv.array<2 x f32>)>",
        "!spirv.struct<(i32 [0], !spirv.array<2 x f32, stride=4> [4])>",
    );
    let mut values = Vec::new();
    for number in [3, 5] {
        let first = program.constant(&Integer(number));
        let second = program.constant(&Float(number as f64 / 2.0));
        let array = program
            .value(&format!("\"spirv.CompositeConstruct\"({second}, {second}) : (f32, f32) -> !spirv.array<2 x f32>"));
        values.push(program.value(&format!(
            "\"spirv.CompositeConstruct\"({first}, {array}) : (i32, !spirv.array<2 x f32>) -> {plain}"
        )));
    }
    let condition = program.value("spirv.Constant false");
    let made = program.value(&format!(
        "\"spirv.OpSelect\"({condition}, {}, {}) : (i1, {plain}, {plain}) -> {plain}",
        values[0], values[1]
    ));
    let copied = program.value(&format!("\"spirv.CopyLogical\"({made}) : ({plain}) -> {laid}"));
    let copied = program.value(&format!("\"spirv.CopyObject\"({copied}) : ({laid}) -> {laid}"));
    let part = program.value(&format!("spirv.CompositeExtract {copied}[0 : i32] : {laid}"));
    program.expect(&part, &Integer(5));
    let part = program.value(&format!("spirv.CompositeExtract {copied}[1 : i32, 1 : i32] : {laid}"));
    program.expect(&part, &Float(2.5));
    program.run();
}

#[test]
fn room_of_a_length_that_is_known_at_run_time_is_given_back() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    let (byte, place) = ("!spirv.ptr<i8, Function>", "!spirv.ptr<i32, Function>");
    let saved = program.value(&format!("\"spirv.SaveMemoryINTEL\"() : () -> {byte}"));
    let many = program.constant(&Integer(10));
    let room = program.value(&format!("\"spirv.VariableLengthArrayINTEL\"({many}) : (i32) -> {place}"));
    let nine = program.constant(&Integer(9));
    let last = program.value(&format!("\"spirv.PtrAccessChain\"({room}, {nine}) : ({place}, i32) -> {place}"));
    writeln!(program.text, "spirv.Store \"Function\" {last}, {nine} : i32").expect("text");
    let made = program.value(&format!("spirv.Load \"Function\" {last} : i32"));
    program.expect(&made, &Integer(9));
    writeln!(program.text, "\"spirv.RestoreMemoryINTEL\"({saved}) : ({byte}) -> ()").expect("text");
    let scope = program.constant(&Integer(1));
    let clocks = [0, 1].map(|_| program.value(&format!("\"spirv.ReadClockKHR\"({scope}) : (i32) -> i64")));
    let later = program.value(&format!("spirv.UGreaterThanEqual {}, {} : i64", clocks[1], clocks[0]));
    program.count(&later);
    program.run();
}
