//! `convert-spirv-to-llvm` beside that of mlir-opt.

use std::fmt::Write;

use mlirbc_ir::ErrorKind;
use mlirbc_rewrite::Pipeline;
use mlirbc_testing::{Numbers, tool};
use mlirbc_text::{ParseOptions, parse_module};

use super::{by_us, differences, generic, registry};

const PIPELINE: &str = "builtin.module(convert-spirv-to-llvm)";

fn compare(text: &str, pipeline: &str) {
    if let Some((theirs, ours)) = differences(text, pipeline).first() {
        panic!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

const MODULES: &str = r#"
spirv.module @m Logical GLSL450 requires #spirv.vce<v1.3, [Shader, GroupNonUniformArithmetic, Groups, Kernel], []> {
  spirv.GlobalVariable @g bind(1, 2) : !spirv.ptr<f32, StorageBuffer>
  spirv.GlobalVariable @in {location = 3 : i32} : !spirv.ptr<f32, Input>
  spirv.GlobalVariable @id built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.GlobalVariable @own : !spirv.ptr<!spirv.array<4 x !spirv.struct<(si32, ui8)>>, Private>
  spirv.GlobalVariable @laid bind(0, 0) : !spirv.ptr<!spirv.struct<(f16 [0], vector<4xf16> [8], i8 [16])>, StorageBuffer>
  spirv.func @callee(%a: i32, %b: vector<2xf32>) -> i32 "Inline" { spirv.ReturnValue %a : i32 }
  spirv.func @pure(%a: si32) -> ui8 "Pure" attributes {some} {
    %c = spirv.Constant 3 : ui8
    spirv.ReturnValue %c : ui8
  }
  spirv.func @const(%a: si32) "Const" { spirv.Return }
  spirv.func @both(%a: si32) "Inline|Pure" { spirv.Return }
  spirv.func @not_inline(%a: i32) "DontInline" { spirv.Return }
  spirv.func @f(%x: f32, %i: i32, %v: vector<2xf32>) "None" {
    %p = spirv.mlir.addressof @g : !spirv.ptr<f32, StorageBuffer>
    %q = spirv.mlir.addressof @own : !spirv.ptr<!spirv.array<4 x !spirv.struct<(si32, ui8)>>, Private>
    %0 = spirv.Constant 0 : i32
    %r = spirv.AccessChain %q[%i, %0] : !spirv.ptr<!spirv.array<4 x !spirv.struct<(si32, ui8)>>, Private>, i32, i32 -> !spirv.ptr<si32, Private>
    %1 = spirv.Load "StorageBuffer" %p ["Aligned", 4] : f32
    %2 = spirv.Load "StorageBuffer" %p ["Volatile"] : f32
    spirv.Store "StorageBuffer" %p, %1 ["Nontemporal"] : f32
    %3 = "spirv.FunctionCall"(%i, %v) {callee = @callee, some} : (i32, vector<2xf32>) -> i32
    spirv.FunctionCall @not_inline(%i) : (i32) -> ()
    spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
    %c2 = spirv.Constant 2 : i32
    %4 = spirv.GroupNonUniformIAdd <Workgroup> <ClusteredReduce> %i cluster_size(%c2) : i32, i32 -> i32
    %5 = spirv.GroupFAdd <Workgroup> <Reduce> %x : f32
    spirv.ControlBarrier <Workgroup>, <Workgroup>, <None>
    spirv.Return
  }
  spirv.EntryPoint "GLCompute" @f, @in
  spirv.ExecutionMode @f "LocalSize", 1, 2, 3
  spirv.ExecutionMode @f "ContractionOff"
}
spirv.module Physical64 OpenCL {
  spirv.GlobalVariable @g bind(3, 4) : !spirv.ptr<f32, StorageBuffer>
  spirv.func @g(%a: !spirv.ptr<f32, CrossWorkgroup>, %b: !spirv.ptr<f32, Workgroup>, %c: !spirv.ptr<f32, Generic>) "None" { spirv.Return }
  spirv.ExecutionMode @g "SubgroupSize", 8
}
"#;

#[test]
fn modules_are_converted_as_by_mlir_opt() {
    if !tool("mlir-opt-22", "conversions to LLVM were not compared with those of mlir-opt") {
        return;
    }
    let text = MODULES.replace("@g(%a", "@h(%a").replace("Mode @g", "Mode @h");
    for api in ["Unknown", "Metal", "OpenCL", "Vulkan", "WebGPU"] {
        compare(&text, &format!("builtin.module(convert-spirv-to-llvm{{client-api={api}}})"));
    }
}

/// Types of values, and how many of the first are integers, then floats, then booleans.
const TYPES: [&str; 11] =
    ["i32", "i16", "i64", "vector<3xi32>", "vector<2xi16>", "f32", "f64", "vector<3xf32>", "f16", "i1", "vector<3xi1>"];
const INTEGERS: std::ops::Range<usize> = 0..5;
const FLOATS: std::ops::Range<usize> = 5..9;
const BOOLEAN: usize = 9;
const BOOLEANS: usize = 10;

/// A random function being written.
struct Function<'n> {
    numbers: &'n mut Numbers,
    text: String,
    /// What may be used, with its type's place.
    known: Vec<(String, usize)>,
    count: usize,
    depth: usize,
}

impl Function<'_> {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.numbers.below(of.len())]
    }

    fn among(&mut self, range: std::ops::Range<usize>) -> usize {
        range.start + self.numbers.below(range.len())
    }

    /// Any value of that type.
    fn pick(&mut self, ty: usize) -> String {
        let of: Vec<&String> = self.known.iter().filter(|known| known.1 == ty).map(|known| &known.0).collect();
        of[self.numbers.below(of.len())].clone()
    }

    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("%v{}", self.count)
    }

    /// An operation on values of these types.
    fn op(&mut self, name: &str, operands: &[usize], result: usize, attributes: &str) {
        let values: Vec<String> = operands.iter().map(|&ty| self.pick(ty)).collect();
        let types: Vec<&str> = operands.iter().map(|&ty| TYPES[ty]).collect();
        let made = self.fresh();
        let (values, types, result_type) = (values.join(", "), types.join(", "), TYPES[result]);
        writeln!(self.text, "{made} = \"spirv.{name}\"({values}){attributes} : ({types}) -> {result_type}")
            .expect("text");
        self.known.push((made, result));
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("text");
    }

    fn constant(&mut self) {
        let ty = self.among(0..TYPES.len());
        let number = self.numbers.below(4);
        let value = match ty {
            3 | 4 => format!("dense<{number}> : {}", TYPES[ty]),
            7 => format!("dense<[{number}.0, 2.0, -1.5]> : {}", TYPES[ty]),
            BOOLEAN => ["true", "false"][number % 2].to_owned(),
            BOOLEANS => "dense<[true, false, true]> : vector<3xi1>".to_owned(),
            5 | 6 | 8 => format!("{number}.5 : {}", TYPES[ty]),
            _ => format!("{number} : {}", TYPES[ty]),
        };
        self.op("Constant", &[], ty, &format!(" {{value = {value}}}"));
    }

    fn any(&mut self) {
        match self.numbers.below(21) {
            0 => self.constant(),
            1 | 2 => {
                let ty = self.among(INTEGERS);
                let name = self.one(&[
                    "IAdd",
                    "ISub",
                    "IMul",
                    "SDiv",
                    "UDiv",
                    "SRem",
                    "UMod",
                    "BitwiseAnd",
                    "BitwiseOr",
                    "BitwiseXor",
                    "GL.SMax",
                    "GL.SMin",
                ]);
                self.op(name, &[ty, ty], ty, "");
            }
            3 => {
                let ty = self.among(FLOATS);
                let name = self.one(&["FAdd", "FSub", "FMul", "FDiv", "FRem", "GL.FMax", "GL.FMin"]);
                self.op(name, &[ty, ty], ty, " {some}");
            }
            4 => {
                let ty = self.among(INTEGERS);
                let name = self.one(&["Not", "BitCount", "BitReverse"]);
                self.op(name, &[ty], ty, "");
            }
            5 => {
                let ty = self.one(&[5, 7, 8]);
                let name = self.one(&[
                    "FNegate",
                    "GL.Ceil",
                    "GL.FAbs",
                    "GL.Floor",
                    "GL.Sqrt",
                    "GL.InverseSqrt",
                    "GL.Exp",
                    "GL.Log",
                    "GL.Sin",
                    "GL.Cos",
                    "GL.Tan",
                    "GL.Tanh",
                ]);
                self.op(name, &[ty], ty, "");
            }
            6 => {
                let (ty, to) = self.one(&[(0, BOOLEAN), (1, BOOLEAN), (2, BOOLEAN), (3, BOOLEANS)]);
                let name = self.one(&[
                    "IEqual",
                    "INotEqual",
                    "SLessThan",
                    "SLessThanEqual",
                    "SGreaterThan",
                    "SGreaterThanEqual",
                    "ULessThan",
                    "ULessThanEqual",
                    "UGreaterThan",
                    "UGreaterThanEqual",
                ]);
                self.op(name, &[ty, ty], to, "");
            }
            7 => {
                let (ty, to) = self.one(&[(5, BOOLEAN), (6, BOOLEAN), (8, BOOLEAN), (7, BOOLEANS)]);
                let order = self.one(&["FOrd", "FUnord"]);
                let name =
                    self.one(&["Equal", "NotEqual", "LessThan", "LessThanEqual", "GreaterThan", "GreaterThanEqual"]);
                self.op(&format!("{order}{name}"), &[ty, ty], to, "");
            }
            8 => {
                let ty = self.one(&[BOOLEAN, BOOLEANS]);
                let name = self.one(&["LogicalAnd", "LogicalOr", "LogicalEqual", "LogicalNotEqual"]);
                self.op(name, &[ty, ty], ty, "");
            }
            9 => {
                let ty = self.one(&[BOOLEAN, BOOLEANS]);
                self.op("LogicalNot", &[ty], ty, "");
            }
            10 => {
                let ty = self.among(0..TYPES.len());
                self.op("Select", &[BOOLEAN, ty, ty], ty, "");
            }
            11 => {
                let (base, amount) = self.one(&[(0, 0), (0, 1), (2, 0), (2, 1), (1, 1), (3, 3)]);
                let name = self.one(&["ShiftLeftLogical", "ShiftRightLogical", "ShiftRightArithmetic"]);
                self.op(name, &[base, amount], base, "");
            }
            12 => {
                let (base, amount) = (self.among(INTEGERS), self.one(&[0, 1, 2]));
                match self.numbers.below(3) {
                    0 => self.op("BitFieldInsert", &[base, base, amount, amount], base, ""),
                    1 => self.op("BitFieldSExtract", &[base, amount, amount], base, ""),
                    _ => self.op("BitFieldUExtract", &[base, amount, amount], base, ""),
                }
            }
            13 => {
                let (name, from, to) = self.one(&[
                    ("ConvertFToS", 5, 0),
                    ("ConvertFToU", 6, 2),
                    ("ConvertSToF", 1, 8),
                    ("ConvertUToF", 3, 7),
                    ("UConvert", 0, 2),
                    ("UConvert", 0, 1),
                    ("SConvert", 1, 0),
                    ("SConvert", 2, 1),
                    ("FConvert", 5, 6),
                    ("FConvert", 5, 8),
                    ("Bitcast", 0, 5),
                    ("Bitcast", 4, 0),
                    ("Bitcast", 3, 7),
                ]);
                self.op(name, &[from], to, "");
            }
            14 => {
                let lane = self.numbers.below(3);
                let indices = format!(" {{indices = [{lane} : i32]}}");
                let (vector, of) = self.one(&[(3, 0), (7, 5), (BOOLEANS, BOOLEAN)]);
                match self.numbers.below(2) {
                    0 => self.op("CompositeExtract", &[vector], of, &indices),
                    _ => self.op("CompositeInsert", &[of, vector], vector, &indices),
                }
            }
            15 => {
                let lanes: Vec<String> = (0..3)
                    .map(|_| self.one(&["0 : i32", "1 : i32", "2 : i32", "5 : i32", "-1 : i32"]).to_owned())
                    .collect();
                self.op("VectorShuffle", &[3, 3], 3, &format!(" {{components = [{}]}}", lanes.join(", ")));
            }
            16 => {
                let lanes: Vec<String> =
                    (0..2).map(|_| self.one(&["0 : i32", "1 : i32", "2 : i32", "-1 : i32"]).to_owned()).collect();
                let (vector, made) = (self.pick(4), self.fresh());
                let lanes = lanes.join(", ");
                self.line(&format!("{made}w = \"spirv.VectorShuffle\"({vector}, {vector}) {{components = [0 : i32, 1 : i32, 0 : i32]}} : (vector<2xi16>, vector<2xi16>) -> vector<3xi16>"));
                self.line(&format!("{made} = \"spirv.VectorShuffle\"({vector}, {made}w) {{components = [{lanes}]}} : (vector<2xi16>, vector<3xi16>) -> vector<2xi16>"));
                self.known.push((made, 4));
            }
            17 => self.memory(),
            18 => {
                let ty = self.among(0..TYPES.len());
                self.op("Undef", &[], ty, "");
            }
            _ if self.depth < 3 => self.control(),
            _ => self.op(
                "GroupNonUniformIAdd",
                &[0],
                0,
                " {execution_scope = #spirv.scope<Subgroup>, group_operation = #spirv.group_operation<Reduce>}",
            ),
        }
    }

    fn memory(&mut self) {
        let (made, index, number) = (self.fresh(), self.pick(0), self.pick(5));
        let array = "!spirv.ptr<!spirv.array<4 x f32>, Function>";
        self.line(&format!("{made}a = spirv.Variable : {array}"));
        self.line(&format!("{made}p = spirv.AccessChain {made}a[{index}] : {array}, i32 -> !spirv.ptr<f32, Function>"));
        self.line(&format!("spirv.Store \"Function\" {made}p, {number} : f32"));
        self.line(&format!("{made} = spirv.Load \"Function\" {made}p : f32"));
        self.known.push((made, 5));
    }

    /// A few operations whose results are not known behind them.
    fn some(&mut self, most: usize) {
        for _ in 0..self.numbers.below(most) {
            self.any();
        }
    }

    fn control(&mut self) {
        self.depth += 1;
        let (known, label) = (self.known.len(), self.fresh());
        let label = label.replace('%', "^");
        let condition = self.pick(BOOLEAN);
        match self.numbers.below(2) {
            0 => {
                let passed = self.pick(3);
                self.line("spirv.mlir.selection {");
                let weights = self.one(&["", " [1, 2]"]);
                self.line(&format!(
                    "spirv.BranchConditional {condition}{weights}, {label}t({passed} : vector<3xi32>), {label}m"
                ));
                self.line(&format!("{label}t({}x: vector<3xi32>):", label.replace('^', "%")));
                self.known.push((format!("{}x", label.replace('^', "%")), 3));
                self.some(4);
                self.line(&format!("spirv.Branch {label}m\n{label}m:\nspirv.mlir.merge\n}}"));
            }
            _ => {
                let (first, name) = (self.pick(0), format!("{}i", label.replace('^', "%")));
                self.line(&format!("spirv.mlir.loop {{\nspirv.Branch {label}h({first} : i32)\n{label}h({name}: i32):"));
                self.known.push((name.clone(), 0));
                self.some(3);
                let condition = self.pick(BOOLEAN);
                let weights = self.one(&["", " [3, 4]"]);
                self.line(&format!("spirv.BranchConditional {condition}{weights}, {label}b, {label}m\n{label}b:"));
                self.some(4);
                let next = self.pick(0);
                self.line(&format!("spirv.Branch {label}c\n{label}c:\nspirv.Branch {label}h({next} : i32)\n{label}m:\nspirv.mlir.merge\n}}"));
            }
        }
        self.known.truncate(known);
        self.depth -= 1;
    }
}

fn random(numbers: &mut Numbers, name: usize) -> String {
    let arguments: Vec<String> = TYPES.iter().enumerate().map(|(at, ty)| format!("%a{at}: {ty}")).collect();
    let known = (0..TYPES.len()).map(|ty| (format!("%a{ty}"), ty)).collect();
    let control = ["None", "Inline", "Pure"][numbers.below(3)];
    let head = format!("spirv.func @f{name}({}) -> i32 \"{control}\" {{\n", arguments.join(", "));
    let mut function = Function { numbers, text: head, known, count: 0, depth: 0 };
    for _ in 0..function.numbers.below(25) {
        function.any();
    }
    let last = function.pick(0);
    function.line(&format!("spirv.ReturnValue {last} : i32\n}}"));
    function.text
}

#[test]
fn random_functions_are_converted_as_by_mlir_opt() {
    if !tool("mlir-opt-22", "conversions to LLVM were not compared with those of mlir-opt") {
        return;
    }
    let mut numbers = Numbers(20);
    let text: String = (0..600).map(|name| random(&mut numbers, name)).collect();
    compare(&text, PIPELINE);
}

/// The error of the pass, which leaves the module as it was.
pub(super) fn refused(text: &str) -> String {
    let context = super::context();
    let options = ParseOptions::new().implicit_module(true);
    let mut module = parse_module(&context, text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"));
    let before = generic(&module);
    let pipeline = Pipeline::parse(PIPELINE, &registry()).unwrap_or_else(|error| panic!("{error}"));
    let error = pipeline.run(&mut module).expect_err("it is refused");
    assert_eq!(error.kind(), ErrorKind::Verification, "{error}");
    assert_eq!(generic(&module), before);
    error.to_string()
}

#[test]
fn what_cannot_be_converted_is_named_and_nothing_is_changed() {
    let image = "!spirv.image<f32, Dim2D, NoDepth, NonArrayed, SingleSampled, NeedSampler, Rgba8>";
    let error = refused(&format!(
        "spirv.module @m Logical GLSL450 {{
           spirv.GlobalVariable @g bind(0, 1) : !spirv.ptr<f32, StorageBuffer>
           spirv.func @before(%a: i32) -> i32 \"None\" {{ spirv.ReturnValue %a : i32 }}
           spirv.func @f(%a: {image}) \"None\" {{
             spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>
             spirv.Return
           }}
         }}"
    ));
    assert!(error.contains("failed to legalize operation 'spirv.func' that was explicitly marked illegal"), "{error}");
}

#[test]
fn elements_of_vectors_of_truth_values_have_no_address() {
    let with = |class: &str, user: &str| {
        format!(
            "spirv.module Logical GLSL450 {{
               spirv.GlobalVariable @all : !spirv.ptr<vector<4xi1>, {class}>
               spirv.func @take(%p: !spirv.ptr<i1, {class}>) \"None\" {{ spirv.Return }}
               spirv.func @f(%at: i32, %given: i1) \"None\" {{
                 %all = spirv.mlir.addressof @all : !spirv.ptr<vector<4xi1>, {class}>
                 %one = spirv.AccessChain %all[%at] : !spirv.ptr<vector<4xi1>, {class}>, i32 -> !spirv.ptr<i1, {class}>
                 {user}
                 spirv.Return
               }}
             }}"
        )
    };
    let handed = "spirv.FunctionCall @take(%one) : (!spirv.ptr<i1, Private>) -> ()";
    let error = refused(&with("Private", handed));
    assert!(error.contains("has no address"), "{error}");
    // What invocations share may be stored by two of them at once.
    let store = |class: &str| with(class, &format!("spirv.Store \"{class}\" %one, %given : i1"));
    let error = refused(&store("Workgroup"));
    assert!(error.contains("that invocations share has no address"), "{error}");
    let made = by_us(&store("Private"), PIPELINE);
    assert_eq!(made.matches("llvm.insertelement").count(), 1, "{made}");
    let made = by_us(&with("Workgroup", "%made = spirv.Load \"Workgroup\" %one : i1"), PIPELINE);
    assert_eq!(made.matches("llvm.extractelement").count(), 1, "{made}");
}

#[test]
fn a_branch_by_a_number_without_cases_has_nothing_to_choose() {
    let ours = by_us(
        "spirv.func @f(%at: i32) -> i32 \"None\" {
           spirv.Switch %at : i32, [default: ^one(%at: i32)]
         ^one(%got: i32):
           spirv.ReturnValue %got : i32
         }",
        PIPELINE,
    );
    assert!(ours.contains("llvm.br") && !ours.contains("llvm.switch"), "{ours}");
}

#[test]
fn what_a_selection_gives_comes_by_way_of_a_block() {
    let ours = by_us(
        "spirv.func @f(%c: i1, %a: i32, %b: i32) -> i32 \"None\" {
           %r = spirv.mlir.selection -> i32 {
             spirv.BranchConditional %c, ^one, ^two
           ^one:
             spirv.Branch ^merge(%a : i32)
           ^two:
             spirv.Branch ^merge(%b : i32)
           ^merge(%m: i32):
             spirv.mlir.merge %m : i32
           }
           spirv.ReturnValue %r : i32
         }",
        PIPELINE,
    );
    assert_eq!(ours.matches("llvm.br").count(), 4, "{ours}");
    assert!(!ours.contains("spirv."), "{ours}");
}
