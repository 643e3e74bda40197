//! What most bodies have little of, so that small ones, of which there may be many, take little room.

use std::ops::{Deref, DerefMut};

use super::block_uses::BlockUses;
use super::builder::taken;
use super::row::Links;
use super::{AttributeRef, BlockId, RegionId, StoredOrder, Value};

/// The regions of the operation that owns a body: mostly one.
#[derive(Clone, Debug)]
pub(super) enum Roots {
    One(RegionId),
    Others(Box<[RegionId]>),
}

impl Default for Roots {
    fn default() -> Self {
        Roots::Others(Box::default())
    }
}

impl Deref for Roots {
    type Target = [RegionId];

    #[inline]
    fn deref(&self) -> &[RegionId] {
        match self {
            Roots::One(region) => std::slice::from_ref(region),
            Roots::Others(regions) => regions,
        }
    }
}

impl FromIterator<RegionId> for Roots {
    fn from_iter<I: IntoIterator<Item = RegionId>>(regions: I) -> Self {
        let mut regions = regions.into_iter();
        match (regions.next(), regions.next()) {
            (Some(only), None) => Roots::One(only),
            (first, second) => Roots::Others(first.into_iter().chain(second).chain(regions).collect()),
        }
    }
}

impl Roots {
    /// Adds one at the end.
    pub(super) fn push(&mut self, region: RegionId) {
        *self = self.iter().copied().chain([region]).collect();
    }
}

/// The arguments of the blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    pub(super) values: Vec<Value>,
    /// Beside `values`; absent where unknown.
    pub(super) locations: Vec<Option<AttributeRef>>,
}

/// What bodies of one block, as they are read, have nothing of.
#[derive(Clone, Debug, Default)]
pub(super) struct Seldom {
    pub(super) successors: Vec<BlockId>,
    pub(super) block_uses: Option<Box<BlockUses>>,
    pub(super) orders: Vec<StoredOrder>,
    /// By operation: a number that grows along its block; 0 where it has none yet.
    pub(super) places: Vec<u64>,
    /// By operation: its neighbours. Empty where the operations of each block stand in a row.
    pub(super) links: Vec<Links>,
}

impl Seldom {
    pub(super) fn is_empty(&self) -> bool {
        let Seldom { successors, block_uses, orders, places, links } = self;
        successors.is_empty() && block_uses.is_none() && orders.is_empty() && places.is_empty() && links.is_empty()
    }

    /// As much as there is of it, in memory of its own; what is filled most often is left with its room.
    pub(super) fn taken(&mut self) -> Seldom {
        Seldom {
            successors: taken(&mut self.successors),
            block_uses: self.block_uses.take(),
            orders: std::mem::take(&mut self.orders),
            places: std::mem::take(&mut self.places),
            links: taken(&mut self.links),
        }
    }
}

/// A thing with nothing in it.
pub(super) trait Empty: Sized + 'static {
    const EMPTY: &Self;
}

impl Empty for Arguments {
    const EMPTY: &Self = &Arguments { values: Vec::new(), locations: Vec::new() };
}

impl Empty for Seldom {
    const EMPTY: &Self =
        &Seldom { successors: Vec::new(), block_uses: None, orders: Vec::new(), places: Vec::new(), links: Vec::new() };
}

/// What stands apart, and nowhere as long as there is nothing in it. To change it makes room for it: look first whether there is anything
/// to change.
#[derive(Clone, Debug, Default)]
pub(super) struct Apart<T>(Option<Box<T>>);

impl<T: Empty> Deref for Apart<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::EMPTY)
    }
}

impl<T: Empty + Default> DerefMut for Apart<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T> From<T> for Apart<T> {
    fn from(thing: T) -> Self {
        Apart(Some(Box::new(thing)))
    }
}

impl<T> Apart<T> {
    /// The same, where there is anything in it.
    #[inline]
    pub(super) fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }

    /// The room that it takes beside what is in it.
    pub(super) fn heap_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |_| size_of::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;

    #[test]
    fn a_body_takes_little_room() {
        assert!(size_of::<Body>() <= 200, "{}", size_of::<Body>());
    }

    #[test]
    fn regions_are_the_same_however_they_are_kept() {
        let region = RegionId::from_index;
        for count in 0..4 {
            let all: Vec<RegionId> = (0..count).map(region).collect();
            let roots: Roots = all.iter().copied().collect();
            assert_eq!(*roots, *all);
            let mut pushed = Roots::default();
            all.iter().for_each(|&region| pushed.push(region));
            assert_eq!(*pushed, *all);
        }
    }

    #[test]
    fn what_is_empty_takes_room_when_it_is_changed() {
        let mut arguments = Apart::<Arguments>::default();
        assert!(arguments.values.is_empty() && arguments.get_mut().is_none());
        assert_eq!(arguments.heap_bytes(), 0);
        arguments.values.push(Value::from_index(3));
        assert_eq!((arguments.values.len(), arguments.heap_bytes()), (1, size_of::<Arguments>()));
    }
}
