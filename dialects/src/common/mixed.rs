//! Offsets, sizes and strides of which some are numbers and the others values (`mlir/Interfaces/ViewLikeInterface.h`).

pub(crate) use mlirbc_ir::interfaces::Mixed;
use mlirbc_ir::interfaces::constant_integer;
use mlirbc_ir::text::integers;
use mlirbc_ir::{Attribute, AttributeData, Context, DYNAMIC, OpRef, Result, Value};

/// The numbers, where all of it is numbers.
pub(crate) fn only_numbers(mixed: &[Mixed]) -> Option<Vec<i64>> {
    let numbers = mixed.iter().map(|one| match one {
        Mixed::Number(number) => Some(*number),
        Mixed::Value(_) => None,
    });
    numbers.collect()
}

/// The integer that a value of the body of `op` is, read with a sign.
pub(crate) fn constant_index(op: OpRef<'_>, value: Value) -> Option<i64> {
    constant_integer(op, value)?.to_i64()
}

/// What the attribute of that name and the operands of that name say together. `None` where they do not fit together.
pub(crate) fn mixed(op: OpRef<'_>, numbers: &str, values: &str) -> Result<Option<Vec<Mixed>>> {
    let Some(numbers) = op.attribute(numbers)?.and_then(|numbers| integers(op.module().context(), numbers)) else {
        return Ok(None);
    };
    let mut values = op.operands_named(values)?.iter().copied();
    let mixed = numbers.into_iter().map(|number| match number {
        DYNAMIC => values.next().map(Mixed::Value),
        number => Some(Mixed::Number(number)),
    });
    let mixed: Option<Vec<Mixed>> = mixed.collect();
    Ok(mixed.filter(|_| values.next().is_none()))
}

/// The attribute with those that are numbers, and those that are values.
pub(crate) fn apart(context: &Context, mixed: &[Mixed]) -> (Attribute, Vec<Value>) {
    let mut values = Vec::new();
    let numbers = mixed.iter().map(|mixed| match *mixed {
        Mixed::Number(number) => number,
        Mixed::Value(value) => {
            values.push(value);
            DYNAMIC
        }
    });
    let numbers: Vec<i64> = numbers.collect();
    (i64_array(context, &numbers), values)
}

/// `array<i64: ...>`
pub(crate) fn i64_array(context: &Context, numbers: &[i64]) -> Attribute {
    let data: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    context.attribute(AttributeData::DenseArray { element: context.integer_type(64), data: data.into() })
}

/// The parts of what an operation takes out of something, or puts into it: one of each a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    pub(crate) offsets: Vec<Mixed>,
    pub(crate) sizes: Vec<Mixed>,
    pub(crate) strides: Vec<Mixed>,
}

impl Slice {
    /// Those of an operation. `None` where attributes and operands do not fit together.
    pub(crate) fn of(op: OpRef<'_>) -> Result<Option<Self>> {
        let offsets = mixed(op, "static_offsets", "offsets")?;
        let sizes = mixed(op, "static_sizes", "sizes")?;
        let strides = mixed(op, "static_strides", "strides")?;
        let (Some(offsets), Some(sizes), Some(strides)) = (offsets, sizes, strides) else { return Ok(None) };
        Ok(Some(Slice { offsets, sizes, strides }))
    }

    /// Whether it begins at the beginning, and goes on step by step.
    pub(crate) fn is_from_start(&self, op: OpRef<'_>) -> bool {
        self.offsets.iter().all(|offset| offset.is(op, 0)) && self.strides.iter().all(|stride| stride.is(op, 1))
    }

    /// Whether it is all of that shape, as far as that has dimensions.
    pub(crate) fn is_all_of(&self, op: OpRef<'_>, shape: &[i64]) -> bool {
        self.is_from_start(op) && self.sizes.iter().zip(shape).all(|(size, &of)| of != DYNAMIC && size.is(op, of))
    }
}
