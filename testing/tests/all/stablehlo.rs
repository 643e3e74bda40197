//! The dialects `stablehlo`, `chlo` and `sdy`: text and bytecode, as libStablehlo has them. The fixtures are its own prints.

use std::sync::Arc;

use mlirbc_bytecode::encoding::{DialectExt, DialectVersion, EntryAlone};
use mlirbc_bytecode::{WriteOptions, read, write};
use mlirbc_ir::text::{parse_attribute, parse_type, print_attribute, print_type};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{Context, Module};
use mlirbc_stablehlo::stablehlo::{
    AxisRef, ChannelHandle, ComparisonDirection, ComparisonType, ConvDimensionNumbers, DotAlgorithm,
    DotDimensionNumbers, FftType, GatherDimensionNumbers, Mesh, MeshAxis, OutputOperandAlias, Precision,
    ReplicaGroupMeshAxes, ResultAccuracy, ResultAccuracyMode, RngAlgorithm, RngDistribution, ScatterDimensionNumbers,
    SubAxisInfo, Transpose, TypeExtensions,
};
use mlirbc_stablehlo::{Version, chlo};
use mlirbc_testing::fixture;
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

/// A context that knows them.
fn context() -> Context {
    let context = mlirbc_testing::context();
    mlirbc_stablehlo::register(&context).expect("registered");
    context
}

fn parse(context: &Context, text: &str) -> Module {
    let options = ParseOptions::new().implicit_locations(false);
    parse_module(context, text.as_bytes(), &options).unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

fn print(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("text");
    String::from_utf8(text).expect("text")
}

fn texts() -> [String; 3] {
    ["operations", "sdy", "attributes"].map(|name| {
        let path = fixture(&format!("stablehlo/{name}.mlir"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    })
}

#[test]
fn operations_come_back_from_every_form() {
    for text in texts() {
        let context = context();
        let module = parse(&context, &text);
        verify_module(&module, &mut |error| panic!("{error}")).expect("read");
        assert_eq!(print(&module, false).trim_end(), text.trim_end());
        let generic = print(&module, true);
        assert_eq!(print(&parse(&context, &generic), false).trim_end(), text.trim_end(), "{generic}");
        let bytes = write(&module, &WriteOptions::default()).expect("written");
        let module = read(&context, bytes).expect("read");
        assert_eq!(print(&module, false).trim_end(), text.trim_end());
    }
}

#[test]
fn a_reduction_shows_its_body_where_it_says_more() {
    let context = context();
    let reduce = "module {\n  func.func @f(%arg0: tensor<4xf32>, %arg1: tensor<f32>) -> tensor<f32> {\n    %0 = stablehlo.reduce(%arg0 init: %arg1) \
                  applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32> loc(\"x\")\n    \
                  return %0 : tensor<f32>\n  }\n}\n";
    let module = parse(&context, reduce);
    assert!(print(&module, false).contains(" applies stablehlo.add "), "{}", print(&module, false));
    let places =
        print(&module, true).replace("\"stablehlo.add\"(%arg2, %arg3) :", "\"stablehlo.add\"(%arg2, %arg3) {x.y} :");
    assert!(
        print(&parse(&context, &places), false).contains("reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)"),
        "{places}"
    );
    let moved = print(&parse(&context, &print(&module, true)), false);
    assert!(moved.contains(" applies "), "{moved}");
    let swapped = print(&module, true).replace("\"stablehlo.add\"(%arg2, %arg3)", "\"stablehlo.add\"(%arg3, %arg2)");
    assert!(print(&parse(&context, &swapped), false).contains("reducer"), "{swapped}");
    for wrong in ["stablehlo.subtract", "stablehlo.nothing", "arith.addf"] {
        let text = reduce.replace("stablehlo.add", wrong);
        assert!(parse_module(&context, text.as_bytes(), &ParseOptions::new()).is_err(), "{text}");
    }
}

/// Attributes, and what libStablehlo makes of them where that is another text.
const ATTRIBUTES: &[(&str, &str)] = &[
    ("#stablehlo.channel_handle<type = 2, handle = -1>", "#stablehlo.channel_handle<handle = -1, type = 2>"),
    (
        "#stablehlo.gather<index_vector_dim = 1, offset_dims = [1, 2],>",
        "#stablehlo.gather<offset_dims = [1, 2], index_vector_dim = 1>",
    ),
    ("#stablehlo.gather<offset_dims = [], index_vector_dim = 0>", "#stablehlo.gather<>"),
    ("#stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0]>", ""),
    ("#stablehlo.dot<lhs_contracting_dimensions = [1]>", ""),
    ("#stablehlo.conv<[b, 1, 0, f]x[i, o, 0, 1]->[f, b, 1, 0]>", ""),
    ("#stablehlo.conv<[b,f]x[i,o]->[b,f]>", "#stablehlo.conv<[b, f]x[i, o]->[b, f]>"),
    ("#stablehlo.type_extensions<bounds = [4, ?]>", "#stablehlo.bounds<4, ?>"),
    ("#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>", ""),
    (
        "#stablehlo.result_accuracy<atol = 1.0, rtol = 0.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
        "#stablehlo.result_accuracy<atol = 1.000000e+00, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
    ),
    ("#stablehlo<precision HIGH>", ""),
    ("#stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)2>", ""),
    ("#stablehlo.mesh<axes=[<name = \"x\", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>", ""),
    ("#chlo<comparison_type TOTALORDER>", ""),
    ("#chlo.ragged_dot<lhs_ragged_dimensions = [0]>", ""),
    ("#sdy<manual_axes{\"a\", \"b\"}>", ""),
    ("#sdy.mesh<[\"a\"=2], device_ids=[0, 1]>", "#sdy.mesh<[\"a\"=2]>"),
    ("#sdy.mesh<[], device_ids=[0]>", ""),
    ("#sdy<dimension_sharding{\"a\":(1)2, ?}p1>", ""),
    ("#sdy<dimension_sharding{}p200>", ""),
    ("#sdy.sharding<@m, [{\"a\"}p2, {?}], replicated={\"b\"}, unreduced=max{\"c\":(1)2}>", ""),
    ("#sdy.sharding<mesh<[\"a\"=2]>, []>", ""),
    ("#sdy.sharding_per_value<[<@m, [{}]>, <@m, []>]>", ""),
    ("#sdy<tensor_mapping[i, jk]>", ""),
    (
        "#sdy.op_sharding_rule<([i,jz_1])->([]) {i=8, j=2} need_replication={i} blocked_propagation={i, z}, custom>",
        "#sdy.op_sharding_rule<([i, jz_1])->([]) {i=8, j=2} need_replication={i} blocked_propagation={i, z}, custom>",
    ),
    ("#sdy<list_of_axis_ref_lists[{\"a\"}, {}]>", ""),
    ("#sdy<all_to_all_param_list[{\"a\"}: 0->1, {\"b\"}: 2->3]>", ""),
    ("#sdy<axis_to_propagation_details{\"a\":(2)2 = operand-1 -> [operand-0, result-3]}>", ""),
    (
        "#sdy.propagation_edges<[{step-0=[{\"a\"=result-0->[operand-1]}]}, {step-12 = [{\"b\" = operand-0->[result-0,result-1]}]}]>",
        "#sdy.propagation_edges<[{step-0 = [{\"a\" = result-0 -> [operand-1]}]}, {step-12 = [{\"b\" = operand-0 -> [result-0, result-1]}]}]>",
    ),
];

#[test]
fn attributes_are_shown_as_libstablehlo_does() {
    let context = context();
    for (text, shown) in ATTRIBUTES {
        let attribute = parse_attribute(&context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let shown = if shown.is_empty() { text } else { shown };
        assert_eq!(print_attribute(&context, attribute).expect("text"), **shown);
        // And in bytecode.
        let dialect = context.dialect(text[1..].split(['.', '<']).next().unwrap_or_default()).expect("a dialect");
        let encoding = dialect.encoding().expect("an encoding");
        let mut entry = EntryAlone::new(&context);
        if entry.write_attribute(&*encoding, attribute) {
            assert_eq!(entry.read_attribute(&*encoding, &entry.bytes).expect("read"), attribute, "{text}");
            for length in 0..entry.bytes.len() {
                assert!(entry.read_attribute(&*encoding, &entry.bytes[..length]).is_err(), "{text}: {length}");
            }
        } else {
            let as_text = ["#chlo.ragged_dot", "#sdy<axis_to_prop", "#sdy.propagation_edges"];
            assert!(as_text.iter().any(|kept| text.starts_with(kept)), "{text}");
        }
    }
    for text in ["!stablehlo.token", "!stablehlo.future<tensor<4xf32>, i8>"] {
        let ty = parse_type(&context, text.as_bytes()).expect("a type");
        assert_eq!(print_type(&context, ty).expect("text"), text);
    }
}

#[test]
fn what_breaks_a_rule_is_refused() {
    let context = context();
    for text in [
        "#stablehlo.channel_handle<handle = 1>",
        "#stablehlo.gather<offset_dims = [1], offset_dims = [2]>",
        "#stablehlo.gather<offset_dims = [99999999999999999999]>",
        "#stablehlo.conv<[b, 0, 0, f]x[0, 1, i, o]->[b, 0, 1, f]>",
        "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, b, 0, f]>",
        "#stablehlo<precision FOO>",
        "#stablehlo.result_accuracy<atol = 1.0, mode = #stablehlo.result_accuracy_mode<HIGHEST>>",
        "#stablehlo.result_accuracy<mode = 1 : i32>",
        "#sdy<dimension_sharding{\"a\"}p01>",
        "#sdy<dimension_sharding{\"a\"}p>",
        "#sdy.sharding<@m, [], replicated={}, replicated={}>",
        "#sdy<tensor_mapping[a]>",
        "#sdy<axis_to_propagation_details{\"a\" = operand-1 -> []}>",
        "#sdy<axis_to_propagation_details{\"a\" = node-1 -> [operand-0]}>",
        "#sdy<propagation_one_step{step--2 = [{\"a\" = operand-1 -> [operand-0]}]}>",
        "#sdy<tensor_mapping[z_99999999999999999999]>",
        "#sdy.op_sharding_rule<([i])->([i]) {j=2}>",
    ] {
        assert!(parse_attribute(&context, text.as_bytes()).is_err(), "{text}");
    }
    assert!(parse_type(&context, b"!stablehlo.future<>").is_err());
}

fn code(context: &Context, text: &str) -> u8 {
    let attribute = parse_attribute(context, text.as_bytes()).expect("an attribute");
    let encoding = context.dialect("sdy").and_then(|sdy| sdy.encoding()).expect("an encoding");
    let mut entry = EntryAlone::new(context);
    assert!(entry.write_attribute(&*encoding, attribute));
    // A varint of one byte.
    entry.bytes[0] >> 1
}

#[test]
fn a_priority_stands_in_bytecode_as_it_is() {
    let context = context();
    let sharding = parse_attribute(&context, b"#sdy<dimension_sharding{}p5>").expect("an attribute");
    let encoding = context.dialect("sdy").and_then(|sdy| sdy.encoding()).expect("an encoding");
    let mut entry = EntryAlone::new(&context);
    assert!(entry.write_attribute(&*encoding, sharding));
    // Its code, no axes, closed, and the number with a bit that says that it is there; varints of one byte end in a 1.
    assert_eq!(entry.bytes, [11, 1, 1, 23]);
}

#[test]
fn shardings_have_the_oldest_code_that_holds_them() {
    let context = context();
    let sharding = |rest: &str| format!("#sdy.sharding<@m, [{{\"a\"}}]{rest}>");
    assert_eq!(code(&context, &sharding("")), 6);
    assert_eq!(code(&context, &sharding(", replicated={\"b\"}")), 6);
    assert_eq!(code(&context, &sharding(", unreduced={\"b\"}")), 15);
    assert_eq!(code(&context, &sharding(", unreduced=min{\"b\"}")), 17);
    assert_eq!(code(&context, "#sdy.sharding_per_value<[<@m, []>]>"), 7);
    assert_eq!(code(&context, "#sdy.sharding_per_value<[<@m, [], unreduced={\"b\"}>]>"), 16);
}

/// Values as attributes: what their text is, and that both give the value back.
macro_rules! attributes_of {
    ($context:expr; $($name:ident $(:: $case:ident)? $({ $($field:tt)* })? => $text:literal,)*) => {$({
        type It = $name;
        let value = It $(:: $case)? $({ $($field)* })?;
        let attribute = value.clone().attribute($context);
        assert_eq!(print_attribute($context, attribute).expect("text"), $text);
        assert_eq!(parse_attribute($context, $text.as_bytes()).expect($text), attribute);
        assert_eq!(It::of($context, attribute), Some(value));
    })*};
}

#[test]
fn attributes_are_values_of_rust() {
    let context = &context();
    let (string, f32) = (context.string("x"), context.f32_type());
    let (ones, mode) = (vec![1], ResultAccuracyMode::Tolerance.attribute(context));
    let sub_axis = SubAxisInfo { pre_size: 1, size: 2 }.attribute(context);
    let axis = AxisRef { name: string, sub_axis_info: None }.attribute(context);
    let mesh_axis = MeshAxis { name: string, size: 2 }.attribute(context);
    let ids = context.dense(context.tensor_type([2], context.integer_type(64)), &[1, 0]).expect("they fit");
    attributes_of! { context;
        ChannelHandle { handle: 3, channel_type: 1 } => "#stablehlo.channel_handle<handle = 3, type = 1>",
        ComparisonDirection::Gt => "#stablehlo<comparison_direction GT>",
        ComparisonType::TotalOrder => "#stablehlo<comparison_type TOTALORDER>",
        FftType::Irfft => "#stablehlo<fft_type IRFFT>",
        Precision::High => "#stablehlo<precision HIGH>",
        RngAlgorithm::Philox => "#stablehlo<rng_algorithm PHILOX>",
        RngDistribution::Normal => "#stablehlo<rng_distribution NORMAL>",
        Transpose::Adjoint => "#stablehlo<transpose ADJOINT>",
        ResultAccuracyMode::Highest => "#stablehlo.result_accuracy_mode<HIGHEST>",
        ConvDimensionNumbers {
            input_batch_dimension: 0, input_feature_dimension: 2, input_spatial_dimensions: ones.clone(),
            kernel_input_feature_dimension: 1, kernel_output_feature_dimension: 2, kernel_spatial_dimensions: vec![0],
            output_batch_dimension: 0, output_feature_dimension: 2, output_spatial_dimensions: ones.clone()
        } => "#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>",
        DotDimensionNumbers {
            lhs_batching_dimensions: vec![0], rhs_batching_dimensions: vec![0],
            lhs_contracting_dimensions: vec![2], rhs_contracting_dimensions: ones.clone()
        } => "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>",
        DotAlgorithm {
            lhs_precision_type: f32, rhs_precision_type: f32, accumulation_type: f32, lhs_component_count: 1,
            rhs_component_count: 1, num_primitive_operations: 1, allow_imprecise_accumulation: false
        } => "#stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>",
        GatherDimensionNumbers {
            offset_dims: ones.clone(), collapsed_slice_dims: vec![0], operand_batching_dims: vec![],
            start_indices_batching_dims: vec![], start_index_map: vec![0], index_vector_dim: 2
        } => "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>",
        ScatterDimensionNumbers {
            update_window_dims: ones.clone(), inserted_window_dims: vec![0], input_batching_dims: vec![],
            scatter_indices_batching_dims: vec![], scatter_dims_to_operand_dims: vec![0], index_vector_dim: 1
        } => "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>",
        TypeExtensions { bounds: vec![4, mlirbc_ir::DYNAMIC] } => "#stablehlo.bounds<4, ?>",
        OutputOperandAlias { output_tuple_indices: vec![0], operand_index: 1, operand_tuple_indices: ones.clone() }
            => "#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 1, operand_tuple_indices = [1]>",
        ResultAccuracy { atol: 1.0, rtol: 0.0, ulps: 2, mode }
            => "#stablehlo.result_accuracy<atol = 1.000000e+00, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
        SubAxisInfo { pre_size: 1, size: 2 } => "#stablehlo<sub_axis_info(1)2>",
        AxisRef { name: string, sub_axis_info: Some(sub_axis) } => "#stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)2>",
        MeshAxis { name: string, size: 2 } => "#stablehlo.mesh_axis<name = \"x\", size = 2>",
        Mesh { axes: context.array([mesh_axis]), device_ids: Some(ids) }
            => "#stablehlo.mesh<axes=[<name = \"x\", size = 2>], device_ids=dense<[1, 0]> : tensor<2xi64>>",
        ReplicaGroupMeshAxes { mesh: context.symbol_ref("m"), axes: context.array([axis]) }
            => "#stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = \"x\">]>",
    }
    {
        use chlo::{ComparisonDirection, ComparisonType, Precision, RaggedDotDimensionNumbers};
        attributes_of! { context;
            ComparisonDirection::Le => "#chlo<comparison_direction LE>",
            ComparisonType::Float => "#chlo<comparison_type FLOAT>",
            Precision::Highest => "#chlo<precision HIGHEST>",
            RaggedDotDimensionNumbers {
                lhs_batching_dimensions: vec![], rhs_batching_dimensions: vec![], lhs_contracting_dimensions: ones.clone(),
                rhs_contracting_dimensions: ones.clone(), lhs_ragged_dimensions: vec![0], rhs_group_dimensions: vec![0]
            } => "#chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>",
        }
    }
    assert_eq!(ConvDimensionNumbers::of(context, axis), None);
    assert_eq!(RngDistribution::from_number(0), None);
}

#[test]
fn a_version_is_written_where_it_is_asked_for() {
    let context = context();
    let module = parse(&context, "%0 = stablehlo.create_token : !stablehlo.token");
    let plain = write(&module, &WriteOptions::default()).expect("written");
    assert_eq!(read(&context, plain).expect("read").dialect_versions().expect("read").len(), 0);
    let version: DialectVersion = Arc::new(Version { major: 1, minor: 10, patch: 0 });
    let options = WriteOptions { dialect_versions: vec![("stablehlo".to_owned(), version)], ..WriteOptions::default() };
    let bytes = write(&module, &options).expect("written");
    let module = read(&context, bytes.clone()).expect("read");
    assert_eq!(module.dialect_versions().expect("read").len(), 1);
    assert_eq!(write(&module, &WriteOptions::like(&module)).expect("written"), bytes);
}
