//! What checks have in common: an operation with its types, and when types and shapes fit.

use mlirbc_ir::text::integers;
use mlirbc_ir::{
    Attribute, AttributeData, Context, DYNAMIC, Error, Numbers, OpRef, RegionId, Result, Type, TypeData, Value,
};

pub(super) fn wrong<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::verification(message))
}

/// Fails with that message where something does not hold.
pub(super) fn must(holds: bool, message: &str) -> Result<()> {
    if holds { Ok(()) } else { wrong(message) }
}

/// An operation with the types of its operands and results.
pub(super) struct Shaped<'m> {
    pub(super) op: OpRef<'m>,
    pub(super) context: &'m Context,
    pub(super) operands: Vec<Type>,
    pub(super) results: Vec<Type>,
}

impl<'m> Shaped<'m> {
    pub(super) fn of(op: OpRef<'m>) -> Result<Self> {
        let types = |values: &mut dyn Iterator<Item = _>| values.map(|value| op.type_of(value)).collect::<Result<_>>();
        Ok(Shaped {
            op,
            context: op.module().context(),
            operands: types(&mut op.operands().iter().copied())?,
            results: types(&mut op.results())?,
        })
    }

    /// The shape of a type, where it says one.
    pub(super) fn shape(&self, ty: Option<&Type>) -> Option<&'m [i64]> {
        match &self.context[*ty?] {
            TypeData::RankedTensor { shape, .. } => Some(shape),
            _ => None,
        }
    }

    pub(super) fn operand(&self, number: usize) -> Option<&'m [i64]> {
        self.shape(self.operands.get(number))
    }

    pub(super) fn result(&self) -> Option<&'m [i64]> {
        self.shape(self.results.first())
    }

    /// Numbers that the operation has under that name.
    pub(super) fn numbers(&self, name: &str) -> Result<Option<Vec<i64>>> {
        let attribute = self.op.attribute(name)?;
        Ok(attribute.and_then(|attribute| integers(self.context, attribute)))
    }

    /// One number.
    pub(super) fn number(&self, name: &str) -> Result<Option<i64>> {
        let attribute = self.op.attribute(name)?;
        Ok(attribute.and_then(|attribute| self.context.integer_of(attribute)?.to_i64()))
    }

    /// Whether an attribute of that name is there and not `false`.
    pub(super) fn flag(&self, name: &str) -> Result<bool> {
        let Some(attribute) = self.op.attribute(name)? else { return Ok(false) };
        Ok(self.context.integer_of(attribute).is_none_or(|value| value.to_i64() != Some(0)))
    }

    /// What an array holds.
    pub(super) fn list(&self, array: Attribute) -> Option<&'m [Attribute]> {
        match &self.context[array] {
            AttributeData::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The integers of the dense elements of that name, with their shape.
    pub(super) fn grid(&self, name: &str) -> Result<Option<Grid<'m>>> {
        Ok(self.op.attribute(name)?.and_then(|attribute| Grid::of(self.context, attribute)))
    }

    /// What an operand holds, where a constant gives it.
    pub(super) fn held(&self, operand: usize) -> Result<Option<Vec<i64>>> {
        let Some(&value) = self.op.operands().get(operand) else { return Ok(None) };
        let Some(maker) = self.op.defining_operation(value) else { return Ok(None) };
        if !maker.is("stablehlo.constant") && !maker.is("arith.constant") {
            return Ok(None);
        }
        let held = maker.attribute("value")?.and_then(|held| Grid::of(self.context, held));
        Ok(held.map(|held| held.numbers))
    }

    /// The type of the elements of an operand that is a tensor.
    pub(super) fn element(&self, operand: usize) -> Option<Type> {
        self.context[*self.operands.get(operand)?].element()
    }

    /// A tensor of that type without dimensions.
    pub(super) fn scalar(&self, element: Type) -> Type {
        self.context.ty(TypeData::RankedTensor { shape: Box::default(), element, encoding: None })
    }

    /// Whether types of elements are the same, or numbers of floating point both.
    pub(super) fn alike(&self, left: Type, right: Type) -> bool {
        let is_float = |ty: Type| matches!(self.context[ty], TypeData::Float(_));
        left == right || is_float(left) && is_float(right) || self.is_other(left) || self.is_other(right)
    }

    /// Whether it is no type of `builtin`, such as that of quantised numbers: what it stands for is not looked at.
    pub(super) fn is_other(&self, ty: Type) -> bool {
        matches!(self.context[ty], TypeData::Dialect(_) | TypeData::Text { .. })
    }

    /// Whether types are the same, but for sizes that one says and the other does not.
    pub(super) fn fits(&self, left: Type, right: Type) -> bool {
        left == right || self.elements_fit(left, right) && shapes_fit(self.shape(Some(&left)), self.shape(Some(&right)))
    }

    /// Whether two tensors have elements of one type. What is quantised stands for what is not.
    pub(super) fn elements_fit(&self, left: Type, right: Type) -> bool {
        match (self.context[left].element(), self.context[right].element()) {
            (Some(left), Some(right)) => left == right || self.is_other(left) || self.is_other(right),
            (None, None) => self.others_fit(left, right),
            _ => false,
        }
    }

    /// The same of what is no tensor.
    pub(super) fn others_fit(&self, left: Type, right: Type) -> bool {
        match (&self.context[left], &self.context[right]) {
            (TypeData::Tuple(left), TypeData::Tuple(right)) => {
                left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| self.fits(left, right))
            }
            _ => left == right,
        }
    }

    /// The result is of the type of that operand.
    pub(super) fn gives_what_it_is_given(&self, operand: usize) -> Result<()> {
        let (Some(&from), Some(&result)) = (self.operands.get(operand), self.results.first()) else { return Ok(()) };
        must(self.fits(from, result), "its result is of another type than its operand")
    }

    /// The result has elements of that type.
    pub(super) fn gives_elements(&self, result: usize, element: Type) -> Result<()> {
        let found = self.results.get(result).and_then(|&ty| self.context[ty].element());
        must(
            found.is_none_or(|found| found == element || self.is_other(found) || self.is_other(element)),
            "its result has other elements than what it computes",
        )
    }

    /// The result has that shape.
    pub(super) fn gives(&self, shape: &[i64]) -> Result<()> {
        must(shapes_fit(self.result(), Some(shape)), "its result has another shape than what it computes")
    }

    /// Those operands and the result have elements of one type.
    pub(super) fn keeps_elements(&self, operands: &[usize]) -> Result<()> {
        let Some(&result) = self.results.first() else { return Ok(()) };
        let mut all = operands.iter().filter_map(|&at| self.operands.get(at));
        must(all.all(|&ty| self.elements_fit(ty, result)), "its result has other elements than what it is given")
    }
}

/// Integers with a shape.
pub(super) struct Grid<'m> {
    pub(super) shape: &'m [i64],
    pub(super) numbers: Vec<i64>,
}

impl<'m> Grid<'m> {
    /// How many numbers are looked at: what has more is taken to be right.
    const MOST: u64 = 1 << 16;

    fn of(context: &'m Context, attribute: Attribute) -> Option<Self> {
        let numbers = Numbers::of(context, attribute).filter(|numbers| numbers.count <= Self::MOST)?;
        if numbers.float_kind().is_some() {
            return None;
        }
        let all = (0..numbers.count).map(|at| numbers.get(at).to_i64()).collect::<Option<_>>()?;
        Some(Grid { shape: context[numbers.ty].shape()?, numbers: all })
    }

    /// Its numbers in pairs, where it is as many rows of two.
    pub(super) fn pairs(&self) -> Option<Vec<[i64; 2]>> {
        matches!(self.shape, [_, 2]).then(|| self.numbers.as_chunks::<2>().0.to_vec())
    }
}

/// Whether two sizes may be the same.
pub(super) fn sizes_fit(left: i64, right: i64) -> bool {
    left == right || left == DYNAMIC || right == DYNAMIC
}

pub(super) fn shapes_fit(left: Option<&[i64]>, right: Option<&[i64]>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return true };
    left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| sizes_fit(left, right))
}

/// Whether all are dimensions of so many, none of them twice.
pub(super) fn are_dimensions(dimensions: &[i64], rank: usize) -> bool {
    let mut seen = vec![false; rank];
    let first = |&dimension: &i64| {
        let place = usize::try_from(dimension).ok().and_then(|at| seen.get_mut(at));
        place.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    dimensions.iter().all(first)
}

/// The sizes of the dimensions that are not among these.
pub(super) fn without(shape: &[i64], dimensions: &[&[i64]]) -> Vec<i64> {
    let is_named = |at: usize| dimensions.iter().any(|dimensions| dimensions.contains(&(at as i64)));
    shape.iter().enumerate().filter(|&(at, _)| !is_named(at)).map(|(_, &size)| size).collect()
}

/// The size of a dimension that there is.
pub(super) fn size(shape: &[i64], dimension: i64) -> i64 {
    usize::try_from(dimension).ok().and_then(|at| shape.get(at)).copied().unwrap_or(DYNAMIC)
}

/// The first block of a region.
pub(super) struct First {
    /// The types of its arguments.
    pub(super) arguments: Vec<Type>,
    /// The types of what its last operation is given, where there is one.
    pub(super) given: Option<Vec<Type>>,
}

/// The first block of a region, where there is one.
pub(super) fn first_block(op: OpRef<'_>, region: RegionId) -> Result<Option<First>> {
    let (_, body, _) = op.region_tree()?;
    let Some(block) = body.first_block(region) else { return Ok(None) };
    let types = |values: &[Value]| values.iter().map(|&value| op.module().ty(body.ty(value))).collect::<Result<_>>();
    let given = body.last_operation(block).map(|last| types(body.operands(last))).transpose()?;
    Ok(Some(First { arguments: types(body.arguments(block))?, given }))
}

pub(super) fn all_fit(op: &Shaped<'_>, left: &[Type], right: &[Type]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(&left, &right)| op.fits(left, right))
}
