//! Folds and patterns of `spirv`, beside those of mlir-opt: each operation with arguments and constants of all kinds, and functions
//! of many operations.

use std::fmt::Write;

use mlirbc_testing::{Numbers, tool};

use super::{by_us, differences};

const PIPELINE: &str = "builtin.module(canonicalize)";

/// Functions that stand one after the other.
#[derive(Default)]
struct Functions {
    text: String,
    count: usize,
}

impl Functions {
    /// Adds a function of two arguments `%x` and `%y` of one type that returns `%r`.
    fn add(&mut self, arguments: &str, result: &str, body: &str) {
        let number = self.count;
        self.count += 1;
        let heading = format!("func.func @f{number}(%x: {arguments}, %y: {arguments})");
        write!(self.text, "{heading} -> {result} {{\n{body}  return %r : {result}\n}}\n").expect("text");
    }

    /// Asks mlir-opt what it makes of them.
    fn compare(&self) {
        let differences = differences(&self.text, PIPELINE);
        for (theirs, ours) in differences.iter().take(5) {
            eprintln!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
        }
        assert!(differences.is_empty(), "{} of {} functions", differences.len(), self.count);
    }
}

fn has_mlir_opt() -> bool {
    tool("mlir-opt-22", "canonicalized functions of spirv were not compared with those of mlir-opt")
}

/// Constants of integers of that width.
fn constants(width: u32) -> Vec<String> {
    if width == 1 {
        return vec!["false".to_owned(), "true".to_owned()];
    }
    let (least, most) = (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1);
    [0, 1, -1, 7, least, most].iter().map(i128::to_string).collect()
}

/// A type with what operands of it can be: an argument, or a constant.
struct Kind {
    ty: String,
    width: u32,
    /// Of an element, where it is a vector.
    length: Option<u32>,
    constants: Vec<String>,
}

impl Kind {
    fn scalar(width: u32) -> Self {
        let ty = format!("i{width}");
        let constants = constants(width).into_iter();
        let constants = constants.map(|value| if width == 1 { value } else { format!("{value} : {ty}") }).collect();
        Kind { ty, width, length: None, constants }
    }

    fn vector(length: u32, width: u32) -> Self {
        let ty = format!("vector<{length}xi{width}>");
        let values = constants(width);
        let mut constants: Vec<String> = values.iter().map(|value| format!("dense<{value}> : {ty}")).collect();
        for start in 0..values.len() {
            let all: Vec<&str> = values.iter().cycle().skip(start).take(length as usize).map(String::as_str).collect();
            constants.push(format!("dense<[{}]> : {ty}", all.join(", ")));
        }
        Kind { ty, width, length: Some(length), constants }
    }

    fn integers() -> Vec<Kind> {
        let mut kinds: Vec<Kind> = [8, 16, 32, 64].map(Kind::scalar).into();
        kinds.extend([(2, 8), (3, 32), (4, 64)].map(|(length, width)| Kind::vector(length, width)));
        kinds
    }

    fn truths() -> Vec<Kind> {
        vec![Kind::scalar(1), Kind::vector(2, 1), Kind::vector(4, 1)]
    }

    /// The type of integers of another width, as many of them.
    fn with_width(&self, width: u32) -> String {
        self.length.map_or_else(|| format!("i{width}"), |length| format!("vector<{length}xi{width}>"))
    }

    /// An operand, and what defines it: constants by their numbers, and then the arguments.
    fn operand(&self, name: &str, number: usize) -> (String, String) {
        match self.constants.get(number) {
            Some(constant) => (format!("%{name}"), format!("  %{name} = spirv.Constant {constant}\n")),
            None if number == self.constants.len() => ("%x".to_owned(), String::new()),
            None => ("%y".to_owned(), String::new()),
        }
    }
}

/// Every pair of operands for each of the operations.
fn pairs(functions: &mut Functions, operations: &[&str], kind: &Kind, result: &str) {
    let (ty, count) = (&kind.ty, kind.constants.len());
    for operation in operations {
        for (left, right) in (0..count + 1).flat_map(|left| (0..count + 2).map(move |right| (left, right))) {
            let ((a, defines_a), (b, defines_b)) = (kind.operand("a", left), kind.operand("b", right));
            let of = format!("\"spirv.{operation}\"({a}, {b}) : ({ty}, {ty}) -> {result}");
            functions.add(ty, result, &format!("{defines_a}{defines_b}  %r = {of}\n"));
        }
    }
}

#[test]
fn integers_of_two_operands() {
    if !has_mlir_opt() {
        return;
    }
    let arithmetic = ["IAdd", "ISub", "IMul", "SDiv", "UDiv", "SRem", "SMod", "UMod"];
    let bits =
        ["BitwiseAnd", "BitwiseOr", "BitwiseXor", "ShiftLeftLogical", "ShiftRightArithmetic", "ShiftRightLogical"];
    let comparisons = [
        "IEqual",
        "INotEqual",
        "SGreaterThan",
        "SGreaterThanEqual",
        "SLessThan",
        "SLessThanEqual",
        "UGreaterThan",
        "UGreaterThanEqual",
        "ULessThan",
        "ULessThanEqual",
    ];
    let mut functions = Functions::default();
    for kind in Kind::integers() {
        pairs(&mut functions, &arithmetic, &kind, &kind.ty);
        pairs(&mut functions, &bits, &kind, &kind.ty);
        pairs(&mut functions, &comparisons, &kind, &kind.with_width(1));
    }
    functions.compare();
}

#[test]
fn truth_values() {
    if !has_mlir_opt() {
        return;
    }
    let mut functions = Functions::default();
    for kind in Kind::truths() {
        let logic = ["LogicalAnd", "LogicalOr", "LogicalEqual", "LogicalNotEqual"];
        pairs(&mut functions, &logic, &kind, &kind.ty);
        let ty = &kind.ty;
        for operation in
            ["IEqual", "INotEqual", "SLessThan", "UGreaterThanEqual", "LogicalEqual", "LogicalNotEqual", "LogicalAnd"]
        {
            let of = if operation.starts_with("Logical") { ty.clone() } else { kind.with_width(16) };
            let compare = format!("  %c = \"spirv.{operation}\"(%x, %y) : ({of}, {of}) -> {ty}\n");
            functions.add(&of, ty, &format!("{compare}  %r = spirv.LogicalNot %c : {ty}\n"));
            let twice = format!("  %d = spirv.LogicalNot %c : {ty}\n  %r = spirv.LogicalNot %d : {ty}\n");
            functions.add(&of, ty, &format!("{compare}{twice}"));
        }
    }
    functions.compare();
}

#[test]
fn integers_of_one_operand() {
    if !has_mlir_opt() {
        return;
    }
    let mut functions = Functions::default();
    for kind in Kind::integers().iter().chain(&Kind::truths()) {
        let ty = &kind.ty;
        let operations: &[&str] =
            if kind.width == 1 { &["LogicalNot"] } else { &["SNegate", "Not", "BitReverse", "BitCount"] };
        for operation in operations {
            for number in 0..=kind.constants.len() {
                let (a, define) = kind.operand("a", number);
                functions.add(ty, ty, &format!("{define}  %r = spirv.{operation} {a} : {ty}\n"));
                let twice = format!("  %b = spirv.{operation} {a} : {ty}\n  %r = spirv.{operation} %b : {ty}\n");
                functions.add(ty, ty, &format!("{define}{twice}"));
            }
        }
        if kind.width < 64 && kind.width > 1 {
            let wide = kind.with_width(64);
            let ones = (1u64 << kind.width) - 1;
            for mask in [ones, ones >> 1, ones << 1 | 1, ones << 1, u64::from(u32::MAX), 0] {
                let mask = if kind.length.is_some() { format!("dense<{mask}>") } else { mask.to_string() };
                let convert = format!("  %w = spirv.UConvert %x : {ty} to {wide}\n");
                let body = format!(
                    "{convert}  %m = spirv.Constant {mask} : {wide}\n  %r = spirv.BitwiseAnd %w, %m : {wide}\n"
                );
                functions.add(ty, &wide, &body);
            }
        }
    }
    functions.compare();
}

#[test]
fn choices() {
    if !has_mlir_opt() {
        return;
    }
    let mut functions = Functions::default();
    for (condition, kind) in [
        (Kind::scalar(1), Kind::scalar(32)),
        (Kind::scalar(1), Kind::vector(3, 32)),
        (Kind::vector(3, 1), Kind::vector(3, 32)),
        (Kind::scalar(1), Kind::scalar(1)),
    ] {
        let (ty, of) = (&kind.ty, &condition.ty);
        for choice in 0..condition.constants.len() + 1 {
            let (c, define) = match condition.constants.get(choice) {
                Some(constant) => ("%c", format!("  %c = spirv.Constant {constant}\n")),
                None => ("%0", format!("  %0 = \"spirv.Undef\"() : () -> {of}\n")),
            };
            for (left, right) in
                (0..kind.constants.len() + 1).flat_map(|a| (0..kind.constants.len() + 2).map(move |b| (a, b)))
            {
                let ((a, defines_a), (b, defines_b)) = (kind.operand("a", left), kind.operand("b", right));
                let select = format!("  %r = spirv.Select {c}, {a}, {b} : {of}, {ty}\n");
                functions.add(ty, ty, &format!("{define}{defines_a}{defines_b}{select}"));
            }
        }
    }
    functions.compare();
}

#[test]
fn results_of_two_words() {
    if !has_mlir_opt() {
        return;
    }
    let mut functions = Functions::default();
    for kind in Kind::integers() {
        let (ty, count) = (&kind.ty, kind.constants.len());
        for operation in ["IAddCarry", "UMulExtended", "SMulExtended", "ISubBorrow"] {
            for (left, right) in (0..count + 1).flat_map(|left| (0..count + 2).map(move |right| (left, right))) {
                // What mlir-opt makes of a sum with zero has its members the wrong way round.
                if operation == "IAddCarry" && (left == 0 || right == 0) {
                    continue;
                }
                let ((a, defines_a), (b, defines_b)) = (kind.operand("a", left), kind.operand("b", right));
                let result = format!("!spirv.struct<({ty}, {ty})>");
                let of = format!("\"spirv.{operation}\"({a}, {b}) : ({ty}, {ty}) -> {result}");
                functions.add(ty, &result, &format!("{defines_a}{defines_b}  %r = {of}\n"));
            }
        }
    }
    functions.compare();
}

#[test]
fn the_sum_with_zero_comes_before_its_carry() {
    let text = "func.func @f(%x: i32) -> !spirv.struct<(i32, i32)> {
        %0 = spirv.Constant 0 : i32
        %1 = spirv.IAddCarry %0, %x : !spirv.struct<(i32, i32)>
        return %1 : !spirv.struct<(i32, i32)>
    }";
    let ours = by_us(text, PIPELINE);
    assert!(ours.contains("\"spirv.CompositeConstruct\"(%arg0, %0)"), "{ours}");
}

#[test]
fn remainders_of_remainders() {
    if !has_mlir_opt() {
        return;
    }
    let mut functions = Functions::default();
    let divisors = ["1", "2", "3", "4", "8", "12", "-4", "-1", "255"];
    for (first, second) in divisors.iter().flat_map(|first| divisors.iter().map(move |second| (first, second))) {
        for (ty, of) in [("i32", ["", ""]), ("vector<2xi32>", ["dense<", ">"]), ("vector<2xi32>", ["dense<[8, ", "]>"])]
        {
            let [open, close] = of;
            let constants = format!(
                "  %a = spirv.Constant {open}{first}{close} : {ty}\n  %b = spirv.Constant {open}{second}{close} : {ty}\n"
            );
            let body = format!("{constants}  %c = spirv.UMod %x, %a : {ty}\n  %r = spirv.UMod %c, %b : {ty}\n");
            functions.add(ty, ty, &body);
        }
    }
    functions.compare();
}

const OTHERS: &str = r#"
func.func @back(%x: i32) -> (i32, f32, vector<2xi16>) {
  %0 = spirv.Bitcast %x : i32 to f32
  %1 = spirv.Bitcast %0 : f32 to i32
  %2 = spirv.Bitcast %1 : i32 to vector<2xi16>
  %3 = spirv.Bitcast %2 : vector<2xi16> to f32
  %4 = spirv.Bitcast %3 : f32 to vector<2xf16>
  %5 = spirv.Bitcast %4 : vector<2xf16> to vector<2xi16>
  return %1, %3, %5 : i32, f32, vector<2xi16>
}
func.func @put_in_and_taken_out(%x: i32, %v: vector<4xi32>, %s: !spirv.struct<(i32, vector<4xi32>)>) -> (i32, i32, i32, i32, i32) {
  %0 = spirv.CompositeInsert %x, %v[1 : i32] : i32 into vector<4xi32>
  %1 = spirv.CompositeInsert %x, %0[2 : i32] : i32 into vector<4xi32>
  %2 = spirv.CompositeExtract %1[1 : i32] : vector<4xi32>
  %3 = spirv.CompositeExtract %1[3 : i32] : vector<4xi32>
  %4 = spirv.CompositeInsert %x, %s[1 : i32, 2 : i32] : i32 into !spirv.struct<(i32, vector<4xi32>)>
  %5 = spirv.CompositeExtract %4[1 : i32, 2 : i32] : !spirv.struct<(i32, vector<4xi32>)>
  %6 = spirv.CompositeExtract %4[1 : i32, 1 : i32] : !spirv.struct<(i32, vector<4xi32>)>
  %7 = spirv.CompositeExtract %4[0 : i32] : !spirv.struct<(i32, vector<4xi32>)>
  return %2, %3, %5, %6, %7 : i32, i32, i32, i32, i32
}
func.func @made_of_parts(%x: i32, %y: i32, %p: vector<2xi32>) -> (i32, i32, i32, i32, i32, vector<2xi32>) {
  %0 = spirv.CompositeConstruct %x, %y : (i32, i32) -> vector<2xi32>
  %1 = spirv.CompositeExtract %0[1 : i32] : vector<2xi32>
  %2 = spirv.CompositeConstruct %p, %x : (vector<2xi32>, i32) -> vector<3xi32>
  %3 = spirv.CompositeExtract %2[2 : i32] : vector<3xi32>
  %4 = spirv.CompositeConstruct %x, %y, %p : (i32, i32, vector<2xi32>) -> !spirv.struct<(i32, i32, vector<2xi32>)>
  %5 = spirv.CompositeExtract %4[0 : i32] : !spirv.struct<(i32, i32, vector<2xi32>)>
  %6 = spirv.CompositeExtract %4[2 : i32, 0 : i32] : !spirv.struct<(i32, i32, vector<2xi32>)>
  %7 = spirv.CompositeInsert %x, %2[1 : i32] : i32 into vector<3xi32>
  %8 = spirv.CompositeExtract %7[2 : i32] : vector<3xi32>
  %9 = spirv.CompositeConstruct %p, %p : (vector<2xi32>, vector<2xi32>) -> !spirv.array<2 x vector<2xi32>>
  %10 = spirv.CompositeExtract %9[1 : i32] : !spirv.array<2 x vector<2xi32>>
  return %1, %3, %5, %6, %8, %10 : i32, i32, i32, i32, i32, vector<2xi32>
}
func.func @parts_of_constants() -> (i32, f32, vector<2xi32>, i32, !spirv.array<2 x vector<2xi32>>, i1) {
  %0 = spirv.Constant dense<[4, 5]> : vector<2xi32>
  %1 = spirv.CompositeExtract %0[1 : i32] : vector<2xi32>
  %2 = spirv.Constant dense<1.5> : vector<2xf32>
  %3 = spirv.CompositeExtract %2[0 : i32] : vector<2xf32>
  %4 = spirv.Constant [[dense<3> : vector<2xi32>, dense<[4, 5]> : vector<2xi32>], [dense<6> : vector<2xi32>, dense<[7, 8]> : vector<2xi32>]] : !spirv.array<2 x !spirv.array<2 x vector<2xi32>>>
  %5 = spirv.CompositeExtract %4[0 : i32, 1 : i32] : !spirv.array<2 x !spirv.array<2 x vector<2xi32>>>
  %6 = spirv.CompositeExtract %4[1 : i32, 1 : i32, 0 : i32] : !spirv.array<2 x !spirv.array<2 x vector<2xi32>>>
  %7 = spirv.CompositeExtract %4[1 : i32] : !spirv.array<2 x !spirv.array<2 x vector<2xi32>>>
  %8 = spirv.Constant dense<[true, false]> : vector<2xi1>
  %9 = spirv.CompositeExtract %8[0 : i32] : vector<2xi1>
  return %1, %3, %5, %6, %7, %9 : i32, f32, vector<2xi32>, i32, !spirv.array<2 x vector<2xi32>>, i1
}
func.func @chains(%p: !spirv.ptr<!spirv.array<4 x !spirv.array<4 x f32>>, Function>, %i: i32) -> f32 {
  %0 = spirv.Constant 1 : i32
  %1 = spirv.AccessChain %p[%0] : !spirv.ptr<!spirv.array<4 x !spirv.array<4 x f32>>, Function>, i32 -> !spirv.ptr<!spirv.array<4 x f32>, Function>
  %2 = spirv.AccessChain %1[%i] : !spirv.ptr<!spirv.array<4 x f32>, Function>, i32 -> !spirv.ptr<f32, Function>
  %3 = spirv.Load "Function" %2 : f32
  return %3 : f32
}
func.func @one_of_two_stores(%c: i1, %p: !spirv.ptr<i32, Function>, %q: !spirv.ptr<i32, Function>) {
  %0 = spirv.Constant 3 : i32
  %1 = spirv.Constant 2 : i32
  spirv.mlir.selection {
    spirv.BranchConditional %c [10, 15], ^a, ^b
  ^a:
    spirv.Store "Function" %p, %0 ["Aligned", 4] : i32
    spirv.Branch ^m
  ^b:
    spirv.Store "Function" %p, %1 ["Aligned", 4] : i32
    spirv.Branch ^m
  ^m:
    spirv.mlir.merge
  }
  spirv.mlir.selection {
    spirv.BranchConditional %c, ^a, ^b
  ^a:
    spirv.Store "Function" %p, %0 ["Aligned", 8] : i32
    spirv.Branch ^m
  ^b:
    spirv.Store "Function" %p, %1 ["Aligned", 4] : i32
    spirv.Branch ^m
  ^m:
    spirv.mlir.merge
  }
  spirv.mlir.selection {
    spirv.BranchConditional %c, ^a, ^b
  ^a:
    spirv.Store "Function" %p, %0 : i32
    spirv.Branch ^m
  ^b:
    spirv.Store "Function" %q, %1 : i32
    spirv.Branch ^m
  ^m:
    spirv.mlir.merge
  }
  %2 = spirv.mlir.selection -> i32 {
    spirv.BranchConditional %c, ^a, ^b
  ^a:
    spirv.Store "Function" %q, %0 : i32
    spirv.Branch ^m(%0 : i32)
  ^b:
    spirv.Store "Function" %q, %1 : i32
    spirv.Branch ^m(%1 : i32)
  ^m(%3: i32):
    spirv.mlir.merge %3 : i32
  }
  return
}
func.func @not_used(%c: i1, %p: !spirv.ptr<i32, Function>, %x: i32, %f: f32) {
  %0 = spirv.Variable : !spirv.ptr<i32, Function>
  %1 = spirv.Load "Function" %p : i32
  %2 = spirv.AtomicIIncrement <Device> <None> %p : !spirv.ptr<i32, Function>
  %4 = spirv.GL.Sin %f : f32
  %5 = spirv.Undef : i32
  %6 = spirv.IAdd %x, %x : i32
  %7 = spirv.GroupNonUniformElect <Workgroup> : i1
  spirv.mlir.selection {
    spirv.BranchConditional %c, ^then, ^merge
  ^then:
    spirv.Branch ^merge
  ^merge:
    spirv.mlir.merge
  }
  spirv.mlir.loop {
    spirv.Branch ^header
  ^header:
    spirv.BranchConditional %c, ^body, ^merge
  ^body:
    spirv.Branch ^continue
  ^continue:
    spirv.Branch ^header
  ^merge:
    spirv.mlir.merge
  }
  return
}
func.func @poison(%x: i32) -> (i32, i32) {
  %0 = ub.poison : i32
  %1 = arith.constant 3 : i32
  %2 = arith.constant 4 : i32
  %3 = spirv.IAdd %1, %2 : i32
  %4 = spirv.IAdd %x, %0 : i32
  return %3, %4 : i32, i32
}
"#;

#[test]
fn composites_accesses_and_selections() {
    if !has_mlir_opt() {
        return;
    }
    if let Some((theirs, ours)) = differences(OTHERS, PIPELINE).first() {
        panic!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

/// What mlir-opt gives of these is a value that is not there any more, or another element.
#[test]
fn parts_that_were_overwritten_are_not_taken() {
    let text =
        "func.func @f(%x: i32, %v: vector<2xi32>, %n: !spirv.array<2 x vector<2xi32>>) -> (i32, vector<2xi32>, i32) {
        %0 = spirv.CompositeConstruct %v, %v : (vector<2xi32>, vector<2xi32>) -> !spirv.array<2 x vector<2xi32>>
        %1 = spirv.CompositeInsert %x, %0[1 : i32, 0 : i32] : i32 into !spirv.array<2 x vector<2xi32>>
        %2 = spirv.CompositeExtract %1[1 : i32] : !spirv.array<2 x vector<2xi32>>
        %3 = spirv.CompositeInsert %x, %n[0 : i32, 1 : i32] : i32 into !spirv.array<2 x vector<2xi32>>
        %4 = spirv.CompositeInsert %v, %3[0 : i32] : vector<2xi32> into !spirv.array<2 x vector<2xi32>>
        %5 = spirv.CompositeExtract %4[0 : i32, 1 : i32] : !spirv.array<2 x vector<2xi32>>
        %6 = spirv.Constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32> : !spirv.array<2 x !spirv.array<2 x i32>>
        %7 = spirv.CompositeExtract %6[1 : i32, 0 : i32] : !spirv.array<2 x !spirv.array<2 x i32>>
        return %5, %2, %7 : i32, vector<2xi32>, i32
    }";
    let ours = by_us(text, PIPELINE);
    assert_eq!(ours.matches("\"spirv.CompositeExtract\"").count(), 2, "{ours}");
    assert!(ours.contains("value = 3 : i32"), "{ours}");
}

/// Functions of many operations, whose operands are results of others, arguments and constants.
#[test]
fn random_functions() {
    if !has_mlir_opt() {
        return;
    }
    let mut random = Numbers(1);
    let two = [
        "IAdd",
        "ISub",
        "IMul",
        "SDiv",
        "UDiv",
        "SRem",
        "SMod",
        "UMod",
        "BitwiseAnd",
        "BitwiseOr",
        "BitwiseXor",
        "ShiftLeftLogical",
        "ShiftRightArithmetic",
        "ShiftRightLogical",
    ];
    let comparisons = ["IEqual", "INotEqual", "SGreaterThan", "SLessThanEqual", "UGreaterThanEqual", "ULessThan"];
    let logic = ["LogicalAnd", "LogicalOr", "LogicalEqual", "LogicalNotEqual"];
    let mut functions = Functions::default();
    let kinds = [Kind::scalar(8), Kind::scalar(32), Kind::vector(2, 16)];
    for _ in 0..400 {
        let kind = &kinds[random.below(kinds.len())];
        let (ty, truth) = (&kind.ty, &kind.with_width(1));
        let (mut body, mut values, mut truths) = (String::new(), vec!["x".to_owned(), "y".to_owned()], Vec::new());
        for at in 0..4 + random.below(24) {
            let [a, b] = [0, 1].map(|_| values[random.below(values.len())].clone());
            let number = random.below(kind.constants.len());
            let (line, is_truth) = match random.below(9) {
                0 | 1 => (format!("spirv.Constant {}", kind.constants[number]), false),
                2 => (format!("spirv.{} %{a} : {ty}", ["Not", "SNegate"][random.below(2)]), false),
                3 => {
                    (format!("\"spirv.{}\"(%{a}, %{b}) : ({ty}, {ty}) -> {truth}", comparisons[random.below(6)]), true)
                }
                4 if truths.len() > 1 => {
                    let [a, b]: [&String; 2] = [0, 1].map(|_| &truths[random.below(truths.len())]);
                    let operation = logic[random.below(4)];
                    (format!("spirv.{operation} %{a}, %{b} : {truth}"), true)
                }
                5 if !truths.is_empty() => {
                    (format!("spirv.Select %{}, %{a}, %{b} : {truth}, {ty}", truths[random.below(truths.len())]), false)
                }
                6 if !truths.is_empty() => {
                    (format!("spirv.LogicalNot %{} : {truth}", truths[random.below(truths.len())]), true)
                }
                _ => (format!("\"spirv.{}\"(%{a}, %{b}) : ({ty}, {ty}) -> {ty}", two[random.below(two.len())]), false),
            };
            writeln!(body, "  %v{at} = {line}").expect("text");
            if is_truth { &mut truths } else { &mut values }.push(format!("v{at}"));
        }
        let last = values.last().map_or("x", String::as_str);
        writeln!(body, "  %r = spirv.Not %{last} : {ty}").expect("text");
        functions.add(ty, ty, &body);
    }
    functions.compare();
}

/// As many as MLIR marks `Pure`.
#[test]
fn operations_without_effects() {
    let table = mlirbc_spirv::dialect::definitions();
    let pure: Vec<String> = table
        .iter()
        .filter(|definition| definition.implements("NoMemoryEffect"))
        .map(|definition| definition.name.to_string())
        .collect();
    assert_eq!(pure.len(), 221);
    for name in
        ["Variable", "Load", "Store", "mlir.selection", "mlir.loop", "FunctionCall", "AtomicIAdd", "ControlBarrier"]
    {
        assert!(!pure.contains(&format!("spirv.{name}")), "{name}");
    }
}
