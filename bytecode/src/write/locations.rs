//! Which file locations have been met, so that each is written once.

use std::collections::HashMap;

use mlirbc_ir::Identifier;

/// File locations by line: most files have few locations on a line, and lines come in order.
#[derive(Default)]
pub(crate) struct LocationIndex {
    /// By line: one more than a place in `met`, 0 for none.
    by_line: Vec<u32>,
    met: Vec<Met>,
    /// Those of large lines or of lines with many locations.
    others: HashMap<(Identifier, u32, u32), u32>,
}

struct Met {
    entry: u32,
    file: Identifier,
    column: u32,
    next: u32,
}

/// Beyond these a hash map is better than an array and a chain.
const LINES: u32 = 1 << 22;
const CHAIN: usize = 16;

impl LocationIndex {
    /// The entry of the location.
    #[inline]
    pub(crate) fn find(&self, file: Identifier, line: u32, column: u32) -> Option<u32> {
        if line < LINES {
            let mut at = self.by_line.get(line as usize).copied().unwrap_or(0);
            for _ in 0..CHAIN {
                let met = self.met.get((at as usize).checked_sub(1)?)?;
                if met.column == column && met.file == file {
                    return Some(met.entry);
                }
                at = met.next;
            }
        }
        self.others.get(&(file, line, column)).copied()
    }

    /// Notes a location that [`LocationIndex::find`] does not know.
    #[inline]
    pub(crate) fn insert(&mut self, entry: u32, file: Identifier, line: u32, column: u32) {
        if line >= LINES {
            self.others.insert((file, line, column), entry);
            return;
        }
        let at = line as usize;
        if at >= self.by_line.len() {
            self.by_line.resize((at + 1).next_power_of_two(), 0);
        }
        let head = self.by_line[at];
        let mut length = 0;
        let mut next = head;
        while length < CHAIN
            && let Some(met) = (next as usize).checked_sub(1).and_then(|next| self.met.get(next))
        {
            length += 1;
            next = met.next;
        }
        if length < CHAIN {
            self.met.push(Met { entry, file, column, next: head });
            self.by_line[at] = self.met.len() as u32;
        } else {
            self.others.insert((file, line, column), entry);
        }
    }
}
