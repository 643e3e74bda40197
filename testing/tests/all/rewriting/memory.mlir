func.func @dead(%i: index, %x: f32) {
  %a = memref.alloc(%i) : memref<?x4xf32>
  memref.store %x, %a[%i, %i] : memref<?x4xf32>
  memref.store %x, %a[%i, %i] : memref<?x4xf32>
  memref.dealloc %a : memref<?x4xf32>
  return
}
func.func @constant_size(%i: index) -> memref<?x?xf32> {
  %c4 = arith.constant 4 : index
  %a = memref.alloc(%c4, %i) {alignment = 64 : i64} : memref<?x?xf32>
  return %a : memref<?x?xf32>
}
func.func @negative_size(%i: index) -> memref<?x?xf32> {
  %c4 = arith.constant -4 : index
  %a = memref.alloca(%c4, %i) : memref<?x?xf32>
  return %a : memref<?x?xf32>
}
func.func @copies(%a: memref<4xf32>, %b: memref<0xf32>, %c: memref<0xf32>) {
  memref.copy %a, %a : memref<4xf32> to memref<4xf32>
  memref.copy %b, %c : memref<0xf32> to memref<0xf32>
  return
}
func.func @apart(%a: memref<4x?xf32>) -> memref<4x?xf32, strided<[?, 1], offset: ?>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [%o], sizes: [4, %s#1], strides: [%t#0, 1] : memref<f32> to memref<4x?xf32, strided<[?, 1], offset: ?>>
  return %r : memref<4x?xf32, strided<[?, 1], offset: ?>>
}
func.func @apart_other(%a: memref<4x?xf32>, %i: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %a : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %b to offset: [%i], sizes: [%s#1], strides: [1] : memref<f32> to memref<?xf32, strided<[1], offset: ?>>
  return %r : memref<?xf32, strided<[1], offset: ?>>
}
func.func @constant_cast(%a: memref<4xf32>, %i: index) -> memref<?xf32, strided<[?], offset: ?>> {
  %c2 = arith.constant 2 : index
  %r = memref.reinterpret_cast %a to offset: [%c2], sizes: [%c2], strides: [%i] : memref<4xf32> to memref<?xf32, strided<[?], offset: ?>>
  return %r : memref<?xf32, strided<[?], offset: ?>>
}
func.func @part(%a: memref<4x?xf32>) -> memref<?x1xf32, strided<[?, 1], offset: ?>> {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %r = memref.subview %a[%c0, 0] [%c2, 1] [1, 1] : memref<4x?xf32> to memref<?x1xf32, strided<[?, 1], offset: ?>>
  return %r : memref<?x1xf32, strided<[?, 1], offset: ?>>
}
func.func @part_dropped(%a: memref<4x8xf32>, %i: index) -> memref<?xf32, strided<[1], offset: ?>> {
  %c2 = arith.constant 2 : index
  %r = memref.subview %a[%c2, %i] [1, %c2] [1, 1] : memref<4x8xf32> to memref<?xf32, strided<[1], offset: ?>>
  return %r : memref<?xf32, strided<[1], offset: ?>>
}
func.func @part_of_cast(%a: memref<4x8xf32>, %i: index) -> memref<2x2xf32, strided<[?, 1], offset: ?>> {
  %c = memref.cast %a : memref<4x8xf32> to memref<?x?xf32>
  %r = memref.subview %c[%i, 0] [2, 2] [1, 1] : memref<?x?xf32> to memref<2x2xf32, strided<[?, 1], offset: ?>>
  return %r : memref<2x2xf32, strided<[?, 1], offset: ?>>
}
func.func @whole(%a: memref<4x8xf32>) -> memref<4x8xf32, strided<[8, 1]>> {
  %r = memref.subview %a[0, 0] [4, 8] [1, 1] : memref<4x8xf32> to memref<4x8xf32, strided<[8, 1]>>
  return %r : memref<4x8xf32, strided<[8, 1]>>
}
func.func @view(%a: memref<64xi8>, %i: index) -> memref<?x?xf32> {
  %c2 = arith.constant 2 : index
  %r = memref.view %a[%i][%c2, %i] : memref<64xi8> to memref<?x?xf32>
  return %r : memref<?x?xf32>
}
func.func @view_of_cast(%i: index) -> memref<?xf32> {
  %a = memref.alloc() : memref<64xi8>
  %c = memref.cast %a : memref<64xi8> to memref<?xi8>
  %r = memref.view %c[%i][%i] : memref<?xi8> to memref<?xf32>
  return %r : memref<?xf32>
}
func.func @unused(%m: memref<4xf32>, %t: tensor<4xf32>, %i: index, %x: f32, %v: vector<4xf32>) {
  %0 = vector.load %m[%i] : memref<4xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i], %x : memref<4xf32>, vector<4xf32>
  %2 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<4xf32>
  %3 = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<4xf32>
  return
}
func.func @for_two_users(%t: tensor<4xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f32
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> tensor<?xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  return %r, %r : tensor<?xf32>, tensor<?xf32>
}
func.func @for_more_static(%t: tensor<?xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.0 : f32
  %c = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c) -> tensor<4xf32> {
    %b = tensor.insert %x into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
func.func @forall_cast(%t: tensor<8xf32>, %n: index, %s: tensor<1xf32>) -> tensor<?xf32> {
  %c = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  %r = scf.forall (%i) in (%n) shared_outs(%o = %c) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  return %r : tensor<?xf32>
}
func.func @forall_dim(%t: tensor<?xf32>, %n: index, %s: tensor<1xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
    }
  }
  %d = tensor.dim %r, %c0 : tensor<?xf32>
  return %r, %d : tensor<?xf32>, index
}
func.func @known_parts(%a: memref<4x8xf32>) -> (index, index, index, index, index) {
  %c = memref.cast %a : memref<4x8xf32> to memref<?x8xf32>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %c : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
  return %o, %s#0, %s#1, %t#0, %t#1 : index, index, index, index, index
}
