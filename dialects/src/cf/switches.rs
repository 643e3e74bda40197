//! Canonicalisation of `cf.switch`.

use std::collections::HashSet;

use mlirbc_ir::number::ApInt;
use mlirbc_ir::{Attribute, AttributeData, Context, Dialect, Numbers, OpId, Rewriter, Type, TypeData, Value};
use mlirbc_rewrite::{AnyPattern, DialectRewrite, Match, NoMatch, Outcome};

use super::branches::{Way, operand};

/// Attaches it to the dialect.
pub(super) fn attach(dialect: Dialect) -> Dialect {
    dialect
        .canonicalize("switch", AnyPattern::new("simplifySwitchWithOnlyDefault", only_default))
        .canonicalize("switch", AnyPattern::new("dropSwitchCasesThatMatchDefault", drop_like_default))
        .canonicalize("switch", AnyPattern::new("simplifyConstSwitchValue", constant_flag))
        .canonicalize("switch", AnyPattern::new("simplifyPassThroughSwitch", pass_through))
        .canonicalize("switch", AnyPattern::new("simplifySwitchFromSwitchOnSameCondition", in_case))
        .canonicalize("switch", AnyPattern::new("simplifySwitchFromDefaultSwitchOnSameCondition", in_default))
}

/// The values that the cases are for.
pub(super) const VALUES: &str = "case_values";
/// How many operands each case hands on.
const SEGMENTS: &str = "case_operand_segments";

/// A switch.
struct Switch {
    flag: Value,
    default: Way,
    cases: Vec<(ApInt, Way)>,
}

impl Switch {
    fn of(rw: &Rewriter<'_>, op: OpId) -> Result<Switch, NoMatch> {
        let flag = operand(rw, op).ok_or(NoMatch::Reason("the switch has no flag"))?;
        let default = Way::of(rw, op, 0)?;
        let count = rw.body().successors(op).len().saturating_sub(1);
        let values = rw.op(op).attribute(VALUES)?.map(|values| Numbers::of(rw.context(), values));
        let values = match values {
            None => None,
            Some(values) => Some(values.ok_or(NoMatch::Reason("the values of the cases are no numbers"))?),
        };
        if values.as_ref().map_or(0, |values| values.count) != count as u64 {
            return Err(NoMatch::Reason("there are not as many values as cases"));
        }
        let ways = Self::case_ways(rw, op, count).ok_or(NoMatch::Reason("the operands of the cases are not known"))?;
        let value = |at: usize| values.as_ref().map(|values| values.get(at as u64)).unwrap_or(ApInt::zero(1));
        let cases = ways.into_iter().enumerate().map(|(at, way)| (value(at), way));
        Ok(Switch { flag, default, cases: cases.collect() })
    }

    /// The ways of all cases, looked up at once.
    fn case_ways(rw: &Rewriter<'_>, op: OpId, count: usize) -> Option<Vec<Way>> {
        let lengths = rw.op(op).attribute(SEGMENTS).ok()??;
        let AttributeData::DenseArray { data, .. } = &rw.context()[lengths] else { return None };
        let (lengths, _) = data.as_chunks::<4>();
        let range = rw.op(op).operand_ranges().ok()?.into_iter().nth(2)?;
        let mut left = rw.body().operands(op).get(range)?;
        let successors = rw.body().successors(op).get(1..)?;
        if lengths.len() != count || successors.len() != count {
            return None;
        }
        let mut ways = Vec::with_capacity(count);
        for (&to, length) in successors.iter().zip(lengths) {
            let length = usize::try_from(i32::from_le_bytes(*length)).ok()?;
            let operands = left.get(..length)?;
            left = &left[length..];
            if operands.len() != rw.body().arguments(to).len() {
                return None;
            }
            ways.push(Way { to, operands: operands.to_vec() });
        }
        Some(ways)
    }

    /// Puts it in the place of another one.
    fn replace(self, rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
        let context = rw.context();
        let flag_type = rw.op(op).type_of(self.flag)?;
        let lengths: Vec<usize> = self.cases.iter().map(|(_, way)| way.operands.len()).collect();
        let handed: Vec<Value> = self.cases.iter().flat_map(|(_, way)| &way.operands).copied().collect();
        let values: Vec<ApInt> = self.cases.iter().map(|(value, _)| value.clone()).collect();
        let values = values_attribute(context, flag_type, &values)?;
        let targets = std::iter::once(self.default.to).chain(self.cases.iter().map(|(_, way)| way.to));
        let mut by = rw
            .build("cf.switch")
            .operand_groups([&[self.flag][..], &self.default.operands, &handed])
            .successors(targets)
            .attribute(SEGMENTS, lengths_attribute(context, &lengths));
        if let Some(values) = values {
            by = by.attribute(VALUES, values);
        }
        let by = by.create()?;
        rw.replace_with(op, by)?;
        Ok(())
    }

    /// The way that it takes where the flag is `value`.
    fn taken(self, value: &ApInt) -> Way {
        let case = self.cases.into_iter().find(|(of, _)| of == value);
        case.map_or(self.default, |(_, way)| way)
    }
}

/// The values of cases: elements of a vector, or nothing where there is no case.
fn values_attribute(context: &Context, ty: Type, values: &[ApInt]) -> mlirbc_ir::Result<Option<Attribute>> {
    if values.is_empty() {
        return Ok(None);
    }
    let vector = TypeData::Vector { shape: [values.len() as i64].into(), scalable: [].into(), element: ty };
    context.numbers(context.ty(vector), values).map(Some)
}

fn lengths_attribute(context: &Context, lengths: &[usize]) -> Attribute {
    let data: Vec<u8> = lengths.iter().flat_map(|&length| (length as i32).to_le_bytes()).collect();
    context.attribute(AttributeData::DenseArray { element: context.integer_type(32), data: data.into() })
}

/// Without cases it is a branch.
fn only_default(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    if rw.body().successors(op).len() != 1 {
        return rw.no_match("there are cases");
    }
    Way::of(rw, op, 0)?.replace(rw, op)
}

/// A case that goes where all else goes, with the same, needs not be told apart.
fn drop_like_default(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let mut switch = Switch::of(rw, op)?;
    let count = switch.cases.len();
    switch.cases.retain(|(_, way)| *way != switch.default);
    if switch.cases.len() == count {
        return rw.no_match("no case goes where the default does");
    }
    switch.replace(rw, op)
}

/// A flag that is known decides.
fn constant_flag(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let switch = Switch::of(rw, op)?;
    match rw.constant_int(switch.flag) {
        Some(value) => switch.taken(&value).replace(rw, op),
        None => rw.no_match("the flag is not constant"),
    }
}

/// Goes past blocks that only go on.
fn pass_through(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let mut switch = Switch::of(rw, op)?;
    let mut changed = false;
    for way in switch.cases.iter_mut().map(|(_, way)| way).chain([&mut switch.default]) {
        if let Some(collapsed) = way.collapsed(rw)? {
            *way = collapsed;
            changed = true;
        }
    }
    if changed { switch.replace(rw, op) } else { rw.no_match("every block does more than to go on") }
}

/// The switch on the same flag that alone goes on to the block of this one, and whether it does so by default.
fn before(rw: &mut Rewriter<'_>, op: OpId, switch: &Switch) -> Result<(Switch, bool), NoMatch> {
    let none = NoMatch::Reason("no one switch on the same flag goes on to the block");
    let Some(block) = rw.body().block_of(op) else { return Err(none) };
    let before = rw.single_predecessor(block)?;
    let Some(before) = before.filter(|&before| rw.op(before).name() == "cf.switch") else { return Err(none) };
    let before = Switch::of(rw, before)?;
    if before.flag != switch.flag {
        return Err(none);
    }
    let by_default = before.default.to == block;
    Ok((before, by_default))
}

/// In the block of a case, the flag is known.
fn in_case(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let switch = Switch::of(rw, op)?;
    let block = rw.body().block_of(op);
    let (before, by_default) = before(rw, op, &switch)?;
    let case = before.cases.into_iter().find(|(_, way)| Some(way.to) == block);
    match case {
        Some((value, _)) if !by_default => switch.taken(&value).replace(rw, op),
        _ => rw.no_match("the block is not that of a case"),
    }
}

/// In the block of the default, the flag is none of the values that were told apart.
fn in_default(rw: &mut Rewriter<'_>, op: OpId) -> Outcome {
    let mut switch = Switch::of(rw, op)?;
    let (before, by_default) = before(rw, op, &switch)?;
    if !by_default {
        return rw.no_match("the block is not that of the default");
    }
    let gone: HashSet<ApInt> = before.cases.into_iter().map(|(value, _)| value).collect();
    let count = switch.cases.len();
    switch.cases.retain(|(value, _)| !gone.contains(value));
    if switch.cases.len() == count {
        return rw.no_match("every case is still possible");
    }
    switch.replace(rw, op)
}
