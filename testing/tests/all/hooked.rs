//! Operations whose definitions leave to code what an interface answers: each has a hook, or stands here with the reason why it has
//! none.

use std::any::Any;

use mlirbc_ir::interfaces::{Call, MemoryEffects, RegionBranch, Speculatable};
use mlirbc_ir::ods::{OpDef, Traits};

/// Operations of MLIR that `left_to_code` picks, without a hook of that interface.
fn without<I: ?Sized + Any + Send + Sync>(left_to_code: impl Fn(&OpDef) -> bool) -> Vec<String> {
    let context = mlirbc_testing::context();
    mlirbc_spirv::dialect::register(&context).expect("the dialect");
    let (mut with, mut without) = (0, Vec::new());
    for dialect in context.dialects() {
        for definition in dialect.tables().iter().flat_map(|table| table.iter()) {
            if !definition.is_of_mlir || !left_to_code(&definition) {
                continue;
            }
            match context.interface::<I>(context.operation_name(&definition.name, true)) {
                Some(_) => with += 1,
                None => without.push(definition.name.clone()),
            }
        }
    }
    assert!(with > 0, "no operation has a hook");
    without.sort();
    without
}

/// Compares with those that are known to have none: for each the reason stands beside it.
fn assert_known(found: &[String], known: &[(&str, &str)]) {
    let missing: Vec<_> = found.iter().filter(|name| !known.iter().any(|entry| entry.0 == *name)).collect();
    let there: Vec<_> = known.iter().filter(|entry| !found.iter().any(|name| name == entry.0)).collect();
    assert!(missing.is_empty(), "without a hook and a reason: {missing:#?}");
    assert!(there.is_empty(), "these have a hook, or no need for one: {there:?}");
}

#[test]
fn effects_on_memory_that_code_says_have_a_hook() {
    let found = without::<dyn MemoryEffects>(|definition| {
        definition.implements("MemoryEffectOpInterface")
            && definition.details().effects.is_empty()
            && !definition.implements("NoMemoryEffect")
            // Transformations that change code, or use up what they are given, may do anything, and have no hook: which these are,
            // `every_operation` asks mlir-opt.
            && !definition.name.starts_with("transform.")
    });
    assert_known(&found, &[]);
}

#[test]
fn operations_that_go_on_between_their_regions_have_a_hook() {
    let found = without::<dyn RegionBranch>(|definition| definition.implements("RegionBranchOpInterface"));
    assert_known(&found, &[]);
}

#[test]
fn calls_have_a_hook() {
    let found = without::<dyn Call>(|definition| definition.implements("CallOpInterface"));
    assert_known(&found, &[]);
}

#[test]
fn operations_that_may_move_sometimes_have_a_hook() {
    let found = without::<dyn Speculatable>(|definition| {
        definition.implements("ConditionallySpeculatable")
            && !definition.traits.contains(Traits::ALWAYS_SPECULATABLE)
            && !definition.traits.contains(Traits::RECURSIVELY_SPECULATABLE)
    });
    assert_known(&found, &[]);
}
