//! What loops answer when asked.

use mlirbc_ir::interfaces::{Loop, LoopBound, Mixed};
use mlirbc_ir::{Module, OpRef, Value};
use mlirbc_text::{ParseOptions, parse_module};

const TEXT: &str = r#"
func.func @f(%low: index, %high: index, %x: f32, %t: tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %0 = scf.for %i = %low to %high step %c2 iter_args(%a = %x) -> (f32) {
    %s = arith.addf %a, %x : f32
    scf.yield %s : f32
  }
  scf.for %i = %c0 to %c9 step %c2 {
  }
  %1 = scf.forall (%i, %j) = (0, %low) to (%high, 64) step (1, %c2) shared_outs(%o = %t) -> (tensor<8xf32>) {
  }
  scf.parallel (%i, %j) = (%low, %c0) to (%high, %c9) step (%c2, %c2) {
  }
  %2 = scf.while (%a = %x) : (f32) -> f32 {
    %c = arith.cmpf olt, %a, %x : f32
    scf.condition(%c) %a : f32
  } do {
  ^bb0(%b: f32):
    %n = arith.addf %b, %b : f32
    scf.yield %n : f32
  }
  %3 = affine.for %i = 3 to 40 step 4 iter_args(%a = %x) -> (f32) {
    affine.yield %a : f32
  }
  affine.for %i = %low to min affine_map<()[s0] -> (s0, 50)>()[%high] {
  }
  affine.parallel (%i) = (0) to (8) {
  }
  return
}"#;

/// The operations of that name, in order.
fn all<'m>(module: &'m Module, name: &str) -> Vec<OpRef<'m>> {
    let top = module.operations().expect("operations").next().expect("an operation");
    top.walk().expect("operations").filter(|op| op.is(name)).collect()
}

/// What a loop answers, by names of values: those of the function's arguments, of constants, and `?` of others.
struct Asked<'m> {
    op: OpRef<'m>,
    of: std::sync::Arc<dyn Loop>,
    arguments: Vec<Value>,
}

impl<'m> Asked<'m> {
    fn new(op: OpRef<'m>) -> Self {
        let body = op.body();
        let region = body.top_regions()[0];
        let block = body.first_block(region).expect("a block");
        let of = op.interface::<dyn Loop>().unwrap_or_else(|| panic!("{} is no loop", op.name()));
        Asked { op, of, arguments: body.arguments(block).to_vec() }
    }

    fn name(&self, bound: Mixed) -> String {
        match bound {
            Mixed::Number(number) => number.to_string(),
            Mixed::Value(value) => match self.arguments.iter().position(|&argument| argument == value) {
                Some(at) => ["low", "high", "x", "t"][at].to_owned(),
                None => bound.constant(self.op).map_or("?".to_owned(), |number| format!("c{number}")),
            },
        }
    }

    fn bounds(&self) -> [Option<String>; 3] {
        [LoopBound::Lower, LoopBound::Upper, LoopBound::Step].map(|which| {
            let bounds = self.of.bounds(self.op, which).expect("decoded")?;
            Some(bounds.into_iter().map(|bound| self.name(bound)).collect::<Vec<_>>().join(" "))
        })
    }

    fn variables(&self) -> Option<usize> {
        let variables = self.of.induction_variables(self.op).expect("decoded")?;
        assert!(variables.iter().all(|&variable| !self.of.is_outside(self.op, variable)));
        Some(variables.len())
    }

    /// The initial values, how many are carried, and how many are yielded by what.
    fn carried(&self) -> (Vec<String>, usize, Option<(String, usize)>) {
        let range = self.of.initial_operands(self.op).expect("decoded");
        let initial = self.op.operands()[range].iter().map(|&value| self.name(Mixed::Value(value))).collect();
        let carried = self.of.carried_values(self.op).expect("decoded");
        assert!(carried.iter().all(|&value| !self.of.is_outside(self.op, value)));
        let yielded = self.of.yielded_operands(self.op).expect("decoded");
        let yielded = yielded.map(|(end, range)| (self.op.at(end).name().into_owned(), range.len()));
        (initial, carried.len(), yielded)
    }

    fn results(&self) -> Option<usize> {
        self.of.loop_results(self.op).expect("decoded").map(|results| results.len())
    }

    fn trips(&self) -> Option<u64> {
        self.of.trip_count(self.op).expect("decoded").and_then(|count| count.to_u64())
    }
}

fn parsed() -> Module {
    let context = crate::definitions::context();
    parse_module(&context, TEXT.as_bytes(), &ParseOptions::new()).unwrap_or_else(|error| panic!("{error}"))
}

fn some<const N: usize>(texts: [&str; N]) -> [Option<String>; N] {
    texts.map(|text| Some(text.to_owned()))
}

#[test]
fn loops_of_scf() {
    let module = parsed();
    let fors: Vec<Asked<'_>> = all(&module, "scf.for").into_iter().map(Asked::new).collect();
    let [first, second] = &fors[..] else { panic!("{}", fors.len()) };
    assert_eq!(first.of.regions(first.op), [0]);
    assert_eq!((first.bounds(), first.variables()), (some(["low", "high", "c2"]), Some(1)));
    assert_eq!(first.carried(), (vec!["x".to_owned()], 1, Some(("scf.yield".to_owned(), 1))));
    assert_eq!((first.results(), first.trips()), (Some(1), None));
    assert_eq!(second.bounds(), some(["c0", "c9", "c2"]));
    assert_eq!(second.carried(), (vec![], 0, Some(("scf.yield".to_owned(), 0))));
    assert_eq!((second.results(), second.trips()), (Some(0), Some(5)));

    let forall = Asked::new(all(&module, "scf.forall")[0]);
    assert_eq!((forall.bounds(), forall.variables()), (some(["0 low", "high 64", "1 c2"]), Some(2)));
    assert_eq!((forall.carried(), forall.results()), ((vec!["t".to_owned()], 1, None), None));

    let parallel = Asked::new(all(&module, "scf.parallel")[0]);
    assert_eq!((parallel.bounds(), parallel.variables()), (some(["low c0", "high c9", "c2 c2"]), Some(2)));
    assert_eq!(parallel.carried(), (vec![], 0, None));

    let while_loop = Asked::new(all(&module, "scf.while")[0]);
    assert_eq!(while_loop.of.regions(while_loop.op), [0, 1]);
    assert_eq!((while_loop.bounds(), while_loop.variables()), ([None, None, None], None));
    assert_eq!(while_loop.carried(), (vec!["x".to_owned()], 1, Some(("scf.yield".to_owned(), 1))));
    assert_eq!(while_loop.results(), None);
}

#[test]
fn loops_of_affine() {
    let module = parsed();
    let fors: Vec<Asked<'_>> = all(&module, "affine.for").into_iter().map(Asked::new).collect();
    let [first, second] = &fors[..] else { panic!("{}", fors.len()) };
    assert_eq!((first.bounds(), first.variables()), (some(["3", "40", "4"]), Some(1)));
    assert_eq!(first.carried(), (vec!["x".to_owned()], 1, Some(("affine.yield".to_owned(), 1))));
    assert_eq!(second.bounds(), [None, None, Some("1".to_owned())]);
    assert_eq!(second.carried(), (vec![], 0, Some(("affine.yield".to_owned(), 0))));
    let parallel = Asked::new(all(&module, "affine.parallel")[0]);
    assert_eq!(parallel.of.regions(parallel.op), [0]);
    assert_eq!((parallel.bounds(), parallel.variables(), parallel.results()), ([None, None, None], None, None));
}

#[test]
fn what_is_outside_of_a_loop_is_the_same_in_every_execution() {
    let module = parsed();
    let loops = all(&module, "scf.for");
    let asked = Asked::new(loops[0]);
    let inside = all(&module, "arith.addf");
    let [sum, next] = inside[..] else { panic!("{}", inside.len()) };
    let of = |op: OpRef<'_>| op.results().next().expect("a result");
    assert!(!asked.of.is_outside(asked.op, of(sum)));
    // That of another loop, the loop's own result, an argument of the function and a constant.
    assert!(asked.of.is_outside(asked.op, of(next)));
    assert!(asked.of.is_outside(asked.op, of(asked.op)));
    assert!(asked.of.is_outside(asked.op, asked.arguments[0]));
    assert!(asked.op.operands().iter().all(|&operand| asked.of.is_outside(asked.op, operand)));
    assert!(all(&module, "func.func")[0].interface::<dyn Loop>().is_none());
}

#[test]
fn a_loop_of_which_only_the_regions_are_known() {
    let context = crate::definitions::context();
    for (name, regions) in [("tosa.while_loop", vec![1]), ("acc.loop", vec![0]), ("affine.parallel", vec![0])] {
        let found = context.interface::<dyn Loop>(context.operation_name(name, true)).expect("a loop");
        let module = parsed();
        assert_eq!(found.regions(all(&module, "scf.for")[0]), regions, "{name}");
    }
}
