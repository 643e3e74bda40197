//! Op definitions against whole modules: what mlir-opt takes is right, and what it refuses is found.

use std::path::Path;
use std::process::{Command, Stdio};

use mlirbc_bytecode::{WriteOptions, decode_all, read, write};
use mlirbc_ir::ods::{PropertyKind, Traits};
use mlirbc_ir::text::parse_attribute;
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{
    Attribute, AttributeData, BodyId, Context, Error, Module, NamedAttribute, OpId, OperationSpec, Result, Type,
    ValueMap,
};
use mlirbc_testing::{Numbers, corpus, tool};

fn open(context: &Context, path: &Path) -> Result<Module> {
    let module = read(context, std::fs::read(path)?)?;
    decode_all(&module)?;
    Ok(module)
}

/// What is wrong with a module.
fn errors(module: &Module) -> Result<Vec<Error>> {
    let mut errors = Vec::new();
    verify_module(module, &mut |error| errors.push(error))?;
    Ok(errors)
}

fn count(module: &Module) -> Result<usize> {
    module.operations()?.map(|op| Ok(op.walk()?.count())).sum()
}

#[test]
fn nothing_is_wrong_with_the_corpus() {
    let context = crate::definitions::context();
    for (folder, files, operations) in
        [("bytecode", 826, 7_657), ("spirv_dialect", 187, 7_713), ("codes", 5, 59), ("stablehlo", 46, 4_919)]
    {
        let Some(paths) = corpus(folder, "operations against their definitions") else { return };
        let mut found = 0;
        for path in &paths {
            let module = open(&context, path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            found += count(&module).expect("a module that was read");
            let errors = errors(&module).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        }
        assert_eq!((paths.len(), found), (files, operations), "{folder}");
    }
}

/// An operation of a module that is being edited.
struct Place {
    body: BodyId,
    op: OpId,
}

/// Every operation that is defined, but the outermost ones.
fn places(module: &Module) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    for outermost in module.operations()? {
        for op in outermost.walk()?.skip(1).filter(|op| op.definition().is_some()) {
            places.push(Place { body: op.body_id(), op: op.id() });
        }
    }
    Ok(places)
}

/// The entries of an operation's properties.
fn properties(module: &Module, place: &Place) -> Result<Vec<NamedAttribute>> {
    let dictionary = module.operation(place.body, place.op)?.properties()?;
    Ok(match dictionary.map(|dictionary| &module.context()[dictionary]) {
        Some(AttributeData::Dictionary(entries)) => entries.to_vec(),
        _ => Vec::new(),
    })
}

fn set_properties(module: &mut Module, place: &Place, entries: Vec<NamedAttribute>) -> Result<()> {
    let dictionary = module.context().dictionary(entries)?;
    module.rewrite(place.body, |rw| rw.set_properties(place.op, Some(dictionary.into())))
}

const ATTRIBUTES: [&str; 8] =
    ["\"text\"", "1.5 : f32", "[1 : i8]", "unit", "7777 : i64", "-1 : i32", "array<i8: 1>", "@symbol"];
const TYPES: [&str; 8] = ["i32", "f32", "index", "!llvm.ptr", "tensor<4xf32>", "vector<2xi1>", "memref<2xf32>", "i1"];

fn any_attribute(context: &Context, numbers: &mut Numbers) -> Attribute {
    let text = ATTRIBUTES[numbers.below(ATTRIBUTES.len())];
    parse_attribute(context, text.as_bytes()).expect("an attribute")
}

fn any_type(context: &Context, numbers: &mut Numbers) -> Type {
    let text = TYPES[numbers.below(TYPES.len())];
    mlirbc_ir::text::parse_type(context, text.as_bytes()).expect("a type")
}

const MISSING: &str = "a missing attribute";

/// Changes one thing about one operation; says what, or nothing where the change does not apply to it.
fn edit(module: &mut Module, numbers: &mut Numbers) -> Result<Option<&'static str>> {
    let context = module.context().clone();
    let mut places = places(module)?;
    if places.is_empty() {
        return Ok(None);
    }
    let place = places.swap_remove(numbers.below(places.len()));
    let op = module.operation(place.body, place.op)?;
    let definition = op.definition().cloned().unwrap_or_default();
    let mut operands = op.operands().to_vec();
    let terminator = definition.traits.contains(Traits::TERMINATOR);
    let kind = numbers.below(8);
    Ok(match kind {
        0 | 1 if !operands.is_empty() => {
            let at = numbers.below(operands.len());
            if kind == 0 {
                operands.remove(at);
            } else {
                operands.insert(at, operands[at]);
            }
            module.rewrite(place.body, |rw| rw.set_operands(place.op, &operands))?;
            Some("the number of operands")
        }
        2 => {
            let mut entries = properties(module, &place)?;
            let required: Vec<usize> = (0..entries.len())
                .filter(|&at| {
                    let name = context.text(entries[at].0);
                    let member = definition.properties.iter().find(|member| member.name == name);
                    member.is_some_and(|member| member.kind == PropertyKind::Required)
                })
                .collect();
            if required.is_empty() {
                return Ok(None);
            }
            entries.remove(required[numbers.below(required.len())]);
            set_properties(module, &place, entries)?;
            Some(MISSING)
        }
        3 => {
            let mut entries = properties(module, &place)?;
            if entries.is_empty() {
                return Ok(None);
            }
            let at = numbers.below(entries.len());
            entries[at].1 = any_attribute(&context, numbers);
            set_properties(module, &place, entries)?;
            Some("an attribute of another kind")
        }
        4 if terminator && op.results().len() == 0 && op.body().block_of(place.op).is_some() => {
            module.rewrite(place.body, |rw| rw.erase(place.op))?;
            Some("a missing terminator")
        }
        5 if terminator => {
            module.rewrite(place.body, |rw| {
                rw.set_insertion_point_before(place.op)?;
                rw.clone_operation(place.op, &mut ValueMap::default())
            })?;
            Some("a terminator inside a block")
        }
        6 if !operands.is_empty() => {
            let at = numbers.below(operands.len());
            let cast = context.operation_name("builtin.unrealized_conversion_cast", true);
            let location = context.unknown_location().into();
            let ty = any_type(&context, numbers);
            module.rewrite(place.body, |rw| {
                rw.set_insertion_point_before(place.op)?;
                let cast = rw.create(&OperationSpec {
                    operands: &[operands[at]],
                    results: &[ty.into()],
                    ..OperationSpec::new(cast, location)
                })?;
                operands[at] = rw.result(cast, 0)?;
                rw.set_operands(place.op, &operands)
            })?;
            Some("the type of an operand")
        }
        7 if op.results().len() > 0 => {
            let value = op.results().nth(numbers.below(op.results().len())).expect("a result");
            let ty = any_type(&context, numbers);
            module.rewrite(place.body, |rw| rw.set_type(value, ty))?;
            Some("the type of a result")
        }
        _ => None,
    })
}

/// Whether mlir-opt takes a module. `None` where it does not come to an answer.
fn accepted(bytes: &[u8], name: &str) -> Option<bool> {
    let path = std::env::temp_dir().join(format!("mlirbc-ods-{}-{name}.mlirbc", std::process::id()));
    std::fs::write(&path, bytes).expect("a temporary file");
    let status = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "-o", "/dev/null"])
        .arg(&path)
        .stderr(Stdio::null())
        .status();
    let _ = std::fs::remove_file(&path);
    status.expect("mlir-opt-22 runs").code().map(|code| code == 0)
}

/// How many edits mlir-opt is asked about.
const EDITS: u64 = 500;

/// One edit of one of the files, and what mlir-opt says of it: whether it refuses, whether that is found here, and which edit it
/// was. Each edit can be made again without those before it.
fn ask_about(paths: &[std::path::PathBuf], number: u64) -> (bool, bool, String) {
    let mut numbers = Numbers((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    loop {
        let path = &paths[numbers.below(paths.len())];
        let context = crate::definitions::context();
        let Ok(mut module) = open(&context, path) else { continue };
        // An edit of what another operation still needs is no edit.
        let Ok(Some(what)) = edit(&mut module, &mut numbers) else { continue };
        // Since version 5 no attribute can be missing; before, mlir-opt drops those of the wrong kind.
        let version = if what == MISSING { 4 } else { 6 };
        let Ok(bytes) = write(&module, &WriteOptions::new().version(version)) else { continue };
        let Some(accepted) = accepted(&bytes, &number.to_string()) else { continue };
        let errors = errors(&module).expect("a module that can be decoded");
        if let (true, Some(error)) = (accepted, errors.first()) {
            panic!("{} with {what} changed is right, but: {error}", path.display());
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        return (!accepted, !errors.is_empty(), format!("{what} in {name}"));
    }
}

/// Edits that mlir-opt refuses for a rule that no definition says, but its C++.
const NOT_FOUND: &[&str] = &[
    "30: the number of operands in iree-org+iree__compiler__src__iree__compiler__Codegen__LLVMGPU__test__convert_to_rocdl.mlir.9.mlirbc",
    "34: the number of operands in iree-org+iree__compiler__src__iree__compiler__Codegen__LLVMGPU__test__ROCDL__buffer_instructions_optimization.mlir.3.mlirbc",
    "109: the type of an operand in iree-org+iree__compiler__src__iree__compiler__Codegen__LLVMGPU__test__prefetch_shared_memory.mlir.17.mlirbc",
    "115: the number of operands in iree-org+iree__compiler__src__iree__compiler__Codegen__Common__test__materialize_vector_masking.mlir.5.mlirbc",
    "168: the type of a result in xdslproject+xdsl__tests__filecheck__backend__riscv__memref_to_riscv.mlir.6.mlirbc",
    "177: the type of an operand in iree-org+iree__compiler__src__iree__compiler__Preprocessing__Common__test__pad_to_intrinsics_wmma.mlir.0.mlirbc",
    "204: the number of operands in iree-org+iree__compiler__src__iree__compiler__Codegen__Common__test__optimize_tensor_insert_extract_slices.mlir.25.mlirbc",
    "217: the type of an operand in iree-org+iree__compiler__src__iree__compiler__GlobalOptimization__test__linalg_quantized_matmul_to_matmul.mlir.5.mlirbc",
    "237: the type of an operand in iree-org+iree__compiler__src__iree__compiler__Codegen__Common__test__tile_large_tensors.mlir.2.mlirbc",
    "270: the type of an operand in iree-org+iree__compiler__src__iree__compiler__Codegen__Common__GPU__test__gpu_infer_memory_space.mlir.1.mlirbc",
    "321: the number of operands in iree-org+iree__compiler__src__iree__compiler__Codegen__Common__test__decompose_memref.mlir.7.mlirbc",
    "332: the number of operands in KhronosGroup+SPIRV-Cross__shaders-msl__vert__uniform-struct-packing-nested.vert.mlirbc",
    "394: an attribute of another kind in KhronosGroup+SPIRV-Cross__shaders-msl__desktop-only__tesc__basic.desktop.sso.multi-patch.tesc.mlirbc",
    "489: the number of operands in KhronosGroup+SPIRV-Cross__shaders-no-opt__asm__comp__expression-nesting-limits.asm.comp.mlirbc",
];

#[test]
fn what_mlir_opt_refuses_is_found() {
    let what = "edits that mlir-opt-22 refuses";
    let (Some(mut paths), Some(more)) = (corpus("bytecode", what), corpus("spirv_dialect", what)) else { return };
    if !tool("mlir-opt-22", what) {
        return;
    }
    paths.extend(more);
    let threads = [0, 1].map(|odd| {
        let paths = paths.clone();
        std::thread::spawn(move || {
            let numbers = (0..EDITS).filter(|number| number % 2 == odd);
            numbers.map(|number| (number, ask_about(&paths, number))).collect::<Vec<_>>()
        })
    });
    let mut edits: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().expect("no false error")).collect();
    edits.sort();
    let refused = edits.iter().filter(|(_, (refused, ..))| *refused).count();
    assert!(refused >= 250, "{refused} of {EDITS} edits are refused");
    let missed = edits.iter().filter(|(_, (refused, found, _))| *refused && !found);
    let missed: Vec<String> = missed.map(|(number, (.., edit))| format!("{number}: {edit}")).collect();
    assert_eq!(missed, NOT_FOUND, "of {refused} that are refused");
}
