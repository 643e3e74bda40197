func.func private @a(%arg0: i32) -> i32 {
  %c1_i32 = arith.constant 1 : i32
  %0 = arith.addi %arg0, %c1_i32 : i32
  return %0 : i32
}
func.func private @dead1(%arg0: i32) -> i32 {
  %0 = call @onlydead(%arg0) : (i32) -> i32
  return %0 : i32
}
func.func private @onlydead(%arg0: i32) -> i32 {
  %c0_i32 = arith.constant 0 : i32
  %0 = arith.addi %arg0, %c0_i32 : i32
  return %0 : i32
}
func.func nested @nest() {
  return
}
func.func private @ext(i32) -> i32
func.func private @rec(%arg0: i32) -> i32 {
  %0 = call @rec(%arg0) : (i32) -> i32
  return %0 : i32
}
func.func private @even(%arg0: i32) -> i32 {
  %0 = call @odd(%arg0) : (i32) -> i32
  %1 = call @a(%0) : (i32) -> i32
  return %1 : i32
}
func.func private @odd(%arg0: i32) -> i32 {
  %0 = call @even(%arg0) : (i32) -> i32
  %1 = call @a(%0) : (i32) -> i32
  return %1 : i32
}
func.func @b(%arg0: i32) -> i32 {
  %0 = call @a(%arg0) : (i32) -> i32
  %1 = call @ext(%0) : (i32) -> i32
  %2 = call @rec(%1) : (i32) -> i32
  %3 = call @even(%2) : (i32) -> i32
  return %3 : i32
}
func.func @m(%arg0: i1, %arg1: i32) -> i32 {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  return %arg1 : i32
^bb2:  // pred: ^bb0
  %0 = call @b(%arg1) : (i32) -> i32
  return %0 : i32
}
func.func @u(%arg0: i1, %arg1: i32) -> i32 {
  %0 = call @m(%arg0, %arg1) : (i1, i32) -> i32
  %1 = scf.if %arg0 -> (i32) {
    %3 = func.call @m(%arg0, %0) : (i1, i32) -> i32
    scf.yield %3 : i32
  } else {
    %3 = func.call @b(%0) : (i32) -> i32
    scf.yield %3 : i32
  }
  %2 = call @m(%arg0, %1) : (i1, i32) -> i32
  return %2 : i32
}
func.func private @taken(%arg0: i32) -> i32 {
  return %arg0 : i32
}
func.func @ind(%arg0: i32) -> i32 {
  %f = constant @taken : (i32) -> i32
  %0 = call_indirect %f(%arg0) : (i32) -> i32
  return %0 : i32
}
func.func private @looped(%arg0: index, %arg1: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %arg1) -> (i32) {
    %1 = func.call @a(%arg3) : (i32) -> i32
    %2 = func.call @ext(%1) : (i32) -> i32
    scf.yield %2 : i32
  }
  return %0 : i32
}
func.func @callloop(%arg0: index, %arg1: i32) -> (i32, i32) {
  %0 = call @looped(%arg0, %arg1) : (index, i32) -> i32
  %1 = call @looped(%arg0, %0) : (index, i32) -> i32
  return %0, %1 : i32, i32
}
func.func private @two(%arg0: i32, %arg1: i32) -> (i32, i32) {
  return %arg1, %arg0 : i32, i32
}
func.func @swap(%arg0: i32, %arg1: i32) -> (i32, i32) {
  %0:2 = call @two(%arg0, %arg1) : (i32, i32) -> (i32, i32)
  %1:2 = call @two(%0#1, %0#0) : (i32, i32) -> (i32, i32)
  return %1#0, %1#1 : i32, i32
}
module @inner {
  func.func private @p() {
    return
  }
  func.func nested @q() {
    return
  }
  func.func @r() {
    call @p() : () -> ()
    return
  }
}
module attributes {sym_visibility = "private"} {
  func.func private @p() {
    return
  }
  func.func nested @q() {
    return
  }
  func.func @r() {
    call @p() : () -> ()
    return
  }
}
func.func @outer() {
  "foo.opr"() {f = @inner::@r} : () -> ()
  "foo.op"() {f = @nest2} : () -> ()
  return
}
func.func private @unk() {
  "foo.op"() : () -> ()
  return
}
func.func private @nest2() {
  return
}
func.func @callunk() {
  call @unk() : () -> ()
  return
}
func.func private @blocks(%arg0: i1, %arg1: i32) -> i32 {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg1 : i32)
^bb1:  // pred: ^bb0
  %c5_i32 = arith.constant 5 : i32
  %0 = arith.muli %arg1, %c5_i32 : i32
  return %0 : i32
^bb2(%1: i32):  // pred: ^bb0
  %2 = call @ext(%1) : (i32) -> i32
  return %2 : i32
}
func.func @calls_blocks(%arg0: i1, %arg1: i32) -> i32 {
  %0 = call @blocks(%arg0, %arg1) : (i1, i32) -> i32
  %1 = call @blocks(%arg0, %0) : (i1, i32) -> i32
  %2 = scf.execute_region -> i32 {
    %3 = func.call @blocks(%arg0, %1) : (i1, i32) -> i32
    scf.yield %3 : i32
  }
  return %2 : i32
}
