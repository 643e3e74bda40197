module {
  func.func @f(%arg0: memref<10x20xf32>, %arg1: index, %arg2: index, %arg3: memref<8xi8, 1>, %arg4: memref<1xi32>, %arg5: f32, %arg6: memref<?x?x5xf32, strided<[?, 5, 1], offset: ?>>) {
    %0 = memref.generic_atomic_rmw %arg0[%arg1, %arg2] : memref<10x20xf32> {
    ^bb0(%arg7: f32):
      %2 = arith.addf %arg7, %arg5 : f32
      memref.atomic_yield %2 : f32
    }
    %1 = memref.generic_atomic_rmw %arg0[%arg1, %arg2] : memref<10x20xf32> {
    ^bb0(%arg7: f32):
      memref.atomic_yield %arg7 : f32
    } {a.b = 1 : i64}
    %transpose = memref.transpose %arg0 (d0, d1) -> (d1, d0) : memref<10x20xf32> to memref<20x10xf32, strided<[1, 20]>>
    %transpose_0 = memref.transpose %arg0 (d0, d1) -> (d0, d1) {foo} : memref<10x20xf32> to memref<10x20xf32, strided<[20, 1]>>
    %transpose_1 = memref.transpose %arg6 (d0, d1, d2) -> (d2, d0, d1) : memref<?x?x5xf32, strided<[?, 5, 1], offset: ?>> to memref<5x?x?xf32, strided<[1, ?, 5], offset: ?>>
    memref.prefetch %arg0[%arg1, %arg2], read, locality<3>, data : memref<10x20xf32>
    memref.prefetch %arg0[%arg1, %arg2], write, locality<0>, instr : memref<10x20xf32>
    memref.dma_start %arg0[%arg1, %arg2], %arg0[%arg2, %arg1], %arg1, %arg4[%arg1] : memref<10x20xf32>, memref<10x20xf32>, memref<1xi32>
    memref.dma_start %arg0[%arg1, %arg2], %arg0[%arg2, %arg1], %arg1, %arg4[%arg1] : memref<10x20xf32>, memref<10x20xf32>, memref<1xi32>
    memref.dma_start %arg0[%arg1, %arg2], %arg0[%arg2, %arg1], %arg1, %arg4[%arg1], %arg1, %arg2 : memref<10x20xf32>, memref<10x20xf32>, memref<1xi32>
    memref.dma_wait %arg4[%arg1], %arg2 : memref<1xi32>
    memref.dma_wait %arg4[%arg1], %arg2 {b} : memref<1xi32>
    return
  }
}

