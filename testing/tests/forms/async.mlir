module {
  func.func @f(%arg0: !async.token, %arg1: !async.value<f32>, %arg2: !async.group) -> f32 {
    %token = async.execute {
      async.yield
    }
    %token_0 = async.execute attributes {a.b = 1 : i64} {
      "t.x"() : () -> ()
      async.yield
    }
    %token_1 = async.execute [%arg0, %token] attributes {c.d} {
      async.yield
    }
    %token_2, %bodyResults = async.execute -> !async.value<f32> {
      %cst = arith.constant 1.000000e+00 : f32
      async.yield %cst : f32
    }
    %token_3, %bodyResults_4:2 = async.execute [%token_2] (%bodyResults as %arg3: !async.value<f32>, %arg1 as %arg4: !async.value<f32>) -> (!async.value<f32>, !async.value<i32>) {
      %c1_i32 = arith.constant 1 : i32
      %1 = arith.addf %arg3, %arg4 : f32
      async.yield %1, %c1_i32 : f32, i32
    }
    %token_5 = async.execute (%arg1 as %arg3: !async.value<f32>) {
      async.yield
    }
    async.await %arg0 : !async.token
    async.await_all %arg2
    %0 = async.await %arg1 : !async.value<f32>
    return %0 : f32
  }
  async.func @g(%arg0: !async.value<f32>) -> !async.token {
    %0 = await %arg0 : !async.value<f32>
    return
  }
}

