func.func @v0(%a0: index) -> (vector<1xi32>, vector<1xi32>, vector<1xi8>) {
  %v1 = ub.poison : vector<1xi32>
  %v2 = vector.extract %v1[] : vector<1xi32> from vector<1xi32>
  %v3 = arith.constant dense<[0]> : vector<1xi8>
  %v4:1 = vector.to_elements %v3 : vector<1xi8>
  %v5 = vector.extract %v1[] : vector<1xi32> from vector<1xi32>
  return %v1, %v5, %v3 : vector<1xi32>, vector<1xi32>, vector<1xi8>
}
func.func @v1(%a0: index, %a1: i32) -> (vector<i32>, i32, vector<i32>) {
  %v1 = arith.constant 0 : i32
  %v2 = vector.from_elements %v1 : vector<i32>
  %v3 = vector.extract %v2[] : i32 from vector<i32>
  %v4 = vector.insert %a1, %v2 [] : i32 into vector<i32>
  return %v2, %v3, %v4 : vector<i32>, i32, vector<i32>
}
func.func @v2(%a0: index) -> (vector<1x2xi32>, vector<1x1xi32>, vector<1x1xi32>) {
  %v1 = arith.constant dense<[[3]]> : vector<1x1xi32>
  %v2 = arith.constant dense<[[2], [2]]> : vector<2x1xi32>
  %v3 = vector.shuffle %v1, %v2 [0] : vector<1x1xi32>, vector<2x1xi32>
  %v4 = vector.constant_mask [0, 0, 0] : vector<1x2x3xi1>
  %v5 = vector.transpose %v2, [1, 0] : vector<2x1xi32> to vector<1x2xi32>
  %v6 = vector.transpose %v2, [1, 0] : vector<2x1xi32> to vector<1x2xi32>
  return %v5, %v3, %v1 : vector<1x2xi32>, vector<1x1xi32>, vector<1x1xi32>
}
func.func @v3(%a0: index, %a1: vector<4xi32>) -> (vector<4xi32>, vector<i8>, vector<i8>) {
  %v1 = arith.constant dense<[1, 1, 1, 1]> : vector<4xi32>
  %v2 = vector.shuffle %v1, %v1 [4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
  %v3 = vector.insert_strided_slice %a1, %v2 {offsets = [0], strides = [1]} : vector<4xi32> into vector<4xi32>
  %v4 = arith.constant dense<4> : vector<i8>
  %v5 = arith.constant 0 : i8
  %v6 = vector.insert %v5, %v4 [] : i8 into vector<i8>
  return %v3, %v6, %v4 : vector<4xi32>, vector<i8>, vector<i8>
}
func.func @v4(%a0: index, %a1: vector<6xi32>) -> (vector<1x1xi1>, i32, i32) {
  %v1 = vector.constant_mask [1, 1] : vector<1x1xi1>
  %v2 = vector.extract %a1[%a0] : i32 from vector<6xi32>
  %v3 = arith.constant dense<[[1, 1], [1, 3]]> : vector<2x2xi32>
  %v4 = arith.constant 4 : index
  %v5 = vector.extract %v3[%v4, 1] : i32 from vector<2x2xi32>
  return %v1, %v2, %v5 : vector<1x1xi1>, i32, i32
}
func.func @v5(%a0: index, %a1: vector<2xi32>) -> (vector<3x4xi1>, vector<6xi32>, vector<2x3xi1>) {
  %v1 = vector.constant_mask [3, 4] : vector<3x4xi1>
  %v2 = vector.constant_mask [2, 2] : vector<2x3xi1>
  %v3 = arith.constant dense<[2, 4, 1, 3, 1, 3]> : vector<6xi32>
  %v4 = vector.transpose %v3, [0] : vector<6xi32> to vector<6xi32>
  %v5 = vector.insert_strided_slice %a1, %v4 {offsets = [0], strides = [1]} : vector<2xi32> into vector<6xi32>
  %v6 = vector.shuffle %v4, %v4 [0, 1, 2, 3, 4, 5] : vector<6xi32>, vector<6xi32>
  return %v1, %v3, %v2 : vector<3x4xi1>, vector<6xi32>, vector<2x3xi1>
}
func.func @v6(%a0: index) -> (vector<1xf32>, vector<i1>, vector<1xf32>) {
  %v1 = arith.constant dense<[0, 0]> : vector<2xi32>
  %v2 = vector.shuffle %v1, %v1 [0, 1] : vector<2xi32>, vector<2xi32>
  %v3 = vector.shape_cast %v2 : vector<2xi32> to vector<1x2xi32>
  %v4 = vector.constant_mask [1] : vector<i1>
  %v5 = ub.poison : vector<1xf32>
  %v6:1 = vector.to_elements %v5 : vector<1xf32>
  %v7 = vector.from_elements %v6 : vector<1xf32>
  %v8 = vector.extract %v7[] : vector<1xf32> from vector<1xf32>
  %v9 = ub.poison : vector<2x1x3xi32>
  return %v7, %v4, %v5 : vector<1xf32>, vector<i1>, vector<1xf32>
}
func.func @v7(%a0: index, %a1: i32) -> (vector<2x2xf32>, vector<2xi32>, vector<2xi32>) {
  %v1 = arith.constant dense<[[0.0, 0.0], [0.0, 4.0]]> : vector<2x2xf32>
  %v2 = vector.extract_strided_slice %v1 {offsets = [0], sizes = [2], strides = [1]} : vector<2x2xf32> to vector<2x2xf32>
  %v3 = arith.constant 1 : i32
  %v4 = vector.from_elements %v3, %a1, %v3 : vector<3xi32>
  %v5 = arith.constant dense<[2, 3]> : vector<2xi32>
  %v6 = vector.extract %v5[] : vector<2xi32> from vector<2xi32>
  return %v2, %v6, %v5 : vector<2x2xf32>, vector<2xi32>, vector<2xi32>
}
func.func @v8(%a0: index) -> (vector<2x1x3xi32>, i32, vector<2x1x3xi32>) {
  %v1 = arith.constant dense<[[[2, 2, 2]], [[2, 2, 2]]]> : vector<2x1x3xi32>
  %v2 = vector.shape_cast %v1 : vector<2x1x3xi32> to vector<2x1x3xi32>
  %v3 = arith.constant 1 : i32
  %v4 = vector.from_elements %v3, %v3 : vector<2xi32>
  %v5 = vector.insert %v1, %v2 [] : vector<2x1x3xi32> into vector<2x1x3xi32>
  return %v1, %v3, %v5 : vector<2x1x3xi32>, i32, vector<2x1x3xi32>
}
func.func @v9(%a0: index, %a1: vector<6xi32>, %a2: i32) -> (vector<6xi32>, vector<1xi1>, vector<1x1x4xf32>) {
  %v1 = arith.constant dense<[[[1.0, 4.0, 4.0, 4.0]]]> : vector<1x1x4xf32>
  %v2 = vector.extract %v1[] : vector<1x1x4xf32> from vector<1x1x4xf32>
  %v3 = vector.insert %a2, %a1 [5] : i32 into vector<6xi32>
  %v4 = vector.transpose %v3, [0] : vector<6xi32> to vector<6xi32>
  %v5 = vector.constant_mask [1] : vector<1xi1>
  %v6 = vector.extract_strided_slice %a1 {offsets = [3], sizes = [1], strides = [1]} : vector<6xi32> to vector<1xi32>
  %v7 = vector.broadcast %a2 : i32 to vector<1x2x3xi32>
  return %v3, %v5, %v2 : vector<6xi32>, vector<1xi1>, vector<1x1x4xf32>
}
func.func @v10(%a0: index) -> (vector<1x1xi32>, vector<1x1xi32>, vector<1xf32>) {
  %v1 = arith.constant dense<[[4]]> : vector<1x1xi32>
  %v2 = vector.bitcast %v1 : vector<1x1xi32> to vector<1x4xi8>
  %v3 = vector.multi_reduction <add>, %v1, %v1 [] : vector<1x1xi32> to vector<1x1xi32>
  %v4 = arith.constant dense<[2.0]> : vector<1xf32>
  %v5 = vector.extract %v4[] : vector<1xf32> from vector<1xf32>
  %v6 = vector.shuffle %v3, %v3 [0] : vector<1x1xi32>, vector<1x1xi32>
  %v7 = vector.insert_strided_slice %v1, %v1 {offsets = [0, 0], strides = [1, 1]} : vector<1x1xi32> into vector<1x1xi32>
  %v8 = vector.extract %v6[] : vector<1x1xi32> from vector<1x1xi32>
  return %v8, %v7, %v4 : vector<1x1xi32>, vector<1x1xi32>, vector<1xf32>
}
func.func @v11(%a0: index) -> (vector<2xi32>, vector<2xi32>, vector<2xi32>) {
  %v1 = arith.constant dense<[4, 4]> : vector<2xi32>
  %v2:2 = vector.to_elements %v1 : vector<2xi32>
  %v3 = vector.from_elements %v2#0, %v2#1 : vector<2xi32>
  %v4 = vector.bitcast %v3 : vector<2xi32> to vector<2xi32>
  return %v3, %v1, %v4 : vector<2xi32>, vector<2xi32>, vector<2xi32>
}
func.func @v12(%a0: index) -> (vector<1x1xi32>, vector<4x1xi32>, vector<4x1xi32>) {
  %v1 = arith.constant dense<[[2], [3], [1], [2]]> : vector<4x1xi32>
  %v2 = vector.insert_strided_slice %v1, %v1 {offsets = [0, 0], strides = [1, 1]} : vector<4x1xi32> into vector<4x1xi32>
  %v3 = arith.constant dense<[[1]]> : vector<1x1xi32>
  %v4 = arith.constant dense<[4]> : vector<1xi32>
  %v5 = vector.insert_strided_slice %v4, %v3 {offsets = [0, 0], strides = [1]} : vector<1xi32> into vector<1x1xi32>
  %v6:1 = vector.to_elements %v4 : vector<1xi32>
  %v7 = vector.from_elements %v6 : vector<1xi32>
  %v8 = arith.constant dense<[[0]]> : vector<1x1xi32>
  %v9 = vector.multi_reduction <add>, %v3, %v8 [] : vector<1x1xi32> to vector<1x1xi32>
  return %v3, %v1, %v2 : vector<1x1xi32>, vector<4x1xi32>, vector<4x1xi32>
}
func.func @v13(%a0: index) -> (vector<1x2x3xi32>, vector<2x3x1xi32>, vector<1x2x3xi32>) {
  %v1 = ub.poison : vector<1x2x3xi32>
  %v2 = vector.multi_reduction <add>, %v1, %v1 [] : vector<1x2x3xi32> to vector<1x2x3xi32>
  %v3 = vector.transpose %v2, [1, 2, 0] : vector<1x2x3xi32> to vector<2x3x1xi32>
  %v4 = vector.transpose %v2, [2, 1, 0] : vector<1x2x3xi32> to vector<3x2x1xi32>
  %v5 = arith.constant 0 : i32
  %v6 = arith.constant 1 : index
  %v7 = vector.insert %v5, %v3 [1, %v6, 0] : i32 into vector<2x3x1xi32>
  %v8 = vector.transpose %v7, [1, 2, 0] : vector<2x3x1xi32> to vector<3x1x2xi32>
  return %v2, %v7, %v1 : vector<1x2x3xi32>, vector<2x3x1xi32>, vector<1x2x3xi32>
}
func.func @v14(%a0: index) -> (vector<2xi32>, vector<1x2x3xi8>, i32) {
  %v1 = arith.constant dense<[1, 0, 2, 4, 0, 1]> : vector<6xi32>
  %v2 = arith.constant dense<[2, 2]> : vector<2xi32>
  %v3 = vector.insert_strided_slice %v2, %v1 {offsets = [1], strides = [1]} : vector<2xi32> into vector<6xi32>
  %v4 = vector.transpose %v1, [0] : vector<6xi32> to vector<6xi32>
  %v5 = arith.constant 2 : i32
  %v6 = vector.insert %v5, %v1 [%a0] : i32 into vector<6xi32>
  %v7 = arith.constant dense<[[[2, 2, 2], [2, 2, 2]]]> : vector<1x2x3xi8>
  %v8 = vector.extract %v7[] : vector<1x2x3xi8> from vector<1x2x3xi8>
  return %v2, %v7, %v5 : vector<2xi32>, vector<1x2x3xi8>, i32
}
func.func @v15(%a0: index, %a1: vector<4x1xi32>) -> (vector<4x1xi32>, vector<2x2xi32>, vector<1xi32>) {
  %v1 = arith.constant dense<[[3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3]]> : vector<3x4xi8>
  %v2 = vector.broadcast %v1 : vector<3x4xi8> to vector<3x4xi8>
  %v3 = arith.constant dense<[[4, 0], [2, 2]]> : vector<2x2xi32>
  %v4 = vector.insert_strided_slice %v3, %v3 {offsets = [0, 0], strides = [1, 1]} : vector<2x2xi32> into vector<2x2xi32>
  %v5:4 = vector.to_elements %a1 : vector<4x1xi32>
  %v6 = vector.from_elements %v5#0, %v5#1, %v5#2, %v5#3 : vector<4x1xi32>
  %v7 = arith.constant dense<[0]> : vector<1xi32>
  %v8 = vector.insert %v7, %v6 [3] : vector<1xi32> into vector<4x1xi32>
  return %v8, %v3, %v7 : vector<4x1xi32>, vector<2x2xi32>, vector<1xi32>
}
func.func @v16(%a0: index) -> (vector<2x1x3xi32>, vector<2x1x3xi32>, vector<2x1x3xi32>) {
  %v1 = arith.constant dense<[[[3, 3, 3]], [[3, 3, 3]]]> : vector<2x1x3xi32>
  %v2 = arith.constant 1 : index
  %v3 = vector.extract %v1[0, %a0, %v2] : i32 from vector<2x1x3xi32>
  %v4 = vector.extract_strided_slice %v1 {offsets = [0], sizes = [2], strides = [1]} : vector<2x1x3xi32> to vector<2x1x3xi32>
  %v5 = vector.transpose %v1, [0, 1, 2] : vector<2x1x3xi32> to vector<2x1x3xi32>
  return %v4, %v5, %v1 : vector<2x1x3xi32>, vector<2x1x3xi32>, vector<2x1x3xi32>
}
func.func @v17(%a0: index, %a1: i8) -> (vector<4xi32>, vector<3xi32>, vector<4xi32>) {
  %v1 = arith.constant dense<[4, 1, 0, 2]> : vector<4xi32>
  %v2 = vector.transpose %v1, [0] : vector<4xi32> to vector<4xi32>
  %v3 = vector.extract_strided_slice %v1 {offsets = [0], sizes = [3], strides = [1]} : vector<4xi32> to vector<3xi32>
  %v4 = vector.extract %v1[2] : i32 from vector<4xi32>
  %v5 = vector.extract %v3[] : vector<3xi32> from vector<3xi32>
  %v6 = arith.constant dense<[2]> : vector<1xi8>
  %v7 = vector.insert %a1, %v6 [0] : i8 into vector<1xi8>
  return %v1, %v5, %v2 : vector<4xi32>, vector<3xi32>, vector<4xi32>
}
func.func @v18(%a0: index, %a1: vector<1xi32>) -> (vector<i32>, i32, i32) {
  %v1 = arith.constant 0 : i32
  %v2 = vector.from_elements %v1 : vector<i32>
  %v3:1 = vector.to_elements %v2 : vector<i32>
  %v4 = vector.shape_cast %v2 : vector<i32> to vector<1xi32>
  %v5 = vector.shuffle %v4, %a1 [1] : vector<1xi32>, vector<1xi32>
  %v6 = vector.extract %v2[] : i32 from vector<i32>
  return %v2, %v1, %v6 : vector<i32>, i32, i32
}
func.func @v19(%a0: index) -> (vector<2x3x1xi32>, vector<2x3x1xi32>, vector<1x3xf32>) {
  %v1 = arith.constant dense<[[1, 3, 2], [0, 1, 1]]> : vector<2x3xi32>
  %v2 = vector.shape_cast %v1 : vector<2x3xi32> to vector<2x3x1xi32>
  %v3 = vector.insert_strided_slice %v2, %v2 {offsets = [0, 0, 0], strides = [1, 1, 1]} : vector<2x3x1xi32> into vector<2x3x1xi32>
  %v4 = vector.bitcast %v2 : vector<2x3x1xi32> to vector<2x3x1xi32>
  %v5 = arith.constant dense<[[4.0, 4.0, 0.0], [0.0, 1.0, 0.0]]> : vector<2x3xf32>
  %v6 = arith.constant dense<[[0.0, 4.0, 3.0], [1.0, 0.0, 0.0], [4.0, 0.0, 1.0], [1.0, 3.0, 2.0]]> : vector<4x3xf32>
  %v7 = vector.shuffle %v5, %v6 [4] : vector<2x3xf32>, vector<4x3xf32>
  return %v4, %v2, %v7 : vector<2x3x1xi32>, vector<2x3x1xi32>, vector<1x3xf32>
}
func.func @v20(%a0: index, %a1: i32) -> (vector<1x1xi8>, vector<1xi32>, vector<4x1xi32>) {
  %v1 = ub.poison : vector<1x1xi8>
  %v2 = vector.broadcast %v1 : vector<1x1xi8> to vector<2x1xi8>
  %v3 = arith.constant 2 : i32
  %v4 = arith.constant 2 : i32
  %v5 = vector.from_elements %v3, %v3, %v4, %a1 : vector<2x2xi32>
  %v6 = arith.constant dense<[1, 1]> : vector<2xi32>
  %v7 = vector.insert %v6, %v5 [0] : vector<2xi32> into vector<2x2xi32>
  %v8 = arith.constant dense<[[4], [2], [0], [0]]> : vector<4x1xi32>
  %v9 = arith.constant dense<[1]> : vector<1xi32>
  %v10 = vector.insert_strided_slice %v9, %v8 {offsets = [3, 0], strides = [1]} : vector<1xi32> into vector<4x1xi32>
  %v11 = vector.extract %v10[] : vector<4x1xi32> from vector<4x1xi32>
  return %v1, %v9, %v11 : vector<1x1xi8>, vector<1xi32>, vector<4x1xi32>
}
func.func @v21(%a0: index) -> (vector<3xi32>, f32, vector<2x1xi32>) {
  %v1 = arith.constant dense<[[2.0, 3.0, 2.0, 0.0], [0.0, 4.0, 2.0, 4.0], [4.0, 3.0, 4.0, 4.0]]> : vector<3x4xf32>
  %v2 = arith.constant 1.0 : f32
  %v3 = arith.constant 2 : index
  %v4 = vector.insert %v2, %v1 [%v3, 1] : f32 into vector<3x4xf32>
  %v5 = arith.constant dense<[[4, 4, 4], [4, 4, 4]]> : vector<2x3xi32>
  %v6 = vector.extract %v5[0] : vector<3xi32> from vector<2x3xi32>
  %v7 = vector.extract %v6[] : vector<3xi32> from vector<3xi32>
  %v8 = vector.extract_strided_slice %v5 {offsets = [0, 2], sizes = [2, 1], strides = [1, 1]} : vector<2x3xi32> to vector<2x1xi32>
  return %v6, %v2, %v8 : vector<3xi32>, f32, vector<2x1xi32>
}
func.func @v22(%a0: index, %a1: vector<2x3xi32>, %a2: vector<1x1x4xi32>) -> (vector<2x3xi32>, vector<2x3x4xi32>, vector<1xf32>) {
  %v1 = vector.transpose %a1, [0, 1] : vector<2x3xi32> to vector<2x3xi32>
  %v2 = vector.extract %a2[0] : vector<1x4xi32> from vector<1x1x4xi32>
  %v3 = vector.extract %a1[] : vector<2x3xi32> from vector<2x3xi32>
  %v4 = ub.poison : vector<1xf32>
  %v5 = vector.shuffle %v4, %v4 [1] : vector<1xf32>, vector<1xf32>
  %v6 = arith.constant dense<[[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]> : vector<2x3x4xi32>
  %v7 = arith.constant 2 : index
  %v8 = arith.constant 0 : index
  %v9 = vector.extract %v6[%a0, %v7, %v8] : i32 from vector<2x3x4xi32>
  return %v1, %v6, %v4 : vector<2x3xi32>, vector<2x3x4xi32>, vector<1xf32>
}
func.func @v23(%a0: index) -> (vector<1xi32>, vector<1xi32>, vector<6xi32>) {
  %v1 = arith.constant dense<[3, 3, 3, 3, 3, 3]> : vector<6xi32>
  %v2 = vector.multi_reduction <add>, %v1, %v1 [] : vector<6xi32> to vector<6xi32>
  %v3 = arith.constant dense<[4]> : vector<1xi32>
  %v4 = vector.insert %v3, %v3 [] : vector<1xi32> into vector<1xi32>
  %v5 = arith.constant 0 : i32
  %v6 = vector.from_elements %v5, %v5 : vector<2xi32>
  %v7 = vector.constant_mask [0, 0] : vector<2x2xi1>
  return %v4, %v3, %v2 : vector<1xi32>, vector<1xi32>, vector<6xi32>
}
func.func @v24(%a0: index, %a1: vector<2x2xi32>) -> (i32, i32, vector<4xi32>) {
  %v1:4 = vector.to_elements %a1 : vector<2x2xi32>
  %v2 = vector.from_elements %v1#0, %v1#1, %v1#2, %v1#3 : vector<2x2xi32>
  %v3 = arith.constant dense<[1, 1, 4, 2]> : vector<4xi32>
  %v4 = arith.constant 1 : i32
  %v5 = vector.multi_reduction <add>, %v3, %v4 [0] : vector<4xi32> to i32
  %v6 = vector.shuffle %v3, %v3 [4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
  %v7 = arith.constant dense<[2, 2, 2, 2, 2, 2]> : vector<6xi32>
  return %v5, %v4, %v6 : i32, i32, vector<4xi32>
}
func.func @v25(%a0: index) -> (i32, vector<6xi32>, vector<2x1x3xi32>) {
  %v1 = arith.constant dense<[3, 3, 2, 4, 1, 3]> : vector<6xi32>
  %v2 = arith.constant 1 : i32
  %v3 = vector.insert %v2, %v1 [3] : i32 into vector<6xi32>
  %v4 = vector.shape_cast %v3 : vector<6xi32> to vector<2x1x3xi32>
  %v5 = vector.multi_reduction <add>, %v3, %v2 [0] : vector<6xi32> to i32
  return %v5, %v3, %v4 : i32, vector<6xi32>, vector<2x1x3xi32>
}
func.func @v26(%a0: index) -> (vector<4x1xi32>, vector<4x1xi32>, vector<1xf32>) {
  %v1 = arith.constant dense<[[1], [1], [3], [2]]> : vector<4x1xi32>
  %v2 = arith.constant dense<[2]> : vector<1xi32>
  %v3 = vector.insert_strided_slice %v2, %v1 {offsets = [1, 0], strides = [1]} : vector<1xi32> into vector<4x1xi32>
  %v4 = vector.broadcast %v2 : vector<1xi32> to vector<2xi32>
  %v5 = arith.constant dense<[[1.0]]> : vector<1x1xf32>
  %v6 = arith.constant dense<[0.0]> : vector<1xf32>
  %v7 = vector.multi_reduction <add>, %v5, %v6 [1] : vector<1x1xf32> to vector<1xf32>
  return %v1, %v3, %v6 : vector<4x1xi32>, vector<4x1xi32>, vector<1xf32>
}
func.func @v27(%a0: index, %a1: vector<2x2xi32>) -> (vector<2xi8>, i32, vector<3x2xi8>) {
  %v1 = arith.constant dense<[[0, 0], [4, 0]]> : vector<2x2xi32>
  %v2 = vector.extract %v1[%a0, 1] : i32 from vector<2x2xi32>
  %v3 = arith.constant dense<[[2, 3], [4, 4], [1, 2]]> : vector<3x2xi8>
  %v4 = arith.constant dense<[0, 0]> : vector<2xi8>
  %v5 = vector.insert %v4, %v3 [1] : vector<2xi8> into vector<3x2xi8>
  %v6 = vector.extract_strided_slice %a1 {offsets = [0, 0], sizes = [1, 2], strides = [1, 1]} : vector<2x2xi32> to vector<1x2xi32>
  %v7 = arith.constant 3 : i32
  %v8 = vector.from_elements %v7, %v2, %v7 : vector<3xi32>
  return %v4, %v7, %v3 : vector<2xi8>, i32, vector<3x2xi8>
}
func.func @v28(%a0: index) -> (index, vector<3x4xi32>, index) {
  %v1 = arith.constant dense<[[[0.0, 2.0, 1.0, 2.0]]]> : vector<1x1x4xf32>
  %v2 = arith.constant 0 : index
  %v3 = vector.extract %v1[%v2, 0] : vector<4xf32> from vector<1x1x4xf32>
  %v4 = vector.constant_mask [0] : vector<4xi1>
  %v5 = arith.constant dense<[[[1, 3, 3, 4], [0, 0, 3, 1], [1, 0, 3, 0]], [[0, 0, 0, 1], [0, 1, 3, 0], [2, 4, 1, 3]]]> : vector<2x3x4xi32>
  %v6 = arith.constant 0 : index
  %v7 = vector.extract %v5[%v6] : vector<3x4xi32> from vector<2x3x4xi32>
  return %v2, %v7, %v6 : index, vector<3x4xi32>, index
}
func.func @v29(%a0: index) -> (i32, vector<4xi32>, vector<4xi32>) {
  %v1 = arith.constant dense<[[[1, 3, 4, 0], [2, 2, 4, 3], [3, 1, 1, 0]], [[2, 1, 3, 3], [3, 3, 2, 4], [2, 2, 2, 0]]]> : vector<2x3x4xi32>
  %v2 = vector.extract %v1[%a0, %a0] : vector<4xi32> from vector<2x3x4xi32>
  %v3 = vector.transpose %v2, [0] : vector<4xi32> to vector<4xi32>
  %v4 = vector.insert_strided_slice %v3, %v2 {offsets = [0], strides = [1]} : vector<4xi32> into vector<4xi32>
  %v5 = arith.constant 2 : i32
  %v6 = vector.multi_reduction <add>, %v1, %v5 [0, 1, 2] : vector<2x3x4xi32> to i32
  return %v5, %v2, %v3 : i32, vector<4xi32>, vector<4xi32>
}
func.func @v30(%a0: index) -> (vector<4x1xi32>, vector<1xi32>, vector<2x2xf32>) {
  %v1 = vector.constant_mask [2, 1, 3] : vector<2x1x3xi1>
  %v2 = arith.constant dense<[[4.0, 4.0], [4.0, 4.0]]> : vector<2x2xf32>
  %v3 = arith.constant 1 : index
  %v4 = vector.extract %v2[%v3, 0] : f32 from vector<2x2xf32>
  %v5 = ub.poison : vector<4x1xi32>
  %v6 = vector.extract %v5[0] : vector<1xi32> from vector<4x1xi32>
  return %v5, %v6, %v2 : vector<4x1xi32>, vector<1xi32>, vector<2x2xf32>
}
func.func @v31(%a0: index, %a1: vector<1x4xf32>, %a2: vector<2x3x4xi32>) -> (vector<2x3x8xi16>, vector<1x4xf32>, vector<4xi8>) {
  %v1 = arith.constant dense<[[[1, 2, 0, 2], [1, 1, 3, 0], [0, 0, 0, 4]], [[2, 3, 3, 0], [4, 3, 0, 0], [2, 2, 4, 1]]]> : vector<2x3x4xi32>
  %v2 = vector.bitcast %v1 : vector<2x3x4xi32> to vector<2x3x8xi16>
  %v3 = vector.shuffle %a1, %a1 [0] : vector<1x4xf32>, vector<1x4xf32>
  %v4 = arith.constant dense<[[1, 2, 4, 4]]> : vector<1x4xi8>
  %v5 = arith.constant 0 : index
  %v6 = vector.extract %v4[%v5] : vector<4xi8> from vector<1x4xi8>
  %v7 = vector.shuffle %v1, %a2 [2] : vector<2x3x4xi32>, vector<2x3x4xi32>
  return %v2, %v3, %v6 : vector<2x3x8xi16>, vector<1x4xf32>, vector<4xi8>
}
func.func @v32(%a0: index, %a1: i32, %a2: i32) -> (vector<1x2x3xf32>, vector<1x2x3xf32>, vector<2xi32>) {
  %v1 = arith.constant 3 : i32
  %v2 = vector.from_elements %v1, %a1 : vector<2xi32>
  %v3 = arith.constant 1 : i32
  %v4 = vector.multi_reduction <add>, %v2, %v3 [0] : vector<2xi32> to i32
  %v5 = vector.insert %a1, %v2 [1] : i32 into vector<2xi32>
  %v6 = vector.extract_strided_slice %v5 {offsets = [0], sizes = [2], strides = [1]} : vector<2xi32> to vector<2xi32>
  %v7 = vector.insert %a2, %v5 [%a0] : i32 into vector<2xi32>
  %v8 = arith.constant dense<[[[3.0, 4.0, 2.0], [4.0, 1.0, 3.0]]]> : vector<1x2x3xf32>
  %v9 = vector.extract %v8[] : vector<1x2x3xf32> from vector<1x2x3xf32>
  return %v9, %v8, %v5 : vector<1x2x3xf32>, vector<1x2x3xf32>, vector<2xi32>
}
func.func @v33(%a0: index, %a1: i32) -> (i32, i32, vector<3xi32>) {
  %v1 = arith.constant dense<[0, 4, 3, 2, 1, 1]> : vector<6xi32>
  %v2 = vector.transpose %v1, [0] : vector<6xi32> to vector<6xi32>
  %v3 = vector.broadcast %v2 : vector<6xi32> to vector<6xi32>
  %v4 = arith.constant 1 : i32
  %v5 = vector.multi_reduction <add>, %v2, %v4 [0] : vector<6xi32> to i32
  %v6 = vector.shuffle %v3, %v2 [0, 1, 2, 3, 4, 5] : vector<6xi32>, vector<6xi32>
  %v7 = arith.constant 0 : i32
  %v8 = vector.from_elements %v7, %v4, %a1 : vector<3xi32>
  %v9 = vector.extract %v1[] : vector<6xi32> from vector<6xi32>
  return %v5, %v4, %v8 : i32, i32, vector<3xi32>
}
func.func @v34(%a0: index, %a1: i32, %a2: vector<2xi32>) -> (vector<4xi1>, vector<3x4xi32>, vector<6xi32>) {
  %v1 = vector.broadcast %a1 : i32 to vector<3x4xi32>
  %v2 = vector.insert %v1, %v1 [] : vector<3x4xi32> into vector<3x4xi32>
  %v3 = vector.extract_strided_slice %v2 {offsets = [0], sizes = [3], strides = [1]} : vector<3x4xi32> to vector<3x4xi32>
  %v4 = vector.shape_cast %a2 : vector<2xi32> to vector<2x1xi32>
  %v5 = vector.constant_mask [4] : vector<4xi1>
  %v6 = arith.constant dense<[2, 3, 4, 0, 2, 4]> : vector<6xi32>
  %v7 = vector.transpose %v6, [0] : vector<6xi32> to vector<6xi32>
  return %v5, %v1, %v7 : vector<4xi1>, vector<3x4xi32>, vector<6xi32>
}
func.func @v35(%a0: index, %a1: vector<2xi32>) -> (index, i32, vector<3x2xi32>) {
  %v1 = arith.constant dense<[[0, 1], [1, 3], [3, 3]]> : vector<3x2xi32>
  %v2 = vector.extract %v1[0, 1] : i32 from vector<3x2xi32>
  %v3 = arith.constant 1 : index
  %v4 = vector.extract %v1[0, %v3] : i32 from vector<3x2xi32>
  %v5 = arith.constant dense<[3, 0]> : vector<2xi32>
  %v6 = vector.insert %v5, %v1 [1] : vector<2xi32> into vector<3x2xi32>
  %v7 = vector.extract_strided_slice %v6 {offsets = [0, 0], sizes = [3, 2], strides = [1, 1]} : vector<3x2xi32> to vector<3x2xi32>
  %v8 = vector.insert_strided_slice %a1, %v5 {offsets = [0], strides = [1]} : vector<2xi32> into vector<2xi32>
  return %v3, %v4, %v1 : index, i32, vector<3x2xi32>
}
func.func @v36(%a0: index, %a1: i32) -> (vector<1xi32>, vector<1x4xi1>, vector<1xi32>) {
  %v1 = arith.constant dense<[0]> : vector<1xi32>
  %v2 = vector.shape_cast %v1 : vector<1xi32> to vector<1x1xi32>
  %v3 = vector.shuffle %v1, %v1 [0] : vector<1xi32>, vector<1xi32>
  %v4 = vector.constant_mask [1, 3] : vector<1x4xi1>
  %v5 = vector.insert %a1, %v3 [0] : i32 into vector<1xi32>
  %v6 = vector.insert %v3, %v2 [0] : vector<1xi32> into vector<1x1xi32>
  %v7 = arith.constant 2 : i8
  %v8 = vector.from_elements %v7 : vector<i8>
  return %v5, %v4, %v1 : vector<1xi32>, vector<1x4xi1>, vector<1xi32>
}
func.func @v37(%a0: index) -> (i32, vector<3x2xi32>, vector<4x1x4xi32>) {
  %v1 = arith.constant dense<[3, 3]> : vector<2xi32>
  %v2 = vector.broadcast %v1 : vector<2xi32> to vector<3x2xi32>
  %v3 = vector.constant_mask [1, 1, 4] : vector<1x1x4xi1>
  %v4 = vector.extract %v1[1] : i32 from vector<2xi32>
  %v5 = arith.constant dense<[[[2, 2, 2, 2]]]> : vector<1x1x4xi32>
  %v6 = vector.shuffle %v5, %v5 [-1, 0, -1, -1] : vector<1x1x4xi32>, vector<1x1x4xi32>
  return %v4, %v2, %v6 : i32, vector<3x2xi32>, vector<4x1x4xi32>
}
func.func @v38(%a0: index) -> (vector<1x2x3xi32>, vector<1x1x1xi8>, vector<1x2x3xi32>) {
  %v1 = ub.poison : vector<1x2x3xi32>
  %v2 = vector.extract %v1[] : vector<1x2x3xi32> from vector<1x2x3xi32>
  %v3 = arith.constant dense<[[[1, 4, 1, 3]]]> : vector<1x1x4xi8>
  %v4 = vector.extract_strided_slice %v3 {offsets = [0, 0, 3], sizes = [1, 1, 1], strides = [1, 1, 1]} : vector<1x1x4xi8> to vector<1x1x1xi8>
  return %v2, %v4, %v1 : vector<1x2x3xi32>, vector<1x1x1xi8>, vector<1x2x3xi32>
}
func.func @v39(%a0: index) -> (vector<4xi32>, vector<2xi16>, vector<1x1x4xi32>) {
  %v1 = arith.constant dense<[3]> : vector<1xi32>
  %v2 = vector.insert %v1, %v1 [] : vector<1xi32> into vector<1xi32>
  %v3 = vector.transpose %v1, [0] : vector<1xi32> to vector<1xi32>
  %v4 = vector.bitcast %v2 : vector<1xi32> to vector<2xi16>
  %v5 = vector.transpose %v3, [0] : vector<1xi32> to vector<1xi32>
  %v6 = arith.constant dense<[[0.0, 0.0], [0.0, 0.0]]> : vector<2x2xf32>
  %v7 = vector.extract %v6[1] : vector<2xf32> from vector<2x2xf32>
  %v8 = arith.constant dense<[[[1, 1, 1, 1]]]> : vector<1x1x4xi32>
  %v9 = vector.extract %v8[0, 0] : vector<4xi32> from vector<1x1x4xi32>
  return %v9, %v4, %v8 : vector<4xi32>, vector<2xi16>, vector<1x1x4xi32>
}
func.func @v40(%a0: index) -> (vector<1xi32>, vector<1xi32>, vector<1x1xi32>) {
  %v1 = arith.constant dense<[3]> : vector<1xi32>
  %v2 = vector.transpose %v1, [0] : vector<1xi32> to vector<1xi32>
  %v3 = arith.constant 1 : i32
  %v4 = vector.broadcast %v3 : i32 to vector<1x1xi32>
  %v5 = vector.extract_strided_slice %v4 {offsets = [0], sizes = [1], strides = [1]} : vector<1x1xi32> to vector<1x1xi32>
  return %v1, %v2, %v4 : vector<1xi32>, vector<1xi32>, vector<1x1xi32>
}
func.func @v41(%a0: index, %a1: vector<1x2x3xi32>, %a2: vector<1x2x3xi32>) -> (vector<2x3x4xi32>, vector<1x4xi8>, vector<1x4xi8>) {
  %v1 = arith.constant 1 : i32
  %v2 = vector.from_elements %v1, %v1 : vector<2xi32>
  %v3 = ub.poison : vector<2x3x4xi32>
  %v4 = vector.shuffle %v3, %v3 [2, 3] : vector<2x3x4xi32>, vector<2x3x4xi32>
  %v5 = vector.shape_cast %v4 : vector<2x3x4xi32> to vector<2x3x4xi32>
  %v6 = arith.constant dense<[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]> : vector<3x4xi8>
  %v7 = arith.constant dense<[[1, 4, 1, 4]]> : vector<1x4xi8>
  %v8 = vector.shuffle %v6, %v7 [3] : vector<3x4xi8>, vector<1x4xi8>
  %v9 = vector.insert %a2, %a1 [] : vector<1x2x3xi32> into vector<1x2x3xi32>
  return %v5, %v7, %v8 : vector<2x3x4xi32>, vector<1x4xi8>, vector<1x4xi8>
}
func.func @v42(%a0: index) -> (vector<3x2xi32>, vector<3x2xi32>, vector<4x1xi32>) {
  %v1 = arith.constant dense<[[4, 4, 4], [4, 4, 4]]> : vector<2x3xi32>
  %v2 = vector.shuffle %v1, %v1 [2, 3] : vector<2x3xi32>, vector<2x3xi32>
  %v3 = vector.transpose %v1, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %v4 = vector.extract %v3[] : vector<3x2xi32> from vector<3x2xi32>
  %v5 = vector.transpose %v2, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %v6 = arith.constant dense<[[0], [0], [0], [0]]> : vector<4x1xi32>
  %v7 = arith.constant 3 : i32
  %v8 = arith.constant 1 : index
  %v9 = vector.insert %v7, %v6 [%v8, 0] : i32 into vector<4x1xi32>
  return %v3, %v4, %v6 : vector<3x2xi32>, vector<3x2xi32>, vector<4x1xi32>
}
func.func @v43(%a0: index, %a1: vector<2xi32>) -> (vector<1x2xi32>, vector<1x1xi32>, vector<2xi32>) {
  %v1 = arith.constant dense<[[2, 2], [2, 2]]> : vector<2x2xi32>
  %v2 = vector.insert %v1, %v1 [] : vector<2x2xi32> into vector<2x2xi32>
  %v3 = vector.extract_strided_slice %v2 {offsets = [0, 0], sizes = [1, 2], strides = [1, 1]} : vector<2x2xi32> to vector<1x2xi32>
  %v4 = vector.extract %v2[0] : vector<2xi32> from vector<2x2xi32>
  %v5 = vector.insert_strided_slice %v4, %v3 {offsets = [0, 0], strides = [1]} : vector<2xi32> into vector<1x2xi32>
  %v6 = vector.insert %a1, %v4 [] : vector<2xi32> into vector<2xi32>
  %v7 = arith.constant dense<[1]> : vector<1xi32>
  %v8 = vector.shape_cast %v7 : vector<1xi32> to vector<1x1xi32>
  %v9 = vector.bitcast %v5 : vector<1x2xi32> to vector<1x4xi16>
  return %v5, %v8, %v6 : vector<1x2xi32>, vector<1x1xi32>, vector<2xi32>
}
func.func @v44(%a0: index, %a1: vector<2x2xi32>) -> (i32, vector<4x1xi8>, index) {
  %v1 = ub.poison : vector<2x2xi32>
  %v2 = vector.shape_cast %v1 : vector<2x2xi32> to vector<1x2x2xi32>
  %v3 = vector.multi_reduction <add>, %v2, %v1 [0] : vector<1x2x2xi32> to vector<2x2xi32>
  %v4 = arith.constant 0 : index
  %v5 = vector.extract %v2[%v4, 1, 0] : i32 from vector<1x2x2xi32>
  %v6 = arith.constant dense<[[4], [4], [4], [4]]> : vector<4x1xi8>
  %v7 = vector.extract %v6[] : vector<4x1xi8> from vector<4x1xi8>
  %v8 = vector.insert %a1, %v1 [] : vector<2x2xi32> into vector<2x2xi32>
  return %v5, %v6, %v4 : i32, vector<4x1xi8>, index
}
func.func @v45(%a0: index) -> (vector<3xi32>, i32, vector<4xi32>) {
  %v1 = arith.constant dense<[[[1, 4, 4, 4]]]> : vector<1x1x4xi32>
  %v2 = vector.extract %v1[] : vector<1x1x4xi32> from vector<1x1x4xi32>
  %v3 = arith.constant 1 : i32
  %v4 = arith.constant 0 : i32
  %v5 = vector.from_elements %v3, %v4, %v3 : vector<3xi32>
  %v6 = vector.extract %v2[0, 0] : vector<4xi32> from vector<1x1x4xi32>
  %v7 = arith.constant dense<[2, 2, 2, 2]> : vector<4xi32>
  %v8 = vector.shuffle %v6, %v7 [4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
  %v9 = vector.insert %v4, %v6 [3] : i32 into vector<4xi32>
  return %v5, %v4, %v6 : vector<3xi32>, i32, vector<4xi32>
}
func.func @v46(%a0: index, %a1: vector<2x1x3xi32>) -> (vector<1x1x6xi16>, vector<1xi8>, vector<1x1x3xi32>) {
  %v1 = vector.extract_strided_slice %a1 {offsets = [0, 0], sizes = [1, 1], strides = [1, 1]} : vector<2x1x3xi32> to vector<1x1x3xi32>
  %v2 = arith.constant dense<[1]> : vector<1xi8>
  %v3 = vector.multi_reduction <add>, %v2, %v2 [] : vector<1xi8> to vector<1xi8>
  %v4 = vector.broadcast %a1 : vector<2x1x3xi32> to vector<2x2x3xi32>
  %v5 = vector.bitcast %v1 : vector<1x1x3xi32> to vector<1x1x6xi16>
  %v6 = arith.constant dense<[[[1, 0]], [[4, 0]]]> : vector<2x1x2xi32>
  %v7 = vector.insert_strided_slice %v6, %a1 {offsets = [0, 0, 1], strides = [1, 1, 1]} : vector<2x1x2xi32> into vector<2x1x3xi32>
  return %v5, %v2, %v1 : vector<1x1x6xi16>, vector<1xi8>, vector<1x1x3xi32>
}
func.func @v47(%a0: index, %a1: vector<1xi32>) -> (vector<4xi32>, vector<4xi32>, vector<1xi32>) {
  %v1 = arith.constant dense<[[[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]], [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]]> : vector<2x3x4xi32>
  %v2 = arith.constant dense<[2, 0, 1, 4]> : vector<4xi32>
  %v3 = vector.insert_strided_slice %v2, %v1 {offsets = [1, 2, 0], strides = [1]} : vector<4xi32> into vector<2x3x4xi32>
  %v4 = vector.insert_strided_slice %a1, %v2 {offsets = [2], strides = [1]} : vector<1xi32> into vector<4xi32>
  %v5 = vector.extract %a1[] : vector<1xi32> from vector<1xi32>
  return %v4, %v2, %v5 : vector<4xi32>, vector<4xi32>, vector<1xi32>
}
func.func @v48(%a0: index, %a1: vector<1x3xi32>, %a2: i32) -> (i32, vector<2x3xi32>, vector<1xi32>) {
  %v1 = ub.poison : vector<2x3xi32>
  %v2 = vector.insert %v1, %v1 [] : vector<2x3xi32> into vector<2x3xi32>
  %v3 = vector.insert_strided_slice %a1, %v1 {offsets = [1, 0], strides = [1, 1]} : vector<1x3xi32> into vector<2x3xi32>
  %v4 = arith.constant 2 : i32
  %v5 = arith.constant 0 : i32
  %v6 = vector.from_elements %v4, %v4, %v5 : vector<3xi32>
  %v7 = vector.from_elements %a2 : vector<1xi32>
  return %v4, %v2, %v7 : i32, vector<2x3xi32>, vector<1xi32>
}
func.func @v49(%a0: index) -> (vector<3x2xi32>, f32, vector<3x2xi32>) {
  %v1 = arith.constant 0.0 : f32
  %v2 = vector.broadcast %v1 : f32 to vector<6xf32>
  %v3 = arith.constant dense<[[3, 0], [2, 4], [3, 4]]> : vector<3x2xi32>
  %v4 = arith.constant dense<[2, 1]> : vector<2xi32>
  %v5 = vector.insert %v4, %v3 [2] : vector<2xi32> into vector<3x2xi32>
  %v6 = arith.constant dense<[[0]]> : vector<1x1xi32>
  %v7 = arith.constant 0 : i32
  %v8 = vector.insert %v7, %v6 [0, 0] : i32 into vector<1x1xi32>
  return %v5, %v1, %v3 : vector<3x2xi32>, f32, vector<3x2xi32>
}
func.func @v50(%a0: index, %a1: i32) -> (vector<2xi32>, vector<3x2xi32>, vector<2x3xi32>) {
  %v1 = arith.constant dense<[[3, 3], [3, 3], [3, 3]]> : vector<3x2xi32>
  %v2 = vector.extract %v1[] : vector<3x2xi32> from vector<3x2xi32>
  %v3 = vector.constant_mask [1, 4] : vector<1x4xi1>
  %v4 = vector.transpose %v1, [1, 0] : vector<3x2xi32> to vector<2x3xi32>
  %v5 = vector.broadcast %v4 : vector<2x3xi32> to vector<2x3xi32>
  %v6 = arith.constant dense<[2, 4]> : vector<2xi32>
  %v7 = vector.insert %a1, %v6 [%a0] : i32 into vector<2xi32>
  return %v7, %v2, %v5 : vector<2xi32>, vector<3x2xi32>, vector<2x3xi32>
}
func.func @v51(%a0: index, %a1: i32) -> (vector<3x4xi32>, i32, vector<i32>) {
  %v1 = arith.constant dense<4> : vector<i32>
  %v2 = vector.extract %v1[] : i32 from vector<i32>
  %v3 = arith.constant 3 : i32
  %v4 = vector.from_elements %a1, %v3, %v2, %v3 : vector<2x2xi32>
  %v5 = arith.constant dense<[[3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3]]> : vector<3x4xi32>
  %v6 = arith.constant dense<[3, 1]> : vector<2xi32>
  %v7 = vector.insert_strided_slice %v6, %v5 {offsets = [0, 2], strides = [1]} : vector<2xi32> into vector<3x4xi32>
  return %v5, %v2, %v1 : vector<3x4xi32>, i32, vector<i32>
}
func.func @v52(%a0: index, %a1: vector<2x2xi32>) -> (vector<4x1xf32>, vector<4x2xi32>, vector<2x2xi32>) {
  %v1 = arith.constant dense<[[2, 3], [0, 2]]> : vector<2x2xi32>
  %v2 = vector.shuffle %v1, %a1 [-1, 2, 2, 0] : vector<2x2xi32>, vector<2x2xi32>
  %v3 = arith.constant dense<[[2.0]]> : vector<1x1xf32>
  %v4 = arith.constant dense<[[4.0], [4.0], [4.0], [4.0]]> : vector<4x1xf32>
  %v5 = vector.shuffle %v3, %v4 [0] : vector<1x1xf32>, vector<4x1xf32>
  %v6 = arith.constant dense<[[0], [4], [3], [0]]> : vector<4x1xi32>
  %v7 = vector.extract_strided_slice %v6 {offsets = [1], sizes = [2], strides = [1]} : vector<4x1xi32> to vector<2x1xi32>
  return %v4, %v2, %v1 : vector<4x1xf32>, vector<4x2xi32>, vector<2x2xi32>
}
func.func @v53(%a0: index) -> (vector<2x2xi32>, i32, vector<2x2xi32>) {
  %v1 = arith.constant dense<[[1, 4], [1, 4]]> : vector<2x2xi32>
  %v2 = vector.extract_strided_slice %v1 {offsets = [0, 0], sizes = [2, 2], strides = [1, 1]} : vector<2x2xi32> to vector<2x2xi32>
  %v3 = arith.constant 1 : index
  %v4 = vector.extract %v2[%v3, 0] : i32 from vector<2x2xi32>
  %v5 = arith.constant 1 : index
  %v6 = vector.insert %v4, %v1 [%v5, %a0] : i32 into vector<2x2xi32>
  return %v1, %v4, %v2 : vector<2x2xi32>, i32, vector<2x2xi32>
}
func.func @v54(%a0: index) -> (i32, vector<2x3x4xi32>, vector<4x3xi32>) {
  %v1 = arith.constant 1 : i32
  %v2 = vector.broadcast %v1 : i32 to vector<2x3x4xi32>
  %v3 = arith.constant dense<[[3, 2, 3, 0], [0, 2, 0, 1], [4, 4, 0, 2]]> : vector<3x4xi32>
  %v4 = vector.insert %v3, %v2 [0] : vector<3x4xi32> into vector<2x3x4xi32>
  %v5 = vector.extract %v3[0, 3] : i32 from vector<3x4xi32>
  %v6 = vector.transpose %v3, [1, 0] : vector<3x4xi32> to vector<4x3xi32>
  return %v1, %v4, %v6 : i32, vector<2x3x4xi32>, vector<4x3xi32>
}
func.func @v55(%a0: index) -> (vector<1xf32>, vector<1x1xi32>, vector<1xf32>) {
  %v1 = arith.constant dense<[[1]]> : vector<1x1xi32>
  %v2 = vector.bitcast %v1 : vector<1x1xi32> to vector<1x2xi16>
  %v3 = vector.bitcast %v1 : vector<1x1xi32> to vector<1x1xi32>
  %v4 = vector.constant_mask [0, 0] : vector<1x4xi1>
  %v5 = ub.poison : vector<1xf32>
  %v6 = vector.shuffle %v5, %v5 [0] : vector<1xf32>, vector<1xf32>
  return %v6, %v1, %v5 : vector<1xf32>, vector<1x1xi32>, vector<1xf32>
}
func.func @v56(%a0: index, %a1: vector<6xi32>, %a2: vector<2x1x3xf32>) -> (vector<2x1x3xf32>, f32, vector<6xi32>) {
  %v1 = vector.constant_mask [0, 0, 0] : vector<2x1x3xi1>
  %v2 = vector.transpose %a1, [0] : vector<6xi32> to vector<6xi32>
  %v3 = vector.extract %v2[] : vector<6xi32> from vector<6xi32>
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.insert %v4, %a2 [0, 0, 2] : f32 into vector<2x1x3xf32>
  return %v5, %v4, %v3 : vector<2x1x3xf32>, f32, vector<6xi32>
}
func.func @v57(%a0: index, %a1: vector<1x2xf32>) -> (vector<2x2xf32>, vector<2x2xf32>, vector<1xi32>) {
  %v1 = arith.constant dense<[[4.0, 1.0], [0.0, 2.0]]> : vector<2x2xf32>
  %v2 = vector.insert_strided_slice %v1, %v1 {offsets = [0, 0], strides = [1, 1]} : vector<2x2xf32> into vector<2x2xf32>
  %v3 = vector.insert_strided_slice %a1, %v1 {offsets = [0, 0], strides = [1, 1]} : vector<1x2xf32> into vector<2x2xf32>
  %v4 = arith.constant dense<[4]> : vector<1xi32>
  %v5:1 = vector.to_elements %v4 : vector<1xi32>
  %v6 = vector.from_elements %v5 : vector<1xi32>
  %v7 = arith.constant dense<[4]> : vector<1xi32>
  %v8 = vector.multi_reduction <add>, %v4, %v7 [] : vector<1xi32> to vector<1xi32>
  return %v2, %v1, %v7 : vector<2x2xf32>, vector<2x2xf32>, vector<1xi32>
}
func.func @v58(%a0: index, %a1: vector<2x3xi32>) -> (vector<3xi32>, vector<2x3xi32>, vector<1x4xi32>) {
  %v1 = arith.constant dense<[[1, 1, 1, 1]]> : vector<1x4xi32>
  %v2 = vector.transpose %v1, [0, 1] : vector<1x4xi32> to vector<1x4xi32>
  %v3 = arith.constant dense<[0, 0, 0]> : vector<3xi32>
  %v4 = vector.insert_strided_slice %v3, %a1 {offsets = [1, 0], strides = [1]} : vector<3xi32> into vector<2x3xi32>
  %v5 = ub.poison : vector<2xi32>
  %v6 = vector.insert_strided_slice %v5, %a1 {offsets = [1, 0], strides = [1]} : vector<2xi32> into vector<2x3xi32>
  %v7 = arith.constant dense<[[0]]> : vector<1x1xi8>
  %v8:1 = vector.to_elements %v7 : vector<1x1xi8>
  %v9 = vector.from_elements %v8 : vector<1x1xi8>
  return %v3, %v6, %v1 : vector<3xi32>, vector<2x3xi32>, vector<1x4xi32>
}
func.func @v59(%a0: index) -> (vector<4x4xi32>, vector<3x4xi32>, vector<3x4xi32>) {
  %v1 = arith.constant dense<[[1, 1, 3, 4], [0, 0, 1, 0], [1, 3, 4, 2]]> : vector<3x4xi32>
  %v2 = vector.insert_strided_slice %v1, %v1 {offsets = [0, 0], strides = [1, 1]} : vector<3x4xi32> into vector<3x4xi32>
  %v3 = arith.constant dense<[[0, 0, 0, 4], [3, 3, 2, 4], [1, 4, 3, 0], [2, 3, 1, 0]]> : vector<4x4xi32>
  %v4 = vector.shuffle %v1, %v3 [1, 2] : vector<3x4xi32>, vector<4x4xi32>
  return %v3, %v2, %v1 : vector<4x4xi32>, vector<3x4xi32>, vector<3x4xi32>
}
func.func @v60(%a0: index, %a1: vector<1xi32>) -> (vector<1xi32>, i32, vector<4xi32>) {
  %v1 = arith.constant dense<[[[0, 0, 0, 0]]]> : vector<1x1x4xi32>
  %v2 = vector.extract %v1[0, %a0] : vector<4xi32> from vector<1x1x4xi32>
  %v3 = vector.shape_cast %v1 : vector<1x1x4xi32> to vector<4xi32>
  %v4 = arith.constant dense<[3]> : vector<1xi32>
  %v5 = vector.shuffle %v4, %a1 [1] : vector<1xi32>, vector<1xi32>
  %v6 = arith.constant 1 : i32
  %v7 = vector.from_elements %v6 : vector<i32>
  %v8:1 = vector.to_elements %v4 : vector<1xi32>
  %v9 = vector.from_elements %v8 : vector<1xi32>
  %v10:1 = vector.to_elements %v9 : vector<1xi32>
  %v11 = vector.from_elements %v10 : vector<1xi32>
  return %v4, %v6, %v2 : vector<1xi32>, i32, vector<4xi32>
}
func.func @v61(%a0: index, %a1: vector<4x1xi32>, %a2: vector<2x2xi32>) -> (vector<2xi32>, vector<4x1xi32>, vector<2xi32>) {
  %v1 = arith.constant dense<[[3], [0], [2], [1]]> : vector<4x1xi32>
  %v2 = vector.shuffle %a1, %v1 [1, 0, 5, 5] : vector<4x1xi32>, vector<4x1xi32>
  %v3 = arith.constant dense<[2, 2]> : vector<2xi32>
  %v4 = vector.multi_reduction <add>, %a2, %v3 [1] : vector<2x2xi32> to vector<2xi32>
  %v5 = arith.constant dense<[1]> : vector<1xi32>
  %v6 = vector.extract %v5[0] : i32 from vector<1xi32>
  return %v4, %v1, %v3 : vector<2xi32>, vector<4x1xi32>, vector<2xi32>
}
func.func @v62(%a0: index) -> (vector<1xi32>, i32, vector<4xi1>) {
  %v1 = arith.constant 3 : i32
  %v2 = vector.from_elements %v1 : vector<1xi32>
  %v3 = vector.constant_mask [2, 1, 3] : vector<2x1x3xi1>
  %v4 = vector.extract %v2[0] : i32 from vector<1xi32>
  %v5 = vector.constant_mask [4] : vector<4xi1>
  return %v2, %v4, %v5 : vector<1xi32>, i32, vector<4xi1>
}
func.func @v63(%a0: index) -> (vector<2x2xi32>, vector<2xi32>, vector<2xi32>) {
  %v1 = arith.constant dense<[[4, 4], [4, 4]]> : vector<2x2xi32>
  %v2 = ub.poison : vector<2xi32>
  %v3 = vector.insert_strided_slice %v2, %v1 {offsets = [0, 0], strides = [1]} : vector<2xi32> into vector<2x2xi32>
  %v4 = arith.constant dense<[2, 2]> : vector<2xi32>
  %v5 = vector.insert %v4, %v2 [] : vector<2xi32> into vector<2xi32>
  return %v1, %v2, %v5 : vector<2x2xi32>, vector<2xi32>, vector<2xi32>
}
func.func @v64(%a0: index) -> (vector<1xi32>, i32, vector<4x1xi32>) {
  %v1 = arith.constant 1 : i32
  %v2 = vector.broadcast %v1 : i32 to vector<1xi32>
  %v3 = vector.broadcast %v2 : vector<1xi32> to vector<3x1xi32>
  %v4 = arith.constant dense<[4.0, 2.0]> : vector<2xf32>
  %v5:2 = vector.to_elements %v4 : vector<2xf32>
  %v6 = arith.constant dense<[[2], [3], [0], [3]]> : vector<4x1xi32>
  %v7 = arith.constant dense<[0]> : vector<1xi32>
  %v8 = vector.insert_strided_slice %v7, %v6 {offsets = [1, 0], strides = [1]} : vector<1xi32> into vector<4x1xi32>
  %v9 = arith.constant dense<[2]> : vector<1xi32>
  %v10 = vector.multi_reduction <add>, %v9, %v7 [] : vector<1xi32> to vector<1xi32>
  return %v7, %v1, %v6 : vector<1xi32>, i32, vector<4x1xi32>
}
func.func @v65(%a0: index, %a1: vector<3x4xi32>) -> (vector<3x2xi32>, vector<2xf32>, vector<3x4xi32>) {
  %v1 = arith.constant dense<[0, 3]> : vector<2xi8>
  %v2 = vector.extract %v1[] : vector<2xi8> from vector<2xi8>
  %v3 = arith.constant dense<[[3, 3], [1, 0], [1, 1]]> : vector<3x2xi32>
  %v4 = vector.extract %v3[0] : vector<2xi32> from vector<3x2xi32>
  %v5 = arith.constant dense<[[3, 0, 4, 0], [3, 1, 3, 1], [3, 3, 4, 1]]> : vector<3x4xi32>
  %v6 = vector.insert %a1, %v5 [] : vector<3x4xi32> into vector<3x4xi32>
  %v7 = arith.constant dense<[1.0, 0.0]> : vector<2xf32>
  %v8 = vector.transpose %v7, [0] : vector<2xf32> to vector<2xf32>
  return %v3, %v7, %v5 : vector<3x2xi32>, vector<2xf32>, vector<3x4xi32>
}
func.func @v66(%a0: index, %a1: vector<1xi8>) -> (vector<1x1x4xi32>, vector<1x1x4xi32>, vector<1xi8>) {
  %v1 = arith.constant dense<[[[0, 0, 0, 0]]]> : vector<1x1x4xi32>
  %v2 = vector.extract %v1[0] : vector<1x4xi32> from vector<1x1x4xi32>
  %v3 = vector.extract %a1[] : vector<1xi8> from vector<1xi8>
  %v4 = arith.constant dense<[3, 3]> : vector<2xi32>
  %v5 = vector.insert_strided_slice %v4, %v1 {offsets = [0, 0, 2], strides = [1]} : vector<2xi32> into vector<1x1x4xi32>
  return %v5, %v1, %v3 : vector<1x1x4xi32>, vector<1x1x4xi32>, vector<1xi8>
}
func.func @v67(%a0: index) -> (vector<1xi32>, index, i32) {
  %v1 = arith.constant dense<[2]> : vector<1xi32>
  %v2 = vector.insert %v1, %v1 [] : vector<1xi32> into vector<1xi32>
  %v3 = vector.extract %v2[%a0] : i32 from vector<1xi32>
  %v4 = arith.constant 0 : index
  %v5 = vector.extract %v1[%v4] : i32 from vector<1xi32>
  %v6 = arith.constant dense<[[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]], [[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]]> : vector<2x3x4xf32>
  %v7 = vector.extract_strided_slice %v6 {offsets = [0, 1, 0], sizes = [1, 2, 4], strides = [1, 1, 1]} : vector<2x3x4xf32> to vector<1x2x4xf32>
  return %v2, %v4, %v3 : vector<1xi32>, index, i32
}
func.func @v68(%a0: index) -> (vector<1x2x3xi32>, vector<2x3xi32>, vector<2x3xi32>) {
  %v1 = arith.constant dense<[[1, 4, 3], [4, 1, 2]]> : vector<2x3xi32>
  %v2 = vector.extract_strided_slice %v1 {offsets = [0, 0], sizes = [2, 3], strides = [1, 1]} : vector<2x3xi32> to vector<2x3xi32>
  %v3 = vector.extract %v1[] : vector<2x3xi32> from vector<2x3xi32>
  %v4 = vector.extract %v3[] : vector<2x3xi32> from vector<2x3xi32>
  %v5 = vector.constant_mask [0, 0, 0] : vector<2x1x3xi1>
  %v6 = vector.shape_cast %v4 : vector<2x3xi32> to vector<1x2x3xi32>
  %v7 = vector.extract %v1[] : vector<2x3xi32> from vector<2x3xi32>
  %v8 = vector.extract_strided_slice %v1 {offsets = [0], sizes = [2], strides = [1]} : vector<2x3xi32> to vector<2x3xi32>
  return %v6, %v7, %v2 : vector<1x2x3xi32>, vector<2x3xi32>, vector<2x3xi32>
}
func.func @v69(%a0: index, %a1: vector<1x1x4xi32>, %a2: i8) -> (vector<1x4xi32>, vector<1x4xi32>, vector<4xi8>) {
  %v1 = vector.extract_strided_slice %a1 {offsets = [0, 0], sizes = [1, 1], strides = [1, 1]} : vector<1x1x4xi32> to vector<1x1x4xi32>
  %v2 = vector.shape_cast %a1 : vector<1x1x4xi32> to vector<1x4xi32>
  %v3 = arith.constant 3 : i32
  %v4 = vector.from_elements %v3 : vector<1xi32>
  %v5 = vector.extract %v2[] : vector<1x4xi32> from vector<1x4xi32>
  %v6 = arith.constant dense<[3, 0, 3, 0]> : vector<4xi8>
  %v7 = vector.multi_reduction <add>, %v6, %a2 [0] : vector<4xi8> to i8
  return %v2, %v5, %v6 : vector<1x4xi32>, vector<1x4xi32>, vector<4xi8>
}
func.func @v70(%a0: index) -> (i32, vector<3x4xi32>, vector<4x3xi32>) {
  %v1 = ub.poison : vector<3x4xi32>
  %v2 = vector.transpose %v1, [1, 0] : vector<3x4xi32> to vector<4x3xi32>
  %v3 = arith.constant 3 : i32
  %v4 = arith.constant 1 : i32
  %v5 = vector.from_elements %v3, %v4 : vector<2xi32>
  %v6 = arith.constant dense<[[2, 2, 2, 2], [2, 2, 2, 2]]> : vector<2x4xi32>
  %v7 = vector.insert_strided_slice %v6, %v1 {offsets = [1, 0], strides = [1, 1]} : vector<2x4xi32> into vector<3x4xi32>
  return %v3, %v7, %v2 : i32, vector<3x4xi32>, vector<4x3xi32>
}
func.func @v71(%a0: index, %a1: i32) -> (vector<3x4xi8>, vector<6xi32>, vector<4x1xi1>) {
  %v1 = arith.constant dense<[2, 0, 2, 1, 1, 0]> : vector<6xi32>
  %v2 = vector.insert %a1, %v1 [1] : i32 into vector<6xi32>
  %v3 = arith.constant dense<[[3.0, 0.0], [1.0, 0.0], [2.0, 3.0]]> : vector<3x2xf32>
  %v4 = vector.broadcast %v3 : vector<3x2xf32> to vector<3x2xf32>
  %v5 = vector.constant_mask [0] : vector<i1>
  %v6 = arith.constant dense<[[2, 0, 3, 1], [2, 3, 0, 4], [2, 1, 1, 0]]> : vector<3x4xi8>
  %v7 = vector.broadcast %v6 : vector<3x4xi8> to vector<3x4xi8>
  %v8 = arith.constant 2 : i32
  %v9 = vector.multi_reduction <add>, %v1, %v8 [0] : vector<6xi32> to i32
  %v10 = vector.constant_mask [4, 1] : vector<4x1xi1>
  return %v6, %v1, %v10 : vector<3x4xi8>, vector<6xi32>, vector<4x1xi1>
}
func.func @v72(%a0: index, %a1: vector<2x3x4xf32>) -> (i32, i32, vector<1x4xi32>) {
  %v1 = arith.constant dense<[[0, 0, 2, 0]]> : vector<1x4xi32>
  %v2:4 = vector.to_elements %v1 : vector<1x4xi32>
  %v3 = vector.from_elements %v2#0, %v2#1, %v2#2, %v2#3 : vector<1x4xi32>
  %v4:4 = vector.to_elements %v3 : vector<1x4xi32>
  %v5 = arith.constant dense<[2, 2, 2, 2]> : vector<4xi32>
  %v6 = vector.multi_reduction <add>, %v1, %v5 [0] : vector<1x4xi32> to vector<4xi32>
  %v7 = vector.extract %v3[] : vector<1x4xi32> from vector<1x4xi32>
  %v8 = vector.extract %v5[%a0] : i32 from vector<4xi32>
  return %v8, %v4#1, %v1 : i32, i32, vector<1x4xi32>
}
func.func @v73(%a0: index, %a1: f32) -> (vector<2x1x3xi32>, vector<3x2x3x3xi32>, vector<3x2xi32>) {
  %v1 = arith.constant 0.0 : f32
  %v2 = vector.from_elements %v1, %v1, %a1 : vector<3xf32>
  %v3 = arith.constant dense<[[0, 0], [0, 0], [0, 0]]> : vector<3x2xi32>
  %v4 = ub.poison : vector<2x1x3xi32>
  %v5 = vector.broadcast %v4 : vector<2x1x3xi32> to vector<3x2x3x3xi32>
  return %v4, %v5, %v3 : vector<2x1x3xi32>, vector<3x2x3x3xi32>, vector<3x2xi32>
}
func.func @v74(%a0: index) -> (vector<1xi32>, vector<2x2xi8>, f32) {
  %v1 = ub.poison : vector<1xi32>
  %v2 = vector.shape_cast %v1 : vector<1xi32> to vector<1x1xi32>
  %v3 = arith.constant dense<[1.0, 1.0]> : vector<2xf32>
  %v4 = vector.extract %v3[1] : f32 from vector<2xf32>
  %v5 = ub.poison : vector<2x2xi8>
  %v6 = vector.extract_strided_slice %v5 {offsets = [0], sizes = [2], strides = [1]} : vector<2x2xi8> to vector<2x2xi8>
  %v7 = vector.insert_strided_slice %v1, %v1 {offsets = [0], strides = [1]} : vector<1xi32> into vector<1xi32>
  return %v7, %v6, %v4 : vector<1xi32>, vector<2x2xi8>, f32
}
func.func @v75(%a0: index) -> (vector<2x3xi32>, i32, vector<3xi32>) {
  %v1 = arith.constant dense<[[[4, 3, 1], [0, 1, 4]]]> : vector<1x2x3xi32>
  %v2 = vector.transpose %v1, [1, 2, 0] : vector<1x2x3xi32> to vector<2x3x1xi32>
  %v3 = vector.constant_mask [1, 1, 4] : vector<1x1x4xi1>
  %v4 = vector.broadcast %v1 : vector<1x2x3xi32> to vector<2x2x3xi32>
  %v5 = vector.transpose %v2, [0, 2, 1] : vector<2x3x1xi32> to vector<2x1x3xi32>
  %v6 = vector.extract %v4[0] : vector<2x3xi32> from vector<2x2x3xi32>
  %v7 = arith.constant 2 : i32
  %v8 = arith.constant 0 : index
  %v9 = vector.insert %v7, %v6 [%v8, 1] : i32 into vector<2x3xi32>
  %v10 = arith.constant dense<[0, 2, 0]> : vector<3xi32>
  %v11 = vector.insert_strided_slice %v10, %v1 {offsets = [0, 0, 0], strides = [1]} : vector<3xi32> into vector<1x2x3xi32>
  return %v6, %v7, %v10 : vector<2x3xi32>, i32, vector<3xi32>
}
func.func @v76(%a0: index) -> (vector<1xi32>, vector<1xi32>, i32) {
  %v1 = arith.constant dense<[3]> : vector<1xi32>
  %v2 = arith.constant dense<[2]> : vector<1xi32>
  %v3 = vector.insert_strided_slice %v2, %v1 {offsets = [0], strides = [1]} : vector<1xi32> into vector<1xi32>
  %v4 = arith.constant dense<[3, 3, 1, 1]> : vector<4xi32>
  %v5 = vector.bitcast %v4 : vector<4xi32> to vector<2xi64>
  %v6 = vector.broadcast %v2 : vector<1xi32> to vector<3xi32>
  %v7 = vector.extract %v4[2] : i32 from vector<4xi32>
  return %v3, %v2, %v7 : vector<1xi32>, vector<1xi32>, i32
}
func.func @v77(%a0: index, %a1: vector<1x1x4xi8>) -> (vector<1xi32>, vector<2xi32>, vector<3x2xi32>) {
  %v1 = arith.constant dense<[[2, 2], [2, 2], [2, 2]]> : vector<3x2xi32>
  %v2 = vector.extract %v1[0] : vector<2xi32> from vector<3x2xi32>
  %v3 = vector.transpose %a1, [1, 2, 0] : vector<1x1x4xi8> to vector<1x4x1xi8>
  %v4 = vector.extract_strided_slice %v2 {offsets = [0], sizes = [1], strides = [1]} : vector<2xi32> to vector<1xi32>
  return %v4, %v2, %v1 : vector<1xi32>, vector<2xi32>, vector<3x2xi32>
}
func.func @v78(%a0: index, %a1: vector<4xi32>) -> (vector<2xi32>, vector<2x4xi16>, vector<2x2xi32>) {
  %v1 = arith.constant dense<[[1, 1], [1, 1]]> : vector<2x2xi32>
  %v2 = vector.bitcast %v1 : vector<2x2xi32> to vector<2x4xi16>
  %v3 = arith.constant 1 : index
  %v4 = vector.extract %v1[%v3] : vector<2xi32> from vector<2x2xi32>
  %v5 = arith.constant dense<[[4], [3], [2], [2]]> : vector<4x1xi32>
  %v6 = vector.multi_reduction <add>, %v5, %a1 [1] : vector<4x1xi32> to vector<4xi32>
  return %v4, %v2, %v1 : vector<2xi32>, vector<2x4xi16>, vector<2x2xi32>
}
func.func @v79(%a0: index) -> (vector<2x2xi32>, vector<2x2xi1>, i32) {
  %v1 = arith.constant dense<[[0, 4, 0, 3]]> : vector<1x4xi32>
  %v2 = vector.transpose %v1, [0, 1] : vector<1x4xi32> to vector<1x4xi32>
  %v3 = arith.constant dense<[[2, 0], [1, 4]]> : vector<2x2xi32>
  %v4:4 = vector.to_elements %v3 : vector<2x2xi32>
  %v5:4 = vector.to_elements %v2 : vector<1x4xi32>
  %v6 = vector.from_elements %v5#0, %v5#1, %v5#2, %v5#3 : vector<1x4xi32>
  %v7 = vector.constant_mask [2, 1] : vector<2x2xi1>
  return %v3, %v7, %v4#3 : vector<2x2xi32>, vector<2x2xi1>, i32
}
func.func @t80(%a0: index) -> (index, index, tensor<4xi32>) {
  %v1 = arith.constant dense<[4, 4, 4, 4]> : tensor<4xi32>
  %v2 = tensor.rank %v1 : tensor<4xi32>
  %v3 = arith.constant 0 : index
  %v4 = tensor.dim %v1, %v3 : tensor<4xi32>
  return %v3, %v4, %v1 : index, index, tensor<4xi32>
}
func.func @t81(%a0: index) -> (index, tensor<?x3xi32>, tensor<?xi32>) {
  %v1 = arith.constant dense<[1, 1, 1, 1]> : tensor<4xi32>
  %v2 = arith.constant 2 : index
  %v3 = tensor.extract_slice %v1[0] [%v2] [1] : tensor<4xi32> to tensor<?xi32>
  %v4 = tensor.generate %v2 {
  ^bb0(%i3: index, %j3: index):
    %x3 = arith.constant 1 : i32
    tensor.yield %x3 : i32
  } : tensor<?x3xi32>
  %v5 = arith.constant 1 : index
  %v6 = tensor.expand_shape %v3 [[0, 1]] output_shape [%v5, 3] : tensor<?xi32> into tensor<?x3xi32>
  %v7 = arith.constant 1 : index
  %v8 = tensor.dim %v6, %v7 : tensor<?x3xi32>
  return %v7, %v4, %v3 : index, tensor<?x3xi32>, tensor<?xi32>
}
func.func @t82(%a0: index, %a1: tensor<?xi32>, %a2: tensor<?x?xi32>) -> (tensor<?x2xi32>, tensor<2xi32>, index) {
  %v1 = arith.constant 0 : index
  %v2 = tensor.dim %a1, %v1 : tensor<?xi32>
  %v3 = arith.constant dense<[3, 2]> : tensor<2xi32>
  %v4 = tensor.insert_slice %v3 into %a1[0] [2] [1] : tensor<2xi32> into tensor<?xi32>
  %v5 = tensor.cast %a2 : tensor<?x?xi32> to tensor<?x2xi32>
  return %v5, %v3, %v1 : tensor<?x2xi32>, tensor<2xi32>, index
}
func.func @t83(%a0: index, %a1: tensor<?xi32>, %a2: tensor<1x4xi32>) -> (i32, tensor<2xi32>, tensor<1x4xi32>) {
  %v1 = arith.constant 1 : i32
  %v2 = tensor.splat %v1 : tensor<2xi32>
  %v3 = tensor.extract_slice %v2[0] [2] [%a0] : tensor<2xi32> to tensor<2xi32>
  %v4 = tensor.concat dim(0) %a2 : (tensor<1x4xi32>) -> tensor<1x4xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.dim %a1, %v5 : tensor<?xi32>
  return %v1, %v2, %v4 : i32, tensor<2xi32>, tensor<1x4xi32>
}
func.func @t84(%a0: index, %a1: tensor<?x3xi32>) -> (tensor<?x3xi32>, tensor<?xi32>, index) {
  %v1 = arith.constant 1 : index
  %v2 = tensor.dim %a1, %v1 : tensor<?x3xi32>
  %v3 = tensor.from_elements %v1 : tensor<1xindex>
  %v4 = tensor.reshape %a1(%v3) : (tensor<?x3xi32>, tensor<1xindex>) -> tensor<4xi32>
  %v5 = tensor.collapse_shape %a1 [[0, 1]] : tensor<?x3xi32> into tensor<?xi32>
  %v6 = arith.constant 1 : index
  %v7 = tensor.extract_slice %v5[%v2] [%v6] [%v2] : tensor<?xi32> to tensor<?xi32>
  %v8 = arith.constant 1 : i32
  %v9 = tensor.insert %v8 into %a1[%v1, %v6] : tensor<?x3xi32>
  return %v9, %v7, %v2 : tensor<?x3xi32>, tensor<?xi32>, index
}
func.func @t85(%a0: index, %a1: tensor<?x?xi32>) -> (index, tensor<?xi32>, tensor<?x?xi32>) {
  %v1 = arith.constant 0 : index
  %v2 = tensor.from_elements %a0, %v1 : tensor<2xindex>
  %v3 = tensor.reshape %a1(%v2) : (tensor<?x?xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  %v4 = tensor.collapse_shape %v3 [[0, 1]] : tensor<?x?xi32> into tensor<?xi32>
  return %v1, %v4, %v3 : index, tensor<?xi32>, tensor<?x?xi32>
}
func.func @t86(%a0: index, %a1: tensor<?x3xi32>) -> (index, i32, tensor<i32>) {
  %v1 = tensor.rank %a1 : tensor<?x3xi32>
  %v2 = arith.constant 3 : i32
  %v3 = tensor.splat %v2 : tensor<i32>
  %v4 = arith.constant 6 : index
  %v5 = arith.constant 3 : i32
  %v6 = tensor.insert %v5 into %a1[%v4, %a0] : tensor<?x3xi32>
  %v7 = arith.constant 0 : index
  %v8 = arith.constant 1 : index
  %v9 = tensor.extract %a1[%v7, %v8] : tensor<?x3xi32>
  %v10 = arith.constant 2 : i32
  %v11 = tensor.from_elements %v10 : tensor<i32>
  return %v4, %v9, %v3 : index, i32, tensor<i32>
}
func.func @t87(%a0: index, %a1: tensor<2x?xi32>, %a2: i32) -> (tensor<3x3xi32>, index, i32) {
  %v1 = arith.constant dense<[[1, 1, 1], [1, 1, 1]]> : tensor<2x3xi32>
  %v2 = arith.constant 0 : i32
  %v3 = tensor.pad %v1 low[1, 0] high[0, 0] {
  ^bb0(%i1_0: index, %i1_1: index):
    tensor.yield %v2 : i32
  } : tensor<2x3xi32> to tensor<3x3xi32>
  %v4 = arith.constant 1 : index
  %v5 = tensor.dim %v1, %v4 : tensor<2x3xi32>
  %v6 = tensor.pad %a1 low[0, 0] high[0, 0] {
  ^bb0(%i5_0: index, %i5_1: index):
    tensor.yield %v2 : i32
  } : tensor<2x?xi32> to tensor<2x?xi32>
  %v7 = tensor.splat %a2 : tensor<2xi32>
  return %v3, %v4, %v2 : tensor<3x3xi32>, index, i32
}
func.func @t88(%a0: index, %a1: tensor<1x4xi32>, %a2: tensor<1x?xi32>) -> (i32, index, tensor<1x4xi32>) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 3 : index
  %v3 = tensor.extract %a1[%v1, %v2] : tensor<1x4xi32>
  %v4 = arith.constant 0 : index
  %v5 = arith.constant 0 : index
  %v6 = tensor.insert_slice %a2 into %a1[%v4, 0] [1, %a0] [1, %v5] : tensor<1x?xi32> into tensor<1x4xi32>
  %v7 = tensor.rank %a2 : tensor<1x?xi32>
  return %v3, %v7, %v6 : i32, index, tensor<1x4xi32>
}
func.func @t89(%a0: index, %a1: tensor<?xi32>) -> (index, index, index) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 3 : index
  %v3 = tensor.extract_slice %a1[%v2] [%v1] [1] : tensor<?xi32> to tensor<?xi32>
  %v4 = arith.constant 2 : i32
  %v5 = tensor.pad %a1 low[0] high[0] {
  ^bb0(%i3_0: index):
    tensor.yield %v4 : i32
  } : tensor<?xi32> to tensor<?xi32>
  %v6 = arith.constant 0 : index
  %v7 = tensor.insert_slice %v3 into %v3[%v2] [%v1] [1] : tensor<?xi32> into tensor<?xi32>
  return %v1, %v2, %v6 : index, index, index
}
func.func @t90(%a0: index, %a1: tensor<?x?xi32>) -> (tensor<1x?xi32>, tensor<1x?xi32>, i32) {
  %v1 = tensor.extract_slice %a1[0, 0] [1, %a0] [1, 1] : tensor<?x?xi32> to tensor<1x?xi32>
  %v2 = arith.constant 3 : index
  %v3 = tensor.from_elements %v2 : tensor<1xindex>
  %v4 = tensor.reshape %v1(%v3) : (tensor<1x?xi32>, tensor<1xindex>) -> tensor<4xi32>
  %v5 = tensor.cast %v1 : tensor<1x?xi32> to tensor<1x?xi32>
  %v6 = arith.constant 2 : i32
  %v7 = arith.constant 1 : i32
  %v8 = tensor.from_elements %v6, %v7, %v6, %v6 : tensor<2x2xi32>
  return %v5, %v1, %v7 : tensor<1x?xi32>, tensor<1x?xi32>, i32
}
func.func @t91(%a0: index, %a1: tensor<2x?xi32>) -> (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) {
  %v1 = arith.constant dense<[1]> : tensor<1xi32>
  %v2 = arith.constant 0 : index
  %v3 = tensor.dim %v1, %v2 : tensor<1xi32>
  %v4 = arith.constant 2 : i32
  %v5 = tensor.pad %v1 low[0] high[0] {
  ^bb0(%i3_0: index):
    tensor.yield %v4 : i32
  } : tensor<1xi32> to tensor<1xi32>
  %v6 = tensor.expand_shape %v1 [[0, 1]] output_shape [1, 1] : tensor<1xi32> into tensor<1x1xi32>
  %v7 = tensor.cast %v1 : tensor<1xi32> to tensor<1xi32>
  %v8 = arith.constant 1 : index
  %v9 = arith.constant 0 : index
  %v10 = tensor.extract_slice %a1[%v9, 0] [%v8, 1] [1, 1] : tensor<2x?xi32> to tensor<?x1xi32>
  return %v1, %v7, %v5 : tensor<1xi32>, tensor<1xi32>, tensor<1xi32>
}
func.func @t92(%a0: index, %a1: tensor<i32>, %a2: tensor<?x3xi32>, %a3: i32, %a4: tensor<?xi32>) -> (index, tensor<2xi32>, i32) {
  %v1 = arith.constant dense<0> : tensor<i32>
  %v2 = arith.constant 2 : i32
  %v3 = tensor.from_elements %v2, %a3 : tensor<2xi32>
  %v4 = arith.constant dense<[0]> : tensor<1xi32>
  %v5 = tensor.collapse_shape %a2 [[0, 1]] : tensor<?x3xi32> into tensor<?xi32>
  %v6 = tensor.rank %v3 : tensor<2xi32>
  %v7 = arith.constant 1 : index
  %v8 = tensor.insert_slice %a4 into %a4[0] [%v7] [1] : tensor<?xi32> into tensor<?xi32>
  return %v7, %v3, %v2 : index, tensor<2xi32>, i32
}
func.func @t93(%a0: index, %a1: i32) -> (index, tensor<2x3xi32>, tensor<?x3xi32>) {
  %v1 = arith.constant dense<[2]> : tensor<1xi32>
  %v2 = tensor.splat %a1 : tensor<2x3xi32>
  %v3 = tensor.expand_shape %v1 [[0, 1]] output_shape [1, 1] : tensor<1xi32> into tensor<1x1xi32>
  %v4 = tensor.concat dim(0) %v2 : (tensor<2x3xi32>) -> tensor<2x3xi32>
  %v5 = arith.constant 6 : index
  %v6 = tensor.extract_slice %v3[0, %v5] [1, 1] [1, %v5] : tensor<1x1xi32> to tensor<1x1xi32>
  %v7 = arith.constant 0 : index
  %v8 = tensor.extract_slice %v2[0, 0] [%v7, 3] [1, 1] : tensor<2x3xi32> to tensor<?x3xi32>
  %v9 = arith.constant 0 : index
  %v10 = arith.constant 2 : index
  %v11 = tensor.extract %v2[%v9, %v10] : tensor<2x3xi32>
  return %v7, %v4, %v8 : index, tensor<2x3xi32>, tensor<?x3xi32>
}
func.func @t94(%a0: index, %a1: tensor<?x3xi32>, %a2: tensor<2x?xi32>) -> (index, i32, index) {
  %v1 = arith.constant -1 : index
  %v2 = arith.constant 0 : index
  %v3 = tensor.extract %a1[%v1, %v2] : tensor<?x3xi32>
  %v4 = tensor.generate %v2 {
  ^bb0(%i3: index, %j3: index):
    %x3 = arith.constant 1 : i32
    tensor.yield %x3 : i32
  } : tensor<?x3xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.extract %a2[%v5, %a0] : tensor<2x?xi32>
  return %v1, %v6, %v2 : index, i32, index
}
func.func @t95(%a0: index, %a1: tensor<?x3xi32>, %a2: tensor<2x?xi32>) -> (tensor<2xi32>, index, tensor<?x4xi32>) {
  %v1 = arith.constant 0 : i32
  %v2 = tensor.pad %a1 nofold low[0, 0] high[1, 1] {
  ^bb0(%i0_0: index, %i0_1: index):
    tensor.yield %v1 : i32
  } : tensor<?x3xi32> to tensor<?x4xi32>
  %v3 = arith.constant 0 : index
  %v4 = tensor.dim %v2, %v3 : tensor<?x4xi32>
  %v5 = arith.constant 0 : i32
  %v6 = tensor.splat %v5 : tensor<2xi32>
  %v7 = tensor.collapse_shape %a2 [[0, 1]] : tensor<2x?xi32> into tensor<?xi32>
  return %v6, %v3, %v2 : tensor<2xi32>, index, tensor<?x4xi32>
}
func.func @t96(%a0: index) -> (tensor<i32>, index, i32) {
  %v1 = arith.constant dense<0> : tensor<i32>
  %v2 = tensor.rank %v1 : tensor<i32>
  %v3 = arith.constant 3 : i32
  %v4 = tensor.from_elements %v3 : tensor<i32>
  %v5 = tensor.rank %v4 : tensor<i32>
  return %v1, %v5, %v3 : tensor<i32>, index, i32
}
func.func @t97(%a0: index, %a1: tensor<?x?xi32>, %a2: tensor<1x?xi32>) -> (tensor<1x?xi32>, index, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant dense<[[2, 2], [2, 2]]> : tensor<2x2xi32>
  %v3 = tensor.insert_slice %v2 into %a1[0, %v1] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<?x?xi32>
  %v4 = arith.constant 1 : index
  %v5 = tensor.extract_slice %a1[%v1, %v4] [1, %v4] [1, 1] : tensor<?x?xi32> to tensor<1x?xi32>
  %v6 = arith.constant 0 : index
  %v7 = tensor.insert_slice %a2 into %v5[%v6, 0] [1, %v4] [1, 1] : tensor<1x?xi32> into tensor<1x?xi32>
  return %v5, %v1, %v6 : tensor<1x?xi32>, index, index
}
func.func @t98(%a0: index, %a1: tensor<2x?xi32>, %a2: tensor<?x?xi32>) -> (tensor<1x1xi32>, index, index) {
  %v1 = arith.constant 2 : index
  %v2 = arith.constant dense<[0]> : tensor<1xi32>
  %v3 = tensor.insert_slice %v2 into %a1[0, %v1] [1, 1] [1, 1] : tensor<1xi32> into tensor<2x?xi32>
  %v4 = arith.constant 0 : index
  %v5 = tensor.extract_slice %a2[%v4, %a0] [1, 1] [1, 1] : tensor<?x?xi32> to tensor<1x1xi32>
  %v6 = arith.constant 2 : i32
  %v7 = tensor.from_elements %v6, %v6 : tensor<2xi32>
  return %v5, %v4, %v1 : tensor<1x1xi32>, index, index
}
func.func @t99(%a0: index, %a1: tensor<?x?xi32>, %a2: tensor<1x4xi32>, %a3: tensor<4xi32>, %a4: i32) -> (tensor<i32>, index, i32) {
  %v1 = arith.constant dense<0> : tensor<i32>
  %v2 = tensor.cast %a1 : tensor<?x?xi32> to tensor<2x3xi32>
  %v3 = arith.constant 0 : i32
  %v4 = tensor.from_elements %v3, %v3, %v3, %v3 : tensor<2x2xi32>
  %v5 = arith.constant 2 : index
  %v6 = tensor.extract %a1[%a0, %v5] : tensor<?x?xi32>
  %v7 = arith.constant 0 : index
  %v8 = tensor.extract %a3[%v7] : tensor<4xi32>
  %v9 = arith.constant 0 : index
  %v10 = tensor.dim %v2, %v9 : tensor<2x3xi32>
  %v11 = tensor.insert %a4 into %v1[] : tensor<i32>
  return %v1, %v10, %v3 : tensor<i32>, index, i32
}
func.func @t100(%a0: index) -> (tensor<1x4xi32>, index, index) {
  %v1 = arith.constant dense<2> : tensor<i32>
  %v2 = tensor.rank %v1 : tensor<i32>
  %v3 = arith.constant 6 : index
  %v4 = tensor.generate %v3 {
  ^bb0(%i3: index, %j3: index):
    %x3 = arith.constant 1 : i32
    tensor.yield %x3 : i32
  } : tensor<?x3xi32>
  %v5 = tensor.cast %v4 : tensor<?x3xi32> to tensor<?x?xi32>
  %v6 = arith.constant dense<[[1, 1, 1, 1]]> : tensor<1x4xi32>
  %v7 = arith.constant 0 : index
  %v8 = arith.constant 1 : index
  %v9 = arith.constant 2 : i32
  %v10 = tensor.insert %v9 into %v6[%v7, %v8] : tensor<1x4xi32>
  return %v6, %v8, %v7 : tensor<1x4xi32>, index, index
}
func.func @t101(%a0: index, %a1: tensor<2x?xi32>) -> (tensor<2x2xi32>, tensor<2x?xi32>, tensor<?xi32>) {
  %v1 = tensor.collapse_shape %a1 [[0, 1]] : tensor<2x?xi32> into tensor<?xi32>
  %v2 = arith.constant 1 : index
  %v3 = arith.constant 0 : index
  %v4 = tensor.extract_slice %v1[%v3] [%v2] [1] : tensor<?xi32> to tensor<?xi32>
  %v5 = arith.constant 0 : index
  %v6 = arith.constant dense<[[0, 2], [4, 3]]> : tensor<2x2xi32>
  %v7 = tensor.insert_slice %v6 into %a1[0, %v5] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<2x?xi32>
  %v8 = arith.constant 0 : index
  %v9 = tensor.extract_slice %v1[%v8] [1] [1] : tensor<?xi32> to tensor<1xi32>
  return %v6, %v7, %v1 : tensor<2x2xi32>, tensor<2x?xi32>, tensor<?xi32>
}
func.func @t102(%a0: index, %a1: tensor<?x3xi32>, %a2: tensor<?xi32>) -> (index, tensor<?xi32>, tensor<?xi32>) {
  %v1 = tensor.collapse_shape %a1 [[0, 1]] : tensor<?x3xi32> into tensor<?xi32>
  %v2 = tensor.cast %v1 : tensor<?xi32> to tensor<?xi32>
  %v3 = arith.constant 0 : index
  %v4 = tensor.insert_slice %a2 into %v1[%v3] [%v3] [1] : tensor<?xi32> into tensor<?xi32>
  return %v3, %v1, %v4 : index, tensor<?xi32>, tensor<?xi32>
}
func.func @t103(%a0: index) -> (tensor<i32>, tensor<4xi32>, tensor<4xi32>) {
  %v1 = arith.constant dense<[4, 4, 4, 4]> : tensor<4xi32>
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 1 : i32
  %v4 = tensor.insert %v3 into %v1[%v2] : tensor<4xi32>
  %v5 = tensor.splat %v3 : tensor<i32>
  return %v5, %v4, %v1 : tensor<i32>, tensor<4xi32>, tensor<4xi32>
}
func.func @t104(%a0: index, %a1: tensor<?x3xi32>, %a2: i32, %a3: tensor<?x?xi32>, %a4: i32, %a5: i32) -> (i32, tensor<i32>, i32) {
  %v1 = arith.constant dense<0> : tensor<i32>
  %v2 = tensor.extract %v1[] : tensor<i32>
  %v3 = tensor.insert %a2 into %v1[] : tensor<i32>
  %v4 = arith.constant 3 : i32
  %v5 = tensor.from_elements %a4, %v4, %v2, %a5 : tensor<2x2xi32>
  %v6 = tensor.extract_slice %a3[0, 0] [1, 1] [1, 1] : tensor<?x?xi32> to tensor<1x1xi32>
  return %v2, %v3, %v4 : i32, tensor<i32>, i32
}
func.func @t105(%a0: index, %a1: tensor<?xi32>) -> (index, index, tensor<?xi32>) {
  %v1 = tensor.rank %a1 : tensor<?xi32>
  %v2 = arith.constant 1 : index
  %v3 = tensor.extract %a1[%v2] : tensor<?xi32>
  %v4 = tensor.extract_slice %a1[%a0] [%v2] [1] : tensor<?xi32> to tensor<?xi32>
  return %v2, %v1, %v4 : index, index, tensor<?xi32>
}
func.func @t106(%a0: index) -> (tensor<2xi32>, index, tensor<1xi32>) {
  %v1 = arith.constant dense<[0]> : tensor<1xi32>
  %v2 = arith.constant 0 : index
  %v3 = tensor.dim %v1, %v2 : tensor<1xi32>
  %v4 = arith.constant 1 : i32
  %v5 = tensor.pad %v1 low[0] high[0] {
  ^bb0(%i3_0: index):
    tensor.yield %v4 : i32
  } : tensor<1xi32> to tensor<1xi32>
  %v6 = tensor.pad %v5 nofold low[0] high[1] {
  ^bb0(%i5_0: index):
    tensor.yield %v4 : i32
  } : tensor<1xi32> to tensor<2xi32>
  return %v6, %v3, %v1 : tensor<2xi32>, index, tensor<1xi32>
}
func.func @t107(%a0: index, %a1: tensor<1x4xi32>, %a2: i32, %a3: tensor<?xi32>) -> (tensor<2x3xi32>, index, index) {
  %v1 = tensor.rank %a1 : tensor<1x4xi32>
  %v2 = arith.constant dense<[2, 2, 2, 2]> : tensor<4xi32>
  %v3 = tensor.splat %a2 : tensor<2x3xi32>
  %v4 = tensor.generate %v1 {
  ^bb0(%i3: index, %j3: index):
    %x3 = arith.constant 1 : i32
    tensor.yield %x3 : i32
  } : tensor<?x3xi32>
  %v5 = tensor.insert_slice %a3 into %v2[0] [%v1] [1] : tensor<?xi32> into tensor<4xi32>
  %v6 = arith.constant 0 : index
  %v7 = tensor.extract %a1[%v6, %v6] : tensor<1x4xi32>
  %v8 = tensor.splat %v7 : tensor<2x3xi32>
  %v9 = arith.constant 1 : index
  %v10 = tensor.dim %v4, %v9 : tensor<?x3xi32>
  %v11 = tensor.cast %a3 : tensor<?xi32> to tensor<?xi32>
  return %v3, %v1, %v9 : tensor<2x3xi32>, index, index
}
func.func @t108(%a0: index, %a1: tensor<?x?xi32>) -> (i32, index, tensor<i32>) {
  %v1 = arith.constant 3 : i32
  %v2 = tensor.splat %v1 : tensor<i32>
  %v3 = tensor.rank %a1 : tensor<?x?xi32>
  %v4 = tensor.cast %v2 : tensor<i32> to tensor<i32>
  return %v1, %v3, %v4 : i32, index, tensor<i32>
}
func.func @t109(%a0: index, %a1: tensor<?x?xi32>) -> (tensor<?x?xi32>, index, index) {
  %v1 = arith.constant 0 : i32
  %v2 = tensor.pad %a1 low[1, 0] high[1, 0] {
  ^bb0(%i0_0: index, %i0_1: index):
    tensor.yield %v1 : i32
  } : tensor<?x?xi32> to tensor<?x?xi32>
  %v3 = arith.constant 0 : i32
  %v4 = tensor.pad %a1 low[1, 0] high[0, 1] {
  ^bb0(%i2_0: index, %i2_1: index):
    tensor.yield %v3 : i32
  } : tensor<?x?xi32> to tensor<?x?xi32>
  %v5 = arith.constant 1 : index
  %v6 = tensor.dim %v2, %v5 : tensor<?x?xi32>
  %v7 = arith.constant 1 : index
  %v8 = tensor.extract %v4[%v5, %v7] : tensor<?x?xi32>
  return %v4, %v5, %v7 : tensor<?x?xi32>, index, index
}
func.func @t110(%a0: index) -> (index, index, tensor<?x?xi32>) {
  %v1 = arith.constant dense<[[2, 2, 2, 2]]> : tensor<1x4xi32>
  %v2 = tensor.extract_slice %v1[0, 0] [%a0, %a0] [1, 1] : tensor<1x4xi32> to tensor<?x?xi32>
  %v3 = arith.constant dense<[[2, 4, 0], [0, 1, 0]]> : tensor<2x3xi32>
  %v4 = arith.constant 0 : index
  %v5 = tensor.generate %v4 {
  ^bb0(%i4: index, %j4: index):
    %x4 = arith.constant 1 : i32
    tensor.yield %x4 : i32
  } : tensor<?x3xi32>
  %v6 = tensor.extract_slice %v5[%a0, 0] [%a0, 2] [1, 1] : tensor<?x3xi32> to tensor<?x2xi32>
  %v7 = arith.constant 0 : index
  %v8 = arith.constant 2 : index
  %v9 = tensor.extract %v3[%v7, %v8] : tensor<2x3xi32>
  return %v8, %v4, %v2 : index, index, tensor<?x?xi32>
}
func.func @t111(%a0: index, %a1: i32, %a2: tensor<2xi32>) -> (tensor<i32>, index, i32) {
  %v1 = arith.constant dense<3> : tensor<i32>
  %v2 = tensor.extract %v1[] : tensor<i32>
  %v3 = tensor.from_elements %a1, %a1 : tensor<2xi32>
  %v4 = tensor.insert_slice %a2 into %v3[0] [2] [%a0] : tensor<2xi32> into tensor<2xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.extract %v4[%v5] : tensor<2xi32>
  return %v1, %v5, %v2 : tensor<i32>, index, i32
}
func.func @t112(%a0: index) -> (tensor<2xi32>, i32, tensor<4xi32>) {
  %v1 = arith.constant dense<[3, 4, 0, 4]> : tensor<4xi32>
  %v2 = tensor.extract %v1[%a0] : tensor<4xi32>
  %v3 = arith.constant 0 : i32
  %v4 = tensor.from_elements %v3, %v2 : tensor<2xi32>
  return %v4, %v2, %v1 : tensor<2xi32>, i32, tensor<4xi32>
}
func.func @t113(%a0: index) -> (tensor<1x4xi32>, index, i32) {
  %v1 = arith.constant dense<[[0, 3, 4, 4]]> : tensor<1x4xi32>
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 3 : i32
  %v4 = tensor.insert %v3 into %v1[%v2, %v2] : tensor<1x4xi32>
  %v5 = arith.constant 1 : index
  %v6 = tensor.dim %v1, %v5 : tensor<1x4xi32>
  return %v4, %v6, %v3 : tensor<1x4xi32>, index, i32
}
func.func @t114(%a0: index, %a1: tensor<?xi32>, %a2: tensor<?x?xi32>, %a3: tensor<1x?xi32>) -> (tensor<?xi32>, index, i32) {
  %v1 = tensor.cast %a1 : tensor<?xi32> to tensor<?xi32>
  %v2 = tensor.extract %v1[%a0] : tensor<?xi32>
  %v3 = tensor.insert %v2 into %a2[%a0, %a0] : tensor<?x?xi32>
  %v4 = arith.constant dense<[0, 0, 0, 0]> : tensor<4xi32>
  %v5 = tensor.extract_slice %v4[%a0] [%a0] [1] : tensor<4xi32> to tensor<?xi32>
  %v6 = tensor.extract %v4[%a0] : tensor<4xi32>
  %v7 = tensor.rank %v3 : tensor<?x?xi32>
  %v8 = arith.constant 0 : index
  %v9 = tensor.insert_slice %a1 into %v4[%v8] [%v7] [1] : tensor<?xi32> into tensor<4xi32>
  %v10 = tensor.insert_slice %a3 into %v3[%a0, %v8] [1, %v8] [1, 1] : tensor<1x?xi32> into tensor<?x?xi32>
  return %v1, %v7, %v6 : tensor<?xi32>, index, i32
}
func.func @t115(%a0: index, %a1: tensor<2x?xi32>) -> (index, tensor<2x?xi32>, tensor<2xi32>) {
  %v1 = arith.constant 3 : i32
  %v2 = arith.constant 2 : i32
  %v3 = tensor.from_elements %v1, %v2 : tensor<2xi32>
  %v4 = tensor.extract_slice %v3[0] [2] [1] : tensor<2xi32> to tensor<2xi32>
  %v5 = arith.constant 6 : index
  %v6 = tensor.generate %v5 {
  ^bb0(%i5: index, %j5: index):
    %x5 = arith.constant 1 : i32
    tensor.yield %x5 : i32
  } : tensor<?x3xi32>
  %v7 = arith.constant 0 : index
  %v8 = tensor.extract %v3[%v7] : tensor<2xi32>
  %v9 = arith.constant 0 : index
  %v10 = arith.constant 0 : index
  %v11 = tensor.extract_slice %a1[%v9, 0] [2, %v10] [%v5, 1] : tensor<2x?xi32> to tensor<2x?xi32>
  return %v10, %v11, %v3 : index, tensor<2x?xi32>, tensor<2xi32>
}
func.func @t116(%a0: index, %a1: i32, %a2: i32, %a3: i32) -> (tensor<i32>, tensor<i32>, tensor<2xi32>) {
  %v1 = arith.constant dense<2> : tensor<i32>
  %v2 = tensor.insert %a1 into %v1[] : tensor<i32>
  %v3 = tensor.insert %a1 into %v2[] : tensor<i32>
  %v4 = tensor.extract %v1[] : tensor<i32>
  %v5 = arith.constant 3 : index
  %v6 = tensor.generate %v5 {
  ^bb0(%i5: index, %j5: index):
    %x5 = arith.constant 1 : i32
    tensor.yield %x5 : i32
  } : tensor<?x3xi32>
  %v7 = arith.constant 1 : index
  %v8 = tensor.extract %v6[%v7, %a0] : tensor<?x3xi32>
  %v9 = tensor.from_elements %a2, %a3 : tensor<2xi32>
  return %v3, %v1, %v9 : tensor<i32>, tensor<i32>, tensor<2xi32>
}
func.func @t117(%a0: index, %a1: tensor<?x?xi32>, %a2: tensor<2x?xi32>, %a3: tensor<?x2xi32>, %a4: tensor<?x3xi32>) -> (tensor<2xi32>, tensor<?x?xi32>, i32) {
  %v1 = arith.constant -1 : index
  %v2 = arith.constant 6 : index
  %v3 = tensor.extract %a1[%v1, %v2] : tensor<?x?xi32>
  %v4 = arith.constant 4 : index
  %v5 = tensor.extract %a2[%v1, %v4] : tensor<2x?xi32>
  %v6 = tensor.collapse_shape %a1 [[0, 1]] : tensor<?x?xi32> into tensor<?xi32>
  %v7 = tensor.insert_slice %a3 into %a1[0, 0] [%a0, 2] [1, 1] : tensor<?x2xi32> into tensor<?x?xi32>
  %v8 = tensor.cast %v6 : tensor<?xi32> to tensor<2xi32>
  %v9 = arith.constant 0 : index
  %v10 = tensor.dim %a4, %v9 : tensor<?x3xi32>
  return %v8, %v7, %v5 : tensor<2xi32>, tensor<?x?xi32>, i32
}
func.func @t118(%a0: index, %a1: tensor<?x3xi32>) -> (index, tensor<2x3xi32>, index) {
  %v1 = arith.constant 7 : index
  %v2 = arith.constant -1 : index
  %v3 = tensor.from_elements %v1, %v2 : tensor<2xindex>
  %v4 = tensor.reshape %a1(%v3) : (tensor<?x3xi32>, tensor<2xindex>) -> tensor<2x3xi32>
  %v5 = arith.constant dense<[[4], [4]]> : tensor<2x1xi32>
  %v6 = tensor.insert_slice %v5 into %v4[0, 0] [2, 1] [1, 1] : tensor<2x1xi32> into tensor<2x3xi32>
  %v7 = arith.constant 0 : index
  %v8 = arith.constant 1 : index
  %v9 = arith.constant 0 : index
  %v10 = arith.constant dense<[4, 4]> : tensor<2xi32>
  %v11 = tensor.insert_slice %v10 into %v4[0, 0] [2, 1] [1, 1] : tensor<2xi32> into tensor<2x3xi32>
  return %v8, %v6, %v9 : index, tensor<2x3xi32>, index
}
func.func @t119(%a0: index, %a1: tensor<?xi32>) -> (tensor<1x4xi32>, index, i32) {
  %v1 = tensor.extract %a1[%a0] : tensor<?xi32>
  %v2 = arith.constant -1 : index
  %v3 = tensor.extract %a1[%v2] : tensor<?xi32>
  %v4 = arith.constant 2 : i32
  %v5 = tensor.splat %v4 : tensor<2xi32>
  %v6 = arith.constant dense<[[4, 4, 4, 4]]> : tensor<1x4xi32>
  %v7 = arith.constant 0 : index
  %v8 = tensor.extract_slice %v6[%v7, 0] [1, 4] [1, %v2] : tensor<1x4xi32> to tensor<1x4xi32>
  return %v8, %v7, %v3 : tensor<1x4xi32>, index, i32
}
func.func @t120(%a0: index, %a1: tensor<?xi32>) -> (tensor<1xi32>, tensor<?x3xi32>, tensor<2x3xi32>) {
  %v1 = arith.constant 0 : index
  %v2 = tensor.extract_slice %a1[%v1] [1] [1] : tensor<?xi32> to tensor<1xi32>
  %v3 = tensor.expand_shape %a1 [[0, 1]] output_shape [%v1, 3] : tensor<?xi32> into tensor<?x3xi32>
  %v4 = arith.constant 2 : index
  %v5 = arith.constant 0 : index
  %v6 = tensor.extract_slice %v3[%v5, 0] [%v4, 3] [1, 1] : tensor<?x3xi32> to tensor<?x3xi32>
  %v7 = arith.constant dense<[[1, 1, 1], [1, 1, 1]]> : tensor<2x3xi32>
  %v8 = tensor.cast %v7 : tensor<2x3xi32> to tensor<2x?xi32>
  return %v2, %v6, %v7 : tensor<1xi32>, tensor<?x3xi32>, tensor<2x3xi32>
}
func.func @t121(%a0: index, %a1: tensor<?xi32>, %a2: tensor<2x?xi32>) -> (tensor<1xi32>, tensor<2x2xi32>, tensor<4xi32>) {
  %v1 = arith.constant dense<[4]> : tensor<1xi32>
  %v2 = tensor.insert_slice %v1 into %a1[0] [1] [1] : tensor<1xi32> into tensor<?xi32>
  %v3 = tensor.extract_slice %v2[0] [1] [1] : tensor<?xi32> to tensor<1xi32>
  %v4 = arith.constant 3 : i32
  %v5 = tensor.splat %v4 : tensor<i32>
  %v6 = arith.constant dense<[[0, 2], [2, 4]]> : tensor<2x2xi32>
  %v7 = tensor.insert_slice %v6 into %a2[%a0, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<2x?xi32>
  %v8 = arith.constant dense<[2, 4, 3, 2]> : tensor<4xi32>
  %v9 = arith.constant 3 : i32
  %v10 = tensor.from_elements %v9 : tensor<i32>
  return %v1, %v6, %v8 : tensor<1xi32>, tensor<2x2xi32>, tensor<4xi32>
}
func.func @t122(%a0: index, %a1: tensor<?x?xi32>) -> (index, i32, tensor<?x?xi32>) {
  %v1 = arith.constant 1 : i32
  %v2 = tensor.splat %v1 : tensor<i32>
  %v3 = arith.constant 0 : i32
  %v4 = tensor.splat %v3 : tensor<i32>
  %v5 = arith.constant 1 : index
  %v6 = arith.constant 0 : index
  %v7 = tensor.insert_slice %a1 into %a1[%v5, 0] [%v5, %v6] [1, 1] : tensor<?x?xi32> into tensor<?x?xi32>
  %v8 = tensor.cast %v2 : tensor<i32> to tensor<i32>
  return %v6, %v1, %v7 : index, i32, tensor<?x?xi32>
}
func.func @t123(%a0: index) -> (tensor<?xi32>, tensor<?x3xi32>, index) {
  %v1 = arith.constant dense<[4]> : tensor<1xi32>
  %v2 = arith.constant 7 : index
  %v3 = tensor.generate %v2 {
  ^bb0(%i2: index, %j2: index):
    %x2 = arith.constant 1 : i32
    tensor.yield %x2 : i32
  } : tensor<?x3xi32>
  %v4 = tensor.cast %v1 : tensor<1xi32> to tensor<?xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.dim %v4, %v5 : tensor<?xi32>
  %v7 = tensor.extract_slice %v3[0, 0] [1, 1] [1, 1] : tensor<?x3xi32> to tensor<1x1xi32>
  return %v4, %v3, %v5 : tensor<?xi32>, tensor<?x3xi32>, index
}
func.func @t124(%a0: index, %a1: tensor<?x?xi32>, %a2: tensor<?x3xi32>) -> (tensor<2x3xi32>, i32, index) {
  %v1 = arith.constant dense<[[4, 4, 4, 4]]> : tensor<1x4xi32>
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 1 : index
  %v4 = tensor.extract_slice %v1[0, 0] [%v2, 4] [%v3, 1] : tensor<1x4xi32> to tensor<?x4xi32>
  %v5 = arith.constant 2 : i32
  %v6 = tensor.splat %v5 : tensor<2x3xi32>
  %v7 = arith.constant 0 : index
  %v8 = tensor.extract_slice %a1[0, %v7] [1, 1] [1, 1] : tensor<?x?xi32> to tensor<1x1xi32>
  %v9 = arith.constant 2 : i32
  %v10 = tensor.pad %v6 low[1, 0] high[1, 0] {
  ^bb0(%i8_0: index, %i8_1: index):
    tensor.yield %v9 : i32
  } : tensor<2x3xi32> to tensor<4x3xi32>
  return %v6, %v9, %v7 : tensor<2x3xi32>, i32, index
}
func.func @t125(%a0: index) -> (tensor<?x3xi32>, tensor<3x3xi32>, index) {
  %v1 = arith.constant dense<[[3, 0, 1], [1, 2, 1]]> : tensor<2x3xi32>
  %v2 = arith.constant 7 : index
  %v3 = tensor.generate %v2 {
  ^bb0(%i2: index, %j2: index):
    %x2 = arith.constant 1 : i32
    tensor.yield %x2 : i32
  } : tensor<?x3xi32>
  %v4 = arith.constant 3 : i32
  %v5 = tensor.pad %v1 low[1, 0] high[0, 0] {
  ^bb0(%i3_0: index, %i3_1: index):
    tensor.yield %v4 : i32
  } : tensor<2x3xi32> to tensor<3x3xi32>
  %v6 = tensor.insert %v4 into %v5[%a0, %v2] : tensor<3x3xi32>
  return %v3, %v6, %v2 : tensor<?x3xi32>, tensor<3x3xi32>, index
}
func.func @t126(%a0: index, %a1: i32, %a2: tensor<4xi32>, %a3: i32) -> (index, index, tensor<2x2xi32>) {
  %v1 = arith.constant dense<[1]> : tensor<1xi32>
  %v2 = arith.constant 0 : index
  %v3 = tensor.dim %v1, %v2 : tensor<1xi32>
  %v4 = tensor.splat %a1 : tensor<2xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.dim %a2, %v5 : tensor<4xi32>
  %v7 = arith.constant 3 : i32
  %v8 = arith.constant 1 : i32
  %v9 = tensor.from_elements %v7, %a3, %v8, %a1 : tensor<2x2xi32>
  return %v3, %v2, %v9 : index, index, tensor<2x2xi32>
}
func.func @t127(%a0: index) -> (tensor<?x?xi32>, tensor<4x3xi32>, tensor<2xi32>) {
  %v1 = arith.constant dense<[[1, 1, 1], [1, 1, 1]]> : tensor<2x3xi32>
  %v2 = arith.constant 0 : i32
  %v3 = tensor.pad %v1 nofold low[1, 0] high[1, 0] {
  ^bb0(%i1_0: index, %i1_1: index):
    tensor.yield %v2 : i32
  } : tensor<2x3xi32> to tensor<4x3xi32>
  %v4 = arith.constant 3 : i32
  %v5 = tensor.splat %v4 : tensor<2xi32>
  %v6 = arith.constant 2 : index
  %v7 = arith.constant 2 : index
  %v8 = tensor.extract_slice %v1[0, %v6] [%v6, %v7] [1, 1] : tensor<2x3xi32> to tensor<?x?xi32>
  return %v8, %v3, %v5 : tensor<?x?xi32>, tensor<4x3xi32>, tensor<2xi32>
}
func.func @t128(%a0: index, %a1: tensor<?xi32>, %a2: i32, %a3: tensor<2x?xi32>) -> (index, i32, index) {
  %v1 = tensor.from_elements %a2, %a2, %a2, %a2 : tensor<2x2xi32>
  %v2 = tensor.cast %v1 : tensor<2x2xi32> to tensor<?x?xi32>
  %v3 = tensor.rank %a3 : tensor<2x?xi32>
  %v4 = arith.constant 4 : index
  %v5 = arith.constant 4 : index
  %v6 = tensor.extract %v2[%v4, %v5] : tensor<?x?xi32>
  return %v4, %v6, %v3 : index, i32, index
}
func.func @t129(%a0: index, %a1: tensor<1x4xi32>, %a2: tensor<2x3xi32>) -> (tensor<?x3xi32>, index, i32) {
  %v1 = tensor.generate %a0 {
  ^bb0(%i0: index, %j0: index):
    %x0 = arith.constant 1 : i32
    tensor.yield %x0 : i32
  } : tensor<?x3xi32>
  %v2 = tensor.collapse_shape %v1 [[0, 1]] : tensor<?x3xi32> into tensor<?xi32>
  %v3 = arith.constant 0 : index
  %v4 = tensor.extract_slice %v1[0, 0] [%v3, 2] [1, 1] : tensor<?x3xi32> to tensor<?x2xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.dim %v1, %v5 : tensor<?x3xi32>
  %v7 = arith.constant 4 : index
  %v8 = tensor.generate %v7 {
  ^bb0(%i7: index, %j7: index):
    %x7 = arith.constant 1 : i32
    tensor.yield %x7 : i32
  } : tensor<?x3xi32>
  %v9 = arith.constant 0 : i32
  %v10 = tensor.splat %v9 : tensor<i32>
  return %v8, %v3, %v9 : tensor<?x3xi32>, index, i32
}
func.func @t130(%a0: index, %a1: tensor<?xi32>) -> (index, index, tensor<?x3xi32>) {
  %v1 = arith.constant 7 : index
  %v2 = tensor.expand_shape %a1 [[0, 1]] output_shape [%v1, 3] : tensor<?xi32> into tensor<?x3xi32>
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 0 : index
  %v5 = arith.constant dense<[[4]]> : tensor<1x1xi32>
  %v6 = tensor.insert_slice %v5 into %v2[%v3, %v4] [1, 1] [1, 1] : tensor<1x1xi32> into tensor<?x3xi32>
  return %v3, %v4, %v6 : index, index, tensor<?x3xi32>
}
func.func @t131(%a0: index) -> (index, i32, tensor<1xi32>) {
  %v1 = arith.constant dense<[1]> : tensor<1xi32>
  %v2 = tensor.rank %v1 : tensor<1xi32>
  %v3 = arith.constant 0 : index
  %v4 = tensor.extract %v1[%v3] : tensor<1xi32>
  return %v3, %v4, %v1 : index, i32, tensor<1xi32>
}
func.func @t132(%a0: index) -> (index, i32, tensor<2x3xi32>) {
  %v1 = arith.constant dense<[[0, 0, 0], [0, 0, 0]]> : tensor<2x3xi32>
  %v2 = tensor.extract %v1[%a0, %a0] : tensor<2x3xi32>
  %v3 = arith.constant 1 : index
  %v4 = arith.constant 2 : index
  %v5 = tensor.extract %v1[%v3, %v4] : tensor<2x3xi32>
  %v6 = arith.constant 6 : index
  %v7 = arith.constant 6 : index
  %v8 = tensor.from_elements %v6, %v7 : tensor<2xindex>
  %v9 = tensor.reshape %v1(%v8) : (tensor<2x3xi32>, tensor<2xindex>) -> tensor<?x?xi32>
  return %v4, %v5, %v1 : index, i32, tensor<2x3xi32>
}
func.func @t133(%a0: index, %a1: tensor<2x?xi32>, %a2: tensor<?xi32>) -> (index, index, i32) {
  %v1 = tensor.extract %a1[%a0, %a0] : tensor<2x?xi32>
  %v2 = arith.constant dense<0> : tensor<i32>
  %v3 = tensor.pad %a1 low[0, 0] high[0, 1] {
  ^bb0(%i2_0: index, %i2_1: index):
    tensor.yield %v1 : i32
  } : tensor<2x?xi32> to tensor<2x?xi32>
  %v4 = tensor.cast %a1 : tensor<2x?xi32> to tensor<2x2xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.dim %a2, %v5 : tensor<?xi32>
  return %v6, %v5, %v1 : index, index, i32
}
func.func @t134(%a0: index, %a1: tensor<1xi32>, %a2: i32) -> (tensor<4xi32>, i32, i32) {
  %v1 = arith.constant dense<[2, 3, 4, 2]> : tensor<4xi32>
  %v2 = arith.constant 0 : index
  %v3 = tensor.insert_slice %a1 into %v1[%v2] [1] [1] : tensor<1xi32> into tensor<4xi32>
  %v4 = tensor.extract %a1[%v2] : tensor<1xi32>
  %v5 = arith.constant 3 : i32
  %v6 = tensor.from_elements %v5 : tensor<i32>
  %v7 = tensor.splat %a2 : tensor<2x3xi32>
  %v8 = arith.constant 0 : index
  %v9 = tensor.extract_slice %a1[%v8] [1] [1] : tensor<1xi32> to tensor<1xi32>
  return %v3, %v4, %v5 : tensor<4xi32>, i32, i32
}
func.func @t135(%a0: index, %a1: tensor<?x?xi32>, %a2: tensor<2x?xi32>) -> (index, tensor<4xi32>, tensor<4xi32>) {
  %v1 = tensor.insert_slice %a2 into %a1[%a0, 0] [2, %a0] [1, 1] : tensor<2x?xi32> into tensor<?x?xi32>
  %v2 = arith.constant 0 : index
  %v3 = tensor.dim %a2, %v2 : tensor<2x?xi32>
  %v4 = arith.constant 7 : index
  %v5 = tensor.extract %v1[%v2, %v4] : tensor<?x?xi32>
  %v6 = tensor.from_elements %v3 : tensor<1xindex>
  %v7 = tensor.reshape %v1(%v6) : (tensor<?x?xi32>, tensor<1xindex>) -> tensor<4xi32>
  %v8 = tensor.concat dim(0) %v7 : (tensor<4xi32>) -> tensor<4xi32>
  return %v3, %v7, %v8 : index, tensor<4xi32>, tensor<4xi32>
}
func.func @t136(%a0: index, %a1: i32) -> (tensor<?x3xi32>, index, tensor<2x3xi32>) {
  %v1 = arith.constant dense<[[4, 4, 1], [4, 1, 2]]> : tensor<2x3xi32>
  %v2 = tensor.cast %v1 : tensor<2x3xi32> to tensor<?x3xi32>
  %v3 = arith.constant 6 : index
  %v4 = arith.constant 1 : index
  %v5 = tensor.insert %a1 into %v2[%v3, %v4] : tensor<?x3xi32>
  return %v5, %v4, %v1 : tensor<?x3xi32>, index, tensor<2x3xi32>
}
func.func @t137(%a0: index, %a1: tensor<2x?xi32>, %a2: tensor<?x?xi32>) -> (index, tensor<?x3xi32>, index) {
  %v1 = arith.constant dense<[[3, 3, 3, 3]]> : tensor<1x4xi32>
  %v2 = tensor.generate %a0 {
  ^bb0(%i1: index, %j1: index):
    %x1 = arith.constant 1 : i32
    tensor.yield %x1 : i32
  } : tensor<?x3xi32>
  %v3 = arith.constant 1 : index
  %v4 = tensor.insert_slice %a1 into %v2[0, 0] [2, %v3] [1, 1] : tensor<2x?xi32> into tensor<?x3xi32>
  %v5 = arith.constant 0 : index
  %v6 = arith.constant 3 : index
  %v7 = tensor.insert_slice %a2 into %a1[%v5, %v6] [%v3, %a0] [1, 1] : tensor<?x?xi32> into tensor<2x?xi32>
  return %v6, %v4, %v3 : index, tensor<?x3xi32>, index
}
func.func @t138(%a0: index) -> (index, tensor<4xi32>, tensor<?xi32>) {
  %v1 = arith.constant dense<[1, 1, 1, 1]> : tensor<4xi32>
  %v2 = arith.constant 0 : index
  %v3 = tensor.insert_slice %v1 into %v1[%v2] [4] [1] : tensor<4xi32> into tensor<4xi32>
  %v4 = tensor.cast %v1 : tensor<4xi32> to tensor<?xi32>
  %v5 = arith.constant 0 : index
  %v6 = tensor.dim %v1, %v5 : tensor<4xi32>
  return %v5, %v1, %v4 : index, tensor<4xi32>, tensor<?xi32>
}
func.func @t139(%a0: index, %a1: tensor<1xi32>) -> (index, tensor<2x3xi32>, i32) {
  %v1 = arith.constant 0 : i32
  %v2 = tensor.splat %v1 : tensor<2x3xi32>
  %v3 = tensor.rank %v2 : tensor<2x3xi32>
  %v4 = tensor.rank %v2 : tensor<2x3xi32>
  return %v3, %v2, %v1 : index, tensor<2x3xi32>, i32
}
func.func @x140(%a0: index, %a1: memref<4x8xf32>, %a2: tensor<4x4x4xf32>) -> (tensor<4x4x4xf32>, vector<4xi1>, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0 : index
  %v3 = vector.constant_mask [1] : vector<2xi1>
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.transfer_read %a1[%v1, %v2], %v4, %v3 {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : memref<4x8xf32>, vector<2xf32>
  %v6 = arith.constant -1 : index
  %v7 = arith.constant 1 : index
  %v8 = arith.constant 0 : index
  %v9 = vector.constant_mask [4] : vector<4xi1>
  %v10 = arith.constant dense<[4.0, 4.0, 4.0, 4.0]> : vector<4xf32>
  %v11 = vector.transfer_write %v10, %a2[%v8, %v8, %v8], %v9 {in_bounds = [false], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : vector<4xf32>, tensor<4x4x4xf32>
  return %v11, %v9, %v6 : tensor<4x4x4xf32>, vector<4xi1>, index
}
func.func @x141(%a0: index, %a1: memref<?x4xf32>, %a2: tensor<4x8xf32>, %a3: memref<8xf32>, %a4: vector<8xf32>) -> (vector<8xf32>, vector<4x1xf32>, f32) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant dense<[[3.0], [0.0], [0.0], [2.0]]> : vector<4x1xf32>
  vector.transfer_write %v3, %a1[%v2, %v1] {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<4x1xf32>, memref<?x4xf32>
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.transfer_read %a2[%v2, %v2], %v4 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : tensor<4x8xf32>, vector<8xf32>
  %v6 = arith.constant 1 : index
  vector.transfer_write %a4, %a3[%v2] {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : vector<8xf32>, memref<8xf32>
  return %v5, %v3, %v4 : vector<8xf32>, vector<4x1xf32>, f32
}
func.func @x142(%a0: index, %a1: tensor<8xf32>, %a2: memref<8xf32>) -> (vector<4xf32>, f32, vector<1xf32>) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant dense<[0.0, 3.0, 4.0, 3.0]> : vector<4xf32>
  %v3 = vector.transfer_write %v2, %a1[%v1] {in_bounds = [false], permutation_map = affine_map<(d0) -> (d0)>} : vector<4xf32>, tensor<8xf32>
  %v4 = arith.constant 1 : index
  %v5 = vector.constant_mask [1] : vector<1xi1>
  %v6 = arith.constant 0.0 : f32
  %v7 = vector.transfer_read %a2[%v1], %v6, %v5 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : memref<8xf32>, vector<1xf32>
  return %v2, %v6, %v7 : vector<4xf32>, f32, vector<1xf32>
}
func.func @x143(%a0: index, %a1: memref<4x8xf32>, %a2: tensor<?x4xf32>) -> (vector<4x8xf32>, index, vector<4xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0.0 : f32
  %v4 = vector.transfer_read %a1[%v2, %v2], %v3 {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x8xf32>, vector<4x8xf32>
  %v5 = arith.constant 1 : index
  %v6 = arith.constant 0 : index
  %v7 = arith.constant dense<[1.0, 4.0, 3.0, 2.0]> : vector<4xf32>
  %v8 = vector.transfer_write %v7, %a2[%v5, %v2] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, tensor<?x4xf32>
  return %v4, %v5, %v7 : vector<4x8xf32>, index, vector<4xf32>
}
func.func @x144(%a0: index, %a1: memref<4x8xf32>, %a2: tensor<8xf32>) -> (index, index, f32) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 1 : index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.transfer_read %a1[%v3, %v2], %v4 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : memref<4x8xf32>, vector<4xf32>
  %v6 = vector.constant_mask [4] : vector<4xi1>
  %v7 = vector.transfer_write %v5, %a2[%v1], %v6 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : vector<4xf32>, tensor<8xf32>
  return %v1, %v2, %v4 : index, index, f32
}
func.func @x145(%a0: index, %a1: tensor<4x4xf32>, %a2: memref<?x4xf32>) -> (vector<1x2xf32>, vector<4xf32>, index) {
  %v1 = arith.constant 0.0 : f32
  %v2 = vector.transfer_read %a1[%a0, %a0], %v1 {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : tensor<4x4xf32>, vector<1x2xf32>
  %v3 = arith.constant 1 : index
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 0 : index
  %v6 = arith.constant dense<[0.0, 0.0, 2.0, 2.0]> : vector<4xf32>
  vector.transfer_write %v6, %a2[%v5, %v5] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, memref<?x4xf32>
  return %v2, %v6, %v3 : vector<1x2xf32>, vector<4xf32>, index
}
func.func @x146(%a0: index, %a1: tensor<4x8xf32>, %a2: memref<4x8xf32>) -> (f32, index, index) {
  %v1 = ub.poison : vector<8xf32>
  %v2 = vector.transfer_write %v1, %a1[%a0, %a0] {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<8xf32>, tensor<4x8xf32>
  %v3 = arith.constant 1 : index
  %v4 = arith.constant -1 : index
  %v5 = arith.constant 0.0 : f32
  %v6 = vector.transfer_read %a2[%v3, %v4], %v5 {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : memref<4x8xf32>, vector<1xf32>
  return %v5, %v4, %v3 : f32, index, index
}
func.func @x147(%a0: index, %a1: tensor<8xf32>) -> (index, vector<8xf32>, vector<8xi1>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant dense<true> : vector<8xi1>
  %v4 = arith.constant dense<[4.0, 4.0, 1.0, 0.0, 3.0, 0.0, 3.0, 2.0]> : vector<8xf32>
  %v5 = vector.transfer_write %v4, %a1[%v1], %v3 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : vector<8xf32>, tensor<8xf32>
  return %v1, %v4, %v3 : index, vector<8xf32>, vector<8xi1>
}
func.func @x148(%a0: index, %a1: memref<8xf32>, %a2: vector<1xf32>, %a3: vector<4xf32>, %a4: memref<4x8xf32>) -> (vector<2x1xf32>, f32, index) {
  %v1 = arith.constant 0 : index
  vector.transfer_write %a2, %a1[%v1] {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : vector<1xf32>, memref<8xf32>
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0 : index
  vector.transfer_write %a3, %a1[%v3] {in_bounds = [false], permutation_map = affine_map<(d0) -> (d0)>} : vector<4xf32>, memref<8xf32>
  %v4 = arith.constant 1 : index
  %v5 = vector.constant_mask [1, 1] : vector<2x1xi1>
  %v6 = arith.constant 0.0 : f32
  %v7 = vector.transfer_read %a4[%v3, %v3], %v6, %v5 {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<4x8xf32>, vector<2x1xf32>
  return %v7, %v6, %v2 : vector<2x1xf32>, f32, index
}
func.func @x149(%a0: index, %a1: memref<4x8xf32>, %a2: tensor<4x8xf32>, %a3: memref<8xf32>) -> (f32, index, vector<2xf32>) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0.0 : f32
  %v3 = vector.transfer_read %a1[%v1, %v1], %v2 {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : memref<4x8xf32>, vector<2xf32>
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 0 : index
  %v6 = vector.transfer_read %a2[%v4, %v5], %v2 {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : tensor<4x8xf32>, vector<4x1xf32>
  %v7 = arith.constant 5 : index
  %v8 = arith.constant 0 : index
  vector.transfer_write %v3, %a3[%v8] {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : vector<2xf32>, memref<8xf32>
  return %v2, %v7, %v3 : f32, index, vector<2xf32>
}
func.func @x150(%a0: index, %a1: tensor<4x8xf32>) -> (vector<2x1xi1>, vector<2x1xf32>, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0 : index
  %v3 = vector.constant_mask [2, 1] : vector<2x1xi1>
  %v4 = arith.constant dense<[[3.0], [2.0]]> : vector<2x1xf32>
  %v5 = vector.transfer_write %v4, %a1[%v2, %v2], %v3 {in_bounds = [false, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<2x1xf32>, tensor<4x8xf32>
  return %v3, %v4, %v1 : vector<2x1xi1>, vector<2x1xf32>, index
}
func.func @x151(%a0: index, %a1: tensor<8xf32>, %a2: tensor<4x4xf32>, %a3: memref<?x4xf32>) -> (vector<2xf32>, index, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant dense<[0.0, 0.0]> : vector<2xf32>
  %v4 = vector.transfer_write %v3, %a1[%v1] {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : vector<2xf32>, tensor<8xf32>
  %v5 = arith.constant 1 : index
  %v6 = arith.constant 0.0 : f32
  %v7 = vector.transfer_read %a2[%v5, %v1], %v6 {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : tensor<4x4xf32>, vector<4x4xf32>
  %v8 = arith.constant 0 : index
  %v9 = vector.transfer_read %a3[%v2, %v2], %v6 {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : memref<?x4xf32>, vector<4xf32>
  return %v3, %v8, %v1 : vector<2xf32>, index, index
}
func.func @x152(%a0: index, %a1: tensor<4x4x4xf32>, %a2: vector<2xf32>, %a3: tensor<8xf32>) -> (tensor<4x4x4xf32>, vector<8xi1>, vector<8xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = vector.transfer_write %a2, %a1[%a0, %v2, %v2] {in_bounds = [true], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : vector<2xf32>, tensor<4x4x4xf32>
  %v4 = vector.constant_mask [8] : vector<8xi1>
  %v5 = arith.constant dense<[1.0, 0.0, 2.0, 4.0, 1.0, 3.0, 4.0, 2.0]> : vector<8xf32>
  %v6 = vector.transfer_write %v5, %a3[%a0], %v4 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : vector<8xf32>, tensor<8xf32>
  return %v3, %v4, %v5 : tensor<4x4x4xf32>, vector<8xi1>, vector<8xf32>
}
func.func @x153(%a0: index, %a1: memref<4x4xf32>) -> (vector<4xi1>, index, vector<4xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = vector.constant_mask [4] : vector<4xi1>
  %v4 = arith.constant dense<[2.0, 2.0, 2.0, 2.0]> : vector<4xf32>
  vector.transfer_write %v4, %a1[%v2, %v1], %v3 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, memref<4x4xf32>
  return %v3, %v1, %v4 : vector<4xi1>, index, vector<4xf32>
}
func.func @x154(%a0: index, %a1: tensor<?x4xf32>, %a2: tensor<4x4xf32>) -> (vector<4xf32>, tensor<4x4xf32>, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0.0 : f32
  %v3 = vector.transfer_read %a1[%a0, %v1], %v2 {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : tensor<?x4xf32>, vector<1x2xf32>
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 1 : index
  %v6 = arith.constant dense<[1.0, 1.0, 1.0, 1.0]> : vector<4xf32>
  %v7 = vector.transfer_write %v6, %a2[%v4, %v5] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, tensor<4x4xf32>
  return %v6, %v7, %v4 : vector<4xf32>, tensor<4x4xf32>, index
}
func.func @x155(%a0: index, %a1: tensor<8xf32>, %a2: tensor<4x4xf32>, %a3: tensor<?x4xf32>) -> (f32, index, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant dense<[4.0, 4.0]> : vector<2xf32>
  %v3 = vector.transfer_write %v2, %a1[%v1] {in_bounds = [false], permutation_map = affine_map<(d0) -> (d0)>} : vector<2xf32>, tensor<8xf32>
  %v4 = arith.constant 0 : index
  %v5 = arith.constant 0 : index
  %v6 = arith.constant dense<[3.0, 4.0, 1.0, 4.0]> : vector<4xf32>
  %v7 = vector.transfer_write %v6, %a2[%v5, %v5] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, tensor<4x4xf32>
  %v8 = arith.constant 0.0 : f32
  %v9 = vector.transfer_read %a3[%v5, %v5], %v8 {in_bounds = [false, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : tensor<?x4xf32>, vector<4x2xf32>
  return %v8, %v1, %v4 : f32, index, index
}
func.func @x156(%a0: index, %a1: memref<8xf32>, %a2: memref<4x4x4xf32>) -> (f32, index, vector<4x4xf32>) {
  %v1 = arith.constant 0.0 : f32
  %v2 = vector.transfer_read %a1[%a0], %v1 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : memref<8xf32>, vector<2xf32>
  %v3 = vector.transfer_read %a1[%a0], %v1 {in_bounds = [false], permutation_map = affine_map<(d0) -> (d0)>} : memref<8xf32>, vector<1xf32>
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 0 : index
  %v6 = arith.constant dense<[[4.0, 0.0, 2.0, 4.0], [2.0, 4.0, 1.0, 3.0], [4.0, 2.0, 1.0, 3.0], [3.0, 2.0, 4.0, 1.0]]> : vector<4x4xf32>
  vector.transfer_write %v6, %a2[%v5, %v5, %v5] {in_bounds = [false, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>} : vector<4x4xf32>, memref<4x4x4xf32>
  return %v1, %v4, %v6 : f32, index, vector<4x4xf32>
}
func.func @x157(%a0: index, %a1: memref<4x4x4xf32>, %a2: tensor<4x8xf32>) -> (vector<4xf32>, vector<4x8xf32>, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0.0 : f32
  %v4 = vector.transfer_read %a1[%v2, %v2, %v1], %v3 {in_bounds = [false], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : memref<4x4x4xf32>, vector<4xf32>
  %v5 = arith.constant 1 : index
  %v6 = arith.constant dense<[[3.0, 4.0, 4.0, 3.0, 1.0, 4.0, 1.0, 1.0], [0.0, 3.0, 3.0, 2.0, 2.0, 0.0, 3.0, 1.0], [3.0, 1.0, 2.0, 3.0, 3.0, 3.0, 0.0, 4.0], [3.0, 4.0, 1.0, 2.0, 0.0, 3.0, 3.0, 0.0]]> : vector<4x8xf32>
  %v7 = vector.transfer_write %v6, %a2[%v2, %v5] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<4x8xf32>, tensor<4x8xf32>
  return %v4, %v6, %v1 : vector<4xf32>, vector<4x8xf32>, index
}
func.func @x158(%a0: index, %a1: memref<4x4x4xf32>) -> (vector<4x1xf32>, index, index) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 4 : index
  %v3 = arith.constant 5 : index
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.transfer_read %a1[%v1, %v2, %v3], %v4 {in_bounds = [false, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, 0)>} : memref<4x4x4xf32>, vector<4x1xf32>
  return %v5, %v3, %v2 : vector<4x1xf32>, index, index
}
func.func @x159(%a0: index, %a1: tensor<?x4xf32>, %a2: vector<4xf32>, %a3: memref<8xf32>) -> (vector<1xi1>, f32, vector<1xf32>) {
  %v1 = arith.constant 0 : index
  %v2 = vector.transfer_write %a2, %a1[%v1, %a0] {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, tensor<?x4xf32>
  %v3 = vector.constant_mask [1] : vector<1xi1>
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.transfer_read %a3[%a0], %v4, %v3 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : memref<8xf32>, vector<1xf32>
  %v6 = arith.constant 0 : index
  %v7 = vector.transfer_write %a2, %v2[%v1, %v1] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, tensor<?x4xf32>
  return %v3, %v4, %v5 : vector<1xi1>, f32, vector<1xf32>
}
func.func @x160(%a0: index, %a1: memref<8xf32>, %a2: memref<?x4xf32>) -> (index, vector<8xf32>, index) {
  %v1 = arith.constant 0.0 : f32
  %v2 = vector.transfer_read %a1[%a0], %v1 {in_bounds = [true], permutation_map = affine_map<(d0) -> (0)>} : memref<8xf32>, vector<8xf32>
  %v3 = arith.constant 7 : index
  %v4 = arith.constant 5 : index
  %v5 = arith.constant 0 : index
  %v6 = arith.constant dense<[3.0]> : vector<1xf32>
  vector.transfer_write %v6, %a2[%v3, %v4] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<1xf32>, memref<?x4xf32>
  return %v4, %v2, %v3 : index, vector<8xf32>, index
}
func.func @x161(%a0: index, %a1: memref<8xf32>) -> (index, vector<8xf32>, f32) {
  %v1 = arith.constant 2 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0.0 : f32
  %v4 = vector.transfer_read %a1[%v2], %v3 {in_bounds = [false], permutation_map = affine_map<(d0) -> (d0)>} : memref<8xf32>, vector<8xf32>
  return %v1, %v4, %v3 : index, vector<8xf32>, f32
}
func.func @x162(%a0: index, %a1: memref<4x8xf32>, %a2: tensor<8xf32>) -> (index, index, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant dense<[[0.0, 0.0]]> : vector<1x2xf32>
  vector.transfer_write %v4, %a1[%v3, %v2] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<1x2xf32>, memref<4x8xf32>
  %v5 = arith.constant 0 : index
  %v6 = arith.constant dense<[1.0]> : vector<1xf32>
  %v7 = vector.transfer_write %v6, %a2[%v3] {in_bounds = [false], permutation_map = affine_map<(d0) -> (d0)>} : vector<1xf32>, tensor<8xf32>
  return %v5, %v2, %v1 : index, index, index
}
func.func @x163(%a0: index, %a1: tensor<4x4xf32>, %a2: tensor<?x4xf32>, %a3: tensor<4x4xf32>) -> (vector<2x2xf32>, index, vector<4xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0.0 : f32
  %v3 = vector.transfer_read %a1[%v1, %a0], %v2 {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : tensor<4x4xf32>, vector<4xf32>
  %v4 = arith.constant 0 : index
  %v5 = vector.transfer_read %a2[%v4, %v4], %v2 {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : tensor<?x4xf32>, vector<2x2xf32>
  %v6 = arith.constant 1 : index
  %v7 = vector.transfer_read %a3[%v6, %a0], %v2 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : tensor<4x4xf32>, vector<4xf32>
  return %v5, %v6, %v7 : vector<2x2xf32>, index, vector<4xf32>
}
func.func @x164(%a0: index, %a1: tensor<8xf32>, %a2: memref<8xf32>) -> (vector<8xf32>, index, vector<1xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0.0 : f32
  %v4 = vector.transfer_read %a1[%v2], %v3 {in_bounds = [false], permutation_map = affine_map<(d0) -> (d0)>} : tensor<8xf32>, vector<1xf32>
  %v5 = arith.constant 0 : index
  %v6 = vector.transfer_read %a2[%v5], %v3 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : memref<8xf32>, vector<2xf32>
  %v7 = arith.constant 1 : index
  %v8 = vector.transfer_read %a1[%v2], %v3 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : tensor<8xf32>, vector<8xf32>
  return %v8, %v5, %v4 : vector<8xf32>, index, vector<1xf32>
}
func.func @x165(%a0: index, %a1: memref<4x8xf32>, %a2: memref<4x4x4xf32>) -> (vector<4x4xf32>, index, vector<1xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant dense<[0.0]> : vector<1xf32>
  vector.transfer_write %v3, %a1[%v2, %v2] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<1xf32>, memref<4x8xf32>
  %v4 = arith.constant 0 : index
  %v5 = arith.constant dense<[[2.0, 0.0, 4.0, 1.0], [0.0, 2.0, 3.0, 1.0], [4.0, 0.0, 1.0, 1.0], [3.0, 3.0, 3.0, 0.0]]> : vector<4x4xf32>
  vector.transfer_write %v5, %a2[%a0, %v4, %v1] {in_bounds = [false, false], permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : vector<4x4xf32>, memref<4x4x4xf32>
  return %v5, %v4, %v3 : vector<4x4xf32>, index, vector<1xf32>
}
func.func @x166(%a0: index, %a1: tensor<4x4x4xf32>) -> (index, index, vector<4x4xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 1 : index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant dense<[[2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0], [2.0, 2.0, 2.0, 2.0]]> : vector<4x4xf32>
  %v5 = vector.transfer_write %v4, %a1[%v3, %v3, %v3] {in_bounds = [true, false], permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>} : vector<4x4xf32>, tensor<4x4x4xf32>
  return %v2, %v1, %v4 : index, index, vector<4x4xf32>
}
func.func @x167(%a0: index, %a1: memref<?x4xf32>, %a2: memref<4x4x4xf32>) -> (index, index, vector<2xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.transfer_read %a1[%v3, %v3], %v4 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (0)>} : memref<?x4xf32>, vector<4xf32>
  %v6 = arith.constant 0 : index
  %v7 = arith.constant 1 : index
  %v8 = arith.constant 0 : index
  %v9 = arith.constant dense<[2.0, 2.0]> : vector<2xf32>
  vector.transfer_write %v9, %a2[%v3, %v7, %v3] {in_bounds = [false], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : vector<2xf32>, memref<4x4x4xf32>
  return %v1, %v6, %v9 : index, index, vector<2xf32>
}
func.func @x168(%a0: index, %a1: memref<4x4x4xf32>, %a2: tensor<4x4xf32>) -> (vector<4x4xi1>, index, vector<4x4xi1>) {
  %v1 = arith.constant 4 : index
  %v2 = arith.constant 0 : index
  %v3 = vector.constant_mask [1, 1] : vector<4x4xi1>
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.transfer_read %a1[%v2, %v2, %v2], %v4, %v3 {in_bounds = [false, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>} : memref<4x4x4xf32>, vector<4x4xf32>
  %v6 = arith.constant 2 : index
  %v7 = vector.constant_mask [1, 1] : vector<4x4xi1>
  %v8 = vector.transfer_read %a2[%v2, %v2], %v4, %v7 {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : tensor<4x4xf32>, vector<4x4xf32>
  return %v3, %v1, %v7 : vector<4x4xi1>, index, vector<4x4xi1>
}
func.func @x169(%a0: index, %a1: tensor<4x4x4xf32>) -> (vector<1x4xf32>, index, vector<1x4xi1>) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0.0 : f32
  %v3 = vector.transfer_read %a1[%v1, %v1, %v1], %v2 {in_bounds = [true], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : tensor<4x4x4xf32>, vector<2xf32>
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 1 : index
  %v6 = vector.constant_mask [1, 1] : vector<1x4xi1>
  %v7 = vector.transfer_read %a1[%v1, %v5, %v1], %v2, %v6 {in_bounds = [false, false], permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>} : tensor<4x4x4xf32>, vector<1x4xf32>
  return %v7, %v4, %v6 : vector<1x4xf32>, index, vector<1x4xi1>
}
func.func @x170(%a0: index, %a1: memref<4x4x4xf32>) -> (index, vector<4xf32>, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 1 : index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant dense<[3.0, 3.0, 3.0, 3.0]> : vector<4xf32>
  vector.transfer_write %v4, %a1[%v1, %v1, %v3] {in_bounds = [false], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : vector<4xf32>, memref<4x4x4xf32>
  return %v2, %v4, %v1 : index, vector<4xf32>, index
}
func.func @x171(%a0: index, %a1: tensor<?x4xf32>, %a2: vector<4x2xf32>, %a3: memref<4x8xf32>) -> (tensor<?x4xf32>, index, index) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 1 : index
  %v3 = arith.constant 0 : index
  %v4 = vector.transfer_write %a2, %a1[%v3, %v3] {in_bounds = [false, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<4x2xf32>, tensor<?x4xf32>
  %v5 = arith.constant 0 : index
  %v6 = arith.constant 1 : index
  %v7 = arith.constant dense<[3.0, 1.0, 4.0, 4.0]> : vector<4xf32>
  vector.transfer_write %v7, %a3[%v5, %v6] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<4xf32>, memref<4x8xf32>
  return %v4, %v1, %v6 : tensor<?x4xf32>, index, index
}
func.func @x172(%a0: index, %a1: memref<4x8xf32>, %a2: tensor<4x4x4xf32>) -> (index, index, vector<2xf32>) {
  %v1 = arith.constant dense<true> : vector<8xi1>
  %v2 = arith.constant dense<[4.0, 0.0, 1.0, 1.0, 0.0, 1.0, 4.0, 0.0]> : vector<8xf32>
  vector.transfer_write %v2, %a1[%a0, %a0], %v1 {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<8xf32>, memref<4x8xf32>
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 1 : index
  %v5 = arith.constant -1 : index
  %v6 = arith.constant dense<[3.0, 3.0]> : vector<2xf32>
  %v7 = vector.transfer_write %v6, %a2[%v3, %v4, %v5] {in_bounds = [true], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : vector<2xf32>, tensor<4x4x4xf32>
  return %v3, %v4, %v6 : index, index, vector<2xf32>
}
func.func @x173(%a0: index, %a1: tensor<4x8xf32>, %a2: memref<8xf32>) -> (vector<2xf32>, index, vector<2xi1>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0.0 : f32
  %v4 = vector.transfer_read %a1[%v2, %v2], %v3 {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : tensor<4x8xf32>, vector<2xf32>
  %v5 = arith.constant dense<true> : vector<2xi1>
  vector.transfer_write %v4, %a2[%v1], %v5 {in_bounds = [true], permutation_map = affine_map<(d0) -> (d0)>} : vector<2xf32>, memref<8xf32>
  return %v4, %v1, %v5 : vector<2xf32>, index, vector<2xi1>
}
func.func @x174(%a0: index, %a1: tensor<4x8xf32>) -> (tensor<4x8xf32>, index, vector<8xf32>) {
  %v1 = arith.constant 2 : index
  %v2 = arith.constant 1 : index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant dense<[3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0]> : vector<8xf32>
  %v5 = vector.transfer_write %v4, %a1[%v3, %v2] {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<8xf32>, tensor<4x8xf32>
  return %v5, %v2, %v4 : tensor<4x8xf32>, index, vector<8xf32>
}
func.func @x175(%a0: index, %a1: tensor<4x4x4xf32>, %a2: memref<?x4xf32>) -> (index, f32, index) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant 0 : index
  %v4 = arith.constant 0.0 : f32
  %v5 = vector.transfer_read %a1[%v3, %v3, %v3], %v4 {in_bounds = [false, true], permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>} : tensor<4x4x4xf32>, vector<4x4xf32>
  %v6 = arith.constant 0 : index
  %v7 = arith.constant 0 : index
  %v8 = arith.constant dense<[[2.0]]> : vector<1x1xf32>
  vector.transfer_write %v8, %a2[%v3, %v3] {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<1x1xf32>, memref<?x4xf32>
  return %v6, %v4, %v7 : index, f32, index
}
func.func @x176(%a0: index, %a1: tensor<4x4xf32>, %a2: tensor<4x4x4xf32>) -> (index, index, tensor<4x4xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 1 : index
  %v3 = arith.constant dense<[[4.0, 3.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 3.0, 1.0, 4.0], [3.0, 0.0, 1.0, 1.0]]> : vector<4x4xf32>
  %v4 = vector.transfer_write %v3, %a1[%v1, %v2] {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x4xf32>, tensor<4x4xf32>
  %v5 = arith.constant 1 : index
  %v6 = arith.constant 0 : index
  %v7 = vector.constant_mask [4] : vector<4xi1>
  %v8 = arith.constant 0.0 : f32
  %v9 = vector.transfer_read %a2[%v5, %a0, %v6], %v8, %v7 {in_bounds = [true], permutation_map = affine_map<(d0, d1, d2) -> (d2)>} : tensor<4x4x4xf32>, vector<4xf32>
  return %v6, %v2, %v4 : index, index, tensor<4x4xf32>
}
func.func @x177(%a0: index, %a1: memref<?x4xf32>) -> (index, vector<4x4xf32>, index) {
  %v1 = arith.constant 1 : index
  %v2 = arith.constant 5 : index
  %v3 = arith.constant dense<[[4.0, 3.0, 1.0, 1.0], [0.0, 0.0, 4.0, 0.0], [0.0, 3.0, 4.0, 2.0], [3.0, 4.0, 2.0, 3.0]]> : vector<4x4xf32>
  vector.transfer_write %v3, %a1[%v1, %v2] {in_bounds = [false, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<4x4xf32>, memref<?x4xf32>
  return %v1, %v3, %v2 : index, vector<4x4xf32>, index
}
func.func @x178(%a0: index, %a1: tensor<8xf32>, %a2: tensor<4x8xf32>, %a3: memref<?x4xf32>, %a4: vector<2x4xf32>) -> (vector<4xf32>, index, index) {
  %v1 = arith.constant 0 : index
  %v2 = arith.constant 0 : index
  %v3 = arith.constant dense<[2.0, 4.0, 4.0, 3.0]> : vector<4xf32>
  %v4 = vector.transfer_write %v3, %a1[%v2] {in_bounds = [false], permutation_map = affine_map<(d0) -> (d0)>} : vector<4xf32>, tensor<8xf32>
  %v5 = arith.constant 7 : index
  %v6 = arith.constant 0.0 : f32
  %v7 = vector.transfer_read %a2[%v2, %v2], %v6 {in_bounds = [false], permutation_map = affine_map<(d0, d1) -> (d1)>} : tensor<4x8xf32>, vector<8xf32>
  %v8 = arith.constant 0 : index
  vector.transfer_write %a4, %a3[%v1, %v8] {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<2x4xf32>, memref<?x4xf32>
  return %v3, %v1, %v8 : vector<4xf32>, index, index
}
func.func @x179(%a0: index, %a1: memref<8xf32>, %a2: memref<4x4xf32>, %a3: memref<?x4xf32>, %a4: vector<1x2xf32>) -> (vector<2xf32>, index, index) {
  %v1 = arith.constant 2 : index
  %v2 = arith.constant 0.0 : f32
  %v3 = vector.transfer_read %a1[%v1], %v2 {in_bounds = [true], permutation_map = affine_map<(d0) -> (0)>} : memref<8xf32>, vector<8xf32>
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 1 : index
  %v6 = arith.constant dense<[2.0, 3.0]> : vector<2xf32>
  vector.transfer_write %v6, %a2[%v4, %v5] {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d1)>} : vector<2xf32>, memref<4x4xf32>
  %v7 = arith.constant 0 : index
  vector.transfer_write %a4, %a3[%v7, %v1] {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : vector<1x2xf32>, memref<?x4xf32>
  return %v6, %v5, %v4 : vector<2xf32>, index, index
}
func.func @m181(%a0: index, %a1: memref<?x?xf32>, %a2: memref<256xi8>, %a3: memref<4x8xf32>) -> (memref<?x?xf32>, vector<2xf32>, memref<8x?xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = memref.dim %a1, %v1 : memref<?x?xf32>
  %v3 = arith.constant 0 : index
  %v4 = memref.dim %a1, %v3 : memref<?x?xf32>
  %v5 = memref.cast %a1 : memref<?x?xf32> to memref<8x?xf32>
  %v6 = vector.load %v5[%a0, %v2] : memref<8x?xf32>, vector<2xf32>
  %v7 = memref.view %a2[%v3][] : memref<256xi8> to memref<8xf32>
  %v8 = memref.cast %a3 : memref<4x8xf32> to memref<?x?xf32>
  return %v8, %v6, %v5 : memref<?x?xf32>, vector<2xf32>, memref<8x?xf32>
}
func.func @m182(%a0: index, %a1: memref<2x?x3xf32>) -> (index, memref<?x2x?xf32, strided<[?, ?, 1]>>, f32) {
  %v1 = memref.load %a1[%a0, %a0, %a0] : memref<2x?x3xf32>
  %v2 = arith.constant 2 : index
  %v3 = memref.subview %a1[0, 0, 0] [%v2, 2, %v2] [1, %a0, 1] : memref<2x?x3xf32> to memref<?x2x?xf32, strided<[?, ?, 1]>>
  %v4 = arith.constant 1 : index
  %v5 = memref.dim %v3, %v4 : memref<?x2x?xf32, strided<[?, ?, 1]>>
  return %v5, %v3, %v1 : index, memref<?x2x?xf32, strided<[?, ?, 1]>>, f32
}
func.func @m183(%a0: index, %a1: memref<4x8xf32>, %a2: memref<4x8xf32>) -> (index, index, index) {
  %v1 = memref.cast %a1 : memref<4x8xf32> to memref<4x8xf32>
  %v2 = arith.constant 1 : index
  %v3 = memref.dim %a1, %v2 : memref<4x8xf32>
  %v4 = memref.collapse_shape %v1 [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %v5 = memref.rank %a1 : memref<4x8xf32>
  %v6 = arith.constant 1 : index
  %v7 = memref.dim %v1, %v6 : memref<4x8xf32>
  %v8 = arith.constant 1 : index
  %v9 = memref.subview %a2[0, %v8] [2, %v5] [1, 1] : memref<4x8xf32> to memref<2x?xf32, strided<[8, 1], offset: ?>>
  %v10 = arith.constant 0 : index
  %v11 = memref.dim %v9, %v10 : memref<2x?xf32, strided<[8, 1], offset: ?>>
  return %v3, %v10, %v2 : index, index, index
}
func.func @m184(%a0: index, %a1: memref<?x8xf32>, %a2: memref<1x4xf32>) -> (memref<2x?xf32, strided<[8, 1], offset: ?>>, index, index) {
  %v1 = arith.constant 0 : index
  %v2 = memref.subview %a1[%a0, %a0] [2, %v1] [1, 1] : memref<?x8xf32> to memref<2x?xf32, strided<[8, 1], offset: ?>>
  %v3 = arith.constant 1 : index
  %v4 = memref.dim %v2, %v3 : memref<2x?xf32, strided<[8, 1], offset: ?>>
  %v5 = memref.transpose %a2 (i, j) -> (j, i) : memref<1x4xf32> to memref<4x1xf32, strided<[1, 4]>>
  %v6 = memref.transpose %v5 (i, j) -> (j, i) : memref<4x1xf32, strided<[1, 4]>> to memref<1x4xf32, strided<[4, 1]>>
  return %v2, %v4, %v1 : memref<2x?xf32, strided<[8, 1], offset: ?>>, index, index
}
func.func @m185(%a0: index, %a1: memref<2x?x3xf32>) -> (f32, memref<4xf32>, memref<2x?x3xf32>) {
  %v1 = arith.constant 1 : index
  %v2 = memref.load %a1[%a0, %a0, %v1] : memref<2x?x3xf32>
  %v3 = memref.assume_alignment %a1, 4 : memref<2x?x3xf32>
  %v4 = memref.reinterpret_cast %v3 to offset: [0], sizes: [4], strides: [1] : memref<2x?x3xf32> to memref<4xf32>
  %v5 = memref.cast %v4 : memref<4xf32> to memref<?xf32>
  %v6 = memref.reinterpret_cast %v5 to offset: [0], sizes: [4], strides: [1] : memref<?xf32> to memref<4xf32>
  return %v2, %v4, %v3 : f32, memref<4xf32>, memref<2x?x3xf32>
}
func.func @m187(%a0: index, %a1: memref<?x?xf32>, %a2: memref<?x8xf32>) -> (f32, index, index) {
  %v1 = memref.subview %a1[%a0, 0] [%a0, 2] [1, 1] : memref<?x?xf32> to memref<?x2xf32, strided<[?, 1], offset: ?>>
  %v2 = arith.constant 0 : index
  %v3 = memref.dim %v1, %v2 : memref<?x2xf32, strided<[?, 1], offset: ?>>
  %v4 = memref.load %a1[%v3, %a0] : memref<?x?xf32>
  %v5 = arith.constant 0 : index
  %v6 = memref.subview %a2[%v5, 0] [2, 8] [1, 1] : memref<?x8xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
  %v7 = arith.constant 1 : index
  %v8 = memref.dim %v6, %v7 : memref<2x8xf32, strided<[8, 1], offset: ?>>
  return %v4, %v5, %v3 : f32, index, index
}
func.func @m188(%a0: index, %a1: memref<4xf32>, %a2: memref<4x8xf32>) -> (f32, memref<4x?xf32>, index) {
  %v1 = arith.constant 1.0 : f32
  memref.store %v1, %a1[%a0] : memref<4xf32>
  %v2 = arith.constant 0 : index
  %v3 = memref.dim %a1, %v2 : memref<4xf32>
  %v4 = memref.cast %a2 : memref<4x8xf32> to memref<4x?xf32>
  return %v1, %v4, %v2 : f32, memref<4x?xf32>, index
}
func.func @m189(%a0: index, %a1: memref<4xf32>, %a2: memref<4x8xf32>, %a3: memref<256xi8>) -> (memref<8xf32>, index, index) {
  %v1 = memref.rank %a1 : memref<4xf32>
  %v2 = arith.constant 1 : index
  %v3 = memref.load %a2[%v2, %a0] : memref<4x8xf32>
  %v4 = arith.constant 2 : index
  %v5 = memref.view %a3[%v4][] : memref<256xi8> to memref<8xf32>
  memref.copy %a1, %a1 : memref<4xf32> to memref<4xf32>
  %v6 = memref.reinterpret_cast %a1 to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xf32> to memref<2x2xf32>
  return %v5, %v2, %v4 : memref<8xf32>, index, index
}
func.func @m190(%a0: index, %a1: memref<1x4xf32>) -> (index, f32) {
  memref.copy %a1, %a1 : memref<1x4xf32> to memref<1x4xf32>
  %v1 = arith.constant 3.0 : f32
  %v2 = arith.constant 3 : index
  memref.store %v1, %a1[%a0, %v2] : memref<1x4xf32>
  return %v2, %v1 : index, f32
}
func.func @m191(%a0: index, %a1: memref<4x8xf32>, %a2: memref<256xi8>) -> (memref<?x4xf32>, vector<2xf32>, index) {
  %v1 = memref.subview %a1[0, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  %v2 = memref.transpose %a1 (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  %v3 = memref.transpose %v2 (i, j) -> (j, i) : memref<8x4xf32, strided<[1, 8]>> to memref<4x8xf32, strided<[8, 1]>>
  %v4 = arith.constant 0 : index
  %v5 = memref.dim %a1, %v4 : memref<4x8xf32>
  %v6 = arith.constant 7 : index
  %v7 = memref.view %a2[%v5][%v6] : memref<256xi8> to memref<?x4xf32>
  %v8 = arith.constant 0 : index
  %v9 = vector.load %a1[%v4, %v8] : memref<4x8xf32>, vector<2xf32>
  return %v7, %v9, %v6 : memref<?x4xf32>, vector<2xf32>, index
}
func.func @m192(%a0: index, %a1: memref<4x8xf32>) -> (memref<?xf32>, index, index) {
  %v1 = memref.cast %a1 : memref<4x8xf32> to memref<?x8xf32>
  %v2 = memref.alloc(%a0) : memref<4x?xf32>
  %v3 = memref.collapse_shape %v2 [[0, 1]] : memref<4x?xf32> into memref<?xf32>
  %v4 = arith.constant 0 : index
  %v5 = memref.subview %v2[%v4, 0] [4, 2] [1, 1] : memref<4x?xf32> to memref<4x2xf32, strided<[?, 1], offset: ?>>
  %v6 = arith.constant 6 : index
  %v7 = memref.dim %v1, %v6 : memref<?x8xf32>
  return %v3, %v4, %v6 : memref<?xf32>, index, index
}
func.func @m193(%a0: index, %a1: memref<?x?xf32>, %a2: memref<?x8xf32>) -> (index, index, memref<8x?xf32, strided<[1, 8]>>) {
  %v1 = arith.constant 1 : index
  %v2 = memref.dim %a1, %v1 : memref<?x?xf32>
  memref.copy %a1, %a1 : memref<?x?xf32> to memref<?x?xf32>
  %v3 = memref.transpose %a2 (i, j) -> (j, i) : memref<?x8xf32> to memref<8x?xf32, strided<[1, 8]>>
  %v4 = memref.transpose %v3 (i, j) -> (j, i) : memref<8x?xf32, strided<[1, 8]>> to memref<?x8xf32, strided<[8, 1]>>
  return %v1, %v2, %v3 : index, index, memref<8x?xf32, strided<[1, 8]>>
}
func.func @m194(%a0: index, %a1: memref<1x4xf32>) -> (f32, index, index) {
  %v1 = arith.constant 3 : index
  %v2 = arith.constant 2 : index
  %v3 = memref.load %a1[%v1, %v2] : memref<1x4xf32>
  %v4 = arith.constant -1 : index
  %v5 = memref.dim %a1, %v4 : memref<1x4xf32>
  %v6 = memref.transpose %a1 (i, j) -> (j, i) : memref<1x4xf32> to memref<4x1xf32, strided<[1, 4]>>
  return %v3, %v2, %v1 : f32, index, index
}
func.func @m195(%a0: index, %a1: memref<2x?x3xf32>, %a2: memref<256xi8>, %a3: memref<256xi8>) -> (index, index, memref<8x4xf32>) {
  %v1 = memref.view %a2[%a0][%a0] : memref<256xi8> to memref<?x4xf32>
  %v2 = memref.cast %v1 : memref<?x4xf32> to memref<8x?xf32>
  %v3 = memref.cast %v1 : memref<?x4xf32> to memref<8x4xf32>
  %v4 = arith.constant 3 : index
  %v5 = memref.view %a3[%v4][] : memref<256xi8> to memref<8xf32>
  %v6 = arith.constant 0 : index
  %v7 = memref.dim %v5, %v6 : memref<8xf32>
  return %v4, %v7, %v3 : index, index, memref<8x4xf32>
}
func.func @m197(%a0: index, %a1: memref<2x?x3xf32>, %a2: memref<?x8xf32>, %a3: memref<?xf32>, %a4: memref<1x4xf32>) -> (f32, memref<2x?x?xf32>, index) {
  %v1 = memref.cast %a1 : memref<2x?x3xf32> to memref<2x?x?xf32>
  %v2 = memref.cast %a2 : memref<?x8xf32> to memref<?x?xf32>
  %v3 = arith.constant 0 : index
  %v4 = memref.dim %a3, %v3 : memref<?xf32>
  %v5 = arith.constant 0 : index
  %v6 = memref.load %a1[%v5, %v4, %v4] : memref<2x?x3xf32>
  %v7 = arith.constant 2 : index
  %v8 = memref.dim %a1, %v7 : memref<2x?x3xf32>
  return %v6, %v1, %v7 : f32, memref<2x?x?xf32>, index
}
func.func @m198(%a0: index, %a1: memref<4x8xf32>) -> (index, index, index) {
  %v1 = memref.subview %a1[%a0, 0] [4, %a0] [1, 1] : memref<4x8xf32> to memref<4x?xf32, strided<[8, 1], offset: ?>>
  memref.copy %a1, %a1 : memref<4x8xf32> to memref<4x8xf32>
  %v2 = arith.constant 3 : index
  %v3 = arith.constant 1 : index
  %v4 = arith.constant 0 : index
  %v5 = arith.constant 1 : index
  %v6 = memref.subview %a1[0, %v4] [%v2, %v3] [1, %v5] : memref<4x8xf32> to memref<?x?xf32, strided<[8, ?], offset: ?>>
  %v7 = arith.constant 0 : index
  %v8 = memref.dim %v6, %v7 : memref<?x?xf32, strided<[8, ?], offset: ?>>
  return %v7, %v4, %v5 : index, index, index
}
func.func @m199(%a0: index, %a1: memref<4xf32>) -> (memref<4x?xf32>, index, index) {
  %v1 = arith.constant 1.0 : f32
  memref.store %v1, %a1[%a0] : memref<4xf32>
  %v2 = memref.rank %a1 : memref<4xf32>
  %v3 = arith.constant 0 : index
  %v4 = memref.alloc(%v3) : memref<4x?xf32>
  %v5 = arith.constant 1 : index
  %v6 = memref.dim %v4, %v5 : memref<4x?xf32>
  return %v4, %v3, %v2 : memref<4x?xf32>, index, index
}
func.func @m200(%a0: index, %a1: memref<4xf32>, %a2: memref<?x?xf32>, %a3: memref<4x8xf32>, %a4: memref<?xf32>) -> (memref<4x8xf32>, memref<8x4xf32, strided<[1, 8]>>, memref<4x8xf32>) {
  %v1 = memref.assume_alignment %a1, 4 : memref<4xf32>
  %v2 = arith.constant 0 : index
  %v3 = memref.dim %v1, %v2 : memref<4xf32>
  memref.copy %v1, %v1 : memref<4xf32> to memref<4xf32>
  %v4 = memref.cast %a2 : memref<?x?xf32> to memref<4x8xf32>
  %v5 = memref.cast %a3 : memref<4x8xf32> to memref<4x8xf32>
  %v6 = memref.transpose %a3 (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  return %v4, %v6, %v5 : memref<4x8xf32>, memref<8x4xf32, strided<[1, 8]>>, memref<4x8xf32>
}
func.func @m201(%a0: index, %a1: memref<?x8xf32>) -> (index, index, memref<?x8xf32>) {
  memref.copy %a1, %a1 : memref<?x8xf32> to memref<?x8xf32>
  %v1 = memref.assume_alignment %a1, 4 : memref<?x8xf32>
  %v2 = memref.assume_alignment %a1, 4 : memref<?x8xf32>
  %v3 = arith.constant 1 : index
  %v4 = memref.dim %a1, %v3 : memref<?x8xf32>
  %v5 = arith.constant 1 : index
  %v6 = arith.constant 1 : index
  %v7 = memref.subview %v1[%v5, 0] [%a0, %v6] [1, 1] : memref<?x8xf32> to memref<?x?xf32, strided<[8, 1], offset: ?>>
  %v8 = arith.constant 0 : index
  %v9 = memref.dim %v7, %v8 : memref<?x?xf32, strided<[8, 1], offset: ?>>
  return %v6, %v3, %v2 : index, index, memref<?x8xf32>
}
func.func @m202(%a0: index, %a1: memref<4xf32>, %a2: memref<4x8xf32>) -> (memref<?xf32>, memref<?x8xf32>) {
  %v1 = memref.cast %a1 : memref<4xf32> to memref<?xf32>
  %v2 = memref.cast %a2 : memref<4x8xf32> to memref<?x8xf32>
  memref.copy %v1, %v1 : memref<?xf32> to memref<?xf32>
  memref.copy %a1, %a1 : memref<4xf32> to memref<4xf32>
  return %v1, %v2 : memref<?xf32>, memref<?x8xf32>
}
func.func @m204(%a0: index, %a1: memref<1x4xf32>, %a2: memref<256xi8>) -> (memref<8xf32>, index, index) {
  %v1 = arith.constant -1 : index
  %v2 = memref.view %a2[%v1][] : memref<256xi8> to memref<8xf32>
  %v3 = arith.constant 1 : index
  %v4 = arith.constant 1 : index
  %v5 = memref.subview %a1[0, 0] [%v3, %v4] [1, 1] : memref<1x4xf32> to memref<?x?xf32, strided<[4, 1]>>
  %v6 = arith.constant 1 : index
  %v7 = memref.dim %v5, %v6 : memref<?x?xf32, strided<[4, 1]>>
  return %v2, %v6, %v1 : memref<8xf32>, index, index
}
func.func @m205(%a0: index, %a1: memref<?x?xf32>, %a2: f32) -> (index, index, index) {
  %v1 = arith.constant 3 : index
  memref.store %a2, %a1[%v1, %a0] : memref<?x?xf32>
  %v2 = memref.rank %a1 : memref<?x?xf32>
  %v3 = arith.constant 1.0 : f32
  memref.store %v3, %a1[%v2, %v1] : memref<?x?xf32>
  %v4 = memref.reinterpret_cast %a1 to offset: [0], sizes: [4], strides: [1] : memref<?x?xf32> to memref<4xf32>
  %v5 = arith.constant 1 : index
  %v6 = memref.subview %a1[%v5, 0] [2, 2] [1, 1] : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
  %v7 = arith.constant 1 : index
  %v8 = memref.dim %v6, %v7 : memref<2x2xf32, strided<[?, 1], offset: ?>>
  return %v1, %v2, %v8 : index, index, index
}
func.func @m206(%a0: index, %a1: memref<4xf32>, %a2: memref<?x?xf32>) -> (memref<?x8xf32>, index, index) {
  %v1 = memref.assume_alignment %a1, 8 : memref<4xf32>
  %v2 = memref.rank %a1 : memref<4xf32>
  %v3 = memref.cast %a2 : memref<?x?xf32> to memref<?x8xf32>
  %v4 = arith.constant 1.0 : f32
  %v5 = arith.constant 2 : index
  memref.store %v4, %a2[%v5, %v2] : memref<?x?xf32>
  return %v3, %v2, %v5 : memref<?x8xf32>, index, index
}
func.func @m208(%a0: index, %a1: memref<?x8xf32>) -> (memref<?x?xf32, strided<[?, 1]>>, index, index) {
  memref.copy %a1, %a1 : memref<?x8xf32> to memref<?x8xf32>
  %v1 = arith.constant 2 : index
  %v2 = arith.constant 2 : index
  %v3 = memref.subview %a1[0, 0] [%v1, %v2] [%v1, 1] : memref<?x8xf32> to memref<?x?xf32, strided<[?, 1]>>
  return %v3, %v2, %v1 : memref<?x?xf32, strided<[?, 1]>>, index, index
}
func.func @m209(%a0: index, %a1: memref<4xf32>, %a2: memref<4xf32>, %a3: f32) -> (index, index, index) {
  %v1 = memref.cast %a1 : memref<4xf32> to memref<4xf32>
  %v2 = memref.assume_alignment %a1, 8 : memref<4xf32>
  %v3 = arith.constant 1 : index
  %v4 = memref.load %a1[%v3] : memref<4xf32>
  %v5 = memref.load %v2[%v3] : memref<4xf32>
  %v6 = memref.cast %a2 : memref<4xf32> to memref<?xf32>
  %v7 = arith.constant 0 : index
  memref.store %a3, %v6[%v7] : memref<?xf32>
  %v8 = arith.constant 0 : index
  %v9 = memref.dim %a1, %v8 : memref<4xf32>
  return %v7, %v3, %v8 : index, index, index
}
func.func @m211(%a0: index, %a1: memref<?xf32>, %a2: memref<1x4xf32>, %a3: memref<256xi8>) -> (memref<?xf32>, f32, memref<?xf32>) {
  %v1 = memref.cast %a1 : memref<?xf32> to memref<?xf32>
  %v2 = memref.load %v1[%a0] : memref<?xf32>
  %v3 = memref.cast %a1 : memref<?xf32> to memref<?xf32>
  %v4 = memref.cast %a1 : memref<?xf32> to memref<?xf32>
  %v5 = arith.constant 1 : index
  %v6 = memref.view %a3[%v5][%a0] : memref<256xi8> to memref<?x4xf32>
  %v7 = memref.cast %a2 : memref<1x4xf32> to memref<?x?xf32>
  %v8 = memref.reinterpret_cast %v6 to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<?x4xf32> to memref<2x2xf32>
  return %v1, %v2, %v3 : memref<?xf32>, f32, memref<?xf32>
}
func.func @m212(%a0: index, %a1: memref<1x4xf32>, %a2: memref<256xi8>, %a3: memref<1x4xf32>) -> (vector<2xf32>, memref<?x4xf32>, index) {
  %v1 = memref.cast %a1 : memref<1x4xf32> to memref<1x4xf32>
  %v2 = arith.constant 0 : index
  %v3 = memref.view %a2[%a0][%v2] : memref<256xi8> to memref<?x4xf32>
  %v4 = arith.constant 2 : index
  %v5 = arith.constant 1 : index
  %v6 = vector.load %v1[%v4, %v5] : memref<1x4xf32>, vector<2xf32>
  %v7 = arith.constant 0 : index
  %v8 = arith.constant 0 : index
  %v9 = memref.subview %a3[0, %v8] [%v7, 4] [1, 1] : memref<1x4xf32> to memref<?x4xf32, strided<[4, 1], offset: ?>>
  %v10 = arith.constant 1 : index
  %v11 = memref.dim %v9, %v10 : memref<?x4xf32, strided<[4, 1], offset: ?>>
  return %v6, %v3, %v4 : vector<2xf32>, memref<?x4xf32>, index
}
func.func @m214(%a0: index, %a1: memref<1x4xf32>) -> (index, memref<?x2xf32, strided<[4, 1]>>, index) {
  %v1 = arith.constant 5 : index
  %v2 = memref.subview %a1[0, %v1] [1, %a0] [1, 1] : memref<1x4xf32> to memref<1x?xf32, strided<[4, 1], offset: ?>>
  %v3 = memref.assume_alignment %a1, 8 : memref<1x4xf32>
  %v4 = arith.constant 3 : index
  %v5 = memref.subview %v3[0, 0] [%v4, 2] [1, 1] : memref<1x4xf32> to memref<?x2xf32, strided<[4, 1]>>
  %v6 = arith.constant 0 : index
  %v7 = memref.dim %v3, %v6 : memref<1x4xf32>
  return %v7, %v5, %v1 : index, memref<?x2xf32, strided<[4, 1]>>, index
}
func.func @m215(%a0: index, %a1: memref<?x?xf32>, %a2: memref<256xi8>) -> (index, index, memref<?x4xf32>) {
  %v1 = memref.cast %a1 : memref<?x?xf32> to memref<8x4xf32>
  %v2 = arith.constant 0.0 : f32
  memref.store %v2, %v1[%a0, %a0] : memref<8x4xf32>
  %v3 = arith.constant 1 : index
  %v4 = memref.dim %a1, %v3 : memref<?x?xf32>
  %v5 = memref.view %a2[%v4][%v3] : memref<256xi8> to memref<?x4xf32>
  %v6 = arith.constant 1 : index
  %v7 = memref.subview %a1[0, 0] [2, 2] [%v6, 1] : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1]>>
  %v8 = arith.constant 1 : index
  %v9 = memref.dim %v7, %v8 : memref<2x2xf32, strided<[?, 1]>>
  return %v4, %v3, %v5 : index, index, memref<?x4xf32>
}
func.func @m216(%a0: index, %a1: memref<2x?x3xf32>) -> (index, f32, index) {
  %v1 = arith.constant 3 : index
  %v2 = arith.constant 6 : index
  %v3 = memref.alloc(%v1, %v2) : memref<?x?xf32>
  %v4 = arith.constant 2 : index
  %v5 = memref.load %a1[%v1, %v4, %v1] : memref<2x?x3xf32>
  %v6 = arith.constant 3 : index
  %v7 = arith.constant 0 : index
  %v8 = arith.constant 0 : index
  %v9 = memref.subview %a1[%v7, 0, 0] [%v6, %v2, %v8] [1, 1, 1] : memref<2x?x3xf32> to memref<?x?x?xf32, strided<[?, 3, 1], offset: ?>>
  %v10 = arith.constant 0 : index
  %v11 = memref.dim %v9, %v10 : memref<?x?x?xf32, strided<[?, 3, 1], offset: ?>>
  return %v4, %v5, %v7 : index, f32, index
}
func.func @m217(%a0: index, %a1: memref<2x?x3xf32>) -> (memref<2x2xf32>, index, index) {
  %v1 = memref.rank %a1 : memref<2x?x3xf32>
  memref.copy %a1, %a1 : memref<2x?x3xf32> to memref<2x?x3xf32>
  %v2 = memref.reinterpret_cast %a1 to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<2x?x3xf32> to memref<2x2xf32>
  %v3 = arith.constant 1 : index
  %v4 = arith.constant 1 : index
  %v5 = arith.constant 3 : index
  %v6 = memref.subview %a1[%v3, %v4, 0] [2, 2, %v5] [1, 1, 1] : memref<2x?x3xf32> to memref<2x2x?xf32, strided<[?, 3, 1], offset: ?>>
  %v7 = arith.constant 2 : index
  %v8 = memref.dim %v6, %v7 : memref<2x2x?xf32, strided<[?, 3, 1], offset: ?>>
  return %v2, %v3, %v7 : memref<2x2xf32>, index, index
}
func.func @m218(%a0: index, %a1: memref<?x?xf32>) -> (memref<?x?xf32, strided<[1, ?]>>, index, memref<?x?xf32, strided<[?, 1]>>) {
  %v1 = arith.constant 0 : index
  %v2 = memref.dim %a1, %v1 : memref<?x?xf32>
  %v3 = memref.transpose %a1 (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %v4 = memref.transpose %v3 (i, j) -> (j, i) : memref<?x?xf32, strided<[1, ?]>> to memref<?x?xf32, strided<[?, 1]>>
  return %v3, %v2, %v4 : memref<?x?xf32, strided<[1, ?]>>, index, memref<?x?xf32, strided<[?, 1]>>
}
func.func @m221(%a0: index, %a1: memref<4xf32>, %a2: memref<256xi8>) -> (index, memref<8xf32>, memref<4x?xf32>) {
  memref.copy %a1, %a1 : memref<4xf32> to memref<4xf32>
  %v1 = memref.alloc(%a0) : memref<4x?xf32>
  %v2 = arith.constant 1 : index
  %v3 = memref.view %a2[%v2][] : memref<256xi8> to memref<8xf32>
  return %v2, %v3, %v1 : index, memref<8xf32>, memref<4x?xf32>
}
func.func @m222(%a0: index, %a1: memref<1x4xf32>) -> (index, vector<2xf32>, f32) {
  %v1 = arith.constant 0.0 : f32
  %v2 = arith.constant 1 : index
  memref.store %v1, %a1[%v2, %v2] : memref<1x4xf32>
  %v3 = arith.constant 2 : index
  %v4 = arith.constant 2 : index
  %v5 = vector.load %a1[%v3, %v4] : memref<1x4xf32>, vector<2xf32>
  return %v2, %v5, %v1 : index, vector<2xf32>, f32
}
func.func @m223(%a0: index, %a1: memref<?x8xf32>, %a2: memref<4x8xf32>, %a3: memref<256xi8>, %a4: memref<?x?xf32>) -> (memref<4x4xf32>, memref<8x?xf32, strided<[1, 8]>>, memref<8xf32>) {
  %v1 = memref.transpose %a1 (i, j) -> (j, i) : memref<?x8xf32> to memref<8x?xf32, strided<[1, 8]>>
  %v2 = memref.cast %a2 : memref<4x8xf32> to memref<?x?xf32>
  %v3 = memref.view %a3[%a0][] : memref<256xi8> to memref<8xf32>
  %v4 = memref.transpose %a1 (i, j) -> (j, i) : memref<?x8xf32> to memref<8x?xf32, strided<[1, 8]>>
  %v5 = memref.transpose %v4 (i, j) -> (j, i) : memref<8x?xf32, strided<[1, 8]>> to memref<?x8xf32, strided<[8, 1]>>
  %v6 = memref.cast %a4 : memref<?x?xf32> to memref<4x4xf32>
  return %v6, %v4, %v3 : memref<4x4xf32>, memref<8x?xf32, strided<[1, 8]>>, memref<8xf32>
}
func.func @m224(%a0: index, %a1: memref<?x8xf32>, %a2: f32) -> (index, index, index) {
  %v1 = arith.constant 2 : index
  %v2 = arith.constant 1 : index
  memref.store %a2, %a1[%v1, %v2] : memref<?x8xf32>
  %v3 = arith.constant 1 : index
  %v4 = memref.dim %a1, %v3 : memref<?x8xf32>
  return %v3, %v1, %v4 : index, index, index
}
func.func @m226(%a0: index, %a1: memref<?x8xf32>) -> (f32, memref<4xf32>, memref<?xf32>) {
  %v1 = arith.constant 1.0 : f32
  %v2 = arith.constant 2 : index
  memref.store %v1, %a1[%a0, %v2] : memref<?x8xf32>
  %v3 = memref.alloc() : memref<4xf32>
  %v4 = memref.cast %a1 : memref<?x8xf32> to memref<?x?xf32>
  %v5 = memref.rank %a1 : memref<?x8xf32>
  %v6 = memref.collapse_shape %a1 [[0, 1]] : memref<?x8xf32> into memref<?xf32>
  %v7 = memref.cast %v3 : memref<4xf32> to memref<?xf32>
  return %v1, %v3, %v6 : f32, memref<4xf32>, memref<?xf32>
}
func.func @m228(%a0: index, %a1: memref<4xf32>, %a2: memref<?xf32>, %a3: memref<4x8xf32>) -> (f32, index, memref<4x?xf32>) {
  %v1 = memref.load %a1[%a0] : memref<4xf32>
  %v2 = memref.alloc(%a0) : memref<4x?xf32>
  %v3 = arith.constant 0 : index
  %v4 = memref.dim %a2, %v3 : memref<?xf32>
  %v5 = memref.load %a2[%a0] : memref<?xf32>
  %v6 = memref.reinterpret_cast %a3 to offset: [0], sizes: [4], strides: [1] : memref<4x8xf32> to memref<4xf32>
  memref.copy %a2, %a2 : memref<?xf32> to memref<?xf32>
  return %v5, %v3, %v2 : f32, index, memref<4x?xf32>
}
func.func @m229(%a0: index, %a1: memref<?x?xf32>) -> (index, memref<2x?xf32, strided<[?, 1]>>, index) {
  %v1 = arith.constant 2 : index
  %v2 = memref.subview %a1[0, 0] [2, %v1] [1, 1] : memref<?x?xf32> to memref<2x?xf32, strided<[?, 1]>>
  %v3 = arith.constant 1 : index
  %v4 = memref.dim %a1, %v3 : memref<?x?xf32>
  return %v1, %v2, %v3 : index, memref<2x?xf32, strided<[?, 1]>>, index
}
