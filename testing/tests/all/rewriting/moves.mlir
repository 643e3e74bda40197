// What may be moved out of a loop is marked with `moves`, what may not with `stays`.
func.func @divisions(%n: index, %x: i32, %v: vector<4xi32>, %w: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %minus = arith.constant -1 : i32
  %threes = arith.constant dense<3> : vector<4xi32>
  %l3 = llvm.mlir.constant(3 : i64) : i64
  %l0 = llvm.mlir.constant(0 : i64) : i64
  %lm = llvm.mlir.constant(-1 : i64) : i64
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.divsi %x, %three {moves} : i32
    %1 = arith.divsi %x, %zero {stays} : i32
    %2 = arith.divsi %x, %minus {stays} : i32
    %3 = arith.divsi %three, %x {stays} : i32
    %4 = arith.divui %x, %minus {moves} : i32
    %5 = arith.divui %x, %zero {stays} : i32
    %6 = arith.divui %x, %x {stays} : i32
    %7 = arith.ceildivsi %x, %three {moves} : i32
    %8 = arith.ceildivsi %x, %minus {stays} : i32
    %9 = arith.ceildivui %x, %minus {moves} : i32
    %10 = arith.ceildivui %x, %x {stays} : i32
    %11 = arith.divsi %v, %threes {moves} : vector<4xi32>
    %12 = arith.floordivsi %x, %x {moves} : i32
    %13 = arith.remsi %x, %x {moves} : i32
    %14 = llvm.sdiv %w, %l3 {moves} : i64
    %15 = llvm.sdiv %w, %lm {stays} : i64
    %16 = llvm.sdiv %w, %w {stays} : i64
    %17 = llvm.udiv %w, %lm {moves} : i64
    %18 = llvm.udiv %w, %l0 {stays} : i64
    %19 = arith.addi %x, %x {moves} : i32
  }
  return
}
func.func @dimensions(%n: index, %m: memref<?x4xf32>, %u: memref<*xf32>, %t: tensor<?x?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.dim {moves} %m, %c0 : memref<?x4xf32>
    %1 = memref.dim {stays} %m, %c2 : memref<?x4xf32>
    %2 = memref.dim {stays} %m, %k : memref<?x4xf32>
    %3 = memref.dim {stays} %u, %c0 : memref<*xf32>
    %4 = tensor.dim {moves} %t, %c1 : tensor<?x?xf32>
    %5 = tensor.dim {stays} %t, %k : tensor<?x?xf32>
    %6 = memref.load %m[%c0, %c0] {stays} : memref<?x4xf32>
  }
  return
}
func.func @loops(%n: index, %x: i32, %b: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = scf.for %j = %c0 to %n step %c1 iter_args(%y = %x) -> i32 {
      %z = arith.addi %y, %y : i32
      scf.yield %z : i32
    } {moves}
    %1 = scf.for %j = %c0 to %n step %c2 iter_args(%y = %x) -> i32 {
      %z = arith.addi %y, %y : i32
      scf.yield %z : i32
    } {stays}
    %2 = scf.for %j = %c0 to %n step %n iter_args(%y = %x) -> i32 {
      %z = arith.addi %y, %y : i32
      scf.yield %z : i32
    } {stays}
    %3 = scf.for %j = %c0 to %n step %c1 iter_args(%y = %x) -> i32 {
      %z = arith.divui %y, %y : i32
      scf.yield %z : i32
    } {stays}
    %4 = affine.for %j = 0 to 10 iter_args(%y = %x) -> i32 {
      %z = arith.addi %y, %y : i32
      affine.yield %z : i32
    } {moves}
    %5 = affine.for %j = 0 to 10 step 2 iter_args(%y = %x) -> i32 {
      %z = arith.addi %y, %y : i32
      affine.yield %z : i32
    } {stays}
    %6 = scf.if %b -> i32 {
      %z = arith.addi %x, %x : i32
      scf.yield %z : i32
    } else {
      scf.yield %x : i32
    } {moves}
    %7 = scf.if %b -> i32 {
      %z = arith.divui %x, %x : i32
      scf.yield %z : i32
    } else {
      scf.yield %x : i32
    } {stays}
    scf.if %b {
      "any.op"() : () -> ()
    } {stays}
  }
  return
}
#id = affine_map<(d0) -> (d0)>
func.func @structured(%n: index, %t: tensor<4xi32>, %m: memref<4xi32>, %x: i32, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %out = tensor.empty() : tensor<4x8xf32>
  %in = tensor.empty() : tensor<32xf32>
  %dyn = tensor.empty(%k) : tensor<?xf32>
  %dynout = tensor.empty(%k) : tensor<?x8xf32>
  %dynin = tensor.empty(%k, %k) : tensor<?x?xf32>
  %f = arith.constant 0.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>) attrs = {moves} {
    ^bb0(%a: i32, %b: i32):
      %s = arith.addi %a, %b : i32
      linalg.yield %s : i32
    } -> tensor<4xi32>
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>) attrs = {stays} {
    ^bb0(%a: i32, %b: i32):
      %s = arith.divui %a, %b : i32
      linalg.yield %s : i32
    } -> tensor<4xi32>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%m : memref<4xi32>) outs(%m : memref<4xi32>) attrs = {stays} {
    ^bb0(%a: i32, %b: i32):
      linalg.yield %a : i32
    }
    %2 = linalg.fill {moves} ins(%x : i32) outs(%t : tensor<4xi32>) -> tensor<4xi32>
    %3 = linalg.pack %in inner_dims_pos = [0] inner_tiles = [8] into %out {moves} : tensor<32xf32> -> tensor<4x8xf32>
    %4 = linalg.pack %in inner_dims_pos = [0] inner_tiles = [%c8] into %dynin {stays} : tensor<32xf32> -> tensor<?x?xf32>
    %5 = linalg.pack %dyn padding_value(%f : f32) inner_dims_pos = [0] inner_tiles = [8] into %dynout {moves} : tensor<?xf32> -> tensor<?x8xf32>
    %6 = linalg.pack %dyn inner_dims_pos = [0] inner_tiles = [8] into %dynout {moves} : tensor<?xf32> -> tensor<?x8xf32>
    %7 = linalg.unpack %out inner_dims_pos = [0] inner_tiles = [8] into %in {moves} : tensor<4x8xf32> -> tensor<32xf32>
    %8 = linalg.unpack %dynin inner_dims_pos = [0] inner_tiles = [%k] into %dyn {stays} : tensor<?x?xf32> -> tensor<?xf32>
    %9 = vector.transfer_read %t[%c0], %x {moves} : tensor<4xi32>, vector<4xi32>
    %10 = vector.transfer_read %m[%c0], %x {stays} : memref<4xi32>, vector<4xi32>
    %11 = linalg.softmax {stays} dimension(0) ins(%in : tensor<32xf32>) outs(%in : tensor<32xf32>) -> tensor<32xf32>
  }
  return
}
#sparse = #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>
func.func @lanes(%n: index, %x: f32, %l: i32, %t: tensor<?xf32, #sparse>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = gpu.subgroup_broadcast %x, first_active_lane {stays} : f32
    %1 = gpu.subgroup_broadcast %x, specific_lane %l {moves} : f32
    %2 = sparse_tensor.lvl {moves} %t, %c0 : tensor<?xf32, #sparse>
    %3 = sparse_tensor.lvl {stays} %t, %k : tensor<?xf32, #sparse>
  }
  return
}
