//! StableHLO to `vhlo` of any version and back, and what is refused.

use mlirbc_ir::{Context, Module, Result};
use mlirbc_stablehlo::{Version, is_vhlo, needs, to_stablehlo, to_vhlo, write_artifact};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

fn context() -> Context {
    let context = mlirbc_dialects::context();
    mlirbc_stablehlo::register(&context).expect("the dialects are new");
    context
}

fn text(module: &Module) -> Result<String> {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(true), &mut text)?;
    Ok(String::from_utf8(text).expect("text"))
}

fn module(context: &Context, body: &str) -> Module {
    let whole = format!("func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) {{\n{body}\nfunc.return\n}}");
    parse_module(context, whole.as_bytes(), &ParseOptions::new().implicit_module(true)).expect(body)
}

const MODULES: [(&str, Version); 7] = [
    ("%0 = \"stablehlo.add\"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>", Version::MINIMUM),
    ("%0 = \"stablehlo.tan\"(%x) : (tensor<2xf32>) -> tensor<2xf32>", Version::new(1, 4, 0)),
    (
        "%0 = \"stablehlo.tanh\"(%x) <{result_accuracy = #stablehlo.result_accuracy<ulps = 5, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>",
        Version::new(1, 10, 0),
    ),
    (
        "%0 = \"stablehlo.dot_general\"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>",
        Version::MINIMUM,
    ),
    (
        "%0 = \"stablehlo.dot_general\"(%x, %y) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f8E4M3FN, rhs_precision_type = f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>",
        Version::new(1, 21, 0),
    ),
    (
        "%0 = \"stablehlo.custom_call\"(%x) <{call_target_name = \"f\", backend_config = {a = 1 : i32}, api_version = 4 : i32}> : (tensor<2xf32>) -> tensor<2xf32>",
        Version::new(1, 3, 0),
    ),
    // What is of another dialect stays, behind casts.
    (
        "%0 = \"stablehlo.add\"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n%1 = \"other.op\"(%0) : (tensor<2xf32>) -> tensor<2xf32>\n%2 = \"stablehlo.abs\"(%1) : (tensor<2xf32>) -> tensor<2xf32>",
        Version::MINIMUM,
    ),
];

#[test]
fn what_goes_up_comes_down_again() -> Result<()> {
    let context = context();
    for (body, oldest) in MODULES {
        let module = module(&context, body);
        let before = text(&module)?;
        for version in [Version::CURRENT, oldest.max(Version::new(1, 17, 0)), oldest] {
            let artifact = to_vhlo(&module, version)?;
            assert!(is_vhlo(&artifact)?, "{body}");
            assert_eq!(text(&to_stablehlo(&artifact)?)?, before, "{version}");
            // As bytes, too.
            let read = mlirbc_bytecode::read(&context, write_artifact(&module, version)?)?;
            assert_eq!(text(&to_stablehlo(&read)?)?, before, "{version}");
        }
    }
    Ok(())
}

#[test]
fn the_oldest_version_is_told_and_older_ones_are_refused() -> Result<()> {
    let context = context();
    for (body, oldest) in MODULES {
        let module = module(&context, body);
        assert_eq!(needs(&module)?.version(), oldest, "{body}");
        if oldest > Version::MINIMUM {
            let error = to_vhlo(&module, Version::new(1, 0, 0)).expect_err(body);
            let message = error.message();
            assert!(
                message.contains("stablehlo.") && message.contains("@f") && message.contains(&oldest.to_string()),
                "{message}"
            );
        }
    }
    for version in ["0.8.0", "99.0.0"] {
        assert!(to_vhlo(&module(&context, MODULES[0].0), version.parse()?).is_err());
    }
    Ok(())
}

/// What MLIR puts where an operation is made stands there when it comes back, as libStablehlo has it.
#[test]
fn the_configuration_of_a_feed_is_said() -> Result<()> {
    let context = context();
    let module = module(
        &context,
        "%t = stablehlo.create_token : !stablehlo.token\n%0:2 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)\n%1 = \"stablehlo.outfeed\"(%x, %t) : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token",
    );
    let after = text(&to_stablehlo(&to_vhlo(&module, Version::MINIMUM)?)?)?;
    assert!(after.contains("infeed_config = \"\"") && after.contains("outfeed_config = \"\""), "{after}");
    assert!(!after.contains("layout"), "{after}");
    Ok(())
}

/// What makes libStablehlo crash where it reads its own artifact: a value that is cast twice.
#[test]
fn casts_of_casts_go_away() -> Result<()> {
    let context = context();
    let text = "\"vhlo.func_v1\"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.i32_v1) -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<\"f\">, sym_visibility = #vhlo.string_v1<\"\">}> ({
      ^bb0(%x: !vhlo.i32_v1):
        %0 = builtin.unrealized_conversion_cast %x : !vhlo.i32_v1 to i32
        %1 = builtin.unrealized_conversion_cast %0 : i32 to !vhlo.i32_v1
        %2 = builtin.unrealized_conversion_cast %1 : !vhlo.i32_v1 to i32
        \"other.op\"(%2) : (i32) -> ()
        \"vhlo.return_v1\"() : () -> ()
      }) : () -> ()";
    let module = parse_module(&context, text.as_bytes(), &ParseOptions::new().implicit_module(true)).expect("vhlo");
    let lowered = self::text(&to_stablehlo(&module)?)?;
    assert!(lowered.contains("\"other.op\"(%arg0)") && !lowered.contains("cast"), "{lowered}");
    Ok(())
}

/// An operation that lacks what all of its name have says nothing.
#[test]
fn what_lacks_an_attribute_is_refused() {
    let context = context();
    let text = "%0 = \"vhlo.iota_v1\"() : () -> !vhlo.tensor_v1<4x!vhlo.f32_v1>";
    let module = parse_module(&context, text.as_bytes(), &ParseOptions::new().implicit_module(true)).expect("vhlo");
    let error = to_stablehlo(&module).expect_err("it lacks one");
    assert!(error.message().contains("it lacks `iota_dimension`"), "{error}");
}

/// Values that are used before they are given, and arguments of blocks behind the first: an artifact has them all the same.
#[test]
fn values_keep_their_numbers() -> Result<()> {
    let context = context();
    let forward = "module {
      module {
        \"stablehlo.return\"(%1#1, %2) : (tensor<2xf32>, tensor<2xi64>) -> ()
        %0 = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
        %1:2 = stablehlo.custom_call @f(%0, %1#0) : (tensor<2xi64>, tensor<3xf32>) -> (tensor<3xf32>, tensor<2xf32>)
        %2 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
      }
    }";
    let blocks = "func.func @f(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
      %0 = stablehlo.add %x, %y : tensor<2xf32>
      cf.br ^bb1(%y : tensor<2xf32>)
    ^bb1(%z: tensor<2xf32>):
      %1 = stablehlo.subtract %z, %0 : tensor<2xf32>
      func.return %1 : tensor<2xf32>
    }";
    for source in [forward, blocks] {
        let options = ParseOptions::new().implicit_module(true);
        let module = parse_module(&context, source.as_bytes(), &options).expect(source);
        let before = text(&module)?;
        for version in [Version::MINIMUM, Version::CURRENT] {
            let read = mlirbc_bytecode::read(&context, write_artifact(&module, version)?)?;
            assert_eq!(text(&to_stablehlo(&read)?)?, before, "{version}");
            let plain = mlirbc_bytecode::write(&to_stablehlo(&read)?, &mlirbc_bytecode::WriteOptions::default())?;
            assert_eq!(text(&mlirbc_bytecode::read(&context, plain)?)?, before, "{version}");
        }
    }
    Ok(())
}
