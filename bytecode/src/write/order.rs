//! Which number an entry gets (fact sheet, sections 11.3 and 11.4): most used first, then by dialect in buckets of
//! numbers of equal length.

/// Entries in the order in which they were met: how often each is used, and the dialect's number.
#[derive(Default)]
pub(crate) struct Uses {
    pub(crate) counts: Vec<u32>,
    pub(crate) dialects: Vec<u32>,
}

impl Uses {
    /// A new entry, used once.
    #[inline]
    pub(crate) fn push(&mut self, dialect: u32) -> u32 {
        self.counts.push(1);
        self.dialects.push(dialect);
        self.counts.len() as u32 - 1
    }

    #[inline]
    pub(crate) fn again(&mut self, entry: u32) {
        let count = &mut self.counts[entry as usize];
        *count = count.saturating_add(1);
    }

    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }

    /// Entries in the order of their numbers.
    pub(crate) fn sorted(&self) -> Vec<u32> {
        let all = 0..self.len() as u32;
        // Most entries are used once: only the others need sorting.
        let mut order: Vec<u32> = all.clone().filter(|&entry| self.counts[entry as usize] > 1).collect();
        order.sort_by_key(|&entry| std::cmp::Reverse(self.counts[entry as usize]));
        order.extend(all.filter(|&entry| self.counts[entry as usize] == 1));

        let dialect = |entry: u32| self.dialects[entry as usize];
        let mut first = 0;
        let mut size = 0u64;
        let mut rest = &mut order[..];
        for bits in 1..=8 {
            // Each bucket's size is taken from the size of the one before, not from the sum: as MLIR does it.
            size = (1u64 << (7 * bits)) - size;
            let (part, after) = rest.split_at_mut(rest.len().min(usize::try_from(size).unwrap_or(usize::MAX)));
            if !part.is_sorted_by_key(|&entry| (dialect(entry) != first, dialect(entry))) {
                part.sort_by_key(|&entry| (dialect(entry) != first, dialect(entry)));
            }
            let Some(&last) = part.last() else { break };
            first = dialect(last);
            rest = after;
        }
        order
    }
}

/// For each entry its number, given the entries in the order of their numbers.
pub(crate) fn numbers(order: &[u32]) -> Vec<u32> {
    let mut numbers = vec![0; order.len()];
    for (&entry, number) in order.iter().zip(0..) {
        numbers[entry as usize] = number;
    }
    numbers
}
