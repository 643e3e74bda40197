//! Types that custom assembly leaves out: whatever types an operation is given, its assembly says them or the generic form does.
//!
//! Operations of real modules get other types, one by one and many at once, with casts around them. `MLIRBC_ROUNDS` says how
//! often each module is changed, `MLIRBC_SEED` how.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use mlirbc_fuzz::{Random, comes_back_from_assembly, stablehlo_text, text_parse};
use mlirbc_ir::text::{parse_type, print_type};
use mlirbc_ir::{BodyId, Context, Module, OpId, OpRef, OperationSpec, Result, Type};
use mlirbc_testing::{corpus, env_number, of_any};
use mlirbc_text::{ParseOptions, parse_module};

/// Types that many operations take, and some that few do.
const TYPES: &[&str] = &[
    "i1",
    "i8",
    "i32",
    "i64",
    "ui8",
    "si32",
    "index",
    "f16",
    "bf16",
    "f32",
    "f64",
    "tf32",
    "none",
    "complex<f32>",
    "vector<4xf32>",
    "vector<4xi1>",
    "vector<[4]xf32>",
    "vector<4xindex>",
    "vector<2x4xi32>",
    "vector<f32>",
    "tensor<4xf32>",
    "tensor<?xf32>",
    "tensor<4xi1>",
    "tensor<?x?xi32>",
    "tensor<*xf32>",
    "tensor<f32>",
    "tensor<2xindex>",
    "tensor<4x!quant.uniform<i8:f32, 1.0>>",
    "memref<4xf32>",
    "memref<?xf32>",
    "memref<?x?xi32, 3>",
    "memref<*xf32>",
    "memref<4xf32, strided<[2], offset: 1>>",
    "tuple<i32, f32>",
    "tuple<>",
    "(i32) -> f32",
    "() -> ()",
    "!llvm.ptr",
    "!llvm.ptr<3>",
    "!llvm.struct<(i32, f32)>",
    "!llvm.array<4 x f32>",
    "!llvm.token",
    "!pdl.operation",
    "!pdl.value",
    "!pdl.type",
    "!pdl.attribute",
    "!pdl.range<value>",
    "!pdl.range<operation>",
    "!pdl.range<type>",
    "!transform.any_op",
    "!transform.param<i64>",
    "!transform.any_value",
    "!transform.any_param",
    "!transform.op<\"a.b\">",
    "!async.token",
    "!async.value<f32>",
    "!async.value<i32>",
    "!async.group",
    "!gpu.async.token",
    "!shape.shape",
    "!shape.size",
    "!shape.value_shape",
    "!shape.witness",
    "!emitc.opaque<\"a\">",
    "!emitc.ptr<i32>",
    "!emitc.lvalue<i32>",
    "!emitc.size_t",
    "!smt.bool",
    "!smt.int",
    "!smt.bv<8>",
    "!smt.bv<4>",
    "!smt.array<[!smt.int -> !smt.bool]>",
    "!ml_program.token",
    "!spirv.ptr<i32, Function>",
    "!nvgpu.device.async.token",
    "!test.unknown",
    "!test.other<4>",
];

/// A value that an operation takes or gives.
#[derive(Clone, Copy, Debug)]
enum Place {
    Operand(usize),
    Result(usize),
    /// An argument of the first block of a region.
    Argument(usize, usize),
    /// One that the first block of a region gets behind those that it has.
    AnotherArgument(usize),
}

/// One change: of which operation, which values, and their new type.
#[derive(Clone, Debug)]
struct Change {
    body: BodyId,
    op: OpId,
    places: Vec<Place>,
    ty: Type,
}

fn places(op: OpRef<'_>) -> Result<Vec<(Place, Type)>> {
    let mut places = Vec::new();
    for (at, &value) in op.operands().iter().enumerate() {
        places.push((Place::Operand(at), op.type_of(value)?));
    }
    for (at, value) in op.results().enumerate() {
        places.push((Place::Result(at), op.type_of(value)?));
    }
    let body = op.body();
    for (number, region) in body.regions(op.id()).enumerate() {
        let arguments = body.first_block(region).map(|block| body.arguments(block)).unwrap_or_default();
        for (at, &value) in arguments.iter().enumerate() {
            places.push((Place::Argument(number, at), op.type_of(value)?));
        }
    }
    Ok(places)
}

/// One change for each operation that has values.
fn choose(module: &Module, random: &mut Random, pool: &[Type]) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    for outermost in module.operations()? {
        for op in outermost.walk()?.filter(|op| op.definition().is_some()) {
            let places = places(op)?;
            if places.is_empty() || op.body_id().index() == Module::TOP {
                continue;
            }
            let (place, was) = places[random.below(places.len())];
            let near: Vec<Type> = places.iter().map(|place| place.1).filter(|&ty| ty != was).collect();
            let ty = match random.below(3) {
                0 if !near.is_empty() => near[random.below(near.len())],
                _ => pool[random.below(pool.len())],
            };
            let chosen = match random.below(4) {
                // All that are alike, or all operands.
                0 => places.iter().filter(|place| place.1 == was).map(|place| place.0).collect(),
                1 if matches!(place, Place::Operand(_)) => {
                    places.iter().map(|place| place.0).filter(|place| matches!(place, Place::Operand(_))).collect()
                }
                _ => vec![place],
            };
            changes.push(Change { body: op.body_id(), op: of_any(op.id()), places: chosen, ty });
        }
    }
    Ok(changes)
}

/// Makes a change, with a cast where the values come from or go to.
fn apply(module: &mut Module, change: &Change) -> Result<()> {
    let context = module.context().clone();
    let cast = context.operation_name("builtin.unrealized_conversion_cast", true);
    let location = context.unknown_location().into();
    let op = change.op;
    let ty = change.ty.into();
    module.rewrite(change.body, |rw| {
        let mut operands = rw.body().operands(op).to_vec();
        let mut behind = Vec::new();
        for &place in &change.places {
            let body = rw.body();
            match place {
                Place::Operand(at) => {
                    let operands_of = &[operands[at]];
                    let spec =
                        OperationSpec { operands: operands_of, results: &[ty], ..OperationSpec::new(cast, location) };
                    rw.set_insertion_point_before(op)?;
                    let cast = rw.create(&spec)?;
                    operands[at] = rw.result(cast, 0)?;
                }
                Place::Result(at) => {
                    let Some(value) = body.result(op, at) else { continue };
                    behind.push((value, body.block_of(op), body.next_operation(op)));
                }
                Place::Argument(region, at) => {
                    let block = body.regions(op).nth(region).and_then(|region| body.first_block(region));
                    let Some(block) = block else { continue };
                    behind.push((body.arguments(block)[at], Some(block), body.first_operation(block)));
                }
                Place::AnotherArgument(region) => {
                    let block = body.regions(op).nth(region).and_then(|region| body.first_block(region));
                    if let Some(block) = block {
                        rw.add_argument(block, ty, None)?;
                    }
                }
            }
        }
        rw.set_operands(op, &operands)?;
        for (value, block, before) in behind {
            if block.is_none() {
                continue;
            }
            let old = rw.body().ty(value);
            rw.set_type(value, ty)?;
            let Some(before) = before.filter(|_| rw.body().is_used(value)) else { continue };
            rw.set_insertion_point_before(before)?;
            let operands = &[value];
            let made = rw.create(&OperationSpec { operands, results: &[old], ..OperationSpec::new(cast, location) })?;
            let new = rw.result(made, 0)?;
            rw.replace_uses_if(value, new, |_, at| at.op != made)?;
        }
        Ok(())
    })
}

/// Applies changes and takes the module through assembly. Gives what is wrong.
fn try_out(text: &Source, context: &Context, changes: &[Change]) -> Option<String> {
    let mut module = text.module(context);
    for change in changes {
        apply(&mut module, change).expect("a change");
    }
    let tried = catch_unwind(AssertUnwindSafe(|| comes_back_from_assembly(&module)));
    let panic = match tried {
        Ok(Ok(())) => return None,
        Ok(Err(wrong)) => return Some(wrong),
        Err(panic) => panic,
    };
    Some(panic.downcast_ref::<String>().cloned().unwrap_or_default())
}

/// What modules are made of, again and again.
enum Source {
    Bytecode(Vec<u8>),
    Text(Vec<u8>),
}

impl Source {
    fn module(&self, context: &Context) -> Module {
        match self {
            Source::Bytecode(bytes) => {
                let module = mlirbc_bytecode::read(context, bytes.clone()).expect("a module");
                mlirbc_bytecode::decode_all(&module).expect("a module");
                module
            }
            Source::Text(text) => parse_module(context, text, &ParseOptions::new()).expect("a module"),
        }
    }
}

fn sources() -> Vec<(String, Source)> {
    let mut sources = Vec::new();
    for (name, bytes) in text_parse::seeds() {
        sources.push((name, Source::Text(bytes)));
    }
    assert!(sources.len() >= 100, "{} seeds", sources.len());
    let files = corpus("bytecode", "types of operations of corpus/bytecode").unwrap_or_default();
    for path in files {
        let bytes = std::fs::read(&path).expect("a file");
        if bytes.len() < 20_000 {
            sources
                .push((path.file_name().unwrap_or_default().to_string_lossy().into_owned(), Source::Bytecode(bytes)));
        }
    }
    sources
}

#[test]
fn types_that_assembly_does_not_say_are_those_that_its_parser_finds() {
    let (rounds, seed) = (env_number("MLIRBC_ROUNDS").unwrap_or(6), env_number("MLIRBC_SEED").unwrap_or(1));
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    let (mut changed, mut modules) = (0, 0);
    for (at, (name, source)) in sources().iter().enumerate() {
        let context = mlirbc_dialects::context();
        mlirbc_spirv::register(&context).expect("a fresh context");
        let pool: Vec<Type> = TYPES
            .iter()
            .map(|text| parse_type(&context, text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}")))
            .collect();
        if let Some(found) = try_out(source, &context, &[]) {
            wrong.insert(format!("{name} itself"), found);
            continue;
        }
        for round in 0..rounds {
            let mut random = Random::new(seed << 32 | (at as u64) << 12 | round);
            let module = source.module(&context);
            let changes = choose(&module, &mut random, &pool).expect("a module");
            changed += changes.len();
            modules += 1;
            if try_out(source, &context, &changes).is_none() {
                continue;
            }
            find(source, &module, &changes, &format!("{name}, round {round}"), &mut wrong);
        }
    }
    println!("{changed} operations changed in {modules} modules");
    tell(&wrong);
}

/// Which of the changes is not taken through assembly.
fn find(source: &Source, module: &Module, changes: &[Change], place: &str, wrong: &mut BTreeMap<String, String>) {
    let mut found = false;
    for change in changes {
        if let Some(what) = try_out(source, module.context(), std::slice::from_ref(change)) {
            found = true;
            let op = module.operation(change.body, change.op).expect("an operation");
            let ty = print_type(module.context(), change.ty).unwrap_or_default();
            let what = format!("{place}: {:?} to {ty}: {what}", change.places);
            wrong.entry(op.name().into_owned()).or_insert(what);
        }
    }
    if !found {
        wrong.entry(place.to_owned()).or_insert("only together".into());
    }
}

fn tell(wrong: &BTreeMap<String, String>) {
    let shown: Vec<String> =
        wrong.iter().map(|(name, what)| format!("{name}: {}", &what[..what.len().min(3_000)])).collect();
    assert!(wrong.is_empty(), "{} are wrong\n{}", wrong.len(), shown.join("\n"));
}

/// Operations without results whose generic form, which begins with text in quotes, is taken for the name that a `pdl.operation` of no
/// name before them leaves out. MLIR's own text has no other way to write that, and no such module is valid.
const TAKEN_FOR_A_NAME: [&str; 1] = ["pdl.rewrite"];

#[test]
fn arguments_of_regions_that_assembly_has_no_place_for_are_not_lost() {
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    let mut names = BTreeSet::new();
    let stablehlo = stablehlo_text::seeds().into_iter().map(|(name, text)| (name, Source::Text(text)));
    for (name, source) in sources().into_iter().chain(stablehlo) {
        let context = mlirbc_dialects::context();
        mlirbc_spirv::register(&context).expect("a fresh context");
        mlirbc_stablehlo::register(&context).expect("a fresh context");
        let module = source.module(&context);
        let mut changes = Vec::new();
        for outermost in module.operations().expect("a module") {
            for op in outermost.walk().expect("a module").filter(|op| op.body_id().index() != Module::TOP) {
                let regions = op.body().region_count_of(op.id());
                // What stands in a body of its own is changed there.
                let name = op.name();
                if TAKEN_FOR_A_NAME.contains(&&*name)
                    || op.definition().is_none()
                    || op.body().region_body(op.id()).is_some()
                {
                    continue;
                }
                let places = (0..regions).map(|region| vec![Place::AnotherArgument(region)]);
                let ty = context.integer_type(8);
                changes.extend(places.map(|places| Change { body: op.body_id(), op: of_any(op.id()), places, ty }));
                names.extend((regions > 0).then(|| name.into_owned()));
            }
        }
        if !changes.is_empty() && try_out(&source, &context, &changes).is_some() {
            find(&source, &module, &changes, &name, &mut wrong);
        }
    }
    println!("{} operations with another argument", names.len());
    assert!(names.len() >= 40, "{names:?}");
    tell(&wrong);
}
