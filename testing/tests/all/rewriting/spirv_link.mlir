module {
  spirv.module Logical GLSL450 {
    spirv.GlobalVariable @x bind(0, 0) : !spirv.ptr<vector<4xf32>, Input>
    spirv.GlobalVariable @same bind(1, 0) : !spirv.ptr<vector<4xf32>, Input>
    spirv.SpecConstant @n spec_id(3) = 1 : i32
    spirv.SpecConstantComposite @pair (@n, @n) : !spirv.array<2 x i32>
    spirv.func @f() -> vector<4xf32> "None" {
      %0 = spirv.mlir.addressof @x : !spirv.ptr<vector<4xf32>, Input>
      %1 = spirv.Load "Input" %0 : vector<4xf32>
      spirv.ReturnValue %1 : vector<4xf32>
    }
    spirv.EntryPoint "Vertex" @f, @x
  }
  spirv.module Logical GLSL450 {
    spirv.GlobalVariable @f bind(1, 0) : !spirv.ptr<vector<4xf32>, Input>
    spirv.GlobalVariable @x bind(2, 0) : !spirv.ptr<vector<4xf32>, Input>
    spirv.SpecConstant @n_1 spec_id(3) = 1 : i32
    spirv.SpecConstant @n spec_id(4) = 1 : i32
    spirv.SpecConstantComposite @other (@n_1, @n_1) : !spirv.array<2 x i32>
    spirv.func @g() -> vector<4xf32> "None" {
      %0 = spirv.mlir.addressof @f : !spirv.ptr<vector<4xf32>, Input>
      %1 = spirv.Load "Input" %0 : vector<4xf32>
      %2 = spirv.mlir.referenceof @n_1 : i32
      spirv.ReturnValue %1 : vector<4xf32>
    }
    spirv.EntryPoint "Fragment" @g, @f
  }
  spirv.module Logical GLSL450 {
    spirv.func @f() "None" {
      spirv.FunctionCall @g() : () -> ()
      spirv.Return
    }
    spirv.func @g() "None" {
      spirv.Return
    }
    spirv.EntryPoint "GLCompute" @f
  }
}
