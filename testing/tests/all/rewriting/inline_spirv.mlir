spirv.module Logical GLSL450 {
  spirv.func @leaf(%arg0: i32) -> i32 "None" {
    %cst1_i32 = spirv.Constant 1 : i32
    %0 = spirv.IAdd %arg0, %cst1_i32 : i32
    spirv.ReturnValue %0 : i32
  }
  spirv.func @void() "None" {
    spirv.Return
  }
  spirv.func @kill() "None" {
    spirv.Kill
  }
  spirv.func @multi(%arg0: i1) "None" {
    spirv.BranchConditional %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    spirv.Return
  ^bb2:  // pred: ^bb0
    spirv.Return
  }
  spirv.func @sel(%arg0: i32, %arg1: i1) -> i32 "None" {
    %0 = spirv.Variable : !spirv.ptr<i32, Function>
    spirv.mlir.selection {
      spirv.BranchConditional %arg1, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      %2 = spirv.FunctionCall @leaf(%arg0) : (i32) -> i32
      spirv.Store "Function" %0, %2 : i32
      spirv.FunctionCall @multi(%arg1) : (i1) -> ()
      spirv.Branch ^bb2
    ^bb2:  // 2 preds: ^bb0, ^bb1
      spirv.mlir.merge
    }
    %1 = spirv.Load "Function" %0 : i32
    spirv.ReturnValue %1 : i32
  }
  spirv.func @selret(%arg0: i32, %arg1: i1) -> i32 "None" {
    spirv.mlir.selection {
      spirv.BranchConditional %arg1, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      spirv.ReturnValue %arg0 : i32
    ^bb2:  // pred: ^bb0
      spirv.mlir.merge
    }
    spirv.ReturnValue %arg0 : i32
  }
  spirv.func @main(%arg0: i32, %arg1: i1) -> i32 "None" {
    %0 = spirv.FunctionCall @sel(%arg0, %arg1) : (i32, i1) -> i32
    %1 = spirv.FunctionCall @selret(%0, %arg1) : (i32, i1) -> i32
    spirv.FunctionCall @void() : () -> ()
    spirv.FunctionCall @kill() : () -> ()
    spirv.FunctionCall @multi(%arg1) : (i1) -> ()
    spirv.ReturnValue %1 : i32
  }
  spirv.EntryPoint "GLCompute" @void
}
spirv.module @returns Logical GLSL450 {
  spirv.func @multi(%arg0: i1, %arg1: i32) -> i32 "None" {
    spirv.BranchConditional %arg0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    spirv.ReturnValue %arg1 : i32
  ^bb2:  // pred: ^bb0
    %0 = spirv.IAdd %arg1, %arg1 : i32
    spirv.ReturnValue %0 : i32
  }
  spirv.func @main(%arg0: i32, %arg1: i1) -> i32 "None" {
    %0 = spirv.FunctionCall @multi(%arg1, %arg0) : (i1, i32) -> i32
    spirv.ReturnValue %0 : i32
  }
}
