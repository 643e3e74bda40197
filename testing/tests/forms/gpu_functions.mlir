module {
  gpu.module @m attributes {gpu.x} {
    gpu.func @a() {
      gpu.return
    }
    gpu.func @b(%arg0: f32 {a.b = 1 : i64}, %arg1: memref<4xf32>) -> (f32 {x.y}, i32) attributes {foo = "x"} {
      %c1_i32 = arith.constant 1 : i32
      gpu.return %arg0, %c1_i32 : f32, i32
    }
    gpu.func @k(%arg0: f32) workgroup(%arg1 : memref<32xf32, 3> {llvm.align = 16 : i64}, %arg2 : memref<2xf32, 3>) private(%arg3 : memref<1xf32, 5>) kernel {
      gpu.return
    }
    gpu.func @k2(%arg0: f32) private(%arg1 : memref<1xf32, 5> {a.b = 3 : i64}) kernel attributes {foo, known_block_size = array<i32: 1, 2, 3>, known_grid_size = array<i32: 1, 2, 3>} {
      cf.br ^bb1
    ^bb1:  // pred: ^bb0
      gpu.return
    }
    gpu.func @k3(%arg0: f32) -> f32 workgroup(%arg1 : memref<32xf32, 3>) {
      gpu.return %arg0 : f32
    }
  }
}

