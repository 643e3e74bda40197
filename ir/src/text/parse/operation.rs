//! Parsing operations in generic form.

use super::module::{Dictionaries, Frame, ModuleParser};
use super::names::{Entry, Forward, ForwardUse, Meaning, ValueName};
use crate::attribute::{Attribute, AttributeData};
use crate::body::{AttributeRef, BlockId, IsolationMark, OpId, RegionId, TypeRef, Value};
use crate::context::OperationName;
use crate::error::{Error, Result};
use crate::ods::Traits;
use crate::text::print_type;
use crate::types::{Type, TypeData};

/// What is known of the operations of one name.
#[derive(Clone, Copy)]
pub(super) struct OperationInfo {
    name: OperationName,
    isolated: bool,
    has_properties: bool,
    /// What an operation has that is given neither attributes nor properties.
    plain: Dictionaries,
}

impl OperationInfo {
    pub(super) fn name(&self) -> OperationName {
        self.name
    }

    pub(super) fn has_properties(&self) -> bool {
        self.has_properties
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
    /// In custom form: `module`.
    custom: bool,
    info: OperationInfo,
    at: usize,
    results: Vec<ResultName<'a>>,
    operands: Vec<ValueName<'a>>,
    properties: Option<Attribute>,
    attributes: Option<Attribute>,
    /// Operands of the body when the regions began.
    first_slot: u32,
}

impl<'a> ModuleParser<'a> {
    /// Parses an operation up to its regions, or whole where it has none.
    pub(super) fn operation(&mut self) -> Result<()> {
        self.resume = self.at.here();
        self.results.clear();
        self.operands.clear();
        let result = self.result_names().and_then(|()| {
            let at = self.at.here();
            match self.at.text.get(at) {
                Some(b'"') => self.generic(at),
                _ => self.custom(at),
            }
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
    pub(super) fn value_name(&mut self) -> Result<ValueName<'a>> {
        let at = self.at.here();
        if self.at.text.get(at) != Some(&b'%') {
            return Err(self.at.expected("the name of a value"));
        }
        self.at.at += 1;
        let text = self.at.suffix_identifier()?;
        Ok(self.names.name(text, at))
    }

    /// Takes `%name` or `%name#1`.
    #[inline]
    fn operand_name(&mut self) -> Result<ValueName<'a>> {
        let mut name = self.value_name()?;
        if self.at.eat(b'#') {
            let start = self.at.at;
            match self.at.unsigned().map(u32::try_from) {
                Some(Ok(result)) => name.result = result,
                _ => return Err(self.at.error_at(start, "expected the number of a result")),
            }
        }
        Ok(name)
    }

    fn generic(&mut self, at: usize) -> Result<()> {
        let info = self.operation_info(at)?;
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
                done
            }
            None => {
                let results = std::mem::take(&mut self.results);
                let operands = std::mem::take(&mut self.operands);
                self.open(op, info, at, results, operands, None, properties, false);
                Ok(())
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn open(
        &mut self,
        op: OpId,
        info: OperationInfo,
        at: usize,
        results: Vec<ResultName<'a>>,
        operands: Vec<ValueName<'a>>,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
        custom: bool,
    ) {
        let first_slot = self.body().operand_start();
        if info.isolated {
            self.begin_body(Some(op));
        }
        let (isolated, regions) = (info.isolated, Vec::new());
        let holder = OpenOperation {
            op,
            isolated,
            regions,
            custom,
            info,
            at,
            results,
            operands,
            properties,
            attributes,
            first_slot,
        };
        self.begin_region(Some(Box::new(holder)));
    }

    /// `module @name attributes {...} {`
    fn custom(&mut self, at: usize) -> Result<()> {
        let word = self.at.peek_word();
        if word.is_empty() {
            return Err(self.at.expected("an operation: its name in quotes, or results before it"));
        }
        if !matches!(word, b"module" | b"builtin.module") {
            let name = word.escape_ascii();
            return Err(self.at.error(format!(
                "cannot read the custom assembly of `{name}`: expected the generic form, with the name in quotes"
            )));
        }
        if let Some((name, _)) = self.results.first() {
            return Err(self.at.error_at(name.at, "cannot name an operation with no results"));
        }
        self.at.word();
        let info = self.named_info(b"builtin.module");
        let mut properties = Vec::new();
        if self.at.is_at(b'@') {
            let name = self.at.symbol_name()?;
            properties.push((self.context().identifier("sym_name"), name.attribute()));
        }
        let properties = self.context().dictionary(properties)?;
        let mut attributes = None;
        if self.at.eat_word(b"attributes") {
            if !self.at.is_at(b'{') {
                return Err(self.at.expected("`{` behind `attributes`"));
            }
            attributes = Some(self.dictionary()?);
        }
        self.at.expect(b'{')?;
        let block = self.block_for_operation();
        let unknown = self.context().unknown_location().into();
        let op = self.body().begin_operation(block, info.name, unknown);
        self.open(op, info, at, Vec::new(), Vec::new(), attributes, Some(properties), true);
        // Its region always has a block.
        let region = self.frame().region;
        let block = self.body().push_block(region);
        self.frame().block = Some(block);
        Ok(())
    }

    /// The block that the next operation goes to: that of the last label, or one without a label.
    fn block_for_operation(&mut self) -> BlockId {
        if let Some(block) = self.frame().block {
            return block;
        }
        let region = self.frame().region;
        let block = self.body().push_block(region);
        *self.frame().block.insert(block)
    }

    /// Parses the name of an operation in quotes.
    fn operation_info(&mut self, at: usize) -> Result<OperationInfo> {
        let rest = &self.at.text[at + 1..];
        let length = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\' | b'\n')).unwrap_or(rest.len());
        if rest.get(length) == Some(&b'"')
            && let Some(&known) = self.operation_names.get(&rest[..length])
        {
            self.at.at = at + length + 2;
            return Ok(self.operations[known as usize]);
        }
        let name = self.at.string()?;
        if name.is_empty() {
            return Err(self.at.error_at(at, "empty operation name is invalid"));
        }
        if name.contains(&0) {
            return Err(self.at.error_at(at, "null character not allowed in operation name"));
        }
        let info = self.named_info(&name);
        if rest.get(length) == Some(&b'"') {
            self.operation_names.insert(&rest[..length], self.operations.len() as u32);
            self.operations.push(info);
        }
        Ok(info)
    }

    fn named_info(&self, name: &[u8]) -> OperationInfo {
        let context = self.context();
        let registered = context.find_definition(name).is_some();
        let name = context.operation_name(name, registered);
        let definition = context.definition(name);
        let has_properties = definition.is_some_and(|definition| !definition.properties.is_empty());
        let isolated = definition.is_some_and(|definition| definition.traits.contains(Traits::ISOLATED_FROM_ABOVE));
        let mut plain = (None, None);
        if has_properties {
            let properties = context.split_attributes(name, None, None).ok().and_then(|split| split.1);
            let empty = || context.attribute(AttributeData::Dictionary(Box::default()));
            plain.1 = Some(properties.unwrap_or_else(empty).into());
        }
        OperationInfo { name, isolated, has_properties, plain }
    }

    fn successors(&mut self) -> Result<Vec<(&'a [u8], usize)>> {
        let mut successors = Vec::new();
        self.at.expect(b'[')?;
        self.at.list(b']', |parser| {
            let at = parser.here();
            successors.push((parser.block_label()?, at));
            Ok(())
        })?;
        if successors.is_empty() {
            return Err(self.at.error_at(self.at.at - 1, "expected the name of a block"));
        }
        Ok(successors)
    }

    /// Parses what follows operands and regions: attributes, types, location. The types are left in `inputs` and `outputs`.
    fn tail(&mut self, at: usize) -> Result<(Option<Attribute>, AttributeRef)> {
        let attributes = if self.at.is_at(b'{') { Some(self.dictionary()?) } else { None };
        self.signature()?;
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
        self.at.at += 1;
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
    fn finish(
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
        let (attributes, properties) = self.dictionaries(info, attributes, properties)?;
        if operands.len() != self.inputs.len() {
            let message = format!("expected {} operand types but had {}", operands.len(), self.inputs.len());
            let at = operands.first().map_or(self.at.at, |operand| operand.at);
            return Err(self.at.error_at(at, message));
        }
        let named: u64 = results.iter().map(|result| u64::from(result.1)).sum();
        if let Some((name, _)) = results.first()
            && named != self.outputs.len() as u64
        {
            let message = match self.outputs.len() {
                0 => "cannot name an operation with no results".to_owned(),
                count => format!("operation defines {count} results but was provided {named} to bind"),
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
        let first = build.body.finish_operation(op, location, attributes, properties, start, &self.outputs);
        let mut first = first.index() as u32;
        for (name, count) in results {
            self.define(name, first, *count);
            first += count;
        }
        Ok(())
    }

    /// Pushes an operand.
    #[inline]
    fn operand(&mut self, name: &ValueName<'a>, ty: TypeRef, nest: Option<u32>) {
        let build = self.builds.last_mut().expect("the first body is open to the end");
        if let Some(Entry { scope, meaning: Meaning::Values(first, count) }) = self.names.get(name)
            && scope >= build.base
            && name.result < count
        {
            let value = Value::from_index((first + name.result) as usize);
            let slot = build.body.operand_start();
            if let Some(start) = nest {
                build.uses.used_by_nest(value, start);
            }
            build.uses.used(value, slot);
            build.body.push_operand(value);
            if build.body.ty(value) != ty {
                self.report_type(name, ty, value);
            }
            return;
        }
        self.unusual_operand(name, ty);
    }

    /// Pushes an operand that stands for no value of the body yet.
    #[cold]
    fn unusual_operand(&mut self, name: &ValueName<'a>, ty: TypeRef) {
        let build = self.builds.last_mut().expect("the first body is open to the end");
        let slot = build.body.operand_start();
        let scope = self.frames.last().map_or(0, |frame| frame.scope);
        build.body.push_operand(Value::from_index(0));
        let uses = |forward: &mut Forward<'a>| {
            forward.uses.push(ForwardUse { slot, result: name.result, ty, scope, at: name.at });
        };
        let message = match self.names.get(name) {
            Some(Entry { meaning: Meaning::Broken, .. }) => return,
            Some(Entry { scope, .. }) if scope < build.base => format!(
                "use of value `%{}`, which is defined outside of an operation that is isolated from above",
                name.text.escape_ascii()
            ),
            Some(Entry { meaning: Meaning::Forward(number), .. }) => {
                return uses(&mut self.names.forwards[number as usize]);
            }
            Some(Entry { meaning: Meaning::Values(..), .. }) => "reference to invalid result number".to_owned(),
            None => {
                let number = self.names.forwards.len() as u32;
                let mut forward = Forward { name: *name, uses: Vec::new() };
                uses(&mut forward);
                self.names.forwards.push(forward);
                self.names.set(name, Entry { scope: build.base, meaning: Meaning::Forward(number) });
                build.waiting += 1;
                return;
            }
        };
        self.report(name.at, message);
    }

    #[cold]
    fn report_type(&mut self, name: &ValueName<'a>, ty: TypeRef, value: Value) {
        let text = |parser: &Self, ty: TypeRef| {
            let ty = ty.get().ok().and_then(|ty: Type| print_type(parser.context(), ty).ok());
            ty.unwrap_or_else(|| "?".into())
        };
        let (used, defined) = (text(self, ty), text(self, self.builds[self.builds.len() - 1].body.ty(value)));
        let message = format!(
            "use of value `%{}` expects different type than its definition: `{used}` vs `{defined}`",
            name.text.escape_ascii()
        );
        self.report(name.at, message);
    }

    /// Lets a name stand for values from now on.
    #[inline]
    pub(super) fn define(&mut self, name: &ValueName<'a>, first: u32, count: u32) {
        let scope = self.frames.last().map_or(0, |frame| frame.scope);
        match self.names.get(name) {
            None => {}
            Some(Entry { scope: outer, meaning: Meaning::Forward(number) }) => {
                self.settle(name, outer, number, first, count);
            }
            Some(Entry { meaning: Meaning::Broken, .. }) => {}
            Some(Entry { meaning: Meaning::Values(..), .. }) => {
                let message = format!("redefinition of SSA value `%{}`", name.text.escape_ascii());
                return self.report(name.at, message);
            }
        }
        self.names.set(name, Entry { scope, meaning: Meaning::Values(first, count) });
    }

    /// Gives operands that wait for a value their value.
    fn settle(&mut self, name: &ValueName<'a>, outer: u32, number: u32, first: u32, count: u32) {
        let scope = self.frames.last().map_or(0, |frame| frame.scope);
        let build = self.builds.last_mut().expect("the first body is open to the end");
        let uses = std::mem::take(&mut self.names.forwards[number as usize].uses);
        if outer != build.base {
            // It waits in a body around this one.
            let message = format!("value `%{}` is used outside of what it is defined in", name.text.escape_ascii());
            return self.report(name.at, message);
        }
        build.waiting -= 1;
        for one in uses {
            if one.result >= count {
                self.report(one.at, "reference to invalid result number");
                continue;
            }
            let value = Value::from_index((first + one.result) as usize);
            let build = self.builds.last_mut().expect("the first body is open to the end");
            if build.body.ty(value) != one.ty {
                self.report_type(&ValueName { at: one.at, ..*name }, one.ty, value);
            } else if one.scope < scope {
                // Regions that opened since this one are inside it; all others are not.
                let message = format!("value `%{}` is used outside of its region", name.text.escape_ascii());
                self.report(one.at, message);
            } else {
                build.body.replace_pushed_operand(one.slot, value);
                build.uses.filled(value, one.slot);
            }
        }
    }

    /// Lets names stand for results that were not understood.
    fn define_broken(&mut self, names: &[ResultName<'a>]) {
        let scope = self.frames.last().map_or(0, |frame| frame.scope);
        for (name, _) in names {
            match self.names.get(name) {
                Some(Entry { meaning: Meaning::Values(..), .. }) => {}
                _ => self.names.set(name, Entry { scope, meaning: Meaning::Broken }),
            }
        }
    }

    /// Reports the values of the innermost body that were used and never defined.
    pub(super) fn report_waiting(&mut self) {
        let Some(build) = self.builds.last() else { return };
        if build.waiting == 0 || self.lost {
            return;
        }
        let waiting = self.names.forwards[build.first_forward..].iter().filter(|forward| !forward.uses.is_empty());
        let errors: Vec<Error> = waiting
            .map(|forward| {
                let name = forward.name.text.escape_ascii();
                Error::malformed(format!("use of undeclared SSA value name `%{name}`")).at(forward.name.at as u64)
            })
            .collect();
        self.errors.extend(errors);
    }

    /// Ends a region, and begins the next one or ends the operation.
    pub(super) fn end_region(&mut self) -> Result<()> {
        self.at.expect(b'}')?;
        self.resume = self.at.at;
        let Some(mut frame) = self.frames.pop() else { return Ok(()) };
        let holder = frame.holder.take();
        self.names.close_scope(frame.scope);
        self.resolve_successors(frame);
        let Some(mut holder) = holder else { return Ok(()) };
        let result = self.after_region(&mut holder);
        match result {
            Ok(true) => {
                self.begin_region(Some(holder));
                Ok(())
            }
            Ok(false) => Ok(()),
            Err(error) => {
                self.define_broken(&holder.results);
                Err(error)
            }
        }
    }

    /// What follows a region: true where it is another one.
    fn after_region(&mut self, holder: &mut OpenOperation<'a>) -> Result<bool> {
        let mut closed = Ok(());
        if !holder.custom {
            if self.at.eat(b',') {
                if self.at.eat(b'{') {
                    return Ok(true);
                }
                closed = Err(self.at.expected("`{` and another region"));
            } else if !self.at.eat(b')') {
                closed = Err(self.at.expected("`,` or `)` to end the list of regions"));
            }
        }
        let (op, count) = (holder.op, holder.regions.len());
        if holder.isolated {
            let child = self.end_body();
            self.body().set_child(op, child, count as u32, IsolationMark::Unknown);
        } else {
            self.body().close_regions(op, &holder.regions, IsolationMark::Unknown);
        }
        closed?;
        self.resume = self.at.at;
        let (attributes, location) = if holder.custom {
            self.inputs.clear();
            self.outputs.clear();
            let location = match self.at.trailing_location()? {
                Some(location) => location,
                None => self.location_of(holder.at)?,
            };
            (holder.attributes, location)
        } else {
            self.tail(holder.at)?
        };
        let nest = (!holder.isolated).then_some(holder.first_slot);
        if nest.is_some() {
            let last = self.body().operation_count() - 1;
            self.build().uses.nest(op, last);
        }
        let (operands, results) = (std::mem::take(&mut holder.operands), &holder.results);
        self.finish(op, holder.info, location, attributes, holder.properties, &operands, results, nest)?;
        Ok(false)
    }

    /// Resolves the names of blocks in a region that ends.
    pub(super) fn resolve_successors(&mut self, frame: Frame<'a>) {
        for (op, names) in frame.successors {
            let mut blocks = Vec::with_capacity(names.len());
            for (name, at) in names {
                match frame.blocks.get(name) {
                    Some(&block) => blocks.push(block),
                    None if self.lost => {}
                    None => {
                        self.report(at, format!("reference to an undefined block `^{}`", name.escape_ascii()));
                    }
                }
            }
            self.body().push_successors(op, blocks.into_iter());
        }
    }

    /// Parses `^name(%a: type, ...):`
    pub(super) fn block(&mut self) -> Result<()> {
        let start = self.at.here();
        self.resume = start;
        let label = self.at.block_label()?;
        let mut arguments = Vec::new();
        if self.at.eat(b'(') && !self.at.eat(b')') {
            loop {
                let name = self.value_name()?;
                self.at.expect(b':')?;
                let ty = self.any_type()?;
                let location = match self.at.trailing_location()? {
                    Some(location) => location,
                    None => self.location_of(name.at)?,
                };
                arguments.push((name, ty, location));
                if self.at.eat(b')') {
                    break;
                }
                if !self.at.eat(b',') {
                    return Err(self.at.expected("`,` or `)` behind a block argument"));
                }
            }
        }
        self.at.expect(b':')?;
        let region = self.frame().region;
        let block = self.body().push_block(region);
        self.frame().block = Some(block);
        if self.frame().blocks.insert(label, block).is_some() {
            self.report(start, format!("redefinition of block `^{}`", label.escape_ascii()));
        }
        let unknown = AttributeRef::from(self.context().unknown_location());
        let body = self.body();
        let none = match arguments.first() {
            Some(first) => first.1,
            None => return Ok(()),
        };
        let first = body.push_values(arguments.len(), none).index();
        let defined = arguments.iter().enumerate().map(|(at, &(_, ty, location))| {
            (Value::from_index(first + at), ty, Some(location).filter(|&location| location != unknown))
        });
        body.define_arguments(block, defined);
        for (at, (name, ..)) in arguments.iter().enumerate() {
            self.define(name, (first + at) as u32, 1);
        }
        Ok(())
    }
}
