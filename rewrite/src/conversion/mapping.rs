//! Which values stand for which, until the changes are made.

use hashbrown::{HashMap, HashSet};
use mlirbc_ir::{Result, Rewriter, Type, Value};

/// So many steps lead from a value to what stands for it in the end; patterns make few.
const MOST_STEPS: usize = 10_000;

/// What stands for values; what is put in place of that may be looked up again.
#[derive(Default)]
pub(super) struct Mapping {
    single: HashMap<Value, Vec<Value>>,
    several: HashMap<Vec<Value>, Vec<Value>>,
    /// What stood for something at some time.
    used: HashSet<Value>,
    /// What was folded to another value, and that in the end.
    folded: HashMap<Value, Value>,
}

impl Mapping {
    /// Maps values, and gives what they were mapped to.
    pub(super) fn set(&mut self, from: &[Value], to: Option<Vec<Value>>) -> Option<Vec<Value>> {
        if let Some(to) = &to {
            self.used.extend(to.iter().copied());
        }
        match (from, to) {
            (&[one], Some(to)) => self.single.insert(one, to),
            (&[one], None) => self.single.remove(&one),
            (many, Some(to)) => self.several.insert(many.to_vec(), to),
            (many, None) => self.several.remove(many),
        }
    }

    /// Whether the value stands for another one, or did so at some time.
    pub(super) fn is_used(&self, value: Value) -> bool {
        self.used.contains(&value)
    }

    /// What stands for a value that folds to `to`: that, or what that was folded to. So rows of folds are not followed one by one.
    pub(super) fn fold(&mut self, value: Value, to: Value) -> Value {
        let to = self.folded.get(&to).copied().unwrap_or(to);
        self.folded.insert(value, to);
        to
    }

    /// Forgets that a value was folded.
    pub(super) fn unfold(&mut self, value: Value) {
        self.folded.remove(&value);
    }

    /// One step from these values: what stands for each of them, or for all of them together.
    fn step(&self, current: &[Value]) -> Option<Vec<Value>> {
        if let &[one] = current {
            return self.single.get(&one).cloned();
        }
        if current.iter().any(|value| self.single.contains_key(value)) {
            let mut next = Vec::with_capacity(current.len());
            for value in current {
                match self.single.get(value) {
                    Some(to) => next.extend_from_slice(to),
                    None => next.push(*value),
                }
            }
            return Some(next);
        }
        self.several.get(current).cloned()
    }

    /// The last values on the way from `from` that have these types, or else the last ones.
    pub(super) fn lookup(&self, rw: &Rewriter<'_>, from: Value, types: &[Type]) -> Result<Vec<Value>> {
        let mut current = vec![from];
        let mut found = None;
        for _ in 0..MOST_STEPS {
            if have_types(rw, &current, types)? {
                found = Some(current.clone());
            }
            match self.step(&current) {
                Some(next) => current = next,
                None => break,
            }
        }
        Ok(found.unwrap_or(current))
    }

    /// The last values on the way from `from` that are not merely the same ones cast to other types.
    pub(super) fn lookup_uncast(&self, from: Value, is_cast: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let mut current = vec![from];
        let mut last = current.clone();
        for _ in 0..MOST_STEPS {
            let Some(next) = self.step(&current) else { break };
            current = next;
            if !is_cast(&current) {
                last.clone_from(&current);
            }
        }
        last
    }
}

/// Whether the values have these types.
pub(super) fn have_types(rw: &Rewriter<'_>, values: &[Value], types: &[Type]) -> Result<bool> {
    if values.len() != types.len() {
        return Ok(false);
    }
    for (&value, &ty) in values.iter().zip(types) {
        if rw.module().ty(rw.body().ty(value))? != ty {
            return Ok(false);
        }
    }
    Ok(true)
}
