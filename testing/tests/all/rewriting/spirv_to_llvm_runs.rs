//! What `convert-spirv-to-llvm` makes, compiled and run by LLVM: operations that MLIR does not convert give what SPIR-V says, as worked out
//! here in floats of 64 bits.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use mlirbc_testing::tool;

use super::by_us;

/// What goes into an operation or comes out.
#[derive(Clone)]
pub(super) enum Operand {
    Float(f64),
    Floats(Vec<f64>),
    Integer(i64),
    Integers(Vec<i64>),
    /// By columns.
    Matrix(Vec<Vec<f64>>),
}

use Operand::{Float, Floats, Integer, Integers, Matrix};

/// The types of floats and integers in a program.
#[derive(Clone, Copy)]
pub(super) struct Types {
    pub(super) float: &'static str,
    pub(super) integer: &'static str,
    /// How near floats have to be, in parts of their size.
    pub(super) near: f64,
}

/// Memory that MLIR does not convert.
const BUFFER: &str = "spirv.GlobalVariable @buffer bind(0, 0) : \
    !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>";

pub(super) const USUAL: Types = Types { float: "f32", integer: "i32", near: 1e-5 };

/// A program whose exit code is the number of the first check that fails, from 1, and 0 where none does.
pub(super) struct Program {
    types: Types,
    pub(super) text: String,
    checks: u32,
    values: u32,
    /// Whether it stands in a module with memory that MLIR does not convert.
    beyond_mlir: bool,
}

impl Program {
    pub(super) fn new(types: Types) -> Self {
        let text = "spirv.func @main() -> i32 \"None\" {\n%code0 = spirv.Constant 0 : i32\n".to_owned();
        Program { types, text, checks: 0, values: 0, beyond_mlir: false }
    }

    pub(super) fn ty(&self, of: &Operand) -> String {
        let Types { float, integer, .. } = self.types;
        match of {
            Float(_) => float.to_owned(),
            Floats(all) => format!("vector<{}x{float}>", all.len()),
            Integer(_) => integer.to_owned(),
            Integers(all) => format!("vector<{}x{integer}>", all.len()),
            Matrix(columns) => format!("!spirv.matrix<{} x vector<{}x{float}>>", columns.len(), columns[0].len()),
        }
    }

    /// A new value of an operation without a name.
    pub(super) fn value(&mut self, operation: &str) -> String {
        self.values += 1;
        let name = format!("%v{}", self.values);
        writeln!(self.text, "{name} = {operation}").expect("text");
        name
    }

    /// An operation that gives nothing.
    fn value_less(&mut self, operation: &str) {
        writeln!(self.text, "{operation}").expect("text");
    }

    pub(super) fn constant(&mut self, of: &Operand) -> String {
        let ty = self.ty(of);
        match of {
            Float(number) => self.value(&format!("spirv.Constant {} : {ty}", literal(*number))),
            Integer(number) => self.value(&format!("spirv.Constant {number} : {ty}")),
            Floats(all) => {
                let all: Vec<String> = all.iter().map(|&number| literal(number)).collect();
                self.value(&format!("spirv.Constant dense<[{}]> : {ty}", all.join(", ")))
            }
            Integers(all) => self.value(&format!("spirv.Constant dense<{all:?}> : {ty}")),
            Matrix(columns) => {
                let columns: Vec<String> =
                    columns.iter().map(|column| self.constant(&Floats(column.clone()))).collect();
                let of = self.ty(&Floats(vec![0.0; columns.len()]));
                let types = vec![of; columns.len()].join(", ");
                self.value(&format!("\"spirv.CompositeConstruct\"({}) : ({types}) -> {ty}", columns.join(", ")))
            }
        }
    }

    /// An operation gives that.
    pub(super) fn check(&mut self, name: &str, given: &[Operand], expected: &Operand) {
        let operands: Vec<String> = given.iter().map(|operand| self.constant(operand)).collect();
        let types: Vec<String> = given.iter().map(|operand| self.ty(operand)).collect();
        let ty = self.ty(expected);
        let made = self.value(&format!("\"spirv.{name}\"({}) : ({}) -> {ty}", operands.join(", "), types.join(", ")));
        self.expect(&made, expected);
    }

    /// A value is that.
    pub(super) fn expect(&mut self, made: &str, expected: &Operand) {
        let ty = self.ty(expected);
        let part = |at: usize| format!("spirv.CompositeExtract {made}[{at} : i32] : {ty}");
        match expected {
            Float(number) => self.is_near(made, *number),
            Integer(number) => self.is(made, *number),
            Floats(all) => {
                for (at, &number) in all.iter().enumerate() {
                    let part = self.value(&part(at));
                    self.is_near(&part, number);
                }
            }
            Integers(all) => {
                for (at, &number) in all.iter().enumerate() {
                    let part = self.value(&part(at));
                    self.is(&part, number);
                }
            }
            Matrix(columns) => {
                for (at, column) in columns.iter().enumerate() {
                    let part = self.value(&part(at));
                    self.expect(&part, &Floats(column.clone()));
                }
            }
        }
    }

    fn is(&mut self, made: &str, number: i64) {
        let ty = self.types.integer;
        let number = self.constant(&Integer(number));
        let same = self.value(&format!("spirv.IEqual {made}, {number} : {ty}"));
        self.count(&same);
    }

    fn is_near(&mut self, made: &str, number: f64) {
        let ty = self.types.float;
        let near = self.constant(&Float((self.types.near * number.abs()).max(self.types.near)));
        let number = self.constant(&Float(number));
        let between = self.value(&format!("spirv.FSub {made}, {number} : {ty}"));
        let between = self.value(&format!("spirv.GL.FAbs {between} : {ty}"));
        let same = self.value(&format!("spirv.FOrdLessThanEqual {between}, {near} : {ty}"));
        self.count(&same);
    }

    pub(super) fn count(&mut self, same: &str) {
        self.checks += 1;
        let (before, this) = (self.checks - 1, self.checks);
        assert!(this < 256, "an exit code has eight bits");
        writeln!(
            self.text,
            "%none{this} = spirv.Constant 0 : i32\n%is{this} = spirv.IEqual %code{before}, %none{this} : i32\n\
             %not{this} = spirv.LogicalNot {same} : i1\n%fails{this} = spirv.LogicalAnd %is{this}, %not{this} : i1\n\
             %number{this} = spirv.Constant {this} : i32\n\
             %code{this} = spirv.Select %fails{this}, %number{this}, %code{before} : i1, i32"
        )
        .expect("text");
    }

    /// Compiles and runs it.
    pub(super) fn run(mut self) {
        writeln!(self.text, "spirv.ReturnValue %code{} : i32\n}}", self.checks).expect("text");
        if self.beyond_mlir {
            self.text = format!("spirv.module Logical GLSL450 {{\n{BUFFER}\n{}}}", self.text);
        }
        let mut converted = by_us(&self.text, "builtin.module(convert-spirv-to-llvm)");
        if self.beyond_mlir {
            converted = outer(&converted);
        }
        assert!(!converted.contains("spirv."), "{converted}");
        let llvm = piped("mlir-translate-22", &["--mlir-to-llvmir"], converted.as_bytes());
        assert!(llvm.0.is_some_and(|code| code == 0), "{}", String::from_utf8_lossy(&llvm.1));
        let (code, said) = piped("lli-22", &["-"], &llvm.1);
        let line = code.and_then(|code| {
            let check = format!("%is{code} =");
            let at = self.text.find(&check)?;
            Some(
                self.text[..at]
                    .lines()
                    .rev()
                    .take(20)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev()
                    .collect::<Vec<_>>()
                    .join("\n"),
            )
        });
        let said = String::from_utf8_lossy(&said).into_owned();
        assert_eq!(code, Some(0), "check {code:?} of {} fails:\n{}\n{said}", self.checks, line.unwrap_or_default());
    }
}

/// A float as text has it: with a point.
fn literal(number: f64) -> String {
    let text = format!("{number:?}");
    match text.split_once('e') {
        Some((digits, power)) if !digits.contains('.') => format!("{digits}.0e{power}"),
        _ => text,
    }
}

/// Runs a program on a text: its exit code, and what it writes.
pub(super) fn piped(program: &str, arguments: &[&str], input: &[u8]) -> (Option<i32>, Vec<u8>) {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("its input");
    let input = input.to_vec();
    // A program that ends before it has read all says so by its exit code.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    (output.status.code(), output.stdout)
}

/// A module in generic text with what the only module in it holds: what translates to LLVM IR leaves out a module in a module.
pub(super) fn outer(text: &str) -> String {
    let is_of_inner = |line: &&str| !line.starts_with("  \"builtin.module\"") && !line.starts_with("  }) : () -> ()");
    text.lines().filter(is_of_inner).collect::<Vec<_>>().join("\n")
}

pub(super) fn tools() -> bool {
    ["mlir-translate-22", "lli-22"].iter().all(|program| tool(program, "what is converted to LLVM was not run"))
}

#[test]
fn functions_of_numbers_give_what_they_should() {
    type Function = (&'static str, fn(f64) -> f64);
    let functions: [Function; 25] = [
        ("Acos", f64::acos),
        ("Asin", f64::asin),
        ("Atan", f64::atan),
        ("Asinh", f64::asinh),
        ("Atanh", f64::atanh),
        ("Cosh", f64::cosh),
        ("Sinh", f64::sinh),
        ("Tanh", f64::tanh),
        ("Exp2", f64::exp2),
        ("Fract", |x| x - x.floor()),
        ("Radians", f64::to_radians),
        ("Degrees", f64::to_degrees),
        ("Round", f64::round),
        ("RoundEven", f64::round_ties_even),
        ("Trunc", f64::trunc),
        ("FSign", |x| if x == 0.0 { 0.0 } else { x.signum() }),
        ("FAbs", f64::abs),
        ("Ceil", f64::ceil),
        ("Floor", f64::floor),
        ("Sin", f64::sin),
        ("Cos", f64::cos),
        ("Tan", f64::tan),
        ("Exp", f64::exp),
        ("Length", f64::abs),
        ("Normalize", f64::signum),
    ];
    let positive: [Function; 6] = [
        ("Acosh", |x| (x + 1.0).acosh()),
        ("Log", f64::ln),
        ("Log2", f64::log2),
        ("Sqrt", f64::sqrt),
        ("InverseSqrt", |x| x.sqrt().recip()),
        ("Length", f64::abs),
    ];
    if !tools() {
        return;
    }
    for (float, near) in [("f32", 1e-5), ("f16", 5e-3)] {
        let types = Types { float, near, ..USUAL };
        let mut program = Program::new(types);
        for &(name, function) in &functions {
            program.check(&format!("GL.{name}"), &[Float(-0.625)], &Float(function(-0.625)));
            if !matches!(name, "Length" | "Normalize") {
                let given = vec![0.25, -0.75, 0.5];
                let expected = Floats(given.iter().map(|&number| function(number)).collect());
                program.check(&format!("GL.{name}"), &[Floats(given)], &expected);
            }
        }
        program.run();
        let mut program = Program::new(types);
        for &(name, function) in &positive {
            let given = if name == "Acosh" { 2.5 } else { 1.5 };
            program.check(&format!("GL.{name}"), &[Float(given)], &Float(function(1.5)));
        }
        program.run();
    }
}

#[test]
fn functions_of_several_operands_give_what_they_should() {
    if !tools() {
        return;
    }
    let floats = |all: &[f64]| Floats(all.to_vec());
    let mut program = Program::new(USUAL);
    program.check("GL.Atan2", &[Float(0.5), Float(-2.0)], &Float(0.5f64.atan2(-2.0)));
    program.check("GL.Pow", &[Float(1.5), Float(2.5)], &Float(1.5f64.powf(2.5)));
    program.check("GL.Fma", &[Float(1.5), Float(2.5), Float(0.25)], &Float(4.0));
    program.check("GL.FMix", &[floats(&[1.0, 2.0]), floats(&[3.0, 10.0]), floats(&[0.25, 0.5])], &floats(&[1.5, 6.0]));
    program.check("GL.Step", &[floats(&[0.5, 0.5, 0.5]), floats(&[0.25, 0.5, 1.0])], &floats(&[0.0, 1.0, 1.0]));
    for (x, expected) in [(0.0, 0.0), (2.0, 0.15625), (3.0, 0.5), (9.0, 1.0)] {
        program.check("GL.SmoothStep", &[Float(1.0), Float(5.0), Float(x)], &Float(expected));
    }
    for (x, expected) in [(-3.0, -1.0), (0.5, 0.5), (7.0, 2.0)] {
        program.check("GL.FClamp", &[Float(x), Float(-1.0), Float(2.0)], &Float(expected));
        program.check("GL.NClamp", &[Float(x), Float(-1.0), Float(2.0)], &Float(expected));
    }
    program.check("GL.Length", &[floats(&[2.0, 3.0, 6.0])], &Float(7.0));
    program.check("GL.Distance", &[floats(&[3.0, 5.0, 9.0]), floats(&[1.0, 2.0, 3.0])], &Float(7.0));
    program.check("GL.Normalize", &[floats(&[3.0, -4.0])], &floats(&[0.6, -0.8]));
    program.check("GL.Cross", &[floats(&[1.0, 2.0, 3.0]), floats(&[-4.0, 5.0, 6.0])], &floats(&[-3.0, -18.0, 13.0]));
    let (normal, ray) = (floats(&[0.0, 1.0]), floats(&[0.6, -0.8]));
    program.check("GL.Reflect", &[ray.clone(), normal.clone()], &floats(&[0.6, 0.8]));
    program.check("GL.FaceForward", &[normal.clone(), ray.clone(), normal.clone()], &floats(&[0.0, 1.0]));
    program.check("GL.FaceForward", &[normal.clone(), normal.clone(), normal.clone()], &floats(&[0.0, -1.0]));
    program.check("GL.Refract", &[ray.clone(), normal.clone(), Float(0.5)], &floats(&[0.3, -(0.91f64.sqrt())]));
    program.check("GL.Refract", &[ray, normal, Float(2.0)], &floats(&[0.0, 0.0]));
    program.check("GL.Ldexp", &[floats(&[0.75, -3.0]), Integers(vec![4, -2])], &floats(&[12.0, -0.75]));
    program.check("FMod", &[floats(&[5.5, -5.5]), floats(&[2.0, 2.0])], &floats(&[1.5, 0.5]));
    program.check("QuantizeToF16", &[Float(1.0 + 2f64.powi(-12))], &Float(1.0));
    program.check("Dot", &[floats(&[1.0, 2.0]), floats(&[3.0, 4.0])], &Float(11.0));
    program.run();
}

#[test]
fn functions_of_integers_give_what_they_should() {
    if !tools() {
        return;
    }
    let integers = |all: &[i64]| Integers(all.to_vec());
    for (integer, bits) in [("i32", 32), ("i64", 64), ("i16", 16)] {
        let mut program = Program::new(Types { integer, ..USUAL });
        let least = -1i64 << (bits - 1);
        program.check("GL.SAbs", &[integers(&[-7, 0, 9])], &integers(&[7, 0, 9]));
        program.check("GL.SSign", &[integers(&[-7, 0, 9])], &integers(&[-1, 0, 1]));
        program.check("GL.FindILsb", &[integers(&[12, 0, least, -1])], &integers(&[2, -1, bits - 1, 0]));
        program.check("GL.FindUMsb", &[integers(&[12, 0, least, 1])], &integers(&[3, -1, bits - 1, 0]));
        program.check("GL.FindSMsb", &[integers(&[12, 0, least, -1, -2])], &integers(&[3, -1, bits - 2, -1, 0]));
        program.check(
            "GL.SClamp",
            &[integers(&[-9, 1, 9]), integers(&[-2; 3]), integers(&[3; 3])],
            &integers(&[-2, 1, 3]),
        );
        program.check(
            "GL.UClamp",
            &[integers(&[-9, 1, 9]), integers(&[2; 3]), integers(&[5; 3])],
            &integers(&[5, 2, 5]),
        );
        program.check("GL.UMax", &[Integer(-1), Integer(5)], &Integer(-1));
        program.check("GL.UMin", &[Integer(-1), Integer(5)], &Integer(5));
        program.check("SMod", &[integers(&[7, -7, 7, -7]), integers(&[3, 3, -3, -3])], &integers(&[1, 2, -2, -1]));
        program.check("SNegate", &[integers(&[7, -7])], &integers(&[-7, 7]));
        program.check("SDot", &[integers(&[1, -2, 3]), integers(&[4, 5, -6])], &Integer(-24));
        program.check(
            "SDotAccSat",
            &[integers(&[1, 2]), integers(&[3, 4]), Integer(-(least + 1))],
            &Integer(-(least + 1)),
        );
        program.check("UDotAccSat", &[integers(&[1, 2]), integers(&[3, 4]), Integer(-5)], &Integer(-1));
        program.run();
    }
}

#[test]
fn fields_of_bits_have_any_size() {
    if !tools() {
        return;
    }
    let all = |numbers: [i64; 4]| numbers.map(Integer);
    let mut program = Program::new(USUAL);
    program.beyond_mlir = true;
    for (offset, count, inserted) in
        [(4, 8, 0x1234_5fe8), (0, 32, 0x0bad_cafe), (4, 0, 0x1234_5678), (32, 0, 0x1234_5678)]
    {
        program.check("BitFieldInsert", &all([0x1234_5678, 0x0bad_cafe, offset, count]), &Integer(inserted));
    }
    let first = Integer(0x1234_5678);
    for (offset, count, signed, unsigned) in [
        (4, 4, 7, 7),
        (4, 8, 0x67, 0x67),
        (3, 4, -1, 15),
        (0, 32, 0x1234_5678, 0x1234_5678),
        (9, 0, 0, 0),
        (32, 0, 0, 0),
    ] {
        let given = [first.clone(), Integer(offset), Integer(count)];
        program.check("BitFieldSExtract", &given, &Integer(signed));
        program.check("BitFieldUExtract", &given, &Integer(unsigned));
    }
    let pair = |first, second| Integers(vec![first, second]);
    let given = [pair(0, -1), pair(-1, 5), Integer(8), Integer(2)];
    program.check("BitFieldInsert", &given, &pair(0x300, -1 - 0x300 + 0x100));
    program.check("BitFieldUExtract", &[pair(0x5300, -1), Integer(8), Integer(3)], &pair(3, 7));
    program.run();
}

#[test]
fn numbers_are_shifted_by_wider_ones() {
    if !tools() {
        return;
    }
    let mut program = Program::new(Types { integer: "i16", ..USUAL });
    let given = program.constant(&Integer(-400));
    let by = program.value("spirv.Constant 3 : i32");
    for (name, expected) in
        [("ShiftLeftLogical", -3200), ("ShiftRightArithmetic", -50), ("ShiftRightLogical", (0x1_0000 - 400) >> 3)]
    {
        let made = program.value(&format!("spirv.{name} {given}, {by} : i16, i32"));
        program.expect(&made, &Integer(expected));
    }
    program.run();
}

#[test]
fn packing_and_unpacking_undo_each_other() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    let four = Floats(vec![0.0, 1.0, -1.0, 0.5]);
    program.check("GL.PackSnorm4x8", &[four], &Integer(0x4081_7f00));
    program.check("GL.PackUnorm4x8", &[Floats(vec![0.0, 1.0, -3.0, 0.2])], &Integer(0x3300_ff00));
    program.check("GL.PackSnorm2x16", &[Floats(vec![-1.0, 1.0])], &Integer(0x7fff_8001));
    program.check("GL.PackUnorm2x16", &[Floats(vec![0.2, 0.0])], &Integer(0x3333));
    program.check("GL.PackHalf2x16", &[Floats(vec![1.0, -2.0])], &Integer(0xc000_3c00u32 as i32 as i64));
    program.check("GL.UnpackSnorm4x8", &[Integer(0x4081_7f80)], &Floats(vec![-1.0, 1.0, -1.0, 64.0 / 127.0]));
    program.check("GL.UnpackUnorm4x8", &[Integer(0x3300_ff00)], &Floats(vec![0.0, 1.0, 0.0, 0.2]));
    program.check("GL.UnpackSnorm2x16", &[Integer(0x7fff_8001)], &Floats(vec![-1.0, 1.0]));
    program.check("GL.UnpackUnorm2x16", &[Integer(0x3333)], &Floats(vec![0.2, 0.0]));
    program.check("GL.UnpackHalf2x16", &[Integer(0xc000_3c00u32 as i32 as i64)], &Floats(vec![1.0, -2.0]));
    program.run();
    let mut program = Program::new(Types { float: "f64", near: 1e-12, ..USUAL });
    let bits = 1.5f64.to_bits();
    let halves = Integers(vec![bits as u32 as i32 as i64, i64::from((bits >> 32) as i32)]);
    program.check("GL.PackDouble2x32", std::slice::from_ref(&halves), &Float(1.5));
    program.check("GL.UnpackDouble2x32", &[Float(1.5)], &halves);
    program.run();
}

#[test]
fn functions_with_two_results_give_what_they_should() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    for (name, given, parts) in [
        ("ModfStruct", -2.75, [-0.75, -2.0]),
        ("ModfStruct", f64::from(f32::MAX), [0.0, f64::from(f32::MAX)]),
        ("FrexpStruct", 12.0, [0.75, 4.0]),
        ("FrexpStruct", -0.25, [-0.5, -1.0]),
    ] {
        let second = if name == "ModfStruct" { "f32" } else { "i32" };
        let ty = format!("!spirv.struct<(f32, {second})>");
        let given = program.constant(&Float(given));
        let made = program.value(&format!("\"spirv.GL.{name}\"({given}) : (f32) -> {ty}"));
        let first = program.value(&format!("spirv.CompositeExtract {made}[0 : i32] : {ty}"));
        program.expect(&first, &Float(parts[0]));
        let made = program.value(&format!("spirv.CompositeExtract {made}[1 : i32] : {ty}"));
        program.expect(&made, &if second == "f32" { Float(parts[1]) } else { Integer(parts[1] as i64) });

        let place = program.value(&format!("spirv.Variable : !spirv.ptr<{second}, Function>"));
        let name = name.trim_end_matches("Struct");
        let made = program
            .value(&format!("\"spirv.GL.{name}\"({given}, {place}) : (f32, !spirv.ptr<{second}, Function>) -> f32"));
        program.expect(&made, &Float(parts[0]));
        let stored = program.value(&format!("spirv.Load \"Function\" {place} : {second}"));
        program.expect(&stored, &if second == "f32" { Float(parts[1]) } else { Integer(parts[1] as i64) });
    }
    program.run();
}

#[test]
fn matrices_have_determinants_and_inverses() {
    if !tools() {
        return;
    }
    let matrices = [
        vec![vec![2.0, 1.0], vec![5.0, 3.0]],
        vec![vec![2.0, 0.0, 1.0], vec![1.0, 3.0, -1.0], vec![0.0, 2.0, 1.0]],
        vec![vec![1.0, 2.0, 0.0, 1.0], vec![0.0, 1.0, 3.0, 0.0], vec![2.0, 0.0, 1.0, 1.0], vec![1.0, 1.0, 0.0, 2.0]],
    ];
    let mut program = Program::new(USUAL);
    for (matrix, whole) in matrices.into_iter().zip([1.0, 12.0, 16.0]) {
        let size = matrix.len();
        let of = Matrix(matrix);
        program.check("GL.Determinant", std::slice::from_ref(&of), &Float(whole));
        // Both ways round, the inverse and the matrix make the identity.
        let identity: Vec<Vec<f64>> =
            (0..size).map(|column| (0..size).map(|row| f64::from(u8::from(row == column))).collect()).collect();
        let (given, ty) = (program.constant(&of), program.ty(&of));
        let inverse = program.value(&format!("\"spirv.GL.MatrixInverse\"({given}) : ({ty}) -> {ty}"));
        for pair in [[&given, &inverse], [&inverse, &given]] {
            let [left, right] = pair;
            let made = program.value(&format!("\"spirv.MatrixTimesMatrix\"({left}, {right}) : ({ty}, {ty}) -> {ty}"));
            program.expect(&made, &Matrix(identity.clone()));
        }
    }
    program.run();
}

#[test]
fn parts_of_packed_structs_stand_anywhere() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    program.beyond_mlir = true;
    let ty = "!spirv.struct<(i8, !spirv.array<2 x vector<4xi32>>)>";
    let all = program.value(&format!("spirv.Variable : !spirv.ptr<{ty}, Function>"));
    let one = program.value("spirv.Constant 1 : i32");
    let of_part = "!spirv.ptr<vector<4xi32>, Function>";
    let part = program
        .value(&format!("spirv.AccessChain {all}[{one}, {one}] : !spirv.ptr<{ty}, Function>, i32, i32 -> {of_part}"));
    let given = Integers(vec![3, -4, 5, 7]);
    let stored = program.constant(&given);
    program.value_less(&format!("spirv.Store \"Function\" {part}, {stored} : vector<4xi32>"));
    let made = program.value(&format!("spirv.Load \"Function\" {part} : vector<4xi32>"));
    program.expect(&made, &given);
    let text = program.text.clone();
    program.run();
    let buffer = format!("spirv.module Logical GLSL450 {{\n{BUFFER}\n{text}spirv.ReturnValue %code0 : i32\n}}\n}}");
    let made = by_us(&buffer, "builtin.module(convert-spirv-to-llvm)");
    assert_eq!(made.matches("alignment = 1 : i64").count(), 2, "{made}");
}

#[test]
fn elements_of_vectors_of_truth_values_are_stored_alone() {
    if !tools() {
        return;
    }
    let mut program = Program::new(USUAL);
    let array = "!spirv.ptr<!spirv.array<2 x vector<4xi1>>, Function>";
    let (of_vector, of_one) = ("!spirv.ptr<vector<4xi1>, Function>", "!spirv.ptr<i1, Function>");
    let all = program.value(&format!("spirv.Variable : {array}"));
    let [one, two] = [1, 2].map(|number| program.constant(&Integer(number)));
    let given = program.value("spirv.Constant dense<[true, false, false, true]> : vector<4xi1>");
    let other = program.value("spirv.Constant dense<true> : vector<4xi1>");
    let [yes, no] = ["true", "false"].map(|value| program.value(&format!("spirv.Constant {value}")));
    for (at, vector) in [(&one, &given), (&two, &other)] {
        // The first vector is at 0.
        let at = program.value(&format!("spirv.ISub {at}, {one} : i32"));
        let place = program.value(&format!("spirv.AccessChain {all}[{at}] : {array}, i32 -> {of_vector}"));
        program.value_less(&format!("spirv.Store \"Function\" {place}, {vector} : vector<4xi1>"));
    }
    let zero = program.value(&format!("spirv.ISub {one}, {one} : i32"));
    let first = program.value(&format!("spirv.AccessChain {all}[{zero}] : {array}, i32 -> {of_vector}"));
    let lane = |program: &mut Program, at: &str| {
        program.value(&format!("spirv.AccessChain {first}[{at}] : {of_vector}, i32 -> {of_one}"))
    };
    let [zeroth, second] = [&zero, &two].map(|at| lane(&mut program, at));
    program.value_less(&format!("spirv.Store \"Function\" {zeroth}, {no} : i1"));
    program.value_less(&format!("spirv.Store \"Function\" {second}, {yes} [\"Volatile\"] : i1"));
    let three = program.constant(&Integer(3));
    let mut last = program.value(&format!("spirv.AccessChain {all}[{one}, {three}] : {array}, i32, i32 -> {of_one}"));
    program.value_less(&format!("spirv.CopyMemory \"Function\" {last}, \"Function\" {zeroth} : i1"));
    for (at, wanted) in [(&zero, false), (&one, false), (&two, true), (&three, true)] {
        last = lane(&mut program, at);
        let made = program.value(&format!("spirv.Load \"Function\" {last} : i1"));
        let expected = program.value(&format!("spirv.Constant {wanted}"));
        let equal = program.value(&format!("spirv.LogicalEqual {made}, {expected} : i1"));
        program.count(&equal);
    }
    // The last of the second vector alone was taken away.
    let second = program.value(&format!("spirv.AccessChain {all}[{one}] : {array}, i32 -> {of_vector}"));
    let made = program.value(&format!("spirv.Load \"Function\" {second} : vector<4xi1>"));
    let expected = program.value("spirv.Constant dense<[true, true, true, false]> : vector<4xi1>");
    let equal = program.value(&format!("spirv.LogicalEqual {made}, {expected} : vector<4xi1>"));
    let equal = program.value(&format!("\"spirv.All\"({equal}) : (vector<4xi1>) -> i1"));
    program.count(&equal);
    program.run();
}
