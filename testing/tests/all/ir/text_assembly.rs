//! Custom assembly: what is printed as mlir-opt prints it, what is read back, and what is wrong.

use mlirbc_ir::{Context, Module};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

fn read(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

fn print(module: &Module, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    print_module(module, options, &mut text).expect("a module to print");
    String::from_utf8(text).expect("text")
}

fn custom() -> PrintOptions {
    PrintOptions::new().generic(false)
}

/// What mlir-opt 22 prints, which comes back as it is.
const FIXED: &[&str] = &[
    "shape.function_library @lib {\n} mapping {a.b = @g}\n",
    "module {\n  func.func private @a(i32) -> (f32 {x.y}, index)\n}\n",
    "module @m attributes {a = 1 : i64} {\n  func.func @f(%arg0: i32 {a.b = 2 : i64}) -> i32 {\n    %c5_i32 = arith.constant 5 : \
     i32\n    %c5_i32_0 = arith.constant 5 : i32\n    %true = arith.constant true\n    %0 = arith.addi %c5_i32, %c5_i32_0 \
     overflow<nsw> : i32\n    %1 = arith.cmpi slt, %0, %arg0 : i32\n    %2 = arith.select %1, %0, %arg0 : i32\n    return %2 : \
     i32\n  }\n}\n",
    "func.func @f(%arg0: i1, %arg1: index) -> index {\n  %0 = scf.if %arg0 -> (index) {\n    scf.yield %arg1 : index\n  } else \
     {\n    %c0 = arith.constant 0 : index\n    scf.yield %c0 : index\n  }\n  %c1 = arith.constant 1 : index\n  scf.for %arg2 = \
     %0 to %arg1 step %c1 {\n    scf.if %arg0 {\n    }\n  }\n  %1 = scf.for %arg2 = %0 to %arg1 step %c1 iter_args(%arg3 = %0) \
     -> (index) {\n    scf.yield %arg3 : index\n  }\n  return %1 : index\n}\n",
    "#map = affine_map<(d0)[s0] -> (d0 + s0)>\nfunc.func @f(%arg0: index) -> index {\n  %0 = affine.apply #map(%arg0)[%arg0]\n  \
     affine.for %arg1 = 0 to %arg0 step 4 {\n  }\n  return %0 : index\n}\n",
    "func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<8x16xf32>, %arg2: tensor<4x16xf32>) -> tensor<4x16xf32> {\n  %cst = \
     arith.constant 0.000000e+00 : f32\n  %0 = linalg.fill ins(%cst : f32) outs(%arg2 : tensor<4x16xf32>) -> \
     tensor<4x16xf32>\n  %1 = linalg.matmul ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<8x16xf32>) outs(%0 : tensor<4x16xf32>) \
     -> tensor<4x16xf32>\n  return %1 : tensor<4x16xf32>\n}\n",
    "func.func @f(%arg0: i32) {\n  cf.switch %arg0 : i32, [\n    default: ^bb1,\n    4294967294: ^bb2(%arg0 : i32)\n  ]\n^bb1:  // \
     2 preds: ^bb0, ^bb2\n  return\n^bb2(%0: i32):  // pred: ^bb0\n  cf.br ^bb1\n}\n",
    "llvm.mlir.global internal constant @s(\"ab\\00\") {addr_space = 0 : i32}\nllvm.func @f(!llvm.ptr, ...) -> i32\n",
];

#[test]
fn what_mlir_opt_prints_comes_back() {
    for text in FIXED {
        let module = read(&crate::definitions::context(), text);
        assert_eq!(print(&module, &custom()), format!("{text}\n"));
    }
}

#[test]
fn locations_have_aliases() {
    let context = crate::definitions::context();
    let text = "\"t.a\"() : () -> () loc(\"f\":1:2)\n\"t.b\"() ({\n^bb0(%0: i32 loc(\"f\":1:2)):\n}) : () -> () loc(\"f\":3:4)";
    let module = read(&context, text);
    let shown = print(&module, &custom().locations(true));
    let wanted = "#loc = loc(\"f\":1:2)\n\"t.a\"() : () -> () loc(#loc)\n\"t.b\"() ({\n^bb0(%arg0: i32 loc(\"f\":1:2)):\n}) : () -> () \
                  loc(#loc1)\n#loc1 = loc(\"f\":3:4)\n\n";
    assert_eq!(shown, wanted);
}

#[test]
fn what_custom_assembly_cannot_say_is_in_generic_form() {
    let context = crate::definitions::context();
    // The second operand has a type that the format does not show.
    let text = "%0:2 = \"t.a\"() : () -> (i32, i64)\n%1 = \"arith.addi\"(%0#0, %0#1) : (i32, i64) -> i32";
    let shown = print(&read(&context, text), &custom());
    assert!(shown.contains("\"arith.addi\"(%0#0, %0#1) : "), "{shown}");
    // A body that is not the one that the name stands for.
    let text = "%0:2 = \"t.a\"() : () -> (f32, tensor<4xf32>)\n%1 = \"linalg.fill\"(%0#0, %0#1) <{operandSegmentSizes = \
                array<i32: 1, 1>}> ({\n^bb0(%2: f32, %3: f32):\n\"linalg.yield\"(%3) : (f32) -> ()\n}) : (f32, tensor<4xf32>) -> \
                tensor<4xf32>";
    let shown = print(&read(&context, text), &custom());
    assert!(shown.contains("\"linalg.fill\"("), "{shown}");
}

#[test]
fn nesting_costs_no_call_stack() {
    let many = 20_000;
    let text = format!("func.func @f(%c: i1) {{\n{}{}return\n}}", "scf.if %c {\n".repeat(many), "}\n".repeat(many));
    let run = move || {
        let module = read(&crate::definitions::context(), &text);
        print(&module, &custom()).matches("scf.if").count()
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(run).expect("a thread");
    assert_eq!(thread.join().expect("no overflow"), many);
}

/// A small generator of numbers: the same ones every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

#[test]
fn wrong_text_is_an_error_and_never_a_panic() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        ",",
        "=",
        ":",
        "->",
        "%0",
        "%arg0",
        "^bb0",
        "i32",
        "index",
        "loc(",
        "\"",
        "-1",
        "99999999999999999999",
        "#map",
        "@a",
        "true",
        "ins(",
        "attributes",
        "scf.if",
        "linalg.fill",
        "vector<4xf32>",
    ];
    let mut random = Random(1);
    let (mut good, mut bad) = (0, 0);
    for round in 0..6000 {
        let mut text = FIXED[round % FIXED.len()].as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => {
                    let end = (at + 1 + random.below(12)).min(text.len());
                    text.drain(at..end);
                }
                1 => drop(text.splice(at..at, PIECES[random.below(PIECES.len())].bytes())),
                _ => {
                    let from = random.below(text.len());
                    let part = text[from..(from + random.below(40)).min(text.len())].to_vec();
                    text.splice(at..at, part);
                }
            }
        }
        match parse_module(&crate::definitions::context(), &text, &ParseOptions::new()) {
            Ok(module) => {
                good += 1;
                print(&module, &custom());
            }
            Err(_) => bad += 1,
        }
    }
    assert!(good > 100 && bad > 2000, "{good} of the texts were right, {bad} wrong");
}
