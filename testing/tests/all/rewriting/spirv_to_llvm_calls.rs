//! What `convert-spirv-to-llvm` leaves to the environment: barriers and operations of groups, by the names of functions; and the orders of
//! atomic operations.

use super::by_us;
use super::spirv_to_llvm::refused;

const PIPELINE: &str = "builtin.module(convert-spirv-to-llvm)";

/// A function with operands of many types.
fn function(operation: &str) -> String {
    format!(
        "spirv.module Logical GLSL450 {{
           spirv.func @f(%i: i32, %l: i64, %s: i16, %c: i8, %x: f32, %d: f64, %h: f16, %b: i1, %v: vector<4xi32>, %w: vector<2xf32>,
                         %p: !spirv.ptr<i32, StorageBuffer>) \"None\" {{
             {operation}
             spirv.Return
           }}
         }}"
    )
}

#[test]
fn barriers_and_operations_of_groups_call_functions_by_their_mangled_names() {
    let group = |name: &str, operands: &str, types: &str, result: &str| {
        format!(
            "%r = \"spirv.{name}\"({operands}) {{execution_scope = #spirv.scope<Subgroup>, \
             group_operation = #spirv.group_operation<InclusiveScan>}} : ({types}) -> {result}"
        )
    };
    let scoped = |name: &str, operands: &str, types: &str, result: &str| {
        format!(
            "%r = \"spirv.{name}\"({operands}) {{execution_scope = #spirv.scope<Subgroup>}} : ({types}) -> {result}"
        )
    };
    for (operation, name, said) in [
        (
            "spirv.ControlBarrier <Workgroup>, <Device>, <Acquire|UniformMemory>".to_owned(),
            "_Z22__spirv_ControlBarrieriii",
            &[2, 1, 66][..],
        ),
        (
            "spirv.MemoryBarrier <Device>, <AcquireRelease|UniformMemory>".to_owned(),
            "_Z21__spirv_MemoryBarrierii",
            &[1, 72],
        ),
        (group("GroupNonUniformFAdd", "%x", "f32", "f32"), "_Z27__spirv_GroupNonUniformFAddiif", &[3, 1]),
        (group("GroupNonUniformFMul", "%d", "f64", "f64"), "_Z27__spirv_GroupNonUniformFMuliid", &[3, 1]),
        (group("GroupNonUniformIAdd", "%l", "i64", "i64"), "_Z27__spirv_GroupNonUniformIAddiim", &[3, 1]),
        (group("GroupNonUniformSMin", "%s", "i16", "i16"), "_Z27__spirv_GroupNonUniformSMiniit", &[3, 1]),
        (group("GroupNonUniformUMax", "%c", "i8", "i8"), "_Z27__spirv_GroupNonUniformUMaxiic", &[3, 1]),
        (group("GroupNonUniformFMin", "%h", "f16", "f16"), "_Z27__spirv_GroupNonUniformFMiniiDh", &[3, 1]),
        (group("GroupNonUniformLogicalAnd", "%b", "i1", "i1"), "_Z33__spirv_GroupNonUniformLogicalAndiib", &[3, 1]),
        (
            scoped("GroupNonUniformBroadcast", "%w, %i", "vector<2xf32>, i32", "vector<2xf32>"),
            "_Z32__spirv_GroupNonUniformBroadcastiDv2_fj",
            &[3],
        ),
        (scoped("GroupNonUniformElect", "", "", "i1"), "_Z28__spirv_GroupNonUniformElecti", &[3]),
        (scoped("GroupNonUniformBallot", "%b", "i1", "vector<4xi32>"), "_Z29__spirv_GroupNonUniformBallotib", &[3]),
        (
            group("GroupNonUniformBallotBitCount", "%v", "vector<4xi32>", "i32"),
            "_Z37__spirv_GroupNonUniformBallotBitCountiiDv4_j",
            &[3, 1],
        ),
        ("%r = spirv.KHR.SubgroupBallot %b: vector<4xi32>".to_owned(), "_Z25__spirv_SubgroupBallotKHRb", &[]),
        // As in a binary: the scope is an operand, and the operation of the group a literal between that and the value.
        (
            "%r = \"spirv.GroupLogicalAndKHR\"(%i, %b) {literals = [2 : i32]} : (i32, i1) -> i1".to_owned(),
            "_Z26__spirv_GroupLogicalAndKHRiib",
            &[2],
        ),
        (
            "%r = \"spirv.GroupFAddNonUniformAMD\"(%i, %x) {literals = [1 : i32]} : (i32, f32) -> f32".to_owned(),
            "_Z30__spirv_GroupFAddNonUniformAMDiif",
            &[1],
        ),
    ] {
        let made = by_us(&function(&operation), PIPELINE);
        assert!(made.contains(&format!("sym_name = \"{name}\"")), "{name} is not declared in\n{made}");
        assert!(made.contains(&format!("callee = @{name}")), "{name} is not called in\n{made}");
        let constants = made.matches("llvm.mlir.constant").count();
        assert_eq!(constants, said.len(), "{made}");
        for number in said {
            assert!(made.contains(&format!("value = {number} : i32")), "{number} is not in\n{made}");
        }
    }
}

#[test]
fn literals_of_groups_stand_where_the_instruction_has_them() {
    let made = by_us(
        &function("%r = \"spirv.GroupLogicalAndKHR\"(%i, %b) {literals = [2 : i32]} : (i32, i1) -> i1"),
        PIPELINE,
    );
    let call = made.lines().find(|line| line.contains("\"llvm.call\"")).expect("a call");
    let types = "(i32, i32, i1) -> i1";
    assert!(call.contains(types), "{call}");
    let constant = made.lines().find(|line| line.contains("llvm.mlir.constant")).expect("a constant");
    let value = constant.trim().split(' ').next().expect("a value");
    let given = call.split("(").nth(1).and_then(|rest| rest.split(')').next()).expect("operands");
    assert_eq!(given.split(", ").nth(1), Some(value), "{made}");
    let error = refused(&function(
        "%r = \"spirv.GroupLogicalAndKHR\"(%i, %b) {literals = [2 : i32, 3 : i32]} : (i32, i1) -> i1",
    ));
    assert!(error.contains("more operands than its instruction"), "{error}");
}

#[test]
fn atomic_operations_have_the_order_that_they_ask_for() {
    let order = |made: &str, name: &str| {
        let at = made.find(&format!("{name} = ")).unwrap_or_else(|| panic!("no {name} in {made}"));
        made[at + name.len() + 3..].chars().next().and_then(|digit| digit.to_digit(10)).expect("a number")
    };
    // Monotonic is 2, acquire 4, release 5, both 6, and in one order for all 7.
    for (semantics, bits, [changed, loaded, stored, failed]) in [
        ("None", 0, [2, 2, 2, 2]),
        ("UniformMemory", 0x40, [2, 2, 2, 2]),
        ("Acquire|UniformMemory", 0x42, [4, 4, 5, 4]),
        ("Release|UniformMemory", 0x44, [5, 4, 5, 2]),
        ("AcquireRelease|UniformMemory", 0x48, [6, 4, 5, 4]),
        ("SequentiallyConsistent|UniformMemory", 0x50, [7, 7, 7, 7]),
    ] {
        let made = by_us(
            &function(&format!("%r = spirv.AtomicIAdd <Device> <{semantics}> %p, %i : !spirv.ptr<i32, StorageBuffer>")),
            PIPELINE,
        );
        assert_eq!(order(&made, "ordering"), changed, "{semantics}: {made}");
        let made = by_us(
            &function(&format!(
                "%r = spirv.AtomicCompareExchange <Workgroup> <{semantics}> <{semantics}> %p, %i, %i : !spirv.ptr<i32, StorageBuffer>"
            )),
            PIPELINE,
        );
        assert_eq!(order(&made, "success_ordering"), changed, "{semantics}: {made}");
        assert_eq!(order(&made, "failure_ordering"), failed, "{semantics}: {made}");
        let given = format!("%m = spirv.Constant {bits} : i32\n");
        let load = "%r = \"spirv.AtomicLoad\"(%p, %i, %m) : (!spirv.ptr<i32, StorageBuffer>, i32, i32) -> i32";
        let made = by_us(&function(&(given.clone() + load)), PIPELINE);
        assert_eq!(order(&made, "ordering"), loaded, "{semantics}: {made}");
        let store = "\"spirv.AtomicStore\"(%p, %i, %m, %i) : (!spirv.ptr<i32, StorageBuffer>, i32, i32, i32) -> ()";
        let made = by_us(&function(&(given + store)), PIPELINE);
        assert_eq!(order(&made, "ordering"), stored, "{semantics}: {made}");
    }
    // What is not known may ask for all.
    let load = "%r = \"spirv.AtomicLoad\"(%p, %i, %i) : (!spirv.ptr<i32, StorageBuffer>, i32, i32) -> i32";
    assert_eq!(order(&by_us(&function(load), PIPELINE), "ordering"), 7);
}
