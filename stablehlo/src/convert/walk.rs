//! Rebuilding a module, body by body: every operation is converted, and bodies are parted where their dialects isolate.
//!
//! A value of an operation that is converted changes its type; what is not converted and takes it gets it through a
//! `builtin.unrealized_conversion_cast`, and so the other way round. They stand where MLIR's conversion puts them: behind what gives the
//! value, those made last first.

use hashbrown::HashMap;
use mlirbc_ir::ods::Traits;
use mlirbc_ir::{
    AttributeRef, BlockId, Body, BodyBuilder, BodyId, Context, Error, IsolationMark, Module, OpHead, OpId, OpRef,
    OperationName, RegionId, Result, Type, TypeRef, Value, ValueOwner,
};

use super::Target;
use super::attributes::Since;
use super::needs::Needs;
use super::operation::{Converted, base, lower, raise, versioned};
use super::order::Late;
use crate::vhlo::forms::code;
use crate::vhlo::types::parts;
use crate::vhlo::{Version, from_builtin, to_builtin};

const CAST: &str = "builtin.unrealized_conversion_cast";

/// What tells apart operations that become the same.
type Key = (OperationName, Option<AttributeRef>, Option<AttributeRef>);

pub(super) struct Walk<'m> {
    module: &'m Module,
    context: &'m Context,
    target: Target,
    made: Vec<Made>,
    /// Values of the bodies that are read, by body: none of those that were not entered.
    values: Vec<Option<Values>>,
    types: HashMap<TypeRef, ConvertedType>,
    /// Types of results, kept to allocate seldom.
    results: Vec<TypeRef>,
    operations: HashMap<Key, Converted>,
    /// By number of the name: whether operations of that name are converted.
    natives: Vec<Option<bool>>,
    pub(super) since: Since,
    pub(super) needs: Option<Needs>,
}

/// What a type becomes.
#[derive(Clone, Copy)]
pub(super) struct ConvertedType {
    ty: Type,
    /// Since which version `vhlo` has it, and whether it is a future.
    pub(super) since: Version,
    pub(super) is_future: bool,
}

/// A body that is being made.
struct Made {
    body: BodyBuilder,
    owner: Option<(BodyId, OpId)>,
    late: Late,
    /// Whether some value was promised before what gives it was made, or before others that come first: values are not numbered as they stand.
    is_disordered: bool,
}

impl Made {
    fn new(body: BodyBuilder, owner: Option<(BodyId, OpId)>) -> Self {
        Made { body, owner, late: Late::default(), is_disordered: false }
    }

    fn finish(mut self, target: Target, none: Type) -> (Body, Option<(BodyId, OpId)>) {
        // Older bytecode has no place for orders.
        if matches!(target, Target::Vhlo(version) if version.minor_release().bytecode() >= 3) {
            self.late.note_orders(&mut self.body);
        }
        if self.is_disordered {
            // A value that nothing gives says so: numbers are then looked up.
            self.body.push_values(1, none.into());
        }
        (self.body.finish(), self.owner)
    }
}

/// What became of the values of a body.
struct Values {
    /// Each in which body, and as what.
    of: Vec<Option<(u32, Value)>>,
    /// By block: what was made of it.
    blocks: Vec<Option<BlockId>>,
    /// Those that are needed in their other type: in which order that was found out, and who said so first.
    wanted: HashMap<Value, (usize, AttributeRef)>,
    /// Them in that type.
    cast: HashMap<Value, Value>,
}

/// A region whose operations are being made.
struct Frame<'m> {
    from: (BodyId, &'m Body),
    to: u32,
    region: RegionId,
    made: RegionId,
    /// Whether it is of an operation that is converted, and of a function.
    is_native: bool,
    is_function: bool,
    /// What comes next: none where it was not begun.
    at: Option<(BlockId, Option<OpId>)>,
    is_begun: bool,
}

impl<'m> Walk<'m> {
    pub(super) fn new(module: &'m Module, target: Target, needs: Option<Needs>) -> Self {
        Walk {
            module,
            context: module.context(),
            target,
            made: Vec::new(),
            values: Vec::new(),
            types: HashMap::new(),
            results: Vec::new(),
            operations: HashMap::new(),
            natives: Vec::new(),
            since: Since::default(),
            needs,
        }
    }

    pub(super) fn run(&mut self) -> Result<Module> {
        let top = BodyId::from_index(Module::TOP);
        let body = self.module.body(top)?;
        self.made.push(Made::new(BodyBuilder::new(body.top_regions().len() as u32), None));
        let mut stack = Vec::new();
        self.enter(top)?;
        for (at, &region) in body.top_regions().iter().enumerate().rev() {
            let made = self.made[0].body.top_regions()[at];
            stack.push(Frame::new((top, body), 0, region, made, false, false));
        }
        while let Some(frame) = stack.pop() {
            self.step(frame, &mut stack)?;
        }
        let made = std::mem::take(&mut self.made);
        let bodies = made.into_iter().map(|made| made.finish(self.target, self.context.none_type())).collect();
        let mut converted = Module::from_bodies(self.context, self.module.source().cloned(), bodies);
        let resources = self.module.resources()?;
        if !resources.is_empty() {
            *converted.resources_mut()? = resources.to_vec();
        }
        Ok(converted)
    }

    /// Whether operations of that name are converted.
    fn is_native(&mut self, name: OperationName) -> bool {
        let (context, target, at) = (self.context, self.target, name.raw() as usize);
        if at >= self.natives.len() {
            self.natives.resize(at + 1, None);
        }
        *self.natives[at].get_or_insert_with(|| {
            let text = context.operation_str(name);
            match target {
                Target::StableHlo => versioned(&text).is_some(),
                Target::Vhlo(_) => base(&text).is_some(),
            }
        })
    }

    /// Whether a value is given by what is converted.
    fn is_value_native(&mut self, id: BodyId, body: &Body, value: Value) -> bool {
        let of = match body.owner(value) {
            Some(ValueOwner::Result(op, _)) => Some((body, op)),
            Some(ValueOwner::Argument(block, _)) => {
                let region = body.region_of(block);
                match region.and_then(|region| body.operation_of(region)) {
                    Some(op) => Some((body, op)),
                    None => self.module.owner(id).and_then(|(id, op)| Some((self.module.loaded(id)?, op))),
                }
            }
            None => None,
        };
        of.is_some_and(|(body, op)| self.is_native(body.name(op)))
    }

    /// Makes room for what becomes of a body, and finds out which values are needed in two types.
    fn enter(&mut self, id: BodyId) -> Result<()> {
        let body = self.module.body(id)?;
        let mut wanted = HashMap::new();
        if matches!(self.target, Target::Vhlo(_)) {
            let is_module = |name: OperationName| self.context.operation_text(name) == b"builtin.module";
            let ops = || body.preorder();
            if ops().any(|op| !is_module(body.name(op)) && !self.is_native(body.name(op))) {
                for op in ops() {
                    let is_native = self.is_native(body.name(op));
                    for &operand in body.operands(op) {
                        if is_native != self.is_value_native(id, body, operand) {
                            let next = wanted.len();
                            wanted.entry(operand).or_insert((next, body.location(op)));
                        }
                    }
                }
            }
        }
        let (of, blocks) = (vec![None; body.value_count()], vec![None; body.block_count()]);
        if id.index() >= self.values.len() {
            self.values.resize_with(id.index() + 1, || None);
        }
        self.values[id.index()] = Some(Values { of, blocks, wanted, cast: HashMap::new() });
        Ok(())
    }

    fn values(&self, id: BodyId) -> Option<&Values> {
        self.values.get(id.index())?.as_ref()
    }

    fn values_mut(&mut self, id: BodyId) -> Option<&mut Values> {
        self.values.get_mut(id.index())?.as_mut()
    }

    /// The type that a value has, if it is converted.
    fn ty(&mut self, ty: TypeRef) -> Result<Type> {
        Ok(self.converted_type(ty)?.ty)
    }

    /// The same, and what of `vhlo` it needs.
    pub(super) fn converted_type(&mut self, ty: TypeRef) -> Result<ConvertedType> {
        if let Some(&known) = self.types.get(&ty) {
            return Ok(known);
        }
        let of = self.module.ty(ty)?;
        let converted = match self.target {
            Target::StableHlo => match to_builtin(self.context, of) {
                Some(ty) => Some(ty),
                None => Some(of).filter(|&of| parts(self.context, of).is_none()),
            },
            Target::Vhlo(_) => from_builtin(self.context, of),
        };
        let converted = converted
            .ok_or_else(|| Error::verification(format!("nothing stands for the type {}", self.context.show(of))))?;
        self.context[converted].verify(self.context)?;
        let converted = ConvertedType {
            ty: converted,
            since: self.since.ty(self.context, converted, 0),
            is_future: matches!(parts(self.context, converted), Some((code::FUTURE, _))),
        };
        self.types.insert(ty, converted);
        Ok(converted)
    }

    /// Goes on with the innermost region.
    fn step(&mut self, mut frame: Frame<'m>, stack: &mut Vec<Frame<'m>>) -> Result<()> {
        let body = frame.from.1;
        if !frame.is_begun {
            self.begin(&mut frame)?;
        }
        while let Some((block, op)) = frame.at {
            let Some(op) = op else {
                frame.at = body.next_block(block).map(|block| (block, body.first_operation(block)));
                if let Some((block, _)) = frame.at {
                    self.cast_arguments(&frame, block)?;
                }
                continue;
            };
            frame.at = Some((block, body.next_operation(op)));
            let depth = stack.len();
            let op = OpRef::new(self.module, frame.from.0, body, op);
            self.operation(&frame, block, op, stack).map_err(|error| placed(error, op))?;
            if stack.len() > depth {
                // What is in it comes before what follows it.
                stack.insert(depth, frame);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes the blocks of a region, with their arguments.
    fn begin(&mut self, frame: &mut Frame<'m>) -> Result<()> {
        let (id, body) = frame.from;
        for block in body.blocks(frame.region) {
            let made = self.made[frame.to as usize].body.push_block(frame.made);
            let arguments = body.arguments(block);
            if let Some(&first) = arguments.first() {
                // Those of later blocks come before results of the first.
                self.made[frame.to as usize].is_disordered |= body.first_block(frame.region) != Some(block);
                self.promised(id, first, frame.to);
                self.value(id, body, first, frame.to)?;
            }
            let mut all = Vec::with_capacity(arguments.len());
            for (&argument, &location) in arguments.iter().zip(body.argument_locations(block)) {
                let ty = self.given_type(body.ty(argument), frame.is_native)?;
                all.push((self.value(id, body, argument, frame.to)?, ty, location));
            }
            self.made[frame.to as usize].body.define_arguments(made, all.into_iter());
            if let Some(values) = self.values_mut(id) {
                values.blocks[block.index()] = Some(made);
            }
        }
        frame.is_begun = true;
        frame.at = body.first_block(frame.region).map(|block| (block, body.first_operation(block)));
        if let Some((block, _)) = frame.at {
            self.cast_arguments(frame, block)?;
        }
        Ok(())
    }

    /// The type of a value that is given by what is converted, or not.
    fn given_type(&mut self, ty: TypeRef, is_native: bool) -> Result<TypeRef> {
        match (is_native, self.target) {
            (true, _) | (false, Target::StableHlo) => Ok(self.ty(ty)?.into()),
            (false, Target::Vhlo(_)) => Ok(ty),
        }
    }

    fn cast_arguments(&mut self, frame: &Frame<'m>, block: BlockId) -> Result<()> {
        let (id, body) = frame.from;
        let arguments = body.arguments(block);
        if arguments.is_empty() || self.values(id).is_none_or(|values| values.wanted.is_empty()) {
            return Ok(());
        }
        let values: Vec<_> = arguments.iter().copied().zip(body.argument_locations(block).iter().copied()).collect();
        self.cast(frame, block, values, frame.is_native)
    }

    /// Puts casts of these values at the end of what there is of the block.
    fn cast(
        &mut self,
        frame: &Frame<'m>,
        block: BlockId,
        values: Vec<(Value, Option<AttributeRef>)>,
        is_native: bool,
    ) -> Result<()> {
        let (id, body) = frame.from;
        let Some(known) = self.values(id) else { return Ok(()) };
        let mut casts: Vec<_> = values
            .into_iter()
            .enumerate()
            .filter_map(|(at, (value, location))| {
                let &(order, user) = known.wanted.get(&value)?;
                Some(if is_native { (at, value, location.unwrap_or(user)) } else { (order, value, user) })
            })
            .collect();
        casts.sort_unstable_by_key(|cast| std::cmp::Reverse(cast.0));
        let block = known.blocks[block.index()];
        let name = self.context.operation_name(CAST, true);
        for (_, value, location) in casts {
            let from = self.value(id, body, value, frame.to)?;
            let to = self.casted(id, body, value, frame.to)?;
            let ty = if is_native { body.ty(value) } else { self.ty(body.ty(value))?.into() };
            let Some(block) = block else { continue };
            let Made { body: made, late, .. } = &mut self.made[frame.to as usize];
            let start = made.operand_start();
            made.push_operand(from);
            let op = made.push_operation(block, OpHead::new(name, location), start, (to, 1));
            made.define_result(to, op, ty);
            late.casts.insert(op);
            if !is_native {
                late.shared.insert(op);
            }
        }
        Ok(())
    }

    /// Notes whether a value that is about to be given has been promised.
    fn promised(&mut self, id: BodyId, value: Value, to: u32) {
        let is_promised =
            self.values(id).is_some_and(|values| values.of.get(value.index()).is_some_and(Option::is_some));
        self.made[to as usize].is_disordered |= is_promised;
    }

    /// What a value becomes. Where it is not there yet, it is promised, and all that are given with it.
    fn value(&mut self, id: BodyId, body: &Body, value: Value, to: u32) -> Result<Value> {
        let Some(Some(values)) = self.values.get_mut(id.index()) else {
            return Err(Error::misuse("a body that was not entered"));
        };
        match values.of.get(value.index()) {
            Some(&Some((of, value))) if of == to => return Ok(value),
            Some(None) => {}
            _ => return Err(Error::verification("a value is used in what is isolated from where it is given")),
        }
        let (number, count) = match body.owner(value) {
            Some(ValueOwner::Result(op, number)) => (number, body.result_count(op)),
            Some(ValueOwner::Argument(block, number)) => (number, body.arguments(block).len()),
            None => return Err(Error::verification("a value that nothing gives is used")),
        };
        let first = self.made[to as usize].body.push_values(count, body.ty(value));
        let note = |each: (usize, Value)| {
            values.of[each.1.index()] = Some((to, Value::from_index(first.index() + each.0)));
        };
        match body.owner(value) {
            Some(ValueOwner::Result(op, _)) => body.results(op).enumerate().for_each(note),
            Some(ValueOwner::Argument(block, _)) => body.arguments(block).iter().copied().enumerate().for_each(note),
            None => {}
        }
        Ok(Value::from_index(first.index() + number))
    }

    /// A value in its other type.
    fn casted(&mut self, id: BodyId, body: &Body, value: Value, to: u32) -> Result<Value> {
        // It has to be of the same body.
        self.value(id, body, value, to)?;
        let Some(Some(values)) = self.values.get_mut(id.index()) else {
            return Err(Error::misuse("a body that was not entered"));
        };
        let made = &mut self.made[to as usize].body;
        Ok(*values.cast.entry(value).or_insert_with(|| made.push_values(1, body.ty(value))))
    }

    /// Lets the result of a cast that has become pointless be what it casts.
    fn drops_cast(&mut self, frame: &Frame<'m>, op: OpRef<'m>) -> Result<bool> {
        if self.target != Target::StableHlo {
            return Ok(false);
        }
        let (id, body) = frame.from;
        let (&[from], Some(result)) = (op.operands(), op.results().next()) else { return Ok(false) };
        if op.results().len() != 1 || !op.is(CAST) {
            return Ok(false);
        }
        if self.ty(body.ty(from))? != self.ty(body.ty(result))? {
            return Ok(false);
        }
        let value = self.value(id, body, from, frame.to)?;
        let Some(values) = self.values_mut(id) else { return Ok(false) };
        // What used it before, in a graph, uses what it was promised.
        let place = &mut values.of[result.index()];
        if place.is_some() {
            return Ok(false);
        }
        *place = Some((frame.to, value));
        Ok(true)
    }

    fn converted(&mut self, op: OpRef<'m>) -> Result<Converted> {
        let (body, id) = (op.body(), op.id());
        let key = (op.operation_name(), body.attributes(id), body.properties(id));
        if let Some(known) = self.operations.get(&key) {
            return Ok(*known);
        }
        let converted = match self.target {
            Target::StableHlo => lower(op)?,
            Target::Vhlo(version) => raise(op, version, &mut self.since)?,
        };
        self.operations.insert(key, converted);
        Ok(converted)
    }

    fn operation(
        &mut self,
        frame: &Frame<'m>,
        block: BlockId,
        op: OpRef<'m>,
        stack: &mut Vec<Frame<'m>>,
    ) -> Result<()> {
        let ((id, body), to) = (frame.from, frame.to as usize);
        if self.drops_cast(frame, op)? {
            return Ok(());
        }
        let converted = self.converted(op)?;
        let is_native = converted.is_native;
        let start = self.made[to].body.operand_start();
        let has_casts = self.values(id).is_some_and(|values| !values.wanted.is_empty());
        for &operand in op.operands() {
            let other = has_casts && self.is_value_native(id, body, operand) != is_native;
            let operand = match other {
                true => self.casted(id, body, operand, frame.to)?,
                false => self.value(id, body, operand, frame.to)?,
            };
            self.made[to].body.push_operand(operand);
        }
        let mut results = std::mem::take(&mut self.results);
        for result in op.results() {
            results.push(self.given_type(body.ty(result), is_native)?);
        }
        if is_native && let Target::Vhlo(target) = self.target {
            self.check(op, &converted, target)?;
        }
        let first = match op.results().next() {
            Some(first) => {
                self.promised(id, first, frame.to);
                self.value(id, body, first, frame.to)?
            }
            None => Value::from_index(self.made[to].body.value_count()),
        };
        let successors: Vec<BlockId> = {
            let blocks = self.values(id).map(|values| &values.blocks);
            let made = |block: &BlockId| blocks.and_then(|blocks| blocks[block.index()]);
            let all: Option<Vec<_>> = body.successors(op.id()).iter().map(made).collect();
            all.ok_or_else(|| Error::verification("it goes on to a block of another region"))?
        };
        let made_block = self.values(id).and_then(|values| values.blocks[block.index()]);
        let Some(made_block) = made_block else { return Err(Error::misuse("a block that was not made")) };
        let name = if frame.is_function { converted.name_in_function } else { converted.name };
        let (attributes, properties) = converted.attributes;
        let head = OpHead {
            name,
            location: body.location(op.id()),
            attributes: attributes.map(AttributeRef::from),
            properties: properties.map(AttributeRef::from),
        };
        let Made { body: made, late, .. } = &mut self.made[to];
        let new = made.push_operation(made_block, head, start, (first, results.len() as u32));
        for (at, ty) in results.drain(..).enumerate() {
            made.define_result(Value::from_index(first.index() + at), new, ty);
        }
        self.results = results;
        if converted.is_lowered {
            late.lowered.insert(new);
        }
        if !successors.is_empty() {
            made.push_successors(new, successors.into_iter());
        }
        if has_casts && op.results().len() > 0 {
            let location = Some(body.location(op.id()));
            let values = op.results().map(|result| (result, location)).collect();
            self.cast(frame, block, values, is_native)?;
        }
        self.regions(frame, op, (name, new, is_native), stack)
    }

    /// Makes the regions of an operation, which are gone through next.
    fn regions(
        &mut self,
        frame: &Frame<'m>,
        op: OpRef<'m>,
        (name, new, is_native): (OperationName, OpId, bool),
        stack: &mut Vec<Frame<'m>>,
    ) -> Result<()> {
        let body = frame.from.1;
        let count = body.region_count_of(op.id());
        if count == 0 {
            return Ok(());
        }
        let has_own = body.region_body(op.id()).is_some();
        let is_isolated = match self.context.definition(name) {
            Some(definition) => definition.traits.contains(Traits::ISOLATED_FROM_ABOVE),
            None => has_own,
        };
        let (from_id, from, regions) = op.region_tree()?;
        if from_id != frame.from.0 && self.values(from_id).is_none() {
            self.enter(from_id)?;
        }
        let is_empty = regions.iter().all(|&region| from.first_block(region).is_none());
        let to = frame.to as usize;
        let (to, made): (u32, Vec<RegionId>) = if is_isolated {
            let next = BodyId::from_index(self.made.len());
            let own = Some(next).filter(|_| !is_empty);
            self.made[to].body.set_region_body(new, own, count as u32, IsolationMark::Unknown);
            if is_empty {
                return Ok(());
            }
            let inner = BodyBuilder::new(count as u32);
            let regions = inner.top_regions().to_vec();
            self.made.push(Made::new(inner, Some((BodyId::from_index(to), new))));
            (next.index() as u32, regions)
        } else {
            let made = &mut self.made[to].body;
            made.push_regions(new, count as u32, IsolationMark::Unknown);
            (frame.to, made.regions(new).collect())
        };
        let is_function = matches!(&*self.context.operation_str(name), "func.func");
        for (&region, made) in regions.iter().zip(made).rev() {
            stack.push(Frame::new((from_id, from), to, region, made, is_native, is_function));
        }
        Ok(())
    }
}

impl<'m> Frame<'m> {
    fn new(
        from: (BodyId, &'m Body),
        to: u32,
        region: RegionId,
        made: RegionId,
        is_native: bool,
        is_function: bool,
    ) -> Self {
        Frame { from, to, region, made, is_native, is_function, at: None, is_begun: false }
    }
}

/// The error, with the operation that it is of.
pub(super) fn placed(error: Error, op: OpRef<'_>) -> Error {
    if error.message().starts_with('`') {
        return error;
    }
    let line = op.source_line().map(|line| format!(" ({line})")).unwrap_or_default();
    Error::new(error.kind(), format!("`{}` at {}{line}: {}", op.name(), op.path(), error.message()))
}
