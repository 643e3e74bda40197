module {
  func.func @f(%arg0: vector<4xindex>, %arg1: vector<2x4xf32>, %arg2: vector<f32>) -> vector<2xindex> {
    %0 = vector.shuffle %arg0, %arg0 [0, 4] : vector<4xindex>, vector<4xindex>
    %1 = vector.shuffle %arg1, %arg1 [0, 1, 3] : vector<2x4xf32>, vector<2x4xf32>
    %2 = vector.shuffle %arg2, %arg2 [0, 1] : vector<f32>, vector<f32>
    return %0 : vector<2xindex>
  }
}

