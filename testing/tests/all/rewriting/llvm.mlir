llvm.mlir.global internal constant @s("hi\00")
llvm.func @g(%c: i1) -> !llvm.ptr {
  %0 = llvm.mlir.addressof @s : !llvm.ptr
  %1 = llvm.mlir.constant(3 : i32) : i32
  %u = llvm.mlir.undef : i32
  %p = llvm.mlir.poison : i32
  %z = llvm.mlir.zero : i32
  %zp = llvm.mlir.zero : !llvm.ptr
  llvm.call @h(%0, %1, %u, %p, %z, %zp) : (!llvm.ptr, i32, i32, i32, i32, !llvm.ptr) -> ()
  %s = llvm.mlir.constant("abc") : !llvm.array<3 x i8>
  llvm.cond_br %c, ^a, ^b
^a:
  %2 = llvm.mlir.addressof @s : !llvm.ptr
  %3 = llvm.mlir.constant(3 : i32) : i32
  %u2 = llvm.mlir.undef : i32
  %p2 = llvm.mlir.poison : i32
  %z2 = llvm.mlir.zero : i32
  %zp2 = llvm.mlir.zero : !llvm.ptr
  llvm.call @h(%2, %3, %u2, %p2, %z2, %zp2) : (!llvm.ptr, i32, i32, i32, i32, !llvm.ptr) -> ()
  llvm.return %2 : !llvm.ptr
^b:
  %s2 = llvm.mlir.constant("abc") : !llvm.array<3 x i8>
  llvm.call @k(%s, %s2) : (!llvm.array<3 x i8>, !llvm.array<3 x i8>) -> ()
  llvm.return %0 : !llvm.ptr
}
llvm.func @h(!llvm.ptr, i32, i32, i32, i32, !llvm.ptr)
llvm.func @k(!llvm.array<3 x i8>, !llvm.array<3 x i8>)
