//! Names of values and blocks in custom assembly: numbers, and the names that operations give their results.

use std::cell::Cell;
use std::collections::HashMap;

use super::pool::Pool;
use super::result_names::Naming;
use crate::hooks::{ArgumentNamesFn, TextHooks};
use mlirbc_ir::text::push_decimal;
use mlirbc_ir::{
    BlockId, Body, BodyId, Error, Module, OpId, OpKey, OpRef, OperationName, RegionId, Result, Value, ValueOwner,
};

/// Marks a name of the pool.
const NAMED: u32 = 1 << 31;
/// Marks the results of operations with several.
const SEVERAL: u32 = 1 << 30;
const MOST: u32 = SEVERAL - 2;

/// How many kinds of operations are told apart by what they name.
const MOST_ALIKE: usize = 1 << 14;

/// The names of one body.
#[derive(Default)]
struct BodyNames {
    /// By value: 0 where it has none, else one more than its number or, with [`NAMED`], its place in the pool. That of a result of
    /// several is marked with [`SEVERAL`], also where it has none.
    values: Vec<u32>,
    /// By block: its place in its region.
    blocks: Vec<u32>,
    /// The results at which groups of results begin, of operations with several groups.
    groups: HashMap<OpId, Vec<u32>, hashbrown::DefaultHashBuilder>,
    /// By operation: one more than its kind, where that is known.
    kinds: Vec<u32>,
}

impl BodyNames {
    fn is_named(&self, value: Value) -> bool {
        self.values[value.index()] & !SEVERAL != 0
    }
}

/// What is taken where a region begins.
#[derive(Clone, Copy, Default)]
struct Taken {
    values: u32,
    arguments: u32,
    conflicts: u32,
}

/// The names of all values and blocks that are printed.
#[derive(Default)]
pub(super) struct Names {
    bodies: Vec<BodyNames>,
    /// Where in `bodies` the names of a body are.
    places: HashMap<BodyId, usize, hashbrown::DefaultHashBuilder>,
    /// The body that was asked for last, and its place.
    last: Cell<Option<(BodyId, usize)>>,
    pool: Pool,
    /// By number of the name: how operations name results.
    naming: Vec<Option<Naming>>,
    /// What operations without operands name, as `named` and `texts` have it.
    alike: HashMap<(OperationName, OpKey), Alike, hashbrown::DefaultHashBuilder>,
    /// How they name arguments.
    argument_names: HashMap<OperationName, Option<ArgumentNamesFn>, hashbrown::DefaultHashBuilder>,
    /// What an operation names, with where in `texts` the names end. Kept to allocate seldom.
    named: Vec<(usize, usize)>,
    texts: Vec<u8>,
}

/// The names that an operation gives, and their texts.
type Alike = (Box<[(usize, usize)]>, Box<[u8]>);

enum Task<'m> {
    Enter(BodyId, &'m Body, RegionId, Option<OpRef<'m>>, usize, Taken),
    /// Forget the names that were used since.
    Leave(usize),
}

impl Names {
    /// Names everything in the regions of an operation, and all that is in the bodies inside.
    pub(super) fn number(&mut self, op: OpRef<'_>) -> Result<()> {
        let at = self.prepare(op.body_id(), op.body());
        let mut taken = Taken::default();
        self.operation(at, op, &mut taken)?;
        let mut tasks = Vec::new();
        push_regions(&mut tasks, op, taken)?;
        self.run(op.module(), tasks)
    }

    /// The same, and around the operation as much as its own names depend on: they are those that it has where the whole body is printed.
    pub(super) fn number_in_place(&mut self, op: OpRef<'_>) -> Result<()> {
        let (module, id, body) = (op.module(), op.body_id(), op.body());
        let mut around = Vec::new();
        let mut inner = op.id();
        while let Some(region) = body.block_of(inner).and_then(|block| body.region_of(block)) {
            let parent = body.parent(inner);
            let (parent_op, regions) = match parent {
                Some(parent) => (Some(op.at(parent)), body.regions(parent).collect()),
                None => {
                    let owner = module.owner(id).and_then(|(body, op)| module.operation(body, op).ok());
                    (owner, body.top_regions().to_vec())
                }
            };
            let number = regions.iter().position(|it| *it == region).unwrap_or_default();
            around.push((region, parent_op, number));
            let Some(parent) = parent else { break };
            inner = parent;
        }
        if around.is_empty() {
            return self.number(op);
        }
        self.prepare(id, body);
        let mut taken = Taken::default();
        for (region, parent_op, number) in around.into_iter().rev() {
            self.region(module, (id, body, region), parent_op, number, &mut taken)?;
        }
        let mut tasks = Vec::new();
        push_regions(&mut tasks, op, taken)?;
        self.run(module, tasks)
    }

    /// The same for a whole body, the outermost of a module.
    pub(super) fn number_body<'m>(&mut self, module: &'m Module, id: BodyId, body: &'m Body) -> Result<()> {
        self.prepare(id, body);
        let mut tasks: Vec<Task<'m>> = Vec::new();
        let mut taken = Taken::default();
        for &region in body.top_regions() {
            self.region(module, (id, body, region), None, 0, &mut taken)?;
        }
        for op in
            body.top_regions().iter().flat_map(|&region| body.blocks(region)).flat_map(|block| body.operations(block))
        {
            push_regions(&mut tasks, OpRef::new(module, id, body, op), taken)?;
        }
        self.run(module, tasks)
    }

    /// Makes room for the names of a body. Gives their place.
    fn prepare(&mut self, id: BodyId, body: &Body) -> usize {
        let at = self.place(id).unwrap_or_else(|| {
            self.places.insert(id, self.bodies.len());
            self.bodies.push(BodyNames::default());
            self.bodies.len() - 1
        });
        let names = &mut self.bodies[at];
        if names.values.is_empty() {
            names.values.resize(body.value_count(), 0);
            names.blocks.resize(body.block_count(), 0);
        }
        at
    }

    fn run<'m>(&mut self, module: &'m Module, mut tasks: Vec<Task<'m>>) -> Result<()> {
        while let Some(task) = tasks.pop() {
            let (id, body, region, parent_op, number, mut taken) = match task {
                Task::Leave(length) => {
                    self.pool.release(length);
                    continue;
                }
                Task::Enter(id, body, region, parent_op, number, taken) => (id, body, region, parent_op, number, taken),
            };
            tasks.push(Task::Leave(self.pool.taken()));
            self.region(module, (id, body, region), parent_op, number, &mut taken)?;
            for block in body.blocks(region) {
                for op in body.operations(block) {
                    if body.region_count_of(op) > 0 {
                        push_regions(&mut tasks, OpRef::new(module, id, body, op), taken)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn region<'m>(
        &mut self,
        module: &'m Module,
        (id, body, region): (BodyId, &'m Body, RegionId),
        parent_op: Option<OpRef<'m>>,
        number: usize,
        taken: &mut Taken,
    ) -> Result<()> {
        let at = self.prepare(id, body);
        if let (Some(parent_op), Some(first)) = (parent_op, body.first_block(region)) {
            let find = || TextHooks::argument_names(parent_op.module().context(), &parent_op.name());
            if let Some(names) = *self.argument_names.entry(parent_op.operation_name()).or_insert_with(find) {
                let arguments = body.arguments(first);
                self.gather(|set| names(parent_op, number, arguments.len(), set))?;
                self.give(at, &|number| arguments.get(number).copied(), &mut |_| {}, taken);
            }
        }
        let first = body.first_block(region);
        for (number, block) in body.blocks(region).enumerate() {
            self.bodies[at].blocks[block.index()] = number as u32;
            for &argument in body.arguments(block) {
                if self.bodies[at].is_named(argument) {
                    continue;
                }
                if Some(block) == first {
                    let mut name = std::mem::take(&mut self.texts);
                    name.clear();
                    name.extend_from_slice(b"arg");
                    push_decimal(&mut name, taken.arguments.into());
                    taken.arguments += 1;
                    self.set(at, argument, &name, taken);
                    self.texts = name;
                } else {
                    self.set(at, argument, b"", taken);
                }
            }
            for op in body.operations(block) {
                self.operation(at, OpRef::new(module, id, body, op), taken)?;
            }
            if taken.values.max(taken.arguments).max(taken.conflicts).max(self.pool.len() as u32) > MOST / 2 {
                return Err(Error::misuse("too many values to name"));
            }
        }
        Ok(())
    }

    fn place(&self, id: BodyId) -> Option<usize> {
        match self.last.get() {
            Some((last, at)) if last == id => Some(at),
            _ => {
                let at = *self.places.get(&id)?;
                self.last.set(Some((id, at)));
                Some(at)
            }
        }
    }

    fn known(&self, id: BodyId) -> Option<&BodyNames> {
        self.bodies.get(self.place(id)?)
    }

    /// Notes what something names.
    fn gather(&mut self, names: impl FnOnce(&mut dyn FnMut(usize, &[u8])) -> Result<()>) -> Result<()> {
        self.named.clear();
        self.texts.clear();
        let (named, texts) = (&mut self.named, &mut self.texts);
        names(&mut |at, name| {
            texts.extend_from_slice(name);
            named.push((at, texts.len()));
        })
    }

    /// Gives values the names that were noted, those that have none yet. Calls `then` with the number of each.
    fn give(
        &mut self,
        at: usize,
        value: &dyn Fn(usize) -> Option<Value>,
        then: &mut dyn FnMut(usize),
        taken: &mut Taken,
    ) {
        let (named, texts) = (std::mem::take(&mut self.named), std::mem::take(&mut self.texts));
        let mut start = 0;
        for &(number, end) in &named {
            if let Some(value) = value(number).filter(|&value| !self.bodies[at].is_named(value)) {
                self.set(at, value, &texts[start..end], taken);
                then(number);
            }
            start = end;
        }
        (self.named, self.texts) = (named, texts);
    }

    /// Notes what an operation names. Those without operands that are alike name the same.
    fn names_of(&mut self, naming: Naming, op: OpRef<'_>) -> Result<()> {
        let key = op.body().view(op.id()).key().filter(|key| key.operands == 0).map(|key| (op.operation_name(), key));
        if let Some((named, texts)) = key.and_then(|key| self.alike.get(&key)) {
            self.named.clear();
            self.named.extend_from_slice(named);
            self.texts.clear();
            self.texts.extend_from_slice(texts);
            return Ok(());
        }
        self.gather(|set| naming.names(op, set))?;
        if let Some(key) = key.filter(|_| self.alike.len() < MOST_ALIKE) {
            self.alike.insert(key, (self.named.as_slice().into(), self.texts.as_slice().into()));
        }
        Ok(())
    }

    fn operation(&mut self, at: usize, op: OpRef<'_>, taken: &mut Taken) -> Result<()> {
        let (id, body) = (op.id(), op.body());
        let count = body.result_count(id);
        let Some(first) = body.result(id, 0).filter(|_| count > 0) else { return Ok(()) };
        if count > 1 {
            for result in body.results(id) {
                self.bodies[at].values[result.index()] |= SEVERAL;
            }
        }
        let name = op.operation_name().raw() as usize;
        if name >= self.naming.len() {
            self.naming.resize(name + 1, None);
        }
        let naming = *self.naming[name].get_or_insert_with(|| Naming::of(op));
        if !matches!(naming, Naming::Numbers) {
            let mut groups = vec![0u32];
            self.names_of(naming, op)?;
            let result = |number| body.result(id, number);
            self.give(at, &result, &mut |number| groups.extend((number > 0).then_some(number as u32)), taken);
            if groups.len() > 1 {
                groups.sort_unstable();
                self.bodies[at].groups.insert(id, groups);
            }
        }
        if !self.bodies[at].is_named(first) {
            self.set(at, first, b"", taken);
        }
        Ok(())
    }

    fn set(&mut self, at: usize, value: Value, name: &[u8], taken: &mut Taken) {
        let word = if name.is_empty() {
            taken.values += 1;
            taken.values
        } else {
            (self.pool.take(name, &mut taken.conflicts) + 1) | NAMED
        };
        let kept = &mut self.bodies[at].values[value.index()];
        *kept = *kept & SEVERAL | word;
    }

    /// Notes of which kind an operation is.
    pub(super) fn set_kind(&mut self, op: OpRef<'_>, kind: u32) {
        if let Some(at) = self.place(op.body_id()) {
            let kinds = &mut self.bodies[at].kinds;
            if kinds.is_empty() {
                kinds.resize(op.body().operation_count(), 0);
            }
            kinds[op.id().index()] = kind + 1;
        }
    }

    /// The kind of an operation, where that was noted.
    pub(super) fn kind(&self, id: BodyId, op: OpId) -> Option<u32> {
        self.known(id)?.kinds.get(op.index())?.checked_sub(1)
    }

    /// Where the group of results begins that the value belongs to, and how many results are in it.
    fn group(&self, id: BodyId, body: &Body, value: Value) -> Option<(Value, usize, usize)> {
        let Some(ValueOwner::Result(op, number)) = body.owner(value) else { return None };
        let count = body.result_count(op);
        if count == 1 {
            return None;
        }
        let (start, end) = match self.known(id).and_then(|names| names.groups.get(&op)) {
            None => (0, count),
            Some(groups) => {
                let next = groups.partition_point(|&start| start as usize <= number);
                (groups[next - 1] as usize, groups.get(next).map_or(count, |&end| end as usize))
            }
        };
        Some((body.result(op, start)?, number - start, end - start))
    }

    fn push_word(&self, word: u32, out: &mut Vec<u8>) {
        match word & !SEVERAL {
            0 => out.extend_from_slice(b"%<unknown>"),
            word if word & NAMED != 0 => {
                out.push(b'%');
                out.extend_from_slice(self.pool.get((word & !NAMED) - 1));
            }
            word => {
                out.push(b'%');
                push_decimal(out, u64::from(word) - 1);
            }
        }
    }

    fn word(&self, id: BodyId, value: Value) -> u32 {
        self.known(id).and_then(|names| names.values.get(value.index())).copied().unwrap_or(0)
    }

    /// Writes a value where it is used.
    #[inline]
    pub(super) fn push_use(&self, id: BodyId, body: &Body, value: Value, out: &mut Vec<u8>) {
        let word = self.word(id, value);
        if word & SEVERAL == 0 && word != 0 {
            return self.push_word(word, out);
        }
        let Some((first, number, size)) = self.group(id, body, value) else { return self.push_word(word, out) };
        self.push_word(self.word(id, first), out);
        if size != 1 {
            out.push(b'#');
            push_decimal(out, number as u64);
        }
    }

    /// Writes what stands to the left of an operation: `%0:2, %x = `
    pub(super) fn push_results(&self, id: BodyId, body: &Body, op: OpId, out: &mut Vec<u8>) {
        let count = body.result_count(op);
        let mut at = 0;
        while let Some(result) = body.result(op, at).filter(|_| at < count) {
            if at > 0 {
                out.extend_from_slice(b", ");
            }
            let group = if count == 1 { None } else { self.group(id, body, result) };
            let size = group.map_or(1, |group| group.2).max(1);
            self.push_word(self.word(id, result), out);
            if size > 1 {
                out.push(b':');
                push_decimal(out, size as u64);
            }
            at += size;
        }
        if count > 0 {
            out.extend_from_slice(b" = ");
        }
    }

    /// The place of a block in its region, which is its name.
    pub(super) fn block(&self, id: BodyId, block: BlockId) -> u32 {
        self.known(id).and_then(|names| names.blocks.get(block.index())).copied().unwrap_or(0)
    }
}

fn push_regions<'m>(tasks: &mut Vec<Task<'m>>, op: OpRef<'m>, taken: Taken) -> Result<()> {
    if op.body().region_count_of(op.id()) == 0 {
        return Ok(());
    }
    let inside = op.inside()?;
    for (number, region) in inside.regions().enumerate() {
        tasks.push(Task::Enter(inside.id, inside.body, region, Some(op), number, taken));
    }
    Ok(())
}
