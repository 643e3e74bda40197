//! A few of MLIR's patterns, and where its driver puts casts and constants.

use mlirbc_ir::OpId;
use mlirbc_rewrite::conversion::{
    Adaptor, Conversion, ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget,
};
use mlirbc_rewrite::passes::ReconcileUnrealizedCasts;
use mlirbc_rewrite::{Match, NoMatch, Outcome, Pipeline, RunOptions};
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

use super::super::{by_mlir_opt, generic, parts};
use super::{Convert, constant, function, renamed, widened};

const FUNCTIONS: &str = r#"
func.func @folds(%a: i8, %b: i8, %c: i32) -> (i8, i32) {
  %c3 = arith.constant 3 : i8
  %c4 = arith.constant 4 : i8
  %e = arith.addi %c3, %c4 : i8
  %f = arith.addi %e, %a : i8
  %g = arith.addi %a, %b : i8
  %h = arith.muli %f, %g : i8
  %c0 = arith.constant 0 : i32
  %i = arith.addi %c0, %c : i32
  %c5 = arith.constant 5 : i32
  %j = arith.addi %c5, %c : i32
  "test.use"(%h, %i, %g) : (i8, i32, i8) -> ()
  return %h, %j : i8, i32
}
func.func @parts(%a: i8, %b: i8) -> (i8, i8) {
  %lo, %hi = arith.mulsi_extended %a, %b : i8
  %x = arith.addi %hi, %lo : i8
  "test.use"(%lo, %hi) : (i8, i8) -> ()
  return %x, %hi : i8, i8
}
func.func @blocks(%a: i8, %p: i1) -> i8 {
  %x = arith.addi %a, %a : i8
  cf.cond_br %p, ^one(%x : i8), ^two
^one(%b: i8):
  %y = arith.muli %b, %x : i8
  cf.br ^three(%y : i8)
^two:
  cf.br ^three(%x : i8)
^three(%z: i8):
  %w = arith.addi %z, %x : i8
  return %w : i8
}
func.func @loop(%a: i8, %p: i1) -> i8 {
  %c1 = arith.constant 1 : i8
  cf.br ^head(%a, %c1 : i8, i8)
^head(%i: i8, %j: i8):
  %next = arith.addi %c1, %i : i8
  %k = arith.muli %j, %next : i8
  "test.use"(%i, %j) : (i8, i8) -> ()
  cf.cond_br %p, ^head(%next, %k : i8, i8), ^done
^done:
  return %next : i8
}
func.func private @declared(i8, i1) -> i8
func.func @wide(%a: i64) -> i64 {
  return %a : i64
}
func.func @nothing() {
  return
}
func.func @unreachable(%a: i8) -> i8 {
  return %a : i8
^bb1(%b: i32):
  cf.br ^bb1(%b : i32)
}
"#;

/// The product in two parts.
fn extended(rw: &mut ConversionRewriter<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let context = rw.context();
    let ty = rw.converted_results(op)?[0];
    let pair = mlirbc_ir::text::parse_type(context, b"!spirv.struct<(i32, i32)>").expect("a type");
    let product = rw.build("spirv.SMulExtended").operands(operands.all()?).result_type(pair).create()?;
    let product = rw.result(product, 0)?;
    let mut results = Vec::new();
    for part in [0, 1] {
        let indices = mlirbc_ir::text::parse_attribute(context, format!("[{part} : i32]").as_bytes()).expect("indices");
        let extract = rw.build("spirv.CompositeExtract").operands([product]).attribute("indices", indices);
        let extract = extract.result_type(ty).create()?;
        results.push(rw.result(extract, 0)?);
    }
    Ok(rw.replace(op, results)?)
}

/// A branch, and arguments of converted types in the blocks that it goes on to.
fn branch(rw: &mut ConversionRewriter<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    for block in rw.body().successors(op).to_vec() {
        rw.convert_arguments_now(block)?;
    }
    let conditional = rw.body().successors(op).len() == 2;
    let successors = rw.body().successors(op).to_vec();
    let operands = operands.all()?;
    let made = match conditional {
        false => rw.build("spirv.Branch").operands(operands).successors(successors).create()?,
        true => {
            let sizes = rw.op(op).attribute("operandSegmentSizes")?.ok_or(NoMatch::Reason("no sizes"))?;
            let made = rw.build("spirv.BranchConditional").operands(operands).successors(successors);
            made.attribute("operandSegmentSizes", sizes).create()?
        }
    };
    Ok(rw.replace_with(op, made)?)
}

fn returned(rw: &mut ConversionRewriter<'_, '_>, op: OpId, operands: &Adaptor) -> Outcome {
    let name = match operands.len() {
        0 => "spirv.Return",
        1 => "spirv.ReturnValue",
        _ => return rw.no_match("too many"),
    };
    let made = rw.build(name).operands(operands.all()?).create()?;
    Ok(rw.replace_with(op, made)?)
}

fn arith() -> Conversion {
    let types = widened();
    let patterns = ConversionPatterns::new()
        .on("arith.constant", ConversionPattern::new("constant", constant).types(&types))
        .on("arith.addi", renamed("add", "spirv.IAdd", false).types(&types))
        .on("arith.muli", renamed("multiply", "spirv.IMul", false).types(&types))
        .on("arith.mulsi_extended", ConversionPattern::new("extended", extended).types(&types));
    let target = ConversionTarget::new().illegal_dialects(["arith"]).legal_dialects(["spirv"]);
    Conversion::new(target.legal([mlirbc_rewrite::conversion::CAST]), patterns).partial()
}

fn branches() -> Conversion {
    let types = widened();
    let patterns = ConversionPatterns::new()
        .on("cf.br", ConversionPattern::new("branch", branch).types(&types))
        .on("cf.cond_br", ConversionPattern::new("branch", branch).types(&types));
    Conversion::new(ConversionTarget::new().legal_dialects(["spirv"]), patterns).partial()
}

fn functions() -> Conversion {
    let types = widened();
    let patterns = ConversionPatterns::new()
        .on("func.func", ConversionPattern::new("function", function).types(&types))
        .on("func.return", ConversionPattern::new("return", returned).types(&types));
    Conversion::new(ConversionTarget::new().legal_dialects(["spirv"]), patterns).partial()
}

/// The passes of these letters, by both.
fn compare(letters: &str) {
    let (mut names, mut ours) = (Vec::new(), Pipeline::new("builtin.module"));
    for letter in letters.chars() {
        let name = match letter {
            'a' => "convert-arith-to-spirv",
            'b' => "convert-cf-to-spirv",
            'f' => "convert-func-to-spirv",
            _ => "reconcile-unrealized-casts",
        };
        names.push(name);
        ours = match letter {
            'a' => ours.pass(Convert(arith())),
            'b' => ours.pass(Convert(branches())),
            'f' => ours.pass(Convert(functions())),
            _ => ours.pass(ReconcileUnrealizedCasts),
        };
    }
    // Which of a function's callers or blocks are converted decides whether what is left can be verified.
    let theirs = by_mlir_opt(FUNCTIONS, &format!("builtin.module({})", names.join(",")));
    let context = super::super::context();
    let mut module =
        parse_module(&context, FUNCTIONS.as_bytes(), &ParseOptions::new().implicit_module(true)).expect("text");
    ours.run(&mut module, RunOptions::new()).unwrap_or_else(|error| panic!("{letters}: {error}"));
    let ours = generic(&module);
    let mut pairs =
        parts(&theirs).into_iter().zip(parts(&ours)).filter(|(theirs, ours)| theirs.trim_end() != ours.trim_end());
    if let Some((theirs, ours)) = pairs.next() {
        panic!("{letters}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
    assert_eq!(theirs.trim_end(), ours.trim_end());
}

#[test]
fn converted_as_mlir_opt_does() {
    if !tool("mlir-opt-22", "conversions were not compared with those of mlir-opt") {
        return;
    }
    for letters in ["a", "b", "ar", "ab", "abr", "abf", "abfr", "ba", "bar", "baf", "bafr", "bf", "bfa", "bfar"] {
        compare(letters);
    }
}
