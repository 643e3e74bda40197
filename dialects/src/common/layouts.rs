//! Where elements of a memref stand: offset and strides (`MemRefType::getStridesAndOffset` of MLIR).

use mlirbc_ir::affine::{AffineExpression, AffineMap, AffineOperator};
use mlirbc_ir::{AttributeData, Context, DYNAMIC, Type, TypeData};

/// Where elements of a memref stand, [`DYNAMIC`] where that is not known (`MemRefType::getStridesAndOffset` of MLIR).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strides {
    /// From an element to the next one, in elements, one a dimension.
    pub strides: Vec<i64>,
    /// Where the first one stands, in elements.
    pub offset: i64,
}

impl Strides {
    /// Those of a memref. `None` of other types, and where its layout has none, or none that can be told.
    pub fn of(context: &Context, ty: Type) -> Option<Strides> {
        let TypeData::MemRef { shape, layout, .. } = &context[ty] else { return None };
        match &context[*layout] {
            AttributeData::StridedLayout { strides, offset } if strides.len() == shape.len() => {
                Some(Strides { strides: strides.to_vec(), offset: *offset })
            }
            AttributeData::AffineMap(map) if map.dimensions as usize != shape.len() => None,
            AttributeData::AffineMap(map) if map.is_identity() => Self::one_after_the_other(shape),
            AttributeData::AffineMap(map) => Self::of_map(map),
            _ => None,
        }
    }

    /// Elements that stand one after the other, the last dimension first.
    fn one_after_the_other(shape: &[i64]) -> Option<Strides> {
        if shape.contains(&0) {
            return Some(Strides { strides: vec![0; shape.len()], offset: 0 });
        }
        let mut strides = vec![0; shape.len()];
        let mut next = 1;
        for (stride, &size) in strides.iter_mut().zip(shape).rev() {
            *stride = next;
            next = if size == DYNAMIC || next == DYNAMIC { DYNAMIC } else { next.checked_mul(size)? };
        }
        Some(Strides { strides, offset: 0 })
    }

    fn of_map(map: &AffineMap) -> Option<Strides> {
        /// How deep expressions may be.
        const DEPTH: u32 = 64;
        let [expression] = &*map.results else { return None };
        if expression.depth() > DEPTH {
            return None;
        }
        let mut sum = Strides { strides: vec![0; map.dimensions as usize], offset: 0 };
        sum.add(expression, 1)?;
        Some(sum)
    }

    /// Adds an expression that many times.
    fn add(&mut self, expression: &AffineExpression, times: i64) -> Option<()> {
        let place = match expression {
            AffineExpression::Dimension(number) => self.strides.get_mut(*number as usize)?,
            AffineExpression::Symbol(_) | AffineExpression::Constant(_) => &mut self.offset,
            AffineExpression::Binary(AffineOperator::Add, sides) => {
                self.add(&sides.0, times)?;
                return self.add(&sides.1, times);
            }
            AffineExpression::Binary(AffineOperator::Mul, sides) => {
                let (of, by) =
                    if sides.1.is_symbolic_or_constant() { (&sides.0, &sides.1) } else { (&sides.1, &sides.0) };
                let by = match by {
                    AffineExpression::Constant(by) => *by,
                    by if by.is_symbolic_or_constant() => DYNAMIC,
                    _ => return None,
                };
                return self.add(of, product(times, by)?);
            }
            AffineExpression::Binary(..) => return None,
        };
        let by = match expression {
            AffineExpression::Symbol(_) => DYNAMIC,
            AffineExpression::Constant(number) => product(times, *number)?,
            _ => times,
        };
        *place = sum(*place, by)?;
        Some(())
    }
}

/// The product of two numbers that may not be known. `None` where it does not fit.
pub(crate) fn product(a: i64, b: i64) -> Option<i64> {
    if a == DYNAMIC || b == DYNAMIC { Some(DYNAMIC) } else { a.checked_mul(b).filter(|&of| of != DYNAMIC) }
}

/// The sum of two numbers that may not be known. `None` where it does not fit.
pub(crate) fn sum(a: i64, b: i64) -> Option<i64> {
    if a == DYNAMIC || b == DYNAMIC { Some(DYNAMIC) } else { a.checked_add(b).filter(|&of| of != DYNAMIC) }
}

/// The size of a dimension. `None` where the type has none of that number, or no rank.
pub(crate) fn size(context: &Context, ty: Type, dimension: i64) -> Option<i64> {
    context[ty].shape()?.get(usize::try_from(dimension).ok()?).copied()
}

/// Which of the sizes that are not known the dimension of that number is.
pub(crate) fn dynamic_place(shape: &[i64], dimension: usize) -> usize {
    shape.iter().take(dimension).filter(|&&size| size == DYNAMIC).count()
}

/// Whether every size is known.
pub(crate) fn is_static(context: &Context, ty: Type) -> bool {
    context[ty].shape().is_some_and(|shape| !shape.contains(&DYNAMIC))
}
