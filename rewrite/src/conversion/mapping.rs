//! Which values stand for which, until the changes are made.

use hashbrown::HashMap;
use mlirbc_ir::{Result, Rewriter, Type, Value};

/// So many steps lead from a value to what stands for it in the end; patterns make few.
const MOST_STEPS: usize = 10_000;

/// What stands for one value.
#[derive(Clone, Default)]
pub(super) enum Stand {
    #[default]
    Itself,
    One(Value),
    Several(Box<Several>),
}

/// Few values are mapped to such: what stands for one is small for the sake of the others.
#[derive(Clone)]
pub(super) struct Several(Vec<Value>);

impl Stand {
    pub(super) fn of(values: &[Value]) -> Self {
        match values {
            &[one] => Stand::One(one),
            many => Stand::Several(Box::new(Several(many.to_vec()))),
        }
    }
}

/// What is known of one value.
#[derive(Clone, Default)]
struct Known {
    by: Stand,
    /// Whether it stood for something at some time.
    used: bool,
}

/// What stands for values; what is put in place of that may be looked up again.
#[derive(Default)]
pub(super) struct Mapping {
    /// By value.
    single: Vec<Known>,
    several: HashMap<Vec<Value>, Vec<Value>>,
    /// What was folded to another value, and that in the end.
    folded: HashMap<Value, Value>,
}

impl Mapping {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.single.clear();
        self.several.clear();
        self.folded.clear();
    }

    fn known(&mut self, value: Value) -> &mut Known {
        let at = value.index();
        if self.single.len() <= at {
            self.single.resize(at + 1, Known::default());
        }
        &mut self.single[at]
    }

    /// Maps a value, and gives what it was mapped to.
    pub(super) fn set(&mut self, from: Value, to: Stand) -> Stand {
        match &to {
            Stand::Itself => {}
            Stand::One(to) => self.known(*to).used = true,
            Stand::Several(to) => to.0.iter().for_each(|&to| self.known(to).used = true),
        }
        std::mem::replace(&mut self.known(from).by, to)
    }

    /// Maps values that are not one, and gives what they were mapped to.
    pub(super) fn set_several(&mut self, from: &[Value], to: Option<Vec<Value>>) -> Option<Vec<Value>> {
        match to {
            Some(to) => {
                to.iter().for_each(|&to| self.known(to).used = true);
                self.several.insert(from.to_vec(), to)
            }
            None => self.several.remove(from),
        }
    }

    /// Whether the value stands for another one, or did so at some time.
    pub(super) fn is_used(&self, value: Value) -> bool {
        self.single.get(value.index()).is_some_and(|known| known.used)
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

    /// What stands for the value, where that is something else.
    fn stands(&self, value: Value) -> Option<&[Value]> {
        match &self.single.get(value.index())?.by {
            Stand::Itself => None,
            Stand::One(one) => Some(std::slice::from_ref(one)),
            Stand::Several(several) => Some(&several.0),
        }
    }

    /// One step from these values: what stands for each of them, or for all of them together.
    fn step(&self, current: &[Value]) -> Option<Vec<Value>> {
        if let &[one] = current {
            return self.stands(one).map(<[Value]>::to_vec);
        }
        if current.iter().any(|&value| self.stands(value).is_some()) {
            let mut next = Vec::with_capacity(current.len());
            for value in current {
                next.extend_from_slice(self.stands(*value).unwrap_or(std::slice::from_ref(value)));
            }
            return Some(next);
        }
        self.several.get(current).cloned()
    }

    /// The last value on the way from `from` that has this type and is the only one; `None` where the last values of this type are
    /// several, or there are none: then [`Mapping::lookup`] says the last ones.
    pub(super) fn lookup_one(&self, rw: &Rewriter<'_>, from: Value, ty: Type) -> Result<Option<Value>> {
        let (mut current, mut found) = (from, None);
        for _ in 0..MOST_STEPS {
            if rw.module().ty(rw.body().ty(current))? == ty {
                found = Some(current);
            }
            match self.stands(current) {
                None => return Ok(found),
                Some(&[next]) => current = next,
                Some(_) => break,
            }
        }
        let last = self.lookup(rw, from, &[ty])?;
        Ok(if have_types(rw, &last, &[ty])? { last.first().copied() } else { None })
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
