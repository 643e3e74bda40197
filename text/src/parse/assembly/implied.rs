//! Operations that text leaves out: a parser makes them.

use std::borrow::Cow;

use super::{OpParser, OpState};
use crate::parse::module::Dictionaries;
use crate::parse::operation::OperationInfo;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{AttributeRef, Error, OpHead, OpId, RegionId, Result, Type, Value};

/// An operation of a block whose text is left out. What the block holds has numbers: its arguments first, then the results of
/// its operations in order.
pub struct ImpliedOp {
    name: Cow<'static, str>,
    operands: Vec<usize>,
    results: Vec<Type>,
    /// What text says of it: else it has what its definition says of one of which nothing is said.
    said: Option<(OperationInfo, Dictionaries)>,
}

impl ImpliedOp {
    /// An operation of which text says nothing: it has the defaults of its attributes, and no others.
    pub fn new(name: impl Into<Cow<'static, str>>, operands: impl Into<Vec<usize>>, results: Vec<Type>) -> Self {
        ImpliedOp { name: name.into(), operands: operands.into(), results, said: None }
    }

    /// Sets which values it takes, by number.
    #[must_use]
    pub fn operands(self, operands: impl Into<Vec<usize>>) -> Self {
        ImpliedOp { operands: operands.into(), ..self }
    }

    /// Sets the types of what it gives.
    #[must_use]
    pub fn results(self, results: Vec<Type>) -> Self {
        ImpliedOp { results, ..self }
    }

    /// Its name: `arith.addf`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The numbers of the values that it takes.
    pub fn operand_numbers(&self) -> &[usize] {
        &self.operands
    }

    /// The types of what it gives.
    pub fn result_types(&self) -> &[Type] {
        &self.results
    }
}

impl<'a> OpParser<'a> {
    /// `arith.addf {attributes}`: an operation without regions and successors, of which text does not say operands and types.
    ///
    /// # Errors
    /// Where something else stands there, or the operation has regions or successors.
    pub fn implied_operation(&mut self) -> Result<ImpliedOp> {
        let start = self.at.here();
        let (info, definition) = self.custom_name()?;
        if !definition.regions().is_empty() || !definition.successors().is_empty() {
            return Err(self.at.error_at(start, "an operation with regions or successors cannot be all of a body"));
        }
        let name = definition.name.clone();
        let mut inner = OpState::new(definition, info, start, Vec::new());
        self.optional_dictionary(&mut inner)?;
        let (attributes, properties) = self.attributes_of(&mut inner)?;
        let said = self.dictionaries(info, attributes, properties)?;
        Ok(ImpliedOp { name: name.into(), operands: Vec::new(), results: Vec::new(), said: Some((info, said)) })
    }

    /// Gives the operation one more region, whose text is left out: a block with arguments of these types, without locations, and
    /// these operations, all at that location.
    ///
    /// # Errors
    /// Where an operation takes a value that no argument and no operation before it is, or a default cannot be made.
    pub fn implied_region(
        &mut self,
        op: &mut OpState<'a>,
        arguments: &[Type],
        operations: impl IntoIterator<Item = ImpliedOp>,
        location: AttributeRef,
    ) -> Result<()> {
        self.region_of(op, arguments, operations, location, None)
    }

    /// The same where the arguments are at that location, too.
    ///
    /// # Errors
    /// Those of [`OpParser::implied_region`].
    pub fn located_region(
        &mut self,
        op: &mut OpState<'a>,
        arguments: &[Type],
        operations: impl IntoIterator<Item = ImpliedOp>,
        location: AttributeRef,
    ) -> Result<()> {
        self.region_of(op, arguments, operations, location, Some(location))
    }

    /// The location of the operation: the one that is next, and else where it stands. For what is made at it before the operation is read
    /// to its end.
    ///
    /// # Errors
    /// Where the location is wrong, or there are too many.
    pub fn own_location(&mut self, op: &mut OpState<'a>) -> Result<AttributeRef> {
        let location = match self.at.trailing_location()? {
            Some(location) => location,
            None => self.location_of(op.at)?,
        };
        op.location = Some(location);
        Ok(location)
    }

    fn region_of(
        &mut self,
        op: &mut OpState<'a>,
        arguments: &[Type],
        operations: impl IntoIterator<Item = ImpliedOp>,
        location: AttributeRef,
        of_arguments: Option<AttributeRef>,
    ) -> Result<()> {
        self.empty_region(op);
        let Some(&region) = op.regions.last() else { return Ok(()) };
        let block = self.body().push_block(region);
        let mut values: Vec<Value> = Vec::with_capacity(arguments.len());
        if let Some(&first) = arguments.first() {
            let start = self.body().push_values(arguments.len(), first.into()).index();
            values.extend((start..start + arguments.len()).map(Value::from_index));
            let arguments = values.iter().zip(arguments).map(|(&value, &ty)| (value, ty.into(), of_arguments));
            self.body().define_arguments(block, arguments);
        }
        for implied in operations {
            let operands = implied.operands.iter().map(|&number| values.get(number).copied());
            let operands: Option<Vec<Value>> = operands.collect();
            let Some(operands) = operands else {
                return Err(Error::misuse(format!("`{}` takes a value that is not there yet", implied.name)));
            };
            let (info, dictionaries) = match implied.said {
                Some(said) => said,
                None => {
                    let info = self.implied_info(&implied.name);
                    (info, self.plain_of(info)?)
                }
            };
            let results: Vec<_> = implied.results.iter().map(|&ty| ty.into()).collect();
            let first = self.make_with(block, info, location, &operands, &results, dictionaries).index();
            values.extend((first..first + results.len()).map(Value::from_index));
        }
        Ok(())
    }

    /// Gives the last region of the operation a block, if it has none.
    pub fn ensure_block(&mut self, custom: &OpState<'a>) {
        if let Some(&region) = custom.regions.last()
            && self.body().first_block(region).is_none()
        {
            self.body().push_block(region);
        }
    }

    /// Gives the last region of the operation the terminator that its definition names: `SingleBlockImplicitTerminator`
    /// of MLIR. Nothing where it names none.
    ///
    /// # Errors
    /// Those of [`OpParser::ensure_terminator`].
    pub fn ensure_implicit_terminator(&mut self, op: &OpState<'a>) -> Result<()> {
        let definition = op.definition.clone();
        match &definition.implicit_terminator {
            Some(name) => self.ensure_terminator(op, name),
            None => Ok(()),
        }
    }

    /// Gives the last region of the operation a terminator of that name, where text has left it out. Regions of the
    /// terminator itself hold one block each.
    ///
    /// # Errors
    /// Where there are too many locations.
    pub fn ensure_terminator(&mut self, custom: &OpState<'a>, name: &str) -> Result<()> {
        self.ensure_block(custom);
        let Some(&region) = custom.regions.last() else { return Ok(()) };
        let Some(block) = self.body().last_block(region) else { return Ok(()) };
        if let Some(last) = self.body().last_operation(block)
            && self.is_terminator(last)
        {
            return Ok(());
        }
        let info = self.implied_info(name);
        let definition = self.context().definition(info.name()).filter(|_| !info.is_isolated());
        let regions = definition.map_or(&[][..], |definition| definition.regions());
        let count = regions.iter().filter(|region| !region.variadic).count();
        let location = self.location_of(custom.at)?;
        let body = self.body();
        let op = body.begin_operation(block, info.name(), location);
        let start = body.operand_start();
        if count > 0 {
            let regions: Vec<RegionId> = (0..count).map(|_| body.open_region(Some(op))).collect();
            for &region in &regions {
                body.push_block(region);
            }
            self.close_regions(op, false, &regions);
            self.nest(op, false, start);
        }
        let (attributes, properties) = info.plain();
        let head = OpHead { name: info.name(), location, attributes, properties };
        self.body().finish_operation(op, head, start, &[]);
        Ok(())
    }

    /// Gives the last region of the operation a terminator that yields what its only operation gives.
    pub fn yield_all(&mut self, custom: &OpState<'a>, name: &str) -> Result<()> {
        self.ensure_block(custom);
        let Some(&region) = custom.regions.last() else { return Ok(()) };
        let body = self.body();
        let Some(block) = body.last_block(region) else { return Ok(()) };
        let last = body.last_operation(block);
        let location = match last {
            Some(last) if self.is_terminator(last) => return Ok(()),
            Some(last) => self.body().location(last),
            None => self.location_of(custom.at)?,
        };
        let operands: Vec<Value> = last.map(|last| self.body().results(last).collect()).unwrap_or_default();
        self.make(block, name, location, &operands, &[]).map(drop)
    }

    fn is_terminator(&mut self, op: OpId) -> bool {
        let name = self.body().name(op);
        let definition = self.context().definition(name);
        definition.is_some_and(|definition| definition.traits.contains(Traits::TERMINATOR))
    }

    /// What is known of an operation that is made without being named.
    pub(super) fn implied_info(&mut self, name: &str) -> OperationInfo {
        if let Some(&known) = self.implied.get(name) {
            return known;
        }
        let info = self.named_info(name.as_bytes());
        self.implied.insert(name.into(), info);
        info
    }
}
