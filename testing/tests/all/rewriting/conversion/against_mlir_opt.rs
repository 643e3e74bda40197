//! A few of MLIR's patterns, and where its driver puts casts and constants.

use std::fmt::Write;

use mlirbc_ir::OpId;
use mlirbc_rewrite::conversion::{
    Adaptor, Conversion, ConversionPattern, ConversionPatterns, ConversionRewriter, ConversionTarget,
};
use mlirbc_rewrite::passes::ReconcileUnrealizedCasts;
use mlirbc_rewrite::{Match, NoMatch, Outcome, Pipeline};
use mlirbc_testing::{Numbers, tool};
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
func.func @rows_of_folds(%a: i8, %b: i8) -> i8 {
  %c0 = arith.constant 0 : i8
  %x = arith.addi %a, %b : i8
  %y = arith.addi %x, %c0 : i8
  %z = arith.addi %y, %c0 : i8
  "test.use"(%z, %y) : (i8, i8) -> ()
  %v = arith.muli %z, %y : i8
  return %z : i8
}
func.func @folds_in_place_and_then_away(%a: i8) {
  %c0 = arith.constant 0 : i8
  %c5 = arith.constant 5 : i8
  %x:2 = arith.mulsi_extended %c0, %a : i8
  %y:2 = arith.mulsi_extended %c5, %a : i8
  "test.use"(%x#0, %y#0) : (i8, i8) -> ()
  return
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
fn compare(text: &str, letters: &str) {
    let (mut names, mut ours) = (Vec::new(), Pipeline::new());
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
    let theirs = by_mlir_opt(text, &format!("builtin.module({})", names.join(",")));
    let context = super::super::context();
    let mut module = parse_module(&context, text.as_bytes(), &ParseOptions::new().implicit_module(true)).expect("text");
    ours.run(&mut module).unwrap_or_else(|error| panic!("{letters}: {error}"));
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
        compare(FUNCTIONS, letters);
    }
}

/// A function of several blocks, whose operations use what was computed in it before.
fn random(numbers: &mut Numbers, name: usize) -> String {
    let mut text = format!("func.func @f{name}(%a: i8, %b: i32, %c: i16, %p: i1) -> i8 {{\n");
    let types = ["i8", "i32", "i16"];
    // What each block can use: that of the first, and its own.
    let mut outer: Vec<(String, usize)> =
        [("%a", 0), ("%b", 1), ("%c", 2)].map(|(name, ty)| (name.to_owned(), ty)).into();
    let blocks = 1 + numbers.below(4);
    let mut count = 0;
    for block in 0..blocks {
        let mut known = outer.clone();
        if block > 0 {
            known.push((format!("%x{block}"), 0));
            known.push((format!("%y{block}"), 2));
            writeln!(text, "^bb{block}(%x{block}: i8, %y{block}: i16):").expect("text");
        }
        for _ in 0..numbers.below(12) {
            let ty = numbers.below(3);
            let mut pick = || {
                let of: Vec<&String> = known.iter().filter(|known| known.1 == ty).map(|known| &known.0).collect();
                of[numbers.below(of.len())].clone()
            };
            let (x, y) = (pick(), pick());
            let of = types[ty];
            let mut define = |known: &mut Vec<(String, usize)>| {
                count += 1;
                known.push((format!("%v{count}"), ty));
                format!("%v{count}")
            };
            let line = match numbers.below(6) {
                0 => format!("{} = arith.constant {} : {of}", define(&mut known), numbers.below(3)),
                1 | 2 => format!("{} = arith.addi {x}, {y} : {of}", define(&mut known)),
                3 => format!("{} = arith.muli {x}, {y} : {of}", define(&mut known)),
                4 => {
                    let (low, high) = (define(&mut known), define(&mut known));
                    format!("{low}, {high} = arith.mulsi_extended {x}, {y} : {of}")
                }
                _ => format!("\"test.use\"({x}, {y}) : ({of}, {of}) -> ()"),
            };
            writeln!(text, "  {line}").expect("text");
        }
        let last = |ty: usize| &known.iter().rev().find(|known| known.1 == ty).expect("a value").0;
        let next = |to: usize| format!("^bb{}({}, {} : i8, i16)", 1 + to % (blocks - 1), last(0), last(2));
        match numbers.below(3) {
            _ if blocks == 1 || block + 1 == blocks => writeln!(text, "  return {} : i8", last(0)),
            0 => writeln!(text, "  cf.br {}", next(block)),
            _ => writeln!(text, "  cf.cond_br %p, {}, {}", next(numbers.below(4)), next(block)),
        }
        .expect("text");
        if block == 0 {
            outer = known;
        }
    }
    text.push_str("}\n");
    text
}

#[test]
fn random_functions_are_converted_as_mlir_opt_does() {
    if !tool("mlir-opt-22", "random functions were not compared with what mlir-opt converts them to") {
        return;
    }
    let mut numbers = Numbers(7);
    let text: String = (0..200).map(|name| random(&mut numbers, name)).collect();
    for letters in ["a", "b", "abr", "baf", "abfr", "bfar"] {
        compare(&text, letters);
    }
}

#[test]
fn rows_of_folds_and_of_casts_are_not_followed_again_and_again() {
    let mut text = String::from(
        "func.func @f(%x0: i8, %y: i8) -> i8 {\n  %c0 = arith.constant 0 : i8\n  %v0 = arith.muli %x0, %y : i8\n",
    );
    let many = 20_000;
    for number in 1..=many {
        let before = number - 1;
        writeln!(text, "  %v{number} = arith.addi %v{before}, %c0 : i8\n  %x{number} = arith.muli %x{before}, %y : i8")
            .expect("text");
    }
    write!(text, "  %sum = arith.addi %v{many}, %x{many} : i8\n  return %sum : i8\n}}\n").expect("text");
    let (module, done) = super::converted(&super::super::context(), &text, &arith());
    done.expect("it converts");
    let text = generic(&module);
    assert_eq!((text.matches("spirv.IMul").count(), text.matches("spirv.IAdd").count()), (many + 1, 1));
}
