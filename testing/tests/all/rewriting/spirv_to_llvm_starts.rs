//! Variables that hold something at first do so whenever an entry point is called.

use super::by_us;
use super::spirv_to_llvm_host::run_beside;
use super::spirv_to_llvm_kernels::llvm;
use super::spirv_to_llvm_runs::tools;

const PIPELINE: &str = "builtin.module(convert-spirv-to-llvm)";

/// A shader that adds to variables of its own, and stores the sum of them; `more` stands in the module.
fn shader(more: &str) -> String {
    format!(
        "spirv.module Logical GLSL450 {{
           {more}
           spirv.GlobalVariable @out bind(0, 0) : !spirv.ptr<i32, StorageBuffer>
           spirv.GlobalVariable @count {{spirv_binary.initializer = 5 : i32}} : !spirv.ptr<i32, Private>
           spirv.GlobalVariable @pair {{spirv_binary.initializer = {{type = !spirv.array<2 x i32>, value = [40 : i32, 2 : i32]}}}} :
             !spirv.ptr<!spirv.array<2 x i32>, Private>
           spirv.GlobalVariable @table {{spirv_binary.initializer = {{type = !spirv.array<2 x i32>, value = [100 : i32, 3 : i32]}}}} :
             !spirv.ptr<!spirv.array<2 x i32>, Private>
           spirv.func @add() \"None\" {{
             %one = spirv.Constant 1 : i32
             %count = spirv.mlir.addressof @count : !spirv.ptr<i32, Private>
             %old = spirv.Load \"Private\" %count : i32
             %new = spirv.IAdd %old, %one : i32
             spirv.Store \"Private\" %count, %new : i32
             %pair = spirv.mlir.addressof @pair : !spirv.ptr<!spirv.array<2 x i32>, Private>
             %p = spirv.AccessChain %pair[%one] : !spirv.ptr<!spirv.array<2 x i32>, Private>, i32 -> !spirv.ptr<i32, Private>
             spirv.Store \"Private\" %p, %new : i32
             spirv.Return
           }}
           spirv.func @entry() \"None\" {{
             %one = spirv.Constant 1 : i32
             %zero = spirv.Constant 0 : i32
             %pair = spirv.mlir.addressof @pair : !spirv.ptr<!spirv.array<2 x i32>, Private>
             %p = spirv.AccessChain %pair[%one] : !spirv.ptr<!spirv.array<2 x i32>, Private>, i32 -> !spirv.ptr<i32, Private>
             %two = spirv.Load \"Private\" %p : i32
             spirv.FunctionCall @add() : () -> ()
             %six = spirv.Load \"Private\" %p : i32
             %table = spirv.mlir.addressof @table : !spirv.ptr<!spirv.array<2 x i32>, Private>
             %q = spirv.AccessChain %table[%zero] : !spirv.ptr<!spirv.array<2 x i32>, Private>, i32 -> !spirv.ptr<i32, Private>
             %hundred = spirv.Load \"Private\" %q : i32
             %s0 = spirv.IAdd %two, %six : i32
             %s1 = spirv.IAdd %s0, %hundred : i32
             %out = spirv.mlir.addressof @out : !spirv.ptr<i32, StorageBuffer>
             spirv.Store \"StorageBuffer\" %out, %s1 : i32
             spirv.Return
           }}
           spirv.EntryPoint \"GLCompute\" @entry
         }}"
    )
}

#[test]
fn variables_of_an_invocation_begin_anew() {
    let made = by_us(&shader(""), PIPELINE);
    // What is never stored stays as it is: the two others are set in the one entry point.
    assert_eq!(made.matches("llvm.mlir.addressof").count(), 5 + 2, "{made}");
    if !tools() {
        return;
    }
    let host = "
        @out_descriptor_set0_binding0 = global i32 0
        define i32 @main() {
          call void @entry()
          %first = load i32, ptr @out_descriptor_set0_binding0
          call void @entry()
          %second = load i32, ptr @out_descriptor_set0_binding0
          %same = icmp eq i32 %first, %second
          %r = select i1 %same, i32 %second, i32 0
          ret i32 %r
        }";
    assert_eq!(run_beside(&llvm(&shader(""), ""), host), 2 + 6 + 100);
}

#[test]
fn threads_have_variables_of_their_invocations() {
    let shared = "spirv.GlobalVariable @shared : !spirv.ptr<i32, Workgroup>";
    let made = by_us(&shader(shared), "builtin.module(convert-spirv-to-llvm{thread-local=true})");
    assert_eq!(made.matches("thread_local_").count(), 3, "{made}");
    assert!(!by_us(&shader(shared), PIPELINE).contains("thread_local_"));
}

#[test]
fn memory_of_a_workgroup_is_set_before_others_go_on() {
    let shared = "spirv.GlobalVariable @shared {spirv_binary.initializer = {null, type = !spirv.array<300 x i32>}} :
        !spirv.ptr<!spirv.array<300 x i32>, Workgroup>
      spirv.func @change() \"None\" {
        %shared = spirv.mlir.addressof @shared : !spirv.ptr<!spirv.array<300 x i32>, Workgroup>
        %at = spirv.Constant 299 : i32
        %p = spirv.AccessChain %shared[%at] : !spirv.ptr<!spirv.array<300 x i32>, Workgroup>, i32 -> !spirv.ptr<i32, Workgroup>
        %old = spirv.Load \"Workgroup\" %p : i32
        %more = spirv.IAdd %old, %at : i32
        spirv.Store \"Workgroup\" %p, %more : i32
        %out = spirv.mlir.addressof @out : !spirv.ptr<i32, StorageBuffer>
        %by = spirv.Constant 100 : i32
        %less = spirv.ISub %more, %by : i32
        spirv.Store \"StorageBuffer\" %out, %less : i32
        spirv.Return
      }";
    let text = shader(shared).replace("\"GLCompute\" @entry", "\"GLCompute\" @change");
    let made = by_us(&text, PIPELINE);
    let barrier = "_Z22__spirv_ControlBarrieriii";
    // Declared, and called by the one entry point.
    assert_eq!(made.matches(barrier).count(), 2, "{made}");
    if !tools() {
        return;
    }
    // The memory is as another workgroup left it, and the function that waits sees it set.
    let host = format!(
        "
        @out_descriptor_set0_binding0 = global i32 0
        @waits = global i32 0
        define spir_func void @{barrier}(i32 %e, i32 %m, i32 %s) {{
          %p = getelementptr i32, ptr @shared, i32 299
          %now = load i32, ptr %p
          %is = icmp eq i32 %now, 0
          %all = icmp eq i32 %s, 264
          %both = and i1 %is, %all
          %one = zext i1 %both to i32
          %old = load i32, ptr @waits
          %new = add i32 %old, %one
          store i32 %new, ptr @waits
          ret void
        }}
        define i32 @main() {{
          call void @change()
          call void @change()
          %got = load i32, ptr @out_descriptor_set0_binding0
          %waits = load i32, ptr @waits
          %r = add i32 %got, %waits
          ret i32 %r
        }}"
    );
    assert_eq!(run_beside(&llvm(&text, ""), &host), 199 + 2);
}
