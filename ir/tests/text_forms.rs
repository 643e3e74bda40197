//! Forms that are written by hand: each file of `forms` is what mlir-opt 22 prints, and comes back as it is.

use std::path::Path;

use mlirbc_ir::text::{ParseOptions, PrintOptions, parse_module, print_module};
use mlirbc_ir::{Context, Module};

fn read(context: &Context, text: &str) -> Module {
    parse_module(context, text.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

fn print(module: &Module, generic: bool) -> String {
    let mut text = Vec::new();
    print_module(module, &PrintOptions::new().generic(generic), &mut text).expect("a module to print");
    String::from_utf8(text).expect("text")
}

#[test]
fn what_mlir_opt_prints_comes_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of texts") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let context = Context::new();
        let module = read(&context, &text);
        assert_eq!(print(&module, false), text, "{}", path.display());
        let generic = print(&module, true);
        let again = read(&context, &generic);
        assert_eq!(print(&again, false), text, "{}, by way of its generic form", path.display());
        assert_eq!(print(&again, true), generic, "{}", path.display());
        count += 1;
    }
    assert_eq!(count, 9);
}

/// Operations of which the custom form would lose something.
const GENERIC: &[(&str, &str)] = &[
    // Nobody says how many buffers are the workgroup's.
    (
        "gpu.func",
        "\"gpu.func\"() <{function_type = () -> ()}> ({\n\"gpu.return\"() : () -> ()\n}) {sym_name = \"f\"} : () -> ()",
    ),
    // A dependency without a token.
    (
        "gpu.launch",
        "%0:2 = \"t.a\"() : () -> (!gpu.async.token, index)\n\"gpu.launch\"(%0#0, %0#1, %0#1, %0#1, %0#1, %0#1, %0#1) \
         <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({\n^bb0(%1: index, %2: index, %3: index, %4: \
         index, %5: index, %6: index, %7: index, %8: index, %9: index, %10: index, %11: index, %12: index):\n\
         \"gpu.terminator\"() : () -> ()\n}) {workgroup_attributions = 0 : i64} : (!gpu.async.token, index, index, index, index, \
         index, index) -> ()",
    ),
    // A terminator that gives something where nothing is taken.
    (
        "gpu.warp_execute_on_lane_0",
        "%0 = \"t.a\"() : () -> index\n\"gpu.warp_execute_on_lane_0\"(%0) <{warp_size = 32 : i64}> ({\n\"gpu.yield\"(%0) : \
         (index) -> ()\n}) : (index) -> ()",
    ),
    // A parser would take both values for one dimension.
    (
        "affine.load",
        "%0:2 = \"t.a\"() : () -> (memref<4x4xf32>, index)\n%1 = \"affine.load\"(%0#0, %0#1, %0#1) <{map = affine_map<(d0, d1) \
         -> (d0, d1)>}> : (memref<4x4xf32>, index, index) -> f32",
    ),
    // A value that no expression names.
    (
        "affine.load",
        "%0:2 = \"t.a\"() : () -> (memref<4xf32>, index)\n%1 = \"affine.load\"(%0#0, %0#1) <{map = affine_map<(d0) -> (3)>}> : \
         (memref<4xf32>, index) -> f32",
    ),
    // A stored value of another type.
    (
        "affine.store",
        "%0:3 = \"t.a\"() : () -> (memref<4xf32>, index, i32)\n\"affine.store\"(%0#2, %0#0, %0#1) <{map = affine_map<(d0) -> \
         (d0)>}> : (i32, memref<4xf32>, index) -> ()",
    ),
    // Attributes where a parser takes none.
    (
        "memref.prefetch",
        "%0 = \"t.a\"() : () -> memref<f32>\n\"memref.prefetch\"(%0) <{isDataCache = true, isWrite = false, localityHint = 3 : \
         i32}> {a.b} : (memref<f32>) -> ()",
    ),
    // An argument that is not what the value holds.
    (
        "async.execute",
        "%0 = \"t.a\"() : () -> !async.value<f32>\n%1 = \"async.execute\"(%0) <{operandSegmentSizes = array<i32: 0, 1>}> \
         ({\n^bb0(%2: i32):\n\"async.yield\"() : () -> ()\n}) : (!async.value<f32>) -> !async.token",
    ),
    // An initial value of another shape.
    (
        "tosa.variable",
        "\"tosa.variable\"() <{initial_value = dense<1> : tensor<2xi8>, sym_name = \"v\", type = i8, var_shape = dense<3> : \
         tensor<1xindex>}> : () -> ()",
    ),
];

#[test]
fn what_a_form_cannot_say_is_in_generic_form() {
    for (name, text) in GENERIC {
        let context = Context::new();
        let module = read(&context, text);
        let shown = print(&module, false);
        assert!(shown.contains(&format!("\"{name}\"(")), "{shown}");
        assert_eq!(print(&read(&context, &shown), true), print(&module, true));
    }
}

/// What is no operation of that form.
const WRONG: &[&str] = &[
    "affine.load %m[%i + ] : memref<4xf32>",
    "affine.load %m[symbol %i] : memref<4xf32>",
    "affine.load %m[%i * %j] : memref<4xf32>",
    "affine.load %m[%i] : f32",
    "affine.prefetch %m[%i], read, locality<99999999999>, data : memref<4xf32>",
    "affine.parallel (%a) = (max(%i, 3) to (4) {}",
    "affine.parallel (%a) = (0) to (4) reduce (\"none\") -> (f32) {}",
    "gpu.launch async blocks(%a, %b, %c) in (%d = %i, %e = %i, %f = %i)",
    "gpu.launch blocks(%a, %b) in (%d = %i, %e = %i, %f = %i)",
    "memref.dma_start %m[%i], %m[%i], %i, %m[%i], %i : memref<4xf32>, memref<4xf32>, memref<4xi32>",
    "tosa.variable @v : tensor<*xi8>",
    "tosa.variable @v = 3 : i32",
    "async.execute (%i as %x: index) {}",
];

#[test]
fn wrong_text_is_an_error() {
    for text in WRONG {
        let text = format!("func.func @f(%m: memref<4xf32>, %i: index, %j: index) {{\n{text}\nreturn\n}}");
        assert!(parse_module(&Context::new(), text.as_bytes(), &ParseOptions::new()).is_err(), "{text}");
    }
}

#[test]
fn what_parses_comes_back_from_its_custom_form() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forms");
    let mut seeds = Vec::new();
    for entry in std::fs::read_dir(&folder).expect("the folder of texts") {
        seeds.push(std::fs::read_to_string(entry.expect("an entry").path()).expect("a text"));
    }
    seeds.sort();
    let words: Vec<String> =
        seeds.iter().flat_map(|text| text.split_inclusive(|c: char| !c.is_alphanumeric()).map(str::to_owned)).collect();
    let mut state = 1u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound.max(1)
    };
    let (mut good, mut bad) = (0, 0);
    for round in 0..12_000 {
        let mut parts: Vec<&str> = seeds[round % seeds.len()].split_inclusive(|c: char| !c.is_alphanumeric()).collect();
        for _ in 0..=below(2) {
            let at = below(parts.len());
            match below(3) {
                0 => drop(parts.remove(at)),
                1 => parts[at] = &words[below(words.len())],
                _ => parts[at] = parts[below(parts.len())],
            }
        }
        let text = parts.concat();
        let context = Context::new();
        let Ok(module) = parse_module(&context, text.as_bytes(), &ParseOptions::new()) else {
            bad += 1;
            continue;
        };
        let shown = print(&module, false);
        assert_eq!(print(&read(&context, &shown), true), print(&module, true), "{shown}");
        good += 1;
    }
    assert!(good > 500 && bad > 500, "{good} good, {bad} bad");
}
