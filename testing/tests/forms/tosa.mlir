module {
  func.func @f(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<i32>, %arg4: tensor<4x32xf8E4M3FN>, %arg5: tensor<4x1xf8E8M0FNU>, %arg6: tensor<4x32xf32>) -> tensor<f32> {
    %0 = tosa.cond_if %arg2 (%arg7 = %arg0, %arg8 = %arg1) : tensor<i1> (tensor<f32>, tensor<f32>) -> tensor<f32> {
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %6 = tosa.add %arg7, %arg8 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      tosa.yield %6 : tensor<f32>
    } else {
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      tosa.yield %arg7 : tensor<f32>
    }
    %1 = tosa.cond_if %arg2 : tensor<i1> -> tensor<f32> {
      tosa.yield %arg0 : tensor<f32>
    } else {
      tosa.yield %arg1 : tensor<f32>
    }
    %2 = tosa.while_loop (%arg7 = %arg3) : (tensor<i32>) -> tensor<i32> {
      %6 = tosa.greater %arg3, %arg7 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tosa.yield %6 : tensor<i1>
    } do {
    ^bb0(%arg7: tensor<i32>):
      tosa.yield %arg7 : tensor<i32>
    }
    %3:2 = tosa.while_loop (%arg7 = %arg3, %arg8 = %arg0) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) {
      %6 = tosa.greater %arg3, %arg7 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      tosa.yield %6 : tensor<i1>
    } do {
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<f32>):
      tosa.yield %arg7, %arg8 : tensor<i32>, tensor<f32>
    } attributes {a.b = 1 : i64}
    %4 = tosa.cast_from_block_scaled %arg4, %arg5 {block_size = BLOCK_SIZE_32} : (tensor<4x32xf8E4M3FN>, tensor<4x1xf8E8M0FNU>) -> tensor<4x32xf32>
    %output_data, %output_scale = tosa.cast_to_block_scaled %arg6 {block_size = BLOCK_SIZE_32} : (tensor<4x32xf32>) -> (tensor<4x32xf8E4M3FN>, tensor<4x1xf8E8M0FNU>)
    %5 = tosa.variable_read @v : tensor<2x?xi8>
    return %1 : tensor<f32>
  }
  tosa.variable @v = dense<-1> : tensor<2x8xi8>
  tosa.variable @w : tensor<1x4xf32>
  tosa.variable @z : tensor<1x?xf32>
  tosa.variable @s = dense<1.000000e+00> : tensor<f32>
  tosa.variable @u : tensor<f32>
  tosa.variable @v1 {a.b} = dense<3> : tensor<2x2xi8>
  tosa.variable @v2 {a.c} : tensor<2x2xi8>
}

