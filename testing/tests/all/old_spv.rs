//! The dialect `spirv` under the name that it had before, `spv`: each text of `fixtures/old_spv`, old beside new. The tests of the facade
//! read its bytecode.

use std::collections::BTreeMap;

use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{Context, Module};
use mlirbc_testing::fixture;
use mlirbc_text::{Diagnostics, ParseOptions, PrintOptions, parse_module, print_module};

/// A context that reads it.
fn context() -> Context {
    let context = mlirbc_testing::context();
    mlirbc_spirv::register(&context).expect("registered");
    context
}

fn parse(context: &Context, text: &[u8]) -> Result<Module, Diagnostics> {
    parse_module(context, text, &ParseOptions::new().implicit_module(true))
}

fn print(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("text");
    String::from_utf8(text).expect("text")
}

fn verify(name: &str, module: &Module) {
    verify_module(module, &mut |error| panic!("{name}: {error}")).expect("read");
}

/// The texts of one name: of today, and of then in custom and in generic form.
#[derive(Default)]
struct Texts {
    new: Vec<u8>,
    old: Vec<Vec<u8>>,
}

fn fixtures() -> BTreeMap<String, Texts> {
    let mut found: BTreeMap<String, Texts> = BTreeMap::new();
    for entry in std::fs::read_dir(fixture("old_spv")).expect("the folder") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().expect("a name").to_string_lossy().into_owned();
        let name = file.split('.').next().expect("a name");
        let (text, texts) = (std::fs::read(&path).expect("a fixture"), found.entry(name.to_owned()).or_default());
        match file.contains(".old.") {
            true => texts.old.push(text),
            false => texts.new = text,
        }
    }
    found
}

#[test]
fn old_text_is_the_module_of_today() {
    let (mut count, mut texts) = (0, 0);
    for (name, of) in fixtures() {
        let context = context();
        let new = parse(&context, &of.new).unwrap_or_else(|error| panic!("{name}: {error}"));
        verify(&name, &new);
        for old in of.old {
            let old = parse(&context, &old).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(print(&old, true), print(&new, true), "{name}");
            verify(&name, &old);
            let custom = print(&old, false);
            assert!(!custom.contains("spv."), "{name}: {custom}");
            texts += 1;
        }
        count += 1;
    }
    assert_eq!((count, texts), (19, 50));
}

/// Text that says what nothing says today, the words at the caret, and the message.
const GONE: [(&str, &str, &str); 14] = [
    (
        "%0 = spv.CooperativeMatrixLoadNV %p, %s, %c : !spv.ptr<i32, StorageBuffer> as !spv.coopmatrix<16x8xi32, Workgroup>",
        "spv.CooperativeMatrixLoadNV",
        "no operation of today does what `spv.CooperativeMatrixLoadNV` did: `spirv.KHR.CooperativeMatrix...` take matrices whose \
         type says what they are used for, and how they lie",
    ),
    (
        "%0 = \"spv.CooperativeMatrixLengthNV\"() {type = i32} : () -> i32",
        "\"spv.CooperativeMatrixLengthNV\"",
        "no operation of today does what `spv.CooperativeMatrixLengthNV` did: `spirv.KHR.CooperativeMatrix...` take matrices whose \
         type says what they are used for, and how they lie",
    ),
    (
        "%0 = spv.JointMatrixMadINTEL <Subgroup> %a, %b, %c",
        "spv.JointMatrixMadINTEL",
        "no operation of today does what `spv.JointMatrixMadINTEL` did: MLIR has no joint matrices any more",
    ),
    ("spv.Nothing", "spv.Nothing", "no operation of today is what `spv.Nothing` was"),
    ("\"spv.Nothing\"() : () -> ()", "\"spv.Nothing\"", "no operation of today is what `spv.Nothing` was"),
    (
        "\"use\"() {a = !spv.coopmatrix<8x16xi32, Subgroup>} : () -> ()",
        "<8x16",
        "`!spirv.coopmatrix` says what the matrix is used for, which this does not",
    ),
    (
        "\"use\"() {a = !spv.jointmatrix<8x16xi32, ColumnMajor, Subgroup>} : () -> ()",
        "<8x16",
        "no type of today is what `!spv.jointmatrix` was",
    ),
    ("\"use\"() {a = !spv.nothing<i32>} : () -> ()", "spv.nothing", "no type of today stands for `spv.nothing`"),
    ("\"use\"() {a = #spv<\"text\">} : () -> ()", "spv<\"text", "no attribute of today stands for `spv<\\\"text\\\">`"),
    ("\"use\"() {a = !spv.ptr<i32, Nowhere>} : () -> ()", "Nowhere", "no case of `storage_class` is what this was"),
    (
        "\"use\"() {spv.entry_point_abi = {size = 1 : i32}} : () -> ()",
        "spv.entry_point_abi",
        "`#spirv.entry_point_abi` does not say what stands here",
    ),
    ("spv.MemoryBarrier \"Galaxy\", \"Acquire\"", "\"Galaxy\"", "no case of `#spirv.scope` is what `memory_scope` was"),
    (
        "\"spv.MemoryBarrier\"() {memory_scope = \"Galaxy\", memory_semantics = 2 : i32} : () -> ()",
        "\"spv.MemoryBarrier\"",
        "no case of `#spirv.scope` is what `memory_scope` was",
    ),
    (
        "spv.func @f(%p : !spv.ptr<!spv.struct<(f32)>, Function>, %i : i32) \"None\" {\n  %0 = spv.AccessChain %p[%i] : \
         !spv.ptr<!spv.struct<(f32)>, Function>, i32\n  spv.Return\n}",
        "%i] :",
        "which member of a struct this is, no constant before it says: the result type is not known",
    ),
];

#[test]
fn what_nothing_says_today_is_an_error_at_its_place() {
    for (text, place, message) in GONE {
        let errors = parse(&context(), text.as_bytes()).map(|_| ()).expect_err(text);
        let first = errors.iter().next().expect("an error");
        assert_eq!(first.message, message, "{text}");
        assert!(text[first.offset..].starts_with(place), "{text}: {}", &text[first.offset..]);
    }
}

/// Every beginning of the fixtures, and each without one of its bytes, is read or refused.
#[test]
fn broken_texts_are_refused() {
    let step = if std::env::var_os("MLIRBC_WHOLE").is_some() { 1 } else { 7 };
    for old in fixtures().into_values().flat_map(|of| of.old) {
        let context = context();
        for at in (0..old.len()).step_by(step) {
            let _ = parse(&context, &old[..at]);
            let _ = parse(&context, &[&old[..at], &old[at + 1..]].concat());
        }
    }
}

/// The dialect of today does not take the text of then.
#[test]
fn todays_name_has_todays_text() {
    for text in [
        "spirv.MemoryBarrier \"Device\", \"Acquire\"",
        "spirv.loop {}",
        "\"use\"() {a = !spirv.struct<f32 [0]>} : () -> ()",
        "\"use\"() {a = !spirv.array<4 x i32 [4]>} : () -> ()",
        "func @f() -> () {}",
    ] {
        assert!(parse(&context(), text.as_bytes()).is_err(), "{text}");
    }
}
