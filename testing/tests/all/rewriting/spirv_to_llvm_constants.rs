//! What `convert-spirv-to-llvm` makes of specialisation constants, which it works out.

use super::by_us;

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
        "{specialization=1:8,9:true}",
    );
    // The vectors are (8, 20, 30), (20, 8, 30) and (20, 5, 30).
    for number in [160, 100, 900] {
        assert!(made.contains(&format!("value = {number} : i32")), "{number}: {made}");
    }
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
