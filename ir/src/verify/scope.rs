//! What predicates are asked about: values of terms, operations, and operations that are being made.

use std::ops::Range;

use crate::attribute::{Attribute, AttributeData, Identifier, NamedAttribute};
use crate::body::{Body, OpId};
use crate::error::Result;
use crate::module::{Module, OpRef};
use crate::ods::{Multiplicity, OpDef, Test, Traits, ValueDef};
use crate::types::Type;

/// What a term stands for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TermValue {
    /// An operand, result or attribute that is not there.
    Absent,
    /// A value of this type.
    Value(Type),
    Type(Type),
    Attribute(Attribute),
    Integer(i128),
    /// An integer that is read as one or the other.
    Bits {
        signed: i128,
        unsigned: i128,
    },
    Bool(bool),
    Text(String),
    List(Vec<TermValue>),
    /// The operation, or the one that so many levels above it holds it.
    Operation(u32),
}

/// What a predicate is asked about.
pub(super) struct Scope<'f> {
    pub(super) this: &'f TermValue,
    pub(super) operation: Option<&'f Operation<'f>>,
    pub(super) partial: Option<&'f PartialOp<'f>>,
}

/// An operation that is being made: what is known of it so far.
pub struct PartialOp<'d> {
    /// Its definition.
    pub definition: &'d OpDef,
    /// By operand of the definition: the types, where they are known.
    pub operands: &'d [Option<Vec<Type>>],
    /// The same for results.
    pub results: &'d [Option<Vec<Type>>],
    /// The attribute of a name, where it is known.
    pub attributes: &'d dyn Fn(&str) -> Option<Attribute>,
}

impl PartialOp<'_> {
    /// What a name of the definition stands for.
    pub(super) fn member(&self, name: &str) -> Option<TermValue> {
        let values = |definitions: &[ValueDef], types: &[Option<Vec<Type>>]| {
            let at = definitions.iter().position(|value| value.name == name)?;
            let types = types.get(at)?.as_ref()?;
            Some(match (&definitions[at].multiplicity, types.as_slice()) {
                (Multiplicity::One | Multiplicity::Optional, [ty]) => TermValue::Value(*ty),
                (Multiplicity::One | Multiplicity::Optional, _) => TermValue::Absent,
                _ => TermValue::List(types.iter().copied().map(TermValue::Value).collect()),
            })
        };
        let value = values(self.definition.operands(), self.operands);
        let value = value.or_else(|| values(self.definition.results(), self.results));
        value.or_else(|| (self.attributes)(name).map(TermValue::Attribute))
    }
}

/// How many levels up a rule looks: nested deeper, the answer is not known, since a file must not cost more than its size.
pub(super) const LEVELS: usize = 256;

/// An operation and its definition, with what is asked about most.
pub(super) struct Operation<'m> {
    pub(super) op: OpRef<'m>,
    pub(super) definition: &'m OpDef,
    pub(super) lists: Lists,
    /// The entries of its properties, and its discardable attributes.
    entries: [&'m [NamedAttribute]; 2],
}

/// What is listed of an operation.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) operands: Vec<Type>,
    pub(super) results: Vec<Type>,
    pub(super) operand_ranges: Vec<Range<usize>>,
    pub(super) result_ranges: Vec<Range<usize>>,
}

impl<'m> Operation<'m> {
    /// The operation with that definition, whose attributes and properties are these dictionaries. What the lists hold does not count.
    pub(super) fn new(
        op: OpRef<'m>,
        definition: &'m OpDef,
        (attributes, properties): (Option<Attribute>, Option<Attribute>),
        mut lists: Lists,
    ) -> Result<Self> {
        let (body, module): (&Body, &Module) = (op.body(), op.module());
        let entries = [properties, attributes].map(|of| match of.map(|of| &module.context()[of]) {
            Some(AttributeData::Dictionary(entries)) => &**entries,
            _ => &[],
        });
        lists.operands.clear();
        for &value in op.operands() {
            lists.operands.push(module.ty(body.ty(value))?);
        }
        lists.results.clear();
        for value in op.results() {
            lists.results.push(module.ty(body.ty(value))?);
        }
        op.operand_ranges_into(definition, &mut lists.operand_ranges)?;
        op.result_ranges_into(definition, &mut lists.result_ranges)?;
        Ok(Operation { op, definition, lists, entries })
    }

    /// The inherent attribute, native property or discardable attribute of that name.
    pub(super) fn attribute(&self, name: &str) -> Option<Attribute> {
        let context = self.op.module().context();
        self.entries.iter().find_map(|entries| context.entry_of(entries, name.as_bytes()))
    }

    /// The same, of a name that is uniqued.
    pub(super) fn attribute_named(&self, name: Identifier) -> Option<Attribute> {
        self.entries().find(|(key, _)| *key == name).map(|(_, attribute)| *attribute)
    }

    /// All entries of its properties, and its discardable attributes.
    pub(super) fn entries(&self) -> impl Iterator<Item = &'m NamedAttribute> {
        self.entries.into_iter().flatten()
    }

    /// The operation's number in its body, and that body.
    pub(super) fn place(&self) -> (&'m Body, OpId) {
        (self.op.body(), self.op.id())
    }

    /// What a name of the definition stands for.
    pub(super) fn member(&self, name: &str) -> Option<TermValue> {
        let values = |definitions: &[ValueDef], ranges: &[Range<usize>], types: &[Type]| {
            let at = definitions.iter().position(|value| value.name == name)?;
            let types = types.get(ranges.get(at)?.clone())?;
            Some(match (&definitions[at].multiplicity, types) {
                (Multiplicity::One | Multiplicity::Optional, [ty]) => TermValue::Value(*ty),
                (Multiplicity::One | Multiplicity::Optional, _) => TermValue::Absent,
                _ => TermValue::List(types.iter().copied().map(TermValue::Value).collect()),
            })
        };
        if let Some(found) = values(self.definition.operands(), &self.lists.operand_ranges, &self.lists.operands) {
            return Some(found);
        }
        if let Some(found) = values(self.definition.results(), &self.lists.result_ranges, &self.lists.results) {
            return Some(found);
        }
        let attribute = self.definition.attributes().iter().find(|attribute| attribute.name == name);
        match (self.attribute(name), attribute) {
            (Some(found), _) => Some(TermValue::Attribute(found)),
            // One that has a default is there, and is that.
            (None, Some(attribute)) if attribute.default.is_some() => None,
            (None, Some(_)) => Some(TermValue::Absent),
            (None, None) => None,
        }
    }
}

/// Whether a test passes of the operation that so many levels above holds this one: `parent_op` directly.
pub(super) fn passes(op: OpRef<'_>, parent_op: Option<OpRef<'_>>, level: u32, test: Test) -> Option<bool> {
    let mut asked = if level == 0 { Some(op) } else { parent_op };
    for _ in 1..level {
        asked = asked.and_then(|op| op.parent_op().ok()?);
    }
    let Some(mut op) = asked else { return Some(false) };
    for _ in 0..LEVELS {
        // An operation without a definition may be anything.
        let traits = op.definition()?.traits;
        match test {
            Test::IsSymbolTable => return Some(traits.contains(Traits::SYMBOL_TABLE)),
            Test::IsInsideFunction if traits.contains(Traits::FUNCTION) => return Some(true),
            Test::IsInsideGraph if is_graph(op)? => return Some(true),
            _ if traits.contains(Traits::SYMBOL_TABLE) => return Some(false),
            _ => match op.parent_op().ok()? {
                Some(parent_op) => op = parent_op,
                None => return Some(false),
            },
        }
    }
    None
}

/// Whether the rules of its dialect say that the operation is a graph. `None` where the dialect has none.
fn is_graph(op: OpRef<'_>) -> Option<bool> {
    let context = op.module().context();
    let dialect = context.bytes(context.operation_dialect(op.operation_name()));
    let dialect = context.dialect(std::str::from_utf8(dialect).ok()?)?;
    Some(dialect.verifier()?.is_graph(op))
}
