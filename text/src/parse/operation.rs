//! Parsing operations: in generic form, and what both forms share.

use super::former::Renamed;
use super::module::{Dictionaries, OpParser, Successors};
use super::names::ValueName;
use super::texts::block_label;
use crate::hooks::TextHooks;
use mlirbc_ir::ods::{PropertyDef, PropertyKind, Traits};
use mlirbc_ir::{
    Attribute, AttributeData, AttributeRef, BlockId, Error, Identifier, OpHead, OpId, OperationName, RegionId, Result,
    TypeData, TypeRef,
};

/// What is known of the operations of one name.
#[derive(Clone, Copy)]
pub(super) struct OperationInfo {
    name: OperationName,
    isolated: bool,
    has_properties: bool,
    /// Whether one of them has a value though it is not given.
    has_zeros: bool,
    /// What an operation has that is given neither attributes nor properties.
    plain: Dictionaries,
    /// The dialect that names of operations directly in its regions may leave out.
    dialect: Option<Identifier>,
    /// The name that the text has for its dialect, where that goes by another name today.
    former: Option<Identifier>,
}

impl OperationInfo {
    pub(super) fn name(&self) -> OperationName {
        self.name
    }

    pub(super) fn is_isolated(&self) -> bool {
        self.isolated
    }

    pub(super) fn dialect(&self) -> Option<Identifier> {
        self.dialect
    }

    pub(super) fn former(&self) -> Option<Identifier> {
        self.former
    }

    /// The same of a text that has that name for its dialect, and may leave out `inside` directly in its regions.
    pub(super) fn of_former(self, dialect: Identifier, inside: Option<Identifier>) -> Self {
        OperationInfo { former: Some(dialect), dialect: inside.or(self.dialect), ..self }
    }

    pub(super) fn has_properties(&self) -> bool {
        self.has_properties
    }

    pub(super) fn has_zeros(&self) -> bool {
        self.has_zeros
    }

    pub(super) fn plain(&self) -> Dictionaries {
        self.plain
    }
}

/// A name to the left of the equals sign, and how many results it stands for.
pub(super) type ResultName<'a> = (ValueName<'a>, u32);

/// An operation whose regions are being parsed.
pub(super) struct OpenOperation<'a> {
    pub(super) op: OpId,
    /// Whether its regions are in a body of their own.
    pub(super) isolated: bool,
    pub(super) regions: Vec<RegionId>,
    /// In custom form: what is known of it, and how it goes on.
    pub(super) custom: Option<super::assembly::Suspended<'a>>,
    pub(super) info: OperationInfo,
    pub(super) at: usize,
    pub(super) results: Vec<ResultName<'a>>,
    pub(super) operands: Vec<ValueName<'a>>,
    pub(super) properties: Option<Attribute>,
    /// Operands of the body when the regions began.
    pub(super) first_slot: u32,
}

impl<'a> OpParser<'a> {
    /// Parses an operation up to its regions, or whole where it has none.
    pub(super) fn operation(&mut self) -> Result<()> {
        self.resume = self.at.here();
        self.results.clear();
        self.operands.clear();
        let result = self.result_names().and_then(|()| {
            let at = self.at.here();
            if self.known_line(at)? {
                return Ok(());
            }
            match self.at.source().get(at) {
                Some(b'"') => self.generic(at)?,
                _ => self.custom(at)?,
            }
            self.remember_line();
            Ok(())
        });
        if result.is_err() {
            let names = std::mem::take(&mut self.results);
            self.define_broken(&names);
        }
        result
    }

    fn result_names(&mut self) -> Result<()> {
        if !self.at.is_at(b'%') {
            return Ok(());
        }
        loop {
            let name = self.value_name()?;
            let mut count = 1;
            if self.at.eat(b':') {
                let start = self.at.here();
                count = match self.at.unsigned().map(u32::try_from) {
                    Some(Ok(count)) if count > 0 => count,
                    _ => return Err(self.at.error_at(start, "expected the number of results, at least 1")),
                };
            }
            self.results.push((name, count));
            if !self.at.eat(b',') {
                break;
            }
        }
        self.at.expect(b'=')
    }

    /// Takes `%name`, without a number behind it.
    #[inline]
    pub fn value_name(&mut self) -> Result<ValueName<'a>> {
        let at = self.at.here();
        if self.at.source().get(at) != Some(&b'%') {
            return Err(self.at.expected("the name of a value"));
        }
        self.at.seek(self.at.position() + 1);
        let text = self.at.suffix_identifier()?;
        Ok(self.names.name(text, at))
    }

    /// Takes `%name` or `%name#1`. An attribute may stand behind it: what it begins with is no number.
    #[inline]
    pub fn operand_name(&mut self) -> Result<ValueName<'a>> {
        let mut name = self.value_name()?;
        if self.at.is_at(b'#') && self.begins_no_attribute() {
            self.at.eat(b'#');
            let start = self.at.position();
            match self.at.unsigned().map(u32::try_from) {
                Some(Ok(result)) => name.result = result,
                _ => return Err(self.at.error_at(start, "expected the number of a result")),
            }
        }
        Ok(name)
    }

    /// Whether something else than a name stands behind the next byte.
    #[cold]
    fn begins_no_attribute(&self) -> bool {
        !self.at.source().get(self.at.position() + 1).is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_')
    }

    pub(super) fn generic(&mut self, at: usize) -> Result<()> {
        let Some(info) = self.operation_info(at)? else { return self.left_out(at) };
        self.at.expect(b'(')?;
        if !self.at.eat(b')') {
            loop {
                let operand = self.operand_name()?;
                self.operands.push(operand);
                if !self.at.eat(b',') {
                    break;
                }
            }
            if !self.at.eat(b')') {
                return Err(self.at.expected("`,` or `)` behind an operand"));
            }
        }
        let successors = if self.at.is_at(b'[') { self.successors()? } else { Vec::new() };
        let mut properties = None;
        if self.at.eat(b'<') {
            properties = Some(self.dictionary()?);
            self.at.expect(b'>')?;
        }
        let has_regions = self.at.eat(b'(');
        if has_regions {
            self.at.expect(b'{')?;
        }
        let tail = if has_regions { None } else { Some(self.tail(at)?) };
        let location = match &tail {
            Some(tail) => tail.1,
            None => self.context().unknown_location().into(),
        };
        let block = self.block_for_operation();
        let op = self.body().begin_operation(block, info.name, location);
        if !successors.is_empty() {
            self.frame().successors.push((op, successors));
        }
        match tail {
            Some((attributes, location)) => {
                let (results, operands) = (std::mem::take(&mut self.results), std::mem::take(&mut self.operands));
                let done = self.finish(op, info, location, attributes, properties, &operands, &results, None);
                (self.results, self.operands) = (results, operands);
                done.map_err(|error| error.at(at as u64))
            }
            None => {
                let results = std::mem::take(&mut self.results);
                let operands = std::mem::take(&mut self.operands);
                self.open(op, info, at, results, operands, properties);
                Ok(())
            }
        }
    }

    fn open(
        &mut self,
        op: OpId,
        info: OperationInfo,
        at: usize,
        results: Vec<ResultName<'a>>,
        operands: Vec<ValueName<'a>>,
        properties: Option<Attribute>,
    ) {
        let first_slot = self.body().operand_start();
        if info.isolated {
            self.begin_body(Some(op));
        }
        let (isolated, regions) = (info.isolated, Vec::new());
        let parent_op =
            OpenOperation { op, isolated, regions, custom: None, info, at, results, operands, properties, first_slot };
        self.begin_region(Some(Box::new(parent_op)));
    }

    /// The block that the next operation goes to: that of the last label, or one without a label.
    pub(super) fn block_for_operation(&mut self) -> BlockId {
        if let Some(block) = self.frame().block {
            return block;
        }
        let region = self.frame().region;
        let block = self.body().push_block(region);
        *self.frame().block.insert(block)
    }

    /// Parses the name of an operation in quotes. `None` of one that is left out.
    fn operation_info(&mut self, at: usize) -> Result<Option<OperationInfo>> {
        let rest = &self.at.source()[at + 1..];
        let length = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | b'\n')).unwrap_or(rest.len());
        if rest.get(length) == Some(&b'"')
            && let Some(&known) = self.operation_names.get(&rest[..length])
        {
            self.at.seek(at + length + 2);
            return Ok(Some(self.operations[known as usize]));
        }
        let name = self.at.string()?;
        if name.is_empty() {
            return Err(self.at.error_at(at, "empty operation name is invalid"));
        }
        if name.contains(&0) {
            return Err(self.at.error_at(at, "null character not allowed in operation name"));
        }
        let info = match self.renamed(at, &name)? {
            None => self.named_info(&name),
            Some(Renamed::Operation(info)) => info,
            Some(Renamed::Nothing) => return Ok(None),
        };
        if rest.get(length) == Some(&b'"') {
            self.operation_names.insert(&rest[..length], self.operations.len() as u32);
            self.operations.push(info);
        }
        Ok(Some(info))
    }

    pub(super) fn named_info(&self, name: &[u8]) -> OperationInfo {
        let context = self.context();
        let registered = context.is_known_operation(name);
        let name = context.operation_name(name, registered);
        let definition = context.definition(name);
        let has_properties = definition.is_some_and(|definition| !definition.properties.is_empty());
        let zero = |property: &PropertyDef| !matches!(property.kind, PropertyKind::Required | PropertyKind::Optional);
        let has_zeros = definition.is_some_and(|definition| definition.properties.iter().any(zero));
        let isolated = definition.is_some_and(|definition| definition.traits.contains(Traits::ISOLATED_FROM_ABOVE));
        let mut plain = (None, None);
        if has_properties {
            let properties = context.split_attributes(name, None, None).ok().and_then(|split| split.1);
            let empty = || context.attribute(AttributeData::Dictionary(Box::default()));
            plain.1 = Some(properties.unwrap_or_else(empty).into());
        }
        let dialect = TextHooks::default_dialect(context, name);
        OperationInfo { name, isolated, has_properties, has_zeros, plain, dialect, former: None }
    }

    fn successors(&mut self) -> Result<Successors<'a>> {
        let mut successors = Vec::new();
        self.at.expect(b'[')?;
        self.at.list(b']', |parser| {
            let at = parser.here();
            successors.push((block_label(parser)?, at));
            Ok(())
        })?;
        if successors.is_empty() {
            return Err(self.at.error_at(self.at.position() - 1, "expected the name of a block"));
        }
        Ok(successors)
    }

    /// Parses what follows operands and regions: attributes, types, location. The types are left in `inputs` and `outputs`.
    pub(super) fn tail(&mut self, at: usize) -> Result<(Option<Attribute>, AttributeRef)> {
        let attributes = if self.at.is_at(b'{') { Some(self.dictionary()?) } else { None };
        self.signature()?;
        self.sought.stopped = self.at.position();
        let location = match self.at.trailing_location()? {
            Some(location) => location,
            None => self.location_of(at)?,
        };
        Ok((attributes, location))
    }

    fn signature(&mut self) -> Result<()> {
        self.inputs.clear();
        self.outputs.clear();
        if !self.at.eat(b':') {
            return Err(self.at.expected("`:` and the operation's type"));
        }
        if !self.at.is_at(b'(') {
            let at = self.at.here();
            let ty = self.at.ty()?;
            let TypeData::Function { inputs, results } = &self.context()[ty] else {
                return Err(self.at.error_at(at, "expected function type"));
            };
            self.inputs.extend(inputs.iter().map(|&ty| TypeRef::from(ty)));
            self.outputs.extend(results.iter().map(|&ty| TypeRef::from(ty)));
            return Ok(());
        }
        self.at.seek(self.at.position() + 1);
        let mut types = std::mem::take(&mut self.inputs);
        let read = self.type_list(&mut types);
        self.inputs = types;
        read?;
        if !self.at.eat_arrow() {
            return Err(self.at.expected("`->` and the types of the results"));
        }
        let mut types = std::mem::take(&mut self.outputs);
        let read = if self.at.eat(b'(') { self.type_list(&mut types) } else { self.ty().map(|ty| types.push(ty)) };
        self.outputs = types;
        read
    }

    fn type_list(&mut self, types: &mut Vec<TypeRef>) -> Result<()> {
        if self.at.eat(b')') {
            return Ok(());
        }
        loop {
            types.push(if self.at.is_at(b'(') { self.at.ty()?.into() } else { self.ty()? });
            if self.at.eat(b')') {
                return Ok(());
            }
            if !self.at.eat(b',') {
                return Err(self.at.expected("`,` or `)` behind a type"));
            }
        }
    }

    /// Makes the results and operands of an operation, now that all is known.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn finish(
        &mut self,
        op: OpId,
        info: OperationInfo,
        location: AttributeRef,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
        operands: &[ValueName<'a>],
        results: &[ResultName<'a>],
        nest: Option<u32>,
    ) -> Result<()> {
        let dictionaries = self.dictionaries(info, attributes, properties)?;
        if nest.is_none() {
            self.note_line(op, info, dictionaries, operands);
        }
        self.finish_with(op, info, location, dictionaries, operands, results, nest)
    }

    /// The same, with the attributes as the operation has them.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn finish_with(
        &mut self,
        op: OpId,
        info: OperationInfo,
        location: AttributeRef,
        (attributes, properties): Dictionaries,
        operands: &[ValueName<'a>],
        results: &[ResultName<'a>],
        nest: Option<u32>,
    ) -> Result<()> {
        if operands.len() != self.inputs.len() {
            let message =
                format!("expected {} but had {}", Error::counted(operands.len(), "operand type"), self.inputs.len());
            let at = operands.first().map_or(self.at.position(), |operand| operand.at);
            return Err(self.at.error_at(at, message));
        }
        let named: u64 = results.iter().map(|result| u64::from(result.1)).sum();
        if let Some((name, _)) = results.first()
            && named != self.outputs.len() as u64
        {
            let message = match self.outputs.len() {
                0 => "cannot name an operation with no results".to_owned(),
                count => {
                    format!("operation defines {} but was provided {named} to bind", Error::counted(count, "result"))
                }
            };
            return Err(self.at.error_at(name.at, message));
        }
        let start = self.body().operand_start();
        let inputs = std::mem::take(&mut self.inputs);
        for (operand, &ty) in operands.iter().zip(&inputs) {
            self.operand(operand, ty, nest);
        }
        self.inputs = inputs;
        let build = self.builds.last_mut().expect("the first body is open to the end");
        let first = {
            let head = OpHead { name: info.name, location, attributes, properties };
            build.body.finish_operation(op, head, start, &self.outputs)
        };
        let mut first = first.index() as u32;
        for (name, count) in results {
            self.define(name, first, *count);
            first += count;
        }
        Ok(())
    }
}
