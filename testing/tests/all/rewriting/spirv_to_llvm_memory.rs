//! Memory whose layout SPIR-V says, as `convert-spirv-to-llvm` takes it to LLVM: what a host has put there is found, and the other way round.

use super::by_us;
use super::spirv_to_llvm::refused;
use super::spirv_to_llvm_host::{run_beside, with_main};
use super::spirv_to_llvm_kernels::llvm;
use super::spirv_to_llvm_runs::tools;

const PIPELINE: &str = "builtin.module(convert-spirv-to-llvm)";

/// The exit code of a module beside a host; `None` without the tools.
fn exit(text: &str, host: &str) -> Option<i32> {
    tools().then(|| run_beside(&llvm(text, ""), host))
}

/// Constants of `i32`, with names such as `%c3`.
fn numbers(most: u32) -> String {
    (0..=most).map(|number| format!("%c{number} = spirv.Constant {number} : i32\n")).collect()
}

/// Matrices that stand row by row and column by column, in a buffer of floats: the first one's rows are floats 0 to 2 and 4 to 6; the columns of
/// the others begin at multiples of four.
const MATRICES: &str = "!spirv.struct<(!spirv.matrix<3 x vector<2xf32>> [0, MatrixStride=16, RowMajor], \
    !spirv.array<2 x !spirv.matrix<2 x vector<3xf32>>, stride=32> [32, ColMajor, MatrixStride=16], f32 [96]), Block>";

/// A buffer of 25 floats, which are 1, 2, 3 and so on.
fn floats(name: &str) -> String {
    let all: Vec<String> = (1..=25).map(|number| format!("float {number}.0")).collect();
    format!("@{name} = global [25 x float] [{}]\n", all.join(", "))
}

/// A variable of the class `StorageBuffer`, and its address.
fn buffer(ty: &str) -> (String, String) {
    (
        format!("spirv.GlobalVariable @b bind(0, 0) : !spirv.ptr<{ty}, StorageBuffer>"),
        format!("%b = spirv.mlir.addressof @b : !spirv.ptr<{ty}, StorageBuffer>\n"),
    )
}

#[test]
fn matrices_stand_in_buffers_as_members_say() {
    let (variable, address) = buffer(MATRICES);
    let (p, m) = (format!("!spirv.ptr<{MATRICES}, StorageBuffer>"), "!spirv.matrix<3 x vector<2xf32>>");
    let body = format!(
        "{}{address}
         %column = spirv.AccessChain %b[%c0, %c1] : {p}, i32, i32 -> !spirv.ptr<vector<2xf32>, StorageBuffer>
         %v0 = spirv.Load \"StorageBuffer\" %column : vector<2xf32>
         %two = spirv.CompositeExtract %v0[0 : i32] : vector<2xf32>
         %six = spirv.CompositeExtract %v0[1 : i32] : vector<2xf32>
         %corner = spirv.AccessChain %b[%c0, %c2, %c1] : {p}, i32, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
         %seven = spirv.Load \"StorageBuffer\" %corner : f32
         %whole = spirv.AccessChain %b[%c0] : {p}, i32 -> !spirv.ptr<{m}, StorageBuffer>
         %all = spirv.Load \"StorageBuffer\" %whole : {m}
         %five = spirv.CompositeExtract %all[0 : i32, 1 : i32] : {m}
         %other = spirv.AccessChain %b[%c1, %c1, %c1, %c2] : {p}, i32, i32, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
         %twentythree = spirv.Load \"StorageBuffer\" %other : f32
         %last = spirv.AccessChain %b[%c0, %c2] : {p}, i32, i32 -> !spirv.ptr<vector<2xf32>, StorageBuffer>
         %new = spirv.Constant dense<[50.0, 60.0]> : vector<2xf32>
         spirv.Store \"StorageBuffer\" %last, %new : vector<2xf32>
         %at = spirv.AccessChain %b[%c0, %c2, %c0] : {p}, i32, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
         %fifty = spirv.Load \"StorageBuffer\" %at : f32
         %after = spirv.Load \"StorageBuffer\" %corner : f32
         %s0 = spirv.FAdd %two, %six : f32
         %s1 = spirv.FAdd %s0, %seven : f32
         %s2 = spirv.FAdd %s1, %five : f32
         %s3 = spirv.FAdd %s2, %twentythree : f32
         %s4 = spirv.FAdd %s3, %fifty : f32
         %s5 = spirv.FAdd %s4, %after : f32
         %made = spirv.ConvertFToS %s5 : f32 to i32
         spirv.ReturnValue %made : i32",
        numbers(2)
    );
    let host = floats("b_descriptor_set0_binding0");
    let code = exit(&with_main(&variable, &body), &host);
    assert!(code.is_none_or(|code| code == 2 + 6 + 7 + 5 + 23 + 50 + 60), "{code:?}");
}

#[test]
fn matrices_stand_as_members_say_where_pointers_come_from_elsewhere() {
    let m = "!spirv.matrix<3 x vector<2xf32>>";
    let (p, of) = (format!("!spirv.ptr<{MATRICES}, StorageBuffer>"), format!("!spirv.ptr<{m}, StorageBuffer>"));
    let (variable, address) = buffer(MATRICES);
    // As an argument of a function, as a copy, and as the argument of a block.
    let variable = format!(
        "{variable}
         spirv.func @second(%p: {of}) -> f32 \"None\" {{
           {}
           %at = spirv.AccessChain %p[%c1] : {of}, i32 -> !spirv.ptr<vector<2xf32>, StorageBuffer>
           %v = spirv.Load \"StorageBuffer\" %at : vector<2xf32>
           %x = spirv.CompositeExtract %v[1 : i32] : vector<2xf32>
           spirv.ReturnValue %x : f32
         }}",
        numbers(1)
    );
    let body = format!(
        "{}{address}
         %whole = spirv.AccessChain %b[%c0] : {p}, i32 -> {of}
         %six = spirv.FunctionCall @second(%whole) : ({of}) -> f32
         %copy = \"spirv.CopyObject\"(%whole) : ({of}) -> {of}
         %column = spirv.AccessChain %copy[%c0] : {of}, i32 -> !spirv.ptr<vector<2xf32>, StorageBuffer>
         %again = \"spirv.CopyObject\"(%column) : (!spirv.ptr<vector<2xf32>, StorageBuffer>) -> !spirv.ptr<vector<2xf32>, StorageBuffer>
         %v = spirv.Load \"StorageBuffer\" %again : vector<2xf32>
         %five = spirv.CompositeExtract %v[1 : i32] : vector<2xf32>
         %yes = spirv.Constant true
         %other = spirv.AccessChain %b[%c0, %c2] : {p}, i32, i32 -> !spirv.ptr<vector<2xf32>, StorageBuffer>
         %chosen = spirv.Select %yes, %other, %column : i1, !spirv.ptr<vector<2xf32>, StorageBuffer>
         %w = spirv.Load \"StorageBuffer\" %chosen : vector<2xf32>
         %seven = spirv.CompositeExtract %w[1 : i32] : vector<2xf32>
         spirv.Branch ^next(%whole : {of})
       ^next(%q: {of}):
         %all = spirv.Load \"StorageBuffer\" %q : {m}
         %three = spirv.CompositeExtract %all[2 : i32, 0 : i32] : {m}
         %s0 = spirv.FAdd %six, %five : f32
         %s1 = spirv.FAdd %s0, %seven : f32
         %s2 = spirv.FAdd %s1, %three : f32
         %made = spirv.ConvertFToS %s2 : f32 to i32
         spirv.ReturnValue %made : i32",
        numbers(2)
    );
    let host = floats("b_descriptor_set0_binding0");
    let code = exit(&with_main(&variable, &body), &host);
    assert!(code.is_none_or(|code| code == 6 + 5 + 7 + 3), "{code:?}");
    // Where there are two ways, nobody knows.
    let both = MATRICES.replace("f32 [96]", &format!("{m} [96, MatrixStride=8, ColMajor]"));
    let error = refused(&with_main(&variable, &body).replace(MATRICES, &both));
    assert!(error.contains("several ways"), "{error}");
    // A vector may be a column, or none.
    let v = "!spirv.ptr<vector<2xf32>, StorageBuffer>";
    let taking = format!(
        "spirv.func @f(%p: {v}) -> vector<2xf32> \"None\" {{
           %v = spirv.Load \"StorageBuffer\" %p : vector<2xf32>
           spirv.ReturnValue %v : vector<2xf32>
         }}"
    );
    let (variable, _) = buffer(MATRICES);
    let error = refused(&format!("spirv.module Logical GLSL450 {{\n{variable}\n{taking}\n}}"));
    assert!(error.contains("'spirv.Load'") && error.contains("several ways"), "{error}");
    let (variable, _) = buffer(&MATRICES.replace("RowMajor", "ColMajor"));
    by_us(&format!("spirv.module Logical GLSL450 {{\n{variable}\n{taking}\n}}"), PIPELINE);
}

#[test]
fn parts_of_floats_are_stored_in_buffers_as_all_else() {
    let (variable, address) = buffer(MATRICES);
    let (p, v) = (format!("!spirv.ptr<{MATRICES}, StorageBuffer>"), "!spirv.ptr<vector<2xf32>, StorageBuffer>");
    let body = format!(
        "{}{address}
         %column = spirv.AccessChain %b[%c0, %c1] : {p}, i32, i32 -> {v}
         %given = spirv.Constant dense<[20.25, 40.5]> : vector<2xf32>
         %part = \"spirv.GL.Modf\"(%given, %column) : (vector<2xf32>, {v}) -> vector<2xf32>
         %first = spirv.AccessChain %b[%c0, %c1, %c0] : {p}, i32, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
         %second = spirv.AccessChain %b[%c0, %c1, %c1] : {p}, i32, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
         %beside = spirv.AccessChain %b[%c0, %c2, %c0] : {p}, i32, i32, i32 -> !spirv.ptr<f32, StorageBuffer>
         %twenty = spirv.Load \"StorageBuffer\" %first : f32
         %forty = spirv.Load \"StorageBuffer\" %second : f32
         %three = spirv.Load \"StorageBuffer\" %beside : f32
         %half = spirv.CompositeExtract %part[1 : i32] : vector<2xf32>
         %s0 = spirv.FAdd %twenty, %forty : f32
         %s1 = spirv.FAdd %s0, %three : f32
         %s2 = spirv.FAdd %s1, %half : f32
         %s3 = spirv.FAdd %s2, %half : f32
         %made = spirv.ConvertFToS %s3 : f32 to i32
         spirv.ReturnValue %made : i32",
        numbers(2)
    );
    let code = exit(&with_main(&variable, &body), &floats("b_descriptor_set0_binding0"));
    assert!(code.is_none_or(|code| code == 20 + 40 + 3 + 1), "{code:?}");
}

#[test]
fn elements_behind_a_pointer_are_as_far_as_its_type_says() {
    let f = "!spirv.ptr<f32, StorageBuffer>";
    let array = "!spirv.struct<(!spirv.rtarray<f32, stride=8> [0]), Block>";
    let p = format!("!spirv.ptr<{array}, StorageBuffer>");
    let behind = |base: &str| format!("\"spirv.PtrAccessChain\"(%{base}, %c1) : ({f}, i32) -> {f}");
    let module = |types: &str, of_main: &str| {
        let (variable, address) = buffer(array);
        format!(
            "spirv.module Logical GLSL450 {types} {{
               {variable}
               spirv.func @next(%p: {f}) -> f32 \"None\" {{
                 {}
                 %q = {}
                 %x = spirv.Load \"StorageBuffer\" %q : f32
                 spirv.ReturnValue %x : f32
               }}
               spirv.func @main() -> i32 \"None\" {{
                 {}{address}
                 %first = spirv.AccessChain %b[%c0, %c1] : {p}, i32, i32 -> {f}
                 {of_main}
                 %made = spirv.ConvertFToS %x : f32 to i32
                 spirv.ReturnValue %made : i32
               }}
             }}",
            numbers(1),
            behind("p"),
            numbers(1),
        )
    };
    let host = floats("b_descriptor_set0_binding0");
    // Sixteen bytes behind the second element, which is the third float.
    let said = format!("attributes {{spirv_binary.types = [{{type = {f}, decorations = [[6 : i32, 16 : i32]]}}]}}");
    let code = exit(&module(&said, &format!("%x = spirv.FunctionCall @next(%first) : ({f}) -> f32")), &host);
    assert!(code.is_none_or(|code| code == 7), "{code:?}");
    // Also where LLVM has all else of the memory as SPIR-V says.
    let alone = format!(
        "spirv.module Logical GLSL450 {said} {{
           spirv.func @next(%p: {f}) -> {f} \"None\" {{
             {}
             %q = {}
             spirv.ReturnValue %q : {f}
           }}
         }}",
        numbers(1),
        behind("p")
    );
    assert!(by_us(&alone, PIPELINE).contains("!llvm.array<16 x i8>"));
    // Nothing is said of the type, but of the array: the second element behind one is two of its strides away.
    let twice = format!("%q = {}\n%r = {}\n%x = spirv.Load \"StorageBuffer\" %r : f32", behind("first"), behind("q"));
    let code = exit(&module("", &twice), &host);
    assert!(code.is_none_or(|code| code == 7), "{code:?}");
}

#[test]
fn arrays_of_blocks_are_arrays_of_pointers() {
    let of = "!spirv.array<2 x !spirv.struct<(i32 [0], !spirv.rtarray<i32, stride=8> [4]), Block>>";
    let (variable, address) = buffer(of);
    let chain = |name: &str, block: &str, at: &str| {
        format!(
            "%{name} = spirv.AccessChain %b[%{block}, %c1, %{at}] : !spirv.ptr<{of}, StorageBuffer>, i32, i32, i32 -> \
             !spirv.ptr<i32, StorageBuffer>\n%{name}v = spirv.Load \"StorageBuffer\" %{name} : i32\n"
        )
    };
    let body = format!(
        "{}{address}
         %d = spirv.AccessChain %b[%c0, %c0] : !spirv.ptr<{of}, StorageBuffer>, i32, i32 -> !spirv.ptr<i32, StorageBuffer>
         %one = spirv.Load \"StorageBuffer\" %d : i32
         {}{}%s = spirv.IAdd %xv, %yv : i32
         spirv.ReturnValue %s : i32",
        numbers(1),
        chain("x", "c0", "c1"),
        chain("y", "one", "one"),
    );
    let host = "
        @first = global [5 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5]
        @second = global [5 x i32] [i32 10, i32 20, i32 30, i32 40, i32 50]
        @b_descriptor_set0_binding0 = global [2 x ptr] [ptr @first, ptr @second]";
    let code = exit(&with_main(&variable, &body), host);
    assert!(code.is_none_or(|code| code == 4 + 40), "{code:?}");
}

#[test]
fn runtime_arrays_are_as_long_as_their_buffer_lets_them() {
    let of = "!spirv.struct<(vector<2xf32> [0], !spirv.rtarray<f32, stride=16> [16]), Block>";
    let (variable, address) = buffer(of);
    let body = format!(
        "{address}
         %n = \"spirv.ArrayLength\"(%b) {{literals = [1 : i32]}} : (!spirv.ptr<{of}, StorageBuffer>) -> i32
         spirv.ReturnValue %n : i32"
    );
    let host = "
        @b_descriptor_set0_binding0 = global [100 x i8] zeroinitializer
        define spir_func i64 @_Z18__spirv_BufferSizePv(ptr %p) {
          %is = icmp eq ptr %p, @b_descriptor_set0_binding0
          %n = select i1 %is, i64 100, i64 0
          ret i64 %n
        }";
    let code = exit(&with_main(&variable, &body), host);
    assert!(code.is_none_or(|code| code == 5), "{code:?}");
}

#[test]
fn push_constants_lead_to_physical_storage_buffers() {
    let node = "!spirv.struct<(i32 [0], !spirv.array<2 x f32, stride=16> [16]), Block>";
    let to_node = format!("!spirv.ptr<{node}, PhysicalStorageBuffer>");
    let of = format!("!spirv.struct<(i32 [0], {to_node} [16]), Block>");
    let p = format!("!spirv.ptr<{of}, PushConstant>");
    let text = format!(
        "spirv.module PhysicalStorageBuffer64 GLSL450 {{
           spirv.GlobalVariable @push : {p}
           spirv.func @main() -> i32 \"None\" {{
             {}
             %push = spirv.mlir.addressof @push : {p}
             %place = spirv.AccessChain %push[%c1] : {p}, i32 -> !spirv.ptr<{to_node}, PushConstant>
             %node = spirv.Load \"PushConstant\" %place : {to_node}
             %at = spirv.AccessChain %push[%c0] : {p}, i32 -> !spirv.ptr<i32, PushConstant>
             %number = spirv.Load \"PushConstant\" %at : i32
             %element = spirv.AccessChain %node[%c1, %number] : {to_node}, i32, i32 -> !spirv.ptr<f32, PhysicalStorageBuffer>
             %x = spirv.Load \"PhysicalStorageBuffer\" %element [\"Aligned\", 4] : f32
             %made = spirv.ConvertFToS %x : f32 to i32
             spirv.ReturnValue %made : i32
           }}
         }}",
        numbers(1)
    );
    let host =
        format!("{}@push = global {{ i32, i32, i64, ptr }} {{ i32 1, i32 9, i64 9, ptr @node }}", floats("node"));
    let code = exit(&text, &host);
    // The ninth float stands 32 bytes behind the start.
    assert!(code.is_none_or(|code| code == 9), "{code:?}");
}

#[test]
fn buffers_that_mlir_lays_out_otherwise_stand_as_they_say() {
    let host = floats("b_descriptor_set0_binding0");
    for (of, path, float) in [
        ("!spirv.struct<(vector<3xf32> [0], f32 [12])>", "%c1", 4),
        ("!spirv.array<2 x !spirv.array<3 x f32, stride=4>, stride=24>", "%c1, %c1", 8),
        ("!spirv.struct<(vector<2xf32> [0], f32 [8])>", "%c1", 3),
    ] {
        let (variable, address) = buffer(of);
        let types = if path.contains(',') { "i32, i32" } else { "i32" };
        let body = format!(
            "{}{address}
             %p = spirv.AccessChain %b[{path}] : !spirv.ptr<{of}, StorageBuffer>, {types} -> !spirv.ptr<f32, StorageBuffer>
             %x = spirv.Load \"StorageBuffer\" %p : f32
             %made = spirv.ConvertFToS %x : f32 to i32
             spirv.ReturnValue %made : i32",
            numbers(1)
        );
        let code = exit(&with_main(&variable, &body), &host);
        assert!(code.is_none_or(|code| code == float), "{of}: {code:?}");
    }
}

#[test]
fn blocks_of_a_workgroup_that_are_aliased_share_memory() {
    let (a, b) = ("!spirv.struct<(f32 [0], i32 [4]), Block>", "!spirv.struct<(vector<2xi32> [0], i32 [16]), Block>");
    let (pa, pb) = (format!("!spirv.ptr<{a}, Workgroup>"), format!("!spirv.ptr<{b}, Workgroup>"));
    let variables =
        format!("spirv.GlobalVariable @a {{aliased}} : {pa}\nspirv.GlobalVariable @second {{aliased}} : {pb}");
    let body = format!(
        "{}
         %a = spirv.mlir.addressof @a : {pa}
         %b = spirv.mlir.addressof @second : {pb}
         %p = spirv.AccessChain %a[%c0] : {pa}, i32 -> !spirv.ptr<f32, Workgroup>
         %one = spirv.Constant 1.0 : f32
         spirv.Store \"Workgroup\" %p, %one : f32
         %q = spirv.AccessChain %a[%c1] : {pa}, i32 -> !spirv.ptr<i32, Workgroup>
         %seven = spirv.Constant 7 : i32
         spirv.Store \"Workgroup\" %q, %seven : i32
         %r = spirv.AccessChain %b[%c0] : {pb}, i32 -> !spirv.ptr<vector<2xi32>, Workgroup>
         %v = spirv.Load \"Workgroup\" %r : vector<2xi32>
         %x = spirv.CompositeExtract %v[0 : i32] : vector<2xi32>
         %y = spirv.CompositeExtract %v[1 : i32] : vector<2xi32>
         %by = spirv.Constant 23 : i32
         %exponent = spirv.ShiftRightLogical %x, %by : i32, i32
         %s = spirv.IAdd %exponent, %y : i32
         spirv.ReturnValue %s : i32",
        numbers(1)
    );
    let text = with_main(&variables, &body);
    let made = by_us(&text, PIPELINE);
    assert_eq!(made.matches("llvm.mlir.global").count(), 1, "{made}");
    assert!(made.contains("!llvm.array<20 x i8>") && made.contains("alignment = 32"), "{made}");
    let code = exit(&text, "");
    assert!(code.is_none_or(|code| code == 127 + 7), "{code:?}");
    // One alone stands as LLVM has it.
    let alone = format!("spirv.module Logical GLSL450 {{\nspirv.GlobalVariable @a : {pa}\n}}");
    assert!(by_us(&alone, PIPELINE).contains("global_type = !llvm.struct<packed (f32, i32)>"));
    // What says nothing of where its parts stand cannot be beside them.
    let mixed = format!("{variables}\nspirv.GlobalVariable @c : !spirv.ptr<!spirv.array<4 x i32>, Workgroup>");
    let error = refused(&with_main(&mixed, &body));
    assert!(error.contains("the size of a variable is not known"), "{error}");
}

#[test]
fn what_others_change_is_loaded_and_stored_each_time() {
    let of = "!spirv.struct<(i32 [0, Volatile], !spirv.array<2 x i32, stride=4> [4, Coherent], i32 [12], \
              !spirv.struct<(f32 [0], f32 [4, Volatile])> [16]), Block>";
    let p = format!("!spirv.ptr<{of}, StorageBuffer>");
    let loaded = |attributes: &str, path: &str, ty: &str| {
        let types = vec!["i32"; path.split(',').count()].join(", ");
        let text = format!(
            "spirv.module Logical GLSL450 {{
               spirv.GlobalVariable @b bind(0, 0) {attributes} : {p}
               spirv.func @f() \"None\" {{
                 {}
                 %b = spirv.mlir.addressof @b : {p}
                 %q = spirv.AccessChain %b[{path}] : {p}, {types} -> !spirv.ptr<{ty}, StorageBuffer>
                 %v = spirv.Load \"StorageBuffer\" %q : {ty}
                 spirv.Store \"StorageBuffer\" %q, %v : {ty}
                 spirv.Return
               }}
             }}",
            numbers(3)
        );
        by_us(&text, PIPELINE).matches("volatile_").count()
    };
    assert_eq!(loaded("", "%c0", "i32"), 2);
    assert_eq!(loaded("", "%c1, %c1", "i32"), 2);
    assert_eq!(loaded("", "%c2", "i32"), 0);
    assert_eq!(loaded("{coherent}", "%c2", "i32"), 2);
    assert_eq!(loaded("", "%c3", "!spirv.struct<(f32 [0], f32 [4, Volatile])>"), 2);
    assert_eq!(loaded("{volatile}", "%c3", "!spirv.struct<(f32 [0], f32 [4, Volatile])>"), 4);
    // Where a pointer comes from is unknown.
    let text = format!(
        "spirv.module Logical GLSL450 {{
           spirv.GlobalVariable @b bind(0, 0) : {p}
           spirv.func @f(%q: !spirv.ptr<i32, StorageBuffer>) -> i32 \"None\" {{
             %v = spirv.Load \"StorageBuffer\" %q : i32
             spirv.ReturnValue %v : i32
           }}
         }}"
    );
    assert!(by_us(&text, PIPELINE).contains("volatile_"));
    assert!(!by_us(&text.replace(", Volatile", "").replace(", Coherent", ""), PIPELINE).contains("volatile_"));
}

#[test]
fn atomic_operations_on_what_others_change_count_each_time() {
    let made = |attributes: &str, member: &str| {
        let p = format!("!spirv.ptr<!spirv.struct<(i32 [0{member}], i32 [4]), Block>, StorageBuffer>");
        let text = format!(
            "spirv.module Logical GLSL450 {{
               spirv.GlobalVariable @b bind(0, 0) {attributes} : {p}
               spirv.func @f() \"None\" {{
                 {}
                 %b = spirv.mlir.addressof @b : {p}
                 %q = spirv.AccessChain %b[%c0] : {p}, i32 -> !spirv.ptr<i32, StorageBuffer>
                 %x = spirv.AtomicIAdd <Device> <None> %q, %c1 : !spirv.ptr<i32, StorageBuffer>
                 %y = spirv.AtomicCompareExchange <Device> <None> <None> %q, %c1, %x : !spirv.ptr<i32, StorageBuffer>
                 %z = \"spirv.AtomicLoad\"(%q, %c1, %c0) : (!spirv.ptr<i32, StorageBuffer>, i32, i32) -> i32
                 \"spirv.AtomicStore\"(%q, %c1, %c0, %z) : (!spirv.ptr<i32, StorageBuffer>, i32, i32, i32) -> ()
                 %r = spirv.AccessChain %b[%c1] : {p}, i32 -> !spirv.ptr<i32, StorageBuffer>
                 %w = spirv.AtomicIIncrement <Device> <None> %r : !spirv.ptr<i32, StorageBuffer>
                 spirv.Return
               }}
             }}",
            numbers(1)
        );
        let made = by_us(&text, PIPELINE);
        ["llvm.atomicrmw", "llvm.cmpxchg", "llvm.load", "llvm.store"].map(|name| {
            let of = |line: &&str| line.contains(&format!("\"{name}\"")) && line.contains("volatile_");
            made.lines().filter(of).count()
        })
    };
    assert_eq!(made("", ""), [0; 4]);
    assert_eq!(made("", ", Volatile"), [1; 4]);
    assert_eq!(made("{volatile}", ""), [2, 1, 1, 1]);
}

#[test]
fn bytes_are_copied_as_both_accesses_say() {
    let made = |literals: &str| {
        let text = format!(
            "spirv.module Physical64 OpenCL {{
               spirv.func @f(%a: !spirv.ptr<i8, CrossWorkgroup>, %b: !spirv.ptr<i8, CrossWorkgroup>, %n: i64) \"None\" {{
                 \"spirv.CopyMemorySized\"(%a, %b, %n) {literals} :
                   (!spirv.ptr<i8, CrossWorkgroup>, !spirv.ptr<i8, CrossWorkgroup>, i64) -> ()
                 spirv.Return
               }}
             }}"
        );
        by_us(&text, PIPELINE)
    };
    for (literals, is_volatile) in [
        ("", false),
        ("{literals = [1 : i32]}", true),
        ("{literals = [2 : i32, 1 : i32]}", false),
        ("{literals = [3 : i32, 4 : i32]}", true),
        ("{literals = [2 : i32, 4 : i32, 1 : i32]}", true),
    ] {
        let made = made(literals);
        assert!(made.contains(&format!("isVolatile = {is_volatile}")), "{literals}: {made}");
    }
}

#[test]
fn parts_of_packed_structs_stand_anywhere_by_copies_of_pointers_too() {
    let (variable, _) = buffer(MATRICES);
    let (of, v) = ("!spirv.ptr<!spirv.struct<(i8, vector<4xi32>)>, Function>", "!spirv.ptr<vector<4xi32>, Function>");
    let body = format!(
        "{}
         %all = spirv.Variable : {of}
         %part = spirv.AccessChain %all[%c1] : {of}, i32 -> {v}
         %copy = \"spirv.CopyObject\"(%part) : ({v}) -> {v}
         %made = spirv.Load \"Function\" %copy : vector<4xi32>
         spirv.ReturnValue %c1 : i32",
        numbers(1)
    );
    let made = by_us(&with_main(&variable, &body), PIPELINE);
    assert!(made.contains("alignment = 1 : i64"), "{made}");
}
