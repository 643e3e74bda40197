//! What operations may be executed where they were not going to be, alike in several dialects.

use mlirbc_ir::interfaces::{Loop, LoopBound, Speculatable, Speculation, constant_integer};
use mlirbc_ir::{OpRef, Result, TypeData};

use super::mixed::constant_index;

/// It may where that holds.
pub(crate) fn always_if(holds: bool) -> Speculation {
    if holds { Speculation::Always } else { Speculation::Never }
}

/// Divides its first operand by the second: by zero that is undefined, and with signs by minus one, too.
#[derive(Clone, Copy)]
pub(crate) enum Division {
    Signed,
    Unsigned,
}

impl Speculatable for Division {
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation> {
        let divisor = op.operands().get(1).and_then(|&divisor| constant_integer(op, divisor));
        Ok(always_if(divisor.is_some_and(|divisor| match self {
            Division::Signed => !divisor.is_zero() && !divisor.is_all_ones(),
            Division::Unsigned => !divisor.is_zero(),
        })))
    }
}

/// Asks for the dimension of its first operand that its second one says: there has to be one.
pub(crate) struct Dimension;

impl Speculatable for Dimension {
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation> {
        let &[of, number] = op.operands() else { return Ok(Speculation::Never) };
        let shape = match &op.module().context()[op.type_of(of)?] {
            TypeData::MemRef { shape, .. } | TypeData::RankedTensor { shape, .. } => shape,
            _ => return Ok(Speculation::Never),
        };
        let number = constant_index(op, number).and_then(|number| usize::try_from(number).ok());
        Ok(always_if(number.is_some_and(|number| number < shape.len())))
    }
}

/// A loop that goes on by one ends, wherever it begins and ends: with another step it may go beyond the last number.
pub(crate) struct StepOfOne;

impl Speculatable for StepOfOne {
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation> {
        let Some(steps) = op.interface::<dyn Loop>() else { return Ok(Speculation::Never) };
        let steps = steps.bounds(op, LoopBound::Step)?;
        let ends = steps.is_some_and(|steps| steps.iter().all(|step| step.is(op, 1)));
        Ok(if ends { Speculation::WithWhatItHolds } else { Speculation::Never })
    }
}

/// May so far where it works on tensors. What works on memory may not.
pub(crate) struct OnTensors(pub(crate) Speculation);

impl Speculatable for OnTensors {
    fn speculation(&self, op: OpRef<'_>) -> Result<Speculation> {
        Ok(if on_tensors(op)? { self.0 } else { Speculation::Never })
    }
}

/// Whether no operand stands for memory, and one is a tensor.
fn on_tensors(op: OpRef<'_>) -> Result<bool> {
    let context = op.module().context();
    let mut any = false;
    for &operand in op.operands() {
        match &context[op.type_of(operand)?] {
            TypeData::MemRef { .. } | TypeData::UnrankedMemRef { .. } => return Ok(false),
            TypeData::RankedTensor { .. } | TypeData::UnrankedTensor(_) => any = true,
            _ => {}
        }
    }
    Ok(any)
}
