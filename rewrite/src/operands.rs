//! Operands taken from groups and put into them, with the attributes that say how long the groups are.

use std::ops::Range;

use mlirbc_ir::interfaces::{OperandGroup, all_successor_operands};
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
    let mut stays = vec![true; rw.body().operands(op).len()];
    for &number in numbers {
        *stays.get_mut(number).ok_or_else(|| Error::misuse("the operation has no such operand"))? = false;
    }
    let kept = rw.body().operands(op).iter().zip(&stays).filter(|of| *of.1).map(|of| *of.0).collect();
    set_grouped(rw, op, kept, |_, range| stays[range].iter().filter(|&&stays| stays).count())
}

/// Hands more operands to successors of a branch, each behind those that it gets already, and says so in the attributes that divide its
/// operands into groups. No successor is named twice, and each has operands of its own.
///
/// # Errors
/// Where it is not known what one of the successors gets, or these attributes cannot be read.
pub fn append_successor_operands(rw: &mut Rewriter<'_>, branch: OpId, more: &[(usize, &[Value])]) -> Result<()> {
    let handed = all_successor_operands(rw.op(branch))?;
    let mut places = Vec::with_capacity(more.len());
    for &(successor, values) in more {
        let handed = handed.get(successor).and_then(Option::as_ref);
        let handed = handed.ok_or_else(|| Error::misuse("what the branch hands to its successor is not known"))?;
        places.push((handed.forwarded.end, handed.group, values));
    }
    // One group may end where others begin and end.
    places.sort_by_key(|&(end, group, _)| (end, group));
    let old = rw.body().operands(branch);
    let mut operands = Vec::with_capacity(old.len() + more.iter().map(|(_, values)| values.len()).sum::<usize>());
    let mut start = 0;
    for &(end, _, values) in &places {
        operands.extend_from_slice(old.get(start..end).ok_or_else(|| Error::misuse("the branch has no such operand"))?);
        operands.extend_from_slice(values);
        start = end;
    }
    operands.extend_from_slice(&old[start..]);
    let mut longer: Vec<(OperandGroup, usize)> =
        places.iter().filter_map(|&(_, group, values)| Some((group?, values.len()))).collect();
    longer.sort_unstable();
    set_grouped(rw, branch, operands, |group, range| {
        let from = longer.partition_point(|&(other, _)| other < group);
        let is_in = |other: OperandGroup| other == group || group.part.is_none() && other.operand == group.operand;
        let more = longer[from..].iter().take_while(|&&(other, _)| is_in(other)).map(|&(_, more)| more);
        range.len() + more.sum::<usize>()
    })
}

/// Sets the operands, and the attributes that say how long groups are: `length` says it of a group, whose operands were these.
fn set_grouped(
    rw: &mut Rewriter<'_>,
    op: OpId,
    operands: Vec<Value>,
    length: impl Fn(OperandGroup, Range<usize>) -> usize,
) -> Result<()> {
    let mut attributes: Vec<(String, Vec<i32>)> = Vec::new();
    if let Some(definition) = rw.op(op).definition() {
        let ranges = rw.op(op).operand_ranges()?;
        if definition.traits.contains(Traits::OPERAND_SEGMENTS) {
            let groups = ranges.iter().cloned().enumerate();
            let length = |(operand, range)| length(OperandGroup { operand, part: None }, range) as i32;
            attributes.push((SEGMENTS.to_owned(), groups.map(length).collect()));
        }
        for (operand, (defined, range)) in definition.operands().iter().zip(&ranges).enumerate() {
            if let Multiplicity::Groups(name) = &defined.multiplicity
                && let Some(sizes) = sizes(rw, op, name)?
            {
                let mut start = range.start;
                let mut lengths = Vec::with_capacity(sizes.len());
                for (part, size) in sizes.into_iter().enumerate() {
                    let end = start.saturating_add(usize::try_from(size).unwrap_or(0)).min(range.end);
                    lengths.push(length(OperandGroup { operand, part: Some(part) }, start..end) as i32);
                    start = end;
                }
                attributes.push((name.clone(), lengths));
            }
        }
    }
    rw.modify(op, |rw| {
        rw.set_operands(op, &operands)?;
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
pub(crate) fn set_sizes(rw: &mut Rewriter<'_>, op: OpId, name: &str, sizes: &[i32]) -> Result<()> {
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
