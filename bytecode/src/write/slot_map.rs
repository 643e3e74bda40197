//! Slots of entries by other numbers.

/// Slots by the number that the context or the source knows an entry by: a plain array, since most numbers are in use.
#[derive(Default)]
pub(crate) struct SlotMap {
    /// One more than the slot, 0 for none.
    slots: Vec<u32>,
}

impl SlotMap {
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<u32> {
        self.slots.get(number as usize).and_then(|slot| slot.checked_sub(1))
    }

    pub(crate) fn set(&mut self, number: u32, slot: u32) {
        let at = number as usize;
        if at >= self.slots.len() {
            // Doubled, so that numbers may come in any order.
            self.slots.resize((at + 1).next_power_of_two().max(64), 0);
        }
        self.slots[at] = slot + 1;
    }

    /// Forgets the slot of that number.
    pub(crate) fn remove(&mut self, number: u32) {
        if let Some(slot) = self.slots.get_mut(number as usize) {
            *slot = 0;
        }
    }

    /// Forgets all, and keeps the room: for numbers of a source, which begin with 0.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
    }

    /// How many numbers there is room for.
    pub(crate) fn room(&self) -> usize {
        self.slots.capacity()
    }

    /// Notes a slot, unless there is one.
    pub(crate) fn set_first(&mut self, number: u32, slot: u32) {
        if self.get(number).is_none() {
            self.set(number, slot);
        }
    }
}
