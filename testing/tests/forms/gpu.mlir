module {
  func.func @f(%arg0: index, %arg1: i32, %arg2: memref<4xf32>) {
    gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) {
      "t.use"(%arg3, %arg14) : (index, index) -> ()
      gpu.terminator
    }
    %0 = gpu.launch async clusters(%arg15, %arg16, %arg17) in (%arg18 = %arg0, %arg19 = %arg0, %arg20 = %arg0) blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) dynamic_shared_memory_size %arg1 workgroup(%arg21 : memref<3xf32, 3>, %arg22 : memref<2xf32, 3>) private(%arg23 : memref<1xf32>) {
      cf.br ^bb1
    ^bb1:  // pred: ^bb0
      "t.use"(%arg3, %arg14, %arg15, %arg20, %arg23) : (index, index, index, index, memref<1xf32>) -> ()
      gpu.terminator
    } {a.b = 1 : i64}
    %1 = gpu.launch async [%0, %0] blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) module(@m) function(@g) {
      gpu.terminator
    }
    gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) function(@g) private(%arg15 : memref<1xf32>) {
      gpu.terminator
    }
    %cst = arith.constant 1.000000e+00 : f32
    %2 = gpu.lane_id
    %3 = gpu.all_reduce  add %cst {
    } : (f32) -> f32
    %4 = gpu.all_reduce  minnumf %cst uniform {
    } : (f32) -> f32
    %5 = gpu.all_reduce  %cst uniform {
    ^bb0(%arg3: f32, %arg4: f32):
      %10 = arith.addf %arg3, %arg4 : f32
      gpu.yield %10 : f32
    } : (f32) -> f32
    %6 = gpu.subgroup_reduce  add %cst uniform : (f32) -> f32
    %7 = gpu.subgroup_reduce  add %cst cluster(size = 4, stride = 2) {a.b} : (f32) -> f32
    gpu.warp_execute_on_lane_0(%2)[32] {
      "t.a"() : () -> ()
    }
    %8 = gpu.warp_execute_on_lane_0(%2)[32] -> (vector<1xf32>) {
      %10 = "t.a"() : () -> vector<32xf32>
      gpu.yield %10 : vector<32xf32>
    }
    gpu.warp_execute_on_lane_0(%2)[64] args(%arg2, %cst : memref<4xf32>, f32) {
    ^bb0(%arg3: memref<4xf32>, %arg4: f32):
      "t.a"() : () -> ()
    } {foo = 1 : i64}
    %9:2 = gpu.warp_execute_on_lane_0(%2)[64] args(%arg2 : memref<4xf32>) -> (f32, f32) {
    ^bb0(%arg3: memref<4xf32>):
      gpu.yield %cst, %cst : f32, f32
    }
    return
  }
  gpu.binary @b1  [#gpu.object<#nvvm.target, "x">]
  gpu.binary @b2 <#gpu.select_object<1 : i64>> [#gpu.object<#nvvm.target, "x">]
  gpu.binary @b3 <#gpu.select_object<0 : i64>> {a.b} [#gpu.object<#nvvm.target, "x">]
}

