//! How many operands and results an operation has, in one word.

use super::*;

/// The numbers of operands and results; or the tail that has them, where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape(u32);

impl Shape {
    /// Neither operands nor results.
    pub(super) const EMPTY: Shape = Shape(0);
    /// The number below is that of a tail.
    const TAIL: u32 = 1 << 31;
    /// Above so many bits for the results are those for the operands.
    const BITS: u32 = 16;

    /// So many; none where the word has no room for that.
    #[inline]
    fn of(operands: usize, results: usize) -> Option<Shape> {
        let fits = operands < (Self::TAIL >> Self::BITS) as usize && results < 1 << Self::BITS;
        fits.then_some(Shape((operands as u32) << Self::BITS | results as u32))
    }

    /// As the tail says.
    pub(super) fn in_tail(tail: TailId) -> Shape {
        Shape(tail.index() as u32 | Self::TAIL)
    }

    #[inline]
    pub(super) fn tail(self) -> Option<TailId> {
        (self.0 & Self::TAIL != 0).then(|| TailId::from_index((self.0 & !Self::TAIL) as usize))
    }

    /// The number of operands; none where the tail has it.
    #[inline]
    pub(super) fn operands(self) -> Option<u16> {
        (self.0 & Self::TAIL == 0).then_some((self.0 >> Self::BITS) as u16)
    }

    /// The number of results; none where the tail has it.
    #[inline]
    pub(super) fn results(self) -> Option<u16> {
        (self.0 & Self::TAIL == 0).then_some(self.0 as u16)
    }
}

impl Body {
    /// Says how many operands and results the operation has.
    #[inline]
    pub(super) fn set_counts(&mut self, op: OpId, operands: usize, results: usize) {
        let record = &mut self.operations[op.index()];
        match Shape::of(operands, results) {
            Some(shape) if record.shape.tail().is_none() => record.shape = shape,
            _ => self.set_counts_in_tail(op, operands, results),
        }
    }

    #[cold]
    fn set_counts_in_tail(&mut self, op: OpId, operands: usize, results: usize) {
        let tail = self.tail_mut(op);
        (tail.operand_count, tail.result_count) = (operands as u32, results as u32);
    }

    /// The operation's tail, made where it has none.
    pub(super) fn tail_mut(&mut self, op: OpId) -> &mut Tail {
        let shape = &mut self.operations[op.index()].shape;
        let tail = match shape.tail() {
            Some(tail) => tail,
            None => {
                if self.tails.is_empty() {
                    // Most bodies have one.
                    self.tails.reserve_exact(1);
                }
                let count = |count: Option<u16>| count.unwrap_or(0).into();
                let (operand_count, result_count) = (count(shape.operands()), count(shape.results()));
                self.tails.push(Tail { operand_count, result_count, ..Tail::default() });
                let tail = TailId::from_index(self.tails.len() - 1);
                *shape = Shape::in_tail(tail);
                tail
            }
        };
        &mut self.tails[tail.index()]
    }
}

#[cfg(test)]
mod tests {
    use crate::body::{Body, OpId, OperationSpec, TypeRef, Value};
    use crate::context::Context;
    use crate::types::TypeData;

    #[test]
    fn counts_of_every_size_are_said() {
        let context = Context::new();
        let ty = TypeRef::from(context.ty(TypeData::Index));
        let mut body = Body::new(0);
        let name = context.operation_name("toy.op", false);
        let spec = OperationSpec::new(name, context.unknown_location().into());
        let counts = [0, 1, (1 << 15) - 1, 1 << 15, (1 << 16) - 1, 1 << 16, 70_000];
        let values = body.create(&OperationSpec { results: &[ty; 70_000], ..spec.clone() }).expect("an operation");
        let values: Vec<Value> = body.results(values).collect();
        let said = |body: &Body, op: OpId| (body.operands(op).len(), body.results(op).len());
        assert_eq!(said(&body, OpId::from_index(0)), (0, 70_000));
        for operands in counts {
            for results in counts {
                let types = vec![ty; results];
                let spec = OperationSpec { operands: &values[..operands], results: &types, ..spec.clone() };
                let op = body.create(&spec).expect("an operation");
                assert_eq!(said(&body, op), (operands, results));
                for operands in counts {
                    body.set_operands(op, &values[..operands]).expect("values of the body");
                    assert_eq!(said(&body, op), (operands, results));
                }
            }
        }
    }
}
