// Modules, each with what mlir-opt says of it: accepted or rejected.
// -----
// dup_entry: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" { spirv.Return }
  spirv.EntryPoint "GLCompute" @f
  spirv.EntryPoint "GLCompute" @f
}
// -----
// entry_missing: rejected
spirv.module Logical GLSL450 {
  spirv.EntryPoint "GLCompute" @f
}
// -----
// entry_not_func: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @f : !spirv.ptr<f32, Input>
  spirv.EntryPoint "GLCompute" @f
}
// -----
// entry_iface_missing: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" { spirv.Return }
  spirv.EntryPoint "GLCompute" @f, @v
}
// -----
// entry_iface_func: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" { spirv.Return }
  spirv.EntryPoint "GLCompute" @f, @f
}
// -----
// entry_in_func: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.EntryPoint "GLCompute" @f
 spirv.Return
  }
}
// -----
// mode_in_func: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.ExecutionMode @f "ContractionOff"
 spirv.Return
  }
}
// -----
// foreign_op: rejected
spirv.module Logical GLSL450 {
  "func.func"() ({ "func.return"() : () -> () }) {function_type = () -> (), sym_name="g"} : () -> ()
}
// -----
// foreign_op_in_func: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = arith.constant 1 : i32
 spirv.Return
  }
}
// -----
// extern_no_import: rejected
spirv.module Logical GLSL450 {
  spirv.func @g() "None"
}
// -----
// func_outside: accepted
spirv.func @g() "None" { spirv.Return }
// -----
// func_two_results: rejected
spirv.module Logical GLSL450 {
  "spirv.func"() ({}) {function_type = () -> (i32, i32), sym_name="g", function_control=#spirv.function_control<None>, linkage_attributes=#spirv.linkage_attributes<linkage_name="x", linkage_type=<Import>>} : () -> ()
}
// -----
// func_body_two_results: rejected
spirv.module Logical GLSL450 {
  "spirv.func"() ({ %0 = spirv.Constant 1 : i32
 spirv.Return }) {function_type = () -> (i32, i32), sym_name="g", function_control=#spirv.function_control<None>} : () -> ()
}
// -----
// gv_class_function: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : !spirv.ptr<f32, Function>
}
// -----
// gv_class_generic: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : !spirv.ptr<f32, Generic>
}
// -----
// gv_not_ptr: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : f32
}
// -----
// gv_init_missing: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v initializer(@x) : !spirv.ptr<f32, Private>
}
// -----
// gv_init_func: rejected
spirv.module Logical GLSL450 {
  spirv.func @x() "None" { spirv.Return }
 spirv.GlobalVariable @v initializer(@x) : !spirv.ptr<f32, Private>
}
// -----
// gv_in_func: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.GlobalVariable @v : !spirv.ptr<f32, Private>
 spirv.Return
  }
}
// -----
// dup_symbol: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : !spirv.ptr<f32, Private>
 spirv.GlobalVariable @v : !spirv.ptr<f32, Private>
}
// -----
// var_class: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = "spirv.Variable"() {storage_class=#spirv.storage_class<Private>} : () -> !spirv.ptr<f32, Private>
 spirv.Return
  }
}
// -----
// var_class_differs: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = "spirv.Variable"() {storage_class=#spirv.storage_class<Function>} : () -> !spirv.ptr<f32, Private>
 spirv.Return
  }
}
// -----
// var_module: accepted
spirv.module Logical GLSL450 {
  %0 = spirv.Variable : !spirv.ptr<f32, Function>
}
// -----
// var_init_param: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32) "None" {
%0 = spirv.Variable init(%a) : !spirv.ptr<f32, Function>
 spirv.Return
  }
}
// -----
// var_bind: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = spirv.Variable {binding = 1 : i32} : !spirv.ptr<f32, Function>
 spirv.Return
  }
}
// -----
// sel_empty_ok: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.mlir.selection {
 spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// sel_no_merge: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.selection {
 spirv.BranchConditional %c, ^a, ^b
 ^a: spirv.Branch ^b
 ^b: spirv.Return
 }
 spirv.Return
  }
}
// -----
// sel_header: accepted
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.selection {
 spirv.Branch ^b
 ^b: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// sel_two_merges: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.selection {
 spirv.BranchConditional %c, ^a, ^b
 ^a: spirv.mlir.merge
 ^b: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// sel_merge_nonempty: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.selection {
 spirv.BranchConditional %c, ^a, ^b
 ^a: spirv.Branch ^b
 ^b: %x = spirv.Constant 1 : i32
 spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// merge_outside: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.mlir.merge
  }
}
// -----
// sel_merge_mid: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.selection {
 spirv.BranchConditional %c, ^a, ^b
 ^b: spirv.mlir.merge
 ^a: spirv.Branch ^b
 }
 spirv.Return
  }
}
// -----
// loop_empty_ok: accepted
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.mlir.loop {
 }
 spirv.Return
  }
}
// -----
// loop_entry: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.loop {
 spirv.BranchConditional %c, ^h, ^m
 ^h: spirv.BranchConditional %c, ^k, ^m
 ^k: spirv.Branch ^h
 ^m: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// loop_two_blocks: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.mlir.loop {
 spirv.Branch ^m
 ^m: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// loop_no_back: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.loop {
 spirv.Branch ^h
 ^h: spirv.BranchConditional %c, ^k, ^m
 ^k: spirv.Branch ^m
 ^m: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// loop_other_back: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.loop {
 spirv.Branch ^h
 ^h: spirv.BranchConditional %c, ^b, ^m
 ^b: spirv.BranchConditional %c, ^h, ^k
 ^k: spirv.Branch ^h
 ^m: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// loop_merge_values: accepted
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 %r = "spirv.mlir.loop"() ({
 spirv.Branch ^h
 ^h: spirv.BranchConditional %c, ^k, ^m
 ^k: spirv.Branch ^h
 ^m: spirv.mlir.merge
 }) {loop_control=#spirv.loop_control<None>} : () -> i32
 spirv.Return
  }
}
// -----
// loop_module: rejected
spirv.module Logical GLSL450 {
  spirv.mlir.loop {
 }
}
// -----
// spec_const_type: rejected
spirv.module Logical GLSL450 {
  spirv.SpecConstant @s = dense<1> : vector<2xi32>
}
// -----
// spec_const_str: rejected
spirv.module Logical GLSL450 {
  spirv.SpecConstant @s = "x"
}
// -----
// spec_const_i7: rejected
spirv.module Logical GLSL450 {
  spirv.SpecConstant @s = 1 : i7
}
// -----
// spec_comp_missing: rejected
spirv.module Logical GLSL450 {
  spirv.SpecConstantComposite @c (@a, @b) : vector<2xf32>
}
// -----
// spec_comp_count: rejected
spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1.0 : f32
 spirv.SpecConstantComposite @c (@a) : vector<2xf32>
}
// -----
// spec_comp_type: rejected
spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1 : i32
 spirv.SpecConstantComposite @c (@a, @a) : vector<2xf32>
}
// -----
// spec_comp_scalar: rejected
spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1 : i32
 spirv.SpecConstantComposite @c (@a) : i32
}
// -----
// addressof_missing: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = spirv.mlir.addressof @v : !spirv.ptr<f32, Input>
 spirv.Return
  }
}
// -----
// addressof_type: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : !spirv.ptr<f32, Input>
 spirv.func @f() "None" {
 %0 = spirv.mlir.addressof @v : !spirv.ptr<i32, Input>
 spirv.Return }
}
// -----
// referenceof_missing: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = spirv.mlir.referenceof @v : i32
 spirv.Return
  }
}
// -----
// referenceof_type: rejected
spirv.module Logical GLSL450 {
  spirv.SpecConstant @v = 1 : i32
 spirv.func @f() "None" {
 %0 = spirv.mlir.referenceof @v : f32
 spirv.Return }
}
// -----
// referenceof_var: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : !spirv.ptr<f32, Input>
 spirv.func @f() "None" {
 %0 = spirv.mlir.referenceof @v : !spirv.ptr<f32, Input>
 spirv.Return }
}
// -----
// addressof_module: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : !spirv.ptr<f32, Input>
 %0 = spirv.mlir.addressof @v : !spirv.ptr<f32, Input>
}
// -----
// chain_not_ptr: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32) "None" {
%i = spirv.Constant 0 : i32
 %0 = spirv.AccessChain %a[%i] : f32, i32 -> !spirv.ptr<f32, Function>
 spirv.Return
  }
}
// -----
// chain_type: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<!spirv.array<4 x f32>, Function>) "None" {
%i = spirv.Constant 0 : i32
 %0 = spirv.AccessChain %a[%i] : !spirv.ptr<!spirv.array<4 x f32>, Function>, i32 -> !spirv.ptr<i32, Function>
 spirv.Return
  }
}
// -----
// chain_class: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<!spirv.array<4 x f32>, Function>) "None" {
%i = spirv.Constant 0 : i32
 %0 = spirv.AccessChain %a[%i] : !spirv.ptr<!spirv.array<4 x f32>, Function>, i32 -> !spirv.ptr<f32, Private>
 spirv.Return
  }
}
// -----
// chain_struct_dyn: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<!spirv.struct<(f32)>, Function>, %i : i32) "None" {
%0 = spirv.AccessChain %a[%i] : !spirv.ptr<!spirv.struct<(f32)>, Function>, i32 -> !spirv.ptr<f32, Function>
 spirv.Return
  }
}
// -----
// chain_struct_range: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<!spirv.struct<(f32)>, Function>) "None" {
%i = spirv.Constant 2 : i32
 %0 = spirv.AccessChain %a[%i] : !spirv.ptr<!spirv.struct<(f32)>, Function>, i32 -> !spirv.ptr<f32, Function>
 spirv.Return
  }
}
// -----
// chain_scalar: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<f32, Function>) "None" {
%i = spirv.Constant 0 : i32
 %0 = spirv.AccessChain %a[%i] : !spirv.ptr<f32, Function>, i32 -> !spirv.ptr<f32, Function>
 spirv.Return
  }
}
// -----
// load_type: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<f32, Function>) "None" {
%0 = "spirv.Load"(%a) : (!spirv.ptr<f32, Function>) -> i32
 spirv.Return
  }
}
// -----
// load_aligned_missing: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<f32, Function>) "None" {
%0 = spirv.Load "Function" %a ["Aligned"] : f32
 spirv.Return
  }
}
// -----
// load_align_extra: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<f32, Function>) "None" {
%0 = "spirv.Load"(%a) {memory_access=#spirv.memory_access<Volatile>, alignment=4:i32} : (!spirv.ptr<f32, Function>) -> f32
 spirv.Return
  }
}
// -----
// load_align_alone: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<f32, Function>) "None" {
%0 = "spirv.Load"(%a) {alignment=4:i32} : (!spirv.ptr<f32, Function>) -> f32
 spirv.Return
  }
}
// -----
// store_type: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<f32, Function>, %b : i32) "None" {
"spirv.Store"(%a, %b) : (!spirv.ptr<f32, Function>, i32) -> ()
 spirv.Return
  }
}
// -----
// store_aligned_missing: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<f32, Function>, %b : f32) "None" {
spirv.Store "Function" %a, %b ["Aligned"] : f32
 spirv.Return
  }
}
// -----
// extract_range: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.array<2 x f32>) "None" {
%0 = "spirv.CompositeExtract"(%a) {indices=[3:i32]} : (!spirv.array<2 x f32>) -> f32
 spirv.Return
  }
}
// -----
// extract_type: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.array<2 x f32>) "None" {
%0 = "spirv.CompositeExtract"(%a) {indices=[1:i32]} : (!spirv.array<2 x f32>) -> i32
 spirv.Return
  }
}
// -----
// extract_deep: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.array<2 x f32>) "None" {
%0 = "spirv.CompositeExtract"(%a) {indices=[1:i32, 0:i32]} : (!spirv.array<2 x f32>) -> f32
 spirv.Return
  }
}
// -----
// insert_type: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.array<2 x f32>, %b : i32) "None" {
%0 = "spirv.CompositeInsert"(%b, %a) {indices=[1:i32]} : (i32, !spirv.array<2 x f32>) -> !spirv.array<2 x f32>
 spirv.Return
  }
}
// -----
// insert_result: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.array<2 x f32>, %b : f32) "None" {
%0 = "spirv.CompositeInsert"(%b, %a) {indices=[1:i32]} : (f32, !spirv.array<2 x f32>) -> !spirv.array<3 x f32>
 spirv.Return
  }
}
// -----
// construct_count: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32) "None" {
%0 = spirv.CompositeConstruct %a, %a : (f32, f32) -> vector<3xf32>
 spirv.Return
  }
}
// -----
// construct_type: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : i32) "None" {
%0 = spirv.CompositeConstruct %a, %a : (i32, i32) -> vector<2xf32>
 spirv.Return
  }
}
// -----
// ret_in_value_func: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() -> i32 "None" {
spirv.Return
  }
}
// -----
// retvalue_type: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() -> i32 "None" {
%0 = spirv.Constant 1.0 : f32
 spirv.ReturnValue %0 : f32
  }
}
// -----
// retvalue_void: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = spirv.Constant 1.0 : f32
 spirv.ReturnValue %0 : f32
  }
}
// -----
// call_missing: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.FunctionCall @g() : () -> ()
 spirv.Return
  }
}
// -----
// call_args: rejected
spirv.module Logical GLSL450 {
  spirv.func @g(%a : i32) "None" { spirv.Return }
 spirv.func @f() "None" {
 spirv.FunctionCall @g() : () -> ()
 spirv.Return }
}
// -----
// call_two_results: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
 %0:2 = spirv.FunctionCall @f() : () -> (i32, i32)
 spirv.Return }
}
// -----
// iadd_mixed: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : i32, %b : si32) "None" {
%0 = "spirv.IAdd"(%a, %b) : (i32, si32) -> i32
 spirv.Return
  }
}
// -----
// or_mixed: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : vector<2xi32>, %b : vector<2xsi32>) "None" {
%0 = "spirv.BitwiseOr"(%a, %b) : (vector<2xi32>, vector<2xsi32>) -> vector<2xi32>
 spirv.Return
  }
}
// -----
// or_widths: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : i32, %b : si16) "None" {
%0 = "spirv.BitwiseOr"(%a, %b) : (i32, si16) -> i32
 spirv.Return
  }
}
// -----
// equal_mixed: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : i32, %b : si32) "None" {
%0 = "spirv.IEqual"(%a, %b) : (i32, si32) -> i1
 spirv.Return
  }
}
// -----
// equal_widths: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : i32, %b : si64) "None" {
%0 = "spirv.IEqual"(%a, %b) : (i32, si64) -> i1
 spirv.Return
  }
}
// -----
// lowest_bit_mixed: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : i32) "None" {
%0 = "spirv.GL.FindILsb"(%a) : (i32) -> si32
 spirv.Return
  }
}
// -----
// highest_bit_signed: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : vector<3xsi32>) "None" {
%0 = "spirv.GL.FindSMsb"(%a) : (vector<3xsi32>) -> vector<3xsi32>
 spirv.Return
  }
}
// -----
// highest_bit_float: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32) "None" {
%0 = "spirv.GL.FindSMsb"(%a) : (f32) -> f32
 spirv.Return
  }
}
// -----
// highest_bit_wide: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : si64) "None" {
%0 = "spirv.GL.FindSMsb"(%a) : (si64) -> si64
 spirv.Return
  }
}
// -----
// iadd_float: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32) "None" {
%0 = "spirv.IAdd"(%a, %a) : (f32, f32) -> f32
 spirv.Return
  }
}
// -----
// constant_type: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = "spirv.Constant"() {value = 1 : i32} : () -> f32
 spirv.Return
  }
}
// -----
// constant_array_count: accepted
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = spirv.Constant [1.0 : f32] : !spirv.array<2 x f32>
 spirv.Return
  }
}
// -----
// constant_array_elem: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%0 = spirv.Constant [1 : i32, 2 : i32] : !spirv.array<2 x f32>
 spirv.Return
  }
}
// -----
// bitcast_same: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32) "None" {
%0 = "spirv.Bitcast"(%a) : (f32) -> f32
 spirv.Return
  }
}
// -----
// bitcast_width: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32) "None" {
%0 = "spirv.Bitcast"(%a) : (f32) -> i64
 spirv.Return
  }
}
// -----
// switch_count: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : i32) "None" {
"spirv.Switch"(%a)[^x, ^y] {literals=dense<[1,2]> : vector<2xi32>, operandSegmentSizes=array<i32:1,0,0>, case_operand_segments=array<i32:0>} : (i32) -> ()
 ^x: spirv.Return
 ^y: spirv.Return
  }
}
// -----
// weights: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%c : i1) "None" {
"spirv.BranchConditional"(%c)[^x, ^y] {branch_weights=[1:i32], operandSegmentSizes=array<i32:1,0,0>} : (i1) -> ()
 ^x: spirv.Return
 ^y: spirv.Return
  }
}
// -----
// weights_zero: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%c : i1) "None" {
"spirv.BranchConditional"(%c)[^x, ^y] {branch_weights=[0:i32, 0:i32], operandSegmentSizes=array<i32:1,0,0>} : (i1) -> ()
 ^x: spirv.Return
 ^y: spirv.Return
  }
}
// -----
// dominance: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%1 = "spirv.FNegate"(%0) : (f32) -> f32
 %0 = spirv.Constant 1.0 : f32
 spirv.Return
  }
}
// -----
// shuffle: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : vector<2xf32>) "None" {
%0 = "spirv.VectorShuffle"(%a, %a) {components=[0:i32, 9:i32]} : (vector<2xf32>, vector<2xf32>) -> vector<2xf32>
 spirv.Return
  }
}
// -----
// module_args: rejected
"spirv.module"() ({ ^bb0(%a : i32): }) {addressing_model=#spirv.addressing_model<Logical>, memory_model=#spirv.memory_model<GLSL450>} : () -> ()
// -----
// module_no_block: rejected
"spirv.module"() ({ }) {addressing_model=#spirv.addressing_model<Logical>, memory_model=#spirv.memory_model<GLSL450>} : () -> ()
// -----
// arg_decoration: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a : i32 {foo.bar = 1 : i32}) "None" { spirv.Return }
}
// -----
// unknown_disc_attr: rejected
module attributes {spirv.foo = 1 : i32} {}
// -----
// bad_target_env: rejected
module attributes {spirv.target_env = 1 : i32} {}
// -----
// bad_abi: rejected
func.func @f() attributes {spirv.entry_point_abi = 1 : i32} { return }
// -----
// bad_var_abi: rejected
func.func private @f(i32 {spirv.interface_var_abi = 1 : i32})
// -----
// spec_op_two: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
 %0 = spirv.Constant 1 : i32
 %1 = "spirv.SpecConstantOperation"() ({
 %2 = spirv.Constant 1 : i32
 %3 = spirv.Constant 1 : i32
 spirv.mlir.yield %3 : i32 }) : () -> i32
 spirv.Return }
}
// -----
// spec_op_bad: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
 %0 = spirv.Constant 1 : i32
 %1 = "spirv.SpecConstantOperation"() ({
 %2 = "spirv.Undef"() : () -> i32
 spirv.mlir.yield %2 : i32 }) : () -> i32
 spirv.Return }
}
// -----
// store_ptr: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a : f32) "None" {
"spirv.Store"(%a, %a) : (f32, f32) -> ()
 spirv.Return
  }
}
// -----
// ok_selection: accepted
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.selection {
 spirv.BranchConditional %c, ^a, ^b
 ^a: spirv.Branch ^b
 ^b: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// ok_loop: accepted
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.loop {
 spirv.Branch ^h
 ^h: spirv.BranchConditional %c, ^b, ^m
 ^b: spirv.Branch ^k
 ^k: spirv.Branch ^h
 ^m: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// ok_values: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<!spirv.array<4 x f32>, Function>) "None" {
%i = spirv.Constant 1 : i32
 %0 = spirv.AccessChain %a[%i] : !spirv.ptr<!spirv.array<4 x f32>, Function>, i32 -> !spirv.ptr<f32, Function>
 %1 = spirv.Load "Function" %0 ["Aligned", 4] : f32
 spirv.Store "Function" %0, %1 : f32
 spirv.Return
  }
}
// -----
// ok_recursive: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a : !spirv.ptr<!spirv.struct<R, (!spirv.ptr<!spirv.struct<R>, Uniform>)>, Uniform>) "None" {
%i = spirv.Constant 0 : i32
 %0 = spirv.AccessChain %a[%i] : !spirv.ptr<!spirv.struct<R, (!spirv.ptr<!spirv.struct<R>, Uniform>)>, Uniform>, i32 -> !spirv.ptr<!spirv.ptr<!spirv.struct<R, (!spirv.ptr<!spirv.struct<R>, Uniform>)>, Uniform>, Uniform>
 %1 = spirv.Load "Uniform" %0 : !spirv.ptr<!spirv.struct<R, (!spirv.ptr<!spirv.struct<R>, Uniform>)>, Uniform>
 spirv.Return
  }
}
// -----
// ok_entry: accepted
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v : !spirv.ptr<f32, Input>
  spirv.func @f() "None" { spirv.Return }
  spirv.EntryPoint "GLCompute" @f, @v
  spirv.EntryPoint "Fragment" @f
}
// -----
// ok_composites: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a : vector<2xf32>, %b : f32) "None" {
%0 = spirv.CompositeConstruct %a, %b : (vector<2xf32>, f32) -> vector<3xf32>
 %1 = spirv.CompositeExtract %0[2 : i32] : vector<3xf32>
 %2 = spirv.CompositeInsert %1, %a[0 : i32] : f32 into vector<2xf32>
 spirv.Return
  }
}
// -----
// unreachable_block: accepted
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
spirv.Return
 ^dead: %1 = spirv.FNegate %0 : f32
 %0 = spirv.Constant 1.0 : f32
 spirv.Return
  }
}
// -----
// dominance_branch: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%c : i1) "None" {
spirv.BranchConditional %c, ^a, ^b
 ^a: %0 = spirv.Constant 1.0 : f32
 spirv.Branch ^b
 ^b: %1 = spirv.FNegate %0 : f32
 spirv.Return
  }
}
// -----
// dominance_out_of_region: accepted
spirv.module Logical GLSL450 {
  spirv.func @f() "None" {
%c = spirv.Constant true
 spirv.mlir.selection {
 spirv.BranchConditional %c, ^a, ^b
 ^a: %0 = spirv.Constant 1.0 : f32
 spirv.Branch ^b
 ^b: spirv.mlir.merge
 }
 spirv.Return
  }
}
// -----
// ok_dominance: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%c : i1) "None" {
%0 = spirv.Constant 1.0 : f32
 spirv.BranchConditional %c, ^a, ^b
 ^a: %1 = spirv.FNegate %0 : f32
 spirv.Branch ^b
 ^b: %2 = spirv.FNegate %0 : f32
 spirv.Return
  }
}
// -----
// ok_import: accepted
spirv.module Logical GLSL450 {
  spirv.func @g() "None" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "g", linkage_type = <Import>>}
}
// -----
// export_declared: rejected
spirv.module Logical GLSL450 {
  spirv.func @g() "None" attributes {linkage_attributes = #spirv.linkage_attributes<linkage_name = "g", linkage_type = <Export>>}
}
// -----
// ok_spec: accepted
spirv.module Logical GLSL450 {
  spirv.SpecConstant @a = 1.0 : f32
 spirv.SpecConstantComposite @c (@a, @a) : vector<2xf32>
 spirv.func @f() "None" {
 %0 = spirv.mlir.referenceof @c : vector<2xf32>
 spirv.Return }
}
// -----
// ok_attributes: accepted
module attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [], []>, #spirv.resource_limits<>>} {
 func.func @f() attributes {spirv.entry_point_abi = #spirv.entry_point_abi<>} { return }
}
// -----
// ok_atomic: accepted
spirv.module Logical GLSL450 {
 spirv.func @f(%p: !spirv.ptr<i32, Workgroup>, %v: i32) -> i32 "None" {
 %0 = spirv.AtomicIAdd <Device> <None> %p, %v : !spirv.ptr<i32, Workgroup>
 spirv.ReturnValue %0 : i32 }
}
// -----
// atomic_of_another_type: rejected
spirv.module Logical GLSL450 {
 spirv.func @f(%p: !spirv.ptr<i32, Workgroup>, %v: i64) -> i64 "None" {
 %0 = "spirv.AtomicIAdd"(%p, %v) <{memory_scope = #spirv.scope<Device>, semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<i32, Workgroup>, i64) -> i64
 spirv.ReturnValue %0 : i64 }
}
// -----
// result_interface: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() -> (f32 {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>}) "None" { %c = spirv.Constant 0.0 : f32 spirv.ReturnValue %c : f32 }
}
// -----
// result_interface_func: rejected
func.func private @f() -> (f32 {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>})
// -----
// result_decoration: rejected
func.func private @f() -> (f32 {spirv.decoration = #spirv.decoration<Aliased>})
// -----
// result_unknown: rejected
func.func private @f() -> (f32 {spirv.foo})
// -----
// result_llvm: rejected
llvm.func @f(f32) -> (f32 {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>})
// -----
// argument_interface: accepted
func.func private @f(f32 {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>})
// -----
// argument_interface_no_attribute: rejected
func.func private @f(f32 {spirv.interface_var_abi = 3 : i32})
// -----
// argument_decoration: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a: f32 {spirv.decoration = #spirv.decoration<Aliased>}) "None" { spirv.Return }
}
// -----
// argument_entry_point: rejected
func.func private @f(f32 {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [1, 1, 1]>})
// -----
// argument_target: rejected
func.func private @f(f32 {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>})
// -----
// argument_class_of_number: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a: f32 {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0), StorageBuffer>}) "None" { spirv.Return }
}
// -----
// argument_class_of_vector: rejected
func.func private @f(vector<2xf32> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0), StorageBuffer>})
// -----
// argument_class_of_second: accepted
func.func private @f(f32 {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0), StorageBuffer>}, vector<2xf32> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>})
// -----
// operation_interface: rejected
spirv.module Logical GLSL450 {
  spirv.GlobalVariable @v {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>} : !spirv.ptr<f32, Uniform>
}
// -----
// operation_decoration: rejected
func.func private @f() attributes {spirv.decoration = #spirv.decoration<Aliased>}
// -----
// operation_interface_func: rejected
func.func private @f() attributes {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>}
// -----
// entry_point_on_module: accepted
module attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [1, 1, 1]>} {}
// -----
// entry_point_no_attribute: rejected
spirv.module Logical GLSL450 {
  spirv.func @f() "None" attributes {spirv.entry_point_abi = 1 : i32} { spirv.Return }
}
// -----
// target_no_attribute: rejected
module attributes {spirv.target_env = 1 : i32} {}
// -----
// graph_interface: accepted
spirv.module Logical GLSL450 {
  spirv.ARM.Graph @g(%a: !spirv.arm.tensor<1xf32> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>}) -> (!spirv.arm.tensor<1xf32> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0)>}) attributes {spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [1, 1, 1]>} { spirv.ARM.GraphOutputs %a : !spirv.arm.tensor<1xf32> }
}
// -----
// graph_result_unknown: rejected
spirv.module Logical GLSL450 {
  spirv.ARM.Graph @g(%a: !spirv.arm.tensor<1xf32>) -> (!spirv.arm.tensor<1xf32> {spirv.foo}) { spirv.ARM.GraphOutputs %a : !spirv.arm.tensor<1xf32> }
}
// -----
// graph_result_class: rejected
spirv.module Logical GLSL450 {
  spirv.ARM.Graph @g(%a: !spirv.arm.tensor<1xf32>) -> (!spirv.arm.tensor<1xf32> {spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0), StorageBuffer>}) { spirv.ARM.GraphOutputs %a : !spirv.arm.tensor<1xf32> }
}
// -----
// physical_undecorated: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<f32, PhysicalStorageBuffer>) "None" { spirv.Return }
}
// -----
// physical_aliased: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<f32, PhysicalStorageBuffer> {spirv.decoration = #spirv.decoration<Aliased>}) "None" { spirv.Return }
}
// -----
// physical_restrict: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<f32, PhysicalStorageBuffer> {spirv.decoration = #spirv.decoration<Restrict>}) "None" { spirv.Return }
}
// -----
// physical_aliased_pointer: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<f32, PhysicalStorageBuffer> {spirv.decoration = #spirv.decoration<AliasedPointer>}) "None" { spirv.Return }
}
// -----
// physical_inside: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<!spirv.ptr<f32, PhysicalStorageBuffer>, Function> {spirv.decoration = #spirv.decoration<RestrictPointer>}) "None" { spirv.Return }
}
// -----
// physical_inside_undecorated: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<!spirv.ptr<f32, PhysicalStorageBuffer>, Function> {spirv.decoration = #spirv.decoration<Restrict>}) "None" { spirv.Return }
}
// -----
// physical_array: accepted
spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<!spirv.array<2 x !spirv.ptr<f32, PhysicalStorageBuffer>>, Function> {spirv.decoration = #spirv.decoration<Aliased>}) "None" { spirv.Return }
}
// -----
// physical_array_undecorated: rejected
spirv.module Logical GLSL450 {
  spirv.func @f(%a: !spirv.ptr<!spirv.array<2 x !spirv.ptr<f32, PhysicalStorageBuffer>>, Function>) "None" { spirv.Return }
}
