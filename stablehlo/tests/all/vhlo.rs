//! Encodings and text of `vhlo`: there and back, and what is refused.

use mlirbc_bytecode::encoding::{DialectExt, EntryAlone};
use mlirbc_ir::Context;
use mlirbc_ir::text::{parse_attribute, parse_type, print_attribute, print_type};

fn context() -> Context {
    let context = mlirbc_dialects::context();
    mlirbc_stablehlo::register(&context).expect("the dialects are new");
    context
}

const TYPES: [&str; 16] = [
    "!vhlo.bool_v1",
    "!vhlo.tf31_v1",
    "!vhlo.complex_v1<!vhlo.f32_v1>",
    "!vhlo.func_v1<(()) -> ()>",
    "!vhlo.func_v1<(!vhlo.i2_v1, !vhlo.ui64_v1) -> !vhlo.token_v1, !vhlo.none_v1>",
    "!vhlo.tensor_v1<!vhlo.f64_v1>",
    "!vhlo.tensor_v1<0x?x3x!vhlo.f32_v1>",
    "!vhlo.tensor_v1<?x2x!vhlo.f32_v1, #vhlo.type_extensions_v1<bounds = [64, ?]>>",
    "!vhlo.tuple_v1<!vhlo.i32_v1, !vhlo.tuple_v1<!vhlo.index_v1>>",
    "!vhlo.tuple_v1<>",
    "!vhlo.quant_v1<!vhlo.i8_v1:!vhlo.f32_v1, 5.000000e-01:3, -128:127, 1>",
    "!vhlo.quant_per_axis_v1<!vhlo.i8_v1:!vhlo.f32_v1, 1, [3.000000e+00, 4.000000e+00], [0, -2], -127:127, 1>",
    "!vhlo.unranked_tensor_v1<!vhlo.bf16_v1>",
    "!vhlo.witness_v1",
    "!vhlo.buffer_v1<4x!vhlo.f32_v1>",
    "!vhlo.future_v1<!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.token_v1>",
];

const ATTRIBUTES: [&str; 27] = [
    "#vhlo.array_v1<[]>",
    "#vhlo.array_v1<[#vhlo.bool_v1<true>, #vhlo.bool_v1<false>]>",
    "#vhlo<comparison_direction_v1 LT>",
    "#vhlo<rng_distribution_v1 NORMAL>",
    "#vhlo<api_version_v1 API_VERSION_TYPED_FFI>",
    "#vhlo.dict_v1<{}>",
    "#vhlo.dict_v1<{#vhlo.string_v1<\"z\"> = #vhlo.bool_v1<true>, #vhlo.string_v1<\"a\\22\"> = #vhlo.dict_v1<{}>}>",
    "#vhlo.float_v1<1.000000e-03 : !vhlo.f32_v1>",
    "#vhlo.float_v1<0x7FF0000000000000 : !vhlo.f64_v1>",
    "#vhlo.integer_v1<-7 : i64>",
    "#vhlo.integer_v1<1 : i2>",
    "#vhlo.integer_v1<255 : ui8>",
    "#vhlo.integer_v1<3 : index>",
    "#vhlo.output_operand_alias_v1<outputTupleIndices = [0], operandIndex = 1, operandTupleIndices = []>",
    "#vhlo.tensor_v1<dense<> : tensor<0xi64>>",
    "#vhlo.tensor_v1<dense<[true, false, true]> : tensor<3xi1>>",
    "#vhlo.tensor_v1<dense<true> : tensor<i1>>",
    "#vhlo.tensor_v1<dense<true> : tensor<0xi1>>",
    "#vhlo.tensor_v1<dense<false> : tensor<9xi1>>",
    "#vhlo.tensor_v1<dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>>",
    "#vhlo.type_v1<!vhlo.none_v1>",
    "#vhlo.result_accuracy_v1<atol = 1.000000e+00, rtol = 0.000000e+00, ulps = 5, mode = #vhlo<result_accuracy_mode_v1 TOLERANCE>>",
    "#vhlo.axis_ref_v1<name = #vhlo.string_v1<\"x\">>",
    "#vhlo.axis_ref_v1<name = #vhlo.string_v1<\"x\">, sub_axis_info = #vhlo.sub_axis_info_v1<pre_size = 1, size = 2>>",
    "#vhlo.mesh_v1<axes = #vhlo.array_v1<[#vhlo.mesh_axis_v1<name = #vhlo.string_v1<\"x\">, size = 4>]>>",
    "#vhlo.mesh_v1<axes = #vhlo.array_v1<[]>, device_ids = #vhlo.tensor_v1<dense<[1, 0]> : tensor<2xi64>>>",
    "#vhlo.replica_group_mesh_axes_v1<mesh = #vhlo.string_v1<\"m\">, axes = #vhlo.array_v1<[]>>",
];

#[test]
fn text_and_encodings_of_all_come_back() -> mlirbc_ir::Result<()> {
    let context = context();
    let encoding = context.dialect("vhlo").and_then(|dialect| dialect.encoding()).expect("it has one");
    for text in TYPES {
        let ty = parse_type(&context, text.as_bytes())?;
        assert_eq!(print_type(&context, ty)?, text);
        let mut entry = EntryAlone::new(&context);
        assert!(entry.write_type(&*encoding, ty), "{text}");
        assert_eq!(entry.read_type(&*encoding, &entry.bytes)?, ty, "{text}");
        let builtin = mlirbc_stablehlo::vhlo::to_builtin(&context, ty).expect(text);
        assert_eq!(mlirbc_stablehlo::vhlo::from_builtin(&context, builtin), Some(ty), "{text}");
    }
    for text in ATTRIBUTES {
        let attribute = parse_attribute(&context, text.as_bytes())?;
        assert_eq!(print_attribute(&context, attribute)?, text);
        let mut entry = EntryAlone::new(&context);
        assert!(entry.write_attribute(&*encoding, attribute), "{text}");
        assert_eq!(entry.read_attribute(&*encoding, &entry.bytes)?, attribute, "{text}");
        // Whatever is cut off is an error, or another attribute; never a panic.
        for end in 0..entry.bytes.len() {
            let _ = entry.read_attribute(&*encoding, &entry.bytes[..end]);
        }
    }
    Ok(())
}

#[test]
fn elements_of_one_bit_are_read_as_old_and_new_writers_have_them() -> mlirbc_ir::Result<()> {
    let context = context();
    let encoding = context.dialect("vhlo").and_then(|dialect| dialect.encoding()).expect("it has one");
    let read = |count: usize, blob: &[u8]| -> mlirbc_ir::Result<String> {
        let mut entry = EntryAlone::new(&context);
        let ty = parse_type(&context, format!("!vhlo.tensor_v1<{count}x!vhlo.bool_v1>").as_bytes())?;
        entry.types.push(ty);
        [15, 0, blob.len() as u64].into_iter().for_each(|number| entry.varint(number));
        let mut bytes = entry.bytes.clone();
        bytes.extend_from_slice(blob);
        let attribute = entry.read_attribute(&*encoding, &bytes)?;
        Ok(context.show(attribute).to_string())
    };
    let is = |text: &str, count: usize| format!("#vhlo.tensor_v1<dense<{text}> : tensor<{count}xi1>>");
    assert_eq!(read(9, &[0xff])?, is("true", 9));
    assert_eq!(read(9, &[0])?, is("false", 9));
    assert_eq!(read(3, &[0b101])?, is("[true, false, true]", 3));
    assert_eq!(read(3, &[1, 0, 1])?, is("[true, false, true]", 3));
    assert_eq!(read(3, &[0b111])?, is("true", 3));
    assert_eq!(read(1, &[1])?, is("true", 1));
    assert_eq!(read(1, &[0])?, is("false", 1));
    assert!(read(9, &[1, 2, 3]).is_err());
    assert!(read(9, &[]).is_err());
    Ok(())
}

#[test]
fn broken_entries_are_refused() {
    let context = context();
    let encoding = context.dialect("vhlo").and_then(|dialect| dialect.encoding()).expect("it has one");
    let entry = |numbers: &[u64]| {
        let mut entry = EntryAlone::new(&context);
        entry.types.push(parse_type(&context, b"!vhlo.tuple_v1<>").expect("a type"));
        entry.types.push(parse_type(&context, b"!vhlo.tensor_v1<?x!vhlo.i32_v1>").expect("a type"));
        numbers.iter().for_each(|&number| entry.varint(number));
        entry.read_attribute(&*encoding, &entry.bytes).expect_err("broken").message().to_owned()
    };
    assert!(entry(&[0]).contains("nothing of vhlo has the code 0"));
    assert!(entry(&[26]).contains("nothing of vhlo has the code 26"));
    assert!(entry(&[3, 6]).contains("no case of the enum has the number 6"));
    assert!(entry(&[13, 0]).contains("no case of the enum has the number 0"));
    assert!(entry(&[2, 2]).contains("2 is neither true nor false"));
    assert!(entry(&[9, 0, 1]).contains("the value is not of its type"));
    assert!(entry(&[15, 1, 0]).contains("static shape"));
    assert!(entry(&[14]).contains("0 left"));
}

/// What makes libStablehlo abort where it reads it.
#[test]
fn integers_of_two_bits_are_read() -> mlirbc_ir::Result<()> {
    let context = context();
    let encoding = context.dialect("vhlo").and_then(|dialect| dialect.encoding()).expect("it has one");
    for (ty, byte, shown) in [("i2", 1, "1 : i2"), ("i2", 3, "-1 : i2"), ("ui2", 3, "3 : ui2")] {
        let mut entry = EntryAlone::new(&context);
        entry.types.push(parse_type(&context, format!("!vhlo.{ty}_v1").as_bytes())?);
        [9, 0].into_iter().for_each(|number| entry.varint(number));
        let mut bytes = entry.bytes.clone();
        assert!(entry.read_attribute(&*encoding, &bytes).is_err(), "{ty} of no byte");
        bytes.push(byte);
        let read = entry.read_attribute(&*encoding, &bytes)?;
        assert_eq!(print_attribute(&context, read)?, format!("#vhlo.integer_v1<{shown}>"));
    }
    Ok(())
}
