module {
  shard.grid @grid(shape = 2x4x?)
  func.func @f(%arg0: tensor<4x8xf32>, %arg1: i64) -> tensor<4x8xf32> {
    %sharding = shard.sharding @grid split_axes = [[]] : !shard.sharding
    %sharding_0 = shard.sharding @grid split_axes = [[0], [], [1, 2]] : !shard.sharding
    %sharding_1 = shard.sharding @grid split_axes = [[0]] halo_sizes = [4, %arg1] : !shard.sharding
    %sharding_annotated = shard.shard %arg0 to %sharding_0 : tensor<4x8xf32>
    %0 = scf.forall (%arg2) = (0) to (4) step (2) shared_outs(%arg3 = %sharding_annotated) -> (tensor<4x8xf32>) {
      %extracted_slice = tensor.extract_slice %arg3[%arg2, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice into %arg3[%arg2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
      }
    }
    return %0 : tensor<4x8xf32>
  }
}

