//! Operations that do the same (`mlir/IR/OperationSupport.h`, `OperationEquivalence`).

use hashbrown::HashMap;

use mlirbc_ir::{BlockId, BodyId, OpId, OpRef, Result, Value};

use crate::classes::Classes;

/// Mixes words: what is hashed are numbers of this process.
#[derive(Clone, Copy, Default)]
pub(super) struct Words(u64);

impl Words {
    pub(super) fn push(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    /// With the bits mixed that a table uses.
    pub(super) fn finish(self) -> u64 {
        let hash = self.0 ^ self.0 >> 32;
        hash.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Finds operations equal and hashes them: names, attributes, properties, operands, types of results, and regions with all that
/// they hold; locations do not count.
#[derive(Debug, Default)]
pub(super) struct Equivalence {
    pub(super) classes: Classes,
    /// By operation of the body: what is in its regions.
    inside: Vec<u64>,
}

/// What of two operations is to be compared yet.
enum Step<'b> {
    Ops(OpRef<'b>, OpRef<'b>),
    Blocks((OpRef<'b>, BlockId), (OpRef<'b>, BlockId)),
    Successors(OpRef<'b>, OpRef<'b>),
}

/// What of the second operation stands for what of the first.
#[derive(Default)]
struct Mapping {
    values: HashMap<(BodyId, Value), Value>,
    blocks: HashMap<(BodyId, BlockId), BlockId>,
}

impl Mapping {
    fn is_same(&self, body: BodyId, left: Value, right: Value) -> bool {
        left == right || self.values.get(&(body, left)) == Some(&right)
    }

    /// Whether the operands are the same, one by one or, where they may change places, behind some that are so in another order.
    fn are_same(&self, body: BodyId, left: &[Value], right: &[Value], commutative: bool) -> bool {
        if left.len() != right.len() {
            return false;
        }
        let different = left.iter().zip(right).position(|(left, right)| !self.is_same(body, *left, *right));
        match different {
            None => true,
            Some(_) if !commutative => false,
            Some(at) => match (&left[at..], &right[at..]) {
                ([a, b], [c, d]) => a == d && b == c,
                (left, right) => {
                    let sorted = |values: &[Value]| {
                        let mut values = values.to_vec();
                        values.sort_unstable();
                        values
                    };
                    sorted(left) == sorted(right)
                }
            },
        }
    }
}

impl Equivalence {
    /// Hashes what is in the regions of the operations of a body, as a walk gives them. `top` is one of them.
    pub(super) fn enter<'b>(&mut self, top: OpRef<'b>, ops: &[OpId]) -> Result<()> {
        let body = top.body();
        self.inside.clear();
        if body.region_count() == body.top_regions().len() {
            return Ok(());
        }
        self.inside.resize(body.operation_count(), 0);
        for &op in ops.iter().rev() {
            if let Some(parent) = body.parent(op) {
                let mut words = Words(self.inside[parent.index()]);
                words.push(self.classes.of(top.at(op))?.number());
                words.push(self.inside[op.index()]);
                self.inside[parent.index()] = words.0;
            }
        }
        Ok(())
    }

    pub(super) fn hash(&mut self, op: OpRef<'_>) -> Result<u64> {
        let view = op.body().view(op.id());
        let class = self.classes.of(op)?;
        let mut words = Words::default();
        words.push(class.number());
        if class.commutative {
            // Whatever their order.
            let mix = |value: &Value| {
                let mut words = Words::default();
                words.push(value.index() as u64);
                words.finish()
            };
            words.push(view.operands().iter().map(mix).fold(0, u64::wrapping_add));
        } else {
            view.operands().iter().for_each(|value| words.push(value.index() as u64));
        }
        for ty in view.result_types() {
            words.push(u64::from(op.module().ty(ty)?.raw()));
        }
        if view.region_count() > 0 {
            words.push(self.inside.get(op.id().index()).copied().unwrap_or_default());
        }
        Ok(words.finish())
    }

    /// Whether two operations of one body do the same.
    pub(super) fn are_equivalent<'b>(&mut self, left: OpRef<'b>, right: OpRef<'b>) -> Result<bool> {
        if left.id() == right.id() {
            return Ok(true);
        }
        let mut mapping = Mapping::default();
        let mut steps = vec![Step::Ops(left, right)];
        while let Some(step) = steps.pop() {
            let same = match step {
                Step::Ops(left, right) => self.ops(left, right, &mut mapping, &mut steps)?,
                Step::Blocks(left, right) => blocks(left, right, &mut mapping, &mut steps)?,
                Step::Successors(left, right) => successors(left, right, &mut mapping),
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Compares all of two operations but for their regions, which come next.
    fn ops<'b>(
        &mut self,
        left: OpRef<'b>,
        right: OpRef<'b>,
        mapping: &mut Mapping,
        steps: &mut Vec<Step<'b>>,
    ) -> Result<bool> {
        let class = self.classes.of(left)?;
        let (l, r) = (left.body().view(left.id()), right.body().view(right.id()));
        if class != self.classes.of(right)?
            || l.region_count() != r.region_count()
            || l.successors().len() != r.successors().len()
            || l.results().len() != r.results().len()
            || !mapping.are_same(left.body_id(), l.operands(), r.operands(), class.commutative)
        {
            return Ok(false);
        }
        for (left_type, right_type) in l.result_types().zip(r.result_types()) {
            if left_type != right_type && left.module().ty(left_type)? != right.module().ty(right_type)? {
                return Ok(false);
            }
        }
        if l.region_count() == 0 && steps.is_empty() && mapping.values.is_empty() {
            return Ok(true);
        }
        mapping.values.extend(l.results().map(|value| (left.body_id(), value)).zip(r.results()));
        if !l.successors().is_empty() {
            steps.push(Step::Successors(left, right));
        }
        if l.region_count() > 0 {
            return regions(left, right, steps);
        }
        Ok(true)
    }
}

/// Compares how many blocks the regions of two operations have. The blocks come next, the first one first.
fn regions<'b>(left: OpRef<'b>, right: OpRef<'b>, steps: &mut Vec<Step<'b>>) -> Result<bool> {
    let inside = |op: OpRef<'b>| -> Result<Vec<Vec<(OpRef<'b>, BlockId)>>> {
        let (id, body, regions) = op.region_tree()?;
        let inner = OpRef::new(op.module(), id, body, op.id());
        Ok(regions.into_iter().map(|region| body.blocks(region).map(|block| (inner, block)).collect()).collect())
    };
    let (left, right) = (inside(left)?, inside(right)?);
    if left.iter().map(Vec::len).ne(right.iter().map(Vec::len)) {
        return Ok(false);
    }
    let pairs = left.into_iter().flatten().zip(right.into_iter().flatten());
    let mut pairs: Vec<_> = pairs.map(|(left, right)| Step::Blocks(left, right)).collect();
    pairs.reverse();
    steps.append(&mut pairs);
    Ok(true)
}

/// Compares the arguments of two blocks. Their operations come next, the first one first.
fn blocks<'b>(
    (left, left_block): (OpRef<'b>, BlockId),
    (right, right_block): (OpRef<'b>, BlockId),
    mapping: &mut Mapping,
    steps: &mut Vec<Step<'b>>,
) -> Result<bool> {
    let (l, r) = (left.body().arguments(left_block), right.body().arguments(right_block));
    let known = *mapping.blocks.entry((left.body_id(), left_block)).or_insert(right_block);
    if l.len() != r.len() || known != right_block {
        return Ok(false);
    }
    for (&l, &r) in l.iter().zip(r) {
        if left.type_of(l)? != right.type_of(r)? {
            return Ok(false);
        }
        mapping.values.insert((left.body_id(), l), r);
    }
    let (mut l, mut r) = (left.body().operations(left_block), right.body().operations(right_block));
    let first = steps.len();
    loop {
        match (l.next(), r.next()) {
            (Some(l), Some(r)) => steps.push(Step::Ops(left.at(l), right.at(r))),
            (None, None) => break,
            _ => return Ok(false),
        }
    }
    steps[first..].reverse();
    Ok(true)
}

/// Whether two operations go on to blocks that stand for each other.
fn successors(left: OpRef<'_>, right: OpRef<'_>, mapping: &mut Mapping) -> bool {
    let (l, r) = (left.body().successors(left.id()), right.body().successors(right.id()));
    l.iter().zip(r).all(|(&l, &r)| *mapping.blocks.entry((left.body_id(), l)).or_insert(r) == r)
}
