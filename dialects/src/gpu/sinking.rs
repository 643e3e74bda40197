//! `gpu-launch-sink-index-computations` (`mlir/lib/Dialect/GPU/Transforms/KernelOutlining.cpp`): constants, sizes of memory, comparisons and
//! selections that a `gpu.launch` uses are copied into it, so that its kernel need not take them.

use std::collections::HashSet;

use mlirbc_ir::ods::Traits;
use mlirbc_ir::{Body, BodyId, Module, OpId, OpRef, Result, Rewriter, Value, ValueMap};
use mlirbc_rewrite::{MakePass, Pass, PassInfo, Target};

use super::outlining::captured;

/// Copies what launches use into them.
struct Sink;

pub(crate) const INFO: PassInfo = PassInfo {
    name: "gpu-launch-sink-index-computations",
    about: "copy constants, sizes and comparisons that a gpu.launch uses into it",
    options: &[],
    make: MakePass::With(|_| Ok(Box::new(Sink))),
};

impl Pass for Sink {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run(&self, target: &mut Target<'_>) -> Result<()> {
        let launches = target.op()?.walk()?.filter(|op| op.is("gpu.launch")).map(|op| (op.body_id(), op.id()));
        let launches: Vec<(BodyId, OpId)> = launches.collect();
        launches.into_iter().try_for_each(|(body, launch)| {
            let sunk = sunk(target.module(), body, launch)?;
            target.module().rewrite(body, |rw| sink(rw, launch, sunk))
        })
    }
}

/// Whether an operation costs less than an argument: copying it changes nothing.
fn is_beneficial(op: OpRef<'_>) -> bool {
    op.has_trait(Traits::CONSTANT_LIKE) || ["memref.dim", "arith.select", "arith.cmpi"].iter().any(|name| op.is(name))
}

/// What is sunk into a launch, each behind what it uses.
fn sunk(module: &Module, id: BodyId, launch: OpId) -> Result<Vec<OpId>> {
    let body = module.body(id)?;
    let Some(region) = body.regions(launch).next() else { return Ok(Vec::new()) };
    let captured = captured(body, region);
    let mut found = Sunk { known: captured.iter().copied().collect(), ..Sunk::default() };
    for &value in &captured {
        if let Some(op) = body.defining_operation(value) {
            found.look_at(body, op, |op| is_beneficial(OpRef::new(module, id, body, op)));
        }
    }
    Ok(found.order)
}

/// What was found to be sunk.
#[derive(Default)]
struct Sunk {
    /// What the launch uses.
    known: HashSet<Value>,
    ops: HashSet<OpId>,
    /// Operands whose definitions were looked at.
    tried: HashSet<(OpId, usize)>,
    order: Vec<OpId>,
}

impl Sunk {
    /// Finds out whether an operation can be sunk: all that it uses can be, or is used in the launch anyway.
    fn look_at(&mut self, body: &Body, op: OpId, is_beneficial: impl Fn(OpId) -> bool) {
        if self.ops.contains(&op) || !is_beneficial(op) {
            return;
        }
        // What is looked at because another one uses it, and which operand comes next.
        let mut stack = vec![(op, 0)];
        while let Some((op, at)) = stack.pop() {
            let Some(&operand) = body.operands(op).get(at) else {
                if self.ops.insert(op) {
                    self.order.push(op);
                }
                continue;
            };
            let definition = body.defining_operation(operand);
            if definition.is_some_and(|definition| self.ops.contains(&definition)) {
                stack.push((op, at + 1));
                continue;
            }
            match definition.filter(|&definition| is_beneficial(definition)) {
                // Met again, an operand whose definition is not sunk has to be used in the launch.
                Some(definition) if self.tried.insert((op, at)) => {
                    stack.push((op, at));
                    stack.push((definition, 0));
                }
                _ if self.known.contains(&operand) => stack.push((op, at + 1)),
                _ => {}
            }
        }
    }
}

fn sink(rw: &mut Rewriter<'_>, launch: OpId, sunk: Vec<OpId>) -> Result<()> {
    let region = rw.body().regions(launch).next();
    let Some(first) = region.and_then(|region| rw.body().first_block(region)) else { return Ok(()) };
    let inside: HashSet<OpId> = rw.body().preorder_of(launch).filter(|&op| op != launch).collect();
    rw.set_insertion_point_to_start(first)?;
    let mut map = ValueMap::default();
    for op in sunk {
        let copy = rw.clone_operation(op, &mut map)?;
        let pairs: Vec<(Value, Value)> = rw.body().results(op).zip(rw.body().results(copy)).collect();
        for (value, by) in pairs {
            rw.replace_uses_if(value, by, |_, use_| inside.contains(&use_.op))?;
        }
    }
    Ok(())
}
