//! Use-lists: for each value the operands that hold it, in MLIR's order.
//!
//! They are built on demand, and before the first edit that could change one: from then on each edit leaves them as
//! it would in MLIR, whether they were looked at before or not. The reference order of a list is by descending id of the use, where an id
//! is (number of the operation in a pre-order walk, number of the operand). A file gives the orders that are another one.

use super::compact::renumbered;
use super::*;
use crate::error::{Error, Result};

/// One use of a value: an operation and the number of the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Use {
    /// The operation.
    pub op: OpId,
    /// Which of its operands.
    pub operand: usize,
}

/// A place in the pool of operands, or none.
type Slot = u32;
const NONE: Slot = Slot::MAX;

/// What is known of a place in the pool of operands.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The next use of the same value.
    next: Slot,
    /// The operation; none where the place is in no list.
    owner: u32,
}

impl Record {
    const UNUSED: Record = Record { next: NONE, owner: NONE };
}

/// The use-lists of a body.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// By value: the first use.
    first: Vec<Slot>,
    slots: Vec<Record>,
    /// By slot: the previous use of the same value. Empty until a use is first taken out of its list: most bodies are only read.
    previous: Vec<Slot>,
    /// Whether every list is still in reference order.
    in_reference_order: bool,
}

impl Uses {
    pub(super) fn heap_bytes(&self) -> usize {
        size_of::<Slot>() * (self.first.capacity() + self.previous.capacity())
            + size_of::<Record>() * self.slots.capacity()
    }

    /// Whether no list was given another order, by a file or by an edit.
    #[doc(hidden)]
    pub fn in_reference_order(&self) -> bool {
        self.in_reference_order
    }

    /// Whether some value is used more than once: the others have no order.
    #[doc(hidden)]
    pub fn any_is_shared(&self) -> bool {
        self.slots.iter().any(|slot| slot.next != NONE)
    }

    /// Makes room for new values.
    fn grow_values(&mut self, values: usize) {
        self.first.resize(values, NONE);
    }

    fn grow(&mut self, values: usize, slots: usize) {
        self.first.resize(values, NONE);
        self.slots.resize(slots, Record::UNUSED);
        if !self.previous.is_empty() {
            self.previous.resize(slots, NONE);
        }
    }

    /// Finds the previous use of each, where that is not known.
    fn find_previous(&mut self) {
        if self.previous.is_empty() {
            self.previous.resize(self.slots.len(), NONE);
            for (slot, record) in self.slots.iter().enumerate().filter(|(_, record)| record.next != NONE) {
                self.previous[record.next as usize] = slot as Slot;
            }
        }
    }

    /// Notes which use comes before that of `slot`, where that is kept.
    fn set_previous(&mut self, slot: Slot, previous: Slot) {
        if slot != NONE
            && let Some(known) = self.previous.get_mut(slot as usize)
        {
            *known = previous;
        }
    }

    fn push_front(&mut self, value: Value, slot: Slot, op: u32) {
        let head = std::mem::replace(&mut self.first[value.index()], slot);
        self.slots[slot as usize] = Record { next: head, owner: op };
        self.set_previous(slot, NONE);
        self.set_previous(head, slot);
    }

    /// Takes the slot out of the value's list; gives the operation that it belonged to, where it was in the list.
    fn unlink(&mut self, value: Value, slot: Slot) -> Option<u32> {
        self.slots.get(slot as usize).filter(|record| record.owner != NONE)?;
        self.find_previous();
        let Record { next, owner } = std::mem::replace(&mut self.slots[slot as usize], Record::UNUSED);
        let previous = std::mem::replace(&mut self.previous[slot as usize], NONE);
        match previous {
            NONE => self.first[value.index()] = next,
            previous => self.slots[previous as usize].next = next,
        }
        self.set_previous(next, previous);
        Some(owner)
    }

    /// The same lists in a body that has so many slots, and whose values, slots and operations have these new numbers.
    pub(super) fn renumbered(&self, count: usize, values: &[u32], slots: &[u32], operations: &[u32]) -> Uses {
        let mut new = vec![Record::UNUSED; count];
        for (record, &slot) in self.slots.iter().zip(slots).filter(|(_, slot)| **slot != NONE) {
            new[slot as usize] =
                Record { next: renumbered(record.next, slots), owner: renumbered(record.owner, operations) };
        }
        let first = self.first.iter().zip(values).filter(|(_, value)| **value != NONE);
        Uses {
            first: first.map(|(&first, _)| renumbered(first, slots)).collect(),
            slots: new,
            previous: Vec::new(),
            in_reference_order: self.in_reference_order,
        }
    }

    fn slots(&self, value: Value) -> impl Iterator<Item = Slot> {
        let at = |slot: Slot| (slot != NONE).then_some(slot);
        let first = self.first.get(value.index()).copied().unwrap_or(NONE);
        std::iter::successors(at(first), move |&slot| at(self.slots[slot as usize].next))
    }

    /// Puts the list in the order of `slots`, which are the same uses.
    fn set_order(&mut self, value: Value, slots: &[Slot]) {
        let mut after = NONE;
        for &slot in slots.iter().rev() {
            self.slots[slot as usize].next = after;
            self.set_previous(after, slot);
            after = slot;
        }
        self.set_previous(after, NONE);
        self.first[value.index()] = after;
    }
}

impl Body {
    /// The use-lists, built if they are not there yet.
    pub(crate) fn build_uses(&mut self) -> &Uses {
        if self.uses.is_none() {
            self.build_uses_in(Box::default());
        }
        self.uses.get_or_insert_default()
    }

    /// Builds the use-lists in the memory of others.
    pub(super) fn build_uses_in(&mut self, mut uses: Box<Uses>) {
        uses.first.clear();
        uses.slots.clear();
        uses.previous.clear();
        uses.in_reference_order = self.seldom.orders.is_empty();
        uses.grow(self.values.len(), self.operands.len());
        if self.edited {
            self.preorder().for_each(|op| self.enter_operation(&mut uses, op));
        } else {
            // Readers leave the operations in the order of a walk.
            (0..self.operations.len()).map(OpId::from_index).for_each(|op| self.enter_operation(&mut uses, op));
        }
        for order in self.seldom.get_mut().map(|seldom| std::mem::take(&mut seldom.orders)).unwrap_or_default() {
            let by_id: Vec<Slot> = uses.slots(order.value).collect();
            let mut placed = vec![NONE; by_id.len()];
            for (&slot, &place) in by_id.iter().zip(&order.places) {
                if let Some(at) = placed.get_mut(place as usize) {
                    *at = slot;
                }
            }
            if !placed.contains(&NONE) {
                uses.set_order(order.value, &placed);
            }
        }
        self.uses = Some(uses);
    }

    /// Enters the operands of an operation in lists that nothing was taken out of yet.
    #[inline]
    fn enter_operation(&self, uses: &mut Uses, op: OpId) {
        let range = self.operand_range(op);
        let owner = op.index() as u32;
        let slots = uses.slots[range.clone()].iter_mut().zip(range.start as Slot..);
        for (&value, (record, slot)) in self.operands[range].iter().zip(slots) {
            let next = std::mem::replace(&mut uses.first[value.index()], slot);
            *record = Record { next, owner };
        }
    }

    /// The use-lists, where they have been built.
    pub fn uses(&self) -> Option<&Uses> {
        self.uses.as_deref()
    }

    /// Before an edit of operands, or of which operation comes first: with either, lists that are built afterwards would be
    /// others than those that the edit leaves.
    pub(super) fn before_edit(&mut self) {
        self.build_uses();
        self.edited = true;
    }

    /// Enters the operands of `op` in the lists, where there are lists.
    pub(super) fn link_uses(&mut self, op: OpId) {
        if let Some(mut uses) = self.uses.take() {
            uses.grow(self.values.len(), self.operands.len());
            uses.in_reference_order = false;
            for slot in self.operand_range(op) {
                uses.push_front(self.operands[slot], slot as Slot, op.index() as u32);
            }
            self.uses = Some(uses);
        }
    }

    /// Takes the operands of `op` out of the lists, where there are lists.
    pub(super) fn unlink_uses(&mut self, op: OpId) {
        for slot in self.operand_range(op) {
            let value = self.operands[slot];
            if let Some(uses) = &mut self.uses {
                uses.unlink(value, slot as Slot);
            }
        }
    }

    /// Puts another value into a slot of the operand pool. The use comes to the front of its list, as in MLIR.
    pub(super) fn relink_use(&mut self, slot: usize, value: Value) {
        let old = std::mem::replace(&mut self.operands[slot], value);
        if let Some(uses) = &mut self.uses
            && let Some(op) = uses.unlink(old, slot as Slot)
        {
            uses.grow_values(self.values.len());
            uses.push_front(value, slot as Slot, op);
            uses.in_reference_order = false;
        }
    }

    /// Says that operations may stand in another order than that in which their uses were entered.
    pub(super) fn forget_reference_order(&mut self) {
        if let Some(uses) = &mut self.uses {
            uses.in_reference_order = false;
        }
    }

    /// The uses of the value in the order of its list, where the lists have been built.
    pub fn uses_of(&self, value: Value) -> impl Iterator<Item = Use> {
        self.uses.iter().flat_map(move |uses| {
            uses.slots(value).map(move |slot| {
                let op = uses.slots[slot as usize].owner;
                Use {
                    op: OpId::from_index(op as usize).of(self.tag),
                    operand: (slot - self.operations[op as usize].operands) as usize,
                }
            })
        })
    }

    /// Whether anything uses the value. Builds no lists: without them every operand is looked at.
    pub fn is_used(&self, value: Value) -> bool {
        match &self.uses {
            Some(uses) => uses.first.get(value.index()).is_some_and(|&first| first != NONE),
            None => {
                let used = |op: OpId| !self.is_erased(op) && self.operands(op).contains(&value);
                (0..self.operations.len()).map(OpId::from_index).any(used)
            }
        }
    }

    /// Gives the value's use-list this order: `places[k]` is the place of the use with the k-th largest id.
    ///
    /// # Errors
    /// Where that is no permutation of the uses.
    pub(crate) fn reorder_uses(&mut self, value: Value, places: &[u32]) -> Result<()> {
        self.check_value(value)?;
        self.build_uses();
        let Some(mut uses) = self.uses.take() else { return Ok(()) };
        let mut by_id: Vec<Slot> = uses.slots(value).collect();
        let numbers = self.preorder_numbers();
        by_id.sort_by_key(|&slot| std::cmp::Reverse((numbers[uses.slots[slot as usize].owner as usize], slot)));
        let mut placed = vec![NONE; by_id.len()];
        for (&slot, &place) in by_id.iter().zip(places) {
            if let Some(at) = placed.get_mut(place as usize) {
                *at = slot;
            }
        }
        let fits = places.len() == by_id.len() && !placed.contains(&NONE);
        if fits {
            uses.set_order(value, &placed);
            uses.in_reference_order = false;
            self.edited = true;
        }
        self.uses = Some(uses);
        if fits { Ok(()) } else { Err(Error::misuse("the order is none of the uses that the value has")) }
    }

    /// Gives the value's use-list the order of these slots, which are all of its uses.
    pub(super) fn order_uses(&mut self, value: Value, slots: Vec<usize>) {
        if let Some(uses) = &mut self.uses {
            let slots: Vec<Slot> = slots.into_iter().map(|slot| slot as Slot).collect();
            uses.set_order(value, &slots);
            uses.in_reference_order = false;
        }
    }

    /// By operation: its number in a pre-order walk of the body; `u32::MAX` for detached ones.
    #[doc(hidden)]
    pub fn preorder_numbers(&self) -> Vec<u32> {
        let mut numbers = vec![u32::MAX; self.operations.len()];
        for (number, op) in self.preorder().enumerate() {
            numbers[op.index()] = number as u32;
        }
        numbers
    }

    /// The order of the value's uses as bytecode states it, given [`Body::preorder_numbers`]; `None` where it has fewer
    /// than two uses or its list is in reference order. Uses by detached operations do not count: they are not written.
    #[doc(hidden)]
    pub fn order_of_uses(&self, value: Value, numbers: &[u32]) -> Option<Vec<u32>> {
        let ids = || {
            let uses = self.uses_of(value).map(|use_| (numbers[use_.op.index()], use_.operand));
            uses.filter(|&(number, _)| number != u32::MAX)
        };
        if ids().is_sorted_by(|a, b| a > b) {
            return None;
        }
        let list: Vec<(u32, usize)> = ids().collect();
        let mut places: Vec<u32> = (0..list.len() as u32).collect();
        places.sort_by_key(|&place| std::cmp::Reverse(list[place as usize]));
        Some(places)
    }
}
