#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @f(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4xf32>, %arg3: memref<4xi32>, %arg4: memref<i32>, %arg5: tensor<4x8xi32>) -> tensor<4x8xf32> {
    %mapped = linalg.map { arith.addf } ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>)
    %mapped_0 = linalg.map { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) {x = 1 : i32}
    %mapped_1 = linalg.map { arith.addi {overflowFlags = #arith.overflow<nsw>} } ins(%arg5, %arg5 : tensor<4x8xi32>, tensor<4x8xi32>) outs(%arg5 : tensor<4x8xi32>)
    %mapped_2 = linalg.map { arith.addi {overflowFlags = #arith.overflow<none>} } ins(%arg5, %arg5 : tensor<4x8xi32>, tensor<4x8xi32>) outs(%arg5 : tensor<4x8xi32>)
    %mapped_3 = linalg.map ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>)
      (%in: f32, %in_5: f32, %init: f32) {
        %6 = arith.addf %in_5, %in : f32
        %7 = arith.addf %6, %in : f32
        linalg.yield %7 : f32
      }
    linalg.map outs(%arg3 : memref<4xi32>)
      (%init: i32) {
        %c1_i32 = arith.constant 1 : i32
        linalg.yield %c1_i32 : i32
      }
    %reduced = linalg.reduce { arith.addf } ins(%arg0 : tensor<4x8xf32>) outs(%arg2 : tensor<4xf32>) dimensions = [1] 
    %reduced_4:2 = linalg.reduce ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg2, %arg2 : tensor<4xf32>, tensor<4xf32>) dimensions = [1]  {u = "s", v}
      (%in: f32, %in_5: f32, %init: f32, %init_6: f32) {
        %6 = arith.addf %in_5, %init_6 : f32
        %7 = arith.addf %in, %init : f32
        linalg.yield %7, %6 : f32, f32
      }
    linalg.reduce { arith.muli {overflowFlags = #arith.overflow<none>} } ins(%arg3 : memref<4xi32>) outs(%arg4 : memref<i32>) dimensions = [0] 
    linalg.reduce ins(%arg3 : memref<4xi32>) outs(%arg4 : memref<i32>) dimensions = [0] 
      (%in: i32, %init: i32) {
        %6 = arith.muli %in, %init : i32
        linalg.yield %6 : i32
      }
    %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%arg0 : tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %1 = linalg.elementwise kind=#linalg.elementwise_kind<add> {y} ins(%arg0, %arg1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> indexing_maps = [#map, #map1, #map1] ins(%arg2, %arg1 : tensor<4xf32>, tensor<4x8xf32>) outs(%arg1 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = linalg.elementwise kind=#linalg.elementwise_kind<max_unsigned> ins(%arg5, %arg5 : tensor<4x8xi32>, tensor<4x8xi32>) outs(%arg5 : tensor<4x8xi32>) -> tensor<4x8xi32>
    %4 = linalg.elementwise kind=#linalg.elementwise_kind<min_unsigned> ins(%arg5, %arg5 : tensor<4x8xi32>, tensor<4x8xi32>) outs(%arg5 : tensor<4x8xi32>) -> tensor<4x8xi32>
    %5 = linalg.elementwise kind=#linalg.elementwise_kind<div_unsigned> ins(%arg5, %arg5 : tensor<4x8xi32>, tensor<4x8xi32>) outs(%arg5 : tensor<4x8xi32>) -> tensor<4x8xi32>
    return %mapped : tensor<4x8xf32>
  }
}

