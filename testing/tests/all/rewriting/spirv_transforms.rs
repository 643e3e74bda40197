//! The own passes of `spirv`, beside those of mlir-opt.

use mlirbc_rewrite::Pipeline;
use mlirbc_testing::tool;
use mlirbc_text::{ParseOptions, parse_module};

use super::{by_us, context, differences, registry};

const MODULES: &str = include_str!("spirv_transforms.mlir");

fn of_modules(pass: &str) -> String {
    format!("builtin.module(spirv.module({pass}))")
}

#[test]
fn modules_become_what_they_become_in_mlir_opt() {
    if !tool("mlir-opt-22", "passes of spirv were not compared with those of mlir-opt") {
        return;
    }
    let mut passes = vec!["builtin.module(decorate-spirv-composite-type-layout)".to_owned()];
    for pass in [
        "spirv-canonicalize-gl",
        "spirv-promote-to-replicated-constants",
        "spirv-rewrite-inserts",
        "spirv-unify-aliased-resource",
        "spirv-webgpu-prepare",
    ] {
        passes.push(of_modules(pass));
    }
    for pipeline in passes {
        let differences = differences(MODULES, &pipeline);
        if let Some((theirs, ours)) = differences.first() {
            panic!("{pipeline}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
        }
        assert_ne!(by_us(MODULES, &pipeline), by_us(MODULES, "builtin.module()"), "{pipeline} does something");
    }
}

/// What the pass says of a module that it cannot change.
fn refused(text: &str, pipeline: &str) -> String {
    let options = ParseOptions::new().implicit_module(true);
    let mut module = parse_module(&context(), text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}"));
    let pipeline = Pipeline::parse(pipeline, &registry()).unwrap_or_else(|error| panic!("{error}"));
    pipeline.run(&mut module).expect_err(text).to_string()
}

#[test]
fn numbers_in_several_parts_of_a_vector_are_found_where_they_are() {
    let text = r#"spirv.module Logical GLSL450 {
  spirv.GlobalVariable @long bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>
  spirv.GlobalVariable @vector bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<vector<4xf32>, stride=16> [0])>, StorageBuffer>
  spirv.func @f(%i: i32) -> i64 "None" {
    %zero = spirv.Constant 0 : i32
    %0 = spirv.mlir.addressof @long : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>
    %1 = spirv.AccessChain %0[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<i64, StorageBuffer>
    %2 = spirv.Load "StorageBuffer" %1 ["Volatile|Aligned", 8] : i64
    spirv.ReturnValue %2 : i64
  }
  spirv.EntryPoint "GLCompute" @f, @vector, @long
}"#;
    let text = by_us(text, &of_modules("spirv-unify-aliased-resource"));
    // The second one is behind two parts.
    let steps: Vec<_> = ["spirv.SDiv", "spirv.SMod", "spirv.IMul", "spirv.IAdd"].map(|step| text.find(step)).into();
    assert!(steps.is_sorted() && steps[0].is_some() && !text.contains("@long"), "{text}");
    assert_eq!(text.matches("memory_access = #spirv.memory_access<Volatile>").count(), 2, "{text}");
    assert!(text.contains("interface = [@vector]") && !text.contains("aliased"), "{text}");
}

#[test]
fn what_cannot_be_unified_is_an_error() {
    let text = r#"spirv.module Logical GLSL450 {
  spirv.GlobalVariable @byte bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i8, stride=1> [0])>, StorageBuffer>
  spirv.GlobalVariable @long bind(0, 0) {aliased} : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>
  spirv.func @f(%i: i32) "None" {
    %zero = spirv.Constant 0 : i32
    %0 = spirv.mlir.addressof @long : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>
    %1 = spirv.AccessChain %0[%zero, %i] : !spirv.ptr<!spirv.struct<(!spirv.rtarray<i64, stride=8> [0])>, StorageBuffer>, i32, i32 -> !spirv.ptr<i64, StorageBuffer>
    %2 = spirv.Load "StorageBuffer" %1 : i64
    spirv.Return
  }
}"#;
    let said = refused(text, &of_modules("spirv-unify-aliased-resource"));
    assert!(said.contains("spirv.Load") && said.contains("more than four parts"), "{said}");
}

#[test]
fn accesses_follow_the_types_of_variables_but_by_the_rule_of_mlir() {
    let text = r#"spirv.module Logical GLSL450 {
  spirv.GlobalVariable @block bind(0, 0) : !spirv.ptr<!spirv.struct<(i32, !spirv.array<2 x !spirv.struct<(vector<3xf32>, !spirv.matrix<2 x vector<3xf32>> [RowMajor])>>), Block>, Uniform>
  spirv.func @f(%i: i32) "None" {
    %one = spirv.Constant 1 : i32
    %0 = spirv.mlir.addressof @block : !spirv.ptr<!spirv.struct<(i32, !spirv.array<2 x !spirv.struct<(vector<3xf32>, !spirv.matrix<2 x vector<3xf32>> [RowMajor])>>), Block>, Uniform>
    %1 = spirv.AccessChain %0[%one] : !spirv.ptr<!spirv.struct<(i32, !spirv.array<2 x !spirv.struct<(vector<3xf32>, !spirv.matrix<2 x vector<3xf32>> [RowMajor])>>), Block>, Uniform>, i32 -> !spirv.ptr<!spirv.array<2 x !spirv.struct<(vector<3xf32>, !spirv.matrix<2 x vector<3xf32>> [RowMajor])>>, Uniform>
    %2 = spirv.AccessChain %1[%i] : !spirv.ptr<!spirv.array<2 x !spirv.struct<(vector<3xf32>, !spirv.matrix<2 x vector<3xf32>> [RowMajor])>>, Uniform>, i32 -> !spirv.ptr<!spirv.struct<(vector<3xf32>, !spirv.matrix<2 x vector<3xf32>> [RowMajor])>, Uniform>
    spirv.Return
  }
}"#;
    let member = "!spirv.struct<(vector<3xf32> [0], !spirv.matrix<2 x vector<3xf32>> [16, RowMajor, MatrixStride=16])>";
    let text_of =
        |rule: &str| by_us(text, &format!("builtin.module(decorate-spirv-composite-type-layout{{rule={rule}}})"));
    let std140 = text_of("std140");
    let array = format!("!spirv.array<2 x {member}, stride=64>");
    assert!(
        std140.contains(&format!("!spirv.ptr<!spirv.struct<(i32 [0], {array} [16]), Block>, Uniform>")),
        "{std140}"
    );
    assert!(std140.contains(&format!("-> !spirv.ptr<{array}, Uniform>")), "{std140}");
    assert!(std140.contains(&format!("-> !spirv.ptr<{member}, Uniform>")), "{std140}");
    assert!(text_of("scalar").contains("stride=36> [4])"));
    let said = refused(text, "builtin.module(decorate-spirv-composite-type-layout)");
    assert!(said.contains("invalid result type"), "{said}");
}

#[test]
fn what_functions_refer_to_is_not_replicated() {
    let text = r#"spirv.module Logical GLSL450 {
  spirv.SpecConstant @one = 1 : i32
  spirv.SpecConstantComposite @ones (@one, @one) : vector<2xi32>
  spirv.func @f() "None" {
    %0 = spirv.mlir.referenceof @ones : vector<2xi32>
    spirv.Return
  }
}"#;
    let said = refused(text, &of_modules("spirv-promote-to-replicated-constants"));
    assert!(said.contains("@ones") && said.contains("/@f"), "{said}");
}

/// Modules with entry points, for a target of that version and these capabilities.
fn entry_points(target: &str) -> String {
    format!(
        r#"spirv.module Logical GLSL450 attributes {{spirv.target_env = #spirv.target_env<#spirv.vce<{target}, []>, #spirv.resource_limits<>>}} {{
  spirv.GlobalVariable @id built_in("GlobalInvocationId") : !spirv.ptr<vector<3xi32>, Input>
  spirv.GlobalVariable @shared : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
  spirv.func @plain(%x: f32) -> f32 "None" {{
    spirv.ReturnValue %x : f32
  }}
  spirv.func @entry(
    %number: f32 {{spirv.interface_var_abi = #spirv.interface_var_abi<(0, 0), StorageBuffer>}},
    %block: !spirv.ptr<!spirv.struct<(i32, vector<4xf32>)>, StorageBuffer> {{spirv.interface_var_abi = #spirv.interface_var_abi<(0, 1)>}},
    %unused: !spirv.ptr<!spirv.struct<(i32, vector<4xf32>)>, StorageBuffer> {{spirv.interface_var_abi = #spirv.interface_var_abi<(0, 2)>}},
    %wide: i64 {{spirv.interface_var_abi = #spirv.interface_var_abi<(1, 3), Uniform>}}
  ) "None" attributes {{spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [8, 4, 1], subgroup_size = 16, target_width = 32>, said}} {{
    %shared = spirv.mlir.addressof @shared : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>
    %zero = spirv.Constant 0 : i32
    %0 = spirv.AccessChain %block[%zero] : !spirv.ptr<!spirv.struct<(i32, vector<4xf32>)>, StorageBuffer>, i32 -> !spirv.ptr<i32, StorageBuffer>
    %1 = spirv.AccessChain %shared[%zero] : !spirv.ptr<!spirv.array<4 x f32>, Workgroup>, i32 -> !spirv.ptr<f32, Workgroup>
    spirv.Store "Workgroup" %1, %number : f32
    %id = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi32>, Input>
    spirv.Return
  }}
  spirv.func @other() "None" attributes {{spirv.entry_point_abi = #spirv.entry_point_abi<workgroup_size = [1, 1, 1]>}} {{
    %id = spirv.mlir.addressof @id : !spirv.ptr<vector<3xi32>, Input>
    spirv.Return
  }}
}}"#
    )
}

#[test]
fn entry_points_say_what_their_attributes_said() {
    let pipeline = of_modules("spirv-lower-abi-attrs");
    let targets = ["v1.0, [Shader]", "v1.3, [Kernel, Shader]", "v1.4, [Shader, Kernel, SubgroupDispatch]"];
    let made = targets.map(|target| by_us(&entry_points(target), &pipeline));
    assert!(made[0].contains("#spirv.execution_model<GLCompute>, fn = @entry, interface = [@id]"), "{}", made[0]);
    let all = "interface = [@entry_arg_0, @entry_arg_1, @entry_arg_2, @entry_arg_3, @shared, @id]";
    assert!(made[2].contains(all), "{}", made[2]);
    if tool("mlir-opt-22", "spirv-lower-abi-attrs was not compared with that of mlir-opt") {
        for target in targets {
            if let Some((theirs, ours)) = differences(&entry_points(target), &pipeline).first() {
                panic!("{target}: mlir-opt makes\n{theirs}\nand we make\n{ours}");
            }
        }
    }
}

/// A graph of a module that may have graphs, whose arguments and results are bound as it is said.
fn graph(bound: [&str; 3], entry: &str) -> String {
    let [first, second, result] = bound;
    format!(
        r#"module attributes {{spirv.target_env = #spirv.target_env<#spirv.vce<v1.3, [VulkanMemoryModel, Shader, Int8, TensorsARM, GraphARM], [SPV_ARM_tensors, SPV_ARM_graph, SPV_KHR_vulkan_memory_model]>, #spirv.resource_limits<>>}} {{
spirv.module Logical Vulkan {{
  spirv.ARM.Graph @sum(%a: !spirv.arm.tensor<1x2xi8> {first}, %b: !spirv.arm.tensor<3xi8> {second}) -> (!spirv.arm.tensor<1x2xi8> {result}) {entry} {{
    spirv.ARM.GraphOutputs %a : !spirv.arm.tensor<1x2xi8>
  }}
}}
}}"#
    )
}

#[test]
fn graphs_have_variables_for_arguments_and_results() {
    let pipeline = of_modules("spirv-lower-abi-attrs");
    let is_bound =
        [0, 1, 2].map(|binding| format!("{{spirv.interface_var_abi = #spirv.interface_var_abi<(4, {binding})>}}"));
    let bound = is_bound.each_ref().map(String::as_str);
    let entry = "attributes {entry_point = true}";
    let whole = graph(bound, entry);
    let made = by_us(&whole, &pipeline);
    assert!(made.contains("interface = [@sum_arg_0, @sum_arg_1, @sum_res_0]"), "{made}");
    assert!(!made.contains("interface_var_abi"), "{made}");
    let unsaid = graph(["", "", ""], entry);
    if tool("mlir-opt-22", "graphs were not compared with those of mlir-opt") {
        for text in [&whole, &unsaid] {
            assert_eq!(differences(text, &pipeline), []);
        }
    }
    let half = refused(&graph([bound[0], bound[1], ""], entry), &pipeline);
    assert!(half.contains("@sum: of an argument or result nothing says where it is bound"), "{half}");
    let inner = refused(&graph(bound, "attributes {entry_point = false}"), &pipeline);
    assert!(inner.contains("@sum: arguments and results of a graph that is no entry point"), "{inner}");
}

#[test]
fn arguments_that_cannot_be_variables_are_errors() {
    let said = |change: (&str, &str), target| {
        refused(&entry_points(target).replace(change.0, change.1), &of_modules("spirv-lower-abi-attrs"))
    };
    let shader = "v1.0, [Shader]";
    let no_class = said(("<(0, 0), StorageBuffer>", "<(0, 0)>"), shader);
    assert!(no_class.contains("/@entry: nothing says in which storage class argument 0 is"), "{no_class}");
    let no_entry = said(("workgroup_size = [8, 4, 1], subgroup_size = 16, target_width = 32", ""), "v1.0, [Matrix]");
    assert!(no_entry.contains("neither of the capabilities"), "{no_entry}");
    let unbound = said(("{spirv.interface_var_abi = #spirv.interface_var_abi<(0, 2)>}", ""), shader);
    assert!(unbound.contains("nothing says where argument 2 is bound"), "{unbound}");
    let value = said(
        ("%unused: !spirv.ptr<!spirv.struct<(i32, vector<4xf32>)>, StorageBuffer>", "%unused: !spirv.array<2 x f32>"),
        shader,
    );
    assert!(value.contains("argument 2 is no number"), "{value}");
    let missing = said(("spirv.target_env =", "said_env ="), shader);
    assert!(missing.contains("missing 'spirv.target_env' attribute"), "{missing}");
}

#[test]
fn too_many_products_are_an_error() {
    let product = "%p = spirv.UMulExtended %a, %a : !spirv.struct<(i32, i32)>\n";
    let text = |count: usize| {
        let products: String = (0..count).map(|number| product.replace("%p", &format!("%{number}"))).collect();
        format!("spirv.module Logical GLSL450 {{ spirv.func @f(%a: i32) \"None\" {{ {products} spirv.Return }} }}")
    };
    let said = refused(&text((1 << 14) + 1), &of_modules("spirv-webgpu-prepare"));
    assert!(said.contains("16385 products of twice the width"), "{said}");
    assert!(!by_us(&text(100), &of_modules("spirv-webgpu-prepare")).contains("spirv.UMulExtended"));
}
