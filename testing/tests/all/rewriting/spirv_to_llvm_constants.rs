//! What `convert-spirv-to-llvm` makes of specialisation constants, which it works out.

use mlirbc_testing::tool;

use super::by_us;
use super::spirv_to_llvm::refused;
use super::spirv_to_llvm_runs::{outer, piped};

/// What a module of specialisation constants becomes, where the last of them is given back.
fn specialised(constants: &str, ty: &str, options: &str) -> String {
    let text = format!(
        "spirv.module Logical GLSL450 {{
           {constants}
           spirv.func @f() -> {ty} \"None\" {{
             %r = spirv.mlir.referenceof @last : {ty}
             spirv.ReturnValue %r : {ty}
           }}
         }}"
    );
    by_us(&text, &format!("builtin.module(convert-spirv-to-llvm{options})"))
}

#[test]
fn operations_of_specialisation_constants_are_worked_out() {
    type Operation = (u32, fn(i32, i32) -> i32);
    let operations: [Operation; 22] = [
        (128, i32::wrapping_add),
        (130, i32::wrapping_sub),
        (132, i32::wrapping_mul),
        (134, |a, b| (a as u32 / b as u32) as i32),
        (135, i32::wrapping_div),
        (137, |a, b| (a as u32 % b as u32) as i32),
        (138, i32::wrapping_rem),
        (139, |a, b| (i64::from(a) - i64::from(b) * (i64::from(a) as f64 / f64::from(b)).floor() as i64) as i32),
        (194, |a, b| ((a as u32) >> (b & 31)) as i32),
        (195, |a, b| a >> (b & 31)),
        (196, |a, b| a << (b & 31)),
        (197, |a, b| a | b),
        (198, |a, b| a ^ b),
        (199, |a, b| a & b),
        (170, |a, b| i32::from(a == b)),
        (171, |a, b| i32::from(a != b)),
        (172, |a, b| i32::from(a as u32 > b as u32)),
        (173, |a, b| i32::from(a > b)),
        (174, |a, b| i32::from(a as u32 >= b as u32)),
        (177, |a, b| i32::from(a < b)),
        (176, |a, b| i32::from((a as u32) < b as u32)),
        (179, |a, b| i32::from(a <= b)),
    ];
    let mut numbers = mlirbc_testing::Numbers(7);
    for (opcode, function) in operations {
        for _ in 0..6 {
            let any = |numbers: &mut mlirbc_testing::Numbers| match numbers.below(3) {
                0 => numbers.below(20) as i32 - 9,
                1 => [i32::MIN, i32::MAX, -1, 1][numbers.below(4)],
                _ => numbers.below(1 << 32) as u32 as i32,
            };
            let (a, mut b) = (any(&mut numbers), any(&mut numbers));
            if (134..=139).contains(&opcode) && (b == 0 || b == -1) {
                b = 3;
            }
            if (194..=196).contains(&opcode) {
                b &= 31;
            }
            let ty = if (170..=179).contains(&opcode) { "i1" } else { "i32" };
            let made = specialised(
                &format!(
                    "spirv.SpecConstant @a spec_id(1) = 17 : i32
                     spirv.SpecConstant @b = {b} : i32
                     \"spirv.OpSpecConstantOp\"() {{literals = [{opcode} : i32], operands = [@a, @b],
                       sym_name = \"last\", type = {ty}}} : () -> ()"
                ),
                ty,
                &format!("{{specialization=1:{a}}}"),
            );
            let expected = match (ty, function(a, b)) {
                ("i1", 0) => "value = false".to_owned(),
                ("i1", _) => "value = true".to_owned(),
                (_, number) => format!("value = {number} : i32"),
            };
            assert!(made.contains(&expected), "{opcode} of {a} and {b} is not {expected}:\n{made}");
        }
    }
}

#[test]
fn parts_of_specialisation_constants_are_moved() {
    let made = specialised(
        "spirv.SpecConstant @a spec_id(1) = 7 : i32
         \"spirv.OpSpecConstantComposite\"() {constituents = [@a, 20 : i32, 30 : i32], sym_name = \"v\", type = vector<3xi32>} : () -> ()
         \"spirv.OpSpecConstantOp\"() {literals = [79 : i32, 4 : i32, 0 : i32, 2 : i32], operands = [@v, @v], sym_name = \"w\", type = vector<3xi32>} : () -> ()
         \"spirv.OpSpecConstantOp\"() {literals = [82 : i32, 1 : i32], operands = [5 : i32, @w], sym_name = \"x\", type = vector<3xi32>} : () -> ()
         \"spirv.OpSpecConstantOp\"() {literals = [132 : i32], operands = [@x, @v], sym_name = \"last\", type = vector<3xi32>} : () -> ()",
        "vector<3xi32>",
        "{specialization=1:8}",
    );
    // The vectors are (8, 20, 30), (20, 8, 30) and (20, 5, 30).
    assert!(made.contains("value = dense<[160, 100, 900]> : vector<3xi32>"), "{made}");
}

#[test]
fn arrays_are_as_long_as_specialisation_constants_say() {
    let text = "spirv.module Logical GLSL450 {
      spirv.SpecConstant @n spec_id(3) = 4 : i32
      spirv.func @f() \"None\" {
        %v = spirv.Variable : !spirv.ptr<!spirv.array<@n x f32>, Function>
        spirv.Return
      }
    }";
    for (options, length) in [("", 4), ("{specialization=3:9}", 9)] {
        let made = by_us(text, &format!("builtin.module(convert-spirv-to-llvm{options})"));
        assert!(made.contains(&format!("!llvm.array<{length} x f32>")), "{made}");
    }
}

#[test]
fn operations_of_kernels_on_constants_are_worked_out() {
    let (a, b) = (-5.5f32, 2.0f32);
    let floats: [(u32, &[&str], f32); 8] = [
        (127, &["@a"], 5.5),
        (129, &["@a", "@b"], a + b),
        (131, &["@a", "@b"], a - b),
        (133, &["@a", "@b"], a * b),
        (136, &["@a", "@b"], a / b),
        (140, &["@a", "@b"], a % b),
        (141, &["@a", "@b"], 0.5),
        (111, &["-7 : i32"], -7.0),
    ];
    let made = |opcode: u32, operands: &[&str], ty: &str| {
        specialised(
            &format!(
                "spirv.SpecConstant @a spec_id(1) = 0.0 : f32
                 spirv.SpecConstant @b = 2.0 : f32
                 \"spirv.OpSpecConstantOp\"() {{literals = [{opcode} : i32], operands = [{}],
                   sym_name = \"last\", type = {ty}}} : () -> ()",
                operands.join(", ")
            ),
            ty,
            "{specialization=1:-5.5}",
        )
    };
    for (opcode, operands, expected) in floats {
        let made = made(opcode, operands, "f32");
        let number = made.lines().find_map(|line| line.split("value = ").nth(1)).unwrap_or_else(|| panic!("{made}"));
        let number: f32 = number.split(' ').next().and_then(|number| number.parse().ok()).expect("a float");
        assert_eq!(number, expected, "{opcode}: {made}");
    }
    for (opcode, operands, ty, expected) in [
        (110, "@a", "i32", "-5 : i32"),
        (109, "@b", "i16", "2 : i16"),
        (112, "-1 : i32", "f64", "0x41EFFFFFFFE00000 : f64"),
        (124, "@b", "i32", "1073741824 : i32"),
        (124, "dense<[1, 2]> : vector<2xi16>", "i32", "131073 : i32"),
        (124, "131073 : i32", "vector<2xi16>", "dense<[1, 2]> : vector<2xi16>"),
    ] {
        let made = made(opcode, &[operands], ty);
        let number = made.lines().find_map(|line| line.split("value = ").nth(1)).unwrap_or_else(|| panic!("{made}"));
        let is_same = number.starts_with(expected) || expected.starts_with("0x") && number.starts_with("4.294967295");
        assert!(is_same, "{opcode}: {number} is not {expected}");
    }
}

/// What a constant becomes that a function gives back.
fn constant(operation: &str, ty: &str) -> String {
    let text = format!(
        "spirv.module Logical GLSL450 {{
           spirv.func @f() -> {ty} \"None\" {{
             %c = {operation}
             spirv.ReturnValue %c : {ty}
           }}
         }}"
    );
    by_us(&text, "builtin.module(convert-spirv-to-llvm)")
}

/// How many operations of `llvm` there are, beside the function and its end; LLVM takes them.
fn operations(made: &str) -> usize {
    if tool("mlir-translate-22", "constants were not translated to LLVM IR") {
        let (code, _) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(made).as_bytes());
        assert_eq!(code, Some(0), "{}", &made[..made.len().min(2000)]);
    }
    made.matches("\"llvm.").count() - 2
}

#[test]
fn constants_of_any_number_of_parts_are_one_operation() {
    let numbers: Vec<String> = (0..5000).map(|number| format!("{number} : i32")).collect();
    let ty = "!spirv.array<5000 x i32>";
    let made = constant(&format!("spirv.Constant [{}] : {ty}", numbers.join(", ")), ty);
    assert_eq!(operations(&made), 1);
    assert!(made.contains("tensor<5000xi32>") && made.contains("!llvm.array<5000 x i32>"), "{made}");
    let rows: Vec<String> = (0..70).map(|row| format!("[{}]", numbers[row..row + 71].join(", "))).collect();
    let ty = "!spirv.array<70 x !spirv.array<71 x i32>>";
    let made = constant(&format!("\"spirv.ConstantComposite\"() {{value = [{}]}} : () -> {ty}", rows.join(", ")), ty);
    assert_eq!(operations(&made), 1);
    // Of structs, one operation each puts in a part; what is the same is made once.
    let pair = "!spirv.struct<(i32, !spirv.array<2 x f32>)>";
    let ty = format!("!spirv.array<5000 x {pair}>");
    let parts: Vec<String> =
        (0..5000).map(|number| format!("[{} : i32, [1.0 : f32, {}.0 : f32]]", number % 2, number % 2)).collect();
    let made = constant(&format!("\"spirv.ConstantComposite\"() {{value = [{}]}} : () -> {ty}", parts.join(", ")), &ty);
    assert!((5000..5100).contains(&operations(&made)), "{}", operations(&made));
}

#[test]
fn constants_whose_parts_are_the_same_are_as_long_as_they_like() {
    let of = |value: &str, ty: &str| constant(&format!("spirv.EXT.ConstantCompositeReplicate [{value}] : {ty}"), ty);
    let made = of("3 : i32", "!spirv.array<100000 x i32>");
    assert_eq!(operations(&made), 1);
    assert!(made.contains("value = dense<3> : tensor<100000xi32>"), "{made}");
    let made = of("2.5 : f32", "!spirv.array<3 x !spirv.array<1000 x vector<4xf32>>>");
    assert_eq!(operations(&made), 1);
    assert!(made.contains("value = dense<2.500000e+00> : vector<3x1000x4xf32>"), "{made}");
    let made = of("dense<[1, 2, 3]> : vector<3xi32>", "!spirv.array<1000 x vector<3xi32>>");
    assert_eq!(operations(&made), 1);
    let made = specialised(
        "spirv.SpecConstant @a spec_id(1) = 7 : i32
         spirv.EXT.SpecConstantCompositeReplicate @last (@a) : !spirv.array<100000 x i32>",
        "!spirv.array<100000 x i32>",
        "{specialization=1:8}",
    );
    assert!(made.contains("value = dense<8> : tensor<100000xi32>"), "{made}");
    // Structs of numbers are the elements of one constant.
    let pairs = |count: u32| {
        let ty = format!("!spirv.array<{count} x !spirv.struct<(i32, f32, !spirv.array<2 x i16>)>>");
        let constants = format!(
            "spirv.SpecConstant @a spec_id(1) = 7 : i32
             spirv.SpecConstant @b = 2.5 : f32
             spirv.SpecConstant @c = 3 : i16
             spirv.SpecConstantComposite @two (@c, @c) : !spirv.array<2 x i16>
             spirv.SpecConstantComposite @pair (@a, @b, @two) : !spirv.struct<(i32, f32, !spirv.array<2 x i16>)>
             spirv.EXT.SpecConstantCompositeReplicate @last (@pair) : {ty}"
        );
        specialised(&constants, &ty, "{specialization=1:8}")
    };
    let made = pairs(3);
    let pair = "[8 : i32, 2.500000e+00 : f32, dense<3> : tensor<2xi16>]";
    assert!(made.contains(&format!("value = [{pair}, {pair}, {pair}]")), "{made}");
    assert_eq!(made.matches("\"llvm.mlir.constant\"").count(), 1, "{made}");
    if tool("mlir-translate-22", "constants of structs were not translated to LLVM IR") {
        let (code, llvm) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(&made).as_bytes());
        let llvm = String::from_utf8(llvm).expect("UTF-8");
        assert_eq!(code, Some(0), "{made}");
        let pair = "{ i32 8, float 2.500000e+00, [2 x i16] [i16 3, i16 3] }";
        assert_eq!(llvm.matches(pair).count(), 3, "{llvm}");
    }
    assert_eq!(pairs(5000).matches(pair).count(), 5000);
    // What LLVM has no short form for is not written out without an end.
    let error = refused(
        "spirv.module Logical GLSL450 {
           spirv.SpecConstant @a = 7 : i32
           spirv.SpecConstantComposite @pair (@a, @a) : !spirv.struct<(i32, i32)>
           spirv.EXT.SpecConstantCompositeReplicate @all (@pair) : !spirv.array<4000000000 x !spirv.struct<(i32, i32)>>
           spirv.func @f() \"None\" {
             %r = spirv.mlir.referenceof @all : !spirv.array<4000000000 x !spirv.struct<(i32, i32)>>
             spirv.Return
           }
         }",
    );
    assert!(error.contains("too many parts"), "{error}");
}

/// As many parts as atoms, of a few lines of text.
#[test]
fn parts_that_are_shared_are_made_once() {
    let (mut aliases, mut ty) = ("#p0 = [1 : i32, 2 : i32]\n".to_owned(), "!spirv.array<2 x i32>".to_owned());
    for depth in 1..60 {
        aliases += &format!("#p{depth} = [#p{}, #p{}]\n", depth - 1, depth - 1);
        ty = format!("!spirv.array<2 x {ty}>");
    }
    let text = format!(
        "{aliases}spirv.module Logical GLSL450 {{
           \"spirv.OpSpecConstantComposite\"() {{constituents = [#p58, #p58], sym_name = \"all\", type = {ty}}} : () -> ()
           spirv.func @f() \"None\" {{
             %c = \"spirv.ConstantComposite\"() {{value = #p59}} : () -> {ty}
             %d = spirv.mlir.referenceof @all : {ty}
             spirv.Return
           }}
         }}"
    );
    let made = by_us(&text, "builtin.module(convert-spirv-to-llvm)");
    assert!(made.matches("\"llvm.").count() < 400, "{}", made.len());
}

#[test]
fn addresses_are_constants_of_kernels() {
    let (table, word) = ("!spirv.array<4 x i32>", "!spirv.ptr<i32, CrossWorkgroup>");
    let text = format!(
        "spirv.module Physical64 OpenCL {{
           spirv.GlobalVariable @table {{spirv_binary.initializer = {{type = {table}, value = [10 : i32, 20 : i32, 30 : i32, 40 : i32]}}}} :
             !spirv.ptr<{table}, CrossWorkgroup>
           \"spirv.OpSpecConstantOp\"() {{literals = [66 : i32], operands = [@table, 1 : i32],
             sym_name = \"second\", type = {word}}} : () -> ()
           \"spirv.OpSpecConstantOp\"() {{literals = [67 : i32], operands = [@second, 2 : i32],
             sym_name = \"last\", type = {word}}} : () -> ()
           spirv.SpecConstantComposite @both (@second, @last) : !spirv.array<2 x {word}>
           spirv.GlobalVariable @pointers initializer(@both) : !spirv.ptr<!spirv.array<2 x {word}>, CrossWorkgroup>
           spirv.GlobalVariable @start initializer(@table) : !spirv.ptr<!spirv.ptr<{table}, CrossWorkgroup>, CrossWorkgroup>
           spirv.func @main() -> i32 \"None\" {{
             %one = spirv.Constant 1 : i32
             %all = spirv.mlir.addressof @pointers : !spirv.ptr<!spirv.array<2 x {word}>, CrossWorkgroup>
             %place = spirv.AccessChain %all[%one] : !spirv.ptr<!spirv.array<2 x {word}>, CrossWorkgroup>, i32 -> !spirv.ptr<{word}, CrossWorkgroup>
             %p = spirv.Load \"CrossWorkgroup\" %place : {word}
             %a = spirv.Load \"CrossWorkgroup\" %p : i32
             %q = spirv.mlir.referenceof @second : {word}
             %b = spirv.Load \"CrossWorkgroup\" %q : i32
             %sum = spirv.IAdd %a, %b : i32
             spirv.ReturnValue %sum : i32
           }}
         }}"
    );
    for options in ["", "{client-api=OpenCL}"] {
        let made = by_us(&text, &format!("builtin.module(convert-spirv-to-llvm{options})"));
        assert!(!made.contains("\"spirv."), "{made}");
        if !["mlir-translate-22", "lli-22"].iter().all(|program| tool(program, "addresses were not run")) {
            continue;
        }
        let (code, llvm) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(&made).as_bytes());
        assert_eq!(code, Some(0), "{made}");
        if options.is_empty() {
            assert_eq!(piped("lli-22", &["-"], &llvm).0, Some(60), "{}", String::from_utf8_lossy(&llvm));
        }
    }
}
