//! Conversions between numbers that say how they round or that they saturate, converted to LLVM and run.

use super::by_us;
use super::spirv_to_llvm_runs::Operand::{Float, Floats, Integer, Integers};
use super::spirv_to_llvm_runs::{Program, Types, USUAL, tools};

fn mode(name: &str) -> String {
    format!("fp_rounding_mode = #spirv.fp_rounding_mode<{name}>")
}

const MODES: [&str; 4] = ["RTE", "RTZ", "RTP", "RTN"];

#[test]
fn floats_become_integers_as_they_say() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    for (number, expected) in
        [(2.5, [2, 2, 3, 2]), (3.5, [4, 3, 4, 3]), (-2.5, [-2, -2, -2, -3]), (-0.75, [-1, 0, 0, -1])]
    {
        for (name, expected) in MODES.into_iter().zip(expected) {
            let given = program.constant(&Float(number));
            let mode = mode(name);
            let made = program.value(&format!("\"spirv.ConvertFToS\"({given}) {{{mode}}} : (f32) -> i32"));
            program.expect(&made, &Integer(expected));
        }
    }
    let both = program.constant(&Floats(vec![1.5, 254.5]));
    let made =
        program.value(&format!("\"spirv.ConvertFToU\"({both}) {{{}}} : (vector<2xf32>) -> vector<2xi32>", mode("RTP")));
    program.expect(&made, &Integers(vec![2, 255]));
    program.run();
}

#[test]
fn floats_out_of_range_become_the_last_integers() {
    if !tools() {
        return;
    }
    for (float, integer) in [("f32", "i32"), ("f64", "i64"), ("f16", "i16"), ("f16", "i32")] {
        let mut program = Program::new(Types { float, integer, ..USUAL });
        let bits: u32 = integer[1..].parse().expect("a number");
        let (least, most) = (-1i64 << (bits - 1), i64::MAX >> (64 - bits));
        let zero = program.constant(&Float(0.0));
        let one = program.constant(&Float(1.0));
        let infinite = program.value(&format!("spirv.FDiv {one}, {zero} : {float}"));
        let minus = program.value(&format!("spirv.FNegate {infinite} : {float}"));
        let none = program.value(&format!("spirv.FDiv {zero}, {zero} : {float}"));
        let usual = program.constant(&Float(-3.5));
        let large = program.constant(&Float(60000.0));
        // Without a sign, the greatest is all ones; 60000 is less than the greatest of more than 16 bits.
        let large_expected = if bits == 16 { [most, 60000 - 65536] } else { [60000, 60000] };
        for (value, signed, unsigned) in [
            (infinite, most, -1),
            (minus, least, 0),
            (none, 0, 0),
            (usual, -3, 0),
            (large, large_expected[0], large_expected[1]),
        ] {
            for (name, expected) in [("ConvertFToS", signed), ("ConvertFToU", unsigned)] {
                let made = program
                    .value(&format!("\"spirv.{name}\"({value}) {{saturated_conversion}} : ({float}) -> {integer}"));
                program.expect(&made, &Integer(expected));
            }
        }
        program.run();
    }
}

#[test]
fn integers_out_of_range_become_the_last_ones() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    for (number, signed, unsigned) in
        [(5, 5, 5), (127, 127, 127), (128, 127, 128), (300, 127, 255), (-5, -5, 255), (-300, -128, 255)]
    {
        let given = program.constant(&Integer(number));
        for (name, expected) in [("SConvert", signed), ("UConvert", unsigned)] {
            let made = program.value(&format!("\"spirv.{name}\"({given}) {{saturated_conversion}} : (i32) -> i8"));
            let made = program.value(&format!("spirv.{name} {made} : i8 to i32"));
            program.expect(&made, &Integer(expected));
        }
    }
    program.run();
}

/// The float of 32 bits beside a number of 64, by mode.
fn beside(number: f64) -> [f32; 4] {
    let near = number as f32;
    let wide = f64::from(near);
    let down = if wide > number { near.next_down() } else { near };
    let up = if wide < number { near.next_up() } else { near };
    [near, if number < 0.0 { up } else { down }, up, down]
}

#[test]
fn floats_become_narrower_as_they_say() {
    if !tools() {
        return;
    }
    let most = f64::from(f32::MAX);
    for number in [0.1, -0.1, 1.0, 1e-50, -1e-50, 16777217.0, -16777219.0, most * 1.5, -most * 1.5, 0.0] {
        let mut program = Program::new(Types { float: "f64", integer: "i32", near: 1e-12 });
        let given = program.constant(&Float(number));
        for (name, expected) in MODES.into_iter().zip(beside(number)) {
            let mode = mode(name);
            let made = program.value(&format!("\"spirv.FConvert\"({given}) {{{mode}}} : (f64) -> f32"));
            let bits = program.value(&format!("spirv.Bitcast {made} : f32 to i32"));
            program.expect(&bits, &Integer(i64::from(expected.to_bits() as i32)));
        }
        program.run();
    }
}

#[test]
fn integers_become_floats_as_they_say() {
    if !tools() {
        return;
    }
    for number in [0, 1, -1, 16777217, -16777217, 16777219, i32::MAX, i32::MIN, i32::MIN + 1] {
        let mut program = Program::new(USUAL);
        let given = program.constant(&Integer(number.into()));
        for (name, has_sign) in [("ConvertSToF", true), ("ConvertUToF", false)] {
            let wide = if has_sign { f64::from(number) } else { f64::from(number as u32) };
            for (mode_name, expected) in MODES.into_iter().zip(beside(wide)) {
                let mode = mode(mode_name);
                let made = program.value(&format!("\"spirv.{name}\"({given}) {{{mode}}} : (i32) -> f32"));
                let bits = program.value(&format!("spirv.Bitcast {made} : f32 to i32"));
                program.expect(&bits, &Integer(i64::from(expected.to_bits() as i32)));
            }
        }
        program.run();
    }
    // Beyond the largest of 16 bits there is infinity alone.
    let mut program = Program::new(Types { integer: "i16", ..USUAL });
    let given = program.value("spirv.Constant 70000 : i32");
    for (name, bits) in MODES.into_iter().zip([0x7c00, 0x7bff, 0x7c00, 0x7bff]) {
        let made = program.value(&format!("\"spirv.ConvertSToF\"({given}) {{{}}} : (i32) -> f16", mode(name)));
        let made = program.value(&format!("spirv.Bitcast {made} : f16 to i16"));
        program.expect(&made, &Integer(bits));
    }
    program.run();
}

/// Where it changes nothing, what a conversion says is what it was.
#[test]
fn what_changes_nothing_is_one_operation() {
    for (operation, to) in [
        ("\"spirv.ConvertFToS\"(%x) {fp_rounding_mode = #spirv.fp_rounding_mode<RTZ>} : (f32) -> i32", "llvm.fptosi"),
        ("\"spirv.FConvert\"(%x) {fp_rounding_mode = #spirv.fp_rounding_mode<RTE>} : (f32) -> f16", "llvm.fptrunc"),
        ("\"spirv.FConvert\"(%x) {fp_rounding_mode = #spirv.fp_rounding_mode<RTZ>} : (f32) -> f64", "llvm.fpext"),
    ] {
        let text = format!("spirv.func @f(%x: f32) \"None\" {{\n%r = {operation}\nspirv.Return\n}}");
        let made = by_us(&text, "builtin.module(convert-spirv-to-llvm)");
        assert!(made.contains(to), "{made}");
        assert_eq!(made.matches("\"llvm.").count(), 3, "{made}");
    }
}
