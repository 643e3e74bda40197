spirv.module Logical GLSL450 {
  spirv.func @chains(%a: f32, %b: f32, %v: vector<4xf32>) -> vector<4xf32> "None" {
    %0 = spirv.CompositeInsert %a, %v[0 : i32] : f32 into vector<4xf32>
    %1 = spirv.CompositeInsert %b, %0[1 : i32] : f32 into vector<4xf32>
    %2 = spirv.CompositeInsert %a, %1[2 : i32] : f32 into vector<4xf32>
    %3 = spirv.CompositeInsert %b, %2[3 : i32] : f32 into vector<4xf32>
    %4 = spirv.CompositeInsert %a, %2[3 : i32] : f32 into vector<4xf32>
    %5 = spirv.FAdd %3, %4 : vector<4xf32>
    %6 = spirv.FAdd %5, %1 : vector<4xf32>
    spirv.ReturnValue %6 : vector<4xf32>
  }
  spirv.func @gap(%a: f32, %v: vector<3xf32>) -> vector<3xf32> "None" {
    %0 = spirv.CompositeInsert %a, %v[0 : i32] : f32 into vector<3xf32>
    %1 = spirv.CompositeInsert %a, %0[2 : i32] : f32 into vector<3xf32>
    spirv.ReturnValue %1 : vector<3xf32>
  }
  spirv.func @composites(%a: i32, %m: !spirv.matrix<2 x vector<2xf32>>, %c: vector<2xf32>) -> !spirv.matrix<2 x vector<2xf32>> "None" {
    %s = spirv.Undef : !spirv.struct<(i32, !spirv.array<1 x i32>)>
    %0 = spirv.Undef : !spirv.array<1 x i32>
    %1 = spirv.CompositeInsert %a, %0[0 : i32] : i32 into !spirv.array<1 x i32>
    %2 = spirv.CompositeInsert %a, %s[0 : i32] : i32 into !spirv.struct<(i32, !spirv.array<1 x i32>)>
    %3 = spirv.CompositeInsert %1, %2[1 : i32] : !spirv.array<1 x i32> into !spirv.struct<(i32, !spirv.array<1 x i32>)>
    %4 = spirv.CompositeInsert %a, %3[1 : i32, 0 : i32] : i32 into !spirv.struct<(i32, !spirv.array<1 x i32>)>
    %p = spirv.Variable : !spirv.ptr<!spirv.struct<(i32, !spirv.array<1 x i32>)>, Function>
    spirv.Store "Function" %p, %4 : !spirv.struct<(i32, !spirv.array<1 x i32>)>
    %5 = spirv.CompositeInsert %c, %m[0 : i32] : vector<2xf32> into !spirv.matrix<2 x vector<2xf32>>
    %6 = spirv.CompositeInsert %c, %5[1 : i32] : vector<2xf32> into !spirv.matrix<2 x vector<2xf32>>
    spirv.ReturnValue %6 : !spirv.matrix<2 x vector<2xf32>>
  }
}

spirv.module Logical GLSL450 {
  spirv.SpecConstant @one = 1 : i32
  spirv.SpecConstant @two = 2 : i32
  spirv.SpecConstantComposite @same (@one, @one, @one) : !spirv.array<3 x i32>
  spirv.SpecConstantComposite @other (@one, @two) : !spirv.array<2 x i32>
  spirv.SpecConstantComposite @single (@one) : !spirv.array<1 x i32>
  spirv.func @constants() "None" {
    %0 = spirv.Constant dense<1> : vector<3xi32>
    %1 = spirv.Constant dense<[1, 2, 3]> : vector<3xi32>
    %2 = spirv.Constant [dense<true> : vector<2xi1>, dense<true> : vector<2xi1>] : !spirv.array<2 x vector<2xi1>>
    %3 = spirv.Constant [dense<1.0> : vector<2xf32>, dense<2.0> : vector<2xf32>] : !spirv.array<2 x vector<2xf32>>
    %4 = spirv.Constant [[1 : i32, 1 : i32], [1 : i32, 1 : i32]] : !spirv.array<2 x !spirv.array<2 x i32>>
    %5 = spirv.Constant [[1 : i32, 2 : i32], [1 : i32, 2 : i32]] : !spirv.array<2 x !spirv.array<2 x i32>>
    %6 = spirv.Constant dense<0.5> : tensor<2x3xf32> : !spirv.array<2 x !spirv.array<3 x f32>>
    %8 = spirv.Constant [1 : i32] : !spirv.array<1 x i32>
    %9 = spirv.Constant 3 : i32
    spirv.Return
  }
}

spirv.module Logical GLSL450 {
  spirv.func @clamps(%x: f32, %min: f32, %max: f32) -> f32 "None" {
    %0 = spirv.FOrdLessThan %min, %x : f32
    %1 = spirv.Select %0, %x, %min : i1, f32
    %2 = spirv.FOrdLessThan %1, %max : f32
    %3 = spirv.Select %2, %1, %max : i1, f32
    %4 = spirv.FOrdLessThanEqual %3, %min : f32
    %5 = spirv.Select %4, %min, %3 : i1, f32
    %6 = spirv.FOrdLessThanEqual %max, %3 : f32
    %7 = spirv.Select %6, %max, %5 : i1, f32
    spirv.ReturnValue %7 : f32
  }
  spirv.func @integers(%x: vector<2xi32>, %min: vector<2xi32>, %max: vector<2xi32>) -> vector<2xi32> "None" {
    %0 = spirv.SLessThan %min, %x : vector<2xi32>
    %1 = spirv.Select %0, %x, %min : vector<2xi1>, vector<2xi32>
    %2 = spirv.SLessThan %1, %max : vector<2xi32>
    %3 = spirv.Select %2, %1, %max : vector<2xi1>, vector<2xi32>
    %4 = spirv.ULessThan %min, %3 : vector<2xi32>
    %5 = spirv.Select %4, %3, %min : vector<2xi1>, vector<2xi32>
    %6 = spirv.SLessThan %5, %max : vector<2xi32>
    %7 = spirv.Select %6, %5, %max : vector<2xi1>, vector<2xi32>
    spirv.ReturnValue %7 : vector<2xi32>
  }
  spirv.func @blocks(%c: i1, %x: i32) -> i32 "None" {
    spirv.BranchConditional %c, ^a, ^b
  ^a:
    %0 = spirv.IAdd %x, %x : i32
    spirv.ReturnValue %0 : i32
  ^b:
    %1 = spirv.IAdd %x, %x : i32
    spirv.ReturnValue %1 : i32
  }
  spirv.func @products(%a: i32, %b: i32, %c: vector<2xi32>, %d: i16) "None" {
    %0 = spirv.UMulExtended %a, %b : !spirv.struct<(i32, i32)>
    %1 = spirv.SMulExtended %c, %c : !spirv.struct<(vector<2xi32>, vector<2xi32>)>
    %2 = spirv.IAddCarry %b, %a : !spirv.struct<(i32, i32)>
    %3 = spirv.IAddCarry %c, %c : !spirv.struct<(vector<2xi32>, vector<2xi32>)>
    %4 = spirv.UMulExtended %d, %d : !spirv.struct<(i16, i16)>
    %5 = spirv.ISubBorrow %b, %a : !spirv.struct<(i32, i32)>
    %p = spirv.Variable : !spirv.ptr<!spirv.struct<(i32, i32)>, Function>
    %q = spirv.Variable : !spirv.ptr<!spirv.struct<(vector<2xi32>, vector<2xi32>)>, Function>
    %r = spirv.Variable : !spirv.ptr<!spirv.struct<(i16, i16)>, Function>
    spirv.Store "Function" %p, %0 : !spirv.struct<(i32, i32)>
    spirv.Store "Function" %q, %1 : !spirv.struct<(vector<2xi32>, vector<2xi32>)>
    spirv.Store "Function" %p, %2 : !spirv.struct<(i32, i32)>
    spirv.Store "Function" %q, %3 : !spirv.struct<(vector<2xi32>, vector<2xi32>)>
    spirv.Store "Function" %r, %4 : !spirv.struct<(i16, i16)>
    spirv.Store "Function" %p, %5 : !spirv.struct<(i32, i32)>
    spirv.Return
  }
  spirv.func @finite(%a: f32, %b: vector<3xf32>) -> vector<3xi1> "None" {
    %0 = spirv.IsInf %a : f32
    %1 = spirv.IsNan %b : vector<3xf32>
    %2 = spirv.IsInf %b : vector<3xf32>
    %3 = spirv.Select %0, %1, %2 : i1, vector<3xi1>
    spirv.ReturnValue %3 : vector<3xi1>
  }
}

spirv.module Logical GLSL450 {
  spirv.GlobalVariable @all bind(0, 0) : !spirv.ptr<!spirv.struct<(i8, vector<3xf32>, f32, !spirv.array<2 x !spirv.array<3 x f64>>, !spirv.struct<(i16, vector<2xi64>)>, !spirv.matrix<3 x vector<4xf32>>, i1)>, Uniform>
  spirv.GlobalVariable @block bind(0, 1) : !spirv.ptr<!spirv.struct<(f32 [NonWritable], !spirv.rtarray<vector<4xf32>>), Block>, StorageBuffer>
  spirv.GlobalVariable @known bind(0, 2) : !spirv.ptr<!spirv.struct<(f32 [4])>, PushConstant>
  spirv.GlobalVariable @private : !spirv.ptr<!spirv.struct<(f32, f64)>, Private>
  spirv.func @addresses(%i: i32) -> vector<4xf32> "None" {
    %one = spirv.Constant 1 : i32
    %0 = spirv.mlir.addressof @block : !spirv.ptr<!spirv.struct<(f32 [NonWritable], !spirv.rtarray<vector<4xf32>>), Block>, StorageBuffer>
    %1 = spirv.AccessChain %0[%one, %i] : !spirv.ptr<!spirv.struct<(f32 [NonWritable], !spirv.rtarray<vector<4xf32>>), Block>, StorageBuffer>, i32, i32 -> !spirv.ptr<vector<4xf32>, StorageBuffer>
    %2 = spirv.Load "StorageBuffer" %1 : vector<4xf32>
    %3 = spirv.mlir.addressof @private : !spirv.ptr<!spirv.struct<(f32, f64)>, Private>
    spirv.ReturnValue %2 : vector<4xf32>
  }
}

spirv.module Logical GLSL450 {
  spirv.GlobalVariable @word bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
  spirv.GlobalVariable @float bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
  spirv.GlobalVariable @long bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>
  spirv.GlobalVariable @vector bind(0, 1) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<2xf32>, stride=8> [0])>, StorageBuffer>
  spirv.GlobalVariable @four bind(0, 1) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<4xi32>, stride=16> [0])>, StorageBuffer>
  spirv.GlobalVariable @number bind(0, 1) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
  spirv.GlobalVariable @alone bind(0, 2) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
  spirv.GlobalVariable @three bind(0, 3) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<3xf32>, stride=16> [0])>, StorageBuffer>
  spirv.GlobalVariable @beside bind(0, 3) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
  spirv.func @loads(%i: i32, %f: f32) -> i64 "None" {
    %zero = spirv.Constant 0 : i32
    %0 = spirv.mlir.addressof @float : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>
    %1 = spirv.AccessChain %0[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<f32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
    %2 = spirv.Load "StorageBuffer" %1 : f32
    spirv.Store "StorageBuffer" %1, %f : f32
    %3 = spirv.mlir.addressof @long : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>
    %4 = spirv.AccessChain %3[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<i64, StorageBuffer>
    %5 = spirv.Load "StorageBuffer" %4 : i64
    %6 = spirv.mlir.addressof @four : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<4xi32>, stride=16> [0])>, StorageBuffer>
    %7 = spirv.AccessChain %6[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<4xi32>, stride=16> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<vector<4xi32>, StorageBuffer>
    %8 = spirv.Load "StorageBuffer" %7 : vector<4xi32>
    %9 = spirv.mlir.addressof @number : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>
    %10 = spirv.AccessChain %9[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i32, stride=4> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<i32, StorageBuffer>
    %11 = spirv.Load "StorageBuffer" %10 : i32
    spirv.Store "StorageBuffer" %10, %11 : i32
    spirv.ReturnValue %5 : i64
  }
}
