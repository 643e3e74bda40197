module {
  shard.grid @g0(shape = 2x?x4)
  shard.grid @g1(shape = 1) {a}
  ml_program.global private mutable @v(dense<4> : tensor<4xi32>) : tensor<4xi32>
  ml_program.subgraph @sg(%arg0: !ml_program.token, %arg1: !ml_program.token) -> (tensor<4xi32>, !ml_program.token) {
    %result, %produceToken = ml_program.global_load_graph @v ordering(() -> !ml_program.token) : tensor<4xi32>
    %result_0, %produceToken_1 = ml_program.global_load_graph @v ordering(%arg0 -> !ml_program.token) : tensor<4xi32>
    %result_2, %produceToken_3 = ml_program.global_load_graph @v ordering(%arg0, %produceToken -> !ml_program.token) : tensor<4xi32>
    %0 = ml_program.global_store_graph @v = %result ordering(%arg0, %produceToken -> !ml_program.token) : tensor<4xi32>
    ml_program.output %result, %0 : tensor<4xi32>, !ml_program.token
  }
  pdl.pattern : benefit(1) {
    %0 = type
    %1 = operation "foo.op"  -> (%0 : !pdl.type)
    %2 = result 0 of %1
    rewrite %1 {
      %3 = results of %1 
      %4 = results 0 of %1  -> !pdl.value
      %5 = results 1 of %1  -> !pdl.range<value>
      %6 = operation "foo.op2"(%4, %3, %5 : !pdl.value, !pdl.range<value>, !pdl.range<value>) 
      replace %1 with %6
    }
  }
  module @patterns {
    pdl_interp.func @matcher(%arg0: !pdl.operation) {
      %0 = pdl_interp.get_operand 0 of %arg0
      %1 = pdl_interp.get_operands of %arg0 : !pdl.range<value>
      pdl_interp.foreach %arg1 : !pdl.value in %1 {
        pdl_interp.continue
      } {x = 1 : i32} -> ^bb1
    ^bb1:  // pred: ^bb0
      pdl_interp.finalize
    }
  }
  irdl.dialect @testd {
    irdl.type @a 
    irdl.type @parametric {
      %0 = irdl.any
      %1 = irdl.is i32 
      irdl.parameters(param: %0, in_put: %1)
    }
    irdl.attribute @b attributes {z} {
      irdl.parameters()
    }
    irdl.operation @any {
      %0 = irdl.any
      irdl.operands(a: %0, b: optional %0, c: variadic %0)
      irdl.results(r: %0)
      irdl.attributes {"attr1" = %0, "attr2" = %0}
      %1 = irdl.region(%0, %0)
      %2 = irdl.region with size 3
      irdl.regions(x: %1, y: %2)
    }
    irdl.operation @none 
  }
  irdl.dialect @empty 
  func.func @mf(%arg0: f32, %arg1: vector<32xf32>, %arg2: i8) {
    %0 = amdgpu.mfma 32x32x1 %arg0 * %arg0 + %arg1 {abid = 1 : i32, blocks = 2 : i32, cbsz = 1 : i32} blgp =  bcast_second_32 : f32, f32, vector<32xf32>
    return
  }
  func.func @xe(%arg0: memref<24x32xf32>, %arg1: index, %arg2: ui64) {
    %0 = xegpu.create_nd_tdesc %arg0 : memref<24x32xf32> -> !xegpu.tensor_desc<8x16xf32>
    %1 = xegpu.create_nd_tdesc %arg0[0, %arg1] : memref<24x32xf32> -> !xegpu.tensor_desc<8x16xf32>
    return
  }
}

