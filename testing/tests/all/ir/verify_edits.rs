//! A module verified after random edits: what is said when only what they may have broken is looked at is what is said of all of it.
//!
//! `MLIRBC_VERIFY_EDITS=100000` makes so many edits; far fewer are made by default.

use mlirbc_ir::verify::{verify_edits, verify_module};
use mlirbc_ir::{
    Attribute, AttributeData, Body, BodyId, Context, Error, Module, OpId, Result, Rewriter, Type, TypeData, ValueMap,
};
use mlirbc_testing::{Numbers, blocks, env_number, values};
use mlirbc_text::{ParseOptions, parse_module};

/// Functions that call each other, of modules in modules, with what asks about what holds it, what it holds and what it names.
const MODULE: &str = r#"
func.func private @outside(i32) -> i32
func.func @f(%a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = func.call @outside(%0) : (i32) -> i32
  %2 = arith.cmpi eq, %1, %a : i32
  cf.cond_br %2, ^bb1, ^bb2(%1 : i32)
^bb1:
  %3 = func.call @g(%a) : (i32) -> i32
  cf.br ^bb2(%3 : i32)
^bb2(%4: i32):
  return %4 : i32
}
func.func @g(%a: i32) -> i32 {
  %c = arith.constant 1 : i32
  %t = arith.constant true
  %0 = scf.if %t -> i32 {
    %1 = func.call @f(%a, %c) : (i32, i32) -> i32
    scf.yield %1 : i32
  } else {
    scf.yield %c : i32
  }
  return %0 : i32
}
module @inner {
  func.func @f(%a: f32) -> f32 {
    %0 = func.call @g(%a) : (f32) -> f32
    return %0 : f32
  }
  func.func @g(%a: f32) -> f32 {
    module {
      func.func @f() {
        func.call @h() : () -> ()
        return
      }
      func.func private @h()
    }
    return %a : f32
  }
}
spirv.module Logical GLSL450 {
  spirv.func @f(%a: i32) -> i32 "None" {
    %0 = spirv.FunctionCall @g(%a) : (i32) -> i32
    spirv.ReturnValue %0 : i32
  }
  spirv.func @g(%a: i32) -> i32 "None" {
    spirv.ReturnValue %a : i32
  }
}
gpu.module @kernels {
  gpu.func @kernel(%a: i32) kernel {
    %0 = arith.muli %a, %a : i32
    gpu.return
  }
}
"#;

fn parsed(context: &Context) -> Module {
    parse_module(context, MODULE.as_bytes(), &ParseOptions::new().implicit_module(true)).expect("a module")
}

/// What new attributes and types are taken from, those of the module itself.
struct Stock {
    attributes: Vec<(String, Attribute)>,
    types: Vec<Type>,
}

impl Stock {
    fn of(module: &Module) -> Result<Self> {
        let mut stock = Stock { attributes: Vec::new(), types: Vec::new() };
        let context = module.context();
        module.load_all()?;
        for (id, body) in module.bodies() {
            for op in body.preorder() {
                let op = module.operation(id, op)?;
                let (attributes, properties) = op.dictionaries()?;
                for of in attributes.into_iter().chain(properties) {
                    let AttributeData::Dictionary(entries) = &context[of] else { continue };
                    stock
                        .attributes
                        .extend(entries.iter().map(|&(name, value)| (context.text(name).into_owned(), value)));
                }
            }
            for value in values(body) {
                stock.types.push(module.ty(body.ty(value))?);
            }
        }
        let function = |inputs: &[Type], results: &[Type]| {
            let ty = context.ty(TypeData::Function { inputs: inputs.into(), results: results.into() });
            ("function_type".to_owned(), context.attribute(AttributeData::Type(ty)))
        };
        let i32 = context.integer_type(32);
        stock.attributes.extend([function(&[], &[]), function(&[i32], &[i32]), function(&[i32], &[])]);
        Ok(stock)
    }
}

/// Makes one edit of a body, or is refused one.
fn edit(rw: &mut Rewriter<'_>, numbers: &mut Numbers, stock: &Stock, module: &Module) -> Result<()> {
    let ops: Vec<OpId> = rw.body().preorder().collect();
    let Some(&op) = numbers.of(&ops) else { return Ok(()) };
    let (all_values, all_blocks) = (values(rw.body()), blocks(rw.body()));
    match numbers.below(14) {
        // These change nothing that a rule is about.
        0 => rw.build_uses(),
        1 => drop(rw.predecessors(all_blocks[0])?),
        2 => {
            let Some((name, value)) = numbers.of(&stock.attributes) else { return Ok(()) };
            rw.set_attribute(op, name, *value)?;
        }
        3 | 4 => {
            let own: Vec<_> = stock
                .attributes
                .iter()
                .filter(|(name, _)| rw.op(op).attribute(name).is_ok_and(|it| it.is_some()))
                .collect();
            let Some((name, value)) = numbers.of(&own) else { return Ok(()) };
            rw.set_attribute(op, name, *value)?;
        }
        5 => {
            let Some((name, _)) = numbers.of(&stock.attributes) else { return Ok(()) };
            rw.remove_attribute(op, name)?;
        }
        6 => {
            let count = rw.body().operands(op).len();
            let Some(&value) = numbers.of(&all_values) else { return Ok(()) };
            if count > 0 {
                rw.set_operand(op, numbers.below(count), value)?;
            }
        }
        7 => {
            let (Some(&value), Some(&ty)) = (numbers.of(&all_values), numbers.of(&stock.types)) else { return Ok(()) };
            rw.set_type(value, ty)?;
        }
        8 => rw.erase(op)?,
        9 => {
            let Some(&before) = numbers.of(&ops) else { return Ok(()) };
            rw.move_before(op, before)?;
        }
        10 => {
            let Some(&block) = numbers.of(&all_blocks) else { return Ok(()) };
            rw.set_insertion_point_to_start(block)?;
            rw.clone_operation(op, &mut ValueMap::default())?;
        }
        11 => {
            // A function of another module, with its body.
            let Some((id, body)) = module.bodies().nth(numbers.below(8)) else { return Ok(()) };
            let others: Vec<OpId> = body.preorder().filter(|&op| body.operands(op).is_empty()).collect();
            let (Some(&block), Some(&other)) = (numbers.of(&all_blocks), numbers.of(&others)) else { return Ok(()) };
            rw.set_insertion_point_to_start(block)?;
            rw.clone_from((module, id), other, &mut ValueMap::default())?;
        }
        12 => {
            let Some(&to) = numbers.of(&ops) else { return Ok(()) };
            rw.move_body(op, to)?;
        }
        _ => {
            let Some(&block) = numbers.of(&all_blocks) else { return Ok(()) };
            rw.erase_argument(block, 0)?;
        }
    }
    Ok(())
}

/// Makes a few edits of a body of the module, in one of the ways in which passes get at one.
fn edit_module(module: &mut Module, numbers: &mut Numbers, stock: &Stock, other: &Module) -> Result<()> {
    let ids: Vec<BodyId> = module.bodies().map(|(id, _)| id).collect();
    // The outermost one holds only the module.
    let Some(&id) = numbers.of(&ids[1..]) else { return Ok(()) };
    if numbers.below(4) > 0 {
        return module.rewrite(id, |rw| {
            for _ in 0..=numbers.below(2) {
                // What is refused changes nothing.
                let _ = edit(rw, numbers, stock, other);
            }
            Ok(())
        });
    }
    match numbers.below(2) {
        0 => {
            // Changed beside the module.
            let taken = module.take_body(id)?;
            let mut rw = Rewriter::new(module, id, taken);
            let body = rw.body();
            let users: Vec<OpId> = body.preorder().filter(|&op| !body.operands(op).is_empty()).collect();
            if let (Some(&op), Some(&value)) = (numbers.of(&users), numbers.of(&values(body))) {
                rw.set_operand(op, 0, value)?;
            }
            let done = rw.finish();
            module.put_rewritten(done)
        }
        _ => {
            // Bodies that hold no others, so that none comes to hold itself.
            let is_last = |(id, body): (BodyId, &Body)| body.region_bodies().next().is_none().then_some(id);
            let ids: Vec<BodyId> = module.bodies().filter_map(is_last).collect();
            let (Some(&from), Some(&to)) = (numbers.of(&ids), numbers.of(&ids)) else { return Ok(()) };
            if from != to {
                let (first, second) = (module.take_body(from)?, module.take_body(to)?);
                let (first, second) = if numbers.below(2) == 0 { (second, first) } else { (first, second) };
                module.put_body(from, first)?;
                module.put_body(to, second)?;
            }
            Ok(())
        }
    }
}

fn said(verify: impl FnOnce(&mut dyn FnMut(Error)) -> Result<()>) -> (Vec<String>, Option<String>) {
    let mut said = Vec::new();
    let result = verify(&mut |error| said.push(error.to_string()));
    (said, result.err().map(|error| error.to_string()))
}

#[test]
fn what_is_verified_after_edits_is_all_that_they_break() {
    let edits = env_number("MLIRBC_VERIFY_EDITS").unwrap_or(3000);
    let context = mlirbc_testing::context();
    mlirbc_spirv::dialect::register(&context).expect("the dialect");
    let mut numbers = Numbers(26);
    let other = parsed(&context);
    let (mut right, mut wrong) = (0, 0);
    let mut module = parsed(&context);
    let mut stock = Stock::of(&module).expect("it can be read");
    assert_eq!(said(|report| verify_edits(&mut module, 1, report)), (Vec::new(), None));
    for number in 0..edits {
        edit_module(&mut module, &mut numbers, &stock, &other).expect("it can be edited");
        let all = said(|report| verify_module(&module, report));
        let threads = 1 + numbers.below(2);
        let found = said(|report| verify_edits(&mut module, threads, report));
        assert_eq!(found, all, "edit {number}");
        match all {
            (said, None) if said.is_empty() => right += 1,
            _ => wrong += 1,
        }
        // What is wrong stays so, for a while.
        if found != (Vec::new(), None) && numbers.below(3) > 0 || numbers.below(40) == 0 {
            module = parsed(&context);
            stock = Stock::of(&module).expect("it can be read");
            assert_eq!(said(|report| verify_edits(&mut module, 1, report)), (Vec::new(), None));
        }
    }
    assert!(right > edits / 10 && wrong > edits / 10, "{right} right, {wrong} wrong");
}
