module {
  llvm.func @gxx(...) -> i32
  llvm.func @foo(i32) -> i32
  llvm.func @v()
  llvm.mlir.global external constant @ti() {addr_space = 0 : i32} : !llvm.ptr
  llvm.func @inv(%arg0: i32, %arg1: !llvm.ptr) -> i32 attributes {personality = @gxx} {
    %0 = llvm.mlir.zero : !llvm.ptr
    %1 = llvm.mlir.addressof @ti : !llvm.ptr
    %2 = llvm.mlir.undef : !llvm.array<1 x ptr>
    %3 = llvm.invoke @foo(%arg0) to ^bb1 unwind ^bb2 : (i32) -> i32
  ^bb1:  // pred: ^bb0
    %4 = llvm.invoke fastcc %arg1(%arg0) to ^bb3(%arg0 : i32) unwind ^bb4(%arg0, %arg1 : i32, !llvm.ptr) : !llvm.ptr, (i32) -> i32
  ^bb2:  // pred: ^bb0
    %5 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
    llvm.resume %5 : !llvm.struct<(ptr, i32)>
  ^bb3(%6: i32):  // pred: ^bb1
    llvm.invoke @v() to ^bb5 unwind ^bb6 {branch_weights = array<i32: 1, 2>, foo} : () -> ()
  ^bb4(%7: i32, %8: !llvm.ptr):  // pred: ^bb1
    %9 = llvm.landingpad (catch %0 : !llvm.ptr) (catch %1 : !llvm.ptr) (filter %2 : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
    llvm.resume %9 : !llvm.struct<(ptr, i32)>
  ^bb5:  // pred: ^bb3
    %10 = llvm.invoke %arg1(%arg0) to ^bb7 unwind ^bb6 vararg(!llvm.func<i32 (...)>) ["b"(%arg0 : i32), "c"()] {x = 1 : i32} : !llvm.ptr, (i32 {llvm.zeroext}) -> (i32 {llvm.noundef})
  ^bb6:  // 2 preds: ^bb3, ^bb5
    %11 = llvm.landingpad cleanup (catch %0 : !llvm.ptr) : !llvm.struct<(ptr, i32)>
    llvm.resume %11 : !llvm.struct<(ptr, i32)>
  ^bb7:  // pred: ^bb5
    %12 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
    llvm.return %arg0 : i32
  }
}

