#loop_annotation = #llvm.loop_annotation<disableNonforced = true>
#loop_vectorize = #llvm.loop_vectorize<disable = true>
#loop_annotation1 = #llvm.loop_annotation<vectorize = #loop_vectorize>
module {
  llvm.func @sw(%arg0: i32, %arg1: i64, %arg2: !llvm.ptr) -> i32 {
    llvm.switch %arg0 : i32, ^bb1 [
      -1: ^bb2,
      2: ^bb3(%arg0 : i32),
      3: ^bb4(%arg0, %arg1 : i32, i64)
    ]
  ^bb1:  // 3 preds: ^bb0, ^bb4, ^bb7
    llvm.switch %arg1 : i64, ^bb3(%arg0 : i32) [
    ]
  ^bb2:  // 4 preds: ^bb0, ^bb2, ^bb2, ^bb3
    llvm.switch %arg1 : i64, ^bb2 [
      1: ^bb2
    ] {branch_weights = array<i32: 1, 2>}
  ^bb3(%0: i32):  // 6 preds: ^bb0, ^bb1, ^bb4, ^bb7, ^bb8, ^bb9
    llvm.switch %arg1 : i64, ^bb5 [
      -9223372036854775808: ^bb5,
      9223372036854775807: ^bb2
    ] {branch_weights = array<i32: 1, 2, 4>, foo}
  ^bb4(%1: i32, %2: i64):  // 3 preds: ^bb0, ^bb4, ^bb8
    llvm.indirectbr %arg2 : !llvm.ptr, [
    ^bb1,
    ^bb3(%arg0 : i32),
    ^bb4(%1, %arg1 : i32, i64)
    ]
  ^bb5:  // 3 preds: ^bb3, ^bb3, ^bb6
    llvm.indirectbr %arg2 : !llvm.ptr, [] {foo}
  ^bb6:  // no predecessors
    llvm.indirectbr %arg2 : !llvm.ptr, [
    ^bb5
    ]
  ^bb7:  // no predecessors
    %3 = llvm.mlir.constant(true) : i1
    llvm.cond_br %3, ^bb1, ^bb3(%arg0 : i32)
  ^bb8:  // no predecessors
    %4 = llvm.mlir.constant(true) : i1
    llvm.cond_br %4 weights([5, 10]), ^bb4(%arg0, %arg1 : i32, i64), ^bb3(%arg0 : i32) {loop_annotation = #loop_annotation}
  ^bb9:  // pred: ^bb10
    llvm.br ^bb3(%arg0 : i32) {loop_annotation = #loop_annotation1}
  ^bb10:  // no predecessors
    llvm.br ^bb9
  ^bb11:  // no predecessors
    llvm.unreachable
  }
  func.func @cfs(%arg0: i32, %arg1: i64, %arg2: i8, %arg3: i1) {
    cf.switch %arg0 : i32, [
      default: ^bb1(%arg1 : i64),
      42: ^bb2(%arg0 : i32),
      43: ^bb4,
      4294967253: ^bb4
    ]
  ^bb1(%0: i64):  // pred: ^bb0
    cf.switch %arg1 : i64, [
      default: ^bb4] {foo}
  ^bb2(%1: i32):  // pred: ^bb0
    cf.switch %arg2 : i8, [
      default: ^bb4,
      255: ^bb4,
      127: ^bb4
    ]
  ^bb3:  // no predecessors
    cf.switch %arg3 : i1, [
      default: ^bb4,
      1: ^bb4
    ]
  ^bb4:  // 8 preds: ^bb0, ^bb0, ^bb1, ^bb2, ^bb2, ^bb2, ^bb3, ^bb3
    return
  }
  llvm.func @swb(%arg0: i1, %arg1: i8, %arg2: i128, %arg3: i7) {
    llvm.switch %arg0 : i1, ^bb1 [
      -1: ^bb1
    ]
  ^bb1:  // 12 preds: ^bb0, ^bb0, ^bb1, ^bb1, ^bb2, ^bb2, ^bb3, ^bb3, ^bb4, ^bb4, ^bb5, ^bb5
    llvm.switch %arg0 : i1, ^bb1 [
      -1: ^bb1,
      0: ^bb2
    ]
  ^bb2:  // 6 preds: ^bb1, ^bb2, ^bb3, ^bb4, ^bb5, ^bb5
    llvm.switch %arg1 : i8, ^bb1 [
      127: ^bb1,
      -128: ^bb2
    ]
  ^bb3:  // no predecessors
    llvm.switch %arg2 : i128, ^bb1 [
      127: ^bb1,
      -128: ^bb2
    ]
  ^bb4:  // no predecessors
    llvm.switch %arg3 : i7, ^bb1 [
      63: ^bb1,
      -64: ^bb2
    ]
  ^bb5:  // no predecessors
    llvm.switch %arg1 : i8, ^bb1 [
      -12: ^bb1,
      -12: ^bb2,
      -12: ^bb2
    ]
  }
}

