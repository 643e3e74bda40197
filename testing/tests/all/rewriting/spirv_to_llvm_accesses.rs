//! How `convert-spirv-to-llvm` accesses memory: all bits of masks, and scopes and semantics that are no plain constants.

use mlirbc_rewrite::Pipeline;
use mlirbc_testing::tool;

use super::spirv_to_llvm::refused;
use super::spirv_to_llvm_runs::{outer, piped};
use super::{by_us, context, generic, registry};

/// What becomes of operations on two pointers to `i32`, `%p` and `%q`, a scope `%scope` and a number `%n`.
fn with_pointers(operations: &str) -> String {
    format!(
        "spirv.module Physical64 OpenCL {{
           spirv.func @f(%p: !spirv.ptr<i32, Generic>, %q: !spirv.ptr<i32, Generic>, %scope: i32, %n: i32) \"None\" {{
             {operations}
             spirv.Return
           }}
         }}"
    )
}

fn converted(operations: &str) -> String {
    by_us(&with_pointers(operations), "builtin.module(convert-spirv-to-llvm)")
}

/// The only line that has a word.
fn line<'t>(text: &'t str, word: &str) -> &'t str {
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(word)).collect();
    assert_eq!(lines.len(), 1, "{word} in {text}");
    lines[0]
}

const POINTER: &str = "!spirv.ptr<i32, Generic>";

#[test]
fn masks_of_several_bits_say_all_that_they_say() {
    let cases = [
        ("<Volatile|Aligned>", ", alignment = 8 : i32", "alignment = 8 : i64", true, false),
        ("<Nontemporal|Aligned>", ", alignment = 4 : i32", "alignment = 4 : i64", false, true),
        ("<Volatile|Aligned|Nontemporal>", ", alignment = 16 : i32", "alignment = 16 : i64", true, true),
        ("<Volatile|Nontemporal>", "", "", true, true),
        ("<MakePointerVisible|NonPrivatePointer>", "", "", false, false),
    ];
    for (mask, alignment, expected, is_volatile, is_nontemporal) in cases {
        let made = converted(&format!(
            "%x = \"spirv.Load\"(%p) {{memory_access = #spirv.memory_access{mask}{alignment}}} : ({POINTER}) -> i32
             \"spirv.Store\"(%q, %x) {{memory_access = #spirv.memory_access{mask}{alignment}}} : ({POINTER}, i32) -> ()"
        ));
        for made in ["llvm.load", "llvm.store"].map(|name| line(&made, name)) {
            assert!(made.contains(expected) && made.contains("alignment") != expected.is_empty(), "{mask}: {made}");
            assert_eq!(made.contains("volatile_"), is_volatile, "{mask}: {made}");
            assert_eq!(made.contains("nontemporal"), is_nontemporal, "{mask}: {made}");
        }
    }
}

#[test]
fn what_is_said_of_other_invocations_names_a_scope_and_no_operation() {
    // Aligned, MakePointerVisible, NonPrivatePointer; Aligned, MakePointerAvailable, NonPrivatePointer; and so on.
    let made = converted(&format!(
        "%x = \"spirv.OpLoad\"(%p, %scope) {{literals = [50 : i32, 16 : i32]}} : ({POINTER}, i32) -> i32
         \"spirv.OpStore\"(%q, %x, %scope) {{literals = [42 : i32, 8 : i32]}} : ({POINTER}, i32, i32) -> ()"
    ));
    assert!(line(&made, "llvm.load").contains("alignment = 16 : i64"), "{made}");
    assert!(line(&made, "llvm.store").contains("alignment = 8 : i64"), "{made}");
    let made = converted(&format!(
        "\"spirv.OpCopyMemory\"(%p, %q, %scope, %scope) {{literals = [41 : i32, 50 : i32, 2 : i32]}} :
           ({POINTER}, {POINTER}, i32, i32) -> ()"
    ));
    let (load, store) = (line(&made, "llvm.load"), line(&made, "llvm.store"));
    assert!(load.contains("alignment = 2 : i64") && !load.contains("volatile_"), "{load}");
    assert!(store.contains("volatile_") && !store.contains("alignment"), "{store}");
    for (literals, is_volatile) in
        [("", "false"), ("{literals = [1 : i32]}", "true"), ("{literals = [2 : i32, 4 : i32]}", "false")]
    {
        let made =
            converted(&format!("\"spirv.CopyMemorySized\"(%p, %q, %n) {literals} : ({POINTER}, {POINTER}, i32) -> ()"));
        assert!(line(&made, "llvm.intr.memcpy").contains(&format!("isVolatile = {is_volatile}")), "{made}");
    }
    let error = refused(&with_pointers(&format!(
        "%x = \"spirv.OpLoad\"(%p, %scope) {{literals = [1073741824 : i32]}} : ({POINTER}, i32) -> i32"
    )));
    assert!(error.contains("'spirv.OpLoad'") && error.contains("in a way that has no counterpart"), "{error}");
}

/// A shader whose scope and semantics are specialisation constants.
const SHADER: &str = r#"
      OpCapability Shader
      OpCapability VulkanMemoryModel
      OpExtension "SPV_KHR_vulkan_memory_model"
      OpMemoryModel Logical Vulkan
      OpEntryPoint GLCompute %main "main"
      OpExecutionMode %main LocalSize 1 1 1
      OpDecorate %scope SpecId 0
      OpDecorate %order SpecId 1
      %void = OpTypeVoid
      %type = OpTypeFunction %void
      %word = OpTypeInt 32 0
      %pointer = OpTypePointer Workgroup %word
      %shared = OpVariable %pointer Workgroup
      %scope = OpSpecConstant %word 2
      %order = OpSpecConstant %word 264
      %none = OpConstant %word 0
      %one = OpConstant %word 1
      %main = OpFunction %void None %type
      %start = OpLabel
      OpControlBarrier %scope %scope %order
      OpMemoryBarrier %scope %order
      %a = OpAtomicIAdd %word %shared %scope %order %one
      %b = OpAtomicIIncrement %word %shared %scope %order
      %c = OpAtomicCompareExchange %word %shared %scope %order %none %one %a
      %d = OpAtomicLoad %word %shared %scope %order
      OpAtomicStore %shared %scope %order %b
      %e = OpLoad %word %shared Aligned|MakePointerVisible|NonPrivatePointer 4 %scope
      OpStore %shared %e MakePointerAvailable|NonPrivatePointer %scope
      OpReturn
      OpFunctionEnd
"#;

#[test]
fn scopes_and_semantics_may_be_specialisation_constants() {
    if !tool("spirv-as", "no shader with scopes that are specialised was made") {
        return;
    }
    let (code, binary) = piped("spirv-as", &["-", "-o", "-"], SHADER.as_bytes());
    assert_eq!(code, Some(0));
    // Acquire and release by default; then all in one order, and none.
    for (options, orders, numbers) in
        [("", [6, 4, 5], "264"), ("{specialization=1:16}", [7; 3], "16"), ("{specialization=0:1,1:0}", [2; 3], "0")]
    {
        let mut module = mlirbc_spirv::raise(&context(), binary.clone()).unwrap_or_else(|error| panic!("{error}"));
        let pipeline = format!("builtin.module(convert-spirv-to-llvm{options})");
        let pipeline = Pipeline::parse(&pipeline, &registry()).unwrap_or_else(|error| panic!("{error}"));
        pipeline.run(&mut module).unwrap_or_else(|error| panic!("{error}"));
        let made = generic(&module);
        assert!(!made.contains("\"spirv."), "{made}");
        let [both, load, store] = orders;
        let changes: Vec<&str> = made.lines().filter(|line| line.contains("\"llvm.atomicrmw\"")).collect();
        assert_eq!(changes.len(), 2, "{made}");
        assert!(changes.iter().all(|line| line.contains(&format!("ordering = {both} : i64"))), "{changes:?}");
        let exchange = line(&made, "\"llvm.cmpxchg\"");
        assert!(exchange.contains(&format!("success_ordering = {both} : i64")), "{exchange}");
        assert!(exchange.contains("failure_ordering = 2 : i64"), "{exchange}");
        let is = |name: &str, order: i32| {
            let text = format!("ordering = {order} : i64");
            made.lines().any(|line| line.contains(name) && line.contains("alignment = 4") && line.contains(&text))
        };
        assert!(is("\"llvm.load\"", load) && is("\"llvm.store\"", store), "{made}");
        for callee in ["_Z22__spirv_ControlBarrieriii", "_Z21__spirv_MemoryBarrierii"] {
            assert_eq!(made.matches(&format!("callee = @{callee}")).count(), 1, "{made}");
            assert_eq!(made.matches(&format!("sym_name = \"{callee}\"")).count(), 1, "{made}");
        }
        assert!(made.contains(&format!("value = {numbers} : i32")), "{made}");
        if tool("mlir-translate-22", "operations of memory were not translated to LLVM IR") {
            let (code, _) = piped("mlir-translate-22", &["--mlir-to-llvmir"], outer(&made).as_bytes());
            assert_eq!(code, Some(0), "{made}");
        }
    }
}

/// Where the semantics are known to nobody, an operation is as strict as it gets.
#[test]
fn semantics_that_are_not_known_are_the_strictest() {
    let made = converted(&format!(
        "%x = \"spirv.OpAtomicIAdd\"(%p, %scope, %n, %n) : ({POINTER}, i32, i32, i32) -> i32
         %flag = \"spirv.AtomicFlagTestAndSet\"(%q, %scope, %n) : ({POINTER}, i32, i32) -> i1
         \"spirv.AtomicFlagClear\"(%q, %scope, %n) : ({POINTER}, i32, i32) -> ()"
    ));
    assert_eq!(made.matches("ordering = 7 : i64").count(), 3, "{made}");
}
