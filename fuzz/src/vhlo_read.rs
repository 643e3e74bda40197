//! Portable artifacts: read, converted to StableHLO, and written for other versions.

use mlirbc_bytecode::write;
use mlirbc_ir::{AttributeData, ErrorCode, Module, NamedAttribute};
use mlirbc_stablehlo::Version;
use mlirbc_stablehlo::vhlo::DIALECT;
use mlirbc_stablehlo::{artifact_options, exported, needs, to_stablehlo, to_vhlo, write_artifact};

use crate::oracle::{every_operation, load, load_or_refuse, shown, text, unfit};
use crate::stablehlo_text::{context, functions};
use crate::{Outcome, Seed};

/// Inputs to begin with: artifacts of each function of the fixtures, of the oldest version that can hold it and of the newest.
pub fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (name, module) in functions(&context()) {
        let Ok(needs) = needs(&module) else { continue };
        for version in [needs.version(), Version::CURRENT] {
            let artifact = write_artifact(&module, version).expect("it needs no more");
            seeds.push((format!("{version}-{name}"), artifact));
        }
    }
    seeds
}

/// Reads an artifact, and takes it through StableHLO to the oldest version that can hold it, and back.
pub fn run(data: &[u8]) -> Outcome {
    let context = context();
    let _ = exported::artifact(&data.to_vec().into());
    let module = match load_or_refuse(&context, data) {
        Ok(module) => module,
        Err(outcome) => return outcome,
    };
    let Ok(lowered) = to_stablehlo(&module) else { return Outcome::Refused };
    let Ok(needs) = needs(&lowered) else { return Outcome::Unwritable };
    if let Some(older) = before(needs.version()) {
        assert!(to_vhlo(&lowered, older).is_err(), "{older} takes what needs {}", needs.version());
    }
    let again = |module: &Module| {
        let raised = to_vhlo(module, needs.version()).expect("its oldest version takes it");
        let artifact = match write(&raised, &artifact_options(needs.version())) {
            Ok(artifact) => artifact,
            Err(error) => {
                // Operations of other dialects: with bytes that nobody knows, or more than old bytecode has room for.
                let is_other = error.code() == ErrorCode::Opaque || error.message().starts_with("bytecode version ");
                assert!(is_other || unfit(&raised, &error), "converted, and cannot be written: {error}");
                return None;
            }
        };
        let read = load(&context, &artifact).expect("it was written");
        Some(to_stablehlo(&read).expect("it was converted"))
    };
    let Some(mut second) = again(&lowered) else { return Outcome::Unwritable };
    let mut first = lowered;
    if !is_artifact(&module) {
        // In a graph, a value that is used before it is cast keeps its cast, and gets another each time.
        if every_operation(&second).any(|op| op.is("builtin.unrealized_conversion_cast")) {
            return Outcome::Accepted;
        }
        let Some(third) = again(&second) else { return Outcome::Unwritable };
        (first, second) = (second, third);
    }
    let (Some(first), Some(second)) = (text(&first), text(&second)) else { return Outcome::Accepted };
    assert!(first == second, "another module comes back:\n{}\n{}", shown(&first), shown(&second));
    Outcome::Accepted
}

/// The version before.
fn before(version: Version) -> Option<Version> {
    let all = (9..=20)
        .map(|minor| Version::new(0, minor, 0))
        .chain((0..=Version::CURRENT.minor).map(|minor| Version::new(1, minor, 0)));
    all.take_while(|&older| older < version).last()
}

/// Whether all of a module is of `vhlo`, as all is that libStablehlo writes of StableHLO alone. What stands beside it, in StableHLO or for other
/// dialects, may be another the first time that it comes back, and then is not: defaults that it says are left out, symbols
/// become strings, arrays of numbers become tensors, and the layout of memory is dropped, since artifacts have no place for these.
fn is_artifact(module: &Module) -> bool {
    let context = module.context();
    let is_of_vhlo = |&(_, value): &NamedAttribute| matches!(&context[value], AttributeData::Dialect(value) if context.bytes(value.dialect) == DIALECT.as_bytes());
    every_operation(module).all(|op| {
        let (own, inherent) = op.dictionaries().expect("decoded");
        let mut all = [own, inherent].into_iter().flatten();
        let has_its_own = all.all(|all| match &context[all] {
            AttributeData::Dictionary(entries) => entries.iter().all(is_of_vhlo),
            _ => false,
        });
        let is_of_vhlo = op.definition().is_some() && op.name().starts_with("vhlo.");
        op.is("builtin.module") || is_of_vhlo && has_its_own
    })
}
