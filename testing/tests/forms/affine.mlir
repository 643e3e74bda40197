#map = affine_map<(d0)[s0] -> (d0 + s0)>
module {
  func.func @f(%arg0: memref<10x20xf32>, %arg1: memref<f32>, %arg2: index, %arg3: index, %arg4: memref<8xi8, 1>) -> (f32, i32) {
    %cst = arith.constant 1.000000e+00 : f32
    %0 = affine.load %arg1[] : memref<f32>
    affine.store %cst, %arg1[] : memref<f32>
    affine.for %arg5 = 0 to 10 {
      affine.for %arg6 = 0 to 20 {
        %6 = affine.load %arg0[%arg5, %arg6] : memref<10x20xf32>
        %7 = affine.load %arg0[%arg5 + 1, %arg6 * 2 + symbol(%arg2) - 3] {foo = 1 : i64} : memref<10x20xf32>
        %8 = affine.load %arg0[(%arg5 + symbol(%arg2)) floordiv 3, (-%arg6) mod 5] : memref<10x20xf32>
        %9 = affine.load %arg0[%arg5, %arg5] : memref<10x20xf32>
        %10 = affine.load %arg0[%arg6, %arg5] : memref<10x20xf32>
        %11 = affine.load %arg0[3, symbol(%arg3) ceildiv 2 - symbol(%arg2) * 4] : memref<10x20xf32>
        affine.store %6, %arg0[%arg5 + %arg6, 0] : memref<10x20xf32>
        affine.store %6, %arg0[symbol(%arg2), %arg5 + symbol(%arg2) - %arg6] {b} : memref<10x20xf32>
        affine.prefetch %arg0[%arg5, %arg6 + 5], read, locality<3>, data : memref<10x20xf32>
        affine.prefetch %arg0[%arg5, %arg6 + 5], write, locality<0>, instr {a.b} : memref<10x20xf32>
        %12 = affine.vector_load %arg0[%arg5 + 3, %arg6] : memref<10x20xf32>, vector<8xf32>
        %13 = affine.vector_load %arg0[%arg5 + 3, %arg6] {x = 1 : i64} : memref<10x20xf32>, vector<2x8xf32>
        affine.vector_store %12, %arg0[%arg5, %arg6 + 2] : memref<10x20xf32>, vector<8xf32>
        affine.vector_store %12, %arg0[%arg5, %arg6 + 2] {g} : memref<10x20xf32>, vector<8xf32>
        %14 = affine.apply #map(%arg5)[%arg2]
        %15 = affine.load %arg0[%14 - %arg5 * 3, %arg6] : memref<10x20xf32>
      }
    }
    affine.parallel (%arg5, %arg6) = (0, 0) to (10, 20) {
      %6 = affine.load %arg0[%arg5, %arg6] : memref<10x20xf32>
    }
    affine.parallel (%arg5) = (0) to (symbol(%arg2)) step (4) {
    } {a.b = 1 : i64}
    affine.parallel (%arg5, %arg6) = (max(%arg2, %arg3), 3) to (min(%arg2, %arg3 + 2, 4), %arg3 * 2 - symbol(%arg2)) step (2, 1) {
    }
    affine.parallel () = () to () {
    }
    %1:2 = affine.parallel (%arg5, %arg6) = (%arg2, %arg2) to (10, 20) reduce ("addf", "maxs") -> (f32, si32) {
      %6 = affine.load %arg0[%arg5, %arg6] : memref<10x20xf32>
      %7 = "t.x"() : () -> si32
      affine.yield %6, %7 : f32, si32
    }
    %2:2 = affine.delinearize_index %arg2 into (16, 224) : index, index
    %3:3 = affine.delinearize_index %arg2 into (%arg3, 16, 224) : index, index, index
    %4 = affine.linearize_index [%arg2, %arg3] by (2, 3) : index
    %5 = affine.linearize_index disjoint [%arg2, %arg3] by (%arg2, 3) : index
    %c4_i32 = arith.constant 4 : i32
    return %cst, %c4_i32 : f32, i32
  }
}

