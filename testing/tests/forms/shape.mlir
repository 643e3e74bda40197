module {
  func.func @f(%arg0: !shape.witness, %arg1: !shape.shape, %arg2: !shape.size, %arg3: tensor<?xindex>, %arg4: index) {
    shape.assuming %arg0 {
      "t.a"() : () -> ()
    }
    %0 = shape.assuming %arg0 -> (f32) {
      %cst = arith.constant 1.000000e+00 : f32
      shape.assuming_yield %cst : f32
    }
    %1:2 = shape.assuming %arg0 -> (f32, i32) {
      %4:2 = "t.x"() : () -> (f32, i32)
      shape.assuming_yield %4#0, %4#1 : f32, i32
    } {a.b = 1 : i64}
    %2 = shape.reduce(%arg1, %arg2) : !shape.shape -> !shape.size {
    ^bb0(%arg5: index, %arg6: !shape.size, %arg7: !shape.size):
      %4 = shape.mul %arg7, %arg6 : !shape.size, !shape.size -> !shape.size
      shape.yield %4 : !shape.size
    }
    %3:2 = shape.reduce(%arg3, %arg4, %arg2) : tensor<?xindex> -> (index, !shape.size) {
    ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: !shape.size):
      shape.yield %arg7, %arg8 : index, !shape.size
    } {foo.bar}
    return
  }
  shape.function_library @lib {
    func.func @g(%arg0: !shape.value_shape) -> !shape.value_shape {
      return %arg0 : !shape.value_shape
    }
  } mapping {foo.op = @g}
  shape.function_library @lib2 attributes {x.y} {
    func.func @g(%arg0: !shape.value_shape) -> !shape.value_shape {
      return %arg0 : !shape.value_shape
    }
  } mapping {foo.b = @g, foo.op = @g}
}

