//! Names of values and blocks in custom assembly: numbers, and the names that operations give their results.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::result_names::result_names;
use crate::hooks::{ArgumentNamesFn, ResultNames, TextHooks};
use mlirbc_ir::text::{push_decimal, push_hex};
use mlirbc_ir::{
    BlockId, Body, BodyId, Error, Module, OpId, OpRef, OperationName, RegionId, Result, Value, ValueOwner,
};

const NAMED: u32 = 1 << 31;
const MOST: u32 = NAMED - 2;

/// The names of one body.
#[derive(Default)]
struct BodyNames {
    /// By value: 0 where it has none, else one more than its number or, with [`NAMED`], its place in the pool.
    values: Vec<u32>,
    /// By block: its place in its region.
    blocks: Vec<u32>,
    /// The results at which groups of results begin, of operations with several groups.
    groups: HashMap<OpId, Vec<u32>, hashbrown::DefaultHashBuilder>,
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
    pool: Vec<Box<[u8]>>,
    used: HashSet<Box<[u8]>, hashbrown::DefaultHashBuilder>,
    /// What was added to `used`, the latest last.
    log: Vec<Box<[u8]>>,
    /// How the dialects of operations name results.
    brought: HashMap<OperationName, Option<ResultNames>, hashbrown::DefaultHashBuilder>,
    /// How they name arguments.
    argument_names: HashMap<OperationName, Option<ArgumentNamesFn>, hashbrown::DefaultHashBuilder>,
    /// Operations that give their results no names.
    unnamed: HashSet<OperationName, hashbrown::DefaultHashBuilder>,
}

enum Task<'m> {
    Enter(BodyId, &'m Body, RegionId, Option<OpRef<'m>>, usize, Taken),
    /// Forget the names that were used since.
    Leave(usize),
}

impl Names {
    /// Names everything in the regions of an operation, and all that is in the bodies inside.
    pub(super) fn number(&mut self, op: OpRef<'_>) -> Result<()> {
        self.prepare(op.body_id(), op.body());
        let mut taken = Taken::default();
        self.operation(op, &mut taken)?;
        let mut tasks = Vec::new();
        push_regions(&mut tasks, op, taken)?;
        self.run(op.module(), tasks)
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

    fn prepare(&mut self, id: BodyId, body: &Body) {
        let names = self.names(id);
        if names.values.is_empty() {
            names.values.resize(body.value_count(), 0);
            names.blocks.resize(body.block_count(), 0);
        }
    }

    fn run<'m>(&mut self, module: &'m Module, mut tasks: Vec<Task<'m>>) -> Result<()> {
        while let Some(task) = tasks.pop() {
            let (id, body, region, parent_op, number, mut taken) = match task {
                Task::Leave(length) => {
                    for name in self.log.drain(length..) {
                        self.used.remove(&name);
                    }
                    continue;
                }
                Task::Enter(id, body, region, parent_op, number, taken) => (id, body, region, parent_op, number, taken),
            };
            tasks.push(Task::Leave(self.log.len()));
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
        self.prepare(id, body);
        if let (Some(parent_op), Some(first)) = (parent_op, body.first_block(region)) {
            let mut named = Vec::new();
            let find = || TextHooks::argument_names(parent_op.module().context(), &parent_op.name());
            if let Some(names) = *self.argument_names.entry(parent_op.operation_name()).or_insert_with(find) {
                names(parent_op, number, body.arguments(first).len(), &mut |at, name| named.push((at, name.to_vec())))?;
            }
            for (at, name) in named {
                if let Some(&argument) = body.arguments(first).get(at) {
                    self.set(id, argument, &name, taken);
                }
            }
        }
        let first = body.first_block(region);
        for (number, block) in body.blocks(region).enumerate() {
            self.names(id).blocks[block.index()] = number as u32;
            for &argument in body.arguments(block) {
                if self.names(id).values[argument.index()] != 0 {
                    continue;
                }
                if Some(block) == first {
                    let mut name = b"arg".to_vec();
                    push_decimal(&mut name, taken.arguments.into());
                    taken.arguments += 1;
                    self.set(id, argument, &name, taken);
                } else {
                    self.set(id, argument, b"", taken);
                }
            }
            for op in body.operations(block) {
                self.operation(OpRef::new(module, id, body, op), taken)?;
            }
            if taken.values.max(taken.arguments).max(taken.conflicts) > MOST / 2 {
                return Err(Error::misuse("too many values to name"));
            }
        }
        Ok(())
    }

    fn names(&mut self, id: BodyId) -> &mut BodyNames {
        let at = self.place(id).unwrap_or_else(|| {
            self.places.insert(id, self.bodies.len());
            self.bodies.push(BodyNames::default());
            self.bodies.len() - 1
        });
        &mut self.bodies[at]
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

    fn operation(&mut self, op: OpRef<'_>, taken: &mut Taken) -> Result<()> {
        let count = op.results().len();
        if count == 0 {
            return Ok(());
        }
        let (id, body) = (op.body_id(), op.body());
        if self.unnamed.contains(&op.operation_name())
            && let (Some(result), 1) = (body.result(op.id(), 0), count)
        {
            if self.names(id).values[result.index()] == 0 {
                self.set(id, result, b"", taken);
            }
            return Ok(());
        }
        let mut groups = vec![0u32];
        let mut named: Vec<(usize, Vec<u8>)> = Vec::new();
        let find = || TextHooks::result_names(op.module().context(), &op.name());
        let brought = *self.brought.entry(op.operation_name()).or_insert_with(find);
        if !result_names(op, brought, &mut |at, name| named.push((at, name.to_vec())))? {
            self.unnamed.insert(op.operation_name());
        }
        for (at, name) in named {
            let Some(result) = body.result(op.id(), at) else { continue };
            if self.names(id).values[result.index()] == 0 {
                self.set(id, result, &name, taken);
                if at > 0 {
                    groups.push(at as u32);
                }
            }
        }
        if let Some(first) = body.result(op.id(), 0)
            && self.names(id).values[first.index()] == 0
        {
            self.set(id, first, b"", taken);
        }
        if groups.len() > 1 {
            groups.sort_unstable();
            self.names(id).groups.insert(op.id(), groups);
        }
        Ok(())
    }

    fn set(&mut self, id: BodyId, value: Value, name: &[u8], taken: &mut Taken) {
        let word = if name.is_empty() {
            taken.values += 1;
            taken.values
        } else {
            let name = self.unique(sanitized(name), taken);
            self.pool.push(name);
            self.pool.len() as u32 | NAMED
        };
        self.names(id).values[value.index()] = word;
    }

    fn unique(&mut self, name: Vec<u8>, taken: &mut Taken) -> Box<[u8]> {
        let mut probe = name;
        if self.used.contains(probe.as_slice()) {
            probe.push(b'_');
            let length = probe.len();
            loop {
                push_decimal(&mut probe, taken.conflicts.into());
                taken.conflicts += 1;
                if !self.used.contains(probe.as_slice()) {
                    break;
                }
                probe.truncate(length);
            }
        }
        let name: Box<[u8]> = probe.into();
        self.used.insert(name.clone());
        self.log.push(name.clone());
        name
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

    fn push_word(&self, id: BodyId, value: Value, out: &mut Vec<u8>) {
        let word = self.known(id).and_then(|names| names.values.get(value.index())).copied().unwrap_or(0);
        match word {
            0 => out.extend_from_slice(b"%<unknown>"),
            _ if word & NAMED != 0 => {
                out.push(b'%');
                out.extend_from_slice(&self.pool[(word & !NAMED) as usize - 1]);
            }
            _ => {
                out.push(b'%');
                push_decimal(out, u64::from(word) - 1);
            }
        }
    }

    /// Writes a value where it is used.
    pub(super) fn push_use(&self, id: BodyId, body: &Body, value: Value, out: &mut Vec<u8>) {
        let Some((first, number, size)) = self.group(id, body, value) else {
            return self.push_word(id, value, out);
        };
        self.push_word(id, first, out);
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
            let size = self.group(id, body, result).map_or(1, |group| group.2).max(1);
            self.push_word(id, result, out);
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
    let (id, body, regions) = op.region_tree()?;
    for (number, region) in regions.into_iter().enumerate() {
        tasks.push(Task::Enter(id, body, region, Some(op), number, taken));
    }
    Ok(())
}

/// The name with only letters that names can have.
fn sanitized(name: &[u8]) -> Vec<u8> {
    let mut clean = Vec::with_capacity(name.len() + 1);
    for &byte in name {
        match byte {
            b'$' | b'.' | b'_' | b'-' => clean.push(byte),
            _ if byte.is_ascii_alphanumeric() => clean.push(byte),
            b' ' => clean.push(b'_'),
            _ if byte < 16 => clean.push(b"0123456789ABCDEF"[usize::from(byte)]),
            _ => push_hex(&mut clean, byte),
        }
    }
    if clean[0].is_ascii_digit() {
        clean.insert(0, b'_');
    }
    clean
}
