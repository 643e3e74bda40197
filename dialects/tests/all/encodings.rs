//! Encodings of llvm and quant, without a file around them: entries that refer to entry of a test.

use std::sync::Arc;

use mlirbc_bytecode::encoding::{DialectEncoding, DialectExt, EntryAlone};
use mlirbc_dialects::{context, llvm};
use mlirbc_ir::fields::{AttributeClass, FieldKind};
use mlirbc_ir::ods::Release;
use mlirbc_ir::text::{parse_attribute, parse_type};
use mlirbc_ir::{Attribute, AttributeData, Context, Parameter, Result, Type};

/// The encoding of the dialect of that name.
fn encoding(context: &Context, dialect: &str) -> Arc<dyn DialectEncoding> {
    context.dialect(dialect).and_then(|dialect| dialect.encoding()).expect("an encoding")
}

fn read_attribute(entry: &EntryAlone, bytes: &[u8]) -> Result<Attribute> {
    entry.read_attribute(&*encoding(entry.context(), "llvm"), bytes)
}

fn read_type(entry: &EntryAlone, bytes: &[u8]) -> Result<Type> {
    entry.read_type(&*encoding(entry.context(), "quant"), bytes)
}

/// One attribute of every code, with every parameter given.
const ATTRIBUTES: [&str; 19] = [
    r#"#llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 300, encoding = DW_ATE_signed>"#,
    r#"#llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C17, file = <"f" in "d">, producer = "p",
        isOptimized = true, emissionKind = Full, nameTableKind = Apple>"#,
    r#"#llvm.di_composite_type<recId = distinct[0]<>, isRecSelf = true, tag = DW_TAG_array_type, name = "n",
        file = <"f" in "d">, line = 7, scope = #llvm.di_file<"f" in "d">, baseType = #llvm.di_null_type,
        flags = "Public|Vector", sizeInBits = 1, alignInBits = 2, dataLocation = <>, rank = <[DW_OP_deref]>,
        allocated = <>, associated = <>, elements = #llvm.di_subrange<count = 4>, #llvm.di_null_type>"#,
    r#"#llvm.di_derived_type<tag = DW_TAG_member, name = "n", baseType = #llvm.di_null_type, sizeInBits = 1,
        alignInBits = 2, offsetInBits = 3, dwarfAddressSpace = 0, extraData = #llvm.di_label<scope = #llvm.di_file<"f" in "d">>>"#,
    r#"#llvm<di_expression_elem DW_OP_LLVM_convert(8, DW_ATE_float)>"#,
    r#"#llvm.di_expression<[DW_OP_constu(18446744073709551615), DW_OP_stack_value]>"#,
    r#"#llvm.di_file<"f" in "d">"#,
    r#"#llvm.di_global_variable<scope = #llvm.di_file<"f" in "d">, name = "n", linkageName = "l", file = <"f" in "d">,
        line = 1, type = #llvm.di_null_type, isLocalToUnit = true, isDefined = true, alignInBits = 8>"#,
    r#"#llvm.di_global_variable_expression<var = <file = <"f" in "d">, line = 1, type = #llvm.di_null_type>,
        expr = <>>"#,
    r#"#llvm.di_imported_entity<tag = DW_TAG_imported_module, scope = #llvm.di_file<"f" in "d">,
        entity = #llvm.di_null_type, file = <"f" in "d">, line = 3, name = "n", elements = #llvm.di_null_type>"#,
    r#"#llvm.di_label<scope = #llvm.di_file<"f" in "d">, name = "n", file = <"f" in "d">, line = 4294967295>"#,
    r#"#llvm.di_lexical_block<scope = #llvm.di_file<"f" in "d">, file = <"f" in "d">, line = 5, column = 6>"#,
    r#"#llvm.di_lexical_block_file<scope = #llvm.di_file<"f" in "d">, file = <"f" in "d">, discriminator = 2>"#,
    r#"#llvm.di_local_variable<scope = #llvm.di_file<"f" in "d">, name = "n", file = <"f" in "d">, line = 1, arg = 2,
        alignInBits = 3, type = #llvm.di_null_type, flags = Artificial>"#,
    r#"#llvm.di_namespace<name = "n", scope = #llvm.di_file<"f" in "d">, exportSymbols = true>"#,
    r#"#llvm.di_subprogram<recId = distinct[0]<>, isRecSelf = true, id = distinct[1]<>, compileUnit = <id = distinct[2]<>,
        sourceLanguage = DW_LANG_C17, file = <"f" in "d">, isOptimized = false, emissionKind = None>,
        scope = #llvm.di_file<"f" in "d">, name = "n", linkageName = "l", file = <"f" in "d">, line = 1, scopeLine = 2,
        subprogramFlags = "Definition|Optimized", type = <types = #llvm.di_null_type>,
        retainedNodes = #llvm.di_null_type, annotations = #llvm.di_annotation<name = "a", value = "b">>"#,
    r#"#llvm.di_subrange<count = 1, lowerBound = 2, upperBound = #llvm.di_expression<>, stride = 4>"#,
    r#"#llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #llvm.di_null_type, #llvm.di_null_type>"#,
    r#"#llvm.loop_annotation<disableNonforced = false, vectorize = <disable = true>, interleave = <count = 4 : i32>,
        unroll = <full = true>, unrollAndJam = <>, licm = <>, distribute = <>, pipeline = <>, peeled = <>, unswitch = <>,
        mustProgress = true, isVectorized = true, startLoc = loc(fused["a", "b"]), endLoc = loc(fused["b", "c"]),
        parallelAccesses = <id = distinct[0]<>>>"#,
];

/// One type of every code.
const TYPES: [&str; 6] = [
    "!quant.any<i8<-8:7>>",
    "!quant.any<u16:f32>",
    "!quant.calibrated<f64<-0.998:1.232>>",
    "!quant.uniform<i8<-100:100>:f32, 0.1:-300>",
    "!quant.uniform<i8:f32:200, {2.0:3, 0.5:-4}>",
    "!quant.uniform<u8:f16:{0:1, 1:300}, {{2.0:120, 3.0:127}, {4.0, 5.0:9}}>",
];

/// Attributes with every parameter that a release added, and that release.
const NEWER: [(u16, &str); 5] = [
    (
        23,
        r#"#llvm.di_compile_unit<recId = distinct[0]<>, isRecSelf = true, sourceLanguage = DW_LANG_C17,
            isOptimized = true, emissionKind = Full, isDebugInfoForProfiling = true, nameTableKind = Apple,
            splitDebugFilename = "split", importedEntities = #llvm.di_null_type>"#,
    ),
    (
        23,
        r#"#llvm.di_composite_type<tag = DW_TAG_array_type, identifier = "i",
            discriminator = <tag = DW_TAG_member>, elements = #llvm.di_null_type>"#,
    ),
    (
        23,
        r#"#llvm.di_derived_type<tag = DW_TAG_member, file = <"f" in "d">, line = 7,
            scope = #llvm.di_file<"f" in "d">, flags = Public, extraData = 5 : i32>"#,
    ),
    (
        24,
        r#"#llvm.di_compile_unit<sourceLanguage = #llvm.di_source_language_name<name = DW_LNAME_C, version = 201710>,
            isOptimized = false, emissionKind = None>"#,
    ),
    (24, r#"#llvm.di_subprogram<name = "n", retainedNodes = ["text", #llvm.di_null_type]>"#),
];

/// What there is in each release, but for a language that no release before 24 has in another way.
fn attributes() -> impl Iterator<Item = (&'static str, Release)> {
    let releases = [22, 23, 24].map(Release::new);
    let old = ATTRIBUTES.into_iter().flat_map(move |text| releases.map(|release| (text, release)));
    let new = NEWER.into_iter().flat_map(move |(since, text)| releases.map(|release| (since, text, release)));
    old.chain(new.filter(|&(since, _, release)| release >= Release::new(since)).map(|(_, text, of)| (text, of)))
}

fn encoded_attribute(context: &Context, text: &str, release: Release) -> (EntryAlone, Attribute) {
    let mut entry = EntryAlone::new(context);
    entry.release = release;
    let attribute = parse_attribute(context, text.as_bytes()).expect(text);
    assert!(entry.write_attribute(&*encoding(context, "llvm"), attribute), "{text}");
    (entry, attribute)
}

fn encoded_type(context: &Context, text: &str) -> (EntryAlone, Type) {
    let mut entry = EntryAlone::new(context);
    let ty = parse_type(context, text.as_bytes()).expect(text);
    assert!(entry.write_type(&*encoding(context, "quant"), ty), "{text}");
    (entry, ty)
}

/// Fails where a part of an entry is read as a whole, and calls `read` with many changes of it, which must not panic.
fn torture<T>(bytes: &[u8], mut read: impl FnMut(&[u8]) -> Result<T>) {
    for end in 0..bytes.len() {
        assert!(read(&bytes[..end]).is_err(), "the first {end} of {} bytes", bytes.len());
    }
    let mut longer = bytes.to_vec();
    longer.push(0);
    assert!(read(&longer).is_err(), "a byte too many");
    for at in 0..bytes.len() {
        for value in 0..=255 {
            let mut changed = bytes.to_vec();
            changed[at] = value;
            let _ = read(&changed);
            // Enough bytes for any length that the changed one announces, so that what follows is reached.
            changed.resize(bytes.len() + 300, value);
            let _ = read(&changed);
        }
    }
}

#[test]
fn attributes_are_read_as_they_are_written() {
    let context = context();
    for (text, release) in attributes() {
        let (entry, attribute) = encoded_attribute(&context, text, release);
        if let Some(code) = ATTRIBUTES.iter().position(|&old| old == text) {
            assert_eq!(entry.bytes[0], (code as u8) << 1 | 1, "{text}");
        }
        assert_eq!(read_attribute(&entry, &entry.bytes).expect(text), attribute, "{text}");
        torture(&entry.bytes, |bytes| read_attribute(&entry, bytes));
    }
}

#[test]
fn what_an_older_release_has_no_place_for_has_no_encoding_there() {
    let context = context();
    for (since, text) in NEWER {
        let attribute = parse_attribute(&context, text.as_bytes()).expect(text);
        for release in (19..since).map(Release::new) {
            let mut entry = EntryAlone::new(&context);
            entry.release = release;
            assert!(!entry.write_attribute(&*encoding(&context, "llvm"), attribute), "{text} for {release}");
            assert!(entry.bytes.is_empty());
        }
    }
}

#[test]
fn types_are_read_as_they_are_written() {
    let context = context();
    for (at, text) in TYPES.into_iter().enumerate() {
        let (entry, ty) = encoded_type(&context, text);
        assert_eq!(entry.bytes[0], (at as u8 + 1) << 1 | 1, "{text}");
        assert_eq!(read_type(&entry, &entry.bytes).expect(text), ty, "{text}");
        torture(&entry.bytes, |bytes| read_type(&entry, bytes));
    }
}

/// Whether an attribute stands for a parameter that may be any other, too.
fn takes_anything_for(context: &Context, attribute: Attribute, held: Attribute, release: Release) -> bool {
    let AttributeData::Dialect(value) = &context[attribute] else { panic!("known to this crate") };
    let definition = llvm::definition(context.bytes(value.mnemonic)).expect("known to this crate");
    definition.fields.iter().zip(&value.parameters).any(|(field, parameter)| {
        let items = if let Parameter::List(items) = parameter { items } else { std::slice::from_ref(parameter) };
        matches!(field.kind, FieldKind::Attribute(AttributeClass::Any) | FieldKind::AnyAttributes(_))
            && field.narrow_before.is_none_or(|(until, _)| release >= until)
            && items.contains(&Parameter::Attribute(held))
    })
}

#[test]
fn attributes_of_a_wrong_kind_are_errors() {
    let context = context();
    for (text, release) in attributes() {
        let (mut entry, attribute) = encoded_attribute(&context, text, release);
        for at in 0..entry.attributes.len() {
            let right = std::mem::replace(&mut entry.attributes[at], context.unit());
            let takes_any = takes_anything_for(&context, attribute, right, release);
            assert_eq!(read_attribute(&entry, &entry.bytes).is_ok(), takes_any, "{text}, {release}, reference {at}");
            entry.attributes[at] = right;
        }
    }
}

#[test]
fn what_no_type_may_be_is_an_error() {
    let context = context();
    for (text, types) in
        [("!quant.any<i8>", ["f32", "i33", "i0"].as_slice()), ("!quant.calibrated<f32<-1.0:1.0>>", &["i8", "index"])]
    {
        let (mut entry, _) = encoded_type(&context, text);
        for wrong in types {
            entry.types[0] = parse_type(&context, wrong.as_bytes()).expect(wrong);
            assert!(read_type(&entry, &entry.bytes).is_err(), "{text} of {wrong}");
        }
    }
    // Scales of another shape than the zero points, of another type than is expressed, and out of its range.
    let (mut entry, _) = encoded_type(&context, TYPES[5]);
    for wrong in
        ["dense<1.0> : tensor<4xf16>", "dense<1.0> : tensor<2x2xf32>", "dense<-1.0> : tensor<2x2xf16>", "1 : i32"]
    {
        entry.attributes[0] = parse_attribute(&context, wrong.as_bytes()).expect(wrong);
        assert!(read_type(&entry, &entry.bytes).is_err(), "{wrong}");
    }
}

#[test]
fn codes_and_numbers_out_of_range_are_errors() {
    let context = context();
    for code in [19, 100, u64::MAX] {
        let mut entry = EntryAlone::new(&context);
        entry.varint(code);
        assert!(read_attribute(&entry, &entry.bytes).is_err());
        assert!(read_type(&entry, &entry.bytes).is_err());
    }
    // Type 0 is reserved.
    assert!(read_type(&EntryAlone::new(&context), &[1]).is_err());
    // A label with a line of more than 32 bits.
    let file = parse_attribute(&context, br#"#llvm.di_file<"f" in "d">"#).expect("a file");
    for (line, valid) in [(u64::from(u32::MAX), true), (1 << 32, false)] {
        let mut entry = EntryAlone::new(&context);
        entry.attributes.push(file);
        for value in [10, 0, 0, 0, line] {
            entry.varint(value);
        }
        assert_eq!(read_attribute(&entry, &entry.bytes).is_ok(), valid);
    }
}

#[test]
fn numbers_without_a_word_and_absent_items_survive_or_fail() {
    let context = context();
    let mut entry = EntryAlone::new(&context);
    entry.strings.push(b"n".to_vec());
    // A basic type with a tag and an unknown encoding.
    for value in [0, 0xfffe, 0, 8, 0xfd] {
        entry.varint(value);
    }
    let attribute = read_attribute(&entry, &entry.bytes).expect("numbers of 32 bits");
    let text = mlirbc_ir::text::print_attribute(&context, attribute).expect("short text");
    assert_eq!(text, r#"#llvm.di_basic_type<tag = 65534, name = "n", sizeInBits = 8, encoding = 253>"#);
    assert_eq!(parse_attribute(&context, text.as_bytes()).expect("our own text"), attribute);
    // A subroutine type with one type, which is absent.
    let entry = EntryAlone::new(&context);
    assert!(read_attribute(&entry, &[17 << 1 | 1, 1, 1, 3, 1]).is_err());
}
