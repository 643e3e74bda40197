//! What printers of operations print with.

mod attributes;
mod types;

use std::ops::Range;

use super::aliases::has_alias;
use super::{Assembly, Hole, RegionPiece};
use mlirbc_ir::affine::AffineMap;
use mlirbc_ir::ods::{EnumDef, Multiplicity, OpDef, Traits, ValueDef};
pub(super) use mlirbc_ir::text::integers;
use mlirbc_ir::text::{Elision, push_name, push_symbol};
use mlirbc_ir::{Attribute, AttributeData, Error, NamedAttribute, OpRef, Type, TypeData, TypeRef, Value};

/// Why an operation was not printed in custom assembly.
#[derive(Debug)]
pub enum NotCustom {
    /// Its custom assembly cannot say all of it, or it is not as its definition says: it is printed in generic form.
    UseGeneric,
    /// Something of it could not be decoded: nothing can be printed.
    Error(Error),
}

impl From<Error> for NotCustom {
    fn from(error: Error) -> Self {
        NotCustom::Error(error)
    }
}

/// What printing gives: nothing for what is printed, else what was asked for.
pub type Printed<T = ()> = Result<T, NotCustom>;

/// One operation being printed in custom assembly, from behind its name.
pub struct OpPrinter<'p, 'm> {
    pub(super) to: &'p mut Assembly<'m>,
    pub(super) op: OpRef<'m>,
    attributes: Option<Attribute>,
    discardable: &'m [NamedAttribute],
    inherent: &'m [NamedAttribute],
    properties: Option<Attribute>,
    /// Whether attributes or properties are no dictionary, which only the generic form can show.
    pub(super) is_opaque: bool,
    operands: Option<Vec<Range<usize>>>,
    results: Option<Vec<Range<usize>>>,
    /// Where an attribute ended that a parser reads a type of behind a colon.
    untyped_until: Option<usize>,
    /// Whether a colon followed that is none of the attribute.
    pub(super) is_ambiguous: bool,
    /// Where operands were left out behind which more text may come.
    open_since: Option<usize>,
}

impl<'p, 'm> OpPrinter<'p, 'm> {
    pub(super) fn new(to: &'p mut Assembly<'m>, op: OpRef<'m>) -> Printed<Self> {
        let context = to.module.context();
        let (discardable, properties) = op.dictionaries()?;
        let entries = |dictionary: Option<Attribute>| match dictionary.map(|dictionary| &context[dictionary]) {
            Some(AttributeData::Dictionary(entries)) => Some(&**entries),
            Some(_) => None,
            None => Some(Default::default()),
        };
        let attributes = discardable;
        let (discardable, inherent) = (entries(discardable), entries(properties));
        let is_opaque = discardable.is_none() || inherent.is_none();
        let (discardable, inherent) = (discardable.unwrap_or_default(), inherent.unwrap_or_default());
        let (operands, results) = (None, None);
        Ok(OpPrinter {
            to,
            op,
            attributes,
            discardable,
            inherent,
            properties,
            is_opaque,
            operands,
            results,
            untyped_until: None,
            is_ambiguous: false,
            open_since: None,
        })
    }

    /// The operation, to look at whatever there is around it. Where nothing but what this printer gives is asked for, the text of an
    /// operation is made once for all that are like it.
    pub fn op(&self) -> OpRef<'m> {
        self.to.is_particular.set(true);
        self.op
    }

    /// The context of the operation.
    pub fn context(&self) -> &'m mlirbc_ir::Context {
        self.to.module.context()
    }

    /// The definition of the operation.
    ///
    /// # Errors
    /// [`NotCustom::UseGeneric`] where it has none.
    pub fn definition(&self) -> Printed<&'m OpDef> {
        self.op.definition().ok_or(NotCustom::UseGeneric)
    }

    pub(super) fn out(&mut self) -> &mut Vec<u8> {
        self.to.print.buffer()
    }

    /// Prints text as it is.
    pub fn text(&mut self, text: impl AsRef<[u8]>) {
        let text = text.as_ref();
        if let Some(end) = self.untyped_until
            && let Some(first) = text.iter().find(|byte| **byte != b' ')
        {
            self.is_ambiguous |= *first == b':' && self.is_blank_since(end);
            self.untyped_until = None;
        }
        self.out().extend_from_slice(text);
    }

    fn is_blank_since(&self, end: usize) -> bool {
        self.to.print.buffered().get(end..).is_some_and(|since| since.iter().all(|byte| *byte == b' '))
    }

    /// Notes that operands were left out, where a parser would take what names a value for one.
    pub(super) fn operands_could_follow(&mut self) {
        self.open_since = Some(self.out().len());
    }

    /// That what comes behind the operation is not taken for operands that it does not have.
    pub(super) fn ends_its_operands(&mut self) -> Printed {
        let is_open = self.open_since.is_some_and(|since| self.is_blank_since(since));
        self.to.is_open |= is_open;
        let body = self.op.body();
        let next = body.next_operation(self.op.id()).filter(|_| is_open);
        if next.is_some_and(|next| body.result_count(next) > 0) { Err(NotCustom::UseGeneric) } else { Ok(()) }
    }

    /// Begins a line, as deep as the operation.
    pub fn new_line(&mut self) {
        self.to.is_particular.set(true);
        self.text("\n");
        let depth = self.to.depth;
        self.to.indent(depth);
    }

    /// Prints a number in decimal digits.
    pub fn number(&mut self, number: i64) {
        let text = number.to_string();
        self.text(text);
    }

    /// The shape and the element type of a value that is a memref.
    pub fn memref(&self, value: Value) -> Printed<(&'m [i64], Type)> {
        match self.type_data(value)? {
            TypeData::MemRef { shape, element, .. } => Ok((shape, *element)),
            _ => Err(NotCustom::UseGeneric),
        }
    }

    /// The type that a type attribute holds.
    pub fn type_in(&self, attribute: Attribute) -> Printed<Type> {
        match self.context()[attribute] {
            AttributeData::Type(ty) => Ok(ty),
            _ => Err(NotCustom::UseGeneric),
        }
    }

    /// The operands that the definition's operand of that number stands for.
    pub fn operands(&mut self, number: usize) -> Printed<&'m [Value]> {
        let all = self.op.operands();
        if let Some(one) = all.get(number..=number)
            && self.op.definition().is_some_and(|definition| one_each(definition.operands(), all.len()))
        {
            return Ok(one);
        }
        if self.operands.is_none() {
            self.operands = Some(self.op.operand_ranges().map_err(|_| NotCustom::UseGeneric)?);
        }
        let range = self.operands.as_ref().and_then(|ranges| ranges.get(number)).ok_or(NotCustom::UseGeneric)?;
        all.get(range.clone()).ok_or(NotCustom::UseGeneric)
    }

    /// The results that the definition's result of that number stands for.
    pub fn results(&mut self, number: usize) -> Printed<Vec<Value>> {
        if self.op.definition().is_some_and(|definition| one_each(definition.results(), self.op.results().len())) {
            return Ok(vec![self.result(number)?]);
        }
        if self.results.is_none() {
            self.results = Some(self.op.result_ranges().map_err(|_| NotCustom::UseGeneric)?);
        }
        let range = self.results.as_ref().and_then(|ranges| ranges.get(number)).ok_or(NotCustom::UseGeneric)?.clone();
        Ok(self.op.results().skip(range.start).take(range.len()).collect())
    }

    /// All operands.
    pub fn all_operands(&self) -> &'m [Value] {
        self.op.operands()
    }

    /// All results.
    pub fn all_results(&self) -> Vec<Value> {
        self.op.results().collect()
    }

    /// The operand of that position among all.
    pub fn at(&self, position: usize) -> Printed<Value> {
        self.op.operands().get(position).copied().ok_or(NotCustom::UseGeneric)
    }

    /// The result of that position among all.
    pub fn result(&self, position: usize) -> Printed<Value> {
        self.op.body().result(self.op.id(), position).ok_or(NotCustom::UseGeneric)
    }

    /// Prints the name of a value: `%0`, `%x#1`.
    pub fn value(&mut self, value: Value) {
        let (id, body) = (self.op.body_id(), self.op.body());
        let start = self.out().len();
        self.to.names.push_use(id, body, value, self.to.print.buffer());
        self.names_one_of(self.op.operands(), &value, start, Hole::Operand);
    }

    /// Notes that what has been printed since is the name of one of these.
    pub(super) fn names_one_of<T: PartialEq>(&mut self, all: &[T], one: &T, start: usize, hole: fn(u32) -> Hole) {
        if self.to.is_particular.get() {
            return;
        }
        let mut places = (0..).zip(all).filter(|(_, of)| *of == one).map(|(at, _)| at);
        match (places.next(), places.next()) {
            (Some(at), None) => {
                let end = self.out().len();
                self.to.holes.push((start..end, hole(at)));
            }
            // Which of two equal ones is meant, no one knows.
            _ => self.to.is_particular.set(true),
        }
    }

    /// Appends the name of a value to text that is printed later.
    pub fn push_value(&self, value: Value, out: &mut Vec<u8>) {
        self.to.is_particular.set(true);
        self.to.names.push_use(self.op.body_id(), self.op.body(), value, out);
    }

    /// Prints names of values with commas between.
    pub fn values(&mut self, values: &[Value]) {
        for (at, &value) in values.iter().enumerate() {
            if at > 0 {
                self.text(", ");
            }
            self.value(value);
        }
    }

    /// The groups of a variadic of variadics, whose sizes an attribute says.
    ///
    /// # Errors
    /// [`NotCustom::UseGeneric`] where there are more or fewer values.
    pub fn groups<'v>(&self, mut values: &'v [Value], segments: &str) -> Printed<Vec<&'v [Value]>> {
        let mut groups = Vec::new();
        for size in self.integers(segments)? {
            let size = usize::try_from(size).ok().filter(|&size| size <= values.len()).ok_or(NotCustom::UseGeneric)?;
            let (group, rest) = values.split_at(size);
            groups.push(group);
            values = rest;
        }
        if values.is_empty() { Ok(groups) } else { Err(NotCustom::UseGeneric) }
    }

    /// The enum of that name, of a dialect of the context: `arith::AtomicRMWKind`.
    pub fn enumeration(&self, name: &str) -> Option<std::sync::Arc<EnumDef>> {
        self.to.checker.enumeration(name)
    }

    /// Prints the operation in generic form.
    pub(super) fn generic(&mut self) -> Printed {
        let context = self.context();
        let name = context.operation_identifier(self.op.operation_name());
        let regions = self.region_count();
        if self.to.print.is_collecting() {
            for number in 0..regions {
                self.region(number, true, true);
            }
            let results: Vec<Value> = self.op.results().collect();
            let operands = self.op.operands();
            self.value_types(operands)?;
            self.value_types(&results)?;
            for (_, value) in self.all_attributes() {
                self.attribute(value)?;
            }
            // MLIR finds nothing in the others that has an alias; what breaks a rule may be anything.
            let natives = self.inherent.iter().filter(|entry| self.is_native(entry)).map(|entry| entry.1);
            let opaque = [self.properties, self.attributes].into_iter().flatten().filter(|_| self.is_opaque);
            for value in natives.chain(opaque).collect::<Vec<Attribute>>() {
                self.attribute(value)?;
            }
            return Ok(());
        }
        self.quoted(context.bytes(name));
        self.text("(");
        let operands = self.op.operands();
        self.values(operands);
        self.text(")");
        for (at, &block) in self.successors().iter().enumerate() {
            self.text(if at == 0 { "[" } else { ", " });
            self.block(block);
        }
        if !self.successors().is_empty() {
            self.text("]");
        }
        let registered = context.is_registered(self.op.operation_name());
        if let Some(properties) = self.properties.filter(|&it| !registered || !self.to.is_empty_dictionary(it)) {
            self.text(" <");
            self.attribute(properties)?;
            self.text(">");
        }
        for number in 0..regions {
            self.text(if number == 0 { " (" } else { ", " });
            self.region_piece(RegionPiece { number, arguments: true, terminator: true, empty_block: true, indent: 0 });
        }
        if regions > 0 {
            self.text(")");
        }
        match self.attributes.filter(|_| self.is_opaque && self.discardable.is_empty()) {
            Some(opaque) => {
                self.text(" ");
                self.attribute(opaque)?;
            }
            None => {
                let discardable = self.discardable;
                self.dictionary_of(discardable, &|_| false, false)?;
            }
        }
        self.text(" : ");
        let results: Vec<Value> = self.op.results().collect();
        self.functional(operands, &results)
    }
}

/// Whether each definition stands for one of so many values.
fn one_each(definitions: &[ValueDef], count: usize) -> bool {
    definitions.len() == count && definitions.iter().all(|definition| definition.multiplicity == Multiplicity::One)
}

pub(super) fn is_segments(name: &[u8]) -> bool {
    matches!(name, b"operandSegmentSizes" | b"resultSegmentSizes")
}

/// The integers of dense elements of one dimension, fewer than 65536 of them. `None` where the attribute is something else, or
/// holds a value that stands for no element: that is another attribute than one that holds nothing.
pub fn dense_integers(context: &mlirbc_ir::Context, attribute: Attribute) -> Option<Vec<i64>> {
    let AttributeData::DenseElements { ty, data } = &context[attribute] else { return None };
    let TypeData::RankedTensor { shape, element, encoding: None } = &context[*ty] else { return None };
    let &[count] = &**shape else { return None };
    let size = match context[*element] {
        TypeData::Index => 8,
        TypeData::Integer { width: 64, .. } => 8,
        TypeData::Integer { width: 32, .. } => 4,
        _ => return None,
    };
    let item = |bytes: &[u8]| match *bytes {
        [a, b, c, d] => i64::from(i32::from_le_bytes([a, b, c, d])),
        _ => bytes.try_into().map(i64::from_le_bytes).unwrap_or_default(),
    };
    let count = usize::try_from(count).ok().filter(|&count| count < 1 << 16)?;
    if data.len() == size {
        // A splat stands for all.
        return (count > 0).then(|| vec![item(data); count]);
    }
    Some(data.chunks_exact(size).map(item).collect())
}
