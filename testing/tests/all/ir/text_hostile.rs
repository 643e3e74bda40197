//! Text that was written to do harm, and attributes that no text can hold.

use mlirbc_ir::number::ApInt;
use mlirbc_ir::text::{
    DialectPrinter, DialectText, Elision, MAX_DEPTH, Parser, Printer, parse_attribute, parse_type, print_attribute,
    print_location, print_type,
};
use mlirbc_ir::{
    AttributeData, BodyId, Dialect, DialectValue, Encoded, Module, Parameter, Result, Signedness, TypeData,
    fresh_number,
};
use mlirbc_text::{ParseOptions, PrintOptions, parse_module, print_module};

fn cases() -> Vec<String> {
    let text = std::fs::read_to_string("tests/text/accepted.txt").expect("the list of cases");
    text.lines().filter(|line| !line.starts_with("//")).map(str::to_owned).collect()
}

#[test]
fn a_million_levels_are_printed() {
    const DEPTH: usize = 1_000_000;
    let context = crate::definitions::context();
    let (mut array, mut tuple, mut location) = (context.unit(), context.ty(TypeData::None), context.unknown_location());
    let name = context.identifier("n");
    for _ in 0..DEPTH {
        array = context.attribute(AttributeData::Array([array].into()));
        tuple = context.ty(TypeData::Tuple([tuple].into()));
        location = context.attribute(AttributeData::NameLocation { name, child: location });
    }
    assert_eq!(print_attribute(&context, array).unwrap().len(), DEPTH * 2 + 4);
    assert_eq!(print_type(&context, tuple).unwrap().len(), DEPTH * 7 + 4);
    assert_eq!(print_location(&context, location).unwrap().len(), DEPTH * 5 - 2);
}

#[test]
fn deep_text_is_an_error_and_not_an_overflow() {
    let context = crate::definitions::context();
    for (open, close, middle) in [
        ("[", "]", "1"),
        ("{a = ", "}", "1"),
        ("tuple<", ">", "i1"),
        ("tensor<2x", ">", "i1"),
        ("memref<2x", ">", "i1"),
        ("() -> (", ")", "i1"),
        ("distinct[0]<", ">", "1"),
        ("loc(fused<", ">[])", "1"),
        ("memref<2xi1, {a = ", "}>", "1"),
        ("tensor<2xi1, ", ">", "1"),
        ("affine_map<() -> (", ")>", "1"),
    ] {
        for depth in [MAX_DEPTH as usize / 4, 100_000] {
            let text = [open.repeat(depth), middle.into(), close.repeat(depth)].concat();
            let parsed = parse_attribute(&context, text.as_bytes());
            assert!(depth < 100_000 || parsed.is_err(), "{open}");
        }
    }
    for (start, open, middle, close, end) in [
        ("loc(", "\"n\"(", "unknown", ")", ")"),
        ("loc(", "callsite(", "unknown", " at unknown)", ")"),
        ("loc(", "fused[", "\"a\"", "]", ")"),
        ("affine_map<(d0) -> (", "(", "d0", ")", ")>"),
        ("affine_map<(d0) -> (", "-", "d0", "", ")>"),
        ("affine_map<(d0) -> (", "d0 mod 2 + d0 mod 3 + ", "d0", "", ")>"),
        ("affine_map<(d0) -> (d0", " floordiv 2", "", "", ")>"),
        ("dense<", "[", "1", "]", "> : tensor<1xi1>"),
        ("#foo.x", "<", "", ">", ""),
    ] {
        let text = [start, &open.repeat(100_000), middle, &close.repeat(100_000), end].concat();
        // Brackets in the text of an unknown dialect are counted, not followed.
        assert_eq!(parse_attribute(&context, text.as_bytes()).is_ok(), open == "<", "{open}");
    }
}

#[test]
fn every_prefix_and_many_changes_are_survived() {
    let context = crate::definitions::context();
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let alphabet = b"[]{}()<>\"\\-+*:,.#!@%^?=x0123456789abcdefi \n/\0\xff";
    for case in cases() {
        let bytes = case.as_bytes();
        for end in 0..bytes.len().min(200) {
            let _ = parse_attribute(&context, &bytes[..end]);
            let _ = parse_type(&context, &bytes[..end]);
        }
        for _ in 0..200 {
            let mut changed = bytes.to_vec();
            for _ in 0..1 + random(3) {
                let (at, byte) = (random(changed.len()), alphabet[random(alphabet.len())]);
                match random(3) {
                    0 => changed[at] = byte,
                    1 => changed.insert(at, byte),
                    _ if changed.len() > 1 => drop(changed.remove(at)),
                    _ => {}
                }
            }
            if let Ok(attribute) = parse_attribute(&context, &changed) {
                context[attribute].verify(&context).expect("what is parsed is right");
                let text = print_attribute(&context, attribute).expect("short text");
                let again = parse_attribute(&context, text.as_bytes());
                assert!(again.is_ok(), "{} printed as {text}: {again:?}", changed.escape_ascii());
            }
        }
    }
}

#[test]
fn small_text_makes_no_large_data() {
    let context = crate::definitions::context();
    assert!(parse_attribute(&context, b"1 : i16777215").is_err());
    assert!(parse_attribute(&context, b"dense<1> : tensor<4xi16777215>").is_err());
    let list = format!("dense<[{}]> : tensor<100000xi4096>", vec!["1"; 100_000].join(","));
    assert!(parse_attribute(&context, list.as_bytes()).is_err());
    assert!(parse_attribute(&context, format!("{} : i16777215", "9".repeat(30_000)).as_bytes()).is_err());
    let wide = format!("0x{} : i16777215", "F".repeat(1_000));
    let attribute = parse_attribute(&context, wide.as_bytes());
    assert!(attribute.is_err(), "wider than its text by far");
    let wide = format!("0x{} : i4194304", "F".repeat(100_000));
    let attribute = parse_attribute(&context, wide.as_bytes()).expect("written out");
    assert_eq!(print_attribute(&context, attribute).unwrap(), wide);
    let signed = format!("-0x1{} : si4194304", "0".repeat(100_000));
    let attribute = parse_attribute(&context, signed.as_bytes()).expect("written out");
    assert_eq!(print_attribute(&context, attribute).unwrap(), signed);
}

#[test]
fn shared_attributes_do_not_fill_the_disk() {
    let context = crate::definitions::context();
    let mut attribute = context.string("x".repeat(100));
    for _ in 0..200 {
        attribute = context.attribute(AttributeData::Array([attribute, attribute].into()));
    }
    let mut sink = std::io::sink();
    let mut printer = Printer::new(&context, &mut sink).with_limit(1 << 20);
    assert!(printer.attribute(attribute, Elision::Never).is_err());
}

struct Toy;

impl DialectText for Toy {
    fn print_attribute(&self, value: &DialectValue, printer: &mut DialectPrinter<'_>) -> bool {
        let [Parameter::Signed(low), Parameter::Attribute(inner), Parameter::Type(ty), Parameter::String(note)] =
            &*value.parameters
        else {
            return false;
        };
        printer.text(format!("<{low}, ")).attribute(*inner, Elision::May).text(" as ").ty(*ty).text(", ");
        printer.string(note).text(">");
        true
    }

    fn parse_attribute(&self, mnemonic: &[u8], parser: &mut Parser<'_>) -> Result<Option<Box<[Parameter]>>> {
        if mnemonic != b"range" {
            return Ok(None);
        }
        parser.expect(b'<')?;
        let Some(low) = parser.signed() else { return Err(parser.expected("a number")) };
        parser.expect(b',')?;
        let inner = parser.attribute()?;
        parser.expect_word("as")?;
        let ty = parser.ty()?;
        parser.expect(b',')?;
        let note = parser.string()?;
        parser.expect(b'>')?;
        Ok(Some(Box::new([
            Parameter::Signed(low),
            Parameter::Attribute(inner),
            Parameter::Type(ty),
            Parameter::String(note.into()),
        ])))
    }
}

#[test]
fn a_registered_dialect_is_asked() {
    let context = crate::definitions::context();
    context.register(Dialect::new("toy").text(Toy)).unwrap();
    for text in [
        "#toy.range<-5, [1, #toy.range<0, unit as () -> i32, \"\">] as tuple<i8>, \"a\\22b\">",
        "#toy.other<anything, -> (goes)>",
        "[#toy.plain, 5 : i8]",
    ] {
        let attribute = parse_attribute(&context, text.as_bytes()).unwrap();
        assert_eq!(print_attribute(&context, attribute).unwrap(), text);
    }
    let verbose = parse_attribute(&context, b"#toy<range<1, 2 as i8, \"\">>").unwrap();
    assert!(matches!(context[verbose], AttributeData::Dialect(_)));
    assert!(parse_attribute(&context, b"#toy.range<1>").is_err());
    let bomb = "#toy.range<1, ".repeat(100_000);
    assert!(parse_attribute(&context, bomb.as_bytes()).is_err());
}

/// The name of a dialect is any bytes: none of them makes something else of the text around what is opaque.
#[test]
fn the_name_of_a_dialect_hides_nothing_opaque() {
    for dialect in ["loc) //", "loc) loc(#loc", "", "a b", "\"\"", "x>"] {
        let context = crate::definitions::context();
        let text = b"\"t.a\"() : () -> () loc(\"f\":1:2)\n\"t.b\"() : () -> ()";
        let mut module = parse_module(&context, text, &ParseOptions::new()).unwrap();
        let op = module.operations().unwrap().nth(1).unwrap().id();
        let dialect = context.identifier(dialect);
        let encoded = Encoded { dialect, source: fresh_number(), index: 3, bytes: b"x".as_slice().into() };
        let location = context.attribute(AttributeData::Encoded(encoded));
        module.rewrite(BodyId::from_index(Module::TOP), |rw| rw.set_location(op, location)).unwrap();
        for generic in [true, false] {
            let mut printed = Vec::new();
            print_module(&module, &PrintOptions::new().locations(true).generic(generic), &mut printed).unwrap();
            let shown = String::from_utf8(printed).unwrap();
            assert!(shown.contains(".encoded<\"entry 3, 1 byte\">?"), "{shown}");
            assert!(
                parse_module(&crate::definitions::context(), shown.as_bytes(), &ParseOptions::new()).is_err(),
                "{shown}"
            );
        }
    }
}

#[test]
fn errors_say_where_and_what_was_expected() {
    let context = crate::definitions::context();
    for (text, offset, message) in [
        ("[1, 2", 5, "expected `,` or `]`, found the end of the text"),
        ("[1, %]", 4, "expected an attribute, found `%`"),
        ("tensor<4xf32", 12, "expected `>`, found the end of the text"),
        ("5 : i33 trailing", 8, "expected the end of the text, found `trailing`"),
        ("300 : i8", 0, "integer constant out of range"),
        ("vector<0xf32>", 0, "vector types must have positive constant sizes"),
    ] {
        let error = parse_attribute(&context, text.as_bytes()).expect_err(text);
        assert_eq!((error.place().offset, error.message()), (Some(offset), message), "{text}");
    }
}

/// A generator of numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % end.max(1)
    }
}

const OPERATIONS: &str = r##"#map = affine_map<(d0, d1) -> (d1)>
!t = tensor<2x?xf32>
#loc = loc("a.mlir":1:2)
module @m attributes {t.x = #map} {
  %0:2 = "t.a"(%late) <{p = dense<[1, 2]> : tensor<2xi8>}> {a, "b c" = [@x::@y, "s\0A"]} : (i1) -> (!t, i32) loc(#loc)
  %late = "t.b"(%0#0, %0#1)[^bb1, ^bb2] ({
  ^bb0(%arg0: i32 loc(#loc1), %arg1: !t.d<"x{">):
    "t.c"(%0#1, %arg0) ({ "t.d"(%arg1) : (!t.d<"x{">) -> () loc(callsite("f" at "g")) }, {}) : (i32, i32) -> ()
    "t.e"()[^bb3] : () -> ()
  ^bb3:  // pred: ^bb0
  }) {r = dense_resource<k> : tensor<1xi8>} : (!t, i32) -> i1 loc(fused<"m">["n"("a":3:4), unknown])
^bb1:
  "func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  ^bb0(%x: i32):
    %1 = "arith.addi"(%x, %x) {overflowFlags = #arith.overflow<nsw>} : (i32, i32) -> i32
    "func.return"() : () -> ()
  }) : () -> () loc(#loc1)
^bb2:
  builtin.module {}
} loc(unknown)
#loc1 = loc("b.mlir":4:5)
{-#
  dialect_resources: { builtin: { k: "0x0400000001" } },
  external_resources: { e: { a: true, b: "s", "c d": "0x02000000FF" } }
#-}
"##;

/// Parses a text; where that works, what is printed must be read back and printed the same way.
fn parse_and_print(text: &[u8]) -> bool {
    let context = crate::definitions::context();
    let options = ParseOptions::new();
    let Ok(module) = parse_module(&context, text, &options) else { return false };
    let print = |module: &Module| {
        let mut text = Vec::new();
        print_module(module, &PrintOptions::new().locations(true), &mut text).unwrap();
        text
    };
    let printed = print(&module);
    let show = || String::from_utf8_lossy(&printed).into_owned();
    let again = parse_module(&context, &printed, &options)
        .unwrap_or_else(|errors| panic!("{errors}\n\n{}\n\nof\n{}", show(), String::from_utf8_lossy(text)));
    assert_eq!(String::from_utf8_lossy(&print(&again)), show());
    true
}

#[test]
fn every_prefix_of_a_module() {
    for end in 0..OPERATIONS.len() {
        parse_and_print(&OPERATIONS.as_bytes()[..end]);
    }
    assert!(parse_and_print(OPERATIONS.as_bytes()));
}

#[test]
fn mutated_modules() {
    let mut random = Random(1);
    let pieces: Vec<&str> = OPERATIONS.split_inclusive(|letter: char| !letter.is_alphanumeric()).collect();
    let mut accepted = 0;
    for round in 0..20_000 {
        let mut parts: Vec<Vec<u8>> = pieces.iter().map(|piece| piece.as_bytes().to_vec()).collect();
        for _ in 0..1 + random.below(3) {
            let (at, other) = (random.below(parts.len()), random.below(parts.len()));
            match random.below(5) {
                0 => drop(parts.remove(at)),
                1 => parts.swap(at, other),
                2 => {
                    let copy = parts[other].clone();
                    parts.insert(at, copy);
                }
                3 => {
                    let byte = random.below(256) as u8;
                    let place = random.below(parts[at].len() + 1);
                    parts[at].insert(place, byte);
                }
                _ => parts[at] = b"^%#!\"{}()[]<>:=,x0-".get(random.below(20)..).unwrap_or_default().to_vec(),
            }
        }
        accepted += usize::from(parse_and_print(&parts.concat()));
        assert!(round < 19_999 || accepted > 500, "{accepted} accepted");
    }
}

/// One number in the place of sparse indices stands for those of one element.
#[test]
fn equal_sparse_indices() {
    let context = crate::definitions::context();
    for text in [
        "sparse<[[0], [0]], [1, 2]> : tensor<2xi32>",
        "sparse<[0, 0], [1, 2]> : tensor<2xi32>",
        "sparse<[0], 1> : tensor<2xi32>",
        "sparse<[[1, 1], [1, 1]], 1> : tensor<2x2xi32>",
        "sparse<[[0, 1]], 1> : tensor<2x2xi32>",
        "sparse<0, 1> : tensor<2x2xi32>",
    ] {
        let attribute = parse_attribute(&context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(print_attribute(&context, attribute).expect("printed"), text);
    }
}

/// A wide integer is printed as a parser takes it, however small its value.
#[test]
fn wide_integers() {
    let context = crate::definitions::context();
    for width in [33_000, 40_000, 1 << 20, TypeData::MAX_INTEGER_WIDTH] {
        for signedness in [Signedness::Signless, Signedness::Signed, Signedness::Unsigned] {
            let ty = context.ty(TypeData::Integer { width, signedness });
            for value in [0, 1, -1, i64::MIN, i64::MAX] {
                let value = ApInt::from_i64(width, value);
                let attribute = context.attribute(AttributeData::Integer { ty, value });
                let text = print_attribute(&context, attribute).expect("printed");
                let again = parse_attribute(&context, text.as_bytes());
                assert!(again == Ok(attribute), "{width} {signedness:?}: {}", &text[..80.min(text.len())]);
            }
        }
    }
}
