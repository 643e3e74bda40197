//! What printers look at where text leaves out operations: a parser makes them.

use super::format::is_default;
use super::op::{NotCustom, OpPrinter, Printed};
use mlirbc_ir::{NamedAttribute, OpRef, Value, foreign_properties};

impl<'m> OpPrinter<'_, 'm> {
    /// The arguments and the operations of a region that is one block. `None` where it has no block, or more.
    ///
    /// # Errors
    /// Where the operation has no such region, or it cannot be read.
    #[allow(clippy::type_complexity)]
    pub fn only_block(
        &self,
        region: usize,
    ) -> Printed<Option<(&'m [Value], impl Iterator<Item = OpRef<'m>> + use<'m>)>> {
        self.to.is_particular.set(true);
        let inside = self.op.inside()?;
        let (id, body) = (inside.id, inside.body);
        let region = inside.region(region).ok_or(NotCustom::UseGeneric)?;
        let Some(block) = body.first_block(region).filter(|&block| body.next_block(block).is_none()) else {
            return Ok(None);
        };
        let module = self.op.module();
        Ok(Some((body.arguments(block), body.operations(block).map(move |op| OpRef::new(module, id, body, op)))))
    }

    /// All attributes of another operation, inherent and discardable, by name.
    ///
    /// # Errors
    /// Where they are no dictionary, or cannot be decoded.
    pub fn attributes_of(&mut self, op: OpRef<'m>) -> Printed<Vec<NamedAttribute>> {
        let printer = OpPrinter::new(self.to, op)?;
        if printer.is_opaque { Err(NotCustom::UseGeneric) } else { Ok(printer.all_attributes()) }
    }

    /// Whether a parser that is told nothing of the attributes of another operation gives it those that it has: the defaults,
    /// and no others.
    ///
    /// # Errors
    /// Where they cannot be decoded.
    pub fn is_implied(&mut self, op: OpRef<'m>) -> Printed<bool> {
        let definition = op.definition();
        let results = definition.map_or(0, |definition| definition.results().len());
        if op.results().len() != results || !holds_nothing(op) {
            return Ok(false);
        }
        let attributes = definition.map_or(&[][..], |definition| definition.attributes());
        let mut inner = OpPrinter::new(self.to, op)?;
        let mut defaults = 0;
        for attribute in attributes {
            match inner.get(&attribute.name) {
                Some(value) if !is_default(&mut inner, attribute, value) => return Ok(false),
                Some(_) => defaults += 1,
                // Where nothing is said, it is the default.
                None => {}
            }
        }
        Ok(!inner.is_opaque && inner.all_attributes().len() == defaults)
    }

    /// Whether [`OpParser::implied_operation`](crate::OpParser::implied_operation) reads another operation as it is from its
    /// name and its attributes: it has no regions, successors and properties that are no attributes, and what has a default is given.
    ///
    /// # Errors
    /// Where something of it cannot be decoded.
    pub fn is_its_attributes(&self, op: OpRef<'m>) -> Printed<bool> {
        let Some(definition) = op.definition() else { return Ok(false) };
        // What has a default is given it where text does not say it.
        for attribute in definition.attributes() {
            if !attribute.optional && attribute.default.is_some() && op.attribute(&attribute.name)?.is_none() {
                return Ok(false);
            }
        }
        Ok(holds_nothing(op)
            && definition.regions().is_empty()
            && definition.natives().is_empty()
            && foreign_properties(op)?.is_empty())
    }

    /// Whether another operation says nothing beside its operands: it has no attributes and properties, no results and no
    /// successors, and the regions that its definition asks for are one block each with nothing in it.
    ///
    /// # Errors
    /// Where they cannot be decoded.
    pub fn says_nothing(&self, op: OpRef<'m>) -> Printed<bool> {
        if op.results().len() > 0 || !op.body().successors(op.id()).is_empty() || !holds_empty_blocks(op)? {
            return Ok(false);
        }
        let (attributes, properties) = op.dictionaries()?;
        Ok([attributes, properties].into_iter().flatten().all(|dictionary| self.to.is_empty_dictionary(dictionary)))
    }

    /// Whether this is the first of the two times that all is printed: it finds out what gets an alias.
    pub fn collects_aliases(&self) -> bool {
        self.to.collector.is_some()
    }
}

/// Whether an operation has neither regions nor successors.
fn holds_nothing(op: OpRef<'_>) -> bool {
    op.body().region_count_of(op.id()) == 0 && op.body().successors(op.id()).is_empty()
}

/// Whether an operation has the regions that are made with it where text leaves it out: one block each, with nothing in it.
fn holds_empty_blocks(op: OpRef<'_>) -> Printed<bool> {
    let wanted = op.definition().map_or(&[][..], |definition| definition.regions());
    let wanted = wanted.iter().filter(|region| !region.variadic).count();
    if op.body().region_count_of(op.id()) != wanted {
        return Ok(false);
    }
    if wanted == 0 {
        return Ok(true);
    }
    let inside = op.inside()?;
    let body = inside.body;
    Ok(inside.regions().all(|region| {
        let mut blocks = body.blocks(region);
        let first = blocks
            .next()
            .is_some_and(|block| body.arguments(block).is_empty() && body.first_operation(block).is_none());
        first && blocks.next().is_none()
    }))
}
