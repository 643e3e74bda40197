//! Folds of `index`, `complex`, `math` and `ub`, and patterns of `index` and `complex`, beside those of mlir-opt.

use mlirbc_testing::tool;

use super::{by_us, differences};

const PIPELINE: &str = "builtin.module(canonicalize)";

/// What mlir-opt makes of functions with these bodies, which give `%r` of the type, is what we make.
fn compare(functions: &[(String, String)], what: &str) {
    if !tool("mlir-opt-22", &format!("folded operations of {what} were not compared with those of mlir-opt")) {
        return;
    }
    let function = |(number, (ty, body)): (usize, &(String, String))| {
        format!("func.func @f{number}(%x: index, %y: index) -> {ty} {{\n{body}  return %r : {ty}\n}}\n")
    };
    let text: String = functions.iter().enumerate().map(function).collect();
    let differences = differences(&text, PIPELINE);
    for (theirs, ours) in differences.iter().take(5) {
        eprintln!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
    assert!(differences.is_empty(), "{} of {} functions", differences.len(), functions.len());
}

/// Indices near the ends of 32 and of 64 bits.
const INDICES: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "31",
    "32",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "4294967297",
    "9223372036854775807",
    "-9223372036854775808",
];

/// What `%name` is: a constant, or an argument.
fn index(name: &str, value: &str) -> (String, String) {
    match value {
        "x" | "y" => (format!("%{value}"), String::new()),
        _ => (format!("%{name}"), format!("  %{name} = index.constant {value}\n")),
    }
}

#[test]
fn operations_on_two_indices() {
    let operations = [
        "add",
        "and",
        "ceildivs",
        "ceildivu",
        "divs",
        "divu",
        "floordivs",
        "maxs",
        "maxu",
        "mins",
        "minu",
        "mul",
        "or",
        "rems",
        "remu",
        "shl",
        "shrs",
        "shru",
        "sub",
        "xor",
    ];
    let mut functions = Vec::new();
    for operation in operations {
        for (left, right) in
            INDICES.iter().chain(&["x"]).flat_map(|a| INDICES.iter().chain(&["x", "y"]).map(move |b| (a, b)))
        {
            // LLVM has no remainder by zero, and dies of it.
            let zero = ["0", "4294967296"].contains(right);
            if operation.starts_with("rem") && zero && *left != "x" {
                continue;
            }
            // It gives a quotient of the wrong sign for the lowest number of either width.
            if operation == "ceildivs" && ["2147483648", "-9223372036854775808"].contains(left) {
                continue;
            }
            let ((a, defines_a), (b, defines_b)) = (index("a", left), index("b", right));
            functions.push(("index".to_owned(), format!("{defines_a}{defines_b}  %r = index.{operation} {a}, {b}\n")));
        }
        for (first, second) in [("3", "4"), ("-1", "2"), ("4294967295", "1"), ("2147483648", "-1")] {
            let constants = format!("  %a = index.constant {first}\n  %b = index.constant {second}\n");
            let body = format!("{constants}  %c = index.{operation} %x, %a\n  %r = index.{operation} %c, %b\n");
            functions.push(("index".to_owned(), body));
            let body = format!("{constants}  %c = index.{operation} %a, %x\n  %r = index.{operation} %b, %c\n");
            functions.push(("index".to_owned(), body));
        }
    }
    compare(&functions, "index");
}

#[test]
fn comparisons_of_indices() {
    let mut functions = Vec::new();
    let add = |functions: &mut Vec<_>, body: String| functions.push(("i1".to_owned(), body));
    for predicate in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"] {
        for (left, right) in
            INDICES.iter().chain(&["x"]).flat_map(|a| INDICES.iter().chain(&["x", "y"]).map(move |b| (a, b)))
        {
            let ((a, defines_a), (b, defines_b)) = (index("a", left), index("b", right));
            add(&mut functions, format!("{defines_a}{defines_b}  %r = index.cmp {predicate}({a}, {b})\n"));
            if *left == "x" || *right == "x" || *right == "y" {
                continue;
            }
            for bound in ["maxs", "maxu", "mins", "minu"] {
                let bounded = format!("  %c = index.{bound} %x, {a}\n  %r = index.cmp {predicate}(%c, {b})\n");
                add(&mut functions, format!("{defines_a}{defines_b}{bounded}"));
            }
        }
        let difference = "  %d = index.sub %x, %y\n  %z = index.constant 0\n";
        add(&mut functions, format!("{difference}  %r = index.cmp {predicate}(%d, %z)\n"));
        add(&mut functions, format!("{difference}  %r = index.cmp {predicate}(%z, %d)\n"));
    }
    compare(&functions, "index");
}

#[test]
fn casts_of_indices() {
    let mut functions = Vec::new();
    for operation in ["casts", "castu"] {
        for value in INDICES {
            let (a, define) = index("a", value);
            for ty in ["i1", "i8", "i32", "i48", "i64", "i128"] {
                functions.push((ty.to_owned(), format!("{define}  %r = index.{operation} {a} : index to {ty}\n")));
            }
            let constant = format!("  %a = arith.constant {value} : i64\n");
            functions.push(("index".to_owned(), format!("{constant}  %r = index.{operation} %a : i64 to index\n")));
        }
        for (ty, value) in
            [("i8", "-128"), ("i32", "-1"), ("i32", "7"), ("i128", "-1"), ("i128", "36893488147419103237")]
        {
            let constant = format!("  %a = arith.constant {value} : {ty}\n");
            functions.push(("index".to_owned(), format!("{constant}  %r = index.{operation} %a : {ty} to index\n")));
        }
    }
    compare(&functions, "index");
}

#[test]
fn integer_functions() {
    let mut functions = Vec::new();
    for (ty, values) in [
        ("i8", &["0", "1", "-1", "7", "127", "-128"][..]),
        ("i64", &["0", "1", "-1", "12", "9223372036854775807", "-9223372036854775808"]),
        ("index", &["0", "-5"]),
        ("vector<3xi32>", &["dense<-7>", "dense<[1, 0, -8]>", "dense<[2, 3, -1]>"]),
    ] {
        for value in values {
            let define = format!("  %a = arith.constant {value} : {ty}\n");
            for operation in ["absi", "ctlz", "cttz", "ctpop"] {
                functions.push((ty.to_owned(), format!("{define}  %r = math.{operation} %a : {ty}\n")));
            }
            for power in values {
                let constants = format!("{define}  %b = arith.constant {power} : {ty}\n");
                functions.push((ty.to_owned(), format!("{constants}  %r = math.ipowi %a, %b : {ty}\n")));
            }
        }
    }
    compare(&functions, "math");
}

/// Floats of every kind of a format, as bits, the quiet nan among them first.
fn floats(ty: &str) -> Vec<String> {
    let values =
        ["0.0", "-0.0", "1.0", "-1.0", "2.0", "-2.0", "0.5", "-0.5", "1.5", "2.5", "-3.5", "0.1", "100.75", "12345.6"];
    let bits: &[&str] = match ty {
        "f16" => &["0x7E00", "0xFE01", "0x7C01", "0x7C00", "0xFC00", "0x0001"],
        "bf16" => &["0x7FC0", "0xFFC1", "0x7F81", "0x7F80", "0xFF80", "0x0001"],
        "f32" => &["0x7FC00000", "0xFFC00001", "0x7F800001", "0x7F800000", "0xFF800000", "0x00000001"],
        "f64" => &[
            "0x7FF8000000000000",
            "0xFFF8000000000001",
            "0x7FF0000000000001",
            "0x7FF0000000000000",
            "0xFFF0000000000000",
            "0x0000000000000001",
        ],
        _ => &[],
    };
    values.iter().chain(bits).map(|value| (*value).to_owned()).collect()
}

#[test]
fn float_functions() {
    let exact = ["absf", "ceil", "floor", "roundeven"];
    let questions = ["isfinite", "isinf", "isnan", "isnormal"];
    let others = [
        "acos", "asin", "atan", "cos", "cosh", "exp", "exp2", "expm1", "log", "log10", "log1p", "log2", "round", "sin",
        "sinh", "sqrt", "tan", "tanh", "trunc", "cbrt", "rsqrt",
    ];
    let mut functions = Vec::new();
    for ty in ["f16", "bf16", "f32", "f64"] {
        let values = floats(ty);
        for value in &values {
            let define = format!("  %a = arith.constant {value} : {ty}\n");
            for operation in exact.iter().chain(&others) {
                functions.push((ty.to_owned(), format!("{define}  %r = math.{operation} %a : {ty}\n")));
            }
            for operation in questions {
                functions.push(("i1".to_owned(), format!("{define}  %r = math.{operation} %a : {ty}\n")));
            }
            for (operation, other) in
                ["atan2", "copysign", "powf"].iter().flat_map(|of| values.iter().map(move |it| (of, it)))
            {
                let constants = format!("{define}  %b = arith.constant {other} : {ty}\n");
                functions.push((ty.to_owned(), format!("{constants}  %r = math.{operation} %a, %b : {ty}\n")));
            }
        }
    }
    let vector = "vector<2xf32>";
    for value in ["dense<0.5>", "dense<[0.25, 4.0]>", "dense<[-1.0, 4.0]>"] {
        let define = format!("  %a = arith.constant {value} : {vector}\n");
        for operation in ["sqrt", "sin", "ceil"] {
            functions.push((vector.to_owned(), format!("{define}  %r = math.{operation} %a : {vector}\n")));
        }
        functions.push(("vector<2xi1>".to_owned(), format!("{define}  %r = math.isnan %a : {vector}\n")));
    }
    compare(&functions, "math");
}

/// Where Rust computes in another way than C, what is folded is what both give.
#[test]
fn exact_results_of_other_functions() {
    let values = ["0.0", "-0.0", "1.0", "-1.0", "0x7F800000", "0xFF800000"];
    let exact = [
        ("acosh", &["1.0", "0x7F800000"][..]),
        ("asinh", &["0.0", "-0.0", "0x7F800000", "0xFF800000"]),
        ("atanh", &["0.0", "-0.0", "1.0", "-1.0"]),
        ("erf", &["0.0", "-0.0", "0x7F800000", "0xFF800000"]),
        ("erfc", &["0.0", "-0.0", "0x7F800000", "0xFF800000"]),
    ];
    let mut functions = Vec::new();
    for (operation, exact) in exact {
        for value in values {
            let body = format!("  %a = arith.constant {value} : f32\n  %r = math.{operation} %a : f32\n");
            if exact.contains(&value) {
                functions.push(("f32".to_owned(), body));
            } else {
                let ours = by_us(&format!("func.func @f() -> f32 {{\n{body}  return %r : f32\n}}"), PIPELINE);
                assert!(ours.contains(&format!("\"math.{operation}\"")), "{ours}");
            }
        }
    }
    compare(&functions, "math");
}

const COMPLEX: &str = r#"
func.func @zeros_and_ones(%a: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %zero = complex.constant [0.0 : f32, -0.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %other = complex.constant [1.0 : f32, 0.5 : f32] : complex<f32>
  %0 = complex.add %a, %zero : complex<f32>
  %1 = complex.sub %a, %zero : complex<f32>
  %2 = complex.mul %a, %one : complex<f32>
  %3 = complex.div %a, %one : complex<f32>
  %4 = complex.mul %a, %other : complex<f32>
  %5 = complex.div %a, %zero : complex<f32>
  return %0, %1, %2, %3, %4, %5 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
}
func.func @added_and_taken_away(%a: complex<f32>, %b: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %0 = complex.add %a, %b : complex<f32>
  %1 = complex.sub %0, %b : complex<f32>
  %2 = complex.sub %0, %a : complex<f32>
  %3 = complex.sub %a, %b : complex<f32>
  %4 = complex.add %3, %b : complex<f32>
  %5 = complex.add %b, %3 : complex<f32>
  %6 = complex.sub %a, %a : complex<f32>
  return %1, %2, %4, %5, %6 : complex<f32>, complex<f32>, complex<f32>, complex<f32>, complex<f32>
}
func.func @undone(%a: complex<f32>) -> (complex<f32>, complex<f32>, complex<f32>, complex<f32>) {
  %0 = complex.neg %a : complex<f32>
  %1 = complex.neg %0 : complex<f32>
  %2 = complex.conj %a : complex<f32>
  %3 = complex.conj %2 : complex<f32>
  %4 = complex.exp %a : complex<f32>
  %5 = complex.log %4 : complex<f32>
  %6 = complex.log %a : complex<f32>
  %7 = complex.exp %6 : complex<f32>
  return %1, %3, %5, %7 : complex<f32>, complex<f32>, complex<f32>, complex<f32>
}
func.func @parts(%a: f32, %b: f32, %z: complex<f32>) -> (f32, f32, f32, f32, complex<f32>, f32, f32, complex<f32>) {
  %c = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  %0 = complex.re %c : complex<f32>
  %1 = complex.im %c : complex<f32>
  %2 = complex.create %a, %b : complex<f32>
  %3 = complex.re %2 : complex<f32>
  %4 = complex.im %2 : complex<f32>
  %5 = complex.re %z : complex<f32>
  %6 = complex.im %z : complex<f32>
  %7 = complex.create %5, %6 : complex<f32>
  %8 = complex.neg %2 : complex<f32>
  %9 = complex.re %8 : complex<f32>
  %10 = complex.im %8 : complex<f32>
  %11 = complex.create %0, %1 : complex<f32>
  return %0, %1, %3, %4, %7, %9, %10, %11 : f32, f32, f32, f32, complex<f32>, f32, f32, complex<f32>
}
func.func @casts(%a: complex<f32>, %i: i64) -> (complex<f32>, complex<f32>, f64, i64, f64) {
  %0 = complex.bitcast %a : complex<f32> to complex<f32>
  %1 = complex.bitcast %a : complex<f32> to i64
  %2 = complex.bitcast %1 : i64 to complex<f32>
  %3 = complex.bitcast %i : i64 to complex<f32>
  %4 = complex.bitcast %3 : complex<f32> to f64
  %5 = complex.bitcast %3 : complex<f32> to i64
  %6 = arith.bitcast %1 : i64 to f64
  return %0, %2, %4, %5, %6 : complex<f32>, complex<f32>, f64, i64, f64
}
func.func @constants(%a: complex<f32>) -> (i1, f32, complex<f32>, i32) {
  %c = complex.constant [3.0 : f32, 4.0 : f32] : complex<f32>
  %0 = complex.eq %c, %c : complex<f32>
  %1 = complex.abs %c : complex<f32>
  %2 = complex.add %c, %c : complex<f32>
  %3 = ub.poison : i32
  %4 = ub.poison : i32
  %5 = math.absi %3 : i32
  return %0, %1, %2, %5 : i1, f32, complex<f32>, i32
}
"#;

#[test]
fn complex_numbers() {
    if !tool("mlir-opt-22", "folded operations of complex were not compared with those of mlir-opt") {
        return;
    }
    if let Some((theirs, ours)) = differences(COMPLEX, PIPELINE).first() {
        panic!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}
