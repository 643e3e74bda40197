// Loads and stores: volatile and ordered ones stay.
llvm.func @memory(%p: !llvm.ptr, %q: !llvm.ptr, %v: i32) -> (!llvm.struct<(i32, i32, i32, i32, i32, i32)>) {
  %dead = llvm.load %p : !llvm.ptr -> i32
  %dead1 = llvm.load volatile %p : !llvm.ptr -> i32
  %dead2 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %dead3 = llvm.load %p atomic unordered {alignment = 4 : i64} : !llvm.ptr -> i32
  %0 = llvm.load %p : !llvm.ptr -> i32
  %1 = llvm.load %p : !llvm.ptr -> i32
  llvm.store %v, %q : i32, !llvm.ptr
  %2 = llvm.load %p : !llvm.ptr -> i32
  %3 = llvm.load volatile %p : !llvm.ptr -> i32
  %4 = llvm.load volatile %p : !llvm.ptr -> i32
  llvm.store volatile %v, %q : i32, !llvm.ptr
  %5 = llvm.load %p : !llvm.ptr -> i32
  %u = llvm.mlir.undef : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
  %s0 = llvm.insertvalue %0, %u[0] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
  %s1 = llvm.insertvalue %1, %s0[1] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
  %s2 = llvm.insertvalue %2, %s1[2] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
  %s3 = llvm.insertvalue %3, %s2[3] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
  %s4 = llvm.insertvalue %4, %s3[4] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
  %s5 = llvm.insertvalue %5, %s4[5] : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
  llvm.return %s5 : !llvm.struct<(i32, i32, i32, i32, i32, i32)>
}
llvm.func @assembly(%x: i32, %p: !llvm.ptr) -> i32 {
  %dead = llvm.inline_asm "bswap $0", "=r,r" %x : (i32) -> i32
  %dead1 = llvm.inline_asm has_side_effects "bswap $0", "=r,r" %x : (i32) -> i32
  %0 = llvm.load %p : !llvm.ptr -> i32
  %1 = llvm.inline_asm "bswap $0", "=r,r" %x : (i32) -> i32
  %2 = llvm.inline_asm "bswap $0", "=r,r" %x : (i32) -> i32
  %3 = llvm.load %p : !llvm.ptr -> i32
  %4 = llvm.inline_asm has_side_effects "bswap $0", "=r,r" %x : (i32) -> i32
  %5 = llvm.load %p : !llvm.ptr -> i32
  %6 = llvm.add %1, %2 : i32
  %7 = llvm.add %0, %3 : i32
  %8 = llvm.add %6, %7 : i32
  %9 = llvm.add %8, %5 : i32
  %10 = llvm.add %9, %4 : i32
  llvm.return %10 : i32
}
func.func @pointers(%p: !ptr.ptr<#ptr.generic_space>, %x: i64) -> (i64, i64, i64, i64) {
  %dead = ptr.load %p : !ptr.ptr<#ptr.generic_space> -> i64
  %dead1 = ptr.load volatile %p : !ptr.ptr<#ptr.generic_space> -> i64
  %0 = ptr.load %p : !ptr.ptr<#ptr.generic_space> -> i64
  %1 = ptr.load %p : !ptr.ptr<#ptr.generic_space> -> i64
  ptr.store %x, %p : i64, !ptr.ptr<#ptr.generic_space>
  %2 = ptr.load %p : !ptr.ptr<#ptr.generic_space> -> i64
  %3 = ptr.load %p atomic monotonic alignment = 8 : !ptr.ptr<#ptr.generic_space> -> i64
  return %0, %1, %2, %3 : i64, i64, i64, i64
}
func.func @masked(%p: !ptr.ptr<#ptr.generic_space>, %ps: vector<4x!ptr.ptr<#ptr.generic_space>>, %m: vector<4xi1>, %v: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %dead = ptr.masked_load %p, %m, %v : !ptr.ptr<#ptr.generic_space> -> vector<4xf32>
  %dead1 = ptr.gather %ps, %m, %v : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  %0 = ptr.gather %ps, %m, %v : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  %1 = ptr.gather %ps, %m, %v : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  ptr.scatter %v, %ps, %m : vector<4xf32>, vector<4x!ptr.ptr<#ptr.generic_space>>
  ptr.masked_store %v, %p, %m : vector<4xf32>, !ptr.ptr<#ptr.generic_space>
  %2 = ptr.gather %ps, %m, %v : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}
func.func @others(%m: memref<4xf32>, %t: tensor<4xf32>, %c: i1, %i: index) -> (f32, f32, f32) {
  %0 = memref.load %m[%i] : memref<4xf32>
  %dead = bufferization.materialize_in_destination %t in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %dead1 = linalg.softmax dimension(0) ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %1 = memref.load %m[%i] : memref<4xf32>
  cf.assert %c, "no"
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %2 = memref.load %m[%i] : memref<4xf32>
  %cast = memref.cast %m : memref<4xf32> to memref<?xf32>
  linalg.softmax dimension(0) ins(%cast : memref<?xf32>) outs(%cast : memref<?xf32>)
  return %0, %1, %2 : f32, f32, f32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @look(%r: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["a.b"]} in %r : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_parent_op %r : (!transform.any_op) -> !transform.any_op
    %2 = transform.param.constant 4 : i64 -> !transform.param<i64>
    %3 = transform.get_parent_op %r : (!transform.any_op) -> !transform.any_op
    transform.print %3 : !transform.any_op
    transform.yield
  }
  transform.named_sequence @main(%r: !transform.any_op {transform.readonly}) {
    transform.include @look failures(propagate) (%r) : (!transform.any_op) -> ()
    transform.yield
  }
}
// Regions.
func.func @forall(%n: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant 1 : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> tensor<4xf32> {
    %k = arith.addi %c, %c : index
    "any.use"(%k) : (index) -> ()
    scf.forall.in_parallel { }
  }
  return %r : tensor<4xf32>
}
func.func @parallel(%lb: index) -> f32 {
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %r = scf.parallel (%i) = (%lb) to (%c1) step (%c1) init (%f) -> f32 {
    %y = arith.addf %f, %f : f32
    scf.reduce(%y : f32) {
    ^bb0(%a: f32, %b: f32):
      %z = arith.addf %f, %f : f32
      scf.reduce.return %z : f32
    }
  }
  return %r : f32
}
func.func @assuming(%a: !shape.witness, %x: i32) -> i32 {
  %c = arith.constant 3 : i32
  %0 = shape.assuming %a -> (i32) {
    %k = arith.addi %c, %c : i32
    shape.assuming_yield %k : i32
  }
  return %0 : i32
}
func.func @execute(%u: !async.value<i32>) {
  %c = arith.constant 3 : i32
  %t, %v = async.execute (%u as %x: !async.value<i32>) -> !async.value<i32> {
    %z = arith.addi %c, %c : i32
    "any.use"(%x) : (i32) -> ()
    async.yield %z : i32
  }
  %w = async.await %v : !async.value<i32>
  "any.use"(%w) : (i32) -> ()
  return
}
func.func @warp(%l: index, %v: vector<4xf32>) -> i32 {
  %c = arith.constant 3 : i32
  %r = gpu.warp_execute_on_lane_0(%l)[32] args(%v : vector<4xf32>) -> (i32) {
  ^bb0(%a: vector<128xf32>):
    %z = arith.addi %c, %c : i32
    "any.use"(%a) : (vector<128xf32>) -> ()
    gpu.yield %z : i32
  }
  return %r : i32
}
func.func @emitted(%x: index) {
  %c = arith.constant true
  %i = arith.constant 2 : index
  emitc.if %c { "any.op"() : () -> () } else { "any.never"() : () -> () }
  emitc.switch %i : index
  case 2 { "any.two"() : () -> () emitc.yield }
  case 5 { "any.never"() : () -> () emitc.yield }
  default { "any.never"() : () -> () emitc.yield }
  return
}
func.func @accelerated(%x: memref<4xf32>) {
  %c = arith.constant 3 : i32
  "acc.parallel"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
    %z = arith.addi %c, %c : i32
    "any.use"(%z) : (i32) -> ()
    "acc.yield"() : () -> ()
  }) : () -> ()
  "acc.kernels"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}> ({
    %z = arith.addi %c, %c : i32
    "any.use"(%z) : (i32) -> ()
    "acc.terminator"() : () -> ()
  }) : () -> ()
  return
}
// What other passes do more with in mlir-opt.
func.func @scope() -> i32 {
  %c = arith.constant 3 : i32
  %s = memref.alloca_scope -> (i32) {
    %z = arith.addi %c, %c : i32
    "any.op"() : () -> ()
    memref.alloca_scope.return %z : i32
  }
  return %s : i32
}
func.func @affine_loops(%n: index) -> (i32, i32, i32, i32, i32) {
  %c = arith.constant 3 : i32
  %d = arith.constant 5 : i32
  %same = affine.for %i = 0 to 4 iter_args(%x = %c) -> i32 {
    "any.use"(%x) : (i32) -> ()
    affine.yield %c : i32
  }
  %never = affine.for %i = 4 to 0 iter_args(%x = %c) -> i32 {
    "any.use"(%x) : (i32) -> ()
    affine.yield %d : i32
  }
  %once = affine.for %i = 0 to 3 step 3 iter_args(%x = %c) -> i32 {
    "any.use"(%x) : (i32) -> ()
    affine.yield %d : i32
  }
  %often = affine.for %i = 0 to 4 step 3 iter_args(%x = %c) -> i32 {
    "any.use"(%x) : (i32) -> ()
    affine.yield %d : i32
  }
  %any = affine.for %i = 0 to %n iter_args(%x = %c) -> i32 {
    "any.use"(%x) : (i32) -> ()
    affine.yield %c : i32
  }
  return %same, %never, %once, %often, %any : i32, i32, i32, i32, i32
}
#positive = affine_set<(d0) : (d0 >= 0)>
func.func @affine_if(%i: index) -> (i32, i32) {
  %c = arith.constant 3 : i32
  %d = arith.constant 4 : i32
  %r = affine.if #positive(%i) -> i32 { affine.yield %c : i32 } else { affine.yield %c : i32 }
  %q = affine.if #positive(%i) -> i32 { affine.yield %c : i32 } else { affine.yield %d : i32 }
  affine.if #positive(%i) { "any.use"(%r) : (i32) -> () }
  return %r, %q : i32, i32
}
// Calls.
llvm.func internal @callee(%a: i32) -> i32 attributes {sym_visibility = "private"} {
  %b = llvm.add %a, %a : i32
  llvm.return %b : i32
}
llvm.func @caller(%f: !llvm.ptr) -> i32 {
  %c = llvm.mlir.constant(3 : i32) : i32
  %0 = llvm.call @callee(%c) : (i32) -> i32
  %1 = llvm.call %f(%c) : !llvm.ptr, (i32) -> i32
  %2 = llvm.add %0, %1 : i32
  llvm.return %2 : i32
}
llvm.func @personality(...) -> i32
llvm.func @invoker(%x: i32) -> i32 attributes {personality = @personality} {
  %c = llvm.mlir.constant(3 : i32) : i32
  %0 = llvm.invoke @callee(%c) to ^a unwind ^b : (i32) -> i32
^a:
  llvm.return %0 : i32
^b:
  %1 = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %x : i32
}
async.func private @later(%a: i32) -> !async.value<i32> {
  "any.use"(%a) : (i32) -> ()
  async.return %a : i32
}
func.func @awaits() -> i32 {
  %c = arith.constant 3 : i32
  %0 = async.call @later(%c) : (i32) -> !async.value<i32>
  %1 = async.await %0 : !async.value<i32>
  return %1 : i32
}
emitc.func private @emitted_callee(%a: i32) -> i32 {
  %0 = emitc.add %a, %a : (i32, i32) -> i32
  emitc.return %0 : i32
}
emitc.func @emitted_caller() -> i32 {
  %c = "emitc.constant"() <{value = 3 : i32}> : () -> i32
  %0 = emitc.call @emitted_callee(%c) : (i32) -> i32
  emitc.return %0 : i32
}
