//! What `convert-spirv-to-llvm` makes of the functions of OpenCL that are several operations or go through pointers, compiled and run by LLVM.

use std::fmt::Write as _;

use mlirbc_conversion::spirv_to_llvm::has_conversion;
use mlirbc_rewrite::Pipeline;
use mlirbc_spirv::grammar::Set;
use mlirbc_testing::tool;

use super::spirv_to_llvm_runs::Operand::{Float, Floats, Integer, Integers};
use super::spirv_to_llvm_runs::{Operand, Program, Types, USUAL, piped, tools};
use super::{context, generic, registry};

#[test]
fn every_function_of_opencl_is_converted() {
    let names: Vec<&str> = (0..256).filter_map(|number| Set::instruction_name(b"OpenCL.std", number)).collect();
    assert_eq!(names.len(), 162);
    let left: Vec<&&str> = names.iter().filter(|name| !has_conversion(&format!("spirv.CL.{name}"))).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn functions_of_half_turns_are_exact_where_they_cross_the_axes() {
    if !tools() {
        return;
    }
    type Function = (&'static str, fn(f64) -> f64);
    let functions: [Function; 6] = [
        ("acospi", |x| x.acos() / std::f64::consts::PI),
        ("asinpi", |x| x.asin() / std::f64::consts::PI),
        ("atanpi", |x| x.atan() / std::f64::consts::PI),
        ("cospi", |x| (x * std::f64::consts::PI).cos()),
        ("sinpi", |x| (x * std::f64::consts::PI).sin()),
        ("tanpi", |x| (x * std::f64::consts::PI).tan()),
    ];
    for (float, near) in [("f32", 2e-6), ("f64", 1e-12), ("f16", 5e-3)] {
        let mut program = Program::new(Types { float, near, ..USUAL });
        for (name, function) in functions {
            for number in [-0.625, 0.25] {
                program.check(&format!("CL.{name}"), &[Float(number)], &Float(function(number)));
            }
            let given = vec![0.3125, -0.75, 0.875];
            let expected = Floats(given.iter().map(|&number| function(number)).collect());
            program.check(&format!("CL.{name}"), &[Floats(given)], &expected);
        }
        program.check("CL.atan2pi", &[Float(0.5), Float(-2.0)], &Float(0.5f64.atan2(-2.0) / std::f64::consts::PI));
        program.run();
    }
    let mut program = Program::new(Types { near: 1e-30, ..USUAL });
    // Multiplied with a number near pi, all of these would be next to what they are.
    for (number, sine, cosine) in [
        (1.0, 0.0, -1.0),
        (-3.0, 0.0, -1.0),
        (2.5, 1.0, 0.0),
        (-0.5, -1.0, 0.0),
        (1_000_001.0, 0.0, -1.0),
        (0.0, 0.0, 1.0),
    ] {
        program.check("CL.sinpi", &[Float(number)], &Float(sine));
        program.check("CL.cospi", &[Float(number)], &Float(cosine));
    }
    program.check("CL.tanpi", &[Float(7.0)], &Float(0.0));
    program.run();
}

#[test]
fn functions_of_two_numbers_give_what_they_should() {
    if !tools() {
        return;
    }
    let floats = |all: &[f64]| Floats(all.to_vec());
    let mut program = Program::new(USUAL);
    for (name, expected) in [("maxmag", [-3.0, 2.5, 4.0]), ("minmag", [2.0, -1.0, -4.0])] {
        let given = [floats(&[2.0, 2.5, 4.0]), floats(&[-3.0, -1.0, -4.0])];
        program.check(&format!("CL.{name}"), &given, &floats(&expected));
    }
    program.check("CL.fmax_common", &[Float(1.5), Float(2.5)], &Float(2.5));
    program.check("CL.fmin_common", &[Float(1.5), Float(2.5)], &Float(1.5));
    program.check("CL.ilogb", &[floats(&[0.75, 1.0, -12.0])], &Integers(vec![-1, 0, 3]));
    program.check("CL.ilogb", &[Float(0.0)], &Integer(i32::MIN.into()));
    program.check("CL.logb", &[floats(&[0.75, 1.0, -12.0])], &floats(&[-1.0, 0.0, 3.0]));
    for (number, degree, expected) in [
        (27.0, 3, 3.0),
        (-27.0, 3, -3.0),
        (16.0, 4, 2.0),
        (4.0, -2, 0.5),
        (0.0, 5, 0.0),
        (7.0, 1, 7.0),
        (1e30, 2, 1e15),
    ] {
        program.check("CL.rootn", &[Float(number), Integer(degree)], &Float(expected));
    }
    program.check("CL.rootn", &[floats(&[8.0, -8.0]), Integers(vec![3, -3])], &floats(&[2.0, -0.5]));
    program.run();
    // What is next, to the bit.
    for (float, digits, least) in [("f32", 23, 2f64.powi(-149)), ("f64", 52, 5e-324), ("f16", 10, 2f64.powi(-24))] {
        let mut program = Program::new(Types { float, near: 0.0, ..USUAL });
        let step = 2f64.powi(-digits);
        for (from, to, expected) in [
            (1.0, 2.0, 1.0 + step),
            (1.0, -2.0, 1.0 - step / 2.0),
            (-1.0, -2.0, -1.0 - step),
            (-1.0, 2.0, -1.0 + step / 2.0),
            (0.0, -1.0, -least),
            (0.0, 1.0, least),
            (3.0, 3.0, 3.0),
        ] {
            program.check("CL.nextafter", &[Float(from), Float(to)], &Float(expected));
        }
        program.run();
    }
    // No number, with the bits that are given.
    let mut program = Program::new(USUAL);
    let code = program.constant(&Integer(5));
    let made = program.value(&format!("\"spirv.CL.nan\"({code}) : (i32) -> f32"));
    let bits = program.value(&format!("spirv.Bitcast {made} : f32 to i32"));
    program.expect(&bits, &Integer(0x7fc0_0005));
    program.run();
}

#[test]
fn integers_keep_what_wider_ones_would() {
    if !tools() {
        return;
    }
    for (integer, bits) in [("i32", 32), ("i64", 64), ("i16", 16), ("i8", 8)] {
        let mut program = Program::new(Types { integer, ..USUAL });
        let most = i64::MAX >> (64 - bits);
        let pair = |first, second| Integers(vec![first, second]);
        program.check("CL.s_hadd", &[pair(most, -3), pair(most, 6)], &pair(most, 1));
        program.check("CL.s_rhadd", &[pair(most, -3), pair(most - 1, 6)], &pair(most, 2));
        program.check("CL.u_hadd", &[Integer(-1), Integer(-4)], &Integer(-3));
        program.check("CL.u_rhadd", &[Integer(-1), Integer(-4)], &Integer(-2));
        program.check("CL.s_mad_hi", &[Integer(-1), Integer(2), Integer(7)], &Integer(6));
        program.check("CL.u_mad_hi", &[Integer(-1), Integer(2), Integer(7)], &Integer(8));
        program.check("CL.s_mad_sat", &[pair(most, most), pair(2, -2), pair(0, 0)], &pair(most, -most - 1));
        program.check("CL.s_mad_sat", &[Integer(-3), Integer(5), Integer(7)], &Integer(-8));
        program.check("CL.u_mad_sat", &[Integer(-1), Integer(2), Integer(0)], &Integer(-1));
        program.check("CL.u_mad_sat", &[Integer(3), Integer(5), Integer(7)], &Integer(22));
        program.run();
    }
    let mut program = Program::new(USUAL);
    let [high, low] = [-2, -1].map(|number| program.value(&format!("spirv.Constant {number} : i16")));
    for (name, expected) in [("s_upsample", -65537), ("u_upsample", 0xfffe_ffffu32 as i32 as i64)] {
        let made = program.value(&format!("\"spirv.CL.{name}\"({high}, {low}) : (i16, i16) -> i32"));
        program.expect(&made, &Integer(expected));
    }
    let given = Integers(vec![10, 11, 12, 13]);
    program.check("CL.shuffle", &[given.clone(), Integers(vec![3, 4 + 1])], &Integers(vec![13, 11]));
    let other = Integers(vec![20, 21, 22, 23]);
    program.check("CL.shuffle2", &[given, other, Integers(vec![7, 0, 4, 8 + 2])], &Integers(vec![23, 10, 20, 12]));
    program.run();
}

/// Checks both what an operation gives and what it stores where its last operand leads.
fn check_both(program: &mut Program, name: &str, given: &[Operand], [first, second]: [&Operand; 2]) {
    let mut operands: Vec<String> = given.iter().map(|operand| program.constant(operand)).collect();
    let mut types: Vec<String> = given.iter().map(|operand| program.ty(operand)).collect();
    let (ty, stored) = (program.ty(first), program.ty(second));
    let place = format!("!spirv.ptr<{stored}, Function>");
    operands.push(program.value(&format!("spirv.Variable : {place}")));
    types.push(place);
    let pointer = operands.last().cloned().expect("a pointer");
    let made = program.value(&format!("\"spirv.CL.{name}\"({}) : ({}) -> {ty}", operands.join(", "), types.join(", ")));
    program.expect(&made, first);
    let made = program.value(&format!("spirv.Load \"Function\" {pointer} : {stored}"));
    program.expect(&made, second);
}

#[test]
fn second_results_go_where_pointers_lead() {
    if !tools() {
        return;
    }
    for (float, near) in [("f32", 1e-5), ("f64", 1e-7)] {
        let mut program = Program::new(Types { float, near, ..USUAL });
        let floats = |all: &[f64]| Floats(all.to_vec());
        check_both(&mut program, "fract", &[Float(-0.25)], [&Float(0.75), &Float(-1.0)]);
        check_both(&mut program, "fract", &[floats(&[2.5, 3.0])], [&floats(&[0.5, 0.0]), &floats(&[2.0, 3.0])]);
        check_both(&mut program, "modf", &[Float(-2.75)], [&Float(-0.75), &Float(-2.0)]);
        check_both(&mut program, "frexp", &[Float(12.0)], [&Float(0.75), &Integer(4)]);
        check_both(&mut program, "sincos", &[Float(0.5)], [&Float(0.5f64.sin()), &Float(0.5f64.cos())]);
        check_both(&mut program, "lgamma_r", &[Float(1.5)], [&Float(-0.120_782_237), &Integer(1)]);
        check_both(&mut program, "lgamma_r", &[Float(-0.5)], [&Float(1.265_512_123), &Integer(-1)]);
        check_both(&mut program, "lgamma_r", &[Float(-1.5)], [&Float(0.860_047_015), &Integer(1)]);
        check_both(&mut program, "remquo", &[Float(5.5), Float(2.0)], [&Float(-0.5), &Integer(3)]);
        check_both(&mut program, "remquo", &[Float(-5.5), Float(2.0)], [&Float(0.5), &Integer(-3)]);
        // 1,000,001 times, of which 65 are in the lowest seven bits.
        check_both(&mut program, "remquo", &[Float(3_000_003.0), Float(3.0)], [&Float(0.0), &Integer(1_000_001 & 127)]);
        check_both(&mut program, "remquo", &[Float(5.0), Float(1e30)], [&Float(5.0), &Integer(0)]);
        program.run();
    }
    // The greatest number below 1, where the rest is rounded to 1.
    let mut program = Program::new(Types { near: 0.0, ..USUAL });
    check_both(&mut program, "fract", &[Float(-2f64.powi(-40))], [&Float(1.0 - 2f64.powi(-24)), &Float(-1.0)]);
    program.run();
}

#[test]
fn vectors_stand_in_memory_as_their_elements_do() {
    if !tools() {
        return;
    }
    let mut program = Program::new(Types { near: 0.0, ..USUAL });
    let (array, place) = ("!spirv.ptr<!spirv.array<12 x f32>, Function>", "!spirv.ptr<f32, Function>");
    let all = program.value(&format!("spirv.Variable : {array}"));
    let [zero, one, two] = [0, 1, 2].map(|number| program.constant(&Integer(number)));
    let start = program.value(&format!("spirv.AccessChain {all}[{zero}] : {array}, i32 -> {place}"));
    for (number, value) in [(&zero, [1.0, 2.0, 3.0]), (&one, [4.0, 5.0, 6.0]), (&two, [7.0, 8.0, 9.0])] {
        let value = program.constant(&Floats(value.to_vec()));
        let operation =
            format!("\"spirv.CL.vstoren\"({value}, {number}, {start}) : (vector<3xf32>, i32, {place}) -> ()");
        writeln!(program.text, "{operation}").expect("text");
    }
    let text = format!("\"spirv.CL.prefetch\"({start}, {one}) : ({place}, i32) -> ()");
    writeln!(program.text, "{text}").expect("text");
    let made = program.value(&format!(
        "\"spirv.CL.vloadn\"({one}, {start}) {{literals = [4 : i32]}} : (i32, {place}) -> vector<4xf32>"
    ));
    program.expect(&made, &Floats(vec![5.0, 6.0, 7.0, 8.0]));
    program.run();

    // 2049 lies between two floats of 16 bits, and what is as small as can be between that and zero.
    let least = 2f64.powi(-24);
    for (mode, expected) in [
        (None, [2048.0, -2048.0, 0.0, 0.0, 65504.0]),
        (Some(1), [2048.0, -2048.0, 0.0, 0.0, 65504.0]),
        (Some(2), [2050.0, -2048.0, least, 0.0, 65504.0]),
        (Some(3), [2048.0, -2050.0, 0.0, -least, 65504.0]),
    ] {
        let mut program = Program::new(Types { near: 0.0, ..USUAL });
        let (array, place) = ("!spirv.ptr<!spirv.array<8 x f16>, Function>", "!spirv.ptr<f16, Function>");
        let all = program.value(&format!("spirv.Variable : {array}"));
        let [zero, one] = [0, 1].map(|number| program.constant(&Integer(number)));
        let start = program.value(&format!("spirv.AccessChain {all}[{zero}] : {array}, i32 -> {place}"));
        let (name, literals) = match mode {
            None => ("vstorea_halfn", String::new()),
            Some(mode) => ("vstorea_halfn_r", format!(" {{literals = [{mode} : i32]}}")),
        };
        for (number, given) in [2049.0, -2049.0, least / 4.0, -least / 4.0, 65504.0].into_iter().enumerate() {
            // Three elements stand as four do.
            let value = program.constant(&Floats(vec![0.25, given, 0.5]));
            writeln!(
                program.text,
                "\"spirv.CL.{name}\"({value}, {one}, {start}){literals} : (vector<3xf32>, i32, {place}) -> ()"
            )
            .expect("text");
            let made = program.value(&format!(
                "\"spirv.CL.vloada_halfn\"({one}, {start}) {{literals = [3 : i32]}} : (i32, {place}) -> vector<3xf32>"
            ));
            program.expect(&made, &Floats(vec![0.25, expected[number], 0.5]));
            let five = program.constant(&Integer(5));
            let made = program.value(&format!("\"spirv.CL.vload_half\"({five}, {start}) : (i32, {place}) -> f32"));
            program.expect(&made, &Float(expected[number]));
        }
        program.run();
    }
}

#[test]
fn numbers_of_elements_and_rounding_modes_come_from_a_binary_and_go_back() {
    if !tool("spirv-as", "no kernel was made") {
        return;
    }
    let text = r#"
      OpCapability Kernel
      OpCapability Addresses
      OpCapability Vector16
      OpCapability Float16Buffer
      %set = OpExtInstImport "OpenCL.std"
      OpMemoryModel Physical64 OpenCL
      OpEntryPoint Kernel %main "main"
      %void = OpTypeVoid
      %word = OpTypeInt 32 0
      %float = OpTypeFloat 32
      %half = OpTypeFloat 16
      %four = OpTypeVector %float 4
      %of_half = OpTypePointer CrossWorkgroup %half
      %of_float = OpTypePointer CrossWorkgroup %float
      %type = OpTypeFunction %void %of_float %of_half
      %zero = OpConstant %word 0
      %main = OpFunction %void None %type
      %p = OpFunctionParameter %of_float
      %q = OpFunctionParameter %of_half
      %start = OpLabel
      %v = OpExtInst %four %set vloadn %zero %p 4
      %s = OpExtInst %void %set vstore_halfn_r %v %zero %q RTP
      %t = OpExtInst %void %set vstoren %v %zero %p
      OpReturn
      OpFunctionEnd
    "#;
    let (code, binary) = piped("spirv-as", &["-", "-o", "-"], text.as_bytes());
    assert_eq!(code, Some(0));
    let mut module = mlirbc_spirv::raise(&context(), binary.clone()).unwrap_or_else(|error| panic!("{error}"));
    let raised = generic(&module);
    assert!(raised.contains("literals = [4 : i32]") && raised.contains("literals = [2 : i32]"), "{raised}");
    let back = mlirbc_spirv::lower(&module).unwrap_or_else(|error| panic!("{error}"));
    let again = mlirbc_spirv::raise(&context(), back).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(generic(&again), raised);
    let pipeline = Pipeline::parse("builtin.module(convert-spirv-to-llvm)", &registry()).expect("a pipeline");
    pipeline.run(&mut module).unwrap_or_else(|error| panic!("{error}"));
    assert!(!generic(&module).contains("\"spirv."), "{}", generic(&module));
}
