func.func @for_times_known(%arg0: i32, %arg1: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %arg2 = %c0 to %c5 step %c1 iter_args(%arg3 = %arg0) -> (i32) {
    "t.use"(%arg3) : (i32) -> ()
    scf.yield %arg1 : i32
  }
  return %0 : i32
}
func.func @for_times_unknown(%arg0: i32, %arg1: i32, %arg2: index) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0, %arg5 = %arg0) -> (i32, i32) {
    "t.use"(%arg4, %arg5) : (i32, i32) -> ()
    scf.yield %arg1, %arg1 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @index_switch_1(%arg0: index, %arg1: i32, %arg2: i32) -> i32 {
  %0:2 = scf.index_switch %arg0 -> i32, i32 
  case 0 {
    %1 = "t.a"() : () -> i32
    scf.yield %1, %arg1 : i32, i32
  }
  default {
    %1 = "t.b"() : () -> i32
    scf.yield %1, %arg2 : i32, i32
  }
  return %0#0 : i32
}
func.func @index_switch_2(%arg0: index, %arg1: i32, %arg2: i32) -> (i32, i32) {
  %0:2 = scf.index_switch %arg0 -> i32, i32 
  case 0 {
    %1 = "t.a"() : () -> i32
    scf.yield %1, %arg1 : i32, i32
  }
  default {
    %1 = "t.b"() : () -> i32
    scf.yield %1, %arg1 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @index_switch_3(%arg0: i32, %arg1: i32) -> (i32, i32) {
  %c1 = arith.constant 1 : index
  %0:2 = scf.index_switch %c1 -> i32, i32 
  case 0 {
    %1 = "t.a"() : () -> i32
    scf.yield %1, %arg0 : i32, i32
  }
  default {
    %1 = "t.b"() : () -> i32
    scf.yield %1, %arg0 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @execute_region_1(%arg0: i1, %arg1: i32) -> i32 {
  %0:2 = scf.execute_region -> (i32, i32) no_inline {
    %1 = "t.a"() : () -> i32
    scf.yield %1, %arg1 : i32, i32
  }
  return %0#1 : i32
}
func.func @execute_region_2(%arg0: i1, %arg1: i32) -> i32 {
  %0 = scf.if %arg0 -> (i32) {
    %1:2 = scf.execute_region -> (i32, i32) {
      cf.cond_br %arg0, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %2 = "t.a"() : () -> i32
      scf.yield %2, %arg1 : i32, i32
    ^bb2:  // pred: ^bb0
      %3 = "t.b"() : () -> i32
      scf.yield %3, %arg1 : i32, i32
    }
    scf.yield %1#1 : i32
  } else {
    %1 = "t.c"() : () -> i32
    scf.yield %1 : i32
  }
  return %0 : i32
}
func.func @parallel_reduces(%arg0: index, %arg1: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.parallel (%arg2) = (%c0) to (%arg0) step (%c1) init (%arg1, %arg1) -> (f32, f32) {
    %1 = "t.a"(%arg2) : (index) -> f32
    scf.reduce(%1, %1 : f32, f32) {
    ^bb0(%arg3: f32, %arg4: f32):
      %2 = arith.addf %arg3, %arg4 : f32
      scf.reduce.return %2 : f32
    }, {
    ^bb0(%arg3: f32, %arg4: f32):
      %2 = arith.addf %arg3, %arg4 : f32
      scf.reduce.return %2 : f32
    }
  }
  return %0#0 : f32
}
func.func @while(%arg0: i32, %arg1: i32) -> i32 {
  %0:2 = scf.while (%arg2 = %arg0, %arg3 = %arg1) : (i32, i32) -> (i32, i32) {
    %1 = "t.c"(%arg2) : (i32) -> i1
    scf.condition(%1) %arg3, %arg2 : i32, i32
  } do {
  ^bb0(%arg2: i32, %arg3: i32):
    %1 = "t.n"(%arg3) : (i32) -> i32
    scf.yield %1, %arg2 : i32, i32
  }
  return %0#1 : i32
}
func.func @while_2(%arg0: i32, %arg1: i32) -> (i32, i32) {
  %0:3 = scf.while (%arg2 = %arg0, %arg3 = %arg1) : (i32, i32) -> (i32, i32, i1) {
    %1 = "t.c"(%arg2) : (i32) -> i1
    scf.condition(%1) %arg3, %arg2, %1 : i32, i32, i1
  } do {
  ^bb0(%arg2: i32, %arg3: i32, %arg4: i1):
    %1 = "t.n"(%arg3, %arg2, %arg4) : (i32, i32, i1) -> i32
    scf.yield %1, %1 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @while_3(%arg0: i32, %arg1: i32) -> i32 {
  %false = arith.constant false
  %0:2 = scf.while (%arg2 = %arg0, %arg3 = %arg1) : (i32, i32) -> (i32, i32) {
    scf.condition(%false) %arg3, %arg2 : i32, i32
  } do {
  ^bb0(%arg2: i32, %arg3: i32):
    %1 = "t.n"(%arg3) : (i32) -> i32
    scf.yield %1, %arg2 : i32, i32
  }
  return %0#1 : i32
}
func.func @while_4(%arg0: i32, %arg1: i32) -> i32 {
  %0:2 = scf.while (%arg2 = %arg0) : (i32) -> (i32, i32) {
    %1 = arith.cmpi slt, %arg2, %arg1 : i32
    scf.condition(%1) %arg2, %arg1 : i32, i32
  } do {
  ^bb0(%arg2: i32, %arg3: i32):
    %1 = arith.cmpi slt, %arg2, %arg1 : i32
    %2 = arith.cmpi sge, %arg2, %arg1 : i32
    %3 = "t.n"(%arg3, %arg2, %1, %2) : (i32, i32, i1, i1) -> i32
    scf.yield %3 : i32
  }
  return %0#1 : i32
}
func.func @while_5(%arg0: i32, %arg1: i32) -> i32 {
  %0 = scf.while (%arg2 = %arg0) : (i32) -> i32 {
    %1 = "t.c"(%arg2) : (i32) -> i1
    %2 = "t.e"(%arg2) : (i32) -> i32
    %3 = scf.if %1 -> (i32) {
      %4 = "t.v"(%2, %arg2) : (i32, i32) -> i32
      scf.yield %4 : i32
    } else {
      scf.yield %arg1 : i32
    }
    scf.condition(%1) %3 : i32
  } do {
  ^bb0(%arg2: i32):
    %1 = "t.n"(%arg2) : (i32) -> i32
    scf.yield %1 : i32
  }
  return %0 : i32
}
func.func @for_1(%arg0: i32, %arg1: index) -> i32 {
  %c1 = arith.constant 1 : index
  %0 = scf.for %arg2 = %arg1 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (i32) {
    %1 = "t.use"(%arg3) : (i32) -> i32
    scf.yield %1 : i32
  }
  return %0 : i32
}
func.func @for_2(%arg0: i32, %arg1: index) -> i32 {
  %c3 = arith.constant 3 : index
  %0 = arith.addi %arg1, %c3 : index
  %1 = scf.for %arg2 = %arg1 to %0 step %c3 iter_args(%arg3 = %arg0) -> (i32) {
    %2 = "t.use"(%arg3, %arg2) : (i32, index) -> i32
    scf.yield %2 : i32
  }
  return %1 : i32
}
func.func @for_2b(%arg0: i32, %arg1: index) -> i32 {
  %c3 = arith.constant 3 : index
  %0 = arith.addi %arg1, %c3 overflow<nsw> : index
  %1 = scf.for %arg2 = %arg1 to %0 step %c3 iter_args(%arg3 = %arg0) -> (i32) {
    %2 = "t.use"(%arg3, %arg2) : (i32, index) -> i32
    scf.yield %2 : i32
  }
  return %1 : i32
}
func.func @for_3(%arg0: i32, %arg1: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %arg2 = %c1 to %c5 step %c1 iter_args(%arg3 = %arg0) -> (i32) {
    scf.yield %arg1 : i32
  }
  return %0 : i32
}
func.func @for_4(%arg0: i32, %arg1: i32, %arg2: index) -> i32 {
  %c1 = arith.constant 1 : index
  %0 = scf.for %arg3 = %c1 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (i32) {
    scf.yield %arg1 : i32
  }
  return %0 : i32
}
func.func @for_5(%arg0: i32, %arg1: i32, %arg2: index) -> i32 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %arg3 = %c1 to %c4 step %c5 iter_args(%arg4 = %arg0) -> (i32) {
    %1 = "t.use"(%arg4, %arg3) : (i32, index) -> i32
    scf.yield %1 : i32
  }
  return %0 : i32
}
func.func @for_6(%arg0: i32, %arg1: i32, %arg2: index) -> i32 {
  %c7 = arith.constant 7 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %arg3 = %c7 to %c4 step %c5 iter_args(%arg4 = %arg0) -> (i32) {
    %1 = "t.use"(%arg4, %arg3) : (i32, index) -> i32
    scf.yield %1 : i32
  }
  return %0 : i32
}
func.func @for_7(%arg0: i32, %arg1: index) -> i32 {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0:2 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0, %arg4 = %arg0) -> (i32, i32) {
    %1 = "t.use"(%arg2) : (index) -> i32
    %2 = arith.addi %arg4, %arg4 : i32
    scf.yield %1, %2 : i32, i32
  }
  return %0#0 : i32
}
func.func @for_8(%arg0: i32, %arg1: index) -> i32 {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %0:2 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0, %arg4 = %arg0) -> (i32, i32) {
    %1 = "t.use"(%arg2, %arg3, %arg4) : (index, i32, i32) -> i32
    scf.yield %arg4, %arg3 : i32, i32
  }
  return %0#0 : i32
}
func.func @for_unsigned(%arg0: i8) -> i8 {
  %c100_i8 = arith.constant 100 : i8
  %c-100_i8 = arith.constant -100 : i8
  %c100_i8_0 = arith.constant 100 : i8
  %0 = scf.for unsigned %arg1 = %c100_i8 to %c-100_i8 step %c100_i8_0 iter_args(%arg2 = %arg0) -> (i8)  : i8 {
    %2 = "t.use"(%arg1, %arg2) : (i8, i8) -> i8
    scf.yield %2 : i8
  }
  return %0 : i8
}
func.func @for_empty(%arg0: index) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  scf.for %arg1 = %c0 to %arg0 step %c1 {
  }
  scf.for %arg1 = %c0 to %c1 step %c0 {
    "t.x"() : () -> ()
  }
  scf.for %arg1 = %c0 to %c1 step %c1 {
    scf.for %arg2 = %arg1 to %c1 step %c1 {
      "t.x"(%arg1, %arg2) : (index, index) -> ()
    }
  }
  return
}
func.func @past_a_branch(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  "t.x"() : () -> ()
  cf.cond_br %arg0 weights([1, 2]), ^bb1(%arg1 : i32), ^bb2 {foo = 1 : i64}
^bb1(%0: i32):  // pred: ^bb0
  cf.br ^bb3(%0, %arg2 : i32, i32) {foo}
^bb2:  // pred: ^bb0
  %1 = "t.q"() : () -> i32
  cf.br ^bb3(%1, %1 : i32, i32)
^bb3(%2: i32, %3: i32):  // 2 preds: ^bb1, ^bb2
  %4 = "t.r"(%2, %3) : (i32, i32) -> i32
  return %4 : i32
}
func.func @same_target(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  cf.cond_br %arg0, ^bb1(%arg1, %arg2, %arg1 : i32, i32, i32), ^bb1(%arg2, %arg2, %arg2 : i32, i32, i32)
^bb1(%0: i32, %1: i32, %2: i32):  // 2 preds: ^bb0, ^bb0
  %3 = "t.r"(%0, %1, %2) : (i32, i32, i32) -> i32
  return %3 : i32
}
func.func @condition_decided(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  "t.1"(%arg0) : (i1) -> ()
  cf.cond_br %arg0, ^bb3, ^bb4
^bb2:  // pred: ^bb0
  "t.2"(%arg0) : (i1) -> ()
  cf.cond_br %arg0, ^bb3, ^bb4
^bb3:  // 2 preds: ^bb1, ^bb2
  "t.3"(%arg0) : (i1) -> ()
  return %arg1 : i32
^bb4:  // 2 preds: ^bb1, ^bb2
  "t.4"(%arg0) : (i1) -> ()
  return %arg2 : i32
}
func.func @condition_known(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  %0 = "t.1"(%arg0, %arg0) : (i1, i1) -> i1
  return %arg1 : i32
^bb2:  // pred: ^bb0
  "t.2"(%arg0) ({
    "t.3"(%arg0) : (i1) -> ()
  }) : (i1) -> ()
  return %arg2 : i32
}
func.func @unreachable(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg1 : i32)
^bb1:  // pred: ^bb0
  ub.unreachable
^bb2(%0: i32):  // pred: ^bb0
  "t.2"(%arg0) : (i1) -> ()
  return %0 : i32
}
func.func @unreachable_2(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  cf.cond_br %arg0, ^bb2, ^bb1
^bb1:  // pred: ^bb0
  ub.unreachable
^bb2:  // pred: ^bb0
  "t.2"(%arg0) : (i1) -> ()
  return %arg1 : i32
}
func.func @condition_constant(%arg0: i32, %arg1: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^bb1(%arg0 : i32), ^bb1(%arg1 : i32)
^bb1(%0: i32):  // 2 preds: ^bb0, ^bb0
  return %0 : i32
}
func.func @switch_0(%arg0: i32, %arg1: i32) -> i32 {
  cf.switch %arg0 : i32, [
    default: ^bb1(%arg1 : i32)]
^bb1(%0: i32):  // pred: ^bb0
  return %0 : i32
}
func.func @switch_1(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
  cf.switch %arg0 : i32, [
    default: ^bb1(%arg1 : i32),
    1: ^bb1(%arg1 : i32),
    2: ^bb2(%arg2 : i32),
    3: ^bb1(%arg2 : i32)
  ] {foo = 1 : i64}
^bb1(%0: i32):  // 3 preds: ^bb0, ^bb0, ^bb0
  return %0 : i32
^bb2(%1: i32):  // pred: ^bb0
  "t.x"(%1) : (i32) -> ()
  return %arg1 : i32
}
func.func @switch_2(%arg0: i32, %arg1: i32) -> i32 {
  %c2_i32 = arith.constant 2 : i32
  cf.switch %c2_i32 : i32, [
    default: ^bb1(%arg0 : i32),
    1: ^bb1(%arg0 : i32),
    2: ^bb2(%arg1 : i32),
    3: ^bb1(%arg1 : i32)
  ] {foo = 1 : i64}
^bb1(%0: i32):  // 3 preds: ^bb0, ^bb0, ^bb0
  return %0 : i32
^bb2(%1: i32):  // pred: ^bb0
  "t.x"(%1) : (i32) -> ()
  return %arg0 : i32
}
func.func @switch_3(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
  cf.switch %arg0 : i32, [
    default: ^bb1(%arg1 : i32),
    1: ^bb3(%arg1 : i32),
    2: ^bb2(%arg2 : i32),
    3: ^bb4(%arg2 : i32)
  ] {foo = 1 : i64}
^bb1(%0: i32):  // 2 preds: ^bb0, ^bb5
  return %0 : i32
^bb2(%1: i32):  // 2 preds: ^bb0, ^bb3
  "t.x"(%1) : (i32) -> ()
  return %arg1 : i32
^bb3(%2: i32):  // pred: ^bb0
  cf.br ^bb2(%2 : i32)
^bb4(%3: i32):  // pred: ^bb0
  cf.br ^bb5
^bb5:  // pred: ^bb4
  cf.br ^bb1(%arg1 : i32)
}
func.func @switch_4(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
  cf.switch %arg0 : i32, [
    default: ^bb1,
    1: ^bb2,
    2: ^bb3
  ]
^bb1:  // pred: ^bb0
  "t.1"(%arg0) : (i32) -> ()
  cf.switch %arg0 : i32, [
    default: ^bb4(%arg1 : i32),
    1: ^bb4(%arg2 : i32),
    5: ^bb5,
    2: ^bb5
  ]
^bb2:  // pred: ^bb0
  "t.2"(%arg0) : (i32) -> ()
  cf.switch %arg0 : i32, [
    default: ^bb4(%arg1 : i32),
    1: ^bb4(%arg2 : i32),
    5: ^bb5
  ]
^bb3:  // pred: ^bb0
  "t.3"(%arg0) : (i32) -> ()
  cf.switch %arg0 : i32, [
    default: ^bb4(%arg1 : i32),
    1: ^bb4(%arg2 : i32),
    5: ^bb5
  ]
^bb4(%0: i32):  // 6 preds: ^bb1, ^bb1, ^bb2, ^bb2, ^bb3, ^bb3
  "t.4"(%0) : (i32) -> ()
  return %0 : i32
^bb5:  // 4 preds: ^bb1, ^bb1, ^bb2, ^bb3
  "t.5"(%arg1) : (i32) -> ()
  return %arg1 : i32
}
func.func @asserts(%arg0: i1) {
  %true = arith.constant true
  %false = arith.constant false
  cf.assert %true, "a"
  cf.assert %false, "b"
  cf.assert %arg0, "b"
  return
}
func.func @self_loop(%arg0: i32) {
  cf.br ^bb1
^bb1:  // 2 preds: ^bb0, ^bb1
  cf.br ^bb1
}
func.func @block_loop(%arg0: i32, %arg1: i1) {
  cf.br ^bb1(%arg0 : i32)
^bb1(%0: i32):  // 2 preds: ^bb0, ^bb2
  cf.cond_br %arg1, ^bb2(%0 : i32), ^bb3
^bb2(%1: i32):  // pred: ^bb1
  %2 = "t.z"(%1) : (i32) -> i32
  cf.br ^bb1(%2 : i32)
^bb3:  // pred: ^bb1
  return
}
func.func private @ext(i32) -> i32
func.func @call_of_constant(%arg0: i32) -> i32 {
  %f = constant @ext : (i32) -> i32
  %0 = call_indirect %f(%arg0) {foo = 1 : i64} : (i32) -> i32
  %f_0 = constant @ext : (i32) -> i32
  return %0 : i32
}
func.func @casts(%arg0: i32, %arg1: i64) -> (i32, f32, i32, f32) {
  %0 = builtin.unrealized_conversion_cast %arg0 : i32 to i32
  %1 = builtin.unrealized_conversion_cast %0 : i32 to f32
  %2 = builtin.unrealized_conversion_cast %1 : f32 to i32
  %3 = builtin.unrealized_conversion_cast %arg1 : i64 to f64
  %4:2 = builtin.unrealized_conversion_cast %arg0, %arg1 : i32, i64 to f32, f64
  %5:2 = builtin.unrealized_conversion_cast %4#0, %4#1 : f32, f64 to i32, i64
  %6:2 = builtin.unrealized_conversion_cast %arg0, %arg1 : i32, i64 to i32, i64
  %7:2 = builtin.unrealized_conversion_cast %4#1, %4#0 : f64, f32 to i32, i64
  "t.x"(%6#0, %6#1, %7#0) : (i32, i64, i32) -> ()
  %8 = builtin.unrealized_conversion_cast %1 : f32 to i64
  %9 = builtin.unrealized_conversion_cast %8 : i64 to f32
  return %2, %1, %5#0, %9 : i32, f32, i32, f32
}
func.func @if_2(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  %0:2 = scf.if %arg0 -> (i32, i32) {
    %1 = "t.a"(%arg0) : (i1) -> i32
    scf.yield %1, %arg2 : i32, i32
  } else {
    %1 = "t.b"(%arg0) : (i1) -> i32
    scf.yield %1, %arg1 : i32, i32
  } {foo = 1 : i64}
  return %0#0 : i32
}
func.func @if_3(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
  %0:2 = scf.if %arg0 -> (i32, i32) {
    %1 = "t.a"(%arg0) : (i1) -> i32
    scf.yield %1, %arg2 : i32, i32
  } else {
    %1 = "t.b"(%arg0) ({
      "t.c"(%arg0) : (i1) -> ()
    }) : (i1) -> i32
    scf.yield %1, %arg1 : i32, i32
  } {foo = 1 : i64}
  return %0#0, %0#1 : i32, i32
}
func.func @if_4(%arg0: i1) {
  scf.if %arg0 {
    "t.a"() : () -> ()
  } else {
  } {foo = 1 : i64}
  scf.if %arg0 {
  } else {
  }
  scf.if %arg0 {
  } else {
    "t.x"() : () -> ()
  }
  return
}
func.func @if_not(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  %true = arith.constant true
  %0 = arith.xori %arg0, %true : i1
  %1 = scf.if %0 -> (i32) {
    %2 = "t.a"(%0) : (i1) -> i32
    scf.yield %2 : i32
  } else {
    %2 = "t.b"(%arg0) : (i1) -> i32
    scf.yield %2 : i32
  } {foo = 1 : i64}
  return %1 : i32
}
func.func @if_not_2(%arg0: i1, %arg1: i32, %arg2: i32) {
  %true = arith.constant true
  %0 = arith.xori %arg0, %true : i1
  scf.if %0 {
    "t.a"(%0, %arg0) : (i1, i1) -> ()
  }
  scf.if %arg0 {
    "t.b"(%0, %arg0) : (i1, i1) -> ()
  }
  return
}
func.func @if_follows_if_1(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
  %0 = scf.if %arg0 -> (i32) {
    %2 = "t.a"() : () -> i32
    scf.yield %2 : i32
  } else {
    %2 = "t.b"() : () -> i32
    scf.yield %2 : i32
  } {foo = 1 : i64}
  %1 = scf.if %arg0 -> (i32) {
    %2 = "t.c"(%0) : (i32) -> i32
    scf.yield %2 : i32
  } else {
    %2 = "t.d"(%0) ({
      "t.e"(%0) : (i32) -> ()
    }) : (i32) -> i32
    scf.yield %2 : i32
  } {bar = 1 : i64}
  return %0, %1 : i32, i32
}
func.func @if_follows_if_2(%arg0: i1) {
  scf.if %arg0 {
    "t.a"() : () -> ()
  }
  scf.if %arg0 {
    "t.b"() : () -> ()
  } else {
    "t.c"() : () -> ()
  }
  scf.if %arg0 {
    "t.d"() : () -> ()
  }
  return
}
func.func @if_follows_if_3(%arg0: i1, %arg1: i32, %arg2: i32) -> (i32, i32) {
  %true = arith.constant true
  %0 = scf.if %arg0 -> (i32) {
    %3 = "t.a"() : () -> i32
    scf.yield %3 : i32
  } else {
    %3 = "t.b"() : () -> i32
    scf.yield %3 : i32
  } {foo = 1 : i64}
  %1 = arith.xori %arg0, %true : i1
  %2 = scf.if %1 -> (i32) {
    %3 = "t.c"(%0) : (i32) -> i32
    scf.yield %3 : i32
  } else {
    %3 = "t.d"(%0) ({
      "t.e"(%0) : (i32) -> ()
    }) : (i32) -> i32
    scf.yield %3 : i32
  } {bar = 1 : i64}
  return %0, %2 : i32, i32
}
func.func @if_follows_if_4(%arg0: i1, %arg1: i32, %arg2: i32) -> i32 {
  %true = arith.constant true
  %0 = arith.xori %arg0, %true : i1
  %1 = scf.if %0 -> (i32) {
    %2 = "t.a"() : () -> i32
    scf.yield %2 : i32
  } else {
    %2 = "t.b"() : () -> i32
    scf.yield %2 : i32
  } {foo = 1 : i64}
  scf.if %arg0 {
    "t.c"(%1) : (i32) -> ()
  }
  return %1 : i32
}
func.func @if_in_if_1(%arg0: i1, %arg1: i1) {
  scf.if %arg0 {
    scf.if %arg1 {
      "t.a"() : () -> ()
    }
  }
  return
}
func.func @if_in_if_2(%arg0: i1, %arg1: i1, %arg2: i32, %arg3: i32) -> (i32, i32) {
  %0:2 = scf.if %arg0 -> (i32, i32) {
    %1 = scf.if %arg1 -> (i32) {
      %2 = "t.a"(%arg0, %arg1) : (i1, i1) -> i32
      scf.yield %2 : i32
    } else {
      scf.yield %arg3 : i32
    }
    scf.yield %1, %arg2 : i32, i32
  } else {
    scf.yield %arg3, %arg3 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @if_in_if_3(%arg0: i1, %arg1: i1, %arg2: i32, %arg3: i32) -> (i32, i32) {
  %0:2 = scf.if %arg0 -> (i32, i32) {
    %1 = scf.if %arg1 -> (i32) {
      %2 = "t.a"(%arg0, %arg1) : (i1, i1) -> i32
      scf.yield %2 : i32
    } else {
      scf.yield %arg2 : i32
    }
    scf.yield %1, %arg2 : i32, i32
  } else {
    scf.yield %arg3, %arg3 : i32, i32
  }
  return %0#0, %0#1 : i32, i32
}
func.func @if_in_if_4(%arg0: i1, %arg1: i1) {
  scf.if %arg0 {
    scf.if %arg1 {
      "t.a"() : () -> ()
    } else {
    }
  } else {
  }
  return
}
func.func @if_constant(%arg0: i32, %arg1: i32) -> (i32, i32) {
  %true = arith.constant true
  %false = arith.constant false
  %0 = scf.if %true -> (i32) {
    %2 = "t.a"(%true) : (i1) -> i32
    scf.yield %2 : i32
  } else {
    %2 = "t.b"() : () -> i32
    scf.yield %2 : i32
  } {foo = 1 : i64}
  %1 = scf.if %false -> (i32) {
    %2 = "t.a"(%true) : (i1) -> i32
    scf.yield %2 : i32
  } else {
    %2 = "t.b"() : () -> i32
    scf.yield %2 : i32
  } {foo = 1 : i64}
  scf.if %false {
    "t.x"() : () -> ()
  }
  scf.if %true {
    "t.y"() : () -> ()
  }
  return %0, %1 : i32, i32
}
func.func @execute_blocks(%arg0: i1) -> i32 {
  "t.0"() : () -> ()
  %0 = scf.execute_region -> i32 {
    cf.cond_br %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %1 = "t.a"(%arg0) : (i1) -> i32
    scf.yield %1 : i32
  ^bb2:  // pred: ^bb0
    %2 = "t.b"() : () -> i32
    scf.yield %2 : i32
  }
  "t.1"(%0) : (i32) -> ()
  return %0 : i32
}
func.func @execute_blocks_2(%arg0: i1) -> i32 {
  %0 = scf.execute_region -> i32 {
    %1 = scf.execute_region -> i32 {
      cf.cond_br %arg0, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %2 = "t.a"(%arg0) : (i1) -> i32
      scf.yield %2 : i32
    ^bb2:  // pred: ^bb0
      %3 = "t.b"() : () -> i32
      scf.yield %3 : i32
    }
    scf.yield %1 : i32
  }
  return %0 : i32
}
func.func @for_carries_alike(%arg0: i32, %arg1: index) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0, %arg4 = %arg0, %arg5 = %arg0) -> (i32, i32, i32) {
    %1 = "t.v"(%arg3, %arg4, %arg5) : (i32, i32, i32) -> i32
    scf.yield %1, %1, %arg4 : i32, i32, i32
  }
  return %0#0, %0#1, %0#2 : i32, i32, i32
}
func.func @for_carries_in_vain(%arg0: i32, %arg1: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:3 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0, %arg4 = %arg0, %arg5 = %arg0) -> (i32, i32, i32) {
    %1 = "t.v"(%arg4) : (i32) -> i32
    scf.yield %arg3, %1, %1 : i32, i32, i32
  } {foo = 1 : i64}
  return %0#1 : i32
}
func.func @if_result_unused(%arg0: i1) -> i32 {
  %0:2 = scf.if %arg0 -> (i32, i32) {
    %1:2 = "t.v"() : () -> (i32, i32)
    scf.yield %1#0, %1#1 : i32, i32
  } else {
    %1:2 = "t.v"() : () -> (i32, i32)
    scf.yield %1#0, %1#0 : i32, i32
  } {foo = 1 : i64}
  return %0#1 : i32
}
func.func @if_dead(%arg0: i1, %arg1: i32) {
  %0 = scf.if %arg0 -> (i32) {
    %1 = arith.addi %arg1, %arg1 : i32
    scf.yield %1 : i32
  } else {
    scf.yield %arg1 : i32
  }
  return
}
func.func @if_condition_inside(%arg0: i1) {
  scf.if %arg0 {
    "t.a"() : () -> ()
  } else {
    "t.b"(%arg0) : (i1) -> ()
    "t.b2"(%arg0) : (i1) -> ()
  }
  "t.sep"() : () -> ()
  scf.if %arg0 {
    "t.a"(%arg0) : (i1) -> ()
  } else {
    "t.b"(%arg0) : (i1) -> ()
  }
  return
}
func.func @while_if_results(%arg0: i32, %arg1: i32) -> (i32, i32) {
  %0:2 = scf.while (%arg2 = %arg0) : (i32) -> (i32, i32) {
    %1 = "t.c"(%arg2) : (i32) -> i1
    %2 = "t.e"(%arg2) : (i32) -> i32
    %3:2 = scf.if %1 -> (i32, i32) {
      %4 = "t.v"(%2, %arg2) : (i32, i32) -> i32
      scf.yield %4, %4 : i32, i32
    } else {
      scf.yield %arg1, %2 : i32, i32
    }
    scf.condition(%1) %3#0, %3#1 : i32, i32
  } do {
  ^bb0(%arg2: i32, %arg3: i32):
    %1 = "t.n"(%arg2, %arg3) : (i32, i32) -> i32
    scf.yield %1 : i32
  } attributes {foo = 1 : i64}
  return %0#0, %0#1 : i32, i32
}
func.func @while_if_without_results(%arg0: i32, %arg1: i32) {
  scf.while (%arg2 = %arg0) : (i32) -> () {
    %0 = "t.c"(%arg2) : (i32) -> i1
    %1 = "t.e"(%arg2) : (i32) -> i32
    scf.if %0 {
      "t.v"(%1, %arg2) ({
        "t.in"(%arg1, %1) : (i32, i32) -> ()
      }) : (i32, i32) -> ()
    }
    scf.condition(%0)
  } do {
    %0 = "t.n"() : () -> i32
    scf.yield %0 : i32
  }
  return
}
func.func @parallel_1(%arg0: index, %arg1: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0:2 = scf.parallel (%arg2, %arg3) = (%c1, %c0) to (%c3, %c1) step (%c3, %c1) init (%arg1, %arg1) -> (f32, f32) {
    %1 = "t.a"(%arg2, %arg3) : (index, index) -> f32
    scf.reduce(%1, %1 : f32, f32) {
    ^bb0(%arg4: f32, %arg5: f32):
      %2 = "t.red"(%arg4, %arg5) : (f32, f32) -> f32
      scf.reduce.return %2 : f32
    }, {
    ^bb0(%arg4: f32, %arg5: f32):
      %2 = "t.red2"(%arg4, %arg5) : (f32, f32) -> f32
      scf.reduce.return %2 : f32
    }
  }
  return %0#0, %0#1 : f32, f32
}
func.func @parallel_2(%arg0: index, %arg1: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.parallel (%arg2, %arg3) = (%c1, %c0) to (%arg0, %c1) step (%c3, %c1) init (%arg1) -> f32 {
    %1 = "t.a"(%arg2, %arg3) : (index, index) -> f32
    scf.reduce(%1 : f32) {
    ^bb0(%arg4: f32, %arg5: f32):
      %2 = "t.red"(%arg4, %arg5) : (f32, f32) -> f32
      scf.reduce.return %2 : f32
    }
  } {foo = 1 : i64}
  return %0 : f32
}
func.func @parallel_3(%arg0: index, %arg1: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.parallel (%arg2, %arg3) = (%c1, %c1) to (%arg0, %c0) step (%c3, %c1) init (%arg1) -> f32 {
    %1 = "t.a"(%arg2, %arg3) : (index, index) -> f32
    scf.reduce(%1 : f32) {
    ^bb0(%arg4: f32, %arg5: f32):
      %2 = "t.red"(%arg4, %arg5) : (f32, f32) -> f32
      scf.reduce.return %2 : f32
    }
  } {foo = 1 : i64}
  return %0 : f32
}
func.func @parallel_4(%arg0: index, %arg1: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%arg2, %arg3) = (%c0, %c1) to (%arg0, %arg0) step (%c1, %c1) {
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%c1) {
      "t.a"(%arg2, %arg3, %arg4) : (index, index, index) -> ()
      scf.reduce 
    }
    scf.reduce 
  } {foo = 1 : i64}
  scf.parallel (%arg2, %arg3) = (%c0, %c1) to (%arg0, %arg0) step (%c1, %c1) {
    scf.parallel (%arg4) = (%arg2) to (%arg0) step (%c1) {
      "t.a"(%arg2, %arg3, %arg4) : (index, index, index) -> ()
      scf.reduce 
    }
    scf.reduce 
  } {foo = 1 : i64}
  return
}
func.func @parallel_5(%arg0: index, %arg1: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%arg2) = (%c0) to (%arg0) step (%c1) {
    scf.reduce 
  }
  scf.parallel (%arg2) = (%c0) to (%c1) step (%c1) {
    "t.x"(%arg2) : (index) -> ()
    scf.reduce 
  }
  return
}
func.func @forall_1(%arg0: index, %arg1: tensor<10xf32>, %arg2: tensor<10xf32>) -> tensor<10xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.forall (%arg3, %arg4) in (%c4, %arg0) shared_outs(%arg5 = %arg1, %arg6 = %arg2) -> (tensor<10xf32>, tensor<10xf32>) {
    %1 = "t.v"(%arg3, %arg4, %arg5, %arg6) : (index, index, tensor<10xf32>, tensor<10xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %arg5[%arg3] [1] [1] : tensor<1xf32> into tensor<10xf32>
      tensor.parallel_insert_slice %1 into %arg6[%arg3] [1] [1] : tensor<1xf32> into tensor<10xf32>
    }
  } {foo = 1 : i64}
  return %0#1 : tensor<10xf32>
}
func.func @forall_4(%arg0: index) {
  scf.forall (%arg1, %arg2) in (%arg0, 0) {
    "t.x"(%arg1, %arg2) : (index, index) -> ()
  }
  scf.forall (%arg1, %arg2) in (%arg0, 1) {
    "t.y"(%arg1, %arg2) : (index, index) -> ()
  } {mapping = [#gpu.block<x>, #gpu.block<y>]}
  scf.forall (%arg1, %arg2) in (%arg0, 5) {
    "t.z"(%arg1, %arg2) : (index, index) -> ()
  }
  scf.forall (%arg1, %arg2) in (1, 1) {
    "t.w"(%arg1, %arg2) : (index, index) -> ()
  }
  return
}

// Memory that is made in a region and that nothing else sees.
func.func @memory_of_a_region(%c: i1, %i: index) {
  scf.if %c {
    %a = memref.alloc() : memref<4xi32>
    %b = memref.load %a[%i] : memref<4xi32>
    %b2 = arith.addi %b, %b : i32
  }
  %r = scf.execute_region -> i32 {
    %a = memref.alloc() : memref<4xi32>
    cf.br ^next
  ^next:
    %b = memref.load %a[%i] : memref<4xi32>
    scf.yield %b : i32
  }
  return
}
func.func @if_1(%c: i1, %a: i32, %b: i32) -> (i32, i32, i1, i1) {
  %t = arith.constant true
  %f = arith.constant false
  %r:4 = scf.if %c -> (i32, i32, i1, i1) {
    "t.a"() : () -> ()
    scf.yield %a, %b, %t, %f : i32, i32, i1, i1
  } else {
    "t.b"() : () -> ()
    scf.yield %a, %a, %f, %t : i32, i32, i1, i1
  }
  return %r#0, %r#1, %r#2, %r#3 : i32, i32, i1, i1
}
func.func @circle_1(%a: i32, %b: i32, %c: i1, %d: i1) -> i32 {
  cf.cond_br %c, ^bb2, ^bb2
 ^bb1:
  cf.br ^bb2
 ^bb2:
  cf.br ^bb1
}
func.func @circle_2(%a: i32, %b: i32, %c: i1, %d: i1) -> i32 {
  cf.cond_br %c, ^bb2, ^bb3
 ^bb1:
  cf.br ^bb2
 ^bb2:
  cf.br ^bb1
 ^bb3:
  return %a : i32
}
func.func @circle_3(%a: i32, %b: i32, %c: i1, %d: i1) -> i32 {
  cf.switch %a : i32, [ default: ^bb5, 3: ^bb6(%b, %b : i32, i32) ]
 ^bb1(%x1_0: i32):
  cf.br ^bb2(%a, %a : i32, i32)
 ^bb2(%x2_0: i32, %x2_1: i32):
  cf.br ^bb6(%x2_0, %x2_0 : i32, i32)
 ^bb3(%x3_0: i32):
  cf.br ^bb1(%b : i32)
 ^bb5:
  return %a : i32
 ^bb6(%x6_0: i32, %x6_1: i32):
  cf.br ^bb3(%x6_1 : i32)
}
func.func @unreachable_chain(%a: i32) -> i32 {
  return %a : i32
^bb1:
  %c = arith.constant 1 : i32
  %d = arith.addi %c, %c : i32
  "t.x"(%d) : (i32) -> ()
  cf.br ^bb2
^bb2:
  "t.y"(%d) : (i32) -> ()
  cf.br ^bb3
^bb3:
  return %d : i32
}
func.func @unreachable_predecessor(%a: i32) -> i32 {
  cf.br ^bb2
^bb2:
  "t.y"(%a) : (i32) -> ()
  return %a : i32
^bb1:
  "t.x"(%a) : (i32) -> ()
  cf.br ^bb2
}
