//! Attributes of llvm and types of quant: text, bytecode and mlir-opt 22 agree.

use std::io::Write;
use std::process::{Command, Stdio};

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_dialects::llvm;
use mlirbc_ir::fields::{FieldKind, NumberNames};
use mlirbc_ir::ods::Release;
use mlirbc_ir::text::{Elision, Parser, Printer, Scope, parse_attribute, parse_type, print_attribute, print_type};
use mlirbc_ir::{Attribute, AttributeData, AttributeRef, Context, Identifier, Module, Type, TypeData};
use mlirbc_testing::{shared, skipped};
use mlirbc_text::{ParseOptions, parse_module};

/// Attributes that mlir-opt takes, with all that their text can hold.
const ATTRIBUTES: &[&str] = &[
    "#llvm.di_null_type",
    r#"#llvm.di_basic_type<name = "x", tag = DW_TAG_null, sizeInBits = 0x10>"#,
    r#"#llvm.di_basic_type<name = "x", sizeInBits = 18446744073709551615>"#,
    r#"#llvm.di_basic_type<name = "x", sizeInBits = -1>"#,
    "#llvm.di_derived_type<dwarfAddressSpace = 0, alignInBits = 4294967295>",
    "#llvm<di_derived_type<dwarfAddressSpace = 3>>",
    r#"#llvm.di_derived_type<extraData = #llvm.di_file<"a\22\n\C3" in "">>"#,
    r#"#llvm.di_composite_type<recId = distinct[7]<"a">, isRecSelf = true>"#,
    r#"#llvm.di_composite_type<recId = distinct[7]<"a">, elements = #llvm.di_derived_type<baseType = #llvm.di_composite_type<recId = distinct[7]<"a">, isRecSelf = true>>>"#,
    "#llvm.di_composite_type<isRecSelf = 1, flags = Zero>",
    r#"#llvm.di_composite_type<rank = <[DW_OP_deref]>, associated = #llvm<di_expression<>>, elements = #llvm.di_null_type, #llvm.di_subrange<>>"#,
    "#llvm.di_expression<[DW_OP_LLVM_convert(8, DW_ATE_signed, DW_ATE_float), DW_OP_LLVM_convert(8, 250), DW_OP_constu(5, 18446744073709551615)]>",
    "#llvm.di_expression<>",
    r#"#llvm.di_subprogram<annotations = #llvm.di_annotation<name = "a", value = "b">, #llvm.di_null_type>"#,
    r#"#llvm.di_subprogram<compileUnit = <id = distinct[0]<>, sourceLanguage = DW_LANG_C17, file = <"a" in "b">, isOptimized = false, emissionKind = None>, type = <>>"#,
    r#"#llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C17, file = <"a" in "b">, isOptimized = false, emissionKind = "Full", nameTableKind = GNU>"#,
    r#"#llvm.di_global_variable<file = <"a" in "b">, line = 0, type = #llvm.di_null_type>"#,
    r#"#llvm.di_global_variable_expression<var = <file = <"a" in "b">, line = 0, type = #llvm.di_null_type>, expr = <>>"#,
    r#"#llvm.di_lexical_block_file<scope = #llvm.di_lexical_block<scope = #llvm.di_namespace<exportSymbols = false>>, discriminator = 0>"#,
    r#"#llvm.di_imported_entity<scope = #llvm.di_module<isDecl = true>, entity = #llvm.di_label<scope = #llvm.di_file<"a" in "b">>>"#,
    r#"#llvm.di_common_block<scope = #llvm.di_file<"a" in "b">, decl = <file = <"a" in "b">, line = 0, type = #llvm.di_null_type>, name = "x">"#,
    r#"#llvm.di_string_type<name = "x", stringLength = #llvm.di_local_variable<scope = #llvm.di_file<"a" in "b">>, stringLengthExp = <>>"#,
    r#"#llvm.di_subrange<count = 4, lowerBound = 1 : i32, upperBound = #llvm.di_expression<>, stride = [1, "x"]>"#,
    "#llvm.di_generic_subrange<lowerBound = i32, stride = dense<1> : tensor<2xi32>>",
    "#llvm.loop_annotation<>",
    "#llvm.loop_unroll<count = 4 : i32, full = true>",
    r#"#llvm.loop_annotation<startLoc = loc(fused["a":1:2, "b"]), endLoc = loc(fused<"x">[unknown])>"#,
    "#llvm.loop_annotation<vectorize = <width = 4 : i32, followupVectorized = <>, followupAll = #llvm.loop_annotation<mustProgress = true, parallelAccesses = <id = distinct[8]<>>>>, parallelAccesses = <id = distinct[1]<>>, #llvm.access_group<id = distinct[2]<>>>",
    "#llvm.access_group<id = distinct[3]<>>",
    "#llvm.access_group<id = distinct[4]<>>",
    r#"#llvm.alias_scope<id = distinct[5]<>, domain = <id = distinct[6]<>, description = "d">>"#,
    r#"#llvm.alias_scope<id = "x", domain = <id = "y">, description = "d">"#,
    "#llvm.tbaa_root",
    r#"#llvm.tbaa_tag<base_type = <id = "a", members = {<#llvm.tbaa_root<id = "r">, -8>, <#llvm.tbaa_root, 0>}>, access_type = <id = "b", members = {<#llvm.tbaa_type_desc<id = "c", members = {<#llvm.tbaa_root, 0>}>, 5>}>, offset = 3, constant = true>"#,
    // These have no known parameters.
    "#llvm.linkage<internal>",
    "#llvm.cconv<fastcc>",
];

/// Types that mlir-opt takes.
const TYPES: &[&str] = &[
    "!quant.any<i8:f32>",
    "!quant.any<i8<-8:7>>",
    "!quant.any<u4>",
    "!quant.any<i8<-128:127>:f32>",
    "!quant.any<u32>",
    "!quant.any<i1<-1:0>>",
    "!quant.any< i8 < -8 : 0x7 > : f32 >",
    "!quant<any<i8>>",
    "!quant.calibrated<f32<-0.998765432109:1.0123456789012345>>",
    "!quant.calibrated<f32<-1.0:0x7FF0000000000000>>",
    "!quant.uniform<i8:f32, 0.5:3>",
    "!quant.uniform<i8:f32, 0.5:0>",
    "!quant.uniform<i8:f64, 1.0e300:-9223372036854775808>",
    "!quant.uniform<u8<1:200>:f32, 9.987200e-01:127>",
    "!quant.uniform<i8:f8E4M3FN, 1.0e2:127>",
    "!quant.uniform<i8:f80, 0.0>",
    "!quant.uniform<i8:f32:1, {2.0e+2:3, 9.9e+1}>",
    "!quant.uniform<i8<-8:7>:f32:2147483647, {2.0e+2:30000}>",
    "!quant.uniform<i8:f32:{0:1, 1:2}, {{2.0:120, 3.0:127}, {4.0:8, 5.0:9}}>",
    "!quant.uniform<i8:f16:{}, {{{0.1}, {2.00001:-128}}}>",
    "!quant.uniform<u8:bf16:{0:9223372036854775807}, {1.0:200, 1.0:200}>",
    "!quant.uniform<i4:f128:{1:1}, {0.1:7, 0.1:-8}>",
    "!quant.uniform<i12:f32:{1:1}, {1.0:-1, 1.0:2047}>",
    "!quant.uniform<i1:f32:{0:1}, {1.0:1, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0:1}>",
];

/// Text that must not be taken.
const WRONG: &[&str] = &[
    r#"#llvm.di_basic_type<name = "x",>"#,
    r#"#llvm.di_basic_type<name = "x", name = "y">"#,
    "#llvm.di_basic_type<name = 3>",
    "#llvm.di_basic_type<>",
    r#"#llvm.di_basic_type<name = "x", sizeInBits = 18446744073709551616>"#,
    r#"#llvm.di_basic_type<name = "x", sizes = 1>"#,
    "#llvm.di_derived_type<alignInBits = 4294967296>",
    "#llvm.di_derived_type<scope = 3>",
    "#llvm.di_derived_type<baseType = #llvm.di_expression<>>",
    "#llvm.di_composite_type<recId = 3>",
    r#"#llvm.di_composite_type<flags = "Zero|Vector">"#,
    r#"#llvm.di_composite_type<flags = "">"#,
    "#llvm.di_composite_type<elements = >",
    "#llvm.di_composite_type<file = #llvm.di_null_type>",
    "#llvm.di_composite_type<tag = DW_TAG_nothing>",
    "#llvm.di_composite_type<tag = DW_ATE_signed>",
    "#llvm.di_expression<[]>",
    "#llvm.di_expression<[DW_OP_deref,]>",
    "#llvm.di_expression<[DW_OP_LLVM_convert()]>",
    r#"#llvm.di_file<"a", "b">"#,
    "#llvm.loop_annotation<interleave = <>>",
    r#"#llvm.loop_annotation<startLoc = loc("a":1:2)>"#,
    "#llvm.loop_annotation<disableNonforced = 1>",
    "#llvm.alias_scope<id = 3, domain = <id = distinct[0]<>>>",
    "!quant.any<i8<-129:127>:f32>",
    "!quant.any<i8<7:-8>:f32>",
    "!quant.any<i33>",
    "!quant.any<u0>",
    "!quant.any<u4294967297>",
    "!quant.any<f32>",
    "!quant.any<i8:i32>",
    "!quant.calibrated<f32<1.0:0.0>>",
    "!quant.calibrated<f32<-1:1>>",
    "!quant.uniform<i8:f32, 1.0e300>",
    "!quant.uniform<i8:f32, -1.0>",
    "!quant.uniform<i8:f32, 1>",
    "!quant.uniform<i8, 0.5>",
    "!quant.uniform<i8:f32:-1, {2.0}>",
    "!quant.uniform<i8:f32:2147483648, {2.0}>",
    "!quant.uniform<i8:f32:0, 2.0>",
    "!quant.uniform<i8:f32:{0:1}, {}>",
    "!quant.uniform<i8:f32:{0:1}, {{2.0}, {3.0, 4.0}}>",
    "!quant.uniform<i8:f32:{0:1}, {{2.0}, 3.0}>",
    "!quant.uniform<i8:f32:{0:1}, {2.0, {3.0}}>",
    "!quant.uniform<i8:f32:{0:0}, {2.0}>",
    "!quant.uniform<i8:f32:{-1:1}, {2.0}>",
    "!quant.uniform<i8:f32:{0:1}, {1.0e300}>",
];

/// What mlir-opt 22 writes. `None` where it is not installed.
fn mlir_opt(source: &str, arguments: &[&str]) -> Option<Vec<u8>> {
    let child = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "-o", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        skipped("what mlir-opt writes was not compared", "mlir-opt-22 is not installed");
        return None;
    };
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = source.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("mlir-opt-22 ends");
    let _ = writer.join();
    assert!(output.status.success(), "mlir-opt-22: {}", String::from_utf8_lossy(&output.stderr));
    Some(output.stdout)
}

/// Reads text as one module does: equal numbers of distinct attributes are one.
fn attribute(context: &Context, text: &str, scope: &mut Scope) -> Attribute {
    Parser::new(context, text.as_bytes(), scope).attribute().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Puts the attributes into the one operation that `module` has.
fn replace(module: &mut Module, entries: Vec<(Identifier, Attribute)>) {
    let dictionary = module.context().dictionary(entries).expect("two names");
    let (outer, op) = {
        let op = module.operations().expect("a module").next().expect("one operation");
        (op.body_id(), op.id())
    };
    let inner = module.body(outer).expect("the outermost body").region_body(op).expect("the module's body");
    let body = module.body(inner).expect("the module's body");
    let op = body.blocks(body.top_regions()[0]).flat_map(|block| body.operations(block)).next().expect("one operation");
    let set = module.rewrite(inner, |rw| rw.set_attributes(op, Some(AttributeRef::from(dictionary))));
    set.expect("one operation");
}

/// The same text makes the same bytecode as mlir-opt's, whose attributes print as the text's.
fn compare(attributes: &[String], types: &[String]) {
    let source = format!("\"t.t\"() {{a = [{}], t = [{}]}} : () -> ()", attributes.join(", "), types.join(", "));
    let context = crate::definitions::context();
    let mut scope = Scope::new();
    let parsed: Vec<_> = attributes.iter().map(|text| attribute(&context, text, &mut scope)).collect();
    let parsed_types: Vec<_> = types.iter().map(|text| attribute(&context, text, &mut scope)).collect();
    for &attribute in &parsed {
        assert_survives(&context, attribute);
    }
    let Some(theirs) = mlir_opt(&source, &["--emit-bytecode"]) else { return };
    let mut module = read(&context, theirs.clone()).expect("mlir-opt's bytecode");
    decode_all(&module).expect("mlir-opt's bytecode");
    let options = WriteOptions::like(&module);
    assert!(write(&module, &options).expect("no losses") == theirs, "the same bytes");
    let array = |attributes: Vec<Attribute>| context.attribute(AttributeData::Array(attributes.into()));
    let ours = [(context.identifier("a"), array(parsed)), (context.identifier("t"), array(parsed_types))];
    for (name, ours) in ours {
        let op = module.operations().expect("a module").next().expect("one operation");
        let op = op.ops().expect("its body").next().expect("one operation");
        let theirs = op.attribute(context.bytes(name)).expect("readable").expect("an attribute");
        for (ours, theirs) in elements(&context, ours).iter().zip(elements(&context, theirs)) {
            assert_eq!(
                print_attribute(&context, *ours).expect("text"),
                print_attribute(&context, *theirs).expect("text")
            );
        }
    }
    replace(&mut module, ours.to_vec());
    assert!(write(&module, &options).expect("no losses") == theirs, "the bytes of the text");
}

fn elements(context: &Context, array: Attribute) -> &[Attribute] {
    match &context[array] {
        AttributeData::Array(elements) => elements,
        _ => panic!("an array"),
    }
}

/// The printed text reads back as the same attribute.
fn assert_survives(context: &Context, attribute: Attribute) {
    let text = print_attribute(context, attribute).expect("short text");
    let again = parse_attribute(context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    match text.contains("distinct[") {
        true => assert_eq!(print_attribute(context, again).expect("short text"), text),
        false => assert!(again == attribute, "{text}"),
    }
}

fn assert_type_survives(context: &Context, ty: Type) {
    let text = print_type(context, ty).expect("short text");
    let again = parse_type(context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert!(again == ty, "{text}");
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[test]
fn text_and_bytecode_are_those_of_mlir_opt() {
    compare(&owned(ATTRIBUTES), &owned(TYPES));
    let context = crate::definitions::context();
    for text in TYPES {
        assert_type_survives(&context, parse_type(&context, text.as_bytes()).expect(text));
    }
}

/// Text full of aliases, as mlir-opt prints it, gives the bytecode that mlir-opt makes of it.
#[test]
fn aliases_are_resolved() {
    // A set bit is -1 in mlir-opt's text, which it reads as 0.
    let types: Vec<_> = TYPES.iter().copied().filter(|ty| !ty.starts_with("!quant.uniform<i1:")).collect();
    let source = format!("\"t.t\"() {{a = [{}], t = [{}]}} : () -> ()", ATTRIBUTES.join(", "), types.join(", "));
    let Some(aliased) = mlir_opt(&source, &["--mlir-print-op-generic"]) else { return };
    let aliased = String::from_utf8(aliased).expect("text");
    assert!(aliased.contains("\n#loop_annotation1 = #llvm.loop_annotation<"), "{aliased}");
    let theirs = mlir_opt(&aliased, &["--emit-bytecode"]).expect("it was there a moment ago");
    let context = crate::definitions::context();
    let module = parse_module(&context, aliased.as_bytes(), &ParseOptions::new().file("<stdin>"));
    let module = module.unwrap_or_else(|errors| panic!("{errors}"));
    let options =
        WriteOptions::like(&read(&crate::definitions::context(), theirs.clone()).expect("mlir-opt's bytecode"));
    assert!(write(&module, &options).expect("no losses") == theirs, "the same bytes");
}

#[test]
fn every_word_has_the_number_that_mlir_opt_gives_it() {
    let mut cases = Vec::new();
    for definition in llvm::ATTRIBUTES.iter().filter(|definition| definition.code.is_some()) {
        for field in definition.fields.iter().filter(|field| field.is_encoded(Release::DEFAULT)) {
            let words: Vec<String> = match field.kind {
                FieldKind::Keyword(words) | FieldKind::Named(&NumberNames { keywords: words, .. }) => {
                    words.names.iter().map(|(_, name)| format!("{}{name}", words.prefix)).collect()
                }
                FieldKind::Flags(flags) => {
                    let words = flags.groups.iter().chain(flags.bits);
                    let pairs = words.clone().map(|(_, word)| format!("\"FLAG|{word}\""));
                    let first = flags.bits.last().expect("flags").1;
                    words
                        .map(|(_, word)| word.to_string())
                        .chain(pairs.map(|pair| pair.replace("FLAG", first)))
                        .collect()
                }
                _ => continue,
            };
            for word in words {
                let given = format!("{} = {word}", field.name);
                let rest = match definition.mnemonic {
                    "di_expression_elem" => {
                        cases.push(format!("#llvm.di_expression<[{word}, {word}(1, 2)]>"));
                        continue;
                    }
                    "di_basic_type" => r#", name = "n""#,
                    "di_compile_unit" if field.name == "sourceLanguage" => {
                        r#", id = distinct[0]<>, file = <"f" in "d">, isOptimized = true, emissionKind = Full"#
                    }
                    "di_compile_unit" if field.name == "emissionKind" => {
                        r#", id = distinct[0]<>, file = <"f" in "d">, isOptimized = true, sourceLanguage = DW_LANG_C"#
                    }
                    "di_compile_unit" => {
                        r#", id = distinct[0]<>, file = <"f" in "d">, isOptimized = true, sourceLanguage = DW_LANG_C, emissionKind = Full"#
                    }
                    "di_imported_entity" => r#", scope = #llvm.di_file<"f" in "d">, entity = #llvm.di_null_type"#,
                    "di_local_variable" => r#", scope = #llvm.di_file<"f" in "d">"#,
                    _ => "",
                };
                cases.push(format!("#llvm.{}<{given}{rest}>", definition.mnemonic));
            }
        }
    }
    assert!(cases.len() > 700, "only {} cases", cases.len());
    compare(&cases, &[]);
}

#[test]
fn wrong_text_is_an_error_with_a_place() {
    let context = crate::definitions::context();
    for text in WRONG {
        let error = parse_attribute(&context, text.as_bytes()).expect_err(text);
        assert!(error.place().offset.is_some(), "{text}: {error}");
    }
}

#[test]
fn any_prefix_and_any_nesting_is_survived() {
    let context = crate::definitions::context();
    for text in ATTRIBUTES.iter().chain(TYPES) {
        for end in 0..text.len() {
            let _ = parse_attribute(&context, &text.as_bytes()[..end]);
        }
    }
    for (open, close) in [
        ("#llvm.loop_annotation<vectorize = <followupAll = ", ">>"),
        ("<vectorize = <followupAll = ", ">>"),
        ("#llvm.di_lexical_block<scope = ", ">"),
        ("!quant.uniform<i8:f32:{}, {", "}>"),
        ("{", "}"),
    ] {
        let start = match open.as_bytes()[0] {
            b'<' => "#llvm.loop_annotation",
            b'{' => "!quant.uniform<i8:f32:{}, ",
            _ => "",
        };
        let text = [start, &open.repeat(100_000), &close.repeat(100_000)].concat();
        assert!(parse_attribute(&context, text.as_bytes()).is_err(), "{open}");
    }
}

#[test]
fn a_long_chain_of_stripped_attributes_is_printed() {
    let context = crate::definitions::context();
    let mut attribute = parse_attribute(&context, b"#llvm.loop_annotation<>").expect("an annotation");
    let mut unroll = parse_attribute(&context, b"#llvm.loop_unroll<>").expect("unroll");
    let put = |value: Attribute, name: &str, inner: Attribute| {
        let AttributeData::Dialect(mut value) = context[value].clone() else { panic!("known to this crate") };
        let definition = llvm::definition(context.bytes(value.mnemonic)).expect("known to this crate");
        value.parameters[definition.position(name).expect("a parameter")] = mlirbc_ir::Parameter::Attribute(inner);
        context.attribute(AttributeData::Dialect(value))
    };
    for _ in 0..100_000 {
        unroll = put(unroll, "followupAll", attribute);
        attribute = put(attribute, "unroll", unroll);
    }
    let text = print_attribute(&context, attribute).expect("text");
    assert!(text.starts_with("#llvm.loop_annotation<unroll = <followupAll = <unroll = <followupAll = <"));
    assert_eq!(llvm::parameter(&context, attribute, "unroll"), Some(&mlirbc_ir::Parameter::Attribute(unroll)));
}

/// A few bytes of bytecode can hold a type whose text would fill a disk.
#[test]
fn a_splat_of_many_scales_is_not_written_out() {
    let context = crate::definitions::context();
    let scales = "dense<1.0> : tensor<1048576x1048576xf32>";
    let zeros = "dense<0> : tensor<1048576x1048576xi8>";
    let ty = parse_type(&context, b"!quant.uniform<i8:f32:{0:1}, {1.0, 2.0}>").expect("a type");
    let TypeData::Dialect(mut value) = context[ty].clone() else { panic!("known to this crate") };
    value.parameters[7] = mlirbc_ir::Parameter::Attribute(parse_attribute(&context, scales.as_bytes()).expect(scales));
    value.parameters[8] = mlirbc_ir::Parameter::Attribute(parse_attribute(&context, zeros.as_bytes()).expect(zeros));
    let data = TypeData::Dialect(value);
    data.verify(&context).expect("a type");
    assert!(print_type(&context, context.ty(data)).expect("short text").len() < 1000);
}

/// Every entry of the files that hold every code: printed, and read back. Then their source gives the same attributes.
#[test]
fn corpus_codes() {
    let Some(shared) = shared("every code of corpus/codes was not read") else { return };
    let folder = shared.join("corpus/codes");
    let mut known = 0;
    for name in ["llvm_debug_info", "builtin_types"] {
        let bytes = std::fs::read(folder.join(format!("{name}.mlirbc"))).expect("the corpus");
        let context = crate::definitions::context();
        let module = read(&context, bytes.clone()).expect("the corpus");
        decode_all(&module).expect("the corpus");
        let (attributes, types) = context.len();
        for attribute in (0..attributes as u32).map(Attribute::from_raw) {
            if matches!(context[attribute], AttributeData::Dialect(_)) {
                assert_survives(&context, attribute);
                known += 1;
            }
        }
        for ty in (0..types as u32).map(Type::from_raw) {
            if matches!(context[ty], TypeData::Dialect(_)) {
                assert_type_survives(&context, ty);
                known += 1;
            }
        }
        assert!(write(&module, &WriteOptions::like(&module)).expect("no losses") == bytes, "{name}");
    }
    assert!(known >= 28, "only {known} attributes and types");

    let source = std::fs::read_to_string(folder.join("llvm_debug_info.mlir")).expect("the corpus");
    let bytes = std::fs::read(folder.join("llvm_debug_info.mlirbc")).expect("the corpus");
    let context = crate::definitions::context();
    let module = read(&context, bytes).expect("the corpus");
    let mut scope = Scope::new();
    for line in source.lines().filter(|line| line.starts_with('#')) {
        let (name, text) = line.split_once(" = ").expect("an alias");
        let value = attribute(&context, text, &mut scope);
        scope.define_attribute(&name.as_bytes()[1..], value);
    }
    let dictionary = &source[source.find("{a").expect("the operation")..source.rfind("} :").expect("its end") + 1];
    let dictionary = attribute(&context, dictionary, &mut scope);
    let AttributeData::Dictionary(entries) = &context[dictionary] else { panic!("a dictionary") };
    let op = module.operations().expect("a module").next().expect("one operation");
    let op = op.ops().expect("its body").next().expect("one operation");
    let theirs = op.attribute("a").expect("readable").expect("an attribute");
    let text = |attribute: Attribute| {
        let mut text = Vec::new();
        let mut printer = Printer::new(&context, &mut text);
        printer.attribute(attribute, Elision::Never).expect("text");
        printer.finish().expect("text");
        String::from_utf8(text).expect("text")
    };
    assert_eq!(text(entries[0].1), text(theirs));
}
