//! A list of what most bodies have one of.

use std::ops::{Deref, DerefMut};

/// A list that takes no memory elsewhere as long as one thing is in it.
#[derive(Clone, Debug)]
pub(super) enum Few<T> {
    One(T),
    List(Vec<T>),
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Few::List(Vec::new())
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Few::One(one) => std::slice::from_ref(one),
            Few::List(list) => list,
        }
    }
}

impl<T> DerefMut for Few<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match self {
            Few::One(one) => std::slice::from_mut(one),
            Few::List(list) => list,
        }
    }
}

impl<T> Few<T> {
    /// The list, which is no longer that of one thing alone.
    fn list(&mut self) -> &mut Vec<T> {
        if let Few::One(_) = self {
            let one = std::mem::take(self);
            *self = Few::List(one.into_iter().collect());
        }
        match self {
            Few::List(list) => list,
            Few::One(_) => unreachable!("it was made a list"),
        }
    }

    pub(super) fn push(&mut self, thing: T) {
        match self {
            // One that has room was given it for more.
            Few::List(list) if list.capacity() == 0 => *self = Few::One(thing),
            _ => self.list().push(thing),
        }
    }

    /// Makes room for so many more.
    pub(super) fn reserve_exact(&mut self, more: usize) {
        if self.len() + more > 1 {
            self.list().reserve_exact(more);
        }
    }

    /// As [`Few::reserve_exact`], or for more than that where there are some already.
    pub(super) fn reserve(&mut self, more: usize) {
        match self.len() {
            0 => self.reserve_exact(more),
            _ => self.list().reserve(more),
        }
    }

    /// As much of the list as there is, in memory of its own; the list is left empty, with all of its room.
    pub(super) fn taken(&mut self) -> Self
    where
        T: Copy,
    {
        let taken = match **self {
            [one] => Few::One(one),
            ref list => Few::List(list.to_vec()),
        };
        match self {
            Few::One(_) => *self = Few::default(),
            Few::List(list) => list.clear(),
        }
        taken
    }

    /// Gives back room that is not used, where that is more than a little.
    pub(super) fn shrink(&mut self) {
        if let Few::List(list) = self
            && list.capacity().saturating_sub(list.len()) > 3
        {
            list.shrink_to_fit();
        }
    }

    /// The memory that it takes elsewhere.
    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Few::One(_) => 0,
            Few::List(list) => list.capacity() * size_of::<T>(),
        }
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = std::iter::Chain<std::option::IntoIter<T>, std::vec::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, list) = match self {
            Few::One(one) => (Some(one), Vec::new()),
            Few::List(list) => (None, list),
        };
        one.into_iter().chain(list)
    }
}

impl<'a, T> IntoIterator for &'a Few<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Few;

    #[test]
    fn one_thing_stands_in_the_list_itself() {
        let mut few = Few::default();
        for number in 0..10 {
            assert_eq!(few.heap_bytes() == 0, few.len() < 2);
            assert_eq!(*few, (0..number).collect::<Vec<_>>()[..]);
            few.push(number);
            few[number] += 1;
            few[number] -= 1;
        }
        let taken = few.taken();
        assert_eq!((few.len(), taken.len()), (0, 10));
        few.push(7);
        let one = few.taken();
        assert_eq!((one.heap_bytes(), &*one), (0, &[7][..]));
        assert!(few.is_empty() && few.heap_bytes() > 0);
    }
}
