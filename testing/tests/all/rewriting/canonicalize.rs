//! The greedy driver: the order of visits, where constants stand, and what goes with regions.

use mlirbc_testing::tool;

use super::{by_us, differences, ran};

const PIPELINE: &str = "builtin.module(canonicalize)";

/// Functions that show the order in which a driver visits and where it puts constants.
const FUNCTIONS: &str = r#"
func.func @constants_keep_their_run(%a: i32) -> (i32, i32, i32, i32) {
  %c4 = arith.constant 4 : i32
  %c9 = arith.constant 9 : i32
  %x = arith.addi %a, %a : i32
  %c5 = arith.constant 5 : i32
  %c6 = arith.constant 6 : i32
  %y = arith.addi %a, %c4 : i32
  %z = arith.addi %a, %c6 : i32
  return %x, %y, %c5, %c9 : i32, i32, i32, i32
}
func.func @constants_of_blocks_become_one(%p: i1, %a: i32) -> i32 {
  cf.cond_br %p, ^yes(%a : i32), ^no
^yes(%b: i32):
  %c4 = arith.constant 4 : i32
  %c9 = arith.constant 9 : i32
  %s = arith.addi %c4, %b : i32
  %t = arith.muli %s, %c9 : i32
  return %t : i32
^no:
  %d4 = arith.constant 4 : i32
  %c7 = arith.constant 7 : i32
  %u = arith.divsi %a, %d4 : i32
  %v = arith.divsi %u, %c7 : i32
  return %v : i32
}
func.func @what_is_not_used_goes(%p: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0, %c0 : index, index)
^loop(%i: index, %unused: index):
  %next = arith.addi %i, %c1 : index
  %more = arith.addi %unused, %n : index
  %less = arith.cmpi ult, %next, %n : index
  cf.cond_br %less, ^loop(%next, %more : index, index), ^done
^done:
  return %next : index
}
func.func @what_writes_stays(%a: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%a : memref<4xf32>) {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    linalg.yield %y : f32
  }
  return
}
func.func @blocks_that_nothing_leads_to_go(%a: i32) -> i32 {
  return %a : i32
^one(%b: i32):
  cf.br ^two(%b : i32)
^two(%c: i32):
  cf.br ^one(%c : i32)
}
func.func @constants_of_tosa(%a: tensor<4xf32>, %s: !tosa.shape<1>) -> (tensor<4xf32>, tensor<?xf32>, tensor<?xf32>) {
  %0 = "tosa.const"() {values = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %1 = tosa.add %a, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = "tosa.const"() {values = dense<1.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %3 = tosa.sub %1, %2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = tosa.const_shape {values = dense<5> : tensor<1xindex>} : () -> !tosa.shape<1>
  %5 = tosa.tile %3, %4 : (tensor<4xf32>, !tosa.shape<1>) -> tensor<?xf32>
  %6 = tosa.const_shape {values = dense<5> : tensor<1xindex>} : () -> !tosa.shape<1>
  %7 = tosa.tile %5, %6 : (tensor<?xf32>, !tosa.shape<1>) -> tensor<?xf32>
  return %3, %5, %7 : tensor<4xf32>, tensor<?xf32>, tensor<?xf32>
}
"#;

#[test]
fn canonicalized_as_mlir_opt_does() {
    if !tool("mlir-opt-22", "canonicalized functions were not compared with those of mlir-opt") {
        return;
    }
    if let Some((theirs, ours)) = differences(FUNCTIONS, PIPELINE).first() {
        panic!("mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

/// What several patterns change.
const BY_PATTERNS: &str = r#"
func.func @arith(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.addi %a, %c1 : i32
  %1 = arith.addi %0, %c2 : i32
  return %1 : i32
}
func.func @branches(%a: i32, %b: i32, %c: i1) -> i32 {
  cf.cond_br %c, ^one, ^two
^one:
  cf.br ^end(%a : i32)
^two:
  cf.br ^end(%b : i32)
^end(%x: i32):
  return %x : i32
}
func.func @folded(%c: i1) {
  %true = arith.constant true
  %0 = arith.xori %c, %true : i1
  scf.if %0 {
    "any.then"() : () -> ()
  } else {
    "any.else"() : () -> ()
  }
  return
}
func.func @memory(%f: f32) -> memref<?xf32, strided<[?], offset: ?>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %dead = memref.alloc(%c8) : memref<?xf32>
  memref.store %f, %dead[%c0] : memref<?xf32>
  %dropped = memref.alloca(%c8) : memref<?xf32>
  memref.store %f, %dropped[%c0] : memref<?xf32>
  %kept = memref.alloc(%c8) : memref<?xf32>
  %part = memref.subview %kept[%c1] [%c2] [%c1] : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %part : memref<?xf32, strided<[?], offset: ?>>
}
"#;

#[test]
fn patterns_are_left_out_by_the_names_that_mlir_opt_gives_them() {
    if !tool("mlir-opt-22", "patterns that are left out were not compared with those of mlir-opt") {
        return;
    }
    let of = |name: &str| format!("(anonymous namespace)::{name}");
    let alloc = "<mlir::memref::AllocOp>";
    let patterns = [
        of("AddIAddConstant"),
        of("SimplifyPassThroughCondBranch"),
        of(&format!("SimplifyDeadAlloc{alloc}")),
        of(&format!("SimplifyAllocConst{alloc}")),
        of("SimplifyDeadAlloc<mlir::memref::AllocaOp>"),
        "mlir::OpWithOffsetSizesAndStridesConstantArgumentFolder<mlir::memref::SubViewOp, SubViewReturnTypeCanonicalizer, \
         SubViewCanonicalizer>"
            .to_owned(),
    ];
    let whole = by_us(BY_PATTERNS, PIPELINE);
    for pattern in &patterns {
        for option in ["disable-patterns", "enable-patterns"] {
            let pipeline = format!("builtin.module(canonicalize{{{option}={{{{{pattern}}},nothing}}}})");
            if let Some((theirs, ours)) = differences(BY_PATTERNS, &pipeline).first() {
                panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
            }
            assert_ne!(by_us(BY_PATTERNS, &pipeline), whole, "{pipeline} leaves nothing out");
        }
    }
    let all = patterns.iter().map(|pattern| format!("{{{pattern}}}")).collect::<Vec<_>>().join(",");
    let pipeline = format!("builtin.module(canonicalize{{enable-patterns={{{all}}} enable-patterns='nothing'}})");
    if let Some((theirs, ours)) = differences(BY_PATTERNS, &pipeline).first() {
        panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
    }
}

#[test]
fn constants_of_many_elements_are_made_within_bounds() {
    const ELEMENTS: usize = 1 << 15;
    // 2^24 elements are made at most.
    const FOLDED: usize = 512;
    const ALL: usize = FOLDED + 40;
    let data: String = (0..ELEMENTS).map(|number| format!("{:02X}", number % 251)).collect();
    let mut text = format!("func.func @f() -> vector<{ELEMENTS}xi8> {{\n");
    text += &format!("  %0 = arith.constant dense<\"0x{data}\"> : vector<{ELEMENTS}xi8>\n");
    for number in 0..ALL {
        text += &format!("  %{} = arith.addi %{number}, %0 : vector<{ELEMENTS}xi8>\n", number + 1);
    }
    text += &format!("  return %{ALL} : vector<{ELEMENTS}xi8>\n}}\n");
    let left = by_us(&text, PIPELINE).matches("arith.addi").count();
    assert_eq!(left, ALL - FOLDED);
}

#[test]
fn regions_in_regions_cost_neither_stack_nor_much_time() {
    let levels = 4_000;
    let nest = |inside: &str| {
        let open: String = (0..levels).map(|at| format!("scf.for %i{at} = %n to %m step %n {{ ")).collect();
        format!("{open} {inside} {}", "}".repeat(levels))
    };
    // Whether it is dead is asked of each loop, and what is at the bottom keeps all.
    let text =
        format!("func.func @f(%n: index, %m: index) {{ {} {} return }}", nest(""), nest("\"any.op\"() : () -> ()"));
    for pipeline in ["builtin.module(canonicalize)", "builtin.module(canonicalize{top-down=false})"] {
        let text = by_us(&text, pipeline);
        assert_eq!([text.matches("scf.for").count(), text.matches("any.op").count()], [levels, 1], "{pipeline}");
    }
}

#[test]
fn constants_deep_inside_come_out_in_no_more_time() {
    let levels = 20_000;
    let open = |at: usize| {
        let constant = format!("%c{at} = arith.constant {at} : index");
        format!("scf.for %i{at} = %n to %m step %n {{ {constant} \"any.op\"(%c{at}) : (index) -> () ")
    };
    let open: String = (0..levels).map(open).collect();
    let text = format!("func.func @f(%n: index, %m: index) {{ {open} {} return }}", "}".repeat(levels));
    let module = ran(&text, PIPELINE);
    let outermost = module.operations().expect("a module").next().expect("the module");
    let function = outermost.ops().expect("what it holds").next().expect("the function");
    let constants = function.ops().expect("what it holds").filter(|op| op.is("arith.constant")).count();
    assert_eq!(constants, levels);
}
