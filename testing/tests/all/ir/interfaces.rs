//! What operations answer when asked, given by their dialects.

use std::sync::Arc;

use mlirbc_ir::interfaces::{
    Branch, Call, Callee, Effect, MemoryEffect, MemoryEffects, NoEffects, RegionKind, SuccessorOperands,
    memory_effects, successor_operands,
};
use mlirbc_ir::ods::{Multiplicity, OpDef, OpTable, Predicate, Traits, TypeConstraint};
use mlirbc_ir::verify::verify_module;
use mlirbc_ir::{Context, Dialect, Module, OpRef, Result, Value};
use mlirbc_text::{ParseOptions, parse_module};

/// The first region is a graph, the second none.
struct FirstIsGraph;

impl RegionKind for FirstIsGraph {
    fn is_graph(&self, _: OpRef<'_>, region: usize) -> bool {
        region == 0
    }
}

/// Makes the first argument of each successor; the others get the operands behind the first one.
struct Catches;

impl Branch for Catches {
    fn successor_operands(&self, op: OpRef<'_>) -> Result<Vec<Option<SuccessorOperands>>> {
        Ok(vec![Some(SuccessorOperands { produced: 1, forwarded: 1..op.operands().len(), group: None })])
    }
}

struct Writes;

impl MemoryEffects for Writes {
    fn effects(&self, op: OpRef<'_>) -> Result<Vec<MemoryEffect>> {
        Ok(vec![MemoryEffect { effect: Effect::Write, value: op.operands().first().copied() }])
    }
}

struct CallsSymbol;

impl Call for CallsSymbol {
    fn callee(&self, op: OpRef<'_>) -> Result<Option<Callee>> {
        Ok(op.attribute("to")?.map(Callee::Symbol))
    }

    fn arguments(&self, op: OpRef<'_>) -> Result<Vec<Value>> {
        Ok(op.operands().to_vec())
    }
}

fn context() -> Context {
    let context = crate::definitions::context();
    let any = TypeConstraint::any();
    let all = || Predicate::All(Vec::new());
    let definitions = [
        OpDef::builder("toy.both").region("first", all()).region("second", all()).traits(Traits::NO_TERMINATOR),
        OpDef::builder("toy.catch")
            .operands("operands", Multiplicity::Variadic, &any)
            .successor("to")
            .traits(Traits::TERMINATOR),
        OpDef::builder("toy.make").result("it", &any),
        OpDef::builder("toy.use").operand("it", &any),
    ];
    let table = OpTable::from_definitions(definitions.map(|builder| builder.finish().expect("a definition")));
    let toy = Dialect::new("toy")
        .ops(table)
        .interface::<dyn RegionKind>("both", Arc::new(FirstIsGraph))
        .interface::<dyn Branch>("catch", Arc::new(Catches))
        .interface::<dyn MemoryEffects>("use", Arc::new(Writes))
        .interface::<dyn Call>("call", Arc::new(CallsSymbol));
    context.register(toy).expect("registered once");
    context
}

fn read(context: &Context, text: &str) -> Module {
    let options = ParseOptions::new();
    parse_module(context, text.as_bytes(), &options).unwrap_or_else(|error| panic!("{error}\nin\n{text}"))
}

fn find<'m>(module: &'m Module, name: &str) -> OpRef<'m> {
    let mut walk = module.operations().expect("a body").flat_map(|op| op.walk().expect("bodies"));
    walk.find(|op| op.name() == name).unwrap_or_else(|| panic!("no {name}"))
}

/// What verification finds, a line each.
fn wrong(module: &Module) -> String {
    let mut found = String::new();
    verify_module(module, &mut |error| found.push_str(&format!("{error}\n"))).expect("a module that can be decoded");
    found
}

#[test]
fn a_dialect_says_which_regions_of_an_operation_are_graphs() {
    let context = context();
    let before = "{ \"toy.use\"(%0) : (i32) -> ()\n%0 = \"toy.make\"() : () -> i32 }";
    let after = "{ %1 = \"toy.make\"() : () -> i32\n\"toy.use\"(%1) : (i32) -> () }";
    let holds = read(&context, &format!("\"toy.both\"() ({before}, {after}) : () -> ()"));
    assert_eq!(wrong(&holds), "");
    let fails = read(&context, &format!("\"toy.both\"() ({after}, {before}) : () -> ()"));
    let error = wrong(&fails);
    assert!(error.contains("does not dominate"), "{error}");
}

#[test]
fn a_branch_says_what_its_successors_get() {
    let context = context();
    let text = |block: &str, target: &str| {
        format!(
            "\"toy.both\"() ({{ %0, %1 = \"other.two\"() : () -> (i32, i64)\n\"toy.catch\"({block})[^to] : (i32, i64) \
             -> ()\n^to({target}):\n \"toy.catch\"(%0, %1)[^to2] : (i32, i64) -> ()\n^to2(%x: f32, %y: i64):\n \"other.end\"() : () -> () }}, {{}}) \
             : () -> ()"
        )
    };
    let module = read(&context, &text("%0, %1", "%a: i1, %b: i64"));
    let op = find(&module, "toy.catch");
    assert_eq!(
        successor_operands(op, 0).expect("known"),
        Some(SuccessorOperands { produced: 1, forwarded: 1..2, group: None })
    );
    assert_eq!(wrong(&module), "");
    let module = read(&context, &text("%0, %1", "%a: i1, %b: i32"));
    let error = wrong(&module);
    assert!(error.contains("the operands for successor 0 are (i64) where they must be (i32)"), "{error}");
}

#[test]
fn the_definition_says_what_successors_get_where_the_dialect_does_not() {
    let text = "func.func @f(%c: i1, %x: i32) {\n  cf.cond_br %c, ^a(%x : i32), ^b\n^a(%y: i32):\n  return\n^b:\n  \
                return\n}\nfunc.func @s(%f: i32, %x: i32) {\n  cf.switch %f : i32, [ default: ^a(%x : i32), 1: ^b, 2: \
                ^c(%x, %f : i32, i32) ]\n^a(%y: i32):\n  return\n^b:\n  return\n^c(%v: i32, %w: i32):\n  return\n}\n";
    let module = read(&crate::definitions::context(), text);
    let ranges = |name: &str, count: usize| -> Vec<_> {
        let op = find(&module, name);
        let given = (0..count).map(|at| successor_operands(op, at).expect("decoded"));
        given.map(|given| given.map(|given| (given.produced, given.forwarded))).collect()
    };
    assert_eq!(ranges("cf.cond_br", 3), [Some((0, 1..2)), Some((0, 2..2)), None]);
    assert_eq!(ranges("cf.switch", 3), [Some((0, 1..2)), Some((0, 2..2)), Some((0, 2..4))]);
    assert_eq!(ranges("func.return", 1), [None]);
}

#[test]
fn effects_and_calls_are_what_the_dialect_says_and_unknown_else() {
    let context = context();
    let module = read(
        &context,
        "%0 = \"toy.make\"() : () -> i32\n\"toy.use\"(%0) : (i32) -> ()\n\"toy.call\"(%0) {to = @f} : (i32) -> ()",
    );
    let (make, uses, call) = (find(&module, "toy.make"), find(&module, "toy.use"), find(&module, "toy.call"));
    assert_eq!(memory_effects(make).expect("decoded"), None);
    let value = make.results().next();
    assert_eq!(memory_effects(uses).expect("decoded"), Some(vec![MemoryEffect { effect: Effect::Write, value }]));
    assert_eq!(NoEffects.effects(uses).expect("none"), []);
    let interface = call.interface::<dyn Call>().expect("a call");
    assert!(matches!(interface.callee(call), Ok(Some(Callee::Symbol(_)))));
    assert_eq!(interface.arguments(call).expect("decoded"), Vec::from_iter(value));
    assert!(uses.interface::<dyn Call>().is_none() && call.interface::<dyn MemoryEffects>().is_none());
}

#[test]
fn a_dialect_that_is_extended_answers_for_more() {
    let context = context();
    let module = read(&context, "%0 = \"toy.make\"() : () -> i32");
    let make = find(&module, "toy.make");
    assert_eq!(memory_effects(make).expect("decoded"), None);
    let pure = |toy: Dialect| toy.interface::<dyn MemoryEffects>("make", Arc::new(NoEffects));
    context.extend("toy", pure);
    assert_eq!(memory_effects(make).expect("decoded"), Some(Vec::new()));
}
