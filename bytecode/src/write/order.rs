//! Which number an entry gets (fact sheet, sections 11.3 and 11.4): most used first, then by dialect in buckets of
//! numbers of equal length.

/// Entries in the order in which they were met: how often each is used, and the dialect's number.
#[derive(Default)]
pub(crate) struct Uses {
    pub(crate) counts: Vec<u32>,
    pub(crate) dialects: Vec<u32>,
}

impl Uses {
    pub(crate) fn with_capacity(entries: usize) -> Self {
        Uses { counts: Vec::with_capacity(entries), dialects: Vec::with_capacity(entries) }
    }

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

        let mut first = 0;
        let mut size = 0u64;
        let mut rest = &mut order[..];
        for bits in 1..=8 {
            // Each bucket's size is taken from the size of the one before, not from the sum: as MLIR does it.
            size = (1u64 << (7 * bits)) - size;
            let (part, after) = rest.split_at_mut(rest.len().min(usize::try_from(size).unwrap_or(usize::MAX)));
            self.by_dialect(part, first);
            let Some(&last) = part.last() else { break };
            first = self.dialects[last as usize];
            rest = after;
        }
        order
    }
}

impl Uses {
    /// Stable sort: entries of the dialect `first` before all others, then by dialect.
    fn by_dialect(&self, entries: &mut [u32], first: u32) {
        let key = |entry: u32| match self.dialects[entry as usize] {
            dialect if dialect == first => 0,
            dialect if dialect < first => dialect + 1,
            dialect => dialect,
        };
        if entries.is_sorted_by_key(|&entry| key(entry)) {
            return;
        }
        let mut starts: Vec<usize> = Vec::new();
        for &entry in entries.iter() {
            let next = key(entry) as usize + 1;
            if next >= starts.len() {
                starts.resize(next + 1, 0);
            }
            starts[next] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        for entry in entries.to_vec() {
            let start = &mut starts[key(entry) as usize];
            entries[*start] = entry;
            *start += 1;
        }
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
