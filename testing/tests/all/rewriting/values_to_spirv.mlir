// Numbers, vectors and tensors for a shader, a kernel, and a target that has little.

module attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.6, [Shader, Int8, Int16, Int64, Float16, Float64], []>, #spirv.resource_limits<>>} {
  func.func @math(%a: f32, %b: vector<3xf16>, %c: vector<1xf32>, %n: i32, %e: vector<2x2xf32>) {
    %0 = math.absf %a : f32
    %1 = math.exp %b : vector<3xf16>
    %2 = math.round %b : vector<3xf16>
    %3 = math.copysign %b, %2 : vector<3xf16>
    %4 = math.powf %a, %0 : f32
    %5 = math.log2 %a : f32
    %6 = math.log10 %b : vector<3xf16>
    %7 = math.log1p %c : vector<1xf32>
    %8 = math.expm1 %a : f32
    %9 = math.ctlz %n : i32
    %10 = math.exp %e : vector<2x2xf32>
    %11 = math.isnan %a : f32
    %12 = math.erf %a : f32
    return
  }
  func.func @complex(%a: f16, %b: complex<f32>) {
    %0 = complex.create %a, %a : complex<f16>
    %1 = complex.re %0 : complex<f16>
    %2 = complex.im %b : complex<f32>
    %3 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
    %4 = complex.constant [1 : i8, 1 : i8] : complex<i8>
    %5 = complex.exp %b : complex<f32>
    return
  }
  func.func @vectors(%a: vector<4xf32>, %b: vector<1xf32>, %c: vector<3xi32>, %s: f32, %i: index, %m: memref<4x8xf32, #spirv.storage_class<StorageBuffer>>) {
    %0 = vector.extract %a[%i] : f32 from vector<4xf32>
    %1 = vector.extract %c[%i] : i32 from vector<3xi32>
    %2 = vector.extract %b[0] : f32 from vector<1xf32>
    %3 = vector.insert %s, %a[2] : f32 into vector<4xf32>
    %4 = vector.insert %s, %3[%i] : f32 into vector<4xf32>
    %5 = vector.broadcast %s : f32 to vector<4xf32>
    %6 = vector.shuffle %a, %b [0, 4, 2] : vector<4xf32>, vector<1xf32>
    %7 = vector.shuffle %a, %4 [0, 5, 2, 1] : vector<4xf32>, vector<4xf32>
    %8 = vector.interleave %b, %b : vector<1xf32> -> vector<2xf32>
    %9, %10 = vector.deinterleave %a : vector<4xf32> -> vector<2xf32>
    %11 = vector.extract_strided_slice %a {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %12 = vector.insert_strided_slice %b, %a {offsets = [3], strides = [1]} : vector<1xf32> into vector<4xf32>
    %13 = vector.insert_strided_slice %11, %a {offsets = [2], strides = [1]} : vector<2xf32> into vector<4xf32>
    %14 = vector.reduction <add>, %a, %s : vector<4xf32> into f32
    %15 = vector.reduction <maxsi>, %c : vector<3xi32> into i32
    %16 = vector.reduction <minimumf>, %a : vector<4xf32> into f32
    %17 = vector.reduction <and>, %c : vector<3xi32> into i32
    %18 = vector.fma %a, %3, %4 : vector<4xf32>
    %19:4 = vector.to_elements %a : vector<4xf32>
    %20 = vector.from_elements %19#1, %s : vector<2xf32>
    %21 = vector.bitcast %20 : vector<2xf32> to vector<2xi32>
    %22 = vector.shape_cast %b : vector<1xf32> to vector<f32>
    %23 = vector.step : vector<3xindex>
    %24 = vector.load %m[%i, %i] {alignment = 16 : i64} : memref<4x8xf32, #spirv.storage_class<StorageBuffer>>, vector<4xf32>
    vector.store %24, %m[%i, %i] : memref<4x8xf32, #spirv.storage_class<StorageBuffer>>, vector<4xf32>
    return
  }
  func.func @tensors(%i: index, %t: tensor<4xf32>) -> f32 {
    %c1 = arith.constant 1 : index
    %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
    %0 = tensor.extract %c[%i, %c1] : tensor<2x3xf32>
    %1 = tensor.extract %c[%i, %i] : tensor<2x3xf32>
    %2 = tensor.extract %t[%i] : tensor<4xf32>
    return %1 : f32
  }
}

module attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Kernel, Int8, Int64, Float16, Float64, Vector16], []>, #spirv.resource_limits<>>} {
  func.func @math(%a: f32, %b: vector<8xf16>, %n: i8) {
    %0 = math.atan2 %a, %a : f32
    %1 = math.round %b : vector<8xf16>
    %2 = math.powf %a, %0 : f32
    %3 = math.erf %a : f32
    %4 = math.absi %n : i8
    %5 = math.isfinite %a : f32
    return
  }
  func.func @index(%a: index, %b: index, %n: i32) {
    %0 = index.constant 8589934593
    %1 = index.ceildivs %a, %b
    %2 = index.ceildivu %a, %0
    %3 = index.maxs %1, %2
    %4 = index.rems %3, %b
    %5 = index.cmp ult(%4, %a)
    %6 = index.casts %n : i32 to index
    %7 = index.castu %6 : index to i64
    %8 = index.sizeof
    %9 = index.bool.constant false
    return
  }
  func.func @vectors(%a: vector<8xf32>, %m: memref<?xi32, #spirv.storage_class<CrossWorkgroup>>, %i: index) {
    %0 = vector.reduction <maxnumf>, %a : vector<8xf32> into f32
    %1 = vector.load %m[%i] : memref<?xi32, #spirv.storage_class<CrossWorkgroup>>, vector<1xi32>
    return
  }
}

module {
  func.func @math(%a: f16, %b: i8) {
    %0 = math.sqrt %a : f16
    %1 = math.absi %b : i8
    return
  }
  func.func @poison(%a: i8) -> i8 {
    %0 = ub.poison : vector<4xf16>
    %1 = ub.poison : f64
    %2 = ub.poison : f8E5M2
    %3 = builtin.unrealized_conversion_cast %a : i8 to i32
    %4 = builtin.unrealized_conversion_cast %3 : i32 to i8
    return %4 : i8
  }
  func.func @unreachable(%c: i1) {
    cf.cond_br %c, ^a, ^b
  ^a:
    ub.unreachable
  ^b:
    return
  }
  func.func @vectors(%a: vector<4xf16>, %s: f16, %i: index) {
    %0 = vector.insert %s, %a[%i] : f16 into vector<4xf16>
    %1 = vector.insert %s, %0[1] : f16 into vector<4xf16>
    return
  }
  func.func @tensors(%i: index) -> i8 {
    %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
    %0 = tensor.extract %c[%i] : tensor<4xi8>
    return %0 : i8
  }
}
