//! The parts of an operation that its definition names.

use std::ops::Range;

use super::operation::OpRef;
use crate::attribute::{AttributeData, Identifier, NamedAttribute};
use crate::body::Value;
use crate::context::Context;
use crate::error::{Error, ErrorCode, Result};
use crate::ods::{Multiplicity, OpDef, SegmentSizes, Traits, ValueDef};
use crate::types::{Signedness, TypeData};

/// Properties that the operation's definition does not have: bytecode of its release has no place for them, and custom assembly
/// none.
#[doc(hidden)]
pub fn foreign_properties(op: OpRef<'_>) -> Result<Vec<Identifier>> {
    let (Some(definition), (_, Some(properties))) = (op.definition(), op.dictionaries()?) else {
        return Ok(Vec::new());
    };
    let context = op.module().context();
    let AttributeData::Dictionary(entries) = &context[properties] else { return Ok(Vec::new()) };
    Ok(foreign_entries(context, definition, entries).collect())
}

/// The same of the entries of the properties.
pub(crate) fn foreign_entries(
    context: &Context,
    definition: &OpDef,
    entries: &[NamedAttribute],
) -> impl Iterator<Item = Identifier> {
    let is_known = |name: &[u8]| {
        definition.properties.iter().any(|property| property.name.as_bytes() == name)
            || definition.inherent(name).is_some()
    };
    entries.iter().map(|entry| entry.0).filter(move |&name| !is_known(context.bytes(name)))
}

/// The sizes in `operandSegmentSizes` or `resultSegmentSizes`.
pub(crate) fn segment_sizes<'m>(op: OpRef<'m>, name: &str) -> Result<Option<SegmentSizes<'m>>> {
    let Some(attribute) = op.attribute(name)? else { return Ok(None) };
    let context = op.module().context();
    let (data, element) = match &context[attribute] {
        AttributeData::DenseArray { data, element } => (data, *element),
        _ => return Ok(None),
    };
    if context[element] != (TypeData::Integer { width: 32, signedness: Signedness::Signless }) {
        return Err(Error::verification(format!("`{name}` is no array of i32")));
    }
    Ok(Some(SegmentSizes::Data(data.as_chunks::<4>().0)))
}

/// Operands or results, and the sizes of segments that do not add up to them.
fn missegmented(count: usize, what: &str, sizes: SegmentSizes<'_>) -> String {
    let sizes: Vec<i32> = sizes.iter().collect();
    let does = if count == 1 { "does" } else { "do" };
    format!("{} {does} not make segments of {sizes:?}", Error::counted(count, what))
}

/// How many operands or results there are, and how many there must be.
fn miscounted(count: usize, what: &str, definitions: &[ValueDef]) -> String {
    let fixed = definitions.iter().filter(|value| value.multiplicity == Multiplicity::One).count();
    let optional = definitions.iter().filter(|value| value.multiplicity == Multiplicity::Optional).count();
    let groups = definitions.len() - fixed;
    let wanted = match (groups, optional) {
        (0, _) => fixed.to_string(),
        (1, 1) => format!("{fixed} or {}", fixed + 1),
        (1, _) => format!("{fixed} or more"),
        // Without sizes of their own, groups share what there is.
        _ => format!("{fixed} and {} of one size", Error::counted(groups, "group")),
    };
    format!("{} where there must be {wanted}", Error::counted(count, what))
}

impl<'m> OpRef<'m> {
    /// Which operands each of the definition's operands stands for.
    ///
    /// # Errors
    /// [`ErrorKind::Misuse`](crate::ErrorKind::Misuse) where the operation has no definition;
    /// [`ErrorKind::Verification`](crate::ErrorKind::Verification) where it has another number of operands than that says.
    pub fn operand_ranges(self) -> Result<Vec<Range<usize>>> {
        let mut ranges = Vec::new();
        self.operand_ranges_into(self.known()?, &mut ranges)?;
        Ok(ranges)
    }

    /// As [`OpRef::operand_ranges`] by its definition, in a list that is used again.
    pub(crate) fn operand_ranges_into(self, definition: &OpDef, ranges: &mut Vec<Range<usize>>) -> Result<()> {
        ranges.clear();
        self.each_operand_range(definition, |_, range| ranges.push(range))
    }

    /// As [`OpRef::operand_ranges`] by its definition, one after the other. Where they do not add up, some are given nevertheless.
    pub(crate) fn each_operand_range(self, definition: &OpDef, each: impl FnMut(usize, Range<usize>)) -> Result<()> {
        let sizes = match definition.traits.contains(Traits::OPERAND_SEGMENTS) {
            true => segment_sizes(self, "operandSegmentSizes")?,
            false => None,
        };
        let count = self.operands().len();
        if definition.each_operand_range(count, sizes, each) {
            return Ok(());
        }
        Err(Error::verification(match sizes {
            Some(sizes) => missegmented(count, "operand", sizes),
            None => miscounted(count, "operand", definition.operands()),
        }))
    }

    /// Which results each of the definition's results stands for.
    ///
    /// # Errors
    /// As [`OpRef::operand_ranges`].
    pub fn result_ranges(self) -> Result<Vec<Range<usize>>> {
        let mut ranges = Vec::new();
        self.result_ranges_into(self.known()?, &mut ranges)?;
        Ok(ranges)
    }

    /// As [`OpRef::result_ranges`] by its definition, in a list that is used again.
    pub(crate) fn result_ranges_into(self, definition: &OpDef, ranges: &mut Vec<Range<usize>>) -> Result<()> {
        ranges.clear();
        self.each_result_range(definition, |_, range| ranges.push(range))
    }

    /// As [`OpRef::result_ranges`] by its definition, one after the other. Where they do not add up, some are given nevertheless.
    pub(crate) fn each_result_range(self, definition: &OpDef, each: impl FnMut(usize, Range<usize>)) -> Result<()> {
        let sizes = match definition.traits.contains(Traits::RESULT_SEGMENTS) {
            true => segment_sizes(self, "resultSegmentSizes")?,
            false => None,
        };
        let count = self.results().len();
        if definition.each_result_range(count, sizes, each) {
            return Ok(());
        }
        Err(Error::verification(match sizes {
            Some(sizes) => missegmented(count, "result", sizes),
            None => miscounted(count, "result", definition.results()),
        }))
    }

    fn known(self) -> Result<&'m OpDef> {
        let missing = || Error::misuse(format!("`{}` has no definition", self.name())).with_code(ErrorCode::NotDefined);
        self.definition().ok_or_else(missing)
    }

    #[cold]
    fn has_no(self, what: &str, name: &[u8]) -> Error {
        let message = format!("`{}` has no {what} {}", self.name(), Error::quoted(name));
        Error::misuse(message).with_code(ErrorCode::NotDefined)
    }

    /// The operands that the definition gives this name.
    ///
    /// # Errors
    /// As [`OpRef::operand_ranges`], and where the definition has no such name.
    pub fn operands_named(self, name: impl AsRef<[u8]>) -> Result<&'m [Value]> {
        let definition = self.known()?;
        let at = definition.operands().iter().position(|operand| operand.name.as_bytes() == name.as_ref());
        let at = at.ok_or_else(|| self.has_no("operand", name.as_ref()))?;
        let mut range = 0..0;
        self.each_operand_range(definition, |number, found| {
            if number == at {
                range = found;
            }
        })?;
        Ok(self.operands().get(range).unwrap_or_default())
    }

    /// The operand of this name; none where it is optional and absent, or variadic and not exactly one.
    ///
    /// # Errors
    /// As [`OpRef::operands_named`].
    pub fn operand(self, name: impl AsRef<[u8]>) -> Result<Option<Value>> {
        match self.operands_named(name)? {
            [operand] => Ok(Some(*operand)),
            _ => Ok(None),
        }
    }

    /// The results that the definition gives this name.
    ///
    /// # Errors
    /// As [`OpRef::result_ranges`], and where the definition has no such name.
    pub fn results_named(self, name: impl AsRef<[u8]>) -> Result<Vec<Value>> {
        let definition = self.known()?;
        let at = definition.results().iter().position(|result| result.name.as_bytes() == name.as_ref());
        let at = at.ok_or_else(|| self.has_no("result", name.as_ref()))?;
        let mut range = 0..0;
        self.each_result_range(definition, |number, found| {
            if number == at {
                range = found;
            }
        })?;
        Ok(self.results().skip(range.start).take(range.len()).collect())
    }

    /// The result of this name; none where it is optional and absent, or variadic and not exactly one.
    ///
    /// # Errors
    /// As [`OpRef::results_named`].
    pub fn result(self, name: impl AsRef<[u8]>) -> Result<Option<Value>> {
        match self.results_named(name)?.as_slice() {
            [result] => Ok(Some(*result)),
            _ => Ok(None),
        }
    }

    /// The operation that holds this one, wherever that is; none for an outermost one.
    pub fn parent_op(self) -> Result<Option<OpRef<'m>>> {
        if let Some(parent) = self.body().parent(self.id()) {
            return Ok(Some(self.at(parent)));
        }
        let owner = self.module().owner(self.body_id());
        owner.map(|(body, op)| self.module().operation(body, op)).transpose()
    }
}
