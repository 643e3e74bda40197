//! A conversion made final: what was replaced is gone then, and the casts that are left are what type converters make of them.

use hashbrown::HashSet;
use mlirbc_ir::{Error, OpId, Result, Rewriter, Type, Use, Value};

use super::casts;
use super::log::Change;
use super::mapping::{Stand, have_types};
use super::rewriter::{build_cast, set_point_behind};
use super::state::{Cast, CastKind, Open, Replacements, State};
use super::types::{Converters, TypesId};

/// Makes changes final that were left open.
pub(super) fn commit(rw: &mut Rewriter<'_>, converters: &Converters, open: Open) -> Result<()> {
    let Open { mut changes, limbo, replacements } = open;
    match replacements {
        Replacements::In(mut state) => finish(rw, converters, (&mut changes, &mut state), &mut Vec::new()),
        Replacements::Found(found) => {
            rw.build_uses();
            found.into_iter().try_for_each(|(value, by)| rw.replace_uses(value, by))?;
            let mut replaced = Vec::with_capacity(changes.len());
            for change in changes {
                if let Change::Replaced(op, inside, _) = change {
                    replaced.push(op);
                    replaced.extend(inside);
                }
            }
            erase(rw, &mut replaced, limbo)
        }
    }
}

/// What the results of replaced operations are replaced by. `None` where that takes casts.
pub(super) fn found(rw: &Rewriter<'_>, changes: &[Change], state: &State) -> Result<Option<Vec<(Value, Value)>>> {
    let mut found = Vec::new();
    if !state.casts.is_empty() {
        return Ok(None);
    }
    for change in changes {
        match change {
            Change::Replaced(op, ..) => {
                for result in rw.body().results(*op) {
                    match known(rw, state, result)? {
                        Some(Some(by)) => found.push((result, by)),
                        Some(None) => {}
                        None => return Ok(None),
                    }
                }
            }
            Change::ArgumentReplaced(..) => return Ok(None),
            _ => {}
        }
    }
    Ok(Some(found))
}

/// What a value is replaced by that is of its type, or that nothing has to be. `None` where something has to be made.
fn known(rw: &Rewriter<'_>, state: &State, value: Value) -> Result<Option<Option<Value>>> {
    let ty = rw.module().ty(rw.body().ty(value))?;
    if let Some(found) = state.mapping.lookup_one(rw, value, ty)?
        && found != value
    {
        return Ok(Some(Some(found)));
    }
    let is_dead = rw.body().uses_of(value).all(|use_| state.replaced.contains(use_.op));
    Ok((is_dead && !state.mapping.is_used(value)).then_some(None))
}

/// Makes changes final, and takes them. `replaced` is filled anew.
pub(super) fn finish(
    rw: &mut Rewriter<'_>,
    converters: &Converters,
    (changes, state): (&mut Vec<Change>, &mut State),
    replaced: &mut Vec<OpId>,
) -> Result<()> {
    rw.build_uses();
    let mut made = Vec::new();
    if !state.casts.is_empty() {
        made.extend(changes.iter().filter_map(|change| match change {
            // Those that take part in the mapping.
            Change::Cast(op) if state.casts.contains_key(op) => Some(*op),
            _ => None,
        }));
    }
    let mut commit = Commit { rw, state, made };
    replaced.clear();
    for change in changes.drain(..) {
        match change {
            Change::Replaced(op, inside, types) => {
                for number in 0..commit.rw.body().result_count(op) {
                    let result = commit.rw.result(op, number)?;
                    if let Some(by) = commit.replacement(result, types)? {
                        commit.rw.replace_uses(result, by)?;
                    }
                }
                replaced.push(op);
                replaced.extend(inside);
            }
            Change::ArgumentReplaced(argument, types) => {
                if let Some(by) = commit.replacement(argument, types)? {
                    commit.replace_argument(argument, by)?;
                }
            }
            _ => {}
        }
    }
    let Commit { rw, state, made } = commit;
    erase(rw, replaced, state.limbo.map(|limbo| limbo.0))?;
    if made.is_empty() {
        return Ok(());
    }
    // In the order in which they stand.
    let made: HashSet<OpId> = made.into_iter().collect();
    let made: Vec<OpId> = rw.body().preorder().filter(|op| made.contains(op)).collect();
    for cast in casts::reconcile(rw, &made)? {
        if let Some(of) = state.casts.remove(&cast) {
            resolve(rw, converters, cast, &of)?;
        }
    }
    Ok(())
}

/// Erases what was replaced.
fn erase(rw: &mut Rewriter<'_>, replaced: &mut Vec<OpId>, limbo: Option<OpId>) -> Result<()> {
    replaced.extend(limbo);
    replaced.retain(|&op| !rw.body().is_erased(op));
    rw.erase_together(replaced)
}

struct Commit<'c, 'm> {
    rw: &'c mut Rewriter<'m>,
    state: &'c mut State,
    made: Vec<OpId>,
}

impl Commit<'_, '_> {
    /// What a value is replaced by: of its type, by a cast where there is nothing else. `None` where it is not wanted.
    fn replacement(&mut self, value: Value, types: Option<TypesId>) -> Result<Option<Value>> {
        if let Some(known) = known(self.rw, self.state, value)? {
            return Ok(known);
        }
        let ty = self.rw.module().ty(self.rw.body().ty(value))?;
        // Without wanted types, the last values that stand for it.
        let last = self.state.mapping.lookup(self.rw, value, &[])?;
        let inputs = if last == [value] { Vec::new() } else { last };
        let near = if inputs.is_empty() { vec![value] } else { inputs.clone() };
        set_point_behind(self.rw, &near)?;
        let location = match self.rw.body().defining_operation(value) {
            Some(op) => self.rw.body().location(op),
            None => self.rw.context().unknown_location().into(),
        };
        let cast = build_cast(self.rw, location, &inputs, &[ty])?;
        let result = self.rw.result(cast, 0)?;
        let of = Cast { kind: CastKind::Source, pure: true, original: None, types };
        self.state.casts.insert(cast, of);
        self.made.push(cast);
        if !inputs.is_empty() {
            match *inputs {
                [input] => drop(self.state.mapping.set(input, Stand::One(result))),
                _ => drop(self.state.mapping.set_several(&inputs, Some(vec![result]))),
            }
        }
        Ok(Some(result))
    }

    /// Puts a value where an argument was used, but not before the operation that defines the value.
    fn replace_argument(&mut self, argument: Value, by: Value) -> Result<()> {
        let Some(definer) = self.rw.body().defining_operation(by) else {
            return self.rw.replace_uses(argument, by);
        };
        let uses: Vec<Use> = self.rw.body().uses_of(argument).collect();
        let mut wanted = HashSet::new();
        for use_ in uses {
            let same = self.rw.body().block_of(use_.op) == self.rw.body().block_of(definer);
            if !same || use_.op != definer && self.rw.is_before_in_block(definer, use_.op)? {
                wanted.insert((use_.op, use_.operand));
            }
        }
        self.rw.replace_uses_if(argument, by, |_, use_| wanted.contains(&(use_.op, use_.operand)))
    }
}

/// Puts in place of a cast what the type converter makes of it.
fn resolve(rw: &mut Rewriter<'_>, converters: &Converters, cast: OpId, of: &Cast) -> Result<()> {
    let Some(types) = of.types.map(|types| converters.get(types)) else { return Ok(()) };
    let inputs = rw.body().operands(cast).to_vec();
    let results = rw.body().results(cast);
    let wanted: Vec<Type> = results.map(|result| rw.module().ty(rw.body().ty(result))).collect::<Result<_>>()?;
    rw.set_insertion_point_before(cast)?;
    let location = rw.body().location(cast);
    rw.locate(location);
    let mut made = None;
    match (&of.kind, wanted.as_slice()) {
        (CastKind::Source, &[ty]) => {
            for cast in types.sources.iter().rev() {
                made = cast(rw, &inputs, ty)?.map(|value| vec![value]);
                if made.is_some() {
                    break;
                }
            }
        }
        (CastKind::Source, _) => {}
        (CastKind::Target, wanted) => {
            for cast in types.targets.iter().rev() {
                made = cast(rw, &inputs, wanted, of.original)?;
                if made.is_some() {
                    break;
                }
            }
        }
    }
    match made {
        None => Ok(()),
        Some(values) if have_types(rw, &values, &wanted)? => rw.replace(cast, values),
        Some(_) => Err(Error::misuse("a type converter casts to other types than it was asked for")),
    }
}
