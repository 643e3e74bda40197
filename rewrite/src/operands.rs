//! Operands taken from groups, with the attributes that say how long the groups are.

use mlirbc_ir::ods::{Multiplicity, Traits};
use mlirbc_ir::{AttributeData, Error, OpId, Result, Rewriter, Value};

/// The attribute that says how many operands each group has.
const SEGMENTS: &str = "operandSegmentSizes";

/// Takes operands of these numbers from an operation, and says so in the attributes that divide its operands into groups.
///
/// # Errors
/// Where there is no such operand, or these attributes cannot be read.
pub fn erase_operands(rw: &mut Rewriter<'_>, op: OpId, numbers: &[usize]) -> Result<()> {
    if numbers.is_empty() {
        return Ok(());
    }
    let count = rw.body().operands(op).len();
    if numbers.iter().any(|&number| number >= count) {
        return Err(Error::misuse("the operation has no such operand"));
    }
    let goes = |number: usize| numbers.contains(&number);
    let mut attributes: Vec<(String, Vec<i32>)> = Vec::new();
    if let Some(definition) = rw.op(op).definition() {
        let ranges = rw.op(op).operand_ranges()?;
        let left = |range: std::ops::Range<usize>| range.filter(|&number| !goes(number)).count() as i32;
        if definition.traits.contains(Traits::OPERAND_SEGMENTS) {
            attributes.push((SEGMENTS.to_owned(), ranges.iter().cloned().map(left).collect()));
        }
        for (operand, range) in definition.operands().iter().zip(&ranges) {
            if let Multiplicity::Groups(name) = &operand.multiplicity
                && let Some(sizes) = sizes(rw, op, name)?
            {
                let mut start = range.start;
                let mut lengths = Vec::with_capacity(sizes.len());
                for size in sizes {
                    let end = start.saturating_add(usize::try_from(size).unwrap_or(0)).min(range.end);
                    lengths.push(left(start..end));
                    start = end;
                }
                attributes.push((name.clone(), lengths));
            }
        }
    }
    let kept: Vec<Value> = rw
        .body()
        .operands(op)
        .iter()
        .copied()
        .enumerate()
        .filter(|&(number, _)| !goes(number))
        .map(|(_, value)| value)
        .collect();
    rw.modify(op, |rw| {
        rw.set_operands(op, &kept)?;
        for (name, sizes) in attributes {
            set_sizes(rw, op, &name, &sizes)?;
        }
        Ok(())
    })
}

/// Sets an attribute `array<i32: ...>`.
///
/// # Errors
/// As [`Rewriter::set_attribute`].
pub fn set_sizes(rw: &mut Rewriter<'_>, op: OpId, name: &str, sizes: &[i32]) -> Result<()> {
    let context = rw.context();
    let data: Vec<u8> = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
    let sizes = AttributeData::DenseArray { element: context.integer_type(32), data: data.into() };
    rw.set_attribute(op, name, context.attribute(sizes))
}

/// The numbers of an attribute `array<i32: ...>`.
fn sizes(rw: &Rewriter<'_>, op: OpId, name: &str) -> Result<Option<Vec<i32>>> {
    let context = rw.context();
    let Some(attribute) = rw.op(op).attribute(name)? else { return Ok(None) };
    let AttributeData::DenseArray { element, data } = &context[attribute] else { return Ok(None) };
    if *element != context.integer_type(32) {
        return Ok(None);
    }
    Ok(Some(data.as_chunks::<4>().0.iter().map(|size| i32::from_le_bytes(*size)).collect()))
}
